//! `problem.yaml`: the metadata of a package, in every format version.
//!
//! Responsible for choosing the version. Must not read any other file.

mod constants;
mod contents;
pub(crate) mod credits;
pub(crate) mod current;
pub(crate) mod fill_in;
pub(crate) mod grading;
pub(crate) mod legacy;
pub(crate) mod named_files;
pub(crate) mod other_tools;
mod shared;
pub(crate) mod types;
pub(crate) mod uuid;

use std::path::Path;

use judge_model::LanguageId;

use crate::code;
use crate::error::{Finding, Findings, Position};
use crate::suggest::{did_you_mean, quoted};
use crate::yaml::{Document, Entry, Node, Value};

pub(crate) use self::contents::{Dialect, Metadata, OldGradingKeys, ValidatorChoice};
pub use self::shared::{LICENSES, MIN_MEMORY_MIB};
pub(crate) use self::shared::{MAX_FACTOR, MAX_OUTPUT_MIB, YEAR, is_natural_language, words};

/// The known values of `problem_format_version`.
pub(crate) const VERSIONS: [(&str, Dialect); 7] = [
    ("2025-09", Dialect::V2025_09),
    ("2025-09-draft", Dialect::Draft),
    ("2023-07", Dialect::Draft),
    ("2023-07-draft", Dialect::Draft),
    ("draft", Dialect::Draft),
    ("legacy", Dialect::Legacy),
    ("legacy-icpc", Dialect::LegacyIcpc),
];

/// Reads a `problem.yaml`. `None`, with errors, if not even its version is known. For every other
/// error, the default replaces the faulty value, so that the rest of the package can be checked.
pub(crate) fn read(file: &Path, findings: &mut Findings) -> Option<Metadata> {
    let document = match Document::read(file) {
        Ok(document) => document,
        Err(error) => return findings.fail(error),
    };
    interpret(&document, findings)
}

pub(crate) fn interpret(document: &Document, findings: &mut Findings) -> Option<Metadata> {
    let root = document.root();
    if *root.value() == Value::Null {
        let message = "the file is empty, so the package is read as one of the legacy format; a current one begins with \
            `problem_format_version: 2025-09`, `name` and `uuid`";
        findings.warn(Finding::invalid(root.file(), None, message));
    }
    let dialect = dialect_of(&root, findings)?;
    if dialect.is_legacy() {
        legacy::read(&root, dialect, findings)
    } else {
        current::read(&root, dialect, findings)
    }
}

/// Finds the position of a language in `languages`. The file is read again, because languages are
/// rarely wrong.
pub(crate) fn position_of_language(file: &Path, language: &LanguageId) -> Option<Position> {
    let document = Document::read(file).ok()?;
    let languages = document.root().entry("languages")?;
    let is_meant =
        |node: &Node<'_>| matches!(node.value(), Value::Text(text) if *text == language.0);
    languages
        .items()?
        .iter()
        .find(|node| is_meant(node))?
        .position()
}

fn dialect_of(root: &Node<'_>, findings: &mut Findings) -> Option<Dialect> {
    const KEY: &str = "problem_format_version";
    let entries = root.entries().unwrap_or_default();
    let Some(version) = entries
        .iter()
        .find(|entry| entry.name == KEY && *entry.value.value() != Value::Null)
    else {
        // Legacy, "Problem Metadata": a package that states no version has the format
        // `legacy`.
        let error = missing_version(&entries);
        let dialect = error.is_none().then_some(Dialect::Legacy);
        error.into_iter().for_each(|error| findings.error(error));
        return dialect;
    };
    // A version such as `2025` would be a number: only strings are compared.
    let found = match version.value.value() {
        Value::Text(text) => VERSIONS.iter().find(|(name, _)| name == text),
        _ => None,
    };
    if found.is_none() {
        let names = VERSIONS.map(|(name, _)| name);
        let expected = quoted(names);
        let hint = match version.value.value() {
            Value::Text(text) => did_you_mean(text, names),
            _ => None,
        };
        let error = version.value.expected(&format!("one of {expected}"));
        findings.error(error.hint(hint).coded(code::FORMAT_UNKNOWN));
    }
    found.map(|(_, dialect)| *dialect)
}

/// The error of a file without a version whose keys are those of the current format.
fn missing_version(entries: &[Entry<'_>]) -> Option<Finding> {
    let only = |known: &[&str], other: &[&str], entry: &Entry<'_>| {
        known.contains(&entry.name.as_str()) && !other.contains(&entry.name.as_str())
    };
    if entries
        .iter()
        .any(|entry| only(&legacy::KEYS, &current::KEYS, entry))
    {
        return None;
    }
    let current: Vec<&Entry<'_>> = entries
        .iter()
        .filter(|entry| only(&current::KEYS, &legacy::KEYS, entry))
        .collect();
    let key = &current.first()?.key;
    let names = quoted(current.iter().map(|entry| entry.name.as_str()));
    let message = format!(
        "`problem_format_version` is missing, so the package is read as one of the legacy format; only \
         format 2025-09 has {names}"
    );
    let hint = "add `problem_format_version: 2025-09`".to_owned();
    let error = Finding::invalid(key.file(), key.position(), message);
    Some(error.hint(Some(hint)).coded(code::FORMAT_UNKNOWN))
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;

#[cfg(test)]
mod legacy_tests;
#[cfg(test)]
mod robustness_tests;

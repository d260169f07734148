//! `generators/generators.yaml`: the rules that generate a package's test data.
//!
//! Responsible for the keys and values of the file, in the dialect of BAPCtools, and for their
//! positions. Must not number test cases, compute seeds or run anything.
//!
//! Source: BAPCtools, doc/generators.md.

pub(crate) mod case;
mod count;
mod excerpt;
mod insert;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::code;
use crate::disk::entries::Entries;
use crate::disk::links::check_package;
use crate::disk::names;
use crate::error::{Finding, Findings, PackageErrors};
use crate::suggest::{did_you_mean, quoted};
use crate::yaml::fields::Fields;
use crate::yaml::{Document, Entry, Node, Value};
use case::{open, settings};

pub use case::{GeneratedCase, GeneratorSettings};
pub use insert::{InsertedCase, insert_case};

/// The path of the file in a package.
pub const GENERATORS_FILE: &str = "generators/generators.yaml";

/// The directories of `data/` that may be generated, in the order of generation.
pub(crate) const ROOTS: [&str; 8] = [
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    "testing_tool_test",
    "fuzz",
];
pub(crate) const ROOT_KEYS: [&str; 5] = [
    "generators",
    "version",
    "gitignore_generated",
    "parallel",
    "visualizer",
];
/// Keys that the dialect no longer has.
pub(crate) const OLD_KEYS: [&str; 3] = ["gitignore_generated", "parallel", "visualizer"];
pub(crate) const DIRECTORY_KEYS: [&str; 6] = [
    "test_group.yaml",
    "include",
    "data",
    "solution",
    "random_salt",
    "retries",
];

/// The contents of the file.
#[derive(Clone, Debug)]
pub struct Generators {
    /// The file, absolute.
    pub file: PathBuf,
    /// Generators that consist of several files in `generators/`, by name. The entry point is the
    /// first file.
    pub programs: BTreeMap<String, Vec<String>>,
    /// The directory that becomes `data/`.
    pub root: GeneratedDirectory,
    /// The warnings about the file.
    pub warnings: Vec<Finding>,
}

/// A directory of test cases.
#[derive(Clone, Debug, Default)]
pub struct GeneratedDirectory {
    /// The settings that apply to everything in it.
    pub settings: GeneratorSettings,
    /// The text of its `test_group.yaml`; the inner `None`: the file is not written.
    pub test_group_yaml: Option<Option<String>>,
    /// The keys of test cases and directories that it includes, with their lines.
    pub include: Vec<(String, Option<u32>)>,
    /// True when the names of its entries get numbers: `data` is a list.
    pub numbered: bool,
    /// The entries, in the order in which they are numbered.
    pub entries: Vec<GeneratedEntry>,
}

/// An entry of a directory.
#[derive(Clone, Debug)]
pub struct GeneratedEntry {
    /// Its key. Empty only if names are numbered.
    pub key: String,
    /// The line of the key, counted from 1.
    pub line: Option<u32>,
    /// The rule of the key.
    pub rule: GeneratedRule,
}

/// The rule of a key in `data`.
#[derive(Clone, Debug)]
pub enum GeneratedRule {
    /// A directory.
    Directory(GeneratedDirectory),
    /// A test case, or several with `count`.
    Case(Box<GeneratedCase>),
}

/// Reads the file of a package; `None` when the package has none.
///
/// # Errors
/// All of its faults, with lines.
pub fn read_generators(package: &Path) -> Result<Option<Generators>, PackageErrors> {
    let file = package.join(GENERATORS_FILE);
    if !file.is_file() {
        return Ok(None);
    }
    let mut findings = Findings::default();
    // The file may be a link, which must not lead out of the package.
    check_package(package, None, &Entries::links_below(package), &mut findings);
    findings.into_result()?;
    interpreted(&Document::read(&file)?)
}

/// Reads a text as if it were the file of a package.
///
/// # Errors
/// All of its faults, with lines.
pub fn read_generators_text(
    package: &Path,
    text: &str,
) -> Result<Option<Generators>, PackageErrors> {
    interpreted(&Document::parse(
        &package.join(GENERATORS_FILE),
        text.as_bytes().to_vec(),
    )?)
}

fn interpreted(document: &Document) -> Result<Option<Generators>, PackageErrors> {
    let mut findings = Findings::default();
    let generators = interpret(document, &mut findings);
    let warnings = findings.into_result()?;
    Ok(generators.map(|generators| Generators {
        warnings,
        ..generators
    }))
}

pub(crate) fn interpret(document: &Document, findings: &mut Findings) -> Option<Generators> {
    let root = document.root();
    // An empty file would mean that there are no test cases at all, and the next `judge generate`
    // would remove all generated ones.
    if *root.value() == Value::Null {
        let hint = "delete it if test cases are written by hand, or add `data:`";
        return findings.fail(
            root.expected("rules for generating test data")
                .hint(Some(hint.to_owned())),
        );
    }
    let keys: Vec<&str> = DIRECTORY_KEYS.into_iter().chain(ROOT_KEYS).collect();
    let fields = open(&root, &keys, findings)?;
    if let Some(node) = OLD_KEYS.iter().find_map(|key| fields.get(key)) {
        findings.error(
            node.invalid("is no longer supported by the dialect")
                .hint(Some("remove it".to_owned())),
        );
    }
    let mut programs = BTreeMap::new();
    if let Some(node) = fields.get("generators")
        && let Some(named) = Fields::open_any(node, findings)
    {
        for (name, node) in named.iter() {
            if !names::counts(name) {
                findings.error(node.invalid(format_args!(
                    "expected a name for the generator, found `{name}`"
                )));
            }
            match node.texts(findings) {
                Some(files) if files.is_empty() => {
                    findings.error(node.expected("the list of its files"));
                }
                Some(files) => drop(programs.insert(name.to_owned(), files)),
                None => {}
            }
        }
    }
    let root = directory(&root, &fields, true, findings);
    Some(Generators {
        file: document.root().file().to_owned(),
        programs,
        root,
        warnings: Vec::new(),
    })
}

fn directory(
    node: &Node<'_>,
    fields: &Fields<'_>,
    is_root: bool,
    findings: &mut Findings,
) -> GeneratedDirectory {
    let mut read = GeneratedDirectory {
        settings: settings(node, fields, findings),
        ..GeneratedDirectory::default()
    };
    if let Some(value) = node.entry("test_group.yaml") {
        read.test_group_yaml =
            Some((*value.value() != Value::Null).then(|| excerpt::text_of(&value)));
    }
    if let Some(include) = fields.get("include") {
        let nodes = include.each();
        for node in nodes {
            if let Some(key) = node.text(findings) {
                read.include
                    .push((key, node.position().map(|position| position.line)));
            }
        }
    }
    let Some(data) = fields.get("data") else {
        return read;
    };
    match data.value() {
        Value::Map(_) => named_entries(data, is_root, &mut read.entries, findings),
        Value::List(_) if is_root => {
            findings.error(data.expected("a mapping of `sample`, `secret` and so on"));
        }
        Value::List(_) => {
            read.numbered = true;
            for item in data.items().unwrap_or_default() {
                let entries = item.entries().unwrap_or_default();
                match entries.as_slice() {
                    // An item of a list has one key, its name; its number is its position in the
                    // list.
                    [_] => named_entries(&item, false, &mut read.entries, findings),
                    [] => findings.error(item.expected("a mapping with one key")),
                    _ => findings.error(many_keys(&item, &entries)),
                }
            }
        }
        _ => findings.error(data.expected("a mapping or a list")),
    }
    read
}

/// The error of an item of a list with several keys.
fn many_keys(item: &Node<'_>, entries: &[Entry<'_>]) -> Finding {
    let names = quoted(entries.iter().map(|entry| entry.name.as_str()));
    let found = format!(
        "expected an item with exactly one key, its name; found {}: {names}",
        entries.len()
    );
    let is_of_rule = |entry: &Entry<'_>| {
        case::is_case_key(&entry.name) || DIRECTORY_KEYS.contains(&entry.name.as_str())
    };
    let hint = match entries.iter().any(is_of_rule) {
        true => "the keys of a rule belong one level deeper, below its name",
        false => "write each of them as a separate item, with `- `",
    };
    item.error(code::VALUE_UNEXPECTED, format_args!("{found}"))
        .hint(Some(hint.to_owned()))
}

/// Reads the entries of a mapping: alphabetically, as numbers depend on it; at the root in the
/// order of [`ROOTS`].
fn named_entries(
    node: &Node<'_>,
    is_root: bool,
    into: &mut Vec<GeneratedEntry>,
    findings: &mut Findings,
) {
    let numbered = node.key_path().ends_with(']');
    // Duplicate keys, and unknown ones at the root, are reported here.
    let opened = if is_root {
        Fields::open(node, &ROOTS, findings)
    } else {
        Fields::open_any(node, findings)
    };
    if opened.is_none() {
        return;
    }
    let mut entries = node.entries().unwrap_or_default();
    if is_root {
        entries.retain(|entry| ROOTS.contains(&entry.name.as_str()));
        // At the root, the dialect has a fixed order, regardless of that of the keys.
        entries.sort_by_key(|entry| ROOTS.iter().position(|root| *root == entry.name));
    } else {
        entries.sort_by(|a, b| a.name.cmp(&b.name));
    }
    for entry in entries {
        let position = entry.key.position();
        let key = match entry.key.value() {
            // In a list, the number alone can be the name.
            Value::Null if numbered => String::new(),
            Value::Text(key) => key.clone(),
            _ => {
                let hint = Some(format!("write it in quotes: `\"{}\"`", entry.name));
                findings.error(entry.key.expected("a name").hint(hint));
                continue;
            }
        };
        if !(names::counts(&key) || key.is_empty() && numbered)
            || key == "test_group"
            || key.ends_with(".in")
        {
            let message = format!("expected the name of a test case or directory, found `{key}`");
            let hint = "letters, digits, `_`, `-` and `.` are allowed; `test_group` and names with `.in` are not";
            let error =
                Finding::invalid(node.file(), position, message).hint(Some(hint.to_owned()));
            findings.error(error);
            continue;
        }
        if let Some(rule) = rule(&entry.value, is_root, findings) {
            into.push(GeneratedEntry {
                key,
                line: position.map(|position| position.line),
                rule,
            });
        }
    }
}

fn rule(
    node: &Node<'_>,
    must_be_directory: bool,
    findings: &mut Findings,
) -> Option<GeneratedRule> {
    let is_case = match node.value() {
        Value::Map(entries) => entries
            .iter()
            .any(|(key, _)| case::is_case_key(&key.as_key())),
        _ => true,
    };
    if must_be_directory && is_case {
        return findings.fail(node.expected("a directory: a mapping with `data`"));
    }
    if is_case {
        return case::read(node, findings).map(|case| GeneratedRule::Case(Box::new(case)));
    }
    if let Some(error) = without_content(node) {
        return findings.fail(error);
    }
    let fields = open(node, &DIRECTORY_KEYS, findings)?;
    Some(GeneratedRule::Directory(directory(
        node, &fields, false, findings,
    )))
}

/// The error of a mapping with keys that neither make an input nor belong to a directory. Read as
/// an empty directory, it would remove the test case that was made before.
fn without_content(node: &Node<'_>) -> Option<Finding> {
    let entries = node.entries().unwrap_or_default();
    let is_content =
        |entry: &Entry<'_>| ["data", "include", "test_group.yaml"].contains(&entry.name.as_str());
    if entries.iter().any(is_content) {
        return None;
    }
    let known = || {
        let of_directory = DIRECTORY_KEYS.into_iter();
        case::CASE_KEYS
            .into_iter()
            .chain(case::TEXT_EXTENSIONS)
            .chain(of_directory)
    };
    let first = entries.first()?;
    let unknown = entries
        .iter()
        .find(|entry| !known().any(|key| key == entry.name));
    let hint = unknown.and_then(|entry| did_you_mean(&entry.name, known()));
    let at = unknown.unwrap_or(first);
    let message = format!(
        "`{}` makes no input: expected `generate`, `copy` or `in` for a test case, or `data` for a \
         directory; found `{}`",
        node.key_path(),
        at.name
    );
    Some(Finding::invalid(node.file(), at.key.position(), message).hint(hint))
}

#[cfg(test)]
#[path = "generators_tests.rs"]
mod tests;

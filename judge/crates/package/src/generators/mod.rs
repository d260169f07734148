//! `generators/generators.yaml`: how a package's test data comes to be, as it is written.
//!
//! Responsible for the keys and values of the file, in the dialect of BAPCtools, and for their places. Must not number
//! test cases, compute seeds or run anything.
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
use crate::suggest::did_you_mean;
use crate::yaml::fields::Fields;
use crate::yaml::{Document, Entry, Node, Value};

pub use insert::{Inserted, insert_case};

/// The path of the file in a package.
pub const GENERATORS_FILE: &str = "generators/generators.yaml";

/// The directories of `data/` that may be generated, in the order in which they are.
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
pub(crate) const ROOT_KEYS: [&str; 5] = ["generators", "version", "gitignore_generated", "parallel", "visualizer"];
/// Keys that the dialect has no more.
pub(crate) const OLD_KEYS: [&str; 3] = ["gitignore_generated", "parallel", "visualizer"];
pub(crate) const DIRECTORY_KEYS: [&str; 6] =
    ["test_group.yaml", "include", "data", "solution", "random_salt", "retries"];

/// The whole file.
#[derive(Clone, Debug)]
pub struct Generators {
    /// The file, absolute.
    pub file: PathBuf,
    /// Generators that are made of several files of `generators/`: the name, and the files, the entry point first.
    pub programs: BTreeMap<String, Vec<String>>,
    /// The directory that becomes `data/`.
    pub root: GeneratedDirectory,
    /// The warnings about the file.
    pub warnings: Vec<Finding>,
}

/// The settings that directories hand down to their entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratorSettings {
    /// The program that writes answers, from the package's root; the inner `None` asks for none.
    pub solution: Option<Option<String>>,
    /// The salt: a text that goes before each command when its seed is computed.
    pub random_salt: Option<String>,
    /// The number of seeds that are tried when a generator fails.
    pub retries: Option<u32>,
}

/// A directory of test cases.
#[derive(Clone, Debug, Default)]
pub struct GeneratedDirectory {
    /// The settings that hold for everything in it.
    pub settings: GeneratorSettings,
    /// The text of its `test_group.yaml`; the inner `None` asks for none.
    pub test_group_yaml: Option<Option<String>>,
    /// The keys of test cases and directories whose test cases it has too, with their lines.
    pub include: Vec<(String, Option<u32>)>,
    /// True when the names of its entries get numbers: `data` is a list.
    pub numbered: bool,
    /// The entries, in the order in which they are numbered.
    pub entries: Vec<GeneratedEntry>,
}

/// An entry of a directory.
#[derive(Clone, Debug)]
pub struct GeneratedEntry {
    /// Its key. Empty only where names get numbers.
    pub key: String,
    /// The line of the key, counted from 1.
    pub line: Option<u32>,
    /// The rule that the key stands for.
    pub rule: GeneratedRule,
}

/// The rule that a key of `data` stands for.
#[derive(Clone, Debug)]
pub enum GeneratedRule {
    /// A directory.
    Directory(GeneratedDirectory),
    /// A test case, or several with `count`.
    Case(Box<GeneratedCase>),
}

/// The rule by which a test case is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratedCase {
    /// The settings that hold for this test case alone.
    pub settings: GeneratorSettings,
    /// The command that writes it.
    pub generate: Option<String>,
    /// Files that it is copied from: their path below `generators/` without the extension.
    pub copy: Option<String>,
    /// Files with their texts, by extension without the dot (`in`, `ans.statement`). Not ended by a newline yet.
    pub texts: BTreeMap<String, String>,
    /// Files that are links to another one of the same test case, by extension.
    pub links: BTreeMap<String, String>,
    /// The numbers of its copies, when there is a `count`.
    pub count: Option<Vec<i64>>,
    /// Regular expressions that a file must match: the extension, and the expression.
    pub patterns: Vec<(String, String)>,
}

/// Reads the file of a package; `None` when the package has none.
///
/// # Errors
/// Everything that is wrong in it, with lines.
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

/// Reads a text as it would be read if it were the file of a package.
///
/// # Errors
/// Everything that is wrong in it, with lines.
pub fn read_generators_text(package: &Path, text: &str) -> Result<Option<Generators>, PackageErrors> {
    interpreted(&Document::parse(&package.join(GENERATORS_FILE), text.as_bytes().to_vec())?)
}

fn interpreted(document: &Document) -> Result<Option<Generators>, PackageErrors> {
    let mut findings = Findings::default();
    let generators = interpret(document, &mut findings);
    let warnings = findings.into_result()?;
    Ok(generators.map(|generators| Generators { warnings, ..generators }))
}

/// The entries of a mapping. Unknown keys are warnings, as they are in the dialect; but one that looks like a known key
/// is an error: its setting would be missing.
fn open<'d>(node: &Node<'d>, known: &[&str], findings: &mut Findings) -> Option<Fields<'d>> {
    let fields = Fields::open_any(node, findings)?;
    for entry in node.entries().unwrap_or_default() {
        if known.contains(&entry.name.as_str()) {
            continue;
        }
        let message = format!("unknown key `{}`", entry.key.key_path());
        match did_you_mean(&entry.name, known.iter().copied()) {
            hint @ Some(_) => {
                findings.error(Finding::invalid(node.file(), entry.key.position(), message).hint(hint));
            }
            None => findings.warn(Finding::invalid(node.file(), entry.key.position(), format!("{message} is ignored"))),
        }
    }
    Some(fields)
}

pub(crate) fn interpret(document: &Document, findings: &mut Findings) -> Option<Generators> {
    let root = document.root();
    // What says nothing would take away all data that was made before.
    if *root.value() == Value::Null {
        let hint = "delete it if test cases are written by hand, or add `data:`";
        findings.error(root.expected("how test data is made").hint(Some(hint.to_owned())));
        return None;
    }
    let keys: Vec<&str> = DIRECTORY_KEYS.into_iter().chain(ROOT_KEYS).collect();
    let fields = open(&root, &keys, findings)?;
    if let Some(node) = OLD_KEYS.iter().find_map(|key| fields.get(key)) {
        findings.error(node.invalid("is no longer supported by the dialect").hint(Some("remove it".to_owned())));
    }
    let mut programs = BTreeMap::new();
    if let Some(node) = fields.get("generators")
        && let Some(named) = Fields::open_any(node, findings)
    {
        for (name, node) in named.iter() {
            if !names::counts(name) {
                findings.error(node.invalid(format_args!("expected a name for the generator, found `{name}`")));
            }
            match node.texts(findings) {
                Some(files) if files.is_empty() => findings.error(node.expected("the files that it is made of")),
                Some(files) => drop(programs.insert(name.to_owned(), files)),
                None => {}
            }
        }
    }
    let root = directory(&root, &fields, true, findings);
    Some(Generators { file: document.root().file().to_owned(), programs, root, warnings: Vec::new() })
}

fn directory(node: &Node<'_>, fields: &Fields<'_>, is_root: bool, findings: &mut Findings) -> GeneratedDirectory {
    let mut read = GeneratedDirectory { settings: settings(node, fields, findings), ..GeneratedDirectory::default() };
    if let Some(value) = raw(node, "test_group.yaml") {
        read.test_group_yaml = Some((*value.value() != Value::Null).then(|| excerpt::text_of(&value)));
    }
    if let Some(include) = fields.get("include") {
        let nodes = include.each();
        for node in nodes {
            if let Some(key) = node.text(findings) {
                read.include.push((key, node.position().map(|position| position.line)));
            }
        }
    }
    let Some(data) = fields.get("data") else { return read };
    match data.value() {
        Value::Map(_) => named_entries(data, is_root, &mut read.entries, findings),
        Value::List(_) if is_root => findings.error(data.expected("a mapping of `sample`, `secret` and so on")),
        Value::List(_) => {
            read.numbered = true;
            for item in data.items().unwrap_or_default() {
                let entries = item.entries().unwrap_or_default();
                match entries.as_slice() {
                    // An item of a list has one key, its name; numbers come from the place in
                    // the list.
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
    let names: Vec<String> = entries.iter().map(|entry| format!("`{}`", entry.name)).collect();
    let found = format!("expected an item with exactly one key, its name; found {}: {}", names.len(), names.join(", "));
    let is_of_rule =
        |entry: &Entry<'_>| case::is_key_of_case(&entry.name) || DIRECTORY_KEYS.contains(&entry.name.as_str());
    let hint = match entries.iter().any(is_of_rule) {
        true => "the keys of a rule belong one level deeper, below its name",
        false => "write each of them as an item of its own, with `- `",
    };
    item.invalid(format_args!("{found}")).coded(code::VALUE_UNEXPECTED).hint(Some(hint.to_owned()))
}

/// The value of a key even when it is empty.
fn raw<'d>(node: &Node<'d>, key: &str) -> Option<Node<'d>> {
    node.entries()?.into_iter().find(|entry| entry.name == key).map(|entry| entry.value)
}

/// Reads the entries of a mapping: alphabetically, as numbers depend on it; at the root in the order of [`ROOTS`].
fn named_entries(node: &Node<'_>, is_root: bool, into: &mut Vec<GeneratedEntry>, findings: &mut Findings) {
    let numbered = node.key_path().ends_with(']');
    // Keys that are given twice, and at the root unknown ones, are reported here.
    let opened = if is_root { Fields::open(node, &ROOTS, findings) } else { Fields::open_any(node, findings) };
    if opened.is_none() {
        return;
    }
    let mut entries = node.entries().unwrap_or_default();
    if is_root {
        entries.retain(|entry| ROOTS.contains(&entry.name.as_str()));
        // At the root, the dialect has an order of its own, whatever that of the keys is.
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
        if !(names::counts(&key) || key.is_empty() && numbered) || key == "test_group" || key.ends_with(".in") {
            let message = format!("expected the name of a test case or directory, found `{key}`");
            let hint = "letters, digits, `_`, `-` and `.` are allowed; `test_group` and names with `.in` are not";
            let error = Finding::invalid(node.file(), position, message).hint(Some(hint.to_owned()));
            findings.error(error);
            continue;
        }
        if let Some(rule) = rule(&entry.value, is_root, findings) {
            into.push(GeneratedEntry { key, line: position.map(|position| position.line), rule });
        }
    }
}

fn rule(node: &Node<'_>, must_be_directory: bool, findings: &mut Findings) -> Option<GeneratedRule> {
    let is_case = match node.value() {
        Value::Map(entries) => entries.iter().any(|(key, _)| case::is_key_of_case(&key.as_key())),
        _ => true,
    };
    if must_be_directory && is_case {
        findings.error(node.expected("a directory: a mapping with `data`"));
        return None;
    }
    if is_case {
        return case::read(node, findings).map(|case| GeneratedRule::Case(Box::new(case)));
    }
    let fields = open(node, &DIRECTORY_KEYS, findings)?;
    Some(GeneratedRule::Directory(directory(node, &fields, false, findings)))
}

fn settings(node: &Node<'_>, fields: &Fields<'_>, findings: &mut Findings) -> GeneratorSettings {
    let solution = raw(node, "solution").and_then(|value| match value.value() {
        Value::Null => Some(None),
        _ => value.text(findings).map(Some),
    });
    if let Some(Some(path)) = &solution
        && !path.starts_with('/')
        && let Some(node) = fields.get("solution")
    {
        let hint = format!("write `/submissions/accepted/{path}`, if it is there");
        findings.error(node.expected("a path from the package's root, which begins with `/`").hint(Some(hint)));
    }
    GeneratorSettings {
        solution,
        random_salt: fields.text("random_salt", findings),
        retries: fields.integer("retries", 1, findings).map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
    }
}

#[cfg(test)]
#[path = "generators_tests.rs"]
mod tests;

//! A test case in `generators.yaml`, and the settings that directories have as well.
//!
//! Responsible for the keys of one test case, and for unknown keys. Must not know where the test
//! case is in the file.

use std::collections::BTreeMap;

use crate::error::{Finding, Findings};
use crate::generators::count::count;
use crate::generators::excerpt::text_of;
use crate::suggest::did_you_mean;
use crate::test_data::shell_words::shell_words;
use crate::yaml::fields::Fields;
use crate::yaml::{Node, Value};

/// Extensions of files with text, without the dot.
pub(crate) const TEXT_EXTENSIONS: [&str; 9] = [
    "in",
    "ans",
    "out",
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "interaction",
    "yaml",
];
/// The extensions of files that may be links, and those of the files that they may lead to.
pub(crate) const LINK_EXTENSIONS: [&str; 4] = [
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
];
pub(crate) const LINK_TARGETS: [&str; 6] = [
    "in",
    "ans",
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
];
pub(crate) const OTHERS: [&str; 7] = [
    "generate",
    "copy",
    "count",
    "match",
    "solution",
    "random_salt",
    "retries",
];

/// Keys that only test cases have, besides [`TEXT_EXTENSIONS`].
pub(crate) const CASE_KEYS: [&str; 4] = ["generate", "copy", "count", "match"];

/// The settings that the entries of a directory inherit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratorSettings {
    /// The program that writes answers, as a path from the package's root. The inner `None` means
    /// that no answers are written.
    pub solution: Option<Option<String>>,
    /// The salt: a string that precedes each command when its seed is computed.
    pub random_salt: Option<String>,
    /// The number of seeds that are tried when a generator fails.
    pub retries: Option<u32>,
}

/// The rule that generates a test case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratedCase {
    /// The settings of this test case alone.
    pub settings: GeneratorSettings,
    /// The command that writes it.
    pub generate: Option<String>,
    /// The files to copy: their path below `generators/` without the extension.
    pub copy: Option<String>,
    /// Files with their texts, by extension without the dot (`in`, `ans.statement`). A missing
    /// final newline is not added yet.
    pub texts: BTreeMap<String, String>,
    /// Files that are links to another one of the same test case, by extension.
    pub links: BTreeMap<String, String>,
    /// The numbers of its copies, if there is a `count`.
    pub count: Option<Vec<i64>>,
    /// Regular expressions that a file must match: the extension, and the expression.
    pub patterns: Vec<(String, String)>,
}

/// True if a mapping with this key is a test case, not a directory.
pub(super) fn is_case_key(key: &str) -> bool {
    CASE_KEYS.contains(&key) || TEXT_EXTENSIONS.contains(&key)
}

/// Reads a test case: a command, or a mapping.
pub(super) fn read(node: &Node<'_>, findings: &mut Findings) -> Option<GeneratedCase> {
    match node.value() {
        Value::Text(command) if command.trim().is_empty() => {
            findings.fail(node.expected("a command"))
        }
        Value::Text(command) if redirection(command).is_some() => {
            refuse_redirection(node, findings)
        }
        Value::Text(command) if command.ends_with(".in") => {
            let hint = format!(
                "to copy a test case write `{{copy: {}}}`",
                command.trim_end_matches(".in")
            );
            findings.fail(node.expected("a command").hint(Some(hint)))
        }
        Value::Text(command) => Some(GeneratedCase {
            generate: Some(command.clone()),
            ..GeneratedCase::default()
        }),
        Value::Map(_) => read_mapping(node, findings),
        _ => {
            let hint =
                "a test case is a command, or a mapping with `generate`, `copy` or `in`".to_owned();
            findings.fail(node.expected("a test case or a directory").hint(Some(hint)))
        }
    }
}

/// The part of a command that redirects its output, which no shell does here.
fn redirection(command: &str) -> Option<&str> {
    let words = shell_words(command)?;
    // A quoted `>` is an argument.
    let is_redirection = |word: &str| {
        word.starts_with('>') && !word.starts_with(">=") && words.iter().any(|other| other == word)
    };
    let start = command
        .split_whitespace()
        .find(|word| is_redirection(word))?;
    let index = command.find(&format!(" {start}")).map_or(0, |at| at + 1);
    Some(command[index..].trim_end())
}

fn refuse_redirection<T>(node: &Node<'_>, findings: &mut Findings) -> Option<T> {
    let Value::Text(command) = node.value() else {
        return None;
    };
    let part = redirection(command)?;
    let hint = format!("the standard output of the command is the input: remove `{part}`");
    findings.fail(node.expected("a command").hint(Some(hint)))
}

fn read_mapping(node: &Node<'_>, findings: &mut Findings) -> Option<GeneratedCase> {
    let keys: Vec<&str> = OTHERS.into_iter().chain(TEXT_EXTENSIONS).collect();
    let fields = open(node, &keys, findings)?;
    let mut case = GeneratedCase {
        settings: settings(node, &fields, findings),
        generate: fields.text("generate", findings),
        copy: fields.text("copy", findings),
        count: fields.read("count", count, findings),
        ..GeneratedCase::default()
    };
    for key in TEXT_EXTENSIONS {
        if let Some(node) = fields.get(key) {
            read_file(key, node, &mut case, findings);
        }
    }
    if let Some(node) = fields.get("match") {
        read_patterns(node, &mut case, findings);
    }
    for (from, to) in &case.links {
        // Chains of links are not supported: their order would matter.
        if case.links.contains_key(to) {
            findings.error(node.invalid(format_args!(
                "`{from}` cannot be a link to `{to}`, which is a link itself"
            )));
        }
    }
    if case.generate.is_none() && case.copy.is_none() && !case.texts.contains_key("in") {
        let for_people = ["in.statement", "in.download"];
        let is_shown = for_people
            .iter()
            .all(|key| case.texts.contains_key(*key) || case.links.contains_key(*key));
        if !is_shown && !case.texts.contains_key("interaction") {
            findings.error(node.invalid("expected one of `generate`, `copy` and `in`, found none"));
        }
    }
    if let Some(node) = fields.get("generate") {
        let _: Option<()> = refuse_redirection(node, findings);
    }
    if let Some(command) = &case.generate
        && command.trim().is_empty()
        && let Some(node) = fields.get("generate")
    {
        findings.error(node.expected("a command"));
    }
    Some(case)
}

fn read_file(key: &str, node: &Node<'_>, case: &mut GeneratedCase, findings: &mut Findings) {
    if key == "yaml" && matches!(node.value(), Value::Map(_)) {
        case.texts.insert(key.to_owned(), text_of(node));
        return;
    }
    if LINK_EXTENSIONS.contains(&key) && matches!(node.value(), Value::Map(_)) {
        let Some(fields) = Fields::open(node, &["link"], findings) else {
            return;
        };
        let Some(node) = fields.require("link", findings) else {
            return;
        };
        let Some(target) = node.one_of(&LINK_TARGETS, findings) else {
            return;
        };
        // Only an input can replace an input, and only an answer can replace an answer.
        if target.split('.').next() == key.split('.').next() {
            case.links.insert(key.to_owned(), target.to_owned());
        } else {
            findings.error(node.invalid(format_args!("`{key}` cannot be a link to `{target}`")));
        }
        return;
    }
    if let Some(text) = node.text(findings) {
        case.texts.insert(key.to_owned(), text);
    }
}

fn read_patterns(node: &Node<'_>, case: &mut GeneratedCase, findings: &mut Findings) {
    let mut add = |extension: &str, node: &Node<'_>, findings: &mut Findings| {
        let texts = node.text_or_texts(findings).unwrap_or_default();
        case.patterns
            .extend(texts.into_iter().map(|text| (extension.to_owned(), text)));
    };
    let Some(entries) = node.entries() else {
        return add("in", node, findings);
    };
    for entry in entries {
        if ["in", "ans"].contains(&entry.name.as_str()) {
            add(&entry.name, &entry.value, findings);
        } else {
            let error = entry
                .key
                .invalid("unknown key; expected one of `in`, `ans`");
            findings.error(error.hint(did_you_mean(&entry.name, ["in", "ans"])));
        }
    }
}

/// The entries of a mapping. Unknown keys are warnings, as in the dialect; but one that looks like
/// a misspelt known key is an error, because its setting would be ignored.
pub(super) fn open<'d>(
    node: &Node<'d>,
    known: &[&str],
    findings: &mut Findings,
) -> Option<Fields<'d>> {
    let fields = Fields::open_any(node, findings)?;
    for entry in node.entries().unwrap_or_default() {
        if known.contains(&entry.name.as_str()) {
            continue;
        }
        let message = format!("unknown key `{}`", entry.key.key_path());
        match did_you_mean(&entry.name, known.iter().copied()) {
            hint @ Some(_) => {
                findings
                    .error(Finding::invalid(node.file(), entry.key.position(), message).hint(hint));
            }
            None => findings.warn(Finding::invalid(
                node.file(),
                entry.key.position(),
                format!("{message} is ignored"),
            )),
        }
    }
    Some(fields)
}

pub(super) fn settings(
    node: &Node<'_>,
    fields: &Fields<'_>,
    findings: &mut Findings,
) -> GeneratorSettings {
    let solution = node
        .entry("solution")
        .and_then(|value| match value.value() {
            Value::Null => Some(None),
            _ => value.text(findings).map(Some),
        });
    if let Some(Some(path)) = &solution
        && !path.starts_with('/')
        && let Some(node) = fields.get("solution")
    {
        let hint = format!("write `/submissions/accepted/{path}`, if it is there");
        findings.error(
            node.expected("a path from the package's root, which begins with `/`")
                .hint(Some(hint)),
        );
    }
    GeneratorSettings {
        solution,
        random_salt: fields.text("random_salt", findings),
        retries: fields
            .integer("retries", 1, findings)
            .map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
    }
}

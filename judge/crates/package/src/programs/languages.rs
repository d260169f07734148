//! The table of languages: the built-in rows, and the changes of a workspace.
//!
//! Responsible for reading and checking rows. Must not know which tools this host has or how a
//! program is run.

use std::collections::BTreeMap;

use judge_model::{Language, LanguageFamily, LanguageId, Tool};

use crate::error::Findings;
use crate::suggest::{did_you_mean, quoted};
use crate::yaml::Node;
use crate::yaml::fields::Fields;

/// `languages.yaml` as JSON, written by a test. It is read at each start, and JSON is 50 times
/// faster to read than YAML.
const BUILT_IN: &str = include_str!("languages.json");

pub(crate) const KEYS: [&str; 15] = [
    "name",
    "aliases",
    "family",
    "extensions",
    "entry_points",
    "minimal",
    "tools",
    "compile",
    "static_flags",
    "check",
    "run",
    "env",
    "processes",
    "needs_proc",
    "starts_processes",
];

/// The keys of a tool.
pub(crate) const TOOL: [&str; 4] = ["names", "prefix_args", "executable", "version_args"];

/// The template variables, in addition to the roles of the language's tools.
const VARIABLES: [&str; 6] = [
    "sources",
    "main",
    "class",
    "output",
    "program",
    "memory_mib",
];
/// The variables that are undefined in the template of a key.
const WITHOUT_VALUE: [(&str, &[&str]); 3] = [
    ("compile", &["program"]),
    ("check", &["program"]),
    ("run", &["sources", "output"]),
];

/// Returns the built-in languages, in order of their ids.
///
/// # Panics
/// Never: a test reads the table that is built in.
#[must_use]
pub fn built_in_languages() -> Vec<Language> {
    serde_json::from_str(BUILT_IN).expect("a test writes the built-in table of languages")
}

/// The id of Python 3, for any interpreter. Its built-in row runs CPython.
pub const CPYTHON: &str = "python3";
/// The id of the row of PyPy, which can replace the commands of that row.
pub const PYPY: &str = "pypy3";

/// Returns the language with this id or alias, as other judges write it; letter case is ignored.
#[must_use]
pub fn language_named<'t>(table: &'t [Language], name: &str) -> Option<&'t Language> {
    let name = name.to_ascii_lowercase();
    table
        .iter()
        .find(|row| row.id.0 == name || row.aliases.contains(&name))
}

/// Returns the table with PyPy as the interpreter of Python 3.
#[must_use]
pub fn with_pypy(table: &[Language]) -> Vec<Language> {
    let mut table = table.to_vec();
    let Some(pypy) = table.iter().find(|row| row.id.0 == PYPY).cloned() else {
        return table;
    };
    for row in table.iter_mut().filter(|row| row.id.0 == CPYTHON) {
        // The id is kept, since expectations and included files name it; everything that runs
        // programs comes from PyPy.
        let Language { id, extensions, .. } = row.clone();
        *row = Language {
            id,
            extensions,
            ..pypy.clone()
        };
    }
    table
}

/// Applies a mapping of rows to a table: keys that are given replace those of the row with the same
/// id; rows with a new id are added. Faulty rows are errors, and leave the table unchanged.
pub(crate) fn override_languages(
    table: Vec<Language>,
    rows: &Node<'_>,
    findings: &mut Findings,
) -> Vec<Language> {
    let mut table: BTreeMap<LanguageId, Language> =
        table.into_iter().map(|row| (row.id.clone(), row)).collect();
    let Some(fields) = Fields::open_any(rows, findings) else {
        return table.into_values().collect();
    };
    let known: Vec<String> = table.keys().map(|id| id.0.clone()).collect();
    for (id, node) in fields.iter() {
        let id = LanguageId(id.to_owned());
        // Missing keys keep the values of the built-in row, so that a workspace states only
        // differences.
        let base = table.get(&id);
        if let Some(row) = read_row(&id, base, &known, node, findings) {
            table.insert(id, row);
        }
    }
    // Checked after all rows: one row may take an extension that another one drops.
    check_extensions(&table, &fields, findings);
    table.into_values().collect()
}

fn read_row(
    id: &LanguageId,
    base: Option<&Language>,
    known: &[String],
    node: &Node<'_>,
    findings: &mut Findings,
) -> Option<Language> {
    if id.0.is_empty()
        || !id
            .0
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    {
        findings
            .error(node.invalid("expected a language id of lower case letters, digits and `_`"));
    }
    let fields = Fields::open(node, &KEYS, findings)?;
    // A new language has no built-in values for missing keys.
    if base.is_none() {
        let missing: Vec<_> = ["name", "extensions", "run"]
            .into_iter()
            .filter(|k| fields.get(k).is_none())
            .collect();
        if !missing.is_empty() {
            let keys = quoted(missing);
            let error = node.invalid(format_args!("a new language needs {keys} as well"));
            return findings
                .fail(error.hint(did_you_mean(&id.0, known.iter().map(String::as_str))));
        }
    }
    // A run-time system such as that of Java or Go needs several threads, which the kernel
    // counts as processes.
    let new = || Language {
        id: id.clone(),
        processes: 16,
        ..Language::default()
    };
    let mut row = base.cloned().unwrap_or_else(new);
    fields.read_into("name", Node::text, &mut row.name, findings);
    fields.read_into("minimal", Node::text, &mut row.minimal, findings);
    let families = LanguageFamily::ALL.map(LanguageFamily::id);
    if let Some(name) = fields.read(
        "family",
        |node, findings| node.one_of(&families, findings),
        findings,
    ) {
        row.family = LanguageFamily::ALL
            .into_iter()
            .find(|family| family.id() == name);
    }
    if fields.get("compile").is_some() {
        // The flags belong to the original command; another compiler may not support them.
        row.static_flags.clear();
    }
    for (key, into) in [
        ("aliases", &mut row.aliases),
        ("extensions", &mut row.extensions),
        ("entry_points", &mut row.entry_points),
        ("compile", &mut row.compile),
        ("static_flags", &mut row.static_flags),
        ("check", &mut row.check),
        ("run", &mut row.run),
        ("env", &mut row.env),
    ] {
        fields.read_into(key, Node::texts, into, findings);
    }
    if let Some(node) = fields.get("tools") {
        read_tools(node, &mut row.tools, findings);
    }
    if let Some(node) = fields.get("processes")
        && let Some(processes) = node.integer(1, findings)
    {
        match u32::try_from(processes) {
            Ok(processes) => row.processes = processes,
            Err(_) => findings.error(node.expected("a smaller number")),
        }
    }
    fields.read_into("needs_proc", Node::boolean, &mut row.needs_proc, findings);
    fields.read_into(
        "starts_processes",
        Node::boolean,
        &mut row.starts_processes,
        findings,
    );
    check_row(&row, &fields, findings);
    Some(row)
}

/// Reads tools by role. A given role replaces the whole tool; the others are unchanged.
fn read_tools(node: &Node<'_>, tools: &mut Vec<Tool>, findings: &mut Findings) {
    let Some(roles) = Fields::open_any(node, findings) else {
        return;
    };
    for (role, node) in roles.iter() {
        if VARIABLES.contains(&role) || !is_variable(role) {
            let message =
                "expected a role of lower case letters and `_` that is not a template variable";
            findings.error(node.invalid(message));
        }
        let Some(fields) = Fields::open(node, &TOOL, findings) else {
            continue;
        };
        let names = fields.require("names", findings).and_then(|node| {
            node.texts(findings).filter(|names| {
                if names.is_empty() {
                    findings.error(node.expected("at least one name"));
                }
                !names.is_empty()
            })
        });
        let tool = Tool {
            role: role.to_owned(),
            names: names.unwrap_or_default(),
            prefix_args: fields.texts("prefix_args", findings).unwrap_or_default(),
            executable: fields.text("executable", findings).unwrap_or_default(),
            version_args: fields.texts("version_args", findings).unwrap_or_default(),
        };
        tools.retain(|other| other.role != tool.role);
        tools.push(tool);
    }
    tools.sort_by(|a, b| a.role.cmp(&b.role));
}

/// Checks a row that is merged from the built-in one and the given keys.
fn check_row(row: &Language, fields: &Fields<'_>, findings: &mut Findings) {
    if let (Some(node), true) = (fields.get("run"), row.run.is_empty()) {
        findings.error(node.expected("a command"));
    }
    if let Some(items) = fields.get("extensions").and_then(Node::items) {
        for (node, extension) in items.iter().zip(&row.extensions) {
            if extension.is_empty() || extension.contains(['.', '/']) {
                findings.error(node.expected("a file name extension without its dot"));
            }
        }
    }
    if let Some(items) = fields.get("env").and_then(Node::items) {
        for (node, variable) in items.iter().zip(&row.env) {
            if variable
                .split_once('=')
                .is_none_or(|(name, _)| name.is_empty())
            {
                findings.error(node.expected("`NAME=value`"));
            }
        }
    }
    // A compiler already checks the sources. `check` is for languages that are only interpreted.
    if let (Some(node), false, false) = (
        fields.get("check"),
        row.check.is_empty(),
        row.compile.is_empty(),
    ) {
        findings
            .error(node.invalid("`compile` and `check` exclude each other; expected one of them"));
    }
    for (key, template) in [
        ("compile", &row.compile),
        ("check", &row.check),
        ("run", &row.run),
    ] {
        let items = fields.get(key).and_then(Node::items).unwrap_or_default();
        if let (Some(node), Some(program)) = (items.first(), template.first())
            && !program.starts_with(['/', '{'])
        {
            let message = "is neither a tool, such as `{interpreter}`, nor an absolute path";
            let hint = format!(
                "name it as a tool, `tools: {{interpreter: {{names: [{program}]}}}}`, and write \
                 `{{interpreter}}` here"
            );
            let error = node.invalid(format_args!("`{program}` {message}"));
            findings.error(error.hint(Some(hint)));
        }
        for (node, argument) in items.iter().zip(template) {
            check_argument(node, argument, key, row, findings);
        }
    }
}

fn check_argument(
    node: &Node<'_>,
    argument: &str,
    key: &str,
    row: &Language,
    findings: &mut Findings,
) {
    let without_value = WITHOUT_VALUE
        .iter()
        .find(|(of, _)| *of == key)
        .map_or(&[][..], |(_, names)| names);
    let roles = row.tools.iter().map(|tool| tool.role.as_str());
    let known: Vec<&str> = VARIABLES
        .into_iter()
        .filter(|name| !without_value.contains(name))
        .chain(roles)
        .collect();
    for variable in variables(argument) {
        if without_value.contains(&variable) {
            findings.error(node.invalid(format_args!("`{{{variable}}}` has no value in `{key}`")));
        } else if !known.contains(&variable) {
            let expected = known
                .iter()
                .map(|name| format!("`{{{name}}}`"))
                .collect::<Vec<_>>()
                .join(", ");
            let error = node.invalid(format_args!(
                "unknown variable `{{{variable}}}`; expected one of {expected}"
            ));
            findings.error(error.hint(did_you_mean(variable, known.iter().copied())));
        } else if variable == "sources" && argument != "{sources}" {
            findings.error(node.invalid(
                "`{sources}` expands to several arguments and must be a separate argument",
            ));
        } else if argument.contains(&format!("{{{{{variable}}}")) {
            // Other tools write variables in double braces. Here, the outer braces would be part of
            // the argument.
            findings
                .error(node.invalid(format_args!("expected `{{{variable}}}` in single braces")));
        }
    }
}

/// The names in braces in an argument. Braces around anything else are literal.
fn variables(argument: &str) -> impl Iterator<Item = &str> {
    argument
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .filter(|n| is_variable(n))
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// True if a language's templates use the class with the entry point.
pub(crate) fn needs_class(language: &Language) -> bool {
    language
        .compile
        .iter()
        .chain(&language.run)
        .any(|argument| variables(argument).any(|name| name == "class"))
}

/// Checks that an extension belongs to one language only.
fn check_extensions(
    table: &BTreeMap<LanguageId, Language>,
    fields: &Fields<'_>,
    findings: &mut Findings,
) {
    for (id, node) in fields.iter() {
        let Some(row) = table.get(&LanguageId(id.to_owned())) else {
            continue;
        };
        for extension in &row.extensions {
            if let Some(other) = table
                .values()
                .find(|other| other.id != row.id && other.extensions.contains(extension))
            {
                let message = format!(
                    "the extension `{extension}` belongs to the language `{}` already",
                    other.id
                );
                let hint = format!(
                    "give `extensions` of `{}` without it, or override that row",
                    other.id
                );
                findings.error(node.invalid(message).hint(Some(hint)));
            }
        }
    }
}

#[cfg(test)]
#[path = "languages_tests.rs"]
mod tests;

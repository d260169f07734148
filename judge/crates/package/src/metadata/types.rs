//! The types of problems (2025-09, "Type"), and their permitted combinations.

use crate::code;
use crate::error::Findings;
use crate::suggest::quoted;
use crate::yaml::{Node, Value};

/// The types of a problem. Without any of them, the problem is pass-fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the format has them independent of one another"
)]
pub(crate) struct Types {
    pub(crate) scoring: bool,
    pub(crate) interactive: bool,
    pub(crate) multi_pass: bool,
    pub(crate) submit_answer: bool,
}

impl Types {
    fn set(&mut self, name: &str) {
        match name {
            "scoring" => self.scoring = true,
            "interactive" => self.interactive = true,
            "multi-pass" => self.multi_pass = true,
            "submit-answer" => self.submit_answer = true,
            _ => {}
        }
    }
}

/// All types of 2025-09.
pub(crate) const ALL: [&str; 5] = [
    "pass-fail",
    "scoring",
    "multi-pass",
    "interactive",
    "submit-answer",
];

/// Reads `type`: one of `known`, or a list of them. Several in one string, as in some drafts, are a
/// warning.
pub(super) fn read(node: &Node<'_>, known: &[&'static str], findings: &mut Findings) -> Types {
    let mut types = Types::default();
    let mut names: Vec<&'static str> = Vec::new();
    if let Value::Text(text) = node.value()
        && text.split_whitespace().count() > 1
    {
        let message = format!(
            "`type`: expected a list, found the string `{text}`; read as a list of its words"
        );
        findings.warn(node.finding(code::WRITTEN_AS_ELSEWHERE, message));
        for word in text.split_whitespace() {
            match known.iter().find(|name| **name == word) {
                Some(name) => add(node, name, &mut names, findings),
                None => findings.error(node.error(
                    code::VALUE_UNEXPECTED,
                    format_args!("expected {}, found `{word}`", one_of(known)),
                )),
            }
        }
    } else {
        let items = node.each();
        if items.is_empty() {
            findings.error(node.expected("at least one type"));
        }
        for item in &items {
            if let Some(name) = item.one_of(known, findings) {
                add(item, name, &mut names, findings);
            }
        }
    }
    names.iter().for_each(|name| types.set(name));
    types
}

fn one_of(known: &[&str]) -> String {
    format!("one of {}", quoted(known.iter().copied()))
}

fn add(
    node: &Node<'_>,
    name: &'static str,
    names: &mut Vec<&'static str>,
    findings: &mut Findings,
) {
    let clash = |other: &&&str| match name {
        "pass-fail" => **other == "scoring",
        "scoring" => **other == "pass-fail",
        "submit-answer" => matches!(**other, "multi-pass" | "interactive"),
        "multi-pass" | "interactive" => **other == "submit-answer",
        _ => false,
    };
    if names.contains(&name) {
        findings.error(node.error(code::TYPES_CLASH, format_args!("`{name}` is given twice")));
    } else if let Some(other) = names.iter().find(clash) {
        let message = format!("`{name}` cannot be combined with `{other}`");
        findings.error(node.error(code::TYPES_CLASH, message));
    }
    names.push(name);
}

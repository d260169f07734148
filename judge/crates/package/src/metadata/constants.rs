//! `constants`: names and their values.
//!
//! Source: 2025-09, "Constants".

use judge_model::Constant;

use crate::code;
use crate::error::Findings;
use crate::yaml::fields::Fields;
use crate::yaml::{Node, Value};

/// Reads the constants: `name` for a constant, `name.variant` for each of its variants;
/// `name.value` is the constant itself.
pub(super) fn read(fields: &Fields<'_>, findings: &mut Findings) -> Vec<Constant> {
    let mut constants = Vec::new();
    let Some(named) = fields
        .get("constants")
        .and_then(|node| Fields::open_any(node, findings))
    else {
        return constants;
    };
    for (name, node) in named.iter() {
        if !is_name(name) || name.starts_with(|first: char| first.is_ascii_digit()) {
            let message =
                "expected a name of letters, digits and `_` that does not start with a digit";
            findings.error(node.error(code::CONSTANT_MALFORMED, message));
        } else if let Value::Map(_) = node.value() {
            read_variants(name, node, &mut constants, findings);
        } else if let Some(value) = scalar(
            node,
            "a number, a string, or a mapping with `value`",
            findings,
        ) {
            add(name, "value", value, &mut constants);
        }
    }
    constants
}

fn read_variants(name: &str, node: &Node<'_>, into: &mut Vec<Constant>, findings: &mut Findings) {
    let Some(variants) = Fields::open_any(node, findings) else {
        return;
    };
    variants.require("value", findings);
    for (variant, node) in variants.iter() {
        if !is_name(variant) {
            let message = "expected a variant of letters, digits and `_`";
            findings.error(node.error(code::CONSTANT_MALFORMED, message));
        }
        let Some(value) = scalar(node, "a number or a string", findings) else {
            continue;
        };
        add(name, variant, value, into);
    }
}

fn add(name: &str, variant: &str, value: String, into: &mut Vec<Constant>) {
    let mut push = |name, value| into.push(Constant { name, value });
    if variant == "value" {
        push(name.to_owned(), value.clone());
    }
    push(format!("{name}.{variant}"), value);
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn scalar(node: &Node<'_>, expected: &str, findings: &mut Findings) -> Option<String> {
    let malformed = || node.expected(expected).coded(code::CONSTANT_MALFORMED);
    node.number_or_text().or_else(|| findings.fail(malformed()))
}

//! `problem.yaml`: values that are allowed, but probably not intended.
//!
//! Responsible for rights, names and limits. Loading reports a file that cannot be read at all.

use std::ops::RangeInclusive;

use judge_package::yaml::{Node, Value};
use judge_package::{AUTHOR_PLACEHOLDER, Finding, TITLE_PLACEHOLDER, code};

use super::findings::Findings;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.problem().is_none() {
        return;
    }
    check_rights(subject, findings);
    check_uuid(subject, findings);
    check_names(subject, findings);
    check_placeholders(subject, findings);
    check_limits(subject, findings);
}

/// Source: 2025-09 and legacy, "Problem Metadata", `license` and `rights_owner`.
fn check_rights(subject: &Subject<'_>, findings: &mut Findings) {
    let node = subject.key("license");
    let license = subject
        .text("license")
        .unwrap_or_else(|| "unknown".to_owned());
    if license == "unknown" {
        findings.add_at_key(
            subject,
            code::LICENSE_UNKNOWN,
            node.as_ref(),
            "the problem has no licence: `license` is missing or `unknown`",
        );
    } else if license != "public domain" {
        let owners = ["rights_owner", "author", "source", "credits.authors"];
        // 2025-09, "Problem Metadata": a text under `credits` is the name of the only author.
        let credits_are_a_name = subject
            .key("credits")
            .is_some_and(|node| node.entries().is_none());
        if !credits_are_a_name && !owners.iter().any(|key| subject.key(key).is_some()) {
            let message = format!(
                "the licence `{license}` needs an owner: expected `rights_owner`, authors or a source"
            );
            findings.add_at_key(subject, code::NO_RIGHTS_OWNER, node.as_ref(), message);
        }
    }
    for key in ["author", "credits", "credits.authors"] {
        let separators = [" & ", " and ", ", "];
        if let Some(node) = subject.key(key)
            && let Value::Text(text) = node.value()
            && separators.iter().any(|between| text.contains(between))
        {
            let message = format!("`{key}` seems to name several people: `{text}`");
            findings.add_at_key(subject, code::AUTHORS_IN_ONE_TEXT, Some(&node), message);
        }
    }
}

fn check_uuid(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(uuid) = subject.text("uuid") else {
        findings.add_at_key(subject, code::UUID_MISSING, None, "`uuid` is missing");
        return;
    };
    // RFC 9562, 4: five groups of hexadecimal digits.
    let parts: Vec<usize> = uuid.split('-').map(str::len).collect();
    let digits = uuid
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    // Readers also accept a UUID without hyphens.
    if !digits || (parts != [8, 4, 4, 4, 12] && parts != [32]) {
        let message = format!("expected a UUID of 32 hexadecimal digits, found `{uuid}`");
        findings.add_at_key(
            subject,
            code::UUID_MALFORMED,
            subject.key("uuid").as_ref(),
            message,
        );
    }
}

fn check_names(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(node) = subject.key("name") else {
        return;
    };
    let names = match node.entries() {
        Some(entries) => entries.into_iter().map(|entry| entry.value).collect(),
        None => vec![node],
    };
    for node in names {
        let Value::Text(name) = node.value() else {
            continue;
        };
        if name.trim().is_empty() {
            findings.add_at_key(
                subject,
                code::NAME_EMPTY,
                Some(&node),
                "expected a name, found an empty string",
            );
        }
        // A single dollar may be money.
        if name.contains('\\') || name.matches('$').count() >= 2 {
            let message = format!("the name `{name}` looks like TeX but is shown as plain text");
            findings.add_at_key(subject, code::NAME_LOOKS_LIKE_TEX, Some(&node), message);
        }
    }
}

/// Placeholders of templates: those of `judge new`, and the braces of tools that fill them in.
fn check_placeholders(subject: &Subject<'_>, findings: &mut Findings) {
    let keys = ["name", "rights_owner", "author", "source", "credits"];
    let mut left: Vec<Node<'_>> = keys
        .into_iter()
        .filter_map(|key| subject.key(key))
        .collect();
    // Names and credits may be mappings and lists, at any depth.
    while let Some(node) = left.pop() {
        if let Some(items) = node.items() {
            left.extend(items);
        } else if let Some(entries) = node.entries() {
            left.extend(entries.into_iter().map(|entry| entry.value));
        } else if let Value::Text(text) = node.value()
            && is_placeholder(text)
        {
            let message = format!("`{text}` is a placeholder from the template");
            findings.add_at_key(subject, code::PLACEHOLDER_LEFT, Some(&node), message);
        }
    }
}

/// Constants are not replaced in these values, so braces are left over from a template.
fn is_placeholder(text: &str) -> bool {
    let braces = text
        .split_once("{%")
        .or_else(|| text.split_once("{{"))
        .is_some_and(|(_, rest)| rest.contains('}'));
    braces
        || text == "TODO"
        || [AUTHOR_PLACEHOLDER, TITLE_PLACEHOLDER]
            .iter()
            .any(|beginning| text.starts_with(beginning))
}

/// Limits with their usual ranges. Outside of its range, a limit probably has the wrong unit.
const USUAL_RANGES: [(&str, f64, f64, &str); 7] = [
    ("time_limit", 0.05, 120.0, "s"),
    ("time_resolution", 0.001, 10.0, "s"),
    ("memory", 16.0, 16_384.0, "MiB"),
    ("output", 1.0, 1_024.0, "MiB"),
    ("code", 1.0, 16_384.0, "KiB"),
    ("compilation_time", 1.0, 600.0, "s"),
    ("validation_time", 1.0, 600.0, "s"),
];

/// Smaller units with which limits are confused: the unit of the format, its name in a sentence, the
/// other unit, and the factor between them.
const SMALLER_UNITS: [(&str, &str, &str, f64); 4] = [
    ("s", "seconds", "ms", 1_000.0),
    ("MiB", "MiB", "bytes", 1_048_576.0),
    ("MiB", "MiB", "KiB", 1_024.0),
    ("KiB", "KiB", "bytes", 1_024.0),
];

/// The hint at a large limit that is usual when it is read in a smaller unit.
fn in_another_unit(value: f64, unit: &str, usual: RangeInclusive<f64>) -> Option<String> {
    let (_, name, other, factor) = SMALLER_UNITS.iter().find(|(known, _, _, factor)| {
        *known == unit && value > *usual.end() && usual.contains(&(value / factor))
    })?;
    let converted = value / factor;
    let rounded = (converted * 10.0).round() / 10.0;
    #[expect(clippy::float_cmp, reason = "rounding leaves an exact value as it is")]
    let about = if rounded == converted { "" } else { "about " };
    Some(format!(
        "the unit is {name}: {value} {other} are {about}{rounded} {unit}"
    ))
}

fn check_limits(subject: &Subject<'_>, findings: &mut Findings) {
    for (key, min, max, unit) in USUAL_RANGES {
        let Some(node) = subject.key(&format!("limits.{key}")) else {
            continue;
        };
        let Some(value) = number(&node) else { continue };
        if !(min..=max).contains(&value) {
            let message =
                format!("`limits.{key}` is {value} {unit}; {min} to {max} {unit} are common");
            let finding = Finding::new(code::LIMIT_ODD, &subject.marker(), message)
                .hint(in_another_unit(value, unit, min..=max));
            findings.push(finding.at_position(node.position()));
        }
        if matches!(key, "time_limit" | "time_resolution") && value.fract() != 0.0 {
            let message = format!("`limits.{key}` is {value} s, not a whole number of seconds");
            findings.add_at_key(subject, code::TIME_LIMIT_NOT_WHOLE, Some(&node), message);
        }
    }
    for key in [
        "limits.time_multiplier",
        "limits.time_safety_margin",
        "limits.time_multipliers.ac_to_time_limit",
        "limits.time_multipliers.time_limit_to_tle",
    ] {
        if let Some(node) = subject.key(key)
            && let Some(value) = number(&node).filter(|value| *value <= 1.0)
        {
            let message = format!("`{key}` is {value}: that leaves no margin for a slower machine");
            findings.add_at_key(subject, code::RATIO_USELESS, Some(&node), message);
        }
    }
}

fn number(node: &Node<'_>) -> Option<f64> {
    match node.value() {
        #[expect(clippy::cast_precision_loss, reason = "limits are small numbers")]
        Value::Integer(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_in_smaller_units_are_recognised() {
        let hint = |value, unit, usual| in_another_unit(value, unit, usual).unwrap_or_default();
        for (value, expected) in [
            (1000.0, "the unit is seconds: 1000 ms are 1 s"),
            (1500.0, "the unit is seconds: 1500 ms are 1.5 s"),
            (1_000_000.0, ""),
            (0.01, ""),
        ] {
            assert_eq!(hint(value, "s", 0.05..=120.0), expected);
        }
        for (value, expected) in [
            (
                268_435_456.0,
                "the unit is MiB: 268435456 bytes are 256 MiB",
            ),
            (
                256_000_000.0,
                "the unit is MiB: 256000000 bytes are about 244.1 MiB",
            ),
            (262_144.0, "the unit is MiB: 262144 KiB are 256 MiB"),
            (1.0, ""),
        ] {
            assert_eq!(hint(value, "MiB", 16.0..=16_384.0), expected);
        }
    }
}

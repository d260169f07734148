//! `problem.yaml` of a legacy package, compared with the types that problemtools expects.
//!
//! Responsible for values that this program reads and problemtools does not. Source: problemtools,
//! metadata.py, `MetadataLegacy`, `LegacyLimits` and `LegacyGrading`.

use judge_package::yaml::{Entry, Value};
use judge_package::{Finding, LIMITS_OF_LEGACY_FORMAT, MAY_BE_EMPTY_FOR_KATTIS, code};

use super::findings::Findings;
use super::subject::Subject;

/// Keys of `limits` that other checks cover.
const FOUND_ELSEWHERE: [&str; 2] = ["time_limit", "time_resolution"];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(entries) = subject.metadata_entries().filter(|_| subject.is_legacy()) else {
        return;
    };
    let mut add = |entry: &Entry<'_>, path: &str, what: &str| {
        let message = format!("`{path}`: problemtools {what}");
        let finding = Finding::new(code::UNREAD_BY_KATTIS, &subject.marker(), message);
        findings.push(finding.at_position(entry.key.position()));
    };
    for entry in &entries {
        if let Some(what) = unread(entry) {
            add(entry, &entry.name, what);
        }
        for inner in entry.value.entries().unwrap_or_default() {
            if let Some(what) = unread_inside(&entry.name, &inner) {
                add(&inner, &format!("{}.{}", entry.name, inner.name), what);
            }
        }
    }
}

/// The reason why problemtools does not read the value of a key; `None` when it does.
fn unread(entry: &Entry<'_>) -> Option<&'static str> {
    match (entry.name.as_str(), entry.value.value()) {
        (key, Value::Null) if !MAY_BE_EMPTY_FOR_KATTIS.contains(&key) => {
            Some("refuses a key without a value")
        }
        ("type" | "author" | "keywords" | "validator_flags", Value::List(_)) => {
            Some("reads a string, not a list")
        }
        ("name", Value::Integer(_)) => Some("reads a string, not a number"),
        ("problem_format_version", Value::Text(version)) if version == "legacy-icpc" => {
            Some("accepts only the version `legacy`")
        }
        _ => None,
    }
}

/// The same as [`unread`] for a key of `limits` or `grading`.
fn unread_inside(group: &str, entry: &Entry<'_>) -> Option<&'static str> {
    match (group, entry.name.as_str(), entry.value.value()) {
        ("limits", key, _) if FOUND_ELSEWHERE.contains(&key) => None,
        ("limits", key, _) if !LIMITS_OF_LEGACY_FORMAT.contains(&key) => Some("refuses this key"),
        ("limits", ..) | ("grading", "objective" | "show_test_data_groups", _)
            if *entry.value.value() == Value::Null =>
        {
            Some("refuses a key without a value")
        }
        ("grading", "on_reject", Value::Text(word))
            if ["break", "continue"].contains(&word.as_str()) =>
        {
            Some("accepts only `first_error` and `grade` here")
        }
        _ => None,
    }
}

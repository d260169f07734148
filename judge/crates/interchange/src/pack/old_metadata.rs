//! Rewrites `problem.yaml` of a legacy package for problemtools.
//!
//! Responsible for values with another notation, and for keys that Kattis refuses. Must not read
//! other files.

use judge_event::Part;
use judge_model::Problem;
use judge_package::yaml::{Value, needs_quotes_in_yaml_1_1, to_text};
use judge_package::{LIMITS_OF_LEGACY_FORMAT, MAY_BE_EMPTY_FOR_KATTIS, METADATA_FILE};

use crate::remarks::Remarks;

/// Returns the text of a legacy `problem.yaml` in the notation of problemtools, or `None` if it
/// needs no changes.
pub(super) fn for_kattis(
    value: &Value,
    problem: &Problem,
    remarks: &mut Remarks,
) -> Option<String> {
    let Value::Map(entries) = value else {
        return None;
    };
    let mut entries = entries.clone();
    entries.retain(|(key, value)| {
        *value != Value::Null
            || matches!(key, Value::Text(key) if MAY_BE_EMPTY_FOR_KATTIS.contains(&key.as_str()))
    });
    for (key, value) in &mut entries {
        let Value::Text(key) = key else { continue };
        match (key.as_str(), &mut *value) {
            ("limits", Value::Map(limits)) => keep_supported(limits, remarks),
            ("problem_format_version", version) => *version = Value::Text("legacy".to_owned()),
            ("grading", Value::Map(grading)) => rename_decisions(grading, problem),
            ("name", Value::Map(_) | Value::Integer(_)) => {
                *value = Value::Text(problem.title.clone());
            }
            ("type", types) => {
                *types = Value::Text(problem.grading.kind().to_owned());
            }
            ("author", Value::List(items)) => *value = joined(items, ", ", str::to_owned),
            ("keywords", Value::List(items)) => {
                *value = joined(items, " ", |word| word.replace(char::is_whitespace, "-"));
            }
            ("validator_flags", Value::List(items)) => {
                if items.iter().any(
                    |item| matches!(item, Value::Text(flag) if flag.contains(char::is_whitespace)),
                ) {
                    let message = "has a flag with a space in `validator_flags`, which the legacy format would split";
                    remarks.refused(Part::Checker, METADATA_FILE, message);
                }
                *value = joined(items, " ", str::to_owned);
            }
            ("validation", Value::Text(validation))
                if problem.interactive
                    && validation.starts_with("custom")
                    && !validation.contains("interactive") =>
            {
                validation.push_str(" interactive");
            }
            _ => {}
        }
    }
    let quoted: Vec<String> = entries
        .iter()
        .filter_map(|(_, value)| Some(format!("`{}`", older_value(value)?)))
        .collect();
    let is_changed = !quoted.is_empty() || matches!(value, Value::Map(old) if *old != entries);
    is_changed.then(|| {
        let message = "is rewritten for Kattis, without its comments";
        remarks.changed(Part::Metadata, METADATA_FILE, message);
        if !quoted.is_empty() {
            let message = format!(
                "has no quotes around {}: quotes are added, since Kattis reads YAML 1.1",
                quoted.join(", ")
            );
            remarks.changed(Part::Metadata, METADATA_FILE, message);
        }
        entries.iter().map(entry_text).collect()
    })
}

/// Returns the text of a value that problemtools would misread without quotes.
fn older_value(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) if needs_quotes_in_yaml_1_1(text) => Some(text),
        _ => None,
    }
}

/// Returns the lines of a key.
fn entry_text((key, value): &(Value, Value)) -> String {
    match (key, value) {
        // Such a text has no character that needs an escape.
        (Value::Text(key), Value::Text(text)) if needs_quotes_in_yaml_1_1(text) => {
            format!("{key}: '{text}'\n")
        }
        _ => to_text(&Value::Map(vec![(key.clone(), value.clone())])),
    }
}

/// Replaces values of `on_reject` with those of problemtools (metadata.py, `LegacyGrading`).
/// `continue` is only for scoring problems, and has no effect in others.
fn rename_decisions(grading: &mut Vec<(Value, Value)>, problem: &Problem) {
    let is = |value: &Value, text: &str| *value == Value::Text(text.to_owned());
    grading.retain(|(_, value)| {
        *value != Value::Null && (problem.grading.scores() || !is(value, "continue"))
    });
    for (_, value) in grading.iter_mut().filter(|(key, _)| is(key, "on_reject")) {
        if is(value, "break") {
            *value = Value::Text("first_error".to_owned());
        } else if is(value, "continue") {
            *value = Value::Text("grade".to_owned());
        }
    }
}

/// Keeps the keys of `limits` that have values and that Kattis accepts, which are those of the
/// format (problemtools, metadata.py, `LegacyLimits`).
fn keep_supported(limits: &mut Vec<(Value, Value)>, remarks: &mut Remarks) {
    limits.retain(|(key, value)| {
        let Value::Text(key) = key else { return false };
        let is_known = LIMITS_OF_LEGACY_FORMAT.contains(&key.as_str());
        if !is_known {
            let message = format!("has `limits.{key}`, which is left out: Kattis refuses it");
            remarks.lost(Part::Limits, METADATA_FILE, message);
        }
        is_known && *value != Value::Null
    });
}

/// Joins the texts of a list.
fn joined(items: &[Value], between: &str, map: fn(&str) -> String) -> Value {
    let texts = items.iter().filter_map(|item| match item {
        Value::Text(text) => Some(map(text)),
        _ => None,
    });
    Value::Text(texts.collect::<Vec<_>>().join(between))
}

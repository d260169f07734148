//! `problem.yaml` of a legacy package, as problemtools reads it.
//!
//! Responsible for values that are written otherwise, and for keys that Kattis refuses. Must not look at other files.

use judge_model::Problem;
use judge_package::yaml::{Value, to_text};
use judge_package::{LIMITS_OF_LEGACY_FORMAT, METADATA_FILE};

use super::remark::{RemarkKind, Remarks};

/// The keys that may be there without a value. Source: problemtools, metadata.py, `MetadataLegacy`.
const MAY_BE_EMPTY: [&str; 6] = ["name", "uuid", "author", "source", "source_url", "rights_owner"];

/// The text of a legacy `problem.yaml` in which everything is written as problemtools reads it; `None` when it is already.
pub(super) fn as_kattis_reads(value: &Value, problem: &Problem, remarks: &mut Remarks) -> Option<String> {
    let Value::Map(entries) = value else { return None };
    let mut entries = entries.clone();
    entries.retain(|(key, value)| {
        *value != Value::Null || matches!(key, Value::Text(key) if MAY_BE_EMPTY.contains(&key.as_str()))
    });
    for (key, value) in &mut entries {
        let Value::Text(key) = key else { continue };
        match (key.as_str(), &mut *value) {
            ("limits", Value::Map(limits)) => keep_known(limits, remarks),
            ("name", Value::Map(_) | Value::Integer(_)) => *value = Value::Text(problem.title.clone()),
            ("type", types) => {
                *types = Value::Text(if problem.grading.scores() { "scoring" } else { "pass-fail" }.to_owned());
            }
            ("author", Value::List(items)) => *value = joined(items, ", ", str::to_owned),
            ("keywords", Value::List(items)) => {
                *value = joined(items, " ", |word| word.replace(char::is_whitespace, "-"));
            }
            ("validator_flags", Value::List(items)) => {
                if items.iter().any(|item| matches!(item, Value::Text(flag) if flag.contains(char::is_whitespace))) {
                    let message = "has a flag with a blank in `validator_flags`, which the legacy format would split";
                    remarks.add(RemarkKind::ARGUMENTS, METADATA_FILE, message);
                }
                *value = joined(items, " ", str::to_owned);
            }
            ("validation", Value::Text(validation))
                if problem.interactive && validation.starts_with("custom") && !validation.contains("interactive") =>
            {
                validation.push_str(" interactive");
            }
            _ => {}
        }
    }
    let changed = Value::Map(entries);
    (changed != *value).then(|| {
        let message = "is written as Kattis reads it, without its comments";
        remarks.add(RemarkKind::CONVERTED, METADATA_FILE, message);
        to_text(&changed)
    })
}

/// Keeps the keys of `limits` that Kattis takes, which are those of the format (problemtools, metadata.py, `LegacyLimits`),
/// and that have values.
fn keep_known(limits: &mut Vec<(Value, Value)>, remarks: &mut Remarks) {
    limits.retain(|(key, value)| {
        let Value::Text(key) = key else { return false };
        let is_known = LIMITS_OF_LEGACY_FORMAT.contains(&key.as_str());
        if !is_known {
            let message = format!("has `limits.{key}`, which is left out: Kattis refuses it");
            remarks.add(RemarkKind::LIMITS, METADATA_FILE, message);
        }
        is_known && *value != Value::Null
    });
}

/// The texts of a list in one text.
fn joined(items: &[Value], between: &str, map: fn(&str) -> String) -> Value {
    let texts = items.iter().filter_map(|item| match item {
        Value::Text(text) => Some(map(text)),
        _ => None,
    });
    Value::Text(texts.collect::<Vec<_>>().join(between))
}

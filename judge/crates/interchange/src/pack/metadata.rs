//! Writes `problem.yaml` of the legacy format for a package of 2025-09.
//!
//! Responsible for its keys. Must not read anything but the package's `problem.yaml` and the loaded
//! problem.

use std::fmt::Write as _;
use std::time::Duration;

use judge_event::Part;
use judge_model::{Limits, OutputValidator, Problem};
use judge_package::yaml::{Document, Value};
use judge_package::{Credits, Finding, METADATA_FILE};

use super::legacy::LegacyJudge;
use crate::remarks::Remarks;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Returns a text in double quotes, as in YAML and JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The values of a package's `problem.yaml` that are not part of the loaded problem.
#[derive(Debug, Default)]
struct Rest {
    uuid: Option<String>,
    keywords: Vec<String>,
    /// Keys without an equivalent in the legacy format.
    unknown: Vec<&'static str>,
}

/// Informative keys of 2025-09 without an equivalent in the legacy format.
const NOT_IN_LEGACY: [&str; 2] = ["version", "embargo_until"];

fn rest_of(problem: &Problem) -> Result<Rest, Finding> {
    let document = Document::read(&problem.directory.join(METADATA_FILE))?;
    let entries = document.root().entries().unwrap_or_default();
    let get = |name: &str| {
        entries
            .iter()
            .find(|entry| entry.name == name)
            .map(|entry| entry.value.value())
    };
    let text = |value: &Value| match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    let keywords = match get("keywords") {
        Some(Value::List(items)) => items.iter().filter_map(text).collect(),
        Some(Value::Text(words)) => words.split_whitespace().map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let unknown = NOT_IN_LEGACY
        .into_iter()
        .filter(|key| get(key).is_some_and(|value| *value != Value::Null));
    Ok(Rest {
        uuid: get("uuid").and_then(text),
        keywords,
        unknown: unknown.collect(),
    })
}

/// Returns the text of the file. `flags` are the flags of the output validator for every test case.
pub(super) fn legacy_metadata(
    problem: &Problem,
    target: LegacyJudge,
    flags: Option<&str>,
    remarks: &mut Remarks,
) -> Result<String, Finding> {
    let credits = Credits::read(&problem.directory)?;
    let rest = rest_of(problem)?;
    let mut yaml = String::from("problem_format_version: legacy\n");
    let mut line = |key: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(yaml, "{key}: {value}");
    };
    line("name", &quoted(&problem.title));
    if let Some(uuid) = &rest.uuid {
        line("uuid", &quoted(uuid));
    }
    line("type", problem.grading.kind());
    line("validation", &validation(problem));
    if let Some(flags) = flags {
        line("validator_flags", &quoted(flags));
    }
    if !credits.authors.is_empty() {
        line("author", &quoted(&credits.authors.join(", ")));
    }
    if let Some(source) = credits.sources.first() {
        line("source", &quoted(&source.name));
        if let Some(url) = &source.url {
            line("source_url", &quoted(url));
        }
    }
    for (key, value) in [
        ("license", &credits.license),
        ("rights_owner", &credits.rights_owner),
    ] {
        if let Some(value) = value {
            line(key, &quoted(value));
        }
    }
    if !rest.keywords.is_empty() {
        let words: Vec<String> = rest
            .keywords
            .iter()
            .map(|word| word.replace(char::is_whitespace, "-"))
            .collect();
        line("keywords", &quoted(&words.join(" ")));
    }
    if problem.grading.scores() && target == LegacyJudge::Kattis {
        line("grading", "{show_test_data_groups: true}");
    }
    line("limits", "");
    for (key, value) in limits(problem, target) {
        line(&format!("  {key}"), &value);
    }
    for (key, found) in [
        ("source", credits.sources.len() > 1),
        ("credits.translators", !credits.translators.is_empty()),
        (
            "name",
            credits.names.len() > 1 && target != LegacyJudge::Kattis,
        ),
    ] {
        if found {
            remarks.lost(
                Part::Metadata,
                METADATA_FILE,
                format!("has several entries in `{key}`, of which the first is kept"),
            );
        }
    }
    for key in rest.unknown {
        remarks.lost(
            Part::Metadata,
            METADATA_FILE,
            format!("has `{key}`, which the legacy format does not support"),
        );
    }
    Ok(yaml.replace(": \n", ":\n"))
}

fn validation(problem: &Problem) -> String {
    let OutputValidator::Custom(_) = problem.output_validator else {
        return "default".to_owned();
    };
    let mut words = vec!["custom"];
    words.extend(problem.interactive.then_some("interactive"));
    words.extend((problem.passes > 1).then_some("multi-pass"));
    words.join(" ")
}

/// Returns the limits that both formats have, in their units. They are rounded up, since a lower
/// limit than here could fail an accepted submission.
pub(super) fn common_limits(limits: &Limits) -> Vec<(&'static str, String)> {
    let mib = |bytes: u64| bytes.div_ceil(MIB);
    let seconds = |time: Duration| time.as_secs().max(1);
    let limits = [
        ("memory", mib(limits.memory_bytes)),
        ("output", mib(limits.output_bytes)),
        ("code", limits.code_bytes.div_ceil(KIB)),
        ("compilation_time", seconds(limits.compilation_time)),
        ("compilation_memory", mib(limits.compilation_memory_bytes)),
        ("validation_time", seconds(limits.validation_time)),
        ("validation_memory", mib(limits.validation_memory_bytes)),
        ("validation_output", mib(limits.validation_output_bytes)),
    ];
    limits.map(|(key, value)| (key, value.to_string())).into()
}

/// Returns all limits, since judges have different defaults.
fn limits(problem: &Problem, target: LegacyJudge) -> Vec<(&'static str, String)> {
    let limits = &problem.limits;
    let mut keys = common_limits(limits);
    keys.extend([
        ("time_multiplier", limits.ac_to_time_limit.to_string()),
        ("time_safety_margin", limits.time_limit_to_tle.to_string()),
    ]);
    if problem.passes > 1 && target == LegacyJudge::Domjudge {
        keys.push(("validation_passes", problem.passes.to_string()));
    }
    keys
}

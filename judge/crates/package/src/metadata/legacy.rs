//! `problem.yaml` of the formats `legacy` and `legacy-icpc`.
//!
//! Source: legacy, "Problem Metadata", extended for real archives: names by language, YAML 1.1
//! booleans, the keys that older tools read.

use judge_model::Objective;

use super::contents::{Dialect, Metadata, OldGradingKeys, ValidatorChoice};
use super::grading::{read_on_reject, read_range, read_score};
use super::shared::{
    check_license, read_factor, read_names, read_passes, read_shared_limits, read_validator_flags,
    read_words,
};
use super::types;
use crate::code;
use crate::error::Findings;
use crate::yaml::fields::Fields;
use crate::yaml::{Node, Value};

pub(crate) const KEYS: [&str; 14] = [
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "author",
    "source",
    "source_url",
    "license",
    "rights_owner",
    "limits",
    "validation",
    "validator_flags",
    "grading",
    "keywords",
];

pub(super) fn read(root: &Node<'_>, dialect: Dialect, findings: &mut Findings) -> Option<Metadata> {
    let fields = Fields::open(root, &KEYS, findings)?;
    let mut metadata = Metadata::new(dialect);
    // Legacy, "limits": the defaults of the two factors differ from 2025-09.
    metadata.limits.ac_to_time_limit = 5.0;
    metadata.limits.time_limit_to_tle = 2.0;

    if let Some(node) = fields.get("type") {
        read_types(node, &mut metadata, findings);
    }
    metadata.title = fields.get("name").and_then(|node| match node.value() {
        // Written without quotes, as in `name: 2048`.
        Value::Integer(number) => Some(number.to_string()),
        Value::Map(_) => {
            let message = "`name`: names by language belong to format 2025-09; accepted here";
            findings.warn(node.finding(code::WRITTEN_AS_ELSEWHERE, message));
            read_names(node, findings)
        }
        _ => read_names(node, findings),
    });
    for key in ["uuid", "source", "source_url"] {
        fields.text(key, findings);
    }
    fields.read("author", Node::text_or_texts, findings);
    if let (Some(url), None) = (fields.get("source_url"), fields.get("source")) {
        findings.warn(url.finding(code::SOURCE_URL_ALONE, "`source_url` without `source`"));
    }
    check_license(&fields, dialect, findings);
    read_validation(&fields, &mut metadata, findings);
    read_limits(&fields, &mut metadata, findings);
    read_validator_flags(&fields, &mut metadata, findings);
    read_grading(&fields, &mut metadata, findings);
    fields.read("keywords", read_words, findings);
    Some(metadata)
}

/// The values of `type`.
pub(crate) const TYPES: [&str; 4] = ["pass-fail", "scoring", "interactive", "multi-pass"];

/// Reads `type`. In this format `validation` states that a problem is interactive; packages that
/// state it in `type`, as in 2025-09, are accepted too.
fn read_types(node: &Node<'_>, metadata: &mut Metadata, findings: &mut Findings) {
    metadata.types = types::read(node, &TYPES, findings);
    if metadata.types.scoring && metadata.dialect == Dialect::LegacyIcpc {
        let message = "format `legacy-icpc` has no scoring problems";
        findings.error(node.error(code::TYPES_CLASH, message));
    }
    if metadata.types.interactive || metadata.types.multi_pass {
        let message = "`type`: `interactive` and `multi-pass` belong to format 2025-09; legacy packages say so in \
                       `validation: custom …`";
        findings.warn(node.finding(code::WRITTEN_AS_ELSEWHERE, message));
    }
}

/// The keys of `limits`, those of the format first.
pub(crate) const LIMITS: [&str; 13] = [
    "time_multiplier",
    "time_safety_margin",
    "memory",
    "output",
    "code",
    "compilation_time",
    "compilation_memory",
    "validation_time",
    "validation_memory",
    "validation_output",
    // Not in the format, but read by other tools: the time limit in seconds, and the passes of
    // `validation: custom multi-pass`.
    "time_limit",
    "time_resolution",
    "validation_passes",
];

/// The keys that problemtools accepts without a value. Source: its metadata.py, `MetadataLegacy`.
pub const MAY_BE_EMPTY_FOR_KATTIS: &[&str] = &[
    "name",
    "uuid",
    "author",
    "source",
    "source_url",
    "rights_owner",
];

/// The keys of `limits` that the format defines.
pub const LIMITS_OF_LEGACY_FORMAT: &[&str] = LIMITS.split_at(10).0;

/// The keys of `limits` that the format does not define and problemtools refuses (its
/// `LegacyLimits`).
const LIMITS_UNKNOWN_TO_LEGACY: [&str; 2] = ["time_limit", "time_resolution"];

fn read_limits(fields: &Fields<'_>, metadata: &mut Metadata, findings: &mut Findings) {
    let fields = fields
        .get("limits")
        .and_then(|node| Fields::open_legacy(node, &LIMITS, findings));
    let passes = read_passes(fields.as_ref(), findings);
    if metadata.types.multi_pass {
        metadata.passes = passes;
    }
    let limits = &mut metadata.limits;
    let Some(fields) = fields else { return };
    read_shared_limits(&fields, limits, findings);
    for (name, into) in [
        ("time_multiplier", &mut limits.ac_to_time_limit),
        ("time_safety_margin", &mut limits.time_limit_to_tle),
    ] {
        fields.read_into(name, read_factor, into, findings);
    }
    for key in LIMITS_UNKNOWN_TO_LEGACY {
        if let Some(node) = fields.get(key) {
            let message = format!("`limits.{key}`: belongs to format 2025-09; accepted here");
            findings.warn(node.finding(code::WRITTEN_AS_ELSEWHERE, message));
        }
    }
    if let Some(node) = fields
        .get("validation_passes")
        .filter(|_| !metadata.types.multi_pass)
    {
        let message = "`limits.validation_passes` is ignored: the problem is not multi-pass";
        findings.warn(node.finding(code::SETTING_IDLE, message));
    }
}

/// `validation`: `default`, or `custom` and further abilities of the output validator, in any
/// order.
fn read_validation(fields: &Fields<'_>, metadata: &mut Metadata, findings: &mut Findings) {
    metadata.output_validator = ValidatorChoice::Default;
    let Some(node) = fields.get("validation") else {
        return;
    };
    let Some(text) = node.text(findings) else {
        return;
    };
    let mut words = text.split_whitespace();
    match words.next() {
        Some("default") => {
            if let Some(word) = words.next() {
                let message = format!("expected nothing after `default`, found `{word}`");
                findings.error(node.error(code::VALIDATION_MALFORMED, message));
            }
        }
        Some("custom") => {
            metadata.output_validator = ValidatorChoice::Own;
            for word in words {
                match word {
                    "score" => metadata.validator_scores = true,
                    "interactive" => metadata.types.interactive = true,
                    "multi-pass" => metadata.types.multi_pass = true,
                    other => {
                        let message = format!(
                            "expected `score`, `interactive` or `multi-pass` after `custom`, found `{other}`"
                        );
                        findings.error(node.error(code::VALIDATION_MALFORMED, message));
                    }
                }
            }
        }
        _ => findings.error(
            node.expected("`default` or `custom`")
                .coded(code::VALIDATION_MALFORMED),
        ),
    }
}

/// The keys of `grading`.
pub(crate) const GRADING: [&str; 6] = [
    "objective",
    "show_test_data_groups",
    "accept_score",
    "reject_score",
    "range",
    "on_reject",
];

/// `grading`: only scoring problems have it, except for keys that older tools wrote everywhere.
fn read_grading(fields: &Fields<'_>, metadata: &mut Metadata, findings: &mut Findings) {
    let Some(fields) = fields
        .get("grading")
        .and_then(|node| Fields::open(node, &GRADING, findings))
    else {
        return;
    };
    if let Some(node) = fields.get("objective") {
        let objective = node.one_of(&["max", "min"], findings);
        metadata.objective = if objective == Some("min") {
            Objective::Min
        } else {
            Objective::Max
        };
    }
    fields.read("show_test_data_groups", Node::boolean_1_1, findings);
    for key in ["accept_score", "reject_score", "range", "on_reject"] {
        if let Some(node) = fields.get(key) {
            let message = format!(
                "`grading.{key}` is obsolete: it belongs in `testdata.yaml`; here it applies to every group"
            );
            findings.warn(node.finding(code::GRADING_KEY_OLD, message));
        }
    }
    metadata.old_grading_keys = OldGradingKeys {
        goes_on: fields.read("on_reject", read_on_reject, findings),
        accept_score: fields.read("accept_score", read_score, findings),
        reject_score: fields.read("reject_score", read_score, findings),
        range: fields.read("range", read_range, findings),
    };
}

//! `problem.yaml` of format 2025-09 and its drafts.
//!
//! Source: 2025-09, "Problem Metadata".

use judge_model::{LanguageId, Limits};

use super::contents::{Dialect, Metadata};
use super::shared::{
    check_license, read_factor, read_names, read_passes, read_shared_limits, read_validator_flags,
    read_words,
};
use super::{constants, types};
use crate::code;
use crate::error::Findings;
use crate::yaml::fields::Fields;
use crate::yaml::{Node, Value};

pub(crate) const KEYS: [&str; 16] = [
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "version",
    "credits",
    "source",
    "license",
    "rights_owner",
    "embargo_until",
    "limits",
    "keywords",
    "languages",
    "allow_file_writing",
    "constants",
    // Only in drafts; refused below.
    "validator_flags",
];

pub(super) fn read(root: &Node<'_>, dialect: Dialect, findings: &mut Findings) -> Option<Metadata> {
    let known = if dialect == Dialect::Draft {
        &KEYS[..]
    } else {
        &KEYS[..KEYS.len() - 1]
    };
    let misplaced = |key: &str| {
        let hints = [legacy_replacement(key), to_indent(root, key)];
        let hints: Vec<String> = hints.into_iter().flatten().collect();
        (!hints.is_empty()).then(|| hints.join("; "))
    };
    let fields = Fields::open_hinted(root, known, &misplaced, findings)?;
    let mut metadata = Metadata::new(dialect);
    if let Some(node) = fields.get("type") {
        metadata.types = types::read(node, &types::ALL, findings);
    }
    metadata.title = fields
        .require("name", findings)
        .and_then(|node| read_names(node, findings));
    if dialect == Dialect::V2025_09 {
        let hint = "any new UUID of version 4 is valid, for example one from `uuidgen`";
        fields.require_hinted("uuid", Some(hint), findings);
    }
    for key in ["uuid", "version"] {
        fields.text(key, findings);
    }
    check_people_and_sources(&fields, findings);
    check_license_owner(&fields, dialect, findings);
    if let Some(node) = fields.get("embargo_until")
        && let Some(text) = node.text(findings)
        && !is_date_or_time(&text)
    {
        findings.error(node.expected("a date `YYYY-MM-DD` or a time `YYYY-MM-DDThh:mm:ssZ`"));
    }
    read_limits(&fields, &mut metadata, findings);
    if dialect == Dialect::Draft {
        fields.read("keywords", read_words, findings);
    } else {
        fields.texts("keywords", findings);
    }
    metadata.languages = read_languages(&fields, findings);
    metadata.allow_file_writing = fields
        .boolean("allow_file_writing", findings)
        .unwrap_or(false);
    metadata.constants = constants::read(&fields, findings);
    read_validator_flags(&fields, &mut metadata, findings);
    Some(metadata)
}

/// The keys of the legacy format that 2025-09 removed, and their replacements.
const LEGACY_KEYS: [(&str, &str); 13] = [
    ("author", "`credits`, such as `credits: {authors: [NAME]}`"),
    (
        "grading",
        "`data/secret/test_group.yaml` and those of the groups",
    ),
    (
        "grader",
        "`data/secret/test_group.yaml` and those of the groups",
    ),
    ("libraries", "no replacement"),
    ("problem_type", "`type`"),
    (
        "source_url",
        "`source`, such as `source: {name: NAME, url: ADDRESS}`",
    ),
    ("show_test_data_groups", "no replacement"),
    ("time_limit", "`limits.time_limit`"),
    ("time_multiplier", "`time_multipliers.ac_to_time_limit`"),
    ("time_safety_margin", "`time_multipliers.time_limit_to_tle`"),
    (
        "validation",
        "`type` (`interactive`, `multi-pass`, `scoring`); a directory `output_validator` is used without it",
    ),
    ("validator", "a directory `output_validator`"),
    (
        "validator_flags",
        "`output_validator_args` in `test_group.yaml` of `data/sample` and `data/secret`",
    ),
];

fn legacy_replacement(key: &str) -> Option<String> {
    instead_of(&LEGACY_KEYS, key)
}

/// The hint at a limit that follows an empty `limits` without being indented.
fn to_indent(root: &Node<'_>, key: &str) -> Option<String> {
    let entries = root.entries()?;
    let index = entries.iter().position(|entry| entry.name == key)?;
    let is_limit = |name: &str| LIMITS.contains(&name);
    let above = entries[..index]
        .iter()
        .rfind(|entry| !is_limit(&entry.name))?;
    if !is_limit(key) || above.name != "limits" || *above.value.value() != Value::Null {
        return None;
    }
    let line = above.key.position()?.line;
    Some(format!("indent it below `limits:` in line {line}"))
}

/// The hint at a key of the legacy format, from a table of replacements in 2025-09.
pub(crate) fn instead_of(table: &[(&str, &str)], key: &str) -> Option<String> {
    let (_, instead) = table.iter().find(|(name, _)| *name == key)?;
    Some(format!(
        "it is a key of the legacy format; 2025-09 has {instead}"
    ))
}

/// The keys of `limits`.
pub(crate) const LIMITS: [&str; 12] = [
    "time_limit",
    "time_multipliers",
    "time_resolution",
    "memory",
    "output",
    "code",
    "compilation_time",
    "compilation_memory",
    "validation_time",
    "validation_memory",
    "validation_output",
    "validation_passes",
];
/// The keys of `limits.time_multipliers`.
pub(crate) const TIME_MULTIPLIERS: [&str; 2] = ["ac_to_time_limit", "time_limit_to_tle"];

fn read_limits(fields: &Fields<'_>, metadata: &mut Metadata, findings: &mut Findings) {
    let fields = fields
        .get("limits")
        .and_then(|node| Fields::open_hinted(node, &LIMITS, &legacy_replacement, findings));
    // This comes before `limits` may turn out to be missing: a multi-pass problem has a default
    // number of passes even then.
    if metadata.types.multi_pass {
        metadata.passes = read_passes(fields.as_ref(), findings);
    }
    let limits = &mut metadata.limits;
    let Some(fields) = fields else { return };
    read_shared_limits(&fields, limits, findings);
    if let Some(node) = fields.get("time_multipliers")
        && let Some(fields) = Fields::open(node, &TIME_MULTIPLIERS, findings)
    {
        for (name, into) in [
            ("ac_to_time_limit", &mut limits.ac_to_time_limit),
            ("time_limit_to_tle", &mut limits.time_limit_to_tle),
        ] {
            fields.read_into(name, read_factor, into, findings);
        }
    }
    if let Some(node) = fields
        .get("validation_passes")
        .filter(|_| !metadata.types.multi_pass)
    {
        let message = "only problems of type `multi-pass` have it";
        findings.error(node.error(code::SETTING_IDLE, message));
    }
    check_resolution(&fields, limits, findings);
}

/// Source: 2025-09, "Problem Timing": the time limit is a multiple of the resolution. A time limit
/// off this grid is still unambiguous, and many packages have one, so it is a warning.
fn check_resolution(fields: &Fields<'_>, limits: &Limits, findings: &mut Findings) {
    let (Some(node), Some(time_limit)) = (fields.get("time_limit"), limits.time_limit) else {
        return;
    };
    let steps = time_limit.as_secs_f64() / limits.time_resolution.as_secs_f64();
    // Decimal fractions are not exact in binary: 0.3 is not a multiple of 0.1 there.
    if (steps - steps.round()).abs() <= 1e-6 * steps.max(1.0) && steps.round() >= 1.0 {
        return;
    }
    let resolution = limits.time_resolution.as_secs_f64();
    let message = format!(
        "`{}`: expected a multiple of the time resolution, {resolution} s, found {}",
        node.key_path(),
        node.value()
    );
    let hint = "give `limits.time_resolution` as well, such as 0.1".to_owned();
    findings.warn(
        node.finding(code::TIME_LIMIT_OFF_GRID, message)
            .hint(Some(hint)),
    );
}

fn read_languages(fields: &Fields<'_>, findings: &mut Findings) -> Option<Vec<LanguageId>> {
    let node = fields.get("languages")?;
    if let Value::Text(text) = node.value() {
        if text != "all" {
            findings.error(node.expected("`all` or a list of language codes"));
        }
        return None;
    }
    let codes = node.texts(findings)?;
    if codes.is_empty() {
        findings.error(node.expected("at least one language code"));
    }
    Some(codes.into_iter().map(LanguageId).collect())
}

/// The keys of `credits`.
pub(crate) const ROLES: [&str; 6] = [
    "authors",
    "contributors",
    "testers",
    "translators",
    "packagers",
    "acknowledgements",
];
/// The keys of a person.
pub(crate) const PERSON: [&str; 4] = ["name", "email", "orcid", "kattis"];
/// The keys of an entry of `source`.
pub(crate) const SOURCE: [&str; 2] = ["name", "url"];

/// Checks `credits` and `source`, which judging does not use.
fn check_people_and_sources(fields: &Fields<'_>, findings: &mut Findings) {
    if let Some(node) = fields.get("credits") {
        if let Value::Text(_) = node.value() {
            check_person(node, findings);
        } else if let Some(fields) = Fields::open(node, &ROLES, findings) {
            for (role, node) in fields.iter() {
                if role != "translators" {
                    check_each(node, &PERSON, findings);
                } else if let Some(languages) = Fields::open_any(node, findings) {
                    languages
                        .iter()
                        .for_each(|(_, node)| check_each(node, &PERSON, findings));
                }
            }
        }
    }
    if let Some(node) = fields.get("source") {
        check_each(node, &SOURCE, findings);
    }
}

/// Checks a value, or every value of a list that must not be empty.
fn check_each(node: &Node<'_>, keys: &[&str], findings: &mut Findings) {
    match node.items() {
        Some(items) if items.is_empty() => findings.error(node.expected("at least one entry")),
        Some(items) => items
            .iter()
            .for_each(|item| check_named(item, keys, findings)),
        None => check_named(node, keys, findings),
    }
}

/// Checks a person (2025-09, "Credits"): a string such as `Name <mail>`, or a mapping.
pub(crate) fn check_person(node: &Node<'_>, findings: &mut Findings) {
    check_named(node, &PERSON, findings);
}

/// Checks a string, or a mapping of strings with a `name`.
fn check_named(node: &Node<'_>, keys: &[&str], findings: &mut Findings) {
    if !matches!(node.value(), Value::Map(_)) {
        node.text(findings);
        return;
    }
    let Some(fields) = Fields::open(node, keys, findings) else {
        return;
    };
    fields.require("name", findings);
    fields.iter().for_each(|(_, value)| {
        value.text(findings);
    });
}

/// Source: 2025-09, "Rights owner": every licence but two needs one, by falling back to the authors
/// or the source.
fn check_license_owner(fields: &Fields<'_>, dialect: Dialect, findings: &mut Findings) {
    let license = check_license(fields, dialect, findings);
    let needs_owner =
        license.is_some_and(|license| !matches!(license, "unknown" | "public domain"));
    let has_authors = fields
        .get("credits")
        .is_some_and(|credits| match credits.entries() {
            Some(entries) => entries.iter().any(|entry| entry.name == "authors"),
            // Credits that are a text instead of a mapping name the only author.
            None => true,
        });
    if needs_owner
        && !has_authors
        && fields.get("rights_owner").is_none()
        && fields.get("source").is_none()
        && let Some(node) = fields.get("license")
    {
        let message = "needs a `rights_owner`, `credits.authors` or a `source`";
        findings.error(node.error(code::NO_RIGHTS_OWNER, message));
    }
}

fn is_date_or_time(text: &str) -> bool {
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    let part = |from: usize, max: u32| {
        text[from..from + 2]
            .parse::<u32>()
            .is_ok_and(|value| value <= max)
    };
    match shape.as_str() {
        "0000-00-00" => part(5, 12) && part(8, 31),
        "0000-00-00T00:00:00Z" => {
            part(5, 12) && part(8, 31) && part(11, 23) && part(14, 59) && part(17, 60)
        }
        _ => false,
    }
}

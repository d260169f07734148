//! The keys of `problem.yaml` that several format versions have.
//!
//! Responsible for reading their values. Must not know which version has which key.

use std::time::Duration;

use judge_model::Limits;

use super::contents::{Dialect, Metadata};
use crate::code;
use crate::error::Findings;
use crate::suggest::{did_you_mean, quoted};
use crate::yaml::fields::Fields;
use crate::yaml::{Node, Value};

/// The licences that the format knows (all versions).
pub const LICENSES: [&str; 7] = [
    "unknown",
    "public domain",
    "cc0",
    "cc by",
    "cc by-sa",
    "educational",
    "permission",
];

/// Checks `license` against `rights_owner`. A licence does not affect verdicts, and legacy packages
/// have arbitrary ones.
pub(super) fn check_license(
    fields: &Fields<'_>,
    dialect: Dialect,
    findings: &mut Findings,
) -> Option<&'static str> {
    let node = fields.get("license");
    let is_other = |text: &str| !LICENSES.contains(&text);
    let license = match node.map(|node| (node, node.value())) {
        Some((node, Value::Text(text))) if dialect.is_legacy() && is_other(text) => {
            let message = format!(
                "`license`: expected one of {}, found the string `{text}`",
                quoted(LICENSES)
            );
            findings.warn(
                node.finding(code::LICENSE_OF_NO_FORMAT, message)
                    .hint(did_you_mean(text, LICENSES)),
            );
            None
        }
        _ => node.and_then(|node| node.one_of(&LICENSES, findings)),
    };
    fields.text("rights_owner", findings);
    if license == Some("public domain")
        && let Some(owner) = fields.get("rights_owner")
    {
        let message = "must not be given for the license `public domain`, which has no owner";
        findings.error(owner.error(code::PUBLIC_DOMAIN_OWNED, message));
    }
    license
}

/// The memory that starting any program takes, including that of the kernel, in MiB. A lower limit
/// is a fault of the package (2025-09, "Limits"), not of the host that cannot start a program.
pub const MIN_MEMORY_MIB: u64 = 4;

/// The maximum output limit, in MiB: output is held in memory until it is checked.
pub(crate) const MAX_OUTPUT_MIB: u64 = 512;

/// Reads the keys of `limits` that every version has.
pub(super) fn read_shared_limits(
    fields: &Fields<'_>,
    limits: &mut Limits,
    findings: &mut Findings,
) {
    for (name, into) in [
        ("memory", &mut limits.memory_bytes),
        ("output", &mut limits.output_bytes),
        ("code", &mut limits.code_bytes),
        ("compilation_memory", &mut limits.compilation_memory_bytes),
        ("validation_memory", &mut limits.validation_memory_bytes),
        ("validation_output", &mut limits.validation_output_bytes),
    ] {
        let (unit, size) = match name {
            "code" => ("KiB", 1 << 10),
            _ => ("MiB", 1 << 20),
        };
        let min = if name == "memory" { MIN_MEMORY_MIB } else { 1 };
        let Some(node) = fields.get(name) else {
            continue;
        };
        let Some(value) = node.quantity(unit, min, findings) else {
            continue;
        };
        if matches!(name, "output" | "validation_output") && value > MAX_OUTPUT_MIB {
            let expected = format!("at most {MAX_OUTPUT_MIB} MiB, since output is held in memory");
            findings.error(node.expected(&expected));
        } else if let Some(bytes) = value.checked_mul(size) {
            *into = bytes;
        } else {
            findings.error(node.expected("a smaller number"));
        }
    }
    limits.time_limit = fields.read("time_limit", read_seconds, findings);
    for (name, into) in [
        ("time_resolution", &mut limits.time_resolution),
        ("compilation_time", &mut limits.compilation_time),
        ("validation_time", &mut limits.validation_time),
    ] {
        fields.read_into(name, read_seconds, into, findings);
    }
}

/// The seconds of a year, above any time in a package.
pub(crate) const YEAR: f64 = 366.0 * 86_400.0;

/// A time in seconds, above 0 and below a year.
pub(super) fn read_seconds(node: &Node<'_>, findings: &mut Findings) -> Option<Duration> {
    let expected = "a number of seconds above 0 and below a year";
    if let Value::Text(text) = node.value()
        && text.starts_with(|character: char| character.is_ascii_digit())
    {
        return findings.fail(
            node.expected(expected)
                .hint(Some("write only a number: the unit is seconds".to_owned())),
        );
    }
    let seconds = node.number(
        expected,
        |seconds| seconds > 0.0 && seconds < YEAR,
        findings,
    )?;
    // A number above 0 can still be less than a nanosecond, which would become a limit of 0.
    Some(Duration::from_secs_f64(seconds))
        .filter(|time| !time.is_zero())
        .or_else(|| findings.fail(node.expected(expected)))
}

/// The maximum of all factors. No problem needs a larger one.
pub(crate) const MAX_FACTOR: f64 = 1000.0;

/// A factor of at least 1.
pub(super) fn read_factor(node: &Node<'_>, findings: &mut Findings) -> Option<f64> {
    node.number(
        "a number from 1 to 1000",
        |factor| (1.0..=MAX_FACTOR).contains(&factor),
        findings,
    )
}

/// A name as a string or by language: the English one, or else the first.
pub(super) fn read_names(node: &Node<'_>, findings: &mut Findings) -> Option<String> {
    let Some(entries) = node.entries() else {
        return node.text(findings).filter(|name| {
            let given = !name.trim().is_empty();
            if !given {
                findings.error(node.expected("a name").coded(code::NAME_EMPTY));
            }
            given
        });
    };
    if entries.is_empty() {
        findings.error(
            node.expected("a name, or a mapping from languages to names")
                .coded(code::NAME_EMPTY),
        );
    }
    let fields = Fields::open_any(node, findings)?;
    let mut names = Vec::new();
    for entry in entries {
        if !is_natural_language(&entry.name) {
            let expected = "expected a language code such as `en` or `pt-BR`";
            findings.error(entry.key.error(code::NAME_LANGUAGE_MALFORMED, expected));
        }
        if let Some(name) = fields.text(&entry.name, findings) {
            names.push((entry.name, name));
        }
    }
    // Reports are in English, of any region.
    let english = names
        .iter()
        .position(|(language, _)| language == "en" || language.starts_with("en-"));
    names
        .into_iter()
        .nth(english.unwrap_or(0))
        .map(|(_, name)| name)
}

/// Source: 2025-09, "General Requirements": two or three letters, and possibly two capital letters
/// for a region.
pub(crate) fn is_natural_language(code: &str) -> bool {
    let (language, region) = code
        .split_once('-')
        .map_or((code, None), |(language, region)| (language, Some(region)));
    matches!(language.len(), 2 | 3)
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && region.is_none_or(|region| {
            region.len() == 2 && region.bytes().all(|byte| byte.is_ascii_uppercase())
        })
}

/// `validation_passes`: at least 2, which is also the default (2025-09, "Multi-pass Limit").
pub(super) fn read_passes(limits: Option<&Fields<'_>>, findings: &mut Findings) -> u32 {
    const DEFAULT: u32 = 2;
    let Some(node) = limits.and_then(|fields| fields.get("validation_passes")) else {
        return DEFAULT;
    };
    let Some(passes) = node.integer(2, findings) else {
        return DEFAULT;
    };
    u32::try_from(passes).unwrap_or_else(|_| {
        findings.error(node.expected("a smaller number"));
        DEFAULT
    })
}

/// Reads `validator_flags`, which come before the arguments of all groups.
pub(super) fn read_validator_flags(
    fields: &Fields<'_>,
    metadata: &mut Metadata,
    findings: &mut Findings,
) {
    if let Some(node) = fields.get("validator_flags") {
        metadata.output_validator_args = read_words(node, findings).unwrap_or_default();
        // The position is computed now, while the document is available; findings about arguments
        // are made after the test data are read.
        metadata.output_validator_args_at = node.position();
    }
}

/// Splits words as the legacy format splits flags.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Words in one string or, leniently, in a list.
pub(super) fn read_words(node: &Node<'_>, findings: &mut Findings) -> Option<Vec<String>> {
    match node.value() {
        Value::List(_) => node.texts(findings),
        _ => {
            let words = words(&node.text(findings)?);
            node.is_argument_list(&words, findings).then_some(words)
        }
    }
}

//! `problem.yaml`: what a package says about itself, whatever its format version.
//!
//! Responsible for choosing the version and for the keys that all versions share. Must not look at any other file.

mod constants;
pub(crate) mod credits;
pub(crate) mod current;
pub(crate) mod fill_in;
pub(crate) mod grading;
pub(crate) mod legacy;
pub(crate) mod named_files;
pub(crate) mod other_tools;
pub(crate) mod types;
pub(crate) mod uuid;

use std::path::Path;
use std::time::Duration;

use judge_model::{Constant, FormatVersion, LanguageId, Limits, Objective, Score, ScoreRange};

use crate::code;
use crate::error::{Finding, Findings, Position};
use crate::suggest::{did_you_mean, quoted};
use crate::yaml::fields::Fields;
use crate::yaml::{Document, Node, Value};

pub(crate) use self::types::Types;

/// The rules that apply to a package: the format version, and whether it is one of the drafts, which differ in places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Legacy,
    LegacyIcpc,
    /// `2023-07`, `2025-09-draft` and the like: read as 2025-09, with the names that drafts used.
    Draft,
    V2025_09,
}

impl Dialect {
    pub(crate) fn format(self) -> FormatVersion {
        match self {
            Self::Legacy => FormatVersion::Legacy,
            Self::LegacyIcpc => FormatVersion::LegacyIcpc,
            Self::Draft | Self::V2025_09 => FormatVersion::V2025_09,
        }
    }

    pub(crate) fn is_legacy(self) -> bool {
        matches!(self, Self::Legacy | Self::LegacyIcpc)
    }
}

/// The values of `problem_format_version` that occur.
pub(crate) const VERSIONS: [(&str, Dialect); 7] = [
    ("2025-09", Dialect::V2025_09),
    ("2025-09-draft", Dialect::Draft),
    ("2023-07", Dialect::Draft),
    ("2023-07-draft", Dialect::Draft),
    ("draft", Dialect::Draft),
    ("legacy", Dialect::Legacy),
    ("legacy-icpc", Dialect::LegacyIcpc),
];

/// The output validator that a package wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WantedValidator {
    /// The package's own if it has one (2025-09).
    OwnIfPresent,
    /// The default one, whatever lies in the package (legacy, `validation: default`).
    Default,
    /// The package's own (legacy, `validation: custom`).
    Own,
}

/// Keys that older packages have in `problem.yaml`, and not in `testdata.yaml`. They hold for every group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct OldGradingKeys {
    /// `on_reject`.
    pub(crate) goes_on: Option<bool>,
    pub(crate) accept_score: Option<Score>,
    pub(crate) reject_score: Option<Score>,
    pub(crate) range: Option<ScoreRange>,
}

/// The contents of `problem.yaml`, as far as they are needed further on.
#[derive(Clone, Debug)]
pub(crate) struct Metadata {
    pub(crate) dialect: Dialect,
    pub(crate) types: Types,
    /// The number of passes: how often a submission is run on a test case at most. It is 1 unless the problem is
    /// multi-pass.
    pub(crate) passes: u32,
    /// The objective: whether high or low scores are better (legacy).
    pub(crate) objective: Objective,
    /// True when the output validator may write a score (legacy, `validation: custom score`).
    pub(crate) validator_scores: bool,
    pub(crate) old_grading_keys: OldGradingKeys,
    /// The name in English, else in the first language that it has.
    pub(crate) title: Option<String>,
    pub(crate) limits: Limits,
    pub(crate) languages: Option<Vec<LanguageId>>,
    pub(crate) allow_file_writing: bool,
    pub(crate) output_validator: WantedValidator,
    /// Arguments for the output validator on every test case (legacy, `validator_flags`).
    pub(crate) output_validator_args: Vec<String>,
    /// The place in the file where these arguments are written.
    pub(crate) output_validator_args_at: Option<Position>,
    pub(crate) constants: Vec<Constant>,
}

impl Metadata {
    fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            types: Types::default(),
            passes: 1,
            objective: Objective::Max,
            validator_scores: false,
            old_grading_keys: OldGradingKeys::default(),
            title: None,
            limits: Limits::default(),
            languages: None,
            allow_file_writing: dialect.is_legacy(),
            output_validator: WantedValidator::OwnIfPresent,
            output_validator_args: Vec::new(),
            output_validator_args_at: None,
            constants: Vec::new(),
        }
    }
}

/// Reads a `problem.yaml`. `None`, with errors, when not even its version is known; every other error leaves the
/// default in place of the faulty value, so that the rest of the package can be checked.
pub(crate) fn read(file: &Path, findings: &mut Findings) -> Option<Metadata> {
    let document = match Document::read(file) {
        Ok(document) => document,
        Err(error) => {
            findings.error(error);
            return None;
        }
    };
    interpret(&document, findings)
}

pub(crate) fn interpret(document: &Document, findings: &mut Findings) -> Option<Metadata> {
    let root = document.root();
    if *root.value() == Value::Null {
        let message = "the file is empty, so the package is read as one of the legacy format; one of today begins with \
            `problem_format_version: 2025-09`, `name` and `uuid`";
        findings.warn(Finding::invalid(root.file(), None, message));
    }
    let dialect = dialect_of(&root, findings)?;
    if dialect.is_legacy() { legacy::read(&root, dialect, findings) } else { current::read(&root, dialect, findings) }
}

/// The position of a language in `languages`; the file is read once more, since seldom is one wrong.
pub(crate) fn position_of_language(file: &Path, language: &LanguageId) -> Option<Position> {
    let document = Document::read(file).ok()?;
    let languages = document.root().entries()?.into_iter().find(|entry| entry.name == "languages")?.value;
    let is_meant = |node: &Node<'_>| matches!(node.value(), Value::Text(text) if *text == language.0);
    languages.items()?.iter().find(|node| is_meant(node))?.position()
}

fn dialect_of(root: &Node<'_>, findings: &mut Findings) -> Option<Dialect> {
    const KEY: &str = "problem_format_version";
    let entries = root.entries().unwrap_or_default();
    let Some(version) = entries.iter().find(|entry| entry.name == KEY && *entry.value.value() != Value::Null) else {
        // Legacy, "Problem Metadata": a package that states no version has the format
        // `legacy`.
        return Some(Dialect::Legacy);
    };
    // A version such as `2025` would be a number: only texts are compared.
    let found = match version.value.value() {
        Value::Text(text) => VERSIONS.iter().find(|(name, _)| name == text),
        _ => None,
    };
    if found.is_none() {
        let names = VERSIONS.map(|(name, _)| name);
        let expected = quoted(names);
        let hint = match version.value.value() {
            Value::Text(text) => did_you_mean(text, names),
            _ => None,
        };
        let error = version.value.expected(&format!("one of {expected}"));
        findings.error(error.hint(hint).coded(code::FORMAT_UNKNOWN));
    }
    found.map(|(_, dialect)| *dialect)
}

/// The licences that the format knows (all versions).
pub const LICENSES: [&str; 7] = ["unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"];

/// Checks `license` against `rights_owner`. A licence decides nothing about verdicts, and legacy packages have any.
fn check_license(fields: &Fields<'_>, dialect: Dialect, findings: &mut Findings) -> Option<&'static str> {
    let node = fields.get("license");
    let is_other = |text: &str| !LICENSES.contains(&text);
    let license = match node.map(|node| (node, node.value())) {
        Some((node, Value::Text(text))) if dialect.is_legacy() && is_other(text) => {
            let message = format!("`license`: expected one of {}, found the text `{text}`", quoted(LICENSES));
            findings.warn(node.finding(code::LICENSE_OF_NO_FORMAT, message).hint(did_you_mean(text, LICENSES)));
            None
        }
        _ => node.and_then(|node| node.one_of(&LICENSES, findings)),
    };
    fields.text("rights_owner", findings);
    if license == Some("public domain")
        && let Some(owner) = fields.get("rights_owner")
    {
        let error = owner.invalid("must not be given for the license `public domain`, which has no owner");
        findings.error(error.coded(code::PUBLIC_DOMAIN_OWNED));
    }
    license
}

/// The memory that starting any program takes, with what the kernel needs for it, in MiB. A limit that cannot be
/// honoured is the package's fault (2025-09, "Limits"), and not that of the host that fails to start something.
pub const MIN_MEMORY_MIB: u64 = 4;

/// The largest limit of an output, in MiB: what a program writes is held in memory until it is checked.
pub(crate) const MAX_OUTPUT_MIB: u64 = 512;

/// Keys of `limits` that every version has, and what they fill.
fn read_shared_limits(fields: &Fields<'_>, limits: &mut Limits, findings: &mut Findings) {
    const KIB: (&str, u64) = ("KiB", 1 << 10);
    const MIB: (&str, u64) = ("MiB", 1 << 20);
    let mut bytes = |name: &str, (unit, size): (&str, u64), into: &mut u64| {
        let least = if name == "memory" { MIN_MEMORY_MIB } else { 1 };
        let Some(node) = fields.get(name) else { return };
        if let Some(value) = node.quantity(unit, least, findings) {
            match value.checked_mul(size) {
                Some(_) if matches!(name, "output" | "validation_output") && value > MAX_OUTPUT_MIB => {
                    findings
                        .error(node.expected(&format!("at most {MAX_OUTPUT_MIB} MiB, since output is held in memory")));
                }
                Some(bytes) => *into = bytes,
                None => findings.error(node.expected("a smaller number")),
            }
        }
    };
    bytes("memory", MIB, &mut limits.memory_bytes);
    bytes("output", MIB, &mut limits.output_bytes);
    bytes("code", KIB, &mut limits.code_bytes);
    bytes("compilation_memory", MIB, &mut limits.compilation_memory_bytes);
    bytes("validation_memory", MIB, &mut limits.validation_memory_bytes);
    bytes("validation_output", MIB, &mut limits.validation_output_bytes);
    limits.time_limit = fields.read("time_limit", read_seconds, findings);
    for (name, into) in [
        ("time_resolution", &mut limits.time_resolution),
        ("compilation_time", &mut limits.compilation_time),
        ("validation_time", &mut limits.validation_time),
    ] {
        fields.read_into(name, read_seconds, into, findings);
    }
}

/// The seconds of a year: no time in a package is as long.
pub(crate) const YEAR: f64 = 366.0 * 86_400.0;

/// A time in seconds, more than none and less than a year.
fn read_seconds(node: &Node<'_>, findings: &mut Findings) -> Option<Duration> {
    let expected = "a number of seconds above 0 and below a year";
    if let Value::Text(text) = node.value()
        && text.starts_with(|character: char| character.is_ascii_digit())
    {
        findings.error(node.expected(expected).hint(Some("write only a number: the unit is seconds".to_owned())));
        return None;
    }
    let seconds = node.number(expected, |seconds| seconds > 0.0 && seconds < YEAR, findings)?;
    // A number above 0 can still be less than a nanosecond, and would be a limit of nothing.
    Some(Duration::from_secs_f64(seconds)).filter(|time| !time.is_zero()).or_else(|| {
        findings.error(node.expected(expected));
        None
    })
}

/// The most of any factor. No problem needs one above it.
pub(crate) const MAX_FACTOR: f64 = 1000.0;

/// A factor of at least 1.
fn read_factor(node: &Node<'_>, findings: &mut Findings) -> Option<f64> {
    node.number("a number from 1 to 1000", |factor| (1.0..=MAX_FACTOR).contains(&factor), findings)
}

/// A name as text or by language: the English one, else the first.
fn read_names(node: &Node<'_>, findings: &mut Findings) -> Option<String> {
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
        findings.error(node.expected("a name, or a mapping from languages to names").coded(code::NAME_EMPTY));
    }
    let fields = Fields::open_any(node, findings)?;
    let mut names = Vec::new();
    for entry in entries {
        if !is_natural_language(&entry.name) {
            let expected = "expected a language code such as `en` or `pt-BR`";
            findings.error(entry.key.invalid(expected).coded(code::NAME_LANGUAGE_MALFORMED));
        }
        if let Some(name) = fields.text(&entry.name, findings) {
            names.push((entry.name, name));
        }
    }
    // Reports are in English, whatever its region.
    let english = names.iter().position(|(language, _)| language == "en" || language.starts_with("en-"));
    names.into_iter().nth(english.unwrap_or(0)).map(|(_, name)| name)
}

/// Source: 2025-09, "General Requirements": two or three letters, and possibly two capital letters for a region.
pub(crate) fn is_natural_language(code: &str) -> bool {
    let (language, region) = code.split_once('-').map_or((code, None), |(language, region)| (language, Some(region)));
    matches!(language.len(), 2 | 3)
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && region.is_none_or(|region| region.len() == 2 && region.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// `validation_passes`: at least 2, and by default (2025-09, "Multi-pass Limit").
fn read_passes(limits: Option<&Fields<'_>>, findings: &mut Findings) -> u32 {
    const DEFAULT: u32 = 2;
    let Some(node) = limits.and_then(|fields| fields.get("validation_passes")) else { return DEFAULT };
    let Some(passes) = node.integer(2, findings) else { return DEFAULT };
    u32::try_from(passes).unwrap_or_else(|_| {
        findings.error(node.expected("a smaller number"));
        DEFAULT
    })
}

/// Reads `validator_flags`, which come before the arguments of all groups.
fn read_validator_flags(fields: &Fields<'_>, metadata: &mut Metadata, findings: &mut Findings) {
    if let Some(node) = fields.get("validator_flags") {
        metadata.output_validator_args = read_words(node, findings).unwrap_or_default();
        // The position is found now, while the document is at hand; findings about arguments
        // come after the test data.
        metadata.output_validator_args_at = node.position();
    }
}

/// Splits words as the legacy format splits flags.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Words that are given as one text or, leniently, as a list.
fn read_words(node: &Node<'_>, findings: &mut Findings) -> Option<Vec<String>> {
    match node.value() {
        Value::List(_) => node.texts(findings),
        _ => {
            let words = words(&node.text(findings)?);
            node.is_argument_list(&words, findings).then_some(words)
        }
    }
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;

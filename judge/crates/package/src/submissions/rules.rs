//! `submissions.yaml`: the expectations of submissions, by patterns of their names.
//!
//! Responsible for reading the file. Must not know the submissions and test cases.
//!
//! Source: 2025-09, "Example submissions". The file is read in packages of every version: an
//! author who wrote it expects it to count.

use judge_model::{Score, ScoreRange, TimeLimitUse, Verdict};

use super::globs::{Glob, pitfall};
use crate::code;
use crate::disk::bounded::head;
use crate::error::Findings;
use crate::metadata::current::check_person;
use crate::suggest::{did_you_mean, quoted};
use crate::yaml::fields::Fields;
use crate::yaml::{Document, Entry, Node, Value};

/// The file in which submissions are described.
pub(super) const DESCRIPTION: &str = "submissions.yaml";

/// Keys that make demands; they occur for submissions, and for test cases and groups.
pub(crate) const DEMANDS: [&str; 5] = [
    "permitted",
    "required",
    "score",
    "message",
    "use_for_time_limit",
];
/// Keys that occur for submissions alone.
pub(crate) const FACTS: [&str; 4] = ["language", "entrypoint", "authors", "model_solution"];

/// A rule of `submissions.yaml` for the submissions that a glob covers.
#[derive(Debug)]
pub(super) struct Rule<'d> {
    /// The text of the glob.
    pub(super) text: String,
    pub(super) glob: Glob,
    /// The node of the glob.
    pub(super) key: Node<'d>,
    /// The code of the language, and its node.
    pub(super) language: Option<(String, Node<'d>)>,
    /// The entry point, and its node.
    pub(super) entry_point: Option<(String, Node<'d>)>,
    /// The demands on all test cases.
    pub(super) demands: Demands,
    /// The demands on some of them.
    pub(super) parts: Vec<PartRule<'d>>,
}

/// A rule for the test cases and groups that a glob covers.
#[derive(Debug)]
pub(super) struct PartRule<'d> {
    /// The text of the glob.
    pub(super) text: String,
    pub(super) glob: Glob,
    /// The node of the glob.
    pub(super) key: Node<'d>,
    pub(super) demands: Demands,
}

/// The demands of a rule; `None`: no demand.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Demands {
    pub(super) permitted: Option<Vec<Verdict>>,
    pub(super) required: Option<Vec<Verdict>>,
    pub(super) score: Option<ScoreRange>,
    pub(super) message: Option<String>,
    /// `Some(None)`: explicitly derived from the other keys, as by default.
    pub(super) time_limit: Option<Option<TimeLimitUse>>,
}

impl Demands {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The verdicts of the format. The others are this judge's own.
pub(crate) const VERDICTS: [Verdict; 4] = [
    Verdict::Accepted,
    Verdict::WrongAnswer,
    Verdict::TimeLimitExceeded,
    Verdict::RunTimeError,
];

/// Reads the rules of a file, in order.
pub(super) fn read<'d>(document: &'d Document, findings: &mut Findings) -> Vec<Rule<'d>> {
    let entries = entries(&document.root(), findings).into_iter();
    entries
        .filter_map(|entry| read_rule(entry, findings))
        .collect()
}

/// The number of bytes of a broken file that are searched for a hint.
const HINT_BYTES: u64 = 1 << 20;

/// Opens the file. Unless quoted, a glob that starts with a star or a brace has another meaning in
/// YAML.
pub(super) fn open(file: &std::path::Path, findings: &mut Findings) -> Option<Document> {
    match Document::read(file) {
        Ok(document) => Some(document),
        Err(error) => {
            let text = head(file, HINT_BYTES).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let unquoted = text
                .lines()
                .zip(1..)
                .find(|(line, _)| line.trim_start().starts_with(['*', '{']));
            let is_there = unquoted.is_some_and(|(_, line)| error.line == Some(line));
            let hint = unquoted.filter(|_| error.line.is_some()).map(|(line, _)| {
                let glob = line.trim().trim_end_matches(':');
                format!("in YAML, a glob that starts with `*` or `{{` needs quotes: `\"{glob}\"`")
            });
            // An error at another line may have its own cause.
            let hint = match error.hint.clone() {
                Some(own) if !is_there => Some(own),
                own => hint.or(own),
            };
            findings.fail(error.hint(hint))
        }
    }
}

/// The entries of a mapping in order, without duplicates, which are errors.
fn entries<'d>(node: &Node<'d>, findings: &mut Findings) -> Vec<Entry<'d>> {
    if Fields::open_any(node, findings).is_none() {
        return Vec::new();
    }
    let mut entries = node.entries().unwrap_or_default();
    let mut seen = std::collections::BTreeSet::new();
    entries.retain(|entry| seen.insert(entry.name.clone()));
    entries
}

fn read_rule<'d>(entry: Entry<'d>, findings: &mut Findings) -> Option<Rule<'d>> {
    warn_of_pitfall(&entry, findings);
    let Entry { name, key, value } = entry;
    if !matches!(value.value(), Value::Map(_) | Value::Null) {
        let known = quoted(DEMANDS.into_iter().chain(FACTS));
        let error = value.expected(&format!("a mapping with keys such as {known}"));
        // Authors often omit the glob and begin with its keys, which deserves a separate hint.
        let looks_like_key = DEMANDS.iter().chain(&FACTS).any(|known| *known == name);
        let hint = "the outermost keys are globs of submissions, such as `accepted/*`".to_owned();
        return findings.fail(error.hint(looks_like_key.then_some(hint)));
    }
    let mut rule = Rule {
        glob: Glob::new(&name),
        text: name,
        key,
        language: None,
        entry_point: None,
        demands: Demands::default(),
        parts: Vec::new(),
    };
    for inner in entries(&value, findings) {
        // A known key without a value counts as absent. Any other one is a glob whose mapping
        // is missing.
        if *inner.value.value() == Value::Null
            && (DEMANDS.iter().chain(&FACTS)).any(|known| *known == inner.name)
        {
            continue;
        }
        read_key(inner, &mut rule, findings);
    }
    warn_of_required(&rule.demands, &value, findings);
    Some(rule)
}

fn read_key<'d>(inner: Entry<'d>, rule: &mut Rule<'d>, findings: &mut Findings) {
    let value = &inner.value;
    match inner.name.as_str() {
        "language" => rule.language = value.text(findings).map(|text| (text, inner.value)),
        "entrypoint" => rule.entry_point = value.text(findings).map(|text| (text, inner.value)),
        "authors" => {
            // Reports do not use the value yet.
            value
                .each()
                .iter()
                .for_each(|person| check_person(person, findings));
        }
        "model_solution" => {
            value.boolean(findings);
        }
        name if DEMANDS.contains(&name) => read_demand(name, value, &mut rule.demands, findings),
        name => match value.value() {
            Value::Map(_) => {
                warn_of_pitfall(&inner, findings);
                if let Some(demands) = read_demands(value, findings) {
                    let (text, key) = (inner.name, inner.key);
                    rule.parts.push(PartRule {
                        glob: Glob::new(&text),
                        text,
                        key,
                        demands,
                    });
                }
            }
            _ => {
                let known = FACTS.iter().chain(&DEMANDS);
                let expected = quoted(known.clone().copied());
                let message = format!(
                    "unknown key `{}`; expected one of {expected}, or a glob of test cases with a mapping",
                    inner.key.key_path()
                );
                let error = inner.key.finding(code::KEY_UNKNOWN, message);
                findings.error(error.hint(did_you_mean(name, known.copied())));
            }
        },
    }
}

/// The demands below a glob of test cases.
fn read_demands(node: &Node<'_>, findings: &mut Findings) -> Option<Demands> {
    let fields = Fields::open(node, &DEMANDS, findings)?;
    let mut demands = Demands::default();
    for (name, value) in fields.iter() {
        read_demand(name, value, &mut demands, findings);
    }
    warn_of_required(&demands, node, findings);
    Some(demands)
}

fn read_demand(name: &str, value: &Node<'_>, into: &mut Demands, findings: &mut Findings) {
    match name {
        "permitted" => into.permitted = read_verdicts(value, findings),
        "required" => into.required = read_verdicts(value, findings),
        "score" => into.score = read_score(value, findings),
        "message" => into.message = value.text(findings).filter(|message| !message.is_empty()),
        _ => into.time_limit = read_time_limit(value, findings),
    }
}

/// A set of verdicts. A single one need not be a list: other tools accept that too.
fn read_verdicts(node: &Node<'_>, findings: &mut Findings) -> Option<Vec<Verdict>> {
    const KNOWN: &str = "`AC`, `WA`, `TLE` or `RTE`";
    let nodes = node.each();
    if nodes.is_empty() {
        return findings.fail(node.expected(&format!("at least one of {KNOWN}")));
    }
    let mut verdicts = Vec::new();
    for node in nodes {
        // Anything but a string gives no verdict, and the error below names it.
        let text = if let Value::Text(text) = node.value() {
            text.as_str()
        } else {
            ""
        };
        match Verdict::from_code(text) {
            Some(verdict) if VERDICTS.contains(&verdict) => verdicts.push(verdict),
            Some(Verdict::MemoryLimitExceeded | Verdict::OutputLimitExceeded) => {
                let hint = format!("in the package format, {text} counts as RTE");
                findings.error(node.expected(KNOWN).hint(Some(hint)));
            }
            _ => findings.error(node.expected(KNOWN)),
        }
    }
    verdicts.sort_unstable();
    verdicts.dedup();
    (!verdicts.is_empty()).then_some(verdicts)
}

fn read_score(node: &Node<'_>, findings: &mut Findings) -> Option<ScoreRange> {
    const EXPECTED: &str = "a number, or a list of the smallest and the largest";
    let (min, max) = match node.items() {
        None => {
            let only = node.number(EXPECTED, |_| true, findings)?;
            (only, only)
        }
        Some(items) => {
            let [min, max] = &items[..] else {
                return findings.fail(node.expected(EXPECTED));
            };
            (
                min.number("a number", |_| true, findings)?,
                max.number("a number", |_| true, findings)?,
            )
        }
    };
    if min > max {
        let message = format!("expected the smaller score first, found [{min}, {max}]");
        return findings.fail(node.error(code::VALUE_UNEXPECTED, message));
    }
    Some(ScoreRange {
        min: Score(min),
        max: Score(max),
    })
}

fn read_time_limit(node: &Node<'_>, findings: &mut Findings) -> Option<Option<TimeLimitUse>> {
    match node.value() {
        Value::Bool(true) => Some(None),
        Value::Bool(false) => Some(Some(TimeLimitUse::Never)),
        Value::Text(text) if text == "lower" => Some(Some(TimeLimitUse::Lower)),
        Value::Text(text) if text == "upper" => Some(Some(TimeLimitUse::Upper)),
        _ => findings.fail(node.expected("`true`, `false`, `lower` or `upper`")),
    }
}

fn warn_of_pitfall(entry: &Entry<'_>, findings: &mut Findings) {
    if let Some(pitfall) = pitfall(&entry.name) {
        let message = format!(
            "the glob `{}` may not mean what it seems to: {pitfall}",
            entry.name
        );
        findings.warn(entry.key.finding(code::GLOB_UNSUPPORTED, message));
    }
}

fn warn_of_required(demands: &Demands, node: &Node<'_>, findings: &mut Findings) {
    if let (Some(permitted), Some(required)) = (&demands.permitted, &demands.required)
        && let Some(verdict) = required.iter().find(|verdict| !permitted.contains(verdict))
    {
        let message = format!(
            "`{}`: {verdict} is in `required`, but not in `permitted`",
            node.key_path()
        );
        findings.warn(node.finding(code::EXPECTATIONS_CONTRADICT, message));
    }
}

//! The expectations of each submission, from every source.
//!
//! Responsible for priorities among several sources. Must not know how a submission is run.

use std::path::Path;

use judge_model::{Expectation, Grading, Problem, Submission};

use super::directories::{anything, legacy_expectation, whole};
use super::rules::{DESCRIPTION, Demands, PartRule, Rule};
use super::scopes::{contradiction, covers_any, listed, resolve};
use super::tags;
use crate::code;
use crate::disk::bounded::head;
use crate::error::{Finding, Findings};
use crate::metadata::Dialect;
use crate::suggest::{did_you_mean, quoted};

/// The problem of the submissions.
pub(super) struct ProblemContext<'a> {
    /// The problem, with its test cases and groups.
    pub(super) problem: &'a Problem,
    pub(super) dialect: Dialect,
}

impl ProblemContext<'_> {
    /// The rule of the format for a directory.
    fn of_directory(&self, name: &str) -> Option<Expectation> {
        if self.dialect.is_legacy() {
            legacy_expectation(name, matches!(self.problem.grading, Grading::Legacy(_)))
        } else {
            Expectation::of_directory(name)
        }
    }
}

/// The rules of a `submissions.yaml`, with the parts of the problem resolved.
pub(super) struct DescriptionRules<'a> {
    place: &'a ProblemContext<'a>,
    rules: &'a [Rule<'a>],
    /// For each rule, its expectations on parts of the problem.
    parts: Vec<Vec<Expectation>>,
}

impl<'a> DescriptionRules<'a> {
    pub(super) fn new(
        place: &'a ProblemContext<'a>,
        rules: &'a [Rule<'a>],
        findings: &mut Findings,
    ) -> Self {
        let mut parts = Vec::new();
        for rule in rules {
            if rule.demands.score.is_some() {
                warn_of_score(place, &rule.key, findings);
            }
            let expectations = rule
                .parts
                .iter()
                .filter_map(|part| resolved(place, rule, part, findings));
            parts.push(expectations.collect());
        }
        Self {
            place,
            rules,
            parts,
        }
    }

    /// Returns the expectations of a submission.
    pub(super) fn expectations_of(
        &self,
        submission: &Submission,
        findings: &mut Findings,
    ) -> Vec<Expectation> {
        let directory = submission.id.split('/').next().unwrap_or_default();
        let default = self.of_directory(directory);
        let mut found = Vec::new();
        for (rule, parts) in self.rules.iter().zip(&self.parts) {
            if !rule.glob.covers(&submission.id) {
                continue;
            }
            // A rule that names a directory with a meaning replaces keys of the directory's own
            // rule, so it is not an additional one (2025-09, "Default directories").
            let is_default = default.is_some() && names(rule, directory);
            if !is_default && !rule.demands.is_empty() {
                let origin = Expectation {
                    origin: origin(&[&rule.text]),
                    ..anything()
                };
                found.push(demanded(origin, &rule.demands, self.place));
            }
            found.extend(parts.iter().cloned());
        }
        // In 2025-09, a tag is only a comment if the format itself states an expectation.
        let expectations =
            if self.place.dialect.is_legacy() || (default.is_none() && found.is_empty()) {
                let by_tag = tagged(submission, default.as_ref(), self.place.problem, findings);
                by_tag.unwrap_or_else(|| default.into_iter().collect())
            } else {
                default.into_iter().collect()
            };
        let expectations: Vec<Expectation> = expectations.into_iter().chain(found).collect();
        self.warn_of_contradiction(submission, &expectations, findings);
        expectations
    }

    /// The rule of a directory, in which the keys of the description replace the defaults (2025-09,
    /// "Default directories").
    fn of_directory(&self, directory: &str) -> Option<Expectation> {
        let mut expectation = self.place.of_directory(directory)?;
        // In the order of the file, so that of two rules for one directory the later one
        // replaces keys of the earlier one.
        for rule in self
            .rules
            .iter()
            .filter(|rule| names(rule, directory) && !rule.demands.is_empty())
        {
            expectation.origin = origin(&[&rule.text]);
            expectation = demanded(expectation, &rule.demands, self.place);
        }
        Some(expectation)
    }

    fn warn_of_contradiction(
        &self,
        submission: &Submission,
        rules: &[Expectation],
        findings: &mut Findings,
    ) {
        if let Some((test_case, first, second)) = contradiction(rules, self.place.problem) {
            let (first, second) = (&rules[first], &rules[second]);
            let message = format!(
                "no verdict on `{test_case}` meets all expectations: {} permits {}, and {} permits {}",
                first.origin,
                listed(&first.permitted),
                second.origin,
                listed(&second.permitted)
            );
            findings.warn_at(code::EXPECTATIONS_CONTRADICT, &submission.path, message);
        }
    }

    /// Warns about globs that cover no submission.
    pub(super) fn warn_of_unused(&self, submissions: &[Submission], findings: &mut Findings) {
        for rule in self.rules {
            let covers = submissions
                .iter()
                .any(|submission| rule.glob.covers(&submission.id));
            // A directory with a meaning may be described while it is still empty.
            if covers
                || self
                    .place
                    .of_directory(rule.text.trim_end_matches('/'))
                    .is_some()
            {
                continue;
            }
            let ids = submissions.iter().map(|submission| submission.id.as_str());
            let by_name = submissions
                .iter()
                .map(|s| s.id.as_str())
                .find(|id| Path::new(id).ends_with(&rule.text));
            // A missing directory is a likely mistake, and this match is better than one of a
            // similar spelling.
            let nearest = by_name
                .map(|id| format!("did you mean `{id}`?"))
                .or_else(|| did_you_mean(&rule.text, ids));
            let message = format!("the glob `{}` covers no submission", rule.text);
            let hint = nearest.unwrap_or_else(|| {
                "globs start at the directory of submissions, as in `accepted/*.py`".to_owned()
            });
            findings.warn(
                rule.key
                    .finding(code::GLOB_COVERS_NOTHING, message)
                    .hint(Some(hint)),
            );
        }
    }
}

/// True if a rule names this directory and therefore replaces the directory's own rule.
fn names(rule: &Rule<'_>, directory: &str) -> bool {
    rule.text.strip_suffix('/').unwrap_or(&rule.text) == directory
}

/// The origin of a rule, in words.
fn origin(keys: &[&str]) -> String {
    format!("{} in {DESCRIPTION}", quoted(keys.iter().copied()))
}

/// Overrides keys of a rule with demands.
fn demanded(mut rule: Expectation, demands: &Demands, place: &ProblemContext<'_>) -> Expectation {
    if demands.permitted.is_some() || demands.required.is_some() {
        // Verdicts by test case replace the legacy rule about the submission as a whole.
        rule.whole.clear();
    }
    for (verdicts, into) in [
        (&demands.permitted, &mut rule.permitted),
        (&demands.required, &mut rule.required),
    ] {
        if let Some(verdicts) = verdicts {
            into.clone_from(verdicts);
        }
    }
    if demands.message.is_some() {
        rule.message.clone_from(&demands.message);
    }
    if place.problem.grading.scores() && demands.score.is_some() {
        rule.score = demands.score;
    }
    if let Some(time_limit) = demands.time_limit {
        rule.time_limit = time_limit;
    }
    rule
}

/// Resolves the expectation of a rule on a part of the problem; `None`, with a warning, when there
/// is no such part.
fn resolved(
    place: &ProblemContext<'_>,
    rule: &Rule<'_>,
    part: &PartRule<'_>,
    findings: &mut Findings,
) -> Option<Expectation> {
    let scope = resolve(&part.glob, place.problem);
    if part.demands.score.is_some() {
        warn_of_score(place, &part.key, findings);
    }
    if !covers_any(&scope, place.problem) {
        let known = ["sample", "secret"]
            .into_iter()
            .chain(place.problem.test_groups.iter().map(|g| g.id.as_str()));
        let hint = match part.text.strip_suffix(".in") {
            Some(id) => Some(format!("test cases are named without `.in`: `{id}`")),
            None if part.text.contains(['*', '{']) => None,
            None => did_you_mean(&part.text, known.filter(|known| *known != part.text)),
        };
        let what = if part.demands.required.is_some() {
            ": what it requires cannot be met"
        } else {
            ""
        };
        let message = format!(
            "the glob `{}` covers no test case{what}; it is ignored",
            part.text
        );
        findings.warn(
            part.key
                .finding(code::GLOB_COVERS_NOTHING, message)
                .hint(hint),
        );
        return None;
    }
    let origin = origin(&[&rule.text, &part.text]);
    let rule = Expectation {
        origin,
        scope: Some(scope),
        ..anything()
    };
    (!part.demands.is_empty()).then(|| demanded(rule, &part.demands, place))
}

fn warn_of_score(place: &ProblemContext<'_>, key: &crate::yaml::Node<'_>, findings: &mut Findings) {
    if !place.problem.grading.scores() {
        let message = format!(
            "`{}`: `score` is ignored: the problem has no scores",
            key.key_path()
        );
        findings.warn(key.finding(code::SCORE_NOT_EXPECTED, message));
    }
}

/// The maximum number of bytes of a source file that are searched for tags.
const MAX_TAG_BYTES: u64 = 1 << 20;

/// The expectation of a tag in the sources. `None` without a valid tag: the directory's rule
/// applies.
fn tagged(
    submission: &Submission,
    default: Option<&Expectation>,
    problem: &Problem,
    findings: &mut Findings,
) -> Option<Vec<Expectation>> {
    let texts = sources_of(submission);
    let tags = tags::read(texts.iter().map(String::as_str));
    let path = &submission.path;
    if let Some(score) = &tags.score {
        let message = format!(
            "`@EXPECTED_SCORE@: {score}` is not checked: DOMjudge computes scores differently"
        );
        let hint = (!matches!(problem.grading, Grading::PassFail))
            .then(|| format!("expect it with the key `score` in `{DESCRIPTION}`"));
        findings.warn(Finding::new(code::SCORE_NOT_EXPECTED, path, message).hint(hint));
    }
    if let Some(word) = tags.unknown.first() {
        let message = format!("the tag `@EXPECTED_RESULTS@` is ignored: `{word}` is not a result");
        let words = [
            "CORRECT",
            "WRONG-ANSWER",
            "TIMELIMIT",
            "RUN-ERROR",
            "NO-OUTPUT",
            "COMPILER-ERROR",
        ];
        findings.warn(
            Finding::new(code::TAG_IMPLAUSIBLE, path, message).hint(did_you_mean(word, words)),
        );
        return None;
    }
    if tags.contradictory {
        let message = "two tags `@EXPECTED_RESULTS@` differ: the first one counts";
        findings.warn_at(code::TAG_IMPLAUSIBLE, path, message);
    }
    let results = tags.results?;
    if results.is_empty() {
        return Some(Vec::new());
    }
    // In legacy, the rule of a directory may be about the submission as a whole instead of single
    // test cases.
    let by_directory = default.map(|rule| {
        if rule.whole.is_empty() {
            &rule.permitted
        } else {
            &rule.whole
        }
    });
    if let Some(by_directory) = by_directory {
        // The directory's rule is the same or stricter.
        if results.iter().all(|verdict| by_directory.contains(verdict))
            && results.len() >= by_directory.len()
        {
            return None;
        }
        if !results.iter().any(|verdict| by_directory.contains(verdict)) {
            let message = format!(
                "the tag `@EXPECTED_RESULTS@: {}` contradicts its directory: the tag counts",
                listed(&results)
            );
            findings.warn_at(code::TAG_IMPLAUSIBLE, path, message);
        }
    }
    Some(vec![whole("tag `@EXPECTED_RESULTS@`".to_owned(), results)])
}

/// The beginnings of the sources as text. Compiling reports a file that cannot be read.
fn sources_of(submission: &Submission) -> Vec<String> {
    let directory = if submission.path.is_dir() {
        &submission.path
    } else {
        submission.path.parent().unwrap_or(Path::new(""))
    };
    let read = |source: &std::path::PathBuf| {
        let bytes = head(&directory.join(source), MAX_TAG_BYTES).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    submission.sources.iter().filter_map(read).collect()
}

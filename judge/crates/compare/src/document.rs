//! The document: everything that a comparison has come to, for machines and for later comparisons.
//!
//! Responsible for its shape and for comparing it with an earlier one. Pure. Must not run anything.
//!
//! Described in `judge/docs/reference/comparison.md`.

use judge_model::{IsolationLevel, LanguageId, SubmissionIndex, Verdict};
use serde::{Deserialize, Serialize};

use crate::answers::Class;
use crate::statistics::conclusion::Conclusion;
use crate::statistics::estimate::{Estimate, median};
use crate::statistics::growth::Growth;

/// The version of the document. It grows when a key changes its meaning or goes away; new keys do not change it.
pub const SCHEMA_VERSION: u32 = 2;

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// [`SCHEMA_VERSION`] of the writer.
    pub comparison_schema: u32,
    /// Version of the judge.
    pub judge_version: String,
    /// The problem's name.
    pub problem: String,
    /// The host on which it was measured.
    pub host: Host,
    /// The time limit in microseconds.
    pub time_limit_us: u64,
    /// The method by which it was measured.
    pub method: Method,
    /// The submissions, the reference first.
    pub submissions: Vec<Compared>,
    /// Every submission but the first against the first, in order.
    pub candidates: Vec<Candidate>,
    /// The test cases in package order.
    pub test_cases: Vec<ComparedCase>,
}

/// The index of the reference, which comes before the candidates.
pub const REFERENCE: SubmissionIndex = SubmissionIndex(0);

/// The index of a candidate among the candidates: the submissions but the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CandidateIndex(pub usize);

impl CandidateIndex {
    /// The candidates among so many submissions, in order.
    pub fn among(submissions: usize) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..submissions.saturating_sub(1)).map(Self)
    }

    /// The index of the candidate among the submissions.
    #[must_use]
    pub fn submission(self) -> SubmissionIndex {
        SubmissionIndex(self.0 + 1)
    }
}

/// The properties of a host that times depend on. Only those of the same class of hosts can be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// The processor's name.
    pub processor: String,
    /// Such as `x86_64`.
    pub architecture: String,
    /// The isolation level: what is counted as time and memory depends on it.
    pub isolation: IsolationLevel,
}

/// The method of measuring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// The seed of the resampling.
    pub seed: u64,
    /// Elapsed time that measuring was allowed, in microseconds.
    pub budget_us: u64,
    /// Elapsed time that it took, in microseconds.
    pub spent_us: u64,
    /// The number of processors that other programs kept busy meanwhile, at least; none where the host does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_busy: Option<f64>,
    /// The half-width of intervals that was asked for, as a share.
    pub precision: f64,
    /// The share within which two submissions are the same.
    pub margin: f64,
    /// The time of starting, in each submission's language, is taken off the times that ratios are made of.
    pub subtracts_start_up: bool,
    /// The budget in microseconds that would have had room for the least number of rounds; none where there was room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_needed_us: Option<u64>,
}

/// A submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// `A`, `B`, ….
    pub label: String,
    /// The submission.
    pub submission: String,
    /// Its path, relative to the workspace where possible.
    pub path: String,
    /// Its language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageId>,
    /// Its verdict.
    pub verdict: Verdict,
    /// Test cases on which it was accepted.
    pub accepted: usize,
    /// CPU time on its slowest test case in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest_us: Option<u64>,
    /// The most memory that it took on any test case, in bytes.
    pub memory_bytes: u64,
    /// CPU time of a program that does nothing in its language, in microseconds; none where that is not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_up_us: Option<u64>,
    /// The power of the input's size with which its time grows, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Growth>,
}

/// The test cases that the ratios of a candidate are made of, chosen before anything was timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedOn {
    /// Their names, the slowest of the reference first.
    pub test_cases: Vec<String>,
    /// On each of them both take at least so many times as long as starting in their languages.
    pub above_start_up: f64,
    /// Test cases of this kind that were not chosen, because these are enough.
    pub left_out: usize,
    /// There is no such test case: the one that is timed is mostly about starting.
    pub start_up_dominates: bool,
}

/// A ratio with what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The ratio and its interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The test cases, and how many rounds on each.
    pub made_of: Vec<Rounds>,
}

/// The rounds on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    /// The test case's name.
    pub test_case: String,
    /// The number of its rounds.
    pub rounds: usize,
}

/// A submission against the reference. Ratios below 1: it takes less. None where no test case could be timed, or not often
/// enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its label.
    pub label: String,
    /// The test cases that its ratios are made of.
    pub timed_on: TimedOn,
    /// CPU time: the geometric mean over the test cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_time: Option<Ratio>,
    /// The conclusion from that; undecided where rounds are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conclusion: Option<Conclusion>,
    /// CPU time of all of the test cases together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Ratio>,
    /// CPU time on the slowest test case of each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest: Option<Ratio>,
    /// Elapsed time: the geometric mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_time: Option<Ratio>,
    /// Peak memory: the geometric mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Ratio>,
    /// The ratio of CPU times over that in an earlier comparison, when one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_baseline: Option<Estimate>,
    /// The class of each test case, in package order.
    pub classes: Vec<Class>,
}

/// A test case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparedCase {
    /// Its name.
    pub test_case: String,
    /// Size of its input in bytes.
    pub input_bytes: u64,
    /// The first run of each submission, in their order; none for one that was not run.
    pub first_runs: Vec<Option<FirstRun>>,
    /// The rounds: for each submission its two measurements, or none when it does not take part or was not accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Vec<Option<[Sample; 2]>>>,
}

impl ComparedCase {
    /// The ratio of a candidate's CPU time to the reference's here, and the rounds that it is made of: the median over
    /// them.
    #[must_use]
    pub fn ratio(&self, candidate: CandidateIndex) -> Option<(f64, usize)> {
        let log = |of: &[Sample; 2]| of.iter().map(|sample| (sample.cpu_time_us.max(1) as f64).ln()).sum::<f64>() / 2.0;
        let of_round = |round: &Vec<Option<[Sample; 2]>>| {
            Some(log(round.get(candidate.submission().0)?.as_ref()?) - log(round.first()?.as_ref()?))
        };
        let mut ratios: Vec<f64> = self.rounds.iter().filter_map(of_round).collect();
        let rounds = ratios.len();
        median(&mut ratios).map(|ratio| (ratio.exp(), rounds))
    }
}

/// A submission on a test case, before any timing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstRun {
    /// The verdict.
    pub verdict: Verdict,
    /// CPU time in microseconds. Other programs may have run meanwhile.
    pub cpu_time_us: u64,
    /// Peak memory in bytes.
    pub memory_bytes: u64,
    /// The hash of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_hash: Option<String>,
}

/// The resources that one measurement used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// CPU time in microseconds.
    pub cpu_time_us: u64,
    /// Elapsed time in microseconds.
    pub wall_time_us: u64,
    /// Peak memory in bytes.
    pub memory_bytes: u64,
}

/// A file that is no comparison.
#[derive(Debug, thiserror::Error)]
pub enum InvalidComparison {
    /// It is no JSON, or has another shape.
    #[error("expected a comparison written by `judge compare --json`: {0}")]
    Shape(#[from] serde_json::Error),
    /// A newer judge wrote it.
    #[error("expected a comparison of schema {SCHEMA_VERSION}, found {found}")]
    Schema {
        /// The version in it.
        found: u64,
    },
}

impl Comparison {
    /// Reads a document.
    ///
    /// # Errors
    /// When it is none, or one of another schema.
    pub fn parse(text: &str) -> Result<Self, InvalidComparison> {
        let value: serde_json::Value = serde_json::from_str(text)?;
        match value.get("comparison_schema").and_then(serde_json::Value::as_u64) {
            Some(found) if found != u64::from(SCHEMA_VERSION) => Err(InvalidComparison::Schema { found }),
            _ => Ok(serde_json::from_value(value)?),
        }
    }

    /// The document as one line of JSON.
    ///
    /// # Panics
    /// Never: it has string keys only, and its numbers are finite.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("comparisons have string keys and finite numbers only")
    }

    /// True when the answers differ: some candidate is right where the reference is not, or the other way round.
    #[must_use]
    pub fn answers_differ(&self) -> bool {
        self.candidates.iter().any(|candidate| candidate.classes.iter().any(|class| class.is_difference()))
            || self.submissions.iter().any(|of| of.verdict == Verdict::CompileError)
    }

    /// Compares the ratio of each candidate with what it was. A candidate is found again by its submission's name; when
    /// each comparison has only one, it is that. The error says why nothing can be compared.
    ///
    /// # Errors
    /// When the earlier comparison is of another problem or another class of hosts, or was timed otherwise.
    pub fn hold_against(&mut self, earlier: &Self) -> Result<(), String> {
        if earlier.problem != self.problem {
            return Err(format!("it compares submissions of `{}`, not of `{}`", earlier.problem, self.problem));
        }
        if earlier.host != self.host {
            let text = |host: &Host| format!("{}, {}, isolation {}", host.processor, host.architecture, host.isolation);
            return Err(format!(
                "it was measured on another host: {}; here: {}",
                text(&earlier.host),
                text(&self.host)
            ));
        }
        if earlier.method.subtracts_start_up != self.method.subtracts_start_up {
            let is_in = |included: bool| if included { "contains" } else { "does not contain" };
            let (then, now) = (!earlier.method.subtracts_start_up, !self.method.subtracts_start_up);
            return Err(format!("it {} the time of starting, and this comparison {} it", is_in(then), is_in(now)));
        }
        let names: Vec<&str> = self.submissions.iter().skip(1).map(|of| of.submission.as_str()).collect();
        let mut changes = Vec::new();
        for (candidate, name) in self.candidates.iter().zip(&names) {
            let Some(then) = earlier.candidate_named(name, names.len()) else {
                changes.push(None);
                continue;
            };
            if then.timed_on.test_cases != candidate.timed_on.test_cases {
                let list = |of: &TimedOn| of.test_cases.join(", ");
                let (then, now) = (list(&then.timed_on), list(&candidate.timed_on));
                return Err(format!("`{name}` was timed on other test cases: {then}; here: {now}"));
            }
            let of_both = candidate.cpu_time.as_ref().zip(then.cpu_time.as_ref());
            changes.push(of_both.map(|(now, then)| change(&now.estimate, &then.estimate)));
        }
        for (candidate, change) in self.candidates.iter_mut().zip(changes) {
            candidate.since_baseline = change;
        }
        Ok(())
    }

    /// The candidate with a submission's name, or the only one if there is also only one to look for (`wanted`).
    pub(crate) fn candidate_named(&self, name: &str, wanted: usize) -> Option<&Candidate> {
        let by_name = self.submissions.iter().skip(1).position(|of| of.submission == name);
        let index = by_name.or((wanted == 1 && self.candidates.len() == 1).then_some(0))?;
        self.candidates.get(index)
    }
}

/// The ratio of two ratios that were measured independently: the widths add up as squares, each side of the interval
/// with the opposite one of the earlier.
fn change(now: &Estimate, then: &Estimate) -> Estimate {
    let log_ratio = (now.ratio / then.ratio).ln();
    let interval = now.interval.zip(then.interval).map(|([low, high], [old_low, old_high])| {
        let below = (now.ratio / low).ln().hypot((old_high / then.ratio).ln());
        let above = (high / now.ratio).ln().hypot((then.ratio / old_low).ln());
        [(log_ratio - below).exp(), (log_ratio + above).exp()]
    });
    Estimate {
        ratio: log_ratio.exp(),
        interval,
        rounds: now.rounds.min(then.rounds),
        test_cases: now.test_cases.min(then.test_cases),
        host_effect: now.host_effect.zip(then.host_effect).map(|(now, then)| now.hypot(then)),
        placement_effect: now.placement_effect.zip(then.placement_effect).map(|(now, then)| now.hypot(then)),
        step_effect: now.step_effect.zip(then.step_effect).map(|(now, then)| now.hypot(then)),
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
pub(crate) mod tests;

//! A comparison of submissions: their answers, and the ratios of their times and memory.
//!
//! Responsible for the shape of the document (`judge/docs/reference/comparison.md`). Must not know
//! how submissions are measured, how conclusions are drawn, or how results are rendered. No event:
//! the document of one command.

use judge_model::{IsolationLevel, LanguageId, SubmissionIndex, TestCaseIndex, Verdict};
use serde::{Deserialize, Serialize};

/// The version of the document. It increases when a key changes its meaning or is removed; new keys
/// do not change it.
pub const SCHEMA_VERSION: u32 = 1;

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
    pub host: TimingHost,
    /// The time limit in microseconds.
    pub time_limit_us: u64,
    /// The method by which it was measured.
    pub method: TimingMethod,
    /// The submissions, the reference first.
    pub submissions: Vec<Compared>,
    /// Every submission except the first, compared with the first, in order.
    pub candidates: Vec<Candidate>,
    /// The requested bounds, for each candidate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<GateResult>,
    /// The reasons to treat the numbers with caution, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The test cases in package order.
    pub test_cases: Vec<ComparedCase>,
}

/// The index of the reference, which comes before the candidates.
pub const REFERENCE: SubmissionIndex = SubmissionIndex(0);

/// The index of a candidate among the candidates: all submissions except the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CandidateIndex(pub usize);

impl CandidateIndex {
    /// The candidates among this number of submissions, in order.
    pub fn among(submissions: usize) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..submissions.saturating_sub(1)).map(Self)
    }

    /// The index of the candidate among the submissions.
    #[must_use]
    pub fn submission(self) -> SubmissionIndex {
        SubmissionIndex(self.0 + 1)
    }
}

/// The properties of a host that times depend on. Only times of the same class of hosts can be
/// compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimingHost {
    /// The processor's name.
    pub processor: String,
    /// The architecture, such as `x86_64`.
    pub architecture: String,
    /// The isolation level, which determines what counts as time and memory.
    pub isolation: IsolationLevel,
}

/// The method of measuring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimingMethod {
    /// The budget of elapsed time for measuring, in microseconds.
    pub budget_us: u64,
    /// The elapsed time that measuring took, in microseconds.
    pub spent_us: u64,
    /// A lower bound of the number of processors that other programs kept busy during the
    /// measurement; absent if the host does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_busy: Option<f64>,
    /// The requested half-width of intervals, as a share.
    pub precision: f64,
    /// The share within which two submissions are the same.
    pub margin: f64,
    /// The budget in microseconds that the minimum number of rounds would have needed; absent if
    /// the budget was sufficient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_needed_us: Option<u64>,
}

/// A submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The largest peak memory on any test case, in bytes.
    pub memory_bytes: u64,
    /// CPU time of an empty program in its language, in microseconds; absent if it is not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_up_us: Option<u64>,
}

/// The test cases from which the ratios of a candidate are computed, chosen before anything was
/// timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedOn {
    /// Their names, the slowest of the reference first.
    pub test_cases: Vec<String>,
    /// The minimum factor by which both submissions take longer than starting a program in their
    /// languages, over these test cases.
    pub above_start_up: f64,
    /// The number of other such test cases, which were not chosen because these are enough.
    pub left_out: usize,
    /// True when there is no such test case: on the one that is timed, most of the time is
    /// start-up.
    pub start_up_dominates: bool,
}

/// A ratio and its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The ratio; below 1: less than the reference.
    pub ratio: f64,
    /// The interval; absent if there are too few rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// The number of rounds that it is computed from, over all test cases.
    pub rounds: usize,
    /// The number of test cases that it is computed from.
    pub test_cases: usize,
    /// The share by which other work on the host may change the ratio, which is part of the
    /// interval; absent if it cannot, or if no allowance is made for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_effect: Option<f64>,
    /// The share by which the places of both programs in memory may change the ratio, which is part
    /// of the interval too; absent if no allowance is made for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement_effect: Option<f64>,
    /// The share by which the steps of the measure may change the ratio, which is part of the
    /// interval too; absent if the steps are negligible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_effect: Option<f64>,
}

impl Estimate {
    /// Half of the interval's width in logarithms: about the share by which the ratio may be wrong.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        self.interval.map(|[low, high]| (high / low).ln() / 2.0)
    }
}

/// The conclusion from an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// The whole interval is within the margin around 1, whether or not it contains 1.
    Same,
    /// Less than the reference: the interval is below 1.
    Less,
    /// More than the reference: the interval is above 1.
    More,
    /// The interval contains 1, and is too wide to conclude that both are the same.
    Undecided {
        /// The approximate number of further rounds that the requested precision needs; unknown
        /// without an interval, and if the number is impractically large.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        more_rounds: Option<usize>,
    },
}

/// A ratio, the conclusion drawn from it, and the rounds it is computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The ratio and its interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The conclusion.
    pub conclusion: Conclusion,
    /// The test cases, with the number of rounds on each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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

/// A submission compared with the reference. At ratios below 1 it takes less. Ratios are absent if
/// no test case could be timed, or not often enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its label.
    pub label: String,
    /// The test cases from which its ratios are computed.
    pub timed_on: TimedOn,
    /// CPU time: the geometric mean over the test cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_time: Option<Ratio>,
    /// The conclusion from the CPU time; undecided if there are too few rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conclusion: Option<Conclusion>,
    /// Elapsed time: the geometric mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_time: Option<Ratio>,
    /// Peak memory: the geometric mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Ratio>,
    /// The class of each test case, in package order.
    pub classes: Vec<Class>,
}

impl Candidate {
    /// The ratio of a quantity.
    #[must_use]
    pub fn ratio(&self, quantity: Quantity) -> Option<&Ratio> {
        match quantity {
            Quantity::Time => self.cpu_time.as_ref(),
            Quantity::Wall => self.wall_time.as_ref(),
            Quantity::Memory => self.memory.as_ref(),
        }
    }

    /// True when both submissions are right on the same test cases.
    #[must_use]
    pub fn has_same_answers(&self) -> bool {
        !self.classes.iter().any(|class| class.is_difference())
    }
}

/// The class of a test case, by the results of the reference and a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Both are accepted, with the same output if outputs are known.
    BothRight,
    /// Only the reference is accepted.
    OnlyReference,
    /// Only the candidate is accepted.
    OnlyCandidate,
    /// Neither is accepted.
    BothWrong,
    /// Both are accepted, with different outputs: the test case has several right answers.
    DifferentOutputs,
    /// One of them is always accepted, but its output changes between runs.
    NotDeterministic,
    /// One of them was accepted in some runs and not in others.
    Unsteady,
    /// At least one of them was not run, because of the problem's groups.
    NotRun,
}

impl Class {
    /// True for a difference: one of the two is right and the other one is not, at least in some
    /// runs.
    #[must_use]
    pub fn is_difference(self) -> bool {
        matches!(
            self,
            Self::OnlyReference | Self::OnlyCandidate | Self::Unsteady
        )
    }
}

/// A quantity that a gate bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Quantity {
    /// CPU time.
    #[serde(rename = "time")]
    Time,
    /// Elapsed time.
    #[serde(rename = "wall")]
    Wall,
    /// Peak memory.
    #[serde(rename = "mem")]
    Memory,
}

impl Quantity {
    /// Every quantity.
    pub const ALL: [Self; 3] = [Self::Time, Self::Wall, Self::Memory];

    /// The name in gates and in the document.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Wall => "wall",
            Self::Memory => "mem",
        }
    }
}

/// The decision about a gate for a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateResult {
    /// The label of the candidate.
    pub label: String,
    /// The quantity that is bounded.
    pub quantity: Quantity,
    /// The maximum of its ratio.
    pub max: f64,
    /// The decision.
    pub decision: GateDecision,
}

/// The decision about a gate. The gate holds only if the whole interval is below the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateDecision {
    /// The upper end of the 99.9 % interval is not above the bound.
    Held,
    /// The lower end of the interval is above the bound.
    NotHeld,
    /// The bound is within the interval, or the interval is missing. Counts as not held.
    Undecided,
}

/// A test case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparedCase {
    /// Its name.
    pub test_case: String,
    /// Size of its input in bytes.
    pub input_bytes: u64,
    /// The first run of each submission, in their order; null for one that was not run.
    pub first_runs: Vec<Option<FirstRun>>,
    /// The ratio of each candidate's CPU time to the reference's, the median over the rounds; null
    /// if it was not timed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<Option<CaseRatio>>,
    /// The rounds: for each submission its two measurements, or null when it does not take part or
    /// was not accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Vec<Option<[Sample; 2]>>>,
}

/// The ratio on one test case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseRatio {
    /// The ratio.
    pub ratio: f64,
    /// The number of rounds that it is computed from.
    pub rounds: usize,
}

/// The first run of a submission on a test case, before any timing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstRun {
    /// The verdict.
    pub verdict: Verdict,
    /// CPU time in microseconds. Other programs may have run at the same time.
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

impl Comparison {
    /// The document as one line of JSON.
    ///
    /// # Panics
    /// Never: it has string keys only, and its numbers are finite.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("comparisons have string keys and finite numbers only")
    }

    /// True when the answers differ: on some test case, either a candidate or the reference is
    /// right and the other is not.
    #[must_use]
    pub fn answers_differ(&self) -> bool {
        !self.candidates.iter().all(Candidate::has_same_answers)
            // A submission that does not compile has no answers or classes that could differ.
            || self.submissions.iter().any(|submission| submission.verdict == Verdict::CompileError)
    }

    /// True when every gate holds for every candidate.
    #[must_use]
    pub fn gates_hold(&self) -> bool {
        self.gates
            .iter()
            .all(|gate| gate.decision == GateDecision::Held)
    }

    /// The submission that is not accepted, and the test case: the one with the smallest input,
    /// then the first by name, of those on which only one of a candidate and the reference is
    /// accepted.
    #[must_use]
    pub fn first_difference(
        &self,
        candidate: CandidateIndex,
    ) -> Option<(SubmissionIndex, TestCaseIndex)> {
        let classes = TestCaseIndex::enumerate(&self.candidates[candidate.0].classes);
        let differences = classes.filter_map(|(case, class)| match class {
            Class::OnlyReference => Some((candidate.submission(), case)),
            Class::OnlyCandidate => Some((REFERENCE, case)),
            _ => None,
        });
        differences.min_by_key(|(_, case)| {
            let case_info = &self.test_cases[case.0];
            (case_info.input_bytes, case_info.test_case.as_str())
        })
    }
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
mod tests;

//! From a comparison to its report.
//!
//! Responsible for the submissions. Must not lay anything out, nor find words.

use judge_compare::{CandidateIndex, Comparison, Conclusion, Gate, Growth, REFERENCE, interval, times};

use judge_event::{RunState, SubmissionState, TestCaseFinished};
use judge_model::{Limits, SubmissionIndex, TestCaseIndex, Verdict};
use judge_report::{CandidateReport, ComparedRow, ComparisonReport};
use judge_runner::Plan;

use crate::commands::compare::cases::{case, points};

/// The report of a comparison, with the gate that it is held against.
pub(crate) fn from_comparison(
    comparison: &Comparison,
    plan: &Plan,
    state: &RunState,
    gate: Option<&Gate>,
) -> ComparisonReport {
    let states = state.problems.first().map(|problem| problem.submissions.as_slice()).unwrap_or_default();
    ComparisonReport {
        problem: comparison.problem.clone(),
        time_limit_us: comparison.time_limit_us,
        limits: plan.problems.first().map_or_else(Limits::default, |planned| planned.problem.limits.clone()),
        rows: SubmissionIndex::first(comparison.submissions.len()).map(|index| row(comparison, index)).collect(),
        candidates: candidates(comparison).map(|index| candidate(comparison, index, states)).collect(),
        points: points(comparison),
        cases: TestCaseIndex::first(comparison.test_cases.len()).map(|index| case(comparison, index)).collect(),
        gates: gate.map(|gate| comparison.gates_in_words(gate)).unwrap_or_default(),
        notes: comparison.notes(),
        warnings: comparison.warnings(),
    }
}

fn candidates(comparison: &Comparison) -> impl Iterator<Item = CandidateIndex> {
    CandidateIndex::among(comparison.submissions.len())
}

fn row(comparison: &Comparison, index: SubmissionIndex) -> ComparedRow {
    let of = &comparison.submissions[index.0];
    let candidate = candidates(comparison).find(|candidate| candidate.submission() == index);
    let candidate = candidate.map(|candidate| &comparison.candidates[candidate.0]);
    let cpu_time = candidate.and_then(|candidate| candidate.cpu_time.as_ref()).map(|ratio| &ratio.estimate);
    let none = || "–".to_owned();
    ComparedRow {
        label: of.label.clone(),
        submission: of.submission.clone(),
        verdict: of.verdict,
        accepted: of.accepted,
        test_cases: comparison.test_cases.len(),
        slowest_us: of.slowest_us,
        ratio: match index {
            REFERENCE if of.verdict != Verdict::CompileError => "1.00".to_owned(),
            _ => cpu_time.map_or_else(none, times),
        },
        better: match candidate.and_then(|candidate| candidate.conclusion) {
            Some(Conclusion::Less) => Some(true),
            Some(Conclusion::More) => Some(false),
            _ => None,
        },
        interval: cpu_time.map_or_else(none, interval),
        estimate: cpu_time.map(|estimate| (estimate.ratio, estimate.interval)),
        memory_bytes: of.memory_bytes,
        growth: of.growth.as_ref().map_or_else(none, Growth::in_words),
    }
}

fn candidate(comparison: &Comparison, index: CandidateIndex, states: &[SubmissionState]) -> CandidateReport {
    let (candidate, submission) = (&comparison.candidates[index.0], index.submission().0);
    // Of two that do not compile, the candidate's own mistakes are told; the reference's stand where only it has some.
    let broken = [submission, REFERENCE.0]
        .into_iter()
        .find(|index| comparison.submissions[*index].verdict == Verdict::CompileError);
    let compiled = broken.and_then(|index| states.get(index)?.compiled.as_ref()).filter(|compiled| !compiled.success);
    let agrees = !candidate.classes.iter().any(|class| class.is_difference()) && broken.is_none();
    let measures = comparison.measures_in_words(candidate).into_iter();
    CandidateReport {
        label: candidate.label.clone(),
        agrees,
        answers: comparison.answers_in_words(index),
        first: first_difference(comparison, index, states),
        compiled: compiled.cloned().map(Box::new),
        measures: measures.map(|(name, words)| (name.to_owned(), words)).collect(),
    }
}

/// The first result by which a candidate and the reference differ, with the label of its submission.
fn first_difference(
    comparison: &Comparison,
    candidate: CandidateIndex,
    states: &[SubmissionState],
) -> Option<(String, Box<TestCaseFinished>)> {
    let (submission, test_case) = comparison.first_difference(candidate)?;
    let name = &comparison.test_cases[test_case.0].test_case;
    let finished = states.get(submission.0)?.test_cases.iter().find(|finished| finished.test_case == *name)?;
    Some((comparison.submissions[submission.0].label.clone(), Box::new(finished.clone())))
}

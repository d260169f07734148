//! From a comparison to its test cases as the report has them.
//!
//! Responsible for their rows and points. Must not lay anything out.

use judge_compare::{CandidateIndex, Comparison, FirstRun};
use judge_model::{TestCaseIndex, Verdict};
use judge_report::{ComparedCaseRow, ScatterPoint};

/// The row of a test case.
pub(super) fn case(comparison: &Comparison, index: TestCaseIndex) -> ComparedCaseRow {
    let of = &comparison.test_cases[index.0];
    let result = |run: &Option<FirstRun>| run.as_ref().map(|run| (run.verdict, run.cpu_time_us));
    // Two digits at least, as in the table of the submissions.
    let decimals = |ratio: f64| (1.0 - ratio.log10().floor()).clamp(2.0, 12.0) as usize;
    let factor = |ratio: f64| format!("{ratio:.*}×", decimals(ratio));
    let ratio = |candidate| of.ratio(candidate).map(|(ratio, rounds)| (factor(ratio), rounds));
    let classes = || comparison.candidates.iter().filter_map(|candidate| candidate.classes.get(index.0));
    ComparedCaseRow {
        test_case: of.test_case.clone(),
        input_bytes: of.input_bytes,
        results: of.first_runs.iter().map(result).collect(),
        ratios: CandidateIndex::among(comparison.submissions.len()).map(ratio).collect(),
        answers: classes().map(|class| class.in_words()).collect(),
        differs: classes().any(|class| class.is_difference()),
    }
}

/// Times of the test cases on which both are right, by the runs that compared answers.
pub(super) fn points(comparison: &Comparison) -> Vec<ScatterPoint> {
    let right = |run: &FirstRun| run.verdict == Verdict::Accepted;
    let mut points = Vec::new();
    for case in &comparison.test_cases {
        let Some(reference) = case.first_runs.first().and_then(Option::as_ref).filter(|run| right(run)) else {
            continue;
        };
        for (run, of) in case.first_runs.iter().zip(&comparison.submissions).skip(1) {
            if let Some(run) = run.as_ref().filter(|run| right(run)) {
                points.push(ScatterPoint {
                    test_case: case.test_case.clone(),
                    reference_us: reference.cpu_time_us,
                    candidate_us: run.cpu_time_us,
                    mark: of.label.chars().next().unwrap_or('?'),
                });
            }
        }
    }
    points
}

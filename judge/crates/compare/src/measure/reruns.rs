//! Reruns: the classes of test cases, after checking that outputs are reproducible.
//!
//! Responsible for rerunning submissions with different outputs, unless they were timed. Must not
//! know times.

use judge_event::comparison::{CandidateIndex, Class, REFERENCE};
use judge_exec::{ExecError, PreparedSubmission, Worker};
use judge_model::Verdict;

use crate::answers::{by_size, classify};
use crate::measure::timing::Timed;
use crate::subject::Subject;

/// The maximum number of test cases with different outputs that are rerun, the smallest first.
const MAX_RERUNS: usize = 20;

/// Returns the class of each test case for each candidate. Test cases with different outputs that
/// ran only once are rerun: two programs that each repeat their outputs differ, and one that does
/// not is not deterministic.
pub(crate) fn classes(
    subject: &Subject<'_>,
    timed: &[Timed],
    prepared_submissions: &[Option<PreparedSubmission>],
    worker: &mut Worker<'_>,
) -> Result<Option<Vec<Vec<Class>>>, ExecError> {
    let classes_of = |candidate: CandidateIndex| {
        let class = |case| {
            classify(
                subject.first(REFERENCE, case),
                subject.first(candidate.submission(), case),
            )
        };
        subject.test_cases().map(class).collect()
    };
    let mut all: Vec<Vec<Class>> = subject.candidates().map(classes_of).collect();
    let sizes = subject.input_bytes.iter().copied();
    let sizes: Vec<_> = sizes.zip(subject.test_case_names()).collect();
    let mut reruns = 0;
    for test_case in by_size(&sizes) {
        let is_timed = timed.iter().find(|timed| timed.test_case == test_case);
        let differs = |classes: &Vec<Class>| classes[test_case.0] == Class::DifferentOutputs;
        let is_open = all.iter().any(differs);
        let mut seen = Vec::new();
        for (index, prepared) in subject.submissions().zip(prepared_submissions) {
            let first = subject.first(index, test_case);
            let outputs = is_timed.map(|timed| timed.outputs[index.0].clone());
            let mut outputs = outputs.unwrap_or_default();
            let mut failed = is_timed.is_some_and(|timed| timed.failed[index.0] > 0);
            // A timed test case already has many outputs of each submission. Others have a single
            // one, which cannot show whether it changes.
            if let (Some(prepared), true, None, true) =
                (prepared, is_open, is_timed, reruns < MAX_RERUNS)
            {
                let Some(measurement) = worker.measure(prepared, test_case)? else {
                    return Ok(None);
                };
                outputs.note(measurement.output_hash.as_ref());
                failed = measurement.verdict != Verdict::Accepted
                    && !measurement.is_starved()
                    && subject.is_right(index, test_case);
            }
            if subject.is_right(index, test_case) {
                outputs.note(first.and_then(|first| first.output_hash.as_ref()));
            }
            seen.push((failed, outputs.differ));
        }
        // Reruns are counted by test case, so that their choice does not depend on the number of
        // submissions.
        reruns += usize::from(is_open && is_timed.is_none());
        for (candidate, classes) in subject.candidates().zip(&mut all) {
            let [reference, candidate] =
                [REFERENCE, candidate.submission()].map(|submission| seen[submission.0]);
            // If only one of them is right, the class is unchanged: it is a difference, whether
            // outputs change or not.
            let both_right = matches!(
                classes[test_case.0],
                Class::BothRight | Class::DifferentOutputs
            );
            if both_right && (reference.0 || candidate.0) {
                classes[test_case.0] = Class::Unsteady;
            } else if both_right && (reference.1 || candidate.1) {
                classes[test_case.0] = Class::NotDeterministic;
            }
        }
    }
    Ok(Some(all))
}

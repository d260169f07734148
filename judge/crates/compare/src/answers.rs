//! Answers: the results of two submissions on the same test case.
//!
//! Responsible for the classes. Pure. Must not know times.

use judge_event::TestCaseFinished;
use judge_event::comparison::Class;
use judge_model::{TestCaseIndex, Verdict};

/// Returns the class of a test case, from the first results of both submissions.
pub(crate) fn classify(
    reference: Option<&TestCaseFinished>,
    candidate: Option<&TestCaseFinished>,
) -> Class {
    let (Some(reference), Some(candidate)) = (reference, candidate) else {
        return Class::NotRun;
    };
    let right = |finished: &TestCaseFinished| finished.verdict == Verdict::Accepted;
    match (right(reference), right(candidate)) {
        (true, false) => Class::OnlyReference,
        (false, true) => Class::OnlyCandidate,
        (false, false) => Class::BothWrong,
        (true, true) => match (&reference.output_hash, &candidate.output_hash) {
            (Some(one), Some(other)) if one != other => Class::DifferentOutputs,
            _ => Class::BothRight,
        },
    }
}

/// Indices of test cases, sorted by the size of the input, then by name.
pub(crate) fn by_size(cases: &[(u64, &str)]) -> Vec<TestCaseIndex> {
    let mut order: Vec<TestCaseIndex> = TestCaseIndex::first(cases.len()).collect();
    order.sort_by_key(|index| cases[index.0]);
    order
}

#[cfg(test)]
mod tests {
    use judge_fixtures::test_case_finished;

    use super::*;

    fn finished(verdict: Verdict, hash: Option<&str>) -> TestCaseFinished {
        let output_hash = hash.map(str::to_owned);
        TestCaseFinished {
            output_hash,
            ..test_case_finished("", verdict, 1)
        }
    }

    #[test]
    fn pairs_of_results_are_classified() {
        let right = |hash| finished(Verdict::Accepted, hash);
        let wrong = finished(Verdict::TimeLimitExceeded, Some("b"));
        let class =
            |one: &TestCaseFinished, other: &TestCaseFinished| classify(Some(one), Some(other));
        assert_eq!(
            class(&right(Some("a")), &right(Some("a"))),
            Class::BothRight
        );
        assert_eq!(
            class(&right(Some("a")), &right(Some("b"))),
            Class::DifferentOutputs
        );
        assert_eq!(
            class(&right(None), &right(None)),
            Class::BothRight,
            "an interactive problem"
        );
        assert_eq!(class(&right(Some("a")), &wrong), Class::OnlyReference);
        assert_eq!(class(&wrong, &right(Some("b"))), Class::OnlyCandidate);
        assert_eq!(class(&wrong, &wrong), Class::BothWrong);
        assert_eq!(classify(None, Some(&wrong)), Class::NotRun);
    }

    #[test]
    fn the_smallest_input_comes_first_then_the_name() {
        assert_eq!(
            by_size(&[(9, "a"), (3, "z"), (3, "b")]),
            [2, 1, 0].map(TestCaseIndex)
        );
    }
}

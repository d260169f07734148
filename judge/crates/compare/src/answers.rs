//! Answers: what two submissions make of the same test case.
//!
//! Responsible for the classes, and for which difference is reported first. Pure. Must not know times.

use judge_event::TestCaseFinished;
use judge_model::{SubmissionIndex, TestCaseIndex, Verdict};
use serde::{Deserialize, Serialize};

use crate::document::{CandidateIndex, Comparison, REFERENCE};

/// The class of a test case, by the results of the reference and a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Class {
    /// Both are accepted, with the same output as far as that is known.
    BothRight,
    /// Only the reference is accepted.
    OnlyReference,
    /// Only the candidate is accepted.
    OnlyCandidate,
    /// Neither is accepted.
    BothWrong,
    /// Both are accepted, with different outputs: several are right.
    DifferentOutputs,
    /// One of them does not write the same output every time, and is accepted every time.
    NotDeterministic,
    /// One of them was accepted once, and another time it was not.
    Unsteady,
    /// At least one of them was not run, because of how the groups of the problem are judged.
    NotRun,
}

impl Class {
    /// The class in words; none where both are right with the same output.
    #[must_use]
    pub fn in_words(self) -> Option<&'static str> {
        Some(match self {
            Self::BothRight => return None,
            Self::OnlyReference => "only the reference is right",
            Self::OnlyCandidate => "only the candidate is right",
            Self::BothWrong => "both are wrong",
            Self::DifferentOutputs => "different outputs, both right",
            Self::NotDeterministic => "right, not the same every time",
            Self::Unsteady => "not right every time",
            Self::NotRun => "not run",
        })
    }

    /// True for a difference: one of the two is right where the other one is not, at least at times.
    #[must_use]
    pub fn is_difference(self) -> bool {
        matches!(self, Self::OnlyReference | Self::OnlyCandidate | Self::Unsteady)
    }
}

/// The class of a test case, by the first results of both.
pub(crate) fn classify(reference: Option<&TestCaseFinished>, candidate: Option<&TestCaseFinished>) -> Class {
    let (Some(reference), Some(candidate)) = (reference, candidate) else { return Class::NotRun };
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

/// Indices of test cases in the order in which differences are looked at: the smallest input first, then by name.
pub(crate) fn by_size(cases: &[(u64, &str)]) -> Vec<TestCaseIndex> {
    let mut order: Vec<TestCaseIndex> = TestCaseIndex::first(cases.len()).collect();
    order.sort_by_key(|index| cases[index.0]);
    order
}

impl Comparison {
    /// The submission that is not accepted, and the test case: of those on which only one of a candidate and the reference
    /// is accepted, the one with the smallest input.
    #[must_use]
    pub fn first_difference(&self, candidate: CandidateIndex) -> Option<(SubmissionIndex, TestCaseIndex)> {
        let sizes: Vec<_> = self.test_cases.iter().map(|case| (case.input_bytes, case.test_case.as_str())).collect();
        let classes = &self.candidates[candidate.0].classes;
        by_size(&sizes).into_iter().find_map(|case| match classes[case.0] {
            Class::OnlyReference => Some((candidate.submission(), case)),
            Class::OnlyCandidate => Some((REFERENCE, case)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use judge_fixtures::test_case_finished;

    use super::*;
    use crate::document::ComparedCase;

    fn finished(verdict: Verdict, hash: Option<&str>) -> TestCaseFinished {
        let output_hash = hash.map(str::to_owned);
        TestCaseFinished { output_hash, ..test_case_finished("", verdict, 1) }
    }

    #[test]
    fn each_pair_has_its_class() {
        let right = |hash| finished(Verdict::Accepted, hash);
        let wrong = finished(Verdict::TimeLimitExceeded, Some("b"));
        let class = |one: &TestCaseFinished, other: &TestCaseFinished| classify(Some(one), Some(other));
        assert_eq!(class(&right(Some("a")), &right(Some("a"))), Class::BothRight);
        assert_eq!(class(&right(Some("a")), &right(Some("b"))), Class::DifferentOutputs);
        assert_eq!(class(&right(None), &right(None)), Class::BothRight, "an interactive problem");
        assert_eq!(class(&right(Some("a")), &wrong), Class::OnlyReference);
        assert_eq!(class(&wrong, &right(Some("b"))), Class::OnlyCandidate);
        assert_eq!(class(&wrong, &wrong), Class::BothWrong);
        assert_eq!(classify(None, Some(&wrong)), Class::NotRun);
    }

    #[test]
    fn the_smallest_input_comes_first_then_the_name() {
        assert_eq!(by_size(&[(9, "a"), (3, "z"), (3, "b")]), [2, 1, 0].map(TestCaseIndex));
    }

    #[test]
    fn the_first_difference_is_the_one_with_the_smallest_input() {
        let mut comparison = crate::document::tests::comparison(1.0);
        let case = comparison.test_cases.remove(0);
        let sized = |input_bytes| ComparedCase { input_bytes, ..case.clone() };
        comparison.test_cases = [1, 9, 5, 3].map(sized).into();
        let mut first = |classes: [Class; 4]| {
            comparison.candidates[0].classes = classes.into();
            comparison.first_difference(CandidateIndex(0)).map(|(submission, case)| (submission.0, case.0))
        };
        let right = Class::BothRight;
        assert_eq!(first([Class::BothWrong, right, right, Class::Unsteady]), None);
        assert_eq!(
            first([right, Class::OnlyCandidate, Class::OnlyReference, right]),
            Some((1, 2)),
            "the candidate fails"
        );
        assert_eq!(
            first([right, Class::OnlyReference, right, Class::OnlyCandidate]),
            Some((0, 3)),
            "the reference fails"
        );
    }
}

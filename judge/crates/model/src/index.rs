//! Indices of problems, submissions, test cases and test groups in their lists.
//!
//! Responsible for keeping the indices of different lists apart. Must not know how the lists are
//! made.

use std::fmt;
use std::ops::{Index, Range};

use crate::{Problem, Submission, TestCase, TestGroup};

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident of $item:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);

        impl $name {
            /// Returns the items of a list with their indices.
            pub fn enumerate<T>(items: &[T]) -> impl DoubleEndedIterator<Item = (Self, &T)> + Clone {
                items.iter().enumerate().map(|(index, item)| (Self(index), item))
            }

            /// The indices in a range, in order.
            pub fn each(range: Range<Self>) -> impl DoubleEndedIterator<Item = Self> + Clone {
                (range.start.0..range.end.0).map(Self)
            }

            /// The indices of a list of this length, in order.
            pub fn first(length: usize) -> impl DoubleEndedIterator<Item = Self> + Clone {
                Self::each(Self(0)..Self(length))
            }

            /// The index after this one.
            #[must_use]
            pub fn next(self) -> Self {
                Self(self.0 + 1)
            }
        }

        impl Index<$name> for [$item] {
            type Output = $item;

            fn index(&self, index: $name) -> &$item {
                &self[index.0]
            }
        }

        impl Index<$name> for Vec<$item> {
            type Output = $item;

            fn index(&self, index: $name) -> &$item {
                &self[index.0]
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

indices! {
    /// The index of a problem in a session, or in the plan of a run.
    ProblemIndex of Problem;
    /// The index of a submission in its problem.
    SubmissionIndex of Submission;
    /// The index of a test case in its problem.
    TestCaseIndex of TestCase;
    /// The index of a test group in its problem.
    TestGroupIndex of TestGroup;
}

/// A submission's place: its problem, and its index in that problem. Places have the order of the
/// submissions in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubmissionPlace {
    /// The index of the problem.
    pub problem: ProblemIndex,
    /// The index of the submission in it.
    pub submission: SubmissionIndex,
}

impl SubmissionPlace {
    /// The places of all submissions of a problem, in order.
    pub fn of_problem(
        problem: ProblemIndex,
        submissions: &[Submission],
    ) -> impl Iterator<Item = Self> + use<> {
        SubmissionIndex::first(submissions.len()).map(move |submission| Self {
            problem,
            submission,
        })
    }
}

impl fmt::Display for SubmissionPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.problem, self.submission)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submission_places_are_ordered_by_problem_and_number() {
        let submissions = vec![Submission::default(); 11];
        let places: Vec<_> = (0..11)
            .flat_map(|problem| SubmissionPlace::of_problem(ProblemIndex(problem), &submissions))
            .collect();
        assert_eq!(places.len(), 121);
        assert!(
            places.is_sorted() && places[10] < places[11],
            "by problem, and then by number and not by digits"
        );
        assert_eq!(places[12].to_string(), "1.1");
    }

    #[test]
    fn items_are_found_by_their_index() {
        let test_cases = ["sample/1", "secret/1"].map(|id| TestCase {
            id: id.to_owned(),
            ..TestCase::default()
        });
        let test_cases = Vec::from(test_cases);
        let (second, test_case) = TestCaseIndex::enumerate(&test_cases)
            .next_back()
            .expect("there are two");
        assert_eq!(
            (second, &test_case.id, &test_cases[second].id),
            (TestCaseIndex(1), &test_case.id, &test_case.id)
        );
        let all: Vec<_> = TestCaseIndex::each(TestCaseIndex(0)..second.next()).collect();
        assert_eq!(all, [TestCaseIndex(0), TestCaseIndex(1)]);
    }
}

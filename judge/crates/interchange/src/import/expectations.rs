//! Expectations of olympiads about a solution on a subtask.
//!
//! Responsible for their meaning in packages. Must not know the words of a format.
//!
//! Source: 2025-09, "Submissions Directory": running out of memory counts as RTE.

use judge_model::Verdict::{self, Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};

use crate::import::draft::parts::Expectation;

/// The expectation about a solution on a subtask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Accepted,
    /// At least one of these verdicts in the subtask.
    One(&'static [Verdict]),
    /// No expectation.
    Anything,
}

impl Expected {
    pub(crate) const WRONG: Self = Self::One(&[WrongAnswer]);
    pub(crate) const SLOW: Self = Self::One(&[TimeLimitExceeded]);
    pub(crate) const CRASHES: Self = Self::One(&[RunTimeError]);
    pub(crate) const SLOW_OR_CRASHES: Self = Self::One(&[TimeLimitExceeded, RunTimeError]);
    pub(crate) const REJECTED: Self = Self::One(&[WrongAnswer, TimeLimitExceeded, RunTimeError]);

    /// Returns the rule for the directory of the subtask.
    pub(crate) fn rule(self) -> Option<Expectation> {
        match self {
            Self::Accepted => Some(Expectation::verdicts(&[Accepted], &[])),
            Self::One(required) => Some(Expectation::verdicts(&[], required)),
            Self::Anything => None,
        }
    }
}

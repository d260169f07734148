//! What olympiads expect of a solution on a subtask.
//!
//! Responsible for the meaning of that in packages. Must not know the words that a format has for
//! it.
//!
//! Source: 2025-09, "Submissions Directory": what runs out of memory counts as RTE.

use judge_model::Verdict::{self, Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};

use crate::import::draft::parts::Expectation;

/// What is expected on a subtask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Accepted,
    /// Any of these somewhere in the subtask.
    One(&'static [Verdict]),
    /// Nothing.
    Anything,
}

impl Expected {
    pub(crate) const WRONG: Self = Self::One(&[WrongAnswer]);
    pub(crate) const SLOW: Self = Self::One(&[TimeLimitExceeded]);
    pub(crate) const CRASHES: Self = Self::One(&[RunTimeError]);
    pub(crate) const SLOW_OR_CRASHES: Self = Self::One(&[TimeLimitExceeded, RunTimeError]);
    pub(crate) const REJECTED: Self = Self::One(&[WrongAnswer, TimeLimitExceeded, RunTimeError]);

    /// The rule for the directory of the subtask.
    pub(crate) fn rule(self) -> Option<Expectation> {
        match self {
            Self::Accepted => Some(Expectation {
                permitted: vec![Accepted],
                ..Expectation::default()
            }),
            Self::One(required) => Some(Expectation {
                required: required.to_vec(),
                ..Expectation::default()
            }),
            Self::Anything => None,
        }
    }
}

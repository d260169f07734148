//! The result of a comparison: accepted, or the first mismatch with its place.
//!
//! Must not know the layout of a report.

use judge_model::{DifferenceKind, Position};

/// The result of comparing an output with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The output is right.
    Accepted,
    /// The output is wrong, with the first mismatch.
    Rejected(Mismatch),
}

impl Comparison {
    /// True if the output is right.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted)
    }
}

/// A position in a stream, with its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The position. Its token is the one that starts here, or the next one.
    pub position: Position,
    /// The byte within the stream, from 0.
    pub offset: u64,
}

/// The first mismatch between an answer and an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// The place in the answer where the token (or whitespace) starts; the end of the answer when
    /// nothing is left.
    pub answer: Place,
    /// The place in the output where the token (or whitespace) starts; the end of the output when
    /// nothing is left.
    pub output: Place,
    /// The part of the token (or whitespace) of the answer around the first byte that differs: at
    /// most 128 bytes before it and 128 from there. Empty without a token.
    pub expected: Vec<u8>,
    /// The same part of the output.
    pub found: Vec<u8>,
}

#[cfg(test)]
#[path = "mismatch_tests.rs"]
mod tests;

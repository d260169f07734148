//! The first difference between an output and the expected one, with the lines around it.
//!
//! Responsible for excerpts that stay small however large the files are. Must not compare or render
//! anything.

use judge_model::{DifferenceKind, Position};
use serde::{Deserialize, Serialize};

use crate::Bytes;

/// One line of an excerpt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// The part of the line that was not cut off.
    pub text: Bytes,
    /// Bytes cut off before `text`; absent when none.
    #[serde(default, skip_serializing_if = "crate::is_zero")]
    pub cut_before: u64,
    /// Bytes cut off after `text`; absent when none.
    #[serde(default, skip_serializing_if = "crate::is_zero")]
    pub cut_after: u64,
}

/// Some lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Window {
    /// The number of the first line shown.
    pub first_line: u64,
    /// The lines.
    pub lines: Vec<Line>,
    /// True when the file continues after them.
    pub more_after: bool,
}

/// The first difference between an answer and an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// The place in the answer.
    pub answer_position: Position,
    /// The place in the output.
    pub output_position: Position,
    /// The expected token or line, cut when long; empty when nothing more was expected.
    pub expected: Bytes,
    /// The token or line found, cut when long; empty when the output ended.
    pub found: Bytes,
    /// Lines of the answer around the place.
    pub answer_window: Window,
    /// Lines of the output around the place.
    pub output_window: Window,
    /// True when answer and output have the same number of lines, so that each line has its
    /// counterpart in the other; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_line_count: bool,
}

/// The beginning and the end of something long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Excerpt {
    /// The beginning.
    pub head: Bytes,
    /// Number of bytes left out between `head` and `tail`.
    pub left_out: u64,
    /// The end; empty when `head` is everything.
    pub tail: Bytes,
}

impl From<Bytes> for Excerpt {
    fn from(head: Bytes) -> Self {
        Self {
            head,
            ..Self::default()
        }
    }
}

impl Excerpt {
    /// The first `head` and the last `tail` bytes, or everything if there are no more bytes than
    /// that.
    #[must_use]
    pub fn new(bytes: &[u8], head: usize, tail: usize) -> Self {
        match bytes.len().checked_sub(head.saturating_add(tail)) {
            None | Some(0) => Bytes::from(bytes).into(),
            Some(left_out) => Self {
                head: bytes[..head].into(),
                left_out: left_out as u64,
                tail: bytes[head + left_out..].into(),
            },
        }
    }

    /// True when it contains no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head.is_empty() && self.left_out == 0 && self.tail.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_tail_add_up() {
        let excerpt = |head, tail| Excerpt::new(b"0123456789", head, tail);
        let cut = |head: &str, left_out, tail: &str| Excerpt {
            head: head.into(),
            left_out,
            tail: tail.into(),
        };
        assert_eq!(excerpt(3, 2), cut("012", 5, "89"));
        assert_eq!(excerpt(0, 1), cut("", 9, "9"));
        assert_eq!(excerpt(1, 0), cut("0", 9, ""));
        for whole in [
            excerpt(5, 5),
            excerpt(9, 9),
            excerpt(usize::MAX, usize::MAX),
        ] {
            assert_eq!(whole, cut("0123456789", 0, ""));
        }
    }
}

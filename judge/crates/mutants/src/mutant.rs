//! One mutant: an edit of a text, and where a program that holds many can choose it.
//!
//! Must not know how mutants are found.

use std::ops::Range;

use crate::operator::Operator;

/// A part of a text and what stands in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// In bytes.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

/// A program with one mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Ten hexadecimal digits that come from the mistake and the function around it, and not from what lies elsewhere in
    /// the file: the same as long as that function stays the same.
    pub id: String,
    /// The kind of mistake.
    pub operator: Operator,
    /// The edits, in order, none overlapping another. Usually one.
    pub edits: Vec<Edit>,
    /// The line of the first edit, counted from 1.
    pub line: usize,
    /// The function around it, such as `Board::new`; empty when there is none.
    pub function: String,
    /// The text that is replaced (of the first edit).
    pub was: String,
    /// Where one program can choose between this and the original; `None` when it has to be compiled by itself.
    pub seat: Option<Seat>,
}

/// A part of a program in whose place a choice can be put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// In bytes. Holds every edit.
    pub range: Range<usize>,
    /// What is there.
    pub kind: SeatKind,
    /// What is chosen, where it is not simply the text after the edits: something of the same meaning and another type.
    pub instead: Option<String>,
    /// When the mutant can be told from the original at this place.
    pub differs: Differs,
}

/// What a seat holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeatKind {
    /// A whole statement, with its semicolon if it has one.
    Statement,
    /// An expression.
    Expression,
}

/// Whether reaching a place is enough to do something else there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Differs {
    /// As far as one knows: when it is reached.
    Always,
    /// When the value there is not this one.
    UnlessValueIs(bool),
    /// When this expression, which changes nothing, is true.
    When(String),
}

impl Mutant {
    /// The whole text of the mutant.
    ///
    /// # Panics
    /// When the text is not the one that the mutant was made of.
    #[must_use]
    pub fn apply(&self, source: &str) -> String {
        apply(source, 0..source.len(), &self.edits)
    }
}

/// A part of a text after edits that all lie in it.
pub(crate) fn apply(source: &str, part: Range<usize>, edits: &[Edit]) -> String {
    let mut text = String::new();
    let mut from = part.start;
    for edit in edits {
        text.push_str(&source[from..edit.range.start]);
        text.push_str(&edit.text);
        from = edit.range.end;
    }
    text + &source[from..part.end]
}

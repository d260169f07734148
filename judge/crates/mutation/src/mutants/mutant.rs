//! One mutant: an edit of a text, and where a program that holds many can choose it.
//!
//! Must not know how mutants are found.

use std::fmt;
use std::ops::{Index, Range};

use crate::mutants::operator::Operator;

/// A part of a text and what stands in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    /// In bytes.
    pub(crate) range: Range<usize>,
    /// The new text.
    pub(crate) text: String,
}

/// The index of a mutant among all of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MutantIndex(pub(crate) usize);

impl MutantIndex {
    /// The indices of so many mutants, in order.
    pub(crate) fn first(mutants: usize) -> impl Iterator<Item = Self> {
        (0..mutants).map(Self)
    }

    /// The number by which a combined program chooses the mutant, where 0 is the original.
    pub(crate) fn number(self) -> u32 {
        u32::try_from(self.0 + 1).unwrap_or(u32::MAX)
    }
}

impl fmt::Display for MutantIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Index<MutantIndex> for [T] {
    type Output = T;

    fn index(&self, index: MutantIndex) -> &T {
        &self[index.0]
    }
}

impl<T> Index<MutantIndex> for Vec<T> {
    type Output = T;

    fn index(&self, index: MutantIndex) -> &T {
        &self[index.0]
    }
}

/// A program with one mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mutant {
    /// Ten hexadecimal digits that come from the mistake and the function around it, and not from what lies elsewhere
    /// in the file: the same as long as that function stays the same.
    pub(crate) id: String,
    /// The kind of mistake.
    pub(crate) operator: Operator,
    /// The edits, in order, none overlapping another. Usually one.
    pub(crate) edits: Vec<Edit>,
    /// The line of the first edit, counted from 1.
    pub(crate) line: usize,
    /// The function around it, such as `Board::new`; empty when there is none.
    pub(crate) function: String,
    /// The text that is replaced (of the first edit).
    pub(crate) was: String,
    /// The seat: the place where one program can choose between this and the original; `None` when it has to be
    /// compiled by itself.
    pub(crate) seat: Option<Seat>,
    /// The operation that the mistake is in, for a mistake in its operator or in one of its sides.
    pub(crate) operation: Option<Operation>,
}

/// An operation of two sides, as it stands in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) left: String,
    pub(crate) op: String,
    pub(crate) right: String,
    /// The other operator, or the side that is left.
    pub(crate) other: String,
}

impl Operation {
    pub(crate) fn new((left, op, right): (&str, &str, &str), other: &str) -> Self {
        let [left, op, right, other] = [left, op, right, other].map(str::to_owned);
        Self { left, op, right, other }
    }
}

/// A part of a program in whose place a choice can be put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seat {
    /// In bytes. Holds every edit.
    pub(crate) range: Range<usize>,
    /// The kind of the part.
    pub(crate) kind: SeatKind,
    /// The text that is chosen instead, where it is not simply the text after the edits: something of the same meaning
    /// and another type.
    pub(crate) instead: Option<String>,
    /// The condition under which the mutant differs from the original at this place.
    pub(crate) differs: Differs,
}

/// The kind of the part that a seat holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SeatKind {
    /// A whole statement, with its semicolon if it has one.
    Statement,
    /// A block, which stands there once more for the mistake in it.
    Block,
    /// A condition, whose value may become a truth value. Rust needs none of these: its conditions are such.
    Condition,
    /// An expression.
    Expression,
}

/// The condition under which a mutant does something else at a place that is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Differs {
    /// As far as one knows: when it is reached.
    Always,
    /// When the value there is not this one.
    UnlessValueIs(bool),
    /// When this expression, which changes nothing, is true.
    When(String),
}

impl SeatKind {
    /// True where statements are chosen, and not values.
    pub(crate) fn is_statement(self) -> bool {
        matches!(self, Self::Statement | Self::Block)
    }
}

impl Mutant {
    /// The whole text of the mutant.
    ///
    /// # Panics
    /// When the text is not the one that the mutant was made of.
    #[must_use]
    pub(crate) fn apply(&self, source: &str) -> String {
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

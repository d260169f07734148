//! A mutant: edits of a program, its kind of mistake, and the place where a combined program can
//! choose it. The names of the kinds are reported and stored.
//!
//! Must not know how mutants are found.

use std::fmt;
use std::ops::{Index, Range};

/// A part of a text and its replacement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Edit {
    /// The range of the part, in bytes.
    pub(crate) range: Range<usize>,
    /// The new text.
    pub(crate) text: String,
}

/// The index of a mutant among all mutants of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MutantIndex(pub(crate) usize);

impl MutantIndex {
    /// The first indices, in order.
    pub(crate) fn first(mutants: usize) -> impl Iterator<Item = Self> {
        (0..mutants).map(Self)
    }

    /// The number by which a combined program chooses the mutant; 0 is the original.
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
    /// Ten hexadecimal digits, computed from the mistake and the function around it. The id does
    /// not depend on the rest of the file.
    pub(crate) id: String,
    /// The kind of mistake.
    pub(crate) operator: Operator,
    /// The edits, in order and without overlap. Usually one.
    pub(crate) edits: Vec<Edit>,
    /// The line of the first edit, counted from 1.
    pub(crate) line: usize,
    /// The function around it, such as `Board::new`; empty outside of functions.
    pub(crate) function: String,
    /// The text that the first edit replaces.
    pub(crate) was: String,
    /// The choice between this mutant and the original in a combined program; `None` for a mutant
    /// that has to be compiled separately.
    pub(crate) choice: Option<Choice>,
    /// The operation, for a mistake in its operator or in one of its sides.
    pub(crate) operation: Option<Operation>,
}

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub(crate) enum Operator {
    /// `<` for `<=`, `==` for `!=`.
    Comparison,
    /// `+` for `-`, `*` for `/`, `&` for `|`, `<<` for `>>`.
    Arithmetic,
    /// `+=` for `-=`, and similar operators.
    Assignment,
    /// An integer that is one too large or one too small.
    OffByOne,
    /// `..` for `..=`.
    RangeBound,
    /// The initial value of a variable.
    InitialValue,
    /// `true` for `false`.
    Boolean,
    /// A condition that always holds, or never does; an `else` that is left out.
    Branch,
    /// `&&` for `||`, one side of them left out, `!` left out.
    Logic,
    /// A `break`, `continue` or `return` that is left out.
    Jump,
    /// A statement that is left out.
    Statement,
    /// Two arguments of a call in the wrong order.
    Arguments,
    /// `min` for `max`, `any` for `all`, one end of a queue for the other.
    Method,
    /// A narrower integer type.
    IntegerWidth,
    /// A cast that is left out.
    Cast,
    /// A copy that is left out: two names for one list.
    Copy,
}

impl Operator {
    /// The name, in lower case with hyphens.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Comparison => "comparison",
            Self::Arithmetic => "arithmetic",
            Self::Assignment => "assignment",
            Self::OffByOne => "off-by-one",
            Self::RangeBound => "range-bound",
            Self::InitialValue => "initial-value",
            Self::Boolean => "boolean",
            Self::Branch => "branch",
            Self::Logic => "logic",
            Self::Jump => "jump",
            Self::Statement => "statement",
            Self::Arguments => "arguments",
            Self::Method => "method",
            Self::IntegerWidth => "integer-width",
            Self::Cast => "cast",
            Self::Copy => "copy",
        }
    }
}

/// An operation with two sides, as the program has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) left: String,
    pub(crate) op: String,
    pub(crate) right: String,
    /// The mistaken operator, or the side that remains.
    pub(crate) other: String,
}

/// A part of a program that can be replaced by a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The range of the part, in bytes. Contains every edit.
    pub(crate) range: Range<usize>,
    /// The kind of the part.
    pub(crate) kind: ChoiceKind,
    /// The text to choose instead of the edited one. It has the same meaning, and the type of the
    /// original.
    pub(crate) instead: Option<String>,
    /// The condition on which the mutant differs from the original here.
    pub(crate) differs: Differs,
}

impl Choice {
    pub(crate) fn new(range: Range<usize>, kind: ChoiceKind) -> Self {
        Self {
            range,
            kind,
            instead: None,
            differs: Differs::Always,
        }
    }
}

/// The kind of the part that a choice replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ChoiceKind {
    /// A whole statement, with its semicolon if it has one.
    Statement,
    /// A block, of which the program contains another copy for each mistake in it.
    Block,
    /// A condition in C or C++, which is converted to a truth value.
    Condition,
    /// An expression.
    Expression,
}

impl ChoiceKind {
    /// True when statements are chosen, and not values.
    pub(crate) fn is_statement(self) -> bool {
        matches!(self, Self::Statement | Self::Block)
    }
}

/// The condition on which a mutant differs from the original when its place is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Differs {
    /// Always, or unknown.
    Always,
    /// When the value of the part is not this one.
    UnlessValueIs(bool),
    /// When this expression, which has no side effects, is true.
    When(String),
}

impl Mutant {
    /// Returns the complete text of the mutant.
    ///
    /// # Panics
    /// When `source` is not the text of the mutated program.
    #[must_use]
    pub(crate) fn apply(&self, source: &str) -> String {
        apply(source, 0..source.len(), &self.edits)
    }
}

/// Returns a part of a text after edits, all of which are inside of the part.
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

/// A function of the program.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) range: Range<usize>,
}

/// A mutant without an id.
pub(super) struct Mistake {
    pub(super) operator: Operator,
    pub(super) edits: Vec<Edit>,
    pub(super) choice: Option<Choice>,
    pub(super) function: Option<Function>,
    pub(super) operation: Option<Operation>,
}

/// The purpose of a combined program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The program behaves like the chosen mutant; 0 is the original, and mutants are counted from
    /// 1.
    Choosing,
    /// The program behaves like the original. At its end it writes [`Combined::MARK`], a space, and
    /// a digit for each mutant to standard error: 0 if its place was not reached, 1 if it was
    /// reached with no value that makes a difference, and 2 if it was reached with such a value.
    Recording,
}

/// A program with many mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Combined {
    /// The complete text.
    pub(crate) text: String,
    /// The places of the texts of mutants.
    pub(crate) branches: Vec<(Range<usize>, MutantIndex)>,
    /// The places of choices, each with its mutants; inner ones after outer ones.
    pub(crate) choices: Vec<(Range<usize>, Vec<MutantIndex>)>,
}

impl Combined {
    /// The bytes before the number in the compiled program, and the word before the recorded
    /// digits.
    pub(crate) const MARK: &'static str = "judge-mutants:7f3ac1e95b";
}

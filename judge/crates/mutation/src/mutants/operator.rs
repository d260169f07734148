//! The kinds of mistakes.
//!
//! Responsible for their names, which are reported and stored. Must not know how places for
//! mistakes are found.

use std::fmt;

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

impl fmt::Display for Operator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

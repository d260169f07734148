//! The syntax tree of a program: commands, expressions, tests.
//!
//! Chains of operators are lists, so only brackets, signs and blocks nest, and nesting is bounded
//! by the parser. Must not know how programs are written or what they do.

use std::sync::Arc;

use crate::number::{Arithmetic, Number};
use crate::pattern::Pattern;

/// A parsed program, ready to check any number of inputs.
#[derive(Debug)]
pub struct Program {
    pub(crate) commands: Vec<Command>,
    pub(crate) names: Vec<NameUse>,
    /// The line on which the program ends, from 1.
    pub(crate) last_line: u32,
}

/// A value of the language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Number(Number),
    Text(Arc<[u8]>),
}

/// The number of a name. Names are numbered in the order in which they first appear.
pub(crate) type Name = usize;

/// The use of a name in a program.
#[derive(Clone, Debug)]
pub(crate) struct NameUse {
    pub(crate) name: String,
    /// True if some command gives it a value.
    pub(crate) is_assigned: bool,
    /// True if an `INARRAY` searches it, so that its values must be counted.
    pub(crate) is_searched: bool,
}

/// A variable, or an element of an array.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    /// Empty for a plain variable.
    pub(crate) index: Vec<Expression>,
}

/// An expression, which has a value.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Constant(Value),
    Variable(Variable),
    /// The number of bytes of a string.
    Length(Box<Expression>),
    Negation(Box<Expression>),
    /// Operators of the same precedence, applied from left to right.
    Chain(Box<Expression>, Vec<(Arithmetic, Expression)>),
}

/// A test, which is true or false.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
    Compare(Expression, Comparison, Expression),
    EndOfFile,
    /// The next byte is among those of a string.
    Match(Expression),
    Unique(Vec<Name>),
    InArray(Expression, Name),
}

/// The operators that compare two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// The notation in which a float has to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    Any,
    /// Without an exponent.
    Fixed,
    /// With an exponent.
    Scientific,
}

/// A command, and the line of the program that it begins on.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) line: u32,
    pub(crate) kind: CommandKind,
}

/// The commands.
#[derive(Clone, Debug)]
pub(crate) enum CommandKind {
    Space,
    Newline,
    EndOfFile,
    Integer {
        min: Expression,
        max: Expression,
        into: Option<Variable>,
    },
    Float {
        min: Expression,
        max: Expression,
        /// The minimum and maximum number of digits after the point, if they are restricted.
        decimals: Option<(Expression, Expression)>,
        notation: Notation,
        into: Option<Variable>,
    },
    Text(Expression),
    Pattern {
        pattern: Expression,
        /// The compiled pattern, when it does not depend on variables.
        compiled: Option<Arc<Pattern>>,
        into: Option<Variable>,
    },
    Assert {
        test: Test,
        /// The test as it is written, for messages.
        written: String,
    },
    Set(Vec<(Variable, Expression)>),
    Unset(Vec<Name>),
    Repeat {
        counter: Option<Variable>,
        bound: Bound,
        separator: Option<Box<Command>>,
        body: Vec<Command>,
    },
    If {
        test: Test,
        then: Vec<Command>,
        otherwise: Vec<Command>,
    },
}

/// The bound of a loop: the condition under which it ends.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    /// Ends after this number of passes.
    Count(Expression),
    /// Ends before the first pass for which this test is false.
    While(Test),
}

//! Errors: in the syntax of a program, in the input, and in a program that runs.
//!
//! The three are kept apart because different people must act. Must not know the language.

use std::fmt;

use thiserror::Error;

/// A syntax error in a program. Displayed as `LINE:COLUMN: what was expected and found`, to be
/// appended to a file's name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {message}")]
pub struct SyntaxError {
    /// The line of the program, from 1.
    pub line: u32,
    /// The byte in the line, from 1.
    pub column: u32,
    /// The message: what was expected and what was found, on one line.
    pub message: String,
}

/// An input that does not match the program. Displayed on one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct Rejection {
    /// The line of the input, from 1.
    pub line: u64,
    /// The byte in the line, from 1.
    pub column: u64,
    /// The message: what was expected and what was found, on one line.
    pub message: String,
    /// The line of the program whose command did not match. If the input continues after the last
    /// command, this is the line on which the program ends.
    pub program_line: u32,
}

/// A program that cannot continue, so the input is neither accepted nor rejected. Displayed on one
/// line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("program line {program_line}: {kind} (at line {line}, column {column} of the input)")]
pub struct Fault {
    /// The line of the program, from 1.
    pub program_line: u32,
    /// The line up to which the input had been read, from 1.
    pub line: u64,
    /// The column up to which the input had been read: the byte in the line, from 1.
    pub column: u64,
    /// The kind of the fault.
    pub kind: FaultKind,
}

/// The reason why a program cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// A variable, or an element of an array, is read before it has a value.
    #[error("`{0}` has no value")]
    Undefined(String),
    /// A value has the wrong type.
    #[error("expected {expected}, found {found}")]
    Type {
        /// The expected type or value, and its position in the command.
        expected: &'static str,
        /// The type or value that was found.
        found: String,
    },
    /// Integers or floats are divided by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A result has more bits than a number may have.
    #[error("a number is too large for this calculation")]
    TooLarge,
    /// A number is out of its range.
    #[error("expected {expected}, found {found}")]
    Range {
        /// The expected range: the role of the number, and the numbers that are allowed.
        expected: &'static str,
        /// The number.
        found: String,
    },
    /// A regular expression that the program built at run time is invalid.
    #[error("{0}")]
    Pattern(String),
    /// Checking takes more than the maximum number of steps, most likely
    /// because of an endless loop.
    #[error(
        "the program does not end within {0} steps; does every pass of a `WHILE` read something?"
    )]
    Steps(u64),
}

/// The reason why an input was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CheckError {
    /// The input is wrong.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The program is wrong: a fault of the package and not of the input.
    #[error(transparent)]
    Faulty(#[from] Fault),
}

/// An excerpt of bytes for a message: on one line, and cut to [`Excerpt::MAX`] bytes.
pub(crate) struct Excerpt<'a>(pub(crate) &'a [u8]);

impl Excerpt<'_> {
    const MAX: usize = 40;
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, cut) = match self.0.get(..Self::MAX) {
            Some(head) if self.0.len() > Self::MAX => (head, true),
            _ => (self.0, false),
        };
        f.write_str("`")?;
        for chunk in shown.utf8_chunks() {
            for character in chunk.valid().chars() {
                if character.is_control() {
                    write!(f, "{}", character.escape_default())?;
                } else {
                    write!(f, "{character}")?;
                }
            }
            // If the cut went through a character, its first bytes are not shown as invalid.
            if !cut || chunk.invalid().is_empty() || !shown.ends_with(chunk.invalid()) {
                write!(f, "{}", chunk.invalid().escape_ascii())?;
            }
        }
        f.write_str(if cut { "…`" } else { "`" })
    }
}

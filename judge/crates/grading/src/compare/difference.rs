//! The result of a comparison: accepted, or the first difference and where it is.
//!
//! Responsible for describing a difference in one line. Must not know how a report is laid out.

use std::fmt;

/// The result of comparing an output with an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Comparison {
    /// The output is right.
    Accepted,
    /// The output is wrong, and this is the first difference.
    Rejected(Difference),
}

impl Comparison {
    /// True if the output is right.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted)
    }
}

/// A place in a file. Lines and columns count bytes and line feeds, nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The byte within the line, from 1.
    pub column: u64,
    /// The token within the line, from 1: the one that starts here, or the next one.
    pub token: u64,
    /// The byte within the file, from 0.
    pub offset: u64,
}

/// A part of a token, or of the whitespace between tokens, around the first byte that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The bytes: at most 128 before the difference and 128 from there. Empty where there is no token.
    pub bytes: Vec<u8>,
    /// Bytes that were left out before them.
    pub omitted_before: u64,
    /// True if more bytes follow.
    pub cut_after: bool,
}

/// The first difference between an answer and an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// The position in the answer where the token (or whitespace) starts; the end of the answer when there is none.
    pub answer: Position,
    /// The position in the output where the token (or whitespace) starts; the end of the output when there is none.
    pub output: Position,
    /// The number of bytes from there that still agree on both sides.
    pub agreeing_bytes: u64,
    /// The part of the answer that is expected.
    pub expected: Excerpt,
    /// The part of the output that was found.
    pub found: Excerpt,
}

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DifferenceKind {
    /// Two tokens differ as bytes.
    TokenMismatch,
    /// The answer has a number here, the output something that is none.
    NotANumber,
    /// Two numbers differ by more than is tolerated.
    FloatOutsideTolerance {
        /// Their absolute difference; infinite when it is too large for a binary64.
        absolute_error: f64,
        /// The absolute error divided by the absolute value of the answer; infinite when the answer is 0.
        relative_error: f64,
        /// The tolerated absolute error.
        absolute_tolerance: Option<f64>,
        /// The tolerated relative error.
        relative_tolerance: Option<f64>,
    },
    /// The output ends before this token of the answer.
    MissingToken,
    /// The answer ends before this token of the output.
    ExtraToken,
    /// The whitespace differs, and whitespace counts.
    Whitespace,
}

impl Difference {
    /// The difference in one line of ASCII, such as ``line 3, token 2: expected `12`, found `13` ``.
    #[must_use]
    pub fn describe(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column, token, .. } = self.output;
        let (expected, found) = (&self.expected, &self.found);
        match self.kind {
            DifferenceKind::Whitespace => {
                write!(f, "line {line}, column {column}: expected {}, found {}", Space(expected), Space(found))?;
            }
            DifferenceKind::TokenMismatch => {
                write!(f, "line {line}, token {token}: expected {expected}, found {found}")?;
            }
            DifferenceKind::NotANumber => {
                write!(f, "line {line}, token {token}: expected a number close to {expected}, found {found}")?;
            }
            DifferenceKind::FloatOutsideTolerance {
                absolute_error,
                relative_error,
                absolute_tolerance,
                relative_tolerance,
            } => {
                write!(f, "line {line}, token {token}: expected {expected}, found {found}")?;
                write_error(f, "absolute", absolute_error, absolute_tolerance)?;
                write_error(f, "relative", relative_error, relative_tolerance)?;
            }
            DifferenceKind::MissingToken => {
                write!(f, "line {line}, token {token}: expected {expected}, found the end of the output")?;
            }
            DifferenceKind::ExtraToken => {
                write!(f, "line {line}, token {token}: expected the end of the output, found {found}")?;
            }
        }
        let answer = self.answer;
        if (answer.line, answer.token) == (line, token) {
            Ok(())
        } else {
            write!(f, " (in the answer: line {}, token {})", answer.line, answer.token)
        }
    }
}

fn write_error(f: &mut fmt::Formatter<'_>, name: &str, error: f64, tolerance: Option<f64>) -> fmt::Result {
    // Three significant digits tell how far off something is, unless they read as if it were tolerated.
    let rounded = |digits: usize| format!("{error:.digits$e}").parse().unwrap_or(error);
    let shown = (2..=17).map(rounded).find(|shown| Some(*shown) != tolerance).unwrap_or(error);
    write!(f, ", {name} error {}", Figure(shown))?;
    match tolerance {
        Some(tolerance) => write!(f, " (tolerated: {})", Figure(tolerance)),
        None => Ok(()),
    }
}

/// A number of any magnitude, as short as it reads back.
struct Figure(f64);

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        if value == 0.0 || !value.is_finite() || (1e-3..1e6).contains(&value) {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.omitted_before > 0 {
            write!(f, "[{} bytes]...", self.omitted_before)?;
        }
        write!(f, "`{}`", self.bytes.escape_ascii())?;
        if self.cut_after { f.write_str("...") } else { Ok(()) }
    }
}

/// An excerpt of whitespace, of which there may be none.
struct Space<'a>(&'a Excerpt);

impl fmt::Display for Space<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.bytes.is_empty() { f.write_str("no whitespace") } else { write!(f, "whitespace {}", self.0) }
    }
}

#[cfg(test)]
#[path = "difference_tests.rs"]
mod tests;

//! The place and the kind of a difference between an output and an answer.
//!
//! Must not know how outputs are compared or how a difference is rendered.

use serde::{Deserialize, Serialize};

/// A place in a file. Lines and columns count bytes and line feeds, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The column, in bytes.
    pub column: u64,
    /// The number of the token in its line; 0 where no token is concerned.
    pub token: u64,
}

/// The way in which an output differs from the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// A token differs from the expected one.
    Token,
    /// A number is outside the tolerance.
    Tolerance,
    /// The output ends although more is expected.
    Missing,
    /// The output continues although nothing more is expected.
    Extra,
    /// White space differs, and white space counts.
    Whitespace,
    /// A validator of the package rejected the output; the first line that differs is shown as a
    /// hint.
    Line,
}

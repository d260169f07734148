//! The arguments of the default output validator.
//!
//! Responsible for reading them by the rules of the format version. Must not know in which file
//! they were written.
//!
//! Source: package format 2025-09, "Default output validator specification"; legacy, "Default
//! Validator Capabilities".

use crate::FormatVersion;

const CASE_SENSITIVE: &str = "case_sensitive";
const SPACE_CHANGE_SENSITIVE: &str = "space_change_sensitive";
const FLOAT_RELATIVE: &str = "float_relative_tolerance";
const FLOAT_ABSOLUTE: &str = "float_absolute_tolerance";
const FLOAT_BOTH: &str = "float_tolerance";

/// The options of the default output validator: when an output differs from the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompareOptions {
    /// True if the case of ASCII letters counts.
    pub case_sensitive: bool,
    /// True if every whitespace byte counts, leading and trailing ones too.
    pub space_change_sensitive: bool,
    /// The relative tolerance: a factor of the answer's absolute value, inclusive. Not negative.
    pub float_relative: Option<f64>,
    /// The absolute tolerance, inclusive. Not negative.
    pub float_absolute: Option<f64>,
}

/// An argument that the default output validator does not understand. It makes every comparison a
/// judge error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidArgument {
    /// No argument has this name.
    #[error(
        "unknown argument `{argument}` of the default output validator; expected `{CASE_SENSITIVE}`, \
         `{SPACE_CHANGE_SENSITIVE}`, `{FLOAT_RELATIVE} E`, `{FLOAT_ABSOLUTE} E` or `{FLOAT_BOTH} E`"
    )]
    Unknown {
        /// The argument that was given.
        argument: String,
    },
    /// The last argument needs a value.
    #[error(
        "argument `{argument}` of the default output validator needs a tolerance after it, such as `1e-6`"
    )]
    MissingTolerance {
        /// The argument.
        argument: &'static str,
    },
    /// The value is not a number, is negative, or is out of the range of binary64 (infinite or 0
    /// there).
    #[error(
        "invalid tolerance `{value}` for argument `{argument}` of the default output validator; expected a decimal \
         number of at least 0 in the range of binary64, such as `1e-6`"
    )]
    InvalidTolerance {
        /// The argument.
        argument: &'static str,
        /// The value that was given for it.
        value: String,
    },
    /// A tolerance was set before (2025-09 only).
    #[error(
        "argument `{argument}` of the default output validator sets a tolerance that `{earlier}` has already set"
    )]
    ToleranceSetTwice {
        /// The second argument.
        argument: &'static str,
        /// The first one.
        earlier: &'static str,
    },
}

impl CompareOptions {
    /// Reads the arguments of the default output validator.
    ///
    /// In 2025-09 it is an error to set a tolerance twice, by repeating an argument or by giving
    /// `float_tolerance` together with another. The legacy versions do not mention this; there, the
    /// last one counts, as in their reference implementation.
    ///
    /// # Errors
    ///
    /// The first argument that is unknown, has a missing or invalid tolerance, or sets one twice.
    pub fn parse(args: &[String], version: FormatVersion) -> Result<Self, InvalidArgument> {
        let mut options = Self::default();
        let mut earlier: Vec<&'static str> = Vec::new();
        let mut args = args.iter();
        while let Some(argument) = args.next() {
            let argument = match argument.as_str() {
                CASE_SENSITIVE => {
                    options.case_sensitive = true;
                    continue;
                }
                SPACE_CHANGE_SENSITIVE => {
                    options.space_change_sensitive = true;
                    continue;
                }
                FLOAT_RELATIVE => FLOAT_RELATIVE,
                FLOAT_ABSOLUTE => FLOAT_ABSOLUTE,
                FLOAT_BOTH => FLOAT_BOTH,
                _ => {
                    return Err(InvalidArgument::Unknown {
                        argument: argument.clone(),
                    });
                }
            };
            // The tolerance is a separate argument; the format has no `float_tolerance=1e-6`.
            let value = args
                .next()
                .ok_or(InvalidArgument::MissingTolerance { argument })?;
            let tolerance =
                parse_tolerance(value).ok_or_else(|| InvalidArgument::InvalidTolerance {
                    argument,
                    value: value.clone(),
                })?;
            if version == FormatVersion::V2025_09 {
                // `float_tolerance` sets both tolerances, so that it overlaps with either
                // argument.
                let overlaps = |other: &'static str| {
                    [argument, other].contains(&FLOAT_BOTH) || other == argument
                };
                if let Some(earlier) = earlier.iter().copied().find(|other| overlaps(other)) {
                    return Err(InvalidArgument::ToleranceSetTwice { argument, earlier });
                }
                earlier.push(argument);
            }
            // With both tolerances set, an output within either of them is right.
            if argument != FLOAT_ABSOLUTE {
                options.float_relative = Some(tolerance);
            }
            if argument != FLOAT_RELATIVE {
                options.float_absolute = Some(tolerance);
            }
        }
        Ok(options)
    }

    /// True if tokens of the answer that are numbers are compared as numbers.
    #[must_use]
    pub fn reads_floats(&self) -> bool {
        self.float_relative.is_some() || self.float_absolute.is_some()
    }
}

/// A tolerance in the grammar of all numbers of the format. A tolerance out of the range of
/// binary64 is refused: it would permit everything, or nothing, among numbers of that size.
fn parse_tolerance(text: &str) -> Option<f64> {
    // `f64::from_str` reads this grammar, and also the words `inf`, `infinity` and `nan`.
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    let is_zero = unsigned
        .split(['e', 'E'])
        .next()
        .is_some_and(|digits| !digits.contains(|digit| matches!(digit, '1'..='9')));
    // A number that is zero in binary64 but not as written is out of range, not a tolerance of
    // zero.
    if is_zero {
        Some(0.0)
    } else {
        Some(value).filter(|value| value.is_finite() && *value > 0.0)
    }
}

#[cfg(test)]
#[path = "compare_options_tests.rs"]
mod tests;

//! The notation of numbers: their grammar and their range.
//!
//! Responsible for the notation. Must not read anything itself.
//!
//! Source: package format 2025-09, "General requirements": the form of floating-point numbers.

// Programs that contain the library are compiled in older editions too, in which this trait is not
// in the prelude.
use std::convert::TryFrom;
use std::fmt::Display;

mod sealed {
    pub trait Sealed {}
}

/// A type of integers that can be read and drawn: those of up to 64 bits, and `i128`.
pub trait Integer: Copy + Ord + Display + sealed::Sealed {
    /// Returns the same number as an `i128`.
    fn to_wide(self) -> i128;

    /// Returns the same number; `None` when it is outside of this type.
    fn from_wide(wide: i128) -> Option<Self>;
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(
            impl sealed::Sealed for $type {}

            impl Integer for $type {
                fn to_wide(self) -> i128 {
                    self as i128
                }

                fn from_wide(wide: i128) -> Option<Self> {
                    Self::try_from(wide).ok()
                }
            }
        )*
    };
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize }

/// The reason why a token is not a number of the expected kind, in words; empty when it is obvious.
pub(super) type Why = &'static str;

const NO_NUMBER: Why = "";
const LEADING_ZEROS: Why = "it has leading zeros";
const NEGATIVE_ZERO: Why = "zero has no sign";

/// Parses an integer in canonical notation: without a plus sign, leading zeros or `-0`. `None` for
/// one that is too large for any type.
pub(super) fn parse_integer(token: &[u8]) -> Result<Option<i128>, Why> {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(NO_NUMBER);
    }
    if digits[0] == b'0' && digits.len() > 1 {
        return Err(LEADING_ZEROS);
    }
    if digits == b"0" && digits.len() < token.len() {
        return Err(NEGATIVE_ZERO);
    }
    Ok(text(token).parse().ok())
}

/// Parses a decimal number in the notation of inputs: no exponent, no plus sign, no leading zeros,
/// no negative zero, and a digit on both sides of the point. Also returns the number of digits
/// after the point.
pub(super) fn parse_decimal(token: &[u8]) -> Result<(f64, usize), Why> {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let point = unsigned.iter().position(|byte| *byte == b'.');
    let whole = &unsigned[..point.unwrap_or(unsigned.len())];
    let decimals = point.map_or(&[][..], |point| &unsigned[point + 1..]);
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if !digits(whole) || (point.is_some() && !digits(decimals)) {
        return Err("there must be digits, and a point only between them");
    }
    if whole[0] == b'0' && whole.len() > 1 {
        return Err(LEADING_ZEROS);
    }
    let value: f64 = text(token).parse().map_err(|_| NO_NUMBER)?;
    if value == 0.0 && unsigned.len() < token.len() {
        return Err(NEGATIVE_ZERO);
    }
    Ok((value, decimals.len()))
}

/// Parses a floating-point number in any form that the package format allows: a sign, digits on at
/// least one side of the point, an exponent. Words such as `nan` and `inf` are refused.
pub(super) fn parse_float(token: &[u8]) -> Result<f64, Why> {
    let unsigned = token
        .strip_prefix(b"-")
        .or_else(|| token.strip_prefix(b"+"))
        .unwrap_or(token);
    // The rest of the grammar is the same as for `f64::from_str`, except the words.
    if !unsigned
        .first()
        .is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.')
    {
        return Err(NO_NUMBER);
    }
    text(token).parse().map_err(|_| NO_NUMBER)
}

/// The token as text. A token that is not UTF-8 becomes a character that no number contains.
fn text(token: &[u8]) -> &str {
    std::str::from_utf8(token).unwrap_or("\u{fffd}")
}

//! Numbers in output: their grammar, their value, and whether two of them are close enough.
//!
//! Responsible for floating-point tokens of any length and magnitude, read byte by byte in constant
//! memory. Must not know the position of a number in the output.
//!
//! Source: package format 2025-09, "General requirements" (grammar) and "Comparing
//! floating-point tokens".

use judge_model::CompareOptions;

/// The number of significant digits that are kept. Correct rounding to binary64 never depends on
/// more than 768 of them and on whether only zeros follow.
const KEPT_DIGITS: usize = 768;

/// The exponent beyond which every value is infinite or zero. It is small enough that adding two of
/// them cannot overflow.
const MAX_EXPONENT: i64 = i64::MAX / 4;

/// The state of a reader: its place in the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    Sign,
    Integer,
    /// A point without a digit before it: a digit must follow.
    BarePoint,
    /// A point with a digit before it, or digits after a point.
    Fraction,
    ExponentMark,
    ExponentSign,
    Exponent,
    NoNumber,
}

/// Reads a token piece by piece, and determines at its end whether it is a number, and its value.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberReader {
    state: State,
    negative: bool,
    /// The first significant digits, as ASCII.
    digits: Vec<u8>,
    /// True if a digit other than 0 was dropped after `digits`.
    inexact: bool,
    /// The position of the decimal point relative to the first significant digit.
    point: i64,
    exponent_negative: bool,
    exponent: i64,
}

impl NumberReader {
    /// Resets the reader, to read another token.
    pub(super) fn restart(&mut self) {
        // The vector is reused: an output of numbers would otherwise need an allocation for each of
        // them.
        let mut digits = std::mem::take(&mut self.digits);
        digits.clear();
        *self = Self {
            digits,
            ..Self::default()
        };
    }

    /// Reads further bytes of the token.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            // A token may have gigabytes; once it is not a number, no further byte changes that.
            if self.state == State::NoNumber {
                return;
            }
            self.state = self.next(*byte);
        }
    }

    fn next(&mut self, byte: u8) -> State {
        match (self.state, byte) {
            (State::Start, b'+' | b'-') => {
                self.negative = byte == b'-';
                State::Sign
            }
            (State::Start | State::Sign | State::Integer, b'0'..=b'9') => {
                self.digit(byte, 1);
                State::Integer
            }
            (State::Start | State::Sign, b'.') => State::BarePoint,
            // A number may end with its point (`5.`), but not consist only of it: without a digit
            // before it, one must follow.
            (State::Integer, b'.') => State::Fraction,
            (State::BarePoint | State::Fraction, b'0'..=b'9') => {
                self.digit(byte, 0);
                State::Fraction
            }
            (State::Integer | State::Fraction, b'e' | b'E') => State::ExponentMark,
            (State::ExponentMark, b'+' | b'-') => {
                self.exponent_negative = byte == b'-';
                State::ExponentSign
            }
            (State::ExponentMark | State::ExponentSign | State::Exponent, b'0'..=b'9') => {
                let digit = i64::from(byte - b'0');
                // An exponent may have any number of digits. Beyond the bound all values are
                // infinite or zero, so saturation changes nothing.
                self.exponent = self
                    .exponent
                    .saturating_mul(10)
                    .saturating_add(digit)
                    .min(MAX_EXPONENT);
                State::Exponent
            }
            _ => State::NoNumber,
        }
    }

    /// Reads a digit of the significand that moves the decimal point by `places`.
    fn digit(&mut self, digit: u8, places: i64) {
        if digit == b'0' && self.digits.is_empty() {
            // Not significant: before the point it has no effect, after the point it makes the
            // following digits smaller.
            self.point -= 1 - places;
            return;
        }
        self.point += places;
        if self.digits.len() < KEPT_DIGITS {
            self.digits.push(digit);
        } else {
            self.inexact |= digit != b'0';
        }
    }

    /// Returns the number, if the bytes read so far are one.
    pub(super) fn number(&self) -> Option<Number<'_>> {
        if !matches!(
            self.state,
            State::Integer | State::Fraction | State::Exponent
        ) {
            return None;
        }
        let exponent = if self.exponent_negative {
            -self.exponent
        } else {
            self.exponent
        };
        let exponent = self
            .point
            .saturating_add(exponent)
            .clamp(-MAX_EXPONENT, MAX_EXPONENT);
        Some(Number {
            negative: self.negative,
            digits: &self.digits,
            inexact: self.inexact,
            exponent,
        })
    }
}

/// A decimal number: `0.digits` times ten to the power of `exponent`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number<'a> {
    negative: bool,
    /// Significant digits, as ASCII; none for zero.
    digits: &'a [u8],
    inexact: bool,
    exponent: i64,
}

impl Number<'_> {
    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Returns the nearest binary64.
    pub(super) fn value(&self) -> f64 {
        self.scaled_value(0)
    }

    /// Returns the nearest binary64 to this number times ten to the power of `-power`.
    fn scaled_value(&self, power: i64) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let sign = if self.negative { "-" } else { "" };
        let digits = String::from_utf8_lossy(self.digits);
        // One more digit than is kept, so that a value just above the middle of two binary64 values
        // is not rounded as if it were the middle.
        let rest = if self.inexact { "1" } else { "" };
        // Beyond these bounds every value is infinite or zero anyway.
        let exponent = (self.exponent - power).clamp(-10_000, 10_000);
        format!("{sign}0.{digits}{rest}e{exponent}")
            .parse()
            .expect("it was written by the grammar of `f64::from_str`")
    }
}

/// Returns the value of a token that is a number, on a fast path. `None` when it is not a number,
/// and also when it is zero, too small or too large, and needs [`NumberReader`].
pub(super) fn plain_value(token: &[u8]) -> Option<f64> {
    // `f64::from_str` reads this grammar and also the words `inf`, `infinity` and `nan`, which the
    // format rejects.
    let unsigned = token
        .strip_prefix(b"-")
        .or_else(|| token.strip_prefix(b"+"))
        .unwrap_or(token);
    if !unsigned.first()?.is_ascii_digit() && unsigned.first() != Some(&b'.') {
        return None;
    }
    str::from_utf8(token)
        .ok()?
        .parse()
        .ok()
        .filter(|value: &f64| value.is_normal())
}

/// Decides whether two values that binary64 represents with full precision are within a tolerance;
/// `None` when their difference is too large for binary64.
pub(super) fn are_plain_values_close(
    answer: f64,
    output: f64,
    options: &CompareOptions,
) -> Option<bool> {
    let difference = (output - answer).abs();
    difference
        .is_finite()
        .then(|| is_within(difference, answer.abs(), options.float_absolute, options))
}

/// Decides whether the numbers of two tokens of any magnitude are within a tolerance.
///
/// If binary64 represents both with full precision, its arithmetic decides. Otherwise both are
/// scaled by the same power of ten first, so that `1e400` and `2e400` are as far apart as `1` and
/// `2`.
pub(super) fn are_close(answer: Number<'_>, output: Number<'_>, options: &CompareOptions) -> bool {
    let is_plain = |number: Number<'_>, value: f64| number.is_zero() || value.is_normal();
    let (expected, found) = (answer.value(), output.value());
    if is_plain(answer, expected)
        && is_plain(output, found)
        && let Some(close) = are_plain_values_close(expected, found, options)
    {
        return close;
    }
    let power = [answer, output]
        .into_iter()
        .filter(|number| !number.is_zero())
        .map(|number| number.exponent)
        .max();
    // The larger of both becomes about 1. The smaller may become 0, and is then negligible compared
    // with the other.
    let power = power.unwrap_or(0);
    let (expected, found) = (answer.scaled_value(power), output.scaled_value(power));
    let tolerance = options
        .float_absolute
        .map(|tolerance| scale(tolerance, -power));
    is_within((found - expected).abs(), expected.abs(), tolerance, options)
}

/// Decides whether a difference is within a tolerance. `difference`, `magnitude` (of the answer)
/// and `tolerance` have the same scale.
fn is_within(
    difference: f64,
    magnitude: f64,
    tolerance: Option<f64>,
    options: &CompareOptions,
) -> bool {
    difference == 0.0
        || tolerance.is_some_and(|tolerance| difference <= tolerance)
        || options
            .float_relative
            .is_some_and(|tolerance| difference <= tolerance * magnitude)
}

/// Returns a value times a power of ten that may be far out of the range of binary64.
fn scale(value: f64, power: i64) -> f64 {
    let mut reader = NumberReader::default();
    reader.read(format!("{value:e}").as_bytes());
    reader
        .number()
        .map_or(value, |number| number.scaled_value(-power))
}

#[cfg(test)]
#[path = "float_tests.rs"]
mod tests;

//! Reading numbers from the input.
//!
//! Must not know commands.
//!
//! Source: checktestdata, `INT`, `FLOAT` and `FLOATP`; leading zeros are treated as in the
//! reference.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::decimal::Decimal;
use crate::error::{CheckError, Excerpt};
use crate::number::{Integer, Number};
use crate::syntax::{Expression, Notation};

use super::Machine;

impl<'p> Machine<'p> {
    /// Reads an integer within bounds, without leading zeros and `+`, and not `-0`.
    pub(super) fn read_integer(
        &mut self,
        min: &'p Expression,
        max: &'p Expression,
    ) -> Result<Integer, CheckError> {
        let min = self.integer(min, "an integer as the minimum of `INT`")?;
        let max = self.integer(max, "an integer as the maximum of `INT`")?;
        let start = self.input.at();
        let is_negative = self.input.peek() == Some(b'-');
        self.input.advance(usize::from(is_negative));
        let digits = self.input.skip_while(|byte| byte.is_ascii_digit());
        let text = self.input.since(start);
        if digits == 0 {
            return Err(self.mismatch(start, &format!("an integer in {min}..{max}")));
        }
        if text.ends_with(b"0") && text.len() == 2 && is_negative {
            return Err(self.reject(
                start,
                "expected an integer, found `-0`; zero has no sign".to_owned(),
            ));
        }
        if digits > 1 && text[usize::from(is_negative)] == b'0' {
            return Err(self.reject_read(start, "an integer without leading zeros"));
        }
        // A number with more digits than the bounds is out of range, and parsing it would be slow.
        let value = if digits <= min.max_digits().max(max.max_digits()) {
            self.spend(square(digits))?;
            Integer::parse(text).filter(|value| *min <= *value && *value <= *max)
        } else {
            None
        };
        value.ok_or_else(|| self.reject_read(start, &format!("an integer in {min}..{max}")))
    }

    /// Reads a float within bounds, with a number of decimals in the given range, in the given
    /// notation.
    pub(super) fn read_float(
        &mut self,
        min: &'p Expression,
        max: &'p Expression,
        decimals: Option<(u64, u64)>,
        notation: Notation,
    ) -> Result<Decimal, CheckError> {
        let min = self.number(min, "a number as the minimum of a float")?;
        let max = self.number(max, "a number as the maximum of a float")?;
        let start = self.input.at();
        let written = self.float_text(start, notation, &min, &max)?;
        if let Some((min_decimals, max_decimals)) = decimals {
            if !(min_decimals..=max_decimals).contains(&written.decimals) {
                let found = Excerpt(written.text);
                let expected =
                    format!("expected a float with {min_decimals}..{max_decimals} decimals");
                return Err(self.reject(
                    start,
                    format!("{expected}, found {found} with {}", written.decimals),
                ));
            }
            // This rule belongs to `FLOATP`, the only command that counts decimals: with an
            // exponent their number depends on the position of the point.
            if written.has_exponent && !written.has_one_digit {
                let expected =
                    "exactly one digit, not zero, before the point of a float with an exponent";
                return Err(self.reject_read(start, expected));
            }
        }
        self.spend(square(written.text.len()))?;
        let value = Decimal::parse(written.text).ok_or_else(|| {
            self.reject_read(start, "a float with an exponent from -100000 to 100000")
        })?;
        // A short text such as `1e100000` stands for a number with many digits, so the cost of the
        // comparison depends on the size of the value.
        let words = value.words();
        self.spend(words.saturating_mul(words + min.words() + max.words()) / 16)?;
        if value.compare(&min) == Ordering::Less || value.compare(&max) == Ordering::Greater {
            return Err(self.reject_read(start, &format!("a float in {min}..{max}")));
        }
        Ok(value)
    }

    /// Reads the text of a float: an optional `-`, digits, and optionally a point with digits and
    /// an exponent.
    fn float_text(
        &mut self,
        start: usize,
        notation: Notation,
        min: &Cow<'p, Number>,
        max: &Cow<'p, Number>,
    ) -> Result<WrittenFloat<'p>, CheckError> {
        let digit = |byte: u8| byte.is_ascii_digit();
        let is_negative = self.input.peek() == Some(b'-');
        self.input.advance(usize::from(is_negative));
        let whole_start = self.input.at();
        let whole = self.input.skip_while(digit);
        if whole == 0 {
            return Err(self.mismatch(start, &format!("a float in {min}..{max}")));
        }
        let first = self.input.since(whole_start)[0];
        if whole > 1 && first == b'0' {
            return Err(self.reject_float(start, "without leading zeros"));
        }
        let mut decimals = 0;
        if self.input.peek() == Some(b'.') {
            self.input.advance(1);
            decimals = self.input.skip_while(digit);
            if decimals == 0 {
                return Err(self.reject_float(start, "with digits after its point"));
            }
        }
        let is_exponent = matches!(self.input.peek(), Some(b'e' | b'E'));
        if notation == Notation::Scientific && !is_exponent {
            return Err(self.reject_float(start, "with an exponent"));
        }
        // In fixed notation the float ends before an `e`, and the next command reads that
        // letter.
        let has_exponent = is_exponent && notation != Notation::Fixed;
        if has_exponent {
            self.input.advance(1);
            if matches!(self.input.peek(), Some(b'+' | b'-')) {
                self.input.advance(1);
            }
            let exponent_start = self.input.at();
            let exponent = self.input.skip_while(digit);
            if exponent == 0 {
                return Err(self.reject_float(start, "with digits in its exponent"));
            }
            if exponent > 1 && self.input.since(exponent_start)[0] == b'0' {
                return Err(self.reject_float(start, "without leading zeros in its exponent"));
            }
        }
        let has_one_digit = whole == 1 && first != b'0';
        Ok(WrittenFloat {
            text: self.input.since(start),
            decimals: decimals as u64,
            has_exponent,
            has_one_digit,
        })
    }

    fn reject_float(&self, start: usize, expected: &str) -> CheckError {
        self.mismatch(start, &format!("a float {expected}"))
    }

    /// Builds the error for text that was read since `start` and differs from what is expected.
    fn reject_read(&self, start: usize, expected: &str) -> CheckError {
        let found = Excerpt(self.input.since(start));
        self.reject(start, format!("expected {expected}, found {found}"))
    }
}

/// A float as it is written in the input.
struct WrittenFloat<'p> {
    text: &'p [u8],
    decimals: u64,
    has_exponent: bool,
    /// True if there is exactly one digit before the point, and it is not zero.
    has_one_digit: bool,
}

/// The cost of parsing a number with this many digits, in steps. It grows quadratically.
fn square(digits: usize) -> u64 {
    let digits = digits as u64;
    digits.saturating_mul(digits) / 1024
}

//! Reading numbers from the input.
//!
//! Must not know commands.
//!
//! Source: checktestdata, `INT`, `FLOAT` and `FLOATP`; leading zeros as the reference has it.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::decimal::Decimal;
use crate::error::{CheckError, Excerpt};
use crate::number::{Integer, Number};
use crate::syntax::{Expression, Notation};

use super::Machine;

impl<'p> Machine<'p> {
    /// An integer within bounds: no leading zeros, no `+`, no `-0`.
    pub(super) fn read_integer(
        &mut self,
        least: &'p Expression,
        most: &'p Expression,
    ) -> Result<Integer, CheckError> {
        let least = self.integer(least, "an integer as the least value of `INT`")?;
        let most = self.integer(most, "an integer as the most value of `INT`")?;
        let start = self.input.at();
        let is_negative = self.input.peek() == Some(b'-');
        self.input.advance(usize::from(is_negative));
        let digits = self.input.skip_while(|byte| byte.is_ascii_digit());
        let text = self.input.since(start);
        if digits == 0 {
            return Err(self.mismatch(start, &format!("an integer in {least}..{most}")));
        }
        if text.ends_with(b"0") && text.len() == 2 && is_negative {
            return Err(self.reject(
                start,
                "expected an integer, found `-0`; zero has no sign".to_owned(),
            ));
        }
        if digits > 1 && text[usize::from(is_negative)] == b'0' {
            return Err(self.reject(
                start,
                format!(
                    "expected an integer without leading zeros, found {}",
                    Excerpt(text)
                ),
            ));
        }
        // A number with more digits than the bounds is out of range, and reading it would take
        // long.
        let value = if digits <= least.max_digits().max(most.max_digits()) {
            self.spend(square(digits))?;
            Integer::parse(text).filter(|value| *least <= *value && *value <= *most)
        } else {
            None
        };
        value.ok_or_else(|| {
            self.reject(
                start,
                format!(
                    "expected an integer in {least}..{most}, found {}",
                    Excerpt(text)
                ),
            )
        })
    }

    /// A float within bounds, with so many decimals, in this notation.
    pub(super) fn read_float(
        &mut self,
        least: &'p Expression,
        most: &'p Expression,
        decimals: Option<(u64, u64)>,
        notation: Notation,
    ) -> Result<Decimal, CheckError> {
        let least = self.number(least, "a number as the least value of a float")?;
        let most = self.number(most, "a number as the most value of a float")?;
        let start = self.input.at();
        let written = self.float_text(start, notation, &least, &most)?;
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
            // exponent their number depends on where the point stands.
            if written.has_exponent && !written.has_one_digit {
                let expected = "expected exactly one digit, not zero, before the point of a float with an exponent";
                return Err(self.reject(
                    start,
                    format!("{expected}, found {}", Excerpt(written.text)),
                ));
            }
        }
        self.spend(square(written.text.len()))?;
        let value = Decimal::parse(written.text).ok_or_else(|| {
            let found = Excerpt(written.text);
            self.reject(
                start,
                format!("expected a float with an exponent from -100000 to 100000, found {found}"),
            )
        })?;
        // A short text such as `1e100000` stands for a number with many digits, so the
        // comparison is paid for by the size of the value.
        let words = value.words();
        self.spend(words.saturating_mul(words + least.words() + most.words()) / 16)?;
        if value.compare(&least) == Ordering::Less || value.compare(&most) == Ordering::Greater {
            let message = format!(
                "expected a float in {least}..{most}, found {}",
                Excerpt(written.text)
            );
            return Err(self.reject(start, message));
        }
        Ok(value)
    }

    /// Reads what looks like a float: `-`, digits, perhaps a point and digits, perhaps an
    /// exponent.
    fn float_text(
        &mut self,
        start: usize,
        notation: Notation,
        least: &Cow<'p, Number>,
        most: &Cow<'p, Number>,
    ) -> Result<WrittenFloat<'p>, CheckError> {
        let digit = |byte: u8| byte.is_ascii_digit();
        let is_negative = self.input.peek() == Some(b'-');
        self.input.advance(usize::from(is_negative));
        let whole_start = self.input.at();
        let whole = self.input.skip_while(digit);
        if whole == 0 {
            return Err(self.mismatch(start, &format!("a float in {least}..{most}")));
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
        self.reject(
            start,
            format!(
                "expected a float {expected}, found {}",
                self.input.found(start)
            ),
        )
    }
}

/// A float as it stands in the input.
struct WrittenFloat<'p> {
    text: &'p [u8],
    decimals: u64,
    has_exponent: bool,
    /// True if one digit stands before the point, and it is not zero.
    has_one_digit: bool,
}

/// The cost of reading a number of so many digits: it grows with the square of that number.
fn square(digits: usize) -> u64 {
    let digits = digits as u64;
    digits.saturating_mul(digits) / 1024
}

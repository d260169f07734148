//! Decimals in written form (digits, a point, an exponent) and their comparison with numbers.
//!
//! Keeps the common case, few digits, away from fractions of big integers. Must not know programs
//! or input.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::fraction::Fraction;
use crate::number::{Integer, MAX_EXPONENT, Number};

/// A decimal: `digits` × 10^`exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Decimal {
    digits: Integer,
    exponent: i64,
}

impl Decimal {
    /// Parses a decimal: digits with an optional point among them, and an optional exponent.
    /// Returns `None` if `text` is not a decimal, or if the absolute value of its exponent exceeds
    /// [`MAX_EXPONENT`].
    pub(crate) fn parse(text: &[u8]) -> Option<Decimal> {
        let (base, exponent) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => (&text[..at], &text[at + 1..]),
            None => (text, &b"0"[..]),
        };
        let exponent = Integer::parse(exponent.strip_prefix(b"+").unwrap_or(exponent))?.to_i64()?;
        let (whole, decimals) = match base.iter().position(|byte| *byte == b'.') {
            Some(at) => (&base[..at], &base[at + 1..]),
            None => (base, &b""[..]),
        };
        let digits = Integer::parse(&[whole, decimals].concat())?;
        let exponent = exponent.checked_sub(i64::try_from(decimals.len()).ok()?)?;
        (-2 * MAX_EXPONENT..=MAX_EXPONENT)
            .contains(&exponent)
            .then_some(Decimal { digits, exponent })
    }

    /// Converts the decimal to an exact fraction.
    pub(crate) fn to_float(&self) -> Fraction {
        let digits = self.digits.to_big();
        let exponent = u32::try_from(self.exponent.unsigned_abs()).unwrap_or(u32::MAX);
        if self.exponent < 0 {
            Fraction::decimal(digits, exponent)
        } else {
            Fraction::whole(digits * BigInt::from(10).pow(exponent))
        }
    }

    /// The size of this decimal as an exact fraction, in 64-bit words.
    pub(crate) fn words(&self) -> u64 {
        // log2(10) < 4
        Number::Integer(self.digits.clone()).words() + self.exponent.unsigned_abs() / 16
    }

    /// Compares this decimal with a number.
    pub(crate) fn compare(&self, other: &Number) -> Ordering {
        self.compare_small(other)
            .unwrap_or_else(|| self.to_float().cmp(&other.to_float()))
    }

    /// Compares with machine integers, or returns `None` if they are too small.
    fn compare_small(&self, other: &Number) -> Option<Ordering> {
        let digits = i128::from(self.digits.to_i64()?);
        let decimals = u32::try_from(-self.exponent)
            .ok()
            .filter(|decimals| *decimals <= 18)?;
        let (numerator, denominator) = match other {
            Number::Integer(value) => (value.to_i64()?, 1),
            Number::Float(value) => (value.numerator().to_i64()?, value.denominator().to_i64()?),
        };
        // Each factor is below 2^63, so the products fit.
        Some(
            (digits * i128::from(denominator))
                .cmp(&(i128::from(numerator) * 10_i128.pow(decimals))),
        )
    }
}

//! Integers and floats of any size, and what may be computed with them.
//!
//! Floats are exact fractions, so a decimal in the input equals the same decimal in a program.
//! Must not know programs or input.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use crate::error::FaultKind;
use crate::fraction::Fraction;

/// The maximum number of bits of an integer that a program may compute; about 315,000 decimal
/// digits.
const MAX_BITS: u64 = 1 << 20;

/// The maximum number of bits of the operands of a float operation, numerators and denominators
/// together. Reducing a fraction to lowest terms costs the square of this.
const MAX_FLOAT_BITS: u64 = 1 << 15;

/// The maximum absolute value of the exponent of a float, in literals and in input.
pub(crate) const MAX_EXPONENT: i64 = 100_000;

/// An integer. Always `Small` when it fits, so equal integers are equal values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Integer {
    Small(i64),
    Big(BigInt),
}

/// An integer or a float. `1` and `1.0` are the same number, but different values: see
/// [`Number::canonical`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Number {
    Integer(Integer),
    Float(Fraction),
}

/// The operators between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
}

impl Integer {
    /// Parses decimal digits with an optional `-` before them.
    pub(crate) fn parse(digits: &[u8]) -> Option<Integer> {
        // 18 digits always fit.
        let (negative, magnitude) = match digits.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, digits),
        };
        if magnitude.is_empty() || !magnitude.iter().all(u8::is_ascii_digit) {
            return None;
        }
        if magnitude.len() <= 18 {
            let value = magnitude
                .iter()
                .fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
            return Some(Integer::Small(if negative { -value } else { value }));
        }
        BigInt::parse_bytes(digits, 10).map(Integer::from)
    }

    pub(crate) fn to_i64(&self) -> Option<i64> {
        match self {
            Integer::Small(value) => Some(*value),
            Integer::Big(_) => None,
        }
    }

    pub(crate) fn to_big(&self) -> BigInt {
        match self {
            Integer::Small(value) => BigInt::from(*value),
            Integer::Big(value) => value.clone(),
        }
    }

    fn bits(&self) -> u64 {
        match self {
            Integer::Small(value) => u64::from(64 - value.unsigned_abs().leading_zeros()),
            Integer::Big(value) => value.bits(),
        }
    }

    /// Returns an upper bound for the number of decimal digits, without the sign.
    pub(crate) fn max_digits(&self) -> usize {
        // log10(2) < 0.30103
        usize::try_from(self.bits().saturating_mul(30_103) / 100_000 + 1).unwrap_or(usize::MAX)
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Integer {
        value.to_i64().map_or(Integer::Big(value), Integer::Small)
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        match (self, other) {
            (Integer::Small(a), Integer::Small(b)) => a.cmp(b),
            (Integer::Big(a), Integer::Big(b)) => a.cmp(b),
            (Integer::Small(_), Integer::Big(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Integer::Big(_), Integer::Small(_)) => other.cmp(self).reverse(),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Integer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Integer::Small(value) => value.fmt(f),
            // All digits of a longer number help no reader, and printing them takes quadratic time.
            Integer::Big(value) if value.bits() > 256 => {
                let sign = if value.is_negative() { "-" } else { "" };
                write!(f, "{sign}({} bits)", value.bits())
            }
            Integer::Big(value) => value.fmt(f),
        }
    }
}

impl Number {
    /// The size of this number in 64-bit words.
    pub(crate) fn words(&self) -> u64 {
        match self {
            Number::Integer(value) => 1 + value.bits() / 64,
            Number::Float(value) => 1 + value.bits() / 64,
        }
    }

    /// The cost of combining two numbers, in steps. It grows with the product of their lengths, as
    /// for the most expensive operators.
    pub(crate) fn cost(&self, operator: Arithmetic, other: &Number) -> u64 {
        let cost = |a: &Number, b: &Number| {
            // Reducing to lowest terms works bit by bit.
            let per_pair = if matches!((a, b), (Number::Integer(_), Number::Integer(_))) {
                1
            } else {
                64
            };
            a.words().saturating_mul(b.words()).saturating_mul(per_pair) / 16
        };
        match (operator, other) {
            (Arithmetic::Power, Number::Integer(Integer::Small(exponent))) => {
                let words = self
                    .words()
                    .saturating_mul(exponent.unsigned_abs() / 64 + 1);
                // Results that are too large are refused without computing them.
                if words > MAX_BITS {
                    0
                } else {
                    words.saturating_mul(words) / 16
                }
            }
            (Arithmetic::Multiply, _) if self.words() + other.words() > MAX_BITS / 64 + 2 => 0,
            _ => cost(self, other),
        }
    }

    /// Compares two numbers: as integers if both are, otherwise as floats.
    pub(crate) fn compare(&self, other: &Number) -> Ordering {
        match (self, other) {
            (Number::Integer(a), Number::Integer(b)) => a.cmp(b),
            (Number::Float(a), Number::Float(b)) => a.cmp(b),
            _ => self.to_float().cmp(&other.to_float()),
        }
    }

    /// Returns the number as an integer if it is whole, so that equal numbers become equal values.
    pub(crate) fn canonical(&self) -> Number {
        match self {
            // `1` and `1.0` are equal in comparisons, so `UNIQUE` and `INARRAY` must see the
            // same key for both.
            Number::Float(value) if value.is_whole() => {
                Number::Integer(value.numerator().clone().into())
            }
            _ => self.clone(),
        }
    }

    pub(crate) fn to_float(&self) -> Fraction {
        match self {
            Number::Integer(value) => Fraction::whole(value.to_big()),
            Number::Float(value) => value.clone(),
        }
    }

    pub(crate) fn negate(&self) -> Number {
        match self {
            // The negation of the smallest 64-bit integer needs 65 bits.
            Number::Integer(Integer::Small(value)) if *value != i64::MIN => {
                Number::Integer(Integer::Small(-value))
            }
            Number::Integer(value) => Number::Integer(Integer::from(-value.to_big())),
            Number::Float(value) => Number::Float(value.negate()),
        }
    }

    /// Combines two numbers: two integers give an integer, anything else a float.
    ///
    /// Like in the reference, division of integers truncates towards zero, and a remainder has the
    /// sign of the dividend.
    pub(crate) fn combine(
        &self,
        operator: Arithmetic,
        other: &Number,
    ) -> Result<Number, FaultKind> {
        if operator == Arithmetic::Power {
            return self.power(other);
        }
        match (self, other) {
            (Number::Integer(a), Number::Integer(b)) => {
                combine_integers(a, operator, b).map(Number::Integer)
            }
            _ => combine_floats(&self.to_float(), operator, &other.to_float()).map(Number::Float),
        }
    }

    fn power(&self, exponent: &Number) -> Result<Number, FaultKind> {
        let exponent = match exponent {
            Number::Integer(exponent) if *exponent >= Integer::Small(0) => exponent,
            _ => {
                return Err(FaultKind::Range {
                    expected: "an exponent that is a non-negative integer",
                    found: exponent.to_string(),
                });
            }
        };
        let exponent = exponent.to_i64().map_or(u64::MAX, i64::unsigned_abs);
        // For the bases that are left to compute with, a larger exponent exceeds the limits anyway.
        let small = u32::try_from(exponent).unwrap_or(u32::MAX);
        // The size is estimated before anything is computed: a short program such as `9^9^9`
        // must not fill the memory.
        let check_size = |bits: u64, max: u64| match bits.saturating_mul(exponent) {
            size if size <= max => Ok(()),
            _ => Err(FaultKind::TooLarge),
        };
        match self {
            // These bases never grow, so they are allowed with any exponent. `0^0` is left to
            // the general case, which returns 1.
            Number::Integer(Integer::Small(0 | 1)) if exponent > 0 => Ok(self.clone()),
            Number::Integer(Integer::Small(-1)) => Ok(Number::Integer(Integer::Small(
                1 - 2 * (exponent % 2) as i64,
            ))),
            Number::Integer(base) => {
                check_size(base.bits(), MAX_BITS)?;
                Ok(Number::Integer(Integer::from(base.to_big().pow(small))))
            }
            Number::Float(base) => {
                check_size(base.bits(), MAX_FLOAT_BITS)?;
                Ok(Number::Float(base.power(small)))
            }
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Integer(value) => value.fmt(f),
            // Only people read this, so an approximation is enough.
            Number::Float(value) => match value.near() {
                Some(near) => near.fmt(f),
                None => f.write_str("a large float"),
            },
        }
    }
}

fn combine_integers(a: &Integer, operator: Arithmetic, b: &Integer) -> Result<Integer, FaultKind> {
    let divides = matches!(operator, Arithmetic::Divide | Arithmetic::Modulo);
    if divides && *b == Integer::Small(0) {
        return Err(FaultKind::DivisionByZero);
    }
    if let (Integer::Small(a), Integer::Small(b)) = (a, b) {
        let result = match operator {
            Arithmetic::Add => a.checked_add(*b),
            Arithmetic::Subtract => a.checked_sub(*b),
            Arithmetic::Multiply => a.checked_mul(*b),
            Arithmetic::Divide => a.checked_div(*b),
            Arithmetic::Modulo => a.checked_rem(*b),
            Arithmetic::Power => None,
        };
        if let Some(result) = result {
            return Ok(Integer::Small(result));
        }
    }
    // A product is refused before it is computed, since it can be twice as long as its factors. The
    // results of the other operators are barely longer than their operands and are checked
    // afterwards.
    if operator == Arithmetic::Multiply && a.bits() + b.bits() > MAX_BITS {
        return Err(FaultKind::TooLarge);
    }
    let (a, b) = (a.to_big(), b.to_big());
    let result = match operator {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Modulo => a % b,
        Arithmetic::Power => unreachable!("powers are computed by `Number::power`"),
    };
    if result.bits() > MAX_BITS {
        Err(FaultKind::TooLarge)
    } else {
        Ok(Integer::from(result))
    }
}

fn combine_floats(a: &Fraction, operator: Arithmetic, b: &Fraction) -> Result<Fraction, FaultKind> {
    if a.bits() + b.bits() > MAX_FLOAT_BITS {
        return Err(FaultKind::TooLarge);
    }
    match operator {
        Arithmetic::Add => Ok(a.add(b)),
        Arithmetic::Subtract => Ok(a.add(&b.negate())),
        Arithmetic::Multiply => Ok(a.multiply(b)),
        Arithmetic::Divide => b
            .reciprocal()
            .map(|b| a.multiply(&b))
            .ok_or(FaultKind::DivisionByZero),
        Arithmetic::Modulo => Err(FaultKind::Type {
            expected: "integers for `%`",
            found: "a float".to_owned(),
        }),
        Arithmetic::Power => unreachable!("powers are computed by `Number::power`"),
    }
}

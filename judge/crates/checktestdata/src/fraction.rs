//! Fractions of big integers.
//!
//! Always in lowest terms with a denominator above zero, so equal fractions are equal values.
//! Nothing here recurses, so long numbers cannot exhaust the stack. Must not know how fractions are
//! written.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fraction {
    numerator: BigInt,
    denominator: BigInt,
}

impl Fraction {
    /// Creates `numerator` / `denominator`. The denominator must be positive.
    pub(crate) fn new(numerator: BigInt, denominator: BigInt) -> Fraction {
        debug_assert!(denominator.is_positive());
        let divisor = numerator.gcd(&denominator);
        if divisor.is_one() {
            return Fraction {
                numerator,
                denominator,
            };
        }
        Fraction {
            numerator: numerator / &divisor,
            denominator: denominator / divisor,
        }
    }

    /// Creates `digits` / 10^`decimals`.
    pub(crate) fn decimal(mut digits: BigInt, decimals: u32) -> Fraction {
        if digits.is_zero() {
            return Fraction::whole(digits);
        }
        // Only 2 and 5 can be common factors. Dividing them out is far cheaper than a general
        // greatest common divisor.
        let twos = digits
            .trailing_zeros()
            .map_or(0, |zeros| zeros.min(u64::from(decimals)));
        digits >>= twos;
        let five = BigInt::from(5);
        let mut fives = 0;
        while fives < decimals && (&digits % &five).is_zero() {
            digits /= &five;
            fives += 1;
        }
        let denominator = five.pow(decimals - fives) << (u64::from(decimals) - twos);
        Fraction {
            numerator: digits,
            denominator,
        }
    }

    pub(crate) fn whole(numerator: BigInt) -> Fraction {
        Fraction {
            numerator,
            denominator: BigInt::one(),
        }
    }

    pub(crate) fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    pub(crate) fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.denominator.is_one()
    }

    /// The number of bits of both parts in total.
    pub(crate) fn bits(&self) -> u64 {
        self.numerator.bits() + self.denominator.bits()
    }

    /// Returns an approximation by a machine float, if it is finite.
    pub(crate) fn near(&self) -> Option<f64> {
        // Both parts are shifted right by the same number of bits, so that a float can hold them.
        let excess = self
            .numerator
            .bits()
            .max(self.denominator.bits())
            .saturating_sub(1000);
        let near =
            (&self.numerator >> excess).to_f64()? / (&self.denominator >> excess).to_f64()?;
        near.is_finite().then_some(near)
    }

    pub(crate) fn negate(&self) -> Fraction {
        Fraction {
            numerator: -&self.numerator,
            denominator: self.denominator.clone(),
        }
    }

    pub(crate) fn add(&self, other: &Fraction) -> Fraction {
        let numerator = &self.numerator * &other.denominator + &other.numerator * &self.denominator;
        Fraction::new(numerator, &self.denominator * &other.denominator)
    }

    pub(crate) fn multiply(&self, other: &Fraction) -> Fraction {
        Fraction::new(
            &self.numerator * &other.numerator,
            &self.denominator * &other.denominator,
        )
    }

    /// Returns 1 / `self`, or `None` for zero.
    pub(crate) fn reciprocal(&self) -> Option<Fraction> {
        match (self.numerator.is_zero(), self.numerator.is_negative()) {
            (true, _) => None,
            (_, true) => Some(Fraction {
                numerator: -&self.denominator,
                denominator: -&self.numerator,
            }),
            _ => Some(Fraction {
                numerator: self.denominator.clone(),
                denominator: self.numerator.clone(),
            }),
        }
    }

    pub(crate) fn power(&self, exponent: u32) -> Fraction {
        Fraction {
            numerator: self.numerator.pow(exponent),
            denominator: self.denominator.pow(exponent),
        }
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

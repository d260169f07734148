//! Tolerances for comparing floating-point numbers.
//!
//! Responsible for tolerances. Must not read numbers.
//!
//! Source: package format 2025-09, "Default Output Validator": a number is right if its absolute or
//! its relative error is within the tolerance.

/// The permitted error of a number. It is enough to meet one of the two tolerances.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// The maximum absolute error; `None` when only the relative error counts.
    pub absolute: Option<f64>,
    /// The maximum error as a part of the right number's absolute value; `None` when only the
    /// absolute error counts.
    pub relative: Option<f64>,
}

impl Tolerance {
    /// The tolerance of `float_tolerance` of the default output validator: absolute or relative.
    #[must_use]
    pub fn both(tolerance: f64) -> Self {
        Self {
            absolute: Some(tolerance),
            relative: Some(tolerance),
        }
    }

    /// The tolerance of `float_absolute_tolerance`.
    #[must_use]
    pub fn absolute(tolerance: f64) -> Self {
        Self {
            absolute: Some(tolerance),
            relative: None,
        }
    }

    /// The tolerance of `float_relative_tolerance`.
    #[must_use]
    pub fn relative(tolerance: f64) -> Self {
        Self {
            absolute: None,
            relative: Some(tolerance),
        }
    }

    /// Returns true if `found` is close enough to `right`. Values that are not numbers are never
    /// close enough, and infinities only if they are equal.
    ///
    /// ```
    /// use testlib::Tolerance;
    /// assert!(Tolerance::both(1e-6).accepts(1e9, 1e9 + 999.0));
    /// assert!(!Tolerance::absolute(1e-6).accepts(1e9, 1e9 + 999.0));
    /// assert!(!Tolerance::both(1e-6).accepts(1.0, f64::NAN));
    /// ```
    #[must_use]
    pub fn accepts(self, right: f64, found: f64) -> bool {
        if right == found {
            return true;
        }
        if !right.is_finite() || !found.is_finite() {
            return false;
        }
        let error = (found - right).abs();
        self.absolute.is_some_and(|max| error <= max)
            || self.relative.is_some_and(|max| error <= max * right.abs())
    }
}

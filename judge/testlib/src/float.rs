//! The tolerances within which a floating-point number is close enough to the right one.
//!
//! Responsible for tolerances. Must not read numbers.
//!
//! Source: package format 2025-09, "Default Output Validator": a number is right if its absolute or
//! its relative error is within the tolerance.

/// The tolerance: how far from the right number another one may be. Either tolerance is enough.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// The largest absolute error; `None` when only the relative one counts.
    pub absolute: Option<f64>,
    /// The largest error as a part of the right number's absolute value; `None` when only the
    /// absolute one counts.
    pub relative: Option<f64>,
}

impl Tolerance {
    /// The tolerance that `float_tolerance` of the default output validator stands for: absolute or
    /// relative.
    #[must_use]
    pub fn both(tolerance: f64) -> Self {
        Self {
            absolute: Some(tolerance),
            relative: Some(tolerance),
        }
    }

    /// The tolerance that `float_absolute_tolerance` stands for.
    #[must_use]
    pub fn absolute(tolerance: f64) -> Self {
        Self {
            absolute: Some(tolerance),
            relative: None,
        }
    }

    /// The tolerance that `float_relative_tolerance` stands for.
    #[must_use]
    pub fn relative(tolerance: f64) -> Self {
        Self {
            absolute: None,
            relative: Some(tolerance),
        }
    }

    /// True if `found` is close enough to `right`. Never for infinities and for values that are no
    /// number, unless they are equal infinities.
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
        self.absolute.is_some_and(|most| error <= most)
            || self
                .relative
                .is_some_and(|most| error <= most * right.abs())
    }
}

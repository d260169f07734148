//! Growth: with which power of the input's size the time grows.
//!
//! Responsible for the exponent and how sure it is, and for giving none where there is none. Pure. Must not know where
//! times are from.
//!
//! Source: the estimator of Theil (1950) and Sen (1968), the median of the slopes between pairs of points, here in
//! logarithms of both size and time, with the interval of Sen from the variance of Kendall's tau. A third of the points
//! may be wild without moving it much.

use serde::{Deserialize, Serialize};

use crate::statistics::estimate::median;

/// Test cases that it takes.
const LEAST_POINTS: usize = 5;
/// The least range of sizes: the largest input must be so many times the smallest one.
const LEAST_RANGE: f64 = 4.0;
/// Inputs of nearly the same size say nothing about growth.
const LEAST_STEP: f64 = 1.5;
/// An interval that is wider says nothing: it does not tell linear from quadratic.
const WIDEST: f64 = 0.8;
/// The quantile of the normal distribution that leaves 2.5 % above it.
const NORMAL: f64 = 1.959_964;

/// The power of the input's size with which a time grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// The exponent: 1 for linear, 2 for quadratic.
    pub exponent: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
    /// Test cases that it rests on.
    pub test_cases: usize,
}

impl Growth {
    /// The growth as a table has it: `n^1.9±0.1`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let half = (self.interval[1] - self.interval[0]) / 2.0;
        let decimals = if half < 0.045 { 2 } else { 1 };
        format!("n^{:.decimals$}±{half:.decimals$}", self.exponent.max(0.0))
    }
}

/// A time, and the size of the input that it was spent on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) input_bytes: u64,
    pub(crate) time: f64,
}

/// The growth of time over size. `None` where too few test cases, too small a range of sizes, or times that depend on
/// something else than the size say nothing. Times that are not above 0 are left out.
pub(crate) fn growth(points: &[Point]) -> Option<Growth> {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .filter(|point| point.input_bytes > 0 && point.time > 0.0)
        .map(|point| ((point.input_bytes as f64).ln(), point.time.ln()))
        .collect();
    let smallest = logs.iter().map(|(size, _)| *size).min_by(f64::total_cmp)?;
    let largest = logs.iter().map(|(size, _)| *size).max_by(f64::total_cmp)?;
    if logs.len() < LEAST_POINTS || largest - smallest < LEAST_RANGE.ln() {
        return None;
    }
    let pairs =
        logs.iter().enumerate().flat_map(|(index, one)| logs[index + 1..].iter().map(move |other| (one, other)));
    let mut slopes: Vec<f64> = pairs
        .filter(|(one, other)| (one.0 - other.0).abs() >= LEAST_STEP.ln())
        .map(|(one, other)| (one.1 - other.1) / (one.0 - other.0))
        .collect();
    slopes.sort_by(f64::total_cmp);
    let last = slopes.len().checked_sub(1)?;
    let points = logs.len() as f64;
    let tau = (points * (points - 1.0) * (2.0 * points + 5.0) / 18.0).sqrt();
    // How many slopes lie outside on each side: none is to be taken for certain because pairs were left out.
    let outside = ((slopes.len() as f64 - NORMAL * tau) / 2.0).max(0.0) as usize;
    let interval = [slopes[outside.min(last)], slopes[last - outside.min(last)]];
    let exponent = median(&mut slopes)?;
    let certain = interval[1] - interval[0] <= WIDEST;
    certain.then_some(Growth { exponent, interval, test_cases: logs.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(sizes: &[u64], time: impl Fn(f64) -> f64) -> Vec<Point> {
        sizes.iter().map(|size| Point { input_bytes: *size, time: time(*size as f64) }).collect()
    }

    const SIZES: [u64; 6] = [1_000, 2_000, 5_000, 10_000, 40_000, 100_000];

    #[test]
    fn powers_are_found() {
        for power in [0.0, 1.0, 1.5, 2.0, 3.0] {
            let found = growth(&points(&SIZES, |size| 1e-6 * size.powf(power))).unwrap().exponent;
            assert!((found - power).abs() < 1e-9, "{power}: {found}");
        }
    }

    #[test]
    fn one_wild_point_does_not_matter() {
        let sizes: Vec<u64> = (10..26).map(|power| 1 << power).collect();
        let mut wild = points(&sizes, |size| 1e-6 * size * size);
        wild[7].time *= 50.0;
        let found = growth(&wild).unwrap();
        assert!((found.exponent - 2.0).abs() < 0.05, "{found:?}");
        assert!(
            found.interval[0] < 2.0 + 1e-9 && found.interval[1] > 2.0 - 1e-9 && found.test_cases == 16,
            "{found:?}"
        );
    }

    #[test]
    fn noise_makes_it_uncertain_and_much_of_it_unknown() {
        let noisy = |noise: f64| {
            let mut noisy = points(&SIZES, |size| 1e-6 * size);
            noisy
                .iter_mut()
                .enumerate()
                .for_each(|(index, of)| of.time *= if index % 2 == 0 { noise } else { 1.0 / noise });
            growth(&noisy)
        };
        let [low, high] = noisy(1.1).unwrap().interval;
        assert!(low < 1.0 && high > 1.0 && high - low > 0.1, "{low} {high}");
        assert_eq!(noisy(3.0), None);
    }

    #[test]
    fn words_have_as_many_decimals_as_are_known() {
        let growth = |exponent, half| Growth { exponent, interval: [exponent - half, exponent + half], test_cases: 9 };
        assert_eq!(growth(1.93, 0.12).in_words(), "n^1.9±0.1");
        assert_eq!(growth(1.934, 0.02).in_words(), "n^1.93±0.02");
        assert_eq!(growth(-0.02, 0.06).in_words(), "n^0.0±0.1");
    }

    #[test]
    fn nothing_is_said_without_evidence() {
        assert_eq!(growth(&points(&SIZES[..4], |size| size)), None, "too few");
        assert_eq!(growth(&points(&[100, 110, 120, 130, 140, 150], |size| size)), None, "too narrow");
        // The time depends on something else: large here, small there.
        let mut unrelated = points(&SIZES, |_| 1.0);
        for (index, point) in unrelated.iter_mut().enumerate() {
            point.time = [1.0, 400.0, 2.0, 900.0, 1.0, 300.0][index];
        }
        assert_eq!(growth(&unrelated), None);
        assert_eq!(growth(&points(&SIZES, |_| 0.0)), None, "no time at all");
    }
}

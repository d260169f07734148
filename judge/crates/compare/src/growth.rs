//! Growth: with which power of the input's size the time grows.
//!
//! Responsible for the exponent, and for giving none where there is none. Pure. Must not know where times are from.
//!
//! Source: the estimator of Theil (1950) and Sen (1968), the median of the slopes between pairs of points, here in
//! logarithms of both size and time. A third of the points may be wild without moving it much.

use crate::estimate::median;

/// Test cases that it takes.
const LEAST_POINTS: usize = 5;
/// The least range of sizes: the largest input must be so many times the smallest one.
const LEAST_RANGE: f64 = 4.0;
/// Inputs of nearly the same size say nothing about growth.
const LEAST_STEP: f64 = 1.5;
/// Slopes whose middle half spreads further than this follow no power of the size.
const MOST_SPREAD: f64 = 1.0;

/// A time, and the size of the input that it was spent on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) input_bytes: u64,
    pub(crate) time: f64,
}

/// The exponent of time over size: 1 for linear, 2 for quadratic. `None` where too few test cases, too small a range of
/// sizes, or times that depend on something else than the size say nothing. Times that are not above 0 are left out.
pub(crate) fn exponent(points: &[Point]) -> Option<f64> {
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
    if slopes[last - last / 4] - slopes[last / 4] > MOST_SPREAD {
        return None;
    }
    median(&mut slopes)
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
            let found = exponent(&points(&SIZES, |size| 1e-6 * size.powf(power))).unwrap();
            assert!((found - power).abs() < 1e-9, "{power}: {found}");
        }
    }

    #[test]
    fn one_wild_point_does_not_matter() {
        let mut wild = points(&SIZES, |size| 1e-6 * size * size);
        wild[3].time *= 50.0;
        let found = exponent(&wild).unwrap();
        assert!((found - 2.0).abs() < 0.2, "{found}");
    }

    #[test]
    fn nothing_is_said_without_evidence() {
        assert_eq!(exponent(&points(&SIZES[..4], |size| size)), None, "too few");
        assert_eq!(exponent(&points(&[100, 110, 120, 130, 140, 150], |size| size)), None, "too narrow");
        // The time depends on something else: large here, small there.
        let mut unrelated = points(&SIZES, |_| 1.0);
        for (index, point) in unrelated.iter_mut().enumerate() {
            point.time = [1.0, 400.0, 2.0, 900.0, 1.0, 300.0][index];
        }
        assert_eq!(exponent(&unrelated), None);
        assert_eq!(exponent(&points(&SIZES, |_| 0.0)), None, "no time at all");
    }
}

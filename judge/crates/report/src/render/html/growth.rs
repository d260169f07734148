//! Growth: with which power of the input's size the time of a submission grows.
//!
//! Responsible for the exponent and the curve that it belongs to, and for giving neither where the points follow no power. Must not
//! know how it is drawn.
//!
//! Source: the estimator of Theil (1950) and Sen (1968), the median of the slopes between pairs of points, in
//! logarithms of size and time; a third of the points may be wild without moving it much.

/// Test cases that it takes.
const LEAST_POINTS: usize = 6;
/// The least range of sizes: the largest input must be so many times the smallest one.
const LEAST_RANGE: f64 = 8.0;
/// Inputs of nearly the same size say nothing about growth.
const LEAST_STEP: f64 = 1.5;
/// Slopes whose middle half spreads further than this follow no power of the size.
const MOST_SPREAD: f64 = 1.0;
/// The least exponent. A program that reads its input takes at least a time in proportion to it, so a power well below
/// that is a measurement of something else.
const LEAST_EXPONENT: f64 = 0.5;
/// Microseconds above the fastest run below which a time is mostly that of starting a program.
const LEAST_TIME: f64 = 1_000.0;

/// Time as a function of size: `start + factor · size ^ exponent`, in microseconds and bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Growth {
    pub(super) exponent: f64,
    factor: f64,
    start: f64,
    /// The sizes between which it is known.
    pub(super) sizes: (f64, f64),
}

impl Growth {
    /// The growth that the points follow, each a size in bytes and a time in microseconds. The fastest of them is taken
    /// for the time of starting a program.
    pub(super) fn fit(points: &[(f64, f64)]) -> Option<Self> {
        let start = points.iter().map(|point| point.1).min_by(f64::total_cmp)?;
        let above = points.iter().map(|(size, time)| (*size, time - start));
        let logs: Vec<(f64, f64)> = above
            .filter(|(size, time)| *size > 0.0 && *time >= LEAST_TIME.max(start / 2.0))
            .map(|(size, time)| (size.ln(), time.ln()))
            .collect();
        let smallest = logs.iter().map(|log| log.0).min_by(f64::total_cmp)?;
        let largest = logs.iter().map(|log| log.0).max_by(f64::total_cmp)?;
        if logs.len() < LEAST_POINTS || largest - smallest < LEAST_RANGE.ln() {
            return None;
        }
        let mut slopes: Vec<f64> = Vec::new();
        for (index, one) in logs.iter().enumerate() {
            let others = logs[index + 1..].iter().filter(|other| (one.0 - other.0).abs() >= LEAST_STEP.ln());
            slopes.extend(others.map(|other| (one.1 - other.1) / (one.0 - other.0)));
        }
        let exponent = median(&mut slopes)?;
        let last = slopes.len() - 1;
        if slopes[last - last / 4] - slopes[last / 4] > MOST_SPREAD || exponent < LEAST_EXPONENT {
            return None;
        }
        let mut heights: Vec<f64> = logs.iter().map(|log| log.1 - exponent * log.0).collect();
        let factor = median(&mut heights)?.exp();
        Some(Self { exponent, factor, start, sizes: (smallest.exp(), largest.exp()) })
    }

    /// The time for an input of this size.
    pub(super) fn at(&self, size: f64) -> f64 {
        self.start + self.factor * size.powf(self.exponent)
    }
}

/// The median; the values are sorted afterwards.
fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(f64::midpoint(values[last / 2], values[last.div_ceil(2)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(time: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        [10.0, 1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 64e3].iter().map(|size| (*size, time(*size))).collect()
    }

    #[test]
    fn powers_are_found_whatever_it_takes_to_start() {
        for (power, factor) in [(1.0, 10.0), (1.5, 0.5), (2.0, 0.01)] {
            let growth = Growth::fit(&points(|size| 900.0 + factor * size.powf(power))).unwrap();
            assert!((growth.exponent - power).abs() < 0.1, "{power}: {growth:?}");
            let quotient = growth.at(32e3) / (900.0 + factor * 32e3f64.powf(power));
            assert!((0.8..1.25).contains(&quotient), "{power}: {quotient}");
        }
    }

    #[test]
    fn other_shapes_have_no_exponent() {
        assert_eq!(Growth::fit(&points(|_| 900.0)), None, "only starting");
        assert_eq!(Growth::fit(&points(|size| if size as u64 % 3 == 1 { 900.0 } else { 9e5 })), None, "something else");
        assert_eq!(Growth::fit(&points(|size| 1e9 / size)), None, "larger is faster");
        assert_eq!(Growth::fit(&points(|size| 900.0 + 500.0 * size.powf(0.3))), None, "less than reading takes");
        assert_eq!(Growth::fit(&points(|size| size * 9.0)[..4]), None, "too few");
        assert_eq!(Growth::fit(&[]), None);
    }
}

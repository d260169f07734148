//! Estimates: how many times as much one submission uses as another, and how sure that is.
//!
//! Responsible for the statistics of rounds. Pure. Must not know what was measured nor how it is reported.
//!
//! A round of a test case gives one log ratio. A test case's ratio is the median over its rounds: a round that
//! something else disturbed moves it little. The ratio as a whole is the geometric mean over the test cases. They are
//! not a sample of anything but are what is compared, so only rounds are drawn again for the interval (a stratified
//! bootstrap), and the interval says how well the ratio *on these test cases* is known.

use serde::{Deserialize, Serialize};

use judge_exec::Random;

/// The quantile of the normal distribution that leaves 2.5 % above it.
const NORMAL: f64 = 1.959_964;
/// Rounds that a test case needs before it counts.
pub(crate) const LEAST_ROUNDS: usize = 3;

/// A ratio and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The geometric mean over the test cases; below 1: less than the reference.
    pub ratio: f64,
    /// The interval; none while there are too few rounds to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Rounds that it rests on, over all test cases.
    pub rounds: usize,
    /// Test cases that it rests on.
    pub test_cases: usize,
}

impl Estimate {
    /// Half of the interval's width in logarithms: about the share by which the ratio may be wrong.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        self.interval.map(|[low, high]| (high / low).ln() / 2.0)
    }
}

/// The middle of the values, or the mean of the two in the middle; changes their order.
pub(crate) fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let (middle, odd) = (values.len() / 2, values.len() % 2 == 1);
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    if odd {
        return Some(upper);
    }
    let lower = below.iter().copied().max_by(f64::total_cmp).unwrap_or(upper);
    Some((lower + upper) / 2.0)
}

/// The ratio over test cases, each given by the log ratios of its rounds. Test cases with fewer than three rounds are
/// left out; `None` when nothing is left.
pub(crate) fn estimate(test_cases: &[Vec<f64>], resamples: usize, random: &mut Random) -> Option<Estimate> {
    let enough: Vec<&[f64]> = test_cases.iter().map(Vec::as_slice).filter(|of| of.len() >= LEAST_ROUNDS).collect();
    let known = if enough.is_empty() { test_cases.iter().map(Vec::as_slice).collect() } else { enough.clone() };
    let mut scratch = Vec::new();
    let log_ratio = mean_of_medians(&known, &mut scratch, &mut <[f64]>::to_vec)?;
    let rounds = known.iter().map(|of| of.len()).sum();
    let interval = (!enough.is_empty()).then(|| {
        let (below, above) = spread(&enough, log_ratio, resamples, random);
        [(log_ratio - below).exp(), (log_ratio + above).exp()]
    });
    Some(Estimate {
        ratio: log_ratio.exp(),
        interval,
        rounds,
        test_cases: known.iter().filter(|of| !of.is_empty()).count(),
    })
}

fn mean_of_medians(
    test_cases: &[&[f64]],
    scratch: &mut Vec<f64>,
    draw: &mut impl FnMut(&[f64]) -> Vec<f64>,
) -> Option<f64> {
    scratch.clear();
    scratch.extend(test_cases.iter().filter_map(|of| median(&mut draw(of))));
    (!scratch.is_empty()).then(|| scratch.iter().sum::<f64>() / scratch.len() as f64)
}

/// The spread of the interval below and above the log ratio.
fn spread(test_cases: &[&[f64]], log_ratio: f64, resamples: usize, random: &mut Random) -> (f64, f64) {
    let mut scratch = Vec::new();
    let mut draw = |of: &[f64]| (0..of.len()).map(|_| of[random.index(of.len())]).collect();
    let mut drawn: Vec<f64> =
        (0..resamples.max(40)).filter_map(|_| mean_of_medians(test_cases, &mut scratch, &mut draw)).collect();
    drawn.sort_by(f64::total_cmp);
    let last = drawn.len() - 1;
    let (low, high) = (drawn[last * 25 / 1000], drawn[last - last * 25 / 1000]);
    let widened = widening(test_cases);
    ((log_ratio - low).max(0.0) * widened, (high - log_ratio).max(0.0) * widened)
}

/// The factor by which the bootstrap's interval is too narrow with few rounds: it takes the spread of the sample for
/// that of
/// what it was drawn from (a factor of n / (n - 1) in variance), and knows nothing of the uncertainty of the spread
/// itself (what Student's distribution adds to the normal one).
fn widening(test_cases: &[&[f64]]) -> f64 {
    let free: usize = test_cases.iter().map(|of| of.len() - 1).sum();
    let inflation: f64 = test_cases.iter().map(|of| of.len() as f64 / (of.len() - 1) as f64).sum();
    (inflation / test_cases.len() as f64).sqrt() * student(free) / NORMAL
}

/// The quantile of Student's distribution that leaves 2.5 % above it: exact for up to two degrees of freedom, else the
/// expansion of Cornish and Fisher, good to 1 %.
fn student(free: usize) -> f64 {
    let (z, n) = (NORMAL, free as f64);
    match free {
        0 => f64::INFINITY,
        1 => 12.706,
        2 => 4.303,
        _ => {
            let first = (z.powi(3) + z) / 4.0;
            let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
            let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
            z + first / n + second / n.powi(2) + third / n.powi(3)
        }
    }
}

#[cfg(test)]
#[path = "estimate_tests.rs"]
mod tests;

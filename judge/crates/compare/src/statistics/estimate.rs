//! Estimates: the ratio of two submissions and its uncertainty.
//!
//! Responsible for the statistics of rounds. Pure. Must not know what was measured, nor how it is
//! reported.
//!
//! A round of a test case gives one log ratio. A test case's ratio is the median over its rounds,
//! so a disturbed round changes it little. The test cases are not a sample: they are the subject of
//! the comparison. Therefore, only rounds are resampled for the interval (a bootstrap of their
//! noise), which describes the precision of the ratio *on these test cases*.

use judge_event::comparison::Estimate;
use judge_exec::Random;

/// The quantile of the normal distribution that leaves 2.5 % above it.
const NORMAL: f64 = 1.959_964;
/// The minimum number of rounds of a test case.
pub(crate) const MIN_ROUNDS: usize = 3;

/// Widens the interval of an estimate by the effects in it. They are independent of one another and
/// of the noise of rounds, so their squares add up.
pub(crate) fn widened(estimate: Estimate) -> Estimate {
    let effect = effect(&estimate);
    // An interval need not be symmetric, so each end is widened separately. Distances are in
    // logarithms, so that twice and half the ratio are equally far away.
    let end = |sign: f64, end: f64| {
        estimate.ratio * (sign * effect.hypot((end / estimate.ratio).ln())).exp()
    };
    Estimate {
        interval: estimate
            .interval
            .map(|[low, high]| [end(-1.0, low), end(1.0, high)]),
        ..estimate
    }
}

/// Returns true when the whole width of the interval comes from noise, which more rounds reduce.
pub(crate) fn is_noise_alone(estimate: &Estimate) -> bool {
    [
        estimate.host_effect,
        estimate.placement_effect,
        estimate.step_effect,
    ] == [None; 3]
}

/// Returns the logarithm of the factor that the interval allows for in addition to the noise of
/// rounds.
fn effect(estimate: &Estimate) -> f64 {
    let log = |share: Option<f64>| share.unwrap_or(0.0).ln_1p();
    log(estimate.host_effect)
        .hypot(log(estimate.placement_effect))
        .hypot(log(estimate.step_effect))
}

/// Returns the half-width that comes from the noise of rounds alone, in logarithms. More rounds
/// reduce it.
pub(crate) fn half_width_of_rounds(estimate: &Estimate) -> Option<f64> {
    let effect = effect(estimate);
    // This inverts the sum of squares in `widened`. Rounding can make the difference slightly
    // negative.
    estimate
        .half_width()
        .map(|half| (half * half - effect * effect).max(0.0).sqrt())
}

/// The rounds of a test case, each with the values of the reference and of the candidate.
pub(crate) type RoundPairs = Vec<[f64; 2]>;

/// Returns the middle value, or the mean of the two in the middle. Changes the order of the values.
pub(crate) fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let (middle, odd) = (values.len() / 2, values.len() % 2 == 1);
    // Selecting takes linear time. Resampling computes a median for each test case and draw, so
    // sorting would dominate.
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    if odd {
        return Some(upper);
    }
    // For an even number, the other middle value is the largest of those below, which are not
    // sorted.
    let lower = below
        .iter()
        .copied()
        .max_by(f64::total_cmp)
        .unwrap_or(upper);
    Some((lower + upper) / 2.0)
}

/// Returns the estimate over all test cases, the geometric mean of their ratios. `None` while a
/// test case has no round. There is no interval while a test case has fewer than three rounds.
pub(crate) fn estimate(
    test_cases: &[RoundPairs],
    resamples: usize,
    random: &mut Random,
) -> Option<Estimate> {
    let fewest = test_cases.iter().map(Vec::len).min()?;
    let log_ratio = log_ratio(test_cases)?;
    // Two rounds of a test case have only one difference, which shows too little about the noise.
    let interval = (fewest >= MIN_ROUNDS).then(|| {
        let (below, above) = spread(test_cases, log_ratio, resamples, random);
        [(log_ratio - below).exp(), (log_ratio + above).exp()]
    });
    let rounds = test_cases.iter().map(Vec::len).sum();
    Some(Estimate {
        ratio: log_ratio.exp(),
        interval,
        rounds,
        test_cases: test_cases.len(),
        ..Estimate::default()
    })
}

/// Returns the logarithm of the ratio over test cases; `None` when one has no round.
pub(crate) fn log_ratio(test_cases: &[RoundPairs]) -> Option<f64> {
    let medians: Option<Vec<f64>> = test_cases
        .iter()
        .map(|rounds| median(&mut logs(rounds).collect::<Vec<_>>()))
        .collect();
    medians
        .filter(|medians| !medians.is_empty())
        .map(|medians| medians.iter().sum::<f64>() / medians.len() as f64)
}

/// Returns the logarithm of each round's ratio.
fn logs(rounds: &RoundPairs) -> impl Iterator<Item = f64> {
    rounds
        .iter()
        .map(|[reference, candidate]| candidate.ln() - reference.ln())
}

/// Samples of the noise of one round, from the differences between rounds of the same test case.
/// They are divided by the root of two, since two rounds differ by the noise of both.
fn noise(test_cases: &[RoundPairs]) -> Vec<f64> {
    let mut noise = Vec::new();
    for rounds in test_cases {
        let ratios: Vec<f64> = logs(rounds).collect();
        for (index, one) in ratios.iter().enumerate() {
            for other in &ratios[index + 1..] {
                let difference = (one - other) * std::f64::consts::FRAC_1_SQRT_2;
                // Both signs are used, since the order of rounds does not matter. So the noise has
                // the median 0 and does not change ratios on average.
                noise.extend([difference, -difference]);
            }
        }
    }
    noise
}

/// Returns the spread of the interval below and above the log ratio. A single test case has too few
/// rounds to determine its noise, especially if noise comes in bursts, as on a busy host. So the
/// rounds of each are drawn from the noise of all.
fn spread(
    test_cases: &[RoundPairs],
    log_ratio: f64,
    resamples: usize,
    random: &mut Random,
) -> (f64, f64) {
    let noise = noise(test_cases);
    let mut scratch = Vec::new();
    let mut drawn: Vec<f64> = (0..resamples.max(40))
        .map(|_| {
            let moved = test_cases.iter().map(|rounds| {
                scratch.clear();
                // The number of draws is the number of rounds, so that the median is as uncertain
                // as the real one.
                scratch.extend(rounds.iter().map(|_| noise[random.index(noise.len())]));
                median(&mut scratch).unwrap_or(0.0)
            });
            log_ratio + moved.sum::<f64>() / test_cases.len() as f64
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let last = drawn.len() - 1;
    // The basic bootstrap: the true ratio is as far below the measured one as a draw is above it.
    // So the ends are mirrored about the ratio: the upper quantile gives the distance below.
    let (low, high) = (drawn[last * 25 / 1000], drawn[last - last * 25 / 1000]);
    let widened = widening(test_cases);
    (
        (high - log_ratio).max(0.0) * widened,
        (log_ratio - low).max(0.0) * widened,
    )
}

/// Returns the factor by which the interval is too narrow with few rounds, because it ignores the
/// uncertainty of the noise itself (the difference between Student's t distribution and the normal
/// distribution).
fn widening(test_cases: &[RoundPairs]) -> f64 {
    // Each test case spends one degree of freedom on its own ratio.
    let free: usize = test_cases.iter().map(|rounds| rounds.len() - 1).sum();
    student(free) / NORMAL
}

/// Returns the quantile of Student's t distribution that leaves 2.5 % above it: exact for up to two
/// degrees of freedom, otherwise the Cornish–Fisher expansion, which is accurate to 1 %.
fn student(free: usize) -> f64 {
    let (z, n) = (NORMAL, free as f64);
    match free {
        0 => f64::INFINITY,
        1 => 12.706,
        2 => 4.303,
        _ => {
            // The coefficients of 1/n, 1/n² and 1/n³ (Abramowitz and Stegun, 26.7.5).
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

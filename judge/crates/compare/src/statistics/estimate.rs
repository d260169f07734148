//! Estimates: how many times as much one submission uses as another, and how sure that is.
//!
//! Responsible for the statistics of rounds. Pure. Must not know what was measured nor how it is reported.
//!
//! A round of a test case gives one log ratio. A test case's ratio is the median over its rounds: a round that
//! something else disturbed moves it little. Test cases are not a sample of anything but are what is compared, so only
//! rounds are drawn again for the interval (a stratified bootstrap), and the interval says how well the ratio *on these
//! test cases* is known.

use serde::{Deserialize, Serialize};

use judge_exec::Random;

/// The quantile of the normal distribution that leaves 2.5 % above it.
const NORMAL: f64 = 1.959_964;
/// Rounds that a test case needs before it counts.
pub(crate) const LEAST_ROUNDS: usize = 3;
/// The share of a time that is left at least when the time of starting is taken off.
const LEAST_LEFT: f64 = 0.01;

/// A ratio and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The ratio; below 1: less than the reference.
    pub ratio: f64,
    /// The interval; none where there are too few rounds to tell.
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

/// The rounds of a test case: in each, how much the reference used and how much the candidate.
pub(crate) type Rounds = Vec<[f64; 2]>;

/// The one number that is made of the ratios of several test cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Summary {
    /// Their geometric mean: every test case weighs the same.
    Mean,
    /// The candidate's sum over the reference's: slow test cases weigh most.
    Total,
    /// The candidate's largest over the reference's largest, which may be another test case's.
    Largest,
}

/// The measurements of a program that does nothing, in the languages of the reference and the candidate: taken off
/// before anything is compared.
pub(crate) type Starts<'a> = [&'a [f64]; 2];

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

/// The estimate over test cases. None of them is left out: `None` while one has no round at all, and no interval while
/// one has fewer than three.
pub(crate) fn estimate(
    test_cases: &[Rounds],
    summary: Summary,
    starts: Option<Starts<'_>>,
    resamples: usize,
    random: &mut Random,
) -> Option<Estimate> {
    let least = test_cases.iter().map(Vec::len).min()?;
    let log_ratio = summarize(test_cases, summary, starts, &mut |_, nth| nth)?;
    let interval = (least >= LEAST_ROUNDS).then(|| {
        let (below, above) = spread(test_cases, summary, starts, log_ratio, (resamples, random));
        [(log_ratio - below).exp(), (log_ratio + above).exp()]
    });
    let rounds = test_cases.iter().map(Vec::len).sum();
    Some(Estimate { ratio: log_ratio.exp(), interval, rounds, test_cases: test_cases.len() })
}

/// Picks the place of the nth round of so many: itself, or a drawn one.
type Pick<'a> = &'a mut dyn FnMut(usize, usize) -> usize;

/// The logarithm of the one number, over rounds that are picked; `None` when there are none.
fn summarize(test_cases: &[Rounds], summary: Summary, starts: Option<Starts<'_>>, pick: Pick<'_>) -> Option<f64> {
    let mut start = |of: &[f64]| {
        let mut picked: Vec<f64> = (0..of.len()).map(|nth| of[pick(of.len(), nth)]).collect();
        median(&mut picked).unwrap_or(0.0)
    };
    let start = starts.map_or([0.0; 2], |[reference, candidate]| [start(reference), start(candidate)]);
    let (mut ratios, mut references) = (Vec::new(), Vec::new());
    let (mut logs, mut sums, mut largest) = (0.0, [0.0; 2], [f64::MIN; 2]);
    for rounds in test_cases {
        ratios.clear();
        references.clear();
        for nth in 0..rounds.len() {
            let [reference, candidate] = rounds[pick(rounds.len(), nth)];
            let reference = (reference - start[0]).max(reference * LEAST_LEFT).ln();
            ratios.push((candidate - start[1]).max(candidate * LEAST_LEFT).ln() - reference);
            references.push(reference);
        }
        // The candidate's from the ratio, in which everything that disturbed both cancels out.
        let (ratio, reference) = (median(&mut ratios)?, median(&mut references)?);
        logs += ratio;
        for (index, log) in [reference, reference + ratio].into_iter().enumerate() {
            sums[index] += log.exp();
            largest[index] = largest[index].max(log);
        }
    }
    Some(match summary {
        Summary::Mean => logs / test_cases.len() as f64,
        Summary::Total => (sums[1] / sums[0]).ln(),
        Summary::Largest => largest[1] - largest[0],
    })
}

/// The spread of the interval below and above the log ratio.
fn spread(
    test_cases: &[Rounds],
    summary: Summary,
    starts: Option<Starts<'_>>,
    log_ratio: f64,
    (resamples, random): (usize, &mut Random),
) -> (f64, f64) {
    let mut draw = |length: usize, _: usize| random.index(length);
    let mut drawn: Vec<f64> =
        (0..resamples.max(40)).filter_map(|_| summarize(test_cases, summary, starts, &mut draw)).collect();
    drawn.sort_by(f64::total_cmp);
    let last = drawn.len() - 1;
    let (low, high) = (drawn[last * 25 / 1000], drawn[last - last * 25 / 1000]);
    let widened = widening(test_cases);
    ((log_ratio - low).max(0.0) * widened, (high - log_ratio).max(0.0) * widened)
}

/// The factor by which the bootstrap's interval is too narrow with few rounds: it takes the spread of the sample for
/// that of what it was drawn from (a factor of n / (n - 1) in variance), and knows nothing of the uncertainty of the spread
/// itself (what Student's distribution adds to the normal one).
fn widening(test_cases: &[Rounds]) -> f64 {
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

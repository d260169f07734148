//! Estimates: how many times as much one submission uses as another, and how sure that is.
//!
//! Responsible for the statistics of rounds. Pure. Must not know what was measured nor how it is reported.
//!
//! A round of a test case gives one log ratio. A test case's ratio is the median over its rounds: a round that
//! something else disturbed moves it little. Test cases are not a sample of anything but are what is compared, so only
//! rounds are drawn again for the interval (a bootstrap of their noise), and the interval says how well the ratio *on
//! these test cases* is known.

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
    /// The interval; none where there are too few rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Rounds that it rests on, over all test cases.
    pub rounds: usize,
    /// Test cases that it rests on.
    pub test_cases: usize,
    /// The share by which other work on the host may move the ratio, which is part of the interval; none where it cannot,
    /// or nothing is allowed for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_effect: Option<f64>,
    /// The share by which the places of both programs in memory may move the ratio, which is part of the interval too; none
    /// where nothing is allowed for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement_effect: Option<f64>,
    /// The share by which the steps of the measure may move the ratio, which is part of the interval too; none where it has
    /// none to speak of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_effect: Option<f64>,
}

impl Estimate {
    /// The estimate with an interval that allows for a host, and for places in memory, that move the ratio by these shares.
    /// They are independent of each other and of the noise of rounds, so their squares add up.
    #[must_use]
    pub(crate) fn allowing_for(self, host_effect: f64, placement_effect: f64) -> Self {
        let known = |share: f64| Some(share).filter(|share| *share > 0.0);
        let (host_effect, placement_effect) = (known(host_effect), known(placement_effect));
        let allowing = Self { host_effect, placement_effect, ..self };
        let effect = allowing.effect();
        let end = |sign: f64, end: f64| self.ratio * (sign * effect.hypot((end / self.ratio).ln())).exp();
        let interval = self.interval.map(|[low, high]| [end(-1.0, low), end(1.0, high)]);
        Self { interval, ..allowing }
    }

    /// The estimate with an interval that allows for a measure in steps, which moves the ratio by up to this share.
    #[must_use]
    pub(crate) fn allowing_for_steps(self, step_effect: f64) -> Self {
        let allowing = self.allowing_for(step_effect, 0.0);
        Self { host_effect: None, step_effect: allowing.host_effect, ..allowing }
    }

    /// True when the interval allows for nothing that more rounds would not make smaller.
    pub(crate) fn is_noise_alone(&self) -> bool {
        self.host_effect.is_none() && self.placement_effect.is_none() && self.step_effect.is_none()
    }

    /// The logarithm of the factor that the interval allows for beside the noise of rounds.
    fn effect(&self) -> f64 {
        let log = |share: Option<f64>| share.unwrap_or(0.0).ln_1p();
        log(self.host_effect).hypot(log(self.placement_effect)).hypot(log(self.step_effect))
    }

    /// Half of the width that comes from the noise of rounds alone, in logarithms: what more rounds make smaller.
    #[must_use]
    pub(crate) fn half_width_of_rounds(&self) -> Option<f64> {
        let effect = self.effect();
        self.half_width().map(|half| (half * half - effect * effect).max(0.0).sqrt())
    }

    /// Half of the interval's width in logarithms: about the share by which the ratio may be wrong.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        self.interval.map(|[low, high]| (high / low).ln() / 2.0)
    }
}

/// The rounds of a test case: in each, how much the reference used and how much the candidate.
pub(crate) type RoundPairs = Vec<[f64; 2]>;

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
    test_cases: &[RoundPairs],
    summary: Summary,
    starts: Option<Starts<'_>>,
    resamples: usize,
    random: &mut Random,
) -> Option<Estimate> {
    let least = test_cases.iter().map(Vec::len).min()?;
    let log_ratio = log_ratio(test_cases, summary, starts)?;
    let interval = (least >= LEAST_ROUNDS).then(|| {
        let (below, above) = spread(test_cases, summary, starts, log_ratio, resamples, random);
        [(log_ratio - below).exp(), (log_ratio + above).exp()]
    });
    let rounds = test_cases.iter().map(Vec::len).sum();
    Some(Estimate {
        ratio: log_ratio.exp(),
        interval,
        rounds,
        test_cases: test_cases.len(),
        host_effect: None,
        placement_effect: None,
        step_effect: None,
    })
}

/// The logarithm of the ratio over test cases; `None` when one has no round.
pub(crate) fn log_ratio(test_cases: &[RoundPairs], summary: Summary, starts: Option<Starts<'_>>) -> Option<f64> {
    Some(summary.of(middles(test_cases, taken_off(starts))?.into_iter()))
}

/// What is taken off the times of both.
fn taken_off(starts: Option<Starts<'_>>) -> [f64; 2] {
    starts.map_or([0.0; 2], |starts| starts.map(|of| median(&mut of.to_vec()).unwrap_or(0.0)))
}

/// A test case over its rounds: the logarithms of its ratio and of the reference's time.
#[derive(Clone, Copy, Debug)]
struct Middle {
    ratio: f64,
    reference: f64,
}

/// The logarithms of each round's ratio and reference, with what starting takes taken off.
fn logs(rounds: &RoundPairs, start: [f64; 2]) -> impl Iterator<Item = Middle> {
    rounds.iter().map(move |[reference, candidate]| {
        let log = (reference - start[0]).max(reference * LEAST_LEFT).ln();
        Middle { ratio: (candidate - start[1]).max(candidate * LEAST_LEFT).ln() - log, reference: log }
    })
}

/// The middle of each test case; `None` when one has no round.
fn middles(test_cases: &[RoundPairs], start: [f64; 2]) -> Option<Vec<Middle>> {
    let middle = |rounds: &RoundPairs| {
        let (mut ratios, mut references): (Vec<f64>, Vec<f64>) =
            logs(rounds, start).map(|log| (log.ratio, log.reference)).unzip();
        Some(Middle { ratio: median(&mut ratios)?, reference: median(&mut references)? })
    };
    test_cases.iter().map(middle).collect()
}

impl Summary {
    /// The logarithm of the one number. The candidate's time is taken from the ratio, in which everything that
    /// disturbed both cancels out.
    fn of(self, test_cases: impl Iterator<Item = Middle>) -> f64 {
        let (mut number, mut logs, mut sums, mut largest) = (0.0, 0.0, [0.0; 2], [f64::MIN; 2]);
        for Middle { ratio, reference } in test_cases {
            number += 1.0;
            logs += ratio;
            for (index, log) in [reference, reference + ratio].into_iter().enumerate() {
                sums[index] += log.exp();
                largest[index] = largest[index].max(log);
            }
        }
        match self {
            Self::Mean => logs / number,
            Self::Total => (sums[1] / sums[0]).ln(),
            Self::Largest => largest[1] - largest[0],
        }
    }
}

/// The noise of one round, whichever test case it is of: the distance between rounds of the same test case. Divided by
/// the root of two, since two rounds differ by the noise of both.
fn noise(test_cases: &[RoundPairs], start: [f64; 2]) -> Vec<f64> {
    let mut noise = Vec::new();
    for rounds in test_cases {
        let ratios: Vec<f64> = logs(rounds, start).map(|log| log.ratio).collect();
        for (index, one) in ratios.iter().enumerate() {
            for other in &ratios[index + 1..] {
                let apart = (one - other) * std::f64::consts::FRAC_1_SQRT_2;
                noise.extend([apart, -apart]);
            }
        }
    }
    noise
}

/// The spread of the interval below and above the log ratio. A test case has too few rounds to know its own noise,
/// above all where that comes in bursts, as on a busy host; all of them together know it. So the rounds of each are
/// drawn from the noise of all.
fn spread(
    test_cases: &[RoundPairs],
    summary: Summary,
    starts: Option<Starts<'_>>,
    log_ratio: f64,
    resamples: usize,
    random: &mut Random,
) -> (f64, f64) {
    let still = taken_off(starts);
    let noise = noise(test_cases, still);
    let Some(known) = middles(test_cases, still) else { return (f64::INFINITY, f64::INFINITY) };
    let mut scratch = Vec::new();
    let mut drawn: Vec<f64> = (0..resamples.max(40))
        .filter_map(|_| {
            let redrawn = starts.map(|starts| {
                starts.map(|of| median(&mut of.iter().map(|_| of[random.index(of.len())]).collect::<Vec<_>>()))
            });
            let moved = redrawn.map(|start| middles(test_cases, start.map(|start| start.unwrap_or(0.0))));
            let of_draw = moved.unwrap_or_else(|| Some(known.clone()))?;
            let with_noise = of_draw.into_iter().zip(test_cases).map(|(middle, rounds)| {
                scratch.clear();
                scratch.extend(rounds.iter().map(|_| noise[random.index(noise.len())]));
                Middle { ratio: middle.ratio + median(&mut scratch).unwrap_or(0.0), ..middle }
            });
            Some(summary.of(with_noise))
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let last = drawn.len() - 1;
    let (low, high) = (drawn[last * 25 / 1000], drawn[last - last * 25 / 1000]);
    let widened = widening(test_cases);
    ((high - log_ratio).max(0.0) * widened, (log_ratio - low).max(0.0) * widened)
}

/// The factor by which the interval is too narrow with few rounds: it knows nothing of the uncertainty of the noise
/// itself (what Student's distribution adds to the normal one).
fn widening(test_cases: &[RoundPairs]) -> f64 {
    let free: usize = test_cases.iter().map(|of| of.len() - 1).sum();
    student(free) / NORMAL
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

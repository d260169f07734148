//! Tests of estimates: intervals cover the truth at their confidence level, with realistic noise.

use super::*;
use crate::measure::stopping;
use crate::statistics::conclusion::conclude;
use judge_event::comparison::Conclusion;

const MARGIN: f64 = 0.02;
const PRECISION: f64 = 0.0075;

#[test]
fn medians_accept_unsorted_values() {
    assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), Some(2.5));
    assert_eq!(median(&mut []), None);
}

/// Rounds in which the reference used 100 and the candidate a multiple with this logarithm.
fn rounds_of(log_ratios: &[f64]) -> RoundPairs {
    log_ratios
        .iter()
        .map(|log_ratio| [100.0, 100.0 * log_ratio.exp()])
        .collect()
}

fn mean(test_cases: &[RoundPairs], resamples: usize, random: &mut Random) -> Option<Estimate> {
    estimate(test_cases, resamples, random)
}

#[test]
fn a_ratio_is_the_geometric_mean_of_the_test_cases() {
    let rounds = |ratio: f64| rounds_of(&[ratio.ln(); 3]);
    let found = mean(&[rounds(2.0), rounds(8.0)], 100, &mut Random::new(1)).unwrap();
    assert!((found.ratio - 4.0).abs() < 1e-9);
    assert_eq!((found.rounds, found.test_cases), (6, 2));
    let [low, high] = found.interval.unwrap();
    assert!(
        (low - 4.0).abs() < 1e-9 && (high - 4.0).abs() < 1e-9,
        "all rounds agree"
    );
}

#[test]
fn too_few_rounds_on_any_test_case_give_no_interval() {
    let found = mean(&[rounds_of(&[0.0, 0.0])], 100, &mut Random::new(1)).unwrap();
    assert_eq!((found.ratio, found.interval), (1.0, None));
    assert_eq!(mean(&[Vec::new()], 100, &mut Random::new(1)), None);
    assert_eq!(mean(&[], 100, &mut Random::new(1)), None);
    // A part of the test cases is not enough for an estimate.
    let found = mean(
        &[rounds_of(&[0.0; 3]), rounds_of(&[1.0])],
        100,
        &mut Random::new(1),
    )
    .unwrap();
    assert_eq!((found.interval, found.test_cases), (None, 2));
    assert_eq!(
        mean(
            &[rounds_of(&[0.0; 3]), Vec::new()],
            100,
            &mut Random::new(1)
        ),
        None
    );
}

#[test]
fn single_disturbed_rounds_do_not_change_the_ratio() {
    let found = mean(
        &[rounds_of(&[0.0, 0.001, -0.001, 0.002, 3.0])],
        100,
        &mut Random::new(1),
    )
    .unwrap();
    assert!((found.ratio - 1.0).abs() < 0.01, "{found:?}");
}

#[test]
fn student_quantiles_match_the_tables() {
    for (free, expected) in [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (6, 2.447),
        (10, 2.228),
        (30, 2.042),
    ] {
        let found = student(free);
        assert!((found / expected - 1.0).abs() < 0.01, "{free}: {found}");
    }
}

/// Returns a draw from the standard normal distribution (Box and Muller).
fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}

fn noise(random: &mut Random, width: f64) -> f64 {
    let disturbed = if random.unit() < 0.1 {
        -0.05 * (1.0 - random.unit()).ln()
    } else {
        0.0
    };
    width * normal(random) + disturbed
}

/// Returns a round in ABBA order, on a machine that becomes slower during the round.
fn round(random: &mut Random, truth: f64, width: f64) -> f64 {
    let drift = 0.01 * normal(random);
    let measurement =
        |random: &mut Random, place: f64, ratio: f64| ratio + drift * place + noise(random, width);
    let reference = measurement(random, 0.0, 0.0) + measurement(random, 3.0, 0.0);
    let candidate = measurement(random, 1.0, truth) + measurement(random, 2.0, truth);
    (candidate - reference) / 2.0
}

/// Returns a comparison with rounds until the interval is narrow enough.
fn comparison(random: &mut Random, test_cases: usize, truth: f64, width: f64) -> Estimate {
    let mut rounds = vec![Vec::new(); test_cases];
    let mut check_at = stopping::min_rounds(test_cases);
    for dealt in 0.. {
        if dealt >= check_at {
            let found = mean(&rounds, 200, random).unwrap();
            if stopping::is_precise(&found, PRECISION, 0.0) || dealt > 400 {
                return found;
            }
            check_at = stopping::next_check(dealt);
        }
        rounds[dealt % test_cases].extend(rounds_of(&[round(random, truth, width)]));
    }
    unreachable!("the range is unbounded")
}

#[test]
fn intervals_cover_the_truth_despite_early_stopping() {
    let mut random = Random::new(20);
    for (test_cases, width) in [(1, 0.01), (4, 0.01), (12, 0.005), (2, 0.02)] {
        let truth = 0.05;
        let (mut covered, mut rounds) = (0, 0);
        const COMPARISONS: usize = 200;
        for _ in 0..COMPARISONS {
            let found = comparison(&mut random, test_cases, truth, width);
            let [low, high] = found.interval.unwrap();
            covered += usize::from(low.ln() <= truth && truth <= high.ln());
            rounds += found.rounds;
        }
        eprintln!(
            "{test_cases} {width}: {covered} of {COMPARISONS}, {} rounds",
            rounds / COMPARISONS
        );
        assert!(
            covered * 100 >= COMPARISONS * 93,
            "{test_cases} {width}: {covered} of {COMPARISONS}"
        );
    }
}

/// A host with bursts of other work, during which every measurement takes a third longer.
struct Bursts {
    on: bool,
    /// The probability that a burst begins or ends between two measurements.
    change: f64,
}

impl Bursts {
    fn measurement(&mut self, random: &mut Random, truth: f64) -> f64 {
        self.on ^= random.unit() < self.change;
        truth + if self.on { 0.3 } else { 0.0 } + noise(random, 0.01)
    }

    fn round(&mut self, random: &mut Random, truth: f64) -> f64 {
        let [a, b, c, d] = [0.0, truth, truth, 0.0].map(|truth| self.measurement(random, truth));
        (b + c - a - d) / 2.0
    }
}

#[test]
fn intervals_cover_the_truth_with_bursts_of_noise() {
    let mut random = Random::new(22);
    for (test_cases, rounds, change) in [
        (1, 24, 0.2),
        (2, 16, 0.1),
        (6, 18, 0.2),
        (6, 18, 0.02),
        (12, 60, 0.3),
    ] {
        const COMPARISONS: usize = 400;
        let mut covered = 0;
        let mut width = 0.0;
        for _ in 0..COMPARISONS {
            let mut bursts = Bursts {
                on: random.unit() < 0.5,
                change,
            };
            let mut all = vec![Vec::new(); test_cases];
            for round in 0..rounds {
                all[round % test_cases].extend(rounds_of(&[bursts.round(&mut random, 0.05)]));
            }
            let found = mean(&all, 200, &mut random).unwrap();
            let [low, high] = found.interval.unwrap();
            covered += usize::from(low.ln() <= 0.05 && 0.05 <= high.ln());
            width += found.half_width().unwrap() / COMPARISONS as f64;
        }
        eprintln!("{test_cases} {rounds} {change}: {covered} of {COMPARISONS}, {width:.4}");
        assert!(
            covered * 100 >= COMPARISONS * 93,
            "{test_cases} {rounds} {change}: {covered} of {COMPARISONS}"
        );
    }
}

#[test]
fn identical_programs_are_the_same_and_3_percent_are_detected() {
    let mut random = Random::new(21);
    for (test_cases, width) in [(1, 0.01), (5, 0.02), (12, 0.005)] {
        const COMPARISONS: usize = 200;
        let mut count = |truth: f64, expected: Conclusion| {
            let comparisons =
                (0..COMPARISONS).map(|_| comparison(&mut random, test_cases, truth, width));
            comparisons
                .filter(|found| conclude(found, MARGIN, PRECISION) == expected)
                .count()
        };
        let same = count(0.0, Conclusion::Same);
        let slower = count(1.03f64.ln(), Conclusion::More);
        let faster = count(-1.03f64.ln(), Conclusion::Less);
        eprintln!("{test_cases} {width}: same {same}, slower {slower}, faster {faster}");
        assert!(
            same * 100 >= COMPARISONS * 95,
            "{test_cases} {width}: same {same}"
        );
        assert!(
            slower * 100 >= COMPARISONS * 95 && faster * 100 >= COMPARISONS * 95,
            "{slower} {faster}"
        );
    }
}

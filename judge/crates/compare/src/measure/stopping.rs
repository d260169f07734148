//! Stopping: decides when to end the rounds.
//!
//! Responsible for the rules. Pure. Must not know the results of the rounds except their precision:
//! a rule that stops at a difference finds one sooner or later, even between identical programs.

use judge_event::comparison::Estimate;

/// The minimum number of rounds for trusting an interval. With fewer, an interval may be narrow by
/// chance, and stopping then would make it wrong more often than its confidence level allows.
const MIN_ROUNDS_IN_TOTAL: usize = 16;
/// The minimum number of rounds on each test case. Disturbances of a host last for several rounds,
/// and may affect all of the few rounds that an interval needs.
const MIN_ROUNDS_EACH: usize = 5;

/// Returns the minimum number of rounds in total for trusting the interval.
pub(crate) fn min_rounds(test_cases: usize) -> usize {
    MIN_ROUNDS_IN_TOTAL.max(test_cases * MIN_ROUNDS_EACH)
}

/// The share of the effects in an interval, other than the noise of rounds, at which rounds end.
/// Further rounds could narrow the interval by at most 3 %, since both add up as squares.
const SHARE_OF_EFFECT: f64 = 0.25;

/// Returns true when an estimate has the requested precision, or when more rounds would barely
/// narrow its interval. `effect` is the logarithm of the factor that it allows for in addition to
/// the noise of rounds. It does not depend on the ratio, so stopping for it favours no result.
pub(crate) fn is_precise(estimate: &Estimate, precision: f64, effect: f64) -> bool {
    let precision = precision.max(effect * SHARE_OF_EFFECT);
    estimate.rounds >= min_rounds(estimate.test_cases)
        && estimate.half_width().is_some_and(|half| half <= precision)
}

/// The factor above which a ratio is clear. Measurements of equal programs never differ by so much,
/// so stopping for it does not distort results.
const CLEAR: f64 = 4.0;
/// The half-width at which the interval of a clear ratio is narrow enough, as a multiple of the
/// requested precision.
const CLEAR_PRECISION: f64 = 10.0;
/// The half-width above which an interval is of little use.
const MAX_USEFUL_NOISE: f64 = 0.05;
/// The alternative to `MAX_USEFUL_NOISE` as a bound of the noise, as a multiple of the requested
/// precision.
const NOISE_OF_PRECISION: f64 = 2.0;
/// The number of rounds after which noise is considered permanent, as a multiple of `min_rounds`: a
/// disturbance that lasts a few rounds must not end them.
const ROUNDS_OF_NOISE: f64 = 1.5;

/// Returns the number of rounds before the first check.
pub(crate) fn first_check(test_cases: usize) -> usize {
    test_cases * MIN_ROUNDS_EACH
}

/// Returns true when the whole interval is at least a factor of 4 away from 1, and not much wider
/// than requested.
pub(crate) fn is_clear(estimate: &Estimate, precision: f64) -> bool {
    let is_far = estimate
        .interval
        .is_some_and(|[low, high]| low > CLEAR || high < CLEAR.recip());
    let is_narrow = estimate
        .half_width()
        .is_some_and(|half| half <= precision * CLEAR_PRECISION);
    estimate.rounds >= first_check(estimate.test_cases) && is_far && is_narrow
}

/// Returns the half-width of noise above which an interval is of little use.
pub(crate) fn max_noise(precision: f64, effect: f64) -> f64 {
    MAX_USEFUL_NOISE
        .max(precision * NOISE_OF_PRECISION)
        .max(effect)
}

/// Returns true when the noise of rounds would leave an interval of little use even at the end of
/// the budget. `spent` is the used share of it. As in `is_precise`, the ratio does not matter.
pub(crate) fn is_too_noisy(estimate: &Estimate, precision: f64, effect: f64, spent: f64) -> bool {
    let rounds = min_rounds(estimate.test_cases) as f64 * ROUNDS_OF_NOISE;
    // The half-width is inversely proportional to the root of the number of rounds.
    let at_the_end = estimate
        .half_width()
        .map(|half| half * spent.min(1.0).sqrt());
    estimate.rounds as f64 >= rounds
        && at_the_end.is_some_and(|half| half > max_noise(precision, effect))
}

/// Returns the number of rounds before the next check: each check costs time, and is another chance
/// to stop by accident.
pub(crate) fn next_check(rounds: usize) -> usize {
    rounds + (rounds / 8).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_intervals_need_a_minimum_of_rounds() {
        let with_rounds = |rounds, test_cases, half: f64| Estimate {
            ratio: 1.0,
            interval: Some([(-half).exp(), half.exp()]),
            rounds,
            test_cases,
            ..Estimate::default()
        };
        assert!(!is_precise(&with_rounds(15, 1, 0.001), 0.01, 0.0));
        assert!(is_precise(&with_rounds(16, 1, 0.001), 0.01, 0.0));
        assert!(!is_precise(&with_rounds(29, 6, 0.001), 0.01, 0.0));
        assert!(is_precise(&with_rounds(30, 6, 0.001), 0.01, 0.0));
        assert!(!is_precise(&with_rounds(100, 5, 0.02), 0.01, 0.0));
        assert!(
            is_precise(&with_rounds(100, 5, 0.02), 0.01, 0.1),
            "more rounds would not narrow most of the interval"
        );
        assert!(!is_precise(&with_rounds(100, 5, 0.03), 0.01, 0.1));
    }

    fn estimate(ratio: f64, half: f64, rounds: usize) -> Estimate {
        let interval = Some([ratio * (-half).exp(), ratio * half.exp()]);
        Estimate {
            ratio,
            interval,
            rounds,
            test_cases: 1,
            ..Estimate::default()
        }
    }

    #[test]
    fn a_clear_ratio_needs_few_rounds() {
        assert!(is_clear(&estimate(5.0, 0.09, 5), 0.01) && is_clear(&estimate(0.2, 0.09, 5), 0.01));
        assert!(!is_clear(&estimate(5.0, 0.09, 4), 0.01), "too few rounds");
        assert!(
            !is_clear(&estimate(5.0, 0.09, 5), 0.001),
            "a better precision was requested"
        );
        assert!(
            !is_clear(&estimate(4.2, 0.09, 50), 0.01) && !is_clear(&estimate(0.24, 0.09, 50), 0.01)
        );
    }

    #[test]
    fn excessive_noise_ends_rounds() {
        assert!(is_too_noisy(&estimate(1.0, 0.2, 24), 0.01, 0.0, 0.1));
        assert!(
            !is_too_noisy(&estimate(1.0, 0.2, 23), 0.01, 0.0, 0.1),
            "may be a disturbance"
        );
        assert!(
            !is_too_noisy(&estimate(1.0, 0.15, 24), 0.01, 0.0, 0.1),
            "5 % at the end of the budget"
        );
        assert!(
            !is_too_noisy(&estimate(1.0, 0.2, 24), 0.05, 0.0, 0.1),
            "no better precision was requested"
        );
        assert!(
            !is_too_noisy(&estimate(1.0, 0.2, 24), 0.01, 0.1, 0.1),
            "small compared with the allowances"
        );
    }

    #[test]
    fn intervals_between_checks_grow() {
        assert_eq!([next_check(1), next_check(12), next_check(80)], [2, 13, 90]);
    }
}

//! Stopping: when there are enough rounds.
//!
//! Responsible for the rule. Pure. Must not know what the rounds showed beyond how precise it is:
//! stopping because a difference is there finds one sooner or later, even between identical
//! programs.

use judge_event::comparison::Estimate;

/// Rounds below which an interval is not trusted, however narrow it is: by chance it is narrow
/// sooner or later, and to stop just then would make it lie more often than it says.
const MIN_IN_ALL: usize = 16;
/// Rounds that there must be on each test case: what disturbs a host lasts for several rounds, and
/// so few as an interval needs at least are sometimes all disturbed alike.
const MIN_EACH: usize = 5;

/// Rounds that there must be in all before the interval is looked at.
pub(crate) fn min_rounds(test_cases: usize) -> usize {
    MIN_IN_ALL.max(test_cases * MIN_EACH)
}

/// The part of what an interval allows for beside the noise of rounds at which more rounds end:
/// they could narrow the interval by 3 % at most, since both add up as squares.
const OF_EFFECT: f64 = 0.25;

/// True when an estimate is as precise as was asked for, or when more rounds would hardly narrow
/// its interval: `effect` is the logarithm of the factor that it allows for beside the noise of
/// rounds. That is known without the ratio, so stopping for it does not favour any.
pub(crate) fn is_precise(estimate: &Estimate, precision: f64, effect: f64) -> bool {
    let precision = precision.max(effect * OF_EFFECT);
    estimate.rounds >= min_rounds(estimate.test_cases)
        && estimate.half_width().is_some_and(|half| half <= precision)
}

/// The factor above which a ratio is clear: the same programs never look so different, so ending
/// for it misleads nobody.
const CLEAR: f64 = 4.0;
/// The half-width at which the interval of a clear ratio is narrow enough, in multiples of the
/// precision that was asked for.
const PRECISION_OF_CLEAR: f64 = 10.0;
/// The half-width above which an interval is of little use.
const OF_LITTLE_USE: f64 = 0.05;
/// The bound of the noise is `OF_LITTLE_USE`, or so many times the precision that was asked for.
const LITTLE_USE_OF_PRECISION: f64 = 2.0;
/// Rounds before noise is taken to stay, in multiples of `min_rounds`: a disturbance of a few
/// rounds must not end them.
const ROUNDS_OF_NOISE: f64 = 1.5;

/// The number of rounds at which the first look is taken.
pub(crate) fn first_look(test_cases: usize) -> usize {
    test_cases * MIN_EACH
}

/// True when the whole interval is at least a factor of 4 away from 1, and not much wider than was
/// asked for.
pub(crate) fn is_clear(estimate: &Estimate, precision: f64) -> bool {
    let is_far = estimate
        .interval
        .is_some_and(|[low, high]| low > CLEAR || high < CLEAR.recip());
    let is_narrow = estimate
        .half_width()
        .is_some_and(|half| half <= precision * PRECISION_OF_CLEAR);
    estimate.rounds >= first_look(estimate.test_cases) && is_far && is_narrow
}

/// The half-width of noise above which an interval is of little use.
pub(crate) fn max_noise(precision: f64, effect: f64) -> f64 {
    OF_LITTLE_USE
        .max(precision * LITTLE_USE_OF_PRECISION)
        .max(effect)
}

/// True when the noise of rounds would leave an interval of little use even at the end of the
/// budget, of which `spent` is the share that is over. As in `is_precise`, the ratio plays no part.
pub(crate) fn is_too_noisy(estimate: &Estimate, precision: f64, effect: f64, spent: f64) -> bool {
    let rounds = min_rounds(estimate.test_cases) as f64 * ROUNDS_OF_NOISE;
    // The half-width shrinks with the root of the number of rounds.
    let at_the_end = estimate
        .half_width()
        .map(|half| half * spent.min(1.0).sqrt());
    estimate.rounds as f64 >= rounds
        && at_the_end.is_some_and(|half| half > max_noise(precision, effect))
}

/// The number of rounds at which the next look is taken: each look costs time, and is one more
/// chance to be fooled.
pub(crate) fn next_look(rounds: usize) -> usize {
    rounds + (rounds / 8).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_is_not_enough_with_few_rounds() {
        let of = |rounds, test_cases, half: f64| Estimate {
            ratio: 1.0,
            interval: Some([(-half).exp(), half.exp()]),
            rounds,
            test_cases,
            ..Estimate::default()
        };
        assert!(!is_precise(&of(15, 1, 0.001), 0.01, 0.0));
        assert!(is_precise(&of(16, 1, 0.001), 0.01, 0.0));
        assert!(!is_precise(&of(29, 6, 0.001), 0.01, 0.0));
        assert!(is_precise(&of(30, 6, 0.001), 0.01, 0.0));
        assert!(!is_precise(&of(100, 5, 0.02), 0.01, 0.0));
        assert!(
            is_precise(&of(100, 5, 0.02), 0.01, 0.1),
            "most of the interval stays as it is"
        );
        assert!(!is_precise(&of(100, 5, 0.03), 0.01, 0.1));
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
            "a better precision was asked for"
        );
        assert!(
            !is_clear(&estimate(4.2, 0.09, 50), 0.01) && !is_clear(&estimate(0.24, 0.09, 50), 0.01)
        );
    }

    #[test]
    fn noise_that_the_budget_cannot_average_out_ends_rounds() {
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
            "nobody asked for more"
        );
        assert!(
            !is_too_noisy(&estimate(1.0, 0.2, 24), 0.01, 0.1, 0.1),
            "small beside the allowances"
        );
    }

    #[test]
    fn looks_become_rarer() {
        assert_eq!([next_look(1), next_look(12), next_look(80)], [2, 13, 90]);
    }
}

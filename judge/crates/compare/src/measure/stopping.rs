//! Stopping: when there are enough rounds.
//!
//! Responsible for the rule. Pure. Must not know what the rounds showed beyond how precise it is: stopping because a
//! difference is there finds one sooner or later, even between identical programs.

use judge_event::comparison::Estimate;

/// Rounds below which an interval is not trusted, however narrow it is: by chance it is narrow sooner or later, and to
/// stop just then would make it lie more often than it says.
const MIN_IN_ALL: usize = 16;
/// Rounds that there must be on each test case: what disturbs a host lasts for several rounds, and so few as an
/// interval needs at least are sometimes all disturbed alike.
const MIN_EACH: usize = 5;

/// Rounds that there must be in all before the interval is looked at.
pub(crate) fn min_rounds(test_cases: usize) -> usize {
    MIN_IN_ALL.max(test_cases * MIN_EACH)
}

/// The part of what an interval allows for beside the noise of rounds at which more rounds end: they could narrow the interval
/// by 3 % at most, since both add up as squares.
const OF_EFFECT: f64 = 0.25;

/// True when an estimate is as precise as was asked for, or when more rounds would hardly narrow its interval: `effect` is the
/// logarithm of the factor that it allows for beside the noise of rounds. That is known without the ratio, so stopping
/// for it does not favour any.
pub(crate) fn is_precise(estimate: &Estimate, precision: f64, effect: f64) -> bool {
    let precision = precision.max(effect * OF_EFFECT);
    estimate.rounds >= min_rounds(estimate.test_cases) && estimate.half_width().is_some_and(|half| half <= precision)
}

/// The number of rounds at which the next look is taken: each look costs time, and is one more chance to be fooled.
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
        assert!(is_precise(&of(100, 5, 0.02), 0.01, 0.1), "most of the interval stays as it is");
        assert!(!is_precise(&of(100, 5, 0.03), 0.01, 0.1));
    }

    #[test]
    fn looks_become_rarer() {
        assert_eq!([next_look(1), next_look(12), next_look(80)], [2, 13, 90]);
    }
}

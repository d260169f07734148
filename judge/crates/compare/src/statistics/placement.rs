//! Placement: the effect of the places of two programs in memory on their ratio.
//!
//! Responsible for the allowance for this effect. Pure. Must not measure, nor know which programs
//! are compared.
//!
//! Two copies of one program are not equally fast next to other programs. The content of the caches
//! when a program starts depends on the places of its pages. The places are the same from one
//! comparison to the next, so no number of rounds averages the effect out
//! (docs/background/measurements/comparing.md). It affects the start-up time, but not the time of
//! computing.

use crate::statistics::estimate::{RoundPairs, log_ratio, median};

/// The share of the start-up time by which a program's time may deviate, with 95 % confidence.
const SHARE_OF_START: f64 = 0.1;

/// Returns the logarithm of the factor by which the places in memory of both programs may change
/// their ratio. `starts` are the start-up times, in the unit of the rounds; unknown ones have no
/// effect.
pub(crate) fn placement_effect(test_cases: &[RoundPairs], starts: [Option<&[f64]>; 2]) -> f64 {
    // The effect is found by simulation: every round is lengthened by the share of the start, and
    // the ratio is computed again. This gives a smaller effect for long test cases, without a
    // formula for the mean of several test cases.
    let moved = |by: [f64; 2]| {
        let lengthened = |rounds: &RoundPairs| {
            rounds
                .iter()
                .map(|[one, other]| [one + by[0], other + by[1]])
                .collect()
        };
        log_ratio(&test_cases.iter().map(lengthened).collect::<Vec<_>>())
    };
    let [one, other] = starts.map(|times| {
        times
            .and_then(|times| median(&mut times.to_vec()))
            .unwrap_or(0.0)
    });
    let Some(unmoved) = moved([0.0; 2]) else {
        return 0.0;
    };
    let effect = |by: [f64; 2]| moved(by).map_or(0.0, |moved| moved - unmoved);
    // Both programs are placed independently, so their effects add up as squares.
    effect([one * SHARE_OF_START, 0.0]).hypot(effect([0.0, other * SHARE_OF_START]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placement_affects_start_up_but_not_long_runs() {
        let rounds = |time: f64| vec![vec![[time, time]; 3]];
        let starts = [Some(&[300.0, 310.0, 900.0][..]); 2];
        let effect = |time, starts| placement_effect(&rounds(time), starts);
        let short = effect(3_100.0, starts);
        assert!(
            (short - 0.01_f64.ln_1p() * 2.0_f64.sqrt()).abs() < 1e-4,
            "{short}"
        );
        assert!(effect(1e6, starts) < 0.0001);
        assert!(effect(3_100.0, [starts[0], None]) < short && effect(3_100.0, [None, None]) == 0.0);
    }
}

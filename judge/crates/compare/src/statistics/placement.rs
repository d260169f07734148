//! Placement: by how much the places of two programs in memory may move their ratio.
//!
//! Responsible for what is allowed for that. Pure. Must not measure, nor know what programs are
//! compared.
//!
//! Two copies of one program are not equally fast beside other programs: what each finds in the
//! caches when it starts depends on where its pages lie, which stays as it is from one comparison
//! to the next, so that no number of rounds averages it out
//! (docs/background/measurements/comparing.md). It moves the time of starting and not that of
//! computing.

use crate::statistics::estimate::{RoundPairs, log_ratio, median};

/// The share of the time of starting by which a program's time may lie off, with 95 % confidence.
const SHARE_OF_START: f64 = 0.1;

/// The logarithm of the factor by which the places in memory of both programs may move their ratio.
/// `starts` are the times of starting, in the unit of the rounds; unknown ones move nothing.
pub(crate) fn placement_effect(test_cases: &[RoundPairs], starts: [Option<&[f64]>; 2]) -> f64 {
    // The effect is found by trying: every round is lengthened by the share of the start, and
    // the ratio computed again. Long test cases thus feel it less, without a formula for the
    // mean of several test cases.
    let moved = |by: [f64; 2]| {
        let of = |rounds: &RoundPairs| {
            rounds
                .iter()
                .map(|[one, other]| [one + by[0], other + by[1]])
                .collect()
        };
        log_ratio(&test_cases.iter().map(of).collect::<Vec<_>>())
    };
    let [one, other] = starts.map(|times| {
        times
            .and_then(|times| median(&mut times.to_vec()))
            .unwrap_or(0.0)
    });
    let Some(still) = moved([0.0; 2]) else {
        return 0.0;
    };
    let effect = |by: [f64; 2]| moved(by).map_or(0.0, |moved| moved - still);
    // Both programs are placed independently, so their effects add up as squares.
    effect([one * SHARE_OF_START, 0.0]).hypot(effect([0.0, other * SHARE_OF_START]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_are_not_moved_and_starting_is() {
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

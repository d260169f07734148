//! Steps: the possible error of a ratio of memory, because memory is counted in steps.
//!
//! Pure. Must not know what was measured.
//!
//! The kernel charges memory to a control group in batches of 64 pages for each processor
//! (`MEMCG_CHARGE_BATCH`), so the peak of a small program is a multiple of 256 KiB, which it may
//! not have used completely. The used part of the last step depends on earlier charges, which are
//! the same in all rounds of a program, so more rounds do not help. Two copies of a program of 0.8
//! MiB measured 512 and 768 KiB in most of their rounds.

use super::estimate::{RoundPairs, median};

/// The size of a step, in bytes.
const STEP: f64 = (256 << 10) as f64;

/// Returns the logarithm of the factor by which steps may change the geometric mean of the ratios
/// of these test cases. The rounds are in bytes, and each peak may be one step too high. The errors
/// do not cancel out, since they have one cause.
pub(crate) fn step_effect(test_cases: &[RoundPairs]) -> f64 {
    let middle = |rounds: &RoundPairs, side: usize| {
        median(&mut rounds.iter().map(|round| round[side]).collect::<Vec<_>>())
    };
    let effects = test_cases.iter().filter_map(|rounds| {
        let smaller = middle(rounds, 0)?.min(middle(rounds, 1)?);
        Some((STEP / smaller.max(1.0)).ln_1p())
    });
    effects.sum::<f64>() / test_cases.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use judge_event::comparison::Estimate;
    use judge_exec::Random;

    use super::*;
    use crate::statistics::estimate::{estimate, widened};

    /// Returns the share of comparisons with an interval that contains the true ratio, for programs
    /// with these peaks that are measured in steps. The phase of a program on a test case is the
    /// same in most of its rounds.
    fn coverage(bytes: [f64; 2], allowing: bool) -> f64 {
        let mut random = Random::new(7);
        let runs = 300;
        let covered = (0..runs).filter(|_| {
            let mut uniform = || random.index(1 << 20) as f64 / f64::from(1 << 20);
            let test_cases: Vec<RoundPairs> = (0..4)
                .map(|_| {
                    let phases = [uniform(), uniform()];
                    let mut measure = |side: usize| {
                        let noise = 0.3 * (uniform() - 0.5);
                        ((bytes[side] / STEP + phases[side] + noise).ceil() * STEP).max(STEP)
                    };
                    (0..8).map(|_| [measure(0), measure(1)]).collect()
                })
                .collect();
            let found = estimate(&test_cases, 200, &mut Random::new(3)).unwrap();
            let found = if allowing {
                widened(Estimate {
                    step_effect: Some(step_effect(&test_cases).exp_m1()),
                    ..found
                })
            } else {
                found
            };
            let [low, high] = found.interval.unwrap();
            let truth = bytes[1] / bytes[0];
            low <= truth && truth <= high
        });
        covered.count() as f64 / f64::from(runs)
    }

    #[test]
    fn memory_intervals_cover_the_truth_despite_steps() {
        for bytes in [
            [0.3e6, 0.3e6],
            [0.8e6, 0.8e6],
            [0.8e6, 1.6e6],
            [5e6, 5e6],
            [100e6, 100e6],
        ] {
            let share = coverage(bytes, true);
            assert!(share >= 0.95, "{bytes:?}: {share}");
        }
        let without = coverage([0.8e6, 0.8e6], false);
        assert!(without < 0.8, "the simulation is harmless: {without}");
    }

    #[test]
    fn steps_barely_affect_large_programs() {
        let effect = |bytes: f64| step_effect(&[vec![[bytes, 2.0 * bytes]; 3]]).exp_m1();
        assert!((effect(524_288.0) - 0.5).abs() < 1e-9);
        assert!(effect(1e9) < 0.001);
        assert!(step_effect(&[]).abs() < 1e-9);
    }
}

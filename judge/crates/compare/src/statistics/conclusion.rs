//! Conclusions from estimates.
//!
//! Responsible for deciding whether two submissions are the same, different, or undecided. Pure.
//! Must not measure.

use judge_event::comparison::{Conclusion, Estimate};

use crate::statistics::estimate::{half_width_of_rounds, is_noise_alone};

/// The maximum number of further rounds that are advised, as a multiple of those that were run. A
/// noisier measurement needs another host or test case.
const MAX_TIMES_MORE: usize = 100;

/// Draws the conclusion from an estimate. `margin` is the share around 1 (0.02: 2 %) within which
/// two count as the same, and `precision` the requested half-width of the interval.
pub(crate) fn conclude(estimate: &Estimate, margin: f64, precision: f64) -> Conclusion {
    // The number of rounds does not reduce the effects of the host, of the placement in memory and
    // of steps.
    let is_noise_alone = is_noise_alone(estimate);
    let helps = |width: &f64| width.is_finite() && (is_noise_alone || *width > precision);
    match estimate.interval {
        // The order matters: a certain difference of 1 % is on one side of 1 and within the margin.
        // It is reported as the same.
        Some([low, high]) if low >= 1.0 / (1.0 + margin) && high <= 1.0 + margin => {
            Conclusion::Same
        }
        Some([_, high]) if high < 1.0 => Conclusion::Less,
        Some([low, _]) if low > 1.0 => Conclusion::More,
        _ => Conclusion::Undecided {
            more_rounds: half_width_of_rounds(estimate)
                .filter(helps)
                .map(|width| more_rounds(estimate, width, precision))
                .filter(|more| *more <= MAX_TIMES_MORE.saturating_mul(estimate.rounds)),
        },
    }
}

/// Returns the number of further rounds for this precision. The half-width is inversely
/// proportional to the square root of the number of rounds.
fn more_rounds(estimate: &Estimate, half_width: f64, precision: f64) -> usize {
    let times = (half_width / precision).powi(2) - 1.0;
    // At least one round for each test case. A float that is too large becomes the largest number.
    let more = (estimate.rounds as f64 * times).ceil() as usize;
    more.max(estimate.test_cases)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::estimate::widened;

    fn conclusion(ratio: f64, interval: Option<[f64; 2]>) -> Conclusion {
        let estimate = Estimate {
            ratio,
            interval,
            rounds: 10,
            test_cases: 2,
            ..Estimate::default()
        };
        conclude(&estimate, 0.02, 0.01)
    }

    #[test]
    fn conclusions_depend_on_the_interval() {
        assert_eq!(
            conclusion(1.0 / 1.38, Some([1.0 / 1.44, 1.0 / 1.31])),
            Conclusion::Less
        );
        assert_eq!(conclusion(14.1, Some([13.6, 14.5])), Conclusion::More);
        assert_eq!(conclusion(1.031, Some([1.024, 1.038])), Conclusion::More);
        assert_eq!(conclusion(1.004, Some([0.995, 1.012])), Conclusion::Same);
        assert_eq!(
            conclusion(1.01, None),
            Conclusion::Undecided { more_rounds: None }
        );
    }

    #[test]
    fn narrow_intervals_within_the_margin_are_the_same() {
        assert_eq!(conclusion(1.01, Some([1.005, 1.015])), Conclusion::Same);
        assert_eq!(conclusion(1.015, Some([1.005, 1.025])), Conclusion::More);
    }

    #[test]
    fn missing_rounds_grow_with_the_square_of_the_width() {
        // Five times too wide: 25 times as many rounds, 24 times as many more.
        let wide = (0.049_99f64).exp();
        let more = |interval| match conclusion(1.0, Some(interval)) {
            Conclusion::Undecided { more_rounds } => more_rounds,
            other => panic!("{other:?}"),
        };
        assert_eq!(more([1.0 / wide, wide]), Some(240));
        assert_eq!(more([0.91, 1.1]), Some(889));
        // An unrealistic number of rounds is not advised.
        assert_eq!(more([0.9, 1.11]), None);
    }

    #[test]
    fn no_rounds_are_advised_against_effects_of_the_host() {
        let interval = Some([1.0, 1.02]);
        let narrow = Estimate {
            ratio: 1.01,
            interval,
            rounds: 40,
            test_cases: 2,
            ..Estimate::default()
        };
        let host = |estimate: Estimate| {
            widened(Estimate {
                host_effect: Some(0.075),
                ..estimate
            })
        };
        let allowing = host(narrow);
        let [low, high] = allowing.interval.unwrap();
        assert!(
            (0.935..0.94).contains(&low) && (1.08..1.09).contains(&high),
            "{low} {high}"
        );
        assert!(
            (half_width_of_rounds(&allowing).unwrap() - narrow.half_width().unwrap()).abs() < 1e-3
        );
        assert_eq!(
            conclude(&allowing, 0.02, 0.01),
            Conclusion::Undecided { more_rounds: None }
        );
        let close =
            |one: Option<f64>, other: Option<f64>| (one.unwrap() - other.unwrap()).abs() < 1e-9;
        assert!(
            close(widened(narrow).half_width(), narrow.half_width()),
            "no allowance"
        );
        // Both effects are allowed for, and more rounds reduce neither of them.
        let both = widened(Estimate {
            host_effect: Some(0.075),
            placement_effect: Some(0.01),
            ..narrow
        });
        assert!(both.half_width() > allowing.half_width());
        let left = half_width_of_rounds(&both).unwrap() - narrow.half_width().unwrap();
        assert!(left.abs() < 1e-5, "{left}");
        let wide = host(Estimate {
            interval: Some([0.93, 1.08]),
            ..narrow
        });
        assert!(matches!(
            conclude(&wide, 0.02, 0.01),
            Conclusion::Undecided {
                more_rounds: Some(_)
            }
        ));
    }
}

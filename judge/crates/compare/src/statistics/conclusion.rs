//! Conclusions: what an estimate says, in words.
//!
//! Responsible for when two submissions are the same and when nothing can be said yet. Pure. Must not measure.

use serde::{Deserialize, Serialize};

use crate::statistics::estimate::Estimate;

/// The conclusion from an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Conclusion {
    /// The whole interval lies within the margin around 1, whether or not it holds 1 itself.
    Same,
    /// Less than the reference: the interval lies below 1.
    Less,
    /// More than the reference: the interval lies above 1.
    More,
    /// The interval holds 1, and is too wide to say that they are the same.
    Undecided {
        /// About how many more rounds it would take to reach the precision that was asked for; unknown without an
        /// interval, and where so many would not be run by anybody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        more_rounds: Option<usize>,
    },
}

/// The words for less and more of something.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Such as `faster`.
    pub less: &'static str,
    /// Such as `slower`.
    pub more: &'static str,
}

/// Of times.
pub const SPEED: Words = Words { less: "faster", more: "slower" };
/// Of sizes.
pub const SIZE: Words = Words { less: "less", more: "more" };

/// Concludes from an estimate, with a margin around 1 (0.02: 2 %) within which two are the same, and the half-width of
/// the interval that was asked for.
#[must_use]
pub fn conclude(estimate: &Estimate, margin: f64, precision: f64) -> Conclusion {
    // What the host, places in memory and the steps of a measure do to the ratio no number of rounds makes smaller.
    let is_noise_alone = estimate.is_noise_alone();
    let helps = |width: &f64| width.is_finite() && (is_noise_alone || *width > precision);
    match estimate.interval {
        Some([low, high]) if low >= 1.0 / (1.0 + margin) && high <= 1.0 + margin => Conclusion::Same,
        Some([_, high]) if high < 1.0 => Conclusion::Less,
        Some([low, _]) if low > 1.0 => Conclusion::More,
        _ => Conclusion::Undecided {
            more_rounds: estimate
                .half_width_of_rounds()
                .filter(helps)
                .map(|width| more_rounds(estimate, width, precision))
                .filter(|more| *more <= MOST_TIMES_MORE.saturating_mul(estimate.rounds)),
        },
    }
}

/// More rounds than this many times those that were run are no advice: so noisy a measurement wants another host or test case.
const MOST_TIMES_MORE: usize = 100;

/// The half-width shrinks with the root of the number of rounds.
fn more_rounds(estimate: &Estimate, half_width: f64, precision: f64) -> usize {
    let times = (half_width / precision).powi(2) - 1.0;
    // No fewer than one for each test case; and a float that is too large becomes the largest number.
    let more = (estimate.rounds as f64 * times).ceil() as usize;
    more.max(estimate.test_cases)
}

/// An estimate in words: `1.38× faster [1.31, 1.44]`, `same within 2 %`, `undecided, about 40 more rounds`.
#[must_use]
pub fn in_words(estimate: &Estimate, conclusion: Conclusion, margin: f64, words: Words) -> String {
    match conclusion {
        Conclusion::Same => format!("same within {} %", percent(margin)),
        Conclusion::Less => {
            let turned = Estimate {
                ratio: 1.0 / estimate.ratio,
                interval: estimate.interval.map(|[low, high]| [1.0 / high, 1.0 / low]),
                ..*estimate
            };
            format!("{} {} {}", times(&turned), words.less, interval(&turned))
        }
        Conclusion::More => format!("{} {} {}", times(estimate), words.more, interval(estimate)),
        Conclusion::Undecided { more_rounds } => {
            let seen = if estimate.interval.is_some() { format!(" {}", interval(estimate)) } else { String::new() };
            match more_rounds {
                Some(1) => format!("undecided{seen}, about 1 more round"),
                Some(more) => format!("undecided{seen}, about {more} more rounds"),
                None if estimate.rounds == 1 => "undecided after 1 round".to_owned(),
                None => format!("undecided{seen} after {} rounds", estimate.rounds),
            }
        }
    }
}

/// The ratio as a table has it: `0.72×`.
#[must_use]
pub fn times(estimate: &Estimate) -> String {
    format!("{}×", number(estimate.ratio, decimals(estimate)))
}

/// The interval as a table has it: `[0.70, 0.74]`.
#[must_use]
pub fn interval(estimate: &Estimate) -> String {
    let decimals = decimals(estimate);
    let ends = estimate.interval.map(|ends| ends.map(|end| number(end, decimals)));
    ends.map_or_else(|| "–".to_owned(), |[low, high]| format!("[{low}, {high}]"))
}

/// A number with so many decimals, or with more where it is so small that fewer than two of its digits would show.
fn number(value: f64, decimals: usize) -> String {
    // A ratio of times lies far above 1e-12; a smaller one is out of this world, and need not be written to its end.
    let first = -value.clamp(1e-12, 1.0).log10().floor();
    format!("{value:.*}", decimals.max(if value < 0.1 { first as usize + 1 } else { 0 }))
}

/// As many decimals as show the width of the interval: two, or three for a narrow one; fewer for large ratios.
fn decimals(estimate: &Estimate) -> usize {
    let narrow = estimate.half_width().is_some_and(|width| width < 0.02);
    match estimate.ratio {
        ratio if ratio >= 100.0 => 0,
        ratio if ratio >= 10.0 => 1,
        _ if narrow => 3,
        _ => 2,
    }
}

/// A share as a percentage without needless decimals: `2`, `0.75`.
#[must_use]
pub fn percent(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(ratio: f64, interval: Option<[f64; 2]>) -> String {
        let estimate = Estimate {
            ratio,
            interval,
            rounds: 10,
            test_cases: 2,
            host_effect: None,
            placement_effect: None,
            step_effect: None,
        };
        in_words(&estimate, conclude(&estimate, 0.02, 0.01), 0.02, SPEED)
    }

    #[test]
    fn each_interval_has_its_words() {
        assert_eq!(words_of(1.0 / 1.38, Some([1.0 / 1.44, 1.0 / 1.31])), "1.38× faster [1.31, 1.44]");
        assert_eq!(words_of(14.1, Some([13.6, 14.5])), "14.1× slower [13.6, 14.5]");
        assert_eq!(words_of(1.031, Some([1.024, 1.038])), "1.031× slower [1.024, 1.038]");
        assert_eq!(words_of(1.004, Some([0.995, 1.012])), "same within 2 %");
        assert_eq!(words_of(1.01, None), "undecided after 10 rounds");
    }

    #[test]
    fn a_narrow_interval_is_the_same_even_beside_1() {
        assert_eq!(words_of(1.01, Some([1.005, 1.015])), "same within 2 %");
        assert_eq!(words_of(1.015, Some([1.005, 1.025])), "1.015× slower [1.005, 1.025]");
    }

    #[test]
    fn what_is_missing_grows_with_the_square_of_the_width() {
        // Five times too wide: 25 times as many rounds, 24 times as many more.
        let wide = (0.049_99f64).exp();
        assert_eq!(words_of(1.0, Some([1.0 / wide, wide])), "undecided [0.95, 1.05], about 240 more rounds");
        // As many as nobody would run are not told.
        assert_eq!(words_of(1.0, Some([0.91, 1.1])), "undecided [0.91, 1.10], about 889 more rounds");
        assert_eq!(words_of(1.0, Some([0.9, 1.11])), "undecided [0.90, 1.11] after 10 rounds");
    }

    #[test]
    fn no_rounds_are_asked_for_against_the_host() {
        let narrow = Estimate {
            ratio: 1.01,
            interval: Some([1.0, 1.02]),
            rounds: 40,
            test_cases: 2,
            host_effect: None,
            placement_effect: None,
            step_effect: None,
        };
        let allowing = narrow.allowing_for(0.075, 0.0);
        let [low, high] = allowing.interval.unwrap();
        assert!((0.935..0.94).contains(&low) && (1.08..1.09).contains(&high), "{low} {high}");
        assert!((allowing.half_width_of_rounds().unwrap() - narrow.half_width().unwrap()).abs() < 1e-3);
        assert_eq!(conclude(&allowing, 0.02, 0.01), Conclusion::Undecided { more_rounds: None });
        let words = in_words(&allowing, conclude(&allowing, 0.02, 0.01), 0.02, SPEED);
        assert_eq!(words, "undecided [0.94, 1.09] after 40 rounds");
        assert_eq!(narrow.allowing_for(0.0, 0.0), narrow);
        // Both are allowed for, and neither is what more rounds make smaller.
        let both = narrow.allowing_for(0.075, 0.01);
        assert!(both.half_width() > allowing.half_width() && both.placement_effect == Some(0.01));
        let left = both.half_width_of_rounds().unwrap() - narrow.half_width().unwrap();
        assert!(left.abs() < 1e-5, "{left}");
        let wide = Estimate { interval: Some([0.93, 1.08]), ..narrow }.allowing_for(0.075, 0.0);
        assert!(matches!(conclude(&wide, 0.02, 0.01), Conclusion::Undecided { more_rounds: Some(_) }));
    }

    #[test]
    fn small_ratios_keep_two_digits() {
        let words_of = |ratio: f64, ends| {
            let estimate = Estimate {
                ratio,
                interval: Some(ends),
                rounds: 10,
                test_cases: 2,
                host_effect: None,
                placement_effect: None,
                step_effect: None,
            };
            format!("{} {}", times(&estimate), interval(&estimate))
        };
        assert_eq!(words_of(0.0034, [0.0031, 0.0037]), "0.0034× [0.0031, 0.0037]");
        assert_eq!(words_of(0.05, [0.00042, 0.9]), "0.050× [0.00042, 0.90]");
        assert_eq!(words_of(0.72, [0.70, 0.74]), "0.72× [0.70, 0.74]");
        assert_eq!(words_of(0.0, [0.0, f64::INFINITY]), "0.0000000000000× [0.0000000000000, inf]");
        assert_eq!(words_of(123.4, [99.1, 150.2]), "123× [99, 150]");
    }

    #[test]
    fn shares_are_told_without_needless_decimals() {
        assert_eq!([percent(0.02), percent(0.0075), percent(0.1)], ["2", "0.75", "10"]);
    }
}

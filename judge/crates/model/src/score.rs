//! Scores: what scoring problems award.
//!
//! Responsible for the number and how it is written. Must not know how scores are awarded or added
//! up.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// A score. Scores of legacy packages may be negative; those of 2025-09 never are.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Score(pub f64);

impl fmt::Display for Score {
    /// Writes at most six decimals, without trailing zeros: `40`, `33.333333`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.0);
        // Rounding can leave a negative zero, which reads like a mistake.
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.pad(if text == "-0" { "0" } else { text })
    }
}

/// The scores that are possible or expected: both ends belong to it, and either may be infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreRange {
    /// The least; JSON has no infinity, and writes `null` for it.
    #[serde(deserialize_with = "least")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub least: Score,
    /// The most; the same.
    #[serde(deserialize_with = "most")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub most: Score,
}

fn least<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
    Option::deserialize(deserializer).map(|least| least.unwrap_or(ScoreRange::ALL.least))
}

fn most<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
    Option::deserialize(deserializer).map(|most| most.unwrap_or(ScoreRange::ALL.most))
}

impl ScoreRange {
    /// Every score there is.
    pub const ALL: Self = Self {
        least: Score(f64::NEG_INFINITY),
        most: Score(f64::INFINITY),
    };

    /// True if the range holds a score, as far as scores that were written with six decimals can
    /// show that.
    #[must_use]
    pub fn holds(&self, score: Score) -> bool {
        const TOLERANCE: f64 = 1e-6;
        score.0 >= self.least.0 - TOLERANCE && score.0 <= self.most.0 + TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_as_short_as_they_are() {
        for (score, text) in [
            (40.0, "40"),
            (33.333_333_333, "33.333333"),
            (0.5, "0.5"),
            (-0.0, "0"),
            (100.0, "100"),
        ] {
            assert_eq!(Score(score).to_string(), text);
        }
    }

    /// A stored run must be readable, whatever its expectations are.
    #[test]
    fn a_range_without_ends_comes_back_from_json() {
        for range in [
            ScoreRange::ALL,
            ScoreRange {
                least: Score(0.5),
                ..ScoreRange::ALL
            },
        ] {
            let json = serde_json::to_string(&range).unwrap();
            assert_eq!(
                serde_json::from_str::<ScoreRange>(&json).unwrap(),
                range,
                "{json}"
            );
        }
    }

    #[test]
    fn a_range_holds_its_ends() {
        let range = ScoreRange {
            least: Score(1.0),
            most: Score(2.0),
        };
        assert!(
            range.holds(Score(1.0)) && range.holds(Score(2.000_000_1)) && !range.holds(Score(2.1))
        );
        assert!(ScoreRange::ALL.holds(Score(-1e300)));
    }
}

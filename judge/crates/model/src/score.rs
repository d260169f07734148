//! Scores: what scoring problems award.
//!
//! Responsible for the number and its format. Must not know how scores are awarded or aggregated.

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

/// A range of possible or expected scores. Both ends are included, and either may be infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreRange {
    /// The smallest score. JSON has no infinity, so it is `null` there.
    #[serde(rename = "least", deserialize_with = "min_score")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub min: Score,
    /// The largest score; infinity is `null` likewise.
    #[serde(rename = "most", deserialize_with = "max_score")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub max: Score,
}

fn min_score<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
    Option::deserialize(deserializer).map(|min| min.unwrap_or(ScoreRange::ALL.min))
}

fn max_score<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
    Option::deserialize(deserializer).map(|max| max.unwrap_or(ScoreRange::ALL.max))
}

impl ScoreRange {
    /// The range of all scores.
    pub const ALL: Self = Self {
        min: Score(f64::NEG_INFINITY),
        max: Score(f64::INFINITY),
    };

    /// True if the range contains a score, within the precision of scores that are written with six
    /// decimals.
    #[must_use]
    pub fn contains(&self, score: Score) -> bool {
        const TOLERANCE: f64 = 1e-6;
        score.0 >= self.min.0 - TOLERANCE && score.0 <= self.max.0 + TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_no_trailing_zeros() {
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

    /// A stored run must be readable even if its expectations have infinite ranges.
    #[test]
    fn infinite_ranges_round_trip_through_json() {
        for range in [
            ScoreRange::ALL,
            ScoreRange {
                min: Score(0.5),
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
    fn ranges_include_their_ends() {
        let range = ScoreRange {
            min: Score(1.0),
            max: Score(2.0),
        };
        assert!(
            range.contains(Score(1.0))
                && range.contains(Score(2.000_000_1))
                && !range.contains(Score(2.1))
        );
        assert!(ScoreRange::ALL.contains(Score(-1e300)));
    }
}

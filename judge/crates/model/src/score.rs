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

/// A range of possible or expected scores. Both ends are included, and either may be infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreRange {
    /// The smallest score. JSON has no infinity, so it is `null` there.
    #[serde(deserialize_with = "least")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub least: Score,
    /// The largest score; infinity is `null` likewise.
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
    /// The range of all scores.
    pub const ALL: Self = Self {
        least: Score(f64::NEG_INFINITY),
        most: Score(f64::INFINITY),
    };

    /// True if the range contains a score, within the precision of scores that are written with six
    /// decimals.
    #[must_use]
    pub fn contains(&self, score: Score) -> bool {
        const TOLERANCE: f64 = 1e-6;
        score.0 >= self.least.0 - TOLERANCE && score.0 <= self.most.0 + TOLERANCE
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
    fn ranges_include_their_ends() {
        let range = ScoreRange {
            least: Score(1.0),
            most: Score(2.0),
        };
        assert!(
            range.contains(Score(1.0))
                && range.contains(Score(2.000_000_1))
                && !range.contains(Score(2.1))
        );
        assert!(ScoreRange::ALL.contains(Score(-1e300)));
    }
}

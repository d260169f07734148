//! Gates: bounds for ratios in CI.
//!
//! Responsible for parsing gates, and for deciding whether candidates meet them. Pure. Must not
//! know exit codes.

use std::str::FromStr;

use judge_event::comparison::{Candidate, Estimate, GateDecision, GateResult, Quantity};

/// Upper bounds for ratios, all of which must hold: `time<=1.05 mem<=1.1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate(Vec<Bound>);

/// An upper bound for a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bound {
    quantity: Quantity,
    /// The maximum of the ratio.
    max: f64,
}

/// The error about a text that is not a gate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected bounds such as `time<=1.05 mem<=1.1` (of `time`, `wall`, `mem`), found `{found}`"
)]
pub struct InvalidGate {
    found: String,
}

impl FromStr for Gate {
    type Err = InvalidGate;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = text
            .split([' ', ',', '\t', '\n'])
            .filter(|word| !word.is_empty());
        let bounds: Result<Vec<Bound>, _> = words.map(bound).collect();
        match bounds {
            Ok(bounds) if bounds.is_empty() => Err(InvalidGate {
                found: text.to_owned(),
            }),
            bounds => bounds.map(Self),
        }
    }
}

fn bound(word: &str) -> Result<Bound, InvalidGate> {
    let parts = word.split_once("<=").and_then(|(name, max)| {
        let quantity = Quantity::ALL
            .into_iter()
            .find(|quantity| quantity.name() == name)?;
        let max = max
            .parse::<f64>()
            .ok()
            .filter(|max| max.is_finite() && *max > 0.0)?;
        Some(Bound { quantity, max })
    });
    parts.ok_or_else(|| InvalidGate {
        found: word.to_owned(),
    })
}

impl Gate {
    /// Decides about each bound for each candidate. Without an estimate, a bound is undecided.
    pub(crate) fn decide(&self, candidates: &[Candidate]) -> Vec<GateResult> {
        let mut results = Vec::new();
        for Bound { quantity, max } in self.0.iter().copied() {
            for candidate in candidates {
                let estimate = candidate.ratio(quantity).map(|ratio| &ratio.estimate);
                results.push(GateResult {
                    label: candidate.label.clone(),
                    quantity,
                    max,
                    decision: decision(estimate, max),
                });
            }
        }
        results
    }
}

/// The factor by which the ends of a 95 % interval are moved away from the ratio before they are
/// compared with a bound: to 99.9 %. With 95 %, a bound that equals the true ratio would pass in
/// one of forty runs and fail in another one.
const CERTAINTY: f64 = 3.290_527 / 1.959_964;

fn decision(estimate: Option<&Estimate>, max: f64) -> GateDecision {
    let interval = estimate.and_then(|estimate| {
        // The ends are moved in logarithms, as a power of the distance from the ratio.
        let moved = |end: f64| estimate.ratio * (end / estimate.ratio).powf(CERTAINTY);
        estimate.interval.map(|ends| ends.map(moved))
    });
    match interval {
        Some([_, high]) if high <= max => GateDecision::Held,
        Some([low, _]) if low > max => GateDecision::NotHeld,
        // A bound inside the interval is undecided. CI fails too, but reports it separately: a
        // larger budget may decide it.
        _ => GateDecision::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_parsed() {
        let gate: Gate = "time<=1.05, mem<=2".parse().unwrap();
        let bound = |quantity, max| Bound { quantity, max };
        assert_eq!(
            gate.0,
            [bound(Quantity::Time, 1.05), bound(Quantity::Memory, 2.0)]
        );
        for wrong in [
            "",
            "time",
            "time<1",
            "time<=",
            "time<=x",
            "time<=-1",
            "time<=inf",
            "speed<=1",
            "time<=1 x",
        ] {
            assert!(wrong.parse::<Gate>().is_err(), "{wrong}");
        }
        let error = "time<=1 speed<=2".parse::<Gate>().unwrap_err().to_string();
        assert!(
            error.contains("found `speed<=2`") && error.contains("time<=1.05"),
            "{error}"
        );
    }

    #[test]
    fn gates_compare_the_interval_and_not_the_ratio() {
        let estimate = |interval| Estimate {
            ratio: 1.0,
            interval,
            rounds: 9,
            test_cases: 1,
            ..Estimate::default()
        };
        assert_eq!(
            decision(Some(&estimate(Some([0.9, 1.02]))), 1.05),
            GateDecision::Held
        );
        assert_eq!(
            decision(Some(&estimate(Some([0.9, 1.04]))), 1.05),
            GateDecision::Undecided,
            "at 99.9 % it is 1.07"
        );
        assert_eq!(
            decision(Some(&estimate(Some([0.9, 1.06]))), 1.05),
            GateDecision::Undecided
        );
        let more = Estimate {
            ratio: 1.2,
            ..estimate(Some([1.13, 1.27]))
        };
        assert_eq!(decision(Some(&more), 1.05), GateDecision::NotHeld);
        let more = Estimate {
            ratio: 1.2,
            ..estimate(Some([1.10, 1.31]))
        };
        assert_eq!(
            decision(Some(&more), 1.05),
            GateDecision::Undecided,
            "at 99.9 % it begins at 1.04"
        );
        assert_eq!(
            decision(Some(&estimate(None)), 1.05),
            GateDecision::Undecided
        );
        assert_eq!(decision(None, 1.05), GateDecision::Undecided);
    }
}

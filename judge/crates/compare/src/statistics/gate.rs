//! Gates: what a candidate may cost, to be held in CI.
//!
//! Responsible for reading gates, and for when one is held. Pure. Must not know exit codes.

use std::str::FromStr;

use crate::document::Candidate;
use crate::statistics::estimate::Estimate;

/// The quantity that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// CPU time.
    Time,
    /// Elapsed time.
    Wall,
    /// Peak memory.
    Memory,
    /// CPU time, compared with what it was in the baseline.
    Baseline,
}

/// Upper bounds for ratios, all of which must hold: `time<=1.05 mem<=1.1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate(pub Vec<Bound>);

/// An upper bound for a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Of what.
    pub quantity: Quantity,
    /// The most that it may be.
    pub most: f64,
}

/// The state of a bound, held or not. Only the whole interval below the bound holds it: a chance to be slower is not
/// let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The upper end of the 99.9 % interval is not above the bound.
    Yes,
    /// Even its lower end is above the bound.
    No,
    /// The bound lies within the interval, or there is none. Counts as not held.
    Undecided,
}

/// A text that is no gate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected bounds such as `time<=1.05 mem<=1.1` (of `time`, `wall`, `mem`, `baseline`), found `{found}`")]
pub struct InvalidGate {
    found: String,
}

impl Quantity {
    /// The name that gates use for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Wall => "wall",
            Self::Memory => "mem",
            Self::Baseline => "baseline",
        }
    }
}

impl FromStr for Gate {
    type Err = InvalidGate;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty());
        let bounds: Result<Vec<Bound>, _> = words.map(bound).collect();
        match bounds {
            Ok(bounds) if bounds.is_empty() => Err(InvalidGate { found: text.to_owned() }),
            bounds => bounds.map(Self),
        }
    }
}

fn bound(word: &str) -> Result<Bound, InvalidGate> {
    let all = [Quantity::Time, Quantity::Wall, Quantity::Memory, Quantity::Baseline];
    let parts = word.split_once("<=").and_then(|(name, most)| {
        let quantity = all.into_iter().find(|quantity| quantity.name() == name)?;
        let most = most.parse::<f64>().ok().filter(|most| most.is_finite() && *most > 0.0)?;
        Some(Bound { quantity, most })
    });
    parts.ok_or_else(|| InvalidGate { found: word.to_owned() })
}

impl Bound {
    /// Decides if a candidate holds the bound. Without an estimate nothing is decided.
    #[must_use]
    pub fn held_by(&self, candidate: &Candidate) -> Held {
        held(self.estimate_of(candidate), self.most)
    }

    /// The estimate that the bound is for.
    #[must_use]
    pub fn estimate_of<'c>(&self, candidate: &'c Candidate) -> Option<&'c Estimate> {
        match self.quantity {
            Quantity::Time => candidate.cpu_time.as_ref().map(|ratio| &ratio.estimate),
            Quantity::Wall => candidate.wall_time.as_ref().map(|ratio| &ratio.estimate),
            Quantity::Memory => candidate.memory.as_ref().map(|ratio| &ratio.estimate),
            Quantity::Baseline => candidate.since_baseline.as_ref(),
        }
    }
}

/// The factor by which the ends of a 95 % interval are moved from the ratio before a bound is held against them: to 99.9 %.
/// With 95 %, a bound just where the ratio is would be held in one run of forty and not held in another one.
const CERTAIN: f64 = 3.290_527 / 1.959_964;

fn held(estimate: Option<&Estimate>, most: f64) -> Held {
    let interval = estimate.and_then(|estimate| {
        let moved = |end: f64| estimate.ratio * (end / estimate.ratio).powf(CERTAIN);
        estimate.interval.map(|ends| ends.map(moved))
    });
    match interval {
        Some([_, high]) if high <= most => Held::Yes,
        Some([low, _]) if low > most => Held::No,
        _ => Held::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_read() {
        let gate: Gate = "time<=1.05, mem<=2".parse().unwrap();
        let bound = |quantity, most| Bound { quantity, most };
        assert_eq!(gate.0, [bound(Quantity::Time, 1.05), bound(Quantity::Memory, 2.0)]);
        for wrong in ["", "time", "time<1", "time<=", "time<=x", "time<=-1", "time<=inf", "speed<=1", "time<=1 x"] {
            assert!(wrong.parse::<Gate>().is_err(), "{wrong}");
        }
        let error = "time<=1 speed<=2".parse::<Gate>().unwrap_err().to_string();
        assert!(error.contains("found `speed<=2`") && error.contains("time<=1.05"), "{error}");
    }

    #[test]
    fn the_bound_of_the_interval_decides_not_the_ratio() {
        let estimate = |interval| Estimate {
            ratio: 1.0,
            interval,
            rounds: 9,
            test_cases: 1,
            host_effect: None,
            placement_effect: None,
            step_effect: None,
        };
        assert_eq!(held(Some(&estimate(Some([0.9, 1.02]))), 1.05), Held::Yes);
        assert_eq!(held(Some(&estimate(Some([0.9, 1.04]))), 1.05), Held::Undecided, "at 99.9 % it is 1.07");
        assert_eq!(held(Some(&estimate(Some([0.9, 1.06]))), 1.05), Held::Undecided);
        let more = Estimate { ratio: 1.2, ..estimate(Some([1.13, 1.27])) };
        assert_eq!(held(Some(&more), 1.05), Held::No);
        let more = Estimate { ratio: 1.2, ..estimate(Some([1.10, 1.31])) };
        assert_eq!(held(Some(&more), 1.05), Held::Undecided, "at 99.9 % it begins at 1.04");
        assert_eq!(held(Some(&estimate(None)), 1.05), Held::Undecided);
        assert_eq!(held(None, 1.05), Held::Undecided);
    }
}

//! Costs of the kinds of generator calls: a search draws expensive kinds less often.
//!
//! Responsible for the cost classes, for their notation, and for their weights. Pure.
//!
//! Without them, a search spends most of its time in the slowest generator. They are a parameter of
//! a search like its seed, since the inputs depend on them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use judge_exec::Random;

/// The CPU time below which calls are in the cheapest class: validating and answering an input
/// takes about as long.
const CHEAP: Duration = Duration::from_millis(4);
/// The factor between the times of neighbouring classes. The slower one is drawn less often by the
/// same factor.
const FACTOR: u32 = 8;
/// The most expensive class.
const MAX_CLASS: u8 = 3;

/// The costs of the kinds of calls of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CostSetting {
    /// Measured before the search, by small calls of each kind.
    Measured,
    /// The same for all kinds.
    #[default]
    Equal,
    /// Given by the user.
    Given(Costs),
}

/// The cost classes of the kinds of calls, in order, each written as a digit from 0 to 3. Calls of
/// class 0 take less than 4 ms of CPU time, and calls of each other class about 8 times as long as
/// those of the class before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs(Vec<u8>);

impl Costs {
    /// Creates equal cost classes for this number of kinds.
    pub(crate) fn equal(kinds: usize) -> Self {
        Self(vec![0; kinds])
    }

    /// Creates the classes of calls from their CPU times. `None` stands for a call that was
    /// stopped.
    pub(crate) fn from_times(times: &[Option<Duration>]) -> Self {
        Self(
            times
                .iter()
                .map(|time| time.map_or(MAX_CLASS, class))
                .collect(),
        )
    }

    /// Returns true when not all kinds have the same class.
    #[must_use]
    pub fn differ(&self) -> bool {
        self.0.iter().any(|class| *class != self.0[0])
    }

    /// The number of kinds.
    #[must_use]
    pub fn kinds(&self) -> usize {
        self.0.len()
    }

    /// Draws the index of a kind. Frequencies are inversely proportional to the times of the
    /// classes.
    pub(crate) fn draw(&self, random: &mut Random) -> usize {
        let weight =
            |class: &u8| u64::from(FACTOR.pow(u32::from(MAX_CLASS - class.min(&MAX_CLASS))));
        // Draws by weight: each kind owns as many of the numbers below the sum as its weight.
        let mut left = random.below(self.0.iter().map(weight).sum());
        for (kind, class) in self.0.iter().enumerate() {
            match left.checked_sub(weight(class)) {
                Some(rest) => left = rest,
                None => return kind,
            }
        }
        0
    }
}

fn class(time: Duration) -> u8 {
    (0..MAX_CLASS)
        .find(|class| time < CHEAP * FACTOR.pow(u32::from(*class)))
        .unwrap_or(MAX_CLASS)
}

impl fmt::Display for Costs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|class| write!(formatter, "{class}"))
    }
}

impl FromStr for Costs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let class = |digit: char| {
            let class = u8::try_from(digit.to_digit(10)?).ok()?;
            (class <= MAX_CLASS).then_some(class)
        };
        let classes: Option<Vec<u8>> = text.chars().map(class).collect();
        match classes.filter(|classes| !classes.is_empty()) {
            Some(classes) => Ok(Self(classes)),
            None => Err("expected a digit from 0 to 3 for each kind of calls".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_can_be_parsed() {
        let times = [Some(0), Some(3), Some(4), Some(40), Some(300), None];
        let costs = Costs::from_times(&times.map(|time| time.map(Duration::from_millis)));
        assert_eq!(costs.to_string(), "001233");
        assert_eq!("001233".parse(), Ok(costs));
        for wrong in ["", "4", "0 1", "-1", "all"] {
            assert!(wrong.parse::<Costs>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn expensive_kinds_are_drawn_less_often() {
        let costs = Costs(vec![0, 1, 0, 3]);
        let mut random = Random::new(1);
        let mut drawn = [0_u32; 4];
        (0..100_000).for_each(|_| drawn[costs.draw(&mut random)] += 1);
        // 512, 64, 512 and 1 of 1089.
        let expected = [47_016, 5_877, 47_016, 92];
        for (drawn, expected) in drawn.into_iter().zip(expected) {
            assert!(
                f64::from(drawn).max(1.0) / f64::from(expected) > 0.7,
                "{drawn} {expected}"
            );
            assert!(
                f64::from(drawn) / f64::from(expected) < 1.4,
                "{drawn} {expected}"
            );
        }
        assert!(costs.differ() && !Costs::equal(3).differ() && !Costs::default().differ());
    }
}

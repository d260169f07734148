//! RoundRobin: which test case gets the next round.
//!
//! Responsible for the order of rounds. Pure. Must not run anything, nor decide when it is enough.
//!
//! Every test case gets its least number of rounds first, the slowest one first. After that slower
//! test cases get more, in proportion to the root of their time: they matter most against a time
//! limit. A single test case that takes all the time would still leave the geometric mean to
//! chance, so no test case gets more than a few times the rounds of another.

use crate::statistics::estimate::MIN_ROUNDS;

/// The weight of the slowest test case, at most: it gets so many times as many rounds as the
/// fastest one.
const MAX_WEIGHT: f64 = 4.0;

/// Deals rounds to test cases.
#[derive(Clone, Debug)]
pub(crate) struct RoundRobin {
    weights: Vec<f64>,
    dealt: Vec<usize>,
    /// Test cases that get no more rounds.
    closed: Vec<bool>,
}

impl RoundRobin {
    /// For test cases that take these times on the reference, the slowest first.
    pub(crate) fn new(times: &[f64]) -> Self {
        // Times of 0 are below the resolution of the clock. They would give every other test
        // case the largest weight.
        let fastest = times
            .iter()
            .copied()
            .filter(|time| *time > 0.0)
            .min_by(f64::total_cmp)
            .unwrap_or(1.0);
        let weight = |time: &f64| (time / fastest).max(1.0).sqrt().min(MAX_WEIGHT);
        Self {
            weights: times.iter().map(weight).collect(),
            dealt: vec![0; times.len()],
            closed: vec![false; times.len()],
        }
    }

    /// The next test case; `None` when none gets any more.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let open = (0..self.dealt.len()).filter(|index| !self.closed[*index]);
        let due = |index: &usize| match self.dealt[*index] {
            // One after the other: after each pass all have as many.
            few if few < MIN_ROUNDS => few as f64 - MIN_ROUNDS as f64,
            // Stride scheduling: the test case is due whose next round comes earliest, when
            // each has rounds at a distance of 1/weight.
            dealt => (dealt + 1) as f64 / self.weights[*index],
        };
        let next = open.min_by(|one, other| due(one).total_cmp(&due(other)))?;
        self.dealt[next] += 1;
        Some(next)
    }

    /// Deals no more rounds to a test case.
    pub(crate) fn close(&mut self, test_case: usize) {
        self.closed[test_case] = true;
    }

    /// True when every test case that is still dealt to has its least number of rounds.
    pub(crate) fn has_dealt_least(&self) -> bool {
        self.dealt
            .iter()
            .zip(&self.closed)
            .all(|(dealt, closed)| *closed || *dealt >= MIN_ROUNDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dealt(times: &[f64], rounds: usize) -> Vec<usize> {
        let mut round_robin = RoundRobin::new(times);
        (0..rounds).for_each(|_| {
            round_robin.next();
        });
        round_robin.dealt
    }

    #[test]
    fn all_get_three_before_any_gets_four() {
        assert_eq!(dealt(&[9.0, 4.0, 1.0], 3), [1, 1, 1]);
        assert_eq!(dealt(&[9.0, 4.0, 1.0], 4), [2, 1, 1]);
        assert_eq!(dealt(&[9.0, 4.0, 1.0], 9), [3, 3, 3]);
    }

    #[test]
    fn slower_test_cases_get_more_but_not_all() {
        let [slow, middle, fast] = dealt(&[9.0, 4.0, 1.0], 600)[..] else {
            panic!("three test cases")
        };
        assert!(
            (295..=305).contains(&slow)
                && (195..=205).contains(&middle)
                && (95..=105).contains(&fast)
        );
        let [slow, fast] = dealt(&[1e6, 1.0], 500)[..] else {
            panic!("two test cases")
        };
        assert!(
            (395..=405).contains(&slow) && (95..=105).contains(&fast),
            "{slow} {fast}"
        );
    }

    #[test]
    fn a_closed_test_case_gets_none() {
        let mut round_robin = RoundRobin::new(&[2.0, 1.0]);
        round_robin.close(0);
        assert!((0..3).all(|_| round_robin.next() == Some(1)) && round_robin.has_dealt_least());
        round_robin.close(1);
        assert_eq!(round_robin.next(), None);
    }
}

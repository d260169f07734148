//! Round robin: decides which test case gets the next round.
//!
//! Responsible for the order of rounds. Pure. Must not run anything, nor decide when rounds end.
//!
//! Every test case gets its minimum number of rounds first, beginning with the slowest one. After
//! that, slower test cases get more rounds, in proportion to the square root of their time: they
//! matter most for a time limit. If a single test case took all the time, the geometric mean would
//! depend on chance, so no test case gets more than a few times the rounds of another.

use crate::statistics::estimate::MIN_ROUNDS;

/// The maximum weight of the slowest test case: the ratio of its rounds to those of the fastest
/// one.
const MAX_WEIGHT: f64 = 4.0;

/// Distributes rounds to test cases.
#[derive(Clone, Debug)]
pub(crate) struct RoundRobin {
    weights: Vec<f64>,
    dealt: Vec<usize>,
    /// True for each test case that gets no more rounds.
    closed: Vec<bool>,
}

impl RoundRobin {
    /// Creates the order for test cases with these times of the reference, the slowest first.
    pub(crate) fn new(times: &[f64]) -> Self {
        // Times of 0 are below the resolution of the clock. They would give every other test case
        // the largest weight.
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

    /// Returns the next test case; `None` when no test case gets more rounds.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let open = (0..self.dealt.len()).filter(|index| !self.closed[*index]);
        let due = |index: &usize| match self.dealt[*index] {
            // The first rounds are dealt in turn, so that after each pass all have the same number.
            few if few < MIN_ROUNDS => few as f64 - MIN_ROUNDS as f64,
            // Stride scheduling: the rounds of a test case are 1/weight apart, and the test case
            // with the earliest next round is due.
            dealt => (dealt + 1) as f64 / self.weights[*index],
        };
        let next = open.min_by(|one, other| due(one).total_cmp(&due(other)))?;
        self.dealt[next] += 1;
        Some(next)
    }

    /// Ends the rounds of a test case.
    pub(crate) fn close(&mut self, test_case: usize) {
        self.closed[test_case] = true;
    }

    /// Returns true when every open test case has its minimum number of rounds.
    pub(crate) fn has_dealt_minimum(&self) -> bool {
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
    fn every_test_case_gets_three_rounds_first() {
        assert_eq!(dealt(&[9.0, 4.0, 1.0], 3), [1, 1, 1]);
        assert_eq!(dealt(&[9.0, 4.0, 1.0], 4), [2, 1, 1]);
        assert_eq!(dealt(&[9.0, 4.0, 1.0], 9), [3, 3, 3]);
    }

    #[test]
    fn slower_test_cases_get_more_but_not_all_rounds() {
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
    fn closed_test_cases_get_no_rounds() {
        let mut round_robin = RoundRobin::new(&[2.0, 1.0]);
        round_robin.close(0);
        assert!((0..3).all(|_| round_robin.next() == Some(1)) && round_robin.has_dealt_minimum());
        round_robin.close(1);
        assert_eq!(round_robin.next(), None);
    }
}

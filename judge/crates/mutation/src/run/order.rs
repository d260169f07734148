//! The order of test cases for a mutant: those that are likely to kill it soon come first.

use std::sync::atomic::{AtomicU32, Ordering};

use judge_model::TestCaseIndex;

/// Test cases, with the kills so far. Shared by all workers.
#[derive(Debug)]
pub(crate) struct Order {
    sizes: Vec<u64>,
    kills: Vec<AtomicU32>,
}

impl Order {
    /// Creates the order from the sizes of the inputs.
    pub(crate) fn new(sizes: Vec<u64>) -> Self {
        let kills = sizes.iter().map(|_| AtomicU32::new(0)).collect();
        Self { sizes, kills }
    }

    /// Counts a kill of a test case.
    pub(crate) fn killed(&self, test_case: TestCaseIndex) {
        // Relaxed: the order is only a heuristic, and every order gives the same score.
        self.kills[test_case.0].fetch_add(1, Ordering::Relaxed);
    }

    /// Sorts test cases by the number of kills, and then by the size of the input.
    pub(crate) fn likeliest_first(&self, test_cases: &[TestCaseIndex]) -> Vec<TestCaseIndex> {
        let mut keyed: Vec<_> = test_cases
            .iter()
            .map(|case| {
                (
                    std::cmp::Reverse(self.kills[case.0].load(Ordering::Relaxed)),
                    self.sizes[case.0],
                    *case,
                )
            })
            .collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|(.., case)| case).collect()
    }

    /// Sorts test cases by the size of the input, the smallest first.
    pub(crate) fn smallest_first(&self, mut test_cases: Vec<TestCaseIndex>) -> Vec<TestCaseIndex> {
        test_cases.sort_by_key(|case| (self.sizes[case.0], *case));
        test_cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_take_precedence_over_sizes() {
        let order = Order::new(vec![30, 10, 20]);
        let all = [0, 1, 2].map(TestCaseIndex);
        assert_eq!(order.likeliest_first(&all), [1, 2, 0].map(TestCaseIndex));
        order.killed(TestCaseIndex(0));
        assert_eq!(order.likeliest_first(&all), all);
        assert_eq!(order.likeliest_first(&all[1..]), all[1..]);
        assert_eq!(
            order.smallest_first(all.to_vec()),
            [1, 2, 0].map(TestCaseIndex)
        );
    }
}

//! The order in which a mutant meets the test cases of a group: those first that are likely to kill it soon.
//!
//! Responsible for what is learnt of kills. Must not run anything.

use std::sync::atomic::{AtomicU32, Ordering};

use judge_model::TestCaseIndex;

/// Test cases, with the kills so far. Shared by all who judge.
#[derive(Debug)]
pub(crate) struct Order {
    sizes: Vec<u64>,
    kills: Vec<AtomicU32>,
}

impl Order {
    /// By the size of the inputs.
    pub(crate) fn new(sizes: Vec<u64>) -> Self {
        let kills = sizes.iter().map(|_| AtomicU32::new(0)).collect();
        Self { sizes, kills }
    }

    /// A test case has killed a mutant.
    pub(crate) fn killed(&self, test_case: TestCaseIndex) {
        self.kills[test_case.0].fetch_add(1, Ordering::Relaxed);
    }

    /// These test cases, in the order in which to try them: those that killed most, and of those the smallest input
    /// first.
    pub(crate) fn of(&self, test_cases: &[TestCaseIndex]) -> Vec<TestCaseIndex> {
        let mut keyed: Vec<_> = test_cases
            .iter()
            .map(|case| (std::cmp::Reverse(self.kills[case.0].load(Ordering::Relaxed)), self.sizes[case.0], *case))
            .collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|(.., case)| case).collect()
    }

    /// These test cases, the smallest input first.
    pub(crate) fn smallest_first(&self, mut test_cases: Vec<TestCaseIndex>) -> Vec<TestCaseIndex> {
        test_cases.sort_by_key(|case| (self.sizes[case.0], *case));
        test_cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ones_come_first_until_a_large_one_kills_more() {
        let order = Order::new(vec![30, 10, 20]);
        let all = [0, 1, 2].map(TestCaseIndex);
        assert_eq!(order.of(&all), [1, 2, 0].map(TestCaseIndex));
        order.killed(TestCaseIndex(0));
        assert_eq!(order.of(&all), all);
        assert_eq!(order.of(&all[1..]), all[1..]);
        assert_eq!(order.smallest_first(all.to_vec()), [1, 2, 0].map(TestCaseIndex));
    }
}

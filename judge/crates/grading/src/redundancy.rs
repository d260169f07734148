//! The assessment of test cases: which of the submissions that must be rejected each of them
//! rejects.
//!
//! Responsible for the queries about that table: which test cases reject nothing, which ones are
//! redundant because of others, and how few are sufficient. Must not know how anything was run, or
//! the names of test cases and submissions: both are numbers here, in an order that the caller
//! chooses. A mutant counts as a submission.

use judge_model::{Expectation, TestCaseIndex, Verdict};

/// The maximum number of steps of the search for a smallest set. A few dozen submissions need far
/// fewer. If it is reached, the best set so far is returned, marked as possibly not smallest. A
/// number of steps and not a time, so that the answer is the same on every host.
const MAX_STEPS: u32 = 100_000;

/// True if these expectations require a rejection: some rule requires verdicts other than AC
/// (2025-09, "Example submissions": `required`), or the submission as a whole must not be accepted.
#[must_use]
pub fn must_be_rejected(expectations: &[Expectation]) -> bool {
    let without_accepted =
        |verdicts: &[Verdict]| !verdicts.is_empty() && !verdicts.contains(&Verdict::Accepted);
    expectations
        .iter()
        .any(|rule| without_accepted(&rule.required) || without_accepted(&rule.whole))
}

/// True if these expectations permit only AC for the submission as a whole.
#[must_use]
pub fn must_be_accepted(expectations: &[Expectation]) -> bool {
    expectations
        .iter()
        .any(|rule| rule.scope.is_none() && rule.permitted == [Verdict::Accepted])
}

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn with_capacity(numbers: usize) -> Self {
        Self(vec![0; numbers.div_ceil(64)])
    }

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn holds(&self, number: usize) -> bool {
        self.0
            .get(number / 64)
            .is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The words of both sets.
    fn words(&self, other: &Self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().copied().zip(other.0.iter().copied())
    }

    fn is_within(&self, other: &Self) -> bool {
        self.words(other).all(|(one, other)| one & !other == 0)
    }

    fn meets(&self, other: &Self) -> bool {
        self.words(other).any(|(one, other)| one & other != 0)
    }

    fn shared(&self, other: &Self) -> u32 {
        let words = self.words(other);
        words.map(|(one, other)| (one & other).count_ones()).sum()
    }

    fn add(&mut self, other: &Self) {
        let words = self.0.iter_mut().zip(&other.0);
        words.for_each(|(one, other)| *one |= other);
    }

    fn without(&self, other: &Self) -> Self {
        Self(self.words(other).map(|(one, other)| one & !other).collect())
    }
}

/// The rejections: the submissions that each test case rejects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rejections {
    submissions: usize,
    by_case: Vec<Set>,
}

/// A test case that is redundant because of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redundant {
    /// The test case.
    pub test_case: TestCaseIndex,
    /// A test case that rejects everything that `test_case` rejects, and is not redundant itself.
    pub covered_by: TestCaseIndex,
}

/// Test cases that together reject every submission that any test case rejects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// The test cases, in order.
    pub test_cases: Vec<TestCaseIndex>,
    /// True if no smaller set exists. When false, the search was given up, and a smaller one may
    /// exist.
    pub exact: bool,
}

impl Rejections {
    /// Creates the table. `by_case` contains for each test case the submissions that it rejects, as
    /// numbers below `submissions`; other numbers are ignored.
    pub fn new<C: IntoIterator<Item = usize>>(
        submissions: usize,
        by_case: impl IntoIterator<Item = C>,
    ) -> Self {
        let set = |rejected: C| {
            let mut set = Set::with_capacity(submissions);
            rejected
                .into_iter()
                .filter(|number| *number < submissions)
                .for_each(|number| set.insert(number));
            set
        };
        Self {
            submissions,
            by_case: by_case.into_iter().map(set).collect(),
        }
    }

    /// Returns the test cases that reject this submission.
    #[must_use]
    pub fn rejecting(&self, submission: usize) -> Vec<TestCaseIndex> {
        self.test_cases()
            .filter(|case| self.by_case[case.0].holds(submission))
            .collect()
    }

    /// Returns the test cases that reject nothing.
    #[must_use]
    pub fn idle(&self) -> Vec<TestCaseIndex> {
        self.test_cases()
            .filter(|case| self.by_case[case.0].is_empty())
            .collect()
    }

    /// Returns the redundant test cases: a single other test case rejects everything that they
    /// reject. Of test cases that reject the same, the first is not redundant.
    #[must_use]
    pub fn redundant(&self) -> Vec<Redundant> {
        // Coverage is transitive, so every redundant test case is covered by one that is not.
        // Naming that one lets an author delete all redundant test cases together.
        let essential = self.essential();
        let found = self
            .test_cases()
            .filter(|case| !self.by_case[case.0].is_empty())
            .filter_map(|test_case| {
                let covering = |other: &&TestCaseIndex| self.covers(**other, test_case);
                let covered_by = *essential.iter().find(covering)?;
                Some(Redundant {
                    test_case,
                    covered_by,
                })
            });
        found.collect()
    }

    /// Returns a smallest set of test cases that rejects everything that all test cases reject.
    #[must_use]
    pub fn smallest(&self) -> Cover {
        let mut all = Set::with_capacity(self.submissions);
        self.by_case.iter().for_each(|set| all.add(set));
        // A redundant test case can always be replaced by the one that covers it, so it is not a
        // candidate.
        let candidates = self.essential();
        let killers = (0..self.submissions).map(|submission| {
            let mut set = Set::with_capacity(candidates.len());
            let rejecting = candidates
                .iter()
                .enumerate()
                .filter(|(_, case)| self.by_case[case.0].holds(submission));
            rejecting.for_each(|(index, _)| set.insert(index));
            set
        });
        let sets: Vec<&Set> = candidates
            .iter()
            .map(|case| &self.by_case[case.0])
            .collect();
        let mut search = Search {
            killers: killers.collect(),
            best: greedy(&sets, &all),
            sets,
            steps: 0,
        };
        // The greedy set is the initial bound of the search: it is often smallest already, and then
        // the search only proves it.
        search.extend(&all, &mut Vec::new());
        let mut test_cases: Vec<TestCaseIndex> =
            search.best.iter().map(|index| candidates[*index]).collect();
        test_cases.sort_unstable();
        Cover {
            test_cases,
            exact: search.steps <= MAX_STEPS,
        }
    }

    /// True if one test case covers the other and thus makes it redundant.
    fn covers(&self, one: TestCaseIndex, other: TestCaseIndex) -> bool {
        let (large, small) = (&self.by_case[one.0], &self.by_case[other.0]);
        // Of two test cases with equal sets only the later one is covered. Otherwise each would
        // make the other redundant, and neither would be left.
        one != other && small.is_within(large) && (large != small || one < other)
    }

    /// Returns the test cases that reject something and are not redundant.
    fn essential(&self) -> Vec<TestCaseIndex> {
        let is_essential = |case: &TestCaseIndex| {
            !self.by_case[case.0].is_empty()
                && !self.test_cases().any(|other| self.covers(other, *case))
        };
        self.test_cases().filter(is_essential).collect()
    }

    fn test_cases(&self) -> impl Iterator<Item = TestCaseIndex> {
        TestCaseIndex::first(self.by_case.len())
    }
}

/// Repeatedly chooses the set that rejects most of the rest. The result is small, but not always
/// smallest.
fn greedy(sets: &[&Set], all: &Set) -> Vec<usize> {
    let mut left = all.clone();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        // Of those that reject equally many, the first.
        let best = (0..sets.len())
            .max_by_key(|index| (sets[*index].shared(&left), std::cmp::Reverse(*index)));
        let Some(best) = best else { break };
        left = left.without(sets[best]);
        chosen.push(best);
    }
    chosen
}

/// Branch and bound over sets of test cases.
struct Search<'a> {
    /// The sets of submissions that each candidate rejects.
    sets: Vec<&'a Set>,
    /// The test cases that reject each submission, among the candidates.
    killers: Vec<Set>,
    best: Vec<usize>,
    steps: u32,
}

impl Search<'_> {
    /// Tries every way to reject the submissions in `left` that could be shorter than the best set
    /// so far.
    fn extend(&mut self, left: &Set, chosen: &mut Vec<usize>) {
        self.steps = self.steps.saturating_add(1);
        // The best set so far is still a cover. The number of steps shows the caller that it may
        // not be smallest.
        if self.steps > MAX_STEPS {
            return;
        }
        let mut open: Vec<(u32, usize)> = (0..self.killers.len())
            .filter(|submission| left.holds(*submission))
            .map(|submission| {
                (
                    self.killers[submission].shared(&self.killers[submission]),
                    submission,
                )
            })
            .collect();
        // Sorted by the number of test cases that reject them: the submission with the fewest has
        // the fewest branches, and one of these test cases is in every solution.
        open.sort_unstable();
        let Some((_, hardest)) = open.first().copied() else {
            if chosen.len() < self.best.len() {
                self.best.clone_from(chosen);
            }
            return;
        };
        // No better set is below, because at least this many more test cases are needed.
        if chosen.len() + self.at_least(&open) >= self.best.len() {
            return;
        }
        let mut ways: Vec<usize> = (0..self.sets.len())
            .filter(|index| self.killers[hardest].holds(*index))
            .collect();
        // The test case that rejects most of the rest comes first: finding a short set early cuts
        // off other branches.
        ways.sort_by_key(|index| std::cmp::Reverse(self.sets[*index].shared(left)));
        for index in ways {
            chosen.push(index);
            self.extend(&left.without(self.sets[index]), chosen);
            chosen.pop();
        }
    }

    /// Returns a lower bound of the number of test cases that reject the rest: the number of
    /// submissions of which no two are rejected by the same test case.
    fn at_least(&self, open: &[(u32, usize)]) -> usize {
        // Submissions that few test cases reject come first. They have the fewest conflicts, so the
        // bound becomes large.
        let mut taken = Set::with_capacity(self.sets.len());
        let mut count = 0;
        for (_, submission) in open {
            let killers = &self.killers[*submission];
            if !killers.meets(&taken) {
                taken.add(killers);
                count += 1;
            }
        }
        count
    }
}

#[cfg(test)]
#[path = "redundancy_tests.rs"]
mod tests;

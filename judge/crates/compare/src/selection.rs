//! Selection: the test cases of a ratio.
//!
//! Responsible for choosing test cases before anything is timed, only from the sizes of inputs and
//! the times of the first runs. Pure. Must not know the budget: a larger budget makes the result
//! more precise, but must not change the test cases.
//!
//! A test case is useful for comparing two programs only if both take several times their start-up
//! time. The bound is in the widest gap between the test cases around it, so that slightly
//! different times choose the same test cases. Of those above the bound, the slowest of each
//! program come first, because they decide about limits, followed by the largest inputs, until one
//! round of all of them reaches a maximum cost.

use judge_model::TestCaseIndex;

/// The range of the bound: a test case counts when both programs take at least the bound times
/// their start-up time.
pub(crate) const ABOVE_START: [f64; 2] = [4.0, 8.0];
/// The maximum number of test cases. More of them add little information.
const MAX_CASES: usize = 12;
/// The maximum cost of one round of the chosen test cases, in seconds.
const MAX_PASS: f64 = 6.0;
/// The share of the longest time above which a test case counts as slowest too.
const SIMILAR_TIME: f64 = 0.9;
/// The overhead of one run in addition to the program itself, in seconds. It is used only for
/// planning.
const OVERHEAD: f64 = 0.003;
/// The number of measurements of each program in a round.
const MEASUREMENTS: f64 = 2.0;

/// A test case on which both programs are right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<'a> {
    pub(crate) test_case: TestCaseIndex,
    pub(crate) name: &'a str,
    pub(crate) input_bytes: u64,
    /// The CPU times of the reference and the candidate in their first runs, in seconds.
    pub(crate) times: [f64; 2],
}

/// The chosen test cases.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Selection {
    /// The indices of the test cases, the slowest of the reference first.
    pub(crate) test_cases: Vec<TestCaseIndex>,
    /// The bound that their times exceed, as a multiple of the start-up time.
    pub(crate) above_start: f64,
    /// The number of test cases above the bound that were left out because of the cost.
    pub(crate) left_out: usize,
    /// True when no test case is above the bound: the only chosen one, the largest, mostly measures
    /// start-up.
    pub(crate) start_up_dominates: bool,
}

/// Returns the time of one round of a test case, in seconds.
pub(crate) fn round_cost(times: impl IntoIterator<Item = f64>) -> f64 {
    times
        .into_iter()
        .map(|time| MEASUREMENTS * (time + OVERHEAD))
        .sum()
}

/// Chooses from the test cases on which both programs are right. `start` contains the start-up
/// times of both, in seconds.
pub(crate) fn select(choices: &[Choice<'_>], start: [f64; 2]) -> Selection {
    // The smaller of both multiples counts: if one program mostly starts, the ratio shows little
    // about the other.
    let above = |choice: &Choice<'_>| (choice.times[0] / start[0]).min(choice.times[1] / start[1]);
    let above_start = bound(choices.iter().map(above).collect());
    let mut eligible: Vec<Choice<'_>> = choices
        .iter()
        .filter(|choice| above(choice) >= above_start)
        .copied()
        .collect();
    let start_up_dominates = eligible.is_empty();
    if start_up_dominates {
        // The slowest test case changes from run to run, but the largest one does not.
        let largest = choices.iter().min_by(|one, other| by_size(one, other));
        return Selection {
            test_cases: largest.iter().map(|choice| choice.test_case).collect(),
            above_start,
            left_out: 0,
            start_up_dominates,
        };
    }
    eligible.sort_by(by_size);
    let both = [slowest(&eligible, 0), slowest(&eligible, 1)];
    let mut order: Vec<Choice<'_>> = both.into_iter().flatten().collect();
    order.dedup_by_key(|choice| choice.test_case);
    let always = order.len();
    for choice in &eligible {
        if order[..always]
            .iter()
            .all(|chosen| chosen.test_case != choice.test_case)
        {
            order.push(*choice);
        }
    }
    let (mut chosen, mut cost): (Vec<Choice<'_>>, f64) = (Vec::new(), 0.0);
    for (place, choice) in order.iter().enumerate() {
        let with = cost + round_cost(choice.times);
        // A test case that does not fit is skipped, and smaller ones after it may still fit. The
        // slowest of each program are always chosen, even if they alone cost more: they decide
        // about limits.
        if place < always || (chosen.len() < MAX_CASES && with <= MAX_PASS) {
            cost = with;
            chosen.push(*choice);
        }
    }
    chosen.sort_by(|one, other| {
        other.times[0]
            .total_cmp(&one.times[0])
            .then_with(|| by_size(one, other))
    });
    Selection {
        test_cases: chosen.iter().map(|choice| choice.test_case).collect(),
        above_start,
        left_out: eligible.len() - chosen.len(),
        start_up_dominates,
    }
}

/// Returns the test case on which the program with this index is slowest. Of several with similar
/// times, it is the largest, since the order of their times changes from run to run.
fn slowest<'a>(choices: &[Choice<'a>], program: usize) -> Option<Choice<'a>> {
    let longest = choices
        .iter()
        .map(|choice| choice.times[program])
        .max_by(f64::total_cmp)?;
    choices
        .iter()
        .filter(|choice| choice.times[program] >= longest * SIMILAR_TIME)
        .min_by(|one, other| by_size(one, other))
        .copied()
}

/// Orders test cases by size, the largest input first, then by name.
fn by_size(one: &Choice<'_>, other: &Choice<'_>) -> std::cmp::Ordering {
    other
        .input_bytes
        .cmp(&one.input_bytes)
        .then_with(|| one.name.cmp(other.name))
}

/// Returns the geometric middle of the relatively widest gap between the values in the range of the
/// bound.
fn bound(mut values: Vec<f64>) -> f64 {
    let [low, high] = ABOVE_START;
    values.retain(|value| (low..high).contains(value));
    values.extend([low, high]);
    values.sort_by(f64::total_cmp);
    // Gaps are compared by ratio, like times. The geometric middle has the same ratio to both
    // sides.
    let gaps = values
        .windows(2)
        .map(|pair| (pair[1] / pair[0], (pair[0] * pair[1]).sqrt()));
    gaps.max_by(|one, other| one.0.total_cmp(&other.0))
        .map_or(low, |(_, middle)| middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: [f64; 2] = [0.001, 0.03];

    fn cases(indices: &[usize]) -> Vec<TestCaseIndex> {
        indices.iter().copied().map(TestCaseIndex).collect()
    }

    fn choices(times: &[(u64, f64, f64)]) -> Vec<Choice<'static>> {
        let choice =
            |(test_case, (input_bytes, reference, candidate)): (usize, &(u64, f64, f64))| Choice {
                test_case: TestCaseIndex(test_case),
                name: ["a", "b", "c", "d", "e", "f"][test_case % 6],
                input_bytes: *input_bytes,
                times: [*reference, *candidate],
            };
        times.iter().enumerate().map(choice).collect()
    }

    #[test]
    fn only_test_cases_well_above_both_start_up_times_are_selected() {
        let options = choices(&[
            (9_000_000, 0.5, 1.4),
            (90_000, 0.02, 0.06),
            (9, 0.001, 0.03),
        ]);
        let chosen = select(&options, START);
        assert_eq!(
            (
                chosen.test_cases,
                chosen.left_out,
                chosen.start_up_dominates
            ),
            (cases(&[0]), 0, false)
        );
        // For a program that starts as quickly as the reference, the second test case counts too.
        assert_eq!(select(&options, [0.001; 2]).test_cases, cases(&[0, 1]));
    }

    #[test]
    fn slightly_different_times_choose_the_same_test_cases() {
        let times = |factor: f64| {
            choices(&[
                (900, 0.5, 0.5),
                (800, 0.009 * factor, 0.009),
                (700, 0.0052 * factor, 0.0052),
                (9, 0.002, 0.002),
            ])
        };
        let chosen = |factor: f64| select(&times(factor), [0.001; 2]).test_cases;
        let expected = chosen(1.0);
        for percent in 85..=115 {
            assert_eq!(chosen(f64::from(percent) / 100.0), expected, "{percent} %");
        }
    }

    #[test]
    fn the_largest_of_equally_slow_inputs_is_chosen() {
        let chosen = |times: [f64; 3]| {
            let [one, two, three] = times;
            select(
                &choices(&[(3, one, one), (2, two, two), (1, three, three)]),
                [0.001; 2],
            )
            .test_cases
        };
        // One of the first two fits into a pass, together with the third.
        for times in [[1.4, 1.45, 0.01], [1.45, 1.4, 0.01], [1.36, 1.45, 0.01]] {
            assert_eq!(chosen(times), cases(&[0, 2]), "{times:?}");
        }
        assert_eq!(chosen([1.0, 1.45, 0.01]), cases(&[1, 2]));
    }

    #[test]
    fn largest_test_case_is_chosen_if_start_up_dominates() {
        for times in [[0.002, 0.003], [0.003, 0.002], [0.0035, 0.001]] {
            let [large, small] = times;
            let chosen = select(&choices(&[(8, small, 0.03), (9, large, 0.03)]), START);
            assert_eq!(
                (chosen.test_cases, chosen.start_up_dominates),
                (cases(&[1]), true),
                "{times:?}"
            );
        }
        assert!(select(&[], START).test_cases.is_empty());
    }

    #[test]
    fn slowest_test_cases_are_chosen_before_the_largest() {
        // 2.4, 2.4 and 1.2 s for each round: the first two are always chosen, then those that fit.
        let options = choices(&[
            (5, 1.0, 0.2),
            (4, 0.2, 1.0),
            (3, 0.3, 0.3),
            (2, 0.3, 0.3),
            (1, 0.02, 0.02),
        ]);
        let chosen = select(&options, [0.001; 2]);
        assert_eq!((chosen.test_cases, chosen.left_out), (cases(&[0, 1, 4]), 2));
        let options = choices(&[
            (5, 0.9, 0.2),
            (4, 0.2, 0.9),
            (3, 0.3, 0.3),
            (2, 0.3, 0.3),
            (1, 0.02, 0.02),
        ]);
        assert_eq!(
            select(&options, [0.001; 2]).test_cases,
            cases(&[0, 2, 1, 4])
        );
        // The slowest are chosen even if they exceed the cost of a pass.
        assert_eq!(
            select(&choices(&[(5, 20.0, 20.0), (4, 0.1, 0.1)]), [0.001; 2]).test_cases,
            cases(&[0])
        );
        let many: Vec<(u64, f64, f64)> = (0..40).map(|size| (size, 0.02, 0.02)).collect();
        let chosen = select(&choices(&many), [0.001; 2]);
        assert_eq!((chosen.test_cases.len(), chosen.left_out), (MAX_CASES, 28));
    }
}

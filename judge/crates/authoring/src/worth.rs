//! The worth of the test data of a problem: the submissions that each test case rejects, and the
//! test cases that are needed for that.
//!
//! Responsible for deriving the worth from a run of all submissions on all test cases. Must not
//! know how mutants are created.

use std::collections::HashMap;

use judge_event::{
    MutantsKilled, MutantsKilledBy, ProblemState, RedundantTestCase, RejectedBy, SubmissionState,
    TestDataAssessed,
};
use judge_grading::{Rejections, must_be_rejected};
use judge_model::{TestCaseIndex, Verdict};

/// The requirements on test data, and the test cases that count.
#[derive(Clone, Copy, Debug)]
pub struct TestDataDemands {
    /// The minimum number of secret test cases that must reject each submission that must be
    /// rejected.
    pub min_kills: Option<u64>,
    /// False when samples do not count: they reject no submission, and make no test case redundant.
    pub samples_exist: bool,
}

/// The mutants of a solution that test cases kill.
#[derive(Clone, Debug)]
pub struct KilledMutants {
    /// The id of the solution.
    pub solution: String,
    /// The number of mutants that were killed.
    pub killed: u64,
    /// The number of mutants that count.
    pub counted: u64,
    /// For each mutant that was killed, the test cases that kill it.
    pub kills: Vec<Vec<String>>,
}

/// Assesses the test data of a problem from a run of its submissions.
#[must_use]
pub fn assess_test_data(
    problem: &ProblemState,
    demands: TestDataDemands,
    mutants: Option<&KilledMutants>,
) -> TestDataAssessed {
    let names = &problem.started.test_cases;
    let index: HashMap<&str, TestCaseIndex> = TestCaseIndex::enumerate(names)
        .map(|(case, name)| (name.as_str(), case))
        .collect();
    let counts_as_rejected = |submission: &&SubmissionState| {
        is_judged(submission) && must_be_rejected(&submission.started.expectations)
    };
    let to_reject = problem.submissions.iter().filter(counts_as_rejected);
    let to_reject: Vec<&SubmissionState> = to_reject.collect();
    let mut by_case = vec![Vec::new(); names.len()];
    for (number, submission) in to_reject.iter().enumerate() {
        for test in &submission.test_cases {
            if test.verdict.is_rejection()
                && let Some(case) = index.get(test.test_case.as_str())
            {
                by_case[case.0].push(number);
            }
        }
    }
    // A test case that kills a mutant is needed, like one that rejects a submission. Mutants come
    // after submissions.
    let killed = mutants
        .map(|mutants| killed_by(mutants, &index))
        .unwrap_or_default();
    for (number, cases) in (to_reject.len()..).zip(&killed) {
        cases.iter().for_each(|case| by_case[case.0].push(number));
    }
    // Samples that do not count keep their columns, so that the indices of all others stay the
    // same.
    let counts =
        |case: TestCaseIndex| demands.samples_exist || !names[case.0].starts_with("sample/");
    TestCaseIndex::first(names.len())
        .filter(|case| !counts(*case))
        .for_each(|case| by_case[case.0].clear());
    let table = Rejections::new(to_reject.len() + killed.len(), by_case);
    let name = |case: TestCaseIndex| names[case.0].clone();
    let named = |cases: Vec<TestCaseIndex>| cases.into_iter().map(name).collect();
    let rejected = to_reject
        .iter()
        .zip(0..)
        .map(|(submission, number)| RejectedBy {
            submission: submission.started.submission.clone(),
            test_cases: named(table.rejecting(number)),
        });
    let redundant = table.redundant().into_iter().map(|one| RedundantTestCase {
        test_case: name(one.test_case),
        covered_by: name(one.covered_by),
    });
    let smallest = table.smallest();
    let idle = table.idle().into_iter().filter(|case| counts(*case));
    TestDataAssessed {
        problem: problem.started.problem.clone(),
        must_be_rejected: rejected.collect(),
        idle: idle.map(name).collect(),
        redundant: redundant.collect(),
        smallest: named(smallest.test_cases),
        smallest_is_exact: smallest.exact,
        min_kills: demands.min_kills,
        samples_count: demands.min_kills.is_none(),
        mutants: mutants.map(|mutants| mutants_killed(mutants, &killed, names)),
    }
}

/// Returns true for a submission that was run. A submission that did not compile does not allow
/// conclusions about test cases.
fn is_judged(submission: &SubmissionState) -> bool {
    submission
        .finished
        .as_ref()
        .is_some_and(|finished| finished.verdict != Verdict::CompileError)
}

/// For each mutant that was killed, the indexes of the test cases that kill it.
fn killed_by(
    mutants: &KilledMutants,
    index: &HashMap<&str, TestCaseIndex>,
) -> Vec<Vec<TestCaseIndex>> {
    let cases = mutants.kills.iter().map(|cases| {
        cases
            .iter()
            .filter_map(|case| index.get(case.as_str()).copied())
    });
    cases.map(Iterator::collect).collect()
}

fn mutants_killed(
    mutants: &KilledMutants,
    killed: &[Vec<TestCaseIndex>],
    names: &[String],
) -> MutantsKilled {
    let killed_by_case = TestCaseIndex::enumerate(names).map(|(case, name)| {
        let its = || killed.iter().filter(|cases| cases.contains(&case));
        let alone = its().filter(|cases| cases.len() == 1).count() as u64;
        MutantsKilledBy {
            test_case: name.clone(),
            mutants: its().count() as u64,
            alone,
        }
    });
    MutantsKilled {
        solution: mutants.solution.clone(),
        killed: mutants.killed,
        of: mutants.counted,
        by: killed_by_case.filter(|entry| entry.mutants > 0).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ACCEPTED, SLOW, WRONG, judged_run, problem};

    const DEMANDS: TestDataDemands = TestDataDemands {
        min_kills: None,
        samples_exist: true,
    };

    /// A run with these rejections, as pairs of a submission and a test case.
    fn state(rejecting: &[(&str, &str)]) -> ProblemState {
        let verdict = |submission: &str, test_case: &str| match rejecting
            .contains(&(submission, test_case))
        {
            true if submission == SLOW => Verdict::TimeLimitExceeded,
            true => Verdict::WrongAnswer,
            false => Verdict::Accepted,
        };
        judged_run(
            &problem(&["sample/1", "secret/1", "secret/2", "secret/3"]),
            verdict,
        )
        .problems
        .remove(0)
    }

    #[test]
    fn idle_and_redundant_test_cases_are_found() {
        let state = state(&[
            (WRONG, "sample/1"),
            (WRONG, "secret/1"),
            (WRONG, "secret/2"),
            (SLOW, "secret/2"),
        ]);
        let assessed = assess_test_data(&state, DEMANDS, None);
        let rejected: Vec<_> = assessed
            .must_be_rejected
            .iter()
            .map(|rejected| (&*rejected.submission, rejected.test_cases.len()))
            .collect();
        assert_eq!(rejected, [(WRONG, 3), (SLOW, 1)]);
        assert_eq!(assessed.idle, ["secret/3"]);
        let redundant: Vec<_> = assessed
            .redundant
            .iter()
            .map(|redundant| (&*redundant.test_case, &*redundant.covered_by))
            .collect();
        assert_eq!(
            redundant,
            [("sample/1", "secret/2"), ("secret/1", "secret/2")]
        );
        assert_eq!(
            (assessed.smallest.as_slice(), assessed.smallest_is_exact),
            (&["secret/2".to_owned()][..], true)
        );
        assert!(assessed.samples_count && assessed.mutants.is_none());
    }

    #[test]
    fn ignored_samples_reject_nothing_and_are_not_idle() {
        let demands = TestDataDemands {
            samples_exist: false,
            min_kills: Some(2),
        };
        let assessed = assess_test_data(
            &state(&[(WRONG, "sample/1"), (WRONG, "secret/1")]),
            demands,
            None,
        );
        assert_eq!(assessed.must_be_rejected[0].test_cases, ["secret/1"]);
        assert_eq!(
            (assessed.idle, assessed.redundant.len()),
            (vec!["secret/2".to_owned(), "secret/3".to_owned()], 0)
        );
        assert_eq!(
            (assessed.min_kills, assessed.samples_count),
            (Some(2), false)
        );
    }

    #[test]
    fn uncompiled_submissions_are_ignored() {
        let mut state = state(&[(WRONG, "secret/1")]);
        let wrong = state
            .submissions
            .iter_mut()
            .find(|submission| submission.started.submission == WRONG)
            .unwrap();
        wrong.finished.as_mut().unwrap().verdict = Verdict::CompileError;
        let assessed = assess_test_data(&state, DEMANDS, None);
        assert_eq!(
            assessed
                .must_be_rejected
                .iter()
                .map(|submission| &*submission.submission)
                .collect::<Vec<_>>(),
            [SLOW]
        );
        assert!(
            state
                .submissions
                .iter()
                .any(|submission| submission.started.submission == ACCEPTED)
        );
    }

    #[test]
    fn test_cases_killing_mutants_are_needed() {
        let kills = [vec!["secret/3", "secret/1"], vec!["secret/3"], vec!["gone"]];
        let kills = kills
            .map(|cases| cases.into_iter().map(str::to_owned).collect())
            .to_vec();
        let mutants = KilledMutants {
            solution: ACCEPTED.to_owned(),
            killed: 3,
            counted: 5,
            kills,
        };
        let assessed = assess_test_data(&state(&[(WRONG, "secret/1")]), DEMANDS, Some(&mutants));
        assert_eq!(assessed.smallest, ["secret/1", "secret/3"]);
        let mutants = assessed.mutants.unwrap();
        assert_eq!((mutants.killed, mutants.of), (3, 5));
        let killed_by: Vec<_> = mutants
            .by
            .iter()
            .map(|entry| (&*entry.test_case, entry.mutants, entry.alone))
            .collect();
        assert_eq!(killed_by, [("secret/1", 1, 0), ("secret/3", 2, 1)]);
    }
}

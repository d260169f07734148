//! Tests of the assessment of test cases, compared with exhaustive search.

use judge_model::{Expectation, Verdict};
use proptest::prelude::*;

use super::*;

fn table(submissions: usize, cases: &[&[usize]]) -> Rejections {
    Rejections::new(submissions, cases.iter().map(|case| case.iter().copied()))
}

fn cases(indices: &[usize]) -> Vec<TestCaseIndex> {
    indices.iter().copied().map(TestCaseIndex).collect()
}

#[test]
fn required_rejections_follow_from_expectations() {
    let required = |directory: &str| {
        must_be_rejected(
            &Expectation::of_directory(directory)
                .into_iter()
                .collect::<Vec<_>>(),
        )
    };
    for directory in [
        "wrong_answer",
        "time_limit_exceeded",
        "run_time_error",
        "rejected",
        "brute_force",
    ] {
        assert!(required(directory), "{directory}");
    }
    assert!(!required("accepted") && !required("elsewhere"));
    let rule = |required: &[Verdict], whole: &[Verdict]| {
        must_be_rejected(&[Expectation {
            required: required.into(),
            whole: whole.into(),
            ..Expectation::default()
        }])
    };
    let (ac, wa) = (Verdict::Accepted, Verdict::WrongAnswer);
    assert!(!rule(&[ac, wa], &[]) && !rule(&[], &[ac, wa]));
    assert!(rule(&[wa], &[ac]) && rule(&[], &[wa]));
}

#[test]
fn idle_and_redundant_test_cases_are_found() {
    let table = table(4, &[&[], &[0, 1], &[1], &[0, 1], &[2], &[0, 2]]);
    assert_eq!(table.idle(), cases(&[0]));
    let redundant: Vec<_> = table
        .redundant()
        .iter()
        .map(|one| (one.test_case.0, one.covered_by.0))
        .collect();
    assert_eq!(redundant, [(2, 1), (3, 1), (4, 5)]);
    assert_eq!(table.rejecting(2), cases(&[4, 5]));
    assert_eq!(table.rejecting(3), cases(&[]));
    assert_eq!(
        table.smallest(),
        Cover {
            test_cases: cases(&[1, 5]),
            exact: true
        }
    );
}

#[test]
fn the_largest_is_not_always_part_of_the_smallest_set() {
    // The greedy set starts with the test case in the middle and then needs both others.
    let table = table(6, &[&[0, 1, 2], &[3, 4, 5], &[1, 2, 3, 4]]);
    assert_eq!(
        greedy(
            &table.by_case.iter().collect::<Vec<_>>(),
            &Set(vec![0b11_1111])
        )
        .len(),
        3
    );
    assert_eq!(
        table.smallest(),
        Cover {
            test_cases: cases(&[0, 1]),
            exact: true
        }
    );
}

#[test]
fn no_test_case_is_needed_if_nothing_is_rejected() {
    let nothing = Cover {
        test_cases: vec![],
        exact: true,
    };
    assert_eq!(table(0, &[]).smallest(), nothing);
    assert_eq!(table(3, &[&[], &[]]).smallest(), nothing);
    assert_eq!(
        Rejections::new(2, [[5usize, 1]]).rejecting(1),
        cases(&[0]),
        "a number that is too large is left out"
    );
}

#[test]
fn long_searches_end_and_are_marked_as_inexact() {
    // The smallest set of 60 points that meets each of 300 random triples: too many sets to try.
    let mut random = 1u64;
    let mut next = |below: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % below
    };
    let mut cases = vec![Vec::new(); 60];
    for submission in 0..300 {
        for _ in 0..3 {
            cases[next(60)].push(submission);
        }
    }
    let table = Rejections::new(300, cases);
    let cover = table.smallest();
    assert!(!cover.exact);
    let rejected = |submission: usize| {
        cover
            .test_cases
            .iter()
            .any(|case| table.by_case[case.0].holds(submission))
    };
    assert!((0..300).all(rejected));
}

/// Returns the size of a smallest set, by exhaustive search.
fn by_trying(submissions: usize, cases: &[u32]) -> u32 {
    let all = cases.iter().fold(0, |all, case| all | case) & ((1 << submissions) - 1);
    let covers = |chosen: &u32| {
        (0..cases.len())
            .filter(|c| chosen >> c & 1 == 1)
            .fold(0, |s, c| s | cases[c])
            == all
    };
    (0u32..1 << cases.len())
        .filter(covers)
        .map(u32::count_ones)
        .min()
        .unwrap()
}

proptest! {
    #[test]
    fn the_smallest_set_is_smallest(submissions in 0usize..9, cases in prop::collection::vec(any::<u32>(), 0..9)) {
        let cases: Vec<u32> = cases.into_iter().map(|case| case & ((1 << submissions) - 1)).collect();
        let rejected = |case: &u32| { let case = *case; (0..submissions).filter(move |s| case >> s & 1 == 1) };
        let table = Rejections::new(submissions, cases.iter().map(rejected));
        let cover = table.smallest();
        prop_assert!(cover.exact);
        prop_assert_eq!(cover.test_cases.len(), by_trying(submissions, &cases) as usize);
        let together = cover.test_cases.iter().fold(0, |all, case| all | cases[case.0]);
        prop_assert_eq!(together, cases.iter().fold(0, |all, case| all | case));
        prop_assert!(cover.test_cases.is_sorted());
        for Redundant { test_case, covered_by } in table.redundant() {
            prop_assert_eq!(cases[test_case.0] & !cases[covered_by.0], 0);
            prop_assert!(!cover.test_cases.contains(&test_case));
            prop_assert!(table.redundant().iter().all(|other| other.test_case != covered_by));
        }
    }
}

//! Tests of walks through groups of both formats.

use Verdict::{
    Accepted as AC, JudgeError as JE, RunTimeError as RTE, TimeLimitExceeded as TLE,
    WrongAnswer as WA,
};
use judge_model::{Aggregation, ScoreSettings, StaticValidation};
use proptest::prelude::*;

use super::legacy_tests::olympiad;
use super::*;
use crate::groups::testing::{Scripted, problem, rendered, scoring, walk, worth};

const SUM: Aggregation = Aggregation::Sum;
const MIN: Aggregation = Aggregation::Min;
const PASS_FAIL: Aggregation = Aggregation::PassFail;

fn after(required: &[&str], settings: ScoreSettings) -> ScoreSettings {
    ScoreSettings {
        require_pass: required.iter().map(|id| (*id).to_owned()).collect(),
        ..settings
    }
}

/// Returns a sample and three groups: pass-fail 20, sum 30 (requires the first), min 50 (requires
/// the sample).
pub(super) fn three_groups() -> judge_model::Problem {
    scoring(
        vec![
            ("secret", worth(Some(100), SUM)),
            ("secret/1", worth(Some(20), PASS_FAIL)),
            ("secret/2", after(&["secret/1"], worth(Some(30), SUM))),
            ("secret/3", after(&["sample"], worth(Some(50), MIN))),
        ],
        &[
            "sample/1",
            "secret/1/a",
            "secret/1/b",
            "secret/2/a",
            "secret/2/b",
            "secret/2/c",
            "secret/3/a",
            "secret/3/b",
        ],
    )
}

#[test]
fn accepted_submissions_get_the_full_score() {
    let walked = walk(&three_groups(), &[], Extent::Counting, "");
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (AC, Some(Score(100.0)))
    );
    assert_eq!(
        rendered(&walked.result),
        [
            "sample AC",
            "secret AC 100/100",
            "secret/1 AC 20/20",
            "secret/2 AC 30/30",
            "secret/3 AC 50/50"
        ]
    );
    assert_eq!(walked.steps.len(), 8);
    assert_eq!(walked.result.deciding, None);
}

#[test]
fn partial_results_get_a_share_of_the_score() {
    let script = [
        ("secret/2/b", WA, None, None),
        ("secret/3/b", AC, None, Some("0.5")),
    ];
    let walked = walk(&three_groups(), &script, Extent::Counting, "");
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (WA, Some(Score(65.0)))
    );
    assert_eq!(walked.result.deciding, Some(TestCaseIndex(4)));
    assert_eq!(
        rendered(&walked.result)[2..],
        [
            "secret/1 AC 20/20",
            "secret/2 WA 20/30",
            "secret/3 AC 25/50"
        ]
    );
}

#[test]
fn groups_with_a_rejected_requirement_are_not_judged() {
    let walked = walk(
        &three_groups(),
        &[("secret/1/a", TLE, None, None)],
        Extent::Counting,
        "",
    );
    assert_eq!(
        walked.steps,
        [
            "sample/1",
            "secret/1/a",
            "secret/1/b",
            "secret/3/a",
            "secret/3/b"
        ]
    );
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (TLE, Some(Score(50.0)))
    );
    assert_eq!(
        rendered(&walked.result)[2..],
        ["secret/1 TLE 0/20", "secret/2 - 0/30", "secret/3 AC 50/50"]
    );
    assert_eq!(
        walked.result.groups[3].skipped.as_deref(),
        Some("`secret/1` was not passed")
    );
    let walked = walk(
        &three_groups(),
        &[("sample/1", WA, None, None)],
        Extent::Counting,
        "",
    );
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (WA, Some(Score(50.0)))
    );
    assert_eq!(
        walked.result.groups[4].skipped.as_deref(),
        Some("`sample` was not passed")
    );
}

#[test]
fn requirements_are_transitive() {
    let problem = scoring(
        vec![
            ("secret", worth(Some(100), SUM)),
            ("secret/1", worth(Some(40), PASS_FAIL)),
            ("secret/2", after(&["secret/1"], worth(Some(30), PASS_FAIL))),
            ("secret/3", after(&["secret/2"], worth(Some(30), PASS_FAIL))),
        ],
        &["secret/1/a", "secret/2/a", "secret/3/a"],
    );
    let walked = walk(
        &problem,
        &[("secret/1/a", RTE, None, None)],
        Extent::Counting,
        "",
    );
    assert_eq!(walked.steps, ["secret/1/a"]);
    assert_eq!(walked.result.score, Some(Score(0.0)));
    assert_eq!(
        walked.result.groups[3].skipped.as_deref(),
        Some("`secret/2` was not passed")
    );
    assert_eq!(
        rendered(&walked.result)[..2],
        ["secret RTE 0/100", "secret/1 RTE 0/40"]
    );
}

#[test]
fn secret_can_require_the_sample() {
    let problem = scoring(
        vec![("secret", after(&["sample"], worth(Some(100), SUM)))],
        &["sample/1", "secret/a", "secret/b"],
    );
    let walked = walk(
        &problem,
        &[("sample/1", WA, None, None)],
        Extent::Counting,
        "",
    );
    assert_eq!(walked.steps, ["sample/1"]);
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (WA, Some(Score(0.0)))
    );
    assert_eq!(
        walk(&problem, &[], Extent::Counting, "").result.score,
        Some(Score(100.0))
    );
}

#[test]
fn hurried_judging_skips_test_cases_without_effect_on_the_score() {
    let script = [
        ("secret/1/a", WA, None, None),
        ("secret/3/a", WA, None, None),
    ];
    let walked = walk(&three_groups(), &script, Extent::Hurried, "");
    assert_eq!(walked.steps, ["sample/1", "secret/1/a", "secret/3/a"]);
    assert_eq!(walked.result.score, Some(Score(0.0)));
    let walked = walk(
        &three_groups(),
        &[("secret/2/a", WA, None, None)],
        Extent::Hurried,
        "",
    );
    assert_eq!(walked.steps.len(), 8, "every part of a sum counts");
    assert_eq!(walked.result.score, Some(Score(90.0)));
}

#[test]
fn violated_rules_about_scores_are_judge_errors() {
    let cases: [(&[Scripted<'_>], &str); 4] = [
        (
            &[("secret/1/a", AC, Some("1"), None)],
            "wrote `score.txt` in a group with `score_aggregation: pass-fail`",
        ),
        (
            &[("secret/2/a", WA, Some("1"), None)],
            "wrote `score.txt` for a test case that is not accepted",
        ),
        (
            &[("secret/2/a", AC, Some("11"), None)],
            "wrote 11 into `score.txt`, but the maximum score is 10",
        ),
        (
            &[
                ("secret/2/a", AC, Some("1"), None),
                ("secret/3/a", AC, None, Some("1")),
            ],
            "wrote `score.txt` for one test case and `score_multiplier.txt` for another",
        ),
    ];
    for (script, expected) in cases {
        let walked = walk(&three_groups(), script, Extent::Counting, "");
        assert_eq!((walked.result.verdict, walked.result.score), (JE, None));
        assert!(
            walked.faults.len() == 1 && walked.faults[0].contains(expected),
            "{:?}",
            walked.faults
        );
    }
    // Scores of the sample are ignored.
    let walked = walk(
        &three_groups(),
        &[("sample/1", AC, Some("x"), Some("y"))],
        Extent::Counting,
        "",
    );
    assert_eq!(walked.result.score, Some(Score(100.0)));
}

#[test]
fn judge_errors_decide_the_result() {
    let script = [
        ("secret/1/a", WA, None, None),
        ("secret/3/b", JE, None, None),
    ];
    let walked = walk(&three_groups(), &script, Extent::Counting, "");
    assert_eq!(
        (
            walked.result.verdict,
            walked.result.score,
            walked.result.deciding
        ),
        (JE, None, Some(TestCaseIndex(7)))
    );
}

#[test]
fn scores_of_unbounded_groups_are_summed() {
    let problem = scoring(
        vec![
            ("secret", worth(None, SUM)),
            ("secret/1", worth(None, SUM)),
            ("secret/2", worth(None, MIN)),
        ],
        &["secret/1/a", "secret/1/b", "secret/2/a", "secret/2/b"],
    );
    let scores = ["1.5", "1000", "7", "3"];
    let tests = ["secret/1/a", "secret/1/b", "secret/2/a", "secret/2/b"];
    let script: Vec<_> = tests
        .iter()
        .zip(scores)
        .map(|(test, score)| (*test, AC, Some(score), None))
        .collect();
    let walked = walk(&problem, &script, Extent::Counting, "");
    assert_eq!(walked.result.score, Some(Score(1004.5)));
    assert_eq!(
        rendered(&walked.result),
        ["secret AC 1004.5", "secret/1 AC 1001.5", "secret/2 AC 3"]
    );
    assert_eq!(
        walk(&problem, &[], Extent::Counting, "").result.verdict,
        JE,
        "accepted without a score"
    );
    assert_eq!(
        walk(
            &problem,
            &[("secret/1/a", AC, None, Some("1"))],
            Extent::Counting,
            ""
        )
        .result
        .verdict,
        JE
    );
}

#[test]
fn too_large_sums_are_faults_of_the_package() {
    let problem = scoring(
        vec![
            ("secret", worth(Some(50), SUM)),
            ("secret/1", worth(Some(40), PASS_FAIL)),
            ("secret/2", worth(Some(40), PASS_FAIL)),
        ],
        &["secret/1/a", "secret/2/a"],
    );
    let walked = walk(&problem, &[], Extent::Counting, "");
    assert_eq!((walked.result.verdict, walked.result.score), (JE, None));
    assert_eq!(
        walked.result.groups[0].fault.as_deref(),
        Some("its score 80 exceeds its maximum score 50")
    );
    assert_eq!(
        walk(
            &problem,
            &[("secret/1/a", WA, None, None)],
            Extent::Counting,
            ""
        )
        .result
        .score,
        Some(Score(40.0))
    );
}

#[test]
fn pass_fail_and_min_aggregate_groups() {
    for (aggregation, all, one) in [(PASS_FAIL, 100.0, 0.0), (MIN, 40.0, 0.0)] {
        let problem = scoring(
            vec![
                ("secret", worth(Some(100), aggregation)),
                ("secret/1", worth(Some(40), PASS_FAIL)),
                ("secret/2", worth(Some(60), PASS_FAIL)),
            ],
            &["secret/1/a", "secret/1/b", "secret/2/a"],
        );
        assert_eq!(
            walk(&problem, &[], Extent::Counting, "").result.score,
            Some(Score(all))
        );
        let walked = walk(
            &problem,
            &[("secret/1/a", WA, None, None)],
            Extent::Hurried,
            "",
        );
        assert_eq!(walked.result.score, Some(Score(one)));
        assert_eq!(walked.steps, ["secret/1/a"]);
        // Its score is unknown.
        assert_eq!(rendered(&walked.result)[2], "secret/2 -/60");
    }
}

#[test]
fn static_validation_counts_as_a_part_of_the_group() {
    let with = |max_score, settings| ScoreSettings {
        static_validation: Some(StaticValidation {
            max_score,
            args: Vec::new(),
        }),
        ..settings
    };
    let problem = scoring(
        vec![
            ("secret", worth(Some(100), SUM)),
            ("secret/1", with(Some(10), worth(Some(40), SUM))),
            ("secret/2", with(None, worth(Some(50), PASS_FAIL))),
            ("secret/3", with(Some(10), worth(Some(10), SUM))),
        ],
        &["secret/1/a", "secret/1/b", "secret/2/a"],
    );
    let walked = walk(&problem, &[], Extent::Counting, "");
    assert_eq!(
        walked.steps,
        [
            "secret/1/static",
            "secret/1/a",
            "secret/1/b",
            "secret/2/static",
            "secret/2/a",
            "secret/3/static"
        ]
    );
    assert_eq!(
        rendered(&walked.result),
        [
            "secret AC 100/100",
            "secret/1 AC 40/40",
            "secret/2 AC 50/50",
            "secret/3 AC 10/10"
        ]
    );
    let script = [
        ("secret/1/static", AC, Some("4"), None),
        ("secret/2/static", WA, None, None),
    ];
    let walked = walk(&problem, &script, Extent::Hurried, "");
    assert_eq!(
        walked.steps,
        [
            "secret/1/static",
            "secret/1/a",
            "secret/1/b",
            "secret/2/static",
            "secret/3/static"
        ]
    );
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (WA, Some(Score(44.0)))
    );
    let walked = walk(
        &problem,
        &[("secret/2/static", AC, Some("1"), None)],
        Extent::Counting,
        "",
    );
    assert_eq!(walked.result.verdict, JE);
}

#[test]
fn partial_selections_have_no_scores() {
    let problem = three_groups();
    let mut walk = Walk::new(Arc::new(GroupTree::new(&problem, false)));
    while let Step::Judge { .. } = walk.next(Extent::Counting) {
        assert_eq!(walk.add_result(AC, &ScoreFiles::default()).score, None);
    }
    let result = walk.result().unwrap();
    assert_eq!((result.verdict, result.score), (AC, None));
    assert_eq!(rendered(&result)[1], "secret AC");
}

#[test]
fn steps_are_repeated_until_they_are_answered() {
    let problem = three_groups();
    let mut walk = Walk::new(Arc::new(GroupTree::new(&problem, true)));
    assert_eq!(
        walk.next(Extent::Counting),
        Step::Judge {
            test_case: TestCaseIndex(0),
            counts: true
        }
    );
    assert_eq!(
        walk.next(Extent::Counting),
        Step::Judge {
            test_case: TestCaseIndex(0),
            counts: true
        }
    );
    assert_eq!(walk.result(), None);
    walk.add_result(AC, &ScoreFiles::default());
    assert_eq!(
        walk.next(Extent::Hurried),
        Step::Judge {
            test_case: TestCaseIndex(1),
            counts: true
        }
    );
}

#[test]
fn pass_fail_problems_stop_only_when_hurried() {
    let problem = problem(
        Grading::PassFail,
        vec![("sample", GroupSettings::Plain)],
        &["sample/1", "secret/a", "secret/b"],
    );
    let script = [
        ("sample/1", WA, Some("x"), None),
        ("secret/a", RTE, None, None),
    ];
    let walked = walk(&problem, &script, Extent::Counting, "");
    assert_eq!(walked.steps.len(), 3);
    assert_eq!(
        (
            walked.result.verdict,
            walked.result.deciding,
            walked.result.score
        ),
        (WA, Some(TestCaseIndex(0)), None)
    );
    assert_eq!(
        walk(&problem, &script, Extent::Hurried, "").steps,
        ["sample/1"]
    );
}

proptest! {
    /// Equal shares add up exactly to the maximum, and some of them to their share of it.
    #[test]
    fn shares_add_up_to_the_maximum_score(tests in 1_usize..150, max in 0_u64..2000, rejected in 0_usize..150) {
        let ids: Vec<String> = (0..tests).map(|index| format!("secret/{index:03}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let problem = scoring(vec![("secret", worth(Some(max), SUM))], &ids);
        let rejected = rejected.min(tests);
        let script: Vec<_> = ids[..rejected].iter().map(|id| (*id, WA, None, None)).collect();
        let walked = walk(&problem, &script, Extent::Counting, "");
        prop_assert!(walked.faults.is_empty());
        let expected = max as f64 * (tests - rejected) as f64 / tests as f64;
        let score = walked.result.score.unwrap().0;
        prop_assert!((score - expected).abs() < 1e-6, "{score} {expected}");
        prop_assert!(rejected > 0 || score == max as f64, "{score} {max}");
    }

    /// Hurried judging never changes a score and never judges more, for any rejections.
    #[test]
    fn hurried_judging_never_changes_a_score(fate in proptest::collection::vec(0_u8..5, 8), aggregation in 0_u8..3) {
        let mut problem = three_groups();
        let aggregation = [PASS_FAIL, SUM, MIN][usize::from(aggregation)];
        if let GroupSettings::Scores(settings) = &mut problem.test_groups[1].settings {
            settings.aggregation = aggregation;
        }
        let ids: Vec<String> = problem.test_cases.iter().map(|test_case| test_case.id.clone()).collect();
        let verdicts = [AC, AC, AC, WA, TLE];
        let script: Vec<_> = ids.iter().zip(&fate).map(|(id, fate)| (id.as_str(), verdicts[usize::from(*fate)], None, None)).collect();
        let (calm, hurried) = (walk(&problem, &script, Extent::Counting, ""), walk(&problem, &script, Extent::Hurried, ""));
        prop_assert_eq!(calm.result.score, hurried.result.score);
        prop_assert_eq!(calm.result.verdict, hurried.result.verdict);
        prop_assert!(hurried.steps.iter().all(|id| calm.steps.contains(id)));
    }

    /// Judging every test case never changes a result.
    #[test]
    fn judging_every_test_case_does_not_change_the_result(
        fate in proptest::collection::vec(0_u8..4, 8), legacy_tree: bool, goes_on: bool,
    ) {
        let problem = if legacy_tree { olympiad(goes_on) } else { three_groups() };
        let ids: Vec<String> = problem.test_cases.iter().map(|test_case| test_case.id.clone()).collect();
        let verdicts = [AC, AC, WA, TLE];
        let script: Vec<_> = ids.iter().zip(&fate).map(|(id, fate)| (id.as_str(), verdicts[usize::from(*fate)], None, None)).collect();
        let (calm, every) = (walk(&problem, &script, Extent::Counting, ""), walk(&problem, &script, Extent::Every, ""));
        prop_assert_eq!(calm.result, every.result);
        let counting: Vec<&String> = every.steps.iter().filter(|id| !id.starts_with('(')).collect();
        prop_assert_eq!(counting, calm.steps.iter().collect::<Vec<_>>());
        prop_assert_eq!(every.steps.len(), ids.len());
    }

    /// Test cases that are announced as left out after a rejection are left out, regardless of
    /// other results. Judging becomes hurried once one of the `settling` results has counted, as it
    /// does when a result settles the expectations of a submission.
    #[test]
    fn test_cases_reported_as_skipped_are_skipped(
        fate in proptest::collection::vec(0_u8..5, 8), settling in proptest::collection::vec(any::<bool>(), 8), kind in 0_u8..7,
        required: bool, whole: bool,
    ) {
        let problem = match kind {
            0 | 1 => olympiad(kind == 0),
            kind => {
                let mut problem = three_groups();
                for group in &mut problem.test_groups {
                    if let GroupSettings::Scores(settings) = &mut group.settings {
                        settings.aggregation = match (kind, group.id.as_str()) {
                            (2, "secret") | (3, _) => PASS_FAIL,
                            (4, "secret") | (5, _) => MIN,
                            _ => settings.aggregation,
                        };
                        settings.require_pass.retain(|_| required);
                    }
                }
                problem
            }
        };
        let tree = Arc::new(GroupTree::new(&problem, whole));
        let verdicts: Vec<Verdict> = fate.iter().map(|fate| [AC, AC, WA, TLE, JE][usize::from(*fate)]).collect();
        let settles = |test: TestCaseIndex| settling[test.0] && verdicts[test.0] != AC;
        let extent = |settled: bool| if settled { Extent::Hurried } else { Extent::Counting };
        let (mut walk, mut settled, mut ran) = (Walk::new(Arc::clone(&tree)), false, Vec::new());
        loop {
            match walk.next(extent(settled)) {
                Step::Judge { test_case, counts } => {
                    walk.add_result(verdicts[test_case.0], &ScoreFiles::default());
                    ran.push(test_case);
                    settled |= counts && settles(test_case);
                }
                Step::Skip { .. } => {}
                Step::Finished => break,
                step => prop_assert!(false, "{step:?}"),
            }
        }
        for index in TestCaseIndex::first(problem.test_cases.len()) {
            let announced = tree.not_judged_after(index, verdicts[index.0], extent(settles(index)));
            let wrong = TestCaseIndex::each(announced).find(|left_out| ran.contains(left_out));
            prop_assert!(wrong.is_none(), "{wrong:?} after {index:?}");
        }
    }
}

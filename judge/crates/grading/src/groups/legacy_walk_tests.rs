//! Tests of walks through groups of the legacy format, and of their graders.

use Verdict::{Accepted as AC, JudgeError as JE, TimeLimitExceeded as TLE, WrongAnswer as WA};

use judge_model::ScoreRange;

use super::tests::three_groups;
use super::*;
use crate::groups::testing::{Scripted, legacy, legacy_group, rendered, walk};

/// Returns a root that ignores the sample, and two groups of 40 and 60 that stop at the first
/// rejection.
pub(super) fn olympiad(goes_on: bool) -> judge_model::Problem {
    let group = |score, flags| LegacyGroup {
        accept_score: Score(score),
        ..legacy_group(false, flags)
    };
    legacy(
        vec![
            ("", legacy_group(true, "ignore_sample")),
            ("sample", group(0.0, "")),
            ("secret", legacy_group(goes_on, "sum always_accept")),
            ("secret/g1", group(40.0, "min")),
            ("secret/g2", group(60.0, "min")),
        ],
        &[
            "sample/1",
            "secret/g1/a",
            "secret/g1/b",
            "secret/g2/a",
            "secret/g2/b",
            "secret/g2/c",
        ],
    )
}

#[test]
fn legacy_groups_break_or_continue() {
    let walked = walk(&olympiad(true), &[], Extent::Counting, "");
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (AC, Some(Score(100.0)))
    );
    assert_eq!(
        rendered(&walked.result),
        [
            "sample AC 0",
            "secret AC 100",
            "secret/g1 AC 40",
            "secret/g2 AC 60"
        ]
    );
    let failing = [("secret/g1/a", WA, None, None)];
    let walked = walk(&olympiad(true), &failing, Extent::Counting, "");
    assert_eq!(
        walked.steps,
        [
            "sample/1",
            "secret/g1/a",
            "secret/g2/a",
            "secret/g2/b",
            "secret/g2/c"
        ]
    );
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (AC, Some(Score(60.0)))
    );
    let walked = walk(&olympiad(false), &failing, Extent::Hurried, "");
    assert_eq!(walked.steps, ["sample/1", "secret/g1/a"]);
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (AC, Some(Score(0.0)))
    );
    assert_eq!(
        walked.result.groups[3].skipped.as_deref(),
        Some("an earlier test case or group was rejected")
    );
}

#[test]
fn judging_every_test_case_gives_the_same_result() {
    let failing = [("secret/g1/a", WA, None, None)];
    let walked = walk(&olympiad(false), &failing, Extent::Every, "");
    let expected = [
        "sample/1",
        "secret/g1/a",
        "(secret/g1/b)",
        "(secret/g2/a)",
        "(secret/g2/b)",
        "(secret/g2/c)",
    ];
    assert_eq!(walked.steps, expected);
    assert_eq!(
        walked.result,
        walk(&olympiad(false), &failing, Extent::Counting, "").result
    );
    // Invalid files of the validator for a test case that does not count are not a fault.
    let script = [
        ("secret/1/a", WA, None, None),
        ("secret/2/a", AC, Some("31"), None),
    ];
    let walked = walk(&three_groups(), &script, Extent::Every, "");
    assert_eq!(
        walked.steps.iter().filter(|id| id.starts_with('(')).count(),
        3
    );
    assert!(walked.faults.is_empty(), "{:?}", walked.faults);
    assert_eq!(
        walked.result,
        walk(&three_groups(), &script, Extent::Counting, "").result
    );
}

#[test]
fn only_counting_test_cases_decide() {
    let problem = legacy(
        vec![
            ("", legacy_group(true, "ignore_sample")),
            ("sample", legacy_group(true, "")),
            ("secret", legacy_group(true, "")),
            ("secret/g1", legacy_group(true, "always_accept")),
            ("secret/g2", legacy_group(true, "")),
        ],
        &["sample/1", "secret/g1/a", "secret/g2/a", "secret/g2/b"],
    );
    let rejected = |ids: &[&'static str]| {
        ids.iter()
            .map(|id| (*id, WA, None, None))
            .collect::<Vec<_>>()
    };
    let decided = |script: &[Scripted<'_>]| {
        let result = walk(&problem, script, Extent::Counting, "").result;
        (result.verdict, result.deciding)
    };
    assert_eq!(
        decided(&rejected(&["sample/1", "secret/g2/b"])),
        (WA, Some(TestCaseIndex(3)))
    );
    assert_eq!(
        decided(&rejected(&["secret/g1/a", "secret/g2/a"])),
        (WA, Some(TestCaseIndex(2)))
    );
    assert_eq!(decided(&rejected(&["sample/1", "secret/g1/a"])), (AC, None));
    assert_eq!(
        decided(&[
            ("sample/1", JE, None, None),
            ("secret/g2/a", WA, None, None)
        ]),
        (JE, Some(TestCaseIndex(0)))
    );
}

#[test]
fn the_deciding_test_case_matches_the_verdict_of_a_grader() {
    let custom = |flags| LegacyGroup {
        custom: true,
        ..legacy_group(true, flags)
    };
    let problem = legacy(vec![("", custom(""))], &["secret/a", "secret/b"]);
    let script = [("secret/b", Verdict::MemoryLimitExceeded, None, None)];
    assert_eq!(
        walk(&problem, &script, Extent::Counting, "RTE 0")
            .result
            .deciding,
        Some(TestCaseIndex(1))
    );
    assert_eq!(
        walk(&problem, &script, Extent::Counting, "WA 0")
            .result
            .deciding,
        None,
        "nothing was wrong"
    );
}

#[test]
fn rejected_submissions_have_no_score() {
    let problem = legacy(
        vec![("", legacy_group(true, "sum"))],
        &["secret/a", "secret/b"],
    );
    let walked = walk(
        &problem,
        &[("secret/b", TLE, None, None)],
        Extent::Counting,
        "",
    );
    assert_eq!(
        (
            walked.result.verdict,
            walked.result.score,
            walked.result.deciding
        ),
        (TLE, None, Some(TestCaseIndex(1)))
    );
    assert_eq!(
        walk(&problem, &[], Extent::Counting, "").result.score,
        Some(Score(2.0))
    );
    assert_eq!(
        walk(
            &problem,
            &[("secret/a", AC, Some("-5"), None)],
            Extent::Counting,
            ""
        )
        .result
        .score,
        Some(Score(-4.0))
    );
}

#[test]
fn judge_errors_are_not_graded() {
    let custom = LegacyGroup {
        custom: true,
        ..legacy_group(true, "always_accept")
    };
    let problem = legacy(vec![("", custom)], &["secret/a", "secret/b"]);
    let walked = walk(
        &problem,
        &[("secret/a", JE, None, None)],
        Extent::Counting,
        "AC 1",
    );
    assert!(walked.requests.is_empty());
    assert_eq!(
        (walked.result.verdict, walked.result.deciding),
        (JE, Some(TestCaseIndex(0)))
    );
}

#[test]
fn graders_of_the_package_are_run() {
    let custom = |flags| LegacyGroup {
        custom: true,
        ..legacy_group(true, flags)
    };
    let problem = legacy(
        vec![
            ("", custom("top")),
            ("secret", custom("x y")),
            ("secret/g", legacy_group(true, "")),
        ],
        &["sample/1", "secret/g/a", "secret/g/b"],
    );
    let script = [
        ("secret/g/a", WA, None, None),
        ("sample/1", AC, Some("2.5"), None),
    ];
    let walked = walk(&problem, &script, Extent::Counting, "AC 12.5\n");
    assert_eq!(
        walked.requests,
        [
            "secret [\"x\", \"y\"]: WA 1.000000\n",
            " [\"top\"]: AC 2.500000\nAC 12.500000\n"
        ]
    );
    assert_eq!(
        (walked.result.verdict, walked.result.score),
        (AC, Some(Score(12.5)))
    );
    let walked = walk(&problem, &script, Extent::Counting, "fine");
    assert_eq!((walked.result.verdict, walked.result.score), (JE, None));
    let fault = walked
        .result
        .groups
        .iter()
        .find_map(|group| group.fault.clone())
        .unwrap();
    assert!(
        fault.starts_with("the grader wrote `fine`; expected a verdict"),
        "{fault}"
    );
}

#[test]
fn scores_outside_of_the_range_are_faults_of_the_package() {
    let range = ScoreRange {
        min: Score(0.0),
        max: Score(1.0),
    };
    let problem = legacy(
        vec![(
            "",
            LegacyGroup {
                range,
                ..legacy_group(true, "sum")
            },
        )],
        &["secret/a", "secret/b"],
    );
    let walked = walk(&problem, &[], Extent::Counting, "");
    assert_eq!(walked.result.verdict, JE);
    assert_eq!(
        walked.result.groups[0].fault.as_deref(),
        Some("its score 2 is outside of its range 0 to 1")
    );
    assert_eq!(
        walk(
            &problem,
            &[("secret/a", WA, None, None)],
            Extent::Counting,
            ""
        )
        .result
        .verdict,
        WA
    );
}

#[test]
fn unknown_flags_of_the_default_grader_are_faults() {
    let walked = walk(
        &legacy(vec![("", legacy_group(true, "summ"))], &["secret/a"]),
        &[],
        Extent::Counting,
        "",
    );
    assert_eq!(walked.result.verdict, JE);
}

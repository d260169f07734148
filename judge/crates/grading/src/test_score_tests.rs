//! Tests of the scores of single test cases, by rule.

use Verdict::{Accepted as AC, RunTimeError as RTE, WrongAnswer as WA};

use super::*;

const BOUNDED: ScoreRule = ScoreRule::Bounded(Score(40.0));

fn files(score: Option<&str>, multiplier: Option<&str>) -> ScoreFiles {
    let bytes = |text: &str| text.as_bytes().to_vec();
    ScoreFiles {
        score: score.map(bytes),
        multiplier: multiplier.map(bytes),
    }
}

fn legacy(by_validator: bool) -> ScoreRule {
    ScoreRule::Legacy {
        accept: Score(3.0),
        reject: Score(-1.0),
        by_validator,
    }
}

#[track_caller]
fn scores(rule: ScoreRule, verdict: Verdict, files: &ScoreFiles, expected: Option<f64>) {
    assert_eq!(score_test(rule, verdict, files), Ok(expected.map(Score)));
}

#[track_caller]
fn fails(rule: ScoreRule, verdict: Verdict, files: &ScoreFiles, expected: &str) {
    assert_eq!(score_test(rule, verdict, files), Err(expected.to_owned()));
}

#[test]
fn bounded_test_cases_are_scored() {
    scores(BOUNDED, AC, &files(None, None), Some(40.0));
    scores(BOUNDED, WA, &files(None, None), Some(0.0));
    scores(BOUNDED, RTE, &files(None, None), Some(0.0));
    scores(BOUNDED, AC, &files(Some("12.5\n"), None), Some(12.5));
    scores(BOUNDED, AC, &files(Some("0"), None), Some(0.0));
    scores(BOUNDED, AC, &files(None, Some(" 0.25 ")), Some(10.0));
    scores(BOUNDED, AC, &files(None, Some("1")), Some(40.0));
    // A third, rounded by a validator that prints six decimals, is the maximum.
    scores(
        ScoreRule::Bounded(Score(200.0 / 3.0)),
        AC,
        &files(Some("66.666667"), None),
        Some(200.0 / 3.0),
    );
    fails(
        BOUNDED,
        AC,
        &files(Some("40.1"), None),
        "wrote 40.1 into `score.txt`, but the maximum score is 40",
    );
    fails(
        BOUNDED,
        AC,
        &files(Some("-1"), None),
        "wrote -1 into `score.txt`; expected a number that is not negative",
    );
    fails(
        BOUNDED,
        AC,
        &files(None, Some("1.5")),
        "wrote 1.5 into `score_multiplier.txt`; expected a number from 0 to 1",
    );
    fails(
        BOUNDED,
        AC,
        &files(None, Some("-0.5")),
        "wrote -0.5 into `score_multiplier.txt`; expected a number from 0 to 1",
    );
    fails(
        BOUNDED,
        AC,
        &files(Some("1"), Some("1")),
        "wrote both `score.txt` and `score_multiplier.txt`; expected at most one of them",
    );
    fails(
        BOUNDED,
        WA,
        &files(Some("0"), None),
        "wrote `score.txt` for a test case that is not accepted",
    );
    fails(
        BOUNDED,
        WA,
        &files(None, Some("0")),
        "wrote `score_multiplier.txt` for a test case that is not accepted",
    );
}

#[test]
fn invalid_numbers_are_errors() {
    for text in [
        "", " ", "1 2", "1,5", "inf", "nan", "-inf", "0x10", "1e999", "1_0", ".", "e5", "abc",
        "\u{a0}1",
    ] {
        let error = score_test(BOUNDED, AC, &files(Some(text), None)).unwrap_err();
        assert!(
            error.ends_with("into `score.txt`; expected one decimal number"),
            "{text:?}: {error}"
        );
    }
    let not_text = ScoreFiles {
        score: Some(vec![0xff, b'1']),
        multiplier: None,
    };
    assert!(score_test(BOUNDED, AC, &not_text).is_err());
    scores(BOUNDED, AC, &files(Some("+1.5e1"), None), Some(15.0));
    scores(BOUNDED, AC, &files(Some("5."), None), Some(5.0));
    scores(BOUNDED, AC, &files(Some(".5"), None), Some(0.5));
}

#[test]
fn unbounded_test_cases_are_scored() {
    scores(
        ScoreRule::Unbounded,
        AC,
        &files(Some("123456.5"), None),
        Some(123_456.5),
    );
    scores(ScoreRule::Unbounded, WA, &files(None, None), Some(0.0));
    fails(
        ScoreRule::Unbounded,
        AC,
        &files(None, None),
        "accepted without a `score.txt`, and there is no maximum score",
    );
    fails(
        ScoreRule::Unbounded,
        AC,
        &files(None, Some("1")),
        "wrote `score_multiplier.txt`, but there is no maximum score",
    );
}

#[test]
fn pass_fail_groups_have_no_scores_and_forbid_files() {
    scores(ScoreRule::Forbidden, AC, &files(None, None), None);
    scores(ScoreRule::Forbidden, WA, &files(None, None), None);
    assert!(score_test(ScoreRule::Forbidden, AC, &files(Some("1"), None)).is_err());
    assert!(score_test(ScoreRule::Forbidden, AC, &files(None, Some("1"))).is_err());
    scores(
        ScoreRule::None,
        AC,
        &files(Some("ignored"), Some("x")),
        None,
    );
    scores(ScoreRule::None, WA, &files(Some("1"), None), None);
}

#[test]
fn legacy_test_cases_are_scored() {
    scores(legacy(false), AC, &files(None, None), Some(3.0));
    scores(legacy(false), WA, &files(None, None), Some(-1.0));
    scores(legacy(true), AC, &files(Some("-7.5"), None), Some(-7.5));
    scores(legacy(true), AC, &files(None, None), Some(3.0));
    scores(legacy(true), WA, &files(None, None), Some(-1.0));
    assert!(score_test(legacy(false), AC, &files(Some("1"), None)).is_err());
    assert!(score_test(legacy(true), WA, &files(Some("1"), None)).is_err());
    assert!(score_test(legacy(true), AC, &files(Some("x"), None)).is_err());
}

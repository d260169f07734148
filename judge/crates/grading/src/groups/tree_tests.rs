//! Tests of order, shares and left-out test cases.

use std::path::PathBuf;

use judge_model::{FormatVersion, StaticValidation};

use super::*;
use crate::groups::testing::{legacy, legacy_group, scoring, worth};

fn range(start: usize, end: usize) -> Range<TestCaseIndex> {
    TestCaseIndex(start)..TestCaseIndex(end)
}

fn bounded(score: f64) -> ScoreRule {
    ScoreRule::Bounded(Score(score))
}

#[test]
fn scores_of_test_cases_follow_the_rules_of_their_group() {
    let fixed = StaticValidation {
        max_score: Some(10),
        args: Vec::new(),
    };
    let with_static = ScoreSettings {
        static_validation: Some(fixed),
        ..worth(Some(40), Aggregation::Sum)
    };
    let problem = scoring(
        vec![
            ("secret", worth(Some(100), Aggregation::Sum)),
            ("secret/1", with_static),
            ("secret/2", worth(Some(40), Aggregation::Min)),
            ("secret/3", worth(Some(40), Aggregation::PassFail)),
            ("secret/4", worth(None, Aggregation::Sum)),
        ],
        &[
            "sample/1",
            "secret/1/a",
            "secret/1/x/b",
            "secret/2/a",
            "secret/3/a",
            "secret/4/a",
        ],
    );
    let tree = GroupTree::new(&problem, true);
    let rules: Vec<ScoreRule> = TestCaseIndex::first(6)
        .map(|index| tree.score_rule(index))
        .collect();
    let expected = [
        ScoreRule::None,
        bounded(15.0),
        bounded(15.0),
        bounded(40.0),
        ScoreRule::Forbidden,
        ScoreRule::Unbounded,
    ];
    assert_eq!(rules, expected);
    assert_eq!(tree.best_score(), Some(Score(100.0)));
    let part = GroupTree::new(&problem, false);
    assert!(TestCaseIndex::first(6).all(|index| part.score_rule(index) == ScoreRule::None));
}

#[test]
fn the_best_legacy_score_is_a_bound_of_the_range() {
    let range = ScoreRange {
        min: Score(-5.0),
        max: Score(f64::INFINITY),
    };
    let mut problem = legacy(
        vec![(
            "",
            LegacyGroup {
                range,
                ..legacy_group(true, "")
            },
        )],
        &["secret/a"],
    );
    assert_eq!(GroupTree::new(&problem, true).best_score(), None);
    if let Grading::Legacy(grading) = &mut problem.grading {
        grading.objective = Objective::Min;
    }
    assert_eq!(
        GroupTree::new(&problem, true).best_score(),
        Some(Score(-5.0))
    );
}

#[test]
fn rejections_end_their_group_and_possibly_others() {
    let tests = [
        "sample/1",
        "sample/2",
        "secret/g1/a",
        "secret/g1/b",
        "secret/g2/a",
        "secret/g2/b",
        "secret/g3/a",
    ];
    let tree = |root: &str, secret: bool| {
        let groups = vec![
            ("", legacy_group(true, root)),
            ("sample", legacy_group(false, "")),
            ("secret", legacy_group(secret, "")),
            ("secret/g1", legacy_group(false, "")),
            ("secret/g2", legacy_group(false, "always_accept")),
            ("secret/g3", legacy_group(false, "")),
        ];
        GroupTree::new(&legacy(groups, &tests), true)
    };
    let continuing = tree("", true);
    assert_eq!(
        continuing.not_judged_after(TestCaseIndex(2), Verdict::WrongAnswer, Extent::Counting),
        range(3, 4)
    );
    assert_eq!(
        continuing.not_judged_after(TestCaseIndex(2), Verdict::Accepted, Extent::Hurried),
        range(3, 3)
    );
    let breaking = tree("", false);
    assert_eq!(
        breaking.not_judged_after(TestCaseIndex(2), Verdict::WrongAnswer, Extent::Counting),
        range(3, 7)
    );
    assert_eq!(
        breaking.not_judged_after(TestCaseIndex(0), Verdict::WrongAnswer, Extent::Counting),
        range(1, 2),
        "the root continues"
    );
    assert_eq!(
        breaking.not_judged_after(TestCaseIndex(4), Verdict::WrongAnswer, Extent::Counting),
        range(5, 6),
        "its grader always accepts"
    );
    let plain = Problem {
        test_cases: legacy(Vec::new(), &tests).test_cases,
        ..Problem::new("p", PathBuf::from("p"), FormatVersion::Legacy)
    };
    let plain = GroupTree::new(&plain, true);
    assert_eq!(
        plain.not_judged_after(TestCaseIndex(2), Verdict::WrongAnswer, Extent::Hurried),
        range(3, 7)
    );
    assert_eq!(
        plain.not_judged_after(TestCaseIndex(2), Verdict::WrongAnswer, Extent::Counting),
        range(3, 3)
    );
}

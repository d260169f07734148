//! Tests of groups and scores in the legacy format.

use judge_model::{Grading, GroupSettings, LegacyGroup, Objective, Problem, Score, ScoreRange};

use crate::fixture::Tree;

fn legacy(problem: &Problem, id: &str) -> LegacyGroup {
    let group = problem
        .test_groups
        .iter()
        .find(|group| group.id == id)
        .unwrap();
    let GroupSettings::Legacy(settings) = &group.settings else {
        panic!("{group:?}")
    };
    settings.clone()
}

#[test]
fn legacy_groups_inherit_key_by_key() {
    let tree = Tree::new();
    tree.legacy_package(
        "x",
        "type: scoring\nvalidation: custom score\ngrading: {objective: min}\n",
    );
    tree.write("x/output_validators/v.py", "");
    tree.cases("x", &["secret/g/h/a"]);
    tree.write(
        "x/data/testdata.yaml",
        "on_reject: continue\ngrader_flags: first_error min ignore_sample\nrange: -inf 20\n",
    );
    tree.write("x/data/secret/testdata.yaml", "accept_score: 2.5\n");
    tree.write(
        "x/data/secret/g/testdata.yaml",
        "on_reject: break\nreject_score: \"-1\"\nrange: 0 +inf\n",
    );
    let problem = tree.load("x").unwrap().problem;
    let Grading::Legacy(grading) = &problem.grading else {
        panic!("{:?}", problem.grading)
    };
    assert!(
        grading.scoring
            && grading.validator_scores
            && grading.objective == Objective::Min
            && grading.grader.is_none()
    );
    let flags = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let range = |min, max| ScoreRange {
        min: Score(min),
        max: Score(max),
    };
    let root = LegacyGroup {
        goes_on: true,
        grader_flags: flags("first_error min ignore_sample"),
        range: range(f64::NEG_INFINITY, 20.0),
        ..LegacyGroup::default()
    };
    assert_eq!(legacy(&problem, ""), root);
    let sample = LegacyGroup {
        grader_flags: flags("first_error min"),
        ..root
    };
    assert_eq!(legacy(&problem, "sample"), sample);
    let secret = LegacyGroup {
        accept_score: Score(2.5),
        ..sample
    };
    assert_eq!(legacy(&problem, "secret"), secret);
    let inner = LegacyGroup {
        goes_on: false,
        reject_score: Score(-1.0),
        range: range(0.0, f64::INFINITY),
        ..secret
    };
    assert_eq!(legacy(&problem, "secret/g"), inner);
    assert_eq!(legacy(&problem, "secret/g/h"), inner);
}

#[test]
fn legacy_settings_equivalent_to_pass_fail_are_pass_fail() {
    for (yaml, is_pass_fail) in [
        ("", true),
        ("grader_flags: min odd\n", true),
        ("on_reject: continue\n", false),
        (
            "on_reject: continue\ngrader_flags: worst_error first_error\n",
            true,
        ),
        (
            "on_reject: continue\ngrader_flags: first_error worst_error\n",
            false,
        ),
        ("grader_flags: always_accept\n", false),
        ("grader_flags: no_errors\n", true),
        (
            "on_reject: continue\ngrader_flags: first_error no_errors\n",
            false,
        ),
        (
            "on_reject: continue\ngrader_flags: no_errors first_error\n",
            true,
        ),
        ("grader_flags: accept_if_any_accepted\n", false),
    ] {
        let tree = Tree::new();
        tree.legacy_package("x", "name: A\n");
        tree.write("x/data/secret/testdata.yaml", yaml);
        let problem = tree.load("x").unwrap().problem;
        assert_eq!(problem.grading == Grading::PassFail, is_pass_fail, "{yaml}");
        let plain = problem
            .test_groups
            .iter()
            .all(|group| group.settings == GroupSettings::Plain);
        assert_eq!(plain, is_pass_fail, "{yaml}");
    }
    // Below `data`, the flag has no effect, because it only belongs in `data` itself.
    let tree = Tree::new();
    tree.legacy_package("x", "name: A\n");
    tree.write(
        "x/data/secret/testdata.yaml",
        "grader_flags: ignore_sample\n",
    );
    assert_eq!(tree.load("x").unwrap().problem.grading, Grading::PassFail);
    tree.write("x/data/testdata.yaml", "grader_flags: ignore_sample\n");
    assert_ne!(tree.load("x").unwrap().problem.grading, Grading::PassFail);
}

#[test]
fn custom_grading_needs_a_grader() {
    let tree = Tree::new();
    tree.legacy_package("x", "type: scoring\n");
    tree.write(
        "x/data/secret/testdata.yaml",
        "grading: custom\ngrader_flags: what ever\n",
    );
    assert_eq!(
        tree.errors("x"),
        [
            "x/data/secret/testdata.yaml:1: `grading`: expected the package's grader in `graders/`, found none\nhint: put \
          it into `graders/`, or set `grading: default`"
        ]
    );
    tree.write("x/graders/g.py", "");
    let loaded = tree.load("x").unwrap();
    assert_eq!(tree.warning_lines(&loaded.warnings), [""; 0]);
    let Grading::Legacy(grading) = &loaded.problem.grading else {
        panic!()
    };
    assert_eq!(grading.grader.as_ref().unwrap().name, "g.py");
    let group = legacy(&loaded.problem, "secret");
    assert_eq!(
        (group.custom, group.grader_flags),
        (true, vec!["what".to_owned(), "ever".to_owned()])
    );
    tree.write("x/graders/h.py", "");
    assert_eq!(
        tree.errors("x"),
        ["x/graders: expected one grader, found `g.py` and `h.py`"]
    );
}

#[test]
fn faulty_legacy_settings_are_reported() {
    let tree = Tree::new();
    tree.legacy_package("x", "type: scoring\n");
    tree.write(
        "x/data/secret/testdata.yaml",
        "range: 5 1\naccept_score: many\non_reject: stop\ngrading: own\nreject_score: .inf\n",
    );
    let reported = tree.errors("x");
    for part in [
        ":3: `on_reject`: expected one of `break`, `continue`,",
        ":4: `grading`: expected one of `default`, `custom`, found the string `own`",
        ":2: `accept_score`: expected a score, found the string `many`",
        ":5: `reject_score`: expected a score, found the number `inf`",
        ":1: `range`: expected two scores such as `0 100`, the smaller one first, found the string `5 1`",
    ] {
        let place = format!("x/data/secret/testdata.yaml{part}");
        assert!(
            reported.iter().any(|error| error.starts_with(&place)),
            "{place}\n{reported:#?}"
        );
    }
    assert_eq!(reported.len(), 5, "{reported:#?}");
    tree.legacy_package("y", "name: A\n");
    tree.write(
        "y/data/secret/testdata.yaml",
        "rejct_score: 1\nreject_score: 1\ngrader_flags: mn\n",
    );
    assert_eq!(
        tree.warnings("y"),
        [
            "y/data/secret/testdata.yaml:1: unknown key `rejct_score` is ignored\nhint: did you mean `reject_score`?",
            "y/data/secret/testdata.yaml:3: unknown grader flag `mn` is ignored\nhint: did you mean `min`?",
            "y/data/secret/testdata.yaml:2: `reject_score` is ignored: the problem is not of type `scoring`",
        ]
    );
}

#[test]
fn old_keys_in_problem_yaml_apply_to_every_group() {
    let tree = Tree::new();
    tree.legacy_package(
        "x",
        "type: scoring\ngrading: {on_reject: grade, accept_score: 3, range: 0 9}\n",
    );
    tree.write(
        "x/data/secret/testdata.yaml",
        "on_reject: break\naccept_score: 4\nreject_score: 1\n",
    );
    let loaded = tree.load("x").unwrap();
    assert_eq!(
        loaded.warnings.len(),
        4,
        "{:#?}",
        tree.warning_lines(&loaded.warnings)
    );
    let range = ScoreRange {
        min: Score(0.0),
        max: Score(9.0),
    };
    let old = LegacyGroup {
        goes_on: true,
        accept_score: Score(3.0),
        range,
        ..LegacyGroup::default()
    };
    assert_eq!(legacy(&loaded.problem, ""), old);
    assert_eq!(
        legacy(&loaded.problem, "secret"),
        LegacyGroup {
            reject_score: Score(1.0),
            ..old
        }
    );
}

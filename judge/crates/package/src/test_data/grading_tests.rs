//! Tests of groups and scores, in both layouts.

use judge_model::{
    Aggregation, Grading, GroupSettings, LegacyGroup, Objective, Problem, Score, ScoreRange,
    ScoreSettings, StaticValidation,
};

use crate::fixture::Tree;

/// A scoring package of 2025-09 with the groups `a` and `b`, each with these lines in its
/// `test_group.yaml`.
fn scoring(secret: &str, a: &str, b: &str) -> Tree {
    let tree = Tree::new();
    tree.package("x", "type: scoring\nconstants: {half: 50}\n");
    std::fs::remove_dir_all(tree.path("x/data/secret")).unwrap();
    tree.cases("x", &["secret/a/1", "secret/a/2", "secret/b/1"]);
    tree.write("x/data/secret/test_group.yaml", secret);
    tree.write("x/data/secret/a/test_group.yaml", a);
    tree.write("x/data/secret/b/test_group.yaml", b);
    tree
}

fn settings(problem: &Problem, id: &str) -> ScoreSettings {
    let group = problem
        .test_groups
        .iter()
        .find(|group| group.id == id)
        .unwrap();
    let GroupSettings::Scores(settings) = &group.settings else {
        panic!("{group:?}")
    };
    settings.clone()
}

#[test]
fn missing_score_keys_get_defaults() {
    let tree = scoring(
        "",
        "max_score: {{half}}\n",
        "max_score: 50\nscore_aggregation: sum\nrequire_pass: secret/a\n",
    );
    let loaded = tree.load("x").unwrap();
    assert_eq!(tree.warning_lines(&loaded.warnings), [""; 0]);
    let problem = loaded.problem;
    assert_eq!(problem.grading, Grading::Scores);
    let ids: Vec<&str> = problem
        .test_groups
        .iter()
        .map(|group| group.id.as_str())
        .collect();
    assert_eq!(ids, ["sample", "secret", "secret/a", "secret/b"]);
    assert_eq!(problem.test_groups[0].settings, GroupSettings::Plain);
    let plain = |max_score, aggregation| ScoreSettings {
        max_score,
        aggregation,
        require_pass: Vec::new(),
        static_validation: None,
    };
    assert_eq!(
        settings(&problem, "secret"),
        plain(Some(100), Aggregation::Sum)
    );
    assert_eq!(
        settings(&problem, "secret/a"),
        plain(Some(50), Aggregation::PassFail)
    );
    let b = ScoreSettings {
        require_pass: vec!["secret/a".to_owned()],
        ..plain(Some(50), Aggregation::Sum)
    };
    assert_eq!(settings(&problem, "secret/b"), b);
}

#[test]
fn impossible_scores_are_errors() {
    for (secret, a, b, expected) in [
        (
            "",
            "",
            "max_score: 50",
            "a/test_group.yaml: the group `secret/a` needs a `max_score`, because that of `secret` is 100",
        ),
        (
            "",
            "max_score: unbounded\n",
            "max_score: 50",
            "a/test_group.yaml:1: `max_score`: the group `secret/a` needs a `max_score`, because that of `secret` is 100",
        ),
        (
            "max_score: unbounded",
            "score_aggregation: sum",
            "",
            "b/test_group.yaml: the group `secret/b` needs a `max_score`, because its aggregation is `pass-fail`",
        ),
        (
            "max_score: unbounded\nscore_aggregation: pass-fail",
            "max_score: 1",
            "max_score: 1",
            "test_group.yaml:1: `max_score`: `pass-fail` aggregation needs a `max_score` that is not `unbounded`",
        ),
        (
            "score_aggregation: pass-fail",
            "max_score: 1",
            "max_score: 1\nscore_aggregation: min",
            "b/test_group.yaml:2: `score_aggregation`: expected `pass-fail`, because `secret` has it",
        ),
        (
            "",
            "max_score: 60",
            "max_score: 50",
            "test_group.yaml: the maximum scores of the groups add up to 110, but that of `secret` is 100\nhint: set \
          `max_score: 110` in `data/secret/test_group.yaml`",
        ),
        (
            "score_aggregation: min\nmax_score: 40",
            "max_score: 60",
            "max_score: 50",
            "test_group.yaml:2: `max_score`: the maximum scores of the groups are at least 50, but that of `secret` is \
          40\nhint: set `max_score: 50` in `data/secret/test_group.yaml`",
        ),
        (
            "",
            "max_score: -1",
            "max_score: 100",
            "a/test_group.yaml:1: `max_score`: expected an integer of at least 0, or `unbounded`, found the number `-1`",
        ),
        (
            "",
            "max_score: 50",
            "max_score: 50\nrequire_pass: [a]",
            "b/test_group.yaml:2: `require_pass[0]`: unknown group `a`\nhint: a group is named by its path: `secret/a`",
        ),
        (
            "",
            "max_score: 50\nrequire_pass: secret/b",
            "max_score: 50",
            "a/test_group.yaml:2: `require_pass`: `secret/b` does not come before `secret/a`",
        ),
        (
            "",
            "max_score: 50\nrequire_pass: secret/a",
            "max_score: 50",
            "a/test_group.yaml:2: `require_pass`: `secret/a` does not come before `secret/a`",
        ),
        (
            "",
            "max_score: 50\nscore_aggregation: sum",
            "max_score: 50\nrequire_pass: [sample, secret/a]",
            "b/test_group.yaml:2: `require_pass[1]`: `secret/a` can only be required with `score_aggregation: pass-fail`",
        ),
        (
            "require_pass: secret/a",
            "max_score: 50",
            "max_score: 50",
            "test_group.yaml:1: `require_pass`: `secret` can only require `sample`",
        ),
        (
            "",
            "max_score: 50",
            "max_score: 50\nrequire_pass: secret",
            "b/test_group.yaml:2: `require_pass`: `secret` cannot be required by its own groups",
        ),
    ] {
        // An invalid score leaves its group without one.
        let reported = scoring(secret, a, b).errors("x");
        assert_eq!(
            reported.first().map(String::as_str),
            Some(format!("x/data/secret/{expected}").as_str()),
            "{reported:#?}"
        );
        assert!(reported.len() == 1 || a.contains("-1"), "{reported:#?}");
    }
}

#[test]
fn unreachable_scores_are_warnings() {
    let tree = scoring("score_aggregation: min", "max_score: 60", "max_score: 50");
    assert_eq!(
        tree.warnings("x"),
        [
            "x/data/secret/test_group.yaml: the maximum scores of the groups are at least 50, but that of `secret` is 100: \
          no submission can reach it"
        ]
    );
    let tree = scoring(
        "max_score: unbounded",
        "score_aggregation: sum",
        "score_aggregation: min",
    );
    assert_eq!(tree.warnings("x"), [""; 0]);
}

#[test]
fn empty_groups_of_scoring_problems_are_errors() {
    let tree = scoring("", "max_score: 50", "max_score: 50");
    for extension in ["in", "ans"] {
        std::fs::remove_file(tree.path(&format!("x/data/secret/b/1.{extension}"))).unwrap();
    }
    assert_eq!(
        tree.errors("x"),
        ["x/data/secret/b: expected at least one test case in the group `secret/b`, found none"]
    );
    tree.write("x/static_validator/v.py", "");
    tree.write(
        "x/data/secret/b/test_group.yaml",
        "max_score: 50\nscore_aggregation: sum\nstatic_validation_score: 50\nstatic_validator_args: [no, loops]\n",
    );
    let loaded = tree.load("x").unwrap();
    let expected = StaticValidation {
        max_score: Some(50),
        args: vec!["no".to_owned(), "loops".to_owned()],
    };
    assert_eq!(
        settings(&loaded.problem, "secret/b").static_validation,
        Some(expected)
    );
}

#[test]
fn static_validation_is_checked() {
    for (lines, expected) in [
        (
            "static_validator_args: [a]",
            ":2: `static_validator_args`: is given without `static_validation_score`, so nothing is validated",
        ),
        (
            "static_validation_score: 5",
            ":2: `static_validation_score`: expected `pass-fail`: nothing in this group has a score of its own",
        ),
        (
            "score_aggregation: sum\nstatic_validation_score: pass-fail",
            ":3: `static_validation_score`: expected an integer: `pass-fail` needs `score_aggregation: pass-fail`",
        ),
        (
            "score_aggregation: sum\nstatic_validation_score: 51",
            ":3: `static_validation_score`: expected at most the `max_score` of its group, 50, found 51",
        ),
    ] {
        let tree = scoring("", "max_score: 50", &format!("max_score: 50\n{lines}\n"));
        tree.write("x/static_validator/v.py", "");
        assert_eq!(
            tree.errors("x"),
            [format!("x/data/secret/b/test_group.yaml{expected}")]
        );
    }
    // Pass-fail problems may have it as well.
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/static_validator/v.py", "");
    tree.write(
        "x/data/secret/test_group.yaml",
        "static_validation_score: pass-fail\n",
    );
    let problem = tree.load("x").unwrap().problem;
    assert_eq!(problem.grading, Grading::PassFail);
    assert_eq!(
        settings(&problem, "secret").static_validation,
        Some(StaticValidation {
            max_score: None,
            args: vec![]
        })
    );
    tree.write(
        "x/data/secret/test_group.yaml",
        "static_validation_score: 5\n",
    );
    assert_eq!(tree.errors("x").len(), 1);
}

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

#[test]
fn flags_can_name_a_program() {
    let tree = Tree::new();
    tree.legacy_package("x", "validation: custom\n");
    tree.write("x/output_validators/check.py", "");
    tree.write(
        "x/data/secret/testdata.yaml",
        "output_validator_flags: {name: check, flags: a b}\ninput_validator_flags: {name: validate.py, flags: 5}\n",
    );
    let loaded = tree.load("x").unwrap();
    assert_eq!(
        loaded
            .problem
            .test_case("secret/01")
            .unwrap()
            .output_validator_args
            .all,
        ["a", "b"]
    );
    assert_eq!(
        loaded.input_validator_args["secret/01"].for_validator("validate.py"),
        ["5"]
    );
    assert_eq!(
        loaded.input_validator_args["secret/01"].for_validator("other.py"),
        [""; 0]
    );
    tree.write(
        "x/data/secret/testdata.yaml",
        "output_validator_flags: {name: other, flags: a b}\n",
    );
    assert_eq!(
        tree.warnings("x"),
        [
            "x/data/secret/testdata.yaml:1: `output_validator_flags` names no output validator of this package; expected \
          `check.py`"
        ]
    );
}

#[test]
fn flags_are_passed_to_the_named_output_validator() {
    let tree = Tree::new();
    tree.legacy_package("x", "validation: custom\nvalidator_flags: v\n");
    tree.write("x/output_validators/first.py", "");
    tree.write("x/output_validators/second.py", "");
    let file = "x/data/secret/testdata.yaml";
    let args = |position| {
        let loaded = tree.load("x").unwrap();
        assert_eq!(tree.warning_lines(&loaded.warnings), [""; 0]);
        loaded
            .problem
            .test_case("secret/01")
            .unwrap()
            .output_validator_args
            .for_validator(position)
            .cloned()
            .collect::<Vec<_>>()
    };
    tree.write(file, "output_validator_flags: {name: second, flags: a b}\n");
    assert_eq!(
        (args(0), args(1)),
        (
            vec!["v".to_owned()],
            ["v", "a", "b"].map(str::to_owned).to_vec()
        )
    );
    tree.write(
        file,
        "output_validator_flags: {second.py: b, first: a, other: c}\n",
    );
    assert_eq!(
        (args(0), args(1)),
        (
            ["v", "a"].map(str::to_owned).to_vec(),
            ["v", "b"].map(str::to_owned).to_vec()
        )
    );
    tree.write(file, "output_validator_flags: a b\n");
    assert_eq!(
        (args(0), args(1)),
        (
            ["v", "a", "b"].map(str::to_owned).to_vec(),
            ["v", "a", "b"].map(str::to_owned).to_vec()
        )
    );
}

#[test]
fn legacy_keys_get_a_hint_with_their_replacement() {
    for (line, instead) in [
        (
            "on_reject: break",
            "`score_aggregation`, with `pass-fail` for a group",
        ),
        ("grading: custom", "`score_aggregation`, and no programs"),
        (
            "grader_flags: min",
            "`score_aggregation`: `sum`, `min` or `pass-fail`",
        ),
        (
            "input_validator_flags: a b",
            "`input_validator_args`, a list",
        ),
        (
            "output_validator_flags: a b",
            "`output_validator_args`, a list",
        ),
        ("accept_score: 5", "`max_score`"),
        ("reject_score: 1", "no replacement"),
        ("range: 0 5", "`max_score`"),
    ] {
        let tree = scoring("", "max_score: 50", &format!("max_score: 50\n{line}"));
        let [error] = &tree.errors("x")[..] else {
            panic!("{line}")
        };
        let hint = format!("\nhint: it is a key of the legacy format; 2025-09 has {instead}");
        assert!(
            error.starts_with("x/data/secret/b/test_group.yaml:2: unknown key `"),
            "{error}"
        );
        assert!(error.contains(&hint), "{error}");
    }
    // A misspelt key still gets a suggestion.
    let tree = scoring("", "max_score: 50", "max_scor: 50");
    assert!(
        tree.errors("x")
            .iter()
            .any(|error| error.ends_with("did you mean `max_score`?"))
    );
}

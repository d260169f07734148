//! Tests of groups and scores in format 2025-09.

use judge_model::{Aggregation, Grading, GroupSettings, Problem, ScoreSettings, StaticValidation};

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

//! Tests of finding submissions.

use judge_model::Verdict;

use crate::fixture::Tree;

#[test]
fn submissions_from_both_places_are_sorted_by_id() {
    let tree = Tree::with(&[
        ("judge.yaml", ""),
        ("solutions/x/wrong_answer/w.py", ""),
        ("solutions/x/accepted/a.rs", ""),
        ("solutions/y/accepted/other.rs", ""),
    ]);
    tree.package("problems/x", "");
    tree.write("problems/x/submissions/accepted/dir/main.cpp", "");
    let loaded = tree.load("problems/x").unwrap();
    assert_eq!(tree.warning_lines(&loaded.warnings), [""; 0]);
    let found: Vec<_> = loaded.problem.submissions;
    let ids: Vec<&str> = found
        .iter()
        .map(|submission| submission.id.as_str())
        .collect();
    assert_eq!(
        ids,
        [
            "accepted/a.rs",
            "accepted/dir",
            "accepted/good.py",
            "wrong_answer/w.py"
        ]
    );
    assert_eq!(found[0].path, tree.path("solutions/x/accepted/a.rs"));
    assert_eq!(found[1].sources, [std::path::PathBuf::from("main.cpp")]);
    assert_eq!(found[3].expectations[0].required, [Verdict::WrongAnswer]);
    assert_eq!(found[3].language.as_ref().unwrap().0, "python3");
}

#[test]
fn equal_ids_in_both_places_are_an_error() {
    let tree = Tree::with(&[("judge.yaml", ""), ("solutions/x/accepted/good.py", "")]);
    tree.package("problems/x", "");
    let [error] = &tree.errors("problems/x")[..] else {
        panic!()
    };
    assert!(
        error.starts_with(
            "solutions/x/accepted/good.py: submission `accepted/good.py` exists twice"
        ),
        "{error}"
    );
    assert!(
        error.contains("problems/x/submissions/accepted/good.py"),
        "{error}"
    );
}

#[test]
fn unrecognised_submissions_are_reported_and_skipped() {
    let tree = Tree::new();
    tree.package("x", "");
    for file in [
        "loose.py",
        "README.md",
        "wrong_anser/w.py",
        "TLE/t.py",
        "accepted/a b.py",
        "accepted/.gitkeep",
        "accepted/.hidden.py",
        "accepted/unknown.txt",
    ] {
        tree.write(&format!("x/submissions/{file}"), "");
    }
    let loaded = tree.load("x").unwrap();
    assert_eq!(
        tree.warning_lines(&loaded.warnings),
        [
            "x/submissions/loose.py: ignored: expected in a directory of submissions such as `accepted`",
            "x/submissions/accepted/a b.py: ignored: its name is not allowed\nhint: names have letters, digits, `_`, \
             `.` and `-`, and start with a letter, a digit or `_`",
            "x/submissions/accepted/unknown.txt: submission `accepted/unknown.txt` cannot be judged: no file of a \
             known language",
            "x/submissions/TLE: unknown directory `TLE`: nothing is expected of the submissions in it\nhint: did you mean \
             `time_limit_exceeded`?",
            "x/submissions/wrong_anser: unknown directory `wrong_anser`: nothing is expected of the submissions in \
             it\nhint: did you mean `wrong_answer`?",
        ]
    );
    let ids: Vec<_> = loaded
        .problem
        .submissions
        .iter()
        .map(|s| (s.id.as_str(), s.language.is_some()))
        .collect();
    assert_eq!(
        ids,
        [
            ("TLE/t.py", true),
            ("accepted/good.py", true),
            ("accepted/unknown.txt", false),
            ("wrong_anser/w.py", true)
        ]
    );
    let judge_model::Submission {
        expectations,
        misplaced,
        ..
    } = &loaded.problem.submissions[3];
    assert!(expectations.is_empty());
    let expected = "expected the directory `wrong_answer`, found `wrong_anser`, which is unknown";
    assert_eq!(misplaced.as_deref(), Some(expected));
    assert!(
        loaded.problem.submissions[..3]
            .iter()
            .all(|submission| submission.misplaced.is_none())
    );
}

#[test]
fn submissions_in_several_languages_are_reported() {
    let tree = Tree::with(&[
        ("x/submissions/accepted/two/a.py", ""),
        ("x/submissions/accepted/two/b.rs", ""),
    ]);
    tree.package("x", "");
    assert_eq!(
        tree.errors("x"),
        [
            "x/submissions/accepted/two: submission: expected files of one language, found `a.py` (python3) and `b.rs` \
          (rust)\nhint: name its `language` in `submissions.yaml`"
        ]
    );
    tree.legacy_package("x", "name: x\n");
    let [warning] = &tree.warnings("x")[..] else {
        panic!()
    };
    assert!(
        warning
            .contains("submission `accepted/two` cannot be judged: expected files of one language"),
        "{warning}"
    );
}

#[test]
fn missing_accepted_submission_is_a_warning() {
    let tree = Tree::new();
    tree.package("x", "");
    std::fs::remove_dir_all(tree.path("x/submissions")).unwrap();
    assert_eq!(tree.warnings("x").len(), 1);
}

/// The expectations of a submission, in one line each.
fn expected(tree: &Tree, package: &str, id: &str) -> Vec<String> {
    let loaded = tree
        .load(package)
        .unwrap_or_else(|errors| panic!("{errors}"));
    let submission = loaded
        .problem
        .submissions
        .iter()
        .find(|submission| submission.id == id)
        .unwrap();
    let codes = |verdicts: &[Verdict]| {
        verdicts
            .iter()
            .map(|verdict| verdict.code())
            .collect::<Vec<_>>()
            .join(",")
    };
    let warning_lines = submission.expectations.iter().map(|rule| {
        let mut text = format!("{}: {}", rule.origin, codes(&rule.permitted));
        for (what, verdicts) in [("some", &rule.required), ("whole", &rule.whole)] {
            if !verdicts.is_empty() {
                text += &format!(" {what} {}", codes(verdicts));
            }
        }
        rule.scope
            .iter()
            .for_each(|scope| text += &format!(" on {}", scope.join(",")));
        rule.message
            .iter()
            .for_each(|message| text += &format!(" says {message}"));
        rule.time_limit
            .iter()
            .for_each(|side| text += &format!(" {side:?}"));
        text
    });
    warning_lines.collect()
}

fn described(description: &str, submissions: &[&str]) -> Tree {
    let tree = Tree::new();
    tree.package("x", "");
    tree.write("x/submissions/submissions.yaml", description);
    submissions
        .iter()
        .for_each(|id| tree.write(&format!("x/submissions/{id}"), ""));
    tree
}

#[test]
fn descriptions_replace_the_rule_of_a_directory_and_add_others() {
    let text = "wrong_answer:\n  permitted: [AC, WA, TLE]\nwrong_answer/*:\n  permitted: WA\n  message: no\n\
                mine:\n  required: [TLE]\n  use_for_time_limit: lower\n";
    let tree = described(text, &["wrong_answer/w.py", "mine/m.py"]);
    assert_eq!(
        expected(&tree, "x", "wrong_answer/w.py"),
        [
            "`wrong_answer` in submissions.yaml: AC,WA,TLE some WA",
            "`wrong_answer/*` in submissions.yaml: WA says no",
        ]
    );
    assert_eq!(
        expected(&tree, "x", "mine/m.py"),
        ["`mine` in submissions.yaml: AC,WA,TLE,RTE some TLE Lower"]
    );
    assert_eq!(
        expected(&tree, "x", "accepted/good.py"),
        ["directory `accepted`: AC"]
    );
    assert_eq!(tree.warnings("x"), [""; 0]);
}

#[test]
fn rules_for_parts_name_test_cases_and_groups_without_wildcards() {
    let text = "accepted/good.py:\n  sample:\n    permitted: [AC]\n  secret/*{1,3}:\n    required: [AC]\n  \
                \"*\":\n    use_for_time_limit: false\n  secret/9*:\n    required: [AC]\n  secret/01.in:\n    \
                permitted: [AC]\n";
    let tree = described(text, &[]);
    let found = expected(&tree, "x", "accepted/good.py");
    assert_eq!(found[0], "directory `accepted`: AC");
    assert!(
        found[1].starts_with("`accepted/good.py`, `sample` in submissions.yaml: AC on sample"),
        "{found:?}"
    );
    assert_eq!(
        found[2],
        "`accepted/good.py`, `secret/*{1,3}` in submissions.yaml: AC,WA,TLE,RTE some AC on secret/01"
    );
    assert!(
        found[3].ends_with(" Never") && found[3].contains("on s"),
        "{found:?}"
    );
    assert_eq!(found.len(), 4);
    assert_eq!(
        tree.warnings("x"),
        [
            "x/submissions/submissions.yaml:8: the glob `secret/9*` covers no test case: what it requires cannot be \
             met; it is ignored",
            "x/submissions/submissions.yaml:10: the glob `secret/01.in` covers no test case; it is ignored\nhint: \
             test cases are named without `.in`: `secret/01`",
        ]
    );
}

#[test]
fn unmatched_globs_are_reported() {
    let tree = described(
        "good.py:\n  permitted: [AC]\nrejected:\n  permitted: [WA]\naccepted/**:\n",
        &[],
    );
    let warnings = tree.warnings("x");
    let covers_none = "x/submissions/submissions.yaml:1: the glob `good.py` covers no submission\nhint: did you mean \
                       `accepted/good.py`?";
    assert!(warnings.contains(&covers_none.to_owned()), "{warnings:?}");
    assert!(
        warnings
            .iter()
            .any(|w| w.contains(":5: the glob `accepted/**` may not mean")),
        "{warnings:?}"
    );
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

#[test]
fn mistakes_in_submissions_yaml_are_reported_with_their_line() {
    let text = "accepted:\n  permited: [AC]\n  permitted: [AC, MLE, x]\n  required: []\n  score: [2, 1]\n  \
                message: 5\n  use_for_time_limit: maybe\n  language: pyton3\n  model_solution: 1\n  authors: [{mail: \
                x}]\n  sample: {language: c}\npermitted: [AC]\naccepted: {}\n";
    let tree = described(text, &[]);
    let errors = tree.errors("x");
    for (line, part) in [
        (13, "key `accepted` is given twice (first on line 1)"),
        (2, "unknown key `accepted.permited`; expected one of"),
        (
            3,
            "`accepted.permitted[1]`: expected `AC`, `WA`, `TLE` or `RTE`, found the string `MLE`\nhint: in the package",
        ),
        (3, "`accepted.permitted[2]`: expected"),
        (4, "`accepted.required`: expected at least one"),
        (
            5,
            "`accepted.score`: expected the smaller score first, found [2, 1]",
        ),
        (6, "`accepted.message`: expected a string"),
        (
            7,
            "`accepted.use_for_time_limit`: expected `true`, `false`, `lower` or `upper`",
        ),
        (
            8,
            "`accepted.language`: expected the code of a language, such as `cpp`, found the string `pyton3`\nhint: did",
        ),
        (9, "`accepted.model_solution`: expected `true`"),
        (10, "unknown key `accepted.authors[0].mail`"),
        (10, "`accepted.authors[0]`: missing key `name`"),
        (11, "unknown key `accepted.sample.language`"),
        (12, "`permitted`: expected a mapping with keys"),
    ] {
        let start = format!("x/submissions/submissions.yaml:{line}: {part}");
        assert!(
            errors.iter().any(|error| error.starts_with(&start)),
            "{start}\n{errors:#?}"
        );
    }
    assert_eq!(errors.len(), 14, "{errors:#?}");
}

#[test]
fn tabs_and_latin_1_bytes_are_reported_in_submissions_yaml() {
    let tree = described("accepted:\n\tpermitted: [AC]\n", &[]);
    let [error] = &tree.errors("x")[..] else {
        panic!()
    };
    assert!(
        error.ends_with("hint: indent with spaces: YAML has no tabs there"),
        "{error}"
    );
    std::fs::write(
        tree.path("x/submissions/submissions.yaml"),
        b"accepted:\n  authors: Ren\xe9\n",
    )
    .unwrap();
    let [error] = &tree.errors("x")[..] else {
        panic!()
    };
    assert!(
        error.contains(":2: expected UTF-8, found the byte 0xe9, which is `\u{e9}` in Latin-1"),
        "{error}"
    );
    assert!(error.ends_with("hint: save the file as UTF-8"), "{error}");
}

#[test]
fn globs_with_another_meaning_in_yaml_need_quotes() {
    for glob in ["*/good.py", "{a,b}.py"] {
        let tree = described(&format!("{glob}:\n  permitted: [AC]\n"), &[]);
        let [error] = &tree.errors("x")[..] else {
            panic!()
        };
        assert!(
            error.contains(&format!("needs quotes: `\"{glob}\"`")),
            "{error}"
        );
    }
}

#[test]
fn contradictions_are_reported() {
    let tree = described("accepted/*:\n  secret/02:\n    permitted: [WA]\n", &[]);
    let [warning] = &tree.warnings("x")[..] else {
        panic!()
    };
    assert!(
        warning.contains(
            "no verdict on `secret/02` meets all expectations: directory `accepted` permits AC"
        ),
        "{warning}"
    );
    let tree = described("accepted:\n  permitted: [AC]\n  required: [WA]\n", &[]);
    let [warning] = &tree.warnings("x")[..] else {
        panic!()
    };
    assert!(
        warning.contains(":2: `accepted`: WA is in `required`, but not in `permitted`"),
        "{warning}"
    );
}

#[test]
fn the_group_of_all_legacy_test_cases_is_covered() {
    let tree = Tree::new();
    tree.legacy_package("x", "");
    tree.cases("x", &["sample/1", "secret/1"]);
    tree.write("x/submissions/accepted/a.py", "");
    tree.write(
        "x/submissions/submissions.yaml",
        "accepted/*:\n  '{,secret}':\n    permitted: [WA]\n",
    );
    let warnings = tree.warnings("x");
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("no verdict on `sample/")),
        "{warnings:?}"
    );
}

#[test]
fn languages_and_entry_points_are_named() {
    let text = "accepted/dir: {language: python3, entrypoint: b.py}\naccepted/gone: {entrypoint: c.py}\n\
                accepted/a.txt: {language: cobol}\n";
    let files = [
        "accepted/dir/a.py",
        "accepted/dir/b.py",
        "accepted/dir/c.cpp",
        "accepted/a.txt",
    ];
    let tree = described(text, &files);
    let warnings = tree.warnings("x");
    assert!(
        warnings.len() == 1 && warnings[0].contains("`accepted/gone` covers no submission"),
        "{warnings:?}"
    );
    let submissions = tree.load("x").unwrap().problem.submissions;
    assert_eq!(
        submissions[1].sources,
        ["b.py", "a.py"].map(std::path::PathBuf::from)
    );
    assert_eq!(submissions[0].language.as_ref().unwrap().0, "cobol");
    tree.write("x/submissions/accepted/gone/main.py", "");
    let [error] = &tree.errors("x")[..] else {
        panic!()
    };
    let warning_lines = "submissions.yaml:2: `accepted/gone.entrypoint`: submission `accepted/gone`: expected the entry point";
    assert!(error.contains(warning_lines), "{error}");
}

#[test]
fn workspace_descriptions_cover_only_the_workspace() {
    let tree = Tree::with(&[
        ("judge.yaml", ""),
        (
            "solutions/x/submissions.yaml",
            "'*/a.py':\n  permitted: [AC]\n",
        ),
        ("solutions/x/mine/a.py", ""),
    ]);
    tree.package("problems/x", "");
    tree.write("problems/x/submissions/rejected/a.py", "");
    assert_eq!(
        expected(&tree, "problems/x", "mine/a.py"),
        ["`*/a.py` in submissions.yaml: AC"]
    );
    let others = expected(&tree, "problems/x", "rejected/a.py");
    assert!(
        others.len() == 1 && others[0].starts_with("directory `rejected`"),
        "{others:?}"
    );
}

#[test]
fn tags_count_in_legacy_packages_and_without_other_expectations() {
    let tree = Tree::new();
    tree.package("x", "");
    for directory in ["wrong_answer", "odd", "accepted"] {
        tree.write(
            &format!("x/submissions/{directory}/t.py"),
            "# @EXPECTED_RESULTS@: TIMELIMIT, WRONG-ANSWER\n",
        );
    }
    let tag = "tag `@EXPECTED_RESULTS@`: AC,WA,TLE,RTE whole WA,TLE";
    assert_eq!(expected(&tree, "x", "odd/t.py"), [tag]);
    assert_eq!(
        expected(&tree, "x", "wrong_answer/t.py"),
        ["directory `wrong_answer`: AC,WA some WA"]
    );
    assert_eq!(tree.warnings("x"), [""; 0]);

    tree.legacy_package("x", "name: x\n");
    assert_eq!(expected(&tree, "x", "wrong_answer/t.py"), [tag]);
    assert_eq!(expected(&tree, "x", "accepted/t.py"), [tag]);
    let [warning] = &tree.warnings("x")[..] else {
        panic!()
    };
    assert!(warning.starts_with(
        "x/submissions/accepted/t.py: the tag `@EXPECTED_RESULTS@: WA, TLE` contradicts"
    ));
    // A tag that adds nothing to the directory's rule leaves it unchanged.
    tree.write(
        "x/submissions/accepted/t.py",
        "# @EXPECTED_RESULTS@: CORRECT\n",
    );
    assert_eq!(
        expected(&tree, "x", "accepted/t.py"),
        ["directory `accepted`: AC"]
    );
    tree.write(
        "x/submissions/accepted/t.py",
        "# @EXPECTED_RESULTS@: FINE\n# @EXPECTED_SCORE@: 60\n",
    );
    assert_eq!(
        expected(&tree, "x", "accepted/t.py"),
        ["directory `accepted`: AC"]
    );
    let warnings = tree.warnings("x");
    assert!(
        warnings[0].contains("`@EXPECTED_SCORE@: 60` is not checked"),
        "{warnings:?}"
    );
    assert!(
        warnings[1].contains("ignored: `FINE` is not a result"),
        "{warnings:?}"
    );
}

#[test]
fn legacy_directories_expect_an_overall_verdict() {
    let tree = Tree::new();
    tree.legacy_package("x", "name: x\n");
    for id in [
        "wrong_answer/a.py",
        "compiler_error/a.py",
        "mixed/a.py",
        "sl_slow/a.py",
        "slow_accepted/a.py",
    ] {
        tree.write(&format!("x/submissions/{id}"), "");
    }
    assert_eq!(
        expected(&tree, "x", "accepted/good.py"),
        ["directory `accepted`: AC"]
    );
    assert_eq!(
        expected(&tree, "x", "wrong_answer/a.py"),
        ["directory `wrong_answer`: AC,WA,TLE,RTE whole WA"]
    );
    assert_eq!(
        expected(&tree, "x", "compiler_error/a.py"),
        ["directory `compiler_error`: AC,WA,TLE,RTE whole CE"]
    );
    assert_eq!(expected(&tree, "x", "mixed/a.py"), [""; 0]);
    let [warning] = &tree.warnings("x")[..] else {
        panic!()
    };
    assert!(warning.contains("unknown directory `sl_slow`"), "{warning}");
    // A description is read here too, and makes rules about test cases.
    tree.write(
        "x/submissions/submissions.yaml",
        "wrong_answer:\n  required: [WA]\n",
    );
    let found = expected(&tree, "x", "wrong_answer/a.py");
    assert_eq!(
        found,
        ["`wrong_answer` in submissions.yaml: AC,WA,TLE,RTE some WA"]
    );
}

#[test]
fn answer_files_are_matched_to_test_cases() {
    let tree = Tree::new();
    tree.package("x", "type: submit-answer\n");
    tree.write("x/submissions/accepted/one.txt", "");
    for file in ["sample/1.out", "01.ans", "02", "02.out", "more.txt"] {
        tree.write(&format!("x/submissions/wrong_answer/some/{file}"), "");
    }
    tree.make_directory("x/submissions/wrong_answer/none");
    let loaded = tree.load("x").unwrap();
    let answers = |id: &str| -> Vec<(String, std::path::PathBuf)> {
        let submission = loaded
            .problem
            .submissions
            .iter()
            .find(|submission| submission.id == id)
            .unwrap();
        assert!(submission.language.is_none() && submission.sources.is_empty());
        submission.answers.clone().into_iter().collect()
    };
    let file = |path: &str| tree.path(&format!("x/submissions/{path}"));
    let answer = |id: &str, path: &str| (id.to_owned(), file(path));
    let one = "accepted/one.txt";
    assert_eq!(
        answers(one),
        [
            answer("sample/1", one),
            answer("secret/01", one),
            answer("secret/02", one)
        ]
    );
    assert_eq!(
        answers("wrong_answer/some"),
        [
            answer("sample/1", "wrong_answer/some/sample/1.out"),
            answer("secret/01", "wrong_answer/some/01.ans"),
            answer("secret/02", "wrong_answer/some/02"),
        ]
    );
    assert_eq!(answers("wrong_answer/none"), []);
    let warnings = tree.warning_lines(&loaded.warnings);
    for part in [
        "some/02.out: answers the same test case",
        "some/more.txt: answers no test case",
        "none`",
    ] {
        assert!(
            warnings.iter().any(|warning| warning.contains(part)),
            "{part} {warnings:?}"
        );
    }
}

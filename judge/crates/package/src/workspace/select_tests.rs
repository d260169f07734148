//! Tests of selection.

use super::*;
use crate::fixture::Tree;
use crate::load;

/// A workspace with four packages, one of them nested, and solutions for one.
fn workspace() -> Tree {
    let tree = Tree::with(&[
        ("judge.yaml", "problems: [problems]\n"),
        ("solutions/fiveup/wrong_answer/greedy.py", ""),
    ]);
    for package in [
        "problems/fiveup",
        "problems/fivedown",
        "problems/pousse",
        "problems/2024/nested",
        "elsewhere/bare",
    ] {
        tree.package(package, "");
    }
    tree
}

fn selection(tree: &Tree, what: &[&str], cwd: &str) -> Result<Selection, SelectError> {
    let workspace = Workspace::find(&tree.path(cwd)).unwrap();
    let what: Vec<String> = what.iter().map(|word| (*word).to_owned()).collect();
    select(&workspace, &what, &tree.path(cwd))
}

/// The selected packages, each with the ids that its filter selects (`*` for all).
fn selected(tree: &Tree, what: &[&str], cwd: &str) -> Vec<String> {
    let selection = selection(tree, what, cwd).unwrap_or_else(|error| panic!("{error}"));
    let workspace = Workspace::find(&tree.path(cwd)).unwrap();
    let mut reported = Vec::new();
    let mut problems = Vec::new();
    for package in &selection.packages {
        let problem = load(&package.directory, &workspace).unwrap().problem;
        if package.filter.leaves_nothing_of(&problem) {
            // Skip it, as a command does.
        } else if package.filter.is_everything() {
            reported.push(format!("{} *", problem.name));
        } else {
            let cases = problem.test_cases.iter().map(|case| case.id.clone());
            let mut ids: Vec<String> = cases
                .filter(|id| package.filter.matches_test_case(id))
                .collect();
            let submissions = problem
                .submissions
                .iter()
                .map(|submission| submission.id.clone());
            ids.extend(submissions.filter(|id| package.filter.matches_submission(id)));
            reported.push(format!("{} {}", problem.name, ids.join(" ")));
        }
        problems.push(problem);
    }
    selection
        .check(&problems)
        .unwrap_or_else(|error| panic!("{error}"));
    reported
}

const ALL_CASES: &str = "sample/1 secret/01 secret/02";
const ALL_SUBMISSIONS: &str = "accepted/good.py wrong_answer/greedy.py";

#[test]
fn names_paths_and_globs_select_packages() {
    let tree = workspace();
    for (word, expected) in [
        ("fiveup", &["fiveup *"][..]),
        ("nested", &["nested *"]),
        ("2024/nested", &["nested *"]),
        ("2024", &["nested *"]),
        ("2024/n*", &["nested *"]),
        ("five*", &["fivedown *", "fiveup *"]),
        ("{pousse,nested}", &["nested *", "pousse *"]),
        (
            "problems",
            &["nested *", "fivedown *", "fiveup *", "pousse *"],
        ),
        ("problems/five*", &["fivedown *", "fiveup *"]),
        ("problems/fiveup/", &["fiveup *"]),
        ("./problems/../problems/pousse", &["pousse *"]),
        ("problems/fiveup/problem.yaml", &["fiveup *"]),
        ("problems/fiveup/data", &["fiveup *"]),
        ("elsewhere", &["bare *"]),
        (
            "solutions",
            &["nested *", "fivedown *", "fiveup *", "pousse *"],
        ),
    ] {
        assert_eq!(selected(&tree, &[word], ""), expected, "{word}");
    }
}

#[test]
fn test_cases() {
    let tree = workspace();
    let one = [format!("fiveup secret/01 {ALL_SUBMISSIONS}")];
    for word in [
        "fiveup/secret/01",
        "fiveup/secret/01.in",
        "fiveup/secret/*1",
        "fiveup/data/secret/0[1]",
        "problems/fiveup/data/secret/01.in",
        "problems/fiveup/data/secret/01.ans",
        "problems/fiveup/data/secret/*1.in",
        "five*p/secret/01",
    ] {
        assert_eq!(selected(&tree, &[word], ""), one, "{word}");
    }
    let both = [format!("fiveup secret/01 secret/02 {ALL_SUBMISSIONS}")];
    for word in [
        "fiveup/secret",
        "problems/fiveup/data/secret",
        "fiveup/secret/0*",
    ] {
        assert_eq!(selected(&tree, &[word], ""), both, "{word}");
    }
    assert_eq!(
        selected(&tree, &["01.in"], "problems/fiveup/data/secret"),
        one
    );
}

#[test]
fn submissions() {
    let tree = workspace();
    let one = [format!("fiveup {ALL_CASES} wrong_answer/greedy.py")];
    for word in [
        "fiveup/wrong_answer",
        "fiveup/wrong_answer/*",
        "fiveup/submissions/wrong_answer/greedy*",
        "fiveup/*/greedy.py",
        "solutions/fiveup/wrong_answer",
        "solutions/fiveup/wrong_answer/greedy.py",
        "solutions/five*/wrong_answer/*",
    ] {
        assert_eq!(selected(&tree, &[word], ""), one, "{word}");
    }
    let good = [format!("fiveup {ALL_CASES} accepted/good.py")];
    assert_eq!(
        selected(&tree, &["problems/fiveup/submissions/accepted/good.py"], ""),
        good
    );
    // Every file of a submission that is a directory selects the submission.
    tree.write("problems/pousse/submissions/accepted/dir/main.py", "");
    let inner = "problems/pousse/submissions/accepted/dir/main.py";
    assert_eq!(
        selected(&tree, &[inner], ""),
        [format!("pousse {ALL_CASES} accepted/dir")]
    );
}

#[test]
fn problem_name_is_optional_inside_a_package() {
    let in_workspace = workspace();
    let alone = Tree::new();
    alone.package("fiveup", "");
    alone.write("fiveup/submissions/wrong_answer/greedy.py", "");
    let wrong = [format!("fiveup {ALL_CASES} wrong_answer/greedy.py")];
    for (tree, cwd) in [
        (&alone, "fiveup"),
        (&alone, "fiveup/submissions"),
        (&alone, "fiveup/data/secret"),
        (&in_workspace, "problems/fiveup"),
        (&in_workspace, "problems/fiveup/submissions"),
        (&in_workspace, "solutions/fiveup"),
        (&in_workspace, "solutions/fiveup/wrong_answer"),
    ] {
        for word in [
            "wrong_answer/greedy.py",
            "wrong_answer",
            "wrong_answer/*",
            "wrong_answer/gr*",
            "submissions/wrong_answer/greedy.py",
            "greedy.py",
        ] {
            assert_eq!(selected(tree, &[word], cwd), wrong, "{word} in {cwd}");
        }
        for word in ["secret/01", "secret/01.in", "data/secret/01", "secret/*1"] {
            assert_eq!(
                selected(tree, &[word], cwd),
                [format!("fiveup secret/01 {ALL_SUBMISSIONS}")],
                "{word} in {cwd}"
            );
        }
        let all = format!("fiveup sample/1 {ALL_SUBMISSIONS}");
        assert_eq!(selected(tree, &["sample"], cwd), [all], "in {cwd}");
        for (word, hint) in [
            ("wrong_anwser/greedy.py", "wrong_answer/greedy.py"),
            ("secert", "secret"),
            ("gredy.py", "greedy.py"),
        ] {
            let reported = selection(tree, &[word], cwd)
                .map(|_| ())
                .unwrap_err()
                .to_string();
            assert!(
                reported.ends_with(&format!("hint: did you mean `{hint}`?")),
                "{reported}"
            );
        }
    }
    // From elsewhere, by the path of the package or by its name, if that is unambiguous.
    let path = in_workspace
        .path("problems/fiveup/wrong_answer/greedy.py")
        .display()
        .to_string();
    assert_eq!(selected(&in_workspace, &[&path], ""), wrong);
    assert_eq!(selected(&in_workspace, &["fiveup/greedy.py"], ""), wrong);
    // Existing parts have priority over names of problems, and these over missing parts.
    assert_eq!(
        selected(&in_workspace, &["pousse"], "problems/fiveup"),
        ["pousse *"]
    );
    in_workspace.package("problems/secret", "");
    assert_eq!(selected(&in_workspace, &["secret"], ""), ["secret *"]);
    let inside = selected(&in_workspace, &["secret"], "problems/fiveup");
    assert_eq!(
        inside,
        [format!("fiveup secret/01 secret/02 {ALL_SUBMISSIONS}")]
    );
}

#[test]
fn parts_of_a_named_package_are_selected_from_anywhere() {
    let tree = workspace();
    let workspace = Workspace::find(tree.root()).unwrap();
    let ids = |word: &str, cwd: &str| {
        let package = tree.path("problems/fiveup");
        let selection = select_for_problem(&workspace, &package, word, &tree.path(cwd))
            .map_err(|error| error.to_string())?;
        let [of] = selection.packages.as_slice() else {
            panic!("{selection:?}")
        };
        let problem = load(&of.directory, &workspace).unwrap().problem;
        selection
            .check([&problem])
            .map_err(|error| error.to_string())?;
        let ids = problem
            .submissions
            .into_iter()
            .map(|submission| submission.id);
        let ids: Vec<String> = ids.filter(|id| of.filter.matches_submission(id)).collect();
        Ok::<_, String>(format!(
            "{}: {}",
            of.directory.file_name().unwrap().display(),
            ids.join(" ")
        ))
    };
    for cwd in ["", "problems/pousse", "elsewhere"] {
        for word in [
            "wrong_answer/greedy.py",
            "greedy.py",
            "fiveup/wrong_answer",
            "submissions/wrong_answer/greedy.py",
        ] {
            assert_eq!(
                ids(word, cwd).unwrap(),
                "fiveup: wrong_answer/greedy.py",
                "{word} in {cwd}"
            );
        }
        assert_eq!(ids("accepted", cwd).unwrap(), "fiveup: accepted/good.py");
        assert_eq!(
            ids("pousse/accepted", cwd).unwrap(),
            "pousse: accepted/good.py"
        );
        let reported = ids("wrong_answer/gredy.py", cwd).unwrap_err();
        assert!(
            reported.ends_with("did you mean `wrong_answer/greedy.py`?"),
            "{reported}"
        );
    }
}

#[test]
fn several_words_are_combined() {
    let tree = workspace();
    assert_eq!(
        selected(&tree, &["fiveup/sample", "fiveup/accepted"], ""),
        ["fiveup sample/1 accepted/good.py"]
    );
    assert_eq!(
        selected(&tree, &["fiveup/sample", "fiveup"], ""),
        ["fiveup *"]
    );
    assert_eq!(
        selected(&tree, &["pousse", "fiveup", "pousse"], ""),
        ["fiveup *", "pousse *"]
    );
    // A part that only some of several packages have.
    tree.cases("problems/fivedown", &["secret/99"]);
    assert_eq!(
        selected(&tree, &["five*/secret/99"], ""),
        ["fivedown secret/99 accepted/good.py"]
    );
}

#[test]
fn current_directory_is_selected_without_words() {
    let tree = workspace();
    let all = ["nested *", "fivedown *", "fiveup *", "pousse *"];
    for (cwd, expected) in [
        ("", &all[..]),
        ("elsewhere", &all),
        ("problems", &all),
        ("solutions", &all),
        ("problems/2024", &["nested *"]),
        ("problems/pousse", &["pousse *"]),
        ("problems/pousse/statement", &["pousse *"]),
        ("solutions/fiveup", &["fiveup *"]),
    ] {
        tree.make_directory("problems/pousse/statement");
        assert_eq!(selected(&tree, &[], cwd), expected, "{cwd}");
    }
    let narrowed = selected(&tree, &[], "solutions/fiveup/wrong_answer");
    assert_eq!(
        narrowed,
        [format!("fiveup {ALL_CASES} wrong_answer/greedy.py")]
    );
    let narrowed = selected(&tree, &[], "problems/pousse/data/sample");
    assert_eq!(narrowed, ["pousse sample/1 accepted/good.py"]);
}

#[test]
fn unknown_names_are_errors_with_suggestions() {
    let tree = workspace();
    tree.make_directory("solutions/gone");
    let unknown = "names no problem, package, test case or submission\nhint: `judge list` shows the problems, `judge list -v` \
                   their contents";
    for (word, reported) in [
        (
            "fivup",
            "`fivup` names no problem, package, test case or submission\nhint: did you mean `fiveup`?",
        ),
        (
            "problems/fivup",
            "`problems/fivup` names no problem, package, test case or submission\nhint: did you mean `problems/fiveup`?",
        ),
        (
            "fivup/secret/01",
            "`fivup/secret/01` names no problem, package, test case or submission\nhint: did you mean `fiveup/secret/01`?",
        ),
        ("no/such/thing", &format!("`no/such/thing` {unknown}")),
        (
            "–strict",
            "`–strict` names no problem, package, test case or submission\nhint: options begin with two hyphens: `--strict`",
        ),
        ("x*", &format!("`x*` {unknown}")),
        ("", &format!("`` {unknown}")),
        ("solutions/gone", &format!("`solutions/gone` {unknown}")),
        (
            "[",
            "`[` is not a valid pattern: error parsing glob '[': unclosed character class; missing ']'",
        ),
    ] {
        assert_eq!(
            selection(&tree, &[word], "")
                .map(|_| ())
                .unwrap_err()
                .to_string(),
            reported
        );
    }
    assert!(matches!(
        selection(&tree, &[], "solutions/gone"),
        Err(SelectError::NoMatch { .. })
    ));
    // A package whose `problem.yaml` was forgotten.
    tree.make_directory("twice/data/secret");
    tree.make_directory("twice/submissions");
    let error = selection(&tree, &["twice"], "")
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`twice` has the directories of a package, but no `problem.yaml`"),
        "{error}"
    );
    let empty = Tree::new();
    assert!(matches!(
        selection(&empty, &[], ""),
        Err(SelectError::NoPackages { .. })
    ));
    let error = selection(&empty, &["fiveup"], "")
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(error.contains("\nhint: no package in "), "{error}");
    assert!(
        error.ends_with(": change to the workspace, or use -C DIR"),
        "{error}"
    );
    let error = selection(&empty, &["a.cpp"], "")
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("\nhint: there is no file `a.cpp`, and no package in "),
        "{error}"
    );
}

#[test]
fn missing_parts_are_reported_after_loading() {
    let tree = workspace();
    let workspace = Workspace::find(tree.root()).unwrap();
    let problem = load(&tree.path("problems/fiveup"), &workspace)
        .unwrap()
        .problem;
    for (word, reported) in [
        (
            "fiveup/secret/03",
            "`fiveup/secret/03` names no test case\nhint: did you mean `fiveup/secret/01`?",
        ),
        (
            "fiveup/wrong_answers",
            "`fiveup/wrong_answers` names no submission\nhint: did you mean `fiveup/wrong_answer`?",
        ),
        (
            "fiveup/acepted/good.py",
            "`fiveup/acepted/good.py` names no submission\nhint: did you mean `fiveup/accepted/good.py`?",
        ),
        (
            "problems/fiveup/data/sample/nothing",
            "`problems/fiveup/data/sample/nothing` names no test case\nhint: `judge list -v` shows each test case",
        ),
    ] {
        let selection = selection(&tree, &[word], "").unwrap();
        assert_eq!(
            selection.check([&problem]).unwrap_err().to_string(),
            reported
        );
    }
}

#[test]
fn arbitrary_arguments_do_not_panic() {
    use proptest::prelude::*;
    let tree = workspace();
    let word = "(fiveup|problems|solutions|data|secret|01|[*?{}\\[\\]!,\\\\/.é~-]){0,6}";
    proptest!(ProptestConfig::with_cases(64), |(word in word)| {
        // The whole file system is outside of the tree.
        prop_assume!(!word.starts_with('/') && !word.contains(".."));
        let _ = selection(&tree, &[&word], "");
    });
}

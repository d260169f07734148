//! Tests of finding submissions.

use judge_model::Verdict;

use crate::fixture::Tree;

#[test]
fn both_places_in_order_of_ids() {
    let tree = Tree::with(&[
        ("judge.yaml", ""),
        ("solutions/x/wrong_answer/w.py", ""),
        ("solutions/x/accepted/a.rs", ""),
        ("solutions/y/accepted/other.rs", ""),
    ]);
    tree.package("problems/x", "");
    tree.write("problems/x/submissions/accepted/dir/main.cpp", "");
    let loaded = tree.load("problems/x").unwrap();
    assert_eq!(tree.told(&loaded.warnings), [""; 0]);
    let found: Vec<_> = loaded.problem.submissions;
    let ids: Vec<&str> = found.iter().map(|submission| submission.id.as_str()).collect();
    assert_eq!(ids, ["accepted/a.rs", "accepted/dir", "accepted/good.py", "wrong_answer/w.py"]);
    assert_eq!(found[0].path, tree.path("solutions/x/accepted/a.rs"));
    assert_eq!(found[1].sources, [std::path::PathBuf::from("main.cpp")]);
    assert_eq!(found[3].expectations[0].required, [Verdict::WrongAnswer]);
    assert_eq!(found[3].language.as_ref().unwrap().0, "python3");
}

#[test]
fn the_same_id_in_both_places_is_an_error_that_names_both() {
    let tree = Tree::with(&[("judge.yaml", ""), ("solutions/x/accepted/good.py", "")]);
    tree.package("problems/x", "");
    let [error] = &tree.errors("problems/x")[..] else { panic!() };
    assert!(error.starts_with("solutions/x/accepted/good.py: submission `accepted/good.py` is there twice"), "{error}");
    assert!(error.contains("problems/x/submissions/accepted/good.py"), "{error}");
}

#[test]
fn what_is_no_submission_is_told_and_passed_over() {
    let tree = Tree::new();
    tree.package("x", "");
    for file in [
        "loose.py",
        "README.md",
        "wrong_anser/w.py",
        "accepted/a b.py",
        "accepted/.gitkeep",
        "accepted/.hidden.py",
        "accepted/unknown.zig",
    ] {
        tree.write(&format!("x/submissions/{file}"), "");
    }
    let loaded = tree.load("x").unwrap();
    assert_eq!(
        tree.told(&loaded.warnings),
        [
            "x/submissions/loose.py: ignored: a submission lies in a directory such as `accepted`",
            "x/submissions/accepted/a b.py: ignored: its name is not allowed\nhint: names have letters, digits, `_`, \
             `.` and `-`, and start with a letter, a digit or `_`",
            "x/submissions/wrong_anser: unknown directory `wrong_anser`: nothing is expected of the submissions in \
             it\nhint: did you mean `wrong_answer`?",
            "x/submissions/accepted/unknown.zig: submission `accepted/unknown.zig` cannot be judged: no file of a \
             known language",
        ]
    );
    let ids: Vec<_> = loaded.problem.submissions.iter().map(|s| (s.id.as_str(), s.language.is_some())).collect();
    assert_eq!(ids, [("accepted/good.py", true), ("accepted/unknown.zig", false), ("wrong_anser/w.py", true)]);
    assert!(loaded.problem.submissions[2].expectations.is_empty());
}

#[test]
fn several_languages_in_one_submission() {
    let tree = Tree::with(&[("x/submissions/accepted/two/a.py", ""), ("x/submissions/accepted/two/b.rs", "")]);
    tree.package("x", "");
    assert_eq!(
        tree.errors("x"),
        ["x/submissions/accepted/two: submission: expected files of one language, found `a.py` (python3) and `b.rs` \
          (rust)"]
    );
    tree.legacy_package("x", "name: x\n");
    let [warning] = &tree.warnings("x")[..] else { panic!() };
    assert!(
        warning.contains("submission `accepted/two` cannot be judged: expected files of one language"),
        "{warning}"
    );
}

#[test]
fn expectations_in_a_file_are_not_passed_over() {
    let tree = Tree::with(&[("x/submissions/submissions.yaml", "# nothing\n")]);
    tree.package("x", "");
    assert!(tree.load("x").is_ok());
    tree.write("x/submissions/submissions.yaml", "\naccepted/*:\n  model_solution: true\n");
    assert_eq!(
        tree.errors("x"),
        ["x/submissions/submissions.yaml:2: not supported yet: expectations in `submissions.yaml`"]
    );
}

#[test]
fn nothing_accepted_is_doubtful() {
    let tree = Tree::new();
    tree.package("x", "");
    std::fs::remove_dir_all(tree.path("x/submissions")).unwrap();
    assert_eq!(tree.warnings("x").len(), 1);
}

//! The selection by words on the command line, from any directory.

use std::collections::BTreeSet;
use std::path::Path;

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace};

/// Two problems, `sum` and `summit`, with two correct and two wrong submissions each.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    for problem in ["sum", "summit"] {
        workspace.sum(problem);
        workspace.write(&format!("solutions/{problem}/accepted/sum.c"), SUM);
        workspace.write(
            &format!("solutions/{problem}/wrong_answer/one.c"),
            SUM_PLUS_ONE,
        );
        workspace.write(
            &format!("solutions/{problem}/wrong_answer/two.c"),
            SUM_PLUS_ONE,
        );
        workspace.write(
            &format!("problems/{problem}/submissions/accepted/own.c"),
            SUM,
        );
    }
    Some(workspace)
}

/// The parts that were run: problems, submissions with their problem, test cases with their
/// problem.
#[derive(Debug, PartialEq, Eq)]
struct JudgedParts {
    problems: Vec<String>,
    submissions: Vec<String>,
    test_cases: Vec<String>,
}

fn judged_parts(output: &CommandOutput) -> JudgedParts {
    let problems = output.state().problems;
    let with_problem = |selected: fn(&judge_event::ProblemStarted) -> &Vec<String>| {
        let ids = problems.iter().flat_map(|problem| {
            selected(&problem.started)
                .iter()
                .map(|id| format!("{}/{id}", problem.started.problem))
                .collect::<Vec<_>>()
        });
        ids.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    JudgedParts {
        problems: problems
            .iter()
            .map(|problem| problem.started.problem.clone())
            .collect(),
        submissions: with_problem(|started| &started.submissions),
        test_cases: with_problem(|started| &started.test_cases),
    }
}

/// Runs with these words, in this directory of the workspace.
fn run_in(workspace: &Workspace, directory: &str, words: &[&str]) -> JudgedParts {
    let mut command = workspace.command([&["run", "--report=json"], words].concat());
    judged_parts(
        &CommandOutput::from_command(command.current_dir(workspace.path(directory))).exits(0),
    )
}

const SUBMISSIONS: [&str; 4] = [
    "accepted/own.c",
    "accepted/sum.c",
    "wrong_answer/one.c",
    "wrong_answer/two.c",
];
const TEST_CASES: [&str; 3] = ["sample/1", "secret/01", "secret/02-large"];

fn expected(problems: &[&str], submissions: &[&str], test_cases: &[&str]) -> JudgedParts {
    let below = |ids: &[&str]| {
        problems
            .iter()
            .flat_map(|problem| ids.iter().map(move |id| format!("{problem}/{id}")))
            .collect()
    };
    JudgedParts {
        problems: problems.iter().map(ToString::to_string).collect(),
        submissions: below(submissions),
        test_cases: below(test_cases),
    }
}

#[test]
fn problems_are_named_by_name_path_and_glob() {
    let Some(workspace) = workspace() else { return };
    let sum = expected(&["sum"], &SUBMISSIONS, &TEST_CASES);
    let both = expected(&["sum", "summit"], &SUBMISSIONS, &TEST_CASES);
    let absolute = workspace.path("problems/sum").display().to_string();
    for words in [
        &["sum"][..],
        &["problems/sum"],
        &["./problems/sum/"],
        &[&absolute],
        &["solutions/sum"],
        &["su?"],
    ] {
        assert_eq!(run_in(&workspace, ".", words), sum, "{words:?}");
    }
    for words in [
        &[][..],
        &["problems"],
        &["su*"],
        &["summit", "sum"],
        &["*"],
        &["sum", "sum*"],
    ] {
        assert_eq!(run_in(&workspace, ".", words), both, "{words:?}");
    }
}

#[test]
fn parts_of_problems_are_named_by_globs_and_paths() {
    let Some(workspace) = workspace() else { return };
    let wrong = ["wrong_answer/one.c", "wrong_answer/two.c"];
    for (words, expected) in [
        (
            &["sum/secret/0*"][..],
            expected(&["sum"], &SUBMISSIONS, &["secret/01", "secret/02-large"]),
        ),
        (
            &["sum/secret/02-*"],
            expected(&["sum"], &SUBMISSIONS, &["secret/02-large"]),
        ),
        (
            &["problems/sum/data/secret/01.in"],
            expected(&["sum"], &SUBMISSIONS, &["secret/01"]),
        ),
        (
            &["problems/sum/data/secret"],
            expected(&["sum"], &SUBMISSIONS, &["secret/01", "secret/02-large"]),
        ),
        (
            &["sum/wrong_answer/*"],
            expected(&["sum"], &wrong, &TEST_CASES),
        ),
        (
            &["*/wrong_answer"],
            expected(&["sum", "summit"], &wrong, &TEST_CASES),
        ),
        (
            &["solutions/sum/wrong_answer/two.c"],
            expected(&["sum"], &wrong[1..], &TEST_CASES),
        ),
        (
            &["problems/sum/submissions/accepted/own.c"],
            expected(&["sum"], &["accepted/own.c"], &TEST_CASES),
        ),
        (
            &["sum/secret/01", "sum/accepted/sum.c"],
            expected(&["sum"], &["accepted/sum.c"], &["secret/01"]),
        ),
    ] {
        assert_eq!(run_in(&workspace, ".", words), expected, "{words:?}");
    }
}

#[test]
fn the_current_directory_completes_the_selection() {
    let Some(workspace) = workspace() else { return };
    let both = expected(&["sum", "summit"], &SUBMISSIONS, &TEST_CASES);
    let summit = expected(&["summit"], &SUBMISSIONS, &TEST_CASES);
    assert_eq!(run_in(&workspace, "problems", &[]), both);
    assert_eq!(run_in(&workspace, "problems/summit", &[]), summit);
    assert_eq!(run_in(&workspace, "solutions/summit", &[]), summit);
    assert_eq!(
        run_in(&workspace, "problems/summit/data/secret", &[]),
        expected(&["summit"], &SUBMISSIONS, &["secret/01", "secret/02-large"])
    );
    assert_eq!(
        run_in(&workspace, "solutions/sum/wrong_answer", &["two.c"]),
        expected(&["sum"], &["wrong_answer/two.c"], &TEST_CASES)
    );
    // Names are valid everywhere in the workspace.
    assert_eq!(run_in(&workspace, "problems/sum", &["summit"]), summit);
}

#[test]
fn c_changes_the_current_directory() {
    let Some(workspace) = workspace() else { return };
    let root = workspace.root();
    let from_outside = |directory: &Path, word: &[&str]| {
        let mut command = workspace.command(["run", "--report=json", "-C"]);
        judged_parts(
            &CommandOutput::from_command(command.arg(directory).args(word).current_dir("/"))
                .exits(0),
        )
    };
    assert_eq!(
        from_outside(&root, &["sum"]),
        expected(&["sum"], &SUBMISSIONS, &TEST_CASES)
    );
    assert_eq!(
        from_outside(&root.join("problems/summit"), &[]),
        expected(&["summit"], &SUBMISSIONS, &TEST_CASES)
    );
    let missing = workspace.judge(["run", "-C", "nowhere"]).exits(2);
    missing.stderr_has(&["cannot enter `nowhere`"]);
}

#[test]
fn unknown_names_are_reported_with_the_nearest_name() {
    let Some(workspace) = workspace() else { return };
    for (words, complaint) in [
        (
            &["smu"][..],
            &["`smu` names no problem", "hint: did you mean `sum`?"][..],
        ),
        (
            &["sum", "accepted/*"][..],
            &[
                "`accepted/*` names no problem",
                "hint: did you mean `sum/accepted/*`?",
            ][..],
        ),
        (&["sum/secret/9*"], &["`sum/secret/9*` names no test case"]),
        (
            &["sum/wrong_answer/three.c"],
            &["`sum/wrong_answer/three.c` names no submission"],
        ),
        (
            &["sum", "nothing-at-all"],
            &["`nothing-at-all` names no problem"],
        ),
    ] {
        let output = workspace.judge([&["run"], words].concat()).exits(5);
        output.stderr_has(&["error: "]).stderr_has(complaint);
        assert_eq!(
            output.stdout, "",
            "nothing is judged when a word names nothing"
        );
    }
    let output = workspace.judge(["run", "sum/[1"]).exits(2);
    output.stderr_has(&["`sum/[1` is not a valid pattern"]);
}

#[test]
fn empty_workspaces_are_an_error() {
    let workspace = Workspace::new();
    let output = workspace.judge(["run"]).exits(5);
    output.stderr_has(&[
        "no problem package in",
        "hint: a package is a directory with a `problem.yaml`",
    ]);
    workspace.sum("sum");
    workspace.judge(["run"]).exits(5).stderr_has(&[
        "no submissions for sum; searched `problems/sum/submissions` and `solutions/sum`",
    ]);
}

#[test]
fn mistyped_expectation_directories_have_a_hint() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "problems/sum/submissions/wrong-answer/zero.c",
        "int main(void) { return 0; }\n",
    );
    let run = workspace.judge(["run"]).exits(1);
    run.stdout_has(&[
        "unknown directory `wrong-answer`",
        "hint: did you mean `wrong_answer`?",
    ]);
}

/// The directories from which the words of one problem are tried, each with the prefix of paths to
/// the problem.
const PLACES: [(&str, &str); 6] = [
    ("work", "problems/sum/"),
    ("work/problems/sum", ""),
    ("work/problems/sum/submissions", ""),
    ("alone/sum", ""),
    ("alone/sum/submissions", ""),
    // From other directories, the path determines the workspace.
    ("other", "../work/problems/sum/"),
];

/// The same package twice, in a workspace and alone, and an empty directory.
fn packages() -> Option<Workspace> {
    let workspace = workspace()?;
    for (path, bytes) in workspace.files("problems/sum") {
        let path = path
            .strip_prefix(workspace.path("problems/sum"))
            .unwrap()
            .display()
            .to_string();
        workspace.write(&format!("work/problems/sum/{path}"), &bytes);
        workspace.write(&format!("alone/sum/{path}"), &bytes);
    }
    for package in ["work/problems/sum", "alone/sum"] {
        workspace.write(
            &format!("{package}/submissions/wrong_answer/one.c"),
            SUM_PLUS_ONE,
        );
        workspace.write(
            &format!("{package}/input_validators/v.ctd"),
            "INT(0,9999) SPACE INT(0,9999) NEWLINE EOF\n",
        );
        workspace.write(&format!("{package}/statement/problem.en.md"), "Add.\n");
        workspace.write(
            &format!("{package}/generators/generators.yaml"),
            "data: {}\n",
        );
    }
    workspace.write("work/judge.yaml", "jobs: 2\n");
    workspace.write("work/solutions/sum/wrong_answer/two.c", SUM_PLUS_ONE);
    workspace.write("other/empty", "");
    std::fs::remove_dir_all(workspace.path("problems")).unwrap();
    std::fs::remove_dir_all(workspace.path("solutions")).unwrap();
    workspace.remove("judge.yaml");
    Some(workspace)
}

fn in_place(workspace: &Workspace, place: &str, command: &[&str]) -> CommandOutput {
    CommandOutput::from_command(
        workspace
            .command_keeping(command)
            .current_dir(workspace.path(place)),
    )
}

#[test]
fn arguments_select_the_same_in_every_command() {
    let Some(workspace) = packages() else { return };
    for (place, prefix) in PLACES {
        let (mut all, mut wrong) = (vec!["accepted/own.c"], vec!["wrong_answer/one.c"]);
        if !place.starts_with("alone") {
            // Submissions of the workspace are found from every directory.
            wrong.push("wrong_answer/two.c");
        }
        all.extend(&wrong);
        let one = &wrong[..1];
        let cases = &TEST_CASES[..];
        for (word, submissions, test_cases) in [
            ("wrong_answer/one.c", one, cases),
            ("submissions/wrong_answer/one.c", one, cases),
            ("one.c", one, cases),
            ("wrong_answer", &wrong, cases),
            ("wrong_answer/*", &wrong, cases),
            ("wrong_answer/o*", one, cases),
            ("secret/01", &all, &cases[1..2]),
            ("data/secret/01.in", &all, &cases[1..2]),
            ("secret", &all, &cases[1..]),
            ("secret/0*", &all, &cases[1..]),
        ] {
            let word = format!("{prefix}{word}");
            let output = in_place(&workspace, place, &["run", "--report=json", &word]).exits(0);
            assert_eq!(
                judged_parts(&output),
                expected(&["sum"], submissions, test_cases),
                "`{word}` in {place}"
            );
        }
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
#[expect(clippy::too_many_lines, reason = "a list of commands")]
fn every_command_accepts_arguments_from_any_directory() {
    let Some(workspace) = packages() else { return };
    let root = workspace.root().display().to_string();
    workspace.write("mine.in", "7 8\n");
    for (place, prefix) in PLACES {
        let path = |word: &str| format!("{prefix}{word}");
        let (wrong, right, case) = (
            path("wrong_answer/one.c"),
            path("accepted/own.c"),
            path("secret/01"),
        );
        let (problem, mine) = (
            if prefix.is_empty() { "../sum" } else { prefix },
            format!("{root}/mine.in"),
        );
        let problem = if place.ends_with("submissions") {
            "../../sum"
        } else {
            problem
        };
        let program = if place.starts_with("alone") {
            "alone/sum"
        } else {
            "work/problems/sum"
        };
        let program = format!("{root}/{program}/submissions/accepted/own.c");
        let commands: [(&[&str], i32); 14] = [
            (&["run", &wrong], 0),
            (&["list", &wrong], 0),
            (&["run", "--matrix", &case], 0),
            (&["check", "--static", &case], 0),
            (&["check", "--data", &case], 0),
            (&["verify", &wrong, &right], 0),
            (&["generate", "--check", problem], 1),
            (&["statement", &case], 0),
            (&["submit", "-p", problem, &program], 0),
            (
                &[
                    "stress", &wrong, "--seed", "1", "--inputs", "99", "--shrink", "0",
                ],
                1,
            ),
            (
                &[
                    "stress",
                    "-p",
                    problem,
                    "wrong_answer/one.c",
                    "--seed",
                    "1",
                    "--inputs",
                    "99",
                    "--shrink",
                    "0",
                ],
                1,
            ),
            (&["compare", &right, &wrong, "--budget", "0.1"], 1),
            (
                &[
                    "compare",
                    "-p",
                    problem,
                    "accepted/own.c",
                    "one.c",
                    "--budget",
                    "0.1",
                ],
                1,
            ),
            (
                &[
                    "add",
                    &mine,
                    "-p",
                    problem,
                    "--dry-run",
                    "--require-kill",
                    "wrong_answer/one.c",
                ],
                0,
            ),
        ];
        for (command, code) in commands {
            let output = in_place(&workspace, place, command);
            assert_eq!(
                output.code,
                Some(code),
                "{command:?} in {place}: {output:?}"
            );
        }
        let output = in_place(&workspace, place, &["mutate", &wrong]).exits(5);
        output
            .stderr_has(&["no accepted solution in Rust, C++, C, Java or Python in the selection"]);
        // A typing error has the same text everywhere.
        let typed = path("wrong_anwser/one.c");
        for command in [
            &["run", &typed][..],
            &["run", "--matrix", &typed],
            &["mutate", &typed],
            &["compare", &right, &typed],
        ] {
            let output = in_place(&workspace, place, command).exits(5);
            output.stderr_has(&[&format!("`{typed}` names no "), "hint: "]);
        }
    }
}

#[test]
fn problems_of_two_workspaces_have_distinct_names() {
    let Some(workspace) = packages() else { return };
    workspace.write("second/judge.yaml", "");
    workspace.write("second/sum/problem.yaml", "");
    let command = ["run", "../work/problems/sum", "../second/sum"];
    in_place(&workspace, "other", &command)
        .exits(2)
        .stderr_has(&["lie in different workspaces", "hint: "]);
    let output = in_place(
        &workspace,
        "second",
        &["run", "sum", "../work/problems/sum"],
    )
    .exits(2);
    output.stderr_has(&["`../work/problems/sum` and `sum` lie in different workspaces"]);
}

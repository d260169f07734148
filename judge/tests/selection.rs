//! What the words on the command line select, seen from where the command is started.

use std::collections::BTreeSet;
use std::path::Path;

use crate::workspace::{SUM, SUM_PLUS_ONE, Said, Workspace};

/// Two problems, `sum` and `summit`, with two right and two wrong submissions each.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    for problem in ["sum", "summit"] {
        workspace.sum(problem);
        workspace.write(&format!("solutions/{problem}/accepted/sum.c"), SUM);
        workspace.write(&format!("solutions/{problem}/wrong_answer/one.c"), SUM_PLUS_ONE);
        workspace.write(&format!("solutions/{problem}/wrong_answer/two.c"), SUM_PLUS_ONE);
        workspace.write(&format!("problems/{problem}/submissions/accepted/own.c"), SUM);
    }
    Some(workspace)
}

/// What was judged: problems, submissions with their problem, test cases with their problem.
#[derive(Debug, PartialEq, Eq)]
struct Judged {
    problems: Vec<String>,
    submissions: Vec<String>,
    test_cases: Vec<String>,
}

fn judged(said: &Said) -> Judged {
    let problems = said.state().problems;
    let with_problem = |of: fn(&judge_event::ProblemStarted) -> &Vec<String>| {
        let ids = problems.iter().flat_map(|problem| {
            of(&problem.started).iter().map(|id| format!("{}/{id}", problem.started.problem)).collect::<Vec<_>>()
        });
        ids.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    Judged {
        problems: problems.iter().map(|problem| problem.started.problem.clone()).collect(),
        submissions: with_problem(|started| &started.submissions),
        test_cases: with_problem(|started| &started.test_cases),
    }
}

/// Runs with these words, in this directory of the workspace.
fn run_in(workspace: &Workspace, directory: &str, words: &[&str]) -> Judged {
    let mut command = workspace.command([&["run", "--json"], words].concat());
    judged(&Said::of(command.current_dir(workspace.path(directory))).exits(0))
}

const SUBMISSIONS: [&str; 4] = ["accepted/own.c", "accepted/sum.c", "wrong_answer/one.c", "wrong_answer/two.c"];
const TEST_CASES: [&str; 3] = ["sample/1", "secret/01", "secret/02-large"];

fn expected(problems: &[&str], submissions: &[&str], test_cases: &[&str]) -> Judged {
    let below = |ids: &[&str]| {
        problems.iter().flat_map(|problem| ids.iter().map(move |id| format!("{problem}/{id}"))).collect()
    };
    Judged {
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
    for words in [&["sum"][..], &["problems/sum"], &["./problems/sum/"], &[&absolute], &["solutions/sum"], &["su?"]] {
        assert_eq!(run_in(&workspace, ".", words), sum, "{words:?}");
    }
    for words in [&[][..], &["problems"], &["su*"], &["summit", "sum"], &["*"], &["sum", "sum*"]] {
        assert_eq!(run_in(&workspace, ".", words), both, "{words:?}");
    }
}

#[test]
fn parts_of_problems_are_named_by_globs_and_paths() {
    let Some(workspace) = workspace() else { return };
    let wrong = ["wrong_answer/one.c", "wrong_answer/two.c"];
    for (words, wanted) in [
        (&["sum/secret/0*"][..], expected(&["sum"], &SUBMISSIONS, &["secret/01", "secret/02-large"])),
        (&["sum/secret/02-*"], expected(&["sum"], &SUBMISSIONS, &["secret/02-large"])),
        (&["problems/sum/data/secret/01.in"], expected(&["sum"], &SUBMISSIONS, &["secret/01"])),
        (&["problems/sum/data/secret"], expected(&["sum"], &SUBMISSIONS, &["secret/01", "secret/02-large"])),
        (&["sum/wrong_answer/*"], expected(&["sum"], &wrong, &TEST_CASES)),
        (&["*/wrong_answer"], expected(&["sum", "summit"], &wrong, &TEST_CASES)),
        (&["solutions/sum/wrong_answer/two.c"], expected(&["sum"], &wrong[1..], &TEST_CASES)),
        (&["problems/sum/submissions/accepted/own.c"], expected(&["sum"], &["accepted/own.c"], &TEST_CASES)),
        (&["sum/secret/01", "sum/accepted/sum.c"], expected(&["sum"], &["accepted/sum.c"], &["secret/01"])),
    ] {
        assert_eq!(run_in(&workspace, ".", words), wanted, "{words:?}");
    }
}

#[test]
fn the_current_directory_gives_what_is_not_named() {
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
    // Names are known everywhere in the workspace.
    assert_eq!(run_in(&workspace, "problems/sum", &["summit"]), summit);
}

#[test]
fn c_is_like_starting_there() {
    let Some(workspace) = workspace() else { return };
    let root = workspace.root();
    let from_outside = |directory: &Path, word: &[&str]| {
        let mut command = workspace.command(["run", "--json", "-C"]);
        judged(&Said::of(command.arg(directory).args(word).current_dir("/")).exits(0))
    };
    assert_eq!(from_outside(&root, &["sum"]), expected(&["sum"], &SUBMISSIONS, &TEST_CASES));
    assert_eq!(from_outside(&root.join("problems/summit"), &[]), expected(&["summit"], &SUBMISSIONS, &TEST_CASES));
    let missing = workspace.judge(["run", "-C", "nowhere"]).exits(2);
    missing.complains(&["cannot enter `nowhere`"]);
}

#[test]
fn what_names_nothing_is_told_with_the_nearest_name() {
    let Some(workspace) = workspace() else { return };
    for (words, complaint) in [
        (&["smu"][..], &["`smu` names no problem", "hint: did you mean `sum`?"][..]),
        (&["sum/secret/9*"], &["`sum/secret/9*` names no test case"]),
        (&["sum/wrong_answer/three.c"], &["`sum/wrong_answer/three.c` names no submission"]),
        (&["sum", "nothing-at-all"], &["`nothing-at-all` names no problem"]),
    ] {
        let said = workspace.judge([&["run"], words].concat()).exits(5);
        said.complains(&["error: "]).complains(complaint);
        assert_eq!(said.stdout, "", "nothing is judged when a word names nothing");
    }
    let said = workspace.judge(["run", "sum/[1"]).exits(2);
    said.complains(&["`sum/[1` is no valid pattern"]);
}

#[test]
fn where_nothing_is_there_is_nothing_to_select() {
    let workspace = Workspace::new();
    let said = workspace.judge(["run"]).exits(5);
    said.complains(&["no problem package in", "hint: a package is a directory with a `problem.yaml`"]);
    workspace.sum("sum");
    workspace.judge(["run"]).exits(5).complains(&["there is no submission for sum"]);
}

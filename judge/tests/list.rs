//! `judge list`: problems, test cases and submissions, without judging them.

use crate::workspace::{SUM, SUM_PLUS_ONE, Workspace};

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    for problem in ["sum", "summit"] {
        workspace.sum(problem);
        workspace.write(&format!("solutions/{problem}/accepted/sum.c"), SUM);
    }
    workspace.write("problems/sum/submissions/wrong_answer/more.c", SUM_PLUS_ONE);
    workspace
}

#[test]
fn a_line_for_each_problem() {
    let output = workspace().judge(["list"]).exits(0);
    output.stdout_has(&[
        "sum ",
        "The Problem sum",
        "3 test cases",
        "2 submissions",
        "4 s",
        "256 MiB",
        "summit",
    ]);
    output
        .stdout_has(&["2 problems · 6 test cases · 3 submissions"])
        .stdout_lacks(&["secret/01"]);
    assert_eq!(
        (output.stdout.lines().count(), output.stderr.as_str()),
        (3, "")
    );
}

#[test]
fn quiet_prints_only_names() {
    assert_eq!(
        workspace().judge(["list", "-q"]).exits(0).stdout,
        "sum\nsummit\n"
    );
}

#[test]
fn verbose_shows_test_cases_submissions_and_expectations() {
    let output = workspace().judge(["list", "-v", "sum"]).exits(0);
    output.stdout_has(&[
        "sample/1",
        "secret/01",
        "secret/02-large",
        "accepted/sum.c",
        "c",
        "AC",
    ]);
    output
        .stdout_has(&["wrong_answer/more.c", "AC WA, at least one WA", "1 problem"])
        .stdout_lacks(&["summit"]);
}

#[test]
fn json_has_the_same_content() {
    let output = workspace().judge(["list", "--report=json"]).exits(0);
    let listing: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let problems = listing["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 2);
    let sum = &problems[0];
    assert_eq!(
        (sum["problem"].as_str(), sum["path"].as_str()),
        (Some("sum"), Some("problems/sum"))
    );
    assert_eq!(
        (sum["time_limit_us"].as_u64(), sum["memory_bytes"].as_u64()),
        (Some(4_000_000), Some(256 << 20))
    );
    assert_eq!(
        sum["test_cases"],
        serde_json::json!(["sample/1", "secret/01", "secret/02-large"])
    );
    let submission = &sum["submissions"][1];
    assert_eq!(submission["submission"], "wrong_answer/more.c");
    assert_eq!(
        submission["path"],
        "problems/sum/submissions/wrong_answer/more.c"
    );
    assert_eq!(submission["language"], "c");
    assert_eq!(
        submission["expectations"][0]["required"],
        serde_json::json!(["WA"])
    );
}

#[test]
fn a_selection_narrows_the_listing() {
    let workspace = workspace();
    let listing = |words: &[&str]| -> serde_json::Value {
        let output = workspace
            .judge([&["list", "--report=json"], words].concat())
            .exits(0);
        serde_json::from_str(&output.stdout).unwrap()
    };
    let part = listing(&["sum/secret/0*"]);
    assert_eq!(
        part["problems"][0]["test_cases"],
        serde_json::json!(["secret/01", "secret/02-large"])
    );
    assert_eq!(
        listing(&["sum/wrong_answer"])["problems"][0]["submissions"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    workspace
        .judge(["list", "smu"])
        .exits(5)
        .stderr_has(&["hint: did you mean `sum`?"]);
}

#[test]
fn workspaces_are_found_from_subdirectories() {
    let workspace = workspace();
    let mut command = workspace.command(["list", "-q"]);
    let below = crate::workspace::CommandOutput::from_command(
        command.current_dir(workspace.path("problems/sum/data")),
    )
    .exits(0);
    assert_eq!(below.stdout, "sum\n");
    workspace.remove("judge.yaml");
    assert_eq!(
        workspace.judge(["list", "-q"]).exits(0).stdout,
        "sum\nsummit\n"
    );
}

#[test]
fn clones_below_a_directory_without_a_workspace_are_skipped() {
    let workspace = workspace();
    workspace.remove("judge.yaml");
    workspace.write("clone/broken/problem.yaml", "nonsense: [\n");
    std::fs::create_dir(workspace.path("clone/.git")).unwrap();
    let output = workspace.judge(["list", "-q"]).exits(0);
    assert_eq!(output.stdout, "sum\nsummit\n");
    output.stderr_has(&[
        "the Git repository `",
        "clone` was not searched: name it to search it",
    ]);
    workspace
        .judge(["list", "clone"])
        .exits(3)
        .stderr_has(&["clone/broken/problem.yaml"]);
    workspace.write("judge.yaml", "problems: [.]\n");
    workspace
        .judge(["list"])
        .exits(3)
        .stderr_has(&["clone/broken/problem.yaml"]);
}

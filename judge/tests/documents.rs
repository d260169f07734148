//! Documents of commands on standard output and in files: when they are written, and which places
//! are refused.

use std::fs;

use serde_json::Value;

use crate::workspace::{SUM, Workspace};

/// Two problems of the legacy format.
fn legacy() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    for name in ["first", "second"] {
        workspace.write(
            &format!("problems/{name}/problem.yaml"),
            "name: Sum\nvalidation: default\n",
        );
        workspace.write(&format!("problems/{name}/.timelimit"), "4\n");
        workspace.write(
            &format!("problems/{name}/input_validators/v.ctd"),
            "INT(0,9) SPACE INT(0,9) NEWLINE EOF\n",
        );
        workspace.write(
            &format!("problems/{name}/problem_statement/problem.en.tex"),
            "Add two numbers.\n",
        );
        workspace.case(name, "secret/1", "1 2\n", "3\n");
        workspace.write(&format!("problems/{name}/submissions/accepted/sum.c"), SUM);
    }
    Some(workspace)
}

fn documents(workspace: &Workspace, path: &str) -> Vec<Value> {
    let text = fs::read_to_string(workspace.path(path)).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn packages_upgraded_before_a_failure_are_in_the_document() {
    let Some(workspace) = legacy() else { return };
    workspace.write("problems/second/problem.yaml", "name: [\n");
    let upgrade = ["upgrade", "--write", "--report", "json=upgrade.json"];
    let output = workspace.judge(upgrade).exits(3);
    output
        .stdout_has(&["first", "written"])
        .stderr_has(&["second/problem.yaml"]);
    let found = documents(&workspace, "upgrade.json");
    let [document] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(
        (&document["problem"], &document["written"]),
        (&Value::from("first"), &Value::from(true))
    );
    // On standard output too.
    workspace.write("problems/first/problem.yaml", "name: Sum\n");
    let document: Value =
        serde_json::from_str(&workspace.judge(["upgrade", "--json"]).exits(3).stdout).unwrap();
    assert_eq!(document["problem"], "first");
    // A failure before the first package leaves the file as it was.
    workspace.write("problems/first/problem.yaml", "name: [\n");
    workspace.judge(upgrade).exits(3);
    assert_eq!(documents(&workspace, "upgrade.json"), found);
}

#[test]
fn problems_packed_before_a_failure_are_in_the_document() {
    let Some(workspace) = legacy() else { return };
    for name in ["first", "second"] {
        workspace.case(name, "sample/1", "1 2\n", "3\n");
    }
    let pack = [
        "pack",
        "first",
        "second",
        "--for",
        "plain",
        "--report",
        "json=pack.json",
        "--output",
        "out/",
    ];
    let output = workspace
        .judge(
            pack.into_iter()
                .chain(["--samples", "judge.yaml/samples.zip"]),
        )
        .exits(4);
    output.stderr_has(&["cannot write"]);
    assert!(
        workspace.path("out/first.zip").is_file() && workspace.path("out/second.zip").is_file()
    );
    let found = documents(&workspace, "pack.json");
    let written: Vec<_> = found
        .iter()
        .map(|entry| (entry["problem"].as_str(), entry["written"].as_bool()))
        .collect();
    assert_eq!(
        written,
        [(Some("first"), Some(true)), (Some("second"), Some(true))]
    );
}

/// Test files in one directory, which `judge import` recognizes as a problem.
fn foreign() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.write("tests/1.in", "1\n");
    workspace.write("tests/1.out", "1\n");
    Some(workspace)
}

#[test]
fn unwritable_reports_stop_an_import() {
    let Some(workspace) = foreign() else { return };
    let output = workspace
        .judge([
            "import",
            "tests",
            "--name",
            "sum",
            "--report",
            "json=nowhere/x",
        ])
        .exits(4);
    output.stderr_has(&["cannot write", "nowhere/x"]);
    assert!(!workspace.path("problems/sum").exists());
}

#[test]
fn imports_with_a_report_file_are_verified() {
    let Some(workspace) = foreign() else { return };
    let import = ["import", "tests", "--name", "sum", "--prove"];
    let both = workspace
        .judge(import.into_iter().chain(["--json"]))
        .exits(2);
    both.stderr_has(&[
        "`--report` and `--prove` both write to standard output",
        "hint:",
    ]);
    assert!(!workspace.path("problems/sum").exists());
    let output = workspace.judge(import.into_iter().chain(["--report", "json=import.json"]));
    assert_ne!(output.code, Some(2), "{output:?}");
    output.stdout_has(&["problems/sum", "1 problem"]);
    assert_eq!(documents(&workspace, "import.json")[0]["written"], true);
}

#[test]
fn two_reports_do_not_share_a_file() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("old", "mine");
    for (command, other) in [
        ("compare", "html=./old"),
        ("compare", "markdown=old"),
        ("mutate", "html=old"),
    ] {
        let args = [
            command,
            "sum/accepted/sum.c",
            "sum/accepted/sum.c",
            "--report",
            "json=old",
            "--report",
            other,
        ];
        workspace
            .judge(args)
            .exits(2)
            .stderr_has(&["old`; expected a file for each"]);
    }
    assert_eq!(fs::read(workspace.path("old")).unwrap(), b"mine");
    // The same report twice is written once.
    workspace
        .judge(["list", "--report", "json=new", "--report", "json=./new"])
        .exits(0);
    assert_eq!(documents(&workspace, "new").len(), 1);
}

//! Faults of packages and of the configuration: each has an exit code, a place and a hint, and none
//! looks like a verdict.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use judge_event::Event;
use judge_model::Verdict;

use crate::workspace::{SUM, Workspace, skipped};

/// `sum`, which is valid, and a broken problem.
fn workspace(more: &str) -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.sum("broken");
    workspace.problem("broken", more);
    workspace.write("solutions/broken/accepted/sum.c", SUM);
    Some(workspace)
}

/// Judges everything: the fault is reported and counts, and the other problem is run.
#[track_caller]
fn assert_fault_is_reported(workspace: &Workspace, words: &[&str]) {
    let output = workspace.judge(["run"]).exits(3);
    output.stdout_has(words);
    output.stdout_has(&[
        "✓ accepted/sum.c",
        "1 submission as expected",
        "1 package fault",
    ]);
    let stream = workspace.events(["run"]).exits(3);
    assert_eq!(
        stream
            .test_cases()
            .filter(|case| case.problem == "sum")
            .count(),
        3
    );
    assert_eq!(
        stream
            .test_cases()
            .filter(|case| case.problem == "broken")
            .count(),
        0
    );
    assert!(
        stream
            .events
            .iter()
            .any(|event| matches!(event, Event::PackageFault(fault) if fault.problem == "broken"))
    );
    // A listing reports it too, and lists the rest.
    workspace
        .judge(["list"])
        .exits(3)
        .stdout_has(&["sum", "1 problem"])
        .stderr_has(&["error: problems/broken/"]);
}

#[test]
fn missing_interpreters_of_validators_are_package_faults() {
    let Some(workspace) = workspace("limits: {time_limit: 4}\n") else {
        return;
    };
    let (build, run) = (
        "problems/broken/input_validators/v/build",
        "problems/broken/input_validators/v/run",
    );
    let crlf = "`build` has Windows line endings (CRLF)";
    for (builder, first, fault) in [
        ("#!/bin/sh\n", "#!/nonexistent\n", "with code 12"),
        ("#!/bin/sh\r\n", "#!/bin/sh\n", crlf),
        // `build` could have converted it.
        ("#!/bin/sh\n", "#!/bin/sh\r\n", "with code 12"),
        ("#!/bin/sh\n", "", "with code 12"),
    ] {
        for (file, text) in [(build, builder), (run, &*format!("{first}exit 42\n"))] {
            workspace.write(file, text);
            fs::set_permissions(workspace.path(file), Permissions::from_mode(0o755)).unwrap();
        }
        let output = workspace.judge(["check"]).exits(3);
        output
            .stdout_has(&["input_validators/v", fault])
            .stdout_lacks(&["host"]);
    }
}

#[test]
fn impossible_arguments_are_errors_with_their_place() {
    let Some(workspace) = workspace("limits: {time_limit: 4}\n") else {
        return;
    };
    for (args, words) in [
        (
            format!("[{}]", "A".repeat(70_000)),
            "expected at most 64 KiB of text, found 68 KiB",
        ),
        (
            "[\"a\\0b\"]".to_owned(),
            "expected strings without NUL characters",
        ),
    ] {
        workspace.write(
            "problems/broken/data/secret/01.yaml",
            format!("args: {args}\n"),
        );
        assert_fault_is_reported(
            &workspace,
            &["problems/broken/data/secret/01.yaml:1", words],
        );
    }
}

#[test]
fn an_unknown_key_is_reported_with_its_line_and_the_nearest_key() {
    let Some(workspace) = workspace("limits:\n  time_limt: 2\n") else {
        return;
    };
    let place = "✗ problems/broken/problem.yaml:7: unknown key `limits.time_limt`; expected one of";
    assert_fault_is_reported(&workspace, &[place, "hint: did you mean `time_limit`?"]);
}

#[test]
fn values_of_a_wrong_type_are_reported_with_the_expected_one() {
    let Some(workspace) = workspace("limits:\n  time_limit: soon\n") else {
        return;
    };
    assert_fault_is_reported(
        &workspace,
        &[
            "✗ problems/broken/problem.yaml:7: ",
            "`limits.time_limit`",
            "expected",
            "soon",
        ],
    );
}

#[test]
fn invalid_yaml_is_reported_with_its_line() {
    let Some(workspace) = workspace("limits: {time_limit: 2\n") else {
        return;
    };
    assert_fault_is_reported(&workspace, &["✗ problems/broken/problem.yaml:"]);
}

#[test]
fn an_input_without_an_answer_is_a_fault() {
    let Some(workspace) = workspace("limits: {time_limit: 2}\n") else {
        return;
    };
    workspace.remove("problems/broken/data/secret/01.ans");
    assert_fault_is_reported(&workspace, &["✗ problems/broken/data/secret/01", "ans"]);
}

#[test]
fn missing_time_limits_are_reported_with_a_hint() {
    let Some(workspace) = workspace("") else {
        return;
    };
    // With an accepted submission, the limit would be inferred.
    workspace.remove("solutions/broken/accepted/sum.c");
    workspace.write("solutions/broken/brute_force/sum.c", SUM);
    let output = workspace.judge(["run"]).exits(3);
    output.stdout_has(&[
        "✗ problems/broken/problem.yaml: no time limit is stated, and no submission allows inferring one",
        "hint: set `limits.time_limit`",
    ]);
    workspace
        .judge(["run", "--time-limit", "4"])
        .exits(1)
        .stdout_has(&["brute_force/sum.c", "AC"]);
}

#[test]
fn interactive_problems_without_an_interactor_are_refused() {
    let Some(workspace) = workspace("limits: {time_limit: 2}\n") else {
        return;
    };
    let yaml = fs::read_to_string(workspace.path("problems/broken/problem.yaml")).unwrap();
    workspace.write(
        "problems/broken/problem.yaml",
        yaml.replace("pass-fail", "interactive"),
    );
    assert_fault_is_reported(
        &workspace,
        &[
            "✗ problems/broken/output_validator: expected an output validator, which interactive problems need",
        ],
    );
}

#[test]
fn directories_without_problem_yaml_are_not_packages() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("problems/empty/data/secret/01.in", "");
    workspace
        .judge(["run", "problems/empty"])
        .exits(5)
        .stderr_has(&["`problems/empty` names no problem"]);
    workspace.judge(["run"]).exits(0);
}

#[test]
fn unreadable_files_do_not_affect_other_packages() {
    let unreadable = [
        "problems/broken/data/secret/01.in",
        "problems/broken/output_validator/validate.c",
        "solutions/broken/accepted/sum.c",
        "problems/broken/problem.yaml",
    ];
    if rustix::process::geteuid().is_root() {
        return skipped(
            "unreadable files",
            "root reads everything; ci/nightly/unprivileged runs this as another user",
        );
    }
    for file in unreadable {
        let Some(workspace) = workspace("limits: {time_limit: 4}\n") else {
            return;
        };
        workspace.write(
            "problems/broken/output_validator/validate.c",
            "int main(void) { return 42; }\n",
        );
        fs::set_permissions(workspace.path(file), Permissions::from_mode(0o000)).unwrap();
        for command in ["run", "check", "check --data"] {
            let output = workspace
                .judge(command.split(' ').chain(["--report=json"]))
                .exits(3);
            assert!(
                output.stdout.contains(file) && !output.stdout.contains("host_fault"),
                "{command}: {}",
                output.stdout
            );
            let count = output
                .stdout
                .lines()
                .filter(|line| line.contains("Permission denied"))
                .count();
            assert!(
                count == 1 || command == "check --data",
                "{command} reports {file} {count} times: {}",
                output.stdout
            );
        }
        let output = workspace.events(["run"]).exits(3);
        assert_eq!(
            output.verdict("accepted/sum.c"),
            Verdict::Accepted,
            "the other one is judged"
        );
    }
}

#[test]
fn empty_descriptions_are_reported_by_every_judging_command() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("problems/sum/problem.yaml", "");
    for subcommand in ["run", "verify", "check"] {
        let output = workspace.judge([subcommand, "sum"]);
        let times = output
            .stdout
            .matches("the file is empty, so the package is read as")
            .count();
        assert_eq!(times, 1, "{subcommand}: {output:?}");
    }
}

#[test]
fn a_mistake_in_judge_yaml_is_a_usage_error() {
    for (text, words) in [
        (
            "problem: [problems]\n",
            &[
                "judge.yaml:1: unknown key `problem`",
                "hint: did you mean `problems`?",
            ][..],
        ),
        (
            "problems: [nowhere]\n",
            &[
                "judge.yaml:1: ",
                "expected a directory, found none at `nowhere`",
            ],
        ),
        (
            "isolation: strong\n",
            &["judge.yaml:1: ", "unknown isolation level `strong`"],
        ),
        ("jobs: 0\n", &["judge.yaml:1: ", "jobs"]),
        (
            "languages:\n  c:\n    compil: [x]\n",
            &["judge.yaml:3: unknown key `languages.c.compil`"],
        ),
    ] {
        let workspace = Workspace::new();
        workspace.sum("sum");
        workspace.write("judge.yaml", text);
        for command in ["run", "list", "doctor"] {
            let output = workspace.judge([command]).exits(2);
            output.stderr_has(&["error: "]).stderr_has(words);
            assert_eq!(output.stdout, "");
        }
    }
}

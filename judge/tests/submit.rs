//! `judge submit`: one file or directory against a problem, as an online judge would.

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace};

/// Two problems, and files to submit.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.sum("other");
    workspace.write("mine/right.c", SUM);
    workspace.write("mine/wrong.c", SUM_PLUS_ONE);
    Some(workspace)
}

#[test]
fn accepted_submissions_exit_with_0_and_print_one_line() {
    let Some(workspace) = workspace() else { return };
    let output = workspace
        .judge(["submit", "mine/right.c", "-p", "sum"])
        .exits(0);
    output.stdout_has(&[
        "sum: accepted on 3 test cases",
        "time    0.0",
        "of 4 s",
        "memory  ",
        "of 256 MiB",
    ]);
    output.stdout_lacks(&["expected", "permits", "wrong"]);
    output.stderr_has_only_progress();
}

#[test]
fn rejections_exit_with_1_and_show_the_first_failure() {
    let Some(workspace) = workspace() else { return };
    let late = "#include <stdio.h>\n\
        int main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b + (a == 2)); }\n";
    workspace.write("mine/late.c", late);
    let output = workspace
        .judge(["submit", "mine/late.c", "-p", "problems/sum"])
        .exits(1);
    output.stdout_has(&[
        "sum: wrong answer on secret/01 (test case 2 of 3)",
        "wrong answer at line 1, column 1 (token 1)",
    ]);
    output.stdout_has(&[
        "- expected  5",
        "+ found     6",
        "input: problems/sum/data/secret/01.in",
        "2 3",
    ]);
    output.stdout_lacks(&["- 1  5", "passed"]);
    let output = workspace
        .judge([
            "submit",
            "mine/late.c",
            "-p",
            "problems/sum",
            "--no-fail-fast",
        ])
        .exits(1);
    output.stdout_has(&["passed  2 of 3 test cases"]);
    workspace.write("mine/broken.c", "int main(void) { return undeclared; }\n");
    let broken = workspace
        .judge(["submit", "mine/broken.c", "-p", "sum"])
        .exits(1);
    broken.stdout_has(&["sum: compile error", "says:", "undeclared"]);
}

#[test]
fn the_problem_is_inferred_from_the_path_or_file_name() {
    let Some(workspace) = workspace() else { return };
    workspace.write("mine/sum/main.c", SUM);
    workspace.write("mine/Sum.c", SUM);
    workspace.write("mine/other/sum.c", SUM_PLUS_ONE);
    workspace.write("problems/sum/submissions/wrong_answer/x.c", SUM);
    for file in [
        "mine/sum/main.c",
        "mine/Sum.c",
        "solutions/sum/accepted/sum.c",
    ] {
        workspace
            .judge(["submit", file])
            .exits(0)
            .stdout_has(&["sum: accepted"]);
    }
    // The expectation of the jury does not matter.
    workspace
        .judge(["submit", "problems/sum/submissions/wrong_answer/x.c"])
        .exits(0)
        .stdout_has(&["sum: accepted"]);
    workspace
        .judge(["submit", "mine/other/sum.c"])
        .exits(1)
        .stdout_has(&["other: wrong answer"]);
    // From the problem's directory, with a relative path of the file.
    let mut command = workspace.command(["submit", "main.c"]);
    CommandOutput::from_command(command.current_dir(workspace.path("mine/sum")))
        .exits(0)
        .stdout_has(&["sum: accepted"]);
}

#[test]
fn without_packages_the_hint_names_try() {
    let workspace = Workspace::new();
    workspace.write("right.c", SUM);
    let output = workspace.judge(["submit", "right.c"]).exits(2);
    output.stderr_has(&["no package was found", "`judge try right.c -i EXAMPLES`"]);
    workspace.write("samples/1.in", "1 2\n");
    let output = workspace.judge(["submit", "right.c"]).exits(2);
    output.stderr_has(&["`judge try right.c -i samples`"]);
}

#[test]
fn an_ambiguous_problem_is_a_usage_error_with_the_names() {
    let Some(workspace) = workspace() else { return };
    let output = workspace.judge(["submit", "mine/right.c"]).exits(2);
    output.stderr_has(&[
        "cannot determine the problem of `mine/right.c`",
        "-p PROBLEM",
        "`other`, `sum`",
    ]);
    let output = workspace
        .judge(["submit", "mine/right.c", "-p", "su"])
        .exits(5);
    output.stderr_has(&["`su` names no problem"]);
    workspace
        .judge(["submit", "mine/right.c", "-p", "*"])
        .exits(2)
        .stderr_has(&["`*` names 2 problems; expected one"]);
}

#[test]
fn directories_can_be_submissions() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "mine/many/main.c",
        "int part(void);\nint main(void) { return part(); }\n",
    );
    workspace.write(
        "mine/many/part.c",
        SUM.replace("main(void)", "part(void)")
            .replace("}\n", "return 0; }\n"),
    );
    workspace
        .judge(["submit", "mine/many", "-p", "sum"])
        .exits(0)
        .stdout_has(&["sum: accepted"]);
}

#[test]
fn unsuitable_submissions_are_usage_errors() {
    let Some(workspace) = workspace() else { return };
    workspace.write("mine/sum.cobol", "DISPLAY 3.\n");
    workspace
        .judge(["submit", "mine/sum.cobol"])
        .exits(2)
        .stderr_has(&["no file of a known language"]);
    workspace
        .judge(["submit", "mine/absent.c", "-p", "sum"])
        .exits(2)
        .stderr_has(&["cannot read `mine/absent.c`"]);
    // The package in place of the program.
    for verb in ["submit", "try"] {
        workspace
            .judge([verb, "problems/sum"])
            .exits(2)
            .stderr_has(&[
                "`problems/sum` is a problem package, not a program",
                "hint: `judge run problems/sum`",
                "`judge submit FILE -p problems/sum`",
            ]);
    }
    workspace
        .judge(["run", "mine/right.c"])
        .exits(5)
        .stderr_has(&[
            "names no problem",
            "hint: `judge submit mine/right.c -p PROBLEM`",
        ]);
}

#[test]
fn samples_first_test_and_stream_work_as_in_a_run() {
    let Some(workspace) = workspace() else { return };
    let output = workspace
        .events(["submit", "mine/wrong.c", "-p", "sum", "--samples"])
        .exits(1);
    assert_eq!(output.test_cases().count(), 1);
    std::fs::remove_dir_all(workspace.path("problems/other/data/sample")).unwrap();
    for command in [
        &["submit", "mine/wrong.c", "-p", "other", "--samples"][..],
        &["run", "other", "--samples"],
    ] {
        workspace.judge(command).exits(5).stderr_has(&[
            "no test cases in `data/sample` of `other`",
            "hint: without `--samples`, all test cases are judged",
        ]);
    }
    let all = workspace
        .events(["submit", "mine/wrong.c", "-p", "sum", "--no-fail-fast"])
        .exits(1);
    assert_eq!(all.test_cases().count(), 3);
    let output = workspace
        .judge([
            "submit",
            "mine/wrong.c",
            "-p",
            "sum",
            "--no-fail-fast",
            "-v",
        ])
        .exits(1);
    output.stdout_has(&["WA", "sample/1", "WA", "secret/01", "WA", "secret/02-large"]);
}

#[test]
fn a_broken_package_is_a_package_error() {
    let Some(workspace) = workspace() else { return };
    workspace.problem("sum", "limits: {time_limt: 2}\n");
    let output = workspace
        .judge(["submit", "mine/right.c", "-p", "sum"])
        .exits(3);
    output.stderr_has(&[
        "problems/sum/problem.yaml:6: unknown key `limits.time_limt`",
        "hint: did you mean `time_limit`?",
    ]);
}

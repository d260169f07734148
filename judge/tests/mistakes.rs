//! Typical mistakes of newcomers: the message names the likely cause and the next step.

use crate::workspace::{SUM_PLUS_ONE, Workspace, executable, has};

#[test]
fn empty_sources_are_named() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("solutions/sum/accepted/a.c", "");
    let remark = "`solutions/sum/accepted/a.c` is empty: expected a program";
    let output = workspace.judge(["run"]).exits(1);
    output.stdout_has(&["a.c", "CE", "remark: ", remark]);
    let output = workspace.judge(["submit", "-p", "sum", "solutions/sum/accepted/a.c"]);
    output.exits(1).stdout_has(&["remark: ", remark]);
    if has("python3") {
        workspace.write("empty.py", "\n");
        let output = workspace.judge(["try", "empty.py"]).exits(0);
        output.stderr_has(&["note: `", "empty.py` is empty: expected a program"]);
    }
}

#[test]
fn files_in_place_of_standard_input_are_named() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let text = "#include <stdio.h>\nint main(void) {\n    freopen(\"input.txt\", \"r\", stdin);\n    int a = 0, b = 0;\n    scanf(\"%d %d\", &a, &b);\n    printf(\"%d\\n\", a + b);\n}\n";
    workspace.write("solutions/sum/accepted/b.c", text);
    let remark =
        "remark: `solutions/sum/accepted/b.c:3` may open the file `input.txt`: submissions read";
    let output = workspace.judge(["run", "sum/accepted/b.c"]).exits(1);
    output.stdout_has(&[remark]);
    // The same submission is no surprise where it has to be rejected.
    workspace.write("solutions/sum/wrong_answer/b.c", text);
    let output = workspace.judge(["run", "sum/wrong_answer/b.c"]).exits(0);
    output.stdout_lacks(&["remark"]);
}

#[test]
fn windows_line_endings_of_scripts_are_named() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let run = "problems/sum/output_validator/run";
    workspace.write(run, "#!/usr/bin/env bash\r\nexit 42\r\n");
    executable(&workspace.path(run));
    let output = workspace.judge(["run"]).exits(3);
    output.stdout_has(&["`run` has Windows line endings (CRLF)", "`sed -i"]);
    if has("bash") {
        // `build` may convert it.
        let build = "problems/sum/output_validator/build";
        workspace.write(build, "#!/bin/sh\nsed -i 's/\\r$//' run\n");
        executable(&workspace.path(build));
        workspace.judge(["run"]).exits(0);
        workspace.remove(build);
        workspace.remove(run);
        workspace.write("a.sh", "#!/bin/bash\r\nread a b\r\necho $((a + b))\r\n");
        let output = workspace.judge(["submit", "-p", "sum", "a.sh"]).exits(1);
        output.stdout_has(&["remark: `a.sh` has Windows line endings (CRLF)"]);
    }
}

#[test]
fn answers_that_all_solutions_contradict_are_named() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let text = std::fs::read(workspace.path("solutions/sum/accepted/sum.c")).unwrap();
    workspace.write("solutions/sum/accepted/other.c", text);
    workspace.write("solutions/sum/wrong_answer/one.c", SUM_PLUS_ONE);
    workspace.case("sum", "secret/01", "2 3\n", "6\n");
    let output = workspace.events(["run"]).exits(1);
    let state = output.state();
    let remarks = (state.problems[0].submissions.iter())
        .map(|submission| submission.finished.as_ref().unwrap().remarks.join(""));
    let expected = "all 2 accepted solutions give the same output on `secret/01`, so the answer file may be wrong: \
                    `judge generate --review sum/secret/01` replaces it with their output";
    assert_eq!(remarks.collect::<Vec<_>>(), ["", expected, ""]);
    // The remark is also about cached results.
    workspace
        .judge(["run", "sum/accepted"])
        .exits(1)
        .stdout_has(&[expected]);
    // A third solution that does not compile contradicts the other two.
    let broken = "solutions/sum/accepted/broken.c";
    workspace.write(broken, "int main(void) {\n");
    for selected in ["sum", "sum/accepted/other.c sum/accepted/sum.c"] {
        let args = ["run"].into_iter().chain(selected.split(' '));
        let output = workspace.judge(args.collect::<Vec<_>>());
        output.exits(1).stdout_lacks(&["accepted solutions"]);
    }
    workspace.remove(broken);
    workspace
        .judge(["generate", "--review", "sum/secret/01"])
        .exits(0);
    workspace.judge(["run"]).exits(0);
}

#[test]
fn invalid_inputs_are_named_before_the_interactor_runs() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let package = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/packages/guess");
    let program = format!("{package}/submissions/accepted/halves.c");
    workspace.write("bad.in", "none\n");
    let args = ["try", &program, "-p", package, "--input", "bad.in"];
    let output = workspace.judge(args);
    output.stderr_has(&[
        "warning: the input is invalid: the input validator `validate.py` exited with code 43",
    ]);
}

#[test]
fn only_validators_that_follow_the_format_find_inputs_invalid() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let package = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/packages/guess");
    for file in [
        "problem.yaml",
        "output_validator/validate.c",
        "submissions/accepted/halves.c",
        "data/secret/1.in",
        "data/secret/1.ans",
    ] {
        let bytes = std::fs::read(format!("{package}/{file}")).unwrap();
        workspace.write(&format!("guess/{file}"), bytes);
    }
    workspace.write("any.in", "500\n");
    let validator = "guess/input_validators/v.py";
    let program = "guess/submissions/accepted/halves.c";
    let args = ["try", program, "-p", "guess", "--input", "any.in"];
    workspace.write(validator, "print('fine')\n");
    let output = workspace.judge(args).exits(0);
    output.stderr_has(&[
        "warning: the input validator `v.py` exited with code 0: fine; an input validator exits with code 42",
    ]);
    assert!(!output.stderr.contains("the input is invalid"));
    // The arguments for this input are unknown.
    let text = "import sys\nsys.exit(42 if sys.argv[1:] == ['1000'] else 43)\n";
    workspace.write(validator, text);
    let rules = "guess/data/secret/test_group.yaml";
    workspace.write(rules, "input_validator_args: ['1000']\n");
    let output = workspace.judge(args).exits(0);
    assert!(!output.stderr.contains("warning"), "{}", output.stderr);
    workspace.remove(rules);
    workspace
        .judge(args)
        .exits(0)
        .stderr_has(&["the input is invalid"]);
}

#[test]
fn calls_of_generators_without_arguments_are_named() {
    let Some(workspace) = Workspace::with_sum().filter(|_| has("python3")) else {
        return;
    };
    let program = "import sys\nprint(sys.argv[1], 1)\n";
    workspace.write("problems/sum/generators/gen.py", program);
    let rules = "data:\n  secret:\n    data:\n      '03': gen.py\n";
    workspace.write("problems/sum/generators/generators.yaml", rules);
    workspace.judge(["generate"]).exits(3).stderr_has(&[
        "generators.yaml:4: `secret/03`: `gen.py` exited with code 1",
        "hint: the call has no arguments; write those that the generator expects",
    ]);
}

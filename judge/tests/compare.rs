//! `judge compare`: answers first, then times. Ratios are asserted only for programs that differ by
//! six times the work.

use judge_event::comparison::{Class, Comparison};

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, has};

/// The sum, after counting up to a number in a way that the compiler cannot shorten.
fn slow_sum(count: u64) -> String {
    SUM.replace(
        "int a, b;",
        &format!("int a, b; for (volatile long i = 0; i < {count}L; i++) {{}}"),
    )
}

fn workspace() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.write("mine/sum/right.c", SUM);
    workspace.write(
        "mine/sum/late.c",
        SUM.replace("a + b)", "a + b + (a == 1000))"),
    );
    workspace.write("mine/sum/wrong.c", SUM_PLUS_ONE);
    Some(workspace)
}

fn document(output: &CommandOutput) -> Comparison {
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output:?}"))
}

#[test]
fn identical_programs_have_the_same_answers_and_a_table() {
    let Some(workspace) = workspace() else { return };
    let args = [
        "compare",
        "sum/accepted/sum.c",
        "solutions/sum/accepted/sum.c",
        "--budget",
        "0.3",
    ];
    let output = workspace
        .judge(args.into_iter().chain(["--report", "html=page.html"]))
        .exits(0);
    let page = std::fs::read_to_string(workspace.path("page.html")).unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html>")
            && page.contains("B differs from A on none of 3 test cases"),
        "{page}"
    );
    let refused = workspace
        .judge(["compare", "a", "b", "--report", "junit=x"])
        .exits(2);
    refused.stderr_has(&["unsupported report `junit`"]);
    workspace
        .judge(args.into_iter().chain(["--report", "html=nowhere/x"]))
        .exits(4)
        .stderr_has(&[
            "cannot write",
            "there is no directory `",
            "hint: `mkdir -p ",
        ]);
    output.stdout_has(&["sum", "verdict", "CPU time", "95 %", "memory"]);
    output.stdout_has(&[
        "A accepted/sum.c",
        "AC 3/3",
        "B accepted/sum.c (2)",
        "AC 3/3",
    ]);
    output.stdout_has(&[
        "B differs from A on none of 3 test cases",
        "CPU time",
        "elapsed",
        "memory",
    ]);
    output.stdout_has(&["timed on", "of 3 test cases", "an empty program: c ", " ms"]);
    output.stdout_has(&["start-up dominates"]);
    output.stderr_has_only_progress();
}

#[test]
fn the_smallest_distinguishing_input_is_reported() {
    let Some(workspace) = workspace() else { return };
    workspace.case("sum", "secret/00-longest", "1000       3\n", "1003\n");
    let output = workspace
        .judge([
            "compare",
            "mine/sum/right.c",
            "mine/sum/late.c",
            "--budget",
            "0.1",
        ])
        .exits(1);
    output.stdout_has(&[
        "B differs from A on 2 of 4 test cases: only A is right on 2",
        "B on the smallest of them:",
    ]);
    output.stdout_has(&[
        "secret/02-large: wrong answer",
        "- expected  3000",
        "+ found     3001",
    ]);
    output.stdout_lacks(&["secret/00-longest:"]);
    output.stdout_lacks(&["same file"]);
    // In the reverse order, the reference is wrong.
    let output = workspace
        .judge([
            "compare",
            "mine/sum/late.c",
            "mine/sum/right.c",
            "--budget",
            "0.1",
        ])
        .exits(1);
    output.stdout_has(&[
        "only B is right on 2",
        "A on the smallest of them:",
        "secret/02-large: wrong answer",
    ]);
}

#[test]
fn comparing_a_file_with_itself_is_a_warning() {
    let Some(workspace) = workspace() else { return };
    workspace.write("mine/sum/right.c", SUM);
    let file = "mine/sum/right.c";
    workspace
        .judge(["compare", file, file, "--budget", "0.1"])
        .exits(0)
        .stdout_has(&["`right.c` and `right.c (2)` are the same file: any difference is noise"]);
}

#[test]
fn files_of_no_problem_can_be_compared_on_an_input() {
    let Some(workspace) = workspace() else { return };
    workspace.write("mine/right.c", SUM);
    workspace.write("mine/sum.c", SUM);
    workspace
        .judge(["compare", "mine/right.c", "mine/sum.c"])
        .exits(2)
        .stderr_has(&[
            "`mine/right.c` belongs to no problem",
            "`judge compare mine/right.c mine/sum.c --input FILE`",
            "-p PROBLEM",
        ]);
    workspace.write("input.txt", "1 2\n");
    workspace
        .judge(["compare", "mine/right.c", "mine/sum.c", "input.txt"])
        .exits(2)
        .stderr_has(&["hint: ", "; for an input, use `--input input.txt`"]);
    workspace.write("mine/crash.c", "int main(void) { return 1; }\n");
    let loose = |program, more: &[&str]| {
        let words = ["compare", program, "mine/sum.c", "--input", "input.txt"];
        workspace.judge(words.iter().chain(more))
    };
    let output = loose("mine/crash.c", &[]).exits(1);
    output.stderr_has(&["hint: put a program first that is correct on this input"]);
    assert!(!output.stderr.contains("--time-limit"), "{output:?}");
    workspace.write("check.c", "int main(void) {\n");
    let output = loose("mine/right.c", &["--checker", "check.c"]).exits(3);
    output.stderr_has(&["error: the checker `check.c` does not compile:"]);
    assert!(!output.stderr.contains("judge-examples"), "{output:?}");
    assert_eq!(output.stdout, "");
}

#[test]
fn slower_programs_fail_a_gate() {
    let Some(workspace) = workspace() else { return };
    // A test case is compared only if it takes several times as long as the start of a program,
    // which is milliseconds on a busy host.
    workspace.write("mine/sum/fast.c", slow_sum(16_000_000));
    workspace.write("mine/sum/slow.c", slow_sum(64_000_000));
    let compare = |more: &[&str]| {
        let args = ["compare", "mine/sum/fast.c", "mine/sum/slow.c"];
        workspace.judge(args.iter().chain(more))
    };
    let gate = ["--gate", "time<=2 mem<=50"];
    let output = compare(
        &[
            &["--budget=30", "--precision=10", "--report=json"],
            &gate[..],
        ]
        .concat(),
    )
    .exits(6);
    let comparison = document(&output);
    let candidate = &comparison.candidates[0];
    let [low, high] = candidate
        .cpu_time
        .as_ref()
        .unwrap()
        .estimate
        .interval
        .unwrap();
    assert!(low > 2.0 && high < 18.0, "{candidate:?}");
    assert_eq!(candidate.classes, [Class::BothRight; 3]);
    assert!(!candidate.timed_on.start_up_dominates);
    let case = comparison
        .test_cases
        .iter()
        .find(|case| !case.rounds.is_empty())
        .unwrap();
    let laps = case.rounds[0][1].unwrap();
    assert!(
        laps[0].cpu_time_us > 2_000 && laps[0].memory_bytes > 0,
        "{laps:?}"
    );
    // As text, with gates that are far from the ratio.
    let output = compare(&["--budget=30", "--precision=50", "--gate", "time<=100"]).exits(0);
    output.stdout_has(&["× slower [", "✓ gate time<=100 for B: held:"]);
    let output = compare(&[
        "--budget=30",
        "--precision=50",
        "--gate",
        "time<=0.5",
        "--report=markdown",
    ])
    .exits(6);
    output.stdout_has(&[
        "| A | fast.c | AC 3/3 |",
        "| B | slow.c | AC 3/3 |",
        "gate time\\<=0.5 for B: not held:",
    ]);
}

#[test]
fn varying_and_different_correct_outputs_are_reported() {
    let Some(workspace) = workspace() else { return };
    // White space does not count.
    workspace.write("mine/sum/spaces.c", SUM.replace("\"%d\\n\"", "\"  %d\\n\""));
    let clock = "#include <stdio.h>\n#include <time.h>\nint main(void) { int a, b; struct timespec t;\n\
        clock_gettime(CLOCK_MONOTONIC, &t); scanf(\"%d %d\", &a, &b);\n\
        printf(\"%*s%d\\n\", (int)(t.tv_nsec % 997), \"\", a + b); }\n";
    workspace.write("mine/sum/clock.c", clock);
    let files = ["mine/sum/right.c", "mine/sum/spaces.c", "mine/sum/clock.c"];
    let args = ["compare"]
        .into_iter()
        .chain(files)
        .chain(["--budget", "0.2", "--report=json"]);
    let comparison = document(&workspace.judge(args).exits(0));
    assert_eq!(
        comparison.candidates[0].classes,
        [Class::DifferentOutputs; 3]
    );
    assert_eq!(
        comparison.candidates[1].classes,
        [Class::NotDeterministic; 3]
    );
}

#[test]
fn incomparable_submissions_are_reported_with_a_reason() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "mine/sum/broken.c",
        "int main(void) { return undeclared; }\n",
    );
    let output = workspace
        .judge([
            "compare",
            "mine/sum/right.c",
            "mine/sum/broken.c",
            "--budget",
            "0.1",
        ])
        .exits(1);
    output.stdout_has(&["CE", "✗ B does not compile", "undeclared", "not compared"]);
    let output = workspace
        .judge([
            "compare",
            "mine/sum/broken.c",
            "mine/sum/right.c",
            "--budget",
            "0.1",
        ])
        .exits(1);
    output.stdout_has(&["CE", "✗ A does not compile", "undeclared", "not compared"]);
    // A missing compiler is reported as the reason why nothing was compared.
    workspace.write("mine/sum/absent.lost", "");
    let lost = "languages: {lost: {name: Lost, extensions: [lost], tools: {compiler: {names: [no-such-compiler], version_args: [-v]}}, \
        run: ['{compiler}', '{main}']}}\n";
    workspace.write("judge.yaml", lost);
    let output = workspace
        .judge(["compare", "mine/sum/right.c", "mine/sum/absent.lost"])
        .exits(4);
    output.stderr_has(&["nothing was compared: `absent.lost` cannot be run here"]);
    let output = workspace
        .judge([
            "compare",
            "mine/sum/right.c",
            "mine/sum/absent.lost",
            "--report=json",
        ])
        .exits(4);
    assert_eq!(output.stdout, "", "no document is written");
    output.stderr_has(&["cannot be judged here", "nothing was compared"]);
    let output = workspace.judge(["compare", "mine/sum/right.c"]).exits(2);
    output.stderr_has(&["expected at least two programs to compare, found 1: `right.c`"]);
    workspace
        .judge(["compare", "mine/sum/right.c", "absent.c"])
        .exits(5)
        .stderr_has(&["`absent.c` names no"]);
    workspace
        .judge(["compare", "sum", "mine/sum/right.c"])
        .exits(5)
        .stderr_has(&["`sum` names no submission"]);
    let output = workspace
        .judge([
            "compare",
            "mine/sum/right.c",
            "sum/accepted/*",
            "--gate",
            "speed<=1",
        ])
        .exits(2);
    output.stderr_has(&["expected bounds such as `time<=1.05 mem<=1.1`"]);
    workspace.sum("other");
    workspace.write("solutions/other/accepted/sum.c", SUM);
    let output = workspace
        .judge(["compare", "sum/accepted/sum.c", "other/accepted/sum.c"])
        .exits(2);
    output.stderr_has(&[
        "expected submissions of one problem, found `problems/sum` and `problems/other`",
    ]);
    workspace.problem("sum", "limits: {time_limt: 2}\n");
    workspace
        .judge(["compare", "mine/sum/right.c", "mine/sum/wrong.c"])
        .exits(3)
        .stderr_has(&["`limits.time_limt`"]);
}

#[test]
fn drafts_among_the_files_of_a_package_can_be_compared() {
    let Some(workspace) = workspace() else { return };
    workspace.write("problems/sum/draft.c", SUM);
    let args = [
        "compare",
        "problems/sum/draft.c",
        "mine/sum/right.c",
        "-p",
        "sum",
        "--budget",
        "0.1",
    ];
    workspace
        .judge(args)
        .exits(0)
        .stdout_has(&["B differs from A on none"]);
    // The name of the given problem is not needed.
    let args = [
        "compare",
        "accepted/sum.c",
        "mine/sum/right.c",
        "-p",
        "sum",
        "--budget",
        "0.1",
    ];
    workspace
        .judge(args)
        .exits(0)
        .stdout_has(&["B differs from A on none"]);
    let output = workspace
        .judge(["compare", "accepted/su", "mine/sum/right.c", "-p", "sum"])
        .exits(5);
    output.stderr_has(&["`accepted/su` names no"]);
    workspace
        .judge(["compare", "problems/sum/data", "mine/sum/right.c"])
        .exits(5)
        .stderr_has(&["names no submission"]);
}

#[test]
fn start_up_times_are_measured_for_each_language() {
    let Some(workspace) = workspace() else { return };
    if !has("python3") {
        return;
    }
    workspace.write(
        "mine/sum/short.py",
        "print(sum(map(int, input().split())))\n",
    );
    let args = [
        "compare",
        "mine/sum/right.c",
        "mine/sum/short.py",
        "--budget",
        "0.5",
        "--report=json",
    ];
    let comparison = document(&workspace.judge(args).exits(0));
    let [c, python] = &comparison.submissions[..] else {
        panic!("two submissions: {comparison:?}")
    };
    assert!(
        c.start_up_us.unwrap() < python.start_up_us.unwrap(),
        "{c:?} {python:?}"
    );
}

#[test]
fn unmeasurable_memory_is_not_reported_as_equal() {
    let Some(workspace) = workspace() else { return };
    let args = [
        "compare",
        "mine/sum/right.c",
        "mine/sum/right.c",
        "--budget",
        "5",
        "--isolation",
        "none",
    ];
    let output = workspace
        .judge(args.iter().chain(&["--gate", "mem<=2"]))
        .exits(6);
    output.stdout_has(&["memory not measured: barely more memory than an empty program"]);
    output.stdout_has(&["gate mem<=2 for B: undecided, which counts as not held: not measured"]);
}

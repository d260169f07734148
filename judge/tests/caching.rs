//! Cached results: a run without changes judges nothing, and reports that.

use std::fs;
use std::process::Command;

use judge_event::Event;
use judge_fixtures::without_times;
use judge_model::Verdict;

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, has};

fn run(command: &mut Command) -> CommandOutput {
    CommandOutput::from_command(command.arg("--report=json")).exits(0)
}

fn cached(output: &CommandOutput) -> Vec<bool> {
    output
        .test_cases()
        .map(|test_case| test_case.cached)
        .collect()
}

/// The problem of adding two numbers with an output validator, and a correct and a wrong
/// submission.
fn with_validator() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
    workspace.write(
        "problems/sum/output_validator/validate.c",
        validator("a == b ? 42 : 43"),
    );
    Some(workspace)
}

fn validator(answer: &str) -> String {
    format!(
        "#include <stdio.h>\nint main(int argc, char **argv) {{ int a, b; FILE *f = fopen(argv[2], \"r\"); \
         fscanf(f, \"%d\", &a); if (scanf(\"%d\", &b) != 1) return 43; return {answer}; }}\n"
    )
}

#[test]
fn unchanged_results_come_from_the_cache() {
    let Some(workspace) = with_validator() else {
        return;
    };
    let judge = |args: &[&str]| {
        run(&mut workspace.command_keeping([&["run", "--no-fail-fast"], args].concat()))
    };
    let first = judge(&[]);
    assert_eq!(cached(&first), [false; 6]);
    let second = judge(&[]);
    assert_eq!(cached(&second), [true; 6]);
    // Equal except for the marks; the times of the test cases are the measured ones.
    let times = |output: &CommandOutput| {
        output
            .test_cases()
            .map(|test_case| (test_case.cpu_time_us, test_case.memory_bytes))
            .collect::<Vec<_>>()
    };
    assert_eq!(times(&second), times(&first));
    let redacted = |output: &CommandOutput| -> Vec<Event> {
        output.events.iter().cloned().map(without_times).collect()
    };
    assert_eq!(redacted(&second), redacted(&first));
    // Another selection and another number of jobs: results are cached separately.
    assert_eq!(cached(&judge(&["--jobs=1", "sum/accepted/*"])), [true; 3]);
    assert_eq!(cached(&judge(&["--no-cache"])), [false; 6]);

    let message = CommandOutput::from_command(&mut workspace.command_keeping(["run"])).exits(0);
    message.stdout_has(&[
        "sum.c",
        "MiB =",
        "more.c",
        "MiB =",
        "= cached from an earlier run",
        "test runs, all cached, in",
    ]);
    let message =
        CommandOutput::from_command(&mut workspace.command_keeping(["run", "--no-cache"])).exits(0);
    message.stdout_lacks(&["cached"]);
}

#[test]
fn only_changed_test_cases_are_judged_again() {
    let Some(workspace) = with_validator() else {
        return;
    };
    let judge = |args: &[&str]| {
        run(&mut workspace.command_keeping([&["run", "--no-fail-fast"], args].concat()))
    };
    judge(&[]);
    workspace.case("sum", "secret/01", "2 4\n", "6\n");
    assert_eq!(cached(&judge(&[])), [true, false, true, true, false, true]);
    workspace.case("sum", "secret/03", "1 1\n", "2\n");
    assert_eq!(
        cached(&judge(&[])),
        [true, true, true, false, true, true, true, false]
    );
    // Only the validator changes: now it accepts everything.
    workspace.write("problems/sum/output_validator/validate.c", validator("42"));
    workspace.write(
        "judge.yaml",
        "problems: [problems]\n# the wrong one is accepted\n",
    );
    fs::rename(
        workspace.path("solutions/sum/wrong_answer"),
        workspace.path("solutions/sum/rejected"),
    )
    .unwrap();
    fs::remove_dir_all(workspace.path("solutions/sum/rejected")).unwrap();
    let after = judge(&[]);
    assert_eq!(cached(&after), [false; 4]);
    workspace.write("solutions/sum/accepted/sum.c", format!("// another\n{SUM}"));
    assert_eq!(cached(&judge(&[])), [false; 4]);
    assert_eq!(cached(&judge(&["--time-limit=3"])), [false; 4]);
    assert_eq!(cached(&judge(&[])), [true; 4]);
}

#[test]
fn every_judging_command_uses_cached_results() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    run(&mut workspace.command_keeping(["run"]));
    let file = "solutions/sum/accepted/sum.c";
    assert_eq!(
        cached(&run(&mut workspace.command_keeping(["submit", file]))),
        [true; 3]
    );
    assert_eq!(
        cached(&run(&mut workspace.command_keeping([
            "submit",
            file,
            "--no-cache"
        ]))),
        [false; 3]
    );
    assert_eq!(
        cached(&run(&mut workspace.command_keeping(["run", "--matrix"]))),
        [true; 3]
    );
    let verified = CommandOutput::from_command(
        workspace
            .command_keeping(["verify", "--report=json"])
            .arg("sum"),
    );
    assert_eq!(cached(&verified), [true; 3]);
    assert_eq!(verified.verdict("accepted/sum.c"), Verdict::Accepted);
}

#[test]
fn unwritable_caches_are_not_an_error() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("file", "");
    for _ in 0..2 {
        let mut command = workspace.command(["run"]);
        let output = run(command.env("JUDGE_RESULTS_DIR", workspace.path("file").join("below")));
        assert_eq!(cached(&output), [false; 3]);
    }
}

#[test]
fn headers_used_by_several_programs_are_precompiled() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("cpp")) else {
        return;
    };
    workspace.sum("sum");
    let program = |number: usize, line: &str| {
        let text = "int main() { int a, b; std::scanf(\"%d %d\", &a, &b); std::printf(\"%d\\n\", a + b); }\n";
        workspace.write(
            &format!("solutions/sum/accepted/{number}.cpp"),
            format!("// {number}\n#include <cstdio>\n{line}\n{text}"),
        );
    };
    let judge = |code: i32| {
        let mut command = workspace.command(["run", "--jobs=1", "--report=json"]);
        command
            .env("JUDGE_CACHE_DIR", workspace.path("cache"))
            .env("JUDGE_LOG", "compile");
        let output = CommandOutput::from_command(&mut command).exits(code);
        let uses = output.stderr.matches("\"-include\"").count();
        let compilers = output.stderr.matches("compiler starts").count();
        let messages: Vec<String> = output.events.iter().filter_map(message_of).collect();
        assert!(
            !messages.iter().any(|message| message.contains("headers.h")),
            "{messages:?}"
        );
        (compilers, uses, messages.concat())
    };
    (1..=3).for_each(|number| program(number, ""));
    assert_eq!(judge(0), (3, 0, String::new()));
    // They are precompiled for the fourth program, in any run.
    program(4, "");
    assert_eq!(judge(0), (2, 1, String::new()));
    program(5, "");
    assert_eq!(judge(0), (1, 1, String::new()));
    // Messages of the compiler are about the program as it was written.
    program(6, "#warning careful");
    let (compilers, uses, message) = judge(0);
    assert!(
        (compilers, uses) == (2, 1) && message.contains("6.cpp:3:2: warning: #warning careful"),
        "{message}"
    );
    program(6, "undeclared x;");
    let (compilers, uses, message) = judge(1);
    assert!(
        (compilers, uses) == (2, 1) && message.contains("6.cpp:3:1: error: "),
        "{message}"
    );
}

#[test]
fn headers_of_many_selected_programs_are_precompiled_first() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("cpp")) else {
        return;
    };
    workspace.sum("sum");
    for number in 1..=6 {
        let text = "int main() { int a, b; std::scanf(\"%d %d\", &a, &b); std::printf(\"%d\\n\", a + b); }\n";
        workspace.write(
            &format!("solutions/sum/accepted/{number}.cpp"),
            format!("#include <cstdio>\n// {number}\n{text}"),
        );
    }
    let judge = |selection: Option<&str>| {
        let mut command = workspace.command(["run", "--jobs=1", "--report=json"]);
        command
            .args(selection)
            .env("JUDGE_CACHE_DIR", workspace.path("cache"))
            .env("JUDGE_LOG", "compile");
        let stderr = CommandOutput::from_command(&mut command).exits(0).stderr;
        let count = |word: &str| stderr.matches(word).count();
        (count("compiler starts"), count("\"-include\""))
    };
    // One program alone would not gain from precompiling.
    assert_eq!(judge(Some("solutions/sum/accepted/1.cpp")), (1, 0));
    assert_eq!(judge(None), (6, 5));
}

/// The message of a compiler, unless it is empty.
fn message_of(event: &Event) -> Option<String> {
    let Event::CompileFinished(compiled) = event else {
        return None;
    };
    let message = compiled.message.head.to_text().into_owned();
    (!message.is_empty()).then_some(message)
}

//! Options of the commands that judge: the selection, verbosity, and the destination of output.

use std::fs;
use std::process::Command;

use judge_event::Event;
use judge_model::Verdict;

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, parse, skipped};

/// The problem `sum` with a correct and a wrong submission, each in its directory.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
    Some(workspace)
}

#[test]
fn only_samples_are_judged_on_request() {
    let Some(workspace) = workspace() else { return };
    let output = workspace.events(["run", "--samples"]).exits(0);
    let cases: Vec<_> = output
        .test_cases()
        .map(|case| case.test_case.as_str())
        .collect();
    assert_eq!(cases, ["sample/1", "sample/1"]);
}

#[test]
fn time_limits_of_the_command_line_replace_those_of_packages() {
    let Some(workspace) = workspace() else { return };
    let spin = "int main(void) { for (volatile int i = 0;; i = i + 1) {} }\n";
    workspace.write("solutions/sum/time_limit_exceeded/spin.c", spin);
    let output = workspace
        .events(["run", "--time-limit", "0.25", "sum/time_limit_exceeded"])
        .exits(0);
    let case = output.last_case("time_limit_exceeded/spin.c");
    assert_eq!(case.verdict, Verdict::TimeLimitExceeded);
    assert!(case.cpu_time_us < 1_000_000, "{case:?}");
    let limits: Vec<u64> = output
        .state()
        .problems
        .iter()
        .map(|problem| problem.started.time_limit_us)
        .collect();
    assert_eq!(limits, [250_000]);
}

#[test]
fn judging_stops_at_the_first_failure_by_default() {
    let Some(workspace) = workspace() else { return };
    let runs = |output: &CommandOutput| {
        output
            .test_cases()
            .filter(|case| case.submission == "wrong_answer/more.c")
            .count()
    };
    assert_eq!(runs(&workspace.events(["run"]).exits(0)), 1);
    assert_eq!(
        runs(&workspace.events(["run", "--no-fail-fast"]).exits(0)),
        3
    );
}

#[test]
fn standard_output_contains_only_events() {
    let Some(workspace) = workspace() else { return };
    let output = workspace.judge(["run", "--report=json"]).exits(0);
    let events = parse(&output.stdout);
    assert!(
        matches!(events.first(), Some(Event::RunStarted(_)))
            && matches!(events.last(), Some(Event::RunFinished(_)))
    );
    assert!(output.stdout.ends_with('\n'));
    assert_eq!(output.stderr, "");
}

#[test]
fn streams_in_files_do_not_replace_the_report() {
    let Some(workspace) = workspace() else { return };
    workspace.write("out/events.jsonl", "what was there before\n");
    let output = workspace
        .judge(["run", "--report=json=out/events.jsonl"])
        .exits(0);
    output.stdout_has(&["✓ accepted/sum.c", "✓ 1 problem, 2 submissions as expected"]);
    let events = parse(&fs::read_to_string(workspace.path("out/events.jsonl")).unwrap());
    assert!(matches!(events.last(), Some(Event::RunFinished(_))));
    assert_eq!(names_in(&workspace, "out"), ["events.jsonl"]);
}

#[test]
fn files_for_streams_are_relative_to_the_chosen_directory() {
    let Some(workspace) = workspace() else { return };
    workspace.write("elsewhere/a", "");
    let root = workspace.root();
    let output = CommandOutput::from_command(
        workspace
            .command(["run", "--report=json=events.jsonl", "-C"])
            .arg(&root)
            .current_dir(workspace.path("elsewhere")),
    );
    output.exits(0);
    assert_eq!(names_in(&workspace, "elsewhere"), ["a"]);
    assert!(workspace.path("events.jsonl").is_file());
}

#[test]
fn unwritable_files_are_reported_before_anything_runs() {
    let Some(workspace) = workspace() else { return };
    let output = workspace
        .judge(["run", "--report=json=nowhere/events.jsonl"])
        .exits(4);
    output.stderr_has(&["cannot write", "nowhere/events.jsonl"]);
    assert_eq!(output.stdout, "");
}

fn names_in(workspace: &Workspace, directory: &str) -> Vec<String> {
    let entries = fs::read_dir(workspace.path(directory)).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn v_prints_more_and_q_prints_less() {
    let Some(workspace) = workspace() else { return };
    let message = |flags: &[&str]| workspace.judge([&["run"], flags].concat()).exits(0);
    let normal = message(&[]);
    normal
        .stdout_has(&["accepted/sum.c", "wrong_answer/more.c"])
        .stdout_lacks(&["secret/02-large", "compiled"]);
    message(&["-v"])
        .stdout_has(&["accepted/sum.c", "sample/1", "AC", "secret/02-large", "AC"])
        .stdout_lacks(&["compiled"]);
    message(&["-vv"]).stdout_has(&[
        "accepted/sum.c",
        "compiled with gcc",
        "secret/02-large",
        "expected  3",
        "found     4",
    ]);
    let quiet = message(&["-q"]);
    quiet
        .stdout_has(&["✓ 1 problem, 2 submissions as expected"])
        .stdout_lacks(&["accepted/sum.c", "The Problem"]);
    workspace.write("solutions/sum/accepted/wrong.c", SUM_PLUS_ONE);
    let quiet = workspace.judge(["run", "-q"]).exits(1);
    quiet
        .stdout_has(&["✗ accepted/wrong.c", "permits AC"])
        .stdout_lacks(&["accepted/sum.c"]);
}

#[test]
fn colour_is_used_on_terminals_or_on_request() {
    let Some(workspace) = workspace() else { return };
    let colour = |force: &str, no_color: &str| {
        let mut command = workspace.command(["run", "--samples"]);
        command
            .env("CLICOLOR_FORCE", force)
            .env("NO_COLOR", no_color)
            .env("TERM", "xterm");
        CommandOutput::from_command(&mut command)
            .exits(0)
            .stdout
            .contains('\x1b')
    };
    assert!(!colour("", ""), "a pipe is not a terminal");
    assert!(colour("1", ""));
    assert!(!colour("1", "1"), "`NO_COLOR` has priority");
}

#[test]
fn terminals_get_colour_unless_the_environment_disables_it() {
    let Some(workspace) = workspace() else { return };
    if Command::new("script").arg("--version").output().is_err() {
        return skipped("colour on a terminal", "there is no `script` in PATH");
    }
    let colour = |variables: &[(&str, &str)]| {
        let line = format!(
            "exec '{}' run --samples 2>/dev/null",
            env!("CARGO_BIN_EXE_judge")
        );
        let mut command =
            workspace.command_of("script".as_ref(), ["-q", "-e", "-c", &line, "/dev/null"]);
        let output = CommandOutput::from_command(
            command.env("TERM", "xterm").envs(variables.iter().copied()),
        )
        .exits(0);
        output.stdout_has(&["accepted/sum.c"]);
        output.stdout.contains("\x1b[")
    };
    assert!(colour(&[]));
    assert!(colour(&[("NO_COLOR", "")]), "an empty value has no effect");
    assert!(!colour(&[("NO_COLOR", "1")]));
    assert!(!colour(&[("TERM", "dumb")]));
}

#[test]
fn the_width_and_the_encoding_of_the_terminal_are_respected() {
    let Some(workspace) = workspace() else { return };
    let mut command = workspace.command(["run", "-vv"]);
    let output =
        CommandOutput::from_command(command.env("COLUMNS", "60").env("LC_ALL", "C")).exits(0);
    assert!(output.stdout.is_ascii(), "{}", output.stdout);
    let longest = output.stdout.lines().map(str::len).max().unwrap();
    assert!(longest <= 60, "{longest}:\n{}", output.stdout);
}

#[test]
fn isolation_is_disabled_only_by_name_and_with_a_report() {
    let Some(workspace) = workspace() else { return };
    let output = workspace
        .judge(["run", "-q", "--isolation", "none"])
        .exits(0);
    output.stdout_has(&[
        "isolation none, not guaranteed:",
        "no network",
        "2 submissions as expected",
    ]);
    workspace.write("judge.yaml", "isolation: none\n");
    // The program is not in the cache yet: compilers run at this level too.
    let source = format!("/* {} */\n{SUM}", workspace.root().display());
    workspace.write("solutions/sum/accepted/again.c", source);
    workspace
        .judge(["run"])
        .exits(0)
        .stdout_has(&["isolation none", "3 submissions as expected"]);
}

//! Verdicts: a program for each way in which a run can end, judged at each available isolation
//! level.
//!
//! All of them are in `accepted/`, so that every other verdict is unexpected, and reported with its
//! evidence.

use std::fs;
use std::sync::LazyLock;

use judge_event::{DifferenceKind, Position};
use judge_model::{IsolationLevel, Limit, Termination, Verdict};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::workspace::{CommandOutput, Workspace, levels, parse};

const HEAD: &str = "#define _GNU_SOURCE\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <string.h>\n#include <unistd.h>\n";
const ANSWER: &str = "alpha\n1 2 3\nomega\n";

/// Name and body of `main`.
const PROGRAMS: [(&str, &str); 19] = [
    ("right", r#"puts("alpha\n1 2 3\nomega");"#),
    (
        "right_without_last_newline",
        r#"printf("alpha\n1 2 3\nomega");"#,
    ),
    (
        "right_and_noisy",
        r#"fputs("some noise\n", stderr); puts("alpha\n1 2 3\nomega");"#,
    ),
    ("wrong_token", r#"puts("alpha\n1 7 3\nomega");"#),
    ("closes_stdout", r#"fclose(stdout); close(1);"#),
    (
        "hostile_output",
        r#"char text[] = "alpha\n1 \0\033[31m 3\nomega\n"; fwrite(text, 1, sizeof text - 1, stdout);"#,
    ),
    ("spins", "for (volatile int i = 0;; i = i + 1) {}"),
    ("sleeps", "for (;;) pause();"),
    ("crashes", "volatile int *nowhere = 0; *nowhere = 1;"),
    ("aborts", "abort();"),
    (
        "exits_with_3",
        r#"fputs("giving up: \033[2Jno route\n", stderr); return 3;"#,
    ),
    (
        "exits_with_3_after_the_answer",
        r#"puts("alpha\n1 2 3\nomega"); return 3;"#,
    ),
    ("kills_itself", "kill(getpid(), SIGKILL);"),
    (
        "eats_memory",
        "for (;;) memset(malloc(1 << 20), 1, 1 << 20);",
    ),
    ("floods_stdout", r#"for (;;) puts("alpha");"#),
    ("floods_stderr", r#"for (;;) fputs("alpha\n", stderr);"#),
    (
        "composes_a_path",
        r#"char path[16]; sprintf(path, "/dev/%s", "stdin"); if (!fopen(path, "r")) { perror(path); return 1; }
        puts("alpha\n1 2 3\nomega");"#,
    ),
    (
        "hides_a_path",
        r#"char path[] = "|dev|stdin"; path[0] = path[4] = '|' ^ 83; if (!fopen(path, "r")) { perror(path); return 1; }
        puts("alpha\n1 2 3\nomega");"#,
    ),
    ("does_not_compile", "return undeclared /* \x1b[31m */;"),
];

/// One run of all programs at each level; empty on a host without isolation.
static RUNS: LazyLock<Vec<(IsolationLevel, CommandOutput)>> = LazyLock::new(|| {
    let Some(workspace) = Workspace::isolated() else {
        return Vec::new();
    };
    workspace.problem(
        "lines",
        "limits:\n  time_limit: 0.5\n  memory: 64\n  output: 1\n",
    );
    // More than a pipe holds: programs that do not read it must not block the judge.
    workspace.case("lines", "secret/01", &"1 2\n".repeat(100_000), ANSWER);
    // On a busy host a program gets only a part of a processor. It must use up its CPU time long
    // before the additional second of elapsed time.
    workspace.problem("short", "limits: {time_limit: 0.1}\n");
    workspace.case("short", "secret/01", "1 2\n", ANSWER);
    for (name, body) in PROGRAMS {
        let source = format!("{HEAD}int main(void) {{ {body} }}\n");
        let problem = if name == "spins" { "short" } else { "lines" };
        workspace.write(&format!("solutions/{problem}/accepted/{name}.c"), source);
    }
    let judge = |level: IsolationLevel| {
        let output = workspace.judge([
            "run",
            "--report=json=events.jsonl",
            "--isolation",
            level.name(),
        ]);
        let events = parse(&fs::read_to_string(workspace.path("events.jsonl")).unwrap());
        (level, CommandOutput { events, ..output })
    };
    levels().into_iter().map(judge).collect()
});

fn id(name: &str) -> String {
    format!("accepted/{name}.c")
}

/// The part of the report about one submission: from its row to the next one.
fn report_on<'a>(output: &'a CommandOutput, name: &str) -> &'a str {
    let start = output
        .stdout
        .find(&id(name))
        .unwrap_or_else(|| panic!("no {name} in:\n{}", output.stdout));
    let rest = &output.stdout[start..];
    let end = rest
        .match_indices("\n  ")
        .find(|(place, _)| !rest[place + 3..].starts_with(' '));
    &rest[..end.map_or(rest.len(), |(place, _)| place)]
}

/// Asserts a program's verdict and words of its report, at every level.
#[track_caller]
fn expect(name: &str, verdict: Verdict, words: &[&str]) {
    for (level, output) in RUNS.iter() {
        assert_eq!(
            output.verdict(&id(name)),
            verdict,
            "at {level}:\n{}",
            report_on(output, name)
        );
        let message = report_on(output, name);
        assert!(
            words.iter().all(|word| message.contains(word)),
            "{words:?} at {level} in:\n{message}"
        );
    }
}

#[track_caller]
fn expect_termination(name: &str, expected: Termination) {
    for (level, output) in RUNS.iter() {
        assert_eq!(
            output.last_case(&id(name)).termination,
            expected,
            "{name} at {level}"
        );
    }
}

#[test]
fn surprises_decide_the_exit_code() {
    let codes: Vec<_> = RUNS.iter().map(|(_, output)| output.code).collect();
    assert!(codes.iter().all(|code| *code == Some(1)), "{codes:?}");
}

#[test]
fn correct_output_is_accepted() {
    expect("right", Verdict::Accepted, &["AC"]);
    expect("right_without_last_newline", Verdict::Accepted, &["AC"]);
    expect("right_and_noisy", Verdict::Accepted, &["AC"]);
}

#[test]
fn a_wrong_token_is_shown_with_its_place_and_a_diff() {
    let words = [
        "accepted` permits AC, but `secret/01` got WA",
        "line 2, column 3 (token 2)",
    ];
    expect("wrong_token", Verdict::WrongAnswer, &words);
    expect(
        "wrong_token",
        Verdict::WrongAnswer,
        &["- expected  2", "+ found     7", "- 2  1 2 3", "+ 2  1 7 3"],
    );
    for (_, output) in RUNS.iter() {
        let difference = output
            .last_case(&id("wrong_token"))
            .difference
            .clone()
            .unwrap();
        assert_eq!(difference.kind, DifferenceKind::Token);
        assert_eq!(
            difference.output_position,
            Position {
                line: 2,
                column: 3,
                token: 2
            }
        );
        assert_eq!(
            (
                difference.expected.0.as_slice(),
                difference.found.0.as_slice()
            ),
            (&b"2"[..], &b"7"[..])
        );
    }
}

#[test]
fn empty_output_is_a_wrong_answer() {
    expect(
        "closes_stdout",
        Verdict::WrongAnswer,
        &["the output ends too early", "- expected  alpha"],
    );
}

#[test]
fn output_of_programs_is_escaped_on_the_terminal() {
    expect(
        "hostile_output",
        Verdict::WrongAnswer,
        &["\\x00", "\\x1b[31m"],
    );
    expect("exits_with_3", Verdict::RunTimeError, &["\\x1b[2J"]);
    expect("does_not_compile", Verdict::CompileError, &["\\x1b[31m"]);
    for (level, output) in RUNS.iter() {
        let raw = output.stdout.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(raw, None, "at {level}:\n{}", output.stdout.escape_debug());
        // The stream keeps the bytes.
        let difference = output
            .last_case(&id("hostile_output"))
            .difference
            .clone()
            .unwrap();
        assert_eq!(difference.found.0, b"\0\x1b[31m");
    }
}

#[test]
fn busy_loops_are_stopped_soon_after_the_limit() {
    expect(
        "spins",
        Verdict::TimeLimitExceeded,
        &["stopped after 0.", "s of CPU time; the limit is 0.1 s"],
    );
    expect_termination(
        "spins",
        Termination::Killed {
            limit: Limit::CpuTime,
        },
    );
    for (level, output) in RUNS.iter() {
        let cpu_time_us = output.last_case(&id("spins")).cpu_time_us;
        assert!(
            (100_000..1_000_000).contains(&cpu_time_us),
            "{cpu_time_us} at {level}"
        );
    }
}

#[test]
fn sleeping_is_distinguished_from_computing() {
    // The time depends on the host: on a busy one it is run again alone, with a larger limit.
    expect(
        "sleeps",
        Verdict::TimeLimitExceeded,
        &["stopped after ", "s of elapsed time; idle, with 0.0"],
    );
    expect_termination(
        "sleeps",
        Termination::Killed {
            limit: Limit::WallTime,
        },
    );
    for (level, output) in RUNS.iter() {
        let case = output.last_case(&id("sleeps"));
        assert!(
            case.wall_time_us > 1_400_000 && case.cpu_time_us < 200_000,
            "{case:?} at {level}"
        );
    }
}

#[test]
fn signals_are_reported_by_name() {
    expect(
        "crashes",
        Verdict::RunTimeError,
        &["run time error: SIGSEGV (signal 11)"],
    );
    expect(
        "aborts",
        Verdict::RunTimeError,
        &["run time error: SIGABRT (signal 6)"],
    );
    // This is not reported as a limit: the cause of a kill is recorded, not guessed.
    expect(
        "kills_itself",
        Verdict::RunTimeError,
        &["run time error: SIGKILL (signal 9)"],
    );
    expect_termination("kills_itself", Termination::Signaled { signal: 9 });
}

#[test]
fn exit_codes_count_after_any_output() {
    expect(
        "exits_with_3",
        Verdict::RunTimeError,
        &["exit code 3", "standard error:", "no route"],
    );
    expect(
        "exits_with_3_after_the_answer",
        Verdict::RunTimeError,
        &["exit code 3"],
    );
    expect_termination("exits_with_3", Termination::Exited { code: 3 });
}

#[test]
fn streams_open_by_composed_paths() {
    expect("composes_a_path", Verdict::Accepted, &[]);
    // Its source does not show that it needs /proc.
    expect(
        "hides_a_path",
        Verdict::RunTimeError,
        &["exit code 1; `/proc`, and streams below `/dev`, are available to"],
    );
}

#[test]
fn exceeding_the_memory_limit_is_reported() {
    expect(
        "eats_memory",
        Verdict::MemoryLimitExceeded,
        &["memory limit exceeded", "64 MiB"],
    );
    expect_termination(
        "eats_memory",
        Termination::Killed {
            limit: Limit::Memory,
        },
    );
}

#[test]
fn programs_killed_by_the_control_group_exceeded_the_memory_limit() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let package = crate::programs::path("eatsmemory");
    for level in levels() {
        let output = workspace
            .events([
                "run",
                "--isolation",
                level.name(),
                package.to_str().unwrap(),
            ])
            .exits(0);
        let case = output.last_case("run_time_error/eats.c");
        assert_eq!(case.verdict, Verdict::MemoryLimitExceeded, "at {level}");
        assert_eq!(
            case.termination,
            Termination::Killed {
                limit: Limit::Memory
            },
            "at {level}"
        );
    }
}

#[test]
fn excessive_output_is_stopped_at_the_limit() {
    expect(
        "floods_stdout",
        Verdict::OutputLimitExceeded,
        &["output limit exceeded", "limit of 1 MiB"],
    );
    expect(
        "floods_stderr",
        Verdict::OutputLimitExceeded,
        &["output limit exceeded", "limit of 1 MiB"],
    );
    expect_termination(
        "floods_stderr",
        Termination::Killed {
            limit: Limit::Output,
        },
    );
}

#[test]
fn compile_errors_show_the_message_of_the_compiler() {
    let words = [
        "the submission did not compile",
        "says:",
        "error:",
        "undeclared",
    ];
    expect("does_not_compile", Verdict::CompileError, &words);
    for (_, output) in RUNS.iter() {
        assert_eq!(
            output
                .test_cases()
                .filter(|case| case.submission == id("does_not_compile"))
                .count(),
            0
        );
    }
}

/// Processes that compete for the processor of this thread, until they are dropped.
struct Rivals(Vec<std::process::Child>);

impl Rivals {
    fn new(number: usize) -> Self {
        let start = || {
            std::process::Command::new("sh")
                // Ends also if this process is killed.
                .args(["-c", "while kill -0 $PPID; do :; done"])
                .spawn()
                .unwrap()
        };
        Self((0..number).map(|_| start()).collect())
    }
}

impl Drop for Rivals {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn sleeping_programs_are_not_mistaken_for_starved_ones_at_the_best_level() {
    distinguishes_waits(0, levels().into_iter().max());
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn sleeping_programs_are_not_mistaken_for_starved_ones_at_any_level() {
    distinguishes_waits(1, levels());
}

/// Restricts this thread, and the processes that it starts, to one processor until it is dropped:
/// rivals on the others would only compete with other tests.
struct OneProcessor {
    before: CpuSet,
}

impl OneProcessor {
    /// Chooses the processor by a number, so that tests that run in parallel can have different
    /// ones.
    fn new(number: usize) -> Self {
        let before = sched_getaffinity(None).unwrap();
        let mut one = CpuSet::new();
        let all: Vec<usize> = (0..CpuSet::MAX_CPU)
            .filter(|processor| before.is_set(*processor))
            .collect();
        one.set(all[number % all.len()]);
        sched_setaffinity(None, &one).unwrap();
        Self { before }
    }
}

impl Drop for OneProcessor {
    fn drop(&mut self) {
        let _ = sched_setaffinity(None, &self.before);
    }
}

fn distinguishes_waits(processor: usize, levels: impl IntoIterator<Item = IsolationLevel>) {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let package = crate::programs::path("sleeper");
    let _one = OneProcessor::new(processor);
    for level in levels {
        let _rivals = Rivals::new(3);
        let args = [
            "run",
            "-j1",
            "--isolation",
            level.name(),
            package.to_str().unwrap(),
        ];
        let output = workspace.events(args).exits(0);
        let sleeper = output.last_case("time_limit_exceeded/sleeps.c");
        assert_eq!(sleeper.verdict, Verdict::TimeLimitExceeded, "at {level}");
        assert_eq!(sleeper.near_limit, None, "at {level}: decided by one run");
        // If the virtual machine is suspended for a moment, its first run may be stopped, and
        // another run decides. The other processes must not change the verdict.
        let correct = output.last_case("accepted/computes.c");
        assert_eq!(correct.verdict, Verdict::Accepted, "at {level}");
    }
}

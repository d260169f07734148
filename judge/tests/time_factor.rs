//! The factor of a slower host: the scaled limit in judging, reports and the cache, and limits that
//! are not scaled.

use judge_model::Verdict;

use crate::workspace::{CommandOutput, SUM, Workspace, has};

/// Takes 1.5 times a time limit in seconds.
const SLOW: &str = "#include <stdio.h>
#include <time.h>
int main(void) {
    long a, b;
    scanf(\"%ld %ld\", &a, &b);
    while (clock() < CLOCKS_PER_SEC * LIMIT * 3 / 2) {}
    printf(\"%ld\\n\", a + b);
}
";

/// The problem `sum` with a short time limit, and a program that takes longer. On a host with busy
/// processors, a program may take a second more than its limit, which is much more than this one
/// needs.
fn slow() -> Option<Workspace> {
    slow_at("0.1")
}

/// The same with this time limit, in seconds.
fn slow_at(limit: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("c"))?;
    workspace.sum("sum");
    let settings = std::fs::read_to_string(workspace.path("problems/sum/problem.yaml")).unwrap();
    assert!(settings.contains("time_limit: 4"), "{settings}");
    let limits = format!("time_limit: {limit}\n  time_resolution: {limit}");
    workspace.write(
        "problems/sum/problem.yaml",
        settings.replace("time_limit: 4", &limits),
    );
    workspace.write(
        "solutions/sum/accepted/slow.c",
        SLOW.replace("LIMIT", limit),
    );
    Some(workspace)
}

/// Judges the slow program on the sample, and returns its verdict.
fn verdict(workspace: &Workspace, options: &[&str]) -> (Verdict, CommandOutput) {
    let output = workspace.events([&["run", "sum/accepted/slow.c", "--samples"], options].concat());
    (output.verdict("accepted/slow.c"), output)
}

fn limit(output: &CommandOutput) -> (u64, Option<f64>) {
    let started = &output.state().problems[0].started;
    (started.time_limit_us, started.time_factor)
}

#[test]
fn the_limit_of_the_package_is_multiplied_and_reported() {
    let Some(workspace) = slow() else { return };
    let (at_once, output) = verdict(&workspace, &[]);
    assert_eq!(
        (at_once, limit(&output)),
        (Verdict::TimeLimitExceeded, (100_000, None))
    );
    assert_eq!(output.code, Some(1));
    let (scaled, output) = verdict(&workspace, &["--time-factor", "4"]);
    assert_eq!(
        (scaled, limit(&output)),
        (Verdict::Accepted, (400_000, Some(4.0)))
    );
    assert_eq!(output.code, Some(0));
    // The reported limits are those of the package.
    assert_eq!(
        output.state().problems[0].started.limits.time_limit,
        Some(std::time::Duration::from_millis(100))
    );
    let output = workspace
        .judge(["run", "sum", "--samples", "--time-factor", "4"])
        .exits(0);
    output.stdout_has(&["0.4 s (0.1 s \u{d7} 4)", "/ 0.4 s"]);
}

#[test]
fn the_command_line_takes_precedence_over_the_workspace() {
    let Some(workspace) = slow() else { return };
    workspace.write("judge.yaml", "time_factor: 4\n");
    let (scaled, output) = verdict(&workspace, &[]);
    assert_eq!(
        (scaled, limit(&output)),
        (Verdict::Accepted, (400_000, Some(4.0)))
    );
    let (at_once, output) = verdict(&workspace, &["--time-factor", "1"]);
    assert_eq!(
        (at_once, limit(&output)),
        (Verdict::TimeLimitExceeded, (100_000, None))
    );
    // A limit on the command line is not scaled.
    let (typed, output) = verdict(&workspace, &["--time-limit", "0.05"]);
    assert_eq!(
        (typed, limit(&output)),
        (Verdict::TimeLimitExceeded, (50_000, None))
    );
    workspace
        .judge(["run", "--time-limit", "1", "--time-factor", "2"])
        .exits(2)
        .stderr_has(&["cannot be used with"]);
    for wrong in ["0", "-1", "nan", "1000", "x"] {
        workspace.judge(["run", "--time-factor", wrong]).exits(2);
    }
    workspace.write("judge.yaml", "time_factor: 0\n");
    workspace
        .judge(["run"])
        .exits(2)
        .stderr_has(&["judge.yaml:1: `time_factor`: expected a factor from 0.01 to 100"]);
}

#[test]
fn every_judging_command_accepts_the_factor() {
    let Some(workspace) = slow() else { return };
    for command in [
        &["run", "--matrix", "sum/accepted/slow.c"][..],
        &["verify", "sum/accepted/slow.c"],
    ] {
        for (factor, limit) in [("4", "0.4 s"), ("1", "0.1 s")] {
            let output = workspace.judge([command, &["-v", "--time-factor", factor]].concat());
            output.stdout_has(&[limit]);
            assert_eq!(
                output.stdout.contains("TLE") || output.stdout.contains("time limit exceeded"),
                factor == "1",
                "{}",
                output.stdout
            );
        }
    }
    workspace
        .judge(["verify", "--time-factor", "x"])
        .exits(2)
        .stderr_has(&["expected a factor"]);
}

#[test]
fn results_with_a_different_limit_are_not_reused() {
    let Some(workspace) = slow() else { return };
    let run = |options: &[&str]| {
        let words = [
            &["run", "sum/accepted/slow.c", "--samples", "--report=json"],
            options,
        ]
        .concat();
        let output = CommandOutput::from_command(&mut workspace.command_keeping(words));
        let cached = output.state().problems[0].submissions[0]
            .test_cases
            .iter()
            .any(|test| test.cached);
        (output.verdict("accepted/slow.c"), cached)
    };
    assert_eq!(run(&["--time-factor", "4"]), (Verdict::Accepted, false));
    assert_eq!(run(&["--time-factor", "4"]), (Verdict::Accepted, true));
    assert_eq!(run(&[]).0, Verdict::TimeLimitExceeded);
    assert_eq!(run(&["--time-factor", "4"]).0, Verdict::Accepted);
}

#[test]
fn a_time_near_the_scaled_limit_is_run_again() {
    let Some(workspace) = slow_at("1") else {
        return;
    };
    // 1.5 s of 1.6 s is near the limit, so it is confirmed alone. It would be far beyond a limit of
    // 1 s.
    let (verdict, output) = verdict(&workspace, &["--time-factor", "1.6"]);
    assert_eq!(verdict, Verdict::Accepted);
    let near = output.state().problems[0].submissions[0]
        .test_cases
        .iter()
        .any(|test| test.near_limit.is_some());
    assert!(near, "{}", output.stdout);
}

#[test]
fn inferred_limits_are_not_scaled() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("c")) else {
        return;
    };
    workspace.sum("sum");
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    let settings = std::fs::read_to_string(workspace.path("problems/sum/problem.yaml")).unwrap();
    workspace.write(
        "problems/sum/problem.yaml",
        settings.replace("  time_limit: 4\n", ""),
    );
    let inferred = |options: &[&str]| {
        let output = workspace
            .events([&["run", "sum", "--no-cache"], options].concat())
            .exits(0);
        let started = output.state().problems[0].started.clone();
        assert!(started.time_limit_from.is_some());
        (started.time_limit_us, started.time_factor)
    };
    assert_eq!(inferred(&[]), inferred(&["--time-factor", "10"]));
}

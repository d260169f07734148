//! Verdicts that once depended on the isolation level: packages of `testdata/packages`, judged at
//! every available level.

use judge_event::TestCaseFinished;
use judge_model::{IsolationLevel, Termination, Verdict};

use crate::programs::path;
use crate::workspace::{CommandOutput, Workspace, has, skipped};

/// Judges a package in the repository, at each level. Unavailable levels are reported as skipped.
fn run_at_all_levels(package: &str) -> Vec<(IsolationLevel, CommandOutput)> {
    let outputs = run_at_levels(package, |_| true);
    // Without a workspace, nothing was run at all.
    assert!(
        !outputs.is_empty() || Workspace::isolated().is_none(),
        "there is always `none`"
    );
    outputs
}

fn run_at_levels(
    package: &str,
    is_included: fn(IsolationLevel) -> bool,
) -> Vec<(IsolationLevel, CommandOutput)> {
    let Some(workspace) = Workspace::isolated() else {
        return Vec::new();
    };
    let package = path(package);
    let judge = |level: IsolationLevel| {
        let args = [
            "run",
            "--no-fail-fast",
            "--report=json",
            "--isolation",
            level.name(),
            package.to_str().unwrap(),
        ];
        let output = workspace.judge(args);
        if output.code == Some(4) && output.stderr.contains("is unavailable on this host") {
            skipped(level.name(), &output.stderr);
            return None;
        }
        Some((level, output))
    };
    IsolationLevel::ALL
        .into_iter()
        .filter(|level| is_included(*level))
        .filter_map(judge)
        .collect()
}

#[test]
fn shared_memory_of_forks_counts_once() {
    for (level, output) in run_at_all_levels("forks") {
        let no_room = |case: &TestCaseFinished| case.termination == Termination::Exited { code: 2 };
        if level == IsolationLevel::Landlock && output.test_cases().any(no_room) {
            // A gap of this level: the number of processes is counted together with all others of
            // the same user.
            skipped(
                level.name(),
                "the user's other programs left no room for these to fork",
            );
            continue;
        }
        let output = output.exits(0);
        assert_eq!(output.test_cases().count(), 2, "at {level}");
        for case in output.test_cases() {
            let mebibytes = case.memory_bytes >> 20;
            assert!(
                (40..80).contains(&mebibytes),
                "at {level}: {mebibytes} MiB: {case:?}"
            );
        }
    }
}

#[test]
fn programs_can_lock_files() {
    if !has("python3") {
        return;
    }
    for (level, output) in run_at_all_levels("locks") {
        assert_eq!(
            output.verdict("accepted/locks_its_file.py"),
            Verdict::Accepted,
            "at {level}: {}",
            output.stdout
        );
    }
}

#[test]
fn timer_wakeups_are_not_deadlocks_with_namespaces() {
    distinguishes_timers(|level| level >= IsolationLevel::Namespaces);
}

#[test]
fn timer_wakeups_are_not_deadlocks_without_namespaces() {
    distinguishes_timers(|level| level < IsolationLevel::Namespaces);
}

fn distinguishes_timers(is_included: fn(IsolationLevel) -> bool) {
    for (level, output) in run_at_levels("timers", is_included) {
        let output = output.exits(0);
        for timer in ["accepted/posix_timer.c", "accepted/interval_timer.c"] {
            assert_eq!(output.verdict(timer), Verdict::Accepted, "at {level}");
        }
        let stuck = output.last_case("time_limit_exceeded/no_timer.c");
        assert!(
            stuck.interaction.as_ref().unwrap().deadlock,
            "at {level}: {stuck:?}"
        );
    }
}

//! Inferred time limits of packages that state none.

use std::ffi::OsStr;
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use judge_event::{Event, TestCaseFinished, TimeLimitFrom};
use judge_model::Verdict;
use rustix::process::{Pid, Signal, kill_process};

use crate::programs::{path, run_package};
use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, has};

#[test]
fn time_limits_are_inferred_from_fast_enough_submissions() {
    let Some(output) = run_package("inferredlimit") else {
        return;
    };
    let output = output.exits(0);
    let started = output.state().problems.remove(0).started;
    let from = started.time_limit_from.clone().unwrap();
    assert_eq!(
        (from.submission.as_str(), from.test_case.as_str()),
        ("accepted/slower.py", "secret/3")
    );
    assert!(from.cpu_time_us >= 400_000, "{from:?}");
    // The smallest multiple of a tenth of a second that is at least twice the time.
    assert_eq!(started.time_limit_us % 100_000, 0);
    assert!(
        (2 * from.cpu_time_us..2 * from.cpu_time_us + 100_000).contains(&started.time_limit_us),
        "{started:?}"
    );
    assert_eq!(
        output.verdict("time_limit_exceeded/endless.py"),
        Verdict::TimeLimitExceeded
    );
}

#[test]
fn selections_have_the_time_limit_of_the_whole_problem() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let path = path("inferredlimit");
    let wrong = path.join("submissions/wrong_answer/wrong.py");
    let output = workspace
        .events([OsStr::new("run"), wrong.as_os_str(), "--samples".as_ref()])
        .exits(0);
    let started = output.state().problems.remove(0).started;
    assert_eq!(started.submissions, ["wrong_answer/wrong.py"]);
    assert_eq!(
        started.time_limit_from.unwrap().submission,
        "accepted/slower.py"
    );
    let submit = [
        OsStr::new("submit"),
        "-p".as_ref(),
        path.as_os_str(),
        wrong.as_os_str(),
    ];
    workspace
        .judge(submit)
        .exits(1)
        .stdout_has(&["inferredlimit: wrong answer on sample/1"]);
}

#[test]
fn slow_submissions_must_exceed_the_limit_by_the_margin() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let path = path("slowenough");
    // Even if judging stops early, the submission runs until it is slow enough, or to its end.
    let output = workspace
        .events([OsStr::new("run"), path.as_os_str()])
        .exits(1);
    assert_eq!(
        output.verdict("time_limit_exceeded/almost.py"),
        Verdict::TimeLimitExceeded
    );
    assert_eq!(
        output.verdict("time_limit_exceeded/enough.py"),
        Verdict::TimeLimitExceeded
    );
    let violations = |id: &str| {
        let submissions = output.state().problems.remove(0).submissions;
        submissions
            .into_iter()
            .find(|submission| submission.started.submission == id)
            .unwrap()
            .finished
            .unwrap()
            .violations
    };
    let message = violations("time_limit_exceeded/almost.py");
    assert!(
        message.len() == 1
            && message[0].contains("is too long: `time_limit_exceeded/almost.py` must be too slow"),
        "{message:?}"
    );
    assert!(violations("time_limit_exceeded/enough.py").is_empty());
}

#[test]
fn packages_without_a_measurable_limit_are_package_faults() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let path = path("nolimit");
    let output = workspace
        .judge([OsStr::new("run"), path.as_os_str()])
        .exits(3);
    output.stdout_has(&[
        "no time limit",
        "no time limit is stated, and none can be inferred: `accepted/broken.c` does not compile: ",
        "error: expected expression",
        "hint: set `limits.time_limit`",
        "skipped: the package is at fault",
    ]);
    let output = workspace
        .judge([
            OsStr::new("run"),
            "--time-limit".as_ref(),
            "1".as_ref(),
            path.as_os_str(),
        ])
        .exits(1);
    output.stdout_has(&["accepted/broken.c", "CE"]);
}

/// The sum, after computing for this number of milliseconds.
fn slow_sum(millis: u64) -> String {
    let wait = format!("while (clock() < {millis} * (CLOCKS_PER_SEC / 1000)) {{}}");
    format!(
        "#include <time.h>\n{}",
        SUM.replace("int a, b;", &format!("int a, b; {wait}"))
    )
}

/// The problem `open`: the sum without a time limit, on a fine grid.
fn open_sum() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem("open", "limits: {time_resolution: 0.001, memory: 256}\n");
    for (id, input, answer) in [
        ("sample/1", "1 2\n", "3\n"),
        ("secret/1", "2 3\n", "5\n"),
        ("secret/2", "4 5\n", "9\n"),
    ] {
        workspace.case("open", id, input, answer);
    }
    workspace.write("solutions/open/accepted/a.c", SUM);
    workspace.write("solutions/open/accepted/slow.c", slow_sum(150));
    workspace.write("solutions/open/wrong_answer/w.c", SUM_PLUS_ONE);
    Some(workspace)
}

/// Runs `judge` with a store of results that further calls share.
fn judge_with_shared_results<const N: usize>(
    workspace: &Workspace,
    args: [&str; N],
) -> CommandOutput {
    CommandOutput::from_command(&mut workspace.command_keeping(args))
}

#[track_caller]
fn limit(output: &CommandOutput) -> (u64, TimeLimitFrom) {
    let started = output.state().problems.remove(0).started;
    (started.time_limit_us, *started.time_limit_from.unwrap())
}

/// The bytes of all results that are kept.
fn kept_bytes(workspace: &Workspace) -> usize {
    workspace
        .files_below(&workspace.results_dir().join("records"))
        .values()
        .map(Vec::len)
        .sum()
}

#[test]
fn every_command_uses_the_limit_measured_once() {
    let Some(workspace) = open_sum() else { return };
    let first = judge_with_shared_results(&workspace, ["run", "open", "--report=json"]).exits(0);
    let (measured, from) = limit(&first);
    assert_eq!(
        (from.submission.as_str(), from.cached),
        ("accepted/slow.c", false)
    );
    assert!(
        from.cpu_time_us >= 140_000 && measured >= 2 * from.cpu_time_us,
        "{from:?}"
    );
    let kept = TimeLimitFrom {
        cached: true,
        ..from
    };
    workspace.write("mine/open/own.c", slow_sum(20));
    for args in [
        &["run", "open", "--report=json"][..],
        &["run", "open", "--jobs=1", "--report=json"],
        &["verify", "open", "--report=json"],
        &["run", "--matrix", "open", "--report=json"],
        &["submit", "mine/open/own.c", "--report=json"],
        &["run", "open/sample/1", "--report=json"],
    ] {
        // A package without a statement has an error.
        let output = CommandOutput::from_command(&mut workspace.command_keeping(args))
            .exits(if args[0] == "verify" { 3 } else { 0 });
        assert_eq!(limit(&output), (measured, kept.clone()), "{args:?}");
        let of_package: Vec<_> = output
            .test_cases()
            .filter(|test_case| test_case.submission != "own.c")
            .collect();
        assert!(
            of_package.iter().all(|test_case| test_case.cached),
            "{args:?}: {of_package:?}"
        );
    }
    let before = kept_bytes(&workspace);
    let compare = [
        "compare",
        "open/accepted/a.c",
        "mine/open/own.c",
        "--budget=0.1",
        "--report=json",
    ];
    let stdout = judge_with_shared_results(&workspace, compare)
        .exits(0)
        .stdout;
    let comparison: judge_event::comparison::Comparison = serde_json::from_str(&stdout).unwrap();
    assert_eq!(comparison.time_limit_us, measured);
    workspace.write(
        "problems/open/input_validators/v.ctd",
        "INT(0,9) SPACE INT(0,9) NEWLINE EOF\n",
    );
    judge_with_shared_results(
        &workspace,
        ["stress", "mine/open/own.c", "-p", "open", "--inputs=5"],
    )
    .exits(0);
    judge_with_shared_results(
        &workspace,
        [
            "add",
            "-p",
            "open",
            "--dry-run",
            "problems/open/data/secret/1.in",
        ],
    );
    assert_eq!(kept_bytes(&workspace), before, "nothing was measured again");
    // Only on request.
    let measured =
        judge_with_shared_results(&workspace, ["run", "open", "--no-cache", "--report=json"])
            .exits(0);
    assert!(!limit(&measured).1.cached && measured.test_cases().all(|test_case| !test_case.cached));
    assert!(kept_bytes(&workspace) > before);
    let (_, again) =
        limit(&judge_with_shared_results(&workspace, ["run", "open", "--report=json"]).exits(0));
    assert_eq!(
        again,
        TimeLimitFrom {
            cached: true,
            ..limit(&measured).1
        }
    );
}

#[test]
fn headings_show_origin_and_age_of_limits() {
    let Some(workspace) = open_sum() else { return };
    let words = [
        "(inferred)",
        "time limit inferred from accepted/slow.c: 0.1",
    ];
    judge_with_shared_results(&workspace, ["run", "open"])
        .exits(0)
        .stdout_has(&words)
        .stdout_has(&["s on s", ", measured in this run"]);
    judge_with_shared_results(&workspace, ["run", "open"])
        .exits(0)
        .stdout_has(&words)
        .stdout_has(&[", cached since 20", "UTC"]);
}

#[test]
fn only_changed_solutions_are_measured_again() {
    let Some(workspace) = open_sum() else { return };
    let run = || judge_with_shared_results(&workspace, ["run", "open", "--report=json"]).exits(0);
    // On a busy host, a run may wait for a processor for longer than the limit that follows from it.
    // Its result is not used then, so a change has three attempts.
    let attempts = |change: &dyn Fn(u64), is_expected: &dyn Fn(&TestCaseFinished) -> bool| {
        let mut unexpected = Vec::new();
        for attempt in 0..3 {
            change(attempt);
            let output = run();
            let cases = output.test_cases();
            unexpected = cases
                .filter(|test_case| !is_expected(test_case))
                .cloned()
                .collect();
            if unexpected.is_empty() {
                return output;
            }
        }
        panic!("{unexpected:#?}");
    };
    let (before, _) = limit(&run());
    let change = |attempt: u64| {
        workspace.write("solutions/open/accepted/slow.c", slow_sum(250 + attempt));
    };
    let output = attempts(&change, &|test_case| {
        test_case.cached == (test_case.submission != "accepted/slow.c")
    });
    let (after, from) = limit(&output);
    assert!(
        !from.cached && from.cpu_time_us >= 240_000 && after > before,
        "{from:?}"
    );
    // The same applies to changed test data.
    let change = |attempt: u64| {
        let (input, answer) = (format!("5 {attempt}\n"), format!("{}\n", 5 + attempt));
        workspace.case("open", "secret/2", &input, &answer);
    };
    attempts(&change, &|test_case| {
        let is_measured = test_case.submission.starts_with("accepted/");
        !is_measured || test_case.cached == (test_case.test_case != "secret/2")
    });
}

/// The whole report without times, values that depend on them, sources, and marks of cached
/// results.
fn without_variations(output: &CommandOutput) -> Vec<String> {
    let stable_text = |event: &Event| match event {
        Event::RunStarted(_) | Event::RunFinished(_) | Event::CompileFinished(_) => None,
        Event::ProblemStarted(started) => {
            Some(format!("{} {:?}", started.problem, started.submissions))
        }
        // One of the sources is changed.
        Event::SubmissionStarted(started) => {
            Some(format!("{} {:?}", started.submission, started.expectations))
        }
        Event::TestCaseFinished(finished) => Some(format!(
            "{} {} {:?}",
            finished.submission, finished.test_case, finished.verdict
        )),
        Event::SubmissionFinished(finished) => Some(format!(
            "{} {:?} {:?}",
            finished.submission, finished.verdict, finished.violations
        )),
        other => Some(format!("{other:?}")),
    };
    output.events.iter().filter_map(stable_text).collect()
}

/// Ends a run while limits are measured: measured results are not measured again, and the report is
/// the same.
fn measuring_resumes_after(signal: Signal, code: Option<i32>) {
    let Some(workspace) = open_sum() else { return };
    let whole = workspace.events(["run", "open"]).exits(0);
    // The same text, with more time for an interrupt.
    workspace.write("solutions/open/accepted/slow.c", slow_sum(700));
    let mut command = workspace.command_keeping(["run", "--jobs=1"]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = || {
        let files = workspace.files_below(&workspace.results_dir().join("records"));
        files
            .values()
            .map(|bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
            .sum::<usize>()
    };
    let give_up = Instant::now() + Duration::from_secs(120);
    while lines() < 4 {
        assert!(Instant::now() < give_up, "nothing is measured");
        sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    let output = CommandOutput::from_child(child);
    assert_eq!(output.code, code, "{output:?}");
    if code.is_some() {
        output.stdout_has(&[
            "interrupted: this report is incomplete",
            "run again to resume:",
            "results are cached",
        ]);
    }
    let again = judge_with_shared_results(&workspace, ["run", "--report=json"]).exits(0);
    let cached = again
        .test_cases()
        .filter(|test_case| test_case.cached)
        .count();
    // A measured run that took longer than the limit of elapsed time, as on a busy host, is not
    // reused.
    assert!(
        (1..again.test_cases().count()).contains(&cached),
        "{cached}"
    );
    assert_eq!(without_variations(&again), without_variations(&whole));
    let last = judge_with_shared_results(&workspace, ["run", "--report=json"]).exits(0);
    assert!(last.test_cases().all(|test_case| test_case.cached));
    assert_eq!(without_variations(&last), without_variations(&whole));
}

#[test]
fn measuring_resumes_after_an_interrupt() {
    measuring_resumes_after(Signal::INT, Some(130));
}

#[test]
fn measuring_resumes_after_a_kill() {
    measuring_resumes_after(Signal::KILL, None);
}

#[test]
fn failing_validators_are_reported_while_limits_are_measured() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let package = path("validatorfails");
    let package = package.to_str().unwrap();
    workspace.write("mine/own.c", SUM);
    let jury = format!("{package}/submissions/accepted/sum.c");
    let fault = [
        "judge error while inferring the time limit",
        "(`cannot divide`)",
        "`accepted/sum.c` on `secret/2`",
    ];
    for args in [
        &["run", package][..],
        &["verify", package],
        &["run", "--matrix", package],
        &["submit", "mine/own.c", "-p", package],
        &[
            "compare",
            &jury,
            "mine/own.c",
            "-p",
            package,
            "--budget=0.1",
        ],
        &["stress", "mine/own.c", "-p", package, "--inputs=5"],
    ] {
        let output = workspace.judge(args);
        let message = format!("{}\n{}", output.stdout, output.stderr)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(output.code, Some(3), "{args:?}: {message}");
        for word in fault {
            assert!(message.contains(word), "{args:?}: no `{word}` in {message}");
        }
        // The hint is for packages that state no limit and have nothing to infer it from.
        assert!(
            !message.contains("none can be inferred")
                && !message.contains("set `limits.time_limit`"),
            "{args:?}: {message}"
        );
    }
    // Each failure occurs again, and valid measurements are not repeated.
    judge_with_shared_results(&workspace, ["run", package]).exits(3);
    let before = kept_bytes(&workspace);
    assert!(before > 0);
    judge_with_shared_results(&workspace, ["run", package])
        .exits(3)
        .stdout_has(&fault);
    assert_eq!(kept_bytes(&workspace), before);
}

#[test]
fn uncompilable_validators_are_reported_while_limits_are_inferred() {
    let Some(workspace) = open_sum() else { return };
    workspace.write(
        "problems/open/output_validator/check.c",
        "int main(void) { return x; }\n",
    );
    let output = workspace.judge(["run", "open"]).exits(3);
    output
        .stdout_has(&["problems/open: ", "check.c", "error"])
        .stdout_lacks(&["set `limits.time_limit`"]);
}

#[test]
fn failed_inference_does_not_stop_other_problems() {
    let Some(workspace) = open_sum() else { return };
    workspace.problem("after", "");
    workspace.case("after", "secret/1", "1 2\n", "3\n");
    workspace.write("solutions/after/time_limit_exceeded/t.c", slow_sum(10));
    workspace.sum("sum");
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    let output = workspace.events(["run"]).exits(3);
    let names: Vec<_> = output
        .state()
        .problems
        .iter()
        .map(|problem| problem.started.problem.clone())
        .collect();
    assert_eq!(names, ["after", "open", "sum"]);
    assert_eq!(output.verdict("accepted/slow.c"), Verdict::Accepted);
    assert_eq!(output.verdict("accepted/sum.c"), Verdict::Accepted);
    assert_eq!(output.state().package_faults.len(), 1);
}

#[test]
fn missing_tools_are_not_package_faults() {
    let Some(workspace) = open_sum() else { return };
    let row = "languages:\n  cpp:\n    tools:\n      compiler: {names: [no-such-compiler], version_args: [--version]}\n";
    workspace.write("judge.yaml", format!("problems: [problems]\n{row}"));
    for name in ["accepted/a.c", "accepted/slow.c", "wrong_answer/w.c"] {
        workspace.remove(&format!("solutions/open/{name}"));
    }
    workspace.write("solutions/open/accepted/a.cpp", "int main() {}\n");
    workspace.write("solutions/open/time_limit_exceeded/t.c", slow_sum(10));
    let output = workspace.judge(["run", "open"]).exits(4);
    output.stdout_has(&[
        "time_limit_exceeded/t.c",
        "skipped: ",
        "`accepted/a.cpp`: no tools for `cpp` on this host",
    ]);
    output.stdout_lacks(&["package fault", "set `limits.time_limit`"]);
}

#[test]
fn points_count_with_an_inferred_limit() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    for (file, bytes) in workspace.files_below(&path("testlibpoints")) {
        let file = file.strip_prefix(path("testlibpoints")).unwrap().to_owned();
        let text = if file == OsStr::new("problem.yaml") {
            fs::read_to_string(path("testlibpoints").join(&file))
                .unwrap()
                .replace("time_limit: 4, ", "")
                .into_bytes()
        } else {
            bytes
        };
        workspace.write(&format!("problems/points/{}", file.display()), text);
    }
    let output = workspace
        .events(["run", "points", "--no-fail-fast"])
        .exits(0);
    assert!(limit(&output).0 > 0);
    assert_eq!(
        output.last_case("accepted/near.py").score,
        Some(judge_model::Score(7.5))
    );
}

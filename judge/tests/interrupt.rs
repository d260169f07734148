//! Interrupts: a run that ends in any way leaves no process and no control group.
//!
//! The processes of a run are found by descent: every process below the one that was started, as
//! `/proc` shows it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use judge_event::{End, Event};
use rustix::process::{Pid, Signal, kill_process};

use crate::workspace::{CommandOutput, SUM, Workspace, executable, levels, parse};

/// The maximum time that a busy host may take to compile and start programs.
pub(crate) const START: Duration = Duration::from_secs(120);
/// The maximum time that a busy host may take to end everything. Without an interrupt, the programs
/// run for more than a minute.
const END: Duration = Duration::from_secs(60);
pub(crate) const SLEEP: &str =
    "#include <unistd.h>\nint main(void) { fork(); for (;;) pause(); }\n";

/// A process, distinguished from a later one with the same number by its start time.
pub(crate) type Process = (u32, u64);

/// The name, parent and start time in the text of `/proc/PID/stat` (proc_pid_stat(5)).
fn stat(pid: u32) -> Option<(String, u32, u64)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (start, fields) = text.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let name = start.split_once('(')?.1.to_owned();
    // Zombies do not count as processes.
    let dead = fields[0].starts_with(['Z', 'X']);
    (!dead).then(|| Some((name, fields[1].parse().ok()?, fields[19].parse().ok()?)))?
}

/// Every process below this one, with its name.
pub(crate) fn descendants(ancestor: u32) -> BTreeSet<(String, Process)> {
    let pids = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    let all: Vec<(u32, (String, u32, u64))> =
        pids.filter_map(|pid| Some((pid, stat(pid)?))).collect();
    let mut known = BTreeSet::from([ancestor]);
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for (pid, (name, _, start)) in all
            .iter()
            .filter(|(_, (_, parent, _))| known.contains(parent))
        {
            found.insert((name.clone(), (*pid, *start)));
        }
        known.extend(found.iter().map(|(_, (pid, _))| *pid));
        if found.len() == before {
            return found;
        }
    }
}

/// Control groups that the process with this number has made:
/// `judge-<namespace>-<pid>-<start>-<random>`.
fn groups_of(pid: u32, below: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(below) else {
        return Vec::new();
    };
    let directories = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut found = Vec::new();
    for path in directories.map(|entry| entry.path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let of_process = name
            .strip_prefix("judge-")
            .and_then(|rest| rest.split('-').nth(1)?.parse().ok());
        if of_process == Some(pid) {
            found.push(path.display().to_string());
        }
        found.extend(groups_of(pid, &path));
    }
    found
}

/// Waits until a condition holds.
#[track_caller]
pub(crate) fn within(timeout: Duration, what: &str, mut condition: impl FnMut() -> bool) {
    let give_up = Instant::now() + timeout;
    while !condition() {
        assert!(Instant::now() < give_up, "not within {timeout:?}: {what}");
        sleep(Duration::from_millis(10));
    }
}

/// Three submissions that sleep until they are stopped.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem("sleep", "limits: {time_limit: 60}\n");
    for id in ["sample/1", "secret/01", "secret/02"] {
        workspace.case("sleep", id, "1\n", "1\n");
    }
    for name in ["a", "b", "c"] {
        workspace.write(
            &format!("solutions/sleep/accepted/{name}.c"),
            format!("/* {name} */\n{SLEEP}"),
        );
    }
    Some(workspace)
}

/// The same, with a validator that waits for their output.
fn interactive_workspace() -> Option<Workspace> {
    let workspace = workspace()?;
    let path = workspace.path("problems/sleep/problem.yaml");
    let text = fs::read_to_string(&path)
        .unwrap()
        .replace("type: pass-fail", "type: interactive");
    fs::write(path, text).unwrap();
    workspace.write(
        "problems/sleep/output_validator/validate.c",
        "#include <stdio.h>\nint main(void) { return getchar(); }\n",
    );
    Some(workspace)
}

/// Starts a run and waits until two submissions sleep, each with a child.
fn started(workspace: &Workspace, args: &[&str]) -> (Child, BTreeSet<(String, Process)>) {
    started_with(workspace, args, 4)
}

/// Starts a run with two jobs and waits until `programs` programs run.
fn started_with(
    workspace: &Workspace,
    args: &[&str],
    programs: usize,
) -> (Child, BTreeSet<(String, Process)>) {
    started_command(
        workspace,
        &[&["run", "--jobs", "2"], args].concat(),
        programs,
    )
}

/// Starts a command and waits until `programs` programs run. Returns it with all of its descendants.
pub(crate) fn started_command(
    workspace: &Workspace,
    words: &[&str],
    programs: usize,
) -> (Child, BTreeSet<(String, Process)>) {
    let mut command = workspace.command(words);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut below = BTreeSet::new();
    within(START, &format!("{programs} programs of {words:?}"), || {
        below = descendants(child.id());
        below.iter().filter(|(name, _)| name == "main").count() == programs
    });
    (child, below)
}

pub(crate) fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[track_caller]
pub(crate) fn no_process_is_left(below: &BTreeSet<(String, Process)>) {
    let alive = |(_, (pid, start)): &&(String, Process)| {
        stat(*pid).is_some_and(|(_, _, now)| now == *start)
    };
    let left = || below.iter().filter(alive).collect::<Vec<_>>();
    within(END, &format!("the end of {below:?}"), || left().is_empty());
}

fn interrupted_by(signal: Signal) {
    interrupted_in(workspace(), signal, 4);
}

fn interrupted_in(workspace: Option<Workspace>, signal: Signal, programs: usize) {
    let Some(workspace) = workspace else { return };
    for level in levels() {
        let args = ["--isolation", level.name(), "--report=json=events.jsonl"];
        let (child, below) = started_with(&workspace, &args, programs);
        let pid = child.id();
        let sent = Instant::now();
        send(&child, signal);
        let output = CommandOutput::from_child(child).exits(130);
        assert!(sent.elapsed() < END, "{:?} at {level}", sent.elapsed());
        output.stdout_has(&[
            "interrupted: this report is incomplete",
            "! 1 problem, 0 submissions as expected",
        ]);
        no_process_is_left(&below);
        assert_eq!(
            groups_of(pid, Path::new("/sys/fs/cgroup")),
            Vec::<String>::new(),
            "at {level}"
        );
        // The file is complete, and contains the end of the run.
        let events = parse(&fs::read_to_string(workspace.path("events.jsonl")).unwrap());
        assert!(
            matches!(events.last(), Some(Event::RunFinished(finished)) if finished.end == End::Interrupted)
        );
        assert!(
            !events
                .iter()
                .any(|event| matches!(event, Event::TestCaseFinished(_))),
            "no verdict at {level}"
        );
        let entries = fs::read_dir(workspace.root())
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        assert!(
            entries
                .into_iter()
                .all(|name| !name.to_string_lossy().contains("partial"))
        );
    }
}

#[test]
fn a_run_interrupted_from_the_keyboard_leaves_nothing_behind() {
    interrupted_by(Signal::INT);
}

#[test]
fn a_terminated_run_leaves_nothing_behind() {
    interrupted_by(Signal::TERM);
}

/// Stopped helpers represent helpers that are stuck inside the kernel: neither answer nor exit.
#[test]
fn a_second_interrupt_ends_a_run_with_stuck_helpers() {
    let Some(workspace) = workspace() else { return };
    for level in levels() {
        let (child, below) = started(&workspace, &["--isolation", level.name()]);
        let number = |pid: u32| Pid::from_raw(pid.cast_signed()).unwrap();
        let helpers = below.iter().filter(|(name, _)| name != "main");
        helpers.for_each(|(_, (pid, _))| kill_process(number(*pid), Signal::STOP).unwrap());
        send(&child, Signal::INT);
        // Until the first signal is handled, the second one is merged with it.
        sleep(Duration::from_millis(300));
        let sent = Instant::now();
        send(&child, Signal::INT);
        CommandOutput::from_child(child)
            .exits(130)
            .stderr_has(&["interrupted before every program had ended"]);
        assert!(
            sent.elapsed() < Duration::from_secs(40),
            "{:?} at {level}",
            sent.elapsed()
        );
        no_process_is_left(&below);
    }
}

/// timeout(1) sends its signal to the command, and once more to its process group.
#[test]
fn repeated_signals_are_one_request() {
    let Some(workspace) = workspace() else { return };
    let (child, below) = started(&workspace, &[]);
    let number = |pid: u32| Pid::from_raw(pid.cast_signed()).unwrap();
    let signal_helpers = |signal| {
        let helpers = below.iter().filter(|(name, _)| name != "main");
        helpers.for_each(|(_, (pid, _))| _ = kill_process(number(*pid), signal));
    };
    // While the helpers are stopped, the run cannot end before the second signal comes.
    signal_helpers(Signal::STOP);
    for _ in 0..2 {
        send(&child, Signal::INT);
        sleep(Duration::from_millis(50));
    }
    signal_helpers(Signal::CONT);
    CommandOutput::from_child(child)
        .exits(130)
        .stdout_has(&["interrupted: this report is incomplete"]);
    no_process_is_left(&below);
}

#[test]
fn interrupted_interactions_leave_nothing_behind() {
    interrupted_in(interactive_workspace(), Signal::INT, 6);
}

/// Leftover files of an interrupted build are not the package's fault.
#[test]
fn interrupted_validator_builds_are_not_package_faults() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    for (script, text) in [
        ("build", "#!/bin/sh\nsleep 60\n"),
        ("run", "#!/bin/sh\nexit 42\n"),
    ] {
        let path = format!("problems/sum/input_validators/slow/{script}");
        workspace.write(&path, text);
        executable(&workspace.path(&path));
    }
    workspace.write("new.in", "7 7\n");
    // A search needs another submission for the answers.
    workspace.write(
        "solutions/sum/accepted/other.c",
        format!("/* other */\n{SUM}"),
    );
    let rule = "data: {secret: {data: {new: {in: \"3 4\\n\"}}}}\n";
    workspace.write("problems/sum/generators/generators.yaml", rule);
    for args in [
        &["stress", "sum/accepted/sum.c"][..],
        &["generate", "sum"],
        &["add", "new.in", "-p", "sum"],
    ] {
        let child = workspace
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        within(START, "the build", || {
            descendants(child.id())
                .iter()
                .any(|(name, _)| name == "sleep")
        });
        send(&child, Signal::INT);
        let output = CommandOutput::from_child(child);
        assert_eq!(output.code, Some(130), "{args:?}: {output:?}");
        assert!(!output.stderr.contains("error"), "{args:?}: {output:?}");
        output.stderr_has(&["interrupted: anything not listed above did not run"]);
    }
}

/// An interrupt while submissions are judged for their answers, and one while they are timed, are
/// reported once each.
#[test]
fn interrupted_comparisons_are_reported_once() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.problem("wait", "limits: {time_limit: 60}\n");
    workspace.case("wait", "secret/01", "1\n", "1\n");
    let program = |name: &str| {
        format!(
            "/* {name} */\n#include <stdio.h>\n#include <time.h>\nint main(void) {{ int c = getchar();\n\
             while (clock() < CLOCKS_PER_SEC / 4) {{}} printf(\"%c\\n\", c); }}\n"
        )
    };
    for name in ["a", "b"] {
        workspace.write(&format!("solutions/wait/accepted/{name}.c"), program(name));
    }
    for in_rounds in [false, true] {
        let mut command = workspace.command([
            "compare",
            "wait/accepted/a.c",
            "wait/accepted/b.c",
            "--budget",
            "300",
        ]);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        within(START, "a submission", || {
            descendants(child.id())
                .iter()
                .any(|(name, _)| name == "main")
        });
        if in_rounds {
            // Each runs once for its answer, and the empty program is compiled after that.
            sleep(Duration::from_secs(4));
        }
        send(&child, Signal::INT);
        let output = CommandOutput::from_child(child).exits(130);
        assert_eq!(output.stdout, "", "{output:?}");
        let message: Vec<&str> = output
            .stderr
            .lines()
            .filter(|line| line.contains("interrupted"))
            .collect();
        assert_eq!(message, ["interrupted: nothing was compared"], "{output:?}");
    }
}

/// Results of mutants are cached, and the message reports that.
#[test]
fn mutants_tried_before_an_interrupt_are_cached() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.problem("wait", "limits: {time_limit: 60}\n");
    workspace.case("wait", "secret/01", "3\n", "3\n");
    // A mutant of the condition never ends.
    let program = "#include <stdio.h>\n#include <unistd.h>\nint main(void) { int n; if (scanf(\"%d\", &n) != 1) return 1;\n\
                   int sum = 0; for (int i = 0; i < n; i++) sum += 1; if (sum != 3) for (;;) pause(); printf(\"%d\\n\", sum); }\n";
    workspace.write("solutions/wait/accepted/a.c", program);
    let child = workspace
        .command(["mutate", "wait", "--jobs=1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = child.unwrap();
    let mut since = None;
    // A program that runs for long is a waiting mutant.
    within(START, "a mutant that never ends", || {
        let running = descendants(child.id())
            .into_iter()
            .find(|(name, _)| name == "main");
        if running.as_ref() != since.as_ref().map(|(process, _)| process) {
            since = running.map(|process| (process, Instant::now()));
        }
        since
            .as_ref()
            .is_some_and(|(_, begun): &(_, Instant)| begun.elapsed() > Duration::from_secs(3))
    });
    send(&child, Signal::INT);
    let output = CommandOutput::from_child(child).exits(130);
    let lines: Vec<&str> = output
        .stderr
        .lines()
        .filter(|line| line.contains("interrupted"))
        .collect();
    let [line] = &lines[..] else {
        panic!("{output:?}")
    };
    let is_known = line.ends_with("their results are cached: run again to continue")
        || line.contains("before any mutant");
    assert!(
        line.starts_with("note: interrupted ") && line.contains("`wait/accepted/a.c`") && is_known,
        "{line}"
    );
}

#[test]
fn programs_are_killed_with_the_harness() {
    killed_in(workspace(), 4);
    killed_in(interactive_workspace(), 6);
}

fn killed_in(workspace: Option<Workspace>, programs: usize) {
    let Some(workspace) = workspace else { return };
    for level in levels() {
        let (child, below) = started_with(&workspace, &["--isolation", level.name()], programs);
        let pid = child.id();
        send(&child, Signal::KILL);
        assert_eq!(CommandOutput::from_child(child).code, None);
        no_process_is_left(&below);
        // Its control groups are empty, and the next run of any user removes them.
        CommandOutput::from_command(&mut workspace.doctor_without_languages()).exits(0);
        assert_eq!(
            groups_of(pid, Path::new("/sys/fs/cgroup")),
            Vec::<String>::new(),
            "at {level}"
        );
    }
}

/// Fast on the first two test cases, endless on the third.
fn with_hanging_last_case() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem("sleep", "limits: {time_limit: 60}\n");
    for (id, text) in [
        ("sample/1", "1\n"),
        ("secret/01", "2\n"),
        ("secret/02", "3\n"),
    ] {
        workspace.case("sleep", id, text, text);
    }
    let program = "#include <stdio.h>\n#include <unistd.h>\nint main(void) { int c = getchar(); while (c == '3') pause(); \
                   printf(\"%c\\n\", c); }\n";
    workspace.write("solutions/sleep/accepted/a.c", program);
    Some(workspace)
}

/// Results of an interrupted run are not judged again.
fn resumed_after(signal: Signal, code: Option<i32>) {
    let Some(workspace) = with_hanging_last_case() else {
        return;
    };
    let mut command = workspace.command_keeping(["run", "--jobs=1"]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let results = || {
        let files = workspace.files_below(&workspace.results_dir().join("records"));
        files
            .values()
            .map(|bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
            .sum::<usize>()
    };
    within(START, "two results", || results() == 2);
    send(&child, signal);
    let output = CommandOutput::from_child(child);
    assert_eq!(output.code, code, "{output:?}");
    if code.is_some() {
        output.stdout_has(&[
            "interrupted: this report is incomplete",
            "run again to resume: 2 results are cached",
        ]);
    }
    let again = ["run", "sleep/sample/*", "sleep/secret/01", "--report=json"];
    let again = CommandOutput::from_command(&mut workspace.command_keeping(again)).exits(0);
    assert_eq!(
        again
            .test_cases()
            .map(|test_case| test_case.cached)
            .collect::<Vec<_>>(),
        [true, true]
    );
}

#[test]
fn runs_resume_after_an_interrupt() {
    resumed_after(Signal::INT, Some(130));
}

#[test]
fn runs_resume_after_a_kill() {
    resumed_after(Signal::KILL, None);
}

/// As when a terminal is closed during a run: the reader is gone, and the programs still run.
#[test]
fn runs_without_a_reader_leave_nothing_behind() {
    let Some(workspace) = workspace() else { return };
    let (mut child, below) = started(&workspace, &[]);
    drop(child.stdout.take());
    send(&child, Signal::INT);
    let output = CommandOutput::from_child(child);
    assert!(
        matches!(output.code, Some(130 | 141)) && output.stderr.is_empty(),
        "{output:?}"
    );
    no_process_is_left(&below);
}

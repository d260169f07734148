//! Interrupts of `judge import`, `judge pack` and `judge upgrade`: existing files are unchanged,
//! and no other files remain.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::workspace::{CommandOutput, Workspace};

/// The maximum time that a busy host may take to reach the middle of the work.
const START: Duration = Duration::from_secs(60);
/// The maximum time that it may take to end. Without an interrupt, packing takes a minute here.
const END: Duration = Duration::from_secs(60);
/// The number of files: enough for a signal to arrive in the middle of the work.
const FILES: usize = 2000;

fn names(directory: &Path) -> Vec<OsString> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    names
}

/// Starts a command, and interrupts it in the middle of its work. Returns its output, and asserts
/// that no temporary file is left.
#[track_caller]
fn ended(
    workspace: &Workspace,
    args: &[&str],
    signal: Signal,
    is_in_the_middle: impl Fn() -> bool,
) -> CommandOutput {
    let temporary = workspace.path("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let mut command = workspace.command(args);
    command
        .env("TMPDIR", &temporary)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let give_up = Instant::now() + START;
    while !is_in_the_middle() {
        assert!(Instant::now() < give_up, "{args:?} does not begin");
        assert!(
            child.try_wait().unwrap().is_none(),
            "{args:?} ended: {:?}",
            CommandOutput::from_child(child)
        );
        sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    let sent = Instant::now();
    let output = CommandOutput::from_child(child).exits(130);
    assert!(sent.elapsed() < END, "{args:?}: {:?}", sent.elapsed());
    output.stderr_has(&["interrupted"]);
    assert_eq!(names(&temporary), Vec::<OsString>::new(), "{args:?}");
    output
}

#[test]
fn interrupted_packing_leaves_the_previous_archive() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "problems/sum/input_validators/v.ctd",
        "INT(-9,9) SPACE INT(-9,9) NEWLINE EOF\n",
    );
    workspace.write("problems/sum/statement/problem.en.md", "Add two numbers.\n");
    workspace
        .judge(["pack", "sum", "--for", "icpc", "--output", "out/"])
        .exits(0);
    let before = workspace.files("out");
    // The packed data takes no space on the disk.
    fs::create_dir(workspace.path("problems/sum/attachments")).unwrap();
    for number in 0..200 {
        let large = fs::File::create(workspace.path(&format!("problems/sum/attachments/{number}")))
            .unwrap();
        large.set_len(90 << 20).unwrap();
    }
    for signal in [Signal::INT, Signal::TERM] {
        let is_written = || names(&workspace.path("out")).len() > 1;
        let output = ended(
            &workspace,
            &["pack", "sum", "--for", "icpc", "--output", "out/"],
            signal,
            is_written,
        );
        assert_eq!(output.stdout, "");
        assert_eq!(workspace.files("out"), before);
    }
}

#[test]
fn interrupted_imports_leave_nothing_behind() {
    let workspace = Workspace::new();
    for number in 0..FILES {
        workspace.write(&format!("tests/{number}.in"), "1\n");
        workspace.write(&format!("tests/{number}.out"), "1\n");
    }
    fs::create_dir(workspace.path("made")).unwrap();
    for signal in [Signal::INT, Signal::TERM] {
        let is_written = || !names(&workspace.path("made")).is_empty();
        let output = ended(
            &workspace,
            &["import", "tests", "--name", "sum", "--into", "made"],
            signal,
            is_written,
        );
        assert_eq!(output.stdout, "");
        assert_eq!(names(&workspace.path("made")), Vec::<OsString>::new());
    }
    workspace
        .judge(["import", "tests", "--name", "sum", "--into", "made"])
        .exits(0);
}

/// An archive of a number of test cases; many take a while to unpack.
fn archive(workspace: &Workspace, name: &str, cases: usize) {
    let mut writer = zip::ZipWriter::new(fs::File::create(workspace.path(name)).unwrap());
    for number in 0..cases {
        for ending in ["in", "out"] {
            writer
                .start_file(
                    format!("{number}.{ending}"),
                    zip::write::SimpleFileOptions::default(),
                )
                .unwrap();
            writer.write_all(b"1\n").unwrap();
        }
    }
    writer.finish().unwrap();
}

#[test]
fn interrupted_unpacking_leaves_nothing_behind() {
    let workspace = Workspace::new();
    archive(&workspace, "tests.zip", FILES);
    for signal in [Signal::INT, Signal::TERM] {
        let is_unpacked = || {
            let unpacked = names(&workspace.path("temporary"));
            unpacked
                .first()
                .is_some_and(|first| !names(&workspace.path("temporary").join(first)).is_empty())
        };
        let output = ended(
            &workspace,
            &["import", "tests.zip", "--name", "sum"],
            signal,
            is_unpacked,
        );
        assert_eq!(output.stdout, "");
        assert_eq!(names(&workspace.path("problems")), Vec::<OsString>::new());
    }
}

#[test]
fn leftovers_of_killed_imports_are_removed_by_the_next_one() {
    let workspace = Workspace::new();
    archive(&workspace, "tests.zip", FILES);
    archive(&workspace, "few.zip", 2);
    let temporary = workspace.path("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let start = |archive: &str| {
        let mut command = workspace.command(["import", archive, "--name", "sum"]);
        command
            .env("TMPDIR", &temporary)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut child = start("tests.zip");
    let give_up = Instant::now() + START;
    while names(&workspace.path("problems")).is_empty() {
        assert!(
            Instant::now() < give_up && child.try_wait().unwrap().is_none(),
            "it is not killed in the middle"
        );
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = names(&workspace.path("problems"));
    assert!(
        left.len() == 1 && left[0].to_string_lossy().starts_with(".judge-import-"),
        "{left:?}"
    );
    assert_eq!(names(&temporary).len(), 1);
    // Files that another process uses are kept.
    fs::create_dir(workspace.path("problems/.judge-import-mine")).unwrap();
    let mine = fs::File::open(workspace.path("problems/.judge-import-mine")).unwrap();
    mine.lock().unwrap();
    CommandOutput::from_child(start("few.zip")).exits(0);
    assert_eq!(
        names(&workspace.path("problems")),
        [".judge-import-mine", "sum"]
    );
    assert_eq!(names(&temporary), Vec::<OsString>::new());
}

#[test]
fn interrupted_upgrades_leave_the_package_unchanged() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "problems/sum/problem.yaml",
        "name: Sum\nvalidation: default\n",
    );
    workspace.write("problems/sum/.timelimit", "2\n");
    for number in 0..FILES {
        workspace.write(&format!("problems/sum/attachments/{number}"), "");
    }
    let before = workspace.files("problems");
    for signal in [Signal::INT, Signal::TERM] {
        let is_tried = || !names(&workspace.path("temporary")).is_empty();
        let output = ended(&workspace, &["upgrade", "sum", "--write"], signal, is_tried);
        assert_eq!(output.stdout, "");
        assert!(workspace.files("problems") == before);
    }
    workspace
        .judge(["upgrade", "sum", "--write"])
        .exits(0)
        .stdout_has(&["written"]);
}

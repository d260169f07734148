//! PyPy: the interpreter for Python 3, by `judge.yaml`, profile and host, and the notes about it.
//!
//! Without PyPy, a stand-in named `pypy3` is used: only the last test needs the real one.

use std::ffi::OsString;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use judge_model::Verdict;
use tempfile::TempDir;

use crate::workspace::{CommandOutput, Workspace, executable, has, skipped};

/// Accepted only by PyPy.
const ASKS: &str = "import sys\nprint(sum(map(int, input().split())) if hasattr(sys, 'pypy_version_info') else 0)\n";

/// Accepted only by the stand-in, which is a shell: it is not valid Python.
const SHELL: &str = "read a b\necho $((a + b))\n";

/// A new directory that programs see: their directories for temporary files are different ones.
fn visible_directory() -> Option<TempDir> {
    let places = [
        PathBuf::from("/var/lib"),
        env::temp_dir(),
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
    ];
    let visible = places.iter().filter(|place| {
        !["/tmp", "/var/tmp"]
            .iter()
            .any(|hidden| place.starts_with(hidden))
    });
    visible
        .filter_map(|place| tempfile::tempdir_in(place).ok())
        .next()
}

/// A workspace, and a `PATH` that begins with the directory of a stand-in for PyPy.
fn with_stand_in(settings: &str) -> Option<(Workspace, OsString, TempDir)> {
    let workspace = Workspace::with_sum().filter(|_| has("python3"))?;
    workspace.write("solutions/sum/accepted/asks.py", SHELL);
    let Some(place) = visible_directory() else {
        skipped(
            "a stand-in for PyPy",
            "no place can be written to that programs see too",
        );
        return None;
    };
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let bin = place.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let stand_in = format!(
        "#!/bin/sh\ncase \"$*\" in *base_prefix*) echo {};; *pypy_version*) echo PyPy 0.0.1, a stand-in;; \"-BS \"*) ;; \
         *) exec sh \"$2\";; esac\n",
        place.path().display()
    );
    fs::write(bin.join("pypy3"), stand_in).unwrap();
    executable(&bin.join("pypy3"));
    workspace.write("judge.yaml", settings);
    let path = env::var_os("PATH").unwrap();
    let path = env::join_paths([bin].into_iter().chain(env::split_paths(&path))).unwrap();
    Some((workspace, path, place))
}

#[test]
fn pypy_runs_python_by_workspace_or_profile() {
    let cases = [
        (
            "python: pypy3\n",
            Verdict::Accepted,
            "note: PyPy runs Python 3: set in `judge.yaml`",
        ),
        (
            "check: {profile: kattis}\n",
            Verdict::Accepted,
            "note: PyPy runs Python 3: as for profile `kattis`",
        ),
        (
            "check: {profile: kattis}\npython: python3\n",
            Verdict::CompileError,
            "",
        ),
        ("check: {profile: strict}\n", Verdict::CompileError, ""),
        ("", Verdict::CompileError, ""),
    ];
    for (settings, verdict, note) in cases {
        let Some((workspace, path, _place)) = with_stand_in(settings) else {
            return;
        };
        let output = CommandOutput::from_command(
            workspace
                .command(["run", "sum/accepted/asks.py", "--report=json"])
                .env("PATH", &path),
        );
        assert_eq!(output.verdict("accepted/asks.py"), verdict, "{settings}");
        let compiled = output.state().problems[0].submissions[0]
            .compiled
            .clone()
            .unwrap();
        // A program that did not compile has no toolchain.
        let version = compiled.toolchain.map(|toolchain| toolchain.version);
        let expected = (verdict == Verdict::Accepted).then_some("PyPy 0.0.1, a stand-in");
        assert_eq!(version.as_deref(), expected, "{settings}");
        assert!(
            if note.is_empty() {
                !output.stderr.contains("PyPy")
            } else {
                output.stderr.contains(note)
            },
            "{output:?}"
        );
    }
}

#[test]
fn profiles_of_the_command_line_choose_pypy() {
    let Some((workspace, path, _place)) = with_stand_in("") else {
        return;
    };
    let output = CommandOutput::from_command(
        workspace
            .command(["verify", "sum", "--profile", "domjudge"])
            .env("PATH", &path),
    );
    output.stderr_has(&["PyPy runs Python 3: as for profile `domjudge`"]);
    assert_eq!(
        output.stderr.matches("PyPy runs Python 3").count(),
        1,
        "{output:?}"
    );
    output.stdout_has(&["\u{2713} accepted/asks.py"]);
    let doctor = CommandOutput::from_command(workspace.command(["doctor"]).env("PATH", &path));
    // The stand-in prints a version, and runs nothing.
    doctor.stdout_has(&["pypy3", "a small program is not accepted"]);
}

/// A directory for `PATH` with a C compiler and CPython, and nothing else.
fn path_without_pypy(workspace: &Workspace) -> PathBuf {
    let ask = [
        "-c",
        "import shutil, sys; print(shutil.which('gcc') or shutil.which('cc')); print(sys.executable)",
    ];
    let output = Command::new("python3").args(ask).output().unwrap();
    workspace.write("bin/empty", "");
    for (name, tool) in ["cc", "python3"]
        .into_iter()
        .zip(String::from_utf8(output.stdout).unwrap().lines())
    {
        symlink(tool, workspace.path("bin").join(name)).unwrap();
    }
    workspace.path("bin")
}

#[test]
fn a_missing_interpreter_is_reported() {
    let Some(workspace) = Workspace::with_sum().filter(|_| has("python3")) else {
        return;
    };
    workspace.write(
        "solutions/sum/accepted/sum.py",
        "print(sum(map(int, input().split())))\n",
    );
    let path = path_without_pypy(&workspace);
    let run = || CommandOutput::from_command(workspace.command(["run"]).env("PATH", &path));
    workspace.write("judge.yaml", "check: {profile: icpc}\n");
    let output = run().exits(0);
    output.stderr_has(&[
        "profile `icpc` runs Python 3 with PyPy, but `pypy3` is not in PATH: CPython runs it",
    ]);
    output.stdout_has(&["2 submissions as expected"]);
    // If it is demanded by name, no other interpreter replaces it.
    workspace.write("judge.yaml", "python: pypy3\n");
    run().exits(0).stdout_has(&[
        "python3 cannot be judged here: none of `pypy3` is in PATH; 1 submission is skipped",
    ]);
    workspace.write("judge.yaml", "python: pypy\n");
    run().exits(2).stderr_has(&[
        "judge.yaml:1: `python`: expected `python3` or `pypy3`, found the string `pypy`",
    ]);
}

#[test]
fn the_real_interpreter_is_limited() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("pypy3")) else {
        return;
    };
    workspace.sum("sum");
    workspace.write("judge.yaml", "python: pypy3\n");
    let write = |name: &str, text: &str| workspace.write(&format!("solutions/sum/{name}.py"), text);
    write("accepted/asks", ASKS);
    write(
        "accepted/loops",
        "s = 0\nfor i in range(10**8): s += i & 1\nprint(sum(map(int, input().split())))\n",
    );
    write(
        "run_time_error/memory",
        "a = []\nwhile True: a.append(bytearray(1 << 24))\n",
    );
    write(
        "run_time_error/forks",
        "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(9); os._exit(0)\n",
    );
    write("time_limit_exceeded/endless", "while True: pass\n");
    write("rejected/syntax", "print(3\n");
    let output = workspace.events(["run", "--time-limit", "2"]);
    for (name, verdict) in [
        ("accepted/asks.py", Verdict::Accepted),
        ("accepted/loops.py", Verdict::Accepted),
        ("run_time_error/forks.py", Verdict::RunTimeError),
        ("time_limit_exceeded/endless.py", Verdict::TimeLimitExceeded),
        ("rejected/syntax.py", Verdict::CompileError),
    ] {
        assert_eq!(output.verdict(name), verdict, "{name}");
    }
    // PyPy itself may detect that the memory is exhausted.
    let memory = output.verdict("run_time_error/memory.py");
    assert!(
        [Verdict::MemoryLimitExceeded, Verdict::RunTimeError].contains(&memory),
        "{memory:?}"
    );
}

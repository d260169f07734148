//! Runs real programs in the sandbox, at each isolation level that this host offers, and checks what they could do.
//!
//! Its own `main`, because it is also the program that the sandbox starts as its helper processes. As root it runs
//! everything once more as an unprivileged user. `cargo test -p judge-sandbox --test sandbox -- [FILTER]`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test program: it talks to the terminal and fails loudly"
)]

mod bench;
mod files;
mod limits;
mod lives;
mod talks;
mod traces;
mod walls;
mod warm;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, ExitCode};

use judge_model::IsolationLevel;

use bench::{Bench, Case};

fn main() -> ExitCode {
    if let Some(code) = judge_sandbox::serve_if_zygote() {
        return code;
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|first| first == "victim") {
        lives::be_victim(&args[1..]);
    }
    if args.first().is_some_and(|first| first == "warm-victim") {
        warm::be_victim(&Bench::open(args[1].parse().unwrap(), Path::new(&args[2])).unwrap());
    }
    // Flags of the usual test harness have no meaning here.
    let filter = args.iter().find(|arg| !arg.starts_with("--")).cloned().unwrap_or_default();
    if args.iter().any(|arg| arg == "--list") {
        cases().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let directory = tempfile::tempdir().unwrap();
    if let Err(reason) = bench::compile(directory.path()).and_then(|()| warm::compile(directory.path())) {
        println!("SKIPPED: everything, because {reason}\ntest result: ok. 0 passed; 0 failed");
        return ExitCode::SUCCESS;
    }
    let (mut passed, mut failed) = (0, Vec::new());
    for level in IsolationLevel::ALL {
        let mut bench = match Bench::open(level, directory.path()) {
            Ok(bench) => bench,
            Err(error) => {
                println!("SKIPPED: level `{level}`: {error}");
                continue;
            }
        };
        println!("level `{level}` as user {}", rustix::process::geteuid().as_raw());
        let chosen = |name: &&str| {
            (!is_contained() || walls::IN_CONTAINERS.contains(name)) && format!("{level}::{name}").contains(&filter)
        };
        for (name, case) in cases().filter(|(name, _)| chosen(name)) {
            if let Some(gap) = bench.gap(name) {
                if level != IsolationLevel::None {
                    println!("test {level}::{name} ... gap: {gap}");
                }
                continue;
            }
            let done = catch_unwind(AssertUnwindSafe(|| case(&mut bench)));
            println!("test {level}::{name} ... {}", if done.is_ok() { "ok" } else { "FAILED" });
            match done {
                Ok(()) => passed += 1,
                Err(_) => failed.push(format!("{level}::{name}")),
            }
        }
    }
    let unprivileged = run_unprivileged(directory.path(), &args) && run_as_in_a_container(directory.path(), &filter);
    for name in &failed {
        eprintln!("failed: {name}");
    }
    let ok = failed.is_empty() && unprivileged;
    println!("test result: {}. {passed} passed; {} failed", if ok { "ok" } else { "FAILED" }, failed.len());
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn cases() -> impl Iterator<Item = (&'static str, Case)> {
    let warm = [warm::CASES, warm::hostile::CASES, warm::languages::CASES];
    let cold = [lives::CASES, limits::CASES, walls::CASES, traces::CASES, files::CASES, talks::CASES];
    cold.into_iter().chain(warm).flatten().copied()
}

/// The variable by which this program knows that it was started by `container.c`.
const CONTAINED: &str = "STARTED_AS_IN_A_CONTAINER";

fn is_contained() -> bool {
    std::env::var_os(CONTAINED).is_some()
}

/// Runs the cases that depend on it again with the privileges that root has in a container.
fn run_as_in_a_container(directory: &Path, filter: &str) -> bool {
    if !rustix::process::geteuid().is_root() || is_contained() {
        return true;
    }
    println!("as in a container:");
    let status = Command::new(directory.join("container"))
        .arg(std::env::current_exe().unwrap())
        .arg(filter)
        .env(CONTAINED, "1")
        .status();
    status.is_ok_and(|status| status.success())
}

/// Runs everything again as an ordinary user, if this is root.
fn run_unprivileged(directory: &Path, args: &[String]) -> bool {
    if !rustix::process::geteuid().is_root() || is_contained() {
        return true;
    }
    // Build directories may be out of other users' sight.
    let copy = directory.join("tests");
    std::fs::copy("/proc/self/exe", &copy).unwrap();
    let status = Command::new("setpriv")
        .args(["--reuid=1000", "--regid=1000", "--clear-groups", "--"])
        .arg(&copy)
        .args(args)
        .env("HOME", "/")
        .env_remove("TMPDIR")
        .current_dir("/")
        .status();
    match status {
        Ok(status) => status.success(),
        Err(error) => {
            println!("SKIPPED: everything as an unprivileged user: `setpriv`: {error}");
            true
        }
    }
}

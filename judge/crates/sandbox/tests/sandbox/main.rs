//! Runs real programs in the sandbox, at each isolation level that this host offers, and checks
//! what they could do.
//!
//! Its own `main`, because it is also the program that the sandbox starts as its helper processes.
//! Each level is a separate process (`parts`). As root it runs everything once more as an
//! unprivileged user. `cargo test -p judge-sandbox --test sandbox -- [FILTER]`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test program: it talks to the terminal and fails loudly"
)]

mod bench;
mod files;
mod kills;
mod limits;
mod lives;
mod parts;
mod talks;
mod traces;
mod walls;
mod warm;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use judge_model::IsolationLevel;

use bench::{Bench, Case};
use parts::Selection;

fn main() -> ExitCode {
    if let Some(code) = judge_sandbox::serve_if_zygote() {
        return code;
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|first| first == "victim") {
        bench::die_with_parent();
        kills::be_victim(&args[1..]);
    }
    if args.first().is_some_and(|first| first == "warm-victim") {
        bench::die_with_parent();
        warm::be_victim(
            &Bench::open(args[1].parse().unwrap(), Path::new(&args[2])).unwrap(),
            &args[3],
        );
    }
    if let [first, level, selection, directory, filter] = args.as_slice()
        && first == "part"
    {
        let level = level.parse().unwrap();
        let chosen = cases(Selection::named(selection));
        return run_cases(level, chosen, Path::new(directory), filter);
    }
    // Flags of the usual test harness have no meaning here.
    let filter = args
        .iter()
        .find(|arg| !arg.starts_with("--"))
        .cloned()
        .unwrap_or_default();
    if args.iter().any(|arg| arg == "--list") {
        cases(Selection::All).for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let directory = tempfile::tempdir().unwrap();
    if let Err(reason) =
        bench::compile(directory.path()).and_then(|()| warm::compile(directory.path()))
    {
        println!("SKIPPED: everything, because {reason}\ntest result: ok. 0 passed; 0 failed");
        return ExitCode::SUCCESS;
    }
    let failed = parts::run(directory.path(), &filter);
    println!(
        "test result: {}. {} parts failed",
        if failed.is_empty() { "ok" } else { "FAILED" },
        failed.len()
    );
    failed.iter().for_each(|part| eprintln!("FAILED: {part}"));
    if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs the cases at one level, one after the other: they share a slot.
fn run_cases(
    level: IsolationLevel,
    cases: impl Iterator<Item = (&'static str, Case)>,
    directory: &Path,
    filter: &str,
) -> ExitCode {
    let mut bench = match Bench::open(level, directory) {
        Ok(bench) => bench,
        Err(error) => {
            println!("SKIPPED: level `{level}`: {error}");
            return ExitCode::SUCCESS;
        }
    };
    let (mut passed, mut failed) = (0, Vec::new());
    let is_contained = parts::is_contained();
    let chosen = |name: &str| {
        (!is_contained || walls::IN_CONTAINERS.contains(&name))
            && format!("{level}::{name}").contains(filter)
    };
    for (name, case) in cases.filter(|(name, _)| chosen(name)) {
        if let Some(gap) = bench.gap(name) {
            if level != IsolationLevel::None {
                println!("test {level}::{name} ... gap: {gap}");
            }
            continue;
        }
        let begun = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| case(&mut bench)));
        let end = if done.is_ok() { "ok" } else { "FAILED" };
        println!(
            "test {level}::{name} ... {end} ({:.1} s)",
            begun.elapsed().as_secs_f64()
        );
        match done {
            Ok(()) => passed += 1,
            Err(_) => failed.push(format!("{level}::{name}")),
        }
    }
    for name in &failed {
        println!("failed: {name}");
    }
    println!("{passed} passed; {} failed", failed.len());
    if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn cases(selection: Selection) -> impl Iterator<Item = (&'static str, Case)> {
    let warm: &[&[(&str, Case)]] = &[
        warm::CASES,
        warm::hostile::CASES,
        warm::languages::CASES,
        warm::shared::CASES,
    ];
    let cold: &[&[(&str, Case)]] = &[
        lives::CASES,
        kills::CASES,
        limits::CASES,
        walls::CASES,
        traces::CASES,
        files::CASES,
        talks::CASES,
    ];
    let (cold, warm) = match selection {
        Selection::All => (cold, warm),
        Selection::Cold => (cold, &warm[..0]),
        Selection::Warm => (&cold[..0], warm),
    };
    cold.iter().chain(warm).copied().flatten().copied()
}

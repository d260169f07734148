//! The stress that the sandbox must bear: kills at random moments, many runs in a row, limits to
//! the point, on a busy host.
//!
//! Its own `main`, because it is also the program that the sandbox starts as its helper processes,
//! and the harness that is killed. It runs at the best level that the host offers. By default it
//! does a part of what it can, so that it can run with every change; the line of each case at its
//! end shows how much. All claims about time are about CPU clocks: on a shared host every wall
//! clock is late.
//!
//! `[JUDGE_STRESS=full] [JUDGE_STRESS_SEED=N] cargo test -p judge-sandbox --test stress -- [--level LEVEL] [FILTER]`

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test program: it talks to the terminal and fails loudly"
)]

mod accounting;
mod bench;
mod chaos;
mod memory;
mod overshoot;
mod steadiness;
mod traces;
mod victim;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use bench::{Bench, Case};

const CASES: [(&str, Case); 6] = [
    ("chaos_leaves_nothing", chaos::chaos),
    ("runs_that_do_nothing_are_all_alike", steadiness::nothing),
    ("time_limits_never_flip", steadiness::limits),
    ("cpu_limit_overshoot", overshoot::overshoot),
    ("memory_limit_is_exact", memory::memory),
    ("accounts_agree", accounting::accounting),
];

fn main() -> ExitCode {
    if let Some(code) = judge_sandbox::serve_if_zygote() {
        return code;
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [first, level, directory, seed] = args.as_slice()
        && first == "victim"
    {
        return victim::be_victim(
            level.parse().unwrap(),
            directory.as_ref(),
            seed.parse().unwrap(),
        );
    }
    if args.iter().any(|arg| arg == "--list") {
        CASES.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let demanded = args
        .iter()
        .position(|arg| arg == "--level")
        .and_then(|at| args.get(at + 1));
    // Flags of the usual test harness have no meaning here.
    let filter = args
        .iter()
        .find(|arg| !arg.starts_with("--") && Some(*arg) != demanded)
        .cloned()
        .unwrap_or_default();
    let directory = tempfile::tempdir().unwrap();
    let mut bench = match Bench::open(
        demanded.map(|level| level.parse().unwrap()),
        directory.path(),
    ) {
        Ok(bench) => bench,
        // A demanded level must be available.
        Err(reason) if demanded.is_some() => {
            eprintln!("{reason}");
            return ExitCode::FAILURE;
        }
        Err(reason) => {
            println!("SKIPPED: everything, because {reason}\ntest result: ok. 0 passed; 0 failed");
            return ExitCode::SUCCESS;
        }
    };
    let amount = if bench.full {
        "the full counts"
    } else {
        "reduced counts; `JUDGE_STRESS=full` for all"
    };
    println!(
        "level `{}` as user {}, {amount}",
        bench.level,
        rustix::process::geteuid().as_raw()
    );
    let (mut passed, mut failed) = (0, 0);
    for (name, case) in CASES.into_iter().filter(|(name, _)| name.contains(&filter)) {
        let done = catch_unwind(AssertUnwindSafe(|| case(&mut bench)));
        match done {
            Ok(said) => {
                println!("test {name} ... ok: {said}");
                passed += 1;
            }
            Err(_) => {
                println!("test {name} ... FAILED");
                failed += 1;
            }
        }
    }
    println!(
        "test result: {}. {passed} passed; {failed} failed",
        if failed == 0 { "ok" } else { "FAILED" }
    );
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

//! The harness that is killed. It runs programs in two slots forever, and reports how each run
//! ended.
//!
//! Responsible for distinguishing right ends from wrong ones. Must not know what is killed.
//!
//! It is started from a file with a unique name, and so are its programs: the kernel shows that
//! name for all processes that descend from it (`comm` in proc(5)), even if they cannot be looked
//! into and their parents have changed.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use judge_model::{IsolationLevel, Limit, Outcome, Termination};
use judge_sandbox::{Capture, LinuxSandbox, Sandbox, SandboxError, Slot};

use crate::bench::{execution, slot_spec};
use crate::chaos::Random;

pub(crate) const SLOTS: usize = 2;

/// The actions of the programs, and how each must end.
const PROGRAMS: [(&[&str], Termination); 6] = [
    (&["exit", "0"], Termination::Exited { code: 0 }),
    (&["exit", "7"], Termination::Exited { code: 7 }),
    (&["nap", "15"], Termination::Exited { code: 0 }),
    (&["forest", "5"], Termination::Exited { code: 0 }),
    (&["files", "40"], Termination::Exited { code: 0 }),
    (
        &["flood"],
        Termination::Killed {
            limit: Limit::Output,
        },
    ),
];

/// A line of the victim's standard output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A run in this slot ended as it must.
    Right(usize),
    /// A run in this slot was aborted because of a fault of the host: a part of the sandbox was
    /// killed.
    Fault(usize, String),
    /// Something that must never happen.
    Wrong(String),
}

impl Line {
    pub(crate) fn read(line: &str) -> Self {
        let mut words = line.splitn(3, ' ');
        match (
            words.next(),
            words.next().and_then(|slot| slot.parse().ok()),
            words.next(),
        ) {
            (Some("right"), Some(slot), None) => Self::Right(slot),
            (Some("fault"), Some(slot), Some(text)) => Self::Fault(slot, text.to_owned()),
            _ => Self::Wrong(line.to_owned()),
        }
    }
}

pub(crate) fn be_victim(level: IsolationLevel, directory: &Path, seed: u64) -> ExitCode {
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    let own = std::env::current_exe().unwrap();
    let name = own.file_name().unwrap().to_str().unwrap();
    let sandbox = match LinuxSandbox::with_zygote_program(&own, Some(level)) {
        Ok(sandbox) => sandbox,
        Err(error) => {
            println!("wrong: {error}");
            return ExitCode::FAILURE;
        }
    };
    std::thread::scope(|scope| {
        for number in 0..SLOTS {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let random = Random(seed.wrapping_add(number as u64));
                match sandbox.slot(&slot_spec(directory)) {
                    Ok(mut slot) => run_for_ever(&mut *slot, number, random, directory, name),
                    Err(error) => println!("wrong: cannot open a slot: {error}"),
                }
            });
        }
    });
    ExitCode::FAILURE
}

fn run_for_ever(
    slot: &mut dyn Slot,
    number: usize,
    mut random: Random,
    directory: &Path,
    name: &str,
) {
    let mut capture = Capture::default();
    loop {
        let (args, expected) = PROGRAMS[random.below(PROGRAMS.len() as u64) as usize];
        let mut execution = execution(directory, name, args);
        execution.limits.stdout_bytes = 200_000;
        match slot.run(&execution, &mut capture) {
            Ok(finished) if is_right(&finished.outcome, expected) => println!("right {number}"),
            Ok(finished) => println!("wrong: {args:?} ended with {:?}", finished.outcome),
            Err(
                error @ (SandboxError::Helper { .. }
                | SandboxError::HelperEnded { .. }
                | SandboxError::Host { .. }),
            ) => {
                println!("fault {number} {error}");
            }
            Err(error) => println!("wrong: {args:?} gave the error {error}"),
        }
    }
}

fn is_right(outcome: &Outcome, expected: Termination) -> bool {
    outcome.termination == expected
        && outcome.usage.memory_kills == 0
        && outcome.usage.cpu_time < Duration::from_secs(10)
}

//! Counting instructions: a submission run once more, by itself or under a program that counts them.
//!
//! Responsible for what can count, for finding callgrind, for how it is started, and for reading what it says. Must not
//! know what the counts are for, nor how the processor's counter is read, which is the sandbox's business.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use judge_model::{Instructions, Outcome, Termination, Verdict};
use judge_sandbox::{Capture, Execution, Slot, Work, programs_in_path};

use crate::ExecError;
use crate::build::toolchain::in_base_system;

/// The slowdown of a program under callgrind, at most: usually 20 to 100.
const SLOWDOWN: u32 = 100;
/// Nobody waits longer for one count.
const MOST_TIME: Duration = Duration::from_secs(120);
/// The memory that callgrind needs itself, and for its notes on each piece of the program, in bytes.
const OWN_MEMORY: u64 = 1 << 30;
/// The words of callgrind itself besides those of the program, in bytes.
const OWN_WORDS: u64 = 1 << 20;

/// The counter of instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counter {
    /// The processor's own counter. The program runs as it always does, so that every kind of problem can be counted.
    Hardware,
    /// A program that runs it step by step.
    Callgrind(Callgrind),
}

/// Why a run has no count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Uncounted {
    why: String,
    /// True when no other run of this problem on this host can have a count either.
    pub is_lasting: bool,
}

impl Uncounted {
    pub(crate) fn everywhere(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_lasting: true }
    }

    fn here(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_lasting: false }
    }
}

/// `valgrind --tool=callgrind`, which counts the instructions that a program executes: nearly the same number each
/// time, on any host with the same processor and libraries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callgrind {
    program: PathBuf,
}

impl Callgrind {
    /// Looks for it in the directories of `path`, a `PATH`.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn find(path: &OsStr) -> Result<Self, String> {
        let Some(found) = programs_in_path("valgrind", path).into_iter().next() else {
            return Err("valgrind is not installed".to_owned());
        };
        let program = found.canonicalize().unwrap_or(found);
        if in_base_system(&program) {
            return Ok(Self { program });
        }
        // It looks for its tools in the prefix that it was built for, of which only the system's own is in sight.
        Err(format!("`{}` is not one of the system's own programs", program.display()))
    }

    /// The same execution under callgrind, with the room that this takes.
    fn around(&self, mut execution: Execution) -> Execution {
        let options = ["valgrind", "--tool=callgrind", "--callgrind-out-file=callgrind.out", "--vgdb=no"];
        execution.args = options.into_iter().map(OsString::from).chain(execution.args).collect();
        execution.program.clone_from(&self.program);
        let limits = &mut execution.limits;
        limits.cpu_time = (limits.cpu_time * SLOWDOWN).min(MOST_TIME);
        limits.wall_time = limits.cpu_time * 2 + Duration::from_secs(1);
        limits.memory_bytes = limits.memory_bytes.saturating_mul(2).saturating_add(OWN_MEMORY);
        limits.stderr_bytes = limits.stderr_bytes.saturating_add(OWN_WORDS);
        // It keeps the program's name and arguments in files of its own.
        if execution.work == Work::ReadOnly {
            execution.work = Work::Writable { bytes: 16 << 20, files: 64 };
        }
        execution.proc_mounted = true;
        execution
    }
}

/// The count of a run that was judged while the processor counted.
pub(crate) fn counted(verdict: Verdict, outcome: &Outcome) -> Result<u64, Uncounted> {
    match outcome.usage.instructions {
        Instructions::Counted(_) if verdict != Verdict::Accepted => {
            Err(Uncounted::here(format!("it was not accepted when it was counted: {verdict}")))
        }
        Instructions::Counted(count) => Ok(count),
        Instructions::NotCounted(why) => Err(Uncounted { why: why.to_string(), is_lasting: why.is_lasting() }),
        Instructions::NotWanted => Err(Uncounted::everywhere("no program is run in this problem")),
    }
}

/// Runs it and reads the count; in words why there is none.
pub(crate) fn count(
    counter: &Callgrind,
    execution: Execution,
    slot: &mut dyn Slot,
    capture: &mut Capture,
) -> Result<Option<Result<u64, Uncounted>>, ExecError> {
    let outcome = slot.run(&counter.around(execution), capture)?.outcome;
    Ok(match outcome.termination {
        Termination::Cancelled => None,
        Termination::Exited { code: 0 } => {
            Some(collected(&capture.stderr).ok_or_else(|| Uncounted::here("callgrind says no number")))
        }
        Termination::Exited { code } => {
            // The last line says why it ended.
            let said = String::from_utf8_lossy(&capture.stderr);
            let said = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("nothing");
            Some(Err(Uncounted::here(format!("exit code {code} under callgrind, which says: {said}"))))
        }
        Termination::Signaled { signal } => Some(Err(Uncounted::here(format!("signal {signal} under callgrind")))),
        Termination::Killed { limit } => {
            Some(Err(Uncounted::here(format!("over its limit under callgrind: {limit:?}"))))
        }
    })
}

/// The number that callgrind says at its end, which is after everything that the program says.
fn collected(stderr: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(stderr);
    let said = text.lines().rev().find_map(|line| {
        let (pid, number) = line.strip_prefix("==")?.split_once("== Collected : ")?;
        pid.bytes().all(|byte| byte.is_ascii_digit()).then_some(number)
    });
    said?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use judge_model::{NotCounted, Usage};

    use super::*;

    #[test]
    fn the_last_number_counts() {
        let said = "==1== Collected : 5\nnoise\n==2== Events    : Ir\n==2== Collected : 725692\n==2== \n";
        assert_eq!(collected(said.as_bytes()), Some(725_692));
        for none in ["", "==x== Collected : 5\n", "Collected : 5\n", "==2== Collected : many\n"] {
            assert_eq!(collected(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn only_what_was_accepted_has_a_count() {
        let outcome = |instructions| {
            let usage = Usage { instructions, ..Usage::default() };
            Outcome { termination: Termination::Exited { code: 0 }, usage }
        };
        let counted = |verdict, instructions| counted(verdict, &outcome(instructions));
        assert_eq!(counted(Verdict::Accepted, Instructions::Counted(7)), Ok(7));
        let wrong = counted(Verdict::TimeLimitExceeded, Instructions::Counted(7)).unwrap_err();
        assert!(wrong.to_string().ends_with("TLE") && !wrong.is_lasting, "{wrong:?}");
        for (why, is_lasting) in [(NotCounted::Shared, false), (NotCounted::Forbidden, true)] {
            let uncounted = counted(Verdict::Accepted, Instructions::NotCounted(why)).unwrap_err();
            assert_eq!((uncounted.to_string(), uncounted.is_lasting), (why.to_string(), is_lasting));
        }
        assert!(counted(Verdict::Accepted, Instructions::NotWanted).unwrap_err().is_lasting);
    }

    #[test]
    fn only_the_systems_own_is_used() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(Callgrind::find(directory.path().as_os_str()), Err("valgrind is not installed".to_owned()));
        std::fs::write(directory.path().join("valgrind"), "").unwrap();
        let error = Callgrind::find(directory.path().as_os_str()).unwrap_err();
        assert!(error.contains("not one of the system's own"), "{error}");
    }
}

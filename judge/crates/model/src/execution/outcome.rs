//! Outcomes: what happened to one sandboxed process tree, as recorded by the sandbox.
//!
//! Responsible for facts. Must not know verdicts: what an outcome means is decided in `grading`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A limit that the sandbox enforces by killing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// CPU time of the whole process tree.
    CpuTime,
    /// Elapsed time. Ends programs that sleep or wait forever.
    WallTime,
    /// Memory of the whole process tree.
    Memory,
    /// Bytes written to standard output or standard error.
    Output,
}

/// The way in which the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// The program exited with this exit code.
    Exited {
        /// The exit code, 0 to 255.
        code: i32,
    },
    /// A signal that the sandbox did not send ended the program.
    Signaled {
        /// The signal's number on this platform.
        signal: i32,
    },
    /// The sandbox killed the program, because it exceeded this limit. The sandbox records this
    /// when it kills; it is never guessed from a signal.
    Killed {
        /// The limit that was exceeded.
        limit: Limit,
    },
    /// The run was cancelled from outside (an interrupt, or its result was no longer needed).
    Cancelled,
}

/// The resources that a run used. Times are serialised as whole nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// User and system time of the whole process tree.
    #[serde(with = "nanoseconds")]
    pub cpu_time: Duration,
    /// Elapsed time from the start of the program to its end.
    #[serde(with = "nanoseconds")]
    pub wall_time: Duration,
    /// Peak memory in bytes, of the whole process tree where the isolation level can count it.
    pub memory_bytes: u64,
    /// Bytes that the program wrote to standard output (counted also past the limit, as far as they
    /// were read).
    pub stdout_bytes: u64,
    /// Bytes that the program wrote to standard error.
    pub stderr_bytes: u64,
    /// The number of processes that the kernel killed because the memory limit was reached. More
    /// than 0 means that the limit was exceeded, even when the main process exited with code 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub memory_kills: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Serialises durations as whole nanoseconds.
mod nanoseconds {
    use std::time::Duration;

    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_nanos)
    }
}

/// The whole record of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The termination: how the program ended.
    pub termination: Termination,
    /// The usage: the resources that the program used.
    pub usage: Usage,
}

impl Outcome {
    /// True if the program exited with code 0 and exceeded no limit before.
    #[must_use]
    pub fn is_clean_exit(&self) -> bool {
        self.usage.memory_kills == 0 && self.termination == Termination::Exited { code: 0 }
    }
}

/// The number of the signal for a file that exceeds its size limit, on x86 and ARM (signal(7)).
pub const SIGXFSZ: i32 = 25;

/// The name of a signal on Linux, such as `SIGSEGV`; `None` for a number without a name (real-time
/// signals).
#[must_use]
pub fn signal_name(signal: i32) -> Option<&'static str> {
    // signal(7), the numbers shared by x86 and ARM.
    const NAMES: [&str; 31] = [
        "SIGHUP",
        "SIGINT",
        "SIGQUIT",
        "SIGILL",
        "SIGTRAP",
        "SIGABRT",
        "SIGBUS",
        "SIGFPE",
        "SIGKILL",
        "SIGUSR1",
        "SIGSEGV",
        "SIGUSR2",
        "SIGPIPE",
        "SIGALRM",
        "SIGTERM",
        "SIGSTKFLT",
        "SIGCHLD",
        "SIGCONT",
        "SIGSTOP",
        "SIGTSTP",
        "SIGTTIN",
        "SIGTTOU",
        "SIGURG",
        "SIGXCPU",
        "SIGXFSZ",
        "SIGVTALRM",
        "SIGPROF",
        "SIGWINCH",
        "SIGIO",
        "SIGPWR",
        "SIGSYS",
    ];
    let index = usize::try_from(signal).ok()?.checked_sub(1)?;
    NAMES.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_named() {
        assert_eq!(signal_name(6), Some("SIGABRT"));
        assert_eq!(signal_name(11), Some("SIGSEGV"));
        assert_eq!(signal_name(31), Some("SIGSYS"));
        assert_eq!(signal_name(0), None);
        assert_eq!(signal_name(-1), None);
        assert_eq!(signal_name(32), None);
    }

    #[test]
    fn memory_kills_make_an_exit_unclean() {
        let mut outcome = Outcome {
            termination: Termination::Exited { code: 0 },
            usage: Usage::default(),
        };
        assert!(outcome.is_clean_exit());
        outcome.usage.memory_kills = 1;
        assert!(!outcome.is_clean_exit());
    }
}

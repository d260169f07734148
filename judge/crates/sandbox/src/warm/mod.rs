//! Warm programs: programs that have reached `main` and are forked from there for each run.
//!
//! Responsible for the types that callers and the sandbox share, and for the sources of the code
//! that waits inside such a program. Must not know how a slot keeps one.
//!
//! A program must be built for this: by linking it with [`SHIM`] and [`LINK_FLAGS`], or by starting
//! a script with `start.py`. It then waits before `main` if its descriptor 3 is that of the slot,
//! and otherwise behaves as usual.

use std::fmt;

use crate::SandboxError;
use crate::numbered::numbered;

/// The source, in C, of the function that is called before `main` in C, C++ and Rust.
pub const SHIM: &str = include_str!("shim.c");

/// The linker flags (for `cc`) that redirect calls of `main` to [`SHIM`].
pub const LINK_FLAGS: [&str; 1] = ["-Wl,--wrap=main"];

/// The source of the code that starts a Python script: `python3 -c PYTHON_START SCRIPT`. The
/// arguments of a run are its `sys.argv`. Without `SCRIPT`, the first argument of each run is the
/// script.
pub(crate) const PYTHON_START: &str = include_str!("start.py");

/// The mechanism by which a program waits at its `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarmStart {
    /// It is linked with [`SHIM`].
    Shim,
    /// An interpreter of Python runs it.
    Python {
        /// The place of the script among the arguments of the interpreter. Those after it belong to
        /// the script.
        script: usize,
    },
    /// Like `Python`, but the interpreter waits before it reads a script. The script of a run is
    /// the one that its arguments name, so runs of several programs can use one interpreter.
    SharedPython {
        /// The place of the script among the arguments of the interpreter.
        script: usize,
    },
}

impl WarmStart {
    /// The place of the script among the arguments of the interpreter; `None` without one.
    #[must_use]
    pub fn script(self) -> Option<usize> {
        match self {
            Self::Shim => None,
            Self::Python { script } | Self::SharedPython { script } => Some(script),
        }
    }
}

numbered! {
    /// The reason why a program cannot be run warm, so that it has to be started as usual.
    pub enum WarmRefused {
        /// The isolation level does not count a single run's usage or kill its processes.
        Level = 1,
        /// The run needs something that was fixed when the program was warmed, or that only an
        /// ordinary start provides.
        Execution,
        /// No program is warm in the slot.
        NotWarm,
        /// The program ended before it reached `main`, or the process that waited there ended
        /// unasked.
        Ended,
        /// There were threads or other processes before `main`.
        Processes,
        /// Standard input was read before `main`.
        InputRead,
        /// Something was written to standard output or standard error before `main`.
        OutputWritten,
        /// There are files in the working directory, or its attributes have changed: the next run
        /// would find them.
        FilesWritten,
        /// Processes were left by the run before, or it was of another program and has started
        /// some, which the numbers of later processes show.
        Strays,
        /// The run before had to be killed, together with the process that waits at `main`.
        Killed,
    }
}

impl fmt::Display for WarmRefused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Level => "the isolation level does not count the usage of a single run",
            Self::Execution => "the run needs something that only an ordinary start provides",
            Self::NotWarm => "no program is warm",
            Self::Ended => "the program ended before or while it waited at `main`",
            Self::Processes => "there were threads or processes before `main`",
            Self::InputRead => "standard input was read before `main`",
            Self::OutputWritten => "something was written before `main`",
            Self::FilesWritten => "the working directory has changed",
            Self::Strays => "the run before left processes, or has started some",
            Self::Killed => "the run before had to be killed",
        })
    }
}

/// A program that was not run warm.
#[derive(Debug, thiserror::Error)]
pub enum NotWarm {
    /// No fault: an ordinary run is possible.
    #[error("the program cannot be run warm: {0}")]
    Refused(WarmRefused),
    /// A fault of the host or of the sandbox.
    #[error(transparent)]
    Fault(#[from] SandboxError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_name_reasons() {
        for reason in WarmRefused::ALL.iter().copied() {
            assert_eq!(WarmRefused::from_number(reason as u32), Some(reason));
            assert!(!reason.to_string().is_empty());
        }
        assert_eq!(WarmRefused::from_number(0), None);
    }
}

//! Errors of a search.

use std::io;
use std::path::PathBuf;

use judge_exec::{ExecError, Fault, Refusal};

/// The reason why a search could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StressError {
    /// A fault of the host.
    #[error(transparent)]
    Runner(#[from] ExecError),
    /// A program of the package or a submission cannot be run.
    #[error(transparent)]
    Refused(Refusal),
    /// The submission that writes the answers cannot be run.
    #[error("the reference cannot be run: {0}")]
    Reference(Refusal),
    /// A program of the package failed. Contains the message.
    #[error("{0}")]
    Package(String),
    /// A submission that takes part cannot be run.
    #[error("`{submission}` cannot be run: {why}")]
    NotReady {
        /// The id of the submission.
        submission: String,
        /// The reason.
        why: Refusal,
    },
    /// The number of costs differs from the number of kinds of calls.
    #[error("expected costs of {kinds} kinds of calls, found {given}")]
    Costs {
        /// The number of costs.
        given: usize,
        /// The number of kinds.
        kinds: usize,
    },
    /// No source of inputs exists.
    #[error(
        "no source of inputs: the package has no generator calls, and no test case with an input validator"
    )]
    NoInputs,
    /// A file for a finding already exists with another content.
    #[error("`{}` already exists with another content", .0.display())]
    Occupied(PathBuf),
    /// A finding could not be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl From<Fault> for StressError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(refusal) => Self::Refused(refusal),
            Fault::Host(error) => Self::Runner(error),
        }
    }
}

//! Faults, by whose they are: the package's or the submission's on one side, the host's on the other.
//!
//! Responsible for keeping the sides apart: `?` passes a fault on to the same side and never to the other. Must not know
//! what a fault means for a run.
//!
//! ```compile_fail,E0277
//! # use judge_exec::{ExecError, Fault};
//! fn prepare() -> Result<(), Fault> {
//!     Ok(())
//! }
//!
//! // What is refused is no fault of the host.
//! fn run() -> Result<(), ExecError> {
//!     Ok(prepare()?)
//! }
//! ```

use judge_sandbox::HarvestError;

use crate::ExecError;

/// A refusal: what is wrong with a package or a submission, so that it cannot be worked with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Of something that belongs to the package: one of its programs cannot be prepared, or has failed.
    #[error("{0}")]
    Package(String),
    /// Of a submission that cannot be run.
    #[error("{why}")]
    Submission {
        /// What is wrong with it.
        why: String,
        /// Everything that the compiler wrote; empty when it was not the compiler who refused.
        compiler_said: Vec<u8>,
    },
}

impl Refusal {
    /// The refusal of a submission that no compiler has seen.
    pub(crate) fn of_submission(why: impl Into<String>) -> Self {
        Self::Submission { why: why.into(), compiler_said: Vec::new() }
    }

    /// Everything that the compiler of a submission wrote; empty when it was not the compiler who refused.
    #[must_use]
    pub fn compiler_said(&self) -> &[u8] {
        match self {
            Self::Submission { compiler_said, .. } => compiler_said,
            Self::Package(_) => &[],
        }
    }
}

/// A fault that stands in the way of a result. It has no text of its own: who wants to say it must first find out
/// [whose it is](Self::refusal).
#[derive(Debug)]
pub enum Fault {
    /// The package's or the submission's.
    Refused(Refusal),
    /// The host's.
    Host(ExecError),
}

impl Fault {
    /// The package's fault, in words.
    pub fn of_package(why: impl Into<String>) -> Self {
        Self::Refused(Refusal::Package(why.into()))
    }

    /// The fault of a copy of what a program of the package left: the package's, unless the copy cannot be written.
    pub(crate) fn of_copying(what: &str, error: HarvestError) -> Self {
        match error {
            HarvestError::Destination { path, source } => ExecError::io("write", &path)(source).into(),
            error => Self::of_package(format!("{what}: {error}")),
        }
    }

    /// The refusal.
    ///
    /// # Errors
    /// The host's fault, if it is that.
    pub fn refusal(self) -> Result<Refusal, ExecError> {
        match self {
            Self::Refused(refusal) => Ok(refusal),
            Self::Host(error) => Err(error),
        }
    }

    /// Takes the sides apart, for results that are collected, a refusal as well as any other.
    ///
    /// # Errors
    /// The host's fault, if it is that.
    pub fn apart<T>(result: Result<T, Self>) -> Result<Result<T, Refusal>, ExecError> {
        result.map(Ok).or_else(|fault| fault.refusal().map(Err))
    }
}

impl From<ExecError> for Fault {
    fn from(error: ExecError) -> Self {
        Self::Host(error)
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

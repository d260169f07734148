//! Errors of generating data.

use judge_exec::ExecError;
use judge_files::ChangeError;

/// A fault of the host that prevents data from being generated or put in place. Faults of the
/// package are in the `Proposal`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuthoringError {
    /// A program could not be run, or a file could not be read or written.
    #[error(transparent)]
    Runner(#[from] ExecError),
    /// The data could not be put in place.
    #[error(transparent)]
    Place(#[from] ChangeError),
}

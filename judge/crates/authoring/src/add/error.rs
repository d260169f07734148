//! Errors of adding a test case.

use judge_exec::ExecError;
use judge_package::PackageErrors;

use crate::error::AuthoringError;

/// The reason why a test case cannot be added.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddError {
    /// The request does not fit the package.
    #[error("{0}")]
    Request(String),
    /// Another test case has the same input.
    #[error(
        "{problem}: `{id}` already has this input; nothing was written\nhint: a second test case with the same input is redundant"
    )]
    Repeats {
        /// The problem.
        problem: String,
        /// The other test case.
        id: String,
    },
    /// The package is at fault.
    #[error(transparent)]
    Package(#[from] PackageErrors),
    /// The host is at fault.
    #[error(transparent)]
    Authoring(#[from] AuthoringError),
}

impl From<ExecError> for AddError {
    fn from(error: ExecError) -> Self {
        Self::Authoring(error.into())
    }
}

pub(crate) fn request_error(message: impl Into<String>) -> AddError {
    AddError::Request(message.into())
}

//! The commands that bring problems from other formats into packages, and packages to other judges.
//!
//! Responsible for converting errors of interchange to failures. Must not know any format.

pub(crate) mod foreign;
pub(crate) mod import;
pub(crate) mod pack;
mod typeset;
pub(crate) mod upgrade;

use judge_interchange::InterchangeError;
use judge_sandbox::CancelToken;

use crate::failure::Failure;

/// An error of interchange, as a failure of the command.
fn failure(error: InterchangeError) -> Failure {
    match error {
        InterchangeError::Unwritable { path, cause } => {
            Failure::write(format!("`{}`", path.display()), cause)
        }
        InterchangeError::Change(error) => error.into(),
        InterchangeError::Stopped => Failure::Interrupted,
        InterchangeError::Archive(_)
        | InterchangeError::Malformed { .. }
        | InterchangeError::ReadBack { .. }
        | InterchangeError::Trial { .. }
        | InterchangeError::Unsound { .. } => Failure::Package(error.to_string()),
        other => Failure::Usage(other.to_string()),
    }
}

/// The test by which long work is cancelled: true once a signal came.
fn is_cancelled(cancel: &CancelToken) -> impl Fn() -> bool {
    move || cancel.is_cancelled()
}

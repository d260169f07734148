//! Packages that a command is changing, or was changing when it was killed.
//!
//! Responsible for the message about such a package. Must not know how it changes.

use std::path::Path;

use crate::error::Finding;

/// Returns the fault of a package with incomplete changes.
pub(crate) fn half_changed(directory: &Path) -> Option<Finding> {
    match judge_files::is_changing(directory) {
        Ok(false) => None,
        Ok(true) => {
            let message = "a command is changing the package, or was killed while it did";
            let hint = "`judge generate`, `accept`, `add` and `upgrade --write` first undo the changes of a killed command";
            Some(Finding::invalid(directory, None, message).hint(Some(hint.to_owned())))
        }
        Err(error) => {
            let message = format!("cannot determine if a command is changing the package: {error}");
            Some(Finding::invalid(directory, None, message))
        }
    }
}

//! Directories for what is needed while something is imported, packed or upgraded.
//!
//! Responsible for where they lie, and for nobody else looking into them. Must not know what lies
//! in them.

use judge_files::{LockedDirectory, TemporaryPurpose};

use crate::InterchangeError;

/// Makes a directory for temporary files.
///
/// # Errors
/// When this host has no room for it, which is no fault of any problem.
pub(crate) fn scratch() -> Result<LockedDirectory, InterchangeError> {
    LockedDirectory::temporary(TemporaryPurpose::Interchange)
        .map_err(InterchangeError::unwritable(&std::env::temp_dir()))
}

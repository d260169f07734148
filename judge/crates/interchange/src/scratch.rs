//! Temporary directories for importing, packing and upgrading.
//!
//! Responsible for their location, and for denying access to other users. Must not know their
//! contents.

use judge_files::{LockedDirectory, TemporaryPurpose};

use crate::{InterchangeError, Result};

/// Creates a directory for temporary files.
///
/// # Errors
/// If this host has no space for it, independently of the problem.
pub(crate) fn scratch() -> Result<LockedDirectory> {
    LockedDirectory::temporary(TemporaryPurpose::Interchange)
        .map_err(InterchangeError::unwritable(&std::env::temp_dir()))
}

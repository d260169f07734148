//! Directories for what is needed while something is imported, packed or upgraded.
//!
//! Responsible for where they lie, and for nobody else looking into them. Must not know what lies in them.

use judge_files::LockedDirectory;

use crate::InterchangeError;

/// The beginning of their names.
const PREFIX: &str = "judge-interchange-";

/// Makes a directory for temporary files, and removes those of processes that were killed. Only its owner can look into it: test
/// data of a coming contest is nobody else's business.
///
/// # Errors
/// When this host has no room for it, which is no fault of any problem.
pub(crate) fn scratch() -> Result<LockedDirectory, InterchangeError> {
    let parent = std::env::temp_dir();
    LockedDirectory::sweep(&parent, PREFIX);
    LockedDirectory::new_in(&parent, PREFIX, 0o700).map_err(InterchangeError::unwritable(&parent))
}

//! Upgrades of packages that are under way.
//!
//! Responsible for the place of their journals, and for what is told of a package with one. Must not know what an upgrade does.

use std::fs;
use std::path::Path;

use crate::error::PackageError;

/// The directory of a package that is there while it is upgraded.
pub const UPGRADE: &str = ".judge-upgrade";

/// The file of a package that is there as long as it is neither what it was nor what it becomes.
pub const UPGRADE_JOURNAL: &str = ".judge-upgrade/journal";

/// The fault of a package whose upgrade is under way, or was killed.
pub(crate) fn half_upgraded(directory: &Path) -> Option<PackageError> {
    let journal = directory.join(UPGRADE_JOURNAL);
    fs::symlink_metadata(&journal).ok()?;
    let message =
        "an upgrade of the package is under way, or was killed: it is neither what it was nor what it becomes";
    let hint = "`judge upgrade --write` takes back what was done, and begins anew";
    Some(PackageError::invalid(&journal, None, message).hint(Some(hint.to_owned())))
}

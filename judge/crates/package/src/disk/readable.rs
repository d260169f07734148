//! Files that cannot be read: a fault of the package that holds them, reported before anything of it is run.
//!
//! Responsible for asking the system about every file that may be read later. Must not open any, nor know what they
//! mean.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use rustix::fs::{Access, access};

use crate::error::{Findings, PackageError};

/// The most files that are reported.
const MOST_FINDINGS: usize = 20;
/// Directories deeper than this belong to no package.
const DEPTH_LIMIT: usize = 64;

/// Reports files below a directory that this user may not read. Names with a leading dot are no part of a package, and
/// directories that cannot be read are reported by the code that looks into them. `parts` are the names at its top that
/// count.
pub(crate) fn check_readable(directory: &Path, parts: Option<&[&str]>, findings: &mut Findings) {
    // Root may read everything.
    if rustix::process::geteuid().is_root() {
        return;
    }
    let mut left = MOST_FINDINGS;
    let counts = |name: &OsStr| parts.is_none_or(|parts| name.to_str().is_some_and(|name| parts.contains(&name)));
    check(directory, DEPTH_LIMIT, &counts, &mut left, findings);
}

fn check(directory: &Path, deeper: usize, counts: &dyn Fn(&OsStr) -> bool, left: &mut usize, findings: &mut Findings) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (name, path) = (entry.file_name(), entry.path());
        let Ok(kind) = entry.file_type() else { continue };
        if name.as_encoded_bytes().starts_with(b".") || !counts(&name) {
            continue;
        }
        if kind.is_dir() && deeper > 0 {
            check(&path, deeper - 1, &|_| true, left, findings);
        } else if kind.is_file()
            && *left > 0
            && let Err(cause) = access(&path, Access::READ_OK)
        {
            *left -= 1;
            findings.error(PackageError::unreadable(&path, &cause.into()));
        }
    }
}

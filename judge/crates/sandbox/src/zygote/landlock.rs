//! Landlock: a second barrier in addition to namespaces, and the first one without them.
//!
//! Responsible for making rulesets and for the features of each version of Landlock. Must not know
//! which process is restricted.
//!
//! See landlock(7) and the kernel's `userspace-api/landlock.rst`.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;

use crate::kernel;
use crate::open::is_directory;

// linux/landlock.h
const FS_EXECUTE: u64 = 1 << 0;
const FS_WRITE_FILE: u64 = 1 << 1;
const FS_READ_FILE: u64 = 1 << 2;
const FS_READ_DIR: u64 = 1 << 3;
const FS_MAKE_CHAR: u64 = 1 << 6;
const FS_MAKE_BLOCK: u64 = 1 << 11;
const FS_REFER: u64 = 1 << 13;
const FS_TRUNCATE: u64 = 1 << 14;
/// All accesses that the first version knows, from executing to making links.
const FS_FIRST_VERSION: u64 = (1 << 13) - 1;
const FS_OF_FILES: u64 = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE;
const NET_BIND_TCP: u64 = 1 << 0;
const NET_CONNECT_TCP: u64 = 1 << 1;
const SCOPE_ABSTRACT_UNIX_SOCKET: u64 = 1 << 0;
const SCOPE_SIGNAL: u64 = 1 << 1;

/// The first version that controls truncation. Before it, a program could truncate files that it
/// may only read.
pub(super) const SEES_TRUNCATION: u32 = 3;
/// The first version that keeps signals inside.
pub(super) const SCOPES_SIGNALS: u32 = 6;

/// The access that a program has to a file or to everything below a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Read, list and execute.
    Read,
    /// Read and write existing files.
    ReadAndWrite,
    /// Everything but making devices.
    Everything,
}

/// The fields of `struct landlock_ruleset_attr` in the order in which the versions added them, as
/// far as this one knows them. The ioctls of devices (version 5) are left to the filter of system
/// calls.
fn attributes(version: u32, files: u64) -> Vec<u64> {
    let mut attributes = vec![files];
    if version >= 4 {
        attributes.push(NET_BIND_TCP | NET_CONNECT_TCP);
    }
    if version >= SCOPES_SIGNALS {
        attributes.push(SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL);
    }
    attributes
}

/// Returns a ruleset that refuses what namespaces already make impossible, in case one of them has
/// a hole; `None` if this kernel's Landlock knows only files. No guarantee depends on it.
pub(super) fn second_barrier() -> Option<OwnedFd> {
    let version = kernel::landlock_version();
    // It handles no rights to files at all: with any of them, renaming and linking between
    // directories would be refused as well (LANDLOCK_ACCESS_FS_REFER in landlock(7)), and linkers
    // and build tools do that in their directory.
    (version >= 4).then(|| kernel::landlock_ruleset(&attributes(version, 0)).ok())?
}

/// The accesses to files that this version of Landlock handles.
fn handled(version: u32) -> u64 {
    // Rights that this version does not know are refused as invalid (EINVAL), so only those that it
    // knows are handled.
    let refer = if version >= 2 { FS_REFER } else { 0 };
    let truncate = if version >= SEES_TRUNCATION {
        FS_TRUNCATE
    } else {
        0
    };
    FS_FIRST_VERSION | refer | truncate
}

/// A ruleset that allows only what is added to it.
pub(super) struct Ruleset {
    fd: OwnedFd,
    handled: u64,
}

impl Ruleset {
    pub(super) fn new(version: u32) -> Result<Self, Errno> {
        let handled = handled(version);
        Ok(Self {
            fd: kernel::landlock_ruleset(&attributes(version, handled))?,
            handled,
        })
    }

    /// Allows an access to the file `path`, or to everything below the directory `path`. Works in
    /// children that share memory.
    pub(super) fn allow(&self, path: BorrowedFd<'_>, access: Access) -> Result<(), Errno> {
        let mut rights = match access {
            Access::Read => FS_EXECUTE | FS_READ_FILE | FS_READ_DIR,
            Access::ReadAndWrite => FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE,
            Access::Everything => !(FS_MAKE_CHAR | FS_MAKE_BLOCK),
        };
        if !is_directory(&rustix::fs::fstat(path)?) {
            // The kernel refuses a rule with rights of directories on a file (EINVAL).
            rights &= FS_OF_FILES;
        }
        kernel::landlock_allow(self.fd.as_fd(), path, rights & self.handled)
    }
}

impl AsFd for Ruleset {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulesets_contain_only_known_fields() {
        assert_eq!(handled(1), 0x1fff);
        assert_eq!(handled(2), 0x3fff);
        assert_eq!(handled(3), 0x7fff);
        assert_eq!(attributes(3, 1), [1]);
        assert_eq!(attributes(4, 1), [1, 3]);
        assert_eq!(attributes(7, 1), [1, 3, 3]);
    }
}

//! Working directories that hold files before a program starts, where runs have mounts of their
//! own.
//!
//! Responsible for filling a file system for one run, where only the run's init sees it, which then
//! shows it to the program. Must not know how it is shown.

use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Gid, Uid, chownat, statvfs};
use rustix::mount::{MountFlags, UnmountFlags, mount, mount_remount, unmount};

use crate::protocol::messages::CopiedPart;
use crate::trees::copy::merge_tree;

/// The mount point of the filled directory, below the one that inits cover.
pub(super) const FILLED: &CStr = c"/.slot/work";
/// The directories in it, named as in the working directory of a run.
const DIRECTORIES: [&str; 2] = ["/.slot/work/work", "/.slot/work/tmp"];
/// A size above any content, used while only the zygote writes.
const AMPLE: &CStr = c"mode=0755,size=1t,nr_inodes=1g";

/// A filled file system. Dropping it unmounts it for the zygote; a run that has been given it keeps
/// it.
pub(super) struct PrefilledWorkdir;

impl PrefilledWorkdir {
    /// Copies the parts. With `room` (bytes and files) a program, which runs as `uid` if it has its
    /// own user, may write that much in addition.
    pub(super) fn new(
        parts: &[CopiedPart<'_>],
        depots: &[OwnedFd],
        room: Option<(u64, u64)>,
        uid: Option<u32>,
    ) -> Result<Self, String> {
        let failed = |error: rustix::io::Errno| {
            format!("cannot mount a working directory with files: {error}")
        };
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        // A file system for each run and not a directory: its size is the run's limit, and it goes
        // with the run's mount namespace.
        mount(c"tmpfs", FILLED, c"tmpfs", flags, AMPLE).map_err(failed)?;
        let filled = Self;
        for directory in DIRECTORIES {
            fs::create_dir(directory)
                .map_err(|error| format!("cannot create `{directory}`: {error}"))?;
            super::root::make_directory(directory, 0o755)?;
        }
        copy(parts, depots, Path::new(DIRECTORIES[0]))?;
        if let Some((bytes, files)) = room {
            // The limits of a file system in memory include existing files, so they are raised by
            // their size.
            let used = statvfs(FILLED).map_err(failed)?;
            let bytes = bytes.saturating_add((used.f_blocks - used.f_bfree) * used.f_frsize);
            let files = files.saturating_add(used.f_files - used.f_ffree);
            let options =
                CString::new(format!("size={bytes},nr_inodes={files}")).unwrap_or_default();
            mount_remount(FILLED, flags, options.as_c_str()).map_err(failed)?;
            if let Some(uid) = uid {
                DIRECTORIES
                    .iter()
                    .try_for_each(|directory| give(Path::new(directory), uid))?;
            }
        }
        Ok(filled)
    }
}

impl Drop for PrefilledWorkdir {
    fn drop(&mut self) {
        // If it stayed, the next one would cover it; only its memory is lost.
        let _ = unmount(FILLED, UnmountFlags::DETACH);
    }
}

/// Copies parts of depots into a directory.
pub(super) fn copy(
    parts: &[CopiedPart<'_>],
    depots: &[OwnedFd],
    into: &Path,
) -> Result<(), String> {
    for (depot, below) in parts {
        let depot = depots
            .get(*depot as usize)
            .ok_or("an unknown depot was named")?;
        let name = if below.is_empty() {
            c".".to_bytes()
        } else {
            below.to_bytes()
        };
        merge_tree(depot.as_fd(), Path::new(OsStr::from_bytes(name)), into)
            .map_err(|error| format!("cannot copy files into the working directory: {error}"))?;
    }
    Ok(())
}

/// Makes a user the owner of a directory and all that is in it.
pub(super) fn give(path: &Path, uid: u32) -> Result<(), String> {
    let failed = |error: std::io::Error| {
        format!(
            "cannot give `{}` to the program's user: {error}",
            path.display()
        )
    };
    let (user, group) = (Uid::from_raw(uid), Gid::from_raw(uid));
    chownat(
        CWD,
        path,
        Some(user),
        Some(group),
        AtFlags::SYMLINK_NOFOLLOW,
    )
    .map_err(|error| failed(error.into()))?;
    if path.symlink_metadata().map_err(failed)?.is_dir() {
        for entry in fs::read_dir(path).map_err(failed)? {
            give(&entry.map_err(failed)?.path(), uid)?;
        }
    }
    Ok(())
}

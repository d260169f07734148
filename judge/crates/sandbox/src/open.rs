//! Opening files by a directory's descriptor and a path below it.
//!
//! Responsible for the flags of existing files and for the resolution of untrusted paths. Must not
//! allocate for a `CStr`: children that share the zygote's memory open files too.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, Stat, fstat, openat, openat2};
use rustix::io::Errno;
use rustix::path::Arg;

/// Opens an existing file. No program inherits the descriptor.
pub(crate) fn open_at(
    directory: impl AsFd,
    path: impl Arg,
    flags: OFlags,
) -> Result<OwnedFd, Errno> {
    openat(directory, path, flags | OFlags::CLOEXEC, Mode::empty())
}

/// Resolves a path below a directory without following any link.
const BENEATH: ResolveFlags = ResolveFlags::BENEATH
    .union(ResolveFlags::NO_SYMLINKS)
    .union(ResolveFlags::NO_MAGICLINKS);

/// Opens a file below a directory without following any link: a program may have made the path.
/// Mounts below the directory are entered.
pub(crate) fn open_beneath(
    directory: impl AsFd,
    path: impl Arg,
    flags: OFlags,
) -> Result<OwnedFd, Errno> {
    let flags = flags | OFlags::CLOEXEC;
    openat2(directory, path, flags, Mode::empty(), BENEATH)
}

/// Opens whatever a program has left under a name, for reading, without following any link, waiting
/// or leaving the file system.
pub(crate) fn open_untrusted(
    directory: BorrowedFd<'_>,
    name: &[u8],
) -> Result<(OwnedFd, Stat), Errno> {
    // NONBLOCK: opening a named pipe for reading waits for a writer otherwise. NOCTTY: a terminal
    // must not become the controlling one.
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    // NO_XDEV: a program cannot mount, so a mount below belongs to the sandbox and is not a file of
    // the run.
    let resolve = BENEATH | ResolveFlags::NO_XDEV;
    let fd = match openat2(directory, name, flags, Mode::empty(), resolve) {
        // Filters of some container engines do not know openat2; the last name alone is safe
        // without it.
        Err(Errno::NOSYS) if !name.contains(&b'/') && name != b".." => {
            open_at(directory, name, flags)?
        }
        other => other?,
    };
    let stat = fstat(&fd)?;
    Ok((fd, stat))
}

/// A descriptor that identifies a directory and cannot be read.
pub(crate) fn directory_handle(path: impl Arg) -> Result<OwnedFd, Errno> {
    open_at(CWD, path, OFlags::PATH | OFlags::DIRECTORY)
}

pub(crate) fn is_directory(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

//! Opening files by a directory's descriptor and a path below it.
//!
//! Responsible for flags that every open file of the sandbox has. Must not allocate for a `CStr`:
//! children that share the zygote's memory open files too.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, Stat, openat, openat2};
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

/// Opens a file below a directory without following any link: a program may have made the path.
pub(crate) fn open_beneath(
    directory: impl AsFd,
    path: impl Arg,
    flags: OFlags,
) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let flags = flags | OFlags::CLOEXEC;
    openat2(directory, path, flags, Mode::empty(), resolve)
}

/// A descriptor that identifies a directory and cannot be read.
pub(crate) fn directory_handle(path: impl Arg) -> Result<OwnedFd, Errno> {
    open_at(CWD, path, OFlags::PATH | OFlags::DIRECTORY)
}

pub(crate) fn is_directory(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

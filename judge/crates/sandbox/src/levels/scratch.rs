//! Directories of slots that have no mount namespace.
//!
//! Responsible for making them where programs can reach them, and for leaving none behind. Must not know what is put
//! into them.

use std::ffi::CString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, open};

use crate::{Layout, SandboxError, group::name, levels::remove_tree};

/// The directory of a slot. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    layout: Layout,
    mode: u32,
}

/// The places where such directories may be, the preferred place first.
fn places() -> [PathBuf; 3] {
    [std::env::temp_dir(), PathBuf::from("/tmp"), PathBuf::from("/var/tmp")]
}

/// True if every user can reach a path and read it, going by its mode and those of the directories above.
pub(crate) fn is_open_to_all(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| closed_part(&path).is_none())
}

/// Returns the part of a path that is closed to other users: the topmost directory above it that they may not pass
/// through, or the path itself if they may not read it.
pub(crate) fn closed_part(path: &Path) -> Option<&Path> {
    let is_closed = |(index, part): &(usize, &Path)| {
        let wanted = match (index, part.is_dir()) {
            (0, true) => 0o005,
            (0, false) => 0o004,
            _ => 0o001,
        };
        !fs::metadata(part).is_ok_and(|metadata| metadata.mode() & wanted == wanted)
    };
    path.ancestors().enumerate().filter(is_closed).map(|(_, part)| part).last()
}

impl Scratch {
    /// Makes a directory, which other users can pass through if `shared`.
    pub(crate) fn new(shared: bool) -> Result<Self, SandboxError> {
        let name = name::fresh().ok_or_else(|| SandboxError::helper("`/proc` is not mounted"))?;
        let fits = |place: &Path| place.is_absolute() && place.is_dir() && (!shared || is_open_to_all(place));
        let place = places().into_iter().find(|place| fits(place)).unwrap_or_else(std::env::temp_dir);
        let path = place.join(name);
        let scratch = Self { layout: Layout::below(&path), path, mode: if shared { 0o711 } else { 0o700 } };
        scratch.make()?;
        Ok(scratch)
    }

    /// Makes it again if a helper that ended has removed it.
    pub(crate) fn make(&self) -> Result<(), SandboxError> {
        let made = DirBuilder::new().mode(self.mode).create(&self.path).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Ok(()),
            _ => Err(error),
        });
        // Whatever the mask of this process is.
        made.and_then(|()| fs::set_permissions(&self.path, std::os::unix::fs::PermissionsExt::from_mode(self.mode)))
            .map_err(SandboxError::host(format!("create `{}`", self.path.display())))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is swept later.
        let _ = remove(&self.path);
    }
}

/// Keeps all users from passing through a directory but us and one other, who is the only one in the group of the same
/// number: a second wall between the slots of a host behind Landlock.
pub(crate) fn open_to_one(path: &Path, uid: u32) -> io::Result<()> {
    std::os::unix::fs::lchown(path, None, Some(uid))?;
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o710))
}

/// Opens a directory for looking things up in it.
pub(crate) fn open_directory(path: &Path) -> Result<OwnedFd, rustix::io::Errno> {
    open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

/// Removes such a directory with all that is in it. That it is gone already is fine.
pub(crate) fn remove(path: &Path) -> Result<(), rustix::io::Errno> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
    let name = CString::new(name.as_bytes()).map_err(|_| rustix::io::Errno::INVAL)?;
    // Not to follow the last name is no use to the directory for temporary files, which may be a link.
    let parent = open(parent, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    remove_tree::remove(parent.as_fd(), &name, &mut || {})
}

/// Removes what dead processes of this user left. Returns how many.
pub(crate) fn sweep() -> u32 {
    let us = rustix::process::geteuid().as_raw();
    let mut removed = 0;
    for entry in places().iter().filter_map(|place| fs::read_dir(place).ok()).flatten().flatten() {
        let stale = entry.file_name().to_str().is_some_and(name::is_stale);
        let ours = || entry.path().symlink_metadata().is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == us);
        if stale && ours() {
            removed += u32::from(remove(&entry.path()).is_ok());
        }
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_dropped_directory_is_gone_with_everything_in_it() {
        let scratch = Scratch::new(false).unwrap();
        let path = scratch.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        fs::create_dir_all(scratch.layout().work.join("a/b")).unwrap();
        scratch.make().unwrap();
        drop(scratch);
        assert!(!path.exists());
        assert!(remove(&path).is_ok());
    }

    #[test]
    fn one_closed_directory_above_is_enough_to_be_out_of_reach() {
        let directory = tempfile::tempdir().unwrap();
        let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let inner = directory.path().join("inner");
        fs::create_dir(&inner).unwrap();
        set(&inner, 0o755);
        set(directory.path(), 0o711);
        // As open as the directory for temporary files itself.
        assert_eq!(is_open_to_all(&inner), is_open_to_all(&std::env::temp_dir()));
        set(directory.path(), 0o700);
        assert!(!is_open_to_all(&inner));
        if is_open_to_all(&std::env::temp_dir()) {
            assert_eq!(closed_part(&inner), Some(directory.path()));
        }
        assert!(!is_open_to_all(Path::new("/nowhere/at/all")));
    }
}

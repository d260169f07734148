//! Directories of slots that have no mount namespace.
//!
//! Responsible for creating them where programs can reach them, and for leaving none behind. Must
//! not know their contents.

use std::ffi::CString;
use std::fs;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use judge_model::IsolationLevel;
use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, fchmod, fchown, fstat, mkdirat, statat};
use rustix::io::Errno;

use crate::open::{directory_handle, is_directory, open_at};
use crate::{Layout, SandboxError, group::name, levels::user, trees::remove as remove_tree};

/// Flags to open a directory of this process whose mode is to be changed: not `O_PATH`.
const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW);
/// The user that the kernel shows for users that do not exist in this user namespace (`overflowuid`
/// in proc_sys_kernel(5)).
const UNMAPPED: u32 = 65534;

/// The directory of a slot. Dropping it removes it.
///
/// It is identified by its descriptor: other users can see its name in the directory for temporary
/// files, and may have created an entry of that name after it was removed.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    layout: Layout,
    directory: OwnedFd,
}

/// The places where such directories may be, the preferred place first.
fn places() -> [PathBuf; 3] {
    [
        std::env::temp_dir(),
        PathBuf::from("/tmp"),
        PathBuf::from("/var/tmp"),
    ]
}

/// True if only root and this user can exchange this user's files in a directory, or the
/// directories above it. With the sticky bit, only the owner of a file, or of its directory, can
/// (inode(7)).
fn is_protected_from_others(place: &Path) -> bool {
    // A sticky directory such as /tmp prevents others, except its owner, from renaming files of
    // this user. So every directory up to the root must belong to this user or to root.
    let us = rustix::process::geteuid().as_raw();
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let is_trusted =
        |uid: u32| uid == 0 || uid == us || (uid == UNMAPPED && !user::is_mapped(&map, uid));
    let is_safe = |directory: &Path| {
        let metadata = fs::metadata(directory);
        metadata.is_ok_and(|found| {
            is_trusted(found.uid()) && (found.mode() & 0o022 == 0 || found.mode() & 0o1000 != 0)
        })
    };
    place
        .canonicalize()
        .is_ok_and(|place| place.ancestors().all(is_safe))
}

/// True if every user can reach a path and read it, by its mode and those of the directories above.
pub(crate) fn is_open_to_all(path: &Path) -> bool {
    path.canonicalize()
        .is_ok_and(|path| closed_part(&path).is_none())
}

/// The directory that makes a file of the host inaccessible at an isolation level although it is
/// shown to programs. `None` if there is no such directory.
pub(crate) fn closed_directory(level: IsolationLevel, path: &Path) -> Option<PathBuf> {
    if level != IsolationLevel::User {
        return None;
    }
    closed_part(&path.canonicalize().ok()?).map(Path::to_owned)
}

/// Returns the part of a path that is closed to other users: the topmost directory above it that
/// they may not pass through, or the path itself if they may not read it.
fn closed_part(path: &Path) -> Option<&Path> {
    let is_closed = |(index, part): &(usize, &Path)| {
        let bits = match (index, part.is_dir()) {
            (0, true) => 0o005,
            (0, false) => 0o004,
            _ => 0o001,
        };
        !fs::metadata(part).is_ok_and(|metadata| metadata.mode() & bits == bits)
    };
    path.ancestors()
        .enumerate()
        .filter(is_closed)
        .map(|(_, part)| part)
        .last()
}

impl Scratch {
    /// Creates a directory, in a place that other users can reach if `shared`.
    pub(crate) fn new(shared: bool) -> Result<Self, SandboxError> {
        let fits = |place: &Path| {
            place.is_absolute()
                && is_protected_from_others(place)
                && (!shared || is_open_to_all(place))
        };
        let place = places().into_iter().find(|place| fits(place)).ok_or_else(|| {
            let condition = if shared { " and reachable for every user" } else { "" };
            SandboxError::helper(format!(
                "no directory for temporary files is protected from other users{condition}: tried `{}`, `/tmp` and `/var/tmp`",
                std::env::temp_dir().display()
            ))
        })?;
        Self::new_in(&place)
    }

    fn new_in(place: &Path) -> Result<Self, SandboxError> {
        let name = name::fresh().ok_or_else(|| SandboxError::helper("`/proc` is not mounted"))?;
        let path = place.join(name);
        let directory = make(&path)?;
        Ok(Self {
            layout: Layout::below(&path),
            path,
            directory,
        })
    }

    /// The directory for a new zygote. It is created again if an earlier zygote has removed it.
    pub(crate) fn directory(&mut self) -> Result<BorrowedFd<'_>, SandboxError> {
        if !is_at(&self.directory, &self.path) {
            self.directory = make(&self.path)?;
        }
        Ok(self.directory.as_fd())
    }

    /// Removes everything in it.
    pub(crate) fn clear(&mut self) -> Result<(), SandboxError> {
        let failed = SandboxError::host(format!("empty `{}`", self.path.display()));
        let directory = self.directory()?;
        // A program that runs as this user may have removed the owner's permissions.
        fchmod(directory, Mode::RWXU)
            .and_then(|()| open_at(directory, c".", DIRECTORY))
            .and_then(|directory| remove_tree::empty(directory.as_fd(), &mut || {}))
            .map_err(failed)
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
        // A later harness removes directories that cannot be removed now.
        let _ = remove(&self.directory, &self.path);
    }
}

/// Creates a directory that no other user can read. An existing entry of that name was created by
/// another program and is an error.
fn make(path: &Path) -> Result<OwnedFd, SandboxError> {
    let failed = || SandboxError::host::<Errno>(format!("create `{}`", path.display()));
    mkdirat(CWD, path, Mode::RWXU).map_err(failed())?;
    let directory = open_at(CWD, path, DIRECTORY).map_err(failed())?;
    // The umask of this process may have removed bits.
    fchmod(&directory, Mode::RWXU).map_err(failed())?;
    // Between mkdirat and openat the name could have been exchanged where the parent is not sticky;
    // the descriptor shows its owner.
    let stat = fstat(&directory).map_err(failed())?;
    if stat.st_uid == rustix::process::geteuid().as_raw() {
        Ok(directory)
    } else {
        Err(SandboxError::helper(format!(
            "another user has exchanged `{}`",
            path.display()
        )))
    }
}

/// True if a path leads to this very directory.
fn is_at(directory: impl AsFd, path: &Path) -> bool {
    let at_path = statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW);
    match (at_path, fstat(directory)) {
        (Ok(one), Ok(other)) => {
            (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino) && is_directory(&one)
        }
        _ => false,
    }
}

/// Closes a directory to all users except this one and one other, who is the only member of the
/// group of the same number. In addition to Landlock, this is a second barrier between the slots of
/// a host.
pub(crate) fn open_to_one(directory: BorrowedFd<'_>, uid: u32) -> Result<(), Errno> {
    // The group first: with the mode first, the members of the old group could enter until the
    // group changes.
    fchown(directory, None, Some(Gid::from_raw(uid)))?;
    fchmod(directory, Mode::from_raw_mode(0o710))
}

/// Removes a slot's directory with its contents. A missing directory is not an error.
pub(crate) fn remove(directory: impl AsFd, path: &Path) -> Result<(), Errno> {
    if is_at(directory, path) {
        remove_named(path)
    } else {
        Ok(())
    }
}

fn remove_named(path: &Path) -> Result<(), Errno> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(());
    };
    // Removed by its parent's descriptor and one name, so that no directory above can be exchanged
    // between the check and the removal.
    let name = CString::new(name.as_bytes()).map_err(|_| Errno::INVAL)?;
    // Links are followed, because the directory for temporary files may be one.
    let parent = directory_handle(parent)?;
    remove_tree::remove(parent.as_fd(), &name, &mut || {})
}

/// Removes directories that dead processes of this user left. Returns how many.
pub(crate) fn sweep() -> u32 {
    let us = rustix::process::geteuid().as_raw();
    let mut removed = 0;
    for entry in places()
        .iter()
        .filter_map(|place| fs::read_dir(place).ok())
        .flatten()
        .flatten()
    {
        let stale = entry.file_name().to_str().is_some_and(name::is_stale);
        // Any user can create an entry with such a name in `/tmp`. A harness of root would
        // otherwise remove files of other users.
        let ours = || {
            entry
                .path()
                .symlink_metadata()
                .is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == us)
        };
        if stale && ours() {
            removed += u32::from(remove_named(&entry.path()).is_ok());
        }
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn dropping_removes_the_directory_and_its_contents() {
        let scratch = Scratch::new(false).unwrap();
        let path = scratch.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        fs::create_dir_all(scratch.layout().work.join("a/b")).unwrap();
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn only_the_created_directory_is_used_and_removed() {
        let place = tempfile::tempdir().unwrap();
        let mut scratch = Scratch::new_in(place.path()).unwrap();
        let path = scratch.path().to_owned();
        let inode = |scratch: &mut Scratch| fstat(scratch.directory().unwrap()).unwrap().st_ino;
        let first = inode(&mut scratch);
        fs::write(path.join("left"), "x").unwrap();
        assert_eq!(
            inode(&mut scratch),
            first,
            "an existing directory is reused"
        );
        scratch.clear().unwrap();
        assert_eq!(
            (fs::read_dir(&path).unwrap().count(), inode(&mut scratch)),
            (0, first)
        );
        // Removed by a zygote, then created by another user, as a directory or as a link to one.
        fs::remove_dir(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let refused =
            |scratch: &mut Scratch| scratch.directory().map(drop).unwrap_err().to_string();
        assert!(
            refused(&mut scratch).contains("cannot create"),
            "{}",
            refused(&mut scratch)
        );
        fs::rename(&path, place.path().join("theirs")).unwrap();
        fs::write(place.path().join("theirs/file"), "x").unwrap();
        std::os::unix::fs::symlink(place.path().join("theirs"), &path).unwrap();
        assert!(
            refused(&mut scratch).contains("cannot create"),
            "{}",
            refused(&mut scratch)
        );
        drop(scratch);
        assert!(
            place.path().join("theirs/file").exists() && path.is_symlink(),
            "files of others are not removed"
        );
        assert!(make(&path).is_err());
    }

    #[test]
    fn directories_open_to_changes_by_others_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let set =
            |mode| fs::set_permissions(place.path(), fs::Permissions::from_mode(mode)).unwrap();
        let inner = place.path().join("inner");
        fs::create_dir(&inner).unwrap();
        for (mode, expected) in [
            (0o700, true),
            (0o755, true),
            (0o1777, true),
            (0o777, false),
            (0o770, false),
        ] {
            set(mode);
            assert_eq!(is_protected_from_others(&inner), expected, "{mode:o}");
        }
        assert!(is_protected_from_others(Path::new("/")));
        if rustix::process::geteuid().is_root() {
            set(0o755);
            std::os::unix::fs::chown(place.path(), Some(12_345), None).unwrap();
            assert!(!is_protected_from_others(&inner), "another user's");
        }
    }

    #[test]
    fn closed_parents_make_paths_unreachable() {
        let directory = tempfile::tempdir().unwrap();
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let inner = directory.path().join("inner");
        fs::create_dir(&inner).unwrap();
        set(&inner, 0o755);
        set(directory.path(), 0o711);
        // As open as the directory for temporary files itself.
        assert_eq!(
            is_open_to_all(&inner),
            is_open_to_all(&std::env::temp_dir())
        );
        set(directory.path(), 0o700);
        assert!(!is_open_to_all(&inner));
        if is_open_to_all(&std::env::temp_dir()) {
            assert_eq!(closed_part(&inner), Some(directory.path()));
        }
        assert!(!is_open_to_all(Path::new("/nowhere/at/all")));
    }
}

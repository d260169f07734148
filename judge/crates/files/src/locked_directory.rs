//! Locked directories: those that something lies in for a while, and that are gone with the process that made them.
//!
//! Responsible for that nothing stays: a directory is removed when it is dropped, and one whose process was killed by the next
//! process that looks. Must not know what lies in them.
//!
//! The directory is locked as long as its maker lives (flock(2)), which tells the leftovers of a killed process from what is
//! still in use. Process numbers would not: they repeat in containers.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A directory that is removed when this is dropped.
#[derive(Debug)]
pub struct LockedDirectory {
    directory: TempDir,
    /// Held as long as the directory is in use; see [`Self::sweep`].
    _lock: File,
}

impl LockedDirectory {
    /// Makes a directory in `parent`, with a name that begins with `prefix` and permissions before the process's umask.
    ///
    /// # Errors
    /// When it cannot be made or locked.
    pub fn new_in(parent: &Path, prefix: &str, mode: u32) -> io::Result<Self> {
        loop {
            let permissions = Permissions::from_mode(mode);
            let directory = tempfile::Builder::new().prefix(prefix).permissions(permissions).tempdir_in(parent)?;
            // A sweeper may have come between the two calls, and have the lock or have removed the directory already.
            match File::open(directory.path()) {
                Ok(lock) if is_free(&lock)? && directory.path().try_exists()? => {
                    return Ok(Self { directory, _lock: lock });
                }
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Gives the directory another name, under which it stays.
    ///
    /// # Errors
    /// When it cannot be renamed; then nothing is left of it.
    pub fn rename(self, to: &Path) -> io::Result<()> {
        fs::rename(self.path(), to)?;
        // There is nothing under the old name any more that could be removed.
        let _: PathBuf = self.directory.keep();
        Ok(())
    }

    /// Removes the directories in `parent` whose names begin with `prefix` and whose makers are dead, as far as they are this
    /// user's. Where a file system has no locks, nothing is removed.
    pub fn sweep(parent: &Path, prefix: &str) {
        let Ok(us) = fs::metadata("/proc/self").map(|metadata| metadata.uid()) else { return };
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            if !entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes()) {
                continue;
            }
            let path = entry.path();
            let is_ours = fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir() && found.uid() == us);
            if is_ours && File::open(&path).is_ok_and(|directory| directory.try_lock().is_ok()) {
                // Directories that cannot be removed now are tried again another time.
                let _ = fs::remove_dir_all(&path);
            }
        }
    }
}

/// Locks a directory unless somebody else has. One on a file system without locks is as good as locked: nobody sweeps it.
fn is_free(directory: &File) -> io::Result<bool> {
    match directory.try_lock() {
        Ok(()) => Ok(true),
        Err(fs::TryLockError::WouldBlock) => Ok(false),
        Err(fs::TryLockError::Error(error)) if is_unsupported(&error) => Ok(true),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replacement::tests::names;

    #[test]
    fn a_directory_goes_when_it_is_dropped_and_stays_when_it_is_renamed() {
        let parent = tempfile::tempdir().unwrap();
        let make = || LockedDirectory::new_in(parent.path(), ".new-", 0o700).unwrap();
        let directory = make();
        fs::write(directory.path().join("a"), "1").unwrap();
        assert_eq!(fs::metadata(directory.path()).unwrap().permissions().mode() & 0o777, 0o700);
        drop(directory);
        assert!(names(parent.path()).is_empty());
        let directory = make();
        fs::write(directory.path().join("a"), "1").unwrap();
        directory.rename(&parent.path().join("kept")).unwrap();
        assert_eq!(names(parent.path()), ["kept"]);
        assert!(make().rename(&parent.path().join("kept")).is_err());
        assert_eq!(names(&parent.path().join("kept")), ["a"]);
        assert_eq!(names(parent.path()), ["kept"], "nothing is left of what could not be renamed");
    }

    #[test]
    fn what_a_dead_process_left_is_swept_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        ["dead-1", "dead-1/a", "other"].iter().for_each(|name| fs::create_dir(at(name)).unwrap());
        fs::write(at("dead-2"), "a file").unwrap();
        std::os::unix::fs::symlink(at("other"), at("dead-3")).unwrap();
        let alive = LockedDirectory::new_in(parent.path(), "dead-", 0o700).unwrap();
        LockedDirectory::sweep(parent.path(), "dead-");
        let alive = alive.path().file_name().unwrap().to_str().unwrap().to_owned();
        let mut expected = vec![alive, "dead-2".to_owned(), "dead-3".to_owned(), "other".to_owned()];
        expected.sort();
        assert_eq!(names(parent.path()), expected);
    }
}

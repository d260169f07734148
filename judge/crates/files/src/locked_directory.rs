//! Locked directories: temporary directories that are removed with the process that created them.
//!
//! Responsible for removing them: a directory is removed when it is dropped, and the one of a
//! killed process by the next sweep. Must not know what the directories contain.
//!
//! A directory is locked while its process lives (flock(2)), which distinguishes the leftovers of a
//! killed process from directories in use. Process numbers cannot: they repeat in containers.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;

/// The command or step that uses a temporary directory, which is part of the directory's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporaryPurpose {
    /// Test data that is being generated.
    Generate,
    /// A test case to be added.
    Add,
    /// Sources of mutants.
    Mutants,
    /// A package that is read from an archive.
    Package,
    /// A package that is converted.
    Interchange,
    /// Examples from a single file.
    Examples,
    /// A document that is typeset.
    Printing,
    /// Programs that measure this host.
    Measuring,
    /// A compiler that is tried.
    Toolchain,
    /// Programs and test cases of requests.
    Grading,
}

impl TemporaryPurpose {
    const ALL: [Self; 10] = [
        Self::Generate,
        Self::Add,
        Self::Mutants,
        Self::Package,
        Self::Interchange,
        Self::Examples,
        Self::Printing,
        Self::Measuring,
        Self::Toolchain,
        Self::Grading,
    ];

    /// The prefix of the names of directories. Directories of earlier versions are found by it.
    fn prefix(self) -> &'static str {
        match self {
            Self::Generate => "judge-generate-",
            Self::Add => "judge-add-",
            Self::Mutants => "judge-mutants-",
            Self::Package => "judge-package-",
            Self::Interchange => "judge-interchange-",
            Self::Examples => "judge-examples-",
            Self::Printing => "judge-printing-",
            Self::Measuring => "judge-measuring-",
            Self::Toolchain => "judge-toolchain-",
            Self::Grading => "judge-grading-",
        }
    }
}

/// A directory that is removed when this is dropped.
#[derive(Debug)]
pub struct LockedDirectory {
    directory: TempDir,
    /// Held as long as the directory is in use; see [`Self::sweep`].
    _lock: File,
}

impl LockedDirectory {
    /// Creates a directory in `parent`, with a name that begins with `prefix`. `mode` is subject to
    /// the process's umask.
    ///
    /// # Errors
    /// When it cannot be made or locked.
    pub fn new_in(parent: &Path, prefix: &str, mode: u32) -> io::Result<Self> {
        loop {
            let permissions = Permissions::from_mode(mode);
            let directory = tempfile::Builder::new()
                .prefix(prefix)
                .permissions(permissions)
                .tempdir_in(parent)?;
            // Another process may have swept between the two calls: it holds the lock, or has
            // removed the directory already.
            // The check follows the lock: once the lock is held, no sweep removes the directory.
            match File::open(directory.path()) {
                Ok(lock) if is_free(&lock)? && directory.path().try_exists()? => {
                    return Ok(Self {
                        directory,
                        _lock: lock,
                    });
                }
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }

    /// Creates a directory for temporary files. Only its owner can read it, because the test data
    /// of a future contest are secret. The first call in a process removes what killed processes
    /// left, for every purpose.
    ///
    /// # Errors
    /// When it cannot be made or locked.
    pub fn temporary(purpose: TemporaryPurpose) -> io::Result<Self> {
        static SWEPT: Once = Once::new();
        SWEPT.call_once(Self::sweep_temporary);
        Self::new_in(&std::env::temp_dir(), purpose.prefix(), 0o700)
    }

    /// Removes the temporary directories that killed processes of this user left.
    pub fn sweep_temporary() {
        let parent = std::env::temp_dir();
        for purpose in TemporaryPurpose::ALL {
            Self::sweep(&parent, purpose.prefix());
        }
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Renames the directory, which is kept from then on.
    ///
    /// # Errors
    /// When it cannot be renamed. Then the directory is removed.
    pub fn rename(self, to: &Path) -> io::Result<()> {
        fs::rename(self.path(), to)?;
        // Nothing is left to be removed under the old name.
        let _: PathBuf = self.directory.keep();
        Ok(())
    }

    /// Removes this user's directories in `parent` whose names begin with `prefix` and whose
    /// processes have ended. On a file system without locks, nothing is removed.
    pub fn sweep(parent: &Path, prefix: &str) {
        // The directory of a process in `/proc` belongs to its effective user (proc_pid(5)). Where
        // it cannot be read, nothing is removed, because the owners of entries cannot be compared.
        let Ok(us) = fs::metadata("/proc/self").map(|metadata| metadata.uid()) else {
            return;
        };
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            if !entry
                .file_name()
                .as_encoded_bytes()
                .starts_with(prefix.as_bytes())
            {
                continue;
            }
            let path = entry.path();
            let is_ours =
                fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir() && found.uid() == us);
            let Some(directory) = is_ours.then(|| File::open(&path).ok()).flatten() else {
                continue;
            };
            if directory.try_lock().is_ok() {
                // The next sweep tries again to remove the directories that cannot be removed now.
                let _ = fs::remove_dir_all(&path);
            }
            // Held until now: otherwise, a process that has just made the directory could lock it
            // and use it while it is removed.
            drop(directory);
        }
    }
}

/// Locks a directory unless another process has locked it. On a file system without locks, a
/// directory counts as locked, because nothing is swept there.
fn is_free(directory: &File) -> io::Result<bool> {
    match directory.try_lock() {
        Ok(()) => Ok(true),
        Err(fs::TryLockError::WouldBlock) => Ok(false),
        Err(fs::TryLockError::Error(error)) if is_unsupported(&error) => Ok(true),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
        || error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::replacement::tests::names;

    #[test]
    fn directories_are_removed_on_drop_and_kept_on_rename() {
        let parent = tempfile::tempdir().unwrap();
        let make = || LockedDirectory::new_in(parent.path(), ".new-", 0o700).unwrap();
        let directory = make();
        fs::write(directory.path().join("a"), "1").unwrap();
        assert_eq!(
            fs::metadata(directory.path()).unwrap().permissions().mode() & 0o777,
            0o700
        );
        drop(directory);
        assert!(names(parent.path()).is_empty());
        let directory = make();
        fs::write(directory.path().join("a"), "1").unwrap();
        directory.rename(&parent.path().join("kept")).unwrap();
        assert_eq!(names(parent.path()), ["kept"]);
        assert!(make().rename(&parent.path().join("kept")).is_err());
        assert_eq!(names(&parent.path().join("kept")), ["a"]);
        assert_eq!(
            names(parent.path()),
            ["kept"],
            "a directory that could not be renamed is removed"
        );
    }

    #[test]
    fn temporary_directories_are_private_and_named_after_their_purpose() {
        for purpose in TemporaryPurpose::ALL {
            let directory = LockedDirectory::temporary(purpose).unwrap();
            let name = directory
                .path()
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            assert!(name.starts_with(purpose.prefix()), "{name}");
            assert_eq!(
                fs::metadata(directory.path()).unwrap().mode() & 0o777,
                0o700,
                "{name}"
            );
            // No sweep removes it while it is in use.
            LockedDirectory::sweep_temporary();
            assert!(directory.path().exists(), "{name}");
        }
    }

    #[test]
    fn sweeps_spare_directories_being_created() {
        let parent = tempfile::tempdir().unwrap();
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !is_done.load(Ordering::Relaxed) {
                        LockedDirectory::sweep(parent.path(), "new-");
                    }
                });
            }
            let lost = (0..500).filter(|_| {
                let Ok(directory) = LockedDirectory::new_in(parent.path(), "new-", 0o700) else {
                    return true;
                };
                std::thread::yield_now();
                !directory.path().exists()
            });
            let lost = lost.count();
            is_done.store(true, Ordering::Relaxed);
            assert_eq!(lost, 0);
        });
    }

    #[test]
    fn only_leftovers_of_dead_processes_are_swept() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        ["dead-1", "dead-1/a", "other"]
            .iter()
            .for_each(|name| fs::create_dir(at(name)).unwrap());
        fs::write(at("dead-2"), "a file").unwrap();
        std::os::unix::fs::symlink(at("other"), at("dead-3")).unwrap();
        let alive = LockedDirectory::new_in(parent.path(), "dead-", 0o700).unwrap();
        LockedDirectory::sweep(parent.path(), "dead-");
        let alive = alive
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let mut expected = vec![
            alive,
            "dead-2".to_owned(),
            "dead-3".to_owned(),
            "other".to_owned(),
        ];
        expected.sort();
        assert_eq!(names(parent.path()), expected);
    }
}

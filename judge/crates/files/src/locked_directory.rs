//! Locked directories: those that something lies in for a while, and that are gone with the
//! process that made them.
//!
//! Responsible for that nothing stays: a directory is removed when it is dropped, and one whose
//! process was killed by the next process that looks. Must not know what lies in them.
//!
//! The directory is locked as long as its maker lives (flock(2)), which distinguishes the
//! leftovers of a killed process from what is still in use. Process numbers would not: they
//! repeat in containers.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;

/// The command or step that a temporary directory is for, which its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporaryPurpose {
    /// Test data that is being generated.
    Generate,
    /// A test case that is to be added.
    Add,
    /// Sources of mutants.
    Mutants,
    /// A package that is read from an archive.
    Package,
    /// A package that is converted.
    Interchange,
    /// Examples that came in one file.
    Examples,
    /// A document that is typeset.
    Printing,
    /// Programs to measure this host with.
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

    /// The beginning of the names of directories.
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
    /// Makes a directory in `parent`, with a name that begins with `prefix` and permissions
    /// before the process's umask.
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
            // A sweeper may have come between the two calls, and have the lock or have removed
            // the directory already.
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

    /// Makes a directory for temporary files. Only its owner can look into it: test data of a
    /// coming contest is nobody else's business. The first one of a process removes what killed
    /// processes left, whatever for.
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
        TemporaryPurpose::ALL
            .iter()
            .for_each(|purpose| Self::sweep(&parent, purpose.prefix()));
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

    /// Removes the directories in `parent` whose names begin with `prefix` and whose makers are
    /// dead, as far as they are this user's. Where a file system has no locks, nothing is
    /// removed.
    pub fn sweep(parent: &Path, prefix: &str) {
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
                // Directories that cannot be removed now are tried again another time.
                let _ = fs::remove_dir_all(&path);
            }
            // Held until now: a process that has just made the directory could otherwise lock
            // it and use it while it is removed.
            drop(directory);
        }
    }
}

/// Locks a directory unless somebody else has. One on a file system without locks is as good as
/// locked: nobody sweeps it.
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
    fn a_directory_goes_when_it_is_dropped_and_stays_when_it_is_renamed() {
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
            "nothing is left of what could not be renamed"
        );
    }

    #[test]
    fn temporary_directories_are_closed_and_named_after_their_purpose() {
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
            // No sweep takes it while it is in use.
            LockedDirectory::sweep_temporary();
            assert!(directory.path().exists(), "{name}");
        }
    }

    #[test]
    fn a_sweep_never_takes_a_directory_that_is_being_made() {
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

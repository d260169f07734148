//! Replacements: files that get their final names when they are complete.
//!
//! Responsible for atomicity: a reader sees the old file or the new one, and a failure leaves the
//! old one unchanged and no temporary file. Must not know what the files contain.
//!
//! The new content is written under a temporary name in the directory of the file, on the same file
//! system, and renamed over it (rename(2)). Both names are resolved in a [`ConfinedDirectory`]: the
//! package that contains the file, or else its directory. No other process has the temporary name:
//! the file is created with `O_EXCL`, which does not follow a link either, and the name ends with a
//! number if the first choice is taken, because process numbers repeat in containers. The file is
//! locked while its process lives, which distinguishes the leftovers of a killed process from a
//! file that is still being written.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::confined::ConfinedDirectory;

/// The options of a replacement.
#[derive(Clone, Debug)]
pub struct ReplacementOptions {
    /// The temporary name, in the directory of the file; `NAME.PID` by default.
    pub unfinished: Option<PathBuf>,
    /// The permissions of the new file, before the process's umask. Those of the old file do
    /// not matter.
    pub mode: u32,
    /// True if the file must survive a loss of power: it is on disk before it gets its name.
    pub on_disk: bool,
    /// True if an unfinished file is kept, because another process can resume from it.
    pub stays_unfinished: bool,
}

impl Default for ReplacementOptions {
    fn default() -> Self {
        Self {
            unfinished: None,
            mode: 0o666,
            on_disk: false,
            stays_unfinished: false,
        }
    }
}

/// A file that is being written. [`Replacement::finish`] gives it its final name and replaces an
/// old file. If it is dropped before, it is removed.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    directory: ConfinedDirectory,
    /// The final and the temporary name, below the directory.
    path: PathBuf,
    unfinished_below: PathBuf,
    /// The temporary name, as the caller knows it.
    unfinished: PathBuf,
    on_disk: bool,
    stays: bool,
}

impl Replacement {
    /// Begins a replacement. Calling it first reports an unwritable directory before any other work
    /// is done.
    ///
    /// # Errors
    /// When nothing can be written in the directory of the file.
    pub fn begin(path: &Path, options: ReplacementOptions) -> io::Result<Self> {
        let (directory, below) = ConfinedDirectory::for_file(path)?;
        let first = options
            .unfinished
            .unwrap_or_else(|| with_suffix(path, std::process::id()));
        // rename(2) replaces a file atomically only within one file system. The same directory
        // guarantees that.
        let (Some(name), true) = (first.file_name(), first.parent() == path.parent()) else {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "the temporary file must be in the directory of the file",
            ));
        };
        let (file, unfinished_below) =
            create_new(&directory, &below.with_file_name(name), options.mode)?;
        let unfinished = path.with_file_name(unfinished_below.file_name().unwrap_or_default());
        Ok(Self {
            file,
            directory,
            path: below,
            unfinished_below,
            unfinished,
            on_disk: options.on_disk,
            stays: options.stays_unfinished,
        })
    }

    /// The name of the file until it is complete.
    #[must_use]
    pub fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// The file, for callers that write it piece by piece.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When it cannot be synced or renamed. The old file is unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        if self.on_disk {
            // The content must be on the disk before the name. Otherwise a file system may
            // write the rename first, and a loss of power leaves an empty file under the final
            // name.
            self.file.sync_all()?;
        }
        self.directory.rename(&self.unfinished_below, &self.path)?;
        // The temporary name is unused from here on. A file with this name belongs to another
        // process.
        self.stays = true;
        if self.on_disk {
            // The name is an entry of the directory, which is written to the disk separately
            // from the file.
            self.directory.sync_names(&self.path);
        }
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.stays {
            // Only the original error is reported.
            let _ = self.directory.remove_file(&self.unfinished_below);
        }
    }
}

/// Replaces a file by one with these bytes.
///
/// # Errors
/// When it cannot be written or renamed. The old file is unchanged, and no temporary file is left.
pub fn replace(path: &Path, bytes: &[u8], options: ReplacementOptions) -> io::Result<()> {
    let replacement = Replacement::begin(path, options)?;
    replacement.file().write_all(bytes)?;
    replacement.finish()
}

fn with_suffix(path: &Path, number: u32) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{number}"));
    PathBuf::from(name)
}

/// Creates a locked file with an unused name.
fn create_new(
    directory: &ConfinedDirectory,
    first: &Path,
    mode: u32,
) -> io::Result<(File, PathBuf)> {
    let mut path = first.to_owned();
    for attempt in 1_u32.. {
        match directory.create_new(&path, mode) {
            Ok(file) if is_kept(&file) => return Ok((file, path)),
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            // The name is taken, or another process removed the file before it was locked.
            Ok(_) | Err(_) => path = with_suffix(first, attempt),
        }
    }
    unreachable!("names do not run out")
}

/// Locks a file that was just created. False if a process that removes leftovers acted between the
/// two calls: it holds the lock, or has removed the file already. On a file system without locks, a
/// file counts as locked, because no process removes it.
fn is_kept(file: &File) -> bool {
    let is_locked = !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    // A removed file can still be written. But the rename at the end would fail, or take a file
    // that another process has created under the same name.
    is_locked && file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// The names in a directory.
    pub(crate) fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn replacements_are_visible_when_complete() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        for on_disk in [false, true] {
            fs::write(&path, "old").unwrap();
            let options = ReplacementOptions {
                on_disk,
                ..ReplacementOptions::default()
            };
            let replacement = Replacement::begin(&path, options).unwrap();
            replacement.file().write_all(b"new").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"old");
            assert_eq!(
                replacement.unfinished(),
                with_suffix(&path, std::process::id())
            );
            replacement.finish().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert_eq!(names(directory.path()), ["file"]);
        }
    }

    #[test]
    fn failures_leave_the_old_file_and_no_temporary_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "old").unwrap();
        // The replacement is dropped.
        let replacement = Replacement::begin(&path, ReplacementOptions::default()).unwrap();
        replacement.file().write_all(b"new").unwrap();
        drop(replacement);
        assert_eq!(
            (fs::read(&path).unwrap(), names(directory.path())),
            (b"old".to_vec(), vec!["file".to_owned()])
        );
        // A write fails: a handle that may only be read, as a full disk would refuse it.
        let mut replacement = Replacement::begin(&path, ReplacementOptions::default()).unwrap();
        replacement.file = File::open(replacement.unfinished()).unwrap();
        assert!(replacement.file().write_all(b"new").is_err());
        drop(replacement);
        assert_eq!(
            (fs::read(&path).unwrap(), names(directory.path())),
            (b"old".to_vec(), vec!["file".to_owned()])
        );
        // The last step fails: a non-empty directory is never replaced.
        let full = directory.path().join("full");
        fs::create_dir_all(full.join("below")).unwrap();
        assert!(replace(&full, b"new", ReplacementOptions::default()).is_err());
        assert_eq!(names(directory.path()), ["file", "full"]);
        assert!(full.join("below").is_dir());
        // Nothing can begin.
        let nowhere = directory.path().join("nowhere/file");
        let error = replace(&nowhere, b"new", ReplacementOptions::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(names(directory.path()), ["file", "full"]);
    }

    #[test]
    fn taken_names_are_left_alone_and_links_are_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let (path, outside) = (
            directory.path().join("file"),
            directory.path().join("outside"),
        );
        fs::write(&outside, "mine").unwrap();
        let taken = with_suffix(&path, std::process::id());
        symlink(&outside, &taken).unwrap();
        let first = Replacement::begin(&path, ReplacementOptions::default()).unwrap();
        let second = Replacement::begin(&path, ReplacementOptions::default()).unwrap();
        assert_eq!(first.unfinished(), with_suffix(&taken, 1));
        assert_eq!(second.unfinished(), with_suffix(&taken, 2));
        first.file().write_all(b"first").unwrap();
        second.file().write_all(b"second").unwrap();
        second.finish().unwrap();
        first.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read(&outside).unwrap(), b"mine");
        assert!(taken.is_symlink());
    }

    #[test]
    fn permissions_are_those_of_the_options() {
        let directory = tempfile::tempdir().unwrap();
        let [plain, private, usual] =
            ["plain", "private", "usual"].map(|name| directory.path().join(name));
        fs::write(&usual, "").unwrap();
        replace(&plain, b"", ReplacementOptions::default()).unwrap();
        replace(
            &private,
            b"",
            ReplacementOptions {
                mode: 0o600,
                ..ReplacementOptions::default()
            },
        )
        .unwrap();
        assert_eq!(mode(&plain), mode(&usual));
        assert_eq!(mode(&private), 0o600);
    }

    #[test]
    fn resumable_files_are_kept_unfinished_and_locked_while_written() {
        let directory = tempfile::tempdir().unwrap();
        let unfinished = directory.path().join("file.partial.host");
        let options = || ReplacementOptions {
            unfinished: Some(unfinished.clone()),
            stays_unfinished: true,
            ..ReplacementOptions::default()
        };
        let replacement = Replacement::begin(&directory.path().join("file"), options()).unwrap();
        replacement.file().write_all(b"half").unwrap();
        assert!(File::open(&unfinished).unwrap().try_lock().is_err());
        drop(replacement);
        assert!(File::open(&unfinished).unwrap().try_lock().is_ok());
        assert_eq!(names(directory.path()), ["file.partial.host"]);
        Replacement::begin(&directory.path().join("file"), options())
            .unwrap()
            .finish()
            .unwrap();
        assert_eq!(names(directory.path()), ["file", "file.partial.host"]);
    }
}

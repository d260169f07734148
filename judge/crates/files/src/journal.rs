//! The journals of changes to packages: the steps of a process, which the next process undoes if
//! the first one is killed.
//!
//! Responsible for their location, and for never mistaking another file for a journal. Must not
//! know what the changes are.
//!
//! A journal determines which files of a package are moved and removed. It is therefore in a
//! private directory of the user, and not in the package, where its author could have put one. Its
//! name consists of the inode of the package and the time at which that was created, which a
//! package cannot choose: a copied or unpacked package has no journal, and a moved one keeps its
//! journal. Device numbers are not part of the name, because some file systems get new ones
//! whenever the host starts. They are used where a file system does not store the time.

use std::fs::{DirBuilder, File, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::UNIX_EPOCH;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, openat, statat, unlinkat};

use crate::confined::ConfinedDirectory;

/// The maximum size of a journal, which takes a few hundred bytes for each file.
const MAX_BYTES: u64 = 256 << 20;

static DIRECTORY: RwLock<Option<PathBuf>> = RwLock::new(None);

/// Sets the directory for state, for the whole process. The journals of this user have a
/// subdirectory of it, which is created with the first journal.
pub fn set_journal_directory(state: &Path) {
    // The same directory can be used by an ordinary user and, through sudo(8), by root.
    let own = state.join(format!("journals-{}", rustix::process::geteuid().as_raw()));
    *DIRECTORY.write().unwrap_or_else(PoisonError::into_inner) = Some(own);
}

fn journal_directory() -> io::Result<PathBuf> {
    let directory = DIRECTORY
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    directory.ok_or_else(|| io::Error::other("no directory for journals was set"))
}

/// A journal that this process holds. Unless it is removed, the next process finds it.
#[derive(Debug)]
pub(crate) struct Journal {
    /// Locked while it is open: an unlocked journal belongs to a process that was killed.
    file: File,
    directory: File,
    name: String,
}

impl Journal {
    /// Opens or creates the journal of a package. Also returns the contents that a killed process
    /// left in it. Fails with `WouldBlock` if a running process holds it.
    pub(crate) fn open(package: &ConfinedDirectory) -> io::Result<(Self, Vec<u8>)> {
        let (directory, name) = (private_directory(&journal_directory()?)?, name_of(package)?);
        loop {
            let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE;
            let file = open_own(&directory, &name, flags)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
                // On a file system without locks, other processes are not excluded.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            // The process that held it may have removed it between the two calls.
            let is_there = statat(&directory, &name, AtFlags::SYMLINK_NOFOLLOW);
            if is_there.is_ok_and(|stat| {
                file.metadata()
                    .is_ok_and(|metadata| metadata.ino() == stat.st_ino)
            }) {
                let text = read(&file)?;
                return Ok((
                    Self {
                        file,
                        directory,
                        name,
                    },
                    text,
                ));
            }
        }
    }

    /// Adds a line. With `on_disk`, it is on the disk when this returns.
    pub(crate) fn add(&mut self, line: &[u8], on_disk: bool) -> io::Result<()> {
        // One write for both: if the process were killed between two writes, the line would remain
        // without its end.
        self.file.write_all(&[line, b"\n"].concat())?;
        if on_disk {
            self.file.sync_data()?;
            // The name must be on the disk too. Not every file system can sync a directory.
            let _ = self.directory.sync_all();
        }
        Ok(())
    }

    /// Removes the journal, in a single call that succeeds or fails as a whole. From then on, there
    /// is nothing to undo.
    pub(crate) fn remove(&self) -> io::Result<()> {
        Ok(unlinkat(&self.directory, &self.name, AtFlags::empty())?)
    }

    /// Removes the last bytes, as if they had not reached the disk.
    #[cfg(test)]
    pub(crate) fn cut(&self, bytes: u64) {
        self.file
            .set_len(self.file.metadata().unwrap().len() - bytes)
            .unwrap();
    }
}

/// Counts the lines of the journal of a package, even if another process holds it; 0 without a
/// journal.
pub(crate) fn count_lines(package: &Path) -> io::Result<usize> {
    let Ok(directory) = journal_directory() else {
        return Ok(0);
    };
    // Most of the time there is no journal at all.
    let Ok(directory) = openat(
        CWD,
        &directory,
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    ) else {
        return Ok(0);
    };
    let name = name_of(&ConfinedDirectory::open(package)?)?;
    match open_own(&File::from(directory), &name, OFlags::RDONLY) {
        Ok(file) => Ok(read(&file)?.iter().filter(|byte| **byte == b'\n').count()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error),
    }
}

fn name_of(package: &ConfinedDirectory) -> io::Result<String> {
    let metadata = package.file().metadata()?;
    let created = metadata
        .created()
        .ok()
        .and_then(|created| created.duration_since(UNIX_EPOCH).ok());
    Ok(match created {
        Some(created) => format!(
            "{:x}-{:x}.{:x}",
            metadata.ino(),
            created.as_secs(),
            created.subsec_nanos()
        ),
        None => format!("{:x}-on-{:x}", metadata.ino(), metadata.dev()),
    })
}

/// Opens the directory of the journals, and creates it if it is missing.
fn private_directory(path: &Path) -> io::Result<File> {
    crate::make_own_directory(path.parent().unwrap_or(path))?;
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        created => created?,
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = File::from(openat(CWD, path, flags, Mode::empty())?);
    // Checked by the descriptor: with a check by the path, the directory could be exchanged before
    // it is used.
    let metadata = directory.metadata()?;
    if !is_ours(metadata.uid()) || metadata.permissions().mode() & 0o077 != 0 {
        let text = format!(
            "`{}` is not a private directory of this user",
            path.display()
        );
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(directory)
}

fn open_own(directory: &File, name: &str, flags: OFlags) -> io::Result<File> {
    // These flags matter when something else is in the place of the journal: a link is refused, a
    // FIFO does not block, and a terminal does not become the controlling one.
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(openat(directory, name, flags, Mode::from_raw_mode(0o600))?);
    let metadata = file.metadata()?;
    if metadata.is_file() && is_ours(metadata.uid()) {
        Ok(file)
    } else {
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is not a journal of this user",
        ))
    }
}

fn is_ours(uid: u32) -> bool {
    uid == rustix::process::geteuid().as_raw()
}

fn read(file: &File) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        Err(io::ErrorKind::FileTooLarge.into())
    } else {
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_directory_of_the_journals_is_private() {
        let around = tempfile::tempdir().unwrap();
        let path = around.path().join("cache/journals");
        private_directory(&path).unwrap();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o700
        );
        private_directory(&path).unwrap();
        symlink(&path, around.path().join("link")).unwrap();
        assert!(private_directory(&around.path().join("link")).is_err());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(
            private_directory(&path).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
    }

    #[test]
    fn only_regular_files_of_this_user_are_journals() {
        let around = tempfile::tempdir().unwrap();
        let directory = private_directory(&around.path().join("journals")).unwrap();
        fs::write(around.path().join("file"), "").unwrap();
        symlink("../file", around.path().join("journals/link")).unwrap();
        rustix::fs::mkfifoat(&directory, "pipe", Mode::RWXU).unwrap();
        for name in ["link", "pipe"] {
            assert!(open_own(&directory, name, OFlags::RDWR).is_err(), "{name}");
        }
    }

    #[test]
    fn moved_packages_keep_their_journal_and_copies_have_none() {
        let around = tempfile::tempdir().unwrap();
        let [package, moved] = ["package", "moved"].map(|name| around.path().join(name));
        let name = |path: &Path| name_of(&ConfinedDirectory::open(path).unwrap()).unwrap();
        fs::create_dir(&package).unwrap();
        let original = name(&package);
        fs::rename(&package, &moved).unwrap();
        fs::create_dir(&package).unwrap();
        assert_eq!(name(&moved), original);
        assert_ne!(name(&package), original);
        // Another directory with the same inode is another package.
        fs::remove_dir(&moved).unwrap();
        fs::create_dir(&moved).unwrap();
        if fs::metadata(&moved).unwrap().created().is_ok() {
            assert_ne!(name(&moved), original);
        }
    }
}

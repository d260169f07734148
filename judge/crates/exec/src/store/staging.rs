//! Staging: directories in which entries of the cache are prepared, and the lock that shows that
//! their owner lives.
//!
//! Responsible only for removing leftovers of dead owners. Must not know what is prepared.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_files::{regular_file, set_mode};
use rustix::fs::statfs;

use crate::ExecError;

/// The age above which a directory without a lock has no owner, since an owner creates the lock
/// first.
const ORPHANED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// This process as the owner of prepared entries: a staging directory, and a lock that is held as
/// long as this value lives.
#[derive(Debug)]
pub(crate) struct Owner {
    staging: PathBuf,
    large: PathBuf,
    lock_path: PathBuf,
    // Held until the process ends.
    lock: File,
}

impl Owner {
    /// Makes a staging directory below `staging`, and removes leftovers of dead owners there and
    /// below `large`.
    pub(crate) fn new(staging: &Path, large: &Path) -> Result<Self, ExecError> {
        // Leftovers are removed before this process's directory is created, so that it cannot be
        // mistaken for one.
        sweep(staging, large);
        let (lock, lock_path) = lock_new(staging)?;
        let own = lock_path.with_extension("");
        make_directory(&own, 0o755)?;
        let large = large.join(own.file_name().unwrap_or_default());
        Ok(Self {
            staging: own,
            large,
            lock_path,
            lock,
        })
    }

    pub(crate) fn staging(&self) -> &Path {
        &self.staging
    }

    /// Releases the lock, as the end of the process does.
    #[cfg(test)]
    pub(crate) fn release(&self) {
        self.lock.unlock().unwrap();
    }

    /// The directory of programs that are removed with this owner. It need not exist.
    pub(crate) fn large(&self) -> &Path {
        &self.large
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // The lock is removed last, so that the next process sweeps everything that is left with
        // it. Only a lock whose directories are gone is removed. Otherwise the next process would
        // mistake them for those of a living owner.
        if remove_tree(&self.staging).is_ok() && remove_tree(&self.large).is_ok() {
            let _ = fs::remove_file(&self.lock_path);
        }
        let _ = self.lock.unlock();
    }
}

/// A directory in preparation.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) path: PathBuf,
}

impl Drop for Stage {
    fn drop(&mut self) {
        // After it became an entry the directory has another name, and there is nothing to remove.
        let _ = remove_tree(&self.path);
    }
}

/// Makes a directory and its parents, with exactly this mode regardless of the process's umask.
pub(crate) fn make_directory(path: &Path, mode: u32) -> Result<(), ExecError> {
    if path.is_dir() {
        return Ok(());
    }
    DirBuilder::new()
        .recursive(true)
        .mode(mode)
        .create(path)
        .map_err(ExecError::io("create", path))?;
    set_mode(path, mode).map_err(ExecError::io("set the mode of", path))
}

/// Writes a file with exactly this mode, so that programs that run under other users' ids can read
/// it.
pub(crate) fn write_shared(path: &Path, bytes: &[u8], mode: u32) -> Result<(), ExecError> {
    fs::write(path, bytes).map_err(ExecError::io("write", path))?;
    set_mode(path, mode).map_err(ExecError::io("set the mode of", path))
}

/// Makes a directory of the cache. A directory that its owner cannot use is damaged and gets this
/// mode, and a file or a link of that name is removed.
pub(crate) fn make_group(path: &Path, mode: u32) -> Result<(), ExecError> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() && found.mode() & 0o700 == 0o700 => Ok(()),
        Ok(found) if found.is_dir() => {
            set_mode(path, mode).map_err(ExecError::io("set the mode of", path))
        }
        Ok(_) => {
            fs::remove_file(path).map_err(ExecError::io("replace", path))?;
            make_directory(path, mode)
        }
        Err(_) => make_directory(path, mode),
    }
}

/// Removes a directory with everything in it, or a file. A missing one is not an error.
pub(crate) fn remove_tree(path: &Path) -> io::Result<()> {
    let result = match fs::remove_dir_all(path) {
        Err(error) if error.kind() == ErrorKind::NotADirectory => fs::remove_file(path),
        // A compiler or a script may have closed a directory of its output.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            open_up(path);
            fs::remove_dir_all(path)
        }
        other => other,
    };
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Restores the owner's rights to directories. Links are not followed.
fn open_up(path: &Path) {
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        // If this fails, the removal reports it.
        let _ = set_mode(path, 0o700);
        fs::read_dir(path)
            .into_iter()
            .flatten()
            .flatten()
            .for_each(|entry| open_up(&entry.path()));
    }
}

/// Makes the files readable for every user. They are synced to the disk only where that reports
/// errors of writing them: after a power failure, their digest shows damage.
pub(crate) fn make_readable(directory: &Path) -> Result<(), ExecError> {
    let is_synced = !reports_errors_at_once(directory);
    for entry in fs::read_dir(directory).map_err(ExecError::io("read", directory))? {
        let entry = entry.map_err(ExecError::io("read", directory))?;
        let path = entry.path();
        let metadata = fs::symlink_metadata(&path).map_err(ExecError::io("read", &path))?;
        if metadata.is_dir() {
            make_readable(&path)?;
        } else if metadata.is_file() {
            // Programs run under other users' ids, and the mask of this process may have taken the
            // rights of others.
            let executable = metadata.mode() & 0o100 != 0;
            let mode = if executable { 0o755 } else { 0o644 };
            set_mode(&path, mode).map_err(ExecError::io("set the mode of", &path))?;
            if is_synced {
                regular_file::open_own(&path)
                    .and_then(|file| file.sync_all())
                    .map_err(ExecError::io("sync", &path))?;
            }
        }
    }
    set_mode(directory, 0o755).map_err(ExecError::io("set the mode of", directory))
}

/// True for file systems that reserve space while a file is written. Others, such as NFS, may write
/// it later and report a full disk only to a program that syncs or closes the file.
fn reports_errors_at_once(directory: &Path) -> bool {
    // From linux/magic.h: ext2 to ext4, XFS, Btrfs, tmpfs, overlayfs.
    const LOCAL: [u64; 5] = [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630];
    statfs(directory)
        .is_ok_and(|found| u64::try_from(found.f_type).is_ok_and(|kind| LOCAL.contains(&kind)))
}

/// Creates a lock file with a unique name and holds its lock.
fn lock_new(staging: &Path) -> Result<(File, PathBuf), ExecError> {
    let pid = std::process::id();
    for attempt in 0_u32.. {
        let path = staging.join(format!("{pid}-{attempt}.lock"));
        // The name of a directory that lost its lock is not used again.
        if fs::symlink_metadata(path.with_extension("")).is_ok() {
            continue;
        }
        let file = match File::create_new(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(ExecError::io("create", &path)(error)),
        };
        // Another process may have removed the file between the two calls; then the next name is
        // tried.
        let locked = file.try_lock().is_ok();
        if locked && file.metadata().is_ok_and(|metadata| metadata.nlink() > 0) {
            return Ok((file, path));
        }
    }
    unreachable!("the range of names is unbounded")
}

/// Removes the leftovers of dead processes, whose locks can be taken. If the state of a lock is
/// unknown, nothing is removed.
fn sweep(staging: &Path, large: &Path) {
    let Ok(entries) = fs::read_dir(staging) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_none_or(|extension| extension != "lock") {
            if is_orphan(&path) {
                let _ = remove_tree(&path);
            }
            continue;
        }
        // Held until the directories are gone, so that only one of two processes that sweep at the
        // same time removes them.
        let Some(_lock) = lock_of_dead_process(&path) else {
            continue;
        };
        let own = path.with_extension("");
        let theirs = large.join(own.file_name().unwrap_or_default());
        if remove_tree(&own).is_ok() && remove_tree(&theirs).is_ok() {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Returns the lock of a dead process, which the kernel has released: it does so for every end of a
/// process.
pub(super) fn lock_of_dead_process(path: &Path) -> Option<File> {
    let file = regular_file::open_own(path).or_else(|error| {
        if error.kind() == ErrorKind::PermissionDenied {
            set_mode(path, 0o600)?;
        }
        regular_file::open_own(path)
    });
    let file = file.ok()?;
    file.try_lock().ok()?;
    // The name may belong to another file since it was opened: the one that was locked may have
    // been renamed.
    let (mine, named) = (file.metadata().ok()?, fs::symlink_metadata(path).ok()?);
    ((mine.dev(), mine.ino()) == (named.dev(), named.ino())).then_some(file)
}

fn is_orphan(path: &Path) -> bool {
    let lock = path.with_extension("lock");
    let has_no_lock =
        fs::symlink_metadata(lock).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    let since = fs::symlink_metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
        .and_then(|at| at.elapsed().ok());
    has_no_lock && since.is_some_and(|since| since > ORPHANED_AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_disks_and_memory_report_errors_at_once() {
        assert!(reports_errors_at_once(Path::new("/dev/shm")));
        assert!(!reports_errors_at_once(Path::new("/proc")));
        assert!(!reports_errors_at_once(Path::new("/missing")));
    }
}

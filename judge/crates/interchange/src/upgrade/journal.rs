//! The journal of an upgrade: what takes back each of its steps, on the disk before the step is done.
//!
//! Responsible for a package that is the old one or the new one, whenever its upgrade is killed. Must not know why a file changes.
//!
//! It lies in the package, in a directory with the old contents of files that are replaced or removed. While it is there, the package
//! is neither old nor new, and is not loaded. Removing it ends the upgrade, which one call does or does not (unlink(2)). Each step is
//! taken back wherever it was left: before it was begun, or after; and so is taking it back.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use judge_package::{UPGRADE, UPGRADE_JOURNAL};
use serde::{Deserialize, Serialize};

use crate::InterchangeError;

/// Bytes of a journal: a line for each step, and there are as many of them as files.
const MOST_BYTES: u64 = 64 << 20;

/// A step, as what takes it back. Paths are below the package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Undo {
    Move {
        from: PathBuf,
        to: PathBuf,
    },
    RemoveDirectory(PathBuf),
    MakeDirectory(PathBuf),
    RemoveFile(PathBuf),
    /// A file, and the number of its old content.
    Restore(PathBuf, usize),
}

/// The journal of an upgrade that is under way.
#[derive(Debug)]
pub(super) struct Journal {
    package: PathBuf,
    file: File,
    /// Held as long as the upgrade goes on; what nobody holds was killed.
    _lock: File,
    contents: usize,
}

impl Journal {
    /// Begins an upgrade; what a killed one left is taken back first.
    ///
    /// # Errors
    /// When nothing can be written, or another upgrade of the package is under way.
    pub(super) fn begin(package: &Path) -> Result<Self, InterchangeError> {
        recover(package)?;
        let directory = package.join(UPGRADE);
        let unwritable = InterchangeError::unwritable(&directory);
        fs::create_dir(&directory).map_err(&unwritable)?;
        let lock = lock(&directory)?;
        let path = package.join(UPGRADE_JOURNAL);
        let file = File::create_new(&path).map_err(InterchangeError::unwritable(&path))?;
        sync(&directory);
        sync(package);
        Ok(Self { package: package.to_owned(), file, _lock: lock, contents: 0 })
    }

    /// Notes what takes a step back, before it is done.
    ///
    /// # Errors
    /// When it cannot be brought to the disk.
    pub(super) fn note(&mut self, undo: &Undo) -> Result<(), InterchangeError> {
        let path = self.package.join(UPGRADE_JOURNAL);
        let unwritable = InterchangeError::unwritable(&path);
        let mut line = serde_json::to_vec(undo).map_err(io::Error::other).map_err(&unwritable)?;
        line.push(b'\n');
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(unwritable)
    }

    /// Keeps the content of a file that is about to be replaced or removed, and notes that it is to be restored.
    ///
    /// # Errors
    /// When it cannot be brought to the disk.
    pub(super) fn keep(&mut self, file: &Path) -> Result<(), InterchangeError> {
        let kept = kept(&self.package, self.contents);
        let path = self.package.join(file);
        copy(&path, &kept).map_err(InterchangeError::unwritable(&kept))?;
        self.note(&Undo::Restore(file.to_owned(), self.contents))?;
        self.contents += 1;
        Ok(())
    }

    /// Ends an upgrade: the package is the new one.
    ///
    /// # Errors
    /// When the journal cannot be removed; then the package is not the new one.
    pub(super) fn end(self) -> Result<(), InterchangeError> {
        let path = self.package.join(UPGRADE_JOURNAL);
        fs::remove_file(&path).map_err(InterchangeError::unwritable(&path))?;
        remove(&self.package);
        Ok(())
    }

    /// Takes back all that was done.
    ///
    /// # Errors
    /// When that cannot be; the journal stays then, for another time.
    pub(super) fn take_back(self) -> Result<(), InterchangeError> {
        take_back(&self.package)
    }
}

/// Takes back an upgrade of a package that was killed; true when there was one.
///
/// # Errors
/// When another upgrade of the package is under way, or what was done cannot be taken back.
pub fn recover(package: &Path) -> Result<bool, InterchangeError> {
    let directory = package.join(UPGRADE);
    if fs::symlink_metadata(&directory).is_err() {
        return Ok(false);
    }
    let _lock = lock(&directory)?;
    let was_killed = fs::symlink_metadata(package.join(UPGRADE_JOURNAL)).is_ok();
    if was_killed {
        take_back(package)?;
    } else {
        remove(package);
    }
    Ok(was_killed)
}

fn take_back(package: &Path) -> Result<(), InterchangeError> {
    let path = package.join(UPGRADE_JOURNAL);
    let bytes = judge_package::read_within(&path, MOST_BYTES).map_err(InterchangeError::unreadable(&path))?;
    // A line that was cut is of a step that was not begun.
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let lines = bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let mut steps = Vec::new();
    for (line, number) in lines.zip(1..) {
        let malformed =
            |why: String| InterchangeError::Malformed { place: format!("{}:{number}", path.display()), why };
        let step: Undo = serde_json::from_slice(line)
            .map_err(|error| malformed(format!("expected a step of an upgrade: {error}")))?;
        // The package may be somebody's who wants other files moved.
        if let Some(outside) = step.paths().into_iter().find(|path| !lies_within(package, path)) {
            return Err(malformed(format!("expected a path in the package, found `{}`", outside.display())));
        }
        steps.push(step);
    }
    for step in steps.into_iter().rev() {
        step.carry_out(package).map_err(InterchangeError::unwritable(package))?;
    }
    fs::remove_file(&path).map_err(InterchangeError::unwritable(&path))?;
    remove(package);
    Ok(())
}

impl Undo {
    fn paths(&self) -> Vec<&Path> {
        match self {
            Self::Move { from, to } => vec![from, to],
            Self::RemoveDirectory(path)
            | Self::MakeDirectory(path)
            | Self::RemoveFile(path)
            | Self::Restore(path, _) => vec![path],
        }
    }

    /// Takes the step back, as far as it was done.
    fn carry_out(self, package: &Path) -> io::Result<()> {
        let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
        match self {
            Self::Move { from, to } => {
                let (from, to) = (package.join(from), package.join(to));
                if is_there(&from) || !is_there(&to) {
                    return Ok(());
                }
                fs::rename(to, from)
            }
            Self::RemoveDirectory(path) => {
                // Whatever else came to lie in it stays.
                let removed = ignoring(fs::remove_dir(package.join(path)), io::ErrorKind::NotFound);
                ignoring(removed, io::ErrorKind::DirectoryNotEmpty)
            }
            Self::MakeDirectory(path) => ignoring(fs::create_dir(package.join(path)), io::ErrorKind::AlreadyExists),
            Self::RemoveFile(path) => ignoring(fs::remove_file(package.join(path)), io::ErrorKind::NotFound),
            // The content was restored before when it is not there any more.
            Self::Restore(path, number) => {
                ignoring(fs::rename(kept(package, number), package.join(path)), io::ErrorKind::NotFound)
            }
        }
    }
}

/// Copies a file to the disk; a link stays one.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    fs::copy(from, to)?;
    File::open(to)?.sync_all()
}

fn ignoring(result: io::Result<()>, kind: io::ErrorKind) -> io::Result<()> {
    result.or_else(|error| if error.kind() == kind { Ok(()) } else { Err(error) })
}

fn kept(package: &Path, number: usize) -> PathBuf {
    package.join(UPGRADE).join(number.to_string())
}

/// True for a path that leads to a place in a package, and not through a link to one elsewhere.
fn lies_within(package: &Path, path: &Path) -> bool {
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let mut above = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
    is_plain && above.all(|above| !package.join(above).is_symlink())
}

/// Removes what is left when there is no journal any more. What stays is removed another time.
fn remove(package: &Path) {
    sync(&package.join(UPGRADE));
    let _ = fs::remove_dir_all(package.join(UPGRADE));
    sync(package);
}

/// Brings the names in a directory to the disk, on file systems that can.
fn sync(directory: &Path) {
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
}

/// Locks the directory of an upgrade as long as the file is kept.
fn lock(directory: &Path) -> Result<File, InterchangeError> {
    let unwritable = InterchangeError::unwritable(directory);
    if fs::symlink_metadata(directory).is_ok_and(|found| !found.is_dir()) {
        return Err(InterchangeError::InTheWay(directory.to_owned()));
    }
    let file = File::open(directory).map_err(unwritable)?;
    // Where a file system has no locks, nobody is kept out.
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(InterchangeError::UnderWay(directory.to_owned())),
        _ => Ok(file),
    }
}

//! Transactions: changes to a package that are made completely or not at all.
//!
//! Responsible for leaving the old package or the new one, whenever a command fails or is killed.
//! Must not know why a file changes.
//!
//! The new files are written into a hidden directory of the package first; so far, nothing has
//! changed. Then the steps are listed in the journal, and only after that they run. Each step is a
//! rename that can be undone: the files that it replaces or removes go into the hidden directory.
//! While the journal exists, the package is neither old nor new, and is not loaded. Removing the
//! journal ends the transaction. After a failure, the steps are undone. After a kill, the next
//! command that changes the package undoes them. Files that were written by others since then stay.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;
use serde::{Deserialize, Serialize};

use crate::confined::{ConfinedDirectory, through_link};
use crate::journal::{Journal, count_lines};
use crate::regular_file;

/// The prefix of the names of hidden directories.
const STAGE: &str = ".judge-changes";

/// An error that prevents a package from being changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// A file or directory cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// An existing entry blocks a file or directory.
    #[error("`{}` is in the way; nothing was changed\nhint: move it elsewhere", _0.display())]
    InTheWay(PathBuf),
    /// Another process changes the package.
    #[error("`{}` is in use: another command is changing the package", _0.display())]
    UnderWay(PathBuf),
}

/// The events that changes must survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Withstands {
    /// Failures only: the package is a temporary copy.
    Failures,
    /// Failures, and a kill of the process.
    Kills,
    /// Failures, a kill of the process, and a loss of power.
    LossOfPower,
}

/// A step of a transaction. Paths are relative to the package.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    Move {
        from: PathBuf,
        to: PathBuf,
    },
    MakeDirectory(PathBuf),
    RemoveDirectory(PathBuf),
    /// Moves the new file of this number to this path.
    Put {
        path: PathBuf,
        number: usize,
        file: Identity,
    },
    /// Moves the file into the hidden directory, under this number.
    Remove {
        path: PathBuf,
        number: usize,
    },
}

/// Distinguishes a file that was put in place from one that was written there since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    inode: u64,
    size: i64,
    modified: (i64, u64),
}

/// Changes that are being prepared. If they are dropped before [`Self::commit`], the package is
/// unchanged.
#[derive(Debug)]
pub struct Transaction {
    package: ConfinedDirectory,
    journal: Option<Journal>,
    /// The hidden directory.
    stage: PathBuf,
    steps: Vec<Step>,
    /// Directories that will exist.
    directories: BTreeSet<PathBuf>,
    withstands: Withstands,
    is_over: bool,
}

impl Transaction {
    /// Begins to prepare changes. The steps of a killed process are undone first.
    ///
    /// # Errors
    /// When another process changes the package, or nothing can be written.
    pub fn begin(package: &Path, withstands: Withstands) -> Result<Self, ChangeError> {
        let failed = failed(package);
        let directory = ConfinedDirectory::open(package).map_err(&failed)?;
        let mut journal = match withstands {
            Withstands::Failures => None,
            Withstands::Kills | Withstands::LossOfPower => Some(take_over(&directory)?.0),
        };
        // The journal is locked from here on, so no other process changes the package. The
        // first line names the hidden directory: a process that is killed before the steps are
        // noted leaves a directory that the next one removes.
        let stage = create_stage(&directory).map_err(&failed)?;
        note(&mut journal, &stage, withstands).map_err(&failed)?;
        Ok(Self {
            package: directory,
            journal,
            stage,
            steps: Vec::new(),
            directories: BTreeSet::new(),
            withstands,
            is_over: false,
        })
    }

    /// Renames a file or directory. The new name must be unused by then.
    ///
    /// # Errors
    /// When the directory above the new name cannot be examined.
    pub fn rename(&mut self, from: &Path, to: &Path) -> Result<(), ChangeError> {
        self.make_parents(to)?;
        // If a directory is moved, later steps may write into it at its new place, where
        // nothing is yet.
        self.directories.insert(to.to_owned());
        self.steps.push(Step::Move {
            from: from.to_owned(),
            to: to.to_owned(),
        });
        Ok(())
    }

    /// Writes a file, which may exist.
    ///
    /// # Errors
    /// When its content cannot be stored.
    pub fn write(&mut self, path: &Path, content: &[u8]) -> Result<(), ChangeError> {
        self.stage(path, |package, new| {
            package.create_new(new, 0o666)?.write_all(content)
        })
    }

    /// Copies a file from elsewhere, with its permissions; a link stays one.
    ///
    /// # Errors
    /// When it cannot be read, or its content cannot be stored.
    pub fn copy(&mut self, source: &Path, path: &Path) -> Result<(), ChangeError> {
        self.stage(path, |package, new| {
            if source.is_symlink() {
                return package.symlink(&fs::read_link(source)?, new);
            }
            let mut from = regular_file::open(source)?;
            let mut to = package.create_new(new, 0o666)?;
            io::copy(&mut from, &mut to)?;
            to.set_permissions(Permissions::from_mode(
                from.metadata()?.permissions().mode() & 0o777,
            ))
        })
    }

    /// Removes a file, if it exists.
    pub fn remove(&mut self, path: &Path) {
        self.steps.push(Step::Remove {
            path: path.to_owned(),
            number: self.steps.len(),
        });
    }

    /// Removes a directory, if it is empty by then.
    ///
    /// # Errors
    /// When it cannot be examined.
    pub fn remove_if_empty(&mut self, path: &Path) -> Result<(), ChangeError> {
        // A directory that an earlier step moves is no longer at this path when the steps run. It
        // is unknown until then if any other directory is empty, so rmdir(2) decides.
        let is_moved = self
            .steps
            .iter()
            .any(|step| matches!(step, Step::Move { from, .. } if from == path));
        let kind = self.package.kind(path).map_err(failed(&self.full(path)))?;
        if kind == Some(FileType::Directory) && !is_moved {
            self.steps.push(Step::RemoveDirectory(path.to_owned()));
        }
        Ok(())
    }

    /// Makes the changes.
    ///
    /// # Errors
    /// When one of them cannot be made. Then those before it are undone.
    pub fn commit(mut self) -> Result<(), ChangeError> {
        // The journal must name all steps before the first one runs. Otherwise the steps of a
        // process that is killed halfway could not be undone.
        self.note_steps()?;
        let ended = self.run(usize::MAX).and_then(|()| {
            self.reach_disk()
                .and_then(|()| self.end())
                .map_err(failed(self.package.path()))
        });
        if ended.is_err() && undo(&self.package, &self.steps, &self.stage).is_err() {
            // The journal is kept, so that another process can try again. The first error is
            // reported.
            self.is_over = true;
        }
        ended
    }

    fn reach_disk(&self) -> io::Result<()> {
        match self.withstands {
            // One syncfs(2) covers the new files and all renames. They must be on the disk before
            // the journal is removed, because nothing can be undone afterwards.
            Withstands::LossOfPower => Ok(rustix::fs::syncfs(self.package.file())?),
            Withstands::Failures | Withstands::Kills => Ok(()),
        }
    }

    /// Removes the journal, and then the hidden directory: without the old files in there, nothing
    /// can be undone.
    fn end(&mut self) -> io::Result<()> {
        // Removing the journal is the moment at which the package becomes the new one.
        self.journal.as_ref().map_or(Ok(()), Journal::remove)?;
        self.is_over = true;
        // Leftovers of it are hidden and harmless.
        let _ = remove_stage(&self.package, &self.stage);
        Ok(())
    }

    /// Lists the steps in the journal. Nothing has changed before.
    fn note_steps(&mut self) -> Result<(), ChangeError> {
        note(&mut self.journal, &self.steps, self.withstands).map_err(failed(self.package.path()))
    }

    /// Runs the first steps, at most `max_steps`.
    fn run(&self, max_steps: usize) -> Result<(), ChangeError> {
        for step in self.steps.iter().take(max_steps) {
            let path = self.full(step.path());
            step.run(&self.package, &self.stage)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory => {
                        ChangeError::InTheWay(path)
                    }
                    _ => failed(&path)(error),
                })?;
        }
        Ok(())
    }

    fn stage(
        &mut self,
        path: &Path,
        create: impl FnOnce(&ConfinedDirectory, &Path) -> io::Result<()>,
    ) -> Result<(), ChangeError> {
        self.make_parents(path)?;
        let number = self.steps.len();
        let new = new(&self.stage, number);
        let file = create(&self.package, &new)
            .and_then(|()| Identity::find(&self.package, &new))
            .and_then(|found| found.ok_or_else(|| io::ErrorKind::NotFound.into()))
            .map_err(failed(&self.full(path)))?;
        self.steps.push(Step::Put {
            path: path.to_owned(),
            number,
            file,
        });
        Ok(())
    }

    fn make_parents(&mut self, path: &Path) -> Result<(), ChangeError> {
        let above: Vec<&Path> = path
            .ancestors()
            .skip(1)
            .filter(|above| !above.as_os_str().is_empty())
            .collect();
        // From the outermost directory inwards: each is created in the one before it.
        for directory in above.into_iter().rev() {
            if self.directories.contains(directory) {
                continue;
            }
            let failed = failed(&self.full(directory));
            match self.package.kind(directory).map_err(&failed)? {
                Some(FileType::Directory) => {}
                // Refused now, before any change. The step itself would be refused as well, but
                // only after others had run.
                Some(FileType::Symlink) => return Err(failed(through_link(directory))),
                _ => self.steps.push(Step::MakeDirectory(directory.to_owned())),
            }
            self.directories.insert(directory.to_owned());
        }
        Ok(())
    }

    fn full(&self, path: &Path) -> PathBuf {
        self.package.path().join(path)
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.is_over {
            // A journal that cannot be removed is found by the next transaction.
            let _ = self.end();
        }
    }
}

/// Undoes the steps of a killed process in a package; true if there were any.
///
/// # Errors
/// When another process changes the package, or a step cannot be undone.
pub fn recover(package: &Path) -> Result<bool, ChangeError> {
    // No journal is created for a package without one.
    if count_lines(package).map_err(failed(package))? == 0 {
        return Ok(false);
    }
    let directory = ConfinedDirectory::open(package).map_err(failed(package))?;
    let (journal, was_changed) = take_over(&directory)?;
    journal.remove().map_err(failed(package))?;
    Ok(was_changed)
}

/// True for a package that is neither old nor new, because a command is changing it or was killed
/// while it did.
///
/// # Errors
/// When that cannot be determined.
pub fn is_changing(package: &Path) -> io::Result<bool> {
    // A journal of one line only names the hidden directory. The steps are on the second line,
    // and nothing changes before it is complete.
    Ok(count_lines(package)? > 1)
}

/// Opens the journal of a package, and undoes the steps of a killed process; true if there were
/// any. The journal is empty afterwards.
fn take_over(package: &ConfinedDirectory) -> Result<(Journal, bool), ChangeError> {
    let path = package.path();
    let open = || match Journal::open(package) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err(ChangeError::UnderWay(path.to_owned()))
        }
        opened => opened.map_err(failed(path)),
    };
    let (journal, text) = open()?;
    if text.is_empty() {
        return Ok((journal, false));
    }
    let was_changed = roll_back(package, &text).map_err(failed(path))?;
    journal.remove().map_err(failed(path))?;
    // The file of the journal has been removed, and with it the name that other processes lock.
    // Another process may be the first to create and lock a new one.
    drop(journal);
    Ok((open()?.0, was_changed))
}

fn roll_back(package: &ConfinedDirectory, text: &[u8]) -> io::Result<bool> {
    // The steps of a line run only when the line is complete, so nothing was done for a truncated
    // line.
    let mut lines = text
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.ends_with(b"\n"));
    let Some(stage) = lines.next() else {
        return Ok(false);
    };
    let stage: PathBuf = serde_json::from_slice(stage)?;
    let steps: Option<Vec<Step>> = lines.next().map(serde_json::from_slice).transpose()?;
    // The old files are put back and synced before the hidden directory is removed: it may contain
    // the only copies of them.
    undo(package, steps.as_deref().unwrap_or_default(), &stage)?;
    rustix::fs::syncfs(package.file())?;
    remove_stage(package, &stage)?;
    Ok(steps.is_some())
}

/// Undoes steps, regardless of where they were interrupted: before they ran, afterwards, or while
/// they were undone.
fn undo(package: &ConfinedDirectory, steps: &[Step], stage: &Path) -> io::Result<()> {
    // In reverse order, because a step may depend on those before it, such as a file on its
    // directory.
    steps
        .iter()
        .rev()
        .try_for_each(|step| step.undo(package, stage))
}

impl Step {
    fn path(&self) -> &Path {
        match self {
            Self::Move { to: path, .. }
            | Self::MakeDirectory(path)
            | Self::RemoveDirectory(path)
            | Self::Put { path, .. }
            | Self::Remove { path, .. } => path,
        }
    }

    fn run(&self, package: &ConfinedDirectory, stage: &Path) -> io::Result<()> {
        match self {
            Self::Move { from, to } => package.rename_new(from, to),
            // Another step may have created it, or moved one there.
            Self::MakeDirectory(path) => {
                ignoring(
                    package.create_directory(path),
                    &[io::ErrorKind::AlreadyExists],
                )?;
                match package.kind(path)? {
                    Some(FileType::Directory) => Ok(()),
                    _ => Err(io::ErrorKind::AlreadyExists.into()),
                }
            }
            Self::RemoveDirectory(path) => {
                let kinds = [io::ErrorKind::NotFound, io::ErrorKind::DirectoryNotEmpty];
                ignoring(package.remove_directory(path), &kinds)
            }
            Self::Put { path, number, .. } => {
                match package.kind(path)? {
                    None => {}
                    Some(FileType::Directory) => return Err(io::ErrorKind::IsADirectory.into()),
                    // With a hard link to the old file, there is a file at this path at any time.
                    Some(_) => {
                        let old = old(stage, *number);
                        // File systems without hard links get a rename. The path is then
                        // missing for a moment, which the journal covers.
                        package
                            .hard_link(path, &old)
                            .or_else(|_| package.rename(path, &old))?;
                    }
                }
                package.rename(&new(stage, *number), path)
            }
            Self::Remove { path, number } => match package.kind(path)? {
                None => Ok(()),
                Some(FileType::Directory) => Err(io::ErrorKind::IsADirectory.into()),
                Some(_) => package.rename(path, &old(stage, *number)),
            },
        }
    }

    fn undo(&self, package: &ConfinedDirectory, stage: &Path) -> io::Result<()> {
        let is_there = |path: &Path| package.kind(path).map(|kind| kind.is_some());
        match self {
            Self::Move { from, to } => {
                // Either the step has not run, or it was undone already. A file created at the old
                // path since then is kept.
                if is_there(from)? || !is_there(to)? {
                    return Ok(());
                }
                package.rename_new(to, from)
            }
            Self::MakeDirectory(path) => {
                // The directory may contain files by now, or may have been replaced by a file. Both
                // are kept.
                let kinds = [
                    io::ErrorKind::NotFound,
                    io::ErrorKind::DirectoryNotEmpty,
                    io::ErrorKind::NotADirectory,
                ];
                ignoring(package.remove_directory(path), &kinds)
            }
            Self::RemoveDirectory(path) => ignoring(
                package.create_directory(path),
                &[io::ErrorKind::AlreadyExists],
            ),
            Self::Put { path, number, file } => {
                let (old, found) = (old(stage, *number), Identity::find(package, path)?);
                // rename(2) keeps the inode, the size and the time of modification. A file that
                // differs in one of them was written by another process after the step.
                let is_ours = found == Some(*file);
                if is_there(&old)? && (is_ours || found.is_none()) {
                    return package.rename(&old, path);
                }
                // Either there was no old file, or the file at this path was written since.
                if is_ours {
                    package.remove_file(path)
                } else {
                    Ok(())
                }
            }
            Self::Remove { path, number } => {
                let old = old(stage, *number);
                // A file that was written at this path since has priority over the removed one.
                if is_there(path)? || !is_there(&old)? {
                    return Ok(());
                }
                package.rename_new(&old, path)
            }
        }
    }
}

impl Identity {
    fn find(package: &ConfinedDirectory, path: &Path) -> io::Result<Option<Self>> {
        let identity = package.stat(path)?.map(|stat| Self {
            inode: stat.st_ino,
            size: stat.st_size,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
        });
        Ok(identity)
    }
}

fn new(stage: &Path, number: usize) -> PathBuf {
    stage.join(format!("{number}.new"))
}

fn old(stage: &Path, number: usize) -> PathBuf {
    stage.join(format!("{number}.old"))
}

/// Adds a line to the journal, if there is one.
fn note(
    journal: &mut Option<Journal>,
    line: &impl Serialize,
    withstands: Withstands,
) -> io::Result<()> {
    let Some(journal) = journal else {
        return Ok(());
    };
    let line = serde_json::to_vec(line).map_err(io::Error::other)?;
    journal.add(&line, withstands == Withstands::LossOfPower)
}

/// Creates a hidden directory with an unused name.
fn create_stage(package: &ConfinedDirectory) -> io::Result<PathBuf> {
    let mut stage = PathBuf::from(STAGE);
    for number in 1..u32::MAX {
        match package.create_directory(&stage) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                stage = format!("{STAGE}-{number}").into();
            }
            created => return created.map(|()| stage),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn remove_stage(package: &ConfinedDirectory, stage: &Path) -> io::Result<()> {
    let names = match package.names(stage) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        names => names?,
    };
    names
        .iter()
        .try_for_each(|name| package.remove_file(&stage.join(name)))?;
    package.remove_directory(stage)
}

fn ignoring(result: io::Result<()>, kinds: &[io::ErrorKind]) -> io::Result<()> {
    result.or_else(|error| {
        if kinds.contains(&error.kind()) {
            Ok(())
        } else {
            Err(error)
        }
    })
}

fn failed(path: &Path) -> impl Fn(io::Error) -> ChangeError + use<> {
    let path = path.to_owned();
    move |source| ChangeError::Write {
        path: path.clone(),
        source,
    }
}

#[cfg(test)]
#[path = "transaction_tests.rs"]
mod tests;

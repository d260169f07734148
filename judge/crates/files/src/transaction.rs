//! Transactions: changes to a package that are made as a whole or not at all.
//!
//! Responsible for a package that is the old one or the new one, whenever its command fails or
//! is killed. Must not know why a file changes.
//!
//! The new files are written into a hidden directory of the package first; so far, nothing has
//! changed. Then the journal says what is to come, and only then the steps are done. Each step
//! is a rename that can be taken back: what it replaces or removes goes into the hidden
//! directory. While the journal is there, the package is neither old nor new, and is not
//! loaded. Removing it ends the transaction. A failure takes back what was done, and what a
//! killed process did is taken back by the next command that changes the package. Files that
//! somebody has written since then stay.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;
use serde::{Deserialize, Serialize};

use crate::confined::{ConfinedDirectory, through_link};
use crate::journal::{Journal, lines_of};
use crate::regular_file;

/// The beginning of the names of hidden directories.
const STAGE: &str = ".judge-changes";

/// An error that keeps a package from being changed.
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
    /// Something is in the place of a file or directory.
    #[error("`{}` is in the way; nothing was changed\nhint: move it elsewhere", _0.display())]
    InTheWay(PathBuf),
    /// Another process changes the package.
    #[error("`{}` is in use: another command is changing the package", _0.display())]
    UnderWay(PathBuf),
}

/// The events that changes have to withstand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Withstands {
    /// Failures only: the package is a copy that is thrown away.
    Failures,
    /// The death of the process too.
    Kills,
    /// The loss of power too.
    LossOfPower,
}

/// A step. Paths are below the package.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    Move {
        from: PathBuf,
        to: PathBuf,
    },
    MakeDirectory(PathBuf),
    RemoveDirectory(PathBuf),
    /// The new file of this number gets this path.
    Put {
        path: PathBuf,
        number: usize,
        file: Identity,
    },
    /// The file gets this number.
    Remove {
        path: PathBuf,
        number: usize,
    },
}

/// Distinguishes a file that was put in place from one that somebody wrote there since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    inode: u64,
    size: i64,
    modified: (i64, u64),
}

/// Changes that are being prepared. Dropped before [`Self::commit`], it leaves the package as
/// it is.
#[derive(Debug)]
pub struct Transaction {
    package: ConfinedDirectory,
    journal: Option<Journal>,
    /// The hidden directory.
    stage: PathBuf,
    steps: Vec<Step>,
    /// Directories that will be there.
    directories: BTreeSet<PathBuf>,
    withstands: Withstands,
    is_over: bool,
}

impl Transaction {
    /// Begins to prepare changes; what a killed process did is taken back first.
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
        if let Some(journal) = &mut journal {
            let line = serde_json::to_vec(&stage).map_err(io::Error::other);
            line.and_then(|line| journal.add(&line, withstands == Withstands::LossOfPower))
                .map_err(&failed)?;
        }
        let (steps, directories) = (Vec::new(), BTreeSet::new());
        Ok(Self {
            package: directory,
            journal,
            stage,
            steps,
            directories,
            withstands,
            is_over: false,
        })
    }

    /// Gives a file or directory another name, which nothing may have then.
    ///
    /// # Errors
    /// When the directory above the new name cannot be looked at.
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

    /// Writes a file, which may be there.
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

    /// Removes a file, if it is there.
    pub fn remove(&mut self, path: &Path) {
        self.steps.push(Step::Remove {
            path: path.to_owned(),
            number: self.steps.len(),
        });
    }

    /// Removes a directory, if nothing is in it by then.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn remove_if_empty(&mut self, path: &Path) -> Result<(), ChangeError> {
        // A directory that an earlier step moves is not at this path any more when the steps
        // run. Whether another one is empty is only known then, so rmdir(2) decides.
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
    /// When one of them cannot be made: then those before it are taken back.
    pub fn commit(mut self) -> Result<(), ChangeError> {
        // The journal must name all steps before the first one runs. Otherwise nobody could
        // take back the steps of a process that is killed halfway.
        self.note_steps()?;
        let ended = self.run(usize::MAX).and_then(|()| {
            self.reach_disk()
                .and_then(|()| self.end())
                .map_err(failed(self.package.path()))
        });
        if ended.is_err() && undo(&self.package, &self.steps, &self.stage).is_err() {
            // The journal stays, for another time. The error that counts is the first one.
            self.is_over = true;
        }
        ended
    }

    fn reach_disk(&self) -> io::Result<()> {
        match self.withstands {
            // One syncfs(2) covers the new files and all renames. They must be on the disk
            // before the journal is removed, because nothing can be taken back afterwards.
            Withstands::LossOfPower => Ok(rustix::fs::syncfs(self.package.file())?),
            Withstands::Failures | Withstands::Kills => Ok(()),
        }
    }

    /// Removes the journal, and then the hidden directory: without the old files in there
    /// nothing can be taken back.
    fn end(&mut self) -> io::Result<()> {
        // Removing the journal is the moment at which the package becomes the new one.
        self.journal.as_ref().map_or(Ok(()), Journal::remove)?;
        self.is_over = true;
        // What is left of it is hidden, and in nobody's way.
        let _ = remove_stage(&self.package, &self.stage);
        Ok(())
    }

    /// Writes down what is about to be done. Nothing has changed before.
    fn note_steps(&mut self) -> Result<(), ChangeError> {
        let failed = failed(self.package.path());
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        let line = serde_json::to_vec(&self.steps).map_err(io::Error::other);
        line.and_then(|line| journal.add(&line, self.withstands == Withstands::LossOfPower))
            .map_err(failed)
    }

    /// Does the first steps, at most so many.
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
        let identity =
            create(&self.package, &new).and_then(|()| Identity::find(&self.package, &new));
        match identity.map_err(failed(&self.full(path)))? {
            Some(file) => self.steps.push(Step::Put {
                path: path.to_owned(),
                number,
                file,
            }),
            None => return Err(failed(&self.full(path))(io::ErrorKind::NotFound.into())),
        }
        Ok(())
    }

    fn make_parents(&mut self, path: &Path) -> Result<(), ChangeError> {
        let above: Vec<&Path> = path
            .ancestors()
            .skip(1)
            .filter(|above| !above.as_os_str().is_empty())
            .collect();
        // From the outermost directory inwards: each is made in the one before it.
        for directory in above.into_iter().rev() {
            if self.directories.contains(directory) {
                continue;
            }
            let failed = failed(&self.full(directory));
            match self.package.kind(directory).map_err(&failed)? {
                Some(FileType::Directory) => {}
                // Refused now, while nothing has changed. The step itself would be refused as
                // well, but only after others had run.
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

/// Takes back what a killed process did to a package; true when something was taken back.
///
/// # Errors
/// When another process changes the package, or something cannot be taken back.
pub fn recover(package: &Path) -> Result<bool, ChangeError> {
    // Nothing is made for a package without a journal.
    if lines_of(package).map_err(failed(package))? == 0 {
        return Ok(false);
    }
    let directory = ConfinedDirectory::open(package).map_err(failed(package))?;
    let (journal, was_changed) = take_over(&directory)?;
    journal.remove().map_err(failed(package))?;
    Ok(was_changed)
}

/// True for a package that is neither what it was nor what it becomes, as a command is changing
/// it or was killed while it did.
///
/// # Errors
/// When that cannot be found out.
pub fn is_changing(package: &Path) -> io::Result<bool> {
    // A journal of one line only names the hidden directory. The steps are on the second line,
    // and nothing changes before it is complete.
    Ok(lines_of(package)? > 1)
}

/// Opens the journal of a package, and takes back what a killed process did; true when that was
/// anything. The journal is empty then.
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
    let was_changed = take_back(package, &text).map_err(failed(path))?;
    journal.remove().map_err(failed(path))?;
    // The file of the journal has been removed, and with it the name that other processes lock.
    // A new one is made, and another process may be the first to lock it.
    drop(journal);
    Ok((open()?.0, was_changed))
}

fn take_back(package: &ConfinedDirectory, text: &[u8]) -> io::Result<bool> {
    // A line that was cut off is one before whose end nothing was done.
    let mut lines = text
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.ends_with(b"\n"));
    let Some(stage) = lines.next() else {
        return Ok(false);
    };
    let stage: PathBuf = serde_json::from_slice(stage)?;
    let steps: Option<Vec<Step>> = lines.next().map(serde_json::from_slice).transpose()?;
    // The old files come back before the hidden directory goes, and reach the disk in between:
    // the only copies of them may be in there.
    undo(package, steps.as_deref().unwrap_or_default(), &stage)?;
    rustix::fs::syncfs(package.file())?;
    remove_stage(package, &stage)?;
    Ok(steps.is_some())
}

/// Takes steps back, wherever they were left: before they were begun, after, or while they were
/// taken back.
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
            // Another step may have made it, or moved one there.
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
                    // With a second name for the old file, there is one under this path at any
                    // time.
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
                // Either the step has not run, or it was taken back already. A file that
                // somebody has made at the old path since stays.
                if is_there(from)? || !is_there(to)? {
                    return Ok(());
                }
                package.rename_new(to, from)
            }
            Self::MakeDirectory(path) => {
                // Somebody may have put files into the directory since, or a file in its place.
                // Both stay.
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
                // differs in one of them was written by somebody else after the step.
                let is_ours = found == Some(*file);
                if is_there(&old)? && (is_ours || found.is_none()) {
                    return package.rename(&old, path);
                }
                // Without an old file there was none; with one, this is what somebody has
                // written since.
                if is_ours {
                    package.remove_file(path)
                } else {
                    Ok(())
                }
            }
            Self::Remove { path, number } => {
                let old = old(stage, *number);
                // A file that somebody has written at this path since has priority over the
                // removed one.
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

/// Creates a hidden directory with a name that nothing has.
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

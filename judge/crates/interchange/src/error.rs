//! Errors that keep a problem from being brought into another format.

use std::io;
use std::path::{Path, PathBuf};

use judge_files::ChangeError;
use judge_package::Finding;

use crate::import::listed;

/// An error that keeps a problem from being brought into another format. Nothing was written then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterchangeError {
    /// The archive is not sound.
    #[error(transparent)]
    Archive(#[from] Finding),
    /// A file or directory cannot be read.
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// A file or directory cannot be written.
    #[error("cannot write `{}`: {cause}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// There are more files than any problem has, or a link that leads away.
    #[error("`{}`: {why}", path.display())]
    Unsound {
        /// The file or directory.
        path: PathBuf,
        /// The fault, in words.
        why: String,
    },
    /// No format is recognised.
    #[error("`{}` is in no format that is known\nhint: {hint}", path.display())]
    Unknown {
        /// The source.
        path: PathBuf,
        /// What would be recognised.
        hint: String,
    },
    /// The source is several problems.
    #[error(
        "`{}` has {} problems: {}\nhint: {hint}",
        path.display(),
        problems.len(),
        listed(&problems.iter().map(|problem| problem.display().to_string()).collect::<Vec<_>>())
    )]
    Several {
        /// The source.
        path: PathBuf,
        /// The directories of the problems, relative to it.
        problems: Vec<PathBuf>,
        /// How to import them.
        hint: String,
    },
    /// The source has none of the parts of a package.
    #[error("`{}` has no test cases, no programs and no statement{why}: there is nothing to import", path.display())]
    Nothing {
        /// The source.
        path: PathBuf,
        /// The expectation, where it is known.
        why: String,
    },
    /// The file is not what its format demands.
    #[error("{place}: {why}")]
    Malformed {
        /// The place, as `FILE` or `FILE:LINE`.
        place: String,
        /// What was expected and found.
        why: String,
    },
    /// The target is there already.
    #[error("`{}` exists already; nothing was written\nhint: name another with `--name`, or another directory with `--into`", _0.display())]
    Exists(PathBuf),
    /// The package cannot be changed.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The target of an archive is a directory or a device.
    #[error("`{}` is not a regular file; nothing was written\nhint: name another file", _0.display())]
    NoFile(PathBuf),
    /// The target of an archive is a file that was not packed here.
    #[error("`{}` exists, and was not packed by this command; nothing was written\nhint: `--force` replaces it", _0.display())]
    NotPacked(PathBuf),
    /// The target of an archive is one that was packed here for something else.
    #[error(
        "`{}` exists, and was packed with `{options}`; nothing was written\nhint: `--output` names another file, `--force` replaces it",
        path.display()
    )]
    PackedForOther {
        /// The archive that is there.
        path: PathBuf,
        /// The options by which it was packed.
        options: String,
    },
    /// Two archives would go to one place.
    #[error("`{}` cannot be two archives; nothing was written\nhint: problems of one name go to other directories, samples to a file of their own", _0.display())]
    SameTarget(PathBuf),
    /// A packed package is not the one that was packed.
    #[error("{problem}: what was packed cannot be read back: {why}")]
    ReadBack {
        /// The short name of the problem.
        problem: String,
        /// The difference, or the reason why it cannot be read.
        why: String,
    },
    /// A package would be another one after its upgrade.
    #[error("{problem}: cannot be upgraded and is unchanged: the result would have errors: {why}")]
    Trial {
        /// The short name of the problem.
        problem: String,
        /// The difference, or the faults.
        why: String,
    },
    /// The work was stopped before its end, as a signal asked for it. Nothing of it is left.
    #[error("interrupted")]
    Stopped,
    /// No package can have the name.
    #[error(
        "`{0}` cannot be the name of a package; expected at most 100 lower-case letters and digits\nhint: name it with `--name`"
    )]
    Name(String),
}

impl InterchangeError {
    /// Wraps the system's reason why a file cannot be read.
    pub(crate) fn unreadable(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Unreadable {
            path: path.clone(),
            cause,
        }
    }

    /// Wraps the system's reason why a file cannot be written.
    pub(crate) fn unwritable(path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |cause| Self::Unwritable {
            path: path.clone(),
            cause,
        }
    }
}

//! Errors that prevent the conversion of a problem.

use std::io;
use std::path::{Path, PathBuf};

use judge_files::ChangeError;
use judge_package::Finding;

use crate::import::listed;

/// The result of a step of a conversion.
pub(crate) type Result<T, E = InterchangeError> = std::result::Result<T, E>;

/// An error that prevents the conversion of a problem. If it occurs, nothing was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterchangeError {
    /// The archive is invalid.
    #[error(transparent)]
    Archive(#[from] Finding),
    /// A file or directory cannot be read.
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason given by the system.
        cause: io::Error,
    },
    /// A file or directory cannot be written.
    #[error("cannot write `{}`: {cause}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason given by the system.
        cause: io::Error,
    },
    /// A source is not acceptable: it has too many files, for example, or links that lead out of
    /// it.
    #[error("`{}`: {why}", path.display())]
    Unsound {
        /// The file or directory.
        path: PathBuf,
        /// A description of the error.
        why: String,
    },
    /// The format is unknown.
    #[error("`{}` is in no known format\nhint: {hint}", path.display())]
    Unknown {
        /// The source.
        path: PathBuf,
        /// A hint about the formats that would be recognised.
        hint: String,
    },
    /// The source contains several problems.
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
        /// A hint about how to import them.
        hint: String,
    },
    /// The source contains no part of a package.
    #[error("nothing to import: `{}` has no test cases, no programs and no statement{why}", path.display())]
    Nothing {
        /// The source.
        path: PathBuf,
        /// The expectation, if it is known.
        why: String,
    },
    /// A file violates its format.
    #[error("{place}: {why}")]
    Malformed {
        /// The place, as `FILE` or `FILE:LINE`.
        place: String,
        /// The message: what was expected and found.
        why: String,
    },
    /// The target exists already.
    #[error("`{}` exists already; nothing was written\nhint: choose another name with `--name`, or another directory with `--into`", _0.display())]
    Exists(PathBuf),
    /// The package cannot be changed.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The target of an archive is a directory or a device.
    #[error("`{}` is not a regular file; nothing was written\nhint: name another file", _0.display())]
    NoFile(PathBuf),
    /// The target of an archive is a file that was not written by `judge pack`.
    #[error("`{}` exists, and was not written by this command; nothing was written\nhint: `--force` replaces it", _0.display())]
    NotPacked(PathBuf),
    /// The target of an archive is an archive that was packed for another purpose.
    #[error(
        "`{}` exists, and was packed with `{options}`; nothing was written\nhint: `--output` names another file, `--force` replaces it",
        path.display()
    )]
    PackedForOther {
        /// The existing archive.
        path: PathBuf,
        /// The options with which it was packed.
        options: String,
    },
    /// Two archives have the same target.
    #[error("`{}` is the target of two archives; nothing was written\nhint: pack problems with the same name into different directories, and samples into a separate file", _0.display())]
    SameTarget(PathBuf),
    /// A package in an archive differs from the one that was packed.
    #[error("{problem}: the archive cannot be read back: {why}")]
    ReadBack {
        /// The short name of the problem.
        problem: String,
        /// The difference, or the reason why the archive cannot be read.
        why: String,
    },
    /// A package would be judged differently after its upgrade.
    #[error("{problem}: cannot be upgraded and is unchanged: the result would have errors: {why}")]
    Trial {
        /// The short name of the problem.
        problem: String,
        /// The difference, or the errors of the result.
        why: String,
    },
    /// The work was interrupted by a signal. No files are left behind.
    #[error("interrupted")]
    Stopped,
    /// The name is not valid for a package.
    #[error(
        "`{0}` cannot be the name of a package; expected at most 100 lower-case letters and digits\nhint: choose a name with `--name`"
    )]
    Name(String),
}

impl InterchangeError {
    /// A file violates its format. `place` is `FILE` or `FILE:LINE`.
    pub(crate) fn malformed(place: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Malformed {
            place: place.into(),
            why: why.into(),
        }
    }

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

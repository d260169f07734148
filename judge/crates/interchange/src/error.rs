//! Errors that keep a problem from being brought into another format.

use std::io;
use std::path::{Path, PathBuf};

use judge_package::PackageError;

/// An error that keeps a problem from being brought into another format. Nothing was written then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterchangeError {
    /// The archive is not sound.
    #[error(transparent)]
    Archive(#[from] PackageError),
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
    /// The file is not what its format demands.
    #[error("{place}: {why}")]
    Malformed {
        /// The place, as `FILE` or `FILE:LINE`.
        place: String,
        /// What was expected and found.
        why: String,
    },
    /// The package is in the newest format.
    #[error("`{}` is in format 2025-09 already", _0.display())]
    Current(PathBuf),
    /// The target is there already.
    #[error("`{}` exists already; nothing was written\nhint: name another with `--name`, or another directory with `--into`", _0.display())]
    Exists(PathBuf),
    /// The name is none for a package.
    #[error(
        "`{0}` cannot be the name of a package; expected lower-case letters and digits alone\nhint: name it with `--name`"
    )]
    Name(String),
}

impl InterchangeError {
    /// Wraps the system's reason why a file cannot be read.
    pub(crate) fn unreadable(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Unreadable { path: path.clone(), cause }
    }

    /// Wraps the system's reason why a file cannot be written.
    pub(crate) fn unwritable(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Unwritable { path: path.clone(), cause }
    }
}

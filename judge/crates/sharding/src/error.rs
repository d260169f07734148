//! Errors of reading shards and packages.
//!
//! Responsible for one message per error. Must not contain faults of a submission or a package.

use std::io;
use std::path::{Path, PathBuf};

/// An error of reading a shard, or a package for its digest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardingError {
    /// A file or directory cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Io {
        /// The file or directory concerned.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file with unexpected content.
    #[error("`{}`: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The difference between the expected and the actual content.
        why: String,
    },
    /// The events cannot be written, for example because their reader closed the pipe.
    #[error("cannot report: {0}")]
    Emit(io::Error),
}

impl ShardingError {
    /// For `map_err`: adds the path of a file or directory that cannot be read.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            path: path.clone(),
            source,
        }
    }

    /// For `map_err`: the error of reading a file. A file that is not a regular file, or has no
    /// lines, is reported as unreadable.
    pub(crate) fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                Self::unreadable(&path, source.to_string())
            }
            _ => Self::Io { path, source },
        }
    }

    pub(crate) fn unreadable(path: &Path, why: impl Into<String>) -> Self {
        Self::Unreadable {
            path: path.to_owned(),
            why: why.into(),
        }
    }
}

//! What keeps a shard from being written or read.
//!
//! Responsible for one text per fault. Must not hold anything that a submission or a package did.

use std::io;
use std::path::{Path, PathBuf};

/// Why a shard could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardingError {
    /// A file or directory.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that is not what it should be.
    #[error("`{}`: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What was expected, and what was found.
        why: String,
    },
    /// The reader of the events is gone.
    #[error("cannot report: {0}")]
    Told(io::Error),
}

impl ShardingError {
    /// For `map_err`: names what was tried and on what.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    pub(crate) fn unreadable(path: &Path, why: impl Into<String>) -> Self {
        Self::Unreadable { path: path.to_owned(), why: why.into() }
    }
}

//! Faults of the host that end a run.
//!
//! Responsible for one text per fault. Must not hold anything that a submission or a package did.

use std::io;
use std::path::{Path, PathBuf};

use judge_sandbox::SandboxError;

use crate::command::UnknownVariable;

/// Why a run could not go on. No verdict is invented for what it could not judge.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunnerError {
    /// The sandbox failed.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A file or directory of the cache or of a package could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A row of the table of languages uses a variable where it has no value.
    #[error("language `{language}`: {source}")]
    Template {
        /// The language.
        language: String,
        /// What is wrong.
        source: UnknownVariable,
    },
    /// The reader of the events is gone.
    #[error("cannot report: {0}")]
    Observer(io::Error),
    /// A worker ended without a result.
    #[error("a worker thread ended unexpectedly; this is a bug of the judge")]
    WorkerLost,
}

impl RunnerError {
    /// For `map_err`: names what was tried and on what.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

//! Faults of the host that end a run.
//!
//! Responsible for one message per fault. Must not hold anything that a submission or a package
//! did.

use std::io;
use std::path::{Path, PathBuf};

use judge_sandbox::SandboxError;

/// The reason why a run had to end. Test cases that it could not judge get no verdict.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecError {
    /// The sandbox failed.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A file or directory of the cache or of a package could not be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// The action that was tried.
        action: &'static str,
        /// The path that it was tried on.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The directory of the cache cannot be made, or another user controls it.
    #[error(
        "cannot use the cache directory `{}`: {source}\nhint: {}",
        directory.display(), hint_for_cache(source)
    )]
    Cache {
        /// The directory.
        directory: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The system refuses to start a thread.
    #[error(
        "cannot start a thread: {0}\n\
         hint: permit more processes, by `ulimit -u` or a container's `--pids-limit`"
    )]
    Thread(io::Error),
    /// A row of the table of languages uses a variable that has no value there.
    #[error("language `{language}`: {why}")]
    Template {
        /// The language.
        language: String,
        /// The error in the template.
        why: String,
    },
    /// A program was changed or removed while it ran.
    #[error(
        "the program in `{}` was changed or removed while it ran\nhint: make sure that only `judge` writes to its cache",
        files.display()
    )]
    ProgramChanged {
        /// The directory of its files.
        files: PathBuf,
    },
    /// A cached program was damaged, and its sources no longer compile.
    #[error("a damaged cached program could not be compiled again: {why}")]
    NotMadeAgain {
        /// The reason that the compiler gave.
        why: String,
    },
    /// The events cannot be written, for example because their reader closed the pipe.
    #[error("cannot report: {0}")]
    Observer(io::Error),
    /// The host repeatedly gave a submission no processor
    /// ([`judge_grading::Decision::HostFault`]).
    #[error(
        "undecided: other programs kept the submission waiting for a processor for all of its elapsed time, in several \
         runs in a row\nhint: judge again on a host with less load"
    )]
    Starved,
    /// A worker ended without a result.
    #[error("a worker thread ended unexpectedly; this is a bug of the judge")]
    WorkerLost,
    /// Nothing is left to run, and results are missing.
    #[error("results are missing although nothing is left to run; this is a bug of the judge")]
    Stalled,
}

/// The way to a usable cache.
fn hint_for_cache(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::ReadOnlyFilesystem => {
            "set `JUDGE_CACHE_DIR` to a directory that can be written; a read-only container needs `--tmpfs /tmp:exec`"
        }
        // Without a number of the system, it is the error of an existing directory's owner or mode.
        io::ErrorKind::PermissionDenied if source.raw_os_error().is_none() => {
            "change the directory's owner (`chown -R`) or mode, or set `JUDGE_CACHE_DIR` to a directory that only you can write to"
        }
        _ => "set `JUDGE_CACHE_DIR` to a directory that only you can write to",
    }
}

impl ExecError {
    /// Returns a function for `map_err` that names the action and its path.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }

    /// True if the package or the submission is at fault, and not the host. [`Fault`](crate::Fault)
    /// recognizes that.
    pub(crate) fn is_of_package(&self) -> bool {
        match self {
            // Arguments with which a program cannot be started.
            Self::Sandbox(SandboxError::InvalidExecution { .. }) => true,
            Self::Sandbox(SandboxError::Program { source, .. }) => {
                source.kind() == io::ErrorKind::ArgumentListTooLong
            }
            // A file that was replaced by a link out of its package after loading, which is
            // detected when it is opened.
            Self::Io { source, .. } | Self::Sandbox(SandboxError::Host { source, .. }) => {
                judge_files::is_forbidden_link(source)
            }
            _ => false,
        }
    }
}

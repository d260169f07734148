//! Faults, by their side: the package's or the submission's on one side, the host's on the other.
//!
//! Responsible for keeping the sides apart: `?` passes a fault on to the same side and never to the
//! other. One fault of a package comes as an error of the host, because the code that opens files
//! does not know packages: a file that was exchanged for a link after loading. It changes sides
//! here. Must not know what a fault means for a run.
//!
//! ```compile_fail,E0277
//! # use judge_exec::{ExecError, Fault};
//! fn prepare() -> Result<(), Fault> {
//!     Ok(())
//! }
//!
//! // A refusal is not a fault of the host.
//! fn run() -> Result<(), ExecError> {
//!     Ok(prepare()?)
//! }
//! ```

use judge_sandbox::HarvestError;

use crate::ExecError;

/// A refusal: the fault of a package or a submission that keeps it from being used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The package is refused: one of its programs cannot be prepared, or has failed.
    #[error("{0}")]
    Package(String),
    /// A submission that cannot be run is refused.
    #[error("{why}")]
    Submission {
        /// The reason, in words.
        why: String,
        /// Everything that the compiler wrote; empty if the compiler did not cause the refusal.
        compiler_output: Vec<u8>,
    },
}

/// The text of a fault without its last line `hint: …`, and the hint.
#[must_use]
pub fn split_hint(text: &str) -> (String, Option<String>) {
    match text.rsplit_once("\nhint: ") {
        Some((message, hint)) => (message.to_owned(), Some(hint.to_owned())),
        None => (text.to_owned(), None),
    }
}

impl Refusal {
    /// Creates the refusal of a submission that was not compiled.
    pub(crate) fn of_submission(why: impl Into<String>) -> Self {
        Self::Submission {
            why: why.into(),
            compiler_output: Vec::new(),
        }
    }

    /// Everything that the compiler of a submission wrote; empty if the compiler did not cause the
    /// refusal.
    #[must_use]
    pub fn compiler_output(&self) -> &[u8] {
        match self {
            Self::Submission {
                compiler_output, ..
            } => compiler_output,
            Self::Package(_) => &[],
        }
    }
}

/// A fault that prevents a result. It has no text: its side must be [determined](Self::refusal)
/// before it is reported.
#[derive(Debug)]
pub enum Fault {
    /// The package's or the submission's.
    Refused(Refusal),
    /// The host's.
    Host(ExecError),
}

impl Fault {
    /// Creates a fault of the package with this message.
    pub fn of_package(why: impl Into<String>) -> Self {
        Self::Refused(Refusal::Package(why.into()))
    }

    /// Creates the fault of copying files that a program of the package left. It is the package's,
    /// unless the copy cannot be written.
    pub(crate) fn of_copying(what: &str, error: HarvestError) -> Self {
        match error {
            HarvestError::Destination { path, source } => {
                ExecError::io("write", &path)(source).into()
            }
            error => Self::of_package(format!("{what}: {error}")),
        }
    }

    /// The refusal.
    ///
    /// # Errors
    /// The host's fault, if it is one.
    pub fn refusal(self) -> Result<Refusal, ExecError> {
        match self {
            Self::Refused(refusal) => Ok(refusal),
            Self::Host(error) => Err(error),
        }
    }

    /// Turns a refusal into a result; the host's faults stay errors.
    ///
    /// # Errors
    /// The host's fault, if it is one.
    pub(crate) fn answer<T>(
        result: Result<T, ExecError>,
        answer: impl FnOnce(String) -> T,
    ) -> Result<T, ExecError> {
        result.or_else(|error| Ok(answer(Self::from(error).refusal()?.to_string())))
    }

    /// Separates the sides, for collected results that may include refusals.
    ///
    /// # Errors
    /// The host's fault, if it is one.
    pub fn apart<T>(result: Result<T, Self>) -> Result<Result<T, Refusal>, ExecError> {
        result.map(Ok).or_else(|fault| fault.refusal().map(Err))
    }
}

/// An error of the host is the host's fault, unless a file was replaced or arguments cannot be
/// passed on: these are the package's.
impl From<ExecError> for Fault {
    fn from(error: ExecError) -> Self {
        if error.is_of_package() {
            Self::of_package(error.to_string())
        } else {
            Self::Host(error)
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    use judge_files::{real_path, set_rule};

    use super::*;

    #[test]
    fn only_replaced_files_are_package_faults() {
        let directory = tempfile::tempdir().unwrap();
        let [inside, outside] = ["inside", "outside"].map(|name| directory.path().join(name));
        fs::create_dir(&inside).unwrap();
        fs::write(&outside, "").unwrap();
        set_rule(&inside, Arc::new(|_: &Path, _: &Path| false));
        std::os::unix::fs::symlink(&outside, inside.join("file")).unwrap();
        let read = |name: &str| {
            real_path(&inside.join(name))
                .map(drop)
                .map_err(ExecError::io("read", Path::new(name)))
        };
        let answered = |name: &str| Fault::answer(read(name).map(|()| String::new()), |why| why);
        assert!(
            answered("file")
                .unwrap()
                .starts_with("cannot read `file`: a link that was created after loading")
        );
        assert!(matches!(answered("missing"), Err(ExecError::Io { .. })));
        let missing = Fault::from(read("missing").unwrap_err());
        assert!(matches!(missing, Fault::Host(_)), "{missing:?}");
    }
}

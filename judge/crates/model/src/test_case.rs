//! Test cases: an input, its answer, and how it is given.
//!
//! Must not read the files that it names.

use std::path::PathBuf;

/// One test case of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCase {
    /// Its name below `data/`, without extension, such as `secret/group1/03-max`: unique in the package.
    pub id: String,
    /// The input file, absolute.
    pub input: PathBuf,
    /// The answer file, absolute.
    pub answer: PathBuf,
    /// Command-line arguments for the submission.
    pub args: Vec<String>,
    /// Arguments for the output validator, the default one or the package's own.
    pub output_validator_args: Vec<String>,
    /// A directory whose contents lie in the submission's working directory (`.files`), absolute.
    pub files: Option<PathBuf>,
    /// An output that the output validator must accept (`.out`), absolute.
    pub output: Option<PathBuf>,
}

impl TestCase {
    /// Whether it is one of the samples that contestants see.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.id.starts_with("sample/")
    }
}

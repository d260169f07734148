//! Test cases: an input, its answer, and how it is given.
//!
//! Must not read the files that it names.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments for the output validators of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputValidatorArgs {
    /// For each of them, the default one or the package's own.
    pub all: Vec<String>,
    /// After these, for one of several: by its position among the problem's output validators (legacy, "Test Data
    /// Groups", `output_validator_flags` with a name).
    pub own: BTreeMap<usize, Vec<String>>,
}

impl OutputValidatorArgs {
    /// The arguments for the output validator at this position among the problem's.
    pub fn for_validator(&self, position: usize) -> impl Iterator<Item = &String> {
        self.all.iter().chain(self.own.get(&position).into_iter().flatten())
    }
}

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
    /// Arguments for the output validators, the default one or the package's own.
    pub output_validator_args: OutputValidatorArgs,
    /// Arguments for the input visualizer.
    pub input_visualizer_args: Vec<String>,
    /// Arguments for the output visualizer.
    pub output_visualizer_args: Vec<String>,
    /// A directory whose contents lie in the submission's working directory (`.files`), absolute.
    pub files: Option<PathBuf>,
    /// An output that the output validator must accept (`.out`), absolute.
    pub output: Option<PathBuf>,
    /// The origin of its input, as the package's lock file has it, such as `generate random.py --n 5`; `None` when
    /// nobody looked, or when it is not known.
    pub origin: Option<String>,
}

impl TestCase {
    /// True if it is one of the samples that contestants see.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.id.starts_with("sample/")
    }
}

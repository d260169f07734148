//! The settings that a reader can choose.
//!
//! Responsible for the words of the choice. Must not know flags or the environment: those are read
//! elsewhere.

/// The verbosity of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Everything that is not as expected, and the last line.
    Quiet,
    /// Also a line for each submission, and a summary.
    #[default]
    Normal,
    /// Also a line for each test case.
    Verbose,
    /// Also compilers, compile times, and the evidence where everything is as expected.
    Everything,
}

/// The view that the reader asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Many submissions, and whether each behaves as its author declared.
    #[default]
    Run,
    /// A matrix of the submissions and the test cases that reject them, and the worth of the test
    /// cases.
    Matrix,
    /// One submission, as an online judge would show it to its author.
    Submit,
}

/// The settings of a report that do not follow from the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportSettings {
    /// The prefix that makes a file's place in the workspace its place in the repository: empty, or
    /// with a slash at its end.
    pub prefix: String,
}

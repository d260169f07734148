//! The settings that a user can choose.
//!
//! Responsible for the types of the settings. Must not know flags or the environment, which are
//! read elsewhere.

/// The verbosity of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Only results that are not as expected, and the last line.
    Quiet,
    /// Also a line for each submission, and a summary.
    #[default]
    Normal,
    /// Also a line for each test case.
    Verbose,
    /// Also compilers, compile times, and evidence for results that are as expected.
    Everything,
}

/// The view that the user requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Many submissions, each compared with the declaration of its author.
    #[default]
    Run,
    /// A matrix of the submissions and the test cases that reject them, and the assessment of the
    /// test cases.
    Matrix,
    /// One submission, as an online judge would present it to its author.
    Submit,
}

/// The settings of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportSettings {
    /// The prefix that turns a path in the workspace into a path in the repository: empty, or with
    /// a slash at its end.
    pub prefix: String,
}

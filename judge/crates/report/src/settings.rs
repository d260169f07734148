//! What a reader can choose.
//!
//! Responsible for the words of the choice. Must not know flags or the environment: those are read elsewhere.

/// How much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// What is not as expected, and the last line.
    Quiet,
    /// Also a line for each submission, and a summary.
    #[default]
    Normal,
    /// Also a line for each test case.
    Verbose,
    /// Also compilers, compile times, and the evidence where everything is as expected.
    Everything,
}

/// What the reader asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Many submissions, and whether each behaves as its author declared.
    #[default]
    Run,
    /// Which test cases reject which submissions, and what the test cases are worth.
    Matrix,
    /// One submission, as an online judge would tell its author.
    Submit,
}

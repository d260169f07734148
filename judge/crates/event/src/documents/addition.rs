//! What came of adding a test case.
//!
//! Responsible for the facts. Must not know how they are found or shown. No event: a document of one command.

use judge_model::Verdict;

/// A submission that the test case rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The submission.
    pub submission: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// How many other test cases reject it too, as far as that was found out.
    pub others: Option<Others>,
}

/// How many other test cases reject a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// So many of so many.
    Exactly(u64, u64),
    /// At least one: the others were not tried.
    Some,
}

/// What came of adding a test case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addition {
    /// What the package is called.
    pub problem: String,
    /// The test case.
    pub id: String,
    /// Size of the input, in bytes and in lines.
    pub input: (u64, u64),
    /// The command that makes it, when one does.
    pub command: Option<String>,
    /// Test cases with the same input.
    pub repeats: Vec<String>,
    /// The accepted solutions that ran on it, with their CPU time in microseconds.
    pub accepted: Vec<(String, u64)>,
    /// The time limit in microseconds.
    pub time_limit_us: u64,
    /// What must be rejected, and is.
    pub rejections: Vec<Rejection>,
    /// What must be rejected somewhere, and passes here.
    pub passes: Vec<String>,
    /// What could not be judged on this host.
    pub skipped: Vec<String>,
    /// What stands against it, each with a hint.
    pub objections: Vec<(String, String)>,
    /// What an author should know.
    pub notices: Vec<String>,
    /// The files that are written, from the package's root.
    pub files: Vec<String>,
    /// What was done with it, such as `added`.
    pub done: String,
}

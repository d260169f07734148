//! The document of an added test case.
//!
//! Responsible for the facts. Must not know how they are found or shown. No event: a document of
//! one command.

use judge_model::Verdict;

/// A submission that the test case rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The submission.
    pub submission: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The number of other test cases that reject it too, if it is known.
    pub others: Option<OtherRejections>,
}

/// The number of other test cases that reject a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherRejections {
    /// The number of these test cases, and of all that were run.
    Exactly(u64, u64),
    /// At least one: the others were not run.
    Some,
}

/// The result of adding a test case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addition {
    /// The name of the package.
    pub problem: String,
    /// The test case.
    pub id: String,
    /// Size of the input, in bytes and in lines.
    pub input: (u64, u64),
    /// The command that generates it; `None` for other test cases.
    pub command: Option<String>,
    /// The accepted solutions that ran on it, with their CPU time in microseconds.
    pub accepted: Vec<(String, u64)>,
    /// The time limit in microseconds.
    pub time_limit_us: u64,
    /// The submissions that must be rejected, and are.
    pub rejections: Vec<Rejection>,
    /// The submissions that must be rejected somewhere, and pass here.
    pub passes: Vec<String>,
    /// The submissions that could not be judged on this host.
    pub skipped: Vec<String>,
    /// The objections to it, each with a hint.
    pub objections: Vec<(String, String)>,
    /// The notes for the author.
    pub notices: Vec<String>,
    /// The files that are written, from the package's root.
    pub files: Vec<String>,
    /// The action that was taken with it, such as `added`.
    pub done: String,
}

//! Submissions: what was answered, and what is expected of it.
//!
//! Responsible for the declaration. Whether an expectation is met is decided in `grading`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{LanguageId, Verdict};

/// A program that answers a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Its path below `submissions/` or `solutions/<problem>/`, such as `wrong_answer/greedy.rs`.
    pub id: String,
    /// The file or directory, absolute.
    pub path: PathBuf,
    /// Its source files, relative to the directory (for a single file: its name), in order.
    pub sources: Vec<PathBuf>,
    /// The language in which it is written; `None` when no known language matches, with the reason told on loading.
    pub language: Option<LanguageId>,
    /// The class that holds the entry point (`{class}`), for a language whose templates ask for it.
    pub entry_class: Option<String>,
    /// What is expected of it. All hold together; none means that nothing is expected.
    pub expectations: Vec<Expectation>,
}

/// One rule about a submission's verdicts (2025-09, "Submissions": `permitted` and `required`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expectation {
    /// Where the rule comes from, in words, such as "directory `wrong_answer`".
    pub origin: String,
    /// The verdict of every test case must be one of these (AC, WA, TLE, RTE).
    pub permitted: Vec<Verdict>,
    /// The verdict of at least one test case must be one of these; empty: no such demand.
    pub required: Vec<Verdict>,
}

impl Expectation {
    /// The rule that the format attaches to a directory of submissions; `None` for a directory that it does not know.
    ///
    /// Source: 2025-09, "Submissions", the table of default directories.
    #[must_use]
    pub fn of_directory(name: &str) -> Option<Self> {
        use Verdict::{Accepted as AC, RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA};
        let (permitted, required) = match name {
            "accepted" => (vec![AC], vec![]),
            "rejected" => (vec![AC, WA, TLE, RTE], vec![WA, TLE, RTE]),
            "wrong_answer" => (vec![AC, WA], vec![WA]),
            "time_limit_exceeded" => (vec![AC, TLE], vec![TLE]),
            "run_time_error" => (vec![AC, RTE], vec![RTE]),
            "brute_force" => (vec![AC, TLE, RTE], vec![TLE, RTE]),
            _ => return None,
        };
        Some(Self { origin: format!("directory `{name}`"), permitted, required })
    }
}

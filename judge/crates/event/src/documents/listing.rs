//! The document of `judge list`: problems with their test cases and submissions.
//!
//! Responsible for the facts. Must not know how they are found or rendered. No event: a document of
//! one command.

use std::path::Path;

use judge_model::{Expectation, FormatVersion, LanguageId, Problem, Submission, micros};
use serde::Serialize;

/// The listing of problems with their test cases and submissions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Listing {
    /// The problems, in order.
    pub problems: Vec<ListedProblem>,
}

/// A problem in a listing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedProblem {
    /// Its name.
    pub problem: String,
    /// Its title.
    pub title: String,
    /// Its directory, relative to the workspace where possible.
    pub path: String,
    /// The version of the package format.
    pub format: FormatVersion,
    /// The time limit in microseconds, unless the package leaves it to be inferred.
    pub time_limit_us: Option<u64>,
    /// The memory limit in bytes.
    pub memory_bytes: u64,
    /// The test cases, in order.
    pub test_cases: Vec<String>,
    /// The submissions, in order.
    pub submissions: Vec<ListedSubmission>,
}

/// A submission in a listing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedSubmission {
    /// Its id, such as `accepted/flow.rs`.
    pub submission: String,
    /// Its path, relative to the workspace where possible.
    pub path: String,
    /// Its language, if it is known.
    pub language: Option<LanguageId>,
    /// The expectations of it.
    pub expectations: Vec<Expectation>,
}

impl ListedProblem {
    /// The problem with all its test cases and submissions; `shown` gives a path as it is printed.
    #[must_use]
    pub fn new(problem: &Problem, shown: &dyn Fn(&Path) -> String) -> Self {
        let submission = |submission: &Submission| ListedSubmission {
            submission: submission.id.clone(),
            path: shown(&submission.path),
            language: submission.language.clone(),
            expectations: submission.expectations.clone(),
        };
        let time_limit = problem.limits.time_limit;
        Self {
            problem: problem.name.clone(),
            title: problem.title.clone(),
            path: shown(&problem.directory),
            format: problem.format,
            time_limit_us: time_limit.map(micros),
            memory_bytes: problem.limits.memory_bytes,
            test_cases: problem
                .test_cases
                .iter()
                .map(|test_case| test_case.id.clone())
                .collect(),
            submissions: problem.submissions.iter().map(submission).collect(),
        }
    }
}

impl Listing {
    /// The listing as one JSON object.
    ///
    /// # Panics
    /// Never: all keys are strings, as JSON requires.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("listings have string keys only")
    }
}

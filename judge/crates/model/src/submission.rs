//! Submissions: what was answered, and what is expected of it.
//!
//! Responsible for the declaration. Whether an expectation is met is decided in `grading`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{LanguageId, ScoreRange, Verdict};

/// A program that answers a problem, or in a problem of type `submit-answer` the answers
/// themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Submission {
    /// Its path below `submissions/` or `solutions/<problem>/`, such as `wrong_answer/greedy.rs`.
    pub id: String,
    /// The file or directory, absolute.
    pub path: PathBuf,
    /// Its source files, relative to the directory (for a single file: its name), in order.
    pub sources: Vec<PathBuf>,
    /// The language in which it is written; `None` when no known language matches, with the reason
    /// reported on loading.
    pub language: Option<LanguageId>,
    /// The class that holds the entry point (`{class}`), for a language whose templates ask for it.
    pub entry_class: Option<String>,
    /// True if it is one of the package's own, which may use the package's constants.
    pub of_package: bool,
    /// The answers of a submission to a problem of type `submit-answer`: the output for each test
    /// case by the test case's id, absolute. A test case that is not in it was not answered. Empty
    /// for programs.
    pub answers: BTreeMap<String, PathBuf>,
    /// The expectations about it. All hold together; none means that nothing is expected.
    pub expectations: Vec<Expectation>,
    /// The reason why what is expected is not known although something is: its directory has almost
    /// the name of one with a meaning. Then nothing that it does is as expected.
    pub misplaced: Option<String>,
}

impl Submission {
    /// Gives submissions whose id another one before them has an id of their own: `slow.py`,
    /// `slow.py (2)`.
    pub fn make_ids_distinct(submissions: &mut [Self]) {
        for index in 0..submissions.len() {
            // Only ids before this one count, so that the first of several keeps its name.
            let (earlier, rest) = submissions.split_at_mut(index);
            let is_taken = |id: &str| earlier.iter().any(|submission| submission.id == id);
            let own = &mut rest[0].id;
            if is_taken(own) {
                let numbered = (2..).map(|number| format!("{own} ({number})"));
                *own = numbered.filter(|id| !is_taken(id)).take(1).collect();
            }
        }
    }
}

/// One rule about a submission's verdicts (2025-09, "Submissions": `permitted` and `required`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Expectation {
    /// The origin of the rule, in words, such as "directory `wrong_answer`".
    pub origin: String,
    /// The verdict of every test case must be one of these (AC, WA, TLE, RTE).
    pub permitted: Vec<Verdict>,
    /// The verdict of at least one test case must be one of these; empty: no such demand.
    pub required: Vec<Verdict>,
    /// The test cases and groups that it is about, as ids without wildcards; `None`: every test
    /// case, and the submission as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Vec<String>>,
    /// The verdict of the submission as a whole must be one of these, compile errors included;
    /// empty: no such demand. Only tags in sources (`@EXPECTED_RESULTS@`) ask for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whole: Vec<Verdict>,
    /// Some message of the output validator must contain this, letter case and all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The score of the submission, or of each group in the scope, must lie in this range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreRange>,
    /// The side of the time limit that it binds, if the rule itself says so (`use_for_time_limit`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<TimeLimitUse>,
}

/// The side of an inferred time limit that a submission binds (2025-09, `use_for_time_limit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimeLimitUse {
    /// None.
    Never,
    /// It must be fast enough.
    Lower,
    /// It must be too slow.
    Upper,
}

impl Expectation {
    /// The rule that the format attaches to a directory of submissions; `None` for a directory that
    /// it does not know.
    ///
    /// Source: 2025-09, "Submissions", the table of default directories.
    #[must_use]
    pub fn of_directory(name: &str) -> Option<Self> {
        use Verdict::{
            Accepted as AC, RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA,
        };
        let (permitted, required) = match name {
            "accepted" => (vec![AC], vec![]),
            "rejected" => (vec![AC, WA, TLE, RTE], vec![WA, TLE, RTE]),
            "wrong_answer" => (vec![AC, WA], vec![WA]),
            "time_limit_exceeded" => (vec![AC, TLE], vec![TLE]),
            "run_time_error" => (vec![AC, RTE], vec![RTE]),
            "brute_force" => (vec![AC, TLE, RTE], vec![TLE, RTE]),
            _ => return None,
        };
        Some(Self {
            origin: format!("directory `{name}`"),
            permitted,
            required,
            ..Self::default()
        })
    }

    /// True if the rule covers this test case (2025-09, "Glob patterns": it or a group around it is
    /// named).
    #[must_use]
    pub fn covers(&self, test_case: &str) -> bool {
        // The empty id is the group `data` of the legacy format, which everything lies in.
        let named = |id: &String| {
            let rest = test_case.strip_prefix(id.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || id.is_empty())
        };
        self.scope
            .as_ref()
            .is_none_or(|scope| scope.iter().any(named))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_that_is_named_twice_has_two_ids() {
        let named = |id: &str| Submission {
            id: id.to_owned(),
            ..Submission::default()
        };
        let mut submissions = ["a", "b", "a", "a (2)", "a"].map(named);
        Submission::make_ids_distinct(&mut submissions);
        assert_eq!(
            submissions.map(|submission| submission.id),
            ["a", "b", "a (2)", "a (2) (2)", "a (3)"]
        );
    }
}

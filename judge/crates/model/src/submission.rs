//! Submissions and their expectations.
//!
//! Responsible for the declaration. `grading` decides if an expectation is met.

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
    /// The class that holds the entry point (`{class}`), for a language whose templates use it.
    pub entry_class: Option<String>,
    /// True if it belongs to the package, so that it may use the package's constants.
    pub of_package: bool,
    /// The answers of a submission to a problem of type `submit-answer`: the absolute path of the
    /// output by the id of the test case. A test case that is missing here was not answered. Empty
    /// for programs.
    pub answers: BTreeMap<String, PathBuf>,
    /// Its expectations, all of which must be met. If empty, nothing is expected.
    pub expectations: Vec<Expectation>,
    /// The reason why its expectation is unknown: the name of its directory is almost that of one
    /// with a meaning. In this case, every result is unexpected.
    pub misplaced: Option<String>,
}

impl Submission {
    /// Makes repeated ids distinct: `slow.py`, `slow.py (2)`.
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
    /// The verdict of at least one test case must be one of these; empty: not required.
    pub required: Vec<Verdict>,
    /// The test cases and groups that it covers, as ids without wildcards; `None`: every test case,
    /// and the submission as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Vec<String>>,
    /// The verdict of the submission as a whole must be one of these, compile errors included;
    /// empty: not required. Only tags in sources (`@EXPECTED_RESULTS@`) set it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whole: Vec<Verdict>,
    /// At least one message of the output validator must contain this text. Letter case counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The score of the submission, or of each group in the scope, must lie in this range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreRange>,
    /// The side of the time limit that it bounds, if the rule states it (`use_for_time_limit`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<TimeLimitUse>,
}

/// The side of an inferred time limit that a submission bounds (2025-09, `use_for_time_limit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimeLimitUse {
    /// Neither side.
    Never,
    /// The lower side: the submission must be fast enough.
    Lower,
    /// The upper side: the submission must be too slow.
    Upper,
}

impl Expectation {
    /// Returns the rule that the format attaches to a directory of submissions; `None` for a
    /// directory that it does not know.
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
        // The empty id is the group `data` of the legacy format, which contains everything.
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
    fn repeated_ids_get_numbers() {
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

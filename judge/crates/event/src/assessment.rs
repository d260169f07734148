//! The assessment of a problem's test data.
//!
//! Responsible for the facts. Must not know how they are found or shown.

use serde::{Deserialize, Serialize};

/// The test data of the problem was assessed: which of the submissions that must be rejected it
/// rejects, and by which test cases. Emitted after the problem's submissions, if it was requested
/// and all of them have ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestDataAssessed {
    /// The problem's name.
    pub problem: String,
    /// The submissions that must be rejected and were run.
    pub must_be_rejected: Vec<RejectedBy>,
    /// Test cases that reject none of these submissions.
    pub idle: Vec<String>,
    /// Test cases that are redundant because of others.
    pub redundant: Vec<RedundantTestCase>,
    /// A smallest set of test cases that rejects every submission that is rejected at all.
    pub smallest: Vec<String>,
    /// True when no smaller set exists; `false` when the search for one was given up.
    pub smallest_is_exact: bool,
    /// The number of test cases that must reject each submission, if it was requested
    /// (`--min-kills`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_kills: Option<u64>,
    /// True when samples count among these test cases; absent when they do, or without `min_kills`.
    #[serde(default = "default_true", skip_serializing_if = "is_true")]
    pub samples_count: bool,
    /// The mutants of a solution that the test cases kill, if they were requested (`--mutants`);
    /// `idle`, `redundant` and `smallest` then cover these mutants too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutants: Option<MutantsKilled>,
}

/// In older streams, all test cases count.
fn default_true() -> bool {
    true
}

fn is_true(flag: &bool) -> bool {
    *flag
}

/// A submission that must be rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RejectedBy {
    /// The submission.
    pub submission: String,
    /// The test cases on which it is rejected, in package order.
    pub test_cases: Vec<String>,
}

/// The small mistakes in a solution that the test cases detect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MutantsKilled {
    /// The solution that contains the mistakes.
    pub solution: String,
    /// The number of its mutants that were killed.
    pub killed: u64,
    /// The number of its mutants that were killed or survived: all that compile and are not
    /// declared equivalent.
    pub of: u64,
    /// The test cases that kill any, in package order.
    pub by: Vec<MutantsKilledBy>,
}

/// The mutants that one test case kills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MutantsKilledBy {
    /// The test case.
    pub test_case: String,
    /// The number of mutants that it kills.
    pub mutants: u64,
    /// The number of those that no other test case kills.
    pub alone: u64,
}

/// A redundant test case: a single other test case rejects everything that it rejects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RedundantTestCase {
    /// The test case.
    pub test_case: String,
    /// A test case that rejects everything that this one rejects, and is not redundant itself.
    pub covered_by: String,
}

impl TestDataAssessed {
    /// The submissions that fewer than `min_kills` test cases reject; empty without `min_kills`.
    pub fn too_few(&self) -> impl Iterator<Item = &RejectedBy> {
        let required = self.min_kills.unwrap_or(0);
        self.must_be_rejected
            .iter()
            .filter(move |one| self.kills(one) < required)
    }

    /// The number of test cases that count and reject a submission.
    #[must_use]
    pub fn kills(&self, one: &RejectedBy) -> u64 {
        // Contestants know the samples, so a requirement on secret test data does not count them.
        one.test_cases
            .iter()
            .filter(|case| self.samples_count || !case.starts_with("sample/"))
            .count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_below_min_kills_are_listed() {
        let rejected = |name: &str, count: usize| RejectedBy {
            submission: name.to_owned(),
            test_cases: (0..count).map(|number| number.to_string()).collect(),
        };
        let mut assessed = TestDataAssessed {
            problem: "p".into(),
            must_be_rejected: vec![rejected("a", 0), rejected("b", 1), rejected("c", 2)],
            idle: Vec::new(),
            redundant: Vec::new(),
            smallest: Vec::new(),
            smallest_is_exact: true,
            min_kills: None,
            samples_count: true,
            mutants: None,
        };
        assert_eq!(assessed.too_few().count(), 0);
        assessed.min_kills = Some(2);
        assert_eq!(
            assessed
                .too_few()
                .map(|one| one.submission.as_str())
                .collect::<Vec<_>>(),
            ["a", "b"]
        );
        assessed.must_be_rejected[2].test_cases[0] = "sample/1".to_owned();
        assert_eq!(assessed.too_few().count(), 2);
        assessed.samples_count = false;
        assert_eq!(assessed.too_few().count(), 3);
        assert_eq!(
            serde_json::to_value(&assessed).unwrap()["samples_count"],
            false
        );
        assessed.samples_count = true;
        let text = serde_json::to_string(&assessed).unwrap();
        assert!(!text.contains("samples_count") && !text.contains("mutants"));
        assert_eq!(
            serde_json::from_str::<TestDataAssessed>(&text).unwrap(),
            assessed
        );
    }
}

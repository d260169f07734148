//! Violations: the texts of expectations that a submission did not meet.
//!
//! Responsible for the sentences. `expectation` decides if an expectation is met.

use std::fmt;

use judge_model::{Score, ScoreRange, Verdict};

/// An expectation that was not met.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The origin of the rule, such as "directory `accepted`".
    pub origin: String,
    /// The kind of the violation.
    pub kind: ViolationKind,
}

/// The kind of a violation.
#[derive(Clone, Debug, PartialEq)]
pub enum ViolationKind {
    /// A test case got a verdict that the rule does not permit.
    NotPermitted {
        /// The test case.
        test_case: String,
        /// The reported verdict (MLE and OLE are not yet turned into RTE).
        verdict: Verdict,
        /// The verdicts that the rule permits.
        permitted: Vec<Verdict>,
    },
    /// No test case got any of the verdicts that the rule requires.
    RequiredMissing {
        /// The verdicts of which the rule requires one.
        required: Vec<Verdict>,
    },
    /// A test case that must be accepted was left out because of an earlier rejection.
    LeftOut {
        /// The test case.
        test_case: String,
    },
    /// The submission as a whole got a verdict that the rule does not expect.
    Whole {
        /// The verdict that it got.
        verdict: Verdict,
        /// The verdicts of which the rule expects one for the submission.
        expected: Vec<Verdict>,
    },
    /// No message of the output validator contains the text that the rule requires.
    MessageMissing {
        /// The text that the rule requires.
        message: String,
    },
    /// A score is outside of the range that the rule expects.
    Score {
        /// The group; `None` for the submission.
        group: Option<String>,
        /// The score, if there is one.
        score: Option<Score>,
        /// The expected range.
        range: ScoreRange,
    },
    /// The submission did not compile, so that it has no results.
    DidNotCompile {
        /// The verdicts that the rule permits.
        permitted: Vec<Verdict>,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = &self.origin;
        match &self.kind {
            ViolationKind::NotPermitted {
                test_case,
                verdict,
                permitted,
            } => {
                write!(
                    f,
                    "{origin} permits {}, but `{test_case}` got {verdict}",
                    listed(permitted, "and")
                )
            }
            ViolationKind::RequiredMissing { required } => {
                write!(
                    f,
                    "{origin} requires {} on some test case, but none got it",
                    listed(required, "or")
                )
            }
            ViolationKind::DidNotCompile { permitted } => {
                write!(
                    f,
                    "{origin} permits {}, but the submission did not compile",
                    listed(permitted, "and")
                )
            }
            ViolationKind::LeftOut { test_case } => {
                write!(
                    f,
                    "{origin} permits AC, but `{test_case}` was not judged because of an earlier rejection"
                )
            }
            ViolationKind::Whole { verdict, expected } => {
                write!(
                    f,
                    "{origin} expects {}, but the submission got {verdict}",
                    listed(expected, "or")
                )
            }
            ViolationKind::MessageMissing { message } => {
                write!(
                    f,
                    "{origin} requires a message with `{}`, but no test case got one",
                    message.escape_debug()
                )
            }
            ViolationKind::Score {
                group,
                score,
                range,
            } => {
                let whose = group
                    .as_ref()
                    .map_or_else(|| "the submission".to_owned(), |group| format!("`{group}`"));
                let expected = match range {
                    ScoreRange { min, max } if min == max => format!("the score {min}"),
                    ScoreRange { min, max } => format!("a score from {min} to {max}"),
                };
                match score {
                    Some(score) => {
                        write!(f, "{origin} expects {expected}, but {whose} got {score}")
                    }
                    None => write!(f, "{origin} expects {expected}, but {whose} got none"),
                }
            }
        }
    }
}

/// `AC`, `AC and WA`, `AC, RTE and TLE`.
fn listed(verdicts: &[Verdict], conjunction: &str) -> String {
    match verdicts {
        [] => "nothing".to_owned(),
        [only] => only.to_string(),
        [init @ .., last] => {
            let init: Vec<&str> = init.iter().map(|verdict| verdict.code()).collect();
            format!("{} {conjunction} {last}", init.join(", "))
        }
    }
}

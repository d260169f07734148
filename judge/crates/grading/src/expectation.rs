//! Expectations: whether the verdicts of a submission are what its author declared; and one verdict out of many.
//!
//! Responsible for `permitted` and `required`. Must not know which directory or file a rule was read from, beyond the
//! words in which its origin is told.

use std::fmt;

use judge_model::{Expectation, Verdict};

/// A demand that was not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where the rule comes from, such as "directory `accepted`".
    pub origin: String,
    /// What was wrong.
    pub kind: ViolationKind,
}

/// How a demand was not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// A test case got a verdict that the rule does not permit.
    NotPermitted {
        /// The test case.
        test_case: String,
        /// What it got, as it is told (MLE and OLE are not yet turned into RTE).
        verdict: Verdict,
        /// What the rule permits.
        permitted: Vec<Verdict>,
    },
    /// No test case got any of the verdicts that the rule requires.
    RequiredMissing {
        /// What the rule requires one of.
        required: Vec<Verdict>,
    },
    /// The submission did not compile, so that no test case could be judged.
    DidNotCompile {
        /// What the rule permits.
        permitted: Vec<Verdict>,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = &self.origin;
        match &self.kind {
            ViolationKind::NotPermitted { test_case, verdict, permitted } => {
                write!(f, "{origin} permits {}, but `{test_case}` got {verdict}", listed(permitted, "and"))
            }
            ViolationKind::RequiredMissing { required } => {
                write!(f, "{origin} requires {} on some test case, but none got it", listed(required, "or"))
            }
            ViolationKind::DidNotCompile { permitted } => {
                write!(f, "{origin} permits {}, but the submission did not compile", listed(permitted, "and"))
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

/// Whether a set of the package format holds this verdict. CE and JE are in no set, even if one should list them: a
/// judge error says nothing about the submission, so nothing can be as expected.
fn holds(set: &[Verdict], verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::CompileError | Verdict::JudgeError) && set.contains(&verdict.in_expectations())
}

fn is_met(required: &[Verdict], results: &[(String, Verdict)]) -> bool {
    required.is_empty() || results.iter().any(|(_, verdict)| holds(required, *verdict))
}

/// Checks the verdicts of a submission, in package order, against everything that is expected of it.
///
/// Every verdict must be permitted, and at least one must be among the required ones where there are any (2025-09,
/// "Submissions"). All rules hold together. `complete` tells whether every test case was judged: when judging was
/// stopped early, what was required may lie in what was not seen, so its absence is no violation. What was seen is
/// always held against `permitted`. See [`is_settled`] for stopping no earlier than that matters.
#[must_use]
pub fn check(expectations: &[Expectation], results: &[(String, Verdict)], complete: bool) -> Vec<Violation> {
    let mut violations = Vec::new();
    for Expectation { origin, permitted, required, .. } in expectations {
        let mut add = |kind| violations.push(Violation { origin: origin.clone(), kind });
        for (test_case, verdict) in results.iter().filter(|(_, verdict)| !holds(permitted, *verdict)) {
            let (test_case, permitted) = (test_case.clone(), permitted.clone());
            add(ViolationKind::NotPermitted { test_case, verdict: *verdict, permitted });
        }
        if complete && !is_met(required, results) {
            add(ViolationKind::RequiredMissing { required: required.clone() });
        }
    }
    violations
}

/// The violations of a submission that did not compile: each rule, for none can permit that.
#[must_use]
pub fn check_compile_error(expectations: &[Expectation]) -> Vec<Violation> {
    expectations
        .iter()
        .map(|Expectation { origin, permitted, .. }| Violation {
            origin: origin.clone(),
            kind: ViolationKind::DidNotCompile { permitted: permitted.clone() },
        })
        .collect()
}

/// Whether judging may stop after these results without leaving a requirement open.
///
/// True when something is violated already, or when everything that is required was seen. A later test case could
/// still get a verdict that is not permitted: only a complete run rules that out.
#[must_use]
pub fn is_settled(expectations: &[Expectation], results: &[(String, Verdict)]) -> bool {
    expectations.iter().all(|rule| is_met(&rule.required, results)) || !check(expectations, results, false).is_empty()
}

/// One verdict for a whole submission: the first in package order that is not AC, else AC; with the index of the test
/// case that decided it (for AC, the last). `None` without results.
#[must_use]
pub fn aggregate(results: &[(String, Verdict)]) -> Option<(Verdict, usize)> {
    let last = results.len().checked_sub(1)?;
    let deciding = results.iter().position(|(_, verdict)| *verdict != Verdict::Accepted).unwrap_or(last);
    results.get(deciding).map(|(_, verdict)| (*verdict, deciding))
}

#[cfg(test)]
#[path = "expectation_tests.rs"]
mod tests;

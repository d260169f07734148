//! Errors of mutation testing.

use std::io;
use std::path::PathBuf;

use judge_exec::{ExecError, Refusal};
use judge_model::Verdict;
use judge_stress::StressError;

/// The reason why mutation testing could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MutationError {
    /// The host, the sandbox, or the reader of the progress failed.
    #[error(transparent)]
    Runner(#[from] ExecError),
    /// Sources of mutants could not be written.
    #[error("cannot write sources of mutants: {0}")]
    Sources(io::Error),
    /// A file of the package or the cache could not be read or written.
    #[error("cannot use `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The solution cannot be mutated.
    #[error("{solution}: {reason}")]
    Solution {
        /// The id of the solution.
        solution: String,
        /// The reason.
        reason: String,
    },
    /// The solution is not accepted, so its mutants cannot be compared with it.
    #[error("expected `{solution}` to be accepted, found {verdict} on `{test_case}`{}", after_colon(.reason.as_deref()))]
    NotAccepted {
        /// The id of the solution.
        solution: String,
        /// The test case.
        test_case: String,
        /// The verdict.
        verdict: Verdict,
        /// The reason of the verdict, if it is known.
        reason: Option<String>,
    },
    /// The solution, or a program that judges its output, cannot be run.
    #[error("the solution cannot be run: {0}")]
    NotReady(Refusal),
    /// The package's own programs failed.
    #[error(
        "the output validator failed on the output of a mutant for `{test_case}`\nhint: it must reject every wrong output and never crash"
    )]
    JudgeError {
        /// The test case.
        test_case: String,
    },
    /// The search for inputs that kill survivors failed.
    #[error(transparent)]
    Search(#[from] StressError),
    /// The compiled program contains no mark: a bug in the compiler or in the combined program.
    #[error("the mutant selector is missing from the compiled program")]
    NoMark,
}

fn after_colon(reason: Option<&str>) -> String {
    reason
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_solution_is_named_with_the_reason() {
        let error = |reason: Option<&str>| {
            MutationError::NotAccepted {
                solution: "accepted/a.py".to_owned(),
                test_case: "sample/2".to_owned(),
                verdict: Verdict::JudgeError,
                reason: reason.map(str::to_owned),
            }
            .to_string()
        };
        let found = "expected `accepted/a.py` to be accepted, found JE on `sample/2`";
        assert_eq!(error(None), found);
        assert_eq!(error(Some("why")), format!("{found}: why"));
    }
}

//! Files that programs of the package write beyond their limit.
//!
//! Responsible for recognizing that by the files that are left. Must not know the purpose of the
//! program.

use judge_model::{Limit, Outcome, Termination};
use judge_sandbox::{Finished, is_full};

/// The exit codes that decide something.
const DECISIONS: [i32; 2] = [42, 43];

/// Returns the outcome of a program that may write files of that many bytes. Many run-times ignore
/// the signal that ends a program which writes more, and end with an error of their own instead;
/// that is the same fault.
pub(crate) fn apply_file_limit(finished: &Finished, bytes: u64) -> Outcome {
    let mut outcome = finished.outcome.clone();
    let gave_up = match outcome.termination {
        Termination::Exited { code } => !DECISIONS.contains(&code),
        Termination::Signaled { .. } => true,
        Termination::Killed { .. } | Termination::Cancelled => false,
    };
    if gave_up
        && finished
            .work
            .as_ref()
            .is_some_and(|work| is_full(work, bytes))
    {
        outcome.termination = Termination::Killed {
            limit: Limit::Output,
        };
    }
    outcome
}

//! The limits of programs of the package, also of the files that they write, and their feedback
//! directory.
//!
//! Must not know what such a program decides.
//!
//! Source: package format, "Output Validators"; 2025-09, "Limits".

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use judge_grading::{ACCEPT_CODE, REJECT_CODE, TestLimits};
use judge_model::{Limit, Limits, Outcome, Termination};
use judge_sandbox::{
    CopyLimits, Finished, HarvestError, Layout, RunLimits, Work, copy_tree, is_full,
};

const PROCESSES: u32 = 64;
/// Files that a validator may create in its feedback directory.
pub(crate) const FILES: u64 = 4096;

/// The limits by which a run is classified: those that were enforced, of standard output alone.
pub(crate) fn test_limits(limits: &RunLimits) -> TestLimits {
    TestLimits {
        cpu_time: limits.cpu_time,
        wall_time: limits.wall_time,
        memory_bytes: limits.memory_bytes,
        output_bytes: limits.stdout_bytes,
    }
}

/// The limits of a validator's run: its guaranteed resources are taken as limits.
pub(crate) fn run_limits(limits: &Limits) -> RunLimits {
    RunLimits {
        cpu_time: limits.validation_time,
        wall_time: limits.validation_time * 2 + Duration::from_secs(1),
        memory_bytes: limits.validation_memory_bytes,
        stdout_bytes: limits.validation_output_bytes,
        stderr_bytes: limits.validation_output_bytes,
        processes: PROCESSES,
    }
}

/// The working directory of a validator, which is its feedback directory.
pub(crate) fn feedback_directory(limits: &Limits) -> Work {
    Work::Writable {
        bytes: limits.validation_output_bytes,
        files: FILES,
    }
}

/// Copies a feedback directory into a new one.
pub(crate) fn copy_feedback(work: &OwnedFd, to: &Path, bytes: u64) -> Result<(), HarvestError> {
    let limits = CopyLimits {
        bytes,
        entries: FILES,
        depth: 32,
    };
    copy_tree(work, Path::new("."), to, limits).map(drop)
}

/// The feedback directory's name as an argument; it ends with a slash.
pub(crate) fn feedback_argument(layout: &Layout) -> OsString {
    let mut feedback = layout.work.clone().into_os_string();
    feedback.push("/");
    feedback
}

/// True when a run was killed for its time, or used more CPU time than allowed.
pub(crate) fn is_out_of_time(outcome: &Outcome, limits: &RunLimits) -> bool {
    // A program may use more CPU time than its limit before it can be killed, and may even exit
    // normally by then.
    let was_killed = matches!(
        outcome.termination,
        Termination::Killed {
            limit: Limit::CpuTime | Limit::WallTime
        }
    );
    was_killed || outcome.usage.cpu_time > limits.cpu_time
}

/// Returns the outcome of a program that may write files of that many bytes. Many run-times ignore
/// the signal that ends a program which writes more, and end with an error of their own instead;
/// that is the same fault.
pub(crate) fn apply_file_limit(finished: &Finished, bytes: u64) -> Outcome {
    let mut outcome = finished.outcome.clone();
    let gave_up = match outcome.termination {
        Termination::Exited { code } => code != ACCEPT_CODE && code != REJECT_CODE,
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

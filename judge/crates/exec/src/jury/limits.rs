//! The limits of programs of the package, and their feedback directory.
//!
//! Must not know what such a program decides.
//!
//! Source: package format, "Output Validators"; 2025-09, "Limits".

use std::ffi::OsString;
use std::time::Duration;

use judge_grading::TestLimits;
use judge_model::{Limit, Limits, Outcome, Termination};
use judge_sandbox::{Layout, RunLimits, Work};

const PROCESSES: u32 = 64;
/// Files that a validator may create in its feedback directory.
pub(crate) const FILES: u64 = 4096;

/// The limits by which a run is classified: those that were enforced, of standard output alone.
pub(crate) fn test_limits(limits: &RunLimits) -> TestLimits {
    let RunLimits {
        cpu_time,
        wall_time,
        memory_bytes,
        stdout_bytes,
        ..
    } = *limits;
    TestLimits {
        cpu_time,
        wall_time,
        memory_bytes,
        output_bytes: stdout_bytes,
    }
}

/// The limits of a validator's run: its guaranteed resources are taken as limits.
pub(crate) fn run_limits(limits: &Limits) -> RunLimits {
    RunLimits {
        cpu_time: limits.validation_time,
        wall_time: wall_limit(limits),
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

/// The feedback directory's name as an argument; it ends with a slash.
pub(crate) fn feedback_argument(layout: &Layout) -> OsString {
    let mut feedback = layout.work.clone().into_os_string();
    feedback.push("/");
    feedback
}

fn wall_limit(limits: &Limits) -> Duration {
    limits.validation_time * 2 + Duration::from_secs(1)
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

//! The classification of one run by its record: a verdict, a pending comparison, or a judge error.
//!
//! Responsible for the order in which limits are checked and for the exit codes of validators. Must
//! not know how limits are enforced: it reads the record, and never guesses from a signal which
//! side killed the program.

use std::time::Duration;

use judge_model::{Limit, Outcome, SIGXFSZ, Termination, Usage, Verdict, signal_name};

/// The exit code with which a validator accepts (package format, "Output Validators" and "Input
/// Validators").
pub const ACCEPT_CODE: i32 = 42;
/// The exit code with which an output validator rejects.
pub const REJECT_CODE: i32 = 43;
/// The exit code with which testlib reports a failure: a validator reports a fault of its input, a
/// checker one of the jury (testlib.h, `FAIL_EXIT_CODE`).
const TESTLIB_FAIL: i32 = 3;

/// The limits of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestLimits {
    /// CPU time of the whole process tree.
    pub cpu_time: Duration,
    /// Elapsed time: a backstop that counts only when the sandbox killed the program for it.
    pub wall_time: Duration,
    /// Memory of the whole process tree, in bytes.
    pub memory_bytes: u64,
    /// Standard output and standard error together, in bytes.
    pub output_bytes: u64,
}

/// The classification of a submission's run on a test case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classification {
    /// The run alone decides the verdict.
    Verdict(Verdict),
    /// It ended normally within its limits: the output decides.
    CompareOutput,
    /// It was cancelled: nothing is known, and it must never be reported as a verdict.
    Cancelled,
}

/// Classifies a submission's run.
///
/// The order is memory, output, CPU time, wall time, then termination, so that a program which the
/// kernel stopped for its memory does not count as slow or crashed. Limits are exact (2025-09,
/// "Limits"): using as much as the limit is allowed, and anything more is not, even when the
/// program exited with code 0 before it could be stopped.
#[must_use]
pub fn classify(outcome: &Outcome, limits: &TestLimits) -> Classification {
    if outcome.termination == Termination::Cancelled {
        return Classification::Cancelled;
    }
    if let Some(limit) = exceeded_limit(outcome, limits) {
        return Classification::Verdict(match limit {
            Limit::Memory => Verdict::MemoryLimitExceeded,
            Limit::Output => Verdict::OutputLimitExceeded,
            Limit::CpuTime | Limit::WallTime => Verdict::TimeLimitExceeded,
        });
    }
    match outcome.termination {
        // No limit was exceeded, so only the termination of the program decides.
        Termination::Exited { code: 0 } => Classification::CompareOutput,
        _ => Classification::Verdict(Verdict::RunTimeError),
    }
}

/// Returns the first limit in the order of [`classify`] that was exceeded.
fn exceeded_limit(outcome: &Outcome, limits: &TestLimits) -> Option<Limit> {
    let Outcome { termination, usage } = outcome;
    let killed_for = |limit| *termination == Termination::Killed { limit };
    // The kernel's count of kills comes first: a program of several processes may continue after
    // one of them was killed, and end with any exit code.
    if usage.memory_kills > 0
        || killed_for(Limit::Memory)
        || usage.memory_bytes > limits.memory_bytes
    {
        Some(Limit::Memory)
    } else if killed_for(Limit::Output) || written_bytes(usage) > limits.output_bytes {
        Some(Limit::Output)
    } else if killed_for(Limit::CpuTime) || usage.cpu_time > limits.cpu_time {
        Some(Limit::CpuTime)
    } else if killed_for(Limit::WallTime) {
        Some(Limit::WallTime)
    } else {
        None
    }
}

/// Returns the first limit that a program of the package exceeded. Its files are limited to the
/// same size as its streams, and the kernel ends a program that writes a larger file with SIGXFSZ
/// (setrlimit(2), `RLIMIT_FSIZE`).
fn exceeded_by_jury(outcome: &Outcome, limits: &TestLimits) -> Option<Limit> {
    // The limit of a file is enforced by the kernel, which sends this signal; the sandbox only
    // sees a program that a signal ended.
    let too_large_a_file = outcome.termination == Termination::Signaled { signal: SIGXFSZ };
    exceeded_limit(outcome, limits).or(too_large_a_file.then_some(Limit::Output))
}

fn written_bytes(usage: &Usage) -> u64 {
    usage.stdout_bytes.saturating_add(usage.stderr_bytes)
}

/// The decision of a custom output validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValidatorDecision {
    /// Exit code 42.
    Accepted,
    /// Exit code 43.
    Rejected,
    /// Any other termination: nothing is known about the submission.
    JudgeError {
        /// The reason, worded to follow "the output validator".
        reason: String,
    },
    /// It was cancelled: nothing is known, and nothing is wrong.
    Cancelled,
}

/// Classifies a custom output validator's run.
///
/// Source: package format, "Output Validators": exit code 42 accepts, 43 rejects, and every other
/// termination is a judge error, as is exceeding a limit (2025-09, "Limits") with any exit code.
#[must_use]
pub fn classify_validator(outcome: &Outcome, limits: &TestLimits) -> ValidatorDecision {
    // The limits come before the exit code: a validator that reaches one may still exit with 43,
    // and the submission would be blamed for it.
    let reason = match within_limits(outcome, limits) {
        Ok(Termination::Exited { code: ACCEPT_CODE }) => return ValidatorDecision::Accepted,
        Ok(Termination::Exited { code: REJECT_CODE }) => return ValidatorDecision::Rejected,
        Ok(Termination::Exited { code }) => {
            format!(
                "returned exit code {code}; expected {ACCEPT_CODE} (accept) or {REJECT_CODE} (reject)"
            )
        }
        Ok(other) => format!(
            "{}; expected exit code {ACCEPT_CODE} (accept) or {REJECT_CODE} (reject)",
            describe_end(other)
        ),
        Err(None) => return ValidatorDecision::Cancelled,
        Err(Some(reason)) => reason,
    };
    ValidatorDecision::JudgeError { reason }
}

/// Classifies the run of a legacy package's grader: accepted when it has answered.
///
/// Source: legacy, "Graders": on success the exit code is 0; every other termination is a judge
/// error.
#[must_use]
pub fn classify_grader(outcome: &Outcome, limits: &TestLimits) -> ValidatorDecision {
    match classify_ended(outcome, limits) {
        Ok(Termination::Exited { code: 0 }) => ValidatorDecision::Accepted,
        Ok(other) => ValidatorDecision::JudgeError {
            reason: format!("{}; expected exit code 0", describe_end(other)),
        },
        Err(None) => ValidatorDecision::Cancelled,
        Err(Some(reason)) => ValidatorDecision::JudgeError { reason },
    }
}

/// Returns the termination of a program of the package that ended within its limits. The error is
/// the reason of a judge error; it is `None` when the program was cancelled.
pub(crate) fn classify_ended(
    outcome: &Outcome,
    limits: &TestLimits,
) -> Result<Termination, Option<String>> {
    match within_limits(outcome, limits)? {
        exited @ Termination::Exited { .. } => Ok(exited),
        other => Err(Some(describe_end(other))),
    }
}

/// Returns the termination of a program of the package that exceeded no limit, with the same
/// errors.
fn within_limits(outcome: &Outcome, limits: &TestLimits) -> Result<Termination, Option<String>> {
    if outcome.termination == Termination::Cancelled {
        return Err(None);
    }
    match exceeded_by_jury(outcome, limits) {
        Some(limit) => Err(Some(describe_exceeded(limit, limits))),
        None => Ok(outcome.termination),
    }
}

/// The decision of an input validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputValidatorDecision {
    /// Exit code 42: the input is as the problem promises.
    Accepted,
    /// Any other termination within the limits.
    Rejected {
        /// The termination, worded to follow "the input validator".
        how: String,
        /// True for the termination that the format defines for a rejection: exit code 43.
        is_as_agreed: bool,
    },
    /// It exceeded a limit: nothing is known about the input.
    JudgeError {
        /// The reason, worded to follow "the input validator".
        reason: String,
    },
    /// It was cancelled: nothing is known, and nothing is wrong.
    Cancelled,
}

/// The exit codes of an input validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidatorCodes {
    /// 42 for a valid and 43 for an invalid input (package format, "Input Validators").
    Package,
    /// Those of the original testlib: 0 for a valid input, 3 for an invalid one (testlib.h,
    /// `registerValidation` and `_fail`). Exit code 42 means the same as in packages.
    Testlib,
}

/// Classifies an input validator's run.
///
/// Source: package format, "Input Validators": exit code 42 accepts, every other exit code rejects.
/// A crash counts as a rejection, because validators often reject by a failed assertion. The format
/// sets no limits for input validators, so exceeding those of the host gives no information about
/// the input.
#[must_use]
pub fn classify_input_validator(
    outcome: &Outcome,
    limits: &TestLimits,
    codes: ValidatorCodes,
) -> InputValidatorDecision {
    match within_limits(outcome, limits) {
        Err(None) => InputValidatorDecision::Cancelled,
        Err(Some(reason)) => InputValidatorDecision::JudgeError { reason },
        Ok(Termination::Exited { code: ACCEPT_CODE }) => InputValidatorDecision::Accepted,
        // In the package format, 0 rejects like any code except 42. Only the original testlib
        // accepts with it.
        Ok(Termination::Exited { code: 0 }) if codes == ValidatorCodes::Testlib => {
            InputValidatorDecision::Accepted
        }
        Ok(other) => {
            // Any other exit code rejects as well, because a failed assertion may cause it. The
            // flag only says whether the rejection is intentional.
            let fails = codes == ValidatorCodes::Testlib
                && other == Termination::Exited { code: TESTLIB_FAIL };
            let is_as_agreed = fails || other == Termination::Exited { code: REJECT_CODE };
            InputValidatorDecision::Rejected {
                how: describe_end(other),
                is_as_agreed,
            }
        }
    }
}

/// The rule of the package format, for messages about an input validator with another termination.
pub const INPUT_VALIDATOR_CODES: &str = "an input validator exits with code 42 for a valid and 43 for an invalid input (package format, “Input Validators”)";

fn describe_exceeded(limit: Limit, limits: &TestLimits) -> String {
    const MIB: u64 = 1 << 20;
    let size = |bytes: u64| {
        if bytes.is_multiple_of(MIB) {
            format!("{} MiB", bytes / MIB)
        } else {
            format!("{bytes} bytes")
        }
    };
    match limit {
        Limit::Memory => format!("exceeded its memory limit of {}", size(limits.memory_bytes)),
        Limit::Output => format!("exceeded its output limit of {}", size(limits.output_bytes)),
        Limit::CpuTime => format!(
            "exceeded its CPU time limit of {} s",
            limits.cpu_time.as_secs_f64()
        ),
        Limit::WallTime => format!(
            "exceeded its wall time limit of {} s",
            limits.wall_time.as_secs_f64()
        ),
    }
}

/// Describes the termination of a program. Kills for a limit and cancellations are described
/// elsewhere.
fn describe_end(termination: Termination) -> String {
    match termination {
        Termination::Exited { code } => format!("exited with code {code}"),
        Termination::Signaled { signal } => match signal_name(signal) {
            Some(name) => format!("was killed by signal {signal} ({name})"),
            None => format!("was killed by signal {signal}"),
        },
        Termination::Killed { limit } => format!("was killed for its {limit:?} limit"),
        Termination::Cancelled => "was cancelled".to_owned(),
    }
}

#[cfg(test)]
#[path = "classify_tests.rs"]
mod tests;

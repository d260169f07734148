//! Time limits from measured runs: the limits that the submissions of a problem allow, and the run
//! that determines the limit.
//!
//! Responsible for the inequalities of both formats. Must not know how long a run was allowed to
//! take, or how it was measured.

use std::time::Duration;

use judge_model::{Expectation, Limits, TimeLimitUse, Verdict};

/// The tolerance by which a run may be above or below a bound: the rounding error of decimal
/// numbers in binary.
const TOLERANCE: f64 = 1e-9;

/// The sides of the time limit on which a rule puts its test cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The test cases must be fast enough.
    pub lower: bool,
    /// One of them must be too slow.
    pub upper: bool,
}

/// Returns the sides on which a rule constrains the time limit (2025-09, "Timelimit inference"):
/// below if TLE is not permitted, above if only TLE is required, or as set by `use_for_time_limit`.
/// In legacy packages (`legacy`) only submissions that must be accepted constrain it, and only
/// below.
#[must_use]
pub fn sides(rule: &Expectation, legacy: bool) -> Sides {
    let only = |set: &[Verdict], verdict| !set.is_empty() && set.iter().all(|it| *it == verdict);
    let (lower, upper) = match rule.time_limit {
        // An explicit key of the package takes precedence over its verdicts.
        Some(TimeLimitUse::Never) => (false, false),
        Some(TimeLimitUse::Lower) => (true, false),
        Some(TimeLimitUse::Upper) => (false, true),
        // Legacy packages have no rules for too slow submissions: they only lead to a remark
        // ([`sensitive`]).
        None if legacy => (only(&rule.permitted, Verdict::Accepted), false),
        None => (
            !rule.permitted.contains(&Verdict::TimeLimitExceeded),
            only(&rule.required, Verdict::TimeLimitExceeded),
        ),
    };
    Sides { lower, upper }
}

/// A measured run, or the slowest of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedRun {
    /// The submission.
    pub submission: String,
    /// The test case.
    pub test_case: String,
    /// Its CPU time.
    pub cpu_time: Duration,
    /// True if it was stopped, so that it takes longer than `cpu_time`.
    pub stopped: bool,
}

/// An inferred time limit with the run that determines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferredTimeLimit {
    /// The time limit.
    pub time_limit: Duration,
    /// The slowest run of the submissions that must be fast enough.
    pub lower: TimedRun,
}

/// Returns the smallest multiple of the resolution that leaves enough time for the runs that must
/// be fast enough.
///
/// Source: 2025-09, "Problem timing" (`T_ac * ac_to_time_limit <= time_limit`); legacy, "Limits",
/// where it is `T * time_multiplier`, rounded up, and at least one second. `runs` are those with
/// the side `lower` ([`sides`]); they may be empty.
///
/// # Errors
/// Without runs, or with a run that did not end: the reason, with the fix.
pub fn infer(limits: &Limits, runs: &[TimedRun]) -> Result<InferredTimeLimit, String> {
    // The time of a stopped run is only a lower bound. A limit inferred from it could be too
    // short for this very submission.
    if let Some(endless) = runs.iter().find(|run| run.stopped) {
        return Err(format!(
            "no time limit can be inferred: `{}` was stopped on `{}` after {} s; expected it to end, because it must be \
             fast enough",
            endless.submission,
            endless.test_case,
            in_seconds(endless.cpu_time)
        ));
    }
    let Some(lower) = slowest(runs).cloned() else {
        return Err(
            "no time limit is stated, and no submission allows inferring one: expected `limits.time_limit`, or an \
             accepted submission"
                .to_owned(),
        );
    };
    // The resolution comes from the package and may be 0, so it must not become a divisor.
    let resolution = limits.time_resolution.as_secs_f64().max(1e-6);
    let min_limit = lower.cpu_time.as_secs_f64() * limits.ac_to_time_limit;
    // Without the tolerance, 1.1 s in steps of 0.1 s would be twelve steps: 1.1 / 0.1 is a
    // little more than 11 in binary.
    let steps = (min_limit / resolution * (1.0 - TOLERANCE)).ceil().max(1.0);
    // In whole nanoseconds, so that three tenths are exact.
    let nanos = (steps * limits.time_resolution.as_nanos().max(1000) as f64).min(u64::MAX as f64);
    Ok(InferredTimeLimit {
        time_limit: Duration::from_nanos(nanos as u64),
        lower,
    })
}

/// Returns a fault if a time limit is too short for runs that must be fast enough, including the
/// multiplier (2025-09, "Problem timing").
#[must_use]
pub fn too_short(limits: &Limits, time_limit: Duration, runs: &[TimedRun]) -> Option<String> {
    let run = slowest(runs)?;
    let min_limit = run.cpu_time.as_secs_f64() * limits.ac_to_time_limit;
    (min_limit > time_limit.as_secs_f64() * (1.0 + TOLERANCE)).then(|| {
        format!(
            "the time limit of {} s is too short: `{}` takes {} s on `{}` (at least {} s needed)",
            in_seconds(time_limit),
            run.submission,
            in_seconds(run.cpu_time),
            run.test_case,
            in_seconds(Duration::from_secs_f64(min_limit)),
        )
    })
}

/// Returns a fault if a time limit is too long for a submission that must be too slow on one of
/// these runs, including the multiplier (2025-09, "Problem timing"). Its slowest run counts; a
/// stopped run counts as slow enough.
#[must_use]
pub fn too_long(limits: &Limits, time_limit: Duration, runs: &[TimedRun]) -> Option<String> {
    let run = slowest(runs).filter(|run| !run.stopped)?;
    let max_limit = run.cpu_time.as_secs_f64() / limits.time_limit_to_tle;
    (max_limit < time_limit.as_secs_f64() * (1.0 - TOLERANCE)).then(|| {
        format!(
            "the time limit of {} s is too long: `{}` must be too slow, but takes {} s on `{}`, its slowest test case (at \
             most {} s allowed)",
            in_seconds(time_limit),
            run.submission,
            in_seconds(run.cpu_time),
            run.test_case,
            in_seconds(Duration::from_secs_f64(max_limit)),
        )
    })
}

/// Returns a fault if a submission that is too slow would be fast enough with the safety margin:
/// its verdict may differ on another host. `runs` are those of a submission that was too slow; a
/// stopped run counts as slower than the margin.
///
/// Source: legacy, "Limits" (`time_safety_margin`).
#[must_use]
pub fn sensitive(limits: &Limits, time_limit: Duration, runs: &[TimedRun]) -> Option<String> {
    // A stopped run counts as slower than the margin. A run within the time limit was rejected for
    // another reason, which the margin does not affect.
    let run = slowest(runs).filter(|run| !run.stopped && run.cpu_time > time_limit)?;
    let with_margin = time_limit.mul_f64(limits.time_limit_to_tle);
    (run.cpu_time <= with_margin).then(|| {
        format!(
            "sensitive to the time limit: `{}` takes {} s on `{}`, too slow for {} s, but not for {} s, the limit with \
             the safety margin",
            run.submission,
            in_seconds(run.cpu_time),
            run.test_case,
            in_seconds(time_limit),
            in_seconds(with_margin),
        )
    })
}

/// Returns a time in seconds, rounded to milliseconds for readability; a shorter time is not
/// rounded.
fn in_seconds(time: Duration) -> f64 {
    // A multiple of a measured time has many digits that mean nothing.
    let millis = (time.as_secs_f64() * 1e3).round();
    if millis < 1.0 {
        time.as_secs_f64()
    } else {
        millis / 1e3
    }
}

/// Returns the slowest run. A stopped run comes before all others; of equal runs, the first is
/// returned.
fn slowest(runs: &[TimedRun]) -> Option<&TimedRun> {
    // `max_by_key` returns the last of equal elements, so the order is reversed to get the
    // first.
    runs.iter()
        .rev()
        .max_by_key(|run| (run.stopped, run.cpu_time))
}

#[cfg(test)]
#[path = "time_limit_tests.rs"]
mod tests;

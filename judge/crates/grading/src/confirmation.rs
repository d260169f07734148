//! Confirmation: decides which results are run again, alone, because the host may have decided
//! them.
//!
//! The only such rule: every command that judges or measures uses it, and commands differ in the
//! reasons that count ([`Confirmation`]). Must not know how a run is repeated, or which command
//! uses the rule.
//! [Why](../../../docs/background/decisions/0003-near-the-limit-is-confirmed-alone.md).

use std::ops::RangeInclusive;
use std::time::Duration;

use judge_model::{Expectation, Limit, Outcome, Termination, Verdict};

/// The multiple of the time limit at which a program is killed for its CPU time. It is beyond
/// `NEAR_TENTHS`, so that a program which is far too slow differs from one that is near the limit.
pub const KILL_AT: f64 = 1.35;
/// The CPU times that are near a limit, in tenths of the limit: a disturbance changes a time by
/// less than that.
const NEAR_TENTHS: RangeInclusive<u128> = 8..=13;
/// The share of elapsed time below which a program's CPU time means that it was idle, as it would
/// be on any other host.
const MAX_IDLE_SHARE: f64 = 0.05;
/// The maximum number of consecutive runs that a busy host may starve before it is a fault of the
/// host.
const MAX_STARVED_RUNS: u32 = 4;

/// Returns the elapsed time after which a run is stopped. A run that is killed late for its CPU
/// time gets more elapsed time, so that the CPU time decides.
#[must_use]
pub fn wall_limit(time_limit: Duration, kill_at: f64) -> Duration {
    (time_limit * 2)
        .max(time_limit + Duration::from_secs(1))
        .max(time_limit.mul_f64(kill_at * 1.25))
}

/// True if a CPU time is near a limit: from 0.8 to 1.3 times, both included.
#[must_use]
pub fn near_limit(cpu_time: Duration, limit: Duration) -> bool {
    // In whole numbers of tenths, so that the bounds themselves are exact.
    let (used, limit) = (cpu_time.as_nanos() * 10, limit.as_nanos());
    limit > 0 && (limit * NEAR_TENTHS.start()..=limit * NEAR_TENTHS.end()).contains(&used)
}

/// The influence of the host on a run that was stopped for its elapsed time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostDelay {
    /// No influence is known.
    #[default]
    None,
    /// It waited within the kernel for long, because of the host or because of the program.
    WithinKernel,
    /// It waited for a processor until the sandbox gave up. Such a run gives no information about
    /// the program.
    Starved,
}

/// The evidence of a run about the influence of the host on its result.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The verdict.
    pub verdict: Verdict,
    /// The outcome of the run.
    pub outcome: &'a Outcome,
    /// True when both sides of an interaction waited for each other, as they would on any host.
    pub deadlock: bool,
    /// The influence of the host on the end of the run.
    pub delay: HostDelay,
}

impl Evidence<'_> {
    /// True when the run was stopped for its elapsed time, and not because of a deadlock.
    #[must_use]
    pub fn ran_out_of_wall_time(&self) -> bool {
        self.outcome.termination
            == Termination::Killed {
                limit: Limit::WallTime,
            }
            && !self.deadlock
    }

    /// True when the run was stopped for its elapsed time although it was not idle, or the host
    /// delayed it.
    fn may_have_waited_for_host(&self) -> bool {
        let usage = &self.outcome.usage;
        let was_busy =
            usage.cpu_time.as_secs_f64() > MAX_IDLE_SHARE * usage.wall_time.as_secs_f64();
        (self.ran_out_of_wall_time() && was_busy) || self.delay != HostDelay::None
    }
}

/// The position of a run in the sequence of runs of a submission on a test case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The first run, together with others.
    First,
    /// A later run, alone.
    Again {
        /// The reason for the second run.
        reason: Reason,
        /// The number of consecutive runs before this one that got no processor.
        starved: u32,
    },
}

impl Attempt {
    /// True for a run during which nothing else runs.
    #[must_use]
    pub fn is_alone(self) -> bool {
        self != Self::First
    }
}

/// The reason for running again, alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The first run took about as long as the time limit, and had this verdict.
    NearLimit(Verdict),
    /// The first run may have waited for the host.
    Waited,
    /// The first run was unexpectedly too slow.
    Unexpected,
    /// The time of the first run decides about a margin that the package requires.
    Margin,
}

/// The decision after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The result of this run is final.
    Final,
    /// Another run follows, and the results so far do not count.
    Again(Attempt),
    /// The host starved run after run: a fault of the host, and never a verdict.
    HostFault,
}

/// The reasons for another run that count for a result.
///
/// | results | waited for the host | near the limit | unexpectedly slow | decides about a margin |
/// |---|---|---|---|---|
/// | of a measurement, which compares times | again | | | |
/// | of a search, whose inputs are made to be slow | again | again | | |
/// | that are reported | again | again | again | again |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// The time limit; times near it are confirmed. `None` if no verdict depends on one.
    time_limit: Option<Duration>,
    /// True when a time far beyond the limit is not a reason.
    may_be_slow: bool,
    /// True when the time decides about a margin, with any verdict.
    decides_margin: bool,
}

impl Confirmation {
    /// Returns the reasons for times that are compared with each other.
    #[must_use]
    pub fn for_measurement() -> Self {
        Self::new(None, true)
    }

    fn new(time_limit: Option<Duration>, may_be_slow: bool) -> Self {
        Self {
            time_limit,
            may_be_slow,
            decides_margin: false,
        }
    }

    /// Returns the reasons for the inputs of a search.
    #[must_use]
    pub fn for_search(time_limit: Duration) -> Self {
        Self::new(Some(time_limit), true)
    }

    /// Returns the reasons for a reported verdict. The expectations determine whether the
    /// submission may be too slow on this test case; without expectations there, it may not.
    #[must_use]
    pub fn for_verdict(
        time_limit: Duration,
        expectations: &[Expectation],
        test_case: &str,
    ) -> Self {
        let mut rules = expectations
            .iter()
            .filter(|rule| rule.covers(test_case))
            .peekable();
        let may_be_slow =
            // All rules apply together, so a submission may be slow only where each of them permits
            // it.
            rules.peek().is_some() && rules.all(|rule| rule.permitted.contains(&Verdict::TimeLimitExceeded));
        Self::new(Some(time_limit), may_be_slow)
    }

    /// Returns the same reasons, but if `is_impatient`, a program that is far too slow is not run
    /// again.
    #[must_use]
    pub fn impatient(mut self, is_impatient: bool) -> Self {
        self.may_be_slow |= is_impatient;
        self
    }

    /// Returns the same reasons, for a result whose time decides about a margin if
    /// `decides_margin`.
    #[must_use]
    pub fn deciding_margin(mut self, decides_margin: bool) -> Self {
        self.decides_margin = decides_margin;
        self
    }

    /// Decides how to continue after a run.
    #[must_use]
    pub fn after(&self, attempt: Attempt, run: &Evidence<'_>) -> Decision {
        match (attempt, self.reason(run)) {
            // The first run shares the host with others. It counts only if nothing suggests that
            // they changed its result.
            (Attempt::First, None) => Decision::Final,
            (Attempt::First, Some(reason)) => Decision::Again(Attempt::Again {
                reason,
                starved: u32::from(run.delay == HostDelay::Starved),
            }),
            // A run that is near the limit, slow or delayed within the kernel even when alone is so
            // because of the program. Only a run that got no processor is still inconclusive.
            (Attempt::Again { reason, starved }, _) if run.delay == HostDelay::Starved => {
                let starved = starved + 1;
                if starved < MAX_STARVED_RUNS {
                    Decision::Again(Attempt::Again { reason, starved })
                } else {
                    Decision::HostFault
                }
            }
            (Attempt::Again { .. }, _) => Decision::Final,
        }
    }

    /// True if a final result may be cached, because later runs of the judge would reach it as
    /// well.
    ///
    /// A judge error is not cached, because it needs attention. A run that was stopped for its
    /// elapsed time is not cached either, because it may have waited for the host even when alone.
    /// A time near the limit is cached only if two measurements gave the same verdict.
    #[must_use]
    pub fn is_lasting(&self, attempt: Attempt, run: &Evidence<'_>) -> bool {
        // If runs near the limit gave two verdicts, the result depends on the host. A cached one
        // would look certain.
        let is_final = match attempt {
            Attempt::First => self.reason(run).is_none(),
            Attempt::Again {
                reason: Reason::NearLimit(first),
                ..
            } => run.verdict == first,
            Attempt::Again { .. } => !self.is_near(run),
        };
        is_final && run.verdict != Verdict::JudgeError && !run.ran_out_of_wall_time()
    }

    fn reason(&self, run: &Evidence<'_>) -> Option<Reason> {
        // The order determines the use of the second run. Near the limit, its verdict is compared
        // with the first; for other reasons, it counts alone.
        if self.is_near(run) {
            Some(Reason::NearLimit(run.verdict))
        } else if run.may_have_waited_for_host() {
            Some(Reason::Waited)
        } else if self
            .time_limit
            .is_some_and(|limit| run.outcome.usage.cpu_time > limit)
            && !self.may_be_slow
        {
            Some(Reason::Unexpected)
        } else if self.decides_margin {
            Some(Reason::Margin)
        } else {
            None
        }
    }

    fn is_near(&self, run: &Evidence<'_>) -> bool {
        self.time_limit
            .is_some_and(|limit| near_limit(run.outcome.usage.cpu_time, limit))
    }
}

#[cfg(test)]
#[path = "confirmation_tests.rs"]
mod tests;

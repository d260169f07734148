//! Time margins: the distances that a package requires between the time limit and the times of a
//! submission's runs.
//!
//! Responsible for letting submissions that must be too slow run for long enough to prove it, and
//! for the report of missing margins. Must not know the inequalities, which are in `grading`.
//!
//! Source: 2025-09, "Problem timing" (`T_ac * ac_to_time_limit <= time_limit` and
//! `time_limit * time_limit_to_tle <= T_tle`) and "Timelimit inference"; legacy, "Limits"
//! (`time_safety_margin`).

use std::time::Duration;

use judge_event::TestCaseFinished;
use judge_grading::{KILL_AT, TimedRun, near_limit, sensitive, sides, too_long, too_short};
use judge_model::{
    Expectation, FormatVersion, Limit, Limits, Outcome, Submission, Termination, Verdict,
};

use crate::limits::time_limit::timed;
use crate::plan::{Margins, PlannedProblem, TimeLimitSource};

/// The slack above the multiplier, which proves that a killed run was slow enough.
const SLACK: f64 = 1.02;

/// A rule that constrains the time limit, with the runs that it covers.
#[derive(Clone, Debug)]
struct Bound {
    rule: Expectation,
    lower: bool,
    upper: bool,
    runs: Vec<TimedRun>,
}

/// The time margins of a submission, according to its runs so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeMargins {
    limits: Limits,
    time_limit: Duration,
    /// True when missing margins are violations, if the format makes them more than a remark.
    demanded: bool,
    bounds: Vec<Bound>,
    /// For legacy packages, unless margins are ignored: every run, to determine whether more time
    /// would change the verdict.
    safety_margin: Option<Vec<TimedRun>>,
    /// True when there are scores, which a test case may change regardless of the verdict.
    scoring: bool,
}

/// The missing margins of a submission, as sentences for its report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MissingMargins {
    pub(crate) violations: Vec<String>,
    pub(crate) remarks: Vec<String>,
}

impl TimeMargins {
    /// The margins of a submission, without bounds if nothing is to be reported.
    pub(crate) fn new(planned: &PlannedProblem, submission: &Submission) -> Self {
        let legacy = planned.problem.format != FormatVersion::V2025_09;
        let inferred = matches!(planned.time_limit_source, TimeLimitSource::Inferred(_));
        let are_reported = planned.margins != Margins::Ignored;
        let bound = |rule: &Expectation| {
            let sides = sides(rule, legacy);
            // An inferred limit has its lower margin by construction: it was computed from the
            // slowest run.
            let (lower, upper) = match (legacy, inferred) {
                (false, false) => (sides.lower && are_reported, sides.upper && are_reported),
                (true, false) => (false, false),
                (_, true) => (false, sides.upper),
            };
            (lower || upper).then(|| Bound {
                rule: rule.clone(),
                lower,
                upper,
                runs: Vec::new(),
            })
        };
        Self {
            limits: planned.problem.limits.clone(),
            time_limit: planned.time_limit,
            demanded: inferred && !legacy || planned.margins == Margins::Demanded,
            bounds: submission.expectations.iter().filter_map(bound).collect(),
            safety_margin: (legacy && are_reported).then(Vec::new),
            scoring: planned.problem.grading.scores(),
        }
    }

    /// The multiple of the time limit at which a run on this test case is killed.
    pub(crate) fn kill_at(&self, test_case: &str) -> f64 {
        // Longer runs are needed as evidence only if margins are demanded. All others are killed
        // early, which saves most of the time of a run with many slow submissions.
        let bound = |bound: &Bound| bound.upper && bound.rule.covers(test_case);
        let long = self.demanded && (self.safety_margin.is_some() || self.bounds.iter().any(bound));
        if long {
            KILL_AT.max(self.limits.time_limit_to_tle * SLACK)
        } else {
            KILL_AT
        }
    }

    /// True when a violation depends on this time, which therefore must be confirmed.
    pub(crate) fn decides_violation(&self, test_case: &str, outcome: &Outcome) -> bool {
        self.demanded && self.depends_on(test_case, outcome)
    }

    /// True when the report of margins depends on this time: another run might be on the other side
    /// of a margin.
    ///
    /// This includes every run of a submission that must be fast enough and is not, regardless of
    /// the distance: a busy host slows everything down. A run that was killed for its time was slow
    /// enough for every margin.
    pub(crate) fn depends_on(&self, test_case: &str, outcome: &Outcome) -> bool {
        let near = |threshold: Duration| near_limit(outcome.usage.cpu_time, threshold);
        let fast = self.time_limit.div_f64(self.limits.ac_to_time_limit);
        let slow = self.time_limit.mul_f64(self.limits.time_limit_to_tle);
        let bounds = self.bounds.iter();
        let mut bounds = bounds.filter(|bound| bound.rule.covers(test_case));
        let is_slow = near(fast) || outcome.usage.cpu_time > fast;
        let bound = bounds.any(|bound| (bound.lower && is_slow) || (bound.upper && near(slow)));
        let killed_for_time = |limit| outcome.termination == Termination::Killed { limit };
        let stopped = killed_for_time(Limit::CpuTime) || killed_for_time(Limit::WallTime);
        !stopped && (bound || (self.safety_margin.is_some() && near(slow)))
    }

    pub(crate) fn add(&mut self, finished: &TestCaseFinished) {
        for bound in &mut self.bounds {
            if bound.rule.covers(&finished.test_case) {
                bound.runs.push(timed(finished));
            }
        }
        if let Some(runs) = &mut self.safety_margin {
            runs.push(timed(finished));
        }
    }

    /// True when margins may be open: some of the remaining runs may be needed only for them.
    pub(crate) fn may_be_open(&self) -> bool {
        self.demanded
            && (self.safety_margin.is_some() || self.bounds.iter().any(|bound| bound.upper))
    }

    /// True while the runs so far do not determine which margins of too slow runs are missing.
    pub(crate) fn is_open(&self) -> bool {
        let open = |bound: &Bound| {
            bound.upper && (bound.runs.is_empty() || self.too_long(bound).is_some())
        };
        self.demanded && (self.bounds.iter().any(open) || self.sensitive().is_some())
    }

    /// The missing margins to report. `whole` is true when the submission ran on all test cases;
    /// `verdict` is the verdict of the submission.
    pub(crate) fn missing(&self, whole: bool, verdict: Verdict) -> MissingMargins {
        let mut missing = MissingMargins::default();
        let into = if self.demanded {
            &mut missing.violations
        } else {
            &mut missing.remarks
        };
        for bound in &self.bounds {
            // One run proves that the limit is too short. That no run is slow enough is known only
            // after all runs.
            into.extend(self.too_short(bound));
            if whole {
                into.extend(self.too_long(bound));
            }
        }
        // Remarks on runs whose verdict would change with more time. A submission that is rejected
        // for another reason stays rejected with more time, unless it has a score.
        if self.scoring || verdict == Verdict::TimeLimitExceeded {
            missing.remarks.extend(self.sensitive());
        }
        missing
    }

    fn sensitive(&self) -> Option<String> {
        self.safety_margin
            .as_ref()
            .and_then(|runs| sensitive(&self.limits, self.time_limit, runs))
    }

    fn too_short(&self, bound: &Bound) -> Option<String> {
        if !bound.lower {
            return None;
        }
        // A run beyond the time limit itself is reported as a verdict that is not permitted.
        let permitted = bound.rule.permitted.contains(&Verdict::TimeLimitExceeded);
        let within =
            |run: &&TimedRun| permitted || (!run.stopped && run.cpu_time <= self.time_limit);
        let runs: Vec<TimedRun> = bound.runs.iter().filter(within).cloned().collect();
        too_short(&self.limits, self.time_limit, &runs)
    }

    fn too_long(&self, bound: &Bound) -> Option<String> {
        if !bound.upper {
            return None;
        }
        too_long(&self.limits, self.time_limit, &bound.runs)
    }
}

#[cfg(test)]
#[path = "margins_tests.rs"]
mod tests;

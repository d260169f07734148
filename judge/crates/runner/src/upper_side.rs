//! The upper side of an inferred time limit: what must be too slow, and by how much.
//!
//! Responsible for seeing to it that a submission that binds the limit from above is run for long enough, and for
//! telling when it is not slow enough. Must not know the inequality: it is `grading`'s.
//!
//! Source: 2025-09, "Problem timing" (`time_limit * time_limit_to_tle <= T_tle`) and "Timelimit inference".

use std::time::Duration;

use judge_event::TestCaseFinished;
use judge_grading::{TimedRun, covers, hold_against, sides};
use judge_model::{Expectation, FormatVersion, Limits, Submission};

use crate::judging::KILL_AT;
use crate::plan::{PlannedProblem, TimeLimitSource};
use crate::timing::timed;

/// Room above the multiplier, so that a run which is stopped there was slow enough.
const ROOM: f64 = 1.02;

/// What is known of a submission that must be too slow.
#[derive(Clone, Debug, Default)]
pub(crate) struct UpperSide {
    limits: Limits,
    time_limit: Duration,
    /// Each rule that binds, with the runs that it covers.
    rules: Vec<(Expectation, Vec<TimedRun>)>,
}

impl UpperSide {
    /// Without rules where nothing binds: in problems whose time limit is stated, too.
    pub(crate) fn of(planned: &PlannedProblem, submission: &Submission) -> Self {
        let legacy = planned.problem.format != FormatVersion::V2025_09;
        let inferred = matches!(planned.time_limit_source, TimeLimitSource::Inferred(_));
        let binds = |rule: &&Expectation| inferred && sides(rule, legacy).upper;
        Self {
            limits: planned.problem.limits.clone(),
            time_limit: planned.time_limit,
            rules: submission.expectations.iter().filter(binds).map(|rule| (rule.clone(), Vec::new())).collect(),
        }
    }

    /// At which multiple of the time limit a run on this test case is stopped.
    pub(crate) fn kill_at(&self, test_case: &str) -> f64 {
        let bound = self.rules.iter().any(|(rule, _)| covers(rule, test_case));
        if bound { KILL_AT.max(self.limits.time_limit_to_tle * ROOM) } else { KILL_AT }
    }

    pub(crate) fn add(&mut self, finished: &TestCaseFinished) {
        let covering = self.rules.iter_mut().filter(|(rule, _)| covers(rule, &finished.test_case));
        covering.for_each(|(_, runs)| runs.push(timed(finished)));
    }

    /// Whether no run so far was slow enough for some rule.
    pub(crate) fn is_open(&self) -> bool {
        self.rules.iter().any(|(_, runs)| runs.is_empty()) || !self.faults().is_empty()
    }

    /// What is not slow enough, when all runs are there.
    pub(crate) fn faults(&self) -> Vec<String> {
        let upper: Vec<Vec<TimedRun>> = self.rules.iter().map(|(_, runs)| runs.clone()).collect();
        // Each rule for itself: of several, `hold_against` tells the one that binds.
        let faults = upper.into_iter().flat_map(|runs| hold_against(&self.limits, self.time_limit, &[], &[runs]));
        faults.map(|fault| fault.to_string()).collect()
    }
}

#[cfg(test)]
#[path = "upper_side_tests.rs"]
mod tests;

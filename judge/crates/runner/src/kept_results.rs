//! Kept results of a run: those that stand for what is claimed about times, too.
//!
//! Responsible for the way between a worker and the session. Must not know how results are kept.

use std::sync::Arc;

use judge_exec::{ExecError, OutputCheck, Results, Runnable, TestResult, TestRun};
use judge_model::{ProblemIndex, SubmissionPlace, TestCaseIndex};

use crate::limits::margins::TimeMargins;
use crate::worker::Shared;

impl Shared {
    /// The store of the results of a problem of the work, if they are kept.
    fn results_of(&self, problem: ProblemIndex) -> Option<&Arc<Results>> {
        let measures = self.work.measures_for(problem).is_some();
        if measures { self.measured.as_ref() } else { self.results.as_ref() }
    }

    /// Remembers how the output of a problem is judged, which is a part of what its results depend on.
    pub(crate) fn remember_judgement(&self, problem: ProblemIndex, judgement: &OutputCheck) -> Result<(), ExecError> {
        let Some(results) = self.results_of(problem) else { return Ok(()) };
        self.session.remember_judgement(results, problem, judgement)
    }

    /// The results of a submission that need no run: the index of each test case, with its result.
    pub(crate) fn kept_results(
        &self,
        place: SubmissionPlace,
        program: &Arc<Runnable>,
    ) -> Result<Vec<(TestCaseIndex, TestResult)>, ExecError> {
        let (planned, submission) = self.work.submission(place);
        let Some(results) = self.results_of(place.problem) else { return Ok(Vec::new()) };
        let held = TimeMargins::of(planned, submission);
        let kill_at = |test_case: &str| held.kill_at(test_case);
        let mut kept = self.session.kept_results(results, place, program, planned.time_limit, kill_at)?;
        // Results are not taken from the store when a claim hangs on their times: these are measured.
        kept.retain(|(index, judged)| {
            let id = &planned.problem.test_cases[*index].id;
            let measures = held.hangs_on(id, &judged.outcome);
            if measures {
                tracing::debug!(target: "cache", test_case = id, "cached result ignored: a time margin depends on it");
            }
            !measures
        });
        results.count_used(kept.len());
        Ok(kept)
    }

    /// Keeps the result of a run that another one would come to as well.
    pub(crate) fn keep_result(&self, place: SubmissionPlace, run: &TestRun, judged: &TestResult) {
        let Some(results) = self.results_of(place.problem) else { return };
        if self.work.measures_for(place.problem).is_some() {
            let measured = TestResult { measured_at: self.began.clone(), ..judged.clone() };
            self.session.keep_result(results, place, run, &measured);
        } else {
            self.session.keep_result(results, place, run, judged);
        }
    }
}

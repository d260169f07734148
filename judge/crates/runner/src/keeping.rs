//! Keeping results: which kept results stand for a run, and which runs leave one.
//!
//! Responsible for the way between a worker and the kept results. Must not know how they are kept, nor what their keys
//! consist of.

use std::sync::Arc;

use crate::RunnerError;
use crate::held_times::HeldTimes;
use crate::judged::Judged;
use crate::judging::{Judgement, TestRun};
use crate::program::Runnable;
use crate::result_keys::{CaseKey, JudgedProblem};
use crate::worker::{Place, Shared};

impl Shared {
    /// Remembers how the output of a problem is judged, which is a part of what its results depend on.
    pub(crate) fn remember_judgement(&self, problem: usize, judgement: &Judgement) -> Result<(), RunnerError> {
        let Some(results) = &self.results else { return Ok(()) };
        let of = &self.plan.problems[problem].problem;
        let mut hashes = results.hashes_of(&of.directory);
        let files = (&self.test_files, &self.cache);
        let judged = JudgedProblem::new(results.surroundings(), of, judgement, &mut hashes, files)?;
        results.keep_hashes(&of.directory, &hashes);
        results.add_problem(problem, judged);
        Ok(())
    }

    /// The results of a submission that need no run: the index of each test case, with its result.
    pub(crate) fn kept_results(
        &self,
        submission: usize,
        program: &Arc<Runnable>,
    ) -> Result<Vec<(usize, Judged)>, RunnerError> {
        let Place { problem, index } = self.places[submission];
        let planned = &self.plan.problems[problem];
        // Answers that were handed in are not run.
        let Some(results) = self.results.as_ref().filter(|_| !planned.problem.submit_answer) else {
            return Ok(Vec::new());
        };
        let held = HeldTimes::of(planned, &planned.problem.submissions[index]);
        let tests = &planned.problem.test_cases;
        let keys = results.with_problem(problem, |judged| {
            let record =
                judged.submission(program, planned.problem.limits.memory_bytes, planned.time_limit.as_nanos())?;
            let cases = tests.iter().enumerate().map(|(index, test)| judged.case(index, held.kill_at(&test.id)));
            Ok::<_, RunnerError>((record, cases.collect::<Vec<Option<CaseKey>>>()))
        });
        let Some(keys) = keys else { return Ok(Vec::new()) };
        let (record, cases) = keys?;
        let mut kept = results.look_up(submission, &record, &cases);
        // What is claimed about times is measured.
        kept.retain(|(index, judged)| !held.hangs_on(&tests[*index].id, &judged.outcome));
        results.count_used(kept.len());
        Ok(kept)
    }

    /// Keeps the result of a run that another one would come to as well.
    pub(crate) fn keep_result(&self, submission: usize, run: &TestRun, judged: &Judged) {
        let Some(results) = self.results.as_ref().filter(|_| judged.is_lasting()) else { return };
        let key = results.with_problem(self.places[submission].problem, |problem| {
            problem.case(run.test_case, run.kill_at).filter(|_| problem.still_holds(run.test_case))
        });
        if let Some(key) = key.flatten() {
            results.keep(submission, &key, judged);
        }
    }
}

//! Kept results: which of them stand for a run, and which runs leave one.
//!
//! Responsible for the way between a session's work and the store. Must not know how results are kept, nor what their
//! keys consist of.

use std::sync::Arc;
use std::time::Duration;

use judge_model::{ProblemIndex, SubmissionPlace, TestCaseIndex};

use crate::ExecError;
use crate::build::program::Runnable;
use crate::session::Session;
use crate::store::key::{CaseKey, JudgedProblem};
use crate::store::results::Results;
use crate::testcase::execute::{OutputCheck, TestRun};
use crate::testcase::result::TestResult;

impl Session {
    /// Remembers how the output of a problem is judged, which is a part of what its results depend on.
    ///
    /// # Errors
    /// When a file of the package or the cache cannot be read.
    pub fn remember_judgement(
        &self,
        results: &Results,
        problem: ProblemIndex,
        judgement: &OutputCheck,
    ) -> Result<(), ExecError> {
        let of = self.problem(problem);
        let mut hashes = results.hashes_of(&of.directory);
        let judged =
            JudgedProblem::new(results.surroundings(), of, judgement, &mut hashes, &self.test_files, &self.cache)?;
        results.keep_hashes(&of.directory, &hashes);
        results.add_problem(problem, judged);
        Ok(())
    }

    /// The results of a submission that were kept: the index of each test case, with its result. `kill_at` gives the
    /// multiple of the time limit at which a run is stopped, by the test case's id.
    ///
    /// # Errors
    /// When a command of the submission's language cannot be made.
    pub fn kept_results(
        &self,
        results: &Results,
        place: SubmissionPlace,
        program: &Arc<Runnable>,
        time_limit: Duration,
        kill_at: impl Fn(&str) -> f64,
    ) -> Result<Vec<(TestCaseIndex, TestResult)>, ExecError> {
        let problem = self.problem(place.problem);
        // Answers that were handed in are not run.
        if problem.submit_answer {
            return Ok(Vec::new());
        }
        let keys = results.with_problem(place.problem, |judged| {
            let record = judged.submission(program, problem.limits.memory_bytes, time_limit.as_nanos())?;
            let tests = TestCaseIndex::enumerate(&problem.test_cases);
            let cases = tests.map(|(index, test)| judged.case(index, kill_at(&test.id)));
            Ok::<_, ExecError>((record, cases.collect::<Vec<Option<CaseKey>>>()))
        });
        let Some(keys) = keys else { return Ok(Vec::new()) };
        let (record, cases) = keys?;
        Ok(results.look_up(place, &record, &cases))
    }

    /// Keeps the result of a run that another one would come to as well.
    pub fn keep_result(&self, results: &Results, place: SubmissionPlace, run: &TestRun, judged: &TestResult) {
        let key = results.with_problem(place.problem, |problem| {
            problem.case(run.test_case, run.kill_at).filter(|_| problem.still_holds(run.test_case))
        });
        let Some(key) = key.flatten() else {
            tracing::debug!(target: "cache", test_case = run.problem.test_cases[run.test_case].id, "result not cached: its files have changed");
            return;
        };
        results.keep(place, &key, judged);
    }
}

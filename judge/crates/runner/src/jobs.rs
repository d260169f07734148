//! Jobs: how a worker does each kind, and which results it caches.
//!
//! Responsible for the steps from a job to its report. Must not know the order of jobs.

use std::sync::Arc;

use judge_exec::{
    ExecError, Fault, GroupQuestion, PreparedSubmission, Results, Runnable, SubmissionResult,
    TestResult, TestRun, TimeLimit, Trust, Worker,
};
use judge_grading::{Attempt, Confirmation};
use judge_model::{ProblemIndex, SubmissionPlace, TestCaseIndex};
use judge_sandbox::CancelToken;

use crate::limits::margins::TimeMargins;
use crate::schedule::Job;
use crate::shared::{GroupAnswer, Report, Shared};

/// Runs the jobs of one worker, in its own slots.
pub(crate) struct JobRunner<'a> {
    shared: &'a Shared,
    worker: Worker<'a>,
}

impl<'a> JobRunner<'a> {
    pub(crate) fn new(shared: &'a Shared, core: Option<usize>) -> Self {
        Self {
            shared,
            worker: shared.session.worker(core),
        }
    }

    /// Runs a job.
    pub(crate) fn run(&mut self, job: &Job, cancel: CancelToken) -> Result<Report, ExecError> {
        // A token that was set for an earlier job is never reused (see `worker::work`), so
        // cancelling a test case never ends the next one in the same slot.
        self.worker.set_cancel(cancel);
        match job {
            Job::Prepare { problem } => {
                let result = Fault::apart(self.worker.prepare(*problem, Trust::Manifest))?;
                // Before any submission of the problem is compiled: the keys of its results begin
                // with the output check.
                if let (Ok(output_check), Some(results)) = (&result, self.results_of(*problem)) {
                    self.shared
                        .session
                        .register_problem(results, *problem, output_check)?;
                }
                Ok(Report::Prepared {
                    problem: *problem,
                    result,
                })
            }
            Job::Compile { submission } => {
                let compiled = self.worker.compile_with(*submission, Trust::Manifest)?;
                let cached = match &compiled.result {
                    Ok(program) => self.cached_results(*submission, program)?,
                    Err(_) => Vec::new(),
                };
                Ok(Report::Compiled {
                    submission: *submission,
                    compiled,
                    cached,
                })
            }
            Job::Ask {
                submission,
                question,
            } => self.ask(*submission, question),
            Job::Test {
                prepared,
                test_case,
                attempt,
            } => {
                let result = self.test(prepared, *test_case, *attempt)?.map(Box::new);
                Ok(Report::TestResult {
                    submission: prepared.place,
                    test_case: *test_case,
                    attempt: *attempt,
                    result,
                })
            }
        }
    }

    /// Runs a submission on a test case, and caches the result if it is lasting; `None` when it was
    /// cancelled.
    fn test(
        &mut self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
        attempt: Attempt,
    ) -> Result<Option<TestResult>, ExecError> {
        let PreparedSubmission {
            place,
            program,
            output_check,
        } = prepared;
        let run = match Fault::apart(self.test_run(prepared, test_case).map_err(Fault::from))? {
            Ok(run) => run,
            Err(refusal) => return Ok(Some(TestResult::refused(refusal.to_string()))),
        };
        let SubmissionResult {
            run,
            result,
            is_warm,
        } = match attempt {
            Attempt::First => self.worker.judge_warm(*place, run)?,
            // A later attempt confirms the first, so it must not depend on an earlier run.
            Attempt::Again { .. } => self.worker.judge_ordinary(*place, run)?,
        };
        // A damaged program was compiled again, from sources that may have changed since: its
        // result is reported but not cached, because the key in the cache is that of the previous
        // program.
        let is_same = program.digest() == run.program.digest()
            && output_check.digests() == run.output_check.digests();
        if let Some(result) = result
            .as_ref()
            .filter(|result| is_same && !is_warm && self.is_lasting(attempt, *place, result, &run))
        {
            self.cache(*place, &run, result);
        }
        Ok(result)
    }

    /// Runs a program of the package that answers a question about a group.
    fn ask(
        &mut self,
        submission: SubmissionPlace,
        question: &GroupQuestion,
    ) -> Result<Report, ExecError> {
        let answer = match question {
            GroupQuestion::Grade { flags, input } => {
                let answer = self.worker.grade(submission.problem, flags, input);
                GroupAnswer::Graded(Fault::apart(answer)?)
            }
            GroupQuestion::Validate { group } => {
                GroupAnswer::Validated(self.worker.validate(submission, *group)?)
            }
        };
        Ok(Report::Answered { submission, answer })
    }

    fn test_run(
        &self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
    ) -> Result<TestRun, ExecError> {
        let (planned, submission) = self.shared.work.submission(prepared.place);
        let kill_at = TimeMargins::new(planned, submission)
            .kill_at(&planned.problem.test_cases[test_case].id);
        self.worker.test_run(
            prepared,
            test_case,
            TimeLimit {
                time_limit: planned.time_limit,
                kill_at,
            },
        )
    }

    /// True for a result that later runs of the judge can reuse.
    fn is_lasting(
        &self,
        attempt: Attempt,
        place: SubmissionPlace,
        result: &TestResult,
        run: &TestRun,
    ) -> bool {
        let submission = self.shared.session.submission(place);
        let test_case = &run.problem.test_cases[run.test_case].id;
        let confirmation =
            Confirmation::for_verdict(run.time_limit, &submission.expectations, test_case);
        let lasts = confirmation.is_lasting(attempt, &result.evidence());
        if !lasts {
            tracing::debug!(target: "cache", test_case, "result not cached: another run may differ");
        }
        lasts
    }

    /// The store of the results of a problem, if they are cached.
    fn results_of(&self, problem: ProblemIndex) -> Option<&'a Arc<Results>> {
        let Shared {
            work,
            results,
            measured,
            ..
        } = self.shared;
        if work.measures_for(problem).is_some() {
            measured.as_ref()
        } else {
            results.as_ref()
        }
    }

    /// The results of a submission that need no run: the index of each test case, with its result.
    fn cached_results(
        &self,
        place: SubmissionPlace,
        program: &Arc<Runnable>,
    ) -> Result<Vec<(TestCaseIndex, TestResult)>, ExecError> {
        let (planned, submission) = self.shared.work.submission(place);
        let Some(results) = self.results_of(place.problem) else {
            return Ok(Vec::new());
        };
        let margins = TimeMargins::new(planned, submission);
        let kill_at = |test_case: &str| margins.kill_at(test_case);
        let mut cached = self.shared.session.cached_results(
            results,
            place,
            program,
            planned.time_limit,
            kill_at,
        )?;
        // A time that decides a margin is measured in this run, because the host may have changed.
        cached.retain(|(index, result)| {
            let id = &planned.problem.test_cases[*index].id;
            let decides = margins.depends_on(id, &result.outcome);
            if decides {
                tracing::debug!(target: "cache", test_case = id, "cached result ignored: a time margin depends on it");
            }
            !decides
        });
        results.count_used(cached.len());
        Ok(cached)
    }

    /// Caches a lasting result. A measured result is stored with the time of its measurement.
    fn cache(&self, place: SubmissionPlace, run: &TestRun, result: &TestResult) {
        let Some(results) = self.results_of(place.problem) else {
            return;
        };
        let measures = self.shared.work.measures_for(place.problem).is_some();
        let measured_at = self.shared.began.clone().filter(|_| measures);
        self.shared.session.cache_result(
            results,
            place,
            run,
            &TestResult {
                measured_at,
                ..result.clone()
            },
        );
    }
}

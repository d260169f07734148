//! Jobs: how a worker does each kind, and which results it keeps.
//!
//! Responsible for the way from a job to its report. Must not know in which order jobs come.

use judge_exec::{ExecError, Fault, GroupQuestion, PreparedSubmission, TestResult, TestRun, TimeLimit, Trust, Worker};
use judge_grading::{Attempt, Confirmation};
use judge_model::{SubmissionPlace, TestCaseIndex};
use judge_sandbox::CancelToken;

use crate::limits::margins::TimeMargins;
use crate::schedule::Job;
use crate::worker::{Report, Shared};

/// One worker's way of doing jobs, in slots of its own.
pub(crate) struct JobRunner<'a> {
    shared: &'a Shared,
    worker: Worker<'a>,
}

impl<'a> JobRunner<'a> {
    pub(crate) fn new(shared: &'a Shared, core: Option<usize>) -> Self {
        Self { shared, worker: shared.session.worker(core) }
    }

    /// Does a job.
    pub(crate) fn run(&mut self, job: &Job, cancel: CancelToken) -> Result<Report, ExecError> {
        self.worker.cancelled_by(cancel);
        match job {
            Job::Prepare { problem } => {
                let result = Fault::apart(self.worker.prepare(*problem, Trust::Manifest))?;
                if let Ok(judgement) = &result {
                    self.shared.remember_judgement(*problem, judgement)?;
                }
                Ok(Report::Prepared { problem: *problem, result })
            }
            Job::Compile { submission } => {
                let compiled = self.worker.compile_with(*submission, Trust::Manifest)?;
                let kept = compiled.result.as_ref().ok().map(|program| self.shared.kept_results(*submission, program));
                let kept = kept.transpose()?.unwrap_or_default();
                Ok(Report::Compiled { submission: *submission, compiled, kept })
            }
            Job::Ask { submission, question } => self.ask(*submission, question),
            Job::Test { prepared, test_case, attempt } => {
                let PreparedSubmission { place, program, judgement } = prepared;
                let report = |judged: Option<TestResult>| Report::TestResult {
                    submission: *place,
                    test_case: *test_case,
                    attempt: *attempt,
                    judged: judged.map(Box::new),
                };
                let run = match Fault::apart(self.test_run(prepared, *test_case).map_err(Fault::from))? {
                    Ok(run) => run,
                    Err(refusal) => return Ok(report(Some(TestResult::refused(refusal.to_string())))),
                };
                let (run, judged) = self.worker.judge(*place, run)?;
                let is_same =
                    program.digest() == run.program.digest() && judgement.digests() == run.judgement.digests();
                let lasts = |judged: &&TestResult| is_same && self.is_lasting(*attempt, *place, judged, &run);
                judged.iter().filter(lasts).for_each(|judged| self.shared.keep_result(*place, &run, judged));
                Ok(report(judged))
            }
        }
    }

    /// Asks a program of the package about a group.
    fn ask(&mut self, submission: SubmissionPlace, question: &GroupQuestion) -> Result<Report, ExecError> {
        Ok(match question {
            GroupQuestion::Grade { flags, input } => {
                let answer = self.worker.grade(submission.problem, flags, input);
                Report::Graded { submission, answer: Fault::apart(answer)? }
            }
            GroupQuestion::Validate { group } => {
                Report::Validated { submission, validated: self.worker.validate(submission, *group)? }
            }
        })
    }

    fn test_run(&self, prepared: &PreparedSubmission, test_case: TestCaseIndex) -> Result<TestRun, ExecError> {
        let (planned, submission) = self.shared.work.submission(prepared.place);
        let kill_at = TimeMargins::of(planned, submission).kill_at(&planned.problem.test_cases[test_case].id);
        self.worker.test_run(prepared, test_case, TimeLimit { time_limit: planned.time_limit, kill_at })
    }

    /// True for a result that stands for later runs of the judge.
    fn is_lasting(&self, attempt: Attempt, place: SubmissionPlace, result: &TestResult, run: &TestRun) -> bool {
        let (submission, test_case) = (self.shared.session.submission(place), &run.problem.test_cases[run.test_case].id);
        let confirmation = Confirmation::of_verdict(run.time_limit, &submission.expectations, test_case);
        let lasts = confirmation.is_lasting(attempt, &result.evidence());
        if !lasts {
            tracing::debug!(target: "cache", test_case, "result not cached: another run may differ");
        }
        lasts
    }
}

//! Jobs: how a worker does each kind, and which results it keeps.
//!
//! Responsible for the way from a job to its report. Must not know in which order jobs come.

use std::sync::Arc;

use judge_exec::{
    ExecError, Fault, GroupQuestion, OutputCheck, Runnable, TestResult, TestRun, TimeLimit, Trust, Worker,
};
use judge_sandbox::CancelToken;

use crate::confirmation::Attempt;
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
                let compiled = self.worker.compile_with(self.shared.places[*submission], Trust::Manifest)?;
                let kept = compiled.result.as_ref().ok().map(|program| self.shared.kept_results(*submission, program));
                let kept = kept.transpose()?.unwrap_or_default();
                Ok(Report::Compiled { submission: *submission, compiled, kept })
            }
            Job::Ask { submission, question } => self.ask(*submission, question),
            Job::Test { submission, test_case, program, judgement, attempt } => {
                let run = self.test_run(*submission, *test_case, (program, judgement))?;
                let (run, judged) = self.worker.judge(self.shared.places[*submission], run)?;
                let is_same =
                    program.digest() == run.program.digest() && judgement.digests() == run.judgement.digests();
                let lasts = |judged: &&TestResult| is_same && self.stands(*attempt, judged, (*submission, &run));
                judged.iter().filter(lasts).for_each(|judged| self.shared.keep_result(*submission, &run, judged));
                Ok(Report::TestResult {
                    submission: *submission,
                    test_case: *test_case,
                    attempt: *attempt,
                    judged: judged.map(Box::new),
                })
            }
        }
    }

    /// Asks a program of the package about a group.
    fn ask(&mut self, submission: usize, question: &GroupQuestion) -> Result<Report, ExecError> {
        let place = self.shared.places[submission];
        Ok(match question {
            GroupQuestion::Grade { flags, input } => {
                let problem = Arc::clone(self.shared.problem(place.problem));
                let answer = self.worker.grade(&problem, (flags, input));
                Report::Graded { submission, answer: Fault::apart(answer)? }
            }
            GroupQuestion::Validate { group } => {
                Report::Validated { submission, validated: self.worker.validate(place, *group)? }
            }
        })
    }

    fn test_run(
        &self,
        submission: usize,
        test_case: usize,
        programs: (&Arc<Runnable>, &Arc<OutputCheck>),
    ) -> Result<TestRun, ExecError> {
        let place = self.shared.places[submission];
        let planned = self.shared.work.problem(place.problem);
        let kill_at = TimeMargins::of(planned, &planned.problem.submissions[place.index])
            .kill_at(&planned.problem.test_cases[test_case].id);
        let limit = TimeLimit { time_limit: planned.time_limit, kill_at };
        self.worker.test_run(place, test_case, programs, limit)
    }

    /// True for a result that stands for later runs of the judge. A time near the limit does when it was measured twice
    /// with the same verdict, else it is open.
    fn stands(&self, attempt: Attempt, judged: &TestResult, (submission, run): (usize, &TestRun)) -> bool {
        let of = self.shared.submission(submission);
        let about = (of, run.problem.test_cases[run.test_case].id.as_str());
        match attempt {
            Attempt::First => Attempt::after(judged, run.time_limit, about).is_none(),
            Attempt::NearLimit(first) => judged.verdict == first,
            Attempt::Waited | Attempt::Unexpected => !judged.is_near(run.time_limit),
        }
    }
}

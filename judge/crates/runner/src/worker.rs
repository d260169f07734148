//! Workers: threads that take jobs from the schedule and have them done on benches of their own.
//!
//! Responsible for what all of them share and for what they report. Must not know how a job is done.

use std::sync::Arc;

use judge_model::Problem;
use judge_sandbox::{CancelToken, Capture, Mount, Sandbox};
use tokio::sync::mpsc::UnboundedSender;

use crate::RunnerError;
use crate::asking::Validated;
use crate::cache::ProgramCache;
use crate::compile::Compiled;
use crate::doubt::Attempt;
use crate::judged::Judged;
use crate::judging::Judgement;
use crate::plan::Plan;
use crate::ready::Tools;
use crate::results::Results;
use crate::schedule::{Job, Schedule};
use crate::test_files::TestFiles;
use crate::workbench::Workbench;

/// A submission's place in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) problem: usize,
    pub(crate) index: usize,
}

/// What every worker reads.
pub(crate) struct Shared {
    pub(crate) plan: Plan,
    /// The place of each submission, in the order in which they are told.
    pub(crate) places: Vec<Place>,
    pub(crate) tools: Tools,
    pub(crate) mounts: Vec<Mount>,
    pub(crate) cache: ProgramCache,
    pub(crate) test_files: TestFiles,
    /// Results that are kept, if any are.
    pub(crate) results: Option<Arc<Results>>,
    pub(crate) sandbox: Arc<dyn Sandbox>,
    pub(crate) schedule: Schedule,
}

impl Shared {
    pub(crate) fn problem(&self, problem: usize) -> &Arc<Problem> {
        &self.plan.problems[problem].problem
    }
}

/// What came of a job.
pub(crate) enum Report {
    Prepared {
        problem: usize,
        result: Result<Arc<Judgement>, String>,
    },
    Compiled {
        submission: usize,
        compiled: Compiled,
        /// Results that an earlier run has kept, each with the index of its test case.
        kept: Vec<(usize, Judged)>,
    },
    /// `None` when it was cancelled.
    Judged {
        submission: usize,
        test_case: usize,
        attempt: Attempt,
        judged: Option<Box<Judged>>,
    },
    /// The static validator has answered.
    Validated {
        submission: usize,
        validated: Validated,
    },
    /// The grader has answered; see [`crate::asking::ask_grader`].
    Graded {
        submission: usize,
        answer: Result<Vec<u8>, String>,
    },
    /// No job when it was not one that failed.
    Failed {
        job: Option<Job>,
        error: RunnerError,
    },
}

/// Tells the dispatcher of a worker that panics: it would wait for the job for ever.
struct Alarm<'a>(&'a UnboundedSender<Report>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Report::Failed { job: None, error: RunnerError::WorkerLost });
        }
    }
}

/// Runs jobs until there are no more.
pub(crate) fn work(shared: &Shared, worker: usize, core: Option<usize>, reports: &UnboundedSender<Report>) {
    let _alarm = Alarm(reports);
    let mut bench = Workbench::new(shared, core);
    let mut capture = Capture::default();
    let mut cancel = None;
    loop {
        // In this order: until it is done, a job's token can be set. One that was set stays set; only then a new one is
        // needed.
        shared.schedule.done(worker);
        let token =
            match cancel.take().filter(|token: &CancelToken| !token.is_cancelled()).map_or_else(CancelToken::new, Ok) {
                Ok(token) => cancel.insert(token).clone(),
                Err(error) => {
                    let _ = reports.send(Report::Failed { job: None, error: error.into() });
                    return;
                }
            };
        let Some(job) = shared.schedule.next(worker, &token) else { return };
        let report =
            bench.run(&job, &mut capture, token).unwrap_or_else(|error| Report::Failed { job: Some(job), error });
        // Nobody listens any more when the run has been given up.
        if reports.send(report).is_err() {
            return;
        }
    }
}

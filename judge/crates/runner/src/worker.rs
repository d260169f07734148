//! Worker threads. Each takes jobs from the schedule and runs them in its own slots.
//!
//! Responsible for a token for each job, and for a report even if the job fails. Must not know how
//! a job is run.

use judge_exec::ExecError;
use judge_sandbox::CancelToken;
use tokio::sync::mpsc::UnboundedSender;

use crate::jobs::JobRunner;
use crate::shared::{Report, Shared};

/// Reports a worker that panics: otherwise the dispatcher would wait for its job forever.
struct Alarm<'a>(&'a UnboundedSender<Report>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Report::Failed {
                job: None,
                error: ExecError::WorkerLost,
            });
        }
    }
}

/// Runs jobs until there are no more.
pub(crate) fn work(shared: &Shared, worker: usize, reports: &UnboundedSender<Report>) {
    // Created before anything can panic, so that it is dropped last.
    let _alarm = Alarm(reports);
    let mut jobs = JobRunner::new(shared, shared.cores.get(worker).copied());
    let mut cancel = None;
    loop {
        // The token is checked only after the job is done: until then the dispatcher may set it,
        // even for a job that has ended meanwhile, and the next job must not get a token that is
        // set.
        shared.schedule.done(worker);
        let token = match cancel
            .take()
            .filter(|token: &CancelToken| !token.is_cancelled())
            .map_or_else(CancelToken::new, Ok)
        {
            Ok(token) => cancel.insert(token).clone(),
            Err(error) => {
                let _ = reports.send(Report::Failed {
                    job: None,
                    error: error.into(),
                });
                return;
            }
        };
        let Some(job) = shared.schedule.next(worker, &token) else {
            return;
        };
        tracing::debug!(target: "schedule", worker, job = shared.name_of(&job), "begins");
        let turn = shared
            .lanes
            .as_ref()
            .map(|lanes| lanes.enter(job.is_alone()));
        let report = jobs
            .run(&job, token)
            .unwrap_or_else(|error| Report::Failed {
                job: Some(job),
                error,
            });
        drop(turn);
        // The receiver is gone when the run was aborted.
        if reports.send(report).is_err() {
            return;
        }
    }
}

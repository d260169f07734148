//! The resources for generating data, and work on several threads.
//!
//! Responsible for the threads, each with its own worker, and for the progress.

use std::sync::{Mutex, PoisonError};

use judge_event::Progress;
use judge_exec::{Crew, ExecError, Session, Worker};
use judge_package::Workspace;

/// The resources for generating data. The session's token cancels it.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// The session, opened with the project's languages and
    /// [directories](crate::Project::directories).
    pub session: &'a Session,
    /// The number of programs that run at a time, at least 1.
    pub jobs: usize,
    /// The workspace for loading the staged package.
    pub workspace: &'a Workspace,
    /// Receives the progress whenever work on an item begins or ends.
    pub on_progress: OnProgress<'a>,
}

/// Reads the progress of a package: how much is done, and what is running, the oldest first. It is
/// called by several threads.
pub type OnProgress<'a> = &'a (dyn Fn(&Progress) + Sync);

impl Resources<'_> {
    /// Runs some work for each item, and returns the results in the order of the items, or `None`
    /// when it was cancelled. `name` describes the work on an item.
    pub(crate) fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        name: impl Fn(&I) -> String + Sync,
        work: impl Fn(&mut Worker<'_>, &I) -> Result<T, ExecError> + Sync,
    ) -> Result<Option<Vec<T>>, ExecError> {
        let begin = |_| Ok(self.session.worker(None).with_warm_programs());
        let progress = Mutex::new(Progress {
            total: items.len() as u64,
            ..Progress::default()
        });
        let now = |change: &dyn Fn(&mut Progress)| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut progress);
            (self.on_progress)(&progress);
        };
        let results = Crew::new(self.jobs).each(items, begin, |worker, item| {
            if self.session.is_cancelled() {
                return Ok(None);
            }
            let name = name(item);
            now(&|progress| progress.running.push(name.clone()));
            let done = work(worker, item);
            now(&|progress| {
                progress.done += 1;
                let place = progress.running.iter().position(|running| *running == name);
                place
                    .into_iter()
                    .for_each(|place| drop(progress.running.remove(place)));
            });
            done.map(Some)
        });
        // A failure after a cancellation is not reported.
        results.map(|results| results.filter(|_| !self.session.is_cancelled()))
    }
}

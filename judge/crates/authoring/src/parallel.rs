//! Doing something for many test cases, several at a time.
//!
//! Responsible for the threads, each with a worker of its own. Must not know what is done.

use std::sync::{Mutex, PoisonError};

use judge_event::Progress;
use judge_exec::{Crew, ExecError, Session, Worker};

use crate::OnProgress;

/// The workers that do it: the session, whose token cancels them, and the number of them.
#[derive(Clone, Copy)]
pub(crate) struct Workers<'a> {
    pub(crate) session: &'a Session,
    pub(crate) jobs: usize,
    pub(crate) on_progress: OnProgress<'a>,
}

impl Workers<'_> {
    /// Does the work for each item, and gives the results in the order of the items; `None` when it was cancelled. `name` says
    /// what is done with an item.
    pub(crate) fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        name: impl Fn(&I) -> String + Sync,
        work: impl Fn(&mut Worker<'_>, &I) -> Result<T, ExecError> + Sync,
    ) -> Result<Option<Vec<T>>, ExecError> {
        let begin = |_| Ok(self.session.worker(None).with_warm_programs());
        let progress = Mutex::new(Progress { total: items.len() as u64, ..Progress::default() });
        let now = |change: &dyn Fn(&mut Progress)| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut progress);
            (self.on_progress)(&progress);
        };
        let made = Crew::new(self.jobs).each(items, begin, |worker, item| {
            if self.session.is_cancelled() {
                return Ok(None);
            }
            let name = name(item);
            now(&|progress| progress.running.push(name.clone()));
            let done = work(worker, item);
            now(&|progress| {
                progress.done += 1;
                let place = progress.running.iter().position(|running| *running == name);
                place.into_iter().for_each(|place| drop(progress.running.remove(place)));
            });
            done.map(Some)
        });
        // A failure that comes of the cancelling is not reported.
        made.map(|made| made.filter(|_| !self.session.is_cancelled()))
    }
}

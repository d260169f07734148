//! Doing something for many test cases, several at a time.
//!
//! Responsible for the threads, each with a worker of its own. Must not know what is done.

use judge_exec::{Crew, ExecError, Session, Worker};

/// The workers that do it: the session, whose token cancels them, and the number of them.
#[derive(Clone, Copy)]
pub(crate) struct Workers<'a> {
    pub(crate) session: &'a Session,
    pub(crate) jobs: usize,
}

impl Workers<'_> {
    /// Does it for each item, and gives the results in the order of the items; `None` when it was cancelled.
    pub(crate) fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        work: impl Fn(&mut Worker<'_>, &I) -> Result<T, ExecError> + Sync,
    ) -> Result<Option<Vec<T>>, ExecError> {
        let begin = |_| Ok(self.session.worker(None));
        let made = Crew::new(self.jobs).each(items, begin, |worker, item| {
            if self.session.is_cancelled() { Ok(None) } else { work(worker, item).map(Some) }
        });
        // A failure that comes of the cancelling is not reported.
        made.map(|made| made.filter(|_| !self.session.is_cancelled()))
    }
}

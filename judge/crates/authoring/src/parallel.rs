//! Doing something for many test cases, several at a time.
//!
//! Responsible for the threads, each with a desk of its own. Must not know what is done.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use judge_runner::{Desk, Jury, RunnerError};
use judge_sandbox::CancelToken;

/// How it is done: with what, how much at a time, and until when.
#[derive(Clone, Copy)]
pub(crate) struct Crew<'a> {
    pub(crate) jury: &'a Jury,
    pub(crate) jobs: usize,
    pub(crate) cancel: &'a CancelToken,
}

impl Crew<'_> {
    /// Does it for each item, and gives the results in the order of the items; `None` when it was cancelled.
    pub(crate) fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        work: impl Fn(&mut Desk<'_>, &I) -> Result<T, RunnerError> + Sync,
    ) -> Result<Option<Vec<T>>, RunnerError> {
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let labour = || -> Result<Vec<(usize, T)>, RunnerError> {
            let mut desk = self.jury.desk();
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let over = stop.load(Ordering::Relaxed) || self.cancel.is_cancelled();
                let Some(item) = items.get(index).filter(|_| !over) else { return Ok(done) };
                match work(&mut desk, item) {
                    Ok(result) => done.push((index, result)),
                    Err(error) => {
                        // Without this the others would go on for nothing.
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
        };
        let jobs = self.jobs.clamp(1, items.len().max(1));
        let mut all = thread::scope(|scope| -> Result<Vec<(usize, T)>, RunnerError> {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(labour)).collect();
            let mut all = Vec::with_capacity(items.len());
            for worker in workers {
                all.extend(worker.join().map_err(|_| RunnerError::WorkerLost)??);
            }
            Ok(all)
        })?;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        all.sort_by_key(|(index, _)| *index);
        Ok(Some(all.into_iter().map(|(_, result)| result).collect()))
    }
}

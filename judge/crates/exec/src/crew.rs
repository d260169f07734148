//! Crews: threads that process a list together, or work until one of them has no more work, each
//! with its own state.
//!
//! Responsible for distributing the items, for ending early, and for results in the order of the
//! items. Must not know what the work is.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use crate::ExecError;

/// Threads that work on one item after the other.
#[derive(Clone, Debug)]
pub struct Crew {
    /// The core of each thread; `None` leaves it to the scheduler.
    cores: Vec<Option<usize>>,
}

impl Crew {
    /// Creates a crew of that many threads, at least one, on any core.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self {
            cores: vec![None; threads.max(1)],
        }
    }

    /// Creates a crew with a thread for each of these cores.
    #[must_use]
    pub fn on(cores: Vec<Option<usize>>) -> Self {
        Self { cores }
    }

    /// The number of its threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.cores.len()
    }

    /// Works through the items, and returns the results in their order; `None` when some work was
    /// cancelled, which `work` reports by `None`. The first error ends all of it.
    ///
    /// # Errors
    /// The errors of `begin` and `work`, and a thread that is lost.
    pub fn each<I: Sync, S, T: Send, E: Send + From<ExecError>>(
        &self,
        items: &[I],
        begin: impl Fn(Option<usize>) -> Result<S, E> + Sync,
        work: impl Fn(&mut S, &I) -> Result<Option<T>, E> + Sync,
    ) -> Result<Option<Vec<T>>, E> {
        // Items finish in any order, so each result has its own place.
        let mut results: Vec<Option<T>> = items.iter().map(|_| None).collect();
        let done = self.for_each_result(items, begin, work, |index, result| {
            results[index] = Some(result);
            Ok(())
        })?;
        Ok(done.and_then(|()| results.into_iter().collect()))
    }

    /// Does work that neither fails nor is cancelled for each item, and returns the results in
    /// their order. A single thread's work is done without starting one.
    pub fn map<I: Sync, S, T: Send>(
        &self,
        items: &[I],
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &I) -> T + Sync,
    ) -> Vec<T> {
        let on_this_thread = || {
            let mut state = begin();
            items.iter().map(|item| work(&mut state, item)).collect()
        };
        // Starting a thread for a single item costs more than most items.
        if self.cores.len().min(items.len()) <= 1 {
            return on_this_thread();
        }
        let done: Result<_, ExecError> = self.each(
            items,
            |_| Ok(begin()),
            |state, item| Ok(Some(work(state, item))),
        );
        match done {
            Err(ExecError::Thread(_)) => on_this_thread(),
            done => done
                .ok()
                .flatten()
                .expect("only a panic in `work` ends it early"),
        }
    }

    /// Works through the items as [`each`](Self::each) does, and gives each result to `take` as it
    /// comes, with the index of its item.
    ///
    /// # Errors
    /// The errors of `begin`, `work` and `take`, and a thread that is lost.
    pub fn for_each_result<I: Sync, S, T: Send, E: Send + From<ExecError>>(
        &self,
        items: &[I],
        begin: impl Fn(Option<usize>) -> Result<S, E> + Sync,
        work: impl Fn(&mut S, &I) -> Result<Option<T>, E> + Sync,
        mut take: impl FnMut(usize, T) -> Result<(), E>,
    ) -> Result<Option<()>, E> {
        // Relaxed accesses are enough for both: results travel through the channel, which
        // orders everything that a thread wrote before it sent one.
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work_through = |core: Option<usize>, sender: Sender<Result<Option<(usize, T)>, E>>| {
            let mut state = match begin(core) {
                Ok(state) => state,
                Err(error) => return drop(sender.send(Err(error))),
            };
            while !stop.load(Ordering::Relaxed) {
                // Items are taken one by one, because their durations differ by orders of magnitude
                // and shares of equal size would not.
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return };
                let done =
                    work(&mut state, item).map(|result| result.map(|result| (index, result)));
                // After an error or a cancelled item this thread has nothing more to do. The
                // receiver stops the others.
                let is_over = !matches!(done, Ok(Some(_)));
                if sender.send(done).is_err() || is_over {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            let (sender, results) = channel();
            // A thread without an item would only run `begin`, which may open a sandbox.
            let of_crew = &self.cores[..self.cores.len().min(items.len())];
            let threads = start_threads(scope, of_crew, |core| {
                let (sender, work_through) = (sender.clone(), &work_through);
                move || work_through(core, sender)
            })?;
            // The channel ends when the last thread does.
            drop(sender);
            let mut end = Ok(Some(()));
            for result in results {
                end = match result {
                    Ok(Some((index, result))) => take(index, result).map(Some),
                    Ok(None) => Ok(None),
                    Err(error) => Err(error),
                };
                if !matches!(end, Ok(Some(()))) {
                    // Otherwise the others would continue for nothing.
                    stop.store(true, Ordering::Relaxed);
                    // Leaving the loop drops the receiver, so a thread that is about to send a
                    // result ends as well.
                    break;
                }
            }
            // Every thread is joined by hand: a scope panics on its own when a thread that
            // panicked was not.
            let lost = is_any_lost(threads);
            if lost && end.is_ok() {
                Err(ExecError::WorkerLost.into())
            } else {
                end
            }
        })
    }

    /// Works piece by piece on every thread, until one of them has no next piece, which `work`
    /// reports by `false`. The first error ends all of it, and so does a lost thread. `watch` is
    /// called on the caller's thread, each time this interval has passed and at the end.
    ///
    /// # Errors
    /// The errors of `begin` and `work`, and a thread that is lost.
    pub fn until<S, E: Send + From<ExecError>>(
        &self,
        begin: impl Fn(Option<usize>) -> Result<S, E> + Sync,
        work: impl Fn(&mut S) -> Result<bool, E> + Sync,
        tick: Duration,
        mut watch: impl FnMut(),
    ) -> Result<(), E> {
        let stop = AtomicBool::new(false);
        let work_through = |core: Option<usize>, sender: Sender<E>| {
            // Dropped even if the thread panics: otherwise the others would never end.
            let _end = StopsAll(&stop);
            let pieces = |mut state: S| {
                while !stop.load(Ordering::Relaxed) {
                    if !work(&mut state)? {
                        break;
                    }
                }
                Ok(())
            };
            if let Err(error) = begin(core).and_then(pieces) {
                // The receiver exists until the last thread has ended.
                drop(sender.send(error));
            }
        };
        thread::scope(|scope| {
            let (sender, errors) = channel();
            let threads = start_threads(scope, &self.cores, |core| {
                let (sender, work_through) = (sender.clone(), &work_through);
                move || work_through(core, sender)
            })?;
            // The channel ends when the last thread does.
            drop(sender);
            let mut first = None;
            loop {
                match errors.recv_timeout(tick) {
                    // The thread that failed stops the others when it ends. Later errors may
                    // only be consequences of the first.
                    Ok(error) => drop(first.get_or_insert(error)),
                    Err(RecvTimeoutError::Timeout) => watch(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            watch();
            match (first, is_any_lost(threads)) {
                (Some(error), _) => Err(error),
                (None, true) => Err(ExecError::WorkerLost.into()),
                (None, false) => Ok(()),
            }
        })
    }
}

/// Sets a flag when it is dropped.
struct StopsAll<'a>(&'a AtomicBool);

impl Drop for StopsAll<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Starts a thread for each of these cores, or fewer where the system permits no more.
///
/// # Errors
/// When not even one can be started.
fn start_threads<'scope, W: FnOnce() + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    cores: &[Option<usize>],
    work: impl Fn(Option<usize>) -> W,
) -> Result<Vec<ScopedJoinHandle<'scope, ()>>, ExecError> {
    let mut threads = Vec::new();
    for core in cores {
        match Builder::new().spawn_scoped(scope, work(*core)) {
            Ok(thread) => threads.push(thread),
            Err(source) if threads.is_empty() => return Err(ExecError::Thread(source)),
            Err(_) => break,
        }
    }
    Ok(threads)
}

/// Waits for all of these threads. True when one was lost to a panic.
fn is_any_lost(threads: Vec<ScopedJoinHandle<'_, ()>>) -> bool {
    threads
        .into_iter()
        .map(ScopedJoinHandle::join)
        // Not `any`, which would stop at the first lost thread without joining those after it.
        .filter(Result::is_err)
        .count()
        > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    type CrewResult<T> = Result<Option<T>, ExecError>;

    #[test]
    fn results_are_ordered_and_each_thread_has_one_state() {
        let items: Vec<usize> = (0..100).collect();
        for threads in [0, 1, 3, 200] {
            let begun = AtomicUsize::new(0);
            let begin = |_| Ok(begun.fetch_add(1, Ordering::Relaxed));
            let results: CrewResult<Vec<usize>> =
                Crew::new(threads).each(&items, begin, |_, item| Ok(Some(item * 2)));
            assert!(
                results
                    .unwrap()
                    .unwrap()
                    .into_iter()
                    .eq((0..100).map(|item| item * 2)),
                "{threads}"
            );
            assert!(
                (1..=threads.max(1)).contains(&begun.into_inner()),
                "{threads}"
            );
        }
        let nothing: CrewResult<Vec<usize>> =
            Crew::new(2).each(&[], |_| Ok(()), |(), item: &usize| Ok(Some(*item)));
        assert_eq!(nothing.unwrap(), Some(Vec::new()));
    }

    #[test]
    fn errors_cancellations_and_lost_threads_end_all_work() {
        let items: Vec<usize> = (0..10_000).collect();
        let worked = AtomicUsize::new(0);
        let until = |index: usize, end: fn() -> CrewResult<usize>| {
            worked.store(0, Ordering::Relaxed);
            Crew::new(3).each(
                &items,
                |_| Ok(()),
                |(), item| {
                    worked.fetch_add(1, Ordering::Relaxed);
                    thread::yield_now();
                    if *item == index {
                        end()
                    } else {
                        Ok(Some(*item))
                    }
                },
            )
        };
        assert!(matches!(
            until(5, || Err(ExecError::Starved)),
            Err(ExecError::Starved)
        ));
        assert!(worked.load(Ordering::Relaxed) < items.len());
        assert!(matches!(until(5, || Ok(None)), Ok(None)));
        assert!(worked.load(Ordering::Relaxed) < items.len());
        assert!(matches!(
            until(5, || panic!("on purpose")),
            Err(ExecError::WorkerLost)
        ));
    }

    #[test]
    fn infallible_work_is_mapped() {
        for threads in [1, 4] {
            let doubled = Crew::new(threads).map(&[1, 2, 3], || 2, |two, item| *two * item);
            assert_eq!(doubled, [2, 4, 6]);
        }
    }

    #[test]
    fn work_ends_when_one_thread_has_no_next_piece() {
        for threads in [1, 3] {
            let (next, mut watched) = (AtomicUsize::new(0), 0);
            let work = |(): &mut ()| {
                thread::sleep(Duration::from_millis(1));
                Ok(next.fetch_add(1, Ordering::Relaxed) < 50)
            };
            let done: Result<(), ExecError> = Crew::new(threads).until(
                |_| Ok(()),
                work,
                Duration::from_millis(5),
                || watched += 1,
            );
            assert!(done.is_ok() && watched >= 2, "{threads}: {watched}");
            assert!(
                (51..=51 + threads).contains(&next.into_inner()),
                "{threads}"
            );
        }
    }

    #[test]
    fn errors_and_lost_threads_end_endless_work() {
        let tick = Duration::from_millis(1);
        let with = |end: fn() -> Result<bool, ExecError>| {
            let begun = AtomicUsize::new(0);
            let begin = |_| Ok(begun.fetch_add(1, Ordering::Relaxed));
            let work = |number: &mut usize| if *number == 0 { end() } else { Ok(true) };
            Crew::new(3).until(begin, work, tick, || ())
        };
        assert!(matches!(
            with(|| Err(ExecError::Starved)),
            Err(ExecError::Starved)
        ));
        assert!(matches!(
            with(|| panic!("on purpose")),
            Err(ExecError::WorkerLost)
        ));
        let nowhere: Result<(), ExecError> = Crew::new(2).until(
            |_| Err(ExecError::Starved),
            |(): &mut ()| Ok(true),
            tick,
            || (),
        );
        assert!(matches!(nowhere, Err(ExecError::Starved)));
    }

    #[test]
    fn threads_get_their_cores() {
        let crew = Crew::on(vec![Some(3)]);
        let cores: CrewResult<Vec<Option<usize>>> =
            crew.each(&[0, 1], Ok, |core, _| Ok(Some(*core)));
        assert_eq!(cores.unwrap(), Some(vec![Some(3); 2]));
    }
}

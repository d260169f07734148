//! Lanes: several concurrent runs in one process.
//!
//! Responsible for runs that must be alone: while one of them runs, no run of any lane does. Must
//! not know what is run.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The gate that the runs of all lanes share. Each job holds a turn for as long as it runs.
#[derive(Debug, Default)]
pub struct Lanes {
    state: Mutex<LaneState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct LaneState {
    running: usize,
    /// True while a job runs alone.
    alone: bool,
    /// The number of jobs that wait to be alone. While there are any, no other job begins:
    /// otherwise they might wait forever.
    waiting: usize,
}

/// The right to run a job, as long as it lives.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    lanes: &'a Lanes,
    alone: bool,
}

impl Lanes {
    fn lock(&self) -> MutexGuard<'_, LaneState> {
        // No panic leaves the state half-changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a job may run: together with others, or alone.
    pub(crate) fn enter(&self, alone: bool) -> Turn<'_> {
        let mut state = self.lock();
        state.waiting += usize::from(alone);
        // Jobs that wait to be alone run one after another, so that several of them cost one pause
        // of the others.
        let must_wait = |state: &mut LaneState| {
            state.alone
                || if alone {
                    state.running > 0
                } else {
                    state.waiting > 0
                }
        };
        let mut state = self
            .changed
            .wait_while(state, must_wait)
            .unwrap_or_else(PoisonError::into_inner);
        state.waiting -= usize::from(alone);
        state.alone = alone;
        state.running += 1;
        Turn { lanes: self, alone }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.lanes.lock();
        state.running -= 1;
        state.alone &= !self.alone;
        drop(state);
        self.lanes.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn exclusive_jobs_run_alone() {
        let (lanes, running) = (Lanes::default(), AtomicUsize::new(0));
        let job = |alone: bool| {
            let _turn = lanes.enter(alone);
            let before = running.fetch_add(1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(1));
            let after = running.fetch_sub(1, Ordering::SeqCst);
            assert!(
                !alone || (before, after) == (0, 1),
                "{before} jobs before, {after} after"
            );
        };
        thread::scope(|scope| {
            for lane in 0..4 {
                scope.spawn(move || (0..50).for_each(|number| job((number + lane) % 5 == 0)));
            }
        });
        assert_eq!(running.load(Ordering::SeqCst), 0);
    }
}

//! Programs that threads of this process are making.
//!
//! Responsible for making each program once: a thread waits for a program that another thread is
//! making, instead of compiling it too. Other processes may make the same program; the first one to
//! finish stores it. Must not know how programs are made.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use judge_sandbox::CancelToken;

use crate::lock;

/// The time after which a waiting thread checks whether it was cancelled.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The programs that are being made.
#[derive(Debug, Default)]
pub(crate) struct InProgress {
    keys: Mutex<HashSet<String>>,
    finished: Condvar,
}

/// The right to make a program. It ends when this value is dropped, whether the program was made or
/// not.
#[derive(Debug)]
pub(crate) struct Claim<'a> {
    in_progress: &'a InProgress,
    key: String,
    /// True if another thread was making the program before.
    pub(crate) has_waited: bool,
}

impl InProgress {
    /// Claims the program with this key. Waits as long as another thread is making it. Returns `None` if this
    /// thread is cancelled meanwhile.
    pub(crate) fn claim(&self, key: &str, cancel: &CancelToken) -> Option<Claim<'_>> {
        let mut keys = lock(&self.keys);
        let mut has_waited = false;
        while keys.contains(key) {
            if cancel.is_cancelled() {
                return None;
            }
            has_waited = true;
            let waited = self.finished.wait_timeout(keys, CHECK_INTERVAL);
            (keys, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        keys.insert(key.to_owned());
        drop(keys);
        Some(Claim {
            in_progress: self,
            key: key.to_owned(),
            has_waited,
        })
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        lock(&self.in_progress.keys).remove(&self.key);
        self.in_progress.finished.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn one_thread_at_a_time_makes_a_program() {
        let (in_progress, makers) = (InProgress::default(), AtomicU32::new(0));
        let waited: Vec<bool> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let claim = in_progress
                            .claim("a", &CancelToken::new().unwrap())
                            .unwrap();
                        assert_eq!(makers.fetch_add(1, Ordering::SeqCst), 0);
                        thread::sleep(Duration::from_millis(5));
                        makers.fetch_sub(1, Ordering::SeqCst);
                        claim.has_waited
                    })
                })
                .collect();
            threads.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(waited.contains(&false), "{waited:?}");
    }

    #[test]
    fn other_programs_do_not_wait_and_cancelled_threads_stop_waiting() {
        let (in_progress, cancel) = (InProgress::default(), CancelToken::new().unwrap());
        let claim = in_progress.claim("a", &cancel).unwrap();
        assert!(!claim.has_waited);
        assert!(!in_progress.claim("b", &cancel).unwrap().has_waited);
        cancel.cancel();
        assert!(in_progress.claim("a", &cancel).is_none());
    }
}

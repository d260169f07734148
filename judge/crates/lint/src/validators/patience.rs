//! Patience: the time that programs of a package get, and when they are given up on.
//!
//! Responsible for the time of each request and for repeating it. Must not know the requests.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The CPU time of a first request. Nearly all requests take milliseconds.
const QUICK: Duration = Duration::from_secs(3);
/// The CPU time of a second request. The limit of wall-clock time is twice as long and a second
/// more, so that both requests of a program that waits take less than a minute: 7 s and 41 s.
const SLOW: Duration = Duration::from_secs(20);
/// The default validation time of the format. A package states a longer one for slow programs.
const DEFAULT_VALIDATION_TIME: Duration = Duration::from_secs(60);
/// The maximum number of made-up requests that take longer than [`QUICK`].
const MAX_SLOW: u32 = 2;

/// The patience with the programs of one kind, over all threads.
#[derive(Debug)]
pub(super) struct Patience {
    quick: Duration,
    slow: Duration,
    /// True after a program exceeded the time of its second request. It is not run again.
    given_up: AtomicBool,
    /// The number of made-up requests that ended only in the second attempt.
    slow_requests: AtomicU32,
    /// Held during a second request, so that only one thread at a time waits for a program that
    /// does not end.
    second: Mutex<()>,
}

impl Patience {
    /// Creates the patience with programs that get this much CPU time in a contest.
    pub(super) fn new(validation_time: Duration) -> Self {
        let slow = if validation_time > DEFAULT_VALIDATION_TIME {
            validation_time
        } else {
            validation_time.min(SLOW)
        };
        Self {
            quick: QUICK.min(slow),
            slow,
            given_up: AtomicBool::new(false),
            slow_requests: AtomicU32::new(0),
            second: Mutex::new(()),
        }
    }

    /// Makes a request, and repeats it with more time when the first attempt times out. Returns
    /// `None` when the program is given up on, or when too many `made_up` requests took too long.
    pub(super) fn ask<T, E>(
        &self,
        made_up: bool,
        mut request: impl FnMut(Duration) -> Result<T, E>,
        timed_out: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, E> {
        if self.given_up.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let first = request(self.quick)?;
        if !timed_out(&first) {
            return Ok(Some(first));
        }
        let _second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        let is_enough = made_up && self.slow_requests.load(Ordering::Relaxed) >= MAX_SLOW;
        if is_enough || self.given_up.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let second = request(self.slow)?;
        if timed_out(&second) {
            self.given_up.store(true, Ordering::Relaxed);
        } else if made_up {
            self.slow_requests.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Some(second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of the requests to a program that needs this long, in seconds, and the reply.
    fn requests(patience: &Patience, made_up: bool, needs: u64) -> (Vec<u64>, Option<bool>) {
        let mut times = Vec::new();
        let request = |time: Duration| -> Result<bool, ()> {
            times.push(time.as_secs());
            Ok(Duration::from_secs(needs) > time)
        };
        let reply = patience
            .ask(made_up, request, |timed_out| *timed_out)
            .unwrap();
        (times, reply)
    }

    #[test]
    fn endless_programs_are_given_up_on_after_two_requests() {
        let patience = Patience::new(DEFAULT_VALIDATION_TIME);
        assert_eq!(requests(&patience, true, 1), (vec![3], Some(false)));
        assert_eq!(requests(&patience, true, 1000), (vec![3, 20], Some(true)));
        assert_eq!(
            requests(&patience, false, 1),
            (vec![], None),
            "the program is not run again"
        );
    }

    #[test]
    fn slow_programs_get_few_long_requests_on_made_up_data() {
        let patience = Patience::new(DEFAULT_VALIDATION_TIME);
        for _ in 0..5 {
            assert_eq!(requests(&patience, false, 15), (vec![3, 20], Some(false)));
        }
        for _ in 0..2 {
            assert_eq!(requests(&patience, true, 15), (vec![3, 20], Some(false)));
        }
        assert_eq!(requests(&patience, true, 15), (vec![3], None));
        assert_eq!(requests(&patience, true, 1), (vec![3], Some(false)));
    }

    #[test]
    fn stated_validation_times_are_used() {
        assert_eq!(
            requests(&Patience::new(Duration::from_secs(300)), false, 200),
            (vec![3, 300], Some(false))
        );
        assert_eq!(
            requests(&Patience::new(Duration::from_secs(2)), false, 3),
            (vec![2, 2], Some(true))
        );
    }
}

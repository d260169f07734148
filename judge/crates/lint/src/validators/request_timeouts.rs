//! The timeouts of requests to the programs of a package, and when a program is abandoned.
//!
//! Responsible for the time limit of each request and for repeating it. Must not know the requests.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The CPU time limit of a first attempt. Nearly all requests take milliseconds.
const QUICK: Duration = Duration::from_secs(3);
/// The CPU time limit of a second attempt. The limit of wall-clock time is twice as long plus one
/// second, so both attempts with a program that waits take less than a minute: 7 s and 41 s.
const SLOW: Duration = Duration::from_secs(20);
/// The default validation time of the format. Packages with slow programs set a longer one.
const DEFAULT_VALIDATION_TIME: Duration = Duration::from_secs(60);
/// The maximum number of requests about synthetic data that take longer than [`QUICK`].
const MAX_SLOW: u32 = 2;

/// The timeouts of all requests to programs of one kind, shared by all threads.
#[derive(Debug)]
pub(super) struct RequestTimeouts {
    quick: Duration,
    slow: Duration,
    /// True after a program exceeded the time limit of a second attempt. It is not run again.
    abandoned: AtomicBool,
    /// The number of requests about synthetic data that ended only in the second attempt.
    slow_requests: AtomicU32,
    /// Held during a second attempt, so that only one thread at a time waits for a program that
    /// does not end.
    second: Mutex<()>,
}

impl RequestTimeouts {
    /// Creates the timeouts of programs that get this much CPU time in a contest.
    pub(super) fn new(validation_time: Duration) -> Self {
        let slow = if validation_time > DEFAULT_VALIDATION_TIME {
            validation_time
        } else {
            validation_time.min(SLOW)
        };
        Self {
            quick: QUICK.min(slow),
            slow,
            abandoned: AtomicBool::new(false),
            slow_requests: AtomicU32::new(0),
            second: Mutex::new(()),
        }
    }

    /// Makes a request, and repeats it with more time if the first attempt times out. Returns
    /// `None` if the program is abandoned, or if too many requests about `synthetic` data were
    /// slow.
    pub(super) fn request<T, E>(
        &self,
        synthetic: bool,
        mut attempt: impl FnMut(Duration) -> Result<T, E>,
        timed_out: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, E> {
        if self.abandoned.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let first = attempt(self.quick)?;
        if !timed_out(&first) {
            return Ok(Some(first));
        }
        let _second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        let is_too_slow = synthetic && self.slow_requests.load(Ordering::Relaxed) >= MAX_SLOW;
        if is_too_slow || self.abandoned.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let second = attempt(self.slow)?;
        if timed_out(&second) {
            self.abandoned.store(true, Ordering::Relaxed);
        } else if synthetic {
            self.slow_requests.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Some(second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time limits of the attempts with a program that needs this many seconds, and the reply.
    fn requests(
        timeouts: &RequestTimeouts,
        synthetic: bool,
        needs: u64,
    ) -> (Vec<u64>, Option<bool>) {
        let mut times = Vec::new();
        let attempt = |time: Duration| -> Result<bool, ()> {
            times.push(time.as_secs());
            Ok(Duration::from_secs(needs) > time)
        };
        let reply = timeouts
            .request(synthetic, attempt, |timed_out| *timed_out)
            .unwrap();
        (times, reply)
    }

    #[test]
    fn endless_programs_are_abandoned_after_two_requests() {
        let timeouts = RequestTimeouts::new(DEFAULT_VALIDATION_TIME);
        assert_eq!(requests(&timeouts, true, 1), (vec![3], Some(false)));
        assert_eq!(requests(&timeouts, true, 1000), (vec![3, 20], Some(true)));
        assert_eq!(
            requests(&timeouts, false, 1),
            (vec![], None),
            "the program is not run again"
        );
    }

    #[test]
    fn slow_programs_get_few_long_requests_on_made_up_data() {
        let timeouts = RequestTimeouts::new(DEFAULT_VALIDATION_TIME);
        for _ in 0..5 {
            assert_eq!(requests(&timeouts, false, 15), (vec![3, 20], Some(false)));
        }
        for _ in 0..2 {
            assert_eq!(requests(&timeouts, true, 15), (vec![3, 20], Some(false)));
        }
        assert_eq!(requests(&timeouts, true, 15), (vec![3], None));
        assert_eq!(requests(&timeouts, true, 1), (vec![3], Some(false)));
    }

    #[test]
    fn stated_validation_times_are_used() {
        assert_eq!(
            requests(&RequestTimeouts::new(Duration::from_secs(300)), false, 200),
            (vec![3, 300], Some(false))
        );
        assert_eq!(
            requests(&RequestTimeouts::new(Duration::from_secs(2)), false, 3),
            (vec![2, 2], Some(true))
        );
    }
}

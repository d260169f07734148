//! Patience: how long programs of a package are waited for, and when one of them is given up.
//!
//! Responsible for the time of each request and for asking again. Must not know what is asked.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The CPU time of a first request. Nearly all of them take milliseconds.
const QUICK: Duration = Duration::from_secs(3);
/// The CPU time of the second one. A program that waits gets twice as long and a second more, so
/// that both requests together take less than a minute: 7 s and 41 s.
const SLOW: Duration = Duration::from_secs(20);
/// The validation time of the format. One that is larger was chosen for a slow program.
const ORDINARY: Duration = Duration::from_secs(60);
/// The number of made-up requests that may take longer than [`QUICK`] each.
const MAX_SLOW: u32 = 2;

/// The patience with the programs of one kind, over all threads.
#[derive(Debug)]
pub(super) struct Patience {
    quick: Duration,
    slow: Duration,
    /// True once a program did not end in its second time: it is asked nothing more.
    given_up: AtomicBool,
    /// The number of made-up requests that took long and ended.
    slow_ones: AtomicU32,
    /// Held during a second request, so that threads that all find that a program does not end wait
    /// for one of them.
    second: Mutex<()>,
}

impl Patience {
    /// With programs that get so much CPU time in a contest.
    pub(super) fn new(validation_time: Duration) -> Self {
        let slow = if validation_time > ORDINARY {
            validation_time
        } else {
            validation_time.min(SLOW)
        };
        Self {
            quick: QUICK.min(slow),
            slow,
            given_up: AtomicBool::new(false),
            slow_ones: AtomicU32::new(0),
            second: Mutex::new(()),
        }
    }

    /// Makes a request, and a second time with more time when the first one is not enough; `None`
    /// when the program is given up, or when too many requests that are `made_up` took too long.
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
        let is_enough = made_up && self.slow_ones.load(Ordering::Relaxed) >= MAX_SLOW;
        if is_enough || self.given_up.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let second = request(self.slow)?;
        if timed_out(&second) {
            self.given_up.store(true, Ordering::Relaxed);
        } else if made_up {
            self.slow_ones.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Some(second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of the requests to a program that needs this long, and what came of it.
    fn asked(patience: &Patience, made_up: bool, needs: u64) -> (Vec<u64>, Option<bool>) {
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
    fn a_program_that_does_not_end_is_asked_twice_and_given_up() {
        let patience = Patience::new(ORDINARY);
        assert_eq!(asked(&patience, true, 1), (vec![3], Some(false)));
        assert_eq!(asked(&patience, true, 1000), (vec![3, 20], Some(true)));
        assert_eq!(
            asked(&patience, false, 1),
            (vec![], None),
            "it is asked nothing more"
        );
    }

    #[test]
    fn a_slow_program_is_waited_for_on_its_own_data_and_not_often_on_made_up_data() {
        let patience = Patience::new(ORDINARY);
        for _ in 0..5 {
            assert_eq!(asked(&patience, false, 15), (vec![3, 20], Some(false)));
        }
        for _ in 0..2 {
            assert_eq!(asked(&patience, true, 15), (vec![3, 20], Some(false)));
        }
        assert_eq!(asked(&patience, true, 15), (vec![3], None));
        assert_eq!(asked(&patience, true, 1), (vec![3], Some(false)));
    }

    #[test]
    fn a_package_that_states_more_or_less_time_gets_that() {
        assert_eq!(
            asked(&Patience::new(Duration::from_secs(300)), false, 200),
            (vec![3, 300], Some(false))
        );
        assert_eq!(
            asked(&Patience::new(Duration::from_secs(2)), false, 3),
            (vec![2, 2], Some(true))
        );
    }
}

//! The monotonic clock, and waits with a time limit.
//!
//! Responsible for converting between durations and the time types of system calls. Must not
//! allocate: children that share the zygote's memory read the clock too.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::time::{ClockId, clock_gettime};

/// The current time on the host's monotonic clock.
pub(crate) fn now() -> Duration {
    read(ClockId::Monotonic)
}

/// The current time on a clock.
pub(crate) fn read(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Converts a duration to the type that system calls take.
pub(crate) fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs() as i64,
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}

/// A duration in nanoseconds, at most as many as the type holds.
pub(crate) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// True if a descriptor is readable or becomes readable before the timeout.
pub(crate) fn is_readable_within(fd: &impl AsFd, timeout: Duration) -> bool {
    let deadline = Instant::now() + timeout;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&timespec(left))) {
            // A signal to this process ends poll early, regardless of the descriptor.
            Err(Errno::INTR) => {}
            result => return result.is_ok_and(|count| count > 0),
        }
    }
}

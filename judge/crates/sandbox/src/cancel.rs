//! Cancelling runs from another thread.
//!
//! Responsible for a flag that can be polled together with pipes. Must not know who sets it or what
//! it cancels.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

use crate::SandboxError;

/// Cancels runs from another thread. Clones share their state. A token cannot be reset, and every
/// run that holds it ends with `Termination::Cancelled`.
#[derive(Clone, Debug)]
pub struct CancelToken {
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    cancelled: AtomicBool,
    /// An event descriptor, readable from the cancellation on because it is never read.
    wake: OwnedFd,
}

impl CancelToken {
    /// Creates a token that is not set.
    ///
    /// # Errors
    /// When the process is out of file descriptors.
    pub fn new() -> Result<Self, SandboxError> {
        // eventfd(2): never blocks the setter, and stays readable while its count is not 0.
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(SandboxError::host("create an event descriptor"))?;
        let state = State {
            cancelled: AtomicBool::new(false),
            wake,
        };
        Ok(Self {
            state: Arc::new(state),
        })
    }

    /// Sets the token. Runs that hold it are killed; later runs with it end immediately.
    pub fn cancel(&self) {
        // The flag is set before the event: a run that is woken must find it set.
        if self.state.cancelled.swap(true, Ordering::AcqRel) {
            return;
        }
        // It can only fail when the count is at its maximum, which one write of 1 never reaches.
        let _ = rustix::io::write(&self.state.wake, &1_u64.to_ne_bytes());
    }

    /// True once the token has been set.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state.cancelled.load(Ordering::Acquire)
    }
}

impl AsFd for CancelToken {
    /// Returns a descriptor to poll together with others, readable once the token is set. Do not
    /// read from it.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.state.wake.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    #[test]
    fn clones_share_a_permanent_state() {
        let token = CancelToken::new().unwrap();
        let readable = |token: &CancelToken| {
            let now = Timespec {
                tv_sec: 0,
                tv_nsec: 0,
            };
            poll(&mut [PollFd::new(token, PollFlags::IN)], Some(&now)).unwrap() == 1
        };
        assert!(!token.is_cancelled() && !readable(&token));
        token.clone().cancel();
        token.cancel();
        assert!(token.is_cancelled() && readable(&token) && readable(&token));
    }
}

//! One side of a conversation.
//!
//! Responsible for its current state. Must not carry bytes or decide anything.

use std::time::{Duration, Instant};

use judge_model::Limit;

use crate::proc::state::ProcessState;
use crate::relay::conversation::Mailbox;
use crate::streams::duplex::Duplex;
use crate::{CancelToken, Finished, RunLimits};

/// One side as the relay sees it.
pub(crate) struct Peer<'a> {
    pub(crate) line: Duplex,
    pub(crate) cancel: CancelToken,
    pub(crate) mailbox: &'a Mailbox,
    pub(crate) limits: RunLimits,
    pub(crate) finished: Option<Finished>,
    /// The limit for which the relay killed it.
    pub(crate) reason: Option<Limit>,
    /// The time at which it is killed because the other side has ended, and whether it is killed
    /// even if it has read everything.
    pub(crate) dismissal: Option<(Instant, bool)>,
    /// True once it was killed for that reason.
    pub(crate) dismissed: bool,
    /// The elapsed time that counts as its own.
    pub(crate) own_time: Duration,
    /// The time for which it had waited for a processor at the last observation.
    pub(crate) waited: Duration,
    /// The time at which it had used up its own time, by the waiting known then, and whether it was
    /// observed since.
    pub(crate) overdue: Option<(Instant, bool)>,
    /// Its state at the last observation, if no bytes have moved since.
    pub(crate) state: Option<ProcessState>,
    /// The CPU time that it had used at the last observation.
    pub(crate) cpu_ns: Option<u64>,
    /// True if it used CPU time between the last two observations.
    pub(crate) computes: Option<bool>,
    /// The number of bytes moved when its state was last requested; `None` once it has answered.
    pub(crate) requested: Option<u64>,
    /// The time at which its input was closed.
    pub(crate) notified_at: Option<Duration>,
}

impl<'a> Peer<'a> {
    pub(crate) fn new(
        line: Duplex,
        limits: RunLimits,
        cancel: CancelToken,
        mailbox: &'a Mailbox,
    ) -> Self {
        Self {
            line,
            cancel,
            mailbox,
            limits,
            finished: None,
            reason: None,
            dismissal: None,
            dismissed: false,
            own_time: Duration::ZERO,
            waited: Duration::ZERO,
            overdue: None,
            state: None,
            cpu_ns: None,
            computes: None,
            requested: None,
            notified_at: None,
        }
    }

    /// The elapsed time that it has left. Waiting for a processor does not count, up to a bound.
    pub(crate) fn time_left(&self) -> Duration {
        let wall_time = self.limits.wall_time;
        let counted = wall_time.saturating_sub(self.own_time.saturating_sub(self.waited));
        counted.min(RunLimits::max_elapsed(wall_time).saturating_sub(self.own_time))
    }

    /// True if it may be waiting for input; `None` if that is unknown. If its state cannot be
    /// observed, a program that uses no CPU time may be waiting.
    pub(crate) fn may_wait(&self) -> Option<bool> {
        match self.state? {
            ProcessState::Waiting | ProcessState::Perhaps => Some(true),
            ProcessState::Busy | ProcessState::Ending => Some(false),
            ProcessState::Unknown => self.computes.map(|computes| !computes),
        }
    }
}

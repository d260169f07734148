//! One side of a conversation.
//!
//! Responsible for what is known about it at the moment. Must not carry bytes or decide anything.

use std::time::{Duration, Instant};

use judge_model::Termination;

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
    /// The reason why the relay ended it.
    pub(crate) reason: Option<Termination>,
    /// The time when it is ended because the other one has ended, and whether it is ended even if
    /// it has read everything.
    pub(crate) dismissal: Option<(Instant, bool)>,
    /// True once it was ended for that reason.
    pub(crate) dismissed: bool,
    /// Elapsed time that counts as its own.
    pub(crate) own_time: Duration,
    /// The time for which it had waited for a processor when it was last seen.
    pub(crate) waited: Duration,
    /// The time when its own time was up, given what was known of its waiting, and whether it was
    /// seen since.
    pub(crate) overdue: Option<(Instant, bool)>,
    /// The state that it was seen in, if nothing was said since.
    pub(crate) state: Option<ProcessState>,
    /// The CPU time that it had used when it was last seen.
    pub(crate) cpu_ns: Option<u64>,
    /// True if it had used CPU time between the last two looks.
    pub(crate) computes: Option<bool>,
    /// The amount that had been said when it was last asked for its state, until it answers.
    pub(crate) requested: Option<u64>,
    /// The time when the end of its input was passed on to it.
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

    /// The time left of its elapsed time. Waiting for a processor does not count, up to a bound.
    pub(crate) fn time_left(&self) -> Duration {
        let wall_time = self.limits.wall_time;
        let counted = wall_time.saturating_sub(self.own_time.saturating_sub(self.waited));
        counted.min(RunLimits::max_elapsed(wall_time).saturating_sub(self.own_time))
    }

    /// True if it may be waiting for input, as far as that is known. Where its state cannot be
    /// seen, a program that uses no CPU time may be waiting.
    pub(crate) fn may_wait(&self) -> Option<bool> {
        match self.state? {
            ProcessState::Waiting | ProcessState::Perhaps => Some(true),
            ProcessState::Busy | ProcessState::Ending => Some(false),
            ProcessState::Unknown => self.computes.map(|computes| !computes),
        }
    }
}

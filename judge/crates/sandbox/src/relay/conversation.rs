//! The types of conversations: the listener, the fate of a side, and the result.
//!
//! Must not know how bytes get from one side to the other.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use judge_model::{Limit, Outcome, Termination};

use crate::streams::duplex::Bell;
use crate::{Finished, SandboxError};

/// The listener to a conversation. Sides are numbered 0 and 1.
pub trait Listener {
    /// A side has written bytes, `elapsed` after the beginning.
    fn wrote(&mut self, side: usize, bytes: &[u8], elapsed: Duration);

    /// Both sides wait for each other. Side 0 is killed now. Later output may be a consequence of
    /// that, or may have been buffered by a side until its end.
    fn deadlocked(&mut self) {}

    /// A side has ended while the other one still runs. Returns the fate of the other one.
    fn ended(&mut self, side: usize, outcome: &Outcome) -> Partner;
}

/// The fate of a side whose partner has ended. A side that is killed for this reason alone counts
/// as cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// It continues until its own end or one of its limits.
    Continues,
    /// It is killed immediately.
    Killed,
    /// It is killed after this elapsed time, unless it has ended by then or has read all of its
    /// input.
    KilledAfter(Duration),
}

/// The side that ended first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// This side, and the other one could have noticed that before its own end.
    Side(usize),
    /// This side by the clock, but the other one ended before it could notice: their order is
    /// chance.
    ByChance(usize),
}

/// A conversation that is over.
#[derive(Debug)]
pub struct Conversation {
    /// Both sides. Bytes on standard output are those that were read from it.
    pub sides: [Finished; 2],
    /// The side that ended first, by the ends of their processes.
    pub first: First,
    /// True if both waited for each other's output. Side 0 was then killed, for its wall time.
    pub deadlock: bool,
    /// True if side 0 was killed because its own time had reached the maximum elapsed time of a run
    /// ([`max_elapsed`](crate::RunLimits::max_elapsed)).
    pub starved: bool,
}

/// The messages from the thread of a side to the relay.
pub(crate) struct Mailbox {
    pub(crate) bell: Bell,
    pub(crate) result: Mutex<Option<Result<Finished, SandboxError>>>,
}

impl Mailbox {
    pub(crate) fn new() -> Result<Self, SandboxError> {
        Ok(Self {
            bell: Bell::new()?,
            result: Mutex::new(None),
        })
    }

    pub(crate) fn take(&self) -> Option<Result<Finished, SandboxError>> {
        self.result
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

/// Returns a finished side with the limit for which the relay killed it, if it did, and the number
/// of bytes that it wrote.
pub(crate) fn with_reason(mut finished: Finished, reason: Option<Limit>, written: u64) -> Finished {
    finished.outcome.usage.stdout_bytes = written;
    if let Some(limit) = reason
        && !matches!(finished.outcome.termination, Termination::Killed { .. })
    {
        finished.outcome.termination = Termination::Killed { limit };
    }
    finished
}

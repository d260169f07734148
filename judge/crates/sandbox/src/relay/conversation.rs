//! The types of conversations: the listener, the fate of a side, and the result.
//!
//! Must not know how bytes get from one side to the other.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use judge_model::{Outcome, Termination};

use crate::streams::duplex::Bell;
use crate::{Finished, SandboxError};

/// The listener to a conversation. Sides are numbered 0 and 1.
pub trait Listener {
    /// A side has said something, `elapsed` after the beginning.
    fn said(&mut self, side: usize, bytes: &[u8], elapsed: Duration);

    /// Both sides wait for each other. Side 0 is ended now; what is said after this may be a
    /// consequence, or what a side had held back until its own end.
    fn deadlocked(&mut self) {}

    /// A side has ended while the other one still runs; the answer decides about the other one.
    fn ended(&mut self, side: usize, outcome: &Outcome) -> Partner;
}

/// The fate of a side whose partner has ended. One that is ended for this reason alone is
/// cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// It goes on until its own end or one of its limits.
    Stays,
    /// It is ended immediately.
    Ends,
    /// It is ended after so much elapsed time, unless it has ended or read everything that was said
    /// to it by then.
    EndsAfter(Duration),
}

/// The side that ended first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// This one, and the other one could have noticed it before it ended itself.
    Side(usize),
    /// This one by the clock, but the other one ended before it could notice: their order is
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
    /// True if both waited for each other's output. Side 0 was then ended, for its wall time.
    pub deadlock: bool,
    /// True if side 0 was ended because its own time had reached the longest time that a run may
    /// take ([`max_elapsed`](crate::RunLimits::max_elapsed)).
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

/// The outcome of a side that was ended for a reason of the relay's own.
pub(crate) fn with_reason(
    mut finished: Finished,
    reason: Option<Termination>,
    written: u64,
) -> Finished {
    finished.outcome.usage.stdout_bytes = written;
    if let Some(reason) = reason
        && !matches!(finished.outcome.termination, Termination::Killed { .. })
    {
        finished.outcome.termination = reason;
    }
    finished
}

//! One side of a conversation.
//!
//! Responsible for what is known of it at the moment. Must not carry bytes, nor decide anything.

use std::time::{Duration, Instant};

use judge_model::Termination;

use crate::conversation::Post;
use crate::line::Line;
use crate::sight::Sight;
use crate::{CancelToken, Finished, RunLimits};

/// One side as the relay sees it.
pub(crate) struct Party<'a> {
    pub(crate) line: Line,
    pub(crate) cancel: CancelToken,
    pub(crate) post: &'a Post,
    pub(crate) limits: RunLimits,
    pub(crate) finished: Option<Finished>,
    /// Why the relay ended it.
    pub(crate) reason: Option<Termination>,
    /// When it is ended because the other one has ended, whether even if it has read everything, and whether it was.
    pub(crate) leave: Option<(Instant, bool)>,
    pub(crate) dismissed: bool,
    /// Elapsed time that counts as its own.
    pub(crate) own: Duration,
    /// What it was seen doing, if nothing was said since.
    pub(crate) sight: Option<Sight>,
    /// The CPU time that it had used when it was last seen, and whether it had used any since it was seen before.
    pub(crate) cpu_ns: Option<u64>,
    pub(crate) computes: Option<bool>,
    /// How much had been said when it was last asked what it is doing, until it answers.
    pub(crate) asked: Option<u64>,
    /// When the end of its input was passed on to it.
    pub(crate) told: Option<Duration>,
}

impl<'a> Party<'a> {
    pub(crate) fn new(line: Line, limits: RunLimits, cancel: CancelToken, post: &'a Post) -> Self {
        Self {
            line,
            cancel,
            post,
            limits,
            finished: None,
            reason: None,
            leave: None,
            dismissed: false,
            own: Duration::ZERO,
            sight: None,
            cpu_ns: None,
            computes: None,
            asked: None,
            told: None,
        }
    }

    /// Whether it may be waiting for input, as far as that can be told. Where it cannot be seen what it does, one that
    /// uses no CPU time may.
    pub(crate) fn may_wait(&self) -> Option<bool> {
        match self.sight? {
            Sight::Waiting | Sight::Perhaps => Some(true),
            Sight::Busy | Sight::Ending => Some(false),
            Sight::Unknown => self.computes.map(|computes| !computes),
        }
    }
}

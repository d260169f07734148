//! Conversations: two programs that run at the same time, each in its slot, the output of one being the other's input.
//!
//! Responsible for running both until both have ended, and for saying which one ended first and whether they waited
//! for each other. Must not know what the two are to each other, nor what they say.
//!
//! Each side is run by a thread of its own; the calling thread is the relay between them (`relay.rs`).

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use judge_model::{Outcome, Termination};

use crate::relay::duplex::{Bell, Duplex};
use crate::relay::transfer::Relay;
use crate::{CancelToken, Capture, Execution, Finished, Input, SandboxError, Slot};

/// One of the two programs.
pub struct Side<'a> {
    /// The slot in which the program runs.
    pub slot: &'a mut dyn Slot,
    /// The execution of the program. Its standard input and its token are replaced. Its wall time is time of its own:
    /// the time in which it waits for words that the other side has not said yet does not count.
    pub execution: Execution,
    /// Takes its standard error.
    pub capture: &'a mut Capture,
}

/// The listener to a conversation. Sides are numbered 0 and 1.
pub trait Listener {
    /// A side has said something, so long after the beginning.
    fn said(&mut self, side: usize, bytes: &[u8], elapsed: Duration);

    /// Both sides wait for each other. Side 0 is ended now; what is said after this may be a consequence, or what a
    /// side had held back until its own end.
    fn deadlocked(&mut self) {}

    /// A side has ended while the other one still runs; the answer says what becomes of the other one.
    fn ended(&mut self, side: usize, outcome: &Outcome) -> Partner;
}

/// The fate of a side whose partner has ended. One that is ended for this reason alone is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// It ends by itself, or for its own limits.
    Stays,
    /// It is ended at once.
    Ends,
    /// It is ended after so much elapsed time, unless it has by then ended by itself or read everything that was said to
    /// it.
    EndsAfter(Duration),
}

/// The side that ended first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// This one, and the other one could have noticed it before it ended itself.
    Side(usize),
    /// This one by the clock, but the other one ended before it could notice: their order is chance.
    ByChance(usize),
}

/// A conversation that is over.
#[derive(Debug)]
pub struct Conversation {
    /// Both sides. Bytes on standard output are those that were read from it.
    pub sides: [Finished; 2],
    /// The side that ended first, by the ends of their processes.
    pub first: First,
    /// True if both waited for each other's words. Side 0 was then ended, for its wall time.
    pub deadlock: bool,
    /// True if side 0 was ended after the longest time of its own that a run may take
    /// ([`longest`](crate::RunLimits::longest)).
    pub starved: bool,
}

/// The messages from the thread of a side to the relay.
pub(crate) struct Post {
    pub(crate) bell: Bell,
    pub(crate) result: Mutex<Option<Result<Finished, SandboxError>>>,
}

impl Post {
    fn new() -> Result<Self, SandboxError> {
        Ok(Self { bell: Bell::new()?, result: Mutex::new(None) })
    }

    pub(crate) fn take(&self) -> Option<Result<Finished, SandboxError>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Rings even when the thread panics: the relay would wait for ever.
struct Ringing<'a>(&'a Bell);

impl Drop for Ringing<'_> {
    fn drop(&mut self) {
        self.0.ring();
    }
}

/// Lets two programs talk to each other until both have ended. When `cancel` is set, both end.
///
/// Output of a side is counted against its limit for standard output and kept for the other side without bound up to
/// that, so that no two full pipes can block both. A side that writes to one that has ended or does not listen never
/// notices: its output is read and forgotten. A side whose partner has ended reads the end of its input as soon as it
/// has read everything else and waits for more.
///
/// # Errors
/// As for [`Slot::run`], of either side.
pub fn converse(
    sides: [Side<'_>; 2],
    cancel: &CancelToken,
    listener: &mut dyn Listener,
) -> Result<Conversation, SandboxError> {
    let posts = [Post::new()?, Post::new()?];
    let lines = [Duplex::new()?, Duplex::new()?];
    let tokens = [CancelToken::new()?, CancelToken::new()?];
    let limits = sides.each_ref().map(|side| side.execution.limits.clone());
    // The relay ends sides that take too long; this is for the case that it cannot.
    let wall_time = limits.iter().map(|limits| limits.wall_time).sum::<Duration>() + Duration::from_secs(5);
    let ends = lines.map(|(line, ends)| (line, ends));
    let mut relay = Relay::new(ends, limits, tokens.clone(), &posts, cancel)?;
    let done = thread::scope(|scope| {
        let lines = relay.lines();
        let threads: Vec<_> = sides
            .into_iter()
            .zip(lines)
            .zip(tokens.clone().into_iter().zip(&posts))
            .map(|((side, line), (token, post))| {
                scope.spawn(move || {
                    let _ringing = Ringing(&post.bell);
                    let Side { slot, mut execution, capture } = side;
                    execution.stdin = Input::Duplex(line);
                    execution.cancel = token;
                    execution.limits.wall_time = wall_time;
                    let result = slot.run(&execution, capture);
                    *post.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                })
            })
            .collect();
        let done = relay.relay(listener);
        tokens.iter().for_each(CancelToken::cancel);
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        done
    });
    done?;
    relay.conversation()
}

/// The outcome of a side that was ended for a reason of the relay's own.
pub(crate) fn with_reason(mut finished: Finished, reason: Option<Termination>, written: u64) -> Finished {
    finished.outcome.usage.stdout_bytes = written;
    if let Some(reason) = reason
        && !matches!(finished.outcome.termination, Termination::Killed { .. })
    {
        finished.outcome.termination = reason;
    }
    finished
}

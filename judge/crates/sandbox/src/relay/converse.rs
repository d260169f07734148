//! Running a conversation: two programs at the same time, each in its slot and with the other's
//! output as its input.
//!
//! Responsible for running both programs until both have ended. Must not know their roles or
//! messages.
//!
//! Each side is run by a separate thread; the calling thread is the relay between them
//! (`transfer.rs`).

use std::io;
use std::sync::PoisonError;
use std::thread::{self, Builder};
use std::time::Duration;

use crate::relay::conversation::{Conversation, Listener, Mailbox};
use crate::relay::transfer::Relay;
use crate::streams::duplex::{Bell, Duplex};
use crate::{CancelToken, Capture, Execution, Input, SandboxError, Slot};

/// One of the two programs.
pub struct Side<'a> {
    /// The slot in which the program runs.
    pub slot: &'a mut dyn Slot,
    /// The execution of the program. Its standard input and its token are replaced. Its wall time
    /// counts only its own time, without waiting for output of the other side.
    pub execution: Execution,
    /// Receives its standard error.
    pub capture: &'a mut Capture,
}

/// Rings when dropped, even if the thread panics: the relay would wait forever otherwise.
struct RingOnDrop<'a>(&'a Bell);

impl Drop for RingOnDrop<'_> {
    fn drop(&mut self) {
        self.0.ring();
    }
}

/// Connects two programs and runs them until both have ended. When `cancel` is set, both end.
///
/// The output of a side is counted against its limit for standard output. Up to that limit, all of
/// it is queued for the other side, so that two full pipes cannot block both. A side never notices
/// that its partner has ended or has closed its input: its output is read and discarded. A side
/// whose partner has ended reads the end of its input as soon as it has read everything else and
/// waits for more.
///
/// # Errors
/// As for [`Slot::run`], of either side.
pub fn converse(
    sides: [Side<'_>; 2],
    cancel: &CancelToken,
    listener: &mut dyn Listener,
) -> Result<Conversation, SandboxError> {
    let mailboxes = [Mailbox::new()?, Mailbox::new()?];
    let lines = [Duplex::new()?, Duplex::new()?];
    let tokens = [CancelToken::new()?, CancelToken::new()?];
    let limits = sides.each_ref().map(|side| side.execution.limits.clone());
    // The relay kills sides that take too long; this limit applies only if it cannot. A side waits
    // for the other one while that computes, so its slot allows the time of both.
    let wall_time = limits
        .iter()
        .map(|limits| limits.wall_time)
        .sum::<Duration>()
        + Duration::from_secs(5);
    let mut relay = Relay::new(lines, limits, tokens.clone(), &mailboxes, cancel)?;
    let done = thread::scope(|scope| {
        let lines = relay.lines();
        let threads: io::Result<Vec<_>> = sides
            .into_iter()
            .zip(lines)
            .zip(tokens.clone().into_iter().zip(&mailboxes))
            .map(|((side, line), (token, mailbox))| {
                Builder::new().spawn_scoped(scope, move || {
                    let _ring = RingOnDrop(&mailbox.bell);
                    let Side {
                        slot,
                        mut execution,
                        capture,
                    } = side;
                    execution.stdin = Input::Duplex(line);
                    execution.cancel = token;
                    execution.limits.wall_time = wall_time;
                    let result = slot.run(&execution, capture);
                    *mailbox
                        .result
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner) = Some(result);
                })
            })
            .collect();
        let (threads, done) = match threads {
            Ok(threads) => (threads, relay.relay(listener)),
            Err(error) => (Vec::new(), Err(SandboxError::host("start a thread")(error))),
        };
        // After an error too: the scope waits for every thread that was started.
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

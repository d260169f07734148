//! A line to another program: both streams of one side of a conversation.
//!
//! Responsible for handing the ends over to a run, and for requests for the program's state
//! meanwhile. Must not know who is at the other end.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::event::{EventfdFlags, eventfd};

use crate::SandboxError;
use crate::proc::state::ProcessState;
use crate::streams::pipe::{Direction, pipe};

/// An event that can be polled, and stays until it is cleared.
#[derive(Debug)]
pub(crate) struct Bell(OwnedFd);

impl Bell {
    pub(crate) fn new() -> Result<Self, SandboxError> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK);
        bell.map(Self)
            .map_err(SandboxError::host("create an event descriptor"))
    }

    pub(crate) fn ring(&self) {
        // It can only fail when the count is at its maximum: then it rings already.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }

    /// Silences it. Returns true if it rang.
    pub(crate) fn clear(&self) -> bool {
        rustix::io::read(&self.0, &mut [0; 8]).is_ok()
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// The observation of a program at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observation {
    /// The state of the program.
    pub(crate) state: ProcessState,
    /// The CPU time that it has used so far, 0 when that is not known.
    pub(crate) cpu_ns: u64,
    /// The time for which it is known to have waited for a processor, in nanoseconds.
    pub(crate) waited_ns: u64,
}

/// The observation of something that cannot be observed.
const UNOBSERVED: Observation = Observation {
    state: ProcessState::Unknown,
    cpu_ns: 0,
    waited_ns: 0,
};

/// One side of a duplex ([`Input::Duplex`](crate::Input::Duplex)). It serves one run; clones are
/// the same side.
#[derive(Clone, Debug)]
pub struct Duplex(Arc<DuplexState>);

#[derive(Debug)]
struct DuplexState {
    /// The ends of the line that the program reads from and writes to, until a run takes them.
    ends: Mutex<Option<[OwnedFd; 2]>>,
    /// True if no process takes the ends, so that there is nothing to observe.
    is_unobserved: AtomicBool,
    requests: Bell,
    state: AtomicU32,
    cpu_ns: AtomicU64,
    waited_ns: AtomicU64,
    answers: Bell,
}

impl Duplex {
    /// A line, and its far ends: what is written to the first is the program's input, and its
    /// output is read from the second.
    pub(crate) fn new() -> Result<(Self, [OwnedFd; 2]), SandboxError> {
        let ((stdin, to_stdin), (from_stdout, stdout)) =
            (pipe(Direction::ToProgram)?, pipe(Direction::FromProgram)?);
        let state = DuplexState {
            ends: Mutex::new(Some([stdin, stdout])),
            is_unobserved: AtomicBool::new(false),
            requests: Bell::new()?,
            state: AtomicU32::new(ProcessState::Unknown as u32),
            cpu_ns: AtomicU64::new(0),
            waited_ns: AtomicU64::new(0),
            answers: Bell::new()?,
        };
        Ok((Self(Arc::new(state)), [to_stdin, from_stdout]))
    }

    /// Takes the ends for the program: its standard input and its standard output. The executor of
    /// the run must close both once the program has them, or the program's closing them would go
    /// unnoticed. `None` when they have been taken before.
    #[must_use]
    pub fn take_ends(&self) -> Option<[OwnedFd; 2]> {
        self.0
            .ends
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Takes the ends for something that is not a process of the sandbox, such as a person. Without
    /// this, the relay would wait for observations of it before it passes on the end of the other
    /// side.
    #[must_use]
    pub fn take_ends_unobserved(&self) -> Option<[OwnedFd; 2]> {
        self.0.is_unobserved.store(true, Ordering::SeqCst);
        // The state may have been requested before.
        self.answer(&UNOBSERVED);
        self.take_ends()
    }

    /// Requests the state of the program.
    pub(crate) fn request(&self) {
        if self.0.is_unobserved.load(Ordering::SeqCst) {
            self.answer(&UNOBSERVED);
        } else {
            self.0.requests.ring();
        }
    }

    /// The bell that rings when the state of the program is requested.
    pub(crate) fn requests(&self) -> &Bell {
        &self.0.requests
    }

    /// Answers the request with an observation of the program.
    pub(crate) fn answer(&self, observation: &Observation) {
        self.0.cpu_ns.store(observation.cpu_ns, Ordering::Relaxed);
        self.0
            .waited_ns
            .store(observation.waited_ns, Ordering::Relaxed);
        // The state is stored last, with Release: a thread that loads this state with Acquire also
        // sees both times that belong to it.
        self.0
            .state
            .store(observation.state as u32, Ordering::Release);
        self.0.answers.ring();
    }

    /// The bell that rings when a request is answered.
    pub(crate) fn answers(&self) -> &Bell {
        &self.0.answers
    }

    /// The answer, if there is a new one.
    pub(crate) fn take_answer(&self) -> Option<Observation> {
        let answer = || {
            let state = ProcessState::from_message(self.0.state.load(Ordering::Acquire));
            let (cpu_ns, waited_ns) = (&self.0.cpu_ns, &self.0.waited_ns);
            Observation {
                state,
                cpu_ns: cpu_ns.load(Ordering::Relaxed),
                waited_ns: waited_ns.load(Ordering::Relaxed),
            }
        };
        // The bell is cleared before the values are loaded. An answer that arrives in between rings
        // again, and is taken in the next call.
        self.0.answers.clear().then(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without an answer, the relay waits for seconds until it passes on the end of the other side.
    #[test]
    fn sides_without_a_process_answer_every_request() {
        let (duplex, _far_ends) = Duplex::new().unwrap();
        duplex.request();
        assert!(duplex.take_answer().is_none());
        assert!(duplex.take_ends_unobserved().is_some());
        for _ in 0..2 {
            let answer = duplex.take_answer().unwrap();
            assert!(matches!(answer.state, ProcessState::Unknown));
            duplex.request();
        }
    }
}

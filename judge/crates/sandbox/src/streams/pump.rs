//! Draining a run's output while it runs.
//!
//! Responsible for reading both streams up to their limits and for noticing what happens meanwhile.
//! Must not know how a run is started or what its output means.

use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::clock::timespec;
use crate::{CancelToken, Duplex};

/// The smallest size of a read, in bytes: the usual capacity of a pipe (pipe(7)).
const CHUNK: usize = 64 * 1024;

/// One output stream of a run.
pub(crate) struct Stream<'a> {
    pipe: Option<OwnedFd>,
    bytes: &'a mut Vec<u8>,
    limit: u64,
    /// The total number of bytes that were read from the program.
    pub(crate) total: u64,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(pipe: OwnedFd, bytes: &'a mut Vec<u8>, limit: u64) -> Self {
        bytes.clear();
        Self {
            pipe: Some(pipe),
            bytes,
            limit,
            total: 0,
        }
    }

    /// A stream that is not read here.
    pub(crate) fn elsewhere(bytes: &'a mut Vec<u8>) -> Self {
        bytes.clear();
        Self {
            pipe: None,
            bytes,
            limit: u64::MAX,
            total: 0,
        }
    }

    pub(crate) fn is_exceeded(&self) -> bool {
        self.total > self.limit
    }

    /// Reads the available bytes, at most once. That cannot block (see `pipe.rs`), even if the
    /// program itself has read the bytes that `poll` announced.
    fn read(&mut self) {
        let Some(pipe) = &self.pipe else { return };
        if self.bytes.capacity() - self.bytes.len() < CHUNK / 4 {
            // A full pipe is emptied by one read. Growing in larger steps would take memory
            // that short outputs never need.
            self.bytes.reserve(CHUNK);
        }
        match rustix::io::read(pipe, spare_capacity(self.bytes)) {
            Err(Errno::INTR | Errno::AGAIN) => {}
            Ok(count) if count > 0 => {
                self.total += count as u64;
                if self.is_exceeded() {
                    // One byte more than the limit was read to know that there is more; only the
                    // limit's bytes are kept.
                    self.bytes
                        .truncate(usize::try_from(self.limit).unwrap_or(usize::MAX));
                    self.pipe = None;
                }
            }
            // The end of the stream: no process has the other end any more.
            _ => self.pipe = None,
        }
    }
}

/// The event that ended a round of pumping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The process that executes the run has sent a message, or ended.
    Answer,
    /// The run is to be killed: a stream is over its limit.
    Exceeded,
    /// The run is to be killed: it was cancelled.
    Cancelled,
    /// The state of the program is requested.
    Requested,
    /// Nothing happened until the deadline.
    Silence,
}

/// Both streams of a run.
pub(crate) struct Pump<'a> {
    pub(crate) streams: [Stream<'a>; 2],
    /// The line of a program that communicates with another one.
    pub(crate) line: Option<&'a Duplex>,
}

/// The result of one poll.
struct PollResult {
    answered: bool,
    cancelled: bool,
    requested: bool,
}

impl Pump<'_> {
    /// Reads until an event. `cancel` is omitted once it is known to be set.
    pub(crate) fn next(
        &mut self,
        answer: &impl AsFd,
        cancel: Option<&CancelToken>,
        deadline: Option<Instant>,
    ) -> Result<Event, Errno> {
        // The excess is reported once. Until the kill takes effect, the caller pumps again and
        // waits for other events.
        let exceeded_before = self.is_exceeded();
        loop {
            let timeout = deadline
                .map(|deadline| timespec(deadline.saturating_duration_since(Instant::now())));
            let PollResult {
                answered,
                cancelled,
                requested,
            } = self.wait(answer, cancel, timeout.as_ref())?;
            // The zygote's message first: after it nothing else about the run matters.
            if answered {
                return Ok(Event::Answer);
            }
            if cancelled {
                return Ok(Event::Cancelled);
            }
            if self.is_exceeded() && !exceeded_before {
                return Ok(Event::Exceeded);
            }
            // Cleared only here: a request that comes with a message, such as the one that files of
            // the previous run are still being removed, is handled in the next round.
            if requested && self.line.is_some_and(|line| line.requests().clear()) {
                return Ok(Event::Requested);
            }
            // Last, so that an event that comes together with the deadline is not reported as
            // silence.
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(Event::Silence);
            }
        }
    }

    pub(crate) fn is_exceeded(&self) -> bool {
        self.streams.iter().any(Stream::is_exceeded)
    }

    /// Waits and polls everything once: reads from readable streams, and returns the other events.
    fn wait(
        &mut self,
        answer: &impl AsFd,
        cancel: Option<&CancelToken>,
        timeout: Option<&Timespec>,
    ) -> Result<PollResult, Errno> {
        let nothing = PollResult {
            answered: false,
            cancelled: false,
            requested: false,
        };
        let (result, ready) = {
            let mut polled = Vec::with_capacity(5);
            polled.push(PollFd::new(answer, PollFlags::IN));
            polled.extend(cancel.map(|cancel| PollFd::new(cancel, PollFlags::IN)));
            polled.extend(
                self.line
                    .map(|line| PollFd::new(line.requests(), PollFlags::IN)),
            );
            let first = polled.len();
            polled.extend(
                self.streams
                    .iter()
                    .filter_map(|stream| Some(PollFd::new(stream.pipe.as_ref()?, PollFlags::IN))),
            );
            match poll(&mut polled, timeout) {
                Err(Errno::INTR) | Ok(0) => return Ok(nothing),
                other => other?,
            };
            // Any event counts. When the last writer has closed an empty pipe, the kernel reports
            // POLLHUP without POLLIN, and only a read finds the end of the stream.
            let mut ready = polled[first..]
                .iter()
                .map(|polled| !polled.revents().is_empty());
            let ready = self
                .streams
                .each_ref()
                .map(|stream| stream.pipe.is_some() && ready.next() == Some(true));
            let happened = |index: usize| !polled[index].revents().is_empty();
            let requested = self.line.is_some() && happened(first - 1);
            (
                PollResult {
                    answered: happened(0),
                    cancelled: cancel.is_some() && happened(1),
                    requested,
                },
                ready,
            )
        };
        for (stream, ready) in self.streams.iter_mut().zip(ready) {
            if ready {
                stream.read();
            }
        }
        Ok(result)
    }

    /// Reads what is left in the pipes after the run is dead. It never waits, even if a process
    /// still holds a pipe.
    pub(crate) fn finish(&mut self) {
        for stream in &mut self.streams {
            while let Some(pipe) = &stream.pipe {
                match poll(
                    &mut [PollFd::new(pipe, PollFlags::IN)],
                    Some(&timespec(Duration::ZERO)),
                ) {
                    Err(Errno::INTR) => {}
                    Ok(1..) => stream.read(),
                    _ => break,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::channel::Channel;
    use rustix::pipe::pipe;

    #[test]
    fn bytes_read_back_by_the_program_do_not_end_the_stream() {
        let (out, out_writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::NONBLOCK).unwrap();
        let mut stdout = Vec::new();
        let mut stream = Stream::new(out, &mut stdout, 5);
        stream.read();
        rustix::io::write(&out_writer, b"123").unwrap();
        stream.read();
        assert_eq!((stream.total, stream.pipe.is_some()), (3, true));
    }

    #[test]
    fn streams_are_cut_at_their_limits() {
        let (ours, _theirs) = Channel::pair().unwrap();
        let ((out, out_writer), (err, err_writer)) = (pipe().unwrap(), pipe().unwrap());
        let (mut stdout, mut stderr) = (b"old".to_vec(), Vec::new());
        let mut pump = Pump {
            streams: [
                Stream::new(out, &mut stdout, 5),
                Stream::new(err, &mut stderr, 5),
            ],
            line: None,
        };
        rustix::io::write(&out_writer, b"12345").unwrap();
        rustix::io::write(&err_writer, b"123456").unwrap();
        assert_eq!(pump.next(&ours, None, None), Ok(Event::Exceeded));
        rustix::io::write(&out_writer, b"").unwrap();
        let soon = Some(Instant::now() + Duration::from_millis(5));
        assert_eq!(pump.next(&ours, None, soon), Ok(Event::Silence));
        // A writer is still there, and that must not make this wait.
        pump.finish();
        assert_eq!([pump.streams[0].total, pump.streams[1].total], [5, 6]);
        drop(pump);
        assert_eq!(
            (stdout.as_slice(), stderr.as_slice()),
            (&b"12345"[..], &b"12345"[..])
        );
    }

    #[test]
    fn requests_arriving_with_a_message_are_kept() {
        let (ours, theirs) = Channel::pair().unwrap();
        let ((out, _out_writer), (err, _err_writer)) = (pipe().unwrap(), pipe().unwrap());
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let (line, _ends) = Duplex::new().unwrap();
        let mut pump = Pump {
            streams: [
                Stream::new(out, &mut stdout, 5),
                Stream::new(err, &mut stderr, 5),
            ],
            line: Some(&line),
        };
        rustix::io::write(&theirs, b"message").unwrap();
        line.request();
        assert_eq!(pump.next(&ours, None, None), Ok(Event::Answer));
        ours.receive(&mut Vec::new(), &mut Vec::new()).unwrap();
        let late = Some(Instant::now() + Duration::from_secs(30));
        assert_eq!(pump.next(&ours, None, late), Ok(Event::Requested));
        let soon = Some(Instant::now() + Duration::from_millis(5));
        assert_eq!(pump.next(&ours, None, soon), Ok(Event::Silence));
    }
}

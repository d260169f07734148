//! One direction of a conversation: bytes from one side to the other.
//!
//! Responsible for reading, queueing, counting and writing them without blocking. Must not know
//! when a stream is to be closed.

use std::collections::VecDeque;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;

use crate::SandboxError;

/// The size of one read, in bytes: the usual capacity of a pipe (pipe(7)).
const CHUNK: usize = 64 * 1024;

/// One direction of a conversation.
pub(crate) struct PipeFlow {
    from: Option<OwnedFd>,
    to: Option<OwnedFd>,
    /// The bytes that were read but not written yet.
    queue: VecDeque<u8>,
    buffer: Vec<u8>,
    limit: u64,
    /// The total that the speaker has written so far, in bytes.
    pub(crate) total: u64,
    /// The number of bytes read and written, plus one for the end. An observation is outdated if
    /// this number has changed since.
    pub(crate) moved: u64,
    /// The time when the speaker last wrote, since the beginning.
    pub(crate) spoke_at: Option<Duration>,
    /// The time at which the source was closed.
    closed: Option<Instant>,
}

impl PipeFlow {
    pub(crate) fn new(from: OwnedFd, to: OwnedFd, limit: u64) -> Result<Self, SandboxError> {
        // Set only on this end: the listener's end has a separate description with its own flags.
        fcntl_getfl(&to)
            .and_then(|flags| fcntl_setfl(&to, flags | OFlags::NONBLOCK))
            .map_err(SandboxError::host("prepare a pipe"))?;
        Ok(Self {
            from: Some(from),
            to: Some(to),
            queue: VecDeque::new(),
            buffer: vec![0; CHUNK],
            limit,
            total: 0,
            moved: 0,
            spoke_at: None,
            closed: None,
        })
    }

    pub(crate) fn is_exceeded(&self) -> bool {
        self.total > self.limit
    }

    /// The descriptor to poll for reading. `None` for a speaker over its limit: it is about to be
    /// killed, and must not see the pipe close first.
    pub(crate) fn readable(&self) -> Option<&OwnedFd> {
        self.from.as_ref().filter(|_| !self.is_exceeded())
    }

    /// The descriptor to poll for writing.
    pub(crate) fn writable(&self) -> Option<&OwnedFd> {
        self.to.as_ref().filter(|_| !self.queue.is_empty())
    }

    /// Reads once and passes the bytes to `on_read`. Does nothing if the pipe is empty although
    /// `poll` reported data: the speaker may have read them back.
    pub(crate) fn read(&mut self, elapsed: Duration, on_read: impl FnOnce(&[u8])) {
        let Some(from) = &self.from else { return };
        match rustix::io::read(from, self.buffer.as_mut_slice()) {
            Err(Errno::INTR | Errno::AGAIN) => {}
            Ok(count) if count > 0 => {
                // Bytes beyond the limit are counted, so that the excess is detected, but never
                // passed on.
                let room =
                    usize::try_from(self.limit.saturating_sub(self.total)).unwrap_or(usize::MAX);
                let bytes_read = &self.buffer[..count.min(room)];
                self.total += count as u64;
                self.moved += count as u64;
                // Set when the speaker writes, not when the listener receives: the turn changes
                // with the write, even if the listener is slow.
                self.spoke_at = Some(elapsed);
                on_read(bytes_read);
                if self.to.is_some() {
                    self.queue.extend(bytes_read);
                }
            }
            _ => self.close_source(),
        }
    }

    /// Writes as much as the listener's pipe can take. If the listener has closed its end, its
    /// input is closed here too.
    pub(crate) fn write(&mut self) {
        while let Some(to) = &self.to
            && !self.queue.is_empty()
        {
            // The queue is a ring, so its bytes may be in two slices. The first slice is written
            // here, and the second one becomes the first in a later round.
            match rustix::io::write(to, self.queue.as_slices().0) {
                Ok(count) => {
                    self.queue.drain(..count);
                    self.moved += count as u64;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                // EPIPE: no process has the listener's end any more, so the queued bytes can never
                // be read.
                Err(_) => self.close(),
            }
        }
    }

    /// Closes the source after its last byte.
    pub(crate) fn close_source(&mut self) {
        if self.from.take().is_some() {
            self.moved += 1;
            self.closed = Some(Instant::now());
        }
    }

    /// The time at which the source was closed.
    pub(crate) fn closed_at(&self) -> Option<Instant> {
        self.closed
    }

    /// Closes the listener's input.
    pub(crate) fn close(&mut self) {
        self.to = None;
        self.queue = VecDeque::new();
    }

    /// True while the listener's input is open.
    pub(crate) fn is_open(&self) -> bool {
        self.to.is_some()
    }

    /// True if everything is in the listener's pipe.
    pub(crate) fn is_written(&self) -> bool {
        self.queue.is_empty()
    }

    /// True if the listener has read everything, or cannot read it any more.
    pub(crate) fn is_delivered(&self) -> bool {
        // FIONREAD returns the number of unread bytes on either end of a pipe (pipe(7)).
        let unread = |to: BorrowedFd<'_>| rustix::io::ioctl_fionread(to).unwrap_or(0);
        self.queue.is_empty()
            && self
                .to
                .as_ref()
                .is_none_or(|to| unread(std::os::fd::AsFd::as_fd(to)) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::pipe::pipe;

    #[test]
    fn bytes_beyond_a_full_pipe_are_queued_and_counted() {
        let ((from, speaker), (listener, to)) = (pipe().unwrap(), pipe().unwrap());
        let mut flow = PipeFlow::new(from, to, 200_000).unwrap();
        let mut bytes_read = 0;
        for _ in 0..3 {
            rustix::io::write(&speaker, &[b'x'; 60_000]).unwrap();
            flow.read(Duration::ZERO, |bytes| bytes_read += bytes.len());
            flow.write();
        }
        assert_eq!((bytes_read, flow.total), (180_000, 180_000));
        assert!(!flow.is_written() && !flow.is_delivered() && flow.writable().is_some());
        let (mut read, mut space) = (0, vec![0; 70_000]);
        while read < 180_000 {
            read += rustix::io::read(&listener, space.as_mut_slice()).unwrap();
            flow.write();
        }
        assert!(flow.is_written() && flow.is_delivered());
        rustix::io::write(&speaker, &[b'x'; 60_000]).unwrap();
        flow.read(Duration::ZERO, |bytes| bytes_read += bytes.len());
        assert_eq!(
            (bytes_read, flow.is_exceeded(), flow.readable().is_none()),
            (200_000, true, true)
        );
    }

    #[test]
    fn a_closed_listener_does_not_block_the_speaker() {
        let ((from, speaker), (listener, to)) = (pipe().unwrap(), pipe().unwrap());
        let mut flow = PipeFlow::new(from, to, 100).unwrap();
        drop(listener);
        rustix::io::write(&speaker, b"hello").unwrap();
        flow.read(Duration::ZERO, |_| {});
        flow.write();
        assert!(!flow.is_open() && flow.is_delivered());
        rustix::io::write(&speaker, b"goodbye.").unwrap();
        flow.read(Duration::ZERO, |_| {});
        assert_eq!((flow.total, flow.closed_at()), (13, None));
        let before = flow.moved;
        drop(speaker);
        flow.read(Duration::ZERO, |_| {});
        assert!(flow.closed_at().is_some());
        assert_ne!(
            flow.moved, before,
            "earlier observations of the speaker are outdated"
        );
    }
}

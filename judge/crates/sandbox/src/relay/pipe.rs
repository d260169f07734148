//! Bytes on their way from one side of a conversation to the other.
//!
//! Responsible for reading, keeping, counting and writing them without ever waiting. Must not know
//! when a stream is to be closed.

use std::collections::VecDeque;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;

use crate::SandboxError;

/// The size of one read, in bytes: the usual capacity of a pipe (pipe(7)).
const CHUNK: usize = 64 * 1024;

/// One direction.
pub(crate) struct PipeFlow {
    from: Option<OwnedFd>,
    to: Option<OwnedFd>,
    /// The bytes that were read and are not written yet.
    queue: VecDeque<u8>,
    buffer: Vec<u8>,
    limit: u64,
    /// The total that the speaker has written so far, in bytes.
    pub(crate) total: u64,
    /// Bytes read and bytes written, and one for the end: observations from before any of these are
    /// out of date.
    pub(crate) moved: u64,
    /// The time when the speaker last wrote, since the beginning.
    pub(crate) spoke_at: Option<Duration>,
    /// The time from which nothing more is to come.
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

    /// The descriptor to poll for reading. Nothing more is read of a speaker over its limit; it is
    /// about to be ended, and must not see the pipe closed before.
    pub(crate) fn readable(&self) -> Option<&OwnedFd> {
        self.from.as_ref().filter(|_| !self.is_exceeded())
    }

    /// The descriptor to poll for writing.
    pub(crate) fn writable(&self) -> Option<&OwnedFd> {
        self.to.as_ref().filter(|_| !self.queue.is_empty())
    }

    /// Reads once, and passes on what was said: nothing if the speaker has taken it back after a
    /// poll has announced it.
    pub(crate) fn read(&mut self, elapsed: Duration, said: impl FnOnce(&[u8])) {
        let Some(from) = &self.from else { return };
        match rustix::io::read(from, self.buffer.as_mut_slice()) {
            Err(Errno::INTR | Errno::AGAIN) => {}
            Ok(count) if count > 0 => {
                // Bytes beyond the limit are counted, so that the limit shows as exceeded, but
                // never passed on.
                let room =
                    usize::try_from(self.limit.saturating_sub(self.total)).unwrap_or(usize::MAX);
                let bytes_read = &self.buffer[..count.min(room)];
                self.total += count as u64;
                self.moved += count as u64;
                // Counted by what was said and not by what arrives: the turn changes when the
                // speaker has written, however slow the listener is.
                self.spoke_at = Some(elapsed);
                said(bytes_read);
                if self.to.is_some() {
                    self.queue.extend(bytes_read);
                }
            }
            _ => self.close_source(),
        }
    }

    /// Writes as much as the listener's pipe can take. If the listener no longer listens, its input
    /// is closed.
    pub(crate) fn write(&mut self) {
        while let Some(to) = &self.to
            && !self.queue.is_empty()
        {
            match rustix::io::write(to, self.queue.as_slices().0) {
                Ok(count) => {
                    self.queue.drain(..count);
                    self.moved += count as u64;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.close(),
            }
        }
    }

    /// Closes the source: nothing more is to come.
    pub(crate) fn close_source(&mut self) {
        if self.from.take().is_some() {
            self.moved += 1;
            self.closed = Some(Instant::now());
        }
    }

    /// The time from which nothing more is to come.
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
    fn a_deaf_listener_costs_nothing() {
        let ((from, speaker), (listener, to)) = (pipe().unwrap(), pipe().unwrap());
        let mut flow = PipeFlow::new(from, to, 100).unwrap();
        drop(listener);
        rustix::io::write(&speaker, b"hello").unwrap();
        flow.read(Duration::ZERO, |_| {});
        flow.write();
        assert!(!flow.is_open() && flow.is_delivered());
        rustix::io::write(&speaker, b"anybody?").unwrap();
        flow.read(Duration::ZERO, |_| {});
        assert_eq!((flow.total, flow.closed_at()), (13, None));
        let before = flow.moved;
        drop(speaker);
        flow.read(Duration::ZERO, |_| {});
        assert!(flow.closed_at().is_some());
        assert_ne!(
            flow.moved, before,
            "what was seen of the speaker before is out of date"
        );
    }
}

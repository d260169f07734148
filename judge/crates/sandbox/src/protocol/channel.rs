//! The socket between the harness and one zygote.
//!
//! Responsible for sending and receiving whole messages with file descriptors. Must not know their
//! contents.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg,
    sendmsg, socketpair,
};

/// The largest number of file descriptors in a message.
const MAX_DESCRIPTORS: usize = 20;

/// The maximum size of a message, in bytes. Below the default send buffer of Unix sockets
/// (net.core.wmem_default, socket(7)).
pub(crate) const MAX_MESSAGE_BYTES: usize = 160 * 1024;

/// One end of a channel. Messages keep their bounds (`SOCK_SEQPACKET`, unix(7)), and the end of the
/// other side is noticed.
pub(crate) struct Channel {
    socket: OwnedFd,
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Channel {
    pub(crate) fn new(socket: OwnedFd) -> Self {
        Self { socket }
    }

    /// A connected pair: the harness's end, and the socket to be given to the zygote.
    pub(crate) fn pair() -> Result<(Self, OwnedFd), Errno> {
        let (ours, theirs) = socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )?;
        Ok((Self::new(ours), theirs))
    }

    /// Sets a timeout for every wait of this end, which then fails with `EAGAIN`: the other end may
    /// be stopped or stuck.
    pub(crate) fn set_timeouts(&self, timeout: Duration) -> Result<(), Errno> {
        set_socket_timeout(&self.socket, Timeout::Send, Some(timeout))?;
        set_socket_timeout(&self.socket, Timeout::Recv, Some(timeout))
    }

    /// Sends one message. If the other end is closed, this is an error (`EPIPE`) and never a
    /// signal.
    pub(crate) fn send(&self, message: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<(), Errno> {
        self.send_with(message, descriptors, SendFlags::empty())
    }

    fn send_with(
        &self,
        message: &[u8],
        descriptors: &[BorrowedFd<'_>],
        flags: SendFlags,
    ) -> Result<(), Errno> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
            return Err(Errno::MSGSIZE);
        }
        loop {
            match sendmsg(
                &self.socket,
                &[IoSlice::new(message)],
                &mut control,
                SendFlags::NOSIGNAL | flags,
            ) {
                Err(Errno::INTR) => {}
                other => return other.map(drop),
            }
        }
    }

    /// Sends one message, unless so many are unread at the other end that sending would have to
    /// wait.
    pub(crate) fn send_if_room(
        &self,
        message: &[u8],
        descriptors: &[BorrowedFd<'_>],
    ) -> Result<(), Errno> {
        self.send_with(message, descriptors, SendFlags::DONTWAIT)
    }

    /// Waits for one message and returns its length; `None` if the other end is closed. The buffer
    /// is allocated once and keeps its size. New memory is mostly zero already: writing zeros, as
    /// `resize` does, would cost more than the message.
    pub(crate) fn receive(
        &self,
        buffer: &mut Vec<u8>,
        descriptors: &mut Vec<OwnedFd>,
    ) -> Result<Option<usize>, Errno> {
        descriptors.clear();
        if buffer.len() != MAX_MESSAGE_BYTES {
            *buffer = vec![0; MAX_MESSAGE_BYTES];
        }
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received = loop {
            let mut slices = [IoSliceMut::new(buffer)];
            match recvmsg(
                &self.socket,
                &mut slices,
                &mut control,
                RecvFlags::CMSG_CLOEXEC,
            ) {
                Err(Errno::INTR) => {}
                // The other end died before it read a message.
                Err(Errno::CONNRESET) => return Ok(None),
                other => break other?,
            }
        };
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(received) = message {
                descriptors.extend(received);
            }
        }
        // A truncated message, or one without all of its descriptors, would have another meaning.
        if received
            .flags
            .intersects(ReturnFlags::TRUNC | ReturnFlags::CTRUNC)
        {
            return Err(Errno::MSGSIZE);
        }
        // No message is empty, so 0 bytes are the end of the stream.
        if received.bytes == 0 {
            return Ok(None);
        }
        Ok(Some(received.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_keep_their_bounds_and_carry_descriptors() {
        let (ours, theirs) = Channel::pair().unwrap();
        let theirs = Channel::new(theirs);
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        ours.send(b"one", &[]).unwrap();
        ours.send(b"second", &[writer.as_fd()]).unwrap();
        drop(writer);
        let (mut buffer, mut descriptors) = (Vec::new(), Vec::new());
        let length = theirs
            .receive(&mut buffer, &mut descriptors)
            .unwrap()
            .unwrap();
        assert_eq!((&buffer[..length], descriptors.len()), (&b"one"[..], 0));
        let length = theirs
            .receive(&mut buffer, &mut descriptors)
            .unwrap()
            .unwrap();
        assert_eq!((&buffer[..length], descriptors.len()), (&b"second"[..], 1));
        rustix::io::write(&descriptors[0], b"!").unwrap();
        assert_eq!(rustix::io::read(&reader, &mut [0; 4]).unwrap(), 1);
        drop(ours);
        assert_eq!(theirs.receive(&mut buffer, &mut descriptors), Ok(None));
        assert_eq!(theirs.send(b"x", &[]), Err(Errno::PIPE));
    }
}

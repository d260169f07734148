//! The standard streams of a run on the zygote's side.
//!
//! Responsible for opening them from an order. Must not know what goes through them.

use std::os::fd::OwnedFd;

use rustix::fs::{CWD, OFlags};
use rustix::io::Errno;

use crate::open::{open_at, open_beneath};
use crate::protocol::messages::Stdin;

/// The three standard streams. Without standard input, the null device is used.
pub(super) struct Streams {
    pub(super) stdin: Option<OwnedFd>,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
    /// The program's end of the socket over which runs are requested, if it is to be warm.
    pub(super) control: Option<OwnedFd>,
}

/// The program's streams, from the message's descriptors and the depots.
pub(super) fn streams(
    stdin: Stdin<'_>,
    depots: &[OwnedFd],
    descriptors: &mut Vec<OwnedFd>,
) -> Result<Streams, String> {
    let mut descriptors = descriptors.drain(..);
    let mut next = || descriptors.next().ok_or("a descriptor is missing");
    let stdin = match stdin {
        Stdin::Empty => None,
        Stdin::Descriptor => Some(next()?),
        Stdin::Depot(depot, path) => {
            let depot = depots
                .get(depot as usize)
                .ok_or("an unknown depot was named")?;
            // Without O_NONBLOCK, opening a FIFO for reading waits for a writer (fifo(7)), and the
            // zygote would hang. For a regular file the flag has no effect.
            let flags = OFlags::RDONLY | OFlags::NONBLOCK;
            let file = open_beneath(depot, path, flags).map_err(|error| {
                format!(
                    "cannot open standard input `{}` in its depot: {error}",
                    path.to_string_lossy()
                )
            })?;
            Some(file)
        }
    };
    Ok(Streams {
        stdin,
        stdout: next()?,
        stderr: next()?,
        control: None,
    })
}

/// The null device. Opened for each run, so that each has a separate file description: flags that
/// are set on it do not reach the next run.
pub(super) fn null() -> Result<OwnedFd, Errno> {
    open_at(CWD, c"/dev/null", OFlags::RDWR)
}

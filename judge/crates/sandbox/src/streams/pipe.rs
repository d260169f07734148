//! Pipes between the harness and a program.
//!
//! Responsible for what a program can do with its end. Must not know what goes through them.

use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags, fchmod, fcntl_getfl, fcntl_setfl};
use rustix::pipe::{PipeFlags, pipe_with};

use crate::SandboxError;

/// The direction in which bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    ToProgram,
    FromProgram,
}

/// Creates a pipe: the end to read from and the end to write to. The harness's end for reading
/// never blocks: a program with the same user can change the pipe's mode, open it for reading, and
/// take the bytes that `poll` has announced. The program's end has separate flags.
///
/// A program that opens `/dev/stdin` or `/dev/stdout` opens the pipe once more, for which the
/// kernel checks the pipe's mode (proc_pid_fd(5)). The program is another user at some levels, and
/// only its own processes can reach the pipe, so every user may open it, in its direction only.
pub(crate) fn pipe(direction: Direction) -> Result<(OwnedFd, OwnedFd), SandboxError> {
    let ends = pipe_with(PipeFlags::CLOEXEC).map_err(SandboxError::host("create a pipe"))?;
    let mode = match direction {
        Direction::ToProgram => 0o444,
        Direction::FromProgram => 0o222,
    };
    fchmod(&ends.0, Mode::from_raw_mode(mode))
        .map_err(SandboxError::host("set the mode of a pipe"))?;
    // Set on the description of our end only; a pipe has one for each end.
    if direction == Direction::FromProgram {
        fcntl_getfl(&ends.0)
            .and_then(|flags| fcntl_setfl(&ends.0, flags | OFlags::NONBLOCK))
            .map_err(SandboxError::host("prepare a pipe"))?;
    }
    Ok(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_programs_ends_block() {
        let blocks = |end: &OwnedFd| !fcntl_getfl(end).unwrap().contains(OFlags::NONBLOCK);
        let (ours, theirs) = pipe(Direction::FromProgram).unwrap();
        assert!(!blocks(&ours) && blocks(&theirs));
        let (theirs, _ours) = pipe(Direction::ToProgram).unwrap();
        assert!(blocks(&theirs));
    }
}

//! The output: results on their way to a file or standard output.
//!
//! Responsible for their order, for writing complete lines, and for resuming after an earlier
//! command. Must not depend on the content of a result.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::hash::RandomState;
use std::io::{self, BufReader, IsTerminal as _, Write};
use std::os::fd::AsFd as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Mutex;

use judge_event::RequestId;
use judge_files::BoundedLines;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FlockOperation, OFlags, fcntl_lock};
use rustix::io::Errno;
use serde::Deserialize;

use super::duplicates::hashes;
use super::intake::{Sequence, locked};
use crate::args::GradeArgs;
use crate::config::Config;
use crate::failure::Failure;

/// The maximum length of a line of results, in bytes. A longer line is invalid.
const MAX_RESULT_BYTES: usize = 64 << 20;

/// The name of a request: its id, or else its line.
#[derive(Debug, Deserialize)]
struct ResultName {
    #[serde(default)]
    id: Option<RequestId>,
    line: u64,
}

/// The requests that an earlier command has answered. Two hashes stand for each, so that
/// millions of them need little memory.
#[derive(Debug, Default)]
pub(super) struct Answered {
    hashers: [RandomState; 2],
    /// The number of results with each name that no request of this command has claimed yet.
    unclaimed: Mutex<HashMap<[u64; 2], u32>>,
}

impl Answered {
    /// Reads a file of results, and cuts off an incomplete last line.
    fn read(file: &File, failed: impl Fn(io::Error) -> Failure) -> Result<Self, Failure> {
        let answered = Self::default();
        let mut unclaimed = HashMap::new();
        let mut lines = BoundedLines::new(BufReader::new(file), MAX_RESULT_BYTES);
        let mut whole_bytes = 0;
        while let Some(line) = lines.next_line().map_err(&failed)? {
            let not_a_result = |why: &str| {
                let text = format!("line {} is not a result: {why}", lines.number());
                failed(io::Error::new(io::ErrorKind::InvalidData, text))
            };
            if line.last() != Some(&b'\n') {
                // The earlier process was killed while it wrote this line. Its request is judged
                // again.
                if is_incomplete_result(&line) {
                    break;
                }
                return Err(not_a_result("it neither ends nor begins like one"));
            }
            let name: ResultName = serde_json::from_slice(&line).map_err(|error| {
                let error = error.to_string();
                // The place within the line would look like that of another line.
                not_a_result(error.split(" at line ").next().unwrap_or_default())
            })?;
            *unclaimed
                .entry(answered.key(name.id.as_ref(), name.line))
                .or_default() += 1;
            whole_bytes += line.len() as u64;
        }
        if file.metadata().map_err(&failed)?.len() > whole_bytes {
            file.set_len(whole_bytes).map_err(&failed)?;
        }
        *locked(&answered.unclaimed) = unclaimed;
        Ok(answered)
    }

    fn key(&self, id: Option<&RequestId>, line: u64) -> [u64; 2] {
        // The number 1 and the text "1" are different ids, and so is line 1.
        match id {
            Some(id) => hashes(&self.hashers, id),
            None => hashes(&self.hashers, &[line]),
        }
    }

    /// Claims the result of a request. False if it has none, or if requests with the same id have
    /// claimed all of them.
    pub(super) fn claim(&self, id: Option<&RequestId>, line: u64) -> bool {
        let key = self.key(id, line);
        let mut unclaimed = locked(&self.unclaimed);
        let Some(number) = unclaimed.get_mut(&key).filter(|number| **number > 0) else {
            return false;
        };
        *number -= 1;
        true
    }
}

/// The destination of results: a file or standard output.
pub(super) struct Output {
    state: Mutex<OutputState>,
    /// True when results go to standard output, whose reader may disappear.
    is_stdout: bool,
}

struct OutputState {
    writer: Box<dyn Write + Send>,
    /// With `--ordered`: the sequence number to write next, and later results that are already
    /// finished.
    order: Option<(Sequence, BTreeMap<Sequence, Vec<u8>>)>,
}

impl Output {
    /// Opens the file that the command line names, or standard output. Also returns the requests
    /// with a result in this file.
    pub(super) fn open(config: &Config, args: &GradeArgs) -> Result<(Self, Answered), Failure> {
        let mut answered = Answered::default();
        let writer: Box<dyn Write + Send> = match (&args.output, &args.resume) {
            (Some(file), _) => Box::new(create(config, file)?),
            (None, Some(file)) => {
                let (opened, found) = resume(config, file)?;
                answered = found;
                Box::new(opened)
            }
            (None, None) => Box::new(io::stdout()),
        };
        let order = args.ordered.then(|| (Sequence(0), BTreeMap::new()));
        let output = Self {
            state: Mutex::new(OutputState { writer, order }),
            is_stdout: args.output.is_none() && args.resume.is_none(),
        };
        Ok((output, answered))
    }

    /// Writes the line of a result, which is empty for a request that is skipped. Returns the
    /// requests whose results are written now.
    pub(super) fn write(&self, sequence: Sequence, line: Vec<u8>) -> io::Result<Vec<Sequence>> {
        let mut state = locked(&self.state);
        let OutputState { writer, order } = &mut *state;
        let Some((next, ready)) = order else {
            write_line(writer, &line)?;
            return Ok(vec![sequence]);
        };
        // An empty line of a skipped request is inserted as well, since the results after it wait
        // for its turn.
        ready.insert(sequence, line);
        let mut written = Vec::new();
        while let Some(line) = ready.remove(next) {
            write_line(writer, &line)?;
            written.push(*next);
            *next = Sequence(next.0 + 1);
        }
        Ok(written)
    }

    /// True when the reader of the results is gone.
    pub(super) fn is_abandoned(&self) -> bool {
        if !self.is_stdout {
            return false;
        }
        let stdout = io::stdout();
        if stdout.is_terminal() {
            return false;
        }
        let fd = stdout.as_fd();
        // poll(2) reports POLLERR for a pipe without a reader even if no event is asked for.
        let mut polled = [PollFd::new(&fd, PollFlags::empty())];
        let at_once = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        poll(&mut polled, Some(&at_once)).is_ok_and(|ready| ready > 0)
            && polled[0]
                .revents()
                .intersects(PollFlags::ERR | PollFlags::HUP)
    }
}

/// True for the beginning of a result, and false for that of another file, which must not be removed.
fn is_incomplete_result(line: &[u8]) -> bool {
    [&b"{\"id\":"[..], b"{\"line\":"]
        .iter()
        .any(|start| line.starts_with(start) || start.starts_with(line))
}

/// Creates a file of results, or opens a device or pipe.
fn create(config: &Config, file: &Path) -> Result<File, Failure> {
    let name = file.display();
    let unwritable = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Usage(format!(
            "`{name}` exists already\nhint: `--resume {name}` continues it; or remove it first"
        )),
        _ => Failure::Usage(format!("cannot write `{name}`: {error}")),
    };
    let path = config.directory.join(file);
    // A device has no content that could be lost.
    let is_device = path
        .metadata()
        .is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_device {
        return File::options().write(true).open(&path).map_err(unwritable);
    }
    let mut options = File::options();
    let opened = options.create_new(true).write(true).open(&path);
    let opened = opened.map_err(unwritable)?;
    lock(&opened).map_err(unwritable)?;
    Ok(opened)
}

/// Opens a file of results to append to it, and reads the results in it.
fn resume(config: &Config, file: &Path) -> Result<(File, Answered), Failure> {
    let failed =
        |error: io::Error| Failure::Usage(format!("cannot resume `{}`: {error}", file.display()));
    // A pipe would keep the opening waiting for its other end.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = File::options()
        .create(true)
        .read(true)
        .append(true)
        .custom_flags(flags.bits().cast_signed())
        .open(config.directory.join(file))
        .map_err(failed)?;
    // Others keep no results that could be read again.
    if !opened.metadata().map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("not a regular file")));
    }
    lock(&opened).map_err(failed)?;
    let answered = Answered::read(&opened, failed)?;
    Ok((opened, answered))
}

/// Locks a file of results, so that no other command writes the same results, or removes an
/// incomplete line that is still being written.
fn lock(file: &File) -> io::Result<()> {
    // A lock of this process, because one of the open file would also belong to its children,
    // which may outlive it briefly.
    match fcntl_lock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::AGAIN | Errno::ACCESS) => {
            let text = "another `judge grade` is writing to it";
            Err(io::Error::new(io::ErrorKind::WouldBlock, text))
        }
        // On a file system without locks, other commands are not excluded.
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a line by one call, so that a killed process leaves at most one incomplete line, and
/// flushes it: its reader may wait for it.
fn write_line(writer: &mut dyn Write, line: &[u8]) -> io::Result<()> {
    if line.is_empty() {
        return Ok(());
    }
    writer.write_all(line)?;
    writer.flush()
}

//! The output: results on their way to a file or standard output.
//!
//! Responsible for their order, for writing complete lines, and for resuming after an earlier
//! command. Must not depend on the content of a result.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::hash::RandomState;
use std::io::{self, BufReader, IsTerminal as _, Write};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::sync::Mutex;

use judge_event::RequestId;
use judge_files::BoundedLines;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
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
    names: HashSet<[u64; 2]>,
}

impl Answered {
    /// Reads a file of results, and cuts off an incomplete last line.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| {
            Failure::Usage(format!("cannot resume `{}`: {error}", path.display()))
        };
        let mut answered = Self::default();
        if !path.try_exists().map_err(failed)? {
            return Ok(answered);
        }
        let file = File::options()
            .read(true)
            .write(true)
            .open(path)
            .map_err(failed)?;
        let mut lines = BoundedLines::new(BufReader::new(&file), MAX_RESULT_BYTES);
        let mut whole_bytes = 0;
        while let Some(line) = lines.next_line().map_err(failed)? {
            // The earlier process was killed while it wrote this line. Its request is judged
            // again.
            if line.last() != Some(&b'\n') {
                break;
            }
            let name: ResultName = serde_json::from_slice(&line).map_err(|error| {
                let text = format!("line {} is not a result: {error}", lines.number());
                failed(io::Error::new(io::ErrorKind::InvalidData, text))
            })?;
            answered
                .names
                .insert(answered.key(name.id.as_ref(), name.line));
            whole_bytes += line.len() as u64;
        }
        if file.metadata().map_err(failed)?.len() > whole_bytes {
            file.set_len(whole_bytes).map_err(failed)?;
        }
        Ok(answered)
    }

    fn key(&self, id: Option<&RequestId>, line: u64) -> [u64; 2] {
        // The number 1 and the text "1" are different ids, and so is line 1.
        match id {
            Some(id) => hashes(&self.hashers, id),
            None => hashes(&self.hashers, &[line]),
        }
    }

    /// True for a request that has a result.
    pub(super) fn contains(&self, id: Option<&RequestId>, line: u64) -> bool {
        !self.names.is_empty() && self.names.contains(&self.key(id, line))
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
    /// Opens the file that the command line names, or standard output.
    pub(super) fn open(config: &Config, args: &GradeArgs) -> Result<Self, Failure> {
        let mut options = File::options();
        let named = match (&args.output, &args.resume) {
            (Some(file), _) => Some((file, options.create_new(true).write(true))),
            (None, Some(file)) => Some((file, options.create(true).append(true))),
            (None, None) => None,
        };
        let writer: Box<dyn Write + Send> = match named {
            None => Box::new(io::stdout()),
            Some((file, options)) => {
                let path = config.directory.join(file);
                // A device has no content that could be lost.
                let is_device = path
                    .metadata()
                    .is_ok_and(|found| !found.is_file() && !found.is_dir());
                let opened = if is_device {
                    File::options().write(true).open(&path)
                } else {
                    options.open(&path)
                };
                Box::new(opened.map_err(|error| {
                    let name = file.display();
                    match error.kind() {
                        io::ErrorKind::AlreadyExists => Failure::Usage(format!(
                            "`{name}` exists already\nhint: `--resume {name}` continues it; or remove it first"
                        )),
                        _ => Failure::Usage(format!("cannot write `{name}`: {error}")),
                    }
                })?)
            }
        };
        let order = args.ordered.then(|| (Sequence(0), BTreeMap::new()));
        Ok(Self {
            state: Mutex::new(OutputState { writer, order }),
            is_stdout: args.output.is_none() && args.resume.is_none(),
        })
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

/// Writes a line by one call, so that a killed process leaves at most one incomplete line, and
/// flushes it: its reader may wait for it.
fn write_line(writer: &mut dyn Write, line: &[u8]) -> io::Result<()> {
    if line.is_empty() {
        return Ok(());
    }
    writer.write_all(line)?;
    writer.flush()
}

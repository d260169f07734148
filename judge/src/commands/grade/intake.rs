//! The intake: lines of requests on their way to the lanes.
//!
//! Responsible for bounds: reading waits while too many requests are unanswered, and the rest of an
//! overlong line is dropped. Must not know what a request is.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The maximum length of a line in bytes, including its line break.
pub(super) const MAX_LINE_BYTES: usize = 64 << 20;
/// The maximum number of requests that were read and are not answered.
pub(super) const MAX_IN_FLIGHT: usize = 1024;
/// The maximum length of a name in a message, in characters.
const MAX_NAME: usize = 80;
/// The maximum size of the lines of unanswered requests, in bytes. A single line may be larger.
const MAX_BYTES_IN_FLIGHT: usize = 256 << 20;

/// Locks a mutex, also after a panic of another thread: none can leave the state half-changed.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place of a request in the input: the number of requests before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sequence(pub(super) u64);

/// A line that was read.
#[derive(Debug)]
pub(super) struct RequestLine {
    pub(super) sequence: Sequence,
    /// The number of the line, counted from 1.
    pub(super) line: u64,
    /// The bytes; `None` for an overlong line.
    pub(super) bytes: Option<Vec<u8>>,
}

/// The order in which lanes take requests: by priority, then as they were read.
type Turn = (Reverse<i64>, Sequence);

/// A request that is not answered yet.
#[derive(Debug)]
struct InFlight {
    bytes: usize,
    /// The name of the request in messages: its id, or else its line.
    name: String,
}

#[derive(Debug, Default)]
struct IntakeState {
    queue: BTreeMap<Turn, RequestLine>,
    in_flight: BTreeMap<Sequence, InFlight>,
    bytes: usize,
    /// The size of all lines that were read, in bytes.
    bytes_read: u64,
    /// True when nothing more will be read.
    ended: bool,
    /// True when the whole input was read.
    is_whole: bool,
    /// True once no further request is to be begun.
    stopped: bool,
    lines: u64,
    error: Option<io::Error>,
}

/// The queue of requests between the reader of the input and the lanes.
#[derive(Debug)]
pub(super) struct Intake {
    state: Mutex<IntakeState>,
    changed: Condvar,
    /// The maximum number of requests that may be answered before an earlier one; `None` for no
    /// bound.
    max_ahead: Option<usize>,
}

/// The requests without a result.
#[derive(Debug)]
pub(super) struct Unanswered {
    names: Vec<String>,
    /// The last line that was read.
    last_line: u64,
    /// True when the whole input was read.
    is_whole: bool,
    pub(super) error: Option<io::Error>,
}

impl Intake {
    pub(super) fn new(max_ahead: Option<usize>) -> Self {
        Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            max_ahead,
        }
    }

    /// Reads lines until the end, or until the intake is stopped. `priority` gives the priority of
    /// a request by its line.
    pub(super) fn read(&self, mut reader: impl BufRead, priority: fn(&[u8]) -> i64) {
        let end = self.read_all(&mut reader, priority);
        let mut state = locked(&self.state);
        state.ended = true;
        match end {
            Ok(is_whole) => state.is_whole = is_whole,
            Err(error) => state.error = Some(error),
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Reads lines. False when the intake was stopped before the end of the input.
    fn read_all(&self, reader: &mut impl BufRead, priority: fn(&[u8]) -> i64) -> io::Result<bool> {
        let (mut sequence, mut line) = (0, 0);
        while let Some(bytes) = next_line(reader, MAX_LINE_BYTES)? {
            // Empty lines are no requests, but they are counted, so that errors name the line that
            // an editor shows.
            line += 1;
            if bytes
                .as_ref()
                .is_some_and(|bytes| bytes.trim_ascii().is_empty())
            {
                continue;
            }
            let priority = bytes.as_deref().map_or(0, priority);
            let line = RequestLine {
                sequence: Sequence(sequence),
                line,
                bytes,
            };
            if !self.push(priority, line) {
                return Ok(false);
            }
            sequence += 1;
        }
        Ok(true)
    }

    /// Adds a line once there is room for it. False when the intake is stopped.
    fn push(&self, priority: i64, line: RequestLine) -> bool {
        let size = line.bytes.as_ref().map_or(0, Vec::len);
        let is_full = |state: &mut IntakeState| {
            let first = state.in_flight.keys().next().copied();
            // With `--ordered`, a slow request holds back all results after it. Their number is
            // bounded as well.
            let ahead = first.map_or(0, |first| line.sequence.0 - first.0);
            let too_many = state.in_flight.len() >= MAX_IN_FLIGHT
                || self.max_ahead.is_some_and(|max| ahead >= max as u64)
                // A single line may be larger than the bound. Without any other in flight it is
                // accepted, or the intake would wait forever.
                || !state.in_flight.is_empty() && state.bytes + size > MAX_BYTES_IN_FLIGHT;
            too_many && !state.stopped
        };
        let mut state = self
            .changed
            .wait_while(locked(&self.state), is_full)
            .unwrap_or_else(PoisonError::into_inner);
        if state.stopped {
            return false;
        }
        state.lines = line.line;
        state.bytes += size;
        // With the line break, so that the sum is a position in the file.
        state.bytes_read += size as u64 + 1;
        state.in_flight.insert(
            line.sequence,
            InFlight {
                bytes: size,
                name: format!("line {}", line.line),
            },
        );
        let turn = (Reverse(priority), line.sequence);
        state.queue.insert(turn, line);
        drop(state);
        self.changed.notify_all();
        true
    }

    /// The next line; `None` when there will be none.
    pub(super) fn next(&self) -> Option<RequestLine> {
        let waits =
            |state: &mut IntakeState| state.queue.is_empty() && !state.ended && !state.stopped;
        let mut state = self
            .changed
            .wait_while(locked(&self.state), waits)
            .unwrap_or_else(PoisonError::into_inner);
        // Requests that no lane has begun stay in the queue: they are reported as unanswered.
        if state.stopped {
            None
        } else {
            state.queue.pop_first().map(|(_, line)| line)
        }
    }

    /// Sets the name of a request for messages.
    pub(super) fn name(&self, sequence: Sequence, name: String) {
        if let Some(request) = locked(&self.state).in_flight.get_mut(&sequence) {
            request.name = if name.chars().count() <= MAX_NAME {
                name
            } else {
                name.chars().take(MAX_NAME).collect::<String>() + "…"
            };
        }
    }

    /// The size of the lines of answered requests, in bytes.
    pub(super) fn bytes_answered(&self) -> u64 {
        let state = locked(&self.state);
        state.bytes_read.saturating_sub(state.bytes as u64)
    }

    /// Removes the first lines that no lane has taken, once every lane has ended.
    pub(super) fn left(&self, max: usize) -> Vec<RequestLine> {
        let mut state = locked(&self.state);
        std::iter::from_fn(|| state.queue.pop_first())
            .map(|(_, line)| line)
            .take(max)
            .collect()
    }

    /// Notes that a request is answered.
    pub(super) fn answered(&self, sequence: Sequence) {
        let mut state = locked(&self.state);
        if let Some(request) = state.in_flight.remove(&sequence) {
            state.bytes -= request.bytes;
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Lets lanes end after their present requests.
    pub(super) fn stop(&self) {
        locked(&self.state).stopped = true;
        self.changed.notify_all();
    }

    /// The requests without a result, once every lane has ended.
    pub(super) fn unanswered(&self) -> Unanswered {
        let mut state = locked(&self.state);
        let names = state
            .in_flight
            .values()
            .map(|request| request.name.clone())
            .collect();
        Unanswered {
            names,
            last_line: state.lines,
            is_whole: state.is_whole,
            error: state.error.take(),
        }
    }
}

impl Unanswered {
    /// True when the whole input was read and has no request.
    pub(super) fn is_empty(&self) -> bool {
        self.is_whole && self.last_line == 0
    }

    /// A sentence about these requests, which names at most `max` of them.
    pub(super) fn in_words(&self, max: usize) -> String {
        let named: Vec<&str> = self.names.iter().take(max).map(String::as_str).collect();
        let rest = self.names.len() - named.len();
        let mut text = match self.names.len() {
            0 => "every request that was begun is answered".to_owned(),
            number => format!("{number} without a result: {}", named.join(", ")),
        };
        if rest > 0 {
            text.push_str(&format!(" and {rest} more"));
        }
        if !self.is_whole && self.last_line == 0 {
            return "no request was read".to_owned();
        }
        if !self.is_whole {
            text.push_str(&format!(
                "; lines after line {} were not read",
                self.last_line
            ));
        }
        text + "\nhint: `--resume FILE` continues a file of results"
    }
}

/// The next line without its line break; `None` at the end, and `Some(None)` for an overlong line.
#[expect(
    clippy::option_option,
    reason = "the end of the input is not an overlong line"
)]
fn next_line(reader: &mut impl BufRead, max: usize) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut line = Vec::new();
    let limit = u64::try_from(max).unwrap_or(u64::MAX);
    if io::Read::take(&mut *reader, limit).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    // Without a line break, a shorter line is the last one of the input. One of full length
    // continues.
    if line.pop_if(|byte| *byte == b'\n').is_some() || line.len() < max {
        return Ok(Some(Some(line)));
    }
    drop(line);
    // The rest is dropped as it is read.
    loop {
        let buffer = reader.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let (length, is_over) = (
            end.map_or(buffer.len(), |end| end + 1),
            end.is_some() || buffer.is_empty(),
        );
        reader.consume(length);
        if is_over {
            return Ok(Some(None));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlong_lines_are_dropped() {
        let mut reader = &b"ab\n\nabcdefg\nx\nabcd"[..];
        let mut next = || next_line(&mut reader, 4).unwrap();
        assert_eq!(
            [next(), next(), next()],
            [
                Some(Some(b"ab".to_vec())),
                Some(Some(Vec::new())),
                Some(None)
            ]
        );
        assert_eq!(
            [next(), next(), next()],
            [Some(Some(b"x".to_vec())), Some(None), None]
        );
    }

    #[test]
    fn requests_without_a_result_are_named() {
        let intake = Intake::new(None);
        intake.read(&b"a\n\nb\nc\n"[..], |_| 0);
        let lines: Vec<u64> = std::iter::from_fn(|| intake.next())
            .map(|line| line.line)
            .collect();
        assert_eq!(lines, [1, 3, 4]);
        intake.answered(Sequence(0));
        intake.name(Sequence(2), "`z`".to_owned());
        let words = intake.unanswered().in_words(1);
        assert!(
            words.starts_with("2 without a result: line 3 and 1 more\n"),
            "{words}"
        );
        intake.stop();
        let words = intake.unanswered().in_words(2);
        assert!(
            words.starts_with("2 without a result: line 3, `z`\n"),
            "{words}"
        );
        // The line that is read after the stop is dropped.
        let stopped = Intake::new(None);
        stopped.stop();
        stopped.read(&b"a\nb\n"[..], |_| 0);
        let words = stopped.unanswered().in_words(2);
        assert!(words.starts_with("no request was read"), "{words}");
    }

    #[test]
    fn requests_are_taken_by_priority() {
        let intake = Intake::new(None);
        intake.read(&b"1\n5\n0\n5\n-1\n"[..], |line| {
            std::str::from_utf8(line).unwrap().parse().unwrap()
        });
        let lines: Vec<u64> = std::iter::from_fn(|| intake.next())
            .map(|line| line.line)
            .collect();
        assert_eq!(lines, [2, 4, 1, 3, 5]);
    }

    #[test]
    fn reading_waits_at_the_bound_of_requests_in_flight() {
        let intake = Intake::new(None);
        let text = "x\n".repeat(MAX_IN_FLIGHT + 1);
        std::thread::scope(|scope| {
            scope.spawn(|| intake.read(text.as_bytes(), |_| 0));
            let first = intake.next().unwrap();
            (1..MAX_IN_FLIGHT).for_each(|_| assert!(intake.next().is_some()));
            assert_eq!(locked(&intake.state).in_flight.len(), MAX_IN_FLIGHT);
            intake.answered(first.sequence);
            assert_eq!(intake.next().unwrap().line, MAX_IN_FLIGHT as u64 + 1);
        });
    }
}

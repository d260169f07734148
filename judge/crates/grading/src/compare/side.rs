//! One side of a comparison: a stream, the position in it, and the current token so far.
//!
//! Responsible for storing, in constant memory, the part of consumed bytes that a report or a
//! number needs. Must not know the other side.

use std::io::{self, BufRead};

use judge_model::Position;

use super::float::NumberReader;
use super::mismatch::Place;
use super::scan::{is_whitespace, run_length};

/// The number of bytes of a token in an excerpt before the place where it is taken.
const EXCERPT_BEFORE: usize = 128;
/// The number of bytes of a token in an excerpt from the place where it is taken.
const EXCERPT_AFTER: usize = 128;

/// One side of a comparison.
pub(super) struct Side<R> {
    reader: R,
    cursor: Cursor,
    run: Run,
}

impl<R: BufRead> Side<R> {
    /// Creates a side at its start; `reads_floats` makes it read every token as a number, too.
    pub(super) fn new(reader: R, reads_floats: bool) -> Self {
        let cursor = Cursor::default();
        let run = Run {
            is_token: false,
            start: cursor.place(),
            recent: Vec::with_capacity(2 * EXCERPT_BEFORE),
            number: reads_floats.then(NumberReader::default),
        };
        Self {
            reader,
            cursor,
            run,
        }
    }

    /// At most `limit` of the next bytes; empty only at the end.
    pub(super) fn peek(&mut self, limit: usize) -> io::Result<&[u8]> {
        let bytes = fill(&mut self.reader)?;
        Ok(&bytes[..bytes.len().min(limit)])
    }

    /// Returns the next byte.
    pub(super) fn peek_byte(&mut self) -> io::Result<Option<u8>> {
        Ok(self.peek(1)?.first().copied())
    }

    /// Consumes `count` bytes, which must have been peeked at.
    pub(super) fn consume(&mut self, count: usize) -> io::Result<()> {
        let passage = Passage::new(&fill(&mut self.reader)?[..count]);
        self.pass(&passage, count)
    }

    /// Consumes `count` bytes, of which `passage` is the record.
    pub(super) fn pass(&mut self, passage: &Passage, count: usize) -> io::Result<()> {
        let bytes = &fill(&mut self.reader)?[..count];
        if !bytes.is_empty() {
            // A new run begins within these bytes, or with their first one. The record of the
            // previous run is obsolete.
            if passage.run_start > 0 || self.run.is_token != passage.run.ends_in_token {
                self.cursor.advance(&passage.before);
                self.run
                    .restart(passage.run.ends_in_token, self.cursor.place());
            }
            self.cursor.advance(&passage.run);
            self.run.extend(&bytes[passage.run_start..]);
        }
        self.reader.consume(count);
        Ok(())
    }

    /// True if the previous byte belongs to a token.
    pub(super) fn in_token(&self) -> bool {
        self.run.is_token
    }

    /// Returns the current place.
    pub(super) fn place(&self) -> Place {
        self.cursor.place()
    }

    /// Returns the current token as a number, when it was read to its end.
    pub(super) fn number(&self) -> Option<super::float::Number<'_>> {
        self.run.number.as_ref()?.number()
    }

    /// Skips the rest of the current token, or of the whitespace that follows.
    pub(super) fn skip(&mut self, of_token: bool) -> io::Result<()> {
        loop {
            let bytes = fill(&mut self.reader)?;
            let count = run_length(bytes, of_token);
            // An empty buffer is the end of the stream, which also ends a token.
            let is_whole = count < bytes.len() || bytes.is_empty();
            self.consume(count)?;
            if is_whole {
                return Ok(());
            }
        }
    }

    /// Returns the start of the current token (or whitespace), or of the one that starts here, with
    /// its bytes around the current place. Consumes the bytes that it returns.
    pub(super) fn excerpt(&mut self, of_token: bool) -> io::Result<(Place, Vec<u8>)> {
        // In the middle of a token its beginning may be gone. Its most recent bytes are stored for
        // this purpose.
        let (start, mut bytes) = match self.run.is_token == of_token {
            true => (self.run.start, self.run.recent()),
            false => (self.cursor.place(), Vec::new()),
        };
        let mut room = EXCERPT_AFTER;
        while room > 0 {
            let next = self.peek(room)?;
            let count = run_length(next, of_token);
            if count == 0 {
                break;
            }
            bytes.extend_from_slice(&next[..count]);
            room -= count;
            self.consume(count)?;
        }
        Ok((start, bytes))
    }
}

/// `BufRead::fill_buf`, repeated when a signal interrupted it.
fn fill<R: BufRead>(reader: &mut R) -> io::Result<&[u8]> {
    // The first call reads the bytes; the second only borrows them.
    while let Err(error) = reader.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    reader.fill_buf()
}

/// The effect of some bytes on the position. Computing it costs more than comparing, so it is done
/// once where both sides are identical.
pub(super) struct Passage {
    /// The start of the last run of token bytes or of whitespace.
    run_start: usize,
    /// The counts of the bytes before it.
    before: Stretch,
    /// The counts of the bytes from it.
    run: Stretch,
}

impl Passage {
    /// Computes the effect of these bytes.
    pub(super) fn new(bytes: &[u8]) -> Self {
        let run_start = last_run(bytes);
        let (before, run) = bytes.split_at(run_start);
        Self {
            run_start,
            before: Stretch::new(before),
            run: Stretch::new(run),
        }
    }
}

/// Counts of some bytes.
#[derive(Default)]
struct Stretch {
    length: u64,
    line_feeds: u64,
    /// The number of bytes after the last line feed.
    rest: u64,
    /// The number of tokens that start after the last line feed, without one that starts with the
    /// first byte there.
    tokens: u64,
    /// True if that first byte belongs to a token.
    starts_in_token: bool,
    /// True if the last byte belongs to a token.
    ends_in_token: bool,
}

impl Stretch {
    fn new(bytes: &[u8]) -> Self {
        let line_feeds = sum(bytes, |byte| byte == b'\n');
        let last = if line_feeds > 0 {
            bytes.iter().rposition(|byte| *byte == b'\n')
        } else {
            None
        };
        let rest = &bytes[last.map_or(0, |last| last + 1)..];
        let is_token = |byte: Option<&u8>| byte.is_some_and(|byte| !is_whitespace(*byte));
        Self {
            length: bytes.len() as u64,
            line_feeds,
            rest: rest.len() as u64,
            tokens: token_starts(rest),
            starts_in_token: is_token(rest.first()),
            ends_in_token: is_token(rest.last()),
        }
    }
}

/// A place in a stream, counted in bytes, lines and tokens.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    offset: u64,
    /// The number of line feeds before it.
    line: u64,
    /// The number of bytes since the last line feed.
    column: u64,
    /// The number of tokens that started since the last line feed.
    tokens: u64,
    in_token: bool,
}

impl Cursor {
    fn place(&self) -> Place {
        let position = Position {
            line: self.line + 1,
            column: self.column + 1,
            token: self.tokens + 1,
        };
        Place {
            position,
            offset: self.offset,
        }
    }

    fn advance(&mut self, by: &Stretch) {
        self.offset += by.length;
        if by.line_feeds > 0 {
            *self = Self {
                offset: self.offset,
                line: self.line + by.line_feeds,
                ..Self::default()
            };
        }
        if by.rest > 0 {
            self.column += by.rest;
            self.tokens += by.tokens + u64::from(by.starts_in_token && !self.in_token);
            self.in_token = by.ends_in_token;
        }
    }
}

/// The number of bytes that are counted at a time: vector instructions count in single bytes, which
/// must not overflow.
const LANE: usize = 240;

fn sum(bytes: &[u8], counts: impl Fn(u8) -> bool) -> u64 {
    bytes
        .chunks(LANE)
        .map(|chunk| u64::from(chunk.iter().map(|byte| u8::from(counts(*byte))).sum::<u8>()))
        .sum()
}

/// Returns the number of tokens that start in these bytes, without one that starts with the first
/// byte.
fn token_starts(bytes: &[u8]) -> u64 {
    let others = bytes.get(1..).unwrap_or_default();
    let starts =
        |(before, byte): (&u8, &u8)| u8::from(is_whitespace(*before) & !is_whitespace(*byte));
    let chunks = bytes.chunks(LANE).zip(others.chunks(LANE));
    chunks
        .map(|(before, chunk)| u64::from(before.iter().zip(chunk).map(starts).sum::<u8>()))
        .sum()
}

/// Returns the start of the last run of token bytes (or of whitespace) in these bytes.
fn last_run(bytes: &[u8]) -> usize {
    let is_token = bytes.last().is_some_and(|byte| !is_whitespace(*byte));
    let is_other = |byte: u8| is_whitespace(byte) == is_token;
    // In steps first, because checking the bytes of a long token one by one is slow.
    let whole = bytes
        .rchunks(LANE)
        .take_while(|chunk| sum(chunk, is_other) == 0)
        .map(<[u8]>::len)
        .sum::<usize>();
    let bytes = &bytes[..bytes.len() - whole];
    bytes
        .iter()
        .rposition(|byte| is_other(*byte))
        .map_or(0, |other| other + 1)
}

/// The token, or the whitespace between tokens, that ends here.
struct Run {
    is_token: bool,
    start: Place,
    /// Its last bytes: at least [`EXCERPT_BEFORE`] of them, if it has that many.
    recent: Vec<u8>,
    /// The token as a number, if numbers are compared.
    number: Option<NumberReader>,
}

impl Run {
    fn restart(&mut self, is_token: bool, start: Place) {
        self.is_token = is_token;
        self.start = start;
        self.recent.clear();
        if let Some(number) = &mut self.number {
            number.restart();
        }
    }

    fn extend(&mut self, bytes: &[u8]) {
        let kept = &bytes[bytes.len().saturating_sub(EXCERPT_BEFORE)..];
        // The vector has twice the necessary capacity, so that the oldest bytes are rarely moved
        // out when bytes come one by one.
        if self.recent.len() + kept.len() > 2 * EXCERPT_BEFORE {
            self.recent
                .drain(..self.recent.len() - (EXCERPT_BEFORE - kept.len()));
        }
        self.recent.extend_from_slice(kept);
        if let Some(number) = &mut self.number {
            number.read(bytes);
        }
    }

    fn recent(&self) -> Vec<u8> {
        self.recent[self.recent.len().saturating_sub(EXCERPT_BEFORE)..].to_vec()
    }
}

//! Single bytes of a source, with the position of the next one.
//!
//! Responsible for reading no further than requested: in a conversation, the other side writes more
//! only after it got an answer. Must not know the meaning of the bytes.

use std::fmt;
use std::io::{ErrorKind, Read};

use super::ending::broken;

/// A position in a text. Lines and columns are counted from 1, and columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    line: u64,
    column: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

pub(super) struct Scanner {
    source: Box<dyn Read>,
    /// The name of the source, for messages.
    name: &'static str,
    buffer: Vec<u8>,
    /// The part of the buffer that was read from the source and not yet taken.
    start: usize,
    end: usize,
    ended: bool,
    position: Position,
}

impl Scanner {
    pub(super) fn new(source: Box<dyn Read>, name: &'static str) -> Self {
        let position = Position { line: 1, column: 1 };
        Self {
            source,
            name,
            buffer: vec![0; 64 << 10],
            start: 0,
            end: 0,
            ended: false,
            position,
        }
    }

    /// The name of the source, in words.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The position of the next byte.
    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// Returns the next byte without taking it; `None` at the end.
    pub(super) fn peek(&mut self) -> Option<u8> {
        // After its end, the source is not read again: a terminal or a pipe could give more.
        if self.start == self.end && !self.ended {
            self.fetch();
        }
        (self.start < self.end).then(|| self.buffer[self.start])
    }

    fn fetch(&mut self) {
        self.start = 0;
        // A single call of `read`, which need not fill the buffer: in a conversation the rest has
        // not been written yet.
        self.end = loop {
            match self.source.read(&mut self.buffer) {
                Ok(count) => break count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => broken(format_args!("cannot read {}: {error}", self.name)),
            }
        };
        self.ended = self.end == 0;
    }

    /// Takes the next byte.
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.start += 1;
        if byte == b'\n' {
            self.position = Position {
                line: self.position.line + 1,
                column: 1,
            };
        } else {
            self.position.column += 1;
        }
        Some(byte)
    }

    /// Takes the next byte if it is this one.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Takes bytes while the condition holds, at most `max`.
    pub(super) fn take_while(&mut self, max: usize, condition: impl Fn(u8) -> bool) -> Vec<u8> {
        let mut taken = Vec::new();
        while taken.len() < max {
            match self.peek().filter(|byte| condition(*byte)) {
                Some(byte) => taken.push(byte),
                None => break,
            }
            self.next();
        }
        taken
    }

    /// Describes the next byte in words.
    pub(super) fn describe_next(&mut self) -> String {
        match self.peek() {
            None => "the end of the file".to_owned(),
            Some(b'\n') => "the end of the line".to_owned(),
            Some(b'\r') => "a carriage return".to_owned(),
            Some(b'\t') => "a tab".to_owned(),
            Some(b' ') => "a space".to_owned(),
            Some(byte @ b'!'..=b'~') => format!("`{}`", char::from(byte)),
            Some(byte) => format!("the byte 0x{byte:02x}"),
        }
    }
}

/// Describes a token in words, truncated if it is long.
pub(super) fn describe_token(token: &[u8]) -> String {
    const MAX_SHOWN: usize = 40;
    if token.len() > MAX_SHOWN {
        format!("`{}…`", token[..MAX_SHOWN].escape_ascii())
    } else {
        format!("`{}`", token.escape_ascii())
    }
}

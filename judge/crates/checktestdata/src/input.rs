//! The input that is checked, and how far it has been read.
//!
//! Must not know programs.

use std::borrow::Cow;

use crate::error::Excerpt;

/// An input, read from its beginning to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'i> {
    bytes: &'i [u8],
    at: usize,
}

impl<'i> Input<'i> {
    pub(crate) fn new(bytes: &'i [u8]) -> Self {
        Input { bytes, at: 0 }
    }

    /// The number of bytes that have been read.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The part of the input that has not been read.
    pub(crate) fn rest(&self) -> &'i [u8] {
        &self.bytes[self.at..]
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips `length` bytes, or up to the end of the input.
    pub(crate) fn advance(&mut self, length: usize) {
        self.at = self.bytes.len().min(self.at + length);
    }

    /// Skips bytes as long as `belongs` holds, and returns their number.
    pub(crate) fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) -> usize {
        let length = self
            .rest()
            .iter()
            .take_while(|byte| belongs(**byte))
            .count();
        self.advance(length);
        length
    }

    /// The bytes that have been read since `start`.
    pub(crate) fn since(&self, start: usize) -> &'i [u8] {
        &self.bytes[start..self.at]
    }

    /// Returns the line and the byte in the line, both from 1.
    pub(crate) fn position(&self, at: usize) -> (u64, u64) {
        let before = &self.bytes[..at];
        let line_start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline + 1);
        let newlines = before.iter().filter(|byte| **byte == b'\n').count();
        (newlines as u64 + 1, (at - line_start) as u64 + 1)
    }

    /// Returns the text at a position, for messages: a word, or a name for invisible characters.
    pub(crate) fn found(&self, at: usize) -> Cow<'static, str> {
        let rest = &self.bytes[at..];
        match rest.first() {
            None => "the end of the file".into(),
            Some(b'\n') => "the end of the line".into(),
            Some(b' ') => "a space".into(),
            Some(byte) if byte.is_ascii_whitespace() => Excerpt(&rest[..1]).to_string().into(),
            Some(_) => {
                let near = &rest[..rest.len().min(1000)];
                let word = near
                    .iter()
                    .take_while(|byte| !byte.is_ascii_whitespace())
                    .count();
                Excerpt(&near[..word]).to_string().into()
            }
        }
    }
}

//! Shared by the tests of the comparison: options from a line of text, and readers that split their
//! data in small pieces.

use std::io::{self, BufRead, Read};

use judge_model::FormatVersion;

use super::{CompareOptions, Comparison, compare};

/// Parses options from space-separated arguments.
pub(super) fn options(args: &str) -> CompareOptions {
    let args: Vec<String> = args.split_whitespace().map(str::to_owned).collect();
    CompareOptions::parse(&args, FormatVersion::V2025_09).unwrap()
}

/// Compares complete data in memory.
pub(super) fn compare_whole(options: &CompareOptions, answer: &[u8], output: &[u8]) -> Comparison {
    compare(options, answer, output).unwrap()
}

/// A reader that returns its data in pieces of the given lengths, repeated in a cycle, and is
/// interrupted before each piece.
pub(super) struct Pieces<'a> {
    rest: &'a [u8],
    lengths: std::iter::Cycle<std::slice::Iter<'a, usize>>,
    current: usize,
    interrupted: bool,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(data: &'a [u8], lengths: &'a [usize]) -> Self {
        assert!(!lengths.is_empty() && !lengths.contains(&0));
        Self {
            rest: data,
            lengths: lengths.iter().cycle(),
            current: 0,
            interrupted: false,
        }
    }
}

impl BufRead for Pieces<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.current == 0 && !self.rest.is_empty() {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            self.current = self
                .lengths
                .next()
                .map_or(1, |length| *length)
                .min(self.rest.len());
        }
        Ok(&self.rest[..self.current])
    }

    fn consume(&mut self, amount: usize) {
        self.rest = &self.rest[amount..];
        self.current -= amount;
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let amount = bytes.len().min(buffer.len());
        buffer[..amount].copy_from_slice(&bytes[..amount]);
        self.consume(amount);
        Ok(amount)
    }
}

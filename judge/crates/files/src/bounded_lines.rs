//! Lines of an untrusted stream.
//!
//! Responsible for taking at most the memory of the longest permitted line: a sparse file or a
//! device has no line breaks. Must not know what is in a line.

use std::io::{self, BufRead};

/// A reader of lines of bounded length.
#[derive(Debug)]
pub struct BoundedLines<R> {
    reader: R,
    max_bytes: usize,
    number: u64,
}

impl<R: BufRead> BoundedLines<R> {
    /// Creates a reader of lines of at most this many bytes, line breaks included.
    pub fn new(reader: R, max_bytes: usize) -> Self {
        Self {
            reader,
            max_bytes,
            number: 0,
        }
    }

    /// The number of the line that was read last, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line with its line break, which only the last line may lack; `None` at the
    /// end.
    ///
    /// # Errors
    /// When the stream cannot be read, or the line is longer (`InvalidData`, and the message names
    /// the line).
    pub fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let limit = u64::try_from(self.max_bytes)
            .unwrap_or(u64::MAX)
            .saturating_add(1);
        if io::Read::take(&mut self.reader, limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if line.len() > self.max_bytes {
            let text = format!(
                "line {} is longer than {} bytes",
                self.number, self.max_bytes
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(Some(line))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, repeat};

    use super::*;

    #[test]
    fn lines_are_read_up_to_the_bound() {
        let mut lines = BoundedLines::new(&b"ab\n\ncd"[..], 3);
        let mut next = || lines.next_line().unwrap();
        assert_eq!(
            [next(), next(), next(), next()],
            [
                Some(b"ab\n".to_vec()),
                Some(b"\n".to_vec()),
                Some(b"cd".to_vec()),
                None
            ]
        );
        let mut lines = BoundedLines::new(&b"a\nabc\n"[..], 3);
        assert!(lines.next_line().is_ok());
        assert_eq!(
            lines.next_line().unwrap_err().to_string(),
            "line 2 is longer than 3 bytes"
        );
    }

    #[test]
    fn endless_lines_take_bounded_memory() {
        let mut lines = BoundedLines::new(BufReader::new(repeat(b'a')), 1 << 20);
        assert_eq!(
            lines.next_line().unwrap_err().kind(),
            io::ErrorKind::InvalidData
        );
    }
}

//! Validates an input file of Five Up.
//!
//! Grammar, byte by byte (there is nothing else in the file):
//!
//! ```text
//! file  = game { game }             1 to 1,000 games, at most 6,000 bones
//! game  = bone { " " bone } "\n"    1 to 2,500 bones
//! bone  = value "-" value
//! value = "0" | "1".."9" { digit }  at most 2^63 - 1
//! ```
//!
//! Exit code 42: valid. 43: invalid; the reason, line and column (in bytes) are on stderr.
//! 1: the input could not be read.

use std::io::{self, BufReader, Bytes, Read};
use std::process::exit;

const MAX_GAMES: usize = 1_000;
const MAX_BONES_IN_GAME: usize = 2_500;
const MAX_BONES: usize = 6_000;
const MAX_VALUE: u64 = (1 << 63) - 1;

type Valid<T> = Result<T, String>;

/// Reads bytes, one ahead, and knows where in the text the next one is.
struct Scanner<R: Read> {
    bytes: Bytes<BufReader<R>>,
    next: Option<u8>,
    line: usize,
    column: usize,
}

impl<R: Read> Scanner<R> {
    fn new(input: R) -> Self {
        let mut scanner = Scanner { bytes: BufReader::new(input).bytes(), next: None, line: 1, column: 1 };
        scanner.fetch();
        scanner
    }

    fn fetch(&mut self) {
        self.next = self.bytes.next().map(|byte| {
            byte.unwrap_or_else(|error| {
                eprintln!("cannot read the input: {}", error);
                exit(1)
            })
        });
    }

    /// Steps over the next byte.
    fn advance(&mut self) {
        if self.next == Some(b'\n') {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        self.fetch();
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.next == Some(byte);
        if found {
            self.advance();
        }
        found
    }

    fn digit(&self) -> Option<u64> {
        let byte = self.next.filter(u8::is_ascii_digit)?;
        Some(u64::from(byte - b'0'))
    }

    fn unexpected<T>(&self, expected: &str) -> Valid<T> {
        let found = match self.next {
            None => "the end of the file".to_string(),
            Some(b'\n') => "the end of the line".to_string(),
            Some(b' ') => "a space".to_string(),
            Some(byte @ b'!'..=b'~') => format!("'{}'", char::from(byte)),
            Some(byte) => format!("byte 0x{:02x}", byte),
        };
        Err(format!("expected {}, found {}", expected, found))
    }

    fn number(&mut self, max: u64) -> Valid<u64> {
        let Some(mut value) = self.digit() else {
            return self.unexpected("a number");
        };
        self.advance();
        while let Some(digit) = self.digit() {
            if value == 0 {
                return Err("a number has a leading zero".to_string());
            }
            value = value.saturating_mul(10).saturating_add(digit);
            if value > max {
                return Err(format!("a number is greater than {}", max));
            }
            self.advance();
        }
        Ok(value)
    }
}

fn bone<R: Read>(scanner: &mut Scanner<R>) -> Valid<()> {
    scanner.number(MAX_VALUE)?;
    if !scanner.take(b'-') {
        return scanner.unexpected("'-' or a digit");
    }
    scanner.number(MAX_VALUE)?;
    Ok(())
}

/// Reads a line; `total` counts the bones of the whole file.
fn game<R: Read>(scanner: &mut Scanner<R>, total: &mut usize) -> Valid<()> {
    for count in 1.. {
        if count > MAX_BONES_IN_GAME {
            return Err(format!("a game has more than {} bones", MAX_BONES_IN_GAME));
        }
        *total += 1;
        if *total > MAX_BONES {
            return Err(format!("the file has more than {} bones", MAX_BONES));
        }
        bone(scanner)?;
        if scanner.take(b'\n') {
            break;
        }
        if !scanner.take(b' ') {
            return scanner.unexpected("a space, a digit or the end of the line");
        }
    }
    Ok(())
}

fn file<R: Read>(scanner: &mut Scanner<R>) -> Valid<()> {
    let mut bones = 0;
    for games in 1.. {
        if games > MAX_GAMES {
            return Err(format!("the file has more than {} games", MAX_GAMES));
        }
        game(scanner, &mut bones)?;
        if scanner.next.is_none() {
            break;
        }
    }
    Ok(())
}

fn main() {
    let mut scanner = Scanner::new(io::stdin());
    if let Err(reason) = file(&mut scanner) {
        let (line, column) = (scanner.line, scanner.column);
        eprintln!("line {}, column {}: {}", line, column, reason);
        exit(43);
    }
    exit(42);
}

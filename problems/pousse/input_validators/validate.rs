//! Validates an input file of Pousse.
//!
//! Grammar, byte by byte (there is nothing else in the file):
//!
//! ```text
//! file   = games "\n" { game }      as many games as stated; at most 30,000 lines in all
//! games  = 1 .. 400
//! game   = n "\n" { move "\n" } "QUIT\n"
//! n      = 1 .. 100
//! move   = ( "L" | "R" | "T" | "B" ) line
//! line   = 1 .. n                   all numbers without leading zeros
//! ```
//!
//! Exit code 42: valid. 43: invalid; the reason, line and column (in bytes) are on stderr.
//! 1: the input could not be read.

use std::io::{self, BufReader, Bytes, Read};
use std::process::exit;

const MAX_GAMES: u64 = 400;
const MAX_SIZE: u64 = 100;
const MAX_LINES: usize = 30_000;

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

    fn number(&mut self, name: &str, min: u64, max: u64) -> Valid<u64> {
        let Some(mut value) = self.digit() else {
            return self.unexpected(name);
        };
        self.advance();
        while let Some(digit) = self.digit() {
            if value == 0 {
                return Err(format!("{} has a leading zero", name));
            }
            value = value.saturating_mul(10).saturating_add(digit);
            if value > max {
                break;
            }
            self.advance();
        }
        if (min..=max).contains(&value) {
            Ok(value)
        } else {
            Err(format!("{} is not between {} and {}", name, min, max))
        }
    }

    fn end_of_line(&mut self) -> Valid<()> {
        if self.next != Some(b'\n') {
            return self.unexpected("the end of the line");
        }
        if self.line > MAX_LINES {
            return Err(format!("the file has more than {} lines", MAX_LINES));
        }
        self.advance();
        Ok(())
    }
}

fn game<R: Read>(scanner: &mut Scanner<R>) -> Valid<()> {
    let size = scanner.number("the size of the board", 1, MAX_SIZE)?;
    scanner.end_of_line()?;
    while !scanner.take(b'Q') {
        match scanner.next {
            Some(b'L' | b'R' | b'T' | b'B') => scanner.advance(),
            _ => return scanner.unexpected("L, R, T, B or QUIT"),
        }
        scanner.number("the number of a row or column", 1, size)?;
        scanner.end_of_line()?;
    }
    for letter in "UIT".bytes() {
        if !scanner.take(letter) {
            return scanner.unexpected("QUIT");
        }
    }
    scanner.end_of_line()
}

fn file<R: Read>(scanner: &mut Scanner<R>) -> Valid<()> {
    let games = scanner.number("the number of games", 1, MAX_GAMES)?;
    scanner.end_of_line()?;
    for _ in 0..games {
        game(scanner)?;
    }
    if scanner.next.is_some() {
        return scanner.unexpected("the end of the file");
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

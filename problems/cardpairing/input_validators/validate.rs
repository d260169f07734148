//! Input validator of "Card Pairing Solitaire".
//!
//! Reads one input from standard input and checks it byte by byte against
//!
//! ```text
//! input  = T "\n" { layout }              T layouts, 1 <= T <= 100, then the end of the file
//! layout = stack { " " stack } "\n"       9 stacks
//! stack  = rank rank rank rank
//! rank   = one of 6 7 8 9 T J Q K A       each four times in a layout
//! ```
//!
//! Exits with 42 if the input is valid; otherwise with 43, and says on standard
//! error where and why. It stops at the first offence, so its running time is
//! bounded whatever it is fed.

use std::fmt;
use std::io::{self, BufRead};
use std::process::ExitCode;

const VALID: u8 = 42;
const INVALID: u8 = 43;
const CANNOT_READ: u8 = 1;

const MAX_LAYOUTS: u32 = 100;
const STACKS: usize = 9;
const HEIGHT: usize = 4;
const RANKS: &[u8] = b"6789TJQKA";

fn main() -> ExitCode {
    let code = match check_input(&mut Scanner::new(io::stdin().lock())) {
        Ok(()) => VALID,
        Err(Failure::Rejected(place, reason)) => {
            eprintln!("line {}, column {}: {reason}", place.line, place.column);
            INVALID
        }
        Err(Failure::Io(error)) => {
            eprintln!("cannot read the input: {error}");
            CANNOT_READ
        }
    };
    ExitCode::from(code)
}

fn check_input<R: BufRead>(input: &mut Scanner<R>) -> Result<(), Failure> {
    let layouts = input.integer("the number of layouts", 1, MAX_LAYOUTS)?;
    input.expect(b'\n')?;
    for _ in 0..layouts {
        check_layout(input)?;
    }
    input.expect_end()
}

fn check_layout<R: BufRead>(input: &mut Scanner<R>) -> Result<(), Failure> {
    let mut seen = [0; RANKS.len()];
    for stack in 1..=STACKS {
        for _ in 0..HEIGHT {
            check_card(input, &mut seen)?;
        }
        input.expect(if stack < STACKS { b' ' } else { b'\n' })?;
    }
    Ok(())
}

/// Reads one card and counts it in `seen`.
fn check_card<R: BufRead>(input: &mut Scanner<R>, seen: &mut [u32]) -> Result<(), Failure> {
    let found = input.peek()?;
    let Some((rank, byte)) = found.and_then(|byte| Some((RANKS.iter().position(|&rank| rank == byte)?, byte))) else {
        return Err(input.reject(format!("expected a rank, found {}", Byte(found))));
    };
    seen[rank] += 1;
    if seen[rank] > 4 {
        return Err(input.reject(format!("{} for the fifth time in one layout", Byte(found))));
    }
    input.advance(byte);
    Ok(())
}

enum Failure {
    Rejected(Place, String),
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

/// A position in the input; both numbers count from 1, columns in bytes.
#[derive(Clone, Copy)]
struct Place {
    line: u64,
    column: u64,
}

/// Reads bytes one at a time and knows where it is.
struct Scanner<R> {
    source: R,
    place: Place,
}

impl<R: BufRead> Scanner<R> {
    fn new(source: R) -> Self {
        let place = Place { line: 1, column: 1 };
        Scanner { source, place }
    }

    /// The next byte, still unread; `None` at the end of the file.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.source.fill_buf()?.first().copied())
    }

    /// Consumes the byte that `peek` has shown.
    fn advance(&mut self, byte: u8) {
        self.source.consume(1);
        if byte == b'\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Failure> {
        let found = self.peek()?;
        if found != Some(wanted) {
            return Err(self.reject(format!("expected {}, found {}", Byte(Some(wanted)), Byte(found))));
        }
        self.advance(wanted);
        Ok(())
    }

    fn expect_end(&mut self) -> Result<(), Failure> {
        match self.peek()? {
            None => Ok(()),
            found => Err(self.reject(format!("expected {}, found {}", Byte(None), Byte(found)))),
        }
    }

    /// A decimal number from `min` to `max`, without sign or leading zeros.
    fn integer(&mut self, what: &str, min: u32, max: u32) -> Result<u32, Failure> {
        let start = self.place;
        let mut value = 0;
        let mut digits = 0;
        while let Some(byte @ b'0'..=b'9') = self.peek()? {
            if digits > 0 && value == 0 {
                return Err(Failure::Rejected(start, format!("{what} has a leading zero")));
            }
            value = value * 10 + u32::from(byte - b'0');
            digits += 1;
            if value > max {
                return Err(Failure::Rejected(start, format!("{what} is above {max}")));
            }
            self.advance(byte);
        }
        if digits == 0 {
            let found = Byte(self.peek()?);
            return Err(self.reject(format!("expected {what}, found {found}")));
        }
        if value < min {
            return Err(Failure::Rejected(start, format!("{what} is below {min}")));
        }
        Ok(value)
    }

    fn reject(&self, reason: String) -> Failure {
        Failure::Rejected(self.place, reason)
    }
}

/// A byte, or the end of the file, as a message names it.
struct Byte(Option<u8>);

impl fmt::Display for Byte {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            None => write!(f, "the end of the file"),
            Some(b'\n') => write!(f, "the end of the line"),
            Some(b' ') => write!(f, "a blank"),
            Some(byte @ b'!'..=b'~') => write!(f, "'{}'", byte as char),
            Some(byte) => write!(f, "byte 0x{byte:02X}"),
        }
    }
}

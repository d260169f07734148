//! Input validator of "Bad to the Bone".
//!
//! Reads one input from standard input and checks it byte by byte against
//!
//! ```text
//! input   = dataset { dataset }        1 to 500 datasets, then the end of the file
//! dataset = record { record } "0 F\n"  1 to 28 records, their IDs distinct
//! record  = ID " " ( "F" | "B" ) "\n"  ID is 1 to 28, without leading zeros
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

const MAX_DATASETS: u32 = 500;
const MAX_ID: u32 = 28;

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
    for _ in 0..MAX_DATASETS {
        check_dataset(input)?;
        if input.at_end()? {
            return Ok(());
        }
    }
    Err(input.reject(format!("more than {MAX_DATASETS} datasets")))
}

fn check_dataset<R: BufRead>(input: &mut Scanner<R>) -> Result<(), Failure> {
    let mut seen = 0u32;
    loop {
        let place = input.place;
        let id = input.integer("the ID of a bone", MAX_ID)?;
        input.expect(b' ')?;
        if id == 0 {
            if seen == 0 {
                return Err(Failure::Rejected(place, "an empty dataset".into()));
            }
            input.expect(b'F')?;
            return input.expect(b'\n');
        }
        if seen & 1 << id != 0 {
            let reason = format!("bone {id} twice in one dataset");
            return Err(Failure::Rejected(place, reason));
        }
        seen |= 1 << id;
        input.one_of(b"FB")?;
        input.expect(b'\n')?;
    }
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

    fn at_end(&mut self) -> io::Result<bool> {
        Ok(self.peek()?.is_none())
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Failure> {
        self.one_of(&[wanted])
    }

    fn one_of(&mut self, wanted: &[u8]) -> Result<(), Failure> {
        match self.peek()? {
            Some(byte) if wanted.contains(&byte) => {
                self.advance(byte);
                Ok(())
            }
            found => {
                let names: Vec<_> = wanted.iter().map(|&b| Byte(Some(b)).to_string()).collect();
                let (wanted, found) = (names.join(" or "), Byte(found));
                Err(self.reject(format!("expected {wanted}, found {found}")))
            }
        }
    }

    /// A decimal number from 0 to `max`, without sign or leading zeros.
    fn integer(&mut self, what: &str, max: u32) -> Result<u32, Failure> {
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

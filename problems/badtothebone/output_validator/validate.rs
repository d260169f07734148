//! Output validator of "Bad to the Bone".
//!
//! Called as `validate INPUT ANSWER FEEDBACK_DIR < team_output`. The output is
//! right if it equals the answer line by line. Blanks (spaces and tabs) at the
//! end of a line and empty lines at the end of the file are ignored; the
//! header, upper and lower case, blanks inside a line, and the empty lines
//! between the results are compared.
//!
//! Exits with 42 (right) or 43 (wrong, with the first different line in
//! `judgemessage.txt`). Any other exit code is a fault of this program or of
//! its call, not of the submission.

use std::env;
use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::ExitCode;

const RIGHT: u8 = 42;
const WRONG: u8 = 43;
const JUDGE_ERROR: u8 = 1;

/// The maximum number of bytes of a line in a message.
const SHOWN: usize = 200;

fn main() -> ExitCode {
    let code = match judge() {
        Ok(true) => RIGHT,
        Ok(false) => WRONG,
        Err(error) => {
            eprintln!("judge error: {error}");
            JUDGE_ERROR
        }
    };
    ExitCode::from(code)
}

/// Compares the output with the answer, and writes a message if it is wrong.
fn judge() -> Result<bool, Box<dyn Error>> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [_input, answer, feedback, ..] = arguments.as_slice() else {
        return Err("usage: validate INPUT ANSWER FEEDBACK_DIR < team_output".into());
    };
    let answer = BufReader::new(File::open(answer)?);
    let difference = first_difference(Lines::new(answer), Lines::new(io::stdin().lock()))?;
    if let Some(difference) = &difference {
        let message = Path::new(feedback).join("judgemessage.txt");
        fs::write(message, difference.to_string())?;
    }
    Ok(difference.is_none())
}

fn first_difference<A: BufRead, O: BufRead>(
    mut answer: Lines<A>,
    mut output: Lines<O>,
) -> io::Result<Option<Difference>> {
    let mut line = 0;
    loop {
        line += 1;
        let expected = answer.next()?;
        let found = output.next()?;
        if expected != found {
            return Ok(Some(Difference { line, expected, found }));
        }
        if expected.is_none() {
            return Ok(None);
        }
    }
}

/// The lines of a text without trailing spaces, and without the empty
/// lines at the end of the text.
struct Lines<R> {
    source: R,
    /// The number of empty lines that were read, but not returned yet.
    empty: u64,
    /// The line after them.
    held: Option<Vec<u8>>,
}

impl<R: BufRead> Lines<R> {
    fn new(source: R) -> Self {
        Lines { source, empty: 0, held: None }
    }

    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.held.is_none() {
            self.read_ahead()?;
        }
        if self.held.is_some() && self.empty > 0 {
            self.empty -= 1;
            return Ok(Some(Vec::new()));
        }
        Ok(self.held.take())
    }

    /// Reads up to the next line that is not empty, if there is one.
    fn read_ahead(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        while self.source.read_until(b'\n', &mut line)? > 0 {
            trim_end(&mut line);
            if !line.is_empty() {
                self.held = Some(line);
                return Ok(());
            }
            self.empty += 1;
        }
        Ok(())
    }
}

/// Removes the line end and the spaces before it.
fn trim_end(line: &mut Vec<u8>) {
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    while let Some(b' ' | b'\t') = line.last() {
        line.pop();
    }
}

/// The first line that differs; `None` is the end of the text.
struct Difference {
    line: u64,
    expected: Option<Vec<u8>>,
    found: Option<Vec<u8>>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "line {} is wrong", self.line)?;
        writeln!(f, "expected: {}", show(self.expected.as_deref()))?;
        writeln!(f, "found:    {}", show(self.found.as_deref()))
    }
}

/// A line in printable ASCII, cut if it is long.
fn show(line: Option<&[u8]>) -> String {
    match line {
        None => "the end of the output".into(),
        Some([]) => "an empty line".into(),
        Some(line) if line.len() > SHOWN => {
            let (start, length) = (line[..SHOWN].escape_ascii(), line.len());
            format!("\"{start}\"... ({length} bytes)")
        }
        Some(line) => format!("\"{}\"", line.escape_ascii()),
    }
}

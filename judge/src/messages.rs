//! Messages on standard error, and texts that are written whole.
//!
//! Responsible for lines that fit on a terminal. Must not know who writes them.

use std::io::{self, Write};
use std::os::fd::AsFd;

use judge_report::{broken_lines, printable_lines};

use crate::failure::{Failure, RESULT};

/// Prints something that is no result.
pub(crate) fn note(text: &str) {
    // Nothing is left to be done when standard error is gone.
    let _ = complain(&format!("note: {text}"));
}

/// Writes a message to standard error, on a terminal in lines that fit.
pub(crate) fn complain(text: &str) -> Result<(), Failure> {
    let text = match columns_of(io::stderr()) {
        Some(columns) => broken_lines(text, columns.max(40)),
        None => printable_lines(text),
    };
    write(&mut io::stderr(), &(text + "\n"))
}

/// Writes the result of a command that reports on no run, whole.
pub(crate) fn write(writer: &mut dyn Write, text: &str) -> Result<(), Failure> {
    let written = writer
        .write_all(text.as_bytes())
        .and_then(|()| writer.flush());
    written.map_err(|source| Failure::Write {
        what: RESULT.to_owned(),
        source,
    })
}

/// The columns of a terminal; `None` for anything else, and for a terminal that does not know them.
pub(crate) fn columns_of(terminal: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

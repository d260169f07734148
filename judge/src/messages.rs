//! Messages on standard error, and results that are written as a whole.
//!
//! Responsible for lines that fit on a terminal. Must not know who writes them.

use std::io::{self, Write};
use std::os::fd::AsFd;

use judge_event::PackageFault;
use judge_report::{broken_lines, printable_lines};

use crate::failure::{Failure, PRINTED_RESULT};

/// A fault of a package as an error message: its place, the message and the hint.
pub(crate) fn fault_text(fault: &PackageFault) -> String {
    let line = fault.line.map(|line| format!(":{line}"));
    let hint = fault.hint.as_ref().map(|hint| format!("\nhint: {hint}"));
    let (line, hint) = (line.unwrap_or_default(), hint.unwrap_or_default());
    format!("{}{line}: {}{hint}", fault.file, fault.message)
}

/// Prints a note, which is not part of a result.
pub(crate) fn note(text: &str) {
    // If standard error is closed, the note is lost.
    let _ = complain(&format!("note: {text}"));
}

/// Writes a warning to standard error.
pub(crate) fn warning(text: &str) {
    // As for a note.
    let _ = complain(&format!("warning: {text}"));
}

/// Writes a message to standard error, on a terminal in lines that fit.
pub(crate) fn complain(text: &str) -> Result<(), Failure> {
    let text = match columns_of(io::stderr()) {
        Some(columns) => broken_lines(text, columns.max(40)),
        None => printable_lines(text),
    };
    write(&mut io::stderr(), &(text + "\n"))
}

/// Prints the whole result of a command that does not report a run.
pub(crate) fn print(result: impl AsRef<[u8]>) -> Result<(), Failure> {
    write(&mut io::stdout(), result)
}

/// Writes a text of a command that does not report a run.
pub(crate) fn write(writer: &mut dyn Write, text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let written = writer
        .write_all(text.as_ref())
        .and_then(|()| writer.flush());
    written.map_err(|source| Failure::write(PRINTED_RESULT, source))
}

/// The columns of a terminal; `None` for other files, and for a terminal that does not know its
/// columns.
pub(crate) fn columns_of(terminal: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

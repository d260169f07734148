//! The terminations of programs of packages.
//!
//! Responsible for exit codes, and for ending the process in a single place. Must not know the
//! reason.
//!
//! Source: package format, "Input Validators" and "Output Validators": 42 accepts, 43 rejects, and
//! any other code is a fault of the program.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// The exit code for a valid input or a right output.
pub(super) const ACCEPTED: i32 = 42;
/// The exit code for an invalid input or a wrong output.
pub(super) const REJECTED: i32 = 43;
/// The exit code for a wrong call, and for a fault that the submission did not cause.
const BROKEN: i32 = 1;

/// Ends the process.
#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "these programs hold nothing that needs cleanup"
)]
pub(super) fn end(code: i32) -> ! {
    std::process::exit(code)
}

/// Prints a message on standard error.
pub(super) fn say(message: impl Display) {
    // A failure is ignored: when standard error is closed, the message cannot be read anyway.
    let _ = writeln!(io::stderr(), "{message}");
}

/// Ends the process because of a fault that the submission did not cause.
pub(super) fn broken(message: impl Display) -> ! {
    say(message);
    end(BROKEN)
}

/// Ends the program because the output is wrong.
pub(super) fn reject(feedback: &Path, message: &str) -> ! {
    append(feedback, message);
    end(REJECTED)
}

pub(super) fn append(feedback: &Path, message: &str) {
    append_to(&feedback.join("judgemessage.txt"), message);
}

pub(super) fn append_to(path: &Path, message: &str) {
    let file = OpenOptions::new().create(true).append(true).open(path);
    if let Err(error) = file.and_then(|mut file| writeln!(file, "{message}")) {
        broken(format_args!("cannot write `{}`: {error}", path.display()));
    }
}

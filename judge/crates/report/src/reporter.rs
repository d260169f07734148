//! The interface of all reporters.
//!
//! Responsible for the contract between the code that emits events and the reporters that render
//! them.

use std::io;

use judge_event::{Event, Progress};

/// A reporter of events as they happen.
///
/// A reporter gets each event once, in order. It returns the errors of its writer, including a
/// broken pipe; the caller decides about the consequences.
pub trait Reporter {
    /// Renders an event, if the report includes it.
    ///
    /// # Errors
    /// When the writer fails.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Shows the progress of the run temporarily.
    ///
    /// # Errors
    /// When the writer fails.
    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        let _ = progress;
        Ok(())
    }

    /// Renders the rest of the report. No event follows.
    ///
    /// # Errors
    /// When the writer fails.
    fn finish(&mut self) -> io::Result<()>;
}

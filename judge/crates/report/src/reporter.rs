//! The interface of all reporters.
//!
//! Responsible for the contract between the code that emits events and the reporters that render
//! them.

use std::io;

use judge_event::{Event, Progress};

/// A reporter of what happens, as it happens.
///
/// A reporter gets each event once, in order. It returns the errors of its writer, a broken pipe
/// among them: who drives it decides what that means.
pub trait Reporter {
    /// Renders an event, if it is worth it.
    ///
    /// # Errors
    /// When the writer fails.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Shows how far the run is. Nothing of it stays.
    ///
    /// # Errors
    /// When the writer fails.
    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        let _ = progress;
        Ok(())
    }

    /// Renders what is left. No event comes after it.
    ///
    /// # Errors
    /// When the writer fails.
    fn finish(&mut self) -> io::Result<()>;
}

//! Observers: the receivers of a run's events.
//!
//! Responsible for the interface. Must not know where events come from.

use std::io;

use judge_event::{Event, Progress, RunState};

/// Receives the events of a run. An error (a closed pipe, a full disk) ends the run.
pub trait Observer {
    /// Takes an event. Events come in package order.
    ///
    /// # Errors
    /// When it cannot be passed on.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Takes the progress, several times a second.
    ///
    /// # Errors
    /// When it cannot be passed on.
    fn progress(&mut self, progress: &Progress) -> io::Result<()>;

    /// True when events need excerpts of inputs and sources. Reading these files takes a quarter of
    /// the time of a run without changes.
    fn shows_excerpts(&self) -> bool {
        true
    }

    /// True once the remaining events are no longer needed: the run ends as if it were interrupted.
    /// Called several times a second.
    fn is_done(&self) -> bool {
        false
    }
}

/// Collects the events in the state.
impl Observer for RunState {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.apply(event);
        Ok(())
    }

    fn progress(&mut self, _: &Progress) -> io::Result<()> {
        Ok(())
    }
}

//! Progress: how far a run is, beside the events.
//!
//! Responsible for a picture of the moment. It is no part of the stream: it depends on the order of execution.

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Submissions compiled.
    pub compiled: u64,
    /// Submissions to compile.
    pub to_compile: u64,
    /// Test runs done, skipped or no longer needed.
    pub done: u64,
    /// Test runs planned.
    pub total: u64,
    /// The work that runs now, as `problem submission test case`, one for each busy slot.
    pub running: Vec<String>,
}

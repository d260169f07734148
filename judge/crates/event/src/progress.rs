//! Progress: how far a run is, beside the events.
//!
//! Responsible for a picture of the moment. It is no part of the stream: it depends on the order of
//! execution.

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
    /// Test runs that were executed; those that are skipped or no longer needed take no time.
    pub executed: u64,
    /// Test runs that are expected to be executed in the end; 0 where that is not known.
    pub expected: u64,
    /// Test runs that were measured again, alone.
    pub confirmed: u64,
    /// The same with those that wait for it.
    pub to_confirm: u64,
    /// The work that runs now, as `problem submission test case`, one for each busy slot.
    pub running: Vec<String>,
}

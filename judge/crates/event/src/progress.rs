//! Progress: the state of a run at a moment, in addition to the events.
//!
//! Responsible for the counts. They are not part of the stream, because they depend on the order of
//! execution.

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The number of submissions compiled.
    pub compiled: u64,
    /// The number of submissions to compile.
    pub to_compile: u64,
    /// The number of test runs that were executed, skipped or are no longer needed.
    pub done: u64,
    /// The number of test runs planned.
    pub total: u64,
    /// The number of test runs that were executed. Those that are skipped or no longer needed take
    /// no time.
    pub executed: u64,
    /// The expected number of test runs that will have been executed at the end; 0 if it is
    /// unknown.
    pub expected: u64,
    /// The number of test runs that were run again, alone.
    pub confirmed: u64,
    /// The number of test runs that were, are or will be run again, alone.
    pub to_confirm: u64,
    /// The running work, as `problem submission test case`, one for each busy slot.
    pub running: Vec<String>,
}

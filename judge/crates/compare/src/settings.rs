//! The settings of a comparison, and its errors.
//!
//! Must not know the steps of one.

use std::io;
use std::time::Duration;

use judge_exec::{Counter, ExecError};

use crate::document::Comparison;

/// The settings of a comparison.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The core on which measurements are run; `None` leaves it to the scheduler.
    pub core: Option<usize>,
    /// Elapsed time for rounds.
    pub budget: Duration,
    /// The half-width of intervals at which rounds end, as a share.
    pub precision: f64,
    /// The share within which two submissions are the same.
    pub margin: f64,
    /// Takes the time of starting off before ratios are made.
    pub subtract_start_up: bool,
    /// The comparison that this one will be held against, whose test cases are timed again.
    pub baseline: Option<Comparison>,
    /// The seed of the resampling.
    pub seed: u64,
    /// The processor's name.
    pub processor: String,
    /// The counting of instructions; `None` when they are not counted.
    pub counting: Option<Counting>,
}

/// The counting of instructions.
#[derive(Clone, Debug)]
pub struct Counting {
    /// The counter.
    pub counter: Counter,
    /// Elapsed time for it.
    pub budget: Duration,
}

/// Why a comparison could not be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The host, the sandbox, or the reader of the progress.
    #[error(transparent)]
    Runner(#[from] ExecError),
    /// The programs that do nothing could not be written.
    #[error("cannot write programs that do nothing: {0}")]
    Starting(io::Error),
    /// The input of a test case has gone.
    #[error("cannot look at the input of `{test_case}`: {source}")]
    Input {
        /// The test case.
        test_case: String,
        /// The error of the system.
        source: io::Error,
    },
}

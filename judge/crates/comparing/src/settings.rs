//! How a comparison is carried out, and why it could not be.
//!
//! Must not know the steps of one.

use std::io;
use std::time::Duration;

use judge_runner::{Counter, RunSettings, RunnerError};

/// How a comparison is carried out.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How programs are run.
    pub run: RunSettings,
    /// The core on which laps are run; `None` leaves it to the scheduler.
    pub core: Option<usize>,
    /// Elapsed time for rounds.
    pub budget: Duration,
    /// The half-width of intervals at which rounds end, as a share.
    pub precision: f64,
    /// The share within which two submissions are the same.
    pub margin: f64,
    /// What resampling begins with.
    pub seed: u64,
    /// The processor's name.
    pub processor: String,
    /// Whether and how instructions are counted.
    pub counting: Option<Counting>,
}

/// How instructions are counted.
#[derive(Clone, Debug)]
pub struct Counting {
    /// What counts them.
    pub counter: Counter,
    /// Elapsed time for it.
    pub budget: Duration,
}

/// Why a comparison could not be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ComparingError {
    /// The host, the sandbox, or the reader of the progress.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// The programs that do nothing could not be written.
    #[error("cannot write programs that do nothing: {0}")]
    Starting(io::Error),
    /// The input of a test case has gone.
    #[error("cannot look at the input of `{test_case}`: {source}")]
    Input {
        /// The test case.
        test_case: String,
        /// What the system said.
        source: io::Error,
    },
}

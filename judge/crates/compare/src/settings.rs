//! The settings of a comparison, and its errors.
//!
//! Must not know the steps of a comparison.

use std::io;
use std::time::Duration;

use judge_event::comparison::CandidateIndex;
use judge_exec::ExecError;

use crate::statistics::gate::Gate;

/// The default elapsed time for the rounds of each candidate.
const BUDGET: Duration = Duration::from_secs(30);

/// The settings of a comparison.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The core on which measurements are run; `None` leaves it to the scheduler.
    pub core: Option<usize>,
    /// The maximum elapsed time for rounds.
    pub budget: Duration,
    /// The half-width of intervals at which rounds end, as a share.
    pub precision: f64,
    /// The share within which two submissions count as the same.
    pub margin: f64,
    /// The bounds that every candidate must meet.
    pub gate: Option<Gate>,
    /// The name of the processor.
    pub processor: String,
}

impl Settings {
    /// The default share within which two submissions count as the same.
    pub const MARGIN: f64 = 0.02;

    /// Returns the default maximum elapsed time for rounds. Each candidate adds the same time.
    #[must_use]
    pub fn default_budget(submissions: usize) -> Duration {
        let candidates = CandidateIndex::among(submissions).len().max(1);
        BUDGET * u32::try_from(candidates).unwrap_or(u32::MAX)
    }
}

/// The reason why a comparison failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The host, the sandbox, or the reader of the progress failed.
    #[error(transparent)]
    Runner(#[from] ExecError),
    /// The programs that do nothing could not be written.
    #[error("cannot write the programs that measure start-up: {0}")]
    Starting(io::Error),
    /// The input of a test case cannot be read any more.
    #[error("cannot read the size of the input of `{test_case}`: {source}")]
    Input {
        /// The id of the test case.
        test_case: String,
        /// The error of the system.
        source: io::Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_have_equal_shares_of_the_budget() {
        assert_eq!(
            [2, 3, 5].map(Settings::default_budget),
            [30, 60, 120].map(Duration::from_secs)
        );
        assert_eq!(
            Settings::default_budget(0),
            Duration::from_secs(30),
            "never zero"
        );
    }
}

//! The settings of a comparison, and its errors.
//!
//! Must not know the steps of one.

use std::ffi::OsStr;
use std::io;
use std::time::Duration;

use judge_exec::{Callgrind, Counter, ExecError};
use judge_model::Problem;

use crate::document::{CandidateIndex, Comparison, InstructionCounter};

/// Elapsed time for the rounds of each candidate.
const BUDGET: Duration = Duration::from_secs(30);

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
    /// The share by which other work on the host may move the ratio of times of unlike programs; by how they are unlike
    /// unless it is given.
    pub host_effect: Option<f64>,
    /// The seed of the resampling.
    pub seed: u64,
    /// The processor's name.
    pub processor: String,
    /// The counting of instructions; `None` when they are not counted.
    pub counting: Option<Counting>,
}

impl Settings {
    /// The share within which two submissions are the same, unless another one is asked for.
    pub const MARGIN: f64 = 0.02;

    /// The elapsed time for rounds, unless another one is asked for: the same for each candidate.
    #[must_use]
    pub fn budget_of(submissions: usize) -> Duration {
        let candidates = CandidateIndex::among(submissions).len().max(1);
        BUDGET * u32::try_from(candidates).unwrap_or(u32::MAX)
    }
}

/// The counting of instructions.
#[derive(Clone, Debug)]
pub struct Counting {
    /// The counter.
    pub counter: Counter,
    /// Elapsed time for it.
    pub budget: Duration,
}

/// The part of the budget that counting instructions may take unasked.
const UNASKED: u32 = 10;

impl Counting {
    /// The counting that was asked for, or what little of it is done unasked; or a sentence that says why nothing is
    /// counted. `path` is where programs are looked for, as in the environment variable.
    ///
    /// # Errors
    /// When callgrind is asked for and cannot count here.
    pub fn choose(
        asked: Option<InstructionCounter>,
        budget: Duration,
        problem: &Problem,
        path: &OsStr,
    ) -> Result<Self, String> {
        let is_run_once_and_alone = !problem.interactive && problem.passes == 1 && !problem.submit_answer;
        let counted = match asked {
            None => Ok(Self { counter: Counter::Hardware, budget: budget / UNASKED }),
            Some(InstructionCounter::Hardware) => Ok(Self { counter: Counter::Hardware, budget }),
            Some(InstructionCounter::Callgrind) if !is_run_once_and_alone => {
                Err("submissions of this problem are not run once and alone, as callgrind would need it".to_owned())
            }
            Some(InstructionCounter::Callgrind) => {
                Callgrind::find(path).map(|callgrind| Self { counter: Counter::Callgrind(callgrind), budget })
            }
        };
        counted.map_err(|why| format!("instructions are not counted: {why}"))
    }
}

/// The reason that a comparison could not be carried out.
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

#[cfg(test)]
mod tests {
    use judge_model::FormatVersion;

    use super::*;

    #[test]
    fn every_candidate_has_the_same_part_of_the_budget() {
        assert_eq!([2, 3, 5].map(Settings::budget_of), [30, 60, 120].map(Duration::from_secs));
        assert_eq!(Settings::budget_of(0), Duration::from_secs(30), "there is never none");
    }

    #[test]
    fn counting_is_brief_unless_it_is_asked_for_and_says_why_it_cannot_be() {
        let mut problem = Problem::new("p", "/p".into(), FormatVersion::V2025_09);
        let budget = Duration::from_secs(30);
        let choose = |asked, problem: &Problem| Counting::choose(asked, budget, problem, OsStr::new("/nowhere"));
        assert_eq!(choose(None, &problem).unwrap().budget, budget / 10);
        assert_eq!(choose(Some(InstructionCounter::Hardware), &problem).unwrap().budget, budget);
        let why = choose(Some(InstructionCounter::Callgrind), &problem).unwrap_err();
        assert!(why.starts_with("instructions are not counted: ") && why.contains("valgrind"), "{why}");
        problem.interactive = true;
        let why = choose(Some(InstructionCounter::Callgrind), &problem).unwrap_err();
        assert!(why.contains("not run once and alone"), "{why}");
    }
}

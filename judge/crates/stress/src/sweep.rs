//! Sweeps: searches in a row, until each of several submissions has failed on an input.
//!
//! Responsible for continuing after a finding, and for the sum of what the searches report. Must not
//! know how one search draws or examines its inputs.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::time::{Duration, Instant};

use judge_event::{InputTally, SearchEnd};
use judge_model::{SubmissionIndex, Verdict};

use crate::error::StressError;
use crate::predicate::Predicate;
use crate::search::{Search, SearchOutcome};
use crate::session::SearchSession;

/// A sweep: a search that continues until each of several submissions has failed on an input.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The submissions, which are prepared.
    pub targets: Vec<SubmissionIndex>,
    /// The seed of all inputs.
    pub seed: u64,
    /// The maximum number of inputs.
    pub inputs: Option<NonZero<u64>>,
    /// The maximum time for all submissions together.
    pub time: Option<Duration>,
}

/// The outcome of a sweep.
#[derive(Clone, Debug, Default)]
pub struct SweepOutcome {
    /// The outcome of all searches of the sweep. Each finding has the results of every submission
    /// that had not failed before. Inputs that other threads had started at the time of a finding
    /// are counted twice.
    pub search: SearchOutcome,
    /// The submissions that failed on no input.
    pub survivors: Vec<SubmissionIndex>,
}

impl SearchSession<'_> {
    /// Searches until every submission has failed on an input. `on_progress` receives the progress
    /// several times a second.
    ///
    /// As in a search, the findings depend only on the seed and the number of inputs: an input that
    /// one submission fails is examined with all others at the same time.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn sweep(
        &self,
        sweep: &Sweep,
        on_progress: &mut dyn FnMut(&InputTally, Duration),
    ) -> Result<SweepOutcome, StressError> {
        let started = Instant::now();
        let mut survivors = sweep.targets.clone();
        let mut all = SearchOutcome {
            end: SearchEnd::Found,
            tally: self.tally(),
            ..SearchOutcome::default()
        };
        while !survivors.is_empty() && all.end == SearchEnd::Found {
            let inputs = sweep
                .inputs
                .map(|inputs| NonZero::new(inputs.get().saturating_sub(all.next)));
            if inputs == Some(None) {
                all.end = SearchEnd::Inputs;
                break;
            }
            let search = Search {
                predicate: &Predicate::AnyFails(survivors.clone()),
                seed: sweep.seed,
                from: all.next,
                inputs: inputs.flatten(),
                time: sweep
                    .time
                    .map(|time| time.saturating_sub(started.elapsed())),
                slowest: None,
            };
            let killed_count = sweep.targets.len() - survivors.len();
            let one = self.search(&search, &mut |tally, _| {
                on_progress(&sum(&all.tally, tally, killed_count), started.elapsed());
            })?;
            // Every submission with a result other than AC is killed, including those on which the
            // output validator failed.
            let results = one.findings.iter().flat_map(|finding| &finding.results);
            let failed: BTreeSet<SubmissionIndex> = results
                .filter(|result| result.class.verdict != Verdict::Accepted)
                .map(|result| result.submission)
                .collect();
            survivors.retain(|target| !failed.contains(target));
            let killed_count = sweep.targets.len() - survivors.len();
            all.tally = sum(&all.tally, &one.tally, killed_count);
            (all.next, all.end) = (one.next, one.end);
            all.unusable = all.unusable.or(one.unusable);
            all.judge_error = all.judge_error.or(one.judge_error);
            all.unanswered += one.unanswered;
            all.refused = all.refused.or(one.refused);
            all.findings.extend(one.findings);
        }
        all.elapsed = started.elapsed();
        Ok(SweepOutcome {
            search: all,
            survivors,
        })
    }
}

/// The sum of two tallies, with this number of findings.
fn sum(one: &InputTally, other: &InputTally, findings: usize) -> InputTally {
    InputTally {
        inputs: one.inputs + other.inputs,
        refused: one.refused + other.refused,
        repeated: one.repeated + other.repeated,
        invalid: one.invalid + other.invalid,
        unusable: one.unusable + other.unusable,
        judged_inputs: one.judged_inputs + other.judged_inputs,
        kinds: other.kinds,
        kinds_reached: one.kinds_reached.max(other.kinds_reached),
        bases: other.bases,
        findings: findings as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_are_added() {
        let one = InputTally {
            inputs: 5,
            refused: 1,
            judged_inputs: 3,
            kinds_reached: 2,
            findings: 1,
            ..InputTally::default()
        };
        let both = sum(
            &one,
            &InputTally {
                inputs: 7,
                kinds: 3,
                kinds_reached: 1,
                invalid: 2,
                ..InputTally::default()
            },
            4,
        );
        let expected = InputTally {
            inputs: 12,
            refused: 1,
            judged_inputs: 3,
            invalid: 2,
            kinds: 3,
            kinds_reached: 2,
            findings: 4,
            ..InputTally::default()
        };
        assert_eq!(both, expected);
    }
}

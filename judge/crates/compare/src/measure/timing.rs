//! Timing: rounds of measurements on one core, until the ratios are precise enough.
//!
//! Responsible for running the rounds that `round_robin` chooses until `stopping` ends them. Must
//! not know how estimates are made or rendered.
//!
//! A round runs every submission once, the reference first, and then once more in reverse order
//! (ABBA). Slow changes, such as the clock of the processor or another program, then affect all of
//! them equally. The next round of that test case begins at the other end (BAAB): a program that
//! runs twice in a row finds its memory in the caches, and it must not always be the same one.

use std::time::{Duration, Instant};

use judge_event::comparison::{CandidateIndex, Estimate, REFERENCE, Sample};
use judge_exec::{ExecError, PreparedSubmission, Random, TestResult, Worker};
use judge_model::{SubmissionIndex, TestCaseIndex, Verdict, micros};

use crate::measure::round_robin::RoundRobin;
use crate::measure::stopping::{first_check, is_clear, is_precise, is_too_noisy, next_check};
use crate::statistics::estimate::{MIN_ROUNDS, RoundPairs, estimate};

/// The number of resamples during the rounds. The last estimate uses more.
const RESAMPLES: usize = 300;
/// The maximum number of measurements of a submission on a test case that are not accepted. After
/// that, the submission takes no part on it any more.
const MAX_FAILED: usize = 2;

/// A round: two measurements for each submission, or none.
pub(crate) type Round = Vec<Option<[Sample; 2]>>;

/// A test case that is timed.
#[derive(Clone, Debug)]
pub(crate) struct Timed {
    /// The index of the test case in the problem.
    pub(crate) test_case: TestCaseIndex,
    /// The CPU time of the reference before the rounds, in seconds.
    pub(crate) reference: f64,
    /// True for each submission that takes part. The reference is the first.
    pub(crate) takes_part: Vec<bool>,
    pub(crate) rounds: Vec<Round>,
    /// The number of failed measurements of each submission, which were not accepted. Those that
    /// the host kept from running are not counted.
    pub(crate) failed: Vec<usize>,
    /// The outputs of each submission.
    pub(crate) outputs: Vec<Outputs>,
}

impl Timed {
    pub(crate) fn takes_part(&self, submission: SubmissionIndex) -> bool {
        self.takes_part[submission.0]
    }

    /// Returns true when a candidate and the reference both take part.
    pub(crate) fn compares(&self, candidate: CandidateIndex) -> bool {
        self.takes_part(REFERENCE) && self.takes_part(candidate.submission())
    }
}

/// The hash of the first known output of a submission on a test case, and whether a later output
/// differs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    pub(crate) first: Option<String>,
    pub(crate) differ: bool,
}

impl Outputs {
    pub(crate) fn note(&mut self, hash: Option<&String>) {
        match (&self.first, hash) {
            (None, Some(hash)) => self.first = Some(hash.clone()),
            (Some(first), Some(hash)) => self.differ |= first != hash,
            (_, None) => {}
        }
    }
}

/// The conditions that end the rounds.
#[derive(Clone, Copy)]
pub(crate) struct StopConditions<'e> {
    pub(crate) budget: Duration,
    pub(crate) precision: f64,
    /// True when only precision and budget may end rounds.
    pub(crate) is_exact: bool,
    /// The logarithm of the factor that the interval of a candidate with these rounds allows for,
    /// in addition to their noise.
    pub(crate) effect: &'e dyn Fn(CandidateIndex, &[RoundPairs]) -> f64,
}

impl StopConditions<'_> {
    /// Returns true when a candidate needs no more rounds, after this share of the budget. `effect`
    /// is the logarithm of the factor that its interval allows for, in addition to the noise of
    /// rounds.
    fn is_enough(&self, estimate: &Estimate, effect: f64, spent: f64) -> bool {
        is_precise(estimate, self.precision, effect)
            || (!self.is_exact
                && (is_clear(estimate, self.precision)
                    || is_too_noisy(estimate, self.precision, effect, spent)))
    }
}

/// Returns the value of a measurement that is compared.
pub(crate) type Measure = fn(&Sample) -> u64;

pub(crate) fn cpu_time(sample: &Sample) -> u64 {
    sample.cpu_time_us
}

pub(crate) fn wall_time(sample: &Sample) -> u64 {
    sample.wall_time_us
}

pub(crate) fn memory(sample: &Sample) -> u64 {
    sample.memory_bytes
}

/// Returns the rounds of each test case for a candidate's ratios: the values of both, each the
/// geometric mean of two measurements.
pub(crate) fn rounds(
    timed: &[Timed],
    candidate: CandidateIndex,
    measure: Measure,
) -> Vec<RoundPairs> {
    let middle = |measurements: &[Sample; 2]| {
        // A measure of 0 has no logarithm, so it is replaced by one unit: a microsecond or a byte.
        let logs = measurements
            .iter()
            .map(|measurement| (measure(measurement).max(1) as f64).ln());
        (logs.sum::<f64>() / 2.0).exp()
    };
    let pair = |round: &Round| {
        let value = |submission: SubmissionIndex| round[submission.0].as_ref().map(middle);
        Some([value(REFERENCE)?, value(candidate.submission())?])
    };
    let takes_part = timed.iter().filter(|case| case.compares(candidate));
    takes_part
        .map(|case| case.rounds.iter().filter_map(pair).collect())
        .collect()
}

/// Returns the number of rounds that a candidate still needs for any conclusion, over all of its
/// test cases.
pub(crate) fn missing(rounds: &[RoundPairs]) -> usize {
    rounds
        .iter()
        .map(|rounds| MIN_ROUNDS.saturating_sub(rounds.len()))
        .sum()
}

/// Runs rounds. Returns `None` when it was cancelled. For each round, `on_round` receives the
/// half-width of the least precise ratio at the last check.
pub(crate) fn run_rounds(
    timed: &mut [Timed],
    prepared_submissions: &[Option<PreparedSubmission>],
    worker: &mut Worker<'_>,
    enough: StopConditions<'_>,
    random: &mut Random,
    on_round: &mut dyn FnMut(TestCaseIndex, usize, Option<f64>) -> Result<(), ExecError>,
) -> Result<Option<()>, ExecError> {
    let started = Instant::now();
    let mut round_robin =
        RoundRobin::new(&timed.iter().map(|case| case.reference).collect::<Vec<_>>());
    let (mut rounds, mut check_at, mut precision) = (0, first_check(timed.len()), None);
    while let Some(index) = round_robin.next() {
        on_round(timed[index].test_case, rounds, precision)?;
        if run_round(&mut timed[index], prepared_submissions, worker)?.is_none() {
            return Ok(None);
        }
        rounds += 1;
        let case = &timed[index];
        // Programs that failed take no part any more. When nothing is left to compare on a test
        // case, the other test cases get its time.
        if !CandidateIndex::among(case.takes_part.len()).any(|candidate| case.compares(candidate)) {
            round_robin.close(index);
        }
        // The budget is checked after a round and not within it, since half a round is useless.
        let spent = started.elapsed().as_secs_f64() / enough.budget.as_secs_f64();
        if spent >= 1.0 {
            break;
        }
        if rounds >= check_at && round_robin.has_dealt_minimum() {
            let estimates = estimates(timed, prepared_submissions.len(), enough, random);
            let is_enough =
                |(estimate, effect): &(Estimate, f64)| enough.is_enough(estimate, *effect, spent);
            if !estimates.is_empty() && estimates.iter().all(is_enough) {
                break;
            }
            // The progress shows the least precise ratio, since rounds end only when all are
            // precise.
            precision = estimates
                .iter()
                .filter_map(|(estimate, _)| estimate.half_width())
                .max_by(f64::total_cmp);
            check_at = next_check(rounds);
        }
    }
    Ok(Some(()))
}

/// Returns the estimates of all candidates, each with the logarithm of the factor that its interval
/// allows for in addition to the noise of rounds.
fn estimates(
    timed: &[Timed],
    submissions: usize,
    enough: StopConditions<'_>,
    random: &mut Random,
) -> Vec<(Estimate, f64)> {
    let mean = |candidate| {
        let rounds = rounds(timed, candidate, cpu_time);
        let estimate = estimate(&rounds, RESAMPLES, random)?;
        Some((estimate, (enough.effect)(candidate, &rounds)))
    };
    let candidates = CandidateIndex::among(submissions);
    candidates.filter_map(mean).collect()
}

fn run_round(
    case: &mut Timed,
    prepared_submissions: &[Option<PreparedSubmission>],
    worker: &mut Worker<'_>,
) -> Result<Option<()>, ExecError> {
    let submissions = SubmissionIndex::first(prepared_submissions.len());
    let participants = submissions.filter(|index| case.takes_part(*index));
    let order = round_order(participants.collect(), case.rounds.len());
    let mut measurements: Vec<Vec<Sample>> = vec![Vec::new(); prepared_submissions.len()];
    for SubmissionIndex(index) in &order {
        let Some(prepared) = &prepared_submissions[*index] else {
            continue;
        };
        let Some(measurement) = worker.measure(prepared, case.test_case)? else {
            return Ok(None);
        };
        if measurement.verdict == Verdict::Accepted {
            case.outputs[*index].note(measurement.output_hash.as_ref());
            measurements[*index].push(sample(&measurement));
        // A run that the host kept from running shows nothing about the program, so it is not a
        // failure.
        } else if !measurement.is_starved() {
            case.failed[*index] += 1;
        }
    }
    for (takes_part, failed) in case.takes_part.iter_mut().zip(&case.failed) {
        *takes_part &= *failed < MAX_FAILED;
    }
    // A submission has both measurements of a round or none: a single one would not cancel a drift
    // of the host.
    let round = measurements.into_iter().map(|both| both.try_into().ok());
    case.rounds.push(round.collect());
    Ok(Some(()))
}

/// Returns the order of the runs of a round, after this number of rounds of its test case.
fn round_order(mut participants: Vec<SubmissionIndex>, before: usize) -> Vec<SubmissionIndex> {
    if before % 2 == 1 {
        participants.reverse();
    }
    let back: Vec<SubmissionIndex> = participants.iter().rev().copied().collect();
    participants.extend(back);
    participants
}

fn sample(measurement: &TestResult) -> Sample {
    Sample {
        cpu_time_us: micros(measurement.outcome.usage.cpu_time),
        wall_time_us: micros(measurement.outcome.usage.wall_time),
        memory_bytes: measurement.outcome.usage.memory_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_need_the_reference_and_use_geometric_means() {
        let measurement = |cpu_time_us| Sample {
            cpu_time_us,
            wall_time_us: 1,
            memory_bytes: 1,
        };
        let case = Timed {
            test_case: TestCaseIndex(0),
            reference: 1.0,
            takes_part: vec![true, true],
            rounds: vec![
                vec![
                    Some([measurement(10), measurement(40)]),
                    Some([measurement(40), measurement(40)]),
                ],
                vec![None, Some([measurement(1), measurement(1)])],
                vec![Some([measurement(1), measurement(1)]), None],
            ],
            failed: vec![0, 0],
            outputs: vec![Outputs::default(); 2],
        };
        let rounds = rounds(&[case], CandidateIndex(0), cpu_time);
        assert_eq!(rounds.len(), 1);
        let [[reference, candidate]] = rounds[0][..] else {
            panic!("{rounds:?}")
        };
        assert!(
            (reference - 20.0).abs() < 1e-9 && (candidate - 40.0).abs() < 1e-9,
            "{rounds:?}"
        );
        assert_eq!(missing(&rounds_of(1)) + missing(&rounds_of(7)), 2);
    }

    fn rounds_of(number: usize) -> Vec<RoundPairs> {
        vec![vec![[1.0, 1.0]; number]]
    }

    #[test]
    fn round_order_is_mirrored_and_alternates() {
        let order = |before| {
            let participants = SubmissionIndex::first(3).collect();
            round_order(participants, before)
                .into_iter()
                .map(|SubmissionIndex(index)| index)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            [order(0), order(1), order(2)],
            [[0, 1, 2, 2, 1, 0], [2, 1, 0, 0, 1, 2], [0, 1, 2, 2, 1, 0]]
        );
        assert_eq!(round_order(Vec::new(), 1), []);
    }

    #[test]
    fn different_outputs_are_detected() {
        let mut outputs = Outputs::default();
        let (one, other) = ("1".to_owned(), "2".to_owned());
        outputs.note(Some(&one));
        outputs.note(Some(&one));
        outputs.note(None);
        assert!(!outputs.differ);
        outputs.note(Some(&other));
        assert!(outputs.differ);
    }
}

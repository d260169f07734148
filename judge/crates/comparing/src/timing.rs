//! Timing: rounds of laps on one core, until the ratios are known well enough.
//!
//! Responsible for carrying out what `dealing` and `stopping` decide. Must not know how estimates are made or told.
//!
//! A round runs every submission once, the reference first, and then once more in reverse order (ABBA): what changes
//! slowly, such as the clock of the processor or another program, weighs equally on all of them.

use std::time::{Duration, Instant};

use judge_model::Verdict;
use judge_runner::{Entrant, Lap, RunnerError, Track};

use crate::dealing::Dealing;
use crate::document::Sample;
use crate::estimate::{Estimate, estimate};
use crate::random::Random;
use crate::stopping::{is_precise, least_rounds, next_look};

/// Resamples while rounds go on; the last estimate takes more.
const RESAMPLES: usize = 300;
/// Laps of a submission on a test case that were not accepted, after which it takes no more part there.
const MOST_FAILED: usize = 2;

/// A round: two laps for each submission, or none.
pub(crate) type Round = Vec<Option<[Sample; 2]>>;

/// A test case that is timed.
#[derive(Clone, Debug)]
pub(crate) struct Timed {
    /// Its index in the problem.
    pub(crate) test_case: usize,
    /// CPU time of the reference in seconds, as far as it is known before.
    pub(crate) reference: f64,
    /// Which submissions take part. The reference is the first.
    pub(crate) takes_part: Vec<bool>,
    pub(crate) rounds: Vec<Round>,
    /// How often laps of each submission were not accepted.
    pub(crate) failed: Vec<usize>,
    /// The output of each submission, once it is known, and whether there was another one later.
    pub(crate) outputs: Vec<Outputs>,
}

/// What is known of a submission's outputs on a test case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    pub(crate) first: Option<String>,
    pub(crate) differ: bool,
}

impl Outputs {
    pub(crate) fn hear(&mut self, hash: Option<&String>) {
        match (&self.first, hash) {
            (None, Some(hash)) => self.first = Some(hash.clone()),
            (Some(first), Some(hash)) => self.differ |= first != hash,
            (_, None) => {}
        }
    }
}

/// When enough is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enough {
    pub(crate) budget: Duration,
    pub(crate) precision: f64,
}

/// What of a lap is compared.
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

/// The log ratios of the rounds of each test case.
pub(crate) fn log_ratios(timed: &[Timed], candidate: usize, measure: Measure) -> Vec<Vec<f64>> {
    let log = |laps: &[Sample; 2]| laps.iter().map(|lap| (measure(lap).max(1) as f64).ln()).sum::<f64>() / 2.0;
    let of_round = |round: &Round| Some(log(round[candidate].as_ref()?) - log(round[0].as_ref()?));
    timed.iter().map(|case| case.rounds.iter().filter_map(of_round).collect()).collect()
}

/// Runs rounds. `told` hears of each round how precise the least precise ratio was at the last look. `None` when it was
/// cancelled.
pub(crate) fn run_rounds(
    timed: &mut [Timed],
    entrants: &[Option<Entrant>],
    track: &mut Track<'_>,
    enough: Enough,
    random: &mut Random,
    told: &mut dyn FnMut(usize, usize, Option<f64>) -> Result<(), RunnerError>,
) -> Result<Option<()>, RunnerError> {
    let started = Instant::now();
    let mut dealing = Dealing::new(&timed.iter().map(|case| case.reference).collect::<Vec<_>>());
    let (mut rounds, mut look_at, mut precision) = (0, least_rounds(timed.len()), None);
    while let Some(index) = dealing.next() {
        told(timed[index].test_case, rounds, precision)?;
        if run_round(&mut timed[index], entrants, track)?.is_none() {
            return Ok(None);
        }
        rounds += 1;
        let case = &timed[index];
        if !case.takes_part[0] || !case.takes_part[1..].contains(&true) {
            dealing.close(index);
        }
        if started.elapsed() >= enough.budget {
            break;
        }
        if rounds >= look_at && dealing.has_dealt_least() {
            let estimates = estimates(timed, entrants.len(), random);
            if !estimates.is_empty() && estimates.iter().all(|estimate| is_precise(estimate, enough.precision)) {
                break;
            }
            precision = estimates.iter().filter_map(Estimate::half_width).max_by(f64::total_cmp);
            look_at = next_look(rounds);
        }
    }
    Ok(Some(()))
}

fn estimates(timed: &[Timed], submissions: usize, random: &mut Random) -> Vec<Estimate> {
    let candidates = 1..submissions;
    candidates.filter_map(|candidate| estimate(&log_ratios(timed, candidate, cpu_time), RESAMPLES, random)).collect()
}

fn run_round(case: &mut Timed, entrants: &[Option<Entrant>], track: &mut Track<'_>) -> Result<Option<()>, RunnerError> {
    let there: Vec<usize> = (0..entrants.len()).filter(|index| case.takes_part[*index]).collect();
    let mut laps: Vec<Vec<Sample>> = vec![Vec::new(); entrants.len()];
    for index in there.iter().chain(there.iter().rev()) {
        let Some(entrant) = &entrants[*index] else { continue };
        let Some(lap) = track.lap(entrant, case.test_case)? else { return Ok(None) };
        if lap.verdict == Verdict::Accepted {
            case.outputs[*index].hear(lap.output_hash.as_ref());
            laps[*index].push(sample(&lap));
        } else {
            case.failed[*index] += 1;
        }
    }
    for (takes_part, failed) in case.takes_part.iter_mut().zip(&case.failed) {
        *takes_part &= *failed < MOST_FAILED;
    }
    case.rounds.push(laps.into_iter().map(|laps| laps.try_into().ok()).collect());
    Ok(Some(()))
}

fn sample(lap: &Lap) -> Sample {
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    Sample {
        cpu_time_us: micros(lap.usage.cpu_time),
        wall_time_us: micros(lap.usage.wall_time),
        memory_bytes: lap.usage.memory_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_without_the_reference_says_nothing_and_the_middle_of_two_laps_is_geometric() {
        let lap = |cpu_time_us| Sample { cpu_time_us, wall_time_us: 1, memory_bytes: 1 };
        let case = Timed {
            test_case: 0,
            reference: 1.0,
            takes_part: vec![true, true],
            rounds: vec![
                vec![Some([lap(10), lap(40)]), Some([lap(40), lap(40)])],
                vec![None, Some([lap(1), lap(1)])],
                vec![Some([lap(1), lap(1)]), None],
            ],
            failed: vec![0, 0],
            outputs: vec![Outputs::default(); 2],
        };
        let ratios = log_ratios(&[case], 1, cpu_time);
        assert_eq!(ratios.len(), 1);
        assert!(ratios[0].len() == 1 && (ratios[0][0] - 2f64.ln()).abs() < 1e-12, "{ratios:?}");
    }

    #[test]
    fn another_output_is_noticed() {
        let mut outputs = Outputs::default();
        let (one, other) = ("1".to_owned(), "2".to_owned());
        outputs.hear(Some(&one));
        outputs.hear(Some(&one));
        outputs.hear(None);
        assert!(!outputs.differ);
        outputs.hear(Some(&other));
        assert!(outputs.differ);
    }
}

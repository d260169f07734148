//! Instructions: a second measure, which is nearly the same in every run.
//!
//! Responsible for on which test cases they are counted, how often, and for the ratio that follows. Must not know what
//! counts them, but for what that costs.
//!
//! Counting disturbs the time: a hardware counter changes hands with every switch between processes, and callgrind
//! makes a program some 50 times slower. So nothing is counted in the rounds that are timed. What differs from run to
//! run (the addresses of memory, the environment, when signals come) changes a count by far less than a thousandth,
//! unless the program itself draws random numbers: by hardware, a few counts show which of the two it is.

use std::time::{Duration, Instant};

use judge_exec::{Counter, ExecError, PreparedSubmission, Random, Worker};
use judge_model::TestCaseIndex;

use crate::document::{CandidateIndex, InstructionRatio, REFERENCE};
use crate::statistics::estimate::{LEAST_ROUNDS, RoundPairs, Summary, estimate};

/// Resamples of the interval.
const RESAMPLES: usize = 2_000;
/// More test cases than these say nothing new.
const MOST: usize = 10;

/// The pace of counting: its rounds, and their cost.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Counts of each submission on a test case.
    rounds: usize,
    /// The slowdown of a run while it is counted, as a factor: only for planning.
    slowdown: f64,
    /// The overhead of each count besides, in seconds: only for planning.
    overhead: f64,
}

impl Pace {
    fn of(counter: &Counter) -> Self {
        match counter {
            // As few as have an interval.
            Counter::Hardware => Self { rounds: LEAST_ROUNDS, slowdown: 1.1, overhead: 0.005 },
            Counter::Callgrind(_) => Self { rounds: 1, slowdown: 60.0, overhead: 0.5 },
        }
    }
}

/// A test case, given by its index, and the counts of each submission on it: none where there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) test_case: TestCaseIndex,
    pub(crate) counts: Vec<Vec<u64>>,
}

/// The counts, and the reason of the first run that could not be counted.
pub(crate) type Counts = (Vec<Counted>, Option<String>);

/// The test cases that are chosen to be counted, the fastest first: of those that the time has room for, the slowest,
/// which say most. `costs` has the seconds that all submissions together take on each.
pub(crate) fn chosen(costs: &[(TestCaseIndex, f64)], counter: &Counter, budget: Duration) -> Vec<TestCaseIndex> {
    let Pace { rounds, slowdown, overhead } = Pace::of(counter);
    let mut costs = costs.to_vec();
    costs.sort_by(|one, other| one.1.total_cmp(&other.1));
    let mut left = budget.as_secs_f64();
    let mut chosen: Vec<TestCaseIndex> = Vec::new();
    for (test_case, seconds) in costs {
        left -= (seconds * slowdown + overhead) * rounds as f64;
        // The fastest one is counted in any case: then something is known.
        if left < 0.0 && !chosen.is_empty() {
            break;
        }
        chosen.push(test_case);
    }
    chosen.split_off(chosen.len().saturating_sub(MOST))
}

/// Counts; test cases that the time turns out to have no room for are left out, and so is everything after a reason
/// that holds for all. `None` when it was cancelled.
pub(crate) fn count(
    test_cases: &[TestCaseIndex],
    prepared_submissions: &[Option<PreparedSubmission>],
    counter: &Counter,
    worker: &mut Worker<'_>,
    budget: Duration,
) -> Result<Option<Counts>, ExecError> {
    let started = Instant::now();
    let (mut counted, mut reason) = (Vec::new(), None);
    for test_case in test_cases {
        if started.elapsed() > budget && !counted.is_empty() {
            break;
        }
        let mut counts = vec![Vec::new(); prepared_submissions.len()];
        for _ in 0..Pace::of(counter).rounds {
            for (prepared, counts) in prepared_submissions.iter().zip(&mut counts) {
                let Some(prepared) = prepared else { continue };
                match worker.count(prepared, *test_case, counter)? {
                    None => return Ok(None),
                    Some(Ok(count)) => counts.push(count),
                    Some(Err(why)) => {
                        let said = reason.get_or_insert_with(|| why.to_string()).clone();
                        if why.is_lasting {
                            return Ok(Some((counted, Some(said))));
                        }
                    }
                }
            }
        }
        counted.push(Counted { test_case: *test_case, counts });
    }
    Ok(Some((counted, reason)))
}

/// The one in the middle, or the lower of the two in the middle.
pub(crate) fn median(counts: &[u64]) -> Option<u64> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

/// The spread of counts: the share of the median by which the largest and the smallest count of one program on one test
/// case differ.
fn spread(counts: &[u64]) -> Option<f64> {
    let (least, most) = (counts.iter().min()?, counts.iter().max()?);
    (counts.len() > 1).then_some((most - least) as f64 / median(counts)?.max(1) as f64)
}

/// The counts of the reference and a candidate.
fn both(counts: &[Vec<u64>], candidate: CandidateIndex) -> [&Vec<u64>; 2] {
    [REFERENCE, candidate.submission()].map(|submission| &counts[submission.0])
}

/// A candidate's counts over those of the reference.
pub(crate) fn ratio(counted: &[Counted], candidate: CandidateIndex, random: &mut Random) -> Option<InstructionRatio> {
    let pairs = |Counted { counts, .. }: &Counted| -> RoundPairs {
        let [reference, own] = both(counts, candidate);
        let pairs = reference.iter().zip(own).filter(|(reference, own)| **reference > 0 && **own > 0);
        pairs.map(|(reference, own)| [*reference as f64, *own as f64]).collect()
    };
    let rounds: Vec<RoundPairs> = counted.iter().map(pairs).filter(|of| !of.is_empty()).collect();
    let estimate = estimate(&rounds, Summary::Mean, None, RESAMPLES, random)?;
    let spreads = counted.iter().flat_map(|case| both(&case.counts, candidate));
    Some(InstructionRatio {
        ratio: estimate.ratio,
        interval: estimate.interval,
        rounds: estimate.rounds,
        test_cases: estimate.test_cases,
        spread: spreads.filter_map(|counts| spread(counts)).max_by(f64::total_cmp),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(counts: &[&[u64]]) -> Counted {
        Counted { test_case: TestCaseIndex(0), counts: counts.iter().map(|counts| counts.to_vec()).collect() }
    }

    fn ratio(counted: &[Counted]) -> Option<InstructionRatio> {
        super::ratio(counted, CandidateIndex(0), &mut Random::new(1))
    }

    #[test]
    fn the_slowest_of_those_that_there_is_time_for() {
        let costs: Vec<_> = (0..20).map(|index| (TestCaseIndex(index), 0.01 * (20 - index) as f64)).collect();
        let second = Duration::from_secs(1);
        // The fastest are the last: three times 0.01 s × 1.1 + 0.005 s, then 0.02 s × 1.1 + 0.005 s, …
        let within =
            |budget| -> Vec<usize> { chosen(&costs, &Counter::Hardware, budget).iter().map(|case| case.0).collect() };
        assert_eq!(within(second / 5), [19, 18]);
        assert_eq!(within(second / 100), [19], "one in any case");
        assert_eq!(within(second * 1000), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
        assert!(chosen(&[], &Counter::Hardware, second).is_empty());
    }

    #[test]
    fn single_counts_have_a_geometric_mean_and_no_interval() {
        let both = ratio(&[
            counted(&[&[100], &[200]]),
            counted(&[&[100], &[800]]),
            counted(&[&[], &[1]]),
            counted(&[&[0], &[1]]),
        ]);
        let both = both.unwrap();
        assert!((both.ratio - 4.0).abs() < 1e-9 && both.test_cases == 2 && both.rounds == 2, "{both:?}");
        assert_eq!((both.interval, both.spread), (None, None));
        assert_eq!(ratio(&[counted(&[&[1], &[]])]), None);
    }

    #[test]
    fn counts_that_differ_have_an_interval_and_a_spread() {
        let steady = ratio(&[counted(&[&[1000, 1000, 1000], &[2000, 2000, 2000]])]).unwrap();
        let [low, high] = steady.interval.unwrap();
        assert!((low - 2.0).abs() < 1e-9 && (high - 2.0).abs() < 1e-9 && steady.spread == Some(0.0), "{steady:?}");
        let shaky = ratio(&[counted(&[&[1000, 1000, 1000], &[2000, 2200, 1800]])]).unwrap();
        let [low, high] = shaky.interval.unwrap();
        assert!(low < 1.9 && high > 2.1 && shaky.spread == Some(0.2), "{shaky:?}");
    }

    #[test]
    fn the_median_is_a_count_that_was_seen() {
        assert_eq!([median(&[3, 1, 2]), median(&[4, 2]), median(&[7]), median(&[])], [Some(2), Some(2), Some(7), None]);
    }
}

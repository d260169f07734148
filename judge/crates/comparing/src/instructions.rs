//! Instructions: a second measure, which is nearly the same in every run.
//!
//! Responsible for on which test cases they are counted, and for the ratio that follows. Must not know what counts them.
//!
//! One count is enough: what differs from run to run (the addresses of memory, the environment) changes it by less than a
//! thousandth. What counts makes a program some 50 times slower, so that the slowest test cases are left out.

use std::time::{Duration, Instant};

use judge_runner::{Counter, Entrant, RunnerError, Track};

use crate::document::InstructionRatio;

/// How many times as long a run takes while it is counted: only for planning.
const SLOWDOWN: f64 = 60.0;
/// What each count costs besides, in seconds: only for planning.
const OVERHEAD: f64 = 0.5;
/// More test cases than these say nothing new.
const MOST: usize = 10;

/// The instructions of each submission on a test case, given by its index.
pub(crate) type Counted = (usize, Vec<Option<u64>>);

/// What was counted, and why the first run that could not be counted could not be.
pub(crate) type Counts = (Vec<Counted>, Option<String>);

/// Which of the test cases are counted, the fastest first: of those that the time has room for, the slowest, which say
/// most. `costs` has the seconds that all submissions together take on each.
pub(crate) fn chosen(costs: &[(usize, f64)], budget: Duration) -> Vec<usize> {
    let mut costs = costs.to_vec();
    costs.sort_by(|one, other| one.1.total_cmp(&other.1));
    let mut left = budget.as_secs_f64();
    let mut chosen: Vec<usize> = Vec::new();
    for (test_case, seconds) in costs {
        left -= seconds * SLOWDOWN + OVERHEAD;
        // The fastest one is counted in any case: then something is known.
        if left < 0.0 && !chosen.is_empty() {
            break;
        }
        chosen.push(test_case);
    }
    chosen.split_off(chosen.len().saturating_sub(MOST))
}

/// Counts; test cases that the time turns out to have no room for are left out. `None` when it was cancelled.
pub(crate) fn count(
    test_cases: &[usize],
    entrants: &[Option<Entrant>],
    counter: &Counter,
    track: &mut Track<'_>,
    budget: Duration,
) -> Result<Option<Counts>, RunnerError> {
    let started = Instant::now();
    let (mut counted, mut reason) = (Vec::new(), None);
    for test_case in test_cases {
        if started.elapsed() > budget && !counted.is_empty() {
            break;
        }
        let mut counts = Vec::new();
        for entrant in entrants {
            let Some(entrant) = entrant else {
                counts.push(None);
                continue;
            };
            let Some(count) = track.count(entrant, *test_case, counter)? else { return Ok(None) };
            counts.push(count.map_err(|why| reason.get_or_insert(why).clone()).ok());
        }
        counted.push((*test_case, counts));
    }
    Ok(Some((counted, reason)))
}

/// The geometric mean of a candidate's counts over those of the reference.
pub(crate) fn ratio(counted: &[Counted], candidate: usize) -> Option<InstructionRatio> {
    let of = |counts: &Vec<Option<u64>>, index: usize| counts.get(index).copied().flatten().filter(|count| *count > 0);
    let logs = counted.iter().filter_map(|(_, counts)| Some((of(counts, candidate)?, of(counts, 0)?)));
    let logs: Vec<f64> = logs.map(|(own, reference)| (own as f64 / reference as f64).ln()).collect();
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    (!logs.is_empty()).then(|| InstructionRatio { ratio: mean.exp(), test_cases: logs.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_of_those_that_there_is_time_for() {
        let costs: Vec<(usize, f64)> = (0..20).map(|index| (index, 0.01 * (20 - index) as f64)).collect();
        let second = Duration::from_secs(1);
        // The fastest are the last: 0.01 s × 60 + 0.5 s, then 0.02 s × 60 + 0.5 s, …
        assert_eq!(chosen(&costs, second * 3), [19, 18]);
        assert_eq!(chosen(&costs, second / 10), [19], "one in any case");
        assert_eq!(chosen(&costs, second * 1000), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
        assert!(chosen(&[], second).is_empty());
    }

    #[test]
    fn the_ratio_is_a_geometric_mean_of_what_both_have() {
        let counted = [
            (0, vec![Some(100), Some(200), None]),
            (1, vec![Some(100), Some(800), None]),
            (2, vec![None, Some(1), None]),
            (3, vec![Some(0), Some(1), None]),
        ];
        let both = ratio(&counted, 1).unwrap();
        assert!((both.ratio - 4.0).abs() < 1e-9 && both.test_cases == 2, "{both:?}");
        assert_eq!(ratio(&counted, 2), None);
    }
}

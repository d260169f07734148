//! Sweeps: many submissions at once, with an input for each that it fails.
//!
//! Responsible for asking all of them about each input until it has been found for all, for making what was found
//! small, and for how few of the inputs are enough. Must not know how an input is drawn, judged or cut to pieces.
//!
//! The findings hang on the seed and the number of inputs alone, as in a search: an input that one fails is tried on
//! all others at the same time, and inputs are made small in batches whose size does not hang on the number of jobs.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::time::{Duration, Instant};

use judge_event::{InputTally, SearchEnd};
use judge_exec::TestResult;
use judge_model::{SubmissionIndex, Verdict};

use crate::failure_class::FailureClass;
use crate::finder::Finder;
use crate::hunting::{Hunt, StressError};
use crate::minimize::MinimizedFinding;
use crate::search::{Finding, Search};
use crate::search_worker::{Examined, SearchWorker, Seen};

/// So many inputs are made small before it is asked whom they kill besides.
const BATCH: usize = 4;

/// A sweep: its targets, and its limits.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The submissions, which are ready.
    pub targets: Vec<SubmissionIndex>,
    /// The seed of all inputs.
    pub seed: u64,
    /// The number of inputs, at most.
    pub inputs: Option<NonZero<u64>>,
    /// The time, at most, for all of them together.
    pub time: Option<Duration>,
}

/// The result of a sweep.
#[derive(Clone, Debug)]
pub struct Swept {
    /// Inputs that submissions fail, by number. Each has the behaviour of every submission that had not failed before.
    pub findings: Vec<Finding>,
    /// The submissions that failed on none.
    pub alive: Vec<SubmissionIndex>,
    /// Why it ended; [`SearchEnd::Found`] when all have failed.
    pub end: SearchEnd,
    /// The tally of the inputs. Inputs that other threads had begun when one found something are counted twice.
    pub tally: InputTally,
    /// The first input that was not tried.
    pub next: u64,
    /// The elapsed time.
    pub elapsed: Duration,
    /// An input that the reference does not answer, if there was one, and what it did.
    pub unusable: Option<(Finding, TestResult)>,
}

/// An input that submissions fail, made small.
#[derive(Clone, Debug, PartialEq)]
pub struct Killer {
    /// As it was found.
    pub first: Finding,
    /// As it is now, with the behaviour of the submissions that fail.
    pub small: MinimizedFinding,
}

impl Killer {
    /// The submissions that fail.
    pub fn killed(&self) -> impl Iterator<Item = SubmissionIndex> + '_ {
        self.small.finding.seen.iter().map(|seen| seen.submission)
    }
}

impl Hunt<'_> {
    /// Looks for inputs until every submission has failed on one. `on_progress` gets the progress several times a second.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn sweep(
        &self,
        sweep: &Sweep,
        on_progress: &mut dyn FnMut(&InputTally, Duration),
    ) -> Result<Swept, StressError> {
        let started = Instant::now();
        let mut swept = Swept {
            findings: Vec::new(),
            alive: sweep.targets.clone(),
            end: SearchEnd::Found,
            tally: self.tally(),
            next: 0,
            elapsed: Duration::ZERO,
            unusable: None,
        };
        while !swept.alive.is_empty() {
            let inputs = sweep.inputs.map(|all| NonZero::new(all.get().saturating_sub(swept.next)));
            if inputs == Some(None) {
                swept.end = SearchEnd::Inputs;
                break;
            }
            let finder = Finder::AnyFails(swept.alive.clone());
            let search = Search {
                finder: &finder,
                seed: sweep.seed,
                from: swept.next,
                inputs: inputs.flatten(),
                time: sweep.time.map(|time| time.saturating_sub(started.elapsed())),
                findings: 1,
                slowest: None,
            };
            let before = swept.tally.clone();
            let dead = sweep.targets.len() - swept.alive.len();
            let searched =
                self.search(&search, &mut |tally, _| on_progress(&sum(&before, tally, dead), started.elapsed()))?;
            swept.next = searched.next;
            swept.unusable = swept.unusable.or(searched.unusable);
            for finding in &searched.findings {
                swept.alive.retain(|target| !fails(finding, *target));
            }
            swept.tally = sum(&before, &searched.tally, sweep.targets.len() - swept.alive.len());
            swept.end = searched.end;
            swept.findings.extend(searched.findings);
            if searched.end != SearchEnd::Found {
                break;
            }
        }
        swept.elapsed = started.elapsed();
        Ok(swept)
    }

    /// Makes inputs small, each within this time: one for each submission that fails on one of them, and of these no
    /// more than it takes to fail them all. Judge errors are no failures.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn killers(&self, findings: &[Finding], time: Duration) -> Result<Vec<Killer>, StressError> {
        let with = |finding: &Finding| {
            let alone = |seen: Seen| Finding { seen: vec![seen], ..finding.clone() };
            finding.seen.clone().into_iter().filter(is_failure).map(alone).collect::<Vec<_>>()
        };
        let mut open: Vec<Finding> = findings.iter().flat_map(with).collect();
        let all: Vec<SubmissionIndex> = open.iter().map(|finding| finding.seen[0].submission).collect();
        let mut killers: Vec<Killer> = Vec::new();
        while !open.is_empty() {
            let batch: Vec<Finding> = open.drain(..open.len().min(BATCH)).collect();
            let begin = |core| self.search_worker(core);
            let work = |search_worker: &mut SearchWorker<'_>, finding: &Finding| {
                self.killer(search_worker, finding, &all, time).map(Some)
            };
            killers.extend(self.crew.each(&batch, begin, work)?.unwrap_or_default());
            open.retain(|finding| !killers.iter().any(|of| of.killed().any(|dead| dead == finding.seen[0].submission)));
        }
        let sizes: Vec<usize> = killers.iter().map(|of| of.small.finding.input.len()).collect();
        let kills: Vec<BTreeSet<SubmissionIndex>> = killers.iter().map(|of| of.killed().collect()).collect();
        let enough = enough(&sizes, &kills);
        Ok(killers.into_iter().zip(enough).filter_map(|(killer, is_needed)| is_needed.then_some(killer)).collect())
    }

    /// Makes an input small that one submission fails, and asks all others about it.
    fn killer(
        &self,
        search_worker: &mut SearchWorker<'_>,
        finding: &Finding,
        all: &[SubmissionIndex],
        time: Duration,
    ) -> Result<Killer, StressError> {
        let target = finding.seen[0].submission;
        let mut small = self.minimize_one(search_worker, finding, &Finder::fails(target), time)?;
        let others = Finder::AnyFails(all.iter().copied().filter(|other| *other != target).collect());
        let once = failing(search_worker, &small.finding, &others)?;
        let twice = if once.is_empty() { Vec::new() } else { failing(search_worker, &small.finding, &others)? };
        let again =
            |seen: &Seen| twice.iter().any(|other| other.submission == seen.submission && other.class == seen.class);
        small.finding.seen.extend(once.into_iter().filter(again));
        small.finding.seen.sort_by_key(|seen| seen.submission);
        Ok(Killer { first: finding.clone(), small })
    }
}

/// The behaviour of the submissions that fail on an input; empty when that is not known.
fn failing(search_worker: &mut SearchWorker<'_>, finding: &Finding, finder: &Finder) -> Result<Vec<Seen>, StressError> {
    Ok(match search_worker.examine(&finding.input, finding.like, finder)? {
        Examined::Found(seen) => seen.into_iter().filter(is_failure).collect(),
        _ => Vec::new(),
    })
}

fn is_failure(seen: &Seen) -> bool {
    let FailureClass { verdict, .. } = seen.class;
    !matches!(verdict, Verdict::Accepted | Verdict::JudgeError)
}

/// True when a submission fails on an input: it does anything but right.
fn fails(finding: &Finding, submission: SubmissionIndex) -> bool {
    finding.seen.iter().any(|seen| seen.submission == submission && seen.class.verdict != Verdict::Accepted)
}

/// The sum of the tallies before and now.
fn sum(before: &InputTally, now: &InputTally, findings: usize) -> InputTally {
    InputTally {
        inputs: before.inputs + now.inputs,
        refused: before.refused + now.refused,
        repeated: before.repeated + now.repeated,
        invalid: before.invalid + now.invalid,
        unusable: before.unusable + now.unusable,
        judged: before.judged + now.judged,
        kinds: now.kinds,
        kinds_reached: before.kinds_reached.max(now.kinds_reached),
        bases: now.bases,
        findings: findings as u64,
    }
}

/// Chooses inputs that are enough to kill everything that any of them kills, by their sizes and by the kills of each;
/// true for one that is needed. The largest that is not needed goes first, and of two of one size the later one.
fn enough(sizes: &[usize], kills: &[BTreeSet<SubmissionIndex>]) -> Vec<bool> {
    let mut is_needed = vec![true; kills.len()];
    let mut order: Vec<usize> = (0..kills.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse((sizes[*index], *index)));
    for index in order {
        let others = || (0..kills.len()).filter(|other| *other != index && is_needed[*other]);
        is_needed[index] = !kills[index].iter().all(|dead| others().any(|other| kills[other].contains(dead)));
    }
    is_needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_inputs_are_kept_than_it_takes() {
        let kills = |all: &[&[usize]]| {
            all.iter().map(|of| of.iter().copied().map(SubmissionIndex).collect()).collect::<Vec<_>>()
        };
        // The second kills what the first does, and more; the third is as good as the second, and larger.
        assert_eq!(enough(&[3, 5, 9], &kills(&[&[1], &[1, 2], &[1, 2]])), [false, true, false]);
        assert_eq!(enough(&[4, 4], &kills(&[&[1], &[1]])), [true, false]);
        assert_eq!(enough(&[1, 2, 3], &kills(&[&[1], &[2], &[1, 2]])), [true, true, false]);
        assert_eq!(enough(&[1, 1], &kills(&[&[], &[7]])), [false, true]);
        assert_eq!(enough(&[], &[]), [] as [bool; 0]);
    }

    #[test]
    fn what_inputs_came_to_is_added_up() {
        let one =
            InputTally { inputs: 5, refused: 1, judged: 3, kinds_reached: 2, findings: 1, ..InputTally::default() };
        let both =
            sum(&one, &InputTally { inputs: 7, kinds: 3, kinds_reached: 1, invalid: 2, ..InputTally::default() }, 4);
        let expected = InputTally {
            inputs: 12,
            refused: 1,
            judged: 3,
            invalid: 2,
            kinds: 3,
            kinds_reached: 2,
            findings: 4,
            ..InputTally::default()
        };
        assert_eq!(both, expected);
    }
}

//! Making a finding small: first the arguments of its generator, then the input itself.
//!
//! Responsible for what is asked about each smaller one: the validators, the reference, and whether the failure is of
//! the same class. Must not know how an input is cut to pieces.

use std::time::{Duration, Instant};

use judge_model::TestCaseIndex;

use crate::finder::Finder;
use crate::hunting::{Hunt, StressError};
use crate::inputs::shrinking::{Answer, shrink};
use crate::inputs::template::other_seed;
use crate::search::{Finding, Origin, is_same};
use crate::search_worker::{Examined, SearchWorker, Seen};

/// Seeds that are tried for each smaller argument.
const SEEDS: u64 = 4;

/// A finding that was made small.
#[derive(Clone, Debug, PartialEq)]
pub struct MinimizedFinding {
    /// The smallest input, with what was seen on it.
    pub finding: Finding,
    /// The generator's input with the smallest arguments, if a generator made it and smaller ones would do.
    pub call: Option<Finding>,
    /// The answer of the reference to the smallest input, where answers are outputs.
    pub answer: Option<Vec<u8>>,
    /// Inputs that were tried.
    pub tried: u64,
    /// True when no single line and no single word can be taken out of it. False when the time was over before.
    pub is_minimal: bool,
}

impl Hunt<'_> {
    /// Makes findings small, several at a time, each within this time. The failure stays of the same class, and each
    /// step is seen twice. Without an input validator only arguments become smaller.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn minimize(
        &self,
        findings: &[Finding],
        finder: &Finder,
        time: Duration,
    ) -> Result<Vec<MinimizedFinding>, StressError> {
        let begin = |core| self.search_worker(core);
        let work = |search_worker: &mut SearchWorker<'_>, finding: &Finding| {
            self.minimize_one(search_worker, finding, finder, time).map(Some)
        };
        Ok(self.crew.each(findings, begin, work)?.unwrap_or_default())
    }

    pub(crate) fn minimize_one(
        &self,
        search_worker: &mut SearchWorker<'_>,
        finding: &Finding,
        finder: &Finder,
        time: Duration,
    ) -> Result<MinimizedFinding, StressError> {
        let mut minimizing =
            Minimizing { hunt: self, finder, class: &finding.seen, deadline: Instant::now() + time, tried: 0 };
        let mut best = finding.clone();
        minimizing.smaller_arguments(search_worker, &mut best)?;
        let call = matches!(best.origin, Origin::Call { .. }).then(|| best.clone());
        let mut is_minimal = false;
        if self.validates() {
            let shrunk = shrink(&best.input, &mut |input| minimizing.answer(search_worker, input, best.like))?;
            is_minimal = shrunk.is_minimal;
            best.input = shrunk.input;
        }
        // Of the smallest one, what is told: whatever of it does not tell classes apart.
        if let Examined::Found(seen) = search_worker.examine(&best.input, best.like, finder)? {
            best.seen = seen;
        }
        let answer = search_worker.answer_of(&best.input, best.like)?;
        Ok(MinimizedFinding { finding: best, call, answer, tried: minimizing.tried, is_minimal })
    }
}

/// The questions about smaller inputs, and their cost so far.
struct Minimizing<'a> {
    hunt: &'a Hunt<'a>,
    finder: &'a Finder,
    class: &'a [Seen],
    deadline: Instant,
    tried: u64,
}

impl Minimizing<'_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || self.hunt.cancel.is_cancelled()
    }

    /// `None` when there is no time left.
    fn answer(
        &mut self,
        search_worker: &mut SearchWorker<'_>,
        input: &[u8],
        like: TestCaseIndex,
    ) -> Result<Option<Answer>, StressError> {
        if self.is_over() {
            return Ok(None);
        }
        self.tried += 1;
        Ok(match search_worker.examine(input, like, self.finder)? {
            Examined::Cancelled => None,
            Examined::Invalid => Some(Answer::Invalid),
            Examined::Found(seen) if is_same(&seen, self.class) => Some(Answer::Same),
            Examined::Found(_) | Examined::Nothing | Examined::Unusable(_) => Some(Answer::Gone),
        })
    }

    /// Makes the numbers among the arguments smaller one by one, each with several seeds, as long as the input does not
    /// become larger.
    fn smaller_arguments(
        &mut self,
        search_worker: &mut SearchWorker<'_>,
        best: &mut Finding,
    ) -> Result<(), StressError> {
        let Origin::Call { template, .. } = best.origin else { return Ok(()) };
        let template = &self.hunt.source.templates[template.0];
        let (lows, seeds) = (template.lows(), template.seeds());
        let mut changed = true;
        while changed {
            changed = false;
            for (index, low) in lows.iter().enumerate() {
                let Some((name, low)) = low else { continue };
                while self.smaller_argument(search_worker, best, index, name, *low, &seeds)? {
                    changed = true;
                }
            }
        }
        Ok(())
    }

    fn smaller_argument(
        &mut self,
        search_worker: &mut SearchWorker<'_>,
        best: &mut Finding,
        index: usize,
        name: &str,
        low: i64,
        seeds: &[usize],
    ) -> Result<bool, StressError> {
        let Origin::Call { generator, args, template } = best.origin.clone() else { return Ok(false) };
        let Some(value) = args[index].strip_prefix(name).and_then(|number| number.parse::<i64>().ok()) else {
            return Ok(false);
        };
        for smaller in steps(value, low) {
            for attempt in 0..if seeds.is_empty() { 1 } else { SEEDS } {
                let mut args = args.clone();
                args[index] = format!("{name}{smaller}");
                for seed in seeds.iter().filter(|_| attempt > 0) {
                    args[*seed] = other_seed(&args[*seed], attempt);
                }
                if self.is_over() {
                    return Ok(false);
                }
                let Some(input) = search_worker.generate(generator, &args)? else { break };
                if input.len() > best.input.len() || !self.is_same_twice(search_worker, &input, best.like)? {
                    continue;
                }
                best.input = input;
                best.origin = Origin::Call { generator, args, template };
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_same_twice(
        &mut self,
        search_worker: &mut SearchWorker<'_>,
        input: &[u8],
        like: TestCaseIndex,
    ) -> Result<bool, StressError> {
        for _ in 0..2 {
            if self.answer(search_worker, input, like)? != Some(Answer::Same) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Numbers from the smallest that may be, towards a value: half of what is between at a time.
fn steps(value: i64, low: i64) -> Vec<i64> {
    let mut steps = Vec::new();
    let mut next = if low < 0 { 0 } else { low };
    if value <= next && low < 0 {
        // Below 0, what is nearer to it is smaller.
        return if value < 0 { vec![0, value / 2, value + 1] } else { Vec::new() };
    }
    while next < value {
        steps.push(next);
        next += ((value - next) / 2).max(1);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_from_the_smallest_to_the_next() {
        assert_eq!(steps(10, 1), [1, 5, 7, 8, 9]);
        assert_eq!(steps(1, 1), Vec::<i64>::new());
        assert_eq!(steps(3, -9), [0, 1, 2]);
        assert_eq!(steps(-9, -20), [0, -4, -8]);
        assert_eq!(steps(0, -9), Vec::<i64>::new());
    }
}

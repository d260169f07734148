//! Minimizing findings: first the arguments of the generator, then the input itself.
//!
//! Responsible for deciding which smaller inputs have the same failure, and for choosing few inputs
//! that make several submissions fail. Must not know how an input is shrunk.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use judge_exec::Start;
use judge_model::{SubmissionIndex, TestCaseIndex, Verdict};

use crate::error::StressError;
use crate::input_sources::Origin;
use crate::inputs::shrinking::{Answer, shrink};
use crate::inputs::template::{GeneratorIndex, other_seed};
use crate::predicate::Predicate;
use crate::search::{Finding, is_same};
use crate::session::SearchSession;
use crate::worker::{Examination, InputResult, SearchWorker};

/// The number of seeds that are tried for each smaller argument.
const SEEDS: u64 = 4;
/// The maximum number of consecutive seeds without a smaller input.
const MAX_USELESS_SEEDS: u64 = 300;
/// The maximum time without a smaller input.
const MAX_USELESS_TIME: Duration = Duration::from_secs(2);
/// The number of inputs that are minimized before all other submissions run on them. It does not
/// depend on the number of jobs, so that the result does not depend on it either.
const BATCH: usize = 4;

/// A finding after minimizing.
#[derive(Clone, Debug, PartialEq)]
pub struct MinimizedFinding {
    /// The smallest input, with the results on it.
    pub finding: Finding,
    /// The input of the generator with the smallest arguments, if a generator created the input and
    /// smaller arguments were enough.
    pub call: Option<Finding>,
    /// The answer of the reference to the smallest input, if answers are outputs.
    pub answer: Option<Vec<u8>>,
    /// The number of inputs that were tried.
    pub tried: u64,
    /// True when no single line and no single word can be removed. False when the time ran out
    /// before.
    pub is_minimal: bool,
}

/// An input that submissions fail.
#[derive(Clone, Debug, PartialEq)]
pub struct Killer {
    /// The input as it was found.
    pub first: Finding,
    /// The input after minimizing, with the results of the submissions that fail.
    pub small: MinimizedFinding,
}

impl Killer {
    /// The submissions that fail.
    pub fn killed(&self) -> impl Iterator<Item = SubmissionIndex> + '_ {
        self.small
            .finding
            .results
            .iter()
            .map(|result| result.submission)
    }
}

impl SearchSession<'_> {
    /// Minimizes findings, several at a time, each within this time. The class of the failure is
    /// preserved, which is checked twice for each step. Without an input validator, only the
    /// arguments of generators change.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn minimize(
        &self,
        findings: &[Finding],
        predicate: &Predicate,
        time: Duration,
    ) -> Result<Vec<MinimizedFinding>, StressError> {
        let minimize = |worker: &mut SearchWorker<'_>, finding: &Finding| {
            self.minimize_one(worker, finding, predicate, time)
        };
        Ok(self.each(findings, minimize)?.unwrap_or_default())
    }

    fn minimize_one(
        &self,
        worker: &mut SearchWorker<'_>,
        finding: &Finding,
        predicate: &Predicate,
        time: Duration,
    ) -> Result<MinimizedFinding, StressError> {
        let mut minimizer = Minimizer {
            session: self,
            predicate,
            results: &finding.results,
            deadline: Instant::now() + time,
            tried: 0,
            warm_programs: true,
            warm_generators: true,
        };
        let mut best = finding.clone();
        minimizer.minimize_arguments(worker, &mut best)?;
        // The call is reported in addition to the input: a call with small arguments is often
        // easier to understand than a shrunk text.
        let mut call = matches!(best.origin, Origin::Call { .. }).then(|| best.clone());
        let mut is_minimal = false;
        // Without an input validator, anything would count as valid, and the input would
        // shrink to one that breaks the format.
        if self.validates() {
            let mut shrunk = shrink(&best.input, &mut |input| {
                minimizer.answer(worker, input, best.settings_case)
            })?;
            // A program can behave differently in warm runs, so ordinary ones decide that nothing
            // more can be removed.
            minimizer.warm_programs = false;
            if shrunk.is_minimal {
                shrunk = shrink(&shrunk.input, &mut |input| {
                    minimizer.answer(worker, input, best.settings_case)
                })?;
            }
            is_minimal = shrunk.is_minimal;
            best.input = shrunk.input;
        } else {
            minimizer.minimize_seed(worker, &mut best)?;
            call = matches!(best.origin, Origin::Call { .. }).then(|| best.clone());
        }
        // The reported results must be those on the smallest input: so far, only their classes are
        // known to be the same.
        if let Examination::Found(results) =
            worker.examine(&best.input, best.settings_case, predicate)?
        {
            best.results = results;
        }
        let answer = worker.answer_of(&best.input, best.settings_case)?;
        Ok(MinimizedFinding {
            finding: best,
            call,
            answer,
            tried: minimizer.tried,
            is_minimal,
        })
    }

    /// Minimizes inputs, each within this time, and returns only those needed to kill every
    /// submission that fails on one of them. Judge errors are not failures.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn killers(
        &self,
        findings: &[Finding],
        time: Duration,
    ) -> Result<Vec<Killer>, StressError> {
        let failures = |finding: &Finding| {
            let alone = |result: &InputResult| Finding {
                results: vec![result.clone()],
                ..finding.clone()
            };
            let failures = finding.results.iter().filter(|result| is_failure(result));
            failures.map(alone).collect::<Vec<_>>()
        };
        let mut pending: Vec<Finding> = findings.iter().flat_map(failures).collect();
        let all: Vec<SubmissionIndex> = pending
            .iter()
            .map(|finding| finding.results[0].submission)
            .collect();
        let mut killers: Vec<Killer> = Vec::new();
        // A small input often kills several submissions. Therefore only a few inputs are minimized
        // at a time, and the submissions that they kill need no more work.
        while !pending.is_empty() {
            let batch: Vec<Finding> = pending.drain(..pending.len().min(BATCH)).collect();
            let minimize = |worker: &mut SearchWorker<'_>, finding: &Finding| {
                self.killer(worker, finding, &all, time)
            };
            killers.extend(self.each(&batch, minimize)?.unwrap_or_default());
            let killed: BTreeSet<SubmissionIndex> =
                killers.iter().flat_map(Killer::killed).collect();
            pending.retain(|finding| !killed.contains(&finding.results[0].submission));
        }
        let sizes: Vec<usize> = killers
            .iter()
            .map(|killer| killer.small.finding.input.len())
            .collect();
        let kills: Vec<BTreeSet<SubmissionIndex>> = killers
            .iter()
            .map(|killer| killer.killed().collect())
            .collect();
        let mut needed = needed(&sizes, &kills).into_iter();
        killers.retain(|_| needed.next() == Some(true));
        Ok(killers)
    }

    /// Minimizes an input that one submission fails, and runs all others on it.
    fn killer(
        &self,
        worker: &mut SearchWorker<'_>,
        finding: &Finding,
        all: &[SubmissionIndex],
        time: Duration,
    ) -> Result<Killer, StressError> {
        let target = finding.results[0].submission;
        let mut small = self.minimize_one(worker, finding, &Predicate::fails(target), time)?;
        let others = all.iter().copied().filter(|other| *other != target);
        let others = Predicate::AnyFails(others.collect());
        let first_run = failures(worker, &small.finding, &others)?;
        // The target itself was confirmed while its input was minimized. The others have run
        // only once on it.
        let second_run = if first_run.is_empty() {
            Vec::new()
        } else {
            failures(worker, &small.finding, &others)?
        };
        // A failure that happens only once may be caused by the host.
        let is_confirmed = |one: &InputResult| {
            second_run
                .iter()
                .any(|other| other.submission == one.submission && other.class == one.class)
        };
        let results = &mut small.finding.results;
        results.extend(first_run.into_iter().filter(is_confirmed));
        results.sort_by_key(|result| result.submission);
        Ok(Killer {
            first: finding.clone(),
            small,
        })
    }
}

/// The results of the submissions that fail on an input; empty when they are unknown.
fn failures(
    worker: &mut SearchWorker<'_>,
    finding: &Finding,
    predicate: &Predicate,
) -> Result<Vec<InputResult>, StressError> {
    Ok(
        match worker.examine(&finding.input, finding.settings_case, predicate)? {
            Examination::Found(results) => results.into_iter().filter(is_failure).collect(),
            _ => Vec::new(),
        },
    )
}

fn is_failure(result: &InputResult) -> bool {
    !matches!(
        result.class.verdict,
        Verdict::Accepted | Verdict::JudgeError
    )
}

/// Chooses inputs that together kill every submission that any of them kills, from their sizes and
/// kills. The result is true for an input that is needed. Larger inputs are left out first, and of
/// two with the same size the later one.
fn needed(sizes: &[usize], kills: &[BTreeSet<SubmissionIndex>]) -> Vec<bool> {
    let mut is_needed = vec![true; kills.len()];
    let mut order: Vec<usize> = (0..kills.len()).collect();
    // A greedy choice: the optimum would be a set cover, and there are few inputs.
    order.sort_by_key(|index| std::cmp::Reverse((sizes[*index], *index)));
    for index in order {
        let others = || (0..kills.len()).filter(|other| *other != index && is_needed[*other]);
        is_needed[index] = !kills[index]
            .iter()
            .all(|killed| others().any(|other| kills[other].contains(killed)));
    }
    is_needed
}

/// The state of minimizing one finding.
struct Minimizer<'a> {
    session: &'a SearchSession<'a>,
    predicate: &'a Predicate,
    /// The results with the classes that must be preserved.
    results: &'a [InputResult],
    deadline: Instant,
    tried: u64,
    /// True while submissions run warm first.
    warm_programs: bool,
    /// True unless a generator made another input when it was started ordinarily.
    warm_generators: bool,
}

impl Minimizer<'_> {
    fn is_stopped(&self) -> bool {
        Instant::now() >= self.deadline || self.session.cancel.is_cancelled()
    }

    /// Examines an input. Returns `None` when the time is used up.
    fn answer(
        &mut self,
        worker: &mut SearchWorker<'_>,
        input: &[u8],
        settings_case: TestCaseIndex,
    ) -> Result<Option<Answer>, StressError> {
        if self.is_stopped() {
            return Ok(None);
        }
        self.tried += 1;
        Ok(match self.examine(worker, input, settings_case)? {
            Examination::Cancelled | Examination::Unanswered => None,
            Examination::Invalid(_) => Some(Answer::Invalid),
            // A smaller input with another failure is a different finding. Accepting it could lose
            // the original failure.
            Examination::Found(results) if is_same(&results, self.results) => Some(Answer::Same),
            Examination::Found(_)
            | Examination::Nothing
            | Examination::Unusable(_)
            | Examination::JudgeError(_) => Some(Answer::Gone),
        })
    }

    /// Examines an input in warm runs first. Most inputs fail differently or not at all, which these
    /// find in a fraction of the time. Only ordinary runs show that the failure is the same.
    fn examine(
        &self,
        worker: &mut SearchWorker<'_>,
        input: &[u8],
        settings_case: TestCaseIndex,
    ) -> Result<Examination, StressError> {
        // A run that ends at the time limit takes as long in both ways.
        let is_slow = |result: &InputResult| result.class.verdict == Verdict::TimeLimitExceeded;
        if self.warm_programs && !self.results.iter().any(is_slow) {
            worker.start(Start::Warm);
            let examination = worker.examine(input, settings_case, self.predicate);
            worker.start(Start::Ordinary);
            match examination {
                Ok(Examination::Found(results)) if is_same(&results, self.results) => {}
                // A fault of the package is reported only after an ordinary run.
                Ok(Examination::Unusable(_) | Examination::JudgeError(_)) | Err(_) => {}
                Ok(other) => return Ok(other),
            }
        }
        worker.examine(input, settings_case, self.predicate)
    }

    /// Reduces the numbers among the arguments one by one, each with several seeds, as long as the
    /// input does not become larger.
    fn minimize_arguments(
        &mut self,
        worker: &mut SearchWorker<'_>,
        best: &mut Finding,
    ) -> Result<(), StressError> {
        let Origin::Call { template, .. } = best.origin else {
            return Ok(());
        };
        let template = &self.session.source.templates[template.0];
        let (lower_bounds, seeds) = (template.lower_bounds(), template.seeds());
        let mut changed = true;
        // A smaller argument may allow another one to be reduced, so all of them are tried until
        // none can be reduced.
        while changed {
            changed = false;
            for (index, low) in lower_bounds.iter().enumerate() {
                let Some((name, low)) = low else { continue };
                while self.minimize_argument(worker, best, index, name, *low, &seeds)? {
                    changed = true;
                }
            }
        }
        Ok(())
    }

    /// Finds the smallest input that the call creates with other seeds. Without an input validator,
    /// this is the only way to smaller inputs that are certainly valid.
    fn minimize_seed(
        &mut self,
        worker: &mut SearchWorker<'_>,
        best: &mut Finding,
    ) -> Result<(), StressError> {
        let Origin::Call {
            generator,
            args,
            template,
        } = best.origin.clone()
        else {
            return Ok(());
        };
        let seeds = self.session.source.templates[template.0].seeds();
        let (mut useless, mut since) = (0, Instant::now());
        for number in (SEEDS..).take_while(|_| !seeds.is_empty()) {
            if self.is_stopped()
                || useless >= MAX_USELESS_SEEDS
                || since.elapsed() >= MAX_USELESS_TIME
            {
                break;
            }
            useless += 1;
            let mut args = args.clone();
            seeds
                .iter()
                .for_each(|seed| args[*seed] = other_seed(&args[*seed], number));
            let Ok(input) = self.generate(worker, generator, &args)? else {
                continue;
            };
            let origin = Origin::Call {
                generator,
                args,
                template,
            };
            if input.len() < best.input.len() && self.replace(worker, best, input, origin)? {
                (useless, since) = (0, Instant::now());
            }
        }
        Ok(())
    }

    /// Makes an input the best one if it has the same failure and is what its call makes, and returns
    /// true then.
    fn replace(
        &mut self,
        worker: &mut SearchWorker<'_>,
        best: &mut Finding,
        input: Vec<u8>,
        origin: Origin,
    ) -> Result<bool, StressError> {
        // It is examined twice: a failure that happens only once may be caused by the host.
        for _ in 0..2 {
            if self.answer(worker, &input, best.settings_case)? != Some(Answer::Same) {
                return Ok(false);
            }
        }
        // The call is reported as what makes the input.
        if let Origin::Call {
            generator, args, ..
        } = &origin
            && self.warm_generators
            && worker.generate(*generator, args)?.as_ref() != Ok(&input)
        {
            self.warm_generators = false;
            return Ok(false);
        }
        (best.input, best.origin) = (input, origin);
        Ok(true)
    }

    /// Generates an input, in a warm run unless that makes a difference.
    fn generate(
        &self,
        worker: &mut SearchWorker<'_>,
        generator: GeneratorIndex,
        args: &[String],
    ) -> Result<Result<Vec<u8>, String>, StressError> {
        if self.warm_generators {
            worker.start(Start::Warm);
        }
        let made = worker.generate(generator, args);
        worker.start(Start::Ordinary);
        made
    }

    /// Reduces one argument once. Returns false when it cannot be reduced.
    fn minimize_argument(
        &mut self,
        worker: &mut SearchWorker<'_>,
        best: &mut Finding,
        index: usize,
        name: &str,
        low: i64,
        seeds: &[usize],
    ) -> Result<bool, StressError> {
        let Origin::Call {
            generator,
            args,
            template,
        } = best.origin.clone()
        else {
            return Ok(false);
        };
        let Some(value) = args[index]
            .strip_prefix(name)
            .and_then(|number| number.parse::<i64>().ok())
        else {
            return Ok(false);
        };
        for smaller in steps(value, low) {
            // Attempt 0 keeps the seed. With other arguments the same seed gives another input, so
            // a few more seeds are tried.
            for attempt in 0..if seeds.is_empty() { 1 } else { SEEDS } {
                let mut args = args.clone();
                args[index] = format!("{name}{smaller}");
                for seed in seeds.iter().filter(|_| attempt > 0) {
                    args[*seed] = other_seed(&args[*seed], attempt);
                }
                if self.is_stopped() {
                    return Ok(false);
                }
                // A generator that refuses these arguments usually does so with any seed.
                let Ok(input) = self.generate(worker, generator, &args)? else {
                    break;
                };
                let origin = Origin::Call {
                    generator,
                    args,
                    template,
                };
                if input.len() <= best.input.len() && self.replace(worker, best, input, origin)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// The numbers that are tried in place of a value. They approach the value from the lower bound,
/// halving the distance.
fn steps(value: i64, low: i64) -> Vec<i64> {
    let mut steps = Vec::new();
    let mut next = if low < 0 { 0 } else { low };
    if value <= next && low < 0 {
        // Negative numbers become smaller towards 0.
        return if value < 0 {
            vec![0, value / 2, value + 1]
        } else {
            Vec::new()
        };
    }
    // The lower bound comes first: if it is enough, one attempt replaces a whole binary search.
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
    fn steps_begin_at_the_lower_bound() {
        assert_eq!(steps(10, 1), [1, 5, 7, 8, 9]);
        assert_eq!(steps(1, 1), Vec::<i64>::new());
        assert_eq!(steps(3, -9), [0, 1, 2]);
        assert_eq!(steps(-9, -20), [0, -4, -8]);
        assert_eq!(steps(0, -9), Vec::<i64>::new());
    }

    #[test]
    fn only_needed_inputs_are_kept() {
        let kills = |all: &[&[usize]]| {
            all.iter()
                .map(|list| list.iter().copied().map(SubmissionIndex).collect())
                .collect::<Vec<_>>()
        };
        // The second input kills more than the first, and the third kills the same as the second
        // but is larger.
        assert_eq!(
            needed(&[3, 5, 9], &kills(&[&[1], &[1, 2], &[1, 2]])),
            [false, true, false]
        );
        assert_eq!(needed(&[4, 4], &kills(&[&[1], &[1]])), [true, false]);
        assert_eq!(
            needed(&[1, 2, 3], &kills(&[&[1], &[2], &[1, 2]])),
            [true, true, false]
        );
        assert_eq!(needed(&[1, 1], &kills(&[&[], &[7]])), [false, true]);
        assert_eq!(needed(&[], &[]), [] as [bool; 0]);
    }
}

//! Trying mutants: the programs that hold many of them, what the original reaches, and then every mutant.
//!
//! Responsible for the order of these steps and for their progress. Must not know how any of them is done.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::mutants::{Mutant, MutantIndex, Purpose};
use judge_event::{Method, Progress};
use judge_exec::{Environment, ExecError, PreparedSubmission, Session, TimedProblem};
use judge_model::{TestCaseIndex, micros};

use crate::building::build;
use crate::equivalents::Equivalent;
use crate::equivalents::same_program::same_programs;
use crate::judging::{Context, MutantOutcome, MutantWorker, could_matter, is_near};
use crate::memory::{Memory, Original};
use crate::mutation::{MutationError, Settings};
use crate::order::Order;
use crate::score::group_of;
use crate::workplace::Workplace;

/// The subject of a trial: the mutants, and everything that trying them needs.
pub(crate) struct Subject<'a> {
    pub(crate) session: &'a Session,
    pub(crate) workplace: &'a Workplace,
    pub(crate) memory: &'a Mutex<Memory>,
    pub(crate) timed: &'a TimedProblem,
    pub(crate) environment: &'a Environment,
    pub(crate) source: &'a str,
    pub(crate) mutants: &'a [Mutant],
    pub(crate) equivalents: &'a [Equivalent],
    /// The mutants that are chosen to be tried.
    pub(crate) chosen: &'a BTreeSet<MutantIndex>,
    /// Of the test cases.
    pub(crate) keys: &'a [String],
    pub(crate) settings: &'a Settings,
}

/// The result of trying mutants.
pub(crate) struct Done {
    /// By mutant, those that were tried.
    pub(crate) trials: Vec<(MutantIndex, MutantOutcome)>,
    /// For each mutant, the test cases on which it could have made a difference.
    pub(crate) reached: Vec<Option<Vec<TestCaseIndex>>>,
    /// For each mutant, the test cases that reach it with no value that makes a difference.
    pub(crate) near: Vec<Vec<TestCaseIndex>>,
    /// The mutants that the compiler makes the solution of.
    pub(crate) same: BTreeSet<MutantIndex>,
    pub(crate) method: Method,
}

/// Hears how far it is.
type OnProgress<'h> = &'h mut dyn FnMut(&Progress) -> io::Result<()>;

/// Tries the mutants. `None` when it was cancelled.
pub(crate) fn carry_out(subject: &Subject<'_>, progress: OnProgress<'_>) -> Result<Option<Done>, MutationError> {
    emit_progress(progress, 0, subject.chosen.len(), "compiling mutants together")?;
    let programs = Programs::build(subject)?;
    if subject.session.is_cancelled() {
        return Ok(None);
    }
    let cases = &subject.timed.problem.test_cases;
    let sizes = cases.iter().map(|case| fs::metadata(&case.input).map_or(0, |found| found.len()));
    let order = Order::new(sizes.collect());
    let context = Context {
        session: subject.session,
        workplace: subject.workplace,
        problem: &subject.timed.problem,
        time_limit: subject.timed.time_limit,
        source: subject.source,
        mutants: subject.mutants,
        original: Mutex::new(None),
        together: programs.together.as_ref(),
        is_together: &programs.is_together,
        recording: programs.recording.as_ref(),
        is_recorded: &programs.is_recorded,
        keys: subject.keys,
        memory: subject.memory,
        order: &order,
        full: subject.settings.full,
    };
    let Some(originals) = originals(subject, &context, progress)? else { return Ok(None) };
    let Some(mut trials) = trials(subject, &context, &originals, progress)? else { return Ok(None) };
    let same = same_programs(subject, &context, &trials, |done, total| {
        emit_progress(progress, done, total, "comparing survivors with the solution")
    })?;
    let Some(same) = same else { return Ok(None) };
    let memory = subject.memory.lock().unwrap_or_else(PoisonError::into_inner);
    trials
        .iter_mut()
        .for_each(|(mutant, trial)| trial.refused |= memory.refused.contains(&subject.mutants[*mutant].id));
    drop(memory);
    let reached = |mutant: MutantIndex| {
        let is_known = programs.is_recorded[mutant] && originals.iter().all(|original| original.seen.is_some());
        let could = || {
            let could = |case: &TestCaseIndex| could_matter(&context, mutant, &originals[case.0]);
            TestCaseIndex::first(cases.len()).filter(could).collect()
        };
        is_known.then(|| order.smallest_first(could()))
    };
    let reached = MutantIndex::first(subject.mutants.len()).map(reached).collect();
    let near = |mutant: MutantIndex| {
        let is_near = |case: &TestCaseIndex| is_near(&context, mutant, &originals[case.0]);
        order.smallest_first(TestCaseIndex::first(cases.len()).filter(is_near).collect())
    };
    let near = MutantIndex::first(subject.mutants.len()).map(near).collect();
    let method = method(subject, &programs, &trials);
    Ok(Some(Done { trials, reached, near, same, method }))
}

fn emit_progress(progress: OnProgress<'_>, done: usize, total: usize, what: &str) -> Result<(), MutationError> {
    let running = vec![what.to_owned()];
    let now = Progress { done: done as u64, total: total as u64, running, ..Progress::default() };
    progress(&now).map_err(|error| MutationError::Runner(ExecError::Observer(error)))
}

/// The two programs that hold many mutants, and which of them.
struct Programs {
    together: Option<PreparedSubmission>,
    is_together: Vec<bool>,
    recording: Option<PreparedSubmission>,
    is_recorded: Vec<bool>,
    took: Duration,
}

impl Programs {
    fn build(subject: &Subject<'_>) -> Result<Self, MutationError> {
        let started = Instant::now();
        if subject.settings.apart {
            let none = || vec![false; subject.mutants.len()];
            let (is_together, is_recorded) = (none(), none());
            return Ok(Self { together: None, is_together, recording: None, is_recorded, took: Duration::ZERO });
        }
        let memory = || subject.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut not_together = memory().not_together.clone();
        let mut not_recorded = memory().not_recorded.clone();
        let (together, is_together) = one_program(subject, Purpose::Choosing, &mut not_together)?;
        let (recording, is_recorded) = one_program(subject, Purpose::Recording, &mut not_recorded)?;
        // A compiler that was ended early has said nothing about mutants.
        if !subject.session.is_cancelled() {
            memory().not_together = not_together;
            memory().not_recorded = not_recorded;
        }
        Ok(Self { together, is_together, recording, is_recorded, took: started.elapsed() })
    }
}

/// A program of the chosen mutants without those of these names; those that turn out not to fit are added. With it, whether it holds each.
fn one_program(
    subject: &Subject<'_>,
    purpose: Purpose,
    left_out: &mut BTreeSet<String>,
) -> Result<(Option<PreparedSubmission>, Vec<bool>), MutationError> {
    let mutants = subject.mutants;
    let mut apart: BTreeSet<MutantIndex> =
        MutantIndex::first(mutants.len()).filter(|index| left_out.contains(&mutants[*index].id)).collect();
    let mut worker = subject.session.measuring_worker(None);
    let built = build(&mut worker, subject.workplace, subject.source, mutants, subject.chosen, purpose, &mut apart)?;
    left_out.extend(apart.iter().map(|index| mutants[*index].id.clone()));
    let fits = |index: MutantIndex| mutants[index].choice.is_some() && !apart.contains(&index);
    let holds = |index: MutantIndex| built.is_some() && subject.chosen.contains(&index) && fits(index);
    let holds = MutantIndex::first(mutants.len()).map(holds).collect();
    Ok((built, holds))
}

/// The behaviour of the original on every test case.
fn originals(
    subject: &Subject<'_>,
    context: &Context<'_>,
    progress: OnProgress<'_>,
) -> Result<Option<Vec<Original>>, MutationError> {
    let count = context.problem.test_cases.len();
    let mut originals: Vec<Option<Original>> = vec![None; count];
    let begin = |core| MutantWorker::new(context, core);
    let cases: Vec<TestCaseIndex> = TestCaseIndex::first(count).collect();
    let work = |worker: &mut MutantWorker<'_>, case: &TestCaseIndex| worker.original(*case);
    let end = subject.environment.crew().for_each_result(&cases, begin, work, |index, original| {
        originals[index] = Some(original);
        emit_progress(progress, 0, subject.chosen.len(), "running the original")
    })?;
    Ok(end.and(originals.into_iter().collect()))
}

/// The outcome of every mutant that was chosen, in order.
fn trials(
    subject: &Subject<'_>,
    context: &Context<'_>,
    originals: &[Original],
    progress: OnProgress<'_>,
) -> Result<Option<Vec<(MutantIndex, MutantOutcome)>>, MutationError> {
    let groups = groups(context.problem.test_cases.iter().map(|case| case.id.as_str()));
    let groups: Vec<Vec<TestCaseIndex>> = groups.into_iter().map(|(_, cases)| cases).collect();
    let chosen: Vec<MutantIndex> = subject.chosen.iter().copied().collect();
    let mut trials = Vec::new();
    let begin = |core| MutantWorker::new(context, core);
    let work = |worker: &mut MutantWorker<'_>, mutant: &MutantIndex| worker.try_mutant(*mutant, &groups, originals);
    let end = subject.environment.crew().for_each_result(&chosen, begin, work, |index, trial| {
        trials.push((chosen[index], trial));
        emit_progress(progress, trials.len(), chosen.len(), subject.mutants[chosen[index]].operator.name())
    })?;
    trials.sort_by_key(|(index, _)| *index);
    Ok(end.map(|()| trials))
}

fn method(subject: &Subject<'_>, programs: &Programs, trials: &[(MutantIndex, MutantOutcome)]) -> Method {
    let was_apart = |(index, trial): &&(MutantIndex, MutantOutcome)| trial.was_apart || !programs.is_together[*index];
    let apart = trials.iter().filter(was_apart).count() as u64;
    let sum = |of: fn(&MutantOutcome) -> u64| trials.iter().map(|(_, trial)| of(trial)).sum();
    let is_sample = trials.len() < subject.mutants.len();
    Method {
        full: subject.settings.full,
        possible: subject.mutants.len() as u64,
        seed: is_sample.then_some(subject.settings.seed),
        together: trials.len() as u64 - apart,
        apart,
        runs: sum(|trial| trial.runs),
        known: sum(|trial| trial.known),
        left_out: sum(|trial| trial.left_out),
        running_us: micros(trials.iter().map(|(_, trial)| trial.running).sum()),
        compiling_us: micros(programs.took),
        elapsed_us: 0,
    }
}

/// The groups of test cases in order, each with the indices of its own.
pub(crate) fn groups<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<(String, Vec<TestCaseIndex>)> {
    let mut groups: Vec<(String, Vec<TestCaseIndex>)> = Vec::new();
    for (index, id) in ids.enumerate().map(|(index, id)| (TestCaseIndex(index), id)) {
        let group = group_of(id);
        match groups.iter_mut().find(|(name, _)| name == group) {
            Some((_, cases)) => cases.push(index),
            None => groups.push((group.to_owned(), vec![index])),
        }
    }
    groups
}

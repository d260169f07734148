//! Running mutants: the combined programs, the original, every mutant, and the comparison of
//! survivors with the solution.
//!
//! Responsible for the order of these steps and for their progress.

mod order;
mod programs;
mod worker;

use std::collections::BTreeSet;
use std::fs;
use std::io;

use judge_event::{Method, Progress};
use judge_exec::ExecError;
use judge_model::{TestCaseIndex, micros};

use crate::error::MutationError;
use crate::mutants::MutantIndex;
use crate::run::order::Order;
use crate::run::programs::Programs;
pub(crate) use crate::run::worker::MutantOutcome;
use crate::run::worker::{MutantWorker, Shared};
use crate::score::groups;
use crate::store::Original;
use crate::subject::Subject;

/// The outcome of running the mutants.
pub(crate) struct RunOutcome {
    /// The outcomes of the mutants that ran, in order.
    pub(crate) outcomes: Vec<(MutantIndex, MutantOutcome)>,
    /// For each mutant, the test cases on which it may differ; `None` if that is unknown.
    pub(crate) reached: Vec<Option<Vec<TestCaseIndex>>>,
    /// For each mutant, the test cases that reach it with no value that makes a difference.
    pub(crate) near: Vec<Vec<TestCaseIndex>>,
    /// The mutants that compile to the same program as the solution.
    pub(crate) same: BTreeSet<MutantIndex>,
    pub(crate) method: Method,
}

/// Receives the progress.
type OnProgress<'h> = &'h mut dyn FnMut(&Progress) -> io::Result<()>;

/// Works on all items with a worker on every core. `take` gets each result with the index of its
/// item. Returns `None` when it was cancelled.
fn for_each<'s, I: Sync, T: Send>(
    shared: &'s Shared<'s>,
    items: &[I],
    work: impl Fn(&mut MutantWorker<'s>, &I) -> Result<Option<T>, MutationError> + Sync,
    take: impl FnMut(usize, T) -> Result<(), MutationError>,
) -> Result<Option<()>, MutationError> {
    let crew = shared.subject.environment.crew();
    crew.for_each_result(items, |core| MutantWorker::new(shared, core), work, take)
}

/// Runs the mutants. Returns `None` when it was cancelled.
pub(crate) fn run(
    subject: &Subject<'_>,
    progress: OnProgress<'_>,
) -> Result<Option<RunOutcome>, MutationError> {
    emit_progress(
        progress,
        0,
        subject.chosen.len(),
        "compiling mutants together",
    )?;
    let programs = Programs::build(subject)?;
    if subject.session.is_cancelled() {
        return Ok(None);
    }
    let cases = &subject.timed.problem.test_cases;
    let sizes = cases
        .iter()
        .map(|case| fs::metadata(&case.input).map_or(0, |metadata| metadata.len()));
    let shared = Shared::new(subject, programs, Order::new(sizes.collect()));
    let Some(originals) = originals(&shared, progress)? else {
        return Ok(None);
    };
    let Some(mut outcomes) = outcomes(&shared, &originals, progress)? else {
        return Ok(None);
    };
    let Some(same) = same_programs(&shared, &outcomes, progress)? else {
        return Ok(None);
    };
    // Compiling survivors separately may have shown that some do not compile.
    for (mutant, outcome) in &mut outcomes {
        outcome.rejected |= subject
            .store()
            .rejected
            .contains(&subject.mutants[*mutant].id);
    }
    let test_cases = |holds: &dyn Fn(&Original) -> bool| {
        let found = TestCaseIndex::first(cases.len()).filter(|case| holds(&originals[case.0]));
        shared.order.smallest_first(found.collect())
    };
    // If one test case has no report, the places of mutants are unknown: they may be reached there.
    let is_seen = originals.iter().all(|original| original.seen.is_some());
    let reached = |mutant: MutantIndex| {
        let is_known = is_seen && shared.programs.recording.contains(mutant);
        is_known.then(|| test_cases(&|original| shared.may_differ(mutant, original)))
    };
    let near = |mutant: MutantIndex| test_cases(&|original| shared.is_near(mutant, original));
    let all = || MutantIndex::first(subject.mutants.len());
    let (reached, near) = (all().map(reached).collect(), all().map(near).collect());
    let method = method(&shared, &outcomes);
    Ok(Some(RunOutcome {
        outcomes,
        reached,
        near,
        same,
        method,
    }))
}

fn emit_progress(
    progress: OnProgress<'_>,
    done: usize,
    total: usize,
    what: &str,
) -> Result<(), MutationError> {
    let running = vec![what.to_owned()];
    let now = Progress {
        done: done as u64,
        total: total as u64,
        running,
        ..Progress::default()
    };
    progress(&now).map_err(|error| MutationError::Runner(ExecError::Observer(error)))
}

/// Determines the behaviour of the original on every test case.
fn originals(
    shared: &Shared<'_>,
    progress: OnProgress<'_>,
) -> Result<Option<Vec<Original>>, MutationError> {
    let subject = shared.subject;
    let cases: Vec<TestCaseIndex> =
        TestCaseIndex::first(subject.timed.problem.test_cases.len()).collect();
    let mut originals: Vec<Option<Original>> = vec![None; cases.len()];
    let work = |worker: &mut MutantWorker<'_>, case: &TestCaseIndex| worker.original(*case);
    let end = for_each(shared, &cases, work, |index, original| {
        originals[index] = Some(original);
        emit_progress(progress, 0, subject.chosen.len(), "running the original")
    })?;
    Ok(end.and(originals.into_iter().collect()))
}

/// Runs every chosen mutant and returns the outcomes in order.
fn outcomes(
    shared: &Shared<'_>,
    originals: &[Original],
    progress: OnProgress<'_>,
) -> Result<Option<Vec<(MutantIndex, MutantOutcome)>>, MutationError> {
    let subject = shared.subject;
    let cases = subject.timed.problem.test_cases.iter();
    let groups: Vec<Vec<TestCaseIndex>> = groups(cases.map(|case| case.id.as_str()))
        .into_iter()
        .map(|(_, cases)| cases)
        .collect();
    let chosen: Vec<MutantIndex> = subject.chosen.iter().copied().collect();
    let mut outcomes = Vec::new();
    let work = |worker: &mut MutantWorker<'_>, mutant: &MutantIndex| {
        worker.run(*mutant, &groups, originals)
    };
    let end = for_each(shared, &chosen, work, |index, outcome| {
        outcomes.push((chosen[index], outcome));
        let operator = subject.mutants[chosen[index]].operator;
        emit_progress(progress, outcomes.len(), chosen.len(), operator.name())
    })?;
    // Threads finish out of order.
    outcomes.sort_by_key(|(index, _)| *index);
    Ok(end.map(|()| outcomes))
}

/// Finds the survivors that compile to the same program as the solution, byte by byte. Programs
/// that differ may be equivalent too.
fn same_programs(
    shared: &Shared<'_>,
    outcomes: &[(MutantIndex, MutantOutcome)],
    progress: OnProgress<'_>,
) -> Result<Option<BTreeSet<MutantIndex>>, MutationError> {
    let subject = shared.subject;
    // Survivors that the author argued to be equivalent need no comparison.
    let is_argued = |mutant: MutantIndex| {
        subject
            .equivalents
            .iter()
            .any(|argued| argued.mutant == subject.mutants[mutant].id)
    };
    let survivors = outcomes
        .iter()
        .filter(|(mutant, outcome)| outcome.has_survived() && !is_argued(*mutant));
    let survivors: Vec<MutantIndex> = survivors.map(|(mutant, _)| *mutant).collect();
    let (mut same, mut done) = (BTreeSet::new(), 0);
    let work =
        |worker: &mut MutantWorker<'_>, mutant: &MutantIndex| worker.is_same_program(*mutant);
    let end = for_each(shared, &survivors, work, |index, is_same| {
        done += 1;
        same.extend(is_same.then_some(survivors[index]));
        let what = "comparing survivors with the solution";
        emit_progress(progress, done, survivors.len(), what)
    })?;
    Ok(end.map(|()| same))
}

fn method(shared: &Shared<'_>, outcomes: &[(MutantIndex, MutantOutcome)]) -> Method {
    let (subject, programs) = (shared.subject, &shared.programs);
    let was_separate = |(index, outcome): &&(MutantIndex, MutantOutcome)| {
        outcome.was_separate || !programs.choosing.contains(*index)
    };
    let apart = outcomes.iter().filter(was_separate).count() as u64;
    let sum =
        |count: fn(&MutantOutcome) -> u64| outcomes.iter().map(|(_, outcome)| count(outcome)).sum();
    let is_sample = outcomes.len() < subject.mutants.len();
    Method {
        full: subject.settings.full,
        possible: subject.mutants.len() as u64,
        seed: is_sample.then_some(subject.settings.seed),
        together: outcomes.len() as u64 - apart,
        apart,
        runs: sum(|outcome| outcome.runs),
        known: sum(|outcome| outcome.cached),
        left_out: sum(|outcome| outcome.left_out),
        running_us: micros(outcomes.iter().map(|(_, outcome)| outcome.running).sum()),
        compiling_us: micros(programs.took),
        elapsed_us: 0,
    }
}

//! One run from its shards.
//!
//! Responsible for the one stream of events, in package order, that a run on one machine would have written: the same
//! but for times and hosts. Must not know which shards belong together: that is `survey`'s.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use judge_event::{
    Command, End, Event, LanguageUnavailable, PackageFault, ProblemStarted, RunFinished, RunStarted, SCHEMA_VERSION,
};
use judge_model::LanguageId;

use crate::{Block, ShardingError, Stored, parse_numbers};

/// Composes the run that whole shards make, all of them, each once. Every event is given to `tell` in its order.
///
/// # Errors
/// When the shards are not a whole run, which is found before any event is emitted; when a file cannot be read any
/// more; or when `tell` fails.
pub fn compose(shards: &[&Stored], tell: &mut dyn FnMut(&Event) -> io::Result<()>) -> Result<(), ShardingError> {
    let Some((first, run)) = shards.first().and_then(|shard| Some((*shard, shard.run.as_ref()?))) else {
        return Ok(());
    };
    let problems = problems(shards, first)?;
    let mut emitted = BTreeSet::new();
    let mut emit_once = |event: &Event, emitted: &mut BTreeSet<String>| {
        // Every shard that meets a fault of a package has an event for it.
        if let Event::PackageFault(fault) = event
            && !emitted.insert(key_of(fault))
        {
            return Ok(());
        }
        tell(event).map_err(ShardingError::Told)
    };
    emit_once(&Event::RunStarted(run_started(shards, first, run)), &mut emitted)?;
    for fault in shards.iter().flat_map(|shard| &shard.package_faults) {
        emit_once(&Event::PackageFault(fault.clone()), &mut emitted)?;
    }
    for language in languages_unavailable(shards) {
        emit_once(&Event::LanguageUnavailable(language), &mut emitted)?;
    }
    for problem in problems.into_values() {
        emit_once(&Event::ProblemStarted(problem.started), &mut emitted)?;
        for remark in &problem.remarks {
            emit_once(remark, &mut emitted)?;
        }
        for (shard, block) in problem.blocks.values() {
            for event in shard.events(block)? {
                emit_once(&event, &mut emitted)?;
            }
        }
    }
    let wall_time_us = shards.iter().filter_map(|shard| shard.finished.as_ref()).map(|of| of.wall_time_us).sum();
    emit_once(
        &Event::RunFinished(RunFinished { end: End::Completed, wall_time_us, results_kept: None, programs_remade: 0 }),
        &mut emitted,
    )
}

/// Emits the events of one shard as they are in its file.
///
/// # Errors
/// When the file cannot be read any more, or when `tell` fails.
pub fn replay(shard: &Stored, tell: &mut dyn FnMut(&Event) -> io::Result<()>) -> Result<(), ShardingError> {
    let mut tell = |event: Event| tell(&event).map_err(ShardingError::Told);
    shard.run.iter().try_for_each(|run| tell(Event::RunStarted(run.clone())))?;
    shard.package_faults.iter().try_for_each(|fault| tell(Event::PackageFault(fault.clone())))?;
    shard.languages_unavailable.iter().try_for_each(|of| tell(Event::LanguageUnavailable(of.clone())))?;
    for problem in &shard.problems {
        tell(Event::ProblemStarted(problem.started.clone()))?;
        problem.remarks.iter().try_for_each(|remark| tell(remark.clone()))?;
        for block in &problem.submissions {
            shard.events(block)?.into_iter().try_for_each(&mut tell)?;
        }
    }
    shard.finished.iter().try_for_each(|finished| tell(Event::RunFinished(finished.clone())))
}

fn key_of(fault: &PackageFault) -> String {
    format!("{}\0{}\0{:?}\0{}", fault.problem, fault.file, fault.line, fault.message)
}

/// A problem with everything that shards say about it.
struct Composed<'a> {
    started: ProblemStarted,
    remarks: Vec<Event>,
    blocks: BTreeMap<u64, (&'a Stored, &'a Block)>,
}

/// The problems by their places.
fn problems<'a>(shards: &[&'a Stored], first: &Stored) -> Result<BTreeMap<u64, Composed<'a>>, ShardingError> {
    let mut problems: BTreeMap<u64, Composed<'a>> = BTreeMap::new();
    let mut total = 0;
    for shard in shards {
        for part in &shard.header.parts {
            let damaged = |why: &str| {
                let why = format!("it is damaged: {why} of the problem `{}`", part.problem);
                ShardingError::unreadable(&shard.path, why)
            };
            let numbers = parse_numbers(&part.submissions, part.submissions_total);
            let numbers = numbers.ok_or_else(|| damaged("its first line has no places of submissions"))?;
            let entries = || shard.problems.iter().filter(|of| of.started.problem == part.problem);
            let started = &entries().next().ok_or_else(|| damaged("it does not tell the beginning"))?.started;
            if started.submissions.len() != numbers.len() {
                return Err(damaged("its first line has other numbers of submissions than the beginning"));
            }
            let places: BTreeMap<&str, u64> = started.submissions.iter().map(String::as_str).zip(numbers).collect();
            total += if problems.contains_key(&part.position) { 0 } else { part.submissions_total };
            if total > first.header.submissions {
                return Err(damaged("there are more submissions than in the run, with those"));
            }
            let composed = problems.entry(part.position).or_insert_with(|| Composed {
                started: ProblemStarted {
                    submissions: vec![String::new(); usize::try_from(part.submissions_total).unwrap_or(0)],
                    ..started.clone()
                },
                remarks: Vec::new(),
                blocks: BTreeMap::new(),
            });
            for entry in entries() {
                let new = entry.remarks.iter().filter(|remark| !composed.remarks.contains(remark)).cloned();
                let new: Vec<Event> = new.collect();
                composed.remarks.extend(new);
                for block in &entry.submissions {
                    let place = places.get(block.submission.as_str());
                    let place = *place.ok_or_else(|| damaged("it has an unexpected submission"))?;
                    composed.blocks.insert(place, (shard, block));
                    let index = usize::try_from(place - 1).unwrap_or(usize::MAX);
                    if let Some(name) = composed.started.submissions.get_mut(index) {
                        name.clone_from(&block.submission);
                    }
                }
            }
        }
    }
    let whole = |problem: &Composed<'_>| problem.blocks.len() == problem.started.submissions.len();
    let submissions: u64 = problems.values().map(|problem| problem.blocks.len() as u64).sum();
    let expected = (first.header.problems, first.header.submissions);
    if (problems.len() as u64, submissions) != expected || !problems.values().all(whole) {
        let why = format!(
            "with the other shards it makes {submissions} submissions of {} problems; expected {} of {}",
            problems.len(),
            expected.1,
            expected.0
        );
        return Err(ShardingError::unreadable(&first.path, why));
    }
    Ok(problems)
}

/// The `run_started` that a run on one machine would have had. Of the properties in which shards differ it has those
/// that hold for all: the host if it is the same, the weakest isolation, the most jobs.
fn run_started(shards: &[&Stored], first: &Stored, run: &RunStarted) -> RunStarted {
    let runs = || shards.iter().filter_map(|shard| shard.run.as_ref());
    let weakest = runs().map(|run| &run.isolation).min_by_key(|isolation| isolation.level);
    RunStarted {
        schema: SCHEMA_VERSION,
        judge_version: run.judge_version.clone(),
        command: Some(Command::Run),
        started_at: runs().filter_map(|run| run.started_at.clone()).min(),
        host: run.host.clone().filter(|host| runs().all(|other| other.host.as_ref() == Some(host))),
        isolation: weakest.unwrap_or(&run.isolation).clone(),
        jobs: runs().map(|run| run.jobs).max().unwrap_or(run.jobs),
        problems: first.header.problems,
        submissions: first.header.submissions,
    }
}

/// The languages that no host could judge, or some could not, with all submissions that are skipped for them.
fn languages_unavailable(shards: &[&Stored]) -> Vec<LanguageUnavailable> {
    let mut languages: BTreeMap<&LanguageId, LanguageUnavailable> = BTreeMap::new();
    for language in shards.iter().flat_map(|shard| &shard.languages_unavailable) {
        let entry = languages.entry(&language.language);
        entry.and_modify(|known| known.submissions += language.submissions).or_insert_with(|| language.clone());
    }
    languages.into_values().collect()
}

//! Merging: one run from its shards.
//!
//! Responsible for the one stream of events, in package order, that a run on one machine would have
//! written: the same except for times and hosts. The shards are read once, in parallel, with one
//! event of each in memory. Must not know which shards belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use judge_event::{
    Command, End, Event, LanguageUnavailable, ProblemStarted, RunFinished, RunStarted,
    SCHEMA_VERSION,
};
use judge_model::LanguageId;

use crate::{ShardEvents, ShardingError, Shards, parse_numbers};

/// Facts about merged shards on which results may depend.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// Submissions with test cases whose times were near the limit, as `problem/submission`.
    pub near_limit: Vec<String>,
    /// Languages that were available on some hosts only, each with the shards on whose hosts it was
    /// unavailable.
    pub unavailable_languages: BTreeMap<LanguageId, Vec<u64>>,
}

/// Merges shards, none of which may be missing. `emit` receives every event in order.
///
/// # Errors
/// When a file is damaged or cannot be read, or when `emit` fails. Events may have been emitted
/// by then.
pub fn merge(
    mut shards: Shards,
    emit: &mut dyn FnMut(&Event) -> io::Result<()>,
) -> Result<Merged, ShardingError> {
    // All files are read in parallel and only once, so that a merge of ten thousand shards takes
    // the memory of one event each.
    let mut files: Vec<&mut ShardEvents> = shards.complete.values_mut().collect();
    let mut merging = Merging {
        emit,
        remarks: BTreeSet::new(),
        merged: Merged::default(),
        compiled_languages: BTreeSet::new(),
    };
    let Some(started) = run_started(&files) else {
        return Ok(merging.merged);
    };
    merging.emit(&Event::RunStarted(started))?;
    // Emitted before any problem, so that a language that is unavailable on several hosts is
    // emitted once, with the sum of the skipped submissions.
    let unavailable = merging.emit_before_problems(&mut files)?;
    let (mut problems, mut submissions) = (0, 0);
    // A problem may be in several shards. The next problem of the run has the smallest position
    // among the next problems of all files.
    while let Some(position) = files.iter().filter_map(|file| position(file)).min() {
        submissions += merging.emit_problem(&mut files, position)?;
        problems += 1;
    }
    let mut wall_time_us = 0;
    for file in &mut files {
        match file.take()? {
            Some(Event::RunFinished(finished)) => wall_time_us += finished.wall_time_us,
            _ => return Err(damaged(file, "`run_finished` is missing")),
        }
        // Two streams in one file, as when a job appended to the file of an earlier one. The
        // first alone would hide the second.
        if file.peek().is_some() {
            return Err(damaged(file, "events follow `run_finished`"));
        }
    }
    // The run may be incomplete although each file is complete: the first line of each states how
    // many problems and submissions the run has.
    if let Some(first) = files.first()
        && (problems, submissions) != (first.shard().problems, first.shard().submissions)
    {
        let expected = format!(
            "{} problems and {} submissions",
            first.shard().problems,
            first.shard().submissions
        );
        return Err(damaged(
            first,
            &format!("expected {expected} in all shards, found {problems} and {submissions}"),
        ));
    }
    let finished = RunFinished {
        end: End::Completed,
        wall_time_us,
        results_kept: None,
        programs_remade: 0,
    };
    merging.emit(&Event::RunFinished(finished))?;
    // A language that no host could judge is reported as missing, as on one machine; only where
    // hosts differ is it a warning.
    let compiled_languages = merging.compiled_languages;
    let unavailable = unavailable
        .into_iter()
        .filter(|(language, _)| compiled_languages.contains(language));
    Ok(Merged {
        unavailable_languages: unavailable.collect(),
        ..merging.merged
    })
}

struct Merging<'a> {
    emit: &'a mut dyn FnMut(&Event) -> io::Result<()>,
    /// Emitted remarks about packages: each shard that judges submissions of a package contains
    /// them.
    remarks: BTreeSet<String>,
    merged: Merged,
    /// Languages in which some host compiled a submission.
    compiled_languages: BTreeSet<LanguageId>,
}

impl Merging<'_> {
    fn emit(&mut self, event: &Event) -> Result<(), ShardingError> {
        (self.emit)(event).map_err(ShardingError::Emit)
    }

    /// Emits a remark about a package, once.
    fn emit_remark(&mut self, event: &Event) -> Result<(), ShardingError> {
        if self.remarks.insert(format!("{event:?}")) {
            self.emit(event)
        } else {
            Ok(())
        }
    }

    /// Emits what precedes the problems. Returns the languages that are unavailable on some host,
    /// with the shards.
    fn emit_before_problems(
        &mut self,
        files: &mut [&mut ShardEvents],
    ) -> Result<BTreeMap<LanguageId, Vec<u64>>, ShardingError> {
        let mut languages: BTreeMap<LanguageId, LanguageUnavailable> = BTreeMap::new();
        let mut unavailable: BTreeMap<LanguageId, Vec<u64>> = BTreeMap::new();
        for file in files {
            while !matches!(
                file.peek(),
                Some(Event::ProblemStarted(_) | Event::RunFinished(_)) | None
            ) {
                match file.take()? {
                    Some(Event::LanguageUnavailable(language)) => {
                        unavailable
                            .entry(language.language.clone())
                            .or_default()
                            .push(file.shard().number);
                        let entry = languages.entry(language.language.clone());
                        entry
                            .and_modify(|sum| sum.submissions += language.submissions)
                            .or_insert(language);
                    }
                    event => event.iter().try_for_each(|event| self.emit_remark(event))?,
                }
            }
        }
        for language in languages.into_values() {
            self.emit(&Event::LanguageUnavailable(language))?;
        }
        Ok(unavailable)
    }

    /// Emits the problem at a position, and returns the number of its submissions.
    fn emit_problem(
        &mut self,
        files: &mut [&mut ShardEvents],
        position: u64,
    ) -> Result<u64, ShardingError> {
        let mut started: Option<ProblemStarted> = None;
        let mut places: BTreeMap<u64, (String, usize)> = BTreeMap::new();
        let mut total = 0;
        let mut remarks = Vec::new();
        for (number, file) in files.iter_mut().enumerate() {
            if self::position(file) != Some(position) {
                continue;
            }
            let Some(Event::ProblemStarted(problem)) = file.take()? else {
                continue;
            };
            // The numbers of the submissions come from the first line, since names may occur
            // twice in a problem.
            let part = file.part(&problem.problem).cloned();
            let part = part.ok_or_else(|| {
                damaged(file, "its first line does not list a problem that follows")
            })?;
            total = part.submissions_total;
            let numbers = parse_numbers(&part.submissions, total)
                .filter(|numbers| numbers.len() == problem.submissions.len());
            let numbers = numbers.ok_or_else(|| {
                damaged(
                    file,
                    "its first line lists different submissions from the problem",
                )
            })?;
            places.extend(
                numbers.into_iter().zip(
                    problem
                        .submissions
                        .iter()
                        .map(|name| (name.clone(), number)),
                ),
            );
            remarks.extend(take_remarks(file)?);
            started.get_or_insert(problem);
        }
        let Some(started) = started else { return Ok(0) };
        // Two shards with the same submission, or a submission in none: by their digest, the files
        // belong to one run, so one of them is damaged.
        if places.len() as u64 != total {
            let text = format!(
                "some submissions of `{}` are in no shard or in more than one",
                started.problem
            );
            return Err(damaged(files[0], &text));
        }
        let submissions = places.values().map(|(name, _)| name.clone()).collect();
        self.emit(&Event::ProblemStarted(ProblemStarted {
            submissions,
            ..started
        }))?;
        remarks
            .iter()
            .try_for_each(|remark| self.emit_remark(remark))?;
        for (name, number) in places.into_values() {
            self.emit_submission(files[number], &name)?;
        }
        Ok(total)
    }

    /// Emits the events of a submission, from its start to its end, and the remarks after it.
    fn emit_submission(&mut self, file: &mut ShardEvents, name: &str) -> Result<(), ShardingError> {
        if !matches!(file.peek(), Some(Event::SubmissionStarted(started)) if started.submission == name)
        {
            return Err(damaged(
                file,
                &format!("`submission_started` of `{name}` is missing"),
            ));
        }
        let mut is_near = false;
        let start = file.take()?;
        start.iter().try_for_each(|start| self.emit(start))?;
        loop {
            let event = match file.take()? {
                None
                | Some(
                    Event::SubmissionStarted(_) | Event::ProblemStarted(_) | Event::RunFinished(_),
                ) => {
                    return Err(damaged(file, &format!("the end of `{name}` is missing")));
                }
                Some(event) => event,
            };
            match &event {
                Event::CompileFinished(compiled) => {
                    self.compiled_languages
                        .extend(compiled.toolchain.iter().map(|tool| tool.language.clone()));
                }
                Event::TestCaseFinished(finished) if finished.near_limit.is_some() && !is_near => {
                    is_near = true;
                    self.merged
                        .near_limit
                        .push(format!("{}/{name}", finished.problem));
                }
                _ => {}
            }
            self.emit(&event)?;
            if matches!(
                event,
                Event::SubmissionFinished(_) | Event::SubmissionSkipped(_)
            ) {
                break;
            }
        }
        take_remarks(file)?
            .iter()
            .try_for_each(|remark| self.emit_remark(remark))
    }
}

/// The position of the problem that comes next in a file.
fn position(file: &ShardEvents) -> Option<u64> {
    match file.peek() {
        // A problem that is missing from the first line comes first, and is then reported as
        // damage.
        Some(Event::ProblemStarted(problem)) => {
            Some(file.part(&problem.problem).map_or(0, |part| part.position))
        }
        _ => None,
    }
}

/// Takes the warnings and faults of packages that come next.
fn take_remarks(file: &mut ShardEvents) -> Result<Vec<Event>, ShardingError> {
    let mut remarks = Vec::new();
    while matches!(
        file.peek(),
        Some(Event::PackageFault(_) | Event::PackageWarning(_))
    ) {
        remarks.extend(file.take()?);
    }
    Ok(remarks)
}

fn damaged(file: &ShardEvents, why: &str) -> ShardingError {
    ShardingError::unreadable(file.path(), format!("it is damaged: {why}"))
}

/// The `run_started` event of the merged run. It has the host if that is the same for all shards,
/// the weakest isolation, and the largest number of jobs.
fn run_started(files: &[&mut ShardEvents]) -> Option<RunStarted> {
    let first = files.first()?;
    let runs = || files.iter().map(|file| file.run());
    let run = first.run();
    // The merged run can promise only what every host provided.
    let weakest = runs()
        .map(|run| &run.isolation)
        .min_by_key(|isolation| isolation.level);
    Some(RunStarted {
        schema: SCHEMA_VERSION,
        judge_version: run.judge_version.clone(),
        command: Some(Command::Run),
        // All times are strings in UTC and in one format, so they sort chronologically.
        started_at: runs().filter_map(|run| run.started_at.clone()).min(),
        host: run
            .host
            .clone()
            .filter(|host| runs().all(|other| other.host.as_ref() == Some(host))),
        isolation: weakest.unwrap_or(&run.isolation).clone(),
        jobs: runs().map(|run| run.jobs).max().unwrap_or(run.jobs),
        problems: first.shard().problems,
        submissions: first.shard().submissions,
        shard: None,
    })
}

//! A shard's file, read.
//!
//! Responsible for the place of each submission in the file, and for deciding whether the file is whole. Keeps
//! no test cases: there may be millions. Must not know how shards make a run.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use judge_event::{
    Event, LanguageUnavailable, MAX_LINE_BYTES, PackageFault, ProblemStarted, RunFinished, RunStarted, SCHEMA_VERSION,
    ShardFinished, ShardStarted, parse_known_line,
};
use judge_files::{BoundedLines, regular_file};
use judge_model::{LanguageId, Verdict};

use crate::{MAX_SHARDS, Shard, ShardingError};

/// Submissions of a run. The largest archives have some hundred thousand.
const MAX_SUBMISSIONS: u64 = 1 << 22;

/// A file of a shard.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The file.
    pub path: PathBuf,
    /// The header with which it begins.
    pub header: ShardStarted,
    /// The start of its run, once the run has begun.
    pub run: Option<RunStarted>,
    /// Faults of packages that could not be loaded.
    pub package_faults: Vec<PackageFault>,
    /// Languages that its host could not judge.
    pub languages_unavailable: Vec<LanguageUnavailable>,
    /// Languages that it could.
    pub languages: BTreeSet<LanguageId>,
    /// The problems of which it has submissions, in order.
    pub problems: Vec<StoredProblem>,
    /// The end of its run, once the run has ended.
    pub finished: Option<RunFinished>,
    /// True when the file is whole: nothing is missing.
    pub whole: bool,
}

/// The part of a file that is about a problem.
#[derive(Clone, Debug)]
pub struct StoredProblem {
    /// The start of the problem.
    pub started: ProblemStarted,
    /// Remarks before its submissions: warnings and faults.
    pub remarks: Vec<Event>,
    /// Its submissions that have come to their end, in order.
    pub submissions: Vec<Block>,
}

/// The block of a file that is about a submission, from `submission_started` to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The submission.
    pub submission: String,
    /// The first byte in the file.
    pub start: u64,
    /// Bytes.
    pub length: u64,
    /// Its verdict; `None` when it was skipped.
    pub verdict: Option<Verdict>,
    /// The hash of verdicts and scores, those of every test case among them.
    pub outcome: u64,
    /// Test cases in it.
    pub test_cases: u64,
    /// Test cases whose times were near the limit.
    pub near_limit: u64,
    /// The time that it took to judge it, compiling included, in microseconds of one core.
    pub duration_us: u64,
}

impl Stored {
    /// Reads a file. Of one that was cut off, or damaged, everything before that is taken, and it is not whole.
    ///
    /// # Errors
    /// When it cannot be read, or does not begin as a shard does.
    pub fn read(path: &Path) -> Result<Self, ShardingError> {
        let file = regular_file::open(path).map_err(ShardingError::reading(path))?;
        let mut lines = Lines::new(BufReader::new(file));
        let first = lines.next().map_err(ShardingError::reading(path))?;
        let header = match first {
            Some((Some(Event::ShardStarted(header)), _)) => header,
            _ => return Err(ShardingError::unreadable(path, "expected a shard, which begins with `shard_started`")),
        };
        if header.schema > SCHEMA_VERSION {
            let text = format!("its schema is {}; this version of judge reads up to {SCHEMA_VERSION}", header.schema);
            return Err(ShardingError::unreadable(path, text));
        }
        check(&header).map_err(|why| ShardingError::unreadable(path, format!("its first line is invalid: {why}")))?;
        let mut reading = Reading {
            stored: Self {
                path: path.to_owned(),
                header,
                run: None,
                package_faults: Vec::new(),
                languages_unavailable: Vec::new(),
                languages: BTreeSet::new(),
                problems: Vec::new(),
                finished: None,
                whole: false,
            },
            open: None,
        };
        while let Some((event, range)) = lines.next().map_err(ShardingError::reading(path))? {
            let Some(event) = event else { break };
            if let Event::ShardFinished(footer) = event {
                reading.stored.whole = reading.is_whole(&footer);
                break;
            }
            reading.take(event, range);
        }
        Ok(reading.stored)
    }

    /// The shard that the file is of.
    #[must_use]
    pub fn shard(&self) -> Shard {
        Shard { number: self.header.shard, of: self.header.shards }
    }

    /// Every submission that has come to its end, with its problem.
    pub fn blocks(&self) -> impl Iterator<Item = (&str, &Block)> {
        self.problems.iter().flat_map(|of| of.submissions.iter().map(|block| (of.started.problem.as_str(), block)))
    }

    /// The events of a submission.
    ///
    /// # Errors
    /// When the file is another one by now.
    pub fn events(&self, block: &Block) -> Result<Vec<Event>, ShardingError> {
        let mut file = regular_file::open(&self.path).map_err(ShardingError::reading(&self.path))?;
        file.seek(SeekFrom::Start(block.start)).map_err(ShardingError::io("read", &self.path))?;
        let mut lines = Lines::new(BufReader::new(file.take(block.length)));
        let mut events = Vec::new();
        while let Some((event, _)) = lines.next().map_err(ShardingError::io("read", &self.path))? {
            let changed = || ShardingError::unreadable(&self.path, "it has changed while it was read");
            events.push(event.ok_or_else(changed)?);
        }
        Ok(events)
    }
}

/// Refuses numbers that no run has. They decide how much memory is taken, and whether a run is complete.
fn check(header: &ShardStarted) -> Result<(), String> {
    let within = |name: &str, number: u64, max: u64| match number {
        number if (1..=max).contains(&number) => Ok(()),
        number => Err(format!("expected `{name}` from 1 to {max}, found {number}")),
    };
    within("shards", header.shards, MAX_SHARDS)?;
    within("shard", header.shard, header.shards)?;
    if header.problems > MAX_SUBMISSIONS || header.submissions > MAX_SUBMISSIONS {
        return Err(format!("expected at most {MAX_SUBMISSIONS} problems and submissions"));
    }
    let mut total: u64 = 0;
    for part in &header.parts {
        within("position", part.position, header.problems)?;
        total = total.saturating_add(part.submissions_total);
    }
    if total > header.submissions {
        return Err(format!(
            "expected at most the {} submissions of the run in its parts, found {total}",
            header.submissions
        ));
    }
    Ok(())
}

/// The lines of a file as events.
pub(crate) struct Lines<R> {
    lines: BoundedLines<R>,
    offset: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { lines: BoundedLines::new(reader, MAX_LINE_BYTES), offset: 0 }
    }

    /// The next event with its place, `(start, end)` in bytes; no event for a line that is none. Events of later
    /// versions are passed over.
    pub(crate) fn next(&mut self) -> io::Result<Option<(Option<Event>, Range<u64>)>> {
        loop {
            let Some(bytes) = self.lines.next_line()? else { return Ok(None) };
            let start = self.offset;
            self.offset += bytes.len() as u64;
            let range = start..self.offset;
            let text = std::str::from_utf8(&bytes).ok().filter(|text| text.ends_with('\n'));
            match text.map(|text| parse_known_line(text, self.lines.number())) {
                Some(Ok(Some(event))) => return Ok(Some((Some(event), range))),
                Some(Ok(None)) => {}
                Some(Err(_)) | None => return Ok(Some((None, range))),
            }
        }
    }
}

/// A submission of which the end has not been read.
struct Open {
    block: Block,
    outcome: DefaultHasher,
}

struct Reading {
    stored: Stored,
    open: Option<Open>,
}

impl Reading {
    fn is_whole(&self, footer: &ShardFinished) -> bool {
        let count = |of: fn(&Block) -> u64| self.stored.blocks().map(|(_, block)| of(block)).sum::<u64>();
        self.open.is_none()
            && self.stored.run.is_some()
            && self.stored.finished.is_some()
            && *footer == ShardFinished { submissions: count(|_| 1), test_cases: count(|block| block.test_cases) }
    }

    fn take(&mut self, event: Event, Range { start, end }: Range<u64>) {
        match event {
            Event::RunStarted(run) => self.stored.run = Some(run),
            Event::RunFinished(finished) => self.stored.finished = Some(finished),
            Event::LanguageUnavailable(language) => self.stored.languages_unavailable.push(language),
            Event::ProblemStarted(started) => {
                self.open = None;
                self.stored.problems.push(StoredProblem { started, remarks: Vec::new(), submissions: Vec::new() });
            }
            Event::SubmissionStarted(started) => {
                let block = Block {
                    submission: started.submission,
                    start,
                    length: 0,
                    verdict: None,
                    outcome: 0,
                    test_cases: 0,
                    near_limit: 0,
                    duration_us: 0,
                };
                self.open = Some(Open { block, outcome: DefaultHasher::new() });
            }
            Event::PackageFault(fault) if self.stored.problems.is_empty() => self.stored.package_faults.push(fault),
            Event::PackageFault(_) | Event::PackageWarning(_) if self.open.is_none() => {
                let problem = self.stored.problems.last_mut();
                problem.into_iter().for_each(|problem| problem.remarks.push(event.clone()));
            }
            about => self.take_of_submission(&about, end),
        }
    }

    fn take_of_submission(&mut self, event: &Event, end: u64) {
        let Some(Open { block, outcome }) = &mut self.open else { return };
        match event {
            Event::CompileFinished(compiled) => {
                compiled.success.hash(outcome);
                self.stored.languages.extend(compiled.toolchain.iter().map(|tool| tool.language.clone()));
                block.duration_us += if compiled.cached { 0 } else { compiled.cpu_time_us };
                return;
            }
            Event::TestCaseFinished(test_case) => {
                (&test_case.test_case, test_case.verdict).hash(outcome);
                test_case.score.map(|score| score.0.to_bits()).hash(outcome);
                block.test_cases += 1;
                block.near_limit += u64::from(test_case.near_limit.is_some());
                block.duration_us += test_case.wall_time_us;
                return;
            }
            Event::SubmissionFinished(finished) => {
                (finished.verdict, finished.as_expected).hash(outcome);
                finished.score.map(|score| score.0.to_bits()).hash(outcome);
                block.verdict = Some(finished.verdict);
            }
            Event::SubmissionSkipped(_) => "skipped".hash(outcome),
            _ => return,
        }
        block.outcome = outcome.finish();
        block.length = end - block.start;
        if let (Some(problem), Some(open)) = (self.stored.problems.last_mut(), self.open.take()) {
            problem.submissions.push(open.block);
        }
    }
}

#[cfg(test)]
#[path = "stored_tests.rs"]
mod tests;

//! The events of a shard, read from a file.
//!
//! Responsible for checking the structure of the stream and its bounds. Must not know other shards.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use judge_event::{
    End, Event, MAX_LINE_BYTES, RunShard, RunStarted, SCHEMA_VERSION, ShardPart, parse_known_line,
};
use judge_files::{BoundedLines, regular_file};

use crate::{MAX_SHARDS, ShardingError};

/// The maximum number of submissions in a run. The largest archives have some hundred thousand.
const MAX_SUBMISSIONS: u64 = 1 << 22;
/// The size of the part at the end of a file that is searched for its last line, in bytes.
const TAIL_BYTES: u64 = 1 << 16;

/// A stream of the events of a shard, which begins with `run_started` and ends with
/// `run_finished`.
#[derive(Debug)]
pub struct ShardEvents {
    path: PathBuf,
    run: RunStarted,
    shard: RunShard,
    /// The indices of parts by the names of their problems.
    parts: BTreeMap<String, usize>,
    lines: BoundedLines<BufReader<File>>,
    next: Option<Event>,
}

impl ShardEvents {
    /// Opens a file. `None` when its first line is not that of a shard.
    ///
    /// # Errors
    /// When it cannot be read, has a newer schema, or has impossible numbers.
    pub fn open(path: &Path) -> Result<Option<Self>, ShardingError> {
        let file = regular_file::open(path).map_err(ShardingError::reading(path))?;
        let mut lines = BoundedLines::new(BufReader::new(file), MAX_LINE_BYTES);
        let first = lines.next_line().map_err(ShardingError::reading(path))?;
        // Directories hold other JSON Lines files too. A file with any other first line is not a
        // shard.
        let text = first
            .as_deref()
            .and_then(|line| std::str::from_utf8(line).ok())
            .unwrap_or_default();
        let Ok(Some(Event::RunStarted(mut run))) = parse_known_line(text, 1) else {
            return Ok(None);
        };
        let Some(shard) = run.shard.take() else {
            return Ok(None);
        };
        if run.schema > SCHEMA_VERSION {
            let text = format!(
                "its schema is {}; this version of judge reads up to {SCHEMA_VERSION}",
                run.schema
            );
            return Err(ShardingError::unreadable(path, text));
        }
        check(&shard).map_err(|why| {
            ShardingError::unreadable(path, format!("its first line is invalid: {why}"))
        })?;
        let parts = shard
            .parts
            .iter()
            .enumerate()
            .map(|(index, part)| (part.problem.clone(), index))
            .collect();
        let mut this = Self {
            path: path.to_owned(),
            run,
            shard: *shard,
            parts,
            lines,
            next: None,
        };
        this.advance()?;
        Ok(Some(this))
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The start of the run, without the shard.
    #[must_use]
    pub fn run(&self) -> &RunStarted {
        &self.run
    }

    /// The shard.
    #[must_use]
    pub fn shard(&self) -> &RunShard {
        &self.shard
    }

    /// The part of a problem.
    pub(crate) fn part(&self, problem: &str) -> Option<&ShardPart> {
        self.parts
            .get(problem)
            .map(|index| &self.shard.parts[*index])
    }

    /// True when the last line reports a completed run: it was not interrupted, and the file was
    /// not truncated.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn is_complete(&self) -> Result<bool, ShardingError> {
        let tail = || -> io::Result<Vec<u8>> {
            let mut file = regular_file::open(&self.path)?;
            let length = file.metadata()?.len();
            // The event at the end is short. The file may have gigabytes, so only its end is read.
            file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
            let mut bytes = Vec::new();
            file.take(TAIL_BYTES).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = tail().map_err(ShardingError::io(&self.path))?;
        let text = String::from_utf8_lossy(&bytes);
        // Every event ends with a line break. A file without one at its end was cut off.
        let Some(text) = text.strip_suffix('\n') else {
            return Ok(false);
        };
        let last = text.rsplit('\n').next().unwrap_or(text);
        let is_completed =
            |event| matches!(event, Event::RunFinished(finished) if finished.end == End::Completed);
        Ok(parse_known_line(last, 1).is_ok_and(|event| event.is_some_and(is_completed)))
    }

    /// The next event; `None` after the last one.
    pub(crate) fn peek(&self) -> Option<&Event> {
        self.next.as_ref()
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When the event after it cannot be read.
    pub(crate) fn take(&mut self) -> Result<Option<Event>, ShardingError> {
        let event = self.next.take();
        self.advance()?;
        Ok(event)
    }

    fn advance(&mut self) -> Result<(), ShardingError> {
        self.next = None;
        while self.next.is_none() {
            let Some(line) = self
                .lines
                .next_line()
                .map_err(ShardingError::reading(&self.path))?
            else {
                break;
            };
            let failed = |why: String| ShardingError::unreadable(&self.path, why);
            let text = std::str::from_utf8(&line).map_err(|error| failed(error.to_string()))?;
            // `None` is an event of a later version, which a reader skips.
            self.next = parse_known_line(text, self.lines.number())
                .map_err(|error| failed(error.to_string()))?;
        }
        Ok(())
    }
}

/// Refuses impossible numbers. The numbers determine how much memory is allocated, and whether a
/// run is complete.
fn check(shard: &RunShard) -> Result<(), String> {
    let within = |name: &str, number: u64, max: u64| match number {
        number if (1..=max).contains(&number) => Ok(()),
        number => Err(format!("expected `{name}` from 1 to {max}, found {number}")),
    };
    within("of", shard.of, MAX_SHARDS)?;
    within("number", shard.number, shard.of)?;
    if shard.problems > MAX_SUBMISSIONS || shard.submissions > MAX_SUBMISSIONS {
        return Err(format!(
            "expected at most {MAX_SUBMISSIONS} problems and submissions"
        ));
    }
    let mut total: u64 = 0;
    let mut last = 0;
    for part in &shard.parts {
        within("position", part.position, shard.problems)?;
        if part.position <= last {
            return Err(format!(
                "expected `position` above {last}, found {}",
                part.position
            ));
        }
        last = part.position;
        total = total.saturating_add(part.submissions_total);
    }
    if total > shard.submissions {
        return Err(format!(
            "expected at most the {} submissions of the run in its parts, found {total}",
            shard.submissions
        ));
    }
    Ok(())
}

//! Going on where an earlier attempt at a shard ended.
//!
//! Responsible for what of the unfinished files is used again: submissions that came to their end, of the very same
//! shard. Must not know why the attempt ended.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_event::{Event, ShardStarted};

use crate::shard_file::remove_leftovers;
use crate::survey::unfinished_of;
use crate::{Block, Shard, ShardingError, Stored, StoredProblem};

/// Submissions that came to their end, each with the file that it is in.
type Blocks<'a> = BTreeMap<&'a str, (&'a Stored, &'a Block)>;

/// The results that are taken over.
#[derive(Debug, Default)]
pub struct TakenOver {
    /// The events, in package order: each problem, and of each its submissions from start to end.
    pub events: Vec<Event>,
    /// The submissions, each with its problem.
    pub submissions: BTreeSet<(String, String)>,
    /// The unfinished files of the shard.
    leftovers: Vec<PathBuf>,
}

/// The file of a shard that is whole, if it is there.
///
/// # Errors
/// When a file of that name belongs to another run, or is damaged: neither is ever overwritten.
pub fn there_already(directory: &Path, header: &ShardStarted) -> Result<Option<Stored>, ShardingError> {
    let path = directory.join(shard_of(header).file_name());
    if !path.exists() {
        return Ok(None);
    }
    let stored = Stored::read(&path)?;
    if !is_same(&stored.header, header) {
        let why = "it is of another run: another selection, other options or other files\n\
                   hint: give this run a directory of its own, or remove the old shards";
        return Err(ShardingError::unreadable(&path, why));
    }
    if !stored.whole {
        let why = "it is damaged: its end is missing, or it is not what its last line counts\nhint: remove it";
        return Err(ShardingError::unreadable(&path, why));
    }
    Ok(Some(stored))
}

impl TakenOver {
    /// Looks for unfinished files of this shard in a directory.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn find(directory: &Path, header: &ShardStarted) -> Result<Self, ShardingError> {
        let mut taken = Self::default();
        let files = unfinished_of(directory, shard_of(header))?;
        let fits = |file: &Stored| is_same(&file.header, header) && is_comparable(&file.header, header);
        let files: Vec<Stored> = files.into_iter().filter(fits).collect();
        let mut by_problem: BTreeMap<&str, (&StoredProblem, Blocks<'_>)> = BTreeMap::new();
        for file in &files {
            taken.leftovers.push(file.path.clone());
            for problem in &file.problems {
                let (_, blocks) = by_problem.entry(&problem.started.problem).or_insert((problem, BTreeMap::new()));
                // A submission that was skipped may have lacked a compiler that this host has.
                for block in problem.submissions.iter().filter(|block| block.verdict.is_some()) {
                    blocks.entry(&block.submission).or_insert((file, block));
                }
            }
        }
        for part in &header.parts {
            let Some((problem, blocks)) = by_problem.get(part.problem.as_str()) else { continue };
            if blocks.is_empty() {
                continue;
            }
            taken.events.push(Event::ProblemStarted(problem.started.clone()));
            taken.events.extend(problem.remarks.iter().cloned());
            for submission in &problem.started.submissions {
                if let Some((file, block)) = blocks.get(submission.as_str()) {
                    taken.events.extend(file.events(block)?);
                    taken.submissions.insert((part.problem.clone(), submission.clone()));
                }
            }
        }
        Ok(taken)
    }

    /// Removes the unfinished files that this came from, once there is a whole one.
    pub fn remove_leftovers(&self) {
        remove_leftovers(&self.leftovers);
    }
}

fn shard_of(header: &ShardStarted) -> Shard {
    Shard { number: header.shard, of: header.shards }
}

/// True when two files are of the same shard of the same run, with the same contents.
fn is_same(one: &ShardStarted, other: &ShardStarted) -> bool {
    one.manifest == other.manifest && shard_of(one) == shard_of(other) && one.parts == other.parts
}

/// True when results of the one host are comparable with those of the other, and may be in one file.
fn is_comparable(one: &ShardStarted, other: &ShardStarted) -> bool {
    one.host.processor == other.host.processor && one.isolation == other.isolation
}

//! Finds the shards in files and directories, and checks that they belong together.
//!
//! Responsible for finding missing, duplicate and incomplete shards and files of other runs, each
//! by name. Must not merge them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::{ShardEvents, ShardingError};

/// The maximum depth of files below a directory. CI engines put the artifacts of each job into a
/// separate directory.
const MAX_DEPTH: u32 = 3;

/// The shards of one run.
#[derive(Debug)]
pub struct Shards {
    /// The number of shards that the run was split into.
    pub shard_count: u64,
    /// The complete shards, by their numbers.
    pub complete: BTreeMap<u64, ShardEvents>,
    /// The faults that prevent a merge, without missing shards.
    pub faults: Vec<Fault>,
}

/// A fault that prevents merging shards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A file of another run.
    #[error("`{}` belongs to another run: {why}\nhint: exclude it", path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The difference.
        why: String,
    },
    /// Two files of one shard.
    #[error("shard {shard} occurs twice: `{}` and `{}`\nhint: exclude one of them", one.display(), other.display())]
    Duplicate {
        /// The shard.
        shard: u64,
        /// One file.
        one: PathBuf,
        /// The other one.
        other: PathBuf,
    },
    /// A shard that was interrupted, or whose file was cut off.
    #[error("`{}` is incomplete\nhint: run shard {shard} again; finished results come from the cache", path.display())]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// The shard.
        shard: u64,
    },
}

impl Shards {
    /// Finds the shards in files, and in files named `*.jsonl` below directories; `None` if there
    /// are no shards. Other files in directories are ignored. The majority of files decides which
    /// run it is.
    ///
    /// # Errors
    /// When a directory or a shard cannot be read, or a named file is not a shard.
    pub fn find(paths: &[PathBuf]) -> Result<Option<Self>, ShardingError> {
        let mut files = BTreeMap::new();
        for path in paths {
            if path.is_dir() {
                let mut below = BTreeSet::new();
                list(path, &mut below, 0)?;
                for path in below {
                    files.extend(ShardEvents::open(&path)?.map(|shard| (path, shard)));
                }
            } else {
                let shard = ShardEvents::open(path)?;
                let expected =
                    "expected the events of a shard (`judge run --shard K/N --report json=FILE`)";
                files.insert(
                    path.clone(),
                    shard.ok_or_else(|| ShardingError::unreadable(path, expected))?,
                );
            }
        }
        // The majority decides which run it is. Otherwise a single file of another run could make
        // all others look wrong.
        let Some(run) = find_common_run(files.values()) else {
            return Ok(None);
        };
        let example = files
            .values()
            .find(|file| run_of(file) == run)
            .map(|file| file.run().judge_version.clone());
        let mut shards = Self {
            shard_count: run.1,
            complete: BTreeMap::new(),
            faults: Vec::new(),
        };
        for file in files.into_values() {
            let path = file.path().to_owned();
            if run_of(&file) != run {
                let why = difference(&file, &run, example.as_deref().unwrap_or_default());
                shards.faults.push(Fault::OtherRun { path, why });
                continue;
            }
            let shard = file.shard().number;
            // Checks only the last line, because the merge reads the whole file anyway.
            if !file.is_complete()? {
                shards.faults.push(Fault::Incomplete { path, shard });
            // Two complete files of one shard may differ in times, and it is unclear which one
            // should be used.
            } else if let Some(known) = shards.complete.get(&shard) {
                shards.faults.push(Fault::Duplicate {
                    shard,
                    one: known.path().to_owned(),
                    other: path,
                });
            } else {
                shards.complete.insert(shard, file);
            }
        }
        shards.compare_packages();
        Ok(Some(shards))
    }

    /// The numbers of the shards that are missing or incomplete, in order.
    #[must_use]
    pub fn missing(&self) -> Vec<u64> {
        (1..=self.shard_count)
            .filter(|number| !self.complete.contains_key(number))
            .collect()
    }

    /// Checks that shards with submissions of the same problem used the same package.
    fn compare_packages(&mut self) {
        let mut contents: BTreeMap<&str, (&str, u64)> = BTreeMap::new();
        for (number, file) in &self.complete {
            for part in &file.shard().parts {
                // The digest of the run does not cover the content of packages, because a host has
                // only those that it judges.
                let first = *contents
                    .entry(&part.problem)
                    .or_insert((&part.content, *number));
                if first.0 != part.content {
                    let why = format!(
                        "its package `{}` differs from that of shard {}",
                        part.problem, first.1
                    );
                    self.faults.push(Fault::OtherRun {
                        path: file.path().to_owned(),
                        why,
                    });
                }
            }
        }
    }
}

/// The files below a directory that may hold events. Links to directories are not followed.
fn list(directory: &Path, found: &mut BTreeSet<PathBuf>, depth: u32) -> Result<(), ShardingError> {
    let failed = ShardingError::io(directory);
    for entry in fs::read_dir(directory).map_err(&failed)? {
        let entry = entry.map_err(&failed)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(&failed)?);
        if kind.is_dir() {
            if depth < MAX_DEPTH {
                list(&path, found, depth + 1)?;
            }
        } else if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            found.insert(path);
        }
    }
    Ok(())
}

/// The run of a file: its digest and its number of shards, which all its shards have in common.
fn run_of(file: &ShardEvents) -> (String, u64) {
    (file.shard().run.clone(), file.shard().of)
}

/// The run of most files. If several runs have equally many, the first in their order.
fn find_common_run<'a>(files: impl Iterator<Item = &'a ShardEvents>) -> Option<(String, u64)> {
    let mut counts: BTreeMap<(String, u64), u64> = BTreeMap::new();
    files.for_each(|file| *counts.entry(run_of(file)).or_default() += 1);
    let largest = counts.values().copied().max()?;
    counts
        .into_iter()
        .find(|(_, count)| *count == largest)
        .map(|(run, _)| run)
}

/// The difference between a file and most other files.
fn difference(file: &ShardEvents, (run, shard_count): &(String, u64), version: &str) -> String {
    let short = |digest: &str| digest.chars().take(12).collect::<String>();
    if file.shard().of != *shard_count {
        format!(
            "it belongs to a run with {} shards, most other files to one with {shard_count}",
            file.shard().of
        )
    } else if file.run().judge_version != version {
        format!(
            "it was written by judge {}, most others by judge {version}",
            file.run().judge_version
        )
    } else {
        let (found, others) = (short(&file.shard().run), short(run));
        format!(
            "its digest is {found}…, most others have {others}…: it selected other options, problems or submissions"
        )
    }
}

//! The shards in directories: which are there, and which of them belong together.
//!
//! Responsible for finding what is missing, foreign, contradicting or damaged, each by name. Must not know what becomes
//! of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use judge_model::{IsolationLevel, LanguageId};

use crate::shard::is_shard_file;
use crate::{Shard, ShardingError, Stored, parse_numbers};

/// The depth to which files are looked for below a directory: engines put what comes from each job into a directory of
/// its own.
const MOST_NESTING: u32 = 3;

/// A survey of the files of a run that was cut.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The number of shards that it was cut into.
    pub of: u64,
    /// The whole ones by their numbers, one of each.
    pub whole: BTreeMap<u64, Stored>,
    /// Further files of shards that are there, with the same verdicts.
    pub doubled: Vec<(u64, PathBuf)>,
    /// Files of shards that are not whole, and not there otherwise.
    pub unfinished: Vec<Unfinished>,
    /// The faults that keep the shards from being one run. Missing shards are not among them.
    pub faults: Vec<Fault>,
}

/// A file that was not written to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The shard.
    pub shard: u64,
    /// The file.
    pub path: PathBuf,
    /// The host that wrote it.
    pub host: String,
    /// Submissions that came to their end.
    pub done: u64,
    /// Submissions of the shard.
    pub total: u64,
}

/// A fault that keeps shards from being one run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A file of another run.
    #[error("`{}` is foreign: {why}\nhint: leave it out, or move it away if it is of an earlier run", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The difference that shows it.
        why: String,
    },
    /// Two files of a shard with different verdicts.
    #[error("shard {shard} contradicts itself: {what} in `{}` and `{}`", one.display(), other.display())]
    Contradicting {
        /// The shard.
        shard: u64,
        /// One file.
        one: PathBuf,
        /// The other one.
        other: PathBuf,
        /// The submission or the part in which they differ.
        what: String,
    },
    /// A file that is not whole although its name says so.
    #[error("`{}` is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        why: String,
    },
}

impl Survey {
    /// The numbers of the shards that are not there, in order.
    #[must_use]
    pub fn missing(&self) -> Vec<u64> {
        (1..=self.of).filter(|number| !self.whole.contains_key(number)).collect()
    }
}

/// Looks at every shard below directories; `None` when there is none at all.
///
/// # Errors
/// When a directory cannot be read.
pub fn survey(directories: &[PathBuf]) -> Result<Option<Survey>, ShardingError> {
    let mut paths = Vec::new();
    for directory in directories {
        find(directory, &mut paths, 0)?;
    }
    // Files in the directories that were named come before files in directories that an engine has made in them.
    paths.sort_by_key(|(path, _)| (path.components().count(), path.clone()));
    paths.dedup();
    let mut faults = Vec::new();
    let mut files: Vec<(Stored, bool)> = Vec::new();
    for (path, named_whole) in paths {
        match Stored::read(&path) {
            Ok(stored) => files.push((stored, named_whole)),
            // The file of a process that was killed at once has not even a header.
            Err(_) if !named_whole => {}
            Err(error @ ShardingError::Io { .. }) => return Err(error),
            Err(ShardingError::Unreadable { path, why }) => faults.push(Fault::Damaged { path, why }),
            Err(error) => return Err(error),
        }
    }
    let Some(run) = most_frequent(&files) else {
        return if faults.is_empty() { Ok(None) } else { Ok(Some(nothing_but(faults))) };
    };
    let mut survey = Survey { of: run.1, whole: BTreeMap::new(), doubled: Vec::new(), unfinished: Vec::new(), faults };
    let example = files.iter().find(|(file, _)| run_of(file) == run).map(|(file, _)| file.clone());
    for (file, named_whole) in files {
        match &example {
            Some(example) if run_of(&file) != run => survey.faults.push(foreign(&file, example)),
            _ if !named_whole => survey.unfinished.push(unfinished(&file)),
            _ if !file.whole => {
                let why = "its end is missing, or it is not what its last line counts".to_owned();
                survey.faults.push(Fault::Damaged { path: file.path, why });
            }
            _ => survey.add(file),
        }
    }
    let whole = &survey.whole;
    survey.unfinished.retain(|file| !whole.contains_key(&file.shard));
    survey.compare_packages();
    Ok(Some(survey))
}

/// The contents of the unfinished files of a shard in a directory, the fullest first.
pub(crate) fn unfinished_of(directory: &Path, shard: Shard) -> Result<Vec<Stored>, ShardingError> {
    let mut paths = Vec::new();
    if directory.is_dir() {
        find(directory, &mut paths, MOST_NESTING)?;
    }
    paths.sort();
    let files = paths.iter().filter(|(_, whole)| !whole).filter_map(|(path, _)| Stored::read(path).ok());
    let mut files: Vec<Stored> = files.filter(|file| file.shard() == shard).collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.blocks().count()));
    Ok(files)
}

/// Files of shards in a directory and those in it, with whether their names say that they are whole.
fn find(directory: &Path, found: &mut Vec<(PathBuf, bool)>, depth: u32) -> Result<(), ShardingError> {
    for entry in fs::read_dir(directory).map_err(ShardingError::io("read", directory))? {
        let entry = entry.map_err(ShardingError::io("read", directory))?;
        let path = entry.path();
        if path.is_dir() {
            if depth < MOST_NESTING {
                find(&path, found, depth + 1)?;
            }
        } else if let Some(whole) = entry.file_name().to_str().and_then(is_shard_file) {
            found.push((path, whole));
        }
    }
    Ok(())
}

/// The run of a file, which all files must have in common: its manifest, and its number of shards.
fn run_of(file: &Stored) -> (String, u64) {
    (file.header.manifest.clone(), file.header.shards)
}

/// The run of most of the files: the others are foreign. Of several, the one of the first file.
fn most_frequent(files: &[(Stored, bool)]) -> Option<(String, u64)> {
    let count = |run: &(String, u64)| files.iter().filter(|(file, _)| run_of(file) == *run).count();
    let mut best: Option<((String, u64), usize)> = None;
    for (file, _) in files {
        let run = run_of(file);
        if best.as_ref().is_some_and(|(known, _)| *known == run) {
            continue;
        }
        let number = count(&run);
        if best.as_ref().is_none_or(|(_, most)| number > *most) {
            best = Some((run, number));
        }
    }
    best.map(|(run, _)| run)
}

fn nothing_but(faults: Vec<Fault>) -> Survey {
    Survey { of: 0, whole: BTreeMap::new(), doubled: Vec::new(), unfinished: Vec::new(), faults }
}

fn foreign(file: &Stored, other: &Stored) -> Fault {
    let (header, other) = (&file.header, &other.header);
    let why = if header.shards != other.shards {
        format!("it is one of {} shards, most others are of {}", header.shards, other.shards)
    } else if header.judge_version != other.judge_version {
        format!("judge {} wrote it, most others judge {}", header.judge_version, other.judge_version)
    } else {
        let short = |manifest: &str| manifest.chars().take(12).collect::<String>();
        format!(
            "it is of another run (manifest {}…, most others {}…): another selection, other options or another package",
            short(&header.manifest),
            short(&other.manifest)
        )
    };
    Fault::Foreign { path: file.path.clone(), why }
}

fn unfinished(file: &Stored) -> Unfinished {
    Unfinished {
        shard: file.header.shard,
        path: file.path.clone(),
        host: file.header.host.name.clone(),
        done: file.blocks().count() as u64,
        total: submissions_of(file).unwrap_or_default(),
    }
}

/// The number of submissions that a header promises.
fn submissions_of(file: &Stored) -> Option<u64> {
    let counts = file
        .header
        .parts
        .iter()
        .map(|part| parse_numbers(&part.submissions, part.submissions_total).map(|numbers| numbers.len() as u64));
    counts.sum()
}

impl Survey {
    fn add(&mut self, file: Stored) {
        let shard = file.header.shard;
        if submissions_of(&file) != Some(file.blocks().count() as u64) {
            let why = "it does not hold the submissions that its first line names".to_owned();
            self.faults.push(Fault::Damaged { path: file.path, why });
            return;
        }
        let Some(known) = self.whole.get(&shard) else {
            self.whole.insert(shard, file);
            return;
        };
        match difference(known, &file) {
            None => self.doubled.push((shard, file.path)),
            Some(what) => {
                let (one, other) = (known.path.clone(), file.path);
                self.faults.push(Fault::Contradicting { shard, one, other, what });
            }
        }
    }

    /// The models of processors that judged, each with its shards. Times on different ones cannot be compared.
    #[must_use]
    pub fn processors(&self) -> BTreeMap<&str, Vec<u64>> {
        let mut processors: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (number, file) in self.whole.iter().filter(|(_, file)| file.blocks().next().is_some()) {
            let model = file.header.host.processor.as_deref().unwrap_or("unknown");
            processors.entry(model).or_default().push(*number);
        }
        processors
    }

    /// Submissions with test cases whose times were near the limit, as `problem/submission`, in the order of shards.
    #[must_use]
    pub fn near_limit(&self) -> Vec<String> {
        let blocks = self.whole.values().flat_map(Stored::blocks).filter(|(_, block)| block.near_limit > 0);
        blocks.map(|(problem, block)| format!("{problem}/{}", block.submission)).collect()
    }

    /// Languages that some hosts could judge and others could not, each with the shards that could not.
    #[must_use]
    pub fn languages_lacking(&self) -> BTreeMap<&LanguageId, Vec<u64>> {
        let judged: BTreeSet<&LanguageId> = self.whole.values().flat_map(|file| &file.languages).collect();
        let mut lacking: BTreeMap<&LanguageId, Vec<u64>> = BTreeMap::new();
        for (number, file) in &self.whole {
            let languages = file.languages_unavailable.iter().map(|of| &of.language);
            languages.filter(|of| judged.contains(of)).for_each(|of| lacking.entry(of).or_default().push(*number));
        }
        lacking
    }

    /// The isolation levels of the shards, the weakest first.
    #[must_use]
    pub fn levels(&self) -> BTreeSet<IsolationLevel> {
        self.whole.values().map(|file| file.header.isolation).collect()
    }

    /// Shards with submissions of the same problem must have seen the same package.
    fn compare_packages(&mut self) {
        let mut seen: BTreeMap<&str, (&str, u64, &Path)> = BTreeMap::new();
        for (number, file) in &self.whole {
            for part in &file.header.parts {
                let first = *seen.entry(&part.problem).or_insert((&part.content, *number, &file.path));
                if first.0 != part.content {
                    let why = format!("its package `{}` is not the one of shard {}", part.problem, first.1);
                    self.faults.push(Fault::Foreign { path: file.path.clone(), why });
                }
            }
        }
    }
}

/// The first difference between two files of a shard in what was decided.
fn difference(one: &Stored, other: &Stored) -> Option<String> {
    if one.header.parts != other.header.parts {
        return Some("packages or submissions differ".to_owned());
    }
    let others: BTreeMap<(&str, &str), &crate::Block> =
        other.blocks().map(|(problem, block)| ((problem, block.submission.as_str()), block)).collect();
    one.blocks().find_map(|(problem, block)| {
        let name = format!("`{problem}/{}`", block.submission);
        let Some(other) = others.get(&(problem, block.submission.as_str())) else {
            return Some(format!("{name} is in one only"));
        };
        let verdict = |block: &crate::Block| block.verdict.map_or("skipped", judge_model::Verdict::code);
        match (block.outcome == other.outcome, block.verdict == other.verdict) {
            (true, _) => None,
            (false, false) => Some(format!("{name} is {} and {}", verdict(block), verdict(other))),
            (false, true) => Some(format!("verdicts or scores of test cases of {name}")),
        }
    })
}

//! Results that are kept: what was judged once is not judged again as long as nothing changed.
//!
//! Responsible for the files that hold them: one for each submission as it is judged, which grows with every result, so
//! that what an interrupted run has done is there for the next one. Must not know what a key consists of
//! ([`crate::result_keys`]) nor which results are fit to be kept ([`crate::judged::Judged::is_lasting`]).
//!
//! Layout: `records/<first two digits>/<key>`, a line for each result; `files/<key>`, hashes of files; `host/`, what is remembered of the
//! host ([`crate::memory`]). A line that is
//! damaged or cut off is no line. Two processes may write to a record at the same time: each line is one `write` to a file
//! opened for appending.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use judge_model::Isolation;

use crate::cache::{Key, KeyBuilder};
use crate::fingerprint::{FileHashes, replace};
use crate::judged::Judged;
use crate::memory::Memory;
use crate::result_keys::{CaseKey, JudgedProblem};
use crate::stored_result::{self, StoredResult};

/// How large all records together may become; beyond that, those that were not used for the longest time go.
const MOST_BYTES: u64 = 256 << 20;
/// How much is left of them then.
const TRIMMED_BYTES: u64 = MOST_BYTES / 4 * 3;
/// Use is noted with this precision, so that a run which judges nothing writes nothing either.
const USE_IS_NOTED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Where results are kept, and for whom.
#[derive(Clone, Debug)]
pub struct Keeping {
    directory: PathBuf,
    judge: String,
    host: String,
    anew: bool,
}

impl Keeping {
    /// Results in a directory, which need not be there yet. `program` is this program: another one may judge differently.
    /// `host` tells apart hosts whose times cannot be compared. With `anew` everything is judged again, and replaces
    /// what was kept. `None` when the program cannot be read.
    #[must_use]
    pub fn new(directory: PathBuf, program: &Path, host: String, anew: bool) -> Option<Self> {
        let index = directory.join("files").join("judge");
        let mut hashes = FileHashes::load(&index);
        let judge = hashes.of(program).ok()?.hash;
        if let Some(bytes) = hashes.to_keep(Path::exists) {
            // Then it is read again next time.
            let _ = replace(&index, &bytes);
        }
        Some(Self { directory, judge, host, anew })
    }

    /// What was found out about this host by the runs that kept these results; `None` when everything is done anew.
    #[must_use]
    pub fn memory(&self) -> Option<Memory> {
        (!self.anew).then(|| Memory::new(self.directory.join("host")))
    }

    /// What tells this program from any other version of it.
    #[must_use]
    pub fn judge(&self) -> &str {
        &self.judge
    }
}

/// The kept results, opened by one run.
#[derive(Debug)]
pub(crate) struct Results {
    keeping: Keeping,
    /// Everything that all keys have in common.
    surroundings: Key,
    problems: Mutex<BTreeMap<usize, JudgedProblem>>,
    records: Mutex<BTreeMap<usize, Record>>,
    used: AtomicU64,
    stored: AtomicU64,
}

/// The record of a submission.
#[derive(Debug)]
struct Record {
    path: PathBuf,
    /// Open once something was written.
    file: Option<File>,
    known: BTreeMap<String, StoredResult>,
}

impl Results {
    pub(crate) fn open(keeping: &Keeping, isolation: &Isolation) -> Self {
        let mut key = KeyBuilder::default();
        key.part(stored_result::VERSION);
        key.part(keeping.judge.as_bytes());
        key.part(keeping.host.as_bytes());
        key.part(&serde_json::to_vec(isolation).expect("an isolation has string keys only"));
        Self {
            keeping: keeping.clone(),
            surroundings: key.finish(),
            problems: Mutex::default(),
            records: Mutex::default(),
            used: AtomicU64::new(0),
            stored: AtomicU64::new(0),
        }
    }

    /// What all keys begin with.
    pub(crate) fn surroundings(&self) -> &Key {
        &self.surroundings
    }

    /// The hashes of a package's files.
    pub(crate) fn hashes_of(&self, package: &Path) -> FileHashes {
        FileHashes::load(&self.index_of(package))
    }

    /// Keeps them, but for files that are not the package's.
    pub(crate) fn keep_hashes(&self, package: &Path, hashes: &FileHashes) {
        if let Some(bytes) = hashes.to_keep(|path| path.starts_with(package) && path.exists()) {
            // Then the files are read again next time.
            let _ = replace(&self.index_of(package), &bytes);
        }
    }

    fn index_of(&self, package: &Path) -> PathBuf {
        let mut key = KeyBuilder::default();
        key.part(package.as_os_str().as_encoded_bytes());
        self.keeping.directory.join("files").join(key.finish().name())
    }

    /// Remembers how a problem of the plan is judged, by its index.
    pub(crate) fn add_problem(&self, problem: usize, judged: JudgedProblem) {
        lock(&self.problems).insert(problem, judged);
    }

    /// Does something with how a problem is judged, if that is known.
    pub(crate) fn with_problem<T>(&self, problem: usize, ask: impl FnOnce(&JudgedProblem) -> T) -> Option<T> {
        lock(&self.problems).get(&problem).map(ask)
    }

    /// Opens the record of a submission, and gives what is kept in it for these test cases: the index of each, with the
    /// result.
    pub(crate) fn look_up(&self, submission: usize, key: &Key, cases: &[Option<CaseKey>]) -> Vec<(usize, Judged)> {
        let path = self.keeping.directory.join("records").join(&key.name()[..2]).join(key.name());
        let known = fs::read(&path).map(|bytes| stored_result::read_all(&bytes)).unwrap_or_default();
        let mut found = Vec::new();
        if !self.keeping.anew {
            for (index, case) in cases.iter().enumerate() {
                let stored = case.as_ref().and_then(|case| known.get(case.name()));
                found.extend(stored.and_then(StoredResult::judged).map(|judged| (index, judged)));
            }
            note_use(&path);
        }
        lock(&self.records).insert(submission, Record { path, file: None, known });
        found
    }

    /// Counts results that are used.
    pub(crate) fn count_used(&self, number: usize) {
        self.used.fetch_add(number as u64, Ordering::Relaxed);
    }

    /// Keeps a result. One that contradicts what was kept before shows that the submission is not always judged alike,
    /// and then neither is ever used. What cannot be written is not kept.
    pub(crate) fn keep(&self, submission: usize, case: &CaseKey, judged: &Judged) {
        let mut records = lock(&self.records);
        let Some(record) = records.get_mut(&submission) else { return };
        let stored = StoredResult::of(judged);
        let stored = match record.known.get(case.name()) {
            Some(before) if before.contradicts(&stored) => StoredResult::Varies,
            _ => stored,
        };
        if record.append(&stored.to_line(case.name())).is_ok() {
            self.stored.fetch_add(1, Ordering::Relaxed);
        }
        record.known.insert(case.name().to_owned(), stored);
    }

    /// How many results of this run the next one need not judge again.
    pub(crate) fn kept(&self) -> u64 {
        self.used.load(Ordering::Relaxed) + self.stored.load(Ordering::Relaxed)
    }

    /// Removes what was not used for the longest time, when there is too much. Nothing is looked at unless something was
    /// added.
    pub(crate) fn trim(&self) {
        if self.stored.load(Ordering::Relaxed) > 0 {
            trim(&self.keeping.directory.join("records"), MOST_BYTES, TRIMMED_BYTES);
        }
    }
}

impl Record {
    fn append(&mut self, line: &[u8]) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                fs::create_dir_all(self.path.parent().unwrap_or(Path::new("/")))?;
                let mut file = File::options().create(true).append(true).open(&self.path)?;
                // The last line may be cut off, and must not take this one with it.
                if file.metadata()?.len() > 0 {
                    file.write_all(b"\n")?;
                }
                self.file.insert(file)
            }
        };
        file.write_all(line)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing in them is ever half-changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a record is of use, by its time of modification.
fn note_use(path: &Path) {
    let Ok(modified) = fs::metadata(path).and_then(|metadata| metadata.modified()) else { return };
    let now = SystemTime::now();
    if now.duration_since(modified).is_ok_and(|since| since > USE_IS_NOTED_AFTER) {
        // Then it goes before its time.
        let _ = File::options().append(true).open(path).and_then(|file| file.set_modified(now));
    }
}

/// Removes the files below a directory of directories that were not modified for the longest time, when all together are
/// larger than `most`, until no more than `left` bytes are left.
fn trim(records: &Path, most: u64, left: u64) {
    let below = |directory: &Path| fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files = Vec::new();
    for file in below(records).flat_map(|directory| below(&directory).collect::<Vec<_>>()) {
        if let Ok(metadata) = fs::metadata(&file) {
            files.push((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len(), file));
        }
    }
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    if total <= most {
        return;
    }
    files.sort();
    for (_, size, file) in files {
        if total <= left {
            break;
        }
        // Another process may have removed it.
        let _ = fs::remove_file(file);
        total -= size;
    }
}

#[cfg(test)]
#[path = "results_tests.rs"]
mod tests;

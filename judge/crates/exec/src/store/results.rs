//! Results that are kept: what was judged once is not judged again as long as nothing changed.
//!
//! Responsible for the files that hold them: one for each submission as it is judged, which grows with every result, so
//! that what an interrupted run has done is there for the next one. Must not know what a key consists of
//! ([`crate::store::key`]) nor which results may be cached ([`judge_grading::Confirmation::is_lasting`]).
//!
//! Layout: `records/<first two digits>/<key>`, a line for each result; `files/<key>`, hashes of files; `inspections/`
//! ([`crate::store::inspections`]); `host/`, what is remembered of the host ([`crate::store::host`]). A line that is damaged or cut off is no line. Two processes may
//! write to a record at the same time: each line is one `write` to a file opened for appending.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use judge_model::{Isolation, ProblemIndex, SubmissionPlace, TestCaseIndex};

use crate::regular_file;
use crate::store::checksum::{replace, sweep};
use crate::store::entry::{self, StoredResult};
use crate::store::fingerprint::FileHashes;
use crate::store::host::Memory;
use crate::store::key::{CaseKey, JudgedProblem};
use crate::store::programs::{Key, KeyBuilder};
use crate::store::staging::remove_tree;
use crate::store::trimming::{note_use, trim_files, trim_flat};
use crate::testcase::result::TestResult;

/// A record that is larger is not read: it has no more lines than its submission was judged.
const MOST_RECORD_BYTES: u64 = 64 << 20;
/// The size that all records together may reach, in bytes; beyond that, those that were not used for the longest time
/// go.
const MOST_BYTES: u64 = 256 << 20;
/// The size that the hashes of files of all packages may reach, in bytes.
const MOST_HASHES_BYTES: u64 = 64 << 20;

/// The place where results are kept, and the program and the host that they are kept for.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    directory: PathBuf,
    judge: String,
    host: String,
    anew: bool,
}

impl StoreSettings {
    /// Results in a directory, which need not be there yet. `program` is this program: another one may judge
    /// differently. `host` tells apart hosts whose times cannot be compared. With `anew` everything is judged again,
    /// and replaces what was kept. `None` when the program cannot be read.
    #[must_use]
    pub fn new(directory: PathBuf, program: &Path, host: String, anew: bool) -> Option<Self> {
        ["files", "host"].iter().for_each(|part| sweep(&directory.join(part)));
        let index = directory.join("files").join("judge");
        let mut hashes = FileHashes::load(&index);
        let judge = hashes.of(program).ok()?.hash;
        if let Some(bytes) = hashes.to_keep(Path::exists) {
            // Then it is read again next time.
            let _ = replace(&index, &bytes);
        }
        Some(Self { directory, judge, host, anew })
    }

    /// The memory of this host that belongs to these results; `None` when everything is done anew.
    #[must_use]
    pub fn memory(&self) -> Option<Memory> {
        (!self.anew).then(|| Memory::new(self.directory.join("host")))
    }

    /// The directory of results.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// True when nothing that was kept is to be used.
    pub(crate) fn is_anew(&self) -> bool {
        self.anew
    }

    /// The file with the hashes of a package's files.
    pub(crate) fn hashes_path(&self, package: &Path) -> PathBuf {
        let mut key = KeyBuilder::default();
        key.part(package.as_os_str().as_encoded_bytes());
        self.directory.join("files").join(key.finish().name())
    }

    /// The digest of this program, which tells it from any other version.
    #[must_use]
    pub fn judge(&self) -> &str {
        &self.judge
    }
}

/// The kept results, opened by one run.
#[derive(Debug)]
pub struct Results {
    settings: StoreSettings,
    /// Everything that all keys have in common.
    surroundings: Key,
    problems: Mutex<BTreeMap<ProblemIndex, JudgedProblem>>,
    records: Mutex<BTreeMap<SubmissionPlace, ResultRecord>>,
    used: AtomicU64,
    stored: AtomicU64,
}

/// The record of a submission.
#[derive(Debug)]
struct ResultRecord {
    /// The name of its key.
    name: String,
    path: PathBuf,
    /// Open once something was written.
    file: Option<File>,
    known: BTreeMap<String, StoredResult>,
}

impl Results {
    /// Opens the store for runs at this isolation.
    #[must_use]
    pub fn open(settings: &StoreSettings, isolation: &Isolation) -> Self {
        let mut key = KeyBuilder::default();
        key.part(entry::VERSION);
        key.part(settings.judge.as_bytes());
        key.part(settings.host.as_bytes());
        key.part(&serde_json::to_vec(isolation).expect("an isolation has string keys only"));
        Self {
            settings: settings.clone(),
            surroundings: key.finish(),
            problems: Mutex::default(),
            records: Mutex::default(),
            used: AtomicU64::new(0),
            stored: AtomicU64::new(0),
        }
    }

    /// The surroundings: the key that all keys begin with.
    pub(crate) fn surroundings(&self) -> &Key {
        &self.surroundings
    }

    /// The hashes of a package's files.
    pub(crate) fn hashes_of(&self, package: &Path) -> FileHashes {
        FileHashes::load(&self.settings.hashes_path(package))
    }

    /// Keeps them, but for files that are not the package's.
    pub(crate) fn keep_hashes(&self, package: &Path, hashes: &FileHashes) {
        if let Some(bytes) = hashes.to_keep(|path| path.starts_with(package) && path.exists()) {
            // Then the files are read again next time.
            let _ = replace(&self.settings.hashes_path(package), &bytes);
        }
    }

    /// Remembers how a problem of the plan is judged, by its index.
    pub(crate) fn add_problem(&self, problem: ProblemIndex, judged: JudgedProblem) {
        lock(&self.problems).insert(problem, judged);
    }

    /// Does something with how a problem is judged, if that is known.
    pub(crate) fn with_problem<T>(&self, problem: ProblemIndex, ask: impl FnOnce(&JudgedProblem) -> T) -> Option<T> {
        lock(&self.problems).get(&problem).map(ask)
    }

    /// Opens the record of a submission, and gives what is kept in it for these test cases: the index of each, with the
    /// result.
    pub(crate) fn look_up(
        &self,
        submission: SubmissionPlace,
        key: &Key,
        cases: &[Option<CaseKey>],
    ) -> Vec<(TestCaseIndex, TestResult)> {
        let path = self.settings.directory.join("records").join(&key.name()[..2]).join(key.name());
        let bytes = regular_file::read_own(&path, MOST_RECORD_BYTES).unwrap_or_else(|error| {
            // Anything but a file of ours, such as a link or terabytes of holes, is damage.
            let is_there = error.kind() != io::ErrorKind::NotFound;
            if is_there {
                let _ = remove_tree(&path);
            }
            Vec::new()
        });
        let known = entry::read_all(key.name(), &bytes);
        let mut found = Vec::new();
        if !self.settings.anew {
            for (index, case) in TestCaseIndex::enumerate(cases) {
                let stored = case.as_ref().and_then(|case| known.get(case.name()));
                found.extend(stored.and_then(StoredResult::result).map(|result| (index, result)));
            }
            note_use(&path);
        }
        tracing::debug!(
            target: "cache", ?path, found = found.len(), of = cases.len(), lines = known.len(), anew = self.settings.anew,
            "results looked up"
        );
        lock(&self.records).insert(submission, ResultRecord { name: key.name().to_owned(), path, file: None, known });
        found
    }

    /// Counts results that are used.
    pub fn count_used(&self, number: usize) {
        self.used.fetch_add(number as u64, Ordering::Relaxed);
    }

    /// Keeps a result. One that contradicts what was kept before shows that the submission is not always judged alike,
    /// and then neither is ever used. What cannot be written is not kept, nor is what lacks pictures: they are tried again.
    pub(crate) fn keep(&self, submission: SubmissionPlace, case: &CaseKey, judged: &TestResult) {
        let mut records = lock(&self.records);
        let Some(record) = records.get_mut(&submission) else { return };
        if !judged.remarks_on_pictures.is_empty() {
            return;
        }
        let stored = StoredResult::of(judged);
        let stored = match record.known.get(case.name()) {
            Some(before) if before.contradicts(&stored) => StoredResult::Varies,
            _ => stored,
        };
        let written = record.append(&stored.to_line(&record.name, case.name()));
        let varies = stored == StoredResult::Varies;
        tracing::debug!(target: "cache", path = ?record.path, test_case = case.name(), varies, ?written, "result kept");
        if written.is_ok() {
            self.stored.fetch_add(1, Ordering::Relaxed);
        }
        record.known.insert(case.name().to_owned(), stored);
    }

    /// The number of results of this run that were kept, so that the next run need not judge them again.
    pub fn kept(&self) -> u64 {
        self.used.load(Ordering::Relaxed) + self.stored.load(Ordering::Relaxed)
    }

    /// Removes what was not used for the longest time, when there is too much. Nothing is looked at unless something
    /// was added.
    pub fn trim(&self) {
        if self.stored.load(Ordering::Relaxed) > 0 {
            trim_files(&self.settings.directory.join("records"), MOST_BYTES);
            trim_flat(&self.settings.directory.join("files"), MOST_HASHES_BYTES);
        }
    }
}

impl ResultRecord {
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let directory = self.path.parent().unwrap_or(Path::new("/"));
                DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
                let mut file = regular_file::append_own(&self.path)?;
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

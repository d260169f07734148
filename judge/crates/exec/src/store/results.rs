//! Cached results: a submission is not judged again on a test case as long as nothing changed.
//!
//! Responsible for the files that hold results: one for each submission, which grows with every
//! result, so that the next run resumes an interrupted one. Must not know what a key consists of
//! ([`crate::store::key`]) nor which results may be cached
//! ([`judge_grading::Confirmation::is_lasting`]).
//!
//! Layout: `records/<first two digits>/<key>`, a line for each result; `files/<key>`, hashes of
//! files; `inspections/` ([`crate::store::inspections`]); `host/`, facts about the host
//! ([`crate::store::host`]). A line that is damaged or cut off does not count. Two processes may
//! write to a record at the same time: each line is one `write` to a file opened for appending.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use judge_model::{Isolation, ProblemIndex, SubmissionPlace, TestCaseIndex};
use serde::{Deserialize, Serialize};

use crate::lock;
use crate::regular_file;
use crate::store::checksum::{checked, with_sum};
use crate::store::fingerprint::FileHashes;
use crate::store::key::{CaseKey, JudgedProblem};
use crate::store::programs::{Key, KeyBuilder};
use crate::store::settings::StoreSettings;
use crate::store::staging::remove_tree;
use crate::store::trimming::{note_use, trim_files, trim_flat};
use crate::testcase::result::TestResult;

/// The largest size of a record, in bytes. A larger one is damaged: it has a line for each time
/// that its submission was judged on a test case.
const MAX_RECORD_BYTES: u64 = 64 << 20;
/// The size that all records together may reach, in bytes; beyond it, the least recently used ones
/// are removed.
const MAX_TOTAL_BYTES: u64 = 256 << 20;
/// The size that the hashes of files of all packages may reach, in bytes.
const MAX_HASHES_BYTES: u64 = 64 << 20;

/// The cached results, opened by one run.
#[derive(Debug)]
pub struct Results {
    settings: StoreSettings,
    /// Everything that all keys have in common.
    pub(crate) surroundings: Key,
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
    /// The open file, once something was written.
    file: Option<File>,
    results: BTreeMap<String, StoredResult>,
}

impl Results {
    /// Opens the store for runs at this isolation.
    #[must_use]
    pub fn open(settings: &StoreSettings, isolation: &Isolation) -> Self {
        let mut key = KeyBuilder::default();
        key.part(settings.judge().as_bytes());
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

    /// The hashes of a package's files.
    pub(crate) fn hashes_of(&self, package: &Path) -> FileHashes {
        FileHashes::load(&self.settings.hashes_path(package))
    }

    /// Stores the hashes of a package's files, and leaves out files outside the package.
    pub(crate) fn keep_hashes(&self, package: &Path, hashes: &FileHashes) {
        let is_kept = |path: &Path| path.starts_with(package) && path.exists();
        hashes.save(&self.settings.hashes_path(package), is_kept);
    }

    /// Adds the keys of a problem of the plan, by its index.
    pub(crate) fn add_problem(&self, problem: ProblemIndex, keys: JudgedProblem) {
        lock(&self.problems).insert(problem, keys);
    }

    /// Uses the keys of a problem, if they were added.
    pub(crate) fn with_problem<T>(
        &self,
        problem: ProblemIndex,
        ask: impl FnOnce(&JudgedProblem) -> T,
    ) -> Option<T> {
        lock(&self.problems).get(&problem).map(ask)
    }

    /// Opens the record of a submission, and returns its results for these test cases: the index of
    /// each, with the result.
    pub(crate) fn look_up(
        &self,
        submission: SubmissionPlace,
        key: &Key,
        cases: &[Option<CaseKey>],
    ) -> Vec<(TestCaseIndex, TestResult)> {
        let path = self
            .settings
            .directory
            .join("records")
            .join(&key.name()[..2])
            .join(key.name());
        // A cache from a repository must not make the judge follow a link, or read files of another
        // user.
        let bytes = regular_file::read_own(&path, MAX_RECORD_BYTES).unwrap_or_else(|error| {
            // Anything except a file of this user, such as a link or terabytes of holes, is damage.
            let exists = error.kind() != io::ErrorKind::NotFound;
            if exists {
                let _ = remove_tree(&path);
            }
            Vec::new()
        });
        let results = read_all(key.name(), &bytes);
        let mut found = Vec::new();
        // The record is opened in any case: new lines are appended, and the last one of a test case
        // counts.
        if !self.settings.ignore_existing {
            for (index, case) in TestCaseIndex::enumerate(cases) {
                let stored = case.as_ref().and_then(|case| results.get(case.name()));
                found.extend(
                    stored
                        .and_then(StoredResult::result)
                        .map(|result| (index, result)),
                );
            }
            note_use(&path);
        }
        tracing::debug!(
            target: "cache", ?path, found = found.len(), of = cases.len(), lines = results.len(), ignore_existing = self.settings.ignore_existing,
            "results looked up"
        );
        lock(&self.records).insert(
            submission,
            ResultRecord {
                name: key.name().to_owned(),
                path,
                file: None,
                results,
            },
        );
        found
    }

    /// Counts results that are used.
    pub fn count_used(&self, number: usize) {
        self.used.fetch_add(number as u64, Ordering::Relaxed);
    }

    /// Adds a result. One that contradicts an earlier one shows that the verdict varies, and then
    /// neither is ever used. A result without its pictures is not added, so that they are drawn the
    /// next time.
    pub(crate) fn add(&self, submission: SubmissionPlace, case: &CaseKey, result: &TestResult) {
        // The record stays locked while the line is written, so that two workers never append to it
        // at the same time.
        let mut records = lock(&self.records);
        let Some(record) = records.get_mut(&submission) else {
            return;
        };
        if !result.picture_remarks.is_empty() {
            return;
        }
        let stored = StoredResult::new(result);
        let stored = match record.results.get(case.name()) {
            // Only verdicts are compared. Times differ in every run, and messages of validators may
            // name temporary files.
            Some(before) if before.contradicts(&stored) => StoredResult::Varies,
            _ => stored,
        };
        let written = record.append(&stored.to_line(&record.name, case.name()));
        let varies = stored == StoredResult::Varies;
        tracing::debug!(target: "cache", path = ?record.path, test_case = case.name(), varies, ?written, "result cached");
        if written.is_ok() {
            self.stored.fetch_add(1, Ordering::Relaxed);
        }
        // In memory as well: a later result of this run is compared with this one.
        record.results.insert(case.name().to_owned(), stored);
    }

    /// The number of results of this run that the store has, so that the next run need not judge
    /// them again.
    pub fn kept(&self) -> u64 {
        self.used.load(Ordering::Relaxed) + self.stored.load(Ordering::Relaxed)
    }

    /// Removes the least recently used records when there are too many. Nothing is checked unless
    /// something was added.
    pub fn trim(&self) {
        if self.stored.load(Ordering::Relaxed) > 0 {
            self.settings.trim();
        }
    }
}

impl StoreSettings {
    /// Removes the least recently used records when there are too many.
    pub fn trim(&self) {
        trim_files(&self.directory.join("records"), MAX_TOTAL_BYTES);
        trim_flat(&self.directory.join("files"), MAX_HASHES_BYTES);
    }
}

impl ResultRecord {
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let directory = self.path.parent().unwrap_or(Path::new("/"));
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(directory)?;
                let mut file = regular_file::append_own(&self.path)?;
                // A killed process may have cut off the last line, which would damage this one too.
                if file.metadata()?.len() > 0 {
                    file.write_all(b"\n")?;
                }
                self.file.insert(file)
            }
        };
        file.write_all(line)
    }
}

/// The result of a test case in a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredResult {
    /// The result, which was the same in every run.
    TestResult(Box<TestResult>),
    /// The test case was judged more than once, with different verdicts.
    Varies,
}

impl StoredResult {
    pub(crate) fn new(result: &TestResult) -> Self {
        Self::TestResult(Box::new(result.clone()))
    }

    /// The result, marked as cached; `None` when it is not always the same.
    pub(crate) fn result(&self) -> Option<TestResult> {
        let Self::TestResult(result) = self else {
            return None;
        };
        Some(TestResult {
            cached: true,
            ..TestResult::clone(result)
        })
    }

    /// True when both cannot come from a submission whose verdict never varies.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::TestResult(one), Self::TestResult(other)) => one.verdict != other.verdict,
            _ => true,
        }
    }

    /// The line for a test case in the record with this name, its line break included.
    pub(crate) fn to_line(&self, record: &str, case: &str) -> Vec<u8> {
        let body =
            serde_json::to_string(&(record, case, self)).expect("a result has string keys only");
        let mut line = with_sum(body.as_bytes());
        line.push(b'\n');
        line
    }
}

/// Returns all undamaged results in the record with this name, by test case. The last of several
/// lines counts, unless they contradict each other: equal submissions, or two runs of the judge,
/// append to one record without seeing each other's lines. A line of another record does not count:
/// after a repair of the disk, a file may be in the place of another.
pub(crate) fn read_all(record: &str, bytes: &[u8]) -> BTreeMap<String, StoredResult> {
    let mut results: BTreeMap<String, StoredResult> = BTreeMap::new();
    for (case, result) in bytes
        .split(|byte| *byte == b'\n')
        .filter_map(|line| read_line(record, line))
    {
        let varies = results
            .get(&case)
            .is_some_and(|before| before.contradicts(&result));
        results.insert(case, if varies { StoredResult::Varies } else { result });
    }
    results
}

pub(crate) fn read_line(record: &str, line: &[u8]) -> Option<(String, StoredResult)> {
    let (owner, case, result): (String, String, StoredResult) =
        serde_json::from_slice(checked(line)?).ok()?;
    (owner == record).then_some((case, result))
}

//! The cache of compiled programs, keyed by content.
//!
//! Responsible for complete entries: an entry appears by one rename, so that neither another
//! `judge` that uses the same cache nor a kill at any moment leaves a broken one. After a power
//! failure, the checksum of the manifest and the digest of the files show damage. Must not know
//! languages.
//!
//! Layout: `programs/<first two digits>/<key>/{files/…, manifest.json}`; `made/<first two
//! digits>/<key>`, which is test data; `staging/<name>` with `staging/<name>.lock`, a lock held as
//! long as its owner lives, which distinguishes leftovers of a killed process from files of a
//! running one; `programs/large/<name>/<key>`, programs that are removed with that owner.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use judge_files::{make_own_directory, real_path, regular_file, set_mode};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ExecError;
use crate::lock;
use crate::store::checksum::{checked, hex, with_sum};
use crate::store::content::{Content, inventory};
use crate::store::in_progress::InProgress;
use crate::store::staging::{Owner, make_group, make_readable, remove_tree};
pub(crate) use crate::store::staging::{Stage, make_directory, write_shared};
use crate::store::trimming::{note_use, trim_entries, trim_files};

/// Bytes of a SHA-256.
const DIGEST: usize = 32;
/// The largest size of a program that is kept for later runs; a larger one is removed at the end of
/// the run. Nearly all programs are smaller than a tenth of it, and larger ones consist mostly of
/// zeros.
const KEPT_BYTES: u64 = 64 << 20;
/// The largest size of precompiled headers that are kept: those of `bits/stdc++.h` have 130 MiB.
pub(crate) const KEPT_HEADER_BYTES: u64 = 256 << 20;
/// The size that all programs together may reach, in bytes, precompiled headers included.
const MAX_PROGRAM_BYTES: u64 = 2 << 30;
/// The size that all generated test data may reach, in bytes.
const MAX_MADE_BYTES: u64 = 1 << 30;
/// The largest size of the record next to a program, in bytes: most of it is the compiler's
/// message.
const MAX_RECORD_BYTES: u64 = 64 << 20;
/// The directory of programs that are not kept for later runs.
const LARGE: &str = "large";

/// The content that identifies an entry.
#[derive(Default)]
pub(crate) struct KeyBuilder(Sha256);

/// The name of an entry: a SHA-256 in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(String);

impl Key {
    pub(crate) fn name(&self) -> &str {
        &self.0
    }
}

impl KeyBuilder {
    /// Adds one part of the content, preceded by its length, so different lists of parts have
    /// different keys.
    pub(crate) fn part(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds a list: the number of its words, and each of them.
    pub(crate) fn list<Word: AsRef<OsStr>>(&mut self, words: &[Word]) {
        self.part(&(words.len() as u64).to_le_bytes());
        words
            .iter()
            .for_each(|word| self.part(word.as_ref().as_bytes()));
    }

    pub(crate) fn finish(self) -> Key {
        Key(hex(&self.0.finalize()))
    }
}

/// The manifest of a program: facts about how it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// CPU time of compiling, in microseconds.
    pub(crate) cpu_time_us: u64,
    /// The message of the compiler (warnings), as text.
    pub(crate) message: String,
}

/// The record next to a program.
#[derive(Debug, Serialize, Deserialize)]
struct ProgramRecord {
    #[serde(flatten)]
    manifest: Manifest,
    /// The digest of the files ([`Content`]).
    digest: String,
    /// Bytes of the files.
    bytes: u64,
}

/// A program in the cache.
#[derive(Clone, Debug)]
pub(crate) struct StoredProgram {
    /// The directory of its files.
    pub(crate) files: PathBuf,
    /// The manifest: facts about how it was made.
    pub(crate) manifest: Manifest,
    /// The content that the files must have.
    pub(crate) content: Arc<Content>,
}

/// The cache, opened by one process.
#[derive(Debug)]
pub(crate) struct ProgramCache {
    programs: PathBuf,
    made: PathBuf,
    owner: Owner,
    next: AtomicU64,
    /// The content of entries that this process knows, by digest and place.
    contents: Mutex<BTreeMap<(PathBuf, String), Arc<Content>>>,
    /// True once something was added.
    grown: AtomicBool,
    /// The number of entries that were found damaged. The lock is held while one is removed: of
    /// several threads that find the same damage only one removes it, and none removes an entry
    /// that another has made again meanwhile.
    damaged: Mutex<u64>,
    /// The programs that threads of this process are making.
    pub(crate) in_progress: InProgress,
}

impl ProgramCache {
    /// Opens the cache below `root`, which is created if it is missing, and removes leftovers of
    /// killed processes.
    pub(crate) fn open(root: &Path) -> Result<Self, ExecError> {
        let programs = root.join("programs");
        let staging = root.join("staging");
        make_own_directory(root).map_err(|source| ExecError::Cache {
            directory: root.to_owned(),
            source,
        })?;
        // Programs run under another user's id, with their directory mounted without its parents.
        // If nothing can be mounted, they are copied unless every user can pass through all of the
        // parents.
        make_group(&programs, 0o755)?;
        // Test data is copied there for such programs.
        make_group(&staging, 0o700)?;
        let owner = Owner::new(&staging, &programs.join(LARGE))?;
        let made = root.join("made");
        Ok(Self {
            programs,
            made,
            owner,
            next: AtomicU64::new(0),
            contents: Mutex::default(),
            grown: AtomicBool::new(false),
            damaged: Mutex::default(),
            in_progress: InProgress::default(),
        })
    }

    /// The number of entries that were found damaged.
    pub(crate) fn damaged(&self) -> u64 {
        *lock(&self.damaged)
    }

    /// The directory below which all programs lie.
    pub(crate) fn programs(&self) -> &Path {
        &self.programs
    }

    /// The directory below which this process prepares entries.
    pub(crate) fn staging(&self) -> &Path {
        self.owner.staging()
    }

    /// The entry with this key, whose files must be [verified](Content::holds) before they are
    /// used. An unreadable entry counts as absent: this is only a cache.
    pub(crate) fn find(&self, key: &Key) -> Option<StoredProgram> {
        [self.entry(key), self.large_entry(key)]
            .iter()
            .find_map(|entry| self.read(entry))
    }

    /// The entry with this key, if its files are those that were stored. A damaged one is removed.
    pub(crate) fn find_whole(&self, key: &Key) -> Option<StoredProgram> {
        self.whole(key).or_else(|| self.remove_damaged(key))
    }

    fn whole(&self, key: &Key) -> Option<StoredProgram> {
        self.find(key).filter(|stored| stored.content.holds())
    }

    /// Removes an entry that was found damaged, unless another thread has made it again since: then
    /// the new one is returned.
    fn remove_damaged(&self, key: &Key) -> Option<StoredProgram> {
        // Checked once more under the lock: another thread may have replaced the entry since it was
        // found damaged.
        let mut damaged = lock(&self.damaged);
        if let Some(stored) = self.whole(key) {
            return Some(stored);
        }
        for entry in [self.entry(key), self.large_entry(key)] {
            if fs::symlink_metadata(&entry).is_ok() {
                tracing::debug!(target: "cache", ?entry, "damaged program removed");
                *damaged += 1;
                self.discard(&entry);
            }
        }
        None
    }

    fn read(&self, entry: &Path) -> Option<StoredProgram> {
        let path = entry.join("manifest.json");
        let bytes = regular_file::read_own(&path, MAX_RECORD_BYTES).ok()?;
        let record = checked(&bytes).and_then(|bytes| serde_json::from_slice(bytes).ok());
        if record.is_none() {
            tracing::debug!(target: "cache", ?path, "damaged");
        }
        let ProgramRecord {
            manifest,
            digest,
            bytes,
        } = record?;
        note_use(&path);
        let files = entry.join("files");
        let mut contents = lock(&self.contents);
        // Workers share verified content: otherwise each of them would read a program again before
        // its first run.
        let known = contents.entry((files.clone(), digest.clone()));
        let content = Arc::clone(
            known.or_insert_with(|| Arc::new(Content::new(files.clone(), digest, bytes))),
        );
        Some(StoredProgram {
            files,
            manifest,
            content,
        })
    }

    /// Takes an entry out of the cache in one step, and then removes it.
    fn discard(&self, entry: &Path) {
        let aside = self.new_path("discarded-");
        // A directory whose owner may not write to it cannot be moved to another one.
        let _ = set_mode(entry, 0o755);
        if fs::rename(entry, &aside).is_ok() {
            // Files that cannot be removed now go with the staging directory.
            let _ = remove_tree(&aside);
        }
    }

    /// Returns a path in the staging directory that nothing has used yet.
    fn new_path(&self, prefix: &str) -> PathBuf {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.staging().join(format!("{prefix}{number}"))
    }

    /// Creates an empty directory in which an entry or its sources are prepared. It is removed when
    /// it is dropped.
    pub(crate) fn stage(&self) -> Result<Stage, ExecError> {
        let path = self.new_path("");
        make_directory(&path, 0o755)?;
        Ok(Stage { path })
    }

    /// Returns the data that was kept under this key; damaged data counts as absent.
    pub(crate) fn kept(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.made_entry(key);
        let mut bytes = regular_file::read_own(&path, MAX_MADE_BYTES).ok()?;
        note_use(&path);
        let rest = bytes.len().checked_sub(DIGEST)?;
        // Checked at every use, because made data is read as a whole in any case.
        let is_whole = Sha256::digest(&bytes[..rest])[..] == bytes[rest..];
        bytes.truncate(rest);
        tracing::debug!(target: "cache", ?path, is_whole, "made data found");
        is_whole.then_some(bytes)
    }

    /// Stores bytes under a key. They carry a digest, which shows damage after a power failure, so
    /// the file is not synced to the disk.
    pub(crate) fn keep(&self, key: &Key, mut bytes: Vec<u8>) -> Result<(), ExecError> {
        let digest = Sha256::digest(&bytes);
        bytes.extend_from_slice(&digest);
        let staged = self.new_path("");
        let entry = self.made_entry(key);
        make_group(entry.parent().expect("an entry is below `made`"), 0o700)?;
        self.grown.store(true, Ordering::Relaxed);
        let create = || {
            fs::File::options()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&staged)
        };
        create()
            .and_then(|mut file| file.write_all(&bytes))
            .map_err(ExecError::io("write", &staged))?;
        fs::rename(&staged, &entry).or_else(|_| {
            // A directory in its place is damage.
            self.discard(&entry);
            fs::rename(&staged, &entry).map_err(ExecError::io("create", &entry))
        })
    }

    fn made_entry(&self, key: &Key) -> PathBuf {
        self.made.join(&key.0[..2]).join(&key.0)
    }

    /// Returns a path at which programs under another user's id can read a file: the file itself,
    /// or a copy if not every user may read it.
    pub(crate) fn readable(&self, file: &Path) -> Result<Readable, ExecError> {
        // Test cases may be links to others of the package; the file itself is shown.
        let path = real_path(file).map_err(ExecError::io("resolve", file))?;
        let mut opened = regular_file::open(&path).map_err(ExecError::io("read", &path))?;
        let metadata = opened.metadata().map_err(ExecError::io("read", &path))?;
        if metadata.mode() & 0o004 != 0 {
            return Ok(Readable { path, _stage: None });
        }
        let stage = self.stage()?;
        let copy = stage.path.join("copy");
        fs::File::create_new(&copy)
            .and_then(|mut copy| std::io::copy(&mut opened, &mut copy))
            .map_err(ExecError::io("copy", &path))?;
        set_mode(&copy, 0o644).map_err(ExecError::io("set the mode of", &copy))?;
        Ok(Readable {
            path: copy,
            _stage: Some(stage),
        })
    }

    /// Makes an entry of a stage's `files` directory. If another process has made the entry
    /// meanwhile, that one is used.
    pub(crate) fn store(
        &self,
        key: &Key,
        stage: &Stage,
        manifest: Manifest,
    ) -> Result<StoredProgram, ExecError> {
        self.store_up_to(KEPT_BYTES, key, stage, manifest)
    }

    /// Makes an entry that is kept for later runs if it has at most this size.
    pub(crate) fn store_up_to(
        &self,
        kept_bytes: u64,
        key: &Key,
        stage: &Stage,
        manifest: Manifest,
    ) -> Result<StoredProgram, ExecError> {
        let staged = stage.path.join("files");
        make_readable(&staged)?;
        let found = inventory(&staged, u64::MAX).map_err(ExecError::io("read", &stage.path))?;
        let record = ProgramRecord {
            manifest,
            digest: found.digest.clone(),
            bytes: found.bytes,
        };
        let text = with_sum(&serde_json::to_vec(&record).expect("a manifest has string keys only"));
        let manifest_path = stage.path.join("manifest.json");
        fs::write(&manifest_path, text).map_err(ExecError::io("write", &manifest_path))?;
        set_mode(&manifest_path, 0o644)
            .map_err(ExecError::io("set the mode of", &manifest_path))?;
        set_mode(&stage.path, 0o755).map_err(ExecError::io("set the mode of", &stage.path))?;
        // A program of gigabytes (a large static array that is not zero) would push hundreds of
        // others out of the cache.
        let entry = if found.bytes > kept_bytes {
            self.large_entry(key)
        } else {
            self.entry(key)
        };
        make_group(entry.parent().expect("an entry is below `programs`"), 0o755)?;
        self.grown.store(true, Ordering::Relaxed);
        // A directory that is not empty is never replaced by rename(2).
        if fs::rename(&stage.path, &entry).is_err() {
            if let Some(stored) = self.find_whole(key) {
                return Ok(stored);
            }
            self.discard(&entry);
            fs::rename(&stage.path, &entry).map_err(ExecError::io("create", &entry))?;
        }
        // The files were read for their digest just now: they are not read again before their first
        // use.
        let files = entry.join("files");
        let content = Content::verified(&staged, files.clone(), found);
        lock(&self.contents).insert((files, content.digest().to_owned()), Arc::new(content));
        let gone = || std::io::Error::from(std::io::ErrorKind::NotFound);
        self.read(&entry)
            .ok_or_else(|| ExecError::io("read", &entry)(gone()))
    }

    fn entry(&self, key: &Key) -> PathBuf {
        self.programs.join(&key.0[..2]).join(&key.0)
    }

    fn large_entry(&self, key: &Key) -> PathBuf {
        self.owner.large().join(&key.0)
    }

    /// Removes the least recently used entries when the cache is too large. Nothing is checked
    /// unless something was added.
    fn trim(&self) {
        if !self.grown.load(Ordering::Relaxed) {
            return;
        }
        let size = |entry: &Path| -> Option<u64> {
            let bytes =
                regular_file::read_own(&entry.join("manifest.json"), MAX_RECORD_BYTES).ok()?;
            Some(
                serde_json::from_slice::<ProgramRecord>(checked(&bytes)?)
                    .ok()?
                    .bytes,
            )
        };
        trim_entries(&self.programs, MAX_PROGRAM_BYTES, &size, &|entry| {
            self.discard(entry);
        });
        trim_files(&self.made, MAX_MADE_BYTES);
    }
}

impl Drop for ProgramCache {
    fn drop(&mut self) {
        self.trim();
    }
}

/// A file that every user can read, as long as this lives.
#[derive(Debug)]
pub(crate) struct Readable {
    pub(crate) path: PathBuf,
    _stage: Option<Stage>,
}

#[cfg(test)]
#[path = "programs_tests.rs"]
mod tests;

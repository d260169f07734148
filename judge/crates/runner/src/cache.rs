//! The cache of compiled programs, keyed by content.
//!
//! Responsible for keeping programs whole: an entry appears by one rename, after its files are on disk, so that neither
//! another `judge` at work in the same cache nor a kill at any moment leaves a broken one. Must not know languages.
//!
//! Layout: `programs/<first two digits>/<key>/{files/…, manifest.json}`; `made/<first two digits>/<key>`, which is test
//! data; `staging/<name>` with `staging/<name>.lock`, a
//! lock held as long as its owner lives, by which leftovers of a killed process are told from a neighbour's work.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::RunnerError;

/// Bytes of a SHA-256.
const DIGEST: usize = 32;

/// The content that an entry is known by.
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
    /// Takes one part of the content. Parts are told apart by their lengths, so no two lists of parts are alike.
    pub(crate) fn part(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> Key {
        Key(self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// What is remembered about how a program came to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// CPU time of compiling, in microseconds.
    pub(crate) cpu_time_us: u64,
    /// What the compiler wrote (warnings), as text.
    pub(crate) message: String,
}

/// A program in the cache.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// The directory of its files.
    pub(crate) files: PathBuf,
    /// How it came to be.
    pub(crate) manifest: Manifest,
}

/// The cache, opened by one process.
#[derive(Debug)]
pub(crate) struct ProgramCache {
    programs: PathBuf,
    made: PathBuf,
    staging: PathBuf,
    next: AtomicU64,
    // Held until the process ends; see the module's comment.
    _lock: File,
    lock_path: PathBuf,
}

impl ProgramCache {
    /// Opens the cache below `root`, which is made when it is not there, and removes what killed processes left.
    pub(crate) fn open(root: &Path) -> Result<Self, RunnerError> {
        let programs = root.join("programs");
        let staging_root = root.join("staging");
        make_directory(root, 0o700)?;
        // Programs run under another user's id, with their directory mounted apart from its parents.
        make_directory(&programs, 0o755)?;
        make_directory(&staging_root, 0o755)?;
        sweep(&staging_root);
        let (lock, lock_path) = lock_new(&staging_root)?;
        let staging = lock_path.with_extension("");
        make_directory(&staging, 0o755)?;
        let made = root.join("made");
        Ok(Self { programs, made, staging, next: AtomicU64::new(0), _lock: lock, lock_path })
    }

    /// The directory below which all programs lie.
    pub(crate) fn programs(&self) -> &Path {
        &self.programs
    }

    /// The directory below which this process prepares entries.
    pub(crate) fn staging(&self) -> &Path {
        &self.staging
    }

    /// The entry with this key. One that cannot be read counts as absent: it is only a cache.
    pub(crate) fn find(&self, key: &Key) -> Option<Stored> {
        let entry = self.entry(key);
        let manifest = serde_json::from_slice(&fs::read(entry.join("manifest.json")).ok()?).ok()?;
        Some(Stored { files: entry.join("files"), manifest })
    }

    /// A new empty directory in which an entry or its sources are prepared. Gone when it is dropped.
    pub(crate) fn stage(&self) -> Result<Stage, RunnerError> {
        let path = self.staging.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        make_directory(&path, 0o755)?;
        Ok(Stage { path })
    }

    /// What was kept under this key; what is damaged counts as absent.
    pub(crate) fn kept(&self, key: &Key) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.made_entry(key)).ok()?;
        let rest = bytes.len().checked_sub(DIGEST)?;
        let is_whole = Sha256::digest(&bytes[..rest])[..] == bytes[rest..];
        bytes.truncate(rest);
        is_whole.then_some(bytes)
    }

    /// Keeps bytes under a key. They carry a digest, so that nobody need wait for the disk: what a power failure leaves
    /// is seen to be damaged.
    pub(crate) fn keep(&self, key: &Key, mut bytes: Vec<u8>) -> Result<(), RunnerError> {
        let digest = Sha256::digest(&bytes);
        bytes.extend_from_slice(&digest);
        let staged = self.staging.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        let entry = self.made_entry(key);
        make_directory(entry.parent().expect("an entry lies below `made`"), 0o755)?;
        fs::write(&staged, bytes).map_err(RunnerError::io("write", &staged))?;
        fs::rename(&staged, &entry).map_err(RunnerError::io("create", &entry))
    }

    fn made_entry(&self, key: &Key) -> PathBuf {
        self.made.join(&key.0[..2]).join(&key.0)
    }

    /// A file as programs under another user's id can read it: itself, or a copy when only some may read it.
    pub(crate) fn readable(&self, file: &Path) -> Result<Readable, RunnerError> {
        // Test cases may be links to others of the package; what is shown is the file itself.
        let path = file.canonicalize().map_err(RunnerError::io("resolve", file))?;
        let mode = fs::metadata(&path).map_err(RunnerError::io("read", &path))?.mode();
        if mode & 0o004 != 0 {
            return Ok(Readable { path, _stage: None });
        }
        let stage = self.stage()?;
        let copy = stage.path.join("copy");
        fs::copy(&path, &copy).map_err(RunnerError::io("copy", &path))?;
        fs::set_permissions(&copy, Permissions::from_mode(0o644)).map_err(RunnerError::io("set the mode of", &copy))?;
        Ok(Readable { path: copy, _stage: Some(stage) })
    }

    /// Makes an entry of a stage's `files` directory. If the entry has come to be meanwhile, that one is used.
    pub(crate) fn store(&self, key: &Key, stage: &Stage, manifest: Manifest) -> Result<Stored, RunnerError> {
        let manifest_path = stage.path.join("manifest.json");
        let text = serde_json::to_vec(&manifest).expect("a manifest has string keys only");
        File::create(&manifest_path)
            .and_then(|mut file| file.write_all(&text))
            .map_err(RunnerError::io("write", &manifest_path))?;
        make_durable(&stage.path)?;
        let entry = self.entry(key);
        let parent = entry.parent().expect("an entry lies below `programs`");
        make_directory(parent, 0o755)?;
        let stored = Stored { files: entry.join("files"), manifest };
        // A directory that is not empty is never replaced by rename(2).
        if fs::rename(&stage.path, &entry).is_ok() || self.find(key).is_some() {
            return Ok(stored);
        }
        // What stands there is no entry: a damaged one. It is moved aside, and removed with the staging directory.
        let aside = self.staging.join(format!("damaged-{}", self.next.fetch_add(1, Ordering::Relaxed)));
        fs::rename(&entry, &aside).map_err(RunnerError::io("replace", &entry))?;
        fs::rename(&stage.path, &entry).map_err(RunnerError::io("create", &entry))?;
        Ok(stored)
    }

    fn entry(&self, key: &Key) -> PathBuf {
        self.programs.join(&key.0[..2]).join(&key.0)
    }
}

impl Drop for ProgramCache {
    fn drop(&mut self) {
        // Leftovers are swept by the next process; an error here has nobody to go to.
        let _ = fs::remove_dir_all(&self.staging);
        let _ = fs::remove_file(&self.lock_path);
    }
}

/// A directory in preparation.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) path: PathBuf,
}

impl Drop for Stage {
    fn drop(&mut self) {
        // After `store` the directory has another name, and there is nothing to remove.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A file that every user can read, as long as this lives.
#[derive(Debug)]
pub(crate) struct Readable {
    pub(crate) path: PathBuf,
    _stage: Option<Stage>,
}

/// Makes a directory and its parents, with exactly this mode whatever the process's mask is.
pub(crate) fn make_directory(path: &Path, mode: u32) -> Result<(), RunnerError> {
    if path.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(mode).create(path).map_err(RunnerError::io("create", path))?;
    fs::set_permissions(path, Permissions::from_mode(mode)).map_err(RunnerError::io("set the mode of", path))
}

/// Sets the modes that every user can read, and asks the disk to keep the files.
fn make_durable(directory: &Path) -> Result<(), RunnerError> {
    for entry in fs::read_dir(directory).map_err(RunnerError::io("read", directory))? {
        let entry = entry.map_err(RunnerError::io("read", directory))?;
        let path = entry.path();
        let metadata = fs::symlink_metadata(&path).map_err(RunnerError::io("read", &path))?;
        if metadata.is_dir() {
            make_durable(&path)?;
        } else if metadata.is_file() {
            let executable = metadata.mode() & 0o100 != 0;
            let mode = if executable { 0o755 } else { 0o644 };
            fs::set_permissions(&path, Permissions::from_mode(mode))
                .map_err(RunnerError::io("set the mode of", &path))?;
            File::open(&path).and_then(|file| file.sync_all()).map_err(RunnerError::io("sync", &path))?;
        }
    }
    fs::set_permissions(directory, Permissions::from_mode(0o755))
        .map_err(RunnerError::io("set the mode of", directory))?;
    File::open(directory).and_then(|file| file.sync_all()).map_err(RunnerError::io("sync", directory))
}

/// Creates a lock file with a name of its own and holds its lock.
fn lock_new(staging: &Path) -> Result<(File, PathBuf), RunnerError> {
    let pid = std::process::id();
    for attempt in 0_u32.. {
        let path = staging.join(format!("{pid}-{attempt}.lock"));
        let file = match File::create_new(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(RunnerError::io("create", &path)(error)),
        };
        // A sweeper may have been faster between the two calls; then this name is lost and the next one is tried.
        let locked = file.try_lock().is_ok();
        if locked && file.metadata().is_ok_and(|metadata| metadata.nlink() > 0) {
            return Ok((file, path));
        }
    }
    unreachable!("names do not run out")
}

/// Removes what processes left that are no more: their locks can be taken.
fn sweep(staging: &Path) {
    let Ok(entries) = fs::read_dir(staging) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_none_or(|extension| extension != "lock") {
            continue;
        }
        let Ok(file) = File::open(&path) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_dir_all(path.with_extension(""));
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(parts: &[&str]) -> Key {
        let mut builder = KeyBuilder::default();
        parts.iter().for_each(|part| builder.part(part.as_bytes()));
        builder.finish()
    }

    fn manifest() -> Manifest {
        Manifest { cpu_time_us: 1, message: String::new() }
    }

    fn stage_with(cache: &ProgramCache, text: &str) -> Stage {
        let stage = cache.stage().unwrap();
        make_directory(&stage.path.join("files"), 0o755).unwrap();
        fs::write(stage.path.join("files/program"), text).unwrap();
        stage
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_ne!(key(&["a"]), key(&["a", ""]));
    }

    #[test]
    fn what_is_stored_is_found_and_the_first_one_stays() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(dir.path()).unwrap();
        assert!(cache.find(&key(&["x"])).is_none());
        cache.store(&key(&["x"]), &stage_with(&cache, "one"), manifest()).unwrap();
        let again = cache.store(&key(&["x"]), &stage_with(&cache, "two"), manifest()).unwrap();
        assert_eq!(fs::read_to_string(again.files.join("program")).unwrap(), "one");
        assert_eq!(cache.find(&key(&["x"])).unwrap().manifest, manifest());
    }

    #[test]
    fn a_broken_entry_counts_as_absent_and_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(dir.path()).unwrap();
        let stored = cache.store(&key(&["x"]), &stage_with(&cache, "one"), manifest()).unwrap();
        fs::write(stored.files.parent().unwrap().join("manifest.json"), "{").unwrap();
        assert!(cache.find(&key(&["x"])).is_none());
        cache.store(&key(&["x"]), &stage_with(&cache, "two"), manifest()).unwrap();
        assert_eq!(fs::read_to_string(cache.find(&key(&["x"])).unwrap().files.join("program")).unwrap(), "two");
    }

    #[test]
    fn what_is_kept_is_found_unless_it_is_damaged() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(dir.path()).unwrap();
        assert_eq!(cache.kept(&key(&["x"])), None);
        cache.keep(&key(&["x"]), b"one".to_vec()).unwrap();
        cache.keep(&key(&["x"]), b"two".to_vec()).unwrap();
        assert_eq!(cache.kept(&key(&["x"])), Some(b"two".to_vec()));
        for damaged in [&b""[..], b"two", &[0; 40]] {
            fs::write(cache.made_entry(&key(&["x"])), damaged).unwrap();
            assert_eq!(cache.kept(&key(&["x"])), None);
        }
    }

    #[test]
    fn leftovers_are_swept_but_a_neighbours_work_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let neighbour = ProgramCache::open(dir.path()).unwrap();
        let stage = neighbour.stage().unwrap();
        let dead = dir.path().join("staging/1-0");
        fs::create_dir_all(dead.join("0")).unwrap();
        fs::write(dir.path().join("staging/1-0.lock"), "").unwrap();

        let cache = ProgramCache::open(dir.path()).unwrap();
        assert!(!dead.exists() && !dir.path().join("staging/1-0.lock").exists());
        assert!(stage.path.exists());
        assert_ne!(cache.staging(), neighbour.staging());
        drop((stage, cache, neighbour));
        assert_eq!(fs::read_dir(dir.path().join("staging")).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_others_may_not_read_is_copied() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
        let file = dir.path().canonicalize().unwrap().join("1.in");
        fs::write(&file, "text").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        assert_eq!(cache.readable(&file).unwrap().path, file);

        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        let copy = cache.readable(&file).unwrap();
        assert!(copy.path.starts_with(cache.staging()), "{}", copy.path.display());
        assert_eq!(fs::read_to_string(&copy.path).unwrap(), "text");
        assert_eq!(fs::metadata(&copy.path).unwrap().mode() & 0o777, 0o644);
        let path = copy.path.clone();
        drop(copy);
        assert!(!path.exists());
    }

    #[test]
    fn every_user_can_read_an_entry_whatever_the_mask() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
        let stage = stage_with(&cache, "one");
        fs::set_permissions(stage.path.join("files/program"), Permissions::from_mode(0o700)).unwrap();
        let stored = cache.store(&key(&["x"]), &stage, manifest()).unwrap();
        assert_eq!(fs::metadata(stored.files.join("program")).unwrap().mode() & 0o777, 0o755);
        assert_eq!(fs::metadata(&stored.files).unwrap().mode() & 0o777, 0o755);
        assert_eq!(fs::metadata(dir.path().join("cache")).unwrap().mode() & 0o777, 0o700);
    }
}

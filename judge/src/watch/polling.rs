//! Polling: detects changes where the kernel does not report them.
//!
//! Responsible for the differences between two scans. Must not know when changes are over.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The maximum depth of directories: a loop of links has no end.
pub(super) const MAX_DEPTH: usize = 16;

/// The interval of scans as long as nothing changes. A scan of thousands of files takes some
/// milliseconds.
const POLL_INTERVAL: Duration = Duration::from_millis(if cfg!(test) { 200 } else { 500 });

/// The polled places with their state at the last scan.
#[derive(Debug)]
pub(super) struct Poller {
    trees: Vec<PathBuf>,
    files: Vec<PathBuf>,
    state: BTreeMap<PathBuf, FileState>,
    scanned_at: Instant,
}

/// The properties of a file that change with it.
#[derive(Debug, PartialEq, Eq)]
enum FileState {
    /// A directory, whose files have separate states.
    Directory,
    File {
        size: u64,
        modified: (i64, i64),
        changed: (i64, i64),
        inode: u64,
    },
}

impl Poller {
    /// Polls directories recursively, and single files, which need not exist.
    pub(super) fn new(trees: &[PathBuf], files: &[PathBuf]) -> Self {
        let state = scan(trees, files);
        Self {
            trees: trees.to_vec(),
            files: files.to_vec(),
            state,
            scanned_at: Instant::now(),
        }
    }

    /// Waits for this time, and then polls if the interval is over, or if something changed before.
    /// True after a change.
    pub(super) fn collect(&mut self, timeout: Duration, changed: &mut BTreeSet<PathBuf>) -> bool {
        sleep(timeout);
        // After a first change the scan is repeated immediately, to see when the changes are over.
        (self.scanned_at.elapsed() >= POLL_INTERVAL || !changed.is_empty()) && self.poll(changed)
    }

    /// Adds the files that changed since the last scan. True after a change.
    pub(super) fn poll(&mut self, changed: &mut BTreeSet<PathBuf>) -> bool {
        let now = scan(&self.trees, &self.files);
        let other = now
            .iter()
            .filter(|(path, state)| self.state.get(*path) != Some(*state))
            .map(|(path, _)| path);
        let gone = self.state.keys().filter(|path| !now.contains_key(*path));
        let found: BTreeSet<PathBuf> = other.chain(gone).cloned().collect();
        (self.state, self.scanned_at) = (now, Instant::now());
        let is_any = !found.is_empty();
        changed.extend(found);
        is_any
    }
}

fn scan(trees: &[PathBuf], files: &[PathBuf]) -> BTreeMap<PathBuf, FileState> {
    let mut state = BTreeMap::new();
    trees
        .iter()
        .for_each(|tree| add(tree, MAX_DEPTH, &mut state));
    files.iter().for_each(|file| add(file, 0, &mut state));
    state
}

fn add(path: &Path, depth: usize, state: &mut BTreeMap<PathBuf, FileState>) {
    // The file was removed, or is a link without a target.
    let Ok(metadata) = fs::metadata(path) else {
        return;
    };
    if metadata.is_dir() && depth > 0 {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            if !is_ignored(&entry.file_name()) {
                add(&entry.path(), depth - 1, state);
            }
        }
    }
    state.insert(path.to_owned(), FileState::from(&metadata));
}

impl From<&Metadata> for FileState {
    fn from(metadata: &Metadata) -> Self {
        if metadata.is_dir() {
            return Self::Directory;
        }
        Self::File {
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }
}

/// True for a file to be ignored: a hidden one, or one that an editor creates next to a file.
pub(super) fn is_ignored(name: &OsStr) -> bool {
    let name = name.as_bytes();
    // Vim tests with a file named 4913 whether it may write.
    name.starts_with(b".") || name.ends_with(b"~") || name.starts_with(b"#") || name == b"4913"
}

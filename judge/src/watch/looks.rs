//! Looks: changes are found by looking again and again, where the kernel does not report them.
//!
//! Responsible for what differs between two looks. Must not know when changes are over.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{MAX_DEPTH, is_passing};

/// The time between two looks as long as nothing changes: thousands of files cost some milliseconds each time.
const EACH: Duration = Duration::from_millis(500);

/// The places that are looked at, and the state that was seen there last.
#[derive(Debug)]
pub(super) struct Looks {
    trees: Vec<PathBuf>,
    files: Vec<PathBuf>,
    seen: BTreeMap<PathBuf, Seen>,
    at: Instant,
}

/// The facts of a file that change when the file does.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    /// A directory; the files in it are seen by themselves.
    Directory,
    File {
        size: u64,
        modified: (i64, i64),
        changed: (i64, i64),
        inode: u64,
    },
}

impl Looks {
    /// Directories with all below them, and single files, which need not be there.
    pub(super) fn new(trees: &[PathBuf], files: &[PathBuf]) -> Self {
        let seen = look(trees, files);
        Self { trees: trees.to_vec(), files: files.to_vec(), seen, at: Instant::now() }
    }

    /// Waits for this time, and then looks when it is time for that, or when something changed before. Whether there
    /// was a change.
    pub(super) fn collect(&mut self, patience: Duration, changed: &mut BTreeSet<PathBuf>) -> bool {
        sleep(patience);
        (self.at.elapsed() >= EACH || !changed.is_empty()) && self.look_again(changed)
    }

    /// Adds the files that changed since the last look; true when there was any.
    pub(super) fn look_again(&mut self, changed: &mut BTreeSet<PathBuf>) -> bool {
        let now = look(&self.trees, &self.files);
        let other = now.iter().filter(|(path, seen)| self.seen.get(*path) != Some(*seen)).map(|(path, _)| path);
        let gone = self.seen.keys().filter(|path| !now.contains_key(*path));
        let found: BTreeSet<PathBuf> = other.chain(gone).cloned().collect();
        (self.seen, self.at) = (now, Instant::now());
        let is_any = !found.is_empty();
        changed.extend(found);
        is_any
    }
}

fn look(trees: &[PathBuf], files: &[PathBuf]) -> BTreeMap<PathBuf, Seen> {
    let mut seen = BTreeMap::new();
    trees.iter().for_each(|tree| see(tree, MAX_DEPTH, &mut seen));
    files.iter().for_each(|file| see(file, 0, &mut seen));
    seen
}

fn see(path: &Path, deeper: usize, seen: &mut BTreeMap<PathBuf, Seen>) {
    // What is not there was removed, or is a link that leads nowhere.
    let Ok(metadata) = fs::metadata(path) else { return };
    if metadata.is_dir() && deeper > 0 {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            if !is_passing(&entry.file_name()) {
                see(&entry.path(), deeper - 1, seen);
            }
        }
    }
    seen.insert(path.to_owned(), Seen::from(&metadata));
}

impl From<&Metadata> for Seen {
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

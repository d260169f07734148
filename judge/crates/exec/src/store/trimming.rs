//! Trimming: keeps the store below a size, and removes entries that are no longer used.
//!
//! Responsible for choosing the entries to remove: the least recently used ones. Must not know what
//! they contain.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use judge_files::regular_file;

/// The precision with which use is recorded, so that a run with only cached results writes nothing.
const USE_PRECISION: Duration = Duration::from_secs(24 * 60 * 60);
/// The age at which an unused entry is removed, even if there is space.
const REMOVED_AFTER: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// Records the use of a file in its time of modification.
pub(crate) fn note_use(path: &Path) {
    let Ok(modified) = fs::symlink_metadata(path).and_then(|metadata| metadata.modified()) else {
        return;
    };
    let now = SystemTime::now();
    if now
        .duration_since(modified)
        .is_ok_and(|since| since > USE_PRECISION)
    {
        // If this fails, the file may be removed too early.
        // A descriptor for reading is enough: setting a time needs ownership of the file, not write
        // access (utimensat(2)).
        let _ = regular_file::open_own(path).and_then(|file| file.set_modified(now));
    }
}

/// Removes the least recently used files below a directory of directories, once they have more than
/// `max_bytes` bytes, until three quarters of that are left. Files that were not used for half a
/// year are removed in any case.
pub(crate) fn trim_files(directory: &Path, max_bytes: u64) {
    trim_entries(directory, max_bytes, &|_| None, &remove_file);
}

/// Trims the files of one directory in the same way.
pub(crate) fn trim_flat(directory: &Path, max_bytes: u64) {
    trim(|| below(directory), max_bytes, &|_| None, &remove_file);
}

/// Trims directories in the same way. `size` returns the known size of one, otherwise the size of
/// its contents counts, and `remove` removes it. The time of its last use is that of its
/// `manifest.json`.
pub(crate) fn trim_entries(
    directory: &Path,
    max_bytes: u64,
    size: &dyn Fn(&Path) -> Option<u64>,
    remove: &dyn Fn(&Path),
) {
    trim(
        || groups(directory).flat_map(|group| below(&group)),
        max_bytes,
        size,
        remove,
    );
}

fn remove_file(path: &Path) {
    // Another process may have removed it.
    let _ = fs::remove_file(path);
}

/// The entries of a directory. A link to a directory has none: a cache that a repository brings
/// could name any directory of the user in this way, and listed entries are removed when they are
/// old.
pub(crate) fn below(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let is_directory = fs::symlink_metadata(directory).is_ok_and(|metadata| metadata.is_dir());
    let entries = is_directory.then(|| fs::read_dir(directory).ok()).flatten();
    entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
}

/// Returns the directories over which entries are distributed, by the first two digits of their
/// names.
fn groups(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let is_group =
        |name: &OsStr| name.len() == 2 && name.as_encoded_bytes().iter().all(u8::is_ascii_hexdigit);
    below(directory).filter(move |path| path.file_name().is_some_and(is_group))
}

/// Trims what `places` lists. It is listed twice, once for the sizes and once for the removal: the
/// names of a million entries would take hundreds of mebibytes.
fn trim<Places: Iterator<Item = PathBuf>>(
    places: impl Fn() -> Places,
    max_bytes: u64,
    size: &dyn Fn(&Path) -> Option<u64>,
    remove: &dyn Fn(&Path),
) {
    let measure = |entry: &Path| {
        Some((
            second_of_use(entry)?,
            size(entry).unwrap_or_else(|| size_of(entry)),
        ))
    };
    let mut bytes_of_second = BTreeMap::new();
    for (second, size) in places().filter_map(|entry| measure(&entry)) {
        *bytes_of_second.entry(second).or_insert(0) += size;
    }
    let Some(cut) = Cut::new(&bytes_of_second, max_bytes) else {
        return;
    };
    let mut left_at_last = cut.bytes_of_last;
    for entry in places() {
        // Another process may have removed the entry since it was listed.
        let Some((second, size)) = measure(&entry) else {
            continue;
        };
        // Of the entries that were last used in the same second, any may be removed, but only as
        // many as necessary.
        let is_of_last = second == cut.last && left_at_last > 0;
        if second < cut.last || is_of_last {
            if is_of_last {
                left_at_last = left_at_last.saturating_sub(size);
            }
            tracing::debug!(target: "cache", ?entry, size, max_bytes, "trimmed");
            remove(&entry);
        }
    }
}

/// The second in which an entry was last used, since 1970.
fn second_of_use(entry: &Path) -> Option<u64> {
    // The time of the directory itself changes only when a name in it does, and never by use.
    let used =
        fs::symlink_metadata(entry.join("manifest.json")).or_else(|_| fs::symlink_metadata(entry));
    let used = used.and_then(|metadata| metadata.modified()).ok()?;
    Some(
        used.duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs(),
    )
}

/// The entries to remove: all that were last used before a second, and some of that second.
struct Cut {
    last: u64,
    /// The bytes to remove of the entries of this second; more by a part of one entry.
    bytes_of_last: u64,
}

impl Cut {
    /// Returns the cut that leaves three quarters of `max_bytes`, if there is more than
    /// `max_bytes`, and removes all entries that were unused for too long. `None` when nothing is
    /// to be removed.
    fn new(bytes_of_second: &BTreeMap<u64, u64>, max_bytes: u64) -> Option<Self> {
        let total: u64 = bytes_of_second.values().sum();
        // A quarter more than is needed, so that the next runs do not trim again after every
        // program.
        let mut surplus = if total > max_bytes {
            total - max_bytes / 4 * 3
        } else {
            0
        };
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let forgotten = now.saturating_sub(REMOVED_AFTER).as_secs();
        let mut cut = None;
        for (&second, &bytes) in bytes_of_second {
            if second >= forgotten && surplus == 0 {
                break;
            }
            let bytes_of_last = if second < forgotten {
                // At least 1: with 0, nothing of this second would be removed although all of it is
                // too old.
                bytes.max(1)
            } else {
                surplus.min(bytes)
            };
            cut = Some(Self {
                last: second,
                bytes_of_last,
            });
            surplus = surplus.saturating_sub(bytes);
        }
        cut
    }
}

/// Bytes of a file, or of all files in a directory.
fn size_of(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return 0;
    };
    if !metadata.is_dir() {
        // Holes take no space. Small files may take no blocks at all.
        return metadata.len().min(metadata.blocks() * 512 + 4096);
    }
    below(path).map(|entry| size_of(&entry)).sum()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn entry(directory: &Path, name: &str, size: usize, days: u64) {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, vec![0; size]).unwrap();
        let then = SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60);
        File::options()
            .append(true)
            .open(&path)
            .unwrap()
            .set_modified(then)
            .unwrap();
    }

    #[test]
    fn files_behind_links_are_not_removed() {
        let dir = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        for name in ["old", "ab/old"] {
            entry(outside.path(), name, 100, 400);
        }
        for name in ["aa", "files"] {
            std::os::unix::fs::symlink(outside.path(), dir.path().join(name)).unwrap();
        }
        trim_files(dir.path(), 0);
        trim_files(&dir.path().join("files"), 0);
        trim_flat(&dir.path().join("files"), 0);
        trim_entries(dir.path(), 0, &|_| None, &|path| {
            fs::remove_dir_all(path).unwrap();
        });
        assert!(outside.path().join("old").exists() && outside.path().join("ab/old").exists());
    }

    #[test]
    fn holes_do_not_count() {
        let dir = tempfile::tempdir().unwrap();
        entry(dir.path(), "aa/new", 100, 1);
        entry(dir.path(), "ab/sparse", 100, 0);
        File::options()
            .append(true)
            .open(dir.path().join("ab/sparse"))
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
        trim_files(dir.path(), 1 << 20);
        assert!(dir.path().join("aa/new").exists());
    }

    #[test]
    fn entries_unused_for_longest_are_removed_first() {
        let dir = tempfile::tempdir().unwrap();
        let is_there = |name: &str| dir.path().join(name).exists();
        for (name, days) in [("aa/new", 1), ("ab/old", 3), ("aa/middle", 2)] {
            entry(dir.path(), name, 100, days);
        }
        trim_files(dir.path(), 300);
        assert!(
            is_there("aa/new") && is_there("aa/middle") && is_there("ab/old"),
            "there is space"
        );
        trim_files(dir.path(), 299);
        assert!(is_there("aa/new") && is_there("aa/middle") && !is_there("ab/old"));
        // Use makes it young again.
        note_use(&dir.path().join("aa/middle"));
        trim_files(dir.path(), 199);
        assert!(is_there("aa/middle") && !is_there("aa/new"));
        trim_files(&dir.path().join("nothing"), 0);
    }

    #[test]
    fn entries_with_the_same_timestamp_are_removed_only_as_needed() {
        let dir = tempfile::tempdir().unwrap();
        let left = || groups(dir.path()).flat_map(|group| below(&group)).count();
        (0..9).for_each(|number| entry(dir.path(), &format!("aa/{number}"), 100, 1));
        trim_files(dir.path(), 900);
        assert_eq!(left(), 9);
        trim_files(dir.path(), 800);
        assert_eq!(left(), 6);
        trim_files(dir.path(), 0);
        assert_eq!(left(), 0);
    }

    #[test]
    fn unused_entries_are_removed_after_half_a_year() {
        let dir = tempfile::tempdir().unwrap();
        entry(dir.path(), "one", 1, 181);
        entry(dir.path(), "other", 1, 179);
        trim_flat(dir.path(), 1 << 20);
        assert!(!dir.path().join("one").exists() && dir.path().join("other").exists());
    }

    #[test]
    fn directories_are_dated_by_their_manifest() {
        let dir = tempfile::tempdir().unwrap();
        for (name, days) in [("aa/one", 3), ("aa/two", 2)] {
            entry(dir.path(), &format!("{name}/manifest.json"), 10, days);
            entry(dir.path(), &format!("{name}/files/program"), 90, 0);
        }
        let remove = |path: &Path| fs::remove_dir_all(path).unwrap();
        trim_entries(dir.path(), 200, &|_| None, &remove);
        assert!(dir.path().join("aa/one").exists());
        trim_entries(dir.path(), 199, &|_| None, &remove);
        assert!(
            !dir.path().join("aa/one").exists() && dir.path().join("aa/two/files/program").exists()
        );
        // A size that is known is not looked up.
        trim_entries(dir.path(), 199, &|_| Some(200), &remove);
        assert!(!dir.path().join("aa/two").exists());
    }
}

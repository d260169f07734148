//! Small files and lines with a checksum that detects damage.
//!
//! Responsible for putting a sum before bytes and for reading them again. Must not know what the
//! bytes are.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use judge_files::{ReplacementOptions, regular_file};

use crate::store::staging::{lock_of_dead_process, remove_tree};
use crate::store::trimming::below;

/// The size of the largest file that is read, in bytes. A larger one is damaged.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// Hexadecimal digits of the sum at the start.
const DIGITS: usize = 16;

/// Returns the bytes after their sum and a space.
pub(crate) fn with_sum(bytes: &[u8]) -> Vec<u8> {
    let mut text = format!("{:016x} ", sum(bytes)).into_bytes();
    text.extend_from_slice(bytes);
    text
}

/// Returns the bytes after a sum; `None` when they are damaged.
pub(crate) fn checked(text: &[u8]) -> Option<&[u8]> {
    // The byte between sum and content is not checked: damage to it changes nothing.
    let (expected, bytes) = (text.get(..DIGITS)?, text.get(DIGITS + 1..)?);
    let expected = u64::from_str_radix(std::str::from_utf8(expected).ok()?, 16).ok()?;
    (expected == sum(bytes)).then_some(bytes)
}

/// Returns bytes, such as those of a digest, in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A sum that shows damage (FNV-1a, 64 bits). It need not resist an attacker, who could write a
/// correct sum to the cache as well.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the bytes of a file that [`replace`] has written; `None` when it is missing or damaged.
pub(crate) fn read_kept(path: &Path) -> Option<Vec<u8>> {
    checked(&regular_file::read_own(path, MAX_FILE_BYTES).ok()?).map(<[u8]>::to_vec)
}

/// Replaces a file atomically: a reader sees the old one or the new one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("/"));
    // Results and messages of validators may quote secret data.
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(parent)?;
    let replace = || {
        judge_files::replace(
            path,
            &with_sum(bytes),
            ReplacementOptions {
                mode: 0o600,
                ..ReplacementOptions::default()
            },
        )
    };
    replace().or_else(|error| {
        if error.kind() != io::ErrorKind::IsADirectory {
            return Err(error);
        }
        // A directory in its place is damage, and the only kind that rename(2) does not replace.
        remove_tree(path)?;
        replace()
    })
}

/// Removes temporary files of dead processes from a directory: their names end with a number
/// ([`judge_files::Replacement`]), and no process holds their locks.
pub(crate) fn sweep(directory: &Path) {
    let ends_with_number = |path: &PathBuf| {
        path.extension()
            .is_some_and(|number| number.as_encoded_bytes().iter().all(u8::is_ascii_digit))
    };
    for path in below(directory).filter(ends_with_number) {
        // The lock is held until the file is removed: a process that has just created it could
        // otherwise lock it and use it meanwhile.
        let Some(_lock) = lock_of_dead_process(&path) else {
            continue;
        };
        let _ = fs::remove_file(&path);
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn changed_and_truncated_files_are_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("kept");
        assert_eq!(read_kept(&file), None);
        replace(&file, b"[1,2]").unwrap();
        assert_eq!(read_kept(&file), Some(b"[1,2]".to_vec()));
        let whole = fs::read(&file).unwrap();
        for place in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[place] ^= 2;
            assert!(place == 16 || checked(&flipped).is_none(), "{place}");
            assert_eq!(checked(&whole[..place]), None, "{place}");
        }
    }

    #[test]
    fn files_being_written_are_not_swept() {
        let dir = tempfile::tempdir().unwrap();
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    sweep(dir.path());
                }
            });
            let failed = (0..2000)
                .filter(|_| replace(&dir.path().join("kept"), b"[1,2]").is_err())
                .count();
            is_done.store(true, Ordering::Relaxed);
            assert_eq!(failed, 0);
        });
    }

    #[test]
    fn only_files_of_dead_processes_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        let [dead, alive, kept] = ["a.123", "b.456", "c"].map(|name| dir.path().join(name));
        [&dead, &alive, &kept]
            .iter()
            .for_each(|path| fs::write(path, "x").unwrap());
        let writer = File::open(&alive).unwrap();
        writer.try_lock().unwrap();
        sweep(dir.path());
        assert!(!dead.exists() && alive.exists() && kept.exists());
    }
}

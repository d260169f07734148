//! Fingerprints: metadata that show whether a file has changed since it was read.
//!
//! Responsible for storing the hashes of files, so that unchanged files are not read again. Must
//! not know what the files are.
//!
//! A file can be written twice within the same tick of the clock that file systems use. So a file
//! that was changed shortly before it was read is read again next time, as Git does it.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::regular_file;
use crate::store::checksum::{hex, read_kept, replace};

/// The age below which a change may be followed by another one with the same metadata.
const YOUNG: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 2 });

/// The fingerprint of a file, which changes with it. The time of the last change of the inode
/// (`ctime`) is in it because it cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    size: u64,
    modified_ns: i128,
    changed_ns: i128,
    inode: u64,
    device: u64,
}

impl Fingerprint {
    /// Reads the fingerprint of the file at a path; links are followed.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|metadata| Self::from(&metadata))
    }

    /// True for a settled fingerprint: every later change of the file shows in it.
    fn is_settled(&self, now: SystemTime) -> bool {
        let now = now
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        let youngest = self.modified_ns.max(self.changed_ns);
        i128::try_from(now.saturating_sub(YOUNG.as_nanos())).is_ok_and(|then| youngest < then)
    }
}

impl From<&Metadata> for Fingerprint {
    fn from(metadata: &Metadata) -> Self {
        let ns = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Self {
            size: metadata.size(),
            modified_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
            changed_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
            device: metadata.dev(),
        }
    }
}

/// A file as it was when it was hashed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HashedFile {
    /// SHA-256 of its content, in hexadecimal.
    pub(crate) hash: String,
    fingerprint: Fingerprint,
    /// True when every later change shows in the fingerprint.
    settled: bool,
}

impl HashedFile {
    /// Reads a file.
    fn read(path: &Path) -> io::Result<Self> {
        let now = SystemTime::now();
        // The time is taken before the file is opened, so that a change while it is read is
        // younger.
        let mut file = regular_file::open(path)?;
        let fingerprint = Fingerprint::from(&file.metadata()?);
        let mut digest = Sha256::new();
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            digest.update(&buffer[..read]);
        }
        // A file that changed while it was read has no settled hash.
        let settled = fingerprint.is_settled(now) && Fingerprint::read(path)? == fingerprint;
        Ok(Self {
            hash: hex(&digest.finalize()),
            fingerprint,
            settled,
        })
    }

    /// True while the hash still holds: the file is the same.
    pub(crate) fn still_holds(&self, path: &Path) -> bool {
        // Metadata alone prove a change but not its absence, unless the hash is settled.
        let unchanged = Fingerprint::read(path).is_ok_and(|now| now == self.fingerprint);
        unchanged && (self.settled || Self::read(path).is_ok_and(|now| now.hash == self.hash))
    }
}

/// The hashes of some files, stored in a separate file.
#[derive(Debug, Default)]
pub(crate) struct FileHashes {
    known: BTreeMap<String, HashedFile>,
    changed: bool,
}

impl FileHashes {
    /// Loads the hashes that are stored at a path; empty when it cannot be read.
    pub(crate) fn load(path: &Path) -> Self {
        let known = read_kept(path)
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Self {
            known,
            changed: false,
        }
    }

    /// Returns the current hash of a file. The file is read only if it has changed since, or may
    /// have.
    pub(crate) fn hash(&mut self, path: &Path) -> io::Result<HashedFile> {
        let name = path.to_str();
        let known = name.and_then(|name| self.known.get(name));
        if let Some(known) = known
            && known.settled
            && Fingerprint::read(path)? == known.fingerprint
        {
            return Ok(known.clone());
        }
        let read = HashedFile::read(path)?;
        // A hash that may not hold is not kept: to verify it, the file would have to be read, and
        // the index exists to avoid that.
        if let Some(name) = name.filter(|_| read.settled) {
            self.known.insert(name.to_owned(), read.clone());
            self.changed = true;
        }
        Ok(read)
    }

    /// Stores the hashes of these files at a path, unless none of them changed. If this fails, the
    /// files are read again next time.
    pub(crate) fn save(&self, path: &Path, is_kept: impl Fn(&Path) -> bool) {
        if !self.changed {
            return;
        }
        let is_kept = |(name, _): &(&String, &HashedFile)| is_kept(Path::new(name));
        let kept: BTreeMap<&String, &HashedFile> = self.known.iter().filter(is_kept).collect();
        let bytes = serde_json::to_vec(&kept).expect("a table of names has string keys");
        let _ = replace(path, &bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;
    use crate::store::checksum::with_sum;

    /// Lets the file be old enough to be trusted.
    fn settle(path: &Path) {
        while !Fingerprint::read(path)
            .unwrap()
            .is_settled(SystemTime::now())
        {
            sleep(Duration::from_millis(50));
        }
    }

    #[test]
    fn unchanged_files_are_not_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let (file, index) = (dir.path().join("1.in"), dir.path().join("index"));
        fs::write(&file, "one").unwrap();
        settle(&file);
        let mut hashes = FileHashes::default();
        let read = hashes.hash(&file).unwrap();
        hashes.save(&index, |_| true);

        let mut again = FileHashes::load(&index);
        assert_eq!(again.hash(&file).unwrap(), read);
        assert!(!again.changed, "nothing was read");
        fs::write(&file, "two").unwrap();
        assert_ne!(again.hash(&file).unwrap().hash, read.hash);
        assert!(!read.still_holds(&file));
        // The same size, and the time of the last change is restored.
        let before = fs::metadata(&file).unwrap().modified().unwrap();
        settle(&file);
        let settled = again.hash(&file).unwrap();
        fs::write(&file, "six").unwrap();
        fs::File::options()
            .write(true)
            .open(&file)
            .unwrap()
            .set_modified(before)
            .unwrap();
        assert_ne!(again.hash(&file).unwrap().hash, settled.hash);
    }

    #[test]
    fn recently_changed_files_are_read_again_each_time() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("1.in");
        fs::write(&file, "one").unwrap();
        let mut hashes = FileHashes::default();
        let read = hashes.hash(&file).unwrap();
        assert!(!read.settled && !hashes.changed);
        assert!(read.still_holds(&file));
        // The fingerprint does not help here, as if both changes fell into one tick.
        fs::write(&file, "two").unwrap();
        let same_tick = HashedFile {
            fingerprint: Fingerprint::read(&file).unwrap(),
            ..read
        };
        assert!(!same_tick.still_holds(&file));
    }

    #[test]
    fn damaged_indexes_are_empty() {
        let dir = tempfile::tempdir().unwrap();
        let index = dir.path().join("index");
        for damaged in ["", "{", "[1]", "{\"a\":{\"hash\":1}}"] {
            for text in [damaged.as_bytes().to_vec(), with_sum(damaged.as_bytes())] {
                fs::write(&index, text).unwrap();
                assert!(FileHashes::load(&index).known.is_empty(), "{damaged}");
            }
        }
    }
}

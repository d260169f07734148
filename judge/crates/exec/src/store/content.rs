//! The content of a stored program: checks that its files are still those that were stored.
//!
//! Responsible for detecting damage. Each process reads files once before their first use, since a
//! disk error does not change metadata, and again whenever their metadata change. Must not know how
//! a program is compiled again.

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use judge_files::regular_file;
use sha2::{Digest, Sha256};

use crate::lock;
use crate::store::checksum::hex;
use crate::store::fingerprint::Fingerprint;

/// The files of a program, with the digest that they had when they were stored.
#[derive(Debug)]
pub(crate) struct Content {
    files: PathBuf,
    digest: String,
    /// Bytes of all files when they were stored.
    bytes: u64,
    /// The metadata of the files when they were last read and found undamaged.
    verified: Mutex<Option<Vec<(PathBuf, Fingerprint)>>>,
}

/// The content of a directory when it was read.
pub(crate) struct Inventory {
    /// SHA-256 of names, kinds and contents, in hexadecimal.
    pub(crate) digest: String,
    /// Bytes of all files.
    pub(crate) bytes: u64,
    fingerprints: Vec<(PathBuf, Fingerprint)>,
}

impl Content {
    /// The content of a directory that had this digest and this size when it was stored.
    pub(crate) fn new(files: PathBuf, digest: String, bytes: u64) -> Self {
        Self {
            files,
            digest,
            bytes,
            verified: Mutex::default(),
        }
    }

    /// The content of a directory that was read as `staged` and then moved to `files`.
    pub(crate) fn verified(staged: &Path, files: PathBuf, found: Inventory) -> Self {
        let moved = |(path, fingerprint): (PathBuf, Fingerprint)| {
            let below = path.strip_prefix(staged).ok()?;
            // Joining an empty path would append a slash, which follows a link.
            let path = if below.as_os_str().is_empty() {
                files.clone()
            } else {
                files.join(below)
            };
            Some((path, fingerprint))
        };
        let fingerprints = found.fingerprints.into_iter().map(moved).collect();
        Self {
            digest: found.digest,
            bytes: found.bytes,
            verified: Mutex::new(fingerprints),
            files,
        }
    }

    /// The digest that the files had when they were stored.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// True once this process has read the files and found them undamaged. They may have changed
    /// since.
    pub(crate) fn was_verified(&self) -> bool {
        lock(&self.verified).is_some()
    }

    /// True when the files are those that were stored. They are read unless their metadata are as
    /// when they were last read.
    pub(crate) fn holds(&self) -> bool {
        let mut verified = lock(&self.verified);
        let unchanged = |(path, then): &(PathBuf, Fingerprint)| {
            fs::symlink_metadata(path).is_ok_and(|now| Fingerprint::from(&now) == *then)
        };
        if verified
            .as_ref()
            .is_some_and(|verified| verified.iter().all(unchanged))
        {
            return true;
        }
        // Under the lock: of several workers with the same program, one reads it and the others
        // wait for its answer. A program that was found damaged no longer counts as verified.
        *verified = inventory(&self.files, self.bytes)
            .ok()
            .filter(|found| found.digest == self.digest)
            .map(|found| found.fingerprints);
        verified.is_some()
    }
}

/// Reads everything below a directory, whose files together have at most this many bytes.
pub(crate) fn inventory(directory: &Path, max_bytes: u64) -> io::Result<Inventory> {
    let mut reading = Reading {
        sum: Sha256::new(),
        bytes: 0,
        max_bytes,
        fingerprints: Vec::new(),
        buffer: vec![0; 64 << 10],
    };
    reading.directory(directory)?;
    Ok(Inventory {
        digest: hex(&reading.sum.finalize()),
        bytes: reading.bytes,
        fingerprints: reading.fingerprints,
    })
}

struct Reading {
    sum: Sha256,
    bytes: u64,
    max_bytes: u64,
    fingerprints: Vec<(PathBuf, Fingerprint)>,
    buffer: Vec<u8>,
}

impl Reading {
    fn directory(&mut self, directory: &Path) -> io::Result<()> {
        // Metadata are taken before content is read, so that every change meanwhile shows the next
        // time.
        self.fingerprints.push((
            directory.to_owned(),
            Fingerprint::from(&fs::symlink_metadata(directory)?),
        ));
        let mut names = fs::read_dir(directory)?
            .map(|entry| entry.map(|entry| entry.file_name()))
            .collect::<io::Result<Vec<_>>>()?;
        // The order in which a file system lists names is arbitrary, and a copy of the same files
        // may have another one.
        names.sort();
        self.sum.update((names.len() as u64).to_le_bytes());
        for name in names {
            // Names and lengths are part of the digest, so that no byte can move from one file to
            // the next unseen.
            self.part(name.as_bytes());
            let path = directory.join(name);
            let metadata = fs::symlink_metadata(&path)?;
            if metadata.is_dir() {
                self.sum.update(b"d");
                self.directory(&path)?;
            } else if metadata.is_file() {
                self.file(path, &metadata)?;
            } else {
                return Err(io::Error::other("neither a file nor a directory"));
            }
        }
        Ok(())
    }

    fn file(&mut self, path: PathBuf, metadata: &Metadata) -> io::Result<()> {
        // Only the permission to execute a file counts. Other permissions are set by the store
        // itself.
        self.sum.update(if metadata.mode() & 0o111 == 0 {
            b"f"
        } else {
            b"x"
        });
        self.sum.update(metadata.len().to_le_bytes());
        // A file that has grown, for example to terabytes of holes, is not read to its end to
        // detect that.
        if metadata.len() > self.max_bytes.saturating_sub(self.bytes) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        // If the file grows meanwhile, only the stated length is read. The fingerprint is that of
        // the old metadata, so the next use reads the file again.
        let mut file = regular_file::open_own(&path)?.take(metadata.len());
        self.fingerprints.push((path, Fingerprint::from(metadata)));
        loop {
            let read = file.read(&mut self.buffer)?;
            if read == 0 {
                return Ok(());
            }
            self.bytes += read as u64;
            self.sum.update(&self.buffer[..read]);
        }
    }

    fn part(&mut self, bytes: &[u8]) {
        self.sum.update((bytes.len() as u64).to_le_bytes());
        self.sum.update(bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    type Damage = fn(&Path);

    fn stored() -> (tempfile::TempDir, Content) {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("program"), [7; 100_000]).unwrap();
        fs::write(dir.path().join("sub/data"), "x").unwrap();
        let Inventory { digest, bytes, .. } = inventory(dir.path(), u64::MAX).unwrap();
        let content = Content::new(dir.path().to_owned(), digest, bytes);
        (dir, content)
    }

    #[test]
    fn moved_files_are_not_read_again_but_damage_is_detected() {
        let (dir, _) = stored();
        let (stage, entry) = (dir.path().join("sub"), dir.path().join("entry"));
        let (staged, files) = (stage.join("files"), entry.join("files"));
        fs::create_dir_all(staged.join("below")).unwrap();
        fs::write(staged.join("below/program"), "y").unwrap();
        let found = inventory(&staged, u64::MAX).unwrap();
        fs::rename(&stage, &entry).unwrap();
        let content = Content::verified(&staged, files.clone(), found);
        assert!(content.was_verified());
        let recorded = lock(&content.verified).clone().unwrap();
        assert!(recorded.iter().all(|(path, then)| {
            path.starts_with(&files)
                && Fingerprint::from(&fs::symlink_metadata(path).unwrap()) == *then
        }));
        assert_eq!(recorded.len(), 3);
        assert!(content.holds());
        fs::write(files.join("below/program"), "yz").unwrap();
        assert!(!content.holds());
    }

    #[test]
    fn damaged_files_are_detected_and_repaired_ones_are_valid() {
        let damages: [(&str, Damage); 11] = [
            ("a flipped bit", |dir| {
                let mut bytes = fs::read(dir.join("program")).unwrap();
                bytes[54_321] ^= 1;
                fs::write(dir.join("program"), bytes).unwrap();
            }),
            ("cut", |dir| {
                fs::write(dir.join("program"), [7; 99_999]).unwrap();
            }),
            ("longer", |dir| {
                fs::write(dir.join("program"), [7; 100_001]).unwrap();
            }),
            ("terabytes of holes", |dir| {
                fs::File::create(dir.join("program"))
                    .unwrap()
                    .set_len(4 << 40)
                    .unwrap();
            }),
            ("a pipe", |dir| {
                fs::remove_file(dir.join("program")).unwrap();
                let mode = rustix::fs::Mode::RUSR;
                rustix::fs::mkfifoat(rustix::fs::CWD, dir.join("program"), mode).unwrap();
            }),
            ("a link", |dir| {
                fs::remove_file(dir.join("program")).unwrap();
                std::os::unix::fs::symlink("/dev/zero", dir.join("program")).unwrap();
            }),
            ("removed", |dir| {
                fs::remove_file(dir.join("program")).unwrap();
            }),
            ("empty", |dir| fs::write(dir.join("sub/data"), "").unwrap()),
            ("one more", |dir| {
                fs::write(dir.join("sub/more"), "").unwrap();
            }),
            ("renamed", |dir| {
                fs::rename(dir.join("sub/data"), dir.join("sub/date")).unwrap();
            }),
            ("executable", |dir| {
                fs::set_permissions(dir.join("program"), Permissions::from_mode(0o755)).unwrap();
            }),
        ];
        for (what, damage) in damages {
            // Once for a new process, and once for one that has read it before.
            let (dir, content) = stored();
            damage(dir.path());
            assert!(!content.holds() && !content.was_verified(), "{what}");
            let (dir, content) = stored();
            assert!(content.holds() && content.was_verified(), "{what}");
            damage(dir.path());
            assert!(!content.holds(), "{what}");
        }
        let (dir, content) = stored();
        assert!(content.holds());
        fs::write(dir.path().join("program"), "").unwrap();
        assert!(!content.holds());
        fs::write(dir.path().join("program"), [7; 100_000]).unwrap();
        assert!(content.holds());
    }

    #[test]
    fn verified_files_are_read_again_when_their_metadata_change() {
        let (dir, content) = stored();
        assert!(content.holds());
        // Different content under the same metadata cannot be made here, so a different digest
        // stands for it.
        let other = Content {
            digest: "other".to_owned(),
            ..content
        };
        assert!(other.holds(), "nothing was read");
        fs::set_permissions(dir.path().join("program"), Permissions::from_mode(0o600)).unwrap();
        assert!(!other.holds());
    }
}

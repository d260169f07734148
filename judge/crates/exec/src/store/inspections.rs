//! Cached inspections: the replies of validators about a package, while none of its files has
//! changed.
//!
//! Responsible for the key and for the files that hold them: one for each package and kind of
//! inspection, which is replaced. Must not know what an inspection is.
//!
//! Layout: `inspections/<key of package and kind>` holds the key of the content and a document; the
//! hashes of the package's files are those of its results (`files/<key of package>`).

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::store::checksum::{read_kept, replace};
use crate::store::fingerprint::{FileHashes, HashedFile};
use crate::store::programs::{Key, KeyBuilder};
use crate::store::settings::StoreSettings;
use crate::store::trimming::{note_use, trim_flat};

/// The maximum depth of a package's directories. Links that lead upwards would never end.
const MAX_DEPTH: usize = 32;
/// The size that all of them together may reach, in bytes.
const MAX_TOTAL_BYTES: u64 = 64 << 20;
/// The parts of a package that validators do not read, so they may change.
const LEFT_OUT: [&str; 4] = ["submissions", "generators", "solution", "attachments"];

/// An inspection of a package as it is now, which may have been made before.
#[derive(Debug)]
pub struct CachedInspection {
    path: PathBuf,
    key: Key,
    files: Vec<(PathBuf, HashedFile)>,
    ignore_existing: bool,
}

#[derive(Serialize, Deserialize)]
struct StoredInspection<T> {
    key: String,
    found: T,
}

impl StoreSettings {
    /// Returns the inspection of a package. `kind` distinguishes separate inspections of one
    /// package. `circumstances` is everything else that the findings depend on, besides the files
    /// of the package and the programs in `also`, which validators do not read. `None` when a file
    /// cannot be read: then nothing is cached.
    #[must_use]
    pub fn inspection(
        &self,
        package: &Path,
        kind: &str,
        circumstances: &str,
        also: &[&Path],
    ) -> Option<CachedInspection> {
        let package = package.canonicalize().ok()?;
        let index = self.hashes_path(&package);
        let mut hashes = FileHashes::load(&index);
        let mut found = Vec::new();
        let is_left_out = |name: &OsStr, depth: usize| {
            depth == 0 && LEFT_OUT.iter().any(|left_out| name == *left_out)
                || name.as_encoded_bytes().starts_with(b".")
        };
        files_below(&package, 0, &is_left_out, &mut found).ok()?;
        for program in also {
            match fs::metadata(program).ok()? {
                metadata if metadata.is_dir() => {
                    files_below(program, 0, &|_, _| false, &mut found).ok()?;
                }
                metadata => found.push(((*program).to_owned(), metadata.permissions().mode())),
            }
        }
        let mut key = KeyBuilder::default();
        // Another version of this program may find other things in the same files.
        key.part(self.judge().as_bytes());
        key.part(circumstances.as_bytes());
        let mut files = Vec::with_capacity(found.len());
        for (path, mode) in found {
            let file = hashes.hash(&path).ok()?;
            key.part(path.as_os_str().as_encoded_bytes());
            // A script of a package must be executable, so permissions decide about findings
            // as well.
            key.part(&mode.to_le_bytes());
            key.part(file.hash.as_bytes());
            files.push((path, file));
        }
        hashes.save(&index, |path| path.starts_with(&package) && path.exists());
        let mut name = KeyBuilder::default();
        name.part(package.as_os_str().as_encoded_bytes());
        name.part(kind.as_bytes());
        let path = self
            .directory
            .join("inspections")
            .join(name.finish().name());
        Some(CachedInspection {
            path,
            key: key.finish(),
            files,
            ignore_existing: self.ignore_existing,
        })
    }
}

impl CachedInspection {
    /// The findings of an earlier inspection of the same package under the same circumstances.
    #[must_use]
    pub fn found<T: DeserializeOwned>(&self) -> Option<T> {
        // There is one file for each package: its key identifies the content, and older inspections
        // are not needed.
        let stored = read_kept(&self.path).filter(|_| !self.ignore_existing);
        let stored: Option<StoredInspection<T>> =
            stored.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let stored = stored.filter(|stored| stored.key == self.key.name());
        tracing::debug!(target: "cache", path = ?self.path, hit = stored.is_some(), "inspection looked up");
        note_use(&self.path);
        stored.map(|stored| stored.found)
    }

    /// Keeps findings, unless a file has changed since the inspection began, or they cannot be
    /// written.
    pub fn keep<T: Serialize>(&self, found: T) {
        if !self.files.iter().all(|(path, file)| file.still_holds(path)) {
            tracing::debug!(target: "cache", path = ?self.path, "inspection not cached: a file has changed");
            return;
        }
        let stored = StoredInspection {
            key: self.key.name().to_owned(),
            found,
        };
        if let Ok(bytes) = serde_json::to_vec(&stored) {
            let written = replace(&self.path, &bytes);
            tracing::debug!(target: "cache", path = ?self.path, ?written, "inspection cached");
            trim_flat(self.path.parent().unwrap_or(&self.path), MAX_TOTAL_BYTES);
        }
    }
}

/// The files below a directory and their permissions, by path. Links are followed. `is_left_out` is
/// given each name and its depth.
pub(super) fn files_below(
    directory: &Path,
    depth: usize,
    is_left_out: &dyn Fn(&OsStr, usize) -> bool,
    found: &mut Vec<(PathBuf, u32)>,
) -> io::Result<()> {
    if depth > MAX_DEPTH {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut entries = fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        if is_left_out(&name, depth) {
            continue;
        }
        let path = entry.path();
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => files_below(&path, depth + 1, is_left_out, found)?,
            Ok(metadata) if metadata.is_file() => found.push((path, metadata.permissions().mode())),
            // Neither a file nor a directory: loading the package reports it.
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings_of(directory: &Path, ignore_existing: bool) -> StoreSettings {
        StoreSettings::new(
            directory.join("store"),
            &std::env::current_exe().unwrap(),
            String::new(),
            ignore_existing,
        )
        .unwrap()
    }

    #[test]
    fn inspections_are_reused_until_a_file_changes() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path().join("package");
        for (name, text) in [
            ("data/secret/1.in", "1\n"),
            ("input_validators/v.py", "pass\n"),
            ("submissions/a.c", ""),
        ] {
            let path = package.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let settings = settings_of(directory.path(), false);
        let inspection = |circumstances: &str| {
            settings
                .inspection(&package, "check", circumstances, &[])
                .unwrap()
        };
        let found = |circumstances: &str| inspection(circumstances).found::<Vec<u32>>();
        assert_eq!(found("full"), None);
        inspection("full").keep(vec![7, 8]);
        assert_eq!(found("full"), Some(vec![7, 8]));
        assert_eq!(found("namespaces"), None);
        fs::write(package.join("submissions/a.c"), "int main;").unwrap();
        assert_eq!(
            found("full"),
            Some(vec![7, 8]),
            "no validator sees a submission"
        );
        let submission = package.join("submissions/a.c");
        let with_submission = || {
            settings
                .inspection(&package, "tools", "full", &[&submission])
                .unwrap()
        };
        with_submission().keep(1_u32);
        assert_eq!(with_submission().found::<u32>(), Some(1));
        fs::write(&submission, "int main(void);").unwrap();
        assert_eq!(
            with_submission().found::<u32>(),
            None,
            "a testing tool runs it"
        );
        let ignore_existing = settings_of(directory.path(), true)
            .inspection(&package, "check", "full", &[])
            .unwrap();
        assert_eq!(ignore_existing.found::<Vec<u32>>(), None);
        let changes: [&dyn Fn(); 4] = [
            &|| fs::write(package.join("data/secret/1.in"), "2\n").unwrap(),
            &|| fs::write(package.join("data/secret/2.in"), "2\n").unwrap(),
            &|| {
                fs::rename(
                    package.join("data/secret/2.in"),
                    package.join("data/secret/3.in"),
                )
                .unwrap();
            },
            &|| {
                fs::set_permissions(
                    package.join("input_validators/v.py"),
                    fs::Permissions::from_mode(0o755),
                )
                .unwrap();
            },
        ];
        for change in changes {
            change();
            assert_eq!(found("full"), None);
            inspection("full").keep(vec![9_u32]);
            assert_eq!(found("full"), Some(vec![9]));
        }
    }

    #[test]
    fn inspections_are_not_cached_if_files_change_meanwhile() {
        let directory = tempfile::tempdir().unwrap();
        let package = directory.path().join("package");
        fs::create_dir_all(&package).unwrap();
        fs::write(package.join("problem.yaml"), "a").unwrap();
        let settings = settings_of(directory.path(), false);
        let begun = settings.inspection(&package, "check", "", &[]).unwrap();
        fs::write(package.join("problem.yaml"), "b").unwrap();
        begun.keep(1_u32);
        fs::write(package.join("problem.yaml"), "a").unwrap();
        assert_eq!(
            settings
                .inspection(&package, "check", "", &[])
                .unwrap()
                .found::<u32>(),
            None
        );
    }
}

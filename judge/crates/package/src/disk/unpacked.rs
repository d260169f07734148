//! Unpacked archives: their temporary directories, and their names.
//!
//! Responsible for their directories, which other users cannot read and which are removed at the
//! end. Must not know how an archive is read.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use judge_files::{LockedDirectory, TemporaryPurpose};

use crate::Finding;
use crate::disk::archive::{BOUNDS, UnpackError, unpack};
use crate::disk::names::archive_stem;

/// The archives that were unpacked so far, and those that cannot be unpacked. Dropping the last
/// clone removes the directories.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnpackedArchives(Arc<Mutex<Places>>);

#[derive(Debug, Default)]
struct Places {
    directories: Vec<UnpackedDirectory>,
    /// The faults of archives. Faults of the host are not stored, because they may be temporary.
    unsound: BTreeMap<PathBuf, Finding>,
}

#[derive(Debug)]
struct UnpackedDirectory {
    archive: PathBuf,
    package: PathBuf,
    /// Removes everything when it is dropped.
    _directory: LockedDirectory,
}

impl UnpackedArchives {
    /// Returns the directory of the package in an archive, which is unpacked at the first call. The
    /// directory is named like the archive, or as in the archive.
    ///
    /// # Errors
    /// The fault of the archive, or of this host, such as when a disk is full.
    pub(crate) fn package(&self, archive: &Path) -> Result<PathBuf, UnpackError> {
        // The entries are valid even after a panic: each is added in a single step.
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places
            .directories
            .iter()
            .find(|place| place.archive == archive)
        {
            return Ok(place.package.clone());
        }
        if let Some(error) = places.unsound.get(archive) {
            return Err(UnpackError::Unsound(error.clone()));
        }
        let unwritable = |cause: io::Error| UnpackError::Unwritable {
            path: std::env::temp_dir(),
            cause,
        };
        let directory =
            LockedDirectory::temporary(TemporaryPurpose::Package).map_err(unwritable)?;
        let root = directory
            .path()
            .canonicalize()
            .map_err(unwritable)?
            .join(archive_stem(archive));
        fs::create_dir(&root).map_err(unwritable)?;
        let unpacked = unpack(archive, &root, &BOUNDS);
        if let Err(UnpackError::Unsound(error)) = &unpacked {
            places.unsound.insert(archive.to_owned(), error.clone());
        }
        let package = unpacked?;
        let archive = archive.to_owned();
        places.directories.push(UnpackedDirectory {
            archive,
            package: package.clone(),
            _directory: directory,
        });
        Ok(package)
    }

    /// Returns the archive that contains a path, and the path in it; `None` for a path outside of
    /// archives.
    pub(crate) fn origin(&self, path: &Path) -> Option<(PathBuf, PathBuf)> {
        let places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = |place: &UnpackedDirectory| {
            Some((
                place.archive.clone(),
                path.strip_prefix(&place.package).ok()?.to_owned(),
            ))
        };
        places.directories.iter().find_map(found)
    }

    /// Returns the path to show to users: the archive of a package is shown as if it were a
    /// directory.
    pub(crate) fn known_as(&self, path: &Path) -> Option<PathBuf> {
        let (archive, inside) = self.origin(path)?;
        Some(if inside.as_os_str().is_empty() {
            archive
        } else {
            archive.join(inside)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_archive_is_opened_once() {
        let place = tempfile::tempdir().unwrap();
        let archive = place.path().join("sum.kpp");
        fs::write(&archive, "no archive").unwrap();
        let unpacked = UnpackedArchives::default();
        let first = unpacked.package(&archive).unwrap_err().to_string();
        fs::remove_file(&archive).unwrap();
        assert_eq!(
            unpacked.clone().package(&archive).unwrap_err().to_string(),
            first
        );
        assert_ne!(
            UnpackedArchives::default()
                .package(&archive)
                .unwrap_err()
                .to_string(),
            first
        );
    }
}

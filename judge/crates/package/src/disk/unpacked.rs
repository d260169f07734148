//! Unpacked archives: where they lie while they are needed, and what they are called.
//!
//! Responsible for their directories, which nobody else can look into and which are removed at the end. Must not know
//! how an archive is read.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::TempDir;

use crate::disk::archive::{BOUNDS, unpack};
use crate::error::PackageError;

/// The archives that were unpacked so far; their directories are removed with the last copy of this.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unpacked(Arc<Mutex<Vec<UnpackedDirectory>>>);

#[derive(Debug)]
struct UnpackedDirectory {
    archive: PathBuf,
    package: PathBuf,
    /// Removes everything when it is dropped.
    _directory: TempDir,
    /// Held as long as the directory is in use; see [`sweep`].
    _lock: File,
}

/// The beginning of the names of directories.
const PREFIX: &str = "judge-package-";

/// A directory with a lock that is held. Only its owner can look into it: test data of a coming contest is nobody
/// else's business.
fn private_directory() -> io::Result<(TempDir, File)> {
    loop {
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let lock = File::open(directory.path())?;
        // A sweeper may have come between the two calls.
        if lock.try_lock().is_ok() && directory.path().try_exists()? {
            return Ok((directory, lock));
        }
    }
}

/// Removes directories of archives that processes of this user left when they were killed: nobody holds their locks.
pub fn sweep() {
    let Ok(us) = fs::metadata("/proc/self").map(|metadata| metadata.uid()) else { return };
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        if !entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            continue;
        }
        let path = entry.path();
        let is_ours = fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir() && found.uid() == us);
        if is_ours && File::open(&path).is_ok_and(|directory| directory.try_lock().is_ok()) {
            // Directories that cannot be removed now are tried again at the next start.
            let _ = fs::remove_dir_all(&path);
        }
    }
}

impl Unpacked {
    /// The directory of the package in an archive, unpacked when it is first asked for. It is called like the archive,
    /// or as it is called in the archive.
    ///
    /// # Errors
    /// The fault of the archive.
    pub(crate) fn package(&self, archive: &Path) -> Result<PathBuf, PackageError> {
        // The places are sound even after a panic: they are only ever added whole.
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.iter().find(|place| place.archive == archive) {
            return Ok(place.package.clone());
        }
        let unreadable =
            |cause: io::Error| PackageError::invalid(archive, None, format!("cannot be unpacked: {cause}"));
        let (directory, lock) = private_directory().map_err(unreadable)?;
        let root = directory.path().canonicalize().map_err(unreadable)?.join(archive.file_stem().unwrap_or_default());
        fs::create_dir(&root).map_err(unreadable)?;
        let package = unpack(archive, &root, &BOUNDS)?;
        places.push(UnpackedDirectory {
            archive: archive.to_owned(),
            package: package.clone(),
            _directory: directory,
            _lock: lock,
        });
        Ok(package)
    }

    /// The archive in which a path lies, and the path in it; `None` for a path that lies in none.
    pub(crate) fn origin(&self, path: &Path) -> Option<(PathBuf, PathBuf)> {
        let places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = |place: &UnpackedDirectory| {
            Some((place.archive.clone(), path.strip_prefix(&place.package).ok()?.to_owned()))
        };
        places.iter().find_map(found)
    }

    /// A path as people know it: the archive of a package is shown as if it were a directory.
    pub(crate) fn known_as(&self, path: &Path) -> Option<PathBuf> {
        let (archive, inside) = self.origin(path)?;
        Some(if inside.as_os_str().is_empty() { archive } else { archive.join(inside) })
    }
}

//! The cache of imported packages, keyed by the contents of their sources.
//!
//! Responsible for adding complete packages and for removing unused ones. Must not know what they
//! are used for.

use std::fs::{self, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use judge_files::LockedDirectory;
use judge_package::is_package;

use super::{ImportedProblem, Source};
use crate::{InterchangeError, Result};

/// The time after which an unused package is removed.
const MAX_UNUSED: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The prefix of directories of packages that are being created.
const STAGED: &str = ".new-";

/// A directory of packages that are imported for direct use.
#[derive(Clone, Debug)]
pub struct ImportCache {
    directory: PathBuf,
}

/// The place of a package in the cache.
#[derive(Clone, Debug)]
pub struct CachedPlace {
    /// The directory of everything from one source.
    place: PathBuf,
    /// The package in it.
    pub package: PathBuf,
}

impl ImportCache {
    /// Creates a cache in a directory, which is created when it is first needed.
    #[must_use]
    pub fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Returns the place of a package from a source with this [digest](Source::digest).
    #[must_use]
    pub fn place(&self, digest: &str, imported: &ImportedProblem) -> CachedPlace {
        let place = self.directory.join(digest);
        CachedPlace {
            package: place.join(imported.name()),
            place,
        }
    }

    /// Adds a package unless it exists, and marks it as used. `complete` generates missing data
    /// before any other process sees the package.
    ///
    /// # Errors
    /// If the package cannot be written, or `complete` fails. No files are left behind.
    pub fn provide<E: From<InterchangeError>>(
        &self,
        location: &CachedPlace,
        imported: &ImportedProblem,
        complete: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<(), E> {
        // The place is named by the digest of the source, so an existing package has the right
        // content.
        if !is_package(&location.package) {
            self.create(&location.place, imported, complete)?;
        }
        // The modification time of its directory is the time of its last use.
        let _ = File::open(&location.place)
            .and_then(|directory| directory.set_modified(SystemTime::now()));
        self.remove_unused();
        Ok(())
    }

    fn create<E: From<InterchangeError>>(
        &self,
        place: &Path,
        imported: &ImportedProblem,
        complete: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<(), E> {
        let unwritable = InterchangeError::unwritable(place);
        // The test data may belong to a future contest, so no other user may read it.
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.directory)
            .map_err(&unwritable)?;
        LockedDirectory::sweep(&self.directory, STAGED);
        // The package is created in a staging directory, which is renamed when it is complete:
        // other processes see the whole package or none.
        let staged =
            LockedDirectory::new_in(&self.directory, STAGED, 0o700).map_err(&unwritable)?;
        let package = staged.path().join(imported.name());
        imported.write(&package, &|| false)?;
        complete(&package)?;
        // Another process may have been faster.
        staged.rename(place).or_else(|cause| {
            if place.is_dir() {
                Ok(())
            } else {
                Err(unwritable(cause).into())
            }
        })
    }

    /// Removes packages that have not been used for a long time.
    fn remove_unused(&self) {
        for entry in fs::read_dir(&self.directory)
            .into_iter()
            .flatten()
            .flatten()
        {
            // `provide` sets the modification time whenever the package is used.
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            if modified.is_ok_and(|used| used.elapsed().is_ok_and(|unused| unused > MAX_UNUSED)) {
                // A failed removal is tried again next time.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// Reads a problem whose format is recognised with certainty, with the digest of its source.
/// Returns `None` for everything else, such as a directory of inputs and outputs without programs.
///
/// # Errors
/// If its format is certain, but it cannot be imported; or if this host has no space to unpack it.
pub fn read_if_sure(path: &Path) -> Result<Option<(ImportedProblem, String)>> {
    let source = match Source::open(path, &|| false) {
        Ok(source) => source,
        Err(error @ InterchangeError::Unwritable { .. }) => return Err(error),
        Err(_) => return Ok(None),
    };
    let digest = source.digest()?;
    match ImportedProblem::read(source, None, None, &|| false) {
        Ok(imported) if imported.is_certain() => Ok(Some((imported, digest))),
        // Several problems in a directory are often packages, which are found by other means.
        Ok(_) | Err(InterchangeError::Unknown { .. } | InterchangeError::Several { .. }) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn packages_are_created_once_and_removed_when_unused() {
        let tree = Tree::with(&[
            (
                "sum/init.yml",
                "test_cases:\n- {in: 1.in, out: 1.out, points: 1}\n",
            ),
            ("sum/1.in", "1\n"),
            ("sum/1.out", "1\n"),
            ("plain/1.in", "1\n"),
            ("plain/1.out", "1\n"),
        ]);
        assert!(read_if_sure(&tree.path("plain")).unwrap().is_none());
        assert!(read_if_sure(&tree.path("nothing")).unwrap().is_none());
        let (imported, digest) = read_if_sure(&tree.path("sum")).unwrap().unwrap();
        let cache = ImportCache::new(tree.path("cache"));
        let location = cache.place(&digest, &imported);
        let count = || fs::read_dir(tree.path("cache")).unwrap().count();
        // A package that cannot be completed is removed.
        let failed = cache.provide(&location, &imported, |package| {
            assert!(is_package(package));
            Err(InterchangeError::Stopped)
        });
        assert!(failed.is_err() && count() == 0);
        let created = std::cell::Cell::new(0);
        let provide = || {
            cache.provide(&location, &imported, |_| {
                created.set(created.get() + 1);
                Ok::<_, InterchangeError>(())
            })
        };
        provide().unwrap();
        provide().unwrap();
        assert!(is_package(&location.package) && created.get() == 1 && count() == 1);
        // A directory that a killed process left long ago.
        fs::create_dir(tree.path("cache/.new-old")).unwrap();
        let long_ago = SystemTime::now() - MAX_UNUSED - Duration::from_secs(60);
        File::open(tree.path("cache/.new-old"))
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
        provide().unwrap();
        assert_eq!((created.get(), count()), (1, 1));
    }
}

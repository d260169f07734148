//! Files of test cases, which are put into the working directory in addition to the input.
//!
//! Responsible for storing a copy in the cache, where every program's user can read it, and for
//! making it only once. Must not know which program uses it.
//!
//! Source: 2025-09, "Test Data", `.files`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::ExecError;
use crate::build::sources::{SourceFile, read_directory};
use crate::lock;
use crate::store::programs::{Key, KeyBuilder, Manifest, ProgramCache, make_directory};

/// The kind of these entries of the cache, which differs from that of programs.
const KIND: &[u8] = b"files of a test case, 1";
/// The kind of entries with an input under the name that submissions open.
const KIND_RENAMED: &[u8] = b"a named input, 1";

/// The copies that were made in this run.
#[derive(Debug, Default)]
pub(crate) struct TestFiles(Mutex<BTreeMap<PathBuf, PathBuf>>);

impl TestFiles {
    /// Returns the copy of a directory.
    pub(crate) fn copy_of(
        &self,
        directory: &Path,
        cache: &ProgramCache,
    ) -> Result<PathBuf, ExecError> {
        // Two workers may both make it; the entry appears once.
        let known = lock(&self.0).get(directory).cloned();
        if let Some(copy) = known {
            return Ok(copy);
        }
        // Called without the lock: copying may take long, and the other workers need other
        // directories.
        let files = read_directory(directory)?;
        let mut key = KeyBuilder::default();
        key.part(KIND);
        files.iter().for_each(|file| file.add_to(&mut key));
        let copy = store(&key.finish(), cache, |root| {
            files.iter().try_for_each(|file| file.write(root))
        })?;
        lock(&self.0).insert(directory.to_owned(), copy.clone());
        Ok(copy)
    }
}

/// Returns a directory with an input as a file of this name.
pub(crate) fn renamed(
    bytes: &[u8],
    name: &str,
    cache: &ProgramCache,
) -> Result<PathBuf, ExecError> {
    let mut key = KeyBuilder::default();
    [KIND_RENAMED, name.as_bytes(), bytes]
        .into_iter()
        .for_each(|part| key.part(part));
    let file = || SourceFile {
        name: name.into(),
        bytes: bytes.to_vec(),
        executable: false,
    };
    store(&key.finish(), cache, |root| file().write(root))
}

/// Returns the entry with this key, whose files `write` writes into a directory unless it exists.
fn store(
    key: &Key,
    cache: &ProgramCache,
    write: impl FnOnce(&Path) -> Result<(), ExecError>,
) -> Result<PathBuf, ExecError> {
    if let Some(stored) = cache.find_whole(key) {
        return Ok(stored.files);
    }
    let stage = cache.stage()?;
    let root = stage.path.join("files");
    make_directory(&root, 0o755)?;
    write(&root)?;
    Ok(cache.store(key, &stage, Manifest::default())?.files)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_and_changed_files_copied_again() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
        let files = dir.path().join("1.files");
        fs::create_dir_all(files.join("sub")).unwrap();
        fs::write(dir.path().join("shared"), "one").unwrap();
        symlink("../shared", files.join("a")).unwrap();
        fs::write(files.join("sub/b"), "").unwrap();
        let copies = TestFiles::default();
        let first = copies.copy_of(&files, &cache).unwrap();
        assert!(
            fs::symlink_metadata(first.join("a")).unwrap().is_file()
                && first.join("sub/b").is_file()
        );
        assert_eq!(copies.copy_of(&files, &cache).unwrap(), first);

        fs::write(dir.path().join("shared"), "two").unwrap();
        let second = TestFiles::default().copy_of(&files, &cache).unwrap();
        assert_eq!(fs::read_to_string(second.join("a")).unwrap(), "two");
        assert_eq!(fs::read_to_string(first.join("a")).unwrap(), "one");
    }
}

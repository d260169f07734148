//! Directory trees for tests.
//!
//! Must only be compiled for tests.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

/// A directory that is deleted when it is dropped.
pub(crate) struct Tree(TempDir);

impl Tree {
    /// Creates a tree with these files, given as paths and texts.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        files.iter().for_each(|(path, text)| tree.write(path, text));
        tree
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes a file, and creates the directories above it.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

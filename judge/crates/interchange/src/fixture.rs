//! Directory trees for tests.
//!
//! Must not be compiled into the product.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

/// A directory that is deleted when it is dropped.
pub(crate) struct Tree(TempDir);

impl Tree {
    /// A tree with these files, given as path and text.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        files.iter().for_each(|(path, text)| tree.write(path, text));
        tree
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes a file, and the directories above it.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

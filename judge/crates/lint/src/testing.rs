//! Directory trees for tests.
//!
//! Must not be compiled into the product.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A directory that is deleted when it is dropped.
pub(crate) struct Tree(TempDir);

impl Tree {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// Writes a file and creates its directory.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes test cases: inputs with answers.
    pub(crate) fn cases(&self, package: &str, ids: &[&str]) {
        for id in ids {
            self.write(&format!("{package}/data/{id}.in"), "1\n");
            self.write(&format!("{package}/data/{id}.ans"), "1\n");
        }
    }
}

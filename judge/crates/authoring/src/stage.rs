//! The stage: a temporary directory that contains the package with the new data.
//!
//! Responsible for writing files there. Must not touch the package.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use judge_exec::ExecError;
use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_package::{MAX_DATA_BYTES, open_within};

/// A temporary directory with the package and its new data. It is removed when the value is
/// dropped.
#[derive(Debug)]
pub(crate) struct Stage {
    directory: LockedDirectory,
    problem: String,
}

impl Stage {
    /// Creates a stage for the problem with this name.
    pub(crate) fn new(problem: String) -> io::Result<Self> {
        Ok(Self {
            directory: LockedDirectory::temporary(TemporaryPurpose::Generate)?,
            problem,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The directory of the staged package.
    pub(crate) fn package(&self) -> PathBuf {
        self.path().join("package").join(&self.problem)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.package().join("data")
    }

    /// Returns the path of a file below `data/` and creates its directory.
    fn create_parent(&self, path: &str) -> Result<PathBuf, ExecError> {
        let path = self.data().join(path);
        let parent = path.parent().unwrap_or(&path);
        fs::create_dir_all(parent).map_err(ExecError::io("create", parent))?;
        Ok(path)
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), ExecError> {
        let path = self.create_parent(path)?;
        fs::write(&path, bytes).map_err(ExecError::io("write", &path))
    }

    /// Copies a file piece by piece: test data may be larger than memory.
    pub(crate) fn copy(&self, from: &Path, path: &str) -> Result<(), ExecError> {
        let path = self.create_parent(path)?;
        let mut source = open_within(from, MAX_DATA_BYTES).map_err(ExecError::io("read", from))?;
        let mut target = fs::File::create(&path).map_err(ExecError::io("write", &path))?;
        io::copy(&mut source, &mut target).map_err(ExecError::io("write", &path))?;
        Ok(())
    }

    pub(crate) fn link(&self, path: &str, target: &Path) -> Result<(), ExecError> {
        let path = self.create_parent(path)?;
        symlink(target, &path).map_err(ExecError::io("write", &path))
    }
}

/// The relative path from a file below `data/` to another.
pub(crate) fn relative(from: &str, to: &str) -> PathBuf {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let max = from.len().min(to.len()) - 1;
    let shared = (0..max)
        .take_while(|index| from[*index] == to[*index])
        .count();
    let up = std::iter::repeat_n("..", from.len() - 1 - shared);
    up.chain(to[shared..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative() {
        for (from, to, expected) in [
            ("secret/1.in", "sample/1.in", "../sample/1.in"),
            ("secret/2.in", "secret/1.in", "1.in"),
            ("secret/b/1.in", "secret/a/c/1.in", "../a/c/1.in"),
            ("a.in", "secret/1.in", "secret/1.in"),
        ] {
            assert_eq!(relative(from, to), Path::new(expected));
        }
    }
}

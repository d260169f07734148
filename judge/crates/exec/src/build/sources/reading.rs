//! The files of a program, as they lie on the disk.
//!
//! Responsible for listing and reading them, within bounds. Must not know what they are for.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::ExecError;
use crate::regular_file;
use crate::store::programs::{KeyBuilder, make_directory, write_shared};

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// The name by which the compiler sees it.
    pub(crate) name: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) executable: bool,
}

impl SourceFile {
    /// Adds it to a key: a program sees its name, its mode and its content.
    pub(crate) fn add_to(&self, key: &mut KeyBuilder) {
        key.part(self.name.as_os_str().as_bytes());
        key.part(&[self.executable.into()]);
        key.part(&self.bytes);
    }

    /// Writes it below a directory, readable for every user.
    pub(crate) fn write(&self, root: &Path) -> Result<(), ExecError> {
        let path = root.join(&self.name);
        make_directory(path.parent().unwrap_or(root), 0o755)?;
        write_shared(
            &path,
            &self.bytes,
            if self.executable { 0o755 } else { 0o644 },
        )
    }
}

/// All files below a directory, in order of their names. Links are followed: where they may lead
/// was decided when the package was loaded.
pub(crate) fn read_directory(directory: &Path) -> Result<Vec<SourceFile>, ExecError> {
    read_all(directory, &names_in(directory, MAX_DEPTH)?)
}

/// The largest size of one program, or of one directory of files, that is read, in bytes. The limit
/// of a problem for the code of submissions is far below.
pub(crate) const MAX_SOURCE_BYTES: u64 = 256 << 20;

/// The largest depth of a program's directories. A loop of links would have no end.
pub(super) const MAX_DEPTH: usize = 16;

pub(super) fn read_all(directory: &Path, names: &[PathBuf]) -> Result<Vec<SourceFile>, ExecError> {
    // One budget for all files: the sum was checked by metadata, but a file may have grown since.
    let mut left = MAX_SOURCE_BYTES;
    let read = |name: &PathBuf| {
        let path = directory.join(name);
        let failed = || ExecError::io("read", &path);
        let bytes = regular_file::read(&path, left).map_err(failed())?;
        left -= bytes.len() as u64;
        let mode = fs::metadata(&path).map_err(failed())?.permissions().mode();
        Ok(SourceFile {
            name: name.clone(),
            bytes,
            executable: mode & 0o100 != 0,
        })
    };
    names.iter().map(read).collect()
}

/// The size of some files together, in bytes.
pub(super) fn size_of(directory: &Path, names: &[PathBuf]) -> Result<u64, ExecError> {
    let mut sum = 0_u64;
    for name in names {
        let path = directory.join(name);
        sum = sum.saturating_add(
            fs::metadata(&path)
                .map_err(ExecError::io("read", &path))?
                .len(),
        );
    }
    Ok(sum)
}

/// The names of the files in a directory and in those below it down to a depth, in order.
pub(super) fn names_in(directory: &Path, depth: usize) -> Result<Vec<PathBuf>, ExecError> {
    let mut names = Vec::new();
    collect(directory, Path::new(""), depth, &mut names)?;
    names.sort();
    Ok(names)
}

fn collect(
    root: &Path,
    below: &Path,
    deeper: usize,
    names: &mut Vec<PathBuf>,
) -> Result<(), ExecError> {
    let directory = root.join(below);
    for entry in fs::read_dir(&directory).map_err(ExecError::io("read", &directory))? {
        let entry = entry.map_err(ExecError::io("read", &directory))?;
        let name = below.join(entry.file_name());
        // Names with a leading dot are not part of a package (package format, "General
        // requirements").
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        match fs::metadata(root.join(&name)) {
            Ok(metadata) if metadata.is_dir() && deeper > 0 => {
                collect(root, &name, deeper - 1, names)?;
            }
            Ok(metadata) if metadata.is_file() => names.push(name),
            _ => {}
        }
    }
    Ok(())
}

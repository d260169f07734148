//! Programs that contain a number that is chosen after compiling.
//!
//! Responsible for a copy of the program, and for the bytes of the number in it. Must not know what
//! the number means to the program.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;

use crate::ExecError;
use crate::build::program::Runnable;
use crate::session::Session;
use crate::session::submissions::PreparedSubmission;
use crate::store::programs::{Stage, make_directory};

/// A copy of a program, whose number can be chosen repeatedly. For one worker at a time, because
/// the file is changed.
#[derive(Debug)]
pub struct PatchedProgram {
    prepared: PreparedSubmission,
    file: PathBuf,
    offset: u64,
    // The copy lives as long as this.
    _stage: Stage,
}

impl Session {
    /// Copies a program, and finds these bytes in it; `None` when they are not there exactly once.
    /// The number follows them: 32 bits, the lowest first.
    ///
    /// # Errors
    /// When the cache cannot be used.
    pub fn patched_program(
        &self,
        prepared: &PreparedSubmission,
        mark: &[u8],
    ) -> Result<Option<PatchedProgram>, ExecError> {
        // A separate copy is made: the program of the cache is shared with other workers and
        // verified by its content.
        let stage = self.cache.stage()?;
        let copy = stage.path.join("files");
        make_directory(&copy, 0o755)?;
        let program = &prepared.program;
        let mut found = Vec::new();
        for entry in fs::read_dir(&program.files).map_err(ExecError::io("read", &program.files))? {
            let path = entry.map_err(ExecError::io("read", &program.files))?.path();
            if path.is_dir() {
                // A program that is compiled to a file has no directories.
                return Ok(None);
            }
            let file = copy.join(path.file_name().unwrap_or_default());
            fs::copy(&path, &file).map_err(ExecError::io("copy", &path))?;
            let bytes = fs::read(&path).map_err(ExecError::io("read", &path))?;
            // The mark must be there exactly once. A second place would be a number that the
            // program reads as well, and it would be unknown which one counts. A mark at the very
            // end of a file has no number after it.
            let numbers = memmem::find_iter(&bytes, mark).map(|start| start + mark.len());
            found.extend(
                numbers
                    .filter(|offset| offset + 4 <= bytes.len())
                    .map(|offset| (file.clone(), offset)),
            );
        }
        let [(file, offset)] = &found[..] else {
            return Ok(None);
        };
        let program = Arc::new(Runnable {
            files: copy,
            content: None,
            ..(**program).clone()
        });
        let prepared = PreparedSubmission {
            program,
            ..prepared.clone()
        };
        Ok(Some(PatchedProgram {
            prepared,
            file: file.clone(),
            offset: *offset as u64,
            _stage: stage,
        }))
    }
}

impl PatchedProgram {
    /// Returns the program with this number.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn choose(&self, number: u32) -> Result<PreparedSubmission, ExecError> {
        write_number(&self.file, self.offset, number)
            .map_err(ExecError::io("write", &self.file))?;
        Ok(self.prepared.clone())
    }
}

/// Writes the number. The file is closed again immediately: a file that is open for writing cannot
/// be executed.
fn write_number(file: &Path, offset: u64, number: u32) -> std::io::Result<()> {
    File::options()
        .write(true)
        .open(file)?
        .write_all_at(&number.to_le_bytes(), offset)
}

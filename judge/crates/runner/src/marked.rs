//! Programs with a number in them that is chosen after compiling.
//!
//! Responsible for a copy of the program, and for the bytes of the number in it. Must not know what the number means to
//! the program.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::RunnerError;
use crate::cache::{Stage, make_directory};
use crate::program::Runnable;
use crate::track::{Course, Entrant};

/// A copy of a program, whose number can be chosen again and again. For one track at a time: the file is changed.
#[derive(Debug)]
pub struct Marked {
    entrant: Entrant,
    file: PathBuf,
    offset: u64,
    // The copy lives as long as this.
    _stage: Stage,
}

impl Course {
    /// Copies a program, and finds these bytes in it; `None` when they are not there exactly once. The number follows
    /// them: 32 bits, the lowest first.
    ///
    /// # Errors
    /// When the cache cannot be used.
    pub fn marked(&self, entrant: &Entrant, mark: &[u8]) -> Result<Option<Marked>, RunnerError> {
        let stage = self.shared.cache.stage()?;
        let copy = stage.path.join("files");
        make_directory(&copy, 0o755)?;
        let program = &entrant.program;
        let mut found = Vec::new();
        for entry in fs::read_dir(&program.files).map_err(RunnerError::io("read", &program.files))? {
            let path = entry.map_err(RunnerError::io("read", &program.files))?.path();
            if path.is_dir() {
                // What is compiled to a file has none.
                return Ok(None);
            }
            let file = copy.join(path.file_name().unwrap_or_default());
            fs::copy(&path, &file).map_err(RunnerError::io("copy", &path))?;
            let bytes = fs::read(&path).map_err(RunnerError::io("read", &path))?;
            found.extend(places(&bytes, mark).map(|offset| (file.clone(), offset)));
        }
        let [(file, offset)] = &found[..] else { return Ok(None) };
        let program = Arc::new(Runnable { files: copy, ..(**program).clone() });
        let mut entrant = entrant.clone();
        entrant.program = program;
        Ok(Some(Marked { entrant, file: file.clone(), offset: *offset as u64, _stage: stage }))
    }
}

/// Where a number would follow these bytes.
fn places<'a>(bytes: &'a [u8], mark: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let last = bytes.len().saturating_sub(mark.len() + 4 - 1);
    let first = mark.first().copied();
    (0..last)
        .filter(move |start| Some(bytes[*start]) == first && bytes[*start..].starts_with(mark))
        .map(|start| start + mark.len())
}

impl Marked {
    /// The program with this number.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn choose(&self, number: u32) -> Result<Entrant, RunnerError> {
        write_number(&self.file, self.offset, number).map_err(RunnerError::io("write", &self.file))?;
        Ok(self.entrant.clone())
    }
}

/// The file is closed again at once: one that is open for writing cannot be executed.
fn write_number(file: &Path, offset: u64, number: u32) -> std::io::Result<()> {
    File::options().write(true).open(file)?.write_all_at(&number.to_le_bytes(), offset)
}

//! Reports and documents, which have their names only when they are whole.
//!
//! Responsible for what a reader may find at a path that a user gave: a report, or what was there before. Must not know
//! what is in it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use judge_files::{Replacement, ReplacementOptions};

use crate::failure::Failure;

/// A file in the making.
pub(crate) struct WholeFile {
    target: Target,
    path: PathBuf,
}

/// The place where the text goes.
enum Target {
    File(Replacement),
    /// A device or a pipe, which is written at once.
    Stream(File),
}

impl WholeFile {
    /// Begins the file, so that a place where nothing can be written is an error before anything else is done.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        if path.is_dir() {
            return Err(failed(path)(io::ErrorKind::IsADirectory.into()));
        }
        let target = if path.metadata().is_ok_and(|there| !there.is_file()) {
            File::options().write(true).open(path).map(Target::Stream)
        } else {
            let mut unfinished = path.as_os_str().to_owned();
            unfinished.push(format!(".partial-{}", std::process::id()));
            let unfinished = Some(PathBuf::from(unfinished));
            let options = ReplacementOptions { unfinished, on_disk: true, ..ReplacementOptions::default() };
            Replacement::begin(path, options).map(Target::File)
        };
        Ok(Self { target: target.map_err(failed(path))?, path: path.to_owned() })
    }

    fn file(&self) -> &File {
        match &self.target {
            Target::File(replacement) => replacement.file(),
            Target::Stream(file) => file,
        }
    }

    /// Another handle on it.
    pub(crate) fn clone_handle(&self) -> Result<File, Failure> {
        self.file().try_clone().map_err(failed(&self.path))
    }

    /// Writes all of it, and keeps it.
    pub(crate) fn keep_with(self, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.file().write_all(content.as_ref()).map_err(failed(&self.path))?;
        self.keep()
    }

    /// Gives it its name.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        match self.target {
            Target::File(replacement) => replacement.finish().map_err(failed(&self.path)),
            Target::Stream(mut file) => file.flush().map_err(failed(&self.path)),
        }
    }
}

pub(crate) fn failed(path: &Path) -> impl FnOnce(io::Error) -> Failure + use<> {
    let what = format!("`{}`", path.display());
    move |source| Failure::Write { what, source }
}

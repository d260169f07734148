//! Files that have their name only when they are whole.
//!
//! Responsible for that no reader ever sees half a report. Must not know what is in it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file in the making.
pub(crate) struct WholeFile {
    file: File,
    path: PathBuf,
    /// The name that it has until it is whole; `None` for what is no file (a device, a pipe) and is written at once.
    partial: Option<PathBuf>,
}

impl WholeFile {
    /// Begins the file, so that a place where nothing can be written is told before anything else is done.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        if path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            let file = File::options().write(true).open(path).map_err(failed(path))?;
            return Ok(Self { file, path: path.to_owned(), partial: None });
        }
        let mut partial = path.as_os_str().to_owned();
        partial.push(format!(".partial-{}", std::process::id()));
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).map_err(failed(path))?;
        Ok(Self { file, path: path.to_owned(), partial: Some(partial) })
    }

    /// Another handle on it.
    pub(crate) fn clone_handle(&self) -> Result<File, Failure> {
        self.file.try_clone().map_err(failed(&self.path))
    }

    /// Writes all of it, and keeps it.
    pub(crate) fn keep_with(mut self, text: &str) -> Result<(), Failure> {
        self.file.write_all(text.as_bytes()).map_err(failed(&self.path))?;
        self.keep()
    }

    /// Gives it its name.
    pub(crate) fn keep(mut self) -> Result<(), Failure> {
        self.file.flush().map_err(failed(&self.path))?;
        let Some(partial) = &self.partial else { return Ok(()) };
        self.file.sync_all().and_then(|()| std::fs::rename(partial, &self.path)).map_err(failed(&self.path))
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // After `keep` the file has its name, and there is nothing under this one.
            let _ = std::fs::remove_file(partial);
        }
    }
}

pub(crate) fn failed(path: &Path) -> impl FnOnce(io::Error) -> Failure + use<> {
    let what = format!("`{}`", path.display());
    move |source| Failure::Write { what, source }
}

//! The files of a command that has a document of its own: the document, for `--json`, and pages.
//!
//! Responsible for where they go. Must not know what they say, nor how the report on standard output looks.

use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::failure::Failure;
use crate::whole_file::WholeFile;

/// The places that a document and pages are written to.
pub(crate) struct DocumentOutput {
    document: Option<DocumentPlace>,
    pages: Vec<WholeFile>,
}

/// The place for a document.
enum DocumentPlace {
    /// Standard output, which then has no report.
    Stdout,
    File(WholeFile),
}

impl DocumentOutput {
    /// Opens the files, so that one that cannot be written is an error before anything takes time.
    pub(crate) fn open(config: &Config, document: Option<&Path>, pages: &[PathBuf]) -> Result<Self, Failure> {
        let create = |path: &Path| WholeFile::create(&config.directory.join(path));
        let document = match document {
            Some(path) if path == Path::new("-") => Some(DocumentPlace::Stdout),
            Some(path) => Some(DocumentPlace::File(create(path)?)),
            None => None,
        };
        Ok(Self { document, pages: pages.iter().map(|page| create(page)).collect::<Result<_, _>>()? })
    }

    /// True when standard output has the document instead of the report.
    pub(crate) fn is_on_stdout(&self) -> bool {
        matches!(self.document, Some(DocumentPlace::Stdout))
    }

    /// Writes the document to its file, if it has one, and the pages.
    pub(crate) fn keep(self, document: &str, page: impl Fn() -> String) -> Result<(), Failure> {
        if let Some(DocumentPlace::File(file)) = self.document {
            file.keep_with(document)?;
        }
        self.pages.into_iter().try_for_each(|file| file.keep_with(page()))
    }
}

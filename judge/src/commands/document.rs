//! The files of a command that has a document of its own: the document, for `--json`, and pages.
//!
//! Responsible for where they go. Must not know what they say, nor how the report on standard output looks.

use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::failure::Failure;
use crate::whole_file::WholeFile;

/// The places that a document and pages are written to.
pub(crate) struct DocumentOutput {
    /// The file for the document; `-` is standard output, which then has no report.
    document: Option<PathBuf>,
    pages: Vec<WholeFile>,
}

impl DocumentOutput {
    /// Begins the pages, so that one that cannot be written is an error before anything takes time.
    pub(crate) fn open(config: &Config, document: Option<&Path>, pages: &[PathBuf]) -> Result<Self, Failure> {
        let within = |path: &Path| if path == Path::new("-") { path.to_owned() } else { config.directory.join(path) };
        let pages = pages.iter().map(|page| WholeFile::create(&config.directory.join(page)));
        Ok(Self { document: document.map(within), pages: pages.collect::<Result<_, _>>()? })
    }

    /// True when standard output has the document instead of the report.
    pub(crate) fn is_on_stdout(&self) -> bool {
        self.document.as_deref() == Some(Path::new("-"))
    }

    /// Writes the document to its file, if it has one, and the pages.
    pub(crate) fn keep(self, document: &str, page: impl Fn() -> String) -> Result<(), Failure> {
        if let Some(path) = self.document.as_deref().filter(|_| !self.is_on_stdout()) {
            WholeFile::create(path)?.keep_with(document)?;
        }
        self.pages.into_iter().try_for_each(|file| file.keep_with(page()))
    }
}

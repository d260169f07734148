//! The inputs and answers of a source, as files of a package.
//!
//! Responsible for changes to them and for reporting these. Must not know the paths of test cases.

use std::io::BufRead as _;

use judge_event::Part;

use crate::import::draft::Draft;
use crate::import::draft::parts::Content;
use crate::import::source::Source;
use crate::import::write::has_carriage_returns;
use crate::{InterchangeError, Result};

/// The remarkable files among those of test cases.
#[derive(Debug, Default)]
pub(crate) struct TestFiles {
    /// Files with the line endings of Windows.
    with_cr_lf: Vec<String>,
    /// Pointers to data in Git Large File Storage.
    pointers: Vec<String>,
}

impl TestFiles {
    /// Returns the content of a file of test data for the package.
    pub(crate) fn content(&mut self, source: &Source, file: &str) -> Result<Content> {
        let mut reader = source.reader(file)?;
        let path = source.path(file);
        let unreadable = InterchangeError::unreadable(&path);
        let beginning = reader.fill_buf().map_err(&unreadable)?;
        // Git LFS, "spec.md": a pointer is a text whose first line is this.
        if beginning.starts_with(b"version https://git-lfs.github.com/spec/") {
            self.pointers.push(file.to_owned());
        }
        if has_carriage_returns(reader).map_err(&unreadable)? {
            self.with_cr_lf.push(file.to_owned());
            return Ok(Content::WithoutCarriageReturns(file.into()));
        }
        Ok(Content::Copy(file.into()))
    }

    /// True if a file has the line endings of Windows.
    pub(crate) fn has_cr_lf(&self) -> bool {
        !self.with_cr_lf.is_empty()
    }

    /// Reports the changes.
    pub(crate) fn report(self, draft: &mut Draft) {
        if let Some(first) = self.with_cr_lf.first() {
            let text = format!(
                "line ends of {} are converted from CR LF to LF, as validators expect",
                several(&self.with_cr_lf)
            );
            draft.changed_at(Part::Tests, first, text);
        }
        if let Some(first) = self.pointers.first() {
            let text = format!(
                "{} only points to data in Git LFS: fetch it with `git lfs pull`",
                several(&self.pointers)
            );
            draft.lost_at(Part::Tests, first, text);
        }
    }
}

/// Names a single file, or returns the number of files with an example.
fn several(files: &[String]) -> String {
    match files {
        [only] => format!("`{only}`"),
        files => format!("{} files, such as `{}`,", files.len(), files[0]),
    }
}

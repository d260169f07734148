//! The inputs and answers of a source, as they come into a package.
//!
//! Responsible for what is changed in them and for reporting it. Must not know where test cases go.

use std::io::BufRead as _;

use judge_event::{Fate, Part};

use crate::InterchangeError;
use crate::import::draft::Draft;
use crate::import::draft::parts::Content;
use crate::import::source::Source;
use crate::import::write::has_carriage_returns;

/// The files of test cases that were looked at.
#[derive(Debug, Default)]
pub(crate) struct TestFiles {
    /// Those with the ends of lines of Windows.
    of_windows: Vec<String>,
    /// Those that only point to data in Git's large file storage.
    pointers: Vec<String>,
}

impl TestFiles {
    /// The content of a file of test data for the package.
    pub(crate) fn content(
        &mut self,
        source: &Source,
        file: &str,
    ) -> Result<Content, InterchangeError> {
        let mut reader = source.reader(file)?;
        let path = source.path(file);
        let unreadable = InterchangeError::unreadable(&path);
        let beginning = reader.fill_buf().map_err(&unreadable)?;
        // Git LFS, "spec.md": a pointer is a text whose first line is this.
        if beginning.starts_with(b"version https://git-lfs.github.com/spec/") {
            self.pointers.push(file.to_owned());
        }
        if has_carriage_returns(reader).map_err(&unreadable)? {
            self.of_windows.push(file.to_owned());
            return Ok(Content::WithoutCarriageReturns(file.into()));
        }
        Ok(Content::Copy(file.into()))
    }

    /// True when the lines of some file end as on Windows.
    pub(crate) fn has_any_of_windows(&self) -> bool {
        !self.of_windows.is_empty()
    }

    /// Says what was changed.
    pub(crate) fn report(self, draft: &mut Draft) {
        if let Some(first) = self.of_windows.first() {
            let text = format!(
                "the lines of {} end with CR LF, and here with LF, as validators expect",
                several(&self.of_windows)
            );
            draft.say_at(Fate::Changed, Part::Tests, text, first);
        }
        if let Some(first) = self.pointers.first() {
            let text = format!(
                "{} only points to data in Git LFS: fetch it with `git lfs pull`",
                several(&self.pointers)
            );
            draft.say_at(Fate::Lost, Part::Tests, text, first);
        }
    }
}

/// A file by its name, or how many there are.
fn several(files: &[String]) -> String {
    match files {
        [only] => format!("`{only}`"),
        files => format!("{} files, such as `{}`,", files.len(), files[0]),
    }
}

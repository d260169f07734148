//! The reports of a command that has a document of its own.
//!
//! Responsible for where they go. Must not know their content, nor how the report for people looks.

use std::io;

use judge_model::ReportKind;

use crate::args::ReportTarget;
use crate::config::Config;
use crate::failure::Failure;
use crate::reporters::{refuse_several, write};
use crate::whole_file::WholeFile;

/// The places that reports are written to.
#[derive(Default)]
pub(crate) struct DocumentOutput {
    /// The report that takes the place of the one for people.
    stdout: Option<ReportKind>,
    files: Vec<(ReportKind, WholeFile)>,
}

impl DocumentOutput {
    /// Opens the files, so that one that cannot be written is an error before anything takes time.
    pub(crate) fn open(config: &Config, targets: &[ReportTarget]) -> Result<Self, Failure> {
        let to_stdout: Vec<ReportKind> =
            targets.iter().filter(|target| target.is_stdout()).map(|target| target.kind).collect();
        refuse_several(&to_stdout)?;
        let files = targets.iter().filter(|target| !target.is_stdout());
        let create = |target: &ReportTarget| {
            WholeFile::create(&config.directory.join(&target.file)).map(|file| (target.kind, file))
        };
        Ok(Self { stdout: to_stdout.first().copied(), files: files.map(create).collect::<Result<_, _>>()? })
    }

    /// True when standard output has a report instead of the one for people.
    pub(crate) fn is_on_stdout(&self) -> bool {
        self.stdout.is_some()
    }

    /// Writes every report, each rendered by its kind, and the one for people unless another has its place.
    pub(crate) fn write(
        self,
        text: impl FnOnce() -> String,
        render: impl Fn(ReportKind) -> String,
    ) -> Result<(), Failure> {
        for (kind, file) in self.files {
            file.keep_with(render(kind))?;
        }
        write(&mut io::stdout(), &self.stdout.map_or_else(text, render))
    }
}

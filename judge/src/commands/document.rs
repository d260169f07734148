//! The reports of a command that writes its own document.
//!
//! Responsible for their destinations. Must not know their content, nor the layout of the text
//! report.

use std::path::PathBuf;

use judge_model::ReportKind;

use crate::args::ReportTarget;
use crate::config::Config;
use crate::failure::Failure;
use crate::messages::print;
use crate::reporters::{refuse_several, refuse_shared_file};
use crate::whole_file::WholeFile;

/// The places that reports are written to.
#[derive(Default)]
pub(crate) struct DocumentOutput {
    /// The report that replaces the text report.
    stdout: Option<ReportKind>,
    files: Vec<(ReportKind, WholeFile)>,
}

impl DocumentOutput {
    /// Opens the files, so that an unwritable file is reported before anything takes time.
    pub(crate) fn open(config: &Config, targets: &[ReportTarget]) -> Result<Self, Failure> {
        let to_stdout: Vec<ReportKind> = targets
            .iter()
            .filter(|target| target.is_stdout())
            .map(|target| target.kind)
            .collect();
        refuse_several(&to_stdout)?;
        let mut files: Vec<(ReportKind, PathBuf)> = Vec::new();
        for target in targets.iter().filter(|target| !target.is_stdout()) {
            let file = (target.kind, config.directory.join(&target.file));
            if !files.contains(&file) {
                files.push(file);
            }
        }
        refuse_shared_file(&files)?;
        let create =
            |(kind, path): (ReportKind, PathBuf)| WholeFile::create(&path).map(|file| (kind, file));
        let files = files.into_iter().map(create).collect::<Result<_, _>>()?;
        Ok(Self {
            stdout: to_stdout.first().copied(),
            files,
        })
    }

    /// True when another report replaces the text report on standard output.
    pub(crate) fn is_on_stdout(&self) -> bool {
        self.stdout.is_some()
    }

    /// Writes every report, each rendered by its kind, and the text report unless another one
    /// replaces it.
    pub(crate) fn write(
        self,
        text: impl FnOnce() -> String,
        render: impl Fn(ReportKind) -> String,
    ) -> Result<(), Failure> {
        for (kind, file) in self.files {
            file.keep_with(render(kind))?;
        }
        print(self.stdout.map_or_else(text, render))
    }

    /// Writes the reports of a command that changes one package after another and prints the text
    /// report of each. `documents` has a line for each package so far.
    ///
    /// # Errors
    /// The error of the work, or else that of writing.
    pub(crate) fn write_after<T>(
        self,
        work: Result<T, Failure>,
        documents: &str,
        render: impl Fn(ReportKind) -> String,
    ) -> Result<T, Failure> {
        // A failure in one package does not undo the changes to those before it, so their documents
        // are written in any case. Without any, the files keep the reports that they have.
        let written = if documents.is_empty() {
            Ok(())
        } else {
            self.write(String::new, render)
        };
        let value = work?;
        written.map(|()| value)
    }
}

/// Refuses a report on standard output together with an option that prints text there.
pub(crate) fn refuse_on_stdout(targets: &[ReportTarget], option: &str) -> Result<(), Failure> {
    if !targets.iter().any(ReportTarget::is_stdout) {
        return Ok(());
    }
    let hint = "give the report a file, such as `--report KIND=FILE`";
    Err(Failure::Usage(format!(
        "`--report` and `{option}` both write to standard output\nhint: {hint}"
    )))
}

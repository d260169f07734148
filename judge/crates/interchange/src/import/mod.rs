//! Imports problems of other formats as packages of format 2025-09.
//!
//! Responsible for detecting the format of a source and for converting it to a package. Must not
//! run anything.

mod adapter;
mod cache;
mod data;
mod detect;
mod draft;
mod expectations;
mod formats;
mod leftovers;
mod limits;
mod programs;
mod rules;
mod settings;
mod signs;
mod source;
mod subtasks;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_event::{Confidence, Direction, Interchange, Remark};

use crate::{InterchangeError, IsStopped, Result};
pub use cache::{CachedPlace, ImportCache, read_if_sure};
pub use detect::DetectedFormat;
use draft::Draft;
pub(crate) use draft::metadata::uuid_of;
pub(crate) use draft::naming::listed;
use draft::naming::short_name;
use draft::parts::Content;
pub use formats::Format;
pub use source::Source;

/// An imported problem, as the package that it becomes.
#[derive(Debug)]
pub struct ImportedProblem {
    source: Source,
    detected: DetectedFormat,
    name: String,
    has_missing_inputs: bool,
    files: BTreeMap<PathBuf, Content>,
    remarks: Vec<Remark>,
}

impl ImportedProblem {
    /// Reads a problem. Its format is detected unless it is given. `name` is the name of the
    /// package; by default, it is derived from the name of the problem.
    ///
    /// # Errors
    /// If the source cannot be read, is in no known format, or violates its format; or if the work
    /// is stopped.
    pub fn read(
        mut source: Source,
        format: Option<Format>,
        name: Option<&str>,
        is_stopped: IsStopped<'_>,
    ) -> Result<Self> {
        let detected = match format {
            Some(format) => DetectedFormat {
                format,
                confidence: Confidence::Certain,
                evidence: String::new(),
                could_be: Vec::new(),
            },
            None => detect::detect(&source)?,
        };
        let format = detected.format.0;
        (format.prepare)(&mut source, is_stopped)?;
        let mut draft = Draft::default();
        (format.convert)(&source, &mut draft)?;
        if !draft.has_parts() {
            let why = match format.is_bare {
                true => " (expected names such as `1.in` and `1.out`)".to_owned(),
                false => format!(" in the format `{}`", format.name),
            };
            return Err(InterchangeError::Nothing {
                path: source.named().to_owned(),
                why,
            });
        }
        let name = match name {
            Some(name) if short_name(name).as_deref() == Some(name) => {
                // It is the title if no other exists, and two directories of tests with the same
                // name are different problems.
                name.clone_into(&mut draft.name);
                name.to_owned()
            }
            Some(name) => return Err(InterchangeError::Name(name.to_owned())),
            None => short_name(&draft.name)
                .or_else(|| short_name(&source.stem()))
                .ok_or_else(|| InterchangeError::Name(draft.name.clone()))?,
        };
        leftovers::report(&source, &mut draft)?;
        let identity = format!("{} {}", format.name, draft.name);
        let has_missing_inputs = draft.has_missing_inputs;
        let (files, remarks) = draft.finish(&identity);
        Ok(Self {
            source,
            detected,
            name,
            has_missing_inputs,
            files,
            remarks,
        })
    }

    /// The short name of the package.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True if there is a sign of the format, and not only files that any format could have.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.detected.confidence > Confidence::Guess
    }

    /// True if a test case has no answer yet, or if inputs have to be generated.
    #[must_use]
    pub fn needs_data(&self) -> bool {
        let has = |path: &Path| self.files.contains_key(path);
        let is_input = |path: &&PathBuf| {
            (path.starts_with("data/sample") || path.starts_with("data/secret"))
                && path.extension().is_some_and(|extension| extension == "in")
        };
        let mut inputs = self.files.keys().filter(is_input).peekable();
        self.has_missing_inputs
            || inputs.peek().is_none()
            || inputs.any(|input| !has(&input.with_extension("ans")))
    }

    /// True if there are commands that generate data.
    #[must_use]
    pub fn has_generators(&self) -> bool {
        self.files
            .contains_key(Path::new(judge_package::GENERATORS_FILE))
    }

    /// Writes the package to the directory `target`, which must not exist.
    ///
    /// # Errors
    /// If it exists, cannot be written, or if the work is stopped. No files are left behind.
    pub fn write(&self, target: &Path, is_stopped: IsStopped<'_>) -> Result<()> {
        write::write(&self.files, &self.source, target, is_stopped)
    }

    /// Returns the document of this import. `target` is the directory for display, and `written` is
    /// true if it was written.
    #[must_use]
    pub fn document(&self, target: &str, written: bool) -> Interchange {
        Interchange {
            schema: Interchange::SCHEMA,
            direction: Direction::Import,
            format: self.detected.format.name().to_owned(),
            evidence: self.detected.evidence.clone(),
            confidence: self.detected.confidence,
            could_be: self
                .detected
                .could_be
                .iter()
                .map(|format| format.name().to_owned())
                .collect(),
            problem: self.name.clone(),
            source: self.source.named().display().to_string(),
            target: target.to_owned(),
            written,
            files: self
                .files
                .keys()
                .map(|file| file.display().to_string())
                .collect(),
            remarks: self.remarks.clone(),
        }
    }
}

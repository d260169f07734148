//! `.files.yaml`: the names of files that submissions use instead of standard input and output.
//!
//! Responsible for reading it. Must not know how submissions are run.
//!
//! The package format has nothing like it; other judges ignore files whose names begin with a dot.

use std::path::Path;

use judge_model::{NamedFiles, Problem};

use crate::disk::names;
use crate::error::{Finding, Findings};
use crate::yaml::{Document, Value};

/// The file in the package's directory.
pub const NAMED_FILES: &str = ".files.yaml";

/// Reads the file, if it exists.
pub(crate) fn read(directory: &Path, problem: &Problem, findings: &mut Findings) -> NamedFiles {
    let path = directory.join(NAMED_FILES);
    if path.symlink_metadata().is_err() {
        return NamedFiles::default();
    }
    match parse(&path, problem) {
        Ok(files) => files,
        Err(error) => {
            findings.error(error);
            NamedFiles::default()
        }
    }
}

fn parse(path: &Path, problem: &Problem) -> Result<NamedFiles, Finding> {
    let invalid = |message: String| Finding::invalid(path, None, message);
    let document = Document::read(path)?;
    let mut files = NamedFiles::default();
    let entries = document.root().entries();
    for entry in entries.ok_or_else(|| invalid("expected `input`, `output` or both".to_owned()))? {
        let name = match entry.value.value() {
            Value::Text(name) if names::counts(name.as_str()) => name.clone(),
            _ => {
                return Err(invalid(format!(
                    "`{}`: expected the name of a file, such as `sum.in`",
                    entry.name
                )));
            }
        };
        match entry.name.as_str() {
            "input" => files.input = Some(name),
            "output" => files.output = Some(name),
            other => {
                return Err(invalid(format!(
                    "unknown key `{other}`; expected `input` or `output`"
                )));
            }
        }
    }
    if files.input.is_some() && files.input == files.output {
        return Err(invalid(
            "`input` and `output` name the same file; expected two files".to_owned(),
        ));
    }
    if problem.interactive || problem.passes > 1 || problem.submit_answer {
        return Err(invalid(
            "expected a problem that is not interactive, multi-pass or submit-answer".to_owned(),
        ));
    }
    Ok(files)
}

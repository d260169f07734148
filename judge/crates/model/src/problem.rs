//! Problems: what is asked, as the rest of the judge needs it.
//!
//! Responsible for the shape of a loaded package. Must not know on which page of which format version it was written.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{LanguageId, Limits, Submission, TestCase};

/// A version of the problem package format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormatVersion {
    /// `legacy`, also when the key is absent.
    #[serde(rename = "legacy")]
    Legacy,
    /// `legacy-icpc`, the subset that ICPC contests use.
    #[serde(rename = "legacy-icpc")]
    LegacyIcpc,
    /// `2025-09` and its drafts, 2023-07 included.
    #[serde(rename = "2025-09")]
    V2025_09,
}

/// A program that belongs to a package: a validator or a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name of its file or directory.
    pub name: String,
    /// The file or directory itself, absolute.
    pub path: PathBuf,
    /// Its source files, relative to the directory (for a single file: its name), in order.
    pub sources: Vec<PathBuf>,
    /// The language in which it is written.
    pub language: LanguageId,
    /// The class that holds the entry point (`{class}`), for a language whose templates ask for it.
    pub entry_class: Option<String>,
}

/// How output is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputValidator {
    /// The format's default output validator; its arguments stand with each test case.
    Default,
    /// A program of the package.
    Custom(Program),
}

/// A loaded problem package.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The name of its directory: what people type.
    pub name: String,
    /// Its name in English, or else in the first language that it has; its short name when it states none.
    pub title: String,
    /// The package's directory, absolute.
    pub directory: PathBuf,
    /// The format version.
    pub format: FormatVersion,
    /// Its limits.
    pub limits: Limits,
    /// The languages in which it may be answered; `None` means every language.
    pub languages: Option<Vec<LanguageId>>,
    /// Whether submissions may write files (2025-09, key `allow_file_writing`; always in legacy packages).
    pub allow_file_writing: bool,
    /// How output is judged.
    pub output_validator: OutputValidator,
    /// The input validators, in order of name.
    pub input_validators: Vec<Program>,
    /// The test cases that count (sample, then secret), in package order: the order in which results are told.
    pub test_cases: Vec<TestCase>,
    /// The submissions of the package and of the workspace's `solutions/<name>/`, in order of their ids.
    pub submissions: Vec<Submission>,
}

impl Problem {
    /// The test case with this id, such as `secret/03-max`.
    #[must_use]
    pub fn test_case(&self, id: &str) -> Option<&TestCase> {
        self.test_cases.iter().find(|test_case| test_case.id == id)
    }
}

//! Problems, in the form in which the rest of the judge needs them.
//!
//! Responsible for the types of a loaded package. Must not know its representation in a format
//! version.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Constant, Grading, LanguageId, Limits, Program, Submission, TestCase, TestGroup};

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

/// Files that are copied next to every submission in certain languages before it is compiled
/// (2025-09, "Included Files").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedFiles {
    /// The languages concerned; empty: every language that no other entry names
    /// (`include/default`).
    pub languages: Vec<LanguageId>,
    /// The directory, absolute.
    pub directory: PathBuf,
    /// The class with a `main` method among these files. It is started if the submission has none.
    pub entry_class: Option<String>,
}

/// The output validator, which judges output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputValidator {
    /// The format's default output validator; each test case has its arguments.
    Default,
    /// Programs of the package: one, or in legacy packages several, all of which must accept.
    Custom(Vec<Program>),
}

impl OutputValidator {
    /// Returns the package's own programs; empty for the default output validator.
    #[must_use]
    pub fn programs(&self) -> &[Program] {
        match self {
            Self::Default => &[],
            Self::Custom(programs) => programs,
        }
    }
}

/// The names of files that submissions read and write instead of standard input and output, in
/// their working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedFiles {
    /// The file with the input. If there is one, standard input is empty.
    pub input: Option<String>,
    /// The file with the output. If there is one, standard output is ignored.
    pub output: Option<String>,
}

impl NamedFiles {
    /// True if submissions read standard input and write standard output, as always in the package
    /// format.
    #[must_use]
    pub fn are_standard(&self) -> bool {
        *self == Self::default()
    }
}

/// A loaded problem package.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The name of its directory, by which users name the problem.
    pub name: String,
    /// Its name in English, or else in the first language that has one; its short name if it has
    /// none.
    pub title: String,
    /// The package's directory, absolute.
    pub directory: PathBuf,
    /// The directory that paths in messages are relative to: the workspace's; empty without a
    /// workspace.
    pub shown_from: PathBuf,
    /// The format version.
    pub format: FormatVersion,
    /// Its limits.
    pub limits: Limits,
    /// The languages in which it may be solved; `None` means every language.
    pub languages: Option<Vec<LanguageId>>,
    /// True if submissions may write files (2025-09, key `allow_file_writing`; always in legacy
    /// packages).
    pub allow_file_writing: bool,
    /// The output validator, which judges output.
    pub output_validator: OutputValidator,
    /// The grading: how results become the result of a submission.
    pub grading: Grading,
    /// True if submissions interact with the output validator while they run.
    pub interactive: bool,
    /// The maximum number of passes of a submission on a test case (multi-pass,
    /// `validation_passes`); otherwise 1.
    pub passes: u32,
    /// True if submissions are answers, not programs (`submit-answer`).
    pub submit_answer: bool,
    /// The static validator, which checks submissions before they are run (2025-09, "Static
    /// Validator").
    pub static_validator: Option<Program>,
    /// The input visualizer, which draws test cases (2025-09, "Input visualizer").
    pub input_visualizer: Option<Program>,
    /// The output visualizer, which draws what a submission wrote (2025-09, "Output visualizer").
    pub output_visualizer: Option<Program>,
    /// The files that replace standard input and output.
    pub named_files: NamedFiles,
    /// Files that are copied next to submissions.
    pub included: Vec<IncludedFiles>,
    /// The constants that replace `{{name}}` in validators, included files and submissions of the
    /// package.
    pub constants: Vec<Constant>,
    /// The input validators, in order of name.
    pub input_validators: Vec<Program>,
    /// The test cases that count (sample, then secret), in package order: the order in which
    /// results are reported.
    pub test_cases: Vec<TestCase>,
    /// The groups of test cases, in package order, outer ones before those in them.
    pub test_groups: Vec<TestGroup>,
    /// The submissions of the package and of the workspace's `solutions/<name>/`, in order of their
    /// ids.
    pub submissions: Vec<Submission>,
}

impl Problem {
    /// Creates an empty pass-fail problem with the limits of its format, named like its directory.
    #[must_use]
    pub fn new(name: &str, directory: PathBuf, format: FormatVersion) -> Self {
        Self {
            name: name.to_owned(),
            title: name.to_owned(),
            directory,
            shown_from: PathBuf::new(),
            format,
            limits: Limits::default(),
            languages: None,
            allow_file_writing: format != FormatVersion::V2025_09,
            output_validator: OutputValidator::Default,
            grading: Grading::PassFail,
            interactive: false,
            passes: 1,
            submit_answer: false,
            named_files: NamedFiles::default(),
            static_validator: None,
            input_visualizer: None,
            output_visualizer: None,
            included: Vec::new(),
            constants: Vec::new(),
            input_validators: Vec::new(),
            test_cases: Vec::new(),
            test_groups: Vec::new(),
            submissions: Vec::new(),
        }
    }

    /// The test case with this id, such as `secret/03-max`.
    #[must_use]
    pub fn test_case(&self, id: &str) -> Option<&TestCase> {
        self.test_cases.iter().find(|test_case| test_case.id == id)
    }
}

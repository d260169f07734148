//! The findings of a check of a package.
//!
//! Responsible for the shape of a finding and for collecting them. Must not decide what is reported.

use std::path::{Path, PathBuf};

use judge_package::{Code, PackageError, Position, Warning};

/// A finding in a package. Its severity is up to the profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of thing that was found.
    pub code: Code,
    /// The file or directory concerned, absolute.
    pub file: PathBuf,
    /// The line in the file, counted from 1.
    pub line: Option<u32>,
    /// The column in that line, in characters, counted from 1.
    pub column: Option<u32>,
    /// The message: what was found, and what was expected.
    pub message: String,
    /// The advice, if any is known beyond the code's own.
    pub hint: Option<String>,
    /// True when it keeps the package from being loaded. Such a finding cannot be silenced.
    pub keeps_from_loading: bool,
}

impl Finding {
    /// A finding about a file as a whole.
    pub fn new(code: Code, file: &Path, message: impl Into<String>) -> Self {
        Self {
            code,
            file: file.to_owned(),
            line: None,
            column: None,
            message: message.into(),
            hint: None,
            keeps_from_loading: false,
        }
    }

    /// The finding at a line.
    #[must_use]
    pub fn at(mut self, line: Option<u32>) -> Self {
        self.line = line;
        self
    }

    /// The finding at a position.
    #[must_use]
    pub fn at_position(self, position: Option<Position>) -> Self {
        Self { column: position.map(|position| position.column), ..self.at(position.map(|position| position.line)) }
    }

    /// The finding with a hint.
    #[must_use]
    pub fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}

/// Sorts findings by files, lines and columns, as somebody mends them; what is said of a whole file comes first.
pub(crate) fn sort_by_place(findings: &mut [Finding]) {
    let place = |finding: &Finding| (finding.file.clone(), finding.line, finding.column);
    findings.sort_by_cached_key(place);
}

impl From<PackageError> for Finding {
    fn from(error: PackageError) -> Self {
        let finding = Self::new(error.code(), &error.file, error.message).at(error.line).hint(error.hint);
        Self { column: error.column, keeps_from_loading: true, ..finding }
    }
}

impl From<Warning> for Finding {
    fn from(warning: Warning) -> Self {
        let finding = Self::new(warning.code, &warning.file, warning.message).at(warning.line).hint(warning.hint);
        Self { column: warning.column, ..finding }
    }
}

//! The findings about a package: errors, warnings, and the list in which they are collected.
//!
//! Responsible for the one form of findings: place, message, hint. Must not know what is checked.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::code::{self, Code};

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

/// A finding about a package or a workspace file: a broken rule, or something suspicious.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The kind of finding. The profile determines its severity.
    pub code: Code,
    /// The file or directory concerned, absolute.
    pub file: PathBuf,
    /// The line in the file, counted from 1.
    pub line: Option<u32>,
    /// The column in that line, in characters, counted from 1.
    pub column: Option<u32>,
    /// The message: what was expected and what was found.
    pub message: String,
    /// The advice, if any is known beyond the code's own.
    pub hint: Option<String>,
    /// True if it prevents the package from being loaded. Such a finding cannot be silenced.
    pub keeps_from_loading: bool,
    /// True until it has a specific code: then it gets the code of the part of the package in which
    /// it is collected.
    #[serde(skip)]
    pub takes_code_of_area: bool,
}

impl Finding {
    /// Creates a finding about a whole file that does not prevent the package from being loaded.
    #[must_use]
    pub fn new(code: Code, file: &Path, message: impl Into<String>) -> Self {
        let (file, message) = (file.to_owned(), message.into());
        Self {
            code,
            file,
            line: None,
            column: None,
            message,
            hint: None,
            keeps_from_loading: false,
            takes_code_of_area: false,
        }
    }

    /// Creates the finding of a broken rule, with the code of the part of the package in which it
    /// is found.
    #[must_use]
    pub fn invalid(file: &Path, position: Option<Position>, message: impl Into<String>) -> Self {
        let finding = Self::new(code::LAYOUT_BROKEN, file, message).at_position(position);
        Self {
            keeps_from_loading: true,
            takes_code_of_area: true,
            ..finding
        }
    }

    /// Creates the finding of a file or directory that cannot be read.
    #[must_use]
    pub fn unreadable(file: &Path, cause: &std::io::Error) -> Self {
        Self::invalid(file, None, format!("cannot be read: {cause}")).coded(code::UNREADABLE)
    }

    /// The finding at a line.
    #[must_use]
    pub fn at(self, line: Option<u32>) -> Self {
        Self { line, ..self }
    }

    /// The finding at a position.
    #[must_use]
    pub fn at_position(self, position: Option<Position>) -> Self {
        Self {
            line: position.map(|at| at.line),
            column: position.map(|at| at.column),
            ..self
        }
    }

    /// The finding with a hint.
    #[must_use]
    pub fn hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }

    /// The finding with a specific code, instead of that of the area in which it is found.
    #[must_use]
    pub(crate) fn coded(self, code: Code) -> Self {
        Self {
            code,
            takes_code_of_area: false,
            ..self
        }
    }

    /// The finding with the code of the area in which it is found, unless it has a specific one.
    fn with_code_of_area(self, code: Code) -> Self {
        if self.takes_code_of_area {
            self.coded(code)
        } else {
            self
        }
    }

    /// The finding as text, with its file shown relative to `base` if it is below it: `file:line:
    /// message`, then `hint: …` on a separate line.
    pub fn display_relative_to<'a>(&'a self, base: &'a Path) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            write!(f, "{}", relative(&self.file, base).display())?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            write!(f, ": {}", self.message)?;
            self.hint
                .iter()
                .try_for_each(|hint| write!(f, "\nhint: {hint}"))
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_relative_to(Path::new("")).fmt(f)
    }
}

impl std::error::Error for Finding {}

fn relative<'a>(file: &'a Path, base: &Path) -> &'a Path {
    match file.strip_prefix(base) {
        Ok(rest) if rest.as_os_str().is_empty() => Path::new("."),
        Ok(rest) if !base.as_os_str().is_empty() => rest,
        _ => file,
    }
}

/// Every reason why a package or a workspace file does not load. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageErrors(Vec<Finding>);

impl PackageErrors {
    /// The errors, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.0.iter()
    }

    /// The number of errors.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Fails if there are errors.
    ///
    /// # Errors
    /// The errors themselves.
    pub fn check(errors: Vec<Finding>) -> Result<(), Self> {
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Self(errors))
        }
    }
}

impl From<Finding> for PackageErrors {
    fn from(error: Finding) -> Self {
        Self(vec![Finding {
            keeps_from_loading: true,
            ..error
        }])
    }
}

impl IntoIterator for PackageErrors {
    type Item = Finding;
    type IntoIter = std::vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a PackageErrors {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for PackageErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for PackageErrors {}

/// The part of a package that is being read. It determines the code of findings without a specific
/// one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Area {
    /// Names, links and directories.
    #[default]
    Layout,
    /// `problem.yaml`.
    Metadata,
    /// `data/`.
    TestData,
    /// Validators and graders.
    Programs,
    /// Submissions and their expectations.
    Submissions,
}

impl Area {
    /// The codes of its errors and of its warnings.
    fn codes(self) -> [Code; 2] {
        match self {
            Self::Layout => [code::LAYOUT_BROKEN, code::LAYOUT_ODD],
            Self::Metadata => [code::METADATA_BROKEN, code::METADATA_ODD],
            Self::TestData => [code::DATA_BROKEN, code::DATA_ODD],
            Self::Programs => [code::PROGRAM_BROKEN, code::PROGRAM_ODD],
            Self::Submissions => [code::SUBMISSION_BROKEN, code::SUBMISSION_ODD],
        }
    }
}

/// The findings so far. Checking continues after an error, so that one run finds as much as
/// possible.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    errors: Vec<(Area, Finding)>,
    warnings: Vec<Finding>,
    area: Area,
}

impl Findings {
    /// Enters a part of the package: everything that is found from here on belongs to it.
    pub(crate) fn enter(&mut self, area: Area) {
        self.area = area;
    }

    /// Adds a finding that prevents the package from being loaded.
    pub(crate) fn error(&mut self, finding: Finding) {
        let [error, _] = self.area.codes();
        let mut finding = finding.with_code_of_area(error);
        finding.keeps_from_loading = true;
        self.errors.push((self.area, finding));
    }

    /// Adds an error that explains a missing value.
    pub(crate) fn fail<T>(&mut self, error: Finding) -> Option<T> {
        self.error(error);
        None
    }

    /// Adds an error about a whole file.
    pub(crate) fn error_at(&mut self, code: Code, file: &Path, message: impl Into<String>) {
        self.error(Finding::new(code, file, message));
    }

    /// Adds a finding about something suspicious.
    pub(crate) fn warn(&mut self, finding: Finding) {
        let [_, warning] = self.area.codes();
        let mut finding = finding.with_code_of_area(warning);
        finding.keeps_from_loading = false;
        self.warnings.push(finding);
    }

    /// Adds a warning about a whole file.
    pub(crate) fn warn_at(&mut self, code: Code, file: &Path, message: impl Into<String>) {
        self.warn(Finding::new(code, file, message));
    }

    /// Drops the errors of this part of the package.
    pub(crate) fn forget(&mut self, area: Area) {
        self.errors.retain(|(of, _)| *of != area);
    }

    /// Turns the errors that `look` finds into warnings.
    pub(crate) fn as_warnings<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.errors.len();
        let seen = look(self);
        for (_, error) in self.errors.split_off(before) {
            self.warn(Finding {
                takes_code_of_area: true,
                ..error
            });
        }
        seen
    }

    /// The number of errors so far. A check that finds nothing need not report it if an error has
    /// already given the reason.
    pub(crate) fn error_count(&self) -> usize {
        self.errors.len()
    }

    /// Replaces the files of findings for which `known_as` returns another name.
    pub(crate) fn rename(&mut self, known_as: impl Fn(&Path) -> Option<PathBuf>) {
        let errors = self.errors.iter_mut().map(|(_, error)| error);
        for finding in errors.chain(&mut self.warnings) {
            if let Some(name) = known_as(&finding.file) {
                finding.file = name;
            }
        }
    }

    /// Returns the errors and the warnings: for each file the first hundred of either kind, and the
    /// number of the others, since a generated file may have tens of thousands.
    pub(crate) fn into_parts(self) -> (Vec<Finding>, Vec<Finding>) {
        let errors = self.errors.into_iter().map(|(_, error)| error).collect();
        (
            bounded(errors, "errors"),
            bounded(self.warnings, "warnings"),
        )
    }

    /// The warnings, or every error when there is one.
    pub(crate) fn into_result(self) -> Result<Vec<Finding>, PackageErrors> {
        let (errors, warnings) = self.into_parts();
        PackageErrors::check(errors).map(|()| warnings)
    }
}

/// The maximum number of findings of a kind that are reported for one file.
const MAX_PER_FILE: usize = 100;

/// Keeps the first findings of each file, and adds the number of the others.
fn bounded(findings: Vec<Finding>, kind: &str) -> Vec<Finding> {
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let (mut reported, mut rest) = (Vec::new(), BTreeMap::new());
    for finding in findings {
        let count = counts.entry(finding.file.clone()).or_default();
        *count += 1;
        if *count <= MAX_PER_FILE {
            reported.push(finding);
        } else {
            rest.insert(finding.file.clone(), finding);
        }
    }
    reported.extend(rest.into_values().map(|last| {
        let message = format!(
            "{} more {kind} in this file",
            counts[&last.file] - MAX_PER_FILE
        );
        Finding {
            message,
            line: None,
            column: None,
            hint: None,
            ..last
        }
    }));
    reported
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_hundred_findings_of_a_file_are_reported() {
        let mut findings = Findings::default();
        for line in 1..=80_000 {
            let place = Some(Position { line, column: 1 });
            findings.error(Finding::invalid(Path::new("/a"), place, "unknown key"));
            findings.warn(Finding::invalid(Path::new("/b"), place, "odd"));
        }
        findings.error(Finding::invalid(Path::new("/c"), None, "alone"));
        let (errors, warnings) = findings.into_parts();
        assert_eq!((errors.len(), warnings.len()), (102, 101));
        assert_eq!(
            errors[101].to_string(),
            "/a: 79900 more errors in this file"
        );
        assert_eq!(
            warnings[100].to_string(),
            "/b: 79900 more warnings in this file"
        );
    }

    #[test]
    fn place_comes_first_and_hint_on_a_separate_line() {
        let error = Finding::invalid(
            Path::new("/w/problems/x/problem.yaml"),
            Some(Position { line: 7, column: 1 }),
            "unknown key `limit`",
        )
        .hint(Some("did you mean `limits`?".to_owned()));
        assert_eq!(
            error.to_string(),
            "/w/problems/x/problem.yaml:7: unknown key `limit`\nhint: did you mean `limits`?"
        );
        assert_eq!(
            error.display_relative_to(Path::new("/w")).to_string(),
            "problems/x/problem.yaml:7: unknown key `limit`\nhint: did you mean `limits`?"
        );
        assert!(
            error
                .display_relative_to(Path::new("/v"))
                .to_string()
                .starts_with("/w/problems/")
        );
    }

    #[test]
    fn findings_without_a_code_get_the_area_code() {
        let mut findings = Findings::default();
        findings.enter(Area::Submissions);
        let named = Finding::new(code::LAYOUT_BROKEN, Path::new("/a"), "broken");
        let unnamed = Finding::invalid(Path::new("/b"), None, "broken");
        findings.error(unnamed.clone());
        findings.error(unnamed.clone().coded(code::LAYOUT_BROKEN));
        findings.warn(named);
        findings.warn(unnamed);
        let (errors, warnings) = findings.into_parts();
        let codes = |findings: &[Finding]| {
            findings
                .iter()
                .map(|finding| finding.code)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            codes(&errors),
            [code::SUBMISSION_BROKEN, code::LAYOUT_BROKEN]
        );
        assert_eq!(
            codes(&warnings),
            [code::LAYOUT_BROKEN, code::SUBMISSION_ODD]
        );
    }

    #[test]
    fn errors_replace_warnings() {
        let mut findings = Findings::default();
        findings.warn(Finding::invalid(Path::new("/a"), None, "odd"));
        assert_eq!(
            Findings {
                warnings: findings.warnings.clone(),
                ..Findings::default()
            }
            .into_result()
            .unwrap()
            .len(),
            1
        );
        findings.error(Finding::invalid(Path::new("/a"), None, "x"));
        let errors = findings.into_result().unwrap_err();
        assert_eq!(errors.to_string(), "/a: x");
    }
}

//! The findings about a package: errors, warnings, and the list in which they are collected.
//!
//! Responsible for the one form of findings: place, message, hint. Must not know what is checked.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::code::{self, Code};

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

/// The kind of reason why a package does not load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// It breaks a rule of the package format or of the workspace file.
    Invalid,
    /// The file system refused to show it.
    Unreadable,
}

/// One reason why a package or a workspace file does not load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageError {
    /// The kind of reason.
    pub kind: ErrorKind,
    /// The file or directory concerned, absolute.
    pub file: PathBuf,
    /// The line in the file, counted from 1.
    pub line: Option<u32>,
    /// The column in that line, in characters, counted from 1.
    pub column: Option<u32>,
    /// The message: what was expected and what was found.
    pub message: String,
    /// A hint that would help, if one is known.
    pub hint: Option<String>,
    /// The code, if it is a special one.
    code: Option<Code>,
    /// The area of the package in which it was found.
    area: Area,
}

impl PackageError {
    /// A broken rule.
    #[must_use]
    pub fn invalid(file: &Path, position: Option<Position>, message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Invalid,
            file: file.to_owned(),
            line: position.map(|p| p.line),
            column: position.map(|p| p.column),
            message: message.into(),
            hint: None,
            code: None,
            area: Area::default(),
        }
    }

    /// A refusal of the file system.
    #[must_use]
    pub fn unreadable(file: &Path, cause: &std::io::Error) -> Self {
        Self { kind: ErrorKind::Unreadable, ..Self::invalid(file, None, format!("cannot be read: {cause}")) }
    }

    /// The error in a line.
    #[must_use]
    pub(crate) fn in_line(mut self, line: Option<u32>) -> Self {
        self.line = line;
        self
    }

    /// The error with a hint.
    #[must_use]
    pub fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// The error with a code of its own, instead of that of the area in which it is found.
    #[must_use]
    pub(crate) fn coded(mut self, code: Code) -> Self {
        self.code = Some(code);
        self
    }

    /// The code of the kind of finding that it is.
    #[must_use]
    pub fn code(&self) -> Code {
        match self.kind {
            ErrorKind::Unreadable => code::UNREADABLE,
            ErrorKind::Invalid => self.code.unwrap_or(Area::default().error()),
        }
    }

    /// The error in words, with its file shown relative to `base` where it lies below it.
    pub fn display_relative_to<'a>(&'a self, base: &'a Path) -> impl fmt::Display + 'a {
        Written {
            file: relative(&self.file, base),
            line: self.line,
            message: &self.message,
            hint: self.hint.as_deref(),
        }
    }
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_relative_to(Path::new("")).fmt(f)
    }
}

impl std::error::Error for PackageError {}

/// A warning about something that is suspicious, but does not keep a package from loading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file or directory concerned, absolute.
    pub file: PathBuf,
    /// The line in the file, counted from 1.
    pub line: Option<u32>,
    /// The column in that line, in characters, counted from 1.
    pub column: Option<u32>,
    /// The message: what is suspicious, and what is done about it.
    pub message: String,
    /// A hint that would help, if one is known.
    pub hint: Option<String>,
    /// The code of the kind of finding that it is.
    pub code: Code,
}

impl Warning {
    /// The warning in words, with its file shown relative to `base` where it lies below it.
    pub fn display_relative_to<'a>(&'a self, base: &'a Path) -> impl fmt::Display + 'a {
        Written {
            file: relative(&self.file, base),
            line: self.line,
            message: &self.message,
            hint: self.hint.as_deref(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_relative_to(Path::new("")).fmt(f)
    }
}

/// A finding in its one written form: `file:line: message`, then `hint: …` on a line of its own.
struct Written<'a> {
    file: &'a Path,
    line: Option<u32>,
    message: &'a str,
    hint: Option<&'a str>,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)?;
        match self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

fn relative<'a>(file: &'a Path, base: &Path) -> &'a Path {
    match file.strip_prefix(base) {
        Ok(rest) if rest.as_os_str().is_empty() => Path::new("."),
        Ok(rest) if !base.as_os_str().is_empty() => rest,
        _ => file,
    }
}

/// Every reason why a package or a workspace file does not load. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageErrors(Vec<PackageError>);

impl PackageErrors {
    /// The errors, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, PackageError> {
        self.0.iter()
    }

    /// The number of errors.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl PackageErrors {
    /// Returns nothing when there are no errors, or else all of them.
    ///
    /// # Errors
    /// The errors themselves.
    pub fn check(errors: Vec<PackageError>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }
}

impl From<PackageError> for PackageErrors {
    fn from(error: PackageError) -> Self {
        Self(vec![error])
    }
}

impl IntoIterator for PackageErrors {
    type Item = PackageError;
    type IntoIter = std::vec::IntoIter<PackageError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a PackageErrors {
    type Item = &'a PackageError;
    type IntoIter = std::slice::Iter<'a, PackageError>;

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

/// The part of a package that is being read: the code of what is found there and has none of its own.
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
    /// Submissions and what is expected of them.
    Submissions,
}

impl Area {
    fn error(self) -> Code {
        match self {
            Self::Layout => code::LAYOUT_BROKEN,
            Self::Metadata => code::METADATA_BROKEN,
            Self::TestData => code::DATA_BROKEN,
            Self::Programs => code::PROGRAM_BROKEN,
            Self::Submissions => code::SUBMISSION_BROKEN,
        }
    }

    fn warning(self) -> Code {
        match self {
            Self::Layout => code::LAYOUT_ODD,
            Self::Metadata => code::METADATA_ODD,
            Self::TestData => code::DATA_ODD,
            Self::Programs => code::PROGRAM_ODD,
            Self::Submissions => code::SUBMISSION_ODD,
        }
    }
}

/// The findings so far. Checking goes on after an error, so that one look finds as much as possible.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    errors: Vec<PackageError>,
    warnings: Vec<Warning>,
    area: Area,
}

impl Findings {
    /// Enters a part of the package: everything that is found from here on belongs to it.
    pub(crate) fn enter(&mut self, area: Area) {
        self.area = area;
    }

    pub(crate) fn error(&mut self, error: PackageError) {
        let code = error.code.unwrap_or(self.area.error());
        self.errors.push(PackageError { area: self.area, ..error.coded(code) });
    }

    /// Drops what was found in this part of the package.
    pub(crate) fn forget(&mut self, area: Area) {
        self.errors.retain(|error| error.area != area);
    }

    /// Turns the errors that `look` finds into warnings.
    pub(crate) fn at_most_warnings<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.errors.len();
        let seen = look(self);
        for error in self.errors.split_off(before) {
            let position = error.line.zip(error.column).map(|(line, column)| Position { line, column });
            self.warn_with(&error.file, position, error.message, error.hint);
        }
        seen
    }

    /// The number of errors so far. A check that finds nothing need not say so when an error has already said why.
    pub(crate) fn error_count(&self) -> usize {
        self.errors.len()
    }

    pub(crate) fn warn(&mut self, file: &Path, position: Option<Position>, message: impl Into<String>) {
        self.warn_with(file, position, message, None);
    }

    pub(crate) fn warn_with(
        &mut self,
        file: &Path,
        position: Option<Position>,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        self.warnings.push(Warning {
            file: file.to_owned(),
            line: position.map(|p| p.line),
            column: position.map(|p| p.column),
            message: message.into(),
            hint,
            code: self.area.warning(),
        });
    }

    /// Gives the last warning a code of its own, instead of that of the area.
    pub(crate) fn coded(&mut self, code: Code) {
        if let Some(last) = self.warnings.last_mut() {
            last.code = code;
        }
    }

    /// The errors and the warnings.
    pub(crate) fn into_parts(mut self) -> (Vec<PackageError>, Vec<Warning>) {
        self.bound();
        (self.errors, self.warnings)
    }

    /// Leaves the first hundred errors and the first hundred warnings of each file, and says how many more there are: a
    /// generated file may have tens of thousands.
    fn bound(&mut self) {
        let more = bound(&mut self.errors, |error| &error.file);
        self.errors.extend(more.into_iter().map(|(last, more)| {
            let message = format!("{more} more errors in this file");
            PackageError { message, line: None, column: None, hint: None, ..last }
        }));
        let more = bound(&mut self.warnings, |warning| &warning.file);
        self.warnings.extend(more.into_iter().map(|(last, more)| {
            let message = format!("{more} more warnings in this file");
            Warning { message, line: None, column: None, hint: None, ..last }
        }));
    }

    /// Renames files in findings, where they have another name.
    pub(crate) fn rename(&mut self, known_as: impl Fn(&Path) -> Option<PathBuf>) {
        let files = self.errors.iter_mut().map(|error| &mut error.file);
        for file in files.chain(self.warnings.iter_mut().map(|warning| &mut warning.file)) {
            if let Some(name) = known_as(file) {
                *file = name;
            }
        }
    }

    /// The warnings, or every error when there is one.
    pub(crate) fn into_result(mut self) -> Result<Vec<Warning>, PackageErrors> {
        self.bound();
        if self.errors.is_empty() { Ok(self.warnings) } else { Err(PackageErrors(self.errors)) }
    }
}

/// The number of findings of a kind that are kept of one file.
const TOLD_OF_A_FILE: usize = 100;

/// Keeps the first findings of each file; the last of those that are dropped are returned, with their numbers.
fn bound<T: Clone>(findings: &mut Vec<T>, file: impl Fn(&T) -> &PathBuf) -> Vec<(T, usize)> {
    if findings.len() <= TOLD_OF_A_FILE {
        return Vec::new();
    }
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut dropped: BTreeMap<PathBuf, (T, usize)> = BTreeMap::new();
    findings.retain(|finding| {
        let count = counts.entry(file(finding).clone()).or_default();
        *count += 1;
        if *count > TOLD_OF_A_FILE {
            let (last, more) = dropped.entry(file(finding).clone()).or_insert_with(|| (finding.clone(), 0));
            last.clone_from(finding);
            *more += 1;
        }
        *count <= TOLD_OF_A_FILE
    });
    dropped.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_findings_in_a_file_the_first_hundred_are_told() {
        let mut findings = Findings::default();
        for line in 1..=80_000 {
            let place = Some(Position { line, column: 1 });
            findings.error(PackageError::invalid(Path::new("/a"), place, "unknown key"));
            findings.warn(Path::new("/b"), place, "odd");
        }
        findings.error(PackageError::invalid(Path::new("/c"), None, "alone"));
        let (errors, warnings) = findings.into_parts();
        assert_eq!((errors.len(), warnings.len()), (102, 101));
        assert_eq!(errors[101].to_string(), "/a: 79900 more errors in this file");
        assert_eq!(warnings[100].to_string(), "/b: 79900 more warnings in this file");
    }

    #[test]
    fn the_place_comes_first_and_the_hint_on_its_own_line() {
        let error = PackageError::invalid(
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
        assert!(error.display_relative_to(Path::new("/v")).to_string().starts_with("/w/problems/"));
    }

    #[test]
    fn errors_win_over_warnings() {
        let mut findings = Findings::default();
        findings.warn(Path::new("/a"), None, "odd");
        assert_eq!(
            Findings { warnings: findings.warnings.clone(), ..Findings::default() }.into_result().unwrap().len(),
            1
        );
        findings.error(PackageError::invalid(Path::new("/a"), None, "x"));
        let errors = findings.into_result().unwrap_err();
        assert_eq!(errors.to_string(), "/a: x");
    }
}

//! Kinds of reports: the formats in which a run can be reported, besides the terminal.
//!
//! Responsible for their names. Must not know the formats themselves.

use std::fmt;
use std::str::FromStr;

use crate::names::{UnknownName, find_by_name};

/// A format in which a run can be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReportKind {
    /// The event stream as JSON Lines, or the document of a command as JSON.
    Json,
    /// JUnit XML, which every CI reads.
    Junit,
    /// Markdown, for a comment on a pull request or the summary of a job.
    Markdown,
    /// Annotations of files, as GitHub's workflow commands.
    Github,
    /// Annotations of files, as GitLab's code quality report.
    Gitlab,
    /// Findings as SARIF, for code scanning.
    Sarif,
    /// A page for a browser, in one file.
    Html,
    /// A line for each finding, for editors and their problem matchers.
    Short,
}

impl ReportKind {
    /// Every kind, in the order in which help lists them.
    pub const ALL: [Self; 8] = [
        Self::Json,
        Self::Junit,
        Self::Markdown,
        Self::Github,
        Self::Gitlab,
        Self::Sarif,
        Self::Html,
        Self::Short,
    ];

    /// The name as it is written on the command line and in `judge.yaml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Sarif => "sarif",
            Self::Html => "html",
            Self::Short => "short",
        }
    }
}

impl fmt::Display for ReportKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ReportKind {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find_by_name("kind of report", Self::ALL, Self::name, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_parse_and_others_are_refused() {
        for kind in ReportKind::ALL {
            assert!(!kind.name().is_empty());
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        let error = "xml".parse::<ReportKind>().unwrap_err().to_string();
        assert!(
            error.contains("`xml`") && error.contains("`junit`, `markdown`"),
            "{error}"
        );
    }
}

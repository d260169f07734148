//! The errors of selections.

use std::path::PathBuf;

use crate::disk::archive::UnpackError;
use crate::error::PackageErrors;

/// An error that prevents packages from being selected.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// A word that names nothing. The hint is on a separate line.
    #[error("`{what}` names no {expected}{}", hint_line(.hint.as_deref()))]
    NoMatch {
        /// The word.
        what: String,
        /// The kinds of parts that it could name.
        expected: &'static str,
        /// A hint that would help, if one is known.
        hint: Option<String>,
    },
    /// No word was given, and there is no package.
    #[error("no problem package in {}{}\nhint: a package is a directory with a `problem.yaml`", directory.display(),
        unsearched(.clones).map(|text| format!("; {text}")).unwrap_or_default())]
    NoPackages {
        /// The workspace's directory.
        directory: PathBuf,
        /// Clones of Git repositories that were not searched for packages.
        clones: Vec<PathBuf>,
    },
    /// A word that is an invalid glob.
    #[error("`{what}` is not a valid pattern: {cause}")]
    Glob {
        /// The word.
        what: String,
        /// The error in the pattern.
        cause: globset::Error,
    },
    /// Directories that could not be searched.
    #[error(transparent)]
    Unreadable(#[from] PackageErrors),
    /// An archive for which this host has no space.
    #[error("`{}` cannot be unpacked: {cause}", archive.display())]
    NoRoom {
        /// The archive.
        archive: PathBuf,
        /// The refusal of the host.
        cause: Box<UnpackError>,
    },
}

fn hint_line(hint: Option<&str>) -> String {
    hint.map(|hint| format!("\nhint: {hint}"))
        .unwrap_or_default()
}

/// A sentence about clones that were not searched, if there are any.
pub(super) fn unsearched(clones: &[PathBuf]) -> Option<String> {
    let first = clones.first()?.display();
    Some(match clones.len() {
        1 => format!("the Git repository `{first}` was not searched: name it to search it"),
        number => format!(
            "{number} Git repositories, such as `{first}`, were not searched: name them to search them"
        ),
    })
}

/// Returns a function for `map_err` that names the word with an invalid glob.
pub(super) fn invalid(word: &str) -> impl Fn(globset::Error) -> SelectError {
    move |cause| SelectError::Glob {
        what: word.to_owned(),
        cause,
    }
}

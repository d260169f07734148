//! Selection: resolves the words of a user to packages, test cases and submissions.
//!
//! Responsible for what the words of WHAT select together, and for checking it: must not load
//! packages, so [`Selection::check`] checks the matches of filters after loading.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_model::Problem;

use super::search::{Matches, Search};
use super::select_error::{SelectError, invalid, unsearched};
use crate::disk::archive::UnpackError;
use crate::disk::names::is_archive;
use crate::suggest::did_you_mean;
use crate::workspace::filter::{Filter, Part};
use crate::workspace::{Workspace, normal};

/// The selection of a command: packages, each with its filter, in order of their paths.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The packages.
    pub packages: Vec<SelectedPackage>,
    /// Clones of Git repositories that were not searched for packages, since nothing was named
    /// and there is no `judge.yaml`.
    clones: Vec<PathBuf>,
}

/// A selected package, with a filter.
#[derive(Clone, Debug)]
pub struct SelectedPackage {
    /// Its directory, absolute.
    pub directory: PathBuf,
    /// The filter for its test cases and submissions, to be applied after loading.
    pub filter: Filter,
}

/// Finds what each word of `what` names, seen from `cwd`: the name of a problem, a path to or
/// into a package, to a directory above packages or into the solutions of a problem, a glob
/// over names, or a name (or glob) followed by a glob over test cases (`fiveup/secret/03*`) or
/// submissions (`fiveup/wrong_answer/*`, `fiveup/greedy.rs`). In a package, or in the solutions
/// of a problem, the name may be left out.
///
/// Words add up. Without any, the place of the current directory is selected: a package, the
/// solutions of a problem, a part of the problems; otherwise every package of the workspace.
///
/// # Errors
/// The first word that names nothing. [`Selection::check`] checks that test cases and
/// submissions are there.
pub fn select(
    workspace: &Workspace,
    what: &[String],
    cwd: &Path,
) -> Result<Selection, SelectError> {
    let cwd = normal(cwd).unwrap_or_else(|_| cwd.to_owned());
    let mut search = Search {
        workspace,
        cwd: &cwd,
        discovered: None,
    };
    let mut found = if what.is_empty() {
        search.without_words()?
    } else {
        Vec::new()
    };
    for word in what {
        found.extend(
            search
                .word(word)
                .map_err(|error| search.hint_at_package(error, what))?,
        );
    }
    // Words on the command line select explicitly, so clones that were not searched matter only
    // without words.
    let clones = search
        .discovered
        .map(|found| found.clones)
        .filter(|_| what.is_empty())
        .unwrap_or_default();
    Ok(Selection {
        clones,
        ..selection(workspace, found)?
    })
}

/// Finds what a word names for a command about one package, from any directory: the names of its
/// parts come first.
///
/// # Errors
/// As for [`select`].
pub fn select_for_problem(
    workspace: &Workspace,
    package: &Path,
    word: &str,
    cwd: &Path,
) -> Result<Selection, SelectError> {
    let cwd = normal(cwd).unwrap_or_else(|_| cwd.to_owned());
    let mut search = Search {
        workspace,
        cwd: &cwd,
        discovered: None,
    };
    let text = word.trim_matches('/');
    let inside = search.inside(package.to_owned());
    // An existing path has priority over a part of the package with this name.
    let path = normal(&cwd.join(word)).ok().filter(|path| path.exists());
    let found = match inside.existing_part(word, text).map_err(invalid(word))? {
        Some(part) if path.is_none() => vec![(package.to_owned(), part)],
        _ => match (
            search.word(word),
            inside.possible_part(word, text).map_err(invalid(word))?,
        ) {
            (Err(SelectError::NoMatch { .. }), Some(part)) => vec![(package.to_owned(), part)],
            (found, _) => found?,
        },
    };
    selection(workspace, found)
}

/// Combines the matches of each package.
fn selection(workspace: &Workspace, named: Matches) -> Result<Selection, SelectError> {
    let mut found: BTreeMap<PathBuf, Vec<Part>> = BTreeMap::new();
    for (package, part) in named {
        found.entry(package).or_default().push(part);
    }
    let mut selection = Selection::default();
    for (directory, parts) in found {
        let mut filter = Filter::default();
        // If a user names a package and one of its test cases, the whole package is selected, by an
        // empty filter.
        if !parts.iter().any(|part| matches!(part, Part::Everything)) {
            parts.into_iter().for_each(|part| filter.add(part));
        }
        selection.packages.push(SelectedPackage {
            directory: opened(workspace, directory)?,
            filter,
        });
    }
    Ok(selection)
}

/// The directory of a package that is an archive. A broken one is reported when it is loaded, like
/// other packages. Missing space on the host is not a fault of a package.
fn opened(workspace: &Workspace, package: PathBuf) -> Result<PathBuf, SelectError> {
    if !is_archive(&package) || !package.is_file() {
        return Ok(package);
    }
    match workspace.unpacked.package(&package) {
        Ok(unpacked) => Ok(unpacked),
        Err(UnpackError::Unsound(_)) => Ok(package),
        Err(cause) => Err(SelectError::NoRoom {
            archive: package,
            cause: Box::new(cause),
        }),
    }
}

impl Selection {
    /// A sentence about directories that were not searched for packages, if there are any.
    #[must_use]
    pub fn unsearched(&self) -> Option<String> {
        unsearched(&self.clones)
    }

    /// Checks, once the packages are loaded, that every word matched a test case or a
    /// submission of some package.
    ///
    /// # Errors
    /// The first word that matched none.
    pub fn check<'p>(
        &self,
        problems: impl IntoIterator<Item = &'p Problem>,
    ) -> Result<(), SelectError> {
        let mut words: BTreeMap<&str, (bool, &'static str)> = BTreeMap::new();
        let mut ids: Vec<String> = Vec::new();
        for problem in problems {
            let Some(package) = self
                .packages
                .iter()
                .find(|package| package.directory == problem.directory)
            else {
                continue;
            };
            let cases: Vec<&str> = problem
                .test_cases
                .iter()
                .map(|case| case.id.as_str())
                .collect();
            let submissions: Vec<&str> = problem
                .submissions
                .iter()
                .map(|submission| submission.id.as_str())
                .collect();
            for (patterns, known, expected) in [
                (&package.filter.test_cases, &cases, "test case"),
                (&package.filter.submissions, &submissions, "submission"),
            ] {
                for pattern in patterns {
                    let matched = known.iter().any(|id| pattern.matches(id));
                    // A word may name parts of several packages, and is valid if it matches in one
                    // of them.
                    words.entry(&pattern.word).or_insert((false, expected)).0 |= matched;
                    ids.extend(
                        known
                            .iter()
                            .flat_map(|id| [format!("{}/{id}", problem.name), (*id).to_owned()]),
                    );
                }
            }
        }
        match words.into_iter().find(|(_, (matched, _))| !matched) {
            Some((word, (_, expected))) => Err(SelectError::NoMatch {
                what: word.to_owned(),
                expected,
                hint: did_you_mean(
                    word,
                    ids.iter().map(String::as_str).chain(directories_of(&ids)),
                )
                .or_else(|| Some(format!("`judge list -v` shows each {expected}"))),
            }),
            None => Ok(()),
        }
    }
}

/// The directories in ids of parts: `a` and `a/b` for `a/b/c`.
fn directories_of(ids: &[String]) -> impl Iterator<Item = &str> {
    ids.iter()
        .flat_map(|id| id.match_indices('/').map(|(end, _)| &id[..end]))
}

#[cfg(test)]
#[path = "select_tests.rs"]
mod tests;

//! The submissions of one problem that a command line names, inside and outside of packages.
//!
//! Responsible for finding the submissions and their problem. Must not know what a command does
//! with them.

use std::path::{Path, PathBuf};

use judge_model::{Problem, Submission};
use judge_package::{
    LoadedPackage, SelectError, did_you_mean, names_submission, select, select_for_problem,
};

use crate::commands::judging::submit::{
    guess, note_main_file, outside_program, package_named, resolve,
};
use crate::commands::selection::{load_package, load_problem};
use crate::config::Config;
use crate::failure::Failure;

/// Returns the package, and the submissions in the order of the command line, without expectations.
/// A submission that is named twice is returned twice, with different ids.
pub(crate) fn named_submissions(
    config: &Config,
    problem: Option<&str>,
    words: &[String],
) -> Result<(LoadedPackage, Vec<Submission>), Failure> {
    let package = problem
        .map(|problem| package_named(config, problem))
        .transpose()?;
    let words = words
        .iter()
        .map(|word| submissions_of_word(config, package.as_deref(), word));
    let words = words.collect::<Result<Vec<_>, _>>()?;
    let inside = words.iter().find_map(|word| match word {
        NamedSubmissions::Inside(package, _) => Some(package),
        NamedSubmissions::Outside(_) => None,
    });
    let outside = words.iter().find_map(|word| match word {
        NamedSubmissions::Outside(path) => Some(path),
        NamedSubmissions::Inside(..) => None,
    });
    let package = match (package, inside, outside) {
        (Some(given), ..) => given,
        (None, Some(package), _) => package.clone(),
        (None, None, Some(path)) => guess(config, path)?,
        (None, None, None) => return Err(Failure::Usage("expected submissions".to_owned())),
    };
    let mut submissions = Vec::new();
    for word in words {
        match word {
            NamedSubmissions::Inside(directory, found) if directory == package => {
                submissions.extend(found);
            }
            NamedSubmissions::Inside(directory, _) => {
                let (one, other) = (config.shown(&package), config.shown(&directory));
                return Err(Failure::Usage(format!(
                    "expected submissions of one problem, found `{one}` and `{other}`"
                )));
            }
            NamedSubmissions::Outside(path) => {
                let submission = outside_program(config, &path)?;
                note_main_file(config, &submission);
                submissions.push(submission);
            }
        }
    }
    Submission::make_ids_distinct(&mut submissions);
    submissions
        .iter_mut()
        .for_each(|submission| submission.expectations.clear());
    Ok((load_package(config, &package)?, submissions))
}

/// Returns the paths of the submissions that a word names, among the entrants and the problem's
/// submissions.
pub(crate) fn paths_of(
    config: &Config,
    problem: &Problem,
    entrants: &[Submission],
    word: &str,
) -> Result<Vec<PathBuf>, Failure> {
    let named = entrants
        .iter()
        .filter(|submission| names_submission(word, &submission.id));
    let paths: Vec<PathBuf> = named.map(|submission| submission.path.clone()).collect();
    match submissions_of_word(config, Some(&problem.directory), word) {
        Ok(NamedSubmissions::Inside(_, found)) => Ok(paths
            .into_iter()
            .chain(found.into_iter().map(|submission| submission.path))
            .collect()),
        Ok(NamedSubmissions::Outside(path)) => Ok(paths.into_iter().chain([path]).collect()),
        Err(_) if !paths.is_empty() => Ok(paths),
        Err(Failure::NothingSelected(_)) => {
            let ids = || {
                entrants
                    .iter()
                    .chain(&problem.submissions)
                    .map(|submission| submission.id.as_str())
            };
            let files = ids().filter_map(|id| Some(id.rsplit_once('/')?.1));
            let hint = did_you_mean(word, ids().chain(files))
                .unwrap_or_else(|| "`judge list -v` shows the submissions".to_owned());
            let problem = config.shown(&problem.directory);
            Err(Failure::NothingSelected(format!(
                "`{word}` names no submission of `{problem}`\nhint: {hint}"
            )))
        }
        Err(failure) => Err(failure),
    }
}

/// Returns the ids of the submissions of a package that words name, from any directory.
pub(crate) fn ids_of(
    config: &Config,
    package: &Path,
    words: &[String],
) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::new();
    for word in words {
        match submissions_of_word(config, Some(package), word)? {
            NamedSubmissions::Inside(directory, found) if directory == package => {
                ids.extend(found.into_iter().map(|submission| submission.id));
            }
            NamedSubmissions::Inside(..) | NamedSubmissions::Outside(_) => {
                let problem = config.shown(package);
                return Err(Failure::NothingSelected(format!(
                    "`{word}` names no submission of `{problem}`"
                )));
            }
        }
    }
    Ok(ids)
}

/// The submissions that a word names.
enum NamedSubmissions {
    /// Submissions of a package.
    Inside(PathBuf, Vec<Submission>),
    /// A file or directory.
    Outside(PathBuf),
}

/// Finds the submissions of a package that a word names, by name or by path, or else the file or
/// directory at the path. With `package`, the names of its parts suffice.
fn submissions_of_word(
    config: &Config,
    package: Option<&Path>,
    word: &str,
) -> Result<NamedSubmissions, Failure> {
    let path = config.directory.join(word).canonicalize().ok();
    let (workspace, here) = (&config.workspace, &config.directory);
    let selected = match package {
        Some(package) => select_for_problem(workspace, package, word, here),
        None => select(workspace, &[word.to_owned()], here),
    };
    let selection = match selected {
        Ok(selection) => selection,
        Err(SelectError::NoMatch { .. }) if path.is_some() => {
            return Ok(NamedSubmissions::Outside(resolve(config, Path::new(word))?));
        }
        Err(error) => return Err(error.into()),
    };
    let mut found = Vec::new();
    let mut problems = Vec::new();
    for package in selection
        .packages
        .iter()
        .filter(|package| package.filter.names_submissions())
    {
        let problem = load_problem(config, &package.directory)?;
        let submissions = problem
            .submissions
            .iter()
            .filter(|submission| package.filter.matches_submission(&submission.id));
        let submissions: Vec<_> = submissions.cloned().collect();
        if !submissions.is_empty() {
            found.push(NamedSubmissions::Inside(
                package.directory.clone(),
                submissions,
            ));
        }
        problems.push(problem);
    }
    match (found.len(), path) {
        (1, _) => Ok(found.remove(0)),
        // A draft may lie among the package's files. A directory in a package is a program only if
        // it is a submission.
        (0, Some(path))
            if path.is_file()
                || selection
                    .packages
                    .iter()
                    .all(|package| !path.starts_with(&package.directory)) =>
        {
            // The word is resolved again: a link must not lead to an answer.
            drop(path);
            resolve(config, Path::new(word)).map(NamedSubmissions::Outside)
        }
        (0, _) => {
            selection.check(&problems)?;
            Err(Failure::NothingSelected(format!(
                "`{word}` names no submission\nhint: name a file, or a solution such as `PROBLEM/accepted/NAME`"
            )))
        }
        (several, _) => Err(Failure::Usage(format!(
            "`{word}` names submissions of {several} problems; expected one"
        ))),
    }
}

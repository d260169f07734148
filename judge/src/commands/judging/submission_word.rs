//! The submissions that one word of a command line names.
//!
//! Responsible for the meaning of a word: a part of a package, or a file. Must not know what a
//! command does with them.

use std::path::{Path, PathBuf};

use judge_model::Submission;
use judge_package::{SelectError, select, select_for_problem};

use crate::commands::judging::submit::resolve;
use crate::commands::selection::load_problem;
use crate::config::Config;
use crate::failure::Failure;

/// The submissions that a word names.
pub(super) enum NamedSubmissions {
    /// Submissions of a package.
    Inside(PathBuf, Vec<Submission>),
    /// A file or directory.
    Outside(PathBuf),
}

/// Finds the submissions of a package that a word names, by name or by path, or else the file or
/// directory at the path. With `package`, the names of its parts suffice.
pub(super) fn submissions_of_word(
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

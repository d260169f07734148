//! Entrants: the submissions of one problem that a command line names, wherever they lie.
//!
//! Responsible for which submissions are meant, and of which problem. Must not know what is done with them.

use std::path::{Path, PathBuf};

use judge_model::Submission;
use judge_package::{LoadedPackage, SelectError, load, outside_submission, select};

use crate::commands::judging::run::select_failure;
use crate::commands::judging::submit::{guess, named, resolve};
use crate::config::Config;
use crate::failure::Failure;

/// The submissions, without anything expected. One that is named twice is compared with itself.
pub(crate) fn with_names_of_their_own(mut submissions: Vec<Submission>) -> Vec<Submission> {
    for index in 0..submissions.len() {
        let taken = |id: &str| submissions[..index].iter().any(|earlier| earlier.id == id);
        let own = submissions[index].id.clone();
        let id = (1..).map(|n| if n == 1 { own.clone() } else { format!("{own} ({n})") }).find(|id| !taken(id));
        submissions[index].id = id.unwrap_or(own);
        submissions[index].expectations.clear();
    }
    submissions
}

/// What a word names.
enum Named {
    /// Submissions of a package.
    Inside(PathBuf, Vec<Submission>),
    /// A file or directory.
    Outside(PathBuf),
}

/// The package, and the submissions in the order in which they were named.
pub(crate) fn entered(
    config: &Config,
    problem: Option<&str>,
    words: &[String],
) -> Result<(LoadedPackage, Vec<Submission>), Failure> {
    let words = words.iter().map(|word| one_word(config, problem, word));
    let words = words.collect::<Result<Vec<_>, _>>()?;
    let inside = words.iter().find_map(|word| if let Named::Inside(package, _) = word { Some(package) } else { None });
    let outside = words.iter().find_map(|word| if let Named::Outside(path) = word { Some(path) } else { None });
    let package = match (problem, inside, outside) {
        (Some(problem), ..) => named(config, problem)?,
        (None, Some(package), _) => package.clone(),
        (None, None, Some(path)) => guess(config, path)?,
        (None, None, None) => return Err(Failure::Usage("expected submissions".to_owned())),
    };
    let mut submissions = Vec::new();
    for word in words {
        match word {
            Named::Inside(of, found) if of == package => submissions.extend(found),
            Named::Inside(of, _) => {
                let (one, other) = (config.told(&package), config.told(&of));
                return Err(Failure::Usage(format!(
                    "expected submissions of one problem, found `{one}` and `{other}`"
                )));
            }
            Named::Outside(path) => submissions.push(
                outside_submission(&path, &config.workspace.languages)
                    .map_err(|errors| Failure::Usage(errors.to_string()))?,
            ),
        }
    }
    Ok((load_package(config, &package)?, submissions))
}

pub(crate) fn load_package(config: &Config, package: &Path) -> Result<LoadedPackage, Failure> {
    load(package, &config.workspace).map_err(|errors| Failure::package(&errors, &config.workspace.root))
}

/// The submission of a problem that is called so, or those in the directory that is.
fn of_problem(config: &Config, problem: &str, word: &str) -> Result<Option<Named>, Failure> {
    let package = named(config, problem)?;
    let mut found = load_package(config, &package)?.problem.submissions;
    let word = word.trim_end_matches('/');
    found.retain(|of| of.id.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    Ok((!found.is_empty()).then_some(Named::Inside(package, found)))
}

/// Submissions of a package, by name or by where they lie; or else whatever lies at the path. Of the problem that is asked
/// for, the name without the problem's will do.
fn one_word(config: &Config, problem: Option<&str>, word: &str) -> Result<Named, Failure> {
    let path = config.directory.join(word).canonicalize().ok();
    let selection = match select(&config.workspace, &[word.to_owned()], &config.directory) {
        Ok(selection) => selection,
        Err(error @ SelectError::NoMatch { .. }) => {
            if path.is_some() {
                return Ok(Named::Outside(resolve(config, Path::new(word))?));
            }
            let own = problem.map(|problem| of_problem(config, problem, word)).transpose()?.flatten();
            return own.ok_or_else(|| select_failure(&error));
        }
        Err(error) => return Err(select_failure(&error)),
    };
    let mut found = Vec::new();
    for package in selection.packages.iter().filter(|package| package.filter.names_submissions()) {
        let submissions = load_package(config, &package.directory)?.problem.submissions;
        let wanted: Vec<_> = submissions.into_iter().filter(|of| package.filter.matches_submission(&of.id)).collect();
        if !wanted.is_empty() {
            found.push(Named::Inside(package.directory.clone(), wanted));
        }
    }
    match (found.len(), path) {
        (1, _) => Ok(found.remove(0)),
        // A draft may lie beside the package's files. Of directories in a package, only submissions are programs.
        (0, Some(path))
            if path.is_file() || selection.packages.iter().all(|package| !path.starts_with(&package.directory)) =>
        {
            // Named by a link, it must not be an answer.
            drop(path);
            resolve(config, Path::new(word)).map(Named::Outside)
        }
        (0, _) => Err(Failure::NothingSelected(format!(
            "`{word}` names no submission\nhint: name a file, or a solution such as `PROBLEM/accepted/NAME`"
        ))),
        (several, _) => Err(Failure::Usage(format!("`{word}` names submissions of {several} problems; expected one"))),
    }
}

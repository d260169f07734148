//! `--staged`: the changes to be committed or pushed, for Git hooks.
//!
//! Responsible for recognizing the kind of hook, and for the packages of named files.
//!
//! A commit consists of the files in the index. Files that are unknown to Git or changed since are
//! ignored. Hooks get the names of existing files only; a commit that removes a file affects its
//! package too. If a hook gets all files of a commit, the commit itself is read.

use std::path::{Component, Path, PathBuf};

use super::git::{Git, path_of, paths};
use super::{Changes, text};
use crate::config::Config;
use crate::failure::Failure;

/// The changes or packages that a Git hook checks.
#[derive(Debug)]
pub(crate) enum Staged {
    /// The changes of a commit or of a push, and the words that describe them.
    Changes {
        changes: Changes,
        in_words: &'static str,
    },
    /// The packages of the named files; empty when these belong to no package.
    Packages(Vec<String>),
}

/// Finds the changes to check for a hook that passes these files.
///
/// # Errors
///
/// When Git cannot read the index, or cannot resolve one end of a push.
pub(crate) fn changes_of_hook(config: &Config, files: &[String]) -> Result<Staged, Failure> {
    // `pre-commit` names both ends of a push in these variables.
    let pushed = ["PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"]
        .map(|name| std::env::var(name).unwrap_or_default());
    if let [from, to] = &pushed
        && !from.is_empty()
        && !to.is_empty()
    {
        let changes = Changes::since(&config.workspace, &format!("{from}..{to}"))?;
        return Ok(Staged::Changes {
            changes,
            in_words: "in the commits to be pushed",
        });
    }
    let named = || Ok(Staged::Packages(packages(&config.directory, files)));
    let in_repository = |git: Git| {
        git.ask(&["rev-parse", "--show-toplevel"])
            .map(|top| (git, path_of(&top)))
    };
    let (git, top) = match Git::at(&config.directory).and_then(in_repository) {
        Ok(found) => found,
        Err(why) if files.is_empty() => return Err(Failure::Usage(format!("--staged: {why}"))),
        // A hook names the files that it is about, and those can be checked anywhere.
        Err(_) => return named(),
    };
    // Before the first commit, the index is compared with the empty tree.
    let head = git
        .ask(&["rev-parse", "--quiet", "--verify", "HEAD"])
        .or_else(|_| git.ask(&["hash-object", "-t", "tree", "--stdin"]));
    let failed = |why| {
        Failure::Usage(format!(
            "--staged: Git cannot list the changes to be committed: {why}"
        ))
    };
    let head = text(&head.map_err(failed)?);
    let all = staged(&git, &head, &[]).map_err(failed)?;
    if all.is_empty()
        || (!files.is_empty() && staged(&git, &head, files).map_err(failed)?.len() != files.len())
    {
        return named();
    }
    Ok(Staged::Changes {
        changes: Changes::below(&top, all),
        in_words: "in the changes to be committed",
    })
}

/// Returns the files that differ between the last commit, which may be an empty tree, and the
/// index, by their paths below the top of the repository. If `files` is not empty, only these files
/// are considered.
///
/// The index is read and never written as a tree: writing follows links that a repository has in
/// its object directory.
fn staged(git: &Git, head: &str, files: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut command = vec![
        "diff-index",
        "--cached",
        "--name-only",
        "--no-renames",
        "-z",
        head,
        "--",
    ];
    command.extend(files.iter().map(String::as_str));
    Ok(paths(&git.ask(&command)?))
}

/// The packages of these files, each once: the outermost directories with a `problem.yaml`.
fn packages(directory: &Path, files: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let above = Path::new(file)
            .ancestors()
            .skip(1)
            .filter(|place| place.components().next().is_some());
        let package = above
            .filter(|place| directory.join(place).join("problem.yaml").is_file())
            .last();
        let package = package.map(Path::to_owned).or_else(|| {
            // The directory itself may be the package.
            let is_below = Path::new(file)
                .components()
                .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
            (is_below && directory.join("problem.yaml").is_file()).then(|| PathBuf::from("."))
        });
        let package = package.map(|package| package.display().to_string());
        found.extend(package.filter(|package| !found.contains(package)));
    }
    found
}

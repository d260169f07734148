//! `--staged`: what is about to be committed or pushed, as a hook is started for it.
//!
//! Responsible for finding out which of them it is, and which packages are meant when somebody named other files. Must not
//! know what is done with them, nor how changes are told apart from what is as before.
//!
//! What is about to be committed is what the index has: files beside it, unknown to Git or changed since, are nobody's
//! business. Hooks are told of files that are there only; a commit that removes a file concerns its package too, so a hook
//! that is given all files of a commit looks at the commit itself.

use std::path::{Component, Path, PathBuf};

use super::git::Git;
use super::text;
use crate::config::Config;
use crate::failure::Failure;

/// What a hook is started for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Staged {
    /// A commit or a push: two ends, as `--since` takes them, and the words for what lies between.
    Range { range: String, in_words: &'static str },
    /// Packages, by the files that were named; none when these belong to no package.
    Packages(Vec<String>),
}

/// Finds out what is meant by these files.
///
/// # Errors
///
/// When the index cannot be a commit, such as in the middle of a merge.
pub(crate) fn meant(config: &Config, files: &[String]) -> Result<Staged, Failure> {
    // How `pre-commit` names both ends of a push.
    let pushed = ["PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"].map(|name| std::env::var(name).unwrap_or_default());
    if let [from, to] = &pushed
        && !from.is_empty()
        && !to.is_empty()
    {
        return Ok(Staged::Range { range: format!("{from}..{to}"), in_words: "in what is to be pushed" });
    }
    let named = || Ok(Staged::Packages(packages(&config.directory, files)));
    let Ok(git) = Git::at(&config.directory) else { return named() };
    // Before the first commit there is nothing that it could be compared with.
    let head = git
        .ask(&["rev-parse", "--quiet", "--verify", "HEAD"])
        .or_else(|_| git.ask(&["hash-object", "-t", "tree", "--stdin"]));
    let failed = |why| Failure::Usage(format!("--staged: Git cannot list what is to be committed: {why}"));
    let head = text(&head.map_err(failed)?);
    let all = staged(&git, &head, &[]);
    if all == 0 || (!files.is_empty() && staged(&git, &head, files) != files.len()) {
        return named();
    }
    let tree = git.ask(&["write-tree"]).map_err(failed)?;
    Ok(Staged::Range { range: format!("{head}..{}", text(&tree)), in_words: "in what is to be committed" })
}

/// How many of these files differ between the last commit, which may be an empty tree, and the index. Without files,
/// how many there are; none outside of any repository.
fn staged(git: &Git, head: &str, files: &[String]) -> usize {
    let mut command = vec!["diff-index", "--cached", "--name-only", "--no-renames", "-z", head, "--"];
    command.extend(files.iter().map(String::as_str));
    git.ask(&command).map_or(0, |names| names.iter().filter(|byte| **byte == 0).count())
}

/// The packages that these files lie in, each once: the outermost directories with a `problem.yaml`.
fn packages(directory: &Path, files: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let above = Path::new(file).ancestors().skip(1).filter(|place| place.components().next().is_some());
        let package = above.filter(|place| directory.join(place).join("problem.yaml").is_file()).last();
        let package = package.map(Path::to_owned).or_else(|| {
            // A file of the package that the directory itself is.
            let is_below =
                Path::new(file).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
            (is_below && directory.join("problem.yaml").is_file()).then(|| PathBuf::from("."))
        });
        let package = package.map(|package| package.display().to_string());
        found.extend(package.filter(|package| !found.contains(package)));
    }
    found
}

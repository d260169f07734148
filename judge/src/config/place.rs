//! The workspace of a command: that of the directory it is started in, or the one that its words
//! lead to.
//!
//! Responsible for choosing between them. Must not know what the words select there.

use std::path::{Path, PathBuf};

use judge_package::{Workspace, normal};

use crate::args::Words;
use crate::failure::Failure;

/// Finds the workspace of a command. The path of a problem elsewhere leads to the workspace around
/// that problem, with its solutions and settings. Paths of programs lead to a workspace only if the
/// directory itself has no `judge.yaml`: a program may lie anywhere.
pub(super) fn workspace(directory: &Path, words: &Words<'_>) -> Result<Workspace, Failure> {
    let find =
        |place: &Path| Workspace::find(place).map_err(|errors| Failure::workspace(&errors, place));
    let here = find(directory)?;
    let elsewhere = |word: &str| {
        let place = place(directory, word)
            .filter(|place| here.file.is_none() || !place.starts_with(&here.root));
        let found = place.map(|place| find(&place)).transpose()?;
        Ok::<_, Failure>(found.filter(|found| found.file.is_some() && found.root != here.root))
    };
    let mut found: Option<(&str, Workspace)> = None;
    let mut local_word: Option<&str> = None;
    for word in &words.what {
        match (elsewhere(word)?, &found) {
            (None, _) => local_word = Some(word),
            (Some(other), Some((first, one))) if other.root != one.root => {
                return Err(different_workspaces(first, word));
            }
            (Some(_), Some(_)) => {}
            (Some(other), None) => found = Some((word, other)),
        }
    }
    if let (Some((first, _)), Some(word)) = (&found, local_word) {
        return Err(different_workspaces(first, word));
    }
    if here.file.is_none() {
        for word in &words.programs {
            if let Some(other) = elsewhere(word)? {
                return Ok(other);
            }
        }
    }
    Ok(found.map_or(here, |(_, workspace)| workspace))
}

fn different_workspaces(one: &str, other: &str) -> Failure {
    Failure::Usage(format!(
        "`{one}` and `{other}` lie in different workspaces\nhint: run the command once for each workspace"
    ))
}

/// The existing part of the path that a word names, unless it is only a directory around the
/// current one.
fn place(directory: &Path, word: &str) -> Option<PathBuf> {
    let whole = normal(&directory.join(word)).ok()?;
    let existing = whole.ancestors().find(|place| place.exists())?;
    (existing == whole || !directory.starts_with(existing)).then(|| existing.to_owned())
}

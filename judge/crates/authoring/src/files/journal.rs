//! The journal: what is being put in place, so that a run that was killed meanwhile is ended by the next one.
//!
//! Responsible for the steps and for what of them is still to be done. Must not decide what changes.
//!
//! It lies in the package, under a hidden name, from before the first step until after the last. Somebody may have
//! changed files since: what they wrote stays. The file itself may come from anywhere: it can only move hidden files of
//! this module to places where test data belongs.

use std::fs;
use std::io;
use std::path::{Component, Path};

use judge_files::{ReplacementOptions, replace};
use judge_package::GENERATORS_FILE;
use serde::{Deserialize, Serialize};

use crate::files::lock::LOCK_FILE;
use crate::files::place::{HIDDEN, PlaceError, failed};
use crate::files::reading::Content;

const JOURNAL_FILE: &str = "generators/.judge-generate-journal";

/// Everything that is to be done. Paths are relative to the package.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Journal {
    /// The renames, in this order. The lock file is the last of them.
    pub(crate) renames: Vec<Rename>,
    /// The removals, which come before the last rename.
    pub(crate) removals: Vec<Removal>,
}

/// A file that is ready beside its place.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Rename {
    /// The hidden file.
    pub(crate) from: String,
    pub(crate) to: String,
    /// The content that the file in its place had before.
    pub(crate) over: Option<Content>,
}

/// A file that is not wanted any more.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Removal {
    pub(crate) path: String,
    pub(crate) content: Content,
}

enum Step<'a> {
    Rename(&'a Rename),
    Remove(&'a Removal),
}

impl Journal {
    fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let (last, first) = self.renames.split_last().map_or((None, &[][..]), |(last, first)| (Some(last), first));
        let first = first.iter().map(Step::Rename).chain(self.removals.iter().map(Step::Remove));
        first.chain(last.map(Step::Rename))
    }

    /// Writes it down, so that from here on everything will be done. Before, nothing has changed.
    pub(crate) fn begin(&self, package: &Path) -> Result<(), PlaceError> {
        let path = package.join(JOURNAL_FILE);
        let text = serde_json::to_vec(self).map_err(|error| failed(&path)(io::Error::other(error)))?;
        replace(&path, &text, ReplacementOptions::default()).map_err(failed(&path))
    }

    /// Does as many steps as `most`. After the last one the journal goes away, which is a step too.
    pub(crate) fn carry_out(&self, package: &Path, most: usize) -> Result<(), PlaceError> {
        for step in self.steps().take(most) {
            match step {
                Step::Rename(Rename { from, to, .. }) => {
                    let to = package.join(to);
                    fs::rename(package.join(from), &to).map_err(failed(&to))?;
                }
                Step::Remove(Removal { path, .. }) => remove(package, path)?,
            }
        }
        if self.steps().count() < most { end(package) } else { Ok(()) }
    }

    /// Does what is left of it, unless somebody has changed the file since.
    fn resume(&self, package: &Path) -> Result<(), PlaceError> {
        for step in self.steps() {
            match step {
                Step::Rename(Rename { from, to, over }) => {
                    let (from, to) = (package.join(from), package.join(to));
                    if fs::symlink_metadata(&from).is_err() {
                        continue;
                    }
                    if content(&to)? == *over {
                        fs::rename(&from, &to).map_err(failed(&to))?;
                    } else {
                        fs::remove_file(&from).map_err(failed(&from))?;
                    }
                }
                Step::Remove(Removal { path, content: known }) => {
                    if content(&package.join(path))?.as_ref() == Some(known) {
                        remove(package, path)?;
                    }
                }
            }
        }
        end(package)
    }

    /// True when every path of the journal stays where test data belongs.
    fn is_sound(&self) -> bool {
        let is_hidden =
            |path: &str| Path::new(path).file_name().is_some_and(|name| name.to_string_lossy().starts_with(HIDDEN));
        let renames = self.renames.iter().all(|of| {
            is_below(&of.from, ["data", "generators"])
                && is_hidden(&of.from)
                && (is_below(&of.to, ["data", "data"]) || [GENERATORS_FILE, LOCK_FILE].contains(&&*of.to))
        });
        renames && self.removals.iter().all(|of| is_below(&of.path, ["data", "data"]))
    }
}

/// The size of a journal; one line of some hundred bytes stands for each file.
const MOST_BYTES: u64 = 64 << 20;

/// Ends what a run began that was killed; whether there was anything to end.
pub(crate) fn resume(package: &Path) -> Result<bool, PlaceError> {
    let path = package.join(JOURNAL_FILE);
    let text = match judge_package::read_within(&path, MOST_BYTES) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(false);
        }
        // Nobody's either: no run writes a journal of such a size, and what is no file is not one.
        Err(error) if matches!(error.kind(), io::ErrorKind::FileTooLarge) => Vec::new(),
        Err(error) => return Err(failed(&path)(error)),
    };
    match serde_json::from_slice::<Journal>(&text) {
        Ok(journal) if journal.is_sound() => journal.resume(package)?,
        // It is whole or not there; this one is nobody's.
        _ => end(package)?,
    }
    Ok(true)
}

fn end(package: &Path) -> Result<(), PlaceError> {
    let path = package.join(JOURNAL_FILE);
    fs::remove_file(&path).map_err(failed(&path))
}

fn remove(package: &Path, path: &str) -> Result<(), PlaceError> {
    let path = package.join(path);
    fs::remove_file(&path).map_err(failed(&path))?;
    // Directories that are empty now are no part of the data any more.
    let data = package.join("data");
    let mut directory = path.parent();
    while let Some(empty) = directory.filter(|directory| *directory != data && fs::remove_dir(directory).is_ok()) {
        directory = empty.parent();
    }
    Ok(())
}

fn content(path: &Path) -> Result<Option<Content>, PlaceError> {
    match Content::of_file(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(failed(path)(error)),
    }
}

/// True when a path stays below one of these directories.
fn is_below(path: &str, directories: [&str; 2]) -> bool {
    let mut parts = Path::new(path).components();
    let is_there =
        matches!(parts.next(), Some(Component::Normal(first)) if directories.iter().any(|name| first == *name));
    let rest: Vec<_> = parts.collect();
    is_there && !rest.is_empty() && rest.iter().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_test_data_is_ever_moved() {
        let hidden = "data/secret/.judge-generate-1-0";
        for (from, to, sound) in [
            (hidden, "data/secret/1.in", true),
            ("generators/.judge-generate-1-0", LOCK_FILE, true),
            ("generators/.judge-generate-1-0", GENERATORS_FILE, true),
            (hidden, "data/../problem.yaml", false),
            (hidden, "../x/data/1.in", false),
            (hidden, "/etc/passwd", false),
            (hidden, "data", false),
            (hidden, "problem.yaml", false),
            (hidden, "generators/gen.py", false),
            ("data/secret/1.in", "data/secret/2.in", false),
            ("submissions/.judge-generate-1-0", "data/secret/2.in", false),
        ] {
            let rename = Rename { from: from.to_owned(), to: to.to_owned(), over: None };
            let journal = Journal { renames: vec![rename], removals: Vec::new() };
            assert_eq!(journal.is_sound(), sound, "{from} to {to}");
        }
        for (path, sound) in [("data/secret/1.in", true), ("problem.yaml", false), ("data/../problem.yaml", false)] {
            let removal = Removal { path: path.to_owned(), content: Content::of_bytes(b"") };
            let journal = Journal { renames: Vec::new(), removals: vec![removal] };
            assert_eq!(journal.is_sound(), sound, "{path}");
        }
    }

    #[test]
    fn what_is_no_journal_is_thrown_away() {
        let package = tempfile::tempdir().unwrap();
        fs::create_dir_all(package.path().join("generators")).unwrap();
        assert!(!resume(package.path()).unwrap());
        for text in ["", "{\"renames\":[{\"from\":\"a\",\"to\":\"b\",\"over\":null}],\"removals\":[]}"] {
            fs::write(package.path().join(JOURNAL_FILE), text).unwrap();
            assert!(resume(package.path()).unwrap());
            assert!(!package.path().join(JOURNAL_FILE).exists());
        }
    }
}

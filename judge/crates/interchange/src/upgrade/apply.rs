//! Carrying out an upgrade: files are moved, written and removed, or the package is as it was.
//!
//! Responsible for taking back what was done when a later step fails. Must not know why a file changes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Upgrade;
use crate::InterchangeError;

/// Directories of the older format, which go when nothing is left in them.
const EMPTIED: [&str; 3] = ["output_validators", "problem_statement", "input_format_validators"];

/// A step that was done, as what takes it back.
enum Undo {
    Move { from: PathBuf, to: PathBuf },
    RemoveDirectory(PathBuf),
    RemoveFile(PathBuf),
    Restore(PathBuf, Vec<u8>),
}

impl Upgrade {
    /// Carries the steps out in a package. Each file is replaced as a whole.
    ///
    /// # Errors
    /// When something cannot be written, or is in the way; the steps before are taken back then.
    pub fn apply(&self, package: &Path) -> Result<(), InterchangeError> {
        let mut done = Vec::new();
        let carried_out = self.carry_out(package, &mut done);
        if carried_out.is_err() {
            // The error that counts is the one that has led here.
            done.into_iter().rev().for_each(|step| drop(take_back(step)));
            return carried_out;
        }
        for directory in EMPTIED {
            let _ = fs::remove_dir(package.join(directory));
        }
        Ok(())
    }

    fn carry_out(&self, package: &Path, done: &mut Vec<Undo>) -> Result<(), InterchangeError> {
        for (from, to) in &self.moves {
            let (from, to) = (package.join(from), package.join(to));
            if fs::symlink_metadata(&to).is_ok() {
                return Err(InterchangeError::InTheWay(to));
            }
            make_parents(&to, done)?;
            fs::rename(&from, &to).map_err(InterchangeError::unwritable(&to))?;
            done.push(Undo::Move { from, to });
        }
        for (path, text) in &self.texts {
            let path = package.join(path);
            make_parents(&path, done)?;
            let before = content(&path)?;
            write(&path, text.as_bytes()).map_err(InterchangeError::unwritable(&path))?;
            done.push(before.map_or_else(|| Undo::RemoveFile(path.clone()), |old| Undo::Restore(path.clone(), old)));
        }
        for path in &self.removals {
            let path = package.join(path);
            if let Some(before) = content(&path)? {
                fs::remove_file(&path).map_err(InterchangeError::unwritable(&path))?;
                done.push(Undo::Restore(path, before));
            }
        }
        Ok(())
    }
}

/// The bytes of a file; `None` where there is none.
fn content(path: &Path) -> Result<Option<Vec<u8>>, InterchangeError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(InterchangeError::unreadable(path)(cause)),
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let options = judge_files::ReplacementOptions { on_disk: true, ..Default::default() };
    judge_files::replace(path, bytes, options)
}

/// Makes the directories above a file that are missing.
fn make_parents(path: &Path, done: &mut Vec<Undo>) -> Result<(), InterchangeError> {
    let missing: Vec<&Path> = path.ancestors().skip(1).take_while(|above| !above.is_dir()).collect();
    for directory in missing.into_iter().rev() {
        fs::create_dir(directory).map_err(InterchangeError::unwritable(directory))?;
        done.push(Undo::RemoveDirectory(directory.to_owned()));
    }
    Ok(())
}

fn take_back(step: Undo) -> io::Result<()> {
    match step {
        Undo::Move { from, to } => fs::rename(to, from),
        Undo::RemoveDirectory(path) => fs::remove_dir(path),
        Undo::RemoveFile(path) => fs::remove_file(path),
        Undo::Restore(path, bytes) => write(&path, &bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::fixture::Tree;

    fn files(tree: &Tree) -> BTreeMap<PathBuf, Option<String>> {
        fn collect(directory: &Path, files: &mut BTreeMap<PathBuf, Option<String>>) {
            for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
                files.insert(path.clone(), fs::read_to_string(&path).ok());
                if path.is_dir() {
                    collect(&path, files);
                }
            }
        }
        let mut files_below = BTreeMap::new();
        collect(&tree.path(""), &mut files_below);
        files_below
    }

    fn upgrade() -> Upgrade {
        Upgrade {
            moves: vec![
                ("problem_statement".into(), "statement".into()),
                ("statement/problem.tex".into(), "statement/problem.en.tex".into()),
                ("output_validators/v".into(), "output_validator".into()),
            ],
            texts: BTreeMap::from([
                ("problem.yaml".into(), "new\n".to_owned()),
                ("submissions/submissions.yaml".into(), "rules\n".to_owned()),
            ]),
            removals: BTreeSet::from([PathBuf::from(".timelimit"), PathBuf::from("z")]),
            ..Upgrade::default()
        }
    }

    #[test]
    fn steps_are_done_in_their_order_and_empty_directories_go() {
        let tree = Tree::with(&[
            ("problem.yaml", "old\n"),
            (".timelimit", "1\n"),
            ("problem_statement/problem.tex", "text\n"),
            ("output_validators/v/v.cpp", ""),
        ]);
        upgrade().apply(&tree.path("")).unwrap();
        let found: Vec<String> = files(&tree)
            .into_keys()
            .map(|path| path.strip_prefix(tree.path("")).unwrap().display().to_string())
            .collect();
        let expected = [
            "output_validator",
            "output_validator/v.cpp",
            "problem.yaml",
            "statement",
            "statement/problem.en.tex",
            "submissions",
            "submissions/submissions.yaml",
        ];
        assert_eq!(found, expected);
        assert_eq!(fs::read_to_string(tree.path("problem.yaml")).unwrap(), "new\n");
    }

    #[test]
    fn a_step_that_fails_takes_back_those_before_it() {
        let whole = [
            ("problem.yaml", "old\n"),
            (".timelimit", "1\n"),
            ("problem_statement/problem.tex", "text\n"),
            ("output_validators/v/v.cpp", ""),
        ];
        // A directory has the place of a file that is written, of one that is removed, or is in the way of a move.
        for in_the_way in ["submissions/submissions.yaml/x", "z/x", "output_validator/x"] {
            let tree = Tree::with(&whole);
            tree.write(in_the_way, "");
            let before = files(&tree);
            upgrade().apply(&tree.path("")).unwrap_err();
            assert_eq!(files(&tree), before, "{in_the_way}");
        }
    }
}

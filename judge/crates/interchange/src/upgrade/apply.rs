//! Carrying out an upgrade: files are moved, written and removed, or the package is as it was.
//!
//! Responsible for the order of the steps, and for taking them back when a later one fails. Must not know why a file changes.

use std::fs;
use std::path::Path;

use judge_files::ReplacementOptions;
use judge_package::UPGRADE;

use super::Upgrade;
use super::journal::{Journal, Undo};
use crate::InterchangeError;

/// Directories of the older format, which go when nothing is left in them.
const EMPTIED: [&str; 3] = ["output_validators", "problem_statement", "input_format_validators"];

impl Upgrade {
    /// Carries the steps out in a package. Each file is replaced as a whole, and so is the package: whenever this is killed, the next
    /// call or [`recover`](super::recover) takes back what was done.
    ///
    /// # Errors
    /// When something cannot be written, or is in the way; the steps before are taken back then.
    pub fn apply(&self, package: &Path) -> Result<(), InterchangeError> {
        let mut journal = Journal::begin(package)?;
        let carried_out = self.carry_out(package, &mut |step| match step {
            Step::Undo(undo) => journal.note(undo),
            Step::Keep(file) => journal.keep(file),
        });
        if carried_out.is_err() {
            // The error that counts is the one that has led here.
            drop(journal.take_back());
            return carried_out;
        }
        journal.end()
    }

    /// Carries the steps out; each is noted before it is done.
    fn carry_out(
        &self,
        package: &Path,
        note: &mut dyn FnMut(Step<'_>) -> Result<(), InterchangeError>,
    ) -> Result<(), InterchangeError> {
        for (from, to) in &self.moves {
            if is_there(&package.join(to)) {
                return Err(InterchangeError::InTheWay(package.join(to)));
            }
            make_parents(package, to, note)?;
            note(Step::Undo(&Undo::Move { from: from.clone(), to: to.clone() }))?;
            let to = package.join(to);
            fs::rename(package.join(from), &to).map_err(InterchangeError::unwritable(&to))?;
        }
        for (file, text) in &self.texts {
            make_parents(package, file, note)?;
            let path = package.join(file);
            match is_there(&path) {
                true => note(Step::Keep(file))?,
                false => note(Step::Undo(&Undo::RemoveFile(file.clone())))?,
            }
            // Until it is whole it lies where it goes with the journal.
            let unfinished = Some(package.join(UPGRADE).join("new"));
            let options = ReplacementOptions { on_disk: true, unfinished, ..ReplacementOptions::default() };
            judge_files::replace(&path, text.as_bytes(), options).map_err(InterchangeError::unwritable(&path))?;
        }
        for file in self.removals.iter().filter(|file| is_there(&package.join(file))) {
            note(Step::Keep(file))?;
            let path = package.join(file);
            fs::remove_file(&path).map_err(InterchangeError::unwritable(&path))?;
        }
        for directory in EMPTIED.map(Path::new) {
            let is_empty = fs::read_dir(package.join(directory)).is_ok_and(|mut entries| entries.next().is_none());
            if is_empty {
                note(Step::Undo(&Undo::MakeDirectory(directory.to_owned())))?;
                let _ = fs::remove_dir(package.join(directory));
            }
        }
        Ok(())
    }
}

/// A step that is about to be done.
enum Step<'s> {
    Undo(&'s Undo),
    /// The file of this path, below the package, is replaced or removed.
    Keep(&'s Path),
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Makes the directories above a file that are missing.
fn make_parents(
    package: &Path,
    file: &Path,
    note: &mut dyn FnMut(Step<'_>) -> Result<(), InterchangeError>,
) -> Result<(), InterchangeError> {
    let missing: Vec<&Path> = file.ancestors().skip(1).take_while(|above| !package.join(above).is_dir()).collect();
    for directory in missing.into_iter().rev() {
        note(Step::Undo(&Undo::RemoveDirectory(directory.to_owned())))?;
        let path = package.join(directory);
        fs::create_dir(&path).map_err(InterchangeError::unwritable(&path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::PathBuf;

    use super::super::recover;
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

    /// The files of a package that has something for every step.
    const WHOLE: [(&str, &str); 5] = [
        ("problem.yaml", "old\n"),
        (".timelimit", "1\n"),
        ("z", "z\n"),
        ("problem_statement/problem.tex", "text\n"),
        ("output_validators/v/v.cpp", ""),
    ];

    /// Carries an upgrade out as far as before or after its step of this number, as if it were killed there; true when it came to its
    /// end.
    fn killed(tree: &Tree, number: usize, is_noted: bool) -> bool {
        let mut journal = Journal::begin(&tree.path("")).unwrap();
        let mut count = 0;
        let carried_out = upgrade().carry_out(&tree.path(""), &mut |step| {
            count += 1;
            if count == number && !is_noted {
                return Err(InterchangeError::Stopped);
            }
            match step {
                Step::Undo(undo) => journal.note(undo)?,
                Step::Keep(file) => journal.keep(file)?,
            }
            if count == number { Err(InterchangeError::Stopped) } else { Ok(()) }
        });
        carried_out.is_ok()
    }

    #[test]
    fn an_upgrade_that_is_killed_anywhere_is_taken_back_and_so_is_taking_it_back() {
        let before = |tree: &Tree| {
            let within = |path: PathBuf| path.strip_prefix(tree.path("")).unwrap().to_owned();
            files(tree).into_iter().map(|(path, content)| (within(path), content)).collect::<BTreeMap<_, _>>()
        };
        let whole = before(&Tree::with(&WHOLE));
        let mut ends = 0;
        for (number, is_noted) in (1..40).flat_map(|number| [(number, false), (number, true)]) {
            for is_cut in [false, true] {
                let tree = Tree::with(&WHOLE);
                let is_whole = killed(&tree, number, is_noted);
                ends += usize::from(is_whole);
                let journal = fs::read(tree.path(".judge-upgrade/journal")).unwrap();
                // The line of a step that was not done may have come to the disk in part.
                if is_cut && is_noted && !is_whole {
                    fs::write(tree.path(".judge-upgrade/journal"), &journal[..journal.len() - 1]).unwrap();
                }
                assert!(recover(&tree.path("")).unwrap());
                assert_eq!(before(&tree), whole, "{number} {is_noted} {is_cut}");
                assert!(!recover(&tree.path("")).unwrap());
            }
        }
        assert!((60..140).contains(&ends), "some are killed, and some come to their end: {ends}");
    }

    #[test]
    fn taking_back_can_be_done_twice() {
        let tree = Tree::with(&WHOLE);
        let before = files(&tree);
        assert!(killed(&tree, 99, false));
        let journal = fs::read(tree.path(".judge-upgrade/journal")).unwrap();
        assert!(recover(&tree.path("")).unwrap());
        // All of it was taken back, and then it was killed before the journal went.
        tree.write(".judge-upgrade/journal", &journal);
        assert!(recover(&tree.path("")).unwrap());
        assert_eq!(files(&tree), before);
    }

    #[test]
    fn a_journal_that_somebody_else_wrote_moves_nothing_outside() {
        let tree = Tree::with(&[("secret", "geheim"), ("p/problem.yaml", "old\n")]);
        std::os::unix::fs::symlink("..", tree.path("p/up")).unwrap();
        for path in ["../secret", "/etc/hosts", "up/secret", "a/../../secret"] {
            for step in [
                Undo::RemoveFile(path.into()),
                Undo::Move { from: "mine".into(), to: path.into() },
                Undo::Move { from: path.into(), to: "problem.yaml".into() },
                Undo::RemoveDirectory(path.into()),
            ] {
                tree.write("p/.judge-upgrade/journal", serde_json::to_string(&step).unwrap() + "\n");
                let said = recover(&tree.path("p")).unwrap_err().to_string();
                assert!(said.contains("journal:1: expected a path in the package"), "{said}");
            }
        }
        assert_eq!(fs::read_to_string(tree.path("secret")).unwrap(), "geheim");
        // One that is at work is not disturbed.
        let directory = fs::File::open(tree.path("p/.judge-upgrade")).unwrap();
        directory.lock().unwrap();
        assert!(matches!(recover(&tree.path("p")), Err(InterchangeError::UnderWay(_))));
    }
}

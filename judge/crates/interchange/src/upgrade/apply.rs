//! Applies an upgrade: files are moved, written and removed, or the package is left unchanged.
//!
//! Responsible for the order of the steps. Must not know why a file changes.

use std::path::Path;

use judge_files::{Transaction, Withstands};

use super::Upgrade;
use crate::Result;

/// Directories of the older format, which are removed when they are empty.
const EMPTIED: [&str; 3] = [
    "output_validators",
    "problem_statement",
    "input_format_validators",
];

impl Upgrade {
    /// Applies all steps to a package, or none.
    ///
    /// # Errors
    /// If a file cannot be written or an existing file conflicts. The steps before it are then
    /// undone.
    pub fn apply(&self, package: &Path) -> Result<()> {
        self.run_steps(package, Withstands::LossOfPower)
    }

    /// Applies the steps to a temporary copy of a package, which need not survive a loss of power.
    pub(super) fn apply_to_copy(&self, copy: &Path) -> Result<()> {
        self.run_steps(copy, Withstands::Failures)
    }

    fn run_steps(&self, package: &Path, withstands: Withstands) -> Result<()> {
        let mut transaction = Transaction::begin(package, withstands)?;
        for (from, to) in &self.moves {
            transaction.rename(from, to)?;
        }
        for (file, text) in &self.texts {
            transaction.write(file, text.as_bytes())?;
        }
        for file in &self.removals {
            transaction.remove(file);
        }
        for directory in EMPTIED {
            transaction.remove_if_empty(Path::new(directory))?;
        }
        Ok(transaction.commit()?)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::fixture::Tree;

    fn files(tree: &Tree) -> BTreeMap<PathBuf, Option<String>> {
        fn collect(directory: &Path, files: &mut BTreeMap<PathBuf, Option<String>>) {
            for path in fs::read_dir(directory)
                .unwrap()
                .map(|entry| entry.unwrap().path())
            {
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
                (
                    "statement/problem.tex".into(),
                    "statement/problem.en.tex".into(),
                ),
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
    fn steps_are_applied_in_order_and_empty_directories_are_removed() {
        let tree = Tree::with(&[
            ("problem.yaml", "old\n"),
            (".timelimit", "1\n"),
            ("problem_statement/problem.tex", "text\n"),
            ("output_validators/v/v.cpp", ""),
        ]);
        upgrade().apply_to_copy(&tree.path("")).unwrap();
        let found: Vec<String> = files(&tree)
            .into_keys()
            .map(|path| {
                path.strip_prefix(tree.path(""))
                    .unwrap()
                    .display()
                    .to_string()
            })
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
        assert_eq!(
            fs::read_to_string(tree.path("problem.yaml")).unwrap(),
            "new\n"
        );
    }

    #[test]
    fn failed_steps_undo_earlier_ones() {
        let whole = [
            ("problem.yaml", "old\n"),
            (".timelimit", "1\n"),
            ("problem_statement/problem.tex", "text\n"),
            ("output_validators/v/v.cpp", ""),
        ];
        // A directory conflicts with a written file, a removed file, or a move.
        for conflict in [
            "submissions/submissions.yaml/x",
            "z/x",
            "output_validator/x",
        ] {
            let tree = Tree::with(&whole);
            tree.write(conflict, "");
            let before = files(&tree);
            upgrade().apply_to_copy(&tree.path("")).unwrap_err();
            assert_eq!(files(&tree), before, "{conflict}");
        }
    }
}

//! Continuations: completions of words that name problems, submissions and test cases.
//!
//! Responsible for shell completions of such words. Must not load packages: completions must be
//! fast, and only names of files are read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::disk::discovery::is_package;
use crate::programs::file_name;
use crate::workspace::part::Inside;
use crate::workspace::search::package_name;
use crate::workspace::{Workspace, normal};

/// Returns the completions of `typed` in the directory `cwd`, each up to its next slash: names of
/// problems, and below them, or in a package without the name, submissions, test cases and the
/// directories of both. Unreadable directories have no completions.
#[must_use]
pub fn continuations(workspace: &Workspace, typed: &str, cwd: &Path) -> Vec<String> {
    let cwd = normal(cwd).unwrap_or_else(|_| cwd.to_owned());
    let packages = workspace.packages().unwrap_or_default();
    let mut found: BTreeSet<String> = packages
        .iter()
        .map(|package| package_name(package))
        .collect();
    if let Some((problem, _)) = typed.split_once('/') {
        found.clear();
        for package in packages
            .iter()
            .filter(|package| package_name(package) == problem)
        {
            found.extend(steps(
                &Inside::new(workspace, package.clone()),
                &format!("{problem}/"),
                typed,
            ));
        }
    }
    if let Some(package) = around(workspace, &packages, &cwd) {
        found.extend(steps(&Inside::new(workspace, package), "", typed));
    }
    found
        .into_iter()
        .filter(|word| word.starts_with(typed))
        .collect()
}

/// Returns the completions of `typed` in a problem: the one with the given name or path (relative
/// to `cwd`), or else the one that `cwd` belongs to. Completions are submissions, test cases and
/// the directories of both. Empty if there is no such problem.
#[must_use]
pub fn continuations_in(
    workspace: &Workspace,
    problem: Option<&str>,
    typed: &str,
    cwd: &Path,
) -> Vec<String> {
    let inside = named_or_around(workspace, problem, cwd);
    inside.map_or_else(Vec::new, |inside| {
        steps(&inside, "", typed).into_iter().collect()
    })
}

/// Returns the completions of `typed` with groups of test cases, in the same problem: `sample`,
/// `secret` and the directories below.
#[must_use]
pub fn group_continuations(
    workspace: &Workspace,
    problem: Option<&str>,
    typed: &str,
    cwd: &Path,
) -> Vec<String> {
    let Some(inside) = named_or_around(workspace, problem, cwd) else {
        return Vec::new();
    };
    let mut groups = BTreeSet::from(["sample".to_owned(), "secret".to_owned()]);
    for id in inside.test_cases() {
        let above = id.match_indices('/').map(|(end, _)| id[..end].to_owned());
        groups.extend(above.filter(|group| group.starts_with("secret/")));
    }
    groups
        .into_iter()
        .filter(|group| group.starts_with(typed))
        .collect()
}

fn named_or_around(workspace: &Workspace, problem: Option<&str>, cwd: &Path) -> Option<Inside> {
    let cwd = normal(cwd).unwrap_or_else(|_| cwd.to_owned());
    let packages = workspace.packages().unwrap_or_default();
    let package = match problem {
        None => around(workspace, &packages, &cwd),
        Some(problem) => packages
            .iter()
            .find(|package| package_name(package) == problem)
            .cloned()
            .or_else(|| {
                let path = normal(&cwd.join(problem)).ok()?;
                path.ancestors()
                    .find(|ancestor| is_package(ancestor))
                    .map(Path::to_owned)
            }),
    };
    package.map(|package| Inside::new(workspace, package))
}

/// The package that a directory belongs to: the one around it, or the one whose solutions it
/// contains.
fn around(workspace: &Workspace, packages: &[PathBuf], directory: &Path) -> Option<PathBuf> {
    if let Some(package) = directory.ancestors().find(|ancestor| is_package(ancestor)) {
        return Some(package.to_owned());
    }
    let problem = directory
        .strip_prefix(&workspace.solutions)
        .ok()?
        .components()
        .next()?
        .as_os_str()
        .to_owned();
    packages
        .iter()
        .find(|package| *file_name(package) == problem)
        .cloned()
}

/// The ids of a package after a prefix, each up to the first slash after the typed text.
fn steps(inside: &Inside, prefix: &str, typed: &str) -> BTreeSet<String> {
    let words = inside
        .submissions()
        .chain(inside.test_cases())
        .map(|id| format!("{prefix}{id}"));
    let step = |word: String| match word.get(typed.len()..)?.find('/') {
        Some(end) => Some(word[..=typed.len() + end].to_owned()),
        None => Some(word),
    };
    words
        .filter(|word| word.starts_with(typed))
        .filter_map(step)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn words_are_completed_up_to_the_next_slash() {
        let tree = Tree::with(&[
            ("judge.yaml", "problems: problems\n"),
            ("solutions/fiveup/wrong_answer/greedy.py", ""),
        ]);
        ["problems/fiveup", "problems/fivedown"]
            .iter()
            .for_each(|package| tree.package(package, ""));
        let workspace = Workspace::find(tree.root()).unwrap();
        let complete =
            |typed: &str, cwd: &str| continuations(&workspace, typed, &tree.path(cwd)).join(" ");
        assert_eq!(complete("", ""), "fivedown fiveup");
        assert_eq!(complete("fiveu", ""), "fiveup");
        assert_eq!(
            complete("fiveup/", ""),
            "fiveup/accepted/ fiveup/sample/ fiveup/secret/ fiveup/wrong_answer/"
        );
        assert_eq!(complete("fiveup/w", ""), "fiveup/wrong_answer/");
        assert_eq!(
            complete("fiveup/wrong_answer/", ""),
            "fiveup/wrong_answer/greedy.py"
        );
        assert_eq!(
            complete("fiveup/secret/0", ""),
            "fiveup/secret/01 fiveup/secret/02"
        );
        for cwd in [
            "problems/fiveup",
            "problems/fiveup/data",
            "solutions/fiveup",
        ] {
            assert_eq!(complete("s", cwd), "sample/ secret/", "{cwd}");
            assert_eq!(
                complete("wrong_answer/g", cwd),
                "wrong_answer/greedy.py",
                "{cwd}"
            );
        }
        assert_eq!(complete("nothing", ""), "");
        tree.cases(
            "problems/fiveup",
            &["secret/large/1", "secret/large/deep/2"],
        );
        let within = |problem: Option<&str>, typed: &str, cwd: &str| {
            let found = continuations_in(&workspace, problem, typed, &tree.path(cwd)).join(" ");
            (
                found,
                group_continuations(&workspace, problem, typed, &tree.path(cwd)).join(" "),
            )
        };
        let is = |found: (String, String), words: &str, groups: &str| {
            assert_eq!(found, (words.into(), groups.into()));
        };
        for problem in ["fiveup", "problems/fiveup", "problems/fiveup/data"] {
            is(
                within(Some(problem), "wrong_answer/g", ""),
                "wrong_answer/greedy.py",
                "",
            );
            is(
                within(Some(problem), "s", ""),
                "sample/ secret/",
                "sample secret secret/large secret/large/deep",
            );
        }
        is(
            within(None, "secret/l", "problems/fiveup"),
            "secret/large/",
            "secret/large secret/large/deep",
        );
        is(within(None, "s", ""), "", "");
        is(within(Some("nothing"), "s", ""), "", "");
        assert_eq!(complete("é", "problems/fiveup"), "");
    }
}

//! Continuations: how words that name problems, submissions and test cases can go on.
//!
//! Responsible for what a shell offers while such a word is typed. Must not load packages: it has to be fast, and of a package
//! only names of files are looked at.

use std::collections::BTreeSet;
use std::path::Path;

use crate::disk::discovery::is_package;
use crate::programs::file_name;
use crate::workspace::part::Inside;
use crate::workspace::select::package_name;
use crate::workspace::{Workspace, normal};

/// Finds the words that `typed` can become, seen from `cwd`, each up to its next slash: names of problems, and below them,
/// or in a package without the name, submissions, test cases and the directories of both. Nothing for what cannot be read.
#[must_use]
pub fn continuations(workspace: &Workspace, typed: &str, cwd: &Path) -> Vec<String> {
    let cwd = normal(cwd).unwrap_or_else(|_| cwd.to_owned());
    let packages = workspace.packages().unwrap_or_default();
    let mut found: BTreeSet<String> = packages.iter().map(|package| package_name(package)).collect();
    if let Some((problem, _)) = typed.split_once('/') {
        found.clear();
        for package in packages.iter().filter(|package| package_name(package) == problem) {
            let inside = Inside { solutions: workspace.solutions_of(package), package: package.clone() };
            found.extend(steps(&inside, &format!("{problem}/"), typed));
        }
    }
    let solved =
        || cwd.starts_with(&workspace.solutions).then(|| cwd.strip_prefix(&workspace.solutions).ok()).flatten();
    let here = match cwd.ancestors().find(|ancestor| is_package(ancestor)) {
        Some(package) => Some(package.to_owned()),
        None => solved().and_then(|below| {
            let problem = below.components().next()?.as_os_str().to_owned();
            packages.iter().find(|package| *file_name(package) == problem).cloned()
        }),
    };
    if let Some(package) = here {
        found.extend(steps(&Inside { solutions: workspace.solutions_of(&package), package }, "", typed));
    }
    found.into_iter().filter(|word| word.starts_with(typed)).collect()
}

/// The ids of a package behind a prefix, each up to the first slash behind what is typed.
fn steps(inside: &Inside, prefix: &str, typed: &str) -> BTreeSet<String> {
    let words = inside.submissions().chain(inside.test_cases()).map(|id| format!("{prefix}{id}"));
    let step = |word: String| match word.get(typed.len()..)?.find('/') {
        Some(end) => Some(word[..=typed.len() + end].to_owned()),
        None => Some(word),
    };
    words.filter(|word| word.starts_with(typed)).filter_map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn words_go_on_up_to_the_next_slash() {
        let tree =
            Tree::with(&[("judge.yaml", "problems: problems\n"), ("solutions/fiveup/wrong_answer/greedy.py", "")]);
        ["problems/fiveup", "problems/fivedown"].iter().for_each(|package| tree.package(package, ""));
        let workspace = Workspace::find(tree.root()).unwrap();
        let of = |typed: &str, cwd: &str| continuations(&workspace, typed, &tree.path(cwd)).join(" ");
        assert_eq!(of("", ""), "fivedown fiveup");
        assert_eq!(of("fiveu", ""), "fiveup");
        assert_eq!(of("fiveup/", ""), "fiveup/accepted/ fiveup/sample/ fiveup/secret/ fiveup/wrong_answer/");
        assert_eq!(of("fiveup/w", ""), "fiveup/wrong_answer/");
        assert_eq!(of("fiveup/wrong_answer/", ""), "fiveup/wrong_answer/greedy.py");
        assert_eq!(of("fiveup/secret/0", ""), "fiveup/secret/01 fiveup/secret/02");
        for cwd in ["problems/fiveup", "problems/fiveup/data", "solutions/fiveup"] {
            assert_eq!(of("s", cwd), "sample/ secret/", "{cwd}");
            assert_eq!(of("wrong_answer/g", cwd), "wrong_answer/greedy.py", "{cwd}");
        }
        assert_eq!(of("nothing", ""), "");
        assert_eq!(of("é", "problems/fiveup"), "");
    }
}

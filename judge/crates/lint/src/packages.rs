//! The packages of a check, with the findings about their files.
//!
//! Responsible for reading many packages, for findings that concern several packages, and for
//! leaving out test cases that are not selected. Must not know the severity of findings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_exec::Crew;
use judge_model::{LanguageId, Problem, TestCase};
use judge_package::{
    Filter, Finding, LoadedPackage, SelectError, Selection, Workspace, code, did_you_mean, load,
    names,
};

use crate::files;
use crate::validators::languages_of;

/// A package whose files were read.
#[derive(Clone, Debug)]
pub struct Package {
    /// The directory of the package.
    pub directory: PathBuf,
    /// The package, if it can be loaded.
    pub loaded: Option<LoadedPackage>,
    /// The findings, in order of files and lines.
    pub findings: Vec<Finding>,
}

/// Loads packages and checks their files. `threads` bounds the packages that are read at a time,
/// and the files of each.
#[must_use]
pub fn check_files(directories: &[PathBuf], workspace: &Workspace, threads: usize) -> Vec<Package> {
    let check = |(): &mut (), directory: &PathBuf| files::check(directory, workspace, threads);
    let checked = Crew::new(threads).map(directories, || (), check);
    let mut first: BTreeMap<String, &Path> = BTreeMap::new();
    let packages = directories.iter().zip(checked).map(|(directory, checked)| {
        let mut findings = checked.findings;
        if let Some(uuid) = checked.uuid {
            // Other systems treat two packages with the same uuid as one problem.
            let other = *first.entry(uuid).or_insert(directory);
            if other != directory {
                let message = format!("has the same uuid as `{}`", workspace.shown(other));
                let file = directory.join("problem.yaml");
                findings.push(Finding::new(code::UUID_TWICE, &file, message));
                files::sort_by_place(&mut findings);
            }
        }
        Package {
            directory: directory.clone(),
            loaded: checked.loaded,
            findings,
        }
    });
    let mut packages: Vec<Package> = packages.collect();
    report_unused_solutions(&mut packages, workspace);
    packages
}

/// Reports directories of solutions that belong to no problem, with the problem whose name is
/// nearest, or with the first one if all are checked.
fn report_unused_solutions(packages: &mut [Package], workspace: &Workspace) {
    let name = |path: &Path| path.file_name()?.to_str().map(str::to_owned);
    let entries = std::fs::read_dir(&workspace.solutions)
        .into_iter()
        .flatten()
        .flatten();
    let mut unused: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir() && name(path).is_some_and(|name| names::counts(&name)))
        .filter(|path| {
            !packages
                .iter()
                .any(|package| package.directory.file_name() == path.file_name())
        })
        .collect();
    if unused.is_empty() {
        return;
    }
    // Without a list of all problems, nothing is known about other directories.
    let Ok(all) = workspace.packages() else {
        return;
    };
    // An archive has the name of its package, with an extension.
    let known: BTreeSet<String> = all
        .iter()
        .filter_map(|package| Some(name(package)?.split('.').next()?.to_owned()))
        .collect();
    unused.retain(|path| name(path).is_some_and(|name| !known.contains(&name)));
    unused.sort();
    let all_are_checked = packages.len() >= all.len();
    for path in unused {
        let name = name(&path).unwrap_or_default();
        let nearest = packages.iter().position(|package| {
            let directory = package.directory.file_name().unwrap_or_default();
            did_you_mean(&name, directory.to_str()).is_some()
        });
        let Some(at) = nearest.or((all_are_checked && !packages.is_empty()).then_some(0)) else {
            continue;
        };
        let message = format!("ignored: no problem has the name `{name}`");
        let finding = Finding::new(code::ENTRY_UNKNOWN, &path, message)
            .hint(did_you_mean(&name, known.iter().map(String::as_str)));
        packages[at].findings.push(finding);
    }
}

/// Loads the selected packages, with only the selected test cases, for a check of their data.
/// Packages without selected test cases are left out.
///
/// # Errors
/// Fails for the first word that selects nothing.
pub fn load_data(
    selection: &Selection,
    workspace: &Workspace,
) -> Result<Vec<Package>, SelectError> {
    let mut packages: Vec<Package> = selection
        .packages
        .iter()
        .map(|package| loaded(&package.directory, workspace))
        .collect();
    let problems: Vec<Problem> = packages
        .iter()
        .filter_map(|package| package.loaded.as_ref().map(with_all_cases))
        .collect();
    selection.check(&problems)?;
    let mut filters = selection.packages.iter().map(|package| &package.filter);
    // A pattern may match test cases in only some of the packages.
    packages.retain_mut(|package| filters.next().is_none_or(|filter| keep(package, filter)));
    Ok(packages)
}

fn loaded(directory: &Path, workspace: &Workspace) -> Package {
    let (loaded, findings) = match load(directory, workspace) {
        Ok(loaded) => (Some(loaded), Vec::new()),
        Err(errors) => (None, errors.into_iter().collect()),
    };
    Package {
        directory: directory.to_owned(),
        loaded,
        findings,
    }
}

/// The problem with the cases that test its validators added to its test cases, so that they can be
/// selected too.
fn with_all_cases(loaded: &LoadedPackage) -> Problem {
    let extra = loaded.extra_cases.iter();
    let mut problem = loaded.problem.clone();
    problem.test_cases.extend(extra.map(|case| TestCase {
        id: case.id.clone(),
        ..TestCase::default()
    }));
    problem
}

/// Removes the test cases that are not selected. Returns false if none is selected.
fn keep(package: &mut Package, filter: &Filter) -> bool {
    let Some(loaded) = package.loaded.as_mut().filter(|_| !filter.is_everything()) else {
        return true;
    };
    loaded
        .problem
        .test_cases
        .retain(|case| filter.matches_test_case(&case.id));
    let extra = &mut loaded.extra_cases;
    let mut kept = loaded.problem.test_cases.len();
    for cases in [
        &mut extra.valid_output,
        &mut extra.invalid_output,
        &mut extra.invalid_input,
    ] {
        cases.retain(|case| filter.matches_test_case(&case.id));
        kept += cases.len();
    }
    kept > 0
}

/// The languages whose tools the validators of packages need; `None` when no package can be loaded.
#[must_use]
pub fn languages(packages: &[Package]) -> Option<BTreeSet<LanguageId>> {
    let problems: Vec<_> = packages
        .iter()
        .filter_map(|package| package.loaded.as_ref())
        .collect();
    (!problems.is_empty()).then(|| problems.into_iter().flat_map(languages_of).collect())
}

#[cfg(test)]
mod tests {
    use judge_package::select;

    use super::*;
    use crate::testing::Tree;

    fn package(tree: &Tree, name: &str, uuid: &str) {
        let yaml = format!("problem_format_version: 2025-09\nname: A\nuuid: {uuid}\n");
        tree.write(&format!("{name}/problem.yaml"), &yaml);
        tree.cases(name, &["sample/1", "secret/01", "secret/02"]);
        tree.write(&format!("{name}/data/invalid_input/bad.in"), "x\n");
        tree.write(&format!("{name}/input_validators/validate.py"), "");
    }

    #[test]
    fn duplicate_uuid_is_reported_with_the_other_package() {
        let tree = Tree::new();
        for (name, uuid) in [
            ("a", "6c6b1b6e-0000-4000-8000-000000000001"),
            ("b", "6C6B1B6E-0000-4000-8000-000000000001"),
        ] {
            package(&tree, name, uuid);
        }
        let workspace = Workspace::find(tree.root()).unwrap();
        let directories = [tree.path("a"), tree.path("b")];
        let packages = check_files(&directories, &workspace, 2);
        let twice = |package: &Package| -> Vec<String> {
            let findings = package
                .findings
                .iter()
                .filter(|finding| finding.code == code::UUID_TWICE);
            findings.map(|finding| finding.message.clone()).collect()
        };
        assert_eq!(twice(&packages[0]), Vec::<String>::new());
        assert_eq!(twice(&packages[1]), ["has the same uuid as `a`"]);
    }

    #[test]
    fn solutions_of_no_problem_are_reported_with_the_nearest_one() {
        let tree = Tree::new();
        for name in ["total", "other"] {
            package(&tree, name, name);
            tree.write(&format!("solutions/{name}/accepted/a.py"), "");
        }
        tree.write("solutions/totl/accepted/a.py", "");
        tree.write("solutions/old/accepted/a.py", "");
        tree.write("solutions/notes.md", "");
        let workspace = Workspace::find(tree.root()).unwrap();
        let unused = |names: &[&str]| -> Vec<Vec<String>> {
            let directories: Vec<PathBuf> = names.iter().map(|name| tree.path(name)).collect();
            let packages = check_files(&directories, &workspace, 1).into_iter();
            let unknown = packages.map(|package| {
                let findings = package.findings.into_iter();
                let unknown = findings.filter(|finding| finding.code == code::ENTRY_UNKNOWN);
                unknown.map(|finding| finding.to_string()).collect()
            });
            unknown.collect()
        };
        let totl = format!(
            "{}: ignored: no problem has the name `totl`\nhint: did you mean `total`?",
            tree.path("solutions/totl").display()
        );
        let old = format!(
            "{}: ignored: no problem has the name `old`",
            tree.path("solutions/old").display()
        );
        assert_eq!(unused(&["other", "total"]), [vec![old], vec![totl.clone()]]);
        assert_eq!(unused(&["total"]), [vec![totl]]);
        assert_eq!(unused(&["other"]), [Vec::<String>::new()]);
    }

    #[test]
    fn selected_cases_are_kept_including_those_for_validators() {
        let tree = Tree::new();
        package(&tree, "a", "uuid-of-a");
        package(&tree, "b", "uuid-of-b");
        tree.write("b/data/secret/big.in", "1\n");
        tree.write("b/data/secret/big.ans", "1\n");
        let workspace = Workspace::find(tree.root()).unwrap();
        let ids = |words: &[&str]| -> Vec<Vec<String>> {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let selection = select(&workspace, &words, tree.root()).unwrap();
            let packages = load_data(&selection, &workspace).unwrap().into_iter();
            let ids = packages.map(|package| with_all_cases(&package.loaded.unwrap()).test_cases);
            ids.map(|cases| cases.into_iter().map(|case| case.id).collect())
                .collect()
        };
        assert_eq!(
            ids(&["a"]),
            [["sample/1", "secret/01", "secret/02", "invalid_input/bad"]]
        );
        assert_eq!(
            ids(&["a/data/invalid_input/bad.in"]),
            [["invalid_input/bad"]]
        );
        assert_eq!(ids(&["*/data/secret/big*"]), [["secret/big"]]);
    }

    #[test]
    fn unmatched_word_is_an_error_and_broken_package_a_finding() {
        let tree = Tree::new();
        package(&tree, "a", "uuid-of-a");
        let workspace = Workspace::find(tree.root()).unwrap();
        let select = |word: &str| select(&workspace, &[word.to_owned()], tree.root()).unwrap();
        assert!(load_data(&select("a/data/secret/99"), &workspace).is_err());
        tree.write("a/problem.yaml", "name: [\n");
        let packages = load_data(&select("a"), &workspace).unwrap();
        assert!(packages[0].loaded.is_none() && packages[0].findings[0].keeps_from_loading);
        assert_eq!(languages(&packages), None);
    }
}

//! Discovery: which directories and files are packages.
//!
//! Must not open any file: a directory with a `problem.yaml` is a package, and so is a file `*.kpp`. A file `*.zip` can
//! be anything, and is a package only to who names it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::archive::is_package_archive;
use crate::error::{Findings, PackageError, PackageErrors};

/// The file that makes a directory a package.
pub(crate) const MARKER: &str = "problem.yaml";

/// Whether this directory is a package.
#[must_use]
pub fn is_package(directory: &Path) -> bool {
    directory.join(MARKER).is_file()
}

/// The packages at and below a directory, sorted by path.
///
/// Never looks inside a package, nor into directories whose name starts with a dot or is `target`. Follows links to
/// directories; a package that is reached on several ways is told once, by the way that needs no link.
///
/// # Errors
/// Every directory that cannot be read: a package may be in it.
pub fn discover(root: &Path) -> Result<Vec<PathBuf>, PackageErrors> {
    let mut packages = Vec::new();
    let mut through_links = false;
    let mut findings = Findings::default();
    let mut walk = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
    // By hand, because the walk must be told not to enter packages.
    while let Some(entry) = walk.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                report(&error, &mut findings);
                continue;
            }
        };
        if !entry.file_type().is_dir() {
            let hidden = entry.file_name().to_str().is_some_and(|name| name.starts_with('.'));
            if is_package_archive(entry.path()) && entry.file_type().is_file() && !hidden {
                through_links |= entry.path_is_symlink();
                packages.push(entry.into_path());
            }
            continue;
        }
        if is_skipped(&entry) {
            walk.skip_current_dir();
            continue;
        }
        through_links |= entry.path_is_symlink();
        if is_package(entry.path()) {
            packages.push(entry.into_path());
            walk.skip_current_dir();
        }
    }
    findings.into_result()?;
    if through_links {
        packages = told_once(packages);
    }
    packages.sort();
    Ok(packages)
}

fn is_skipped(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().to_str().is_some_and(|name| name.starts_with('.') || name == "target")
}

/// Loops of links and links to nowhere hide no package; everything else is told.
fn report(error: &walkdir::Error, findings: &mut Findings) {
    if error.loop_ancestor().is_some() {
        return;
    }
    let path = error.path().unwrap_or(Path::new("."));
    let dangling = error.depth() > 0 && path.is_symlink() && !path.exists();
    match error.io_error() {
        Some(cause) if !dangling => findings.error(PackageError::unreadable(path, cause)),
        _ => {}
    }
}

/// Of several paths to one directory, those without links go first.
fn told_once(mut packages: Vec<PathBuf>) -> Vec<PathBuf> {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_direct = |path: &Path| std::fs::canonicalize(path).is_ok_and(|real| real.file_name() == path.file_name());
    packages.sort_by_cached_key(|path| (!is_direct(path), path.components().count(), path.clone()));
    let mut seen = BTreeSet::new();
    packages.retain(|path| seen.insert(real(path)));
    packages
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn package(root: &Path, path: &str) {
        fs::create_dir_all(root.join(path)).unwrap();
        fs::write(root.join(path).join(MARKER), "").unwrap();
    }

    fn found(root: &Path) -> Vec<String> {
        let packages = discover(root).unwrap();
        packages.iter().map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn packages_are_found_at_any_depth_but_not_inside_packages() {
        let root = tempfile::tempdir().unwrap();
        for path in ["b", "a/deep/er", "b/data/inner", ".git/x", "target/y", "c/target", "a/.hidden"] {
            package(root.path(), path);
        }
        fs::create_dir_all(root.path().join("d/problem.yaml")).unwrap();
        for file in ["a/deep/packed.kpp", "b/inside.kpp", "other.zip", ".hidden.kpp"] {
            fs::write(root.path().join(file), "").unwrap();
        }
        assert_eq!(found(root.path()), ["a/deep/er", "a/deep/packed.kpp", "b"]);
        assert_eq!(found(&root.path().join("b")), [""]);
        // What is named by the user is looked into, whatever its name.
        assert_eq!(found(&root.path().join("target")), ["y"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_without_loops_and_told_once() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        package(root.path(), "z/real");
        package(root.path(), "z/other");
        symlink(root.path(), root.path().join("z/loop")).unwrap();
        symlink("/nowhere/at/all", root.path().join("dangling")).unwrap();
        symlink("z/real", root.path().join("linked")).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        package(elsewhere.path(), "far");
        symlink(elsewhere.path().join("far"), root.path().join("near")).unwrap();
        assert_eq!(found(root.path()), ["near", "z/other", "z/real"]);
    }

    #[test]
    fn a_missing_directory_is_told() {
        let root = tempfile::tempdir().unwrap();
        let missing = root.path().join("missing");
        let errors = discover(&missing).unwrap_err();
        assert_eq!(errors.iter().next().unwrap().file, missing);
    }
}

//! Discovery: which directories and files are packages.
//!
//! Must not open any file: a directory with a `problem.yaml` is a package, and so is a file
//! `*.kpp`. A file `*.zip` can be anything, and is a package only when it is named. A directory
//! with a `problem.yml`, or one that cannot be read, counts as a package too: loading it
//! reports the fault, and other packages are not affected.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::disk::names::is_package_archive;
use crate::error::{Finding, Findings, PackageErrors};

/// The directories of kernel file systems. A search that starts in `/`, as in a container, skips
/// them.
const KERNEL: [&str; 3] = ["/dev", "/proc", "/sys"];

/// The file that makes a directory a package.
pub const MARKER: &str = "problem.yaml";

/// A frequent misspelling of its name.
pub(crate) const MISNAMED: &str = "problem.yml";

/// True when this directory is a package.
#[must_use]
pub fn is_package(directory: &Path) -> bool {
    // A problem of Hydro has a `problem.yaml`, too. With `data` next to it, the directory is still
    // a package, such as one that was converted in place.
    directory.join(MARKER).is_file()
        && (!directory.join(HYDRO_CONFIG).is_file() || directory.join("data").is_dir())
}

/// The file that marks a problem of Hydro, which also has a `problem.yaml`, unless `data` exists
/// too.
pub(crate) const HYDRO_CONFIG: &str = "testdata/config.yaml";

/// The maximum number of directories in a guessed search. A search in a workspace with a
/// `judge.yaml` is unbounded. Tests use a smaller bound, because one creates more directories than
/// this.
const MAX_GUESSED: usize = if cfg!(test) { 500 } else { 10_000 };

/// The reason for searching a directory: it was named, or it is a guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reach {
    #[default]
    /// `judge.yaml` or a word on the command line names it.
    Named,
    /// It is the current directory, which may be unrelated, such as a home directory. Clones of Git
    /// repositories below it are not searched, and the search is bounded.
    Guessed,
}

/// The result of a search.
#[derive(Debug, Default)]
pub(crate) struct SearchResult {
    /// The packages, sorted by path.
    pub(crate) packages: Vec<PathBuf>,
    /// Clones of Git repositories that were not searched.
    pub(crate) clones: Vec<PathBuf>,
}

/// The packages at and below a directory, sorted by path.
///
/// Does not search packages, directories whose name starts with a dot or is `target`, or `/dev`,
/// `/proc` and `/sys`, unless `root` is in one of these. Follows links to directories, and enters
/// each directory once. A package with several paths is returned once, with the path that contains
/// no link.
///
/// A directory below it without read permission counts as a package, since it may be one.
///
/// # Errors
/// The directory itself, if it cannot be read; every other one that cannot be read for another
/// reason; too many directories for a guess.
pub(crate) fn discover(root: &Path, reach: Reach) -> Result<SearchResult, PackageErrors> {
    // Packages may be in `/dev/shm`. A search that begins there is intended; one that begins above
    // it is not.
    let in_kernel = std::fs::canonicalize(root).is_ok_and(|real| is_kernels(&real));
    let max_entered = if reach == Reach::Guessed {
        MAX_GUESSED
    } else {
        usize::MAX
    };
    let mut discovery = Discovery {
        in_kernel,
        reach,
        max_entered,
        ..Discovery::default()
    };
    // The walk only collects links. They are followed afterwards, so a package that is reachable
    // without a link is always found by its own path.
    discovery.walk(root, true);
    let through_links = !discovery.links.is_empty();
    // Packages reached through links come after all others, those through fewer links first.
    while !discovery.links.is_empty() {
        // Packages reached through fewer links are found first, regardless of the order in which
        // links are read.
        let mut links = std::mem::take(&mut discovery.links);
        links.sort_by_cached_key(|link| path_preference(link));
        for link in links {
            discovery.walk(&link, false);
        }
    }
    if discovery.entered.len() >= max_entered {
        let message = format!(
            "no `judge.yaml`, and more than {max_entered} directories to search for problems"
        );
        let hint = "name a problem or a directory, or create a `judge.yaml` next to your problems"
            .to_owned();
        let error = Finding::invalid(root, None, message).hint(Some(hint));
        discovery.findings.error(error);
    }
    discovery.findings.into_result()?;
    let mut packages = discovery.packages;
    if through_links {
        // Only if links were followed, because resolving a path takes a system call for each of its
        // parts.
        packages = without_repetitions(packages);
    }
    packages.sort();
    Ok(SearchResult {
        packages,
        clones: discovery.clones,
    })
}

/// The state of a search.
#[derive(Default)]
struct Discovery {
    reach: Reach,
    max_entered: usize,
    packages: Vec<PathBuf>,
    clones: Vec<PathBuf>,
    /// True if the search began in one of the kernel's directories, such as `/dev/shm`, which are
    /// then searched.
    in_kernel: bool,
    /// Links that were seen and not followed yet.
    links: Vec<PathBuf>,
    /// The real paths of the directories that were entered. Without this, links among a few
    /// directories would make exponentially many paths.
    entered: HashSet<PathBuf>,
    findings: Findings,
}

impl Discovery {
    /// Searches a directory, or the target of a link, without following further links.
    fn walk(&mut self, start: &Path, is_root: bool) {
        let Ok(real) = std::fs::canonicalize(start) else {
            // A dangling link hides no package. The walk reports a missing root.
            if is_root {
                WalkDir::new(start)
                    .into_iter()
                    .filter_map(Result::err)
                    .for_each(|error| self.report(&error, start));
            }
            return;
        };
        let mut walk = WalkDir::new(start).sort_by_file_name().into_iter();
        // Not a `for` loop, because the body must keep the walk from entering packages.
        while let Some(entry) = walk.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    match error
                        .path()
                        .filter(|_| error.depth() > 0 && error.io_error().is_some_and(is_refused))
                    {
                        // The directory cannot be read, so it may be a package. Loading it reports
                        // the missing permission, which would otherwise be hidden.
                        Some(closed) => self.packages.push(closed.to_owned()),
                        None => self.report(&error, start),
                    }
                    continue;
                }
            };
            let path = entry.path();
            if entry.depth() > 0 && is_skipped(&entry) {
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
                continue;
            }
            // The start itself may be a link, and then counts as its target.
            if entry.depth() > 0 && entry.path_is_symlink() {
                self.links.push(entry.into_path());
                continue;
            }
            let is_directory = if entry.path_is_symlink() {
                path.is_dir()
            } else {
                entry.file_type().is_dir()
            };
            if !is_directory {
                if is_package_archive(path) && path.is_file() {
                    self.packages.push(entry.into_path());
                }
                continue;
            }
            // The walk follows no links below the start, so the real path is known without another
            // system call.
            let real = real.join(path.strip_prefix(start).unwrap_or(path));
            let is_kernels = !self.in_kernel && is_kernels(&real);
            // An unreadable directory may be a package. Loading reports why it is unreadable.
            let is_closed = || {
                entry.depth() > 0
                    && std::fs::metadata(path.join(MARKER)).is_err_and(|error| is_refused(&error))
            };
            let is_meant = || path.join(MISNAMED).is_file();
            let is_package = !is_kernels && (is_package(path) || is_meant() || is_closed());
            // `.git` is a directory in a clone, and a file in a submodule, which belongs to the
            // repository around it.
            let is_clone =
                self.reach == Reach::Guessed && entry.depth() > 0 && path.join(".git").is_dir();
            if is_kernels || is_package || is_clone || !self.entered.insert(real) {
                walk.skip_current_dir();
            }
            if is_package {
                self.packages.push(entry.into_path());
            } else if is_clone {
                self.clones.push(entry.into_path());
            }
            if self.entered.len() >= self.max_entered {
                return;
            }
        }
    }

    fn report(&mut self, error: &walkdir::Error, start: &Path) {
        // Other processes, such as `git checkout`, may remove files during the walk. Below the
        // root, that is not a fault.
        let has_vanished = |cause: &std::io::Error| {
            error.depth() > 0 && cause.kind() == std::io::ErrorKind::NotFound
        };
        if let Some(cause) = error.io_error().filter(|cause| !has_vanished(cause)) {
            self.findings
                .error(Finding::unreadable(error.path().unwrap_or(start), cause));
        }
    }
}

/// Returns true if an error is due to missing permissions.
pub(crate) fn is_refused(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::PermissionDenied
}

/// True when this real path is one of the kernel's directories, or in one.
fn is_kernels(real: &Path) -> bool {
    KERNEL.iter().any(|directory| real.starts_with(directory))
}

/// True when an entry is skipped because of its name. Among files, only hidden ones are.
fn is_skipped(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_str().unwrap_or_default();
    name.starts_with('.') || (name == "target" && !entry.file_type().is_file())
}

/// Keeps one path to each package: of several paths to one directory, the one without links.
fn without_repetitions(mut packages: Vec<PathBuf>) -> Vec<PathBuf> {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    packages.sort_by_cached_key(|path| path_preference(path));
    let mut seen = BTreeSet::new();
    packages.retain(|path| seen.insert(real(path)));
    packages
}

/// The order of preference among paths to one directory: first those that end in its own name, then
/// short ones.
fn path_preference(path: &Path) -> (bool, usize, PathBuf) {
    let is_direct =
        std::fs::canonicalize(path).is_ok_and(|real| real.file_name() == path.file_name());
    (!is_direct, path.components().count(), path.to_owned())
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
        let packages = discover(root, Reach::Named).unwrap().packages;
        packages
            .iter()
            .map(|path| {
                path.strip_prefix(root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .collect()
    }

    #[test]
    fn packages_are_found_at_any_depth_but_not_inside_packages() {
        let root = tempfile::tempdir().unwrap();
        for path in [
            "b",
            "a/deep/er",
            "b/data/inner",
            ".git/x",
            "target/y",
            "c/target",
            "a/.hidden",
        ] {
            package(root.path(), path);
        }
        fs::create_dir_all(root.path().join("d/problem.yaml")).unwrap();
        for file in [
            "a/deep/packed.kpp",
            "b/inside.kpp",
            "other.zip",
            ".hidden.kpp",
        ] {
            fs::write(root.path().join(file), "").unwrap();
        }
        assert_eq!(found(root.path()), ["a/deep/er", "a/deep/packed.kpp", "b"]);
        assert_eq!(found(&root.path().join("b")), [""]);
        // A directory that the user names is searched, regardless of its name.
        assert_eq!(found(&root.path().join("target")), ["y"]);
    }

    #[test]
    fn links_are_followed_once_and_without_loops() {
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
    fn directories_are_entered_once() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        // Each directory links to all others: 20! paths visit no directory twice.
        let names: Vec<String> = (10..30).map(|number| format!("d{number}")).collect();
        for name in &names {
            package(root.path(), &format!("{name}/p{name}"));
            for other in names.iter().filter(|other| *other != name) {
                symlink(format!("../{other}"), root.path().join(name).join(other)).unwrap();
            }
        }
        // Packages reached through one link, and through two links in a row.
        let elsewhere = tempfile::tempdir().unwrap();
        package(elsewhere.path(), "deep/far");
        package(elsewhere.path(), ".hidden/shown");
        symlink(
            elsewhere.path().join("deep"),
            elsewhere.path().join("again"),
        )
        .unwrap();
        symlink(elsewhere.path(), root.path().join("d10/e")).unwrap();
        symlink(elsewhere.path().join(".hidden"), root.path().join("shown")).unwrap();
        fs::write(elsewhere.path().join("deep/packed.kpp"), "").unwrap();
        symlink("/proc", root.path().join("processes")).unwrap();
        symlink(
            elsewhere.path().join("deep/packed.kpp"),
            root.path().join("linked.kpp"),
        )
        .unwrap();
        let mut expected: Vec<String> =
            names.iter().map(|name| format!("{name}/p{name}")).collect();
        expected
            .extend(["d10/e/deep/far", "d10/e/deep/packed.kpp", "shown/shown"].map(str::to_owned));
        expected.sort();
        assert_eq!(found(root.path()), expected);
    }

    #[test]
    fn directories_with_problem_yml_are_found() {
        let root = tempfile::tempdir().unwrap();
        package(root.path(), "right");
        fs::create_dir_all(root.path().join("misnamed")).unwrap();
        fs::write(root.path().join("misnamed/problem.yml"), "").unwrap();
        assert_eq!(found(root.path()), ["misnamed", "right"]);
    }

    #[test]
    fn missing_directory_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let missing = root.path().join("missing");
        let errors = discover(&missing, Reach::Named).unwrap_err();
        assert_eq!(errors.iter().next().unwrap().file, missing);
    }

    #[test]
    fn searches_without_configuration_are_bounded_and_skip_clones() {
        let root = tempfile::tempdir().unwrap();
        for path in ["mine", "clone/theirs", "submodule/mine_too"] {
            package(root.path(), path);
        }
        fs::create_dir(root.path().join("clone/.git")).unwrap();
        fs::write(
            root.path().join("submodule/.git"),
            "gitdir: ../.git/modules/submodule\n",
        )
        .unwrap();
        let found = discover(root.path(), Reach::Guessed).unwrap();
        assert_eq!(
            found.packages,
            ["mine", "submodule/mine_too"].map(|path| root.path().join(path))
        );
        assert_eq!(found.clones, [root.path().join("clone")]);
        // A clone that contains the current directory is searched.
        let inside = discover(&root.path().join("clone"), Reach::Guessed).unwrap();
        assert_eq!(inside.packages, [root.path().join("clone/theirs")]);
        assert_eq!(
            discover(root.path(), Reach::Named).unwrap().packages.len(),
            3
        );

        for number in 0..MAX_GUESSED {
            fs::create_dir_all(root.path().join(format!("many/{}/{number}", number % 100)))
                .unwrap();
        }
        let errors = discover(root.path(), Reach::Guessed).unwrap_err();
        assert!(
            errors
                .to_string()
                .contains(&format!("more than {MAX_GUESSED} directories")),
            "{errors}"
        );
        assert_eq!(
            discover(root.path(), Reach::Named).unwrap().packages.len(),
            3
        );
    }
}

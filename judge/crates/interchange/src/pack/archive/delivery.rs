//! Writes archives to their targets: an archive gets its name when it is complete and was read
//! back.
//!
//! Responsible for deciding which files an archive may replace, for leaving no incomplete files,
//! and for checking that an archive contains the package that was packed. Must not know which judge
//! an archive is for.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use judge_files::{ConfinedDirectory, Replacement, ReplacementOptions};
use judge_package::{LoadedPackage, UnpackError, Workspace, is_package, load, unpack_archive};

use super::{Archive, Purpose};
use crate::pack::Target;
use crate::scratch::scratch;
use crate::{InterchangeError, IsStopped, Result};

/// The options for writing an archive.
#[derive(Clone, Copy)]
pub struct Delivery<'a> {
    /// True if files may be replaced that were not written by `judge pack`, or for another purpose.
    pub force: bool,
    /// Checked while the archive is written.
    pub is_stopped: IsStopped<'a>,
}

impl Archive {
    /// Writes the archive to the file `target`, and creates its directory if necessary. `check`
    /// gets the complete archive before it has its name, and may refuse it.
    ///
    /// # Errors
    /// If `target` must not be replaced, something cannot be read or written, `check` refuses the
    /// archive, or the work is stopped. An existing file at `target` is then unchanged.
    pub fn deliver(
        &self,
        target: &Path,
        delivery: Delivery<'_>,
        check: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<()> {
        check_target(target, self.purpose, delivery.force)?;
        let unwritable = InterchangeError::unwritable(target);
        if let Some(directory) = target.parent() {
            make_directory(directory)?;
        }
        let options = ReplacementOptions {
            on_disk: true,
            ..ReplacementOptions::default()
        };
        let file = Replacement::begin(target, options).map_err(&unwritable)?;
        let written = self.write(BufWriter::new(file.file()), delivery.is_stopped);
        let check_stopped = || {
            if (delivery.is_stopped)() {
                Err(InterchangeError::Stopped)
            } else {
                Ok(())
            }
        };
        check_stopped()?;
        written.map_err(&unwritable)?;
        let checked = check(file.unfinished());
        check_stopped()?;
        checked?;
        file.finish().map_err(&unwritable)
    }
}

/// The location of archives as given by the user.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The directory to which names are relative.
    pub directory: &'a Path,
    /// A file or a directory. By default, archives go into a directory with the name of the judge.
    pub named: Option<&'a Path>,
    /// True if there are several archives, so that `named` is a directory.
    pub is_of_many: bool,
}

impl Output<'_> {
    /// Returns the path of the archive of a problem.
    #[must_use]
    pub fn archive(&self, problem: &str, target: Target) -> PathBuf {
        // The format requires the name of the problem (2025-09, "General Requirements"), and
        // DOMjudge uses it as the short name. Each judge has its own directory.
        let file = format!("{problem}.zip");
        let Some(named) = self.named else {
            return self.directory.join(target.name()).join(file);
        };
        let path = self.directory.join(named);
        let is_directory =
            self.is_of_many || path.is_dir() || named.to_string_lossy().ends_with('/');
        if is_directory { path.join(file) } else { path }
    }
}

/// Checks the targets of archives before the first of them is written.
///
/// # Errors
/// If one must not be replaced, as in [`Archive::deliver`], or if two are the same.
pub fn check_targets<'a>(
    targets: impl IntoIterator<Item = (&'a Path, Purpose)>,
    force: bool,
) -> Result<()> {
    let mut known = BTreeSet::new();
    for (target, purpose) in targets {
        if !known.insert(target) {
            return Err(InterchangeError::SameTarget(target.to_owned()));
        }
        check_target(target, purpose, force)?;
    }
    Ok(())
}

/// Creates a directory and its parents.
fn make_directory(directory: &Path) -> Result<()> {
    let is_in_the_way = || {
        directory
            .ancestors()
            .any(|above| above.exists() && !above.is_dir())
    };
    ConfinedDirectory::for_output(directory)
        .map(drop)
        .map_err(|cause| {
            // The system reports that it exists.
            let cause = if is_in_the_way() {
                io::ErrorKind::NotADirectory.into()
            } else {
                cause
            };
            InterchangeError::unwritable(directory)(cause)
        })
}

/// Refuses targets that an archive must not replace.
fn check_target(target: &Path, purpose: Purpose, force: bool) -> Result<()> {
    let Ok(metadata) = fs::symlink_metadata(target) else {
        return Ok(());
    };
    if !metadata.is_file() && !metadata.is_symlink() {
        // Renaming the archive would replace a device.
        return Err(InterchangeError::NoFile(target.to_owned()));
    }
    if force { Ok(()) } else { purpose.check(target) }
}

/// Loads the package in an archive, like its readers. It must have the test cases of the package
/// that was packed. `workspace` is the package's workspace, which defines the languages.
///
/// # Errors
/// If it cannot be unpacked or loaded, has fewer test cases, or if the work is stopped.
pub(crate) fn read_back(
    loaded: &LoadedPackage,
    workspace: &Workspace,
    archive: &Path,
    is_stopped: IsStopped<'_>,
) -> Result<()> {
    let name = &loaded.problem.name;
    let broken = |why: String| InterchangeError::ReadBack {
        problem: name.clone(),
        why,
    };
    let directory = scratch()?;
    let root = directory.path().join(name);
    fs::create_dir(&root).map_err(InterchangeError::unwritable(&root))?;
    // The archive is unpacked from scratch, like its readers do.
    unpack_archive(archive, &root, usize::MAX, is_stopped).map_err(|error| match error {
        UnpackError::Unwritable { path, cause } => InterchangeError::Unwritable { path, cause },
        error => broken(error.to_string()),
    })?;
    let inner = root.join(name);
    let root = if is_package(&inner) { inner } else { root };
    let mut bare = Workspace::bare(&root);
    bare.languages.clone_from(&workspace.languages);
    let again = load(&root, &bare).map_err(|errors| broken(errors.to_string()))?;
    let (expected, found) = (
        loaded.problem.test_cases.len(),
        again.problem.test_cases.len(),
    );
    // An archive in the legacy format may have more, since test cases of required groups are
    // copied.
    if found < expected {
        return Err(broken(format!(
            "expected {expected} test cases, found {found}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::fixture::Tree;

    fn archive() -> Archive {
        let mut archive = Archive::default();
        archive.put("a", "text");
        archive
    }

    fn names(tree: &Tree) -> Vec<String> {
        let entries = fs::read_dir(tree.path("")).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn only_archives_of_the_same_purpose_are_replaced_without_force() {
        let tree = Tree::with(&[("other.zip", "mine"), ("directory/x", "")]);
        let delivery = |force| Delivery {
            force,
            is_stopped: &|| false,
        };
        let deliver =
            |name: &str, force| archive().deliver(&tree.path(name), delivery(force), |_| Ok(()));
        deliver("own.zip", false).unwrap();
        deliver("own.zip", false).unwrap();
        let refused = deliver("other.zip", false).unwrap_err();
        assert!(
            matches!(refused, InterchangeError::NotPacked(_)),
            "{refused}"
        );
        assert_eq!(fs::read(tree.path("other.zip")).unwrap(), b"mine");
        deliver("other.zip", true).unwrap();
        assert_eq!(
            fs::read(tree.path("other.zip")).unwrap(),
            fs::read(tree.path("own.zip")).unwrap()
        );
        let refused = deliver("directory", true).unwrap_err();
        assert!(matches!(refused, InterchangeError::NoFile(_)), "{refused}");
        let error = deliver("other.zip/below.zip", false)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("not a directory") || error.contains("Not a directory"),
            "{error}"
        );
        deliver("made/for/it.zip", false).unwrap();
        assert_eq!(names(&tree), ["directory", "made", "other.zip", "own.zip"]);
    }

    #[test]
    fn archives_for_other_judges_are_not_replaced_without_force() {
        let tree = Tree::with(&[]);
        let deliver = |target: &str, force| {
            let target: Target = target.parse().unwrap();
            let archive = archive().with_purpose(Purpose::Judge(target));
            archive.deliver(
                &tree.path("a.zip"),
                Delivery {
                    force,
                    is_stopped: &|| false,
                },
                |_| Ok(()),
            )
        };
        deliver("kattis", false).unwrap();
        deliver("kattis", false).unwrap();
        let before = fs::read(tree.path("a.zip")).unwrap();
        let refused = deliver("domjudge", false).unwrap_err();
        assert!(
            matches!(refused, InterchangeError::PackedForOther { .. }),
            "{refused}"
        );
        assert_eq!(fs::read(tree.path("a.zip")).unwrap(), before);
        deliver("domjudge", true).unwrap();
        assert!(deliver("kattis", false).is_err());
    }

    #[test]
    fn outputs_are_files_or_directories() {
        let tree = Tree::with(&[("there/x", "")]);
        let place_for = |target: &str, named: Option<&str>, is_of_many| {
            let directory = tree.path("");
            let output = Output {
                directory: &directory,
                named: named.map(Path::new),
                is_of_many,
            };
            let place = output.archive("sum", target.parse().unwrap());
            place
                .strip_prefix(&directory)
                .unwrap()
                .display()
                .to_string()
        };
        let place = |named, is_of_many| place_for("domjudge", named, is_of_many);
        let places = [
            place(None, true),
            place(Some("a.zip"), false),
            place(Some("a"), true),
            place(Some("there"), false),
        ];
        assert_eq!(
            places,
            ["domjudge/sum.zip", "a.zip", "a/sum.zip", "there/sum.zip"]
        );
        assert_eq!(place(Some("new/"), false), "new/sum.zip");
        let names: BTreeSet<String> = Target::all()
            .map(|target| place_for(target.name(), None, false))
            .collect();
        assert_eq!(names.len(), Target::all().len(), "{names:?}");
    }

    #[test]
    fn targets_are_checked_before_writing() {
        let tree = Tree::with(&[("other.zip", "mine")]);
        let check = |names: &[&str]| {
            let targets: Vec<_> = names.iter().map(|name| tree.path(name)).collect();
            check_targets(
                targets
                    .iter()
                    .map(|target| (target.as_path(), Purpose::Samples)),
                false,
            )
        };
        check(&["a.zip", "b.zip"]).unwrap();
        assert!(matches!(
            check(&["a.zip", "other.zip"]).unwrap_err(),
            InterchangeError::NotPacked(_)
        ));
        assert!(matches!(
            check(&["a.zip", "b.zip", "a.zip"]).unwrap_err(),
            InterchangeError::SameTarget(_)
        ));
    }

    #[test]
    fn old_archives_are_kept_if_delivery_fails() {
        let tree = Tree::with(&[]);
        let target = tree.path("own.zip");
        archive()
            .deliver(
                &target,
                Delivery {
                    force: false,
                    is_stopped: &|| false,
                },
                |_| Ok(()),
            )
            .unwrap();
        let before = fs::read(&target).unwrap();
        let mut other = archive();
        other.put("b", vec![7; 1 << 20]);
        let refuse = |path: &Path| {
            assert_ne!(fs::read(path).unwrap(), before);
            Err(InterchangeError::NoFile(path.to_owned()))
        };
        assert!(
            other
                .deliver(
                    &target,
                    Delivery {
                        force: false,
                        is_stopped: &|| false
                    },
                    refuse
                )
                .is_err()
        );
        // A signal arrives before anything is written, in the middle, and while the archive is read
        // back.
        for arrives_at in [0, 1, 2, 3] {
            let calls = Cell::new(0);
            let is_stopped = || calls.replace(calls.get() + 1) >= arrives_at;
            let stopped = other.deliver(
                &target,
                Delivery {
                    force: false,
                    is_stopped: &is_stopped,
                },
                |_| Ok(()),
            );
            assert!(
                matches!(stopped.unwrap_err(), InterchangeError::Stopped),
                "{arrives_at}"
            );
        }
        assert_eq!(
            (fs::read(&target).unwrap(), names(&tree)),
            (before, vec!["own.zip".to_owned()])
        );
    }
}

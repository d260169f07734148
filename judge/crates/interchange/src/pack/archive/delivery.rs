//! Delivery: an archive gets its name when it is whole, and once it was read back.
//!
//! Responsible for which files an archive may replace, for that nothing half-written stays, and for
//! an archive to hold the package that was packed. Must not know for which judge it is.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use judge_files::{ConfinedDirectory, Replacement, ReplacementOptions};
use judge_package::{LoadedPackage, UnpackError, Workspace, is_package, load, unpack_archive};

use super::{Archive, Purpose};
use crate::pack::Target;
use crate::scratch::scratch;
use crate::{InterchangeError, IsStopped};

/// The way in which an archive gets its place.
#[derive(Clone, Copy)]
pub struct Delivery<'a> {
    /// True when a file may be replaced that was not packed here, or for something else.
    pub force: bool,
    /// Asked while the archive is written.
    pub is_stopped: IsStopped<'a>,
}

impl Archive {
    /// Writes the archive as the file `target`, whose directory is made where it is missing; `look`
    /// sees it before it has its name, and may refuse it.
    ///
    /// # Errors
    /// When `target` is no file or somebody else's, something cannot be read or written, `look`
    /// refuses the archive, or the work is stopped. There is then what was there before.
    pub fn deliver(
        &self,
        target: &Path,
        delivery: Delivery<'_>,
        look: impl FnOnce(&Path) -> Result<(), InterchangeError>,
    ) -> Result<(), InterchangeError> {
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
        let written = self.write(Stoppable {
            file: BufWriter::new(file.file()),
            is_stopped: delivery.is_stopped,
        });
        let go_on = || {
            if (delivery.is_stopped)() {
                Err(InterchangeError::Stopped)
            } else {
                Ok(())
            }
        };
        go_on()?;
        written.map_err(&unwritable)?;
        let looked = look(file.unfinished());
        go_on()?;
        looked?;
        file.finish().map_err(&unwritable)
    }
}

/// The place of archives as it was named.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The directory in which names are meant.
    pub directory: &'a Path,
    /// A file, or a directory; without it, archives go into a directory with the name of the judge.
    pub named: Option<&'a Path>,
    /// True when it is for several archives, so that it is a directory.
    pub is_of_many: bool,
}

impl Output<'_> {
    /// The place of the archive of a problem.
    #[must_use]
    pub fn archive(&self, problem: &str, target: Target) -> PathBuf {
        // The format asks for the name of the problem (2025-09, "General Requirements"), and
        // DOMjudge takes the short name from it. Each judge has a directory of its own.
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

/// Looks at the places of archives before the first of them is written.
///
/// # Errors
/// When one is no file or somebody else's, as for [`Archive::deliver`], or two are the same.
pub fn check_targets<'a>(
    targets: impl IntoIterator<Item = (&'a Path, Purpose)>,
    force: bool,
) -> Result<(), InterchangeError> {
    let mut known = BTreeSet::new();
    for (target, purpose) in targets {
        if !known.insert(target) {
            return Err(InterchangeError::SameTarget(target.to_owned()));
        }
        check_target(target, purpose, force)?;
    }
    Ok(())
}

/// Makes a directory, and those above it.
fn make_directory(directory: &Path) -> Result<(), InterchangeError> {
    let is_in_the_way = || {
        directory
            .ancestors()
            .any(|above| above.exists() && !above.is_dir())
    };
    ConfinedDirectory::for_output(directory)
        .map(drop)
        .map_err(|cause| {
            // The system says that it exists.
            let cause = if is_in_the_way() {
                io::ErrorKind::NotADirectory.into()
            } else {
                cause
            };
            InterchangeError::unwritable(directory)(cause)
        })
}

/// Refuses what no archive may take the place of.
fn check_target(target: &Path, purpose: Purpose, force: bool) -> Result<(), InterchangeError> {
    let Ok(metadata) = fs::symlink_metadata(target) else {
        return Ok(());
    };
    if !metadata.is_file() && !metadata.is_symlink() {
        // Renamed over a device, the archive would be in its place.
        return Err(InterchangeError::NoFile(target.to_owned()));
    }
    if force { Ok(()) } else { purpose.check(target) }
}

/// A file that takes nothing more once the work is stopped.
struct Stoppable<'a> {
    file: BufWriter<&'a fs::File>,
    is_stopped: IsStopped<'a>,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.is_stopped)() {
            return Err(io::Error::other("the work is stopped"));
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Stoppable<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Loads the package in an archive, as its reader does: it must have the test cases of the one that
/// was packed. `workspace` is where that one lies, whose languages are known.
///
/// # Errors
/// When it cannot be unpacked or loaded, or has fewer test cases; or the work is stopped.
pub(crate) fn read_back(
    loaded: &LoadedPackage,
    workspace: &Workspace,
    archive: &Path,
    is_stopped: IsStopped<'_>,
) -> Result<(), InterchangeError> {
    let name = &loaded.problem.name;
    let broken = |why: String| InterchangeError::ReadBack {
        problem: name.clone(),
        why,
    };
    let directory = scratch()?;
    let root = directory.path().join(name);
    fs::create_dir(&root).map_err(InterchangeError::unwritable(&root))?;
    // The archive is read as its reader will read it; what only this process knows is of no
    // use there.
    unpack_archive(archive, &root, usize::MAX, is_stopped).map_err(|error| match error {
        UnpackError::Unwritable { path, cause } => InterchangeError::Unwritable { path, cause },
        error => broken(error.to_string()),
    })?;
    let within = root.join(name);
    let root = if is_package(&within) { within } else { root };
    let mut bare = Workspace::bare(&root);
    bare.languages.clone_from(&workspace.languages);
    let again = load(&root, &bare).map_err(|errors| broken(errors.to_string()))?;
    let (expected, found) = (
        loaded.problem.test_cases.len(),
        again.problem.test_cases.len(),
    );
    // The legacy format may have more: test cases of required groups are copied.
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
        archive.put("a", "text", false);
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
        let tree = Tree::with(&[("foreign.zip", "mine"), ("directory/x", "")]);
        let delivery = |force| Delivery {
            force,
            is_stopped: &|| false,
        };
        let deliver =
            |name: &str, force| archive().deliver(&tree.path(name), delivery(force), |_| Ok(()));
        deliver("own.zip", false).unwrap();
        deliver("own.zip", false).unwrap();
        let refused = deliver("foreign.zip", false).unwrap_err();
        assert!(
            matches!(refused, InterchangeError::NotPacked(_)),
            "{refused}"
        );
        assert_eq!(fs::read(tree.path("foreign.zip")).unwrap(), b"mine");
        deliver("foreign.zip", true).unwrap();
        assert_eq!(
            fs::read(tree.path("foreign.zip")).unwrap(),
            fs::read(tree.path("own.zip")).unwrap()
        );
        let refused = deliver("directory", true).unwrap_err();
        assert!(matches!(refused, InterchangeError::NoFile(_)), "{refused}");
        let error = deliver("foreign.zip/below.zip", false)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("not a directory") || error.contains("Not a directory"),
            "{error}"
        );
        deliver("made/for/it.zip", false).unwrap();
        assert_eq!(
            names(&tree),
            ["directory", "foreign.zip", "made", "own.zip"]
        );
    }

    #[test]
    fn an_archive_for_one_judge_never_takes_the_place_of_one_for_another_unless_asked_for() {
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
    fn outputs_are_directories_where_they_have_to_be() {
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
    fn places_are_looked_at_before_anything_is_written() {
        let tree = Tree::with(&[("foreign.zip", "mine")]);
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
            check(&["a.zip", "foreign.zip"]).unwrap_err(),
            InterchangeError::NotPacked(_)
        ));
        assert!(matches!(
            check(&["a.zip", "b.zip", "a.zip"]).unwrap_err(),
            InterchangeError::SameTarget(_)
        ));
    }

    #[test]
    fn a_refused_or_stopped_delivery_keeps_the_old_archive() {
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
        other.put("b", vec![7; 1 << 20], false);
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
        // A signal comes before anything is written, in the middle, and while the archive is
        // read back.
        for comes_at in [0, 1, 2, 3] {
            let calls = Cell::new(0);
            let is_stopped = || calls.replace(calls.get() + 1) >= comes_at;
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
                "{comes_at}"
            );
        }
        assert_eq!(
            (fs::read(&target).unwrap(), names(&tree)),
            (before, vec!["own.zip".to_owned()])
        );
    }
}

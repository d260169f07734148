//! Delivery: an archive gets its name when it is whole, and once it was read back.
//!
//! Responsible for which files an archive may replace, for that nothing half-written stays, and for that whoever takes a
//! package finds in it what was packed. Must not know for which judge it is.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use judge_files::{Replacement, ReplacementOptions, regular_file};
use judge_package::{LoadedPackage, Workspace, is_package, load, unpack_archive};

use super::{Archive, COMMENT};
use crate::scratch::scratch;
use crate::{InterchangeError, IsStopped};

/// The way in which an archive gets its place.
#[derive(Clone, Copy)]
pub struct Delivery<'a> {
    /// True when a file may be replaced that was not packed here.
    pub force: bool,
    /// Asked while the archive is written.
    pub is_stopped: IsStopped<'a>,
}

impl Archive {
    /// Writes the archive as the file `target`, whose directory is made where it is missing; `look` sees it before it has
    /// its name, and may refuse it.
    ///
    /// # Errors
    /// When `target` is no file or somebody else's, something cannot be read or written, `look` refuses the archive, or the work
    /// is stopped. There is then what was there before.
    pub fn deliver(
        &self,
        target: &Path,
        delivery: Delivery<'_>,
        look: impl FnOnce(&Path) -> Result<(), InterchangeError>,
    ) -> Result<(), InterchangeError> {
        check_target(target, delivery.force)?;
        let unwritable = InterchangeError::unwritable(target);
        if let Some(directory) = target.parent() {
            make_directory(directory)?;
        }
        let options = ReplacementOptions { on_disk: true, ..ReplacementOptions::default() };
        let file = Replacement::begin(target, options).map_err(&unwritable)?;
        let written = self.write(Stoppable { file: BufWriter::new(file.file()), is_stopped: delivery.is_stopped });
        let go_on = || if (delivery.is_stopped)() { Err(InterchangeError::Stopped) } else { Ok(()) };
        go_on()?;
        written.map_err(&unwritable)?;
        let looked = look(file.unfinished());
        go_on()?;
        looked?;
        file.finish().map_err(&unwritable)
    }
}

/// Looks at the places of archives before the first of them is written.
///
/// # Errors
/// When one is no file or somebody else's, as for [`Archive::deliver`], or two are the same.
pub fn check_targets<'a>(targets: impl IntoIterator<Item = &'a Path>, force: bool) -> Result<(), InterchangeError> {
    let mut known = BTreeSet::new();
    for target in targets {
        if !known.insert(target) {
            return Err(InterchangeError::SameTarget(target.to_owned()));
        }
        check_target(target, force)?;
    }
    Ok(())
}

/// Makes a directory, and those above it.
fn make_directory(directory: &Path) -> Result<(), InterchangeError> {
    let is_in_the_way = || directory.ancestors().any(|above| above.exists() && !above.is_dir());
    fs::create_dir_all(directory).map_err(|cause| {
        // The system says that it exists.
        let cause = if is_in_the_way() { io::ErrorKind::NotADirectory.into() } else { cause };
        InterchangeError::unwritable(directory)(cause)
    })
}

/// Refuses what no archive may take the place of.
fn check_target(target: &Path, force: bool) -> Result<(), InterchangeError> {
    let Ok(metadata) = fs::symlink_metadata(target) else { return Ok(()) };
    if !metadata.is_file() && !metadata.is_symlink() {
        // Renamed over a device, the archive would be in its place.
        return Err(InterchangeError::NoFile(target.to_owned()));
    }
    if force || is_packed(target) { Ok(()) } else { Err(InterchangeError::NotPacked(target.to_owned())) }
}

/// True for an archive that was packed here: the comment stands at its end.
fn is_packed(file: &Path) -> bool {
    let ends_with_comment = || -> io::Result<bool> {
        let mut file = regular_file::open(file)?;
        let mut end = Vec::new();
        let length = COMMENT.len() as u64;
        file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(length)))?;
        file.take(length).read_to_end(&mut end)?;
        Ok(end == COMMENT.as_bytes())
    };
    ends_with_comment().unwrap_or(false)
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

/// Loads the package in an archive, as whoever takes it does: it must have the test cases of the one that was packed.
/// `workspace` is where that one lies, whose languages are known.
///
/// # Errors
/// When it cannot be unpacked or loaded, or has fewer test cases; or the work is stopped.
pub fn read_back(
    loaded: &LoadedPackage,
    workspace: &Workspace,
    archive: &Path,
    is_stopped: IsStopped<'_>,
) -> Result<(), InterchangeError> {
    let name = &loaded.problem.name;
    let broken = |why: String| InterchangeError::ReadBack { problem: name.clone(), why };
    let directory = scratch()?;
    let root = directory.path().join(name);
    fs::create_dir(&root).map_err(InterchangeError::unwritable(&root))?;
    unpack_archive(archive, &root, usize::MAX, is_stopped).map_err(|error| broken(error.to_string()))?;
    let within = root.join(name);
    let root = if is_package(&within) { within } else { root };
    let mut bare = Workspace::bare(&root);
    bare.languages.clone_from(&workspace.languages);
    let again = load(&root, &bare).map_err(|errors| broken(errors.to_string()))?;
    let (expected, found) = (loaded.problem.test_cases.len(), again.problem.test_cases.len());
    if found < expected {
        return Err(broken(format!("expected {expected} test cases, found {found}")));
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
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_packed_here_is_replaced_and_nothing_else_unless_asked_for() {
        let tree = Tree::with(&[("foreign.zip", "mine"), ("directory/x", "")]);
        let delivery = |force| Delivery { force, is_stopped: &|| false };
        let deliver = |name: &str, force| archive().deliver(&tree.path(name), delivery(force), |_| Ok(()));
        deliver("own.zip", false).unwrap();
        deliver("own.zip", false).unwrap();
        let refused = deliver("foreign.zip", false).unwrap_err();
        assert!(matches!(refused, InterchangeError::NotPacked(_)), "{refused}");
        assert_eq!(fs::read(tree.path("foreign.zip")).unwrap(), b"mine");
        deliver("foreign.zip", true).unwrap();
        assert_eq!(fs::read(tree.path("foreign.zip")).unwrap(), fs::read(tree.path("own.zip")).unwrap());
        let refused = deliver("directory", true).unwrap_err();
        assert!(matches!(refused, InterchangeError::NoFile(_)), "{refused}");
        let said = deliver("foreign.zip/below.zip", false).unwrap_err().to_string();
        assert!(said.contains("not a directory") || said.contains("Not a directory"), "{said}");
        deliver("made/for/it.zip", false).unwrap();
        assert_eq!(names(&tree), ["directory", "foreign.zip", "made", "own.zip"]);
    }

    #[test]
    fn places_are_looked_at_before_anything_is_written() {
        let tree = Tree::with(&[("foreign.zip", "mine")]);
        let check = |names: &[&str]| {
            let targets: Vec<_> = names.iter().map(|name| tree.path(name)).collect();
            check_targets(targets.iter().map(std::path::PathBuf::as_path), false)
        };
        check(&["a.zip", "b.zip"]).unwrap();
        assert!(matches!(check(&["a.zip", "foreign.zip"]).unwrap_err(), InterchangeError::NotPacked(_)));
        assert!(matches!(check(&["a.zip", "b.zip", "a.zip"]).unwrap_err(), InterchangeError::SameTarget(_)));
    }

    #[test]
    fn what_is_refused_or_stopped_leaves_what_was_there() {
        let tree = Tree::with(&[]);
        let target = tree.path("own.zip");
        archive().deliver(&target, Delivery { force: false, is_stopped: &|| false }, |_| Ok(())).unwrap();
        let before = fs::read(&target).unwrap();
        let mut other = archive();
        other.put("b", vec![7; 1 << 20], false);
        let refuse = |path: &Path| {
            assert_ne!(fs::read(path).unwrap(), before);
            Err(InterchangeError::NoFile(path.to_owned()))
        };
        assert!(other.deliver(&target, Delivery { force: false, is_stopped: &|| false }, refuse).is_err());
        // A signal comes before anything is written, in the middle, and while the archive is read back.
        for comes_at in [0, 1, 2, 3] {
            let asked = Cell::new(0);
            let is_stopped = || asked.replace(asked.get() + 1) >= comes_at;
            let stopped = other.deliver(&target, Delivery { force: false, is_stopped: &is_stopped }, |_| Ok(()));
            assert!(matches!(stopped.unwrap_err(), InterchangeError::Stopped), "{comes_at}");
        }
        assert_eq!((fs::read(&target).unwrap(), names(&tree)), (before, vec!["own.zip".to_owned()]));
    }
}

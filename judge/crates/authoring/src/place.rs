//! Putting data in place: the one module that changes a package.
//!
//! Responsible for doing it all at the end, so that whatever goes wrong before leaves `data/` as it was. Must not decide
//! what changes.
//!
//! All new files are written beside their places first, under hidden names, which are no part of a package; then they get
//! their names, one rename each. When a kill comes between two renames, the lock file is still the old one, and the next
//! run finds each file either as it was made before or as it is to be: it goes on where this one ended. Nothing waits for
//! the disk: what a power failure damages can be made again.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::changes::Difference;
use crate::lock::LOCK_FILE;
use judge_package::GENERATORS_FILE;

/// What hidden names begin with.
const HIDDEN: &str = ".judge-generate-";

/// Why the data could not be put in place.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {source}", path.display())]
pub struct PlaceError {
    path: PathBuf,
    source: io::Error,
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> PlaceError {
    let path = path.to_owned();
    move |source| PlaceError { path, source }
}

/// Puts the files that are to be written, which lie below `made`, into `package`, and removes those that are not wanted.
/// `rules` is the new text of `generators.yaml`, when that changes too.
pub(crate) fn put_in_place(
    difference: &Difference,
    made: &Path,
    package: &Path,
    rules: Option<&str>,
) -> Result<(), PlaceError> {
    let data = package.join("data");
    sweep(&data);
    let texts = [(GENERATORS_FILE, rules.map(str::to_owned)), (LOCK_FILE, Some(difference.lock.to_text()))];
    let mut ready: Vec<(PathBuf, PathBuf)> = Vec::new();
    let prepared = prepare(difference, made, &data, &mut ready).and_then(|()| {
        let texts = texts.into_iter().filter_map(|(path, text)| Some((package.join(path), text?)));
        texts.into_iter().try_for_each(|(path, text)| write_beside(&path, &text, &mut ready))
    });
    if let Err(error) = prepared {
        for (hidden, _) in &ready {
            // The error that is told is the first one.
            let _ = fs::remove_file(hidden);
        }
        return Err(error);
    }
    // The lock comes last: what it says is then true.
    let (lock, files) = ready.split_last().expect("the lock is always written");
    for (hidden, path) in files {
        fs::rename(hidden, path).map_err(failed(path))?;
    }
    for path in difference.remove.iter().map(|path| data.join(path)) {
        fs::remove_file(&path).map_err(failed(&path))?;
        // Directories that are empty now are no part of the data any more.
        let mut directory = path.parent();
        while let Some(empty) = directory.filter(|directory| *directory != data && fs::remove_dir(directory).is_ok()) {
            directory = empty.parent();
        }
    }
    fs::rename(&lock.0, &lock.1).map_err(failed(&lock.1))
}

fn prepare(
    difference: &Difference,
    made: &Path,
    data: &Path,
    ready: &mut Vec<(PathBuf, PathBuf)>,
) -> Result<(), PlaceError> {
    for path in &difference.write {
        let (source, target) = (made.join(path), data.join(path));
        let hidden = hidden_beside(&target, ready.len());
        fs::create_dir_all(hidden.parent().unwrap_or(data)).map_err(failed(&target))?;
        ready.push((hidden.clone(), target));
        if source.is_symlink() {
            fs::read_link(&source).and_then(|link| symlink(link, &hidden)).map_err(failed(&hidden))?;
        } else {
            fs::copy(&source, &hidden).map_err(failed(&hidden))?;
        }
    }
    Ok(())
}

fn write_beside(path: &Path, text: &str, ready: &mut Vec<(PathBuf, PathBuf)>) -> Result<(), PlaceError> {
    let hidden = hidden_beside(path, ready.len());
    fs::create_dir_all(hidden.parent().unwrap_or(path)).map_err(failed(path))?;
    ready.push((hidden.clone(), path.to_owned()));
    fs::write(&hidden, text).map_err(failed(&hidden))
}

fn hidden_beside(path: &Path, index: usize) -> PathBuf {
    path.with_file_name(format!("{HIDDEN}{}-{index}", std::process::id()))
}

/// Removes what a killed run left. What cannot be removed is hidden, and in nobody's way.
fn sweep(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let is_left = entry.file_name().to_string_lossy().starts_with(HIDDEN);
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => sweep(&entry.path()),
            Ok(_) if is_left => drop(fs::remove_file(entry.path())),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::changes::{MadeFiles, compare};
    use crate::files::files_below;
    use crate::lock::Lock;

    fn package() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let (made, package) = (directory.path().join("made"), directory.path().join("package"));
        fs::create_dir_all(made.join("secret/g")).unwrap();
        fs::create_dir_all(package.join("generators")).unwrap();
        fs::create_dir_all(package.join("data/secret")).unwrap();
        (directory, made, package)
    }

    fn difference(made: &Path, package: &Path) -> Difference {
        let files = files_below(made).unwrap().into_iter();
        let files: MadeFiles = files.map(|(path, content)| (path, (content, "text".to_owned()))).collect();
        let lock = Lock::read(&package.join(LOCK_FILE)).unwrap();
        compare(&files, &files_below(&package.join("data")).unwrap(), &lock, |_| true, |_| false)
    }

    #[test]
    fn files_come_and_go_with_their_directories() {
        let (_directory, made, package) = package();
        fs::write(made.join("secret/g/1.in"), "1").unwrap();
        symlink("1.in", made.join("secret/g/2.in")).unwrap();
        fs::write(package.join("data/secret/mine.in"), "").unwrap();
        put_in_place(&difference(&made, &package), &made, &package, None).unwrap();
        let names = |package: &Path| files_below(&package.join("data")).unwrap().into_keys().collect::<Vec<_>>();
        assert_eq!(names(&package), ["secret/g/1.in", "secret/g/2.in", "secret/mine.in"]);
        assert!(package.join("data/secret/g/2.in").is_symlink());
        fs::remove_dir_all(made.join("secret/g")).unwrap();
        put_in_place(&difference(&made, &package), &made, &package, None).unwrap();
        assert_eq!(names(&package), ["secret/mine.in"]);
        assert!(!package.join("data/secret/g").exists());
    }

    #[test]
    fn a_failure_changes_nothing_and_leaves_nothing() {
        let (_directory, made, package) = package();
        fs::write(made.join("secret/1.in"), "new").unwrap();
        fs::write(made.join("secret/2.in"), "new").unwrap();
        let wanted = difference(&made, &package);
        // The second file is gone before it can be copied.
        fs::remove_file(made.join("secret/2.in")).unwrap();
        assert!(put_in_place(&wanted, &made, &package, None).is_err());
        let all: BTreeMap<_, _> = files_below(&package).unwrap();
        assert!(all.is_empty(), "{all:?}");
        assert_eq!(fs::read_dir(package.join("data/secret")).unwrap().count(), 0);
    }

    #[test]
    fn what_was_killed_between_two_renames_is_ended_by_the_next_run() {
        let (_directory, made, package) = package();
        for (name, text) in [("secret/1.in", "old 1"), ("secret/2.in", "old 2")] {
            fs::write(made.join(name), text).unwrap();
        }
        put_in_place(&difference(&made, &package), &made, &package, None).unwrap();
        for (name, text) in [("secret/1.in", "new 1"), ("secret/2.in", "new 2")] {
            fs::write(made.join(name), text).unwrap();
        }
        // The first file has its new name already, and the lock is still the old one.
        fs::write(package.join("data/secret/1.in"), "new 1").unwrap();
        let rest = difference(&made, &package);
        assert!(rest.in_the_way.is_empty(), "{rest:?}");
        put_in_place(&rest, &made, &package, None).unwrap();
        assert_eq!(fs::read_to_string(package.join("data/secret/2.in")).unwrap(), "new 2");
        assert_eq!(Lock::read(&package.join(LOCK_FILE)).unwrap(), rest.lock);
    }

    #[test]
    fn what_a_killed_run_left_is_swept() {
        let (_directory, made, package) = package();
        fs::write(package.join("data/secret/.judge-generate-1-0"), "").unwrap();
        put_in_place(&difference(&made, &package), &made, &package, None).unwrap();
        assert_eq!(fs::read_dir(package.join("data/secret")).unwrap().count(), 0);
    }
}

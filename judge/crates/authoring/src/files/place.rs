//! Putting data in place: the one module that changes a package.
//!
//! Responsible for doing it all at the end, so that whatever goes wrong before leaves `data/` as it was. Must not
//! decide what changes.
//!
//! All new files are written beside their places first, under hidden names, which are no part of a package; then a
//! journal says what is to come; then they get their names, one rename each. A run that is killed before the journal is
//! there has changed nothing; one that is killed after it is ended by the next run. Nothing waits for the disk: what a
//! power failure damages can be made again.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::files::changes::Difference;
use crate::files::journal::{self, Journal, Removal, Rename};
use crate::files::lock::LOCK_FILE;
use crate::files::reading::Content;
use judge_package::GENERATORS_FILE;

/// The beginning of hidden names.
pub(crate) const HIDDEN: &str = ".judge-generate-";

/// An error that keeps the data from being put in place.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {source}", path.display())]
pub struct PlaceError {
    path: PathBuf,
    source: io::Error,
}

pub(crate) fn failed(path: &Path) -> impl FnOnce(io::Error) -> PlaceError {
    let path = path.to_owned();
    move |source| PlaceError { path, source }
}

/// Puts the files that are to be written, which lie below `made`, into `package`, and removes those that are not
/// wanted. `rules` is the new text of `generators.yaml`, when that changes too.
pub(crate) fn put_in_place(
    difference: &Difference,
    made: &Path,
    package: &Path,
    rules: Option<&str>,
) -> Result<(), PlaceError> {
    let journal = begin(difference, made, package, rules)?;
    journal.carry_out(package, usize::MAX)
}

/// Gets everything ready, and writes down what is to be done.
fn begin(difference: &Difference, made: &Path, package: &Path, rules: Option<&str>) -> Result<Journal, PlaceError> {
    journal::resume(package)?;
    let data = package.join("data");
    sweep(&data);
    sweep(&package.join("generators"));
    let mut ready: Vec<(PathBuf, PathBuf)> = Vec::new();
    // The lock comes last, when everything in it is true.
    let texts = [(GENERATORS_FILE, rules.map(str::to_owned)), (LOCK_FILE, Some(difference.lock.to_text()))];
    let prepared = prepare(difference, made, &data, &mut ready).and_then(|()| {
        let texts = texts.into_iter().filter_map(|(path, text)| Some((package.join(path), text?)));
        texts.into_iter().try_for_each(|(path, text)| write_beside(&path, &text, &mut ready))?;
        let journal = steps(difference, &ready, package)?;
        journal.begin(package)?;
        Ok(journal)
    });
    prepared.inspect_err(|_| {
        for (hidden, _) in &ready {
            // The error that is returned is the first one.
            let _ = fs::remove_file(hidden);
        }
    })
}

fn steps(difference: &Difference, ready: &[(PathBuf, PathBuf)], package: &Path) -> Result<Journal, PlaceError> {
    let below = |path: &Path| path.strip_prefix(package).unwrap_or(path).to_string_lossy().into_owned();
    let present = |path: &Path| match Content::of_file(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path)(error)),
    };
    let mut journal = Journal::default();
    for (hidden, path) in ready {
        journal.renames.push(Rename { from: below(hidden), to: below(path), over: present(path)? });
    }
    for path in difference.remove.iter().map(|path| package.join("data").join(path)) {
        if let Some(content) = present(&path)? {
            journal.removals.push(Removal { path: below(&path), content });
        }
    }
    Ok(journal)
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

/// Removes the files that a killed run left. One that cannot be removed is hidden, and in nobody's way.
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
    use crate::files::changes::{MadeFiles, compare};
    use crate::files::lock::Lock;
    use crate::files::reading::files_below;

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

    /// A package with three files that were made, of which one is to change, one to go, and one is still to come.
    fn about_to_change() -> (tempfile::TempDir, PathBuf, PathBuf, Difference) {
        let (directory, made, package) = package();
        for (name, text) in [("secret/1.in", "old 1"), ("secret/g/2.in", "old 2")] {
            fs::write(made.join(name), text).unwrap();
        }
        put_in_place(&difference(&made, &package), &made, &package, None).unwrap();
        fs::write(made.join("secret/1.in"), "new 1").unwrap();
        fs::write(made.join("secret/3.in"), "new 3").unwrap();
        fs::remove_file(made.join("secret/g/2.in")).unwrap();
        let difference = difference(&made, &package);
        (directory, made, package, difference)
    }

    /// Every file, hidden ones too.
    fn everything(package: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut directories = vec![package.to_owned()];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() {
                    directories.push(entry);
                } else {
                    files.insert(entry.strip_prefix(package).unwrap().to_owned(), fs::read(&entry).unwrap());
                }
            }
        }
        files
    }

    #[test]
    fn wherever_a_run_is_killed_the_next_one_ends_it() {
        const RULES: Option<&str> = Some("data: {}\n");
        let expected = {
            let (_directory, made, package, wanted) = about_to_change();
            put_in_place(&wanted, &made, &package, RULES).unwrap();
            everything(&package)
        };
        assert!(expected.keys().all(|path| !path.to_string_lossy().contains(HIDDEN)), "{expected:?}");
        // Two files, the rules, one that goes, the lock.
        for steps in 0..=5 {
            let (_directory, made, package, wanted) = about_to_change();
            let before = everything(&package);
            let journal = begin(&wanted, &made, &package, RULES).unwrap();
            let visible = |path: &&PathBuf| !path.to_string_lossy().contains(HIDDEN);
            assert!(everything(&package).keys().filter(visible).eq(before.keys()));
            journal.carry_out(&package, steps).unwrap();
            assert_ne!(everything(&package), expected, "nothing is left after step {steps}");
            assert!(journal::resume(&package).unwrap());
            assert_eq!(everything(&package), expected, "killed after step {steps}");
            assert!(!journal::resume(&package).unwrap());
        }
    }

    #[test]
    fn what_somebody_wrote_meanwhile_stays() {
        let (_directory, made, package, wanted) = about_to_change();
        begin(&wanted, &made, &package, None).unwrap().carry_out(&package, 0).unwrap();
        for name in ["secret/1.in", "secret/3.in", "secret/g/2.in"] {
            fs::write(package.join("data").join(name), "by hand").unwrap();
        }
        assert!(journal::resume(&package).unwrap());
        let files = everything(&package);
        for name in ["data/secret/1.in", "data/secret/3.in", "data/secret/g/2.in"] {
            assert_eq!(files[Path::new(name)], b"by hand", "{name}");
        }
        assert_eq!(files.len(), 4, "{files:?}");
        // The lock says what would have been made: they are known as changed by hand.
        assert_eq!(difference(&made, &package).in_the_way, ["secret/1.in", "secret/3.in"]);
    }

    #[test]
    fn what_a_killed_run_left_is_swept() {
        let (_directory, made, package) = package();
        fs::write(package.join("data/secret/.judge-generate-1-0"), "").unwrap();
        put_in_place(&difference(&made, &package), &made, &package, None).unwrap();
        assert_eq!(fs::read_dir(package.join("data/secret")).unwrap().count(), 0);
    }
}

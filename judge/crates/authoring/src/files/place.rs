//! Putting data in place: the only module that changes a package.
//!
//! Responsible for changing all files at the end, so that an earlier failure leaves `data/`
//! unchanged. Must not decide what changes.

use std::path::Path;

use judge_files::{ChangeError, Transaction, Withstands};
use judge_package::GENERATORS_FILE;

use crate::files::changes::Difference;
use crate::files::lock::LOCK_FILE;

/// Moves the files to be written from `staged` into `package`, and removes the obsolete ones. `rules`
/// is the new text of `generators.yaml`, if it changes too.
pub(crate) fn put_in_place(
    difference: &Difference,
    staged: &Path,
    package: &Path,
    rules: Option<&str>,
) -> Result<(), ChangeError> {
    let data = Path::new("data");
    // A power failure damages nothing that cannot be generated again.
    let mut transaction = Transaction::begin(package, Withstands::Kills)?;
    for path in &difference.write {
        transaction.copy(&staged.join(path), &data.join(path))?;
    }
    if let Some(rules) = rules {
        transaction.write(Path::new(GENERATORS_FILE), rules.as_bytes())?;
    }
    for path in difference.remove.iter().map(|path| data.join(path)) {
        transaction.remove(&path);
        // Directories that are empty now are no longer part of the data.
        for directory in path
            .ancestors()
            .skip(1)
            .take_while(|directory| *directory != data)
        {
            transaction.remove_if_empty(directory)?;
        }
    }
    // The lock file is written in the same transaction as the data: if they disagreed, generated
    // files would look hand-written.
    transaction.write(Path::new(LOCK_FILE), difference.lock.to_text().as_bytes())?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;
    use crate::files::changes::{GeneratedFiles, compare};
    use crate::files::lock::Lock;
    use crate::files::reading::files_below;

    fn package() -> (tempfile::TempDir, PathBuf, PathBuf) {
        crate::testing::set_journals();
        let directory = tempfile::tempdir().unwrap();
        let (staged, package) = (
            directory.path().join("staged"),
            directory.path().join("package"),
        );
        fs::create_dir_all(staged.join("secret/g")).unwrap();
        fs::create_dir_all(package.join("generators")).unwrap();
        fs::create_dir_all(package.join("data/secret")).unwrap();
        (directory, staged, package)
    }

    fn difference(staged: &Path, package: &Path) -> Difference {
        let files = files_below(staged).unwrap().into_iter();
        let files: GeneratedFiles = files
            .map(|(path, content)| (path, (content, "text".to_owned())))
            .collect();
        let lock = Lock::read(&package.join(LOCK_FILE)).unwrap();
        compare(
            &files,
            &files_below(&package.join("data")).unwrap(),
            &lock,
            |_| true,
            |_| false,
        )
    }

    #[test]
    fn files_and_directories_are_added_and_removed() {
        let (_directory, staged, package) = package();
        fs::write(staged.join("secret/g/1.in"), "1").unwrap();
        symlink("1.in", staged.join("secret/g/2.in")).unwrap();
        fs::write(package.join("data/secret/mine.in"), "").unwrap();
        put_in_place(&difference(&staged, &package), &staged, &package, None).unwrap();
        let names = |package: &Path| {
            files_below(&package.join("data"))
                .unwrap()
                .into_keys()
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names(&package),
            ["secret/g/1.in", "secret/g/2.in", "secret/mine.in"]
        );
        assert!(package.join("data/secret/g/2.in").is_symlink());
        fs::remove_dir_all(staged.join("secret/g")).unwrap();
        put_in_place(&difference(&staged, &package), &staged, &package, None).unwrap();
        assert_eq!(names(&package), ["secret/mine.in"]);
        assert!(!package.join("data/secret/g").exists());
    }

    #[test]
    fn failures_leave_the_package_unchanged() {
        let (_directory, staged, package) = package();
        fs::write(staged.join("secret/1.in"), "new").unwrap();
        fs::write(staged.join("secret/2.in"), "new").unwrap();
        let planned = difference(&staged, &package);
        // The second file disappears before it can be copied.
        fs::remove_file(staged.join("secret/2.in")).unwrap();
        assert!(put_in_place(&planned, &staged, &package, None).is_err());
        let all = files_below(&package).unwrap();
        assert!(all.is_empty(), "{all:?}");
        assert_eq!(
            fs::read_dir(package.join("data/secret")).unwrap().count(),
            0
        );
    }
}

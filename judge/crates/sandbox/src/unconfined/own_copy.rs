//! Copies of a program's files for the level `none`, at which nothing can be mounted.
//!
//! Responsible for a directory that a run may write to without changing the original. Must not know
//! the meaning of a file.
//!
//! A run-time writes next to the program that it runs (CPython its `__pycache__`), and finds that
//! place through any symbolic link to a script. So the directory is the run's own, and the files in
//! it are copies. Executable files are symbolic links nevertheless: a process that another thread
//! is just starting would hold a copy open for writing, and such a file cannot be executed
//! (`ETXTBSY` of execve(2)). A program that writes into itself thus still reaches the other
//! directory.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

/// Makes a directory with the files of another one.
///
/// # Errors
/// When something cannot be read or made.
pub(super) fn make(source: &Path, place: &Path) -> io::Result<()> {
    fs::create_dir(place)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let (from, to) = (entry.path(), place.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            make(&from, &to)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(&from)?, &to)?;
        } else if entry.metadata()?.mode() & 0o111 != 0 {
            symlink(&from, &to)?;
        } else {
            fs::copy(&from, &to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn copies_contain_every_file_and_changes_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let (source, place) = (
            directory.path().join("source"),
            directory.path().join("place"),
        );
        fs::create_dir_all(source.join("inner")).unwrap();
        fs::write(source.join("inner/lib.py"), "1").unwrap();
        fs::write(source.join("main.py"), "2").unwrap();
        symlink("main.py", source.join("link")).unwrap();
        fs::write(source.join("main"), "#!").unwrap();
        fs::set_permissions(source.join("main"), fs::Permissions::from_mode(0o755)).unwrap();
        make(&source, &place).unwrap();
        assert_eq!(fs::read_to_string(place.join("inner/lib.py")).unwrap(), "1");
        assert_eq!(
            fs::read_link(place.join("link")).unwrap(),
            Path::new("main.py")
        );
        assert_eq!(
            fs::read_link(place.join("main")).unwrap(),
            source.join("main")
        );
        fs::create_dir(place.join("inner/__pycache__")).unwrap();
        fs::write(place.join("main.py"), "3").unwrap();
        assert!(!source.join("inner/__pycache__").exists());
        assert_eq!(fs::read_to_string(source.join("main.py")).unwrap(), "2");
        assert!(make(&source.join("absent"), &directory.path().join("other")).is_err());
    }
}

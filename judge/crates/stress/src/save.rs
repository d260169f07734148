//! Files of findings: an input with its answer.
//!
//! Responsible for never overwriting another file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use judge_event::FoundInput;
use judge_files::{ConfinedDirectory, regular_file};

use crate::error::StressError;

/// The action when a file with this name exists with another content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupied {
    /// Fail.
    Fail,
    /// Use another name: `x-2`, `x-3` and so on.
    Rename,
}

/// Writes a finding into a directory under this name, and records the path of the file in it. The
/// directory is created if it is missing. `shown` returns a path as it is printed.
///
/// # Errors
/// Returns an error for files that cannot be written, and for a name that is in use.
pub fn save(
    found: &mut FoundInput,
    into: &Path,
    name: &str,
    occupied: Occupied,
    shown: &dyn Fn(&Path) -> String,
) -> Result<(), StressError> {
    let failed = |source| StressError::Write {
        path: into.to_owned(),
        source,
    };
    let (directory, below) = ConfinedDirectory::for_output(into).map_err(failed)?;
    let others = (2..).map(|number| format!("{name}-{number}"));
    let others = others.take_while(|_| occupied == Occupied::Rename);
    let mut names = std::iter::once(name.to_owned())
        .chain(others)
        .map(|name| into.join(format!("{name}.in")));
    let first = into.join(format!("{name}.in"));
    // All names of a finding's files must be free: an answer next to the input of another finding
    // would be wrong.
    let path = names.find(|path| {
        files(found, path)
            .iter()
            .all(|(path, bytes)| !has_another_content(path, bytes))
    });
    let path = path.unwrap_or(first);
    for (path, bytes) in files(found, &path) {
        if has_another_content(&path, bytes) {
            return Err(StressError::Occupied(path));
        }
        let written = directory.write(&below.join(path.file_name().unwrap_or_default()), bytes);
        written.map_err(|source| StressError::Write {
            path: path.clone(),
            source,
        })?;
    }
    found.pictures = pictures(found, &path)
        .iter()
        .map(|(path, _)| shown(path))
        .collect();
    found.shown_file = Some(shown(&path));
    found.file = Some(path.display().to_string());
    Ok(())
}

/// Creates a directory for findings.
///
/// # Errors
/// When it cannot be created.
pub fn make_directory(directory: &Path) -> Result<(), StressError> {
    ConfinedDirectory::for_output(directory)
        .map(drop)
        .map_err(|source| StressError::Write {
            path: directory.to_owned(),
            source,
        })
}

/// The files of a finding with their contents: the input first, then the answer, then the pictures.
fn files<'f>(found: &'f FoundInput, path: &Path) -> Vec<(PathBuf, &'f [u8])> {
    let answer = found
        .answer
        .as_ref()
        .map(|answer| (path.with_extension("ans"), answer.0.as_slice()));
    let mut files: Vec<_> = std::iter::once((path.to_owned(), found.input.0.as_slice()))
        .chain(answer)
        .collect();
    files.extend(pictures(found, path));
    files
}

/// The pictures of a finding. Outputs of several submissions for one input often result in the same
/// picture, which is written once.
fn pictures<'f>(found: &'f FoundInput, path: &Path) -> Vec<(PathBuf, &'f [u8])> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut files: Vec<(PathBuf, &[u8])> = Vec::new();
    for (submission, picture) in &found.drawn {
        if files.iter().all(|(_, bytes)| *bytes != picture.bytes.0) {
            let name = format!("{stem}-{}-{}", submission.replace('/', "-"), picture.name);
            files.push((path.with_file_name(name), &picture.bytes.0));
        }
    }
    files
}

/// Returns true when a file exists with another content.
fn has_another_content(path: &Path, bytes: &[u8]) -> bool {
    match regular_file::read(path, bytes.len() as u64) {
        // A file with the same content is the same finding, saved earlier. Reading is bounded by
        // the length of the new content: a longer file is an error here, so its content differs.
        Ok(there) => there != bytes,
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use judge_event::Bytes;

    use super::*;

    fn found(input: &str) -> FoundInput {
        let answer = Some(Bytes(b"1\n".to_vec()));
        FoundInput {
            input: Bytes(input.as_bytes().to_vec()),
            answer,
            ..FoundInput::default()
        }
    }

    #[test]
    fn findings_are_written_with_answers() {
        let directory = tempfile::tempdir().unwrap();
        let into = directory.path().join("a/b");
        let shown = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        for occupied in [Occupied::Fail, Occupied::Rename] {
            let mut found = found("5\n");
            save(&mut found, &into, "x", occupied, &shown).unwrap();
            assert_eq!(found.file.as_deref(), into.join("x.in").to_str());
            assert_eq!(found.shown_file.as_deref(), Some("x.in"));
        }
        let read = |name: &str| fs::read_to_string(into.join(name)).unwrap();
        assert_eq!(
            (read("x.in").as_str(), read("x.ans").as_str()),
            ("5\n", "1\n")
        );
    }

    #[test]
    fn other_files_are_not_overwritten() {
        let directory = tempfile::tempdir().unwrap();
        let into = directory.path();
        let shown = |path: &Path| path.display().to_string();
        fs::write(into.join("x.in"), "mine").unwrap();
        // A directory also counts as another content.
        fs::create_dir(into.join("x-2.ans")).unwrap();
        let error = save(&mut found("5\n"), into, "x", Occupied::Fail, &shown)
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with("x.in` already exists with another content"),
            "{error}"
        );
        let mut other = found("5\n");
        save(&mut other, into, "x", Occupied::Rename, &shown).unwrap();
        assert!(other.file.unwrap().ends_with("x-3.in"));
        assert_eq!(fs::read(into.join("x.in")).unwrap(), b"mine");
        assert!(!into.join("x.ans").exists() && !into.join("x-2.in").exists());
    }
}

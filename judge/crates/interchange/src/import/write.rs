//! Writes an imported package to its target.
//!
//! Responsible for writing all files or none, without overwriting existing ones. Must not know the
//! meaning of files.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::{self, BufRead, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use judge_files::{ConfinedDirectory, LockedDirectory};

use crate::import::draft::parts::Content;
use crate::import::source::Source;
use crate::{InterchangeError, IsStopped, Result};

/// The prefix of the name of an incomplete package. It is next to its target, so that one rename
/// completes it.
const STAGED: &str = ".judge-import-";

/// Writes the files of a package to the directory `target`, which must not exist.
///
/// # Errors
/// If it exists, cannot be written, or if the work is stopped. No files are left behind.
pub(crate) fn write(
    files: &BTreeMap<PathBuf, Content>,
    source: &Source,
    target: &Path,
    is_stopped: IsStopped<'_>,
) -> Result<()> {
    // A dangling link belongs to the user too.
    if fs::symlink_metadata(target).is_ok() {
        return Err(InterchangeError::Exists(target.to_owned()));
    }
    let parent = target.parent().unwrap_or(Path::new("."));
    ConfinedDirectory::for_output(parent).map_err(InterchangeError::unwritable(parent))?;
    // A killed import leaves its directory, which no process has locked any more.
    LockedDirectory::sweep(parent, STAGED);
    let staged = LockedDirectory::new_in(parent, STAGED, 0o755)
        .map_err(InterchangeError::unwritable(parent))?;
    // An archive may contain a link in the place of a parent directory of another file.
    let directory = ConfinedDirectory::open(staged.path())
        .map_err(InterchangeError::unwritable(staged.path()))?;
    for (place, content) in files {
        if is_stopped() {
            return Err(InterchangeError::Stopped);
        }
        put(&directory, place, content, source)?;
    }
    // A directory that was created meanwhile is replaced only if it is empty (rename(2)).
    staged.rename(target).map_err(|cause| match cause.kind() {
        io::ErrorKind::DirectoryNotEmpty
        | io::ErrorKind::AlreadyExists
        | io::ErrorKind::NotADirectory => InterchangeError::Exists(target.to_owned()),
        _ => InterchangeError::unwritable(target)(cause),
    })
}

fn put(
    directory: &ConfinedDirectory,
    place: &Path,
    content: &Content,
    source: &Source,
) -> Result<()> {
    let unwritable = InterchangeError::unwritable(&directory.path().join(place));
    directory
        .create_directories(place.parent().unwrap_or(Path::new("")))
        .map_err(&unwritable)?;
    let create = |bytes: &[u8], mode: u32| {
        let mut file = directory.create_new(place, 0o666)?;
        file.write_all(bytes)?;
        // The user's umask reduces the mode of new files; that of scripts is set exactly.
        if mode == 0o666 {
            Ok(())
        } else {
            file.set_permissions(Permissions::from_mode(mode))
        }
    };
    match content {
        Content::Bytes(bytes) => create(bytes, 0o666).map_err(unwritable),
        Content::Copy(file) => {
            let mut reader = source.reader(file)?;
            let copied = directory
                .create_new(place, 0o666)
                .and_then(|mut copy| io::copy(&mut reader, &mut copy));
            copied.map(drop).map_err(unwritable)
        }
        Content::WithoutCarriageReturns(file) => {
            let reader = source.reader(file)?;
            let copy = directory.create_new(place, 0o666);
            copy.and_then(|mut copy| copy_without_carriage_returns(reader, &mut copy))
                .map_err(unwritable)
        }
        Content::Script(text) => create(text.as_bytes(), 0o755).map_err(unwritable),
        Content::Link(to) => directory.symlink(Path::new(to), place).map_err(unwritable),
    }
}

/// True if all lines end with CR LF, as in files from Windows.
pub(crate) fn has_carriage_returns(mut reader: impl BufRead) -> io::Result<bool> {
    let (mut before, mut found) = (0, false);
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(found);
        }
        for byte in bytes {
            if *byte == b'\n' {
                // A line without CR shows that the other CRs are intended.
                if before != b'\r' {
                    return Ok(false);
                }
                found = true;
            }
            before = *byte;
        }
        let length = bytes.len();
        reader.consume(length);
    }
}

/// Copies everything but the CR before each LF.
fn copy_without_carriage_returns(
    mut reader: impl BufRead,
    writer: &mut impl Write,
) -> io::Result<()> {
    // True after a CR, until the next byte is known.
    let mut is_held = false;
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return if is_held {
                writer.write_all(b"\r")
            } else {
                Ok(())
            };
        }
        let mut plain = Vec::with_capacity(bytes.len() + 1);
        for byte in bytes {
            if is_held && *byte != b'\n' {
                plain.push(b'\r');
            }
            is_held = *byte == b'\r';
            if !is_held {
                plain.push(*byte);
            }
        }
        let length = bytes.len();
        reader.consume(length);
        writer.write_all(&plain)?;
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn packages_are_written_atomically() {
        let tree = Tree::with(&[("source/1.in", "1\r\n2\r\n"), ("there/x", "")]);
        let source = Source::open(&tree.path("source"), &|| false).unwrap();
        let mut files = BTreeMap::from([
            (
                PathBuf::from("data/secret/1.in"),
                Content::WithoutCarriageReturns("1.in".into()),
            ),
            (
                PathBuf::from("data/secret/2.in"),
                Content::Link("1.in".into()),
            ),
            (
                PathBuf::from("run"),
                Content::Script("#!/bin/sh\n".to_owned()),
            ),
        ]);
        write(&files, &source, &tree.path("new/package"), &|| false).unwrap();
        assert_eq!(
            fs::read(tree.path("new/package/data/secret/2.in")).unwrap(),
            b"1\n2\n"
        );
        assert_eq!(
            fs::metadata(tree.path("new/package/run"))
                .unwrap()
                .permissions()
                .mode()
                & 0o777,
            0o755
        );
        let error = write(&files, &source, &tree.path("there"), &|| false).unwrap_err();
        assert!(matches!(error, InterchangeError::Exists(_)), "{error}");
        files.insert("z".into(), Content::Copy("missing".into()));
        assert!(write(&files, &source, &tree.path("new/other"), &|| false).is_err());
        let calls = std::cell::Cell::new(0);
        let stopped = write(&files, &source, &tree.path("new/other"), &|| {
            calls.replace(calls.get() + 1) == 2
        });
        assert!(matches!(stopped.unwrap_err(), InterchangeError::Stopped));
        assert_eq!(
            fs::read_dir(tree.path("new")).unwrap().count(),
            1,
            "no files are left behind"
        );
    }

    #[test]
    fn carriage_returns_are_removed_if_every_line_has_one() {
        // Also reads single bytes, since a CR and its LF may be in different chunks.
        for capacity in [1, 64] {
            let reader = |bytes: &'static [u8]| BufReader::with_capacity(capacity, bytes);
            let has = |bytes| has_carriage_returns(reader(bytes)).unwrap();
            assert!(has(b"1\r\n2\r\n") && has(b"\r\n"));
            assert!(!has(b"1\r\n2\n") && !has(b"1\r2") && !has(b"") && !has(b"\n"));
            let mut plain = Vec::new();
            copy_without_carriage_returns(reader(b"1\r\n2\r\r\n3\r4\r"), &mut plain).unwrap();
            assert_eq!(plain, b"1\n2\r\n3\r4\r");
        }
    }
}

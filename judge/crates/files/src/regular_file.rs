//! Regular files: opened without waiting, read within bounds.
//!
//! Responsible for refusing everything except regular files, and for reading at most the expected
//! number of bytes. Must not know what the files are for.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use crate::places;

/// The flags with which the judge's own files are opened.
const OWN: OFlags = OFlags::NONBLOCK
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW);

/// The maximum number of bytes that are reserved for a file before it is read: the size of a sparse
/// file means little.
const MAX_RESERVED_BYTES: usize = 64 << 20;

/// Opens a regular file. A pipe would keep the reader waiting for a writer, a device for its next
/// event.
///
/// # Errors
/// When it is missing, unreadable, or not a regular file (`InvalidInput`), or when a link leads to
/// a forbidden place.
pub fn open(path: &Path) -> io::Result<File> {
    Ok(open_sized(path)?.0)
}

/// Opens a regular file. Also returns the size that it states, in bytes, which is 0 for files of
/// the kernel.
///
/// # Errors
/// The errors of [`open`].
pub fn open_sized(path: &Path) -> io::Result<(File, u64)> {
    let file = places::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ));
    }
    Ok((file, metadata.len()))
}

/// Opens a file that the user named on the command line: a regular file, `/dev/null`, or an open
/// descriptor that a shell passes, such as `/dev/fd/63` for `<(command)`. The caller must bound how
/// much it reads.
///
/// # Errors
/// The errors of [`open`].
pub fn open_typed(path: &Path) -> io::Result<File> {
    let is_descriptor = ["/dev/fd", "/proc/self/fd"]
        .iter()
        .any(|fds| path.parent() == Some(Path::new(fds)));
    if is_descriptor || path == Path::new("/dev/stdin") || path == Path::new("/dev/null") {
        // A shell usually passes a pipe here. The user chose it on the command line, so waiting for
        // its writer is intended.
        return File::open(path);
    }
    open(path)
}

/// Returns a buffer for a file that states this size, in bytes, and for finding its end. With a
/// smaller buffer, the file would be read in small pieces of growing sizes.
#[must_use]
pub fn room_for(size: u64) -> Vec<u8> {
    Vec::with_capacity(
        usize::try_from(size)
            .unwrap_or(usize::MAX)
            .saturating_add(64)
            .min(MAX_RESERVED_BYTES),
    )
}

/// Reads a regular file of at most this many bytes. A larger one, however sparse, is refused before
/// it fills the memory.
///
/// # Errors
/// When it cannot be read, or is larger.
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is larger than {max_bytes} bytes"),
        )
    };
    let (file, size) = open_sized(path)?;
    if size > max_bytes {
        return Err(too_large());
    }
    let mut bytes = room_for(size);
    // The stated size is not the end: a file may grow meanwhile, and files in `/proc` state 0. One
    // byte more than permitted is read to detect that.
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        Err(too_large())
    } else {
        Ok(bytes)
    }
}

/// Opens one of the judge's own files. Anything else in its place, such as a link or a pipe, is
/// damage and is not opened.
///
/// # Errors
/// When it cannot be opened, or is not a regular file.
pub fn open_own(path: &Path) -> io::Result<File> {
    regular(
        OpenOptions::new()
            .read(true)
            .custom_flags(OWN.bits().cast_signed())
            .open(path)?,
    )
}

/// Reads one of the judge's own files. A link in its place is not followed.
///
/// # Errors
/// When it cannot be read, is larger, or is not a regular file.
pub fn read_own(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open_own(path)?;
    let size = file.metadata()?.len();
    if size > max_bytes {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = room_for(size);
    file.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens one of the judge's own files for appending. A missing file is created, for this user only.
/// A link is not followed.
///
/// # Errors
/// When it cannot be opened, or is not a regular file.
pub fn append_own(path: &Path) -> io::Result<File> {
    let flags = OWN.bits().cast_signed();
    let file = regular(
        OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .custom_flags(flags)
            .open(path)?,
    )?;
    // Like a symbolic link, a hard link can lead to a file elsewhere.
    match file.metadata()?.nlink() {
        0 | 1 => Ok(file),
        _ => Err(io::Error::other("it has other hard links")),
    }
}

fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("not a regular file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_links_in_place_of_own_files_are_not_appended_to() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        append_own(&file).unwrap();
        append_own(&file).unwrap();
        std::fs::hard_link(&file, &link).unwrap();
        assert!(
            append_own(&link)
                .unwrap_err()
                .to_string()
                .contains("other hard links")
        );
    }

    #[test]
    fn pipes_and_devices_are_refused_without_waiting() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
        for path in [pipe.as_path(), Path::new("/dev/zero"), directory.path()] {
            assert!(
                open(path)
                    .unwrap_err()
                    .to_string()
                    .contains("not a regular file"),
                "{}",
                path.display()
            );
        }
    }

    #[test]
    fn descriptors_of_a_shell_are_opened_and_named_pipes_are_refused() {
        let (reader, mut writer) = io::pipe().unwrap();
        io::Write::write_all(&mut writer, b"1\n").unwrap();
        drop(writer);
        let descriptor = std::os::fd::AsRawFd::as_raw_fd(&reader);
        let mut text = String::new();
        open_typed(Path::new(&format!("/dev/fd/{descriptor}")))
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "1\n");
        assert!(open_typed(Path::new("/dev/null")).is_ok());
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
        for path in [pipe.as_path(), Path::new("/dev/zero"), directory.path()] {
            assert!(open_typed(path).is_err(), "{}", path.display());
        }
    }

    #[test]
    fn links_in_place_of_own_files_are_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        std::fs::write(&file, "one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(append_own(&link).is_err() && read_own(&link, 64).is_err());
        assert_eq!(read_own(&file, 64).unwrap(), b"one");
        assert!(read_own(&file, 2).is_err());
    }

    #[test]
    fn oversized_files_are_refused_before_they_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        File::create(&path).unwrap().set_len(4 << 40).unwrap();
        assert_eq!(
            read(&path, 64).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(
            read(&path, 4).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
        // Files of the kernel state no size.
        assert_eq!(
            read(Path::new("/proc/self/maps"), 4).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
    }
}

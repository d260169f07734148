//! Reading regular files up to a bound.
//!
//! Responsible for rejecting larger files, and files outside of the package. Must not know what the
//! files mean, or which bound applies to them.
//!
//! A file may be sparse: it takes no space on disk, but hours to read, and all memory of the
//! machine to hold.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use judge_files::regular_file;

/// A regular file that is read up to a bound.
#[derive(Debug)]
pub struct BoundedFile {
    file: File,
    max_bytes: u64,
    /// The size when it was opened, in bytes.
    size: u64,
    read: u64,
}

impl Read for BoundedFile {
    /// Fails once there is more than the bound: a file may grow while it is read.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read += read as u64;
        if self.read > self.max_bytes {
            Err(too_large(self.max_bytes, self.read))
        } else {
            Ok(read)
        }
    }
}

/// Opens a regular file of at most `max_bytes`. It never waits, even if the file was replaced since
/// it was checked. A larger file is refused.
///
/// # Errors
/// The errors of the file system; `InvalidInput` if it is not a regular file, `FileTooLarge` if it
/// is larger.
pub fn open_within(file: &Path, max_bytes: u64) -> io::Result<BoundedFile> {
    let (file, size) = regular_file::open_sized(file)?;
    if size > max_bytes {
        Err(too_large(max_bytes, size))
    } else {
        Ok(BoundedFile {
            file,
            max_bytes,
            size,
            read: 0,
        })
    }
}

/// Reads a regular file of at most `max_bytes`.
///
/// # Errors
/// The errors of [`open_within`].
pub fn read_within(file: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut file = open_within(file, max_bytes)?;
    let mut bytes = regular_file::room_for(file.size);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the text of a regular file of at most `max_bytes`.
///
/// # Errors
/// The errors of [`read_within`]; `InvalidData` if it is not UTF-8.
pub fn read_text_within(file: &Path, max_bytes: u64) -> io::Result<String> {
    String::from_utf8(read_within(file, max_bytes)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Reads the first bytes of a regular file, at most `max_bytes`. Other kinds of files, such as a
/// pipe, would make the reader wait.
///
/// # Errors
/// The errors of the file system; `InvalidInput` if it is not a regular file.
pub fn head(file: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let (file, size) = regular_file::open_sized(file)?;
    let mut bytes = regular_file::room_for(size.min(max_bytes));
    file.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file in the package, of at most `max_bytes`. Links may lead to other files of the
/// package, but not out of it (2025-09, "General requirements").
pub fn read_in_package(package: &Path, path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let real = path.canonicalize()?;
    if !real.starts_with(package.canonicalize()?) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is outside of the package",
        ));
    }
    let bytes = head(&real, max_bytes + 1)?;
    if bytes.len() as u64 > max_bytes {
        let message = format!("it is larger than {} MiB", max_bytes >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Returns true if a path leads to an existing file or directory in the package.
pub fn lies_within(package: &Path, path: &Path) -> bool {
    matches!((path.canonicalize(), package.canonicalize()), (Ok(real), Ok(root)) if real.starts_with(&root))
}

fn too_large(max_bytes: u64, found: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        expected_at_most(max_bytes, found),
    )
}

/// Returns the message of a size that exceeds a bound, both in bytes.
pub(super) fn expected_at_most(max_bytes: u64, found: u64) -> String {
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    format!(
        "expected at most {} MiB, found {} MiB",
        mebibytes(max_bytes),
        mebibytes(found)
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_read_completely_or_refused() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "abc").unwrap();
        assert_eq!(read_within(&file, 3).unwrap(), b"abc");
        assert_eq!(
            read_within(&file, 2).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
        assert_eq!(
            read_within(directory.path(), 9).unwrap_err().kind(),
            io::ErrorKind::InvalidInput
        );
        // The file states a size of 0, and is endless.
        assert_eq!(
            read_within(Path::new("/dev/zero"), 9).unwrap_err().kind(),
            io::ErrorKind::InvalidInput
        );
        let status = read_within(Path::new("/proc/self/status"), 9);
        assert_eq!(status.unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        fs::write(&file, b"\xff").unwrap();
        assert_eq!(
            read_text_within(&file, 9).unwrap_err().kind(),
            io::ErrorKind::InvalidData
        );
    }

    #[test]
    fn only_beginnings_of_regular_files_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "abcdef").unwrap();
        assert_eq!(head(&file, 4).unwrap(), b"abcd");
        assert_eq!(head(&file, 9).unwrap(), b"abcdef");
        assert_eq!(
            head(directory.path(), 9).unwrap_err().kind(),
            io::ErrorKind::InvalidInput
        );
        assert_eq!(
            head(&directory.path().join("missing"), 9)
                .unwrap_err()
                .kind(),
            io::ErrorKind::NotFound
        );
    }
}

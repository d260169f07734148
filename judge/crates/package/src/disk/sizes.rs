//! Sizes: how much of a package is read, and files that are read whole.
//!
//! Responsible for the bounds, and for finding what exceeds them before anything is run. Must not
//! know what the files mean.
//!
//! A file may be sparse: what takes no room on disk takes hours to read, and the memory of the
//! whole machine to keep.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use judge_files::regular_file;
use walkdir::WalkDir;

use crate::code;
use crate::error::{Finding, Findings};

/// The largest file of test data. No judging system takes a larger one.
pub const MAX_DATA_BYTES: u64 = 1000 << 20;
/// The most bytes of the files that are put beside a program, all together.
const MAX_BESIDE: u64 = 256 << 20;

/// A regular file that is read up to a bound.
#[derive(Debug)]
pub struct BoundedFile {
    file: File,
    most: u64,
    /// The bytes that it said to have when it was opened.
    size: u64,
    read: u64,
}

impl Read for BoundedFile {
    /// Fails once there is more than the bound: a file may grow while it is read.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read += read as u64;
        if self.read > self.most {
            Err(too_large(self.most, self.read))
        } else {
            Ok(read)
        }
    }
}

/// Opens a regular file that has at most so many bytes. It never waits, whatever became of the file
/// since it was looked at, and a larger one is refused.
///
/// # Errors
/// The errors of the file system; `InvalidInput` for what is no regular file, `FileTooLarge` for
/// what is larger.
pub fn open_within(file: &Path, most: u64) -> io::Result<BoundedFile> {
    let (file, size) = regular_file::open_sized(file)?;
    if size > most {
        Err(too_large(most, size))
    } else {
        Ok(BoundedFile {
            file,
            most,
            size,
            read: 0,
        })
    }
}

/// The bytes of a regular file that has at most so many.
///
/// # Errors
/// The errors of [`open_within`].
pub fn read_within(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = open_within(file, most)?;
    let mut bytes = regular_file::room_for(file.size);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a regular file that has at most so many bytes.
///
/// # Errors
/// The errors of [`read_within`]; `InvalidData` for what is not UTF-8.
pub fn read_text_within(file: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_within(file, most)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn too_large(most: u64, found: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, expected_at_most(most, found))
}

fn expected_at_most(most: u64, found: u64) -> String {
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    format!(
        "expected at most {} MiB, found {} MiB",
        mebibytes(most),
        mebibytes(found)
    )
}

/// Finds a file of test data that is too large to be given to programs.
pub(crate) fn check_file(file: &Path, findings: &mut Findings) {
    // A file that cannot be examined is reported by the code that opens it.
    let size = fs::metadata(file).map_or(0, |metadata| metadata.len());
    if size > MAX_DATA_BYTES {
        let message = expected_at_most(MAX_DATA_BYTES, size);
        findings.error(Finding::new(code::FILE_HUGE, file, message));
    }
}

/// Finds a directory whose files are too large together to be put beside programs. Links are
/// followed, as they are when the files are read.
pub(crate) fn check_directory(directory: &Path, findings: &mut Findings) {
    let counts =
        |entry: &walkdir::DirEntry| !entry.file_name().as_encoded_bytes().starts_with(b".");
    let entries = WalkDir::new(directory)
        .min_depth(1)
        .follow_links(true)
        .into_iter()
        .filter_entry(counts)
        .flatten();
    let sizes = entries
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| entry.metadata().ok());
    let size = sizes.fold(0_u64, |sum, metadata| sum.saturating_add(metadata.len()));
    if size > MAX_BESIDE {
        let message = format!(
            "its files are too large together: {}",
            expected_at_most(MAX_BESIDE, size)
        );
        findings.error(Finding::new(code::FILE_HUGE, directory, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_refused() {
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
        // It says that it has no bytes, and has some without end.
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
}

//! The beginnings of files: a file of a package may have any size, but only a bounded part is read.
//!
//! Must not know what the files mean.

use std::io::{self, Read};
use std::path::Path;

use judge_files::regular_file;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_beginnings_of_regular_files_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        std::fs::write(&file, "abcdef").unwrap();
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

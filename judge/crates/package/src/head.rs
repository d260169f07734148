//! The beginnings of files: what a package may hold is not bounded, what is read of it is.
//!
//! Must not know what the files mean.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a regular file, at most this many. Anything else, such as a pipe, would make the reader wait.
///
/// # Errors
/// Those of the file system; `InvalidInput` for what is no regular file.
pub(crate) fn head(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(file)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_and_only_their_beginning() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        std::fs::write(&file, "abcdef").unwrap();
        assert_eq!(head(&file, 4).unwrap(), b"abcd");
        assert_eq!(head(&file, 9).unwrap(), b"abcdef");
        assert_eq!(head(directory.path(), 9).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(head(&directory.path().join("missing"), 9).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}

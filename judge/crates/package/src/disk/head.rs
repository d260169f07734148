//! The beginnings of files: the files of a package may have any size, but only so many bytes are
//! read of them.
//!
//! Must not know what the files mean.

use std::io::{self, Read};
use std::path::Path;

use judge_files::regular_file;

/// The bytes of a regular file, at most this many. Anything else, such as a pipe, would make the
/// reader wait.
///
/// # Errors
/// The errors of the file system; `InvalidInput` for what is no regular file.
pub fn head(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, size) = regular_file::open_sized(file)?;
    let mut bytes = regular_file::room_for(size.min(most));
    file.take(most).read_to_end(&mut bytes)?;
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

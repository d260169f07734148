//! The bytes of files: findings that need each file read once.
//!
//! Responsible for reading, in chunks and by several threads. Must not know the purpose of the
//! files.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;

use judge_exec::{Crew, regular_file};

/// The facts about the bytes of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) size: u64,
    /// The hash of all bytes. Files with equal hashes may still differ.
    pub(super) hash: u64,
    /// The offset of the first byte that is not valid UTF-8, counted from 0.
    pub(super) not_utf8: Option<u64>,
    /// The line of that byte, counted from 1.
    pub(super) not_utf8_line: Option<u32>,
    /// True when the file begins with a byte order mark.
    pub(super) mark: bool,
    /// True when the file is a pointer to data in Git's large file storage.
    pub(super) lfs_pointer: bool,
    /// The line of the first carriage return, counted from 1.
    pub(super) carriage_return: Option<u32>,
    /// The line of the first NUL byte, counted from 1.
    pub(super) nul: Option<u32>,
    /// True when the last byte is a line feed.
    pub(super) ends_in_newline: bool,
}

/// The first line of a pointer (git-lfs, docs/spec.md).
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
const PIECE_BYTES: usize = 128 << 10;
/// The maximum size of a file that is read. Larger files are only reported: a sparse file can have
/// any size.
pub(super) const MAX_BYTES: u64 = judge_package::MAX_DATA_BYTES;

/// Reads the files, each once. `None` for those that cannot be read: loading reports them.
pub(super) fn read_all(files: &[&Path], threads: usize) -> Vec<Option<Contents>> {
    // Starting a thread costs as much as reading several small files.
    let threads = threads.min(files.len() / 32);
    Crew::new(threads).map(
        files,
        || vec![0; PIECE_BYTES],
        |piece, file| read(file, piece).ok(),
    )
}

fn read(file: &Path, piece: &mut [u8]) -> io::Result<Contents> {
    let mut file = regular_file::open(file)?;
    let size = file.metadata()?.len();
    if size > MAX_BYTES {
        return Ok(Contents {
            size,
            ends_in_newline: true,
            ..Contents::default()
        });
    }
    let mut contents = Contents::default();
    let mut hasher = DefaultHasher::new();
    let mut lines = 0;
    // The first bytes of a character that continues in the next chunk.
    let mut kept = Vec::new();
    loop {
        let length = file.read(piece)?;
        let bytes = &piece[..length];
        if length == 0 {
            break;
        }
        hasher.write(bytes);
        contents.mark |= contents.size == 0 && bytes.starts_with(b"\xef\xbb\xbf");
        contents.lfs_pointer |= contents.size == 0 && bytes.starts_with(LFS_POINTER);
        for (byte, line) in [
            (b'\r', &mut contents.carriage_return),
            (0, &mut contents.nul),
        ] {
            if line.is_none()
                && let Some(place) = bytes.iter().position(|found| *found == byte)
            {
                *line = u32::try_from(lines + count_lines(&bytes[..place]) + 1).ok();
            }
        }
        if contents.not_utf8.is_none() {
            contents.not_utf8 = check_utf8(&mut kept, bytes, contents.size);
            // A character that began in the previous chunk contains no line feed.
            let within = contents
                .not_utf8
                .map(|place| place.saturating_sub(contents.size).min(length as u64) as usize);
            let line = within.map(|place| lines + count_lines(&bytes[..place]) + 1);
            contents.not_utf8_line = line.and_then(|line| u32::try_from(line).ok());
        }
        lines += count_lines(bytes);
        contents.size += length as u64;
        contents.ends_in_newline = bytes.ends_with(b"\n");
    }
    // The file ends in the middle of a character.
    if contents.not_utf8.is_none() && !kept.is_empty() {
        contents.not_utf8 = Some(contents.size - kept.len() as u64);
        contents.not_utf8_line = u32::try_from(lines + 1).ok();
    }
    contents.hash = hasher.finish();
    Ok(contents)
}

fn count_lines(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum()
}

/// The offset of the first byte that is not UTF-8. `kept` holds the bytes of a character that
/// continues in the next chunk.
fn check_utf8(kept: &mut Vec<u8>, bytes: &[u8], before: u64) -> Option<u64> {
    let start = before - kept.len() as u64;
    let joined;
    let text = if kept.is_empty() {
        bytes
    } else {
        joined = [kept.as_slice(), bytes].concat();
        joined.as_slice()
    };
    let unfinished = match std::str::from_utf8(text) {
        Ok(_) => Vec::new(),
        // No length means that more bytes could complete the character
        // (`Utf8Error::error_len`).
        Err(error) if error.error_len().is_none() => text[error.valid_up_to()..].to_vec(),
        Err(error) => return Some(start + error.valid_up_to() as u64),
    };
    *kept = unfinished;
    None
}

/// Returns true when two files have the same bytes.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    let open = |path| {
        let file = regular_file::open(path).ok()?;
        (file.metadata().ok()?.len() <= MAX_BYTES)
            .then(|| BufReader::with_capacity(PIECE_BYTES, file))
    };
    let (Some(mut one), Some(mut other)) = (open(one), open(other)) else {
        return false;
    };
    loop {
        let (Ok(left), Ok(right)) = (one.fill_buf(), other.fill_buf()) else {
            return false;
        };
        let length = left.len().min(right.len());
        if left[..length] != right[..length] {
            return false;
        }
        if length == 0 {
            return left.is_empty() && right.is_empty();
        }
        one.consume(length);
        other.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents_of(bytes: &[u8], piece: usize) -> Contents {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        read(file.path(), &mut vec![0; piece]).unwrap()
    }

    #[test]
    fn findings_do_not_depend_on_chunk_boundaries() {
        for bytes in [
            b"".as_slice(),
            b"\xef\xbb\xbfa\r\nb",
            "a\né\u{20ac}\u{1f600}\n".as_bytes(),
            b"ab\n\xff\n",
            b"a\n\0b\xc3",
            b"1\n2\n\r",
        ] {
            let whole = contents_of(bytes, 64);
            for piece in [3, 4, 5, 7] {
                assert_eq!(
                    Contents {
                        hash: whole.hash,
                        ..contents_of(bytes, piece)
                    },
                    whole,
                    "{bytes:?} by {piece}"
                );
            }
        }
    }

    #[test]
    fn oversized_files_are_reported_and_not_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(1 << 40).unwrap();
        let contents = read(file.path(), &mut [0; 64]).unwrap();
        assert_eq!((contents.size, contents.nul), (1 << 40, None));
        assert!(!same(file.path(), file.path()));
    }

    #[test]
    fn faults_have_positions() {
        let contents = contents_of(b"\xef\xbb\xbf1 2\n3\r\n\0\xff", 64);
        assert!(contents.mark && !contents.ends_in_newline);
        assert_eq!(
            (contents.carriage_return, contents.nul, contents.not_utf8),
            (Some(2), Some(3), Some(11))
        );
        assert_eq!(contents_of(b"caf\xc3", 64).not_utf8, Some(3));
        for piece in [1, 2, 3, 64] {
            let line = |bytes| contents_of(bytes, piece).not_utf8_line;
            assert_eq!(
                [
                    line(b"a\n\nb\xe9\n"),
                    line(b"\xe9"),
                    line(b"a\nb\xc3"),
                    line(b"a\n")
                ],
                [Some(3), Some(1), Some(2), None]
            );
        }
        assert!(contents_of(b"x\n", 64).ends_in_newline);
    }
}

//! The parts in which two large files differ.
//!
//! Responsible for reading piece by piece, and only the parts that are shown. Must not know the
//! purpose of the files.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use judge_files::regular_file;
use judge_package::{MAX_DATA_BYTES, open_within};

/// The maximum number of bytes that are shown. Larger files are shown from the first difference on.
const MAX_SHOWN_BYTES: u64 = 32 << 10;
/// The maximum number of equal bytes that are shown before the difference.
const MAX_BEFORE_BYTES: u64 = 4 << 10;

/// The place of the first difference between two files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of bytes before the place.
    pub(crate) bytes: u64,
    /// The number of line endings before the place.
    pub(crate) lines: u64,
}

/// Two files, or the parts of them that are shown.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Excerpts {
    /// The old file.
    pub before: Vec<u8>,
    /// The new file.
    pub after: Vec<u8>,
    /// The number of equal lines at the beginning of both files that are left out.
    pub lines_left_out: u64,
    /// True when the end of either file is left out.
    pub is_cut: bool,
}

/// The place of the first difference between two files; `None` when they are equal.
///
/// # Errors
/// The errors of reading.
pub(crate) fn first_difference(one: &Path, other: &Path) -> io::Result<Option<Place>> {
    let open = |path: &Path| {
        let file = open_within(path, MAX_DATA_BYTES)?;
        Ok::<_, io::Error>(BufReader::with_capacity(1 << 16, file))
    };
    let (mut one, mut other) = (open(one)?, open(other)?);
    let mut place = Place::default();
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let both = left.len().min(right.len());
        let pairs = left.iter().zip(right);
        let same = pairs.take_while(|(left, right)| left == right).count();
        place.bytes += same as u64;
        place.lines += count_lines(&left[..same]);
        // A file that ends earlier differs at its end. Files that end together without a difference
        // are equal.
        if same < both || (both == 0 && left.len() != right.len()) {
            return Ok(Some(place));
        }
        if both == 0 {
            return Ok(None);
        }
        one.consume(both);
        other.consume(both);
    }
}

/// Reads the parts to show of two files that differ. The first one may be missing.
///
/// # Errors
/// The errors of reading.
pub(crate) fn excerpts(before: &Path, after: &Path) -> io::Result<Excerpts> {
    if !before.exists() {
        return Ok(Excerpts {
            before: Vec::new(),
            ..excerpts(after, after)?
        });
    }
    let size = |path: &Path| std::fs::metadata(path).map(|metadata| metadata.len());
    let (old_size, new_size) = (size(before)?, size(after)?);
    if old_size.max(new_size) <= MAX_SHOWN_BYTES {
        let read = |path: &Path| judge_package::read_within(path, MAX_SHOWN_BYTES);
        return Ok(Excerpts {
            before: read(before)?,
            after: read(after)?,
            ..Excerpts::default()
        });
    }
    let place = first_difference(before, after)?.unwrap_or_default();
    // The excerpt starts at the beginning of a line, if one is near.
    let (begin, lines_left_out) = match place.bytes.checked_sub(MAX_BEFORE_BYTES) {
        None => (0, 0),
        Some(early) => {
            // Up to the difference both files are equal, so either of them has these bytes.
            let same = piece(before, early, MAX_BEFORE_BYTES)?;
            let end = same.iter().position(|byte| *byte == b'\n');
            let first = end.map_or(0, |end| end + 1);
            let ends = count_lines(&same[first..]);
            (early + first as u64, place.lines - ends)
        }
    };
    let is_cut = old_size.max(new_size) > begin + MAX_SHOWN_BYTES;
    let read = |path: &Path| piece(path, begin, MAX_SHOWN_BYTES);
    Ok(Excerpts {
        before: read(before)?,
        after: read(after)?,
        lines_left_out,
        is_cut,
    })
}

fn count_lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

fn piece(path: &Path, from: u64, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut file = regular_file::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Counts the bytes and lines of a file, piece by piece.
///
/// # Errors
/// The errors of reading.
pub(crate) fn size(file: &Path) -> io::Result<(u64, u64)> {
    let mut reader = BufReader::new(open_within(file, MAX_DATA_BYTES)?);
    let (mut bytes, mut lines, mut last) = (0, 0, b'\n');
    loop {
        let piece = reader.fill_buf()?;
        let Some(end) = piece.last() else {
            return Ok((bytes, lines + u64::from(last != b'\n')));
        };
        last = *end;
        let read = piece.len();
        lines += count_lines(piece);
        bytes += read as u64;
        reader.consume(read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(one: &[u8], other: &[u8]) -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
        let directory = tempfile::tempdir().unwrap();
        let paths = ["one", "other"].map(|name| directory.path().join(name));
        std::fs::write(&paths[0], one).unwrap();
        std::fs::write(&paths[1], other).unwrap();
        (directory, paths)
    }

    fn differ(one: &[u8], other: &[u8]) -> Option<(u64, u64)> {
        let (_directory, [one, other]) = files(one, other);
        first_difference(&one, &other)
            .unwrap()
            .map(|place| (place.bytes, place.lines))
    }

    #[test]
    fn first_difference_counts_preceding_bytes_and_lines() {
        assert_eq!(differ(b"", b""), None);
        assert_eq!(differ(b"a\nb\n", b"a\nb\n"), None);
        assert_eq!(differ(b"a\nb\n", b"a\nc\n"), Some((2, 1)));
        assert_eq!(differ(b"a\nb\n", b"a\nb"), Some((3, 1)));
        assert_eq!(differ(b"", b"a"), Some((0, 0)));
        // After the first piece, and at the end of a piece.
        let long = b"12\n".repeat(1 << 16);
        let mut other = long.clone();
        assert_eq!(differ(&long, &other), None);
        other.push(b'x');
        assert_eq!(differ(&long, &other), Some((3 << 16, 1 << 16)));
        other[100_000] = b'x';
        assert_eq!(differ(&long, &other), Some((100_000, 33_333)));
    }

    #[test]
    fn large_files_are_shown_around_the_difference() {
        let (_directory, [one, other]) = files(b"a\n", b"b\n");
        let whole = Excerpts {
            before: b"a\n".to_vec(),
            after: b"b\n".to_vec(),
            ..Excerpts::default()
        };
        assert_eq!(excerpts(&one, &other).unwrap(), whole);
        let long = b"12\n".repeat(1 << 19);
        let mut changed = long.clone();
        changed[900_000] = b'x';
        let (_directory, [one, other]) = files(&long, &changed);
        let part = excerpts(&one, &other).unwrap();
        assert!(
            part.is_cut
                && part.before.len() as u64 == MAX_SHOWN_BYTES
                && part.after.len() == part.before.len()
        );
        assert!(part.before.starts_with(b"12\n12\n"));
        let at = part.after.iter().position(|byte| *byte == b'x').unwrap() as u64;
        assert_eq!(part.lines_left_out * 3 + at, 900_000);
        // A file without line endings.
        let (_directory, [one, other]) = files(&vec![b'1'; 1 << 20], &vec![b'1'; (1 << 20) + 5]);
        let part = excerpts(&one, &other).unwrap();
        assert_eq!(
            (part.before.len() as u64, part.after.len() as u64),
            (MAX_BEFORE_BYTES, MAX_BEFORE_BYTES + 5)
        );
        assert_eq!((part.lines_left_out, part.is_cut), (0, false));
    }
}

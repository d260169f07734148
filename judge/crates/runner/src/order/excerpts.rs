//! Excerpts of inputs, for readers of a report without the package.
//!
//! Responsible for the size of an input, and for reading no more of it than is emitted. Must not know who reads it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use judge_event::{Bytes, Excerpt, Input};
use judge_exec::regular_file;
use judge_model::TestCase;

/// Bytes of the beginning. A stream has one of these for each test case, so they are few.
const HEAD: u64 = 512;
/// Bytes of the end, where not everything is emitted.
const TAIL: u64 = 128;

/// The excerpt of the input that events contain. `None` when it cannot be read: the first run on it will say so.
pub(crate) fn of_input(test_case: &TestCase) -> Option<Input> {
    let (size_bytes, excerpt) = read(&test_case.input).ok()?;
    Some(Input { test_case: test_case.id.clone(), size_bytes, excerpt, origin: test_case.origin.clone() })
}

fn read(path: &Path) -> io::Result<(u64, Excerpt)> {
    let mut file = regular_file::open(path)?;
    let size = file.metadata()?.len();
    let whole = size <= HEAD + TAIL;
    let mut head = part(&mut file, if whole { size } else { HEAD })?;
    let mut tail = Vec::new();
    if !whole {
        file.seek(SeekFrom::Start(size - TAIL))?;
        tail = part(&mut file, TAIL)?;
        // A character that is cut in two would make all of it bytes that are no text.
        if let Err(error) = std::str::from_utf8(&head)
            && error.error_len().is_none()
        {
            head.truncate(error.valid_up_to());
        }
        let continued = tail.iter().take(3).take_while(|byte| **byte & 0b1100_0000 == 0b1000_0000).count();
        tail.drain(..continued);
    }
    let left_out = size.saturating_sub((head.len() + tail.len()) as u64);
    Ok((size, Excerpt { head: Bytes(head), left_out, tail: Bytes(tail) }))
}

fn part(file: &mut File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn excerpt_of(content: &[u8]) -> (u64, Excerpt) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.in");
        fs::write(&path, content).unwrap();
        read(&path).unwrap()
    }

    #[test]
    fn what_is_short_is_whole_and_what_is_long_has_both_ends() {
        assert_eq!(excerpt_of(b"3 4\n"), (4, Excerpt { head: "3 4\n".into(), left_out: 0, tail: "".into() }));
        assert_eq!(excerpt_of(b"").1, Excerpt::default());
        assert_eq!(excerpt_of(&[b'x'; 640]).1.left_out, 0);
        let long: Vec<u8> = (0..2000u32).map(|number| b'a' + (number % 26) as u8).collect();
        let (size, excerpt) = excerpt_of(&long);
        assert_eq!((size, excerpt.left_out), (2000, 2000 - 640));
        assert_eq!((&excerpt.head.0[..], &excerpt.tail.0[..]), (&long[..512], &long[2000 - 128..]));
    }

    #[test]
    fn no_character_is_cut_in_two() {
        for before in 0..4 {
            let text = "x".repeat(before) + &"\u{20ac}".repeat(400);
            let (size, excerpt) = excerpt_of(text.as_bytes());
            let (head, tail) = (str::from_utf8(&excerpt.head.0).unwrap(), str::from_utf8(&excerpt.tail.0).unwrap());
            assert!(text.starts_with(head) && text.ends_with(tail));
            assert_eq!(size, (head.len() + tail.len()) as u64 + excerpt.left_out);
        }
    }

    #[test]
    fn an_input_that_cannot_be_read_is_not_told() {
        assert!(read(Path::new("/nowhere/1.in")).is_err());
    }
}

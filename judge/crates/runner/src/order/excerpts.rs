//! Excerpts of inputs and sources, for readers of a report who do not have the package.
//!
//! Responsible for the size of a file, and for reading only the part that is emitted. Must not know
//! the readers.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use judge_event::{Bytes, Excerpt, Input, SourceFile};
use judge_exec::regular_file;
use judge_model::{Submission, TestCase};

use crate::PlannedProblem;

/// The part of a file that is emitted.
#[derive(Clone, Copy)]
struct MaxBytes {
    /// The number of bytes of the beginning.
    head: u64,
    /// The number of bytes of the end, if not everything is emitted.
    tail: u64,
}

/// The excerpts of inputs. They are short, because a stream has one for each test case.
const INPUT: MaxBytes = MaxBytes {
    head: 512,
    tail: 128,
};
/// The excerpts of sources. Most sources are shorter, and readers of a verdict need the full text.
const SOURCE: MaxBytes = MaxBytes {
    head: 16 << 10,
    tail: 1 << 10,
};
/// The maximum number of source files of a submission.
const MAX_FILES: usize = 8;

/// The excerpt of the input that events contain. `None` when it cannot be read, which the first run
/// on it reports.
pub(crate) fn input_excerpt(test_case: &TestCase, planned: &PlannedProblem) -> Option<Input> {
    let (size_bytes, excerpt) = read(&test_case.input, INPUT).ok()?;
    let below = test_case
        .input
        .strip_prefix(&planned.problem.directory)
        .ok();
    // Most inputs are at the path that follows from their id. Only others need a path, which would
    // otherwise be half of the event.
    let is_usual =
        below.is_some_and(|below| below == Path::new(&format!("data/{}.in", test_case.id)));
    let shown = || {
        below
            .map(|below| format!("{}/{}", planned.path, below.display()))
            .unwrap_or_default()
    };
    let file = (!is_usual).then(shown);
    Some(Input {
        test_case: test_case.id.clone(),
        size_bytes,
        excerpt,
        origin: test_case.origin.clone(),
        file,
    })
}

/// The source files that events contain. Answers have none. Unreadable files are left out, because
/// compiling reports them.
pub(crate) fn source_files(submission: &Submission) -> Vec<SourceFile> {
    if !submission.answers.is_empty() {
        return Vec::new();
    }
    let is_directory = submission.path.is_dir();
    let directory = if is_directory {
        Some(submission.path.as_path())
    } else {
        submission.path.parent()
    };
    let file = |source: &PathBuf| {
        let (size_bytes, excerpt) = read(&directory?.join(source), SOURCE).ok()?;
        Some(SourceFile {
            file: source.display().to_string(),
            size_bytes,
            excerpt,
        })
    };
    submission
        .sources
        .iter()
        .take(MAX_FILES)
        .filter_map(file)
        .collect()
}

fn read(path: &Path, max: MaxBytes) -> io::Result<(u64, Excerpt)> {
    let (mut file, size) = regular_file::open_sized(path)?;
    let whole = size <= max.head + max.tail;
    let mut head = part(&mut file, if whole { size } else { max.head })?;
    let mut tail = Vec::new();
    if !whole {
        file.seek(SeekFrom::Start(size - max.tail))?;
        tail = part(&mut file, max.tail)?;
        // Half a character would make the whole excerpt invalid UTF-8, which reports render as
        // bytes.
        if let Err(error) = std::str::from_utf8(&head)
            && error.error_len().is_none()
        {
            head.truncate(error.valid_up_to());
        }
        let continued = tail
            .iter()
            .take(3)
            .take_while(|byte| **byte & 0b1100_0000 == 0b1000_0000)
            .count();
        tail.drain(..continued);
    }
    let left_out = size.saturating_sub((head.len() + tail.len()) as u64);
    Ok((
        size,
        Excerpt {
            head: Bytes(head),
            left_out,
            tail: Bytes(tail),
        },
    ))
}

fn part(file: &mut File, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = regular_file::room_for(max);
    file.take(max).read_to_end(&mut bytes)?;
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
        read(&path, INPUT).unwrap()
    }

    #[test]
    fn short_files_are_complete_and_long_ones_have_both_ends() {
        assert_eq!(
            excerpt_of(b"3 4\n"),
            (
                4,
                Excerpt {
                    head: "3 4\n".into(),
                    left_out: 0,
                    tail: "".into()
                }
            )
        );
        assert_eq!(excerpt_of(b"").1, Excerpt::default());
        assert_eq!(excerpt_of(&[b'x'; 640]).1.left_out, 0);
        let long: Vec<u8> = (0..2000u32)
            .map(|number| b'a' + (number % 26) as u8)
            .collect();
        let (size, excerpt) = excerpt_of(&long);
        assert_eq!((size, excerpt.left_out), (2000, 2000 - 640));
        assert_eq!(
            (&excerpt.head.0[..], &excerpt.tail.0[..]),
            (&long[..512], &long[2000 - 128..])
        );
    }

    #[test]
    fn characters_are_not_cut_in_two() {
        for before in 0..4 {
            let text = "x".repeat(before) + &"\u{20ac}".repeat(400);
            let (size, excerpt) = excerpt_of(text.as_bytes());
            let (head, tail) = (
                str::from_utf8(&excerpt.head.0).unwrap(),
                str::from_utf8(&excerpt.tail.0).unwrap(),
            );
            assert!(text.starts_with(head) && text.ends_with(tail));
            assert_eq!(size, (head.len() + tail.len()) as u64 + excerpt.left_out);
        }
    }

    #[test]
    fn sources_are_listed_except_for_answers() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("a.py"), "print(1)\n").unwrap();
        fs::write(directory.path().join("b.py"), "x".repeat(20_000)).unwrap();
        let files = |path: PathBuf, sources: &[&str]| {
            let sources = sources.iter().map(PathBuf::from).collect();
            source_files(&Submission {
                path,
                sources,
                ..Submission::default()
            })
        };
        let single = files(directory.path().join("a.py"), &["a.py"]);
        assert_eq!(
            (
                single.len(),
                single[0].file.as_str(),
                &single[0].excerpt.head
            ),
            (1, "a.py", &"print(1)\n".into())
        );
        let several = files(directory.path().to_owned(), &["a.py", "b.py", "none.py"]);
        assert_eq!(
            several
                .iter()
                .map(|file| file.size_bytes)
                .collect::<Vec<_>>(),
            [9, 20_000]
        );
        assert_eq!(several[1].excerpt.left_out, 20_000 - (17 << 10));
        let mut answers = Submission {
            path: directory.path().to_owned(),
            ..Submission::default()
        };
        answers.sources = vec!["a.py".into()];
        answers
            .answers
            .insert("secret/1".to_owned(), directory.path().join("a.py"));
        assert_eq!(source_files(&answers), []);
    }

    #[test]
    fn unreadable_inputs_have_no_excerpt() {
        assert!(read(Path::new("/nowhere/1.in"), INPUT).is_err());
    }
}

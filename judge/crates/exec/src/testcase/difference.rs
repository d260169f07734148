//! Differences for the event stream: a mismatch with a window of lines around it.
//!
//! Responsible for keeping only the part of an answer that is shown. Must not make decisions.

use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use judge_event::{Bytes, Difference, DifferenceKind, Line, Window};
use judge_grading::{CompareOptions, Comparison, Mismatch, compare, window};

use crate::regular_file;

/// The number of bytes before and after the place that are searched for lines.
const REACH: u64 = 16 << 10;
const LINES_BEFORE: usize = 3;
const LINES_AFTER: usize = 3;
const LINE_BYTES: usize = 240;

/// The difference for an event.
pub(crate) fn describe(
    mismatch: &Mismatch,
    answer: &Path,
    output: &[u8],
) -> io::Result<Difference> {
    // Answers are read from disk, and only the part around the difference.
    let answer_chunk = Chunk::read(regular_file::open(answer)?, mismatch.answer.offset)?;
    let output_chunk = Chunk::read(Cursor::new(output), mismatch.output.offset)?;
    Ok(Difference {
        kind: mismatch.kind,
        answer_position: mismatch.answer.position,
        output_position: mismatch.output.position,
        expected: Bytes(mismatch.expected.clone()),
        found: Bytes(mismatch.found.clone()),
        answer_window: answer_chunk.window(mismatch.answer.position.line),
        output_window: output_chunk.window(mismatch.output.position.line),
        same_line_count: lines(BufReader::with_capacity(
            64 << 10,
            regular_file::open(answer)?,
        ))? == lines(output)?,
    })
}

/// The number of lines; the last one need not be terminated.
fn lines(mut text: impl BufRead) -> io::Result<u64> {
    let (mut lines, mut last) = (0, b'\n');
    loop {
        let bytes = text.fill_buf()?;
        let Some(end) = bytes.last() else {
            return Ok(lines + u64::from(last != b'\n'));
        };
        lines += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        last = *end;
        let length = bytes.len();
        text.consume(length);
    }
}

/// Returns the first difference between the output and the answer, token by token, as an addition
/// to the message of a package's own validator; `None` when only white space differs, or when the
/// answer file is empty because the validator needs no answer.
pub(crate) fn difference_for_validator(
    answer: &Path,
    output: &[u8],
) -> io::Result<Option<Difference>> {
    let mut reader = BufReader::new(regular_file::open(answer)?);
    // Many validators compute everything from the input and have empty answer files. Every
    // token of an output would differ from those.
    if reader.fill_buf()?.is_empty() {
        return Ok(None);
    }
    match compare(&CompareOptions::default(), reader, output)? {
        Comparison::Accepted => Ok(None),
        Comparison::Rejected(mismatch) => Ok(Some(Difference {
            kind: DifferenceKind::Line,
            ..describe(&mismatch, answer, output)?
        })),
    }
}

/// A part of a file, with the position of the difference in it.
struct Chunk {
    bytes: Vec<u8>,
    at: usize,
    /// True when more of the file follows the part.
    more: bool,
}

impl Chunk {
    fn read(mut file: impl Read + Seek, offset: u64) -> io::Result<Self> {
        let start = offset.saturating_sub(REACH);
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = regular_file::room_for(2 * REACH + 1);
        file.take(2 * REACH + 1).read_to_end(&mut bytes)?;
        // One more byte was read than is used: it shows whether the file continues.
        let end = (offset - start + REACH).min(bytes.len() as u64);
        let end = usize::try_from(end).unwrap_or(bytes.len());
        let more = end < bytes.len();
        bytes.truncate(end);
        let at = usize::try_from(offset - start)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        Ok(Self { bytes, at, more })
    }

    /// The lines around the place, whose own line has the number `line`.
    fn window(&self, line: u64) -> Window {
        let lines = window(&self.bytes, self.at, LINES_BEFORE, LINES_AFTER, LINE_BYTES);
        let Some((first, last)) = lines.first().zip(lines.last()) else {
            return Window {
                first_line: 1,
                ..Window::default()
            };
        };
        // Numbers within the part become numbers within the file.
        // The part may begin in the middle of the file. The number of the line at the
        // difference is known, so the others are counted from it.
        let at_number = 1 + self.bytes[..self.at]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count() as u64;
        let first_line = (first.number as u64 + line)
            .saturating_sub(at_number)
            .max(1);
        let last_number = last.number;
        let total = self.bytes.iter().filter(|byte| **byte == b'\n').count();
        let more_after = self.more
            || (last.terminated && last_number < total + usize::from(!self.bytes.ends_with(b"\n")));
        let lines = lines
            .iter()
            .map(|line| Line {
                text: Bytes::from(line.bytes),
                cut_before: line.omitted_before as u64,
                cut_after: line.omitted_after as u64,
            })
            .collect();
        Window {
            first_line,
            lines,
            more_after,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(window: &Window) -> Vec<String> {
        window
            .lines
            .iter()
            .map(|line| line.text.to_text().into_owned())
            .collect()
    }

    fn difference(answer: &str, output: &str) -> Difference {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answer");
        std::fs::write(&path, answer).unwrap();
        match compare(
            &CompareOptions::default(),
            answer.as_bytes(),
            output.as_bytes(),
        )
        .unwrap()
        {
            Comparison::Accepted => panic!("expected a difference"),
            Comparison::Rejected(mismatch) => {
                describe(&mismatch, &path, output.as_bytes()).unwrap()
            }
        }
    }

    #[test]
    fn windows_surround_the_place_with_file_line_numbers() {
        let answer: String = (1..=20_000).map(|n| format!("{n}\n")).collect();
        let output = answer.replace("\n15000\n", "\n15x\n");
        let difference = difference(&answer, &output);
        assert_eq!(difference.answer_position.line, 15_000);
        assert_eq!(difference.answer_window.first_line, 14_997);
        assert_eq!(text(&difference.answer_window)[3], "15000");
        assert_eq!(text(&difference.output_window)[3], "15x");
        assert!(difference.answer_window.more_after && difference.output_window.more_after);
        assert_eq!(
            difference.output_window.lines.len(),
            LINES_BEFORE + 1 + LINES_AFTER
        );
    }

    #[test]
    fn lines_are_counted_with_and_without_an_end() {
        for (answer, output, same) in [
            ("1\n2\n", "1\n3\n", true),
            ("1\n2\n", "1\n3", true),
            ("1\n2", "1\n3\n\n", false),
            ("1\n2\n", "1\n", false),
            ("1", "", false),
        ] {
            assert_eq!(
                difference(answer, output).same_line_count,
                same,
                "{answer:?} {output:?}"
            );
        }
    }

    #[test]
    fn short_and_empty_outputs_have_a_window_too() {
        let early = difference("1\n2\n3\n", "1\n2\n");
        assert_eq!(early.kind, DifferenceKind::Missing);
        assert_eq!(text(&early.answer_window), ["1", "2", "3"]);
        assert!(!early.answer_window.more_after);
        let empty = difference("1\n", "");
        assert!(empty.output_window.lines.is_empty());
    }

    #[test]
    fn very_long_lines_are_cut_around_the_place() {
        let answer = "1 ".repeat(400_000);
        let output = format!("{}2 {}", "1 ".repeat(200_000), "1 ".repeat(199_999));
        let difference = difference(&answer, &output);
        assert_eq!(difference.answer_position.token, 200_001);
        assert!(difference.output_window.lines[0].text.0.len() <= LINE_BYTES);
        assert!(difference.output_window.lines[0].text.0.contains(&b'2'));
    }

    #[test]
    fn no_difference_is_shown_for_validators_with_an_empty_answer() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answer");
        std::fs::write(&path, "").unwrap();
        assert_eq!(difference_for_validator(&path, b"1\n").unwrap(), None);
        std::fs::write(&path, "2\n").unwrap();
        assert_eq!(
            difference_for_validator(&path, b"1\n")
                .unwrap()
                .unwrap()
                .expected,
            Bytes::from(&b"2"[..])
        );
    }
}

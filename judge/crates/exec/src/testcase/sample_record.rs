//! The text of `.interaction` files: a conversation of a submission with an output validator, as
//! samples show it.
//!
//! Responsible for the order and the marks of the lines. Must not know which programs talk or where
//! the file goes.
//!
//! Source: 2025-09 and legacy, "Interactive Problems" and "Multi-pass": lines that begin with `<`
//! are given to the submission, those with `>` are written by it, and `---` separates passes.

use judge_event::Party;

/// The largest size of a record, in bytes: far more than is ever read.
pub(crate) const MAX_RECORD_BYTES: usize = 1 << 20;
const BETWEEN_PASSES: &[u8] = b"---";

/// The conversation of both sides, line by line.
#[derive(Debug, Default)]
pub(crate) struct SampleRecord {
    text: Vec<u8>,
    /// Lines that have not ended yet, by party.
    open: [Vec<u8>; 2],
    passes: u32,
}

impl SampleRecord {
    pub(crate) fn start_pass(&mut self) {
        self.end_lines();
        if self.passes > 0 {
            self.text.extend([BETWEEN_PASSES, b"\n"].concat());
        }
        self.passes += 1;
    }

    /// Records a part of a party's output. Lines are placed in the order in which they end.
    pub(crate) fn append(&mut self, from: Party, bytes: &[u8]) {
        // A record that is too long is never written, so nothing more is kept in memory
        // either.
        if self.is_too_long() {
            return;
        }
        for byte in bytes {
            match byte {
                b'\n' => self.end_line(from),
                _ => self.open[from as usize].push(*byte),
            }
        }
    }

    /// Records a party's complete output; an empty output is an empty line.
    pub(crate) fn handed_over(&mut self, from: Party, bytes: &[u8]) {
        self.append(from, bytes.strip_suffix(b"\n").unwrap_or(bytes));
        self.end_line(from);
    }

    fn end_line(&mut self, party: Party) {
        let line = std::mem::take(&mut self.open[party as usize]);
        self.text.push(if party == Party::Validator {
            b'<'
        } else {
            b'>'
        });
        self.text.extend(String::from_utf8_lossy(&line).as_bytes());
        self.text.push(b'\n');
    }

    fn end_lines(&mut self) {
        // At the end of a pass, the last line may have no line break. The file has complete lines,
        // so one is added.
        for party in [Party::Validator, Party::Submission] {
            if !self.open[party as usize].is_empty() {
                self.end_line(party);
            }
        }
    }

    fn is_too_long(&self) -> bool {
        self.text.len() + self.open.iter().map(Vec::len).sum::<usize>() > MAX_RECORD_BYTES
    }

    /// The file, unless it is too long.
    pub(crate) fn finish(mut self) -> Option<Vec<u8>> {
        self.end_lines();
        (!self.is_too_long()).then_some(self.text)
    }
}

/// True when two `.interaction` files are equivalent: both sides write the same in each pass. The
/// order of two lines that are written at the same time is random.
#[must_use]
pub fn same_conversation(one: &[u8], other: &[u8]) -> bool {
    let of_side = |text: &[u8], side: u8| -> Vec<Vec<u8>> {
        // The marks between passes stay in both lists, so that a line that moved to another
        // pass is a difference.
        let lines = text.split(|byte| *byte == b'\n');
        lines
            .filter(|line| line.first() == Some(&side) || *line == BETWEEN_PASSES)
            .map(<[u8]>::to_vec)
            .collect()
    };
    [b'<', b'>']
        .iter()
        .all(|side| of_side(one, *side) == of_side(other, *side))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(messages: &[(Party, &str)]) -> String {
        let mut record = SampleRecord::default();
        record.start_pass();
        for (from, bytes) in messages {
            record.append(*from, bytes.as_bytes());
        }
        String::from_utf8(record.finish().unwrap()).unwrap()
    }

    #[test]
    fn lines_are_ordered_by_their_ends() {
        use Party::{Submission, Validator};
        let lines = [
            (Validator, "3\n4"),
            (Submission, "a\n"),
            (Validator, "5\n\n"),
            (Submission, "b"),
        ];
        assert_eq!(recorded(&lines), "<3\n>a\n<45\n<\n>b\n");
        assert_eq!(recorded(&[]), "");
    }

    #[test]
    fn passes_are_separated_and_an_empty_message_is_a_line() {
        let mut record = SampleRecord::default();
        for (input, output) in [("1 2\n3\n", "x\n"), ("", "\n"), ("7", "")] {
            record.start_pass();
            record.handed_over(Party::Validator, input.as_bytes());
            record.handed_over(Party::Submission, output.as_bytes());
        }
        assert_eq!(
            record.finish().unwrap(),
            b"<1 2\n<3\n>x\n---\n<\n>\n---\n<7\n>\n"
        );
    }

    #[test]
    fn too_long_records_are_dropped() {
        let mut record = SampleRecord::default();
        for _ in 0..100 {
            record.append(Party::Submission, &[b'x'; MAX_RECORD_BYTES / 10]);
        }
        assert!(record.open[Party::Submission as usize].len() < 2 * MAX_RECORD_BYTES);
        assert_eq!(record.finish(), None);
    }

    #[test]
    fn only_the_order_of_simultaneous_lines_is_ignored() {
        let same = |one: &str, other: &str| same_conversation(one.as_bytes(), other.as_bytes());
        assert!(same("<1\n>a\n<2\n---\n>b\n", "<1\n<2\n>a\n---\n>b\n"));
        assert!(!same("<1\n>a\n<2\n---\n>b\n", "<1\n>a\n---\n<2\n>b\n"));
        assert!(!same("<1\n", "<1\n>\n"));
    }
}

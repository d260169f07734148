//! A changed answer, for `judge generate --review`.
//!
//! Responsible for the difference by line, with the line numbers of both answers. Must not know how
//! the user decides.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::text::escape::data;
use crate::text::line::{Line, Tone};
use crate::text::numbers::plural;
use crate::text::page::{Look, Page};

/// The number of lines around a change.
const CONTEXT: usize = 3;
/// The maximum number of lines in total, because users do not read more.
const MAX_LINES: usize = 60;
/// The maximum length of a line in bytes, beyond which it is cut.
const MAX_LINE: usize = 400;

/// A test case with a changed answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerChange {
    /// The path of the answer file, as it is printed.
    pub file: String,
    /// True when it was written by hand.
    pub by_hand: bool,
    /// The current content.
    pub before: Vec<u8>,
    /// The new content.
    pub after: Vec<u8>,
    /// The number of omitted lines at the beginning of both.
    pub lines_left_out: u64,
    /// True when either content is cut.
    pub is_cut: bool,
}

impl AnswerChange {
    /// Renders the text for people: `-` is the current answer, `+` the new one.
    #[must_use]
    pub fn to_text(&self, look: Look) -> String {
        let mut page = Page::new(look);
        let origin = if self.by_hand {
            "written by hand"
        } else {
            "generated"
        };
        let line = Line::default().with(Tone::Strong, &self.file);
        page.line(line.with(Tone::Dim, &format!("{}{origin}", page.glyphs.dot)));
        let (before, after) = (lines(&self.before), lines(&self.after));
        if self.lines_left_out > 0 {
            page.line(Line::indented(2).with(Tone::Dim, "..."));
        }
        let rows = rows(&before, &after, self.lines_left_out as usize);
        let more = rows.len().saturating_sub(MAX_LINES);
        for row in rows.into_iter().take(MAX_LINES) {
            page.line(row);
        }
        if more > 0 {
            page.line(Line::indented(2).with(
                Tone::Dim,
                &format!("and {}", plural(more as u64, "more line")),
            ));
        }
        if self.is_cut {
            page.line(Line::indented(2).with(
                Tone::Dim,
                "truncated: the answers are too large to show in full",
            ));
        } else if before == after {
            page.line(Line::indented(2).with(Tone::Dim, "only the final newline differs"));
        }
        page.take()
    }
}

/// Returns the lines of an answer; none if it is empty or missing.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.split(|byte| *byte == b'\n').collect()
}

fn row(sign: &str, tone: Tone, number: usize, text: &[u8]) -> Line {
    let text = data(&text[..text.len().min(MAX_LINE)]);
    let line = Line::indented(2)
        .with(tone, sign)
        .with(Tone::Dim, &format!(" {number:>4}  "));
    line.with(if tone == Tone::Dim { Tone::Plain } else { tone }, &text)
}

fn rows(before: &[&[u8]], after: &[&[u8]], left_out: usize) -> Vec<Line> {
    let mut rows = Vec::new();
    let operations = capture_diff_slices(Algorithm::Myers, before, after);
    let last = operations.len().saturating_sub(1);
    for (index, operation) in operations.iter().enumerate() {
        let (old, new) = (operation.old_range(), operation.new_range());
        if let DiffOp::Equal { new_index, len, .. } = *operation {
            let head = if index == 0 { 0 } else { CONTEXT.min(len) };
            let tail = if index == last {
                0
            } else {
                CONTEXT.min(len - head)
            };
            let context = |at: usize| {
                row(
                    " ",
                    Tone::Dim,
                    left_out + new_index + at + 1,
                    after[new_index + at],
                )
            };
            rows.extend((0..head).map(context));
            if head + tail < len {
                rows.push(Line::indented(2).with(Tone::Dim, "..."));
            }
            rows.extend((len - tail..len).map(context));
            continue;
        }
        rows.extend(old.map(|at| row("-", Tone::Bad, left_out + at + 1, before[at])));
        rows.extend(new.map(|at| row("+", Tone::Good, left_out + at + 1, after[at])));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(before: &str, after: &str) -> String {
        let change = AnswerChange {
            file: "data/secret/1.ans".into(),
            by_hand: false,
            before: before.into(),
            after: after.into(),
            ..AnswerChange::default()
        };
        change.to_text(Look::default())
    }

    #[test]
    fn changes_have_context() {
        let before: String = (1..=12).map(|number| format!("{number}\n")).collect();
        let context = |numbers: &[u32]| -> String {
            numbers
                .iter()
                .map(|number| format!("       {number}  {number}\n"))
                .collect()
        };
        let expected = format!(
            "data/secret/1.ans · generated\n  ...\n{}  -    6  6\n  +    6  six\n{}  ...\n",
            context(&[3, 4, 5]),
            context(&[7, 8, 9])
        );
        assert_eq!(text(&before, &before.replace("6\n", "six\n")), expected);
    }

    #[test]
    fn missing_answers_have_no_removed_lines() {
        assert_eq!(
            text("", "1\n"),
            "data/secret/1.ans · generated\n  +    1  1\n"
        );
        assert_eq!(
            text("1\n", ""),
            "data/secret/1.ans · generated\n  -    1  1\n"
        );
        assert_eq!(
            text("\n", "1\n"),
            "data/secret/1.ans · generated\n  -    1\n  +    1  1\n"
        );
    }

    #[test]
    fn control_characters_line_ends_and_long_answers_are_shown() {
        assert!(
            text("a\u{1b}[1m\n", "b\n")
                .lines()
                .all(|line| !line.contains('\u{1b}'))
        );
        assert!(text("1", "1\n").contains("only the final newline differs"));
        let many = |text: &str| format!("{text}\n").repeat(100);
        assert!(text(&many("a"), &many("b")).ends_with("and 140 more lines\n"));
    }
}

//! Differences between the expected and the actual output.
//!
//! Responsible for the line diff of the two windows around the first difference. Must not know
//! verdicts.

use judge_event::{Bytes, Difference, DifferenceKind, Position, Window};
use similar::{Algorithm, ChangeTag, DiffOp, TextDiff, capture_diff_slices};

use crate::text::cut::{Cut, with_marks};
use crate::text::escape::{pieces, show_spaces};
use crate::text::line::{Line, Tone};
use crate::text::page::Page;

/// The maximum number of rendered lines of a window. The writer of events keeps windows smaller,
/// but a stored stream is untrusted.
const MAX_LINES: usize = 20;

/// True when both windows consist only of the two different tokens, so that a diff would repeat
/// them.
pub(crate) fn is_redundant(difference: &Difference) -> bool {
    let is_all = |window: &Window, token: &Bytes| {
        matches!(&window.lines[..], [line] if line.text == *token && line.cut_before == 0 && line.cut_after == 0)
            && window.first_line == 1
            && !window.more_after
    };
    is_all(&difference.answer_window, &difference.expected)
        && is_all(&difference.output_window, &difference.found)
}

/// Renders the two windows as a diff: `-` is the answer, `+` the output, each with its own line
/// numbers.
pub(crate) fn render(page: &mut Page, indent: usize, difference: &Difference) {
    let layout = Layout::new(page.width().saturating_sub(indent), difference);
    let mut print = |sign: &str, text: &DiffLine| {
        let (tone, plain, strong) = match sign {
            "-" => (Tone::Bad, Tone::Bad, Tone::BadStrong),
            "+" => (Tone::Good, Tone::Good, Tone::GoodStrong),
            _ => (Tone::Dim, Tone::Plain, Tone::Plain),
        };
        let number = format!(" {:>width$}  ", text.number, width = layout.number_width);
        let start = Line::indented(indent)
            .with(tone, sign)
            .with(Tone::Dim, &number);
        page.line(start.join(text.line(plain, strong)));
    };
    for block in layout.blocks() {
        // Of replaced lines, all missing ones come first, then all that replace them. Equal lines are
        // printed from the output, because their numbers help readers to find the place in it.
        let changed = block.iter().filter(|row| row.differs);
        for text in changed.filter_map(|row| row.answer.as_ref()) {
            print("-", text);
        }
        for row in &block {
            if let Some(text) = &row.output {
                print(if row.differs { "+" } else { " " }, text);
            }
        }
    }
    if has_more(difference) {
        let ellipsis = page.glyphs.ellipsis;
        page.line(Line::indented(indent + 2).with(Tone::Dim, ellipsis));
    }
}

/// A row of the diff, for reports with the answer and the output next to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiffRow {
    /// True when the two sides of the row differ.
    pub(crate) differs: bool,
    /// The line of the answer, if it has one here.
    pub(crate) answer: Option<DiffLine>,
    /// The line of the output, if it has one here.
    pub(crate) output: Option<DiffLine>,
}

/// A rendered line: escaped, and cut to the available width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiffLine {
    /// Its number, counted from 1.
    pub(crate) number: u64,
    /// The number of missing bytes before its text.
    pub(crate) before: u64,
    /// Its text in parts.
    pub(crate) parts: Words,
    /// The number of missing bytes after its text.
    pub(crate) after: u64,
}

impl DiffLine {
    /// Returns the line with the marks of missing bytes, and with the marked parts emphasised.
    fn line(&self, plain: Tone, strong: Tone) -> Line {
        let parts = self.parts.iter();
        let text = parts.fold(Line::default(), |line, (marked, text)| {
            line.with(if *marked { strong } else { plain }, text)
        });
        with_marks(self.before, text, self.after)
    }
}

/// Text in parts. A part is marked with true if the other side does not have it.
pub(crate) type Words = Vec<(bool, String)>;

/// Returns the rows of the two windows, for sides that are `width` columns wide.
pub(crate) fn rows(width: usize, difference: &Difference) -> Vec<DiffRow> {
    let blocks = Layout::new(width, difference).blocks();
    blocks.into_iter().flatten().collect()
}

/// True when either file continues after its window.
pub(crate) fn has_more(difference: &Difference) -> bool {
    let more = |window: &Window| window.more_after || window.lines.len() > MAX_LINES;
    more(&difference.answer_window) || more(&difference.output_window)
}

/// One line of a window, prepared for comparing and rendering.
struct Side {
    number: u64,
    /// The key of the line: two lines are equal, for this kind of difference, if their keys are.
    key: Vec<u8>,
    cut: Cut,
}

struct Layout {
    answer: Vec<Side>,
    output: Vec<Side>,
    /// The number of lines at the beginning of both that were accepted and need no comparing.
    accepted: usize,
    number_width: usize,
    /// True when each line is compared with the line of the same number.
    by_number: bool,
}

impl Layout {
    fn new(width: usize, difference: &Difference) -> Self {
        let last = |window: &Window| window.first_line.saturating_add(window.lines.len() as u64);
        // Both sides have the same width of numbers, so that their texts are aligned.
        let number_width = last(&difference.answer_window)
            .max(last(&difference.output_window))
            .to_string()
            .len();
        let white_space = difference.kind == DifferenceKind::Whitespace;
        // Five columns are for the sign, the spaces around the number and the marks of a cut line.
        let room = width.saturating_sub(number_width + 5);
        let sides = |window: &Window, place: Position| -> Vec<Side> {
            let lines = window.lines.iter().take(MAX_LINES).zip(0u64..);
            let side = |(text, index)| {
                let number = window.first_line.saturating_add(index);
                side(
                    text,
                    number,
                    (number == place.line).then_some(place.column),
                    white_space,
                    room,
                )
            };
            lines.map(side).collect()
        };
        let (answer, output) = (difference.answer_position, difference.output_position);
        let accepted_lines = |window: &Window, line: u64| {
            usize::try_from(line.saturating_sub(window.first_line))
                .unwrap_or(usize::MAX)
                .min(window.lines.len())
        };
        // A validator of the package may accept different lines, so it is unknown whether the lines
        // before the place are equal.
        let known = difference.kind != DifferenceKind::Line && !white_space;
        let before = accepted_lines(&difference.answer_window, answer.line);
        // The windows may begin at different lines. Then the lines before the difference have no
        // counterparts.
        let same = before == accepted_lines(&difference.output_window, output.line);
        Self {
            answer: sides(&difference.answer_window, answer),
            output: sides(&difference.output_window, output),
            accepted: if known && same {
                before.min(MAX_LINES)
            } else {
                0
            },
            number_width,
            by_number: difference.same_line_count
                && difference.answer_window.first_line == difference.output_window.first_line,
        }
    }

    /// Returns the differences of the lines after the accepted ones.
    fn operations(&self) -> Vec<DiffOp> {
        let (answer, output) = (
            keys(&self.answer[self.accepted..]),
            keys(&self.output[self.accepted..]),
        );
        // If both have the same number of lines, lines with the same number belong together. A diff
        // would match lines by chance.
        if self.by_number {
            by_number(&answer, &output)
        } else {
            capture_diff_slices(Algorithm::Myers, &answer, &output)
        }
    }

    /// Returns the rows in blocks of equal or of replaced lines.
    fn blocks(&self) -> Vec<Vec<DiffRow>> {
        let whole = |side: &Side| vec![(false, side.cut.text.clone())];
        let context = |(answer, output): (&Side, &Side)| DiffRow {
            differs: false,
            answer: Some(answer.shown(whole(answer))),
            output: Some(output.shown(whole(output))),
        };
        let known = self.answer.iter().zip(&self.output).take(self.accepted);
        let mut blocks: Vec<Vec<DiffRow>> = vec![known.map(context).collect()];
        let (answer, output) = (&self.answer[self.accepted..], &self.output[self.accepted..]);
        for operation in self.operations() {
            let (removed, added) = (
                &answer[operation.old_range()],
                &output[operation.new_range()],
            );
            if let DiffOp::Equal { .. } = operation {
                blocks.push(removed.iter().zip(added).map(context).collect());
                continue;
            }
            // Lines of a replaced block are paired in order. The longer side continues alone.
            let changed = (0..removed.len().max(added.len())).map(|index| {
                let (old, new) = (removed.get(index), added.get(index));
                let (old_parts, new_parts) = match (old, new) {
                    (Some(old), Some(new)) => words(&old.cut.text, &new.cut.text),
                    _ => (
                        old.map(whole).unwrap_or_default(),
                        new.map(whole).unwrap_or_default(),
                    ),
                };
                DiffRow {
                    differs: true,
                    answer: old.map(|side| side.shown(old_parts)),
                    output: new.map(|side| side.shown(new_parts)),
                }
            });
            blocks.push(changed.collect());
        }
        blocks
    }
}

fn side(
    line: &judge_event::Line,
    number: u64,
    column: Option<u64>,
    white_space: bool,
    room: usize,
) -> Side {
    let bytes = &line.text.0;
    // If white space does not count, lines that differ only in white space are equal.
    let words = bytes
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let mut key = if white_space {
        bytes.clone()
    } else {
        words.collect::<Vec<_>>().join(&b' ')
    };
    // Lines with different numbers of cut bytes are different, even if their visible parts are
    // equal.
    key.extend(format!("\0{} {}", line.cut_before, line.cut_after).bytes());
    let focus = column.map_or(0, |column| {
        column.saturating_sub(1).saturating_sub(line.cut_before)
    });
    let mut shown = pieces(bytes);
    // Trailing spaces are made visible if they are the difference.
    if white_space {
        show_spaces(
            shown
                .iter_mut()
                .rev()
                .take_while(|piece| piece.shown == " "),
        );
    }
    let focus = usize::try_from(focus).unwrap_or(usize::MAX);
    Side {
        number,
        key,
        cut: Cut::new(&shown, focus, line.cut_before, line.cut_after, room),
    }
}

impl Side {
    fn shown(&self, parts: Words) -> DiffLine {
        DiffLine {
            number: self.number,
            before: self.cut.before,
            parts,
            after: self.cut.after,
        }
    }
}

fn keys(sides: &[Side]) -> Vec<Vec<u8>> {
    sides.iter().map(|side| side.key.clone()).collect()
}

/// Returns the differences between lines of the same number.
fn by_number(answer: &[Vec<u8>], output: &[Vec<u8>]) -> Vec<DiffOp> {
    let both = answer.len().min(output.len());
    let mut operations: Vec<DiffOp> = Vec::new();
    for index in 0..both {
        let is_equal = answer[index] == output[index];
        match operations.last_mut() {
            Some(DiffOp::Equal { len, .. }) if is_equal => *len += 1,
            Some(DiffOp::Replace {
                old_len, new_len, ..
            }) if !is_equal => {
                *old_len += 1;
                *new_len += 1;
            }
            _ if is_equal => operations.push(DiffOp::Equal {
                old_index: index,
                new_index: index,
                len: 1,
            }),
            _ => operations.push(DiffOp::Replace {
                old_index: index,
                old_len: 1,
                new_index: index,
                new_len: 1,
            }),
        }
    }
    // A window contains fewer lines of a file with long lines.
    if answer.len() > both {
        operations.push(DiffOp::Delete {
            old_index: both,
            old_len: answer.len() - both,
            new_index: both,
        });
    } else if output.len() > both {
        operations.push(DiffOp::Insert {
            old_index: both,
            new_index: both,
            new_len: output.len() - both,
        });
    }
    operations
}

/// Two lines, with the words marked that only one of them has.
fn words(old: &str, new: &str) -> (Words, Words) {
    let (mut removed, mut added) = (Words::new(), Words::new());
    let push = |words: &mut Words, marked: bool, text: &str| match words.last_mut() {
        Some((last, before)) if *last == marked => before.push_str(text),
        _ => words.push((marked, text.to_owned())),
    };
    for change in TextDiff::from_words(old, new).iter_all_changes() {
        match change.tag() {
            ChangeTag::Equal => {
                push(&mut removed, false, change.value());
                push(&mut added, false, change.value());
            }
            ChangeTag::Delete => push(&mut removed, true, change.value()),
            ChangeTag::Insert => push(&mut added, true, change.value()),
        }
    }
    (removed, added)
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;

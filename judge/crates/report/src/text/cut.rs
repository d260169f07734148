//! Cuts long lines to the available width, with a mark for the number of missing bytes.
//!
//! Responsible for keeping the focus visible. Must not know the meaning of the text.

use std::ops::Range;

use crate::text::escape::Piece;
use crate::text::line::{Line, Tone, width};
use crate::text::numbers::plural;

/// The visible part of a line of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The number of missing bytes before the text.
    pub(crate) before: u64,
    /// The text that is shown.
    pub(crate) text: String,
    /// The number of missing bytes after the text.
    pub(crate) after: u64,
}

impl Cut {
    /// Cuts to `max` columns, marks included. `focus` is the offset of the byte that stays visible;
    /// `before` and `after` are the numbers of bytes that were already cut off.
    pub(crate) fn new(pieces: &[Piece], focus: usize, before: u64, after: u64, max: usize) -> Self {
        let widths: Vec<usize> = pieces.iter().map(|piece| width(&piece.shown)).collect();
        let complete = Self::from_range(0..pieces.len(), pieces, before, after);
        if widths.iter().sum::<usize>() + complete.marks_width() <= max {
            return complete;
        }
        let missing: u64 = pieces.iter().map(|piece| piece.bytes as u64).sum();
        // Room for the widest marks of this line.
        let widest =
            mark(before.saturating_add(missing)).len() + mark(after.saturating_add(missing)).len();
        let room = max.saturating_sub(widest);
        let range = around(focus_piece(pieces, focus), &widths, room);
        Self::from_range(range, pieces, before, after)
    }

    /// Returns a range of pieces.
    fn from_range(range: Range<usize>, pieces: &[Piece], before: u64, after: u64) -> Self {
        let bytes = |pieces: &[Piece]| pieces.iter().map(|piece| piece.bytes as u64).sum::<u64>();
        let shown = pieces[range.clone()].iter();
        Self {
            before: before.saturating_add(bytes(&pieces[..range.start])),
            text: shown.map(|piece| piece.shown.as_str()).collect(),
            after: after.saturating_add(bytes(&pieces[range.end..])),
        }
    }

    fn marks_width(&self) -> usize {
        mark(self.before).len() + mark(self.after).len()
    }

    /// Returns the line with its marks, with `text` as the formatted text.
    pub(crate) fn line(&self, text: Line) -> Line {
        with_marks(self.before, text, self.after)
    }
}

/// Returns text with the marks of the numbers of bytes that are missing before and after it.
pub(crate) fn with_marks(before: u64, text: Line, after: u64) -> Line {
    let line = Line::default().with(Tone::Dim, &mark(before)).join(text);
    line.with(Tone::Dim, &mark(after))
}

fn mark(bytes: u64) -> String {
    if bytes == 0 {
        String::new()
    } else {
        format!("[+{}]", plural(bytes, "byte"))
    }
}

/// Returns the index of the piece that contains the byte at this offset; the last one for an offset
/// past the end.
fn focus_piece(pieces: &[Piece], focus: usize) -> usize {
    let mut offset = 0;
    for (index, piece) in pieces.iter().enumerate() {
        offset += piece.bytes;
        if focus < offset {
            return index;
        }
    }
    pieces.len().saturating_sub(1)
}

/// Returns as many pieces as fit, with a third of the room before the focus. All the room is used.
fn around(focus: usize, widths: &[usize], room: usize) -> Range<usize> {
    let (mut from, mut to, mut used) = (focus, focus, 0);
    let extend_backwards = |from: &mut usize, used: &mut usize, limit: usize| {
        while *from > 0 && *used + widths[*from - 1] <= limit {
            *from -= 1;
            *used += widths[*from];
        }
    };
    // Some text before the difference shows its place, but the text after it is more useful. If the
    // line ends early, the rest of the room is used before the focus.
    extend_backwards(&mut from, &mut used, room / 3);
    while to < widths.len() && used + widths[to] <= room {
        used += widths[to];
        to += 1;
    }
    extend_backwards(&mut from, &mut used, room);
    from..to
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::escape::pieces;

    #[test]
    fn short_text_is_unchanged() {
        let cut = Cut::new(&pieces(b"short"), 0, 0, 0, 5);
        assert_eq!(
            cut,
            Cut {
                before: 0,
                text: "short".into(),
                after: 0
            }
        );
    }

    #[test]
    fn the_focus_is_visible_and_missing_bytes_are_counted() {
        let data: Vec<u8> = (0..200)
            .flat_map(|number: u32| format!("{number} ").into_bytes())
            .collect();
        let focus = data
            .windows(5)
            .position(|window| window == b" 150 ")
            .unwrap()
            + 1;
        let cut = Cut::new(&pieces(&data), focus, 1000, 0, 60);
        assert!(cut.text.contains(" 150 "), "{}", cut.text);
        assert_eq!(
            cut.before + cut.text.len() as u64 + cut.after,
            data.len() as u64 + 1000
        );
    }

    proptest! {
        #[test]
        fn cut_lines_never_exceed_their_width(
            data in prop::collection::vec(any::<u8>(), 0..300),
            focus in 0usize..400, before in 0u64..2000, after in 0u64..2000, max in 40usize..120,
        ) {
            let cut = Cut::new(&pieces(&data), focus, before, after, max);
            let line = cut.line(Line::default().with(Tone::Plain, &cut.text));
            prop_assert!(line.width() <= max);
        }
    }
}

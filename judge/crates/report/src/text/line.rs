//! Lines: text with tones, measured in columns.
//!
//! Responsible for width, padding and cutting, and for escaping: no text enters a line unescaped.
//! Must not know colours (see `page`) or the meaning of text.

use unicode_width::UnicodeWidthChar;

use std::borrow::Cow;

use crate::text::escape::{printable, without_commands};

/// The tone of a piece of text: its importance for the reader. A page without colour renders all
/// tones in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Normal text.
    Plain,
    /// Important text.
    Strong,
    /// Unimportant text.
    Dim,
    /// As expected.
    Good,
    /// Not as expected.
    Bad,
    /// A warning.
    Warn,
    /// Words that only a removed line has.
    BadStrong,
    /// Words that only an added line has.
    GoodStrong,
}

/// Returns the width of text in columns, by character. The complete text is never wider.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Returns the width of the widest of these texts in columns; 0 without a text.
pub(crate) fn widest<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> usize {
    texts
        .into_iter()
        .map(|text| width(text.as_ref()))
        .max()
        .unwrap_or(0)
}

fn char_width(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// Returns the longest prefix of at most `max` columns.
pub(crate) fn prefix(text: &str, max: usize) -> &str {
    let mut taken = 0;
    for (index, c) in text.char_indices() {
        taken += char_width(c);
        if taken > max {
            return &text[..index];
        }
    }
    text
}

/// Returns the longest suffix of at most `max` columns.
fn suffix(text: &str, max: usize) -> &str {
    let mut taken = 0;
    for (index, c) in text.char_indices().rev() {
        taken += char_width(c);
        if taken > max {
            return &text[index + c.len_utf8()..];
        }
    }
    text
}

/// Text cut in the middle to at most `max` columns, because both the beginning and the end of a
/// path matter. The place of the cut depends only on `max`, so that it is the same in all rows of a
/// table.
pub(crate) fn elide(text: &str, max: usize, ellipsis: &str) -> String {
    let text = printable(text);
    if width(&text) <= max {
        return text.into_owned();
    }
    // There is no room for the ellipsis. Some letters of the name are more useful than a part of
    // the ellipsis.
    let Some(room) = max.checked_sub(width(ellipsis)) else {
        return prefix(&text, max).to_owned();
    };
    // The end gets the larger half, because names differ there.
    let tail = suffix(&text, room.div_ceil(2));
    let head = prefix(&text, room - width(tail));
    format!("{head}{ellipsis}{tail}")
}

/// Returns the text in lines of at most `max` columns, broken at spaces if possible. Existing line
/// breaks and indentation are preserved.
pub(crate) fn wrap(text: &str, max: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let paragraph = printable(paragraph);
        let words = paragraph.trim_start_matches(' ');
        // The indentation is preserved, because a compiler's mark must stay below its place. It is
        // limited, because the words need some room.
        let indent = " ".repeat((paragraph.len() - words.len()).min(max / 2));
        let max = max - indent.len();
        let begun = lines.len();
        let mut line = String::new();
        for mut word in words.split(' ') {
            let needed = width(word) + usize::from(!line.is_empty());
            if width(&line) + needed > max && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            // A word that is wider than a line, such as a path, is cut, so that it does not exceed
            // the page.
            while width(word) > max {
                let head = prefix(word, max);
                // One character may be wider than the line. It is printed anyway, because otherwise
                // the loop would never end.
                if head.is_empty() {
                    break;
                }
                lines.push(head.to_owned());
                word = &word[head.len()..];
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
        lines[begun..]
            .iter_mut()
            .for_each(|line| line.insert_str(0, &indent));
    }
    lines
}

/// Returns a message in lines of about `columns` columns, broken only at spaces, so that paths and
/// words of commands are not split. Existing line breaks and indentation are preserved, and no line
/// is a command to a CI that reads the log.
#[must_use]
pub fn broken_lines(text: &str, columns: usize) -> String {
    const HANGING_INDENT: usize = 2;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let line = printable(line);
        let words = line.trim_start_matches(' ');
        let indent = line.len() - words.len();
        let mut words = words.split(' ');
        let mut last = format!("{}{}", " ".repeat(indent), words.next().unwrap_or_default());
        for word in words {
            if width(&last) + 1 + width(word) > columns {
                // A continued line is indented further than the first one, so that readers see the
                // connection. The bound leaves columns for the words at deep indentation.
                lines.push(std::mem::replace(
                    &mut last,
                    " ".repeat(indent.min(columns / 2) + HANGING_INDENT),
                ));
            } else {
                last.push(' ');
            }
            last.push_str(word);
        }
        lines.push(last);
    }
    lines
        .iter()
        .map(|line| without_commands(line))
        .collect::<Vec<_>>()
        .join("\n")
}

/// One line of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    spans: Vec<(Tone, String)>,
}

impl Line {
    /// Creates a line that begins with this many spaces.
    pub(crate) fn indented(columns: usize) -> Self {
        Self::default().with(Tone::Plain, &" ".repeat(columns))
    }

    /// Creates a line that begins with this many spaces and a mark.
    pub(crate) fn marked(columns: usize, (mark, tone): (&str, Tone)) -> Self {
        Self::indented(columns)
            .with(tone, mark)
            .with(Tone::Plain, " ")
    }

    /// Creates the first line of a report about a problem: a mark, and the name.
    pub(crate) fn titled((mark, tone): (&str, Tone), name: &str) -> Self {
        Self::default()
            .with(tone, &format!("{mark} "))
            .with(Tone::Strong, name)
    }

    /// Returns the line with text added, escaped.
    pub(crate) fn with(mut self, tone: Tone, text: &str) -> Self {
        self.push(tone, text);
        self
    }

    /// Adds text, escaped.
    pub(crate) fn push(&mut self, tone: Tone, text: &str) {
        match self.spans.last_mut() {
            Some((last, before)) if *last == tone => before.push_str(&printable(text)),
            // An empty span would end the run of a tone, and split colour codes needlessly.
            _ if text.is_empty() => {}
            _ => self.spans.push((tone, printable(text).into_owned())),
        }
    }

    /// Returns the line with spaces added up to this column.
    pub(crate) fn pad_to(self, column: usize) -> Self {
        let missing = column.saturating_sub(self.width());
        self.with(Tone::Plain, &" ".repeat(missing))
    }

    /// Returns the line with the spans of another one added.
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.spans.extend(other.spans);
        self
    }

    /// Returns the width in columns.
    pub(crate) fn width(&self) -> usize {
        self.spans.iter().map(|(_, text)| width(text)).sum()
    }

    /// Returns the line cut to at most `max` columns, with an ellipsis if something is missing.
    pub(crate) fn clip(mut self, max: usize, ellipsis: &str) -> Self {
        if self.width() <= max {
            return self;
        }
        // The ellipsis takes its columns from the text, so the clipped line is never wider than
        // `max`.
        let mut room = max.saturating_sub(width(ellipsis));
        let mut clipped = Self::default();
        for (tone, text) in std::mem::take(&mut self.spans) {
            // Cut by columns and not by bytes, because a character may take two columns or none.
            let kept = prefix(&text, room);
            room -= width(kept);
            let all = kept.len() == text.len();
            clipped.push(tone, kept);
            if !all {
                break;
            }
        }
        clipped.with(Tone::Dim, prefix(ellipsis, max))
    }

    /// Returns the line as plain text for programs that accept commands in logs.
    pub(crate) fn without_commands(mut self) -> Self {
        let text: String = self.spans.iter().map(|(_, text)| text.as_str()).collect();
        // A command may be spread over several spans, so the whole line is tested first. Commands
        // are rare.
        if let Cow::Owned(_) = without_commands(&text) {
            let first = self
                .spans
                .iter_mut()
                .find(|(_, text)| !text.trim_start().is_empty());
            if let Some((_, first)) = first.filter(|_| text.trim_start().starts_with("::")) {
                *first = first.replacen(':', "\\x3a", 1);
            }
            let mut before = String::new();
            for (_, text) in &mut self.spans {
                // `##[` may be split between two spans. Then the bracket at the beginning of the
                // second one is escaped.
                let begins = text.starts_with('[') && before.ends_with("##");
                before.push_str(text);
                *text = text.replace("##[", "##\\x5b");
                if begins {
                    text.replace_range(..1, "\\x5b");
                }
            }
        }
        self
    }

    /// Returns the spans without trailing white space.
    pub(crate) fn into_spans(mut self) -> Vec<(Tone, String)> {
        // White space may be spread over several spans. It is invisible on a terminal, and noise
        // when logs are compared.
        while let Some((_, last)) = self.spans.last_mut() {
            last.truncate(last.trim_end_matches(' ').len());
            if !last.is_empty() {
                break;
            }
            self.spans.pop();
        }
        self.spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eliding_keeps_both_ends() {
        assert_eq!(
            elide("accepted/a_very_long_name.rs", 16, "…"),
            "accepte…_name.rs"
        );
        assert_eq!(elide("short", 16, "…"), "short");
        assert_eq!(elide("abcdef", 2, "..."), "ab");
        assert_eq!(width(&elide("\u{4e2d}\u{4e2d}\u{4e2d}\u{4e2d}", 6, "…")), 5);
    }

    #[test]
    fn names_are_cut_at_the_same_place() {
        assert_eq!(elide("wrong_answer/greedy.rs", 16, "…"), "wrong_a…reedy.rs");
        assert_eq!(
            elide("wrong_answer/longer_than_that.rs", 16, "…"),
            "wrong_a…_that.rs"
        );
        assert_eq!(elide("a/b/greedy.rs", 20, "…"), "a/b/greedy.rs");
        for max in 0..30 {
            assert!(width(&elide("wrong_answer/greedy.rs", max, "...")) <= max);
        }
    }

    #[test]
    fn wrapping_breaks_at_spaces_if_possible() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
        assert_eq!(wrap("a\nb", 8), ["a", "b"]);
        assert_eq!(
            wrap("a\n  one two\n    ^", 8),
            ["a", "  one", "  two", "    ^"]
        );
        assert_eq!(wrap("      abcdef", 4), ["  ab", "  cd", "  ef"]);
    }

    #[test]
    fn messages_are_broken_only_at_spaces() {
        let text = "error: a/long/path.yaml:2: one two\nhint: x\u{1b}\n  ::a b";
        let expected = "error:\n  a/long/path.yaml:2:\n  one two\nhint: x\\x1b\n  \\x3a:a b";
        assert_eq!(broken_lines(text, 12), expected);
        assert_eq!(broken_lines("a b\n\n    c d", 80), "a b\n\n    c d");
    }

    #[test]
    fn clipping_counts_columns_over_all_spans() {
        let line = Line::indented(2)
            .with(Tone::Bad, "abc")
            .with(Tone::Good, "defg");
        assert_eq!(line.width(), 9);
        let clipped = line.clip(7, "…");
        assert_eq!(clipped.width(), 7);
        assert_eq!(clipped.spans.last().unwrap().1, "…");
    }
}

//! Pages: finished lines for a writer.
//!
//! Responsible for the final guarantees: no line is wider than the page, and colour is used only on
//! request. Must not know what is rendered.

use console::Style;

use crate::text::cut::Cut;
use crate::text::escape::Piece;
use crate::text::line::{Line, Tone, wrap};

/// The minimum width of a page in columns. A narrower page has no room for a readable row.
const MIN_WIDTH: usize = 40;

/// The look of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The width of the terminal, or of the page without a terminal, in columns. Less than 40
    /// counts as 40.
    pub width: usize,
    /// True to use colour.
    pub color: bool,
    /// True when marks may be non-ASCII. Names and data are not affected.
    pub unicode: bool,
}

impl Default for Look {
    /// 80 columns, no colour, Unicode marks.
    fn default() -> Self {
        Self {
            width: 80,
            color: false,
            unicode: true,
        }
    }
}

/// The marks at the beginning of lines, and similar signs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glyphs {
    /// The mark of an expected result.
    pub(crate) good: &'static str,
    /// The mark of an unexpected result.
    pub(crate) bad: &'static str,
    /// The mark of a skipped submission.
    pub(crate) none: &'static str,
    /// The sign for omitted text.
    pub(crate) ellipsis: &'static str,
    /// The separator between facts of one line.
    pub(crate) dot: &'static str,
    /// The mark before the text of a program.
    pub(crate) quote: &'static str,
}

impl Glyphs {
    fn new(unicode: bool) -> Self {
        if unicode {
            Self {
                good: "✓",
                bad: "✗",
                none: "·",
                ellipsis: "…",
                dot: " · ",
                quote: "│ ",
            }
        } else {
            Self {
                good: "ok",
                bad: "!!",
                none: "--",
                ellipsis: "...",
                dot: ", ",
                quote: "| ",
            }
        }
    }

    /// Returns the mark of a result that is as expected or not, with its tone; `None` for a result
    /// that is incomplete or suspicious.
    pub(crate) fn mark(&self, good: Option<bool>) -> (&'static str, Tone) {
        match good {
            Some(true) => (self.good, Tone::Good),
            Some(false) => (self.bad, Tone::Bad),
            None => ("!", Tone::Warn),
        }
    }
}

/// Finished lines that were not yet written.
#[derive(Debug)]
pub(crate) struct Page {
    look: Look,
    pub(crate) glyphs: Glyphs,
    text: String,
    /// True once the page has a line.
    begun: bool,
}

impl Page {
    pub(crate) fn new(look: Look) -> Self {
        let look = Look {
            width: look.width.max(MIN_WIDTH),
            ..look
        };
        Self {
            look,
            glyphs: Glyphs::new(look.unicode),
            text: String::new(),
            begun: false,
        }
    }

    /// Returns the width of a line in columns.
    pub(crate) fn width(&self) -> usize {
        self.look.width
    }

    /// Takes all lines so far; the page is empty afterwards.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Adds a line, cut to the width.
    pub(crate) fn line(&mut self, line: Line) {
        self.whole_line(
            line.without_commands()
                .clip(self.look.width, self.glyphs.ellipsis),
        );
    }

    /// Adds a line that must not be cut, such as a command to copy.
    pub(crate) fn whole_line(&mut self, line: Line) {
        self.begun = true;
        for (tone, text) in line.without_commands().into_spans() {
            // Styling is forced, because the caller decides about colour, and not the stream.
            if self.look.color && tone != Tone::Plain {
                self.text
                    .push_str(&style(tone).apply_to(text).force_styling(true).to_string());
            } else {
                self.text.push_str(&text);
            }
        }
        self.text.push('\n');
    }

    /// Adds data after the start of a line, cut to the width with a mark for what is missing.
    pub(crate) fn data(&mut self, start: Line, tone: Tone, pieces: &[Piece]) {
        let room = self.width().saturating_sub(start.width());
        let cut = Cut::new(pieces, 0, 0, 0, room);
        self.line(start.join(cut.line(Line::default().with(tone, &cut.text))));
    }

    /// Adds an empty line, except at the beginning.
    pub(crate) fn blank(&mut self) {
        if self.begun {
            self.text.push('\n');
        }
    }

    /// Adds text in as many lines as it needs. Lines after the first are indented by two more
    /// columns.
    pub(crate) fn wrapped(&mut self, indent: usize, tone: Tone, text: &str) {
        self.wrapped_after(Line::indented(indent), indent + 2, tone, text);
    }

    /// Adds a label, and text in the column after it.
    pub(crate) fn labelled(&mut self, label: &str, column: usize, tone: Tone, text: &str) {
        let start = Line::indented(2).with(Tone::Strong, label).pad_to(column);
        self.wrapped_after(start, column, tone, text);
    }

    /// Adds text after the start of a line; further lines are indented by `hang`.
    pub(crate) fn wrapped_after(&mut self, start: Line, hang: usize, tone: Tone, text: &str) {
        // Wrapped to the narrower of both widths, so that one rule fits all lines.
        let taken = start.width().max(hang);
        let mut start = Some(start);
        for piece in wrap(text, self.width().saturating_sub(taken).max(8)) {
            let line = start.take().unwrap_or_else(|| Line::indented(hang));
            self.line(line.with(tone, &piece));
        }
    }
}

fn style(tone: Tone) -> Style {
    let style = Style::new();
    match tone {
        Tone::Plain => style,
        Tone::Strong => style.bold(),
        Tone::Dim => style.dim(),
        Tone::Good => style.green(),
        Tone::Bad => style.red(),
        Tone::Warn => style.yellow(),
        Tone::BadStrong => style.red().bold().reverse(),
        Tone::GoodStrong => style.green().bold().reverse(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_used_only_on_request_and_never_from_text() {
        let line = || Line::default().with(Tone::Bad, "a\u{1b}[0mb");
        let mut plain = Page::new(Look::default());
        plain.line(line());
        assert_eq!(plain.take(), "a\\x1b[0mb\n");
        let mut coloured = Page::new(Look {
            color: true,
            ..Look::default()
        });
        coloured.line(line());
        assert_eq!(coloured.take(), "\u{1b}[31ma\\x1b[0mb\u{1b}[0m\n");
    }
}

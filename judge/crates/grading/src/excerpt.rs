//! Excerpts: the parts of large data that a report shows.
//!
//! Responsible for choosing bytes and for counting omitted ones. Must not know how bytes are
//! escaped or coloured: renderers do that.

/// One line of a [`window`], without its line feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowLine<'a> {
    /// Its number in the data, from 1.
    pub number: usize,
    /// Its bytes that are shown.
    pub bytes: &'a [u8],
    /// The number of omitted bytes of the line before the shown ones.
    pub omitted_before: usize,
    /// The number of omitted bytes of the line after the shown ones.
    pub omitted_after: usize,
    /// True if a line feed ends it. Only the last line of the data may lack it.
    pub terminated: bool,
}

/// Returns the line that contains the byte at offset `at`, with up to `lines_before` and
/// `lines_after` lines around it.
///
/// A line of more than `max_line` bytes is cut: the line with the offset around the offset, other
/// lines at their end. A line feed belongs to the line that it ends. An offset at or past the end
/// means the last line; empty data has no lines. Takes time in proportion to `at` (for the line
/// number) and to the shown part, not to the whole data.
#[must_use]
pub fn window(
    bytes: &[u8],
    at: usize,
    lines_before: usize,
    lines_after: usize,
    max_line: usize,
) -> Vec<WindowLine<'_>> {
    let Some(last) = bytes.len().checked_sub(1) else {
        return Vec::new();
    };
    let at = at.min(last);
    let line_start = |before: usize| {
        bytes[..before]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |feed| feed + 1)
    };

    let at_line = line_start(at);
    // Backwards from the line: reads only the lines that are shown.
    let mut start = at_line;
    let mut above = 0;
    while above < lines_before && start > 0 {
        start = line_start(start - 1);
        above += 1;
    }

    let first_number = 1 + bytes[..start].iter().filter(|byte| **byte == b'\n').count();
    let mut lines = Vec::new();
    for number in (first_number..).take((above + 1).saturating_add(lines_after)) {
        if start == bytes.len() {
            break;
        }
        let feed = bytes[start..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map(|length| start + length);
        let line = &bytes[start..feed.unwrap_or(bytes.len())];
        // Only the line with the offset is cut around it. Other lines show their beginning, by
        // which readers recognize them.
        let focus = if start == at_line { at - start } else { 0 };
        lines.push(cut(number, line, feed.is_some(), focus, max_line));
        start = feed.map_or(bytes.len(), |feed| feed + 1);
    }
    lines
}

/// Cuts a line to `max_line` bytes so that the byte at `focus` is in the middle, unless an end of
/// the line is closer.
fn cut(
    number: usize,
    line: &[u8],
    terminated: bool,
    focus: usize,
    max_line: usize,
) -> WindowLine<'_> {
    let shown = line.len().min(max_line);
    let from = focus.saturating_sub(shown / 2).min(line.len() - shown);
    WindowLine {
        number,
        bytes: &line[from..from + shown],
        omitted_before: from,
        omitted_after: line.len() - from - shown,
        terminated,
    }
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;

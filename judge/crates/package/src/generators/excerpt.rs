//! A value of a YAML document as a separate document.
//!
//! Responsible for the keys `test_group.yaml` and `yaml` of `generators.yaml`. Must not know their
//! contents.
//!
//! The text is cut out of the file instead of being rewritten, so that quotes, styles and the
//! columns of comments are unchanged.

use crate::yaml::{Node, Value};

/// Returns the text of a mapping, list or string, as a separate file.
pub(super) fn text_of(node: &Node<'_>) -> String {
    if let Value::Text(text) = node.value() {
        return text.clone();
    }
    let Some(position) = node.position() else {
        return String::new();
    };
    let column = position.column as usize - 1;
    let mut lines = node.source().lines().skip(position.line as usize - 1);
    let Some(first) = lines
        .next()
        .and_then(|line| line.get(byte_of(line, column)..))
    else {
        return String::new();
    };
    // Inside braces and brackets indentation means nothing, so columns do not show where the value
    // ends.
    if first.starts_with(['{', '[']) {
        return flow(std::iter::once(first).chain(lines));
    }
    let before = node
        .source()
        .lines()
        .take(position.line as usize - 1)
        .collect::<Vec<_>>();
    let comments = before
        .iter()
        .rev()
        .take_while(|line| line.trim_start().starts_with('#'))
        .count();
    let mut block = Block {
        text: String::new(),
        pending: String::new(),
        scalar: None,
        ends_flow: false,
    };
    for comment in &before[before.len() - comments..] {
        block.line(comment, column);
    }
    for line in node.source().lines().skip(position.line as usize - 1) {
        if !block.line(line, column) {
            break;
        }
    }
    block.finish()
}

/// A mapping in block style, line by line. Comments keep their columns in the file around it, as in
/// files that `bt` writes; blank lines and comments after the last line belong to it, unless that
/// line ends with a bracket.
struct Block {
    text: String,
    /// Blank lines and comments since the last other line.
    pending: String,
    /// The indentation of the line that began a block scalar, while that may continue.
    scalar: Option<usize>,
    ends_flow: bool,
}

impl Block {
    /// Adds a line. Returns false for the first line after the mapping.
    fn line(&mut self, line: &str, column: usize) -> bool {
        let content = line.trim();
        let indent = line.len() - line.trim_start_matches(' ').len();
        // In a block scalar, `#` begins no comment (YAML 1.2.2, 8.1).
        let in_scalar = self.scalar.is_some_and(|outer| indent > outer);
        if content.is_empty() || content.starts_with('#') && !in_scalar {
            self.pending.push_str(line.trim_end());
            self.pending.push('\n');
            return true;
        }
        // A line that is indented less comes after the mapping.
        if indent < column {
            return false;
        }
        self.text.push_str(&std::mem::take(&mut self.pending));
        if in_scalar {
            self.text.push_str(&line[column..]);
            self.text.push('\n');
            return true;
        }
        let comment = comment_in(line);
        let code = line[column..comment.unwrap_or(line.len())].trim_end();
        self.text.push_str(code);
        if let Some(at) = comment {
            let place = line[..at].chars().count();
            let gap = place.saturating_sub(code.chars().count()).max(1);
            self.text.push_str(&" ".repeat(gap));
            self.text.push_str(line[at..].trim_end());
        }
        self.text.push('\n');
        let last = code.rsplit(' ').next().unwrap_or_default();
        self.scalar = last.starts_with(['|', '>']).then_some(indent);
        self.ends_flow = code.ends_with([']', '}']);
        true
    }

    fn finish(mut self) -> String {
        if !self.ends_flow {
            self.text.push_str(&self.pending);
        }
        self.text
    }
}

/// Returns the position where the comment of a line begins: at a `#` after a space, outside of
/// quotes.
fn comment_in(line: &str) -> Option<usize> {
    let (mut quote, mut before) = (None, ' ');
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') if matches!(before, ' ' | '[' | '{' | ',' | ':') => quote = Some(c),
            (None, '#') if before == ' ' && at > 0 => return Some(at),
            _ => {}
        }
        before = c;
    }
    None
}

fn byte_of(line: &str, column: usize) -> usize {
    line.char_indices()
        .nth(column)
        .map_or(line.len(), |(index, _)| index)
}

/// A value in braces or brackets, on one line.
fn flow<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let (mut text, mut depth, mut quote) = (String::new(), 0_usize, None);
    for line in lines {
        if !text.is_empty() {
            text.push(' ');
        }
        let mut escaped = false;
        for c in if text.is_empty() {
            line
        } else {
            line.trim_start()
        }
        .chars()
        {
            text.push(c);
            match (quote, c) {
                // Only double quotes have escapes. In single quotes a quote is written twice, which
                // closes the text and opens it again.
                (Some('"'), '\\') if !escaped => {
                    escaped = true;
                    continue;
                }
                (Some(open), c) if c == open && !escaped => quote = None,
                (None, '"' | '\'') => quote = Some(c),
                (None, '{' | '[') => depth += 1,
                (None, '}' | ']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            escaped = false;
            if depth == 0 {
                text.push('\n');
                return text;
            }
        }
    }
    text
}

//! A value of a YAML document as a document of its own.
//!
//! Responsible for `test_group.yaml` and `yaml`, which are written inside of `generators.yaml`. Must not know their keys.
//!
//! The text is cut out of the file instead of being written anew: comments, quotes and styles stay as they are.

use crate::yaml::{Node, Value};

/// The text of a mapping, list or text, as a file of its own.
pub(super) fn text_of(node: &Node<'_>) -> String {
    if let Value::Text(text) = node.value() {
        return text.clone();
    }
    let Some(position) = node.position() else { return String::new() };
    let column = position.column as usize - 1;
    let mut lines = node.source().lines().skip(position.line as usize - 1);
    let Some(first) = lines.next().and_then(|line| line.get(byte_of(line, column)..)) else { return String::new() };
    if first.starts_with(['{', '[']) {
        return flow(std::iter::once(first).chain(lines));
    }
    let mut text = format!("{first}\n");
    let mut blank = 0;
    for line in lines {
        if line.trim().is_empty() {
            blank += 1;
            continue;
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        if indent < column {
            break;
        }
        text.push_str(&"\n".repeat(std::mem::take(&mut blank)));
        text.push_str(&line[column..]);
        text.push('\n');
    }
    text
}

fn byte_of(line: &str, column: usize) -> usize {
    line.char_indices().nth(column).map_or(line.len(), |(index, _)| index)
}

/// A value in braces or brackets, on one line.
fn flow<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let (mut text, mut depth, mut quote) = (String::new(), 0_usize, None);
    for line in lines {
        if !text.is_empty() {
            text.push(' ');
        }
        let mut escaped = false;
        for c in if text.is_empty() { line } else { line.trim_start() }.chars() {
            text.push(c);
            match (quote, c) {
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

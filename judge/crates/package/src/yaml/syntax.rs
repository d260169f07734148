//! Syntax errors: the words of the parser, the line, and the likely mistake.
//!
//! Responsible for messages that a newcomer to YAML understands. Must not parse documents.

use std::path::Path;

use crate::code;
use crate::error::{Finding, Position};

/// The maximum number of characters of a line that a message quotes.
const MAX_QUOTED: usize = 80;

const QUOTES: &str =
    "put the whole value in double quotes; within single quotes an apostrophe is written twice";

/// Returns the finding about a text that is not YAML, from the parser's message and position.
pub(super) fn syntax_error(
    file: &Path,
    text: &str,
    mut message: String,
    position: Option<Position>,
) -> Finding {
    let error_at = |position, message: &str, hint: &str| {
        Finding::invalid(file, Some(position), message)
            .hint(Some(hint.to_owned()))
            .coded(code::YAML_MALFORMED)
    };
    // The library names the token that it did not expect, and not the tab before it, which is
    // the mistake (YAML 1.2.2, 6.1: tabs must not indent).
    if let Some(Position { line, .. }) = position
        && let Some(column) = tab_before_text(line_of(text, line))
    {
        let message = "not valid YAML: the line is indented with a tab";
        let hint = "indent with spaces: YAML has no tabs there";
        return error_at(Position { line, column }, message, hint);
    }
    // The library reports the end of the file. The author has to look at the opening quote.
    let open_quote = [
        "found unexpected end of stream",
        ", while scanning a quoted scalar at line ",
    ];
    if let Some(opened) = position_in(&message, open_quote) {
        let message = "not valid YAML: the quote that opens here is not closed";
        let hint = "close it; within single quotes an apostrophe is written twice";
        return error_at(opened, message, hint);
    }
    // The library reports the line after the key.
    let open_key = [
        "could not find expected ':'",
        ", while scanning a simple key at line ",
    ];
    if let Some(key) = position_in(&message, open_key) {
        let message = format!(
            "not valid YAML: expected `key: value`, found `{}`",
            quoted(line_of(text, key.line))
        );
        let hint = "a key ends with a colon, and a space comes before its value";
        return error_at(key, &message, hint);
    }
    // The position is printed before the message. Other positions, such as the beginning of an open
    // list, are kept.
    if let Some(Position { line, column }) = position {
        message = message.replacen(&format!(" at line {line} column {column}"), "", 1);
    }
    let line = position
        .map(|at| line_of(text, at.line))
        .unwrap_or_default();
    let quote = match line.trim() {
        "" => String::new(),
        _ => format!(": `{}`", quoted(line)),
    };
    let hint = position.and_then(|at| likely_mistake(&message, text, at));
    Finding::new(
        code::YAML_MALFORMED,
        file,
        format!("not valid YAML: {message}{quote}"),
    )
    .at_position(position)
    .hint(hint)
}

/// The likely mistake in a line, by the message of the library and the line itself.
fn likely_mistake(message: &str, text: &str, at: Position) -> Option<String> {
    let line = line_of(text, at.line);
    let is_in = |words: &str| message.starts_with(words);
    if is_in("mapping values are not allowed") {
        if is_below_value(text, at.line) {
            return indentation(text, at.line);
        }
        let hint =
            "put the value in double quotes: a colon and a space in it look like another key";
        return (values(line) > 1).then(|| hint.to_owned());
    }
    if is_in("did not find expected key") && has_text_after_quote(line) {
        return Some(QUOTES.to_owned());
    }
    if is_in("did not find expected key") {
        return indentation(text, at.line);
    }
    if is_in("found character that cannot start any token") {
        let first = line.chars().nth(at.column as usize - 1)?;
        return Some(format!(
            "put the value in double quotes: it cannot begin with `{first}`"
        ));
    }
    if is_in("unknown anchor") {
        let hint =
            "put the value in double quotes: `*` at its beginning refers to an anchor (`&…`)";
        return Some(hint.to_owned());
    }
    if is_in("did not find expected ','") {
        let hint = "close the bracket, or put a value that begins with a bracket in double quotes";
        return Some(hint.to_owned());
    }
    is_in("found unknown escape character").then(|| {
        "in double quotes, a backslash is written twice; in single quotes, once".to_owned()
    })
}

/// The last line before this one that is neither empty nor a comment, with its number.
fn line_before(text: &str, line: u32) -> Option<(u32, &str)> {
    let is_text = |line: &str| !line.is_empty() && !line.starts_with('#');
    (1..line)
        .rev()
        .map(|number| (number, line_of(text, number)))
        .find(|(_, before)| is_text(before.trim()))
}

/// The white space at the beginning of a line, in bytes.
fn width(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// True for a line that is indented more than a key before it that already has a value.
fn is_below_value(text: &str, line: u32) -> bool {
    line_before(text, line).is_some_and(|(_, before)| {
        // The keys of a list item are indented like its first one.
        let key = before.trim_start_matches(['-', ' ']);
        values(before) > 0 && width(line_of(text, line)) > before.len() - key.len()
    })
}

/// The number of keys in a line that have a value there, outside of quotes, brackets and comments.
fn values(line: &str) -> usize {
    let (mut found, mut depth, mut quote, mut last) = (0, 0usize, None, None);
    for (at, c) in line.char_indices() {
        // Elsewhere, a quote or a bracket is part of a text without quotes.
        let begins = last.is_none_or(|last| {
            matches!(last, ':' | '-') || depth > 0 && matches!(last, ',' | '[' | '{')
        });
        match (quote, c) {
            (Some(open), _) => quote = quote.filter(|_| c != open),
            (None, '#') if line[..at].trim_end().len() < at || at == 0 => break,
            (None, '"' | '\'') if begins => quote = Some(c),
            (None, '[' | '{') if begins => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ':') if depth == 0 => {
                let value = line[at + 1..]
                    .strip_prefix(' ')
                    .unwrap_or_default()
                    .trim_start();
                // The value of an anchor, a tag or a block may be below the key.
                found +=
                    usize::from(!value.is_empty() && !value.starts_with(['#', '&', '!', '|', '>']));
            }
            _ => {}
        }
        if !c.is_whitespace() {
            last = Some(c);
        }
    }
    found
}

/// The hint to indent a line like the one before it.
fn indentation(text: &str, line: u32) -> Option<String> {
    let (number, before) = line_before(text, line)?;
    let line = line_of(text, line);
    let (before, own) = (width(before), width(line));
    if before == own {
        let hint = "a list item (`- …`) cannot be next to a key: put items below the key to which they belong";
        return line.trim_start().starts_with("- ").then(|| hint.to_owned());
    }
    Some(format!(
        "indent the keys of a mapping equally: line {number} begins with {before} spaces, this line with {own}"
    ))
}

/// True for a line in which a value begins with a quote and continues after its end.
fn has_text_after_quote(line: &str) -> bool {
    let value = line.split_once(": ").map_or(line, |(_, value)| value);
    let value = value.trim();
    let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
        return false;
    };
    let mut parts = value[1..].splitn(2, quote);
    parts.nth(1).is_some_and(|rest| !rest.trim().is_empty())
}

fn line_of(text: &str, line: u32) -> &str {
    text.lines().nth(line as usize - 1).unwrap_or_default()
}

/// A line as messages quote it.
fn quoted(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The position that the library prints after the second of these words.
fn position_in(message: &str, words: [&str; 2]) -> Option<Position> {
    // Between both parts of a message, the library may print another position.
    let (_, place) = message.strip_prefix(words[0])?.split_once(words[1])?;
    let (line, column) = place.split_once(" column ")?;
    Some(Position {
        line: line.parse().ok()?,
        column: column.parse().ok()?,
    })
}

/// The column of the first tab in the white space at the beginning of a line.
fn tab_before_text(line: &str) -> Option<u32> {
    let spaces = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    spaces
        .zip(1..)
        .find(|(c, _)| *c == '\t')
        .map(|(_, column)| column)
}

//! Columns of tables: how they are aligned, and which have lines beside them.
//!
//! Must not know how cells are read.

use std::collections::BTreeMap;

/// More columns than a table has.
const MOST: usize = 100;

/// A column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) align: Align,
    /// Lines to its left and right.
    pub(super) lines: [bool; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Align {
    #[default]
    Left,
    Center,
    Right,
}

impl Column {
    /// The attribute of its cells.
    pub(super) fn class(self) -> String {
        let mut classes = Vec::new();
        match self.align {
            Align::Left => {}
            Align::Center => classes.push("c"),
            Align::Right => classes.push("r"),
        }
        if self.lines[0] {
            classes.push("ll");
        }
        if self.lines[1] {
            classes.push("lr");
        }
        if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) }
    }
}

/// The columns that a table's argument describes; `types` are those that the author has defined, as they are written.
pub(super) fn columns(description: &str, types: &BTreeMap<char, String>) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut align = None;
    let mut line = false;
    let mut rest = repeated(description);
    while let Some(c) = rest.chars().next() {
        rest = rest[c.len_utf8()..].to_owned();
        let of_type = types.get(&c).map(|text| alignment(text).unwrap_or_default());
        let found = match c {
            '|' => {
                match columns.last_mut() {
                    Some(last) => last.lines[1] = true,
                    None => line = true,
                }
                continue;
            }
            '>' => {
                align = alignment(&argument(&mut rest));
                continue;
            }
            '<' | '@' | '!' => {
                argument(&mut rest);
                continue;
            }
            _ if of_type.is_some() => of_type.unwrap_or_default(),
            'c' => Align::Center,
            'r' | 'S' => Align::Right,
            'l' | 'X' | 'p' | 'm' | 'b' | 'L' | 'J' => Align::Left,
            'C' => Align::Center,
            'R' => Align::Right,
            _ => continue,
        };
        // Widths.
        while rest.starts_with(['{', '[']) {
            argument(&mut rest);
        }
        if columns.len() < MOST {
            columns.push(Column { align: align.take().unwrap_or(found), lines: [std::mem::take(&mut line), false] });
        }
    }
    columns
}

/// The alignment that the text of a declaration has.
fn alignment(text: &str) -> Option<Align> {
    if text.contains("\\centering") {
        return Some(Align::Center);
    }
    text.contains("\\raggedleft").then_some(Align::Right)
}

/// Takes an argument in braces or brackets off the front.
fn argument(rest: &mut String) -> String {
    let text = rest.trim_start();
    let close = match text.chars().next() {
        Some('{') => '}',
        Some('[') => ']',
        _ => return String::new(),
    };
    let mut depth = 0_usize;
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && c == close {
                    end = at + 1;
                    break;
                }
            }
            _ => {}
        }
    }
    let inner = text[1..].get(..end.saturating_sub(2)).unwrap_or_default().to_owned();
    *rest = text[end..].to_owned();
    inner
}

/// The description with `*{3}{c|}` written out.
fn repeated(description: &str) -> String {
    let mut written = String::new();
    let mut rest = description.to_owned();
    let mut depth = 0_usize;
    while let Some(c) = rest.chars().next() {
        rest = rest[c.len_utf8()..].to_owned();
        match c {
            '*' if depth == 0 => {
                let times = argument(&mut rest).trim().parse::<usize>().unwrap_or(1).min(MOST);
                let part = argument(&mut rest);
                (0..times).for_each(|_| written.push_str(&part));
            }
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c != '*' || depth > 0 {
            written.push(c);
        }
        if written.len() > 4000 {
            break;
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(description: &str) -> String {
        let types = BTreeMap::from([('Q', ">{\\centering\\arraybackslash}X".to_owned())]);
        columns(description, &types).into_iter().map(|column| column.class() + ";").collect()
    }

    #[test]
    fn descriptions_are_read() {
        assert_eq!(classes("lcr"), "; class=\"c\"; class=\"r\";");
        assert_eq!(classes("|l|r|"), " class=\"ll lr\"; class=\"r lr\";");
        assert_eq!(classes("*{2}{c|} p{3cm}"), " class=\"c lr\"; class=\"c lr\";;");
        assert_eq!(classes(">{\\raggedleft}p{1cm} @{ l } Q Q"), " class=\"r\"; class=\"c\"; class=\"c\";");
        assert!(classes("*{9999999}{*{999}{c}}").matches(';').count() <= MOST);
        assert_eq!(classes("é{"), "");
    }
}

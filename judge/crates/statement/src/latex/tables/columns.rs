//! Columns of tables: how they are aligned, and which have lines beside them.
//!
//! Must not know how cells are read.

use std::collections::BTreeMap;

/// More columns than a table has.
const MOST: usize = 100;
/// Longer descriptions are left as they are.
const MOST_LENGTH: usize = 4000;

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) align: Align,
    /// Lines to its left and right.
    pub(super) lines: [bool; 2],
    /// What each of its cells begins and ends with, as it is written.
    pub(super) around: [String; 2],
    /// True where `@` stands to its left and right, which leaves no room there.
    joined: [bool; 2],
}

/// The columns that a description comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) columns: Vec<Column>,
    /// Types of columns that are not known.
    pub(super) unknown: Vec<char>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Align {
    #[default]
    Left,
    Center,
    Right,
}

impl Column {
    #[cfg(test)]
    pub(super) fn with_texts(before: &str, after: &str) -> Self {
        Self { around: [before.into(), after.into()], ..Self::default() }
    }

    pub(super) fn has_text(&self) -> bool {
        self.around.iter().any(|text| !text.is_empty())
    }

    /// The attribute of its cells.
    pub(super) fn class(&self) -> String {
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
        if self.joined[0] {
            classes.push("jl");
        }
        if self.joined[1] {
            classes.push("jr");
        }
        if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) }
    }
}

/// The columns that a table's argument describes; `types` are those that the author has defined, as they are written.
pub(super) fn columns(description: &str, types: &BTreeMap<char, String>) -> Columns {
    let mut scan = Description { rest: repeated(&with_types(description, types)), ..Description::default() };
    while let Some(c) = scan.rest.chars().next() {
        scan.rest = scan.rest[c.len_utf8()..].to_owned();
        match c {
            '|' | ':' => match scan.found.columns.last_mut() {
                Some(last) => last.lines[1] = true,
                None => scan.next.lines[0] = true,
            },
            '>' | '<' | '@' | '!' => scan.text(c),
            'p' | 'm' | 'b' => scan.column(c, 1),
            'w' | 'W' => scan.column(c, 2),
            'D' => scan.column(c, 3),
            'c' | 'r' | 'S' | 's' | 'l' | 'X' | 'L' | 'J' | 'C' | 'R' => scan.column(c, 0),
            '{' | '[' => {
                scan.rest.insert(0, c);
                argument(&mut scan.rest);
            }
            c if c.is_whitespace() || "}]~\\".contains(c) => {}
            c => {
                scan.found.unknown.push(c);
                scan.column(c, 0);
            }
        }
    }
    scan.found
}

/// A description that is being read.
#[derive(Default)]
struct Description {
    rest: String,
    found: Columns,
    /// The next column, as far as it is known.
    next: Column,
    align: Option<Align>,
}

impl Description {
    /// A text of columns.
    fn text(&mut self, sign: char) {
        let argument = argument(&mut self.rest);
        let written = said(&argument);
        let last = self.found.columns.last_mut();
        match (sign, last) {
            ('>', _) => {
                self.align = alignment(&argument).or(self.align);
                // What comes last in the description comes first.
                self.next.around[0].insert_str(0, &written);
            }
            ('<', Some(last)) => last.around[1].insert_str(0, &written),
            ('@' | '!', last) => {
                let is_joined = sign == '@' && !written.is_empty();
                self.next.joined[0] = is_joined;
                match last {
                    Some(last) => {
                        last.around[1].push_str(&written);
                        last.joined[1] = is_joined;
                    }
                    None => self.next.around[0].insert_str(0, &written),
                }
            }
            _ => {}
        }
    }

    /// A column of a type with that many arguments.
    fn column(&mut self, c: char, arguments: usize) {
        let first = if arguments > 0 { argument(&mut self.rest) } else { String::new() };
        (1..arguments).for_each(|_| drop(argument(&mut self.rest)));
        // Widths, and settings of numbers.
        while self.rest.starts_with(['{', '[']) {
            argument(&mut self.rest);
        }
        let plain = match (c, first.trim()) {
            ('c' | 'C', _) | ('w' | 'W', "c") => Align::Center,
            ('r' | 'S' | 's' | 'R' | 'D', _) | ('w' | 'W', "r") => Align::Right,
            _ => Align::Left,
        };
        self.next.align = self.align.take().unwrap_or(plain);
        let column = std::mem::take(&mut self.next);
        if self.found.columns.len() < MOST {
            self.found.columns.push(column);
        }
    }
}

/// The description with the author's own types written out.
fn with_types(description: &str, types: &BTreeMap<char, String>) -> String {
    let mut written = String::new();
    let mut depth = 0_usize;
    for c in description.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match types.get(&c).filter(|_| depth == 0 && written.len() < MOST_LENGTH) {
            Some(own) => written.push_str(own),
            None => written.push(c),
        }
    }
    written
}

/// The part of a declaration that a page shows: all but alignment and lengths.
fn said(written: &str) -> String {
    // A line, however wide.
    if written.trim_start().starts_with("\\vrule") {
        return String::new();
    }
    let mut said = written.to_owned();
    for name in ["\\centering", "\\raggedright", "\\raggedleft", "\\arraybackslash", "\\vline", "\\hskip", "\\hfill"] {
        while let Some(at) = said.find(name) {
            said.replace_range(at..at + name.len(), "");
        }
    }
    for name in ["\\hspace*", "\\hspace", "\\extracolsep", "\\columncolor", "\\color"] {
        while let Some(at) = said.find(name) {
            let mut rest = said[at + name.len()..].to_owned();
            while rest.trim_start().starts_with(['{', '[']) {
                argument(&mut rest);
            }
            said.truncate(at);
            said.push_str(&rest);
        }
    }
    if said.trim().is_empty() { String::new() } else { said }
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
        if written.len() > MOST_LENGTH {
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
        columns(description, &types).columns.into_iter().map(|column| column.class() + ";").collect()
    }

    #[test]
    fn descriptions_are_read() {
        assert_eq!(classes("lcr"), "; class=\"c\"; class=\"r\";");
        assert_eq!(classes("|l|r|"), " class=\"ll lr\"; class=\"r lr\";");
        assert_eq!(classes("*{2}{c|} p{3cm}"), " class=\"c lr\"; class=\"c lr\";;");
        assert_eq!(classes(">{\\raggedleft}p{1cm} @{} l Q"), " class=\"r\";; class=\"c\";");
        assert!(classes("*{9999999}{*{999}{c}}").matches(';').count() <= MOST);
        assert_eq!(columns("é{", &BTreeMap::new()).unknown, ['é']);
        assert_eq!(classes("w{c}{1cm} D{.}{,}{2} S[a=l]"), " class=\"c\"; class=\"r\"; class=\"r\";");
    }

    #[test]
    fn texts_of_columns_are_kept() {
        let around = |description: &str| -> Vec<[String; 2]> {
            let types = BTreeMap::from([('M', ">{$}c<{$}".to_owned())]);
            columns(description, &types).columns.into_iter().map(|column| column.around).collect()
        };
        let of = |pairs: &[[&str; 2]]| pairs.iter().map(|pair| pair.map(str::to_owned)).collect::<Vec<_>>();
        assert_eq!(around("r@{.}l"), of(&[["", "."], ["", ""]]));
        assert_eq!(around(">{$}c<{$} M !{--} l"), of(&[["$", "$"], ["$", "$--"], ["", ""]]));
        assert_eq!(around("@{a}l@{}"), of(&[["a", ""]]));
        assert_eq!(
            around(">{\\bfseries\\centering\\arraybackslash}p{3cm} @{\\hspace{2mm}} !{\\vrule width 1pt} r"),
            of(&[["\\bfseries", ""], ["", ""]])
        );
        assert_eq!(classes("r@{.}l"), " class=\"r jr\"; class=\"jl\";");
    }

    #[test]
    fn whatever_the_description_is_it_is_read() {
        use proptest::prelude::*;
        proptest!(|(description in "[lcrpX|@!<>{}\\[\\]*3$Qé ]{0,40}")| {
            let types = BTreeMap::from([('Q', "QQ".to_owned()), ('X', ">{X}l".to_owned())]);
            prop_assert!(columns(&description, &types).columns.len() <= MOST);
        });
    }
}

//! The characters of a statement in LaTeX, with macros in place.
//!
//! Responsible for comments, arguments, lines, and for that macros end. Must not know what a command means.

use std::collections::BTreeMap;

/// The most macros that are put in place in one statement.
const MOST_EXPANSIONS: usize = 20_000;
/// The most bytes that macros come to, all together.
const MOST_EXPANDED: usize = 1 << 20;

/// A macro: the number of its arguments, the default of the first, its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Macro {
    pub(super) arguments: usize,
    pub(super) default: Option<String>,
    pub(super) text: String,
}

/// A reader: the text, and on top of it the texts of macros that are being read.
pub(super) struct Reader {
    inputs: Vec<(Vec<char>, usize)>,
    /// The line of the text that is being read.
    pub(super) line: usize,
    /// True when the name of the last command had a star behind it.
    pub(super) is_starred: bool,
    pub(super) macros: BTreeMap<String, Macro>,
    /// Types of columns that the author has defined, as they are written.
    pub(super) column_types: BTreeMap<char, String>,
    expansions: usize,
    expanded: usize,
}

impl Reader {
    pub(super) fn new(text: &str) -> Self {
        let inputs = vec![(text.chars().collect(), 0)];
        Self {
            inputs,
            line: 1,
            is_starred: false,
            macros: BTreeMap::new(),
            column_types: BTreeMap::new(),
            expansions: 0,
            expanded: 0,
        }
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        while self.inputs.len() > 1 && self.inputs.last().is_some_and(|(text, at)| *at >= text.len()) {
            self.inputs.pop();
        }
        let (text, at) = self.inputs.last()?;
        text.get(*at).copied()
    }

    /// The next character as it is, `%` too.
    pub(super) fn raw(&mut self) -> Option<char> {
        let next = self.peek()?;
        if self.inputs.len() == 1 && next == '\n' {
            self.line += 1;
        }
        if let Some((_, at)) = self.inputs.last_mut() {
            *at += 1;
        }
        Some(next)
    }

    /// The next character that is not in a comment.
    pub(super) fn next(&mut self) -> Option<char> {
        while self.peek() == Some('%') {
            while self.raw().is_some_and(|c| c != '\n') {}
            while matches!(self.peek(), Some(' ' | '\t')) {
                self.raw();
            }
        }
        self.raw()
    }

    pub(super) fn unread(&mut self, text: &str) {
        self.inputs.push((text.chars().collect(), 0));
    }

    /// The name of a command, after its backslash; the blanks after a name of letters belong to it.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        self.is_starred = false;
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphabetic() || *c == '@' && !name.is_empty()) {
            name.push(c);
            self.raw();
        }
        if name.is_empty() {
            name.extend(self.raw());
            return name;
        }
        self.is_starred = self.takes('*');
        self.blanks();
        name
    }

    /// Skips blanks, and one line end among them: an empty line ends a paragraph.
    pub(super) fn blanks(&mut self) {
        let mut lines = 0;
        while let Some(c) = self.peek().filter(|c| c.is_whitespace()) {
            if c == '\n' && lines == 1 {
                return self.unread("\n");
            }
            lines += usize::from(c == '\n');
            self.raw();
        }
    }

    pub(super) fn takes(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.raw();
        }
        is_there
    }

    /// The argument of a command, without its braces.
    pub(super) fn argument(&mut self) -> String {
        self.blanks();
        match self.next() {
            Some('{') => self.balanced('}'),
            Some('\\') => format!("\\{}", self.name()),
            Some(c) => c.to_string(),
            None => String::new(),
        }
    }

    /// The argument in brackets, if there is one.
    pub(super) fn option(&mut self) -> Option<String> {
        self.takes('[').then(|| self.balanced(']'))
    }

    /// Skips layers of a slide, such as `<2->` or `<+-| alert@2>`.
    pub(super) fn skip_layers(&mut self) {
        if !self.takes('<') {
            return;
        }
        let mut layers = "<".to_owned();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || "+-,.|@:() ".contains(*c)) {
            layers.push(c);
            self.raw();
        }
        if self.takes('>') {
            self.blanks();
        } else {
            self.unread(&layers);
        }
    }

    /// The text up to the end of what was opened.
    fn balanced(&mut self, end: char) -> String {
        let mut text = String::new();
        let mut depth = 0_usize;
        while let Some(c) = self.next() {
            match c {
                _ if c == end && depth == 0 => break,
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                '\\' => {
                    text.push(c);
                    text.extend(self.raw());
                    continue;
                }
                _ => {}
            }
            text.push(c);
        }
        text
    }

    /// The text up to a word, which is read too; everything where it does not come.
    pub(super) fn until(&mut self, word: &str) -> String {
        let mut text = String::new();
        while let Some(c) = self.raw() {
            text.push(c);
            if text.ends_with(word) {
                text.truncate(text.len() - word.len());
                break;
            }
        }
        text
    }

    /// Puts a macro in place. False when there is none of that name, or when there were too many.
    pub(super) fn expand(&mut self, name: &str) -> bool {
        let Some(known) = self.macros.get(name).cloned() else { return false };
        self.expansions += 1;
        if self.expansions > MOST_EXPANSIONS || self.expanded > MOST_EXPANDED {
            return false;
        }
        let mut arguments = Vec::new();
        if let Some(default) = known.default {
            arguments.push(self.option().unwrap_or(default));
        }
        while arguments.len() < known.arguments {
            arguments.push(self.argument());
        }
        let mut text = String::new();
        let mut rest = known.text.chars().peekable();
        while let Some(c) = rest.next() {
            let digit = if c == '#' { rest.peek().and_then(|digit| digit.to_digit(10)) } else { None };
            match digit {
                Some(digit) => {
                    rest.next();
                    text.push_str(arguments.get((digit as usize).wrapping_sub(1)).map_or("", |text| text));
                }
                None => text.push(c),
            }
            if text.len() > MOST_EXPANDED {
                return false;
            }
        }
        self.expanded += text.len();
        self.unread(&text);
        true
    }

    /// Reads a definition, after `\newcommand` and its like, or after `\def`.
    pub(super) fn define(&mut self, is_plain: bool) {
        let name = self.argument();
        let name = name.trim().trim_start_matches('\\').to_owned();
        let mut arguments = 0;
        let mut default = None;
        if is_plain {
            while let Some(c) = self.peek().filter(|c| *c != '{') {
                arguments += usize::from(c == '#');
                self.raw();
            }
        } else {
            arguments = self.option().and_then(|count| count.trim().parse().ok()).unwrap_or(0).min(9);
            default = self.option();
        }
        let text = self.argument();
        self.macros.insert(name, Macro { arguments, default, text });
    }

    /// Reads the definition of an environment: what it begins and ends with.
    pub(super) fn define_environment(&mut self) {
        let name = self.argument().trim().to_owned();
        let arguments = self.option().and_then(|count| count.trim().parse().ok()).unwrap_or(0).min(9);
        let default = self.option();
        let text = self.argument();
        self.macros.insert(begin_of(&name), Macro { arguments, default, text });
        let text = self.argument();
        self.macros.insert(end_of(&name), Macro { arguments: 0, default: None, text });
    }

    /// Reads the definition of a type of column.
    pub(super) fn define_column(&mut self) {
        let name = self.argument();
        self.option();
        let text = self.argument();
        if let Some(name) = name.trim().chars().next() {
            self.column_types.insert(name, text);
        }
    }

    /// Skips a branch of a condition; true when it ended with `\else`.
    pub(super) fn skip_branch(&mut self) -> bool {
        let mut depth = 0_usize;
        while let Some(c) = self.next() {
            if c != '\\' {
                continue;
            }
            let name = self.name();
            match name.as_str() {
                "fi" if depth == 0 => return false,
                "else" if depth == 0 => return true,
                "fi" => depth -= 1,
                _ if name.starts_with("if") => depth += 1,
                _ => {}
            }
        }
        false
    }
}

/// The names under which an environment's own texts are kept; no command has a blank in its name.
pub(super) fn begin_of(environment: &str) -> String {
    format!("begin {environment}")
}

pub(super) fn end_of(environment: &str) -> String {
    format!("end {environment}")
}

/// A formula with macros in place.
pub(super) fn formula(reader: &mut Reader, tex: &str) -> String {
    if reader.macros.is_empty() {
        return tex.to_owned();
    }
    let mut inner = Reader::new(tex);
    std::mem::swap(&mut inner.macros, &mut reader.macros);
    (inner.expansions, inner.expanded) = (reader.expansions, reader.expanded);
    let mut text = String::new();
    while let Some(c) = inner.raw() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        let mut name = String::new();
        while let Some(c) = inner.peek().filter(char::is_ascii_alphabetic) {
            name.push(c);
            inner.raw();
        }
        if name.is_empty() {
            name.extend(inner.raw());
            text.push('\\');
            text.push_str(&name);
        } else if !inner.expand(&name) {
            text.push('\\');
            text.push_str(&name);
        }
    }
    std::mem::swap(&mut inner.macros, &mut reader.macros);
    (reader.expansions, reader.expanded) = (inner.expansions, inner.expanded);
    text
}

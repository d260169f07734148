//! The characters of a statement in LaTeX, with macros expanded.
//!
//! Responsible for comments, arguments and line numbers. Text without an end, such as an
//! argument without its brace, is not read: the reader returns to its beginning, so that no
//! text is lost, and remarks it. Must not know the meaning of a command.

use std::collections::BTreeMap;

/// The maximum number of bytes that are read again because their end was missing. It bounds the
/// time for hostile text.
const MAX_REREAD: usize = 4 << 20;
/// Beyond that number, the maximum length of text with an end, in bytes.
const MAX_LENGTH_THEN: usize = 200;
/// The maximum number of remarks.
const MAX_REMARKS: usize = 1000;
/// The maximum length of a formula, in bytes.
const MAX_FORMULA: usize = 20_000;

pub(super) type Macros = BTreeMap<String, Macro>;

/// A macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Macro {
    /// The number of its arguments, with the optional one.
    pub(super) arguments: usize,
    /// The value of the first argument when it is omitted.
    pub(super) default: Option<String>,
    /// The text, with `#1`, `#2`, … for the arguments.
    pub(super) text: String,
    /// True for a definition of the prelude: it skips all options, and formulas do not use it.
    pub(super) is_predefined: bool,
}

/// A reader: the text, and on top of it the texts of macros that are being read.
pub(super) struct Reader {
    inputs: Vec<(Vec<char>, usize)>,
    /// The line of the text that is being read.
    pub(super) line: usize,
    /// True when the name of the last command had a star behind it.
    pub(super) is_starred: bool,
    pub(super) macros: Macros,
    pub(super) expansions: usize,
    pub(super) expanded: usize,
    /// Findings, each with its line and as a sentence.
    pub(super) remarks: Vec<(usize, String)>,
    /// The last command of letters.
    command: String,
    reread: usize,
}

/// A place to return to.
struct Mark {
    inputs: usize,
    at: usize,
    line: usize,
}

impl Reader {
    pub(super) fn new(text: &str) -> Self {
        let text: Vec<char> = text
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .chars()
            .collect();
        Self {
            inputs: vec![(text, 0)],
            line: 1,
            is_starred: false,
            macros: Macros::new(),
            expansions: 0,
            expanded: 0,
            remarks: Vec::new(),
            command: String::new(),
            reread: 0,
        }
    }

    /// The next character, which is not read yet.
    pub(super) fn peek(&mut self) -> Option<char> {
        // A macro ends where its text does. The bottom input stays, because its position is the
        // place in the statement.
        while self.inputs.len() > 1
            && self
                .inputs
                .last()
                .is_some_and(|(text, at)| *at >= text.len())
        {
            self.inputs.pop();
        }
        let (text, at) = self.inputs.last()?;
        text.get(*at).copied()
    }

    /// Reads the next character, also one of a comment.
    pub(super) fn raw(&mut self) -> Option<char> {
        let next = self.peek()?;
        // Line ends of a macro are not those of the text.
        if self.inputs.len() == 1 && next == '\n' {
            self.line += 1;
        }
        if let Some((_, at)) = self.inputs.last_mut() {
            *at += 1;
        }
        Some(next)
    }

    /// Reads the next character that is not in a comment.
    pub(super) fn next(&mut self) -> Option<char> {
        while self.peek() == Some('%') {
            while self.raw().is_some_and(|c| c != '\n') {}
            // TeX skips the blanks at the beginning of the line after a comment.
            while matches!(self.peek(), Some(' ' | '\t')) {
                self.raw();
            }
        }
        self.raw()
    }

    /// Puts text in front of the characters that are still to be read.
    pub(super) fn unread(&mut self, text: &str) {
        self.inputs.push((text.chars().collect(), 0));
    }

    fn mark(&mut self) -> Mark {
        self.peek();
        // `peek` has removed macros that are read to their end, so the place is in the input
        // that the next character comes from.
        Mark {
            inputs: self.inputs.len(),
            at: self.inputs.last().map_or(0, |(_, at)| *at),
            line: self.line,
        }
    }

    /// Returns to a place, behind which that text was read.
    fn return_to(&mut self, mark: &Mark, read: &str) {
        // Text that is read again and again, such as behind each of many open braces, would
        // take quadratic time.
        self.reread += read.len();
        if mark.inputs == 1 {
            // Macros that were opened behind the place.
            self.inputs.truncate(1);
        }
        match self.inputs.last_mut() {
            Some((_, at)) if mark.inputs == 1 => (*at, self.line) = (mark.at, mark.line),
            // Inside of a macro, the input of the place may be gone.
            _ => self.unread(read),
        }
    }

    /// The maximum length of text that is searched for its end, in bytes.
    fn max_length(&self) -> usize {
        if self.reread > MAX_REREAD {
            MAX_LENGTH_THEN
        } else {
            usize::MAX
        }
    }

    /// Notes a finding.
    pub(super) fn remark(&mut self, line: usize, what: String) {
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push((line, what));
        }
    }

    /// Reads the name of a command, after its backslash, and the blanks after a name of
    /// letters.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        self.is_starred = false;
        // `@` is a letter in names of packages' own, and a delimiter behind `\verb`.
        let is_letter = |c: char, name: &str| {
            c.is_ascii_alphabetic() || c == '@' && !matches!(name, "" | "verb" | "lstinline")
        };
        while let Some(c) = self.peek().filter(|c| is_letter(*c, &name)) {
            name.push(c);
            self.raw();
        }
        if name.is_empty() {
            // A sign such as `\%` is a name of one character, behind which blanks count.
            name.extend(self.raw());
            return name;
        }
        self.command.clone_from(&name);
        self.is_starred = self.takes('*');
        self.blanks();
        name
    }

    /// Skips blanks, and one line end among them: an empty line ends a paragraph.
    pub(super) fn blanks(&mut self) {
        let mut lines = 0;
        while let Some(c) = self.peek().filter(|c| c.is_whitespace()) {
            // The second line end is put back: together with the first one it makes the empty
            // line that ends a paragraph.
            if c == '\n' && lines == 1 {
                return self.unread("\n");
            }
            lines += usize::from(c == '\n');
            self.raw();
        }
    }

    /// Reads the next character if it is that one.
    pub(super) fn takes(&mut self, expected: char) -> bool {
        let is_there = self.peek() == Some(expected);
        if is_there {
            self.raw();
        }
        is_there
    }

    /// Reads the argument of a command, without its braces. If the closing brace is missing:
    /// nothing, with a remark.
    pub(super) fn argument(&mut self) -> String {
        let line = self.line;
        self.blanks();
        match self.next() {
            Some('{') => self.balanced('}', false).unwrap_or_else(|| {
                self.remark(
                    line,
                    format!("no brace closes the `{{` behind `\\{}`", self.command),
                );
                String::new()
            }),
            Some('\\') => {
                let name = self.name();
                // A star is part of the command, and not of the argument.
                if std::mem::take(&mut self.is_starred) {
                    self.unread("*");
                }
                format!("\\{name}")
            }
            Some(c) => c.to_string(),
            None => String::new(),
        }
    }

    /// Reads an argument in which every character stands for itself, also `%`, such as that of
    /// `\url`.
    pub(super) fn verbatim_argument(&mut self) -> String {
        let line = self.line;
        self.blanks();
        let text = match self.peek() {
            Some('{') => {
                self.raw();
                self.balanced('}', true)
            }
            // Any other character is a delimiter, such as that of `\verb`.
            Some(c) if !c.is_whitespace() && c != '\\' => {
                self.raw();
                self.up_to(&c.to_string(), true)
            }
            _ => Some(String::new()),
        };
        text.unwrap_or_else(|| {
            self.remark(
                line,
                format!("nothing ends the text behind `\\{}`", self.command),
            );
            String::new()
        })
    }

    /// Reads the argument in brackets, if there is one.
    pub(super) fn option(&mut self) -> Option<String> {
        if self.peek() != Some('[') {
            return None;
        }
        let line = self.line;
        self.raw();
        // Braces hide a bracket in TeX: `[{]}]` is one option, and `balanced` counts them.
        let option = self.balanced(']', false);
        if option.is_none() {
            self.unread("[");
            self.remark(
                line,
                format!("no bracket closes the `[` behind `\\{}`", self.command),
            );
        }
        option
    }

    /// Skips arguments in brackets, and one in parentheses, such as that of `\cmidrule`.
    pub(super) fn skip_options(&mut self) {
        while self.option().is_some() {}
        if self.peek() == Some('(') {
            self.raw();
            self.balanced(')', false);
        }
    }

    /// Reads up to the end of a group; `None`, and nothing read, if the end is missing.
    fn balanced(&mut self, end: char, is_verbatim: bool) -> Option<String> {
        let mark = self.mark();
        let max_length = self.max_length();
        let mut text = String::new();
        let mut depth = 0_usize;
        while let Some(c) = if is_verbatim { self.raw() } else { self.next() } {
            match c {
                _ if c == end && depth == 0 => return Some(text),
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
            if text.len() > max_length {
                break;
            }
        }
        self.return_to(&mark, &text);
        None
    }

    /// Reads up to a word, on the same line if `in_line`; the word is read too. `None`, and
    /// nothing read, if it is missing.
    pub(super) fn up_to(&mut self, word: &str, in_line: bool) -> Option<String> {
        let mark = self.mark();
        let max_length = self.max_length();
        let mut text = String::new();
        while let Some(c) = self.raw() {
            text.push(c);
            if text.ends_with(word) {
                text.truncate(text.len() - word.len());
                return Some(text);
            }
            if in_line && c == '\n' || text.len() > max_length {
                break;
            }
        }
        self.return_to(&mark, &text);
        None
    }

    /// Reads a formula up to its end, such as `$`, `\]` or `\end{align}`, which is read too;
    /// `None`, and nothing read, if the end is missing. Between dollars no empty line may
    /// stand.
    pub(super) fn formula(&mut self, end: &str) -> Option<String> {
        let mark = self.mark();
        let max_length = self.max_length().min(MAX_FORMULA);
        let is_dollar = end.starts_with('$');
        let mut tex = String::new();
        let mut depth = 0_usize;
        let mut is_blank_line = false;
        while let Some(c) = self.next() {
            tex.push(c);
            // A backslash takes the next character along, so that `\\]` and `\$` end no
            // formula.
            if c == '\\' {
                tex.extend(self.raw());
            }
            let is_end = match c {
                // A dollar within braces belongs to a text in the formula, such as `\text{for
                // $n$}`.
                '$' => is_dollar && depth == 0 && (end == "$" || self.takes('$')),
                '\\' | '}' => !is_dollar && tex.ends_with(end),
                _ => false,
            };
            if is_end {
                let length = if is_dollar { 1 } else { end.len() };
                tex.truncate(tex.len() - length);
                return Some(tex);
            }
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                // TeX reports a paragraph that ends in a formula; the dollar was meant as
                // money, or the closing one is missing.
                '\n' if is_dollar && is_blank_line => break,
                _ => {}
            }
            is_blank_line = c == '\n' || is_blank_line && c.is_whitespace();
            if tex.len() > max_length {
                break;
            }
        }
        self.return_to(&mark, &tex);
        None
    }

    /// Reads letters: the name of a command that is not a single sign.
    pub(super) fn letters(&mut self) -> String {
        let mut letters = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphabetic) {
            letters.push(c);
            self.raw();
        }
        letters
    }
}

//! The characters of a statement in LaTeX, with macros expanded.
//!
//! Responsible for comments, arguments and line numbers. An unclosed construct, such as an argument
//! without its closing brace, is not read: the reader returns to its beginning, so that no text is
//! lost, and adds a remark. Must not know the meaning of a command.

use std::collections::BTreeMap;

/// The maximum number of bytes that are read again because of unclosed constructs. It bounds the
/// time for malicious text.
const MAX_REREAD: usize = 4 << 20;
/// The maximum length of a construct beyond that number, in bytes.
const MAX_LENGTH_THEN: usize = 200;
/// The maximum number of remarks.
const MAX_REMARKS: usize = 1000;
/// The maximum length of a formula, in bytes.
const MAX_FORMULA: usize = 20_000;

pub(super) type Macros = BTreeMap<String, Macro>;

/// A macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Macro {
    /// The number of its arguments, including the optional one.
    pub(super) arguments: usize,
    /// The value of the first argument when it is omitted.
    pub(super) default: Option<String>,
    /// The text, with `#1`, `#2`, … for the arguments.
    pub(super) text: String,
    /// True for a definition of the prelude. It skips all options, and is not expanded in formulas.
    pub(super) is_predefined: bool,
}

/// A reader with a stack of inputs: the text, and above it the texts of macros that are being
/// expanded.
pub(super) struct Reader {
    inputs: Vec<(Vec<char>, usize)>,
    /// The line of the text that is being read.
    pub(super) line: usize,
    /// True if the name of the last command was followed by a star.
    pub(super) is_starred: bool,
    pub(super) macros: Macros,
    pub(super) expansions: usize,
    pub(super) expanded: usize,
    /// Remarks, each with its line and a sentence.
    pub(super) remarks: Vec<(usize, String)>,
    /// The name of the last command that consists of letters.
    command: String,
    reread: usize,
}

/// A position to return to.
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

    /// Returns the next character without reading it.
    pub(super) fn peek(&mut self) -> Option<char> {
        // A macro ends with its text. The bottom input is never removed, because it holds the
        // position in the statement.
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

    /// Reads the next character, even in a comment.
    pub(super) fn raw(&mut self) -> Option<char> {
        let next = self.peek()?;
        // Line ends in a macro do not count as lines of the text.
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
            // TeX skips the spaces at the beginning of the line after a comment.
            while matches!(self.peek(), Some(' ' | '\t')) {
                self.raw();
            }
        }
        self.raw()
    }

    /// Puts text before the remaining characters.
    pub(super) fn unread(&mut self, text: &str) {
        self.inputs.push((text.chars().collect(), 0));
    }

    fn mark(&mut self) -> Mark {
        self.peek();
        // `peek` has removed finished macros, so the position is in the input that the next
        // character comes from.
        Mark {
            inputs: self.inputs.len(),
            at: self.inputs.last().map_or(0, |(_, at)| *at),
            line: self.line,
        }
    }

    /// Returns to a position. `read` is the text that was read since.
    fn return_to(&mut self, mark: &Mark, read: &str) {
        // Text that is read repeatedly, such as after each of many open braces, would take
        // quadratic time.
        self.reread += read.len();
        if mark.inputs == 1 {
            // Drops macros that were opened since.
            self.inputs.truncate(1);
        }
        match self.inputs.last_mut() {
            Some((_, at)) if mark.inputs == 1 => (*at, self.line) = (mark.at, mark.line),
            // Inside of a macro, the input of the position may be gone.
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

    /// Adds a remark.
    pub(super) fn remark(&mut self, line: usize, what: String) {
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push((line, what));
        }
    }

    /// Reads the name of a command, after its backslash, and the spaces that follow a name of
    /// letters.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        self.is_starred = false;
        // `@` is a letter in internal names of packages, and a delimiter after `\verb`.
        let is_letter = |c: char, name: &str| {
            c.is_ascii_alphabetic() || c == '@' && !matches!(name, "" | "verb" | "lstinline")
        };
        while let Some(c) = self.peek().filter(|c| is_letter(*c, &name)) {
            name.push(c);
            self.raw();
        }
        if name.is_empty() {
            // A sign such as `\%` is a name of one character, and spaces after it count.
            name.extend(self.raw());
            return name;
        }
        self.command.clone_from(&name);
        self.is_starred = self.takes('*');
        self.skip_spaces();
        name
    }

    /// Skips spaces and at most one line end, since an empty line ends a paragraph.
    pub(super) fn skip_spaces(&mut self) {
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

    /// Reads the next character if it is the expected one. Returns true if it was read.
    pub(super) fn takes(&mut self, expected: char) -> bool {
        let is_there = self.peek() == Some(expected);
        if is_there {
            self.raw();
        }
        is_there
    }

    /// Reads the argument of a command, without its braces. If the closing brace is missing, reads
    /// nothing and adds a remark.
    pub(super) fn argument(&mut self) -> String {
        let line = self.line;
        self.skip_spaces();
        match self.next() {
            Some('{') => self.balanced('}', false).unwrap_or_else(|| {
                self.remark(line, format!("unclosed `{{` after `\\{}`", self.command));
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

    /// Reads a verbatim argument, such as the one of `\url`, in which even `%` has no special
    /// meaning.
    pub(super) fn verbatim_argument(&mut self) -> String {
        let line = self.line;
        self.skip_spaces();
        let text = match self.peek() {
            Some('{') => {
                self.raw();
                self.balanced('}', true)
            }
            // Any other character is a delimiter, as after `\verb`.
            Some(c) if !c.is_whitespace() && c != '\\' => {
                self.raw();
                self.up_to(&c.to_string(), true)
            }
            _ => Some(String::new()),
        };
        text.unwrap_or_else(|| {
            self.remark(line, format!("unclosed argument of `\\{}`", self.command));
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
            self.remark(line, format!("unclosed `[` after `\\{}`", self.command));
        }
        option
    }

    /// Skips arguments in brackets, and one in parentheses, as after `\cmidrule`.
    pub(super) fn skip_options(&mut self) {
        while self.option().is_some() {}
        if self.peek() == Some('(') {
            self.raw();
            self.balanced(')', false);
        }
    }

    /// Reads up to the end of a group. If the end is missing, reads nothing and returns `None`.
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

    /// Reads up to and including a word, which must be on the same line if `in_line` is true. If it
    /// is missing, reads nothing and returns `None`.
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

    /// Reads a formula up to and including its end, such as `$`, `\]` or `\end{align}`. If the end
    /// is missing, reads nothing and returns `None`. A formula between dollars must not contain an
    /// empty line.
    pub(super) fn formula(&mut self, end: &str) -> Option<String> {
        let mark = self.mark();
        let max_length = self.max_length().min(MAX_FORMULA);
        let is_dollar = end.starts_with('$');
        let mut tex = String::new();
        let mut depth = 0_usize;
        let mut is_blank_line = false;
        while let Some(c) = self.next() {
            tex.push(c);
            // A backslash escapes the next character, so that `\\]` and `\$` do not end a formula.
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
                // As in TeX, a formula cannot contain the end of a paragraph. The dollar is a
                // currency sign, or the closing one is missing.
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

    /// Reads letters, which are the name of a command unless it is a single sign.
    pub(super) fn letters(&mut self) -> String {
        let mut letters = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphabetic) {
            letters.push(c);
            self.raw();
        }
        letters
    }
}

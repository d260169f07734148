//! The characters of a statement in LaTeX, with macros in place.
//!
//! Responsible for comments, arguments, lines, and for that macros end. What nothing ends is not read: a reader comes back to
//! its beginning, so that no text is lost in it, and remarks it. Must not know what a command means.

use std::collections::BTreeMap;

use super::macros::Macro;

/// The most characters that are read again because nothing ended what they were in.
const MOST_IN_VAIN: usize = 4 << 20;
/// After that, nothing that is longer has an end.
const LONGEST_THEN: usize = 200;
/// More remarks are left out.
const MOST_REMARKS: usize = 1000;
/// Longer formulas are no formulas.
const MOST_FORMULA: usize = 20_000;

/// A reader: the text, and on top of it the texts of macros that are being read.
pub(super) struct Reader {
    inputs: Vec<(Vec<char>, usize)>,
    /// The number of inputs, from the bottom, whose lines are those of the text.
    of_text: usize,
    /// The line of the text that is being read.
    pub(super) line: usize,
    /// True when the name of the last command had a star behind it.
    pub(super) is_starred: bool,
    pub(super) macros: BTreeMap<String, Macro>,
    /// Types of columns that the author has defined, as they are written.
    pub(super) column_types: BTreeMap<char, String>,
    pub(super) expansions: usize,
    pub(super) expanded: usize,
    /// What was found while reading, with its line, each a sentence.
    pub(super) remarks: Vec<(usize, String)>,
    /// The last command of letters.
    command: String,
    in_vain: usize,
}

/// A place to come back to.
struct Mark {
    inputs: usize,
    at: usize,
    line: usize,
}

impl Reader {
    pub(super) fn new(text: &str) -> Self {
        // However lines end.
        let text: Vec<char> = text.replace("\r\n", "\n").replace('\r', "\n").chars().collect();
        Self {
            inputs: vec![(text, 0)],
            of_text: 1,
            line: 1,
            is_starred: false,
            macros: BTreeMap::new(),
            column_types: BTreeMap::new(),
            expansions: 0,
            expanded: 0,
            remarks: Vec::new(),
            command: String::new(),
            in_vain: 0,
        }
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        while self.inputs.len() > 1 && self.inputs.last().is_some_and(|(text, at)| *at >= text.len()) {
            self.inputs.pop();
            self.of_text = self.of_text.min(self.inputs.len());
        }
        let (text, at) = self.inputs.last()?;
        text.get(*at).copied()
    }

    /// The next character as it is, `%` too.
    pub(super) fn raw(&mut self) -> Option<char> {
        let next = self.peek()?;
        if self.inputs.len() <= self.of_text && next == '\n' {
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

    /// The rest of an environment, whose end is read too; `None`, and nothing read, where that does not come.
    pub(super) fn body(&mut self, name: &str) -> Option<String> {
        let (start, end) = (format!("\\begin{{{name}}}"), format!("\\end{{{name}}}"));
        let mark = self.mark();
        let mut body = self.until(&end)?;
        while body.matches(&start).count() > body.matches(&end).count() {
            body.push_str(&end);
            match self.until(&end) {
                Some(more) => body.push_str(&more),
                None => {
                    self.come_back(&mark, &body);
                    return None;
                }
            }
        }
        Some(body)
    }

    /// Puts a part of the text back, which begins in that line, with something more in its lines.
    pub(super) fn read_again(&mut self, text: &str, line: usize) {
        self.unread(text);
        // Within a macro there are no lines.
        if self.of_text + 1 == self.inputs.len() {
            self.of_text += 1;
            self.line = line;
        }
    }

    fn mark(&mut self) -> Mark {
        self.peek();
        Mark { inputs: self.inputs.len(), at: self.inputs.last().map_or(0, |(_, at)| *at), line: self.line }
    }

    /// Comes back to a place, behind which that text was read.
    fn come_back(&mut self, mark: &Mark, read: &str) {
        self.in_vain += read.len();
        if self.inputs.len() > mark.inputs && mark.inputs <= self.of_text {
            // Macros that were opened behind the place.
            self.inputs.truncate(mark.inputs);
        }
        let is_there = self.inputs.len() == mark.inputs && mark.inputs <= self.of_text;
        match self.inputs.last_mut() {
            Some((_, at)) if is_there => (*at, self.line) = (mark.at, mark.line),
            _ => self.unread(read),
        }
    }

    /// The longest text that is looked through for its end.
    fn longest(&self) -> usize {
        if self.in_vain > MOST_IN_VAIN { LONGEST_THEN } else { usize::MAX }
    }

    pub(super) fn remark(&mut self, line: usize, what: String) {
        if self.remarks.len() < MOST_REMARKS {
            self.remarks.push((line, what));
        }
    }

    /// The name of a command, after its backslash; the blanks after a name of letters belong to it.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        self.is_starred = false;
        // `@` is a letter in names of packages' own, and a delimiter behind `\verb`.
        let is_letter =
            |c: char, name: &str| c.is_ascii_alphabetic() || c == '@' && !matches!(name, "" | "verb" | "lstinline");
        while let Some(c) = self.peek().filter(|c| is_letter(*c, &name)) {
            name.push(c);
            self.raw();
        }
        if name.is_empty() {
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

    /// The argument of a command, without its braces. Nothing, with a remark, where a brace is closed by none.
    pub(super) fn argument(&mut self) -> String {
        let line = self.line;
        self.blanks();
        match self.next() {
            Some('{') => self.balanced('}', false).unwrap_or_else(|| {
                self.remark(line, format!("no brace closes the `{{` behind `\\{}`", self.command));
                String::new()
            }),
            Some('\\') => format!("\\{}", self.name()),
            Some(c) => c.to_string(),
            None => String::new(),
        }
    }

    /// The argument in which every character is itself, `%` too, as that of `\url` is.
    pub(super) fn verbatim_argument(&mut self) -> String {
        let line = self.line;
        self.blanks();
        let text = match self.peek() {
            Some('{') => {
                self.raw();
                self.balanced('}', true)
            }
            // Any other character is a delimiter, as that of `\verb` is.
            Some(c) if !c.is_whitespace() && c != '\\' => {
                self.raw();
                self.up_to(&c.to_string(), true)
            }
            _ => Some(String::new()),
        };
        text.unwrap_or_else(|| {
            self.remark(line, format!("nothing ends the text behind `\\{}`", self.command));
            String::new()
        })
    }

    /// The argument in brackets, if there is one.
    pub(super) fn option(&mut self) -> Option<String> {
        if self.peek() != Some('[') {
            return None;
        }
        let line = self.line;
        self.raw();
        let option = self.balanced(']', false);
        if option.is_none() {
            self.unread("[");
            self.remark(line, format!("no bracket closes the `[` behind `\\{}`", self.command));
        }
        option
    }

    /// Skips arguments in brackets and, for those who trim lines, in parentheses.
    pub(super) fn skip_options(&mut self) {
        while self.option().is_some() {}
        if self.peek() == Some('(') {
            self.raw();
            self.balanced(')', false);
        }
    }

    /// The next few characters of what is read now.
    pub(super) fn ahead(&mut self) -> String {
        self.peek();
        self.inputs.last().map(|(text, at)| text[*at..].iter().take(5).collect()).unwrap_or_default()
    }

    /// The text up to the end of what was opened; `None`, and nothing read, where that does not come.
    fn balanced(&mut self, end: char, is_verbatim: bool) -> Option<String> {
        let mark = self.mark();
        let longest = self.longest();
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
            if text.len() > longest {
                break;
            }
        }
        self.come_back(&mark, &text);
        None
    }

    /// The text up to a word, which is read too; `None`, and nothing read, where that does not come.
    pub(super) fn until(&mut self, word: &str) -> Option<String> {
        self.up_to(word, false)
    }

    /// The same, on the line where it begins if `in_line`.
    pub(super) fn up_to(&mut self, word: &str, in_line: bool) -> Option<String> {
        let mark = self.mark();
        let longest = self.longest();
        let mut text = String::new();
        while let Some(c) = self.raw() {
            text.push(c);
            if text.ends_with(word) {
                text.truncate(text.len() - word.len());
                return Some(text);
            }
            if in_line && c == '\n' || text.len() > longest {
                break;
            }
        }
        self.come_back(&mark, &text);
        None
    }

    /// The formula up to its end, such as `$`, `\]` or `\end{align}`, which is read too; `None`, and nothing read, where that
    /// does not come. Between dollars, an empty line ends what is no formula then.
    pub(super) fn formula(&mut self, end: &str) -> Option<String> {
        let mark = self.mark();
        let longest = self.longest().min(MOST_FORMULA);
        let is_dollar = end.starts_with('$');
        let mut tex = String::new();
        let mut depth = 0_usize;
        let mut is_blank_line = false;
        while let Some(c) = self.next() {
            let from = tex.len();
            tex.push(c);
            match c {
                '\\' => {
                    tex.push_str(&self.word());
                    if !is_dollar && tex[from..] == *end {
                        tex.truncate(from);
                        return Some(tex);
                    }
                }
                '$' if is_dollar && depth == 0 && (end == "$" || self.takes('$')) => {
                    tex.truncate(from);
                    return Some(tex);
                }
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                '\n' if is_dollar && is_blank_line => break,
                _ => {}
            }
            is_blank_line = c == '\n' || is_blank_line && c.is_whitespace();
            if tex.len() > longest {
                break;
            }
        }
        self.come_back(&mark, &tex);
        None
    }

    /// The letters that come next: the name of a command that is more than one sign.
    pub(super) fn letters(&mut self) -> String {
        let mut letters = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphabetic) {
            letters.push(c);
            self.raw();
        }
        letters
    }

    /// What follows a backslash: letters, or one character; of `\end` the name of its environment too.
    pub(super) fn word(&mut self) -> String {
        let mut word = self.letters();
        if word.is_empty() {
            word.extend(self.raw());
        } else if word == "end" {
            let mut blanks = String::new();
            while let Some(c) = self.peek().filter(|c| matches!(c, ' ' | '\t')) {
                blanks.push(c);
                self.raw();
            }
            if self.peek() == Some('{') {
                while let Some(c) = self.peek().filter(|c| *c != '\n' && *c != '\\' && word.len() < 40) {
                    word.push(c);
                    self.raw();
                    if c == '}' {
                        break;
                    }
                }
            } else {
                word.push_str(&blanks);
            }
        }
        word
    }
}

//! Macros of the author: their definitions, and their texts in the places where they are used.
//!
//! Responsible for that they end. Must not know what a command means.

use super::reader::Reader;

/// The most macros that are put in place in one statement.
const MOST_EXPANSIONS: usize = 20_000;
/// The most bytes that macros come to, all together.
const MOST_EXPANDED: usize = 1 << 20;
/// Longer ones than this are no arguments of a definition.
const LONGEST_PARAMETERS: usize = 40;

/// A macro: the number of its arguments, the default of the first, its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Macro {
    pub(super) arguments: usize,
    pub(super) default: Option<String>,
    pub(super) text: String,
}

impl Reader {
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
            // In a definition within it, for the macro that is defined there.
            if c == '#' && rest.next_if_eq(&'#').is_some() {
                text.push('#');
                continue;
            }
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

    /// Reads a definition, after `\newcommand` and its like.
    pub(super) fn define(&mut self) {
        let name = self.name_to_define();
        self.blanks();
        let arguments = self.option().and_then(|count| count.trim().parse().ok()).unwrap_or(0).min(9);
        self.blanks();
        let default = self.option();
        let text = self.argument();
        self.macros.insert(name, Macro { arguments, default, text });
    }

    /// Reads a definition after `\def`; gives the name where its arguments are more than a row of numbers.
    pub(super) fn define_plain(&mut self) -> Result<(), String> {
        let name = self.name_to_define();
        let mut parameters = String::new();
        while let Some(c) = self.peek().filter(|c| *c != '{' && parameters.len() < LONGEST_PARAMETERS) {
            parameters.push(c);
            self.raw();
        }
        let bare: String = parameters.chars().filter(|c| !c.is_whitespace()).collect();
        let wanted: String = (1..=bare.len() / 2).map(|number| format!("#{number}")).collect();
        if bare != wanted || self.peek() != Some('{') {
            self.unread(&parameters);
            return Err(name);
        }
        let text = self.argument();
        self.macros.insert(name, Macro { arguments: bare.len() / 2, default: None, text });
        Ok(())
    }

    /// Reads `\let\a\b` or `\let\a=\b`: `\a` is what `\b` is.
    pub(super) fn define_alike(&mut self) {
        let name = self.name_to_define();
        self.blanks();
        if self.takes('=') {
            self.blanks();
        }
        let other = self.argument();
        let known = other.strip_prefix('\\').and_then(|other| self.macros.get(other)).cloned();
        self.macros.insert(name, known.unwrap_or(Macro { arguments: 0, default: None, text: format!("{other} ") }));
    }

    /// Reads the definition of a function's name, which stands upright in formulas.
    pub(super) fn define_operator(&mut self) {
        let name = self.name_to_define();
        let text = format!("\\operatorname{{{}}}", self.argument());
        self.macros.insert(name, Macro { arguments: 0, default: None, text });
    }

    fn name_to_define(&mut self) -> String {
        let name = self.argument();
        name.trim().trim_start_matches('\\').to_owned()
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
        let mut name = inner.letters();
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

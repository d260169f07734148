//! Macros: their definitions, by the author or by `prelude.tex`, and their expansion.
//!
//! Responsible for bounding all expansions. Must not know the meaning of a command.

use super::reader::{Macro, Macros, Reader};

/// The maximum number of expansions in one statement.
const MAX_EXPANSIONS: usize = 20_000;
/// The maximum size of all expansions together, in bytes.
const MAX_EXPANDED: usize = 1 << 20;
/// The maximum length of the parameters in a `\def`.
const MAX_PARAMETERS: usize = 40;

/// Definitions of commands that need no code.
const PRELUDE: &str = include_str!("prelude.tex");

/// Returns the macros of the prelude.
pub(super) fn predefined() -> Macros {
    let mut reader = Reader::new(PRELUDE);
    while let Some(c) = reader.next() {
        if c == '\\' && reader.name() == "newcommand" {
            reader.define();
        }
    }
    for known in reader.macros.values_mut() {
        known.is_predefined = true;
    }
    reader.macros
}

impl Reader {
    /// Replaces a command with the text of its macro. Returns false if it has no macro or a bound
    /// is reached.
    pub(super) fn expand(&mut self, name: &str) -> bool {
        let Some(known) = self.macros.get(name).cloned() else {
            return false;
        };
        self.expansions += 1;
        // Macros can call each other endlessly, or double their text each time.
        if self.expansions > MAX_EXPANSIONS || self.expanded > MAX_EXPANDED {
            return false;
        }
        let skips_options = known.is_predefined && known.default.is_some();
        let mut arguments = Vec::new();
        if let Some(default) = known.default {
            arguments.push(if known.is_predefined {
                default
            } else {
                self.option().unwrap_or(default)
            });
        }
        while arguments.len() < known.arguments {
            if skips_options {
                self.skip_options();
            }
            arguments.push(self.argument());
        }
        if skips_options {
            self.skip_options();
        }
        let Some(text) = with_arguments(&known.text, &arguments) else {
            return false;
        };
        self.expanded += text.len();
        self.unread(&text);
        true
    }

    /// Reads a definition after `\newcommand` or a similar command, and returns the name.
    pub(super) fn define(&mut self) -> String {
        let name = self.name_to_define();
        self.skip_spaces();
        let arguments = self
            .option()
            .and_then(|count| count.trim().parse().ok())
            .unwrap_or(0)
            .min(9);
        self.skip_spaces();
        let default = self.option();
        let text = self.argument();
        self.add_macro(&name, arguments, default, text);
        name
    }

    /// Reads a definition after `\def`, and returns the name. Fails with the name if the parameters
    /// are not `#1#2…`.
    pub(super) fn define_plain(&mut self) -> Result<String, String> {
        let name = self.name_to_define();
        let mut parameters = String::new();
        while let Some(c) = self
            .peek()
            .filter(|c| *c != '{' && parameters.len() < MAX_PARAMETERS)
        {
            parameters.push(c);
            self.raw();
        }
        let bare: String = parameters.chars().filter(|c| !c.is_whitespace()).collect();
        let expected: String = (1..=bare.len() / 2)
            .map(|number| format!("#{number}"))
            .collect();
        if bare != expected || self.peek() != Some('{') {
            self.unread(&parameters);
            return Err(name);
        }
        let text = self.argument();
        self.add_macro(&name, bare.len() / 2, None, text);
        Ok(name)
    }

    /// Reads the definition of a function name, which is set upright in formulas.
    pub(super) fn define_operator(&mut self) -> String {
        let name = self.name_to_define();
        let text = self.argument();
        self.define_text(&name, &format!("\\operatorname{{{text}}}"));
        name
    }

    /// Defines a macro without arguments.
    pub(super) fn define_text(&mut self, name: &str, text: &str) {
        self.add_macro(name, 0, None, text.to_owned());
    }

    fn add_macro(&mut self, name: &str, arguments: usize, default: Option<String>, text: String) {
        let definition = Macro {
            arguments,
            default,
            text,
            is_predefined: false,
        };
        self.macros.insert(name.to_owned(), definition);
    }

    fn name_to_define(&mut self) -> String {
        let name = self.argument();
        name.trim().trim_start_matches('\\').to_owned()
    }
}

/// Returns the text of a macro with its arguments inserted, or `None` if it becomes too long.
fn with_arguments(text: &str, arguments: &[String]) -> Option<String> {
    let mut written = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        // `##` belongs to a definition inside of this one.
        if c == '#' && rest.next_if_eq(&'#').is_some() {
            written.push('#');
            continue;
        }
        let digit = if c == '#' {
            rest.peek().and_then(|digit| digit.to_digit(10))
        } else {
            None
        };
        match digit {
            Some(digit) => {
                rest.next();
                written.push_str(
                    arguments
                        .get((digit as usize).wrapping_sub(1))
                        .map_or("", |text| text),
                );
            }
            None => written.push(c),
        }
        if written.len() > MAX_EXPANDED {
            return None;
        }
    }
    Some(written)
}

/// Returns a formula with the author's macros expanded. The renderer knows the commands that the
/// prelude defines.
pub(super) fn formula(reader: &mut Reader, tex: &str) -> String {
    let mut inner = Reader::new(tex);
    std::mem::swap(&mut inner.macros, &mut reader.macros);
    (inner.expansions, inner.expanded) = (reader.expansions, reader.expanded);
    let mut text = String::new();
    while let Some(c) = inner.raw() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        let name = inner.letters();
        let is_own = inner
            .macros
            .get(&name)
            .is_some_and(|known| !known.is_predefined);
        if is_own && inner.expand(&name) {
            continue;
        }
        text.push('\\');
        text.push_str(&name);
        if name.is_empty() {
            text.extend(inner.raw());
        }
    }
    std::mem::swap(&mut inner.macros, &mut reader.macros);
    (reader.expansions, reader.expanded) = (inner.expansions, inner.expanded);
    text
}

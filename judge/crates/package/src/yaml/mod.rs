//! YAML documents: a tree of values in which every key and value has a line.
//!
//! Responsible for documents, their nodes and bounds. The only module that may name `serde_yaml` (no
//! longer developed upstream), so that it can be replaced here alone. Must not know what any
//! document is about.

pub(crate) mod fields;
mod nesting;
mod older;
mod parser;
mod syntax;
mod value;

use std::cell::Cell;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::code::{self, Code};
use crate::disk::bounded::head;
use crate::error::{Finding, Position};
use crate::yaml::nesting::{NESTING_LIMIT, too_deep};
use crate::yaml::parser::{locate, read_value};
use crate::yaml::value::Step;

pub use older::needs_quotes_in_yaml_1_1;
pub use value::Value;

/// The maximum size of a configuration file, in bytes. Larger ones are mistakes, and would be slow
/// to refuse.
const MAX_BYTES: u64 = 1 << 20;

/// The maximum number of bytes that are read again to find positions in a document. Ordinary files
/// need far fewer; without the bound, a large file in which every line is wrong would take minutes
/// to refuse.
const LOCATE_BUDGET: usize = 32 << 20;

/// The text of a new document: block style, keys in the order of the fields.
///
/// # Panics
/// When a map has keys that are not texts, which no file of a package has.
pub fn to_text<T: serde::Serialize>(value: &T) -> String {
    serde_yaml::to_string(value).expect("keys are texts")
}

/// A parsed YAML document.
#[derive(Clone, Debug)]
pub struct Document {
    file: PathBuf,
    text: String,
    root: Value,
    /// The rest of [`LOCATE_BUDGET`].
    locate_budget: Cell<usize>,
}

/// A value in its document.
#[derive(Clone, Debug)]
pub struct Node<'d> {
    document: &'d Document,
    value: &'d Value,
    steps: Vec<Step>,
    key_path: String,
}

/// An entry of a mapping.
#[derive(Clone, Debug)]
pub struct Entry<'d> {
    /// The key as text.
    pub name: String,
    /// The key itself, for its position.
    pub key: Node<'d>,
    /// The value.
    pub value: Node<'d>,
}

impl Document {
    /// Reads and parses a file. An empty file is a document without a value.
    ///
    /// # Errors
    /// One error, with its line if known.
    pub fn read(file: &Path) -> Result<Self, Finding> {
        Self::read_with(file, |text, _| Some(text.to_owned()))
    }

    /// Reads and parses a file after replacing parts of its text.
    ///
    /// # Errors
    /// One error: those of [`Self::parse`], and when the file is too long before or after.
    pub(crate) fn read_with(
        file: &Path,
        prepare: impl Fn(&str, usize) -> Option<String>,
    ) -> Result<Self, Finding> {
        // One byte more than the limit shows that a file is too long, without reading the rest
        // of it.
        let bytes = head(file, MAX_BYTES + 1).map_err(|cause| Finding::unreadable(file, &cause))?;
        let too_long = |when: &str| {
            let message =
                format!("expected a YAML file of at most {MAX_BYTES} bytes, found more{when}");
            Finding::new(code::YAML_MALFORMED, file, message)
        };
        if bytes.len() as u64 > MAX_BYTES {
            return Err(too_long(""));
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => {
                // Constants are filled in before the text is parsed, since one may stand for a
                // number. The bound holds for the result too: a short file can name a long
                // constant many times.
                let prepared = prepare(text, usize::try_from(MAX_BYTES).unwrap_or(usize::MAX));
                Self::parse(
                    file,
                    prepared
                        .ok_or_else(|| too_long(" with its constants filled in"))?
                        .into_bytes(),
                )
            }
            Err(_) => Self::parse(file, bytes),
        }
    }

    /// Parses the bytes of a file.
    ///
    /// # Errors
    /// One error: not UTF-8, not YAML, several documents, a tag, nested too deeply.
    pub(crate) fn parse(file: &Path, bytes: Vec<u8>) -> Result<Self, Finding> {
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let position = position_after(&error.as_bytes()[..valid]);
            let byte = error.as_bytes()[valid];
            // In Latin-1, each byte is the character of its number, so the message can name the
            // letter that the author sees.
            let latin = char::from(byte);
            let meant = if latin.is_alphanumeric() {
                format!(", which is `{latin}` in Latin-1")
            } else {
                String::new()
            };
            let message = format!("expected UTF-8, found the byte 0x{byte:02x}{meant}");
            let hint = "save the file as UTF-8".to_owned();
            Finding::new(code::YAML_MALFORMED, file, message)
                .at_position(Some(position))
                .hint(Some(hint))
        })?;
        // The format permits no byte order mark, but editors add one, and nothing depends on it.
        let text = text
            .strip_prefix('\u{feff}')
            .map(str::to_owned)
            .unwrap_or(text);
        // The parser would take quadratic time for deep brackets before it refuses them.
        if let Some(line) = too_deep(&text) {
            let message = format!("expected at most {NESTING_LIMIT} nested lists and mappings");
            let position = Some(Position { line, column: 1 });
            return Err(Finding::new(code::YAML_MALFORMED, file, message).at_position(position));
        }
        let root = read_value(file, &text)?;
        Ok(Self {
            file: file.to_owned(),
            text,
            root,
            locate_budget: Cell::new(LOCATE_BUDGET),
        })
    }

    /// The outermost value.
    pub fn root(&self) -> Node<'_> {
        Node {
            document: self,
            value: &self.root,
            steps: Vec::new(),
            key_path: String::new(),
        }
    }
}

impl<'d> Node<'d> {
    /// The value itself.
    #[must_use]
    pub fn value(&self) -> &'d Value {
        self.value
    }

    /// The file of its document.
    pub(crate) fn file(&self) -> &'d Path {
        &self.document.file
    }

    /// Its path of keys, such as `limits.time_limit` or `credits.authors[1]`; empty for the root.
    pub(crate) fn key_path(&self) -> &str {
        &self.key_path
    }

    /// Returns the position where the node starts. Costs a parse of the file; `None` after too many
    /// requests in a large file.
    pub fn position(&self) -> Option<Position> {
        let budget = &self.document.locate_budget;
        // Each position costs a parse of the whole text, so the length of the text is charged.
        // A finding without a position is better than a check that takes minutes.
        budget.set(budget.get().checked_sub(self.document.text.len())?);
        locate(&self.document.text, &self.steps)
    }

    /// The text of its document.
    pub(crate) fn source(&self) -> &'d str {
        &self.document.text
    }

    /// The entries of a mapping, in order; `None` for anything else.
    pub fn entries(&self) -> Option<Vec<Entry<'d>>> {
        let Value::Map(entries) = self.value else {
            return None;
        };
        let entry = |(index, (key, value)): (usize, &'d (Value, Value))| {
            let name = key.as_key();
            let key_path = if self.key_path.is_empty() {
                name.clone()
            } else {
                format!("{}.{name}", self.key_path)
            };
            let key = self.child(key, Step::Key(index), key_path.clone());
            let value = self.child(value, Step::Value(index), key_path);
            Entry { name, key, value }
        };
        Some(entries.iter().enumerate().map(entry).collect())
    }

    fn child(&self, value: &'d Value, step: Step, key_path: String) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self {
            document: self.document,
            value,
            steps,
            key_path,
        }
    }

    /// The value of the first entry with this name, even if it is empty; `None` for anything but a
    /// mapping.
    pub fn entry(&self, name: &str) -> Option<Node<'d>> {
        let mut entries = self.entries()?.into_iter();
        let found = entries.find(|entry| entry.name == name);
        found.map(|entry| entry.value)
    }

    /// The items of a list, in order; `None` for anything else.
    pub fn items(&self) -> Option<Vec<Node<'d>>> {
        let Value::List(items) = self.value else {
            return None;
        };
        let item = |(index, value): (usize, &'d Value)| {
            let key_path = format!("{}[{index}]", self.key_path);
            self.child(value, Step::Item(index), key_path)
        };
        Some(items.iter().enumerate().map(item).collect())
    }

    /// The items of a list, or else the value itself.
    pub(crate) fn each(&self) -> Vec<Node<'d>> {
        self.items().unwrap_or_else(|| vec![self.clone()])
    }

    /// A finding at its line.
    pub(crate) fn finding(&self, code: Code, message: impl Into<String>) -> Finding {
        Finding::new(code, self.file(), message).at_position(self.position())
    }

    /// Creates an error about the node: `KEY.PATH: message`, at its line.
    pub(crate) fn invalid(&self, message: impl fmt::Display) -> Finding {
        let message = if self.key_path.is_empty() {
            message.to_string()
        } else {
            format!("`{}`: {message}", self.key_path)
        };
        Finding::invalid(self.file(), self.position(), message)
    }

    /// Creates an error about the node, with a specific code.
    pub(crate) fn error(&self, code: Code, message: impl fmt::Display) -> Finding {
        self.invalid(message).coded(code)
    }

    /// Creates an error that names the expected value.
    pub(crate) fn expected(&self, what: &str) -> Finding {
        self.error(
            code::VALUE_UNEXPECTED,
            format_args!("expected {what}, found {}", self.value),
        )
    }
}

/// The position of the byte that follows this valid text.
fn position_after(text: &[u8]) -> Position {
    let line_start = text
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |newline| newline + 1);
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    // Editors count characters, and not bytes.
    let columns = String::from_utf8_lossy(&text[line_start..]).chars().count();
    let number = |value: usize| u32::try_from(value + 1).unwrap_or(u32::MAX);
    Position {
        line: number(lines),
        column: number(columns),
    }
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;

//! YAML documents: a tree of values in which every key and value has a line.
//!
//! Responsible for parsing, and for positions. The only module that may name `serde_yaml` (no
//! longer developed upstream), so that it can be replaced here alone. Must not know what any
//! document is about.
//!
//! `serde_yaml` keeps no positions in what it returns, but it puts the position of a value into the
//! error when reading that value fails. So the position of a node is found by reading the text once
//! more with a reader that refuses exactly that node: this works for block and flow style, anchors
//! and multi-line texts, and costs time only when something is reported.

pub(crate) mod fields;
mod nesting;
mod older;

use std::cell::Cell;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::code::{self, Code};
use crate::disk::sizes::head;
use crate::error::{Finding, Position};
use crate::yaml::nesting::{NESTING_LIMIT, too_deep};

pub use older::needs_quotes_in_yaml_1_1;

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

/// A value, as the YAML core schema resolves it. Mappings keep their order and their duplicate
/// keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value: `null`, `~`, or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A number with a fraction or an exponent.
    Float(f64),
    /// A string.
    Text(String),
    /// A list, in order.
    List(Vec<Value>),
    /// A mapping: keys with their values.
    Map(Vec<(Value, Value)>),
}

impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(is) => serializer.serialize_bool(*is),
            Self::Integer(number) => serializer.serialize_i128(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

/// One step down from a node to a node inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The item with this index in a list.
    Item(usize),
    /// The key of the entry with this index in a mapping.
    Key(usize),
    /// The value of that entry.
    Value(usize),
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
        // Each value takes at least a byte of text. Only aliases can make more values than that.
        let budget = Cell::new(text.len() + 1000);
        let root = match ReadValue(&budget).deserialize(serde_yaml::Deserializer::from_str(&text)) {
            Ok(root) => root,
            // `serde_yaml` reports the end of the stream for a text without a value, while for
            // a package it means that no key is given.
            Err(_) if holds_nothing(&text) => Value::Null,
            Err(error) => return Err(syntax_error(file, &text, &error)),
        };
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
    pub(crate) fn entry(&self, name: &str) -> Option<Node<'d>> {
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

impl Value {
    /// A key as text. Keys that are not strings, such as numbers, are shown as written.
    pub(crate) fn as_key(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Text(value) => value.clone(),
            Self::List(_) => "[…]".to_owned(),
            Self::Map(_) => "{…}".to_owned(),
        }
    }
}

/// Names the value that was found, in words for a message.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("nothing"),
            Self::Bool(value) => write!(f, "the boolean `{value}`"),
            Self::Integer(value) => write!(f, "the number `{value}`"),
            // With its point or exponent, which distinguishes it from an integer.
            Self::Float(value) => write!(f, "the number `{value:?}`"),
            Self::Text(value) => write!(f, "the string `{}`", shorten(value)),
            Self::List(items) => write!(f, "a list of {}", items.len()),
            Self::Map(_) => f.write_str("a mapping"),
        }
    }
}

/// The first line of a text, cut at 60 characters, without control characters.
fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    // Control characters would move the cursor of the terminal that shows the message.
    let mut short: String = line.chars().filter(|c| !c.is_control()).take(60).collect();
    if short.len() < text.trim_end().len() {
        short.push('…');
    }
    short
}

/// Reads a value, and counts down for each one in it. A text has fewer values than bytes: if the
/// count runs out, aliases have multiplied the text. `serde_yaml` limits only the number of
/// aliases, not their size.
#[derive(Clone, Copy)]
struct ReadValue<'b>(&'b Cell<usize>);

impl<'de> DeserializeSeed<'de> for ReadValue<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        // An alias is read like its value, so each use of an anchor counts again.
        let left = self.0.get().checked_sub(1);
        self.0.set(
            left.ok_or_else(|| serde::de::Error::custom("its aliases (`*…`) make it too large"))?,
        );
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ReadValue<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        // No key of any format accepts such a number. The clamped value is refused as too large.
        Ok(Value::Integer(i128::try_from(value).unwrap_or(i128::MAX)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry_seed(self, self)? {
            map.push(entry);
        }
        Ok(Value::Map(map))
    }

    // A tag can construct any kind of object in some languages, and no file of a package has
    // one.
    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Value, A::Error> {
        Err(serde::de::Error::custom(
            "expected a plain value, found a YAML tag (`!…`)",
        ))
    }
}

/// Locates the node to which `steps` lead. `None` if they lead nowhere.
fn locate(text: &str, steps: &[Step]) -> Option<Position> {
    // Success means that the path does not exist: a reader that reaches the node always fails
    // there.
    let refused = Refuse(steps)
        .deserialize(serde_yaml::Deserializer::from_str(text))
        .err()?;
    refused.location().map(|location| position_of(&location))
}

/// Reads a document down to one node, and fails there.
#[derive(Clone, Copy)]
struct Refuse<'s>(&'s [Step]);

impl<'de> DeserializeSeed<'de> for Refuse<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Refuse<'_> {
    type Value = ();

    // Every other method refuses its value, and so does the end of the path.
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another node")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        if let [Step::Item(index), rest @ ..] = self.0 {
            for _ in 0..*index {
                // `IgnoredAny` accepts every value, so the items before the node cannot fail in
                // its place.
                items.next_element::<IgnoredAny>()?;
            }
            items.next_element_seed(Refuse(rest))?;
        }
        Err(serde::de::Error::custom("here"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        if let [Step::Key(index) | Step::Value(index), rest @ ..] = self.0 {
            for _ in 0..*index {
                entries.next_entry::<IgnoredAny, IgnoredAny>()?;
            }
            // The key of an entry must be read before its value.
            if matches!(self.0[0], Step::Key(_)) {
                entries.next_key_seed(Refuse(rest))?;
            } else {
                entries.next_key::<IgnoredAny>()?;
                entries.next_value_seed(Refuse(rest))?;
            }
        }
        Err(serde::de::Error::custom("here"))
    }
}

fn syntax_error(file: &Path, text: &str, error: &serde_yaml::Error) -> Finding {
    let position = error.location().map(|location| position_of(&location));
    let error_at = |position, message: &str, hint: &str| {
        Finding::invalid(file, Some(position), message)
            .hint(Some(hint.to_owned()))
            .coded(code::YAML_MALFORMED)
    };
    // The library names the token that it did not expect, and not the tab before it, which is
    // the mistake (YAML 1.2.2, 6.1: tabs must not indent).
    if let Some(Position { line, .. }) = position
        && let Some(column) =
            tab_before_text(text.lines().nth(line as usize - 1).unwrap_or_default())
    {
        let message = "not valid YAML: the line is indented with a tab";
        let hint = "indent with spaces: YAML has no tabs there";
        return error_at(Position { line, column }, message, hint);
    }
    let mut message = error.to_string();
    // The library reports the end of the file. The author has to look at the opening quote.
    if let Some(opened) = open_quote(&message) {
        let message = "not valid YAML: the quote that opens here is not closed";
        let hint = "close it; within single quotes an apostrophe is written twice";
        return error_at(opened, message, hint);
    }
    // The position is printed before the message. Other positions, such as the beginning of an open
    // list, are kept.
    if let Some(Position { line, column }) = position {
        message = message.replacen(&format!(" at line {line} column {column}"), "", 1);
    }
    Finding::new(
        code::YAML_MALFORMED,
        file,
        format!("not valid YAML: {message}"),
    )
    .at_position(position)
}

/// The position of a quote that is not closed, by the words of the library.
fn open_quote(message: &str) -> Option<Position> {
    let rest = message.strip_prefix("found unexpected end of stream")?;
    let (_, place) = rest.split_once(", while scanning a quoted scalar at line ")?;
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

fn position_of(location: &serde_yaml::Location) -> Position {
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    Position {
        line: number(location.line()).max(1),
        column: number(location.column()).max(1),
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

/// True if the text consists only of white space, comments and document markers.
fn holds_nothing(text: &str) -> bool {
    text.lines()
        .map(str::trim)
        .all(|line| line.is_empty() || line.starts_with('#') || line == "---")
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;

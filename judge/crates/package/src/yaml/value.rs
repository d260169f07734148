//! Values of YAML documents, and the steps that lead to one.

use std::fmt;

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
pub(super) enum Step {
    /// The item with this index in a list.
    Item(usize),
    /// The key of the entry with this index in a mapping.
    Key(usize),
    /// The value of that entry.
    Value(usize),
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

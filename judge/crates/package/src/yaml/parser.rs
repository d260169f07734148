//! The parser of YAML texts.
//!
//! Responsible for reading values with `serde_yaml`, and for the positions of nodes. Must not
//! read files.
//!
//! `serde_yaml` keeps no positions in what it returns, but it puts the position of a value into the
//! error when reading that value fails. So the position of a node is found by reading the text once
//! more with a reader that refuses exactly that node: this works for block and flow style, anchors
//! and multi-line texts, and costs time only when something is reported.

use std::cell::Cell;
use std::fmt;
use std::path::Path;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::syntax::syntax_error;
use super::value::{Step, Value};
use crate::error::{Finding, Position};

/// Reads the value of a text. `file` is named in errors.
pub(super) fn read_value(file: &Path, text: &str) -> Result<Value, Finding> {
    // Each value takes at least a byte of text. Only aliases can make more values than that.
    let budget = Cell::new(text.len() + 1000);
    match ReadValue(&budget).deserialize(serde_yaml::Deserializer::from_str(text)) {
        Ok(value) => Ok(value),
        // `serde_yaml` reports the end of the stream for a text without a value, while for a
        // package it means that no key is given.
        Err(_) if holds_nothing(text) => Ok(Value::Null),
        Err(error) => {
            let position = error.location().map(|location| position_of(&location));
            Err(syntax_error(file, text, error.to_string(), position))
        }
    }
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
pub(super) fn locate(text: &str, steps: &[Step]) -> Option<Position> {
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

fn position_of(location: &serde_yaml::Location) -> Position {
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    Position {
        line: number(location.line()).max(1),
        column: number(location.column()).max(1),
    }
}

/// True if the text consists only of white space, comments and document markers.
fn holds_nothing(text: &str) -> bool {
    text.lines()
        .map(str::trim)
        .all(|line| line.is_empty() || line.starts_with('#') || line == "---")
}

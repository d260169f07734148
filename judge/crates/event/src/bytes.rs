//! Bytes in JSON.
//!
//! Responsible for encoding the output of programs without loss. Must not know the meaning of the
//! bytes or how they are rendered.

use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that a program wrote. Valid UTF-8 is a JSON string; anything else is `{"hex": "…"}`, so
/// that nothing is lost or guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// The bytes as text, anything that is not UTF-8 replaced.
    #[must_use]
    pub fn to_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// True when there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Outputs are nearly always text, which stays readable in the stream.
        if let Ok(text) = std::str::from_utf8(&self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("hex", &to_hex(&self.0))?;
        map.end()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Bytes {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Bytes".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Bytes that a program wrote: a string when they are valid UTF-8, and otherwise their hexadecimal form.",
            "oneOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "properties": { "hex": { "type": "string", "pattern": "^([0-9a-f]{2})*$" } },
                    "required": ["hex"],
                    "additionalProperties": false
                }
            ]
        })
    }
}

fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| {
            [
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]
        })
        .map(char::from)
        .collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| {
        char::from(c)
            .to_digit(16)
            .and_then(|d| u8::try_from(d).ok())
    };
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            if let [high, low] = *pair {
                Some(digit(high)? << 4 | digit(low)?)
            } else {
                None
            }
        })
        .collect()
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BytesVisitor)
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an object with the key `hex`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
        Ok(Bytes::from(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Bytes, A::Error> {
        let mut bytes = None;
        while let Some(key) = map.next_key::<String>()? {
            // Other keys are refused, so that a later encoding of bytes is not read as empty.
            if key != "hex" {
                return Err(de::Error::unknown_field(&key, &["hex"]));
            }
            let text: String = map.next_value()?;
            bytes =
                Some(from_hex(&text).ok_or_else(|| {
                    de::Error::custom("`hex` is not pairs of hexadecimal digits")
                })?);
        }
        bytes
            .map(Bytes)
            .ok_or_else(|| de::Error::missing_field("hex"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn valid_utf8_is_a_string_and_other_bytes_are_hex() {
        assert_eq!(
            serde_json::to_string(&Bytes::from("a\n\u{e9}")).unwrap(),
            "\"a\\n\u{e9}\""
        );
        assert_eq!(
            serde_json::to_string(&Bytes(vec![0xff, 0x0a])).unwrap(),
            r#"{"hex":"ff0a"}"#
        );
    }

    #[test]
    fn broken_hex_is_refused() {
        for text in [
            r#"{"hex":"f"}"#,
            r#"{"hex":"zz"}"#,
            r#"{"text":"a"}"#,
            "{}",
            "3",
        ] {
            assert!(serde_json::from_str::<Bytes>(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_survive(bytes: Vec<u8>) {
            let bytes = Bytes(bytes);
            let json = serde_json::to_string(&bytes).unwrap();
            prop_assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap(), bytes);
        }
    }
}

//! The types of values in YAML files of packages, as schemas.
//!
//! Must not know which key has which type.

use serde_json::{Map, Value, json};

use crate::disk::names;
use crate::metadata::current;

/// A key and its value: the schema of the value, and a sentence about it.
pub(super) type Key = (Value, &'static str);

/// A string that matches the regular expression.
pub(super) fn pattern(pattern: &str) -> Value {
    json!({"type": "string", "pattern": pattern})
}

pub(super) fn string() -> Value {
    json!({"type": "string"})
}

pub(super) fn strings() -> Value {
    list(&string())
}

pub(super) fn boolean() -> Value {
    json!({"type": "boolean"})
}

pub(super) fn integer(min: u64) -> Value {
    json!({"type": "integer", "minimum": min})
}

pub(super) fn list(item: &Value) -> Value {
    json!({"type": "array", "items": item})
}

/// A list that is not empty.
pub(super) fn non_empty_list(item: &Value) -> Value {
    json!({"type": "array", "items": item, "minItems": 1})
}

pub(super) fn string_or_strings() -> Value {
    json!({"type": ["string", "array"], "items": string()})
}

/// One of these words.
pub(super) fn one_of(words: &[&str]) -> Value {
    json!({"enum": words})
}

/// A value of one of several types.
pub(super) fn any(types: &[Value]) -> Value {
    json!({"anyOf": types})
}

/// The schema, or no value at all: a key without a value counts as absent.
pub(super) fn optional(mut schema: Value) -> Value {
    let null = json!("null");
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        words.push(Value::Null);
    } else if let Some(types) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        types.push(json!({"type": "null"}));
    } else if let Some(types) = schema.get_mut("type") {
        match types {
            Value::Array(types) => types.push(null),
            one if *one == null => {}
            one => *one = json!([one, "null"]),
        }
    } else if schema.get("$ref").is_some() {
        return any(&[schema, json!({"type": "null"})]);
    }
    schema
}

/// A mapping with these optional keys and no others.
pub(super) fn object(keys: &[&str], key: impl Fn(&str) -> Key) -> Value {
    let mut object = lenient(keys, key);
    object["additionalProperties"] = json!(false);
    object
}

/// A mapping with these keys, where others are ignored.
pub(super) fn lenient(keys: &[&str], key: impl Fn(&str) -> Key) -> Value {
    let property = |name: &str| {
        let (schema, description) = key(name);
        let mut schema = optional(schema);
        if !description.is_empty() {
            schema["description"] = json!(description);
        }
        (name.to_owned(), schema)
    };
    json!({"type": "object", "properties": keys.iter().map(|name| property(name)).collect::<Map<_, _>>()})
}

/// The mapping, in which these keys must have a value.
pub(super) fn requiring(mut object: Value, keys: &[&str]) -> Value {
    object["required"] = json!(keys);
    for key in keys {
        let property = &mut object["properties"][key];
        for place in ["type", "enum", "anyOf"] {
            if let Some(list) = property.get_mut(place).and_then(Value::as_array_mut) {
                list.retain(|one| {
                    !one.is_null() && *one != "null" && *one != json!({"type": "null"})
                });
            }
        }
    }
    object
}

/// A mapping whose keys are names that the author chooses.
pub(super) fn mapping(values: &Value) -> Value {
    json!({"type": "object", "additionalProperties": optional(values.clone())})
}

/// A mapping whose keys are names that follow a rule.
pub(super) fn named(pattern: &str, values: &Value) -> Value {
    json!({"type": "object", "patternProperties": {pattern: optional(values.clone())}, "additionalProperties": false})
}

/// The pattern for names of files and directories that count.
pub(super) fn file_name() -> &'static str {
    names::PATTERN
}

/// A person: a string such as `Name <mail>`, or a mapping.
pub(super) fn person() -> Value {
    let keys = object(&current::PERSON, |key| {
        let description = match key {
            "name" => "the name",
            "email" => "an address for mail",
            "orcid" => "the ORCID iD",
            _ => "the name of the account at Kattis",
        };
        (string(), description)
    });
    any(&[string(), requiring(keys, &["name"])])
}

/// A number, or a string that represents one.
pub(super) fn score() -> Value {
    json!({"type": ["number", "string"], "pattern": format!(r"^\s*{NUMBER}\s*$")})
}

/// A string of two numbers, as for the key `range`.
pub(super) fn range() -> Value {
    let bound = format!("(?:[+-]?inf|{NUMBER})");
    pattern(&format!(r"^\s*{bound}\s+{bound}\s*$"))
}

const NUMBER: &str = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?";

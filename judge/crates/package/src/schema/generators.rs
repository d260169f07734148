//! The schema of `generators.yaml`.
//!
//! Must not know how anything is generated.

use serde_json::{Value, json};

use super::types::{
    Key, any, file_name, integer, lenient, list, named, non_empty_list, object, one_of, pattern,
    requiring, string, string_or_strings,
};
use crate::generators::case::{CASE_KEYS, LINK_EXTENSIONS, LINK_TARGETS, OTHERS, TEXT_EXTENSIONS};
use crate::generators::{DIRECTORY_KEYS, OLD_KEYS, ROOT_KEYS, ROOTS};

pub(super) fn schema() -> Value {
    let mut root = lenient(
        &[&DIRECTORY_KEYS[..], &ROOT_KEYS[..]].concat(),
        |key| match key {
            "generators" => (
                named(file_name(), &non_empty_list(&string())),
                "generators of several files of `generators/`: the entry point comes first",
            ),
            "data" => (
                object(&ROOTS, |_| (json!({"$ref": "#/definitions/directory"}), "")),
                "the directories of `data/`",
            ),
            "version" => (json!({}), "the version of the dialect"),
            old if OLD_KEYS.contains(&old) => {
                (json!({"type": "null"}), "no longer part of the dialect")
            }
            key => directory_key(key),
        },
    );
    // A key at the root is a directory even without a value.
    for name in ROOTS {
        root["properties"]["data"]["properties"][name] = json!({"$ref": "#/definitions/directory"});
    }
    root["definitions"] = json!({
        "rule": {"if": {"$ref": "#/definitions/is_case"}, "then": {"$ref": "#/definitions/case"}, "else": {"$ref": "#/definitions/directory"}},
        "is_case": {"anyOf": case_keys().chain([json!({"not": {"type": "object"}})]).collect::<Vec<_>>()},
        "case": any(&[json!({"type": "string", "pattern": r"\S"}), case()]),
        "directory": directory(),
    });
    root["definitions"]["case"]["not"] = json!({"type": "string", "pattern": r"\.in$"});
    root
}

/// The keys that make a mapping a test case.
fn case_keys() -> impl Iterator<Item = Value> {
    CASE_KEYS
        .into_iter()
        .chain(TEXT_EXTENSIONS)
        .map(|key| json!({"type": "object", "required": [key]}))
}

fn directory() -> Value {
    let mut directory = lenient(&DIRECTORY_KEYS, directory_key);
    directory["not"] = json!({"anyOf": case_keys().collect::<Vec<_>>()});
    directory
}

fn directory_key(key: &str) -> Key {
    match key {
        "test_group.yaml" => (json!({}), "the contents of the file `test_group.yaml`"),
        "include" => (
            string_or_strings(),
            "test cases and directories that this one includes, by their keys",
        ),
        "data" => {
            let rule = json!({"$ref": "#/definitions/rule"});
            let name = json!({"pattern": file_name(), "not": {"pattern": r"^test_group$|\.in$"}});
            let entries =
                json!({"type": "object", "propertyNames": name, "additionalProperties": rule});
            let item = json!({
                "type": "object",
                "propertyNames": any(&[name, json!({"const": ""})]),
                "additionalProperties": rule,
                "minProperties": 1,
                "maxProperties": 1,
            });
            (
                any(&[entries, list(&item)]),
                "test cases and directories by name, or a list of them, which gets numbers",
            )
        }
        key => setting(key),
    }
}

fn setting(key: &str) -> Key {
    match key {
        "solution" => (
            pattern("^/"),
            "the submission that writes answers, from the package's root; empty for none",
        ),
        "random_salt" => (string(), "a string that changes all seeds"),
        _ => (
            integer(1),
            "how many seeds are tried when a generator fails",
        ),
    }
}

fn case() -> Value {
    lenient(
        &[&OTHERS[..], &TEXT_EXTENSIONS[..]].concat(),
        |key| match key {
            "generate" => (pattern(r"\S"), "the command that writes the input"),
            "copy" => (
                string(),
                "files to copy: their path below `generators/` without the extension",
            ),
            "count" => {
                let number = json!({"type": "integer", "minimum": 1, "maximum": 100});
                let numbers = json!({"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 100, "uniqueItems": true});
                (
                    any(&[number, numbers, pattern(r"^[+-]?[0-9]+\.\.=[+-]?[0-9]+$")]),
                    "the number of test cases, or a list of their numbers",
                )
            }
            "match" => {
                // A key without a value does not count as absent here.
                let by_file = json!({
                    "type": "object",
                    "properties": {"in": string_or_strings(), "ans": string_or_strings()},
                    "additionalProperties": false,
                });
                (
                    any(&[string_or_strings(), by_file]),
                    "regular expressions that the input, or each of its files, must match",
                )
            }
            "yaml" => (
                json!({"type": ["string", "object"]}),
                "the contents of the test case's `.yaml`",
            ),
            key if LINK_EXTENSIONS.contains(&key) => {
                let link = requiring(
                    object(&["link"], |_| {
                        (one_of(&LINK_TARGETS), "the file that it links to")
                    }),
                    &["link"],
                );
                (
                    any(&[string(), link]),
                    "the contents of the file with this extension, or a link to another one",
                )
            }
            key if TEXT_EXTENSIONS.contains(&key) => {
                (string(), "the contents of the file with this extension")
            }
            key => setting(key),
        },
    )
}

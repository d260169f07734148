//! The JSON Schema of the event stream: that it is current, and that streams are what it says.
//!
//! With `UPDATE_SCHEMA=1` in the environment the file is written anew instead.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::workspace::{SUM_PLUS_ONE, Workspace};

pub(crate) fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/events.schema.json")
}

pub(crate) fn schema() -> Value {
    serde_json::from_str(&judge_event::json_schema()).unwrap()
}

/// Holds a value against a part of a schema: the first thing that is wrong. It knows the keywords that the schema uses,
/// and panics at any other, so that none is passed over.
fn fault(root: &Value, schema: &Value, value: &Value) -> Option<String> {
    let keywords = schema.as_object()?;
    let all = |parts: &Value| -> Vec<Option<String>> {
        parts.as_array().unwrap().iter().map(|part| fault(root, part, value)).collect()
    };
    keywords.iter().find_map(|(keyword, says)| match keyword.as_str() {
        "$schema" | "$defs" | "title" | "description" | "default" | "format" | "required" => None,
        "$ref" => {
            let name = says.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
            fault(root, &root["$defs"][name], value)
        }
        "type" => {
            let types = says.as_array().cloned().unwrap_or_else(|| vec![says.clone()]);
            (!types.iter().any(|one| has_type(one.as_str().unwrap(), value))).then(|| format!("{value} is no {says}"))
        }
        "const" => (says != value).then(|| format!("{value} is not {says}")),
        "enum" => (!says.as_array().unwrap().contains(value)).then(|| format!("{value} is none of {says}")),
        "oneOf" => {
            let faults = all(says);
            let fitting = faults.iter().filter(|fault| fault.is_none()).count();
            (fitting != 1).then(|| format!("{fitting} alternatives fit {value}"))
        }
        "anyOf" => all(says).into_iter().all(|fault| fault.is_some()).then(|| format!("nothing fits {value}")),
        "minimum" => {
            value.as_f64().filter(|number| *number < says.as_f64().unwrap()).map(|_| format!("{value} < {says}"))
        }
        "maximum" => {
            value.as_f64().filter(|number| *number > says.as_f64().unwrap()).map(|_| format!("{value} > {says}"))
        }
        "pattern" => {
            assert_eq!(says, "^([0-9a-f]{2})*$", "the only pattern that is known here");
            let text = value.as_str()?;
            let fits = text.len() % 2 == 0 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            (!fits).then(|| format!("`{text}` is not hexadecimal"))
        }
        "items" => value.as_array()?.iter().find_map(|item| fault(root, says, item)),
        "additionalProperties" => {
            assert_eq!(says, false, "the only value that is known here");
            let known = schema["properties"].as_object().unwrap();
            value.as_object()?.keys().find(|key| !known.contains_key(*key)).map(|key| format!("unknown key `{key}`"))
        }
        "properties" => {
            let object = value.as_object()?;
            let missing = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            let missing = missing.map(|key| key.as_str().unwrap()).find(|key| !object.contains_key(*key));
            missing.map(|key| format!("`{key}` is missing")).or_else(|| {
                let parts = says.as_object().unwrap();
                parts
                    .iter()
                    .find_map(|(key, part)| fault(root, part, object.get(key)?).map(|why| format!("{key}: {why}")))
            })
        }
        other => panic!("the keyword `{other}` is not known here"),
    })
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type `{other}` is not known here"),
    }
}

#[track_caller]
fn holds(schema: &Value, line: &str) {
    let value: Value = serde_json::from_str(line).unwrap();
    assert_eq!(fault(schema, schema, &value), None, "{line}");
}

/// A key of an event that its type does not have. A reader ignores it, but an example must not show it.
fn unknown_key(schema: &Value, line: &str) -> Option<String> {
    let event: Value = serde_json::from_str(line).unwrap();
    let alternatives = schema["oneOf"].as_array().unwrap();
    let own = alternatives.iter().find(|one| one["properties"]["event"]["const"] == event["event"]).unwrap();
    let known = &schema["$defs"][own["$ref"].as_str().unwrap().rsplit('/').next().unwrap()]["properties"];
    event.as_object().unwrap().keys().find(|key| *key != "event" && known.get(key).is_none()).cloned()
}

#[test]
fn the_file_is_what_the_types_say() {
    let current = judge_event::json_schema();
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(file(), &current).unwrap();
    }
    let kept = fs::read_to_string(file()).unwrap_or_default();
    assert!(kept == current, "{} is not current; UPDATE_SCHEMA=1 writes it", file().display());
}

#[test]
fn every_example_of_the_documentation_fits() {
    let schema = schema();
    let page = fs::read_to_string(file().with_file_name("events.md")).unwrap();
    let examples: Vec<&str> = page.lines().filter(|line| line.starts_with("{\"event\"")).collect();
    assert!(examples.len() >= 12);
    for example in examples {
        holds(&schema, example);
        let unknown = unknown_key(&schema, example);
        assert_eq!(unknown, None, "no such key: {example}");
    }
    assert_eq!(unknown_key(&schema, r#"{"event":"check_finished","ended":"completed"}"#).as_deref(), Some("ended"));
}

#[test]
fn a_run_fits() {
    let Some(workspace) = Workspace::with_sum() else { return };
    workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
    workspace.write("solutions/sum/accepted/none.c", "int main(void) { return 3 }\n");
    let bytes = "#include <stdio.h>\nint main(void) { fputs(\"\\xff\\n\", stdout); fputs(\"\\xfe\\n\", stderr); }\n";
    workspace.write("solutions/sum/wrong_answer/bytes.c", bytes);
    let said = workspace.judge(["verify", "--json"]).exits(3);
    assert!(said.stdout.contains("{\"hex\":\"ff"), "{}", said.stdout);
    let schema = schema();
    said.stdout.lines().for_each(|line| holds(&schema, line));
}

#[test]
fn what_is_no_event_does_not_fit() {
    let schema = schema();
    for value in [
        json!({"event": "run_finished", "end": "completed"}),
        json!({"event": "run_finished", "end": "well", "wall_time_us": 1}),
        json!({"event": "run_finished", "end": "completed", "wall_time_us": -1}),
        json!({"event": "run_finished", "end": "completed", "wall_time_us": "1"}),
        json!({"event": "coffee_made"}),
        json!({"end": "completed", "wall_time_us": 1}),
        json!([]),
    ] {
        assert!(fault(&schema, &schema, &value).is_some(), "{value}");
    }
    assert_eq!(
        fault(&schema, &schema, &json!({"event": "run_finished", "end": "completed", "wall_time_us": 1, "new": 2})),
        None
    );
}

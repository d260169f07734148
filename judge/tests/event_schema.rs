//! The JSON Schema of the event stream: streams and the examples of the documentation are valid.
//!
//! `judge/crates/event/tests/schema.rs` checks that the file agrees with the types.

use std::fs;
use std::path::{Path, PathBuf};

use judge_fixtures::schema::fault;
use serde_json::{Value, json};

use crate::workspace::{SUM_PLUS_ONE, Workspace};

pub(crate) fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/events.schema.json")
}

pub(crate) fn schema() -> Value {
    serde_json::from_str(&fs::read_to_string(file()).unwrap()).unwrap()
}

#[track_caller]
fn holds(schema: &Value, line: &str) {
    let value: Value = serde_json::from_str(line).unwrap();
    assert_eq!(fault(schema, &value), None, "{line}");
}

/// A key of an event that its type does not have. A reader ignores it, but an example must not show
/// it.
fn unknown_key(schema: &Value, line: &str) -> Option<String> {
    let event: Value = serde_json::from_str(line).unwrap();
    let alternatives = schema["oneOf"].as_array().unwrap();
    let own = alternatives
        .iter()
        .find(|one| one["properties"]["event"]["const"] == event["event"])
        .unwrap();
    let known =
        &schema["$defs"][own["$ref"].as_str().unwrap().rsplit('/').next().unwrap()]["properties"];
    event
        .as_object()
        .unwrap()
        .keys()
        .find(|key| *key != "event" && known.get(key).is_none())
        .cloned()
}

#[test]
fn documented_examples_match_the_schema() {
    let schema = schema();
    let page = fs::read_to_string(file().with_file_name("reference/events.md")).unwrap();
    let examples: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("{\"event\""))
        .collect();
    assert!(examples.len() >= 12);
    for example in examples {
        holds(&schema, example);
        let unknown = unknown_key(&schema, example);
        assert_eq!(unknown, None, "no such key: {example}");
    }
    assert_eq!(
        unknown_key(&schema, r#"{"event":"check_finished","ended":"completed"}"#).as_deref(),
        Some("ended")
    );
}

#[test]
fn events_of_a_run_match_the_schema() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
    workspace.write(
        "solutions/sum/accepted/none.c",
        "int main(void) { return 3 }\n",
    );
    let bytes = "#include <stdio.h>\nint main(void) { fputs(\"\\xff\\n\", stdout); fputs(\"\\xfe\\n\", stderr); }\n";
    workspace.write("solutions/sum/wrong_answer/bytes.c", bytes);
    let output = workspace.judge(["verify", "--report=json"]).exits(3);
    assert!(output.stdout.contains("{\"hex\":\"ff"), "{}", output.stdout);
    let schema = schema();
    output.stdout.lines().for_each(|line| holds(&schema, line));
}

#[test]
fn invalid_events_do_not_match_the_schema() {
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
        assert!(fault(&schema, &value).is_some(), "{value}");
    }
    assert_eq!(
        fault(
            &schema,
            &json!({"event": "run_finished", "end": "completed", "wall_time_us": 1, "new": 2})
        ),
        None
    );
}

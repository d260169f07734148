//! The JSON Schema of the event stream, generated from the types.
//!
//! Responsible for one text by which other programs can validate a stream. It is compiled for tests
//! only, with the feature `schema`. Must not know where the text is stored.

use crate::{Event, GradeRequest, GradeResult};

/// The schema of one line of a stream, as text with a line break at its end.
///
/// # Panics
/// Never: a schema is JSON with string keys.
#[must_use]
pub fn json_schema() -> String {
    let mut schema = schemars::schema_for!(Event);
    let title = "One line of the event stream of `judge`, schema 1";
    schema.insert("title".to_owned(), title.into());
    serde_json::to_string_pretty(&schema).expect("a schema has string keys only") + "\n"
}

/// The lines that `judge grade` reads and writes.
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum GradeLine {
    Request(Box<GradeRequest>),
    Result(Box<GradeResult>),
}

/// The schema of a request and a result of `judge grade`, as text with a line break at its end.
///
/// # Panics
/// Never: a schema is JSON with string keys.
#[must_use]
pub fn grade_json_schema() -> String {
    let mut schema = schemars::schema_for!(GradeLine);
    let title = "A request or a result of `judge grade`, schema 1";
    schema.insert("title".to_owned(), title.into());
    serde_json::to_string_pretty(&schema).expect("a schema has string keys only") + "\n"
}

//! The schema of `submissions.yaml`.
//!
//! Must not know the submissions.

use judge_model::Verdict;
use serde_json::{Value, json};

use super::types::{
    Key, any, boolean, list, non_empty_list, object, one_of, optional, person, string,
};
use crate::submissions::rules::{DEMANDS, FACTS, VERDICTS};

pub(super) fn schema() -> Value {
    let mut rule = object(&[&DEMANDS[..], &FACTS[..]].concat(), key);
    rule["additionalProperties"] = object(&DEMANDS, key);
    rule["additionalProperties"]["description"] =
        json!("expectations on the test cases and groups that this glob covers");
    json!({
        "type": ["object", "null"],
        "additionalProperties": optional(rule),
        "description": "globs of submissions, such as `accepted/*.py`, with their settings",
    })
}

fn key(key: &str) -> Key {
    let verdict = one_of(&VERDICTS.map(Verdict::code));
    let verdicts = any(&[verdict.clone(), non_empty_list(&verdict)]);
    match key {
        "permitted" => (verdicts, "the verdicts that any test case may have"),
        "required" => (
            verdicts,
            "the verdicts of which at least one test case must have one",
        ),
        "score" => (
            json!({"type": ["number", "array"], "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
            "the score, or a list of the smallest and the largest",
        ),
        "message" => (
            string(),
            "a string that the message of the output validator must contain",
        ),
        "use_for_time_limit" => (
            json!({"enum": [true, false, "lower", "upper"]}),
            "whether the time limit is inferred from it: as one that must be fast enough, or too slow",
        ),
        "language" => (string(), "the code of its language"),
        "entrypoint" => (string(), "the file or class that is started"),
        "authors" => (any(&[person(), list(&person())]), "the people who wrote it"),
        _ => (boolean(), "whether it is the solution to be shown"),
    }
}

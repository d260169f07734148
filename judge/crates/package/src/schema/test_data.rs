//! The schemas of `test_group.yaml` and of `testdata.yaml`.
//!
//! Must not know where the files are.

use serde_json::{Value, json};

use super::types::{
    Key, any, boolean, integer, lenient, mapping, object, one_of, optional, range, score,
    string_or_strings, strings,
};
use crate::metadata::grading::ON_REJECT;
use crate::test_data::settings::{LEGACY, SCORING, SHARED, STATIC};

/// The schema for every group, although `sample` has fewer keys.
pub(super) fn test_group() -> Value {
    optional(object(
        &[&SHARED[..], &STATIC[..], &SCORING[..]].concat(),
        group_key,
    ))
}

/// The schema for legacy packages, and for drafts, which also have the arguments of
/// `test_group.yaml`.
pub(super) fn testdata() -> Value {
    optional(lenient(&LEGACY, legacy_key))
}

fn group_key(key: &str) -> Key {
    let worth = |none: &str| any(&[integer(0), one_of(&[none])]);
    match key {
        "args" => (strings(), "arguments for submissions"),
        "input_validator_args" => (
            any(&[strings(), mapping(&strings())]),
            "arguments for input validators: all of them, or by name",
        ),
        "output_validator_args" => (strings(), "arguments for the output validator"),
        "input_visualizer_args" | "output_visualizer_args" => {
            (strings(), "arguments for the visualizer")
        }
        "full_feedback" => (
            boolean(),
            "whether contestants see everything about these test cases",
        ),
        "static_validation_score" => (worth("pass-fail"), "the score of the static validation"),
        "static_validator_args" => (strings(), "arguments for the static validator"),
        "max_score" => (worth("unbounded"), "the maximum score of the group"),
        "score_aggregation" => (
            one_of(&["pass-fail", "sum", "min"]),
            "how the scores in the group are combined",
        ),
        _ => (
            string_or_strings(),
            "groups that must be passed first, such as `sample` or `secret/group1`",
        ),
    }
}

fn legacy_key(key: &str) -> Key {
    let flags = json!({"type": ["string", "number"]});
    match key {
        "on_reject" => (
            one_of(&ON_REJECT),
            "whether judging continues after a rejected test case",
        ),
        "grading" => (
            one_of(&["default", "custom"]),
            "the default grader, or the package's own",
        ),
        "grader_flags" => (
            flags,
            "flags of the grader, such as `min` or `accept_if_any_accepted`",
        ),
        "input_validator_flags" | "output_validator_flags" => {
            let by_name = mapping(&flags);
            (
                any(&[flags, by_name]),
                "arguments for validators: all of them, or by name",
            )
        }
        "range" => (range(), "the smallest and the largest score"),
        _ => (score(), "the score of a test case"),
    }
}

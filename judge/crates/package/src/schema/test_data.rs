//! The schemas of `test_group.yaml` and of `testdata.yaml`.
//!
//! Must not know where the files lie.

use serde_json::{Value, json};

use super::types::{
    Key, any, boolean, integer, lenient, mapping, object, one_of, optional, range, score,
    text_or_texts, texts,
};
use crate::metadata::grading::ON_REJECT;
use crate::test_data::settings::{LEGACY, SCORING, SHARED, STATIC};

/// The schema for every group, although `sample` has fewer keys.
pub(super) fn test_group() -> Value {
    optional(object(
        &[&SHARED[..], &STATIC[..], &SCORING[..]].concat(),
        of_group,
    ))
}

/// The schema for legacy packages, and for drafts, which also have the arguments of
/// `test_group.yaml`.
pub(super) fn testdata() -> Value {
    optional(lenient(&LEGACY, of_legacy))
}

fn of_group(key: &str) -> Key {
    let worth = |none: &str| any(&[integer(0), one_of(&[none])]);
    match key {
        "args" => (texts(), "arguments for submissions"),
        "input_validator_args" => (
            any(&[texts(), mapping(&texts())]),
            "arguments for input validators: all of them, or by name",
        ),
        "output_validator_args" => (texts(), "arguments for the output validator"),
        "input_visualizer_args" | "output_visualizer_args" => {
            (texts(), "arguments for the visualizer")
        }
        "full_feedback" => (
            boolean(),
            "whether contestants see everything about these test cases",
        ),
        "static_validation_score" => (worth("pass-fail"), "the score of the static validation"),
        "static_validator_args" => (texts(), "arguments for the static validator"),
        "max_score" => (worth("unbounded"), "the maximum score of the group"),
        "score_aggregation" => (
            one_of(&["pass-fail", "sum", "min"]),
            "how the scores in the group are combined",
        ),
        _ => (
            text_or_texts(),
            "groups that must be passed first, such as `sample` or `secret/group1`",
        ),
    }
}

fn of_legacy(key: &str) -> Key {
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

//! The schema of `problem.yaml`.
//!
//! Must not know what any value means for judging.

use serde_json::{Value, json};

use super::types::{
    Key, any, boolean, integer, lenient, mapping, named, non_empty_list, object, one_of, optional,
    pattern, person, range, requiring, score, string, string_or_strings, strings,
};
use crate::metadata::grading::ON_REJECT;
use crate::metadata::{
    Dialect, LICENSES, MAX_FACTOR, MAX_OUTPUT_MIB, MIN_MEMORY_MIB, VERSIONS, YEAR, current, legacy,
    types,
};

/// One schema for all versions: `problem_format_version` decides which part applies.
pub(super) fn schema() -> Value {
    let versions = |applies: &dyn Fn(Dialect) -> bool| -> Vec<&str> {
        VERSIONS
            .iter()
            .filter(|(_, dialect)| applies(*dialect))
            .map(|(name, _)| *name)
            .collect()
    };
    let is = |names: &[&str]| {
        json!({
            "type": "object",
            "properties": {"problem_format_version": {"enum": names}},
            "required": ["problem_format_version"],
        })
    };
    json!({
        "type": ["object", "null"],
        "properties": {
            "problem_format_version": {
                "description": "the version of the format; without it `legacy`",
                "enum": versions(&|_| true).into_iter().map(Some).chain([None]).collect::<Vec<_>>(),
            },
        },
        "if": is(&versions(&|dialect| dialect == Dialect::V2025_09)),
        "then": {"$ref": "#/definitions/2025-09"},
        "else": {
            "if": is(&versions(&|dialect| dialect == Dialect::Draft)),
            "then": {"$ref": "#/definitions/draft"},
            "else": {"$ref": "#/definitions/legacy"},
        },
        "definitions": {
            "people": one_or_more(&person()),
            "2025-09": requiring(object(&current::KEYS[..current::KEYS.len() - 1], |key| current_key(key, false)), &["name", "uuid"]),
            "draft": requiring(object(&current::KEYS, |key| current_key(key, true)), &["name"]),
            "legacy": optional(object(&legacy::KEYS, legacy_key)),
        },
    })
}

/// Words in one string, or a list of words.
fn words() -> Value {
    string_or_strings()
}

fn type_of(known: &[&str]) -> Value {
    let each = known.join("|");
    any(&[
        one_of(known),
        non_empty_list(&one_of(known)),
        pattern(&format!(r"^\s*(?:{each})(?:\s+(?:{each}))*\s*$")),
    ])
}

fn names() -> [Value; 2] {
    let by_language = json!({
        "type": "object",
        "patternProperties": {"^[a-z]{2,3}(?:-[A-Z]{2})?$": optional(string())},
        "additionalProperties": false,
        "minProperties": 1,
    });
    [pattern(r"\S"), by_language]
}

/// One item, or a non-empty list of items.
fn one_or_more(item: &Value) -> Value {
    any(&[item.clone(), non_empty_list(item)])
}

/// The keys that all versions have.
fn shared(key: &str) -> Option<Key> {
    Some(match key {
        "problem_format_version" => (json!({}), ""),
        "uuid" => (
            string(),
            "a unique id, which stays the same when the problem changes",
        ),
        "license" => (
            one_of(&LICENSES),
            "the licence; all but `unknown` and `public domain` need an owner",
        ),
        "rights_owner" => (
            string(),
            "the owner of the rights; by default the authors, or else the source",
        ),
        _ => return None,
    })
}

fn current_key(key: &str, is_draft: bool) -> Key {
    let keywords = if is_draft { words() } else { strings() };
    shared(key).unwrap_or_else(|| match key {
        "type" => (
            type_of(&types::ALL),
            "the type of the problem, or a list of types; by default `pass-fail`",
        ),
        "name" => (any(&names()), "the name, in English or by language"),
        "version" => (string(), "the version of the problem"),
        "credits" => (
            any(&[string(), object(&current::ROLES, role)]),
            "the author, or people by role",
        ),
        "source" => (
            one_or_more(&source()),
            "the contest, course or book that the problem comes from",
        ),
        "embargo_until" => (
            pattern(DATE_OR_TIME),
            "a date `YYYY-MM-DD` or a time `YYYY-MM-DDThh:mm:ssZ`",
        ),
        "limits" => (
            object(&current::LIMITS, limit),
            "limits of time, memory and sizes",
        ),
        "keywords" => (keywords, "search keywords"),
        "languages" => (
            any(&[one_of(&["all"]), non_empty_list(&string())]),
            "the codes of the languages that submissions may have, or `all`",
        ),
        "allow_file_writing" => (boolean(), "whether submissions may write files"),
        "constants" => (constants(), "names, and the values that replace `{{name}}`"),
        _ => (words(), "arguments for the output validator"),
    })
}

fn people() -> Value {
    json!({"$ref": "#/definitions/people"})
}

fn role(role: &str) -> Key {
    match role {
        "authors" => (
            people(),
            "the people who had the idea and wrote the problem",
        ),
        "translators" => (mapping(&people()), "translators, by language"),
        _ => (people(), ""),
    }
}

fn source() -> Value {
    let keys = object(&current::SOURCE, |key| {
        (
            string(),
            if key == "name" {
                "the name of the source"
            } else {
                "an address of a page about it"
            },
        )
    });
    any(&[string(), requiring(keys, &["name"])])
}

fn constants() -> Value {
    let value = json!({"type": ["string", "number"]});
    let mut variants = named("^[A-Za-z0-9_]+$", &value);
    variants["required"] = json!(["value"]);
    variants["properties"] = json!({"value": value});
    named("^[A-Za-z_][A-Za-z0-9_]*$", &any(&[value, variants]))
}

fn seconds() -> Value {
    json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": YEAR})
}

fn factor() -> Value {
    json!({"type": "number", "minimum": 1, "maximum": MAX_FACTOR})
}

fn limit(key: &str) -> Key {
    match key {
        "time_limit" => (
            seconds(),
            "seconds of CPU time for each test case; inferred from submissions when not given",
        ),
        "time_resolution" => (seconds(), "seconds; the time limit is a multiple of it"),
        "time_multipliers" => (
            object(&current::TIME_MULTIPLIERS, |_| (factor(), "")),
            "the margins around the time limit",
        ),
        "time_multiplier" => (
            factor(),
            "the minimum ratio of the time limit to the time of the slowest accepted submission",
        ),
        "time_safety_margin" => (
            factor(),
            "the minimum ratio of the time of submissions that are too slow to the time limit",
        ),
        "memory" => (integer(MIN_MEMORY_MIB), "MiB"),
        "output" | "validation_output" => (
            json!({"type": "integer", "minimum": 1, "maximum": MAX_OUTPUT_MIB}),
            "MiB",
        ),
        "compilation_memory" | "validation_memory" => (integer(1), "MiB"),
        "code" => (integer(1), "KiB"),
        "compilation_time" | "validation_time" => (seconds(), "seconds"),
        _ => (
            integer(2),
            "the maximum number of passes of a submission (multi-pass)",
        ),
    }
}

fn legacy_key(key: &str) -> Key {
    if key == "license" {
        // Legacy packages have arbitrary ones, and a licence does not affect verdicts.
        return (
            any(&[one_of(&LICENSES), string()]),
            "the licence; all but `unknown` and `public domain` need an owner",
        );
    }
    shared(key).unwrap_or_else(|| match key {
        "type" => (type_of(&legacy::TYPES), "`pass-fail` or `scoring`"),
        "name" => {
            let [name, by_language] = names();
            (
                any(&[name, by_language, json!({"type": "integer"})]),
                "the name",
            )
        }
        "author" => (
            string_or_strings(),
            "the authors, separated by `,` or `and`",
        ),
        "source" | "source_url" => (string(), ""),
        "limits" => (
            lenient(&legacy::LIMITS, limit),
            "limits of time, memory and sizes; unknown ones are ignored",
        ),
        "validation" => (
            pattern(VALIDATION),
            "`default`, or `custom` with any of `score`, `interactive`, `multi-pass`",
        ),
        "validator_flags" => (words(), "arguments for the output validator"),
        "grading" => (object(&legacy::GRADING, grading), "how scores are computed"),
        _ => (words(), "search keywords"),
    })
}

fn grading(key: &str) -> Key {
    match key {
        "objective" => (
            one_of(&["max", "min"]),
            "whether high or low scores are better",
        ),
        "show_test_data_groups" => (
            any(&[
                boolean(),
                one_of(&crate::yaml::fields::YAML_1_1_BOOLEANS.map(|(word, _)| word)),
            ]),
            "whether contestants see the groups",
        ),
        "range" => (range(), "the smallest and the largest score"),
        "on_reject" => (
            one_of(&ON_REJECT),
            "whether judging continues after a rejected test case",
        ),
        _ => (score(), "a score"),
    }
}

/// Source: 2025-09, "Embargo".
const DATE_OR_TIME: &str = "^[0-9]{4}-(?:0[0-9]|1[0-2])-(?:[0-2][0-9]|3[01])\
    (?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)Z)?$";

/// Source: legacy, "Problem Metadata", `validation`.
const VALIDATION: &str = r"^\s*(?:default|custom(?:\s+(?:score|interactive|multi-pass))*)\s*$";

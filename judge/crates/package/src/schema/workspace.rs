//! The schema of `judge.yaml`.
//!
//! Must not know what the command line overrides.

use judge_model::{Guarantee, IsolationLevel, LanguageFamily, ReportKind};
use serde_json::{Value, json};

use super::types::{
    Key, any, boolean, list, named, non_empty_list, object, one_of, optional, pattern, requiring,
    string, string_or_strings, strings,
};
use crate::code::Code;
use crate::programs::languages;
use crate::workspace::check_settings::{KEYS as CHECK, SILENCING};
use crate::workspace::contest::KEYS as CONTEST;
use crate::workspace::profile::Profile;
use crate::workspace::{ISOLATION, KEYS, MAX_FACTOR, MAX_JOBS, MIN_FACTOR};

pub(super) fn schema() -> Value {
    optional(object(&KEYS, |key| match key {
        "problems" => (
            string_or_strings(),
            "the directory that is searched for problems, or several",
        ),
        "solutions" => (
            string(),
            "the directory of submissions next to the packages",
        ),
        "jobs" => (
            json!({"type": "integer", "minimum": 1, "maximum": MAX_JOBS}),
            "the maximum number of programs that run at a time",
        ),
        "time_factor" => (
            json!({"type": "number", "minimum": MIN_FACTOR, "maximum": MAX_FACTOR}),
            "how many times slower this host is than the one for which time limits are set",
        ),
        "isolation" => (
            any(&[level(), object(&ISOLATION, isolation)]),
            "the required isolation",
        ),
        "report" => {
            let names = ReportKind::ALL.map(ReportKind::name);
            (
                object(&names, |_| (string_or_strings(), "the file, or several")),
                "reports that are written in addition to the printed one",
            )
        }
        "check" => (object(&CHECK, check), "how packages are checked"),
        "contest" => (
            object(&CONTEST, contest),
            "the booklet that `judge statement --contest` makes",
        ),
        "allow_skipped" => (
            string_or_strings(),
            "languages whose submissions may be skipped where their tools are missing",
        ),
        "python" => (
            one_of(&[languages::CPYTHON, languages::PYPY]),
            "the row of the table that runs programs in Python",
        ),
        _ => (
            named("^[a-z0-9_]+$", &language()),
            "changes in the table of languages, and new ones, by their ids",
        ),
    }))
}

fn contest(key: &str) -> Key {
    match key {
        "title" => (string(), "the name of the contest"),
        "subtitle" => (string_or_strings(), "a line below the name, or several"),
        "date" => (string(), "the date, as it is printed"),
        _ => (
            string_or_strings(),
            "the names of its problems, in order; without them all of the workspace",
        ),
    }
}

fn level() -> Value {
    one_of(&IsolationLevel::ALL.map(IsolationLevel::name))
}

fn isolation(key: &str) -> Key {
    let guarantee = one_of(&Guarantee::ALL.map(Guarantee::name));
    match key {
        "level" => (level(), "the level"),
        _ => (
            any(&[guarantee.clone(), list(&guarantee)]),
            "guarantees that the level must give",
        ),
    }
}

fn check(key: &str) -> Key {
    let profiles = Profile::ALL.map(Profile::name);
    match key {
        "profile" => (
            one_of(&profiles),
            "the judging system that the packages are for",
        ),
        _ => {
            let codes: Vec<&str> = Code::all().into_iter().map(Code::id).collect();
            let silencing = object(&SILENCING, |key| match key {
                "code" => (
                    one_of(&codes),
                    "the kind of finding; `judge check --explain` lists them",
                ),
                "problem" => (string(), "the problem; without it all of them"),
                "file" => (
                    string(),
                    "a pattern of files below the package; without it all of them",
                ),
                _ => (pattern(r"\S"), "the reason"),
            });
            (
                list(&requiring(silencing, &["code", "reason"])),
                "findings to silence",
            )
        }
    }
}

fn language() -> Value {
    object(&languages::KEYS, |key| match key {
        "name" => (string(), "the name that reports show"),
        "aliases" => (
            strings(),
            "names that other judges use for the language, in lower case",
        ),
        "family" => (
            one_of(&LanguageFamily::ALL.map(LanguageFamily::id)),
            "the family whose grammar and tools it shares",
        ),
        "minimal" => (string(), "the source of a program that does nothing"),
        "extensions" => (
            list(&pattern("^[^./]+$")),
            "extensions of its files, without the dot",
        ),
        "entry_points" => (
            strings(),
            "names of the file that is started, when there are several",
        ),
        "tools" => (
            named("^[a-z_]+$", &tool()),
            "compilers and other tools, by the names that commands use",
        ),
        "compile" => (
            strings(),
            "the command that compiles, such as `{gcc}`, `-o`, `{output}`, `{sources}`",
        ),
        "static_flags" => (
            strings(),
            "arguments after the first word of `compile`, if the compiler can link with them",
        ),
        "check" => (
            strings(),
            "the command that checks the syntax in a language that is not compiled",
        ),
        "run" => (non_empty_list(&string()), "the command that runs a program"),
        "env" => (list(&pattern("^[^=]+=")), "variables, each as `NAME=value`"),
        "processes" => (
            json!({"type": "integer", "minimum": 1, "maximum": u32::MAX}),
            "the maximum number of processes and threads",
        ),
        "needs_proc" => (boolean(), "whether it needs `/proc`"),
        _ => (boolean(), "whether ordinary programs start other processes"),
    })
}

fn tool() -> Value {
    let tool = object(&languages::TOOL, |key| match key {
        "names" => (
            non_empty_list(&string()),
            "names of the program, the best first",
        ),
        "prefix_args" => (strings(), "arguments that come before all others"),
        "executable" => (
            string(),
            "the program that is started instead of the one that was found",
        ),
        _ => (strings(), "arguments that make it print its version"),
    });
    requiring(tool, &["names"])
}

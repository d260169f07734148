//! The documents of `judge grade`: a request to judge a program, and its result.
//!
//! Responsible for their fields, units and bounds. Must not know what judges a request. No events:
//! lines of a separate protocol with other programs.

use std::collections::BTreeMap;
use std::fmt;

use judge_model::{LanguageId, Score, Verdict};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::{Bytes, Excerpt};

/// A request: a program, and the problem that it is judged on. Unknown keys are refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GradeRequest {
    /// The name of the request, a string or an integer, which is repeated in its result.
    #[serde(default)]
    pub id: Option<RequestId>,
    /// The problem: the name or path of a package, or an object with test cases.
    pub problem: RequestedProblem,
    /// The text of a program of one file.
    #[serde(default)]
    pub source: Option<String>,
    /// The program's files: an object with the text of each, by its path in the program.
    #[serde(default)]
    pub files: Option<BTreeMap<String, String>>,
    /// The path of a program on this host, a file or a directory, relative to the working directory.
    #[serde(default)]
    pub path: Option<String>,
    /// The language, such as `cpp`, as `judge doctor` lists them, or an alias of it; without it, the
    /// name of the file determines it.
    #[serde(default)]
    pub language: Option<LanguageId>,
    /// The name of the file with the text of `source`; without it, the usual name of the language.
    #[serde(default)]
    pub filename: Option<String>,
    /// The test cases and groups to judge, such as `secret/01` or `sample`; without it, all of
    /// them.
    #[serde(default)]
    pub tests: Option<Vec<String>>,
    /// The condition under which judging stops.
    #[serde(default)]
    pub stop: Stop,
    /// The limits that replace the problem's.
    #[serde(default)]
    pub limits: RequestedLimits,
    /// True for a result that lists every test case.
    #[serde(default)]
    pub details: bool,
    /// The priority among the waiting requests: the highest one is judged first, and among equal
    /// ones the first. At most 1,024 requests are read ahead.
    #[serde(default)]
    pub priority: i64,
}

/// The name of a request: a string or an integer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "`id` is neither a string nor an integer of at most 64 bits"
)]
pub enum RequestId {
    /// An integer.
    Number(i64),
    /// A string.
    Text(String),
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// A problem: the name or path of a package, or an object with test cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum RequestedProblem {
    /// The name or path of a package.
    Named(String),
    /// A problem without a package.
    Inline(Box<InlineProblem>),
}

impl<'de> Deserialize<'de> for RequestedProblem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Not derived: the error of an untagged enum does not name the wrong key.
        struct ProblemVisitor;
        impl<'de> Visitor<'de> for ProblemVisitor {
            type Value = RequestedProblem;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a problem or an object with `tests`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<RequestedProblem, E> {
                Ok(RequestedProblem::Named(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RequestedProblem, A::Error> {
                InlineProblem::deserialize(MapAccessDeserializer::new(map))
                    .map(Box::new)
                    .map(RequestedProblem::Inline)
            }
        }
        deserializer.deserialize_any(ProblemVisitor)
    }
}

/// A problem without a package: test cases, and the check of outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InlineProblem {
    /// The test cases, at least one. Their names in results are `1`, `2` and so on.
    pub tests: Vec<InlineTest>,
    /// The limits.
    #[serde(default)]
    pub limits: RequestedLimits,
    /// The comparison of outputs, if there is no checker.
    #[serde(default)]
    pub comparison: OutputComparison,
    /// The checker: a testlib checker or an output validator.
    #[serde(default)]
    pub checker: Option<ProgramSource>,
}

/// A test case of a problem without a package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InlineTest {
    /// Standard input.
    pub input: Bytes,
    /// The expected output.
    pub output: Bytes,
}

/// A program: `source`, `files` or `path`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProgramSource {
    /// The text of a program of one file.
    #[serde(default)]
    pub source: Option<String>,
    /// The program's files: an object with the text of each, by its path in the program.
    #[serde(default)]
    pub files: Option<BTreeMap<String, String>>,
    /// The path of a program on this host, a file or a directory, relative to the working directory.
    #[serde(default)]
    pub path: Option<String>,
    /// The language, such as `cpp`, as `judge doctor` lists them, or an alias of it; without it, the
    /// name of the file determines it.
    #[serde(default)]
    pub language: Option<LanguageId>,
    /// The name of the file with the text of `source`; without it, the usual name of the language.
    #[serde(default)]
    pub filename: Option<String>,
}

/// Limits, with the names and units of `limits` in problem.yaml. An absent limit is the problem's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RequestedLimits {
    /// CPU time on one test case, in seconds, from 0.000001 to 86400; 10 if neither the request nor
    /// the problem states it. The limit on elapsed time follows from it.
    #[serde(default)]
    pub time_limit: Option<f64>,
    /// Memory, in MiB, at most 1048576; 2048 if neither states it.
    #[serde(default)]
    pub memory: Option<u64>,
    /// Output on one test case, in MiB, at most 1048576; 8 if neither states it.
    #[serde(default)]
    pub output: Option<u64>,
}

/// The comparison of outputs with expected ones. Without any key, tokens are compared, ignoring
/// white space and the case of letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OutputComparison {
    /// True when upper and lower case are different.
    #[serde(default)]
    pub case_sensitive: bool,
    /// True when white space has to be the same.
    #[serde(default)]
    pub space_change_sensitive: bool,
    /// The absolute or relative error that numbers may have.
    #[serde(default)]
    pub float_tolerance: Option<f64>,
    /// The absolute error that numbers may have.
    #[serde(default)]
    pub float_absolute_tolerance: Option<f64>,
    /// The relative error that numbers may have.
    #[serde(default)]
    pub float_relative_tolerance: Option<f64>,
}

/// The condition under which judging a program stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// As soon as verdict and score are known (the default).
    #[default]
    FirstFailure,
    /// After the last test case.
    Never,
}

/// The result of a request. A key that does not apply is left out; later versions may add keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GradeResult {
    /// The name of the request; absent when it has none, or could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<RequestId>,
    /// The line of the request in its file, counted from 1.
    pub line: u64,
    /// The verdict; absent when there is an `error`, except for JE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The score, in a scoring problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// CPU time of the slowest test case, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The largest peak memory of its runs, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// The number of test cases with the verdict AC.
    pub passed: u64,
    /// The number of test cases on which the program ran.
    #[serde(rename = "judged")]
    pub test_cases_judged: u64,
    /// The first test case that is not AC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_failure: Option<Box<FirstFailure>>,
    /// The message of the compiler, at most 8 KiB of it.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub compiler_message: Bytes,
    /// True when nothing was run for this result: an equal request or earlier commands produced all
    /// of it.
    #[serde(default)]
    pub cached: bool,
    /// The reason why there is no verdict, or why it is JE.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<GradeError>,
    /// Every test case on which the program ran, in order, if the request has `details`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test_cases: Vec<GradedTestCase>,
}

/// The first test case that a program fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstFailure {
    /// Its name.
    pub test_case: String,
    /// The verdict on it.
    pub verdict: Verdict,
    /// The reason for the verdict in one sentence, such as the signal, the exit code, or the limit
    /// that was reached.
    #[serde(default)]
    pub reason: String,
    /// The beginning and the end of its input.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub input: Excerpt,
    /// The lines of the expected output around the first difference, for WA. A checker may accept
    /// other outputs.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub expected: Bytes,
    /// The same lines of the output of the program.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub actual: Bytes,
    /// The line of the output with the first difference, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The end of standard error.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub stderr: Excerpt,
    /// The message of the checker.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub message: Bytes,
}

/// The result of a test case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GradedTestCase {
    /// Its name.
    pub test_case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// CPU time, in seconds.
    pub time: f64,
    /// Peak memory, in bytes.
    pub memory: u64,
    /// Its score, if single test cases have scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
}

/// The reason why a request has no verdict, or the verdict JE.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GradeError {
    /// The side that has to act.
    pub kind: ErrorKind,
    /// The message, at most 4 KiB of it.
    pub message: String,
}

/// The side that has to act on an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The author of the request: the line, a key, or the name of the problem is wrong.
    Request,
    /// The author of the problem: the package is broken, or a program of it failed.
    Package,
    /// The administrator of the host: it has no tools for the language.
    Host,
}

/// The name of a request that may be invalid in any other way.
#[derive(Debug, Default, Deserialize)]
struct OnlyId {
    #[serde(default)]
    id: Option<RequestId>,
}

/// The priority of a request that may be invalid in any other way.
#[derive(Debug, Default, Deserialize)]
struct OnlyPriority {
    #[serde(default)]
    priority: i64,
}

impl GradeRequest {
    /// The priority in the line of a request; 0 if it cannot be read.
    #[must_use]
    pub fn priority_in(line: &[u8]) -> i64 {
        let OnlyPriority { priority } = serde_json::from_slice(line).unwrap_or_default();
        priority
    }

    /// Reads the line of a request.
    ///
    /// # Errors
    /// When the line is not a request: its name, if it has one, and the reason.
    pub fn parse(line: &[u8]) -> Result<Self, (Option<RequestId>, String)> {
        if let Some(why) = not_an_object(line) {
            return Err((None, why.to_owned()));
        }
        serde_json::from_slice(line).map_err(|error| {
            let OnlyId { id } = serde_json::from_slice(line).unwrap_or_default();
            (id, reason(line, &error))
        })
    }
}

/// The reason why a line is certainly no request, by its first bytes.
fn not_an_object(line: &[u8]) -> Option<&'static str> {
    match line.trim_ascii_start() {
        [0xef, 0xbb, 0xbf, ..] => {
            Some("the line begins with a byte order mark\nhint: save the file as UTF-8 without one")
        }
        [b'[', ..] => Some(
            "expected one JSON object per line, found an array\n\
             hint: write each of its elements on a line of its own, as `jq -c '.[]'` does",
        ),
        _ => None,
    }
}

/// The reason why a line is not a request.
fn reason(line: &[u8], error: &serde_json::Error) -> String {
    let text = error
        .to_string()
        .replace(" at line 1 column ", ", at column ")
        .replace("expected f64", "expected a number");
    let is_object = line.trim_ascii_start().starts_with(b"{");
    // An enum that is null is a syntax error to serde_json, although the line is JSON.
    if error.is_syntax() && serde_json::from_slice::<de::IgnoredAny>(line).is_ok() {
        let key = key_at(line, error.column()).unwrap_or_default();
        return format!(
            "`{key}`: {}",
            text.replace("expected value", "must not be null")
        );
    }
    if error.is_eof() && is_object {
        return format!("not JSON: {text}\nhint: a request is one line, as `jq -c .` writes it");
    }
    if error.is_syntax() || error.is_eof() {
        return format!("not JSON: {text}");
    }
    if !is_object {
        return "expected one JSON object per line, found another value\n\
                hint: a request is one line, as `jq -c .` writes it"
            .to_owned();
    }
    match key_at(line, error.column()).filter(|_| text.starts_with("invalid ")) {
        Some(key) => format!("`{key}`: {text}"),
        None => text,
    }
}

/// The key of the value that ends at a column of an object, with those around it.
fn key_at(line: &[u8], column: usize) -> Option<String> {
    // One key for each open object or array.
    let mut keys: Vec<Option<&[u8]>> = Vec::new();
    let mut index = 0;
    while index < column.min(line.len()) {
        match line[index] {
            b'{' | b'[' => keys.push(None),
            b'}' | b']' => drop(keys.pop()),
            b'"' => {
                let begin = index + 1;
                index = begin;
                while index < line.len() && line[index] != b'"' {
                    index += if line[index] == b'\\' { 2 } else { 1 };
                }
                let text = line.get(begin..index)?;
                let is_key = line.get(index + 1..)?.trim_ascii_start().starts_with(b":");
                if let Some(key) = keys.last_mut().filter(|_| is_key) {
                    *key = Some(text);
                }
            }
            _ => {}
        }
        index += 1;
    }
    let keys: Vec<_> = keys
        .into_iter()
        .flatten()
        .map(String::from_utf8_lossy)
        .collect();
    (!keys.is_empty()).then(|| keys.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> (Option<RequestId>, String) {
        GradeRequest::parse(line.as_bytes()).unwrap_err()
    }

    #[test]
    fn both_kinds_of_problems_are_read() {
        let named =
            GradeRequest::parse(br#"{"id": 7, "problem": "sum", "source": "x", "language": "c"}"#)
                .unwrap();
        assert_eq!(named.problem, RequestedProblem::Named("sum".to_owned()));
        assert_eq!(
            (named.id, named.stop),
            (Some(RequestId::Number(7)), Stop::FirstFailure)
        );
        let line =
            br#"{"problem": {"tests": [{"input": "1\n", "output": {"hex": "ff"}}]}, "path": "a.c", "stop": "never"}"#;
        let inline = GradeRequest::parse(line).unwrap();
        let RequestedProblem::Inline(problem) = inline.problem else {
            panic!("{inline:?}")
        };
        assert_eq!(problem.tests[0].output, Bytes(vec![0xff]));
        assert_eq!(inline.stop, Stop::Never);
    }

    #[test]
    fn priorities_are_read_from_any_line() {
        let priority = |line: &str| GradeRequest::priority_in(line.as_bytes());
        assert_eq!(priority(r#"{"priority": -3, "problem": 5}"#), -3);
        assert_eq!(priority(r#"{"problem": "sum"}"#), 0);
        assert_eq!(priority(r#"{"priority": "high"}"#), 0);
        assert_eq!(priority("{"), 0);
    }

    #[test]
    fn errors_name_the_request_and_the_wrong_key() {
        let (id, why) = error(r#"{"id": "a", "problem": "sum", "sourse": "x"}"#);
        assert_eq!(id, Some(RequestId::Text("a".to_owned())));
        assert!(
            why.starts_with("unknown field `sourse`, expected one of `id`, `problem`"),
            "{why}"
        );
        let (_, why) = error(r#"{"id": 1, "problem": {"tests": [], "checkr": 1}}"#);
        assert!(why.starts_with("unknown field `checkr`"), "{why}");
        let (id, why) = error(r#"{"id": 1.5, "problem": "sum"}"#);
        assert_eq!(
            (id, why.contains("neither a string nor an integer")),
            (None, true),
            "{why}"
        );
        let (_, why) = error(r#"{"problem": "sum", "stop": null}"#);
        assert!(
            why.starts_with("`stop`: must not be null, at column "),
            "{why}"
        );
        assert_eq!(error("{\"id\": 3, \"problem\": \"sum\"").0, None);
        assert_eq!(error("[]").0, None);
        for (line, begins, hint) in [
            (
                "[{\"id\": 1}]",
                "expected one JSON object per line, found an array",
                "jq -c '.[]'",
            ),
            (
                "\u{feff}{}",
                "the line begins with a byte order mark",
                "without one",
            ),
            (
                "{",
                "not JSON: EOF while parsing an object",
                "a request is one line",
            ),
            (
                "\"id\": 1,",
                "expected one JSON object per line",
                "a request is one line",
            ),
            (
                r#"{"id": 1, "problem": {"tests": [], "limits": {"time_limit": "a \" b"}}}"#,
                "`problem.limits.time_limit`: invalid type: string \"a \\\" b\", expected a number",
                ", at column ",
            ),
            (
                r#"{"problem": "sum", "language": 3}"#,
                "`language`: invalid type",
                "",
            ),
        ] {
            let (_, why) = error(line);
            assert!(
                why.starts_with(begins) && why.contains(hint),
                "{line}: {why}"
            );
        }
        assert_eq!(error(r#"{"id": 1, "id": 2, "problem": "sum"}"#).0, None);
    }
}

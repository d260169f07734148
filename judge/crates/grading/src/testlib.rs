//! Checkers and interactors of testlib: the meaning of their exit codes and reports.
//!
//! Responsible for the plain protocol of testlib, in which a checker is started as `checker input
//! output answer report -appes`, and an interactor ends and reports like a checker. Must not know
//! which packages use it: in Kattis packages testlib is built to end with 42 and 43, and is run
//! like any output validator.
//!
//! The report takes precedence: macros change exit codes, and some outcomes share one (a checker
//! that gives one point for `_pc(1)` ends like a wrong answer). Without a report, the exit code
//! alone decides.

use judge_model::{Outcome, Score, Termination};

use crate::classify::{TestLimits, ValidatorDecision, classify_ended};
use crate::test_score::parse_decimal;

/// The outcome that a checker of testlib reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TestlibOutcome {
    /// `_ok`.
    Accepted,
    /// `_wa`; or `_pe`, `_dirt` and an output that ends too early, which could not be parsed.
    Rejected,
    /// `_points`, or `_pc` with this many of 200 points: accepted, with a score.
    Points(Score),
    /// `_fail`: the checker, or the answer of the jury, is wrong.
    Fail,
}

/// The report that a checker of testlib wrote with `-appes`.
#[derive(Clone, Debug, PartialEq)]
pub struct TestlibReport {
    /// The outcome.
    pub outcome: TestlibOutcome,
    /// Its comment.
    pub message: Vec<u8>,
}

/// Parses a report: `<result outcome = "wrong-answer">comment</result>`, optionally after an XML
/// declaration.
///
/// # Errors
/// When it is anything else: the reason, worded to follow "the report".
pub fn testlib_report(xml: &[u8]) -> Result<TestlibReport, String> {
    // Not an XML parser: testlib prints this single element without a library, and comments contain
    // bytes that are invalid in XML. A strict reader would turn right verdicts into judge errors.
    let mut rest = xml.trim_ascii();
    if rest.starts_with(b"<?xml") {
        let end = find(rest, b"?>").ok_or("begins with `<?xml`, but has no `?>`")?;
        rest = rest[end + 2..].trim_ascii_start();
    }
    let rest = rest.strip_prefix(b"<result").ok_or("has no `<result`")?;
    let end = find(rest, b">").ok_or("has a `<result` without an end")?;
    let attributes = attributes(&rest[..end])?;
    let message = rest[end + 1..]
        .strip_suffix(b"</result>")
        .ok_or("does not end with `</result>`")?;
    // A checker may print its own text into the report file. An element within the comment shows
    // this, since testlib escapes the comment.
    if message.contains(&b'<') {
        return Err("has more in it than a comment".to_owned());
    }
    let value = |name: &str| {
        attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    };
    let outcome = match value("outcome").ok_or("has no `outcome`")? {
        "accepted" => TestlibOutcome::Accepted,
        "wrong-answer" | "presentation-error" | "unexpected-eof" => TestlibOutcome::Rejected,
        "fail" => TestlibOutcome::Fail,
        "points" => {
            let points = value("points").and_then(parse_decimal);
            TestlibOutcome::Points(Score(
                points.ok_or("has the outcome `points`, but no number of `points`")?,
            ))
        }
        "partially-correct" => {
            let part: Option<u32> = value("pctype").and_then(|part| part.parse().ok());
            let part = part.ok_or("has the outcome `partially-correct`, but no `pctype`")?;
            // The number is taken as the score, as the package wrote it.
            TestlibOutcome::Points(Score(f64::from(part)))
        }
        other => {
            return Err(format!(
                "has the unknown outcome `{}`",
                other.escape_debug()
            ));
        }
    };
    Ok(TestlibReport {
        outcome,
        message: without_entities(message),
    })
}

/// Classifies a checker's run, and returns its score. `report` is its report, if there is one.
#[must_use]
pub fn classify_testlib(
    outcome: &Outcome,
    limits: &TestLimits,
    report: Option<&[u8]>,
) -> (ValidatorDecision, Option<Score>) {
    let code = match classify_ended(outcome, limits) {
        Ok(Termination::Exited { code }) => code,
        // `classify_ended` returns only exits as `Ok`, so this is the cancelled checker.
        Ok(_) | Err(None) => return (ValidatorDecision::Cancelled, None),
        Err(Some(reason)) => return (ValidatorDecision::JudgeError { reason }, None),
    };
    let broken = |reason: String| (ValidatorDecision::JudgeError { reason }, None);
    // An empty report counts as missing.
    let decided = match report
        .filter(|report| !report.trim_ascii().is_empty())
        .map(testlib_report)
    {
        // The report takes precedence over the exit code: packages compile testlib with other exit
        // codes, while the report always has the same words.
        Some(Ok(report)) => report.outcome,
        Some(Err(why)) => return broken(format!("wrote a report that {why}")),
        None => match by_exit_code(code) {
            Some(decided) => decided,
            None => {
                return broken(format!(
                    "exited with code {code} without a report; expected 0 (ok), 1 (wrong answer), 2, 4 or 8 \
                     (presentation error) or 3 (fail)"
                ));
            }
        },
    };
    match decided {
        TestlibOutcome::Accepted => (ValidatorDecision::Accepted, None),
        TestlibOutcome::Rejected => (ValidatorDecision::Rejected, None),
        TestlibOutcome::Points(score) => (ValidatorDecision::Accepted, Some(score)),
        TestlibOutcome::Fail => broken("reports a fault of the jury (`_fail`)".to_owned()),
    }
}

/// True if an interactor's termination alone means that it rejects or fails, regardless of its
/// report: then the further behaviour of the submission does not matter. If points may be given
/// (`scoring`), this needs a signal or an exceeded limit, because an interactor that gives a
/// partial score may end with any exit code.
#[must_use]
pub fn testlib_rejects(outcome: &Outcome, limits: &TestLimits, scoring: bool) -> bool {
    match classify_ended(outcome, limits) {
        Ok(Termination::Exited { code }) => {
            // Without scores the exit code is final. With scores, the report may give points for
            // the same code.
            !scoring
                && by_exit_code(code).is_some_and(|decided| decided != TestlibOutcome::Accepted)
        }
        // Killed by a signal or for a limit: it can no longer accept.
        _ => true,
    }
}

/// Interprets the exit codes of the original testlib. 7 means points, but only the report has their
/// number.
fn by_exit_code(code: i32) -> Option<TestlibOutcome> {
    match code {
        0 => Some(TestlibOutcome::Accepted),
        // 1 is a wrong answer, and the others are presentation errors.
        1 | 2 | 4 | 8 => Some(TestlibOutcome::Rejected),
        3 => Some(TestlibOutcome::Fail),
        _ => None,
    }
}

/// Pairs of `name = "value"`, with or without spaces around the `=`.
fn attributes(text: &[u8]) -> Result<Vec<(String, String)>, String> {
    let wrong = || "has a `<result` with something other than `name = \"value\"` in it".to_owned();
    let mut rest = std::str::from_utf8(text).map_err(|_| wrong())?.trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=').ok_or_else(wrong)?;
        let value = after.trim_start().strip_prefix('"').ok_or_else(wrong)?;
        let (value, after) = value.split_once('"').ok_or_else(wrong)?;
        let name = name.trim();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Err(wrong());
        }
        found.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    Ok(found)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// Replaces the four entities that testlib writes; any other `&` is literal.
fn without_entities(text: &[u8]) -> Vec<u8> {
    const ENTITIES: [(&[u8], u8); 4] = [
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&quot;", b'"'),
        (b"&amp;", b'&'),
    ];
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        match ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity)) {
            Some((entity, byte)) => {
                plain.push(*byte);
                rest = &rest[entity.len()..];
            }
            None => {
                plain.push(*first);
                rest = after;
            }
        }
    }
    plain
}

#[cfg(test)]
#[path = "testlib_tests.rs"]
mod tests;

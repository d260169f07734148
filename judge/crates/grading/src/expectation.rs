//! Expectations: checks whether a submission has the results that the package declares.
//!
//! Responsible for `permitted`, `required`, `message` and `score`, for the verdict on the whole,
//! and for the sentences about violations. Must not know the directory or file of a rule, except as
//! the text that reports its origin.

use judge_model::{Expectation, Score, ScoreRange, Verdict};

use crate::groups::result::GroupResult;

/// The verdict on a submission for one test case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCaseVerdict {
    /// The test case.
    pub test_case: String,
    /// The verdict; `None` when the test case was left out permanently, because of an earlier
    /// result (a required group that was rejected).
    pub verdict: Option<Verdict>,
    /// The message of the output validator to judges (`judgemessage.txt`).
    pub message: Vec<u8>,
}

/// The known results of a submission.
#[derive(Clone, Copy, Debug, Default)]
pub struct Results<'a> {
    /// The test cases so far, in package order.
    pub test_cases: &'a [TestCaseVerdict],
    /// True if these are all test cases of the problem. If judging was stopped early, or only some
    /// test cases were selected, a required verdict may belong to a test case that was not run, so
    /// its absence is not a violation.
    pub complete: bool,
    /// The verdict of the submission as a whole, once there is one.
    pub whole: Option<Verdict>,
    /// True if the problem has scores, and the submission got one.
    pub scoring: bool,
    /// The score of the submission.
    pub score: Option<Score>,
    /// The groups.
    pub groups: &'a [GroupResult],
}

/// True if a set of the package format contains this verdict. CE and JE never match, even if the
/// set lists them: a judge error says nothing about the submission, so it is never as expected.
fn holds(set: &[Verdict], verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::CompileError | Verdict::JudgeError)
        && set.contains(&verdict.in_expectations())
}

/// True if the set contains the verdict on the whole submission. Such a set may name MLE, OLE and
/// CE.
fn holds_whole(set: &[Verdict], verdict: Verdict) -> bool {
    verdict != Verdict::JudgeError
        && (set.contains(&verdict) || set.contains(&verdict.in_expectations()))
}

fn covered<'a>(
    rule: &'a Expectation,
    results: &'a [TestCaseVerdict],
) -> impl Iterator<Item = &'a TestCaseVerdict> {
    results
        .iter()
        .filter(|result| rule.covers(&result.test_case))
}

fn required_is_met(rule: &Expectation, results: &[TestCaseVerdict]) -> bool {
    // One test case with a required verdict is enough: the format lists verdicts of which at least
    // one must occur.
    let met = |result: &TestCaseVerdict| {
        result
            .verdict
            .is_some_and(|verdict| holds(&rule.required, verdict))
    };
    rule.required.is_empty() || covered(rule, results).any(met)
}

fn message_is_met(rule: &Expectation, results: &[TestCaseVerdict]) -> bool {
    let Some(message) = rule
        .message
        .as_deref()
        .filter(|message| !message.is_empty())
    else {
        return true;
    };
    let within = |text: &[u8]| {
        text.windows(message.len())
            .any(|part| part == message.as_bytes())
    };
    covered(rule, results).any(|result| within(&result.message))
}

/// Checks the results of a submission against all of its expectations, and returns the violations
/// as sentences.
///
/// Source: 2025-09, "Example submissions". All rules apply together:
///
/// - Every verdict so far must be in `permitted`.
/// - If verdicts are required, at least one test case must have one of them.
/// - If a message is required, some message must contain it.
/// - Scores must be in their ranges.
///
/// A test case that was left out permanently has no verdict, but counts as not accepted (2025-09,
/// "Group dependencies"). [`is_settled`] decides when judging may stop.
#[must_use]
pub fn check(expectations: &[Expectation], results: &Results<'_>) -> Vec<String> {
    let mut violations = Vec::new();
    for rule in expectations {
        let mut add = |what: String| violations.push(format!("{} {what}", rule.origin));
        check_verdicts(rule, results, &mut add);
        if results.complete && !message_is_met(rule, results.test_cases) {
            let message = rule.message.as_deref().unwrap_or_default().escape_debug();
            add(format!(
                "requires a message with `{message}`, but no test case got one"
            ));
        }
        check_scores(rule, results, &mut add);
    }
    violations
}

fn check_verdicts(rule: &Expectation, results: &Results<'_>, add: &mut dyn FnMut(String)) {
    let (permitted, whole) = (&rule.permitted, &rule.whole);
    let mut all_permitted = true;
    for result in covered(rule, results.test_cases) {
        // The reported verdict is shown: MLE and OLE, and not RTE.
        if let Some(verdict) = result.verdict.filter(|verdict| !holds(permitted, *verdict)) {
            all_permitted = false;
            let (listed, test_case) = (listed(permitted, "and"), &result.test_case);
            add(format!("permits {listed}, but `{test_case}` got {verdict}"));
        }
    }
    // A submission that must be accepted everywhere is not accepted on a test case that was left
    // out because of a rejection that another rule permits.
    let left_out = covered(rule, results.test_cases).find(|result| result.verdict.is_none());
    if let (true, Some(result), [Verdict::Accepted]) = (all_permitted, left_out, &permitted[..]) {
        add(format!(
            "permits AC, but `{}` was not judged because of an earlier rejection",
            result.test_case
        ));
    }
    if results.complete && !required_is_met(rule, results.test_cases) {
        add(format!(
            "requires {} on some test case, but none got it",
            listed(&rule.required, "or")
        ));
    }
    // A rejected submission is rejected regardless of which other test cases are run.
    let known = |verdict: &Verdict| results.complete || *verdict != Verdict::Accepted;
    if let Some(verdict) = results
        .whole
        .filter(known)
        .filter(|verdict| !holds_whole(whole, *verdict))
        && !whole.is_empty()
    {
        let expected = listed(whole, "or");
        add(format!(
            "expects {expected}, but the submission got {verdict}"
        ));
    }
}

fn check_scores(rule: &Expectation, results: &Results<'_>, add: &mut dyn FnMut(String)) {
    // A part of a problem gives no scores, so their absence is not a violation.
    let Some(range) = rule.score.filter(|_| results.scoring) else {
        return;
    };
    let mut check = |whose: &str, score: Option<Score>| {
        if score.is_some_and(|score| range.contains(score)) {
            return;
        }
        let expected = match range {
            ScoreRange { min, max } if min == max => format!("the score {min}"),
            ScoreRange { min, max } => format!("a score from {min} to {max}"),
        };
        let score = score.map_or_else(|| "none".to_owned(), |score| score.to_string());
        add(format!("expects {expected}, but {whose} got {score}"));
    };
    match &rule.scope {
        // Only if the submission has a verdict: the score of a part says nothing about the range.
        None if results.whole.is_some() => check("the submission", results.score),
        None => {}
        Some(ids) => results
            .groups
            .iter()
            .filter(|group| ids.contains(&group.group))
            .for_each(|group| check(&format!("`{}`", group.group), group.score)),
    }
}

/// Returns the violations of a submission that did not compile: one for each rule that does not
/// expect a compile error.
#[must_use]
pub fn check_compile_error(expectations: &[Expectation]) -> Vec<String> {
    let violation = |rule: &Expectation| {
        // A rule about the whole submission lists the expected verdicts; otherwise the permitted
        // verdicts of test cases are the closest to it.
        let permitted = match rule.whole.is_empty() {
            true => &rule.permitted,
            false => &rule.whole,
        };
        let (origin, permitted) = (&rule.origin, listed(permitted, "and"));
        format!("{origin} permits {permitted}, but the submission did not compile")
    };
    expectations
        .iter()
        .filter(|rule| !rule.whole.contains(&Verdict::CompileError))
        .map(violation)
        .collect()
}

/// `AC`, `AC and WA`, `AC, RTE and TLE`.
fn listed(verdicts: &[Verdict], conjunction: &str) -> String {
    match verdicts {
        [] => "nothing".to_owned(),
        [only] => only.to_string(),
        [init @ .., last] => {
            let init: Vec<&str> = init.iter().map(|verdict| verdict.code()).collect();
            format!("{} {conjunction} {last}", init.join(", "))
        }
    }
}

/// True if judging may stop after these test cases without leaving a requirement open.
///
/// This applies when an expectation is already violated, or when everything required has occurred.
/// A later test case could still get a verdict that is not permitted: only a complete run rules
/// that out. A requirement on the score of a group needs the complete group. A requirement on the
/// score of the submission does not, because judging never stops before that is decided.
#[must_use]
pub fn is_settled(expectations: &[Expectation], test_cases: &[TestCaseVerdict]) -> bool {
    let met = |rule: &Expectation| {
        // The score of a group is known at its end, so judging may not stop before.
        let has_group_scores = rule.scope.is_some() && rule.score.is_some();
        !has_group_scores && required_is_met(rule, test_cases) && message_is_met(rule, test_cases)
    };
    // These results are marked as incomplete, so that only violations count that later test cases
    // cannot undo.
    let so_far = Results {
        test_cases,
        ..Results::default()
    };
    expectations.iter().all(met) || !check(expectations, &so_far).is_empty()
}

#[cfg(test)]
#[path = "expectation_tests.rs"]
mod tests;

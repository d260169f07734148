//! JUnit XML: a suite for each submission, a case for each test case.
//!
//! Responsible for deciding which cases pass. An expected wrong answer passes: a case tests whether
//! the submission behaves as its author declared. Elements and attributes follow `junit-10.xsd`,
//! the schema of Jenkins' xUnit plugin, which the parsers of other systems accept as well. Must not
//! know where the report goes.

use judge_event::{CheckState, Finding, ProblemState, RunState, SubmissionState, TestCaseFinished};
use judge_model::{Severity, Verdict};

use super::evidence;
use super::xml::{Attribute, Document};
use crate::summary::{codes, hint_line, place};
use crate::text::escape::{printable, printable_lines};
use crate::text::numbers::seconds;

/// The case for the expectations of a submission as a whole.
const WHOLE: &str = "(expectations)";
/// The case for compiling.
const COMPILING: &str = "(compile)";

/// The result of a case.
enum Ending {
    Passed,
    /// Skipped, with the reason.
    Skipped(String),
    Failed(Failure),
    Broken(Failure),
}

/// The text of a failure or an error.
struct Failure {
    kind: String,
    message: String,
    text: String,
}

impl Failure {
    fn new(kind: &str, message: impl Into<String>, text: String) -> Self {
        Self {
            kind: kind.to_owned(),
            message: message.into(),
            text,
        }
    }
}

struct Case {
    name: String,
    time_us: u64,
    ending: Ending,
    out: String,
}

impl Case {
    /// Creates a case that took no time.
    fn new(name: impl Into<String>, ending: Ending, out: String) -> Self {
        Self {
            name: name.into(),
            time_us: 0,
            ending,
            out,
        }
    }
}

/// Cases that belong together.
struct Suite {
    name: String,
    cases: Vec<Case>,
    properties: Vec<(&'static str, String)>,
}

impl Suite {
    fn new(name: String, cases: Vec<Case>) -> Self {
        Self {
            name,
            cases,
            properties: Vec::new(),
        }
    }
}

/// Renders the report.
pub(crate) fn render(state: &RunState) -> String {
    let mut suites = fault_suites(state);
    suites.extend(state.check.iter().flat_map(check_suites));
    for problem in &state.problems {
        suites.extend(
            problem
                .submissions
                .iter()
                .map(|submission| submission_suite(problem, submission)),
        );
    }
    let mut document = Document::new();
    // Viewers do not add up the suites, so the sums over all of them are attributes of the root.
    let all = Sums::count(suites.iter().flat_map(|suite| &suite.cases));
    // The wall time of the run and not the sum of its suites: they run in parallel, and the sum
    // would be longer than the run took.
    document.begin(
        "testsuites",
        &[
            ("name", &"judge"),
            ("time", &seconds(state.wall_time_us)),
            ("tests", &all.tests),
            ("failures", &all.failures),
            ("errors", &all.errors),
        ],
    );
    for suite in &suites {
        write_suite(&mut document, state, suite);
    }
    document.finish()
}

#[derive(Default)]
struct Sums {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
    time_us: u64,
}

impl Sums {
    fn count<'a>(cases: impl Iterator<Item = &'a Case>) -> Self {
        let mut sums = Self::default();
        for case in cases {
            sums.tests += 1;
            // The times may come from an edited stream, so they must not overflow.
            sums.time_us = sums.time_us.saturating_add(case.time_us);
            match case.ending {
                Ending::Passed => {}
                Ending::Skipped(_) => sums.skipped += 1,
                Ending::Failed(_) => sums.failures += 1,
                Ending::Broken(_) => sums.errors += 1,
            }
        }
        sums
    }
}

/// Seconds of a case, because test cases may take less than a millisecond.
fn exact_time(microseconds: u64) -> String {
    // From whole numbers, so that rounding of binary64 has no effect.
    format!(
        "{}.{:06}",
        microseconds / 1_000_000,
        microseconds % 1_000_000
    )
}

fn write_suite(document: &mut Document, state: &RunState, suite: &Suite) {
    let sums = Sums::count(suite.cases.iter());
    // Names of submissions and test cases may contain bytes that XML 1.0 cannot express.
    let name = printable(&suite.name);
    // The schema permits at most three decimals.
    let time = seconds(sums.time_us);
    let mut attributes: Vec<Attribute<'_>> = vec![
        ("name", &name),
        ("tests", &sums.tests),
        ("failures", &sums.failures),
        ("errors", &sums.errors),
        ("skipped", &sums.skipped),
        ("time", &time),
    ];
    // A check has its own start time, unless a run followed it.
    let (started, check) = (
        state.started.as_ref(),
        state.check.as_ref().map(|check| &check.started),
    );
    let at = started.and_then(|started| started.started_at.as_deref());
    let at = at.or_else(|| check.and_then(|check| check.started_at.as_deref()));
    // Without the time zone, which the schema's type does not permit.
    let timestamp = at.map(|at| at.trim_end_matches('Z'));
    if let Some(timestamp) = &timestamp {
        attributes.push(("timestamp", timestamp));
    }
    let host = started.and_then(|started| started.host.as_ref());
    let host = host
        .or_else(|| check.and_then(|check| check.host.as_ref()))
        .map(|host| printable(&host.name));
    if let Some(host) = &host {
        attributes.push(("hostname", host));
    }
    document.begin("testsuite", &attributes);
    if !suite.properties.is_empty() {
        document.begin("properties", &[]);
        for (key, value) in &suite.properties {
            document.element(
                "property",
                &[("name", key), ("value", &printable(value))],
                "",
            );
        }
        document.end();
    }
    suite
        .cases
        .iter()
        .for_each(|case| write_case(document, &name, case));
    document.end();
}

fn write_case(document: &mut Document, suite: &str, case: &Case) {
    let (name, time) = (printable(&case.name), exact_time(case.time_us));
    let attributes: [Attribute<'_>; 3] = [("name", &name), ("classname", &suite), ("time", &time)];
    // An element without content, because most cases pass and reports of large problems should stay
    // small.
    if matches!(case.ending, Ending::Passed) && case.out.is_empty() {
        return document.element("testcase", &attributes, "");
    }
    // The result comes before the output, because the schema defines the order of a case's
    // children.
    document.begin("testcase", &attributes);
    let failure = match &case.ending {
        Ending::Passed => None,
        Ending::Skipped(why) => {
            document.element("skipped", &[("message", &printable(why))], "");
            None
        }
        Ending::Failed(failure) => Some(("failure", failure)),
        Ending::Broken(failure) => Some(("error", failure)),
    };
    if let Some((element, failure)) = failure {
        let message = printable(&failure.message);
        document.element(
            element,
            &[("message", &message), ("type", &failure.kind)],
            &failure.text,
        );
    }
    if !case.out.is_empty() {
        document.element("system-out", &[], &case.out);
    }
    document.end();
}

fn submission_suite(problem: &ProblemState, submission: &SubmissionState) -> Suite {
    let name = format!(
        "{}/{}",
        problem.started.problem, submission.started.submission
    );
    let compiled = submission.compiled.iter();
    let mut cases: Vec<Case> = compiled.map(|_| compiling(submission)).collect();
    let tests = submission.test_cases.iter();
    cases.extend(tests.map(|test| test_case(problem, submission, test)));
    // Some expectations do not concern a single test case, such as a score or a verdict that some
    // test case must have. They have a separate case, which also keeps a suite from being empty.
    cases.push(whole(submission));
    let started = &submission.started;
    let score = submission.finished.as_ref();
    let score = score.and_then(|finished| finished.score);
    let mut properties = vec![("path", started.path.clone())];
    properties.extend(
        started
            .language
            .iter()
            .map(|language| ("language", language.0.clone())),
    );
    let rules = started.expectations.iter();
    properties.extend(rules.map(|rule| ("expected by", rule.origin.clone())));
    properties.extend(score.map(|score| ("score", score.to_string())));
    Suite {
        name,
        cases,
        properties,
    }
}

/// True when the submission meets all expectations. A judge error is never as expected.
fn is_as_expected(submission: &SubmissionState) -> bool {
    let finished = submission.finished.as_ref();
    finished.is_some_and(|finished| !finished.is_surprise())
}

fn compiling(submission: &SubmissionState) -> Case {
    let compiled = submission.compiled.as_ref();
    let failed = submission.failed_compilation();
    let text = failed.map(evidence::for_compilation).unwrap_or_default();
    // An expected compile error passes, with the compiler's message as output. Otherwise the report
    // would contain a failure that needs no fix.
    let (ending, out) = match failed {
        None => (Ending::Passed, String::new()),
        Some(_) if is_as_expected(submission) => (Ending::Passed, text),
        Some(_) => {
            let verdict = Verdict::CompileError;
            let failure = Failure::new(verdict.code(), verdict.name(), text);
            (Ending::Failed(failure), String::new())
        }
    };
    // A cached program took no time in this run.
    let time_us = compiled
        .filter(|compiled| !compiled.cached)
        .map_or(0, |compiled| compiled.cpu_time_us);
    Case {
        time_us,
        ..Case::new(COMPILING, ending, out)
    }
}

fn test_case(
    problem: &ProblemState,
    submission: &SubmissionState,
    test: &TestCaseFinished,
) -> Case {
    let text = evidence::for_test_case(problem, test);
    let failure = |text| Failure::new(test.verdict.code(), evidence::reason(problem, test), text);
    let rules = submission
        .started
        .expectations
        .iter()
        .filter(|rule| rule.covers(&test.test_case));
    // MLE and OLE count as RTE, as in expectations.
    let permitted = rules
        .clone()
        .all(|rule| rule.permitted.contains(&test.verdict.in_expectations()));
    let mut out = evidence::cost(problem, test) + "\n";
    let ending = match test.verdict {
        // The matrix continues judging after the stop. Such a result decides nothing, so it cannot
        // fail.
        _ if test.after_stop => {
            out.push_str("judging had stopped before: this does not count\n");
            out.push_str(&text);
            Ending::Passed
        }
        Verdict::JudgeError => Ending::Broken(failure(text)),
        Verdict::Accepted if permitted => Ending::Passed,
        // A wrong solution that is rejected as expected passes, also on the test cases that reject
        // it.
        _ if permitted || is_as_expected(submission) => {
            out.push_str("as expected\n");
            out.push_str(&text);
            Ending::Passed
        }
        _ => {
            let expected = rules.map(|rule| {
                let permitted = codes(&rule.permitted, ", ");
                format!("{} permits {permitted}\n", printable(&rule.origin))
            });
            Ending::Failed(failure(expected.collect::<String>() + &text))
        }
    };
    Case {
        time_us: test.wall_time_us,
        ..Case::new(&test.test_case, ending, out)
    }
}

fn whole(submission: &SubmissionState) -> Case {
    if let Some(error) = &submission.error {
        let (message, text) = error.split_once('\n').unwrap_or((error, ""));
        let failure = Failure::new("error", message, printable_lines(text));
        return Case::new(WHOLE, Ending::Broken(failure), String::new());
    }
    if let Some(skipped) = &submission.skipped {
        let ending = Ending::Skipped(skipped.reason.clone());
        return Case::new(WHOLE, ending, String::new());
    }
    // An error and not a failure, because a CI must not treat missing results as results.
    let Some(finished) = &submission.finished else {
        let message = "the run ended before the submission was judged";
        let failure = Failure::new("partial", message, String::new());
        return Case::new(WHOLE, Ending::Broken(failure), String::new());
    };
    let lines = |lines: &[String], before: &str| -> String {
        lines
            .iter()
            .map(|line| format!("{before}{}\n", printable(line)))
            .collect()
    };
    let failure = |message: &str| {
        let text = lines(&finished.violations, "");
        Failure::new(finished.verdict.code(), message, text)
    };
    let ending = if finished.verdict == Verdict::JudgeError {
        Ending::Broken(failure(
            "judge error: a program of the package failed, so nothing is known",
        ))
    } else if finished.as_expected {
        Ending::Passed
    } else {
        let first = finished.violations.first();
        Ending::Failed(failure(first.map_or("not as expected", String::as_str)))
    };
    // Results of `judge grade` have no test cases, which would have the time otherwise.
    let slowest = finished.slowest.as_ref();
    let time_us = slowest
        .filter(|_| submission.test_cases.is_empty())
        .map_or(0, |slowest| slowest.cpu_time_us);
    Case {
        time_us,
        ..Case::new(WHOLE, ending, lines(&finished.remarks, "remark: "))
    }
}

/// Faults without a submission.
fn fault_suites(state: &RunState) -> Vec<Suite> {
    let broken = |name: String, kind: &str, message: &str, text: String| {
        let ending = Ending::Broken(Failure::new(kind, message, text));
        Case::new(name, ending, String::new())
    };
    let mut suites: Vec<Suite> = Vec::new();
    let host: Vec<Case> = state
        .host_faults
        .iter()
        .map(|fault| {
            let name = fault.during().unwrap_or_else(|| "(host)".to_owned());
            broken(name, "host", &fault.message, String::new())
        })
        .collect();
    if !host.is_empty() {
        suites.push(Suite::new("(host)".to_owned(), host));
    }
    for fault in &state.package_faults {
        let name = format!("{}/(package)", fault.problem);
        let place = place(&fault.file, fault.line);
        let case = broken(
            place,
            "package",
            &fault.message,
            hint_line(fault.hint.as_deref()),
        );
        match suites.iter_mut().find(|suite| suite.name == name) {
            Some(suite) => suite.cases.push(case),
            None => suites.push(Suite::new(name, vec![case])),
        }
    }
    suites
}

/// Returns a suite for each checked package, with a case for each finding.
fn check_suites(check: &CheckState) -> Vec<Suite> {
    let suite = |name: String, findings: Vec<&Finding>| {
        let mut cases: Vec<Case> = findings.into_iter().map(finding_case).collect();
        // A suite without a case would look as if the package had not been checked.
        if cases.is_empty() {
            cases.push(Case::new("(nothing found)", Ending::Passed, String::new()));
        }
        Suite::new(name, cases)
    };
    let findings_of = |problem: Option<&str>| -> Vec<&Finding> {
        check
            .findings
            .iter()
            .filter(|finding| finding.problem.as_deref() == problem)
            .collect()
    };
    let packages = check.packages.iter();
    let mut suites: Vec<Suite> = packages
        .map(|package| {
            suite(
                format!("{}/(check)", package.problem),
                findings_of(Some(&package.problem)),
            )
        })
        .collect();
    let others = findings_of(None);
    if !others.is_empty() {
        suites.push(suite("(workspace)/(check)".to_owned(), others));
    }
    suites
}

fn finding_case(finding: &Finding) -> Case {
    let hint = hint_line(finding.hint.as_deref());
    let out = format!(
        "{}: {}\n{hint}",
        finding.severity,
        printable(&finding.message)
    );
    let (ending, out) = match (&finding.silenced, finding.severity) {
        // JUnit has no warnings. A silenced finding is shown as skipped, and a warning passes
        // with its text as output: neither must make a CI fail.
        (Some(why), _) => (Ending::Skipped(format!("silenced: {why}")), out),
        (None, Severity::Warning) => (Ending::Passed, out),
        (None, Severity::Error) => {
            let failure = Failure::new(&finding.code, &finding.message, hint);
            (Ending::Failed(failure), String::new())
        }
    };
    let place = place(&finding.file, finding.line);
    Case::new(format!("{} {place}", finding.code), ending, out)
}

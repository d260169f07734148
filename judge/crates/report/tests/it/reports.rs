//! Tests of the reports for CI systems: their content, and that their readers accept them.

use std::path::Path;

use judge_event::{
    CheckFinished, CheckStarted, End, Event, Finding, PackageChecked, RunState, SCHEMA_VERSION,
    SubmissionFinished, parse_line, to_line,
};
use judge_model::{ReportKind, Severity, Verdict};
use judge_report::{ReportSettings, render};
use proptest::prelude::*;
use serde_json::Value;

use crate::hostile::{bytes, poisoned};
use crate::stream;
use crate::xml_reader::{self, Element};

/// The attributes of each element in `junit-10.xsd`.
const JUNIT: [(&str, &[&str]); 9] = [
    (
        "testsuites",
        &["name", "time", "tests", "failures", "errors"],
    ),
    (
        "testsuite",
        &[
            "name",
            "tests",
            "failures",
            "errors",
            "group",
            "time",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
            "file",
            "log",
            "url",
            "version",
        ],
    ),
    ("properties", &[]),
    ("property", &["name", "value"]),
    ("testcase", &["name", "time", "classname", "group"]),
    ("skipped", &["type", "message"]),
    ("failure", &["type", "message"]),
    ("error", &["type", "message"]),
    ("system-out", &[]),
];

fn state(events: &[Event]) -> RunState {
    let mut state = RunState::default();
    events.iter().for_each(|event| state.apply(event));
    state
}

fn rendered(kind: ReportKind, events: &[Event]) -> String {
    render(
        kind,
        &state(events),
        &ReportSettings {
            prefix: "contest/".into(),
        },
    )
}

/// Returns a check with a finding of each kind.
fn check() -> Vec<Event> {
    let finding = |code: &str, severity, line, silenced: Option<&str>| {
        Event::Finding(Finding {
            problem: Some("fiveup".into()),
            code: code.into(),
            severity,
            file: "problems/fiveup/problem.yaml".into(),
            line,
            column: line.map(|_| 3),
            message: format!("something <odd> & `{code}`"),
            hint: Some("fix it".into()),
            silenced: silenced.map(str::to_owned),
        })
    };
    let package = |problem: &str| {
        let (problem, path) = (problem.to_owned(), format!("problems/{problem}"));
        Event::PackageChecked(PackageChecked {
            problem,
            path,
            loads: true,
            validator_runs: 3,
            cached: false,
        })
    };
    vec![
        Event::CheckStarted(CheckStarted {
            schema: SCHEMA_VERSION,
            judge_version: "0.1.0".into(),
            started_at: None,
            host: None,
            profile: "default".into(),
            packages: 2,
            isolation: None,
            seed: None,
        }),
        finding("JP101", Severity::Warning, None, None),
        finding("JP102", Severity::Error, Some(7), None),
        finding("JP103", Severity::Error, None, Some("meant so")),
        package("fiveup"),
        package("grid"),
        Event::CheckFinished(CheckFinished {
            end: End::Completed,
            wall_time_us: 98_000,
        }),
    ]
}

/// Returns a check and a run with all kinds of results.
fn verified() -> Vec<Event> {
    let mut events = check();
    events.extend(stream::everything());
    let last = events.pop();
    events.push(stream::host_fault());
    events.extend(last);
    events
}

/// Checks a report against the schema, and its sums against its cases.
fn suites(text: &str) -> Vec<Element> {
    let root = xml_reader::read(text);
    assert_eq!(root.name, "testsuites");
    check_element(&root);
    let sum = |name: &str| {
        root.children
            .iter()
            .map(|suite| suite.number(name))
            .sum::<u64>()
    };
    for name in ["tests", "failures", "errors"] {
        assert_eq!(root.number(name), sum(name), "{name}");
    }
    for suite in &root.children {
        let cases = suite.all("testcase");
        let with = |name: &str| {
            cases
                .iter()
                .filter(|case| !case.all(name).is_empty())
                .count() as u64
        };
        let sums = [
            cases.len() as u64,
            with("failure"),
            with("error"),
            with("skipped"),
        ];
        assert_eq!(
            sums,
            ["tests", "failures", "errors", "skipped"].map(|name| suite.number(name))
        );
    }
    root.children
}

fn check_element(element: &Element) {
    let known = JUNIT.iter().find(|(name, _)| *name == element.name);
    let (_, attributes) = known.unwrap_or_else(|| panic!("no element `{}`", element.name));
    for (name, value) in &element.attributes {
        assert!(
            attributes.contains(&name.as_str()),
            "`{name}` in `{}`",
            element.name
        );
        match name.as_str() {
            "time" => {
                let decimals = value
                    .split_once('.')
                    .map_or(0, |(_, decimals)| decimals.len());
                assert!(
                    value.parse::<f64>().is_ok_and(|seconds| seconds >= 0.0)
                        && (decimals == 3 || element.name == "testcase")
                );
            }
            "timestamp" => assert!(value.len() == 19 && !value.ends_with('Z'), "{value}"),
            _ => {}
        }
    }
    let within: &[&str] = match element.name.as_str() {
        "testsuites" => &["testsuite"],
        "testsuite" => &["properties", "testcase"],
        "properties" => &["property"],
        "testcase" => &["skipped", "failure", "error", "system-out"],
        _ => &[],
    };
    for child in &element.children {
        assert!(
            within.contains(&child.name.as_str()),
            "`{}` in `{}`",
            child.name,
            element.name
        );
        check_element(child);
    }
    let needs_name = matches!(element.name.as_str(), "testsuite" | "testcase");
    assert!(
        !needs_name || element.attribute("name").is_some(),
        "{element:?}"
    );
}

fn suite<'a>(suites: &'a [Element], name: &str) -> &'a Element {
    let found = suites
        .iter()
        .find(|suite| suite.attribute("name") == Some(name));
    found.unwrap_or_else(|| {
        panic!(
            "no suite {name} in {:?}",
            suites
                .iter()
                .map(|s| s.attribute("name"))
                .collect::<Vec<_>>()
        )
    })
}

/// Returns the result of each case of a suite.
fn endings(suite: &Element) -> Vec<(&str, &str)> {
    let ending = |case: &Element| match case.children.first().map(|child| child.name.as_str()) {
        Some("failure") => "failure",
        Some("error") => "error",
        Some("skipped") => "skipped",
        _ => "passed",
    };
    suite
        .all("testcase")
        .into_iter()
        .map(|case| (case.attribute("name").unwrap_or_default(), ending(case)))
        .collect()
}

#[test]
fn expected_wrong_answers_pass() {
    let suites = suites(&rendered(ReportKind::Junit, &verified()));
    let calm = suite(&suites, "fiveup/wrong_answer/greedy.rs");
    let all = [
        "(compile)",
        "sample/1",
        "secret/01-small",
        "secret/02-max",
        "(expectations)",
    ];
    assert_eq!(endings(calm), all.map(|name| (name, "passed")));
    let out = &calm.all("testcase")[2].all("system-out")[0].text;
    assert!(
        out.contains("as expected") && out.contains("WA: 0.004 s of CPU time, the limit is 1 s"),
        "{out}"
    );
    assert!(out.contains("- expected  7\n"), "{out}");
    assert_eq!(calm.attribute("timestamp"), Some("2026-03-01T12:00:00"));
}

#[test]
fn surprises_fail_the_affected_test_case() {
    let suites = suites(&rendered(ReportKind::Junit, &verified()));
    let wrong = suite(&suites, "grid/accepted/wa.rs");
    let cases = endings(wrong);
    assert_eq!(
        cases[1..3],
        [("sample/1", "passed"), (cases[2].0, "failure")]
    );
    assert_eq!(cases[3], ("(expectations)", "failure"));
    let failure = &wrong.all("testcase")[2].all("failure")[0];
    assert_eq!(failure.attribute("type"), Some("WA"));
    assert!(
        failure
            .text
            .starts_with("directory `accepted` permits AC\n"),
        "{}",
        failure.text
    );
    let error = [
        ("(compile)", "passed"),
        ("sample/1", "passed"),
        ("secret/01", "error"),
        ("(expectations)", "error"),
    ];
    assert_eq!(endings(suite(&suites, "grid/accepted/je.rs")), error);
    let compiling = [("(compile)", "failure"), ("(expectations)", "failure")];
    assert_eq!(endings(suite(&suites, "grid/accepted/ce.rs")), compiling);
    let accepted = [
        ("(compile)", "passed"),
        ("sample/1", "passed"),
        ("(expectations)", "failure"),
    ];
    assert_eq!(
        endings(suite(&suites, "grid/wrong_answer/right.rs")),
        accepted
    );
    assert_eq!(
        endings(suite(&suites, "fiveup/wrong_answer/kotlin.kt")),
        [("(expectations)", "skipped")]
    );
    assert_eq!(
        endings(suite(&suites, "tree/(package)")),
        [("problems/tree/problem.yaml:7", "error")]
    );
    assert_eq!(
        endings(suite(&suites, "(host)")),
        [("grid accepted/wa.rs secret/01", "error")]
    );
}

#[test]
fn findings_are_test_cases_of_the_package() {
    let suites = suites(&rendered(ReportKind::Junit, &check()));
    let file = "problems/fiveup/problem.yaml";
    let cases = [
        (format!("JP101 {file}"), "passed"),
        (format!("JP102 {file}:7"), "failure"),
        (format!("JP103 {file}"), "skipped"),
    ];
    let cases: Vec<_> = cases
        .iter()
        .map(|(name, ending)| (name.as_str(), *ending))
        .collect();
    assert_eq!(endings(suite(&suites, "fiveup/(check)")), cases);
    assert_eq!(
        endings(suite(&suites, "grid/(check)")),
        [("(nothing found)", "passed")]
    );
}

#[test]
fn incompletely_judged_submissions_are_not_successful() {
    let mut events = vec![stream::run_started(&[])];
    events.extend(
        stream::calm()
            .into_iter()
            .take_while(|event| !matches!(event, Event::SubmissionFinished(_))),
    );
    events.push(stream::run_finished(End::Interrupted));
    let suites = suites(&rendered(ReportKind::Junit, &events));
    let cases = endings(suite(&suites, "fiveup/accepted/flow.rs"));
    assert_eq!(cases.last(), Some(&("(expectations)", "error")));
    let markdown = rendered(ReportKind::Markdown, &events);
    assert!(
        markdown.starts_with("### ❌ judge\n\n**interrupted: this report is incomplete**"),
        "{markdown}"
    );
}

/// Returns the events after writing and reading.
fn stored(events: &[Event]) -> Vec<Event> {
    events
        .iter()
        .map(|event| parse_line(&to_line(event), 1).expect("what is written can be read"))
        .collect()
}

/// No content of a report gets lost in a stored stream. A single run has few of the possible
/// events.
#[test]
fn stored_streams_have_the_same_reports() {
    for events in [verified(), stream::faults()] {
        let stored = stored(&events);
        assert_eq!(stored, events);
        for kind in ReportKind::ALL {
            assert_eq!(rendered(kind, &stored), rendered(kind, &events), "{kind}");
        }
    }
}

/// The streams that `ci/nightly/reports` passes to third-party programs. With `UPDATE_STREAMS=1` in
/// the environment they are written again.
#[test]
fn stored_streams_are_current() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/streams");
    let hostile =
        b"<b>]]>&amp;\"'`|\x1b[31m\x00\xff\xef\xbf\xbe\n::error::x\n% --> \\u0000</details>";
    let streams = [
        ("everything.jsonl", verified()),
        ("hostile.jsonl", poisoned(hostile, 1, [3, 1 << 40, 5])),
    ];
    for (name, events) in streams {
        let text: String = events.iter().map(|event| to_line(event) + "\n").collect();
        if std::env::var_os("UPDATE_STREAMS").is_some() {
            std::fs::write(directory.join(name), &text).unwrap();
        }
        let committed = std::fs::read_to_string(directory.join(name)).unwrap();
        assert!(
            committed == text,
            "{name} is not current; UPDATE_STREAMS=1 writes it"
        );
    }
}

#[test]
fn full_reports_match_their_snapshots() {
    // The parts of a page are tested in `html`, and the event stream where it is defined.
    for kind in ReportKind::ALL
        .into_iter()
        .filter(|kind| ![ReportKind::Html, ReportKind::Json].contains(kind))
    {
        insta::assert_snapshot!(kind.name(), rendered(kind, &verified()));
    }
}

#[test]
fn expected_results_have_no_annotations() {
    let mut events = vec![stream::run_started(&[])];
    events.extend(stream::calm());
    events.push(stream::run_finished(End::Completed));
    assert_eq!(rendered(ReportKind::Github, &events), "");
    assert_eq!(rendered(ReportKind::Gitlab, &events), "[]\n");
    let sarif: Value = serde_json::from_str(&rendered(ReportKind::Sarif, &events)).unwrap();
    assert_eq!(sarif["runs"][0]["results"], Value::Array(Vec::new()));
    assert_eq!(
        sarif["runs"][0]["invocations"][0]["executionSuccessful"],
        true
    );
    assert!(rendered(ReportKind::Markdown, &events).starts_with("### ✅ judge\n"));
}

/// Annotations have paths in the repository, and entries are distinguishable.
#[test]
fn paths_are_relative_to_the_repository() {
    let mut events = verified();
    let warning = events
        .iter()
        .find(|event| matches!(event, Event::PackageWarning(_)))
        .unwrap()
        .clone();
    events.insert(events.len() - 1, warning);
    let gitlab: Vec<Value> = serde_json::from_str(&rendered(ReportKind::Gitlab, &events)).unwrap();
    assert!(gitlab.iter().all(|entry| {
        entry["location"]["path"]
            .as_str()
            .unwrap()
            .starts_with("contest/")
    }));
    let mut prints: Vec<&str> = gitlab
        .iter()
        .map(|entry| entry["fingerprint"].as_str().unwrap())
        .collect();
    let all = prints.len();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!((prints.len(), all > 10), (all, true));
    let sarif: Value = serde_json::from_str(&rendered(ReportKind::Sarif, &verified())).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let suppressed: Vec<&Value> = results
        .iter()
        .filter(|result| result["suppressions"] != Value::Null)
        .collect();
    assert_eq!(
        (suppressed.len(), &suppressed[0]["ruleId"]),
        (1, &Value::from("JP103"))
    );
    for result in results {
        let rules = sarif["runs"][0]["tool"]["driver"]["rules"]
            .as_array()
            .unwrap();
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
}

/// GitHub refuses a comment that is too long, so that nothing would be visible.
#[test]
fn markdown_does_not_exceed_the_maximum_comment_size() {
    let mut events = vec![stream::run_started(&[])];
    for number in 0..400 {
        events.push(stream::problem(
            &format!("problem{number}"),
            "P",
            &["sample/1"],
            &["accepted/wa.rs"],
        ));
        let name = format!("problem{number}");
        let tests = vec![stream::wrong_answer("sample/1")];
        events.extend(stream::submission(
            &name,
            "accepted/wa.rs",
            &["directory `accepted` permits AC"],
            tests,
        ));
    }
    events.push(stream::run_finished(End::Completed));
    let text = rendered(ReportKind::Markdown, &events);
    assert!(
        text.len() < 65_536 && text.contains("left out here"),
        "{}",
        text.len()
    );
    assert_eq!(
        text.matches("<details>").count(),
        text.matches("</details>").count()
    );
}

#[test]
fn judge_errors_are_package_errors_despite_violations() {
    let mut events = stream::everything();
    for event in &mut events {
        if let Event::SubmissionFinished(SubmissionFinished {
            verdict: Verdict::JudgeError,
            as_expected,
            ..
        }) = event
        {
            *as_expected = false;
        }
    }
    let annotations = rendered(ReportKind::Github, &events);
    let line = annotations
        .lines()
        .find(|line| line.contains("judge-error"))
        .unwrap();
    assert!(
        line.starts_with("::error file=contest/problems/grid/data/secret/01.in,line=1,"),
        "{line}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn hostile_bytes_do_not_break_reports(bytes in bytes(), kind in 0usize..8, number in 0u64..300, large: u64) {
        let events = poisoned(&bytes, kind, [number, large, number]);
        prop_assert_eq!(&stored(&events), &events);
        suites(&rendered(ReportKind::Junit, &events));
        for kind in [ReportKind::Gitlab, ReportKind::Sarif] {
            let parsed: Value = serde_json::from_str(&rendered(kind, &events)).unwrap();
            prop_assert!(!parsed.is_null());
        }
        for line in rendered(ReportKind::Github, &events).lines() {
            let command = line.strip_prefix("::").and_then(|rest| rest.split(' ').next());
            prop_assert!(matches!(command, Some("error" | "warning" | "notice")), "{line:?}");
        }
        let markdown = rendered(ReportKind::Markdown, &events);
        prop_assert_eq!(markdown.matches("\n<details>").count(), markdown.matches("\n</details>").count());
        let raw = markdown.chars().any(|c| c.is_control() && c != '\n');
        prop_assert!(!raw, "a control character");
    }
}

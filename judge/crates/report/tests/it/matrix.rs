//! Tests of the matrix of a problem, on pages and as Markdown.

use judge_event::{
    End, Event, MutantsKilled, MutantsKilledBy, NearLimit, RedundantTestCase, RejectedBy,
    TestCaseFinished, TestDataAssessed,
};
use judge_model::Verdict;
use judge_report::{Look, TerminalSettings, Verbosity, View, live_reporter};

use crate::{Shared, rendered, stream};

const CASES: [(&str, usize); 3] = [("sample", 2), ("secret", 30), ("secret/group2", 5)];

fn cases() -> Vec<String> {
    let test_cases = |(group, count): (&str, usize)| {
        (1..=count)
            .map(move |n| format!("{group}/{n:02}"))
            .collect::<Vec<_>>()
    };
    CASES.into_iter().flat_map(test_cases).collect()
}

/// Returns the events of a submission, with one letter for each test case.
fn submission_events(name: &str, letters: &str, violations: &[&str]) -> Vec<Event> {
    let test = |(case, letter): (&String, char)| {
        let verdict = Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.code().starts_with(letter.to_ascii_uppercase()));
        let reason =
            (letter == 'J').then(|| "the output validator ended with exit code 1".to_owned());
        let first = NearLimit {
            first_cpu_time_us: 1_100_000,
            first_verdict: Verdict::Accepted,
        };
        let near_limit = (letter == 'T').then_some(first);
        let after_stop = letter.is_ascii_lowercase();
        Some(TestCaseFinished {
            reason,
            near_limit,
            after_stop,
            ..stream::test_case(case, verdict?, 3_000)
        })
    };
    let cases = cases();
    stream::submission(
        "fiveup",
        name,
        violations,
        cases.iter().zip(letters.chars()).filter_map(test).collect(),
    )
}

fn events(min_kills: Option<u64>, exact: bool) -> Vec<Event> {
    let accepted = "A".repeat(37);
    let wrong = format!("AA{}W{}WWAAW", "A".repeat(19), "A".repeat(10));
    let slow = format!("AA{}T{}TAAAA", "A".repeat(19), "A".repeat(10));
    let crash = format!("AA{}RM{}.....", "A".repeat(27), "A");
    let submissions = [
        ("accepted/flow.rs", accepted.as_str(), &[][..]),
        (
            "wrong_answer/greedy_with_a_long_name_that_goes_on_and_on.rs",
            &wrong,
            &[],
        ),
        (
            "wrong_answer/right.rs",
            &accepted,
            &["directory `wrong_answer` requires WA, but there was none"],
        ),
        ("time_limit_exceeded/brute.rs", &slow, &[]),
        ("run_time_error/crash.rs", &crash, &[]),
    ];
    let cases = cases();
    let case_names: Vec<&str> = cases.iter().map(String::as_str).collect();
    let mut names: Vec<&str> = submissions.iter().map(|(name, ..)| *name).collect();
    names.extend(["accepted/ce.rs", "wrong_answer/kotlin.kt"]);
    let mut events = vec![
        stream::run_started(&[]),
        stream::problem("fiveup", "Five Up", &case_names, &names),
    ];
    for (name, letters, violations) in submissions {
        events.extend(submission_events(name, letters, violations));
    }
    events.extend(stream::compile_error("fiveup", "accepted/ce.rs"));
    events.extend(stream::skipped("fiveup", "wrong_answer/kotlin.kt"));
    let rejected = |name: &str, by: &[&str]| RejectedBy {
        submission: name.to_owned(),
        test_cases: by.iter().map(|&case| case.to_owned()).collect(),
    };
    let redundant = |test_case: &str, covered_by: &str| RedundantTestCase {
        test_case: test_case.to_owned(),
        covered_by: covered_by.to_owned(),
    };
    events.push(Event::TestDataAssessed(TestDataAssessed {
        problem: "fiveup".into(),
        must_be_rejected: vec![
            rejected(
                names[1],
                &[
                    "secret/20",
                    "secret/group2/01",
                    "secret/group2/02",
                    "secret/group2/05",
                ],
            ),
            rejected(names[2], &[]),
            rejected(names[3], &["secret/20", "secret/group2/01"]),
            rejected(names[4], &["secret/28"]),
        ],
        idle: cases.iter().take(29).cloned().collect(),
        redundant: vec![
            redundant("secret/group2/02", "secret/20"),
            redundant("secret/group2/05", "secret/20"),
        ],
        smallest: vec!["secret/20".into(), "secret/28".into()],
        smallest_is_exact: exact,
        min_kills,
        samples_count: true,
        mutants: None,
    }));
    events.push(stream::run_finished(End::Completed));
    events
}

/// Returns the same, with mutants.
fn with_mutants() -> Vec<Event> {
    let mut events = events(None, true);
    for event in &mut events {
        if let Event::TestDataAssessed(assessed) = event {
            let by = |(test_case, mutants, alone): (&str, u64, u64)| MutantsKilledBy {
                test_case: test_case.to_owned(),
                mutants,
                alone,
            };
            assessed.idle.truncate(2);
            assessed.mutants = Some(MutantsKilled {
                solution: "accepted/flow.rs".to_owned(),
                killed: 1_990,
                of: 1_992,
                by: vec![
                    by(("secret/20", 1_950, 1_300)),
                    by(("secret/group2/05", 690, 0)),
                ],
            });
        }
    }
    events
}

#[test]
fn kills_are_printed_below_rejections() {
    let rendered = rendered(at(80, Verbosity::Normal), &with_mutants());
    let (_, below) = rendered
        .split_once("rejected by one test case only")
        .unwrap();
    let expected = "\
  test cases that reject nothing and kill no mutant (2): sample/01, sample/02
  made redundant by secret/20 (2): secret/group2/02, secret/group2/05
  smallest set of test cases that kills and rejects as much as all (2):
    secret/20, secret/28

  1,990 of 1,992 mutants of accepted/flow.rs killed, 2 survive (judge mutate
    shows them)
    secret/20         1,950  1,300 by it alone
    secret/group2/05    690
";
    assert!(below.contains(expected), "{below}");
    let text = markdown(&with_mutants());
    assert!(
        text.contains("| test case | mutants killed | by it alone |\n| :-- | --: | --: |\n"),
        "{text}"
    );
    assert!(
        text.contains("| `secret/20` | 1950 | 1300 |\n| `secret/group2/05` | 690 | 0 |\n"),
        "{text}"
    );
}

fn at(width: usize, verbosity: Verbosity) -> TerminalSettings {
    let look = Look {
        width,
        ..Look::default()
    };
    TerminalSettings {
        look,
        verbosity,
        view: View::Matrix,
    }
}

#[test]
fn a_matrix_fits_the_page() {
    let rendered = rendered(at(80, Verbosity::Normal), &events(None, true));
    assert!(
        rendered.lines().all(|line| line.chars().count() <= 80),
        "{rendered}"
    );
    insta::assert_snapshot!(rendered);
}

#[test]
fn a_wide_page_has_one_block() {
    insta::assert_snapshot!(rendered(
        at(140, Verbosity::Verbose),
        &events(Some(2), false)
    ));
}

#[test]
fn quiet_reports_only_surprises() {
    let rendered = rendered(at(80, Verbosity::Quiet), &events(Some(2), true));
    assert!(
        rendered.contains("wrong_answer/right.rs") && rendered.contains("required"),
        "{rendered}"
    );
    assert!(!rendered.contains("smallest"), "{rendered}");
}

#[test]
fn judge_errors_are_reported_with_a_reason() {
    let mut events = events(None, true);
    let last = events.len() - 2;
    events.splice(
        last..last,
        submission_events(
            "accepted/je.rs",
            "JA",
            &["JE on `sample/01`", "and another one"],
        ),
    );
    let rendered = rendered(at(80, Verbosity::Quiet), &events);
    assert!(
        rendered.contains("accepted/je.rs: sample/01: the output validator ended with exit code 1"),
        "{rendered}"
    );
}

#[test]
fn colour_marks_rejections() {
    let look = Look {
        color: true,
        ..Look::default()
    };
    let rendered = rendered(
        TerminalSettings {
            look,
            ..at(80, Verbosity::Normal)
        },
        &events(None, true),
    );
    assert!(
        rendered.contains("\u{1b}[31mW")
            && rendered.contains("\u{1b}[33mT")
            && rendered.contains("\u{1b}[2mA"),
        "{rendered}"
    );
}

fn markdown(events: &[Event]) -> String {
    let written = Shared::default();
    let mut markdown = live_reporter(judge_model::ReportKind::Markdown, Box::new(written.clone()));
    for event in events {
        markdown.event(event).expect("memory takes all");
    }
    markdown.finish().expect("memory takes all");
    let text = written.0.lock().expect("nothing else writes").clone();
    String::from_utf8(text).expect("reports are UTF-8")
}

#[test]
fn markdown_is_a_table() {
    let text = markdown(&events(Some(2), true));
    insta::assert_snapshot!(text);
}

#[test]
fn runs_after_the_end_of_judging_are_marked() {
    let mut events = events(None, true);
    let plain = rendered(at(140, Verbosity::Normal), &events);
    assert!(!plain.contains("small letters"), "{plain}");
    let last = events.len() - 2;
    events.splice(
        last..last,
        submission_events("wrong_answer/stops.py", "AAAWawa", &[]),
    );
    let text = rendered(at(140, Verbosity::Normal), &events);
    assert!(
        text.lines()
            .any(|line| line.contains("stops.py") && line.contains("AA      AWawa..")),
        "{text}"
    );
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("small letters: after judging had stopped"),
        "{text}"
    );
    // Its rejections still count.
    assert!(
        text.lines()
            .any(|line| line.contains("stops.py") && line.contains(" 2 ")),
        "{text}"
    );
    let text = markdown(&events);
    assert!(
        text.contains("`AWawa") && text.contains("small letters: after judging had stopped"),
        "{text}"
    );
    let mut state = judge_event::RunState::default();
    events.iter().for_each(|event| state.apply(event));
    let page = judge_report::render(
        judge_model::ReportKind::Html,
        &state,
        &judge_report::ReportSettings::default(),
    );
    assert!(
        page.contains("WA*") && page.contains("after judging had stopped"),
        "no mark in the page"
    );
}

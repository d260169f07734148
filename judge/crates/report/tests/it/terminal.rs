//! Tests of a run at every verbosity and with every surprise.

use judge_event::{
    Difference, DifferenceKind, End, Event, HostFault, Line, Position, TestCaseFinished, Window,
};
use judge_model::Verdict;
use judge_report::{Look, ProgressTarget, Reporter, Terminal, TerminalSettings, Verbosity};

use crate::rendered;
use crate::stream;

fn run(events: Vec<Event>, end: End) -> Vec<Event> {
    let mut all = vec![stream::run_started(&[])];
    all.extend(events);
    all.push(stream::run_finished(end));
    all
}

fn at(verbosity: Verbosity) -> TerminalSettings {
    TerminalSettings {
        verbosity,
        ..TerminalSettings::default()
    }
}

fn with(look: Look) -> TerminalSettings {
    TerminalSettings {
        look,
        ..TerminalSettings::default()
    }
}

#[test]
fn expected_results_are_printed_without_evidence() {
    insta::assert_snapshot!(rendered(
        at(Verbosity::Normal),
        &run(stream::calm(), End::Completed)
    ));
}

#[test]
fn the_slowest_accepted_time_includes_submissions_beyond_the_margin() {
    let slowest = |name: &str| {
        let tests = vec![stream::test_case("sample/1", Verdict::Accepted, 726_000)];
        let events = stream::submission("fiveup", name, &["not as it should be"], tests);
        let begun = stream::calm()
            .into_iter()
            .take_while(|event| !matches!(event, Event::SubmissionStarted(_)));
        let rendered = rendered(
            at(Verbosity::Normal),
            &run(begun.chain(events).collect(), End::Completed),
        );
        rendered
            .lines()
            .find(|line| line.starts_with("✗ fiveup"))
            .unwrap()
            .to_owned()
    };
    assert!(
        slowest("accepted/slow.rs").contains("0.726 / "),
        "{}",
        slowest("accepted/slow.rs")
    );
    // The time of a wrong program that was accepted does not matter.
    assert!(
        !slowest("wrong_answer/lucky.rs").contains("0.726"),
        "{}",
        slowest("wrong_answer/lucky.rs")
    );
}

#[test]
fn remarks_are_printed_below_their_submission_and_are_not_surprises() {
    let mut events = run(stream::calm(), End::Completed);
    let finished = events.iter_mut().find_map(|event| match event {
        Event::SubmissionFinished(finished) => Some(finished),
        _ => None,
    });
    finished.unwrap().remarks = vec!["sensitive to the time limit".to_owned()];
    let normal = rendered(at(Verbosity::Normal), &events);
    assert!(
        normal.contains("remark: sensitive to the time limit\n"),
        "{normal}"
    );
    let without: Vec<_> = normal
        .lines()
        .filter(|line| !line.contains("remark: "))
        .collect();
    let calm = rendered(at(Verbosity::Normal), &run(stream::calm(), End::Completed));
    assert_eq!(without, calm.lines().collect::<Vec<_>>());
    assert!(!rendered(at(Verbosity::Quiet), &events).contains("remark"));
}

#[test]
fn quiet_prints_one_line_for_expected_results() {
    insta::assert_snapshot!(rendered(
        at(Verbosity::Quiet),
        &run(stream::calm(), End::Completed)
    ));
}

#[test]
fn verbose_lists_every_test_case() {
    insta::assert_snapshot!(rendered(
        at(Verbosity::Verbose),
        &run(stream::calm(), End::Completed)
    ));
}

#[test]
fn the_most_verbose_report_has_compilers_and_evidence() {
    insta::assert_snapshot!(rendered(
        at(Verbosity::Everything),
        &run(stream::calm(), End::Completed)
    ));
}

#[test]
fn surprises_are_reported_with_evidence() {
    insta::assert_snapshot!(rendered(
        at(Verbosity::Normal),
        &run(stream::surprises(), End::Completed)
    ));
}

#[test]
fn a_wide_page_cuts_nothing() {
    let look = Look {
        width: 120,
        ..Look::default()
    };
    insta::assert_snapshot!(rendered(with(look), &stream::everything()));
}

#[test]
fn without_unicode() {
    let look = Look {
        unicode: false,
        ..Look::default()
    };
    let rendered = rendered(with(look), &stream::everything());
    assert!(rendered.is_ascii(), "{rendered}");
    insta::assert_snapshot!(rendered);
}

#[test]
fn with_colour() {
    let look = Look {
        color: true,
        ..Look::default()
    };
    insta::assert_snapshot!(rendered(with(look), &stream::everything()).replace('\u{1b}', "^["));
}

#[test]
fn faults_and_missing_protections_are_reported_even_when_quiet() {
    let rendered = rendered(at(Verbosity::Quiet), &stream::everything());
    for needed in [
        "problem.yaml:7:",
        "hint: did you mean",
        "not guaranteed: memory limit",
        "kotlin cannot be judged",
    ] {
        assert!(
            rendered.contains(needed),
            "{needed} is missing in\n{rendered}"
        );
    }
}

#[test]
fn a_failed_host_makes_the_summary_partial() {
    let mut events = stream::calm();
    events.push(stream::host_fault());
    insta::assert_snapshot!(rendered(at(Verbosity::Normal), &run(events, End::Aborted)));
}

#[test]
fn a_full_disk_names_the_cache() {
    let hint_for = |message: &str| {
        let Event::HostFault(fault) = stream::host_fault() else {
            panic!()
        };
        let fault = HostFault {
            message: message.to_owned(),
            ..fault
        };
        let events = [stream::calm(), vec![Event::HostFault(fault)]].concat();
        rendered(at(Verbosity::Quiet), &run(events, End::Aborted))
    };
    let full =
        hint_for("cannot write `/home/me/.cache/judge/x`: No space left on device (os error 28)");
    assert!(
        full.contains("hint: the cache may be on a full disk") && full.contains("JUDGE_CACHE_DIR"),
        "{full}"
    );
    assert!(
        !hint_for("cannot write `/home/me/.cache/judge/x`: Permission denied (os error 13)")
            .contains("JUDGE_CACHE_DIR")
    );
}

#[test]
fn interrupted_runs_and_truncated_streams_are_reported() {
    let interrupted = rendered(
        at(Verbosity::Normal),
        &run(stream::calm(), End::Interrupted),
    );
    assert!(
        interrupted.contains("interrupted: this report is incomplete"),
        "{interrupted}"
    );
    let mut cut_off = run(stream::calm(), End::Completed);
    cut_off.pop();
    let truncated = rendered(at(Verbosity::Normal), &cut_off);
    assert!(
        truncated.contains("truncated: the event stream ends before the run"),
        "{truncated}"
    );
    assert!(!truncated.contains(" in 0"), "{truncated}");
}

#[test]
fn skips_unrelated_to_languages_have_a_row() {
    let mut events = vec![stream::problem(
        "fiveup",
        "Five Up",
        &["sample/1"],
        &["accepted/kotlin.kt"],
    )];
    events.extend(stream::skipped("fiveup", "accepted/kotlin.kt"));
    let uncounted = rendered(at(Verbosity::Normal), &run(events.clone(), End::Completed));
    assert!(
        uncounted.contains("accepted/kotlin.kt  skipped: no `kotlinc`"),
        "{uncounted}"
    );
    events.splice(0..0, stream::faults());
    let counted = rendered(at(Verbosity::Normal), &run(events, End::Completed));
    assert!(!counted.contains("skipped: no"), "{counted}");
    assert!(counted.contains("1 skipped"), "{counted}");
}

#[test]
fn the_evidence_belongs_to_the_forbidden_verdict() {
    let mut events = vec![stream::problem(
        "p",
        "P",
        &["secret/1", "secret/2"],
        &["time_limit_exceeded/x.rs"],
    )];
    let slow = stream::killed(
        "secret/1",
        Verdict::TimeLimitExceeded,
        1_010_000,
        judge_model::Limit::CpuTime,
    );
    let tests = vec![slow, stream::crash("secret/2")];
    let violation = "directory `time_limit_exceeded` permits AC and TLE, but `secret/2` got RTE";
    events.extend(stream::submission(
        "p",
        "time_limit_exceeded/x.rs",
        &[violation],
        tests,
    ));
    let rendered = rendered(at(Verbosity::Normal), &run(events, End::Completed));
    assert!(
        rendered.contains("secret/2: run time error: SIGABRT (signal 6)"),
        "{rendered}"
    );
    assert!(!rendered.contains("secret/1: time limit"), "{rendered}");
}

#[test]
fn the_evidence_belongs_to_a_test_case_that_an_expectation_covers() {
    let mut events = vec![stream::problem(
        "p",
        "P",
        &["secret/1", "secret/2"],
        &["accepted/x.rs"],
    )];
    let slow = stream::killed(
        "secret/1",
        Verdict::TimeLimitExceeded,
        1_010_000,
        judge_model::Limit::CpuTime,
    );
    events.extend(stream::submission(
        "p",
        "accepted/x.rs",
        &["`secret/2` must be accepted, but got RTE"],
        vec![slow, stream::crash("secret/2")],
    ));
    for event in &mut events {
        if let Event::SubmissionStarted(started) = event {
            for rule in &mut started.expectations {
                rule.scope = Some(vec!["secret/2".to_owned()]);
            }
        }
    }
    let rendered = rendered(at(Verbosity::Normal), &run(events, End::Completed));
    assert!(rendered.contains("secret/2: run time error"), "{rendered}");
    assert!(!rendered.contains("secret/1: time limit"), "{rendered}");
}

#[test]
fn many_violations_are_counted() {
    let mut events = vec![stream::problem("p", "P", &["secret/1"], &["accepted/x.rs"])];
    let violations: Vec<String> = (1..=9)
        .map(|number| format!("violation {number}"))
        .collect();
    let violations: Vec<&str> = violations.iter().map(String::as_str).collect();
    events.extend(stream::submission(
        "p",
        "accepted/x.rs",
        &violations,
        vec![stream::crash("secret/1")],
    ));
    let brief = rendered(at(Verbosity::Normal), &run(events.clone(), End::Completed));
    assert!(
        brief.contains("and 7 more like that") && !brief.contains("violation 3"),
        "{brief}"
    );
    let long = rendered(at(Verbosity::Verbose), &run(events, End::Completed));
    assert!(
        long.contains("violation 9") && !long.contains("like that"),
        "{long}"
    );
}

/// Returns the report of a wrong answer with this difference.
fn wrong(difference: Difference) -> String {
    let mut events = vec![stream::problem("p", "P", &["secret/1"], &["accepted/x.rs"])];
    let test = TestCaseFinished {
        difference: Some(difference),
        ..stream::wrong_answer("secret/1")
    };
    events.extend(stream::submission(
        "p",
        "accepted/x.rs",
        &["violated"],
        vec![test],
    ));
    rendered(at(Verbosity::Normal), &run(events, End::Completed))
}

#[test]
fn every_kind_of_difference_is_described() {
    let at_line = |line, column| Position {
        line,
        column,
        token: 1,
    };
    let base = stream::difference();
    let missing = Difference {
        kind: DifferenceKind::Missing,
        output_position: at_line(12, 1),
        found: "".into(),
        output_window: stream::lines(10, &["1 2", "3 4"]),
        ..base.clone()
    };
    let extra = Difference {
        kind: DifferenceKind::Extra,
        answer_position: at_line(11, 1),
        expected: "".into(),
        answer_window: stream::lines(10, &["1 2", "3 4"]),
        ..base.clone()
    };
    let white_space = Difference {
        kind: DifferenceKind::Whitespace,
        expected: " ".into(),
        found: "  ".into(),
        answer_window: stream::lines(11, &["a b", "c\td"]),
        output_window: stream::lines(11, &["a  b", "c d  \r"]),
        ..base.clone()
    };
    let tolerance = Difference {
        kind: DifferenceKind::Tolerance,
        answer_position: at_line(2, 1),
        output_position: at_line(2, 1),
        expected: "0.3333".into(),
        found: "0.25".into(),
        answer_window: stream::lines(1, &["0.5", "0.3333"]),
        output_window: stream::lines(1, &["0.50000001", "0.25"]),
        same_line_count: false,
    };
    let line = Difference {
        kind: DifferenceKind::Line,
        ..base
    };
    let kinds = [missing, extra, white_space, tolerance, line].map(wrong);
    let details = kinds.map(|rendered| {
        let detail = rendered
            .lines()
            .skip_while(|line| !line.contains("violated"))
            .take_while(|line| !line.is_empty());
        detail.collect::<Vec<_>>().join("\n")
    });
    insta::assert_snapshot!(details.join("\n\n"));
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let long = |token: &str| {
        (0..40)
            .map(|n| {
                if n == 20 {
                    format!("{token} ")
                } else {
                    format!("{n} ")
                }
            })
            .collect::<String>()
    };
    let window = |token: &str| {
        let line = Line {
            text: long(token).as_str().into(),
            cut_before: 9_999_000,
            cut_after: 5,
        };
        Window {
            first_line: 1,
            lines: vec![line],
            more_after: false,
        }
    };
    let column = 9_999_000 + long("x").find('x').unwrap() as u64 + 1;
    let place = Position {
        line: 1,
        column,
        token: 4000,
    };
    let difference = Difference {
        answer_position: place,
        output_position: place,
        expected: "right".into(),
        found: "wrong".into(),
        answer_window: window("right"),
        output_window: window("wrong"),
        ..stream::difference()
    };
    let rendered = wrong(difference);
    assert!(
        rendered.contains("right ")
            && rendered.contains("wrong ")
            && rendered.contains("[+9,999,0"),
        "{rendered}"
    );
    insta::assert_snapshot!(rendered);
}

/// A reader that closed the pipe.
struct Gone;

impl std::io::Write for Gone {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn broken_pipes_are_errors() {
    let mut terminal = Terminal::new(
        TerminalSettings::default(),
        Box::new(Gone),
        ProgressTarget::hidden(),
    );
    let error = terminal.event(&stream::run_started(&[])).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

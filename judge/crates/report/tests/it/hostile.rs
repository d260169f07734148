//! Tests with bytes that would take over a terminal.

use judge_event::RunState;
use judge_event::{
    Bytes, CompileFinished, Difference, End, Event, Excerpt, HostFault, Input, LanguageUnavailable,
    Line, NearLimit, PackageFault, PackageWarning, Position, ProblemStarted, RedundantTestCase,
    RejectedBy, Slowest, SourceFile, SubmissionFinished, SubmissionSkipped, SubmissionStarted,
    TestCaseFinished, TestDataAssessed, Toolchain, Window,
};
use judge_model::{Expectation, Guarantee, LanguageId, ReportKind, Verdict};
use judge_report::{
    JsonLines, Look, ReportSettings, Reporter, TerminalSettings, Verbosity, View, live_reporter,
    render,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::stream;
use crate::{Shared, rendered};

/// Harmful and harmless pieces of text.
const HOSTILE_PIECES: [&[u8]; 20] = [
    b"::error::owned",
    b"\n  ::stop-commands::x\n",
    b"##[error]owned",
    "\u{2067}\u{e0041}\u{7f}".as_bytes(),
    b"\x1b[2J\x1b[31m",
    b"\x1b]0;title\x07",
    b"\0",
    b"\r\n",
    b"\n\n",
    b"\t",
    b"\xff\xfe\xc3",
    "\u{202e}\u{2066}".as_bytes(),
    "\u{200b}\u{feff}\u{ad}\u{2028}".as_bytes(),
    "\u{9b}31m\u{85}".as_bytes(),
    "\u{4e2d}\u{6587}\u{ff21}".as_bytes(),
    "e\u{301}\u{1f600}".as_bytes(),
    b"\x08\x7f\x0b\x0c",
    b"\\x1b\\",
    b"plain text with words",
    b"a_very_long_word_without_any_space_that_is_wider_than_a_narrow_page_could_ever_be",
];

pub(crate) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        select(&HOSTILE_PIECES[..]).prop_map(<[u8]>::to_vec),
        any::<Vec<u8>>()
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

/// Returns a stream with these bytes in every text.
pub(crate) fn poisoned(bytes: &[u8], kind: usize, numbers: [u64; 3]) -> Vec<Event> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let optional = Some(text.clone());
    let mut events = vec![stream::run_started(&Guarantee::ALL)];
    events.extend(poisoned_package(&text, numbers));
    events.extend(poisoned_submission(bytes, kind, numbers));
    events.push(started(&text));
    let (problem, submission, reason) = (text.clone(), text.clone(), text.clone());
    events.push(Event::SubmissionSkipped(SubmissionSkipped {
        problem,
        submission,
        reason,
    }));
    events.push(assessed(&text));
    let (problem, submission, test_case) = (optional.clone(), optional.clone(), optional);
    events.push(Event::HostFault(HostFault {
        problem,
        submission,
        test_case,
        message: text,
    }));
    events.push(stream::run_finished(End::Aborted));
    events
}

fn poisoned_package(text: &str, [_, large, _]: [u64; 3]) -> [Event; 4] {
    let text = || text.to_owned();
    let Event::ProblemStarted(problem) = stream::problem(&text(), &text(), &[&text()], &[&text()])
    else {
        unreachable!()
    };
    let excerpt = Excerpt {
        head: text().into_bytes().into(),
        left_out: large,
        tail: text().into_bytes().into(),
    };
    let (origin, file) = (Some(text()), Some(text()));
    let inputs = vec![Input {
        test_case: text(),
        size_bytes: large,
        excerpt,
        origin,
        file,
    }];
    let (problem_name, file, message) = (text(), text(), text());
    [
        Event::PackageFault(PackageFault {
            problem: text(),
            file: text(),
            line: Some(7),
            message: text(),
            hint: Some(text()),
        }),
        Event::PackageWarning(PackageWarning {
            problem: problem_name,
            file,
            line: None,
            message,
            hint: Some(text()),
        }),
        Event::LanguageUnavailable(LanguageUnavailable {
            language: LanguageId(text() + "x"),
            reason: text(),
            submissions: large,
        }),
        Event::ProblemStarted(ProblemStarted {
            title: text() + &text(),
            time_limit_us: large,
            inputs,
            ..problem
        }),
    ]
}

fn assessed(text: &str) -> Event {
    let text = || text.to_owned();
    Event::TestDataAssessed(TestDataAssessed {
        problem: text(),
        must_be_rejected: vec![
            RejectedBy {
                submission: text(),
                test_cases: vec![],
            },
            RejectedBy {
                submission: text(),
                test_cases: vec![text()],
            },
        ],
        idle: vec![text(); 9],
        redundant: vec![RedundantTestCase {
            test_case: text(),
            covered_by: text(),
        }],
        smallest: vec![text()],
        smallest_is_exact: false,
        min_kills: Some(2),
        samples_count: true,
        mutants: None,
    })
}

fn started(text: &str) -> Event {
    let text = || text.to_owned();
    Event::SubmissionStarted(SubmissionStarted {
        problem: text(),
        submission: text(),
        path: text(),
        language: Some(LanguageId(text())),
        expectations: vec![Expectation {
            origin: text(),
            ..Expectation::default()
        }],
        sources: vec![SourceFile {
            file: text(),
            size_bytes: 7,
            excerpt: Excerpt {
                head: text().into_bytes().into(),
                ..Excerpt::default()
            },
        }],
    })
}

fn poisoned_difference(bytes: &[u8], [small, large, column]: [u64; 3]) -> Difference {
    let position = Position {
        line: small,
        column,
        token: small,
    };
    let line = Line {
        text: Bytes(bytes.to_vec()),
        cut_before: small,
        cut_after: large,
    };
    let window = Window {
        first_line: small,
        lines: vec![line; 3],
        more_after: true,
    };
    Difference {
        answer_position: position,
        output_position: position,
        expected: Bytes(bytes.to_vec()),
        found: Bytes(bytes.to_vec()),
        answer_window: window.clone(),
        output_window: Window {
            first_line: large,
            ..window
        },
        ..stream::difference()
    }
}

fn poisoned_submission(bytes: &[u8], kind: usize, numbers: [u64; 3]) -> [Event; 4] {
    let [small, large, _] = numbers;
    let text = || String::from_utf8_lossy(bytes).into_owned();
    let verdict = Verdict::ALL[kind % Verdict::ALL.len()];
    let excerpt = Excerpt {
        head: Bytes(bytes.to_vec()),
        left_out: large,
        tail: Bytes(bytes.to_vec()),
    };
    let toolchain = Some(Toolchain {
        language: LanguageId(text()),
        version: text(),
        path: text(),
    });
    let Event::CompileFinished(compiled) = stream::compiled(&text(), &text()) else {
        unreachable!()
    };
    let (message, reason) = (excerpt.clone(), Some(text()));
    [
        started(&text()),
        Event::CompileFinished(CompileFinished {
            success: false,
            toolchain,
            message,
            reason,
            ..compiled
        }),
        Event::TestCaseFinished(TestCaseFinished {
            problem: text(),
            submission: text(),
            near_limit: Some(NearLimit {
                first_cpu_time_us: large,
                first_verdict: verdict,
            }),
            difference: Some(poisoned_difference(bytes, numbers)),
            judge_message: Bytes(bytes.to_vec()),
            stderr: excerpt,
            reason: Some(text()),
            memory_bytes: large,
            wall_time_us: large,
            ..stream::test_case(&text(), verdict, large)
        }),
        Event::SubmissionFinished(SubmissionFinished {
            problem: text(),
            submission: text(),
            verdict,
            deciding_test_case: Some(text()),
            slowest: Some(Slowest {
                test_case: text(),
                cpu_time_us: large,
            }),
            memory_bytes: large,
            test_cases_run: small,
            test_cases_total: large,
            as_expected: false,
            violations: vec![text(); 3],
            remarks: vec![text()],
            score: None,
            max_score: None,
            groups: Vec::new(),
        }),
    ]
}

/// Returns the text without the colours of the report.
fn without_colours(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        let end = after.find('m').expect("a colour ends");
        assert!(
            after[..end]
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b';'),
            "no colour: {after:?}"
        );
        rest = &after[end + 1..];
    }
    out + rest
}

fn columns(line: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(line)
}

/// True for a line that GitHub Actions would act on.
fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("::") || line.contains("##[")
}

/// True for a character that a terminal acts on, or that is invisible.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || "\u{202a}\u{202b}\u{202d}\u{202e}\u{2066}\u{2067}\u{200b}\u{200e}\u{200f}\u{feff}\u{2028}".contains(c)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn terminal_text_is_harmless_and_fits_the_width(
        bytes in bytes(), kind in 0usize..8, small in 0u64..300, column in 0u64..400,
        large in prop_oneof![any::<u64>(), Just(u64::MAX)], width in 40usize..140,
        verbosity in select(&[Verbosity::Quiet, Verbosity::Normal, Verbosity::Verbose, Verbosity::Everything][..]),
        view in select(&[View::Run, View::Submit, View::Matrix][..]), unicode: bool,
    ) {
        let events = poisoned(&bytes, kind, [small, large, column]);
        let look = Look { width, color: false, unicode };
        let plain = rendered(TerminalSettings { look, verbosity, view }, &events);
        for line in plain.split('\n') {
            prop_assert!(!line.chars().any(is_harmful), "{line:?}");
            prop_assert!(!is_command(line), "{line:?}");
            prop_assert!(columns(line) <= width, "{} columns of {width}: {line:?}", columns(line));
        }
        let coloured = rendered(TerminalSettings { look: Look { color: true, ..look }, verbosity, view }, &events);
        prop_assert_eq!(without_colours(&coloured), plain);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn reports_never_affect_a_terminal_or_a_log(
        bytes in bytes(), kind in 0usize..8, small in 0u64..300, column in 0u64..400, large: u64,
    ) {
        let events = poisoned(&bytes, kind, [small, large, column]);
        let mut state = RunState::default();
        let mut stream = JsonLines::new(Vec::new());
        let written = Shared::default();
        let mut markdown = live_reporter(ReportKind::Markdown, Box::new(written.clone()));
        for event in &events {
            state.apply(event);
            stream.event(event).unwrap();
            markdown.event(event).unwrap();
        }
        markdown.finish().unwrap();
        let stream = String::from_utf8(stream.into_inner()).unwrap();
        for (number, (line, event)) in (1..).zip(stream.lines().zip(&events)) {
            prop_assert_eq!(&judge_event::parse_line(line, number).unwrap(), event);
        }
        let mut texts = vec![("json".to_owned(), stream), ("markdown".to_owned(), written.text())];
        for kind in ReportKind::ALL {
            texts.push((kind.to_string(), render(kind, &state, &ReportSettings { prefix: "sub/".into() })));
        }
        for (kind, text) in texts {
            // Annotations are our own commands: each begins with one of three words, and the runner
            // looks for no other command in such a line.
            let ours = ["::error ", "::warning ", "::notice "];
            for line in text.split('\n') {
                let is_ours = kind == "github" && ours.iter().any(|word| line.starts_with(word));
                prop_assert!(is_ours || !is_command(line), "{kind}: {line:?}");
                prop_assert!(!line.chars().any(is_harmful), "{kind}: {line:?}");
            }
        }
    }
}

#[test]
fn hostile_bytes_are_shown() {
    let events = poisoned(b"a\x1b[31mb\x00\xff\xe2\x80\xae", 1, [3, 4, 5]);
    insta::assert_snapshot!(rendered(TerminalSettings::default(), &events));
}

/// GitLab displays the strings of its report unchanged.
#[test]
fn strings_for_gitlab_are_harmless() {
    fn strings(value: &serde_json::Value, into: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => into.push(text.clone()),
            serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, into)),
            serde_json::Value::Object(entries) => {
                entries.values().for_each(|item| strings(item, into));
            }
            _ => {}
        }
    }
    let mut state = RunState::default();
    poisoned("x\u{202e}y\u{1b}[31m".as_bytes(), 0, [0; 3])
        .iter()
        .for_each(|event| state.apply(event));
    let report = render(ReportKind::Gitlab, &state, &ReportSettings::default());
    let mut found = Vec::new();
    strings(&serde_json::from_str(&report).unwrap(), &mut found);
    assert!(
        found.iter().any(|text| text.contains("x\\u{202e}y")),
        "{found:?}"
    );
    let raw = found
        .iter()
        .find(|text| text.contains(['\u{202e}', '\u{1b}']));
    assert_eq!(raw, None);
}

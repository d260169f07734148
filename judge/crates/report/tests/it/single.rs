//! Tests of one submission as an online judge presents it.

use judge_event::{End, Event, Excerpt, TestCaseFinished};
use judge_model::{LanguageId, Termination, Verdict};
use judge_report::{TerminalSettings, Verbosity, View};

use crate::rendered;
use crate::stream;

fn submitted(verbosity: Verbosity, about: Vec<Event>) -> String {
    let mut events = vec![stream::run_started(&[])];
    events.push(stream::problem(
        "fiveup",
        "Five Up",
        &["sample/1", "secret/01-small", "secret/02-max"],
        &["x.rs"],
    ));
    events.extend(about);
    events.push(stream::run_finished(End::Completed));
    rendered(
        TerminalSettings {
            verbosity,
            view: View::Submit,
            ..TerminalSettings::default()
        },
        &events,
    )
}

#[test]
fn accepted() {
    let tests = vec![stream::test_case("sample/1", Verdict::Accepted, 1_000)];
    insta::assert_snapshot!(submitted(
        Verbosity::Normal,
        stream::submission("fiveup", "x.rs", &[], tests)
    ));
}

#[test]
fn wrong_answer() {
    let accepted = stream::test_case("sample/1", Verdict::Accepted, 1_000);
    let tests = vec![accepted, stream::wrong_answer("secret/01-small")];
    insta::assert_snapshot!(submitted(
        Verbosity::Verbose,
        stream::submission("fiveup", "x.rs", &[], tests)
    ));
}

#[test]
fn compile_error() {
    insta::assert_snapshot!(submitted(
        Verbosity::Normal,
        stream::compile_error("fiveup", "x.rs")
    ));
}

#[test]
fn skipped() {
    insta::assert_snapshot!(submitted(
        Verbosity::Normal,
        stream::skipped("fiveup", "x.kt")
    ));
}

#[test]
fn later_rejections_have_not_passed() {
    let late = |name: &str| TestCaseFinished {
        after_stop: true,
        ..stream::wrong_answer(name)
    };
    let tests = vec![
        stream::wrong_answer("sample/1"),
        late("secret/01-small"),
        late("secret/02-max"),
    ];
    let rendered = submitted(
        Verbosity::Normal,
        stream::submission("fiveup", "x.rs", &[], tests),
    );
    assert!(rendered.contains("passed  0 of 3 test cases"), "{rendered}");
}

/// A run time error of a program in a language whose compiler printed this message.
fn crashed(language: &str, message: &str, termination: Termination) -> String {
    let ended = stream::ended("sample/1", Verdict::RunTimeError, 1_000, termination);
    let mut events = stream::submission("fiveup", "x.cpp", &[], vec![ended]);
    for event in &mut events {
        match event {
            Event::SubmissionStarted(started) => {
                started.language = Some(LanguageId(language.into()));
            }
            Event::CompileFinished(compiled) => {
                compiled.message = Excerpt::new(message.as_bytes(), 1 << 10, 0);
            }
            _ => {}
        }
    }
    submitted(Verbosity::Normal, events)
}

#[test]
fn warnings_of_the_compiler_are_printed_with_a_crash() {
    let message =
        "x.cpp:3:1: warning: no return statement in function returning non-void [-Wreturn-type]\n";
    let text = crashed("cpp", message, Termination::Signaled { signal: 11 });
    let expected = "the compiler warned: x.cpp:3:1: no return statement";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn exit_codes_of_cpp_programs_are_explained() {
    let hint = "a program must end with exit code 0 (`return 0`)";
    let text = |language: &str, code: i32| crashed(language, "", Termination::Exited { code });
    assert!(text("cpp", 3).contains(hint));
    assert!(!text("cpp", 134).contains(hint));
    assert!(!text("rust", 101).contains(hint));
}

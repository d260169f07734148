//! Tests of one submission as an online judge presents it.

use judge_event::{End, Event, TestCaseFinished};
use judge_model::Verdict;
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

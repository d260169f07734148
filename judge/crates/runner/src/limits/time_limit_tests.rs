//! Tests of inferred time limits: the submissions that are measured, their test cases, and the
//! limit.

use std::path::PathBuf;

use judge_event::{Bytes, CompileFinished, Excerpt, PackageFault, SubmissionSkipped};
use judge_fixtures::test_case_finished;
use judge_model::{Grading, LanguageId, TestCase, TimeLimitUse};

use super::*;
use crate::plan::Plan;

fn submission(id: &str, expectations: Vec<Expectation>) -> Submission {
    Submission {
        id: id.to_owned(),
        path: PathBuf::from(id),
        sources: Vec::new(),
        language: Some(LanguageId("c".to_owned())),
        entry_class: None,
        of_package: true,
        expectations,
        answers: BTreeMap::new(),
        misplaced: None,
    }
}

fn of_directory(name: &str) -> Vec<Expectation> {
    vec![Expectation::of_directory(name).unwrap()]
}

fn plan(submissions: Vec<Submission>) -> Plan {
    let tests = ["sample/1", "secret/g1/1", "secret/g1/2", "secret/g2/1"];
    let test_cases = tests
        .iter()
        .map(|id| TestCase {
            id: (*id).to_owned(),
            ..TestCase::default()
        })
        .collect();
    let whole = Problem {
        test_cases,
        submissions,
        grading: Grading::Scores,
        ..Problem::new("p", PathBuf::from("p"), FormatVersion::V2025_09)
    };
    // Only one test case and none of the measured submissions are selected.
    let selected = Problem {
        test_cases: whole.test_cases[..1].to_vec(),
        submissions: Vec::new(),
        ..whole.clone()
    };
    let planned = PlannedProblem {
        margins: Margins::default(),
        name: "p".to_owned(),
        path: "problems/p".to_owned(),
        problem: Arc::new(selected),
        test_cases_total: 4,
        solutions_total: 0,
        time_limit: Duration::ZERO,
        time_factor: 1.0,
        time_limit_source: TimeLimitSource::ToInfer(Arc::new(whole)),
        submission_paths: Vec::new(),
        warnings: Vec::new(),
    };
    Plan {
        problems: vec![planned],
        ..Plan::default()
    }
}

/// `submission: test cases`, for everything that is measured.
fn measured(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for planned in measuring_entries(&plan.problems[0]) {
        assert_eq!((planned.name.as_str(), planned.time_limit), ("p", CAP));
        assert_eq!(
            planned.problem.grading,
            Grading::Scores,
            "validators run as in judging"
        );
        let tests: Vec<&str> = planned
            .problem
            .test_cases
            .iter()
            .map(|test_case| test_case.id.as_str())
            .collect();
        lines.extend(
            planned
                .problem
                .submissions
                .iter()
                .map(|submission| format!("{}: {}", submission.id, tests.join(" "))),
        );
    }
    lines.sort();
    lines
}

fn finished(submission: &str, test_case: &str, millis: u64, termination: Termination) -> Event {
    let finished = test_case_finished(test_case, Verdict::Accepted, millis * 1000);
    let (problem, submission) = ("p".to_owned(), submission.to_owned());
    Event::TestCaseFinished(TestCaseFinished {
        problem,
        submission,
        termination,
        ..finished
    })
}

/// The time limit inferred from these events, and its source.
fn concluded(events: &[Event]) -> (Duration, TimeLimitSource) {
    let plan = plan(Vec::new());
    let mut measurement = Measurement::default();
    events
        .iter()
        .for_each(|event| measurement.take(event.clone()));
    measurement.add_cached("p", "b", "secret/g1/1", "before");
    measurement.conclude(&plan.problems[0], Some("now"))
}

const ENDED: Termination = Termination::Exited { code: 0 };

#[test]
fn fast_submissions_are_measured_on_test_cases_covered_by_their_rules() {
    let scoped = Expectation {
        scope: Some(vec!["secret/g1".to_owned()]),
        ..of_directory("accepted").remove(0)
    };
    let never = Expectation {
        time_limit: Some(TimeLimitUse::Never),
        ..of_directory("accepted").remove(0)
    };
    let all = "sample/1 secret/g1/1 secret/g1/2 secret/g2/1";
    let plan = plan(vec![
        submission("accepted/a", of_directory("accepted")),
        submission("wrong_answer/b", of_directory("wrong_answer")),
        submission("time_limit_exceeded/c", of_directory("time_limit_exceeded")),
        submission(
            "brute_force/d",
            [of_directory("brute_force"), vec![scoped]].concat(),
        ),
        submission("accepted/e", vec![never]),
        Submission {
            language: None,
            ..submission("accepted/f", of_directory("accepted"))
        },
        submission("other/g", Vec::new()),
    ]);
    assert_eq!(
        measured(&plan),
        [
            format!("accepted/a: {all}"),
            "brute_force/d: secret/g1/1 secret/g1/2".to_owned(),
            format!("wrong_answer/b: {all}")
        ]
    );
}

#[test]
fn problems_with_a_time_limit_are_not_measured() {
    let mut plan = plan(vec![submission("accepted/a", of_directory("accepted"))]);
    plan.problems[0].time_limit_source = TimeLimitSource::Stated;
    assert!(measuring_entries(&plan.problems[0]).is_empty());
}

#[test]
fn only_stopped_runs_end_their_submission() {
    let plan = plan(vec![submission("accepted/a", of_directory("accepted"))]);
    let rules = &measuring_entries(&plan.problems[0])[0].problem.submissions[0].expectations;
    let after = |verdict| {
        let result = judge_grading::TestCaseVerdict {
            verdict: Some(verdict),
            ..judge_grading::TestCaseVerdict::default()
        };
        judge_grading::is_settled(rules, &[result])
    };
    assert!(after(Verdict::TimeLimitExceeded));
    assert!(
        !after(Verdict::WrongAnswer)
            && !after(Verdict::RunTimeError)
            && !after(Verdict::MemoryLimitExceeded)
    );
}

#[test]
fn the_slowest_run_determines_the_limit() {
    let fresh = [
        finished("a", "sample/1", 100, ENDED),
        finished(
            "b",
            "secret/g1/1",
            700,
            Termination::Signaled { signal: 11 },
        ),
        finished("a", "secret/g1/1", 600, ENDED),
    ];
    let cached = fresh.clone().map(|event| match event {
        Event::TestCaseFinished(finished) => Event::TestCaseFinished(TestCaseFinished {
            cached: true,
            ..finished
        }),
        other => other,
    });
    for (events, when) in [(fresh, "now"), (cached, "before")] {
        let (time_limit, TimeLimitSource::Inferred(inference)) = concluded(&events) else {
            panic!()
        };
        assert_eq!(time_limit, Duration::from_secs(2));
        assert_eq!(
            (
                inference.run.submission.as_str(),
                inference.run.test_case.as_str()
            ),
            ("b", "secret/g1/1")
        );
        assert_eq!(
            (inference.measured_at.as_deref(), inference.cached),
            (Some(when), when == "before")
        );
    }
}

fn skipped(id: &str) -> Event {
    let (problem, submission) = ("p".to_owned(), id.to_owned());
    Event::SubmissionSkipped(SubmissionSkipped {
        problem,
        submission,
        reason: "no tools for `c` on this host".into(),
    })
}

fn not_compiled(id: &str, message: &str) -> Event {
    Event::CompileFinished(CompileFinished {
        problem: "p".into(),
        submission: id.into(),
        success: false,
        cached: false,
        cpu_time_us: 0,
        toolchain: None,
        reason: None,
        message: Excerpt {
            head: Bytes(message.into()),
            ..Excerpt::default()
        },
    })
}

fn judge_error_on(test_case: &str) -> Event {
    let finished = TestCaseFinished {
        problem: "p".into(),
        submission: "a".into(),
        reason: Some("the output validator exited with code 1".into()),
        stderr: Excerpt {
            head: Bytes(b"Traceback\nValueError: x\n\n".to_vec()),
            ..Excerpt::default()
        },
        ..test_case_finished(test_case, Verdict::JudgeError, 5000)
    };
    Event::TestCaseFinished(finished)
}

#[test]
fn missing_time_limits_are_reported_by_their_cause() {
    let why = |events: &[Event]| match concluded(events).1 {
        TimeLimitSource::Failed(why) => why,
        other => panic!("{other:?}"),
    };
    let stated = |events: &[Event], text: &str| {
        let NotInferred::NothingStated(message) = why(events) else {
            panic!("{:?}", why(events))
        };
        assert!(message.contains(text), "{message}");
    };
    stated(&[], "no time limit is stated, and no submission");
    let stopped = Termination::Killed {
        limit: Limit::CpuTime,
    };
    stated(
        &[finished("a", "sample/1", 60_000, stopped)],
        "`a` was stopped on `sample/1` after 60 s",
    );
    let broken = not_compiled("a", "a.c: In function\na.c:3: error: no `x`\nmore");
    stated(
        std::slice::from_ref(&broken),
        "none can be inferred: `a` does not compile: a.c:3: error: no `x`",
    );
    stated(
        &[not_compiled("a", &"x".repeat(1 << 20))],
        &format!("does not compile: {}", "x".repeat(MAX_QUOTED_CHARS)),
    );
    stated(
        &[broken, skipped("b")],
        "error: no `x`; `b`: no tools for `c` on this host",
    );
    // A fault of the host.
    let message =
        "no time limit is stated, and none can be inferred: `a`: no tools for `c` on this host";
    assert_eq!(why(&[skipped("a")]), NotInferred::NoTools(message.into()));
    // A fault of the package.
    let fault = PackageFault {
        problem: "p".into(),
        file: "p".into(),
        line: None,
        message: "broken".into(),
        hint: None,
    };
    assert_eq!(
        why(&[Event::PackageFault(fault), skipped("a")]),
        NotInferred::PackageFault("broken".into())
    );
    let fast = finished("a", "sample/1", 100, ENDED);
    let NotInferred::PackageFault(message) = why(&[
        fast,
        judge_error_on("secret/g1/1"),
        judge_error_on("secret/g2/1"),
    ]) else {
        panic!()
    };
    assert_eq!(
        message,
        "judge error while inferring the time limit: the output validator exited with code 1 (`ValueError: \
         x`), for `a` on `secret/g1/1`"
    );
}

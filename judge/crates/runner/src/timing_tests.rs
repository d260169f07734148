//! Which submissions are measured on which test cases, and what becomes of the time limit.

use std::path::PathBuf;

use judge_event::{PackageFault, SubmissionSkipped};
use judge_fixtures::test_case_finished;
use judge_model::{LanguageId, TestCase, TimeLimitUse};

use super::*;

struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: &Event) -> io::Result<()> {
        Ok(())
    }

    fn progress(&mut self, _: &Progress) -> io::Result<()> {
        Ok(())
    }
}

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
    }
}

fn of_directory(name: &str) -> Vec<Expectation> {
    vec![Expectation::of_directory(name).unwrap()]
}

fn plan(submissions: Vec<Submission>) -> Plan {
    let tests = ["sample/1", "secret/g1/1", "secret/g1/2", "secret/g2/1"];
    let test_cases = tests.iter().map(|id| TestCase { id: (*id).to_owned(), ..TestCase::default() }).collect();
    let whole = Problem {
        test_cases,
        submissions,
        grading: Grading::Scores,
        ..Problem::new("p", PathBuf::from("p"), FormatVersion::V2025_09)
    };
    // Only one test case and no submission of those that bind are selected.
    let selected = Problem { test_cases: whole.test_cases[..1].to_vec(), submissions: Vec::new(), ..whole.clone() };
    let planned = PlannedProblem {
        margins: Margins::default(),
        name: "p".to_owned(),
        path: "problems/p".to_owned(),
        problem: Arc::new(selected),
        test_cases_total: 4,
        time_limit: Duration::ZERO,
        time_limit_source: TimeLimitSource::ToInfer(Arc::new(whole)),
        submission_paths: Vec::new(),
        warnings: Vec::new(),
    };
    Plan { problems: vec![planned], ..Plan::default() }
}

/// `submission: test cases`, for everything that is measured.
fn measured(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for planned in measuring_plan(plan).problems {
        assert_eq!((planned.name.as_str(), planned.time_limit), ("p", CAP));
        assert_eq!(planned.problem.grading, Grading::PassFail, "no group leaves anything out");
        let tests: Vec<&str> = planned.problem.test_cases.iter().map(|test_case| test_case.id.as_str()).collect();
        lines.extend(planned.problem.submissions.iter().map(|of| format!("{}: {}", of.id, tests.join(" "))));
    }
    lines.sort();
    lines
}

fn finished(submission: &str, test_case: &str, millis: u64, termination: Termination) -> Event {
    let finished = test_case_finished(test_case, Verdict::Accepted, millis * 1000);
    let (problem, submission) = ("p".to_owned(), submission.to_owned());
    Event::TestCaseFinished(TestCaseFinished { problem, submission, termination, ..finished })
}

/// What becomes of the time limit after these events.
fn concluded(events: &[Event]) -> PlannedProblem {
    let mut plan = plan(Vec::new());
    let mut silent = Silent;
    let mut stopwatch = Stopwatch::new(&mut silent);
    events.iter().for_each(|event| stopwatch.event(event).unwrap());
    stopwatch.conclude(&mut plan);
    plan.problems.remove(0)
}

const ENDED: Termination = Termination::Exited { code: 0 };

#[test]
fn what_must_be_fast_enough_is_measured_on_what_its_rules_cover() {
    let scoped = Expectation { scope: Some(vec!["secret/g1".to_owned()]), ..of_directory("accepted").remove(0) };
    let never = Expectation { time_limit: Some(TimeLimitUse::Never), ..of_directory("accepted").remove(0) };
    let all = "sample/1 secret/g1/1 secret/g1/2 secret/g2/1";
    let plan = plan(vec![
        submission("accepted/a", of_directory("accepted")),
        submission("wrong_answer/b", of_directory("wrong_answer")),
        submission("time_limit_exceeded/c", of_directory("time_limit_exceeded")),
        submission("brute_force/d", [of_directory("brute_force"), vec![scoped]].concat()),
        submission("accepted/e", vec![never]),
        Submission { language: None, ..submission("accepted/f", of_directory("accepted")) },
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
    assert!(measuring_plan(&plan).problems.is_empty());
}

#[test]
fn only_a_run_that_is_stopped_ends_its_submission() {
    let plan = measuring_plan(&plan(vec![submission("accepted/a", of_directory("accepted"))]));
    let rules = &plan.problems[0].problem.submissions[0].expectations;
    let after = |verdict| {
        let result = judge_grading::TestResult { verdict: Some(verdict), ..judge_grading::TestResult::default() };
        judge_grading::is_settled(rules, &[result])
    };
    assert!(after(Verdict::TimeLimitExceeded));
    assert!(!after(Verdict::WrongAnswer) && !after(Verdict::RunTimeError) && !after(Verdict::MemoryLimitExceeded));
}

#[test]
fn the_slowest_run_binds() {
    let planned = concluded(&[
        finished("a", "sample/1", 100, ENDED),
        finished("b", "secret/g1/1", 700, Termination::Signaled { signal: 11 }),
        finished("a", "secret/g1/1", 600, ENDED),
    ]);
    assert_eq!(planned.time_limit, Duration::from_secs(2));
    let TimeLimitSource::Inferred(run) = planned.time_limit_source else { panic!() };
    assert_eq!((run.submission.as_str(), run.test_case.as_str()), ("b", "secret/g1/1"));
}

#[test]
fn why_there_is_no_time_limit_is_said() {
    let why = |events: &[Event]| match concluded(events).time_limit_source {
        TimeLimitSource::Failed(why) => why,
        other => panic!("{other:?}"),
    };
    assert!(why(&[]).starts_with("there is no time limit, and no submission"));
    let stopped = Termination::Killed { limit: Limit::CpuTime };
    assert!(why(&[finished("a", "sample/1", 60_000, stopped)]).contains("`a` was stopped on `sample/1` after 60 s"));
    let skipped = SubmissionSkipped { problem: "p".into(), submission: "a".into(), reason: "no tools".into() };
    let skipped = Event::SubmissionSkipped(skipped);
    assert!(why(std::slice::from_ref(&skipped)).ends_with("; not measured: `a` (no tools)"));
    let fault =
        PackageFault { problem: "p".into(), file: "p".into(), line: None, message: "broken".into(), hint: None };
    assert_eq!(why(&[Event::PackageFault(fault), skipped]), "broken");
}

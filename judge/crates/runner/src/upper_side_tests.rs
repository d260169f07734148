//! What must be too slow, and is or is not.

use std::path::PathBuf;
use std::sync::Arc;

use judge_event::{Bytes, Excerpt};
use judge_model::{Problem, Termination, Verdict};

use super::*;

fn planned(time_limit_source: TimeLimitSource) -> PlannedProblem {
    PlannedProblem {
        name: "p".to_owned(),
        path: "p".to_owned(),
        problem: Arc::new(Problem::new("p", PathBuf::from("p"), FormatVersion::V2025_09)),
        test_cases_total: 2,
        time_limit: Duration::from_secs(2),
        time_limit_source,
        submission_paths: Vec::new(),
        warnings: Vec::new(),
    }
}

fn inferred() -> TimeLimitSource {
    let (submission, test_case) = ("a".to_owned(), "secret/1".to_owned());
    TimeLimitSource::Inferred(TimedRun { submission, test_case, cpu_time: Duration::from_secs(1), stopped: false })
}

fn submission(directory: &str, scope: Option<&str>) -> Submission {
    let rule = Expectation::of_directory(directory).unwrap();
    Submission {
        id: format!("{directory}/x"),
        path: PathBuf::from("x"),
        sources: Vec::new(),
        language: None,
        entry_class: None,
        of_package: true,
        answers: std::collections::BTreeMap::new(),
        expectations: vec![Expectation { scope: scope.map(|id| vec![id.to_owned()]), ..rule }],
    }
}

fn finished(test_case: &str, millis: u64) -> TestCaseFinished {
    TestCaseFinished {
        problem: "p".to_owned(),
        submission: "x".to_owned(),
        test_case: test_case.to_owned(),
        verdict: Verdict::TimeLimitExceeded,
        cpu_time_us: millis * 1000,
        wall_time_us: 0,
        memory_bytes: 0,
        stdout_bytes: 0,
        stderr_bytes: 0,
        termination: Termination::Exited { code: 0 },
        near_limit: None,
        difference: None,
        judge_message: Bytes::default(),
        stderr: Excerpt::default(),
        reason: None,
        score: None,
        passes: None,
        interaction: None,
        team_message: Bytes::default(),
    }
}

#[test]
fn what_must_be_too_slow_runs_until_it_is_slow_enough() {
    let slow = UpperSide::of(&planned(inferred()), &submission("time_limit_exceeded", Some("secret")));
    assert!(slow.kill_at("secret/1") > 1.5);
    assert_eq!(slow.kill_at("sample/1"), KILL_AT);
    let fast = UpperSide::of(&planned(inferred()), &submission("accepted", None));
    assert_eq!(fast.kill_at("secret/1"), KILL_AT);
    let stated = UpperSide::of(&planned(TimeLimitSource::Stated), &submission("time_limit_exceeded", None));
    assert_eq!(stated.kill_at("secret/1"), KILL_AT);
    assert!(!fast.is_open() && !stated.is_open());
}

#[test]
fn a_limit_that_is_too_long_for_it_is_told() {
    let mut slow = UpperSide::of(&planned(inferred()), &submission("time_limit_exceeded", Some("secret")));
    assert!(slow.is_open());
    slow.add(&finished("sample/1", 9000));
    assert!(slow.is_open(), "not covered");
    slow.add(&finished("secret/1", 2700));
    assert!(slow.is_open());
    let faults = slow.faults();
    assert!(faults.len() == 1 && faults[0].starts_with("the time limit of 2 s is too long: `x`"), "{faults:?}");
    slow.add(&finished("secret/2", 3000));
    assert!(!slow.is_open() && slow.faults().is_empty());
}

//! Tests of the margins of the time limit: runs that must be fast enough or too slow.

use std::path::PathBuf;
use std::sync::Arc;

use judge_fixtures::test_case_finished;
use judge_model::{Limit, Problem, Usage, Verdict};

use super::*;
use crate::plan::Inference;

fn planned(
    time_limit_source: TimeLimitSource,
    format: FormatVersion,
    margins: Margins,
) -> PlannedProblem {
    let problem = Arc::new(Problem::new("p", PathBuf::from("p"), format));
    let planned = PlannedProblem::new(problem, "p".to_owned(), Duration::from_secs(2));
    PlannedProblem {
        margins,
        time_limit_source,
        ..planned
    }
}

fn inferred() -> PlannedProblem {
    let (submission, test_case) = ("a".to_owned(), "secret/1".to_owned());
    let cpu_time = Duration::from_secs(1);
    let run = TimedRun {
        submission,
        test_case,
        cpu_time,
        stopped: false,
    };
    let source = TimeLimitSource::Inferred(Inference {
        run,
        measured_at: None,
        cached: false,
    });
    planned(source, FormatVersion::V2025_09, Margins::Remarked)
}

fn stated(margins: Margins) -> PlannedProblem {
    planned(TimeLimitSource::Stated, FormatVersion::V2025_09, margins)
}

fn legacy(margins: Margins) -> PlannedProblem {
    planned(TimeLimitSource::Stated, FormatVersion::Legacy, margins)
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
        expectations: vec![Expectation {
            scope: scope.map(|id| vec![id.to_owned()]),
            ..rule
        }],
        misplaced: None,
    }
}

fn finished(test_case: &str, millis: u64) -> TestCaseFinished {
    let finished = test_case_finished(test_case, Verdict::TimeLimitExceeded, millis * 1000);
    TestCaseFinished {
        problem: "p".to_owned(),
        submission: "x".to_owned(),
        ..finished
    }
}

#[test]
fn slow_submissions_run_until_they_are_slow_enough() {
    let too_slow = submission("time_limit_exceeded", Some("secret"));
    for planned in [inferred(), stated(Margins::Demanded)] {
        let slow = TimeMargins::new(&planned, &too_slow);
        assert!(slow.kill_at("secret/1") > 1.5 && slow.may_be_open() && slow.is_open());
        assert_eq!(slow.kill_at("sample/1"), KILL_AT);
        let fast = TimeMargins::new(&planned, &submission("accepted", None));
        assert_eq!(fast.kill_at("secret/1"), KILL_AT);
        assert!(!fast.may_be_open() && !fast.is_open());
    }
    for margins in [Margins::Ignored, Margins::Remarked] {
        let slow = TimeMargins::new(&stated(margins), &too_slow);
        assert_eq!(slow.kill_at("secret/1"), KILL_AT, "nothing runs for longer");
        assert!(!slow.may_be_open() && !slow.is_open());
    }
}

#[test]
fn too_long_limits_are_reported() {
    for planned in [inferred(), stated(Margins::Demanded)] {
        let mut slow =
            TimeMargins::new(&planned, &submission("time_limit_exceeded", Some("secret")));
        slow.add(&finished("sample/1", 9000));
        assert!(slow.is_open(), "not covered");
        slow.add(&finished("secret/1", 2700));
        assert!(slow.is_open());
        assert_eq!(
            slow.missing(false, Verdict::TimeLimitExceeded),
            MissingMargins::default(),
            "not all runs are there"
        );
        let MissingMargins {
            violations,
            remarks,
        } = slow.missing(true, Verdict::TimeLimitExceeded);
        assert!(
            violations.len() == 1
                && violations[0].starts_with("the time limit of 2 s is too long: `x`")
        );
        assert!(remarks.is_empty());
        slow.add(&finished("secret/2", 3000));
        assert!(
            !slow.is_open()
                && slow.missing(true, Verdict::TimeLimitExceeded) == MissingMargins::default()
        );
    }
}

#[test]
fn too_short_limits_are_reported() {
    let missing = |planned: &PlannedProblem, millis: u64| {
        let mut fast = TimeMargins::new(planned, &submission("wrong_answer", None));
        fast.add(&finished("secret/1", 10));
        fast.add(&finished("secret/2", millis));
        // Judging has stopped early: the runs so far are sufficient evidence.
        fast.missing(false, Verdict::WrongAnswer)
    };
    let MissingMargins {
        violations,
        remarks,
    } = missing(&stated(Margins::Demanded), 1100);
    assert!(violations.len() == 1 && remarks.is_empty());
    let words =
        "the time limit of 2 s is too short: `x` takes 1.1 s on `secret/2` (at least 2.2 s needed)";
    assert_eq!(violations[0], words);
    let MissingMargins {
        violations,
        remarks,
    } = missing(&stated(Margins::Remarked), 1100);
    assert_eq!((violations.len(), remarks), (0, vec![words.to_owned()]));
    for (planned, millis) in [
        (stated(Margins::Ignored), 1100),
        (stated(Margins::Demanded), 1000),
        (legacy(Margins::Demanded), 1100),
        (inferred(), 1100),
        // A verdict that is not permitted is reported as such, not as a missing margin.
        (stated(Margins::Demanded), 2100),
    ] {
        assert_eq!(
            missing(&planned, millis),
            MissingMargins::default(),
            "{millis} {planned:?}"
        );
    }
}

#[test]
fn legacy_verdicts_near_the_margin_cause_a_remark() {
    for margins in [Margins::Remarked, Margins::Demanded] {
        let mut slow = TimeMargins::new(&legacy(margins), &submission("time_limit_exceeded", None));
        let demanded = margins == Margins::Demanded;
        assert_eq!(slow.kill_at("secret/1") > 1.5, demanded);
        assert_eq!(slow.may_be_open(), demanded);
        slow.add(&finished("secret/1", 2500));
        assert_eq!(slow.is_open(), demanded);
        let MissingMargins {
            violations,
            remarks,
        } = slow.missing(false, Verdict::TimeLimitExceeded);
        assert!(
            violations.is_empty()
                && remarks.len() == 1
                && remarks[0].starts_with("sensitive to the time limit")
        );
        assert_eq!(
            slow.missing(true, Verdict::WrongAnswer),
            MissingMargins::default(),
            "time does not decide it"
        );
        slow.add(&finished("secret/2", 3100));
        assert!(
            !slow.is_open()
                && slow.missing(true, Verdict::TimeLimitExceeded) == MissingMargins::default()
        );
    }
    let mut ignored = TimeMargins::new(
        &legacy(Margins::Ignored),
        &submission("time_limit_exceeded", None),
    );
    ignored.add(&finished("secret/1", 2500));
    assert_eq!(
        ignored.missing(true, Verdict::TimeLimitExceeded),
        MissingMargins::default()
    );
}

#[test]
fn margins_depend_on_every_time_above_the_lower_bound() {
    let depends_on =
        |planned: &PlannedProblem, directory: &str, millis: u64, termination: Termination| {
            let usage = Usage {
                cpu_time: Duration::from_millis(millis),
                ..Usage::default()
            };
            TimeMargins::new(planned, &submission(directory, None))
                .depends_on("secret/1", &Outcome { termination, usage })
        };
    let ended = Termination::Exited { code: 0 };
    // It may take at most one of the two seconds.
    for (millis, expected) in [
        (700, false),
        (800, true),
        (1000, true),
        (1300, true),
        (1500, true),
        (1990, true),
    ] {
        assert_eq!(
            depends_on(&stated(Margins::Demanded), "accepted", millis, ended),
            expected,
            "{millis}"
        );
    }
    assert!(
        !depends_on(&stated(Margins::Ignored), "accepted", 1500, ended),
        "nothing is reported"
    );
    // A submission that must be too slow needs at least three seconds.
    for (millis, expected) in [(1500, false), (2500, true), (3500, true), (9000, false)] {
        let slow = depends_on(
            &stated(Margins::Demanded),
            "time_limit_exceeded",
            millis,
            ended,
        );
        assert_eq!(slow, expected, "{millis}");
    }
    for (limit, expected) in [
        (Limit::CpuTime, false),
        (Limit::WallTime, false),
        (Limit::Memory, true),
    ] {
        let stopped = Termination::Killed { limit };
        assert_eq!(
            depends_on(&stated(Margins::Demanded), "accepted", 2700, stopped),
            expected,
            "{limit:?}"
        );
    }
}

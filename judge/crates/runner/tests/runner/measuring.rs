//! Tests of single runs that are measured outside a plan.

use std::sync::Arc;
use std::time::Duration;

use judge_exec::Session;
use judge_fixtures::FakeSandbox;
use judge_model::{ProblemIndex, SubmissionIndex, SubmissionPlace, TestCaseIndex, Verdict};

use crate::recording::environment;
use crate::run::Package;

/// A submission of the first problem.
fn place(submission: usize) -> SubmissionPlace {
    SubmissionPlace {
        problem: ProblemIndex(0),
        submission: SubmissionIndex(submission),
    }
}

#[test]
fn measurements_are_judged_as_in_a_run() {
    let package = Package::new("p")
        .with("accepted/a", "* cpu 7")
        .with("wrong_answer/b", "2 print 5")
        .with("x/c", "1 signal 11");
    let cache = tempfile::tempdir().unwrap();
    let environment = environment(Arc::new(FakeSandbox::default()), cache.path().to_owned(), 1);
    let session = Session::open(vec![package.planned().timed()], &environment, true).unwrap();
    let mut worker = session.measuring_worker(None);
    let prepared_submissions: Vec<_> = (0..3)
        .map(|index| worker.prepare_submission(place(index)).unwrap())
        .collect();
    let mut measurement = |prepared: usize, test| {
        worker
            .measure(&prepared_submissions[prepared], TestCaseIndex(test))
            .unwrap()
            .unwrap()
    };
    let right = measurement(0, 1);
    assert_eq!(
        (right.verdict, right.outcome.usage.cpu_time),
        (Verdict::Accepted, Duration::from_millis(7))
    );
    assert_eq!(measurement(0, 1), right, "repeatable");
    assert_eq!(
        right.output_hash.as_deref(),
        Some("53c234e5e8472b6a"),
        "the SHA-256 of `2` and a line break"
    );
    let wrong = measurement(1, 1);
    assert_eq!(wrong.verdict, Verdict::WrongAnswer);
    assert_ne!(wrong.output_hash, right.output_hash);
    assert_eq!(measurement(1, 0).output_hash, measurement(0, 0).output_hash);
    assert_eq!(measurement(2, 0).verdict, Verdict::RunTimeError);
    assert_eq!(
        worker
            .prepare_submission(place(3))
            .unwrap_err()
            .refusal()
            .unwrap()
            .to_string(),
        "no such submission"
    );
    environment.cancel.cancel();
    assert_eq!(
        worker
            .measure(&prepared_submissions[0], TestCaseIndex(0))
            .unwrap(),
        None
    );
}

#[test]
fn numbers_are_replaced_in_a_copy_of_the_program() {
    let package = Package::new("p").with("accepted/a", "* print MARK....");
    let cache = tempfile::tempdir().unwrap();
    let environment = environment(Arc::new(FakeSandbox::default()), cache.path().to_owned(), 1);
    let session = Session::open(vec![package.planned().timed()], &environment, true).unwrap();
    let mut worker = session.measuring_worker(None);
    let original = worker.prepare_submission(place(0)).unwrap();
    assert!(
        session
            .patched_program(&original, b"absent")
            .unwrap()
            .is_none()
    );
    assert!(
        session
            .patched_program(&original, b"print")
            .unwrap()
            .is_none(),
        "the mark must be unique"
    );
    let marked = session
        .patched_program(&original, b"MARK")
        .unwrap()
        .unwrap();
    let mut hash = |prepared: &_| {
        worker
            .measure(prepared, TestCaseIndex(0))
            .unwrap()
            .unwrap()
            .output_hash
            .unwrap()
    };
    let before = hash(&original);
    let one = hash(&marked.choose(u32::from_le_bytes(*b"1234")).unwrap());
    let other = hash(&marked.choose(u32::from_le_bytes(*b"5678")).unwrap());
    assert!(one != before && other != before && one != other);
    assert_eq!(hash(&original), before);
}

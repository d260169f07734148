//! Tests of the order of events, of stopping, and of faults.

use std::sync::Arc;
use std::time::Duration;

use judge_event::{End, Event, RunState, SubmissionState};
use judge_exec::ExecError;
use judge_fixtures::{FakeSandbox, scripted_problem, scripted_submission, without_times};
use judge_model::{Problem, Verdict};
use judge_runner::{Margins, Plan, PlannedProblem, RunSettings, run};

use crate::recording::{Record, environment};

/// A problem of three test cases (`secret/1` to `secret/3`, answers `1` to `3`) whose submissions
/// are scripts.
pub(crate) struct Package {
    _dir: tempfile::TempDir,
    pub(crate) problem: Problem,
}

impl Package {
    pub(crate) fn new(name: &'static str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let problem = scripted_problem(name, &dir.path().join("package"));
        Self { _dir: dir, problem }
    }

    /// Adds a submission: the right answers, followed by these lines.
    pub(crate) fn with(mut self, id: &str, lines: &str) -> Self {
        let submission = scripted_submission(&self.problem.directory, id, lines);
        self.problem.submissions.push(submission);
        self
    }

    pub(crate) fn planned(&self) -> PlannedProblem {
        let (problem, path) = (self.problem.clone(), self.problem.name.clone());
        PlannedProblem {
            margins: Margins::default(),
            ..PlannedProblem::new(Arc::new(problem), path, Duration::from_secs(1))
        }
    }

    /// A plan with this problem only.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            problems: vec![self.planned()],
            ..Plan::default()
        }
    }
}

pub(crate) struct RunRecord {
    pub(crate) end: End,
    events: Vec<Event>,
    pub(crate) state: RunState,
}

impl RunRecord {
    /// The first submission of the first problem.
    pub(crate) fn submission(&self) -> &SubmissionState {
        &self.state.problems[0].submissions[0]
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.submission().finished.as_ref().unwrap().verdict
    }
}

pub(crate) fn judge_with(packages: &[&Package], jobs: usize, fail_fast: bool) -> RunRecord {
    let plan = Plan {
        problems: packages.iter().map(|package| package.planned()).collect(),
        fail_fast,
        ..Plan::default()
    };
    judge_plan(plan, jobs)
}

pub(crate) fn judge_plan(plan: Plan, jobs: usize) -> RunRecord {
    judge_recorded(plan, jobs, Record::default()).unwrap()
}

fn judge_recorded(plan: Plan, jobs: usize, mut record: Record) -> Result<RunRecord, ExecError> {
    let cache = tempfile::tempdir().unwrap();
    let sandbox = Arc::new(FakeSandbox::default());
    let environment = environment(sandbox, cache.path().to_owned(), jobs);
    let end = run(plan, &environment, &RunSettings::default(), &mut record)?;
    let mut state = RunState::default();
    record.events.iter().for_each(|event| state.apply(event));
    Ok(RunRecord {
        end,
        events: record.events,
        state,
    })
}

pub(crate) fn judge(package: &Package) -> RunRecord {
    judge_with(&[package], 2, true)
}

#[test]
fn verdicts_follow_from_terminations() {
    let cases = [
        ("", Verdict::Accepted),
        ("2 print 5", Verdict::WrongAnswer),
        ("2 exit 1", Verdict::RunTimeError),
        ("2 signal 11", Verdict::RunTimeError),
        ("2 cpu 5000", Verdict::TimeLimitExceeded),
        ("2 idle", Verdict::TimeLimitExceeded),
        ("2 oom", Verdict::MemoryLimitExceeded),
        ("2 flood", Verdict::OutputLimitExceeded),
    ];
    for (lines, expected) in cases {
        let ran = judge(&Package::new("p").with("accepted/a", lines));
        assert_eq!(ran.verdict(), expected, "{lines}");
        let finished = ran.submission().finished.clone().unwrap();
        let deciding = (expected != Verdict::Accepted).then(|| "secret/2".to_owned());
        assert_eq!(finished.deciding_test_case, deciding, "{lines}");
        assert_eq!(
            finished.as_expected,
            expected == Verdict::Accepted,
            "{lines}"
        );
        assert_eq!(ran.end, End::Completed);
    }
}

#[test]
fn files_are_read_only_for_observers_with_excerpts() {
    let package = Package::new("p").with("accepted/a", "");
    let excerpts = |hides_excerpts: bool| {
        let record = Record {
            hides_excerpts,
            ..Record::default()
        };
        let ran = judge_recorded(package.plan(), 1, record).unwrap();
        assert_eq!(ran.verdict(), Verdict::Accepted);
        let inputs = ran.state.problems[0].started.inputs.len();
        (inputs, ran.submission().started.sources.len())
    };
    assert_eq!((excerpts(false), excerpts(true)), ((3, 1), (0, 0)));
}

#[test]
fn wrong_answers_report_the_position() {
    let ran = judge(&Package::new("p").with("wrong_answer/a", "2 print 7"));
    let result = ran.submission().test_cases.last().unwrap().clone();
    let difference = result.difference.unwrap();
    assert_eq!(
        (
            difference.output_position.line,
            difference.output_position.column
        ),
        (1, 1)
    );
    assert_eq!(
        (
            difference.expected.0.as_slice(),
            difference.found.0.as_slice()
        ),
        (&b"2"[..], &b"7"[..])
    );
    assert_eq!(ran.state.counts().as_expected, 1);
}

#[test]
fn judging_stops_at_the_first_failure_only_with_fail_fast() {
    let package = Package::new("p").with("wrong_answer/a", "2 print 7\n3 sleep 1");
    assert_eq!(
        judge_with(&[&package], 1, true).state.counts().test_cases,
        2
    );
    let all = judge_with(&[&package], 1, false);
    assert_eq!(all.state.counts().test_cases, 3);
    assert_eq!(all.state.counts().as_expected, 1);
    // A forbidden verdict after the first failure is found only when everything is run.
    let package = Package::new("p").with("wrong_answer/a", "2 print 7\n3 exit 1");
    assert_eq!(
        judge_with(&[&package], 2, true).state.counts().as_expected,
        1
    );
    assert_eq!(judge_with(&[&package], 2, false).state.counts().violated, 1);
}

#[test]
fn required_verdicts_may_occur_in_unselected_test_cases() {
    let package = Package::new("p").with("wrong_answer/a", "3 print 7");
    let mut plan = Plan {
        fail_fast: true,
        ..package.plan()
    };
    let selected = Arc::get_mut(&mut plan.problems[0].problem).unwrap();
    selected.test_cases.truncate(2);
    assert_eq!(judge_plan(plan, 2).state.counts().as_expected, 1);
    let package = Package::new("p").with("wrong_answer/a", "");
    assert_eq!(judge(&package).state.counts().violated, 1);
}

#[test]
fn failures_cancel_later_runs_of_the_submission() {
    // Tests 2 and 3 would hang forever; test 1 fails after both have begun.
    let package = Package::new("p").with("accepted/a", "1 sleep 20\n1 print 9\n2 hang\n3 hang");
    let ran = judge_with(&[&package], 3, true);
    assert_eq!(ran.state.counts().test_cases, 1);
    assert_eq!(ran.verdict(), Verdict::WrongAnswer);
}

/// A cancellation between two jobs of a worker concerns the first of them; the second one must not
/// be lost.
#[test]
fn late_cancellations_do_not_affect_other_jobs() {
    let wrong = "1 print 0\n2 print 0\n3 print 0";
    let package = Package::new("p")
        .with("wrong_answer/a", wrong)
        .with("wrong_answer/b", wrong);
    let plan = Plan {
        problems: (0..1000).map(|_| package.planned()).collect(),
        fail_fast: true,
        ..Plan::default()
    };
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(Box::new(judge_plan(plan, 4))));
    let ran = receiver
        .recv_timeout(Duration::from_secs(60))
        .expect("a run that ends");
    assert_eq!(ran.state.counts().as_expected, 2000);
}

#[test]
fn the_report_does_not_depend_on_the_number_of_jobs() {
    let one = Package::new("one")
        .with("accepted/slow", "1 sleep 30\n2 sleep 5")
        .with("accepted/quick", "")
        .with("wrong_answer/late", "3 print 0\n1 sleep 10")
        .with("run_time_error/crash", "1 exit 3\n2 sleep 20");
    let two = Package::new("two")
        .with("accepted/a", "3 sleep 15")
        .with("wrong_answer/never", "");
    let redacted = |jobs, fail_fast| -> Vec<Event> {
        judge_with(&[&one, &two], jobs, fail_fast)
            .events
            .into_iter()
            .map(without_times)
            .collect()
    };
    for fail_fast in [true, false] {
        let alone = redacted(1, fail_fast);
        for jobs in [2, 3, 8] {
            assert_eq!(redacted(jobs, fail_fast), alone, "{jobs} jobs");
        }
    }
}

#[test]
fn sandbox_faults_produce_no_verdict() {
    let ran = judge(&Package::new("p").with("accepted/a", "2 fault"));
    assert_eq!(ran.end, End::Aborted);
    assert_eq!(ran.state.host_faults.len(), 1);
    assert_eq!(
        ran.state.host_faults[0].test_case.as_deref(),
        Some("secret/2")
    );
    assert!(ran.submission().finished.is_none());
}

#[test]
fn runs_end_when_the_reader_closes_the_pipe() {
    let package = Package::new("p").with("accepted/a", "1 hang");
    let record = Record {
        fails_after: Some(3),
        ..Record::default()
    };
    let plan = Plan {
        fail_fast: true,
        ..package.plan()
    };
    let error = judge_recorded(plan, 2, record).err().unwrap();
    assert!(error.to_string().starts_with("cannot report"), "{error}");
}

#[test]
fn empty_plans_end_immediately() {
    let ran = judge_with(&[], 2, true);
    assert_eq!(ran.end, End::Completed);
    assert!(matches!(
        ran.events.as_slice(),
        [Event::RunStarted(_), Event::RunFinished(_)]
    ));
}

#[test]
fn outputs_have_hashes_only_on_request() {
    let package = Package::new("p").with("accepted/a", "");
    let hashes = |output_hashes| {
        let plan = Plan {
            output_hashes,
            ..package.plan()
        };
        let ran = judge_plan(plan, 1);
        let cases = ran.submission().test_cases.iter();
        cases
            .filter_map(|case| case.output_hash.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(hashes(false), Vec::<String>::new());
    let all = hashes(true);
    assert!(
        all.len() == 3 && all[0] != all[1] && all.iter().all(|hash| hash.len() == 16),
        "{all:?}"
    );
}

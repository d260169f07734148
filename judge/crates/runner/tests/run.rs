//! Tests of the runner with a sandbox that starts no process: order, stopping, confirmation,
//! faults.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{End, Event, Progress, RunState};
use judge_exec::{Environment, Session, Toolchain, Toolchains};
use judge_fixtures::{FakeSandbox, script_language, scripted_submission, without_times};
use judge_model::{
    FormatVersion, LanguageId, OutputValidator, Problem, ProblemIndex, Program, Submission,
    SubmissionIndex, SubmissionPlace, TestCase, TestCaseIndex, Verdict,
};
use judge_runner::{Observer, Plan, PlannedProblem, RunSettings, Skipping, run};
use judge_sandbox::{CancelToken, Sandbox};

/// A problem of three test cases (`secret/1` to `secret/3`, answers `1` to `3`) whose submissions
/// are scripts.
struct Package {
    dir: tempfile::TempDir,
    submissions: Vec<Submission>,
    output_validator: OutputValidator,
    name: &'static str,
}

impl Package {
    fn new(name: &'static str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for test in 1..=3 {
            fs::write(dir.path().join(format!("{test}.in")), "").unwrap();
            fs::write(dir.path().join(format!("{test}.ans")), format!("{test}\n")).unwrap();
        }
        Self {
            dir,
            submissions: Vec::new(),
            output_validator: OutputValidator::Default,
            name,
        }
    }

    /// Adds a submission: the right answers, followed by these lines.
    fn with(mut self, id: &str, lines: &str) -> Self {
        self.submissions
            .push(scripted_submission(self.dir.path(), id, lines));
        self
    }

    fn planned(&self) -> PlannedProblem {
        let file = |name: String| self.dir.path().join(name);
        let test_case = |test: u32| TestCase {
            id: format!("secret/{test}"),
            input: file(format!("{test}.in")),
            answer: file(format!("{test}.ans")),
            ..TestCase::default()
        };
        let problem = Problem {
            output_validator: self.output_validator.clone(),
            test_cases: (1..=3).map(test_case).collect(),
            submissions: self.submissions.clone(),
            ..Problem::new(
                self.name,
                self.dir.path().to_owned(),
                FormatVersion::V2025_09,
            )
        };
        PlannedProblem {
            name: self.name.to_owned(),
            path: self.name.to_owned(),
            test_cases_total: 3,
            solutions_total: 0,
            time_factor: 1.0,
            time_limit_source: judge_runner::TimeLimitSource::Stated,
            time_limit: Duration::from_secs(1),
            margins: judge_runner::Margins::default(),
            submission_paths: self
                .submissions
                .iter()
                .map(|submission| submission.id.clone())
                .collect(),
            problem: Arc::new(problem),
            warnings: Vec::new(),
        }
    }
}

fn fake() -> Arc<dyn Sandbox> {
    Arc::new(FakeSandbox::default())
}

#[derive(Default)]
struct Record {
    events: Vec<Event>,
    /// The number of events after which the reader closes the pipe.
    gone_after: Option<usize>,
    /// True for an observer that needs only verdicts.
    hides_excerpts: bool,
}

impl Observer for Record {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if self
            .gone_after
            .is_some_and(|limit| self.events.len() >= limit)
        {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.events.push(event.clone());
        Ok(())
    }

    fn progress(&mut self, _progress: &Progress) -> io::Result<()> {
        Ok(())
    }

    fn shows_excerpts(&self) -> bool {
        !self.hides_excerpts
    }
}

struct RunRecord {
    end: End,
    events: Vec<Event>,
    state: RunState,
}

fn environment(jobs: usize, cache: &Path) -> Environment {
    Environment {
        toolchains: toolchains(),
        sandbox: fake(),
        cache_dir: cache.to_owned(),
        jobs,
        cores: Vec::new(),
        judge_version: "test".into(),
        cancel: CancelToken::new().unwrap(),
        stores: None,
    }
}

fn toolchains() -> Toolchains {
    Toolchains::known(vec![Toolchain {
        language: script_language(),
        tools: Vec::new(),
        mounts: Vec::new(),
    }])
}

fn judge_with(packages: &[&Package], jobs: usize, fail_fast: bool) -> RunRecord {
    judge_plan(
        packages.iter().map(|package| package.planned()).collect(),
        jobs,
        fail_fast,
    )
}

fn judge_plan(problems: Vec<PlannedProblem>, jobs: usize, fail_fast: bool) -> RunRecord {
    judge_whole(
        Plan {
            problems,
            ..Plan::default()
        },
        jobs,
        fail_fast,
    )
}

fn judge_whole(plan: Plan, jobs: usize, fail_fast: bool) -> RunRecord {
    let cache = tempfile::tempdir().unwrap();
    let mut record = Record::default();
    let (plan, environment) = (Plan { fail_fast, ..plan }, environment(jobs, cache.path()));
    let end = run(plan, &environment, &RunSettings::default(), &mut record).unwrap();
    let mut state = RunState::default();
    record.events.iter().for_each(|event| state.apply(event));
    RunRecord {
        end,
        events: record.events,
        state,
    }
}

fn judge(package: &Package) -> RunRecord {
    judge_with(&[package], 2, true)
}

fn verdict(ran: &RunRecord) -> Verdict {
    ran.state.problems[0].submissions[0]
        .finished
        .as_ref()
        .unwrap()
        .verdict
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
        assert_eq!(verdict(&ran), expected, "{lines}");
        let finished = ran.state.problems[0].submissions[0]
            .finished
            .clone()
            .unwrap();
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
        let cache = tempfile::tempdir().unwrap();
        let mut record = Record {
            hides_excerpts,
            ..Record::default()
        };
        let plan = Plan {
            problems: vec![package.planned()],
            ..Plan::default()
        };
        run(
            plan,
            &environment(1, cache.path()),
            &RunSettings::default(),
            &mut record,
        )
        .unwrap();
        let mut state = RunState::default();
        record.events.iter().for_each(|event| state.apply(event));
        let problem = &state.problems[0];
        assert_eq!(
            problem.submissions[0].finished.as_ref().unwrap().verdict,
            Verdict::Accepted
        );
        (
            problem.started.inputs.len(),
            problem.submissions[0].started.sources.len(),
        )
    };
    assert_eq!((excerpts(false), excerpts(true)), ((3, 1), (0, 0)));
}

#[test]
fn wrong_answers_report_the_position() {
    let ran = judge(&Package::new("p").with("wrong_answer/a", "2 print 7"));
    let result = ran.state.problems[0].submissions[0]
        .test_cases
        .last()
        .unwrap()
        .clone();
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
    let mut planned = package.planned();
    Arc::get_mut(&mut planned.problem)
        .unwrap()
        .test_cases
        .truncate(2);
    assert_eq!(
        judge_plan(vec![planned], 2, true)
            .state
            .counts()
            .as_expected,
        1
    );
    let package = Package::new("p").with("wrong_answer/a", "");
    assert_eq!(judge(&package).state.counts().violated, 1);
}

#[test]
fn failures_cancel_later_runs_of_the_submission() {
    // Tests 2 and 3 would hang forever; test 1 fails after both have begun.
    let package = Package::new("p").with("accepted/a", "1 sleep 20\n1 print 9\n2 hang\n3 hang");
    let ran = judge_with(&[&package], 3, true);
    assert_eq!(ran.state.counts().test_cases, 1);
    assert_eq!(verdict(&ran), Verdict::WrongAnswer);
}

/// A cancellation between two jobs of a worker concerns the first of them; the second one must not
/// be lost.
#[test]
fn late_cancellations_do_not_affect_other_jobs() {
    let wrong = "1 print 0\n2 print 0\n3 print 0";
    let package = Package::new("p")
        .with("wrong_answer/a", wrong)
        .with("wrong_answer/b", wrong);
    let problems = (0..1000).map(|_| package.planned()).collect();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(Box::new(judge_plan(problems, 4, true))));
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
fn a_time_near_the_limit_is_confirmed_alone() {
    let ran = judge(&Package::new("p").with("accepted/a", "2 cpu-once 1100\n2 cpu 500"));
    assert_eq!(verdict(&ran), Verdict::Accepted);
    let near = ran.state.problems[0].submissions[0].test_cases[1]
        .near_limit
        .unwrap();
    assert_eq!(
        (near.first_cpu_time_us, near.first_verdict),
        (1_100_000, Verdict::TimeLimitExceeded)
    );
    let far = judge(&Package::new("p").with("time_limit_exceeded/a", "2 cpu 9000"));
    assert_eq!(
        far.state.problems[0].submissions[0].test_cases[1].near_limit,
        None
    );
}

#[test]
fn unexpectedly_slow_runs_are_confirmed_alone() {
    for (id, confirmed) in [
        ("accepted/a", true),
        ("wrong_answer/a", true),
        ("rejected/a", false),
        ("unknown/a", true),
    ] {
        let ran = judge(&Package::new("p").with(id, "2 cpu-once 9000\n2 cpu 500"));
        let test_case = &ran.state.problems[0].submissions[0].test_cases[1];
        let (first, verdict) = (
            test_case.near_limit.map(|first| first.first_cpu_time_us),
            test_case.verdict,
        );
        let slow_once = (Some(1_351_000), Verdict::Accepted);
        assert_eq!(
            (first, verdict),
            if confirmed {
                slow_once
            } else {
                (None, Verdict::TimeLimitExceeded)
            },
            "{id}"
        );
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
    assert!(ran.state.problems[0].submissions[0].finished.is_none());
}

/// The limit of elapsed time is two seconds, and the judge waits for at most ten times as long.
#[test]
fn starved_submissions_have_no_verdict() {
    let ran = judge(&Package::new("p").with("accepted/a", "2 wall 20000"));
    assert_eq!(ran.end, End::Aborted);
    let faults = &ran.state.host_faults;
    assert_eq!(
        (faults.len(), faults[0].test_case.as_deref()),
        (1, Some("secret/2"))
    );
    assert!(faults[0].message.starts_with("undecided: "), "{faults:?}");
    assert!(ran.state.problems[0].submissions[0].finished.is_none());
    // A submission that was killed earlier was itself too slow, and has a verdict.
    let ran = judge(&Package::new("p").with("accepted/a", "2 wall 19999"));
    assert_eq!(
        (verdict(&ran), ran.state.host_faults.len()),
        (Verdict::TimeLimitExceeded, 0)
    );
}

#[test]
fn submissions_without_tools_are_skipped_with_an_event() {
    let mut package = Package::new("p")
        .with("accepted/a", "")
        .with("accepted/b", "");
    package.submissions[0].language = Some(LanguageId("cobol".into()));
    let ran = judge(&package);
    assert_eq!(ran.state.languages_unavailable.len(), 1);
    assert_eq!(ran.state.languages_unavailable[0].submissions, 1);
    let counts = ran.state.counts();
    assert_eq!((counts.skipped, counts.as_expected), (1, 1));
}

/// A package has two submissions in COBOL and one in an unknown language, which cannot run.
#[test]
fn forbidden_skips_are_package_faults() {
    let mut package = Package::new("p")
        .with("accepted/a", "")
        .with("accepted/b", "")
        .with("accepted/c", "");
    package.submissions[0].language = Some(LanguageId("cobol".into()));
    package.submissions[1].language = None;
    for (skipping, faults) in [
        (Skipping::Allowed, &[][..]),
        (
            Skipping::AllowedFor(vec![LanguageId("cobol".into())]),
            &["accepted/b"],
        ),
        (
            Skipping::AllowedFor(Vec::new()),
            &["accepted/a", "accepted/b"],
        ),
    ] {
        let ran = judge_whole(
            Plan {
                problems: vec![package.planned()],
                skipping,
                ..Plan::default()
            },
            2,
            true,
        );
        let files: Vec<&str> = ran
            .state
            .package_faults
            .iter()
            .map(|fault| fault.file.as_str())
            .collect();
        assert!(
            files.len() == faults.len()
                && files
                    .iter()
                    .zip(faults)
                    .all(|(file, end)| file.ends_with(end)),
            "{files:?}"
        );
        assert_eq!(
            (ran.state.counts().skipped, ran.state.counts().as_expected),
            (2, 1)
        );
    }
}

#[test]
fn validators_without_tools_are_package_faults() {
    let mut package = Package::new("p").with("accepted/a", "");
    package.output_validator = OutputValidator::Custom(vec![Program {
        name: "v".into(),
        path: "/nowhere".into(),
        sources: vec!["v".into()],
        language: LanguageId("cobol".into()),
        entry_class: None,
        scripts: None,
    }]);
    let ran = judge(&package);
    assert_eq!(ran.state.package_faults.len(), 1);
    assert_eq!(ran.state.counts().skipped, 1);
}

#[test]
fn runs_end_when_the_reader_closes_the_pipe() {
    let package = Package::new("p").with("accepted/a", "1 hang");
    let cache = tempfile::tempdir().unwrap();
    let plan = Plan {
        problems: vec![package.planned()],
        fail_fast: true,
        ..Plan::default()
    };
    let mut record = Record {
        gone_after: Some(3),
        ..Record::default()
    };
    let error = run(
        plan,
        &environment(2, cache.path()),
        &RunSettings::default(),
        &mut record,
    )
    .unwrap_err();
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
    let environment = environment(1, cache.path());
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
    let environment = environment(1, cache.path());
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

#[test]
fn outputs_have_hashes_only_on_request() {
    let hashes = |output_hashes| {
        let package = Package::new("p").with("accepted/a", "");
        let cache = tempfile::tempdir().unwrap();
        let plan = Plan {
            problems: vec![package.planned()],
            output_hashes,
            ..Plan::default()
        };
        let mut record = Record::default();
        run(
            plan,
            &environment(1, cache.path()),
            &RunSettings::default(),
            &mut record,
        )
        .unwrap();
        let mut state = RunState::default();
        record.events.iter().for_each(|event| state.apply(event));
        let cases = state.problems[0].submissions[0].test_cases.clone();
        cases
            .into_iter()
            .filter_map(|case| case.output_hash)
            .collect::<Vec<_>>()
    };
    assert_eq!(hashes(false), Vec::<String>::new());
    let all = hashes(true);
    assert!(
        all.len() == 3 && all[0] != all[1] && all.iter().all(|hash| hash.len() == 16),
        "{all:?}"
    );
}

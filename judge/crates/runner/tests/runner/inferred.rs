//! Tests of inferred time limits: their runs are cached, they do not depend on the command, and
//! problems are emitted as soon as their limits are known.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use judge_event::{Event, ProblemStarted};
use judge_exec::StoreSettings;
use judge_fixtures::{CountingSandbox, scripted_problem, scripted_submission, unmarked};
use judge_model::{Expectation, Problem, Verdict};
use judge_runner::{
    Margins, Origin, Plan, PlannedProblem, RunSettings, TimeLimitSource, infer_time_limits, run,
};

use crate::recording::{Record, environment};

/// Problems of three test cases without time limits, and everything on which limits depend.
pub(crate) struct Bench {
    dir: tempfile::TempDir,
    problems: Vec<Problem>,
    host: String,
    jobs: usize,
    ignore_existing: bool,
    output_hashes: bool,
    /// True when all results are cached, and not only measured runs.
    keeps_results: bool,
    began: &'static str,
    fails_at: Option<usize>,
}

pub(crate) struct RunRecord {
    events: Vec<Event>,
    times: Vec<Instant>,
    pub(crate) runs: usize,
}

impl RunRecord {
    fn started(&self) -> Vec<&ProblemStarted> {
        let events = self.events.iter();
        events
            .filter_map(|event| match event {
                Event::ProblemStarted(started) => Some(started),
                _ => None,
            })
            .collect()
    }

    fn limit_ms(&self) -> u64 {
        self.started()[0].time_limit_us / 1000
    }

    /// The first verdict on this test case.
    fn verdict(&self, test_case: &str) -> Option<Verdict> {
        self.events.iter().find_map(|event| match event {
            Event::TestCaseFinished(finished) if finished.test_case == test_case => {
                Some(finished.verdict)
            }
            _ => None,
        })
    }

    /// The events without the fields that distinguish a cached result from a run, and without the
    /// events of the run itself.
    pub(crate) fn unmarked(&self) -> Vec<Event> {
        self.events.iter().cloned().map(unmarked).collect()
    }
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("judge"), "one version").unwrap();
        Self {
            dir,
            problems: Vec::new(),
            host: "a host".to_owned(),
            jobs: 2,
            ignore_existing: false,
            output_hashes: false,
            keeps_results: true,
            began: "first",
            fails_at: None,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Adds a problem. Its limits are multiples of a tenth of a second, and twice as long as the
    /// slowest permitted run.
    fn with_problem(mut self, name: &str) -> Self {
        let root = self.path(name);
        let mut problem = scripted_problem(name, &root);
        problem.limits.time_resolution = Duration::from_millis(100);
        self.problems.push(problem);
        self
    }

    /// Adds a submission to the last problem: the right answers, followed by these lines.
    fn with(mut self, id: &str, lines: &str) -> Self {
        let problem = self.problems.last_mut().unwrap();
        problem
            .submissions
            .push(scripted_submission(&problem.directory, id, lines));
        self
    }

    fn plan(&self) -> Plan {
        let planned = |problem: &Problem| PlannedProblem {
            time_limit_source: TimeLimitSource::ToInfer(Arc::new(problem.clone())),
            margins: Margins::Remarked,
            ..PlannedProblem::new(
                Arc::new(problem.clone()),
                problem.name.clone(),
                Duration::ZERO,
            )
        };
        let problems = self.problems.iter().map(planned).collect();
        Plan {
            problems,
            output_hashes: self.output_hashes,
            ..Plan::default()
        }
    }

    fn settings(&self) -> RunSettings {
        let (results, judge) = (self.path("results"), self.path("judge"));
        let store = StoreSettings::new(results, &judge, self.host.clone(), self.ignore_existing);
        RunSettings {
            results: store.clone().filter(|_| self.keeps_results),
            measured: store,
            origin: Origin {
                started_at: Some(self.began.to_owned()),
                ..Origin::default()
            },
            lanes: None,
            warm_submissions: false,
        }
    }

    pub(crate) fn judge(&self) -> RunRecord {
        self.judge_plan(self.plan())
    }

    fn judge_plan(&self, plan: Plan) -> RunRecord {
        let counting = Arc::new(CountingSandbox::default());
        let environment = environment(counting.clone(), self.path("cache"), self.jobs);
        let mut record = Record {
            fails_after: self.fails_at,
            ..Record::default()
        };
        let end = run(plan, &environment, &self.settings(), &mut record);
        assert_eq!(end.is_err(), self.fails_at.is_some(), "{end:?}");
        RunRecord {
            events: record.events,
            times: record.times,
            runs: counting.runs(),
        }
    }

    /// The limit of the first problem for a command with its own way of judging, and the number of
    /// runs.
    fn infer(&self) -> (TimeLimitSource, Duration, usize) {
        let counting = Arc::new(CountingSandbox::default());
        let environment = environment(counting.clone(), self.path("cache"), self.jobs);
        let mut plan = self.plan();
        infer_time_limits(
            &mut plan,
            &environment,
            &self.settings(),
            &mut Record::default(),
        )
        .unwrap();
        let PlannedProblem {
            time_limit_source,
            time_limit,
            ..
        } = plan.problems.remove(0);
        (time_limit_source, time_limit, counting.runs())
    }
}

/// A limit of 0.7 s, from the last test case of the accepted submission; six runs are measured, and
/// three are judged with the limit.
pub(crate) fn one() -> Bench {
    Bench::new()
        .with_problem("p")
        .with("accepted/a", "1 cpu 100\n2 cpu 200\n3 cpu 330")
        .with("wrong_answer/w", "* cpu 50\n2 print 7")
        .with("time_limit_exceeded/t", "1 cpu 9000")
}

#[test]
fn unchanged_runs_are_not_measured_again() {
    let mut bench = one();
    let first = bench.judge();
    assert_eq!((first.runs, first.limit_ms()), (9, 700));
    let from = first.started()[0].time_limit_from.clone().unwrap();
    assert_eq!(
        (from.submission.as_str(), from.test_case.as_str()),
        ("accepted/a", "secret/3")
    );
    assert_eq!(
        (from.measured_at.as_deref(), from.cached),
        (Some("first"), false)
    );
    bench.began = "second";
    let second = bench.judge();
    assert_eq!(second.runs, 0);
    assert_eq!(
        second.unmarked(),
        first.unmarked(),
        "times are the measured ones as well"
    );
    let from = second.started()[0].time_limit_from.clone().unwrap();
    assert_eq!(
        (from.measured_at.as_deref(), from.cached),
        (Some("first"), true)
    );
    // Without the cache everything is measured, and replaces cached results.
    bench.ignore_existing = true;
    let third = bench.judge();
    assert_eq!((third.runs, third.unmarked()), (9, first.unmarked()));
    (bench.ignore_existing, bench.began) = (false, "later");
    let fourth = bench.judge();
    assert_eq!(
        fourth.started()[0]
            .time_limit_from
            .as_ref()
            .unwrap()
            .measured_at
            .as_deref(),
        Some("second")
    );
    assert_eq!(fourth.runs, 0);
}

#[test]
fn only_changed_runs_are_measured_again() {
    type Change = fn(&mut Bench);
    let changes: [(&str, Change, usize, u64); 8] = [
        (
            "a solution of the same speed",
            |bench| write_solution(bench, "1 cpu 110\n2 cpu 200\n3 cpu 330"),
            3,
            700,
        ),
        // Test cases that are judged with the limit are judged with the new one.
        (
            "a faster solution",
            |bench| write_solution(bench, "* cpu 100"),
            6,
            200,
        ),
        (
            "a slower solution",
            |bench| write_solution(bench, "* cpu 1000"),
            6,
            2000,
        ),
        // Every submission on this test case.
        (
            "an input",
            |bench| fs::write(bench.path("p/2.in"), "2 \n").unwrap(),
            3,
            700,
        ),
        (
            "an answer",
            |bench| fs::write(bench.path("p/3.ans"), "3 \n").unwrap(),
            3,
            700,
        ),
        (
            "the memory limit",
            |bench| bench.problems[0].limits.memory_bytes -= 1,
            9,
            700,
        ),
        ("the host", |bench| bench.host.push('2'), 9, 700),
        (
            "the judge",
            |bench| fs::write(bench.path("judge"), "two version").unwrap(),
            9,
            700,
        ),
    ];
    for (what, change, missed, limit) in changes {
        let mut bench = one();
        bench.judge();
        change(&mut bench);
        let after = bench.judge();
        assert_eq!((after.runs, after.limit_ms()), (missed, limit), "{what}");
        assert_eq!(bench.judge().runs, 0, "{what}, again");
    }
}

fn write_solution(bench: &Bench, lines: &str) {
    let path = &bench.problems[0].submissions[0].path;
    fs::write(path, format!("1 print 1\n2 print 2\n3 print 3\n{lines}\n")).unwrap();
}

#[test]
fn all_commands_infer_the_same_limit_from_the_same_runs() {
    let mut bench = one();
    // A command without cached results, such as a comparison.
    (bench.keeps_results, bench.output_hashes) = (false, true);
    let compared = bench.judge();
    assert_eq!(
        (compared.runs, compared.limit_ms()),
        (9, 700),
        "measured runs are not repeated"
    );
    let (source, limit, runs) = bench.infer();
    let TimeLimitSource::Inferred(inference) = source else {
        panic!("{source:?}")
    };
    assert_eq!((limit, runs), (Duration::from_millis(700), 0));
    assert_eq!(
        (inference.run.submission.as_str(), inference.cached),
        ("accepted/a", true)
    );
    (bench.keeps_results, bench.output_hashes) = (true, false);
    assert_eq!(bench.judge().runs, 3, "runs judged with the limit");
    // Compared submissions are judged again, with the cached limit.
    (bench.keeps_results, bench.output_hashes) = (false, true);
    let compared = bench.judge();
    assert!(
        compared.runs > 0
            && compared.started()[0]
                .time_limit_from
                .as_ref()
                .unwrap()
                .cached
    );
    let hashes = |ran: &RunRecord| {
        let hash = |event: &Event| match event {
            Event::TestCaseFinished(finished) if finished.verdict == Verdict::Accepted => {
                finished.output_hash.clone()
            }
            _ => None,
        };
        ran.events.iter().filter_map(hash).count()
    };
    assert!(hashes(&compared) >= 3, "outputs have hashes");
    // The limit is the same without any cached result.
    let fresh = one();
    let (_, limit, runs) = fresh.infer();
    assert_eq!((limit, runs), (Duration::from_millis(700), 6));
}

#[test]
fn times_near_the_limit_are_confirmed_once_and_cached() {
    let mut bench = one();
    bench.problems[0].limits.ac_to_time_limit = 1.1;
    let first = bench.judge();
    // 0.33 s of 0.4 s.
    assert_eq!((first.runs, first.limit_ms()), (10, 400));
    let second = bench.judge();
    assert_eq!(
        (second.runs, second.unmarked().len()),
        (0, first.unmarked().len())
    );
    assert_eq!(bench.judge().unmarked(), second.unmarked());
}

#[test]
fn measured_runs_beyond_the_inferred_wall_limit_are_not_reused() {
    // A limit of 0.1 s: 1.1 s of elapsed time are allowed, and 60 times as much while measuring.
    let bench = Bench::new()
        .with_problem("p")
        .with("accepted/a", "* cpu 20\n3 wall 5000");
    for _ in 0..2 {
        let ran = bench.judge();
        assert_eq!(ran.limit_ms(), 100);
        assert_eq!(ran.verdict("secret/3"), Some(Verdict::TimeLimitExceeded));
    }
}

#[test]
fn unconfirmed_results_do_not_decide() {
    // The measured run of the first test case is near the limit of 0.4 s and meets the only
    // expectation. Alone, it has another verdict, and then the other test cases are needed.
    let mut bench = Bench::new()
        .with_problem("p")
        .with("accepted/a", "1 cpu 330");
    bench = bench.with("mixed/m", "1 cpu 330\n1 print-once 7");
    let problem = &mut bench.problems[0];
    problem.limits.ac_to_time_limit = 1.1;
    problem.submissions[1].expectations = vec![Expectation {
        origin: "a test".to_owned(),
        scope: Some(vec!["secret/1".to_owned()]),
        permitted: vec![Verdict::Accepted, Verdict::WrongAnswer],
        required: vec![Verdict::WrongAnswer],
        ..Expectation::default()
    }];
    let ran = bench.judge_plan(Plan {
        fail_fast: true,
        ..bench.plan()
    });
    let finished = |event: &Event| match event {
        Event::SubmissionFinished(finished) => {
            Some((finished.submission.clone(), finished.test_cases_run))
        }
        _ => None,
    };
    let finished: Vec<_> = ran.events.iter().filter_map(finished).collect();
    assert_eq!(
        finished,
        [("accepted/a".to_owned(), 3), ("mixed/m".to_owned(), 3)]
    );
}

#[test]
fn submissions_with_the_same_name_are_distinguished() {
    let bench = one();
    let mut plan = bench.plan();
    let own = bench.path("own.script");
    fs::write(&own, "* print 7\n").unwrap();
    let mut problem = Problem::clone(&plan.problems[0].problem);
    problem.submissions.truncate(1);
    problem.submissions[0].sources = vec!["own.script".into()];
    problem.submissions[0].path = own;
    plan.problems[0].problem = Arc::new(problem);
    let ran = bench.judge_plan(plan);
    assert_eq!(ran.verdict("secret/1"), Some(Verdict::WrongAnswer));
}

fn two() -> Bench {
    one()
        .with_problem("q")
        .with("accepted/b", "* sleep 200\n* cpu 400")
        .with("accepted/c", "* cpu 40")
}

#[test]
fn problems_are_emitted_before_the_next_one_is_measured() {
    let bench = Bench { jobs: 1, ..two() };
    let ran = bench.judge();
    let when = |name: &str| {
        let is_it = |event: &Event| matches!(event, Event::ProblemStarted(started) if started.problem == name);
        ran.times[ran.events.iter().position(is_it).unwrap()]
    };
    // Measuring the second one takes 0.6 s.
    assert!(
        when("q") - when("p") > Duration::from_millis(500),
        "{:?}",
        when("q") - when("p")
    );
    let names: Vec<_> = ran
        .started()
        .iter()
        .map(|started| (started.problem.clone(), started.time_limit_us / 1000))
        .collect();
    assert_eq!(names, [("p".to_owned(), 700), ("q".to_owned(), 800)]);
}

#[test]
fn the_report_does_not_depend_on_the_number_of_jobs() {
    let alone = Bench { jobs: 1, ..two() }.judge();
    for jobs in [2, 7] {
        let parallel = Bench { jobs, ..two() }.judge();
        let path = |events: Vec<Event>| {
            let events = events.into_iter().map(|event| match event {
                Event::ProblemStarted(started) => Event::ProblemStarted(ProblemStarted {
                    inputs: Vec::new(),
                    ..started
                }),
                other => other,
            });
            events.collect::<Vec<_>>()
        };
        assert_eq!(
            path(parallel.unmarked()),
            path(alone.unmarked()),
            "{jobs} jobs"
        );
    }
}

#[test]
fn interrupted_runs_are_resumed() {
    let whole = two().judge();
    let all = whole.events.len();
    for fails_at in [1, 2, all / 2, all - 1] {
        let mut bench = Bench {
            fails_at: Some(fails_at),
            ..two()
        };
        let before = bench.judge();
        bench.fails_at = None;
        let after = bench.judge();
        // Programs that were running when it ended were cancelled, and run again.
        assert!(
            after.runs <= whole.runs && before.runs + after.runs <= whole.runs + 2 * bench.jobs,
            "{fails_at}"
        );
        assert_eq!(after.unmarked(), whole.unmarked(), "{fails_at}");
        assert_eq!(bench.judge().runs, 0, "{fails_at}");
    }
}

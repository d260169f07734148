//! Tests of cached results: a second run repeats exactly the work that changed.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{Event, TestCaseFinished};
use judge_exec::StoreSettings;
use judge_fixtures::{CountingSandbox, scripted_problem, scripted_submission, unmarked};
use judge_model::{FormatVersion, Guarantee, Isolation, IsolationLevel, Problem, Verdict};
use judge_runner::{Margins, Plan, PlannedProblem, RunSettings, run};

use crate::recording::{Record, environment, record_files};

/// A problem of three test cases, and everything on which its results depend.
struct Bench {
    dir: tempfile::TempDir,
    problem: Problem,
    time_limit: Duration,
    margins: Margins,
    isolation: Isolation,
    host: String,
    fail_fast: bool,
    ignore_existing: bool,
    output_hashes: bool,
}

/// The state of a finished run.
struct RunRecord {
    events: Vec<Event>,
    runs: usize,
    slots: usize,
}

impl RunRecord {
    fn test_cases(&self) -> Vec<&TestCaseFinished> {
        let mut found = Vec::new();
        for event in &self.events {
            if let Event::TestCaseFinished(finished) = event {
                found.push(finished);
            }
        }
        found
    }

    fn cached(&self) -> Vec<bool> {
        self.test_cases()
            .iter()
            .map(|test_case| test_case.cached)
            .collect()
    }

    /// The events without the marks of cached results, and without the events of the run itself.
    fn unmarked(&self) -> Vec<Event> {
        self.events.iter().cloned().map(unmarked).collect()
    }
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("judge"), "one version").unwrap();
        let problem = scripted_problem("p", &dir.path().join("package"));
        Self {
            dir,
            problem,
            time_limit: Duration::from_secs(1),
            margins: Margins::Ignored,
            isolation: Isolation {
                level: IsolationLevel::Full,
                cgroup_version: None,
                gaps: Vec::new(),
            },
            host: "a host".to_owned(),
            fail_fast: true,
            ignore_existing: false,
            output_hashes: false,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Adds a submission: the right answers, followed by these lines.
    fn with(mut self, id: &str, lines: &str) -> Self {
        self.problem
            .submissions
            .push(scripted_submission(&self.problem.directory, id, lines));
        self
    }

    fn store(&self) -> StoreSettings {
        let results = self.path("results");
        StoreSettings::new(
            results,
            &self.path("judge"),
            self.host.clone(),
            self.ignore_existing,
        )
        .unwrap()
    }

    fn judge(&self) -> RunRecord {
        let problem = Arc::new(self.problem.clone());
        let planned = PlannedProblem::new(problem, "p".into(), self.time_limit);
        let planned = PlannedProblem {
            margins: self.margins,
            ..planned
        };
        let (fail_fast, output_hashes) = (self.fail_fast, self.output_hashes);
        let plan = Plan {
            problems: vec![planned],
            fail_fast,
            output_hashes,
            ..Plan::default()
        };
        let counting = Arc::new(CountingSandbox::new(self.isolation.clone()));
        let environment = environment(counting.clone(), self.path("cache"), 2);
        let settings = RunSettings {
            results: Some(self.store()),
            ..RunSettings::default()
        };
        let mut record = Record::default();
        run(plan, &environment, &settings, &mut record).unwrap();
        RunRecord {
            events: record.events,
            runs: counting.runs(),
            slots: counting.slots(),
        }
    }
}

#[test]
fn unchanged_test_cases_are_not_run_again() {
    let bench = Bench::new()
        .with("accepted/a", "* cpu 7\n2 stderr hello\n* memory 4096")
        .with("wrong_answer/b", "2 print 7\n3 sleep 5")
        .with("run_time_error/c", "1 signal 11\n1 stderr why")
        .with("time_limit_exceeded/d", "3 cpu 9000");
    let first = bench.judge();
    assert!(first.cached().iter().all(|cached| !cached));
    let second = bench.judge();
    assert_eq!((second.runs, second.slots), (0, 0), "no slot is opened");
    assert!(second.cached().iter().all(|cached| *cached));
    assert_eq!(
        second.unmarked(),
        first.unmarked(),
        "times are the measured ones as well"
    );
    // Without `fail_fast`, only test cases that were not needed before are run.
    let whole = Bench {
        fail_fast: false,
        ..bench
    };
    let third = whole.judge();
    assert!(
        third.test_cases().len() == 12 && (1..=3).contains(&third.runs),
        "{} runs",
        third.runs
    );
}

#[test]
fn result_keys_cover_all_inputs_of_results() {
    type Change = fn(&mut Bench);
    let one: [(&str, Change); 6] = [
        ("an input", |bench| {
            fs::write(bench.path("package/2.in"), "3\n").unwrap();
        }),
        ("an answer", |bench| {
            fs::write(bench.path("package/2.ans"), "2 \n").unwrap();
        }),
        ("the arguments of a test case", |bench| {
            bench.problem.test_cases[1].args = vec!["x".into()];
        }),
        ("the arguments of its validator", |bench| {
            bench.problem.test_cases[1].output_validator_args.all = vec!["case_sensitive".into()];
        }),
        ("the arguments of one of its validators", |bench| {
            bench.problem.test_cases[1].output_validator_args.own =
                [(0, vec!["case_sensitive".into()])].into();
        }),
        ("its files", |bench| {
            fs::create_dir(bench.path("files")).unwrap();
            fs::write(bench.path("files/x"), "").unwrap();
            bench.problem.test_cases[1].files = Some(bench.path("files"));
        }),
    ];
    let all: [(&str, Change); 11] = [
        ("the time limit", |bench| bench.time_limit *= 2),
        ("the memory limit", |bench| {
            bench.problem.limits.memory_bytes -= 1;
        }),
        ("the output limit", |bench| {
            bench.problem.limits.output_bytes -= 1;
        }),
        ("the format", |bench| {
            bench.problem.format = FormatVersion::Legacy;
        }),
        ("writing files", |bench| {
            bench.problem.allow_file_writing = true;
        }),
        ("the passes", |bench| bench.problem.passes = 2),
        ("the level", |bench| {
            bench.isolation.level = IsolationLevel::Namespaces;
        }),
        ("its gaps", |bench| {
            bench.isolation.gaps.push(Guarantee::TotalMemory);
        }),
        ("the host", |bench| bench.host.push('2')),
        ("the judge", |bench| {
            fs::write(bench.path("judge"), "two version").unwrap();
        }),
        ("the submission", |bench| {
            fs::write(&bench.problem.submissions[0].path, "* print 1\n").unwrap();
        }),
    ];
    let changes = one
        .into_iter()
        .map(|(what, change)| (what, change, 1))
        .chain(all.into_iter().map(|(what, change)| (what, change, 3)));
    for (what, change, missed) in changes {
        let mut bench = Bench {
            fail_fast: false,
            ..Bench::new().with("accepted/a", "")
        };
        bench.judge();
        assert_eq!(bench.judge().runs, 0, "{what}");
        change(&mut bench);
        let after = bench.judge();
        assert_eq!(after.runs, missed, "{what}");
        assert_eq!(bench.judge().runs, 0, "{what}, again");
    }
}

/// The key covers their values, not only whether there are any.
#[test]
fn keys_cover_files_and_arguments_of_test_cases() {
    let mut bench = Bench {
        fail_fast: false,
        ..Bench::new().with("accepted/a", "")
    };
    fs::create_dir(bench.path("files")).unwrap();
    for (file, argument) in [("", "x"), ("other", "x"), ("other", "y")] {
        fs::write(bench.path("files/x"), file).unwrap();
        bench.problem.test_cases[1].files = Some(bench.path("files"));
        bench.problem.test_cases[2].output_validator_args.own = [(0, vec![argument.into()])].into();
        let runs = bench.judge().runs;
        assert_eq!(
            runs,
            if file.is_empty() { 3 } else { 1 },
            "{file} {argument}"
        );
        assert_eq!(bench.judge().runs, 0);
    }
}

#[test]
fn unstable_results_are_not_cached() {
    for (lines, why) in [
        (
            "2 cpu-once 900\n2 cpu 1100",
            "near the limit, once within and once beyond it",
        ),
        (
            "2 cpu-once 1100\n2 cpu 9",
            "near the limit at first, and never again beyond it",
        ),
        (
            "2 cpu-once 9000\n2 cpu 900",
            "far beyond the limit at first, then near it",
        ),
        (
            "2 idle\n2 cpu 1",
            "idle for a time that others may have used",
        ),
    ] {
        let bench = Bench {
            fail_fast: false,
            ..Bench::new().with("accepted/a", lines)
        };
        bench.judge();
        let second = bench.judge();
        assert_eq!(second.cached(), [true, false, true], "{why}");
        assert!(second.runs > 0, "{why}");
    }
    // A result is final far beyond the limit, even if the host was too busy at first, and near the
    // limit after the same verdict twice.
    for lines in [
        "2 cpu 900",
        "2 cpu 1290",
        "2 cpu-once 1100\n2 cpu 9000",
        "2 cpu 9000",
        "2 cpu-once 700\n2 wall 10000\n2 cpu 9000",
        "2 cpu-once 9000\n2 cpu 500",
    ] {
        let bench = Bench {
            fail_fast: false,
            ..Bench::new().with("accepted/a", lines)
        };
        let first = bench.judge();
        assert_eq!(first.cached(), [false; 3], "{lines}");
        assert_eq!(bench.judge().runs, 0, "{lines}");
    }
}

#[test]
fn times_near_margins_are_measured_again() {
    // An accepted submission may take half of the limit.
    let mut bench = Bench {
        margins: Margins::Demanded,
        ..Bench::new().with("accepted/a", "2 cpu 480\n3 cpu 200")
    };
    bench.judge();
    assert_eq!(bench.judge().cached(), [true, false, true]);
    bench.margins = Margins::Ignored;
    assert_eq!(bench.judge().cached(), [true, true, true]);
}

#[test]
fn compared_times_are_measured_again() {
    let mut bench = Bench::new().with("accepted/a", "");
    bench.judge();
    bench.output_hashes = true;
    assert_eq!(bench.judge().runs, 3);
}

#[test]
fn ignored_results_are_replaced_and_varying_ones_are_not_used() {
    let mut bench = Bench {
        fail_fast: false,
        ..Bench::new().with("accepted/a", "")
    };
    bench.judge();
    bench.ignore_existing = true;
    assert_eq!(bench.judge().runs, 3);
    bench.ignore_existing = false;
    assert_eq!(bench.judge().runs, 0);
    // As if another process had got another verdict at the same time: the program is not
    // deterministic.
    let record = record_files(&bench.path("results")).pop().unwrap();
    let mut text = fs::read_to_string(&record).unwrap();
    let line = text.lines().next().unwrap().to_owned();
    let body = line.split_once(' ').unwrap().1.replace("\"AC\"", "\"WA\"");
    let sum = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    text.push_str(&format!("{sum:016x} {body}\n"));
    fs::write(&record, text).unwrap();
    for _ in 0..2 {
        let ran = bench.judge();
        assert_eq!(ran.runs, 1);
        assert!(
            ran.test_cases()
                .iter()
                .all(|test_case| test_case.verdict == Verdict::Accepted)
        );
    }
}

#[test]
fn damaged_results_are_judged_again() {
    let bench = Bench {
        fail_fast: false,
        ..Bench::new().with("accepted/a", "")
    };
    bench.judge();
    let record = record_files(&bench.path("results")).pop().unwrap();
    let whole = fs::read(&record).unwrap();
    assert_eq!(
        whole.split(|byte| *byte == b'\n').count(),
        4,
        "three lines, each ended"
    );
    let cut = whole.len() - 10;
    let mut flipped = whole.clone();
    flipped[30] ^= 1;
    // A valid record with a verdict that no run produced.
    let other = String::from_utf8(whole.clone())
        .unwrap()
        .replacen("\"AC\"", "\"WA\"", 1)
        .into_bytes();
    assert_ne!(other, whole);
    for (bytes, missed) in [
        (whole[..cut].to_vec(), 1),
        (flipped, 1),
        (other, 1),
        (Vec::new(), 3),
        (vec![0xff; 100], 3),
    ] {
        fs::write(&record, &bytes).unwrap();
        assert_eq!(bench.judge().runs, missed);
        assert_eq!(bench.judge().runs, 0, "it was repaired");
    }
    fs::remove_file(&record).unwrap();
    fs::create_dir(&record).unwrap();
    assert_eq!(
        bench.judge().runs,
        3,
        "a directory in the place of the record is damage"
    );
    assert_eq!(bench.judge().runs, 0, "it was replaced");
}

#[test]
fn files_changing_during_a_run_do_not_corrupt_results() {
    let bench = Bench {
        fail_fast: false,
        ..Bench::new().with("accepted/a", "1 sleep 300\n2 sleep 300\n3 sleep 300")
    };
    let file = bench.path("package/3.ans");
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        fs::write(file, "4\n").unwrap();
    });
    let ran = bench.judge();
    other.join().unwrap();
    // The run may have seen either answer, but no result of the new answer may be stored for the
    // old one.
    fs::write(bench.path("package/3.ans"), "3\n").unwrap();
    let again = bench.judge();
    assert_eq!(
        again.test_cases()[2].verdict,
        Verdict::Accepted,
        "before: {:?}",
        ran.test_cases()[2].verdict
    );
    assert!(!again.test_cases()[2].cached);
}

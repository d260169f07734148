//! Invented event streams.
//!
//! Responsible for the contest of all tests and the example: one problem with only expected
//! results, and one with only surprises. Must not check anything.

use std::time::Duration;

use judge_event::{
    Bytes, Command, CompileFinished, Difference, DifferenceKind, End, Event, Excerpt, Host,
    HostFault, Input, LanguageUnavailable, Line, NearLimit, PackageFault, PackageWarning, Position,
    ProblemStarted, RunFinished, RunStarted, SCHEMA_VERSION, Slowest, SourceFile,
    SubmissionFinished, SubmissionSkipped, SubmissionStarted, TestCaseFinished, Toolchain, Window,
};
use judge_model::{
    Expectation, Guarantee, Isolation, IsolationLevel, LanguageId, Limit, Limits, Termination,
    Verdict,
};

pub(crate) const MIB: u64 = 1 << 20;
const EXIT_0: Termination = Termination::Exited { code: 0 };

pub(crate) fn isolation(gaps: &[Guarantee]) -> Isolation {
    let level = if gaps.is_empty() {
        IsolationLevel::Full
    } else {
        IsolationLevel::Namespaces
    };
    Isolation {
        level,
        cgroup_version: gaps.is_empty().then_some(2),
        gaps: gaps.to_vec(),
    }
}

pub(crate) fn run_started(gaps: &[Guarantee]) -> Event {
    Event::RunStarted(RunStarted {
        schema: SCHEMA_VERSION,
        judge_version: "0.1.0".into(),
        command: Some(Command::Run),
        started_at: Some("2026-03-01T12:00:00Z".into()),
        host: Some(Box::new(Host {
            name: "build-7".into(),
            system: "Linux 6.18.5 x86_64".into(),
            processor: Some("A Processor <9>".into()),
            cores: 2,
        })),
        isolation: isolation(gaps),
        jobs: 2,
        problems: 2,
        submissions: 14,
        shard: None,
    })
}

pub(crate) fn run_finished(end: End) -> Event {
    Event::RunFinished(RunFinished {
        end,
        wall_time_us: 3_210_000,
        results_kept: None,
        programs_remade: 0,
    })
}

pub(crate) fn problem(name: &str, title: &str, test_cases: &[&str], submissions: &[&str]) -> Event {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Event::ProblemStarted(ProblemStarted {
        problem: name.into(),
        title: title.into(),
        path: format!("problems/{name}"),
        time_limit_us: 1_000_000,
        time_factor: None,
        time_limit_from: None,
        limits: Limits {
            time_limit: Some(Duration::from_secs(1)),
            memory_bytes: 256 * MIB,
            ..Limits::default()
        },
        test_cases: names(test_cases),
        test_cases_total: test_cases.len() as u64,
        submissions: names(submissions),
        inputs: test_cases
            .iter()
            .zip(1..)
            .map(|(name, number)| input(name, number))
            .collect(),
    })
}

/// Returns the input of the test case with this number; higher numbers have larger inputs.
fn input(name: &str, number: u64) -> Input {
    let head = format!("{number}\n1 2 3 <4>\n");
    let left_out = 100 * (1 << number);
    let size_bytes = head.len() as u64 + left_out + 4;
    Input {
        file: None,
        test_case: name.into(),
        size_bytes,
        excerpt: Excerpt {
            head: head.into_bytes().into(),
            left_out,
            tail: "5 6\n".into(),
        },
        origin: Some(format!("generate random --lines {number} <seed>")),
    }
}

/// Returns a test case for a submission from [`submission`].
pub(crate) fn test_case(name: &str, verdict: Verdict, cpu_time_us: u64) -> TestCaseFinished {
    TestCaseFinished {
        wall_time_us: cpu_time_us.saturating_add(1500),
        memory_bytes: 12 * MIB + 300_000,
        stdout_bytes: 20,
        ..judge_fixtures::test_case_finished(name, verdict, cpu_time_us)
    }
}

pub(crate) fn lines(first_line: u64, lines: &[&str]) -> Window {
    let line = |text: &&str| Line {
        text: Bytes::from(*text),
        cut_before: 0,
        cut_after: 0,
    };
    Window {
        first_line,
        lines: lines.iter().map(line).collect(),
        more_after: false,
    }
}

pub(crate) fn difference() -> Difference {
    let position = Position {
        line: 12,
        column: 3,
        token: 2,
    };
    Difference {
        kind: DifferenceKind::Token,
        answer_position: position,
        output_position: position,
        expected: "7".into(),
        found: "9".into(),
        answer_window: Window {
            more_after: true,
            ..lines(10, &["1 2", "3 4", "5 7 1", "8 8", "2 2"])
        },
        output_window: Window {
            more_after: true,
            ..lines(10, &["1 2", "3  4", "5 9 1", "8 8 ", "2 3"])
        },
        same_line_count: false,
    }
}

pub(crate) fn wrong_answer(name: &str) -> TestCaseFinished {
    TestCaseFinished {
        difference: Some(difference()),
        ..test_case(name, Verdict::WrongAnswer, 4_000)
    }
}

/// Returns a submission from its beginning to its verdict. The directory in its name determines its
/// expectations.
pub(crate) fn submission(
    problem: &str,
    name: &str,
    violations: &[&str],
    tests: Vec<TestCaseFinished>,
) -> Vec<Event> {
    let mut events = vec![started(problem, name, "rust"), compiled(problem, name)];
    let decided = tests.iter().find(|test| test.verdict != Verdict::Accepted);
    let slowest = tests.iter().max_by_key(|test| test.cpu_time_us);
    let finished = SubmissionFinished {
        problem: problem.into(),
        submission: name.into(),
        verdict: decided.map_or(Verdict::Accepted, |test| test.verdict),
        deciding_test_case: decided.map(|test| test.test_case.clone()),
        slowest: slowest.map(|test| Slowest {
            test_case: test.test_case.clone(),
            cpu_time_us: test.cpu_time_us,
        }),
        memory_bytes: tests
            .iter()
            .map(|test| test.memory_bytes)
            .max()
            .unwrap_or(0),
        test_cases_run: tests.len() as u64,
        test_cases_total: 3,
        as_expected: violations.is_empty(),
        violations: violations
            .iter()
            .map(|&violation| violation.to_owned())
            .collect(),
        remarks: Vec::new(),
        score: None,
        max_score: None,
        groups: Vec::new(),
    };
    let named = |test| TestCaseFinished {
        problem: problem.into(),
        submission: name.into(),
        ..test
    };
    events.extend(tests.into_iter().map(named).map(Event::TestCaseFinished));
    events.push(Event::SubmissionFinished(finished));
    events
}

pub(crate) fn started(problem: &str, name: &str, language: &str) -> Event {
    let directory = name.split('/').next().unwrap_or_default();
    Event::SubmissionStarted(SubmissionStarted {
        problem: problem.into(),
        submission: name.into(),
        path: format!("solutions/{problem}/{name}"),
        language: Some(LanguageId(language.into())),
        expectations: Expectation::of_directory(directory).into_iter().collect(),
        sources: vec![SourceFile {
            file: name.rsplit('/').next().unwrap_or(name).into(),
            size_bytes: 22,
            excerpt: Excerpt {
                head: "fn main() {\n\tloop {}\n}".into(),
                ..Excerpt::default()
            },
        }],
    })
}

pub(crate) fn compiled(problem: &str, name: &str) -> Event {
    Event::CompileFinished(CompileFinished {
        problem: problem.into(),
        submission: name.into(),
        success: true,
        cached: true,
        cpu_time_us: 830_000,
        toolchain: Some(Toolchain {
            language: LanguageId("rust".into()),
            version: "rustc 1.95.0".into(),
            path: "/usr/bin/rustc".into(),
        }),
        reason: None,
        message: Excerpt::default(),
    })
}

pub(crate) fn compile_error(problem: &str, name: &str) -> Vec<Event> {
    let message = (1..=30)
        .map(|line| format!("error[E{line:04}]: cannot find\tvalue `x`\n"))
        .collect::<String>();
    let Event::CompileFinished(compiled) = compiled(problem, name) else {
        unreachable!()
    };
    let message = Excerpt {
        head: message.as_str().into(),
        left_out: 5000,
        tail: "aborting\n".into(),
    };
    vec![
        started(problem, name, "rust"),
        Event::CompileFinished(CompileFinished {
            success: false,
            cached: false,
            message,
            ..compiled
        }),
        Event::SubmissionFinished(SubmissionFinished {
            problem: problem.into(),
            submission: name.into(),
            verdict: Verdict::CompileError,
            deciding_test_case: None,
            slowest: None,
            memory_bytes: 0,
            test_cases_run: 0,
            test_cases_total: 3,
            as_expected: false,
            violations: vec![
                "directory `accepted` permits AC, but the submission did not compile".into(),
            ],
            remarks: Vec::new(),
            score: None,
            max_score: None,
            groups: Vec::new(),
        }),
    ]
}

pub(crate) fn skipped(problem: &str, name: &str) -> Vec<Event> {
    let reason = "no `kotlinc` in `PATH`".into();
    let (problem_name, submission) = (problem.into(), name.into());
    let skipped = SubmissionSkipped {
        problem: problem_name,
        submission,
        reason,
    };
    vec![
        started(problem, name, "kotlin"),
        Event::SubmissionSkipped(skipped),
    ]
}

/// Returns a test case with this termination.
pub(crate) fn ended(
    name: &str,
    verdict: Verdict,
    cpu_time_us: u64,
    termination: Termination,
) -> TestCaseFinished {
    TestCaseFinished {
        termination,
        ..test_case(name, verdict, cpu_time_us)
    }
}

pub(crate) fn crash(name: &str) -> TestCaseFinished {
    let stderr = (1..=14)
        .map(|line| format!("  {line}: some::frame::of::the::stack\n"))
        .collect::<String>();
    let stderr = Excerpt {
        head: Bytes::default(),
        left_out: 4000,
        tail: stderr.as_str().into(),
    };
    TestCaseFinished {
        stderr,
        ..ended(
            name,
            Verdict::RunTimeError,
            2_000,
            Termination::Signaled { signal: 6 },
        )
    }
}

pub(crate) fn killed(
    name: &str,
    verdict: Verdict,
    cpu_time_us: u64,
    limit: Limit,
) -> TestCaseFinished {
    ended(name, verdict, cpu_time_us, Termination::Killed { limit })
}

/// Returns a problem with a submission of each kind, all as expected.
pub(crate) fn calm() -> Vec<Event> {
    let cases = ["sample/1", "secret/01-small", "secret/02-max"];
    let names = [
        "accepted/flow.rs",
        "accepted/flow_with_a_rather_long_name.py",
        "time_limit_exceeded/brute.rs",
        "wrong_answer/greedy.rs",
        "wrong_answer/kotlin.kt",
    ];
    let accepted = |slowest| {
        let times = [1_000, 2_000, slowest];
        cases
            .iter()
            .zip(times)
            .map(|(name, time)| test_case(name, Verdict::Accepted, time))
            .collect::<Vec<_>>()
    };
    let mut near = accepted(912_000);
    near[2].near_limit = Some(NearLimit {
        first_cpu_time_us: 1_012_000,
        first_verdict: Verdict::TimeLimitExceeded,
    });
    let mut slow = accepted(3_000);
    slow[2] = killed(
        "secret/02-max",
        Verdict::TimeLimitExceeded,
        1_008_000,
        Limit::CpuTime,
    );
    let mut wrong = accepted(3_000);
    wrong[1] = wrong_answer("secret/01-small");
    let mut events = vec![problem("fiveup", "Five Up", &cases, &names)];
    events.extend(submission("fiveup", names[0], &[], accepted(12_345)));
    events.extend(submission("fiveup", names[1], &[], near));
    events.extend(submission("fiveup", names[2], &[], slow));
    events.extend(submission("fiveup", names[3], &[], wrong));
    events.extend(skipped("fiveup", names[4]));
    events
}

/// Returns a problem with a submission for each kind of surprise.
pub(crate) fn surprises() -> Vec<Event> {
    let cases = [
        "sample/1",
        "secret/01",
        "secret/group/a-very-long-name-of-a-test-case-that-goes-on",
    ];
    let names = ["wa", "rte", "tle", "idle", "over", "mle", "ole", "je"]
        .map(|name| format!("accepted/{name}.rs"));
    let mut all: Vec<&str> = names.iter().map(String::as_str).collect();
    all.extend(["accepted/ce.rs", "wrong_answer/right.rs"]);
    let mut events = vec![problem(
        "grid",
        "Grid Walking at the Edge of the World",
        &cases,
        &all,
    )];
    let memory = TestCaseFinished {
        memory_bytes: 300 * MIB,
        ..killed(
            "secret/01",
            Verdict::MemoryLimitExceeded,
            20_000,
            Limit::Memory,
        )
    };
    let output = TestCaseFinished {
        stdout_bytes: 8 * MIB + 4096,
        ..killed(
            "secret/01",
            Verdict::OutputLimitExceeded,
            30_000,
            Limit::Output,
        )
    };
    let judge_error = TestCaseFinished {
        reason: Some(
            "the output validator ended with exit code 1; expected exit code 42 (accept) or 43 (reject)".into(),
        ),
        judge_message: "answer file has no second token\n".into(),
        ..test_case("secret/01", Verdict::JudgeError, 3_000)
    };
    let idle = TestCaseFinished {
        wall_time_us: 2_010_000,
        ..killed(
            "secret/01",
            Verdict::TimeLimitExceeded,
            10_000,
            Limit::WallTime,
        )
    };
    let tests = [
        TestCaseFinished {
            judge_message: "wrong at 12\n".into(),
            ..wrong_answer(cases[2])
        },
        crash("secret/01"),
        killed(
            "secret/01",
            Verdict::TimeLimitExceeded,
            1_008_000,
            Limit::CpuTime,
        ),
        idle,
        ended("secret/01", Verdict::TimeLimitExceeded, 1_000_012, EXIT_0),
        memory,
        output,
        judge_error,
    ];
    for (name, test) in names.iter().zip(tests) {
        let violation = format!(
            "directory `accepted` permits AC, but `{}` got {}",
            test.test_case, test.verdict
        );
        let violations = if test.verdict == Verdict::JudgeError {
            vec![]
        } else {
            vec![violation.as_str()]
        };
        let accepted = test_case("sample/1", Verdict::Accepted, 1_000);
        events.extend(submission("grid", name, &violations, vec![accepted, test]));
    }
    events.extend(compile_error("grid", "accepted/ce.rs"));
    let missing = "directory `wrong_answer` requires WA on some test case, but none got it";
    let accepted = vec![test_case("sample/1", Verdict::Accepted, 1_000)];
    events.extend(submission(
        "grid",
        "wrong_answer/right.rs",
        &[missing],
        accepted,
    ));
    events
}

pub(crate) fn faults() -> Vec<Event> {
    vec![
        Event::PackageFault(PackageFault {
            problem: "tree".into(),
            file: "problems/tree/problem.yaml".into(),
            line: Some(7),
            message: "unknown key `limits.time`; expected one of `time_limit`, `memory`, `output`, `code`".into(),
            hint: Some("did you mean `time_limit`?".into()),
        }),
        Event::PackageWarning(PackageWarning {
            problem: "tree".into(),
            file: "problems/tree/data/secret".into(),
            line: None,
            message: "no test case; only the samples are judged".into(),
            hint: Some("did you mean `data/secrets`?".into()),
        }),
        Event::LanguageUnavailable(LanguageUnavailable {
            language: LanguageId("kotlin".into()),
            reason: "no `kotlinc` in `PATH`".into(),
            submissions: 1,
        }),
    ]
}

pub(crate) fn host_fault() -> Event {
    Event::HostFault(HostFault {
        problem: Some("grid".into()),
        submission: Some("accepted/wa.rs".into()),
        test_case: Some("secret/01".into()),
        message: "cannot write `/sys/fs/cgroup/judge/memory.max`: no space left on device".into(),
    })
}

/// Returns a complete run with all kinds of events.
pub(crate) fn everything() -> Vec<Event> {
    let mut events = vec![run_started(&[
        Guarantee::TotalMemory,
        Guarantee::CompleteCpuTime,
    ])];
    events.extend(faults());
    events.extend(calm());
    events.extend(surprises());
    events.push(run_finished(End::Completed));
    events
}

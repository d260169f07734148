//! Tests of every termination of a run, alone and combined.

use super::*;

const LIMITS: TestLimits = TestLimits {
    cpu_time: Duration::from_secs(2),
    wall_time: Duration::from_secs(5),
    memory_bytes: 64 << 20,
    output_bytes: 1000,
};

const EXIT_0: Termination = Termination::Exited { code: 0 };

fn run(termination: Termination) -> Outcome {
    let usage = Usage {
        cpu_time: Duration::from_secs(1),
        memory_bytes: 1 << 20,
        stdout_bytes: 10,
        ..Usage::default()
    };
    Outcome { termination, usage }
}

fn killed(limit: Limit) -> Outcome {
    run(Termination::Killed { limit })
}

fn with(outcome: Outcome, change: impl FnOnce(&mut Usage)) -> Outcome {
    let mut outcome = outcome;
    change(&mut outcome.usage);
    outcome
}

fn verdict(outcome: &Outcome) -> Verdict {
    match classify(outcome, &LIMITS) {
        Classification::Verdict(verdict) => verdict,
        other => panic!("{other:?} for {outcome:?}"),
    }
}

#[test]
fn terminations_map_to_verdicts() {
    assert_eq!(
        classify(&run(EXIT_0), &LIMITS),
        Classification::CompareOutput
    );
    assert_eq!(
        verdict(&run(Termination::Exited { code: 1 })),
        Verdict::RunTimeError
    );
    assert_eq!(
        verdict(&run(Termination::Exited { code: 42 })),
        Verdict::RunTimeError
    );
    assert_eq!(
        verdict(&run(Termination::Signaled { signal: 11 })),
        Verdict::RunTimeError
    );
    // A signal that the sandbox did not send says nothing about limits.
    assert_eq!(
        verdict(&run(Termination::Signaled { signal: 9 })),
        Verdict::RunTimeError
    );
    assert_eq!(
        verdict(&run(Termination::Signaled { signal: 24 })),
        Verdict::RunTimeError
    );
    assert_eq!(
        verdict(&killed(Limit::Memory)),
        Verdict::MemoryLimitExceeded
    );
    assert_eq!(
        verdict(&killed(Limit::Output)),
        Verdict::OutputLimitExceeded
    );
    assert_eq!(verdict(&killed(Limit::CpuTime)), Verdict::TimeLimitExceeded);
    assert_eq!(
        verdict(&killed(Limit::WallTime)),
        Verdict::TimeLimitExceeded
    );
}

#[test]
fn limits_are_exact_even_after_a_clean_exit() {
    let at_limit = with(run(EXIT_0), |usage| {
        usage.cpu_time = LIMITS.cpu_time;
        usage.memory_bytes = LIMITS.memory_bytes;
        (usage.stdout_bytes, usage.stderr_bytes) = (400, 600);
    });
    assert_eq!(classify(&at_limit, &LIMITS), Classification::CompareOutput);
    let over = |change: fn(&mut Usage)| verdict(&with(at_limit.clone(), change));
    assert_eq!(
        over(|usage| usage.cpu_time += Duration::from_nanos(1)),
        Verdict::TimeLimitExceeded
    );
    assert_eq!(
        over(|usage| usage.stderr_bytes += 1),
        Verdict::OutputLimitExceeded
    );
    assert_eq!(
        over(|usage| usage.stderr_bytes = u64::MAX),
        Verdict::OutputLimitExceeded
    );
    assert_eq!(
        over(|usage| usage.memory_bytes += 1),
        Verdict::MemoryLimitExceeded
    );
    assert_eq!(
        over(|usage| usage.memory_kills = 1),
        Verdict::MemoryLimitExceeded
    );
}

#[test]
fn elapsed_time_alone_does_not_decide() {
    let idle = with(run(EXIT_0), |usage| usage.wall_time = LIMITS.wall_time * 2);
    assert_eq!(classify(&idle, &LIMITS), Classification::CompareOutput);
}

#[test]
fn limits_take_precedence_over_terminations() {
    let changes: [fn(&mut Usage); 3] = [
        |usage| usage.memory_kills = 1,
        |usage| usage.stdout_bytes = 2000,
        |usage| usage.cpu_time *= 9,
    ];
    let verdicts = [
        Verdict::MemoryLimitExceeded,
        Verdict::OutputLimitExceeded,
        Verdict::TimeLimitExceeded,
    ];
    let ends = [
        EXIT_0,
        Termination::Exited { code: 3 },
        Termination::Signaled { signal: 9 },
    ];
    let kills = [Limit::CpuTime, Limit::WallTime].map(|limit| Termination::Killed { limit });
    for end in ends.into_iter().chain(kills) {
        for first in 0..changes.len() {
            let outcome = changes[first..]
                .iter()
                .fold(run(end), |outcome, change| with(outcome, change));
            assert_eq!(verdict(&outcome), verdicts[first], "{outcome:?}");
        }
    }
    assert_eq!(
        verdict(&with(killed(Limit::Output), |usage| usage.memory_kills = 1)),
        Verdict::MemoryLimitExceeded
    );
    assert_eq!(
        verdict(&with(killed(Limit::CpuTime), |usage| usage.stdout_bytes = 2000)),
        Verdict::OutputLimitExceeded
    );
}

#[test]
fn cancelled_runs_have_no_verdict() {
    let outcome = with(run(Termination::Cancelled), |usage| {
        usage.memory_kills = 1;
        usage.cpu_time = Duration::MAX;
    });
    assert_eq!(classify(&outcome, &LIMITS), Classification::Cancelled);
    assert_eq!(
        classify_validator(&outcome, &LIMITS),
        ValidatorDecision::Cancelled
    );
    assert_eq!(
        classify_input_validator(&outcome, &LIMITS, ValidatorCodes::Package),
        InputValidatorDecision::Cancelled
    );
}

#[test]
fn an_output_validator_accepts_with_42_and_rejects_with_43() {
    let decide = |outcome: &Outcome| classify_validator(outcome, &LIMITS);
    let exit = |code| decide(&run(Termination::Exited { code }));
    assert_eq!(exit(42), ValidatorDecision::Accepted);
    assert_eq!(exit(43), ValidatorDecision::Rejected);
    let reason = |decision| match decision {
        ValidatorDecision::JudgeError { reason } => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        reason(exit(0)),
        "returned exit code 0; expected 42 (accept) or 43 (reject)"
    );
    for code in [1, 41, 44, 255] {
        assert!(reason(exit(code)).starts_with(&format!("returned exit code {code};")));
    }
    let signal = |signal| reason(decide(&run(Termination::Signaled { signal })));
    assert!(signal(11).starts_with("was killed by signal 11 (SIGSEGV);"));
    assert!(signal(40).starts_with("was killed by signal 40;"));
    let accepting = || run(Termination::Exited { code: 42 });
    let cases = [
        (
            with(accepting(), |usage| usage.memory_kills = 1),
            "exceeded its memory limit of 64 MiB",
        ),
        (killed(Limit::Memory), "exceeded its memory limit of 64 MiB"),
        (
            with(accepting(), |usage| usage.stdout_bytes = 1001),
            "exceeded its output limit of 1000 bytes",
        ),
        (
            with(accepting(), |usage| usage.cpu_time *= 3),
            "exceeded its CPU time limit of 2 s",
        ),
        (
            killed(Limit::WallTime),
            "exceeded its wall time limit of 5 s",
        ),
    ];
    for (outcome, text) in cases {
        assert_eq!(reason(decide(&outcome)), text);
    }
}

#[test]
fn an_input_validator_rejects_with_anything_but_42() {
    let decide =
        |outcome: &Outcome| classify_input_validator(outcome, &LIMITS, ValidatorCodes::Package);
    assert_eq!(
        decide(&run(Termination::Exited { code: 42 })),
        InputValidatorDecision::Accepted
    );
    let how = |termination| match decide(&run(termination)) {
        InputValidatorDecision::Rejected { how, .. } => how,
        other => panic!("{other:?}"),
    };
    assert_eq!(how(EXIT_0), "exited with code 0");
    assert_eq!(how(Termination::Exited { code: 43 }), "exited with code 43");
    assert_eq!(
        how(Termination::Signaled { signal: 6 }),
        "was killed by signal 6 (SIGABRT)"
    );
    let reason = String::from("exceeded its CPU time limit of 2 s");
    assert_eq!(
        decide(&killed(Limit::CpuTime)),
        InputValidatorDecision::JudgeError { reason }
    );
}

#[test]
fn an_input_validator_with_testlib_accepts_with_0_and_rejects_with_3() {
    let decide = |code| {
        let outcome = run(Termination::Exited { code });
        classify_input_validator(&outcome, &LIMITS, ValidatorCodes::Testlib)
    };
    assert_eq!(
        (decide(0), decide(42)),
        (
            InputValidatorDecision::Accepted,
            InputValidatorDecision::Accepted
        )
    );
    for (code, agreed) in [(3, true), (43, true), (1, false), (139, false)] {
        let InputValidatorDecision::Rejected { is_as_agreed, .. } = decide(code) else {
            panic!("{code}")
        };
        assert_eq!(is_as_agreed, agreed, "{code}");
    }
}

#[test]
fn graders_answer_with_exit_code_0() {
    assert_eq!(
        classify_grader(&run(EXIT_0), &LIMITS),
        ValidatorDecision::Accepted
    );
    assert_eq!(
        classify_grader(&run(Termination::Cancelled), &LIMITS),
        ValidatorDecision::Cancelled
    );
    let failing = [
        (
            run(Termination::Exited { code: 42 }),
            "exited with code 42; expected exit code 0",
        ),
        (
            run(Termination::Signaled { signal: 11 }),
            "was killed by signal 11 (SIGSEGV)",
        ),
        (killed(Limit::CpuTime), "exceeded its CPU time limit of 2 s"),
    ];
    for (outcome, expected) in failing {
        let reason = expected.to_owned();
        assert_eq!(
            classify_grader(&outcome, &LIMITS),
            ValidatorDecision::JudgeError { reason }
        );
    }
}

#[test]
fn oversized_files_of_package_programs_exceed_the_output_limit() {
    let outcome = run(Termination::Signaled { signal: 25 });
    let reason = String::from("exceeded its output limit of 1000 bytes");
    let error = ValidatorDecision::JudgeError {
        reason: reason.clone(),
    };
    assert_eq!(classify_validator(&outcome, &LIMITS), error);
    assert_eq!(classify_grader(&outcome, &LIMITS), error);
    assert_eq!(
        classify_input_validator(&outcome, &LIMITS, ValidatorCodes::Package),
        InputValidatorDecision::JudgeError { reason }
    );
    assert_eq!(
        classify_ended(&outcome, &LIMITS),
        Err(Some("exceeded its output limit of 1000 bytes".to_owned()))
    );
    // For a submission it is a run time error, because the output limit concerns only its streams.
    assert_eq!(
        classify(&outcome, &LIMITS),
        Classification::Verdict(Verdict::RunTimeError)
    );
}

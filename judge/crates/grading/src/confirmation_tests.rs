//! Tests of the reasons for another run, for each kind of result, and of the last run.

use judge_model::Usage;

use super::*;

const LIMIT: Duration = Duration::from_secs(1);

/// Returns a run with these times, which ended normally or was stopped at the wall time limit.
fn outcome(cpu_ms: u64, wall_s: u64, is_over: bool) -> Outcome {
    let (cpu_time, wall_time) = (Duration::from_millis(cpu_ms), Duration::from_secs(wall_s));
    let termination = if is_over {
        Termination::Killed {
            limit: Limit::WallTime,
        }
    } else {
        Termination::Exited { code: 0 }
    };
    Outcome {
        termination,
        usage: Usage {
            cpu_time,
            wall_time,
            ..Usage::default()
        },
    }
}

fn evidence(outcome: &Outcome) -> Evidence<'_> {
    Evidence {
        verdict: Verdict::Accepted,
        outcome,
        deadlock: false,
        delay: HostDelay::None,
    }
}

fn rule(permitted: &[Verdict]) -> Expectation {
    Expectation {
        permitted: permitted.to_vec(),
        ..Expectation::default()
    }
}

#[test]
fn times_from_80_to_130_percent_of_the_limit_are_near() {
    let cases = [
        (0, false),
        (799, false),
        (800, true),
        (1000, true),
        (1300, true),
        (1301, false),
        (9999, false),
    ];
    for (millis, near) in cases {
        assert_eq!(
            near_limit(Duration::from_millis(millis), LIMIT),
            near,
            "{millis} ms"
        );
    }
    assert!(!near_limit(Duration::ZERO, Duration::ZERO));
    assert!(near_limit(Duration::MAX, Duration::MAX));
    assert!(
        KILL_AT > *NEAR_TENTHS.end() as f64 / 10.0,
        "a killed run is beyond what is near"
    );
}

#[test]
fn wall_limit_leaves_time_for_the_cpu_time() {
    let limit = Duration::from_secs(4);
    assert_eq!(wall_limit(limit, KILL_AT), Duration::from_secs(8));
    assert_eq!(wall_limit(limit / 8, KILL_AT), Duration::from_millis(1500));
    assert_eq!(wall_limit(limit, 3.0), Duration::from_secs(15));
}

#[test]
fn reasons_depend_on_the_kind_of_result() {
    let kinds = [
        Confirmation::for_measurement(),
        Confirmation::for_search(LIMIT),
        Confirmation::for_verdict(LIMIT, &[], "secret/1"),
        Confirmation::for_verdict(LIMIT, &[], "secret/1").deciding_margin(true),
    ];
    let (near, slow) = (
        Some(Reason::NearLimit(Verdict::Accepted)),
        Some(Reason::Unexpected),
    );
    for (run, expected) in [
        (
            outcome(100, 1, false),
            [None, None, None, Some(Reason::Margin)],
        ),
        (outcome(1000, 1, false), [None, near, near, near]),
        (outcome(9000, 9, false), [None, None, slow, slow]),
        (outcome(300, 2, true), [Some(Reason::Waited); 4]),
    ] {
        for (kind, reason) in kinds.iter().zip(expected) {
            let decision =
                reason.map(|reason| Decision::Again(Attempt::Again { reason, starved: 0 }));
            let expected = decision.unwrap_or(Decision::Final);
            assert_eq!(
                kind.after(Attempt::First, &evidence(&run)),
                expected,
                "{run:?} {kind:?}"
            );
        }
    }
}

#[test]
fn submissions_may_be_slow_only_if_every_rule_permits_it() {
    let slow = outcome(9000, 9, false);
    let (permits, forbids) = (
        rule(&[Verdict::TimeLimitExceeded, Verdict::Accepted]),
        rule(&[Verdict::Accepted]),
    );
    let elsewhere = Expectation {
        scope: Some(vec!["sample".to_owned()]),
        ..permits.clone()
    };
    for (rules, is_final) in [
        (vec![permits.clone()], true),
        (vec![permits.clone(), forbids.clone()], false),
        (vec![forbids], false),
        (vec![elsewhere], false),
        (Vec::new(), false),
    ] {
        let confirmation = Confirmation::for_verdict(LIMIT, &rules, "secret/1");
        assert_eq!(
            confirmation.after(Attempt::First, &evidence(&slow)) == Decision::Final,
            is_final,
            "{rules:?}"
        );
    }
}

#[test]
fn idle_programs_and_deadlocks_do_not_depend_on_the_host() {
    let confirmation = Confirmation::for_search(LIMIT);
    let idle = outcome(40, 2, true);
    assert_eq!(
        confirmation.after(Attempt::First, &evidence(&idle)),
        Decision::Final
    );
    let busy = outcome(300, 2, true);
    let deadlock = Evidence {
        deadlock: true,
        ..evidence(&busy)
    };
    assert_eq!(
        confirmation.after(Attempt::First, &deadlock),
        Decision::Final
    );
    for delay in [HostDelay::WithinKernel, HostDelay::Starved] {
        let delayed = Evidence {
            delay,
            ..evidence(&idle)
        };
        assert_ne!(
            confirmation.after(Attempt::First, &delayed),
            Decision::Final,
            "{delay:?}"
        );
    }
}

#[test]
fn starved_runs_are_repeated_and_never_final() {
    let (idle, confirmation) = (outcome(40, 20, true), Confirmation::for_measurement());
    let starved = Evidence {
        delay: HostDelay::Starved,
        ..evidence(&idle)
    };
    let (mut attempt, mut runs) = (Attempt::First, 0);
    let end = loop {
        runs += 1;
        match confirmation.after(attempt, &starved) {
            Decision::Again(next) => attempt = next,
            end => break end,
        }
        assert!(attempt.is_alone());
    };
    assert_eq!((end, runs), (Decision::HostFault, MAX_STARVED_RUNS));
    // Only starved runs count: this one follows a run that was near the limit.
    let first_alone = Attempt::Again {
        reason: Reason::NearLimit(Verdict::Accepted),
        starved: 0,
    };
    let next = confirmation.after(first_alone, &starved);
    assert!(
        matches!(next, Decision::Again(Attempt::Again { starved: 1, .. })),
        "{next:?}"
    );
    // One quiet run is enough.
    let quiet = outcome(40, 1, false);
    assert_eq!(
        confirmation.after(attempt, &evidence(&quiet)),
        Decision::Final
    );
    // A program can wait within the kernel deliberately, so a wait counts in a run that had the
    // host to itself.
    let delayed = Evidence {
        delay: HostDelay::WithinKernel,
        ..evidence(&idle)
    };
    assert_eq!(confirmation.after(attempt, &delayed), Decision::Final);
}

#[test]
fn results_are_cached_if_another_run_would_agree() {
    let confirmation = Confirmation::for_verdict(LIMIT, &[], "secret/1");
    let again = |reason| Attempt::Again { reason, starved: 0 };
    let (quick, near, over) = (
        outcome(100, 1, false),
        outcome(1000, 1, false),
        outcome(40, 2, true),
    );
    let with = |verdict, outcome| Evidence {
        verdict,
        ..evidence(outcome)
    };
    for (attempt, run, lasts) in [
        (Attempt::First, evidence(&quick), true),
        (Attempt::First, evidence(&near), false),
        (Attempt::First, evidence(&over), false),
        (Attempt::First, with(Verdict::JudgeError, &quick), false),
        (
            again(Reason::NearLimit(Verdict::Accepted)),
            evidence(&near),
            true,
        ),
        (
            again(Reason::NearLimit(Verdict::TimeLimitExceeded)),
            evidence(&near),
            false,
        ),
        (
            again(Reason::NearLimit(Verdict::Accepted)),
            evidence(&quick),
            true,
        ),
        (again(Reason::Waited), evidence(&near), false),
        (again(Reason::Unexpected), evidence(&quick), true),
        (
            again(Reason::Waited),
            with(Verdict::JudgeError, &quick),
            false,
        ),
    ] {
        assert_eq!(
            confirmation.is_lasting(attempt, &run),
            lasts,
            "{attempt:?} {run:?}"
        );
    }
}

//! Tests of results that are confirmed by a second run.

use judge_event::End;
use judge_model::Verdict;

use crate::run::{Package, judge};

#[test]
fn a_time_near_the_limit_is_confirmed_alone() {
    let ran = judge(&Package::new("p").with("accepted/a", "2 cpu-once 1100\n2 cpu 500"));
    assert_eq!(ran.verdict(), Verdict::Accepted);
    let near = ran.submission().test_cases[1].near_limit.unwrap();
    assert_eq!(
        (near.first_cpu_time_us, near.first_verdict),
        (1_100_000, Verdict::TimeLimitExceeded)
    );
    let far = judge(&Package::new("p").with("time_limit_exceeded/a", "2 cpu 9000"));
    assert_eq!(far.submission().test_cases[1].near_limit, None);
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
        let test_case = &ran.submission().test_cases[1];
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
    assert!(ran.submission().finished.is_none());
    // A submission that was killed earlier was itself too slow, and has a verdict.
    let ran = judge(&Package::new("p").with("accepted/a", "2 wall 19999"));
    assert_eq!(
        (ran.verdict(), ran.state.host_faults.len()),
        (Verdict::TimeLimitExceeded, 0)
    );
}

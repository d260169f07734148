//! Tests of the submissions that constrain the time limit, and of the limits that they allow.

use Verdict::{Accepted as AC, RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA};

use super::*;

fn run(submission: &str, test_case: &str, millis: u64) -> TimedRun {
    let (submission, test_case) = (submission.to_owned(), test_case.to_owned());
    TimedRun {
        submission,
        test_case,
        cpu_time: Duration::from_millis(millis),
        stopped: false,
    }
}

fn stopped(submission: &str, millis: u64) -> TimedRun {
    TimedRun {
        stopped: true,
        ..run(submission, "secret/1", millis)
    }
}

fn limits(resolution_millis: u64) -> Limits {
    Limits {
        time_resolution: Duration::from_millis(resolution_millis),
        ..Limits::default()
    }
}

#[track_caller]
fn infers(limits: &Limits, runs: &[TimedRun], millis: u64) {
    assert_eq!(
        infer(limits, runs).unwrap().time_limit,
        Duration::from_millis(millis)
    );
}

#[test]
fn directories_constrain_the_limit_as_in_the_format() {
    let sides_of = |name| sides(&Expectation::of_directory(name).unwrap(), false);
    let binding = |name| (sides_of(name).lower, sides_of(name).upper);
    assert_eq!(binding("accepted"), (true, false));
    assert_eq!(binding("wrong_answer"), (true, false));
    assert_eq!(binding("run_time_error"), (true, false));
    assert_eq!(binding("time_limit_exceeded"), (false, true));
    assert_eq!(binding("rejected"), (false, false));
    assert_eq!(binding("brute_force"), (false, false));
}

#[test]
fn rules_can_set_their_sides_explicitly() {
    let rule = |permitted: &[Verdict], required: &[Verdict], time_limit| Expectation {
        permitted: permitted.to_vec(),
        required: required.to_vec(),
        time_limit,
        ..Expectation::default()
    };
    let binding =
        |rule: &Expectation, legacy| (sides(rule, legacy).lower, sides(rule, legacy).upper);
    assert_eq!(
        binding(&rule(&[AC], &[], Some(TimeLimitUse::Never)), false),
        (false, false)
    );
    assert_eq!(
        binding(&rule(&[AC, TLE], &[TLE], Some(TimeLimitUse::Never)), false),
        (false, false)
    );
    assert_eq!(
        binding(&rule(&[AC, TLE], &[], Some(TimeLimitUse::Lower)), false),
        (true, false)
    );
    assert_eq!(
        binding(
            &rule(&[AC, TLE, RTE], &[TLE, RTE], Some(TimeLimitUse::Upper)),
            false
        ),
        (false, true)
    );
    assert_eq!(
        binding(&rule(&[AC, TLE], &[TLE, RTE], None), false),
        (false, false)
    );
    assert_eq!(binding(&rule(&[AC], &[], None), true), (true, false));
    assert_eq!(binding(&rule(&[AC, WA], &[WA], None), true), (false, false));
    assert_eq!(
        binding(&rule(&[AC, TLE], &[TLE], None), true),
        (false, false)
    );
    assert_eq!(
        binding(
            &rule(&[AC, WA, TLE, RTE], &[], Some(TimeLimitUse::Lower)),
            true
        ),
        (true, false)
    );
}

#[test]
fn the_limit_is_the_next_multiple_above_the_slowest_run() {
    infers(
        &limits(1000),
        &[run("a", "1", 300), run("b", "2", 700)],
        2000,
    );
    infers(&limits(1000), &[run("a", "1", 500)], 1000);
    infers(&limits(1000), &[run("a", "1", 501)], 2000);
    infers(&limits(1000), &[run("a", "1", 0)], 1000);
    infers(&limits(100), &[run("a", "1", 150)], 300);
    infers(&limits(100), &[run("a", "1", 151)], 400);
    infers(&limits(300), &[run("a", "1", 450)], 900);
    let legacy = Limits {
        ac_to_time_limit: 5.0,
        ..limits(1000)
    };
    infers(&legacy, &[run("a", "1", 100)], 1000);
    infers(&legacy, &[run("a", "1", 500)], 3000);
    let odd = Limits {
        ac_to_time_limit: 1.1,
        ..limits(100)
    };
    infers(&odd, &[run("a", "1", 1000)], 1100);
}

#[test]
fn the_deciding_run_is_named() {
    let runs = [run("a", "1", 300), run("b", "2", 700), run("c", "3", 700)];
    assert_eq!(infer(&limits(1000), &runs).unwrap().lower, runs[1]);
}

#[test]
fn missing_or_stopped_runs_prevent_inference() {
    assert!(infer(&limits(1000), &[]).is_err());
    let fault = infer(&limits(1000), &[run("a", "1", 300), stopped("b", 10_000)]).unwrap_err();
    assert_eq!(
        fault,
        "no time limit can be inferred: `b` was stopped on `secret/1` after 10 s; expected it to end, because it must be \
         fast enough"
    );
}

#[test]
fn limits_between_both_bounds_are_valid() {
    let limits = limits(1000);
    let time_limit = Duration::from_millis;
    let short = |millis| too_short(&limits, time_limit(millis), &[run("ac", "1", 1000)]);
    let long = |millis, runs: &[TimedRun]| too_long(&limits, time_limit(millis), runs);
    assert_eq!(short(2000), None);
    assert_eq!(
        short(1900).unwrap(),
        "the time limit of 1.9 s is too short: `ac` takes 1 s on `1` (at least 2 s needed)"
    );
    assert_eq!(
        long(2000, &[run("slow", "1", 5), run("slow", "2", 3000)]),
        None
    );
    assert_eq!(
        long(2000, &[stopped("slow", 100)]),
        None,
        "as slow as need be"
    );
    assert_eq!(
        long(2000, &[run("slow", "1", 2700), run("slow", "2", 1)]).unwrap(),
        "the time limit of 2 s is too long: `slow` must be too slow, but takes 2.7 s on `1`, its slowest test case (at \
         most 1.8 s allowed)"
    );
    assert!(short(1).is_some() && long(1, &[run("slow", "1", 1)]).is_some());
}

#[test]
fn decimal_figures_are_exact() {
    // 0.1 * 3 is 0.30000000000000004.
    let limits = Limits {
        ac_to_time_limit: 3.0,
        ..limits(100)
    };
    infers(&limits, &[run("a", "1", 100)], 300);
    assert_eq!(
        too_short(&limits, Duration::from_millis(300), &[run("a", "1", 100)]),
        None
    );
}

proptest::proptest! {
    /// An inferred limit passes the check, and a limit of one step less does not.
    #[test]
    fn inferred_limits_are_the_smallest_valid_ones(
        millis in 1_u64..20_000, resolution in 1_u64..3000, multiplier in 1.0_f64..6.0,
    ) {
        let limits = Limits { ac_to_time_limit: multiplier, ..limits(resolution) };
        let runs = [run("a", "1", millis)];
        let inferred = infer(&limits, &runs).unwrap().time_limit;
        proptest::prop_assert_eq!(too_short(&limits, inferred, &runs), None);
        let less = inferred - limits.time_resolution;
        proptest::prop_assert!(less.is_zero() || too_short(&limits, less, &runs).is_some());
    }
}

#[test]
fn times_are_rounded_to_milliseconds() {
    for (nanos, written) in [
        (1_603_823_499, 1.604),
        (2_000_000_000, 2.0),
        (300_000, 0.0003),
        (0, 0.0),
    ] {
        assert_eq!(in_seconds(Duration::from_nanos(nanos)), written);
    }
}

#[test]
fn a_submission_is_sensitive_between_the_limit_and_the_margin() {
    let limits = Limits {
        time_limit_to_tle: 2.0,
        ..Limits::default()
    };
    let limit = Duration::from_secs(2);
    let run = |millis: u64, stopped: bool| TimedRun {
        submission: "time_limit_exceeded/x".to_owned(),
        test_case: format!("secret/{millis}"),
        cpu_time: Duration::from_millis(millis),
        stopped,
    };
    let message = sensitive(
        &limits,
        limit,
        &[run(100, false), run(3000, false), run(2500, false)],
    )
    .unwrap();
    assert!(
        message.contains("takes 3 s on `secret/3000`, too slow for 2 s, but not for 4 s, the limit with the safety margin"),
        "{message}"
    );
    assert!(sensitive(&limits, limit, &[run(4000, false)]).is_some());
    for runs in [
        vec![],
        vec![run(2000, false)],
        vec![run(4001, false), run(3000, false)],
        vec![run(3000, true)],
    ] {
        assert_eq!(sensitive(&limits, limit, &runs), None, "{runs:?}");
    }
}

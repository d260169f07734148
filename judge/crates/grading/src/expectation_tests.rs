//! Expectations against verdicts, complete and not.

use Verdict::{
    Accepted as AC, CompileError as CE, JudgeError as JE, MemoryLimitExceeded as MLE, OutputLimitExceeded as OLE,
    RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA,
};

use super::*;

fn results(verdicts: &[Verdict]) -> Vec<(String, Verdict)> {
    verdicts.iter().enumerate().map(|(index, verdict)| (format!("secret/{:02}", index + 1), *verdict)).collect()
}

fn directory(name: &str) -> Vec<Expectation> {
    vec![Expectation::of_directory(name).unwrap()]
}

fn rule(permitted: &[Verdict], required: &[Verdict]) -> Expectation {
    Expectation {
        origin: "rule `x`".to_owned(),
        permitted: permitted.to_vec(),
        required: required.to_vec(),
        ..Expectation::default()
    }
}

fn told(violations: &[Violation]) -> Vec<String> {
    violations.iter().map(ToString::to_string).collect()
}

#[test]
fn default_directories() {
    let cases: [(&str, &[Verdict], bool); 21] = [
        ("accepted", &[AC, AC], true),
        ("accepted", &[AC, WA], false),
        ("accepted", &[AC, MLE], false),
        ("rejected", &[AC, WA], true),
        ("rejected", &[TLE, AC], true),
        ("rejected", &[OLE], true),
        ("rejected", &[AC, AC], false),
        ("wrong_answer", &[AC, WA, AC, WA], true),
        ("wrong_answer", &[AC], false),
        ("wrong_answer", &[WA, TLE], false),
        ("wrong_answer", &[WA, RTE], false),
        ("time_limit_exceeded", &[AC, TLE], true),
        ("time_limit_exceeded", &[TLE, WA], false),
        ("run_time_error", &[AC, RTE], true),
        ("run_time_error", &[MLE], true),
        ("run_time_error", &[AC, OLE], true),
        ("run_time_error", &[AC], false),
        ("brute_force", &[AC, TLE], true),
        ("brute_force", &[AC, MLE, AC], true),
        ("brute_force", &[TLE, WA], false),
        ("brute_force", &[AC, AC], false),
    ];
    for (name, verdicts, met) in cases {
        let violations = check(&directory(name), &results(verdicts), true);
        assert_eq!(violations.is_empty(), met, "{name} {verdicts:?}: {violations:?}");
    }
}

#[test]
fn violations_are_one_line_each() {
    assert_eq!(
        told(&check(&directory("accepted"), &results(&[AC, WA, MLE]), true)),
        [
            "directory `accepted` permits AC, but `secret/02` got WA",
            "directory `accepted` permits AC, but `secret/03` got MLE",
        ]
    );
    assert_eq!(
        told(&check(&directory("brute_force"), &results(&[WA]), true)),
        [
            "directory `brute_force` permits AC, TLE and RTE, but `secret/01` got WA",
            "directory `brute_force` requires TLE or RTE on some test case, but none got it",
        ]
    );
    assert_eq!(
        told(&check_compile_error(&directory("rejected"))),
        ["directory `rejected` permits AC, WA, TLE and RTE, but the submission did not compile"]
    );
    assert_eq!(
        told(&check(&[rule(&[], &[])], &results(&[AC]), true)),
        ["rule `x` permits nothing, but `secret/01` got AC"]
    );
}

#[test]
fn errors_of_the_judge_are_never_as_expected() {
    let everything = [rule(&Verdict::ALL, &[])];
    assert!(check(&everything, &results(&[AC, WA, TLE, MLE, OLE, RTE]), true).is_empty());
    assert_eq!(check(&everything, &results(&[JE]), true).len(), 1);
    assert_eq!(check(&everything, &results(&[CE]), true).len(), 1);
    let required = [rule(&Verdict::ALL, &[JE, CE])];
    assert_eq!(check(&required, &results(&[JE, CE]), true).len(), 3);
}

#[test]
fn all_rules_hold_together() {
    let rules = [rule(&[AC, WA, TLE], &[WA]), rule(&[AC, WA], &[])];
    assert!(check(&rules, &results(&[WA, AC]), true).is_empty());
    assert_eq!(check(&rules, &results(&[WA, TLE]), true).len(), 1);
    assert_eq!(check(&rules, &results(&[AC]), true).len(), 1);
    assert!(check(&[], &results(&[AC, WA, JE]), true).is_empty());
}

#[test]
fn without_results_only_what_is_required_is_missed() {
    assert!(check(&directory("accepted"), &[], true).is_empty());
    assert_eq!(check(&directory("wrong_answer"), &[], true).len(), 1);
}

#[test]
fn what_was_not_seen_is_not_missed() {
    // Stopped at the first verdict other than AC.
    assert!(check(&directory("wrong_answer"), &results(&[AC, WA]), false).is_empty());
    assert_eq!(
        told(&check(&directory("time_limit_exceeded"), &results(&[AC, WA]), false)),
        ["directory `time_limit_exceeded` permits AC and TLE, but `secret/02` got WA"]
    );
    // The required TLE may come later.
    let open = [rule(&[AC, WA, TLE], &[TLE])];
    assert!(check(&open, &results(&[AC, WA]), false).is_empty());
    assert_eq!(check(&open, &results(&[AC, WA]), true).len(), 1);
    // Interrupted.
    assert!(check(&directory("wrong_answer"), &results(&[AC]), false).is_empty());
}

#[test]
fn stopping_is_safe_once_nothing_that_is_required_is_open() {
    assert!(is_settled(&directory("accepted"), &results(&[WA])));
    assert!(is_settled(&directory("wrong_answer"), &results(&[AC, WA])));
    assert!(is_settled(&directory("wrong_answer"), &results(&[TLE])));
    assert!(!is_settled(&directory("wrong_answer"), &results(&[AC])));
    assert!(!is_settled(&[rule(&[AC, WA, TLE], &[TLE])], &results(&[AC, WA])));
    assert!(is_settled(&[rule(&[AC, WA, TLE], &[TLE])], &results(&[AC, WA, TLE])));
    assert!(is_settled(&[], &[]));
}

#[test]
fn the_first_verdict_other_than_ac_decides() {
    assert_eq!(aggregate(&[]), None);
    assert_eq!(aggregate(&results(&[AC])), Some((AC, 0)));
    assert_eq!(aggregate(&results(&[AC, AC, AC])), Some((AC, 2)));
    assert_eq!(aggregate(&results(&[AC, TLE, WA])), Some((TLE, 1)));
    assert_eq!(aggregate(&results(&[MLE, JE])), Some((MLE, 0)));
    assert_eq!(aggregate(&results(&[AC, JE, WA])), Some((JE, 1)));
}

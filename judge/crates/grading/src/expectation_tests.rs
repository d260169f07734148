//! Tests of expectations with complete and incomplete verdicts.

use Verdict::{
    Accepted as AC, CompileError as CE, JudgeError as JE, MemoryLimitExceeded as MLE,
    OutputLimitExceeded as OLE, RunTimeError as RTE, TimeLimitExceeded as TLE, WrongAnswer as WA,
};

use super::*;

fn results(verdicts: &[Verdict]) -> Vec<TestCaseVerdict> {
    let result = |(index, verdict): (usize, &Verdict)| TestCaseVerdict {
        test_case: format!("secret/{:02}", index + 1),
        verdict: Some(*verdict),
        message: Vec::new(),
    };
    verdicts.iter().enumerate().map(result).collect()
}

/// Checks only the verdicts of test cases.
fn check(
    expectations: &[Expectation],
    test_cases: &[TestCaseVerdict],
    complete: bool,
) -> Vec<String> {
    super::check(
        expectations,
        &Results {
            test_cases,
            complete,
            ..Results::default()
        },
    )
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

#[test]
fn default_directories_have_expectations() {
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
        assert_eq!(
            violations.is_empty(),
            met,
            "{name} {verdicts:?}: {violations:?}"
        );
    }
}

#[test]
fn violations_are_one_line_each() {
    assert_eq!(
        check(&directory("accepted"), &results(&[AC, WA, MLE]), true),
        [
            "directory `accepted` permits AC, but `secret/02` got WA",
            "directory `accepted` permits AC, but `secret/03` got MLE",
        ]
    );
    assert_eq!(
        check(&directory("brute_force"), &results(&[WA]), true),
        [
            "directory `brute_force` permits AC, TLE and RTE, but `secret/01` got WA",
            "directory `brute_force` requires TLE or RTE on some test case, but none got it",
        ]
    );
    assert_eq!(
        check_compile_error(&directory("rejected")),
        ["directory `rejected` permits AC, WA, TLE and RTE, but the submission did not compile"]
    );
    assert_eq!(
        check(&[rule(&[], &[])], &results(&[AC]), true),
        ["rule `x` permits nothing, but `secret/01` got AC"]
    );
}

#[test]
fn judge_errors_are_never_expected() {
    let everything = [rule(&Verdict::ALL, &[])];
    assert!(check(&everything, &results(&[AC, WA, TLE, MLE, OLE, RTE]), true).is_empty());
    assert_eq!(check(&everything, &results(&[JE]), true).len(), 1);
    assert_eq!(check(&everything, &results(&[CE]), true).len(), 1);
    let required = [rule(&Verdict::ALL, &[JE, CE])];
    assert_eq!(check(&required, &results(&[JE, CE]), true).len(), 3);
}

#[test]
fn all_rules_apply_together() {
    let rules = [rule(&[AC, WA, TLE], &[WA]), rule(&[AC, WA], &[])];
    assert!(check(&rules, &results(&[WA, AC]), true).is_empty());
    assert_eq!(check(&rules, &results(&[WA, TLE]), true).len(), 1);
    assert_eq!(check(&rules, &results(&[AC]), true).len(), 1);
    assert!(check(&[], &results(&[AC, WA, JE]), true).is_empty());
}

#[test]
fn without_results_only_required_verdicts_are_missing() {
    assert!(check(&directory("accepted"), &[], true).is_empty());
    assert_eq!(check(&directory("wrong_answer"), &[], true).len(), 1);
}

#[test]
fn test_cases_without_results_are_not_violations() {
    // Stopped at the first verdict other than AC.
    assert!(check(&directory("wrong_answer"), &results(&[AC, WA]), false).is_empty());
    assert_eq!(
        check(
            &directory("time_limit_exceeded"),
            &results(&[AC, WA]),
            false
        ),
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
fn judging_may_stop_once_no_required_verdict_is_open() {
    assert!(is_settled(&directory("accepted"), &results(&[WA])));
    assert!(is_settled(&directory("wrong_answer"), &results(&[AC, WA])));
    assert!(is_settled(&directory("wrong_answer"), &results(&[TLE])));
    assert!(!is_settled(&directory("wrong_answer"), &results(&[AC])));
    assert!(!is_settled(
        &[rule(&[AC, WA, TLE], &[TLE])],
        &results(&[AC, WA])
    ));
    assert!(is_settled(
        &[rule(&[AC, WA, TLE], &[TLE])],
        &results(&[AC, WA, TLE])
    ));
    assert!(is_settled(&[], &[]));
}

fn scoped(scope: &[&str], rule: Expectation) -> Expectation {
    Expectation {
        scope: Some(scope.iter().map(|id| (*id).to_owned()).collect()),
        ..rule
    }
}

fn verdicts(test_cases: &[(&str, Option<Verdict>, &str)]) -> Vec<TestCaseVerdict> {
    let result = |(id, verdict, message): &(&str, Option<Verdict>, &str)| TestCaseVerdict {
        test_case: (*id).to_owned(),
        verdict: *verdict,
        message: message.as_bytes().to_vec(),
    };
    test_cases.iter().map(result).collect()
}

#[test]
fn rules_cover_only_their_scope() {
    let rules = [
        scoped(&["sample", "secret/g1"], rule(&[AC], &[])),
        scoped(&["secret/g2"], rule(&[AC, TLE], &[TLE])),
    ];
    let results = |g1, g2, g22| {
        verdicts(&[
            ("sample/1", Some(AC), ""),
            ("secret/g1/a", Some(g1), ""),
            ("secret/g2/a", Some(g2), ""),
            ("secret/g22/a", Some(g22), ""),
        ])
    };
    assert!(check(&rules, &results(AC, TLE, WA), true).is_empty());
    assert_eq!(
        check(&rules, &results(AC, AC, TLE), true),
        ["rule `x` requires TLE on some test case, but none got it"]
    );
    assert_eq!(
        check(&rules, &results(WA, TLE, AC), true),
        ["rule `x` permits AC, but `secret/g1/a` got WA"]
    );
    assert!(!is_settled(&rules, &results(AC, AC, WA)));
    assert!(is_settled(&rules, &results(AC, TLE, WA)));
    assert!(
        check(
            &[scoped(&["secret/g2/a"], rule(&[WA], &[WA]))],
            &results(AC, WA, AC),
            true
        )
        .is_empty(),
        "one test case"
    );
    assert_eq!(
        check(
            &[scoped(&[], rule(&[AC], &[WA]))],
            &results(WA, WA, WA),
            true
        )
        .len(),
        1,
        "covers nothing"
    );
}

#[test]
fn skipped_test_cases_are_not_accepted() {
    let results = verdicts(&[
        ("secret/g1/a", Some(WA), ""),
        ("secret/g2/a", None, ""),
        ("secret/g2/b", None, ""),
    ]);
    let only_g2 = |permitted: &[Verdict]| [scoped(&["secret/g2"], rule(permitted, &[]))];
    assert_eq!(
        check(&only_g2(&[AC]), &results, true),
        ["rule `x` permits AC, but `secret/g2/a` was not judged because of an earlier rejection"]
    );
    assert!(
        check(&only_g2(&[AC, WA]), &results, true).is_empty(),
        "which verdict it would be is not known"
    );
    assert_eq!(
        check(
            &[scoped(&["secret/g2"], rule(&[AC, WA], &[WA]))],
            &results,
            true
        )
        .len(),
        1
    );
}

#[test]
fn messages_are_matched_exactly() {
    let requires = |text: &str| {
        [Expectation {
            message: Some(text.to_owned()),
            ..rule(&Verdict::ALL, &[])
        }]
    };
    let results = verdicts(&[
        ("secret/a", Some(AC), ""),
        ("secret/b", Some(WA), "line 3: Too large\n"),
    ]);
    assert!(check(&requires("Too large"), &results, true).is_empty());
    assert!(check(&requires(""), &results, true).is_empty());
    assert_eq!(
        check(&requires("too large"), &results, true),
        ["rule `x` requires a message with `too large`, but no test case got one"]
    );
    assert!(check(&requires("too large"), &results, false).is_empty());
    assert!(!is_settled(&requires("Too large"), &results[..1]));
    assert!(is_settled(&requires("Too large"), &results));
    let [required] = requires("Too large");
    assert_eq!(
        check(&[scoped(&["secret/a"], required)], &results, true).len(),
        1
    );
}

fn whole(verdicts: &[Verdict]) -> [Expectation; 1] {
    [Expectation {
        whole: verdicts.to_vec(),
        ..rule(&[AC, WA, TLE, RTE], &[])
    }]
}

#[test]
fn overall_verdicts_can_be_expected() {
    let results = |verdict, complete| Results {
        whole: Some(verdict),
        complete,
        ..Results::default()
    };
    assert!(super::check(&whole(&[WA, TLE]), &results(WA, true)).is_empty());
    assert!(super::check(&whole(&[RTE]), &results(MLE, true)).is_empty());
    assert!(super::check(&whole(&[OLE]), &results(OLE, true)).is_empty());
    assert_eq!(super::check(&whole(&[OLE]), &results(RTE, true)).len(), 1);
    assert_eq!(super::check(&whole(&[JE]), &results(JE, true)).len(), 1);
    assert_eq!(
        super::check(&whole(&[WA, TLE]), &results(AC, true)),
        ["rule `x` expects WA or TLE, but the submission got AC"]
    );
    assert!(
        super::check(&whole(&[WA]), &results(AC, false)).is_empty(),
        "it may still come"
    );
    assert_eq!(super::check(&whole(&[WA]), &results(TLE, false)).len(), 1);
    assert!(
        super::check(&[rule(&[AC], &[])], &results(WA, true)).is_empty(),
        "no such demand"
    );
    assert!(check_compile_error(&whole(&[CE])).is_empty());
    assert_eq!(
        check_compile_error(&whole(&[WA])),
        ["rule `x` permits WA, but the submission did not compile"]
    );
}

#[test]
fn scores_can_be_expected() {
    use judge_model::ScoreRange;
    let group = |id: &str, score| GroupResult {
        group: id.to_owned(),
        verdict: Some(AC),
        score,
        max_score: None,
        skipped: None,
        fault: None,
    };
    let groups = [
        group("secret", Some(Score(60.0))),
        group("secret/g1", Some(Score(60.0))),
        group("secret/g2", Some(Score(0.0))),
    ];
    let results = Results {
        whole: Some(WA),
        scoring: true,
        score: Some(Score(60.0)),
        groups: &groups,
        ..Results::default()
    };
    let requires = |min, max| {
        let score = Some(ScoreRange {
            min: Score(min),
            max: Score(max),
        });
        Expectation {
            score,
            ..rule(&[AC, WA], &[])
        }
    };
    assert!(super::check(&[requires(60.0, 60.0), requires(0.0, 60.0)], &results).is_empty());
    assert_eq!(
        super::check(&[requires(61.0, 100.0)], &results),
        ["rule `x` expects a score from 61 to 100, but the submission got 60"]
    );
    assert!(super::check(&[scoped(&["secret/g1"], requires(60.0, 60.0))], &results).is_empty());
    assert_eq!(
        super::check(
            &[scoped(&["secret/g1", "secret/g2"], requires(60.0, 60.0))],
            &results
        ),
        ["rule `x` expects the score 60, but `secret/g2` got 0"]
    );
    let none = Results {
        score: None,
        ..results
    };
    assert_eq!(
        super::check(&[requires(60.0, 60.0)], &none),
        ["rule `x` expects the score 60, but the submission got none"]
    );
    assert!(
        super::check(
            &[requires(99.0, 99.0)],
            &Results {
                scoring: false,
                ..none
            }
        )
        .is_empty()
    );
    // Judging continues until a group's score is known; the whole score is never decided too early.
    assert!(!is_settled(
        &[scoped(&["secret/g1"], requires(60.0, 60.0))],
        &[]
    ));
    assert!(is_settled(&[requires(60.0, 60.0)], &[]));
}

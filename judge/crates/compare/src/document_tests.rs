//! Documents: that they come back from JSON, and what an earlier one says about a later one.

use super::*;

fn ratio_of(ratio: f64) -> Ratio {
    Ratio { estimate: estimate(ratio), made_of: vec![Rounds { test_case: "secret/1".into(), rounds: 20 }] }
}

fn estimate(ratio: f64) -> Estimate {
    Estimate {
        ratio,
        interval: Some([ratio / 1.03, ratio * 1.03]),
        rounds: 20,
        test_cases: 4,
        host_effect: None,
        placement_effect: None,
        step_effect: None,
    }
}

#[expect(clippy::too_many_lines, reason = "one literal of every field")]
pub(crate) fn comparison(ratio: f64) -> Comparison {
    let submission = |label: &str, submission: &str| Compared {
        label: label.into(),
        submission: submission.into(),
        path: submission.into(),
        language: Some(LanguageId("c".into())),
        verdict: Verdict::Accepted,
        accepted: 1,
        slowest_us: Some(12_000),
        memory_bytes: 1 << 20,
        start_up_us: None,
        growth: Some(Growth { exponent: 1.5, interval: [1.4, 1.6], test_cases: 9 }),
    };
    let sample = Sample { cpu_time_us: 10, wall_time_us: 12, memory_bytes: 100 };
    Comparison {
        comparison_schema: SCHEMA_VERSION,
        judge_version: "0".into(),
        problem: "p".into(),
        host: Host { processor: "x".into(), architecture: "x86_64".into(), isolation: IsolationLevel::Full },
        time_limit_us: 1_000_000,
        method: Method {
            seed: 1,
            budget_us: 2,
            spent_us: 3,
            others_busy: Some(0.5),
            precision: 0.01,
            margin: 0.02,
            subtracts_start_up: false,
            budget_needed_us: Some(4),
        },
        submissions: vec![submission("A", "a.c"), submission("B", "b.c")],
        candidates: vec![Candidate {
            label: "B".into(),
            timed_on: TimedOn {
                test_cases: vec!["secret/1".into()],
                above_start_up: 5.7,
                left_out: 2,
                start_up_dominates: false,
            },
            cpu_time: Some(ratio_of(ratio)),
            total: None,
            slowest: Some(ratio_of(ratio * 2.0)),
            conclusion: Some(Conclusion::Undecided { more_rounds: Some(3) }),
            wall_time: None,
            memory: Some(Ratio { estimate: Estimate { interval: None, ..estimate(1.0) }, made_of: Vec::new() }),
            since_baseline: None,
            classes: vec![Class::BothRight],
        }],
        test_cases: vec![ComparedCase {
            test_case: "secret/1".into(),
            input_bytes: 7,
            first_runs: vec![
                None,
                Some(FirstRun {
                    verdict: Verdict::Accepted,
                    cpu_time_us: 5,
                    memory_bytes: 6,
                    output_hash: Some("00".into()),
                }),
            ],
            rounds: vec![vec![Some([sample, sample]), None]],
        }],
    }
}

#[test]
fn a_document_comes_back() {
    let written = comparison(1.2);
    assert_eq!(Comparison::parse(&written.to_json()).unwrap(), written);
}

#[test]
fn a_test_case_has_the_ratio_of_its_rounds() {
    let of = |cpu_time_us| Some([Sample { cpu_time_us, wall_time_us: 1, memory_bytes: 1 }; 2]);
    let mut case = comparison(1.0).test_cases.remove(0);
    assert_eq!(case.ratio(CandidateIndex(0)), None, "the candidate has no round there");
    case.rounds = vec![vec![of(10), of(20)], vec![of(10), of(30)], vec![of(10), of(900)], vec![None, of(1)]];
    let (ratio, rounds) = case.ratio(CandidateIndex(0)).unwrap();
    assert!((ratio - 3.0).abs() < 1e-9 && rounds == 3, "{ratio} {rounds}");
    assert_eq!(case.ratio(CandidateIndex(1)), None);
}

#[test]
fn what_is_no_document_is_refused_with_a_reason() {
    let refused = |text: &str| Comparison::parse(text).unwrap_err().to_string();
    assert!(refused("{").contains("expected a comparison written by `judge compare --json`"));
    assert!(refused("{}").contains("missing field `comparison_schema`"));
    assert_eq!(refused(r#"{"comparison_schema": 99}"#), "expected a comparison of schema 2, found 99");
}

#[test]
fn a_change_since_the_baseline_is_the_ratio_of_the_ratios_with_both_uncertainties() {
    let (mut now, then) = (comparison(1.5), comparison(1.2));
    now.hold_against(&then).unwrap();
    let change = now.candidates[0].since_baseline.unwrap();
    assert!((change.ratio - 1.25).abs() < 1e-9);
    let half = change.half_width().unwrap();
    assert!((half - 1.03f64.ln() * 2f64.sqrt()).abs() < 1e-9, "{half}");
}

#[test]
fn other_hosts_and_problems_are_not_compared() {
    let mut now = comparison(1.5);
    let mut then = comparison(1.2);
    then.host.processor = "y".into();
    assert!(now.hold_against(&then).unwrap_err().contains("another host: y, x86_64, isolation full; here: x"));
    then.problem = "q".into();
    assert!(now.hold_against(&then).unwrap_err().contains("`q`, not of `p`"));
    assert_eq!(now.candidates[0].since_baseline, None);
}

#[test]
fn only_the_same_question_is_compared() {
    let (mut now, mut then) = (comparison(1.5), comparison(1.2));
    then.candidates[0].timed_on.test_cases.push("secret/2".into());
    let why = now.hold_against(&then).unwrap_err();
    assert_eq!(why, "`b.c` was timed on other test cases: secret/1, secret/2; here: secret/1");
    let mut then = comparison(1.2);
    then.method.subtracts_start_up = true;
    let why = now.hold_against(&then).unwrap_err();
    assert_eq!(why, "it does not contain the time of starting, and this comparison contains it");
    assert_eq!(now.candidates[0].since_baseline, None);
}

#[test]
fn a_candidate_is_found_by_its_name_or_when_it_is_the_only_one() {
    let (mut now, mut then) = (comparison(1.5), comparison(1.2));
    then.submissions[1].submission = "older.c".into();
    now.hold_against(&then).unwrap();
    assert!(now.candidates[0].since_baseline.is_some());
    // Among several only the name tells.
    then.submissions.push(Compared { submission: "c.c".into(), ..then.submissions[1].clone() });
    then.candidates.push(then.candidates[0].clone());
    now.hold_against(&then).unwrap();
    assert_eq!(now.candidates[0].since_baseline, None);
}

#[test]
fn one_right_and_one_wrong_is_a_difference_and_two_right_outputs_are_none() {
    let mut compared = comparison(1.0);
    for (class, differ) in [
        (Class::BothRight, false),
        (Class::BothWrong, false),
        (Class::DifferentOutputs, false),
        (Class::NotDeterministic, false),
        (Class::OnlyReference, true),
        (Class::OnlyCandidate, true),
        (Class::Unsteady, true),
    ] {
        compared.candidates[0].classes = vec![Class::BothRight, class];
        assert_eq!(compared.answers_differ(), differ, "{class:?}");
    }
}

#[test]
fn a_busy_host_is_told_where_it_moves_a_ratio() {
    let mut of = comparison(1.5);
    let warns = |of: &Comparison| of.warnings().iter().any(|warning| warning.contains("at least 0.5 processors busy"));
    assert!(!warns(&of), "alike programs are slowed down alike");
    of.candidates[0].cpu_time.as_mut().unwrap().estimate.host_effect = Some(0.075);
    assert!(warns(&of));
    of.method.others_busy = Some(0.1);
    assert!(!warns(&of));
}

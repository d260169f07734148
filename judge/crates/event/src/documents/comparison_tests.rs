//! Tests of the document of a comparison.

use super::*;

fn candidate(classes: &[Class]) -> Candidate {
    Candidate {
        label: "B".into(),
        timed_on: TimedOn {
            test_cases: vec!["secret/1".into()],
            above_start_up: 5.7,
            left_out: 2,
            start_up_dominates: false,
        },
        cpu_time: Some(Ratio {
            estimate: Estimate {
                ratio: 1.2,
                interval: Some([1.1, 1.3]),
                rounds: 9,
                ..Estimate::default()
            },
            conclusion: Conclusion::Undecided {
                more_rounds: Some(3),
            },
            made_of: vec![Rounds {
                test_case: "secret/1".into(),
                rounds: 9,
            }],
        }),
        conclusion: Some(Conclusion::More),
        wall_time: None,
        memory: None,
        classes: classes.to_vec(),
    }
}

fn case(test_case: &str, input_bytes: u64) -> ComparedCase {
    let sample = Sample {
        cpu_time_us: 10,
        wall_time_us: 12,
        memory_bytes: 100,
    };
    let output_hash = Some("00".into());
    let first = FirstRun {
        verdict: Verdict::Accepted,
        cpu_time_us: 5,
        memory_bytes: 6,
        output_hash,
    };
    ComparedCase {
        test_case: test_case.into(),
        input_bytes,
        first_runs: vec![None, Some(first)],
        ratios: vec![Some(CaseRatio {
            ratio: 1.5,
            rounds: 3,
        })],
        rounds: vec![vec![Some([sample, sample]), None]],
    }
}

fn comparison(classes: &[Class], inputs: &[u64]) -> Comparison {
    let submission = |label: &str| Compared {
        label: label.into(),
        submission: format!("{label}.c"),
        path: format!("{label}.c"),
        language: Some(LanguageId("c".into())),
        verdict: Verdict::Accepted,
        accepted: 1,
        slowest_us: Some(12_000),
        memory_bytes: 1 << 20,
        start_up_us: None,
    };
    let gate = GateResult {
        label: "B".into(),
        quantity: Quantity::Memory,
        max: 1.5,
        decision: GateDecision::NotHeld,
    };
    Comparison {
        comparison_schema: SCHEMA_VERSION,
        judge_version: "0".into(),
        problem: "p".into(),
        host: TimingHost {
            processor: "x".into(),
            architecture: "x86_64".into(),
            isolation: IsolationLevel::Full,
        },
        time_limit_us: 1_000_000,
        method: TimingMethod {
            budget_us: 2,
            spent_us: 3,
            others_busy: Some(0.5),
            precision: 0.01,
            margin: 0.02,
            budget_needed_us: Some(4),
        },
        submissions: vec![submission("A"), submission("B")],
        candidates: vec![candidate(classes)],
        gates: vec![gate],
        warnings: vec!["a warning".into()],
        test_cases: inputs
            .iter()
            .zip(0..)
            .map(|(bytes, number)| case(&format!("secret/{number}"), *bytes))
            .collect(),
    }
}

#[test]
fn documents_round_trip() {
    let written = comparison(&[Class::BothRight], &[7]);
    let json = written.to_json();
    assert_eq!(serde_json::from_str::<Comparison>(&json).unwrap(), written);
    assert!(
        json.contains(
            r#""gates":[{"label":"B","quantity":"mem","max":1.5,"decision":"not_held"}]"#
        ),
        "{json}"
    );
    assert!(Quantity::ALL.iter().all(|quantity| {
        serde_json::to_string(quantity).unwrap() == format!("\"{}\"", quantity.name())
    }));
}

#[test]
fn the_first_difference_is_the_one_with_the_smallest_input() {
    let first = |classes: [Class; 4]| {
        let comparison = comparison(&classes, &[1, 9, 5, 3]);
        comparison
            .first_difference(CandidateIndex(0))
            .map(|(submission, case)| (submission.0, case.0))
    };
    let right = Class::BothRight;
    assert_eq!(
        first([Class::BothWrong, right, right, Class::Unsteady]),
        None
    );
    assert_eq!(
        first([right, Class::OnlyCandidate, Class::OnlyReference, right]),
        Some((1, 2)),
        "the candidate fails"
    );
    assert_eq!(
        first([right, Class::OnlyReference, right, Class::OnlyCandidate]),
        Some((0, 3)),
        "the reference fails"
    );
}

#[test]
fn only_correctness_counts_as_a_difference() {
    for (class, differ) in [
        (Class::BothRight, false),
        (Class::BothWrong, false),
        (Class::DifferentOutputs, false),
        (Class::NotDeterministic, false),
        (Class::OnlyReference, true),
        (Class::OnlyCandidate, true),
        (Class::Unsteady, true),
    ] {
        assert_eq!(
            comparison(&[Class::BothRight, class], &[1, 2]).answers_differ(),
            differ,
            "{class:?}"
        );
    }
}

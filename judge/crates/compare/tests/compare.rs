//! Tests of whole comparisons, with a sandbox that starts no process.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use judge_compare::{Settings, compare};
use judge_event::RunState;
use judge_event::comparison::{
    Candidate, CandidateIndex, Class, Comparison, Conclusion, GateDecision,
};
use judge_exec::{Environment, Toolchain, Toolchains};
use judge_fixtures::{FakeSandbox, script_language};
use judge_model::{
    FormatVersion, LanguageId, Problem, Submission, SubmissionIndex, TestCase, TestCaseIndex,
    Verdict,
};
use judge_runner::{Plan, PlannedProblem, RunSettings, run};
use judge_sandbox::CancelToken;

/// Compares scripts on three test cases, `1` to `3`. Their answers are their names, and the first
/// input is the largest.
fn compared(scripts: &[&str], interrupted: bool) -> Option<Comparison> {
    compared_within(Duration::from_secs(20), scripts, interrupted)
}

/// Compares scripts within a budget.
fn compared_within(budget: Duration, scripts: &[&str], interrupted: bool) -> Option<Comparison> {
    compared_with(budget, Some("time<=0.6"), scripts, interrupted)
}

/// Compares scripts within a budget, with or without a gate.
fn compared_with(
    budget: Duration,
    gate: Option<&str>,
    scripts: &[&str],
    interrupted: bool,
) -> Option<Comparison> {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: String, text: String| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let test_case = |test: usize| TestCase {
        id: format!("secret/{test}"),
        input: file(format!("{test}.in"), "x".repeat(10 - test)),
        answer: file(format!("{test}.ans"), format!("{test}\n")),
        ..TestCase::default()
    };
    let submission = |(index, lines): (usize, &&str)| {
        let name = format!("{index}.script");
        Submission {
            id: name.clone(),
            path: file(
                name.clone(),
                format!("1 print 1\n2 print 2\n3 print 3\n{lines}\n"),
            ),
            sources: vec![name.into()],
            language: Some(LanguageId("script".into())),
            ..Submission::default()
        }
    };
    let problem = Problem {
        test_cases: (1..=3).map(test_case).collect(),
        submissions: scripts.iter().enumerate().map(submission).collect(),
        ..Problem::new("p", dir.path().to_owned(), FormatVersion::V2025_09)
    };
    let planned = PlannedProblem::new(Arc::new(problem), "p".into(), Duration::from_secs(1));
    let plan = Plan {
        problems: vec![planned],
        output_hashes: true,
        ..Plan::default()
    };
    let language = Toolchain {
        language: script_language(),
        tools: Vec::new(),
        mounts: Vec::new(),
    };
    let environment = Environment {
        toolchains: Toolchains::known(vec![language]),
        sandbox: Arc::new(FakeSandbox::default()),
        cache_dir: dir.path().join("cache"),
        jobs: 1,
        cores: Vec::new(),
        judge_version: "test".into(),
        cancel: CancelToken::new().unwrap(),
        stores: None,
    };
    let settings = Settings {
        core: None,
        budget,
        precision: 0.01,
        margin: 0.02,
        gate: gate.map(|gate| gate.parse().unwrap()),
        processor: "test".into(),
    };
    let mut state = RunState::default();
    run(
        plan.clone(),
        &environment,
        &RunSettings::default(),
        &mut state,
    )
    .unwrap();
    if interrupted {
        environment.cancel.cancel();
    }
    compare(
        &plan.problems[0].timed(),
        &state,
        &environment,
        &settings,
        &mut |_| Ok(()),
    )
    .unwrap()
}

#[test]
fn half_the_time_is_detected_after_few_rounds() {
    let comparison = compared(&["* cpu 40", "* cpu 20", "* cpu 40"], false).unwrap();
    let [half, same] = &comparison.candidates[..] else {
        panic!("{comparison:?}")
    };
    let estimate = half.cpu_time.as_ref().unwrap().estimate;
    assert!((estimate.ratio - 0.5).abs() < 1e-9, "{estimate:?}");
    assert_eq!((estimate.rounds, estimate.test_cases), (16, 3));
    assert_eq!(
        (half.conclusion, same.conclusion),
        (Some(Conclusion::Less), Some(Conclusion::Same))
    );
    assert_eq!(half.classes, [Class::BothRight; 3]);
    assert_eq!(
        comparison
            .submissions
            .iter()
            .map(|candidate| candidate.label.as_str())
            .collect::<String>(),
        "ABC"
    );
    assert!(!half.timed_on.start_up_dominates && comparison.submissions[0].start_up_us.is_none());
    let ratios: Vec<f64> = comparison
        .test_cases
        .iter()
        .map(|case| case.ratios[0].unwrap().ratio)
        .collect();
    assert!(
        ratios.iter().all(|ratio| (ratio - 0.5).abs() < 1e-9),
        "{ratios:?}"
    );
    let decisions: Vec<GateDecision> = comparison.gates.iter().map(|gate| gate.decision).collect();
    assert_eq!(decisions, [GateDecision::Held, GateDecision::NotHeld]);
    assert!(!comparison.gates_hold());
}

#[test]
fn clear_ratios_end_rounds_early_without_a_gate() {
    let rounds = |gate| {
        let scripts = ["* cpu 400\n1 cpu 2\n2 cpu 2", "* cpu 40\n1 cpu 2\n2 cpu 2"];
        let comparison = compared_with(Duration::from_secs(20), gate, &scripts, false).unwrap();
        let estimate = comparison.candidates[0].cpu_time.as_ref().unwrap().estimate;
        assert!((estimate.ratio - 0.1).abs() < 1e-9, "{estimate:?}");
        estimate.rounds
    };
    assert_eq!([rounds(None), rounds(Some("time<=0.6"))], [5, 16]);
}

#[test]
fn only_accepted_test_cases_beyond_start_up_are_timed() {
    let comparison = compared(&["* cpu 40\n3 cpu 2", "* cpu 20\n1 print wrong"], false).unwrap();
    let rounds: Vec<usize> = comparison
        .test_cases
        .iter()
        .map(|case| case.rounds.len())
        .collect();
    assert_eq!(rounds, [0, 16, 0]);
    assert_eq!(
        comparison.candidates[0].classes,
        [Class::OnlyReference, Class::BothRight, Class::BothRight]
    );
    assert!(comparison.answers_differ());
    assert_eq!(comparison.submissions[1].verdict, Verdict::WrongAnswer);
    // If nothing takes longer, the largest test case, the first, is timed, with a warning.
    let comparison = compared(&["* cpu 2\n3 cpu 3", "* cpu 2"], false).unwrap();
    let rounds: Vec<usize> = comparison
        .test_cases
        .iter()
        .map(|case| case.rounds.len())
        .collect();
    assert_eq!(rounds, [16, 0, 0]);
    assert!(comparison.candidates[0].timed_on.start_up_dominates);
}

#[test]
fn too_small_budgets_leave_the_same_test_cases_undecided() {
    let scripts = ["* cpu 40", "* cpu 20"];
    let enough = compared(&scripts, false).unwrap();
    let short = compared_within(Duration::from_nanos(1), &scripts, false).unwrap();
    assert_eq!(short.candidates[0].timed_on, enough.candidates[0].timed_on);
    assert_eq!(
        short.candidates[0].timed_on.test_cases,
        ["secret/1", "secret/2", "secret/3"]
    );
    assert_eq!(short.candidates[0].cpu_time, None);
    assert_eq!(
        short.candidates[0].conclusion,
        Some(Conclusion::Undecided {
            more_rounds: Some(8)
        })
    );
    assert!(
        short.method.budget_needed_us.unwrap() > 400_000
            && enough.method.budget_needed_us.is_none()
    );
    assert!(
        short.warnings[0].contains("is too small for 3 rounds on each test case; use `--budget ")
    );
    let made_of = &enough.candidates[0].cpu_time.as_ref().unwrap().made_of;
    assert_eq!(made_of.iter().map(|case| case.rounds).sum::<usize>(), 16);
}

#[test]
fn slow_starting_programs_are_timed_only_if_both_take_longer() {
    // Both scripts have the same language and start-up time, so only their times matter.
    let comparison = compared(&["* cpu 40", "* cpu 40\n2 cpu 2\n3 cpu 2"], false).unwrap();
    assert_eq!(comparison.candidates[0].timed_on.test_cases, ["secret/1"]);
}

#[test]
fn one_disturbed_run_does_not_change_the_selection() {
    // Test cases near the bound of the choice are run again, and the shortest time counts.
    let disturbed = compared(&["* cpu 40", "* cpu 40\n3 cpu 3\n3 cpu-once 9"], false).unwrap();
    assert_eq!(
        disturbed.candidates[0].timed_on.test_cases,
        ["secret/1", "secret/2"]
    );
    // Of test cases with similar times, the largest counts as the slowest.
    let slowest = |times: &str| {
        compared(&[times, "* cpu 2"], false).unwrap().candidates[0]
            .timed_on
            .test_cases
            .clone()
    };
    assert_eq!(slowest("1 cpu 29\n2 cpu 30\n3 cpu 28"), ["secret/1"]);
    assert_eq!(slowest("1 cpu 30\n2 cpu 29\n3 cpu 28"), ["secret/1"]);
}

#[test]
fn intervals_allow_for_other_work_with_memory_bound_programs() {
    let comparison = compared(
        &["* cpu 40", "* cpu 40\n* memory 9000000", "* cpu 40"],
        false,
    )
    .unwrap();
    let [more, same] = &comparison.candidates[..] else {
        panic!("{comparison:?}")
    };
    let effect = |candidate: &Candidate| candidate.cpu_time.as_ref().unwrap().estimate.host_effect;
    // The allowance depends on the other work of this machine.
    assert!(
        effect(more).unwrap() > 0.3 && effect(same).is_none(),
        "{comparison:?}"
    );
    assert!(
        matches!(more.conclusion, Some(Conclusion::Undecided { .. })),
        "{:?}",
        more.conclusion
    );
}

#[test]
fn programs_with_nothing_in_common_are_not_timed() {
    let comparison = compared(&["* cpu 40", "* exit 1"], false).unwrap();
    assert_eq!(comparison.candidates[0].cpu_time, None);
    assert_eq!(comparison.candidates[0].conclusion, None);
    let (submission, test_case) = comparison.first_difference(CandidateIndex(0)).unwrap();
    assert_eq!(
        (submission, test_case),
        (SubmissionIndex(1), TestCaseIndex(2))
    );
}

#[test]
fn submissions_accepted_only_once_are_unsteady() {
    // Over the limit from the second run on.
    let comparison = compared(&["* cpu 40", "* cpu 1200\n* cpu-once 20"], false).unwrap();
    assert_eq!(comparison.candidates[0].classes, [Class::Unsteady; 3]);
    assert!(comparison.answers_differ());
}

#[test]
fn starved_programs_do_not_count_as_failed() {
    // From the second run on, it takes the maximum wall-clock time and barely any CPU time.
    let waits = "* cpu 40\n* wall-later 500000";
    let comparison =
        compared_within(Duration::from_millis(300), &["* cpu 40", waits], false).unwrap();
    assert_eq!(comparison.candidates[0].classes, [Class::BothRight; 3]);
    assert!(!comparison.answers_differ() && comparison.candidates[0].cpu_time.is_none());
    // A run that is not idle during that time is repeated and then accepted.
    let comparison = compared(&["* cpu 400", "* cpu 400\n* wall-second 3000"], false).unwrap();
    assert_eq!(comparison.candidates[0].classes, [Class::BothRight; 3]);
}

#[test]
fn interrupted_comparisons_have_no_result() {
    assert_eq!(compared(&["* cpu 40", "* cpu 20"], true), None);
}

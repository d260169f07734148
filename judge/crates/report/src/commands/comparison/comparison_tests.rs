//! Tests of comparisons: the layout in 80 columns, and the escaping of names.

use judge_event::comparison::{
    CaseRatio, Class, Compared, ComparedCase, Estimate, FirstRun, GateDecision, GateResult,
    Quantity, Ratio, SCHEMA_VERSION, TimedOn, TimingHost, TimingMethod,
};
use judge_event::{Event, RunState};
use judge_model::IsolationLevel;

use super::*;

fn submission(label: &str, submission: &str) -> Compared {
    Compared {
        label: label.into(),
        submission: submission.into(),
        path: submission.into(),
        language: Some(judge_model::LanguageId("cpp".into())),
        verdict: Verdict::Accepted,
        accepted: 2,
        slowest_us: Some(3_100_000),
        memory_bytes: 11 << 20,
        start_up_us: Some(1_500),
    }
}

fn ratio(ratio: f64, interval: [f64; 2], conclusion: Conclusion) -> Option<Ratio> {
    let estimate = Estimate {
        ratio,
        interval: Some(interval),
        rounds: 9,
        test_cases: 1,
        ..Estimate::default()
    };
    Some(Ratio {
        estimate,
        conclusion,
        made_of: Vec::new(),
    })
}

fn case(test_case: &str, runs: [Option<(Verdict, u64)>; 2], ratio: Option<f64>) -> ComparedCase {
    let first = |(verdict, cpu_time_us)| FirstRun {
        verdict,
        cpu_time_us,
        memory_bytes: 1,
        output_hash: None,
    };
    ComparedCase {
        test_case: test_case.into(),
        input_bytes: 12_345,
        first_runs: runs.map(|run| run.map(first)).into(),
        ratios: vec![ratio.map(|ratio| CaseRatio { ratio, rounds: 9 })],
        rounds: Vec::new(),
    }
}

fn comparison() -> Comparison {
    let (right, wrong) = (Verdict::Accepted, Verdict::WrongAnswer);
    let mut test_cases = vec![
        case(
            "secret/<7>",
            [Some((right, 3_100_000)), Some((wrong, 20_000))],
            None,
        ),
        case("secret/8", [Some((right, 10_000)), None], Some(0.72)),
    ];
    let point = |n: u64| {
        case(
            &format!("secret/p{n}"),
            [Some((right, n * 1000)), Some((right, n * 700))],
            None,
        )
    };
    test_cases.extend((1..5).map(point));
    let mut classes = vec![Class::BothRight; 6];
    classes[0] = Class::OnlyReference;
    let candidate = Candidate {
        label: "B".into(),
        timed_on: TimedOn {
            test_cases: vec!["secret/8".into()],
            above_start_up: 5.7,
            left_out: 2,
            start_up_dominates: false,
        },
        cpu_time: ratio(0.72, [0.70, 0.74], Conclusion::Less),
        conclusion: Some(Conclusion::Less),
        wall_time: None,
        memory: ratio(1.0, [0.99, 1.01], Conclusion::Same),
        classes,
    };
    Comparison {
        comparison_schema: SCHEMA_VERSION,
        judge_version: "0".into(),
        problem: "fiveup".into(),
        host: TimingHost {
            processor: "x".into(),
            architecture: "x86_64".into(),
            isolation: IsolationLevel::Full,
        },
        time_limit_us: 10_000_000,
        method: TimingMethod {
            budget_us: 30_000_000,
            spent_us: 3_000_000,
            others_busy: None,
            precision: 0.0075,
            margin: 0.02,
            budget_needed_us: None,
        },
        submissions: vec![
            submission("A", "accepted/a_rather_long_name_of_a_submission.cpp"),
            submission("B", "b|*.rs"),
        ],
        candidates: vec![candidate],
        gates: vec![GateResult {
            label: "B".into(),
            quantity: Quantity::Time,
            max: 0.5,
            decision: GateDecision::NotHeld,
        }],
        warnings: vec!["the host is busy".into()],
        test_cases,
    }
}

/// Returns the run that compared the answers: both compile, and the second is wrong on one test
/// case.
fn run() -> ProblemState {
    let mut state = RunState::default();
    for line in [
        r#"{"event":"problem_started","problem":"p","title":"","path":"p","time_limit_us":1,"limits":LIMITS,"test_cases":[],"test_cases_total":0,"submissions":[]}"#,
        r#"{"event":"submission_started","problem":"p","submission":"a","path":"a","expectations":[]}"#,
        r#"{"event":"submission_started","problem":"p","submission":"b","path":"b","expectations":[]}"#,
        r#"{"event":"test_case_finished","problem":"p","submission":"b","test_case":"secret/<7>","verdict":"WA","cpu_time_us":1,"wall_time_us":1,"memory_bytes":1,"stdout_bytes":1,"stderr_bytes":0,"termination":{"exited":{"code":0}}}"#,
    ] {
        let limits = serde_json::to_string(&judge_model::Limits::default()).unwrap();
        let event: Event = judge_event::parse_line(&line.replace("LIMITS", &limits), 1).unwrap();
        state.apply(&event);
    }
    state.problems.remove(0)
}

fn text(comparison: &Comparison, brief: bool) -> String {
    ComparisonReport::new(comparison, &run()).to_text(Look::default(), brief)
}

fn page(comparison: &Comparison) -> String {
    ComparisonReport::new(comparison, &run()).to_html()
}

#[test]
fn the_table_fits_80_columns_and_has_every_fact() {
    let text_of = text(&comparison(), false);
    assert!(text_of.lines().all(|line| width(line) <= 80), "{text_of}");
    for fact in [
        "AC 2/6",
        "3.100 s",
        "31 %",
        "0.72×",
        "[0.70, 0.74]",
        "11.0 MiB",
        "submission.cpp",
        "A is accepted/a_rather_long_name_of_a_submission.cpp",
        "✗ B differs from A on 1 of 6 test cases: only A is right on 1",
        "B on the smallest of them:",
        "wrong answer: the output validator rejected the output",
        "CPU time  1.39× faster [1.35, 1.43]",
        "memory    same within 2 %",
        "✗ gate time<=0.5 for B: not held: 0.72× [0.70, 0.74]",
        "0 rounds in 3.0 s, one program at a time; 95 % intervals",
        "timed on 1 of 6 test cases, on which both take at least 5.7 times their",
        "CPU time of an empty program: cpp 1.5 ms",
        "warning: the host is busy",
        "└───",
    ] {
        assert!(text_of.contains(fact), "{fact} in\n{text_of}");
    }
    assert!(
        !text_of.contains("B is"),
        "a name that fits needs no explanation: {text_of}"
    );
    let brief = text(&comparison(), true);
    assert!(
        !brief.contains("└───") && !brief.contains("intervals") && brief.contains("warning"),
        "{brief}"
    );
}

#[test]
fn missing_estimates_are_explained() {
    let mut untimed = comparison();
    untimed.candidates[0].cpu_time = None;
    untimed.candidates[0].conclusion = Some(Conclusion::Undecided {
        more_rounds: Some(8),
    });
    untimed.gates[0].decision = GateDecision::Undecided;
    let few = text(&untimed, false);
    assert!(
        few.contains("undecided: the budget is too small for these test cases"),
        "{few}"
    );
    assert!(
        few.contains("undecided, which counts as not held: not timed often\n  enough"),
        "{few}"
    );
    untimed.candidates[0].conclusion = None;
    let none = text(&untimed, false);
    assert!(
        none.contains("not compared: no test case on which both are right"),
        "{none}"
    );
    let mut other = comparison();
    other.candidates[0]
        .cpu_time
        .as_mut()
        .unwrap()
        .estimate
        .host_effect = Some(0.35);
    let allowing = text(&other, false);
    assert!(
        allowing.contains("intervals allow for 35 % because load from other programs slows down"),
        "{allowing}"
    );
}

#[test]
fn markdown_escapes_names() {
    let comparison = comparison();
    let text = ComparisonReport::new(&comparison, &run()).to_markdown();
    assert!(text.contains("| B | b\\|\\*.rs | AC 2/6 |"), "{text}");
    assert!(
        text.contains("  - CPU time: 1.39× faster \\[1.35, 1.43\\]"),
        "{text}"
    );
    assert!(
        text.contains("\ngate time\\<=0.5 for B: not held: 0.72×"),
        "{text}"
    );
    assert_eq!(text.matches("not held").count(), 1, "{text}");
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    let table: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    assert!(
        table.len() == 4 && table.iter().all(|line| columns(line) == columns(table[0])),
        "{text}"
    );
}

#[test]
fn a_page_has_every_fact_and_both_pictures() {
    let mut comparison = comparison();
    comparison.submissions[1].submission = "<b>.rs".into();
    let html = page(&comparison);
    for fact in [
        "AC 2/6",
        "0.72×",
        "[0.70, 0.74]",
        "11.0 MiB",
        "&lt;b&gt;.rs",
        "time&lt;=0.5",
        "95 % intervals",
        "secret/&lt;7&gt;",
        "12,345 B",
        "B: only the reference is right",
        "title=\"9 rounds\"",
        "3.100 s",
        "<title>B, secret/p3: 0.002 s, reference 0.003 s</title>",
        "wrong answer: the output validator rejected the output",
    ] {
        assert!(html.contains(fact), "{fact} in\n{html}");
    }
    assert!(!html.contains("<b>") && !html.contains("<script"), "{html}");
    assert_eq!(html.matches("<svg").count(), 2);
    assert!(html.contains("script-src &#39;none&#39;") || html.contains("script-src 'none'"));
    // Extremes stay within the plot.
    comparison.candidates[0].cpu_time = ratio(1e300, [1e-300, 1e300], Conclusion::More);
    let html = page(&comparison);
    assert!(!html.contains("inf\"") && !html.contains("NaN"), "{html}");
    // Without timed runs, there is nothing to draw.
    comparison.candidates[0].cpu_time = None;
    comparison.test_cases.truncate(2);
    assert_eq!(page(&comparison).matches("<svg").count(), 0);
}

#[test]
fn pages_of_many_test_cases_list_only_interesting_ones() {
    let mut comparison = comparison();
    comparison
        .test_cases
        .extend(vec![case("dull", [None, None], None); 3_000]);
    comparison.candidates[0]
        .classes
        .resize(3_006, Class::BothRight);
    let html = page(&comparison);
    assert!(
        html.contains("3004 test cases on which nothing was timed") && !html.contains("dull"),
        "{}",
        html.len()
    );
    assert!(html.contains("secret/&lt;7&gt;") && html.contains("secret/8"));
}

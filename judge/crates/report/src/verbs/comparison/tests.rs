//! Comparisons: what fits into 80 columns, and that names are never markup.

use super::*;

fn row(label: &str, submission: &str) -> ComparedRow {
    ComparedRow {
        label: label.into(),
        submission: submission.into(),
        verdict: Verdict::Accepted,
        accepted: 42,
        test_cases: 42,
        slowest_us: Some(3_100_000),
        ratio: "0.72×".into(),
        better: Some(true),
        interval: "[0.70, 0.74]".into(),
        estimate: (label != "A").then_some((0.72, Some([0.70, 0.74]))),
        memory_bytes: 11 << 20,
        growth: "n^1.02".into(),
    }
}

fn report() -> ComparisonReport {
    let candidate = CandidateReport {
        label: "B".into(),
        agrees: true,
        answers: "B agrees with A on all 42 test cases".into(),
        first: None,
        compiled: None,
        measures: vec![
            ("CPU time".into(), "1.38× faster [1.31, 1.44]".into()),
            ("memory".into(), "same within 2 %".into()),
        ],
    };
    ComparisonReport {
        problem: "fiveup".into(),
        time_limit_us: 10_000_000,
        limits: Limits::default(),
        rows: vec![row("A", "accepted/a_rather_long_name_of_a_submission.cpp"), row("B", "b|*.rs")],
        candidates: vec![candidate],
        points: (1..5).map(point).collect(),
        cases: vec![
            ComparedCaseRow {
                test_case: "secret/<7>".into(),
                input_bytes: 12_345,
                results: vec![Some((Verdict::Accepted, 3_100_000)), Some((Verdict::WrongAnswer, 20_000))],
                ratios: vec![None],
                answers: vec![Some("only the reference is right")],
                differs: true,
            },
            ComparedCaseRow {
                test_case: "secret/8".into(),
                input_bytes: 1,
                results: vec![Some((Verdict::Accepted, 10_000)), None],
                ratios: vec![Some(("0.72×".into(), 9))],
                answers: vec![None],
                differs: false,
            },
        ],
        gates: vec![(false, "gate time<=1.05 for B: not held: 1.38".into())],
        notes: vec!["seed 7".into()],
        warnings: vec!["the host is busy".into()],
    }
}

fn point(n: u64) -> ScatterPoint {
    ScatterPoint { test_case: format!("secret/{n}"), reference_us: n * 1000, candidate_us: n * 700, mark: 'B' }
}

#[test]
fn the_table_has_80_columns_and_every_fact() {
    let text = report().to_text(Look::default(), false);
    assert!(text.lines().all(|line| width(line) <= 80), "{text}");
    for fact in ["AC 42/42", "3.100 s", "31 %", "0.72×", "[0.70, 0.74]", "11.0 MiB", "n^1.02", "acce…n.cpp"] {
        assert!(text.contains(fact), "{fact} in\n{text}");
    }
    assert!(text.contains("A is accepted/a_rather_long_name_of_a_submission.cpp"), "{text}");
    assert!(!text.contains("B is"), "what fits needs no explanation: {text}");
    for fact in [
        "✓ B agrees with A",
        "CPU time  1.38× faster [1.31, 1.44]",
        "✗ gate time<=1.05 for B: not held",
        "seed 7",
        "warning: the",
    ] {
        assert!(text.contains(fact), "{fact} in\n{text}");
    }
    assert!(text.contains("└───"), "the plot is missing in\n{text}");
    let brief = report().to_text(Look::default(), true);
    assert!(!brief.contains("└───") && !brief.contains("seed 7") && brief.contains("warning"), "{brief}");
}

#[test]
fn markdown_escapes_names() {
    let text = report().to_markdown();
    assert!(text.contains("| B | b\\|\\*.rs | AC 42/42 |"), "{text}");
    assert!(text.contains("  - CPU time: 1.38× faster \\[1.31, 1.44\\]"), "{text}");
    assert!(text.contains("\ngate time\\<=1.05 for B: not held: 1.38\n"), "{text}");
    assert_eq!(text.matches("not held").count(), 1, "{text}");
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    let table: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    assert!(table.len() == 4 && table.iter().all(|line| columns(line) == columns(table[0])), "{text}");
}

#[test]
fn a_page_has_every_fact_and_both_pictures() {
    let mut report = report();
    report.rows[1].submission = "<b>.rs".into();
    report.candidates[0].first = Some(("B".into(), Box::new(wrong())));
    let page = report.to_html();
    for fact in ["AC 42/42", "0.72×", "[0.70, 0.74]", "11.0 MiB", "n^1.02", "&lt;b&gt;.rs", "time&lt;=1.05", "seed 7"]
    {
        assert!(page.contains(fact), "{fact} in\n{page}");
    }
    assert!(!page.contains("<b>") && !page.contains("<script"), "{page}");
    assert_eq!(page.matches("<svg").count(), 2);
    for fact in
        ["secret/&lt;7&gt;", "12,345 B", "B: only the reference is right", "0.72×", "title=\"9 rounds\"", "3.100 s"]
    {
        assert!(page.contains(fact), "{fact} in\n{page}");
    }
    assert!(page.contains("<title>B, secret/3: 0.002 s, reference 0.003 s</title>"), "{page}");
    assert!(page.contains("script-src &#39;none&#39;") || page.contains("script-src 'none'"));
    assert!(page.contains("wrong answer: the output validator rejected the output"), "{page}");
    // Nothing was timed, and there is nothing to draw.
    report.rows[1].estimate = None;
    report.points.clear();
    assert_eq!(report.to_html().matches("<svg").count(), 0);
    // Extremes stay on the paper.
    report.rows[1].estimate = Some((f64::MAX, Some([0.0, f64::INFINITY])));
    let page = report.to_html();
    assert!(!page.contains("inf") && !page.contains("NaN"), "{page}");
}

#[test]
fn of_very_many_test_cases_those_are_shown_that_say_something() {
    let mut report = report();
    let dull = ComparedCaseRow { test_case: "dull".into(), ratios: vec![None], ..report.cases[1].clone() };
    report.cases.extend(vec![dull; 3_000]);
    let page = report.to_html();
    assert!(page.contains("3000 test cases on which nothing was timed") && !page.contains("dull"), "{}", page.len());
    assert!(page.contains("secret/&lt;7&gt;") && page.contains("secret/8"));
}

fn wrong() -> TestCaseFinished {
    let line = r#"{"event":"test_case_finished","problem":"p","submission":"s","test_case":"1","verdict":"WA","cpu_time_us":1,"wall_time_us":1,"memory_bytes":1,"stdout_bytes":1,"stderr_bytes":0,"termination":{"exited":{"code":0}}}"#;
    match judge_event::parse_line(line, 1) {
        Ok(judge_event::Event::TestCaseFinished(test)) => test,
        other => panic!("{other:?}"),
    }
}

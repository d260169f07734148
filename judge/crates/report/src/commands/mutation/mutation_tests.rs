//! Tests of the report about mutants.

use crate::text::line::width;
use judge_event::{GroupScore, Method, MutationOverall, Score};

use super::*;

fn report() -> MutationReport {
    let source = "fn f(n: u32) -> bool {\n    let a = 1;\n    n < a\n}\n";
    let id = "0123456789".to_owned();
    let reached = ["secret/1", "secret/2", "secret/3", "secret/4"].map(str::to_owned);
    let survivor = MutantResult {
        id: id.clone(),
        operator: "comparison".into(),
        function: "f".into(),
        line: 3,
        source: Some(source.replace("n < a", "n <= a")),
        gap: Some(DataGap::EqualValues),
        meaning: Some("no test case in which `n` and `a` are equal".into()),
        reached: Some(reached.into()),
        ..MutantResult::default()
    };
    let totals = |killed, of| Totals { killed, of };
    let group = |group: &str, killed| GroupScore {
        group: group.into(),
        test_cases: 1,
        totals: totals(killed, 2000),
    };
    let mutation = Mutation {
        problem: "fiveup".into(),
        solution: "accepted/greedy.rs".into(),
        source: source.into(),
        mutants: vec![survivor],
        groups: vec![group("sample", 1000), group("secret/one", 1999)],
        score: Score {
            totals: totals(1999, 2000),
            survived: 1,
            equivalent: 5,
            same_program: 2,
            does_not_compile: 0,
            interval: Some(ScoreInterval {
                low: 99.51,
                high: 99.96,
            }),
        },
        method: Method {
            elapsed_us: 1_500_000,
            ..Method::default()
        },
        ..Mutation::default()
    };
    MutationReport {
        mutation,
        operators: vec![
            ("comparison".into(), totals(900, 901)),
            ("jump".into(), totals(1099, 1099)),
        ],
        fates: [(id, "nothing was found".to_owned())].into(),
        found: vec![InputReport {
            did: vec![("0123456789".into(), "WA".into())],
            facts: vec![("input".into(), "1 line".into())],
            texts: vec![(String::new(), b"1\n".to_vec())],
            commands: vec![("add it".into(), "judge add x.in -p fiveup".into())],
        }],
        searched: vec![("searched".into(), "12 inputs".into())],
        notes: vec!["a note".into()],
        warnings: vec!["something is wrong".into()],
        min_score: None,
    }
}

#[test]
fn long_lines_are_cut_around_the_difference() {
    let long = |middle: &str| {
        format!(
            "fn f() {{ {} {middle} {} }}\n",
            "a += 1;".repeat(30),
            "b += 1;".repeat(30)
        )
    };
    let mut page = Page::new(Look {
        width: 60,
        ..Look::default()
    });
    difference(&mut page, &long("if x > 57 {}"), &long("if x > 58 {}"));
    let text = page.take();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        matches!(lines[..], [old, new] if old.contains("- ") && old.contains("x > 57") && new.contains("x > 58")),
        "{text}"
    );
    assert!(
        lines
            .iter()
            .all(|line| width(line) <= 60 && line.contains("[+")),
        "{text}"
    );
}

#[test]
fn survivors_are_rendered_as_differences() {
    insta::assert_snapshot!(report().to_text(Look::default(), false));
}

#[test]
fn brief_reports_have_the_score_rounded_down_and_findings() {
    let text = report().to_text(Look::default(), true);
    assert!(
        text.contains(" 99.9 %") && text.contains("warning: something is wrong"),
        "{text}"
    );
    assert!(
        text.contains("0123456789  WA") && text.contains("add it    judge add"),
        "{text}"
    );
    assert!(
        !text.contains("survived  ") && !text.contains("12 inputs") && !text.contains("a note"),
        "{text}"
    );
    let with = |min_score| MutationReport {
        min_score: Some(min_score),
        ..report()
    };
    assert!(with(99.95).is_enough() && !with(99.96).is_enough());
    let mut demanded = with(100.0);
    demanded.mutation.score.interval = None;
    let demanded = demanded.to_text(Look::default(), true);
    assert!(demanded.contains("expected 100 % or more"), "{demanded}");
    let mut nothing = MutationReport {
        min_score: Some(100.0),
        ..MutationReport::default()
    };
    nothing.mutation.groups = report().mutation.groups;
    assert!(nothing.is_enough());
    let text = nothing.to_text(Look::default(), true);
    assert!(
        text.contains("no score  nothing to mutate") && !text.contains('%'),
        "{text}"
    );
    nothing.mutation.score.does_not_compile = 2;
    let refused = nothing.to_text(Look::default(), true);
    assert!(
        refused.contains("no score  no mutant that could be killed")
            && !refused.contains("nothing"),
        "{refused}"
    );
}

#[test]
fn pages_have_every_fact_and_escape_untrusted_markup() {
    let mut hostile = report();
    let mutant = hostile
        .mutation
        .source
        .replace("n < a", "n <= a /*<script>*/");
    hostile.mutation.mutants[0].function = "<b>f</b>".into();
    hostile.mutation.mutants[0].source = Some(mutant);
    hostile.found[0].texts[0].1 = "7\n".repeat(300).into_bytes();
    hostile.min_score = Some(99.99);
    let page = MutationReport::to_html(&[hostile.clone()], &[]);
    for fact in [
        "fiveup: mutants of accepted/greedy.rs",
        "99.9 %",
        "secret/one",
        "comparison",
        "0123456789",
        "line 3",
    ] {
        assert!(page.contains(fact), "{fact} in\n{page}");
    }
    for fact in [
        "&lt;b&gt;f",
        "n &lt;= a /*&lt;script&gt;*/",
        "nothing was found",
        "An input that kills 0123456789",
    ] {
        assert!(page.contains(fact), "{fact} in\n{page}");
    }
    for fact in [
        "judge add x.in -p fiveup",
        "… 100 lines more",
        "a note",
        "warning: something is wrong",
        "12 inputs",
    ] {
        assert!(page.contains(fact), "{fact} in\n{page}");
    }
    assert!(
        !page.contains("<b>f")
            && !page.contains("<script")
            && page.contains("expected 99.99 % or more"),
        "{page}"
    );
    assert!(
        page.contains("✗ fiveup") && !MutationReport::to_html(&[report()], &[]).contains("✗"),
        "{page}"
    );
    let both = MutationReport::to_html(&[report(), hostile], &[]);
    assert!(
        both.contains("fiveup: mutants of 2 solutions") && both.contains("id=\"m1-0123456789\""),
        "{both}"
    );
    assert!(!MutationReport::to_html(&[MutationReport::default()], &[]).contains("NaN"));
    let mut other = report();
    other.mutation.solution = "accepted/other.py".into();
    let overall = MutationOverall {
        problem: "fiveup".into(),
        mean: 95.25,
        ..MutationOverall::default()
    };
    let short = MutationOverallReport::new(overall, Some(96.0));
    let page = MutationReport::to_html(&[report(), other], &[short]);
    for fact in [
        "✗ fiveup: mutants of 2 solutions",
        "95.2 %",
        "scores · expected 96 % or more",
    ] {
        assert!(page.contains(fact), "{fact} in {page}");
    }
}

#[test]
fn unreached_places_are_rendered() {
    let [a, b] = ["a", "b"].map(str::to_owned);
    assert_eq!(
        nearest(&[], &[], "…"),
        "no test case reaches this place with a value that would differ"
    );
    let one = nearest(&[], std::slice::from_ref(&a), "…");
    assert_eq!(
        one,
        "nearest: a reaches this place, with a value that makes no difference"
    );
    let all = [a.clone(), a.clone(), b.clone(), b.clone()];
    let many = nearest(&[], &all, "…");
    assert_eq!(
        many,
        "nearest: 4 test cases reach this place, with values that make no difference: a, a, b, …"
    );
    assert_eq!(
        nearest(std::slice::from_ref(&a), &[], "…"),
        "it could differ on one test case: a"
    );
    let two = nearest(&[a, b], &all, "…");
    assert_eq!(
        two,
        "it could differ on 2 test cases, with the same result: a, b"
    );
}

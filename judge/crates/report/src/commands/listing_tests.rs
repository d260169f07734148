//! Tests of listings.

use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_model::{FormatVersion, LanguageId, Limits, Problem, Submission, TestCase, Verdict};

use super::*;

fn problem(name: &str, title: &str, time_limit: Option<u64>) -> Problem {
    let test_case = |id: &str| TestCase {
        id: id.to_owned(),
        input: PathBuf::new(),
        answer: PathBuf::new(),
        ..TestCase::default()
    };
    let submission = |id: &str, language: Option<&str>| Submission {
        id: id.to_owned(),
        path: format!("/w/solutions/{name}/{id}").into(),
        language: language.map(|language| LanguageId(language.to_owned())),
        expectations: Expectation::of_directory(id.split('/').next().unwrap())
            .into_iter()
            .collect(),
        ..Submission::default()
    };
    Problem {
        title: title.to_owned(),
        limits: Limits {
            time_limit: time_limit.map(Duration::from_millis),
            ..Limits::default()
        },
        test_cases: vec![test_case("sample/1"), test_case("secret/01-max")],
        submissions: vec![
            submission("accepted/flow.rs", Some("rust")),
            submission("wrong_answer/greedy.py", Some("python3")),
            submission("mystery/x.zz", None),
        ],
        ..Problem::new(
            name,
            format!("/w/problems/{name}").into(),
            FormatVersion::V2025_09,
        )
    }
}

fn listed(problem: &Problem) -> ListedProblem {
    ListedProblem::new(problem, &|path: &Path| {
        path.strip_prefix("/w")
            .unwrap_or(path)
            .display()
            .to_string()
    })
}

fn text(listing: &Listing, verbosity: Verbosity) -> String {
    ListingReport(listing).to_text(Look::default(), verbosity)
}

fn listing() -> Listing {
    let problems = [
        problem("fiveup", "Five Up", Some(1500)),
        problem("grid", "grid", None),
        problem(
            "edge",
            "A Long Walk\u{202e} at the Very Edge of the Whole Wide World",
            Some(10_000),
        ),
    ];
    Listing {
        problems: problems.iter().map(listed).collect(),
    }
}

#[test]
fn a_line_for_each_problem() {
    insta::assert_snapshot!(text(&listing(), Verbosity::Normal));
}

#[test]
fn verbose_lists_the_contents_of_a_problem() {
    insta::assert_snapshot!(text(&listing(), Verbosity::Verbose));
}

#[test]
fn quiet_lists_names_for_scripts() {
    assert_eq!(text(&listing(), Verbosity::Quiet), "fiveup\ngrid\nedge\n");
}

#[test]
fn problems_with_equal_names_are_distinguished_by_paths() {
    let (one, mut other) = (
        problem("fiveup", "Five Up", None),
        problem("fiveup", "Five Up", None),
    );
    other.directory = "/w/archive/fiveup".into();
    let text = text(
        &Listing {
            problems: vec![listed(&one), listed(&other)],
        },
        Verbosity::Normal,
    );
    let starts: Vec<_> = text
        .lines()
        .map(|line| {
            line.split_whitespace()
                .take(2)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(
        starts[..2],
        ["fiveup problems/fiveup", "fiveup archive/fiveup"]
    );
}

#[test]
fn an_empty_list_is_reported() {
    let text = text(&Listing::default(), Verbosity::Normal);
    assert_eq!(text, "0 problems · 0 test cases · 0 submissions\n");
}

#[test]
fn json_has_every_fact() {
    let json: serde_json::Value = serde_json::from_str(&listing().to_json()).unwrap();
    let first = &json["problems"][0];
    assert_eq!(first["path"], "problems/fiveup");
    assert_eq!(first["time_limit_us"], 1_500_000);
    assert_eq!(
        first["submissions"][1]["path"],
        "solutions/fiveup/wrong_answer/greedy.py"
    );
    assert_eq!(
        first["submissions"][1]["expectations"][0]["required"][0],
        "WA"
    );
    assert!(json["problems"][1]["time_limit_us"].is_null());
}

#[test]
fn rules_have_a_short_form() {
    let all = || {
        vec![
            Verdict::Accepted,
            Verdict::WrongAnswer,
            Verdict::TimeLimitExceeded,
            Verdict::RunTimeError,
        ]
    };
    let anything = Expectation {
        permitted: all(),
        ..Expectation::default()
    };
    let scope = |ids: &[&str]| Some(ids.iter().map(|id| (*id).to_owned()).collect());
    let only_accepted = Expectation {
        permitted: vec![Verdict::Accepted],
        ..Expectation::default()
    };
    let score = |min, max| {
        Some(judge_model::ScoreRange {
            min: judge_model::Score(min),
            max: judge_model::Score(max),
        })
    };
    for (rules, words) in [
        (vec![], "nothing expected"),
        (vec![anything.clone()], "nothing expected"),
        (
            vec![Expectation {
                whole: vec![Verdict::CompileError],
                ..anything.clone()
            }],
            "CE as a whole",
        ),
        (
            vec![Expectation {
                required: vec![Verdict::WrongAnswer],
                ..anything.clone()
            }],
            "at least one WA",
        ),
        (
            vec![
                only_accepted.clone(),
                Expectation {
                    scope: scope(&["sample", "secret/1"]),
                    ..only_accepted.clone()
                },
            ],
            "AC; on sample and secret/1: AC",
        ),
        (
            vec![Expectation {
                scope: scope(&["a", "b", "c"]),
                ..only_accepted.clone()
            }],
            "on a and 2 others: AC",
        ),
        (
            vec![Expectation {
                score: score(1.0, 1.0),
                ..anything.clone()
            }],
            "score 1",
        ),
        (
            vec![Expectation {
                score: score(1.0, 2.5),
                message: Some("no".to_owned()),
                ..anything.clone()
            }],
            "score 1 to 2.5, a message with \"no\"",
        ),
    ] {
        assert_eq!(expected(&rules), words);
    }
}

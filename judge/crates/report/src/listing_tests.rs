//! Tests of listings.

use std::path::PathBuf;
use std::time::Duration;

use judge_model::{Limits, TestCase};

use super::*;

fn problem(name: &str, title: &str, time_limit: Option<u64>) -> Problem {
    let test_case =
        |id: &str| TestCase { id: id.to_owned(), input: PathBuf::new(), answer: PathBuf::new(), ..TestCase::default() };
    let submission = |id: &str, language: Option<&str>| Submission {
        id: id.to_owned(),
        path: format!("/w/solutions/{name}/{id}").into(),
        language: language.map(|language| LanguageId(language.to_owned())),
        expectations: Expectation::of_directory(id.split('/').next().unwrap()).into_iter().collect(),
        ..Submission::default()
    };
    Problem {
        title: title.to_owned(),
        limits: Limits { time_limit: time_limit.map(Duration::from_millis), ..Limits::default() },
        test_cases: vec![test_case("sample/1"), test_case("secret/01-max")],
        submissions: vec![
            submission("accepted/flow.rs", Some("rust")),
            submission("wrong_answer/greedy.py", Some("python3")),
            submission("mystery/x.zz", None),
        ],
        ..Problem::new(name, format!("/w/problems/{name}").into(), FormatVersion::V2025_09)
    }
}

fn listing() -> Listing {
    let problems = [
        problem("fiveup", "Five Up", Some(1500)),
        problem("grid", "grid", None),
        problem("edge", "A Long Walk\u{202e} at the Very Edge of the Whole Wide World", Some(10_000)),
    ];
    Listing { problems: problems.iter().map(|problem| ListedProblem::new(problem, Path::new("/w"))).collect() }
}

#[test]
fn a_line_for_each_problem() {
    insta::assert_snapshot!(listing().to_text(Look::default(), Verbosity::Normal));
}

#[test]
fn verbose_lists_what_is_in_a_problem() {
    insta::assert_snapshot!(listing().to_text(Look::default(), Verbosity::Verbose));
}

#[test]
fn quiet_lists_names_for_scripts() {
    assert_eq!(listing().to_text(Look::default(), Verbosity::Quiet), "fiveup\ngrid\nedge\n");
}

#[test]
fn nothing_to_list_is_said() {
    let text = Listing::default().to_text(Look::default(), Verbosity::Normal);
    assert_eq!(text, "0 problems · 0 test cases · 0 submissions\n");
}

#[test]
fn json_has_every_fact() {
    let json: serde_json::Value = serde_json::from_str(&listing().to_json()).unwrap();
    let first = &json["problems"][0];
    assert_eq!(first["path"], "problems/fiveup");
    assert_eq!(first["time_limit_us"], 1_500_000);
    assert_eq!(first["submissions"][1]["path"], "solutions/fiveup/wrong_answer/greedy.py");
    assert_eq!(first["submissions"][1]["expectations"][0]["required"][0], "WA");
    assert!(json["problems"][1]["time_limit_us"].is_null());
}

//! Tests of the import of TPS.

use super::*;
use crate::fixture::Tree;
use crate::import::subtasks::Origin;

#[test]
fn sets_include_others_and_commands_are_one_line() {
    let listing = "# all\n@subtask a\nmanual 1.in\ngen 1\t 2\n\n@testset b\ngen 3\n@subtask c\n@include a b\n@testset d\ncopy d/2.in\n";
    let tree = Tree::with(&[(COMMANDS, listing), (FILE, "")]);
    let source = Source::open(&tree.path(""), &|| false).unwrap();
    let sets = commands(&source, &mut Draft::default()).unwrap();
    assert_eq!(sets["a"][1].input, Origin::Command("gen 1 2".to_owned()));
    assert_eq!(
        sets["a"][0].input,
        Origin::File("gen/manual/1.in".to_owned())
    );
    assert_eq!(sets["d"][0].input, Origin::File("gen/d/2.in".to_owned()));
    assert_eq!(sets["c"].len(), 3);
    let tree = Tree::with(&[(COMMANDS, "gen 1\n"), (FILE, "")]);
    let error = commands(
        &Source::open(&tree.path(""), &|| false).unwrap(),
        &mut Draft::default(),
    )
    .unwrap_err()
    .to_string();
    assert!(
        error.contains("gen/data:1") && error.contains("@subtask"),
        "{error}"
    );
}

#[test]
fn validators_of_one_name_are_one_program_in_the_package() {
    let listing = r#"{"global_validators": ["a.py 1", "a.py 1", "a.py 2", "a.cpp"]}"#;
    let tree = Tree::with(&[
        (FILE, listing),
        ("validator/a.py", ""),
        ("validator/a.cpp", ""),
    ]);
    let source = Source::open(&tree.path(""), &|| false).unwrap();
    let mut draft = Draft::default();
    put_validators(&source, &read_json(&source, FILE).unwrap(), &mut draft).unwrap();
    let (_, remarks) = draft.finish("here");
    let lost: Vec<&str> = remarks
        .iter()
        .filter(|remark| (remark.part, remark.fate) == (Part::Validators, Fate::Lost))
        .map(|remark| remark.text.as_str())
        .collect();
    assert_eq!(
        lost,
        [
            "`validator/a.py` once more, with other arguments",
            "`validator/a.cpp` has the name of `validator/a.py`, which alone is taken"
        ]
    );
}

#[test]
fn verdicts_without_an_expectation_in_packages_are_reported() {
    let listing = r#"{"a.py": {"verdict": "partially_correct"}, "b.py": {"verdict": "incorrect", "except": {"x": "other"}}}"#;
    let tree = Tree::with(&[
        (FILE, "{}"),
        ("solutions.json", listing),
        ("solution/a.py", ""),
        ("solution/b.py", ""),
    ]);
    let mut draft = Draft::default();
    solutions(
        &Source::open(&tree.path(""), &|| false).unwrap(),
        &mut draft,
    )
    .unwrap();
    let (_, remarks) = draft.finish("here");
    let lost = remarks
        .iter()
        .filter(|remark| (remark.part, remark.fate) == (Part::Solutions, Fate::Lost));
    let lost: Vec<&str> = lost
        .map(|remark| remark.text.split(',').next().unwrap())
        .collect();
    assert_eq!(
        lost[..2],
        [
            "what is expected of `mixed/a.py`: `partially_correct`",
            "what is expected of `mixed/b.py`: `other` on `x`"
        ]
    );
}

#[test]
fn subtasks_that_nobody_names_are_solved_or_end_as_the_whole_does() {
    let subtasks = ["samples", "small", "full"].map(str::to_owned);
    let of = |verdict: &str, exceptions: &[(&str, &str)]| {
        let exceptions = exceptions
            .iter()
            .map(|(name, of)| ((*name).to_owned(), (*of).to_owned()))
            .collect();
        let rule = rule(verdict, &exceptions, &subtasks);
        let codes = |of: &[Verdict]| {
            of.iter()
                .map(|verdict| verdict.code())
                .collect::<Vec<_>>()
                .join(",")
        };
        let on_group = |(name, of): (&String, &Expectation)| {
            format!("{name}: {}/{}", codes(&of.permitted), codes(&of.required))
        };
        let on_groups = rule
            .on_groups
            .iter()
            .map(on_group)
            .collect::<Vec<_>>()
            .join("; ");
        format!(
            "{}/{} {on_groups}",
            codes(&rule.permitted),
            codes(&rule.required)
        )
    };
    assert_eq!(of("incorrect", &[]), "AC,WA/WA ");
    assert_eq!(
        of("time_limit", &[("small", "correct")]),
        "AC,TLE/TLE small: AC/"
    );
    assert_eq!(
        of("failed", &[("small", "correct")]),
        "/WA,TLE,RTE small: AC/"
    );
    assert_eq!(
        of("incorrect", &[("full", "time_limit")]),
        "/WA full: /TLE; samples: AC,WA/; small: AC,WA/",
        "what one subtask permits is not permitted on others"
    );
    assert_eq!(
        of("correct", &[("full", "failed")]),
        "/ full: /WA,TLE,RTE; samples: AC/; small: AC/"
    );
    assert_eq!(
        of("partially_correct", &[("small", "correct")]),
        "/ small: AC/"
    );
}

#[test]
fn sets_that_double_again_and_again_end_with_an_error() {
    let mut listing = "@subtask s0\ngen 1\n".to_owned();
    for set in 1..60 {
        let before = set - 1;
        listing += &format!("@subtask s{set}\n@include s{before} s{before}\n");
    }
    let tree = Tree::with(&[(COMMANDS, &listing), (FILE, "")]);
    let error = commands(
        &Source::open(&tree.path(""), &|| false).unwrap(),
        &mut Draft::default(),
    )
    .unwrap_err()
    .to_string();
    assert!(
        error.contains("expected at most 20000 test cases"),
        "{error}"
    );
}

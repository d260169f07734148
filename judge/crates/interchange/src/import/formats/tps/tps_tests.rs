//! Tests of the import of TPS.

use judge_event::Fate;

use super::*;
use crate::fixture::Tree;
use crate::import::subtasks::Origin;

#[test]
fn sets_include_others_and_commands_are_normalised() {
    let listing = "# all\n@subtask a\nmanual 1.in\ngen 1\t 2\n\n@testset b\ngen 3\n@subtask c\n@include a b\n@testset d\ncopy d/2.in\n";
    let tree = Tree::with(&[(COMMANDS, listing), (FILE, "")]);
    let source = Source::open(&tree.path(""), &|| false).unwrap();
    let sets = commands(&source, &mut Draft::default()).unwrap();
    assert_eq!(
        sets.tests["a"][1].input,
        Origin::Command("gen 1 2".to_owned())
    );
    assert_eq!(
        sets.tests["a"][0].input,
        Origin::File("gen/manual/1.in".to_owned())
    );
    assert_eq!(
        sets.tests["d"][0].input,
        Origin::File("gen/d/2.in".to_owned())
    );
    assert_eq!(sets.tests["c"].len(), 3);
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
fn sets_outside_of_every_subtask_are_reported() {
    let listing = "@subtask samples\nmanual 1.in\n@testset shared\ngen 1\n@subtask all\n@include shared\n@testset spare\ngen 2\ngen 3\n@testset empty\n";
    let subtasks = r#"{"subtasks": {"samples": {"index": 0}, "all": {"index": 1, "score": 100}}}"#;
    let tree = Tree::with(&[(COMMANDS, listing), (FILE, subtasks)]);
    let source = Source::open(&tree.path(""), &|| false).unwrap();
    let subtasks = read_json(&source, FILE).unwrap();
    let mut draft = Draft::default();
    let found = tests(&source, &subtasks, BTreeMap::new(), &mut draft).unwrap();
    assert_eq!((found.samples.len(), found.subtasks[0].tests.len()), (1, 1));
    let (_, remarks) = draft.finish("here");
    let lost: Vec<&str> = remarks
        .iter()
        .filter(|remark| remark.part == Part::Tests)
        .map(|remark| remark.text.as_str())
        .collect();
    assert_eq!(
        lost,
        ["set `spare` belongs to no subtask; its tests are not imported (2)"]
    );
}

#[test]
fn validators_with_the_same_name_are_imported_once() {
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
            "`validator/a.py` again, with different arguments",
            "`validator/a.cpp` has the same name as `validator/a.py`, so only the latter is imported"
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
            "the expectation of `mixed/a.py`: `partially_correct`",
            "the expectation of `mixed/b.py`: `other` on `x`"
        ]
    );
}

#[test]
fn unnamed_subtasks_follow_the_overall_verdict() {
    let subtasks = ["samples", "small", "full"].map(str::to_owned);
    let summary = |verdict: &str, exceptions: &[(&str, &str)]| {
        let exceptions = exceptions
            .iter()
            .map(|(name, verdict)| ((*name).to_owned(), (*verdict).to_owned()))
            .collect();
        let rule = rule(verdict, &exceptions, &subtasks);
        let codes = |verdicts: &[Verdict]| {
            verdicts
                .iter()
                .map(|verdict| verdict.code())
                .collect::<Vec<_>>()
                .join(",")
        };
        let on_group = |(name, expectation): (&String, &Expectation)| {
            format!(
                "{name}: {}/{}",
                codes(&expectation.permitted),
                codes(&expectation.required)
            )
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
    // A verdict that is permitted on one subtask is not permitted on others.
    for (verdict, exceptions, expected) in [
        ("incorrect", &[][..], "AC,WA/WA "),
        (
            "time_limit",
            &[("small", "correct")],
            "AC,TLE/TLE small: AC/",
        ),
        ("failed", &[("small", "correct")], "/WA,TLE,RTE small: AC/"),
        (
            "incorrect",
            &[("full", "time_limit")],
            "/WA full: /TLE; samples: AC,WA/; small: AC,WA/",
        ),
        (
            "correct",
            &[("full", "failed")],
            "/ full: /WA,TLE,RTE; samples: AC/; small: AC/",
        ),
        ("partially_correct", &[("small", "correct")], "/ small: AC/"),
    ] {
        assert_eq!(summary(verdict, exceptions), expected, "{verdict}");
    }
}

#[test]
fn exponentially_growing_sets_are_rejected() {
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

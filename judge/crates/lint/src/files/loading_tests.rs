//! Tests of every code of loading, and of related checks, with packages that have only that fault.
//!
//! A table lists changes to a sound package, each with the code that must be found only after the
//! change. The last test compares the table with the catalogue, so each new code needs a row.

use std::collections::BTreeSet;

use judge_package::{Code, Workspace, code};

use super::check;
use crate::testing::Tree;

/// The path of a file and its new text. A path that ends in `/` is a directory; `None` deletes.
type Change = (&'static str, Option<&'static str>);

const CURRENT: &str =
    "problem_format_version: 2025-09\nname: A\nuuid: 170d52ec-fa47-404f-8964-84061658bdca\n";
const SCORING: &str = "problem_format_version: 2025-09\ntype: scoring\nname: A\nuuid: 170d52ec-fa47-404f-8964-84061658bdca\n";
const LEGACY: &str = "name: A\n";
const LEGACY_SCORING: &str = "name: A\ntype: scoring\n";

/// The text of `problem.yaml`, other changes, and the code.
const TABLE: &[(&str, &[Change], &str)] = &[
    (
        CURRENT,
        &[
            ("data/secret/deep/", None),
            ("data/secret/deep/up", Some("-> ..")),
        ],
        "JP005",
    ),
    ("name: [\n", &[], "JP012"),
    ("name: A\nnome: B\n", &[], "JP013"),
    (
        LEGACY,
        &[("data/testdata.yaml", Some("on_rejekt: break\n"))],
        "JP013",
    ),
    ("name: A\nname: B\n", &[], "JP014"),
    (
        LEGACY,
        &[(
            "data/testdata.yaml",
            Some("on_reject: break\non_reject: continue\n"),
        )],
        "JP014",
    ),
    ("problem_format_version: 2025-09\nname: A\n", &[], "JP015"),
    ("name: A\nlimits: {memory: lots}\n", &[], "JP016"),
    ("problem_format_version: 2026\nname: A\n", &[], "JP017"),
    (CURRENT, &[("include/pyton3/x.py", Some(""))], "JP113"),
    (CURRENT, &[("include/loose.py", Some(""))], "JP113"),
    (CURRENT, &[("include/cpp/", None)], "JP113"),
    (LEGACY, &[("include/default/x", Some(""))], "JP114"),
    (
        CURRENT,
        &[
            ("include/default/x", Some("")),
            ("include/python3/y.py", Some("")),
        ],
        "JP115",
    ),
    (CURRENT, &[("data/secret/01.ans", None)], "JP315"),
    (CURRENT, &[("data/secret/03.ans", Some("1\n"))], "JP316"),
    (LEGACY, &[("data/secret/03.ans", Some("1\n"))], "JP316"),
    (CURRENT, &[("data/", None)], "JP317"),
    (LEGACY, &[("data/secret/", None)], "JP318"),
    (CURRENT, &[("data/secrets/", None)], "JP319"),
    (CURRENT, &[("data/01.in", Some(""))], "JP319"),
    (CURRENT, &[("data/notes.txt", Some(""))], "JP320"),
    (CURRENT, &[("data/secret/01.in.bak", Some(""))], "JP320"),
    (CURRENT, &[("data/secret/01/", None)], "JP321"),
    (CURRENT, &[("data/secret/01.files", Some(""))], "JP321"),
    (LEGACY, &[("data/secret/group/", None)], "JP322"),
    (
        SCORING,
        &[
            ("data/secret/01.in", None),
            ("data/secret/01.ans", None),
            ("data/secret/a/test_group.yaml", Some("max_score: 100\n")),
        ],
        "JP322",
    ),
    (
        SCORING,
        &[("data/secret/a/test_group.yaml", Some("max_score: 100\n"))],
        "JP323",
    ),
    (CURRENT, &[("data/test_group.yaml", Some(""))], "JP323"),
    (
        LEGACY,
        &[("data/testdata.yaml", Some("grader_flags: summ\n"))],
        "JP324",
    ),
    (
        LEGACY_SCORING,
        &[("data/testdata.yaml", Some("grading: custom\n"))],
        "JP325",
    ),
    (
        LEGACY,
        &[
            ("data/testdata.yaml", Some("grading: custom\n")),
            ("graders/g.py", Some("")),
        ],
        "JP326",
    ),
    (
        LEGACY,
        &[("data/testdata.yaml", Some("accept_score: 5\n"))],
        "JP327",
    ),
    (
        CURRENT,
        &[("data/secret/test_group.yaml", Some("max_score: 5\n"))],
        "JP327",
    ),
    (
        LEGACY_SCORING,
        &[("data/testdata.yaml", Some("range: 5 1\n"))],
        "JP328",
    ),
    (
        SCORING,
        &[(
            "data/secret/test_group.yaml",
            Some("max_score: unbounded\nscore_aggregation: pass-fail\n"),
        )],
        "JP329",
    ),
    (
        SCORING,
        &[(
            "data/secret/test_group.yaml",
            Some("require_pass: nobody\n"),
        )],
        "JP330",
    ),
    (
        SCORING,
        &[(
            "data/secret/test_group.yaml",
            Some("static_validation_score: 5\n"),
        )],
        "JP331",
    ),
    (
        LEGACY,
        &[(
            "data/testdata.yaml",
            Some("output_validator_flags: {other: -x}\n"),
        )],
        "JP332",
    ),
    (
        LEGACY,
        &[(
            "data/secret/testdata.yaml",
            Some("grader_flags: ignore_sample\n"),
        )],
        "JP333",
    ),
    (
        LEGACY,
        &[("data/testdata.yaml", Some("grader_flags: ignore_sample\n"))],
        "JP333",
    ),
    ("name: ''\n", &[], "JP409"),
    (
        "problem_format_version: 2025-09\nname: {en: ' '}\nuuid: u\n",
        &[],
        "JP409",
    ),
    (
        "problem_format_version: 2025-09\nname: {english: A}\nuuid: u\n",
        &[],
        "JP410",
    ),
    (
        "problem_format_version: 2025-09\ntype: [scoring, pass-fail]\nname: A\nuuid: u\n",
        &[],
        "JP510",
    ),
    (
        "name: A\nlicense: public domain\nrights_owner: Ada\n",
        &[],
        "JP511",
    ),
    ("name: A\nvalidation: default custom\n", &[], "JP512"),
    ("name: A\nvalidation: mine\n", &[], "JP512"),
    ("name: {en: A}\n", &[], "JP513"),
    ("name: A\nlimits: {time_limit: 2}\n", &[], "JP513"),
    ("name: A\nlicense: mit\n", &[], "JP525"),
    ("name: A\ngrading: {accept_score: 1}\n", &[], "JP514"),
    ("name: A\nlimits: {validation_passes: 3}\n", &[], "JP515"),
    (
        "problem_format_version: 2025-09\nname: A\nuuid: u\nlimits: {validation_passes: 3}\n",
        &[],
        "JP515",
    ),
    (
        "problem_format_version: 2025-09\nname: A\nuuid: u\nlanguages: [c++]\n",
        &[],
        "JP519",
    ),
    (
        "problem_format_version: 2025-09\nname: A\nuuid: u\nlimits: {time_limit: 1.5}\n",
        &[],
        "JP520",
    ),
    (
        LEGACY,
        &[
            (".timelimit", Some("2\n")),
            ("domjudge-problem.ini", Some("timelimit = 3\n")),
        ],
        "JP521",
    ),
    (
        LEGACY,
        &[("domjudge-problem.ini", Some("special_compare = cmp\n"))],
        "JP522",
    ),
    ("name: A\nsource_url: https://example.org\n", &[], "JP523"),
    (
        "problem_format_version: 2025-09\nname: A\nuuid: u\nconstants: {9n: 1}\n",
        &[],
        "JP524",
    ),
    (CURRENT, &[("input_validators/", None)], "JP603"),
    (
        LEGACY,
        &[
            ("input_validators/", None),
            ("input_format_validators/v.py", Some("")),
        ],
        "JP604",
    ),
    (LEGACY, &[("input_validators/v.viva", Some(""))], "JP605"),
    (LEGACY, &[("input_validators/notes.txt", Some(""))], "JP606"),
    (
        CURRENT,
        &[("output_validator/notes.txt", Some(""))],
        "JP607",
    ),
    (LEGACY, &[("output_validators/v.py", Some(""))], "JP608"),
    ("name: A\nvalidation: custom\n", &[], "JP609"),
    (
        "problem_format_version: 2025-09\ntype: interactive\nname: A\nuuid: u\n",
        &[],
        "JP609",
    ),
    (
        LEGACY_SCORING,
        &[("graders/a.py", Some("")), ("graders/b.py", Some(""))],
        "JP610",
    ),
    (
        CURRENT,
        &[
            ("output_validator/a/x.py", Some("")),
            ("output_validator/b/x.py", Some("")),
        ],
        "JP610",
    ),
    (CURRENT, &[("output_validator/", None)], "JP611"),
    (
        "problem_format_version: 2025-09\ntype: submit-answer\nname: A\nuuid: u\n",
        &[("static_validator/s.py", Some(""))],
        "JP612",
    ),
    (CURRENT, &[("submissions/old/x.py", Some(""))], "JP706"),
    (CURRENT, &[("submissions/Accepted/x.py", Some(""))], "JP716"),
    (
        CURRENT,
        &[("submissions/accepted/x.txt", Some(""))],
        "JP707",
    ),
    (
        CURRENT,
        &[
            ("submissions/accepted/x/a.py", Some("")),
            ("submissions/accepted/x/B.java", Some("")),
        ],
        "JP707",
    ),
    (
        CURRENT,
        &[(
            "submissions/submissions.yaml",
            Some("acepted/x: {permitted: AC}\n"),
        )],
        "JP708",
    ),
    (
        CURRENT,
        &[(
            "submissions/submissions.yaml",
            Some("accepted/*: {secret/9: {permitted: AC}}\n"),
        )],
        "JP708",
    ),
    (
        CURRENT,
        &[(
            "submissions/submissions.yaml",
            Some("accepted: {permitted: AC, required: WA}\n"),
        )],
        "JP709",
    ),
    (
        LEGACY,
        &[(
            "submissions/accepted/x.py",
            Some("# @EXPECTED_RESULTS@: PERHAPS\n"),
        )],
        "JP710",
    ),
    (
        LEGACY,
        &[(
            "submissions/accepted/x.py",
            Some("# @EXPECTED_SCORE@: 60\n"),
        )],
        "JP711",
    ),
    (
        CURRENT,
        &[(
            "submissions/submissions.yaml",
            Some("accepted: {sample: {score: 3}}\n"),
        )],
        "JP711",
    ),
    (
        CURRENT,
        &[(
            "submissions/submissions.yaml",
            Some("accepted/**: {permitted: AC}\n"),
        )],
        "JP712",
    ),
    (
        "problem_format_version: 2025-09\ntype: submit-answer\nname: A\nuuid: u\n",
        &[("submissions/accepted/a/9.out", Some(""))],
        "JP714",
    ),
    (
        CURRENT,
        &[(
            "submissions/submissions.yaml",
            Some("accepted/good.py: {entrypoint: other.py}\n"),
        )],
        "JP715",
    ),
    // Findings of the checks that do not belong to loading.
    (CURRENT, &[("attachments/tools/x", Some(""))], "JP116"),
    (LEGACY, &[("attachments/templates/x", Some(""))], "JP116"),
    (
        CURRENT,
        &[
            ("include/python3/main.py", Some("")),
            ("include/python3/Main.py3", Some("")),
        ],
        "JP117",
    ),
    (CURRENT, &[("include/default/main.c", Some(""))], "JP117"),
    (
        CURRENT,
        &[
            ("include/c/main.c", Some("")),
            ("include/c/main.h", Some("")),
        ],
        "JP117",
    ),
    (CURRENT, &[("include/cpp/x.h", Some(""))], "JP118"),
    (
        "problem_format_version: 2025-09\nname: A\nuuid: u\nconstants: {n: 1}\n",
        &[("input_validators/v.py", Some("{{m}}"))],
        "JP119",
    ),
    (
        LEGACY_SCORING,
        &[("data/testdata.yaml", Some("reject_score: 5\n"))],
        "JP334",
    ),
    (
        LEGACY_SCORING,
        &[("data/secret/testdata.yaml", Some("range: 0 30\n"))],
        "JP335",
    ),
    (
        LEGACY_SCORING,
        &[("data/secret/testdata.yaml", Some("range: 9 10\n"))],
        "JP339",
    ),
    (
        LEGACY_SCORING,
        &[(
            "data/secret/testdata.yaml",
            Some("accept_score: 50\nrange: 0 40\n"),
        )],
        "JP339",
    ),
    (
        "name: A\ntype: scoring\nvalidation: custom score\n",
        &[("output_validators/v.py", Some(""))],
        "JP335",
    ),
    (
        LEGACY,
        &[
            (
                "data/testdata.yaml",
                Some("output_validator_flags: float_tolerance 1e-6\n"),
            ),
            ("data/secret/01.ans", Some("7 0.5\n")),
        ],
        "JP336",
    ),
    (
        LEGACY_SCORING,
        &[
            ("data/secret/g/01.in", Some("7\n")),
            ("data/secret/g/01.ans", Some("7\n")),
        ],
        "JP517",
    ),
    (
        "name: A\ngrading: {show_test_data_groups: yes}\n",
        &[],
        "JP518",
    ),
    ("name: A\ngrading: {on_reject: grade}\n", &[], "JP518"),
    (
        SCORING,
        &[
            ("data/secret/g/02.in", Some("7\n")),
            ("data/secret/g/02.ans", Some("7\n")),
        ],
        "JP341",
    ),
    (
        CURRENT,
        &[
            ("output_validator/a.py", Some("")),
            ("output_validator/b.py", Some("")),
        ],
        "JP613",
    ),
];

/// Codes that are not in the table: they do not depend on the content of a package, and other tests
/// cover them.
const ELSEWHERE: [&str; 4] = ["JP004", "JP006", "JP111", "JP713"];

fn sound(yaml: &str) -> Tree {
    let tree = Tree::new();
    tree.write("p/problem.yaml", yaml);
    tree.cases("p", &["sample/1", "secret/01"]);
    tree.write("p/input_validators/validate.py", "");
    tree.write("p/submissions/accepted/good.py", "");
    tree
}

fn change(tree: &Tree, (path, text): Change) {
    let at = tree.path(&format!("p/{path}"));
    let leads_to = text.and_then(|text| text.strip_prefix("-> "));
    match (text, leads_to) {
        (_, Some(target)) => std::os::unix::fs::symlink(target, at).unwrap(),
        (Some(text), None) => tree.write(&format!("p/{path}"), text),
        (None, None) if at.exists() && at.is_dir() => std::fs::remove_dir_all(at).unwrap(),
        (None, None) if path.ends_with('/') => std::fs::create_dir_all(at).unwrap(),
        (None, None) => std::fs::remove_file(at).unwrap(),
    }
}

fn codes_of(tree: &Tree) -> BTreeSet<&'static str> {
    let checked = check(&tree.path("p"), &Workspace::find(tree.root()).unwrap(), 1);
    checked
        .findings
        .iter()
        .map(|finding| finding.code.id())
        .collect()
}

#[test]
fn codes_are_found_only_after_their_changes() {
    let before = [CURRENT, LEGACY, LEGACY_SCORING].map(|yaml| codes_of(&sound(yaml)));
    for (yaml, changes, expected) in TABLE {
        let tree = sound(yaml);
        for one in *changes {
            change(&tree, *one);
        }
        let found = codes_of(&tree);
        assert!(
            found.contains(expected),
            "{yaml:?} {changes:?}: expected {expected}, found {found:?}"
        );
        assert!(
            before.iter().all(|codes| !codes.contains(expected)),
            "{expected} is found in a sound package"
        );
    }
}

#[test]
fn loading_rules_have_distinct_codes() {
    // The codes of areas are only for faults without a code of their own.
    let areas = [
        code::METADATA_BROKEN,
        code::DATA_BROKEN,
        code::PROGRAM_BROKEN,
        code::SUBMISSION_BROKEN,
    ];
    for (yaml, changes, _) in TABLE {
        let tree = sound(yaml);
        for one in *changes {
            change(&tree, *one);
        }
        let found = codes_of(&tree);
        assert!(
            areas.iter().all(|area| !found.contains(area.id())),
            "{yaml:?} {changes:?}: {found:?}"
        );
    }
    let shown: BTreeSet<&str> = TABLE
        .iter()
        .map(|(_, _, code)| *code)
        .chain(ELSEWHERE)
        .collect();
    let missing: Vec<&str> = Code::loading_codes()
        .iter()
        .map(|code| code.id())
        .filter(|id| !shown.contains(id))
        .collect();
    assert!(missing.is_empty(), "no line of the table shows {missing:?}");
}

#[test]
fn groups_are_missing_only_without_any_test_group_yaml() {
    for (yaml, path, expected) in [
        (SCORING, "generators/generators.yaml", true),
        (SCORING, "data/secret/test_group.yaml", true),
        (SCORING, "data/secret/g/test_group.yaml", false),
        (SCORING, "data/secret/g/h/test_group.yaml", false),
        (CURRENT, "generators/generators.yaml", false),
    ] {
        let tree = sound(yaml);
        tree.cases("p", &["secret/g/02"]);
        tree.write(&format!("p/{path}"), "# test_group.yaml\n");
        let checked = check(&tree.path("p"), &Workspace::find(tree.root()).unwrap(), 1);
        let found = (checked.findings.iter()).find(|found| found.code == code::GROUPS_UNDECLARED);
        assert_eq!(found.is_some(), expected, "{path}");
        let has_hint = found.is_some_and(|finding| finding.hint.is_some());
        assert_eq!(
            has_hint,
            expected && path.starts_with("generators"),
            "{path}"
        );
    }
}

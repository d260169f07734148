//! Tests of the checks: each has a finding in a package with a fault, and none in a sound package.

use std::os::unix::fs::symlink;

use judge_model::Severity;
use judge_package::{Profile, Workspace, code};

use super::check;
use crate::severity::severity;
use crate::testing::Tree;

pub(super) const UUID: &str = "170d52ec-fa47-404f-8964-84061658bdca";

/// A package without findings.
pub(super) fn sound() -> Tree {
    let tree = Tree::new();
    let yaml = format!(
        "problem_format_version: 2025-09\nname: A Problem\nuuid: {UUID}\nlicense: cc by\nrights_owner: Ada\nlimits:\n  time_limit: 1\n"
    );
    tree.write("p/problem.yaml", &yaml);
    for (id, number) in [("sample/1", 1), ("secret/01", 2), ("secret/02", 3)] {
        tree.write(&format!("p/data/{id}.in"), &format!("{number}\n"));
        tree.write(&format!("p/data/{id}.ans"), &format!("{number}\n"));
    }
    tree.write("p/statement/problem.en.md", "Print the number.\n");
    tree.write("p/input_validators/validate.py", "print()\n");
    tree.write("p/submissions/accepted/good.py", "print(input())\n");
    tree.write("p/submissions/wrong_answer/bad.py", "print(0)\n");
    tree
}

/// The codes and messages of the findings in the default profile.
fn found(tree: &Tree) -> Vec<String> {
    let checked = check(&tree.path("p"), &Workspace::find(tree.root()).unwrap(), 2);
    let reported = checked
        .findings
        .iter()
        .filter(|finding| severity(Profile::Default, finding.code).is_some());
    reported
        .map(|finding| {
            let file = finding
                .file
                .strip_prefix(tree.path("p"))
                .unwrap_or(&finding.file)
                .display();
            let line = finding
                .line
                .map(|line| format!(":{line}"))
                .unwrap_or_default();
            format!("{} {file}{line}: {}", finding.code, finding.message)
        })
        .collect()
}

/// Asserts that there are exactly these findings, given by their beginnings.
#[track_caller]
pub(super) fn finds(tree: &Tree, expected: &[&str]) {
    let found = found(tree);
    let fits = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, part)| found.starts_with(part));
    assert!(fits, "expected {expected:#?}, found {found:#?}");
}

#[test]
fn sound_package_has_no_findings() {
    finds(&sound(), &[]);
}

#[test]
fn loading_findings_have_codes() {
    let tree = sound();
    tree.write(
        "p/problem.yaml",
        "problem_format_version: 2025-09\nname: A\nuuid: u\nlimit: 1\n",
    );
    std::fs::remove_file(tree.path("p/data/secret/02.ans")).unwrap();
    let checked = check(&tree.path("p"), &Workspace::find(tree.root()).unwrap(), 1);
    assert!(checked.loaded.is_none());
    let fatal: Vec<_> = checked
        .findings
        .iter()
        .filter(|finding| finding.keeps_from_loading)
        .collect();
    assert_eq!(
        fatal.iter().map(|finding| finding.code).collect::<Vec<_>>(),
        [code::CASE_INCOMPLETE, code::KEY_UNKNOWN]
    );
    assert_eq!(fatal[1].line, Some(4));
    // The findings of the other checks are reported too.
    assert!(
        checked
            .findings
            .iter()
            .any(|finding| finding.code == code::LICENSE_UNKNOWN)
    );
}

#[test]
fn findings_of_a_file_are_sorted_by_line() {
    let tree = sound();
    tree.write(
        "p/problem.yaml",
        "problem_format_version: 2025-09\nname: A\nlicense: unknown\nuuid: u\nlanguages: [c++]\nlimit: 1\n",
    );
    let checked = check(&tree.path("p"), &Workspace::find(tree.root()).unwrap(), 1);
    let of_file = checked
        .findings
        .iter()
        .filter(|finding| finding.file.ends_with("problem.yaml"));
    let found: Vec<_> = of_file
        .map(|finding| (finding.line, finding.keeps_from_loading))
        .collect();
    assert_eq!(
        found,
        [
            (Some(3), false),
            (Some(4), false),
            (Some(5), false),
            (Some(6), true)
        ]
    );
}

#[test]
fn encoding_and_line_end_faults_are_reported() {
    let tree = sound();
    let write = |path: &str, bytes: &[u8]| {
        std::fs::create_dir_all(tree.path(path).parent().unwrap()).unwrap();
        std::fs::write(tree.path(path), bytes).unwrap();
    };
    write("p/data/sample/1.in", b"\xef\xbb\xbf1\n");
    write("p/data/sample/1.ans", b"1");
    write("p/data/secret/01.in", b"1\n2\r\n");
    write("p/data/secret/01.ans", b"\xff\n");
    write("p/data/secret/02.ans", b"1\n\0\n");
    // Invalid inputs are wrong on purpose.
    write("p/data/invalid_input/1.in", b"\xff\r");
    finds(
        &tree,
        &[
            "JP204 data/sample/1.ans: does not end",
            "JP202 data/sample/1.in:1: begins with",
            "JP201 data/secret/01.ans:1: byte 1 is",
            "JP203 data/secret/01.in:2: has a carriage",
            "JP205 data/secret/02.ans:2: has a NUL",
        ],
    );
}

#[test]
fn git_lfs_pointers_are_reported() {
    let tree = sound();
    tree.write(
        "p/data/secret/01.in",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 7\n",
    );
    tree.write(
        "p/data/secret/01.ans",
        "1\nversion https://git-lfs.github.com/spec/v1\n",
    );
    finds(
        &tree,
        &["JP206 data/secret/01.in: is a Git LFS pointer instead of the data"],
    );
}

#[test]
fn empty_problem_yaml_is_reported() {
    let tree = sound();
    tree.write("p/problem.yaml", "# nothing yet\n");
    let found = found(&tree);
    let empty =
        "JP011 problem.yaml: the file is empty, so the package is read as one of the legacy format";
    assert!(
        found.iter().any(|finding| finding.starts_with(empty)),
        "{found:#?}"
    );
    let hints = |tree: &Tree| -> Vec<String> {
        let checked = check(&tree.path("p"), &Workspace::find(tree.root()).unwrap(), 2);
        checked
            .findings
            .into_iter()
            .filter_map(|finding| finding.hint)
            .collect()
    };
    assert_eq!(
        hints(&tree),
        ["problem.yaml does not set `problem_format_version: 2025-09`"]
    );
    tree.write(
        "p/problem.yaml",
        "problem_format_version: legacy\nname: A\n",
    );
    assert_eq!(hints(&tree), ["rename it to `problem_statement`"]);
    tree.write("p/problem.yaml", "name: A\n");
    assert!(
        !self::found(&tree)
            .iter()
            .any(|finding| finding.contains("the file is empty"))
    );
}

#[test]
fn inputs_with_different_validator_arguments_are_not_duplicates() {
    let tree = sound();
    for directory in ["a", "b"] {
        tree.write(&format!("p/data/secret/{directory}/1.in"), "7\n");
        tree.write(&format!("p/data/secret/{directory}/1.ans"), "7\n");
    }
    let is_twice = || {
        found(&tree)
            .iter()
            .any(|finding| finding.starts_with("JP302"))
    };
    assert!(is_twice());
    tree.write(
        "p/data/secret/b/test_group.yaml",
        "output_validator_args: [float_tolerance, '1e-6']\n",
    );
    assert!(!is_twice(), "{:?}", found(&tree));
}

#[test]
fn duplicate_inputs_are_reported_unless_they_are_links() {
    let tree = sound();
    tree.write("p/data/secret/03.in", "2\n");
    tree.write("p/data/secret/03.ans", "2\n");
    tree.write("p/data/secret/04.in", "3\n");
    tree.write("p/data/secret/04.ans", "4\n");
    for extension in ["in", "ans"] {
        symlink(
            format!("01.{extension}"),
            tree.path(&format!("p/data/secret/05.{extension}")),
        )
        .unwrap();
    }
    tree.write("p/data/invalid_input/one.in", "1\n");
    finds(
        &tree,
        &[
            "JP308 data/invalid_input/one.in: `invalid_input/one` has the same input as `sample/1`",
            "JP302 data/secret/03.in: `secret/03` has the same input as `secret/01`",
            "JP302 data/secret/04.in: `secret/04` has the same input as `secret/02`, but a different answer",
        ],
    );
}

#[test]
fn misleading_name_order_is_reported() {
    let tree = sound();
    tree.write("p/data/secret/9.in", "9\n");
    tree.write("p/data/secret/9.ans", "9\n");
    tree.write("p/data/secret/10.in", "10\n");
    tree.write("p/data/secret/10.ans", "10\n");
    finds(&tree, &["JP305 data/secret: "]);
}

#[test]
fn answers_are_compared_with_the_output_limit() {
    let tree = sound();
    tree.write(
        "p/data/secret/01.ans",
        &format!("{}\n", "x".repeat(9 << 20)),
    );
    tree.write(
        "p/data/secret/02.ans",
        &format!("{}\n", "x".repeat(5 << 20)),
    );
    tree.write("p/data/sample/1.in", "");
    tree.write("p/data/sample/1.ans", "");
    finds(
        &tree,
        &[
            "JP307 data/sample/1.ans: is empty",
            "JP306 data/sample/1.in: is empty",
            "JP303 data/secret/01.ans: has 9437185 bytes; the output limit is 8388608",
            "JP304 data/secret/02.ans: has 5242881 bytes",
        ],
    );
}

#[test]
fn missing_samples_statements_and_accepted_submissions_are_reported() {
    let tree = sound();
    for path in ["p/data/sample", "p/statement", "p/submissions/accepted"] {
        std::fs::remove_dir_all(tree.path(path)).unwrap();
    }
    finds(
        &tree,
        &["JP301 data/sample", "JP401 statement", "JP701 submissions"],
    );
}

#[test]
fn legacy_icpc_is_stricter_about_names() {
    let reported = |format: &str| {
        let tree = sound();
        tree.write(
            "p/problem.yaml",
            &format!("problem_format_version: {format}\nlicense: cc by\nrights_owner: Ada\n"),
        );
        tree.write("p/attachments/a", "x\n");
        tree.write("p/attachments/_b", "x\n");
        let found = found(&tree);
        found
            .into_iter()
            .filter(|finding| finding.starts_with("JP110"))
            .count()
    };
    assert_eq!((reported("legacy-icpc"), reported("legacy")), (2, 0));
}

#[test]
fn rights_names_and_limits_are_checked() {
    let tree = sound();
    let yaml = "problem_format_version: 2025-09\nname: The $n$ Queens\nuuid: my-problem\ncredits: Ada & Alan\nlicense: unknown\n\
        limits:\n  time_limit: 1.5\n  memory: 268435456\n  time_multipliers:\n    ac_to_time_limit: 1\n";
    tree.write("p/problem.yaml", yaml);
    finds(
        &tree,
        &[
            "JP406 problem.yaml:2: ",
            "JP503 problem.yaml:3: ",
            "JP504 problem.yaml:4: ",
            "JP501 problem.yaml:5: ",
            "JP520 problem.yaml:7: `limits.time_limit`: expected a multiple of the time resolution",
            "JP507 problem.yaml:8: `limits.memory` is 268435456 MiB",
            "JP508 problem.yaml:10: ",
        ],
    );
}

#[test]
fn names_links_and_leftovers_are_checked() {
    let tree = sound();
    tree.write("p/output_validators/check.py", "print()\n");
    tree.write("p/sumbissions/accepted/x.py", "print(1)\n");
    tree.write("p/input-validator.py", "print(1)\n");
    tree.write("p/scratch.py", "print(1)\n");
    tree.write("p/attachments/Notes.txt", "a\n");
    tree.write("p/attachments/notes.txt", "b\n");
    tree.write("p/attachments/my notes.txt", "c\n");
    tree.write("p/attachments/__pycache__/x.pyc", "c\n");
    tree.write("elsewhere.txt", "c\n");
    symlink("gone", tree.path("p/attachments/dangling")).unwrap();
    symlink("../../elsewhere.txt", tree.path("p/attachments/outside")).unwrap();
    symlink("notes.txt", tree.path("p/attachments/inside")).unwrap();
    finds(
        &tree,
        &[
            "JP108 attachments/__pycache__",
            "JP104 attachments/dangling",
            "JP102 attachments/my notes.txt",
            "JP106 attachments/notes.txt",
            "JP105 attachments/outside",
            "JP103 input-validator.py: is not used: programs of this kind belong in `input_validators/`",
            "JP103 output_validators: `output_validators` is its name in format legacy; read as",
            "JP103 sumbissions: ",
        ],
    );
}

#[test]
fn duplicate_and_oversized_submissions_are_reported() {
    let tree = sound();
    tree.write("p/submissions/wrong_answer/worse.py", "print(0)\n");
    tree.write(
        "p/submissions/accepted/table.py",
        &format!("print(\"{}\")\n", "x".repeat(128 << 10)),
    );
    finds(
        &tree,
        &[
            "JP702 submissions/accepted/table.py",
            "JP703 submissions/wrong_answer/worse.py",
        ],
    );
}

#[test]
fn invalid_generator_rules_are_reported() {
    let tree = sound();
    tree.write("p/generators/generators.yaml", "data:\n\tsecret: {}\n");
    finds(
        &tree,
        &["JP338 generators/generators.yaml:2: not valid YAML: the line is indented with a tab"],
    );
    tree.write(
        "p/generators/generators.yaml",
        "data: {secret: {data: {01: gen.py 1}}}\n",
    );
    finds(&tree, &[]);
}

#[test]
fn profiles_change_the_reported_findings() {
    assert_eq!(severity(Profile::Default, code::UUID_MISSING), None);
    assert_eq!(
        severity(Profile::Kattis, code::UUID_MISSING),
        Some(Severity::Warning)
    );
    assert_eq!(
        severity(Profile::Kattis, code::UUID_MALFORMED),
        Some(Severity::Error)
    );
    assert_eq!(
        severity(Profile::Default, code::UUID_MALFORMED),
        Some(Severity::Warning)
    );
    assert_eq!(
        severity(Profile::Kattis, code::IMAGE_MISSING),
        Some(Severity::Error)
    );
    assert_eq!(
        severity(Profile::Kattis, code::RANGE_EXCEEDED),
        Some(Severity::Error)
    );
    assert_eq!(
        severity(Profile::Kattis, code::RANGE_IMPLAUSIBLE),
        Some(Severity::Warning)
    );
    assert_eq!(
        severity(Profile::Icpc, code::NO_SAMPLES),
        Some(Severity::Error)
    );
}

#[test]
fn links_leaving_the_package_are_not_read() {
    let tree = sound();
    tree.write("outside", "name: secret-name\nuuid: secret-uuid\n");
    for path in [
        "p/problem.yaml",
        "p/data/sample/1.in",
        "p/statement/problem.en.md",
    ] {
        std::fs::remove_file(tree.path(path)).unwrap();
        symlink(tree.path("outside"), tree.path(path)).unwrap();
    }
    let checked = check(&tree.path("p"), &Workspace::find(tree.root()).unwrap(), 1);
    assert!(checked.loaded.is_none() && checked.uuid.is_none());
    let shown = format!("{checked:?}");
    assert!(
        !shown.contains("secret-name") && !shown.contains("secret-uuid"),
        "{shown}"
    );
}

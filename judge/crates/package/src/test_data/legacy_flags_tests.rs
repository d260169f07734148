//! Tests of the flags of validators in the legacy format.

use super::tests::args;
use crate::fixture::Tree;

#[test]
fn repeated_keys_in_legacy_are_reported() {
    let tree = Tree::new();
    tree.legacy_package(
        "x",
        "limits: {time_multipliers: 1, memory: 5, memory: 64}\n",
    );
    tree.write(
        "x/data/secret/testdata.yaml",
        "input_validator_flags: a\ninput_validator_flags: b\n",
    );
    let loaded = tree.load("x").unwrap();
    assert_eq!(
        tree.warning_lines(&loaded.warnings),
        [
            "x/problem.yaml:1: key `limits.memory` is given twice (first on line 1); the last one is used",
            "x/problem.yaml:1: unknown key `limits.time_multipliers` is ignored\nhint: did you mean `time_multiplier`?",
            "x/data/secret/testdata.yaml:2: key `input_validator_flags` is given twice (first on line 1); the last one \
             is used",
        ]
    );
    assert_eq!(
        loaded.input_validator_args["secret/01"].for_validator("v"),
        ["b"]
    );
    assert_eq!(loaded.problem.limits.memory_bytes, 64 << 20);
}

#[test]
fn legacy_flags_add_up_and_come_from_the_nearest_file() {
    let tree = Tree::new();
    tree.legacy_package("x", "validator_flags: case_sensitive\n");
    tree.cases("x", &["secret/g/h/a"]);
    tree.write(
        "x/data/testdata.yaml",
        "output_validator_flags: float_tolerance 1e-6\ninput_validator_flags: 5\n",
    );
    tree.write(
        "x/data/secret/g/testdata.yaml",
        "output_validator_flags: {default: space_change_sensitive, other: z}\non_reject: continue\n",
    );
    tree.write("x/data/secret/01.yaml", "an unrelated file\n");
    let loaded = tree.load("x").unwrap();
    assert_eq!(
        args(&loaded, "sample/1"),
        ["case_sensitive", "float_tolerance", "1e-6"]
    );
    assert_eq!(
        args(&loaded, "secret/g/h/a"),
        ["case_sensitive", "space_change_sensitive"]
    );
    assert_eq!(
        loaded.input_validator_args["secret/g/h/a"].for_validator("v"),
        ["5"]
    );
    assert_eq!(
        tree.warning_lines(&loaded.warnings),
        ["x/data/secret/01.yaml: ignored: it belongs to no test case"]
    );
    let groups: Vec<&str> = loaded
        .problem
        .test_groups
        .iter()
        .map(|group| group.id.as_str())
        .collect();
    assert_eq!(groups, ["", "sample", "secret", "secret/g", "secret/g/h"]);
}

#[test]
fn flags_can_name_a_program() {
    let tree = Tree::new();
    tree.legacy_package("x", "validation: custom\n");
    tree.write("x/output_validators/check.py", "");
    tree.write(
        "x/data/secret/testdata.yaml",
        "output_validator_flags: {name: check, flags: a b}\ninput_validator_flags: {name: validate.py, flags: 5}\n",
    );
    let loaded = tree.load("x").unwrap();
    assert_eq!(
        loaded
            .problem
            .test_case("secret/01")
            .unwrap()
            .output_validator_args
            .all,
        ["a", "b"]
    );
    assert_eq!(
        loaded.input_validator_args["secret/01"].for_validator("validate.py"),
        ["5"]
    );
    assert_eq!(
        loaded.input_validator_args["secret/01"].for_validator("other.py"),
        [""; 0]
    );
    tree.write(
        "x/data/secret/testdata.yaml",
        "output_validator_flags: {name: other, flags: a b}\n",
    );
    assert_eq!(
        tree.warnings("x"),
        [
            "x/data/secret/testdata.yaml:1: `output_validator_flags` names no output validator of this package; expected \
          `check.py`"
        ]
    );
}

#[test]
fn flags_are_passed_to_the_named_output_validator() {
    let tree = Tree::new();
    tree.legacy_package("x", "validation: custom\nvalidator_flags: v\n");
    tree.write("x/output_validators/first.py", "");
    tree.write("x/output_validators/second.py", "");
    let file = "x/data/secret/testdata.yaml";
    let args = |position| {
        let loaded = tree.load("x").unwrap();
        assert_eq!(tree.warning_lines(&loaded.warnings), [""; 0]);
        loaded
            .problem
            .test_case("secret/01")
            .unwrap()
            .output_validator_args
            .for_validator(position)
            .cloned()
            .collect::<Vec<_>>()
    };
    tree.write(file, "output_validator_flags: {name: second, flags: a b}\n");
    assert_eq!(
        (args(0), args(1)),
        (
            vec!["v".to_owned()],
            ["v", "a", "b"].map(str::to_owned).to_vec()
        )
    );
    tree.write(
        file,
        "output_validator_flags: {second.py: b, first: a, other: c}\n",
    );
    assert_eq!(
        (args(0), args(1)),
        (
            ["v", "a"].map(str::to_owned).to_vec(),
            ["v", "b"].map(str::to_owned).to_vec()
        )
    );
    tree.write(file, "output_validator_flags: a b\n");
    assert_eq!(
        (args(0), args(1)),
        (
            ["v", "a", "b"].map(str::to_owned).to_vec(),
            ["v", "a", "b"].map(str::to_owned).to_vec()
        )
    );
}

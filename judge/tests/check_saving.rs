//! `judge check --save`: the inputs and outputs that show mistakes of validators become test cases
//! of the package.

use std::fs;
use std::path::Path;

use crate::workspace::{Workspace, has};

fn program(file: &str) -> Vec<u8> {
    fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../testdata/faulty")
            .join(file),
    )
    .unwrap()
}

/// A problem whose validators do not check for the end of the file.
fn faulty() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("c") && has("cpp"))?;
    workspace.problem("square", "limits: {time_limit: 2}\n");
    workspace.case("square", "secret/1", "6\n", "36\n");
    workspace.case("square", "secret/2", "9\n", "81\n");
    workspace.write(
        "problems/square/input_validators/v.cpp",
        program("input_without_end.cpp"),
    );
    workspace.write(
        "problems/square/output_validator/v.c",
        program("first_token_only.c"),
    );
    Some(workspace)
}

fn names(workspace: &Workspace, directory: &str) -> Vec<String> {
    let files = workspace
        .files(&format!("problems/square/data/{directory}"))
        .into_keys();
    files
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn failing_inputs_and_outputs_become_test_cases() {
    let Some(workspace) = faulty() else { return };
    let output = workspace.judge(["check", "--save"]);
    output.stdout_has(&["JP806", "JP914"]);
    output.stderr_has(&[
        "saved `problems/square/data/invalid_",
        "judge check --data problems/square",
    ]);
    assert_eq!(
        names(&workspace, "invalid_input"),
        ["more-text-after-the-end.in"]
    );
    let case = ["ans", "in", "out"].map(|extension| format!("text-after-it.{extension}"));
    assert!(
        case.iter()
            .all(|file| names(&workspace, "invalid_output").contains(file)),
        "{output:?}"
    );

    // The cases fail with the faulty validators, and pass with correct ones.
    let failing = workspace.judge(["check", "--data"]).exits(3);
    failing.stdout_has(&[
        "invalid_input/more-text-after-the-end",
        "invalid_output/text-after-it",
    ]);
    let before = workspace.files("problems/square/data");
    assert!(
        !workspace
            .judge(["check", "--save"])
            .stderr
            .contains("saved")
    );
    assert_eq!(
        workspace.files("problems/square/data"),
        before,
        "nothing is saved twice"
    );
    workspace.remove("problems/square/input_validators/v.cpp");
    workspace.write(
        "problems/square/input_validators/v.ctd",
        "INT(0, 99) NEWLINE EOF\n",
    );
    let right = String::from_utf8(program("first_token_only.c")).unwrap();
    let right = right.replace(
        "output == answer ?",
        "output == answer && scanf(\" %*c\") == EOF ?",
    );
    workspace.write("problems/square/output_validator/v.c", right);
    workspace.judge(["check", "--data"]).exits(0);
    assert!(
        !workspace
            .judge(["check", "--save"])
            .stderr
            .contains("saved")
    );
}

#[test]
fn existing_files_are_kept_and_silenced_findings_are_not_saved() {
    let Some(workspace) = faulty() else { return };
    let taken = "problems/square/data/invalid_input/more-text-after-the-end.in";
    workspace.write(taken, "100\n");
    workspace.write(
        "judge.yaml",
        "problems: [problems]\ncheck:\n  ignore:\n    - {code: JP914, reason: the rest of an output is a remark}\n",
    );
    workspace
        .judge(["check", "--save"])
        .stderr_has(&["more-text-after-the-end-2"]);
    assert_eq!(fs::read_to_string(workspace.path(taken)).unwrap(), "100\n");
    assert_eq!(names(&workspace, "invalid_output"), [""; 0]);
}

#[test]
fn packages_of_other_formats_are_left_unchanged() {
    let Some(workspace) = faulty() else { return };
    let yaml = workspace.path("problems/square/problem.yaml");
    fs::write(&yaml, "name: Square\nvalidation: custom\n").unwrap();
    fs::rename(
        workspace.path("problems/square/output_validator"),
        workspace.path("problems/square/output_validators"),
    )
    .unwrap();
    let before = workspace.files("problems/square");
    workspace
        .judge(["check", "--save"])
        .stderr_has(&["legacy format", "judge upgrade"]);
    assert_eq!(workspace.files("problems/square"), before);
}

#[test]
fn saved_cases_have_the_arguments_of_their_origin() {
    let Some(workspace) = faulty() else { return };
    workspace.write(
        "problems/square/data/invalid_output/test_group.yaml",
        "output_validator_args: [strict]\n",
    );
    workspace.write(
        "problems/square/data/secret/test_group.yaml",
        "input_validator_args: [--most, '10']\n",
    );
    workspace.judge(["check", "--save"]).stderr_has(&["saved"]);
    let read = |case: &str| {
        fs::read_to_string(workspace.path(&format!("problems/square/data/{case}.yaml"))).unwrap()
    };
    assert_eq!(
        read("invalid_input/more-text-after-the-end"),
        "input_validator_args: [\"--most\",\"10\"]\n"
    );
    assert!(read("invalid_output/text-after-it").ends_with("output_validator_args: []\n"));
    workspace
        .judge(["check", "--data"])
        .stdout_has(&["invalid_input/more-text-after-the-end"]);
}

#[test]
fn unwritable_packages_do_not_prevent_saving_others() {
    let Some(workspace) = faulty() else { return };
    for (path, bytes) in workspace.files("problems/square") {
        let path = path
            .strip_prefix(workspace.path("problems/square"))
            .unwrap()
            .display()
            .to_string();
        workspace.write(&format!("problems/blocked/{path}"), bytes);
    }
    workspace.write("problems/blocked/data/invalid_output", "a file");
    workspace
        .judge(["check", "--save"])
        .exits(2)
        .stderr_has(&["saved `problems/square", "is in the way"]);
}

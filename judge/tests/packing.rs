//! Problems packed for other judges: what is packed is judged as before, has the same bytes whoever packs it, and what
//! the other judge would not honour is told.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::archives::pack;
use crate::workspace::{Said, Workspace, has};

/// A workspace with a problem in C++ that every judge takes.
fn with_adder() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("cpp"))?;
    let args = ["new", "adder", "--language", "cpp", "--title", "The Adder", "--author", "Ada", "--license", "cc0"];
    workspace.judge(args).exits(0);
    Some(workspace)
}

/// A workspace with a package of `testdata/packages`.
fn with_package(name: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("python3"))?;
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/packages").join(name);
    for (path, bytes) in workspace.files_below(&from) {
        workspace.write(&format!("problems/{name}/{}", path.strip_prefix(&from).unwrap().display()), bytes);
    }
    Some(workspace)
}

/// The verdicts, scores and deciding test cases of submissions that are in both.
fn results(said: &Said) -> BTreeMap<String, String> {
    let state = said.state();
    let submissions = state.problems.iter().flat_map(|problem| &problem.submissions);
    let finished = submissions.filter_map(|of| Some((of.started.submission.clone(), of.finished.as_ref()?)));
    finished.map(|(id, of)| (id, format!("{:?} {:?} {:?}", of.verdict, of.score, of.deciding_test_case))).collect()
}

#[test]
fn what_is_packed_is_judged_as_before() {
    let Some(workspace) = with_adder() else { return };
    let before = results(&workspace.judge(["run", "adder", "--json"]).exits(0));
    assert_eq!(before.len(), 4);
    for judge in ["kattis", "domjudge", "icpc"] {
        workspace.judge(["pack", "adder", "--for", judge, "--output", "out/adder.zip"]).exits(0);
        let packed = results(&workspace.judge(["run", "out/adder.zip", "--json"]).exits(0));
        assert_eq!(before, packed, "{judge}");
        // What it is checked for holds of what is packed, too.
        workspace.judge(["check", "out/adder.zip", "--profile", judge]).exits(0);
    }
}

#[test]
fn scores_are_the_same_in_the_legacy_format() {
    let Some(workspace) = with_package("scoringgroups") else { return };
    // Nothing in the legacy format adds up scores and requires other groups.
    let said = workspace.judge(["pack", "scoringgroups", "--for", "kattis"]).exits(3);
    said.tells(&["not written", "`data/secret/2parts` adds up scores and requires other groups [JI406]"]);
    assert!(!workspace.path("scoringgroups.zip").exists());
    let group = "problems/scoringgroups/data/secret/2parts/test_group.yaml";
    let text = fs::read_to_string(workspace.path(group)).unwrap();
    assert!(text.contains("require_pass"), "{text}");
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("require_pass")).collect();
    workspace.write(group, lines.join("\n") + "\n");
    workspace
        .judge(["pack", "scoringgroups", "--for", "kattis"])
        .exits(0)
        .tells(&["test cases of `sample` too", "JI206"]);
    // Kattis has no directory for most of them, but each can be judged on what is packed.
    for name in ["fails_small", "misses_13", "only_negative"] {
        let file = format!("problems/scoringgroups/submissions/partly/{name}.py");
        let score = |problem: &str| {
            let state = workspace.judge(["submit", &file, "-p", problem, "--json"]).state();
            state.problems[0].submissions[0].finished.as_ref().unwrap().score.map(|score| score.to_string())
        };
        let before = score("scoringgroups");
        assert!(before.is_some(), "{name}");
        assert_eq!(before, score("scoringgroups.zip"), "{name}");
    }
}

#[test]
fn the_bytes_depend_on_the_package_alone() {
    let Some(workspace) = with_adder() else { return };
    let bytes = |name: &str| {
        workspace.judge(["pack", "adder", "--for", "kattis", "--output", name]).exits(0);
        fs::read(workspace.path(name)).unwrap()
    };
    let first = bytes("a/adder.zip");
    for (path, bytes) in workspace.files("problems/adder") {
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    assert_eq!(first, bytes("b/adder.zip"));
    // What was packed before is replaced; what was not, is not.
    assert_eq!(first, bytes("a/adder.zip"));
    workspace.write("a/adder.zip", "precious");
    let said = workspace.judge(["pack", "adder", "--for", "kattis", "--output", "a/adder.zip"]).exits(2);
    said.complains(&["was not packed by this command; nothing was written", "--force"]);
    assert_eq!(fs::read(workspace.path("a/adder.zip")).unwrap(), b"precious");
    workspace.judge(["pack", "adder", "--for", "kattis", "--output", "a/adder.zip", "--force"]).exits(0);
    assert_eq!(fs::read(workspace.path("a/adder.zip")).unwrap(), first);
}

#[test]
fn what_a_judge_would_not_take_is_told_before_anything_is_written() {
    let Some(workspace) = with_adder() else { return };
    fs::remove_dir_all(workspace.path("problems/adder/input_validators")).unwrap();
    let said = workspace.judge(["pack", "adder", "--for", "kattis"]).exits(3);
    said.complains(&["[JP", "for kattis: `judge check --profile kattis` tells more"]);
    assert!(!workspace.path("adder.zip").exists());
    let Some(workspace) = with_package("answers") else { return };
    workspace.judge(["pack", "answers", "--for", "domjudge"]).exits(3);
    assert!(!workspace.path("answers.zip").exists());
}

#[test]
fn inputs_and_outputs_have_names_that_belong_together() {
    let Some(workspace) = with_adder() else { return };
    let args = ["pack", "adder", "--for", "plain", "--json", "--samples", "samples.zip"];
    let document: Value = serde_json::from_str(&workspace.judge(args).exits(0).stdout).unwrap();
    assert_eq!((&document["direction"], &document["written"]), (&Value::from("export"), &Value::from(true)));
    let files: Vec<&str> = document["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert!(files.contains(&"sample-1.in") && files.contains(&"sample-1.out"), "{files:?}");
    // What another judge gets is what this one reads again.
    workspace.judge(["import", "adder.zip", "--name", "again", "--into", "other"]).exits(0);
    assert_eq!(workspace.files("other/again/data/sample").len(), 4);
    let samples = zip::ZipArchive::new(fs::File::open(workspace.path("samples.zip")).unwrap()).unwrap();
    let names: Vec<String> = samples.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert_eq!(names, ["adder/", "adder/1.ans", "adder/1.in", "adder/2.ans", "adder/2.in"]);
    workspace
        .judge(["pack", "adder", "--for", "plain", "--output", "dry.zip", "--dry-run"])
        .exits(0)
        .tells(&["would write"]);
    assert!(!workspace.path("dry.zip").exists());
    workspace.judge(["pack", "adder", "--for", "codeforces"]).exits(2).complains(&["unknown judge `codeforces`"]);
}

#[test]
fn a_problem_of_polygon_is_packed_for_kattis_as_it_is() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("cpp") && has("python3")) else { return };
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/foreign/polygon");
    for (path, bytes) in workspace.files_below(&from) {
        workspace.write(&format!("polygon/{}", path.strip_prefix(&from).unwrap().display()), bytes);
    }
    pack(&workspace, "polygon", "polygon.zip");
    let said = workspace.judge(["pack", "polygon.zip", "--for", "icpc", "--output", "icpc.zip"]).exits(0);
    said.tells(&["sumoftwo  for icpc"]);
    let packed = results(&workspace.judge(["run", "icpc.zip", "--json"]).exits(0));
    assert_eq!(packed, results(&workspace.judge(["run", "polygon.zip", "--json"]).exits(0)));
}

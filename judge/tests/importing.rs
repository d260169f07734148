//! Problems of other formats are imported. No source is changed, and nothing is dropped silently or
//! overwritten. The package in `testdata/foreign/polygon` uses every feature of Polygon.

use std::fs;
use std::path::{Path, PathBuf};

use judge_model::Verdict;
use serde_json::Value;

use crate::archives::pack;
use crate::workspace::{CommandOutput, Workspace, has};

/// A workspace with a copy of the package of Polygon, if this host has its languages.
pub(crate) fn with_polygon() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("cpp") && has("python3"))?;
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/foreign/polygon");
    for (path, bytes) in workspace.files_below(&from) {
        workspace.write(
            &format!("polygon/{}", path.strip_prefix(&from).unwrap().display()),
            bytes,
        );
    }
    Some(workspace)
}

fn document(output: &CommandOutput) -> Value {
    serde_json::from_str(&output.stdout).unwrap()
}

/// The codes of the remarks, in order, each once.
fn codes(document: &Value) -> Vec<String> {
    let remarks = document["remarks"].as_array().unwrap().iter();
    let mut codes: Vec<String> = remarks
        .map(|remark| remark["code"].as_str().unwrap().to_owned())
        .collect();
    codes.dedup();
    codes
}

fn names(files: impl IntoIterator<Item = PathBuf>, below: &Path) -> Vec<String> {
    files
        .into_iter()
        .map(|path| path.strip_prefix(below).unwrap().display().to_string())
        .collect()
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn imported_polygon_solutions_get_their_expected_verdicts() {
    let Some(workspace) = with_polygon() else {
        return;
    };
    let before = workspace.files("polygon");
    let output = workspace.judge(["import", "polygon", "--prove"]).exits(0);
    output.stdout_has(&[
        "polygon",
        "JI3",
        "accepted/main.cpp",
        "score 250/250",
        "wrong_answer/narrow.cpp",
        "score 50/250",
    ]);
    assert_eq!(
        before,
        workspace.files("polygon"),
        "the source is only read"
    );
    // An existing package is never overwritten.
    let package = workspace.files("problems/sumoftwo");
    assert!(!package.is_empty());
    workspace
        .judge(["import", "polygon"])
        .exits(2)
        .stderr_has(&["exists already; nothing was written", "--name"]);
    assert_eq!(package, workspace.files("problems/sumoftwo"));
    // Polygon has tests for the validator and the checker, which are tested here.
    workspace
        .judge(["check", "sumoftwo", "--report=json"])
        .exits(0);
    workspace.write("problems/sumoftwo/data/invalid_input/02.in", "1 1\n");
    workspace
        .judge(["check", "sumoftwo"])
        .exits(3)
        .stdout_has(&["invalid_input/02"]);
}

#[test]
fn polygon_samples_with_points_and_slow_solutions_are_imported() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    workspace.write(
        "twice/problem.xml",
        "<problem short-name=\"twice\"><judging><testset name=\"tests\"><time-limit>2000</time-limit>\
         <memory-limit>268435456</memory-limit><test-count>2</test-count>\
         <input-path-pattern>tests/%d</input-path-pattern><answer-path-pattern>tests/%d.a</answer-path-pattern><tests>\
         <test method=\"manual\" points=\"0\" sample=\"true\"/><test method=\"manual\" points=\"2\"/></tests></testset>\
         </judging><assets><solutions><solution tag=\"main\"><source path=\"slow.py\" type=\"python.3\"/></solution>\
         </solutions></assets></problem>",
    );
    workspace.write("twice/tests/1", "3\n");
    workspace.write("twice/tests/2", "4\n");
    // More than half of the limit, which `judge verify` rejects, but Polygon accepts.
    let slow = "import time\nwhile time.process_time() < 1.1: pass\nprint(2 * int(input()))\n";
    workspace.write("twice/slow.py", slow);
    // It has no statement, which is an error of the package.
    let report = workspace
        .judge(["import", "twice", "--prove"])
        .exits(3)
        .stdout;
    assert!(
        report.contains("put in place") && report.contains("1 submission as expected"),
        "{report}"
    );
}

#[test]
fn archives_are_imported_like_directories() {
    let Some(workspace) = with_polygon() else {
        return;
    };
    workspace.judge(["import", "polygon"]).exits(0);
    pack(&workspace, "polygon", "polygon.zip");
    workspace
        .judge(["import", "polygon.zip", "--into", "other"])
        .exits(0);
    let (one, other) = (
        workspace.files("problems/sumoftwo"),
        workspace.files("other/sumoftwo"),
    );
    let (ones, others) = (
        workspace.path("problems/sumoftwo"),
        workspace.path("other/sumoftwo"),
    );
    assert_eq!(
        names(one.keys().cloned(), &ones),
        names(other.keys().cloned(), &others)
    );
    assert!(one.values().eq(other.values()));
}

#[test]
fn a_dry_run_writes_nothing() {
    let Some(workspace) = with_polygon() else {
        return;
    };
    let dry = document(
        &workspace
            .judge(["import", "polygon", "--dry-run", "--report=json"])
            .exits(0),
    );
    assert_eq!(dry["written"], false);
    assert!(workspace.files("problems").is_empty());
    let real = document(
        &workspace
            .judge(["import", "polygon", "--report=json"])
            .exits(0),
    );
    assert_eq!(dry["files"], real["files"]);
    assert_eq!(dry["remarks"], real["remarks"]);
    let written = names(
        workspace.files("problems/sumoftwo").into_keys(),
        &workspace.path("problems/sumoftwo"),
    );
    let reported: Vec<&str> = real["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    assert_eq!(written, reported);
    // The scorer, the solution that must not run, and the stresses are lost, and reported.
    let codes = codes(&real);
    for lost in ["JI304", "JI306", "JI310", "JI311"] {
        assert!(codes.iter().any(|code| code == lost), "{lost} of {codes:?}");
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn problems_of_other_formats_are_judged_directly() {
    let Some(workspace) = with_polygon() else {
        return;
    };
    let before = workspace.files("polygon");
    // A cache without imports of other tests.
    let cache = tempfile::tempdir().unwrap();
    let judge = |args: &[&str]| {
        CommandOutput::from_command(workspace.command(args).env("JUDGE_CACHE_DIR", cache.path()))
    };
    let output = judge(&["run", "polygon", "--report=json"]).exits(0);
    assert_eq!(
        output.verdict("wrong_answer/narrow.cpp"),
        Verdict::WrongAnswer
    );
    assert_eq!(output.verdict("accepted/sum.py"), Verdict::Accepted);
    output.stderr_has(&[
        "`polygon` is a problem in the format `polygon`",
        "4 changed, 7 lost",
    ]);
    assert_eq!(before, workspace.files("polygon"));
    assert!(workspace.files("problems").is_empty());
    judge(&["check", "polygon"]).exits(0);
    // Nothing is written, since it would be lost in the cache.
    judge(&["generate", "polygon"])
        .exits(5)
        .stderr_has(&["`polygon` names no problem"]);
    pack(&workspace, "polygon", "polygon.zip");
    assert_eq!(
        judge(&["verify", "polygon.zip", "--report=json"])
            .exits(0)
            .verdict("accepted/main.cpp"),
        Verdict::Accepted
    );
    let imported = fs::read_dir(cache.path().join("imported")).unwrap().count();
    assert_eq!(
        imported, 1,
        "the archive holds the same, and is imported once"
    );
}

#[test]
fn failing_generators_are_package_faults() {
    let Some(workspace) = with_polygon() else {
        return;
    };
    workspace.write("polygon/files/gen.cpp", "int main() { return 3; }\n");
    for test in ["03", "04", "05", "06"] {
        workspace.remove(&format!("polygon/tests/{test}"));
        workspace.remove(&format!("polygon/tests/{test}.a"));
    }
    let cache = tempfile::tempdir().unwrap();
    let run = || {
        CommandOutput::from_command(
            workspace
                .command(["run", "polygon"])
                .env("JUDGE_CACHE_DIR", cache.path()),
        )
    };
    run().exits(3).stderr_has(&["exited with code 3"]);
    let left = fs::read_dir(cache.path().join("imported")).unwrap().count();
    assert_eq!(left, 0, "no partial package is left");
    // With `--prove`, the cause is reported once, without its consequences.
    let output = workspace.judge(["import", "polygon", "--prove"]).exits(3);
    output.stderr_has(&[
        "exited with code 3",
        "test data is missing, so nothing was checked or judged",
    ]);
    output.stdout_lacks(&["JP3", "package checked"]);
}

#[test]
fn folders_keep_the_order_of_tests() {
    let workspace = Workspace::new();
    for (name, input, output) in [
        ("1", "1 1\r\n", "2\r\n"),
        ("2", "2 2\n", "4\n"),
        ("10", "5 5\n", "10\n"),
    ] {
        workspace.write(&format!("tests/{name}.in"), input);
        workspace.write(&format!("tests/{name}.out"), output);
    }
    workspace.write("tests/sample.in", "0 0\n");
    workspace.write("tests/sample.out", "0\n");
    workspace.write("tests/11.in", "6 6\n");
    workspace.write("tests/notes.docx", "?");
    let output = workspace
        .judge(["import", "tests", "--name", "sum"])
        .exits(0);
    output
        .stdout_has(&["plain", "11"])
        .stdout_has(&["notes.docx"]);
    let data: Vec<String> = names(
        workspace.files("problems/sum/data").into_keys(),
        &workspace.path("problems/sum/data"),
    )
    .into_iter()
    .filter(|name| name.ends_with(".in"))
    .collect();
    assert_eq!(
        data,
        [
            "sample/sample.in",
            "secret/01.in",
            "secret/02.in",
            "secret/10.in",
            "secret/11.in"
        ]
    );
    let read =
        |file: &str| fs::read_to_string(workspace.path("problems/sum/data").join(file)).unwrap();
    assert_eq!(
        (read("secret/01.in"), read("secret/10.ans")),
        ("1 1\n".to_owned(), "10\n".to_owned())
    );
    // Without a title, the given name is the title, which distinguishes the problem from others
    // from a folder of that name.
    workspace
        .judge(["import", "tests", "--name", "other"])
        .exits(0);
    let described = ["sum", "other"].map(|name| {
        let text =
            fs::read_to_string(workspace.path(&format!("problems/{name}/problem.yaml"))).unwrap();
        assert!(text.contains(&format!("name:\n  en: {name}\n")), "{text}");
        text.lines()
            .find(|line| line.starts_with("uuid: "))
            .unwrap()
            .to_owned()
    });
    assert_ne!(described[0], described[1]);
}

#[test]
fn competitive_companion_files_become_samples_and_limits() {
    let workspace = Workspace::new();
    workspace.write(
        "task.json",
        r#"{"name": "A. Watermelon", "group": "Codeforces", "url": "https://codeforces.com/problemset/problem/4/A",
            "interactive": false, "memoryLimit": 64, "timeLimit": 1500, "testType": "single",
            "input": {"type": "stdin"}, "output": {"type": "stdout"},
            "tests": [{"input": "8\n", "output": "YES\n"}, {"input": "3\n", "output": "NO\n"}]}"#,
    );
    let output = document(
        &workspace
            .judge(["import", "task.json", "--report=json"])
            .exits(0),
    );
    assert_eq!(
        (&output["format"], &output["confidence"]),
        (&Value::from("companion"), &Value::from("certain"))
    );
    let package = workspace
        .path("problems")
        .join(output["problem"].as_str().unwrap());
    let metadata = fs::read_to_string(package.join("problem.yaml")).unwrap();
    assert!(
        metadata.contains("time_limit: 1.5") && metadata.contains("memory: 64"),
        "{metadata}"
    );
    assert_eq!(
        fs::read_to_string(package.join("data/sample/02.ans")).unwrap(),
        "NO\n"
    );
}

#[test]
fn unknown_formats_are_errors_with_a_list_of_known_ones() {
    let workspace = Workspace::new();
    workspace.write("notes/readme.txt", "nothing\n");
    workspace
        .judge(["import", "notes"])
        .exits(2)
        .stderr_has(&["is in no known format", "hint:"]);
    workspace
        .judge(["import", "absent"])
        .exits(2)
        .stderr_has(&["absent"]);
    workspace.write("p/problem.yaml", "name: x\n");
    workspace.judge(["import", "p"]).exits(2).stderr_has(&["p"]);
}

#[test]
fn git_lfs_pointers_are_not_test_data() {
    let workspace = Workspace::new();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:\
        4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    workspace.write("tests/1.in", pointer);
    workspace.write("tests/1.out", "1\n");
    let output = document(
        &workspace
            .judge(["import", "tests", "--name", "x", "--report=json"])
            .exits(0),
    );
    let is_reported = output["remarks"]
        .as_array()
        .unwrap()
        .iter()
        .any(|remark| remark["text"].to_string().contains("LFS"));
    assert!(is_reported, "{output}");
}

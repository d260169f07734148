//! Problems packed for other judges: archives give the same verdicts and have the same bytes on
//! every host, and the report lists the features that the other judge ignores.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::workspace::{CommandOutput, Workspace, has};

/// A workspace with a problem in C++ that every judge accepts.
pub(crate) fn with_adder() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("cpp"))?;
    let args = [
        "new",
        "adder",
        "--language",
        "cpp",
        "--title",
        "The Adder",
        "--author",
        "Ada",
        "--license",
        "cc0",
    ];
    workspace.judge(args).exits(0);
    Some(workspace)
}

/// A workspace with a package of `testdata/packages`.
pub(crate) fn with_package(name: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("python3"))?;
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../testdata/packages")
        .join(name);
    for (path, bytes) in workspace.files_below(&from) {
        workspace.write(
            &format!(
                "problems/{name}/{}",
                path.strip_prefix(&from).unwrap().display()
            ),
            bytes,
        );
    }
    Some(workspace)
}

/// The verdicts, scores and deciding test cases of the submissions that are in the package and in
/// the archive.
pub(crate) fn results(output: &CommandOutput) -> BTreeMap<String, String> {
    let state = output.state();
    let submissions = state
        .problems
        .iter()
        .flat_map(|problem| &problem.submissions);
    let finished = submissions.filter_map(|submission| {
        Some((
            submission.started.submission.clone(),
            submission.finished.as_ref()?,
        ))
    });
    finished
        .map(|(id, submission)| {
            (
                id,
                format!(
                    "{:?} {:?} {:?}",
                    submission.verdict, submission.score, submission.deciding_test_case
                ),
            )
        })
        .collect()
}

#[test]
fn archives_give_the_same_verdicts() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let before = results(&workspace.judge(["run", "adder", "--report=json"]).exits(0));
    assert_eq!(before.len(), 4);
    for judge in ["kattis", "domjudge", "icpc"] {
        workspace
            .judge([
                "pack",
                "adder",
                "--for",
                judge,
                "--output",
                "out/adder.zip",
                "--force",
            ])
            .exits(0);
        let packed = results(
            &workspace
                .judge(["run", "out/adder.zip", "--report=json"])
                .exits(0),
        );
        assert_eq!(before, packed, "{judge}");
        // The archive passes the same check.
        workspace
            .judge(["check", "out/adder.zip", "--profile", judge])
            .exits(0);
    }
}

#[test]
fn scores_are_the_same_in_the_legacy_format() {
    let Some(workspace) = with_package("scoringgroups") else {
        return;
    };
    // Nothing in the legacy format adds up scores and requires other groups.
    let output = workspace
        .judge(["pack", "scoringgroups", "--for", "kattis"])
        .exits(3);
    output.stdout_has(&[
        "not written",
        "`data/secret/2parts` adds up scores and requires other groups [JI406]",
    ]);
    assert!(!workspace.path("kattis").exists());
    let group = "problems/scoringgroups/data/secret/2parts/test_group.yaml";
    let text = fs::read_to_string(workspace.path(group)).unwrap();
    assert!(text.contains("require_pass"), "{text}");
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains("require_pass"))
        .collect();
    workspace.write(group, lines.join("\n") + "\n");
    workspace
        .judge(["pack", "scoringgroups", "--for", "kattis"])
        .exits(0)
        .stdout_has(&["also contains the test cases of `sample`", "JI206"]);
    // Kattis has no directory for most of them, but each can be judged on the packed problem.
    for name in ["fails_small", "misses_13", "only_negative"] {
        let file = format!("problems/scoringgroups/submissions/partly/{name}.py");
        let score = |problem: &str| {
            let state = workspace
                .judge(["submit", &file, "-p", problem, "--report=json"])
                .state();
            state.problems[0].submissions[0]
                .finished
                .as_ref()
                .unwrap()
                .score
                .map(|score| score.to_string())
        };
        let before = score("scoringgroups");
        assert!(before.is_some(), "{name}");
        assert_eq!(before, score("kattis/scoringgroups.zip"), "{name}");
    }
}

#[test]
fn archives_are_reproducible() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let bytes = |name: &str| {
        workspace
            .judge(["pack", "adder", "--for", "kattis", "--output", name])
            .exits(0);
        fs::read(workspace.path(name)).unwrap()
    };
    let first = bytes("a/adder.zip");
    for (path, bytes) in workspace.files("problems/adder") {
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    assert_eq!(first, bytes("b/adder.zip"));
    // Only archives that this command wrote are replaced.
    assert_eq!(first, bytes("a/adder.zip"));
    workspace.write("a/adder.zip", "precious");
    let output = workspace
        .judge([
            "pack",
            "adder",
            "--for",
            "kattis",
            "--output",
            "a/adder.zip",
        ])
        .exits(2);
    output.stderr_has(&[
        "was not written by this command; nothing was written",
        "--force",
    ]);
    assert_eq!(
        fs::read(workspace.path("a/adder.zip")).unwrap(),
        b"precious"
    );
    workspace
        .judge([
            "pack",
            "adder",
            "--for",
            "kattis",
            "--output",
            "a/adder.zip",
            "--force",
        ])
        .exits(0);
    assert_eq!(fs::read(workspace.path("a/adder.zip")).unwrap(), first);
}

#[test]
fn refused_packages_are_reported_before_anything_is_written() {
    let Some(workspace) = with_adder() else {
        return;
    };
    fs::remove_dir_all(workspace.path("problems/adder/input_validators")).unwrap();
    let output = workspace
        .judge(["pack", "adder", "--for", "kattis"])
        .exits(3);
    output.stderr_has(&["[JP", "for kattis: see `judge check --profile kattis`"]);
    assert!(!workspace.path("kattis").exists());
    let Some(workspace) = with_adder() else {
        return;
    };
    for copy in 1..=13 {
        workspace.write(
            &format!("problems/adder/data/secret/copy-{copy}.in"),
            "4 4\n",
        );
        workspace.write(
            &format!("problems/adder/data/secret/copy-{copy}.ans"),
            "8\n",
        );
    }
    let output = workspace.judge(["pack", "adder", "--for", "icpc"]).exits(3);
    output.stderr_has(&["[JP302]", "\nand 2 more\n", "12 errors for icpc"]);
    let Some(workspace) = with_package("answers") else {
        return;
    };
    workspace
        .judge(["pack", "answers", "--for", "domjudge"])
        .exits(3);
    assert!(!workspace.path("domjudge").exists());
}

#[test]
fn refused_problems_do_not_prevent_packing_others() {
    let Some(workspace) = with_adder() else {
        return;
    };
    for (path, bytes) in workspace.files("problems/adder") {
        let below = path
            .strip_prefix(workspace.path("problems/adder"))
            .unwrap_or(&path)
            .display()
            .to_string();
        if !below.starts_with("input_validators") && below != "problem.yaml" {
            workspace.write(&format!("problems/bare/{below}"), bytes);
        }
    }
    let yaml = fs::read_to_string(workspace.path("problems/adder/problem.yaml")).unwrap();
    let other = |line: &str| match line.starts_with("uuid:") {
        true => "uuid: 6f2bd54c-5f0f-4d8b-9c44-3d3b1f1d7a10".to_owned(),
        false => line.to_owned(),
    };
    workspace.write(
        "problems/bare/problem.yaml",
        yaml.lines().map(other).collect::<Vec<_>>().join("\n") + "\n",
    );
    let packed = workspace
        .judge([
            "pack", "adder", "bare", "--for", "kattis", "--output", "out",
        ])
        .exits(3);
    packed.stderr_has(&[
        "problems/bare",
        "[JP",
        "hint: ",
        "for kattis: see `judge check --profile kattis`",
    ]);
    assert!(workspace.path("out/adder.zip").is_file() && !workspace.path("out/bare.zip").exists());
}

#[test]
fn requirements_of_required_groups_are_packed() {
    let Some(workspace) = with_package("scoringgroups") else {
        return;
    };
    let group = |name: &str| format!("problems/scoringgroups/data/secret/{name}/test_group.yaml");
    workspace.write(
        &group("2parts"),
        "max_score: 30\nscore_aggregation: pass-fail\nrequire_pass: secret/1small\n",
    );
    workspace.write(
        &group("3least"),
        "max_score: 50\nscore_aggregation: pass-fail\nrequire_pass: secret/2parts\n",
    );
    let output = workspace.judge([
        "pack",
        "scoringgroups",
        "--for",
        "kattis",
        "--dry-run",
        "--report=json",
    ]);
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let files: Vec<&str> = document["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    for part in [
        "0required-sample-",
        "0required-secret-1small-",
        "0required-secret-2parts-",
    ] {
        assert!(
            files
                .iter()
                .any(|file| file.contains(&format!("3least/{part}"))),
            "{part}: {files:?}"
        );
    }
}

#[test]
fn unequally_shared_points_are_reported() {
    let Some(workspace) = with_package("scoringgroups") else {
        return;
    };
    for (points, is_reported) in [(30, false), (31, true)] {
        let group =
            |name: &str| format!("problems/scoringgroups/data/secret/{name}test_group.yaml");
        workspace.write(
            &group("2parts/"),
            format!("max_score: {points}\nscore_aggregation: sum\n"),
        );
        workspace.write(&group(""), format!("max_score: {}\n", 70 + points));
        for judge in ["hydro", "dmoj"] {
            let output = workspace
                .judge(["pack", "scoringgroups", "--for", judge, "--dry-run"])
                .exits(0);
            assert_eq!(
                output.stdout.contains("that are not a multiple of"),
                is_reported,
                "{judge}: {}",
                output.stdout
            );
        }
    }
}

#[test]
fn unusual_yaml_is_packed_correctly() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let file = "problems/adder/problem.yaml";
    let text = fs::read_to_string(workspace.path(file)).unwrap();
    let forms = [
        text.replace("limits:", "limits: # much"),
        text.replace("limits:", "\"limits\":"),
        text.replace("limits:", "limits: &limits"),
        format!("\u{feff}{text}"),
        format!("%YAML 1.2\n---\n{text}...\n"),
    ];
    for (number, form) in forms.iter().enumerate() {
        workspace.write(file, form);
        for judge in ["domjudge", "icpc"] {
            workspace
                .judge(["pack", "adder", "--for", judge, "--force"])
                .exits(0);
        }
        assert_eq!(
            fs::read_to_string(workspace.path(file)).unwrap(),
            *form,
            "{number}"
        );
    }
}

/// Each judge compiles Rust with its own edition.
#[test]
fn the_rust_edition_is_reported() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let remarks = |judge| {
        workspace
            .judge(["pack", "adder", "--for", judge, "--report=json", "--force"])
            .exits(0)
    };
    remarks("kattis").stdout_lacks(&["edition"]);
    workspace.write(
        "problems/adder/submissions/accepted/adder.rs",
        "fn main() {}\n",
    );
    for (judge, edition) in [
        ("kattis", "2021"),
        ("domjudge", "2015"),
        ("icpc", "2018 by BAPCtools"),
    ] {
        remarks(judge).stdout_has(&[
            "JI211",
            &format!("in Rust are compiled with edition {edition}"),
        ]);
    }
    remarks("plain").stdout_lacks(&["edition"]);
}

#[test]
fn dmoj_compares_bytes_if_spaces_are_significant() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let checker = |arguments: &str| {
        workspace.write(
            "problems/adder/data/test_group.yaml",
            format!("output_validator_args: [{arguments}]\n"),
        );
        let output = workspace.judge(["pack", "adder", "--for", "dmoj"]).exits(0);
        let mut archive =
            zip::ZipArchive::new(fs::File::open(workspace.path("dmoj/adder.zip")).unwrap())
                .unwrap();
        let mut init = String::new();
        std::io::Read::read_to_string(&mut archive.by_name("init.yml").unwrap(), &mut init)
            .unwrap();
        (
            init.contains("checker:\n  name: identical\n"),
            output.stdout.contains("byte by byte and case-sensitively"),
        )
    };
    assert_eq!(
        checker("case_sensitive, space_change_sensitive"),
        (true, false)
    );
    assert_eq!(checker("space_change_sensitive"), (true, true));
    assert_eq!(checker("case_sensitive"), (false, false));
}

#[test]
fn interactive_legacy_packages_need_an_output_validator() {
    let Some(workspace) = with_adder() else {
        return;
    };
    workspace
        .judge(["pack", "adder", "--for", "kattis", "--output", "old.zip"])
        .exits(0);
    let mut archive =
        zip::ZipArchive::new(fs::File::open(workspace.path("old.zip")).unwrap()).unwrap();
    archive.extract(workspace.path("problems/old")).unwrap();
    // Its submissions are in the workspace, and now in the package.
    ["problems/adder", "solutions"]
        .iter()
        .for_each(|path| fs::remove_dir_all(workspace.path(path)).unwrap());
    let file = "problems/old/adder/problem.yaml";
    let yaml: String = fs::read_to_string(workspace.path(file))
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with("type") && !line.starts_with("validation"))
        .map(|line| format!("{line}\n"))
        .collect();
    for validation in ["", "validation: default\n"] {
        workspace.write(
            file,
            format!("{yaml}type: [pass-fail, interactive]\n{validation}"),
        );
        let output = workspace
            .judge(["pack", "problems/old/adder", "--for", "kattis"])
            .exits(3);
        output.stdout_has(&["is interactive, but has no output validator"]);
    }
    workspace.write(
        "problems/old/adder/output_validators/v/v.py",
        "import sys\nsys.exit(42)\n",
    );
    workspace.write(
        file,
        format!("{yaml}type: [pass-fail, interactive]\nvalidation: custom\n"),
    );
    workspace
        .judge([
            "pack",
            "problems/old/adder",
            "--for",
            "kattis",
            "--output",
            "own.zip",
        ])
        .exits(0);
    let mut archive =
        zip::ZipArchive::new(fs::File::open(workspace.path("own.zip")).unwrap()).unwrap();
    let mut packed = String::new();
    std::io::Read::read_to_string(
        &mut archive.by_name("adder/problem.yaml").unwrap(),
        &mut packed,
    )
    .unwrap();
    assert!(
        packed.contains("type: pass-fail\n") && packed.contains("validation: custom interactive\n"),
        "{packed}"
    );
}

//! Packages of the legacy format, upgraded to 2025-09: verdicts, scores and comments are kept.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::workspace::{Workspace, has};

/// A workspace with a package of `testdata/packages`.
fn with_package(name: &str) -> Option<Workspace> {
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

#[test]
fn upgrade_writes_only_on_request() {
    let Some(workspace) = with_package("legacygroups") else {
        return;
    };
    let before = workspace.files("problems");
    let output = workspace.judge(["upgrade", "legacygroups"]).exits(0);
    output.stdout_has(&[
        "would write",
        "move   problem_statement to statement",
        "+ max_score: 40",
        "nothing was written",
    ]);
    assert_eq!(before, workspace.files("problems"));
    let document: Value = serde_json::from_str(
        &workspace
            .judge(["upgrade", "--report=json"])
            .exits(0)
            .stdout,
    )
    .unwrap();
    assert_eq!(
        (&document["direction"], &document["written"]),
        (&Value::from("upgrade"), &Value::from(false))
    );
}

#[test]
fn time_limits_decided_by_other_submissions_are_reported() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let is_reported = || {
        workspace
            .judge(["upgrade", "sum"])
            .exits(0)
            .stdout
            .contains("`limits.time_limit` is inferred")
    };
    workspace.write("problems/sum/problem.yaml", "name: The Sum\n");
    assert!(!is_reported(), "accepted submissions decide as before");
    workspace.write(
        "problems/sum/submissions/wrong_answer/more.c",
        crate::workspace::SUM_PLUS_ONE,
    );
    assert!(is_reported());
    workspace.write("problems/sum/.timelimit", "3\n");
    assert!(!is_reported(), "it is stated");
}

#[test]
fn domjudge_specific_keys_are_kept() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write("problems/sum/problem.yaml", "name: The Sum\n");
    workspace.write(
        "problems/sum/domjudge-problem.ini",
        "timelimit='3'\ncolor='#ff0000'\nprobid='A'\n",
    );
    let output = workspace.judge(["upgrade", "sum"]).exits(0);
    output.stdout_has(&[
        "`timelimit` is moved into `problem.yaml`; `color`, `probid` are kept for DOMjudge",
    ]);
    workspace.judge(["upgrade", "--write"]).exits(0);
    let text =
        |file: &str| fs::read_to_string(workspace.path(&format!("problems/sum/{file}"))).unwrap();
    assert_eq!(
        text("domjudge-problem.ini"),
        "color='#ff0000'\nprobid='A'\n"
    );
    assert!(
        text("problem.yaml").contains("time_limit: 3"),
        "{}",
        text("problem.yaml")
    );
}

#[test]
fn broken_packages_do_not_prevent_upgrading_others() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write("problems/broken/problem.yaml", "name: [\n");
    workspace.write("problems/sum/problem.yaml", "name: The Sum\n");
    let output = workspace.judge(["upgrade", "--write"]).exits(3);
    output
        .stderr_has(&["problems/broken/problem.yaml"])
        .stdout_has(&["sum"]);
    assert!(
        fs::read_to_string(workspace.path("problems/sum/problem.yaml"))
            .unwrap()
            .contains("2025-09")
    );
}

#[test]
fn scores_are_preserved() {
    let Some(workspace) = with_package("legacygroups") else {
        return;
    };
    let scores = || {
        let state = workspace.judge(["run", "--report=json"]).exits(0).state();
        let finished = state.problems[0]
            .submissions
            .iter()
            .map(|submission| submission.finished.clone().unwrap());
        finished
            .map(|submission| {
                (
                    submission.submission.clone(),
                    submission.score.unwrap().to_string(),
                )
            })
            .collect::<Vec<_>>()
    };
    let before = scores();
    workspace
        .judge(["upgrade", "--write"])
        .exits(0)
        .stdout_has(&["written"]);
    assert_eq!(before, scores());
    assert!(
        !workspace
            .path("problems/legacygroups/data/testdata.yaml")
            .exists()
    );
    assert!(
        workspace
            .path("problems/legacygroups/statement/problem.en.tex")
            .exists()
    );
    let written = workspace.files("problems");
    workspace
        .judge(["upgrade", "--write"])
        .exits(0)
        .stdout_has(&["unchanged", "is already of format 2025-09"]);
    assert_eq!(written, workspace.files("problems"));
}

#[test]
fn comments_limits_and_flags_are_kept() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    fs::create_dir_all(workspace.path("problems/sum/submissions/wrong_answer")).unwrap();
    let yaml = "# of the spring contest\nname: The Sum  # of two\n\n# who made it\nauthor: Ada, Alan and Grace\n\
        validation: default # tokens\nvalidator_flags: float_tolerance 1e-3\nlimits:\n    # much\n    memory: 512\n    \
        time_multiplier: 7 # of many\nrights_owner: Ada\n# the end\n";
    workspace.write("problems/sum/problem.yaml", yaml);
    workspace.write("problems/sum/.timelimit", "3\n");
    let off = crate::workspace::SUM.replace("\"%d\\n\"", "\"%d.0001\\n\"");
    workspace.write(
        "problems/sum/submissions/mixed/off.c",
        format!("{off}// @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n"),
    );
    let before = workspace
        .judge(["run", "--report=json"])
        .exits(0)
        .verdicts();
    workspace.judge(["upgrade", "--write"]).exits(0);
    let text = fs::read_to_string(workspace.path("problems/sum/problem.yaml")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..2],
        ["# of the spring contest", "problem_format_version: 2025-09"],
        "{text}"
    );
    for part in [
        "name: The Sum  # of two\n",
        "# who made it\ncredits:\n  authors:\n    - Ada\n    - Alan\n    - Grace\n",
        "# tokens\n",
        "    # much\n    memory: 512\n",
        "    time_limit: 3\n",
        "        ac_to_time_limit: 7  # of many\n",
        "rights_owner: Ada\n",
        "# the end\n",
    ] {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
    assert!(!text.contains("validat"), "{text}");
    assert!(!workspace.path("problems/sum/.timelimit").exists());
    let rules =
        fs::read_to_string(workspace.path("problems/sum/submissions/submissions.yaml")).unwrap();
    assert_eq!(rules, "mixed/off.c:\n  permitted:\n  - AC\n  - TLE\n");
    assert_eq!(
        before,
        workspace
            .judge(["run", "--report=json"])
            .exits(0)
            .verdicts()
    );
}

#[test]
fn dropped_partial_score_expectations_are_reported() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("problems/sum/problem.yaml", "name: Sum\n");
    workspace.write("problems/sum/.timelimit", "3\n");
    workspace.write(
        "problems/sum/submissions/partially_accepted/zero.c",
        "int main(void) { return 0; }\n",
    );
    workspace.write(
        "problems/sum/submissions/other/one.c",
        "int main(void) { return 0; }\n",
    );
    workspace.judge(["run"]).exits(1);
    let upgraded = workspace.judge(["upgrade", "--write"]).exits(0);
    let report = &upgraded.stdout;
    assert!(
        report.contains("partially_accepted/zero.c") && report.contains("no longer required"),
        "{report}"
    );
    assert!(
        !report.contains("other/one.c"),
        "nothing was expected of it before: {report}"
    );
    let rules =
        fs::read_to_string(workspace.path("problems/sum/submissions/submissions.yaml")).unwrap();
    assert!(
        rules.contains("partially_accepted/zero.c:\n") && rules.contains("  required:\n  - AC\n"),
        "{rules}"
    );
    workspace.judge(["run"]).exits(1);
}

#[test]
fn features_missing_in_2025_09_are_refused() {
    let Some(workspace) = with_package("customgrader") else {
        return;
    };
    let before = workspace.files("problems");
    let output = workspace.judge(["upgrade", "--write"]).exits(3);
    output.stdout_has(&[
        "not written",
        "`graders` is a custom grader, which 2025-09 does not support [JI406]",
    ]);
    assert_eq!(before, workspace.files("problems"));
}

#[test]
fn drafts_become_2025_09_with_their_flags_and_arguments() {
    let Some(workspace) = with_package("readdraft") else {
        return;
    };
    workspace
        .judge(["upgrade", "--write"])
        .exits(0)
        .stdout_has(&["from draft"]);
    let read = |file: &str| {
        fs::read_to_string(workspace.path(&format!("problems/readdraft/{file}"))).unwrap()
    };
    let text = read("problem.yaml");
    assert!(
        text.starts_with("problem_format_version: 2025-09\ntype: pass-fail\nname: Sum\n"),
        "{text}"
    );
    assert!(
        !text.contains("validator_flags") && !text.contains("allow_file_writing"),
        "{text}"
    );
    assert!(
        text.contains("keywords:\n  - sum\n  - numbers\nlimits: {time_limit: 1.5}\n"),
        "{text}"
    );
    assert!(read("data/secret/test_group.yaml").contains("output_validator_args:"));
    assert!(read("data/secret/01.yaml").starts_with("args:"));
    assert!(
        !workspace
            .path("problems/readdraft/data/secret/01.args")
            .exists()
    );
    assert!(
        !workspace
            .path("problems/readdraft/data/secret/testdata.yaml")
            .exists()
    );
    let written = workspace.files("problems");
    workspace
        .judge(["upgrade", "--write"])
        .exits(0)
        .stdout_has(&["unchanged", "is already of format 2025-09"]);
    assert_eq!(written, workspace.files("problems"));
}

#[test]
fn unusual_yaml_is_upgraded_correctly_or_refused() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let file = "problems/sum/problem.yaml";
    let upgraded = |text: &str| {
        workspace.write(file, text);
        workspace.judge(["upgrade", "--write"]).exits(0);
        fs::read_to_string(workspace.path(file)).unwrap()
    };
    let text = upgraded(
        "\u{feff}# top\r\nname: 'A # b'\r\nlimits: &l # much\r\n  memory: 512\r\n# end\r\n",
    );
    for part in [
        "# top\n",
        "name: 'A # b'\n",
        "memory: 512\n",
        "# much\n",
        "# end\n",
    ] {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
    let text = upgraded("name: >\n  A long\n  name\nlimits: {memory: 512} # braces\n");
    assert!(
        text.contains("name: >\n  A long\n  name\n") && text.contains("memory: 512\n"),
        "{text}"
    );
    for text in [
        "{name: A}\n",
        "name: A\n---\nname: B\n",
        "name: A\nname: B\n",
        "name:\n\t- A\n",
    ] {
        workspace.write(file, text);
        assert_ne!(
            workspace.judge(["upgrade", "--write"]).code,
            Some(0),
            "{text}"
        );
        assert_eq!(fs::read_to_string(workspace.path(file)).unwrap(), text);
    }
}

/// Only in the legacy format, the first line of a program can select Python 2.
#[test]
fn program_languages_are_preserved() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "problems/sum/problem.yaml",
        "name: Sum\nvalidation: default\n",
    );
    let old = "#!/usr/bin/env python2\nprint sum(map(int, raw_input().split()))\n";
    workspace.write("problems/sum/submissions/accepted/old.py", old);
    workspace.write(
        "problems/sum/submissions/accepted/new.py",
        "print(sum(map(int, input().split())))\n",
    );
    workspace.write("problems/sum/submissions/slow_accepted/old.py", old);
    workspace.judge(["upgrade", "--write"]).exits(0);
    let rules =
        fs::read_to_string(workspace.path("problems/sum/submissions/submissions.yaml")).unwrap();
    let expected = "accepted/old.py:\n  language: python2\nslow_accepted/old.py:\n  language: python2\n  permitted:\n";
    assert!(rules.starts_with(expected), "{rules}");
}

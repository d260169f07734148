//! Legacy packages packed for Kattis: parts that problemtools refuses are repaired with a remark,
//! or refused here, too.

use std::fs;

use crate::workspace::{Workspace, has};

/// The text of a file in an archive.
fn text_of(workspace: &Workspace, archive: &str, path: &str) -> String {
    let mut archive =
        zip::ZipArchive::new(fs::File::open(workspace.path(archive)).unwrap()).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut archive.by_name(path).unwrap(), &mut text).unwrap();
    text
}

/// The package `old` in the legacy format, without `problem.yaml`.
fn with_old() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("python3"))?;
    let old = "problems/old";
    workspace.write(
        &format!("{old}/problem_statement/problem.en.tex"),
        "\\problemname{Old}\nOld.\n",
    );
    workspace.write(
        &format!("{old}/input_validators/v.py"),
        "import re, sys\nsys.exit(42 if re.fullmatch(r'[0-9]+\\n', sys.stdin.read()) else 43)\n",
    );
    workspace.write(
        &format!("{old}/submissions/accepted/twice.py"),
        "print(2 * int(input()))\n",
    );
    for case in ["sample/1", "secret/1"] {
        workspace.write(
            &format!("{old}/data/{case}.in"),
            if case.starts_with("sample") {
                "1\n"
            } else {
                "7\n"
            },
        );
        workspace.write(
            &format!("{old}/data/{case}.ans"),
            if case.starts_with("sample") {
                "2\n"
            } else {
                "14\n"
            },
        );
    }
    Some(workspace)
}

const YAML: &str = "name: Old\nlicense: cc0\nrights_owner: Ada\n";
const SCORING_YAML: &str = "name: Old\nlicense: cc0\nrights_owner: Ada\ntype: scoring\ngrading: {show_test_data_groups: true}\n";

#[test]
fn legacy_packages_are_packed_without_refused_parts() {
    let Some(workspace) = with_old() else { return };
    let old = "problems/old";
    workspace.write(
        &format!("{old}/problem.yaml"),
        "name: {en: Old}\nlicense: mit\nrights_owner: Ada\nlimits:\n  memory: 64 # MiB\n  time_limit: 5\n",
    );
    // A licence does not affect verdicts.
    workspace
        .judge(["run", "old"])
        .exits(0)
        .stdout_has(&["accepted/twice.py"]);
    workspace.judge(["check", "old"]).exits(0).stdout_has(&[
        "JP513",
        "`limits.time_limit`",
        "JP525",
        "`license`",
    ]);
    workspace
        .judge([
            "pack",
            "old",
            "--for",
            "domjudge",
            "--output",
            "domjudge.zip",
        ])
        .exits(0);
    workspace.judge(["run", "domjudge.zip"]).exits(0);
    // Kattis does not know this licence, and a package for Kattis has no keys of other systems.
    workspace
        .judge(["pack", "old", "--for", "kattis"])
        .exits(3)
        .stderr_has(&["`license`", "for kattis"]);
    let yaml = "name: {en: Old}\nlicense: cc0\nrights_owner: Ada\nlimits:\n  memory: 64 # MiB\n  time_limit: 5\n";
    workspace.write(&format!("{old}/problem.yaml"), yaml);
    workspace
        .judge(["check", "old", "--profile", "kattis"])
        .exits(3)
        .stdout_has(&["JP513", "`limits.time_limit`"]);
    let packed = workspace
        .judge(["pack", "old", "--for", "kattis", "--output", "kattis.zip"])
        .exits(0);
    packed.stdout_has(&["`limits.time_limit`"]);
    let yaml = text_of(&workspace, "kattis.zip", "old/problem.yaml");
    assert!(
        yaml.contains("name: Old\n") && yaml.contains("memory: 64") && !yaml.contains("time_limit"),
        "{yaml}"
    );
    workspace
        .judge(["check", "kattis.zip", "--profile", "kattis"])
        .stdout_lacks(&["JP513"]);
}

#[test]
fn values_are_written_for_problemtools() {
    let Some(workspace) = with_old() else { return };
    let lists = "name: 2048\nauthor: [Ada, Alan]\nlicense: cc0\nkeywords: [a b, c]\nvalidation:\nsource:\n\
                 validator_flags: [case_sensitive, space_change_sensitive]\nlimits: {memry: 5, memory: 64}\n";
    workspace.write("problems/old/problem.yaml", lists);
    let packed = workspace.judge(["pack", "old", "--for", "kattis"]).exits(0);
    packed.stdout_has(&["`limits.memry`, which is left out"]);
    let yaml = text_of(&workspace, "kattis/old.zip", "old/problem.yaml");
    let expected = [
        "name: '2048'\n",
        "author: Ada, Alan\n",
        "keywords: a-b c\n",
        "source:",
    ];
    assert!(expected.iter().all(|line| yaml.contains(line)), "{yaml}");
    assert!(
        yaml.contains("validator_flags: case_sensitive space_change_sensitive\n"),
        "{yaml}"
    );
    assert!(
        !yaml.contains("memry") && !yaml.contains("validation:"),
        "{yaml}"
    );
    let checked = workspace
        .judge(["check", "old", "--static", "--profile", "kattis", "-v"])
        .exits(3);
    checked.stdout_has(&[
        "`name`: problemtools reads a string",
        "`author`: problemtools",
        "`keywords`: problemtools",
    ]);
    checked.stdout_has(&[
        "`validation`: problemtools",
        "`validator_flags`: problemtools",
        "`limits.memry`: problemtools",
    ]);
    checked.stdout_lacks(&["`source`: problemtools"]);
    workspace
        .judge(["check", "old", "--static"])
        .stdout_lacks(&["JP526"]);
    workspace
        .judge(["check", "kattis/old.zip", "--static", "--profile", "kattis"])
        .stdout_lacks(&["JP526"]);
    // Kattis does not load a package with an invalid uuid.
    workspace.write("problems/old/problem.yaml", format!("{YAML}uuid: mine\n"));
    workspace
        .judge(["check", "old"])
        .exits(0)
        .stdout_has(&["JP503"]);
    workspace
        .judge(["pack", "old", "--for", "kattis", "--force"])
        .exits(3)
        .stderr_has(&["JP503"]);
}

#[test]
fn older_words_dates_and_versions_are_written_for_problemtools() {
    let Some(workspace) = with_old() else { return };
    let written = |yaml: &str| {
        workspace.write("problems/old/problem.yaml", yaml);
        let packed = workspace.judge(["pack", "old", "--for", "kattis", "--force"]);
        packed.exits(0).stdout_has(if yaml.contains("name: No\n") {
            &["quotes around `No`, `2020-01-01`"]
        } else {
            &[]
        });
        text_of(&workspace, "kattis/old.zip", "old/problem.yaml")
    };
    // PyYAML reads these as a boolean and as a date.
    let yaml = written(
        "problem_format_version: legacy-icpc\nname: No\nsource: 2020-01-01\nlicense: cc0\nrights_owner: Ada\n",
    );
    assert_eq!(
        yaml,
        "problem_format_version: legacy\nname: 'No'\nsource: '2020-01-01'\nlicense: cc0\nrights_owner: Ada\n"
    );
    for (word, expected) in [("break", "first_error"), ("continue", "grade")] {
        let yaml = written(&SCORING_YAML.replace("true}", &format!("true, on_reject: {word}}}")));
        assert!(yaml.contains(&format!("on_reject: {expected}\n")), "{yaml}");
    }
}

#[test]
fn multi_pass_refusals_name_the_type() {
    let Some(workspace) = with_old() else { return };
    workspace.write(
        "problems/old/output_validators/validate.py",
        "import sys\nsys.exit(42)\n",
    );
    let passes = "name: Old\nlicense: cc0\nrights_owner: Ada\nvalidation: custom multi-pass";
    for (yaml, kind) in [
        (format!("{passes}\n"), "is a multi-pass problem"),
        (
            format!("{passes} interactive\n"),
            "is an interactive multi-pass",
        ),
    ] {
        workspace.write("problems/old/problem.yaml", yaml);
        workspace
            .judge(["pack", "old", "--for", "kattis", "--force"])
            .exits(3)
            .stdout_has(&[kind]);
    }
}

#[test]
fn pass_fail_graders_are_omitted() {
    let Some(workspace) = with_old() else { return };
    workspace.write("problems/old/problem.yaml", YAML);
    workspace.write("problems/old/graders/g.py", "print('AC 1')\n");
    let packed = workspace
        .judge(["pack", "old", "--for", "kattis", "--report=json"])
        .exits(0);
    packed
        .stdout_has(&["is left out: no group uses it"])
        .stdout_lacks(&["graders/g.py"]);
    workspace
        .judge([
            "pack",
            "old",
            "--for",
            "domjudge",
            "--force",
            "--report=json",
        ])
        .stdout_has(&["graders/g.py"]);
}

#[test]
fn groups_do_not_inherit_ignore_sample() {
    let Some(workspace) = with_old() else { return };
    workspace.write("problems/old/problem.yaml", SCORING_YAML);
    let top = "range: 0 1\ngrader_flags: max ignore_sample\non_reject: continue\n";
    workspace.write("problems/old/data/testdata.yaml", top);
    workspace.write(
        "problems/old/data/secret/testdata.yaml",
        "accept_score: 1\nrange: 0 1\n",
    );
    let packed = workspace.judge(["pack", "old", "--for", "kattis"]).exits(0);
    packed.stdout_has(&["`grader_flags` without `ignore_sample`"]);
    let text = |path: &str| text_of(&workspace, "kattis/old.zip", path);
    assert_eq!(text("old/data/testdata.yaml"), top);
    assert_eq!(text("old/data/sample/testdata.yaml"), "grader_flags: max\n");
    let secret = text("old/data/secret/testdata.yaml");
    assert!(
        secret.contains("accept_score: 1\n") && secret.contains("grader_flags: max\n"),
        "{secret}"
    );
    // Groups with their own flags inherit none.
    for group in ["sample", "secret"] {
        let own = "accept_score: 1\nrange: 0 1\ngrader_flags: min\n";
        workspace.write(&format!("problems/old/data/{group}/testdata.yaml"), own);
    }
    workspace
        .judge(["pack", "old", "--for", "kattis"])
        .exits(0)
        .stdout_lacks(&["`ignore_sample`"]);
}

#[test]
fn scores_above_a_range_and_missing_images_prevent_packing_for_kattis() {
    let Some(workspace) = with_old() else { return };
    workspace.write("problems/old/problem.yaml", SCORING_YAML);
    for (group, settings) in [
        ("", "range: 0 1\non_reject: continue\n"),
        ("sample/", "accept_score: 0\nrange: 0 0\n"),
        ("secret/", "accept_score: 5\nrange: 0 4\n"),
    ] {
        workspace.write(&format!("problems/old/data/{group}testdata.yaml"), settings);
    }
    workspace
        .judge(["check", "old"])
        .exits(0)
        .stdout_has(&["JP339"]);
    workspace
        .judge(["pack", "old", "--for", "kattis"])
        .exits(3)
        .stderr_has(&["JP339", "reach 0 to 5"]);
    for group in ["", "secret/"] {
        let settings = "accept_score: 5\nrange: 0 7\non_reject: continue\n";
        workspace.write(&format!("problems/old/data/{group}testdata.yaml"), settings);
    }
    workspace.judge(["pack", "old", "--for", "kattis"]).exits(0);
    let image = "\\problemname{Old}\n\\includegraphics{missing.png}\n";
    workspace.write("problems/old/problem_statement/problem.en.tex", image);
    workspace
        .judge(["check", "old"])
        .exits(0)
        .stdout_has(&["JP405"]);
    workspace
        .judge(["pack", "old", "--for", "kattis", "--force"])
        .exits(3)
        .stderr_has(&["JP405"]);
}

#[test]
fn statements_in_tex_take_precedence_over_markdown() {
    let Some(workspace) = with_old() else { return };
    workspace.write("problems/old/problem.yaml", YAML);
    workspace.write(
        "problems/old/problem_statement/problem.en.md",
        "In Markdown.\n\n![An image](missing.png)\n",
    );
    workspace
        .judge(["check", "old"])
        .exits(3)
        .stdout_has(&["JP402"]);
    let packed = workspace.judge(["pack", "old", "--for", "kattis"]).exits(0);
    packed.stdout_has(&[
        "`problem.en.md` is left out: there is a TeX statement in the same language",
    ]);
    let statement = "old/problem_statement/problem.en.tex";
    assert_eq!(
        text_of(&workspace, "kattis/old.zip", statement),
        "\\problemname{Old}\nOld.\n"
    );
    // An empty one is typeset with its name.
    fs::remove_file(workspace.path("problems/old/problem_statement/problem.en.md")).unwrap();
    workspace.write("problems/old/problem_statement/problem.en.tex", "");
    workspace
        .judge(["check", "old"])
        .exits(3)
        .stdout_has(&["JP403"]);
    workspace.judge(["pack", "old", "--for", "kattis"]).exits(0);
    assert_eq!(
        text_of(&workspace, "kattis/old.zip", statement),
        "\\problemname{Old}\n"
    );
}

#[test]
fn a_header_counts_as_an_entry_point() {
    let Some(workspace) = with_old() else { return };
    workspace.write("problems/old/problem.yaml", YAML);
    workspace.write("problems/old/include/c/main.c", "int a;\n");
    workspace.judge(["pack", "old", "--for", "kattis"]).exits(0);
    workspace.write("problems/old/include/c/main.h", "int a;\n");
    workspace
        .judge(["pack", "old", "--for", "kattis", "--force"])
        .exits(3)
        .stderr_has(&["`main.h` [JP117]"]);
}

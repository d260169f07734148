//! Statements of packed problems, as TeX or PDF: what the other judge reads.

use std::fs;

use serde_json::Value;

use crate::packing::with_adder;
use crate::printing::has_latex;
use crate::workspace::CommandOutput;

/// The format has one statement per language, and some readers accept only TeX.
#[test]
fn statements_in_markdown_are_packed_as_tex_on_request() {
    let Some(workspace) = with_adder() else {
        return;
    };
    fs::remove_file(workspace.path("problems/adder/statement/problem.en.tex")).unwrap();
    workspace.write(
        "problems/adder/statement/problem.en.md",
        "Add *two* numbers.\n",
    );
    let output = workspace
        .judge(["pack", "adder", "--for", "icpc", "--tex", "--report=json"])
        .exits(0);
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let files: Vec<&str> = document["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    assert!(
        files.contains(&"adder/statement/problem.en.tex"),
        "{files:?}"
    );
    assert!(
        !files.contains(&"adder/statement/problem.en.md"),
        "{files:?}"
    );
    assert_eq!(document["remarks"][0]["code"], "JI202");
    workspace
        .judge(["check", "icpc/adder.zip", "--profile", "icpc"])
        .exits(0);
    workspace
        .judge(["pack", "adder", "--for", "kattis", "--tex"])
        .exits(2)
        .stderr_has(&["`--tex` is for `icpc`"]);
}

#[test]
fn statements_in_tex_go_to_domjudge_as_pdf() {
    let Some(workspace) = with_adder() else {
        return;
    };
    let files = |archive: &str| {
        let archive =
            zip::ZipArchive::new(fs::File::open(workspace.path(archive)).unwrap()).unwrap();
        archive
            .file_names()
            .flatten()
            .filter(|name| name.contains("problem.pdf"))
            .count()
    };
    fs::create_dir(workspace.path("empty")).unwrap();
    let args = [
        "pack",
        "adder",
        "--for",
        "domjudge",
        "--output",
        "without.zip",
    ];
    let output =
        CommandOutput::from_command(workspace.command(args).env("PATH", workspace.path("empty")))
            .exits(0);
    output.stdout_has(&[
        "DOMjudge does not support TeX",
        "add a `problem.pdf` next to",
        "install pdfLaTeX",
    ]);
    assert_eq!(files("without.zip"), 0);
    if has_latex() {
        let output = workspace
            .judge(["pack", "adder", "--for", "domjudge", "--output", "made.zip"])
            .exits(0);
        output.stdout_has(&["`problem.en.tex` is converted to a PDF [JI202]"]);
        assert_eq!(files("made.zip"), 1);
        // A statement that is not rendered as intended is left out.
        workspace.write(
            "problems/adder/statement/problem.en.tex",
            "\\problemname{Adder}\nAdd.\n\n\\foo{All} of it.\n",
        );
        let output = workspace
            .judge(["pack", "adder", "--for", "domjudge", "--output", "bad.zip"])
            .exits(0);
        output.stdout_has(&["is left out", "problem.en.tex:4: LaTeX:"]);
    }
    workspace.write("problems/adder/problem.pdf", "%PDF-1.5\n");
    let output = workspace
        .judge([
            "pack",
            "adder",
            "--for",
            "domjudge",
            "--output",
            "beside.zip",
        ])
        .exits(0);
    output.stdout_lacks(&["problem.en.tex"]);
    assert_eq!(files("beside.zip"), 1);
}

//! `judge statement`: mistakes in a statement are reported in the author's files, for pages and for
//! paper.

use std::fs;

use crate::printing::{has_chromium, has_latex, has_program, has_words, with_statement};
use crate::workspace::{CommandOutput, Workspace};

/// An image in PNG, one pixel.
const PNG: [u8; 69] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53,
    0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0x60, 0x60, 0x00,
    0x00, 0x00, 0x04, 0x00, 0x01, 0xf6, 0x17, 0x38, 0x55, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e,
    0x44, 0xae, 0x42, 0x60, 0x82,
];

fn engine(workspace: &Workspace, engine: &str, more: &[&str]) -> CommandOutput {
    let args = [
        "statement",
        "sum",
        &format!("--pdf={engine}"),
        "-o",
        "a.pdf",
    ];
    workspace.judge(args.iter().chain(more))
}

#[test]
fn invalid_pictures_are_faults_of_the_statement() {
    let workspace = with_statement("\\problemname{Sum}\n\nAdd. \\includegraphics{map}\n");
    workspace.write("problems/sum/statement/map.png", "This is text.\n");
    let message = "error: problems/sum/statement/problem.en.tex:3: shows the image `map`, which does not match its extension";
    let page = workspace.judge(["statement", "sum"]).exits(3);
    page.stdout_has(&["[image: map]"]).stderr_has(&[message]);
    for (name, is_there) in [("latex", has_latex()), ("chromium", has_chromium())] {
        if is_there {
            engine(&workspace, name, &[])
                .exits(3)
                .stderr_has(&[message]);
        }
    }
    // It begins like a picture, and LaTeX fails on it.
    fs::write(workspace.path("problems/sum/statement/map.png"), &PNG[..40]).unwrap();
    if has_latex() {
        engine(&workspace, "latex", &[])
            .exits(3)
            .stderr_has(&["map.png"]);
    }
}

#[test]
fn pictures_are_found_in_the_directories_of_a_statement() {
    let workspace = with_statement(
        "\\problemname{Sum}\n\\graphicspath{{img/}{./more/}}\nAdd. \\includegraphics[width=1cm]{map}\n",
    );
    fs::create_dir(workspace.path("problems/sum/statement/more")).unwrap();
    fs::write(workspace.path("problems/sum/statement/more/map.png"), PNG).unwrap();
    let page = workspace.judge(["statement", "sum"]).exits(0);
    page.stdout_has(&["src=\"data:image/png;base64,"]);
    assert_eq!(page.stderr, "");
    if has_latex() {
        assert_eq!(engine(&workspace, "latex", &[]).exits(0).stderr, "");
    }
}

#[test]
fn latex_errors_name_the_original_files() {
    if !has_latex() {
        return;
    }
    let workspace = with_statement("\\problemname{Sum}\n\\begin{itemize}\n\\item Add.\n");
    let output = engine(&workspace, "latex", &[]).exits(3);
    output.stderr_has(&[
        "error: problems/sum/statement/problem.en.tex: LaTeX: Unclosed \\begin{itemize}",
    ]);
    assert!(!output.stderr.contains("main.tex"), "{}", output.stderr);
    workspace.write("problems/sum/statement/problem.en.tex", "Add {\\bf all.\n");
    engine(&workspace, "latex", &[])
        .exits(3)
        .stderr_has(&["problem.en.tex: LaTeX: Unclosed brace"]);
    // Another script than the fonts have.
    workspace.write("problems/sum/statement/problem.en.tex", "Add.\n");
    workspace.write("problems/sum/data/sample/2.ans", "\u{4e2d}\n");
    let output = engine(&workspace, "latex", &[]).exits(3);
    output.stderr_has(&["error: problems/sum/statement/problem.en.tex: LaTeX, sample 2: "]);
    assert!(
        !output.stderr.contains("sample-2.tex") && !output.stderr.contains("p1/"),
        "{}",
        output.stderr
    );
}

#[test]
fn both_engines_print_without_isolation() {
    let workspace = with_statement("\\problemname{Sum}\nAdd.\n");
    let chromium = [
        "chromium",
        "chromium-browser",
        "google-chrome-stable",
        "google-chrome",
    ];
    for (name, is_there) in [
        ("latex", has_program(&["pdflatex"])),
        ("chromium", has_program(&chromium)),
    ] {
        if is_there {
            engine(&workspace, name, &["--isolation", "none"])
                .exits(0)
                .stdout_has(&["a.pdf is written"]);
            has_words(&workspace.path("a.pdf"), &["Sum", "Add."]);
            // Names of sockets have at most 107 bytes.
            let far = workspace.path(&"far".repeat(30));
            fs::create_dir_all(&far).unwrap();
            let args = [
                "statement",
                "sum",
                &format!("--pdf={name}"),
                "-o",
                "b.pdf",
                "--isolation",
                "none",
            ];
            let output = CommandOutput::from_command(workspace.command(args).env("TMPDIR", &far));
            output.exits(0).stdout_has(&["b.pdf is written"]);
        }
    }
}

#[test]
fn statements_in_other_encodings_are_reported_with_line_and_hint() {
    let workspace = with_statement("");
    fs::write(
        workspace.path("problems/sum/statement/problem.en.tex"),
        b"One\nTv\xe5\n",
    )
    .unwrap();
    let output = workspace.judge(["statement", "sum"]).exits(3);
    output.stderr_has(&[
        "statement/problem.en.tex:2: expected text in UTF-8, found the byte `0xe5`",
        "hint: ",
        "iconv",
    ]);
}

#[test]
fn unknown_commands_are_summarised_and_listed_on_request() {
    let commands: String = "abcdefgh"
        .chars()
        .map(|letter| format!("\\nosuch{letter}\n\n"))
        .collect();
    let workspace = with_statement(&commands);
    let output = workspace.judge(["statement", "sum"]).exits(0);
    output.stderr_has(&[
        "line 9: `\\nosuche`",
        "3 more parts",
        "in lines 11, 13, 15; `-v` lists all of them",
    ]);
    let output = workspace.judge(["statement", "sum", "-v"]).exits(0);
    output.stderr_has(&["line 9: `\\nosuche`", "line 15: `\\nosuchh`"]);
    assert!(!output.stderr.contains("more parts"), "{}", output.stderr);
}

#[test]
fn an_unknown_name_in_braces_is_reported() {
    let workspace = with_statement("");
    workspace.remove("problems/sum/statement/problem.en.tex");
    workspace.write(
        "problems/sum/statement/problem.en.md",
        "At most {{most}}, at least {{leest}}.\n\nTerm\n: {{nextsample}}\n",
    );
    let output = workspace.judge(["statement", "sum"]).exits(0);
    output.stdout_has(&["At most 1000, at least {{leest}}", "Sample 1"]);
    output.stderr_has(&[
        "problem.en.md: line 1: `{{leest}}` is neither a constant of the package nor a command for samples",
    ]);
    assert!(!output.stdout.contains("nextsample"), "{}", output.stdout);
}

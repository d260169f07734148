//! `judge statement --pdf`, `--contest` and `--solution`: documents by LaTeX and by Chromium. A
//! hostile statement reaches nothing through either.

use std::fs;
use std::path::Path;
use std::process::Command;

use judge_model::IsolationLevel;

use crate::workspace::{CommandOutput, Workspace, skipped, strongest_level};

/// True when this host has one of these programs; if not, the skipped test is reported.
pub(crate) fn has_program(names: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .any(|directory| names.iter().any(|name| directory.join(name).is_file()));
    if !found {
        skipped(names[0], "it is not installed");
    }
    found
}

pub(crate) fn has_latex() -> bool {
    strongest_level().is_some() && has_program(&["pdflatex"])
}

/// True if LaTeX has these packages and classes, some of which are missing in small installations.
pub(crate) fn has_latex_files(names: &[&str]) -> bool {
    let finds = |name: &&str| {
        let found = Command::new("kpsewhich").arg(name).output();
        found.is_ok_and(|found| found.status.success())
    };
    let missing = names.iter().copied().find(|name| !finds(name));
    if let Some(name) = missing {
        skipped("LaTeX", &format!("it has no `{name}`"));
    }
    missing.is_none()
}

/// A browser starts only with a separate network namespace.
pub(crate) fn has_chromium() -> bool {
    let level = strongest_level();
    let can = matches!(
        level,
        Some(IsolationLevel::Full | IsolationLevel::Namespaces)
    );
    if !can {
        skipped("chromium", &format!("the isolation level is {level:?}"));
    }
    can && has_program(&[
        "chromium",
        "chromium-browser",
        "google-chrome-stable",
        "google-chrome",
    ])
}

/// The text of a document; `None`, reported as skipped, if no tool can read it.
pub(crate) fn text_of(pdf: &Path) -> Option<String> {
    let bytes = fs::read(pdf).unwrap();
    assert!(bytes.starts_with(b"%PDF-"), "{}", pdf.display());
    if !has_program(&["pdftotext"]) {
        return None;
    }
    let output = Command::new("pdftotext")
        .args(["-layout"])
        .arg(pdf)
        .arg("-")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[track_caller]
pub(crate) fn has_words(pdf: &Path, words: &[&str]) {
    let Some(text) = text_of(pdf) else { return };
    for word in words {
        assert!(text.contains(word), "no `{word}` in:\n{text}");
    }
}

/// A directory of programs with links to one engine and its dependencies; `None`, reported as
/// skipped, if it is not installed.
fn only_with(workspace: &Workspace, engine: &str) -> Option<std::path::PathBuf> {
    let bin = workspace.path(&format!("bin-{engine}"));
    if strongest_level().is_none() || !has_program(&[engine]) {
        return None;
    }
    fs::create_dir_all(&bin).unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|directory| directory.join(engine))
        .find(|file| file.is_file())
        .unwrap();
    std::os::unix::fs::symlink(found, bin.join(engine)).unwrap();
    Some(bin)
}

const STATEMENT: &str = "\\problemname{Sum}\nAdd $a$ and \\emph{b}, at most \\constant{most}.\n\n\
    \\section*{Input}\nTwo numbers, 100\\% of them whole.\n\n\\nextsample\n\nBetween samples.\n";

pub(crate) fn with_statement(text: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.problem("sum", "constants: {most: 1000}\n");
    workspace.case("sum", "sample/1", "1 2\n\\end{document}\n", "3\n");
    workspace.case("sum", "sample/2", "40 2\n", "42\n");
    workspace.case("sum", "secret/1", "1 1\n", "2\n");
    workspace.write("problems/sum/statement/problem.en.tex", text);
    workspace
}

#[test]
fn both_engines_print_statements_reproducibly() {
    let workspace = with_statement(STATEMENT);
    for (engine, shown, is_there) in [
        ("latex", "LaTeX", has_latex()),
        ("chromium", "Chromium", has_chromium()),
    ] {
        if !is_there {
            continue;
        }
        let args = |name: &str| {
            ["statement", "sum", &format!("--pdf={engine}"), "-o", name].map(str::to_owned)
        };
        let output = workspace.judge(args("a.pdf")).exits(0);
        output.stdout_has(&[&format!("a.pdf is written, by {shown}")]);
        assert_eq!(output.stderr, "", "{engine}");
        let words = [
            "Sum",
            "Time limit",
            "at most 1000",
            "100% of them",
            "\\end{document}",
            "Between samples",
            "40 2",
        ];
        has_words(&workspace.path("a.pdf"), &words);
        workspace.judge(args("b.pdf")).exits(0);
        let [one, two] = ["a.pdf", "b.pdf"].map(|name| fs::read(workspace.path(name)).unwrap());
        assert!(one == two, "{engine}: two runs differ");
        assert!(
            !one.windows(13).any(|window| window == b"/CreationDate"),
            "{engine}: there is a date"
        );
        // A PDF of the user is kept, and one of `judge statement` is replaced.
        workspace.write("a.pdf", "%PDF-1.5\nmine\n");
        workspace
            .judge(args("a.pdf"))
            .exits(2)
            .stderr_has(&["`a.pdf` was not written by `judge statement`"]);
        workspace.judge(args("b.pdf")).exits(0);
        workspace.remove("a.pdf");
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn other_latex_engines_print_the_same_with_hidden_files() {
    let text = "\\problemname{Sum}\nAdd $a \\le b$, ≤ and ≥, “naïve”.\n\
        \\begin{figure}\\rule{1cm}{1cm}\\caption{A box}\\end{figure}\n";
    let workspace = with_statement(text);
    for engine in ["xelatex", "lualatex"] {
        let Some(bin) = only_with(&workspace, engine) else {
            continue;
        };
        let print = |isolation: &[&str], file: &str| {
            let args = ["statement", "sum", "--pdf=latex", "-o", file];
            CommandOutput::from_command(
                workspace
                    .command(args.iter().chain(isolation))
                    .env("PATH", &bin),
            )
        };
        print(&[], "a.pdf")
            .exits(0)
            .stdout_has(&["a.pdf is written, by LaTeX"]);
        has_words(
            &workspace.path("a.pdf"),
            &["Sum", "≤ and ≥, “naïve”", "Figure 1: A box", "Sample 1"],
        );
        print(&[], "b.pdf").exits(0);
        let [one, two] = ["a.pdf", "b.pdf"].map(|name| fs::read(workspace.path(name)).unwrap());
        assert!(one == two, "{engine}: two runs differ");
        // These engines could open any file at a level that hides none.
        print(&["--isolation", "none"], "c.pdf")
            .exits(4)
            .stderr_has(&["`none`", "could read files of the host"]);
    }
}

#[test]
fn captions_are_in_the_language_of_the_statement() {
    if !has_latex() {
        return;
    }
    let workspace = with_statement("");
    let text = "Se figur~\\ref{f}.\n\\begin{figure}\\rule{1cm}{1cm}\\caption{En låda}\\label{f}\\end{figure}\n";
    workspace.write("problems/sum/statement/problem.sv.tex", text);
    let args = [
        "statement",
        "sum",
        "--language",
        "sv",
        "--pdf=latex",
        "-o",
        "a.pdf",
    ];
    workspace.judge(args).exits(0);
    has_words(
        &workspace.path("a.pdf"),
        &["Se figur 1.", "Figur 1: En låda"],
    );
}

#[test]
fn sample_headings_are_not_orphaned() {
    if !has_latex() {
        return;
    }
    let workspace = Workspace::new();
    workspace.problem("sum", "");
    for number in 1..=24 {
        let input: String = (0..number % 7 + 1)
            .map(|line| format!("line {line}\n"))
            .collect();
        workspace.case("sum", &format!("sample/{number:02}"), &input, "3\n");
    }
    workspace.case("sum", "secret/1", "1 1\n", "2\n");
    workspace.write("problems/sum/statement/problem.en.md", "Add.\n");
    workspace
        .judge(["statement", "sum", "--pdf=latex", "-o", "a.pdf"])
        .exits(0);
    let Some(text) = text_of(&workspace.path("a.pdf")) else {
        return;
    };
    let pages: Vec<&str> = text
        .split('\u{c}')
        .filter(|page| !page.trim().is_empty())
        .collect();
    assert!(pages.len() > 2, "{text}");
    for page in pages {
        let lines: Vec<&str> = page
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let heading = lines
            .iter()
            .rposition(|line| line.starts_with("Sample "))
            .unwrap();
        // The head of the table, a line of it, and the number of the page.
        assert!(lines.len() - heading > 3, "{page}");
    }
}

#[test]
fn slides_become_slides() {
    let workspace = with_statement(STATEMENT);
    let slides = "% Slides.\n\\begin{frame}\n\\frametitle{\\problemtitle}\n\\begin{itemize}\n\\item<1-> First.\n\
        \\item<2-> Second, 1 < 2.\n\\end{itemize}\n\\end{frame}\n";
    workspace.write("problems/sum/solution/solution.en.tex", slides);
    let output = workspace.judge(["statement", "sum", "--solution"]).exits(0);
    output
        .stdout_has(&[
            "<div class=\"slide\">\n<h2>The Problem sum</h2>",
            "<li>First.",
        ])
        .stdout_lacks(&["2->"]);
    if !has_latex() || !has_latex_files(&["beamer.cls"]) {
        return;
    }
    workspace
        .judge([
            "statement",
            "sum",
            "--solution",
            "--pdf=latex",
            "-o",
            "a.pdf",
        ])
        .exits(0);
    let Some(text) = text_of(&workspace.path("a.pdf")) else {
        return;
    };
    let pages: Vec<&str> = text
        .split('\u{c}')
        .filter(|page| !page.trim().is_empty())
        .collect();
    assert!(
        pages.len() == 2 && !pages[0].contains("Second") && pages[1].contains("Second"),
        "{text}"
    );
    // With other text next to them, they are parts of a text.
    workspace.write(
        "problems/sum/solution/solution.en.tex",
        format!("Before.\n\n{slides}"),
    );
    workspace
        .judge([
            "statement",
            "sum",
            "--solution",
            "--pdf=latex",
            "-o",
            "b.pdf",
        ])
        .exits(0);
    has_words(&workspace.path("b.pdf"), &["Before.", "First.", "Second"]);
}

#[test]
fn missing_engines_are_reported_with_a_hint() {
    let workspace = with_statement(STATEMENT);
    fs::create_dir(workspace.path("bin")).unwrap();
    let output = CommandOutput::from_command(
        workspace
            .command(["statement", "sum", "--pdf"])
            .env("PATH", workspace.path("bin")),
    )
    .exits(4);
    output.stderr_has(&[
        "no PDF can be made",
        "no LaTeX: none of `pdflatex`, `xelatex`, `lualatex`",
        "no Chromium",
        "hint: install",
    ]);
    workspace
        .judge(["statement", "sum", "--pdf=word"])
        .exits(2)
        .stderr_has(&["unknown engine `word`; expected one of `latex`, `chromium`"]);
}

#[test]
fn unknown_latex_is_reported_with_its_line_and_printed_by_chromium_if_available() {
    if !has_latex() {
        return;
    }
    let workspace = with_statement("\\problemname{Sum}\nAdd.\n\n\\foo{All} of it.\n");
    let args = ["statement", "sum", "--pdf=latex", "-o", "a.pdf"];
    let output = workspace.judge(args).exits(3);
    output.stderr_has(&[
        "error: problems/sum/statement/problem.en.tex:4: LaTeX: `\\foo` is not defined",
    ]);
    has_words(&workspace.path("a.pdf"), &["All of it."]);
    if has_chromium() {
        let output = workspace
            .judge(["statement", "sum", "--pdf", "-o", "b.pdf"])
            .exits(0);
        output.stdout_has(&["b.pdf is written, by Chromium"]);
        output.stderr_has(&[
            "problem.en.tex:4: LaTeX: `\\foo`",
            "so Chromium is used instead of LaTeX",
        ]);
    }
}

#[test]
fn a_booklet_has_a_cover_and_the_problems_in_the_order_of_the_contest() {
    let workspace = Workspace::new();
    for (name, text) in [
        ("apple", "Eat **it**.\n"),
        ("pear", "Eat that.\n"),
        ("plum", "Not of it.\n"),
    ] {
        workspace.sum(name);
        workspace.write(&format!("problems/{name}/statement/problem.en.md"), text);
    }
    let contest = "contest:\n  title: The Contest\n  subtitle: [Round & 2]\n  date: 2026-11-24\n  problems: [pear, apple]\n";
    workspace.write("judge.yaml", format!("problems: [problems]\n{contest}"));
    let output = workspace.judge(["statement", "--contest"]).exits(0);
    output.stdout_has(&[
        "<h1>The Contest</h1>",
        "Round &amp; 2",
        "2026-11-24",
        "id=\"problem-A\"",
        "The Problem pear",
        "Eat that.",
    ]);
    output
        .stdout_has(&[
            "id=\"problem-B\"",
            "The Problem apple",
            "Eat <strong>it</strong>",
        ])
        .stdout_lacks(&["plum"]);
    for (engine, is_there) in [("latex", has_latex()), ("chromium", has_chromium())] {
        if is_there {
            let args = [
                "statement",
                "--contest",
                &format!("--pdf={engine}"),
                "-o",
                "out/",
            ];
            workspace
                .judge(args)
                .exits(0)
                .stdout_has(&["out/contest.en.pdf is written"]);
            has_words(
                &workspace.path("out/contest.en.pdf"),
                &["The Contest", "Round & 2", "2026-11-24", "Eat it."],
            );
        }
    }
    workspace
        .judge(["statement", "--contest", "--language", "all"])
        .exits(2)
        .stderr_has(&["in one language"]);
    workspace.write(
        "judge.yaml",
        "problems: [problems]\ncontest: {problems: [pears]}\n",
    );
    workspace
        .judge(["statement", "--contest"])
        .exits(2)
        .stderr_has(&[
            "names the unknown problem `pears`; expected some of `apple`, `pear`, `plum`",
        ]);
}

#[test]
fn existing_pdfs_are_copied_and_solutions_are_separate() {
    let workspace = with_statement(STATEMENT);
    workspace.write(
        "problems/sum/statement/problem.sv.pdf",
        "%PDF-1.4\ntheirs\n",
    );
    let output = workspace
        .judge([
            "statement",
            "sum",
            "--pdf",
            "--language",
            "sv",
            "-o",
            "sv.pdf",
        ])
        .exits(0);
    output.stdout_has(&["sv.pdf is written\n"]);
    assert!(
        fs::read(workspace.path("sv.pdf"))
            .unwrap()
            .starts_with(b"%PDF-1.4\ntheirs\n")
    );
    workspace
        .judge(["statement", "sum", "--solution"])
        .exits(5)
        .stderr_has(&["the description of a solution is missing"]);
    workspace.write("problems/sum/solution/solution.en.md", "Use `+`.\n");
    workspace.write("problems/sum/solution/solution.sv.tex", "Addera.\n");
    let output = workspace.judge(["statement", "sum", "--solution"]).exits(0);
    output
        .stdout_has(&["<h1>The Problem sum: solution</h1>", "Use <code>+</code>."])
        .stdout_lacks(&["Sample 1", "Time limit"]);
    let output = workspace
        .judge([
            "statement",
            "sum",
            "--solution",
            "--language",
            "all",
            "-o",
            "out/",
        ])
        .exits(0);
    output.stdout_has(&["sum.solution.en.html", "sum.solution.sv.html"]);
    if has_latex() {
        let args = [
            "statement",
            "sum",
            "--solution",
            "--pdf=latex",
            "--language",
            "sv",
            "-o",
            "sv.pdf",
        ];
        workspace.judge(args).exits(0);
        has_words(&workspace.path("sv.pdf"), &["solution", "Addera."]);
    }
}

/// A statement that tries the dangerous features of LaTeX.
fn hostile(root: &Path) -> String {
    let root = root.display();
    format!(
        "\\problemname{{Bad}}\nReached.\n\\input{{{root}/secret.txt}}\n\\input{{../../../../secret.txt}}\n\
         \\newread\\f\\openin\\f={root}/secret.txt \\ifeof\\f closed\\else\\read\\f to\\x \\x\\fi\n\
         \\includegraphics{{{root}/secret.png}}\n\\immediate\\write18{{cp {root}/secret.txt {root}/escaped}}\n\
         \\newwrite\\g\\immediate\\openout\\g={root}/written \\immediate\\write\\g{{x}}\n\
         \\verbatiminput{{/etc/passwd}}\n\\lstinputlisting{{{root}/secret.txt}}\nThe end.\n"
    )
}

#[test]
fn hostile_latex_is_confined_at_every_level() {
    if !has_latex() {
        return;
    }
    let workspace = with_statement("");
    workspace.write("secret.txt", "xyzzy17 secret\n");
    workspace.write("secret.png", "xyzzy17 secret\n");
    workspace.write(
        "problems/sum/statement/problem.en.tex",
        hostile(&workspace.root()),
    );
    let strongest = strongest_level().map_or("none", IsolationLevel::name);
    for level in [strongest, "user", "none"] {
        let args = [
            "statement",
            "sum",
            "--pdf=latex",
            "--isolation",
            level,
            "-o",
            "a.pdf",
        ];
        let output = workspace.judge(args);
        // The document consists of the rest, or is missing.
        assert!(matches!(output.code, Some(3 | 4)), "{level}: {output:?}");
        if workspace.path("a.pdf").is_file() {
            let text = text_of(&workspace.path("a.pdf")).unwrap_or_default();
            for secret in ["xyzzy17", "root:"] {
                assert!(!text.contains(secret), "{level}: {text}");
            }
            workspace.remove("a.pdf");
        }
        assert!(
            !output.stderr.contains("xyzzy17") && !output.stderr.contains("root:"),
            "{level}: {output:?}"
        );
        for made in ["escaped", "written"] {
            assert!(!workspace.path(made).exists(), "{level}: `{made}` was made");
        }
    }
}

#[test]
fn endlessly_growing_macros_are_stopped() {
    if !has_latex() {
        return;
    }
    let bomb = "\\def\\a{xxxxxxxxxxxxxxxxxxxx}\\loop\\edef\\a{\\a\\a}\\iftrue\\repeat\n";
    let deep = format!("{}x\n", "{".repeat(100_000));
    let endless = "\\def\\x{\\x\\x}\\x\n".to_owned();
    let exceeded = "problem.en.tex:2: LaTeX: TeX capacity exceeded";
    for (text, word) in [
        (bomb.to_owned(), exceeded),
        (deep, exceeded),
        (endless, exceeded),
    ] {
        let workspace = with_statement(&format!("\\problemname{{Bad}}\n{text}"));
        let output = workspace.judge(["statement", "sum", "--pdf=latex", "-o", "a.pdf"]);
        output
            .exits(3)
            .stderr_has(&[word, "LaTeX produced no document: it exited with code 1"]);
        workspace
            .judge(["statement", "sum", "-o", "a.html"])
            .exits(0);
    }
}

#[test]
fn unreadable_statements_are_package_faults() {
    if !has_latex() {
        return;
    }
    let missing = "problem.en.tex:3: LaTeX: LaTeX Error: File `nowhere.txt' not found";
    let too_long = "LaTeX produced no document: one of its lines is too long for LaTeX";
    for (text, word) in [
        ("Add.\n\\input{nowhere.txt}\n", missing),
        (&"Add two. ".repeat(30_000), too_long),
    ] {
        let workspace = with_statement(&format!("\\problemname{{Bad}}\n{text}"));
        let output = workspace.judge(["statement", "sum", "--pdf=latex", "-o", "a.pdf"]);
        output.exits(3).stderr_has(&[word]);
    }
}

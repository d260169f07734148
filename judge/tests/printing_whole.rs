//! `judge statement --pdf` and `--contest`: every part of a statement that is missing on paper is
//! reported.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::printing::{
    has_chromium, has_latex, has_latex_files, has_program, has_words, text_of, with_statement,
};
use crate::workspace::Workspace;

const LATEX: [&str; 5] = ["statement", "sum", "--pdf=latex", "-o", "a.pdf"];

/// The words of a document that are outside of its paper, with their places; `None`, reported as
/// skipped, if no tool can read it.
fn words_outside_the_page(pdf: &Path) -> Option<Vec<String>> {
    if !has_program(&["pdftotext"]) {
        return None;
    }
    let output = Command::new("pdftotext")
        .arg("-bbox")
        .arg(pdf)
        .arg("-")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let value = |line: &str, key: &str| -> f64 {
        line.split_once(&format!("{key}=\""))
            .unwrap()
            .1
            .split('"')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let (mut size, mut outside, mut words) = ((0.0, 0.0), Vec::new(), 0);
    for line in text.lines() {
        if line.contains("<page ") {
            size = (value(line, "width"), value(line, "height"));
        } else if line.contains("<word ") {
            words += 1;
            let is_on_page = value(line, "xMin") >= 0.0
                && value(line, "xMax") <= size.0
                && value(line, "yMin") >= 0.0
                && value(line, "yMax") <= size.1;
            if !is_on_page {
                outside.push(line.trim().to_owned());
            }
        }
    }
    assert!(words > 0, "{text}");
    Some(outside)
}

#[test]
fn large_markdown_tables_fit_on_the_page() {
    if !has_latex() {
        return;
    }
    let workspace = with_statement("");
    workspace.remove("problems/sum/statement/problem.en.tex");
    let mut text = String::from("Add.\n\n");
    let long = "several words that make the cell of a table wider than it should be ".repeat(4);
    write!(
        text,
        "|first|second|third|\n|-|:-:|-:|\n|1|{long}[^n]|{long} end|\n\n"
    )
    .unwrap();
    let row = |cell: &dyn Fn(usize) -> String| {
        (0..30)
            .map(|at| format!("|{}", cell(at)))
            .collect::<String>()
            + "|\n"
    };
    writeln!(
        text,
        "{}{}{}",
        row(&|at| format!("head{at}")),
        row(&|_| "-".into()),
        row(&|at| format!("c{at}"))
    )
    .unwrap();
    write!(
        text,
        "|n|`{}`|`{}`|\n|-|-|-|\n",
        "x".repeat(70),
        "y".repeat(70)
    )
    .unwrap();
    text.push_str("|1|2|3|\n\n|row|value|\n|-|-|\n");
    (0..120).for_each(|row| writeln!(text, "|row {row}|v{row}|").unwrap());
    text.push_str("\n[^n]: The note of a cell.\n");
    workspace.write("problems/sum/statement/problem.en.md", text);
    let output = workspace.judge(LATEX).exits(0);
    assert_eq!(output.stderr, "");
    let pdf = workspace.path("a.pdf");
    has_words(
        &pdf,
        &[
            "wider",
            "end",
            "c29",
            "head29",
            "row 119",
            "v119",
            "The note of a cell.",
        ],
    );
    if let Some(outside) = words_outside_the_page(&pdf) {
        assert!(outside.is_empty(), "{outside:?}");
    }
}

#[test]
fn footnotes_are_at_the_foot_of_the_page() {
    if !has_latex() {
        return;
    }
    let text = "\\problemname{Sum}\nAdd\\footnote{PLAIN} b\\footnote{OUTER\\footnote{INNER} end}.\n\n\
        \\begin{tabular}{lp{3cm}}a\\footnote{CELL} & b\\footnote{PARAGRAPH}\\\\\\end{tabular}\n\n\
        \\begin{table}\\begin{tabular}{l}x\\footnote{FLOAT}\\end{tabular}\\caption{C}\\end{table}\n\
        \\begin{tabularx}{\\textwidth}{lX}a\\footnote{TABULARX} & b\\\\\\end{tabularx}\n\n\
        \\resizebox{5cm}{!}{\\begin{tabular}{l}x\\footnote{RESIZED}\\end{tabular}}\n\n\
        \\begin{longtable}{l}l\\footnote{LONG}\\\\\\end{longtable}\n\n\
        \\begin{figure}F\\footnote{FIGURE}\\caption{c}\\end{figure}\n\
        \\begin{center}\\begin{tabular}{l}a\\footnotemark\\end{tabular}\\end{center}\\footnotetext{APART}\n";
    let workspace = with_statement(text);
    let output = workspace.judge(LATEX).exits(0);
    assert_eq!(output.stderr, "");
    let words = [
        "PLAIN",
        "OUTER",
        "INNER",
        "CELL",
        "PARAGRAPH",
        "FLOAT",
        "TABULARX",
        "RESIZED",
        "LONG",
        "FIGURE",
        "APART",
    ];
    if let Some(text) = text_of(&workspace.path("a.pdf")) {
        for word in words {
            assert_eq!(text.matches(word).count(), 1, "{word} in {text}");
        }
    }
    let page = workspace.judge(["statement", "sum"]).exits(0);
    let places = words[..3]
        .iter()
        .map(|word| page.stdout.find(*word).unwrap());
    assert!(places.is_sorted(), "{}", page.stdout);
}

#[test]
fn booklets_report_missing_problems_and_keep_letters() {
    let workspace = Workspace::new();
    for name in ["apple", "pear", "plum", "quince"] {
        workspace.sum(name);
    }
    workspace.write("problems/pear/statement/problem.en.md", "Eat it.\n");
    workspace.write("problems/plum/statement/problem.sv.md", "Ät den.\n");
    workspace.write("problems/quince/statement/problem.en.md", "Cook it.\n");
    workspace.write(
        "judge.yaml",
        "problems: [problems]\ncontest: {problems: [plum, pear, apple, quince]}\n",
    );
    let args = ["statement", "--contest", "--language", "en"];
    let output = workspace.judge(args).exits(3);
    output.stdout_has(&[
        "<b>D</b> <span>The Problem quince",
        "id=\"problem-B\"",
        "id=\"problem-D\"",
    ]);
    output.stdout_lacks(&["id=\"problem-A\"", "id=\"problem-C\""]);
    output.stderr_has(&[
        "error: problems/plum: the statement is missing in `en`; found `sv`",
        "error: problems/apple: the statement is missing, such as",
        "error: the booklet lacks 2 of 4 problems: A (`plum`), C (`apple`)",
    ]);
    for (engine, is_there) in [("latex", has_latex()), ("chromium", has_chromium())] {
        if is_there {
            let output = workspace.judge(args.iter().copied().chain([
                &*format!("--pdf={engine}"),
                "-o",
                "a.pdf",
            ]));
            output
                .exits(3)
                .stderr_has(&["the booklet lacks 2 of 4 problems"]);
            has_words(
                &workspace.path("a.pdf"),
                &["The Problem pear", "D", "The Problem quince"],
            );
        }
    }
    // An unreadable problem keeps its letter.
    workspace.write("problems/plum/problem.yaml", "name: [\n");
    let output = workspace.judge(args).exits(3);
    output
        .stdout_has(&["<b>D</b> <span>The Problem quince"])
        .stderr_has(&["problems/plum/problem.yaml"]);
    workspace.remove("judge.yaml");
    workspace.write("judge.yaml", "problems: [problems]\n");
    workspace.judge(args).exits(3).stdout_has(&[
        "<b>B</b> <span>The Problem pear",
        "<b>D</b> <span>The Problem quince",
    ]);
}

/// Parts of lists, tables and boxes that are easily lost, each with a distinct word.
const CONSTRUCTS: &str = r"\problemname{Sum}
\begin{enumerate}[label=Step \Roman*:]\item ONE\item[Note] TWO\item THREE\end{enumerate}
\begin{enumerate}[resume*]\item FOUR\end{enumerate}
\begin{enumerate}[(i)]\item FIVE\end{enumerate}
\begin{enumerate}\item SIX \begin{enumerate}\item SEVEN\label{x}\end{enumerate}\end{enumerate}
See item \ref{x}.
\renewcommand{\labelenumi}{Q\arabic{enumi})}
\begin{enumerate}[start=4]\item EIGHT\end{enumerate}
\begin{compactenum}[A.]\item NINE\end{compactenum}
\begin{itemize}[label=++]\item TEN\end{itemize}

\begin{tabular}{r@{.}l>{$}c<{$}!{to}r}4&25&b_1&c\end{tabular}

\begin{tabular*}{\textwidth}{@{\extracolsep{\fill}}lr}LEFT&RIGHT\end{tabular*}
\begin{tcolorbox}[title={BOX, title}]in\end{tcolorbox}
\begin{mdframed}[frametitle=FRAME title]in\end{mdframed}
\begin{Verbatim}[frame=single,label=LABEL]
text
\end{Verbatim}
\begin{minted}[label=MINTED]{c}
int main() {}
\end{minted}
";

/// The text of a page, without tags and with single spaces.
fn without_tags(html: &str) -> String {
    let parts = html
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn item_labels_column_texts_and_box_titles_are_printed_or_reported() {
    let workspace = with_statement(CONSTRUCTS);
    let output = workspace.judge(["statement", "sum", "-v"]).exits(0);
    output.stderr_has(&[
        "line 2: the option `label=Step \\Roman*:` of a list is not supported",
        "line 3: the option `resume*` of a list",
        "line 6: `\\ref{x}` refers to no figure or table",
        "line 7: `\\labelenumi` is not supported",
        "line 10: the option `label=++` of a list",
        "line 12: the text `>{$}` of a column",
        "line 12: the text `@{.}` of a column",
        "line 15: `\\begin{tcolorbox}` is unknown",
        "line 16: `\\begin{mdframed}` is unknown",
        "line 17: the option `label` of `Verbatim`",
        "line 20: `minted` is not supported",
    ]);
    let page = without_tags(&output.stdout);
    for word in [
        "Note TWO",
        "FOUR",
        "FIVE",
        "SEVEN",
        "EIGHT",
        "BOX, title",
        "FRAME title",
        "LEFTRIGHT",
        "int main",
    ] {
        assert!(page.contains(word), "no `{word}` in {page}");
    }
    for list in [
        "<ol type=\"i\">",
        "<ol type=\"a\">",
        "<li value=\"4\">EIGHT",
        "<ol type=\"A\">",
    ] {
        assert!(
            output.stdout.contains(list),
            "no `{list}` in {}",
            output.stdout
        );
    }
    if !has_latex() || !has_latex_files(&["tcolorbox.sty", "mdframed.sty"]) {
        return;
    }
    let output = workspace.judge(LATEX).exits(0);
    assert_eq!(output.stderr, "");
    if let Some(text) = text_of(&workspace.path("a.pdf")) {
        let paper = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in [
            "Step I: ONE",
            "Note TWO",
            "Step II: THREE",
            "Step III: FOUR",
            "(i) FIVE",
            "(a) SEVEN",
            "See item 1a.",
            "Q4) EIGHT",
            "A. NINE",
            "++ TEN",
            "BOX, title",
            "FRAME title",
            "LABEL",
            "4.25",
            "to c",
            "LEFT RIGHT",
        ] {
            assert!(paper.contains(word), "no `{word}` in {paper}");
        }
    }
}

/// Commands of common packages, each with a distinct word.
const PACKAGES: &str = r"\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,algorithm}
\begin{document}
\problemname{Sum}
\begin{figure}\rule{1cm}{1cm}\caption{F}\label{f}\end{figure}
\begin{equation}x=1\label{e}\end{equation}
See \autoref{f}, \Cref{f} and \eqref{e}. \captionof{table}{TABLE}\label{t} \ref{t}
\texorpdfstring{TEXT}{no} \dag{} \ang{12} \SIlist{1;2}{\metre}
\subfloat[SUB]{x} \enquote{QUOTED}
\begin{algorithm}\caption{ALGO}\begin{algorithmic}\For{$i<n$}\State STATE\EndFor\end{algorithmic}\end{algorithm}
\definecolor{mine}{rgb}{1,0,0}\begin{tabular}{l}\rowcolor{mine}\cellcolor{white}CELL\end{tabular}
\begin{alltt}
ALL \textbf{TT} $5
\end{alltt}
\end{document}
";

#[test]
fn common_package_commands_are_rendered_or_reported() {
    let workspace = with_statement(PACKAGES);
    let output = workspace.judge(["statement", "sum", "-v"]).exits(0);
    output.stderr_has(&[
        "line 8: `\\captionof` is unknown",
        "line 8: `\\eqref` is unknown",
        "line 8: `\\ref{t}` refers to no figure or table",
        "line 9: `\\SIlist` is unknown",
        "line 9: `\\ang` is unknown",
        "line 10: `\\subfloat` is unknown",
        "line 11: `algorithm` is not supported",
        "line 13: `alltt` is not supported",
    ]);
    let words = [
        "Figure\u{a0}1, Figure\u{a0}1 and",
        "TABLE",
        "TEXT",
        "SUB",
        "“QUOTED”",
        "ALGO",
        "STATE",
        "CELL",
    ];
    for word in words {
        assert!(
            output.stdout.contains(word),
            "no `{word}` in {}",
            output.stdout
        );
    }
    if !has_latex() || !has_latex_files(&["algorithm.sty", "algpseudocode.sty", "siunitx.sty"]) {
        return;
    }
    let output = workspace.judge(LATEX).exits(0);
    assert_eq!(output.stderr, "");
    if let Some(text) = text_of(&workspace.path("a.pdf")) {
        let paper = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words
            .iter()
            .chain(&["and (1).", "end for"])
            .map(|word| word.replace('\u{a0}', " "))
        {
            assert!(paper.contains(&word), "no `{word}` in {paper}");
        }
    }
    workspace.write(
        "problems/sum/statement/problem.en.tex",
        "\\usepackage{lipsum}\n\nProblem \\problemlabel.\n",
    );
    let output = workspace.judge(LATEX).exits(3);
    output.stderr_has(&[
        "en.tex:1: LaTeX: The package `lipsum' is not loaded",
        "en.tex:3: ",
        "outside of a contest",
    ]);
    workspace
        .judge(["statement", "sum"])
        .stderr_has(&["line 3: `\\problemlabel` is the letter of a problem in a contest"]);
    workspace
        .judge(["statement", "sum", "--contest"])
        .exits(0)
        .stdout_has(&["Problem A."]);
}

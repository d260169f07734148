//! Tests of the HTML of LaTeX statements, including malicious ones.

mod constructs;

use proptest::prelude::*;

use super::*;

pub(super) fn rendered(text: &str) -> Rendered {
    let mut page = Rendered::default();
    let constants = [("n".to_owned(), "5".to_owned())];
    let problem = ProblemContext {
        words: Words::for_language("en"),
        title: "T",
        letter: None,
        time_limit: Some("2"),
        constants: &constants,
    };
    push_latex(
        &mut page,
        text,
        &problem,
        &mut Samples::new(&[], "en"),
        &mut |_| None,
    );
    page
}

pub(super) fn reported(text: &str) -> Vec<String> {
    rendered(text)
        .remarks
        .iter()
        .map(|remark| format!("line {}: {remark}", remark.line))
        .collect()
}

#[track_caller]
pub(super) fn html(text: &str) -> String {
    let page = rendered(text);
    assert_eq!(page.remarks, [], "{}", page.html);
    page.html
}

#[test]
fn latex_becomes_html() {
    for (tex, expected) in [
        ("\\problemname{T}\na % no\nb\n\nc", "<p>a b</p>\n<p>c</p>\n"),
        (
            "\\section*{In \\emph{x}} y",
            "<h2>In <em>x</em></h2>\n<p>y</p>\n",
        ),
        (
            "``a'' -- {\\bf b} c~d",
            "<p>“a” – <strong>b</strong> c\u{a0}d</p>\n",
        ),
        (
            "\\texttt{a--b} \\'e \\\"{o} \\c{c} \\aa{} 5\\%",
            "<p><code>a--b</code> é ö ç å 5%</p>\n",
        ),
        (
            "\\begin{itemize}\\item a \\item b\\end{itemize}",
            "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n",
        ),
        (
            "\\verb|\\a{<}| \\constant{n}",
            "<p><code>\\a{&lt;}</code> 5</p>\n",
        ),
        (
            "\\begin{verbatim}\n\\x %\n\\end{verbatim}",
            "<pre tabindex=\"0\">\n\\x %\n</pre>\n",
        ),
        ("\\newcommand{\\two}[2]{#2#1}\\two{a}{b}", "<p>ba</p>\n"),
        (
            "\\def\\n{3}\\n\\ x \\iffalse no\\else yes\\fi",
            "<p>3 x yes</p>\n",
        ),
    ] {
        assert_eq!(html(tex), expected, "{tex}");
    }
    let table = html(
        "\\begin{tabular}{|l|r|}\\hline a & b \\\\ \\hline \\multicolumn{2}{c}{d} \\\\ \\end{tabular}",
    );
    let rows = "<tr class=\"line\"><td class=\"ll lr\">a</td><td class=\"r lr\">b</td></tr>\n\
        <tr class=\"line\"><td colspan=\"2\" class=\"c\">d</td></tr>\n</table>";
    assert!(table.contains(rows), "{table}");
    let table = html(
        "\\newcolumntype{C}{>{\\centering}X}\\begin{tabularx}{3cm}{C r}\\toprule a & b\\\\\\bottomrule\\end{tabularx}",
    );
    let rows = "<tr class=\"line\"><td class=\"c\">a</td><td class=\"r\">b</td></tr>\n\
        <tr class=\"line end\" aria-hidden=\"true\"><td colspan=\"2\"></td></tr>\n";
    assert!(table.contains(rows), "{table}");
    assert!(html("\\def\\m{n}$\\m \\le 3$").contains("<mi>n</mi>"));
    let note = html("a\\footnote{b \\emph{c}} d");
    assert!(
        note.contains("d</p>") && note.contains("b <em>c</em></div>"),
        "{note}"
    );
    assert!(html("\\href{https://x.example/}{y}").contains("<a href=\"https://x.example/\">y</a>"));
}

#[test]
fn references_work_before_and_after_captions() {
    let page = html(
        "See \\ref{b}.\n\\begin{figure}\\caption{A}\\label{a}\\end{figure}\\begin{figure*}\\caption{B\\label{b}}\\end{figure*}\
         \\begin{table}\\caption{C}\\label{c}\\end{table}\n\nAnd \\ref{a}\\footnote{\\ref{c}}",
    );
    for part in [
        "See 2.</p>",
        "<figcaption>Figure 1: A<",
        "<figcaption>Figure 2: B<",
        "<figcaption>Table 1: C<",
        "And 1<",
        "</sup>1</div>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let starred = html(
        "\\begin{figure}\\caption*{A}\\end{figure}\\begin{figure}\\caption [short] {B}\\end{figure}",
    );
    assert!(
        starred.contains("<figcaption>A</figcaption>")
            && starred.contains("<figcaption>Figure 1: B<"),
        "{starred}"
    );
    let unknown = rendered("a\n\\label{s}\\ref{s<}");
    assert!(
        unknown
            .html
            .contains("<mark class=\"unknown\">\\ref{s&lt;}</mark>"),
        "{}",
        unknown.html
    );
    assert!(reported("a\n\\label{s}\\ref{s<}")[0].starts_with("line 2: `\\ref{s<}` refers to no"));
}

#[test]
fn quantities_are_shown_as_written() {
    assert_eq!(
        html("\\SI{3.5}{km} \\num[a=b]{1e5} \\si{s}"),
        "<p>3.5\u{202f}km 1e5 s</p>\n"
    );
    assert!(reported("\\SI{3}{\\kilo\\metre}")[0].starts_with("line 1: `\\kilo` is unknown"));
    assert!(reported("$\\num{1e5}$")[0].ends_with("it has the unknown command `\\num`"));
    assert_eq!(html("up to \\timelimit{}s"), "<p>up to 2s</p>\n");
}

#[test]
fn commands_of_the_prelude_are_expanded() {
    assert_eq!(
        html("\\centerline{x}y"),
        "<div class=\"center\">\n<p>x</p>\n</div>\n<p>y</p>\n"
    );
    assert!(html("\\ensuremath{x}").contains("<mi>x</mi>"));
    assert_eq!(html("\\parbox[t]{\\linewidth}{a} b"), "<p>a b</p>\n");
    let quote = html("\\epigraph{Words}{Somebody}");
    assert!(
        quote.contains("<blockquote>\n<p>Words<br>\n Somebody</p>\n</blockquote>"),
        "{quote}"
    );
    assert_eq!(
        html("\\renewcommand\\enquote[1]{<#1>}\\enquote{a}"),
        "<p>&lt;a&gt;</p>\n"
    );
}

#[test]
fn slides_are_boxes_with_titles() {
    let slide = html("\\begin{frame}{Idea}\\begin{itemize}\\item<2-> x\\end{itemize}\\end{frame}");
    assert!(
        slide.contains("<div class=\"slide\">\n<h2>Idea</h2>\n<ul>\n<li>x</li>"),
        "{slide}"
    );
}

#[test]
fn unsupported_environments_are_reported_and_their_source_is_shown() {
    for name in [
        "algorithm",
        "algorithmic",
        "tabbing",
        "tikzpicture",
        "alltt",
        "minted",
    ] {
        let tex = format!("a\n\\begin{{{name}}}\n\\State $x$\n\\end{{{name}}}");
        assert_eq!(
            reported(&tex),
            [format!(
                "line 2: `{name}` is not supported: its source is shown"
            )]
        );
        assert!(
            rendered(&tex)
                .html
                .contains("<pre class=\"unknown\" tabindex=\"0\">\n\\State $x$\n</pre>")
        );
    }
    assert_eq!(
        reported("\\newenvironment{a}{b}{c}\\setlist{d}\\let\\x\\y\\footnotetext{e}").len(),
        6
    );
}

#[test]
fn unknown_commands_are_shown_and_reported_with_their_line() {
    let page = rendered("a\n\\foo{b} \\foo\n\\begin{odd}c\\end{odd} \\input{/etc/passwd}");
    for part in [
        "<mark class=\"unknown\">\\foo</mark>b",
        "\\begin{odd}",
        "c",
        "\\input</mark>/etc/passwd",
    ] {
        assert!(page.html.contains(part), "{part} in {}", page.html);
    }
    let found = reported("a\n\\foo{b} \\foo\n\\begin{odd}c\\end{odd} \\input{/etc/passwd}");
    assert!(
        found.contains(&"line 2: `\\foo` is unknown, and is shown as written (2 times)".to_owned())
    );
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn malicious_statements_are_harmless_and_bounded() {
    for tex in [
        "\\href{javascript:alert(1)}{<script>alert(1)</script>}",
        "\\url{javascript:alert(1)}",
        "$\\text{<script>x</script>}$ \\immediate\\write18{rm x} \\csname input\\endcsname",
        "\\includegraphics{\"><script>x</script>}",
        "\\begin{verbatim}</pre><script>x</script>",
    ] {
        let html = rendered(tex).html.to_lowercase();
        assert!(
            !html.contains("<script") && !html.contains("href=\"java"),
            "{html}"
        );
    }
    let doubling: String = (1..60)
        .map(|n| format!("\\def\\{}{{\\{}\\{}}}", name(n), name(n - 1), name(n - 1)))
        .collect();
    for tex in [
        "\\def\\a{\\a}\\a".to_owned(),
        "\\def\\a{x\\a\\a}$\\a$\\a".to_owned(),
        format!("\\def\\{}{{x}}{doubling}\\{}", name(0), name(59)),
        "{".repeat(300_000),
        "\\begin{itemize}".repeat(20_000),
        "\\footnote{".repeat(20_000),
        "\\textbf{".repeat(20_000),
        "$".repeat(50_001),
        "\\foo{x} ".repeat(50_000),
        "All work and no play. ".repeat(100_000),
    ] {
        assert!(rendered(&tex).html.len() < 40_000_000, "{}", &tex[..20]);
    }
}

fn name(number: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
    ['q', letter(number / 26), letter(number)].iter().collect()
}

fn word() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "a",
        " ",
        "\n\n",
        "{",
        "}",
        "[",
        "]",
        "$",
        "\\",
        "&",
        "\\\\",
        "%",
        "~",
        "é",
        "<b>",
        "'",
        "--",
        "\\item",
        "#1",
        "\\begin{itemize}",
        "\\end{itemize}",
        "\\begin{tabular}{ll}",
        "\\end{tabular}",
        "\\multicolumn{2}{c}",
        "\\footnote{",
        "\\section{",
        "\\textbf",
        "\\bf",
        "\\def\\x",
        "\\x",
        "\\newcommand{\\x}[1]",
        "\\verb|",
        "\\[",
        "\\begin{figure}",
        "\\end{figure}",
        "\\caption{",
        "\\href{https://a}{",
        "\\foo",
        "\\ref{",
        "\\label{a}",
        "\\\"",
        "\\iffalse",
        "\\fi",
        "\\begin{center}",
        "\\end{center}",
        "\\illustration{0.3}{a}",
        "\\nextsample",
        "\\url",
    ])
}

proptest! {
    #[test]
    fn tags_are_balanced_for_any_text(words in proptest::collection::vec(word(), 0..24)) {
        let html = rendered(&words.concat()).html;
        for tag in ["p", "ul", "li", "table", "tr", "td", "h2", "figure", "figcaption", "strong", "a", "div", "blockquote"] {
            let opened = html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
            prop_assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "<{}> in {}", tag, html);
        }
    }

    #[test]
    fn words_are_kept(words in proptest::collection::vec("[a-z]{3,8}", 1..12), shapes in proptest::collection::vec(0_usize..8, 12)) {
        let shaped = |(word, shape): (&String, &usize)| match shape {
            0 => format!("\\textbf{{{word}}}"),
            1 => format!("\\begin{{itemize}}\\item {word}\\end{{itemize}}"),
            2 => format!("\\begin{{tabular}}{{l}}{word} & x\\end{{tabular}}"),
            3 => format!("\\footnote{{{word}}}"),
            4 => format!("\\unknown{{{word}}}"),
            5 => format!("\\section{{{word}}}"),
            6 => format!("\\verb|{word}|"),
            _ => format!("{word}\n\n"),
        };
        let tex: String = words.iter().zip(&shapes).map(shaped).collect();
        let html = rendered(&tex).html;
        for word in &words {
            prop_assert!(html.contains(word.as_str()), "{} of {} in {}", word, tex, html);
        }
    }
}

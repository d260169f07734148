//! LaTeX constructs that are easily misread: their text must not be lost, and their settings must
//! not be shown.

use proptest::prelude::*;

use super::{html, rendered, reported};

#[test]
fn addresses_are_read_verbatim() {
    let page = html(
        "\\url{https://a.example/x%20y} and \\href{https://b.example/100\\%#f}{a \\emph{link}} on.",
    );
    for part in [
        "<a href=\"https://a.example/x%20y\">https://a.example/x%20y</a> and",
        "/100%#f\">a <em>link</em></a> on.",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert_eq!(
        html("\\verb|%| \\lstinline{a{b}c} \\verb@x@ y"),
        "<p><code>%</code> <code>a{b}c</code> <code>x</code> y</p>\n"
    );
}

#[test]
fn unclosed_text_is_reported_and_not_lost() {
    for (tex, expected) in [
        ("a\n\\url{b\nc", "line 2: unclosed argument of `\\url`"),
        ("a\n\\vspace{b\nc", "line 2: unclosed `{` after `\\vspace`"),
        (
            "a\n\\section[b\nc",
            "line 2: unclosed `[` after `\\section`",
        ),
        ("a\n\\emph{b\nc", "line 2: unclosed `{`"),
        ("a\n{\\bf b\nc", "line 2: unclosed `{`"),
        (
            "a\n\\foo\nb\nc",
            "line 2: `\\foo` is unknown, and is shown as written",
        ),
        (
            "a\n$\\foo\nb$\nc",
            "line 2: the formula `\\foo b` is shown as written: it has the unknown command `\\foo`",
        ),
        ("a $b\n\nc", "line 1: unclosed formula: `$` has no end"),
        (
            "a\n\\[ b\n\nc",
            "line 2: unclosed formula: `\\[` has no end",
        ),
        (
            "a\n\\begin{align}b\n\nc",
            "line 2: unclosed formula: `\\begin{align}` has no end",
        ),
        (
            "a\n\\begin{quote}b\n\nc",
            "line 2: missing `\\end{quote}` for `\\begin{quote}`",
        ),
        (
            "a\n\\begin{verbatim}b\n\nc",
            "line 2: missing `\\end{verbatim}` for `\\begin{verbatim}`",
        ),
        ("a\n\\verb|b\n\nc", "line 2: unclosed argument of `\\verb`"),
        (
            "a \\begin{itemize}\\item {b\n\\end{itemize}c",
            "line 1: unclosed `{`",
        ),
        (
            "a\n\\iffalse b\n\n",
            "line 2: missing `\\fi`: the text from here on is left out",
        ),
    ] {
        let html = rendered(tex).html;
        assert!(
            reported(tex).contains(&expected.to_owned()),
            "{tex}: {:?}",
            reported(tex)
        );
        let words = if tex.contains("iffalse") {
            "a"
        } else if tex.contains('c') {
            "abc"
        } else {
            "ab"
        };
        for word in words.chars() {
            assert!(html.contains(word), "{word} of {tex} in {html}");
        }
    }
}

#[test]
fn paragraphs_end_formulas_with_any_line_ends() {
    for tex in [
        "It costs $5.\r\n\r\nThen $a$.",
        "It costs $5.\n \t\nThen $a$.",
    ] {
        let page = rendered(tex).html;
        assert!(
            page.contains("<mark class=\"unknown\">$</mark>5.</p>\n<p>Then <math"),
            "{page}"
        );
    }
    assert!(html("$a\\\\$ b").contains("<mi>a</mi></math> b"));
    assert!(
        html("$a_{\\text{$b$}}$ \\[\\text{$c$}\\]")
            .matches("<math")
            .count()
            == 2
    );
}

#[test]
fn formulas_have_constants_macros_and_text() {
    assert!(html("$\\constant{n}$").contains("<mn>5</mn>"));
    assert_eq!(reported("\n$a < \\constant{no}$").len(), 1);
    let page = html("\\newcommand{\\most}{\\ensuremath{10^5}\\xspace}$a<\\most$ \\most");
    assert_eq!(
        page.matches("<msup><mn>10</mn><mn>5</mn></msup>").count(),
        2,
        "{page}"
    );
    let page = html("$\\text{if $x$ is \\emph{odd}, or 5\\%}$ $\\mbox{a $y_1$}$");
    for part in [
        "<mtext>if&nbsp;</mtext>",
        "<mi>x</mi>",
        "<msub><mi>y</mi>",
        "%",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains('$') && !page.contains('\\'), "{page}");
    assert!(html("\\begin{alignat}{2}a&=b\\nonumber\\end{alignat}").contains("<mtable"));
    assert!(html("\\DeclareMathOperator{\\lcm}{lcm}$\\lcm(a) \\le b$").contains("lcm"));
}

#[test]
fn command_settings_are_not_shown() {
    let table = html(
        "\\begin{tabular}{lll}a&b&c\\\\\\cmidrule[1pt](lr){2-3}\\multirow[t]{2}{*}[3mm]{many}&d&\\makecell[l]{e\\\\f}\\\\\n\
         \\addlinespace[2pt]g\\end{tabular}",
    );
    let rows = "<td>many</td><td>d</td><td>e<br>\nf</td></tr>\n<tr><td>g</td></tr>";
    assert!(table.contains(rows), "{table}");
    assert_eq!(
        html("\\section[short]{Long} x"),
        "<h2>Long</h2>\n<p>x</p>\n"
    );
    assert_eq!(html("\\subsection*[s]{Long}"), "<h3>Long</h3>\n");
    for tex in [
        "\\begin{Verbatim}[a=b]\nx[1] % y\n\\end{Verbatim}",
        "\\begin{lstlisting}[language={[x]C}]\nx[1] % y\n\\end{lstlisting}",
        "\\begin{verbatim}\nx[1] % y\n\\end{verbatim}",
    ] {
        assert_eq!(
            html(tex),
            "<pre tabindex=\"0\">\nx[1] % y\n</pre>\n",
            "{tex}"
        );
    }
    let caption = "\\begin{lstlisting}[caption={A, b}]\nx\n\\end{lstlisting}";
    assert_eq!(
        reported(caption),
        ["line 1: the option `caption` of `lstlisting` is not supported"]
    );
    assert_eq!(html("a\\begin{comment}b\\end{comment} c"), "<p>a c</p>\n");
}

#[test]
fn accents_without_a_letter_are_signs() {
    assert_eq!(
        html("\\^{} \\~{} a?`b !`c \\texttt{?`}"),
        "<p>^ ~ a¿b ¡c <code>?`</code></p>\n"
    );
}

#[test]
fn unknown_conditions_show_both_branches() {
    assert_eq!(
        html("\\iffalse a\\else b\\fi \\iftrue c\\else d\\fi"),
        "<p>bc</p>\n"
    );
    assert_eq!(
        html("\\def\\x{}\\ifdefined\\x a\\else b\\fi \\ifdefined\\y c\\else d\\fi"),
        "<p>ad</p>\n"
    );
    let page = rendered("\\ifodd a \\else b \\fi c \\iffalse \\iff \\ifx x\\fi d\\fi e");
    for word in [">\\ifodd<", "a", ">\\else<", "b", ">\\fi<", "</mark>c e"] {
        assert!(page.html.contains(word), "{word} in {}", page.html);
    }
    assert!(
        !page.html.contains("d\\fi") && !page.html.contains(" d"),
        "{}",
        page.html
    );
}

#[test]
fn layout_commands_are_dropped_and_their_text_is_shown() {
    assert_eq!(
        html("a\\vspace*{1em}b\\rule[1pt]{1cm}{2pt}\\phantom{x}"),
        "<p>ab</p>\n"
    );
    let text = "\\textcolor[rgb]{1,0,0}{a}\\makebox[1cm][l]{b}\\raisebox{2pt}[0pt][0pt]{c}\\resizebox{1cm}{!}{d}{\\color{red}e}";
    let page = html(text);
    let letters: String = page
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text))
        .collect();
    assert_eq!(letters, "abcde\n");
    assert_eq!(
        html("\\enquote{a} \\og b\\fg{}"),
        "<p>“a” «\u{202f}b\u{202f}»</p>\n"
    );
    assert!(html("\\begin{multline*}a\\\\b\\end{multline*} $\\boxed{x}$").contains("<mi>b</mi>"));
}

#[test]
fn definitions_with_other_parameters_are_unknown() {
    let page = rendered("\\def\\x#1.{b}").html;
    assert!(page.contains(">\\def\\x<"), "{page}");
}

/// Constructs with arguments and options. Each contains a word that readers see, `W`.
const SHAPES: [&str; 25] = [
    "\\url{https://x.example/%W}",
    "\\href{https://x.example/%20}{W}",
    "\\verb|%W|",
    "\\lstinline{{}W%}",
    "\\section[a]{W}",
    "\\footnote[2]{W}",
    "\\begin{tabular}{ll}\\cmidrule(lr){1-2}a & W\\\\\\end{tabular}",
    "\\begin{tabular}{l}\\multirow[t]{2}{*}{W}\\end{tabular}",
    "\\begin{tabular}{l}\\makecell{a\\\\W}\\end{tabular}",
    "\\begin{Verbatim}[a={]}]\nW %\n\\end{Verbatim}",
    "$ W\n\n",
    "$\\text{W $a$}$ ",
    "\\textbf{W",
    "\\vspace{W ",
    "\\begin{itemize}\\item W",
    "\\begin{align}W",
    "{\\bf W",
    "\\unknown[W]{a}",
    "\\unknown{W}",
    "\\caption[a]{W}",
    "\\emph{\\'e W}",
    "\\parbox[t]{1cm}{W}",
    "\\begin{minipage}[t]{1cm}W\\end{minipage}",
    "\\begin{center}W",
    "\\item W",
];

proptest! {
    #[test]
    fn words_of_all_constructs_are_kept(
        words in proptest::collection::vec("[a-z]{4,8}", 1..8),
        shapes in proptest::collection::vec(0_usize..25, 8),
        breaks in proptest::collection::vec(proptest::sample::select(vec![" ", "\n", "\n\n", "\r\n\r\n", " %x\n"]), 8),
    ) {
        let parts = words.iter().zip(&shapes).zip(&breaks);
        let tex: String = parts.map(|((word, shape), end)| SHAPES[*shape].replace('W', word) + end).collect();
        let page = rendered(&tex).html;
        // Each letter of a formula has its own tags.
        let letters: String = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
        for word in &words {
            prop_assert!(letters.contains(word.as_str()) || page.contains(word.as_str()), "{} of {:?} in {}", word, tex, page);
        }
    }
}

#[test]
fn column_texts_are_reported() {
    let reported = reported("a\n\\begin{tabular}{lQ@{.}l}a&b\\end{tabular}");
    let expected = [
        "the text `@{.}` of a column is not supported",
        "the type `Q` of a column is not supported",
    ];
    assert_eq!(reported, expected.map(|what| format!("line 2: {what}")));
    let table =
        html("\\begin{tabular*}{\\textwidth}{@{\\extracolsep{\\fill}}lr}a & b\\end{tabular*}");
    assert!(
        table.contains("<td>a</td><td class=\"r\">b</td>"),
        "{table}"
    );
}

#[test]
fn references_to_other_things_are_reported() {
    let tex = "\\begin{figure}\\caption{F}\\label{f}\\end{figure}\\autoref{f}, \\cref{f}, \\ref{f}";
    assert!(
        html(tex).contains("Figure\u{a0}1, Figure\u{a0}1, 1"),
        "{}",
        html(tex)
    );
    let after = "\\begin{figure}\\caption{F}\\end{figure}\\label{x}\\ref{x}";
    assert!(reported(after)[0].starts_with("line 1: `\\ref{x}` refers to no figure or table"));
    let equation = "\\begin{equation}x\\label{e}\\end{equation}\n\\cref{e}";
    assert!(reported(equation)[0].starts_with("line 2: `\\cref{e}` refers to no figure or table"));
}

#[test]
fn common_package_commands_are_supported() {
    for (tex, expected) in [
        ("\\'{\\textbf{e}}", "<p><strong>é</strong></p>\n"),
        (
            "\\newcommand\\a{\\newcommand\\b[1]{<##1>}}\\a\\b{x}",
            "<p>&lt;x&gt;</p>\n",
        ),
        ("\\texorpdfstring{a}{b} \\dag{} c", "<p>a † c</p>\n"),
        (
            "\\definecolor{a}{rgb}{1,0,0}\\rowcolor{a}\\cellcolor[gray]{0.9}x",
            "<p>x</p>\n",
        ),
        (
            "\\documentclass[a]{b}\\usepackage{c}\\begin{document}x\\end{document}",
            "<p>x</p>\n",
        ),
        (
            "\\epigraph{Text}{--- A}",
            "<blockquote>\n<p>Text<br>\n — A</p>\n</blockquote>\n",
        ),
    ] {
        assert_eq!(html(tex), expected, "{tex}");
    }
}

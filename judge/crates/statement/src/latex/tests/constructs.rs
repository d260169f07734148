//! Constructs of LaTeX that are easy to read wrongly: none of their text is lost, and none of their settings shown.

use proptest::prelude::*;

use super::{html, rendered, told};

#[test]
fn addresses_are_read_as_they_are() {
    let page = html("\\url{https://a.example/x%20y} and \\href{https://b.example/100\\%#f}{a \\emph{link}} on.");
    for part in
        ["<a href=\"https://a.example/x%20y\">https://a.example/x%20y</a> and", "/100%#f\">a <em>link</em></a> on."]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert_eq!(
        html("\\verb|%| \\lstinline{a{b}c} \\verb@x@ y"),
        "<p><code>%</code> <code>a{b}c</code> <code>x</code> y</p>\n"
    );
    assert_eq!(html("\\mintinline[a]{c}{x % y} z"), "<p><code>x % y</code> z</p>\n");
}

#[test]
fn what_nothing_ends_is_told_and_loses_no_text() {
    for (tex, expected) in [
        ("a\n\\url{b\nc", "line 2: nothing ends the text behind `\\url`"),
        ("a\n\\vspace{b\nc", "line 2: no brace closes the `{` behind `\\vspace`"),
        ("a\n\\vspace[b\nc", "line 2: no bracket closes the `[` behind `\\vspace`"),
        ("a\n\\emph{b\nc", "line 2: no brace closes the `{`"),
        ("a\n{\\bf b\nc", "line 2: no brace closes the `{`"),
        ("a\n\\foo\nb\nc", "line 2: `\\foo` is not known, and is shown as it is written"),
        (
            "a\n$\\foo\nb$\nc",
            "line 2: the formula `\\foo b` is shown as it is written: it has the command `\\foo`, which is not known",
        ),
        ("a $b\n\nc", "line 1: the `$` begins no formula, as none ends it"),
        ("a\n\\[ b\n\nc", "line 2: the `\\[` begins no formula, as none ends it"),
        ("a\n\\begin{align}b\n\nc", "line 2: the `\\begin{align}` begins no formula, as none ends it"),
        ("a\n\\begin{quote}b\n\nc", "line 2: no `\\end{quote}` ends the `\\begin{quote}`"),
        ("a\n\\begin{verbatim}b\n\nc", "line 2: no `\\end{verbatim}` ends the `\\begin{verbatim}`"),
        ("a\n\\verb|b\n\nc", "line 2: nothing ends the text behind `\\verb`"),
        ("a \\begin{itemize}\\item {b\n\\end{itemize}c", "line 1: no brace closes the `{`"),
        ("a\n\\iffalse b\n\n", "line 2: no `\\fi` ends what is left out from here on"),
    ] {
        let html = rendered(tex).html;
        assert!(told(tex).contains(&expected.to_owned()), "{tex}: {:?}", told(tex));
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
fn paragraphs_end_formulas_however_lines_end() {
    for tex in ["It costs $5.\r\n\r\nThen $a$.", "It costs $5.\n \t\nThen $a$."] {
        let page = rendered(tex).html;
        assert!(page.contains("<mark class=\"unknown\">$</mark>5.</p>\n<p>Then <math"), "{page}");
    }
    assert!(html("$a\\\\$ b").contains("<mi>a</mi></math> b"));
    assert!(html("$a_{\\text{$b$}}$ \\[\\text{$c$}\\]").matches("<math").count() == 2);
}

#[test]
fn formulas_have_constants_macros_and_text() {
    assert!(html("$\\constant{n}$").contains("<mn>5</mn>"));
    assert_eq!(told("\n$a < \\constant{no}$").len(), 1);
    let page = html("\\newcommand{\\most}{\\ensuremath{10^5}\\xspace}$a<\\most$ \\most");
    assert_eq!(page.matches("<msup><mn>10</mn><mn>5</mn></msup>").count(), 2, "{page}");
    let page = html("$\\text{if $x$ is \\emph{odd}, or 5\\%}$ $\\mbox{a $y_1$}$");
    for part in ["<mtext>if&nbsp;</mtext>", "<mi>x</mi>", "<msub><mi>y</mi>", "%"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains('$') && !page.contains('\\'), "{page}");
    assert!(html("$\\max\\limits_{a} b\\bigcup\\limits_{c} d$").contains("<mi>b</mi>"));
    assert!(html("\\begin{alignat}{2}a&=b\\nonumber\\end{alignat}").contains("<mtable"));
    assert!(html("\\let\\le\\leq\\DeclareMathOperator{\\lcm}{lcm}$\\lcm(a) \\le b$").contains("lcm"));
}

#[test]
fn settings_of_commands_are_not_shown() {
    let table = html(
        "\\begin{tabular}{lll}a&b&c\\\\\\cmidrule[1pt](lr){2-3}\\multirow[t]{2}{*}[3mm]{many}&d&\\makecell[l]{e\\\\f}\\\\\n\
         \\addlinespace[2pt]g\\end{tabular}",
    );
    let rows = "<td>many</td><td>d</td><td>e<br>\nf</td></tr>\n<tr><td>g</td></tr>";
    assert!(table.contains(rows), "{table}");
    assert_eq!(html("\\section[short]{Long} x"), "<h2>Long</h2>\n<p>x</p>\n");
    assert_eq!(html("\\subsection*[s]{Long}"), "<h3>Long</h3>\n");
    for tex in [
        "\\begin{minted}[a={\\small]}]{c}\nx[1] % y\n\\end{minted}",
        "\\begin{Verbatim}[a=b]\nx[1] % y\n\\end{Verbatim}",
        "\\begin{lstlisting}[language={[x]C}]\nx[1] % y\n\\end{lstlisting}",
        "\\begin{verbatim}\nx[1] % y\n\\end{verbatim}",
    ] {
        assert_eq!(html(tex), "<pre tabindex=\"0\">\nx[1] % y\n</pre>\n", "{tex}");
    }
    assert!(html("\\begin{lstlisting}[caption={A, b}]\nx\n\\end{lstlisting}").contains("A, b"));
    assert_eq!(html("a\\begin{comment}b\\end{comment} c"), "<p>a c</p>\n");
    assert_eq!(
        html("\\begin{itemize}\\begin{samepage}\\item a\\end{samepage}\\item b\\end{itemize}"),
        "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"
    );
}

#[test]
fn signs_that_are_accents_of_nothing() {
    assert_eq!(html("\\^{} \\~{} a?`b !`c \\texttt{?`}"), "<p>^ ~ a¿b ¡c <code>?`</code></p>\n");
}

#[test]
fn of_conditions_one_branch_is_read_and_of_unknown_ones_both() {
    assert_eq!(html("\\iffalse a\\else b\\fi \\iftrue c\\else d\\fi"), "<p>bc</p>\n");
    assert_eq!(html("\\def\\x{}\\ifdefined\\x a\\else b\\fi \\ifdefined\\y c\\else d\\fi"), "<p>ad</p>\n");
    let page = rendered("\\ifodd a \\else b \\fi c \\iffalse \\iff \\ifx x\\fi d\\fi e");
    for word in [">\\ifodd<", "a", ">\\else<", "b", ">\\fi<", "</mark>c e"] {
        assert!(page.html.contains(word), "{word} in {}", page.html);
    }
    assert!(!page.html.contains("d\\fi") && !page.html.contains(" d"), "{}", page.html);
}

#[test]
fn looks_are_not_shown_and_their_text_is() {
    let page = html("a\\vskip 1em plus 2pt minus 1fil b\\hskip-2\\baselineskip c\\rule[1pt]{1cm}{2pt}\\phantom{x}");
    assert_eq!(page, "<p>abc</p>\n");
    let text = "\\textcolor[rgb]{1,0,0}{a}\\makebox[1cm][l]{b}\\raisebox{2pt}[0pt][0pt]{c}\\resizebox{1cm}{!}{d}{\\color{red}e}";
    let page = html(text);
    let letters: String = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    assert_eq!(letters, "abcde\n");
    assert_eq!(html("\\enquote{a} \\og b\\fg{} \\footnotetext{c}").matches("class=\"footnote-definition\"").count(), 1);
    assert!(html("\\begin{multline*}a\\\\b\\end{multline*} $\\boxed{x}$").contains("<mi>b</mi>"));
    assert!(html("\\begin{tcolorbox}[title=T]a\\end{tcolorbox}").contains("<p>a</p>"));
}

#[test]
fn items_have_the_numbers_that_they_have_on_paper() {
    let page = html("\\begin{enumerate}\\setcounter{enumi}{3}\\item a\\item b\\end{enumerate}");
    assert_eq!(page, "<ol>\n<li value=\"4\">a</li>\n<li>b</li>\n</ol>\n");
    let page = rendered("\\def\\x#1.{b}").html;
    assert!(page.contains(">\\def\\x<"), "{page}");
}

/// Arguments and options of constructs, each with a word that a reader sees, `W`.
const SHAPES: [&str; 26] = [
    "\\url{https://x.example/%W}",
    "\\href{https://x.example/%20}{W}",
    "\\verb|%W|",
    "\\lstinline{{}W%}",
    "\\section[a]{W}",
    "\\footnote[2]{W}",
    "\\begin{tabular}{ll}\\cmidrule(lr){1-2}a & W\\\\\\end{tabular}",
    "\\begin{tabular}{l}\\multirow[t]{2}{*}{W}\\end{tabular}",
    "\\begin{tabular}{l}\\makecell{a\\\\W}\\end{tabular}",
    "\\begin{minted}[a]{c}\nW\n\\end{minted}",
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
        shapes in proptest::collection::vec(0_usize..26, 8),
        breaks in proptest::collection::vec(proptest::sample::select(vec![" ", "\n", "\n\n", "\r\n\r\n", " %x\n"]), 8),
    ) {
        let parts = words.iter().zip(&shapes).zip(&breaks);
        let tex: String = parts.map(|((word, shape), end)| SHAPES[*shape].replace('W', word) + end).collect();
        let page = rendered(&tex).html;
        // Letters of a formula have tags of their own.
        let letters: String = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
        for word in &words {
            prop_assert!(letters.contains(word.as_str()) || page.contains(word.as_str()), "{} of {:?} in {}", word, tex, page);
        }
    }
}

#[test]
fn texts_of_columns_and_titles_of_boxes_are_on_the_page() {
    let table = html("\\begin{tabular}{>{$}r<{$}@{.}l}1 & 25\\\\ x_1 & 5\\end{tabular}");
    assert!(table.contains("<mi>x</mi>") && table.contains(".</td><td class=\"jl\">25</td>"), "{table}");
    let table = html(
        "\\begin{tabular*}{\\textwidth}{@{\\extracolsep{\\fill}}l!{to}>{\\bfseries}r}a & b\\\\c & d\\end{tabular*}",
    );
    assert!(table.contains("<td>ato</td><td class=\"r\"><strong>b</strong></td>"), "{table}");
    assert!(!table.contains("extracolsep") && !table.contains("fill"), "{table}");
    let wide = html("\\begin{tabular}{ll}\\multicolumn{2}{>{\\em}c<{!}}{a} \\\\ b & c\\end{tabular}");
    assert!(wide.contains("<td colspan=\"2\" class=\"c\"><em>a!</em></td>"), "{wide}");
    assert_eq!(told("a\n\\begin{tabular}{lQ}a&b\\end{tabular}"), ["line 2: the type `Q` of a column is not known"]);
    // The lines of what stands in a table are those of the author.
    assert_eq!(told("\\begin{tabular}{@{x}l}\na\\\\\n\\foo\\\\\n\\end{tabular}\n\\bar").len(), 2);
    let lines = told("\\begin{tabular}{@{x}l}\na\\\\\n\\foo\\\\\n\\end{tabular}\n\\bar");
    assert!(lines[0].starts_with("line 3: `\\foo`") && lines[1].starts_with("line 5: `\\bar`"), "{lines:?}");
    for (tex, title) in [
        (
            "\\begin{tcolorbox}[colback=red,title={Note, \\emph{x}}]y\\end{tcolorbox}",
            "<strong>Note, <em>x</em></strong>",
        ),
        ("\\begin{mdframed}[frametitle=Note]y\\end{mdframed}", "<strong>Note</strong>"),
        ("\\begin{Verbatim}[frame=single,label=Note]\ny\n\\end{Verbatim}", "<p>Note</p>"),
        ("\\begin{lstlisting}[label=x,caption=Note]\ny\n\\end{lstlisting}", "<p>Note</p>"),
        ("\\begin{minted}[label=Note]{c}\ny\n\\end{minted}", "<p>Note</p>"),
    ] {
        let page = html(tex);
        let at = page.find(title).unwrap_or_else(|| panic!("{title} in {page}"));
        assert!(
            page[at..].contains(if tex.contains("box") || tex.contains("md") { "<p>y</p>" } else { ">\ny\n</pre>" }),
            "{page}"
        );
    }
    assert!(!html("\\begin{lstlisting}[label=x]\ny\n\\end{lstlisting}").contains("<p>"));
}

#[test]
fn references_say_what_they_refer_to() {
    let tex = "\\begin{figure}\\caption{F}\\label{f}\\end{figure}\\begin{equation}x=1\\label{e}\\end{equation}\n\
        \\begin{align}a&=1\\label{a}\\\\ b&=2\\nonumber\\\\ c&=3\\label{c}\\end{align}\n\
        \\begin{enumerate}\\item x\\label{i}\\end{enumerate}\n\
        \\autoref{f}, \\cref{f}, \\ref{e}, \\eqref{c}, \\Cref{e}, \\autoref{i}, \\cref{i}.\n\\captionof{table}{T}\\label{t} \\ref{t}";
    let page = html(tex);
    let wanted = "Figure\u{a0}1, Figure\u{a0}1, 1, (3), Equation\u{a0}(1), item\u{a0}1, Item\u{a0}1.";
    assert!(page.contains(wanted) && page.contains("Table 1: T"), "{page}");
    assert_eq!(page.matches("<mn>3</mn>").count(), 2, "the number of the row is shown: {page}");
    assert!(told("\\cref{x}")[0].contains("`\\cref{x}` is on no figure"));
    assert!(!html("\\begin{equation*}x\\end{equation*}").contains("<mn>1"));
}

#[test]
fn commands_of_common_packages_are_known() {
    for (tex, expected) in [
        ("\\'{\\textbf{e}}", "<p><strong>é</strong></p>\n"),
        ("\\newcommand\\a{\\newcommand\\b[1]{<##1>}}\\a\\b{x}", "<p>&lt;x&gt;</p>\n"),
        ("\\texorpdfstring{a}{b} \\dag \\ang{12.5} \\ang{1;2;3}", "<p>a †12.5° 1°2′3″</p>\n"),
        ("\\SIlist{1;2}{\\metre} \\numlist{3;4}", "<p>1\u{202f}m and 2\u{202f}m 3 and 4</p>\n"),
        ("\\definecolor{a}{rgb}{1,0,0}\\rowcolor{a}\\cellcolor[gray]{0.9}x", "<p>x</p>\n"),
        ("\\documentclass[a]{b}\\usepackage{c}\\begin{document}x\\end{document}", "<p>x</p>\n"),
        ("\\subfloat[Cap]{x}", "<p>x</p>\n<div class=\"center\">\n<p>Cap</p>\n</div>\n"),
        ("\\epigraph{Text}{--- A}", "<blockquote>\n<p>Text<br>\n — A</p>\n</blockquote>\n"),
    ] {
        assert_eq!(html(tex), expected, "{tex}");
    }
    let page = html("\\begin{alltt}\na  \\textbf{b} $1 % x\nc\n\\end{alltt}");
    assert!(page.contains("<code>a\u{a0}\u{a0}<strong>b</strong>\u{a0}$1\u{a0}%\u{a0}x<br>\nc"), "{page}");
}

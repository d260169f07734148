//! The labels that items of lists have on a page.

use crate::latex::tests::{html, rendered, told};

/// The items of what comes of some LaTeX, as they are read: labels in brackets, and numbers of browsers.
fn items(tex: &str) -> Vec<String> {
    let html = html(tex).replace("</span>", "]").replace("<span class=\"label\">", "[");
    let mut lists: Vec<(bool, u32)> = Vec::new();
    let mut found = Vec::new();
    for line in html.lines() {
        if let Some(rest) = line.strip_prefix("<li") {
            let (attributes, text) = rest.split_once('>').unwrap();
            let (is_numbered, number) = lists.last_mut().unwrap();
            *number += 1;
            if let Some((_, value)) = attributes.split_once("value=\"") {
                *number = value.trim_end_matches('"').parse().unwrap();
            }
            let text = text.replace("</li>", "").replace("<ol>", "");
            let number =
                if attributes.contains("own") || !*is_numbered { String::new() } else { format!("{number}. ") };
            found.push(number + text.trim());
        }
        if line.starts_with("<ol") || line.ends_with("<ol>") || line.starts_with("<ul") {
            lists.push((line.contains("<ol"), 0));
        } else if line.starts_with("</ol") || line.starts_with("</ul") {
            lists.pop();
        }
    }
    found
}

fn list(options: &str, inner: &str) -> String {
    format!("\\begin{{enumerate}}{options}{inner}\\end{{enumerate}}")
}

#[test]
fn labels_are_those_of_the_author() {
    for (options, expected) in [
        ("", ["1. x", "2. y"]),
        ("[label=\\arabic*.]", ["1. x", "2. y"]),
        ("[label=(\\alph*)]", ["[(a)] x", "[(b)] y"]),
        ("[label={Step \\Roman*, }]", ["[Step I,] x", "[Step II,] y"]),
        ("[label=\\textbf{\\Alph*)},start=3]", ["[<strong>C)</strong>] x", "[<strong>D)</strong>] y"]),
        ("[1.]", ["1. x", "2. y"]),
        ("[start=3]", ["3. x", "4. y"]),
        ("[a)]", ["[a)] x", "[b)] y"]),
        ("[(i)]", ["[(i)] x", "[(ii)] y"]),
        ("[Case 1:]", ["[Case 1:] x", "[Case 2:] y"]),
        ("[noitemsep]", ["1. x", "2. y"]),
        ("[<+->]", ["1. x", "2. y"]),
    ] {
        assert_eq!(items(&list(options, "\\item x \\item y")), expected, "{options}");
    }
    assert_eq!(
        items("\\renewcommand{\\labelenumi}{(\\roman{enumi})}\\begin{enumerate}\\item x\\end{enumerate}"),
        ["[(i)] x"]
    );
    assert_eq!(items("\\renewcommand\\theenumi{\\Alph{enumi}}\\begin{enumerate}\\item x\\end{enumerate}"), ["[A.] x"]);
    assert_eq!(items("\\setlist[enumerate,1]{label=Q\\arabic*}\\begin{enumerate}\\item x\\end{enumerate}"), ["[Q1] x"]);
    assert_eq!(items("\\begin{itemize}[label=--]\\item x\\end{itemize}"), ["[–] x"]);
    assert_eq!(items("\\begin{compactenum}[A.]\\item x\\end{compactenum}"), ["[A.] x"]);
    assert_eq!(items("\\begin{compactitem}\\item x\\end{compactitem}"), ["x"]);
}

#[test]
fn lists_go_on_where_the_author_says_so() {
    let two =
        |first: &str, second: &str| items(&(list(first, "\\item x \\item y") + "And\n\n" + &list(second, "\\item z")));
    assert_eq!(two("", "")[2], "1. z");
    assert_eq!(two("", "[resume]")[2], "3. z");
    assert_eq!(two("[label=(\\alph*)]", "[resume]")[2], "3. z");
    assert_eq!(two("[label=(\\alph*)]", "[resume*]")[2], "[(c)] z");
    assert_eq!(two("[series=s,start=7]", "[resume=s]")[2], "9. z");
    assert_eq!(items(&list("", "\\setcounter{enumi}{4}\\item x\\addtocounter{enumi}{1}\\item y")), ["5. x", "7. y"]);
    let kept = "\\newcounter{k}".to_owned()
        + &list("", "\\item x\\setcounter{k}{\\value{enumi}}")
        + &list("", "\\setcounter{enumi}{\\value{k}}\\item y");
    assert_eq!(items(&kept), ["1. x", "2. y"]);
    assert_eq!(html("\\setcounter{k}{3}\\stepcounter{k}\\arabic{k}\\Roman{k}"), "<p>4IV</p>\n");
    assert_eq!(told("\\arabic{k}").len(), 1);
}

#[test]
fn an_own_label_is_in_the_place_of_a_number() {
    assert_eq!(items(&list("", "\\item a \\item[Note] b \\item c")), ["1. a", "[Note] b", "2. c"]);
    assert_eq!(items("\\begin{itemize}\\item[$\\to$] a\\end{itemize}").len(), 1);
    assert_eq!(items("\\begin{itemize}\\item[--] a \\item[] b\\end{itemize}"), ["[–] a", "b"]);
    assert!(html("\\begin{description}\\item[A] b\\end{description}").contains("<li><strong>A</strong> b</li>"));
}

#[test]
fn lists_within_lists_have_the_labels_of_latex() {
    let inner = |deep: &str| list("", &format!("\\item a {deep}"));
    let all = inner(&inner(&inner(&inner(""))));
    assert_eq!(items(&all), ["1. a", "[(a)] a", "[i.] a", "[A.] a"]);
    let both = list("", &format!("\\item x {}", list("[label=\\theenumi.\\arabic*]", "\\item y\\item z")));
    assert_eq!(items(&both), ["1. x", "[1.1] y", "[1.2] z"]);
    let digits = list("[1.]", &format!("\\item x {}", list("[label=\\arabic*.]", "\\item y")));
    assert_eq!(items(&digits), ["1. x", "1. y"]);
    let star = list("[label=\\arabic*.]", &format!("\\item x\\item w {}", list("[label*=\\arabic*]", "\\item y")));
    assert_eq!(items(&star)[2], "[2.1] y");
}

#[test]
fn references_name_items() {
    let tex = list("", "\\item x\\label{x}\\item[N] z")
        + &list("[label=(\\alph*)]", "\\item y\\label{y}")
        + "See \\ref{x} and~\\ref{y}.";
    assert!(html(&tex).contains("See 1 and\u{a0}(a)."), "{}", html(&tex));
    let tex = list(
        "",
        &format!("\\item a {}", list("", &format!("\\item b\\label{{b}} {}", list("", "\\item c\\label{c}")))),
    );
    assert!(html(&(tex + "See \\ref{b}, \\ref{c}.")).contains("See 1a, 1(a)i."));
}

#[test]
fn no_label_of_a_hostile_author_grows_without_end() {
    let page = rendered(&list("[label=\\labelenumi\\theenumi]", "\\item x"));
    assert!(page.html.len() < 1000, "{}", page.html);
    let loops = "\\renewcommand\\theenumi{\\theenumi\\theenumi}\\begin{enumerate}\\item x\\end{enumerate}";
    assert!(rendered(loops).html.len() < 4 << 20);
    let huge = list("[start=4294967295,label=\\roman*\\alph*]", "\\item x\\item y");
    assert!(rendered(&huge).html.len() < 1000);
}

//! Converts HTML statements to Markdown.
//!
//! Responsible for the parts of a page that a statement can have, and for bounding the size of
//! parsed pages. Must not know where a page comes from.

use std::collections::BTreeMap;

use htmd::element_handler::Handlers;
use htmd::{Element, HtmlToMarkdown};

/// The maximum depth of nested elements. Pages of judges have fewer than 30; the library traverses
/// them recursively.
const MAX_DEPTH: usize = 256;
/// The maximum product of the number of tags and the depth: parsers repeat an open element in each
/// later paragraph (HTML, "reconstruct the active formatting elements").
const MAX_ELEMENTS: usize = 2_000_000;
/// Elements that are kept, since Markdown has no syntax for them.
const KEPT: [&str; 7] = ["sub", "sup", "u", "ins", "small", "var", "kbd"];
/// Elements without an end tag, or with an optional one: they do not increase the depth.
const UNNESTED: [&str; 20] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr",
    "p", "li", "td", "th", "tr", "dt", "dd", "option",
];
/// The characters around the number of a text that is not HTML.
const MARKS: [char; 2] = ['\u{e000}', '\u{e001}'];

/// Converts a page to Markdown. Returns `None` if it is nested too deeply for a statement.
pub(crate) fn to_markdown(html: &str) -> Option<String> {
    let html = html.replace("\r\n", "\n");
    // A text without markup is no HTML. Converting it would join its lines.
    if !html.contains(['<', '&']) {
        return Some(html);
    }
    if !is_bounded(&html) {
        return None;
    }
    let mut texts = Vec::new();
    // Marks stand for texts until the page is converted. Characters of the source that look like
    // marks are removed, because texts would be put in their place as well.
    let html = with_code_and_headers(&extract_literals(&html.replace(MARKS, ""), &mut texts));
    let keep = |handlers: &dyn Handlers, element: Element<'_>| {
        let content = handlers.walk_children(element.node).content;
        Some(format!("<{0}>{content}</{0}>", element.tag).into())
    };
    let converter = HtmlToMarkdown::builder()
        .skip_tags(vec!["script", "style", "img", "head"])
        .add_handler(KEPT.to_vec(), keep)
        .build();
    let mut page = converter.convert(&html).ok()?;
    for (number, text) in texts.iter().enumerate() {
        page = page.replace(&mark(number), text);
    }
    Some(page)
}

/// True for a page that can be parsed with little time and memory.
fn is_bounded(html: &str) -> bool {
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    let (mut depth, mut max_depth, mut tags) = (0_usize, 0, 0_usize);
    for tag in html.split('<').skip(1) {
        tags += 1;
        let (is_end, name) = tag
            .strip_prefix('/')
            .map_or((false, tag), |name| (true, name));
        let length = name
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(name.len());
        let name = name[..length].to_ascii_lowercase();
        if name.is_empty() || UNNESTED.contains(&name.as_str()) {
            continue;
        }
        let count = open.entry(name).or_default();
        if !is_end {
            *count += 1;
            depth += 1;
        } else if *count > 0 {
            *count -= 1;
            depth -= 1;
        }
        max_depth = max_depth.max(depth);
    }
    max_depth <= MAX_DEPTH && tags.saturating_mul(max_depth + 1) <= MAX_ELEMENTS
}

fn mark(number: usize) -> String {
    format!("{}{number}{}", MARKS[0], MARKS[1])
}

/// Replaces formulas and Markdown with marks, since their characters would be escaped otherwise.
/// HUSTOJ has Markdown in `<span class="md">`.
fn extract_literals(html: &str, texts: &mut Vec<String>) -> String {
    // The beginning and end of each kind, and its delimiter in Markdown.
    const KINDS: [(&str, &str, &str); 6] = [
        ("<span class=\"md\">", "</span>", ""),
        ("<span class='md'>", "</span>", ""),
        ("$$", "$$", "$$"),
        ("\\[", "\\]", "$$"),
        ("\\(", "\\)", "$"),
        ("$", "$", "$"),
    ];
    let mut page = String::with_capacity(html.len());
    let mut rest = html;
    let first = |rest: &str| {
        let found = KINDS
            .iter()
            .filter_map(|kind| Some((rest.find(kind.0)?, kind)));
        // If two kinds begin at the same position, the first one in the list counts, which has the
        // longer beginning.
        found
            .min_by_key(|(at, _)| *at)
            .map(|(at, kind)| (at, *kind))
    };
    while let Some((at, (begin, end, delimiter))) = first(rest) {
        page.push_str(&rest[..at]);
        let inner = &rest[at + begin.len()..];
        let is_formula = |text: &str| !text.is_empty() && !text.contains(['<', '\n']);
        let text = inner
            .split_once(end)
            .filter(|(text, _)| delimiter.is_empty() || is_formula(text));
        match text {
            Some((text, after)) => {
                page.push_str(&mark(texts.len()));
                let text = plain(text);
                texts.push(if delimiter.is_empty() {
                    format!("\n\n{}\n\n", text.trim())
                } else {
                    format!("{delimiter}{text}{delimiter}")
                });
                rest = after;
            }
            None => {
                page.push_str(begin);
                rest = inner;
            }
        }
    }
    page + rest
}

/// Replaces the most common character references.
fn plain(html: &str) -> String {
    const NAMES: [(&str, &str); 7] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&le;", "\\le "),
        ("&amp;", "&"),
    ];
    NAMES
        .into_iter()
        .fold(html.to_owned(), |text, (name, character)| {
            text.replace(name, character)
        })
}

/// Marks preformatted text as code and the first row of a table as its header, as Markdown
/// requires.
fn with_code_and_headers(html: &str) -> String {
    let html = each_element(html, "pre", |begin, inner| {
        match inner.to_ascii_lowercase().contains("<code") {
            true => format!("{begin}{inner}</pre>"),
            false => format!("{begin}<code>{inner}</code></pre>"),
        }
    });
    each_element(&html, "table", |begin, inner| {
        let lower = inner.to_ascii_lowercase();
        let end = lower.find("</tr").unwrap_or(0);
        if lower.contains("<th") {
            return format!("{begin}{inner}</table>");
        }
        let head = replace_ignoring_case(
            &replace_ignoring_case(&inner[..end], "<td", "<th"),
            "</td",
            "</th",
        );
        format!("{begin}{head}{}</table>", &inner[end..])
    })
}

/// Replaces each element with a name, given its start tag and its content.
fn each_element(html: &str, name: &str, to: impl Fn(&str, &str) -> String) -> String {
    let lower = html.to_ascii_lowercase();
    let (begin, end) = (format!("<{name}"), format!("</{name}>"));
    let mut page = String::with_capacity(html.len());
    let mut at = 0;
    while let Some(start) = lower[at..].find(&begin).map(|found| at + found) {
        let inner = lower[start..].find('>').map(|found| start + found + 1);
        let close = inner.and_then(|inner| {
            lower[inner..]
                .find(&end)
                .map(|found| (inner, inner + found))
        });
        let Some((inner, close)) = close else { break };
        page.push_str(&html[at..start]);
        page.push_str(&to(&html[start..inner], &html[inner..close]));
        at = close + end.len();
    }
    page + &html[at..]
}

fn replace_ignoring_case(html: &str, what: &str, by: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let mut replaced = String::with_capacity(html.len());
    let mut at = 0;
    while let Some(found) = lower[at..].find(what).map(|found| at + found) {
        replaced.push_str(&html[at..found]);
        replaced.push_str(by);
        at = found + what.len();
    }
    replaced + &html[at..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn markdown(html: &str) -> String {
        to_markdown(html).unwrap()
    }

    #[test]
    fn pages_become_equivalent_markdown() {
        assert_eq!(
            markdown("<p>Print <b>twice</b> the number.</p>\r\n<p>0 &lt; n &lt;= 9</p>"),
            "Print **twice** the number.\n\n0 < n <= 9"
        );
        assert_eq!(
            markdown("10<sup>5</sup> and a<SUB>i</SUB>"),
            "10<sup>5</sup> and a<sub>i</sub>"
        );
        assert_eq!(
            markdown("<PRE>1  2\n3 &lt; 4</PRE>"),
            "```\n1  2\n3 < 4\n```"
        );
        let table = markdown(
            "<table border=1><tr><td>n</td><td>m</td></tr><tr><td>1</td><td>2</td></tr></table>",
        );
        assert_eq!(
            table.lines().filter(|line| line.starts_with('|')).count(),
            3,
            "{table}"
        );
        assert_eq!(
            markdown("<h3>Title</h3><ul><li>x<li>y</ul><script>f()</script>"),
            "### Title\n\n*   x\n*   y"
        );
        assert_eq!(
            markdown("a plain\ntext * with # signs"),
            "a plain\ntext * with # signs"
        );
    }

    #[test]
    fn formulas_and_markdown_are_unchanged() {
        assert_eq!(
            markdown("<p>$a_1 &lt; b_2*c_3$ and \\(x_1\\)</p>"),
            "$a_1 < b_2*c_3$ and $x_1$"
        );
        assert_eq!(
            markdown("<p>$$\\sum_{i=1}^n a_i$$</p>"),
            "$$\\sum_{i=1}^n a_i$$"
        );
        assert_eq!(
            markdown("<p>5$ <b>a_b</b></p>"),
            "5$ **a\\_b**",
            "a single dollar is not a formula"
        );
        assert_eq!(
            markdown("<span class=\"md\">\n### What\n- `x_1`\n</span>").trim(),
            "### What\n- `x_1`"
        );
    }

    #[test]
    fn expensive_pages_are_not_parsed() {
        assert!(to_markdown(&"<div>".repeat(100_000)).is_none());
        let open: String = (0..250).map(|number| format!("<b a={number}>")).collect();
        assert!(to_markdown(&(open + &"<p>x".repeat(100_000))).is_none());
        assert!(to_markdown(&"<p>x<br><b>y</b>".repeat(10_000)).is_some());
    }

    proptest! {
        #[test]
        fn arbitrary_html_does_not_panic(html in "(<p>|</p>|<pre>|</pre>|<table>|<td>|</table>|<span class=\"md\">|</span>|<sup>|[$\\\\()&;é\u{e000}x1\n<>])*") {
            to_markdown(&html);
        }
    }
}

//! Tests of the HTML of Markdown statements, including malicious ones.

use proptest::prelude::*;

use super::*;
use crate::{Excerpt, Sample, SampleContent};

fn rendered(text: &str, samples: usize) -> Rendered {
    let sample = |number: usize| Sample {
        arguments: Vec::new(),
        files: Vec::new(),
        content: SampleContent::Pair {
            input: Excerpt {
                text: format!("in{number}\n"),
                bytes_left_out: 0,
            },
            output: Excerpt {
                text: format!("out{number}\n"),
                bytes_left_out: 0,
            },
        },
    };
    let samples: Vec<Sample> = (1..=samples).map(sample).collect();
    let mut page = Rendered::default();
    let mut images = |address: &str| {
        let image = Image {
            media_type: "image/svg+xml",
            bytes: b"<svg/>".to_vec(),
        };
        (address == "there.svg").then_some(image)
    };
    push(
        &mut page,
        text,
        &mut Samples::new(&samples, "en"),
        &mut images,
    );
    page
}

fn reported(page: &Rendered) -> Vec<String> {
    page.remarks
        .iter()
        .map(|remark| format!("line {}: {remark}", remark.line))
        .collect()
}

fn html(text: &str) -> String {
    rendered(text, 0).html
}

#[test]
fn parts_of_the_format_are_typeset() {
    let text = "# Input\n\nThe *first* line has $n$.\n\n## Bounds\n\n| a | b |\n|--:|---|\n| 1 | 2 |\n\nSee[^1].\n\n[^1]: A note.\n";
    let html = html(text);
    for part in [
        "<h2>Input</h2>",
        "<h3>Bounds</h3>",
        "<em>first</em>",
        "<math display=\"inline\"><mi>n</mi></math>",
        "<div class=\"table\" tabindex=\"0\"><table>",
        "</table>\n</div>",
        "<td style=\"text-align: right\">1</td>",
        "footnote-definition",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    assert!(self::html("### A\n\n###### B\n").contains("<h2>A</h2>\n<h5>B</h5>"));
}

#[test]
fn images_are_in_the_page_or_marked_as_missing() {
    assert_eq!(
        html("![A *good* picture](there.svg \"t\")"),
        "<p><img src=\"data:image/svg+xml;base64,PHN2Zy8+\" alt=\"A good picture\"></p>\n"
    );
    let missing = html("![\"><script>](http://x/y.png)");
    assert!(
        missing.contains("[image: &quot;&gt;&lt;script&gt;]") && !missing.contains("http://x"),
        "{missing}"
    );
}

#[test]
fn malicious_text_does_not_become_markup() {
    for text in [
        "<script>alert(1)</script>",
        "a <script>alert(1)</script> b",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)>",
        "<iframe src=\"javascript:alert(1)\"></iframe>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<style>@import url(http://x)</style>",
        "<b onmouseover=alert(1)>x</b>",
        "<details open ontoggle=alert(1)>",
        "</main></body><script>alert(1)</script>",
        "```\"><script>alert(1)</script>\nx\n```",
        "`<script>alert(1)</script>`",
        "| <script> |\n|---|\n| <img src=x onerror=y> |",
        "[^\"><script>]\n\n[^\"><script>]: x",
        "$<script>alert(1)</script>$",
        "$\\text{<img src=x onerror=alert(1)>}$",
        "$$\\undefined<script>$$",
        "# <script> {onclick=x}",
    ] {
        let html = html(text);
        let lower = html.to_lowercase();
        for tag in [
            "<script",
            "<img",
            "<svg",
            "<iframe",
            "<style",
            "<details",
            "<body",
            "</main",
            "<a href=\"java",
            "<b on",
        ] {
            assert!(!lower.contains(tag), "{text} became {html}");
        }
    }
    for link in [
        "[x](javascript:alert(1))",
        "[x](data:text/html,y)",
        "<javascript:alert(1)>",
        "[x](vbscript:y)",
    ] {
        let html = html(link);
        assert!(
            html.contains("href=\"#\"") || !html.contains("href"),
            "{html}"
        );
    }
    let title = html("[x](https://example.org '\"onclick=\"y')");
    assert!(
        title.contains("href=\"https://example.org\"") && !title.contains("\"onclick"),
        "{title}"
    );
    assert!(html("<me@example.org>").contains("href=\"mailto:me@example.org\""));
}

#[test]
fn harmless_tags_are_kept_and_closed_with_their_paragraph() {
    assert_eq!(html("10<sup>9</sup><br>x"), "<p>10<sup>9</sup><br>x</p>\n");
    assert_eq!(html("<b>x\n\ny"), "<p><b>x</b></p>\n<p>y</p>\n");
}

#[test]
fn samples_replace_their_commands() {
    let page = rendered(
        "First.\n\n{{nextsample}}\n\nThen {{nextsample}} and `{{nextsample}}`.\n\n{{remainingsamples}}\n",
        3,
    );
    assert!(page.faults.is_empty(), "{:?}", page.faults);
    let at = |part: &str| {
        page.html
            .find(part)
            .unwrap_or_else(|| panic!("{part} in {}", page.html))
    };
    let order = [
        "First.",
        "in1",
        "out1",
        "Then ",
        "in2",
        " and <code>{{nextsample}}</code>",
        "in3",
    ]
    .map(at);
    assert!(order.is_sorted(), "{order:?} in {}", page.html);
    assert!(!page.html.contains("<p></p>"), "{}", page.html);
}

#[test]
fn misplaced_samples_are_reported() {
    let page = rendered(
        "Term\n: {{nextsample}}\n\n# A {{nextsample}}\n\n`{{nextsample}}` {{nosuch.name}} and {{ x }}\n",
        2,
    );
    assert!(
        page.html.contains("<dd><section") || page.html.contains("in1"),
        "{}",
        page.html
    );
    assert!(!page.html.contains("in2"), "{}", page.html);
    assert_eq!(
        reported(&page),
        [
            "line 4: `{{nextsample}}` is in a place where no sample can be shown, and is shown as written",
            "line 6: `{{nosuch.name}}` is neither a constant of the package nor a command for samples, and is shown as written",
        ]
    );
}

#[test]
fn colons_without_a_space_do_not_begin_definitions() {
    for text in ["Well\n:-)\n", "Well\n\n:-)\n", "a\n:::\nb\n", "a\n:b\n:c\n"] {
        let page = rendered(text, 0);
        assert!(!page.html.contains("<dl>"), "{text}: {}", page.html);
        assert!(
            !page.html.contains('\\') && page.html.contains(':'),
            "{}",
            page.html
        );
    }
    assert!(html("Term\n: Meaning\n").contains("<dl>"));
    assert!(html("```\nx\n:-)\n```\n").contains("x\n:-)\n"));
}

#[test]
fn only_nextsample_fails_without_samples() {
    let page = rendered(
        "{{nextsample}}\n\n{{nextsample}}\n\n{{remainingsamples}}",
        1,
    );
    assert_eq!(page.faults.len(), 1, "{:?}", page.faults);
    assert!(
        page.faults[0].contains("`{{nextsample}}`"),
        "{:?}",
        page.faults
    );
}

#[test]
fn unknown_formulas_are_shown_and_reported() {
    let page = rendered("Up to $\\maxn<1$.", 0);
    assert!(
        page.html
            .contains("<code class=\"formula\">\\maxn&lt;1</code>"),
        "{}",
        page.html
    );
    assert_eq!(page.remarks.len(), 1, "{:?}", page.remarks);
}

#[test]
fn unclosed_formulas_are_reported() {
    let remarks = |text: &str| reported(&rendered(text, 0));
    let found = remarks("# Input\n\nThere are $n$ numbers,\nof which $k are even.\n");
    assert_eq!(
        found,
        [
            "line 4: unclosed formula: no `$` ends `$k are even.`; write `\\$` for a literal dollar sign"
        ]
    );
    assert_eq!(remarks("at most $\\frac12\n").len(), 1);
    for text in [
        "It costs $5 or US$ 7.",
        "\\$x",
        "`$x`",
        "    $x\n",
        "```\n$x\n```\n",
        "$n$ and $$m$$",
        "a$b",
        "$",
        "x $ y",
    ] {
        assert_eq!(remarks(text), [""; 0], "{text}");
    }
}

#[test]
fn unknown_commands_in_formulas_are_reported_with_lines() {
    let page = rendered(
        "# A\n\n$a$ and\n$\\foo$.\n\n| x |\n|---|\n| $\\bar{\\odd}$ |\n",
        0,
    );
    let lines: Vec<usize> = page.remarks.iter().map(|remark| remark.line).collect();
    assert_eq!(lines, [4, 8], "{:?}", page.remarks);
    assert!(
        page.remarks[0]
            .what
            .ends_with("it has the unknown command `\\foo`"),
        "{:?}",
        page.remarks
    );
    let page = rendered("$\\text{if $x$ is \\'even}$", 0);
    assert!(
        page.remarks.is_empty() && page.html.contains("<mi>x</mi>") && page.html.contains("éven"),
        "{}",
        page.html
    );
}

#[test]
fn surplus_cells_are_marked_and_reported() {
    let page = rendered(
        "| a | b |\n|---|---|\n| 1 | $|x|$ y |\n| 2 | $\\vert x$ |\n| 3 | a \\| b |\n",
        0,
    );
    assert!(
        page.html
            .contains("<mark class=\"unknown\">| x|$ y</mark></td></tr>"),
        "{}",
        page.html
    );
    assert_eq!(page.remarks.len(), 1, "{:?}", page.remarks);
    assert_eq!(page.remarks[0].line, 3);
    assert!(
        page.remarks[0]
            .what
            .starts_with("a table row has 4 cells but the header has 2"),
        "{:?}",
        page.remarks
    );
    assert!(page.html.contains("<td>a | b</td>"), "{}", page.html);
    let whole = crate::markdown_to_tex("T", "| a |\n|---|\n| 1 | lost |\n");
    assert!(
        whole.left_out[0].starts_with("loses `lost` in line 3"),
        "{:?}",
        whole.left_out
    );
}

proptest! {
    #[test]
    fn words_of_tables_are_kept(words in proptest::collection::vec("[a-z]{4,8}", 1..9), columns in 1_usize..5) {
        let head = "| h ".repeat(columns) + "|\n" + &"|---".repeat(columns) + "|\n";
        let html = rendered(&format!("{head}| {} |\n", words.join(" | ")), 0).html;
        for word in &words {
            prop_assert!(html.contains(word.as_str()), "{} in {}", word, html);
        }
    }
}

//! `judge statement`: self-contained pages for any statement.

use std::fs;
use std::path::Path;

use crate::workspace::Workspace;

/// The problems of this repository.
const PROBLEMS: [&str; 5] = [
    "badtothebone",
    "cardpairing",
    "diceyproblem",
    "fiveup",
    "pousse",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Asserts that a page loads and runs nothing, and has the same number of start and end tags.
#[track_caller]
fn is_self_contained(html: &str) {
    let lower = html.to_lowercase();
    for forbidden in [
        "<script",
        "<link",
        "<iframe",
        "<object",
        "<embed",
        "javascript:",
        "@import",
        "src=\"http",
        "url(http",
    ] {
        assert!(!lower.contains(forbidden), "`{forbidden}` in:\n{html}");
    }
    for tag in [
        "p", "section", "div", "table", "figure", "pre", "math", "h2", "li",
    ] {
        let opened =
            html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
        assert_eq!(
            opened,
            html.matches(&format!("</{tag}>")).count(),
            "<{tag}> in:\n{html}"
        );
    }
}

#[test]
fn the_problems_of_this_repository_are_typeset() {
    let workspace = Workspace::new();
    let pages = workspace.path("pages");
    let here = root().to_str().unwrap();
    let output = workspace
        .judge(["-C", here, "statement", "--output", pages.to_str().unwrap()])
        .exits(0);
    assert_eq!(output.stderr, "", "every formula and image is typeset");
    for name in PROBLEMS {
        output.stdout_has(&[&format!("{name}.en.html is written")]);
        let html = fs::read_to_string(pages.join(format!("{name}.en.html"))).unwrap();
        is_self_contained(&html);
        let sample =
            fs::read_to_string(root().join(format!("problems/{name}/data/sample/1.in"))).unwrap();
        // Their Python solutions need more than half of a second.
        let limit = if ["cardpairing", "pousse"].contains(&name) {
            "<dd>2 s</dd>"
        } else {
            "<dd>1 s</dd>"
        };
        for part in [
            "<h1>",
            "Time limit",
            limit,
            "<dd>256 MiB</dd>",
            "CC BY-SA",
            "<math",
            "Sample 1",
        ] {
            assert!(html.contains(part), "{name}: no `{part}`");
        }
        assert!(
            html.contains("<img src=\"data:image/svg+xml;base64,"),
            "{name}: its image is in the page"
        );
        let first = sample.lines().next().unwrap();
        assert!(
            html.contains(&format!("<pre tabindex=\"0\">\n{first}")),
            "{name}: its sample is in the page"
        );
        assert!(
            !html.contains("class=\"formula\"") && !html.contains("class=\"missing\""),
            "{name}"
        );
    }
    // Replaced without a question, because `judge statement` wrote these pages.
    workspace
        .judge(["-C", here, "statement", "--output", pages.to_str().unwrap()])
        .exits(0);
}

#[test]
fn only_single_pages_go_to_standard_output() {
    let workspace = Workspace::new();
    for name in ["one", "two"] {
        workspace.sum(name);
        workspace.write(
            &format!("problems/{name}/statement/problem.en.md"),
            "Add.\n",
        );
    }
    let output = workspace.judge(["statement", "one"]).exits(0);
    assert!(
        output.stdout.starts_with("<!DOCTYPE html>") && output.stdout.contains("<p>Add.</p>"),
        "{output:?}"
    );
    workspace
        .judge(["statement"])
        .exits(2)
        .stderr_has(&["one page, found 2", "--output DIR"]);
    workspace
        .judge(["statement", "one", "-o", "page.html"])
        .exits(0)
        .stdout_has(&["page.html is written"]);
    workspace.write("mine.html", "<p>mine\n");
    let output = workspace
        .judge(["statement", "one", "-o", "mine.html"])
        .exits(2);
    output.stderr_has(&["`mine.html` was not written by `judge statement`"]);
    assert_eq!(
        fs::read_to_string(workspace.path("mine.html")).unwrap(),
        "<p>mine\n"
    );
}

#[test]
fn languages_are_chosen() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    let yaml = fs::read_to_string(workspace.path("problems/sum/problem.yaml")).unwrap();
    let yaml = yaml.replace("name: The Problem sum", "name: {en: Sum, sv: Summa}");
    workspace.write("problems/sum/problem.yaml", yaml);
    workspace.write("problems/sum/statement/problem.en.md", "English.\n");
    workspace.write("problems/sum/statement/problem.sv.md", "Svenska.\n");
    let output = workspace.judge(["statement"]).exits(0);
    output.stdout_has(&["<html lang=\"en\">", "<h1>Sum</h1>", "English."]);
    let output = workspace.judge(["statement", "--language", "sv"]).exits(0);
    output.stdout_has(&["<html lang=\"sv\">", "<h1>Summa</h1>", "Svenska."]);
    let output = workspace.judge(["statement", "--language", "fr"]).exits(5);
    output.stderr_has(&["problems/sum: the statement is missing in `fr`; found `en`, `sv`"]);
    let output = workspace
        .judge(["statement", "--language", "all", "--output", "pages/"])
        .exits(0);
    output.stdout_has(&[
        "pages/sum.en.html is written",
        "pages/sum.sv.html is written",
    ]);
}

#[test]
fn constants_and_samples_are_inserted() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    let yaml = fs::read_to_string(workspace.path("problems/sum/problem.yaml")).unwrap();
    workspace.write(
        "problems/sum/problem.yaml",
        yaml + "constants: {n: {value: 1000, tex: '1\\,000'}}\n",
    );
    workspace.case("sum", "sample/2", "7 8\n", "15\n");
    let text = "At most ${{n.tex}}$, that is {{n}}.\n\n{{nextsample}}\n\nBetween.\n";
    workspace.write("problems/sum/statement/problem.en.md", text);
    let output = workspace.judge(["statement"]).exits(0);
    output.stdout_has(&[
        "<mn>1</mn>",
        "<mn>000</mn>",
        "that is 1000.",
        "Sample 1",
        "1 2",
        "Between.",
        "Sample 2",
        "7 8",
    ]);
    is_self_contained(&output.stdout);
    workspace.write(
        "problems/sum/statement/problem.en.md",
        "{{nextsample}}{{nextsample}}{{nextsample}}\n",
    );
    let output = workspace.judge(["statement"]).exits(3);
    output.stderr_has(&[
        "problems/sum/statement/problem.en.md: `{{nextsample}}` requires a sample, but no sample is left",
    ]);
}

#[test]
fn conversations_are_shown_in_two_columns() {
    let workspace = Workspace::new();
    for (kind, words) in [
        (
            "interactive",
            &[
                "Kind",
                "interactive",
                "The judge writes",
                "The submission writes",
            ][..],
        ),
        ("multi-pass", &["run up to 2 times", "Pass 1", "Pass 2"]),
    ] {
        let name = kind.replace('-', "");
        workspace.judge(["new", &name, "--type", kind]).exits(0);
        let output = workspace.judge(["statement", &name]).exits(0);
        output.stdout_has(words);
        is_self_contained(&output.stdout);
    }
}

#[test]
fn hostile_statements_neither_run_scripts_nor_read_files() {
    let workspace = Workspace::new();
    workspace.problem(
        "bad",
        "source:\n  name: <script>alert(2)</script>\n  url: javascript:alert(3)\n",
    );
    workspace.case(
        "bad",
        "sample/1",
        "<script>alert(4)</script>\n",
        "</pre><img src=x onerror=alert(5)>\n",
    );
    workspace.case("bad", "secret/1", "1\n", "1\n");
    workspace.write("secret.png", "not for readers");
    let text = "<script>alert(1)</script>\n\n![a](../../../secret.png) ![b](/etc/passwd) ![c](https://x.example/y.png) \
                ![d](j.svg)\n\n[x](javascript:alert(6))\n\n$\\text{<script>alert(7)</script>}$\n";
    workspace.write("problems/bad/statement/problem.en.md", text);
    // A drawing may run scripts when it is opened, but not as an image.
    workspace.write(
        "problems/bad/statement/j.svg",
        "<svg xmlns='http://www.w3.org/2000/svg'><script>x</script></svg>",
    );
    let output = workspace.judge(["statement", "bad"]).exits(3);
    output.stderr_has(&[
        "`../../../secret.png`, which cannot be shown: it is outside of the package",
    ]);
    output.stderr_has(&["`/etc/passwd`, which is in none of the formats"]);
    output.stderr_has(&["`https://x.example/y.png`, which is not a file of the package"]);
    is_self_contained(&output.stdout);
    assert!(
        !output
            .stdout
            .to_lowercase()
            .contains("onerror=alert(5)>\n<")
            && !output.stdout.contains("<img src=x")
    );
    assert!(
        output.stdout.contains("default-src 'none'"),
        "{}",
        output.stdout
    );
}

#[test]
fn unsupported_latex_is_reported() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    let text = "\\problemname{Sum}\nAdd $a$ and \\emph{b}.\n\n\\foo{all} \\input{/etc/passwd}\n";
    workspace.write("problems/sum/statement/problem.en.tex", text);
    let output = workspace.judge(["statement"]).exits(0);
    output.stdout_has(&[
        "Add <math",
        "<em>b</em>",
        "<mark class=\"unknown\">\\foo</mark>all",
        "Sample 1",
    ]);
    is_self_contained(&output.stdout);
    output.stderr_has(&[
        "note: problems/sum/statement/problem.en.tex: line 4: `\\foo` is unknown, and is shown as written",
        "`\\input` is unknown",
    ]);
    workspace.remove("problems/sum/statement/problem.en.tex");
    workspace
        .judge(["statement"])
        .exits(5)
        .stderr_has(&["problems/sum: the statement is missing"]);
    workspace.write(
        "problems/sum/statement/problem.en.md",
        "$\\maxn$ and $\\mu$\n",
    );
    let output = workspace.judge(["statement"]).exits(0);
    output.stderr_has(&[
        "note: problems/sum/statement/problem.en.md: line 1: the formula `\\maxn` is shown as written: it has the unknown \
         command `\\maxn`",
    ]);
    let text: String = (1..=9)
        .map(|number| format!("\\foo{}\n\n", "x".repeat(number)))
        .collect();
    workspace.remove("problems/sum/statement/problem.en.md");
    workspace.write("problems/sum/statement/problem.en.tex", text);
    let output = workspace.judge(["statement"]).exits(0);
    output.stderr_has(&["4 more parts are not rendered as intended, in lines 11, 13, 15, 17"]);
}

//! The page around a statement: its head, its facts, its style.
//!
//! Responsible for a page that loads nothing, runs nothing, and can be read on any screen and aloud.

use crate::escape::{escaped, is_harmless, push};
use crate::facts::{MEMORY_LIMIT, TIME_LIMIT};
use crate::latex::{Around, push_latex};
use crate::markdown;
use crate::sample::Samples;
use crate::terms::Terms;
use crate::{Body, Fact, Image, Page, Rendered};

const STYLE: &str = include_str!("page.css");

/// The head of every page. By it pages that were written here are known from those that were not.
const HEAD: &str = "<!DOCTYPE html>\n<!-- Written by `judge statement`. -->\n";

/// Images are part of the page, scripts do not exist, and nothing is fetched: even if something hostile came through,
/// it could do nothing.
const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page. `images` gives the image at an address, which is written relative to the statement; without one, its
/// description is shown.
#[must_use]
pub fn render(page: &Page, images: &mut dyn FnMut(&str) -> Option<Image>) -> Rendered {
    let mut rendered = Rendered::default();
    push_head(&mut rendered.html, &page.language, &page.title);
    push_problem(&mut rendered, page, None, images);
    end_page(&mut rendered.html);
    rendered
}

impl Page {
    /// The problem's name, and nothing else.
    pub(crate) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.title)
    }

    /// The time limit in seconds, from the facts.
    pub(crate) fn time_limit(&self) -> Option<&str> {
        let part = self.facts.iter().find(|fact| fact.label == TIME_LIMIT)?.parts.first()?;
        part.text.strip_suffix(" s")
    }
}

/// Appends a problem: its head, its statement, its samples.
pub(crate) fn push_problem(
    rendered: &mut Rendered,
    page: &Page,
    letter: Option<&str>,
    images: &mut dyn FnMut(&str) -> Option<Image>,
) {
    push_header(&mut rendered.html, page, letter);
    let mut samples = Samples::new(&page.samples, &page.language);
    rendered.html.push_str("<div class=\"statement\">\n");
    match &page.body {
        Body::Markdown(text) => markdown::push(rendered, text, &mut samples, images),
        Body::Latex { text, constants } => {
            let around = Around {
                language: &page.language,
                title: page.name(),
                letter,
                time_limit: page.time_limit(),
                constants,
            };
            push_latex(rendered, text, &around, &mut samples, images);
        }
        Body::NotTypeset { why, source } => push_untypeset(&mut rendered.html, why, source.as_deref()),
    }
    rendered.html.push_str("</div>\n");
    samples.remaining(&mut rendered.html);
}

pub(crate) fn end_page(html: &mut String) {
    html.push_str("</main>\n</body>\n</html>\n");
}

/// True when these bytes begin a page that was made by [`render`].
#[must_use]
pub fn is_page(bytes: &[u8]) -> bool {
    bytes.starts_with(HEAD.as_bytes())
}

/// Appends all that comes before the first problem.
pub(crate) fn push_head(html: &mut String, language: &str, title: &str) {
    let (language, title) = (escaped(language), escaped(title));
    html.push_str(HEAD);
    html.push_str(&format!(
        "<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main>\n"
    ));
}

fn push_header(html: &mut String, page: &Page, letter: Option<&str>) {
    let letter = letter.map(|letter| format!("<span class=\"letter\">{letter}</span> ")).unwrap_or_default();
    html.push_str(&format!("<header>\n<h1>{letter}{}</h1>\n", escaped(&page.title)));
    if !page.facts.is_empty() {
        html.push_str("<dl lang=\"en\">\n");
        page.facts.iter().for_each(|fact| push_fact(html, fact, &page.language));
        html.push_str("</dl>\n");
    }
    html.push_str("</header>\n");
}

/// The label of a fact in that language; `None` where it stays English.
pub(crate) fn label_in(label: &str, language: &str) -> Option<&'static str> {
    let terms = Terms::known(language)?;
    match label {
        TIME_LIMIT => Some(terms.time_limit),
        MEMORY_LIMIT => Some(terms.memory_limit),
        _ => None,
    }
}

fn push_fact(html: &mut String, fact: &Fact, language: &str) {
    match label_in(&fact.label, language) {
        Some(label) => html.push_str(&format!("<div><dt lang=\"{}\">{}", escaped(language), escaped(label))),
        None => html.push_str(&format!("<div><dt>{}", escaped(&fact.label))),
    }
    html.push_str("</dt><dd>");
    for (index, part) in fact.parts.iter().enumerate() {
        if index > 0 {
            html.push_str(", ");
        }
        let url = part.url.as_deref().filter(|url| is_harmless(url) && url.starts_with("http"));
        match url {
            Some(url) => html.push_str(&format!("<a href=\"{}\">{}</a>", escaped(url), escaped(&part.text))),
            None => push(html, &part.text),
        }
    }
    html.push_str("</dd></div>\n");
}

fn push_untypeset(html: &mut String, why: &str, source: Option<&str>) {
    html.push_str("<p class=\"note\" lang=\"en\">");
    push(html, why);
    html.push_str("</p>\n");
    if let Some(source) = source {
        html.push_str("<details><summary lang=\"en\">Its source</summary>\n<pre tabindex=\"0\">\n");
        push(html, source);
        html.push_str("</pre></details>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Excerpt, Part, Sample, SampleContent};

    fn part(text: &str, url: Option<&str>) -> Part {
        Part { text: text.into(), url: url.map(str::to_owned) }
    }

    fn page(body: Body) -> Page {
        let talk = Excerpt { text: "<1\n>2\n".into(), bytes_left_out: 0 };
        Page {
            language: "sv".into(),
            title: "A <b>name</b>".into(),
            name: None,
            facts: vec![
                Fact { label: "Time limit".into(), parts: vec![part("1 s", None)] },
                Fact {
                    label: "Source".into(),
                    parts: vec![
                        part("A & B", Some("https://example.org/?a&b")),
                        part("C", Some("javascript:alert(1)")),
                        part("D", None),
                    ],
                },
            ],
            body,
            samples: vec![Sample {
                arguments: Vec::new(),
                files: Vec::new(),
                content: SampleContent::Interaction(talk),
            }],
        }
    }

    #[test]
    fn the_page_has_its_facts_its_text_and_its_samples() {
        let rendered = render(&page(Body::Markdown("*Hej*.".into())), &mut |_| None);
        let html = &rendered.html;
        assert!(is_page(html.as_bytes()) && !is_page(b"<!DOCTYPE html>\n<html>"));
        for part in [
            "<html lang=\"sv\">",
            "<h1>A &lt;b&gt;name&lt;/b&gt;</h1>",
            "<title>A &lt;b&gt;name&lt;/b&gt;</title>",
            "<dt lang=\"sv\">Tidsgräns</dt><dd>1 s</dd>",
            "<dt>Source</dt>",
            "<a href=\"https://example.org/?a&amp;b\">A &amp; B</a>, C, D",
            "<p><em>Hej</em>.</p>",
            "<h2 id=\"sample-1\">Exempel 1</h2>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert!(!html.contains("javascript"), "{html}");
        assert_eq!(html.matches("<script").count(), 0);
    }

    #[test]
    fn what_is_not_typeset_is_said_and_shown_as_it_is() {
        let body = Body::NotTypeset { why: "It is TeX.".into(), source: Some("\\problemname{<script>}".into()) };
        let html = render(&page(body), &mut |_| None).html;
        assert!(html.contains("It is TeX.") && html.contains("\\problemname{&lt;script&gt;}"), "{html}");
        assert!(html.contains("Exempel 1"), "{html}");
    }
}

//! The page around a statement: header, facts, style.
//!
//! Responsible for pages that load no resources, run no scripts, and are accessible on any screen
//! and to screen readers.

use crate::escape::{escaped, is_harmless, push};
use crate::facts::{KIND, TIME_LIMIT, label_in};
use crate::latex::{ProblemContext, push_latex};
use crate::markdown;
use crate::sample::Samples;
use crate::words::Words;
use crate::{Body, Fact, Image, Page, Rendered};

/// The text that replaces a PDF statement on a page.
pub const PDF_NOTE: &str = "the statement is a PDF, which is not part of the page";

const STYLE: &str = include_str!("page.css");

/// The head of every page, which identifies pages written here.
const HEAD: &str = "<!DOCTYPE html>\n<!-- Written by `judge statement`. -->\n";

/// The Content-Security-Policy: images are part of the page, and no script or other resource is
/// loaded. Even malicious markup that was not escaped would have no effect.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Renders a page. `images` returns the image at an address, which is relative to the statement.
/// The description of a missing image is shown instead.
#[must_use]
pub fn render(page: &Page, images: &mut dyn FnMut(&str) -> Option<Image>) -> Rendered {
    let mut rendered = Rendered::default();
    push_head(&mut rendered.html, &page.language, &page.title);
    push_problem(&mut rendered, page, None, images);
    end_page(&mut rendered.html);
    rendered
}

impl Page {
    /// The name of the problem without additions.
    pub(crate) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.title)
    }

    /// The time limit in seconds, from the facts.
    pub(crate) fn time_limit(&self) -> Option<&str> {
        let part = self
            .facts
            .iter()
            .find(|fact| fact.label == TIME_LIMIT)?
            .parts
            .first()?;
        part.text.strip_suffix(" s")
    }
}

/// Appends a problem: its header, statement and samples.
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
            let problem = ProblemContext {
                words: Words::for_language(&page.language),
                title: page.name(),
                letter,
                time_limit: page.time_limit(),
                constants,
            };
            push_latex(rendered, text, &problem, &mut samples, images);
        }
        Body::Pdf => {
            rendered
                .html
                .push_str(&format!("<p class=\"note\" lang=\"en\">{PDF_NOTE}</p>\n"));
        }
    }
    rendered.html.push_str("</div>\n");
    samples.remaining(&mut rendered.html);
}

pub(crate) fn end_page(html: &mut String) {
    html.push_str("</main>\n</body>\n</html>\n");
}

/// True if these bytes begin a page written by [`render`].
#[must_use]
pub fn is_page(bytes: &[u8]) -> bool {
    bytes.starts_with(HEAD.as_bytes())
}

/// Appends the part before the first problem.
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
    let letter = letter
        .map(|letter| format!("<span class=\"letter\">{letter}</span> "))
        .unwrap_or_default();
    html.push_str(&format!(
        "<header>\n<h1>{letter}{}</h1>\n",
        escaped(&page.title)
    ));
    if !page.facts.is_empty() {
        html.push_str("<dl lang=\"en\">\n");
        for fact in &page.facts {
            push_fact(html, fact, &page.language);
        }
        html.push_str("</dl>\n");
    }
    html.push_str("</header>\n");
}

fn push_fact(html: &mut String, fact: &Fact, language: &str) {
    let words = Words::for_language(language);
    match label_in(&fact.label, &words) {
        Some(label) => html.push_str(&format!(
            "<div><dt lang=\"{}\">{}",
            escaped(language),
            escaped(label)
        )),
        None => html.push_str(&format!("<div><dt>{}", escaped(&fact.label))),
    }
    match fact.label == KIND && words.is_complete {
        true => html.push_str(&format!("</dt><dd lang=\"{}\">", escaped(language))),
        false => html.push_str("</dt><dd>"),
    }
    for (index, part) in fact.parts.iter().enumerate() {
        if index > 0 {
            html.push_str(", ");
        }
        let url = part
            .url
            .as_deref()
            .filter(|url| is_harmless(url) && url.starts_with("http"));
        match url {
            Some(url) => html.push_str(&format!(
                "<a href=\"{}\">{}</a>",
                escaped(url),
                escaped(&part.text)
            )),
            None => push(html, &part.text),
        }
    }
    html.push_str("</dd></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Excerpt, Part, Sample, SampleContent};

    fn part(text: &str, url: Option<&str>) -> Part {
        Part {
            text: text.into(),
            url: url.map(str::to_owned),
        }
    }

    fn page(body: Body) -> Page {
        let interaction = Excerpt {
            text: "<1\n>2\n".into(),
            bytes_left_out: 0,
        };
        Page {
            language: "sv".into(),
            title: "A <b>name</b>".into(),
            name: None,
            facts: vec![
                Fact {
                    label: "Time limit".into(),
                    parts: vec![part("1 s", None)],
                },
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
                content: SampleContent::Interaction(interaction),
            }],
        }
    }

    #[test]
    fn pages_have_facts_text_and_samples() {
        let rendered = render(&page(Body::Markdown("*Hej*.".into())), &mut |_| None);
        let html = &rendered.html;
        assert!(is_page(html.as_bytes()) && !is_page(b"<!DOCTYPE html>\n<html>"));
        for part in [
            "<html lang=\"sv\">",
            "<h1>A &lt;b&gt;name&lt;/b&gt;</h1>",
            "<title>A &lt;b&gt;name&lt;/b&gt;</title>",
            "<dt lang=\"sv\">Tidsgräns</dt><dd>1 s</dd>",
            "<dt lang=\"sv\">Källa</dt>",
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
    fn statements_in_pdf_are_not_part_of_the_page() {
        let html = render(&page(Body::Pdf), &mut |_| None).html;
        assert!(
            html.contains("the statement is a PDF") && html.contains("Exempel 1"),
            "{html}"
        );
    }
}

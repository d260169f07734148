//! Booklets: several problems on one HTML page, with a cover.
//!
//! Responsible for the cover and the letters of problems. Must not know the language of a
//! statement.

use crate::escape::{escaped, push};
use crate::page::{end_page, push_head, push_problem};
use crate::{Image, Page, Rendered};

/// The cover of a booklet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// The language of the cover, such as `en`.
    pub language: String,
    /// The name of the contest.
    pub title: String,
    /// Further lines, such as a date and a place.
    pub lines: Vec<String>,
    /// The position of each page's problem in the contest, from 0. Empty if the pages are all
    /// problems of the contest.
    pub places: Vec<usize>,
}

impl Cover {
    /// Returns the letter of the problem on a page.
    pub(crate) fn letter(&self, page: usize) -> String {
        letter(self.places.get(page).copied().unwrap_or(page))
    }
}

/// Returns the letter of a problem by its index: A, B, …, Z, AA.
#[must_use]
pub fn letter(index: usize) -> String {
    let (mut rest, mut letters) = (index + 1, Vec::new());
    while rest > 0 {
        letters.push(char::from(
            b'A' + u8::try_from((rest - 1) % 26).unwrap_or_default(),
        ));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// Renders a booklet as one page, and returns it with the faults and remarks of each statement.
/// `images` returns the image at an address in the statement with that index.
#[must_use]
pub fn render_booklet(
    pages: &[Page],
    cover: &Cover,
    images: &mut dyn FnMut(usize, &str) -> Option<Image>,
) -> (String, Vec<Rendered>) {
    let mut html = String::new();
    push_head(&mut html, &cover.language, &cover.title);
    html.push_str("<section class=\"cover\">\n<h1>");
    push(&mut html, &cover.title);
    html.push_str("</h1>\n");
    for line in &cover.lines {
        html.push_str(&format!("<p>{}</p>\n", escaped(line)));
    }
    html.push_str("<nav><ol>\n");
    for (index, page) in pages.iter().enumerate() {
        let (letter, title) = (cover.letter(index), escaped(&page.title));
        html.push_str(&format!(
            "<li><a href=\"#problem-{letter}\"><b>{letter}</b> <span>{title}</span></a></li>\n"
        ));
    }
    html.push_str("</ol></nav>\n</section>\n");
    let mut rendered = Vec::new();
    for (index, page) in pages.iter().enumerate() {
        let letter = cover.letter(index);
        let language = escaped(&page.language);
        let mut problem = Rendered::default();
        push_problem(&mut problem, page, Some(&letter), &mut |address| {
            images(index, address)
        });
        html.push_str(&format!(
            "<article id=\"problem-{letter}\" lang=\"{language}\">\n"
        ));
        html.push_str(&with_letter_in_anchors(
            &std::mem::take(&mut problem.html),
            &letter,
        ));
        html.push_str("</article>\n");
        rendered.push(problem);
    }
    end_page(&mut html);
    (html, rendered)
}

/// Adds the letter of a problem to each anchor, since the anchors of samples and footnotes are the
/// same in every statement. Authors cannot write these attributes, since each `"` is escaped.
fn with_letter_in_anchors(html: &str, letter: &str) -> String {
    ["id=\"", "href=\"#"]
        .iter()
        .fold(html.to_owned(), |html, mark| {
            html.replace(&format!(" {mark}"), &format!(" {mark}{letter}-"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Body;

    #[test]
    fn letters_continue_after_z() {
        let letters: Vec<String> = [0, 1, 25, 26, 27, 701, 702].map(letter).to_vec();
        assert_eq!(letters, ["A", "B", "Z", "AA", "AB", "ZZ", "AAA"]);
    }

    #[test]
    fn problems_of_a_booklet_do_not_share_anchors() {
        let page = |title: &str| Page {
            language: "en".into(),
            title: title.into(),
            body: Body::Markdown("See[^1]. `id=\"x\"`\n\n[^1]: There.\n".into()),
            ..Page::default()
        };
        let cover = Cover {
            language: "en".into(),
            title: "A & B".into(),
            lines: vec!["<2026>".into()],
            places: Vec::new(),
        };
        let (html, rendered) =
            render_booklet(&[page("One"), page("Two")], &cover, &mut |_, _| None);
        assert_eq!(rendered.len(), 2);
        for part in [
            "<title>A &amp; B</title>",
            "&lt;2026&gt;",
            "<a href=\"#problem-B\"><b>B</b> <span>Two</span></a>",
            "<article id=\"problem-A\" lang=\"en\">",
            "href=\"#A-1\"",
            "href=\"#B-1\"",
            " id=\"B-1\"",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert!(!html.contains(" id=\"1\"") && crate::is_page(html.as_bytes()));
        // Letters follow the contest even if problems are missing.
        let cover = Cover {
            places: vec![1, 3],
            ..cover
        };
        let pages = [page("One"), page("Two")];
        let (html, _) = render_booklet(&pages, &cover, &mut |_, _| None);
        for part in [
            "<b>B</b> <span>One",
            "<b>D</b> <span>Two",
            "id=\"problem-B\"",
            "<span class=\"letter\">D</span> Two",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        let tex = &crate::tex_document(&pages, Some(&cover)).files[0].1;
        assert!(
            tex.contains("\\textbf{B} & One") && tex.contains("{D\\quad Two}{Two}{D}"),
            "{tex}"
        );
    }
}

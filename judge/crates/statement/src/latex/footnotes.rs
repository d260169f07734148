//! Footnotes: their marks in the text, and their texts at the end of the page, in the order of the marks.
//!
//! Must not know how their text is read.

use super::{Kind, Writer};

impl Writer<'_, '_> {
    /// A footnote: its mark here, its text below.
    pub(super) fn footnote(&mut self) {
        self.reader.option();
        let index = self.mark();
        self.note(index);
    }

    /// A mark whose text comes later.
    pub(super) fn footnote_mark(&mut self) {
        let again = self.reader.option().and_then(|number| number.trim().parse().ok());
        // That of a footnote that is there already.
        if let Some(number) = again.filter(|number| (1..=self.notes.len()).contains(number)) {
            return self.push_mark(number);
        }
        let index = self.mark();
        self.marks.push_back(index);
    }

    /// The text of the first mark that has none yet; where there is no such mark it gets one, for a page has no other place for it.
    pub(super) fn footnote_text(&mut self) {
        self.reader.option();
        let index = self.marks.pop_front().unwrap_or_else(|| self.mark());
        self.note(index);
    }

    fn mark(&mut self) -> usize {
        self.notes.push(String::new());
        self.push_mark(self.notes.len());
        self.notes.len() - 1
    }

    fn push_mark(&mut self, number: usize) {
        self.inline(&format!("<sup><a href=\"#note-{number}\">{number}</a></sup>"));
    }

    /// Opens the text of a footnote, which follows.
    fn note(&mut self, index: usize) {
        self.reader.blanks();
        if !self.reader.takes('{') || self.frames.len() >= super::MOST_DEPTH {
            return;
        }
        let around = std::mem::take(&mut self.html);
        let open = std::mem::take(&mut self.open);
        self.blank = false;
        let kind = Kind::Note(index, around, std::mem::take(&mut self.in_paragraph), open);
        self.enter(None, String::new(), kind);
        self.styles.clear();
    }

    /// Appends the texts of all footnotes.
    pub(super) fn push_notes(&mut self) {
        for _ in 0..std::mem::take(&mut self.marks).len() {
            self.count("`\\footnotemark` has no `\\footnotetext`, so that its footnote is empty".to_owned());
        }
        for (index, note) in self.notes.iter().enumerate() {
            let number = index + 1;
            self.html.push_str(&format!(
                "<div class=\"footnote-definition\" id=\"note-{number}\"><sup class=\"footnote-definition-label\">{number}</sup>{note}</div>\n"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{html, told};

    #[test]
    fn footnotes_are_in_the_order_of_their_marks() {
        let nested = html("a\\footnote{b\\footnote{c} d} e\\footnote{f}");
        let places: Vec<usize> = [
            "<p>a<sup><a href=\"#note-1\">1</a></sup> e<sup><a href=\"#note-3\">3",
            ">1</sup>b",
            "\"#note-2\">2</a></sup> d",
            ">2</sup>c",
            ">3</sup>f",
        ]
        .map(|part| nested.find(part).unwrap_or_else(|| panic!("{part} in {nested}")))
        .to_vec();
        assert!(places.is_sorted(), "{nested}");
        let apart = html("a\\footnotemark{} b\\footnotemark[1] c\\footnotemark d\n\\footnotetext{e}\\footnotetext{f}");
        assert_eq!(apart.matches("note-1\">1</a>").count(), 2, "{apart}");
        assert!(apart.contains(">1</sup>e") && apart.contains(">2</sup>f"), "{apart}");
        assert_eq!(
            told("a\\footnotemark b"),
            ["line 1: `\\footnotemark` has no `\\footnotetext`, so that its footnote is empty"]
        );
    }
}

//! Footnotes: marks in the text, and notes at the end of the page in the order of their marks.
//!
//! Must not know how text is read.

use super::{Kind, Writer};

impl Writer<'_, '_> {
    /// Writes the mark of a footnote, and opens its text, which is shown below.
    pub(super) fn footnote(&mut self) {
        self.reader.option();
        self.notes.push(String::new());
        let number = self.notes.len();
        self.inline(&format!(
            "<sup><a href=\"#note-{number}\">{number}</a></sup>"
        ));
        self.reader.skip_spaces();
        if !self.reader.takes('{') || self.frames.len() >= super::MAX_DEPTH {
            return;
        }
        let outer_html = std::mem::take(&mut self.html);
        let open = std::mem::take(&mut self.open);
        self.space = false;
        let kind = Kind::Note(
            number - 1,
            outer_html,
            std::mem::take(&mut self.in_paragraph),
            open,
        );
        self.enter(None, "", kind);
        self.styles.clear();
    }

    /// Appends the texts of all footnotes.
    pub(super) fn push_notes(&mut self) {
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
    use super::super::tests::html;

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
        .map(|part| {
            nested
                .find(part)
                .unwrap_or_else(|| panic!("{part} in {nested}"))
        })
        .to_vec();
        assert!(places.is_sorted(), "{nested}");
    }
}

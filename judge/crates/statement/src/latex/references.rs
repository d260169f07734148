//! References: the numbers of figures and tables, and the words that refer to them.
//!
//! Responsible for that a reference finds its label wherever that stands. Must not know how text is read.

use std::collections::BTreeMap;

use super::Writer;
use crate::escape::escaped;
use crate::words::{Captioned, numbered};

/// Labels and references of a statement. Until the end, a reference is a tag that no author can write, as every `<` of theirs is
/// escaped.
#[derive(Default)]
pub(super) struct References {
    figures: usize,
    tables: usize,
    /// The number that a label gets here.
    number: Option<usize>,
    /// What a label gets within an item of a list.
    item: Option<String>,
    labels: BTreeMap<String, String>,
    /// The label that each reference names, with the line.
    references: Vec<(String, usize)>,
}

impl References {
    /// Sets what a label within the item that follows gets.
    pub(super) fn set_item(&mut self, text: String) {
        self.item = Some(text);
    }
}

impl Writer<'_, '_> {
    /// The innermost figure or table that is open, without its star; parts of a figure have no number.
    fn captioned(&self) -> Option<&str> {
        let names = self.frames.iter().rev().filter_map(|frame| frame.name.as_deref());
        let mut names = names.map(|name| name.trim_end_matches('*'));
        names.find(|name| matches!(*name, "figure" | "wrapfigure" | "SCfigure" | "subfigure" | "table" | "wraptable"))
    }

    /// The start of a caption, with its number unless it has a star, as LaTeX has it.
    pub(super) fn caption_start(&mut self, is_starred: bool) -> String {
        let (what, counter) = match self.captioned() {
            Some("figure" | "wrapfigure" | "SCfigure") => (Captioned::Figure, &mut self.references.figures),
            Some("table" | "wraptable") => (Captioned::Table, &mut self.references.tables),
            _ => {
                self.references.number = None;
                return "<figcaption>".to_owned();
            }
        };
        if is_starred {
            return "<figcaption>".to_owned();
        }
        *counter += 1;
        let number = *counter;
        self.references.number = Some(number);
        format!("<figcaption>{}: ", numbered(what, &number.to_string(), self.around.language))
    }

    pub(super) fn label(&mut self) {
        let label = self.reader.argument();
        let text = match (self.captioned(), self.references.number) {
            (Some(_), Some(number)) => Some(number.to_string()),
            (Some(_), None) => None,
            (None, _) => self.references.item.clone().filter(|_| self.is_in_list()),
        };
        if let Some(text) = text {
            self.references.labels.insert(label.trim().to_owned(), text);
        }
    }

    pub(super) fn reference(&mut self) {
        let label = self.reader.argument().trim().to_owned();
        self.inline(&format!("<ref {}>", self.references.references.len()));
        self.references.references.push((label, self.line));
    }

    /// A new figure or table has no number before its caption.
    pub(super) fn forget_number(&mut self) {
        self.references.number = None;
    }

    /// Puts the numbers of references in their places.
    pub(super) fn resolve(&mut self) {
        let References { labels, references, .. } = std::mem::take(&mut self.references);
        let texts: Vec<String> = references
            .iter()
            .map(|(label, _)| match labels.get(label) {
                Some(text) => escaped(text),
                None => format!("<mark class=\"unknown\">\\ref{{{}}}</mark>", escaped(label)),
            })
            .collect();
        for (label, line) in references.iter().filter(|(label, _)| !labels.contains_key(label)) {
            let what =
                format!("the label of `\\ref{{{label}}}` is on no figure, table or item; it is shown as it is written");
            self.count_at(*line, what);
        }
        for html in std::iter::once(&mut self.html).chain(&mut self.notes) {
            *html = replaced(html, "<ref ", |index| texts.get(index).cloned().unwrap_or_default());
        }
    }
}

/// The text with each tag of that start replaced by what its number comes to.
fn replaced(html: &str, start: &str, text: impl Fn(usize) -> String) -> String {
    let mut parts = html.split(start);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('>').unwrap_or((part, ""));
        whole.push_str(&number.parse().map(&text).unwrap_or_default());
        whole.push_str(rest);
    }
    whole
}

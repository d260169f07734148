//! References to figures and tables, and the numbers in their captions.
//!
//! Responsible for references that come before their label. Must not know how text is read.

use std::collections::BTreeMap;

use super::Writer;
use crate::escape::escaped;
use crate::words::Captioned;

/// Labels and references of a statement.
#[derive(Default)]
pub(super) struct References {
    figures: usize,
    tables: usize,
    /// The number of the last caption, until another figure or table begins.
    number: Option<(Captioned, usize)>,
    labels: BTreeMap<String, (Captioned, usize)>,
    /// The label of each reference, with its line and command.
    references: Vec<(String, usize, String)>,
}

/// The start of a placeholder tag for a reference until all labels are known. Authors cannot write
/// it, since each `<` of a statement is escaped.
const PLACEHOLDER: &str = "<ref ";

impl Writer<'_, '_> {
    pub(super) fn caption(&mut self) {
        let is_starred = self.reader.is_starred;
        self.reader.option();
        let kind = self.captioned();
        let mut start = "<figcaption>".to_owned();
        self.references.number = None;
        if let Some(kind) = kind.filter(|_| !is_starred) {
            let counter = match kind {
                Captioned::Figure => &mut self.references.figures,
                Captioned::Table => &mut self.references.tables,
            };
            *counter += 1;
            start.push_str(&format!(
                "{}: ",
                self.problem.words.numbered(kind, &counter.to_string())
            ));
            self.references.number = Some((kind, *counter));
        }
        self.line(&start, "</figcaption>\n");
    }

    /// The kind of the innermost open figure or table.
    fn captioned(&self) -> Option<Captioned> {
        let mut names = self
            .frames
            .iter()
            .rev()
            .filter_map(|frame| frame.name.as_deref());
        names.find_map(|name| match name.trim_end_matches('*') {
            "figure" | "wrapfigure" => Some(Captioned::Figure),
            "table" | "wraptable" => Some(Captioned::Table),
            _ => None,
        })
    }

    pub(super) fn label(&mut self) {
        let label = self.reader.argument();
        // Outside of figures and tables, a label refers to something that the page does not number.
        if let Some(number) = self
            .references
            .number
            .filter(|_| self.captioned().is_some())
        {
            self.references
                .labels
                .insert(label.trim().to_owned(), number);
        }
    }

    pub(super) fn reference(&mut self, command: &str) {
        let label = self.reader.argument().trim().to_owned();
        self.inline(&format!(
            "{PLACEHOLDER}{}>",
            self.references.references.len()
        ));
        self.references
            .references
            .push((label, self.line, command.to_owned()));
    }

    /// Removes the number of an earlier caption, at the beginning of a figure or table.
    pub(super) fn clear_number(&mut self) {
        self.references.number = None;
    }

    /// Replaces the placeholders of references with numbers.
    pub(super) fn resolve_references(&mut self) {
        let References {
            labels, references, ..
        } = std::mem::take(&mut self.references);
        let mut texts = Vec::new();
        for (label, line, command) in references {
            texts.push(match labels.get(&label) {
                Some((_, number)) if command == "ref" => number.to_string(),
                Some((kind, number)) => escaped(
                    &self
                        .problem
                        .words
                        .numbered(*kind, &number.to_string())
                        .replace(' ', "\u{a0}"),
                ),
                None => {
                    let written = format!("\\{command}{{{label}}}");
                    self.report_at(
                        line,
                        format!(
                            "`{written}` refers to no figure or table, and is shown as written"
                        ),
                    );
                    format!("<mark class=\"unknown\">{}</mark>", escaped(&written))
                }
            });
        }
        for html in std::iter::once(&mut self.html).chain(&mut self.notes) {
            *html = with_texts(html, &texts);
        }
    }
}

/// Returns the HTML with placeholders replaced with the texts of references.
fn with_texts(html: &str, texts: &[String]) -> String {
    let mut parts = html.split(PLACEHOLDER);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (index, rest) = part.split_once('>').unwrap_or((part, ""));
        whole.push_str(
            index
                .parse::<usize>()
                .ok()
                .and_then(|index| texts.get(index))
                .map_or("", |text| text),
        );
        whole.push_str(rest);
    }
    whole
}

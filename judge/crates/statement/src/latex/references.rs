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
    number: Option<(Captioned, usize)>,
    /// True behind a caption that stands in no figure.
    is_alone: bool,
    /// What a label gets within an item of a list.
    item: Option<String>,
    labels: BTreeMap<String, Label>,
    equations: usize,
    /// The label that each reference names, with the line and the command.
    references: Vec<(String, usize, String)>,
}

/// What a label is on, and the number that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Label {
    Captioned(Captioned, usize),
    Item(String),
    Equation(String),
}

impl Label {
    /// What a reference says; `None` where the language has no word for it that is known here.
    fn text(&self, command: &str, language: &str) -> Option<String> {
        let is_named = !matches!(command, "ref" | "eqref");
        let is_english = language.split('-').next() == Some("en");
        let word = |word: &str, number: &str| {
            let word = if command == "autoref" && word == "Item" { "item" } else { word };
            is_english.then(|| format!("{word}\u{a0}{number}"))
        };
        match self {
            Self::Captioned(what, number) if is_named => {
                Some(numbered(*what, &number.to_string(), language).replace(' ', "\u{a0}"))
            }
            Self::Captioned(_, number) => Some(number.to_string()),
            Self::Item(number) if is_named => word("Item", number),
            Self::Equation(number) if command == "autoref" => word("Equation", number),
            Self::Equation(number) if is_named => word("Equation", &format!("({number})")),
            Self::Item(number) | Self::Equation(number) => Some(number.clone()),
        }
    }
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
        names.find(|name| {
            matches!(*name, "figure" | "wrapfigure" | "SCfigure" | "subfigure" | "table" | "wraptable" | "algorithm")
        })
    }

    /// The start of a caption, with its number unless it has a star, as LaTeX has it.
    pub(super) fn caption_start(&mut self, is_starred: bool) -> String {
        self.caption_start_of(None, is_starred)
    }

    /// The same of a caption that says itself what it is of.
    pub(super) fn caption_start_of(&mut self, of: Option<&str>, is_starred: bool) -> String {
        self.references.is_alone = of.is_some();
        let (what, counter) = match of.or_else(|| self.captioned()) {
            Some("figure" | "wrapfigure" | "SCfigure") => (Captioned::Figure, &mut self.references.figures),
            Some("table" | "wraptable") => (Captioned::Table, &mut self.references.tables),
            Some("algorithm") if !is_starred => {
                self.references.number = None;
                return format!("<figcaption>Algorithm {}: ", self.next_algorithm());
            }
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
        self.references.number = Some((what, number));
        format!("<figcaption>{}: ", numbered(what, &number.to_string(), self.around.language))
    }

    pub(super) fn label(&mut self) {
        let label = self.reader.argument();
        let known = match (self.captioned(), self.references.number) {
            (Some(_), Some((what, number))) => Some(Label::Captioned(what, number)),
            (None, Some((what, number))) if self.references.is_alone => Some(Label::Captioned(what, number)),
            (Some(_), None) => None,
            (None, _) => self.references.item.clone().filter(|_| self.is_in_list()).map(Label::Item),
        };
        if let Some(known) = known {
            self.references.labels.insert(label.trim().to_owned(), known);
        }
    }

    pub(super) fn reference(&mut self, command: &str) {
        let label = self.reader.argument().trim().to_owned();
        self.inline(&format!("<ref {}>", self.references.references.len()));
        self.references.references.push((label, self.line, command.to_owned()));
    }

    /// The rows of formulas with the numbers that LaTeX gives them.
    pub(super) fn number_equations(&mut self, tex: &str, bare: &str) -> String {
        let is_one = matches!(bare, "equation" | "multline");
        let rows = if is_one { vec![tex] } else { rows(tex) };
        let last = rows.len() - 1;
        let mut written = Vec::new();
        for (index, row) in rows.into_iter().enumerate() {
            let is_numbered = !["\\nonumber", "\\notag", "\\tag"].iter().any(|none| row.contains(none));
            if !is_numbered || row.trim().is_empty() && index == last {
                written.push(row.to_owned());
                continue;
            }
            self.references.equations += 1;
            let number = self.references.equations.to_string();
            let labels =
                row.split("\\label").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('{')?.split_once('}'));
            for (label, _) in labels {
                self.references.labels.insert(label.trim().to_owned(), Label::Equation(number.clone()));
            }
            written.push(format!("{} \\qquad({number}) ", row.trim_end()));
        }
        written.join("\\\\")
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
            .map(|(label, line, command)| {
                let known = labels.get(label).and_then(|known| known.text(command, self.around.language));
                let command = if command == "eqref" { "ref" } else { command };
                known.map_or_else(
                    || {
                        let why = if labels.contains_key(label) {
                            "has no name in this language"
                        } else {
                            "is on no figure, table, item or equation"
                        };
                        let what = format!("the label of `\\{command}{{{label}}}` {why}; it is shown as it is written");
                        self.count_at(*line, what);
                        format!("<mark class=\"unknown\">\\{command}{{{}}}</mark>", escaped(label))
                    },
                    |text| escaped(&text),
                )
            })
            .collect();
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

/// The rows of a formula of several: `\\\\` outside of braces and environments is between them.
fn rows(tex: &str) -> Vec<&str> {
    let (mut depth, mut environments) = (0_usize, 0_usize);
    let mut rows = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(c) = tex[at..].chars().next() {
        let rest = &tex[at..];
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '\\' if rest.starts_with("\\begin{") => environments += 1,
            '\\' if rest.starts_with("\\end{") => environments = environments.saturating_sub(1),
            '\\' if rest.starts_with("\\\\") && depth == 0 && environments == 0 => {
                rows.push(&tex[start..at]);
                start = at + 2;
            }
            _ => {}
        }
        at += c.len_utf8();
        if c == '\\' {
            at += tex[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    rows.push(&tex[start..]);
    rows
}

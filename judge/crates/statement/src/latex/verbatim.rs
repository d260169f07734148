//! Text in which no character has a meaning: addresses, programs, and what an author has left out.
//!
//! Responsible for that all of it is shown as it is, or told. Must not know how other text is read.

use super::options::value_of;
use super::{Kind, Writer};
use crate::escape::{escaped, is_harmless};

impl Writer<'_, '_> {
    pub(super) fn url(&mut self) {
        let url = address(&self.reader.verbatim_argument());
        self.link(&url);
        self.reader.unread("}");
        self.text(&url);
    }

    pub(super) fn href(&mut self) {
        self.reader.option();
        let url = address(&self.reader.verbatim_argument());
        self.reader.blanks();
        if self.reader.takes('{') {
            self.link(&url);
        }
    }

    fn link(&mut self, url: &str) {
        if self.frames.len() >= super::MOST_DEPTH {
            return self.too_deep += 1;
        }
        self.enter(None, String::new(), Kind::Plain);
        // A link within a link is none.
        if is_harmless(url) && !self.styles.iter().any(|(tag, _)| *tag == "a") {
            self.styles.push(("a", format!(" href=\"{}\"", escaped(url))));
        }
    }

    /// Shows the text of `\verb` and its like, between braces or two equal characters.
    pub(super) fn code(&mut self, name: &str) {
        if name != "verb" {
            self.reader.option();
        }
        if name == "mintinline" {
            self.reader.argument();
        }
        let text = self.reader.verbatim_argument();
        self.inline(&format!("<code>{}</code>", escaped(&text)));
    }

    /// The text of `alltt`, in which commands and braces alone have a meaning.
    fn alltt(&mut self) -> bool {
        let Some(text) = self.reader.body("alltt") else { return false };
        let mut written = String::new();
        for line in text.trim_matches('\n').split('\n') {
            for c in line.chars() {
                match c {
                    ' ' => written.push('~'),
                    '$' | '&' | '#' | '_' | '%' => written.extend(['\\', c]),
                    '^' => written.push_str("\\textasciicircum{}"),
                    '~' => written.push_str("\\textasciitilde{}"),
                    c => written.push(c),
                }
            }
            written.push_str("\\\\{}");
        }
        self.reader.unread(&format!("\\begin{{flushleft}}\\tt {written}\\end{{flushleft}}"));
        true
    }

    /// Shows the text of an environment, or leaves it out; false where it has no end, or is read as other text.
    pub(super) fn is_verbatim(&mut self, name: &str, bare: &str) -> bool {
        if bare == "alltt" {
            return self.alltt();
        }
        let end = format!("\\end{{{name}}}");
        if !matches!(
            bare,
            "verbatim" | "lstlisting" | "Verbatim" | "BVerbatim" | "LVerbatim" | "minted" | "tikzpicture" | "comment"
        ) {
            return false;
        }
        let mut options = String::new();
        // Those of a drawing are part of its source.
        if bare != "tikzpicture" && bare != "verbatim" {
            options = self.reader.option().unwrap_or_default();
        }
        if bare == "minted" {
            self.reader.argument();
        }
        // What has no end is told of as of any environment.
        let Some(text) = self.reader.until(&end) else { return false };
        if bare == "comment" {
            return true;
        }
        let title = ["caption", "title", "label"].into_iter().find_map(|key| value_of(&options, key));
        // In listings, a label is the name of a reference.
        let title = title.filter(|_| {
            bare != "lstlisting" || ["caption", "title"].iter().any(|key| value_of(&options, key).is_some())
        });
        if let Some(title) = title {
            let argument = if bare == "minted" { "{}" } else { "" };
            self.block();
            self.reader
                .unread(&format!("\\begin{{center}}{title}\\end{{center}}\\begin{{{name}}}{argument}{text}{end}"));
            return true;
        }
        self.block();
        let class = if bare == "tikzpicture" { " class=\"unknown\"" } else { "" };
        if bare == "tikzpicture" {
            self.count("`tikzpicture` is not drawn: its source is shown".to_owned());
        }
        // The rest of the first line is none of the text.
        let text = match text.split_once('\n') {
            Some((first, rest)) if first.trim().is_empty() => rest,
            _ => &text,
        };
        self.html.push_str(&format!("<pre{class} tabindex=\"0\">\n{}</pre>\n", escaped(text)));
        true
    }
}

/// An address as it is meant: what has a meaning in LaTeX may stand behind a backslash.
fn address(written: &str) -> String {
    let mut address = written.trim().replace("\\textasciitilde", "~").replace("\\~{}", "~");
    for sign in ["%", "#", "_", "&", "~", "$"] {
        address = address.replace(&format!("\\{sign}"), sign);
    }
    address
}

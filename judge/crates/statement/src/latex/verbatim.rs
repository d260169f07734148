//! Verbatim text: addresses, programs, and sources that are not typeset.
//!
//! Must not know how other text is read.

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
        self.reader.skip_spaces();
        if self.reader.takes('{') {
            self.link(&url);
        }
    }

    /// Opens a group whose text is a link.
    fn link(&mut self, url: &str) {
        if self.frames.len() >= super::MAX_DEPTH {
            return self.too_deep += 1;
        }
        self.enter(None, "", Kind::Plain);
        // HTML does not allow a link inside of a link.
        if is_harmless(url) && !self.styles.iter().any(|(tag, _)| *tag == "a") {
            self.styles
                .push(("a", format!(" href=\"{}\"", escaped(url))));
        }
    }

    /// Shows the text of `\verb` and similar commands, between braces or two equal characters.
    pub(super) fn code(&mut self, name: &str) {
        if name != "verb" {
            self.reader.option();
        }
        let text = self.reader.verbatim_argument();
        self.inline(&format!("<code>{}</code>", escaped(&text)));
    }

    /// Shows the source of an environment. Returns false if it has no end, or if it is read like
    /// other text.
    pub(super) fn reads_verbatim(&mut self, name: &str) -> bool {
        let is_program = matches!(name, "lstlisting" | "Verbatim");
        let is_unsupported = matches!(
            name,
            "tikzpicture" | "algorithm" | "algorithmic" | "tabbing" | "alltt" | "minted"
        );
        if !is_program && !is_unsupported && !matches!(name, "verbatim" | "comment") {
            return false;
        }
        let options = if is_program {
            self.reader.option().unwrap_or_default()
        } else {
            String::new()
        };
        let Some(text) = self.reader.up_to(&format!("\\end{{{name}}}"), false) else {
            return false;
        };
        if name == "comment" {
            return true;
        }
        self.block();
        let class = if is_unsupported {
            " class=\"unknown\""
        } else {
            ""
        };
        if is_unsupported {
            self.report(format!("`{name}` is not supported: its source is shown"));
        }
        for key in ["caption", "title", "label"]
            .into_iter()
            .filter(|key| options.contains(&format!("{key}=")))
        {
            self.report(format!("the option `{key}` of `{name}` is not supported"));
        }
        // The text begins on the line after `\begin`.
        let text = match text.split_once('\n') {
            Some((first, rest)) if first.trim().is_empty() => rest,
            _ => &text,
        };
        self.html.push_str(&format!(
            "<pre{class} tabindex=\"0\">\n{}</pre>\n",
            escaped(text)
        ));
        true
    }
}

/// Converts an address from LaTeX, where special characters may have a backslash.
fn address(text: &str) -> String {
    let mut address = text
        .trim()
        .replace("\\textasciitilde", "~")
        .replace("\\~{}", "~");
    for sign in ["%", "#", "_", "&", "~", "$"] {
        address = address.replace(&format!("\\{sign}"), sign);
    }
    address
}

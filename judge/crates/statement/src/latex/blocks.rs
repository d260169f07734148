//! Environments, lists, tables and images.
//!
//! Must not know how their text is read.

use super::{Kind, Writer};
use crate::base64;
use crate::escape::escaped;

impl Writer<'_, '_> {
    /// Opens an item or a cell where text is to stand and none is open.
    pub(super) fn place(&mut self) {
        let innermost = |frame: &&mut super::Frame| frame.name.is_some() || !matches!(frame.kind, Kind::Plain);
        let Some(frame) = self.frames.iter_mut().rev().find(innermost) else { return };
        match &mut frame.kind {
            Kind::List(is_open) if !*is_open => {
                *is_open = true;
                self.html.push_str("<li>");
                self.blank = false;
            }
            Kind::Table(row, cell) if !*cell => {
                self.html.push_str(if *row { "<td>" } else { "<tr><td>" });
                (*row, *cell) = (true, true);
                self.blank = false;
            }
            _ => {}
        }
    }

    /// The open table, unless something else is open within it.
    pub(super) fn table(&self) -> Option<usize> {
        let at = self.frames.iter().rposition(|frame| frame.name.is_some())?;
        matches!(self.frames[at].kind, Kind::Table(..)).then_some(at)
    }

    pub(super) fn next_cell(&mut self) {
        let Some(at) = self.table() else { return };
        self.leave_to(at + 1);
        self.place();
        self.close_styles(0);
        self.html.push_str("</td>");
        self.frames[at].kind = Kind::Table(true, false);
        self.blank = false;
        // An empty cell is a cell.
        self.place();
    }

    pub(super) fn next_row(&mut self) {
        let Some(at) = self.table() else { return };
        self.leave_to(at + 1);
        self.close_styles(0);
        if let Kind::Table(true, cell) = self.frames[at].kind {
            self.html.push_str(if cell { "</td></tr>\n" } else { "</tr>\n" });
        }
        self.frames[at].kind = Kind::Table(false, false);
        self.blank = false;
    }

    /// A cell over several columns; its text follows in braces.
    pub(super) fn wide_cell(&mut self) {
        let columns: usize = self.reader.argument().trim().parse().unwrap_or(1);
        self.reader.argument();
        let Some(at) = self.table() else { return };
        self.blank = false;
        if let Kind::Table(row, false) = self.frames[at].kind {
            let start = if row { "" } else { "<tr>" };
            self.html.push_str(&format!("{start}<td colspan=\"{}\">", columns.clamp(1, 100)));
            self.frames[at].kind = Kind::Table(true, true);
        } else if self.html.ends_with("<td>") {
            self.html.truncate(self.html.len() - 4);
            self.html.push_str(&format!("<td colspan=\"{}\">", columns.clamp(1, 100)));
        }
    }

    pub(super) fn leave_to(&mut self, depth: usize) {
        while self.frames.len() > depth {
            self.leave();
        }
    }

    pub(super) fn item(&mut self) {
        let Some(at) = self.frames.iter().rposition(|frame| matches!(frame.kind, Kind::List(_))) else {
            return self.unknown("\\item");
        };
        let label = self.reader.option();
        self.leave_to(at + 1);
        self.close_styles(0);
        if matches!(self.frames[at].kind, Kind::List(true)) {
            self.html.push_str("</li>\n");
        }
        self.html.push_str("<li>");
        self.frames[at].kind = Kind::List(true);
        self.blank = false;
        if let Some(label) = label {
            self.reader.unread(&format!("{{\\bf {label}}} "));
        }
    }

    pub(super) fn begin(&mut self) {
        let name = self.reader.argument();
        let name = name.trim();
        let bare = name.trim_end_matches('*');
        if self.is_read_apart(name, bare) {
            return;
        }
        let depth = self.frames.len();
        if depth >= super::MOST_DEPTH {
            return self.unknown(&format!("\\begin{{{name}}}"));
        }
        let (start, end, kind) = match bare {
            "itemize" => ("<ul>\n", "</ul>\n", Kind::List(false)),
            "enumerate" => ("<ol>\n", "</ol>\n", Kind::List(false)),
            "description" => ("<ul class=\"described\">\n", "</ul>\n", Kind::List(false)),
            "tabular" | "tabularx" | "array" | "longtable" => {
                ("<div class=\"table\" tabindex=\"0\"><table>\n", "</table></div>\n", Kind::Table(false, false))
            }
            "center" => ("<div class=\"center\">\n", "</div>\n", Kind::Plain),
            "quote" | "quotation" | "verse" => ("<blockquote>\n", "</blockquote>\n", Kind::Plain),
            "figure" | "wrapfigure" | "table" | "wraptable" | "subfigure" => ("<figure>\n", "</figure>\n", Kind::Plain),
            "Input" | "Output" | "Interaction" | "minipage" | "centering" | "flushleft" | "flushright" | "samepage"
            | "small" | "large" => ("<div>\n", "</div>\n", Kind::Plain),
            _ => {
                self.unknown(&format!("\\begin{{{name}}}"));
                ("<div class=\"unknown\">\n", "</div>\n", Kind::Plain)
            }
        };
        self.block();
        if matches!(bare, "Input" | "Output" | "Interaction") {
            self.html.push_str(&format!("<h2>{bare}</h2>\n"));
        }
        if start == "<figure>\n" {
            self.forget_number();
        }
        self.html.push_str(start);
        self.skip_arguments(bare);
        self.enter(Some(name.to_owned()), end.to_owned(), kind);
    }

    /// Reads the arguments of an environment, which are about its looks.
    fn skip_arguments(&mut self, name: &str) {
        let arguments = match name {
            "tabularx" | "wrapfigure" | "wraptable" => 2,
            "tabular" | "array" | "longtable" | "minipage" | "subfigure" => 1,
            _ => 0,
        };
        if arguments > 0 || matches!(name, "figure" | "table" | "itemize" | "enumerate" | "description") {
            while self.reader.option().is_some() {}
        }
        for _ in 0..arguments {
            self.reader.argument();
        }
    }

    /// Formulas, and text in which no character has a meaning.
    fn is_read_apart(&mut self, name: &str, bare: &str) -> bool {
        let end = format!("\\end{{{name}}}");
        match bare {
            "equation" | "align" | "gather" | "multline" => {
                self.math(&end, true, &format!("\\begin{{{bare}*}}"), &format!("\\end{{{bare}*}}"));
            }
            "displaymath" | "math" => self.math(&end, bare != "math", "", ""),
            "eqnarray" => self.math(&end, true, "\\begin{array}{rcl}", "\\end{array}"),
            "verbatim" | "lstlisting" | "Verbatim" | "minted" | "tikzpicture" => {
                let text = self.reader.until(&end);
                self.block();
                let class = if bare == "tikzpicture" { " class=\"unknown\"" } else { "" };
                if bare == "tikzpicture" {
                    self.count("`tikzpicture` is not drawn: its source is shown".to_owned());
                }
                let text = if bare == "lstlisting" && text.starts_with('[') {
                    text.split_once(']').map_or(text.as_str(), |(_, text)| text)
                } else {
                    &text
                };
                let text = escaped(text.trim_start_matches('\n'));
                self.html.push_str(&format!("<pre{class} tabindex=\"0\">\n{text}</pre>\n"));
            }
            _ => return false,
        }
        true
    }

    pub(super) fn end(&mut self) {
        let name = self.reader.argument();
        let open = self.frames.iter().rposition(|frame| frame.name.as_deref() == Some(name.trim()));
        match open {
            Some(at) => self.leave_to(at),
            None => self.unknown(&format!("\\end{{{name}}}")),
        }
    }

    /// An image, with its width where it is a share of the text's.
    pub(super) fn image(&mut self, name: &str, width: &str) {
        let share = width.split_once("\\").map_or(width, |(share, _)| share).trim().parse::<f64>();
        let style = match share {
            Ok(share) if (0.01..=1.0).contains(&share) => format!(" style=\"width: {}%\"", (share * 100.0).round()),
            _ => String::new(),
        };
        let html = match (self.images)(name.trim()) {
            Some(image) => {
                let data = base64::encode(&image.bytes);
                format!("<img{style} src=\"data:{};base64,{data}\" alt=\"\">", image.media_type)
            }
            None => format!("<em class=\"missing\">[image: {}]</em>", escaped(name)),
        };
        self.inline(&html);
    }
}

//! Environments, lists, tables and images.
//!
//! Must not know how their text is read.

use super::macros::{begin_of, end_of};
use super::tables::Table;
use super::{Kind, Writer};
use crate::base64;
use crate::escape::escaped;
use crate::terms::Terms;

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
            Kind::Table(table) if !table.has_cell() => {
                table.open_cell(&mut self.html);
                self.blank = false;
            }
            _ => {}
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
        self.overlay();
        let label = self.reader.option();
        self.leave_to(at + 1);
        self.close_styles(0);
        if matches!(self.frames[at].kind, Kind::List(true)) {
            self.html.push_str("</li>\n");
        }
        match self.next_number.take() {
            Some(number) => self.html.push_str(&format!("<li value=\"{number}\">")),
            None => self.html.push_str("<li>"),
        }
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
        // What is about pages may begin and end across items of a list.
        if bare == "samepage" || self.reader.expand(&begin_of(name)) || self.is_read_apart(name, bare) {
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
            "tabular" | "tabularx" | "tabulary" | "array" | "longtable" => {
                let start = "<div class=\"table\" tabindex=\"0\"><table class=\"tex\">\n";
                (start, "</table></div>\n", Kind::Table(Table::default()))
            }
            "center" => ("<div class=\"center\">\n", "</div>\n", Kind::Plain),
            "quote" | "quotation" | "verse" => ("<blockquote>\n", "</blockquote>\n", Kind::Plain),
            "figure" | "wrapfigure" | "table" | "wraptable" | "subfigure" | "SCfigure" => {
                ("<figure>\n", "</figure>\n", Kind::Plain)
            }
            "Input" | "Output" | "Interaction" | "minipage" | "centering" | "flushleft" | "flushright" | "small"
            | "large" | "footnotesize" | "afterSample" | "multicols" | "tcolorbox" | "mdframed" | "framed"
            | "frame" | "block" | "columns" | "column" => ("<div>\n", "</div>\n", Kind::Plain),
            _ => {
                self.unknown(&format!("\\begin{{{name}}}"));
                ("<div class=\"unknown\">\n", "</div>\n", Kind::Plain)
            }
        };
        self.block();
        if matches!(bare, "Input" | "Output" | "Interaction") {
            let terms = Terms::of(self.around.language);
            let heading = match bare {
                "Input" => terms.input,
                "Output" => terms.output,
                _ => terms.interaction,
            };
            self.html.push_str(&format!("<h2>{heading}</h2>\n"));
        }
        if matches!(bare, "frame" | "block") {
            return self.slide(name, bare);
        }
        if start == "<figure>\n" {
            self.forget_number();
        }
        let is_numbered = bare == "enumerate";
        let numbers = if is_numbered { self.reader.option().map(|option| numbers(&option)) } else { None };
        match numbers {
            Some(numbers) => self.html.push_str(&format!("<ol{numbers}>\n")),
            None => self.html.push_str(start),
        }
        let description = self.skip_arguments(bare);
        let kind = match kind {
            Kind::Table(_) => Kind::Table(Table::new(&description, &self.reader.column_types)),
            other => other,
        };
        self.enter(Some(name.to_owned()), end.to_owned(), kind);
    }

    /// Sets a counter; of those of lists, the next item has the next number.
    pub(super) fn set_counter(&mut self) {
        let (counter, value) = (self.reader.argument(), self.reader.argument());
        if let (true, Ok(value)) = (counter.trim().starts_with("enum"), value.trim().parse::<u32>()) {
            self.next_number = Some(value.saturating_add(1));
        }
    }

    /// A slide, or a part of one, with its title.
    fn slide(&mut self, name: &str, bare: &str) {
        self.html.push_str("<div class=\"slide\">\n");
        self.enter(Some(name.to_owned()), "</div>\n".to_owned(), Kind::Plain);
        self.overlay();
        while self.reader.option().is_some() {}
        if self.reader.peek() == Some('{') {
            let level = if bare == "frame" { "section" } else { "subsection" };
            self.reader.unread(&format!("\\{level}"));
        }
    }

    pub(super) fn is_in_slide(&self) -> bool {
        self.frames.iter().any(|frame| frame.name.as_deref() == Some("frame"))
    }

    /// Skips what says on which layers of a slide something is, such as `<2->`: a page shows all of them.
    pub(super) fn overlay(&mut self) {
        if self.is_in_slide() {
            self.reader.skip_layers();
        }
    }

    /// Reads the arguments of an environment, which are about its looks; returns the last one.
    fn skip_arguments(&mut self, name: &str) -> String {
        let arguments = match name {
            "tabularx" | "tabulary" | "wrapfigure" | "wraptable" => 2,
            "tabular" | "array" | "longtable" | "minipage" | "subfigure" | "multicols" | "column" => 1,
            _ => 0,
        };
        self.overlay();
        if arguments > 0
            || matches!(name, "figure" | "table" | "itemize" | "enumerate" | "description" | "tcolorbox" | "mdframed")
        {
            while self.reader.option().is_some() {}
        }
        let mut last = String::new();
        for index in 0..arguments {
            // `wrapfigure` has an option before its second argument.
            if index > 0 {
                self.reader.option();
            }
            last = self.reader.argument();
        }
        last
    }

    /// Formulas, and text in which no character has a meaning.
    fn is_read_apart(&mut self, name: &str, bare: &str) -> bool {
        let end = format!("\\end{{{name}}}");
        match bare {
            "multline" => self.math(&end, true, "\\begin{gather*}", "\\end{gather*}"),
            "equation" | "align" | "gather" | "alignat" => {
                self.math(&end, true, &format!("\\begin{{{bare}*}}"), &format!("\\end{{{bare}*}}"));
            }
            "flalign" => self.math(&end, true, "\\begin{align*}", "\\end{align*}"),
            "displaymath" | "math" => self.math(&end, bare != "math", "", ""),
            "eqnarray" => self.math(&end, true, "\\begin{array}{rcl}", "\\end{array}"),
            _ => return self.is_verbatim(name, bare),
        }
        true
    }

    pub(super) fn end(&mut self) {
        let name = self.reader.argument();
        if name.trim() == "samepage" || self.reader.expand(&end_of(name.trim())) {
            return;
        }
        let open = self.frames.iter().rposition(|frame| frame.name.as_deref() == Some(name.trim()));
        match open {
            Some(at) => {
                self.end_open(at + 1);
                self.leave_to(at);
            }
            None => self.unknown(&format!("\\end{{{name}}}")),
        }
    }

    /// A picture at the side, with its source below it; its width is a share of the text's.
    pub(super) fn illustration(&mut self) {
        let width = self.reader.argument();
        let name = self.reader.argument();
        self.block();
        let share = width.trim().parse::<f64>().ok().filter(|share| (0.05..=1.0).contains(share)).unwrap_or(0.4);
        let share = (share * 100.0).round();
        self.html.push_str(&format!("<figure class=\"illustration\" style=\"width: {share}%\">\n"));
        self.image(&name, "");
        self.line("<figcaption>", "</figcaption></figure>\n");
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

/// The attributes of a numbered list with options such as `[a)]` or `[label=(\roman*), start=3]`.
fn numbers(option: &str) -> String {
    let value = |key: &str| {
        let mut parts = option.split(',').filter_map(|part| part.split_once('='));
        parts.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
    };
    let label = value("label").unwrap_or(if option.contains('=') { "" } else { option });
    let kinds = [("\\alph", "a"), ("\\Alph", "A"), ("\\roman", "i"), ("\\Roman", "I")];
    let bare = label.trim_matches(|c: char| !c.is_ascii_alphabetic());
    let kind = kinds.iter().find(|(command, kind)| label.contains(command) || bare == *kind);
    let kind = kind.map(|(_, kind)| format!(" type=\"{kind}\"")).unwrap_or_default();
    let start = value("start").and_then(|start| start.parse::<u32>().ok());
    kind + &start.map(|start| format!(" start=\"{start}\"")).unwrap_or_default()
}

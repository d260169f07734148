//! Environments, lists, tables and images.
//!
//! Must not know how their text is read.

use super::macros::{begin_of, end_of};
use super::options::value_of;
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
            Kind::List(list) if !list.has_item() => {
                list.open_item();
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
            "itemize" | "compactitem" | "enumerate" | "compactenum" | "description" | "compactdesc" | "inparaenum"
            | "inparaitem" => {
                self.block();
                return self.list(name, bare);
            }
            "tabular" | "tabularx" | "tabulary" | "array" | "longtable" => {
                let start = "<div class=\"table\" tabindex=\"0\"><table class=\"tex\">\n";
                (start, "</table></div>\n", Kind::Table(Table::default()))
            }
            "center" => ("<div class=\"center\">\n", "</div>\n", Kind::Plain),
            "quote" | "quotation" | "verse" => ("<blockquote>\n", "</blockquote>\n", Kind::Plain),
            "algorithmic" => {
                self.indent = 0;
                ("<div class=\"algorithm\">\n", "</div>\n", Kind::Plain)
            }
            "document" => ("", "", Kind::Plain),
            "tabbing" => ("<div class=\"tabbing\">\n", "</div>\n", Kind::Plain),
            "figure" | "algorithm" | "wrapfigure" | "table" | "wraptable" | "subfigure" | "SCfigure" => {
                ("<figure>\n", "</figure>\n", Kind::Plain)
            }
            "Input" | "Output" | "Interaction" | "minipage" | "centering" | "flushleft" | "flushright" | "small"
            | "large" | "footnotesize" | "afterSample" | "multicols" | "frame" | "block" | "columns" | "column" => {
                ("<div>\n", "</div>\n", Kind::Plain)
            }
            bare if is_box(bare) => ("<div class=\"box\">\n", "</div>\n", Kind::Plain),
            _ => {
                self.unknown(&format!("\\begin{{{name}}}"));
                ("<div class=\"unknown\">\n", "</div>\n", Kind::Plain)
            }
        };
        self.block();
        self.heading_of_format(bare);
        if matches!(bare, "frame" | "block") {
            return self.slide(name, bare);
        }
        if start == "<figure>\n" {
            self.forget_number();
        }
        self.html.push_str(start);
        let title = if is_box(bare) { self.title_of_box() } else { None };
        let description = self.skip_arguments(name, bare);
        let kind = match kind {
            Kind::Table(_) => Kind::Table(self.new_table(name, &description)),
            other => other,
        };
        self.enter(Some(name.to_owned()), end.to_owned(), kind);
        if let Some(title) = title {
            self.reader.unread(&format!("\\textbf{{{title}}}\\par "));
        }
    }

    /// The heading of a part that the format knows.
    fn heading_of_format(&mut self, bare: &str) {
        let terms = Terms::of(self.around.language);
        let heading = match bare {
            "Input" => terms.input,
            "Output" => terms.output,
            "Interaction" => terms.interaction,
            _ => return,
        };
        self.html.push_str(&format!("<h2>{heading}</h2>\n"));
    }

    /// The title in the options of a box.
    fn title_of_box(&mut self) -> Option<String> {
        let options = self.reader.option()?;
        ["title", "frametitle"].into_iter().find_map(|key| value_of(&options, key))
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
    fn skip_arguments(&mut self, whole: &str, name: &str) -> String {
        let arguments = match name {
            "tabular" if whole == "tabular*" => 2,
            "tabularx" | "tabulary" | "wrapfigure" | "wraptable" => 2,
            "tabular" | "array" | "longtable" | "minipage" | "subfigure" | "multicols" | "column" => 1,
            _ => 0,
        };
        self.overlay();
        if arguments > 0 || matches!(name, "figure" | "table" | "algorithm" | "algorithmic") || is_box(name) {
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
        let numbers = Some(bare).filter(|_| name == bare);
        match bare {
            "multline" => self.math_numbered(&end, true, ["\\begin{gather*}", "\\end{gather*}"], numbers),
            "equation" | "align" | "gather" | "alignat" => {
                let around = [format!("\\begin{{{bare}*}}"), format!("\\end{{{bare}*}}")];
                self.math_numbered(&end, true, [&around[0], &around[1]], numbers);
            }
            "flalign" => self.math_numbered(&end, true, ["\\begin{align*}", "\\end{align*}"], numbers),
            "displaymath" | "math" => self.math(&end, bare != "math", "", ""),
            "eqnarray" => self.math_numbered(&end, true, ["\\begin{array}{rcl}", "\\end{array}"], numbers),
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

/// True for an environment that draws a frame.
fn is_box(name: &str) -> bool {
    matches!(name, "tcolorbox" | "mdframed" | "framed" | "shaded" | "snugshade" | "leftbar" | "oframed")
}

//! Environments and images.
//!
//! Must not know how their text is read.

use super::{Frame, Kind, Writer};
use crate::image;

/// Returns the start and end tags of a text environment and the number of its arguments, which
/// concern only its looks.
fn block(name: &str) -> Option<(&'static str, &'static str, usize)> {
    let (start, end) = match name {
        "center" => ("<div class=\"center\">\n", "</div>\n"),
        "quote" | "quotation" | "verse" => ("<blockquote>\n", "</blockquote>\n"),
        "document" => ("", ""),
        "figure" | "wrapfigure" | "table" | "wraptable" => ("<figure>\n", "</figure>\n"),
        "frame" | "block" => ("<div class=\"slide\">\n", "</div>\n"),
        "tabular" | "tabularx" | "tabulary" | "array" | "longtable" => (
            "<div class=\"table\" tabindex=\"0\"><table class=\"tex\">\n",
            "</table></div>\n",
        ),
        "Input" | "Output" | "Interaction" | "minipage" | "centering" | "flushleft"
        | "flushright" | "small" | "large" | "footnotesize" | "afterSample" | "multicols"
        | "columns" | "column" | "samepage" => ("<div>\n", "</div>\n"),
        _ => return None,
    };
    let arguments = match name {
        "tabularx" | "tabulary" | "wrapfigure" | "wraptable" => 2,
        "tabular" | "array" | "longtable" | "minipage" | "multicols" | "column" => 1,
        _ => 0,
    };
    Some((start, end, arguments))
}

impl Writer<'_, '_> {
    /// Opens an item or a cell if the surrounding list or table has none open.
    pub(super) fn open_place(&mut self) {
        let Some(frame) = self
            .frames
            .iter_mut()
            .rev()
            .find(|frame| frame.is_context())
        else {
            return;
        };
        match &mut frame.kind {
            Kind::List(list) if !list.has_item() => {
                list.open_item();
                self.html.push_str("<li>");
                self.space = false;
            }
            Kind::Table(table) if !table.has_cell() => {
                table.open_cell(&mut self.html);
                self.space = false;
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
        if self.reads_formula(name, bare) || self.reads_verbatim(name) {
            return;
        }
        if self.frames.len() >= super::MAX_DEPTH {
            return self.unknown(&format!("\\begin{{{name}}}"));
        }
        if matches!(
            bare,
            "itemize" | "enumerate" | "description" | "compactitem" | "compactenum" | "compactdesc"
        ) {
            self.block();
            return self.list(name);
        }
        let Some((start, end, arguments)) = block(bare) else {
            self.unknown(&format!("\\begin{{{name}}}"));
            self.block();
            self.html.push_str("<div class=\"unknown\">\n");
            return self.enter(Some(name), "</div>\n", Kind::Plain);
        };
        self.block();
        self.heading_of_format(bare);
        if start == "<figure>\n" {
            self.clear_number();
        }
        self.html.push_str(start);
        let arguments = if name == "tabular*" { 2 } else { arguments };
        let description = self.skip_arguments(arguments, start == "<figure>\n");
        let kind = if end.starts_with("</table>") {
            Kind::Table(self.new_table(&description))
        } else {
            Kind::Plain
        };
        self.enter(Some(name), end, kind);
        if matches!(bare, "frame" | "block") {
            self.slide(bare);
        }
    }

    /// Writes the heading of a part that the package format defines.
    fn heading_of_format(&mut self, name: &str) {
        let words = self.problem.words;
        let heading = match name {
            "Input" => words.input,
            "Output" => words.output,
            "Interaction" => words.interaction,
            _ => return,
        };
        self.html.push_str(&format!("<h2>{heading}</h2>\n"));
    }

    /// Reads the title of a slide or of a block on a slide.
    fn slide(&mut self, name: &str) {
        self.skip_layers();
        while self.reader.option().is_some() {}
        if self.reader.peek() == Some('{') {
            self.reader.unread(if name == "frame" {
                "\\section"
            } else {
                "\\subsection"
            });
        }
    }

    /// Skips an overlay specification of a slide, such as `<2->`: a page shows all layers.
    pub(super) fn skip_layers(&mut self) {
        let is_in_slide = self
            .frames
            .iter()
            .any(|frame| frame.name.as_deref() == Some("frame"));
        if is_in_slide && self.reader.takes('<') {
            match self.reader.up_to(">", true) {
                Some(_) => self.reader.skip_spaces(),
                None => self.reader.unread("<"),
            }
        }
    }

    /// Skips the arguments of an environment, which concern its looks, and returns the last one.
    fn skip_arguments(&mut self, arguments: usize, has_option: bool) -> String {
        self.skip_layers();
        let mut last = String::new();
        if has_option || arguments > 0 {
            self.reader.skip_options();
        }
        for index in 0..arguments {
            // `wrapfigure` has an option before its second argument.
            if index > 0 {
                self.reader.option();
            }
            last = self.reader.argument();
        }
        last
    }

    /// Reads an environment that is a formula. Returns false for any other environment.
    fn reads_formula(&mut self, name: &str, bare: &str) -> bool {
        let (before, after) = match bare {
            "multline" => ("\\begin{gather*}", "\\end{gather*}"),
            "equation" | "displaymath" | "math" => ("", ""),
            "align" | "flalign" => ("\\begin{align*}", "\\end{align*}"),
            "gather" => ("\\begin{gather*}", "\\end{gather*}"),
            "alignat" => ("\\begin{alignat*}", "\\end{alignat*}"),
            "eqnarray" => ("\\begin{array}{rcl}", "\\end{array}"),
            _ => return false,
        };
        self.formula(&format!("\\end{{{name}}}"), bare != "math", [before, after]);
        true
    }

    pub(super) fn end(&mut self) {
        let name = self.reader.argument();
        match self
            .frames
            .iter()
            .rposition(|frame| frame.name.as_deref() == Some(name.trim()))
        {
            Some(at) => {
                // Groups that were opened inside and not closed end with the environment. They are
                // reported, as in LaTeX.
                self.end_unclosed(at + 1);
                self.leave_to(at);
            }
            None => self.unknown(&format!("\\end{{{name}}}")),
        }
    }

    /// Reads an illustration: a picture at the side with its source below it. Its width is a
    /// fraction of the text width.
    pub(super) fn illustration(&mut self) {
        let width = self.reader.argument();
        let name = self.reader.argument();
        self.block();
        let share = width
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|share| (0.05..=1.0).contains(share))
            .unwrap_or(0.4);
        let share = (share * 100.0).round();
        self.html.push_str(&format!(
            "<figure class=\"illustration\" style=\"width: {share}%\">\n"
        ));
        self.image(&name, "");
        self.line("<figcaption>", "</figcaption></figure>\n");
    }

    pub(super) fn include_graphics(&mut self) {
        let options = self.reader.option().unwrap_or_default();
        let width = options
            .split(',')
            .find_map(|option| option.trim().strip_prefix("width="))
            .unwrap_or_default();
        let name = self.reader.argument();
        self.image(&name, width);
    }

    /// Writes an image. A width such as `0.5\textwidth` is a fraction of the text width.
    fn image(&mut self, name: &str, width: &str) {
        let share = width
            .split_once('\\')
            .map_or(width, |(share, _)| share)
            .trim()
            .parse::<f64>();
        let style = match share {
            Ok(share) if (0.01..=1.0).contains(&share) => {
                format!(" style=\"width: {}%\"", (share * 100.0).round())
            }
            _ => String::new(),
        };
        let found = (self.images)(name.trim());
        self.inline(&image::element(found, &style, "", name));
    }
}

impl Frame {
    /// True if the frame determines the layout of text inside of it, which a group in braces does
    /// not.
    pub(super) fn is_context(&self) -> bool {
        self.name.is_some() || !matches!(self.kind, Kind::Plain)
    }
}

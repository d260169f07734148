//! Turns the subset of LaTeX that statements use into HTML.
//!
//! Responsible for keeping all text without guessing: anything unknown is shown as written,
//! marked, and reported with its line. Must not read files: `\input` and similar commands are
//! unknown. Nothing here is recursive, so that deep nesting cannot exhaust the stack.

mod commands;
mod conditions;
mod environments;
mod footnotes;
mod formulas;
mod lists;
mod macros;
mod reader;
mod references;
mod signs;
mod tables;
mod verbatim;

use std::collections::BTreeMap;

use crate::escape::push;
use crate::sample::Samples;
use crate::tex::escaped as escaped_tex;
use crate::words::Words;
use crate::{Image, Remark, Rendered, formula};

pub(crate) use formulas::for_renderer;
use lists::List;
use reader::Reader;
use references::References;
pub(crate) use signs::plain_text;
use tables::Table;

/// The maximum nesting depth of groups. The braces of deeper groups are ignored.
const MAX_DEPTH: usize = 200;
/// The maximum number of different remarks.
const MAX_REMARKS: usize = 200;

/// The problem that a LaTeX statement belongs to.
pub(crate) struct ProblemContext<'a> {
    /// The words of the statement's language.
    pub(crate) words: Words,
    /// The name of the problem.
    pub(crate) title: &'a str,
    /// The letter of the problem in a contest.
    pub(crate) letter: Option<&'a str>,
    /// The time limit in seconds, if one is stated.
    pub(crate) time_limit: Option<&'a str>,
    /// Names and values of constants.
    pub(crate) constants: &'a [(String, String)],
}

/// Appends the text as HTML to the page.
pub(crate) fn push_latex(
    page: &mut Rendered,
    text: &str,
    problem: &ProblemContext<'_>,
    samples: &mut Samples<'_>,
    images: &mut dyn FnMut(&str) -> Option<Image>,
) {
    let mut reader = Reader::new(text);
    reader.macros = macros::predefined();
    let title = Some(problem.title);
    for (name, value) in [
        ("problemtitle", title),
        ("problemyamlname", title),
        ("problemlabel", problem.letter),
        ("timelimit", problem.time_limit),
    ] {
        if let Some(value) = value {
            reader.define_text(name, &escaped_tex(value));
        }
    }
    let mut writer = Writer {
        page,
        problem,
        samples,
        images,
        reader,
        line: 1,
        html: String::new(),
        frames: Vec::new(),
        too_deep: 0,
        styles: Vec::new(),
        open: Vec::new(),
        in_paragraph: false,
        space: false,
        notes: Vec::new(),
        conditions: Vec::new(),
        column_types: BTreeMap::new(),
        references: References::default(),
        found: BTreeMap::new(),
    };
    writer.read();
    writer.finish();
}

/// Finds the parts of a LaTeX statement that a page does not show as intended, such as unknown
/// commands.
#[must_use]
pub fn unknown_in_latex(text: &str, constants: &[(String, String)]) -> Vec<Remark> {
    let mut page = Rendered::default();
    // Problems have letters in contests only.
    let problem = ProblemContext {
        words: Words::for_language("en"),
        title: "",
        letter: Some("A"),
        time_limit: None,
        constants,
    };
    push_latex(
        &mut page,
        text,
        &problem,
        &mut Samples::new(&[], "en"),
        &mut |_| None,
    );
    page.remarks
}

/// A tag of a style, with its attributes.
type Style = (&'static str, String);

/// Returns the argument at the beginning of a text, or an empty text if its brace is not closed.
pub(crate) fn first_argument(tex: &str) -> String {
    Reader::new(tex).argument()
}

/// An open environment or group.
struct Frame {
    /// The line where it was opened.
    line: usize,
    /// The name of the environment, or `None` for a group in braces.
    name: Option<String>,
    /// The HTML that ends it.
    end: &'static str,
    /// The styles around it.
    styles: Vec<Style>,
    kind: Kind,
}

/// The content of a frame.
enum Kind {
    Plain,
    /// Text without paragraphs.
    Line,
    List(List),
    Table(Table),
    /// A footnote: its index and the state of the text around it, which is its HTML, whether a
    /// paragraph is open, and the open styles.
    Note(usize, String, bool, Vec<Style>),
}

struct Writer<'w, 's> {
    page: &'w mut Rendered,
    problem: &'w ProblemContext<'w>,
    samples: &'w mut Samples<'s>,
    images: &'w mut dyn FnMut(&str) -> Option<Image>,
    reader: Reader,
    /// The line of the command or character that was read last.
    line: usize,
    html: String,
    frames: Vec<Frame>,
    /// The number of open braces beyond the maximum depth.
    too_deep: usize,
    /// The styles of the text that follows.
    styles: Vec<Style>,
    /// The styles whose tags are open.
    open: Vec<Style>,
    in_paragraph: bool,
    /// True if a space precedes the next text.
    space: bool,
    /// The HTML of footnotes.
    notes: Vec<String>,
    /// The open conditions: true for a known one, of which only one branch is read.
    conditions: Vec<bool>,
    /// Column types that the author defines, as written.
    column_types: BTreeMap<char, String>,
    references: References,
    /// Remarks with the first line and the number of occurrences.
    found: BTreeMap<String, (usize, usize)>,
}

impl Writer<'_, '_> {
    fn read(&mut self) {
        while let Some(c) = self.reader.next() {
            // Stored first, since a command reads beyond its own line.
            self.line = self.reader.line;
            match c {
                '\\' => self.command(),
                // The depth is bounded, since all frames are searched for the one that determines
                // the layout.
                '{' if self.frames.len() >= MAX_DEPTH => self.too_deep += 1,
                '{' => self.enter(None, "", Kind::Plain),
                '}' if self.too_deep > 0 => self.too_deep -= 1,
                '}' => self.leave_group(),
                '$' => self.dollars(),
                '~' => self.text("\u{a0}"),
                '&' if self.table().is_some() => self.next_cell(),
                '&' | '#' | '^' | '_' => self.unknown(&c.to_string()),
                c if c.is_whitespace() => self.space(c),
                c => self.character(c),
            }
        }
    }

    fn space(&mut self, first: char) {
        let mut lines = usize::from(first == '\n');
        while let Some(c) = self.reader.peek().filter(|c| c.is_whitespace()) {
            lines += usize::from(c == '\n');
            self.reader.raw();
        }
        // An empty line ends a paragraph; a single line end is a space.
        if lines > 1 {
            self.paragraph();
        } else {
            self.space = true;
        }
    }

    /// Writes a character, which may begin a quote or a dash unless the text is code.
    fn character(&mut self, c: char) {
        let is_code = self.styles.iter().any(|(tag, _)| *tag == "code");
        match if is_code {
            None
        } else {
            signs::quote_or_dash(&mut self.reader, c)
        } {
            Some(sign) => self.text(sign),
            None => self.text(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Opens the elements that text needs: a cell or an item, a paragraph, the tags of its styles.
    fn prepare_text(&mut self) {
        self.open_place();
        if !self.in_paragraph
            && self
                .context()
                .is_none_or(|frame| matches!(frame.kind, Kind::Plain))
        {
            self.html.push_str("<p>");
            self.in_paragraph = true;
            self.space = false;
        }
        // Tags of styles that continue stay open, so that they are not closed and opened around
        // each word.
        let common = self
            .open
            .iter()
            .zip(&self.styles)
            .take_while(|(open, style)| open == style)
            .count();
        self.close_styles(common);
        if std::mem::take(&mut self.space) && !self.is_at_cell_start() {
            self.html.push(' ');
        }
        for (tag, attributes) in &self.styles[common..] {
            self.html.push_str(&format!("<{tag}{attributes}>"));
        }
        self.open.clone_from(&self.styles);
    }

    fn close_styles(&mut self, keep: usize) {
        while self.open.len() > keep {
            if let Some((tag, _)) = self.open.pop() {
                self.html.push_str(&format!("</{tag}>"));
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.prepare_text();
        push(&mut self.html, text);
    }

    fn inline(&mut self, html: &str) {
        self.prepare_text();
        self.html.push_str(html);
    }

    fn paragraph(&mut self) {
        self.close_styles(0);
        if std::mem::take(&mut self.in_paragraph) {
            self.html.push_str("</p>\n");
            self.space = false;
        } else if self.context().is_some_and(|frame| {
            matches!(&frame.kind, Kind::List(list) if list.has_item())
                || matches!(&frame.kind, Kind::Table(table) if table.has_cell())
        }) {
            self.html.push_str("<br>\n");
            self.space = false;
        } else {
            self.space = true;
        }
    }

    /// Ends the paragraph, so that a block may follow.
    fn block(&mut self) {
        self.close_styles(0);
        if std::mem::take(&mut self.in_paragraph) {
            self.html.push_str("</p>\n");
        }
        self.space = false;
        self.open_place();
    }

    /// Returns the innermost frame that determines the layout of text.
    fn context(&self) -> Option<&Frame> {
        self.frames.iter().rev().find(|frame| frame.is_context())
    }

    fn enter(&mut self, name: Option<&str>, end: &'static str, kind: Kind) {
        let (line, name, styles) = (self.line, name.map(str::to_owned), self.styles.clone());
        self.frames.push(Frame {
            line,
            name,
            end,
            styles,
            kind,
        });
    }

    fn leave_group(&mut self) {
        match self.frames.last() {
            Some(frame) if frame.name.is_none() => self.leave(),
            _ => self.unknown("}"),
        }
    }

    /// Ends the frame that was opened last.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        // A group in braces has no element. Only styles end with it.
        let is_group = frame.end.is_empty() && matches!(frame.kind, Kind::Plain | Kind::Line);
        self.styles = frame.styles;
        if is_group && frame.name.is_none() {
            return;
        }
        self.close_styles(0);
        if std::mem::take(&mut self.in_paragraph) {
            self.html.push_str("</p>\n");
        }
        match frame.kind {
            // The text of a footnote is collected separately. The interrupted paragraph continues
            // with the tags that were open before.
            Kind::Note(index, outer_html, in_paragraph, open) => {
                self.notes[index] = std::mem::replace(&mut self.html, outer_html);
                self.in_paragraph = in_paragraph;
                self.open = open;
                return self.space = false;
            }
            Kind::Table(table) => table.end(&mut self.html),
            Kind::List(list) if list.has_item() => self.html.push_str("</li>\n"),
            Kind::List(_) | Kind::Plain | Kind::Line => {}
        }
        self.html.push_str(frame.end);
        self.space = false;
    }

    fn dollars(&mut self) {
        let is_block = self.reader.takes('$');
        self.formula(if is_block { "$$" } else { "$" }, is_block, ["", ""]);
    }

    /// Reads a formula up to its end, and shows it with TeX before and after it, such as the
    /// commands of an environment.
    fn formula(&mut self, end: &str, is_block: bool, [before, after]: [&str; 2]) {
        let Some(tex) = self.reader.formula(end) else {
            // The reader has returned to the sign that begins the formula, so the rest
            // is read as text and not lost.
            let start = end
                .replace("\\end", "\\begin")
                .replace("\\)", "\\(")
                .replace("\\]", "\\[");
            self.marked(&start);
            return self.report(format!("unclosed formula: `{start}` has no end"));
        };
        // Macros are expanded first: the renderer of formulas does not know them.
        let tex = macros::formula(&mut self.reader, &tex);
        let html = for_renderer(&format!("{before}{tex}{after}"), self.problem.constants)
            .and_then(|tex| formula::typeset(tex.trim(), is_block));
        let html = html.unwrap_or_else(|why| {
            let short: String = tex
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .chars()
                .take(60)
                .collect();
            self.report(format!(
                "the formula `{short}` is shown as written: it {why}"
            ));
            formula::as_written(tex.trim(), is_block)
        });
        self.inline(&html);
    }

    /// Shows something unknown as written, and reports it.
    fn unknown(&mut self, what: &str) {
        self.marked(what);
        self.report(format!("`{what}` is unknown, and is shown as written"));
    }

    fn marked(&mut self, what: &str) {
        self.prepare_text();
        self.html.push_str("<mark class=\"unknown\">");
        push(&mut self.html, what);
        self.html.push_str("</mark>");
    }

    fn report(&mut self, what: String) {
        self.report_at(self.line, what);
    }

    fn report_at(&mut self, line: usize, what: String) {
        // Repetitions of a remark are counted even beyond the bound.
        if self.found.len() < MAX_REMARKS || self.found.contains_key(&what) {
            self.found.entry(what).or_insert((line, 0)).1 += 1;
        }
    }

    /// Ends the frames above a depth, and reports them as unclosed.
    fn end_unclosed(&mut self, depth: usize) {
        while self.frames.len() > depth {
            if let Some(frame) = self.frames.last() {
                let what = match &frame.name {
                    Some(name) => format!("missing `\\end{{{name}}}` for `\\begin{{{name}}}`"),
                    None => "unclosed `{`".to_owned(),
                };
                self.report_at(frame.line, what);
            }
            self.leave();
        }
    }

    fn finish(&mut self) {
        self.end_unclosed(0);
        for (line, what) in std::mem::take(&mut self.reader.remarks) {
            self.report_at(line, what);
        }
        self.block();
        self.resolve_references();
        self.push_notes();
        self.page.html.push_str(&self.html);
        let found = std::mem::take(&mut self.found).into_iter();
        self.page
            .remarks
            .extend(found.map(|(what, (line, times))| Remark { line, what, times }));
        // Remarks are collected by their text, to count equal ones, but shown in the order of their
        // lines.
        self.page.remarks.sort_by_key(|remark| remark.line);
    }
}

#[cfg(test)]
mod tests;

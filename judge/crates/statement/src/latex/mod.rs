//! The text of a statement: the part of LaTeX that statements are written in.
//!
//! Responsible for that no text is lost and nothing is guessed: what is not known is shown as it is written, marked, and
//! told with its line. Must not read files: `\input` and its like are not known. Nothing here calls itself, so that no
//! text is nested too deeply for it.

mod algorithms;
mod blocks;
mod commands;
mod conditions;
mod footnotes;
mod formulas;
mod lists;
mod macros;
mod options;
mod quantities;
mod reader;
mod references;
mod signs;
mod skipping;
mod tables;
#[cfg(test)]
mod tests;
mod verbatim;

use std::collections::{BTreeMap, VecDeque};

use crate::escape::push;
use crate::sample::Samples;
use crate::{Image, Remark, Rendered, formula};

pub(crate) use formulas::for_renderer;
use lists::{List, Lists};
use reader::Reader;
use references::References;
pub(crate) use signs::plain_text;
use tables::Table;

/// Groups deeper than this are read without their braces.
const MOST_DEPTH: usize = 200;
/// More different remarks than these are counted.
const MOST_REMARKS: usize = 200;

/// What surrounds a statement in LaTeX.
pub(crate) struct Around<'a> {
    /// The language of the statement, such as `en` or `pt-BR`.
    pub(crate) language: &'a str,
    pub(crate) title: &'a str,
    /// The letter that the problem has in a contest.
    pub(crate) letter: Option<&'a str>,
    /// The time limit in seconds, if one is stated.
    pub(crate) time_limit: Option<&'a str>,
    pub(crate) constants: &'a [(String, String)],
}

/// Appends the text as HTML to the page.
pub(crate) fn push_latex(
    page: &mut Rendered,
    text: &str,
    around: &Around<'_>,
    samples: &mut Samples<'_>,
    images: &mut dyn FnMut(&str) -> Option<Image>,
) {
    let mut writer = Writer {
        page,
        around,
        samples,
        images,
        reader: Reader::new(text),
        line: 1,
        html: String::new(),
        frames: Vec::new(),
        too_deep: 0,
        styles: Vec::new(),
        open: Vec::new(),
        in_paragraph: false,
        blank: false,
        notes: Vec::new(),
        marks: VecDeque::new(),
        lists: Lists::default(),
        indent: 0,
        algorithms: 0,
        conditions: Vec::new(),
        references: References::default(),
        unknown: BTreeMap::new(),
    };
    writer.read();
    writer.finish();
}

/// What is not known of a statement in LaTeX, with its places: commands that a page shows as they are written, each once.
#[must_use]
pub fn unknown_in_latex(text: &str, constants: &[(String, String)]) -> Vec<Remark> {
    let mut page = Rendered::default();
    // Letters are those of a contest.
    let around = Around { language: "en", title: "", letter: Some("A"), time_limit: None, constants };
    push_latex(&mut page, text, &around, &mut Samples::new(&[], "en"), &mut |_| None);
    page.remarks
}

/// A thing that is open.
struct Frame {
    /// The line where it was opened.
    line: usize,
    /// The environment; none for a group in braces.
    name: Option<String>,
    /// The HTML that ends it.
    end: String,
    /// The styles around it.
    styles: Vec<(&'static str, String)>,
    kind: Kind,
}

/// The kind of a thing that is open.
enum Kind {
    Plain,
    /// No paragraphs begin in it.
    Line,
    List(List),
    Table(Table),
    /// A footnote, by its index, with the text around it.
    Note(usize, String, bool, Vec<(&'static str, String)>),
}

struct Writer<'w, 's> {
    page: &'w mut Rendered,
    around: &'w Around<'w>,
    samples: &'w mut Samples<'s>,
    images: &'w mut dyn FnMut(&str) -> Option<Image>,
    reader: Reader,
    /// The line where the command or character is that was read last.
    line: usize,
    html: String,
    frames: Vec<Frame>,
    /// The braces that were left out.
    too_deep: usize,
    /// The styles that text has here: tags with their attributes.
    styles: Vec<(&'static str, String)>,
    /// The styles whose tags are open.
    open: Vec<(&'static str, String)>,
    in_paragraph: bool,
    blank: bool,
    notes: Vec<String>,
    /// The footnotes whose marks stand in the text, and whose texts are still to come.
    marks: VecDeque<usize>,
    lists: Lists,
    /// How deep the lines of an algorithm are indented.
    indent: usize,
    algorithms: usize,
    /// The conditions that are open: true where their branch is known.
    conditions: Vec<bool>,
    references: References,
    /// What is not known: the first line, and how often.
    unknown: BTreeMap<String, (usize, usize)>,
}

impl Writer<'_, '_> {
    fn read(&mut self) {
        while let Some(c) = self.reader.next() {
            // A command reads on to what is behind it.
            self.line = self.reader.line;
            match c {
                '\\' => self.command(),
                '{' if self.frames.len() >= MOST_DEPTH => self.too_deep += 1,
                '{' => self.enter(None, String::new(), Kind::Plain),
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
        if lines > 1 {
            self.paragraph();
        } else {
            self.blank = true;
        }
    }

    /// Quotes and dashes; in the font of programs, characters are themselves.
    fn character(&mut self, c: char) {
        let is_code = self.styles.iter().any(|(tag, _)| *tag == "code");
        let pair = !is_code && self.reader.peek() == Some(c);
        let text = match c {
            '`' | '\'' | '<' | '>' | ',' if pair => {
                self.reader.raw();
                match c {
                    '`' => "“",
                    '\'' => "”",
                    '<' => "«",
                    '>' => "»",
                    _ => "„",
                }
            }
            '?' | '!' if !is_code && self.reader.peek() == Some('`') => {
                self.reader.raw();
                if c == '?' { "¿" } else { "¡" }
            }
            '`' if !is_code => "‘",
            '\'' if !is_code => "’",
            '-' if pair => {
                self.reader.raw();
                if self.reader.takes('-') { "—" } else { "–" }
            }
            _ => return self.text(c.encode_utf8(&mut [0; 4])),
        };
        self.text(text);
    }

    /// Makes a place for text: a cell, an item, a paragraph, the tags of its styles.
    fn ready(&mut self) {
        self.place();
        let is_flow = self.frames.iter().rev().find(|frame| frame.name.is_some() || !matches!(frame.kind, Kind::Plain));
        if !self.in_paragraph && is_flow.is_none_or(|frame| matches!(frame.kind, Kind::Plain)) {
            self.html.push_str("<p>");
            self.in_paragraph = true;
            self.blank = false;
        }
        let common = self.open.iter().zip(&self.styles).take_while(|(open, wanted)| open == wanted).count();
        self.close_styles(common);
        if std::mem::take(&mut self.blank) && !self.is_at_start_of_cell() {
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
        self.ready();
        push(&mut self.html, text);
    }

    fn inline(&mut self, html: &str) {
        self.ready();
        self.html.push_str(html);
    }

    fn paragraph(&mut self) {
        self.close_styles(0);
        if std::mem::take(&mut self.in_paragraph) {
            self.html.push_str("</p>\n");
            self.blank = false;
        } else if self.context().is_some_and(|frame| {
            matches!(&frame.kind, Kind::List(list) if list.has_item())
                || matches!(&frame.kind, Kind::Table(table) if table.has_cell())
        }) {
            self.html.push_str("<br>\n");
            self.blank = false;
        } else {
            self.blank = true;
        }
    }

    /// Ends the paragraph, so that a block may follow.
    fn block(&mut self) {
        self.close_styles(0);
        if std::mem::take(&mut self.in_paragraph) {
            self.html.push_str("</p>\n");
        }
        self.blank = false;
        self.place();
    }

    fn context(&self) -> Option<&Frame> {
        self.frames.iter().rev().find(|frame| frame.name.is_some() || !matches!(frame.kind, Kind::Plain))
    }

    fn enter(&mut self, name: Option<String>, end: String, kind: Kind) {
        self.frames.push(Frame { line: self.line, name, end, styles: self.styles.clone(), kind });
    }

    fn leave_group(&mut self) {
        match self.frames.last() {
            Some(frame) if frame.name.is_none() => self.leave(),
            _ => self.unknown("}"),
        }
    }

    /// Ends what was opened last.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
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
            Kind::Note(index, around, in_paragraph, open) => {
                self.notes[index] = std::mem::replace(&mut self.html, around);
                self.in_paragraph = in_paragraph;
                self.open = open;
                return self.blank = false;
            }
            Kind::Table(table) => table.end(&mut self.html),
            Kind::List(list) => self.end_list(&list),
            Kind::Plain | Kind::Line => {}
        }
        self.html.push_str(&frame.end);
        self.blank = false;
    }

    fn dollars(&mut self) {
        let is_block = self.reader.takes('$');
        let end = if is_block { "$$" } else { "$" };
        self.math(end, is_block, "", "");
    }

    /// Reads a formula up to its end.
    fn math(&mut self, end: &str, is_block: bool, before: &str, after: &str) {
        self.math_numbered(end, is_block, [before, after], None);
    }

    /// The same, with numbers where they belong to an environment of that name.
    fn math_numbered(&mut self, end: &str, is_block: bool, [before, after]: [&str; 2], of: Option<&str>) {
        let Some(tex) = self.reader.formula(end) else {
            let start = end.replace("\\end", "\\begin").replace("\\)", "\\(").replace("\\]", "\\[");
            self.marked(&start);
            return self.count(format!("the `{start}` begins no formula, as none ends it"));
        };
        let mut tex = macros::formula(&mut self.reader, &tex);
        if let Some(bare) = of {
            tex = self.number_equations(&tex, bare);
        }
        let html = for_renderer(&format!("{before}{tex}{after}"), self.around.constants)
            .and_then(|tex| formula::typeset(tex.trim(), is_block));
        let html = html.unwrap_or_else(|why| {
            let short: String = tex.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect();
            self.count(format!("the formula `{short}` is shown as it is written: it {why}"));
            formula::as_written(tex.trim(), is_block)
        });
        self.inline(&html);
    }

    /// Shows what is not known as it is written.
    fn unknown(&mut self, what: &str) {
        self.marked(what);
        self.count(format!("`{what}` is not known, and is shown as it is written"));
    }

    fn marked(&mut self, what: &str) {
        self.ready();
        self.html.push_str("<mark class=\"unknown\">");
        push(&mut self.html, what);
        self.html.push_str("</mark>");
    }

    fn count(&mut self, what: String) {
        self.count_at(self.line, what);
    }

    fn count_at(&mut self, line: usize, what: String) {
        if self.unknown.len() < MOST_REMARKS || self.unknown.contains_key(&what) {
            self.unknown.entry(what).or_insert((line, 0)).1 += 1;
        }
    }

    /// Ends what is open above that depth, and tells that nothing else has.
    fn end_open(&mut self, depth: usize) {
        while self.frames.len() > depth {
            if let Some(frame) = self.frames.last() {
                let what = match &frame.name {
                    Some(name) => format!("no `\\end{{{name}}}` ends the `\\begin{{{name}}}`"),
                    None => "no brace closes the `{`".to_owned(),
                };
                self.count_at(frame.line, what);
            }
            self.leave();
        }
    }

    fn finish(&mut self) {
        self.end_open(0);
        for (line, what) in std::mem::take(&mut self.reader.remarks) {
            self.count_at(line, what);
        }
        self.block();
        self.resolve();
        self.push_notes();
        self.page.html.push_str(&self.html);
        let unknown = std::mem::take(&mut self.unknown).into_iter();
        self.page.remarks.extend(unknown.map(|(what, (line, times))| Remark { line, what, times }));
        self.page.remarks.sort_by_key(|remark| remark.line);
    }
}

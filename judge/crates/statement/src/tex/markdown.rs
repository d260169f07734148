//! Converts Markdown statements to LaTeX, for judging systems that do not accept Markdown.
//!
//! Responsible for reporting the parts that LaTeX cannot express. Must not typeset anything or read
//! files.
//!
//! Source: 2025-09, "Problem Statements", for both languages.

use std::collections::{BTreeMap, VecDeque};

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::escape::{escaped, escaped_code};
use super::tables::TableLayout;
use crate::markdown::parsed;
use crate::misread::{surplus_cells, without_false_definitions};

/// A statement in LaTeX.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TexStatement {
    /// The text, beginning with the name of the problem.
    pub text: String,
    /// The parts that are left out, each as the end of a sentence about the statement.
    pub left_out: Vec<String>,
}

/// The mark of a footnote in a table.
const MARK: &str = "\\footnotemark{}";

/// Begins a table that is scaled down to the width of the line if necessary.
const SHRUNK: &str = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{";

/// Converts a Markdown statement, whose constants have been replaced, to LaTeX.
#[must_use]
pub fn markdown_to_tex(title: &str, markdown: &str) -> TexStatement {
    let markdown = &*without_false_definitions(markdown);
    let (events, highest) = parsed(markdown);
    let mut writer = TexWriter {
        highest: highest.unwrap_or(HeadingLevel::H2) as usize,
        ..TexWriter::default()
    };
    // LaTeX has the text of a footnote at its mark, and Markdown anywhere.
    let (notes, text) = split_notes(events.into_iter().map(|(event, _)| event).collect());
    for (name, events) in notes {
        let note = writer.separate(events);
        writer.notes.insert(name, note.trim().to_owned());
    }
    let body = writer.separate(text);
    for cells in surplus_cells(markdown) {
        let (line, written) = (cells.line, cells.written);
        writer.leave_out(format!(
            "loses `{written}` in line {line}: the table row has more cells than the header"
        ));
    }
    let text = format!("\\problemname{{{}}}\n\n{}\n", escaped(title), body.trim());
    TexStatement {
        text,
        left_out: writer.left_out,
    }
}

type Events<'e> = Vec<Event<'e>>;

fn split_notes(events: Events<'_>) -> (BTreeMap<String, Events<'_>>, Events<'_>) {
    let mut notes: BTreeMap<String, Events<'_>> = BTreeMap::new();
    let mut text = Vec::new();
    let mut inside: Option<String> = None;
    for event in events {
        match (event, &inside) {
            (Event::Start(Tag::FootnoteDefinition(name)), _) => inside = Some(name.into_string()),
            (Event::End(TagEnd::FootnoteDefinition), _) => inside = None,
            (event, Some(name)) => notes.entry(name.clone()).or_default().push(event),
            (event, None) => text.push(event),
        }
    }
    (notes, text)
}

/// Turns the events of a statement into LaTeX.
#[derive(Default)]
struct TexWriter {
    /// The highest level of headings.
    highest: usize,
    notes: BTreeMap<String, String>,
    tex: String,
    /// True in a code block, which is written verbatim.
    is_code: bool,
    /// The layouts of the tables that are still to come.
    layouts: VecDeque<TableLayout>,
    /// The open table.
    table: OpenTable,
    /// True in the description of an image, which is left out.
    is_described: bool,
    /// The end of each open image.
    ends: Vec<String>,
    left_out: Vec<String>,
}

/// A table that is being written.
#[derive(Default)]
struct OpenTable {
    layout: TableLayout,
    /// The header, which is repeated after a page break.
    head: String,
    /// The position in the text where the header begins.
    start: usize,
    row: usize,
    /// The column of the next cell.
    column: usize,
    is_open: bool,
    /// The footnotes in it. Their texts follow the table, since LaTeX would lose them within it.
    notes: Vec<String>,
}

impl TexWriter {
    /// Writes events into a separate text.
    fn separate(&mut self, events: Events<'_>) -> String {
        self.layouts = TableLayout::all(&events);
        for event in events {
            self.event(event);
        }
        std::mem::take(&mut self.tex)
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.is_code => self.push(&text),
            Event::Text(text) => self.push(&with_samples(&text)),
            Event::Code(text) => self.push(&format!("\\texttt{{{}}}", escaped_code(&text))),
            Event::InlineMath(tex) => self.push(&format!("${tex}$")),
            Event::DisplayMath(tex) => self.push(&format!("\\[{}\\]", tex.trim())),
            Event::SoftBreak => self.push("\n"),
            Event::HardBreak => self.push("\\\\\n"),
            Event::Rule => self.push("\n\\medskip\\hrule\\medskip\n\n"),
            Event::FootnoteReference(name) => {
                let note = self.notes.get(&*name).cloned().unwrap_or_default();
                if self.table.is_open {
                    // LaTeX loses `\footnote` within a table, so the mark is in the cell and the
                    // text follows the table.
                    self.table.notes.push(note);
                    return self.push(MARK);
                }
                self.push(&format!("\\footnote{{{note}}}"));
            }
            Event::Html(text) | Event::InlineHtml(text) => self.raw_html(&text),
            Event::TaskListMarker(_) => {}
        }
    }

    fn push(&mut self, text: &str) {
        if !self.is_described {
            self.tex.push_str(text);
        }
    }

    fn leave_out(&mut self, what: String) {
        if !self.left_out.contains(&what) {
            self.left_out.push(what);
        }
    }

    fn raw_html(&mut self, text: &str) {
        let known = match text
            .trim()
            .trim_end_matches("/>")
            .trim_end_matches('>')
            .trim()
        {
            "<br" => "\\\\\n",
            "<sub" => "\\textsubscript{",
            "<sup" => "\\textsuperscript{",
            "<b" | "<strong" => "\\textbf{",
            "<i" | "<em" => "\\emph{",
            "<code" | "<tt" | "<kbd" => "\\texttt{",
            "</sub" | "</sup" | "</b" | "</strong" | "</i" | "</em" | "</code" | "</tt"
            | "</kbd" => "}",
            comment if comment.starts_with("<!--") => "",
            _ => return self.leave_out(format!("loses the HTML `{}`", text.trim())),
        };
        self.push(known);
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                let command = match level as usize - self.highest {
                    0 => "section*",
                    1 => "subsection*",
                    _ => "paragraph",
                };
                self.push(&format!("\n\\{command}{{"));
            }
            Tag::BlockQuote(_) => self.push("\n\\begin{quote}\n"),
            Tag::CodeBlock(_) => {
                self.is_code = true;
                self.push("\n\\begin{verbatim}\n");
            }
            Tag::List(None) => self.push("\n\\begin{itemize}\n"),
            Tag::List(Some(first)) => {
                self.push("\n\\begin{enumerate}\n");
                if first != 1 {
                    self.push(&format!(
                        "\\setcounter{{enumi}}{{{}}}\n",
                        first.saturating_sub(1)
                    ));
                }
            }
            Tag::Item => self.push("\\item "),
            Tag::DefinitionList => self.push("\n\\begin{description}\n"),
            Tag::DefinitionListTitle => self.push("\\item["),
            Tag::Table(_) => {
                self.table = OpenTable {
                    layout: self.layouts.pop_front().unwrap_or_default(),
                    ..OpenTable::default()
                };
                self.table.is_open = true;
                self.begin_table();
                self.table.start = self.tex.len();
            }
            Tag::TableHead | Tag::TableRow => self.table.column = 0,
            Tag::TableCell => {
                let before = self
                    .table
                    .layout
                    .before
                    .get(self.table.column)
                    .copied()
                    .unwrap_or_default();
                let between = if self.table.column > 0 { " & " } else { "" };
                self.push(&format!("{between}{before}"));
                self.table.column += 1;
            }
            Tag::Emphasis => self.push("\\emph{"),
            Tag::Strong => self.push("\\textbf{"),
            Tag::Strikethrough => {
                self.leave_out("loses a strikethrough".to_owned());
                self.push("{");
            }
            Tag::Superscript => self.push("\\textsuperscript{"),
            Tag::Subscript => self.push("\\textsubscript{"),
            Tag::Link { dest_url, .. } => {
                self.push(&format!("\\href{{{}}}{{", escaped_url(&dest_url)));
            }
            Tag::Image { dest_url, .. } => self.image(&dest_url),
            Tag::Paragraph
            | Tag::HtmlBlock
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn begin_table(&mut self) {
        let shrunk = if self.table.layout.is_shrunk {
            SHRUNK
        } else {
            ""
        };
        let columns = self.table.layout.columns.clone();
        self.push(&format!(
            "\n\\begin{{center}}\n{shrunk}\\begin{{tabular}}{{{columns}}}\n\\hline\n"
        ));
    }

    fn end_table(&mut self) {
        let shrunk = if self.table.layout.is_shrunk { "}" } else { "" };
        self.push(&format!(
            "\\hline\n\\end{{tabular}}{shrunk}\n\\end{{center}}\n"
        ));
        let notes = std::mem::take(&mut self.table.notes);
        if !notes.is_empty() {
            // The marks in the table have advanced the counter, so it returns to the first of them.
            self.push(&format!("\\addtocounter{{footnote}}{{-{}}}\n", notes.len()));
        }
        for note in notes {
            self.push(&format!(
                "\\stepcounter{{footnote}}\\footnotetext{{{note}}}\n"
            ));
        }
        self.push("\n");
    }

    /// Ends a row. In a table with aligned cells, `\\\\` would only end a line within a cell.
    fn end_row(&mut self) {
        let is_aligned = self
            .table
            .layout
            .before
            .iter()
            .any(|before| !before.is_empty());
        self.push(if is_aligned {
            " \\tabularnewline\n"
        } else {
            " \\\\\n"
        });
    }

    fn image(&mut self, address: &str) {
        // The description replaces an image that TeX cannot show: `\includegraphics` does not
        // support SVG or addresses on the network, and these characters would end its argument or
        // begin a comment.
        if address.to_ascii_lowercase().ends_with(".svg")
            || address.contains("://")
            || address.contains(['{', '}', '%'])
        {
            self.leave_out(format!("loses the image `{address}`: TeX cannot show it"));
            self.push("[");
            return self.ends.push("]".to_owned());
        }
        self.push("\\begin{center}\\includegraphics[width=0.6\\textwidth]{");
        self.push(address);
        self.push("}\\end{center}");
        // The description is only for readers who cannot see the image.
        self.is_described = true;
        self.ends.push("\n".to_owned());
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.push("\n\n"),
            TagEnd::Heading(_) => self.push("}\n\n"),
            TagEnd::BlockQuote(_) => self.push("\\end{quote}\n\n"),
            TagEnd::CodeBlock => {
                self.is_code = false;
                self.push("\\end{verbatim}\n\n");
            }
            TagEnd::List(false) => self.push("\\end{itemize}\n\n"),
            TagEnd::List(true) => self.push("\\end{enumerate}\n\n"),
            TagEnd::Item | TagEnd::DefinitionListDefinition => self.push("\n"),
            TagEnd::DefinitionList => self.push("\\end{description}\n\n"),
            TagEnd::DefinitionListTitle => self.push("] "),
            TagEnd::Table => {
                self.end_table();
                self.table.is_open = false;
            }
            TagEnd::TableHead => {
                self.end_row();
                self.push("\\hline\n");
                // A repeated header must not repeat the marks of its footnotes, which would count
                // them again.
                self.table.head = self.tex[self.table.start..].replace(MARK, "");
            }
            TagEnd::TableRow => {
                self.table.row += 1;
                self.end_row();
                if self.table.layout.breaks.contains(&self.table.row) {
                    self.end_table();
                    self.begin_table();
                    let head = self.table.head.clone();
                    self.push(&head);
                }
            }
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link => self.push("}"),
            TagEnd::Image => {
                self.is_described = false;
                let end = self.ends.pop().unwrap_or_default();
                self.push(&end);
            }
            TagEnd::TableCell
            | TagEnd::HtmlBlock
            | TagEnd::FootnoteDefinition
            | TagEnd::MetadataBlock(_) => {}
        }
    }
}

/// Returns text as LaTeX, with the commands for samples.
fn with_samples(text: &str) -> String {
    escaped(text)
        .replace("\\{\\{nextsample\\}\\}", "\\nextsample ")
        .replace("\\{\\{remainingsamples\\}\\}", "\\remainingsamples ")
}

/// Returns a URL as the first argument of `\href`, which is mostly verbatim. Braces would end the
/// argument, and a backslash would begin a command.
fn escaped_url(url: &str) -> String {
    let escaped = |letter| match letter {
        '%' | '#' => format!("\\{letter}"),
        '{' | '}' | '\\' => format!("\\%{:02X}", u32::from(letter)),
        letter => letter.to_string(),
    };
    url.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tex(markdown: &str) -> String {
        let whole = markdown_to_tex("T", markdown);
        assert_eq!(whole.left_out, [""; 0]);
        whole
            .text
            .strip_prefix("\\problemname{T}\n\n")
            .unwrap()
            .trim_end()
            .to_owned()
    }

    #[test]
    fn markdown_elements_become_latex() {
        assert_eq!(
            tex("a *b* **c** `d_e` $x_1$ 5%"),
            "a \\emph{b} \\textbf{c} \\texttt{d\\_e} $x_1$ 5\\%"
        );
        assert_eq!(
            tex("## Input\n\nOne\n\n### Sub\n"),
            "\\section*{Input}\n\nOne\n\n\n\\subsection*{Sub}"
        );
        assert_eq!(
            tex("- a\n- b\n"),
            "\\begin{itemize}\n\\item a\n\\item b\n\\end{itemize}"
        );
        assert_eq!(tex("$$\n1 < 2\n$$"), "\\[1 < 2\\]");
        let table = "|a|b|\n|-|-:|\n|1|2 & 3|\n";
        let expected = "\\begin{center}\n\\begin{tabular}{lr}\n\\hline\na & b \\\\\n\\hline\n1 & 2 \\& 3 \\\\\n\\hline\n\
            \\end{tabular}\n\\end{center}";
        assert_eq!(tex(table), expected);
        let notes = "|a[^1]|\n|-|\n|1[^2]|\n\n[^1]: *one*\n\n[^2]: two\n";
        let expected = "\\begin{center}\n\\begin{tabular}{l}\n\\hline\na\\footnotemark{} \\\\\n\\hline\n1\\footnotemark{} \\\\\n\
            \\hline\n\\end{tabular}\n\\end{center}\n\\addtocounter{footnote}{-2}\n\
            \\stepcounter{footnote}\\footnotetext{\\emph{one}}\n\\stepcounter{footnote}\\footnotetext{two}";
        assert_eq!(tex(notes), expected);
        let long = tex(&format!(
            "|a[^1]|{}|\n|-|-|\n{}\n\n[^1]: x\n",
            "w ".repeat(90),
            "|1|2|\n".repeat(40)
        ));
        assert_eq!(
            (
                long.matches("begin{tabular}{lp").count(),
                long.matches("\\footnotetext{x}").count()
            ),
            (2, 1)
        );
        assert_eq!(
            (
                long.matches("\na\\footnotemark{} & \\raggedright w")
                    .count(),
                long.matches("1 & \\raggedright 2 \\tabularnewline").count()
            ),
            (1, 40)
        );
        assert_eq!(
            tex("```\n{x}\n```\n"),
            "\\begin{verbatim}\n{x}\n\\end{verbatim}"
        );
        assert_eq!(
            tex("see[^1]\n\n[^1]: *there*\n"),
            "see\\footnote{\\emph{there}}"
        );
        assert_eq!(
            tex("{{nextsample}}\n\nthen\n\n{{remainingsamples}}"),
            "\\nextsample \n\nthen\n\n\\remainingsamples"
        );
        assert_eq!(
            tex("![a picture](a.png)"),
            "\\begin{center}\\includegraphics[width=0.6\\textwidth]{a.png}\\end{center}"
        );
    }

    #[test]
    fn braces_and_backslashes_of_links_are_percent_encoded() {
        assert_eq!(
            tex("[x](<a}b{c\\d%#>)"),
            "\\href{a\\%7Db\\%7Bc\\%5Cd\\%\\#}{x}"
        );
    }

    #[test]
    fn parts_without_latex_are_reported() {
        let whole = markdown_to_tex("A & B", "<div>x</div>\n\n![drawn](a.svg) ~~no~~");
        assert!(
            whole.text.starts_with("\\problemname{A \\& B}\n"),
            "{}",
            whole.text
        );
        assert!(
            whole.text.contains("[drawn]") && whole.text.contains("{no}"),
            "{}",
            whole.text
        );
        let left_out = whole.left_out.join("\n");
        for part in ["<div>", "`a.svg`", "strikethrough"] {
            assert!(left_out.contains(part), "{left_out}");
        }
    }

    #[test]
    fn braces_are_balanced_for_any_text() {
        use proptest::prelude::*;
        proptest!(|(text in "[a{}$&#_%^~\\\\<>|\"*`\\[\\]()!\\n -]{0,60}")| {
            let whole = markdown_to_tex("T", &text).text;
            // Formulas and code blocks are not changed.
            prop_assume!(!text.contains(['$', '`']) && !text.contains("    ") && !text.contains("://"));
            let bare = whole.replace("\\{", "").replace("\\}", "");
            let depth = |c: char| bare.matches(c).count();
            prop_assert_eq!(depth('{'), depth('}'), "{}", whole);
        });
    }
}

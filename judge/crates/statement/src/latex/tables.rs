//! Tables: columns, rows, cells, and lines between them.
//!
//! Must not know how text is read.

use std::collections::BTreeMap;

use super::reader::Reader;
use super::{Kind, Writer};

/// The maximum number of columns.
const MAX_COLUMNS: usize = 100;
/// The maximum number of characters in a column specification, after expanding repetitions and the
/// author's column types.
const MAX_SIGNS: usize = 1000;
/// The maximum length of a column specification as written, in characters.
const MAX_DESCRIPTION: usize = 4000;

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Column {
    /// The class of its cells for their alignment: `c`, `r`, or empty for left-aligned cells.
    align: &'static str,
    /// True if a line is drawn on its left, and on its right.
    lines: [bool; 2],
}

/// An open table.
#[derive(Default)]
pub(super) struct Table {
    in_row: bool,
    in_cell: bool,
    columns: Vec<Column>,
    /// The column of the next cell.
    column: usize,
    /// True if a line is drawn before the next row.
    line: bool,
}

impl Column {
    /// The `class` attribute of its cells, or an empty text.
    fn class(&self) -> String {
        let [left, right] = self.lines;
        let classes = [
            self.align,
            if left { "ll" } else { "" },
            if right { "lr" } else { "" },
        ];
        let classes: Vec<&str> = classes
            .into_iter()
            .filter(|class| !class.is_empty())
            .collect();
        if classes.is_empty() {
            String::new()
        } else {
            format!(" class=\"{}\"", classes.join(" "))
        }
    }
}

impl Table {
    pub(super) fn has_cell(&self) -> bool {
        self.in_cell
    }

    pub(super) fn open_cell(&mut self, html: &mut String) {
        let class = self
            .columns
            .get(self.column)
            .map(Column::class)
            .unwrap_or_default();
        self.open(html, &class, 1);
    }

    fn open(&mut self, html: &mut String, attributes: &str, columns: usize) {
        if !self.in_row {
            html.push_str(if std::mem::take(&mut self.line) {
                "<tr class=\"line\">"
            } else {
                "<tr>"
            });
        }
        html.push_str(&format!("<td{attributes}>"));
        self.column += columns;
        (self.in_row, self.in_cell) = (true, true);
    }

    /// Ends the table. A line below the last row is drawn as the line above an empty row.
    pub(super) fn end(mut self, html: &mut String) {
        self.end_row(html);
        if self.line {
            let columns = self.columns.len().max(1);
            html.push_str(&format!(
                "<tr class=\"line end\" aria-hidden=\"true\"><td colspan=\"{columns}\"></td></tr>\n"
            ));
        }
    }

    fn end_row(&mut self, html: &mut String) {
        html.push_str(if self.in_cell { "</td>" } else { "" });
        html.push_str(if self.in_row { "</tr>\n" } else { "" });
        (self.in_row, self.in_cell, self.column) = (false, false, 0);
    }
}

/// The columns of a specification.
#[derive(Default)]
struct Columns {
    found: Vec<Column>,
    /// The next column, which may be incomplete.
    next: Column,
    /// Parts that are not supported, each as the subject of a sentence.
    unsupported: Vec<String>,
}

impl Columns {
    /// Reads a specification such as `|l|p{3cm}|*{2}{r}`. `types` are defined by `\newcolumntype`.
    fn read(description: &str, types: &BTreeMap<char, String>) -> Self {
        let mut columns = Self::default();
        let mut reader = Reader::new(
            &description
                .chars()
                .take(MAX_DESCRIPTION)
                .collect::<String>(),
        );
        // The bound on characters ends the expansion of a column type that contains itself.
        for _ in 0..MAX_SIGNS {
            let Some(c) = reader.next() else { break };
            if let Some(own) = types.get(&c) {
                reader.unread(own);
                continue;
            }
            match c {
                // A line between two columns belongs to the left one, so that it is drawn once.
                '|' | ':' => match columns.found.last_mut() {
                    Some(last) => last.lines[1] = true,
                    None => columns.next.lines[0] = true,
                },
                '*' => {
                    let times = reader
                        .argument()
                        .trim()
                        .parse::<usize>()
                        .unwrap_or(1)
                        .min(MAX_COLUMNS);
                    let part = reader.argument();
                    // The repeated part may contain other repetitions, so its length is bounded
                    // each time.
                    reader.unread(
                        &part
                            .repeat(times)
                            .chars()
                            .take(MAX_SIGNS)
                            .collect::<String>(),
                    );
                }
                '>' | '<' | '@' | '!' => columns.text(c, &reader.argument()),
                'p' | 'm' | 'b' => {
                    reader.argument();
                    columns.push("");
                }
                'c' | 'C' => columns.push("c"),
                'r' | 'R' | 'S' => columns.push("r"),
                'l' | 'X' | 'L' | 'J' => columns.push(""),
                // Widths and number formats.
                '{' => {
                    reader.unread("{");
                    reader.argument();
                }
                '[' => {
                    reader.unread("[");
                    reader.option();
                }
                c if c.is_whitespace() || "}]~".contains(c) => {}
                c => {
                    columns
                        .unsupported
                        .push(format!("the type `{c}` of a column"));
                    columns.push("");
                }
            }
        }
        columns
    }

    fn push(&mut self, align: &'static str) {
        let mut column = std::mem::take(&mut self.next);
        // A declaration such as `>{\centering}` takes precedence over the column type.
        if column.align.is_empty() {
            column.align = align;
        }
        if self.found.len() < MAX_COLUMNS {
            self.found.push(column);
        }
    }

    /// Reads a declaration such as `>{\centering}`. Only its alignment is supported.
    fn text(&mut self, sign: char, text: &str) {
        if text.contains("\\centering") {
            self.next.align = "c";
        } else if text.contains("\\raggedleft") {
            self.next.align = "r";
        }
        if has_text(text) {
            self.unsupported
                .push(format!("the text `{sign}{{{text}}}` of a column"));
        }
    }
}

/// True if a column declaration contains anything but lengths, colours and alignments.
fn has_text(text: &str) -> bool {
    let mut reader = Reader::new(text);
    while let Some(c) = reader.next() {
        match c {
            '\\' => match reader.name().as_str() {
                "centering" | "raggedright" | "raggedleft" | "arraybackslash" | "vline"
                | "hfill" | "quad" | " " | "," | "columnwidth" => {}
                "hspace" | "extracolsep" | "columncolor" | "color" => {
                    reader.skip_options();
                    reader.argument();
                }
                // A length ends the declaration.
                "hskip" | "vrule" => return false,
                _ => return true,
            },
            c if c.is_whitespace() => {}
            _ => return true,
        }
    }
    false
}

impl Writer<'_, '_> {
    pub(super) fn new_table(&mut self, description: &str) -> Table {
        Table {
            columns: self.columns(description),
            ..Table::default()
        }
    }

    fn columns(&mut self, description: &str) -> Vec<Column> {
        let columns = Columns::read(description, &self.column_types);
        for what in columns.unsupported {
            self.report(format!("{what} is not supported"));
        }
        columns.found
    }

    /// Reads the definition of a column type. Always returns true, since the command is known.
    pub(super) fn define_column(&mut self) -> bool {
        let name = self.reader.argument();
        self.reader.option();
        let description = self.reader.argument();
        if let Some(name) = name.trim().chars().next() {
            self.column_types.insert(name, description);
        }
        true
    }

    /// Returns the index of the innermost frame if it is a table, ignoring plain groups.
    pub(super) fn table(&self) -> Option<usize> {
        let at = self
            .frames
            .iter()
            .rposition(|frame| frame.name.is_some() || matches!(frame.kind, Kind::Line))?;
        matches!(self.frames[at].kind, Kind::Table(..)).then_some(at)
    }

    /// True directly after the tag of a cell.
    pub(super) fn is_at_cell_start(&self) -> bool {
        /// An upper bound for the length of the tag of a cell, in bytes.
        const MAX_TAG: usize = 64;
        // Searching the whole page for each cell would take quadratic time.
        let html = self.html.as_bytes();
        let tail = &html[html.len().saturating_sub(MAX_TAG)..];
        let tag = tail
            .iter()
            .rposition(|byte| *byte == b'<')
            .map_or(&[][..], |at| &tail[at..]);
        tag.starts_with(b"<td") && tag.ends_with(b">")
    }

    /// Ends everything that is open in a cell, since a cell is a group.
    fn end_content(&mut self, table: usize) {
        self.leave_to(table + 1);
        self.close_styles(0);
        self.styles.clone_from(&self.frames[table].styles);
    }

    pub(super) fn next_cell(&mut self) {
        let Some(at) = self.table() else { return };
        self.leave_to(at + 1);
        self.open_place();
        self.end_content(at);
        self.html.push_str("</td>");
        if let Kind::Table(table) = &mut self.frames[at].kind {
            table.in_cell = false;
        }
        self.space = false;
        // Opens the next cell even if it stays empty.
        self.open_place();
    }

    pub(super) fn next_row(&mut self) {
        let Some(at) = self.table() else { return };
        self.end_content(at);
        if let Kind::Table(table) = &mut self.frames[at].kind {
            table.end_row(&mut self.html);
        }
        self.space = false;
    }

    /// Draws a line before the next row.
    pub(super) fn line_between_rows(&mut self) {
        let Some(at) = self.table() else { return };
        if let Kind::Table(table) = &mut self.frames[at].kind {
            // A line within a row has no counterpart in HTML.
            table.line |= !table.in_row;
        }
    }

    /// Opens a cell that spans several columns. Its text follows in braces.
    pub(super) fn wide_cell(&mut self) {
        let count = self
            .reader
            .argument()
            .trim()
            .parse::<usize>()
            .unwrap_or(1)
            .clamp(1, MAX_COLUMNS);
        let description = self.reader.argument();
        let column = self
            .columns(&description)
            .into_iter()
            .next()
            .unwrap_or_default();
        let attributes = format!(" colspan=\"{count}\"{}", column.class());
        let is_empty = self.is_at_cell_start();
        let Some(at) = self.table() else { return };
        self.space = false;
        let Kind::Table(table) = &mut self.frames[at].kind else {
            return;
        };
        if !table.in_cell {
            table.open(&mut self.html, &attributes, count);
        } else if is_empty {
            // `&` has opened a cell of one column, whose tag is replaced.
            let start = self.html.rfind('<').unwrap_or(self.html.len());
            self.html.truncate(start);
            self.html.push_str(&format!("<td{attributes}>"));
            table.column += count - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(description: &str) -> Columns {
        let types = BTreeMap::from([
            ('Q', ">{\\centering\\arraybackslash}X".to_owned()),
            ('Z', "ZZ".to_owned()),
        ]);
        Columns::read(description, &types)
    }

    fn classes(description: &str) -> String {
        read(description)
            .found
            .into_iter()
            .map(|column| column.class() + ";")
            .collect()
    }

    #[test]
    fn column_alignments_and_lines_are_read() {
        assert_eq!(classes("lcr"), "; class=\"c\"; class=\"r\";");
        assert_eq!(classes("|l|r|"), " class=\"ll lr\"; class=\"r lr\";");
        assert_eq!(
            classes("*{2}{c|} p{3cm}"),
            " class=\"c lr\"; class=\"c lr\";;"
        );
        assert_eq!(
            classes(">{\\raggedleft}p{1cm} @{} l Q"),
            " class=\"r\";; class=\"c\";"
        );
        assert_eq!(
            classes("*{9999999}{*{999}{c}}").matches(';').count(),
            MAX_COLUMNS
        );
    }

    #[test]
    fn unsupported_parts_of_specifications_are_reported() {
        assert_eq!(read("é{").unsupported, ["the type `é` of a column"]);
        assert_eq!(read("r@{.}l").unsupported, ["the text `@{.}` of a column"]);
        assert_eq!(read(">{$}c<{$}").unsupported.len(), 2);
        assert_eq!(
            read("@{\\extracolsep{\\fill}}l!{\\vrule width 1pt}>{\\color{red}}r").unsupported,
            [""; 0]
        );
    }

    #[test]
    fn any_specification_is_read() {
        proptest!(|(description in "[lcrpXZ|@!<>{}\\[\\]*3$Qé ]{0,40}")| {
            prop_assert!(read(&description).found.len() <= MAX_COLUMNS);
        });
    }
}

//! Tables: rows, cells, and the lines between them.
//!
//! Must not know how text is read.

mod cells;
mod columns;

use super::{Kind, Writer};
use cells::with_texts;
use columns::{Column, columns};

/// A table that is open.
#[derive(Default)]
pub(super) struct Table {
    row: bool,
    cell: bool,
    columns: Vec<Column>,
    /// The column of the next cell.
    column: usize,
    /// True where a line is drawn before the next row.
    line: bool,
}

impl Table {
    pub(super) fn has_cell(&self) -> bool {
        self.cell
    }

    pub(super) fn open_cell(&mut self, html: &mut String) {
        let class = self.columns.get(self.column).map(Column::class).unwrap_or_default();
        self.open(html, &class, 1);
    }

    fn open(&mut self, html: &mut String, attributes: &str, columns: usize) {
        if !self.row {
            html.push_str(if std::mem::take(&mut self.line) { "<tr class=\"line\">" } else { "<tr>" });
        }
        html.push_str(&format!("<td{attributes}>"));
        self.column += columns;
        (self.row, self.cell) = (true, true);
    }

    /// Ends the last row; a line below it is the line above an empty one.
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
        html.push_str(if self.cell { "</td>" } else { "" });
        html.push_str(if self.row { "</tr>\n" } else { "" });
        (self.row, self.cell, self.column) = (false, false, 0);
    }
}

impl Writer<'_, '_> {
    /// The table that a description begins. Texts of its columns are put into its cells, which are still to be read.
    pub(super) fn new_table(&mut self, name: &str, description: &str) -> Table {
        let columns = self.columns(description);
        if columns.iter().any(Column::has_text) {
            let line = self.reader.line;
            if let Some(body) = self.reader.body(name) {
                self.reader.read_again(&format!("{}\\end{{{name}}}", with_texts(&body, &columns)), line);
            }
        }
        Table { columns, ..Table::default() }
    }

    fn columns(&mut self, description: &str) -> Vec<Column> {
        let found = columns(description, &self.reader.column_types);
        for unknown in found.unknown {
            self.count(format!("the type `{unknown}` of a column is not known"));
        }
        found.columns
    }

    /// The open table, unless something else is open within it.
    pub(super) fn table(&self) -> Option<usize> {
        let at = self.frames.iter().rposition(|frame| frame.name.is_some() || matches!(frame.kind, Kind::Line))?;
        matches!(self.frames[at].kind, Kind::Table(..)).then_some(at)
    }

    /// True right behind the tag of a cell.
    pub(super) fn is_at_start_of_cell(&self) -> bool {
        /// No tag of a cell is longer; a page may be.
        const LONGEST: usize = 64;
        let html = self.html.as_bytes();
        let tail = &html[html.len().saturating_sub(LONGEST)..];
        let tag = tail.iter().rposition(|byte| *byte == b'<').map_or(&[][..], |at| &tail[at..]);
        tag.starts_with(b"<td") && tag.ends_with(b">")
    }

    pub(super) fn next_cell(&mut self) {
        let Some(at) = self.table() else { return };
        self.leave_to(at + 1);
        self.place();
        self.close_styles(0);
        // A cell is a group.
        self.styles.clone_from(&self.frames[at].styles);
        self.html.push_str("</td>");
        if let Kind::Table(table) = &mut self.frames[at].kind {
            table.cell = false;
        }
        self.blank = false;
        // An empty cell is a cell.
        self.place();
    }

    pub(super) fn next_row(&mut self) {
        let Some(at) = self.table() else { return };
        self.leave_to(at + 1);
        self.close_styles(0);
        self.styles.clone_from(&self.frames[at].styles);
        if let Kind::Table(table) = &mut self.frames[at].kind {
            table.end_row(&mut self.html);
        }
        self.blank = false;
    }

    /// A line before the next row.
    pub(super) fn line_between_rows(&mut self) {
        let Some(at) = self.table() else { return };
        if let Kind::Table(table) = &mut self.frames[at].kind {
            table.line |= !table.row;
        }
    }

    /// A cell over several columns; its text follows in braces.
    pub(super) fn wide_cell(&mut self) {
        let count = self.reader.argument().trim().parse::<usize>().unwrap_or(1).clamp(1, 100);
        let description = self.reader.argument();
        let column = self.columns(&description).into_iter().next().unwrap_or_default();
        if column.has_text() {
            let text = self.reader.argument();
            let [before, after] = &column.around;
            self.reader.unread(&format!("{{{before} {text}{after}}}"));
        }
        let attributes = format!(" colspan=\"{count}\"{}", column.class());
        let is_empty = self.is_at_start_of_cell();
        let Some(at) = self.table() else { return };
        self.blank = false;
        let Kind::Table(table) = &mut self.frames[at].kind else { return };
        if !table.cell {
            table.open(&mut self.html, &attributes, count);
        } else if is_empty {
            // The cell that was opened for it has the looks of a narrow one.
            let start = self.html.rfind('<').unwrap_or(self.html.len());
            self.html.truncate(start);
            self.html.push_str(&format!("<td{attributes}>"));
            table.column += count - 1;
        }
    }
}

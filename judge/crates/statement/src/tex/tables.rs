//! Markdown tables in LaTeX: chooses column widths so that tables fit on the paper.
//!
//! Responsible for estimating widths from the lengths of texts, since fonts are unknown here, and
//! for tables that are wider than estimated. Must not know how the text of a cell is written.

use std::collections::VecDeque;

use pulldown_cmark::{Alignment, Event, Tag, TagEnd};

/// The number of characters in a line on A4 paper; other paper is not much narrower.
const LINE: usize = 80;
/// The width of the space between two columns, in characters.
const BETWEEN: usize = 2;
/// The number of table lines that fit on a page.
const PAGE: usize = 36;

/// The width of a cell and of its longest word, in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    whole: usize,
    word: usize,
}

/// The layout of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TableLayout {
    /// The argument of `tabular`.
    pub(super) columns: String,
    /// The text at the beginning of each cell of a column.
    pub(super) before: Vec<&'static str>,
    /// True if the table may still be wider than the paper, and is then scaled down.
    pub(super) is_shrunk: bool,
    /// The rows after which the table is split. The header is row 0.
    pub(super) breaks: Vec<usize>,
}

impl TableLayout {
    /// Returns the layouts of all tables in order.
    pub(super) fn all(events: &[Event<'_>]) -> VecDeque<Self> {
        let mut found = VecDeque::new();
        let mut table: Option<(&[Alignment], Vec<Vec<Cell>>)> = None;
        for event in events {
            match (event, &mut table) {
                (Event::Start(Tag::Table(columns)), _) => table = Some((columns, Vec::new())),
                (Event::End(TagEnd::Table), _) => {
                    found.extend(
                        table
                            .take()
                            .map(|(columns, rows)| Self::new(columns, &rows)),
                    );
                }
                (Event::Start(Tag::TableHead | Tag::TableRow), Some((_, rows))) => {
                    rows.push(Vec::new());
                }
                (Event::Start(Tag::TableCell), Some((_, rows))) => {
                    if let Some(row) = rows.last_mut() {
                        row.push(Cell::default());
                    }
                }
                (Event::Text(text) | Event::InlineHtml(text), Some((_, rows))) => {
                    add(rows, text, text);
                }
                (Event::Code(text), Some((_, rows))) => add(rows, text, text),
                (Event::InlineMath(tex), Some((_, rows))) => add(rows, &bare(tex), ""),
                _ => {}
            }
        }
        found
    }

    fn new(columns: &[Alignment], rows: &[Vec<Cell>]) -> Self {
        let widest = |width: fn(&Cell) -> usize| -> Vec<usize> {
            (0..columns.len())
                .map(|column| {
                    rows.iter()
                        .filter_map(|row| row.get(column))
                        .map(width)
                        .max()
                        .unwrap_or(0)
                })
                .collect()
        };
        let (whole, words) = (widest(|cell| cell.whole), widest(|cell| cell.word));
        let room = LINE.saturating_sub(BETWEEN * columns.len());
        let widths = widths(&whole, &words, room);
        let specification =
            columns
                .iter()
                .zip(&widths)
                .map(|(align, width)| match (width, align) {
                    (None, Alignment::None | Alignment::Left) => "l".to_owned(),
                    (None, Alignment::Center) => "c".to_owned(),
                    (None, Alignment::Right) => "r".to_owned(),
                    (Some(width), _) => format!(
                        "p{{{}.{:03}\\linewidth}}",
                        width / LINE,
                        width % LINE * 1000 / LINE
                    ),
                });
        let before = columns
            .iter()
            .zip(&widths)
            .map(|(align, width)| match (width, align) {
                (None, _) => "",
                (Some(_), Alignment::Center) => "\\centering ",
                (Some(_), Alignment::Right) => "\\raggedleft ",
                (Some(_), Alignment::None | Alignment::Left) => "\\raggedright ",
            });
        let needed: usize = widths
            .iter()
            .zip(&whole)
            .zip(&words)
            .map(|((width, whole), word)| width.map_or(*whole, |width| width.max(*word)))
            .sum();
        Self {
            columns: specification.collect(),
            before: before.collect(),
            // Fonts differ: a table that nearly fills the line may be too wide.
            is_shrunk: needed > room * 9 / 10 && widths.iter().all(Option::is_none)
                || needed > room,
            breaks: breaks(rows, &widths),
        }
    }
}

/// Returns the rows after which a page is full.
fn breaks(rows: &[Vec<Cell>], widths: &[Option<usize>]) -> Vec<usize> {
    let lines = |row: &Vec<Cell>| {
        let height = |(cell, width): (&Cell, &Option<usize>)| {
            width.map_or(1, |width| cell.whole.div_ceil(width.max(1)).max(1))
        };
        row.iter().zip(widths).map(height).max().unwrap_or(1)
    };
    let head = rows.first().map_or(0, lines);
    let (mut breaks, mut used) = (Vec::new(), head);
    for (index, row) in rows.iter().enumerate().skip(1) {
        let more = lines(row);
        if used + more > PAGE && used > head {
            breaks.push(index - 1);
            used = head;
        }
        used += more;
    }
    breaks
}

/// Returns the widths of the columns whose text must be broken. The others are as wide as their
/// text.
fn widths(whole: &[usize], words: &[usize], room: usize) -> Vec<Option<usize>> {
    let mut widths = vec![None; whole.len()];
    if whole.iter().sum::<usize>() <= room {
        return widths;
    }
    // Columns that need at most their share keep their width, and leave the rest to the others.
    let mut is_wide = vec![true; whole.len()];
    let (mut rest, mut count) = (room, whole.len());
    while let Some(column) =
        (0..whole.len()).find(|column| is_wide[*column] && whole[*column] * count <= rest)
    {
        is_wide[column] = false;
        rest -= whole[column];
        count -= 1;
    }
    let sum: usize = (0..whole.len())
        .filter(|column| is_wide[*column])
        .map(|column| whole[column])
        .sum();
    for column in (0..whole.len()).filter(|column| is_wide[*column]) {
        // A share proportional to the length of the text, but at least the longest word.
        let share = (whole[column] * rest / sum.max(1))
            .max(words[column])
            .min(whole[column]);
        // A single word is not broken.
        widths[column] = (words[column] < whole[column]).then_some(share.max(1));
    }
    widths
}

/// Adds text to the open cell.
fn add(rows: &mut [Vec<Cell>], text: &str, words: &str) {
    let Some(cell) = rows.last_mut().and_then(|row| row.last_mut()) else {
        return;
    };
    let count = text.chars().count();
    let longest = words
        .split_whitespace()
        .map(|word| word.chars().count())
        .max()
        .unwrap_or(count);
    cell.whole += count;
    cell.word = cell.word.max(longest);
}

/// Returns a formula with each command replaced by a character.
fn bare(tex: &str) -> String {
    let mut bare = String::new();
    let mut rest = tex.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                while rest.next_if(char::is_ascii_alphabetic).is_some() {}
                bare.push('x');
            }
            '{' | '}' | '^' | '_' | ' ' => {}
            c => bare.push(c),
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::markdown::parsed;

    fn layout(markdown: &str) -> TableLayout {
        let events: Vec<_> = parsed(markdown)
            .0
            .into_iter()
            .map(|(event, _)| event)
            .collect();
        TableLayout::all(&events).pop_front().unwrap()
    }

    #[test]
    fn narrow_tables_have_plain_columns() {
        let table = layout("|a|b|c|\n|-|:-:|-:|\n|1|*2*|$\\sum_{x}$|\n");
        assert_eq!(
            table,
            TableLayout {
                columns: "lcr".into(),
                before: vec!["", "", ""],
                ..TableLayout::default()
            }
        );
    }

    #[test]
    fn long_text_is_broken_and_short_columns_are_kept() {
        let table = layout(&format!("|a|b|\n|-|-|\n|1|{}|\n", "word ".repeat(60)));
        assert_eq!(
            (table.columns.as_str(), table.is_shrunk),
            ("lp{0.937\\linewidth}", false)
        );
        assert_eq!(table.before, ["", "\\raggedright "]);
        let table = layout(&format!("|a|b|\n|-:|:-:|\n|{0}|{0}|\n", "word ".repeat(60)));
        assert_eq!(table.columns, "p{0.475\\linewidth}p{0.475\\linewidth}");
        assert_eq!(table.before, ["\\raggedleft ", "\\centering "]);
    }

    #[test]
    fn tables_of_long_words_are_scaled_down() {
        assert!(layout(&format!("|a|b|\n|-|-|\n|`{0}`|{0}|\n", "x".repeat(60))).is_shrunk);
        let many = |cell: &str| format!("|{}\n", format!("{cell}|").repeat(40));
        assert!(layout(&format!("{}{}{}", many("ab"), many("-"), many("12"))).is_shrunk);
    }

    #[test]
    fn tables_longer_than_a_page_continue_on_the_next() {
        let table = |rows: usize| layout(&format!("|a|b|\n|-|-|\n{}", "|1|2|\n".repeat(rows)));
        assert_eq!(table(30).breaks, [0; 0]);
        assert_eq!(table(100).breaks, [35, 70]);
    }

    #[test]
    fn broken_columns_fit_on_the_paper() {
        proptest!(|(whole in prop::collection::vec(1_usize..300, 1..12), word in 1_usize..8)| {
            let words: Vec<usize> = whole.iter().map(|whole| word.min(*whole)).collect();
            let room = LINE - BETWEEN * whole.len();
            let widths = widths(&whole, &words, room);
            let sum: usize = widths.iter().zip(&whole).map(|(width, whole)| width.unwrap_or(*whole)).sum();
            // Words longer than their share stick out, and the table is then scaled down.
            prop_assert!(sum <= room + word * whole.len(), "{widths:?} of {whole:?}");
        });
    }
}

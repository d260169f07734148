//! Markdown that does not mean what its author expects.
//!
//! Responsible for finding such places, to report or correct them. Must not know the output format.

use std::borrow::Cow;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::Remark;
use crate::syntax::OPTIONS;

/// Returns the text with a backslash before each colon that begins a definition but is not followed
/// by a space, such as `:-)`.
pub(crate) fn without_false_definitions(text: &str) -> Cow<'_, str> {
    /// A corrected colon can reveal another one after it.
    const MAX_ROUNDS: usize = 4;
    let mut text = Cow::Borrowed(text);
    for _ in 0..MAX_ROUNDS {
        let starts = Parser::new_ext(&text, OPTIONS)
            .into_offset_iter()
            .filter_map(|(event, range)| {
                let is_definition = matches!(event, Event::Start(Tag::DefinitionListDefinition));
                let at = range.start + text[range.start..].find(|c: char| !c.is_whitespace())?;
                let after = text[at..].strip_prefix(':')?;
                (is_definition && !after.starts_with([' ', '\t'])).then_some(at)
            });
        let mut starts: Vec<usize> = starts.collect();
        if starts.is_empty() {
            break;
        }
        starts.sort_unstable();
        let mut written = text.into_owned();
        starts.iter().rev().for_each(|at| written.insert(*at, '\\'));
        text = Cow::Owned(written);
    }
    text
}

/// The cells of a table row beyond the columns of the header.
pub(crate) struct SurplusCells {
    /// The position of the row in the text.
    pub(crate) row: usize,
    /// The line of the row, from 1.
    pub(crate) line: usize,
    /// The cells, as they are written.
    pub(crate) written: String,
    /// The number of cells in the row and in the header.
    counts: (usize, usize),
}

/// Finds the surplus cells of all tables, which Markdown drops. They are often an accident, since a
/// `|` within a formula ends a cell too.
pub(crate) fn surplus_cells(text: &str) -> Vec<SurplusCells> {
    let mut found = Vec::new();
    let mut columns = 0;
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        match event {
            Event::Start(Tag::Table(alignments)) => columns = alignments.len(),
            Event::Start(Tag::TableRow) => {
                let row = text[range.clone()].trim();
                let ends = cell_ends(row);
                if let Some(end) = columns
                    .checked_sub(1)
                    .and_then(|last| ends.get(last))
                    .filter(|_| ends.len() > columns)
                {
                    let written = row[end + 1..]
                        .trim()
                        .trim_end_matches('|')
                        .trim()
                        .to_owned();
                    let (line, counts) = (line_of(text, range.start), (ends.len(), columns));
                    found.push(SurplusCells {
                        row: range.start,
                        line,
                        written,
                        counts,
                    });
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns the positions at which the cells of a row end.
fn cell_ends(row: &str) -> Vec<usize> {
    let bars = row.match_indices('|').map(|(at, _)| at);
    let is_escaped = |at: usize| {
        row[..at]
            .bytes()
            .rev()
            .take_while(|byte| *byte == b'\\')
            .count()
            % 2
            == 1
    };
    let mut ends: Vec<usize> = bars.filter(|at| *at > 0 && !is_escaped(*at)).collect();
    if ends.last().is_none_or(|last| last + 1 != row.len()) {
        ends.push(row.len());
    }
    ends
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Returns a remark on the first `$` that looks like the beginning of an unclosed formula. Prices
/// (`$5`) do not count.
pub(crate) fn unclosed_formula(text: &str) -> Option<Remark> {
    let texts =
        Parser::new_ext(text, OPTIONS)
            .into_offset_iter()
            .scan(0_u32, |code, (event, range)| {
                match event {
                    Event::Start(Tag::CodeBlock(_)) => *code += 1,
                    Event::End(TagEnd::CodeBlock) => *code -= 1,
                    _ => {}
                }
                Some((*code == 0 && matches!(event, Event::Text(_))).then_some(range))
            });
    let signs = texts.flatten().flat_map(|range| {
        text[range.clone()]
            .match_indices('$')
            .map(move |(at, _)| range.start + at)
    });
    let at = signs.into_iter().find(|at| {
        let (before, after) = (
            text[..*at].chars().next_back(),
            text[at + 1..].chars().next(),
        );
        let begins =
            after.is_some_and(|next| next.is_alphabetic() || matches!(next, '\\' | '{' | '('));
        begins && !before.is_some_and(|last| last == '\\' || last == '$' || last.is_alphanumeric())
    })?;
    let shown = shortened(text[at..].lines().next().unwrap_or_default());
    let what =
        format!("unclosed formula: no `$` ends `{shown}`; write `\\$` for a literal dollar sign");
    Some(Remark::once(line_of(text, at), what))
}

impl SurplusCells {
    pub(crate) fn remark(&self) -> Remark {
        let (found, expected) = self.counts;
        let what = format!(
            "a table row has {found} cells but the header has {expected}: surplus cells are marked; write `\\|` for a literal bar, \
             and `\\vert` in formulas"
        );
        Remark::once(self.line, what)
    }
}

/// Shortens a text to one line for a message.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_LENGTH: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_LENGTH {
        line
    } else {
        line.chars().take(MAX_LENGTH).chain(['…']).collect()
    }
}

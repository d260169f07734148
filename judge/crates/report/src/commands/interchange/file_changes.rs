//! The report of `judge upgrade`: the changes in the files of a package.
//!
//! Responsible for its text. Must not know how the changes are computed, or read files.

use similar::{ChangeTag, TextDiff};

use crate::text::line::{Line, Tone};
use crate::text::page::{Look, Page};

/// The number of lines around a change.
const CONTEXT: usize = 2;

/// The changes in the files of a package.
#[derive(Clone, Debug, Default)]
pub struct FileChanges {
    /// Files and directories with their old and new names.
    pub moves: Vec<(String, String)>,
    /// Files with their old and new texts; the old text of a new file is empty.
    pub texts: Vec<(String, String, String)>,
    /// Files that are removed.
    pub removals: Vec<String>,
}

impl FileChanges {
    /// Renders the text for people.
    #[must_use]
    pub fn to_text(&self, look: Look) -> String {
        let mut page = Page::new(look);
        for (from, to) in &self.moves {
            row(&mut page, "move   ", &format!("{from} to {to}"));
        }
        for file in &self.removals {
            row(&mut page, "remove ", file);
        }
        for (file, old, new) in &self.texts {
            row(&mut page, "write  ", file);
            difference(&mut page, old, new);
        }
        page.take()
    }
}

fn row(page: &mut Page, what: &str, text: &str) {
    let line = Line::indented(2).with(Tone::Strong, what);
    page.line(line.with(Tone::Plain, text));
}

fn difference(page: &mut Page, old: &str, new: &str) {
    let diff = TextDiff::from_lines(old, new);
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            page.line(Line::indented(4).with(Tone::Dim, "..."));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (sign, tone) = match change.tag() {
                ChangeTag::Delete => ("- ", Tone::Bad),
                ChangeTag::Insert => ("+ ", Tone::Good),
                ChangeTag::Equal => ("  ", Tone::Dim),
            };
            let text = change.value().trim_end_matches(['\n', '\r']);
            page.line(Line::indented(4).with(tone, &format!("{sign}{text}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_before_texts_and_only_changes_are_shown() {
        let changes = FileChanges {
            moves: vec![("problem_statement".to_owned(), "statement".to_owned())],
            texts: vec![(
                "problem.yaml".to_owned(),
                "a\nb\nc\nd\nold\n".to_owned(),
                "a\nb\nc\nd\nnew\n".to_owned(),
            )],
            removals: vec![".timelimit".to_owned()],
        };
        let text = changes.to_text(Look::default());
        let expected = "  move   problem_statement to statement\n  remove .timelimit\n  write  problem.yaml\n      c\n      d\n    \
                      - old\n    + new\n";
        assert_eq!(text, expected);
    }
}

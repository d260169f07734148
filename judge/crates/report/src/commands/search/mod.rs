//! The report of `judge stress`: the inputs that were found, and the facts of the search.
//!
//! Responsible for the layout. Must not know how inputs are found.

pub(crate) mod bar;
pub(crate) mod words;

use crate::text::line::{Line, Tone};
use crate::text::numbers::counted;
use crate::text::page::{Look, Page};

/// The maximum number of lines of an input or an answer.
const LINES: usize = 24;
const COLUMN: usize = 12;

/// The report of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchReport {
    /// The name of the problem.
    pub(crate) problem: String,
    /// The condition of the search, in words.
    pub(crate) headline: String,
    /// False when the search found an unwanted input; `None` when it found nothing, but was
    /// interrupted or ran no input.
    pub(crate) good: Option<bool>,
    /// The inputs that were found.
    pub(crate) found: Vec<InputReport>,
    /// Sentences about test cases of the package.
    pub(crate) known: Vec<String>,
    /// Facts about the search: a name and a description.
    pub(crate) searched: Vec<(String, String)>,
    /// Warnings for an author.
    pub(crate) warnings: Vec<String>,
}

/// An input that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InputReport {
    /// The submissions, each with its verdict and behaviour on the input.
    pub(crate) did: Vec<(String, String)>,
    /// Facts: a name and a description.
    pub(crate) facts: Vec<(String, String)>,
    /// Texts: a name and a content.
    pub(crate) texts: Vec<(String, Vec<u8>)>,
    /// Commands to copy: a purpose and the command.
    pub(crate) commands: Vec<(String, String)>,
}

impl SearchReport {
    /// Renders the text for people; only the findings if `quiet`.
    #[must_use]
    pub fn to_text(&self, look: Look, quiet: bool) -> String {
        let mut page = Page::new(look);
        let line = Line::titled(page.glyphs.mark(self.good), &self.problem);
        let start = line.with(Tone::Plain, "  ");
        page.wrapped_after(start, 4, Tone::Plain, &self.headline);
        for known in &self.known {
            page.wrapped(2, Tone::Plain, known);
        }
        for input in &self.found {
            input.lay_out(&mut page);
        }
        page.blank();
        for fact in self.searched.iter().filter(|_| !quiet) {
            row(&mut page, fact);
        }
        for warning in &self.warnings {
            page.wrapped(2, Tone::Warn, &format!("warning: {warning}"));
        }
        page.take()
    }
}

/// Renders a fact: a name and a description.
pub(crate) fn row(page: &mut Page, (name, words): &(String, String)) {
    page.labelled(name, COLUMN, Tone::Plain, words);
}

impl InputReport {
    pub(crate) fn lay_out(&self, page: &mut Page) {
        page.blank();
        for (submission, did) in &self.did {
            let start = Line::indented(2)
                .with(Tone::Strong, submission)
                .with(Tone::Plain, "  ");
            page.wrapped_after(start, 4, Tone::Bad, did);
        }
        self.facts.iter().for_each(|fact| row(page, fact));
        for (name, content) in &self.texts {
            let text = String::from_utf8_lossy(content);
            let lines: Vec<&str> = text.lines().collect();
            for (index, line) in lines.iter().take(LINES).enumerate() {
                let start = Line::indented(2)
                    .with(Tone::Strong, if index == 0 { name } else { "" })
                    .pad_to(COLUMN);
                page.line(
                    start
                        .with(Tone::Dim, page.glyphs.quote)
                        .with(Tone::Plain, line),
                );
            }
            if lines.len() > LINES {
                let more = counted((lines.len() - LINES) as u64, "line more", "lines more");
                page.line(
                    Line::indented(COLUMN)
                        .with(Tone::Dim, &format!("{} {more}", page.glyphs.ellipsis)),
                );
            }
        }
        for (name, command) in &self.commands {
            // Commands are never broken or cut, so that users can copy them.
            page.whole_line(
                Line::indented(2)
                    .with(Tone::Strong, name)
                    .pad_to(COLUMN)
                    .with(Tone::Plain, command),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, words: &str) -> (String, String) {
        (name.to_owned(), words.to_owned())
    }

    fn report() -> SearchReport {
        let found = InputReport {
            did: vec![pair("wrong_answer/x.c", "WA: output ends early")],
            facts: vec![pair("input", "2 lines, 6 bytes")],
            texts: vec![
                ("".to_owned(), b"2\n1 2\n".to_vec()),
                ("answer".to_owned(), b"3\x1b[2J\n".to_vec()),
            ],
            commands: vec![pair("add it", "judge add 1.in -p sum")],
        };
        SearchReport {
            problem: "sum".into(),
            headline: "an input on which `wrong_answer/x.c` fails".into(),
            good: Some(false),
            found: vec![found],
            searched: vec![pair("searched", "12 inputs")],
            known: vec!["`secret/7` rejects `wrong_answer/x.c` already (WA)".into()],
            warnings: vec!["no input validator".into()],
        }
    }

    #[test]
    fn findings_are_complete_and_escaped() {
        let expected = "\
✗ sum  an input on which `wrong_answer/x.c` fails
  `secret/7` rejects `wrong_answer/x.c` already (WA)

  wrong_answer/x.c  WA: output ends early
  input     2 lines, 6 bytes
            │ 2
            │ 1 2
  answer    │ 3\\x1b[2J
  add it    judge add 1.in -p sum

  searched  12 inputs
  warning: no input validator
";
        assert_eq!(report().to_text(Look::default(), false), expected);
        assert!(!report().to_text(Look::default(), true).contains("searched"));
    }

    #[test]
    fn long_texts_are_cut() {
        let mut report = report();
        report.found[0].texts = vec![("input".to_owned(), b"7\n".repeat(100))];
        let text = report.to_text(Look::default(), false);
        assert_eq!(text.matches("│ 7\n").count(), LINES);
        assert!(text.contains("… 76 lines more"), "{text}");
    }
}

//! The report of `judge stress`: the inputs that were found, and the facts of the search.
//!
//! Responsible for the layout, and for the live bar of a search. Must not know how anything was found.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::text::line::{Line, Tone};
use crate::text::numbers::{count, plural};
use crate::text::page::{Look, Page};

/// So many lines of an input or an answer are shown.
const LINES: usize = 24;
const COLUMN: usize = 12;

/// The report of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchReport {
    /// The name of the problem.
    pub problem: String,
    /// The predicate that inputs were searched for, in words.
    pub sought: String,
    /// True when it failed: something was found that ought not to be there.
    pub failed: bool,
    /// The inputs that were found.
    pub found: Vec<FoundInput>,
    /// Facts about the search: a name and the words for it.
    pub searched: Vec<(String, String)>,
    /// Warnings for an author.
    pub warnings: Vec<String>,
}

/// An input that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundInput {
    /// The submissions on it: each with its verdict and the like.
    pub did: Vec<(String, String)>,
    /// Facts: a name and the words for it.
    pub facts: Vec<(String, String)>,
    /// Texts: a name and the content.
    pub texts: Vec<(String, Vec<u8>)>,
    /// Commands to be copied: what for, and the command.
    pub commands: Vec<(String, String)>,
}

impl SearchReport {
    /// The text for people; quietly only what was found.
    #[must_use]
    pub fn to_text(&self, look: Look, quiet: bool) -> String {
        let mut page = Page::new(look);
        let (mark, tone) = if self.failed { (page.glyphs.bad, Tone::Bad) } else { (page.glyphs.good, Tone::Good) };
        let line = Line::default().with(tone, &format!("{mark} ")).with(Tone::Strong, &self.problem);
        let start = line.with(Tone::Plain, "  ");
        page.wrapped_after(start, 4, Tone::Plain, &self.sought);
        for input in &self.found {
            input.lay_out(&mut page);
        }
        page.blank();
        for (name, words) in self.searched.iter().filter(|_| !quiet) {
            row(&mut page, name, words);
        }
        for warning in &self.warnings {
            page.wrapped(2, Tone::Warn, &format!("warning: {warning}"));
        }
        page.take()
    }
}

pub(crate) fn row(page: &mut Page, name: &str, words: &str) {
    page.wrapped_after(Line::indented(2).with(Tone::Strong, name).pad_to(COLUMN), COLUMN, Tone::Plain, words);
}

impl FoundInput {
    pub(crate) fn lay_out(&self, page: &mut Page) {
        page.blank();
        for (submission, did) in &self.did {
            let start = Line::indented(2).with(Tone::Strong, submission).with(Tone::Plain, "  ");
            page.wrapped_after(start, 4, Tone::Bad, did);
        }
        self.facts.iter().for_each(|(name, words)| row(page, name, words));
        for (name, content) in &self.texts {
            let text = String::from_utf8_lossy(content);
            let lines: Vec<&str> = text.lines().collect();
            for (index, line) in lines.iter().take(LINES).enumerate() {
                let start = Line::indented(2).with(Tone::Strong, if index == 0 { name } else { "" }).pad_to(COLUMN);
                page.line(start.with(Tone::Dim, page.glyphs.quote).with(Tone::Plain, line));
            }
            if lines.len() > LINES {
                let more = plural((lines.len() - LINES) as u64, "line more", "lines more");
                page.line(Line::indented(COLUMN).with(Tone::Dim, &format!("{} {more}", page.glyphs.ellipsis)));
            }
        }
        for (name, command) in &self.commands {
            page.whole_line(Line::indented(2).with(Tone::Strong, name).pad_to(COLUMN).with(Tone::Plain, command));
        }
    }
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchProgress {
    /// Inputs that were begun.
    pub inputs: u64,
    /// Inputs that submissions were judged on.
    pub judged: u64,
    /// Seconds since it began.
    pub seconds: f64,
    /// Kinds of calls of which a valid input came, and how many there are.
    pub kinds: (usize, usize),
    /// The number of findings.
    pub findings: usize,
    /// The share of the budget that is spent, from 0 to 1, where there is one.
    pub spent: Option<f64>,
}

impl SearchProgress {
    /// It in words, on one line.
    #[must_use]
    pub fn told(&self) -> String {
        let rate = if self.seconds > 0.0 { (self.inputs as f64 / self.seconds).round() as u64 } else { 0 };
        let (reached, all) = self.kinds;
        let kinds = if all == 0 { String::new() } else { format!(", {reached} of {all} kinds of calls") };
        format!(
            "{}, {}/s, {} judged{kinds}, {} found",
            plural(self.inputs, "input", "inputs"),
            count(rate),
            count(self.judged),
            count(self.findings as u64)
        )
    }
}

/// The live bar of a search.
#[derive(Debug)]
pub struct SearchBar(ProgressBar);

impl SearchBar {
    /// A bar, drawn where the target says.
    #[must_use]
    pub fn new(target: ProgressDrawTarget, unicode: bool) -> Self {
        let style = ProgressStyle::with_template("{bar:20} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars(if unicode { "━╸─" } else { "=> " });
        Self(ProgressBar::with_draw_target(Some(1000), target).with_style(style))
    }

    /// Draws it, not more often than its target allows.
    pub fn show(&self, progress: &SearchProgress) {
        self.0.set_message(progress.told());
        self.0.set_position((progress.spent.unwrap_or(0.0).clamp(0.0, 1.0) * 1000.0) as u64);
    }

    /// Says what is done now.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// Takes it away.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, words: &str) -> (String, String) {
        (name.to_owned(), words.to_owned())
    }

    fn report() -> SearchReport {
        let found = FoundInput {
            did: vec![pair("wrong_answer/x.c", "WA: output ends early")],
            facts: vec![pair("input", "2 lines, 6 bytes")],
            texts: vec![("".to_owned(), b"2\n1 2\n".to_vec()), ("answer".to_owned(), b"3\x1b[2J\n".to_vec())],
            commands: vec![pair("keep it", "judge add 1.in -p sum")],
        };
        SearchReport {
            problem: "sum".into(),
            sought: "an input that `wrong_answer/x.c` fails".into(),
            failed: true,
            found: vec![found],
            searched: vec![pair("searched", "12 inputs")],
            warnings: vec!["no input validator".into()],
        }
    }

    #[test]
    fn what_was_found_is_shown_whole_and_harmless() {
        let expected = "\
✗ sum  an input that `wrong_answer/x.c` fails

  wrong_answer/x.c  WA: output ends early
  input     2 lines, 6 bytes
            │ 2
            │ 1 2
  answer    │ 3\\x1b[2J
  keep it   judge add 1.in -p sum

  searched  12 inputs
  warning: no input validator
";
        assert_eq!(report().to_text(Look::default(), false), expected);
        assert!(!report().to_text(Look::default(), true).contains("searched"));
    }

    #[test]
    fn a_long_text_is_cut() {
        let mut report = report();
        report.found[0].texts = vec![("input".to_owned(), b"7\n".repeat(100))];
        let text = report.to_text(Look::default(), false);
        assert_eq!(text.matches("│ 7\n").count(), LINES);
        assert!(text.contains("… 76 lines more"), "{text}");
    }

    #[test]
    fn progress_is_one_line() {
        let progress =
            SearchProgress { inputs: 1234, judged: 900, seconds: 2.0, kinds: (3, 4), findings: 1, spent: None };
        assert_eq!(progress.told(), "1,234 inputs, 617/s, 900 judged, 3 of 4 kinds of calls, 1 found");
    }
}

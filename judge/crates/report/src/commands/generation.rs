//! The report of `judge generate`.
//!
//! Responsible for its text: one line for each package, and below it the changes. Must not know how
//! data is made.

use crate::settings::Verbosity;
use crate::text::line::{Line, Tone, widest};
use crate::text::numbers::{count, plural};
use crate::text::page::{Look, Page};

/// The word for renamed test cases.
const RENAMED: &str = "renamed";
/// The number of renamed test cases that are listed one by one.
const FEW_RENAMED: usize = 3;

/// The generation of the data of one package, and its result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generation {
    /// The name of the problem.
    pub problem: String,
    /// The number of test cases that were made.
    pub test_cases: u64,
    /// The number of cases that were made to test validators.
    pub for_validators: u64,
    /// The changes and the test cases or files that they concern, such as `input changed` and
    /// `secret/01`.
    pub changes: Vec<(String, String)>,
    /// Objections to the data, each with a hint.
    pub objections: Vec<(String, String)>,
    /// Notices for an author: the test case, and the text.
    pub notices: Vec<(String, String)>,
    /// The word for the action that was taken, such as `written`.
    pub done: String,
    /// True when there is no objection.
    pub good: bool,
}

impl Generation {
    /// Renders the text for people. At [`Verbosity::Quiet`] a package without objections is left
    /// out; notices beyond the first few are included from [`Verbosity::Verbose`] on.
    #[must_use]
    pub fn to_text(&self, look: Look, verbosity: Verbosity) -> String {
        let mut page = Page::new(look);
        if verbosity == Verbosity::Quiet && self.good && self.changes.is_empty() {
            return String::new();
        }
        let mut made = plural(self.test_cases, "test case");
        if self.for_validators > 0 {
            made.push_str(&format!(
                " and {} to test validators",
                count(self.for_validators)
            ));
        }
        let facts = [made, self.done.clone()];
        let line = Line::titled(page.glyphs.mark(Some(self.good)), &self.problem);
        page.line(line.with(Tone::Plain, &format!("  {}", facts.join(page.glyphs.dot))));
        let kinds = widest(self.changes.iter().map(|(kind, _)| kind));
        let mut row = |kind: &str, what: &str| {
            let line = Line::indented(2)
                .with(Tone::Strong, kind)
                .pad_to(2 + kinds + 2);
            page.line(line.with(Tone::Plain, what));
        };
        // A different number of digits renames a whole directory, which counts as one change in one
        // line.
        let renamed = self
            .changes
            .iter()
            .filter(|(kind, _)| kind == RENAMED)
            .count();
        let in_full = if verbosity >= Verbosity::Verbose || renamed <= FEW_RENAMED {
            renamed
        } else {
            1
        };
        let mut seen = 0;
        for (kind, id) in &self.changes {
            seen += usize::from(kind == RENAMED);
            match (kind == RENAMED, seen.checked_sub(in_full)) {
                (true, Some(1)) => row(
                    kind,
                    &format!("and {} more; -v shows them", renamed - in_full),
                ),
                (true, Some(2..)) => {}
                _ => row(kind, id),
            }
        }
        for (objection, hint) in &self.objections {
            page.wrapped(2, Tone::Bad, objection);
            page.wrapped(2, Tone::Plain, &format!("hint: {hint}"));
        }
        if verbosity > Verbosity::Quiet {
            self.notices(&mut page, verbosity);
        }
        page.take()
    }

    fn notices(&self, page: &mut Page, verbosity: Verbosity) {
        const MAX_NOTICES: usize = 5;
        let shown = if verbosity >= Verbosity::Verbose {
            self.notices.len()
        } else {
            MAX_NOTICES
        };
        for (id, message) in self.notices.iter().take(shown) {
            page.wrapped(2, Tone::Dim, &format!("note: `{id}`: {message}"));
        }
        if let Some(more) = self
            .notices
            .len()
            .checked_sub(shown)
            .filter(|more| *more > 0)
        {
            let text = format!("and {}; -v shows them", plural(more as u64, "more note"));
            page.line(Line::indented(2).with(Tone::Dim, &text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::line::width;

    fn text(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        rows.iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect()
    }

    #[test]
    fn unchanged_packages_take_one_line_and_changes_are_aligned() {
        let unchanged = Generation {
            problem: "sum".into(),
            test_cases: 3,
            done: "up to date".into(),
            good: true,
            ..Generation::default()
        };
        assert_eq!(
            unchanged.to_text(Look::default(), Verbosity::Normal),
            "✓ sum  3 test cases · up to date\n"
        );
        assert_eq!(unchanged.to_text(Look::default(), Verbosity::Quiet), "");
        let changed = Generation {
            changes: text(&[("added", "secret/1"), ("input changed", "secret/2")]),
            objections: text(&[("`data/secret/3.in` was written by hand", "move it away")]),
            notices: (0..7)
                .map(|n| (format!("secret/{n}"), "is equal to `sample/1`".to_owned()))
                .collect(),
            done: "nothing was changed".into(),
            good: false,
            ..unchanged.clone()
        };
        let many = Generation {
            changes: (1..=9)
                .map(|n| ("renamed".to_owned(), format!("secret/{n} to secret/0{n}")))
                .collect(),
            for_validators: 44,
            ..unchanged
        };
        let expected = "✓ sum  3 test cases and 44 to test validators · up to date\n  renamed  secret/1 to secret/01\n  \
                        renamed  and 8 more; -v shows them\n";
        assert_eq!(many.to_text(Look::default(), Verbosity::Normal), expected);
        assert_eq!(
            many.to_text(Look::default(), Verbosity::Verbose)
                .matches(" to secret/0")
                .count(),
            9
        );
        let expected = "✗ sum  3 test cases · nothing was changed\n  added          secret/1\n  input changed  secret/2\n  \
                        `data/secret/3.in` was written by hand\n  hint: move it away\n";
        let text = changed.to_text(Look::default(), Verbosity::Normal);
        assert!(text.starts_with(expected), "{text}");
        assert!(
            text.ends_with(
                "  note: `secret/4`: is equal to `sample/1`\n  and 2 more notes; -v shows them\n"
            ),
            "{text}"
        );
        assert_eq!(
            changed
                .to_text(Look::default(), Verbosity::Verbose)
                .matches("note:")
                .count(),
            7
        );
        assert!(text.lines().all(|line| width(line) <= 80));
    }
}

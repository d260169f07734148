//! The matrix of each problem as Markdown, for pull requests.
//!
//! Responsible for tables that no name can break. Must not know the use of the text.

use std::io::{self, Write};

use judge_event::{End, Event, RunState, TestDataAssessed};

use crate::Reporter;
use crate::commands::matrix::{
    AssessedList, Matrix, kills_in_words, lists, mutants_in_words, smallest_heading,
};
use crate::summary::place;
use crate::text::escape::{lines_without_commands, printable};

/// The maximum number of rendered names of a list.
const NAMES: usize = 20;

/// The reporter of each problem's matrix, once its submissions have ended, and of faults that
/// prevented this.
pub(crate) struct Matrices {
    state: RunState,
    writer: Box<dyn Write + Send>,
}

impl Matrices {
    /// Creates a report that is written to `writer`.
    pub(crate) fn new(writer: Box<dyn Write + Send>) -> Self {
        Self {
            state: RunState::default(),
            writer,
        }
    }

    fn rendered(&self, event: &Event) -> Option<String> {
        match event {
            Event::TestDataAssessed(assessed) => Some(self.problem(assessed)),
            Event::PackageFault(fault) => Some(format!(
                "**Package error**: {}: {}\n\n",
                code(&place(&fault.file, fault.line)),
                prose(&fault.message)
            )),
            Event::HostFault(fault) => Some(format!(
                "**This host failed**: {}\n\n",
                prose(&fault.message)
            )),
            Event::RunFinished(finished) if finished.end != End::Completed => {
                Some("**Not all was judged; this report is partial.**\n".to_owned())
            }
            _ => None,
        }
    }

    fn problem(&self, assessed: &TestDataAssessed) -> String {
        let Some(problem) = self.state.problems.last() else {
            return String::new();
        };
        let matrix = Matrix::new(problem);
        let mut text = format!("## {}\n\n", prose(&assessed.problem));
        let groups: Vec<String> = matrix
            .groups
            .iter()
            .map(|group| prose(&group.name))
            .collect();
        let head = ["", "submission"]
            .into_iter()
            .map(str::to_owned)
            .chain(groups)
            .chain(["not A".to_owned()]);
        let head: Vec<String> = head.collect();
        text.push_str(&row(&head));
        let left = vec![":--"; head.len() - 1];
        text.push_str(&row(&[left, vec!["--:"]].concat()));
        for submission in &matrix.rows {
            let mark = match submission.as_expected {
                Some(true) => "✓",
                Some(false) => "✗",
                None => "·",
            };
            let strip = |columns: &std::ops::Range<usize>| {
                code(&String::from_iter(&submission.letters[columns.clone()]))
            };
            let strips = matrix.groups.iter().map(|group| strip(&group.columns));
            let cells = [mark.to_owned(), code(&submission.submission)]
                .into_iter()
                .chain(strips);
            text.push_str(&row(&cells
                .chain([submission.rejections().to_string()])
                .collect::<Vec<_>>()));
        }
        text.push_str(&format!("\n{}\n\n", matrix.legend().join(", ")));
        for submission in &problem.submissions {
            // The first violation explains a row; the others usually repeat it for further test
            // cases.
            for violation in submission
                .finished
                .iter()
                .flat_map(|finished| &finished.violations)
                .take(1)
            {
                text.push_str(&format!(
                    "- **{}: {}**\n",
                    code(&submission.started.submission),
                    prose(violation)
                ));
            }
        }
        text.push_str(&assessment(assessed));
        text.push('\n');
        text
    }
}

impl Reporter for Matrices {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.state.apply(event);
        match self.rendered(event) {
            Some(text) => self
                .writer
                .write_all(lines_without_commands(&text).as_bytes()),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn assessment(assessed: &TestDataAssessed) -> String {
    let mut text = String::new();
    for one in assessed.too_few() {
        let by = kills_in_words(assessed, one);
        let required = assessed.min_kills.unwrap_or(0);
        text.push_str(&format!(
            "- **{}: rejected by {by}; at least {required} required**\n",
            code(&one.submission)
        ));
    }
    for AssessedList { what, items, .. } in lists(assessed, code) {
        list(&mut text, &what, &items);
    }
    let smallest: Vec<String> = assessed.smallest.iter().map(|case| code(case)).collect();
    let what = format!("{} as much as all", smallest_heading(assessed));
    list(&mut text, &what, &smallest);
    if let Some(mutants) = &assessed.mutants {
        text.push_str(&format!("\n{}\n\n", prose(&mutants_in_words(mutants))));
        text.push_str(&row(&["test case", "mutants killed", "by it alone"]));
        text.push_str(&row(&[":--", "--:", "--:"]));
        for by in &mutants.by {
            text.push_str(&row(&[
                code(&by.test_case),
                by.mutants.to_string(),
                by.alone.to_string(),
            ]));
        }
    }
    text
}

fn list(text: &mut String, what: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let shown = items.len().min(NAMES);
    let more = if items.len() > shown {
        format!(", and {} more", items.len() - shown)
    } else {
        String::new()
    };
    text.push_str(&format!(
        "- {what} ({}): {}{more}\n",
        items.len(),
        items[..shown].join(", ")
    ));
}

fn row<T: std::borrow::Borrow<str>>(cells: &[T]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// Text as code that cannot end the code or the cell of a table.
fn code(text: &str) -> String {
    let text = printable(text).replace('|', "\\|");
    // A fence must be longer than any run of backticks in the text (CommonMark, "Code spans").
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Literal text: characters with a meaning in Markdown are escaped.
fn prose(text: &str) -> String {
    let mut out = String::new();
    // Text in backticks is already code, if every backtick has a counterpart.
    let paired = text.matches('`').count().is_multiple_of(2);
    let mut in_code = false;
    for c in printable(text).chars() {
        // An unpaired backtick would turn the rest of the paragraph into code, so backticks are
        // then literal.
        in_code ^= paired && c == '`';
        if !in_code
            && matches!(
                c,
                '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~'
            )
        {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_markup() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(code("a\nb"), "`a\\nb`");
        assert_eq!(prose("a_b <i> `c_d`"), "a\\_b \\<i\\> `c_d`");
        assert_eq!(prose("a_b ` <i>"), "a\\_b ` \\<i\\>");
    }
}

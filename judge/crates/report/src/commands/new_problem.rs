//! The report of a new problem: its directories, and the next steps.
//!
//! Must not know the content of the files.

use crate::Verbosity;
use crate::text::line::{Line, Tone, widest, width};
use crate::text::numbers::count;
use crate::text::page::{Look, Page};

/// A new problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewProblem {
    /// Its name.
    pub name: String,
    /// The directory of its package, relative to the workspace where possible.
    pub package: String,
    /// The directory of its submissions.
    pub submissions: String,
    /// The number of files that were written.
    pub files: u64,
    /// True when commands find the problem by its name; otherwise they need its path.
    pub known: bool,
    /// True when its programs are in languages that every judging system supports.
    pub portable: bool,
    /// True when its title or author is a placeholder.
    pub placeholders: bool,
}

impl NewProblem {
    /// Renders the text for people.
    #[must_use]
    pub fn to_text(&self, look: Look, verbosity: Verbosity) -> String {
        if verbosity == Verbosity::Quiet {
            return String::new();
        }
        let mut page = Page::new(look);
        let inside = self.submissions.starts_with(&format!("{}/", self.package));
        let places = match inside {
            true => self.package.clone(),
            false => format!("{} and {}", self.package, self.submissions),
        };
        let start = Line::marked(0, page.glyphs.mark(Some(true)));
        page.wrapped_after(
            start,
            2,
            Tone::Plain,
            &format!("created {} files in {places}", count(self.files)),
        );
        let named = if self.known {
            &self.name
        } else {
            &self.package
        };
        let check = format!("judge verify {named}");
        let matrix = format!("judge run --matrix {named}");
        let problem_yaml = format!("{}/problem.yaml", self.package);
        let statement = format!("{}/statement/", self.package);
        let generators = format!("{}/generators/", self.package);
        let validators = format!("{}/input_validators/", self.package);
        let solutions = format!("{}/", self.submissions);
        let steps = [
            (&check, "check the package and judge its submissions"),
            (&problem_yaml, "its name, licence, rights and limits"),
            (&statement, "the task, in your own words"),
            (&validators, "checks what the statement promises"),
            (&generators, "the source of the test data"),
            (
                &solutions,
                "correct solutions, and one for each expected mistake",
            ),
            (&matrix, "which test cases reject which submissions"),
        ];
        let wide = widest(steps.iter().map(|(what, _)| what));
        page.blank();
        for (what, why) in steps {
            let line = Line::indented(2).with(Tone::Strong, what);
            // Next to each other if there is room, otherwise below.
            let column = 2 + wide + 2;
            if column + width(why) <= page.width() {
                page.whole_line(line.pad_to(column).with(Tone::Dim, why));
            } else {
                page.whole_line(line);
                page.wrapped(6, Tone::Dim, why);
            }
        }
        let mut remarks = Vec::new();
        if self.placeholders {
            remarks.push(format!("{problem_yaml} has a placeholder for the title or the author; `judge check` reports it until you replace it."));
        }
        if !self.portable {
            remarks.push(
                "Its validators and generators are in Rust and use the judge's own library, which Kattis and DOMjudge do not \
                 have: `judge check --profile kattis` refuses them (JP601). --language cpp or python creates a package that \
                 every judging system accepts."
                    .to_owned(),
            );
        }
        for remark in remarks {
            page.blank();
            page.wrapped(0, Tone::Plain, &remark);
        }
        page.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(submissions: &str, known: bool) -> NewProblem {
        let (name, package) = ("adder".to_owned(), "problems/adder".to_owned());
        NewProblem {
            name,
            package,
            submissions: submissions.to_owned(),
            files: 28,
            known,
            portable: known,
            placeholders: !known,
        }
    }

    #[test]
    fn the_next_steps_are_listed() {
        insta::assert_snapshot!(
            made("solutions/adder", true).to_text(Look::default(), Verbosity::Normal)
        );
        let narrow = made("problems/adder/submissions", false);
        let text = narrow.to_text(
            Look {
                width: 60,
                ..Look::default()
            },
            Verbosity::Normal,
        );
        assert!(
            text.starts_with("✓ created 28 files in problems/adder\n"),
            "{text}"
        );
        assert!(text.contains("  judge verify problems/adder\n"), "{text}");
        assert_eq!(narrow.to_text(Look::default(), Verbosity::Quiet), "");
    }
}

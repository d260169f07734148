//! The result of `judge generate --review`: the number of accepted answers.
//!
//! Responsible for its text. Must not know how the user decided.

use crate::text::numbers::noun;

/// The review of the answers of one package.
#[derive(Clone, Copy, Debug)]
pub struct AcceptReport<'a> {
    /// The name of the problem.
    pub problem: &'a str,
    /// The number of answers that would change, or that are missing.
    pub changed: usize,
    /// The number of these that are missing.
    pub missing: usize,
    /// The number of these that were accepted.
    pub accepted: usize,
    /// The number of other test cases that would also change.
    pub others: usize,
}

impl AcceptReport<'_> {
    /// True when every answer was accepted.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.accepted >= self.changed
    }

    /// Renders the text for people.
    #[must_use]
    pub fn to_text(&self) -> String {
        let (problem, changed, accepted) = (self.problem, self.changed, self.accepted);
        let mut text = match changed {
            0 => format!("{problem}: no answer has changed\n"),
            _ => {
                let which = if self.missing > 0 {
                    "changed or missing"
                } else {
                    "changed"
                };
                format!("{problem}: {accepted} of {changed} {which} answers accepted\n")
            }
        };
        if self.others > 0 {
            let cases = noun(self.others as u64, "test case", "test cases");
            text.push_str(&format!(
                "note: {} other {cases} would change too: see `judge generate`\n",
                self.others
            ));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_answers_and_other_changes_are_counted() {
        let none = AcceptReport {
            problem: "sum",
            changed: 0,
            missing: 0,
            accepted: 0,
            others: 0,
        };
        assert_eq!(
            (none.to_text().as_str(), none.is_complete()),
            ("sum: no answer has changed\n", true)
        );
        let some = AcceptReport {
            changed: 3,
            missing: 1,
            accepted: 2,
            others: 1,
            ..none
        };
        assert_eq!(
            some.to_text(),
            "sum: 2 of 3 changed or missing answers accepted\n\
             note: 1 other test case would change too: see `judge generate`\n"
        );
        assert!(!some.is_complete());
        let all = AcceptReport {
            missing: 0,
            accepted: 3,
            others: 0,
            ..some
        };
        assert_eq!(
            (all.to_text().as_str(), all.is_complete()),
            ("sum: 3 of 3 changed answers accepted\n", true)
        );
    }
}

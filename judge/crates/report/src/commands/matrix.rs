//! The matrix of a problem: submissions by test cases, a letter for each verdict.
//!
//! Responsible for rows, columns and groups. Must not know the width of a page or colours.

use std::collections::HashMap;
use std::ops::Range;

use judge_event::{
    MutantsKilled, ProblemState, RejectedBy, SubmissionState, TestCaseFinished, TestDataAssessed,
};
use judge_model::Verdict;

use crate::text::line::Tone;
use crate::text::numbers::{count, plural};

/// The letter of a test case that was not run.
pub(crate) const NOT_RUN: char = '.';
/// The explanation of small letters, for test cases that were run after judging had stopped.
const AFTER_STOP: &str = "small letters: after judging had stopped";

/// One submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MatrixRow {
    pub(crate) submission: String,
    /// True when it is as expected; `None` when it was not run.
    pub(crate) as_expected: Option<bool>,
    /// A letter for each test case, a small one after judging had stopped.
    pub(crate) letters: Vec<char>,
}

/// Test cases of one group, next to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Its name, without a leading `secret/`.
    pub(crate) name: String,
    /// Its columns.
    pub(crate) columns: Range<usize>,
}

/// Submissions by test cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) groups: Vec<Group>,
    pub(crate) rows: Vec<MatrixRow>,
}

/// The test cases of a problem as columns.
pub(crate) struct TestCaseColumns<'a> {
    by_name: HashMap<&'a str, usize>,
    number: usize,
}

impl<'a> TestCaseColumns<'a> {
    pub(crate) fn new(problem: &'a ProblemState) -> Self {
        let cases = &problem.started.test_cases;
        Self {
            by_name: cases.iter().map(String::as_str).zip(0..).collect(),
            number: cases.len(),
        }
    }

    /// Returns the column of a test case. An untrusted stream may contain an unknown test case.
    pub(crate) fn find(&self, test_case: &str) -> Option<usize> {
        self.by_name.get(test_case).copied()
    }

    /// Returns the runs of a submission, one for each column.
    pub(crate) fn row<'b>(
        &self,
        submission: &'b SubmissionState,
    ) -> Vec<Option<&'b TestCaseFinished>> {
        let mut row = vec![None; self.number];
        for test in &submission.test_cases {
            if let Some(column) = self.find(&test.test_case) {
                row[column] = Some(test);
            }
        }
        row
    }
}

impl Matrix {
    pub(crate) fn new(problem: &ProblemState) -> Self {
        let cases = &problem.started.test_cases;
        let columns = TestCaseColumns::new(problem);
        let rows = problem.submissions.iter().map(|submission| MatrixRow {
            submission: submission.started.submission.clone(),
            as_expected: submission
                .finished
                .as_ref()
                .map(|finished| finished.as_expected),
            letters: letters(submission, &columns),
        });
        Self {
            groups: Self::groups(cases),
            rows: rows.collect(),
        }
    }

    /// Returns the groups of test cases in this order.
    pub(crate) fn groups(cases: &[String]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (column, case) in cases.iter().enumerate() {
            let name = group_of(case);
            // Only neighbours form a group, because columns stay in package order. A group that
            // appears twice gets two headings.
            match groups.last_mut().filter(|last| last.name == name) {
                Some(last) => last.columns.end = column + 1,
                None => groups.push(Group {
                    name: name.to_owned(),
                    columns: column..column + 1,
                }),
            }
        }
        groups
    }

    /// Returns the legend of the letters in use.
    pub(crate) fn legend(&self) -> Vec<String> {
        let letters = || self.rows.iter().flat_map(|row| &row.letters);
        let used = |upper: char| letters().any(|letter| letter.to_ascii_uppercase() == upper);
        let verdict_letters = Verdict::ALL
            .into_iter()
            .map(|verdict| (letter(verdict), verdict.name()));
        let known = verdict_letters
            .chain([(NOT_RUN, "not run")])
            .filter(|(letter, _)| used(*letter));
        let entries = known.map(|(letter, name)| format!("{letter} {name}"));
        entries
            .chain(
                letters()
                    .any(char::is_ascii_lowercase)
                    .then(|| AFTER_STOP.to_owned()),
            )
            .collect()
    }
}

impl MatrixRow {
    /// Returns the number of test cases that reject it.
    pub(crate) fn rejections(&self) -> usize {
        self.letters
            .iter()
            .filter(|letter| is_rejection(**letter))
            .count()
    }
}

/// Describes the number of counting test cases that reject a submission.
pub(crate) fn kills_in_words(assessed: &TestDataAssessed, one: &RejectedBy) -> String {
    let kills = assessed.kills(one);
    if assessed.samples_count {
        plural(kills, "test case")
    } else {
        plural(kills, "secret test case")
    }
}

/// A list in an assessment of test data.
pub(crate) struct AssessedList {
    pub(crate) tone: Tone,
    /// The property that the items have in common.
    pub(crate) what: String,
    pub(crate) items: Vec<String>,
}

/// Returns the lists of submissions that hardly any test case rejects, and of test cases that are not
/// needed. `name` renders a name. A list may be empty.
pub(crate) fn lists(
    assessed: &TestDataAssessed,
    name: impl Fn(&str) -> String,
) -> Vec<AssessedList> {
    let list = |tone, what: &str, items| AssessedList {
        tone,
        what: what.to_owned(),
        items,
    };
    // A submission that no test case rejects shows that the test data are too weak. A submission that
    // a single test case rejects depends on that test case.
    let submissions = assessed.must_be_rejected.iter();
    let never = submissions.clone().filter(|one| one.test_cases.is_empty());
    let never = never.map(|one| name(&one.submission)).collect();
    let once = submissions.filter_map(|one| match one.test_cases.as_slice() {
        [only] => Some(format!("{} by {}", name(&one.submission), name(only))),
        _ => None,
    });
    let idle = match assessed.mutants {
        Some(_) => "test cases that reject nothing and kill no mutant",
        None => "test cases that reject nothing",
    };
    let redundant = by_cover(assessed).into_iter().map(|(covered_by, cases)| {
        let what = format!("made redundant by {}", name(covered_by));
        list(Tone::Plain, &what, cases.into_iter().map(&name).collect())
    });
    [
        list(Tone::Bad, "rejected by no test case", never),
        list(Tone::Warn, "rejected by one test case only", once.collect()),
        list(
            Tone::Plain,
            idle,
            assessed.idle.iter().map(|case| name(case)).collect(),
        ),
    ]
    .into_iter()
    .chain(redundant)
    .collect()
}

/// Returns the heading of the smallest set of test cases, without its object.
pub(crate) fn smallest_heading(assessed: &TestDataAssessed) -> String {
    let exact = if assessed.smallest_is_exact {
        "smallest set"
    } else {
        "small set, perhaps not the smallest,"
    };
    let kills = if assessed.mutants.is_some() {
        "kills and "
    } else {
        ""
    };
    format!("{exact} of test cases that {kills}rejects")
}

/// Describes the number of a solution's mutants that are killed.
pub(crate) fn mutants_in_words(mutants: &MutantsKilled) -> String {
    let total = plural(mutants.of, "mutant");
    let survived = match mutants.of.saturating_sub(mutants.killed) {
        0 => "none survives".to_owned(),
        1 => "1 survives (judge mutate shows it)".to_owned(),
        many => format!("{} survive (judge mutate shows them)", count(many)),
    };
    format!(
        "{} of {total} of {} killed, {survived}",
        count(mutants.killed),
        mutants.solution
    )
}

/// Redundant test cases, grouped and ordered by the test case that covers them.
pub(crate) fn by_cover(assessed: &TestDataAssessed) -> Vec<(&str, Vec<&str>)> {
    let mut covers: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in &assessed.redundant {
        match covers
            .iter_mut()
            .find(|(cover, _)| *cover == one.covered_by)
        {
            Some((_, cases)) => cases.push(&one.test_case),
            None => covers.push((&one.covered_by, vec![&one.test_case])),
        }
    }
    covers
}

/// True for the letter of a rejection.
pub(crate) fn is_rejection(letter: char) -> bool {
    matches!(letter.to_ascii_uppercase(), 'W' | 'T' | 'M' | 'O' | 'R')
}

/// Returns the letter of a verdict: the first of its code, which is unique.
pub(crate) fn letter(verdict: Verdict) -> char {
    verdict.code().chars().next().unwrap_or(NOT_RUN)
}

fn letters(submission: &SubmissionState, columns: &TestCaseColumns<'_>) -> Vec<char> {
    // A submission that did not compile fails on every test case.
    let missing = match &submission.finished {
        Some(finished) if finished.verdict == Verdict::CompileError => letter(finished.verdict),
        _ => NOT_RUN,
    };
    let letter_of = |test: &TestCaseFinished| match test.after_stop {
        true => letter(test.verdict).to_ascii_lowercase(),
        false => letter(test.verdict),
    };
    let row = columns.row(submission).into_iter();
    row.map(|test| test.map_or(missing, letter_of)).collect()
}

fn group_of(case: &str) -> &str {
    let group = case.rsplit_once('/').map_or("", |(group, _)| group);
    group.strip_prefix("secret/").unwrap_or(group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_verdicts_are_unique() {
        let letters: String = Verdict::ALL.into_iter().map(letter).collect();
        assert_eq!(letters, "AWTMORCJ");
        assert_eq!(
            letters
                .chars()
                .filter(|letter| is_rejection(*letter))
                .collect::<String>(),
            "WTMOR"
        );
    }

    #[test]
    fn groups_are_directories() {
        assert_eq!(
            ["sample/1", "secret/2", "secret/group1/3", "secret/a/b/4"].map(group_of),
            ["sample", "secret", "group1", "a/b"]
        );
    }
}

//! Comparisons of submissions, for people: a table, the differences of each candidate, and a plot;
//! or Markdown for a pull request.
//!
//! Responsible for layout. Must not compute anything from times.

pub(crate) mod scatter;
pub(crate) mod words;

use judge_event::comparison::{Candidate, CandidateIndex, Comparison, Conclusion, REFERENCE};
use judge_event::{CompileFinished, ProblemState, SubmissionState, TestCaseFinished};
use judge_model::{SubmissionIndex, Verdict};

use crate::detail;
use crate::text::line::{Line, Tone, elide, widest, width};
use crate::text::numbers::{mebibytes, seconds};
use crate::text::page::{Look, Page};

/// The report of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonReport<'a> {
    pub(crate) comparison: &'a Comparison,
    /// The run that compared the answers, for the evidence of differences.
    pub(crate) run: &'a ProblemState,
}

/// The maximum number of lines of evidence for a first difference.
const EVIDENCE: usize = 10;
/// The headings of the columns.
pub(crate) const HEADINGS: [&str; 6] =
    ["verdict", "slowest", "limit", "CPU time", "95 %", "memory"];
/// The minimum width of a name in columns.
const MIN_NAME: usize = 8;

impl<'a> ComparisonReport<'a> {
    /// Returns the report of a comparison of the submissions of a run.
    #[must_use]
    pub fn new(comparison: &'a Comparison, run: &'a ProblemState) -> Self {
        Self { comparison, run }
    }

    /// Renders the comparison for a terminal; without the plot and the notes if `brief`.
    #[must_use]
    pub fn to_text(&self, look: Look, brief: bool) -> String {
        let mut page = Page::new(look);
        self.table(&mut page);
        for index in self.candidates() {
            self.candidate(&mut page, index);
        }
        if !brief {
            self.plot(&mut page, look);
            page.blank();
            for note in words::notes(self.comparison) {
                page.wrapped(0, Tone::Dim, &note);
            }
        }
        for warning in &self.comparison.warnings {
            page.wrapped(0, Tone::Warn, &format!("warning: {warning}"));
        }
        for (held, gate) in self.gates() {
            let start = Line::marked(0, page.glyphs.mark(Some(held)));
            page.wrapped_after(start, 2, Tone::Plain, &gate);
        }
        page.take()
    }

    /// Returns the gates, a sentence each, with true for gates that hold.
    #[must_use]
    pub fn gates(&self) -> Vec<(bool, String)> {
        let is_held = |decision| decision == judge_event::comparison::GateDecision::Held;
        let gates = self.comparison.gates.iter();
        gates
            .map(|gate| (is_held(gate.decision), words::gate(self.comparison, gate)))
            .collect()
    }

    pub(crate) fn submissions(&self) -> impl Iterator<Item = SubmissionIndex> + use<> {
        SubmissionIndex::first(self.comparison.submissions.len())
    }

    pub(crate) fn candidates(&self) -> impl Iterator<Item = CandidateIndex> + use<> {
        CandidateIndex::among(self.comparison.submissions.len())
    }

    /// Returns the comparison of a submission with the reference; `None` for the reference itself.
    pub(crate) fn candidate_of(
        &self,
        SubmissionIndex(index): SubmissionIndex,
    ) -> Option<&'a Candidate> {
        self.comparison.candidates.get(index.checked_sub(1)?)
    }

    /// True when a submission clearly takes less time than the reference, false when it clearly
    /// takes more.
    pub(crate) fn is_faster(&self, index: SubmissionIndex) -> Option<bool> {
        match self.candidate_of(index)?.conclusion? {
            Conclusion::Less => Some(true),
            Conclusion::More => Some(false),
            Conclusion::Same | Conclusion::Undecided { .. } => None,
        }
    }

    fn table(&self, page: &mut Page) {
        let submissions = &self.comparison.submissions;
        let rows: Vec<Vec<String>> = self.submissions().map(|index| self.cells(index)).collect();
        let widths: [usize; HEADINGS.len()] = std::array::from_fn(|column| {
            widest(
                rows.iter()
                    .map(|row| row[column].as_str())
                    .chain([HEADINGS[column]]),
            )
        });
        let longest = widest(submissions.iter().map(|submission| &submission.submission));
        let fixed = widths.iter().map(|column| column + 2).sum::<usize>();
        let name = longest
            .min(page.width().saturating_sub(fixed + 2))
            .max(MIN_NAME);
        let heading = Line::default()
            .with(Tone::Strong, &self.comparison.problem)
            .clip(name + 2, page.glyphs.ellipsis);
        let heading =
            HEADINGS
                .iter()
                .zip(&widths)
                .fold(heading.pad_to(name + 2), |line, (text, column)| {
                    line.with(
                        Tone::Dim,
                        &format!("{}{text}", " ".repeat(column + 2 - width(text))),
                    )
                });
        page.line(heading);
        for (index, cells) in self.submissions().zip(&rows) {
            let submission = &submissions[index.0];
            let shown = elide(&submission.submission, name, page.glyphs.ellipsis);
            let line = Line::default()
                .with(Tone::Strong, &format!("{} ", submission.label))
                .with(Tone::Plain, &shown);
            let tone = |column: usize| match (column, self.is_faster(index)) {
                (0, _) if submission.verdict == Verdict::Accepted => Tone::Good,
                (0, _) | (3, Some(false)) => Tone::Bad,
                (3, Some(true)) => Tone::Good,
                _ => Tone::Plain,
            };
            let columns = cells.iter().zip(&widths).enumerate();
            let line = columns.fold(line.pad_to(name + 2), |line, (column, (cell, wide))| {
                line.with(Tone::Plain, &" ".repeat(wide + 2 - width(cell)))
                    .with(tone(column), cell)
            });
            page.line(line);
        }
        for submission in submissions
            .iter()
            .filter(|submission| width(&submission.submission) > name)
        {
            page.wrapped(
                0,
                Tone::Dim,
                &format!("{} is {}", submission.label, submission.submission),
            );
        }
    }

    /// Returns the cells of a submission's row, in the order of [`HEADINGS`].
    pub(crate) fn cells(&self, index: SubmissionIndex) -> Vec<String> {
        let submission = &self.comparison.submissions[index.0];
        let limit = u128::from(self.comparison.time_limit_us.max(1));
        let share = |time: u64| format!("{} %", (u128::from(time) * 100 + limit / 2) / limit);
        let none = || "–".to_owned();
        let compiles = submission.verdict != Verdict::CompileError;
        let ratio = self
            .candidate_of(index)
            .and_then(|candidate| candidate.cpu_time.as_ref());
        vec![
            format!(
                "{} {}/{}",
                submission.verdict,
                submission.accepted,
                self.comparison.test_cases.len()
            ),
            submission
                .slowest_us
                .map_or_else(none, |time| format!("{} s", seconds(time))),
            submission.slowest_us.map_or_else(none, share),
            match ratio {
                Some(ratio) => words::times(&ratio.estimate),
                None if index == REFERENCE && compiles => "1.00".to_owned(),
                None => none(),
            },
            ratio.map_or_else(none, |ratio| words::interval(&ratio.estimate)),
            if compiles {
                mebibytes(submission.memory_bytes)
            } else {
                none()
            },
        ]
    }

    fn candidate(&self, page: &mut Page, index: CandidateIndex) {
        page.blank();
        let start = Line::marked(0, page.glyphs.mark(Some(self.agrees(index))));
        let answers = words::answers(self.comparison, index);
        page.wrapped_after(start, 2, Tone::Plain, &answers);
        if let Some(compiled) = self.failed_compilation(index) {
            detail::compilation(page, 4, compiled, EVIDENCE);
        }
        if let Some((label, first)) = self.first_difference(index) {
            page.line(
                Line::indented(2).with(Tone::Dim, &format!("{label} on the smallest of them:")),
            );
            detail::test_case(page, 4, first, &self.run.started, EVIDENCE);
        }
        let measures = words::measures(self.comparison, &self.comparison.candidates[index.0]);
        let names = widest(measures.iter().map(|(name, _)| name));
        for (name, words) in &measures {
            let start = Line::indented(2).with(Tone::Dim, name).pad_to(names + 4);
            page.wrapped_after(start, names + 4, Tone::Strong, words);
        }
    }

    /// True when a candidate and the reference compile and are right on the same test cases.
    pub(crate) fn agrees(&self, index: CandidateIndex) -> bool {
        self.broken(index).is_none() && self.comparison.candidates[index.0].has_same_answers()
    }

    /// Returns the submission of a candidate and the reference that does not compile. If neither
    /// compiles, the candidate.
    fn broken(&self, index: CandidateIndex) -> Option<SubmissionIndex> {
        let does_not_compile = |index: &SubmissionIndex| {
            self.comparison.submissions[index.0].verdict == Verdict::CompileError
        };
        [index.submission(), REFERENCE]
            .into_iter()
            .find(does_not_compile)
    }

    fn state(&self, index: SubmissionIndex) -> Option<&'a SubmissionState> {
        self.run.submissions.get(index.0)
    }

    /// Returns the compilation that failed.
    pub(crate) fn failed_compilation(&self, index: CandidateIndex) -> Option<&'a CompileFinished> {
        self.state(self.broken(index)?)?.failed_compilation()
    }

    /// Returns the first result by which a candidate and the reference differ, with the label of
    /// its submission.
    pub(crate) fn first_difference(
        &self,
        index: CandidateIndex,
    ) -> Option<(&'a str, &'a TestCaseFinished)> {
        let (submission, test_case) = self.comparison.first_difference(index)?;
        let name = &self.comparison.test_cases[test_case.0].test_case;
        let finished = self
            .state(submission)?
            .test_cases
            .iter()
            .find(|finished| finished.test_case == *name)?;
        Some((&self.comparison.submissions[submission.0].label, finished))
    }

    fn plot(&self, page: &mut Page, look: Look) {
        let lines = scatter::lines(
            &scatter::points(self.comparison),
            page.width(),
            look.unicode,
        );
        if lines.is_empty() {
            return;
        }
        page.blank();
        page.line(
            Line::default().with(Tone::Dim, "CPU time on each test case; x: A, y: the others"),
        );
        lines
            .into_iter()
            .for_each(|line| page.line(Line::default().with(Tone::Plain, &line)));
    }

    /// Renders the comparison as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let problem = markdown(&self.comparison.problem);
        let mut text = format!(
            "**{problem}**\n\n| | submission | {} |\n|---|---|",
            HEADINGS.join(" | ")
        );
        text.push_str(&"---:|".repeat(HEADINGS.len()));
        text.push('\n');
        for index in self.submissions() {
            let submission = &self.comparison.submissions[index.0];
            let cells = self.cells(index).join(" | ");
            text.push_str(&format!(
                "| {} | {} | {cells} |\n",
                submission.label,
                markdown(&submission.submission)
            ));
        }
        text.push('\n');
        for index in self.candidates() {
            text.push_str(&format!(
                "- {}\n",
                markdown(&words::answers(self.comparison, index))
            ));
            for (name, words) in
                words::measures(self.comparison, &self.comparison.candidates[index.0])
            {
                text.push_str(&format!("  - {}: {}\n", markdown(name), markdown(&words)));
            }
        }
        // The sentences include the decision.
        let gates = self.gates().into_iter().map(|(_, gate)| gate);
        let warnings = self
            .comparison
            .warnings
            .iter()
            .map(|warning| format!("warning: {warning}"));
        for line in gates.chain(warnings).chain(words::notes(self.comparison)) {
            text.push_str(&format!("\n{}\n", markdown(&line)));
        }
        text
    }
}

/// Text with escaped markup, because names of files may contain anything.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in crate::text::escape::printable_lines(text)
        .replace('\n', " ")
        .chars()
    {
        if "\\`*_|<>[]#".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
mod tests;

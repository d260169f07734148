//! Comparisons of submissions, for people: a table, what each differs in, and a plot; or Markdown for a pull request.
//!
//! Responsible for layout. Ratios and conclusions come in words. Must not compute anything from times.

use judge_event::{CompileFinished, TestCaseFinished};
use judge_model::{Limits, Verdict};

use crate::detail::{self, InForce};
use crate::text::line::{Line, Tone, elide, width};
use crate::text::numbers::{mebibytes, seconds};
use crate::text::page::{Look, Page};
use crate::verbs::scatter::{self, ScatterPoint};

/// The report of a comparison.
#[derive(Clone, Debug)]
pub struct ComparisonReport {
    /// The problem's name.
    pub problem: String,
    /// The time limit in microseconds.
    pub time_limit_us: u64,
    /// The other limits, for the report of a first difference.
    pub limits: Limits,
    /// The submissions, the reference first.
    pub rows: Vec<ComparedRow>,
    /// Every submission but the first, in order.
    pub candidates: Vec<CandidateReport>,
    /// Times of the test cases.
    pub points: Vec<ScatterPoint>,
    /// The test cases in package order.
    pub cases: Vec<ComparedCaseRow>,
    /// The gates, a sentence each; true for one that was held.
    pub gates: Vec<(bool, String)>,
    /// Notes on how it was measured, a sentence each.
    pub notes: Vec<String>,
    /// Warnings about things that make the comparison worth less, a sentence each.
    pub warnings: Vec<String>,
}

/// A submission in the table.
#[derive(Clone, Debug)]
pub struct ComparedRow {
    /// `A`, `B`, ….
    pub label: String,
    /// Its name.
    pub submission: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Test cases on which it was accepted.
    pub accepted: usize,
    /// Test cases.
    pub test_cases: usize,
    /// CPU time on its slowest test case in microseconds.
    pub slowest_us: Option<u64>,
    /// The ratio of CPU times, such as `0.72×`; 1 for the reference.
    pub ratio: String,
    /// True when that is clearly better, false when it is clearly worse.
    pub better: Option<bool>,
    /// Its interval.
    pub interval: String,
    /// Both as numbers, for a picture; none for the reference and where there is none.
    pub estimate: Option<(f64, Option<[f64; 2]>)>,
    /// Peak memory in bytes.
    pub memory_bytes: u64,
    /// The growth of its time.
    pub growth: String,
}

/// A test case in the table of all of them.
#[derive(Clone, Debug)]
pub struct ComparedCaseRow {
    /// Its name.
    pub test_case: String,
    /// Size of its input in bytes.
    pub input_bytes: u64,
    /// The result of each submission, the reference first: verdict and CPU time in microseconds of its first run; none for
    /// one that was not run.
    pub results: Vec<Option<(Verdict, u64)>>,
    /// For each candidate, the ratio of CPU times in words and the rounds that it is made of; none where it was not timed.
    pub ratios: Vec<Option<(String, usize)>>,
    /// The answers of each candidate beside the reference's, in words; none where both are simply right.
    pub answers: Vec<Option<&'static str>>,
    /// True where one is right and another is not.
    pub differs: bool,
}

/// The report of a submission against the reference.
#[derive(Clone, Debug)]
pub struct CandidateReport {
    /// Its label.
    pub label: String,
    /// True when it agrees with the reference: both are right on the same test cases.
    pub agrees: bool,
    /// The answers in comparison, as a sentence that begins with the label.
    pub answers: String,
    /// The smallest test case on which one of the two is not right: the label of that one, and its result.
    pub first: Option<(String, Box<TestCaseFinished>)>,
    /// The compilation, where it failed.
    pub compiled: Option<Box<CompileFinished>>,
    /// The measures of time and memory: name and words.
    pub measures: Vec<(String, String)>,
}

/// Lines of evidence that are shown of a first difference.
const EVIDENCE: usize = 10;
/// The headings of the columns.
pub(crate) const HEADINGS: [&str; 7] = ["verdict", "slowest", "limit", "CPU time", "95 %", "memory", "growth"];
/// As much as any name has.
const LEAST_NAME: usize = 8;

impl ComparisonReport {
    /// The comparison for a terminal; without the plot and the notes when it is to be `brief`.
    #[must_use]
    pub fn to_text(&self, look: Look, brief: bool) -> String {
        let mut page = Page::new(look);
        self.table(&mut page);
        for candidate in &self.candidates {
            self.candidate(&mut page, candidate);
        }
        if !brief {
            self.plot(&mut page, look);
            page.blank();
            for note in &self.notes {
                page.wrapped(0, Tone::Dim, note);
            }
        }
        for warning in &self.warnings {
            page.wrapped(0, Tone::Warn, &format!("warning: {warning}"));
        }
        for (held, gate) in &self.gates {
            let (tone, mark) = if *held { (Tone::Good, page.glyphs.good) } else { (Tone::Bad, page.glyphs.bad) };
            page.wrapped_after(Line::default().with(tone, mark).with(Tone::Plain, " "), 2, Tone::Plain, gate);
        }
        page.take()
    }

    fn table(&self, page: &mut Page) {
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| self.cells(row)).collect();
        let mut widths = HEADINGS.map(width);
        for row in &rows {
            widths.iter_mut().zip(row).for_each(|(column, cell)| *column = (*column).max(width(cell)));
        }
        let longest = self.rows.iter().map(|row| width(&row.submission)).max().unwrap_or(0);
        let fixed = widths.iter().map(|column| column + 2).sum::<usize>();
        let name = longest.min(page.width().saturating_sub(fixed + 2)).max(LEAST_NAME);
        let heading = Line::default().with(Tone::Strong, &self.problem).clip(name + 2, page.glyphs.ellipsis);
        let heading = HEADINGS.iter().zip(&widths).fold(heading.pad_to(name + 2), |line, (text, column)| {
            line.with(Tone::Dim, &format!("{}{text}", " ".repeat(column + 2 - width(text))))
        });
        page.line(heading);
        for (row, cells) in self.rows.iter().zip(&rows) {
            let shown = elide(&row.submission, name, page.glyphs.ellipsis);
            let line = Line::default().with(Tone::Strong, &format!("{} ", row.label)).with(Tone::Plain, &shown);
            let right = row.verdict == Verdict::Accepted;
            let tones = |column: usize| match (column, row.better) {
                (0, _) => {
                    if right {
                        Tone::Good
                    } else {
                        Tone::Bad
                    }
                }
                (3, Some(true)) => Tone::Good,
                (3, Some(false)) => Tone::Bad,
                _ => Tone::Plain,
            };
            let columns = cells.iter().zip(&widths).enumerate();
            let line = columns.fold(line.pad_to(name + 2), |line, (column, (cell, wide))| {
                line.with(Tone::Plain, &" ".repeat(wide + 2 - width(cell))).with(tones(column), cell)
            });
            page.line(line);
        }
        for row in self.rows.iter().filter(|row| width(&row.submission) > name) {
            page.wrapped(0, Tone::Dim, &format!("{} is {}", row.label, row.submission));
        }
    }

    pub(crate) fn cells(&self, row: &ComparedRow) -> Vec<String> {
        let share = |time: u64| {
            let limit = u128::from(self.time_limit_us.max(1));
            format!("{} %", (u128::from(time) * 100 + limit / 2) / limit)
        };
        let none = || "–".to_owned();
        vec![
            format!("{} {}/{}", row.verdict, row.accepted, row.test_cases),
            row.slowest_us.map_or_else(none, |time| format!("{} s", seconds(time))),
            row.slowest_us.map_or_else(none, share),
            row.ratio.clone(),
            row.interval.clone(),
            match row.verdict {
                Verdict::CompileError => none(),
                _ => mebibytes(row.memory_bytes),
            },
            row.growth.clone(),
        ]
    }

    fn candidate(&self, page: &mut Page, candidate: &CandidateReport) {
        page.blank();
        let (tone, mark) = if candidate.agrees { (Tone::Good, page.glyphs.good) } else { (Tone::Bad, page.glyphs.bad) };
        let start = Line::default().with(tone, mark).with(Tone::Plain, " ");
        page.wrapped_after(start, 2, Tone::Plain, &candidate.answers);
        if let Some(compiled) = &candidate.compiled {
            detail::compilation(page, 4, compiled, EVIDENCE);
        }
        if let Some((label, first)) = &candidate.first {
            page.line(Line::indented(2).with(Tone::Dim, &format!("{label} on the smallest of them:")));
            let in_force = InForce { time_limit_us: self.time_limit_us, limits: &self.limits };
            detail::test_case(page, 4, first, in_force, EVIDENCE);
        }
        let names = candidate.measures.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
        for (name, words) in &candidate.measures {
            let start = Line::indented(2).with(Tone::Dim, name).pad_to(names + 4);
            page.wrapped_after(start, names + 4, Tone::Strong, words);
        }
    }

    fn plot(&self, page: &mut Page, look: Look) {
        let lines = scatter::lines(&self.points, page.width(), look.unicode);
        if lines.is_empty() {
            return;
        }
        page.blank();
        page.line(Line::default().with(Tone::Dim, "CPU time on each test case: A to the right, the others upwards"));
        lines.into_iter().for_each(|line| page.line(Line::default().with(Tone::Plain, &line)));
    }

    /// The comparison as a page for a browser.
    #[must_use]
    pub fn to_html(&self) -> String {
        crate::render::html_of_comparison(self)
    }

    /// The comparison as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text =
            format!("**{}**\n\n| | submission | {} |\n|---|---|", markdown(&self.problem), HEADINGS.join(" | "));
        text.push_str(&"---:|".repeat(HEADINGS.len()));
        text.push('\n');
        for row in &self.rows {
            let cells = self.cells(row).join(" | ");
            text.push_str(&format!("| {} | {} | {cells} |\n", row.label, markdown(&row.submission)));
        }
        text.push('\n');
        for candidate in &self.candidates {
            text.push_str(&format!("- {}\n", markdown(&candidate.answers)));
            for (name, words) in &candidate.measures {
                text.push_str(&format!("  - {}: {}\n", markdown(name), markdown(words)));
            }
        }
        // Their sentences say whether they are held.
        let gates = self.gates.iter().map(|(_, gate)| gate.clone());
        let warnings = self.warnings.iter().map(|warning| format!("warning: {warning}"));
        for line in gates.chain(warnings).chain(self.notes.iter().cloned()) {
            text.push_str(&format!("\n{}\n", markdown(&line)));
        }
        text
    }
}

/// Text in which nothing is markup: names of files may hold anything.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in crate::text::escape::printable_lines(text).replace('\n', " ").chars() {
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

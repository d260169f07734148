//! The grid: a row for each submission, a column for each test case, verdict and time in each cell.
//!
//! Responsible for small cells, so that a page with ten thousand of them stays usable. The facts
//! about a run are in `details`. Must not know them.

use std::collections::BTreeSet;

use judge_event::{ProblemState, SubmissionState, TestCaseFinished};
use judge_model::Verdict;
use maud::{Markup, html};

use super::{class, mark};
use crate::commands::matrix::{Matrix, TestCaseColumns};
use crate::text::escape::printable;
use crate::text::numbers::{mebibytes, seconds};

/// The headings by which rows can be sorted: the key for the script, and the text.
const HEADINGS: [(&str, &str); 4] = [
    ("name", "submission"),
    ("verdict", "verdict"),
    ("time", "slowest, s"),
    ("memory", "memory, MiB"),
];

/// Renders the grid of a problem; `title` is the id of its heading.
pub(super) fn render(title: &str, problem: &ProblemState) -> Markup {
    let columns = TestCaseColumns::new(problem);
    html! {
        @if problem.submissions.is_empty() { p.dim { "No submission was judged." } } @else {
            div.scroll.grid-scroll {
                table.grid role="grid" aria-labelledby=(title) {
                    (head(problem))
                    tbody role="rowgroup" {
                        @for (number, submission) in problem.submissions.iter().enumerate() {
                            (row(number, submission, &columns))
                        }
                    }
                }
            }
            p.legend { (legend(problem)) }
        }
    }
}

fn head(problem: &ProblemState) -> Markup {
    let cases = &problem.started.test_cases;
    html! {
        thead role="rowgroup" {
            tr role="row" {
                td colspan=(HEADINGS.len()) { }
                @for group in Matrix::groups(cases) {
                    th class={ "group w" (group.columns.len()) } scope="colgroup" colspan=(group.columns.len()) { span { (printable(&group.name)) } }
                }
            }
            tr role="row" {
                @for (key, words) in HEADINGS {
                    th.key.number[matches!(key, "time" | "memory")] scope="col" aria-sort="none" data-key=(key) {
                        button type="button" tabindex="-1" { (words) }
                    }
                }
                @for case in cases { th.case.short[short(case).len() <= 4] scope="col" title=(printable(case)) { span { (short(case)) } } }
            }
        }
    }
}

/// The bounds of the width of the first column in rem. `CHARACTER` is the width of a character in
/// it.
const NAMES: (f64, f64) = (12.0, 36.0);
const CHARACTER: f64 = 0.47;

/// Returns the style rules for the widths of the groups and names of these problems. The policy of
/// the page permits only styles in its style sheet.
pub(super) fn widths(problems: &[ProblemState]) -> String {
    let names = problems.iter().flat_map(|problem| &problem.submissions);
    let longest = names
        .map(|submission| printable(&submission.started.submission).chars().count())
        .max()
        .unwrap_or_default();
    let column = (2.8 + CHARACTER * longest as f64).clamp(NAMES.0, NAMES.1);
    let groups = problems
        .iter()
        .flat_map(|problem| Matrix::groups(&problem.started.test_cases));
    let sizes: BTreeSet<usize> = groups.map(|group| group.columns.len()).collect();
    let groups = sizes
        .iter()
        .map(|size| format!(".grid .w{size} {{ width: calc({size} * 2.9rem); }}\n"));
    std::iter::once(format!(":root {{ --names: {column:.1}rem; }}\n"))
        .chain(groups)
        .collect()
}

/// Returns the name of a test case without its group.
fn short(case: &str) -> String {
    printable(case.rsplit('/').next().unwrap_or(case)).into_owned()
}

fn row(number: usize, submission: &SubmissionState, columns: &TestCaseColumns<'_>) -> Markup {
    let finished = submission.finished.as_ref();
    let good = match &submission.error {
        Some(_) => Some(false),
        None => finished.map(|finished| !finished.is_surprise()),
    };
    let slowest = finished
        .and_then(|finished| finished.slowest.as_ref())
        .map(|slowest| slowest.cpu_time_us);
    let memory = finished
        .map(|finished| finished.memory_bytes)
        .filter(|bytes| *bytes > 0);
    let name = printable(&submission.started.submission);
    let (directory, file) = name
        .rsplit_once('/')
        .map_or(("", &*name), |(directory, file)| (directory, file));
    html! {
        tr role="row" data-row=(number) data-surprise[good == Some(false)] {
            th scope="row" title=(name) {
                (mark(good))
                @if !directory.is_empty() { span.dim { (directory) "/" } }
                (file)
            }
            td.of data-value=[finished.map(|finished| finished.verdict.code())] {
                @match finished {
                    Some(finished) => {
                        span class={ "verdict " (class(finished.verdict)) } { (finished.verdict) }
                        @if let Some(score) = finished.score { " " (score) }
                    }
                    None => { span.dim { (without_verdict(submission)) } }
                }
            }
            td.number data-value=[slowest] { @if let Some(time) = slowest { (seconds(time)) } }
            td.number data-value=[memory] { @if let Some(bytes) = memory { (mebibytes(bytes).trim_end_matches(" MiB")) } }
            @for test in columns.row(submission) {
                @match test {
                    Some(test) => (cell(submission, test)),
                    None => td {},
                }
            }
        }
    }
}

/// Returns the word for a submission without a verdict.
fn without_verdict(submission: &SubmissionState) -> &'static str {
    match (&submission.error, &submission.skipped) {
        (Some(_), _) => "error",
        (None, Some(_)) => "skipped",
        (None, None) => "none",
    }
}

fn cell(submission: &SubmissionState, test: &TestCaseFinished) -> Markup {
    let code = class(test.verdict);
    html! {
        td.(code).odd[submission.is_surprise(test)].kept[test.cached] {
            (test.verdict) @if test.near_limit.is_some() { "~" } @if test.after_stop { "*" }
            i { (short_time(test.cpu_time_us)) }
        }
    }
}

/// Returns a short time: milliseconds without a unit, from one second on seconds with their unit.
fn short_time(microseconds: u64) -> String {
    // At the bounds, rounding would add a digit: 9.95 would become `10.0`.
    let milliseconds = microseconds as f64 / 1000.0;
    match milliseconds {
        small if small < 9.95 => format!("{small:.1}"),
        below if below < 999.5 => format!("{below:.0}"),
        long if long < 99_950.0 => format!("{:.1}s", long / 1000.0),
        huge => format!("{:.0}s", huge / 1000.0),
    }
}

/// Renders the legend of the cells.
fn legend(problem: &ProblemState) -> Markup {
    let tests = || problem.test_runs();
    let used = |verdict: &Verdict| tests().any(|test| test.verdict == *verdict);
    html! {
        @for verdict in Verdict::ALL.iter().filter(|verdict| used(verdict)) {
            span.key { span class={ "verdict " (class(*verdict)) } { (verdict) } " " (verdict.name()) }
        }
        span.key.measured { "second line: CPU time in ms; empty: not run" }
        @if tests().any(|test| test.cached) { span.key { i { "italic" } " cached from an earlier run" } }
        @if tests().any(|test| test.near_limit.is_some()) { span.key { "~ near the time limit, run again alone" } }
        @if tests().any(|test| test.after_stop) { span.key { "* after judging had stopped: does not count" } }
        @if problem.submissions.iter().any(|submission| submission.test_cases.iter().any(|test| submission.is_surprise(test))) {
            span.key { span.verdict.odd { "framed" } " not permitted" }
        }
        span.key.keys { "Arrows move, Enter opens, Esc closes, / filters" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_cells_take_few_characters() {
        let texts = [
            0,
            840,
            9_949,
            9_950,
            999_499,
            999_500,
            1_250_000,
            99_950_000,
            u64::MAX,
        ]
        .map(short_time);
        assert_eq!(
            texts[..8],
            ["0.0", "0.8", "9.9", "10", "999", "1.0s", "1.2s", "100s"]
        );
        assert!(texts[8].ends_with('s'));
    }

    #[test]
    fn short_names_omit_the_group() {
        assert_eq!(
            ["secret/group1/03-max", "1", "a/\u{202e}b"].map(short),
            ["03-max", "1", "\\u{202e}b"]
        );
    }
}

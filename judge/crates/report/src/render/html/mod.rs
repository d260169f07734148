//! HTML: a page for a browser, in one self-contained file.
//!
//! Responsible for the page as a whole and its permissions. Every text goes through the template,
//! which escapes it, or into [`details`], which is data and never markup; and through
//! [`printable`], so that it contains no invisible characters and none that change the reading
//! order. Must not know where the page goes.

mod chart;
mod comparison;
mod details;
mod grid;
mod mutation;
mod overview;
mod plot;
mod policy;
mod problem;

use judge_event::{Counts, RunState};
use judge_model::{Verdict, natural};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::text::escape::{printable, printable_lines};
use crate::text::numbers::{count, plural};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Renders the page.
pub(crate) fn render(state: &RunState) -> String {
    let state = &in_natural_order(state);
    let overall = overview::OverallResult::new(state);
    let body = html! {
        a.skip href="#results" { "Skip to the results" }
        (overview::header(state, &overall))
        @if !state.problems.is_empty() { (tools(state)) }
        main #results {
            (overview::problems(state))
            (overview::notices_section(state))
            (overview::check(state))
            @for (number, problem) in state.problems.iter().enumerate() { (problem::render(number, problem)) }
        }
        (panel())
    };
    page(
        &overall.title(),
        &(STYLE.to_owned() + &grid::widths(&state.problems)),
        &body,
        Some(SCRIPT),
    )
}

/// Returns the run with the test cases of each problem in natural order, which is the order of
/// columns.
fn in_natural_order(state: &RunState) -> RunState {
    let mut state = state.clone();
    for problem in &mut state.problems {
        // `10` comes after `2`. The page is for finding a test case, and does not show the order of
        // judging.
        problem
            .started
            .test_cases
            .sort_by(|one, other| natural(one, other));
    }
    state
}

/// Returns a complete page: the parts that all pages share. Without `script`, no script can run.
fn page(title: &str, style: &str, body: &Markup, script: Option<&str>) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy::render(style, script));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (printable(title)) }
                style { (PreEscaped(style)) }
            }
            body {
                (body)
                @if let Some(script) = script { script { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string() + "\n"
}

/// Returns a complete page without a script, whose title says whether all is well.
fn static_page(good: bool, title: &str, body: &Markup) -> String {
    let sign = if good { "✓" } else { "✗" };
    page(&format!("{sign} {title}"), STYLE, body, None)
}

/// Renders a table that scrolls by itself; `id` is that of its heading.
fn table(id: &str, head: &Markup, rows: &Markup) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-labelledby=(id) {
            table.plain { thead { tr { (head) } } tbody { (rows) } }
        }
    }
}

/// Renders the tools that filter the grids.
fn tools(state: &RunState) -> Markup {
    let used = |verdict: &Verdict| {
        let mut submissions = state
            .problems
            .iter()
            .flat_map(|problem| &problem.submissions);
        submissions.any(|submission| {
            submission
                .finished
                .as_ref()
                .is_some_and(|finished| finished.verdict == *verdict)
        })
    };
    let number: usize = state
        .problems
        .iter()
        .map(|problem| problem.submissions.len())
        .sum();
    html! {
        search.tools aria-label="Filter submissions" {
            label { span { "Filter" } input #filter type="search" placeholder="name of a submission" autocomplete="off" aria-keyshortcuts="/"; }
            label {
                span { "Verdict" }
                select #verdict {
                    option value="" { "any" }
                    @for verdict in Verdict::ALL.iter().filter(|verdict| used(verdict)) {
                        option value=(verdict) { (verdict) " " (verdict.name()) }
                    }
                }
            }
            label {
                span { "Cells" }
                select #measure { option value="c" { "CPU time" } option value="w" { "elapsed time" } option value="m" { "memory" } }
            }
            label.check { input #surprises type="checkbox"; span { "only surprises (" (count(surprises(state.counts()))) ")" } }
            output #count for="filter verdict surprises" { (plural(number as u64, "submission")) }
        }
        noscript { p.warn { "Scripts are off: the grids work without details of their cells." } }
    }
}

/// Returns the number of submissions that are not as expected.
fn surprises(counts: Counts) -> u64 {
    counts.violated + counts.judge_errors + counts.errors
}

/// Renders the panel in which the script shows the details of a cell.
fn panel() -> Markup {
    html! {
        dialog #panel aria-labelledby="panel-title" {
            div.panel-bar {
                button #previous type="button" aria-keyshortcuts="ArrowLeft" title="previous test case (←)" aria-label="previous test case" { "‹" }
                button #next type="button" aria-keyshortcuts="ArrowRight" title="next test case (→)" aria-label="next test case" { "›" }
                button #above type="button" aria-keyshortcuts="k" title="submission above (k)" aria-label="submission above" { "↑" }
                button #below type="button" aria-keyshortcuts="j" title="submission below (j)" aria-label="submission below" { "↓" }
                button #close type="button" title="close (Esc)" aria-label="close" { "✕" }
            }
            div #panel-body tabindex="0" role="region" aria-labelledby="panel-title" { h2 #panel-title { } }
        }
    }
}

/// Renders a sentence, with words between backticks as code.
fn marked(words: &str) -> Markup {
    let parts: Vec<&str> = words.split('`').collect();
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index % 2 == 0 { (printable_lines(part)) }
            @else if index + 1 < parts.len() { code { (printable_lines(part)) } }
            // A backtick without a counterpart is literal.
            @else { "`" (printable_lines(part)) }
        }
    }
}

/// Returns the CSS class of a verdict, which determines its colour.
fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "ac",
        Verdict::WrongAnswer => "wa",
        Verdict::TimeLimitExceeded => "tle",
        Verdict::MemoryLimitExceeded => "mle",
        Verdict::OutputLimitExceeded => "ole",
        Verdict::RunTimeError => "rte",
        Verdict::CompileError => "ce",
        Verdict::JudgeError => "je",
    }
}

/// Renders the sign for results that are as expected, not as expected, or unknown, with a label for
/// screen readers.
fn mark(good: Option<bool>) -> Markup {
    match good {
        Some(true) => html! { span.mark.good role="img" aria-label="as expected" { "✓" } },
        Some(false) => html! { span.mark.bad role="img" aria-label="not as expected" { "✗" } },
        None => html! { span.mark.dim role="img" aria-label="not judged" { "–" } },
    }
}

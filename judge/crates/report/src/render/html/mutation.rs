//! Mutation testing as a page: the score, the scores of groups and kinds of mistakes, survivors as
//! differences, and the inputs that were found to kill them.
//!
//! Responsible for the content of the page. The reports already contain scores and sentences. Must
//! not depend on how mutants are made or run.

use std::collections::BTreeSet;

use judge_event::{MutantResult, Totals};
use maud::{Markup, html};
use similar::ChangeTag;

use super::{mark, marked, static_page};
use crate::commands::mutation::{
    Change, MutationOverallReport, MutationReport, NO_SCORE, changes, gap_title, nearest, shown,
    within,
};
use crate::commands::search::InputReport;
use crate::text::escape::{printable, printable_lines};
use crate::text::numbers::{count, counted, duration, plural};

/// The maximum number of lines of an input or an answer.
const LINES: usize = 200;

impl MutationReport {
    /// Renders the reports of several solutions as one page for a browser, with the overall score of
    /// each problem.
    #[must_use]
    pub fn to_html(reports: &[Self], overalls: &[MutationOverallReport]) -> String {
        let are_enough = reports.iter().all(Self::is_enough);
        let good = are_enough && overalls.iter().all(MutationOverallReport::is_enough);
        let problems: BTreeSet<&str> = reports
            .iter()
            .map(|report| report.mutation.problem.as_str())
            .collect();
        let solutions = plural(reports.len() as u64, "solution");
        let title = match reports {
            [Self { mutation, .. }] => {
                format!("{}: mutants of {}", mutation.problem, mutation.solution)
            }
            many if problems.len() == many.len() => {
                format!("Mutants of {}", plural(many.len() as u64, "problem"))
            }
            [first, ..] if problems.len() == 1 => {
                format!("{}: mutants of {solutions}", first.mutation.problem)
            }
            _ => format!(
                "Mutants of {solutions} of {}",
                plural(problems.len() as u64, "problem")
            ),
        };
        let body = html! {
            header { h1 { (mark(Some(good))) (printable(&title)) } }
            main #results {
                (overview(reports, overalls))
                @for (number, report) in reports.iter().enumerate() { (problem_section(number, report, reports.len() > 1)) }
            }
        };
        static_page(good, &title, &body)
    }
}

fn overview(reports: &[MutationReport], overalls: &[MutationOverallReport]) -> Markup {
    let head = html! {
        td { } th scope="col" { "problem" } th scope="col" { "solution" } th scope="col" { "score" }
        @for name in ["killed", "survived", "equivalent", "refused", "time"] { th.number scope="col" { (name) } }
    };
    let rows = html! {
        @for report in reports { @let mutation = &report.mutation; tr {
            td { @if report.min_score.is_some() { (mark(Some(report.is_enough()))) } }
            th scope="row" { (printable(&mutation.problem)) }
            td { (printable(&mutation.solution)) }
            td { (score(mutation.score.totals)) }
            td.number { (count(mutation.score.totals.killed)) }
            td.number { (count(mutation.score.totals.of - mutation.score.totals.killed)) }
            td.number { (count(mutation.score.equivalent)) }
            td.number { (count(mutation.score.does_not_compile)) }
            td.number { (duration(mutation.method.elapsed_us)) }
        } }
    };
    html! {
        section aria-labelledby="scores" {
            h2 #scores { "Scores" }
            (super::table("scores", &head, &rows))
            @for overall in overalls {
                p.sentence {
                    @if overall.min_mean.is_some() { (mark(Some(overall.is_enough()))) }
                    (printable(&overall.overall.problem)) ": " b { (overall.shown_mean().trim_start()) } " " (overall.words(" · "))
                }
            }
        }
    }
}

fn score(totals: Totals) -> Markup {
    if totals.of == 0 {
        return html! { span.score { (NO_SCORE) } };
    }
    let words = shown(totals);
    html! { span.score { meter min="0" max=(totals.of) value=(totals.killed) { (words) } " " (words.trim_start()) } }
}

fn problem_section(number: usize, report: &MutationReport, is_named: bool) -> Markup {
    let id = |part: &str| format!("m{number}-{part}");
    let title = id("title");
    html! {
        section aria-labelledby=(title) {
            h2 id=(title) {
                @if is_named { (printable(&report.mutation.problem)) " " span.title { (printable(&report.mutation.solution)) } } @else { "Killed mutants" }
            }
            @if let Some(interval) = report.mutation.score.interval { p.sentence.dim { (within(interval)) } }
            @if let Some(min_score) = report.min_score { p.sentence { (mark(Some(report.is_enough()))) "expected " (min_score) " % or more" } }
            div.charts {
                (table(&id("groups"), "Groups of test cases, each alone", "group", report.groups()))
                (table(&id("kinds"), "Kinds of mistakes", "mistake", report.operators.iter().map(|(name, totals)| (name.as_str(), *totals))))
            }
            @for warning in &report.warnings { p.sentence.warn { "warning: " (marked(warning)) } }
            @for (gap, survivors) in report.by_gap() {
                @if let Some(gap) = gap { h3 { (gap_title(gap)) " " span.dim { (count(survivors.len() as u64)) } } }
                @for survivor in survivors { (survivor_section(&id(&survivor.id), report, survivor)) }
            }
            @for (place, found) in report.found.iter().enumerate() { (input_section(&id(&format!("input{place}")), found)) }
            @if !report.searched.is_empty() {
                h3 { "The hunt" }
                (facts(&report.searched))
            }
            @for note in &report.notes { p.sentence.dim { (marked(note)) } }
        }
    }
}

fn table<'a>(
    id: &str,
    caption: &str,
    what: &str,
    rows: impl Iterator<Item = (&'a str, Totals)>,
) -> Markup {
    let head = html! { th scope="col" { (what) } th scope="col" { "score" } th.number scope="col" { "killed" } th.number scope="col" { "of" } };
    let rows = html! {
        @for (name, totals) in rows { tr {
            th scope="row" { (printable(name)) }
            td { (score(totals)) }
            td.number { (count(totals.killed)) }
            td.number { (count(totals.of)) }
        } }
    };
    html! { figure { figcaption id=(id) { (caption) } (super::table(id, &head, &rows)) } }
}

fn survivor_section(id: &str, report: &MutationReport, survivor: &MutantResult) -> Markup {
    html! {
        h4 id=(id) {
            span.bad { "survived" } " " code { (printable(&survivor.id)) } " " (printable(&survivor.operator)) " "
            span.dim { "line " (survivor.line) @if !survivor.function.is_empty() { ", in " (printable(&survivor.function)) } }
        }
        div.diff role="group" aria-labelledby=(id) {
            @for Change { line, tag, text } in changes(&report.mutation.source, survivor.source.as_deref().unwrap_or_default()) {
                @let (class, sign) = match tag {
                    ChangeTag::Delete => ("side old", "−"),
                    ChangeTag::Insert => ("side new", "+"),
                    ChangeTag::Equal => ("side", ""),
                };
                div { div class=(class) {
                    span.n { @if let Some(line) = line { (line) } }
                    span { (sign) }
                    span.t { (printable(&text)) }
                } }
            }
        }
        @if let Some(meaning) = &survivor.meaning { p.sentence { (marked(meaning)) } }
        @if let Some(reached) = &survivor.reached { p.sentence.dim { (printable(&nearest(reached, &survivor.near, "…"))) } }
        @if let Some(fate) = report.fates.get(&survivor.id) { p.sentence { (marked(fate)) } }
    }
}

fn input_section(id: &str, found: &InputReport) -> Markup {
    let killed = found
        .did
        .iter()
        .map(|(mutant, _)| printable(mutant))
        .collect::<Vec<_>>()
        .join(", ");
    html! {
        h3 id=(id) { "An input that kills " (killed) }
        (facts(&found.did))
        (facts(&found.facts))
        @for (name, content) in &found.texts {
            @if !name.is_empty() { p.sentence.dim { (printable(name)) } }
            pre.evidence { (beginning(content)) }
        }
        @for (what, command) in &found.commands {
            p.sentence.dim { (marked(what)) }
            pre.evidence { (printable(command)) }
        }
    }
}

fn facts(facts: &[(String, String)]) -> Markup {
    html! { dl.facts { @for (name, words) in facts { div { dt { (printable(name)) } dd { (printable(words)) } } } } }
}

/// Returns the first lines of a text.
fn beginning(content: &[u8]) -> String {
    let text = String::from_utf8_lossy(content);
    let lines: Vec<&str> = text.lines().collect();
    let shown = lines[..lines.len().min(LINES)].join("\n");
    let more = lines.len().saturating_sub(LINES) as u64;
    let more = if more > 0 {
        format!("\n… {}", counted(more, "line more", "lines more"))
    } else {
        String::new()
    };
    printable_lines(&shown) + &more
}

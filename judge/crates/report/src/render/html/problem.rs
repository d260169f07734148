//! A problem: its limits, its grid, its plots, its groups, and the assessment of its test data.
//!
//! Responsible for the section of a problem around its grid. Must not know cells.

use judge_event::{
    MutantsKilled, ProblemStarted, ProblemState, SubmissionFinished, TestDataAssessed,
};
use maud::{Markup, html};

use super::{details, grid, plot};
use crate::commands::matrix::{by_cover, mutants_in_words};
use crate::summary::{self, NOTHING, measured_when, score_of};
use crate::text::escape::printable;
use crate::text::numbers::{count, limit_bytes, limit_seconds, noun, plural, seconds};

/// Renders the section of the problem with this number.
pub(super) fn render(number: usize, problem: &ProblemState) -> Markup {
    let started = &problem.started;
    let title = format!("p{number}-title");
    html! {
        section.problem id={ "p" (number) } data-problem=(number) data-name=(printable(&started.problem)) aria-labelledby=(title) {
            h2 id=(title) { (printable(&started.problem)) " " span.title { (printable(&started.title)) } }
            p.facts-line { (facts(problem)) }
            p.facts-line.dim { (derivation(problem)) }
            (grid::render(&title, problem))
            (plot::render(problem))
            (groups(number, problem))
            @if let Some(assessed) = &problem.assessed {
                (assessment(number, assessed))
                @if let Some(killed) = &assessed.mutants { (mutants(number, killed)) }
            }
            (details::script(number, problem))
        }
    }
}

fn facts(problem: &ProblemState) -> String {
    let started = &problem.started;
    let (selected, all) = (started.test_cases.len() as u64, started.test_cases_total);
    let cases = if selected == all {
        plural(all, "test case")
    } else {
        format!("{} of {}", count(selected), plural(all, "test case"))
    };
    let memory = limit_bytes(started.limits.memory_bytes);
    let output = limit_bytes(started.limits.output_bytes);
    let counts = problem.counts();
    let parts = [
        (counts.as_expected, "as expected"),
        (counts.violated, "not as expected"),
        (
            counts.judge_errors,
            noun(counts.judge_errors, "judge error", "judge errors"),
        ),
        (counts.errors, noun(counts.errors, "error", "errors")),
        (counts.skipped, "skipped"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, what)| format!("{} {what}", count(number)))
        .collect();
    let submissions = plural(problem.submissions.len() as u64, "submission");
    let submissions = if parts.is_empty() {
        submissions
    } else {
        format!("{submissions}: {}", parts.join(", "))
    };
    format!("{cases} · {submissions} · {memory} of memory · {output} of output")
}

/// Returns the derivation of the time limit, and the distance between it and the submissions.
fn derivation(problem: &ProblemState) -> String {
    let started = &problem.started;
    let limit = limit_seconds(started.time_limit_us);
    let slowest = summary::row(problem).cells[6].clone();
    let margin = if slowest == NOTHING {
        String::new()
    } else {
        format!(". Slowest accepted: {slowest}")
    };
    format!("Time limit {limit} s, {}{margin}.", origin(started))
}

fn origin(started: &ProblemStarted) -> String {
    let limits = &started.limits;
    let factor = limits.ac_to_time_limit;
    if let Some(from) = &started.time_limit_from {
        let (submission, test_case) = (printable(&from.submission), printable(&from.test_case));
        let resolution =
            limit_seconds(u64::try_from(limits.time_resolution.as_micros()).unwrap_or(u64::MAX));
        return format!(
            "inferred: {submission} takes {} s on {test_case}, times {factor}, rounded up to a multiple of {resolution} s; \
             slow submissions must take {} times the limit; {}",
            seconds(from.cpu_time_us),
            limits.time_limit_to_tle,
            printable(&measured_when(from)),
        );
    }
    match limits.time_limit {
        Some(stated) if stated.as_micros() == u128::from(started.time_limit_us) => {
            "as the package states".to_owned()
        }
        Some(stated) => format!(
            "given for this run; the package states {} s",
            stated.as_secs_f64()
        ),
        None => "given for this run; the package states none".to_owned(),
    }
}

/// Renders the groups of test cases with their scores, if there are any.
fn groups(number: usize, problem: &ProblemState) -> Markup {
    let finished = problem
        .submissions
        .iter()
        .filter_map(|submission| submission.finished.as_ref());
    let with: Vec<&SubmissionFinished> = finished
        .filter(|finished| !finished.groups.is_empty())
        .collect();
    let Some(first) = with.first() else {
        return html! {};
    };
    let id = format!("p{number}-groups");
    let head = html! {
        th scope="col" { "submission" } th.number scope="col" { "score" }
        @for group in &first.groups { th.number scope="col" { (printable(&group.group)) } }
    };
    let rows = html! {
        @for finished in &with { tr {
            th scope="row" { (printable(&finished.submission)) }
            td.number { (score_of(finished.score, finished.max_score, " / ").unwrap_or_default()) }
            @for group in &finished.groups {
                td.number title=[group.skipped.as_deref().or(group.reason.as_deref()).map(printable)] {
                    @match group.verdict {
                        Some(verdict) => { span class={ "verdict " (super::class(verdict)) } { (verdict) } }
                        None => { span.dim { "skipped" } }
                    }
                    " " (score_of(group.score, group.max_score, " / ").unwrap_or_default())
                }
            }
        } }
    };
    html! { h3 id=(id) { "Groups and scores" } (super::table(&id, &head, &rows)) }
}

/// Renders the assessment of the test data.
fn assessment(number: usize, assessed: &TestDataAssessed) -> Markup {
    let id = format!("p{number}-worth");
    let list = |names: &[String]| {
        names
            .iter()
            .map(|name| printable(name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let max = assessed
        .must_be_rejected
        .iter()
        .map(|one| one.test_cases.len())
        .max()
        .unwrap_or(0);
    let head = html! { th scope="col" { "must be rejected" } th.number scope="col" { "by" } th scope="col" { "test cases that reject it" } };
    let rows = html! {
        @for one in &assessed.must_be_rejected { tr {
            th scope="row" { (printable(&one.submission)) }
            td.number.bad[one.test_cases.is_empty()] { (count(one.test_cases.len() as u64)) }
            td {
                @if one.test_cases.is_empty() { span.bad { "none" } } @else {
                    meter min="0" max=(max) value=(one.test_cases.len()) { (one.test_cases.len()) }
                    " " span.dim { (list(&one.test_cases[..one.test_cases.len().min(3)])) @if one.test_cases.len() > 3 { ", …" } }
                }
            }
        } }
    };
    html! {
        h3 id=(id) { "Assessment of the test data" }
        @if assessed.must_be_rejected.is_empty() { p.dim { "No submission must be rejected." } } @else { (super::table(&id, &head, &rows)) }
        ul.worth {
            @if !assessed.smallest.is_empty() {
                li {
                    @if assessed.smallest_is_exact { "The fewest test cases" } @else { "Few test cases" }
                    @if assessed.mutants.is_some() { " that reject and kill as much as all: " } @else { " that reject all that are rejected: " }
                    (list(&assessed.smallest))
                }
            }
            @if !assessed.idle.is_empty() {
                li { @if assessed.mutants.is_some() { "Reject nothing and kill no mutant: " } @else { "Reject nothing: " } (list(&assessed.idle)) }
            }
            @for (cover, cases) in by_cover(assessed) {
                li { "Redundant because of " (printable(cover)) ": " (cases.iter().map(|name| printable(name)).collect::<Vec<_>>().join(", ")) }
            }
            @if let Some(min) = assessed.min_kills {
                li {
                    "Required: " (plural(min, "test case")) " for each submission; not met by "
                    (count(assessed.too_few().count() as u64))
                }
            }
        }
    }
}

/// Renders the mutants of a solution that the test cases kill.
fn mutants(number: usize, mutants: &MutantsKilled) -> Markup {
    let id = format!("p{number}-mutants");
    let max = mutants.by.iter().map(|by| by.mutants).max().unwrap_or(0);
    let head = html! { th scope="col" { "test case" } th scope="col" { "mutants killed" } th.number scope="col" { "by it alone" } };
    let rows = html! {
        @for by in &mutants.by { tr {
            th scope="row" { (printable(&by.test_case)) }
            td { meter min="0" max=(max) value=(by.mutants) { (by.mutants) } " " (count(by.mutants)) }
            td.number { @if by.alone > 0 { (count(by.alone)) } }
        } }
    };
    html! {
        h3 id=(id) { "Mutants" }
        p { (printable(&mutants_in_words(mutants))) "." }
        @if !mutants.by.is_empty() { (super::table(&id, &head, &rows)) }
    }
}

//! The overview: the results of the run and the check, and the notices.
//!
//! Responsible for facts about the run as a whole. Must not know grids or test cases.

use judge_event::{CheckState, Finding, Host, RunState};
use judge_model::Severity;
use maud::{Markup, html};

use super::{mark, marked};
use crate::render::notice::{Level, Notice, RULES, notices};
use crate::summary;
use crate::text::escape::{printable, printable_lines};
use crate::text::numbers::{count, duration, plural};

/// The maximum number of notices that are not folded.
const MAX_UNFOLDED: usize = 12;

/// The result of the run as a whole.
pub(super) struct OverallResult {
    good: bool,
    /// A sentence for the check, and one for the run.
    sentences: Vec<String>,
    /// The reason why the report is incomplete.
    partial: Option<String>,
}

impl OverallResult {
    pub(super) fn new(state: &RunState) -> Self {
        let mut overall = Self {
            good: true,
            sentences: Vec::new(),
            partial: None,
        };
        if let Some(check) = &state.check {
            overall.good = check.count(Severity::Error) == 0;
            overall.sentences.push(check_sentence(check));
            if !check.is_whole() {
                overall.partial = Some("the check did not finish".to_owned());
            }
        }
        if state.started.is_some() || state.check.is_none() {
            let run = summary::sentence(state);
            overall.good &= !run.bad;
            overall.sentences.push(run.text);
            if let Some(how) = summary::partial(state) {
                overall.partial = Some(how.to_owned());
            }
        }
        overall.good &= overall.partial.is_none();
        overall
    }

    /// Returns the title of the page.
    pub(super) fn title(&self) -> String {
        format!(
            "{} judge: {}",
            if self.good { "✓" } else { "✗" },
            self.sentences.join("; ")
        )
    }
}

fn check_sentence(check: &CheckState) -> String {
    let (errors, warnings) = (check.count(Severity::Error), check.count(Severity::Warning));
    let packages = plural(check.packages.len() as u64, "package");
    let silenced = check.silenced();
    let silenced = if silenced == 0 {
        String::new()
    } else {
        format!(", {} silenced", count(silenced))
    };
    let (errors, warnings) = (plural(errors, "error"), plural(warnings, "warning"));
    format!("{packages} checked: {errors}, {warnings}{silenced}")
}

pub(super) fn header(state: &RunState, overall: &OverallResult) -> Markup {
    html! {
        header {
            h1 {
                (mark(Some(overall.good)))
                (if overall.good { "All as expected" } else { "Not all as expected" })
            }
            @for sentence in &overall.sentences { p.sentence { (sentence) } }
            @if let Some(how) = &overall.partial {
                p.warn { strong { "Partial: " (how) "." } " This report is incomplete." }
            }
            (facts(state))
        }
    }
}

/// Renders the facts on which times and guarantees depend.
fn facts(state: &RunState) -> Markup {
    let Some(started) = &state.started else {
        return html! {};
    };
    let host = |host: &Host| {
        let cores = plural(host.cores.into(), "core");
        let processor = host
            .processor
            .as_ref()
            .map(|name| format!(", {name}"))
            .unwrap_or_default();
        format!("{}: {}{processor}, {cores}", host.name, host.system)
    };
    let gaps: Vec<&str> = started
        .isolation
        .gaps
        .iter()
        .map(|gap| gap.describe())
        .collect();
    html! {
        dl.facts {
            @if let Some(at) = &started.started_at { div { dt { "Started" } dd { time datetime=(printable(at)) { (printable(&at.replace('T', " ").replace('Z', " UTC"))) } } } }
            @if let Some(details) = &started.host { div { dt { "Host" } dd { (printable(&host(details))) } } }
            div {
                dt { "Isolation" }
                dd {
                    (started.isolation.level)
                    @if !gaps.is_empty() { span.warn { ", not guaranteed: " (gaps.join("; ")) } }
                }
            }
            div { dt { "At a time" } dd { (plural(started.jobs.into(), "program")) } }
            div { dt { "Version" } dd { "judge " (printable(&started.judge_version)) } }
        }
    }
}

/// Renders the notices, each with its evidence folded below it.
pub(super) fn notices_section(state: &RunState) -> Markup {
    // Findings about packages have a separate table.
    let all: Vec<Notice> = notices(state)
        .into_iter()
        .filter(|one| RULES.iter().any(|(rule, _)| *rule == one.rule))
        .collect();
    let (first, rest) = all.split_at(all.len().min(MAX_UNFOLDED));
    html! {
        @if !all.is_empty() {
            section aria-labelledby="look" {
                h2 #look { "Notices " span.number { (count(all.len() as u64)) } }
                ul.notices { @for notice in first { (one(notice)) } }
                @if !rest.is_empty() {
                    details {
                        summary { (count(rest.len() as u64)) " more" }
                        ul.notices { @for notice in rest { (one(notice)) } }
                    }
                }
            }
        }
        @if !state.languages_unavailable.is_empty() {
            ul.notices { @for missing in &state.languages_unavailable { li {
                span.warn { "skipped " } (printable(&missing.language.0)) " cannot be judged here: " (marked(&missing.reason))
                span.dim { ", " (plural(missing.submissions, "submission")) }
            } } }
        }
    }
}

fn one(notice: &Notice) -> Markup {
    let (tone, word) = match notice.level {
        Level::Error => ("bad", "✗"),
        Level::Warning => ("warn", "!"),
        Level::Note => ("dim", "i"),
    };
    let sentence = html! {
        span class={ "mark " (tone) } { (word) }
        code { (notice.place()) } " " span.rule { (printable(&notice.rule)) } br;
        (marked(&notice.message))
    };
    html! {
        li {
            @if notice.details.trim().is_empty() { (sentence) } @else {
                details { summary { (sentence) } pre { (printable_lines(notice.details.trim_end())) } }
            }
        }
    }
}

/// Renders a row for each problem.
pub(super) fn problems(state: &RunState) -> Markup {
    let rows: Vec<summary::Row> = state.problems.iter().map(summary::row).collect();
    let used = summary::used(&rows);
    let head = html! {
        th scope="col" { "problem" }
        @for column in &used { th.number scope="col" { (summary::TITLES[*column]) } }
    };
    let lines = html! {
        @for (number, (row, problem)) in rows.iter().zip(&state.problems).enumerate() { tr {
            th scope="row" {
                (mark(row.good))
                a href={ "#p" (number) } { (printable(&row.problem)) }
                span.dim.title { (printable(&problem.started.title)) }
            }
            @for column in &used { td.number { (row.cells[*column]) } }
        } }
    };
    html! {
        @if !rows.is_empty() {
            nav aria-labelledby="problems" {
                h2 #problems { "Problems" }
                (super::table("problems", &head, &lines))
            }
        }
    }
}

/// Renders the findings of a check.
pub(super) fn check(state: &RunState) -> Markup {
    let Some(check) = &state.check else {
        return html! {};
    };
    html! {
        section aria-labelledby="findings" {
            h2 #findings { "Findings " span.number { (count(check.findings.len() as u64)) } }
            @if check.findings.is_empty() { p.dim { "Nothing was found." } } @else {
                div.scroll tabindex="0" role="group" aria-labelledby="findings" {
                    table.plain.findings {
                        thead { tr { th scope="col" { "code" } th scope="col" { "severity" } th scope="col" { "where and what" } } }
                        tbody { @for finding in &check.findings { (found(finding)) } }
                    }
                }
            }
            @if !check.data.is_empty() { (validated(check)) }
            @if let Some(finished) = &check.finished { p.dim { "Checked in " (duration(finished.wall_time_us)) ", profile " (printable(&check.started.profile)) "." } }
        }
    }
}

fn found(finding: &Finding) -> Markup {
    let tone = match (finding.severity, &finding.silenced) {
        (_, Some(_)) => "dim",
        (Severity::Error, None) => "bad",
        (Severity::Warning, None) => "warn",
    };
    html! {
        tr {
            th scope="row" { code { (printable(&finding.code)) } }
            td class=(tone) { @if finding.silenced.is_some() { "silenced" } @else { (finding.severity) } }
            td {
                code { (summary::place(&finding.file, finding.line)) } br;
                (marked(&finding.message))
                @if let Some(hint) = &finding.hint { br; span.dim { "hint: " (marked(hint)) } }
                @if let Some(why) = &finding.silenced { br; span.dim { "silenced: " (marked(why)) } }
            }
        }
    }
}

/// Renders the decisions of validators on the data of packages.
fn validated(check: &CheckState) -> Markup {
    let cell = |answers: Option<&judge_event::ValidatorAnswers>| match answers {
        None => html! { td.number { span.dim { "–" } } },
        Some(answers) => html! {
            td.number { (mark(Some(answers.wrong == 0))) (count(answers.right)) " of " (count(answers.right.saturating_add(answers.wrong))) }
        },
    };
    let head = html! {
        th scope="col" { "data" } th scope="col" { "validators must" }
        th.number scope="col" { "inputs" } th.number scope="col" { "outputs" }
    };
    let rows = html! {
        @for data in &check.data { tr {
            th scope="row" { (printable(&data.problem)) "/" (printable(&data.directory)) }
            td { @if data.inputs.or(data.outputs).is_none_or(|answers| answers.must_accept) { "accept" } @else { "reject" } }
            (cell(data.inputs.as_ref())) (cell(data.outputs.as_ref()))
        } }
    };
    html! { h3 #validated { "Data and its validators" } (super::table("validated", &head, &rows)) }
}

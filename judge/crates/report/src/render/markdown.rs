//! Markdown: a comment on a pull request, or the summary of a job.
//!
//! Responsible for a text that is short if everything is as expected, has the evidence of each
//! surprise folded below its sentence, and never exceeds the maximum size of a comment. Names and
//! outputs are rendered as code, so that they contain no markup, mention or link. Must not know
//! where the text goes.

use std::fmt::Write as _;

use judge_event::{CheckState, End, ProblemState, RunState, SubmissionState};
use judge_model::Severity;

use super::notice::{Level, Notice, open_notices};
use crate::summary::{self, NOTHING};
use crate::text::escape::{lines_without_commands, printable};
use crate::text::numbers::{counted, limit_seconds, mebibytes, plural, seconds};

/// The maximum length of the text in characters: a comment on GitHub may have 65,536, and some
/// characters count more than once.
const MAX_LENGTH: usize = 60_000;
/// The part of these characters for tables of submissions, which come last.
const TABLES: usize = 30_000;

/// Renders the report.
pub(crate) fn render(state: &RunState) -> String {
    let mut out = String::new();
    heading(&mut out, state);
    if let Some(gaps) = state
        .isolation
        .as_ref()
        .filter(|isolation| !isolation.gaps.is_empty())
    {
        let named: Vec<&str> = gaps.gaps.iter().map(|gap| gap.describe()).collect();
        let _ = writeln!(
            out,
            "> ⚠️ isolation {}, not guaranteed: {}\n",
            gaps.level,
            named.join("; ")
        );
    }
    overview(&mut out, &state.problems);
    skipped_languages(&mut out, state);
    notices_section(&mut out, &open_notices(state).collect::<Vec<_>>());
    submissions(&mut out, &state.problems);
    lines_without_commands(&out)
}

fn heading(out: &mut String, state: &RunState) {
    let mut checked = String::new();
    let mut good = true;
    if let Some(check) = &state.check {
        checked = check_sentence(check);
        good = check.is_whole() && check.count(Severity::Error) == 0;
    }
    // A check alone has no run, and the sentence about submissions would be empty.
    let has_run = state.isolation.is_some() || state.end.is_some();
    let ran = has_run.then(|| summary::sentence(state));
    good &= ran
        .as_ref()
        .is_none_or(|ran| !ran.bad && state.end == Some(End::Completed));
    let _ = writeln!(out, "### {} judge\n", if good { "✅" } else { "❌" });
    if !checked.is_empty() {
        let _ = writeln!(out, "{checked}\n");
    }
    if let Some(ran) = ran {
        if let Some(how) = summary::partial(state) {
            let _ = writeln!(out, "**{how}: this report is incomplete**\n");
        }
        let _ = writeln!(out, "{}\n", ran.text);
    }
}

fn check_sentence(check: &CheckState) -> String {
    let (errors, warnings) = (check.count(Severity::Error), check.count(Severity::Warning));
    let mut parts = vec![plural(errors, "error"), plural(warnings, "warning")];
    if check.silenced() > 0 {
        parts.push(format!("{} silenced", check.silenced()));
    }
    let packages = plural(check.packages.len() as u64, "package");
    let partial = match check.is_whole() {
        true => "",
        false => "; the check did not finish",
    };
    format!("{packages} checked: {}{partial}", parts.join(", "))
}

fn mark(good: Option<bool>) -> &'static str {
    match good {
        Some(true) => "✅",
        Some(false) => "❌",
        None => "⚠️",
    }
}

/// Writes a row for each problem; empty columns are left out.
fn overview(out: &mut String, problems: &[ProblemState]) {
    if problems.is_empty() {
        return;
    }
    let rows: Vec<summary::Row> = problems.iter().map(summary::row).collect();
    let used = summary::used(&rows);
    let titles: Vec<&str> = used.iter().map(|column| summary::TITLES[*column]).collect();
    let _ = writeln!(out, "| | problem | {} |", titles.join(" | "));
    let _ = writeln!(out, "|---|---|{}", "--:|".repeat(titles.len()));
    for row in &rows {
        let cells: Vec<&str> = used
            .iter()
            .map(|column| row.cells[*column].as_str())
            .collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} |",
            mark(row.good),
            code(&row.problem),
            cells.join(" | ")
        );
    }
    out.push('\n');
}

fn skipped_languages(out: &mut String, state: &RunState) {
    for missing in &state.languages_unavailable {
        let skipped = counted(
            missing.submissions,
            "submission is skipped",
            "submissions are skipped",
        );
        let (language, reason) = (code(&missing.language.0), code(&missing.reason));
        let _ = writeln!(
            out,
            "- ⚠️ {language} cannot be judged here: {reason}; {skipped}"
        );
    }
    if !state.languages_unavailable.is_empty() {
        out.push('\n');
    }
}

/// Writes the notices, folded if they have details; as many as fit.
fn notices_section(out: &mut String, open: &[Notice]) {
    for (index, notice) in open.iter().enumerate() {
        let text = one(notice);
        // Notices are sorted by level, so the least important ones are left out.
        if out.len() + text.len() > MAX_LENGTH - TABLES {
            let left = counted((open.len() - index) as u64, "notice is", "notices are");
            let _ = writeln!(out, "…and {left} left out here; another report has them\n");
            return;
        }
        out.push_str(&text);
    }
}

fn one(notice: &Notice) -> String {
    let mark = match notice.level {
        Level::Error => "❌",
        Level::Warning => "⚠️",
        Level::Note => "ℹ️",
    };
    let summary = format!(
        "{mark} {} {}: {}",
        html(&notice.place()),
        html(&notice.rule),
        html(&notice.message)
    );
    if notice.details.is_empty() {
        return format!("{summary}\n\n");
    }
    format!(
        "<details><summary>{summary}</summary>\n\n{}\n</details>\n\n",
        fenced(&notice.details)
    )
}

/// Writes the tables of submissions, folded, as many as fit.
fn submissions(out: &mut String, problems: &[ProblemState]) {
    for problem in problems {
        let table = table(problem);
        if out.len() + table.len() > MAX_LENGTH {
            out.push_str(
                "…the tables of further submissions are left out here; another report has them\n",
            );
            return;
        }
        out.push_str(&table);
    }
}

fn table(problem: &ProblemState) -> String {
    let mut out = String::new();
    let number = plural(problem.submissions.len() as u64, "submission");
    let _ = writeln!(
        out,
        "<details><summary>{}: {number}</summary>\n",
        html(&problem.started.problem)
    );
    out.push_str(
        "| | submission | verdict | slowest | memory | test case |\n|---|---|---|--:|--:|---|\n",
    );
    for submission in &problem.submissions {
        out.push_str(&table_row(problem, submission));
    }
    out.push_str("\n</details>\n\n");
    out
}

fn table_row(problem: &ProblemState, submission: &SubmissionState) -> String {
    let name = code(&submission.started.submission);
    let Some(finished) = &submission.finished else {
        let (mark, why) = match (&submission.error, &submission.skipped) {
            (Some(_), _) => (mark(Some(false)), "error"),
            (None, Some(_)) => (mark(None), "skipped"),
            (None, None) => (mark(None), "not judged"),
        };
        return format!("| {mark} | {name} | {why} | {NOTHING} | {NOTHING} | |\n");
    };
    let limit = limit_seconds(problem.started.time_limit_us);
    let slowest = finished.slowest.as_ref();
    let time = slowest.map_or_else(
        || NOTHING.to_owned(),
        |one| format!("{} / {limit} s", seconds(one.cpu_time_us)),
    );
    let score = finished
        .score
        .map(|score| format!(", score {score}"))
        .unwrap_or_default();
    let deciding = finished
        .deciding_test_case
        .as_deref()
        .map(code)
        .unwrap_or_default();
    format!(
        "| {} | {name} | {}{score} | {time} | {} | {deciding} |\n",
        mark(Some(!finished.is_surprise())),
        finished.verdict,
        mebibytes(finished.memory_bytes)
    )
}

/// Text as code in a line of Markdown or in a cell of a table. A code span if the text cannot end
/// it.
fn code(text: &str) -> String {
    let text = printable(text);
    let plain = |c: char| c.is_alphanumeric() || " -_./:,;+=()[]{}#@!?&%$^~<>*'\"".contains(c);
    if !text.is_empty() && text.trim() == text && text.chars().all(plain) {
        format!("`{text}`")
    } else {
        html(&text)
    }
}

/// Text for places where Markdown has no code spans, such as `<summary>`: every character with a
/// meaning is written as its number.
fn html(text: &str) -> String {
    let mut out = String::from("<code>");
    for c in printable(text).chars() {
        if c.is_ascii() && !c.is_ascii_alphanumeric() && !" -./,;=()".contains(c) {
            let _ = write!(out, "&#{};", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out + "</code>"
}

/// Lines as a code block, with a fence that is longer than any run of backticks in them.
fn fenced(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    format!(
        "{fence}text\n{}\n{fence}\n",
        crate::text::escape::printable_lines(text.trim_end())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_close_a_code_span() {
        assert_eq!(code("accepted/a_b.rs"), "`accepted/a_b.rs`");
        assert_eq!(code("a`b|c"), "<code>a&#96;b&#124;c</code>");
        assert_eq!(
            html("<script>@all"),
            "<code>&#60;script&#62;&#64;all</code>"
        );
        assert_eq!(html("a_b"), "<code>a&#95;b</code>");
    }

    #[test]
    fn a_fence_is_longer_than_backticks_in_its_content() {
        assert_eq!(fenced("a ```` b\n"), "`````text\na ```` b\n`````\n");
        assert_eq!(fenced("x"), "```text\nx\n```\n");
    }
}

//! Details: the facts about a cell or a submission, as data that the script shows on request.
//!
//! Responsible for all facts about a run on a test case, abbreviated for uninteresting runs. Texts
//! are escaped for readers here; the script inserts them only as text, so none of them becomes
//! markup. Must not know their layout.

use std::collections::HashMap;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use judge_event::{
    Difference, Excerpt, Input, Interaction, Party, Picture, ProblemState, SourceFile,
    SubmissionFinished, SubmissionState, TestCaseFinished,
};
use judge_model::{Expectation, Verdict};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use crate::commands::matrix::TestCaseColumns;
use crate::conversation::AFTER_DEADLOCK;
use crate::render::evidence;
use crate::summary::{codes, score_of};
use crate::text::diff;
use crate::text::escape::{data, plain_json, printable, prose};
use crate::text::numbers::{part_of, plural, seconds};

/// The width of each side of a difference in columns, marks included.
const WIDTH: usize = 240;

#[derive(Serialize)]
struct Details {
    /// The name of the problem.
    problem: String,
    /// The directory of the problem.
    path: String,
    /// The time limit in microseconds.
    limit: u64,
    cases: Vec<String>,
    /// The input of each test case, if it is known.
    inputs: Vec<Option<InputData>>,
    rows: Vec<RowData>,
}

#[derive(Serialize)]
struct InputData {
    size: u64,
    text: String,
    /// The origin of the input: a short label, and the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<(&'static str, String)>,
    /// Its file, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// A submission.
#[derive(Serialize)]
struct RowData {
    name: String,
    path: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<(&'static str, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    violations: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    expected: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    compiler: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<[String; 3]>,
    /// The source files: name, size, and text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<(String, u64, String)>,
    cells: Vec<Option<CellData>>,
}

/// A run on a test case. The keys have one letter, because there are many.
#[derive(Serialize)]
struct CellData {
    /// The verdict.
    v: &'static str,
    /// CPU time in microseconds.
    c: u64,
    /// Elapsed time in microseconds.
    w: u64,
    /// Peak memory in bytes.
    m: u64,
    /// True when the result is from an earlier run (cached).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    k: bool,
    #[serde(flatten)]
    more: Option<Box<More>>,
}

/// The facts about interesting runs.
#[derive(Default, Serialize)]
struct More {
    #[serde(skip_serializing_if = "String::is_empty")]
    why: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    odd: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<(&'static str, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<DiffData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    talk: Option<TalkData>,
    #[serde(skip_serializing_if = "String::is_empty")]
    says: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    team: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    stderr: String,
    /// The pictures: the name, and a `data:` address with the content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pictures: Vec<(String, String)>,
}

#[derive(Serialize)]
struct DiffData {
    expected: String,
    found: String,
    /// The rows: true if they differ, the line of the answer, and the line of the output.
    rows: Vec<(bool, Option<SideData>, Option<SideData>)>,
    more: bool,
}

/// A line: its number, the number of bytes cut off before it, its parts with their marks, and the
/// number of bytes cut off after it.
type SideData = (u64, u64, diff::Words, u64);

#[derive(Serialize)]
struct TalkData {
    /// The messages: true if the submission sent it, the pass, the time, the text, and the number
    /// of omitted bytes.
    said: Vec<(bool, u32, u64, String, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<(u64, u64)>,
    #[serde(skip_serializing_if = "String::is_empty")]
    end: String,
}

/// Renders the details of the problem with this number, as an element that browsers neither run nor
/// display.
pub(super) fn script(number: usize, problem: &ProblemState) -> Markup {
    html! { script type="application/json" id={ "d" (number) } { (PreEscaped(embedded(&details(problem)))) } }
}

/// JSON that cannot end the element around it.
fn embedded(details: &Details) -> String {
    let json = serde_json::to_string(details).unwrap_or_else(|_| "null".to_owned());
    // JSON contains these characters only in strings.
    plain_json(&json)
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}

/// Returns text in its rendered form.
fn shown(text: &str) -> String {
    printable(text).into_owned()
}

fn details(problem: &ProblemState) -> Details {
    let started = &problem.started;
    let columns = TestCaseColumns::new(problem);
    let known: HashMap<&str, &Input> = started
        .inputs
        .iter()
        .map(|input| (input.test_case.as_str(), input))
        .collect();
    let input = |case: &String| {
        let input = known.get(case.as_str())?;
        let from = input.origin.as_deref().map(origin);
        let file = input.file.as_deref().map(shown);
        Some(InputData {
            size: input.size_bytes,
            text: lossless(&input.excerpt),
            from,
            file,
        })
    };
    Details {
        problem: shown(&started.problem),
        path: shown(&started.path),
        limit: started.time_limit_us,
        cases: started.test_cases.iter().map(|case| shown(case)).collect(),
        inputs: started.test_cases.iter().map(input).collect(),
        rows: problem
            .submissions
            .iter()
            .map(|submission| row_data(problem, submission, &columns))
            .collect(),
    }
}

/// Returns the origin of an input, in words. Files and generators are in the directory of
/// generators.
fn origin(origin: &str) -> (&'static str, String) {
    let (title, rest) = match origin.split_once(' ') {
        Some(("generate", call)) => ("input made by", call),
        Some(("copy", file)) => ("input copied from", file),
        _ => match origin.strip_prefix("same as ") {
            Some(test_case) => ("input the same as", test_case),
            None if origin == "text" => ("input written in", "generators.yaml"),
            None => ("input", origin),
        },
    };
    (title, shown(rest))
}

fn row_data(
    problem: &ProblemState,
    submission: &SubmissionState,
    columns: &TestCaseColumns<'_>,
) -> RowData {
    let all = |texts: &[String]| texts.iter().map(|text| shown(text)).collect();
    let finished = submission.finished.as_ref();
    let cells = columns
        .row(submission)
        .into_iter()
        .map(|test| Some(cell(problem, submission, test?)));
    let source = |file: &SourceFile| {
        (
            shown(&file.file),
            file.size_bytes,
            prose_text(&file.excerpt),
        )
    };
    let compiler = submission
        .compiled
        .as_ref()
        .filter(|compiled| !compiled.success || !compiled.message.is_empty());
    RowData {
        name: shown(&submission.started.submission),
        path: shown(&submission.started.path),
        facts: facts(submission),
        violations: finished
            .map(|finished| all(&finished.violations))
            .unwrap_or_default(),
        remarks: finished
            .map(|finished| all(&finished.remarks))
            .unwrap_or_default(),
        expected: submission
            .started
            .expectations
            .iter()
            .map(expected)
            .collect(),
        compiler: compiler
            .map(|compiled| prose_text(&compiled.message))
            .unwrap_or_default(),
        groups: finished.map(groups).unwrap_or_default(),
        sources: submission.started.sources.iter().map(source).collect(),
        cells: cells.collect(),
    }
}

fn facts(submission: &SubmissionState) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let mut add = |name: &'static str, text: Option<&str>| {
        facts.extend(text.map(|text| (name, shown(text))));
    };
    let (skipped, language) = (&submission.skipped, &submission.started.language);
    add("error", submission.error.as_deref());
    add(
        "skipped",
        skipped.as_ref().map(|skipped| skipped.reason.as_str()),
    );
    if let Some(finished) = &submission.finished {
        let (run, total) = (finished.test_cases_run, finished.test_cases_total);
        let verdict = format!("{}, {}", finished.verdict, finished.verdict.name());
        let score = score_of(finished.score, finished.max_score, " of ");
        add("verdict", Some(&verdict));
        add("decided by", finished.deciding_test_case.as_deref());
        add("test cases", Some(&part_of(run, total)));
        add("score", score.as_deref());
    }
    add(
        "language",
        language.as_ref().map(|language| language.0.as_str()),
    );
    if let Some(compiled) = &submission.compiled {
        let toolchain = compiled.toolchain.as_ref();
        let from = if compiled.cached { ", then cached" } else { "" };
        let time = format!("{} s of CPU time{from}", seconds(compiled.cpu_time_us));
        add(
            "compiler",
            toolchain.map(|toolchain| toolchain.version.as_str()),
        );
        add("compiled in", Some(&time));
        add("compile error", compiled.reason.as_deref());
    }
    facts
}

/// Describes a rule.
fn expected(rule: &Expectation) -> String {
    let permitted = codes(&rule.permitted, ", ");
    let mut text = format!("{} permits {permitted}", rule.origin);
    if !rule.required.is_empty() {
        let required = codes(&rule.required, ", ");
        text.push_str(&format!(", and requires {required} on some test case"));
    }
    if let Some(scope) = &rule.scope {
        text.push_str(&format!("; on {}", scope.join(", ")));
    }
    shown(&text)
}

fn groups(finished: &SubmissionFinished) -> Vec<[String; 3]> {
    let row = |group: &judge_event::GroupFinished| {
        let why = group.skipped.as_ref().or(group.reason.as_ref());
        let verdict = group.verdict.map_or("skipped", Verdict::code);
        let verdict = why.map_or_else(
            || verdict.to_owned(),
            |why| format!("{verdict}: {}", printable(why)),
        );
        let score = score_of(group.score, group.max_score, " / ");
        let group = shown(&group.group);
        [group, verdict, score.unwrap_or_default()]
    };
    finished.groups.iter().map(row).collect()
}

fn cell(problem: &ProblemState, submission: &SubmissionState, test: &TestCaseFinished) -> CellData {
    // Most cells are plain accepted runs. Only the others have details, which keeps a page of ten
    // thousand cells small.
    let plain = test.verdict == Verdict::Accepted
        && test.near_limit.is_none()
        && test.interaction.is_none()
        && test.score.is_none()
        && test.passes.is_none()
        && test.judge_message.is_empty()
        && test.team_message.is_empty()
        && test.stderr.is_empty()
        && test.pictures.is_empty()
        && test.picture_remarks.is_empty()
        && !submission.is_surprise(test);
    CellData {
        v: test.verdict.code(),
        c: test.cpu_time_us,
        w: test.wall_time_us,
        m: test.memory_bytes,
        k: test.cached,
        more: (!plain).then(|| Box::new(more(problem, submission, test))),
    }
}

fn more(problem: &ProblemState, submission: &SubmissionState, test: &TestCaseFinished) -> More {
    let mut facts = Vec::new();
    facts.extend(test.score.map(|score| ("score", score.to_string())));
    facts.extend(test.passes.map(|passes| ("passes", passes.to_string())));
    facts.extend(test.near_limit.map(|first| {
        let text = format!(
            "{} s and {}",
            seconds(first.first_cpu_time_us),
            first.first_verdict
        );
        (
            "at first",
            text + "; run again alone, and this result counts",
        )
    }));
    facts.extend(
        test.after_stop
            .then(|| ("after", "judging had stopped: does not count".to_owned())),
    );
    facts.extend(
        test.picture_remarks
            .iter()
            .map(|remark| ("pictures", shown(remark))),
    );
    facts.push(("output", plural(test.stdout_bytes, "byte")));
    let whole = |bytes: &judge_event::Bytes| prose_text(&bytes.clone().into());
    More {
        why: shown(&evidence::reason(problem, test)),
        odd: submission.is_surprise(test),
        facts,
        diff: test.difference.as_ref().map(difference),
        talk: test.interaction.as_deref().map(talk),
        says: whole(&test.judge_message),
        team: whole(&test.team_message),
        stderr: prose_text(&test.stderr),
        pictures: test.pictures.iter().filter_map(picture).collect(),
    }
}

/// Returns a picture as an address. Browsers treat its content only as an image, and run no script
/// in it.
fn picture(picture: &Picture) -> Option<(String, String)> {
    // Only known types of pictures become addresses; other files of a visualizer are left out.
    let media_type = Picture::media_type_of(&picture.name)?;
    let address = format!(
        "data:{media_type};base64,{}",
        BASE64_STANDARD.encode(&picture.bytes.0)
    );
    Some((shown(&picture.name), address))
}

fn difference(difference: &Difference) -> DiffData {
    let side = |shown: diff::DiffLine| (shown.number, shown.before, shown.parts, shown.after);
    let row = |row: diff::DiffRow| (row.differs, row.answer.map(side), row.output.map(side));
    DiffData {
        expected: data(&difference.expected.0),
        found: data(&difference.found.0),
        rows: diff::rows(WIDTH, difference).into_iter().map(row).collect(),
        more: diff::has_more(difference),
    }
}

fn talk(interaction: &Interaction) -> TalkData {
    let messages = interaction.messages.iter().map(|message| {
        let mut text = lines(&message.bytes.0);
        if message.after_deadlock {
            text = format!("[{AFTER_DEADLOCK}]\n{text}");
        }
        (
            message.from == Party::Submission,
            message.pass,
            message.time_us,
            text,
            message.left_out,
        )
    });
    let ended = interaction.ended_first.map(|party| match party {
        Party::Submission => "the submission ended first",
        Party::Validator => "the output validator ended first",
    });
    let end = if interaction.deadlock {
        Some("both sides waited for each other")
    } else {
        ended
    };
    TalkData {
        said: messages.collect(),
        gap: interaction.gap.map(|gap| (gap.before, gap.messages)),
        end: end.unwrap_or_default().to_owned(),
    }
}

/// Text that is written for people.
fn prose_text(excerpt: &Excerpt) -> String {
    joined(excerpt, lines)
}

fn lines(bytes: &[u8]) -> String {
    let text = |line: Vec<crate::text::escape::Piece>| {
        line.into_iter()
            .map(|piece| piece.shown)
            .collect::<String>()
    };
    prose(bytes)
        .into_iter()
        .map(text)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Data, rendered so that different data never looks the same, except for its last line break.
fn lossless(excerpt: &Excerpt) -> String {
    joined(excerpt, |bytes| {
        let lines: Vec<String> = bytes.split(|byte| *byte == b'\n').map(data).collect();
        lines.join("\n")
    })
}

/// Returns both ends of an excerpt as texts, with a remark about the part between them.
fn joined(excerpt: &Excerpt, text: impl Fn(&[u8]) -> String) -> String {
    let (head, tail) = (text(&excerpt.head.0), text(&excerpt.tail.0));
    if excerpt.left_out == 0 {
        return head + &tail;
    }
    let head = head.strip_suffix('\n').unwrap_or(&head);
    let line_break = if head.is_empty() { "" } else { "\n" };
    format!(
        "{head}{line_break}[{} left out]\n{tail}",
        plural(excerpt.left_out, "byte")
    )
}

#[cfg(test)]
#[path = "details_tests.rs"]
mod tests;

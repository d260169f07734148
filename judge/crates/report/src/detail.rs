//! Details: the reasons for a verdict.
//!
//! Responsible for the sentences and excerpts about one test case or one compilation. Must not know
//! when they are rendered.

use judge_event::{
    CompileFinished, Difference, DifferenceKind, Excerpt, Interaction, ProblemStarted,
    TestCaseFinished,
};
use judge_model::{Limit, Termination, Verdict, signal_name};

use crate::text::escape::{Piece, data, pieces, prose, show_spaces};
use crate::text::line::{Line, Tone, width};
use crate::text::numbers::{
    count, duration, limit_bytes, limit_seconds, mebibytes, plural, seconds, seconds_over,
};
use crate::text::page::Page;
use crate::{conversation, hints, text::diff};

/// Returns the verdict on a test case and its reason, in one sentence without a full stop.
pub fn verdict_reason(test: &TestCaseFinished, problem: &ProblemStarted) -> String {
    let why = match test.verdict {
        Verdict::Accepted => None,
        Verdict::WrongAnswer => return wrong_answer(test),
        Verdict::TimeLimitExceeded => Some(too_slow(test, problem.time_limit_us)),
        Verdict::MemoryLimitExceeded => Some(over(test.memory_bytes, problem.limits.memory_bytes)),
        Verdict::OutputLimitExceeded => {
            let written = test.stdout_bytes.saturating_add(test.stderr_bytes);
            Some(over(written, problem.limits.output_bytes))
        }
        Verdict::RunTimeError => {
            let ending = explained_ending(test.termination);
            Some(match &test.reason {
                Some(reason) => format!("{ending}; {reason}"),
                None => ending,
            })
        }
        _ => test.reason.clone(),
    };
    let name = test.verdict.name();
    why.map_or_else(|| name.to_owned(), |why| format!("{name}: {why}"))
}

/// Returns the bytes over a limit, in words. A program is stopped while it writes, so the counted
/// number may be below the limit.
fn over(bytes: u64, limit: u64) -> String {
    let size = |bytes: u64| {
        if bytes < 1 << 20 {
            plural(bytes, "byte")
        } else {
            mebibytes(bytes)
        }
    };
    match bytes.checked_sub(limit) {
        None | Some(0) => format!("stopped at the limit of {}", limit_bytes(limit)),
        Some(over) => format!(
            "{}, {} over the limit of {}",
            size(bytes),
            size(over),
            limit_bytes(limit)
        ),
    }
}

fn wrong_answer(test: &TestCaseFinished) -> String {
    let Some(difference) = &test.difference else {
        // A validator of the package decides without a position. Its message follows as evidence.
        let what = if test.interaction.is_some() {
            "the conversation"
        } else {
            "the output"
        };
        return format!("wrong answer: the output validator rejected {what}");
    };
    let place = place(difference);
    match difference.kind {
        DifferenceKind::Missing => format!("wrong answer: the output ends too early, at {place}"),
        DifferenceKind::Extra => format!("wrong answer: nothing more is expected at {place}"),
        DifferenceKind::Tolerance => format!("wrong answer: outside the tolerance at {place}"),
        DifferenceKind::Whitespace => format!("wrong answer: white space differs at {place}"),
        DifferenceKind::Line => {
            format!(
                "wrong answer: rejected by the output validator; differs from the answer at {place}"
            )
        }
        _ => format!("wrong answer at {place}"),
    }
}

/// Returns the place where the output differs, and the place in the answer if its line is a
/// different one.
fn place(difference: &Difference) -> String {
    let (answer, output) = (difference.answer_position, difference.output_position);
    let mut place = format!(
        "line {}, column {}",
        count(output.line),
        count(output.column)
    );
    if output.token > 0 {
        place.push_str(&format!(" (token {})", count(output.token)));
    }
    if answer.line != output.line {
        place.push_str(&format!(", line {} of the answer", count(answer.line)));
    }
    place
}

/// Returns the reason for exceeding the time limit.
fn too_slow(test: &TestCaseFinished, limit: u64) -> String {
    let cpu = seconds_over(test.cpu_time_us, limit);
    let limit_text = limit_seconds(limit);
    match test.termination {
        _ if let Some(interaction) = deadlock(test) => {
            let question = interaction.question_about_flushing();
            format!("both sides waited for each other; {question}")
        }
        Termination::Killed {
            limit: Limit::WallTime,
        } => format!(
            "stopped after {} of elapsed time; idle, with {} s of CPU time",
            duration(test.wall_time_us),
            seconds(test.cpu_time_us)
        ),
        Termination::Killed { .. } => {
            format!("stopped after {cpu} s of CPU time; the limit is {limit_text} s")
        }
        _ => {
            let over = limit_seconds(test.cpu_time_us.saturating_sub(limit));
            format!("{cpu} s of CPU time, {over} s over the limit of {limit_text} s")
        }
    }
}

/// Returns the interaction if the submission and the output validator waited for each other.
fn deadlock(test: &TestCaseFinished) -> Option<&Interaction> {
    test.interaction
        .as_deref()
        .filter(|interaction| interaction.deadlock)
}

pub(crate) fn ending(termination: Termination) -> String {
    match termination {
        Termination::Exited { code } => format!("exit code {code}"),
        Termination::Signaled { signal } => match signal_name(signal) {
            Some(name) => format!("{name} (signal {signal})"),
            None => format!("signal {signal}"),
        },
        Termination::Killed { limit } => {
            let limit = match limit {
                Limit::CpuTime => "CPU time",
                Limit::WallTime => "elapsed time",
                Limit::Memory => "memory",
                Limit::Output => "output",
            };
            format!("killed for its {limit}")
        }
        Termination::Cancelled => "cancelled".to_owned(),
    }
}

/// Describes the termination of a program, with the usual cause of a signal.
#[must_use]
pub fn explained_ending(termination: Termination) -> String {
    let cause = match termination {
        Termination::Signaled { signal } => signal_name(signal).and_then(hints::usual_cause),
        _ => None,
    };
    let ending = ending(termination);
    cause.map_or_else(|| ending.clone(), |cause| format!("{ending}: {cause}"))
}

/// Renders the verdict on a test case with all its evidence.
pub(crate) fn test_case(
    page: &mut Page,
    indent: usize,
    test: &TestCaseFinished,
    problem: &ProblemStarted,
    lines: usize,
) {
    page.wrapped(
        indent,
        Tone::Plain,
        &format!("{}: {}", test.test_case, verdict_reason(test, problem)),
    );
    near_limit(page, indent + 2, test);
    evidence(page, indent + 2, test, lines);
}

/// Renders a note if the first run was near the time limit.
pub(crate) fn near_limit(page: &mut Page, indent: usize, test: &TestCaseFinished) {
    if let Some(first) = test.near_limit {
        let text = format!(
            "first run {} s, {}; run again alone, and this result counts",
            seconds(first.first_cpu_time_us),
            first.first_verdict
        );
        page.wrapped(indent, Tone::Warn, &text);
    }
}

/// Renders the evidence: the output of the program, and the messages about it.
pub(crate) fn evidence(page: &mut Page, indent: usize, test: &TestCaseFinished, lines: usize) {
    let message = Excerpt::from(test.judge_message.clone());
    let quote_validator = |page: &mut Page| {
        let who = "the output validator says";
        quote(page, indent, who, &message, Keep::First(lines));
    };
    // A validator of the package knows the reason. The answer is only one of the possible ones, so
    // the difference from it comes after the validator's words.
    let is_reason = (test.difference.as_ref())
        .is_some_and(|difference| difference.kind == DifferenceKind::Line);
    if is_reason {
        quote_validator(page);
    }
    if let Some(difference) = &test.difference {
        tokens(page, indent, difference);
        // Two single words need no diff, because the tokens above show the difference.
        if difference.kind == DifferenceKind::Line || !diff::is_redundant(difference) {
            diff::render(page, indent, difference);
        }
    }
    if let Some(interaction) = &test.interaction {
        conversation::render(page, indent, interaction, lines);
    }
    if !is_reason {
        quote_validator(page);
    }
    // The end of standard error and the beginning of a message, which usually contain the cause.
    quote(
        page,
        indent,
        "standard error",
        &test.stderr,
        Keep::Last(lines),
    );
}

/// Renders the input of a test case: the file, and its beginning if it is known.
pub(crate) fn input(
    page: &mut Page,
    indent: usize,
    problem: &ProblemStarted,
    test_case: &str,
    lines: usize,
) {
    let input = problem
        .inputs
        .iter()
        .find(|input| input.test_case == test_case);
    let file = match input.and_then(|input| input.file.as_deref()) {
        Some("") => "input".to_owned(),
        Some(file) => format!("input: {file}"),
        None => format!("input: {}/data/{test_case}.in", problem.path),
    };
    match input {
        Some(input) if !input.excerpt.is_empty() => {
            quote(page, indent, &file, &input.excerpt, Keep::First(lines));
        }
        _ => page.wrapped(indent, Tone::Dim, &file),
    }
}

/// Renders the reason of a compile error, and the compiler's message.
pub(crate) fn compilation(
    page: &mut Page,
    indent: usize,
    compiled: &CompileFinished,
    lines: usize,
) {
    if let Some(reason) = &compiled.reason {
        page.wrapped(indent, Tone::Plain, &format!("compile error: {reason}"));
    } else if compiled.message.is_empty() {
        page.wrapped(
            indent,
            Tone::Plain,
            "compile error: the compiler failed without a message",
        );
    }
    let by = compiled
        .toolchain
        .as_ref()
        .map_or("the compiler", |toolchain| toolchain.version.as_str());
    quote(
        page,
        indent,
        &format!("{by} says"),
        &compiled.message,
        Keep::First(lines),
    );
    if let Some(hint) = hints::compile_error(&compiled.message) {
        page.wrapped(indent, Tone::Dim, hint);
    }
}

/// Renders the two tokens that differ, one below the other, or the legend of the diff.
fn tokens(page: &mut Page, indent: usize, difference: &Difference) {
    if difference.kind == DifferenceKind::Line {
        let legend = Line::indented(indent)
            .with(Tone::Bad, "-")
            .with(Tone::Dim, " the answer  ");
        return page.line(legend.with(Tone::Good, "+").with(Tone::Dim, " the output"));
    }
    let (expected, found) = (&difference.expected, &difference.found);
    for (sign, tone, name, bytes) in [
        ("-", Tone::Bad, "expected", expected),
        ("+", Tone::Good, "found", found),
    ] {
        let line = Line::indented(indent)
            .with(tone, sign)
            .with(Tone::Dim, &format!(" {name:<8}  "));
        if bytes.is_empty() {
            page.line(line.with(Tone::Dim, "(nothing)"));
            continue;
        }
        let mut shown = pieces(&bytes.0);
        if difference.kind == DifferenceKind::Whitespace {
            show_spaces(shown.iter_mut());
        }
        page.data(line, Tone::Strong, &shown);
    }
}

/// The part of a long text to keep.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keep {
    First(usize),
    Last(usize),
}

/// Renders the text of a program, marked as a quote.
pub(crate) fn quote(page: &mut Page, indent: usize, who: &str, excerpt: &Excerpt, keep: Keep) {
    let head = prose(&excerpt.head.0);
    let tail = prose(&excerpt.tail.0);
    if head.is_empty() && tail.is_empty() {
        return;
    }
    page.wrapped(indent, Tone::Dim, &format!("{who}:"));
    let left_out = (excerpt.left_out > 0).then(|| plural(excerpt.left_out, "byte"));
    let mut rows: Vec<DetailRow> = head.into_iter().map(DetailRow::Text).collect();
    rows.extend(left_out.map(DetailRow::LeftOut));
    rows.extend(tail.into_iter().map(DetailRow::Text));
    for row in shortened(rows, keep) {
        let quote = page.glyphs.quote;
        let line = Line::indented(indent).with(Tone::Dim, quote);
        match row {
            DetailRow::Text(text) => {
                let room = page.width().saturating_sub(line.width());
                for part in broken(&text, room) {
                    page.data(line.clone(), Tone::Plain, part);
                }
            }
            DetailRow::LeftOut(what) => {
                page.line(line.with(Tone::Dim, &format!("[{what} left out]")));
            }
        }
    }
}

/// The maximum number of rows of a line of a message. The cause of an error is often at the end of
/// a long line.
const MAX_ROWS_PER_LINE: usize = 4;

/// Breaks a line into parts that fit, at spaces if there are any. The last part has the rest.
fn broken(mut line: &[Piece], room: usize) -> Vec<&[Piece]> {
    let mut parts = Vec::new();
    while parts.len() + 1 < MAX_ROWS_PER_LINE {
        let mut used = 0;
        let fits = line.iter().take_while(|piece| {
            used += width(&piece.shown);
            used <= room
        });
        // At least one piece, because otherwise the loop would never end on a page narrower than a
        // character.
        let fits = fits.count().max(1);
        if fits >= line.len() {
            break;
        }
        // Breaks between words, unless a word takes most of the room.
        let between = line[..fits]
            .iter()
            .rposition(|piece| piece.shown == " ")
            .map(|space| space + 1);
        let (part, rest) = line.split_at(between.filter(|end| *end > fits / 2).unwrap_or(fits));
        parts.push(part);
        line = rest;
    }
    parts.push(line);
    parts
}

enum DetailRow {
    Text(Vec<Piece>),
    LeftOut(String),
}

/// Returns the first or last rows, with the number of the others.
fn shortened(mut rows: Vec<DetailRow>, keep: Keep) -> Vec<DetailRow> {
    let (Keep::First(max) | Keep::Last(max)) = keep;
    // A note about one omitted line would take a line itself.
    let Some(excess) = rows.len().checked_sub(max).filter(|excess| *excess > 1) else {
        return rows;
    };
    match keep {
        Keep::First(max) => {
            let dropped = rows.split_off(max);
            rows.push(left_out(&dropped));
            rows
        }
        Keep::Last(_) => {
            let kept = rows.split_off(excess);
            std::iter::once(left_out(&rows)).chain(kept).collect()
        }
    }
}

fn left_out(rows: &[DetailRow]) -> DetailRow {
    let bytes: Vec<&str> = rows
        .iter()
        .filter_map(|row| {
            if let DetailRow::LeftOut(what) = row {
                Some(what.as_str())
            } else {
                None
            }
        })
        .collect();
    let lines = plural((rows.len() - bytes.len()) as u64, "line");
    DetailRow::LeftOut(
        std::iter::once(lines.as_str())
            .chain(bytes)
            .collect::<Vec<_>>()
            .join(" and "),
    )
}

/// Returns a short reason, for a row of a table.
pub(crate) fn note(test: &TestCaseFinished) -> String {
    match (test.verdict, &test.difference) {
        (Verdict::WrongAnswer, Some(difference)) => {
            let line = difference.output_position.line;
            match difference.kind {
                DifferenceKind::Missing => {
                    format!(
                        "line {line}: expected {}, found the end",
                        data(&difference.expected.0)
                    )
                }
                DifferenceKind::Extra => format!(
                    "line {line}: expected the end, found {}",
                    data(&difference.found.0)
                ),
                DifferenceKind::Whitespace => format!("line {line}: white space"),
                _ => {
                    let (expected, found) =
                        (data(&difference.expected.0), data(&difference.found.0));
                    format!("line {line}: expected {expected}, found {found}")
                }
            }
        }
        (Verdict::RunTimeError, _) => ending(test.termination),
        (Verdict::TimeLimitExceeded, _) if deadlock(test).is_some() => {
            "both sides waited for each other".to_owned()
        }
        (Verdict::TimeLimitExceeded, _)
            if test.termination
                == Termination::Killed {
                    limit: Limit::WallTime,
                } =>
        {
            format!("idle: {} elapsed", duration(test.wall_time_us))
        }
        (Verdict::JudgeError, _) => test.reason.clone().unwrap_or_default(),
        _ => String::new(),
    }
}

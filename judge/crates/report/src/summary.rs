//! Sums: the result of a run, as one sentence and as a row for each problem.
//!
//! Responsible for words and numbers that all views share. Must not know the layout of a view, or
//! decide the exit code.

use judge_event::{Counts, End, ProblemState, RunState, SubmissionState, TimeLimitFrom};
use judge_model::{Score, Verdict};

use crate::text::escape::{printable, printable_lines};
use crate::text::numbers::{count, duration, limit_seconds, plural, seconds};

/// One problem in the table.
pub(crate) struct Row {
    /// True when everything is as expected; `None` when results are missing.
    pub(crate) good: Option<bool>,
    pub(crate) problem: String,
    pub(crate) cells: [String; 7],
}

/// The titles of the cells of a row.
pub(crate) const TITLES: [&str; 7] = [
    "as expected",
    "not",
    "judge errors",
    "errors",
    "skipped",
    "test runs",
    "slowest accepted",
];

/// The text of an empty cell.
pub(crate) const NOTHING: &str = "-";

/// Returns the columns that are not empty. The first one and the sums are always included.
pub(crate) fn used(rows: &[Row]) -> Vec<usize> {
    let used = |column: &usize| {
        matches!(column, 0 | 5) || rows.iter().any(|row| row.cells[*column] != NOTHING)
    };
    (0..TITLES.len()).filter(used).collect()
}

/// Returns the sums of one problem.
pub(crate) fn row(problem: &ProblemState) -> Row {
    let counts = problem.counts();
    let bad = counts.violated + counts.judge_errors + counts.errors > 0;
    let ended = counts.with_verdict() + counts.errors + counts.skipped;
    let whole = ended >= problem.started.submissions.len() as u64;
    // A submission that is too slow for a margin of the time limit is right as well, but one that
    // should be rejected is not.
    let is_right = |submission: &SubmissionState| {
        let expectations = &submission.started.expectations;
        expectations
            .iter()
            .all(|expectation| expectation.required.is_empty())
    };
    // The slowest time of the solutions that should be fast enough, because readers compare it with
    // the limit.
    let slowest = problem
        .submissions
        .iter()
        .filter_map(|submission| Some((submission, submission.finished.as_ref()?)))
        .filter(|(submission, finished)| {
            finished.verdict == Verdict::Accepted && (finished.as_expected || is_right(submission))
        })
        .filter_map(|(_, finished)| finished.slowest.as_ref())
        .map(|slowest| slowest.cpu_time_us)
        .max();
    let some = |number: u64| {
        if number == 0 {
            NOTHING.to_owned()
        } else {
            count(number)
        }
    };
    let limit = limit_seconds(problem.started.time_limit_us);
    Row {
        good: if bad {
            Some(false)
        } else {
            (whole && counts.with_verdict() > 0).then_some(true)
        },
        problem: problem.started.problem.clone(),
        cells: [
            count(counts.as_expected),
            some(counts.violated),
            some(counts.judge_errors),
            some(counts.errors),
            some(counts.skipped),
            count(counts.test_cases),
            slowest.map_or_else(
                || NOTHING.to_owned(),
                |time| format!("{} / {limit} s", seconds(time)),
            ),
        ],
    }
}

/// Returns the reason why a run is incomplete.
pub(crate) fn partial(state: &RunState) -> Option<&'static str> {
    match state.end {
        Some(End::Completed) => None,
        Some(End::Interrupted) => Some("interrupted"),
        Some(End::Aborted) => Some("aborted after a failure of this host"),
        None => Some("truncated: the event stream ends before the run"),
    }
}

/// Returns a file, and the line in it.
pub(crate) fn place(file: &str, line: Option<u32>) -> String {
    // Escaped, so that a name with a line break stays on one line.
    let file = printable(file);
    line.map_or_else(
        || file.clone().into_owned(),
        |line| format!("{file}:{line}"),
    )
}

/// Returns a hint as a line; nothing without one.
pub(crate) fn hint_line(hint: Option<&str>) -> String {
    hint.map(|hint| format!("hint: {}\n", printable_lines(hint)))
        .unwrap_or_default()
}

/// Returns the codes of verdicts, such as `AC, WA`.
pub(crate) fn codes(verdicts: &[Verdict], separator: &str) -> String {
    let codes: Vec<&str> = verdicts.iter().map(|verdict| verdict.code()).collect();
    codes.join(separator)
}

/// Returns a score, with the maximum after a separator if there is one: `60/100`, `60`.
pub(crate) fn score_of(
    score: Option<Score>,
    max: Option<Score>,
    separator: &str,
) -> Option<String> {
    let max = max.map_or_else(String::new, |max| format!("{separator}{max}"));
    score.map(|score| format!("{score}{max}"))
}

/// The sentence that sums a run up.
pub(crate) struct Sentence {
    /// True if anything in the run is not as expected.
    pub(crate) bad: bool,
    pub(crate) text: String,
}

/// Returns the sentence at the end of a run.
pub(crate) fn sentence(state: &RunState) -> Sentence {
    let Counts {
        as_expected,
        violated,
        judge_errors,
        errors,
        skipped,
        test_cases,
        cached,
    } = state.counts();
    let problems = state.problems.len() as u64;
    let mut parts = vec![
        plural(problems, "problem"),
        format!("{} as expected", plural(as_expected, "submission")),
    ];
    let mut add = |number: u64, text: String| {
        if number > 0 {
            parts.push(text);
        }
    };
    let (package_faults, host_faults) = (
        state.package_faults.len() as u64,
        state.host_faults.len() as u64,
    );
    add(violated, format!("{} not", count(violated)));
    add(judge_errors, plural(judge_errors, "judge error"));
    add(errors, plural(errors, "error"));
    add(skipped, format!("{} skipped", count(skipped)));
    add(package_faults, plural(package_faults, "package fault"));
    add(host_faults, plural(host_faults, "host fault"));
    // A run that judged no selected submission is not a success.
    let nothing = skipped > 0 && state.counts().with_verdict() == 0;
    let bad = nothing || violated + judge_errors + errors + package_faults + host_faults > 0;
    let mut text = format!("{}; {}", parts.join(", "), plural(test_cases, "test run"));
    match cached {
        0 => {}
        _ if cached == test_cases => text.push_str(", all cached,"),
        _ => text.push_str(&format!(", {} of them cached,", count(cached))),
    }
    if state.end.is_some() {
        text.push_str(&format!(" in {}", duration(state.wall_time_us)));
    }
    if let Some(isolation) = &state.isolation {
        text.push_str(&format!("; isolation {}", isolation.level));
    }
    Sentence { bad, text }
}

/// Returns the origin of a time limit: the run from which it was inferred, and the time of its
/// measurement.
pub(crate) fn time_limit_origin(from: &TimeLimitFrom) -> String {
    format!(
        "time limit inferred from {}: {} s on {}, {}",
        from.submission,
        seconds(from.cpu_time_us),
        from.test_case,
        measured_when(from)
    )
}

/// Returns the time of the measurement from which a time limit was inferred.
pub(crate) fn measured_when(from: &TimeLimitFrom) -> String {
    match (&from.measured_at, from.cached) {
        (_, false) => "measured in this run".to_owned(),
        (Some(at), true) => format!("cached since {}", at.replace('T', " ").replace('Z', " UTC")),
        (None, true) => "cached from an earlier run".to_owned(),
    }
}

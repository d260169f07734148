//! One submission: its row in a run and the lines below it, or alone, as an online judge presents
//! it to its author.
//!
//! Responsible for separating expected results from surprises, and for the verdict and its reason
//! for the author, which must not mention expectations. Must not decide whether an expectation is
//! met.

use judge_event::{
    GroupFinished, LanguageUnavailable, ProblemStarted, ProblemState, SubmissionFinished,
    SubmissionState, TestCaseFinished,
};
use judge_model::Verdict;

use super::columns::{Columns, INDENT};
use crate::Verbosity;
use crate::detail;
use crate::hints;
use crate::summary::score_of;
use crate::text::line::{Line, Tone, elide, widest, width};
use crate::text::numbers::{
    count, duration, limit_bytes, limit_seconds, mebibytes, part_of, plural, seconds,
};
use crate::text::page::Page;

/// The maximum number of printed violations of one submission, unless everything is requested.
/// There may be one for each test case.
const VIOLATIONS: usize = 2;
/// The maximum number of lines of standard error and of compilers.
const QUOTED_LINES: usize = 10;
/// The same, if everything is requested.
const ALL_LINES: usize = 200;
/// The same, for the author of a submission.
const AUTHOR_LINES: usize = 20;
/// The maximum number of lines of an input for the author of a submission.
const INPUT_LINES: usize = 8;
/// The minimum width of a cut name of a test case. A narrower one is left out.
const MIN_NAME: usize = 6;
/// The mark of results from an earlier run, which the legend explains.
pub(super) const CACHED: &str = "=";

/// A submission on a page that just got its verdict, or was skipped.
pub(super) struct SubmissionView<'a> {
    pub(super) page: &'a mut Page,
    pub(super) verbosity: Verbosity,
    pub(super) columns: &'a Columns,
    pub(super) problem: &'a ProblemState,
    pub(super) submission: &'a SubmissionState,
}

/// True for a submission that is printed in a run. With `--quiet`, expected results are not
/// printed. A submission in a missing language was already counted in the line about the language.
pub(super) fn is_printed(
    submission: &SubmissionState,
    missing: &[LanguageUnavailable],
    verbosity: Verbosity,
) -> bool {
    let language = submission.started.language.as_ref();
    match &submission.finished {
        Some(finished) => finished.is_surprise() || verbosity >= Verbosity::Normal,
        // A missing compiler concerns all submissions in its language, and one line has already
        // reported all of them.
        None => {
            verbosity >= Verbosity::Verbose
                || !missing
                    .iter()
                    .any(|missing| language == Some(&missing.language))
        }
    }
}

impl SubmissionView<'_> {
    /// Renders its row, below the heading of the problem.
    pub(super) fn in_run(&mut self) {
        match &self.submission.finished {
            Some(finished) => self.finished(finished),
            None => self.skipped(),
        }
    }

    fn skipped(&mut self) {
        let Some(skipped) = &self.submission.skipped else {
            return;
        };
        let start = self
            .row_start(
                self.page.glyphs.none,
                Tone::Dim,
                &self.submission.started.submission,
            )
            .pad_to(self.columns.verdict_start);
        let hang = self.columns.submission_start + 2;
        self.page.wrapped_after(
            start,
            hang,
            Tone::Dim,
            &format!("skipped: {}", skipped.reason),
        );
    }

    fn finished(&mut self, finished: &SubmissionFinished) {
        let submission = self.submission;
        let surprise = finished.is_surprise();
        self.row(finished, surprise);
        let indent = self.columns.submission_start + 2;
        let everything = self.verbosity >= Verbosity::Everything;
        if everything {
            self.compiling(indent);
        }
        if surprise {
            self.violations(&finished.violations, indent);
        }
        for remark in &finished.remarks {
            self.page
                .wrapped(indent, Tone::Dim, &format!("remark: {remark}"));
        }
        let evidence_of = evidence(submission, surprise);
        let lines = if everything { ALL_LINES } else { QUOTED_LINES };
        let failed = submission.failed_compilation();
        // If a submission is expected not to compile, the messages of the compiler would look like
        // a fault.
        if let Some(compiled) = failed.filter(|_| surprise || everything) {
            detail::compilation(self.page, indent, compiled, lines);
        }
        if self.verbosity >= Verbosity::Verbose {
            for test in &submission.test_cases {
                self.test_row(test, indent);
            }
            self.groups(&finished.groups, indent);
        }
        if let Some(test) = evidence_of.filter(|_| surprise || everything) {
            detail::test_case(self.page, indent, test, &self.problem.started, lines);
            hints::run_time_error(self.page, indent + 2, submission, test);
        }
    }

    fn row_start(&self, mark: &str, tone: Tone, submission: &str) -> Line {
        let id = elide(
            submission,
            self.columns.submission,
            self.page.glyphs.ellipsis,
        );
        let id_tone = if tone == Tone::Dim { tone } else { Tone::Plain };
        Line::indented(INDENT)
            .with(tone, mark)
            .pad_to(self.columns.submission_start)
            .with(id_tone, &id)
    }

    fn row(&mut self, finished: &SubmissionFinished, surprise: bool) {
        let test_cases = &self.submission.test_cases;
        let glyphs = self.page.glyphs;
        let (mark, tone) = glyphs.mark(Some(!surprise));
        let columns = &self.columns;
        let mut line = self
            .row_start(mark, tone, &finished.submission)
            .pad_to(columns.verdict_start)
            .with(
                if surprise { Tone::Bad } else { Tone::Strong },
                finished.verdict.code(),
            )
            .pad_to(columns.time_start);
        if let Some(slowest) = &finished.slowest {
            // One test case near the limit marks the submission. The submission counts as cached
            // only if all results are.
            let near = test_cases.iter().any(|test| test.near_limit.is_some());
            let cached = test_cases.iter().all(|test| test.cached);
            let used = (slowest.cpu_time_us, finished.memory_bytes);
            line = self.with_usage(line, Tone::Plain, used, near, cached);
        }
        let line = line.pad_to(columns.test_case_start);
        let score = score_of(finished.score, finished.max_score, "/")
            .map(|score| format!("score {score}  "))
            .unwrap_or_default();
        let deciding = finished.deciding_test_case.as_deref().unwrap_or_default();
        let room = columns.test_case.saturating_sub(width(&score));
        // A name that is cut to almost nothing is useless; `-v` prints it.
        let deciding = if room < MIN_NAME.min(width(deciding)) {
            ""
        } else {
            deciding
        };
        let deciding = elide(deciding, room, glyphs.ellipsis);
        self.page
            .line(line.with(Tone::Strong, &score).with(Tone::Dim, &deciding));
    }

    /// Returns the line with time in microseconds and memory in bytes, each followed by the mark
    /// that the legend explains.
    fn with_usage(
        &self,
        line: Line,
        tone: Tone,
        used: (u64, u64),
        near: bool,
        cached: bool,
    ) -> Line {
        let (columns, (cpu_time_us, memory_bytes)) = (&self.columns, used);
        let time = format!("{} s", seconds(cpu_time_us));
        line.with(tone, &format!("{time:>width$}", width = columns.time))
            .with(Tone::Warn, if near { "~" } else { "" })
            .pad_to(columns.memory_start)
            .with(
                tone,
                &format!(
                    "{:>width$}",
                    mebibytes(memory_bytes),
                    width = columns.memory
                ),
            )
            .with(
                Tone::Dim,
                &if cached {
                    format!(" {CACHED}")
                } else {
                    String::new()
                },
            )
    }

    /// Renders the groups of a submission, a line each.
    fn groups(&mut self, groups: &[GroupFinished], indent: usize) {
        for group in groups {
            let columns = &self.columns;
            let room = columns.verdict_start.saturating_sub(indent + 2);
            let verdict = group.verdict.map_or(self.page.glyphs.none, Verdict::code);
            let mut line = Line::indented(indent)
                .with(
                    Tone::Dim,
                    &elide(&group.group, room, self.page.glyphs.ellipsis),
                )
                .pad_to(columns.verdict_start)
                .with(Tone::Plain, verdict)
                .pad_to(columns.time_start);
            if let Some(score) = score_of(group.score, group.max_score, "/") {
                line = line.with(Tone::Plain, &format!("score {score}"));
            }
            self.page.line(line);
            for why in group.skipped.iter().chain(&group.reason) {
                self.page.wrapped(indent + 2, Tone::Dim, why);
            }
        }
    }

    fn violations(&mut self, violations: &[String], indent: usize) {
        // A remark about one more violation would take as many lines as the violation.
        let all = self.verbosity >= Verbosity::Verbose || violations.len() == VIOLATIONS + 1;
        let shown = if all { violations.len() } else { VIOLATIONS };
        for violation in violations.iter().take(shown) {
            self.page.wrapped(indent, Tone::Bad, violation);
        }
        let more = violations.len().saturating_sub(shown);
        if more > 0 {
            let text = format!("and {} more like that", count(more as u64));
            self.page.wrapped(indent, Tone::Bad, &text);
        }
    }

    fn compiling(&mut self, indent: usize) {
        let Some(compiled) = &self.submission.compiled else {
            return;
        };
        let by = match &compiled.toolchain {
            Some(toolchain) => format!(" with {} ({})", toolchain.version, toolchain.path),
            None => String::new(),
        };
        let done = if compiled.success {
            "compiled"
        } else {
            "did not compile"
        };
        let cached = if compiled.cached {
            " when it was compiled, now from the cache"
        } else {
            ""
        };
        let text = format!("{done}{by} in {}{cached}", duration(compiled.cpu_time_us));
        self.page.wrapped(indent, Tone::Dim, &text);
    }

    /// Renders one test case in the list of all, with a short reason.
    fn test_row(&mut self, test: &TestCaseFinished, indent: usize) {
        let columns = &self.columns;
        let id = elide(
            &test.test_case,
            columns.verdict_start.saturating_sub(indent + 2),
            self.page.glyphs.ellipsis,
        );
        let tone = if test.verdict == Verdict::Accepted {
            Tone::Dim
        } else {
            Tone::Plain
        };
        let line = Line::indented(indent)
            .with(tone, &id)
            .pad_to(columns.verdict_start)
            .with(tone, test.verdict.code())
            .pad_to(columns.time_start);
        let used = (test.cpu_time_us, test.memory_bytes);
        let line = self.with_usage(line, tone, used, test.near_limit.is_some(), test.cached);
        let note = detail::note(test);
        if note.is_empty() {
            self.page.line(line);
        } else if width(&note) <= columns.test_case {
            // The reason is next to the numbers if it fits, so that a table of test cases has one
            // line for each.
            self.page
                .line(line.pad_to(columns.test_case_start).with(Tone::Dim, &note));
        } else {
            self.page.line(line);
            self.page
                .line(Line::indented(indent + 2).with(Tone::Dim, &note));
        }
    }

    /// Renders the submission alone.
    pub(super) fn alone(&mut self) {
        let (started, submission) = (&self.problem.started, self.submission);
        self.page.blank();
        self.big_line();
        self.usage();
        if self.verbosity >= Verbosity::Verbose {
            for test in &submission.test_cases {
                self.page.line(
                    Line::indented(2)
                        .with(
                            Tone::Plain,
                            &format!(
                                "{:<5}{:>8} s",
                                test.verdict.code(),
                                seconds(test.cpu_time_us)
                            ),
                        )
                        .with(
                            Tone::Warn,
                            if test.near_limit.is_some() { "~" } else { " " },
                        )
                        .with(
                            Tone::Plain,
                            &format!("{:>12}  {}", mebibytes(test.memory_bytes), test.test_case),
                        ),
                );
            }
        }
        if let Some(finished) = &submission.finished {
            self.groups_alone(&finished.groups);
            for remark in &finished.remarks {
                self.page
                    .wrapped(2, Tone::Dim, &format!("remark: {remark}"));
            }
        }
        if let Some(compiled) = submission.failed_compilation() {
            detail::compilation(self.page, 2, compiled, AUTHOR_LINES);
        }
        // Only the first rejected test case, as on an online judge: an author fixes one fault at a
        // time, and the others often have the same cause.
        if let Some(test) = submission.test_cases.iter().find(|test| test.is_rejected()) {
            self.page.blank();
            self.page
                .wrapped(2, Tone::Plain, &detail::verdict_reason(test, started));
            detail::near_limit(self.page, 2, test);
            detail::evidence(self.page, 2, test, AUTHOR_LINES);
            hints::run_time_error(self.page, 2, submission, test);
            detail::input(self.page, 2, started, &test.test_case, INPUT_LINES);
        }
    }

    /// Renders the groups: the score of each and the number of its test cases that passed, or the
    /// reason why it was left out.
    fn groups_alone(&mut self, groups: &[GroupFinished]) {
        let widest = widest(groups.iter().map(|group| &group.group));
        for group in groups {
            let verdict = group.verdict.map_or("not judged", Verdict::code);
            let score = score_of(group.score, group.max_score, "/");
            let score = score.map(|score| format!("  score {score}"));
            let line = Line::indented(2)
                .with(Tone::Dim, &group.group)
                .pad_to(2 + widest + 2);
            let line = line
                .with(Tone::Plain, verdict)
                .with(Tone::Plain, &score.unwrap_or_default());
            let passed = group
                .verdict
                .map(|_| passed_of(&self.problem.started, self.submission, &group.group));
            self.page
                .line(line.with(Tone::Dim, &passed.unwrap_or_default()));
        }
    }

    fn big_line(&mut self) {
        let (problem, submission) = (&self.problem.started, self.submission);
        let line = Line::default().with(Tone::Strong, &format!("{}: ", problem.problem));
        let hang = 2;
        let Some(finished) = &submission.finished else {
            let reason = submission
                .skipped
                .as_ref()
                .map_or("", |skipped| skipped.reason.as_str());
            self.page
                .wrapped_after(line, hang, Tone::Warn, &format!("not judged: {reason}"));
            return;
        };
        let tone = if finished.verdict == Verdict::Accepted {
            Tone::Good
        } else {
            Tone::Bad
        };
        let total = finished.test_cases_total;
        let place = match &finished.deciding_test_case {
            Some(name) => {
                let index = problem
                    .test_cases
                    .iter()
                    .position(|test_case| test_case == name);
                // As on online judges, the number counts the selected test cases in the order of
                // running.
                let number = index.map_or_else(String::new, |index| {
                    format!(" (test case {})", part_of(index as u64 + 1, total))
                });
                format!(" on {name}{number}")
            }
            None if finished.verdict == Verdict::Accepted => {
                format!(" on {}", plural(total, "test case"))
            }
            None => String::new(),
        };
        let score = score_of(finished.score, finished.max_score, "/")
            .map(|score| format!("score {score}, "))
            .unwrap_or_default();
        self.page.wrapped_after(
            line,
            hang,
            tone,
            &format!("{score}{}{place}", finished.verdict.name()),
        );
    }

    fn usage(&mut self) {
        let (problem, test_cases) = (&self.problem.started, &self.submission.test_cases);
        let Some((finished, slowest)) = self
            .submission
            .finished
            .as_ref()
            .and_then(|it| Some((it, it.slowest.as_ref()?)))
        else {
            return;
        };
        let time = format!(
            "{} of {} s",
            seconds(slowest.cpu_time_us),
            limit_seconds(problem.time_limit_us)
        );
        // After the first rejected test case, the others were judged only on request.
        if finished.verdict != Verdict::Accepted
            && test_cases.len() as u64 == finished.test_cases_total
        {
            let passed = test_cases
                .iter()
                .filter(|test| test.verdict == Verdict::Accepted)
                .count() as u64;
            let total = plural(finished.test_cases_total, "test case");
            self.page
                .line(fact("passed  ", &format!("{} of {total}", count(passed))));
        }
        let memory = format!(
            "{} of {}",
            mebibytes(finished.memory_bytes),
            limit_bytes(problem.limits.memory_bytes)
        );
        self.page.line(
            fact("time    ", &time).with(Tone::Dim, &format!("  slowest: {}", slowest.test_case)),
        );
        self.page.line(fact("memory  ", &memory));
    }
}

/// Returns a line with a name and a value.
fn fact(name: &str, value: &str) -> Line {
    Line::indented(2)
        .with(Tone::Dim, name)
        .with(Tone::Plain, value)
}

/// Returns the test case with the evidence that explains the row: for a surprise the first with a
/// verdict that is not permitted, otherwise the first that is not accepted.
fn evidence(submission: &SubmissionState, surprise: bool) -> Option<&TestCaseFinished> {
    let mut rejected = submission
        .test_cases
        .iter()
        .filter(|test| test.is_rejected());
    if surprise {
        rejected.find(|test| submission.is_surprise(test))
    } else {
        rejected.next()
    }
}

/// Returns the test cases of a group that passed, of all of them: `  3 of 5 passed`.
fn passed_of(problem: &ProblemStarted, submission: &SubmissionState, group: &str) -> String {
    // With the slash, `secret/1` does not contain the test cases of `secret/10`.
    let is_in = |case: &str| {
        case.strip_prefix(group)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    let total = problem.test_cases.iter().filter(|case| is_in(case)).count() as u64;
    let accepted =
        |test: &&TestCaseFinished| is_in(&test.test_case) && test.verdict == Verdict::Accepted;
    let passed = submission.test_cases.iter().filter(accepted).count() as u64;
    format!("  {} passed", part_of(passed, total))
}

//! One submission in a run: its row, and the lines below it.
//!
//! Responsible for separating what is calm from what is a surprise. Must not decide whether an expectation is met.

use judge_event::{GroupFinished, SubmissionFinished, SubmissionState, TestCaseFinished};
use judge_model::{Score, Verdict};

use super::Terminal;
use crate::Verbosity;
use crate::detail::{self, InForce};
use crate::text::line::{Line, Tone, elide, width};
use crate::text::numbers::{duration, mebibytes, plural, seconds};

/// Violations of one submission that are printed unless everything is asked for: they tend to be one per test case.
const VIOLATIONS: usize = 2;
/// Lines of standard error and of compilers.
const QUOTED_LINES: usize = 10;
/// Lines of standard error and of compilers where everything is asked for.
const ALL_LINES: usize = 200;
/// Columns of a test case that is cut, below which it is left out.
const LEAST_NAME: usize = 6;
/// The mark of what an earlier run has judged; the legend explains it.
pub(super) const CACHED: &str = "=";

impl Terminal {
    /// Renders the submission that just got its verdict, or was skipped.
    pub(super) fn judged(&mut self) {
        let Some(problem) = self.state.problems.last() else {
            return;
        };
        let Some(submission) = problem.submissions.last().cloned() else {
            return;
        };
        let limits = problem.started.limits.clone();
        let in_force = InForce { time_limit_us: problem.started.time_limit_us, limits: &limits };
        match &submission.finished {
            Some(finished) => self.finished(&submission, finished, in_force),
            None => self.skipped(&submission),
        }
    }

    fn skipped(&mut self, submission: &SubmissionState) {
        let Some(skipped) = &submission.skipped else {
            return;
        };
        // A missing language was printed once, with the number of its submissions.
        let missing = &self.state.languages_unavailable;
        let is_printed =
            submission.started.language.as_ref().is_some_and(|id| missing.iter().any(|one| one.language == *id));
        if is_printed && !self.is_at(Verbosity::Verbose) {
            return;
        }
        self.heading();
        let start = self.row_start(self.page.glyphs.none, Tone::Dim, &submission.started.submission);
        let start = start.pad_to(self.columns.verdict_start());
        let hang = self.columns.text_start() + 2;
        self.page.wrapped_after(start, hang, Tone::Dim, &format!("skipped: {}", skipped.reason));
    }

    fn finished(&mut self, submission: &SubmissionState, finished: &SubmissionFinished, in_force: InForce<'_>) {
        let surprise = !finished.as_expected || finished.verdict == Verdict::JudgeError;
        if !surprise && !self.is_at(Verbosity::Normal) {
            return;
        }
        self.heading();
        self.row(submission, finished, surprise);
        let indent = self.columns.text_start() + 2;
        if self.is_at(Verbosity::Everything) {
            self.compiling(submission, indent);
        }
        if surprise {
            self.violations(&finished.violations, indent);
        }
        for remark in &finished.remarks {
            self.page.wrapped(indent, Tone::Dim, &format!("remark: {remark}"));
        }
        let evidence_of = evidence(submission, surprise);
        let everything = self.is_at(Verbosity::Everything);
        let lines = if everything { ALL_LINES } else { QUOTED_LINES };
        let failed = submission.compiled.as_ref().filter(|compiled| !compiled.success);
        if let Some(compiled) = failed.filter(|_| surprise || everything) {
            detail::compilation(&mut self.page, indent, compiled, lines);
        }
        if self.is_at(Verbosity::Verbose) {
            for test in &submission.test_cases {
                self.test_row(test, indent);
            }
            self.groups(&finished.groups, indent);
        }
        if let Some(test) = evidence_of.filter(|_| surprise || everything) {
            detail::test_case(&mut self.page, indent, test, in_force, lines);
        }
    }

    fn row_start(&self, mark: &str, tone: Tone, submission: &str) -> Line {
        let id = elide(submission, self.columns.submission, self.page.glyphs.ellipsis);
        let line = Line::indented(self.columns.indent).with(tone, mark).pad_to(self.columns.text_start());
        line.with(if tone == Tone::Dim { Tone::Dim } else { Tone::Plain }, &id)
    }

    fn row(&mut self, submission: &SubmissionState, finished: &SubmissionFinished, surprise: bool) {
        let glyphs = self.page.glyphs;
        let (mark, tone) = if surprise { (glyphs.bad, Tone::Bad) } else { (glyphs.good, Tone::Good) };
        let columns = &self.columns;
        let mut line = self
            .row_start(mark, tone, &finished.submission)
            .pad_to(columns.verdict_start())
            .with(if surprise { Tone::Bad } else { Tone::Strong }, finished.verdict.code())
            .pad_to(columns.time_start());
        if let Some(slowest) = &finished.slowest {
            let near = submission.test_cases.iter().any(|test| test.near_limit.is_some());
            let cached = submission.test_cases.iter().all(|test| test.cached);
            let used = (slowest.cpu_time_us, finished.memory_bytes);
            line = self.with_usage(line, Tone::Plain, used, near, cached);
        }
        let line = line.pad_to(columns.test_case_start());
        let score = score_of(finished).map(|score| format!("score {score}  ")).unwrap_or_default();
        let deciding = finished.deciding_test_case.as_deref().unwrap_or_default();
        let room = columns.test_case.saturating_sub(width(&score));
        // A name of which next to nothing is left says nothing; `-v` has it.
        let deciding = if room < LEAST_NAME.min(width(deciding)) { "" } else { deciding };
        let deciding = elide(deciding, room, glyphs.ellipsis);
        self.page.line(line.with(Tone::Strong, &score).with(Tone::Dim, &deciding));
    }

    /// The line with time in microseconds and memory in bytes, and behind each the mark that the legend explains.
    fn with_usage(&self, line: Line, tone: Tone, used: (u64, u64), near: bool, cached: bool) -> Line {
        let (columns, (cpu_time_us, memory_bytes)) = (&self.columns, used);
        let time = format!("{} s", seconds(cpu_time_us));
        line.with(tone, &format!("{time:>width$}", width = columns.time))
            .with(Tone::Warn, if near { "~" } else { "" })
            .pad_to(columns.memory_start())
            .with(tone, &format!("{:>width$}", mebibytes(memory_bytes), width = columns.memory))
            .with(Tone::Dim, &if cached { format!(" {CACHED}") } else { String::new() })
    }

    /// The groups of a submission, a line each.
    fn groups(&mut self, groups: &[GroupFinished], indent: usize) {
        for group in groups {
            let columns = &self.columns;
            let room = columns.verdict_start().saturating_sub(indent + 2);
            let verdict = group.verdict.map_or(self.page.glyphs.none, Verdict::code);
            let mut line = Line::indented(indent)
                .with(Tone::Dim, &elide(&group.group, room, self.page.glyphs.ellipsis))
                .pad_to(columns.verdict_start())
                .with(Tone::Plain, verdict)
                .pad_to(columns.time_start());
            if let Some(score) = group.score {
                line = line.with(Tone::Plain, &format!("score {}", of_most(score, group.max_score)));
            }
            self.page.line(line);
            for why in group.skipped.iter().chain(&group.reason) {
                self.page.wrapped(indent + 2, Tone::Dim, why);
            }
        }
    }

    fn violations(&mut self, violations: &[String], indent: usize) {
        let all = self.is_at(Verbosity::Verbose) || violations.len() == VIOLATIONS + 1;
        let shown = if all { violations.len() } else { VIOLATIONS };
        for violation in violations.iter().take(shown) {
            self.page.wrapped(indent, Tone::Bad, violation);
        }
        let more = violations.len().saturating_sub(shown);
        if more > 0 {
            let text = format!("and {} like that", plural(more as u64, "more", "more"));
            self.page.wrapped(indent, Tone::Bad, &text);
        }
    }

    fn compiling(&mut self, submission: &SubmissionState, indent: usize) {
        let Some(compiled) = &submission.compiled else {
            return;
        };
        let by = match &compiled.toolchain {
            Some(toolchain) => format!(" with {} ({})", toolchain.version, toolchain.path),
            None => String::new(),
        };
        let done = if compiled.success { "compiled" } else { "did not compile" };
        let cached = if compiled.cached { " then, now from the cache" } else { "" };
        let text = format!("{done}{by} in {}{cached}", duration(compiled.cpu_time_us));
        self.page.wrapped(indent, Tone::Dim, &text);
    }

    /// One test case where each is printed, with its few words about why.
    fn test_row(&mut self, test: &TestCaseFinished, indent: usize) {
        let columns = &self.columns;
        let id = elide(&test.test_case, columns.verdict_start().saturating_sub(indent + 2), self.page.glyphs.ellipsis);
        let tone = if test.verdict == Verdict::Accepted { Tone::Dim } else { Tone::Plain };
        let line = Line::indented(indent)
            .with(tone, &id)
            .pad_to(columns.verdict_start())
            .with(tone, test.verdict.code())
            .pad_to(columns.time_start());
        let used = (test.cpu_time_us, test.memory_bytes);
        let line = self.with_usage(line, tone, used, test.near_limit.is_some(), test.cached);
        let note = detail::note(test);
        if note.is_empty() {
            self.page.line(line);
        } else if width(&note) <= columns.test_case {
            self.page.line(line.pad_to(columns.test_case_start()).with(Tone::Dim, &note));
        } else {
            self.page.line(line);
            self.page.line(Line::indented(indent + 2).with(Tone::Dim, &note));
        }
    }
}

/// `60/100`; `60` where there is no bound.
pub(super) fn of_most(score: Score, most: Option<Score>) -> String {
    most.map_or_else(|| score.to_string(), |most| format!("{score}/{most}"))
}

/// The score of a submission as it is printed, if it has one.
pub(super) fn score_of(finished: &SubmissionFinished) -> Option<String> {
    finished.score.map(|score| of_most(score, finished.max_score))
}

/// The test case whose evidence explains the row: for a surprise the first that some expectation does not permit, else
/// the first that is not accepted.
fn evidence(submission: &SubmissionState, surprise: bool) -> Option<&TestCaseFinished> {
    let expectations = &submission.started.expectations;
    let unwanted = |test: &&TestCaseFinished| {
        let verdict = test.verdict.in_expectations();
        verdict == Verdict::JudgeError || expectations.iter().any(|rule| !rule.permitted.contains(&verdict))
    };
    let mut rejected = submission.test_cases.iter().filter(|test| test.is_rejected());
    if surprise { rejected.find(unwanted) } else { rejected.next() }
}

//! One submission as an online judge shows it to its author.
//!
//! Responsible for the answer to "what did I get, and why". Must not speak of expectations.

use judge_event::{GroupFinished, ProblemStarted, SubmissionState, TestCaseFinished};
use judge_model::Verdict;

use super::Terminal;
use super::judged::{of_most, score_of};
use crate::Verbosity;
use crate::detail::{self, InForce};
use crate::text::line::{Line, Tone, width};
use crate::text::numbers::{count, limit_bytes, limit_seconds, mebibytes, plural, seconds};

/// Lines of standard error and of compilers.
const QUOTED_LINES: usize = 20;
/// Lines of an input.
const INPUT_LINES: usize = 8;

impl Terminal {
    /// Renders the submission that just got its verdict, or was skipped.
    pub(super) fn single(&mut self) {
        let Some(problem) = self.state.problems.last() else {
            return;
        };
        let (started, submission) = (problem.started.clone(), problem.submissions.last().cloned());
        let Some(submission) = submission else {
            return;
        };
        self.page.blank();
        self.big_line(&started, &submission);
        self.usage(&started, &submission);
        let in_force = InForce { time_limit_us: started.time_limit_us, limits: &started.limits };
        if self.is_at(Verbosity::Verbose) {
            for test in &submission.test_cases {
                self.page.line(
                    Line::indented(2)
                        .with(Tone::Plain, &format!("{:<5}{:>8} s", test.verdict.code(), seconds(test.cpu_time_us)))
                        .with(Tone::Warn, if test.near_limit.is_some() { "~" } else { " " })
                        .with(Tone::Plain, &format!("{:>12}  {}", mebibytes(test.memory_bytes), test.test_case)),
                );
            }
        }
        if let Some(finished) = &submission.finished {
            self.groups_of_single(&started, &submission, &finished.groups);
        }
        if let Some(compiled) = submission.compiled.as_ref().filter(|compiled| !compiled.success) {
            detail::compilation(&mut self.page, 2, compiled, QUOTED_LINES);
        }
        if let Some(test) = submission.test_cases.iter().find(|test| test.is_rejected()) {
            self.page.blank();
            self.page.wrapped(2, Tone::Plain, &detail::reason(test, in_force));
            detail::near_limit(&mut self.page, 2, test);
            detail::evidence(&mut self.page, 2, test, QUOTED_LINES);
            detail::input(&mut self.page, 2, &started, &test.test_case, INPUT_LINES);
        }
    }

    /// Renders the groups: the score of each, how many of its test cases passed, and those that were not judged.
    fn groups_of_single(&mut self, problem: &ProblemStarted, submission: &SubmissionState, groups: &[GroupFinished]) {
        let widest = groups.iter().map(|group| width(&group.group)).max().unwrap_or(0);
        for group in groups {
            let verdict = group.verdict.map_or("not judged", Verdict::code);
            let score = group.score.map(|score| format!("  score {}", of_most(score, group.max_score)));
            let line = Line::indented(2).with(Tone::Dim, &group.group).pad_to(2 + widest + 2);
            let line = line.with(Tone::Plain, verdict).with(Tone::Plain, &score.unwrap_or_default());
            let passed = group.verdict.map(|_| passed_of(problem, submission, &group.group));
            self.page.line(line.with(Tone::Dim, &passed.unwrap_or_default()));
        }
    }

    fn big_line(&mut self, problem: &ProblemStarted, submission: &SubmissionState) {
        let line = Line::default().with(Tone::Strong, &format!("{}: ", problem.problem));
        let hang = 2;
        let Some(finished) = &submission.finished else {
            let reason = submission.skipped.as_ref().map_or("", |skipped| skipped.reason.as_str());
            self.page.wrapped_after(line, hang, Tone::Warn, &format!("not judged: {reason}"));
            return;
        };
        let tone = if finished.verdict == Verdict::Accepted { Tone::Good } else { Tone::Bad };
        let total = finished.test_cases_total;
        let place = match &finished.deciding_test_case {
            Some(name) => {
                let index = problem.test_cases.iter().position(|test_case| test_case == name);
                let number = index.map_or_else(String::new, |index| {
                    format!(" (test case {} of {})", count(index as u64 + 1), count(total))
                });
                format!(" on {name}{number}")
            }
            None if finished.verdict == Verdict::Accepted => {
                format!(" on {}", plural(total, "test case", "test cases"))
            }
            None => String::new(),
        };
        let score = score_of(finished).map(|score| format!("score {score}, ")).unwrap_or_default();
        self.page.wrapped_after(line, hang, tone, &format!("{score}{}{place}", finished.verdict.name()));
    }

    fn usage(&mut self, problem: &ProblemStarted, submission: &SubmissionState) {
        let Some((finished, slowest)) = submission.finished.as_ref().and_then(|it| Some((it, it.slowest.as_ref()?)))
        else {
            return;
        };
        let time = format!("{} of {} s", seconds(slowest.cpu_time_us), limit_seconds(problem.time_limit_us));
        let judged = &submission.test_cases;
        let passed = judged.iter().filter(|test| test.verdict == Verdict::Accepted).count() as u64;
        // After the first that is not accepted, the others were judged only if that was asked for.
        if finished.verdict != Verdict::Accepted && judged.len() as u64 == finished.test_cases_total {
            let passed =
                format!("{} of {}", count(passed), plural(finished.test_cases_total, "test case", "test cases"));
            self.page.line(Line::indented(2).with(Tone::Dim, "passed  ").with(Tone::Plain, &passed));
        }
        let memory = format!("{} of {}", mebibytes(finished.memory_bytes), limit_bytes(problem.limits.memory_bytes));
        let time_line = Line::indented(2).with(Tone::Dim, "time    ").with(Tone::Plain, &time);
        self.page.line(time_line.with(Tone::Dim, &format!("  slowest: {}", slowest.test_case)));
        self.page.line(Line::indented(2).with(Tone::Dim, "memory  ").with(Tone::Plain, &memory));
    }
}

/// The test cases of a group that passed, of all of them: `  3 of 5 passed`.
fn passed_of(problem: &ProblemStarted, submission: &SubmissionState, group: &str) -> String {
    let is_in = |case: &str| case.strip_prefix(group).is_some_and(|rest| rest.starts_with('/'));
    let total = problem.test_cases.iter().filter(|case| is_in(case)).count() as u64;
    let accepted = |test: &&TestCaseFinished| is_in(&test.test_case) && test.verdict == Verdict::Accepted;
    let passed = submission.test_cases.iter().filter(accepted).count() as u64;
    format!("  {} of {} passed", count(passed), count(total))
}

//! Time limits that packages do not state: the submissions that are measured for them, and the
//! inferred limit.
//!
//! Responsible for choosing the runs to measure, and for the messages about obstacles. Must not
//! know the inequalities, which are in `grading`.
//!
//! Source: 2025-09, "Timelimit inference"; legacy, "Limits".

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use judge_event::{Event, TestCaseFinished};
use judge_grading::{InferredTimeLimit, TimedRun, infer, sides};
use judge_model::{
    Expectation, FormatVersion, Limit, Problem, Submission, Termination, TestCaseIndex, Verdict,
};

use crate::plan::{Inference, Margins, NotInferred, PlannedProblem, TimeLimitSource};

/// The maximum time of a measured run. A submission that takes longer is not suitable for inferring
/// a time limit.
const CAP: Duration = Duration::from_secs(60);
/// The maximum number of characters of a program's output that a message quotes.
const MAX_QUOTED_CHARS: usize = 200;

/// The entries that measure for a problem, if its time limit is to be inferred.
///
/// Submissions that are measured on different test cases are in different entries with the same
/// name. Every test case is judged; only a run that is stopped ends its submission.
pub(crate) fn measuring_entries(planned: &PlannedProblem) -> Vec<PlannedProblem> {
    let TimeLimitSource::ToInfer(whole) = &planned.time_limit_source else {
        return Vec::new();
    };
    // Rules may cover only some test cases of a submission. Measuring the others would take up to a
    // minute each.
    let mut by_tests: BTreeMap<BTreeSet<TestCaseIndex>, Vec<Submission>> = BTreeMap::new();
    for submission in &whole.submissions {
        let tests = measured_tests(whole, submission);
        if !tests.is_empty() && submission.language.is_some() {
            by_tests
                .entry(tests)
                .or_default()
                .push(until_stopped(submission));
        }
    }
    by_tests
        .into_iter()
        .map(|(tests, submissions)| entry(planned, whole, &tests, submissions))
        .collect()
}

/// The test cases on which a submission must be fast enough.
fn measured_tests(problem: &Problem, submission: &Submission) -> BTreeSet<TestCaseIndex> {
    let legacy = problem.format != FormatVersion::V2025_09;
    let binding = |rule: &&Expectation| sides(rule, legacy).lower;
    let rules: Vec<&Expectation> = submission.expectations.iter().filter(binding).collect();
    let covered = |id: &str| rules.iter().any(|rule| rule.covers(id));
    let tests = TestCaseIndex::enumerate(&problem.test_cases)
        .filter(|(_, test_case)| covered(&test_case.id));
    tests.map(|(index, _)| index).collect()
}

/// The submission with a single expectation, which ends judging only after a run that was stopped
/// for its time.
fn until_stopped(submission: &Submission) -> Submission {
    let ends_with = Expectation {
        origin: "measuring".to_owned(),
        permitted: vec![
            Verdict::Accepted,
            Verdict::WrongAnswer,
            Verdict::TimeLimitExceeded,
            Verdict::RunTimeError,
        ],
        required: vec![Verdict::TimeLimitExceeded],
        ..Expectation::default()
    };
    Submission {
        expectations: vec![ends_with],
        ..submission.clone()
    }
}

fn entry(
    planned: &PlannedProblem,
    whole: &Problem,
    tests: &BTreeSet<TestCaseIndex>,
    submissions: Vec<Submission>,
) -> PlannedProblem {
    let test_cases: Vec<_> = tests
        .iter()
        .map(|index| whole.test_cases[*index].clone())
        .collect();
    // Validators may behave differently if there are scores, and their results are reused, so
    // grading stays unchanged. Groups are removed, because their rules about stopping early would
    // leave test cases out.
    let problem = Problem {
        test_groups: Vec::new(),
        test_cases,
        submissions,
        ..Problem::clone(whole)
    };
    PlannedProblem {
        test_cases_total: problem.test_cases.len(),
        problem: Arc::new(problem),
        time_limit: CAP,
        time_factor: 1.0,
        time_limit_source: TimeLimitSource::Stated,
        margins: Margins::Ignored,
        submission_paths: Vec::new(),
        warnings: Vec::new(),
        ..planned.clone()
    }
}

/// The measurement of submissions, from the events of their runs.
#[derive(Default)]
pub(crate) struct Measurement {
    /// The runs, by problem like the other maps.
    runs: BTreeMap<String, Vec<MeasuredRun>>,
    /// The first fault of each package.
    faults: BTreeMap<String, String>,
    /// The times at which cached runs were measured, by problem, submission and test case.
    cached_since: BTreeMap<[String; 3], String>,
    /// The obstacles to measuring submissions.
    unmeasured: BTreeMap<String, Vec<Unmeasured>>,
}

#[derive(Clone, Debug)]
struct MeasuredRun {
    run: TimedRun,
    /// True when an earlier run of the judge measured it.
    cached: bool,
}

struct Unmeasured {
    /// The reason, worded to follow the name of the submission.
    why: String,
    for_lack_of_tools: bool,
}

impl Measurement {
    /// Takes an event of a measuring entry.
    pub(crate) fn take(&mut self, event: Event) {
        match event {
            Event::TestCaseFinished(finished) if finished.verdict == Verdict::JudgeError => {
                self.faults
                    .entry(finished.problem.clone())
                    .or_insert_with(|| judge_error(&finished));
            }
            Event::TestCaseFinished(finished) => {
                let run = MeasuredRun {
                    run: timed(&finished),
                    cached: finished.cached,
                };
                self.runs.entry(finished.problem).or_default().push(run);
            }
            Event::PackageFault(fault) => {
                self.faults.entry(fault.problem).or_insert(fault.message);
            }
            // A fault of the package has its own event, which takes precedence over this one.
            Event::SubmissionSkipped(skipped) => {
                let why = format!("`{}`: {}", skipped.submission, skipped.reason);
                self.add_unmeasured(skipped.problem, why, true);
            }
            Event::CompileFinished(compiled) if !compiled.success => {
                let reason = compiled
                    .reason
                    .or_else(|| first_error(&compiled.message.head.to_text()));
                let reason = reason
                    .map(|reason| format!(": {reason}"))
                    .unwrap_or_default();
                let why = format!("`{}` does not compile{reason}", compiled.submission);
                self.add_unmeasured(compiled.problem, why, false);
            }
            _ => {}
        }
    }

    fn add_unmeasured(&mut self, problem: String, why: String, for_lack_of_tools: bool) {
        self.unmeasured
            .entry(problem)
            .or_default()
            .push(Unmeasured {
                why,
                for_lack_of_tools,
            });
    }

    /// Records the time at which a cached run was measured.
    pub(crate) fn add_cached(
        &mut self,
        problem: &str,
        submission: &str,
        test_case: &str,
        at: &str,
    ) {
        let run = [problem, submission, test_case].map(str::to_owned);
        self.cached_since.insert(run, at.to_owned());
    }

    /// Returns the time limit of a problem, once all of its runs are known. `now` is the time at
    /// which this run of the judge began.
    pub(crate) fn conclude(
        &mut self,
        planned: &PlannedProblem,
        now: Option<&str>,
    ) -> (Duration, TimeLimitSource) {
        let failed = |why| (Duration::ZERO, TimeLimitSource::Failed(why));
        let name = &planned.name;
        let runs = self.runs.remove(name).unwrap_or_default();
        let unmeasured = self.unmeasured.remove(name).unwrap_or_default();
        // A fault of the package may have distorted every measured time, so it is reported even if
        // the runs would give a limit.
        if let Some(fault) = self.faults.remove(name) {
            return failed(NotInferred::PackageFault(fault));
        }
        let timed: Vec<TimedRun> = runs.iter().map(|measured| measured.run.clone()).collect();
        match infer(&planned.problem.limits, &timed) {
            Ok(InferredTimeLimit {
                time_limit,
                lower: run,
            }) => {
                // The limit follows from one run. If that run is cached, the event says when it was
                // measured, since the host may have changed.
                let cached = runs
                    .iter()
                    .any(|measured| measured.run == run && measured.cached);
                let id = [name, &run.submission, &run.test_case].map(String::clone);
                let measured_at = if cached {
                    self.cached_since.remove(&id)
                } else {
                    now.map(str::to_owned)
                };
                (
                    time_limit,
                    TimeLimitSource::Inferred(Inference {
                        run,
                        measured_at,
                        cached,
                    }),
                )
            }
            Err(fault) => failed(not_inferred(fault, &timed, &unmeasured)),
        }
    }
}

fn not_inferred(fault: String, runs: &[TimedRun], unmeasured: &[Unmeasured]) -> NotInferred {
    // The obstacles are the reason only if there is no run. Otherwise the measured runs show the
    // problem.
    if !runs.is_empty() || unmeasured.is_empty() {
        return NotInferred::NothingStated(fault);
    }
    let why: Vec<&str> = unmeasured
        .iter()
        .map(|unmeasured| unmeasured.why.as_str())
        .collect();
    let message = format!(
        "no time limit is stated, and none can be inferred: {}",
        why.join("; ")
    );
    if unmeasured
        .iter()
        .all(|unmeasured| unmeasured.for_lack_of_tools)
    {
        NotInferred::NoTools(message)
    } else {
        NotInferred::NothingStated(message)
    }
}

/// A judge error, as the fault of a package.
fn judge_error(finished: &TestCaseFinished) -> String {
    let TestCaseFinished {
        submission,
        test_case,
        reason,
        judge_message,
        stderr,
        ..
    } = finished;
    let reason = reason.as_deref().unwrap_or("the output validator failed");
    let stderr = if stderr.tail.is_empty() {
        &stderr.head
    } else {
        &stderr.tail
    };
    // Validators explain a verdict in the judge message, so standard error is quoted only if that
    // is empty. In both, the last line counts: a traceback ends with the error itself.
    let texts = [judge_message.to_text(), stderr.to_text()];
    let line = texts.iter().find_map(|text| {
        text.lines()
            .map(str::trim)
            .rfind(|line| !line.is_empty())
            .map(cut)
    });
    let quoted = line.map(|line| format!(" (`{line}`)")).unwrap_or_default();
    format!(
        "judge error while inferring the time limit: {reason}{quoted}, for `{submission}` on \
         `{test_case}`"
    )
}

/// The most informative line of a compiler's message: the first one about an error, or otherwise
/// the first line.
fn first_error(message: &str) -> Option<String> {
    let lines = || {
        message
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
    };
    lines()
        .find(|line| line.contains("error"))
        .or_else(|| lines().next())
        .map(cut)
}

/// The beginning of a line, which may be very long.
fn cut(line: &str) -> String {
    line.chars().take(MAX_QUOTED_CHARS).collect()
}

pub(crate) fn timed(finished: &TestCaseFinished) -> TimedRun {
    let stopped_for = |limit| finished.termination == Termination::Killed { limit };
    TimedRun {
        submission: finished.submission.clone(),
        test_case: finished.test_case.clone(),
        cpu_time: Duration::from_micros(finished.cpu_time_us),
        stopped: stopped_for(Limit::CpuTime) || stopped_for(Limit::WallTime),
    }
}

#[cfg(test)]
#[path = "time_limit_tests.rs"]
mod tests;

//! Time limits that packages leave open: which submissions are measured for them, and the limit
//! that follows.
//!
//! Responsible for what is measured, and for the messages about obstacles. Must not know the
//! inequalities: they are `grading`'s.
//!
//! Source: 2025-09, "Timelimit inference"; legacy, "Limits".

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{Event, TestCaseFinished};
use judge_exec::TestResult;
use judge_grading::{InferredTimeLimit, TimeLimitFault, TimedRun, infer, sides};
use judge_model::{
    Expectation, FormatVersion, Limit, Problem, ProblemIndex, Submission, Termination,
    TestCaseIndex, Verdict,
};

use crate::plan::{Inference, Margins, NotInferred, PlannedProblem, TimeLimitSource};

/// The cap of the time of a run that is measured. A submission that takes longer is no measure for
/// a contest.
const CAP: Duration = Duration::from_secs(60);
/// The maximum number of characters of a program's output that a message quotes.
const MAX_QUOTED_CHARS: usize = 200;

/// The identity of the run that a result is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RunId {
    /// The problem that it is measured for.
    pub(crate) problem: ProblemIndex,
    /// The path of the submission. Names may be those of others.
    pub(crate) submission: PathBuf,
    /// True when the package's constants are filled in, which makes another program of it.
    pub(crate) of_package: bool,
    pub(crate) test_case: String,
}

/// Results of measured runs, to be used again.
pub(crate) type Measured = BTreeMap<RunId, TestResult>;

/// The entries that measure for a problem, if its time limit is to be inferred.
///
/// Submissions that are measured on different test cases stand in entries of their own, by the same
/// name. Every test case is judged; only a run that is stopped ends its submission.
pub(crate) fn measuring_entries(planned: &PlannedProblem) -> Vec<PlannedProblem> {
    let TimeLimitSource::ToInfer(whole) = &planned.time_limit_source else {
        return Vec::new();
    };
    // Rules may bind a submission on some test cases only, and the others would be measured for up
    // to a minute each.
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

/// The submission with the one expectation that makes judging stop when a run is stopped for its
/// time, and only then.
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
    // Validators know if there are scores, and what they say counts when the results are used
    // again. Without groups, no test case is left out because of another one. Their rules about
    // stopping early are for judging.
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
    /// The runs by problem, as everything here.
    runs: BTreeMap<String, Vec<MeasuredRun>>,
    /// The first thing that is wrong with the package.
    faults: BTreeMap<String, String>,
    /// The times at which cached runs were measured, by problem, submission and test case.
    cached_since: BTreeMap<[String; 3], String>,
    /// The obstacles to measuring each of these submissions.
    unmeasured: BTreeMap<String, Vec<Unmeasured>>,
}

#[derive(Clone, Debug)]
struct MeasuredRun {
    run: TimedRun,
    /// True when an earlier run of the judge has measured it.
    cached: bool,
}

struct Unmeasured {
    /// In words to be read after the name of the submission.
    why: String,
    for_lack_of_tools: bool,
}

impl Measurement {
    /// Takes an event of what measures.
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
            // A package at fault has an event of its own, which counts before this one.
            Event::SubmissionSkipped(skipped) => {
                let why = format!("`{}`: {}", skipped.submission, skipped.reason);
                self.add_unmeasured(
                    skipped.problem,
                    Unmeasured {
                        why,
                        for_lack_of_tools: true,
                    },
                );
            }
            Event::CompileFinished(compiled) if !compiled.success => {
                let reason = compiled
                    .reason
                    .or_else(|| first_error(&compiled.message.head.to_text()));
                let reason = reason
                    .map(|reason| format!(": {reason}"))
                    .unwrap_or_default();
                let why = format!("`{}` does not compile{reason}", compiled.submission);
                self.add_unmeasured(
                    compiled.problem,
                    Unmeasured {
                        why,
                        for_lack_of_tools: false,
                    },
                );
            }
            _ => {}
        }
    }

    fn add_unmeasured(&mut self, problem: String, unmeasured: Unmeasured) {
        self.unmeasured.entry(problem).or_default().push(unmeasured);
    }

    /// Notes when a cached run was measured.
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

    /// The time limit of a problem, once all of its runs are known. `now` is when this run of the
    /// judge began.
    pub(crate) fn conclude(
        &mut self,
        planned: &PlannedProblem,
        now: Option<&str>,
    ) -> (Duration, TimeLimitSource) {
        let name = &planned.name;
        let runs = self.runs.remove(name).unwrap_or_default();
        let unmeasured = self.unmeasured.remove(name).unwrap_or_default();
        // A fault of the package may have distorted every measured time, so it is reported
        // even where the runs would give a limit.
        if let Some(fault) = self.faults.remove(name) {
            return (
                Duration::ZERO,
                TimeLimitSource::Failed(NotInferred::PackageFault(fault)),
            );
        }
        let timed: Vec<TimedRun> = runs.iter().map(|measured| measured.run.clone()).collect();
        match infer(&planned.problem.limits, &timed) {
            Ok(InferredTimeLimit {
                time_limit,
                lower: run,
            }) => {
                // The limit follows from one run. Where that came from the cache, the event
                // says when it was measured, since the host may have changed.
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
            Err(fault) => (
                Duration::ZERO,
                TimeLimitSource::Failed(not_inferred(&fault, &unmeasured)),
            ),
        }
    }
}

fn not_inferred(fault: &TimeLimitFault, unmeasured: &[Unmeasured]) -> NotInferred {
    // Only without any run are the obstacles the reason. Otherwise the runs that were measured say
    // what is wrong.
    if *fault != TimeLimitFault::NothingToGoBy || unmeasured.is_empty() {
        return NotInferred::NothingStated(fault.to_string());
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
    let texts = [judge_message.to_text(), stderr.to_text()];
    let line = texts.iter().find_map(|text| {
        text.lines()
            .map(str::trim)
            .rfind(|line| !line.is_empty())
            .map(cut)
    });
    let quoted = line.map(|line| format!(" (`{line}`)")).unwrap_or_default();
    format!(
        "judge error while the time limit was to be inferred: {reason}{quoted}, asked about `{submission}` on \
         `{test_case}`"
    )
}

/// The line of what a compiler wrote that says most: the first about an error, or else the first of
/// all.
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

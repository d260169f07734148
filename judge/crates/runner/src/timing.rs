//! Time limits that packages leave open: which submissions are measured for them, and what comes of it.
//!
//! Responsible for the plan of a run that only measures, and for what is kept of it. Must not know the inequalities:
//! they are `grading`'s.
//!
//! Source: 2025-09, "Timelimit inference"; legacy, "Limits".

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{Event, HostFault, Progress, TestCaseFinished};
use judge_grading::{TimedRun, infer, sides};
use judge_model::{Expectation, FormatVersion, Grading, Limit, Problem, Submission, Termination, Verdict};

use crate::Observer;
use crate::judged::Judged;
use crate::plan::{Margins, Plan, PlannedProblem, TimeLimitSource};

/// What a run that is measured may take. A submission that takes longer is no measure for a contest.
const CAP: Duration = Duration::from_secs(60);

/// Which run a result is of: problem, submission and test case.
pub(crate) type RunId = (String, String, String);

/// Results of measured runs, to be used again.
pub(crate) type Measured = BTreeMap<RunId, Judged>;

/// The plan that measures, for the problems whose time limits are to be inferred. Without a problem when there is none.
///
/// Submissions of a problem that are measured on different test cases stand in entries of their own, by the same name.
/// Every test case is judged, whatever groups would leave out; only a run that is stopped ends its submission.
pub(crate) fn measuring_plan(plan: &Plan) -> Plan {
    let mut problems = Vec::new();
    for planned in &plan.problems {
        let TimeLimitSource::ToInfer(whole) = &planned.time_limit_source else { continue };
        let mut by_tests: BTreeMap<BTreeSet<usize>, Vec<Submission>> = BTreeMap::new();
        for submission in &whole.submissions {
            let tests = measured_tests(whole, submission);
            if !tests.is_empty() && submission.language.is_some() {
                by_tests.entry(tests).or_default().push(until_stopped(submission));
            }
        }
        problems.extend(by_tests.into_iter().map(|(tests, submissions)| entry(planned, whole, &tests, submissions)));
    }
    Plan { problems, output_hashes: plan.output_hashes, ..Plan::default() }
}

/// The test cases on which a submission must be fast enough.
fn measured_tests(problem: &Problem, submission: &Submission) -> BTreeSet<usize> {
    let legacy = problem.format != FormatVersion::V2025_09;
    let binding = |rule: &&Expectation| sides(rule, legacy).lower;
    let rules: Vec<&Expectation> = submission.expectations.iter().filter(binding).collect();
    let covered = |id: &str| rules.iter().any(|rule| rule.covers(id));
    let tests = problem.test_cases.iter().enumerate().filter(|(_, test_case)| covered(&test_case.id));
    tests.map(|(index, _)| index).collect()
}

/// The submission with the one expectation that makes judging stop when a run is stopped for its time, and only then.
fn until_stopped(submission: &Submission) -> Submission {
    let ends_with = Expectation {
        origin: "measuring".to_owned(),
        permitted: vec![Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimitExceeded, Verdict::RunTimeError],
        required: vec![Verdict::TimeLimitExceeded],
        ..Expectation::default()
    };
    Submission { expectations: vec![ends_with], ..submission.clone() }
}

fn entry(
    planned: &PlannedProblem,
    whole: &Problem,
    tests: &BTreeSet<usize>,
    submissions: Vec<Submission>,
) -> PlannedProblem {
    let test_cases: Vec<_> = tests.iter().map(|index| whole.test_cases[*index].clone()).collect();
    let problem =
        Problem { grading: Grading::PassFail, test_groups: Vec::new(), test_cases, submissions, ..whole.clone() };
    PlannedProblem {
        test_cases_total: problem.test_cases.len(),
        problem: Arc::new(problem),
        time_limit: CAP,
        time_limit_source: TimeLimitSource::Stated,
        margins: Margins::Ignored,
        submission_paths: Vec::new(),
        warnings: Vec::new(),
        ..planned.clone()
    }
}

/// Hears a run that measures: passes progress on, and keeps what was measured.
pub(crate) struct Stopwatch<'a> {
    observer: &'a mut dyn Observer,
    runs: Vec<(String, TimedRun)>,
    /// Faults of packages, by problem: they will be told again, but are the reason when nothing was measured.
    faults: BTreeMap<String, String>,
    /// Submissions that could not be measured, and why, by problem.
    unmeasured: BTreeMap<String, Vec<String>>,
    /// The fault that ended it.
    pub(crate) host_fault: Option<HostFault>,
}

impl<'a> Stopwatch<'a> {
    pub(crate) fn new(observer: &'a mut dyn Observer) -> Self {
        Self { observer, runs: Vec::new(), faults: BTreeMap::new(), unmeasured: BTreeMap::new(), host_fault: None }
    }

    /// Puts what was found out into the plan.
    pub(crate) fn conclude(self, plan: &mut Plan) {
        for planned in &mut plan.problems {
            if !matches!(planned.time_limit_source, TimeLimitSource::ToInfer(_)) {
                continue;
            }
            let of_problem = self.runs.iter().filter(|(problem, _)| *problem == planned.name);
            let runs: Vec<TimedRun> = of_problem.map(|(_, run)| run.clone()).collect();
            planned.time_limit_source = match infer(&planned.problem.limits, &runs) {
                Ok(inferred) => {
                    planned.time_limit = inferred.time_limit;
                    TimeLimitSource::Inferred(inferred.lower)
                }
                Err(fault) => TimeLimitSource::Failed(match self.faults.get(&planned.name) {
                    Some(cause) => cause.clone(),
                    None => match self.unmeasured.get(&planned.name) {
                        Some(unmeasured) => format!("{fault}; not measured: {}", unmeasured.join(", ")),
                        None => fault.to_string(),
                    },
                }),
            };
        }
    }
}

impl Observer for Stopwatch<'_> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::TestCaseFinished(finished) if finished.verdict != Verdict::JudgeError => {
                self.runs.push((finished.problem.clone(), timed(finished)));
            }
            Event::PackageFault(fault) => {
                self.faults.insert(fault.problem.clone(), fault.message.clone());
            }
            Event::SubmissionSkipped(skipped) => {
                let why = format!("`{}` ({})", skipped.submission, skipped.reason);
                self.unmeasured.entry(skipped.problem.clone()).or_default().push(why);
            }
            Event::CompileFinished(compiled) if !compiled.success => {
                let why = format!("`{}` (did not compile)", compiled.submission);
                self.unmeasured.entry(compiled.problem.clone()).or_default().push(why);
            }
            Event::HostFault(fault) => self.host_fault = Some(fault.clone()),
            _ => {}
        }
        Ok(())
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.observer.progress(progress)
    }
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
#[path = "timing_tests.rs"]
mod tests;

//! The state of a run: the fold over its events.
//!
//! Responsible for the state that summaries and the exit code are computed from. Must not render
//! anything.

use judge_model::{Isolation, Verdict};

use crate::{
    CheckState, CompileFinished, End, Event, HostFault, LanguageUnavailable, PackageFault,
    PackageWarning, ProblemStarted, RunStarted, SubmissionFinished, SubmissionSkipped,
    SubmissionStarted, TestCaseFinished, TestDataAssessed,
};

/// The state of one submission.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmissionState {
    /// The event that began it.
    pub started: SubmissionStarted,
    /// The result of compiling it, once that is known.
    pub compiled: Option<CompileFinished>,
    /// The test cases that were run, in package order.
    pub test_cases: Vec<TestCaseFinished>,
    /// Its verdict, once it is known.
    pub finished: Option<SubmissionFinished>,
    /// The event with the reason why it was skipped.
    pub skipped: Option<SubmissionSkipped>,
    /// The reason why it could not be judged, which counts as an error. No event has it: only
    /// summaries of requests do.
    pub error: Option<String>,
}

/// The state of one problem.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemState {
    /// The event that began it.
    pub started: ProblemStarted,
    /// Its submissions so far, in order.
    pub submissions: Vec<SubmissionState>,
    /// The assessment of its test data, once it is known, if it was requested.
    pub assessed: Option<TestDataAssessed>,
}

/// The numbers of submissions by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Submissions that meet every expectation.
    pub as_expected: u64,
    /// Submissions that violate an expectation.
    pub violated: u64,
    /// Submissions on which the package's own programs failed.
    pub judge_errors: u64,
    /// Submissions that could not be judged because of an error.
    pub errors: u64,
    /// Skipped submissions.
    pub skipped: u64,
    /// Test cases that were run.
    pub test_cases: u64,
    /// The number of these with a result from an earlier run.
    pub cached: u64,
}

/// The state of a run after the events so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunState {
    /// The event that began the run, once it has begun.
    pub started: Option<RunStarted>,
    /// The isolation, once the run has started.
    pub isolation: Option<Isolation>,
    /// Faults of packages.
    pub package_faults: Vec<PackageFault>,
    /// Warnings about packages.
    pub package_warnings: Vec<PackageWarning>,
    /// Languages that this host cannot judge.
    pub languages_unavailable: Vec<LanguageUnavailable>,
    /// Faults of the host.
    pub host_faults: Vec<HostFault>,
    /// The problems so far, in order.
    pub problems: Vec<ProblemState>,
    /// The event that ended the run, once it has ended.
    pub end: Option<End>,
    /// Elapsed time in microseconds, once the run has ended.
    pub wall_time_us: u64,
    /// The number of cached results that the next run can use, when this one was interrupted.
    pub results_kept: Option<u64>,
    /// The number of programs in the cache that were damaged and compiled again.
    pub programs_remade: u64,
    /// The state of checking the packages, when they were checked.
    pub check: Option<CheckState>,
}

impl RunState {
    /// Takes the next event into account.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => {
                self.isolation = Some(started.isolation.clone());
                self.started = Some(started.clone());
            }
            Event::PackageFault(fault) => self.package_faults.push(fault.clone()),
            Event::PackageWarning(warning) => self.package_warnings.push(warning.clone()),
            Event::LanguageUnavailable(language) => {
                self.languages_unavailable.push(language.clone());
            }
            Event::HostFault(fault) => self.host_faults.push(fault.clone()),
            Event::ProblemStarted(started) => {
                let started = started.clone();
                self.problems.push(ProblemState {
                    started,
                    submissions: Vec::new(),
                    assessed: None,
                });
            }
            Event::SubmissionStarted(started) => {
                let state = SubmissionState {
                    started: started.clone(),
                    compiled: None,
                    test_cases: Vec::new(),
                    finished: None,
                    skipped: None,
                    error: None,
                };
                self.in_problem(|problem| problem.submissions.push(state));
            }
            Event::CompileFinished(compiled) => {
                self.in_submission(|submission| submission.compiled = Some(compiled.clone()));
            }
            Event::TestCaseFinished(test_case) => {
                self.in_submission(|submission| submission.test_cases.push(test_case.clone()));
            }
            Event::SubmissionFinished(finished) => {
                self.in_submission(|submission| submission.finished = Some(finished.clone()));
            }
            Event::SubmissionSkipped(skipped) => {
                self.in_submission(|submission| submission.skipped = Some(skipped.clone()));
            }
            // Emitted after the last submission of its problem and before the next problem.
            Event::TestDataAssessed(assessed) => {
                self.in_problem(|problem| problem.assessed = Some(assessed.clone()));
            }
            Event::RunFinished(finished) => {
                self.end = Some(finished.end);
                self.wall_time_us = finished.wall_time_us;
                self.results_kept = finished.results_kept;
                self.programs_remade = finished.programs_remade;
            }
            Event::CheckStarted(started) => self.check = Some(CheckState::new(started.clone())),
            Event::Finding(finding) => self.in_check(|check| check.findings.push(finding.clone())),
            Event::DataValidated(data) => self.in_check(|check| check.data.push(data.clone())),
            Event::PackageChecked(package) => {
                self.in_check(|check| check.packages.push(package.clone()));
            }
            Event::CheckFinished(finished) => {
                self.in_check(|check| check.finished = Some(finished.clone()));
            }
        }
    }

    // A truncated or concatenated stream may have an event without the start of what it belongs to,
    // which is ignored. The parts of a run follow its start directly, so they belong to the last one.

    fn in_check(&mut self, change: impl FnOnce(&mut CheckState)) {
        if let Some(check) = &mut self.check {
            change(check);
        }
    }

    fn in_problem(&mut self, change: impl FnOnce(&mut ProblemState)) {
        if let Some(problem) = self.problems.last_mut() {
            change(problem);
        }
    }

    fn in_submission(&mut self, change: impl FnOnce(&mut SubmissionState)) {
        self.in_problem(|problem| {
            if let Some(submission) = problem.submissions.last_mut() {
                change(submission);
            }
        });
    }

    /// The numbers of submissions by result, over all problems.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.problems
            .iter()
            .for_each(|problem| problem.add_to(&mut counts));
        counts
    }
}

impl SubmissionState {
    /// The result of compiling it, if it did not compile.
    #[must_use]
    pub fn failed_compilation(&self) -> Option<&CompileFinished> {
        self.compiled.as_ref().filter(|compiled| !compiled.success)
    }

    /// True for a surprise among its test cases: a verdict that an expectation forbids there. A
    /// judge error is always a surprise. A result after the end of judging decides nothing.
    #[must_use]
    pub fn is_surprise(&self, test: &TestCaseFinished) -> bool {
        let mut rules = self
            .started
            .expectations
            .iter()
            .filter(|rule| rule.covers(&test.test_case));
        // Every rule that covers the test case must permit the verdict.
        let forbidden = test.verdict == Verdict::JudgeError
            || rules.any(|rule| !rule.permitted.contains(&test.verdict.in_expectations()));
        forbidden && !test.after_stop
    }
}

impl ProblemState {
    /// The runs of all its submissions so far, in order.
    pub fn test_runs(&self) -> impl Iterator<Item = &TestCaseFinished> {
        self.submissions
            .iter()
            .flat_map(|submission| &submission.test_cases)
    }

    /// True when every selected submission has ended.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        // An interrupted submission has started, but was neither finished nor skipped.
        let ended = |submission: &&SubmissionState| {
            submission.finished.is_some()
                || submission.skipped.is_some()
                || submission.error.is_some()
        };
        self.submissions.iter().filter(ended).count() >= self.started.submissions.len()
    }

    /// The numbers of submissions of this problem by result.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.add_to(&mut counts);
        counts
    }

    fn add_to(&self, counts: &mut Counts) {
        for submission in &self.submissions {
            // Summaries of many submissions, which `judge grade` writes, leave out single test
            // cases.
            let run = submission
                .finished
                .as_ref()
                .map_or(0, |finished| finished.test_cases_run);
            counts.test_cases += if submission.test_cases.is_empty() {
                run
            } else {
                submission.test_cases.len() as u64
            };
            counts.cached += submission
                .test_cases
                .iter()
                .filter(|test_case| test_case.cached)
                .count() as u64;
            // A submission without a result and without a reason has not ended, and is not counted.
            if submission.error.is_some() {
                counts.errors += 1;
            } else if submission.skipped.is_some() {
                counts.skipped += 1;
            } else if let Some(finished) = &submission.finished {
                if finished.verdict == Verdict::JudgeError {
                    counts.judge_errors += 1;
                } else if finished.as_expected {
                    counts.as_expected += 1;
                } else {
                    counts.violated += 1;
                }
            }
        }
    }
}

impl Counts {
    /// The number of submissions with a verdict.
    #[must_use]
    pub fn with_verdict(self) -> u64 {
        self.as_expected + self.violated + self.judge_errors
    }
}

#[cfg(test)]
mod tests {
    use judge_model::{IsolationLevel, Limits};

    use crate::{RunFinished, SCHEMA_VERSION};

    use super::*;

    fn finished(verdict: Verdict, as_expected: bool) -> Event {
        Event::SubmissionFinished(SubmissionFinished {
            problem: "p".into(),
            submission: "s".into(),
            verdict,
            deciding_test_case: None,
            slowest: None,
            memory_bytes: 0,
            test_cases_run: 0,
            test_cases_total: 0,
            as_expected,
            violations: Vec::new(),
            remarks: Vec::new(),
            score: None,
            max_score: None,
            groups: Vec::new(),
        })
    }

    fn problem() -> Event {
        Event::ProblemStarted(ProblemStarted {
            problem: "p".into(),
            title: "P".into(),
            path: "p".into(),
            time_limit_us: 1,
            time_factor: None,
            time_limit_from: None,
            limits: Limits::default(),
            test_cases: Vec::new(),
            test_cases_total: 0,
            submissions: Vec::new(),
            inputs: Vec::new(),
        })
    }

    fn started() -> Event {
        Event::SubmissionStarted(SubmissionStarted {
            problem: "p".into(),
            submission: "s".into(),
            path: "s".into(),
            language: None,
            expectations: Vec::new(),
            sources: Vec::new(),
        })
    }

    #[test]
    fn every_submission_is_counted_once() {
        let mut state = RunState::default();
        let isolation = Isolation {
            level: IsolationLevel::Full,
            cgroup_version: Some(2),
            gaps: Vec::new(),
        };
        state.apply(&Event::RunStarted(RunStarted {
            schema: SCHEMA_VERSION,
            judge_version: "0".into(),
            command: None,
            started_at: None,
            host: None,
            isolation,
            jobs: 1,
            problems: 1,
            submissions: 4,
            shard: None,
        }));
        state.apply(&problem());
        let ends = [
            finished(Verdict::Accepted, true),
            finished(Verdict::WrongAnswer, false),
            finished(Verdict::JudgeError, false),
            Event::SubmissionSkipped(SubmissionSkipped {
                problem: "p".into(),
                submission: "s".into(),
                reason: "r".into(),
            }),
        ];
        for end in &ends {
            state.apply(&started());
            state.apply(end);
        }
        state.apply(&Event::RunFinished(RunFinished {
            end: End::Completed,
            wall_time_us: 5,
            results_kept: None,
            programs_remade: 0,
        }));
        let counts = state.counts();
        assert_eq!(
            (
                counts.as_expected,
                counts.violated,
                counts.judge_errors,
                counts.skipped
            ),
            (1, 1, 1, 1)
        );
        assert_eq!(counts.with_verdict(), 3);
        assert_eq!(state.end, Some(End::Completed));
    }

    #[test]
    fn a_problem_is_complete_when_all_its_submissions_have_ended() {
        let mut state = RunState::default();
        let Event::ProblemStarted(problem) = problem() else {
            unreachable!()
        };
        let submissions = vec!["a".into(), "b".into()];
        state.apply(&Event::ProblemStarted(ProblemStarted {
            submissions,
            ..problem
        }));
        assert!(!state.problems[0].is_whole());
        state.apply(&started());
        state.apply(&finished(Verdict::Accepted, true));
        state.apply(&started());
        assert!(!state.problems[0].is_whole());
        let (problem, submission, reason) = ("p".into(), "b".into(), "r".into());
        state.apply(&Event::SubmissionSkipped(SubmissionSkipped {
            problem,
            submission,
            reason,
        }));
        assert!(state.problems[0].is_whole());
    }

    #[test]
    fn events_of_unknown_submissions_are_ignored() {
        let mut state = RunState::default();
        state.apply(&finished(Verdict::Accepted, true));
        assert_eq!(state.counts(), Counts::default());
    }
}

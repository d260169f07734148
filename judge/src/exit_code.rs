//! Exit codes: the outcome of a command as one number.
//!
//! Responsible for the only mapping from state and errors to codes. Documented in
//! `judge/docs/reference/exit-codes.md`.

use judge_event::{CheckState, End, RunState};
use judge_model::Severity;

/// The exit code of the process, the worst one last. Of several, the worst one counts, because it
/// makes the others unreliable. The numbers are public API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitCode {
    /// Everything is as expected.
    AsExpected,
    /// The command line selects nothing.
    NothingSelected,
    /// The command line or the configuration is wrong.
    Usage,
    /// A gate of a comparison does not hold.
    GateNotHeld,
    /// A submission violates its expectations.
    ExpectationViolated,
    /// A package is at fault, or a program of a package failed; shards do not form a whole run.
    PackageFault,
    /// The host or the sandbox failed, or this host has no tools for any of the submissions.
    HostFault,
    /// The reader of the report was gone before the end of the run. A shell shows this number for a
    /// program that SIGPIPE kills.
    ReaderGone,
    /// A signal interrupted the run.
    Interrupted,
}

impl ExitCode {
    /// The number that a shell sees.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::AsExpected => 0,
            Self::ExpectationViolated => 1,
            Self::Usage => 2,
            Self::PackageFault => 3,
            Self::HostFault => 4,
            Self::NothingSelected => 5,
            Self::GateNotHeld => 6,
            // 128 + SIGINT and 128 + SIGPIPE, as a shell reports a program killed by a signal.
            Self::Interrupted => 130,
            Self::ReaderGone => 141,
        }
    }

    /// This code, unless everything is as expected.
    pub(crate) fn unless(self, is_as_expected: bool) -> Self {
        if is_as_expected {
            Self::AsExpected
        } else {
            self
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}

/// The exit code of a run. When several apply, the worst one counts: an interrupt, then the
/// host, then a package, then an expectation.
pub(crate) fn for_state(state: &RunState) -> ExitCode {
    let Some(check) = &state.check else {
        return of_run(state);
    };
    let checked = of_check(check);
    // `judge verify` checks and then runs; `judge check` only checks. Without a run, a missing end
    // of the run is not a fault.
    let has_run = state.isolation.is_some() || state.end.is_some();
    match (has_run, state.host_faults.is_empty()) {
        (true, _) => worse(checked, of_run(state)),
        (false, true) => checked,
        (false, false) => worse(checked, ExitCode::HostFault),
    }
}

/// The worse one of two codes.
pub(crate) fn worse(one: ExitCode, other: ExitCode) -> ExitCode {
    one.max(other)
}

fn of_check(check: &CheckState) -> ExitCode {
    match check.finished.as_ref().map(|finished| finished.end) {
        Some(End::Interrupted) => ExitCode::Interrupted,
        Some(End::Aborted) | None => ExitCode::HostFault,
        Some(End::Completed) if check.count(Severity::Error) > 0 => ExitCode::PackageFault,
        Some(End::Completed) => ExitCode::AsExpected,
    }
}

fn of_run(state: &RunState) -> ExitCode {
    let counts = state.counts();
    match state.end {
        Some(End::Interrupted) => return ExitCode::Interrupted,
        Some(End::Aborted) | None => return ExitCode::HostFault,
        Some(End::Completed) => {}
    }
    // From faults that make the rest unreliable to plain results: after a fault of the host,
    // missing verdicts are not violations.
    if !state.host_faults.is_empty() {
        ExitCode::HostFault
    } else if !state.package_faults.is_empty() || counts.judge_errors > 0 {
        ExitCode::PackageFault
    } else if counts.violated > 0 || has_too_few_rejections(state) {
        ExitCode::ExpectationViolated
    } else if counts.with_verdict() > 0 {
        ExitCode::AsExpected
    } else if counts.skipped > 0 {
        // Nothing was judged although something was selected: never a success.
        ExitCode::HostFault
    } else if state
        .started
        .as_ref()
        .is_some_and(|run| run.shard.is_some())
    {
        // With more shards than submissions, some are empty.
        ExitCode::AsExpected
    } else {
        ExitCode::NothingSelected
    }
}

/// True when fewer test cases than demanded reject some submission.
fn has_too_few_rejections(state: &RunState) -> bool {
    state
        .problems
        .iter()
        .filter_map(|problem| problem.assessed.as_ref())
        .any(|assessed| assessed.too_few().next().is_some())
}

#[cfg(test)]
mod tests {
    use judge_event::{
        CheckFinished, CheckStarted, Event, Finding, HostFault, PackageFault, ProblemStarted,
        RejectedBy, RunFinished, SCHEMA_VERSION, SubmissionFinished, SubmissionSkipped,
        SubmissionStarted, TestDataAssessed,
    };
    use judge_model::{Limits, Verdict};

    use super::*;

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

    fn submission(verdict: Verdict, as_expected: bool) -> Vec<Event> {
        let started = SubmissionStarted {
            problem: "p".into(),
            submission: "s".into(),
            path: "s".into(),
            language: None,
            expectations: Vec::new(),
            sources: Vec::new(),
        };
        let finished = SubmissionFinished {
            problem: "p".into(),
            submission: "s".into(),
            verdict,
            deciding_test_case: None,
            slowest: None,
            memory_bytes: 0,
            test_cases_run: 1,
            test_cases_total: 1,
            as_expected,
            violations: Vec::new(),
            remarks: Vec::new(),
            score: None,
            max_score: None,
            groups: Vec::new(),
        };
        vec![
            Event::SubmissionStarted(started),
            Event::SubmissionFinished(finished),
        ]
    }

    fn skipped() -> Vec<Event> {
        let mut events = submission(Verdict::Accepted, true);
        events[1] = Event::SubmissionSkipped(SubmissionSkipped {
            problem: "p".into(),
            submission: "s".into(),
            reason: "r".into(),
        });
        events
    }

    fn package_fault() -> Event {
        let message = "m".to_owned();
        Event::PackageFault(PackageFault {
            problem: "p".into(),
            file: "f".into(),
            line: None,
            message,
            hint: None,
        })
    }

    fn host_fault() -> Event {
        Event::HostFault(HostFault {
            problem: None,
            submission: None,
            test_case: None,
            message: "m".into(),
        })
    }

    fn code(events: &[Event], end: Option<End>) -> ExitCode {
        let mut state = RunState::default();
        state.apply(&problem());
        events.iter().for_each(|event| state.apply(event));
        if let Some(end) = end {
            state.apply(&Event::RunFinished(RunFinished {
                end,
                wall_time_us: 0,
                results_kept: None,
                programs_remade: 0,
            }));
        }
        for_state(&state)
    }

    fn check(severity: Option<Severity>, silenced: Option<&str>, end: End) -> Vec<Event> {
        let started = CheckStarted {
            schema: SCHEMA_VERSION,
            judge_version: "0".into(),
            started_at: None,
            host: None,
            profile: "default".into(),
            packages: 1,
            isolation: None,
            seed: None,
        };
        let finding = severity.map(|severity| {
            Event::Finding(Finding {
                problem: Some("p".into()),
                code: "JP302".into(),
                severity,
                file: "f".into(),
                line: None,
                column: None,
                message: "m".into(),
                hint: None,
                silenced: silenced.map(str::to_owned),
            })
        });
        let finished = Event::CheckFinished(CheckFinished {
            end,
            wall_time_us: 0,
        });
        [Event::CheckStarted(started)]
            .into_iter()
            .chain(finding)
            .chain([finished])
            .collect()
    }

    #[test]
    fn the_worse_exit_code_of_check_and_run_is_used() {
        let (error, warning) = (Some(Severity::Error), Some(Severity::Warning));
        let done = End::Completed;
        assert_eq!(code(&check(None, None, done), None), ExitCode::AsExpected);
        assert_eq!(
            code(&check(warning, None, done), None),
            ExitCode::AsExpected
        );
        assert_eq!(
            code(&check(error, None, done), None),
            ExitCode::PackageFault
        );
        assert_eq!(
            code(&check(error, Some("meant"), done), None),
            ExitCode::AsExpected
        );
        assert_eq!(
            code(&check(error, None, End::Interrupted), None),
            ExitCode::Interrupted
        );
        assert_eq!(
            code(&check(None, None, End::Aborted), None),
            ExitCode::HostFault
        );
        let bad = || submission(Verdict::WrongAnswer, false);
        let with =
            |checked: Vec<Event>, run: Vec<Event>| code(&[checked, run].concat(), Some(done));
        assert_eq!(
            with(check(warning, None, done), bad()),
            ExitCode::ExpectationViolated
        );
        assert_eq!(
            with(check(error, None, done), bad()),
            ExitCode::PackageFault
        );
        assert_eq!(
            with(check(None, None, done), submission(Verdict::Accepted, true)),
            ExitCode::AsExpected
        );
        assert_eq!(
            with(check(error, None, done), vec![host_fault()]),
            ExitCode::HostFault
        );
    }

    #[test]
    fn states_map_to_exit_codes() {
        let good = || submission(Verdict::Accepted, true);
        let bad = || submission(Verdict::WrongAnswer, false);
        let judge_error = || submission(Verdict::JudgeError, false);
        let done = Some(End::Completed);
        assert_eq!(code(&good(), done), ExitCode::AsExpected);
        assert_eq!(
            code(&[good(), skipped()].concat(), done),
            ExitCode::AsExpected
        );
        assert_eq!(
            code(&[good(), bad()].concat(), done),
            ExitCode::ExpectationViolated
        );
        assert_eq!(
            code(&[bad(), judge_error()].concat(), done),
            ExitCode::PackageFault
        );
        assert_eq!(
            code(&[bad(), vec![package_fault()]].concat(), done),
            ExitCode::PackageFault
        );
        assert_eq!(
            code(&[bad(), vec![package_fault(), host_fault()]].concat(), done),
            ExitCode::HostFault
        );
        assert_eq!(code(&skipped(), done), ExitCode::HostFault);
        assert_eq!(code(&[], done), ExitCode::NothingSelected);
        assert_eq!(code(&bad(), Some(End::Interrupted)), ExitCode::Interrupted);
        assert_eq!(code(&good(), Some(End::Aborted)), ExitCode::HostFault);
        assert_eq!(code(&good(), None), ExitCode::HostFault);
    }
    #[test]
    fn too_few_rejections_violate_the_minimum() {
        let assessed = |min_kills| {
            let only = RejectedBy {
                submission: "s".into(),
                test_cases: vec!["secret/1".into()],
            };
            Event::TestDataAssessed(TestDataAssessed {
                problem: "p".into(),
                must_be_rejected: vec![only],
                idle: Vec::new(),
                redundant: Vec::new(),
                smallest: Vec::new(),
                smallest_is_exact: true,
                min_kills,
                samples_count: true,
                mutants: None,
            })
        };
        let with = |min_kills| {
            let events = [
                submission(Verdict::WrongAnswer, true),
                vec![assessed(min_kills)],
            ]
            .concat();
            code(&events, Some(End::Completed))
        };
        assert_eq!(with(None), ExitCode::AsExpected);
        assert_eq!(with(Some(1)), ExitCode::AsExpected);
        assert_eq!(with(Some(2)), ExitCode::ExpectationViolated);
    }
}

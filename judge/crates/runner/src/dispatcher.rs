//! The dispatcher: the one place that hears everything and decides what happens next.
//!
//! Responsible for handing work to the schedule, for interrupts, and for giving a run up. Must not run programs.

mod inferring;

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{End, Event, HostFault, LanguageUnavailable, Progress};
use judge_exec::{ExecError, OutputCheck, PreparedSubmission, Refusal, Toolchains};
use judge_grading::{Attempt, Confirmation, Decision};
use judge_model::{LanguageId, ProblemIndex, SubmissionPlace, TestCaseIndex};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{MissedTickBehavior, interval};

use crate::dispatcher::inferring::KnownResult;
use crate::limits::time_limit::{Measured, Measurement};
use crate::order::sequencer::{Action, EventSequencer};
use crate::order::submission_sequencer::Skip;
use crate::plan::{PlannedProblem, TimeLimitSource};
use crate::run::Observer;
use crate::schedule::Job;
use crate::signals::Signals;
use crate::worker::{Report, Shared};

/// The reason for skipping submissions that cannot be judged until the package is mended.
const AT_FAULT: &str = "the package is at fault";
/// The time between two reports of progress.
const TICK: Duration = Duration::from_millis(100);

pub(crate) struct Dispatcher<'a> {
    shared: &'a Shared,
    /// The sequencer of what is judged, for the observer.
    sequencer: EventSequencer,
    /// The sequencer of what is measured.
    measuring: EventSequencer,
    /// The measurement: the results of the runs that are measured.
    measurement: Measurement,
    /// Problems whose time limits are not known yet, in order.
    open: VecDeque<ProblemIndex>,
    observer: &'a mut dyn Observer,
    judgements: BTreeMap<ProblemIndex, Arc<OutputCheck>>,
    progress: Progress,
    /// Results of what was measured, to be used again.
    measured: Measured,
    end: End,
    /// True once no event is left but the last one.
    over: bool,
}

impl<'a> Dispatcher<'a> {
    pub(crate) fn new(shared: &'a Shared, observer: &'a mut dyn Observer) -> Self {
        let work = &shared.work;
        let total = work.plan().test_runs() as u64;
        let sequencer = EventSequencer::new(work, work.judged(), work.plan().fail_fast);
        Self {
            shared,
            sequencer: if observer.shows_excerpts() { sequencer.with_excerpts() } else { sequencer },
            measuring: EventSequencer::new(work, work.measuring(), true),
            measurement: Measurement::default(),
            open: ProblemIndex::each(work.judged()).filter(|problem| work.is_open(*problem)).collect(),
            observer,
            judgements: BTreeMap::new(),
            progress: Progress { total, ..Progress::default() },
            measured: Measured::new(),
            end: End::Completed,
            over: false,
        }
    }

    /// Runs the plan to its end, or until it is interrupted or given up.
    pub(crate) async fn run(
        mut self,
        toolchains: &Toolchains,
        signals: &mut Signals,
        mut reports: UnboundedReceiver<Report>,
    ) -> Result<End, ExecError> {
        self.begin(toolchains)?;
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.emit_known()?;
        while !self.over && !self.sequencer.is_done() {
            tokio::select! {
                biased;
                () = signals.received() => self.give_up(End::Interrupted),
                report = reports.recv() => match report {
                    Some(report) => self.take_report(report)?,
                    None => return Err(ExecError::WorkerLost),
                },
                _ = tick.tick() => match self.observer.is_done() {
                    true => self.give_up(End::Interrupted),
                    false => self.emit_progress()?,
                },
            }
        }
        self.shared.schedule.finish();
        Ok(self.end)
    }

    fn begin(&mut self, toolchains: &Toolchains) -> Result<(), ExecError> {
        for fault in &self.shared.work.plan().package_faults {
            self.emit(&Event::PackageFault(fault.clone()))?;
        }
        for unavailable in self.skip_what_cannot_run(toolchains) {
            self.emit(&Event::LanguageUnavailable(unavailable))?;
        }
        Ok(())
    }

    /// Skips submissions that this host cannot judge and queues the others. Returns each language that is missing.
    fn skip_what_cannot_run(&mut self, toolchains: &Toolchains) -> Vec<LanguageUnavailable> {
        let work = &self.shared.work;
        let mut missing: BTreeMap<LanguageId, u64> = BTreeMap::new();
        let mut prepared = None;
        for place in work.submissions_in(ProblemIndex(0)..work.measuring().end) {
            let problem = place.problem;
            let (PlannedProblem { problem: of, time_limit_source, .. }, submission) = work.submission(place);
            let reason = match &submission.language {
                _ if matches!(time_limit_source, TimeLimitSource::Failed(_)) => Some(AT_FAULT.to_owned()),
                _ if of.test_cases.is_empty() => Some("no test case is selected".to_owned()),
                _ if of.submit_answer => None,
                None => Some("its language is not known".to_owned()),
                Some(language) => match toolchains.for_submissions(language) {
                    Some(Ok(_)) => None,
                    _ => {
                        // Entries that only measure have no events of their own.
                        if work.measures_for(problem).is_none() {
                            *missing.entry(language.clone()).or_default() += 1;
                        }
                        Some(format!("no tools for `{language}` on this host"))
                    }
                },
            };
            self.progress.to_compile += 1;
            if let Some(reason) = reason {
                let lacks_tools = !matches!(time_limit_source, TimeLimitSource::Failed(_)) && !of.test_cases.is_empty();
                let is_fault =
                    lacks_tools && work.measures_for(problem).is_none() && work.plan().skipping.forbids(submission);
                self.skip(place, Skip { reason, is_fault });
                continue;
            }
            // Problems without a time limit wait for it.
            if prepared != Some(problem) && !work.is_open(problem) {
                self.shared.schedule.prepare(problem);
                prepared = Some(problem);
            }
        }
        let unavailable = |(language, submissions): (LanguageId, u64)| {
            let reason = match toolchains.for_submissions(&language) {
                Some(Err(error)) => error.to_string(),
                _ => "the language is not in the table of languages".to_owned(),
            };
            LanguageUnavailable { language, reason, submissions }
        };
        missing.into_iter().map(unavailable).collect()
    }

    fn skip(&mut self, submission: SubmissionPlace, skip: Skip) {
        let tests = self.shared.work.problem(submission.problem).problem.test_cases.len();
        self.progress.total -= tests as u64;
        self.progress.to_compile -= 1;
        self.sequencer_of(submission.problem).skip(submission, skip);
    }

    /// The sequencer that emits the events of a problem.
    fn sequencer_of(&mut self, problem: ProblemIndex) -> &mut EventSequencer {
        let measures = self.shared.work.measures_for(problem).is_some();
        if measures { &mut self.measuring } else { &mut self.sequencer }
    }

    fn take_report(&mut self, report: Report) -> Result<(), ExecError> {
        match report {
            Report::Prepared { problem, result } => self.take_prepared(problem, result),
            Report::Compiled { submission, compiled, kept } => {
                self.progress.compiled += 1;
                let problem = submission.problem;
                let tests = self.shared.work.problem(problem).problem.test_cases.len();
                match (&compiled.result, self.judgements.get(&problem)) {
                    (Ok(program), Some(judgement)) => {
                        let (program, judgement) = (Arc::clone(program), Arc::clone(judgement));
                        let prepared = PreparedSubmission { place: submission, program, judgement };
                        let known = self.known_of(submission, kept);
                        let results =
                            known.iter().map(|(test_case, known)| (*test_case, known.judged.clone())).collect();
                        // If these results decide every event of it, no run is begun that nobody would wait for.
                        let shared = self.shared;
                        let covered = self.sequencer_of(problem).is_covered(&shared.work, submission, &results);
                        let is_done = |test_case: &TestCaseIndex| covered || known.contains_key(test_case);
                        let done = TestCaseIndex::first(tests).filter(is_done).collect();
                        self.shared.schedule.start_testing(prepared, tests, done);
                        self.sequencer_of(problem).compiled(submission, compiled);
                        for (test_case, known) in known {
                            self.take_result(submission, test_case, Attempt::First, known)?;
                        }
                    }
                    _ => {
                        self.progress.done += tests as u64;
                        self.sequencer_of(problem).compiled(submission, compiled);
                    }
                }
            }
            // Only what is not wanted any more is cancelled.
            Report::TestResult { judged: None, attempt, .. } => self.progress.done += u64::from(!attempt.is_alone()),
            Report::TestResult { submission, test_case, attempt, judged: Some(judged) } => {
                let fresh = KnownResult { judged: *judged, settled: false };
                self.take_result(submission, test_case, attempt, fresh)?;
            }
            Report::Validated { submission, validated } => {
                self.sequencer_of(submission.problem).validated(submission, validated);
            }
            Report::Graded { submission, answer } => {
                self.sequencer_of(submission.problem).graded(submission, answer);
            }
            Report::Failed { job, error } => {
                let fault = job.map_or_else(|| no_place(&error), |job| self.host_fault(&job, &error));
                self.abort(fault)?;
            }
        }
        if self.over { Ok(()) } else { self.emit_known() }
    }

    fn take_result(
        &mut self,
        place: SubmissionPlace,
        test_case: TestCaseIndex,
        attempt: Attempt,
        known: KnownResult,
    ) -> Result<(), ExecError> {
        let KnownResult { judged, settled } = known;
        self.progress.done += u64::from(!attempt.is_alone());
        let shared = self.shared;
        let (planned, submission) = shared.work.submission(place);
        let (limit, id) = (planned.time_limit, &planned.problem.test_cases[test_case].id);
        // A result of an earlier run of the judge was cached because it stands.
        let decision = match settled {
            true => Decision::Stands,
            false => {
                Confirmation::of_verdict(limit, &submission.expectations, id).after(attempt, &judged.evidence())
            }
        };
        if decision != Decision::Stands || attempt.is_alone() {
            let (verdict, cpu_time) = (judged.verdict, judged.outcome.usage.cpu_time);
            let (submission, test_case) = (&submission.id, id);
            tracing::debug!(target: "confirm", submission, test_case, ?verdict, ?cpu_time, ?limit, ?attempt, ?decision);
        }
        match decision {
            Decision::Stands => {}
            Decision::Again(next) => {
                self.sequencer_of(place.problem).unconfirmed(place, test_case, &judged);
                shared.schedule.confirm(place, test_case, next);
                return Ok(());
            }
            Decision::HostFault => {
                return self.abort(self.fault_on(place, Some(test_case), &ExecError::Starved));
            }
        }
        if shared.work.measures_for(place.problem).is_some() {
            self.note_measured(place, test_case, &judged);
        }
        let action = self.sequencer_of(place.problem).judged(&shared.work, place, test_case, judged);
        action.into_iter().for_each(|action| self.grant(action));
        Ok(())
    }

    fn take_prepared(&mut self, problem: ProblemIndex, result: Result<Arc<OutputCheck>, Refusal>) {
        match result {
            Ok(judgement) => {
                self.judgements.insert(problem, judgement);
                for submission in self.shared.work.submissions_of(problem) {
                    if !self.sequencer_of(problem).is_skipped(submission) {
                        self.shared.schedule.compile(submission);
                    }
                }
            }
            Err(why) => self.sequencer_of(problem).preparation_failed(problem, &why),
        }
    }

    fn host_fault(&self, job: &Job, error: &ExecError) -> HostFault {
        match job {
            Job::Prepare { problem } => {
                HostFault { problem: Some(self.shared.work.problem(*problem).name.clone()), ..no_place(error) }
            }
            Job::Compile { submission } | Job::Ask { submission, .. } => self.fault_on(*submission, None, error),
            Job::Test { prepared, test_case, .. } => self.fault_on(prepared.place, Some(*test_case), error),
        }
    }

    /// The fault of the host that work on a submission ended with.
    fn fault_on(&self, place: SubmissionPlace, test_case: Option<TestCaseIndex>, error: &ExecError) -> HostFault {
        let (planned, submission) = self.shared.work.submission(place);
        HostFault {
            problem: Some(planned.name.clone()),
            submission: Some(submission.id.clone()),
            test_case: test_case.map(|test_case| planned.problem.test_cases[test_case].id.clone()),
            ..no_place(error)
        }
    }

    /// Gives the run up for a fault of the host.
    fn abort(&mut self, fault: HostFault) -> Result<(), ExecError> {
        self.emit(&Event::HostFault(fault))?;
        self.give_up(End::Aborted);
        Ok(())
    }

    fn give_up(&mut self, end: End) {
        self.shared.schedule.stop();
        self.end = end;
        self.over = true;
    }

    fn grant(&self, action: Action) {
        match action {
            Action::LeaveOut { submission, test_cases } => self.shared.schedule.leave_out(submission, &test_cases),
            Action::Ask { submission, question } => self.shared.schedule.ask(submission, question),
            Action::Close { submission } => self.shared.schedule.close(submission),
        }
    }

    fn emit_known(&mut self) -> Result<(), ExecError> {
        let shared = self.shared;
        let mut events = Vec::new();
        let actions = self.measuring.emit_known(&shared.work, &mut events);
        actions.into_iter().for_each(|action| self.grant(action));
        for event in events.drain(..) {
            self.progress.done += left_out(&event);
            self.measurement.take(event);
        }
        self.conclude();
        let actions = self.sequencer.emit_known(&shared.work, &mut events);
        actions.into_iter().for_each(|action| self.grant(action));
        for event in &events {
            self.progress.done += left_out(event);
            self.emit(event)?;
        }
        Ok(())
    }

    fn emit_progress(&mut self) -> Result<(), ExecError> {
        self.progress.running = self.shared.schedule.running().iter().map(|job| self.describe(job)).collect();
        self.progress.done = self.progress.done.min(self.progress.total);
        let result = self.observer.progress(&self.progress);
        self.observed(result)
    }

    fn describe(&self, job: &Job) -> String {
        let work = &self.shared.work;
        let named = |place: SubmissionPlace, what: &str| {
            let (planned, submission) = work.submission(place);
            format!("{} {} {what}", planned.name, submission.id)
        };
        match job {
            Job::Prepare { problem } => format!("{} output validator", work.problem(*problem).name),
            Job::Compile { submission } => named(*submission, "compiling"),
            Job::Ask { submission, .. } => named(*submission, "grading"),
            Job::Test { prepared: PreparedSubmission { place, .. }, test_case, .. } => {
                named(*place, &work.problem(place.problem).problem.test_cases[*test_case].id)
            }
        }
    }

    fn emit(&mut self, event: &Event) -> Result<(), ExecError> {
        let result = self.observer.event(event);
        self.observed(result)
    }

    fn observed(&mut self, result: io::Result<()>) -> Result<(), ExecError> {
        result.map_err(|error| {
            self.shared.schedule.stop();
            ExecError::Observer(error)
        })
    }
}

/// The number of test runs that are left out when a submission is finished.
fn left_out(event: &Event) -> u64 {
    match event {
        Event::SubmissionFinished(finished) => finished.test_cases_total - finished.test_cases_run,
        _ => 0,
    }
}

fn no_place(error: &ExecError) -> HostFault {
    HostFault { problem: None, submission: None, test_case: None, message: error.to_string() }
}

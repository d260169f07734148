//! The dispatcher: receives all reports of the workers, and decides how to continue.
//!
//! Responsible for handing work to the schedule, for inferring time limits while other problems are
//! being judged, for interrupts, and for aborting a run. Must not run programs, or know how a time
//! limit is computed.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{End, Event, HostFault, LanguageUnavailable, Progress};
use judge_exec::{
    Compiled, ExecError, OutputCheck, PreparedSubmission, Refusal, TestResult, Toolchains,
};
use judge_grading::{Attempt, Confirmation, Decision, must_be_accepted};
use judge_model::{LanguageId, ProblemIndex, SubmissionPlace, TestCaseIndex};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{MissedTickBehavior, interval};

use crate::job_places::{describe, fault_on, host_fault, no_place};
use crate::limits::margins::TimeMargins;
use crate::limits::measured::MeasuredResults;
use crate::limits::time_limit::Measurement;
use crate::observer::Observer;
use crate::order::obstacle::{Obstacle, unavailable};
use crate::order::sequencer::EventSequencer;
use crate::order::submission_sequencer::{Action, Skip, Stopping};
use crate::outlook::Outlook;
use crate::plan::{NotInferred, TimeLimitSource};
use crate::shared::{Report, Shared};
use crate::signals::{Signals, received};

/// The time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A result that needs no run.
#[derive(Clone, Debug)]
struct ReusedResult {
    result: TestResult,
    /// True for a result that an earlier run of the judge cached with this time limit: it is final.
    /// A result from which the time limit was inferred was measured with another limit, and may
    /// have to be confirmed like any other first run.
    is_final: bool,
}

pub(crate) struct Dispatcher<'a> {
    shared: &'a Shared,
    /// The sequencer of the plan's own problems. Its events go to the observer.
    sequencer: EventSequencer,
    /// The sequencer of the measuring entries.
    measuring: EventSequencer,
    /// The results of the measured runs.
    measurement: Measurement,
    /// Problems whose time limits are not known yet, in order.
    open: VecDeque<ProblemIndex>,
    observer: &'a mut dyn Observer,
    output_checks: BTreeMap<ProblemIndex, Arc<OutputCheck>>,
    progress: Progress,
    outlook: Outlook,
    /// Results of the runs that were measured, to be reused.
    measured: MeasuredResults,
    end: End,
    /// True once only the last event is left.
    is_over: bool,
}

impl<'a> Dispatcher<'a> {
    pub(crate) fn new(shared: &'a Shared, observer: &'a mut dyn Observer) -> Self {
        let work = &shared.work;
        let total = work.plan.test_runs() as u64;
        let stopping = Stopping {
            fail_fast: work.plan.fail_fast,
            when_slow: work.plan.impatient,
        };
        let when_measuring = Stopping {
            fail_fast: true,
            when_slow: false,
        };
        let excerpts = observer.shows_excerpts();
        Self {
            shared,
            sequencer: EventSequencer::new(work, work.own_problems(), stopping, excerpts),
            measuring: EventSequencer::new(work, work.measuring(), when_measuring, false),
            measurement: Measurement::default(),
            open: ProblemIndex::each(work.own_problems())
                .filter(|problem| work.is_open(*problem))
                .collect(),
            observer,
            output_checks: BTreeMap::new(),
            progress: Progress {
                total,
                ..Progress::default()
            },
            outlook: Outlook::default(),
            measured: MeasuredResults::default(),
            end: End::Completed,
            is_over: false,
        }
    }

    /// Runs the plan until it is completed, interrupted or aborted.
    pub(crate) async fn run(
        mut self,
        toolchains: &Toolchains,
        mut signals: Option<&mut Signals>,
        mut reports: UnboundedReceiver<Report>,
    ) -> Result<End, ExecError> {
        // Faults of packages and missing languages come before every problem, so they are
        // emitted before any report is taken.
        self.begin(toolchains)?;
        let mut tick = interval(PROGRESS_INTERVAL);
        // After a long report the missed ticks are dropped: otherwise a burst of equal progress
        // lines would follow.
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // A plan with only skipped submissions receives no report: its events are ready now.
        self.emit_ready()?;
        while !self.is_over && !self.sequencer.is_done() {
            tokio::select! {
                // In this order: a signal must not wait until the reports of a hundred quick runs
                // are processed, and progress must not delay results.
                biased;
                () = received(signals.as_deref_mut()) => self.end(End::Interrupted),
                report = reports.recv() => match report {
                    Some(report) => self.take_report(report)?,
                    // A worker that fails sends a report first. A closed channel means that no
                    // worker is left to run the rest of the plan.
                    None => return Err(ExecError::WorkerLost),
                },
                // Without this check, the loop would wait for results that no worker produces.
                _ = tick.tick() => match self.observer.is_done() {
                    true => self.end(End::Interrupted),
                    false if self.shared.schedule.is_idle() && reports.is_empty() => return Err(ExecError::Stalled),
                    false => self.emit_progress()?,
                },
            }
        }
        self.shared.schedule.finish();
        Ok(self.end)
    }

    fn begin(&mut self, toolchains: &Toolchains) -> Result<(), ExecError> {
        for fault in &self.shared.work.plan.package_faults {
            self.emit(&Event::PackageFault(fault.clone()))?;
        }
        for unavailable in self.skip_unavailable(toolchains) {
            self.emit(&Event::LanguageUnavailable(unavailable))?;
        }
        Ok(())
    }

    /// Skips submissions that this host cannot judge and queues the others. Returns the missing
    /// languages.
    fn skip_unavailable(&mut self, toolchains: &Toolchains) -> Vec<LanguageUnavailable> {
        let work = &self.shared.work;
        let mut missing: BTreeMap<LanguageId, u64> = BTreeMap::new();
        // A problem is prepared once, for the first of its submissions that needs it.
        // Submissions are visited problem by problem.
        let mut prepared = None;
        for place in work.submissions_in(ProblemIndex(0)..work.measuring().end) {
            let problem = place.problem;
            let (planned, submission) = work.submission(place);
            let obstacle = Obstacle::find(planned, submission, toolchains);
            // Measuring entries have no events of their own.
            let has_events = work.measures_for(problem).is_none();
            if let (Some(Obstacle::NoTools(language, _)), true) = (&obstacle, has_events) {
                *missing.entry(language.clone()).or_default() += 1;
            }
            self.progress.to_compile += 1;
            if let Some(obstacle) = obstacle {
                let is_fault = obstacle.may_violate_skipping()
                    && has_events
                    && work.plan.skipping.forbids(submission);
                let reason = obstacle.reason();
                self.skip(place, Skip { reason, is_fault });
                continue;
            }
            // The runs from which a time limit is inferred are not repeated.
            let is_measured = work.is_open(problem) && must_be_accepted(&submission.expectations);
            if !is_measured {
                self.outlook.add(
                    place,
                    planned.problem.test_cases.len(),
                    !must_be_accepted(&submission.expectations),
                );
            }
            // Problems wait for their time limit.
            if prepared != Some(problem) && !work.is_open(problem) {
                self.shared.schedule.prepare(problem);
                prepared = Some(problem);
            }
        }
        unavailable(missing, toolchains)
    }

    fn skip(&mut self, submission: SubmissionPlace, skip: Skip) {
        let problem = &self.shared.work.problem(submission.problem).problem;
        self.progress.total -= problem.test_cases.len() as u64;
        self.progress.to_compile -= 1;
        self.outlook.remove(submission);
        self.sequencer_of(submission.problem).skip(submission, skip);
    }

    /// The sequencer that emits the events of a problem.
    fn sequencer_of(&mut self, problem: ProblemIndex) -> &mut EventSequencer {
        match self.shared.work.measures_for(problem) {
            Some(_) => &mut self.measuring,
            None => &mut self.sequencer,
        }
    }

    fn take_report(&mut self, report: Report) -> Result<(), ExecError> {
        match report {
            Report::Prepared { problem, result } => self.take_prepared(problem, result),
            Report::Compiled {
                submission,
                compiled,
                cached,
            } => self.take_compiled(submission, compiled, cached)?,
            // Only test cases that are no longer needed are cancelled.
            Report::TestResult {
                result: None,
                attempt,
                ..
            } => self.progress.done += u64::from(!attempt.is_alone()),
            Report::TestResult {
                submission,
                test_case,
                attempt,
                result: Some(result),
            } => {
                match attempt.is_alone() {
                    true => self.progress.confirmed += 1,
                    false => self.outlook.note_executed(submission, test_case),
                }
                let result = ReusedResult {
                    result: *result,
                    is_final: false,
                };
                self.take_result(submission, test_case, attempt, result)?;
            }
            Report::Answered { submission, answer } => {
                self.sequencer_of(submission.problem)
                    .add_answer(submission, answer);
            }
            Report::Failed { job, error } => {
                let fault = job.map_or_else(
                    || no_place(&error),
                    |job| host_fault(&self.shared.work, &job, &error),
                );
                self.abort(fault)?;
            }
        }
        // After a host fault, only the last event may follow. Events that are ready now would come
        // after it.
        if self.is_over {
            Ok(())
        } else {
            self.emit_ready()
        }
    }

    fn take_prepared(&mut self, problem: ProblemIndex, result: Result<Arc<OutputCheck>, Refusal>) {
        match result {
            Ok(output_check) => {
                self.output_checks.insert(problem, output_check);
                for submission in self.shared.work.submissions_of(problem) {
                    if !self.sequencer_of(problem).is_skipped(submission) {
                        self.shared.schedule.compile(submission);
                    }
                }
            }
            Err(why) => self.sequencer_of(problem).preparation_failed(problem, &why),
        }
    }

    fn take_compiled(
        &mut self,
        place: SubmissionPlace,
        compiled: Compiled,
        cached: Vec<(TestCaseIndex, TestResult)>,
    ) -> Result<(), ExecError> {
        self.progress.compiled += 1;
        let shared = self.shared;
        let tests = shared.work.problem(place.problem).problem.test_cases.len();
        let (Ok(program), Some(output_check)) =
            (&compiled.result, self.output_checks.get(&place.problem))
        else {
            self.progress.done += tests as u64;
            self.outlook.remove(place);
            self.sequencer_of(place.problem)
                .add_compiled(place, compiled);
            return Ok(());
        };
        // The branch above counts all test cases as done, because none runs without a program. From
        // here on each test case is counted by its own report.
        let prepared = PreparedSubmission {
            place,
            program: Arc::clone(program),
            output_check: Arc::clone(output_check),
        };
        let reused = self.reusable_results(place, cached);
        // A result that has to be confirmed may get another verdict, after which other test cases
        // are needed.
        let final_ones = reused.iter().filter(|(test_case, reused)| {
            self.decide(place, **test_case, Attempt::First, reused) == Decision::Final
        });
        let results = final_ones
            .map(|(test_case, reused)| (*test_case, reused.result.clone()))
            .collect();
        // When these results decide every event of the submission, no run is started: the
        // dispatcher would not wait for it, and the program would still use a processor after the
        // run of the judge has ended.
        let covered = self
            .sequencer_of(place.problem)
            .is_covered(&shared.work, place, results);
        if covered {
            self.outlook.remove(place);
        }
        reused
            .keys()
            .for_each(|test_case| self.outlook.note_known(place, *test_case));
        let is_done = |test_case: &TestCaseIndex| covered || reused.contains_key(test_case);
        let done = TestCaseIndex::first(tests).filter(is_done).collect();
        // Before the results: one of them may need a confirmation, which the schedule accepts only
        // for a submission that it knows.
        shared.schedule.start_testing(prepared, tests, done);
        self.sequencer_of(place.problem)
            .add_compiled(place, compiled);
        reused.into_iter().try_for_each(|(test_case, reused)| {
            self.take_result(place, test_case, Attempt::First, reused)
        })
    }

    fn take_result(
        &mut self,
        place: SubmissionPlace,
        test_case: TestCaseIndex,
        attempt: Attempt,
        reused: ReusedResult,
    ) -> Result<(), ExecError> {
        self.progress.done += u64::from(!attempt.is_alone());
        let shared = self.shared;
        let decision = self.decide(place, test_case, attempt, &reused);
        let result = reused.result;
        if decision != Decision::Final || attempt.is_alone() {
            let (planned, submission) = shared.work.submission(place);
            let test_case = &planned.problem.test_cases[test_case].id;
            tracing::debug!(
                target: "confirm", submission = submission.id, test_case, verdict = ?result.verdict,
                cpu_time = ?result.outcome.usage.cpu_time, limit = ?planned.time_limit, ?attempt, ?decision
            );
        }
        match decision {
            Decision::Final => {}
            Decision::Again(next) => {
                // This run has no event. The event of the rerun mentions it, so that a reader sees
                // why the test case ran twice.
                self.sequencer_of(place.problem)
                    .add_unconfirmed(place, test_case, &result);
                shared.schedule.confirm(place, test_case, next);
                return Ok(());
            }
            Decision::HostFault => {
                return self.abort(fault_on(
                    &self.shared.work,
                    place,
                    Some(test_case),
                    &ExecError::Starved,
                ));
            }
        }
        if shared.work.measures_for(place.problem).is_some() {
            // A measured run is stored for the problem itself, whose submissions need not run on
            // this test case again.
            self.note_measured(place, test_case, &result);
        }
        let action =
            self.sequencer_of(place.problem)
                .add_result(&shared.work, place, test_case, result);
        action.into_iter().for_each(|action| self.grant(action));
        Ok(())
    }

    /// Decides whether a submission is run again on a test case after this result.
    fn decide(
        &self,
        place: SubmissionPlace,
        test_case: TestCaseIndex,
        attempt: Attempt,
        ReusedResult { result, is_final }: &ReusedResult,
    ) -> Decision {
        // A cached result was confirmed by the run that cached it. All other results go through the
        // rule for reruns, regardless of their purpose.
        if *is_final {
            return Decision::Final;
        }
        let (planned, submission) = self.shared.work.submission(place);
        let id = &planned.problem.test_cases[test_case].id;
        let decides_margin =
            TimeMargins::new(planned, submission).decides_violation(id, &result.outcome);
        Confirmation::for_verdict(planned.time_limit, &submission.expectations, id)
            .impatient(self.shared.work.plan.impatient)
            .deciding_margin(decides_margin)
            .after(attempt, &result.evidence())
    }

    /// The results of a submission that need no run: cached ones, or otherwise those from which the
    /// time limit was inferred.
    fn reusable_results(
        &mut self,
        place: SubmissionPlace,
        cached: Vec<(TestCaseIndex, TestResult)>,
    ) -> BTreeMap<TestCaseIndex, ReusedResult> {
        let reused = |result, is_final| ReusedResult { result, is_final };
        let measured = self.measured.take_usable(&self.shared.work, place);
        let measured = measured.into_iter();
        let mut reusable: BTreeMap<_, _> = measured
            .map(|(test_case, result)| (test_case, reused(result, false)))
            .collect();
        // Cached results come last and replace measured ones, because they were confirmed with the
        // limit in force.
        let cached = cached.into_iter();
        reusable.extend(cached.map(|(test_case, result)| (test_case, reused(result, true))));
        reusable
    }

    fn note_measured(
        &mut self,
        place: SubmissionPlace,
        test_case: TestCaseIndex,
        result: &TestResult,
    ) {
        if let Some(at) = &result.measured_at {
            let (planned, submission) = self.shared.work.submission(place);
            let id = &planned.problem.test_cases[test_case].id;
            self.measurement
                .add_cached(&planned.name, &submission.id, id, at);
        }
        self.measured
            .insert(&self.shared.work, place, test_case, result.clone());
    }

    /// Sets the time limits of completely measured problems, in order, and starts judging them.
    fn conclude(&mut self) {
        let work = &self.shared.work;
        while let Some(problem) = self.open.front().copied() {
            // Entries are in the order of the problems for which they measure. The first entry of a
            // later problem is where the entries of this one end.
            let is_later = |entry: &ProblemIndex| {
                work.measures_for(*entry)
                    .is_some_and(|measured| measured > problem)
            };
            let later = ProblemIndex::each(work.measuring())
                .find(is_later)
                .unwrap_or(work.measuring().end);
            // Problems are concluded in their order, although a later one may be measured first.
            // Events are emitted in package order, so concluding it earlier would gain nothing.
            if !self.measuring.is_beyond(later) {
                return;
            }
            // Concluded before it is released: the work that `release` queues reads the time
            // limit.
            self.open.pop_front();
            let (time_limit, source) = self
                .measurement
                .conclude(work.problem(problem), self.shared.began.as_deref());
            let failed = match &source {
                TimeLimitSource::Failed(NotInferred::NoTools(why)) => Some(why.clone()),
                TimeLimitSource::Failed(_) => Some(Obstacle::PackageAtFault.reason()),
                _ => None,
            };
            work.conclude(problem, time_limit, source);
            self.release(problem, failed);
        }
    }

    /// Starts judging a problem once its time limit is known, or skips its submissions if inferring
    /// it `failed`.
    fn release(&mut self, problem: ProblemIndex, failed: Option<String>) {
        let submissions = self.shared.work.submissions_of(problem);
        let sequencer = self.sequencer_of(problem);
        let waiting: Vec<SubmissionPlace> = submissions
            .filter(|place| !sequencer.is_skipped(*place))
            .collect();
        match failed {
            Some(why) => waiting.into_iter().for_each(|submission| {
                self.skip(
                    submission,
                    Skip {
                        reason: why.clone(),
                        is_fault: false,
                    },
                );
            }),
            None if waiting.is_empty() => {}
            None => self.shared.schedule.prepare(problem),
        }
    }

    /// Aborts the run because of a fault of the host.
    fn abort(&mut self, fault: HostFault) -> Result<(), ExecError> {
        self.emit(&Event::HostFault(fault))?;
        self.end(End::Aborted);
        Ok(())
    }

    fn end(&mut self, end: End) {
        self.shared.schedule.stop();
        self.end = end;
        self.is_over = true;
    }

    fn grant(&mut self, action: Action) {
        match action {
            Action::LeaveOut {
                submission,
                test_cases,
            } => {
                self.shared.schedule.leave_out(submission, &test_cases);
                let left_out = TestCaseIndex::each(test_cases);
                left_out.for_each(|test_case| self.outlook.note_left_out(submission, test_case));
            }
            Action::Ask {
                submission,
                question,
            } => self.shared.schedule.ask(submission, question),
            Action::Close { submission } => self.shared.schedule.close(submission),
        }
    }

    /// Emits the events that are ready.
    fn emit_ready(&mut self) -> Result<(), ExecError> {
        let shared = self.shared;
        let mut events = Vec::new();
        // Measuring entries come first: an inferred time limit makes events of the plan's own
        // problems ready.
        let actions = self.measuring.emit_ready(&shared.work, &mut events);
        actions.into_iter().for_each(|action| self.grant(action));
        for event in events.drain(..) {
            self.progress.done += left_out(&event);
            self.measurement.take(event);
        }
        self.conclude();
        let actions = self.sequencer.emit_ready(&shared.work, &mut events);
        actions.into_iter().for_each(|action| self.grant(action));
        for event in &events {
            self.progress.done += left_out(event);
            self.emit(event)?;
        }
        Ok(())
    }

    fn emit_progress(&mut self) -> Result<(), ExecError> {
        self.progress.running = self
            .shared
            .schedule
            .running()
            .iter()
            .map(|job| describe(&self.shared.work, job))
            .collect();
        // A test case that was left out is counted with its submission, and once more if it had
        // started and its run arrives as cancelled. The count is capped, because it could exceed
        // the total, and a display of more than 100 % would confuse users.
        self.progress.done = self.progress.done.min(self.progress.total);
        (self.progress.executed, self.progress.expected) = self.outlook.counts();
        self.progress.to_confirm =
            self.progress.confirmed + self.shared.schedule.confirmations() as u64;
        let result = self.observer.progress(&self.progress);
        self.observed(result)
    }

    fn emit(&mut self, event: &Event) -> Result<(), ExecError> {
        let result = self.observer.event(event);
        self.observed(result)
    }

    fn observed(&mut self, result: io::Result<()>) -> Result<(), ExecError> {
        // The reader has closed the pipe or the disk is full. Further results cannot be delivered,
        // so running programs are killed immediately.
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

//! The dispatcher: the one place that hears everything and decides what happens next.
//!
//! Responsible for handing work to the schedule, for interrupts, and for giving a run up. Must not run programs.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{End, Event, HostFault, LanguageUnavailable, Progress};
use judge_model::LanguageId;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{MissedTickBehavior, interval};

use crate::doubt::Attempt;
use crate::judged::Judged;
use crate::judging::Judgement;
use crate::plan::TimeLimitSource;
use crate::schedule::Job;
use crate::signals::Signals;
use crate::telling::{Teller, Wish};
use crate::timing::{Measured, RunId};
use crate::toolchain::Toolchains;
use crate::worker::{Place, Report, Shared};
use crate::{Observer, RunSettings, RunnerError};

/// How often progress is told.
const TICK: Duration = Duration::from_millis(100);

pub(crate) struct Dispatcher<'a> {
    shared: &'a Shared,
    teller: Teller,
    observer: &'a mut dyn Observer,
    judgements: BTreeMap<usize, Arc<Judgement>>,
    progress: Progress,
    /// Results that need no run any more.
    known: Measured,
    /// The results that came, where they are wanted again.
    kept: Option<Measured>,
    end: End,
    /// Set once nothing more is to be told but the end.
    over: bool,
}

impl<'a> Dispatcher<'a> {
    /// `known` are results that need no run any more. Without any, results are kept to be given back.
    pub(crate) fn new(
        shared: &'a Shared,
        settings: &RunSettings,
        observer: &'a mut dyn Observer,
        known: Option<Measured>,
    ) -> Self {
        let teller = Teller::new(&shared.plan, shared.places.clone(), settings.fail_fast);
        let total = shared.plan.test_runs() as u64;
        let progress = Progress { total, ..Progress::default() };
        Self {
            shared,
            teller,
            observer,
            judgements: BTreeMap::new(),
            progress,
            kept: known.is_none().then(Measured::new),
            known: known.unwrap_or_default(),
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
    ) -> Result<(End, Measured), RunnerError> {
        self.begin(toolchains)?;
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.tell()?;
        while !self.over && !self.teller.is_done() {
            tokio::select! {
                biased;
                () = signals.received() => self.give_up(End::Interrupted),
                report = reports.recv() => match report {
                    Some(report) => self.hear(report)?,
                    None => return Err(RunnerError::WorkerLost),
                },
                _ = tick.tick() => self.tell_progress()?,
            }
        }
        self.shared.schedule.finish();
        Ok((self.end, self.kept.unwrap_or_default()))
    }

    fn begin(&mut self, toolchains: &Toolchains) -> Result<(), RunnerError> {
        let plan = &self.shared.plan;
        for fault in &plan.package_faults {
            self.emit(&Event::PackageFault(fault.clone()))?;
        }
        for unavailable in self.skip_what_cannot_run(toolchains) {
            self.emit(&Event::LanguageUnavailable(unavailable))?;
        }
        Ok(())
    }

    /// Skips submissions that this host cannot judge and queues the others. Returns each language that is missing.
    fn skip_what_cannot_run(&mut self, toolchains: &Toolchains) -> Vec<LanguageUnavailable> {
        let mut missing: BTreeMap<LanguageId, u64> = BTreeMap::new();
        let mut prepared = None;
        for (submission, Place { problem, index }) in self.shared.places.iter().copied().enumerate() {
            let of = &self.shared.plan.problems[problem].problem;
            let tests = of.test_cases.len() as u64;
            let reason = match &of.submissions[index].language {
                _ if matches!(self.shared.plan.problems[problem].time_limit_source, TimeLimitSource::Failed(_)) => {
                    Some("the package is at fault".to_owned())
                }
                _ if of.test_cases.is_empty() => Some("no test case is selected".to_owned()),
                _ if of.submit_answer => None,
                None => Some("its language is not known".to_owned()),
                Some(language) => match toolchains.get(language) {
                    Some(Ok(_)) => None,
                    _ => {
                        *missing.entry(language.clone()).or_default() += 1;
                        Some(format!("no tools for `{language}` on this host"))
                    }
                },
            };
            if let Some(reason) = reason {
                self.teller.skip(submission, reason);
                self.progress.total -= tests;
                continue;
            }
            if prepared != Some(problem) {
                self.shared.schedule.prepare(problem);
                prepared = Some(problem);
            }
            self.progress.to_compile += 1;
        }
        let unavailable = |(language, submissions): (LanguageId, u64)| {
            let reason = match toolchains.get(&language) {
                Some(Err(error)) => error.to_string(),
                _ => "the language is not in the table of languages".to_owned(),
            };
            LanguageUnavailable { language, reason, submissions }
        };
        missing.into_iter().map(unavailable).collect()
    }

    fn hear(&mut self, report: Report) -> Result<(), RunnerError> {
        match report {
            Report::Prepared { problem, result } => self.hear_prepared(problem, result),
            Report::Compiled { submission, compiled, kept } => {
                self.progress.compiled += 1;
                let Place { problem, .. } = self.shared.places[submission];
                let tests = self.shared.plan.problems[problem].problem.test_cases.len();
                match (&compiled.result, self.judgements.get(&problem)) {
                    (Ok(program), Some(judgement)) => {
                        let (program, judgement) = (Arc::clone(program), Arc::clone(judgement));
                        let known = self.known_of(submission, kept);
                        // What is told of it hangs on nothing else: then nothing is begun that nobody would wait for.
                        let covered = self.teller.is_covered(&self.shared.plan, submission, &known);
                        let is_done = |test_case: &usize| covered || known.contains_key(test_case);
                        let done = (0..tests).filter(is_done).collect();
                        self.shared.schedule.start_testing(submission, tests, done, program, judgement);
                        self.teller.compiled(submission, compiled);
                        known.into_iter().for_each(|(test_case, judged)| {
                            self.hear_judged(submission, test_case, Attempt::First, judged);
                        });
                    }
                    _ => {
                        self.progress.done += tests as u64;
                        self.teller.compiled(submission, compiled);
                    }
                }
            }
            // Only what is not wanted any more is cancelled.
            Report::Judged { judged: None, attempt, .. } => self.progress.done += u64::from(!attempt.is_alone()),
            Report::Judged { submission, test_case, attempt, judged: Some(judged) } => {
                self.hear_judged(submission, test_case, attempt, *judged);
            }
            Report::Validated { submission, validated } => self.teller.validated(submission, validated),
            Report::Graded { submission, answer } => self.teller.graded(submission, answer),
            Report::Failed { job, error } => {
                let fault = job.map_or_else(|| no_place(&error), |job| self.host_fault(&job, &error));
                self.emit(&Event::HostFault(fault))?;
                self.give_up(End::Aborted);
                return Ok(());
            }
        }
        self.tell()
    }

    fn hear_judged(&mut self, submission: usize, test_case: usize, attempt: Attempt, judged: Judged) {
        self.progress.done += u64::from(!attempt.is_alone());
        let Place { problem, index } = self.shared.places[submission];
        let planned = &self.shared.plan.problems[problem];
        let about = (&planned.problem.submissions[index], planned.problem.test_cases[test_case].id.as_str());
        let doubt =
            Attempt::after(&judged, planned.time_limit, about).filter(|_| !attempt.is_alone() && !judged.cached);
        if let Some(why) = doubt {
            self.teller.unconfirmed(submission, test_case, &judged);
            self.shared.schedule.confirm(submission, test_case, why);
            return;
        }
        let run = self.run_id(submission, test_case);
        if let Some(kept) = &mut self.kept {
            kept.insert(run, judged.clone());
        }
        let wish = self.teller.judged(&self.shared.plan, submission, test_case, judged);
        wish.into_iter().for_each(|wish| self.grant(wish));
    }

    fn run_id(&self, submission: usize, test_case: usize) -> RunId {
        let Place { problem, index } = self.shared.places[submission];
        let planned = &self.shared.plan.problems[problem];
        let of = &planned.problem;
        (planned.name.clone(), of.submissions[index].id.clone(), of.test_cases[test_case].id.clone())
    }

    /// The results of a submission that need no run any more: those of this run, and else those that an earlier one has
    /// kept.
    fn known_of(&mut self, submission: usize, kept: Vec<(usize, Judged)>) -> BTreeMap<usize, Judged> {
        let mut known: BTreeMap<usize, Judged> = kept.into_iter().collect();
        if self.known.is_empty() {
            return known;
        }
        let tests = self.shared.plan.problems[self.shared.places[submission].problem].problem.test_cases.len();
        let measured = |test_case| {
            let run = self.run_id(submission, test_case);
            Some((test_case, self.known.remove(&run)?))
        };
        known.extend((0..tests).filter_map(measured));
        known
    }

    fn hear_prepared(&mut self, problem: usize, result: Result<Arc<Judgement>, String>) {
        match result {
            Ok(judgement) => {
                self.judgements.insert(problem, judgement);
                let of_problem = |(_, place): &(usize, &Place)| place.problem == problem;
                let runnable = self.shared.places.iter().enumerate().filter(of_problem).map(|(index, _)| index);
                for submission in runnable.filter(|index| !self.teller.is_skipped(*index)) {
                    self.shared.schedule.compile(problem, submission);
                }
            }
            Err(why) => self.teller.preparation_failed(problem, why),
        }
    }

    fn host_fault(&self, job: &Job, error: &RunnerError) -> HostFault {
        let planned = |problem: usize| &self.shared.plan.problems[problem];
        let place = |submission: usize| self.shared.places[submission];
        let (problem, submission, test_case) = match job {
            Job::Prepare { problem } => (*problem, None, None),
            Job::Compile { submission } | Job::Ask { submission, .. } => {
                (place(*submission).problem, Some(*submission), None)
            }
            Job::Test { submission, test_case, .. } => {
                (place(*submission).problem, Some(*submission), Some(*test_case))
            }
        };
        let of = &planned(problem).problem;
        HostFault {
            problem: Some(planned(problem).name.clone()),
            submission: submission.map(|submission| of.submissions[place(submission).index].id.clone()),
            test_case: test_case.map(|test_case| of.test_cases[test_case].id.clone()),
            message: error.to_string(),
        }
    }

    fn give_up(&mut self, end: End) {
        self.shared.schedule.stop();
        self.end = end;
        self.over = true;
    }

    fn grant(&self, wish: Wish) {
        match wish {
            Wish::LeaveOut { submission, test_cases } => self.shared.schedule.leave_out(submission, &test_cases),
            Wish::Ask { submission, question } => self.shared.schedule.ask(submission, question),
            Wish::Close { submission } => self.shared.schedule.close(submission),
        }
    }

    fn tell(&mut self) -> Result<(), RunnerError> {
        let mut events = Vec::new();
        let wishes = self.teller.tell(&self.shared.plan, &mut events);
        wishes.into_iter().for_each(|wish| self.grant(wish));
        for event in &events {
            if let Event::SubmissionFinished(finished) = event {
                self.progress.done += finished.test_cases_total - finished.test_cases_run;
            }
            self.emit(event)?;
        }
        Ok(())
    }

    fn tell_progress(&mut self) -> Result<(), RunnerError> {
        self.progress.running = self.shared.schedule.running().iter().map(|job| self.describe(job)).collect();
        self.progress.done = self.progress.done.min(self.progress.total);
        let told = self.observer.progress(&self.progress);
        self.observed(told)
    }

    fn describe(&self, job: &Job) -> String {
        let submission = |submission: usize| {
            let Place { problem, index } = self.shared.places[submission];
            let planned = &self.shared.plan.problems[problem];
            (planned, &planned.problem.submissions[index].id)
        };
        match job {
            Job::Prepare { problem } => format!("{} output validator", self.shared.plan.problems[*problem].name),
            Job::Compile { submission: of } => {
                let (planned, id) = submission(*of);
                format!("{} {id} compiling", planned.name)
            }
            Job::Ask { submission: of, .. } => {
                let (planned, id) = submission(*of);
                format!("{} {id} grading", planned.name)
            }
            Job::Test { submission: of, test_case, .. } => {
                let (planned, id) = submission(*of);
                format!("{} {id} {}", planned.name, planned.problem.test_cases[*test_case].id)
            }
        }
    }

    fn emit(&mut self, event: &Event) -> Result<(), RunnerError> {
        let told = self.observer.event(event);
        self.observed(told)
    }

    fn observed(&mut self, told: io::Result<()>) -> Result<(), RunnerError> {
        told.map_err(|error| {
            self.shared.schedule.stop();
            RunnerError::Observer(error)
        })
    }
}

fn no_place(error: &RunnerError) -> HostFault {
    HostFault { problem: None, submission: None, test_case: None, message: error.to_string() }
}

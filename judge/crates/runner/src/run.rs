//! Runs: from a plan to the stream of its events.
//!
//! Responsible for the threads, signals and stores of a run, and for its beginning and end. Must
//! not know how jobs are scheduled or run, or how events are ordered.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use judge_event::{End, Event, Progress, RunFinished, RunStarted, SCHEMA_VERSION};
use judge_exec::{Environment, ExecError, Results, Session, StoreSettings};
use judge_model::ProblemIndex;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::unbounded_channel;

use crate::dispatcher::Dispatcher;
use crate::lanes::Lanes;
use crate::observer::Observer;
use crate::plan::{Plan, PlannedProblem, TimeLimitSource};
use crate::schedule::Schedule;
use crate::shared::Shared;
use crate::signals::Signals;
use crate::work::Work;
use crate::worker;

/// The settings of a run. None of them changes a verdict.
#[derive(Clone, Debug, Default)]
pub struct RunSettings {
    /// The store of verdicts. If it is `None`, every test case is run, and no verdict is cached.
    pub results: Option<StoreSettings>,
    /// The store of the runs from which time limits are inferred, and also of verdicts if they are
    /// cached. If it is `None`, the store of verdicts is used.
    pub measured: Option<StoreSettings>,
    /// The origin that the first event names.
    pub origin: Origin,
    /// The lanes, if this is one of several concurrent runs in this process. The caller then
    /// handles signals and trims the store of verdicts.
    pub lanes: Option<Arc<Lanes>>,
    /// True when submissions in Python may be judged in copies of a started interpreter. Such
    /// results are not cached.
    pub warm_submissions: bool,
}

/// The origin of a run: facts that do not affect its results.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The command.
    pub command: Option<judge_event::Command>,
    /// The time at which it began, in the form of the first event.
    pub started_at: Option<String>,
    /// The host that it runs on.
    pub host: Option<judge_event::Host>,
}

/// Executes a plan. Blocks until every program has ended, even if the run is interrupted or
/// aborted.
///
/// Time limits that are to be inferred are measured first, problem by problem. No event of a
/// problem is emitted before its limit is known.
///
/// # Errors
/// When the run could not begin or its events could not be passed on. A fault of the host during
/// the run is an event, and the end is [`End::Aborted`].
pub fn run(
    plan: Plan,
    environment: &Environment,
    settings: &RunSettings,
    observer: &mut dyn Observer,
) -> Result<End, ExecError> {
    let started = Instant::now();
    let mut engine = Engine::open(environment, settings)?;
    // The line above starts handling signals, so that an interrupt after the first event always
    // leads to a last event as well.
    observer
        .event(&run_started(&plan, environment, settings))
        .map_err(ExecError::Observer)?;
    let shared = Arc::new(share(plan, environment, settings)?);
    let end = engine.run(&shared, environment, observer)?;
    let (programs_remade, store) = (shared.session.programs_remade(), shared.measured.clone());
    // The session trims the cache of programs at its end. Its time is part of the run.
    drop(shared);
    let interrupted = store.as_ref().filter(|_| end == End::Interrupted);
    let finished = RunFinished {
        end,
        wall_time_us: judge_model::micros(started.elapsed()),
        results_kept: interrupted.map(|results| results.kept()),
        programs_remade,
    };
    observer
        .event(&Event::RunFinished(finished))
        .map_err(ExecError::Observer)?;
    // After the last event, because no reader waits for it.
    trim(store.as_deref(), settings);
    Ok(end)
}

/// Trims the store of verdicts, unless the caller does that.
fn trim(store: Option<&Results>, settings: &RunSettings) {
    if let Some(store) = store.filter(|_| settings.lanes.is_none()) {
        store.trim();
    }
}

/// Infers the missing time limits of a plan and stores them in it. They are the same as in [`run`].
/// Reports only progress and faults of the host; the plan contains the reason if there is no limit.
///
/// # Errors
/// As for [`run`].
pub fn infer_time_limits(
    plan: &mut Plan,
    environment: &Environment,
    settings: &RunSettings,
    observer: &mut dyn Observer,
) -> Result<End, ExecError> {
    if !plan
        .problems
        .iter()
        .any(|planned| matches!(planned.time_limit_source, TimeLimitSource::ToInfer(_)))
    {
        return Ok(End::Completed);
    }
    let mut engine = Engine::open(environment, settings)?;
    // Without its own submissions, such a plan only measures.
    let problems = plan
        .problems
        .iter()
        .map(PlannedProblem::without_submissions)
        .collect();
    let measuring = Plan {
        problems,
        ..Plan::default()
    };
    let shared = Arc::new(share(measuring, environment, settings)?);
    let end = engine.run(&shared, environment, &mut FaultsOnly(observer))?;
    trim(shared.measured.as_deref(), settings);
    for (index, planned) in ProblemIndex::first(plan.problems.len()).zip(&mut plan.problems) {
        let measured = shared.work.problem(index);
        planned.time_limit = measured.time_limit;
        planned.time_limit_source = measured.time_limit_source.clone();
    }
    Ok(end)
}

/// Passes on only progress and faults of the host.
struct FaultsOnly<'a>(&'a mut dyn Observer);

impl Observer for FaultsOnly<'_> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if matches!(event, Event::HostFault(_)) {
            self.0.event(event)
        } else {
            Ok(())
        }
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.0.progress(progress)
    }

    fn shows_excerpts(&self) -> bool {
        false
    }
}

fn run_started(plan: &Plan, environment: &Environment, settings: &RunSettings) -> Event {
    Event::RunStarted(RunStarted {
        schema: SCHEMA_VERSION,
        judge_version: environment.judge_version.clone(),
        command: settings.origin.command,
        started_at: settings.origin.started_at.clone(),
        host: settings.origin.host.clone().map(Box::new),
        isolation: environment.sandbox.isolation().clone(),
        jobs: u32::try_from(environment.jobs).unwrap_or(u32::MAX),
        problems: plan.problems.len() as u64,
        submissions: plan.submissions() as u64,
        shard: plan.shard.clone(),
    })
}

/// The engine of a run: the threads of the dispatcher and the workers, and the signals that
/// interrupt them.
struct Engine {
    runtime: Runtime,
    /// `None` if the caller listens.
    signals: Option<Signals>,
}

impl Engine {
    /// Starts the engine. From now on, unless the caller listens, signals interrupt the work
    /// instead of ending the process.
    fn open(environment: &Environment, settings: &RunSettings) -> Result<Self, ExecError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            // Workers are the only blocking tasks. One thread for each keeps them from waiting
            // in a queue for each other.
            .max_blocking_threads(environment.jobs.max(1))
            .build()
            .map_err(ExecError::io("start", Path::new("tokio")))?;
        let listen = || runtime.block_on(async { Signals::listen() });
        let signals = settings.lanes.is_none().then(listen).transpose()?;
        Ok(Self { runtime, signals })
    }

    /// Executes the work of a run. No worker is left when it returns.
    fn run(
        &mut self,
        shared: &Arc<Shared>,
        environment: &Environment,
        observer: &mut dyn Observer,
    ) -> Result<End, ExecError> {
        let Self { runtime, signals } = self;
        runtime.block_on(async {
            let (sender, reports) = unbounded_channel();
            // Workers block on programs, so each has its own thread in addition to the
            // dispatcher's.
            let mut workers = Vec::new();
            for worker in 0..environment.jobs.max(1) {
                let (shared, sender) = (Arc::clone(shared), sender.clone());
                let work = move || worker::work(&shared, worker, &sender);
                match thread::Builder::new().spawn(work) {
                    Ok(thread) => workers.push(thread),
                    Err(source) if workers.is_empty() => return Err(ExecError::Thread(source)),
                    // The others do all of the work.
                    Err(_) => break,
                }
            }
            // Without this sender, the channel closes when the last worker ends, which also ends
            // the dispatcher's wait.
            drop(sender);
            let end = Dispatcher::new(shared, observer)
                .run(&environment.toolchains, signals.as_mut(), reports)
                .await;
            // Otherwise workers that wait for a job would wait forever, and so would the loop
            // below.
            if end.is_err() {
                shared.schedule.stop();
            }
            for worker in workers {
                worker.join().map_err(|_| ExecError::WorkerLost)?;
            }
            end
        })
    }
}

/// Collects everything that workers share.
fn share(
    plan: Plan,
    environment: &Environment,
    settings: &RunSettings,
) -> Result<Shared, ExecError> {
    let work = Work::new(plan);
    let open = |settings: &StoreSettings| {
        Arc::new(Results::open(settings, environment.sandbox.isolation()))
    };
    let measured = settings
        .measured
        .as_ref()
        .or(settings.results.as_ref())
        .map(open);
    // One store for both, because a measured run is an ordinary result with another time limit. A
    // run with hashes of outputs uses no cached result: hashes are not cached, and times that are
    // compared with each other are measured together.
    let results = settings
        .results
        .as_ref()
        .and(measured.clone())
        .filter(|_| !work.plan.output_hashes);
    let problems = work.plan.problems.iter();
    let problems = problems.map(PlannedProblem::timed).collect();
    Ok(Shared {
        session: Session::open(problems, environment, work.plan.output_hashes)?
            // Time limits are inferred from ordinary runs.
            .with_warm_submissions(settings.warm_submissions && work.measuring().is_empty()),
        work,
        results,
        measured,
        began: settings.origin.started_at.clone(),
        schedule: Schedule::new(environment.jobs.max(1)),
        lanes: settings.lanes.clone(),
        cores: environment.cores.clone(),
    })
}

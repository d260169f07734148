//! The runner: plans, compiles, runs and cancels, and emits events in package order.
//!
//! Responsible for the way from a plan to a stream of events: many programs run, one place orders what is told. Must
//! not know where packages come from, nor how events are shown.
//!
//! Workers are threads, each with sandbox slots of its own; they take jobs from a shared schedule. The dispatcher is an
//! asynchronous loop that hears their reports and the signals, and hands work to the schedule.

mod announcements;
mod asking;
mod bounds;
mod cache;
mod case_teller;
mod command;
mod compile;
mod constants;
mod counting;
mod difference;
mod dispatcher;
mod doubt;
mod error;
mod excerpts;
mod fingerprint;
mod generating;
mod held_times;
mod interacting;
mod interrupt;
mod judged;
mod judging;
mod jury;
mod keeping;
mod late_slot;
mod load;
mod marked;
mod means;
mod memory;
mod next_pass;
mod passes;
mod plan;
mod program;
mod questions;
mod ready;
mod recording;
mod replaying;
mod result_keys;
mod results;
mod rust_library;
mod schedule;
mod signals;
mod sources;
mod static_validation;
mod stored_result;
mod telling;
mod test_files;
mod testlib;
mod timing;
mod told;
mod toolchain;
mod track;
mod transcript;
mod trial;
mod validating;
mod workbench;
mod worker;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use judge_event::{End, Event, Progress, RunFinished, RunStarted, SCHEMA_VERSION};
use judge_model::Isolation;
use judge_sandbox::Sandbox;
use tokio::sync::mpsc::unbounded_channel;

pub use bounds::Bound;
pub use command::UnknownVariable;
pub use counting::{Callgrind, Counter, Uncounted};
pub use error::RunnerError;
pub use generating::{Made, Making, ReadyProgram};
pub use interrupt::Interrupts;
pub use judge_checktestdata::Reach;
pub use judge_grading::{InputValidatorDecision, ValidatorDecision};
pub use jury::{Desk, Jury, ReadyInputValidator, ReadyOutputValidators};
pub use marked::Marked;
pub use means::Means;
pub use memory::Memory;
pub use plan::{Margins, Plan, PlannedProblem, TimeLimitSource};
pub use questions::{Data, InputQuestion, InputReply, OutputQuestion, OutputReply};
pub use recording::{Recording, tells_the_same};
pub use replaying::ToldPass;
pub use results::Keeping;
pub use toolchain::{FoundTool, Toolchain, Toolchains, Unavailable};
pub use track::{Course, Entrant, Lap, NotReady, Track};
pub use trial::{Trial, Tried};

use crate::cache::ProgramCache;
use crate::dispatcher::Dispatcher;
use crate::ready::Tools;
use crate::results::Results;
use crate::schedule::Schedule;
use crate::signals::Signals;
use crate::test_files::TestFiles;
use crate::timing::{Measured, Stopwatch};
use crate::worker::{Place, Shared};

/// How a run is to be carried out. Nothing here changes a verdict.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Programs that run at a time, at least 1.
    pub jobs: usize,
    /// Processors to pin submissions to, one for each job; jobs beyond the list are not pinned.
    pub cores: Vec<usize>,
    /// Whether judging a submission stops at the first test case that is not accepted.
    pub fail_fast: bool,
    /// Where compiled programs are kept.
    pub cache_dir: PathBuf,
    /// Where results are kept and taken from; `None`: everything is judged, and nothing is kept.
    pub results: Option<Keeping>,
    /// The version that reports name.
    pub judge_version: String,
    /// What else the first event says.
    pub origin: Origin,
}

/// Where a run comes from: what nobody can tell from its results.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The command that was given.
    pub command: Option<judge_event::Command>,
    /// When it began, as the first event writes it.
    pub started_at: Option<String>,
    /// The host that it runs on.
    pub host: Option<judge_event::Host>,
}

/// Hears what happens. An error (a closed pipe, a full disk) ends the run.
pub trait Observer {
    /// Hears an event. Events come in package order.
    ///
    /// # Errors
    /// When it cannot be told on.
    fn event(&mut self, event: &Event) -> io::Result<()>;

    /// Hears how far the run is, several times a second.
    ///
    /// # Errors
    /// When it cannot be told on.
    fn progress(&mut self, progress: &Progress) -> io::Result<()>;
}

/// Carries out a plan. Blocks until every program is dead, whatever the end.
///
/// Time limits that are to be inferred are found first, in a run that measures and tells only progress.
///
/// # Errors
/// When the run could not begin or its events could not be told. A fault of the host in the middle is an event, and
/// the end is [`End::Aborted`].
pub fn run(
    mut plan: Plan,
    toolchains: &Toolchains,
    sandbox: Arc<dyn Sandbox>,
    settings: &RunSettings,
    observer: &mut dyn Observer,
) -> Result<End, RunnerError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(settings.jobs.max(1))
        .build()
        .map_err(RunnerError::io("start", std::path::Path::new("tokio")))?;
    let started = Instant::now();
    runtime.block_on(async {
        let mut signals = Signals::listen()?;
        observer.event(&run_started(&plan, sandbox.isolation(), settings)).map_err(RunnerError::Observer)?;
        // What outputs are compared by is not kept, and times that are compared with each other are measured together.
        let keeping = settings.results.as_ref().filter(|_| !plan.output_hashes);
        let results = keeping.map(|keeping| Arc::new(Results::open(keeping, sandbox.isolation())));
        let means = RunMeans { toolchains, sandbox, settings, results: None };
        let end = match measure(&mut plan, &means, &mut signals, observer).await? {
            Ok(measured) => {
                let means = RunMeans { results: results.clone(), ..means };
                carry_out(plan, &means, &mut signals, observer, Some(measured)).await?.0
            }
            Err(end) => end,
        };
        let wall_time_us = compile::micros(started.elapsed());
        let results_kept = results.as_ref().filter(|_| end == End::Interrupted).map(|results| results.kept());
        let finished = RunFinished { end, wall_time_us, results_kept };
        observer.event(&Event::RunFinished(finished)).map_err(RunnerError::Observer)?;
        results.iter().for_each(|results| results.trim());
        Ok(end)
    })
}

/// What a run is carried out with.
struct RunMeans<'a> {
    toolchains: &'a Toolchains,
    sandbox: Arc<dyn Sandbox>,
    settings: &'a RunSettings,
    /// Results that are kept. Time limits are never inferred from them.
    results: Option<Arc<Results>>,
}

/// Finds the time limits that are to be inferred. Gives the results of the runs for that, or how it was ended.
async fn measure(
    plan: &mut Plan,
    means: &RunMeans<'_>,
    signals: &mut Signals,
    observer: &mut dyn Observer,
) -> Result<Result<Measured, End>, RunnerError> {
    let measuring = timing::measuring_plan(plan);
    let mut stopwatch = Stopwatch::new(observer);
    let mut measured = Measured::new();
    if !measuring.problems.is_empty() {
        let settings = RunSettings { fail_fast: true, ..means.settings.clone() };
        let means = RunMeans { settings: &settings, sandbox: Arc::clone(&means.sandbox), results: None, ..*means };
        let (end, results) = carry_out(measuring, &means, signals, &mut stopwatch, None).await?;
        if end != End::Completed {
            let fault = stopwatch.host_fault.take().map(Event::HostFault);
            fault.map_or(Ok(()), |fault| observer.event(&fault)).map_err(RunnerError::Observer)?;
            return Ok(Err(end));
        }
        measured = results;
    }
    stopwatch.conclude(plan);
    Ok(Ok(measured))
}

fn run_started(plan: &Plan, isolation: &Isolation, settings: &RunSettings) -> Event {
    Event::RunStarted(RunStarted {
        schema: SCHEMA_VERSION,
        judge_version: settings.judge_version.clone(),
        command: settings.origin.command,
        started_at: settings.origin.started_at.clone(),
        host: settings.origin.host.clone().map(Box::new),
        isolation: isolation.clone(),
        jobs: u32::try_from(settings.jobs).unwrap_or(u32::MAX),
        problems: plan.problems.len() as u64,
        submissions: plan.submissions() as u64,
    })
}

/// Carries out a plan whose time limits are known, except for what is known already. Without anything known, the
/// results are given back.
async fn carry_out(
    plan: Plan,
    RunMeans { toolchains, sandbox, settings, results }: &RunMeans<'_>,
    signals: &mut Signals,
    observer: &mut dyn Observer,
    known: Option<Measured>,
) -> Result<(End, Measured), RunnerError> {
    let shared = Arc::new(Shared { results: results.clone(), ..share(plan, toolchains, sandbox, settings)? });
    let (sender, reports) = unbounded_channel();
    let workers: Vec<_> = (0..settings.jobs.max(1))
        .map(|worker| {
            let (shared, sender) = (Arc::clone(&shared), sender.clone());
            let core = settings.cores.get(worker).copied();
            tokio::task::spawn_blocking(move || worker::work(&shared, worker, core, &sender))
        })
        .collect();
    drop(sender);
    let end = Dispatcher::new(&shared, settings, observer, known).run(toolchains, signals, reports).await;
    // However it ended: nothing runs on.
    if end.is_err() {
        shared.schedule.stop();
    }
    for worker in workers {
        worker.await.map_err(|_| RunnerError::WorkerLost)?;
    }
    end
}

/// What workers read.
fn share(
    plan: Plan,
    toolchains: &Toolchains,
    sandbox: &Arc<dyn Sandbox>,
    settings: &RunSettings,
) -> Result<Shared, RunnerError> {
    Ok(Shared {
        places: places(&plan),
        plan,
        tools: Tools::new(toolchains),
        test_files: TestFiles::default(),
        mounts: toolchains.mounts(),
        cache: ProgramCache::open(&settings.cache_dir)?,
        results: None,
        sandbox: Arc::clone(sandbox),
        schedule: Schedule::new(settings.jobs.max(1)),
    })
}

/// Every submission of a plan, in the order in which they are told.
fn places(plan: &Plan) -> Vec<Place> {
    let of_problem = |(problem, planned): (usize, &PlannedProblem)| {
        (0..planned.problem.submissions.len()).map(move |index| Place { problem, index })
    };
    plan.problems.iter().enumerate().flat_map(of_problem).collect()
}

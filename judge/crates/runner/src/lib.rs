//! The runner: plans, compiles, runs and cancels, and emits events in package order.
//!
//! Responsible for the way from a plan to a stream of events: many programs run, one place orders what is told. Must
//! not know where packages come from, nor how events are shown.
//!
//! Workers are threads, each with sandbox slots of its own; they take jobs from a shared schedule. The dispatcher is an
//! asynchronous loop that hears their reports and the signals, and hands work to the schedule.

mod announcements;
mod asking;
mod cache;
mod command;
mod compile;
mod constants;
mod difference;
mod dispatcher;
mod error;
mod interacting;
mod judging;
mod jury;
mod passes;
mod plan;
mod program;
mod ready;
mod schedule;
mod sources;
mod telling;
mod test_files;
mod toolchain;
mod transcript;
mod validating;
mod worker;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use judge_event::{End, Event, Progress};
use judge_sandbox::Sandbox;
use tokio::sync::mpsc::unbounded_channel;

pub use command::UnknownVariable;
pub use error::RunnerError;
pub use jury::{
    Data, Desk, InputQuestion, InputReply, Jury, OutputQuestion, OutputReply, ReadyInputValidator,
    ReadyOutputValidators,
};
pub use plan::{Plan, PlannedProblem};
pub use toolchain::{FoundTool, Toolchain, Toolchains, Unavailable};

use crate::cache::ProgramCache;
use crate::dispatcher::Dispatcher;
use crate::ready::Tools;
use crate::schedule::Schedule;
use crate::test_files::TestFiles;
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
    /// The version that reports name.
    pub judge_version: String,
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
/// # Errors
/// When the run could not begin or its events could not be told. A fault of the host in the middle is an event, and
/// the end is [`End::Aborted`].
pub fn run(
    plan: Plan,
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
    let shared = Arc::new(Shared {
        places: places(&plan),
        plan,
        tools: Tools::new(toolchains),
        test_files: TestFiles::default(),
        mounts: toolchains.mounts(),
        cache: ProgramCache::open(&settings.cache_dir)?,
        sandbox,
        schedule: Schedule::new(settings.jobs.max(1)),
    });
    runtime.block_on(async {
        let (sender, reports) = unbounded_channel();
        let workers: Vec<_> = (0..settings.jobs.max(1))
            .map(|worker| {
                let (shared, sender) = (Arc::clone(&shared), sender.clone());
                let core = settings.cores.get(worker).copied();
                tokio::task::spawn_blocking(move || worker::work(&shared, worker, core, &sender))
            })
            .collect();
        drop(sender);
        let end = Dispatcher::new(&shared, settings, observer).run(settings, toolchains, reports).await;
        if end.is_err() {
            shared.schedule.stop();
        }
        for worker in workers {
            worker.await.map_err(|_| RunnerError::WorkerLost)?;
        }
        end
    })
}

/// Every submission of a plan, in the order in which they are told.
fn places(plan: &Plan) -> Vec<Place> {
    let of_problem = |(problem, planned): (usize, &PlannedProblem)| {
        (0..planned.problem.submissions.len()).map(move |index| Place { problem, index })
    };
    plan.problems.iter().enumerate().flat_map(of_problem).collect()
}

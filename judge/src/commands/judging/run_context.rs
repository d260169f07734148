//! The context of a run: the environment in which programs run, and the settings of the run.
//!
//! Responsible for opening both once for all runs of a command. Must not know the programs.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use judge_authoring::add_origins;
use judge_event::End;
use judge_exec::{Environment, ExecError, Fault, Session, Worker};
use judge_model::{LanguageId, Problem};
use judge_runner::{Interrupts, Observer, Origin, Plan, RunSettings};
use judge_sandbox::CancelToken;

use crate::commands::judging::{JudgingSettings, PlanBuilder};
use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::session::HostTools;

/// The environment and settings of a run.
pub(crate) struct RunContext {
    pub(crate) environment: Environment,
    pub(crate) settings: RunSettings,
}

impl RunContext {
    /// Finds an isolation level, and compilers for programs in these languages.
    pub(crate) fn open(
        config: &Config,
        settings: JudgingSettings,
        languages: &BTreeSet<LanguageId>,
    ) -> Result<Self, Failure> {
        // Time limits are the same for every command, so the runs that they are inferred from are
        // cached for all of them.
        let cache_dir = host::open_cache()?;
        let measured = host::results(&cache_dir, settings.no_cache)?;
        let results = settings.command.and(measured.clone());
        let HostTools {
            sandbox,
            toolchains,
        } = HostTools::open(config, settings.isolation, languages, results.as_ref())?;
        let (jobs, cores) = config.jobs_or(settings.jobs);
        Ok(Self {
            environment: Environment {
                toolchains,
                sandbox,
                cache_dir,
                jobs,
                cores,
                judge_version: env!("CARGO_PKG_VERSION").to_owned(),
                cancel: CancelToken::new()?,
                stores: None,
            },
            settings: RunSettings {
                results,
                measured,
                origin: Origin {
                    command: settings.command,
                    started_at: Some(host::now()),
                    host: Some(host::description()),
                },
                lanes: None,
                warm_submissions: false,
            },
        })
    }

    /// Makes signals end the runs in this environment instead of the process, as long as the result
    /// lives.
    pub(crate) fn listen(&self) -> Result<Interrupts, ExecError> {
        Interrupts::listen(self.environment.cancel.clone())
    }

    /// Opens a session for the programs of packages, which may see these directories.
    pub(crate) fn session_of(&self, directories: &[PathBuf]) -> Result<Session, ExecError> {
        let environment = &self.environment;
        Session::for_packages(
            &environment.toolchains,
            Arc::clone(&environment.sandbox),
            &environment.cache_dir,
            directories,
            environment.cancel.clone(),
        )
    }

    /// Runs a plan.
    pub(crate) fn run(&self, mut plan: Plan, observer: &mut impl Observer) -> Result<End, Failure> {
        if observer.shows_excerpts() {
            for planned in &mut plan.problems {
                let problem = Arc::make_mut(&mut planned.problem);
                add_origins(&problem.directory, &mut problem.test_cases);
            }
        }
        Ok(judge_runner::run(
            plan,
            &self.environment,
            &self.settings,
            observer,
        )?)
    }
}

/// Opens a session for one problem, and runs `work` with a worker of it. `None` when that was
/// interrupted.
pub(crate) fn with_worker<T>(
    config: &Config,
    settings: JudgingSettings,
    problem: Problem,
    work: impl FnOnce(&mut Worker<'_>, &Problem) -> Result<Option<T>, Fault>,
) -> Result<Option<T>, Failure> {
    let plan = PlanBuilder::plan_of(config, settings, problem);
    let context = RunContext::open(config, settings, &plan.languages())?;
    let _interrupts = context.listen()?;
    let timed = plan.problems[0].timed();
    let problem = Arc::clone(&timed.problem);
    let session = Session::open(vec![timed], &context.environment, false)?;
    match work(&mut session.worker(None), &problem) {
        // A program that was killed in the middle may look like a fault of the package.
        _ if session.is_cancelled() => Ok(None),
        Ok(done) => Ok(done),
        Err(Fault::Refused(refusal)) => Err(Failure::Package(refusal.to_string())),
        Err(Fault::Host(error)) => Err(error.into()),
    }
}

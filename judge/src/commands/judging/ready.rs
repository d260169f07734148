//! The means of carrying out a plan: the sandbox, the toolchains, and the settings of the run.
//!
//! Responsible for opening it once for everything that a command runs. Must not know what is run.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use judge_authoring::tell_origins;
use judge_event::End;
use judge_exec::{ExecError, Fault, Session, Toolchains, Worker};
use judge_model::{LanguageId, Problem};
use judge_package::{Filter, LoadedPackage};
use judge_runner::{Interrupts, Observer, Origin, Plan, RunSettings};
use judge_sandbox::{CancelToken, Sandbox};

use crate::commands::judging::{JudgingSettings, PlanBuilder};
use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::session::HostTools;

/// The sandbox, the toolchains and the settings that a plan is carried out with.
pub(crate) struct Ready {
    pub(crate) toolchains: Toolchains,
    pub(crate) sandbox: Arc<dyn Sandbox>,
    pub(crate) settings: RunSettings,
}

impl Ready {
    /// Finds an isolation level, and compilers for programs in these languages.
    pub(crate) fn open(
        config: &Config,
        settings: JudgingSettings,
        languages: &BTreeSet<LanguageId>,
    ) -> Result<Self, Failure> {
        // Time limits are the same for every command, so the runs that they are inferred from are kept for all of them.
        let cache_dir = host::open_cache()?;
        let measured = host::results(&cache_dir, settings.no_cache)?;
        let results = settings.command.and(measured.clone());
        let HostTools { sandbox, toolchains } =
            HostTools::open(config, settings.isolation, languages, results.as_ref())?;
        let (jobs, cores) = config.jobs_or(settings.jobs);
        let settings = RunSettings {
            jobs,
            cores,
            fail_fast: settings.fail_fast,
            cache_dir,
            results,
            measured,
            judge_version: env!("CARGO_PKG_VERSION").to_owned(),
            origin: Origin {
                command: settings.command,
                started_at: Some(host::now()),
                host: Some(host::description()),
            },
        };
        Ok(Self { toolchains, sandbox, settings })
    }

    /// A session for questions about the data of packages, whose programs may see these directories.
    pub(crate) fn session_of(&self, directories: &[PathBuf], cancel: &CancelToken) -> Result<Session, ExecError> {
        let (sandbox, cache) = (Arc::clone(&self.sandbox), &self.settings.cache_dir);
        Session::of_packages(&self.toolchains, sandbox, cache, directories, cancel.clone())
    }

    /// Carries out a plan.
    pub(crate) fn run(&self, mut plan: Plan, observer: &mut impl Observer) -> Result<End, Failure> {
        if observer.shows_excerpts() {
            for planned in &mut plan.problems {
                let problem = Arc::make_mut(&mut planned.problem);
                tell_origins(&problem.directory, &mut problem.test_cases);
            }
        }
        Ok(judge_runner::run(plan, &self.toolchains, &self.sandbox, &self.settings, observer)?)
    }
}

/// Opens a session for one package and has one worker do something in it; `None` when that was interrupted.
pub(crate) fn with_worker<T>(
    config: &Config,
    settings: JudgingSettings,
    loaded: LoadedPackage,
    work: impl FnOnce(&mut Worker<'_>, &Problem) -> Result<Option<T>, Fault>,
) -> Result<Option<T>, Failure> {
    let mut builder = PlanBuilder::new(config, settings);
    builder.add(loaded, &Filter::default());
    let plan = builder.finish();
    let ready = Ready::open(config, settings, &plan.languages())?;
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let environment = ready.settings.environment(&ready.toolchains, &ready.sandbox, &cancel);
    let timed = plan.problems[0].timed();
    let problem = Arc::clone(&timed.problem);
    let session = Session::open(vec![timed], &environment, false)?;
    match work(&mut session.worker(None), &problem) {
        // What was ended in the middle may look like a fault of the package.
        _ if session.is_cancelled() => Ok(None),
        Ok(done) => Ok(done),
        Err(Fault::Refused(refusal)) => Err(Failure::Package(refusal.to_string())),
        Err(Fault::Host(error)) => Err(error.into()),
    }
}

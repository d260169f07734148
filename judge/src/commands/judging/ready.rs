//! The means of carrying out a plan: the sandbox, the toolchains, and the settings of the run.
//!
//! Responsible for opening it once for everything that a command runs. Must not know what is run.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use judge_event::End;
use judge_exec::{ExecError, Session, Toolchains};
use judge_model::LanguageId;
use judge_runner::{Observer, Origin, Plan, RunSettings};
use judge_sandbox::{CancelToken, Sandbox};

use crate::commands::judging::JudgingSettings;
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
        let measured = host::results(settings.no_cache);
        let results = settings.command.and(measured.clone());
        let HostTools { sandbox, toolchains } =
            HostTools::open(config, settings.isolation, languages, results.as_ref())?;
        let (jobs, cores) = config.jobs_or(settings.jobs);
        let settings = RunSettings {
            jobs,
            cores,
            fail_fast: settings.fail_fast,
            cache_dir: host::cache_dir(),
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
    pub(crate) fn run(&self, plan: Plan, observer: &mut impl Observer) -> Result<End, Failure> {
        Ok(judge_runner::run(plan, &self.toolchains, &self.sandbox, &self.settings, observer)?)
    }
}

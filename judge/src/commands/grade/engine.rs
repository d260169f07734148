//! The engine: the environments that the runs of all requests share.
//!
//! Responsible for the environments in which requests run, one for each set of languages, and for
//! replacing them regularly. Must not know what a request is.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use judge_event::Command;
use judge_exec::{Environment, SharedStores, SlotPool};
use judge_model::LanguageId;
use judge_runner::{Lanes, Plan, RunSettings};
use judge_sandbox::Sandbox;

use super::intake::locked;
use crate::args::GradeArgs;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::config::Config;
use crate::failure::Failure;
use crate::host;

/// The number of runs after which stores and slots are opened again. Their memory grows with every
/// program, and the cache has to be trimmed.
const RUNS: u64 = 2000;
/// The number of environments that are kept. Most streams need one or two.
const MAX_CONTEXTS: usize = 8;
/// The slots that each lane may leave open: for submissions with and without helpers, compilers
/// and the package's programs.
const SLOTS_PER_LANE: usize = 4;
/// The interpreters that wait for each lane: one for submissions, one that checks their syntax, and
/// some for other memory limits.
const INTERPRETERS_PER_LANE: usize = 4;

/// The environments that the runs of all requests share, and the settings of these runs.
pub(super) struct Engine {
    settings: JudgingSettings,
    warm_python: bool,
    jobs: usize,
    cores: Vec<usize>,
    lanes: Arc<Lanes>,
    runs: AtomicU64,
    generation: Mutex<Option<Arc<Generation>>>,
}

/// The environments of some thousand runs.
struct Generation {
    number: u64,
    stores: SharedStores,
    /// The most recently used one is at the end.
    contexts: Mutex<Vec<(BTreeSet<LanguageId>, Arc<RunContext>)>>,
}

impl Engine {
    pub(super) fn new(args: &GradeArgs, jobs: usize, cores: Vec<usize>) -> Self {
        let settings = JudgingSettings {
            command: Some(Command::Submit),
            fail_fast: true,
            isolation: args.isolation.level,
            time_factor: args.time_factor.factor,
            no_cache: args.no_cache,
            // Each lane is one worker.
            jobs: Some(1),
            ..JudgingSettings::default()
        };
        Self {
            settings,
            warm_python: args.warm_python,
            jobs,
            cores,
            lanes: Arc::default(),
            runs: AtomicU64::new(0),
            generation: Mutex::default(),
        }
    }

    /// The settings of a request that states none: those of `judge submit`.
    pub(super) fn settings(&self) -> JudgingSettings {
        self.settings
    }

    /// The environment and the settings for running a plan in a lane. With `is_kept`, results are
    /// cached for later commands.
    pub(super) fn environment(
        &self,
        config: &Config,
        lane: usize,
        plan: &Plan,
        is_kept: bool,
    ) -> Result<(Environment, RunSettings), Failure> {
        let generation = self.generation()?;
        let context = generation.context(self, config, &plan.languages())?;
        let cores = self.cores.get(lane).copied().into_iter().collect();
        let environment = Environment {
            cores,
            ..context.environment.clone()
        };
        let mut settings = RunSettings {
            lanes: Some(Arc::clone(&self.lanes)),
            warm_submissions: self.warm_python,
            ..context.settings.clone()
        };
        if !is_kept {
            // A problem in a request is not a package, so no later command can use these results.
            (settings.results, settings.measured) = (None, None);
        }
        Ok((environment, settings))
    }

    /// The generation of the next run.
    fn generation(&self) -> Result<Arc<Generation>, Failure> {
        let number = self.runs.fetch_add(1, Ordering::Relaxed) / RUNS;
        let mut current = locked(&self.generation);
        if let Some(generation) = current
            .as_ref()
            .filter(|generation| generation.number >= number)
        {
            return Ok(Arc::clone(generation));
        }
        // Under the lock: other lanes wait here instead of opening separate stores.
        let stores = SharedStores::open(&host::open_cache()?)?;
        // Runs that still use the previous generation end with it. The last of them trims the cache
        // of programs.
        let generation = Arc::new(Generation {
            number,
            stores: if self.warm_python {
                stores.with_interpreters(self.jobs * INTERPRETERS_PER_LANE)
            } else {
                stores
            },
            contexts: Mutex::default(),
        });
        let before = current.replace(Arc::clone(&generation));
        drop(current);
        if let Some(before) = before {
            before.trim();
        }
        Ok(generation)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(generation) = &*locked(&self.generation) {
            generation.trim();
        }
    }
}

impl Generation {
    /// The environment for these languages.
    fn context(
        &self,
        engine: &Engine,
        config: &Config,
        languages: &BTreeSet<LanguageId>,
    ) -> Result<Arc<RunContext>, Failure> {
        // Other lanes wait: most likely they need the same one.
        let mut contexts = locked(&self.contexts);
        let known = contexts
            .iter()
            .position(|(known, _)| known == languages)
            .map(|index| contexts.remove(index));
        let entry = match known {
            Some(entry) => entry,
            None => {
                let mut context = RunContext::open(config, engine.settings, languages)?;
                let environment = &mut context.environment;
                let pool = SlotPool::new(
                    Arc::clone(&environment.sandbox),
                    engine.jobs * SLOTS_PER_LANE,
                );
                environment.sandbox = Arc::new(pool) as Arc<dyn Sandbox>;
                environment.stores = Some(self.stores.clone());
                (languages.clone(), Arc::new(context))
            }
        };
        let context = Arc::clone(&entry.1);
        contexts.push(entry);
        let surplus = (contexts.len() > MAX_CONTEXTS).then(|| contexts.remove(0));
        drop(contexts);
        drop(surplus);
        Ok(context)
    }

    /// Trims the store of results.
    fn trim(&self) {
        let contexts = locked(&self.contexts);
        if let Some(results) = contexts
            .first()
            .and_then(|(_, context)| context.settings.results.as_ref())
        {
            results.trim();
        }
    }
}

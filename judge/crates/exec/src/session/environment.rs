//! The environment of work on submissions: tools, sandbox, cache, threads.
//!
//! Must not know what the work is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_sandbox::{CancelToken, Sandbox};

use crate::ExecError;
use crate::build::library::headers::PrecompiledHeaders;
use crate::build::toolchain::Toolchains;
use crate::crew::Crew;
use crate::interpreters::Interpreters;
use crate::store::programs::ProgramCache;

/// The stores that several sessions share: compiled programs, and the headers that were precompiled
/// for them. The program cache is trimmed when its last user is dropped.
#[derive(Clone, Debug)]
pub struct SharedStores {
    /// Ended before the cache is removed, in which they find their programs.
    pub(crate) interpreters: Option<Arc<Interpreters>>,
    pub(crate) cache: Arc<ProgramCache>,
    pub(crate) headers: Arc<PrecompiledHeaders>,
}

impl SharedStores {
    /// Opens the stores in the directory of the cache.
    ///
    /// # Errors
    /// When the cache cannot be used.
    pub fn open(cache_dir: &Path) -> Result<Self, ExecError> {
        Ok(Self {
            interpreters: None,
            cache: Arc::new(ProgramCache::open(cache_dir)?),
            headers: Arc::default(),
        })
    }

    /// Lets sessions judge submissions in Python in interpreters that are started once for many of
    /// them, where a run allows it. At most `max_idle` interpreters wait without work.
    #[must_use]
    pub fn with_interpreters(self, max_idle: usize) -> Self {
        Self {
            interpreters: Some(Arc::new(Interpreters::new(max_idle))),
            ..self
        }
    }
}

/// The tools, the sandbox and the threads of a run, a comparison or a search.
#[derive(Clone)]
pub struct Environment {
    /// The toolchains that the languages of the submissions and of the package's programs need.
    pub toolchains: Toolchains,
    /// The sandbox in which programs run.
    pub sandbox: Arc<dyn Sandbox>,
    /// The directory of the cache of compiled programs.
    pub cache_dir: PathBuf,
    /// The maximum number of concurrent programs, at least 1.
    pub jobs: usize,
    /// Processors to pin submissions to, one for each job; jobs beyond the list are not pinned.
    pub cores: Vec<usize>,
    /// The version that reports name.
    pub judge_version: String,
    /// Ends work on single programs early. A run of a whole plan handles signals itself.
    pub cancel: CancelToken,
    /// The stores that its sessions share; `None`: each session opens its own.
    pub stores: Option<SharedStores>,
}

impl Environment {
    /// Returns a crew with a thread for each job, each on its own core while cores are left.
    #[must_use]
    pub fn crew(&self) -> Crew {
        Crew::on(
            (0..self.jobs.max(1))
                .map(|job| self.cores.get(job).copied())
                .collect(),
        )
    }
}

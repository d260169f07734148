//! The environment of long work on submissions: tools, sandbox, cache, threads.
//!
//! Must not know what the work is.

use std::path::Path;
use std::sync::Arc;

use judge_sandbox::{CancelToken, Sandbox};

use crate::build::toolchain::Toolchains;
use crate::crew::Crew;

/// The tools, the sandbox and the threads with which work of many runs, such as a comparison, is carried out.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    /// The toolchains that the languages of the submissions and of the package's programs need.
    pub toolchains: &'a Toolchains,
    /// The sandbox in which programs run.
    pub sandbox: &'a Arc<dyn Sandbox>,
    /// The directory in which compiled programs are kept.
    pub cache_dir: &'a Path,
    /// Programs that run at a time, at least 1.
    pub jobs: usize,
    /// Processors to pin submissions to, one for each job; jobs beyond the list are not pinned.
    pub cores: &'a [usize],
    /// The version that reports name.
    pub judge_version: &'a str,
    /// Ends it early.
    pub cancel: &'a CancelToken,
}

impl Environment<'_> {
    /// A thread for each job, on a core of its own as far as there are any.
    #[must_use]
    pub fn crew(&self) -> Crew {
        Crew::on((0..self.jobs.max(1)).map(|job| self.cores.get(job).copied()).collect())
    }
}

//! The validators of packages, for the commands that run nothing but them.
//!
//! Responsible for the sandbox of a check, and for what ends it. Must not know which inputs are validated, nor what is told.

use judge_lint::{Package, Validators, languages};
use judge_model::IsolationLevel;
use judge_runner::Interrupts;
use judge_sandbox::CancelToken;

use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::session::HostTools;

/// The validators of a check, which an interrupt ends.
pub(crate) struct OpenValidators {
    pub(crate) validators: Validators,
    /// The listener to signals, which sets their token.
    _interrupts: Interrupts,
}

impl OpenValidators {
    /// Opens the sandbox for the validators of packages; `None` when no package can be judged.
    pub(crate) fn open(
        config: &Config,
        demand: Option<IsolationLevel>,
        packages: &[Package],
        no_cache: bool,
    ) -> Result<Option<Self>, Failure> {
        let Some(languages) = languages(packages) else { return Ok(None) };
        let cache_dir = host::open_cache()?;
        let kept = host::results(&cache_dir, no_cache)?;
        let HostTools { sandbox, toolchains } = HostTools::open(config, demand, &languages, kept.as_ref())?;
        let cancel = CancelToken::new()?;
        let interrupts = Interrupts::listen(cancel.clone())?;
        let validators = Validators { sandbox, toolchains, cache_dir, kept, cancel };
        Ok(Some(Self { validators, _interrupts: interrupts }))
    }
}

//! The session: the sandbox and the toolchains that a command runs programs with.
//!
//! Responsible for opening both in the same way for every command, so that the required isolation
//! and the reachable tools are the same for all programs. Must not know the programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_exec::{StoreSettings, ToolRestrictions, Toolchains};
use judge_model::{Guarantee, Isolation, IsolationLevel, Language, LanguageId};
use judge_package::CPYTHON;
use judge_sandbox::{LazySandbox, LinuxSandbox, Sandbox, covered_directories};

use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::host::isolation_key;
use crate::messages::note;

/// The sandbox and the toolchains of a command.
pub(crate) struct HostTools {
    pub(crate) sandbox: Arc<dyn Sandbox>,
    pub(crate) toolchains: Toolchains,
}

/// Returns the directory above a path that programs may not pass through, if there is one.
type Closed = Box<dyn Fn(&Path) -> Option<PathBuf>>;

impl HostTools {
    /// Opens the sandbox, at the demanded level or else at that of the workspace, and finds the
    /// tools of these languages. With `results`, both are taken from the facts of an earlier run,
    /// as long as they are valid.
    pub(crate) fn open(
        config: &Config,
        demand: Option<IsolationLevel>,
        languages: &BTreeSet<LanguageId>,
        results: Option<&StoreSettings>,
    ) -> Result<Self, Failure> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if languages.iter().any(|language| language.0 == CPYTHON)
            && let Some(python) = config.python.borrow_mut().take()
        {
            note(&python);
        }
        let table = config.workspace.languages.iter();
        let languages: Vec<Language> = table
            .filter(|language| languages.contains(&language.id))
            .cloned()
            .collect();
        let demand = demand.or(config.workspace.isolation);
        let facts = results.and_then(StoreSettings::host_facts);
        // Asking the compilers and trying the isolation level both take a while, and neither needs
        // the other.
        let (toolchains, found) = std::thread::scope(|scope| {
            let toolchains = scope.spawn(|| match &facts {
                Some(facts) => facts.toolchains(&languages, &path),
                None => Toolchains::probe(&languages, &path),
            });
            let found = find_sandbox(demand, results);
            (toolchains.join(), found)
        });
        // The error of the sandbox goes first: without it no toolchain matters.
        let (sandbox, closed) = found?;
        require(&config.workspace.required, sandbox.isolation())?;
        let mut toolchains = toolchains.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let level = sandbox.isolation().level;
        keep_reachable(&mut toolchains, config, Some(level), &closed);
        Ok(Self {
            sandbox,
            toolchains,
        })
    }
}

/// Keeps the tools that programs can reach at an isolation level. `closed` returns the directory above
/// a path that programs may not pass through, if there is one.
pub(crate) fn keep_reachable(
    toolchains: &mut Toolchains,
    config: &Config,
    level: Option<IsolationLevel>,
    closed: &dyn Fn(&Path) -> Option<PathBuf>,
) {
    toolchains.keep_reachable(
        &std::env::var_os("PATH").unwrap_or_default(),
        ToolRestrictions {
            closed,
            private: &host::private_directories(&config.workspace.root),
            covered: level.map_or(&[][..], covered_directories),
            threads_only: level == Some(IsolationLevel::Landlock),
        },
    );
}

/// Opens the sandbox, or expects the one that an earlier run opened under the same circumstances.
fn find_sandbox(
    demand: Option<IsolationLevel>,
    results: Option<&StoreSettings>,
) -> Result<(Arc<dyn Sandbox>, Closed), Failure> {
    let facts = results.and_then(|results| {
        Some((
            results.host_facts()?,
            isolation_key::circumstances(results.judge(), demand),
        ))
    });
    let opened = facts
        .as_ref()
        .and_then(|(facts, circumstances)| facts.isolation(circumstances));
    if let (Some(isolation), Some((facts, _))) = (opened, &facts) {
        let facts = facts.clone();
        // The sandbox is opened only if something runs. If it turns out to differ, the fact is
        // forgotten and the command fails: its report already names the level.
        let forget = Box::new(move || facts.forget_isolation());
        let sandbox = Arc::new(LazySandbox::expecting(isolation, demand, forget));
        let closed = Arc::clone(&sandbox);
        return Ok((sandbox, Box::new(move |path| closed.closed_directory(path))));
    }
    let sandbox = Arc::new(LinuxSandbox::open(demand)?);
    if let Some((facts, circumstances)) = &facts {
        facts.add_isolation(circumstances, sandbox.isolation());
    }
    let closed = Arc::clone(&sandbox);
    Ok((sandbox, Box::new(move |path| closed.closed_directory(path))))
}

/// Fails unless the isolation gives the guarantees that the workspace requires.
pub(crate) fn require(required: &[Guarantee], isolation: &Isolation) -> Result<(), Failure> {
    let guarantees = isolation.missing(required);
    if guarantees.is_empty() {
        Ok(())
    } else {
        Err(Failure::Guarantees {
            level: isolation.level,
            guarantees,
        })
    }
}

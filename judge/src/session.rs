//! Host tools: the sandbox and the toolchains that a command runs programs with.
//!
//! Responsible for opening both in the same way for every command, so that the required isolation
//! and the reachable tools are the same for all programs, and for the circumstances under which the
//! isolation level that an earlier run found is still valid. Must not know the programs.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

use judge_exec::{StoreSettings, ToolRestrictions, Toolchains};
use judge_model::{Guarantee, Isolation, IsolationLevel, Language, LanguageId};
use judge_package::CPYTHON;
use judge_sandbox::{LazySandbox, LinuxSandbox, Sandbox, covered_directories};

use crate::config::Config;
use crate::failure::Failure;
use crate::host;
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
        let path = env::var_os("PATH").unwrap_or_default();
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
        let probe = || match &facts {
            Some(facts) => facts.toolchains(&languages, &path),
            None => Toolchains::probe(&languages, &path),
        };
        let (toolchains, found) = std::thread::scope(|scope| {
            let started = std::thread::Builder::new().spawn_scoped(scope, probe);
            let found = find_sandbox(demand, results);
            // Where no thread can be started, the one follows the other.
            let toolchains = started.map_or_else(|_| Ok(probe()), ScopedJoinHandle::join);
            (toolchains, found)
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
        &env::var_os("PATH").unwrap_or_default(),
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
            circumstances(results.judge(), demand),
        ))
    });
    if let Some((facts, circumstances)) = &facts
        && let Some(isolation) = facts.isolation(circumstances)
    {
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

/// Lines of `/proc/self/status` (proc_pid_status(5)): the identity and the rights of this process.
const STATUS: [&str; 8] = [
    "Uid:",
    "Gid:",
    "Groups:",
    "CapEff:",
    "CapPrm:",
    "CapBnd:",
    "NoNewPrivs:",
    "Seccomp:",
];
/// The namespaces that this process is in (namespaces(7)).
const NAMESPACES: [&str; 5] = ["cgroup", "mnt", "net", "pid", "user"];
/// Settings of the kernel, and the id of the machine's start.
const FILES: [&str; 7] = [
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
    "/proc/self/cgroup",
    "/proc/self/attr/current",
];
/// The variables by which a user's systemd is found, which may give a control group.
const VARIABLES: [&str; 2] = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"];

/// The circumstances of this process. `judge` identifies the version of this program.
fn circumstances(judge: &str, demand: Option<IsolationLevel>) -> Vec<String> {
    let read =
        |path: &str| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let status = read("/proc/self/status").unwrap_or_default();
    let is_relevant = |line: &&str| STATUS.iter().any(|name| line.starts_with(name));
    let status = status
        .lines()
        .filter(is_relevant)
        .map(ToOwned::to_owned)
        .collect::<Vec<_>>()
        .join("\n");
    let namespace = |name: &str| {
        fs::read_link(format!("/proc/self/ns/{name}"))
            .map_or_else(|_| String::new(), |link| link.display().to_string())
    };
    let mut circumstances = vec![
        judge.to_owned(),
        demand
            .map(IsolationLevel::name)
            .unwrap_or_default()
            .to_owned(),
        status,
    ];
    circumstances.extend(NAMESPACES.map(namespace));
    circumstances.extend(FILES.map(|path| read(path).unwrap_or_default()));
    circumstances.extend(VARIABLES.map(|name| env::var(name).unwrap_or_default()));
    circumstances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isolation_keys_depend_on_the_circumstances() {
        let here = circumstances("1", None);
        assert_eq!(circumstances("1", None), here);
        assert_ne!(circumstances("2", None), here);
        assert_ne!(circumstances("1", Some(IsolationLevel::Full)), here);
        assert!(
            here[2].contains("Uid:") && here.iter().any(|text| text.starts_with("user:[")),
            "{here:?}"
        );
    }
}

//! The sandbox on Linux.
//!
//! Responsible for finding out, by trying, how much isolation this host allows. Must not know runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_model::{Guarantee, Isolation, IsolationLevel, Termination};

use crate::error::Attempt;
use crate::group::Place;
use crate::harness::slot::{Host, LinuxSlot, Order};
use crate::harness::zygote_process::Identity;
use crate::{
    CancelToken, Capture, Execution, RunLimits, Sandbox, SandboxError, Slot, SlotSpec, Work,
    group::scope, kernel, levels::scratch, unconfined::slot as unconfined,
};

/// A sandbox made of namespaces, control groups, seccomp and Landlock, depending on what this host
/// allows.
pub struct LinuxSandbox {
    kind: SlotKind,
    attempts: Vec<Attempt>,
}

enum SlotKind {
    Zygotes(Arc<Host>),
    Unconfined(PathBuf, Isolation),
}

impl LinuxSandbox {
    /// Opens the sandbox at the best available level, or at the level that is demanded. A level
    /// counts as available only after a run of it has succeeded, down to the last step before a
    /// program would start.
    ///
    /// The program that calls this must call [`serve_if_zygote`](crate::serve_if_zygote) at the
    /// start of its `main`.
    ///
    /// # Errors
    /// [`SandboxError::Unavailable`] with everything that was tried. [`IsolationLevel::None`] is
    /// never chosen unless it is demanded.
    pub fn open(demand: Option<IsolationLevel>) -> Result<Self, SandboxError> {
        Self::with_zygote_program(Path::new("/proc/self/exe"), demand)
    }

    /// Like [`open`](Self::open), with another program to start as the helper process of each slot.
    /// It must call [`serve_if_zygote`](crate::serve_if_zygote) and be built from the same sources.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn with_zygote_program(
        program: &Path,
        demand: Option<IsolationLevel>,
    ) -> Result<Self, SandboxError> {
        // This level has no control groups, so a killed harness leaves only directories of slots.
        if demand == Some(IsolationLevel::None) {
            scratch::sweep();
            return Ok(Self {
                kind: SlotKind::Unconfined(program.to_owned(), unconfined::isolation()),
                attempts: Vec::new(),
            });
        }
        let mut attempts = Vec::new();
        let opened = |host, attempts| Self {
            kind: SlotKind::Zygotes(Arc::new(host)),
            attempts,
        };
        for (level, identity) in ways()
            .into_iter()
            .filter(|(level, _)| demand.is_none_or(|demand| demand == *level))
        {
            let reason = match try_level(program.to_owned(), level, identity) {
                Ok(host) => return Ok(opened(host, attempts)),
                Err(reason) => reason,
            };
            // Only ordinary users request a scope from systemd, because their manager grants it
            // without a password. Root can divide its own group.
            let may_ask = level == IsolationLevel::Full && identity == Identity::UserNamespace;
            let (reason, host) = if may_ask {
                try_in_scope(program, reason)
            } else {
                (reason, None)
            };
            attempts.push(Attempt {
                level,
                way: way(identity).to_owned(),
                reason,
            });
            if let Some(host) = host {
                return Ok(opened(host, attempts));
            }
        }
        Err(SandboxError::Unavailable { demand, attempts })
    }

    /// The directory that makes a file of the host inaccessible although it is shown to programs:
    /// at the level `user`, they run as users who may not pass through directories such as `/root`.
    /// `None` if there is no such directory.
    #[must_use]
    pub fn closed_directory(&self, path: &Path) -> Option<PathBuf> {
        scratch::closed_directory(self.isolation().level, path)
    }

    /// The stronger levels that were tried before the selected one, with the reasons why they are
    /// unavailable.
    #[must_use]
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }
}

/// Directories of the host that are replaced by others at this isolation level, so that nothing
/// below them can be shown to programs.
#[must_use]
pub fn covered_directories(level: IsolationLevel) -> &'static [&'static str] {
    match level {
        IsolationLevel::Full | IsolationLevel::Namespaces => &[
            "/tmp", "/var/tmp", "/dev", "/proc", "/box", "/program", "/judge",
        ],
        IsolationLevel::User | IsolationLevel::Landlock | IsolationLevel::None => &[],
    }
}

/// The ways that can be tried, the strongest first.
fn ways() -> [(IsolationLevel, Identity); 4] {
    // Never root in a user namespace: to the kernel's own files in /proc it would still be root.
    let identity = if is_root() {
        Identity::Root
    } else {
        Identity::UserNamespace
    };
    [
        (IsolationLevel::Full, identity),
        (IsolationLevel::Namespaces, identity),
        (IsolationLevel::User, Identity::RootOfContainer),
        (IsolationLevel::Landlock, Identity::Caller),
    ]
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn way(identity: Identity) -> &'static str {
    match identity {
        Identity::Root => "as root",
        Identity::UserNamespace => "in a user namespace",
        Identity::RootOfContainer => "as root, with a user for each slot",
        Identity::Caller => "without privileges",
    }
}

fn try_level(program: PathBuf, level: IsolationLevel, identity: Identity) -> Result<Host, String> {
    if identity == Identity::RootOfContainer && !is_root() {
        return Err("only root can give each slot a user of its own".to_owned());
    }
    if identity == Identity::Caller && is_root() {
        // RLIMIT_NPROC does not bind root (getrlimit(2)): a fork bomb would take the host down.
        return Err(
            "the processes of root cannot be limited; root gives each slot a user of its own instead".to_owned()
        );
    }
    if matches!(identity, Identity::RootOfContainer | Identity::Caller) {
        scratch::sweep();
    }
    // A place is found before anything is started: without a control group, a rehearsal at `full`
    // would fail, and this reason names the missing controller instead of a failed run.
    let place = if level == IsolationLevel::Full {
        Some(Place::find()?)
    } else {
        None
    };
    if let Some(place) = &place {
        place.sweep();
    }
    let isolation = Isolation {
        level,
        cgroup_version: place.as_ref().map(Place::version),
        gaps: gaps(level, identity, place.is_some()),
    };
    let host = Arc::new(Host {
        program,
        identity,
        place,
        isolation,
    });
    let mut slot = LinuxSlot::open(Arc::clone(&host), SlotSpec::default())
        .map_err(|error| error.to_string())?;
    // The kernel has no query for most of what a level needs: seccomp, Landlock, mounts and
    // namespaces can each be refused by a policy that is not visible anywhere. Therefore every step
    // of a run except execve is done once.
    let rehearsal = rehearsal().map_err(|error| error.to_string())?;
    let finished = slot
        .execute(&rehearsal, &mut Capture::default(), Order::Rehearse)
        .map_err(|error| error.to_string())?;
    drop(slot);
    if finished.outcome.termination != (Termination::Exited { code: 0 }) {
        return Err(format!(
            "a trial run ended with {:?}",
            finished.outcome.termination
        ));
    }
    Arc::into_inner(host).ok_or_else(|| "the trial slot is still open".to_owned())
}

/// Tries `full` once more in a control group from systemd, if only such a group was missing.
/// Returns the reasons against the first attempt and the result of the second.
fn try_in_scope(program: &Path, reason: String) -> (String, Option<Host>) {
    let manager = match scope::manager() {
        Ok(manager) => manager,
        Err(why) => return (format!("{reason}; {why}"), None),
    };
    // A scope moves this process permanently, so none is requested unless the rest of `full` works.
    let try_level = |level| try_level(program.to_owned(), level, Identity::UserNamespace);
    if try_level(IsolationLevel::Namespaces).is_err() {
        return (reason, None);
    }
    match scope::enter(&manager) {
        Err(why) => (format!("{reason}; {why}"), None),
        Ok(name) => match try_level(IsolationLevel::Full) {
            Ok(host) => (format!("{reason}; systemd gave judge `{name}`"), Some(host)),
            Err(second) => (
                format!("{reason}; systemd gave judge `{name}`, but there {second}"),
                None,
            ),
        },
    }
}

/// The gaps of a level: the guarantees that it does not provide.
fn gaps(level: IsolationLevel, identity: Identity, grouped: bool) -> Vec<Guarantee> {
    let mut gaps = Vec::new();
    if level == IsolationLevel::Namespaces
        && identity == Identity::UserNamespace
        && !counts_processes_by_namespace()
    {
        gaps.push(Guarantee::ProcessLimit);
    }
    if !grouped {
        // Memory is sampled, which misses short peaks; the CPU time of children is lost if their
        // parent ignores SIGCHLD.
        gaps.extend([Guarantee::TotalMemory, Guarantee::CompleteCpuTime]);
    }
    if level <= IsolationLevel::User {
        // Landlock hides the contents of files but not their existence, and does not count what is
        // written.
        gaps.extend([Guarantee::FilesHidden, Guarantee::DiskLimit]);
    }
    if level <= IsolationLevel::Landlock {
        // The kernel counts all processes of a user together.
        gaps.push(Guarantee::ProcessLimit);
    }
    gaps.sort_unstable();
    gaps
}

/// True where `RLIMIT_NPROC` counts the processes of each user namespace separately (since Linux
/// 5.14, user_namespaces(7)).
fn counts_processes_by_namespace() -> bool {
    let release = rustix::system::uname();
    // Releases look like `6.1.0-18-amd64`; only the first two numbers matter.
    let mut numbers = release
        .release()
        .to_str()
        .unwrap_or_default()
        .split(['.', '-'])
        .map_while(|part| part.parse().ok());
    let version: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    version >= (5, 14)
}

/// A run that uses every part of the sandbox.
fn rehearsal() -> Result<Execution, SandboxError> {
    let second = Duration::from_secs(10);
    let limits = RunLimits {
        cpu_time: second,
        wall_time: second,
        memory_bytes: 64 << 20,
        stdout_bytes: 0,
        stderr_bytes: 0,
        processes: 1,
    };
    Ok(Execution {
        program: PathBuf::from("/nothing"),
        work: Work::Writable {
            bytes: 1 << 20,
            files: 16,
        },
        proc_mounted: true,
        keep_work: true,
        ..Execution::new(Vec::new(), limits, CancelToken::new()?)
    })
}

impl Sandbox for LinuxSandbox {
    fn isolation(&self) -> &Isolation {
        match &self.kind {
            SlotKind::Zygotes(host) => &host.isolation,
            SlotKind::Unconfined(_, isolation) => isolation,
        }
    }

    fn slot(&self, spec: &SlotSpec) -> Result<Box<dyn Slot>, SandboxError> {
        match &self.kind {
            SlotKind::Zygotes(host) => {
                Ok(Box::new(LinuxSlot::open(Arc::clone(host), spec.clone())?))
            }
            SlotKind::Unconfined(program, _) => {
                Ok(Box::new(unconfined::UnconfinedSlot::open(program.clone())?))
            }
        }
    }
}

/// True if this kernel offers Landlock, in any version.
#[must_use]
pub fn has_landlock() -> bool {
    kernel::landlock_version() > 0
}

/// Removes control groups and directories of slots that killed processes of this program left
/// behind. Those of living ones, and all others, are not touched. Nothing else of a sandbox
/// outlives its process. Returns how many were removed.
///
/// [`LinuxSandbox::open`] does this too.
pub fn sweep() -> u32 {
    Place::find().map_or(0, |place| place.sweep()) + scratch::sweep()
}

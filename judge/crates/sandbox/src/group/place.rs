//! The places in which the control groups of slots are created.
//!
//! Responsible for choosing a parent group that the host allows, and for creating groups in it.
//! Must not move other processes, except into a group below the one that they share with this
//! process.
//!
//! In v2 a group that has processes cannot pass controllers on ("no internal processes"), and this
//! process is in some group, usually with others. Therefore, these places are tried in order:
//! first, the own group of this process, if it passes controllers on already, or can because this
//! process is alone in it; second, the parent of that group; third, the own group again, if it was
//! delegated to this process, after moving all of its processes to a group below.

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::hierarchy::{Hierarchy, hierarchies, is_writable};
use super::{SlotGroup, own_mount};
use crate::protocol::messages::Role;
use crate::{SandboxError, group::name};

/// A place for control groups.
#[derive(Debug)]
pub(crate) struct Place {
    kind: PlaceKind,
    /// True if all groups are below this process's own, so that a control group namespace can hide
    /// the groups above.
    pub(crate) below_own: bool,
    /// The old group of this process and the new one below it, if it has moved. The move is undone
    /// on drop.
    moved: Option<(PathBuf, PathBuf)>,
    /// The private mounts through which the paths lead.
    mounts: Vec<OwnedFd>,
}

#[derive(Debug)]
enum PlaceKind {
    /// The parents of memory, pids and, where v2 does not count CPU time, cpuacct groups; and that
    /// of v2 groups, which have no controllers but count CPU time and can be born into.
    V1 {
        memory: PathBuf,
        processes: Option<PathBuf>,
        cpu: Option<PathBuf>,
        v2: Option<PathBuf>,
    },
    /// The parent, which passes the memory and pids controllers on.
    V2(PathBuf),
}

fn words(path: &Path) -> Vec<String> {
    fs::read_to_string(path)
        .unwrap_or_default()
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

fn has_controllers(file: &Path) -> bool {
    let words = words(file);
    ["memory", "pids"]
        .iter()
        .all(|controller| words.iter().any(|word| word == controller))
}

fn passes_on(group: &Path) -> bool {
    has_controllers(&group.join("cgroup.subtree_control"))
}

impl Place {
    /// Finds a place, or returns the reasons why none fits.
    pub(crate) fn find() -> Result<Self, String> {
        let mut all = hierarchies();
        let closed = all
            .iter_mut()
            .filter(|hierarchy| !is_writable(&hierarchy.own));
        let mounts = closed.filter_map(own_mount::make_writable).collect();
        let mut place = Self::find_in(&all)?;
        place.mounts = mounts;
        Ok(place)
    }

    fn new(kind: PlaceKind, below_own: bool) -> Self {
        Self {
            kind,
            below_own,
            moved: None,
            mounts: Vec::new(),
        }
    }

    fn find_in(all: &[Hierarchy]) -> Result<Self, String> {
        // On hybrid hosts both versions are mounted. v2 counts only if it has the controllers: a
        // controller is in one hierarchy at a time (cgroups(7)).
        let v2 = all.iter().find(|hierarchy| hierarchy.controllers.is_none());
        if let Some(v2) = v2
            .filter(|v2| has_controllers(&v2.own.join("cgroup.controllers")) || passes_on(&v2.own))
        {
            return Self::find_v2(v2);
        }
        let v1 = |controller: &str| {
            let has = |names: &Vec<String>| names.iter().any(|name| name == controller);
            let hierarchy = all
                .iter()
                .find(|hierarchy| hierarchy.controllers.as_ref().is_some_and(has))?;
            is_writable(&hierarchy.own).then(|| hierarchy.own.clone())
        };
        let Some(memory) = v1("memory") else {
            return Err(match v2 {
                Some(v2) => {
                    format!(
                        "the memory and pids controllers are not available in judge's control group `{}`",
                        v2.own.display()
                    )
                }
                None => "no memory controller is mounted writable".to_owned(),
            });
        };
        let v2 = v2
            .map(|v2| v2.own.clone())
            .filter(|own| is_writable(own) && own.join("cpu.stat").exists());
        // A v2 group counts CPU time without any controller (`cpu.stat`) and can be born into,
        // which saves the move that v1 needs. So cpuacct is only the fallback.
        let cpu = if v2.is_none() { v1("cpuacct") } else { None };
        if v2.is_none() && cpu.is_none() {
            return Err("no control group counts CPU time".to_owned());
        }
        Ok(Self::new(
            PlaceKind::V1 {
                memory,
                processes: v1("pids"),
                cpu,
                v2,
            },
            true,
        ))
    }

    fn find_v2(v2: &Hierarchy) -> Result<Self, String> {
        let own = &v2.own;
        let below_own = PlaceKind::V2(own.clone());
        if passes_on(own) && is_writable(own) {
            return Ok(Self::new(below_own, true));
        }
        let us = std::process::id().to_string();
        let others = words(&own.join("cgroup.procs"))
            .iter()
            .any(|pid| *pid != us);
        // Only the root of the whole hierarchy has no type; it may have processes and pass
        // controllers on.
        let is_top = !own.join("cgroup.type").exists();
        let mut reasons = Vec::new();
        if is_top {
            match fs::write(own.join("cgroup.subtree_control"), "+memory +pids") {
                Ok(()) => return Ok(Self::new(below_own, true)),
                Err(error) => {
                    reasons.push(format!("cannot divide the topmost control group: {error}"));
                }
            }
        } else if others {
            reasons.push(format!(
                "judge's control group `{}` contains other processes",
                own.display()
            ));
        } else {
            // This process is alone, so moving it one group down leaves the group empty, and an
            // empty group may pass controllers on.
            match move_down(own) {
                Ok(leaf) => {
                    // The groups are siblings of the leaf that contains this process now.
                    let mut place = Self::new(below_own, false);
                    place.moved = Some((own.clone(), leaf));
                    return Ok(place);
                }
                Err(error) => reasons.push(format!(
                    "cannot divide judge's control group `{}`: {error}",
                    own.display()
                )),
            }
        }
        match own.parent().filter(|parent| parent.starts_with(&v2.mount)) {
            None => reasons.push("its parent is not visible".to_owned()),
            Some(parent) if !passes_on(parent) => {
                reasons.push(format!(
                    "its parent `{}` does not pass on memory and pids",
                    parent.display()
                ));
            }
            Some(parent) if !is_writable(parent) => {
                reasons.push(format!(
                    "its parent `{}` is not writable for judge",
                    parent.display()
                ));
            }
            Some(parent) => {
                let limit = words(&own.join("memory.max"));
                // A sibling of the own group is outside of its memory limit. That limit is meant to
                // hold for everything that this process starts.
                if limit == ["max"] {
                    return Ok(Self::new(PlaceKind::V2(parent.to_owned()), false));
                }
                reasons.push(format!(
                    "`{}` limits the memory of judge, and a group next to it would evade that limit",
                    own.display()
                ));
            }
        }
        if others && !is_top && is_delegated(v2) {
            match divide(own) {
                // Never undone: another harness may use the place by then.
                Ok(()) => return Ok(Self::new(below_own, false)),
                Err(error) => reasons.push(format!(
                    "it was delegated to judge but cannot be divided: {error}"
                )),
            }
        }
        Err(format!(
            "{}; hint: `systemd-run --scope -p Delegate=yes` (with `--user` unless root) starts a command in its own control group",
            reasons.join("; ")
        ))
    }

    /// The version of the hierarchy that limits memory.
    pub(crate) fn version(&self) -> u8 {
        match self.kind {
            PlaceKind::V1 { .. } => 1,
            PlaceKind::V2(_) => 2,
        }
    }

    /// Creates a group for a slot.
    pub(crate) fn group(&self) -> Result<SlotGroup, SandboxError> {
        let name = name::fresh().ok_or_else(|| SandboxError::helper("`/proc` is not mounted"))?;
        let mut group = SlotGroup::empty();
        match &self.kind {
            PlaceKind::V2(parent) => {
                group.make(parent.join(name))?;
                open_v2_core(&mut group)?;
                group.open(Role::MemoryLimit, "memory.max", OFlags::WRONLY)?;
                // Missing if the kernel has no swap.
                let _ = group.set("memory.swap.max", "0");
                // Kills all processes of the run together. If only a helper process of a program
                // were killed, the program might write a wrong answer instead of exceeding the
                // memory limit.
                let _ = group.set("memory.oom.group", "1");
                group.open(Role::MemoryUsage, "memory.current", OFlags::RDONLY)?;
                // Since Linux 6.12, a write resets the peak for the open file. Before that version,
                // root can still open the file for writing, and only the write fails. Before 5.19
                // the file is missing.
                let is_resettable = group
                    .open(Role::MemoryPeak, "memory.peak", OFlags::RDWR)
                    .is_ok();
                if !is_resettable {
                    group.open_if_present(Role::MemoryPeak, "memory.peak", OFlags::RDONLY);
                }
                let peak = group
                    .files
                    .last()
                    .filter(|_| is_resettable)
                    .map(|(_, file)| rustix::io::write(file, b"0"));
                group.single_use = !matches!(peak, Some(Ok(_)));
                group.open(Role::MemoryEvents, "memory.events", OFlags::RDONLY)?;
                group.open_if_present(Role::MemoryReclaim, "memory.reclaim", OFlags::WRONLY);
                group.open_if_present(Role::KernelMemory, "memory.stat", OFlags::RDONLY);
                open_pids(&mut group)?;
            }
            PlaceKind::V1 {
                memory,
                processes,
                cpu,
                v2,
            } => {
                if let Some(v2) = v2 {
                    group.make(v2.join(&name))?;
                    open_v2_core(&mut group)?;
                }
                if let Some(processes) = processes {
                    group.make(processes.join(&name))?;
                    open_pids(&mut group)?;
                    group.open(Role::Join, "tasks", OFlags::WRONLY)?;
                }
                if let Some(cpu) = cpu {
                    group.make(cpu.join(&name))?;
                    group.open(Role::CpuAccount, "cpuacct.usage", OFlags::RDONLY)?;
                    group.open(Role::Join, "tasks", OFlags::WRONLY)?;
                }
                group.make(memory.join(&name))?;
                // Without swap accounting (`memsw` missing), only this keeps a program from
                // swapping instead of being killed.
                let _ = group.set("memory.swappiness", "0");
                group.open(Role::MemoryLimit, "memory.limit_in_bytes", OFlags::WRONLY)?;
                group.open_if_present(
                    Role::MemoryAndSwapLimit,
                    "memory.memsw.limit_in_bytes",
                    OFlags::WRONLY,
                );
                group.open(Role::MemoryUsage, "memory.usage_in_bytes", OFlags::RDONLY)?;
                group.open(Role::MemoryPeak, "memory.max_usage_in_bytes", OFlags::RDWR)?;
                group.open(Role::MemoryEvents, "memory.oom_control", OFlags::RDONLY)?;
                group.open_if_present(Role::MemoryReclaim, "memory.force_empty", OFlags::WRONLY);
                group.open_if_present(
                    Role::KernelMemory,
                    "memory.kmem.usage_in_bytes",
                    OFlags::RDONLY,
                );
                group.open(Role::Join, "tasks", OFlags::WRONLY)?;
            }
        }
        Ok(group)
    }

    /// Removes groups that dead harnesses left in this place.
    pub(crate) fn sweep(&self) -> u32 {
        let parents: Vec<&PathBuf> = match &self.kind {
            PlaceKind::V2(parent) => vec![parent],
            PlaceKind::V1 {
                memory,
                processes,
                cpu,
                v2,
            } => [Some(memory), processes.as_ref(), cpu.as_ref(), v2.as_ref()]
                .into_iter()
                .flatten()
                .collect(),
        };
        parents.into_iter().map(|parent| super::sweep(parent)).sum()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((own, leaf)) = self.moved.take() {
            // Best effort: the owner of this process's group removes it together with all groups
            // below. Controllers first: while they are passed on, no process may be in the group
            // itself.
            let _ = fs::write(own.join("cgroup.subtree_control"), "-memory -pids");
            let _ = fs::write(own.join("cgroup.procs"), "0");
            let _ = rustix::fs::rmdir(&leaf);
        }
    }
}

/// The files of a v2 group that need no controller.
fn open_v2_core(group: &mut SlotGroup) -> Result<(), SandboxError> {
    group.open(Role::BornInto, ".", OFlags::RDONLY | OFlags::DIRECTORY)?;
    group.open(Role::CpuStat, "cpu.stat", OFlags::RDONLY)
}

/// The files of the pids controller.
fn open_pids(group: &mut SlotGroup) -> Result<(), SandboxError> {
    group.open(Role::ProcessLimit, "pids.max", OFlags::WRONLY)?;
    group.open(Role::ProcessCount, "pids.current", OFlags::RDONLY)
}

/// True if the own group is delegated to this process and may be divided: it belongs to an ordinary
/// user, to whom it must have been delegated, or it is the topmost one that a container sees. A
/// group that systemd created for a login of root is not delegated.
fn is_delegated(v2: &Hierarchy) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    is_writable(&v2.own)
        && is_writable(&v2.own.join("cgroup.procs"))
        && (!is_root || v2.own == v2.mount)
}

/// The group for all other processes of a group that was delegated to this process. Its name
/// differs from those of slots' groups, so that no harness mistakes it for the group of a dead
/// harness and kills the processes in it.
const OTHERS: &str = "judge.others";

/// Moves all processes of a group, this one among them, to a group below, so that the group can
/// pass controllers on.
fn divide(own: &Path) -> std::io::Result<()> {
    let leaf = own.join(OTHERS);
    match fs::create_dir(&leaf) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let move_all = |from: &Path, to: &Path| {
        for pid in words(&from.join("cgroup.procs")) {
            match fs::write(to.join("cgroup.procs"), &pid) {
                // It has ended meanwhile.
                Err(error) if Errno::from_io_error(&error) == Some(Errno::SRCH) => {}
                other => other?,
            }
        }
        Ok(())
    };
    let mut divided = Ok(());
    // Processes that are being moved may fork meanwhile, and then the group is not empty (EBUSY).
    for _ in 0..20 {
        divided = move_all(own, &leaf)
            .and_then(|()| fs::write(own.join("cgroup.subtree_control"), "+memory +pids"));
        match &divided {
            // A process appeared in the group since the list was read: it is moved in the next
            // round.
            Err(error) if Errno::from_io_error(error) == Some(Errno::BUSY) => {}
            _ => break,
        }
    }
    if divided.is_err() {
        let _ = move_all(&leaf, own);
        let _ = rustix::fs::rmdir(&leaf);
    }
    divided
}

/// Moves this process, alone in its group, into a new group below, so that the old one can pass
/// controllers on.
fn move_down(own: &Path) -> std::io::Result<PathBuf> {
    let name = name::fresh().ok_or_else(|| std::io::Error::other("`/proc` is not mounted"))?;
    let leaf = own.join(name);
    fs::create_dir(&leaf)?;
    let divided = fs::write(leaf.join("cgroup.procs"), "0")
        .and_then(|()| fs::write(own.join("cgroup.subtree_control"), "+memory +pids"));
    if let Err(error) = divided {
        let _ = fs::write(own.join("cgroup.procs"), "0");
        let _ = rustix::fs::rmdir(&leaf);
        return Err(error);
    }
    Ok(leaf)
}

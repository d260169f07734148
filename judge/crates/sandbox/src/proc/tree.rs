//! Measuring a running process tree without a control group.
//!
//! Responsible for the CPU time and memory of all living processes of a run, from the zygote's
//! `/proc`, and for keeping the zygote responsive when there are many. Must not know limits.

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::process::{
    Pid, Uid, geteuid, parent_process_death_signal, set_parent_process_death_signal,
    setpriority_pgrp, setpriority_process,
};
use rustix::thread::set_thread_res_uid;

use crate::kernel;
use crate::proc::address_spaces;
use crate::proc::files::{self, read, stat_field, status_number, threads};

/// The maximum number of processes that keep their priority. Compilers and interpreters start fewer
/// for one program.
const MAX_AT_NORMAL_PRIORITY: usize = 16;
/// The minimum size of page tables that is counted, in bytes.
const MIN_PAGE_TABLES: u64 = 1 << 20;
/// The number of attempts to read the threads of a process before it counts as one without memory.
const MAX_ATTEMPTS: usize = 4;
/// The lowest priority (nice(2)), at which very many processes together get about as much time as
/// their watcher.
const LOWEST_PRIORITY: i32 = 19;

/// A sample of the resources that the living processes of a run have used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sample {
    /// Their CPU time, and that of dead children that were waited for.
    pub(crate) cpu: Duration,
    /// An estimate: the anonymous memory of all of them, or the resident memory of the largest if
    /// that is more.
    pub(crate) memory: u64,
    /// The resident memory of the largest.
    pub(crate) largest: u64,
    /// The largest anonymous memory of a process: a lower bound for all of them together.
    pub(crate) lower_bound: u64,
    /// The resident memory of all of them, with shared pages counted for each: an upper bound for
    /// all of them together.
    pub(crate) upper_bound: u64,
    /// The number of living processes.
    pub(crate) processes: u64,
}

/// The members of a run: the processes that belong to it, with their user if it is not the
/// caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Members {
    /// All in the zygote's pid namespace but the zygote itself, which is its pid 1.
    Namespace(Option<u32>),
    /// All descendants of the run's init.
    Descendants(Option<u32>),
}

/// The CPU time of each process of a run at the last sample.
///
/// The kernel adds the CPU time of a process to that of its parent when it is waited for, and never
/// if the parent ignores its end (`SA_NOCLDWAIT` in sigaction(2)). So the last known time of
/// processes that have ended is counted here.
#[derive(Debug, Default)]
pub(crate) struct CpuHistory {
    living: BTreeMap<i32, Duration>,
    ended: Duration,
}

impl CpuHistory {
    /// Returns the minimum CPU time that all processes so far have used, given the time of each
    /// living one.
    fn update(&mut self, living: BTreeMap<i32, Duration>) -> Duration {
        for (pid, last) in &self.living {
            // If another process has the number now, the earlier one has ended.
            if living.get(pid).is_none_or(|now| now < last) {
                self.ended += *last;
            }
        }
        self.living = living;
        self.ended + self.living.values().sum::<Duration>()
    }
}

/// Samples every process of a run except its `init`, of which only the reaped orphans count.
pub(crate) fn sample(
    proc: BorrowedFd<'_>,
    init: i32,
    members: Members,
    history: &mut CpuHistory,
) -> Sample {
    let (mut cpu, mut processes, mut own) = (Duration::ZERO, 0, BTreeMap::new());
    let (mut private, mut largest, mut lower_bound, mut upper_bound) = (0, 0, 0, 0);
    for (pid, stat) in living(proc, init, members) {
        // Init's own CPU time does not count, but that of orphans that it has reaped does.
        cpu += waited_children(&stat).unwrap_or_default();
        if pid == init {
            continue;
        }
        processes += 1;
        let used = kernel::process_cpu_time(pid).unwrap_or_default();
        cpu += used;
        own.insert(pid, used);
        // Neither sum is exact, because statm(5) does not show which processes share a page.
        // `private` counts anonymous pages that forks still share once for each process, and omits
        // shared mappings. `upper_bound` counts everything for each process, so the actual total is
        // never higher.
        if let Some(memory) = ProcessMemory::find(proc, pid, &stat) {
            let tables = memory.page_tables();
            let anonymous = memory.resident.saturating_sub(memory.shared) + tables;
            private += anonymous;
            lower_bound = lower_bound.max(anonymous);
            largest = largest.max(memory.resident + tables);
            upper_bound += memory.resident + tables;
        }
    }
    let cpu = cpu.max(history.update(own));
    Sample {
        cpu,
        memory: private.max(largest),
        largest,
        lower_bound,
        upper_bound,
        processes,
    }
}

/// The memory of a run as [`exact_memory`] finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExactMemory {
    /// Bytes of all processes together, each page once.
    Counted(u64),
    /// The processes exist, but the kernel refuses to show their memory: bytes of all of them, with
    /// shared pages counted for each.
    Refused(u64),
    /// All processes have ended, or released their memory, before they could be inspected.
    Ended,
}

/// The memory of a run counted exactly: pages that a fork shares count once, and so does an address
/// space. Slow, since the kernel walks every page. A process can refuse to be inspected
/// (`PR_SET_DUMPABLE(2const)`), but not to be counted: in that case all of its memory counts,
/// including shared pages.
///
/// Only anonymous and shared memory: files that are mapped are the system's cache, as in a control
/// group.
pub(crate) fn exact_memory(proc: BorrowedFd<'_>, init: i32, members: Members) -> ExactMemory {
    let found: Vec<(i32, String, ProcessMemory<'_>)> = living(proc, init, members)
        .into_iter()
        .filter(|(pid, _)| *pid != init)
        .filter_map(|(pid, stat)| {
            ProcessMemory::find(proc, pid, &stat).map(|memory| (pid, stat, memory))
        })
        .collect();
    let threads = Vec::from_iter(found.iter().map(|(.., memory)| memory.thread));
    // Before anything is measured: a process that leaves a shared address space after that is too
    // new to matter.
    let spaces = address_spaces::representatives(proc, &threads);
    let mut known = false;
    let mut shares = Vec::new();
    for ((pid, stat, memory), space) in found.into_iter().zip(spaces) {
        // PSS divides each page by the number of its users, so that the sum over all processes
        // counts it once.
        let rollup = memory
            .read("smaps_rollup")
            .as_deref()
            .and_then(proportional);
        known |= rollup.is_some();
        // Read after that, because a process without memory has ended and does not refuse.
        let Some(memory) = ProcessMemory::find(proc, pid, &stat) else {
            continue;
        };
        let share = rollup.map_or_else(|| memory.without_files(), |rollup| rollup << 10);
        shares.push((pid, stat, space, share + memory.page_tables()));
    }
    // A process that has ended meanwhile left its share to others, which may have been measured
    // after that.
    shares.retain(|(pid, stat, ..)| ProcessMemory::find(proc, *pid, stat).is_some());
    let mut of_spaces: BTreeMap<usize, u64> = BTreeMap::new();
    for (.., space, share) in shares {
        let largest = of_spaces.entry(space).or_default();
        *largest = share.max(*largest);
    }
    match (of_spaces.is_empty(), known) {
        (true, _) => ExactMemory::Ended,
        (false, true) => ExactMemory::Counted(of_spaces.values().sum()),
        (false, false) => ExactMemory::Refused(of_spaces.values().sum()),
    }
}

/// A process that has memory, and where `/proc` shows it.
struct ProcessMemory<'a> {
    proc: BorrowedFd<'a>,
    /// The thread whose files show it. Each has a directory directly below `/proc`, although only
    /// processes are listed.
    thread: i32,
    /// The size of all mappings, and how much of them is resident, and shared, in bytes.
    size: u64,
    resident: u64,
    shared: u64,
}

impl<'a> ProcessMemory<'a> {
    /// `None` if the process has ended, or has released its memory. When its first thread has ended
    /// before the others (pthread_exit(3)), the files of the process look like those of a dead one,
    /// and another thread shows the memory.
    fn find(proc: BorrowedFd<'a>, pid: i32, stat: &str) -> Option<Self> {
        let try_thread = |thread: i32| {
            let (size, resident, shared) =
                size_resident_and_shared(&read(proc, thread, "statm").ok()?)?;
            (size > 0).then_some(Self {
                proc,
                thread,
                size,
                resident,
                shared,
            })
        };
        let others = || {
            threads(proc, pid)
                .into_iter()
                .filter(|thread| *thread != pid)
                .find_map(try_thread)
        };
        // Threads that only start the next one and exit may be gone before they are read.
        try_thread(pid).or_else(|| {
            (0..MAX_ATTEMPTS)
                .filter(|_| has_other_threads(stat))
                .find_map(|_| others())
        })
    }

    fn read(&self, name: &str) -> Option<String> {
        read(self.proc, self.thread, name).ok()
    }

    /// The memory of the page tables, which is needed even for pages that were only read and take
    /// no memory themselves. Read only where there can be much of it: a table of the lowest kind
    /// maps 512 times its own size.
    fn page_tables(&self) -> u64 {
        if self.size / 512 < MIN_PAGE_TABLES {
            0
        } else {
            self.status("VmPTE:").unwrap_or(0)
        }
    }

    /// The resident memory except for files: private and shared.
    fn without_files(&self) -> u64 {
        self.resident.saturating_sub(self.shared) + self.status("RssShmem:").unwrap_or(self.shared)
    }

    /// A field of `/proc/PID/status` in bytes (proc_pid_status(5)), which a process cannot refuse
    /// to show.
    fn status(&self, field: &str) -> Option<u64> {
        status_number(&self.read("status")?, field).map(|kib| kib << 10)
    }
}

/// `Pss_Anon` and `Pss_Shmem` of `/proc/PID/smaps_rollup` in KiB (the kernel's
/// `Documentation/ABI/testing/procfs-smaps_rollup`).
fn proportional(rollup: &str) -> Option<u64> {
    let field = |name: &str| {
        let value = rollup
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some(field("Pss_Anon")? + field("Pss_Shmem")?)
}

/// Returns the run's processes with the texts of their `stat`. If there are many, they get the
/// lowest priority from now on.
pub(crate) fn living(proc: BorrowedFd<'_>, init: i32, members: Members) -> Vec<(i32, String)> {
    let mut pids = files::processes(proc);
    let with_stat = |pid: i32| Some((pid, read(proc, pid, "stat").ok()?));
    let owner = match members {
        Members::Namespace(owner) => {
            // Pid 1 of the namespace is the zygote itself.
            pids.retain(|pid| *pid != 1);
            lower_priority_of_many(&pids, init, owner);
            return pids.into_iter().filter_map(with_stat).collect();
        }
        Members::Descendants(owner) => owner,
    };
    let mut all: Vec<(i32, String)> = pids.into_iter().filter_map(with_stat).collect();
    // The parent of an orphan is init, which adopts all of them, so every process of the run
    // is found below it.
    let parents = all.iter();
    let parents = parents.filter_map(|(pid, stat)| Some((*pid, parent(stat)?)));
    let found = descendants(init, parents);
    all.retain(|(pid, _)| found.contains(pid));
    let pids: Vec<i32> = all.iter().map(|(pid, _)| *pid).collect();
    lower_priority_of_many(&pids, init, owner);
    all
}

/// Gives the processes the lowest priority if there are many. An unprivileged watcher competes with
/// them for the processors: reading a hundred of them would take it a hundred turns, during which
/// they compute for seconds. Processes that they start later inherit the priority.
fn lower_priority_of_many(processes: &[i32], init: i32, owner: Option<u32>) {
    if processes.len() <= MAX_AT_NORMAL_PRIORITY {
        return;
    }
    let of_run = processes
        .iter()
        .filter(|process| **process != init)
        .filter_map(|process| Pid::from_raw(*process));
    with_rights_of(owner, || {
        for process in of_run {
            // The first call reaches all threads of the group that the process may lead, usually
            // all processes. The second reaches only the first thread of the process.
            let _ = setpriority_pgrp(Some(process), LOWEST_PRIORITY);
            let _ = setpriority_process(Some(process), LOWEST_PRIORITY);
        }
    });
}

/// Runs an action with the rights that a user has over its own processes, and restores the caller's
/// user afterwards. In containers, root does not have `SYS_NICE`, without which only the user of a
/// process may change its priority (setpriority(2)).
///
/// The real and the saved number stay the caller's own. The saved one allows going back, and as
/// long as both are the caller's, no process of that user may signal or trace this one.
fn with_rights_of(user: Option<u32>, action: impl FnOnce()) {
    let Some(user) = user else { return action() };
    let own = geteuid();
    // The kernel forgets the signal at the parent's death with every change of the user
    // (`PR_SET_PDEATHSIG(2const)`).
    let signal = parent_process_death_signal();
    let _ = set_thread_res_uid(own, Uid::from_raw(user), own);
    action();
    let _ = set_thread_res_uid(own, own, own);
    if let Ok(signal) = signal {
        let _ = set_parent_process_death_signal(signal);
    }
}

/// A process and all its descendants, from pairs of process and parent. There may be hundreds of
/// pairs, all of them computing, and the caller has to kill them with the remaining processor time,
/// so no pair is visited twice.
fn descendants(root: i32, parents: impl Iterator<Item = (i32, i32)>) -> BTreeSet<i32> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for (pid, parent) in parents {
        children.entry(parent).or_default().push(pid);
    }
    let (mut found, mut left) = (BTreeSet::from([root]), vec![root]);
    while let Some(parent) = left.pop() {
        left.extend(
            children
                .remove(&parent)
                .unwrap_or_default()
                .into_iter()
                .filter(|pid| found.insert(*pid)),
        );
    }
    found
}

/// `cutime` and `cstime` of proc_pid_stat(5): the CPU time of dead children that were waited for.
fn waited_children(stat: &str) -> Option<Duration> {
    let (user, system): (u64, u64) = (stat_field(stat, 16)?, stat_field(stat, 17)?);
    // The unit is 1/100 s on every Linux (USER_HZ).
    Some(Duration::from_millis(10 * (user + system)))
}

/// `ppid` of proc_pid_stat(5).
fn parent(stat: &str) -> Option<i32> {
    stat_field(stat, 4)
}

/// True if a process has threads besides its first one, by `num_threads` of proc_pid_stat(5).
fn has_other_threads(stat: &str) -> bool {
    stat_field(stat, 20).is_some_and(|threads: u64| threads > 1)
}

/// The first three fields of proc_pid_statm(5), in bytes.
fn size_resident_and_shared(statm: &str) -> Option<(u64, u64, u64)> {
    let page = kernel::page_size();
    let mut pages = statm
        .split_whitespace()
        .map_while(|field| field.parse::<u64>().ok());
    Some((
        pages.next()? * page,
        pages.next()? * page,
        pages.next()? * page,
    ))
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;

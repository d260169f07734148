//! The control group of a slot, as its zygote uses it.
//!
//! Responsible for setting limits and reading what a run used, through descriptors that the harness
//! opened. Must not know where the group lies or how it is made.

use std::cell::Cell;
use std::io::Write as _;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::kernel;
use crate::protocol::messages::Role;

/// The number of bytes by which the memory that is left in the group may grow from run to run.
const MAX_LEFTOVER: u64 = 2 << 20;
/// The time that the kernel may take to free the memory that it held for the processes of an
/// earlier run, and the time without any decrease after which the rest counts as cache. It takes a
/// few milliseconds, and more on a busy host.
const MAX_FREEING_TIME: Duration = Duration::from_secs(5);
const STEADY_TIME: Duration = Duration::from_millis(200);
const FREEING_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The baseline of a run: the state of its group before it started.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Baseline {
    cpu: Duration,
    memory: u64,
    kills: u64,
    /// The number of times that the group reached its limit, which only v2 counts.
    limit_reached: u64,
}

/// The resources that a run used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupUsage {
    pub(super) cpu: Duration,
    pub(super) memory: u64,
    pub(super) kills: u32,
    /// True if processes were killed although the group's own limit was not reached.
    pub(super) is_host_out_of_memory: bool,
}

/// The group of a slot. Only programs are ever in it: neither the zygote nor a run's init, so that
/// a lack of memory in it ends neither of them.
pub(super) struct Group {
    files: Vec<(Role, OwnedFd)>,
    /// The lists of the v1 groups, by which a process joins them.
    joined: Vec<OwnedFd>,
    /// The number of bytes that the kernel may have charged ahead: 64 pages for each processor
    /// (`MEMCG_CHARGE_BATCH` in mm/memcontrol.c). The baseline includes it although the run will
    /// use it, so the reported memory is rather a little too high than too low.
    reserve: u64,
    /// The memory that was left in use when a run began last, and how much of that the kernel held
    /// at the last check.
    left: Cell<u64>,
    kernel_left: Cell<u64>,
    memory_limit: Cell<u64>,
    process_limit: Cell<u64>,
}

impl Group {
    /// Takes over a group.
    pub(super) fn new(files: Vec<(Role, OwnedFd)>) -> Self {
        // The lists of v1 groups come several times under one role, and all of them are
        // needed. Every other role has one file.
        let (joined, files): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|(role, _)| *role == Role::Join);
        let joined = joined.into_iter().map(|(_, tasks)| tasks).collect();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let reserve = processors as u64 * 64 * kernel::page_size();
        Self {
            files,
            joined,
            reserve,
            left: Cell::new(0),
            kernel_left: Cell::new(0),
            memory_limit: Cell::new(u64::MAX),
            process_limit: Cell::new(u64::MAX),
        }
    }

    fn file(&self, role: Role) -> Option<BorrowedFd<'_>> {
        self.files
            .iter()
            .find(|(found, _)| *found == role)
            .map(|(_, fd)| fd.as_fd())
    }

    /// The lists of the v1 groups, which no process can be born into: the program's process joins
    /// them.
    pub(super) fn joined(&self) -> &[OwnedFd] {
        &self.joined
    }

    /// The directory of the group that programs are born into.
    pub(super) fn born_into(&self) -> Option<BorrowedFd<'_>> {
        self.file(Role::BornInto)
    }

    /// True if the group limits the number of processes.
    pub(super) fn limits_processes(&self) -> bool {
        self.file(Role::ProcessLimit).is_some()
    }

    /// Sets the limits of a run and notes where its counters start.
    pub(super) fn prepare(&self, memory: u64, processes: u32) -> Result<Baseline, Errno> {
        // Before the limit is set: a limit below what is in use would make the kernel reclaim, or
        // kill the first process of the run.
        let usage = self.free_memory(memory);
        self.limit_memory(memory & !0xfff)?;
        let processes = u64::from(processes);
        // A limit that is in force is not written again: most runs of a slot have the same
        // one, and each write is a system call.
        if processes != self.process_limit.get()
            && let Some(file) = self.file(Role::ProcessLimit)
        {
            write_number(file, processes)?;
            self.process_limit.set(processes);
        }
        if let Some(peak) = self.file(Role::MemoryPeak) {
            // In v2, any write resets the peak, but only for the same open file (Linux 6.12).
            // Otherwise, the harness hands over a new group for each run.
            let _ = rustix::io::pwrite(peak, b"0", 0);
        }
        Ok(Baseline {
            cpu: self.cpu(),
            memory: usage,
            kills: self.kills(),
            limit_reached: self.limit_reached().unwrap_or(0),
        })
    }

    /// Prepares one run of a warm program, whose `own` memory counts for the run too.
    pub(super) fn prepare_again(
        &self,
        memory: u64,
        processes: u32,
        own: u64,
    ) -> Result<Baseline, Errno> {
        let baseline = self.prepare(memory, processes)?;
        Ok(Baseline {
            memory: baseline.memory.saturating_sub(own),
            ..baseline
        })
    }

    /// The memory in use beyond the amount at the beginning of a run.
    pub(super) fn memory_used(&self, baseline: &Baseline) -> u64 {
        self.number(Role::MemoryUsage)
            .saturating_sub(baseline.memory)
    }

    /// The number of processes and threads in the group.
    pub(super) fn processes(&self) -> u64 {
        self.number(Role::ProcessCount)
    }

    /// Frees memory for a run. Returns the number of bytes that remain in use.
    fn free_memory(&self, limit: u64) -> u64 {
        // Usually nothing has grown, and this one read is the only cost for a run.
        let mut usage = self.number(Role::MemoryUsage);
        if usage > self.left.get().max(self.reserve) + MAX_LEFTOVER {
            self.await_freeing();
            usage = self.number(Role::MemoryUsage);
        }
        self.left.set(self.give_back_cache(limit, usage));
        self.left.get()
    }

    /// Waits until the kernel has freed its own memory for processes that are dead, such as their
    /// page tables. It does so only when no processor can be using it any more (`call_rcu` in its
    /// mm/mmu_gather.c), which is after their end was reported. Unlike cache, that memory is not
    /// reclaimed when the next run needs memory: that run would be killed instead. The part that
    /// does not become less is cache of the kernel, such as names of files.
    fn await_freeing(&self) {
        let begun = Instant::now();
        let (mut min_held, mut since) = (u64::MAX, begun);
        loop {
            let (held, now) = (self.kernel_memory(), Instant::now());
            if held < min_held {
                (min_held, since) = (held, now);
            }
            if held <= self.kernel_left.get() + MAX_LEFTOVER
                || now - since >= STEADY_TIME
                || now - begun >= MAX_FREEING_TIME
            {
                break;
            }
            std::thread::sleep(FREEING_POLL_INTERVAL);
        }
        self.kernel_left.set(min_held);
    }

    /// The memory that the kernel holds on behalf of the group, according to its counters.
    fn kernel_memory(&self) -> u64 {
        kernel_memory(self.read(Role::KernelMemory, &mut [0; 4096]))
    }

    /// The kernel gives up cache of earlier runs in the group when room is needed, but a run that
    /// needs that room could not be distinguished from one that used it. Only a lot of it is given
    /// back: the next run would have to read it again. Returns what is left in use.
    fn give_back_cache(&self, limit: u64, usage: u64) -> u64 {
        if usage <= (limit / 2).max(MAX_LEFTOVER + self.reserve) {
            return usage;
        }
        let Some(reclaim) = self.file(Role::MemoryReclaim) else {
            return usage;
        };
        // v2 needs the amount; v1 takes all that it can get, and ignores the value. Memory that
        // cannot be reclaimed stays.
        let _ = write_number(
            reclaim,
            if self.file(Role::MemoryAndSwapLimit).is_some() {
                0
            } else {
                usage
            },
        );
        self.number(Role::MemoryUsage)
    }

    fn limit_memory(&self, limit: u64) -> Result<(), Errno> {
        if limit == self.memory_limit.get() {
            return Ok(());
        }
        let Some(memory) = self.file(Role::MemoryLimit) else {
            return Ok(());
        };
        // v1 keeps "memory <= memory and swap" at all times, so the order depends on the direction.
        match self.file(Role::MemoryAndSwapLimit) {
            Some(both) if limit > self.memory_limit.get() => {
                write_number(both, limit)?;
                write_number(memory, limit)?;
            }
            Some(both) => {
                write_number(memory, limit)?;
                write_number(both, limit)?;
            }
            None => write_number(memory, limit)?,
        }
        self.memory_limit.set(limit);
        Ok(())
    }

    /// The CPU time that the group has used in its life.
    fn cpu(&self) -> Duration {
        if self.file(Role::CpuStat).is_some() {
            return Duration::from_micros(self.field(Role::CpuStat, "usage_usec"));
        }
        Duration::from_nanos(self.number(Role::CpuAccount))
    }

    /// The CPU time of the run so far.
    pub(super) fn cpu_since(&self, baseline: &Baseline) -> Duration {
        self.cpu().saturating_sub(baseline.cpu)
    }

    fn kills(&self) -> u64 {
        self.field(Role::MemoryEvents, "oom_kill")
    }

    /// The number of times that the kernel wanted to kill because of this group's own limit (`oom` of
    /// `memory.events`, cgroup-v2.rst); `None` in v1.
    fn limit_reached(&self) -> Option<u64> {
        field(self.read(Role::MemoryEvents, &mut [0; 1024]), "oom")
    }

    /// True if the group's own memory limit is not the reason for kills.
    fn is_host_out_of_memory(&self, baseline: &Baseline) -> bool {
        let limit = self.memory_limit.get();
        match self.limit_reached() {
            Some(reached) => reached == baseline.limit_reached,
            // The charge for which the kernel kills is not in the peak: at most a huge page, and what
            // is charged ahead.
            None => {
                let slack = self.reserve + MAX_LEFTOVER;
                self.number(Role::MemoryPeak)
                    .saturating_add(slack.max(limit / 16))
                    < limit
            }
        }
    }

    /// The resources that the run used, once all of it is dead.
    pub(super) fn used_since(&self, baseline: &Baseline) -> GroupUsage {
        let kills = u32::try_from(self.kills().saturating_sub(baseline.kills)).unwrap_or(u32::MAX);
        // No process was killed, so the limit held, and any excess was charged ahead.
        let max_memory = if kills == 0 {
            self.memory_limit.get()
        } else {
            u64::MAX
        };
        GroupUsage {
            cpu: self.cpu_since(baseline),
            memory: self.memory_since(baseline).min(max_memory),
            kills,
            is_host_out_of_memory: kills > 0 && self.is_host_out_of_memory(baseline),
        }
    }

    fn memory_since(&self, baseline: &Baseline) -> u64 {
        let peak = self.number(Role::MemoryPeak);
        // Memory of earlier runs is still in the group, unless the limit was reached: then the
        // kernel has reclaimed it. A charge that does not fit is not added to the peak
        // (`page_counter_try_charge` in mm/page_counter.c), so a group that reached its limit may
        // show a little less. The reserve is the tolerance for that.
        let reached = peak.saturating_add(self.reserve) >= self.memory_limit.get();
        let others = if reached { 0 } else { baseline.memory };
        peak.saturating_sub(others.saturating_sub(self.reserve))
    }

    /// Reads the beginning of a file; nothing if the group has no such file or it is unreadable.
    fn read<'b>(&self, role: Role, buffer: &'b mut [u8]) -> &'b [u8] {
        let file = self.file(role);
        let count = file.and_then(|file| rustix::io::pread(file, &mut *buffer, 0).ok());
        &buffer[..count.unwrap_or(0)]
    }

    fn number(&self, role: Role) -> u64 {
        number(self.read(role, &mut [0; 64])).unwrap_or(0)
    }

    fn field(&self, role: Role, name: &str) -> u64 {
        // `cpu.stat` and `memory.events` are shorter than this. Of a longer file the fields at
        // its beginning are found, which these are.
        field(self.read(role, &mut [0; 1024]), name).unwrap_or(0)
    }
}

/// The kernel's memory in v1 `memory.kmem.usage_in_bytes`, or in v2 `memory.stat`: `kernel` since
/// Linux 5.18, before which only the largest parts are listed.
fn kernel_memory(text: &[u8]) -> u64 {
    number(text)
        .or_else(|| field(text, "kernel"))
        .unwrap_or_else(|| {
            ["kernel_stack", "pagetables", "slab"]
                .iter()
                .filter_map(|name| field(text, name))
                .sum()
        })
}

fn write_number(file: BorrowedFd<'_>, value: u64) -> Result<(), Errno> {
    let mut text = [0; 24];
    let mut rest = &mut text[..];
    let _ = write!(rest, "{value}");
    // Formatted into an array, so that nothing is allocated. The kernel wants the whole number
    // in one write.
    let length = 24 - rest.len();
    rustix::io::pwrite(file, &text[..length], 0).map(drop)
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}

/// The value in a line `name value` of a flat keyed file.
fn field(text: &[u8], name: &str) -> Option<u64> {
    let line = std::str::from_utf8(text)
        .ok()?
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_keyed_files_are_read_by_whole_names() {
        let text = b"oom_kill_disable 0\nunder_oom 0\noom_kill 7\n";
        assert_eq!(field(text, "oom_kill"), Some(7));
        assert_eq!(
            field(b"usage_usec 123\nuser_usec 99\n", "usage_usec"),
            Some(123)
        );
        assert_eq!(field(b"low 0\n", "oom_kill"), None);
        assert_eq!(number(b"4096\n"), Some(4096));
        assert_eq!(number(b"max\n"), None);
    }

    #[test]
    fn kernel_memory_is_read_in_both_versions() {
        assert_eq!(kernel_memory(b"5242880\n"), 5_242_880);
        assert_eq!(
            kernel_memory(
                b"anon 7\nfile 9\nkernel 300\nkernel_stack 100\npagetables 150\nslab 20\n"
            ),
            300
        );
        assert_eq!(
            kernel_memory(b"anon 7\nfile 9\nkernel_stack 100\npagetables 150\nslab 20\n"),
            270
        );
        assert_eq!(kernel_memory(b""), 0);
    }
}

//! The control group of a slot, as its zygote uses it.
//!
//! Responsible for setting limits and reading what a run used, through descriptors that the harness opened. Must not
//! know where the group lies or how it is made.

use std::io::Write as _;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::io::Errno;

use crate::kernel;
use crate::messages::Role;

/// Memory of the zygote itself and of the kernel on its behalf, which the program is not charged for. More than this
/// in the group is cache that the kernel gives up when the program needs room.
const MOST_OVERHEAD: u64 = 2 << 20;

/// What a run found in its group before it started.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Baseline {
    cpu: Duration,
    memory: u64,
    /// The part of the memory that the limit was raised for.
    overhead: u64,
    kills: u64,
}

/// What a run used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    pub(super) cpu: Duration,
    pub(super) memory: u64,
    pub(super) kills: u32,
}

/// The group of a slot.
pub(super) struct Group {
    files: Vec<(Role, OwnedFd)>,
    /// Whether the zygote and the run's init live in the group too (v1).
    shared: bool,
    /// How much the kernel may have charged ahead: 64 pages for each processor (`MEMCG_CHARGE_BATCH` in
    /// mm/memcontrol.c). The baseline counts it although the run will use it, so a run is reported with a little too
    /// much rather than too little.
    reserve: u64,
    memory_limit: u64,
    process_limit: u64,
}

impl Group {
    /// Takes over a group, and joins it where programs cannot be born into it otherwise.
    pub(super) fn new(files: Vec<(Role, OwnedFd)>) -> Result<Self, Errno> {
        let mut shared = false;
        for (_, procs) in files.iter().filter(|(role, _)| *role == Role::Join) {
            rustix::io::write(procs, b"0")?;
            shared = true;
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let reserve = processors as u64 * 64 * kernel::page_size();
        Ok(Self { files, shared, reserve, memory_limit: u64::MAX, process_limit: u64::MAX })
    }

    fn file(&self, role: Role) -> Option<BorrowedFd<'_>> {
        self.files.iter().find(|(found, _)| *found == role).map(|(_, fd)| fd.as_fd())
    }

    /// Whether the zygote itself could be a victim of the group's memory limit.
    pub(super) fn is_shared(&self) -> bool {
        self.shared
    }

    /// The directory of the group that programs are born into.
    pub(super) fn born_into(&self) -> Option<BorrowedFd<'_>> {
        self.file(Role::BornInto)
    }

    /// Whether the group limits the number of processes.
    pub(super) fn limits_processes(&self) -> bool {
        self.file(Role::ProcessLimit).is_some()
    }

    /// Sets the limits of a run and notes where its counters start.
    pub(super) fn prepare(&mut self, memory: u64, processes: u32) -> Result<Baseline, Errno> {
        let usage = self.give_back_cache(memory);
        let overhead = if self.shared { usage.min(MOST_OVERHEAD) } else { 0 };
        self.limit_memory(memory.saturating_add(overhead) & !0xfff)?;
        let processes = u64::from(processes) + if self.shared { 2 } else { 0 };
        if processes != self.process_limit
            && let Some(file) = self.file(Role::ProcessLimit)
        {
            write_number(file, processes)?;
            self.process_limit = processes;
        }
        if let Some(peak) = self.file(Role::MemoryPeak) {
            // v2 forgets the peak with any write, but only on files of its own (Linux 6.12); the harness hands over a
            // new group for each run where it cannot.
            let _ = rustix::io::pwrite(peak, b"0", 0);
        }
        Ok(Baseline { cpu: self.cpu(), memory: usage, overhead, kills: self.kills() })
    }

    /// Cache that earlier runs left in the group is given up by itself when room is needed, but a run that needs that
    /// room could not be told from one that used it. Only a lot of it is given back: the next run would have to read it
    /// again. Returns what is left in use.
    fn give_back_cache(&self, limit: u64) -> u64 {
        let usage = self.number(Role::MemoryUsage);
        if usage <= (limit / 2).max(MOST_OVERHEAD + self.reserve) {
            return usage;
        }
        let Some(reclaim) = self.file(Role::MemoryReclaim) else { return usage };
        // v2 wants to know how much; v1 takes all that it can get, whatever is written. What cannot be had stays.
        let _ = write_number(reclaim, if self.file(Role::MemoryAndSwapLimit).is_some() { 0 } else { usage });
        self.number(Role::MemoryUsage)
    }

    fn limit_memory(&mut self, limit: u64) -> Result<(), Errno> {
        if limit == self.memory_limit {
            return Ok(());
        }
        let Some(memory) = self.file(Role::MemoryLimit) else { return Ok(()) };
        // v1 keeps "memory <= memory and swap" at all times, so the order depends on the direction.
        match self.file(Role::MemoryAndSwapLimit) {
            Some(both) if limit > self.memory_limit => {
                write_number(both, limit)?;
                write_number(memory, limit)?;
            }
            Some(both) => {
                write_number(memory, limit)?;
                write_number(both, limit)?;
            }
            None => write_number(memory, limit)?,
        }
        self.memory_limit = limit;
        Ok(())
    }

    /// The CPU time that the group has used in its life.
    fn cpu(&self) -> Duration {
        if let Some(file) = self.file(Role::CpuStat) {
            return Duration::from_micros(self.field(file, "usage_usec"));
        }
        Duration::from_nanos(self.number(Role::CpuAccount))
    }

    /// The CPU time of the run so far.
    pub(super) fn cpu_since(&self, baseline: &Baseline) -> Duration {
        self.cpu().saturating_sub(baseline.cpu)
    }

    fn kills(&self) -> u64 {
        self.file(Role::MemoryEvents).map_or(0, |file| self.field(file, "oom_kill"))
    }

    /// What the run used, once all of it is dead.
    pub(super) fn used_since(&self, baseline: &Baseline) -> Used {
        let kills = u32::try_from(self.kills().saturating_sub(baseline.kills)).unwrap_or(u32::MAX);
        // Nobody was killed, so the limit held, and what seems to be more than it was charged ahead.
        let most = if kills == 0 { self.memory_limit.saturating_sub(baseline.overhead) } else { u64::MAX };
        Used { cpu: self.cpu_since(baseline), memory: self.memory_since(baseline).min(most), kills }
    }

    fn memory_since(&self, baseline: &Baseline) -> u64 {
        let peak = self.number(Role::MemoryPeak);
        // What was there before stays there, unless the limit was reached: then the kernel has taken cache back.
        let reached = peak.saturating_add(self.reserve) >= self.memory_limit;
        let others = if reached { baseline.overhead } else { baseline.memory };
        peak.saturating_sub(others.saturating_sub(self.reserve))
    }

    fn number(&self, role: Role) -> u64 {
        let mut buffer = [0; 64];
        let Some(Ok(count)) = self.file(role).map(|file| rustix::io::pread(file, &mut buffer, 0)) else { return 0 };
        number(&buffer[..count]).unwrap_or(0)
    }

    fn field(&self, file: BorrowedFd<'_>, name: &str) -> u64 {
        let mut buffer = [0; 1024];
        let Ok(count) = rustix::io::pread(file, &mut buffer, 0) else { return 0 };
        field(&buffer[..count], name).unwrap_or(0)
    }
}

fn write_number(file: BorrowedFd<'_>, value: u64) -> Result<(), Errno> {
    let mut text = [0; 24];
    let mut rest = &mut text[..];
    let _ = write!(rest, "{value}");
    let length = 24 - rest.len();
    rustix::io::pwrite(file, &text[..length], 0).map(drop)
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}

/// The value in a line `name value` of a flat keyed file.
fn field(text: &[u8], name: &str) -> Option<u64> {
    let line = std::str::from_utf8(text).ok()?.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_keyed_files_are_read_by_whole_names() {
        let text = b"oom_kill_disable 0\nunder_oom 0\noom_kill 7\n";
        assert_eq!(field(text, "oom_kill"), Some(7));
        assert_eq!(field(b"usage_usec 123\nuser_usec 99\n", "usage_usec"), Some(123));
        assert_eq!(field(b"low 0\n", "oom_kill"), None);
        assert_eq!(number(b"4096\n"), Some(4096));
        assert_eq!(number(b"max\n"), None);
    }
}

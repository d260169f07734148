//! Shortages: too little memory, disk space or processes of the host, or of the container that this
//! process is in.
//!
//! Responsible for recognizing that a shortage, and not a limit of the run, has ended a program or
//! made it fail. Must not know how a program is run.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::statvfs;

use crate::group::own_events;
use crate::{Execution, SandboxError, Work};

/// The space below which a disk is full. A program that has filled it may have left less than it
/// wanted to write.
const MIN_FREE_BYTES: u64 = 64 << 10;
/// The space that a program which may write files must have, if its own limit is not lower.
const MIN_FREE_BYTES_BEFORE: u64 = 64 << 20;
/// The maximum size of a file with counters: `/proc/vmstat` is the largest.
const MAX_COUNTER_BYTES: usize = 16 << 10;

/// A counter of a control group or of the host: a line of a flat keyed file (cgroups(7)).
struct Counter {
    file: File,
    name: &'static str,
}

impl Counter {
    fn open(path: &Path, name: &'static str) -> Option<Self> {
        let file = File::open(path).ok()?;
        let counter = Self { file, name };
        counter.read().is_some().then_some(counter)
    }

    fn read(&self) -> Option<u64> {
        let mut text = [0; MAX_COUNTER_BYTES];
        let length = self.file.read_at(&mut text, 0).ok()?;
        value_of(self.name, std::str::from_utf8(&text[..length]).ok()?)
    }
}

fn value_of(name: &str, text: &str) -> Option<u64> {
    let mut lines = text.lines();
    lines.find_map(|line| {
        let value = line.strip_prefix(name)?.strip_prefix(' ')?;
        value.trim().parse().ok()
    })
}

/// The processes that were killed for lack of memory.
struct MemoryKills {
    counter: Counter,
    /// True if they are those of the whole host, because this process has no group that counts them.
    of_host: bool,
}

impl MemoryKills {
    fn get() -> Option<&'static Self> {
        static KILLS: OnceLock<Option<MemoryKills>> = OnceLock::new();
        let open = || {
            // Without the groups below, in which another `judge` may run programs.
            let own = own_events("memory", ["memory.oom_control", "memory.events.local"])
                .and_then(|path| Counter::open(&path, "oom_kill"));
            let of_host = own.is_none();
            let counter = own.or_else(|| Counter::open(Path::new("/proc/vmstat"), "oom_kill"))?;
            Some(Self { counter, of_host })
        };
        KILLS.get_or_init(open).as_ref()
    }

    fn count() -> u64 {
        Self::get()
            .and_then(|kills| kills.counter.read())
            .unwrap_or(0)
    }
}

/// The number of processes that the control group of this process has refused.
fn refused_processes() -> u64 {
    static COUNTER: OnceLock<Option<Counter>> = OnceLock::new();
    let open = || {
        own_events("pids", ["pids.events", "pids.events"])
            .and_then(|path| Counter::open(&path, "max"))
    };
    let counter = COUNTER.get_or_init(open).as_ref();
    counter.and_then(Counter::read).unwrap_or(0)
}

/// The counters of the host at the start of a run whose programs share a control group with this
/// process. A run with a group of its own needs none: that group counts kills, and what it refuses can
/// count in the groups above too (since Linux 6.11, cgroup-v2.rst, `pids.events`).
pub(crate) struct CountersBefore {
    memory_kills: u64,
    refused_processes: u64,
}

impl CountersBefore {
    pub(crate) fn read() -> Self {
        Self {
            memory_kills: MemoryKills::count(),
            refused_processes: refused_processes(),
        }
    }

    /// Checks that the kernel did not kill the program or one of its processes, and refused it none. A
    /// program that used more than its memory limit is at fault itself. The exit code says nothing: a
    /// program may go on after it has lost a process.
    pub(crate) fn check(
        &self,
        execution: &Execution,
        is_killed: bool,
        used_bytes: u64,
    ) -> Result<(), SandboxError> {
        let limit_bytes = execution.limits.memory_bytes;
        // Programs of others may be killed on the host at the same time.
        let is_relevant = is_killed || MemoryKills::get().is_some_and(|kills| !kills.of_host);
        if used_bytes <= limit_bytes && is_relevant && MemoryKills::count() > self.memory_kills {
            return Err(SandboxError::OutOfMemory {
                used_bytes,
                limit_bytes,
            });
        }
        // The limit of a run is one of its user, which the group does not count.
        if refused_processes() > self.refused_processes {
            return Err(SandboxError::OutOfProcesses);
        }
        Ok(())
    }
}

/// Checks that a program which may write files will have space for them, in a directory on a disk of
/// the host. It may remove its files before it ends, so this is checked before the run.
pub(crate) fn check_space(execution: &Execution, directory: &Path) -> Result<(), SandboxError> {
    require_space(execution, MIN_FREE_BYTES_BEFORE, directory)
}

/// Checks that a disk is not full after a run: other programs may have filled it meanwhile.
pub(crate) fn check_space_after(
    execution: &Execution,
    directory: &Path,
) -> Result<(), SandboxError> {
    require_space(execution, MIN_FREE_BYTES, directory)
}

fn require_space(
    execution: &Execution,
    min_free: u64,
    directory: &Path,
) -> Result<(), SandboxError> {
    match execution.work {
        Work::Writable { bytes, .. } if has_less_than(bytes.min(min_free), directory) => {
            Err(SandboxError::DiskFull {
                directory: parent_of(directory),
            })
        }
        _ => Ok(()),
    }
}

/// Returns the shortage of a disk that explains an error, or else the error.
pub(crate) fn explained(error: SandboxError, directory: &Path) -> SandboxError {
    if has_less_than(MIN_FREE_BYTES, directory) {
        SandboxError::DiskFull {
            directory: parent_of(directory),
        }
    } else {
        error
    }
}

/// The directory for temporary files in which the directory of a slot is.
fn parent_of(directory: &Path) -> PathBuf {
    directory.parent().unwrap_or(directory).to_owned()
}

fn has_less_than(bytes: u64, directory: &Path) -> bool {
    let found = statvfs(directory).map_err(io::Error::from);
    found.is_ok_and(|disk| {
        let has_no_blocks =
            disk.f_blocks > 0 && disk.f_bavail.saturating_mul(disk.f_frsize) < bytes;
        has_no_blocks || disk.f_files > 0 && disk.f_favail == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_read_by_whole_names() {
        let kills = |text| value_of("oom_kill", text);
        assert_eq!(
            kills("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n"),
            Some(3)
        );
        assert_eq!(kills("low 0\noom 2\noom_kill 1\n"), Some(1));
        assert_eq!(kills("nr_free_pages 5\n"), None);
        // Every supported kernel counts kills of the host.
        assert!(Counter::open(Path::new("/proc/vmstat"), "oom_kill").is_some());
        assert!(Counter::open(Path::new("/proc/vmstat"), "no_such_line").is_none());
    }
}

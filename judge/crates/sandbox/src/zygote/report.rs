//! The report of a run.
//!
//! Responsible for combining the observations of the zygote, init and the control group. Must not
//! know how they are made.

use std::time::Duration;

use super::group::{Baseline, Group, GroupUsage};
use super::watch::record::Record;
use super::watch::run::WatchResult;
use crate::clock::now;
use crate::protocol::messages::{Ending, Report};
use crate::protocol::step::Step;

/// Returns the report of a run whose program was not started.
pub(super) fn not_started(number: u64, step: Step, errno: i32) -> Report {
    Report {
        number,
        ending: Ending::NotStarted(step as u32, errno),
        cpu_time: Duration::ZERO,
        wall_time: Duration::ZERO,
        ended: now(),
        memory_bytes: 0,
        memory_kills: 0,
        is_host_out_of_memory: false,
        cold: None,
    }
}

/// Returns the report of a run that is over.
pub(super) fn report(
    number: u64,
    record: &Record,
    watch_result: &WatchResult,
    group: Option<(&Group, Baseline)>,
    elapsed: Duration,
) -> Report {
    let used = match group {
        Some((group, baseline)) => group.used_since(&baseline),
        None => {
            let (cpu, memory) = record.reaped();
            GroupUsage {
                cpu,
                memory,
                kills: 0,
                is_host_out_of_memory: false,
            }
        }
    };
    // The group counts from before the program's process; the steps before execve are subtracted.
    let cpu = used.cpu.saturating_sub(record.setup_cpu());
    let ending = match (watch_result.killed, record.failure(), record.status()) {
        (Some(killed), ..) => killed,
        (_, Some((step, errno)), _) => Ending::NotStarted(step, errno),
        (_, _, Some(status)) => ending(status, used.kills),
        // Init itself died, and the zygote did not kill it. If the group ran out of memory, the
        // program is the cause. Otherwise a process of the host is, because the filter refuses
        // programs every call by which they could kill it: then the result is unknown.
        (None, None, None) if used.kills > 0 => Ending::Memory,
        (None, None, None) => Ending::NotStarted(Step::Init as u32, libc::ECHILD),
    };
    Report {
        number,
        ending,
        // The largest values seen during the run count if its end could not be counted.
        cpu_time: cpu.max(watch_result.cpu),
        wall_time: record.wall_time().unwrap_or(elapsed),
        ended: record.ended().unwrap_or_else(now),
        memory_bytes: used.memory.max(watch_result.memory),
        memory_kills: used.kills,
        is_host_out_of_memory: used.is_host_out_of_memory,
        cold: None,
    }
}

/// The ending of the program by its status. If the kernel has killed processes for the group's
/// memory limit, a program that was killed by the same signal was one of them.
fn ending(status: i32, memory_kills: u32) -> Ending {
    if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL && memory_kills > 0 {
        Ending::Memory
    } else if libc::WIFSIGNALED(status) {
        Ending::Signaled(libc::WTERMSIG(status))
    } else {
        Ending::Exited(libc::WEXITSTATUS(status))
    }
}

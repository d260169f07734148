//! The time for which a run was kept waiting for a processor, and what it waits for at the moment.
//!
//! Responsible for distinguishing a program that waits for its own event from one that is delayed
//! by the host. Must not know limits.
//!
//! The kernel counts for each thread how long it was ready to run and did not (`schedstat` in its
//! documentation, third and second field of `/proc/PID/task/TID/schedstat`: slices, and time on a
//! run queue). A thread may also wait for other threads of its run, if many compute at the same
//! time: that time is not caused by the host.
//!
//! Nothing is counted for a thread that waits within the kernel: for a disk from which its own file
//! is read again, or for a lock that the starts and ends of other programs hold. But its state
//! shows that (`D` in proc_pid_stat(5), or `R` when it has just left the kernel), while a program
//! that waits for its own event sleeps (`S`). A program can cause `D` itself, for example by
//! writing to a file with `O_SYNC` continuously, so `D` alone does not prove a delay by the host.

use std::os::fd::BorrowedFd;
use std::time::Duration;

use crate::execution::WaitsFor;
use crate::proc::files::{self, stat_field};
use crate::proc::tree::{self, Members};

/// The maximum time for which a thread of the run has waited for a processor while the run used
/// none. Threads that have ended are not counted, and without the kernel's statistics the result is
/// zero. The run's init, and the process that waits at the `main` of a warm program, do not count.
pub(crate) fn kept_waiting(
    proc: BorrowedFd<'_>,
    init: i32,
    waits: Option<i32>,
    members: Members,
) -> Duration {
    waited_by_processes(
        proc,
        processes_of_run(proc, init, waits, members).into_iter(),
    )
}

/// The same of these processes.
pub(crate) fn waited_by_processes(
    proc: BorrowedFd<'_>,
    processes: impl Iterator<Item = i32>,
) -> Duration {
    let threads: Vec<(u64, u64)> = processes.flat_map(|pid| threads_of(proc, pid)).collect();
    // The kernel's figures for one thread do not show which thread it waited for. The CPU time of
    // the run's other threads is the maximum time for which they can have delayed it.
    let used: u64 = threads.iter().map(|(cpu, _)| *cpu).sum();
    // A thread that waited while others of the run computed has waited for them, not for the host.
    let of_others = |(cpu, waited): &(u64, u64)| waited.saturating_sub(used.saturating_sub(*cpu));
    Duration::from_nanos(threads.iter().map(of_others).max().unwrap_or(0))
}

/// The processes of a run except these two.
fn processes_of_run(
    proc: BorrowedFd<'_>,
    init: i32,
    waits: Option<i32>,
    members: Members,
) -> Vec<i32> {
    tree::living(proc, init, members)
        .into_iter()
        .map(|(pid, _)| pid)
        .filter(|pid| *pid != init && Some(*pid) != waits)
        .collect()
}

/// Returns what the run waits for at this moment. It is not idle if each of its processes has a
/// thread that is running, ready to run, or waiting within the kernel. One process is not enough: a
/// parent waits within the kernel for its child of vfork(2) for as long as the child chooses.
pub(crate) fn waits_for(
    proc: BorrowedFd<'_>,
    init: i32,
    waits: Option<i32>,
    members: Members,
) -> WaitsFor {
    processes_wait_for(proc, &processes_of_run(proc, init, waits, members))
}

/// The same of these processes.
pub(crate) fn processes_wait_for(proc: BorrowedFd<'_>, processes: &[i32]) -> WaitsFor {
    let mut found = if processes.is_empty() {
        WaitsFor::Itself
    } else {
        WaitsFor::Kernel
    };
    for pid in processes {
        let states = of_threads(proc, *pid, "stat", |stat| stat_field::<char>(stat, 3));
        if states.contains(&'R') {
            found = WaitsFor::Processor;
        } else if !states.contains(&'D') {
            return WaitsFor::Itself;
        }
    }
    found
}

/// Nanoseconds on a processor, and waiting for one, of each thread.
fn threads_of(proc: BorrowedFd<'_>, pid: i32) -> Vec<(u64, u64)> {
    of_threads(proc, pid, "schedstat", statistics)
}

/// The contents of a file of each thread, as they are read.
fn of_threads<T>(
    proc: BorrowedFd<'_>,
    pid: i32,
    file: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Vec<T> {
    let thread =
        |thread: i32| read(&files::read(proc, pid, &format!("task/{thread}/{file}")).ok()?);
    files::threads(proc, pid)
        .into_iter()
        .filter_map(thread)
        .collect()
}

fn statistics(text: &str) -> Option<(u64, u64)> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::AsFd;
    use std::process::Command;
    use std::thread::sleep;

    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_setaffinity};

    use super::*;

    #[test]
    fn sleeping_and_waiting_for_a_processor_are_distinguished() {
        let proc = File::open("/proc").unwrap();
        let me = i32::try_from(std::process::id()).unwrap();
        let mut first = CpuSet::new();
        first.set(0);
        let start = |script: &str| {
            let child = Command::new("sh").args(["-c", script]).spawn().unwrap();
            let pid = Pid::from_child(&child);
            sched_setaffinity(Some(pid), &first).unwrap();
            (child, pid.as_raw_nonzero().get())
        };
        let mut children = [
            start("while :; do :; done"),
            start("while :; do :; done"),
            start("exec sleep 100"),
        ];
        sleep(Duration::from_millis(600));
        let [one, _, sleeper] = [0, 1, 2].map(|index: usize| {
            threads_of(proc.as_fd(), children[index].1)
                .first()
                .copied()
                .unwrap()
        });
        // For their parent, both rivals belong to the run, so they have delayed only each other.
        let of_run = kept_waiting(proc.as_fd(), me, None, Members::Descendants(None));
        for (child, _) in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let milli = 1_000_000;
        assert!(one.1 > 100 * milli, "{one:?}");
        assert!(
            sleeper.1 < 400 * milli && sleeper.0 < 50 * milli,
            "{sleeper:?}"
        );
        assert!(
            of_run < Duration::from_nanos(one.1.max(sleeper.1) + 400 * milli),
            "{of_run:?}"
        );
    }

    #[test]
    fn idle_runs_and_waits_within_the_kernel_are_distinguished() {
        let directory = tempfile::tempdir().unwrap();
        let proc = File::open(directory.path()).unwrap();
        let process = |pid: i32, threads: &[char]| {
            for (number, state) in (pid..).zip(threads) {
                let thread = directory.path().join(format!("{pid}/task/{number}"));
                std::fs::create_dir_all(&thread).unwrap();
                std::fs::write(
                    thread.join("stat"),
                    format!("{number} (a) D (R) {state} 1 1\n"),
                )
                .unwrap();
            }
        };
        process(10, &['S']);
        process(20, &['D']);
        process(30, &['S', 'R']);
        process(40, &['T', 'Z']);
        for (processes, expected) in [
            (vec![], WaitsFor::Itself),
            (vec![10], WaitsFor::Itself),
            (vec![20], WaitsFor::Kernel),
            (vec![30], WaitsFor::Processor),
            (vec![40], WaitsFor::Itself),
            (vec![20, 30], WaitsFor::Processor),
            // A parent that waits for its child's execve(2), and a child that sleeps.
            (vec![20, 10], WaitsFor::Itself),
            (vec![30, 10], WaitsFor::Itself),
            (vec![50], WaitsFor::Itself),
        ] {
            assert_eq!(
                processes_wait_for(proc.as_fd(), &processes),
                expected,
                "{processes:?}"
            );
        }
    }

    #[test]
    fn schedstat_lines_are_parsed() {
        assert_eq!(statistics("12 345 6\n"), Some((12, 345)));
        assert_eq!(statistics("0 0 0\n"), Some((0, 0)));
        assert!(statistics("").is_none() && statistics("x 1 2").is_none());
    }
}

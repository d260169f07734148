//! Checks that a run leaves nothing for the next one of its slot.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use judge_model::Termination;

use crate::bench::{Bench, Case};

pub(crate) const CASES: &[(&str, Case)] =
    &[("objects_left_by_a_run_are_invisible_to_the_next", objects)];

/// The files of `/proc` that differ from run to run, with the reason. A name that ends with `/`
/// stands for everything below.
const DIFFERS: &[(&str, &str)] = &[
    ("/proc/uptime", "the time"),
    ("/proc/loadavg", "load of the host"),
    ("/proc/pressure/", "load of the host"),
    ("/proc/stat", "CPU time and counters of the host"),
    ("/proc/schedstat", "CPU time of the host"),
    ("/proc/sched_debug", "CPU time of the host"),
    ("/proc/timer_list", "timers of the host"),
    ("/proc/interrupts", "counters of the host"),
    ("/proc/irq/", "counters of the host"),
    ("/proc/softirqs", "counters of the host"),
    ("/proc/diskstats", "counters of the host's disks"),
    ("/proc/fs/", "counters of the host's file systems"),
    ("/proc/mdstat", "disks of the host"),
    ("/proc/swaps", "memory of the host"),
    ("/proc/meminfo", "memory of the host"),
    ("/proc/vmstat", "memory of the host"),
    ("/proc/zoneinfo", "memory of the host"),
    ("/proc/buddyinfo", "memory of the host"),
    ("/proc/pagetypeinfo", "memory of the host"),
    ("/proc/slabinfo", "memory of the host"),
    ("/proc/vmallocinfo", "memory of the host"),
    ("/proc/locks", "locks of the host's programs"),
    ("/proc/keys", "keys of the user"),
    ("/proc/key-users", "keys of the host's users"),
    ("/proc/cgroups", "control groups of the host"),
    ("/proc/modules", "modules of the host"),
    ("/proc/cpuinfo", "frequencies of the host's processors"),
    ("/proc/sys/fs/dentry-state", "caches of the host"),
    ("/proc/sys/fs/inode-nr", "caches of the host"),
    ("/proc/sys/fs/inode-state", "caches of the host"),
    ("/proc/sys/fs/file-nr", "open files of the host"),
    ("/proc/sys/fs/aio-nr", "requests of the host"),
    ("/proc/sys/kernel/random/", "random numbers"),
    (
        "/proc/sys/kernel/ns_last_pid",
        "processes of the host without a pid namespace",
    ),
    ("/proc/sys/kernel/pty/nr", "terminals of the host"),
    (
        "/proc/self",
        "the number of the process without a pid namespace",
    ),
    (
        "/proc/thread-self",
        "the number of the process without a pid namespace",
    ),
    (
        "/proc/self/./arch_status",
        "the time since the process used certain instructions",
    ),
    ("/proc/self/./auxv", "addresses"),
    ("/proc/self/./environ", "addresses"),
    ("/proc/self/./fd/", "numbers of pipes"),
    ("/proc/self/./fdinfo/", "numbers of pipes"),
    ("/proc/self/./io", "what the process did"),
    ("/proc/self/./map_files/", "addresses"),
    ("/proc/self/./maps", "addresses"),
    ("/proc/self/./mountinfo", "numbers of mounts"),
    (
        "/proc/self/./net/softnet_stat",
        "counters of the host's processors",
    ),
    ("/proc/self/./ns/", "numbers of namespaces"),
    ("/proc/self/./numa_maps", "addresses"),
    ("/proc/self/./pagemap", "addresses"),
    ("/proc/self/./sched", "CPU time"),
    ("/proc/self/./schedstat", "CPU time"),
    ("/proc/self/./smaps", "addresses"),
    ("/proc/self/./smaps_rollup", "addresses"),
    ("/proc/self/./stat", "CPU time and addresses"),
    (
        "/proc/self/./statm",
        "memory, with what the kernel has mapped of the cache",
    ),
    ("/proc/self/./status", "memory and switches"),
    ("/proc/self/./syscall", "addresses"),
    ("/proc/self/./timerslack_ns", "the host's"),
];

fn differs(path: &str) -> bool {
    DIFFERS.iter().any(|(name, _)| {
        if name.ends_with('/') {
            path.starts_with(name)
        } else {
            path == *name
        }
    })
}

/// Returns everything that a run can read and look up, except for what differs from run to run.
fn survey(bench: &mut Bench) -> BTreeMap<String, String> {
    let ran = bench.run_with(&["survey"], |execution| {
        execution.proc_mounted = true;
        execution.limits.cpu_time = Duration::from_secs(5);
        execution.limits.wall_time = Duration::from_secs(10);
    });
    let lines = ran.exited().stdout;
    let parts = lines.lines().filter_map(|line| line.rsplit_once(' '));
    parts
        .map(|(path, found)| (path.trim_end_matches(" ->").to_owned(), found.to_owned()))
        .filter(|(path, _)| !differs(path))
        .collect()
}

/// Returns the differences between what two runs find when other runs have left objects in between.
fn changed_by_others(bench: &mut Bench) -> BTreeSet<String> {
    let before = survey(bench);
    for name in [
        "local name",
        "queue",
        "shared memory",
        "messages",
        "semaphore",
        "key",
        "shm file",
    ] {
        assert!(
            before.get(name).is_some_and(|found| found != "ok"),
            "{name}: {:?}",
            before.get(name)
        );
    }
    assert!(
        before
            .keys()
            .filter(|path| path.starts_with("/proc/self/"))
            .count()
            >= 4,
        "{before:?}"
    );
    for _ in 0..3 {
        assert_eq!(
            bench.run(&["objects"]).termination(),
            Termination::Signaled { signal: 9 }
        );
    }
    let after = survey(bench);
    let is_changed = |path: &&String| before.get(*path) != after.get(*path);
    before
        .keys()
        .chain(after.keys())
        .filter(is_changed)
        .cloned()
        .collect()
}

fn objects(bench: &mut Bench) {
    let mut changed = changed_by_others(bench);
    // A counter of the host that is not listed above may have changed for other reasons; objects
    // that were left change it each time.
    for _ in 0..3 {
        assert!(
            changed.iter().all(|path| path.starts_with("/proc/")),
            "{changed:?}"
        );
        if changed.is_empty() {
            return;
        }
        println!("    other than before: {changed:?}");
        let again = changed_by_others(bench);
        changed.retain(|path| again.contains(path));
    }
    assert!(changed.is_empty(), "{changed:?}");
}

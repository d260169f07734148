//! Ceilings: the limits of this process itself, which no program that it starts can exceed.
//!
//! Responsible for refusing a host on which programs would have lower limits than specified: a
//! compiler that cannot start its second stage would look like a submission that does not compile.
//! Must not know what is run.
//!
//! A program has the same limits for every caller of the harness. If the caller's limits are lower
//! and cannot be raised (getrlimit(2): hard limits, only with `CAP_SYS_RESOURCE`), every run is
//! refused: with lower limits, a program may fail here but not elsewhere.

use std::sync::OnceLock;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, geteuid, getrlimit, setrlimit};

use crate::proc::files::tasks_of_user;
use crate::{Execution, RunLimits, SandboxError, Work, group};

/// The maximum number of open files of a program.
pub(crate) const DESCRIPTORS: u64 = 1024;
/// The maximum locked memory of a program, in bytes.
pub(crate) const LOCKED: u64 = 64 << 10;
/// The number of further processes: those of the sandbox itself, and those that the user's other
/// programs may start meanwhile.
const OTHER_PROCESSES: u64 = 16;
/// The minimum ceiling for which the user's existing processes are not counted, because no user has
/// so many.
const MANY: u64 = 16_384;

/// The resources that programs depend on, each with what its limit counts and the option of the
/// shell's `ulimit`. The first one whose limit is too low is reported.
const RESOURCES: [(Resource, &str, &str); 8] = [
    (Resource::Nproc, "processes", "u"),
    (Resource::Nofile, "open files", "n"),
    (Resource::Stack, "bytes of stack", "s"),
    (Resource::Fsize, "bytes in a file", "f"),
    (Resource::Cpu, "seconds of CPU time", "t"),
    (Resource::As, "bytes of address space", "v"),
    (Resource::Data, "bytes of data", "d"),
    (Resource::Memlock, "bytes of locked memory", "l"),
];

/// Returns the ceiling for this process and all that it starts, after raising the limit of this
/// process as far as its user may.
fn raised_ceiling(resource: Resource) -> u64 {
    let now = getrlimit(resource);
    let raised = match resource {
        Resource::Nproc | Resource::Nofile => Rlimit {
            current: now.maximum,
            ..now
        },
        // A privileged process raises the hard limits for its programs; its own soft limits are
        // unchanged.
        _ => Rlimit {
            maximum: None,
            ..now
        },
    };
    // A limit that cannot be raised is reported when it is too low for a run.
    let _ = setrlimit(resource, raised);
    let ceiling = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    // RLIMIT_NPROC counts all processes of the user, also those that run already; it does not bind
    // root.
    if resource == Resource::Nproc && ceiling < MANY && !geteuid().is_root() {
        ceiling.saturating_sub(tasks_of_user())
    } else {
        ceiling
    }
}

/// The number of processes that tools and most programs manage with.
const USUAL_PROCESSES: u64 = 64;
/// A limit above this one is that of compilers, which need far fewer processes: containers that
/// permit fewer are not refused for it.
const MAX_LIMIT_OF_PROGRAMS: u64 = 200;

/// The number of processes and threads that the control groups of this process permitted at its
/// start, in addition to the existing ones; `None` if they do not limit it.
#[must_use]
pub fn permitted_processes() -> Option<u64> {
    static PERMITTED: OnceLock<Option<u64>> = OnceLock::new();
    *PERMITTED.get_or_init(group::permitted_processes)
}

/// Refuses a host on which the control groups permit too few processes for most programs.
///
/// # Errors
/// When a control group permits fewer.
pub fn check_usual_processes() -> Result<(), SandboxError> {
    check_permitted_processes(USUAL_PROCESSES + OTHER_PROCESSES)
}

fn check_permitted_processes(needed: u64) -> Result<(), SandboxError> {
    match permitted_processes() {
        // What most programs need is named even if less is needed now, so that the limit is raised
        // only once.
        Some(found) if found < needed => Err(SandboxError::GroupCeiling {
            found,
            needed: needed.max(USUAL_PROCESSES + OTHER_PROCESSES),
        }),
        _ => Ok(()),
    }
}

/// Compares the ceilings of [`RESOURCES`], in their order, with the amount that is needed of each.
fn compare(ceilings: &[u64], needed: impl Fn(Resource) -> u64) -> Result<(), SandboxError> {
    for ((resource, what, option), &found) in RESOURCES.into_iter().zip(ceilings) {
        let needed = needed(resource);
        if found < needed {
            return Err(SandboxError::Ceiling {
                what,
                found,
                needed,
                option,
            });
        }
    }
    Ok(())
}

fn check_resource_limits(needed: impl Fn(Resource) -> u64) -> Result<(), SandboxError> {
    static CEILINGS: OnceLock<[u64; RESOURCES.len()]> = OnceLock::new();
    let ceilings =
        CEILINGS.get_or_init(|| RESOURCES.map(|(resource, ..)| raised_ceiling(resource)));
    compare(ceilings, needed)
}

/// A limit that a program cannot raise again, since the soft and the hard one are equal.
pub(crate) fn fixed(limit: u64) -> Rlimit {
    Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    }
}

/// Refuses a host on which this process could not even start its own threads and helpers.
///
/// # Errors
/// When a limit of this process is too low for any run.
pub fn check_host() -> Result<(), SandboxError> {
    check_permitted_processes(1 + OTHER_PROCESSES)?;
    check_resource_limits(|resource| match resource {
        Resource::Nproc => 1 + OTHER_PROCESSES,
        Resource::Nofile => DESCRIPTORS,
        _ => 0,
    })
}

/// Returns the seconds of CPU time after which the kernel may end a process that is allowed this
/// much: well after the harness has.
pub(crate) fn cpu_seconds(allowed: Duration) -> u64 {
    allowed.as_secs().saturating_add(3)
}

/// Refuses a run whose limits this process may not exceed itself. With a smaller stack or less
/// address space, a correct program would crash; with smaller files, a compiler would; and with
/// less CPU time, the kernel would kill programs within their limit.
pub(crate) fn check(execution: &Execution) -> Result<(), SandboxError> {
    let RunLimits {
        processes,
        memory_bytes,
        cpu_time,
        ..
    } = execution.limits;
    let file = match execution.work {
        Work::Writable { bytes, .. } => bytes,
        // Files in memory, which need no directory (memfd_create(2)).
        Work::ReadOnly => memory_bytes,
    };
    let expected = match u64::from(processes) {
        limit if limit > MAX_LIMIT_OF_PROGRAMS => USUAL_PROCESSES,
        limit => limit,
    };
    check_permitted_processes(expected + OTHER_PROCESSES)?;
    check_resource_limits(|resource| match resource {
        Resource::Nproc => u64::from(processes) + OTHER_PROCESSES,
        Resource::Nofile => DESCRIPTORS,
        Resource::Stack => memory_bytes,
        Resource::Fsize => file,
        Resource::Cpu => cpu_seconds(cpu_time),
        // Memory in use is limited, but never reserved memory: run-times reserve far more, and each
        // thread a stack.
        Resource::As | Resource::Data => u64::MAX,
        Resource::Memlock => LOCKED,
        _ => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_names_the_limit_to_raise() {
        let plenty = |resource| match resource {
            Resource::Nproc => 1000,
            Resource::Nofile => 1024,
            Resource::Stack | Resource::Fsize => 1 << 30,
            Resource::Cpu => 100,
            Resource::Memlock => LOCKED,
            _ => u64::MAX,
        };
        let needed = |resource| match resource {
            Resource::Nproc => 256 + OTHER_PROCESSES,
            Resource::Nofile => DESCRIPTORS,
            Resource::Stack => 256 << 20,
            Resource::Fsize => 64 << 20,
            Resource::Cpu => cpu_seconds(Duration::from_millis(5400)),
            Resource::Memlock => LOCKED,
            _ => u64::MAX,
        };
        let ceilings = RESOURCES.map(|(resource, ..)| plenty(resource));
        assert!(compare(&ceilings, plenty).is_ok() && compare(&ceilings, needed).is_ok());
        let error_of = |option: &str, found: u64| {
            let mut ceilings = ceilings;
            let index = RESOURCES
                .iter()
                .position(|limit| limit.2 == option)
                .unwrap();
            ceilings[index] = found;
            let error = compare(&ceilings, needed).unwrap_err().to_string();
            let hint = format!("\nhint: raise the limit with `ulimit -{option}`");
            error.strip_suffix(&hint).unwrap().to_owned()
        };
        let expected = [
            (
                "s",
                8 << 20,
                "this process may have 8388608 bytes of stack; programs need 268435456",
            ),
            (
                "f",
                1 << 20,
                "this process may have 1048576 bytes in a file; programs need 67108864",
            ),
            (
                "u",
                10,
                "this process may start 10 more processes; programs need 272",
            ),
            (
                "n",
                20,
                "this process may have 20 open files; programs need 1024",
            ),
            (
                "t",
                7,
                "this process may have 7 seconds of CPU time; programs need 8",
            ),
            (
                "v",
                1 << 40,
                "this process may have 1099511627776 bytes of address space; programs need it unlimited",
            ),
            (
                "d",
                1 << 40,
                "this process may have 1099511627776 bytes of data; programs need it unlimited",
            ),
            (
                "l",
                0,
                "this process may have 0 bytes of locked memory; programs need 65536",
            ),
        ];
        for (option, found, error) in expected {
            assert_eq!(error_of(option, found), error);
        }
    }
}

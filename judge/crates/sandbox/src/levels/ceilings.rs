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

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::proc::files::tasks_of_user;
use crate::{Execution, RunLimits, SandboxError, Work};

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

/// The resources that a run needs.
#[derive(Clone, Copy, Debug, Default)]
struct Requirements {
    processes: u64,
    stack: u64,
    file: u64,
    /// Seconds of CPU time.
    cpu: u64,
    /// Bytes of address space and of private memory in it: 0 or unlimited. Memory in use is
    /// limited, but never reserved memory: run-times reserve far more, and each thread a stack.
    address_space: u64,
    locked: u64,
}

/// The ceilings for this process and all that it starts.
#[derive(Clone, Copy, Debug)]
struct Ceilings {
    /// Processes and threads that the user may still start.
    processes: u64,
    descriptors: u64,
    /// Bytes of the stack, and of one file.
    stack: u64,
    file: u64,
    /// Seconds of CPU time of one process.
    cpu: u64,
    address_space: u64,
    data: u64,
    locked: u64,
}

impl Ceilings {
    /// Reads them, and raises this process's limits as far as its user may.
    fn for_this_process() -> Self {
        let [processes, descriptors] = [Resource::Nproc, Resource::Nofile].map(|resource| {
            let Rlimit { maximum, .. } = getrlimit(resource);
            // A limit that cannot be raised is reported when it is too low for a run.
            let _ = setrlimit(
                resource,
                Rlimit {
                    current: maximum,
                    maximum,
                },
            );
            maximum.unwrap_or(u64::MAX)
        });
        let given = [
            Resource::Stack,
            Resource::Fsize,
            Resource::Cpu,
            Resource::As,
            Resource::Data,
            Resource::Memlock,
        ];
        let [stack, file, cpu, address_space, data, locked] = given.map(|resource| {
            let now = getrlimit(resource);
            // A privileged process raises the hard limits for its programs; its own soft limits are
            // unchanged.
            let _ = setrlimit(
                resource,
                Rlimit {
                    current: now.current,
                    maximum: None,
                },
            );
            getrlimit(resource).maximum.unwrap_or(u64::MAX)
        });
        // RLIMIT_NPROC counts all processes of the user, also those that run already; it does not
        // bind root.
        let taken = if processes < MANY && !rustix::process::geteuid().is_root() {
            tasks_of_user()
        } else {
            0
        };
        let processes = processes.saturating_sub(taken);
        Self {
            processes,
            descriptors,
            stack,
            file,
            cpu,
            address_space,
            data,
            locked,
        }
    }

    fn check(self, needed: Requirements) -> Result<(), SandboxError> {
        // The error names the first limit that is too low, with the option of `ulimit` that raises
        // it.
        let rows = [
            (
                self.processes,
                needed.processes + OTHER_PROCESSES,
                "processes",
                "u",
            ),
            (self.descriptors, DESCRIPTORS, "open files", "n"),
            (self.stack, needed.stack, "bytes of stack", "s"),
            (self.file, needed.file, "bytes in a file", "f"),
            (self.cpu, needed.cpu, "seconds of CPU time", "t"),
            (
                self.address_space,
                needed.address_space,
                "bytes of address space",
                "v",
            ),
            (self.data, needed.address_space, "bytes of data", "d"),
            (self.locked, needed.locked, "bytes of locked memory", "l"),
        ];
        let low = rows.into_iter().find(|(found, needed, ..)| found < needed);
        low.map_or(Ok(()), |(found, needed, what, option)| {
            Err(SandboxError::Ceiling {
                what,
                found,
                needed,
                option,
            })
        })
    }
}

/// Refuses a host on which this process could not even start its own threads and helpers.
///
/// # Errors
/// When a limit of this process is too low for any run.
pub fn check_host() -> Result<(), SandboxError> {
    check_processes(1)
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
    check_needed(Requirements {
        processes: processes.into(),
        stack: memory_bytes,
        file,
        cpu: cpu_seconds(cpu_time),
        address_space: u64::MAX,
        locked: LOCKED,
    })
}

/// Returns an error if this process may not start that many processes.
pub(crate) fn check_processes(processes: u64) -> Result<(), SandboxError> {
    check_needed(Requirements {
        processes,
        ..Requirements::default()
    })
}

fn check_needed(needed: Requirements) -> Result<(), SandboxError> {
    static CEILINGS: OnceLock<Ceilings> = OnceLock::new();
    CEILINGS
        .get_or_init(Ceilings::for_this_process)
        .check(needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_names_the_limit_to_raise() {
        let plenty = Ceilings {
            processes: 1000,
            descriptors: 1024,
            stack: 1 << 30,
            file: 1 << 30,
            cpu: 100,
            address_space: u64::MAX,
            data: u64::MAX,
            locked: LOCKED,
        };
        assert!(
            plenty
                .check(Requirements {
                    processes: 900,
                    ..Requirements::default()
                })
                .is_ok()
        );
        let needed = Requirements {
            processes: 256,
            stack: 256 << 20,
            file: 64 << 20,
            cpu: cpu_seconds(Duration::from_millis(5400)),
            address_space: u64::MAX,
            locked: LOCKED,
        };
        assert!(plenty.check(needed).is_ok());
        let error_of = |ceilings: Ceilings| ceilings.check(needed).unwrap_err().to_string();
        assert_eq!(
            error_of(Ceilings {
                stack: 8 << 20,
                ..plenty
            }),
            "this process may have 8388608 bytes of stack; programs need 268435456\nhint: raise the limit with `ulimit -s`"
        );
        assert!(
            error_of(Ceilings {
                file: 1 << 20,
                ..plenty
            })
            .ends_with("hint: raise the limit with `ulimit -f`")
        );
        assert_eq!(
            error_of(Ceilings {
                processes: 10,
                ..plenty
            }),
            "this process may start 10 more processes; programs need 272\nhint: raise the limit with `ulimit -u`"
        );
        assert!(
            error_of(Ceilings {
                descriptors: 20,
                ..plenty
            })
            .ends_with("hint: raise the limit with `ulimit -n`")
        );
        assert_eq!(
            error_of(Ceilings { cpu: 7, ..plenty }),
            "this process may have 7 seconds of CPU time; programs need 8\nhint: raise the limit with `ulimit -t`"
        );
        assert_eq!(
            error_of(Ceilings {
                address_space: 1 << 40,
                ..plenty
            }),
            "this process may have 1099511627776 bytes of address space; programs need it unlimited\n\
             hint: raise the limit with `ulimit -v`"
        );
        assert!(
            error_of(Ceilings {
                data: 1 << 40,
                ..plenty
            })
            .ends_with("hint: raise the limit with `ulimit -d`")
        );
        assert!(
            error_of(Ceilings {
                locked: 0,
                ..plenty
            })
            .ends_with("hint: raise the limit with `ulimit -l`")
        );
    }
}

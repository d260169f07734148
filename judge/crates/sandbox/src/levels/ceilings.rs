//! Ceilings: the limits of this process itself, which no program that it starts can go beyond.
//!
//! Responsible for refusing a host that gives programs less than what they are promised: a compiler that cannot start its
//! second half would look like a submission that does not compile. Must not know what is run.

use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::zygote::tasks_of_user;
use crate::{Execution, RunLimits, SandboxError, Work};

/// Descriptors that runs of the larger run-times take, with room.
const DESCRIPTORS: u64 = 256;
/// Processes of the sandbox beside those of a program, and what the user's other programs may start meanwhile.
const OTHER_PROCESSES: u64 = 16;
/// The ceiling from which the processes that the user has already are not counted: no user has so many.
const MANY: u64 = 16_384;

/// The resources that a run is promised.
#[derive(Clone, Copy, Debug, Default)]
struct Needed {
    processes: u64,
    stack: u64,
    file: u64,
}

/// The ceilings for this process and all that it starts.
#[derive(Clone, Copy, Debug)]
struct Ceilings {
    /// Processes and threads of the user, without those that there are already.
    processes: u64,
    descriptors: u64,
    /// Bytes of the stack, and of one file.
    stack: u64,
    file: u64,
}

impl Ceilings {
    /// Reads them, and takes for this process what its user may take.
    fn take() -> Self {
        let [processes, descriptors] = [Resource::Nproc, Resource::Nofile].map(|resource| {
            let Rlimit { maximum, .. } = getrlimit(resource);
            // One that cannot be raised is reported when it is too low for something.
            let _ = setrlimit(resource, Rlimit { current: maximum, maximum });
            maximum.unwrap_or(u64::MAX)
        });
        let [stack, file] = [Resource::Stack, Resource::Fsize].map(|resource| {
            let now = getrlimit(resource);
            // Whoever may, raises what programs can be given; this process keeps what it has.
            let _ = setrlimit(resource, Rlimit { current: now.current, maximum: None });
            getrlimit(resource).maximum.unwrap_or(u64::MAX)
        });
        let taken = if processes < MANY && !rustix::process::geteuid().is_root() { tasks_of_user() } else { 0 };
        Self { processes: processes.saturating_sub(taken), descriptors, stack, file }
    }

    fn check(self, needed: Needed) -> Result<(), SandboxError> {
        let rows = [
            (self.processes, needed.processes + OTHER_PROCESSES, "processes", "u"),
            (self.descriptors, DESCRIPTORS, "open files", "n"),
            (self.stack, needed.stack, "bytes of stack", "s"),
            (self.file, needed.file, "bytes in a file", "f"),
        ];
        let low = rows.into_iter().find(|(found, needed, ..)| found < needed);
        low.map_or(Ok(()), |(found, needed, what, option)| Err(SandboxError::Ceiling { what, found, needed, option }))
    }
}

/// Refuses a host on which this process could not even start its own threads and helpers.
///
/// # Errors
/// When a limit of this process is too low for any run.
pub fn check_host() -> Result<(), SandboxError> {
    check_processes(1)
}

/// Refuses a run that is promised what this process may not have. With a smaller stack a sound program would crash, and
/// with smaller files a compiler.
pub(crate) fn check(execution: &Execution) -> Result<(), SandboxError> {
    let RunLimits { processes, memory_bytes, .. } = execution.limits;
    let file = match execution.work {
        Work::Writable { bytes, .. } => bytes,
        Work::ReadOnly => 0,
    };
    check_needed(Needed { processes: processes.into(), stack: memory_bytes, file })
}

/// The same for so many processes.
pub(crate) fn check_processes(processes: u64) -> Result<(), SandboxError> {
    check_needed(Needed { processes, ..Needed::default() })
}

fn check_needed(needed: Needed) -> Result<(), SandboxError> {
    static CEILINGS: OnceLock<Ceilings> = OnceLock::new();
    CEILINGS.get_or_init(Ceilings::take).check(needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_low_is_told_with_what_to_raise() {
        let plenty = Ceilings { processes: 1000, descriptors: 1024, stack: 1 << 30, file: 1 << 30 };
        assert!(plenty.check(Needed { processes: 900, ..Needed::default() }).is_ok());
        let needed = Needed { processes: 256, stack: 256 << 20, file: 64 << 20 };
        let told = |ceilings: Ceilings| ceilings.check(needed).unwrap_err().to_string();
        assert_eq!(
            told(Ceilings { stack: 8 << 20, ..plenty }),
            "this process may have 8388608 bytes of stack; programs need 268435456\nhint: raise the limit with `ulimit -s`"
        );
        assert!(told(Ceilings { file: 1 << 20, ..plenty }).ends_with("hint: raise the limit with `ulimit -f`"));
        assert_eq!(
            told(Ceilings { processes: 10, ..plenty }),
            "this process may start 10 more processes; programs need 272\nhint: raise the limit with `ulimit -u`"
        );
        assert!(told(Ceilings { descriptors: 20, ..plenty }).ends_with("hint: raise the limit with `ulimit -n`"));
    }
}

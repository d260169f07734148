//! The counter of instructions: one of the processor's own, for one run.
//!
//! Responsible for having one, reading it, and saying why there is none. Must not know how a run is carried out.
//!
//! A zygote opens it for itself, switched off. Its children inherit it, and theirs (`inherit` of perf_event_open(2)), and
//! in each of them it switches itself on with the first `execve` (`enable_on_exec`), which of a run's processes the program
//! does first. So it counts from the program's first instruction on, in all processes and threads that come of it. The
//! program neither holds the descriptor nor needs a right: the filter of system calls refuses it counters of its own.
//! The count of a process is added to the sum when it ends; the sum is read when all have ended.

use std::os::fd::OwnedFd;

use judge_model::{Instructions, NotCounted};
use rustix::io::Errno;

use crate::kernel;

/// One reading of the counter: its value, and for how long it was wanted and did count, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reading {
    count: u64,
    enabled: u64,
    running: u64,
}

/// The counting of one run.
pub(crate) enum Counting {
    NotWanted,
    Counter(OwnedFd),
    Impossible(NotCounted),
}

impl Counting {
    /// Starts to count everything that the calling process, which has one thread, starts from now on and that calls
    /// `execve`.
    pub(crate) fn start(wanted: bool) -> Self {
        if !wanted {
            return Self::NotWanted;
        }
        kernel::instruction_counter(true).map_or_else(|errno| Self::Impossible(why(errno)), Self::Counter)
    }

    /// The result of the count. Everything that was to be counted has ended.
    pub(crate) fn result(&self) -> Instructions {
        match self {
            Self::NotWanted => Instructions::NotWanted,
            Self::Impossible(why) => Instructions::NotCounted(*why),
            Self::Counter(counter) => match read(counter).and_then(Reading::count) {
                Ok(count) => Instructions::Counted(count),
                Err(why) => Instructions::NotCounted(why),
            },
        }
    }
}

/// Tries whether instructions can be counted here, by counting some of the calling thread's.
///
/// # Errors
/// Why they cannot. At the level `none` they cannot be counted in any case.
pub fn can_count_instructions() -> Result<(), NotCounted> {
    let counter = kernel::instruction_counter(false).map_err(why)?;
    let mut sum = 0_u64;
    for number in 0..10_000 {
        sum = std::hint::black_box(sum.wrapping_add(number));
    }
    match read(&counter)?.count() {
        // Others count just now, which passes.
        Ok(_) | Err(NotCounted::Shared) => Ok(()),
        Err(why) => Err(why),
    }
}

impl Reading {
    /// The count, if it is one of the whole run: an extrapolated one would be no repeatable measure.
    fn count(self) -> Result<u64, NotCounted> {
        match self {
            Self { enabled, running, .. } if running < enabled => Err(NotCounted::Shared),
            Self { count: 0, .. } => Err(NotCounted::Still),
            Self { count, .. } => Ok(count),
        }
    }
}

fn read(counter: &OwnedFd) -> Result<Reading, NotCounted> {
    let mut bytes = [0; 24];
    let length = rustix::io::read(counter, &mut bytes).map_err(why)?;
    if length != bytes.len() {
        return Err(NotCounted::NoCounter);
    }
    let mut words =
        bytes.chunks_exact(8).map(|word| word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
    let mut word = || words.next().unwrap_or_default();
    Ok(Reading { count: word(), enabled: word(), running: word() })
}

/// The reason that an error of perf_event_open(2) stands for.
fn why(errno: Errno) -> NotCounted {
    match errno {
        Errno::NOENT | Errno::OPNOTSUPP | Errno::NODEV | Errno::NOSYS => NotCounted::NoCounter,
        Errno::ACCESS => NotCounted::Forbidden,
        Errno::PERM => NotCounted::Refused,
        other => NotCounted::Failed(other.raw_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_count_counts() {
        let reading = |count, enabled, running| Reading { count, enabled, running }.count();
        assert_eq!(reading(7, 100, 100), Ok(7));
        assert_eq!(reading(7, 100, 99), Err(NotCounted::Shared));
        assert_eq!(reading(0, 100, 100), Err(NotCounted::Still));
        assert_eq!(reading(0, 100, 0), Err(NotCounted::Shared));
    }

    #[test]
    fn errors_have_their_reasons() {
        assert_eq!(why(Errno::NOENT), NotCounted::NoCounter);
        assert_eq!(why(Errno::ACCESS), NotCounted::Forbidden);
        assert_eq!(why(Errno::PERM), NotCounted::Refused);
        assert_eq!(why(Errno::MFILE), NotCounted::Failed(24));
    }

    #[test]
    fn nothing_is_opened_that_nobody_wants() {
        assert!(matches!(Counting::start(false), Counting::NotWanted));
        assert_eq!(Counting::start(false).result(), Instructions::NotWanted);
    }
}

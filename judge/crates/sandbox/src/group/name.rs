//! Names of control groups and directories that identify the process that created them.
//!
//! Responsible for generating names, and for deciding whether their creator is dead. Must not touch
//! groups or directories.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use rustix::rand::{GetRandomFlags, getrandom};

use crate::proc::files::stat_field;

/// The beginning of all names.
const START: &str = "judge-";

/// A process, distinguished from later ones with the same number: its pid namespace, number and
/// start time.
type Creator = (u64, u32, u64);

fn pid_namespace() -> Option<u64> {
    Some(fs::metadata("/proc/self/ns/pid").ok()?.ino())
}

/// The known state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Liveness {
    /// It was started then, in ticks since boot.
    Since(u64),
    /// No process has this number, or the process is dead.
    Dead,
    /// The kernel does not show it.
    Unknown,
}

fn liveness(pid: u32) -> Liveness {
    let liveness = liveness_from(fs::read_to_string(format!("/proc/{pid}/stat")));
    // If `/proc` hides the processes of others (`hidepid` in proc(5)), they only seem to be dead.
    let number = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let is_there = number.is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH));
    if liveness == Liveness::Dead && is_there && !is_seen(pid) {
        Liveness::Unknown
    } else {
        liveness
    }
}

fn is_seen(pid: u32) -> bool {
    fs::metadata(format!("/proc/{pid}")).is_ok()
}

/// Returns the state that field 22 of proc_pid_stat(5) shows. If the file cannot be read, the state
/// is unknown unless the error shows that the process is dead: this process may be out of
/// descriptors or memory.
fn liveness_from(stat: io::Result<String>) -> Liveness {
    let stat = match stat {
        Ok(stat) => stat,
        Err(error) => {
            return match Errno::from_io_error(&error) {
                Some(Errno::NOENT | Errno::SRCH) => Liveness::Dead,
                _ => Liveness::Unknown,
            };
        }
    };
    match stat_field(&stat, 3) {
        Some('Z' | 'X') => Liveness::Dead,
        _ => stat_field(&stat, 22).map_or(Liveness::Unknown, Liveness::Since),
    }
}

fn ourselves() -> Option<Creator> {
    // Read once: it never changes.
    static OURSELVES: OnceLock<Option<Creator>> = OnceLock::new();
    *OURSELVES.get_or_init(|| {
        let pid = std::process::id();
        match liveness(pid) {
            Liveness::Since(start) => Some((pid_namespace()?, pid, start)),
            Liveness::Dead | Liveness::Unknown => None,
        }
    })
}

/// Returns a new name that is unique and cannot be guessed: a program that knows the path of a file
/// can access it even in a directory that it may not list. `None` without `/proc` or random
/// numbers.
pub(crate) fn fresh() -> Option<String> {
    let (namespace, pid, start) = ourselves()?;
    let mut random = [0; 16];
    // Up to 256 bytes are returned completely (getrandom(2)).
    getrandom(&mut random, GetRandomFlags::empty()).ok()?;
    Some(format!(
        "{START}{namespace}-{pid}-{start}-{:032x}",
        u128::from_ne_bytes(random)
    ))
}

fn creator(name: &str) -> Option<Creator> {
    let mut parts = name.strip_prefix(START)?.split('-');
    let creator = (
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    let last = parts.next()?;
    let is_hexadecimal = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hexadecimal && parts.next().is_none()).then_some(creator)
}

/// True for a name whose creator is known to be dead. For creators in other pid namespaces, this is
/// unknown.
pub(crate) fn is_stale(name: &str) -> bool {
    let Some((namespace, pid, start)) = creator(name) else {
        return false;
    };
    let has_died = match liveness(pid) {
        Liveness::Since(other) => other != start,
        Liveness::Dead => true,
        Liveness::Unknown => false,
    };
    has_died && pid_namespace() == Some(namespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certainly_dead_processes_are_reported_dead() {
        let failed = |errno: Errno| liveness_from(Err(errno.into()));
        for unknown in [
            Errno::MFILE,
            Errno::NFILE,
            Errno::NOMEM,
            Errno::ACCESS,
            Errno::PERM,
            Errno::IO,
        ] {
            assert_eq!(failed(unknown), Liveness::Unknown, "{unknown}");
        }
        assert_eq!(failed(Errno::NOENT), Liveness::Dead);
        assert_eq!(failed(Errno::SRCH), Liveness::Dead);
        let stat = |state: &str| format!("7 (a) b) {state} {} 99 0", "0 ".repeat(18).trim_end());
        assert_eq!(liveness_from(Ok(stat("S"))), Liveness::Since(99));
        assert_eq!(liveness_from(Ok(stat("Z"))), Liveness::Dead);
        for cut in ["", "7 (a", "7 (a) S 1 2"] {
            assert_eq!(
                liveness_from(Ok(cut.to_owned())),
                Liveness::Unknown,
                "{cut}"
            );
        }
        assert!(matches!(liveness(std::process::id()), Liveness::Since(_)));
        // The first process always exists, even if it may not be inspected.
        assert_ne!(liveness(1), Liveness::Dead);
    }

    #[test]
    fn names_distinguish_living_and_dead_creators() {
        let name = fresh().unwrap();
        let random = |name: &str| name.rsplit_once('-').unwrap().1.to_owned();
        let parts = [random(&name), random(&fresh().unwrap())];
        // Of 32 random digits, two names share two in a row at the same place in one of eight
        // pairs, and sixteen never.
        assert!(parts.iter().all(|part| part.len() == 32), "{parts:?}");
        assert!(
            parts[0]
                .bytes()
                .zip(parts[1].bytes())
                .filter(|(one, other)| one == other)
                .count()
                < 16,
            "{parts:?}"
        );
        assert!(!is_stale(&name), "{name}");
        let (namespace, pid, start) = ourselves().unwrap();
        assert!(
            is_stale(&format!("judge-{namespace}-{pid}-{}-0", start + 1)),
            "the number was reused"
        );
        assert!(
            is_stale(&format!("judge-{namespace}-4194305-{start}-0")),
            "no such process"
        );
        assert!(
            !is_stale(&format!("judge-{}-4194305-{start}-0", namespace + 1)),
            "another namespace"
        );
        for name in [
            "judge-1-2-3",
            "judge-1-2-3-4-5",
            "judge-1-2-3-",
            "judge-1-2-3-x",
            "judge-a-2-3-4",
            "session-3.scope",
            "judge",
        ] {
            assert!(!is_stale(name), "{name}");
        }
    }
}

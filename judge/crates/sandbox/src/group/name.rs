//! Names of control groups and directories that identify the process which made them.
//!
//! Responsible for making names, and for deciding whether their maker is dead. Must not touch
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
type Maker = (u64, u32, u64);

fn pid_namespace() -> Option<u64> {
    Some(fs::metadata("/proc/self/ns/pid").ok()?.ino())
}

/// The life of a process, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    /// It was started then, in ticks since boot.
    Since(u64),
    /// No process has this number, or the process is dead.
    Dead,
    /// The kernel does not show it.
    Unknown,
}

fn life(pid: u32) -> Life {
    let life = life_by(fs::read_to_string(format!("/proc/{pid}/stat")));
    // Where `/proc` hides the processes of others (`hidepid` in proc(5)), they only seem to be
    // gone.
    let number = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let is_there = number.is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH));
    if life == Life::Dead && is_there && !is_seen(pid) {
        Life::Unknown
    } else {
        life
    }
}

fn is_seen(pid: u32) -> bool {
    fs::metadata(format!("/proc/{pid}")).is_ok()
}

/// Returns the life that field 22 of proc_pid_stat(5) shows. A file that cannot be read shows
/// nothing, unless the process is the reason: this process may have no descriptors or no memory
/// left.
fn life_by(stat: io::Result<String>) -> Life {
    let stat = match stat {
        Ok(stat) => stat,
        Err(error) => {
            let is_gone = [Errno::NOENT, Errno::SRCH]
                .map(Errno::raw_os_error)
                .contains(&error.raw_os_error().unwrap_or(0));
            return if is_gone { Life::Dead } else { Life::Unknown };
        }
    };
    match stat_field(&stat, 3) {
        Some('Z' | 'X') => Life::Dead,
        _ => stat_field(&stat, 22).map_or(Life::Unknown, Life::Since),
    }
}

fn ourselves() -> Option<Maker> {
    // Read once: it never changes.
    static OURSELVES: OnceLock<Option<Maker>> = OnceLock::new();
    *OURSELVES.get_or_init(|| {
        let pid = std::process::id();
        match life(pid) {
            Life::Since(start) => Some((pid_namespace()?, pid, start)),
            Life::Dead | Life::Unknown => None,
        }
    })
}

/// Returns a new name that is unique and cannot be guessed: a program that knows the path of a
/// directory can look at what is in it, even where it may not list it. `None` without `/proc` or
/// random numbers.
pub(crate) fn fresh() -> Option<String> {
    let (namespace, pid, start) = ourselves()?;
    let mut random = [0; 16];
    // Up to 256 bytes come whole (getrandom(2)).
    getrandom(&mut random, GetRandomFlags::empty()).ok()?;
    Some(format!(
        "{START}{namespace}-{pid}-{start}-{:032x}",
        u128::from_ne_bytes(random)
    ))
}

fn maker(name: &str) -> Option<Maker> {
    let mut parts = name.strip_prefix(START)?.split('-');
    let maker = (
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    let last = parts.next()?;
    let is_hexadecimal = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hexadecimal && parts.next().is_none()).then_some(maker)
}

/// True for a name that was given by a process that is known to be dead. Names given by processes
/// of other pid namespaces cannot be judged from here.
pub(crate) fn is_stale(name: &str) -> bool {
    let Some((namespace, pid, start)) = maker(name) else {
        return false;
    };
    let has_died = match life(pid) {
        Life::Since(other) => other != start,
        Life::Dead => true,
        Life::Unknown => false,
    };
    has_died && pid_namespace() == Some(namespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_proven_death_counts() {
        let failed = |errno: Errno| life_by(Err(errno.into()));
        for unknown in [
            Errno::MFILE,
            Errno::NFILE,
            Errno::NOMEM,
            Errno::ACCESS,
            Errno::PERM,
            Errno::IO,
        ] {
            assert_eq!(failed(unknown), Life::Unknown, "{unknown}");
        }
        assert_eq!(failed(Errno::NOENT), Life::Dead);
        assert_eq!(failed(Errno::SRCH), Life::Dead);
        let stat = |state: &str| format!("7 (a) b) {state} {} 99 0", "0 ".repeat(18).trim_end());
        assert_eq!(life_by(Ok(stat("S"))), Life::Since(99));
        assert_eq!(life_by(Ok(stat("Z"))), Life::Dead);
        for cut in ["", "7 (a", "7 (a) S 1 2"] {
            assert_eq!(life_by(Ok(cut.to_owned())), Life::Unknown, "{cut}");
        }
        assert!(matches!(life(std::process::id()), Life::Since(_)));
        // The first process always exists, whether it may be looked at or not.
        assert_ne!(life(1), Life::Dead);
    }

    #[test]
    fn names_distinguish_living_and_dead_makers() {
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
            "the number was given again"
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

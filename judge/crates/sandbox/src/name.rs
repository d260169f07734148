//! Names of control groups and directories, from which it can be told whether their maker still lives.
//!
//! Responsible for making and judging names. Must not touch what bears them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The beginning of all names.
const START: &str = "judge-";

/// A process, told apart from later ones with the same number: its pid namespace, number and start time.
type Maker = (u64, u32, u64);

fn pid_namespace() -> Option<u64> {
    Some(fs::metadata("/proc/self/ns/pid").ok()?.ino())
}

/// When a process was started, in ticks since boot: field 22 of proc_pid_stat(5). `None` for no process or a dead one.
fn start_time(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    if fields.starts_with(['Z', 'X']) {
        return None;
    }
    fields.split(' ').nth(19)?.parse().ok()
}

fn ourselves() -> Option<Maker> {
    static OURSELVES: OnceLock<Option<Maker>> = OnceLock::new();
    *OURSELVES.get_or_init(|| {
        let pid = std::process::id();
        Some((pid_namespace()?, pid, start_time(pid)?))
    })
}

/// A name that nothing else has. `None` without `/proc`.
pub(crate) fn fresh() -> Option<String> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let (namespace, pid, start) = ourselves()?;
    Some(format!("{START}{namespace}-{pid}-{start}-{}", NEXT.fetch_add(1, Ordering::Relaxed)))
}

fn maker(name: &str) -> Option<Maker> {
    let mut parts = name.strip_prefix(START)?.split('-');
    let maker = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    parts.next()?.parse::<u32>().ok()?;
    parts.next().is_none().then_some(maker)
}

/// Whether a name was given by a process that is known to be dead. Those of other pid namespaces cannot be judged from
/// here.
pub(crate) fn is_stale(name: &str) -> bool {
    let Some((namespace, pid, start)) = maker(name) else { return false };
    pid_namespace() == Some(namespace) && start_time(pid) != Some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_living_from_the_dead() {
        let name = fresh().unwrap();
        assert_ne!(name, fresh().unwrap());
        assert!(!is_stale(&name), "{name}");
        let (namespace, pid, start) = ourselves().unwrap();
        assert!(is_stale(&format!("judge-{namespace}-{pid}-{}-0", start + 1)), "the number was given again");
        assert!(is_stale(&format!("judge-{namespace}-4194305-{start}-0")), "no such process");
        assert!(!is_stale(&format!("judge-{}-4194305-{start}-0", namespace + 1)), "another namespace");
        for foreign in ["judge-1-2-3", "judge-1-2-3-4-5", "judge-a-2-3-4", "session-3.scope", "judge"] {
            assert!(!is_stale(foreign), "{foreign}");
        }
    }
}

//! The traces that harnesses could leave behind on the host: processes, mounts, control groups,
//! files.
//!
//! Responsible for finding them from outside, without asking the sandbox. Must not know how they
//! came about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The longest time for which any trace may remain.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A process, as proc_pid_stat(5) describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    is_zombie: bool,
}

impl Process {
    fn read(pid: i32, name: &str) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (start, fields) = stat.rsplit_once(") ")?;
        if start.split_once('(')?.1 != name {
            return None;
        }
        let mut fields = fields.split(' ');
        let is_zombie = ["Z", "X"].contains(&fields.next()?);
        Some(Self {
            pid,
            parent: fields.next()?.parse().ok()?,
            is_zombie,
        })
    }
}

/// A place for victims, and the state of the host before there were any.
pub(crate) struct Traces {
    /// The name of all processes of victims.
    name: String,
    /// The directory in which victims may leave files, but must not.
    pub(crate) scratch: PathBuf,
    depot: PathBuf,
    mounts: BTreeSet<String>,
    files: BTreeSet<PathBuf>,
}

impl Traces {
    pub(crate) fn begin(name: &str, directory: &Path) -> Self {
        let scratch = directory.join("scratch");
        std::fs::create_dir_all(&scratch).unwrap();
        let depot = directory.join("depot");
        Self {
            name: name.to_owned(),
            mounts: mounts(),
            files: files(&depot),
            scratch,
            depot,
        }
    }

    /// All processes that descend from victims.
    pub(crate) fn processes(&self) -> BTreeMap<i32, Process> {
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return BTreeMap::new();
        };
        entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter_map(|pid| Some((pid, Process::read(pid, &self.name)?)))
            .collect()
    }

    /// Kills a process, unless it has ended and its number belongs to another one by now.
    pub(crate) fn kill(&self, pid: i32) -> bool {
        let Some(pidfd) =
            Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
        else {
            return false;
        };
        Process::read(pid, &self.name).is_some_and(|process| !process.is_zombie)
            && pidfd_send_signal(&pidfd, Signal::KILL).is_ok()
    }

    /// Waits until nothing of a dead victim is left. Returns what is left after the timeout.
    pub(crate) fn left_by_dead(&self, victim: i32) -> Vec<String> {
        self.poll_until_empty(|| {
            let processes = self.processes();
            // A dead process whose parent has died is reaped by the host's init, not by this
            // process.
            let mut left: Vec<String> = processes
                .values()
                .filter(|process| !process.is_zombie || processes.contains_key(&process.parent))
                .map(|process| format!("{process:?}"))
                .collect();
            judge_sandbox::sweep();
            left.extend(groups(victim));
            left.extend(self.elsewhere());
            left
        })
    }

    /// Waits until a living victim has nothing but its slots.
    pub(crate) fn left_by_living(
        &self,
        victim: i32,
        slots: usize,
        slot_groups: usize,
    ) -> Vec<String> {
        self.poll_until_empty(|| {
            let processes = self.processes();
            let children = |is_parent: &dyn Fn(i32) -> bool| -> Vec<i32> {
                processes
                    .values()
                    .filter(|process| is_parent(process.parent))
                    .map(|process| process.pid)
                    .collect()
            };
            let outer = children(&|parent| parent == victim);
            let inner = children(&|parent| outer.contains(&parent));
            let mut left = Vec::new();
            if (outer.len(), inner.len()) != (slots, slots) {
                left.push(format!(
                    "zygotes {outer:?} with {inner:?}, expected {slots} of each"
                ));
            }
            left.extend(
                processes
                    .values()
                    .filter(|process| {
                        !process.is_zombie && !descends(&processes, process.pid, victim)
                    })
                    .map(|process| format!("{process:?}")),
            );
            // Names are the same in all hierarchies, so each slot has one.
            let groups = groups(victim);
            if groups.len() != slot_groups {
                left.push(format!("control groups {groups:?}, expected {slot_groups}"));
            }
            left.extend(self.elsewhere());
            left
        })
    }

    /// Mounts in our own namespace, and files.
    fn elsewhere(&self) -> Vec<String> {
        let ours = |line: &&String| {
            let directory = self.depot.parent().and_then(Path::to_str).unwrap();
            ["/.slot", " /box", directory]
                .iter()
                .any(|part| line.contains(part))
        };
        let mut found: Vec<String> = mounts()
            .difference(&self.mounts)
            .filter(ours)
            .cloned()
            .collect();
        found.extend(
            files(&self.scratch)
                .iter()
                .map(|path| path.display().to_string()),
        );
        let now = files(&self.depot);
        found.extend(
            now.symmetric_difference(&self.files)
                .map(|path| path.display().to_string()),
        );
        found
    }

    fn poll_until_empty(&self, mut remaining: impl FnMut() -> Vec<String>) -> Vec<String> {
        let begun = std::time::Instant::now();
        loop {
            let left = remaining();
            if left.is_empty() || begun.elapsed() > TIMEOUT {
                return left;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn descends(processes: &BTreeMap<i32, Process>, pid: i32, ancestor: i32) -> bool {
    let mut at = pid;
    while at != ancestor {
        match processes.get(&at) {
            Some(process) => at = process.parent,
            // It may have been born after the list was made; a process that is still an orphan at
            // the next look is one.
            None => return false,
        }
    }
    true
}

fn mounts() -> BTreeSet<String> {
    std::fs::read_to_string("/proc/self/mountinfo")
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// All files below a directory.
fn files(directory: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        }
        found.insert(entry.path());
    }
    found
}

/// The names of all control groups that a process made.
fn groups(maker: i32) -> BTreeSet<String> {
    fn look(directory: &Path, part: &str, found: &mut BTreeSet<String>) {
        let Ok(entries) = std::fs::read_dir(directory) else {
            return;
        };
        for entry in entries
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("judge-") && name.contains(part) {
                found.insert(name);
            } else {
                look(&entry.path(), part, found);
            }
        }
    }
    let mut found = BTreeSet::new();
    look(
        Path::new("/sys/fs/cgroup"),
        &format!("-{maker}-"),
        &mut found,
    );
    found
}

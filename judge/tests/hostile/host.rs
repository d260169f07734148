//! The host before and after a case.
//!
//! Responsible for the state that must not change: processes, mounts, control groups, files,
//! memory. Must not know cases.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// The maximum time until the host is as before: the kernel ends namespaces in the background.
pub(crate) const RESTORE_TIMEOUT: Duration = Duration::from_secs(20);

/// The state of the host that must be the same before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Host {
    /// Our descendants, with their names.
    processes: BTreeMap<i32, String>,
    /// The mounts of our own mount namespace, each as in mountinfo.
    mounts: BTreeSet<String>,
    groups: BTreeSet<PathBuf>,
    /// System V objects.
    objects: String,
    /// Names beginning with `hostile`, which all cases use, in places of the host that every user
    /// may write to.
    left: BTreeSet<PathBuf>,
    /// The files that the suite itself has prepared for the programs, with size and time of the
    /// last change.
    own: BTreeMap<PathBuf, String>,
}

impl Host {
    pub(crate) fn look(own: &Path) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let mut files = BTreeMap::new();
        list(own, &mut files);
        Self {
            processes: descendants(),
            mounts: own_mounts(),
            groups: groups(),
            objects: ["shm", "msg", "sem"]
                .map(|kind| keys(&read(&format!("/proc/sysvipc/{kind}"))))
                .concat(),
            left: [
                "/tmp",
                "/var/tmp",
                "/dev/shm",
                "/dev/mqueue",
                "/",
                "/usr",
                "/etc",
                "/run",
            ]
            .iter()
            .flat_map(|place| fs::read_dir(place).into_iter().flatten())
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                path.file_name()
                    .is_some_and(|name| name.as_encoded_bytes().starts_with(b"hostile"))
            })
            .collect(),
            own: files,
        }
    }

    /// The host once the processes that set the slots up have ended. `mounts` are those from before
    /// any slot was opened: a mount that a slot does not remove appears in all later states.
    pub(crate) fn settled(own: &Path, mounts: &BTreeSet<String>) -> Self {
        let mut host = Self::look(own);
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let now = Self::look(own);
            if now == host {
                return Self {
                    mounts: mounts.clone(),
                    ..host
                };
            }
            host = now;
        }
    }

    /// Waits until the host is as before. Returns the remaining differences.
    pub(crate) fn compare(&self, own: &Path, timeout: Duration) -> Vec<String> {
        let give_up = Instant::now() + timeout;
        loop {
            let mut now = Self::look(own);
            now.mounts.extend(
                self.mounts
                    .iter()
                    .filter(|mount| is_unmounted(mount))
                    .cloned(),
            );
            if now == *self {
                return Vec::new();
            }
            if Instant::now() >= give_up {
                return self.differences(&now);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn differences(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what: &str, before: String, after: String| {
            if before != after {
                found.push(format!("{what} changed: before {before}, after {after}"));
            }
        };
        compare(
            "processes",
            format!("{:?}", self.processes),
            format!("{:?}", now.processes),
        );
        compare(
            "mounts",
            format!("{:#?}", self.mounts),
            format!("{:#?}", now.mounts),
        );
        compare(
            "control groups",
            format!("{:?}", self.groups),
            format!("{:?}", now.groups),
        );
        compare(
            "System V objects",
            self.objects.clone(),
            now.objects.clone(),
        );
        compare(
            "files of the host",
            format!("{:?}", self.left),
            format!("{:?}", now.left),
        );
        let changed = |a: &BTreeMap<PathBuf, String>, b: &BTreeMap<PathBuf, String>| -> String {
            a.iter()
                .filter(|(path, state)| b.get(*path) != Some(*state))
                .map(|entry| format!("{entry:?} "))
                .collect()
        };
        compare(
            "the suite's own files",
            changed(&self.own, &now.own),
            changed(&now.own, &self.own),
        );
        found
    }
}

/// The variable that marks a program in its own mount namespace.
const OWN_MOUNTS: &str = "HOSTILE_SUITE_HAS_OWN_MOUNTS";

/// The mounts that only the sandbox below this process can have made; empty if it cannot make any.
pub(crate) fn own_mounts() -> BTreeSet<String> {
    let has_own = std::env::var_os(OWN_MOUNTS).is_some();
    let mounts = if has_own {
        fs::read_to_string("/proc/self/mountinfo").unwrap_or_default()
    } else {
        String::new()
    };
    mounts.lines().map(str::to_owned).collect()
}

/// True if the mount point of a line of mountinfo no longer exists: a program that removes such a
/// directory of the host, as container engines do, takes the mount away from every mount namespace
/// (mount_namespaces(7)).
fn is_unmounted(mount: &str) -> bool {
    let path = mount.split(' ').nth(4).unwrap_or_default();
    // Special characters, such as spaces, are octal there. They do not occur in the paths of
    // container engines.
    !path.contains('\\') && !Path::new(path).exists()
}

/// Runs this program again in its own mount namespace, to which mounts of others do not propagate.
/// `None` if it is in one already, or has no right to make one: then the sandbox has no right to
/// mount anything outside of a user namespace.
///
/// All mounts of the namespace are private first, which cuts them off from the host, and then
/// shared: so a mount of a helper process that did not make its mounts private appears here
/// (mount_namespaces(7)).
pub(crate) fn run_with_own_mounts(args: &[String]) -> Option<Result<bool, String>> {
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args([
            "--mount",
            "--propagation",
            "private",
            "--",
            "sh",
            "-c",
            script,
        ]);
        command
    };
    let share = "mount --make-rshared /";
    let is_possible =
        |output: std::io::Result<Output>| output.is_ok_and(|output| output.status.success());
    if std::env::var_os(OWN_MOUNTS).is_some() || !is_possible(unshare(share).output()) {
        return None;
    }
    let program = std::env::current_exe().map_err(|error| error.to_string());
    Some(program.and_then(|program| {
        let mut command = unshare(&format!("{share} && exec \"$0\" \"$@\""));
        let status = command
            .arg(program)
            .args(args)
            .env(OWN_MOUNTS, "1")
            .status();
        status
            .map(|status| status.success())
            .map_err(|error| format!("cannot start `unshare`: {error}"))
    }))
}

/// All processes below this one.
pub(crate) fn descendants() -> BTreeMap<i32, String> {
    let mut parents = BTreeMap::new();
    for pid in pids() {
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
            continue;
        };
        let Some((head, fields)) = stat.rsplit_once(") ") else {
            continue;
        };
        let Some(parent) = fields
            .split(' ')
            .nth(1)
            .and_then(|field| field.parse::<i32>().ok())
        else {
            continue;
        };
        let name = head
            .split_once(" (")
            .map_or("", |(_, name)| name)
            .to_owned();
        parents.insert(pid, (parent, name));
    }
    let ourselves = i32::try_from(std::process::id()).unwrap_or_default();
    let is_below = |pid: &i32| {
        let mut at = *pid;
        while let Some((parent, _)) = parents.get(&at) {
            if *parent == ourselves {
                return true;
            }
            at = *parent;
        }
        false
    };
    parents
        .iter()
        .filter(|(pid, _)| is_below(pid))
        .map(|(pid, (_, name))| (*pid, name.clone()))
        .collect()
}

fn pids() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// The numbers of all processes of this host with `marker` in their command lines.
pub(crate) fn processes_with(marker: &str) -> Vec<i32> {
    let has = |pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.windows(marker.len())
            .any(|window| window == marker.as_bytes())
    };
    pids().filter(has).collect()
}

/// The control groups that this process has made. Those of other processes come and go.
fn groups() -> BTreeSet<PathBuf> {
    let (mut found, mut left) = (BTreeSet::new(), vec![(PathBuf::from("/sys/fs/cgroup"), 0)]);
    let ours = format!("-{}-", std::process::id());
    while let Some((directory, depth)) = left.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if name.starts_with("judge-") && name.contains(&ours) {
                found.insert(path);
            } else if depth < 6 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push((path, depth + 1));
            }
        }
    }
    found
}

/// Lines of the key that all cases use (0x6a756467).
fn keys(table: &str) -> String {
    table
        .lines()
        .filter(|line| line.trim_start().starts_with("1786078311"))
        .collect()
}

fn list(directory: &Path, files: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(metadata) = path.symlink_metadata() else {
            continue;
        };
        // A directory changes with its content.
        let (size, time) = if metadata.is_dir() {
            (0, 0)
        } else {
            (metadata.size(), metadata.mtime())
        };
        if metadata.is_dir() {
            list(&path, files);
        }
        files.insert(
            path,
            format!("{:o} {} {size} {time}", metadata.mode(), metadata.uid()),
        );
    }
}

/// Memory in bytes that belongs to no living process: files in memory, and memory that the kernel
/// holds on behalf of programs.
pub(crate) fn hidden_memory() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let value = |name: &str| -> u64 {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
            .unwrap_or(0)
    };
    ["Shmem", "SUnreclaim", "PageTables", "KernelStack"]
        .map(value)
        .iter()
        .sum::<u64>()
        << 10
}

/// Waits until a condition holds, for at most five seconds.
pub(crate) fn eventually(mut condition: impl FnMut() -> bool) -> bool {
    (0..500).any(|_| {
        let holds = condition();
        if !holds {
            std::thread::sleep(Duration::from_millis(10));
        }
        holds
    })
}

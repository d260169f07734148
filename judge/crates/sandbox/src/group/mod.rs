//! Control groups on the harness's side: finding a place for them, creating and removing them.
//!
//! Responsible for finding a place that respects the harness's own group, and for leaving nothing
//! behind. Must not know runs: limits are set and counters read by the zygotes, through descriptors
//! opened here.
//!
//! See cgroups(7) and the kernel's `cgroup-v2.rst`.

pub(crate) mod dbus;
mod hierarchy;
pub(crate) mod name;
mod own_mount;
mod place;
pub(crate) mod scope;

pub(crate) use hierarchy::{own_events, permitted_processes};
pub(crate) use place::Place;

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, OFlags};
use rustix::io::Errno;

use crate::SandboxError;
use crate::open::open_at;
use crate::protocol::messages::Role;

/// The control group of one slot. Dropping it removes it, so everything in it must be dead by then.
pub(crate) struct SlotGroup {
    directories: Vec<PathBuf>,
    /// Open files, in the order in which they are handed over.
    pub(crate) files: Vec<(Role, OwnedFd)>,
    /// True if the kernel cannot reset a group's memory peak, so that each run needs a new group.
    pub(crate) single_use: bool,
}

impl SlotGroup {
    pub(crate) fn empty() -> Self {
        Self {
            directories: Vec::new(),
            files: Vec::new(),
            single_use: false,
        }
    }

    fn make(&mut self, directory: PathBuf) -> Result<(), SandboxError> {
        fs::create_dir(&directory).map_err(SandboxError::host(format!(
            "create the control group `{}`",
            directory.display()
        )))?;
        self.directories.push(directory);
        Ok(())
    }

    /// The path of a file of the group that was created last.
    fn path(&self, name: &str) -> PathBuf {
        let last = self.directories.last();
        last.map(|directory| directory.join(name))
            .unwrap_or_default()
    }

    /// Opens a file of the group that was created last.
    fn open(&mut self, role: Role, name: &str, flags: OFlags) -> Result<(), SandboxError> {
        let path = self.path(name);
        let file = open_at(CWD, &path, flags)
            .map_err(SandboxError::host(format!("open `{}`", path.display())))?;
        self.files.push((role, file));
        Ok(())
    }

    fn open_if_present(&mut self, role: Role, name: &str, flags: OFlags) {
        let _ = self.open(role, name, flags);
    }

    fn set(&self, name: &str, value: &str) -> std::io::Result<()> {
        fs::write(self.path(name), value)
    }
}

impl Drop for SlotGroup {
    fn drop(&mut self) {
        for directory in self.directories.drain(..) {
            remove(&directory, Duration::from_secs(2));
        }
    }
}

/// Removes a group, waiting for dying processes to leave it.
fn remove(directory: &Path, timeout: Duration) -> bool {
    let deadline = Instant::now() + timeout;
    loop {
        match rustix::fs::rmdir(directory) {
            Ok(()) | Err(Errno::NOENT) => return true,
            // A dying process leaves its group late in its exit, and until then the group is busy.
            Err(Errno::BUSY) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(_) => return false,
        }
    }
}

/// Removes the groups that dead harnesses left in `parent`. Groups of living harnesses are never
/// touched. Returns how many were removed.
fn sweep(parent: &Path) -> u32 {
    let Ok(entries) = fs::read_dir(parent) else {
        return 0;
    };
    let mut removed = 0;
    for entry in entries.filter_map(Result::ok) {
        // The name alone decides, which contains the process and its start time: a group of a
        // living process is never opened.
        let stale = entry.file_name().to_str().is_some_and(name::is_stale);
        if !stale {
            continue;
        }
        let directory = entry.path();
        // `cgroup.kill` exists since Linux 5.14, and only in v2; elsewhere members are killed one
        // by one.
        if fs::write(directory.join("cgroup.kill"), "1").is_err() {
            let processes = fs::read_to_string(directory.join("cgroup.procs")).unwrap_or_default();
            for pid in processes
                .lines()
                .filter_map(|line| rustix::process::Pid::from_raw(line.parse().ok()?))
            {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
        removed += u32::from(remove(&directory, Duration::from_millis(500)));
    }
    removed
}

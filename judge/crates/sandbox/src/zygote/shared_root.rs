//! The environment of a slot without a mount namespace: a directory, and a Landlock ruleset for
//! each run.
//!
//! Responsible for the places at which programs of such a slot find files, and for the files that
//! they may open. Must not know how they are started or killed.
//!
//! A file or directory that is bound to a run is a link in the slot's directory, so that its path
//! is the same in every run. A link gives no rights: the ruleset names the file itself. Files that
//! programs of another user could not reach are copied.

use std::cell::Cell;
use std::ffi::{CStr, CString, OsStr};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Gid, Mode, OFlags, Uid, mkdirat, statat, symlinkat};
use rustix::io::Errno;

use super::landlock::{Access, Ruleset};
use super::locks::LockableFiles;
use super::root::doing;
use super::{etc, prefilled_workdir};
use crate::open::{directory_handle, open_at, open_beneath};
use crate::protocol::channel::Channel;
use crate::protocol::messages::{BoundPart, Run, Setup, kind};
use crate::protocol::wire::Writer;
use crate::trees::copy::{CopyLimits, copy_tree};
use crate::{levels::scratch, trees::remove as remove_tree};

const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// Files of `/proc` that describe the machine and not processes; language runtimes read them.
const MACHINE: [&str; 7] = [
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/filesystems",
    "/proc/version",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sys/kernel/pid_max",
];

/// Files of a process's own directory in `/proc` that language runtimes read, and two directories
/// that list only its own open files. Never the whole directory: `net` in it shows the host's
/// network, `mountinfo` and `mounts` its mounts, `cgroup` the harness's groups, and `task` repeats
/// all of them for each thread.
const OWN: [&CStr; 15] = [
    c"auxv",
    c"cmdline",
    c"comm",
    c"environ",
    c"fd",
    c"fdinfo",
    c"limits",
    c"maps",
    c"oom_score_adj",
    c"schedstat",
    c"smaps",
    c"smaps_rollup",
    c"stat",
    c"statm",
    c"status",
];

/// A depot. `copied` is true if the programs' user has to be given copies.
struct Depot {
    path: CString,
    copied: bool,
}

/// The state of the directories in which a run may write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WorkState {
    Absent,
    /// Present, empty, and not used by any program so far.
    Empty,
    Used,
}

/// A part of a depot, as it was when it was bound.
#[derive(PartialEq, Eq)]
struct BoundFile {
    part: (u32, CString, CString),
    /// The file's own number and its time of change.
    identity: (u64, u64, i64, i64),
}

/// The host's file system, as a slot without a mount namespace shares it.
pub(super) struct SharedRoot {
    directory: OwnedFd,
    path: PathBuf,
    /// The working directory's path.
    pub(super) cwd: CString,
    uid: Option<u32>,
    version: u32,
    /// The base: the files that every run may open.
    base: Vec<(OwnedFd, Access)>,
    /// The files about the machine that runs with `/proc` may open there, in addition to their own
    /// directory.
    machine: Vec<OwnedFd>,
    pub(super) depots: Vec<OwnedFd>,
    depot_paths: Vec<Depot>,
    pub(super) proc: OwnedFd,
    bound: Vec<BoundFile>,
    bound_files: Vec<OwnedFd>,
    work: WorkState,
    /// The ruleset of the last run, if it can be used again.
    ready: Option<Ruleset>,
    heartbeat: Heartbeat,
}

/// Messages to the harness while files are being removed. The harness treats a long silence as a
/// fault.
pub(super) struct Heartbeat {
    channel: Channel,
    last_sent: Cell<Instant>,
}

impl Heartbeat {
    /// The interval between messages, far below the silence that the harness treats as a fault.
    const INTERVAL: Duration = Duration::from_secs(1);

    pub(super) fn new(channel: &Channel) -> Result<Self, Errno> {
        Ok(Self {
            channel: Channel::new(rustix::io::fcntl_dupfd_cloexec(channel, 3)?),
            last_sent: Cell::new(Instant::now()),
        })
    }

    fn beat(&self) {
        if self.last_sent.get().elapsed() >= Self::INTERVAL {
            self.last_sent.set(Instant::now());
            // The harness does not read between runs, so a full or closed socket is ignored.
            let _ = self
                .channel
                .send_if_room(Writer::default().start(kind::BUSY).bytes(), &[]);
        }
    }
}

/// A descriptor that identifies a file and cannot be read.
fn mark(path: impl rustix::path::Arg) -> Result<OwnedFd, Errno> {
    open_at(CWD, path, OFlags::PATH)
}

fn path_of(name: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(name.to_bytes()))
}

impl SharedRoot {
    /// Takes over the slot's directory.
    pub(super) fn new(
        setup: &Setup<'_>,
        directory: OwnedFd,
        version: u32,
        heartbeat: Heartbeat,
    ) -> Result<Self, String> {
        let path = path_of(setup.scratch).to_owned();
        // Only the slot's own user may pass through the directory from here on. Landlock is the
        // first barrier between slots, and this is the second one.
        if let Some(uid) = setup.head.uid {
            scratch::open_to_one(directory.as_fd(), uid).map_err(doing(format!(
                "change the group of `{}` to that of the slot's user",
                path.display()
            )))?;
        }
        let depot_paths: Vec<Depot> = setup
            .depots
            .iter()
            .map(|path| {
                // A link to a file that the programs' user cannot reach would lead to
                // "permission denied", so such depots are copied instead.
                let copied = setup.head.uid.is_some() && !scratch::is_open_to_all(path_of(path));
                Depot {
                    path: (*path).to_owned(),
                    copied,
                }
            })
            .collect();
        let open_depot = |path: &&CStr| {
            directory_handle(*path).map_err(doing(format!("open `{}`", path.to_string_lossy())))
        };
        let mut root = Self {
            cwd: CString::new(path.join("work").as_os_str().as_bytes())
                .map_err(|_| "a path with a NUL")?,
            uid: setup.head.uid,
            version,
            base: Vec::new(),
            machine: MACHINE.iter().filter_map(|path| mark(*path).ok()).collect(),
            depots: setup
                .depots
                .iter()
                .map(open_depot)
                .collect::<Result<_, _>>()?,
            depot_paths,
            proc: mark("/proc").map_err(doing("open `/proc`"))?,
            bound: Vec::new(),
            bound_files: Vec::new(),
            work: WorkState::Absent,
            ready: None,
            heartbeat,
            directory,
            path,
        };
        root.base = root.base_files(setup)?;
        // An earlier zygote of the slot may have been killed in the middle of a run.
        for name in [c"work", c"tmp", c"program", c"judge"] {
            root.clear(name)?;
        }
        for name in [c"program", c"judge"] {
            root.make(name)?;
        }
        Ok(root)
    }

    /// The base system, the view and the devices.
    fn base_files(&self, setup: &Setup<'_>) -> Result<Vec<(OwnedFd, Access)>, String> {
        let mut base = Vec::new();
        // Node and Python do not start without the last one.
        let ssl = PathBuf::from("/etc/ssl/openssl.cnf");
        for path in super::root::system_paths()?
            .into_iter()
            .chain(etc::shown_entries())
            .chain([ssl])
        {
            // Links lead to files in the list, or to files that programs should not see.
            if path.is_symlink() {
                continue;
            }
            if let Ok(file) = mark(&path) {
                base.push((file, Access::Read));
            }
        }
        for device in DEVICES {
            if let Ok(file) = mark(device) {
                base.push((file, Access::ReadAndWrite));
            }
        }
        for (source, target) in &setup.view {
            let shown = source.to_string_lossy();
            // A file is visible at its path on the host only, because no mount can show it
            // elsewhere.
            if source != target {
                let target = target.to_string_lossy();
                return Err(format!(
                    "cannot show `{shown}` as `{target}`: that needs a mount namespace"
                ));
            }
            base.push((
                mark(*source).map_err(doing(format!("open `{shown}`")))?,
                Access::Read,
            ));
        }
        Ok(base)
    }

    fn clear(&self, name: &CStr) -> Result<(), String> {
        let shown = name.to_string_lossy();
        remove_tree::remove(self.directory.as_fd(), name, &mut || self.heartbeat.beat())
            .map_err(doing(format!("remove `{shown}` of the slot's directory")))
    }

    fn make(&self, name: &CStr) -> Result<(), String> {
        let shown = name.to_string_lossy();
        mkdirat(&self.directory, name, Mode::from_raw_mode(0o755))
            .map_err(doing(format!("create `{shown}` in the slot's directory")))
    }

    fn open(&self, name: &CStr) -> Result<OwnedFd, String> {
        let shown = name.to_string_lossy();
        open_at(&self.directory, name, OFlags::PATH | OFlags::NOFOLLOW)
            .map_err(doing(format!("open `{shown}` of the slot's directory")))
    }

    /// Returns a path by which this process finds a name in the slot's directory, even if the
    /// directories above were moved.
    fn below(&self, name: &CStr) -> PathBuf {
        Path::new("/proc/self/fd")
            .join(self.directory.as_raw_fd().to_string())
            .join(path_of(name))
    }

    /// Prepares a run. Only the program's own directory in `/proc` is not yet in the ruleset.
    pub(super) fn prepare(&mut self, run: &Run<'_>) -> Result<(), String> {
        let rebound = self.bind(&run.binds)?;
        let writable = run.work.is_some();
        let fresh = self.prepare_work(writable)?;
        if !run.work_files.is_empty() {
            self.fill_work(run)?;
        }
        // A Landlock ruleset can only grow, so one that allows too much for the next run is made
        // again. A program adds its own directory of `/proc` to its ruleset.
        if rebound || fresh || run.proc_mounted {
            self.ready = None;
        }
        if self.ready.is_none() {
            // Kept while nothing changes: a ruleset costs dozens of system calls, which most runs
            // save.
            let ruleset = Ruleset::new(self.version).map_err(doing("make a Landlock ruleset"))?;
            self.fill(&ruleset, run)
                .map_err(doing("fill a Landlock ruleset"))?;
            self.ready = Some(ruleset);
        }
        Ok(())
    }

    fn fill(&self, ruleset: &Ruleset, run: &Run<'_>) -> Result<(), Errno> {
        for (file, access) in &self.base {
            ruleset.allow(file.as_fd(), *access)?;
        }
        for file in &self.bound_files {
            ruleset.allow(file.as_fd(), Access::Read)?;
        }
        if run.proc_mounted {
            for file in &self.machine {
                ruleset.allow(file.as_fd(), Access::Read)?;
            }
        }
        let access = if run.work.is_some() {
            Access::Everything
        } else {
            Access::Read
        };
        for name in [c"work", c"tmp"] {
            let directory = open_at(&self.directory, name, OFlags::PATH)?;
            ruleset.allow(directory.as_fd(), access)?;
        }
        Ok(())
    }

    /// The files that a run may lock.
    pub(super) fn lockable_files(&self) -> LockableFiles<'_> {
        LockableFiles::Below {
            proc: self.proc.as_fd(),
            slot: self.directory.as_fd(),
            names: ["work", "tmp"],
        }
    }

    pub(super) fn ruleset(&self) -> Option<&Ruleset> {
        self.ready.as_ref()
    }

    /// Makes the directories in which a run may write. Returns true if they are new.
    fn prepare_work(&mut self, writable: bool) -> Result<bool, String> {
        self.tidy()?;
        let fresh = self.work == WorkState::Absent;
        for name in [c"work", c"tmp"] {
            if fresh {
                self.make(name)?;
            }
            if let (true, Some(uid)) = (writable, self.uid) {
                let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(uid));
                rustix::fs::chownat(
                    &self.directory,
                    name,
                    Some(uid),
                    Some(gid),
                    AtFlags::SYMLINK_NOFOLLOW,
                )
                .map_err(doing("give the working directory to the program's user"))?;
            }
        }
        // A directory that was given read-only has a ruleset that does not allow writing, so
        // the ruleset is made again although the directory stays.
        let was_empty = self.work == WorkState::Empty;
        self.work = if writable {
            WorkState::Used
        } else {
            WorkState::Empty
        };
        Ok(fresh || (was_empty && writable))
    }

    /// Puts files into the working directory.
    fn fill_work(&mut self, run: &Run<'_>) -> Result<(), String> {
        self.work = WorkState::Used;
        let work = self.below(c"work");
        prefilled_workdir::copy(&run.work_files, &self.depots, &work)?;
        match self.uid.filter(|_| run.work.is_some()) {
            Some(uid) => prefilled_workdir::give(&work, uid),
            None => Ok(()),
        }
    }

    /// Removes what a run wrote.
    pub(super) fn tidy(&mut self) -> Result<(), String> {
        if self.work == WorkState::Used {
            for name in [c"work", c"tmp"] {
                self.clear(name)?;
            }
            self.work = WorkState::Absent;
            self.ready = None;
        }
        Ok(())
    }

    /// The working directory, for the harness to take files from.
    pub(super) fn work(&self) -> Option<OwnedFd> {
        let work = self.open(c"work").ok()?;
        if self.uid.is_none() {
            mark_programs(&work);
        }
        Some(work)
    }

    /// Binds the parts of the depots that a run sees. Returns true if they differ from those of the
    /// run before.
    fn bind(&mut self, binds: &[BoundPart<'_>]) -> Result<bool, String> {
        let mut files = Vec::with_capacity(binds.len());
        let mut bound = Vec::with_capacity(binds.len());
        for (depot, source, target) in binds {
            let fd = self
                .depots
                .get(*depot as usize)
                .ok_or("an unknown depot was named")?;
            let shown = || format!("find `{}` in its depot", source.to_string_lossy());
            let below = if source.is_empty() { c"." } else { source };
            let file = open_beneath(fd, below, OFlags::PATH).map_err(doing(shown()))?;
            let stat = statat(&file, c"", AtFlags::EMPTY_PATH).map_err(doing(shown()))?;
            let identity = (
                stat.st_dev,
                stat.st_ino,
                stat.st_ctime as i64,
                stat.st_ctime_nsec as i64,
            );
            bound.push(BoundFile {
                part: (*depot, (*source).to_owned(), (*target).to_owned()),
                identity,
            });
            files.push(file);
        }
        // The same unchanged files at the same names: links and rules of the last run are still
        // valid.
        if bound == self.bound {
            return Ok(false);
        }
        // If this fails half-way, nothing counts as bound.
        self.bound.clear();
        self.bound_files.clear();
        for name in [c"program", c"judge"] {
            self.clear(name)?;
        }
        self.make(c"judge")?;
        if !binds.iter().any(|(_, _, target)| *target == c"/program") {
            self.make(c"program")?;
        }
        for ((depot, source, target), file) in binds.iter().zip(&mut files) {
            self.place(*depot, source, target, file)?;
        }
        (self.bound, self.bound_files) = (bound, files);
        Ok(true)
    }

    /// Puts one part of a depot where programs look for it. A copy takes the place of `file`.
    fn place(
        &self,
        depot: u32,
        source: &CStr,
        target: &CStr,
        file: &mut OwnedFd,
    ) -> Result<(), String> {
        let name = CString::new(&target.to_bytes()[1..]).map_err(|_| "a target with a NUL")?;
        let depot_path = &self.depot_paths[depot as usize];
        if !depot_path.copied {
            let mut link = path_of(&depot_path.path).to_owned();
            if !source.is_empty() {
                link.push(path_of(source));
            }
            return symlinkat(&link, &self.directory, &name)
                .map_err(doing(format!("link `{}`", target.to_string_lossy())));
        }
        let below = if source.is_empty() { c"." } else { source };
        copy_tree(
            &self.depots[depot as usize],
            path_of(below),
            &self.below(&name),
            CopyLimits::OF_HARNESS,
        )
        .map_err(|error| {
            format!(
                "cannot copy `{}` for the program's user: {error}",
                source.to_string_lossy()
            )
        })?;
        *file = self.open(&name)?;
        Ok(())
    }

    /// Removes the slot's directory permanently.
    pub(super) fn remove(&self) {
        let _ = scratch::remove(&self.directory, &self.path);
    }
}

/// Makes programs executable that a linker has left in a directory. The linker cannot do so: a
/// program with our own user may change no modes at all, because it could not be restricted to its
/// own files (see the filter of system calls).
fn mark_programs(directory: &OwnedFd) {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let Ok(entries) = open_at(directory, c".", OFlags::RDONLY).and_then(Dir::new) else {
        return;
    };
    for entry in entries.flatten() {
        let Ok(file) = open_at(directory, entry.file_name(), flags) else {
            continue;
        };
        let regular = rustix::fs::fstat(&file)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile);
        // Only files that begin as executables do. Making data executable would be harmless, but
        // the mode would be copied into the cache as well.
        let mut magic = [0; 4];
        if regular && rustix::io::pread(&file, &mut magic, 0) == Ok(4) && magic == *b"\x7fELF" {
            let _ = rustix::fs::fchmod(&file, Mode::from_raw_mode(0o755));
        }
    }
}

/// Allows the calling process to read its own directory in `/proc`. Works in children that share
/// memory.
pub(super) fn allow_own_proc(ruleset: &Ruleset, proc: BorrowedFd<'_>) -> Result<(), Errno> {
    let own = open_at(proc, c"self", OFlags::PATH | OFlags::DIRECTORY)?;
    for name in OWN {
        match open_at(&own, name, OFlags::PATH | OFlags::NOFOLLOW) {
            Ok(file) => ruleset.allow(file.as_fd(), Access::Read)?,
            // Not every kernel has all of these files.
            Err(Errno::NOENT) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

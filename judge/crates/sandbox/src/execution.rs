//! Executions: the program to run, the files that it sees, and its limits.
//!
//! Responsible for the types that the runner and the sandbox share. Must not know how a limit is
//! enforced.

use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use judge_model::Outcome;
use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::io::Errno;

use crate::{CancelToken, Duplex, SandboxError, WarmStart};

/// A file or directory of the host that every run of a slot sees, read-only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Absolute path on the host. Symbolic links are followed.
    pub source: PathBuf,
    /// Absolute path inside the sandbox.
    pub target: PathBuf,
}

/// A file or directory of one of the slot's depots that one run sees, read-only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bind {
    /// Absolute path on the host; it must be below one of [`SlotSpec::depots`].
    pub source: PathBuf,
    /// The target: the name by which it is bound, such as `/program` or `/judge/input`: a name
    /// below `/program` or `/judge`. The program finds it at [`Layout::place`] of that name.
    pub target: PathBuf,
}

/// The layout of a slot: the paths at which its programs find their files. With a mount namespace,
/// these are the same fixed paths in every slot ([`Layout::default`]); without one, they are in a
/// directory of the slot. Arguments and environments of programs must use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The path of everything that is bound to `/program` and to names below it.
    pub program: PathBuf,
    /// The path of everything that is bound to names below `/judge`.
    pub judge: PathBuf,
    /// The working directory.
    pub work: PathBuf,
    /// The directory for temporary files.
    pub tmp: PathBuf,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            program: "/program".into(),
            judge: "/judge".into(),
            work: "/box/work".into(),
            tmp: "/tmp".into(),
        }
    }
}

impl Layout {
    /// The layout of slots with a mount namespace.
    #[must_use]
    pub fn fixed() -> &'static Self {
        static FIXED: LazyLock<Layout> = LazyLock::new(Layout::default);
        &FIXED
    }

    /// The layout of a slot that has its own directory and no mount namespace.
    pub(crate) fn below(directory: &Path) -> Self {
        let [program, judge, work, tmp] =
            ["program", "judge", "work", "tmp"].map(|name| directory.join(name));
        Self {
            program,
            judge,
            work,
            tmp,
        }
    }

    /// Returns the path in this layout for a path of [`Layout::default`] that begins with
    /// `/program` or `/judge`. All other paths are returned unchanged.
    #[must_use]
    pub fn place(&self, path: &Path) -> PathBuf {
        let Self { program, judge, .. } = Self::fixed();
        let moved = [(program, &self.program), (judge, &self.judge)]
            .into_iter()
            .find_map(|(from, to)| {
                let below = path.strip_prefix(from).ok()?;
                Some(if below.as_os_str().is_empty() {
                    to.clone()
                } else {
                    to.join(below)
                })
            });
        moved.unwrap_or_else(|| path.to_owned())
    }
}

/// The specification of a slot. The slot is set up accordingly once, before its first run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotSpec {
    /// The mounts that every run of this slot sees in addition to the base system (such as `/usr`).
    pub view: Vec<Mount>,
    /// Directories of the host, parts of which may be bound for single runs ([`Execution::binds`]).
    /// Their other contents are never visible to a program.
    pub depots: Vec<PathBuf>,
    /// The processor to which the slot's programs are pinned; `None` leaves them to the scheduler.
    pub core: Option<usize>,
    /// True for programs that may have only one process (with as many threads as the limits allow).
    /// The level `landlock` then refuses to start others; levels that can count processes ignore
    /// this.
    pub single_process: bool,
    /// True for programs whose processes communicate through local sockets and send each other open
    /// files (`SCM_RIGHTS`), as browsers do. Otherwise only connected pairs of sockets are
    /// available, for bytes. Never set for submissions and programs of packages: the kernel keeps
    /// files in flight, and names of sockets, longer than the run.
    pub local_sockets: bool,
}

impl SlotSpec {
    /// The depot that contains a host path, and the path below it.
    pub fn in_depot(&self, path: &Path) -> Option<(u32, CString)> {
        let (index, below) = self
            .depots
            .iter()
            .enumerate()
            .find_map(|(index, depot)| Some((index, path.strip_prefix(depot).ok()?)))?;
        let plain = below
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        // Joined again, to remove any `.` and a trailing slash.
        let below: PathBuf = below.components().collect();
        Some((
            u32::try_from(index).ok()?,
            CString::new(below.into_os_string().as_bytes()).ok()?,
        ))
        .filter(|_| plain)
    }
}

/// Limits of one run. Every one of them is enforced or, at a lower isolation level, listed as a
/// gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// User and system time of the process tree.
    pub cpu_time: Duration,
    /// Elapsed time, which limits idle programs. Time for which the program waited for a processor
    /// does not count, up to [`RunLimits::max_elapsed`].
    pub wall_time: Duration,
    /// Memory of the process tree in bytes. The stack may grow up to it.
    pub memory_bytes: u64,
    /// Bytes on standard output; one more byte ends the run.
    pub stdout_bytes: u64,
    /// Bytes on standard error; one more byte ends the run.
    pub stderr_bytes: u64,
    /// Processes and threads at one time.
    pub processes: u32,
}

/// The factor by which a run may exceed its limit of elapsed time, if it is delayed by the host
/// alone.
const MAX_DELAY_FACTOR: u32 = 10;

/// The interval between checks of a run that has used up its elapsed time while the host delays it.
const DELAYED_INTERVAL: Duration = Duration::from_millis(20);

impl RunLimits {
    /// The maximum elapsed time of a run, including any time for which the host delayed it.
    #[must_use]
    pub fn max_elapsed(wall_time: Duration) -> Duration {
        wall_time.saturating_mul(MAX_DELAY_FACTOR)
    }

    /// The maximum elapsed time of a run that waits within the kernel, without the time for which
    /// it waited for a processor. The host or the program itself can cause such a wait, so it must
    /// not be mistaken for a lack of processors: the bound is well below
    /// [`max_elapsed`](Self::max_elapsed).
    #[must_use]
    pub fn max_elapsed_within_kernel(wall_time: Duration) -> Duration {
        wall_time.saturating_mul(MAX_DELAY_FACTOR / 2)
    }

    /// The maximum elapsed time of a run that has a processor or is ready to run, without the time
    /// for which it waited for a processor. The waits of short-lived processes that have ended are
    /// unknown, so the bound is above the limit. It is not far above it, because CPU time can be
    /// lost where no control group counts it: a run that computes in children for which it never
    /// waits must not gain much by that, nor be mistaken for one that got no processor.
    pub(crate) fn max_elapsed_on_processor(wall_time: Duration) -> Duration {
        wall_time.saturating_mul(2)
    }
}

/// The reason why a run does not make progress at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitsFor {
    /// Its own event: the run is idle.
    Itself,
    /// An operation within the kernel, which the host or the program itself may delay.
    Kernel,
    /// A processor, or the run has one: only the host can delay it.
    Processor,
}

/// The elapsed time of a run against its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeLeft {
    /// Time is left.
    Some(Duration),
    /// No time is left, but the host delays the run at this moment: it is checked again.
    Delayed,
    /// No time is left.
    None,
}

impl TimeLeft {
    /// The elapsed time of a run that was kept waiting for `waited`. The limit is meant for idle
    /// programs: all others use CPU time, which has its own limit. `waits_for` is called only if
    /// its result matters.
    pub(crate) fn new(
        wall_time: Duration,
        elapsed: Duration,
        waited: Duration,
        waits_for: impl FnOnce() -> WaitsFor,
    ) -> Self {
        let counted = elapsed.saturating_sub(waited);
        let left = wall_time.saturating_sub(counted);
        // The bound that always holds: without it, a run on a host that never schedules it would
        // last forever.
        if elapsed >= RunLimits::max_elapsed(wall_time) {
            return Self::None;
        }
        if !left.is_zero() {
            return Self::Some(left);
        }
        // Called last, because it inspects every thread of the run.
        match waits_for() {
            WaitsFor::Processor if counted < RunLimits::max_elapsed_on_processor(wall_time) => {
                Self::Delayed
            }
            WaitsFor::Kernel if counted < RunLimits::max_elapsed_within_kernel(wall_time) => {
                Self::Delayed
            }
            WaitsFor::Processor | WaitsFor::Kernel | WaitsFor::Itself => Self::None,
        }
    }

    /// The time after which the run is due for a check, if nothing else happens.
    pub(crate) fn pause(self) -> Duration {
        match self {
            Self::Some(left) => left,
            Self::Delayed => DELAYED_INTERVAL,
            Self::None => Duration::ZERO,
        }
    }
}

/// The writable directory of a run: its working directory, and `/tmp`. It is created for each run
/// and removed after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Nothing can be written.
    ReadOnly,
    /// A file system in memory, which counts towards the memory limit.
    Writable {
        /// Its size in bytes, which is also the largest size of a single file.
        bytes: u64,
        /// The number of files and directories that it can hold.
        files: u64,
    },
}

/// The source of standard input.
#[derive(Clone, Debug)]
pub enum Input {
    /// An immediate end of file.
    Empty,
    /// A file of the host. Below one of [`SlotSpec::depots`] it is opened in place, on a read-only
    /// mount; elsewhere it is copied first, so that no program can change it.
    File(PathBuf),
    /// Bytes held by the harness.
    Bytes(Arc<[u8]>),
    /// Another program, with which this one communicates: standard output goes there too, and is
    /// neither captured nor counted by the slot ([`converse`](crate::converse)).
    Duplex(Duplex),
}

impl Input {
    /// The line to another program.
    pub(crate) fn line(&self) -> Option<&Duplex> {
        match self {
            Self::Duplex(line) => Some(line),
            _ => None,
        }
    }
}

/// One program to run once.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The program to start: an absolute path inside the sandbox, never looked up in `PATH`. One
    /// that begins with `/program` is understood in every layout ([`Layout::place`]); arguments are
    /// passed on as they are.
    pub program: PathBuf,
    /// All arguments, the program's name (`argv[0]`) first.
    pub args: Vec<OsString>,
    /// The whole environment, as `NAME=value`: nothing is inherited from the harness.
    pub env: Vec<OsString>,
    /// Standard input.
    pub stdin: Input,
    /// Limits.
    pub limits: RunLimits,
    /// The working directory.
    pub work: Work,
    /// The directory in which the program starts, by the name under which it is bound
    /// ([`Bind::target`]); `None` is the working directory that it may write to.
    pub cwd: Option<PathBuf>,
    /// Directories of the slot's depots whose contents are in the working directory when the
    /// program starts, copied in this order; a file replaces an earlier one of the same name. Links
    /// among them are skipped. Their size is not counted against [`Execution::work`].
    pub work_files: Vec<PathBuf>,
    /// Parts of the slot's depots that this run sees.
    pub binds: Vec<Bind>,
    /// True to mount a fresh `/proc`. Some language runtimes need it. If the isolation level cannot
    /// provide one, the program runs without it.
    pub proc_mounted: bool,
    /// True to keep the working directory for [`Finished::work`]. At the levels without a mount
    /// namespace (`user`, `landlock`, `none`), the slot's next run removes it.
    pub keep_work: bool,
    /// The way in which the program can be [warmed](crate::Slot::warm); `None` if it was not built
    /// for that.
    pub warm: Option<WarmStart>,
    /// The token that cancels the run.
    pub cancel: CancelToken,
}

impl Execution {
    /// The exit code of a shell for a program that cannot be executed because of its own file: a
    /// regular, executable file that is bound for this run, and that the kernel rejects, or whose
    /// interpreter it rejects. 127 if something is not found, else 126 (POSIX, "Exit Status for
    /// Commands"). `None` if the host forbids to execute any file there.
    pub(crate) fn code_of_unexecutable(&self, layout: &Layout, error: &io::Error) -> Option<i32> {
        // Errors of the host's own, such as too little memory (ENOMEM) or too many processes
        // (EAGAIN), are not listed: the same program may run the next time, so they stay faults.
        let code = match Errno::from_io_error(error)? {
            Errno::NOENT | Errno::NOTDIR => 127,
            // The interpreter can be any file, for example a device that cannot be read.
            Errno::ACCESS
            | Errno::IO
            | Errno::INVAL
            | Errno::ISDIR
            | Errno::LIBBAD
            | Errno::LOOP
            | Errno::NAMETOOLONG
            | Errno::NOEXEC
            | Errno::PERM => 126,
            _ => return None,
        };
        let file = self.bound_program(layout)?;
        check_executable(&file).is_ok().then_some(code)
    }

    /// The error for a program that the host did not start.
    pub(crate) fn program_error(&self, layout: &Layout, source: io::Error) -> SandboxError {
        // execve(2): EACCES is the answer for every file of a file system without execution.
        if source.kind() == io::ErrorKind::PermissionDenied
            && let Some(file) = self.bound_program(layout)
            && let Err(error) = check_executable(&file)
        {
            return error;
        }
        SandboxError::Program {
            program: self.program.clone(),
            source,
        }
    }

    /// The file of the host that is executed, if it is a regular, executable file that is bound for
    /// this run: without a mount namespace, that is a copy where programs cannot reach the original.
    fn bound_program(&self, layout: &Layout) -> Option<PathBuf> {
        let program = layout.place(&self.program);
        self.binds.iter().find_map(|bind| {
            let below = program.strip_prefix(layout.place(&bind.target)).ok()?;
            let file = if below.as_os_str().is_empty() {
                bind.source.clone()
            } else {
                bind.source.join(below)
            };
            let found = file.metadata().ok()?;
            let is_program = found.is_file() && found.permissions().mode() & 0o111 == 0o111;
            let executed = if program.exists() {
                program.clone()
            } else {
                file
            };
            is_program.then_some(executed)
        })
    }

    /// An execution of the program that the first argument names, with nothing in its environment,
    /// nothing to read and nowhere to write.
    #[must_use]
    pub fn new(args: Vec<OsString>, limits: RunLimits, cancel: CancelToken) -> Self {
        Self {
            program: args.first().map(PathBuf::from).unwrap_or_default(),
            args,
            env: Vec::new(),
            stdin: Input::Empty,
            limits,
            work: Work::ReadOnly,
            cwd: None,
            work_files: Vec::new(),
            binds: Vec::new(),
            proc_mounted: false,
            keep_work: false,
            warm: None,
            cancel,
        }
    }
}

/// Checks that files at this place can be executed.
///
/// # Errors
/// When its file system is mounted with the option `noexec` (mount(8)).
fn check_executable(place: &Path) -> Result<(), SandboxError> {
    let is_forbidden =
        statvfs(place).is_ok_and(|found| found.f_flag.contains(StatVfsMountFlags::NOEXEC));
    if !is_forbidden {
        return Ok(());
    }
    let place = place.canonicalize().unwrap_or_else(|_| place.to_owned());
    let device_of = |path: &Path| path.metadata().ok().map(|found| found.dev());
    let device = device_of(&place);
    let mount = place
        .ancestors()
        .take_while(|above| device_of(above) == device)
        .last();
    Err(SandboxError::NoExecution {
        mount: mount.unwrap_or(&place).to_owned(),
    })
}

/// The captured output of a program. The buffers are meant to be reused from run to run.
#[derive(Debug, Default)]
pub struct Capture {
    /// Standard output, at most the limit's bytes of it.
    pub stdout: Vec<u8>,
    /// Standard error, at most the limit's bytes of it.
    pub stderr: Vec<u8>,
}

impl Capture {
    /// Empties the buffers, which keep their memory.
    pub(crate) fn clear(&mut self) {
        self.stdout.clear();
        self.stderr.clear();
    }

    /// Writes the reason why the program cannot be executed to its standard error, as a shell does.
    pub(crate) fn report_unexecutable(&mut self, program: &Path, error: &io::Error) {
        let hint = "the interpreter or loader that it names may be missing";
        self.stderr.extend(
            format!(
                "judge: cannot execute `{}`: {error}; {hint}\n",
                program.display()
            )
            .into_bytes(),
        );
    }
}

/// A finished run.
#[derive(Debug)]
pub struct Finished {
    /// The outcome: how the program ended and what it used.
    pub outcome: Outcome,
    /// The working directory, if it was requested. All processes that could have changed it are
    /// dead.
    pub work: Option<OwnedFd>,
    /// The time when the program itself ended, on the host's monotonic clock (CLOCK_MONOTONIC,
    /// clock_gettime(2)). It is only useful in comparison with that of another run.
    pub ended: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bound_paths_are_moved() {
        let layout = Layout::below(Path::new("/tmp/x"));
        for (path, expected) in [
            ("/program", "/tmp/x/program"),
            ("/program/a/b", "/tmp/x/program/a/b"),
            ("/judge/input", "/tmp/x/judge/input"),
            ("/programs/a", "/programs/a"),
            ("/usr/bin/env", "/usr/bin/env"),
        ] {
            assert_eq!(layout.place(Path::new(path)), Path::new(expected));
            assert_eq!(Layout::fixed().place(Path::new(path)), Path::new(path));
        }
    }

    #[test]
    fn delayed_runs_end_later_than_idle_ones() {
        let seconds = Duration::from_secs;
        let left = |elapsed, waited, waits_for| {
            TimeLeft::new(seconds(3), seconds(elapsed), seconds(waited), || waits_for)
        };
        assert_eq!(left(1, 0, WaitsFor::Itself), TimeLeft::Some(seconds(2)));
        assert_eq!(left(4, 2, WaitsFor::Itself), TimeLeft::Some(seconds(1)));
        assert_eq!(left(3, 0, WaitsFor::Itself), TimeLeft::None);
        assert_eq!(left(3, 0, WaitsFor::Processor), TimeLeft::Delayed);
        assert_eq!(
            [
                left(5, 0, WaitsFor::Processor),
                left(29, 24, WaitsFor::Processor)
            ],
            [TimeLeft::Delayed; 2]
        );
        assert_eq!(
            [
                left(6, 0, WaitsFor::Processor),
                left(29, 23, WaitsFor::Processor)
            ],
            [TimeLeft::None; 2]
        );
        assert_eq!(left(30, 29, WaitsFor::Processor), TimeLeft::None);
        assert_eq!(
            [left(3, 0, WaitsFor::Kernel), left(14, 0, WaitsFor::Kernel)],
            [TimeLeft::Delayed; 2]
        );
        assert_eq!(
            left(15, 0, WaitsFor::Kernel),
            TimeLeft::None,
            "well before a run that got no processor"
        );
        assert_eq!(left(24, 10, WaitsFor::Kernel), TimeLeft::Delayed);
        assert!(TimeLeft::Delayed.pause() > Duration::ZERO);
    }

    #[test]
    fn only_plain_paths_below_depots_are_found() {
        let spec = SlotSpec {
            depots: vec!["/a".into(), "/b/c".into()],
            ..SlotSpec::default()
        };
        assert_eq!(
            spec.in_depot(Path::new("/b/c/d/e")),
            Some((1, c"d/e".into()))
        );
        assert_eq!(spec.in_depot(Path::new("/b/c")), Some((1, c"".into())));
        assert_eq!(spec.in_depot(Path::new("/b/c/d/")), Some((1, c"d".into())));
        for outside in ["/b", "/ab", "/b/cc/d", "/a/../b", "a"] {
            assert_eq!(spec.in_depot(Path::new(outside)), None, "{outside}");
        }
    }
}

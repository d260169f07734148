//! The two processes of a run: its init, and the program until `execve`.
//!
//! Responsible for the order of system calls between a zygote's order and `execve`. Must not
//! allocate, panic or use thread-local storage: both share the zygote's memory (see
//! [`crate::kernel`]).
//!
//! Init is pid 1 of the run and keeps its privileges; the program is pid 2 and has none. As pid 1 a
//! program would lose signals that it sends itself, so that an abort would look like a segmentation
//! fault (pid_namespaces(7)).

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Mutex;
use std::time::Duration;

use libc::sock_filter;
use rustix::fs::{CWD, Gid, Mode, OFlags, Uid};
use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MoveMountFlags, OpenTreeFlags, mount, mount_bind, mount_remount, move_mount,
    open_tree,
};
use rustix::process::{Resource, setrlimit};
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets, UnshareFlags};

use super::filter::program as filter;
use super::prefilled_workdir::FILLED;
use super::root::{BOX, EMPTY, HIDDEN};
use super::shared_namespaces::SharedNamespaces;
use super::streams::{self, Streams};
use super::watch::record::Record;
use crate::clock::timespec;
use crate::kernel::{self, SharedChild, Stack, Strings};
use crate::levels::ceilings::fixed;
use crate::open::{open_at, open_beneath};
use crate::protocol::step::Step;

/// The pause before retrying a call that fails only for a moment.
pub(super) const RETRY_PAUSE: Duration = Duration::from_millis(2);

/// The environment of a run: the mounts and namespaces around it.
pub(super) enum RunEnvironment<'a> {
    /// The zygote's root, with mounts of the run's own.
    Mounted(Mounts<'a>),
    /// The host's.
    Shared(SharedNamespaces<'a>),
}

/// The file system for the working directory and for `/tmp`.
#[derive(Clone, Copy)]
pub(super) enum WorkMount<'a> {
    /// The root's own directory, empty and read-only.
    Root,
    /// A new file system with these options.
    New(&'a CStr),
    /// The file system that the zygote has filled.
    Prefilled { read_only: bool },
}

/// The mounts of a run.
pub(super) struct Mounts<'a> {
    /// The bound paths below the root, with their targets.
    pub(super) binds: &'a [(CString, &'a CStr)],
    pub(super) work: WorkMount<'a>,
    /// The directory in which the program starts.
    pub(super) cwd: &'a CStr,
    pub(super) proc_mounted: bool,
    pub(super) keep_work: bool,
}

/// Everything that the run's processes need, prepared by the zygote.
pub(super) struct Job<'a> {
    pub(super) program: &'a CStr,
    pub(super) args: &'a Strings,
    pub(super) env: &'a Strings,
    pub(super) environment: RunEnvironment<'a>,
    pub(super) rehearsal: bool,
    /// The program's user; `None` leaves it to the user namespace.
    pub(super) uid: Option<u32>,
    pub(super) limits: &'a [(Resource, u64)],
    pub(super) born_into: Option<BorrowedFd<'a>>,
    /// The lists of control groups that no process can be born into.
    pub(super) joined: &'a [OwnedFd],
    /// `/proc`, if the program must be made the first victim of a lack of memory on the host.
    pub(super) victim: Option<BorrowedFd<'a>>,
    pub(super) filter: &'a [sock_filter],
    pub(super) landlock: Option<BorrowedFd<'a>>,
    /// The standard streams, until the program has them. From then on only the program may hold
    /// them, so that the harness notices when they are closed.
    pub(super) streams: Mutex<Option<Streams>>,
    /// An event that signals to the zygote that all but init itself are dead and counted.
    pub(super) all_dead: BorrowedFd<'a>,
    /// The zygote's end of the socket over which runs of a warm program are requested.
    pub(super) control: Option<BorrowedFd<'a>>,
    pub(super) stack: Mutex<&'a mut Stack>,
    pub(super) record: Record,
}

impl SharedChild for Job<'_> {
    fn live(&self) -> ! {
        let settled = match &self.environment {
            RunEnvironment::Mounted(mounts) => self.populate(mounts),
            RunEnvironment::Shared(shared) => shared.prepare_init(),
        };
        if let Err((step, errno)) = settled {
            self.record.fail(step, errno);
            kernel::exit(1);
        }
        // Recorded before the program exists: without namespaces, the program compares it with its
        // parent to check that init is alive.
        self.record.set_init_pid(own_pid().cast_signed());
        self.record.set_started();
        // The lock is never taken by two processes at once, since init sleeps while the program
        // uses the stack. A failure would be a fault of this program, and blocking here would last
        // forever.
        let started = match self.stack.try_lock() {
            Ok(mut stack) => kernel::start(self.born_into, &mut stack, &Program(self)),
            Err(_) => Err(Errno::BUSY),
        };
        // Init shares the table of descriptors with the zygote (CLONE_FILES), so dropping the
        // streams closes them for both. The program has a copy of the table by now and keeps its
        // own ends.
        drop(
            self.streams
                .try_lock()
                .ok()
                .and_then(|mut streams| streams.take()),
        );
        let program = match started {
            Ok((pid, pidfd)) => {
                self.record.set_program(pid, pidfd);
                pid
            }
            Err(errno) => {
                self.record.fail(Step::Process, errno);
                kernel::exit(1);
            }
        };
        match &self.environment {
            RunEnvironment::Mounted(_) => self.reap(program, self.control),
            RunEnvironment::Shared(shared) => {
                shared.reap(program, &self.record, self.uid, &self.stack);
            }
        }
        // The zygote need not wait for the end of init, which takes as long as the kernel needs for
        // its mounts.
        let _ = rustix::io::write(self.all_dead, &1_u64.to_ne_bytes());
        kernel::exit(0)
    }
}

impl Job<'_> {
    /// Makes the run's own mounts.
    fn populate(&self, mounts: &Mounts<'_>) -> Result<(), (Step, Errno)> {
        let failed = |step: Step| move |errno: Errno| (step, errno);
        // While the depots are still visible: every source is a path below `/.slot`, which the last
        // bind covers.
        for (source, target) in mounts.binds {
            bind(source, target).map_err(failed(Step::Bind))?;
        }
        if mounts.proc_mounted {
            // Omitted if the host does not permit it: only some runtimes need it. Processes of
            // other users, such as init, are hidden (proc(5), `hidepid`). Read-only: writing there
            // changes properties of the host, such as the scheduling group of the sandbox's session
            // (`autogroup`), and no program needs it.
            let flags =
                MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
            let _ = mount(c"proc", c"/proc", c"proc", flags, c"hidepid=invisible")
                .or_else(|_| mount(c"proc", c"/proc", c"proc", flags, None));
        }
        // After the binds and /proc, so that they cannot cover anything below /box; and before the
        // depots are hidden, because prefilled files are next to those.
        self.mount_work(mounts.work, mounts.keep_work)
            .map_err(failed(Step::Work))?;
        // An empty read-only directory covers them: one call, however many depots there are.
        mount_bind(EMPTY, HIDDEN).map_err(failed(Step::Hide))?;
        if mounts.proc_mounted {
            hide_host_mounts().map_err(failed(Step::Hide))
        } else {
            Ok(())
        }
    }

    fn mount_work(&self, work: WorkMount<'_>, keep: bool) -> Result<(), Errno> {
        match work {
            WorkMount::Root => return Ok(()),
            WorkMount::New(options) => self.mount_new_work(options)?,
            WorkMount::Prefilled { read_only } => {
                mount_bind(FILLED, BOX)?;
                if read_only {
                    let flags = MountFlags::BIND
                        | MountFlags::RDONLY
                        | MountFlags::NOSUID
                        | MountFlags::NODEV;
                    mount_remount(BOX, flags, c"")?;
                }
            }
        }
        self.record.set_work_device(rustix::fs::stat(BOX)?.st_dev);
        if keep {
            // A descriptor keeps the file system alive after the end of init and its mount
            // namespace; the harness reads from it.
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW;
            self.record.set_work(open_at(CWD, c"/box/work", flags)?);
        }
        Ok(())
    }

    fn mount_new_work(&self, options: &CStr) -> Result<(), Errno> {
        mount(
            c"tmpfs",
            BOX,
            c"tmpfs",
            MountFlags::NOSUID | MountFlags::NODEV,
            options,
        )?;
        for directory in [c"/box/work", c"/box/tmp"] {
            rustix::fs::mkdir(directory, Mode::from_raw_mode(0o755))?;
            // Init has made the directory as its own user, and with this mode only the owner may
            // write in it. Without a number, the program is the same user as init.
            if let Some(uid) = self.uid {
                rustix::fs::chown(
                    directory,
                    Some(Uid::from_raw(uid)),
                    Some(Gid::from_raw(uid)),
                )?;
            }
        }
        Ok(())
    }

    /// Waits for the program, records how it ended, kills its remaining processes and counts all of
    /// them.
    fn reap(&self, program: i32, control: Option<BorrowedFd<'_>>) {
        match control {
            Some(control) => self.reap_runs(program, control),
            None => loop {
                match kernel::wait(-1) {
                    Ok(reaped) if reaped.pid == program => {
                        self.record.set_ended();
                        self.record.set_status(reaped.status);
                        break;
                    }
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(_) => break,
                }
            },
        }
        // kill(-1) from pid 1 reaches everything in the namespace except itself, and no process can
        // evade it by forking.
        kernel::kill_everything();
        // The loop ends with ECHILD, when no child is left. Each of them is waited for, because its
        // CPU time counts for init only from then on (`cutime` in proc_pid_stat(5)).
        while matches!(kernel::wait(-1), Ok(_) | Err(Errno::INTR)) {}
        self.record.set_reaped();
    }

    /// Waits for the runs of a warm program, each of which is a child of this init, until the
    /// process that starts them ends. The program announces the number of the child that is a run:
    /// it may lie, but only about its own children, and the kernel reports how a child ended.
    fn reap_runs(&self, warm: i32, control: BorrowedFd<'_>) {
        let mut announced = None;
        loop {
            match kernel::wait(-1) {
                Ok(reaped) if reaped.pid == warm => break,
                Ok(reaped) => {
                    let run = *announced.get_or_insert_with(|| announced_by(control));
                    if reaped.pid == run {
                        announced = None;
                        self.record.set_ended();
                        self.record.set_run_pid(run);
                        self.record.set_status(reaped.status);
                        let _ = rustix::io::write(self.all_dead, &1_u64.to_ne_bytes());
                    }
                }
                Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
        // Set last: for the zygote, this means that the program will not start another run.
        self.record.set_over();
    }
}

/// The number that a warm program has announced, or is about to; 0 if it has closed its
/// socket.
fn announced_by(control: BorrowedFd<'_>) -> i32 {
    let mut number = [0; 4];
    match rustix::io::read(control, &mut number) {
        Ok(4) => i32::from_ne_bytes(number),
        _ => 0,
    }
}

/// Moves the root to a copy of all mounts that is attached nowhere. `/proc` shows the mounts of the
/// namespace that can be reached from the root (`show_mountinfo` in the kernel's
/// fs/proc_namespace.c): from here on they cannot be reached, and programs cannot find out the
/// paths of the host from which they were made.
fn hide_host_mounts() -> Result<(), Errno> {
    let copy = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, c"/", copy)?;
    rustix::process::fchdir(&tree)?;
    rustix::process::chroot(c".")
}

/// Binds a part of a depot. The source is resolved without following any link: a program may have
/// made it, in an earlier run that compiled it.
fn bind(source: &CStr, target: &CStr) -> Result<(), Errno> {
    let part = open_beneath(CWD, source, OFlags::PATH)?;
    let clone = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_EMPTY_PATH
        | OpenTreeFlags::AT_RECURSIVE;
    // Cloned from the descriptor: the path would be resolved a second time, and links in it would
    // be followed.
    let tree = open_tree(&part, c"", clone)?;
    move_mount(
        &tree,
        c"",
        CWD,
        target,
        MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH,
    )
}

/// The program's process until it is the program.
struct Program<'a, 'b>(&'a Job<'b>);

impl SharedChild for Program<'_, '_> {
    fn live(&self) -> ! {
        let (step, errno) = match self.become_program() {
            Ok(never) => match never {},
            Err(failure) => failure,
        };
        self.0.record.fail(step, errno);
        kernel::exit(127)
    }
}

fn own_pid() -> u32 {
    rustix::process::getpid()
        .as_raw_nonzero()
        .get()
        .cast_unsigned()
}

/// A type without values: the program replaces this process, so success never returns.
enum Never {}

impl Program<'_, '_> {
    fn become_program(&self) -> Result<Never, (Step, Errno)> {
        let job = self.0;
        let failed = |step: Step| move |errno: Errno| (step, errno);
        self.join_groups().map_err(failed(Step::Join))?;
        self.become_victim();
        if let RunEnvironment::Mounted(mounts) = &job.environment
            && mounts.proc_mounted
        {
            // `/proc/self/cgroup` shows paths relative to the group that a process was in when it
            // made the namespace (cgroup_namespaces(7)): from here on that is the slot's own, not
            // the harness's.
            kernel::unshare(UnshareFlags::NEWCGROUP).map_err(failed(Step::Hide))?;
        }
        self.take_streams().map_err(failed(Step::Streams))?;
        // A process group, so that `kill(0, …)` reaches no process of the sandbox. Not a session:
        // see `kernel::leave_terminal`.
        rustix::process::setpgid(None, None).map_err(failed(Step::Session))?;
        job.record.set_program_pid(own_pid().cast_signed());
        if let RunEnvironment::Mounted(mounts) = &job.environment {
            rustix::process::chdir(mounts.cwd).map_err(failed(Step::Work))?;
        }
        // Going back to the ordinary priority is always allowed.
        let _ = rustix::process::setpriority_process(None, 0);
        kernel::set_slice(
            Duration::ZERO,
            rustix::process::getpriority_process(None).unwrap_or(0),
        );
        for (resource, limit) in job.limits {
            setrlimit(*resource, fixed(*limit)).map_err(failed(Step::Limits))?;
        }
        // After the limits, some of which only root may raise, and before Landlock and the filter,
        // which need no privilege once no_new_privs is set.
        self.drop_privileges().map_err(failed(Step::Privileges))?;
        if let RunEnvironment::Shared(shared) = &job.environment {
            shared.enter(&job.record)?;
        } else if let Some(ruleset) = job.landlock {
            kernel::landlock_restrict(ruleset).map_err(failed(Step::Landlock))?;
        }
        let first = if job.control.is_some() { 4 } else { 3 };
        self.take_control().map_err(failed(Step::Streams))?;
        // Everything else that was inherited: the socket to the harness, depots, control groups,
        // /proc. From here on the program has only its three streams and, if it is to be warm, its
        // control socket.
        kernel::close_from(first).map_err(failed(Step::Streams))?;
        // Loaded for each run and not once for each slot, although that takes 0.1 ms of CPU time
        // (Linux 6.18, 340 instructions; ten take 0.03 ms). A filter binds the process that loads
        // it and its children, so it would have to be loaded by the zygote or by init. Both mount,
        // make namespaces and restrict themselves by Landlock for each run, after that point, and
        // the filter refuses all of it: it sees numbers and arguments, but not the caller.
        let mut copy = [filter::KILL_INSTRUCTION; filter::MAX_FILTER_LENGTH];
        let filter = match job.environment {
            RunEnvironment::Mounted(_) => job.filter,
            RunEnvironment::Shared(_) => filter::for_process(job.filter, own_pid(), &mut copy),
        };
        kernel::load_filter(filter).map_err(failed(Step::Filter))?;
        job.record.set_setup_cpu();
        if job.rehearsal {
            kernel::exit(0);
        }
        Err((Step::Program, self.exec()))
    }

    /// Joins the groups of v1, first of all: everything after that is limited and counted. The
    /// memory that is still shared with the zygote belongs to the zygote's group; the program's
    /// memory is new after `execve` and belongs to this group (`mm_init_owner` in the kernel's
    /// kernel/fork.c).
    ///
    /// Uses the list of threads, for the writing thread itself: then the kernel need not block
    /// every fork and exit of the host, which takes milliseconds (`cgroup_procs_write_start` in its
    /// kernel/cgroup/cgroup.c).
    fn join_groups(&self) -> Result<(), Errno> {
        self.0
            .joined
            .iter()
            .try_for_each(|tasks| rustix::io::write(tasks, b"0").map(drop))
    }

    /// Makes this process, not the zygote, the first to be killed when the host is out of memory. A
    /// child of vfork has its own value although it shares memory (`__set_oom_adj` in the kernel's
    /// fs/proc/base.c).
    fn become_victim(&self) {
        let Some(proc) = self.0.victim else { return };
        if let Ok(file) = open_at(proc, c"self/oom_score_adj", OFlags::WRONLY) {
            let _ = rustix::io::write(&file, b"1000");
        }
    }

    fn take_streams(&self) -> Result<(), Errno> {
        let streams = self.0.streams.try_lock().map_err(|_| Errno::BUSY)?;
        let Some(streams) = streams.as_ref() else {
            return Err(Errno::BADF);
        };
        match &streams.stdin {
            Some(stdin) => kernel::duplicate_onto(stdin.as_fd(), 0)?,
            None => kernel::duplicate_onto(streams::null()?.as_fd(), 0)?,
        }
        kernel::duplicate_onto(streams.stdout.as_fd(), 1)?;
        kernel::duplicate_onto(streams.stderr.as_fd(), 2)
    }

    /// Moves the control socket to descriptor 3, where a warm program expects it. The previous
    /// descriptor of this number is no longer needed.
    fn take_control(&self) -> Result<(), Errno> {
        let streams = self.0.streams.try_lock().map_err(|_| Errno::BUSY)?;
        match streams
            .as_ref()
            .and_then(|streams| streams.control.as_ref())
        {
            Some(control) => kernel::duplicate_onto(control.as_fd(), 3),
            None => Ok(()),
        }
    }

    fn drop_privileges(&self) -> Result<(), Errno> {
        if let Some(id) = self.0.uid {
            let (uid, gid) = (Uid::from_raw(id), Gid::from_raw(id));
            // Groups first, the user last: each step needs the privilege that the last step gives
            // up.
            rustix::thread::set_thread_groups(&[])?;
            rustix::thread::set_thread_res_gid(gid, gid, gid)?;
            // From root to another user, this drops every capability too (capabilities(7)).
            rustix::thread::set_thread_res_uid(uid, uid, uid)?;
        } else {
            let none = CapabilitySet::empty();
            let locked = CapabilitiesSecureBits::NO_ROOT
                | CapabilitiesSecureBits::NO_ROOT_LOCKED
                | CapabilitiesSecureBits::NO_SETUID_FIXUP
                | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
                | CapabilitiesSecureBits::KEEP_CAPS_LOCKED;
            let result = rustix::thread::set_capabilities_secure_bits(locked);
            // Outside of a user namespace, an ordinary user cannot do this, and has no privileges
            // that could be regained. The same applies to root that must not gain new privileges.
            if let RunEnvironment::Mounted(_) = self.0.environment {
                result?;
            }
            let sets = CapabilitySets {
                effective: none,
                permitted: none,
                inheritable: none,
            };
            rustix::thread::set_capabilities(None, sets)?;
        }
        // Without CAP_SYS_ADMIN, Landlock and the filter require it (landlock_restrict_self(2),
        // seccomp(2)). It also makes execve(2) ignore set-user-ID bits and file capabilities.
        rustix::thread::set_no_new_privs(true)
    }

    fn exec(&self) -> Errno {
        let job = self.0;
        let mut errno = kernel::exec(job.program, job.args, job.env);
        // Another thread of the harness may be between fork and execve with a descriptor through
        // which the program was written. That takes only a moment.
        for _ in 0..50 {
            if errno != Errno::TXTBSY {
                break;
            }
            let _ = rustix::thread::nanosleep(&timespec(RETRY_PAUSE));
            errno = kernel::exec(job.program, job.args, job.env);
        }
        errno
    }
}

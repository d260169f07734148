//! A run without namespaces, and how all of its processes are killed.
//!
//! Responsible for what init and program do differently there. Must not allocate, panic or use
//! thread-local storage: both share the zygote's memory (see [`crate::kernel`]).
//!
//! Without a pid namespace, the end of init does not kill all other processes. Instead, init adopts
//! every orphan of the run (`PR_SET_CHILD_SUBREAPER`) and kills them all at once when the program
//! has ended: by the program's process group, which no process can leave because of the system call
//! filter, or by their user, which no other process has. Either is atomic: the kernel neither forks
//! past a signal to a whole group or user, nor signals past a fork. The program is reaped only
//! after that, so that its number, which is the group's, cannot have been given to another process.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Mutex;

use rustix::fs::Uid;
use rustix::io::Errno;
use rustix::process::{Pid, Signal};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::landlock::Ruleset;
use super::shared_root::allow_own_proc;
use super::watch::record::Record;
use crate::kernel::{self, SharedChild, Stack};
use crate::protocol::step::Step;

/// The additional inputs of a run without namespaces.
pub(super) struct SharedNamespaces<'a> {
    pub(super) cwd: &'a CStr,
    pub(super) ruleset: &'a Ruleset,
    /// `/proc`, if the program is to see its own directory there.
    pub(super) proc: Option<BorrowedFd<'a>>,
    /// The zygote, whose death must not leave anything behind.
    pub(super) zygote: Option<Pid>,
}

/// The signals that init waits for: a child's death, and the zygote's.
const AWAITED: [i32; 2] = [libc::SIGCHLD, libc::SIGTERM];

impl SharedNamespaces<'_> {
    /// Prepares init for adopting orphans and for the death of the zygote.
    pub(super) fn prepare_init(&self) -> Result<(), (Step, Errno)> {
        let failed = |errno: Errno| (Step::Process, errno);
        // Blocked before a child exists, so that its death is not missed: a pending signal waits
        // until it is fetched.
        kernel::block_only(&AWAITED);
        rustix::process::set_child_subreaper(rustix::process::getpid().into()).map_err(failed)?;
        rustix::process::set_parent_process_death_signal(Some(Signal::TERM)).map_err(failed)?;
        // The signal is sent only for a death after the request; a zygote that died before shows as
        // another parent.
        if rustix::process::getppid() != self.zygote {
            return Err(failed(Errno::SRCH));
        }
        Ok(())
    }

    /// The program's last steps. After them, it has no privileges and can open only the files that
    /// it is given.
    pub(super) fn enter(&self, record: &Record) -> Result<(), (Step, Errno)> {
        let failed = |step: Step| move |errno: Errno| (step, errno);
        rustix::process::chdir(self.cwd).map_err(failed(Step::Work))?;
        // In case init is killed from outside: the zygote then kills the rest of the run.
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
            .map_err(failed(Step::Process))?;
        // If init was killed before that, no process would know of this one.
        if rustix::process::getppid().map(|parent| parent.as_raw_nonzero().get())
            != Some(record.init_pid())
        {
            return Err(failed(Step::Process)(Errno::SRCH));
        }
        if let Some(proc) = self.proc {
            // If that is impossible, the program runs without it.
            let _ = allow_own_proc(self.ruleset, proc);
        }
        kernel::landlock_restrict(self.ruleset.as_fd()).map_err(failed(Step::Landlock))?;
        kernel::block_only(&[]);
        Ok(())
    }

    /// Waits for the end of the program or of the zygote, kills what is left and counts all of it.
    pub(super) fn reap(
        &self,
        program: i32,
        record: &Record,
        uid: Option<u32>,
        stack: &Mutex<&mut Stack>,
    ) {
        loop {
            match kernel::dead_child() {
                Ok(Some(pid)) if pid == program => break,
                Ok(Some(pid)) => drop(kernel::wait(pid)),
                Ok(None) => {
                    // Signals of one kind do not queue: after one SIGCHLD there may be several
                    // dead children, so all are looked for before the next wait.
                    if kernel::await_signal(&AWAITED) == Ok(libc::SIGTERM) {
                        break;
                    }
                }
                Err(_) => break,
            }
        }
        record.set_ended();
        // The program may be dead or, if the zygote has died, still alive. It is not reaped yet in
        // either case, so its number still identifies its process group only.
        sweep(program, uid, stack);
        record.set_swept();
        loop {
            match kernel::wait(-1) {
                Ok(reaped) if reaped.pid == program => record.set_status(reaped.status),
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
        record.set_reaped();
    }
}

/// Kills everything in the program's process group, and everything that runs as the slot's own
/// user.
pub(super) fn sweep(program: i32, uid: Option<u32>, stack: &Mutex<&mut Stack>) {
    // The group first, which needs no other process. By the user, processes are found that
    // have left the group, which the filter refuses only to programs without a user of their
    // own, and those of an earlier slot.
    kernel::kill_group(program);
    let (Some(uid), Ok(mut stack)) = (uid, stack.try_lock()) else {
        return;
    };
    if let Ok((pid, _)) = kernel::start(None, &mut stack, &Sweeper(Uid::from_raw(uid))) {
        while kernel::wait(pid) == Err(Errno::INTR) {}
    }
}

/// Becomes the slot's user, who can signal no other user's processes, and kills everything that it
/// can.
struct Sweeper(Uid);

impl SharedChild for Sweeper {
    fn live(&self) -> ! {
        let Self(uid) = *self;
        let none = CapabilitySet::empty();
        let sets = CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        };
        // Only if all of this worked is the next step harmless to others. All three numbers: with
        // the saved one left, this process could go back to the zygote's user (setresuid(2)).
        let became = rustix::thread::set_thread_res_uid(uid, uid, uid).is_ok()
            && rustix::thread::set_capabilities(None, sets).is_ok()
            && rustix::process::getuid() == uid
            && rustix::process::geteuid() == uid
            && !uid.is_root();
        if became {
            kernel::kill_everything();
        }
        kernel::exit(i32::from(!became))
    }
}

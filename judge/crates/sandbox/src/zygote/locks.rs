//! File locks, which the zygote grants or refuses.
//!
//! Responsible for granting programs locks on their own files only. Must not know the rest of a
//! run.
//!
//! A lock belongs to a file, regardless of the path by which it was opened. On a device, a library
//! or the program itself, it is visible to other slots and to the host. A system call filter cannot
//! distinguish files. Therefore, the calls wait for the zygote (seccomp_unotify(2)), and it sets a
//! lock of flock(2) itself, on the same open file that it has checked (pidfd_getfd(2)). A program
//! cannot exchange the file between the check and the lock.
//!
//! Locks of fcntl(2) belong to a process, so no other process can set them, and the kernel resolves
//! the descriptor once more. They are left to the kernel if the descriptor cannot be exchanged in
//! between, because the process has no other thread (and the filter lets processes share their
//! descriptors with threads only).
//!
//! Docker's default filter refuses pidfd_getfd(2) without `SYS_PTRACE`. There, the zygote checks
//! the file through `/proc/PID/fd` and leaves locks of flock(2) to the kernel under the same
//! condition.

use std::cell::{Cell, RefCell};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Gid, OFlags, Uid, fstat, readlinkat};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::filter::program as filter;
use super::watch::record::Record;
use crate::kernel::{self, SharedChild, Stack, WaitingCall};
use crate::open::open_at;
use crate::proc::files::{self, status_number};

/// The pause before a lock that another process holds is tried again. The kernel does not notify
/// anyone when a lock is released.
pub(super) const RETRY_INTERVAL: Duration = Duration::from_millis(2);
/// The maximum number of threads of a run that may wait for locks at the same time. Each takes a
/// descriptor of the zygote.
const MAX_WAITING: usize = 256;

/// The decision about a waiting call that does not fail.
#[derive(Clone, Copy)]
enum Decision {
    /// The zygote has executed the call for the program.
    Done,
    /// The kernel executes the call.
    Continue,
}

/// The files that a run may lock.
#[derive(Clone, Copy)]
pub(super) enum LockableFiles<'a> {
    /// The files of the file system that init has recorded.
    Mounted(&'a Record),
    /// The files below these directories of the slot's.
    Below {
        proc: BorrowedFd<'a>,
        slot: BorrowedFd<'a>,
        names: [&'a str; 2],
    },
}

impl LockableFiles<'_> {
    fn contains(&self, file: BorrowedFd<'_>) -> bool {
        match self {
            Self::Mounted(record) => {
                fstat(file).is_ok_and(|stat| Some(stat.st_dev) == record.work_device())
            }
            Self::Below { proc, slot, names } => {
                // The path by which it was opened. Programs can move and link files in their own
                // directories only.
                let path_of = |fd: BorrowedFd<'_>| {
                    let link =
                        readlinkat(proc, format!("self/fd/{}", fd.as_raw_fd()), Vec::new()).ok()?;
                    link.into_string().ok()
                };
                let (Some(file), Some(slot)) = (path_of(file), path_of(*slot)) else {
                    return false;
                };
                // The path of a deleted file ends with ` (deleted)` (proc_pid_fd(5)), but still
                // begins with the directory.
                let below = Path::new(&file).strip_prefix(&slot).ok();
                below.is_some_and(|below| names.iter().any(|name| below.starts_with(name)))
            }
        }
    }
}

/// A call that waits until a lock is free.
struct WaitingLock {
    call: WaitingCall,
    file: OwnedFd,
    operation: i32,
}

/// The locks of a slot.
pub(super) struct Locks {
    listener: OwnedFd,
    /// True if the zygote may copy descriptors of programs.
    copies: bool,
    /// True if the devices belong to the slot alone, so that a lock on one cannot be observed by
    /// another slot.
    own_devices: Cell<bool>,
    /// The programs' user, if no other user may inspect their processes.
    owner: Option<u32>,
    waiting: RefCell<Vec<WaitingLock>>,
    stack: RefCell<Option<Stack>>,
}

impl AsFd for Locks {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }
}

impl Locks {
    /// Begins to listen, so that the locks of all later runs are decided here. `None` if the kernel
    /// or a container refuses that.
    pub(super) fn listen(owner: Option<u32>) -> Option<Self> {
        let listener = kernel::load_listening_filter(&filter::lock_filter()).ok()?;
        Some(Self {
            listener,
            copies: may_copy_descriptors(),
            own_devices: Cell::new(false),
            owner,
            waiting: RefCell::default(),
            stack: RefCell::default(),
        })
    }

    pub(super) fn set_own_devices(&self, own: bool) {
        self.own_devices.set(own);
    }

    /// True while a call waits for a lock that has to be tried again.
    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.borrow().is_empty()
    }

    /// Discards all waiting calls when the run is over.
    pub(super) fn forget(&self) {
        self.waiting.borrow_mut().clear();
    }

    /// Decides about the next call, if any.
    pub(super) fn answer_next(&self, files: &LockableFiles<'_>, proc: Option<BorrowedFd<'_>>) {
        // The call of a program that was killed meanwhile is withdrawn (ENOENT).
        let Ok(call) = kernel::next_waiting_call(self.as_fd()) else {
            return;
        };
        let decision = match call.number {
            libc::SYS_flock => self.flock(call, files, proc).transpose(),
            _ => Some(self.fcntl(&call, files, proc)),
        };
        if let Some(decision) = decision {
            let _ = self.decide(&call, decision);
        }
    }

    fn decide(&self, call: &WaitingCall, decision: Result<Decision, Errno>) -> Result<(), Errno> {
        let (error, flags) = match decision {
            Ok(Decision::Done) => (0, 0),
            Ok(Decision::Continue) => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE),
            Err(errno) => (errno.raw_os_error(), 0),
        };
        kernel::decide(self.as_fd(), call, error, flags as u32)
    }

    /// Tries again to set the locks that were held by others.
    pub(super) fn retry(&self) {
        self.waiting.borrow_mut().retain(
            |WaitingLock {
                 call,
                 file,
                 operation,
             }| {
                // A call that was interrupted by a signal, or by the end of its thread, must not
                // get a lock: the lock would not be released before the run ends.
                if !kernel::still_waits(self.as_fd(), call) {
                    return false;
                }
                let decision = match kernel::lock(file.as_fd(), *operation) {
                    Err(Errno::WOULDBLOCK) => return true,
                    result => result.map(|()| Decision::Done),
                };
                if self.decide(call, decision).is_err() {
                    // A signal came first: for the program, the call has failed.
                    let _ = kernel::lock(file.as_fd(), libc::LOCK_UN);
                }
                false
            },
        );
    }

    /// Returns `None` for a call that is kept waiting.
    fn flock(
        &self,
        call: WaitingCall,
        files: &LockableFiles<'_>,
        proc: Option<BorrowedFd<'_>>,
    ) -> Result<Option<Decision>, Errno> {
        let flags = call.args[1] as i32;
        let operation = flags & !libc::LOCK_NB;
        // Checked here, because the kernel never executes this call: the zygote makes another one
        // for the program.
        if !matches!(operation, libc::LOCK_SH | libc::LOCK_EX | libc::LOCK_UN) {
            return Err(Errno::INVAL);
        }
        let file = self.file(&call, proc)?;
        if !files.contains(file.as_fd()) {
            return Err(Errno::OPNOTSUPP);
        }
        if !self.copies {
            // The kernel resolves the descriptor's number again, and another thread could have
            // assigned it to a device meanwhile.
            return if is_single_threaded(call.thread, proc) {
                Ok(Some(Decision::Continue))
            } else {
                Err(Errno::NOLCK)
            };
        }
        match kernel::lock(file.as_fd(), operation) {
            // The zygote cannot sleep in flock(2), because it has to watch the run. The call is
            // kept waiting, and the lock is tried again at intervals.
            Err(Errno::WOULDBLOCK) if flags & libc::LOCK_NB == 0 => {
                let mut waiting = self.waiting.borrow_mut();
                if waiting.len() >= MAX_WAITING {
                    return Err(Errno::NOLCK);
                }
                waiting.push(WaitingLock {
                    call,
                    file,
                    operation,
                });
                Ok(None)
            }
            result => result.map(|()| Some(Decision::Done)),
        }
    }

    fn fcntl(
        &self,
        call: &WaitingCall,
        files: &LockableFiles<'_>,
        proc: Option<BorrowedFd<'_>>,
    ) -> Result<Decision, Errno> {
        let is_own = files.contains(self.file(call, proc)?.as_fd());
        // A thread can replace the descriptor between this check and the call of the kernel. If the
        // devices are the slot's own, all shared files are read-only, so it gets at most a read
        // lock on one of them. No program can see that lock: F_GETLK is allowed on a run's own
        // files only.
        let is_query = call.args[1] as i32 == libc::F_GETLK;
        let may_lock = is_own
            && (is_single_threaded(call.thread, proc) || (self.own_devices.get() && !is_query));
        if may_lock {
            Ok(Decision::Continue)
        } else {
            Err(Errno::NOLCK)
        }
    }

    /// The open file to which a call refers: a copy of its descriptor or, if that is refused, a
    /// handle of its path.
    fn file(&self, call: &WaitingCall, proc: Option<BorrowedFd<'_>>) -> Result<OwnedFd, Errno> {
        let number = call.args[0] as i32;
        // Programs may try to lock a file that they failed to open, and a negative number must not
        // reach a library that expects a descriptor.
        if number < 0 {
            return Err(Errno::BADF);
        }
        if !self.copies {
            let path = self.path(call.thread, number, proc.ok_or(Errno::NOLCK)?);
            // Checked after opening, for the same reason as below.
            return if kernel::still_waits(self.as_fd(), call) {
                path
            } else {
                Err(Errno::INTR)
            };
        }
        let process = process_of(call.thread, proc).map_err(|_| Errno::NOLCK)?;
        // The number of a dead thread can be given to another one. A thread lives as long as its
        // call waits, so the handle that was opened before this check belongs to the thread that
        // made the call.
        if !kernel::still_waits(self.as_fd(), call) {
            return Err(Errno::INTR);
        }
        match pidfd_getfd(&process, number, PidfdGetfdFlags::empty()) {
            Err(Errno::PERM) => self.file_as_owner(&process, number),
            result => result,
        }
    }

    /// The path by which a thread's file was opened. The links in `/proc/PID/fd` lead to the file
    /// itself, even if its name has changed (proc_pid_fd(5)).
    fn path(&self, thread: i32, number: i32, proc: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
        let open = || open_at(proc, format!("{thread}/fd/{number}"), OFlags::PATH);
        let found = match (open(), self.owner) {
            (Err(Errno::ACCESS | Errno::PERM), Some(owner)) => kernel::with_files_of(owner, open),
            (found, _) => found,
        };
        found.map_err(|errno| {
            if errno == Errno::NOENT {
                Errno::BADF
            } else {
                Errno::NOLCK
            }
        })
    }

    /// Returns a copy of a descriptor, taken by a process of the programs' own user. For root that
    /// may not inspect processes of other users.
    fn file_as_owner(&self, process: &OwnedFd, number: i32) -> Result<OwnedFd, Errno> {
        let user = self.owner.ok_or(Errno::NOLCK)?;
        let mut stack = self.stack.borrow_mut();
        // A child that shares the zygote's descriptor table (CLONE_FILES) can put the copy directly
        // into it, although it runs as another user.
        let borrower = Borrower {
            user,
            process: process.as_fd(),
            number,
            found: AtomicI32::new(-Errno::NOLCK.raw_os_error()),
        };
        kernel::supervise(
            0,
            stack.get_or_insert_with(Stack::new),
            &borrower,
            |child| {
                let mut ended = [PollFd::new(&child.pidfd, PollFlags::IN)];
                while poll(&mut ended, None) == Err(Errno::INTR) {}
            },
        )?;
        let found = borrower.found.load(Ordering::Acquire);
        kernel::own_descriptor(found)
            .ok_or_else(|| Errno::from_raw_os_error(found.saturating_neg()))
    }
}

/// True if descriptors of other processes may be copied. A process may always copy its own, so a
/// refusal comes from a filter, which was inherited from a container engine.
fn may_copy_descriptors() -> bool {
    let own = pidfd_open(rustix::process::getpid(), PidfdFlags::empty());
    own.and_then(|own| pidfd_getfd(own, 0, PidfdGetfdFlags::empty()))
        .is_ok()
}

/// A handle of the process, or of the thread alone if the kernel supports that (Linux 6.9).
fn process_of(thread: i32, proc: Option<BorrowedFd<'_>>) -> Result<OwnedFd, Errno> {
    /// `PIDFD_THREAD` of linux/pidfd.h.
    const THREAD: u32 = OFlags::EXCL.bits();
    let pid = |number| Pid::from_raw(number).ok_or(Errno::SRCH);
    match pidfd_open(pid(thread)?, PidfdFlags::from_bits_retain(THREAD)) {
        Err(Errno::INVAL) => {
            let leader = process_number(thread, proc, "Tgid:").ok_or(Errno::SRCH)?;
            pidfd_open(pid(leader)?, PidfdFlags::empty())
        }
        result => result,
    }
}

/// True if a process has no thread but the one that waits for the zygote.
fn is_single_threaded(thread: i32, proc: Option<BorrowedFd<'_>>) -> bool {
    process_number(thread, proc, "Threads:") == Some(1)
}

/// A field of the status of a thread's process (proc_pid_status(5)).
fn process_number(thread: i32, proc: Option<BorrowedFd<'_>>, field: &str) -> Option<i32> {
    status_number(&files::read(proc?, thread, "status").ok()?, field)?
        .try_into()
        .ok()
}

/// Becomes the programs' user and takes a descriptor from one of their processes, for the zygote,
/// whose table it shares.
struct Borrower<'a> {
    user: u32,
    process: BorrowedFd<'a>,
    number: i32,
    /// The descriptor, or the number of an error below 0.
    found: AtomicI32,
}

impl SharedChild for Borrower<'_> {
    fn live(&self) -> ! {
        let (uid, gid) = (Uid::from_raw(self.user), Gid::from_raw(self.user));
        let became = rustix::thread::set_thread_res_gid(gid, gid, gid).is_ok()
            && rustix::thread::set_thread_res_uid(uid, uid, uid).is_ok();
        if became {
            let found = match pidfd_getfd(self.process, self.number, PidfdGetfdFlags::empty()) {
                Ok(file) => std::os::fd::IntoRawFd::into_raw_fd(file),
                Err(errno) => -errno.raw_os_error(),
            };
            self.found.store(found, Ordering::Release);
        }
        kernel::exit(0)
    }
}

//! System calls that no safe crate offers, or that must work in a child that shares its parent's
//! memory.
//!
//! Responsible for every `unsafe` block of this crate, each in a function that cannot be misused.
//! Must not know runs.
//!
//! Children made here share memory with their parent but not its thread: they must not allocate,
//! panic or touch thread-local storage (`errno` is one). So nothing here goes through the C library
//! after a clone.

#![expect(
    unsafe_code,
    reason = "the one file of this crate in which system calls are made by hand"
)]

use std::ffi::{CStr, c_int, c_long, c_void};
use std::mem::{MaybeUninit, size_of};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::io::Errno;
use rustix::thread::UnshareFlags;

/// The result of a system call, without the `errno` of the C library.
pub(crate) type Result<T> = std::result::Result<T, Errno>;

/// The six arguments that every call takes: those after the given ones are 0.
fn padded<const N: usize>(args: [usize; N]) -> [usize; 6] {
    const { assert!(N <= 6) };
    std::array::from_fn(|index| args.get(index).copied().unwrap_or(0))
}

#[cfg(target_arch = "x86_64")]
unsafe fn syscall<const N: usize>(number: c_long, args: [usize; N]) -> isize {
    let args = padded(args);
    let result: isize;
    // SAFETY: the x86-64 system call convention, syscall(2); the caller answers for the arguments.
    unsafe {
        std::arch::asm!("syscall", inlateout("rax") number as isize => result, in("rdi") args[0], in("rsi") args[1],
            in("rdx") args[2], in("r10") args[3], in("r8") args[4], in("r9") args[5], lateout("rcx") _,
            lateout("r11") _, options(nostack));
    }
    result
}

#[cfg(target_arch = "aarch64")]
unsafe fn syscall<const N: usize>(number: c_long, args: [usize; N]) -> isize {
    let args = padded(args);
    let result: isize;
    // SAFETY: the arm64 system call convention, syscall(2); the caller answers for the arguments.
    unsafe {
        std::arch::asm!("svc 0", in("x8") number, inlateout("x0") args[0] => result, in("x1") args[1],
            in("x2") args[2], in("x3") args[3], in("x4") args[4], in("x5") args[5], options(nostack));
    }
    result
}

/// Turns the kernel's "negative is an error" into a result.
fn checked(result: isize) -> Result<usize> {
    if result < 0 {
        Err(Errno::from_raw_os_error(-(result as i32)))
    } else {
        Ok(result as usize)
    }
}

fn raw(fd: BorrowedFd<'_>) -> usize {
    fd.as_raw_fd() as usize
}

/// The size of a page in bytes. The kernel passes it to the C library at the start of this program
/// (getauxval(3)), so no `/proc` is needed.
pub(crate) fn page_size() -> u64 {
    // SAFETY: sysconf(3) reads a number that does not change.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as u64 }
}

/// `struct clone_args` of clone3(2).
#[repr(C)]
#[derive(Default)]
struct CloneArgs {
    flags: u64,
    pidfd: u64,
    child_tid: u64,
    parent_tid: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
    set_tid: u64,
    set_tid_size: u64,
    cgroup: u64,
}

/// The work of a child that shares its parent's memory. It never returns, must not allocate and
/// must not panic.
pub(crate) trait SharedChild: Sync {
    /// The child's whole life; it ends with [`exit`] or [`exec`].
    fn live(&self) -> !;
}

/// The stack of a child that shares its parent's memory.
pub(crate) struct Stack(Box<[u128]>);

impl Stack {
    pub(crate) fn new() -> Self {
        Self(vec![0; 64 * 1024 / size_of::<u128>()].into_boxed_slice())
    }
}

extern "C" fn enter<C: SharedChild>(child: *const c_void) -> ! {
    // SAFETY: `clone_sharing` passes a `&C` that outlives the child.
    unsafe { &*child.cast::<C>() }.live()
}

/// Starts a child with clone3(2), if it is to be born into a control group, and with clone(2)
/// otherwise: the filters of container engines permit only the latter, because they can inspect its
/// flags.
///
/// # Safety
/// `stack` and `child` must stay untouched and alive until the child has called execve or died.
unsafe fn clone_sharing<C: SharedChild>(
    flags: c_int,
    born_into: Option<BorrowedFd<'_>>,
    stack: &mut Stack,
    child: &C,
) -> Result<(i32, OwnedFd)> {
    // linux/sched.h; not in every version of the C library's headers.
    const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;
    let mut pidfd: RawFd = -1;
    // CLONE_VM: the child uses the caller's memory instead of a copy of it, as a child of vfork(2)
    // does. CLONE_PIDFD: its death can be waited for with a timeout, together with other events,
    // which wait4(2) cannot do.
    let flags = flags | libc::CLONE_VM | libc::CLONE_PIDFD;
    let (bottom, size) = (stack.0.as_mut_ptr() as usize, size_of_val(&*stack.0));
    let result = if let Some(group) = born_into {
        let args = CloneArgs {
            flags: flags as u64 | CLONE_INTO_CGROUP,
            pidfd: &raw mut pidfd as u64,
            exit_signal: libc::SIGCHLD as u64,
            stack: bottom as u64,
            stack_size: size as u64,
            cgroup: group.as_raw_fd() as u64,
            ..CloneArgs::default()
        };
        let args = [&raw const args as usize, size_of::<CloneArgs>(), 0];
        // SAFETY: the arguments of clone3(2), with a stack of the child's own.
        unsafe { clone_and_enter(libc::SYS_clone3, args, child) }
    } else {
        // clone(2) wants the top of the stack, which grows downwards; clone3(2) wants its lowest
        // address and its size.
        let args = [
            (flags | libc::SIGCHLD) as usize,
            bottom + size,
            &raw mut pidfd as usize,
        ];
        // SAFETY: the arguments of clone(2); the descriptor is stored where the third points
        // (CLONE_PIDFD).
        unsafe { clone_and_enter(libc::SYS_clone, args, child) }
    };
    let pid = checked(result)? as i32;
    // SAFETY: the kernel has just stored a fresh descriptor there (CLONE_PIDFD).
    Ok((pid, unsafe { OwnedFd::from_raw_fd(pidfd) }))
}

/// # Safety
/// `number` and `args` must give the child a stack of its own, and `child` must outlive it.
unsafe fn clone_and_enter<C: SharedChild>(number: c_long, args: [usize; 3], child: &C) -> isize {
    let result: isize;
    let enter = enter::<C> as extern "C" fn(*const c_void) -> !;
    // SAFETY: the child starts on its own, empty stack and calls `enter`, which never returns; the
    // parent continues after the label with its registers unchanged except for the clobbers.
    // Arguments after the third are not read with the flags that are used here.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("syscall", "test rax, rax", "jnz 2f", "xor ebp, ebp", "mov rdi, r9", "call r8", "ud2", "2:",
            inlateout("rax") number as isize => result, in("rdi") args[0], in("rsi") args[1], in("rdx") args[2],
            in("r10") 0, in("r8") enter, in("r9") std::ptr::from_ref(child), lateout("rcx") _, lateout("r11") _);
    }
    // SAFETY: as above, in the arm64 convention.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!("svc 0", "cbnz x0, 2f", "mov x29, xzr", "mov x0, x10", "blr x9", "brk #1", "2:",
            in("x8") number, inlateout("x0") args[0] as isize => result, in("x1") args[1], in("x2") args[2],
            in("x3") 0, in("x4") 0, in("x9") enter, in("x10") std::ptr::from_ref(child));
    }
    result
}

/// A child as its supervisor sees it.
pub(crate) struct SupervisedChild {
    /// Becomes readable when the child is dead.
    pub(crate) pidfd: OwnedFd,
    /// The child's number in the caller's pid namespace.
    pub(crate) pid: i32,
}

/// Kills and reaps the child, even if the supervisor panics.
struct KillOnDrop<'a>(&'a SupervisedChild);

impl Drop for KillOnDrop<'_> {
    fn drop(&mut self) {
        let _ = rustix::process::pidfd_send_signal(&self.0.pidfd, rustix::process::Signal::KILL);
        while wait(self.0.pid) == Err(Errno::INTR) {}
    }
}

/// Starts `child` with the caller's memory and file descriptors, in the new namespaces
/// `namespaces`, and has it supervised. However the supervisor ends, the child is dead and reaped
/// when this returns.
pub(crate) fn supervise<C: SharedChild, R>(
    namespaces: c_int,
    stack: &mut Stack,
    child: &C,
    supervisor: impl FnOnce(&SupervisedChild) -> R,
) -> Result<R> {
    // SAFETY: `KillOnDrop` waits for the child's death before `stack` and `child` are given back.
    let (pid, pidfd) =
        unsafe { clone_sharing(namespaces | libc::CLONE_FILES, None, stack, child) }?;
    let supervised = SupervisedChild { pidfd, pid };
    // Armed before the supervisor runs: if that panics, the child must not use memory that is given
    // back.
    let reaped = KillOnDrop(&supervised);
    let result = supervisor(&supervised);
    drop(reaped);
    Ok(result)
}

/// Starts `child` with the caller's memory and a copy of its file descriptors, born into the
/// control group `born_into`, and sleeps until it has called execve or died.
pub(crate) fn start<C: SharedChild>(
    born_into: Option<BorrowedFd<'_>>,
    stack: &mut Stack,
    child: &C,
) -> Result<(i32, OwnedFd)> {
    // SAFETY: CLONE_VFORK keeps this caller asleep until the child needs neither stack nor memory
    // any more.
    unsafe { clone_sharing(libc::CLONE_VFORK, born_into, stack, child) }
}

/// The side of [`fork`] that this process is on.
pub(crate) enum Fork {
    Child,
    Parent(i32),
}

/// A plain fork. For single-threaded processes only, which zygotes and launchers are.
pub(crate) fn fork() -> Result<Fork> {
    fork_with(0)
}

/// Forks like [`fork`], but the child is the caller's sibling: the caller's parent waits for it.
pub(crate) fn fork_sibling() -> Result<Fork> {
    fork_with(libc::CLONE_PARENT)
}

fn fork_with(flags: c_int) -> Result<Fork> {
    let flags = (flags | libc::SIGCHLD) as usize;
    // SAFETY: without CLONE_VM and with no stack this is fork(2).
    let pid = checked(unsafe { syscall(libc::SYS_clone, [flags]) })?;
    Ok(if pid == 0 {
        Fork::Child
    } else {
        Fork::Parent(pid as i32)
    })
}

/// Ends the calling process immediately, without exit handlers.
pub(crate) fn exit(code: i32) -> ! {
    loop {
        // SAFETY: exit_group(2) does not return.
        unsafe { syscall(libc::SYS_exit_group, [code as usize]) };
    }
}

/// Strings in the shape that execve(2) wants. Reused from run to run.
#[derive(Default)]
pub(crate) struct Strings {
    bytes: Vec<u8>,
    starts: Vec<usize>,
    pointers: Vec<*const u8>,
}

// SAFETY: the pointers only ever point into `bytes`, and nothing is written through them.
unsafe impl Sync for Strings {}

impl Strings {
    /// Replaces the contents.
    pub(crate) fn replace<'a>(&mut self, strings: impl Iterator<Item = &'a CStr>) {
        self.bytes.clear();
        self.starts.clear();
        for string in strings {
            self.starts.push(self.bytes.len());
            self.bytes.extend_from_slice(string.to_bytes_with_nul());
        }
        let bytes = &self.bytes;
        self.pointers.clear();
        // Only now: while strings are added, the buffer may move.
        self.pointers
            .extend(self.starts.iter().map(|start| bytes[*start..].as_ptr()));
        self.pointers.push(std::ptr::null());
    }
}

/// Replaces the calling program; returns only the reason why it could not.
pub(crate) fn exec(program: &CStr, args: &Strings, env: &Strings) -> Errno {
    let (args, env) = (
        args.pointers.as_ptr() as usize,
        env.pointers.as_ptr() as usize,
    );
    // SAFETY: `Strings::replace` ends both arrays with a null pointer and each string with a NUL.
    let result = unsafe { syscall(libc::SYS_execve, [program.as_ptr() as usize, args, env]) };
    checked(result).err().unwrap_or(Errno::IO)
}

/// The report of wait4(2) on a dead child or on all reaped descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChildExit {
    pub(crate) pid: i32,
    pub(crate) status: i32,
}

/// Waits for a child (-1: any) to die.
pub(crate) fn wait(pid: i32) -> Result<ChildExit> {
    let mut status = 0_i32;
    let args = [
        pid as usize,
        &raw mut status as usize,
        libc::__WALL as usize,
    ];
    // SAFETY: wait4(2) writes to `status` only.
    let pid = checked(unsafe { syscall(libc::SYS_wait4, args) })? as i32;
    Ok(ChildExit { pid, status })
}

/// Waits for a child to die: its wait status, the CPU time of it and of all descendants that were
/// waited for, and the largest resident set among them in bytes.
pub(crate) fn wait_counted(pid: i32) -> Result<(i32, Duration, u64)> {
    let mut status = 0_i32;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let args = [
        pid as usize,
        &raw mut status as usize,
        libc::__WALL as usize,
        usage.as_mut_ptr() as usize,
    ];
    loop {
        // SAFETY: wait4(2) writes to `status` and `usage`.
        match checked(unsafe { syscall(libc::SYS_wait4, args) }) {
            Err(Errno::INTR) => {}
            // SAFETY: all bit patterns of the structure are valid, and it was zeroed.
            Ok(_) => {
                let (cpu, memory) = summary(unsafe { usage.assume_init() });
                return Ok((status, cpu, memory));
            }
            Err(errno) => return Err(errno),
        }
    }
}

fn summary(usage: libc::rusage) -> (Duration, u64) {
    let micros =
        |time: libc::timeval| (time.tv_sec as u64).saturating_mul(1_000_000) + time.tv_usec as u64;
    (
        Duration::from_micros(micros(usage.ru_utime) + micros(usage.ru_stime)),
        usage.ru_maxrss as u64 * 1024,
    )
}

/// Sets the time that the calling process may compute in one turn; zero restores the usual one.
/// With a shorter time, its next turn comes sooner (`sched_runtime` in sched_setattr(2), since
/// Linux 6.12; ignored before).
pub(crate) fn set_slice(slice: Duration, priority: i32) {
    // `struct sched_attr` on little-endian machines: its size, a flag that keeps the policy,
    // priority, time.
    let attributes: [u64; 6] = [
        48,
        8,
        priority.cast_unsigned().into(),
        slice.as_nanos() as u64,
        0,
        0,
    ];
    // SAFETY: sched_setattr(2) reads as many bytes as the first number says.
    unsafe { syscall(libc::SYS_sched_setattr, [0, attributes.as_ptr() as usize]) };
}

/// User and system time of all reaped descendants, and the largest resident set among them in
/// bytes.
pub(crate) fn reaped_usage() -> (Duration, u64) {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let args = [libc::RUSAGE_CHILDREN as usize, usage.as_mut_ptr() as usize];
    // SAFETY: getrusage(2) fills the structure; all its bit patterns are valid, zero included.
    let usage = unsafe {
        syscall(libc::SYS_getrusage, args);
        usage.assume_init()
    };
    summary(usage)
}

/// A child that is dead and not reaped yet, without reaping it: its number stays its own until
/// then.
pub(crate) fn dead_child() -> Result<Option<i32>> {
    // WNOWAIT does not reap the child. Its number cannot be reused before it is reaped.
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
    let args = [
        libc::P_ALL as usize,
        0,
        info.as_mut_ptr() as usize,
        options as usize,
    ];
    // SAFETY: waitid(2) writes to `info`, all of whose bit patterns are valid; its number is 0 when
    // no child is dead.
    let pid = unsafe {
        checked(syscall(libc::SYS_waitid, args))?;
        info.assume_init().si_pid()
    };
    Ok((pid != 0).then_some(pid))
}

/// Sends SIGKILL to everything that the caller may signal except itself: inside a pid namespace, to
/// all of it.
pub(crate) fn kill_everything() {
    // SAFETY: kill(2) touches no memory.
    unsafe { syscall(libc::SYS_kill, [-1_isize as usize, libc::SIGKILL as usize]) };
}

/// Sends SIGKILL to every member of a process group at once: no member can start another one
/// meanwhile (the kernel signals and forks under the same lock).
pub(crate) fn kill_group(leader: i32) {
    if leader > 1 {
        // SAFETY: kill(2) touches no memory.
        unsafe {
            syscall(
                libc::SYS_kill,
                [-(leader as isize) as usize, libc::SIGKILL as usize],
            )
        };
    }
}

/// A set of signals as the kernel sees it.
fn signal_set(signals: &[i32]) -> u64 {
    signals
        .iter()
        .fold(0, |set, signal| set | 1 << (signal - 1))
}

/// Blocks exactly these signals.
pub(crate) fn block_only(signals: &[i32]) {
    let set = signal_set(signals);
    let args = [
        libc::SIG_SETMASK as usize,
        &raw const set as usize,
        0,
        size_of::<u64>(),
    ];
    // SAFETY: rt_sigprocmask(2) reads the set.
    unsafe { syscall(libc::SYS_rt_sigprocmask, args) };
}

/// Waits for one of these signals, which must be blocked.
pub(crate) fn await_signal(signals: &[i32]) -> Result<i32> {
    let set = signal_set(signals);
    // SAFETY: rt_sigtimedwait(2) reads the set; without a place for details and a timeout it needs
    // nothing else.
    let args = [&raw const set as usize, 0, 0, size_of::<u64>()];
    checked(unsafe { syscall(libc::SYS_rt_sigtimedwait, args) }).map(|signal| signal as i32)
}

/// Makes `target` a copy of `fd` that survives execve.
pub(crate) fn duplicate_onto(fd: BorrowedFd<'_>, target: i32) -> Result<()> {
    // SAFETY: dup3(2) touches no memory. Only children about to call execve use this, on 0, 1 and
    // 2.
    checked(unsafe { syscall(libc::SYS_dup3, [raw(fd), target as usize]) }).map(drop)
}

/// Closes every file descriptor from `first` on.
pub(crate) fn close_from(first: u32) -> Result<()> {
    let args = [first as usize, u32::MAX as usize];
    // SAFETY: close_range(2). The callers own none of these descriptors as Rust values that they
    // use afterwards: a zygote calls it first of all, a program's child last of all.
    checked(unsafe { syscall(libc::SYS_close_range, args) }).map(drop)
}

/// Gives every signal its default action and unblocks all: ignored signals and the mask survive
/// execve.
pub(crate) fn reset_signals() {
    (1..=64).for_each(|signal| ignore_signal(signal, false));
    block_only(&[]);
}

/// Ignores a signal, or gives it its default action.
pub(crate) fn ignore_signal(signal: i32, ignored: bool) {
    // SAFETY: both are valid actions for every signal; those that cannot be changed answer with an
    // error.
    unsafe {
        libc::signal(
            signal,
            if ignored {
                libc::SIG_IGN
            } else {
                libc::SIG_DFL
            },
        )
    };
}

/// Detaches the calling process from its terminal. A new session (setsid(2)) would do that too, but
/// the scheduler treats each session as a group (sched(7), autogroup), and a process that wakes up
/// in a new group waits for up to 10 ms on a busy host.
pub(crate) fn leave_terminal() {
    let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::CLOEXEC;
    if let Ok(terminal) = rustix::fs::open(c"/dev/tty", flags, rustix::fs::Mode::empty()) {
        let args = [raw(terminal.as_fd()), libc::TIOCNOTTY as usize];
        // SAFETY: TIOCNOTTY takes no argument (TIOCNOTTY(2const)).
        unsafe { syscall(libc::SYS_ioctl, args) };
    }
}

/// Moves the calling process into new namespaces.
pub(crate) fn unshare(flags: UnshareFlags) -> Result<()> {
    // SAFETY: `UnshareFlags::FILES` and its like, which could surprise other threads, do not matter
    // in a process with a single thread.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

/// `struct mount_attr` of mount_setattr(2).
#[repr(C)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    userns: u64,
}

/// Adds attributes to the mount at `tree` and all mounts below it, and cuts their propagation. It
/// takes nothing away, so it never touches a flag that a user namespace has locked.
pub(crate) fn restrict_mount(tree: BorrowedFd<'_>, attributes: u64, recursive: bool) -> Result<()> {
    // Private: a mount that stays shared would receive what the host mounts below it later.
    let attr = MountAttr {
        set: attributes,
        clear: 0,
        propagation: libc::MS_PRIVATE,
        userns: 0,
    };
    let recursion = if recursive { libc::AT_RECURSIVE } else { 0 };
    let args = [
        raw(tree),
        c"".as_ptr() as usize,
        (libc::AT_EMPTY_PATH | recursion) as usize,
        &raw const attr as usize,
        size_of::<MountAttr>(),
    ];
    // SAFETY: mount_setattr(2) reads the path and the structure.
    checked(unsafe { syscall(libc::SYS_mount_setattr, args) }).map(drop)
}

/// Loads a filter of system calls for the calling process and all that it starts.
pub(crate) fn load_filter(filter: &[libc::sock_filter]) -> Result<()> {
    load(filter, 0).map(drop)
}

/// Loads a filter, and returns the descriptor for decisions about calls that it neither allows nor
/// refuses.
pub(crate) fn load_listening_filter(filter: &[libc::sock_filter]) -> Result<OwnedFd> {
    let listener = load(filter, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
    // SAFETY: with this flag, seccomp(2) returns a fresh descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(listener as RawFd) })
}

fn load(filter: &[libc::sock_filter], flags: libc::c_ulong) -> Result<usize> {
    let program = libc::sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_ptr().cast_mut(),
    };
    let args = [
        libc::SECCOMP_SET_MODE_FILTER as usize,
        flags as usize,
        &raw const program as usize,
    ];
    // SAFETY: seccomp(2) reads `len` instructions.
    checked(unsafe { syscall(libc::SYS_seccomp, args) })
}

/// The version of Landlock, 0 without it.
pub(crate) fn landlock_version() -> u32 {
    const LANDLOCK_CREATE_RULESET_VERSION: usize = 1;
    // SAFETY: landlock_create_ruleset(2): with this flag, no structure is read.
    let result = unsafe {
        syscall(
            libc::SYS_landlock_create_ruleset,
            [0, 0, LANDLOCK_CREATE_RULESET_VERSION],
        )
    };
    checked(result).unwrap_or(0) as u32
}

/// Makes a Landlock ruleset from the words of `struct landlock_ruleset_attr`.
pub(crate) fn landlock_ruleset(attributes: &[u64]) -> Result<OwnedFd> {
    let args = [attributes.as_ptr() as usize, size_of_val(attributes)];
    // SAFETY: landlock_create_ruleset(2) reads the given number of bytes and returns a fresh
    // descriptor.
    unsafe {
        checked(syscall(libc::SYS_landlock_create_ruleset, args))
            .map(|fd| OwnedFd::from_raw_fd(fd as RawFd))
    }
}

/// Grants the rights `access` to everything below `path`, or to `path` itself if it is a file.
pub(crate) fn landlock_allow(
    ruleset: BorrowedFd<'_>,
    path: BorrowedFd<'_>,
    access: u64,
) -> Result<()> {
    const LANDLOCK_RULE_PATH_BENEATH: usize = 1;
    /// `struct landlock_path_beneath_attr`.
    #[repr(C, packed)]
    struct Rule {
        access: u64,
        parent: i32,
    }
    let rule = Rule {
        access,
        parent: path.as_raw_fd(),
    };
    let args = [
        raw(ruleset),
        LANDLOCK_RULE_PATH_BENEATH,
        &raw const rule as usize,
    ];
    // SAFETY: landlock_add_rule(2) reads the rule.
    checked(unsafe { syscall(libc::SYS_landlock_add_rule, args) }).map(drop)
}

/// Binds the calling process and all that it starts to a Landlock ruleset.
pub(crate) fn landlock_restrict(ruleset: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: landlock_restrict_self(2) touches no memory.
    checked(unsafe { syscall(libc::SYS_landlock_restrict_self, [raw(ruleset)]) }).map(drop)
}

/// Runs an action on files, including those of `/proc`, as another user, and restores the caller's
/// user afterwards. The action must have no other effect. For root that may become any user but may
/// not inspect processes of others, as in a container without `SYS_PTRACE`. Without the right to
/// become that user, the action runs as the caller.
///
/// Clears the parent-death signal of the calling thread (`PR_SET_PDEATHSIG(2const)`).
pub(crate) fn with_files_of<R>(id: u32, action: impl FnOnce() -> R) -> R {
    let set = |number: c_long, id: u32| {
        // SAFETY: setfsuid(2) and setfsgid(2) touch no memory, and both are of the calling thread
        // alone.
        unsafe { syscall(number, [id as usize]) as u32 }
    };
    // Both return the previous number, whether they succeed or not. The group comes first: the
    // right to change it may go with the user.
    let group = set(libc::SYS_setfsgid, id);
    let user = set(libc::SYS_setfsuid, id);
    let result = action();
    set(libc::SYS_setfsuid, user);
    set(libc::SYS_setfsgid, group);
    result
}

/// The CPU time that all threads of a living process have used so far.
pub(crate) fn process_cpu_time(pid: i32) -> Result<Duration> {
    // clock_getcpuclockid(3): the clock of a process is made from its number; 2 selects the
    // scheduler's exact time. Any process may read the clock of any other, so this needs no /proc
    // and no privilege.
    let clock = ((!pid as u32) << 3 | 2) as i32;
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: clock_gettime(2) writes to `time` only.
    checked(unsafe {
        syscall(
            libc::SYS_clock_gettime,
            [clock as usize, &raw mut time as usize],
        )
    })?;
    Ok(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// A system call that waits for a decision (seccomp_unotify(2)).
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitingCall {
    id: u64,
    /// The thread's number in the caller's pid namespace.
    pub(crate) thread: i32,
    pub(crate) number: c_long,
    pub(crate) args: [u64; 6],
}

/// Returns the next call that waits, or [`Errno::NOENT`] if it was interrupted meanwhile. Must only
/// be called when the descriptor is readable.
pub(crate) fn next_waiting_call(listener: BorrowedFd<'_>) -> Result<WaitingCall> {
    let mut call = MaybeUninit::<libc::seccomp_notif>::zeroed();
    let args = [
        raw(listener),
        libc::SECCOMP_IOCTL_NOTIF_RECV as usize,
        call.as_mut_ptr() as usize,
    ];
    // SAFETY: the ioctl fills the structure, which must be zeroed; all its bit patterns are valid.
    let call = unsafe {
        checked(syscall(libc::SYS_ioctl, args))?;
        call.assume_init()
    };
    let (number, args) = (c_long::from(call.data.nr), call.data.args);
    Ok(WaitingCall {
        id: call.id,
        thread: call.pid.cast_signed(),
        number,
        args,
    })
}

/// True while a call still waits: only then is the thread's number known to be that thread's.
pub(crate) fn still_waits(listener: BorrowedFd<'_>, call: &WaitingCall) -> bool {
    let args = [
        raw(listener),
        libc::SECCOMP_IOCTL_NOTIF_ID_VALID as usize,
        &raw const call.id as usize,
    ];
    // SAFETY: the ioctl reads one number.
    unsafe { syscall(libc::SYS_ioctl, args) == 0 }
}

/// Decides about a call that waits: it fails with `error`, or has been executed, or the kernel
/// executes it (`SECCOMP_USER_NOTIF_FLAG_CONTINUE`). Fails if the call no longer waits.
pub(crate) fn decide(
    listener: BorrowedFd<'_>,
    call: &WaitingCall,
    error: i32,
    flags: u32,
) -> Result<()> {
    let answer = libc::seccomp_notif_resp {
        id: call.id,
        val: 0,
        error: -error,
        flags,
    };
    let args = [
        raw(listener),
        libc::SECCOMP_IOCTL_NOTIF_SEND as usize,
        &raw const answer as usize,
    ];
    // SAFETY: the ioctl reads the structure.
    checked(unsafe { syscall(libc::SYS_ioctl, args) }).map(drop)
}

/// Takes over a descriptor that a child has opened in the caller's own table and that has no other
/// owner.
pub(crate) fn own_descriptor(number: i32) -> Option<OwnedFd> {
    // SAFETY: the child was the only owner and gave it up; negative numbers are not descriptors.
    (number >= 0).then(|| unsafe { OwnedFd::from_raw_fd(number) })
}

/// The third argument of flock(2), which has only two, in the zygote's own calls: it lets them pass
/// the zygote's filter.
pub(crate) const OWN_LOCK: u32 = 0xb1a5_70c4;

/// Sets or releases a lock on an open file without waiting for it.
pub(crate) fn lock(file: BorrowedFd<'_>, operation: i32) -> Result<()> {
    let args = [
        raw(file),
        (operation | libc::LOCK_NB) as usize,
        OWN_LOCK as usize,
    ];
    // SAFETY: flock(2) touches no memory.
    checked(unsafe { syscall(libc::SYS_flock, args) }).map(drop)
}

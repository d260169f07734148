//! The system calls that programs are refused.
//!
//! Responsible for the lists and for a filter that costs little. Must not know who loads it.
//!
//! Lists of refusals, not of permissions: language runtimes use whatever the kernel offers. Always closed is what no
//! contest program needs and what reaches past namespaces: kernel interfaces with a history of holes, keyrings and
//! locks that outlive a run, and every way to make a namespace. Without namespaces, everything is closed that reaches
//! other processes or files and that Landlock does not see. See seccomp(2) and the kernel's `seccomp_filter.rst`.

use libc::sock_filter;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA | libc::BPF_K) as u16;
const MASK: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;

// Offsets in `struct seccomp_data`; the low halves of arguments on little-endian machines.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;
const SECOND_ARGUMENT: u32 = 24;

#[cfg(target_arch = "x86_64")]
const OURS: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const OURS: u32 = 0xC000_00B7;

/// x32 calls, which share the architecture of x86-64 but bypass its numbers. arm64 has no such calls.
const X32: u32 = 0x4000_0000;

fn errno(error: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | error.cast_unsigned()
}

const fn step(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

const fn jump(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

/// Calls that fail with "not permitted".
#[rustfmt::skip]
const FORBIDDEN: &[libc::c_long] = &[
    // Keyrings belong to the user, not to the run.
    libc::SYS_keyctl, libc::SYS_add_key, libc::SYS_request_key,
    // Large kernel interfaces with a history of holes.
    libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_userfaultfd, libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter, libc::SYS_io_uring_register, libc::SYS_vmsplice,
    // Other processes.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd, libc::SYS_kcmp,
    // Mounts and namespaces.
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_unshare, libc::SYS_setns,
    libc::SYS_open_tree, libc::SYS_move_mount, libc::SYS_fsopen, libc::SYS_fsconfig, libc::SYS_fsmount,
    libc::SYS_fspick, libc::SYS_mount_setattr,
    // Files past the mount tree.
    libc::SYS_open_by_handle_at, libc::SYS_name_to_handle_at, libc::SYS_fanotify_init, libc::SYS_quotactl,
    // The machine.
    libc::SYS_kexec_load, libc::SYS_init_module, libc::SYS_finit_module, libc::SYS_delete_module, libc::SYS_reboot,
    libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_acct, libc::SYS_settimeofday, libc::SYS_adjtimex,
    libc::SYS_clock_settime, libc::SYS_clock_adjtime, libc::SYS_syslog, libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")] libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")] libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")] libc::SYS_modify_ldt,
    // Objects that could outlive a run or carry messages between slots.
    libc::SYS_shmget, libc::SYS_msgget, libc::SYS_semget, libc::SYS_mq_open, libc::SYS_memfd_secret,
    // Watching what others do with files that all of them see.
    libc::SYS_inotify_init1, libc::SYS_inotify_add_watch,
    #[cfg(target_arch = "x86_64")] libc::SYS_inotify_init,
    // The processor that the slot is pinned to, and execution domains.
    libc::SYS_sched_setaffinity, libc::SYS_personality,
];

/// Calls that look missing, so that callers use their older counterparts: `clone3`, whose flags a filter cannot see,
/// and `flock`, whose locks on shared read-only files would be seen by other slots.
const MISSING: &[libc::c_long] = &[libc::SYS_clone3, libc::SYS_flock];

/// What stands between a program and everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walls {
    /// Namespaces of its own.
    Namespaces,
    /// A user of its own, in everybody's namespaces.
    OwnUser,
    /// Nothing: it is the caller's user in everybody's namespaces. `signals_scoped` tells whether Landlock keeps
    /// signals inside.
    SameUser { signals_scoped: bool },
}

/// Calls that fail with "not permitted" in everybody's namespaces.
#[rustfmt::skip]
const FORBIDDEN_OUTSIDE: &[libc::c_long] = &[
    // Sockets that lead anywhere; what `socketpair` gives is connected already.
    libc::SYS_connect, libc::SYS_bind,
    // System V objects of others, which their numbers are enough for.
    libc::SYS_shmat, libc::SYS_shmctl, libc::SYS_msgsnd, libc::SYS_msgrcv, libc::SYS_msgctl, libc::SYS_semop,
    libc::SYS_semctl, libc::SYS_semtimedop,
    // Marks on files of others that anybody may write to, which Landlock does not see.
    libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, SYS_SETXATTRAT, libc::SYS_removexattr,
    libc::SYS_lremovexattr, libc::SYS_fremovexattr, SYS_REMOVEXATTRAT, libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")] libc::SYS_utime,
    #[cfg(target_arch = "x86_64")] libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")] libc::SYS_futimesat,
];

// Newer than the C library's headers.
const SYS_FCHMODAT2: libc::c_long = 452;
const SYS_SETXATTRAT: libc::c_long = 463;
const SYS_REMOVEXATTRAT: libc::c_long = 466;
const SYS_FILE_SETATTR: libc::c_long = 469;

/// Calls that fail with "not permitted" for a program that has its caller's user: what that user may do to its files
/// without opening them, which Landlock does not see, and to its processes.
#[rustfmt::skip]
const FORBIDDEN_TO_SAME_USER: &[libc::c_long] = &[
    libc::SYS_fchmod, libc::SYS_fchmodat, SYS_FCHMODAT2, libc::SYS_fchown, libc::SYS_fchownat, SYS_FILE_SETATTR,
    #[cfg(target_arch = "x86_64")] libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")] libc::SYS_chown,
    #[cfg(target_arch = "x86_64")] libc::SYS_lchown,
    libc::SYS_migrate_pages, libc::SYS_move_pages,
    // The process group is what a run is killed by.
    libc::SYS_setsid, libc::SYS_setpgid,
];

/// Calls that are allowed on oneself only, which the number 0 stands for: even with a pid namespace, there may be an
/// init of the same user whose limits could be taken away.
const ONESELF_BY_ZERO: &[libc::c_long] =
    &[libc::SYS_prlimit64, libc::SYS_sched_setscheduler, libc::SYS_sched_setparam, libc::SYS_sched_setattr];

/// Commands of `fcntl` that tell of the locks of others, which would carry messages between slots: `F_GETLK` and
/// `F_OFD_GETLK`.
const LOCK_QUERIES: &[i32] = &[libc::F_GETLK, 36];
/// Commands of `fcntl` with which a file's owner disturbs others: `F_SETSIG` and `F_SETOWN_EX` are the numbers, and like
/// `F_SETOWN` they direct signals at them.
const DISTURBANCES: &[i32] = &[libc::F_SETOWN, 10, 15, libc::F_SETLEASE, libc::F_NOTIFY];

/// Commands of `ioctl` that are harmless on everything that can be opened. For all others it looks as if the
/// descriptor did not know them.
#[rustfmt::skip]
const HARMLESS_CONTROLS: &[libc::Ioctl] =
    &[libc::FIONREAD, libc::FIONBIO, libc::FIOCLEX, libc::FIONCLEX, libc::TCGETS, libc::TIOCGWINSZ];

/// Stands in a filter for the number of the process that loads it. No process has it (`PID_MAX_LIMIT` is 2²²).
const OWN_PID: u32 = 0x7fff_fffe;

/// The answer to one call: instructions that return in every case.
type Answer = Vec<sock_filter>;

fn always(answer: u32) -> Answer {
    vec![step(RETURN, answer)]
}

/// `matching` if the argument at `offset` is one of `values`, and `other` if not.
fn one_of(offset: u32, values: &[u32], matching: u32, other: u32) -> Answer {
    let mut answer = vec![step(LOAD, offset)];
    for (index, value) in values.iter().enumerate() {
        answer.push(jump(EQUAL, *value, (values.len() - index) as u8, 0));
    }
    answer.extend([step(RETURN, other), step(RETURN, matching)]);
    answer
}

/// No new namespaces; and, if so wanted, no new processes, only threads.
fn clone_answer(single_process: bool) -> Answer {
    let new_namespaces = (libc::CLONE_NEWNS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET) as u32;
    let wanted = if single_process { jump(ANY_BIT, libc::CLONE_THREAD as u32, 1, 0) } else { step(JUMP, 1) };
    vec![
        step(LOAD, FIRST_ARGUMENT),
        jump(ANY_BIT, new_namespaces, 1, 0),
        wanted,
        step(RETURN, errno(libc::EPERM)),
        step(RETURN, ALLOW),
    ]
}

/// Connected pairs only, and none whose ends can be turned elsewhere later, as those of datagrams can.
fn socketpair_answer() -> Answer {
    let refused = errno(libc::EAFNOSUPPORT);
    let mut answer = vec![
        step(LOAD, FIRST_ARGUMENT),
        jump(EQUAL, libc::AF_UNIX.cast_unsigned(), 1, 0),
        step(RETURN, refused),
        step(LOAD, SECOND_ARGUMENT),
        step(MASK, 0xf),
    ];
    let kinds = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET].map(i32::cast_unsigned);
    // The same comparison, but of what has been loaded and masked.
    answer.extend(one_of(0, &kinds, ALLOW, refused).into_iter().skip(1));
    answer
}

/// The answers that depend on arguments.
fn special(walls: Walls, single_process: bool) -> Vec<(libc::c_long, Answer)> {
    let (no_family, refused) = (errno(libc::EAFNOSUPPORT), errno(libc::EPERM));
    let same_user = matches!(walls, Walls::SameUser { .. });
    let mut special = vec![(libc::SYS_clone, clone_answer(single_process && same_user))];
    special.extend(ONESELF_BY_ZERO.iter().map(|call| (*call, one_of(FIRST_ARGUMENT, &[0], ALLOW, refused))));
    // The first argument tells whether the second is a process or thread, of which 0 is the caller.
    for (call, process) in [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)] {
        let mut answer = vec![step(LOAD, FIRST_ARGUMENT), jump(EQUAL, process, 1, 0), step(RETURN, refused)];
        answer.extend(one_of(SECOND_ARGUMENT, &[0], ALLOW, refused));
        special.push((call, answer));
    }
    let mut commands = LOCK_QUERIES.to_vec();
    if same_user {
        commands.extend_from_slice(DISTURBANCES);
    }
    let commands: Vec<u32> = commands.into_iter().map(i32::cast_unsigned).collect();
    special.push((libc::SYS_fcntl, one_of(SECOND_ARGUMENT, &commands, refused, ALLOW)));
    if walls == Walls::Namespaces {
        // The families that a network namespace contains.
        let families = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6].map(i32::cast_unsigned);
        special.push((libc::SYS_socket, one_of(FIRST_ARGUMENT, &families, ALLOW, no_family)));
        return special;
    }
    special.push((libc::SYS_socket, always(no_family)));
    special.push((libc::SYS_socketpair, socketpair_answer()));
    let controls: Vec<u32> = HARMLESS_CONTROLS.iter().map(|control| *control as u32).collect();
    special.push((libc::SYS_ioctl, one_of(SECOND_ARGUMENT, &controls, ALLOW, errno(libc::ENOTTY))));
    let Walls::SameUser { signals_scoped } = walls else { return special };
    #[cfg(target_arch = "x86_64")]
    if single_process {
        special.extend([libc::SYS_fork, libc::SYS_vfork].map(|call| (call, always(refused))));
    }
    if !signals_scoped {
        // Only the main process knows its number beforehand; its children can signal nobody, not even themselves.
        special.push((libc::SYS_kill, one_of(FIRST_ARGUMENT, &[0, OWN_PID], ALLOW, refused)));
        for call in [libc::SYS_tgkill, libc::SYS_rt_tgsigqueueinfo, libc::SYS_rt_sigqueueinfo] {
            special.push((call, one_of(FIRST_ARGUMENT, &[OWN_PID], ALLOW, refused)));
        }
        special.extend([libc::SYS_tkill, libc::SYS_pidfd_send_signal].map(|call| (call, always(refused))));
    }
    special
}

/// The whole filter. `single_process` counts where a program is its caller's user only.
pub(super) fn build(walls: Walls, single_process: bool) -> Vec<sock_filter> {
    let mut filter = vec![
        step(LOAD, ARCHITECTURE),
        jump(EQUAL, OURS, 1, 0),
        step(RETURN, KILL),
        step(LOAD, NUMBER),
        jump(AT_LEAST, X32, 0, 1),
        step(RETURN, KILL),
    ];
    let lists: &[&[libc::c_long]] = match walls {
        Walls::Namespaces => &[FORBIDDEN],
        Walls::OwnUser => &[FORBIDDEN, FORBIDDEN_OUTSIDE],
        Walls::SameUser { .. } => &[FORBIDDEN, FORBIDDEN_OUTSIDE, FORBIDDEN_TO_SAME_USER],
    };
    let refused = lists.iter().copied().flatten().map(|number| (*number, always(errno(libc::EPERM))));
    let missing = MISSING.iter().map(|number| (*number, always(errno(libc::ENOSYS))));
    let mut answers: Vec<(u32, Answer)> = refused
        .chain(missing)
        .chain(special(walls, single_process))
        .map(|(number, answer)| (number as u32, answer))
        .collect();
    answers.sort_unstable_by_key(|(number, _)| *number);
    tree(&answers, &mut filter);
    filter
}

/// The longest filter; a place to copy one to.
pub(super) const LONGEST: usize = 640;

/// A copy of a filter in which the process with this number may signal itself.
pub(super) fn for_process<'a>(
    filter: &[sock_filter],
    pid: u32,
    copy: &'a mut [sock_filter; LONGEST],
) -> &'a [sock_filter] {
    let length = filter.len().min(LONGEST);
    for (to, from) in copy.iter_mut().zip(filter) {
        *to = *from;
        if from.k == OWN_PID {
            to.k = pid;
        }
    }
    &copy[..length]
}

/// An instruction to fill a place with.
pub(super) const NOTHING: sock_filter = step(RETURN, KILL);

/// A search tree over the numbers. The kernel runs the filter once per call number when it is loaded (it keeps a
/// bitmap of calls that are always allowed), so the depth counts, not only the length.
fn tree(answers: &[(u32, Answer)], filter: &mut Vec<sock_filter>) {
    if answers.len() <= 3 {
        for (number, answer) in answers {
            filter.push(jump(EQUAL, *number, 0, answer.len() as u8));
            filter.extend_from_slice(answer);
        }
        filter.push(step(RETURN, ALLOW));
        return;
    }
    let (low, high) = answers.split_at(answers.len() / 2);
    // Conditional jumps reach no further than 255 instructions, unconditional ones anywhere.
    filter.push(jump(AT_LEAST, high[0].0, 0, 1));
    let at = filter.len();
    filter.push(step(JUMP, 0));
    tree(low, filter);
    filter[at].k = (filter.len() - at - 1) as u32;
    tree(high, filter);
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;

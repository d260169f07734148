//! The calls whose answer depends on their arguments.
//!
//! Responsible for the arguments that are permitted and for the answer to all others. Must not know
//! how the answers become one filter.

use crate::kernel;
use crate::zygote::filter::instructions::{
    ALLOW, ANY_BIT, AT_LEAST, Answer, EQUAL, FIRST_ARGUMENT, FOURTH_ARGUMENT, JUMP, LOAD, MASK,
    RETURN, SECOND_ARGUMENT, SIXTH_ARGUMENT, THIRD_ARGUMENT, always, errno, jump, one_of, step,
    with_bits,
};

/// The properties of a program's confinement on which its filter depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterConfinement {
    /// Its own namespaces.
    Namespaces,
    /// Its own user, in the host's namespaces.
    OwnUser,
    /// The caller's user, in the host's namespaces. `signals_scoped` is true if Landlock keeps
    /// signals inside.
    SameUser { signals_scoped: bool },
}

/// The properties that a filter depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilterSpec {
    pub(crate) confinement: FilterConfinement,
    /// True for programs with one process; only relevant where a program runs as its caller's user.
    pub(crate) single_process: bool,
    /// True if the filter of `lock_filter` is loaded too.
    pub(crate) locks_are_decided: bool,
    /// True for programs that may use local sockets among each other: named ones where the names
    /// are the slot's own, and elsewhere pairs. Descriptors may be sent by them.
    pub(crate) local_sockets: bool,
}

/// Calls that are allowed only on the caller, for which the number 0 stands: even with a pid
/// namespace, there may be an init of the same user whose limits could be taken away.
pub(super) const ONESELF_BY_ZERO: &[libc::c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

/// Commands of `fcntl` about locks of processes. The zygote decides about them, as about `flock`.
pub(super) const LOCKS: &[i32] = &[libc::F_GETLK, libc::F_SETLK, libc::F_SETLKW];
/// Commands of `fcntl` about locks of open files (`F_OFD_GETLK` and so on), which look unknown as
/// before Linux 3.15: run-times use `flock`.
const LOCKS_OF_DESCRIPTIONS: &[i32] = &[36, 37, 38];
/// Commands of `fcntl` that belong to a file and not to a descriptor, and so are visible to other
/// processes that have the same file open, or reveal them: `F_SETLEASE`, `F_NOTIFY`, `F_SETDELEG`,
/// `F_SET_RW_HINT` and `F_SET_FILE_RW_HINT`. It looks as if the file system did not know them.
const MARKS_ON_FILES: &[i32] = &[libc::F_SETLEASE, libc::F_NOTIFY, 1040, 1036, 1038];
/// Commands of `fcntl` that direct signals at others: `F_SETSIG` and `F_SETOWN_EX` are the numbers.
const SIGNAL_DIRECTIONS: &[i32] = &[libc::F_SETOWN, 10, 15];

/// `F_SETPIPE_SZ` of `fcntl`: pages of pipes are counted for each user of the host, and with it a
/// few pipes could take all of them.
const SIZE_OF_A_PIPE: i32 = libc::F_SETPIPE_SZ;

/// Options of `prctl` that look unknown: `PR_SET_SECCOMP`, for which see `seccomp` in the lists,
/// and all that are newer than `FIRST_UNDECIDED` in the lists. Among those are `PR_SCHED_CORE`, which keeps
/// all other processes off the other half of a processor's core, `PR_SET_MEMORY_MERGE`, which
/// shares pages with processes that have the same ones, and `PR_SET_VMA`, whose names are memory
/// that is charged to no group.
const OWN_FILTER: u32 = libc::PR_SET_SECCOMP.cast_unsigned();
const FIRST_UNDECIDED_OPTION: u32 = 62;

/// The options of `setsockopt` for the ends of a `socketpair`: sizes of buffers, which are charged
/// to the group, and timeouts, by their old and their new numbers. Among the others are filters
/// (`SO_ATTACH_FILTER`, `SO_ATTACH_BPF`), see `seccomp`.
const SETTABLE: &[u32] = &[7, 8, 20, 21, 66, 67];
/// The same and `SO_PASSCRED`, for sockets that pass descriptors to each other. It gives a socket a
/// name when it sends.
const SETTABLE_TO_PASS: &[u32] = &[7, 8, 16, 20, 21, 66, 67];
/// The options of `getsockopt`: the above, kinds (`SO_TYPE`, `SO_ACCEPTCONN`, `SO_PROTOCOL`,
/// `SO_DOMAIN`), `SO_ERROR` and `SO_PEERCRED`. Among the others is `SO_COOKIE`, a number that the
/// whole host counts up.
const GETTABLE: &[u32] = &[3, 4, 7, 8, 16, 17, 20, 21, 30, 38, 39, 66, 67];
/// `MSG_OOB` of `sendto`: out-of-band data of local sockets has had holes, and kernels are built
/// without it.
const OUT_OF_BAND: u32 = libc::MSG_OOB.cast_unsigned();

/// Huge pages lie in a pool that is the host's and are charged to no group. It looks as if the pool
/// were empty.
const MAP_OF_HUGE_PAGES: u32 = libc::MAP_HUGETLB.cast_unsigned();
const FILE_OF_HUGE_PAGES: u32 = libc::MFD_HUGETLB;
/// Advice of `madvise` that concerns pages that others share: `MADV_MERGEABLE`, `MADV_COLD`,
/// `MADV_PAGEOUT` and `MADV_COLLAPSE`. It looks unknown.
const ADVICE_ON_SHARED_PAGES: &[u32] = &[12, 20, 21, 25];
/// `MS_SYNC` of `msync`, which is `fsync` by another name: it succeeds and does nothing.
const WRITE_BACK: u32 = libc::MS_SYNC.cast_unsigned();

/// The modes of `fallocate` that respect the limit of a file's size or only free space: 0, and
/// `KEEP_SIZE` with `PUNCH_HOLE`. With `KEEP_SIZE` alone, a small file takes as much of the host's
/// disk as there is. It looks as if the file system did not know the others.
const PERMITTED_MODES: &[u32] = &[0, 3];
/// `RWF_NOWAIT` of `preadv2`: it reveals what is in the host's cache.
const READ_IF_CACHED: u32 = 8;

/// Execution domains that a program may request: the number that only returns the present one, and
/// the usual one.
const DOMAINS: &[u32] = &[0xffff_ffff, 0];

/// Commands of `ioctl` that are harmless on everything that can be opened. For all others it looks
/// as if the descriptor did not know them. Some have the kernel load modules, on any socket at all
/// (`SIOCGIFBR`, `SIOCGIFVLAN`).
const HARMLESS_CONTROLS: &[libc::Ioctl] = &[
    libc::FIONREAD,
    libc::FIONBIO,
    libc::FIOCLEX,
    libc::FIONCLEX,
    libc::TCGETS,
    libc::TIOCGWINSZ,
];

/// The placeholder for the number of the process that loads the filter. No process has it
/// (`PID_MAX_LIMIT` is 2²²).
pub(super) const OWN_PID: u32 = 0x7fff_fffe;

/// Options of `SOL_SOCKET` that are permitted; all others look unknown.
fn socket_options(names: &[u32]) -> Answer {
    let unknown = errno(libc::ENOPROTOOPT);
    let mut answer = vec![
        step(LOAD, SECOND_ARGUMENT),
        jump(EQUAL, libc::SOL_SOCKET.cast_unsigned(), 1, 0),
        step(RETURN, unknown),
    ];
    answer.extend(one_of(THIRD_ARGUMENT, names, ALLOW, unknown));
    answer
}

/// Permits all options but those that look unknown.
fn prctl_answer() -> Answer {
    vec![
        step(LOAD, FIRST_ARGUMENT),
        jump(EQUAL, OWN_FILTER, 1, 0),
        jump(AT_LEAST, FIRST_UNDECIDED_OPTION, 0, 1),
        step(RETURN, errno(libc::EINVAL)),
        step(RETURN, ALLOW),
    ]
}

/// Refuses new namespaces, handles of processes (see `pidfd_open` in the lists), descriptors that
/// are shared by processes other than threads of each other (see `locks.rs`), and threads for whose
/// end the creator waits within the kernel, as if the host held the process up (`vfork` makes
/// processes). With `single_process` it also refuses new processes and permits only threads.
fn clone_answer(single_process: bool) -> Answer {
    let new_objects = (libc::CLONE_PIDFD
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET) as u32;
    // The jump goes to the next instruction, which refuses.
    let process = if single_process {
        step(JUMP, 0)
    } else {
        jump(ANY_BIT, libc::CLONE_FILES as u32, 0, 1)
    };
    vec![
        step(LOAD, FIRST_ARGUMENT),
        jump(ANY_BIT, new_objects, 3, 0),
        // A new thread shares everything with its process anyway: only `CLONE_VFORK` is refused.
        // Everything else is a new process, which must not share the table of descriptors, and
        // which is always refused where only one process is allowed.
        jump(ANY_BIT, libc::CLONE_THREAD as u32, 0, 1),
        jump(ANY_BIT, libc::CLONE_VFORK as u32, 1, 2),
        process,
        step(RETURN, errno(libc::EPERM)),
        step(RETURN, ALLOW),
    ]
}

/// Permits only connected pairs, and none whose ends can be connected elsewhere later, as those of
/// datagrams can. Run-times use such pairs to wake themselves and to communicate with their
/// children.
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
    // The same comparison, but with the value that has been loaded and masked.
    answer.extend(one_of(0, &kinds, ALLOW, refused).into_iter().skip(1));
    answer
}

/// Refuses marks on files, signals to others of the same user, and locks without a decision by the
/// zygote.
fn fcntl_answer(same_user: bool, locks_are_decided: bool) -> Answer {
    let (refused, unknown) = (errno(libc::EPERM), errno(libc::EINVAL));
    let locks = if locks_are_decided { &[] } else { LOCKS };
    let directions = if same_user { SIGNAL_DIRECTIONS } else { &[] };
    let forbidden = [&[SIZE_OF_A_PIPE], directions];
    let numbers = |commands: &[&[i32]]| -> Vec<u32> {
        commands
            .iter()
            .copied()
            .flatten()
            .map(|command| command.cast_unsigned())
            .collect()
    };
    let mut answer = vec![step(LOAD, SECOND_ARGUMENT)];
    let answers = [
        (numbers(&[MARKS_ON_FILES, LOCKS_OF_DESCRIPTIONS]), unknown),
        (numbers(&forbidden), refused),
        (numbers(&[locks]), errno(libc::ENOLCK)),
    ];
    for (commands, value) in answers.iter().filter(|(commands, _)| !commands.is_empty()) {
        for (index, command) in commands.iter().enumerate() {
            // Jumps to the return after the last comparison, or else to the next comparison or over
            // that return.
            let last = index + 1 == commands.len();
            answer.push(jump(
                EQUAL,
                *command,
                (commands.len() - index - 1) as u8,
                u8::from(last),
            ));
        }
        answer.push(step(RETURN, *value));
    }
    answer.push(step(RETURN, ALLOW));
    answer
}

/// The answers that depend on arguments.
#[expect(clippy::too_many_lines, reason = "a list of calls")]
pub(super) fn special(spec: FilterSpec) -> Vec<(libc::c_long, Answer)> {
    let FilterSpec {
        confinement,
        single_process,
        locks_are_decided,
        local_sockets,
    } = spec;
    let (refused, unknown) = (errno(libc::EPERM), errno(libc::EINVAL));
    let same_user = matches!(confinement, FilterConfinement::SameUser { .. });
    let mut special = vec![(libc::SYS_clone, clone_answer(single_process && same_user))];
    special.extend(
        ONESELF_BY_ZERO
            .iter()
            .map(|call| (*call, one_of(FIRST_ARGUMENT, &[0], ALLOW, refused))),
    );
    // The first argument says whether the second is a process or thread; then 0 is the caller.
    for (call, process) in [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)] {
        let mut answer = vec![
            step(LOAD, FIRST_ARGUMENT),
            jump(EQUAL, process, 1, 0),
            step(RETURN, refused),
        ];
        answer.extend(one_of(SECOND_ARGUMENT, &[0], ALLOW, refused));
        special.push((call, answer));
    }
    // Mono requests the ordinary policy for each of its threads, by their numbers, and complains on
    // standard output when it is refused. They have it already, so this succeeds and does nothing.
    let mut policy = vec![
        step(LOAD, FIRST_ARGUMENT),
        jump(EQUAL, 0, 0, 1),
        step(RETURN, ALLOW),
    ];
    policy.extend(one_of(
        SECOND_ARGUMENT,
        &[libc::SCHED_OTHER.cast_unsigned()],
        errno(0),
        refused,
    ));
    special.push((libc::SYS_sched_setscheduler, policy));
    special.push((libc::SYS_fcntl, fcntl_answer(same_user, locks_are_decided)));
    // The zygote marks its own calls by a third argument, and its filter lets those pass without a
    // decision. A program that could set the mark could lock any file, so a call with the mark
    // fails here.
    let lock = if locks_are_decided {
        one_of(THIRD_ARGUMENT, &[kernel::OWN_LOCK], unknown, ALLOW)
    } else {
        always(errno(libc::ENOSYS))
    };
    special.push((libc::SYS_flock, lock));
    special.push((libc::SYS_prctl, prctl_answer()));
    special.push((
        libc::SYS_preadv2,
        with_bits(SIXTH_ARGUMENT, READ_IF_CACHED, errno(libc::EOPNOTSUPP)),
    ));
    special.push((
        libc::SYS_personality,
        one_of(FIRST_ARGUMENT, DOMAINS, ALLOW, refused),
    ));
    special.push((
        libc::SYS_mmap,
        with_bits(FOURTH_ARGUMENT, MAP_OF_HUGE_PAGES, errno(libc::ENOMEM)),
    ));
    special.push((
        libc::SYS_memfd_create,
        with_bits(SECOND_ARGUMENT, FILE_OF_HUGE_PAGES, unknown),
    ));
    special.push((
        libc::SYS_madvise,
        one_of(THIRD_ARGUMENT, ADVICE_ON_SHARED_PAGES, unknown, ALLOW),
    ));
    special.push((
        libc::SYS_msync,
        with_bits(THIRD_ARGUMENT, WRITE_BACK, errno(0)),
    ));
    // No socket that can be connected, named or counted: everything that a socket leaves in a
    // network outlives the run, because the network is the slot's. Programs with local sockets have
    // a slot of their own, where they see no other names.
    let no_family = errno(libc::EAFNOSUPPORT);
    if local_sockets && confinement == FilterConfinement::Namespaces {
        special.push((
            libc::SYS_socket,
            one_of(
                FIRST_ARGUMENT,
                &[libc::AF_UNIX.cast_unsigned()],
                ALLOW,
                no_family,
            ),
        ));
    } else {
        special.push((libc::SYS_socket, always(no_family)));
        special.push((libc::SYS_socketpair, socketpair_answer()));
    }
    let settable = if local_sockets {
        SETTABLE_TO_PASS
    } else {
        SETTABLE
    };
    special.push((libc::SYS_setsockopt, socket_options(settable)));
    special.push((libc::SYS_getsockopt, socket_options(GETTABLE)));
    special.push((
        libc::SYS_sendto,
        with_bits(FOURTH_ARGUMENT, OUT_OF_BAND, errno(libc::EOPNOTSUPP)),
    ));
    let controls: Vec<u32> = HARMLESS_CONTROLS
        .iter()
        .map(|control| *control as u32)
        .collect();
    // Only the low half of the argument is compared; the kernel itself takes the command as 32
    // bits.
    special.push((
        libc::SYS_ioctl,
        one_of(SECOND_ARGUMENT, &controls, ALLOW, errno(libc::ENOTTY)),
    ));
    if confinement == FilterConfinement::Namespaces {
        return special;
    }
    special.push((
        libc::SYS_fallocate,
        one_of(
            SECOND_ARGUMENT,
            PERMITTED_MODES,
            ALLOW,
            errno(libc::EOPNOTSUPP),
        ),
    ));
    if let FilterConfinement::SameUser { signals_scoped } = confinement {
        special.extend(same_user_answers(single_process, signals_scoped));
    }
    special
}

/// The answers for a program that runs as its caller's user: it may signal only itself.
fn same_user_answers(single_process: bool, signals_scoped: bool) -> Vec<(libc::c_long, Answer)> {
    let (refused, mut special) = (errno(libc::EPERM), Vec::new());
    #[cfg(target_arch = "x86_64")]
    if single_process {
        special.extend([libc::SYS_fork, libc::SYS_vfork].map(|call| (call, always(refused))));
    }
    if !signals_scoped {
        // Only the main process knows its number beforehand; its children can signal no process,
        // not even themselves.
        special.push((
            libc::SYS_kill,
            one_of(FIRST_ARGUMENT, &[0, OWN_PID], ALLOW, refused),
        ));
        for call in [
            libc::SYS_tgkill,
            libc::SYS_rt_tgsigqueueinfo,
            libc::SYS_rt_sigqueueinfo,
        ] {
            special.push((call, one_of(FIRST_ARGUMENT, &[OWN_PID], ALLOW, refused)));
        }
        special.extend(
            [libc::SYS_tkill, libc::SYS_pidfd_send_signal].map(|call| (call, always(refused))),
        );
    }
    special
}

//! The system calls that programs are refused.
//!
//! Responsible for what depends on arguments, and for a filter that costs little; the lists are in `calls`. Must not know
//! who loads it.
//!
//! Lists of refusals, not of permissions: language runtimes use whatever the kernel offers. Always closed is what no
//! contest program needs and what reaches past namespaces: kernel interfaces with a history of holes, keyrings and
//! locks that outlive a run, and every way to make a namespace. Without namespaces, everything is closed that reaches
//! other processes or files and that Landlock does not see. See seccomp(2) and the kernel's `seccomp_filter.rst`.

use libc::sock_filter;

use crate::kernel;
use crate::zygote::filter::calls::{DONE, FORBIDDEN, FORBIDDEN_OUTSIDE, FORBIDDEN_TO_SAME_USER, MISSING};

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
const THIRD_ARGUMENT: u32 = 32;
const SIXTH_ARGUMENT: u32 = 56;

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

/// The walls between a program and everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::zygote) enum ProgramWalls {
    /// Namespaces of its own.
    Namespaces,
    /// A user of its own, in everybody's namespaces.
    OwnUser,
    /// Nothing: it is the caller's user in everybody's namespaces. `signals_scoped` is true if Landlock keeps
    /// signals inside.
    SameUser { signals_scoped: bool },
}

/// Calls that are allowed on oneself only, which the number 0 stands for: even with a pid namespace, there may be an
/// init of the same user whose limits could be taken away.
const ONESELF_BY_ZERO: &[libc::c_long] =
    &[libc::SYS_prlimit64, libc::SYS_sched_setscheduler, libc::SYS_sched_setparam, libc::SYS_sched_setattr];

/// Commands of `fcntl` about locks of processes, which the zygote decides about, as about `flock`.
const LOCKS: &[i32] = &[libc::F_GETLK, libc::F_SETLK, libc::F_SETLKW];
/// The same about locks of open files (`F_OFD_GETLK` and so on), which look as before Linux 3.15: run-times use `flock`.
const LOCKS_OF_DESCRIPTIONS: &[i32] = &[36, 37, 38];
/// Commands of `fcntl` that belong to a file and not to a descriptor, and so tell others something who have the same file
/// open, or tell of them: `F_SETLEASE`, `F_NOTIFY`, `F_SETDELEG`, `F_SET_RW_HINT` and `F_SET_FILE_RW_HINT`. It looks as
/// if the file system did not know them.
const MARKS_ON_FILES: &[i32] = &[libc::F_SETLEASE, libc::F_NOTIFY, 1040, 1036, 1038];
/// Commands of `fcntl` that direct signals at others: `F_SETSIG` and `F_SETOWN_EX` are the numbers.
const SIGNAL_DIRECTIONS: &[i32] = &[libc::F_SETOWN, 10, 15];

/// Flow labels of IPv6, which stay with the network namespace when the run is over: level and name of the option
/// `IPV6_FLOWLABEL_MGR`.
const FLOW_LABELS: (u32, u32) = (libc::IPPROTO_IPV6.cast_unsigned(), 32);

/// Options of `prctl` that look as before the kernel knew them: `PR_SCHED_CORE`, which keeps everybody else from the other
/// half of a processor's core, and `PR_SET_MEMORY_MERGE`, which shares pages with whoever has the same.
const OPTIONS_FOR_OTHERS: &[u32] = &[62, 67];
/// The modes of `fallocate` that the limit of a file's size holds for, or that only make room: none, and `KEEP_SIZE` with
/// `PUNCH_HOLE`. With `KEEP_SIZE` alone, a small file takes as much of the host's disk as there is. It looks as if the
/// file system did not know the others.
const ROOM: &[u32] = &[0, 3];
/// `RWF_NOWAIT` of `preadv2`: it tells what is in the host's cache.
const READ_IF_CACHED: u32 = 8;

/// Execution domains that a program may ask for: none, which only tells the present one, and the usual one.
const DOMAINS: &[u32] = &[0xffff_ffff, 0];

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

/// No new namespaces; no descriptors that processes share which are not threads of each other (see `locks.rs`); and, if
/// so wanted, no new processes, only threads.
fn clone_answer(single_process: bool) -> Answer {
    let new_namespaces = (libc::CLONE_NEWNS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET) as u32;
    let shared = if single_process { u32::MAX } else { libc::CLONE_FILES as u32 };
    vec![
        step(LOAD, FIRST_ARGUMENT),
        jump(ANY_BIT, new_namespaces, 2, 0),
        jump(ANY_BIT, libc::CLONE_THREAD as u32, 2, 0),
        jump(ANY_BIT, shared, 0, 1),
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

/// No marks on files, no signals to others of the same user, and no locks that nobody decides about.
fn fcntl_answer(same_user: bool, locks_are_decided: bool) -> Answer {
    let (refused, unknown) = (errno(libc::EPERM), errno(libc::EINVAL));
    let locks = if locks_are_decided { &[] } else { LOCKS };
    let directions = if same_user { SIGNAL_DIRECTIONS } else { &[] };
    let numbers = |commands: &[&[i32]]| -> Vec<u32> {
        commands.iter().copied().flatten().map(|command| command.cast_unsigned()).collect()
    };
    let mut answer = vec![step(LOAD, SECOND_ARGUMENT)];
    let answers = [
        (numbers(&[MARKS_ON_FILES, LOCKS_OF_DESCRIPTIONS]), unknown),
        (numbers(&[directions]), refused),
        (numbers(&[locks]), errno(libc::ENOLCK)),
    ];
    for (commands, value) in answers.iter().filter(|(commands, _)| !commands.is_empty()) {
        for (index, command) in commands.iter().enumerate() {
            // To the return behind the last comparison, or else to the next comparison or over that return.
            let last = index + 1 == commands.len();
            answer.push(jump(EQUAL, *command, (commands.len() - index - 1) as u8, u8::from(last)));
        }
        answer.push(step(RETURN, *value));
    }
    answer.push(step(RETURN, ALLOW));
    answer
}

/// Reading that may wait. Files that do not support anything else answer so.
fn preadv2_answer() -> Answer {
    vec![
        step(LOAD, SIXTH_ARGUMENT),
        jump(ANY_BIT, READ_IF_CACHED, 0, 1),
        step(RETURN, errno(libc::EOPNOTSUPP)),
        step(RETURN, ALLOW),
    ]
}

/// Every option but those of flow labels.
fn setsockopt_answer() -> Answer {
    let (level, name) = FLOW_LABELS;
    vec![
        step(LOAD, SECOND_ARGUMENT),
        jump(EQUAL, level, 0, 3),
        step(LOAD, THIRD_ARGUMENT),
        jump(EQUAL, name, 0, 1),
        step(RETURN, errno(libc::ENOPROTOOPT)),
        step(RETURN, ALLOW),
    ]
}

/// The answers that depend on arguments.
fn special(walls: ProgramWalls, single_process: bool, locks_are_decided: bool) -> Vec<(libc::c_long, Answer)> {
    let (no_family, refused) = (errno(libc::EAFNOSUPPORT), errno(libc::EPERM));
    let same_user = matches!(walls, ProgramWalls::SameUser { .. });
    let mut special = vec![(libc::SYS_clone, clone_answer(single_process && same_user))];
    special.extend(ONESELF_BY_ZERO.iter().map(|call| (*call, one_of(FIRST_ARGUMENT, &[0], ALLOW, refused))));
    // The first argument tells whether the second is a process or thread, of which 0 is the caller.
    for (call, process) in [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)] {
        let mut answer = vec![step(LOAD, FIRST_ARGUMENT), jump(EQUAL, process, 1, 0), step(RETURN, refused)];
        answer.extend(one_of(SECOND_ARGUMENT, &[0], ALLOW, refused));
        special.push((call, answer));
    }
    special.push((libc::SYS_fcntl, fcntl_answer(same_user, locks_are_decided)));
    let lock = if locks_are_decided {
        one_of(THIRD_ARGUMENT, &[kernel::OWN_LOCK], errno(libc::EINVAL), ALLOW)
    } else {
        always(errno(libc::ENOSYS))
    };
    special.push((libc::SYS_flock, lock));
    special.push((libc::SYS_prctl, one_of(FIRST_ARGUMENT, OPTIONS_FOR_OTHERS, errno(libc::EINVAL), ALLOW)));
    special.push((libc::SYS_preadv2, preadv2_answer()));
    special.push((libc::SYS_personality, one_of(FIRST_ARGUMENT, DOMAINS, ALLOW, refused)));
    if walls == ProgramWalls::Namespaces {
        // The families that a network namespace contains.
        let families = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6].map(i32::cast_unsigned);
        special.push((libc::SYS_socket, one_of(FIRST_ARGUMENT, &families, ALLOW, no_family)));
        special.push((libc::SYS_setsockopt, setsockopt_answer()));
        return special;
    }
    special.push((libc::SYS_socket, always(no_family)));
    special.push((libc::SYS_socketpair, socketpair_answer()));
    let controls: Vec<u32> = HARMLESS_CONTROLS.iter().map(|control| *control as u32).collect();
    special.push((libc::SYS_ioctl, one_of(SECOND_ARGUMENT, &controls, ALLOW, errno(libc::ENOTTY))));
    special.push((libc::SYS_fallocate, one_of(SECOND_ARGUMENT, ROOM, ALLOW, errno(libc::EOPNOTSUPP))));
    let ProgramWalls::SameUser { signals_scoped } = walls else { return special };
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

/// A filter that leaves the calls about locks to be decided by whoever loads it, and allows all others. Whoever loads it is
/// bound to it too: the locks that it sets itself are told by a third argument, which programs are refused.
pub(in crate::zygote) fn of_locks() -> Vec<sock_filter> {
    let decided = libc::SECCOMP_RET_USER_NOTIF;
    let mut filter = vec![
        step(LOAD, ARCHITECTURE),
        jump(EQUAL, OURS, 1, 0),
        step(RETURN, ALLOW),
        step(LOAD, NUMBER),
        jump(EQUAL, libc::SYS_flock as u32, 0, 4),
        step(LOAD, THIRD_ARGUMENT),
        jump(EQUAL, kernel::OWN_LOCK, 1, 0),
        step(RETURN, decided),
        step(RETURN, ALLOW),
        jump(EQUAL, libc::SYS_fcntl as u32, 1, 0),
        step(RETURN, ALLOW),
    ];
    let commands: Vec<u32> = LOCKS.iter().map(|command| command.cast_unsigned()).collect();
    filter.extend(one_of(SECOND_ARGUMENT, &commands, decided, ALLOW));
    filter
}

/// The whole filter. `single_process` counts where a program is its caller's user only; `locks_are_decided` tells that
/// [`of_locks`] is loaded too.
pub(in crate::zygote) fn build(walls: ProgramWalls, single_process: bool, locks_are_decided: bool) -> Vec<sock_filter> {
    let mut filter = vec![
        step(LOAD, ARCHITECTURE),
        jump(EQUAL, OURS, 1, 0),
        step(RETURN, KILL),
        step(LOAD, NUMBER),
        jump(AT_LEAST, X32, 0, 1),
        step(RETURN, KILL),
    ];
    let lists: &[&[libc::c_long]] = match walls {
        ProgramWalls::Namespaces => &[FORBIDDEN],
        ProgramWalls::OwnUser => &[FORBIDDEN, FORBIDDEN_OUTSIDE],
        ProgramWalls::SameUser { .. } => &[FORBIDDEN, FORBIDDEN_OUTSIDE, FORBIDDEN_TO_SAME_USER],
    };
    let refused = lists.iter().copied().flatten().map(|number| (*number, errno(libc::EPERM)));
    let missing = MISSING.iter().map(|number| (*number, errno(libc::ENOSYS)));
    let done = DONE.iter().map(|number| (*number, errno(0)));
    let simple = refused.chain(missing).chain(done).map(|(number, answer)| (number as u32, Entry::of(number, answer)));
    let special = special(walls, single_process, locks_are_decided).into_iter();
    let special = special.map(|(number, answer)| (number as u32, Entry::Special(number as u32, answer)));
    let mut entries: Vec<(u32, Entry)> = simple.chain(special).collect();
    entries.sort_unstable_by_key(|(number, _)| *number);
    tree(&merged(entries), &mut filter);
    filter
}

/// The longest filter; a place to copy one to.
pub(in crate::zygote) const LONGEST: usize = 640;

/// A copy of a filter in which the process with this number may signal itself.
pub(in crate::zygote) fn for_process<'a>(
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
pub(in crate::zygote) const NOTHING: sock_filter = step(RETURN, KILL);

/// Numbers of calls, and what is answered to them.
#[derive(Clone, Debug)]
enum Entry {
    /// The same to all from the first to the last.
    Range(u32, u32, u32),
    /// It depends on arguments.
    Special(u32, Answer),
}

impl Entry {
    fn of(number: libc::c_long, answer: u32) -> Self {
        Self::Range(number as u32, number as u32, answer)
    }

    fn first(&self) -> u32 {
        match self {
            Self::Range(first, ..) | Self::Special(first, _) => *first,
        }
    }
}

/// The entries, sorted, with one for neighbours that get the same answer.
fn merged(entries: Vec<(u32, Entry)>) -> Vec<Entry> {
    let mut merged: Vec<Entry> = Vec::new();
    for (number, entry) in entries {
        if let (Some(Entry::Range(_, last, answer)), Entry::Range(_, _, same)) = (merged.last_mut(), &entry)
            && *last + 1 == number
            && answer == same
        {
            *last = number;
        } else {
            merged.push(entry);
        }
    }
    merged
}

/// The entries of a leaf of the tree, at most. The deeper the tree, the longer the filter; the larger the leaves, the more
/// instructions a call takes.
const LEAF: usize = 4;

/// A search tree over the numbers. The kernel translates the filter whenever it is loaded, and runs it once per call
/// number (it keeps a bitmap of calls that are always allowed), so that both length and depth count.
fn tree(entries: &[Entry], filter: &mut Vec<sock_filter>) {
    if entries.len() <= LEAF {
        leaf(entries, filter);
        return;
    }
    let (low, high) = entries.split_at(entries.len() / 2);
    // Conditional jumps reach no further than 255 instructions, unconditional ones anywhere.
    filter.push(jump(AT_LEAST, high[0].first(), 0, 1));
    let at = filter.len();
    filter.push(step(JUMP, 0));
    tree(low, filter);
    filter[at].k = (filter.len() - at - 1) as u32;
    tree(high, filter);
}

/// Some comparisons, and behind them the returns that they share.
fn leaf(entries: &[Entry], filter: &mut Vec<sock_filter>) {
    let mut returns = vec![ALLOW];
    // The places of jumps to a return, each with its index.
    let mut jumps = Vec::new();
    for entry in entries {
        match entry {
            Entry::Special(number, answer) => {
                filter.push(jump(EQUAL, *number, 0, answer.len() as u8));
                filter.extend_from_slice(answer);
            }
            Entry::Range(first, last, answer) => {
                let index = returns.iter().position(|known| known == answer).unwrap_or(returns.len());
                if index == returns.len() {
                    returns.push(*answer);
                }
                if first == last {
                    jumps.push((filter.len(), index, true));
                    filter.push(jump(EQUAL, *first, 0, 0));
                } else {
                    filter.push(jump(AT_LEAST, *first, 0, 1));
                    jumps.push((filter.len(), index, false));
                    filter.push(jump(AT_LEAST, *last + 1, 0, 0));
                }
            }
        }
    }
    let end = filter.len();
    for (at, index, when) in jumps {
        let distance = (end + index - at - 1) as u8;
        if when {
            filter[at].jt = distance;
        } else {
            filter[at].jf = distance;
        }
    }
    filter.extend(returns.into_iter().map(|answer| step(RETURN, answer)));
}

#[cfg(test)]
#[path = "program_tests.rs"]
mod tests;

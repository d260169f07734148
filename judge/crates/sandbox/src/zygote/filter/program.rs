//! The system calls that programs are refused.
//!
//! Responsible for the complete filter. The lists of calls are in `calls`, and the answers that
//! depend on arguments in `arguments`. Must not know which process loads it.
//!
//! The lists name the refused calls, because language runtimes use everything that the kernel
//! offers. They are complete nevertheless: calls from `FIRST_UNDECIDED` on look missing, so nothing
//! becomes possible with a newer kernel. Calls that stand for many (`ioctl`, `prctl`, socket
//! options) are permitted by name. Everything is refused that no contest program needs and that
//! reaches past namespaces: kernel interfaces with a history of holes, objects that are charged to
//! the host instead of the run or that outlive it, and every way to make a namespace. Without
//! namespaces, everything is refused that reaches other processes or files and that Landlock does
//! not see. See seccomp(2) and the kernel's `seccomp_filter.rst`.

use libc::sock_filter;

use crate::kernel;
use crate::zygote::filter::arguments::{FilterConfinement, FilterSpec, LOCKS, OWN_PID, special};
use crate::zygote::filter::calls::{
    DONE, FIRST_UNDECIDED, FORBIDDEN, FORBIDDEN_IN_SHARED_NAMESPACES, FORBIDDEN_TO_SAME_USER,
    HOLDING_PIPES, MISSING, NAMING_SOCKETS, PASSING_DESCRIPTORS,
};
use crate::zygote::filter::instructions::{
    ALLOW, ARCHITECTURE, AT_LEAST, EQUAL, KILL, LOAD, NUMBER, OURS, RETURN, SECOND_ARGUMENT,
    THIRD_ARGUMENT, X32, errno, jump, one_of, step,
};
use crate::zygote::filter::tree::{Entry, merged, tree};

/// A filter that leaves calls about locks to the process that loads it, and allows all others. It
/// binds that process too: the locks that the process sets itself are marked by a third argument,
/// which programs are refused.
pub(crate) fn lock_filter() -> Vec<sock_filter> {
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
    let commands: Vec<u32> = LOCKS
        .iter()
        .map(|command| command.cast_unsigned())
        .collect();
    filter.extend(one_of(SECOND_ARGUMENT, &commands, decided, ALLOW));
    filter
}

/// The whole filter.
pub(crate) fn build(spec: FilterSpec) -> Vec<sock_filter> {
    let mut filter = vec![
        step(LOAD, ARCHITECTURE),
        // Numbers mean other calls in another architecture (such as `int 0x80` on x86-64), so such
        // a call kills the process before any number is compared.
        jump(EQUAL, OURS, 1, 0),
        step(RETURN, KILL),
        step(LOAD, NUMBER),
        // x32 calls report the same architecture and have this bit in their number (seccomp(2),
        // NOTES).
        jump(AT_LEAST, X32, 0, 1),
        step(RETURN, KILL),
    ];
    let lists: &[&[libc::c_long]] = match spec.confinement {
        FilterConfinement::Namespaces => &[FORBIDDEN],
        FilterConfinement::OwnUser => &[FORBIDDEN, FORBIDDEN_IN_SHARED_NAMESPACES],
        FilterConfinement::SameUser { .. } => &[
            FORBIDDEN,
            FORBIDDEN_IN_SHARED_NAMESPACES,
            FORBIDDEN_TO_SAME_USER,
        ],
    };
    let sockets: &[&[libc::c_long]] = match spec.confinement {
        _ if !spec.local_sockets => &[NAMING_SOCKETS, PASSING_DESCRIPTORS],
        FilterConfinement::Namespaces => &[],
        _ => &[NAMING_SOCKETS],
    };
    let refused = lists
        .iter()
        .chain(sockets)
        .copied()
        .flatten()
        .map(|number| (*number, errno(libc::EPERM)));
    let missing = MISSING.iter().map(|number| (*number, errno(libc::ENOSYS)));
    let done = DONE.iter().map(|number| (*number, errno(0)));
    let unsupported = HOLDING_PIPES
        .iter()
        .map(|number| (*number, errno(libc::EINVAL)));
    let simple = refused
        .chain(missing)
        .chain(done)
        .chain(unsupported)
        .map(|(number, answer)| (number as u32, Entry::single(number, answer)));
    let special = special(spec).into_iter();
    let special =
        special.map(|(number, answer)| (number as u32, Entry::Special(number as u32, answer)));
    let undecided = Entry::Range(FIRST_UNDECIDED, X32 - 1, errno(libc::ENOSYS));
    let mut entries: Vec<(u32, Entry)> = simple
        .chain(special)
        .chain([(FIRST_UNDECIDED, undecided)])
        .collect();
    entries.sort_unstable_by_key(|(number, _)| *number);
    tree(&merged(entries), &mut filter);
    filter
}

/// The largest number of instructions of a filter: the size of the buffer for a copy.
pub(crate) const MAX_FILTER_LENGTH: usize = 640;

/// A copy of a filter in which the process with this number may signal itself.
pub(crate) fn for_process<'a>(
    filter: &[sock_filter],
    pid: u32,
    copy: &'a mut [sock_filter; MAX_FILTER_LENGTH],
) -> &'a [sock_filter] {
    let length = filter.len().min(MAX_FILTER_LENGTH);
    for (to, from) in copy.iter_mut().zip(filter) {
        *to = *from;
        if from.k == OWN_PID {
            to.k = pid;
        }
    }
    &copy[..length]
}

/// The instruction that fills the unused part of a copy.
pub(crate) const KILL_INSTRUCTION: sock_filter = step(RETURN, KILL);

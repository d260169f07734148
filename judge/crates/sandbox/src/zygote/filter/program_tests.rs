//! Tests of the filter's answer to every call, worked out as the kernel does.

use libc::sock_filter;

use super::arguments::{FilterConfinement, FilterSpec, special};
use super::calls::{
    DONE, FIRST_UNDECIDED, FORBIDDEN, FORBIDDEN_IN_SHARED_NAMESPACES, FORBIDDEN_TO_SAME_USER,
    HOLDING_PIPES, MISSING, NAMING_SOCKETS, PASSING_DESCRIPTORS,
};
use super::instructions::{
    ALLOW, ANY_BIT, ARCHITECTURE, AT_LEAST, EQUAL, FIRST_ARGUMENT, FOURTH_ARGUMENT, JUMP, KILL,
    LOAD, MASK, NUMBER, OURS, RETURN, SECOND_ARGUMENT, SIXTH_ARGUMENT, THIRD_ARGUMENT, X32, errno,
};
use super::program::{KILL_INSTRUCTION, MAX_FILTER_LENGTH, for_process, lock_filter};
use crate::kernel;

pub(super) const SCOPED: FilterConfinement = FilterConfinement::SameUser {
    signals_scoped: true,
};
const UNSCOPED: FilterConfinement = FilterConfinement::SameUser {
    signals_scoped: false,
};
/// All confinements.
pub(super) const CONFINEMENTS: [FilterConfinement; 4] = [
    FilterConfinement::Namespaces,
    FilterConfinement::OwnUser,
    SCOPED,
    UNSCOPED,
];
pub(super) const REFUSED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;

pub(super) fn spec(
    confinement: FilterConfinement,
    single_process: bool,
    locks_are_decided: bool,
) -> FilterSpec {
    FilterSpec {
        confinement,
        single_process,
        locks_are_decided,
        local_sockets: false,
    }
}

pub(super) fn build(
    confinement: FilterConfinement,
    single_process: bool,
    locks_are_decided: bool,
) -> Vec<sock_filter> {
    super::program::build(spec(confinement, single_process, locks_are_decided))
}

pub(super) fn answer(
    filter: &[sock_filter],
    architecture: u32,
    call: libc::c_long,
    arguments: [u32; 3],
) -> u32 {
    let (mut at, mut accumulator) = (0, 0);
    loop {
        let sock_filter { code, jt, jf, k } = filter[at];
        at += 1;
        let holds = match code {
            RETURN => return k,
            LOAD => {
                accumulator = match k {
                    NUMBER => call as u32,
                    ARCHITECTURE => architecture,
                    FIRST_ARGUMENT => arguments[0],
                    SECOND_ARGUMENT => arguments[1],
                    THIRD_ARGUMENT | FOURTH_ARGUMENT | SIXTH_ARGUMENT => arguments[2],
                    _ => panic!("no such field: {k}"),
                };
                continue;
            }
            MASK => {
                accumulator &= k;
                continue;
            }
            JUMP => {
                at += k as usize;
                continue;
            }
            EQUAL => accumulator == k,
            AT_LEAST => accumulator >= k,
            ANY_BIT => accumulator & k != 0,
            _ => panic!("no such instruction: {code}"),
        };
        at += usize::from(if holds { jt } else { jf });
    }
}

pub(super) fn ask(filter: &[sock_filter], call: libc::c_long, first: i32, second: i32) -> u32 {
    answer(
        filter,
        OURS,
        call,
        [first.cast_unsigned(), second.cast_unsigned(), 0],
    )
}

#[test]
fn exactly_the_listed_calls_are_refused() {
    for (confinement, longest) in [
        (FilterConfinement::Namespaces, 370),
        (FilterConfinement::OwnUser, 410),
        (SCOPED, 450),
        (UNSCOPED, 480),
    ] {
        let filter = build(confinement, true, true);
        assert!(
            filter.len() <= longest.min(MAX_FILTER_LENGTH),
            "{confinement:?}: {} instructions",
            filter.len()
        );
        let special: Vec<libc::c_long> = special(spec(confinement, true, true))
            .iter()
            .map(|(call, _)| *call)
            .collect();
        let outside = confinement != FilterConfinement::Namespaces;
        let same = outside && confinement != FilterConfinement::OwnUser;
        for call in (0..libc::c_long::from(FIRST_UNDECIDED)).filter(|call| !special.contains(call))
        {
            let forbidden = FORBIDDEN.contains(&call)
                || NAMING_SOCKETS.contains(&call)
                || PASSING_DESCRIPTORS.contains(&call)
                || outside && FORBIDDEN_IN_SHARED_NAMESPACES.contains(&call)
                || same && FORBIDDEN_TO_SAME_USER.contains(&call);
            let expected = match (forbidden, MISSING.contains(&call), DONE.contains(&call)) {
                (true, ..) => REFUSED,
                (_, true, _) => errno(libc::ENOSYS),
                (.., true) => errno(0),
                _ if HOLDING_PIPES.contains(&call) => errno(libc::EINVAL),
                _ => ALLOW,
            };
            assert_eq!(
                ask(&filter, call, 0, 0),
                expected,
                "{confinement:?}, call {call}"
            );
        }
        for call in [FIRST_UNDECIDED, 448, 470, 600, X32 - 1].map(libc::c_long::from) {
            assert_eq!(
                ask(&filter, call, 0, 0),
                errno(libc::ENOSYS),
                "{confinement:?}, call {call}"
            );
        }
    }
}

#[test]
fn each_call_has_one_answer() {
    for confinement in CONFINEMENTS {
        let mut calls: Vec<libc::c_long> = special(spec(confinement, true, true))
            .iter()
            .map(|(call, _)| *call)
            .collect();
        calls.extend(
            [
                FORBIDDEN,
                NAMING_SOCKETS,
                PASSING_DESCRIPTORS,
                FORBIDDEN_IN_SHARED_NAMESPACES,
                FORBIDDEN_TO_SAME_USER,
                MISSING,
                DONE,
                HOLDING_PIPES,
            ]
            .concat(),
        );
        let count = calls.len();
        calls.sort_unstable();
        calls.dedup();
        assert_eq!(calls.len(), count, "{confinement:?}");
    }
}

#[test]
fn calls_of_other_architectures_kill() {
    for confinement in CONFINEMENTS {
        let filter = build(confinement, false, true);
        assert_eq!(answer(&filter, 0x4000_0003, 1, [0; 3]), KILL);
        assert_eq!(ask(&filter, libc::c_long::from(X32 | 1), 0, 0), KILL);
    }
}

#[test]
fn processes_signal_only_themselves_without_landlock_scopes() {
    let general = build(UNSCOPED, false, true);
    let mut copy = [KILL_INSTRUCTION; MAX_FILTER_LENGTH];
    let filter = for_process(&general, 4711, &mut copy);
    assert_eq!(filter.len(), general.len());
    for (call, target, allowed) in [
        (libc::SYS_kill, 4711, true),
        (libc::SYS_kill, 0, true),
        (libc::SYS_kill, -1, false),
        (libc::SYS_kill, 4712, false),
        (libc::SYS_kill, -4711, false),
        (libc::SYS_tgkill, 4711, true),
        (libc::SYS_tgkill, 4712, false),
        (libc::SYS_tkill, 4711, false),
        (libc::SYS_pidfd_send_signal, 3, false),
    ] {
        assert_eq!(
            ask(filter, call, target, 9) == ALLOW,
            allowed,
            "call {call} on {target}"
        );
    }
}

#[test]
fn locks_are_decided_by_the_zygote_or_unavailable() {
    const DECIDED: u32 = libc::SECCOMP_RET_USER_NOTIF;
    let listening = lock_filter();
    assert_eq!(ask(&listening, libc::SYS_flock, 0, 0), DECIDED);
    for command in 0..50 {
        let found = ask(&listening, libc::SYS_fcntl, 3, command);
        assert_eq!(
            found == DECIDED,
            [5, 6, 7].contains(&command),
            "command {command}"
        );
    }
    assert_eq!(ask(&listening, libc::SYS_read, 0, 5), ALLOW);
    let (with, without) = (
        build(FilterConfinement::Namespaces, false, true),
        build(FilterConfinement::Namespaces, false, false),
    );
    assert_eq!(ask(&with, libc::SYS_flock, 0, 2), ALLOW);
    let own =
        |filter: &[sock_filter]| answer(filter, OURS, libc::SYS_flock, [3, 2, kernel::OWN_LOCK]);
    assert_eq!(
        (own(&listening), own(&with)),
        (ALLOW, errno(libc::EINVAL)),
        "only the zygote's own calls"
    );
    assert_eq!(ask(&without, libc::SYS_flock, 0, 2), errno(libc::ENOSYS));
    assert_eq!(ask(&with, libc::SYS_fcntl, 0, libc::F_SETLK), ALLOW);
    assert_eq!(
        ask(&without, libc::SYS_fcntl, 0, libc::F_SETLK),
        errno(libc::ENOLCK)
    );
}

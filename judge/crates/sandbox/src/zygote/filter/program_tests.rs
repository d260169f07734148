//! Tests of the filter's answer to every call, worked out as the kernel does.

use super::*;

const SCOPED: ProgramWalls = ProgramWalls::SameUser { signals_scoped: true };
const UNSCOPED: ProgramWalls = ProgramWalls::SameUser { signals_scoped: false };
const REFUSED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;

fn answer(filter: &[sock_filter], architecture: u32, call: libc::c_long, arguments: [u32; 3]) -> u32 {
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
                    THIRD_ARGUMENT | SIXTH_ARGUMENT => arguments[2],
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

fn ask(filter: &[sock_filter], call: libc::c_long, first: i32, second: i32) -> u32 {
    answer(filter, OURS, call, [first.cast_unsigned(), second.cast_unsigned(), 0])
}

#[test]
fn exactly_the_listed_calls_are_refused() {
    for (walls, longest) in
        [(ProgramWalls::Namespaces, 240), (ProgramWalls::OwnUser, 310), (SCOPED, 350), (UNSCOPED, 375)]
    {
        let filter = build(walls, true, true);
        assert!(filter.len() <= longest.min(LONGEST), "{walls:?}: {} instructions", filter.len());
        let special: Vec<libc::c_long> = special(walls, true, true).iter().map(|(call, _)| *call).collect();
        let outside = walls != ProgramWalls::Namespaces;
        let same = outside && walls != ProgramWalls::OwnUser;
        for call in (0..600).filter(|call| !special.contains(call)) {
            let forbidden = FORBIDDEN.contains(&call)
                || outside && FORBIDDEN_OUTSIDE.contains(&call)
                || same && FORBIDDEN_TO_SAME_USER.contains(&call);
            let expected = match (forbidden, MISSING.contains(&call), DONE.contains(&call)) {
                (true, ..) => REFUSED,
                (_, true, _) => errno(libc::ENOSYS),
                (.., true) => errno(0),
                _ => ALLOW,
            };
            assert_eq!(ask(&filter, call, 0, 0), expected, "{walls:?}, call {call}");
        }
    }
}

#[test]
fn no_call_has_two_answers() {
    for walls in [ProgramWalls::Namespaces, ProgramWalls::OwnUser, SCOPED, UNSCOPED] {
        let mut calls: Vec<libc::c_long> = special(walls, true, true).iter().map(|(call, _)| *call).collect();
        calls.extend([FORBIDDEN, FORBIDDEN_OUTSIDE, FORBIDDEN_TO_SAME_USER, MISSING, DONE].concat());
        let count = calls.len();
        calls.sort_unstable();
        calls.dedup();
        assert_eq!(calls.len(), count, "{walls:?}");
    }
}

#[test]
fn nobody_is_told_what_is_cached_or_kept_from_a_core() {
    for walls in [ProgramWalls::Namespaces, ProgramWalls::OwnUser, SCOPED] {
        let filter = build(walls, false, true);
        let read = |flags| answer(&filter, OURS, libc::SYS_preadv2, [0, 0, flags]);
        assert_eq!(
            [read(0), read(2), read(8), read(9)],
            [ALLOW, ALLOW, errno(libc::EOPNOTSUPP), errno(libc::EOPNOTSUPP)]
        );
        let option = |option| ask(&filter, libc::SYS_prctl, option, 0);
        assert_eq!([option(15), option(62), option(67)], [ALLOW, errno(libc::EINVAL), errno(libc::EINVAL)]);
    }
}

#[test]
fn no_file_reserves_more_of_the_disk_than_its_size() {
    let reserve = |walls, mode| ask(&build(walls, false, true), libc::SYS_fallocate, 3, mode);
    for walls in [ProgramWalls::OwnUser, SCOPED] {
        assert_eq!([0, 3].map(|mode| reserve(walls, mode)), [ALLOW; 2]);
        assert_eq!([1, 2, 0x10, 0x11, 0x20].map(|mode| reserve(walls, mode)), [errno(libc::EOPNOTSUPP); 5]);
    }
    assert_eq!(reserve(ProgramWalls::Namespaces, 1), ALLOW, "on a file system of the run's own, which has a size");
}

#[test]
fn other_architectures_are_killed() {
    for walls in [ProgramWalls::Namespaces, ProgramWalls::OwnUser, SCOPED] {
        let filter = build(walls, false, true);
        assert_eq!(answer(&filter, 0x4000_0003, 1, [0; 3]), KILL);
        assert_eq!(ask(&filter, libc::c_long::from(X32 | 1), 0, 0), KILL);
    }
}

#[test]
fn threads_start_everywhere_and_namespaces_nowhere() {
    let thread = libc::CLONE_VM | libc::CLONE_THREAD;
    for (walls, single, processes) in [
        (ProgramWalls::Namespaces, true, true),
        (ProgramWalls::OwnUser, true, true),
        (SCOPED, true, false),
        (SCOPED, false, true),
    ] {
        let filter = build(walls, single, true);
        let clone = |flags| ask(&filter, libc::SYS_clone, flags, 0);
        assert_eq!(clone(thread), ALLOW);
        assert_eq!(clone(libc::SIGCHLD) == ALLOW, processes, "{walls:?}");
        assert_eq!(clone(libc::CLONE_NEWUSER | libc::SIGCHLD), REFUSED);
        assert_eq!(clone(thread | libc::CLONE_NEWNS), REFUSED);
        assert_eq!(clone(thread | libc::CLONE_FILES), ALLOW);
        assert_eq!(clone(libc::CLONE_FILES | libc::CLONE_VM), REFUSED, "a process with the descriptors of another one");
        #[cfg(target_arch = "x86_64")]
        for call in [libc::SYS_fork, libc::SYS_vfork] {
            assert_eq!(ask(&filter, call, 0, 0) == ALLOW, processes, "{walls:?}");
        }
    }
}

#[test]
fn sockets_lead_nowhere() {
    let filter = build(ProgramWalls::Namespaces, false, true);
    for (family, allowed) in [(1, true), (2, true), (10, true), (16, false), (17, false), (38, false), (40, false)] {
        assert_eq!(ask(&filter, libc::SYS_socket, family, 1) == ALLOW, allowed, "family {family}");
    }
    for walls in [ProgramWalls::OwnUser, SCOPED] {
        let filter = build(walls, false, true);
        for family in [1, 2, 10, 16, 17, 38, 40] {
            assert_eq!(ask(&filter, libc::SYS_socket, family, 1), errno(libc::EAFNOSUPPORT));
        }
        for (family, kind, allowed) in [
            (1, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, true),
            (1, libc::SOCK_SEQPACKET | libc::SOCK_NONBLOCK, true),
            (1, libc::SOCK_DGRAM, false),
            (1, libc::SOCK_RAW, false),
            (30, libc::SOCK_STREAM, false),
        ] {
            let found = ask(&filter, libc::SYS_socketpair, family, kind) == ALLOW;
            assert_eq!(found, allowed, "family {family}, kind {kind}");
        }
    }
}

#[test]
fn other_processes_are_out_of_reach_even_of_the_same_user() {
    for walls in [ProgramWalls::Namespaces, ProgramWalls::OwnUser, SCOPED] {
        let filter = build(walls, false, true);
        for call in ONESELF_BY_ZERO {
            assert_eq!((ask(&filter, *call, 0, 0), ask(&filter, *call, 1, 0)), (ALLOW, REFUSED), "call {call}");
        }
        for (call, process) in [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)] {
            assert_eq!(ask(&filter, call, process, 0), ALLOW);
            assert_eq!(ask(&filter, call, process, 1), REFUSED);
            assert_eq!(ask(&filter, call, 2, 0), REFUSED, "all of a group or a user");
        }
        let fcntl = |command| ask(&filter, libc::SYS_fcntl, 0, command) == ALLOW;
        let same = walls == SCOPED;
        assert!(fcntl(libc::F_SETFL) && fcntl(libc::F_SETLK) && fcntl(libc::F_DUPFD_CLOEXEC));
        assert!(![36, 37, 38].into_iter().any(fcntl), "locks of descriptions");
        assert!([libc::F_SETOWN, 10, 15].into_iter().all(|command| fcntl(command) != same));
        for mark in [libc::F_SETLEASE, libc::F_NOTIFY, 1036, 1038, 1040] {
            assert_eq!(ask(&filter, libc::SYS_fcntl, 0, mark), errno(libc::EINVAL), "command {mark}");
        }
        assert_eq!(ask(&filter, libc::SYS_kill, 77, 9), ALLOW, "namespaces, users or Landlock decide");
    }
}

#[test]
fn without_landlock_for_signals_a_process_signals_itself_only() {
    let general = build(UNSCOPED, false, true);
    let mut copy = [NOTHING; LONGEST];
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
        assert_eq!(ask(filter, call, target, 9) == ALLOW, allowed, "call {call} on {target}");
    }
}

#[test]
fn only_harmless_controls_are_let_through() {
    let filter = build(ProgramWalls::OwnUser, false, true);
    let control = |control: libc::Ioctl| ask(&filter, libc::SYS_ioctl, 0, control as i32);
    assert_eq!((control(libc::FIONREAD), control(libc::TCGETS)), (ALLOW, ALLOW));
    for refused in [libc::TIOCSTI, libc::FS_IOC_SETFLAGS] {
        assert_eq!(control(refused), errno(libc::ENOTTY));
    }
}

#[test]
fn flow_labels_are_the_only_option_that_is_unknown() {
    let filter = build(ProgramWalls::Namespaces, false, true);
    let option = |level: i32, name: i32| {
        answer(&filter, OURS, libc::SYS_setsockopt, [0, level.cast_unsigned(), name.cast_unsigned()])
    };
    assert_eq!(option(libc::IPPROTO_IPV6, 32), errno(libc::ENOPROTOOPT));
    for (level, name) in [(libc::IPPROTO_IPV6, libc::IPV6_V6ONLY), (libc::SOL_SOCKET, 32), (libc::IPPROTO_TCP, 1)] {
        assert_eq!(option(level, name), ALLOW, "option {name} of level {level}");
    }
}

#[test]
fn the_execution_domain_can_be_asked_for_and_not_changed() {
    let filter = build(ProgramWalls::Namespaces, false, true);
    assert_eq!(ask(&filter, libc::SYS_personality, -1, 0), ALLOW);
    assert_eq!(ask(&filter, libc::SYS_personality, 0, 0), ALLOW);
    assert_eq!(ask(&filter, libc::SYS_personality, libc::ADDR_NO_RANDOMIZE, 0), REFUSED);
}

#[test]
fn locks_are_decided_by_the_zygote_or_not_to_be_had() {
    const DECIDED: u32 = libc::SECCOMP_RET_USER_NOTIF;
    let listening = of_locks();
    assert_eq!(ask(&listening, libc::SYS_flock, 0, 0), DECIDED);
    for command in 0..50 {
        let found = ask(&listening, libc::SYS_fcntl, 3, command);
        assert_eq!(found == DECIDED, [5, 6, 7].contains(&command), "command {command}");
    }
    assert_eq!(ask(&listening, libc::SYS_read, 0, 5), ALLOW);
    let (with, without) = (build(ProgramWalls::Namespaces, false, true), build(ProgramWalls::Namespaces, false, false));
    assert_eq!(ask(&with, libc::SYS_flock, 0, 2), ALLOW);
    let own = |filter: &[sock_filter]| answer(filter, OURS, libc::SYS_flock, [3, 2, kernel::OWN_LOCK]);
    assert_eq!((own(&listening), own(&with)), (ALLOW, errno(libc::EINVAL)), "the zygote's own, and nobody else's");
    assert_eq!(ask(&without, libc::SYS_flock, 0, 2), errno(libc::ENOSYS));
    assert_eq!(ask(&with, libc::SYS_fcntl, 0, libc::F_SETLK), ALLOW);
    assert_eq!(ask(&without, libc::SYS_fcntl, 0, libc::F_SETLK), errno(libc::ENOLCK));
}

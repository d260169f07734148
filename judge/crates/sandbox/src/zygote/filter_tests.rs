//! What the filter says to every call, worked out as the kernel does.

use super::*;

const SCOPED: Walls = Walls::SameUser { signals_scoped: true };
const UNSCOPED: Walls = Walls::SameUser { signals_scoped: false };
const REFUSED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;

fn answer(filter: &[sock_filter], architecture: u32, call: libc::c_long, arguments: [u32; 2]) -> u32 {
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
    answer(filter, OURS, call, [first.cast_unsigned(), second.cast_unsigned()])
}

#[test]
fn exactly_the_listed_calls_are_refused() {
    for (walls, longest) in [(Walls::Namespaces, 300), (Walls::OwnUser, 380), (SCOPED, 450), (UNSCOPED, 500)] {
        let filter = build(walls, true);
        assert!(filter.len() <= longest.min(LONGEST), "{walls:?}: {} instructions", filter.len());
        let special: Vec<libc::c_long> = special(walls, true).iter().map(|(call, _)| *call).collect();
        let outside = walls != Walls::Namespaces;
        let same = outside && walls != Walls::OwnUser;
        for call in (0..600).filter(|call| !special.contains(call)) {
            let forbidden = FORBIDDEN.contains(&call)
                || outside && FORBIDDEN_OUTSIDE.contains(&call)
                || same && FORBIDDEN_TO_SAME_USER.contains(&call);
            let expected = match (forbidden, MISSING.contains(&call)) {
                (true, _) => REFUSED,
                (_, true) => errno(libc::ENOSYS),
                _ => ALLOW,
            };
            assert_eq!(ask(&filter, call, 0, 0), expected, "{walls:?}, call {call}");
        }
    }
}

#[test]
fn no_call_has_two_answers() {
    for walls in [Walls::Namespaces, Walls::OwnUser, SCOPED, UNSCOPED] {
        let mut calls: Vec<libc::c_long> = special(walls, true).iter().map(|(call, _)| *call).collect();
        calls.extend([FORBIDDEN, FORBIDDEN_OUTSIDE, FORBIDDEN_TO_SAME_USER, MISSING].concat());
        let count = calls.len();
        calls.sort_unstable();
        calls.dedup();
        assert_eq!(calls.len(), count, "{walls:?}");
    }
}

#[test]
fn other_architectures_are_killed() {
    for walls in [Walls::Namespaces, Walls::OwnUser, SCOPED] {
        let filter = build(walls, false);
        assert_eq!(answer(&filter, 0x4000_0003, 1, [0; 2]), KILL);
        assert_eq!(ask(&filter, libc::c_long::from(X32 | 1), 0, 0), KILL);
    }
}

#[test]
fn threads_start_everywhere_and_namespaces_nowhere() {
    let thread = libc::CLONE_VM | libc::CLONE_THREAD;
    for (walls, single, processes) in
        [(Walls::Namespaces, true, true), (Walls::OwnUser, true, true), (SCOPED, true, false), (SCOPED, false, true)]
    {
        let filter = build(walls, single);
        let clone = |flags| ask(&filter, libc::SYS_clone, flags, 0);
        assert_eq!(clone(thread), ALLOW);
        assert_eq!(clone(libc::SIGCHLD) == ALLOW, processes, "{walls:?}");
        assert_eq!(clone(libc::CLONE_NEWUSER | libc::SIGCHLD), REFUSED);
        assert_eq!(clone(thread | libc::CLONE_NEWNS), REFUSED);
        #[cfg(target_arch = "x86_64")]
        for call in [libc::SYS_fork, libc::SYS_vfork] {
            assert_eq!(ask(&filter, call, 0, 0) == ALLOW, processes, "{walls:?}");
        }
    }
}

#[test]
fn sockets_lead_nowhere() {
    let filter = build(Walls::Namespaces, false);
    for (family, allowed) in [(1, true), (2, true), (10, true), (16, false), (17, false), (38, false), (40, false)] {
        assert_eq!(ask(&filter, libc::SYS_socket, family, 1) == ALLOW, allowed, "family {family}");
    }
    for walls in [Walls::OwnUser, SCOPED] {
        let filter = build(walls, false);
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
    for walls in [Walls::Namespaces, Walls::OwnUser, SCOPED] {
        let filter = build(walls, false);
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
        assert!(!fcntl(libc::F_GETLK) && !fcntl(36), "locks of others");
        assert!([libc::F_SETOWN, 10, 15, libc::F_SETLEASE].into_iter().all(|command| fcntl(command) != same));
        assert_eq!(ask(&filter, libc::SYS_kill, 77, 9), ALLOW, "namespaces, users or Landlock decide");
    }
}

#[test]
fn without_landlock_for_signals_a_process_signals_itself_only() {
    let general = build(UNSCOPED, false);
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
    let filter = build(Walls::OwnUser, false);
    let control = |control: libc::Ioctl| ask(&filter, libc::SYS_ioctl, 0, control as i32);
    assert_eq!((control(libc::FIONREAD), control(libc::TCGETS)), (ALLOW, ALLOW));
    for refused in [libc::TIOCSTI, libc::FS_IOC_SETFLAGS] {
        assert_eq!(control(refused), errno(libc::ENOTTY));
    }
}

//! Tests of the answers that depend on arguments, as the kernel works them out.

use super::arguments::{FilterConfinement, FilterSpec, ONESELF_BY_ZERO};
use super::instructions::{ALLOW, OURS, errno};
use super::program_tests::{CONFINEMENTS, REFUSED, SCOPED, answer, ask, build, spec};

#[test]
fn the_cache_of_the_host_cannot_be_queried() {
    for confinement in CONFINEMENTS {
        let filter = build(confinement, false, true);
        let read = |flags| answer(&filter, OURS, libc::SYS_preadv2, [0, 0, flags]);
        assert_eq!(
            [read(0), read(2), read(8), read(9)],
            [
                ALLOW,
                ALLOW,
                errno(libc::EOPNOTSUPP),
                errno(libc::EOPNOTSUPP)
            ]
        );
    }
}

#[test]
fn files_cannot_reserve_more_than_their_size() {
    let reserve = |confinement, mode| {
        ask(
            &build(confinement, false, true),
            libc::SYS_fallocate,
            3,
            mode,
        )
    };
    for confinement in [FilterConfinement::OwnUser, SCOPED] {
        assert_eq!([0, 3].map(|mode| reserve(confinement, mode)), [ALLOW; 2]);
        assert_eq!(
            [1, 2, 0x10, 0x11, 0x20].map(|mode| reserve(confinement, mode)),
            [errno(libc::EOPNOTSUPP); 5]
        );
    }
    assert_eq!(
        reserve(FilterConfinement::Namespaces, 1),
        ALLOW,
        "on a file system of the run's own, which has a size"
    );
}

#[test]
fn threads_are_allowed_and_namespaces_refused() {
    let thread = libc::CLONE_VM | libc::CLONE_THREAD;
    for (confinement, single, processes) in [
        (FilterConfinement::Namespaces, true, true),
        (FilterConfinement::OwnUser, true, true),
        (SCOPED, true, false),
        (SCOPED, false, true),
    ] {
        let filter = build(confinement, single, true);
        let clone = |flags| ask(&filter, libc::SYS_clone, flags, 0);
        assert_eq!(clone(thread), ALLOW);
        assert_eq!(clone(libc::SIGCHLD) == ALLOW, processes, "{confinement:?}");
        assert_eq!(
            clone(0) == ALLOW,
            processes,
            "{confinement:?}: a child whose end sends no signal"
        );
        assert_eq!(clone(libc::CLONE_NEWUSER | libc::SIGCHLD), REFUSED);
        assert_eq!(clone(thread | libc::CLONE_NEWNS), REFUSED);
        assert_eq!(
            [libc::SIGCHLD, thread].map(|flags| clone(libc::CLONE_PIDFD | flags)),
            [REFUSED; 2]
        );
        assert_eq!(clone(thread | libc::CLONE_FILES), ALLOW);
        assert_eq!(clone(thread | libc::CLONE_VFORK), REFUSED);
        assert_eq!(
            clone(libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD) == ALLOW,
            processes,
            "{confinement:?}"
        );
        assert_eq!(
            clone(libc::CLONE_FILES | libc::CLONE_VM),
            REFUSED,
            "a process with the descriptors of another one"
        );
        #[cfg(target_arch = "x86_64")]
        for call in [libc::SYS_fork, libc::SYS_vfork] {
            assert_eq!(
                ask(&filter, call, 0, 0) == ALLOW,
                processes,
                "{confinement:?}"
            );
        }
    }
}

#[test]
fn only_connected_socket_pairs_are_allowed() {
    for confinement in CONFINEMENTS {
        let filter = build(confinement, false, true);
        for family in [1, 2, 10, 16, 17, 38, 40] {
            assert_eq!(
                ask(&filter, libc::SYS_socket, family, 1),
                errno(libc::EAFNOSUPPORT)
            );
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
        for call in [
            libc::SYS_bind,
            libc::SYS_connect,
            libc::SYS_listen,
            libc::SYS_accept,
            libc::SYS_accept4,
        ] {
            assert_eq!(ask(&filter, call, 3, 0), REFUSED, "call {call}");
        }
        let send = |flags| answer(&filter, OURS, libc::SYS_sendto, [3, 0, flags]);
        assert_eq!(
            [send(0x4000), send(0x4001)],
            [ALLOW, errno(libc::EOPNOTSUPP)],
            "MSG_NOSIGNAL, and MSG_OOB with it"
        );
    }
}

#[test]
fn local_sockets_need_permission() {
    for confinement in CONFINEMENTS {
        for local_sockets in [false, true] {
            let filter = super::program::build(FilterSpec {
                local_sockets,
                ..spec(confinement, false, true)
            });
            let found = |call| ask(&filter, call, 3, 0) == ALLOW;
            assert_eq!(
                [libc::SYS_sendmsg, libc::SYS_sendmmsg].map(found),
                [local_sockets; 2],
                "{confinement:?}"
            );
            let named = local_sockets && confinement == FilterConfinement::Namespaces;
            assert_eq!(
                [libc::SYS_bind, libc::SYS_connect, libc::SYS_accept].map(found),
                [named; 3],
                "{confinement:?}"
            );
            let family =
                |family| ask(&filter, libc::SYS_socket, family, libc::SOCK_STREAM) == ALLOW;
            assert_eq!(
                [1, 2, 10, 16].map(family),
                [named, false, false, false],
                "{confinement:?}"
            );
            assert!(
                found(libc::SYS_recvmsg),
                "warm programs receive their streams this way"
            );
        }
    }
}

#[test]
fn programs_cannot_load_filters() {
    for confinement in CONFINEMENTS {
        let filter = build(confinement, false, true);
        assert_eq!(ask(&filter, libc::SYS_seccomp, 1, 0), errno(libc::ENOSYS));
        assert_eq!(ask(&filter, libc::SYS_bpf, 5, 0), REFUSED);
        let prctl = |option: i32| ask(&filter, libc::SYS_prctl, option, 2);
        assert_eq!(prctl(libc::PR_SET_SECCOMP), errno(libc::EINVAL));
        for known in [
            libc::PR_SET_NAME,
            libc::PR_GET_SECCOMP,
            libc::PR_SET_NO_NEW_PRIVS,
            libc::PR_CAP_AMBIENT,
        ] {
            assert_eq!(prctl(known), ALLOW, "option {known}");
        }
        for undecided in [libc::PR_SCHED_CORE, 67, 78, libc::PR_SET_VMA] {
            assert_eq!(prctl(undecided), errno(libc::EINVAL), "option {undecided}");
        }
        let option = |call, level: i32, name: i32| {
            answer(
                &filter,
                OURS,
                call,
                [3, level.cast_unsigned(), name.cast_unsigned()],
            )
        };
        for name in [
            libc::SO_ATTACH_FILTER,
            libc::SO_ATTACH_BPF,
            libc::SO_ATTACH_REUSEPORT_CBPF,
            52,
            libc::SO_PASSCRED,
        ] {
            assert_eq!(
                option(libc::SYS_setsockopt, libc::SOL_SOCKET, name),
                errno(libc::ENOPROTOOPT),
                "option {name}"
            );
        }
        assert_eq!(
            option(libc::SYS_setsockopt, libc::SOL_SOCKET, libc::SO_SNDBUF),
            ALLOW
        );
        assert_eq!(
            option(libc::SYS_setsockopt, libc::IPPROTO_IPV6, libc::SO_SNDBUF),
            errno(libc::ENOPROTOOPT)
        );
        assert_eq!(
            option(libc::SYS_getsockopt, libc::SOL_SOCKET, libc::SO_ERROR),
            ALLOW
        );
        assert_eq!(
            option(libc::SYS_getsockopt, libc::SOL_SOCKET, libc::SO_COOKIE),
            errno(libc::ENOPROTOOPT)
        );
    }
}

#[test]
fn resources_of_the_host_are_refused() {
    for confinement in CONFINEMENTS {
        let filter = build(confinement, false, true);
        let third = |call, value: i32| answer(&filter, OURS, call, [0, 0, value.cast_unsigned()]);
        let map = |flags| {
            third(
                libc::SYS_mmap,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flags,
            )
        };
        assert_eq!(
            [map(0), map(libc::MAP_HUGETLB)],
            [ALLOW, errno(libc::ENOMEM)]
        );
        let file = |flags: u32| ask(&filter, libc::SYS_memfd_create, 0, flags.cast_signed());
        assert_eq!(
            [file(libc::MFD_CLOEXEC), file(libc::MFD_HUGETLB)],
            [ALLOW, errno(libc::EINVAL)]
        );
        assert_eq!(
            ask(&filter, libc::SYS_fcntl, 0, libc::F_SETPIPE_SZ),
            REFUSED
        );
        assert_eq!(ask(&filter, libc::SYS_fcntl, 0, libc::F_GETPIPE_SZ), ALLOW);
        for (advice, expected) in [
            (libc::MADV_DONTNEED, ALLOW),
            (libc::MADV_FREE, ALLOW),
            (libc::MADV_HUGEPAGE, ALLOW),
            (libc::MADV_MERGEABLE, errno(libc::EINVAL)),
            (libc::MADV_PAGEOUT, errno(libc::EINVAL)),
        ] {
            assert_eq!(
                third(libc::SYS_madvise, advice),
                expected,
                "advice {advice}"
            );
        }
        assert_eq!(
            [
                third(libc::SYS_msync, libc::MS_ASYNC),
                third(libc::SYS_msync, libc::MS_SYNC)
            ],
            [ALLOW, errno(0)]
        );
        for call in [
            libc::SYS_mbind,
            libc::SYS_set_mempolicy,
            libc::SYS_get_mempolicy,
            libc::SYS_move_pages,
        ] {
            assert_eq!(ask(&filter, call, 0, 0), errno(libc::ENOSYS), "call {call}");
        }
        for call in [
            libc::SYS_mq_open,
            libc::SYS_mq_unlink,
            libc::SYS_mq_getsetattr,
        ] {
            assert_eq!(ask(&filter, call, 0, 0), REFUSED, "call {call}");
        }
    }
}

#[test]
fn other_processes_of_the_same_user_are_unreachable() {
    for confinement in [
        FilterConfinement::Namespaces,
        FilterConfinement::OwnUser,
        SCOPED,
    ] {
        let filter = build(confinement, false, true);
        for call in ONESELF_BY_ZERO {
            assert_eq!(
                (ask(&filter, *call, 0, 0), ask(&filter, *call, 1, 0)),
                (ALLOW, REFUSED),
                "call {call}"
            );
        }
        let policy = |pid, policy| ask(&filter, libc::SYS_sched_setscheduler, pid, policy);
        assert_eq!(
            [policy(0, libc::SCHED_BATCH), policy(0, libc::SCHED_OTHER)],
            [ALLOW; 2]
        );
        assert_eq!(
            [policy(7, libc::SCHED_OTHER), policy(7, libc::SCHED_BATCH)],
            [errno(0), REFUSED],
            "the call does nothing"
        );
        for (call, process) in [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)] {
            assert_eq!(ask(&filter, call, process, 0), ALLOW);
            assert_eq!(ask(&filter, call, process, 1), REFUSED);
            assert_eq!(
                ask(&filter, call, 2, 0),
                REFUSED,
                "all of a group or a user"
            );
        }
        let fcntl = |command| ask(&filter, libc::SYS_fcntl, 0, command) == ALLOW;
        let same = confinement == SCOPED;
        assert!(fcntl(libc::F_SETFL) && fcntl(libc::F_SETLK) && fcntl(libc::F_DUPFD_CLOEXEC));
        assert!(
            ![36, 37, 38].into_iter().any(fcntl),
            "locks of descriptions"
        );
        assert!(
            [libc::F_SETOWN, 10, 15]
                .into_iter()
                .all(|command| fcntl(command) != same)
        );
        for mark in [libc::F_SETLEASE, libc::F_NOTIFY, 1036, 1038, 1040] {
            assert_eq!(
                ask(&filter, libc::SYS_fcntl, 0, mark),
                errno(libc::EINVAL),
                "command {mark}"
            );
        }
        assert_eq!(
            ask(&filter, libc::SYS_kill, 77, 9),
            ALLOW,
            "namespaces, users or Landlock decide"
        );
    }
}

#[test]
fn only_harmless_ioctls_are_allowed() {
    let filter = build(FilterConfinement::Namespaces, false, true);
    let control = |control: libc::Ioctl| ask(&filter, libc::SYS_ioctl, 0, control as i32);
    assert_eq!(
        (control(libc::FIONREAD), control(libc::TCGETS)),
        (ALLOW, ALLOW)
    );
    for refused in [
        libc::TIOCSTI,
        libc::FS_IOC_SETFLAGS,
        0x8940, /* SIOCGIFBR */
    ] {
        assert_eq!(control(refused), errno(libc::ENOTTY));
    }
}

#[test]
fn execution_domains_can_be_queried_but_not_changed() {
    let filter = build(FilterConfinement::Namespaces, false, true);
    assert_eq!(ask(&filter, libc::SYS_personality, -1, 0), ALLOW);
    assert_eq!(ask(&filter, libc::SYS_personality, 0, 0), ALLOW);
    assert_eq!(
        ask(&filter, libc::SYS_personality, libc::ADDR_NO_RANDOMIZE, 0),
        REFUSED
    );
}

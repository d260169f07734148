//! The walls around programs: what they cannot see and cannot do.

use judge_model::Termination;
use judge_sandbox::Input;

use crate::bench::{Bench, Case};

pub(crate) const CASES: &[(&str, Case)] = &[
    ("host_files_are_invisible", host_files),
    ("the_root_holds_only_expected_entries", root),
    ("the_system_is_read_only", read_only),
    ("there_is_no_network", network),
    ("there_are_no_privileges", privileges),
    ("there_is_no_way_out", escape),
    ("other_architectures_are_refused", architectures),
    ("programs_can_open_no_counter", counters),
    ("proc_shows_only_the_run", proc),
    ("proc_is_mounted_only_on_request", no_proc),
    ("standard_input_cannot_be_spoiled", spoil),
    ("etc_shows_no_host_accounts", etc),
    ("own_files_can_be_locked", locks),
    ("a_crowd_gets_the_lowest_priority", crowd),
];

/// The cases that container engines make difficult, see `container.c`.
pub(crate) const IN_CONTAINERS: [&str; 3] = [
    "own_files_can_be_locked",
    "a_crowd_gets_the_lowest_priority",
    "talk_two_that_wait_are_ended",
];

fn host_files(bench: &mut Bench) {
    let depot = bench.depot.display().to_string();
    let home = "/root";
    let text = bench
        .run(&[
            "see",
            "/etc/shadow",
            home,
            "/home",
            &depot,
            "/sys",
            "/run",
            "/var/log",
            "/boot",
            "/etc/machine-id",
        ])
        .exited()
        .stdout;
    for line in text.lines() {
        assert!(line.ends_with(" ENOENT"), "{line}");
    }
    let text = bench
        .run(&["see", "/.slot/0", "/.slot/proc"])
        .exited()
        .stdout;
    for line in text.lines() {
        assert!(
            line.ends_with(" ENOENT") || line.ends_with(" EACCES"),
            "{line}"
        );
    }
    assert_eq!(bench.run(&["list", "/.slot"]).stdout, "");
}

fn root(bench: &mut Bench) {
    let text = bench.run(&["list", "/"]).exited().stdout;
    for name in text.lines() {
        let known = [
            ".slot", ".empty", "box", "dev", "etc", "judge", "proc", "program", "tmp", "usr",
            "var", "bin", "sbin", "nix", "gnu",
        ];
        assert!(known.contains(&name) || name.starts_with("lib"), "{name}");
    }
    let mut devices: Vec<String> = bench
        .run(&["list", "/dev"])
        .exited()
        .stdout
        .lines()
        .map(str::to_owned)
        .collect();
    devices.sort();
    assert_eq!(
        devices,
        [
            "fd", "full", "null", "random", "shm", "stderr", "stdin", "stdout", "urandom", "zero"
        ]
    );
    assert_eq!(bench.run(&["list", "/program"]).exited().stdout, "probe\n");
    assert_eq!(bench.run(&["list", "/judge"]).exited().stdout, "");
    assert_eq!(bench.run(&["list", "."]).exited().stdout, "");
}

fn read_only(bench: &mut Bench) {
    let places = [
        "/x",
        "/usr/x",
        "/etc/passwd",
        "/program/x",
        "/program/probe",
        "/judge/x",
        "/box/x",
        "/dev/x",
        "/proc/x",
        "/.empty/x",
    ];
    let mut args = vec!["write"];
    args.extend(places);
    let text = bench.run(&args).exited().stdout;
    for line in text.lines() {
        // `/box` itself belongs to the program's own user where there is but one.
        let fine = line.ends_with(" EROFS")
            || line.ends_with(" EACCES")
            || line.ends_with(" ETXTBSY")
            || line.starts_with("/box/x");
        assert!(fine, "{line}");
    }
    assert_eq!(
        bench
            .run(&["write", "x", "/tmp/x", "/var/tmp/y", "/dev/null"])
            .exited()
            .stdout,
        "x ok\n/tmp/x ok\n/var/tmp/y ok\n/dev/null ok\n"
    );
}

fn network(bench: &mut Bench) {
    let expected = "inet EAFNOSUPPORT\ninet datagram EAFNOSUPPORT\ninet6 EAFNOSUPPORT\nlocal EAFNOSUPPORT\n\
        netlink EAFNOSUPPORT\npacket EAFNOSUPPORT\nvsock EAFNOSUPPORT\nalg EAFNOSUPPORT\n\
        datagram pair EAFNOSUPPORT\npair ok\nname EPERM\nconnection EPERM\nmessage EPERM\nbytes ok\n";
    assert_eq!(bench.run(&["network"]).exited().stdout, expected);
}

fn privileges(bench: &mut Bench) {
    let text = bench.run(&["privileges"]).exited().stdout;
    assert!(text.starts_with("root 0 groups "), "{text}");
    assert!(
        text.contains("nnp 1 dumps 2\ncaps 0 0 0\nsetuid E"),
        "{text}"
    );
    assert!(
        text.contains("setresuid E") && text.contains("chown E") && text.contains("nice E"),
        "{text}"
    );
    if rustix::process::geteuid().is_root() {
        assert!(text.starts_with("root 0 groups 0 "), "{text}");
        // A user that no account has.
        let uid: u32 = bench.run(&["uid"]).exited().stdout.trim().parse().unwrap();
        assert!(uid > 10_000, "{uid}");
    }
}

fn escape(bench: &mut Bench) {
    let text = bench.run(&["escape"]).exited().stdout;
    for line in text.lines() {
        let (what, answer) = line.split_once(' ').unwrap();
        let expected = match what {
            "clone3" | "io_uring" => ["ENOSYS", "ENOSYS"],
            // A lock on standard input.
            "flock" => ["EOPNOTSUPP", "EOPNOTSUPP"],
            "killall" => ["ESRCH", "EPERM"],
            // Without a mount namespace the path does not exist.
            "mknod" if bench.level < judge_model::IsolationLevel::Namespaces => {
                ["EACCES", "ENOENT"]
            }
            "mknod" => ["EPERM", "EACCES"],
            _ => ["EPERM", "EPERM"],
        };
        // The only process that it may signal is init, which ignores it (pid_namespaces(7)).
        // Signalling all processes may "succeed" although none may be signalled (kill(2) ignores
        // refusals for single ones): this process is alive.
        let is_vacuous = what == "killall" && bench.level < judge_model::IsolationLevel::Namespaces;
        let ignored = (what == "kill1" || is_vacuous) && answer == "ok";
        assert!(expected.contains(&answer) || ignored, "{line}");
    }
    assert_eq!(text.lines().count(), 17, "{text}");
}

fn architectures(bench: &mut Bench) {
    if cfg!(target_arch = "x86_64") {
        for command in ["i386", "x32"] {
            assert_eq!(
                bench.run(&[command]).termination(),
                Termination::Signaled { signal: 31 },
                "{command}"
            );
        }
    }
}

fn counters(bench: &mut Bench) {
    assert_eq!(
        bench.run(&["counter"]).exited().stdout,
        "hardware EPERM\nsoftware EPERM\nprocessor EPERM\n"
    );
}

fn proc(bench: &mut Bench) {
    let ran = bench
        .run_with(&["proc"], |execution| execution.proc_mounted = true)
        .exited();
    if ran.stdout.starts_with("self ENOENT") {
        println!("SKIPPED: this host provides no /proc at this level");
        return;
    }
    assert!(ran.stdout.starts_with("self ok\n"), "{}", ran.stdout);
    for line in ran.stdout.lines().skip(2) {
        assert!(!line.ends_with(" ok"), "{line}");
    }
    let ran = bench
        .run_with(&["list", "/proc"], |execution| {
            execution.proc_mounted = true;
        })
        .exited();
    let pids: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|name| name.parse::<u32>().is_ok())
        .collect();
    assert!(pids == ["2"] || pids == ["1", "2"], "{pids:?}");
}

fn no_proc(bench: &mut Bench) {
    assert_eq!(bench.run(&["list", "/proc"]).exited().stdout, "");
}

fn spoil(bench: &mut Bench) {
    let own = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(own.path(), b"precious").unwrap();
    let depot = tempfile::tempdir().unwrap();
    let inside = depot.path().join("input");
    std::fs::write(&inside, b"precious").unwrap();
    std::fs::set_permissions(&inside, std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
    let spec = judge_sandbox::SlotSpec {
        depots: vec![bench.depot.clone(), depot.path().to_owned()],
        ..judge_sandbox::SlotSpec::default()
    };
    let mut slot = judge_sandbox::Sandbox::slot(&bench.sandbox, &spec).unwrap();
    std::mem::swap(&mut bench.slot, &mut slot);
    for path in [own.path(), &inside] {
        let before = std::fs::metadata(path).unwrap();
        let ran = bench.run_with(&["spoil"], |execution| {
            execution.stdin = Input::File(path.to_owned());
            execution.proc_mounted = true;
        });
        ran.exited();
        let after = std::fs::metadata(path).unwrap();
        assert_eq!(std::fs::read(path).unwrap(), b"precious");
        assert_eq!(before.permissions(), after.permissions());
        assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    }
    std::mem::swap(&mut bench.slot, &mut slot);
}

fn etc(bench: &mut Bench) {
    let uid = bench.run(&["uid"]).exited().stdout.trim().to_owned();
    let passwd = bench.run(&["read", "/etc/passwd"]).exited().stdout;
    assert_eq!(
        passwd,
        format!("root:x:0:0::/:/bin/false\njudge:x:{uid}:{uid}::/box/work:/bin/sh\n")
    );
    assert_eq!(
        bench.run(&["read", "/etc/hosts"]).exited().stdout,
        "127.0.0.1 localhost\n::1 localhost\n"
    );
    assert_eq!(
        bench.run(&["read", "/etc/hostname"]).exited().stdout,
        "judge\n"
    );
}

fn locks(bench: &mut Bench) {
    let expected = "own ok\nagain EAGAIN\nfree ok\nrecord ok\ndevice EOPNOTSUPP\nstream EOPNOTSUPP\nclosed EBADF\n";
    assert_eq!(bench.run(&["locks"]).exited().stdout, expected);
}

fn crowd(bench: &mut Bench) {
    let roomy = |execution: &mut judge_sandbox::Execution| {
        execution.limits.processes = 64;
        // At the end of its time, the zygote looks at what a run waits for.
        execution.limits.wall_time = std::time::Duration::from_secs(20);
    };
    let ran = bench.run_with(&["crowd"], roomy).exited();
    // A control group counts what a crowd uses, so the zygote need not look at it.
    let expected = if bench.is_full() {
        "as before\n"
    } else {
        "lowest\n"
    };
    assert_eq!(ran.stdout, expected);
}

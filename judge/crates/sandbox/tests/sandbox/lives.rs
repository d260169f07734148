//! The lives of runs: how they begin and end.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::time::{Duration, Instant};

use judge_model::{IsolationLevel, Limit, Termination};
use judge_sandbox::{Capture, Input, Sandbox as _, SandboxError, SlotSpec};

use crate::bench::{Bench, Case};

pub(crate) const CASES: &[(&str, Case)] = &[
    ("exit_codes", exit_codes),
    ("every_signal_is_reported_by_its_number", signals),
    ("self_kills_are_not_limits", suicide),
    ("program_is_always_pid_2", place),
    ("only_three_descriptors_are_inherited", descriptors),
    ("only_the_requested_environment_is_passed", environment),
    ("arguments_may_be_any_bytes", arguments),
    ("signals_start_at_their_defaults", dispositions),
    (
        "missing_program_is_a_fault_and_the_slot_lives",
        missing_program,
    ),
    ("unexecutable_programs_end_as_in_a_shell", unexecutable),
    ("closing_all_streams_is_harmless", closed),
    ("survivors_holding_pipes_are_not_waited_for", survivor),
    ("stopped_headless_and_vforked_programs_end", stuck),
    ("cancel_ends_a_run_and_later_ones", cancel),
    ("input_arrives", input),
    (
        "streams_can_be_opened_by_path_and_have_no_names",
        streams_by_path,
    ),
    ("slots_outlive_their_opening_thread", thread),
    ("language_runtimes_start", runtimes),
    ("repeated_runs_are_equal", repetition),
];

fn exit_codes(bench: &mut Bench) {
    for code in [0, 1, 2, 42, 127, 128, 137, 255] {
        assert_eq!(
            bench.run(&["exit", &code.to_string()]).termination(),
            Termination::Exited { code }
        );
    }
}

fn signals(bench: &mut Bench) {
    for signal in (1..=31)
        .filter(|signal| ![17, 18, 19, 20, 21, 22, 23, 28].contains(signal))
        .chain([34, 64])
    {
        let ran = bench.run(&["signal", &signal.to_string()]);
        assert_eq!(ran.termination(), Termination::Signaled { signal });
    }
    assert_eq!(
        bench.run(&["abort"]).termination(),
        Termination::Signaled { signal: 6 }
    );
    assert_eq!(
        bench.run(&["segv"]).termination(),
        Termination::Signaled { signal: 11 }
    );
}

fn suicide(bench: &mut Bench) {
    let ran = bench.run(&["signal", "9"]);
    assert_eq!(ran.termination(), Termination::Signaled { signal: 9 });
    assert_eq!(ran.finished.outcome.usage.memory_kills, 0);
    assert_eq!(
        bench.run(&["signal", "24"]).termination(),
        Termination::Signaled { signal: 24 }
    );
}

fn place(bench: &mut Bench) {
    for _ in 0..2 {
        let ran = bench.run(&["where"]).exited();
        assert_eq!(
            ran.stdout,
            "pid 2 ppid 1 sid 0 pgid 2 cwd /box/work host judge umask 22\n"
        );
    }
}

fn descriptors(bench: &mut Bench) {
    // A descriptor of the harness without CLOEXEC.
    let leak = rustix::fs::open(
        "/etc/passwd",
        rustix::fs::OFlags::RDONLY,
        rustix::fs::Mode::empty(),
    )
    .unwrap();
    let mut slot = bench
        .sandbox
        .slot(&SlotSpec {
            depots: vec![bench.depot.clone()],
            ..SlotSpec::default()
        })
        .unwrap();
    std::mem::swap(&mut bench.slot, &mut slot);
    assert_eq!(bench.run(&["fds"]).exited().stdout, "0 1 2 ");
    let stdin = Input::Bytes(b"x".as_slice().into());
    assert_eq!(
        bench
            .run_with(&["fds"], |execution| execution.stdin = stdin)
            .exited()
            .stdout,
        "0 1 2 "
    );
    drop(leak);
}

fn environment(bench: &mut Bench) {
    assert_eq!(
        bench
            .run_with(&["environ"], |execution| execution.env.clear())
            .exited()
            .stdout,
        ""
    );
    let env = vec!["A=1".into(), "B=".into(), "odd".into()];
    assert_eq!(
        bench
            .run_with(&["environ"], |execution| execution.env = env)
            .exited()
            .stdout,
        "A=1\nB=\nodd\n"
    );
}

fn arguments(bench: &mut Bench) {
    let mut execution = bench.execution(&["args", "", "a b", "--", "\n"]);
    execution.args.push(OsString::from_vec(vec![0xff, 0xfe]));
    execution.env = vec![OsString::from_vec(b"X=\xff".to_vec())];
    let mut capture = Capture::default();
    bench.slot.run(&execution, &mut capture).unwrap();
    assert_eq!(capture.stdout, b"probe\nargs\n\na b\n--\n\n\n\xff\xfe\n");
    execution.args.push("in\0side".into());
    assert!(matches!(
        bench.slot.run(&execution, &mut capture),
        Err(SandboxError::InvalidExecution { .. })
    ));
    let large = "x".repeat(100_000);
    assert_eq!(bench.run(&["exit", "0", &large]).exited().stdout, "");
}

fn dispositions(bench: &mut Bench) {
    assert_eq!(bench.run(&["signals"]).exited().stdout, "");
}

fn missing_program(bench: &mut Bench) {
    for (program, errno) in [("/program/none", 2), ("/program", 13), ("/etc/passwd", 13)] {
        let mut execution = bench.execution(&[]);
        execution.program = program.into();
        match bench.slot.run(&execution, &mut Capture::default()) {
            Err(SandboxError::Program { source, .. }) => {
                assert_eq!(source.raw_os_error(), Some(errno), "{program}");
            }
            other => panic!("{program}: {other:?}"),
        }
        bench.run(&["exit", "0"]).exited();
    }
}

/// A script with an unusable interpreter, and a file that is not a program, end as in a shell,
/// because the host is not at fault.
fn unexecutable(bench: &mut Bench) {
    let directory = bench.depot.join("program");
    for (name, text, code, words) in [
        ("no-interpreter", "#!/nonexistent\n", 127, "No such file"),
        ("carriage-return", "#!/bin/sh\r\n", 127, "No such file"),
        ("device", "#!/dev/null\n", 126, "Permission denied"),
        ("no-program", "exit 0\n", 126, "Exec format error"),
        ("empty", "", 126, "Exec format error"),
    ] {
        let file = directory.join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        let mut execution = bench.execution(&[]);
        execution.program = format!("/program/{name}").into();
        let ran = bench.execute(&execution);
        assert_eq!(ran.termination(), Termination::Exited { code }, "{name}");
        assert!(
            ran.stderr.contains(words) && ran.stderr.starts_with("judge: cannot execute `"),
            "{name}: {}",
            ran.stderr
        );
        std::fs::remove_file(&file).unwrap();
        bench.run(&["exit", "0"]).exited();
    }
}

fn closed(bench: &mut Bench) {
    let ran = bench.run(&["closed"]).exited();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

fn survivor(bench: &mut Bench) {
    let begun = Instant::now();
    let ran = bench
        .run_with(&["survivor"], |execution| {
            execution.limits.wall_time = Duration::from_secs(60);
        })
        .exited();
    assert_eq!(ran.stdout, "done");
    assert!(begun.elapsed() < Duration::from_secs(40));
}

fn stuck(bench: &mut Bench) {
    for command in ["stop", "headless", "vfork"] {
        let ran = bench.run_with(&[command], |execution| {
            execution.limits.wall_time = Duration::from_millis(200);
        });
        assert_eq!(
            ran.termination(),
            Termination::Killed {
                limit: Limit::WallTime
            },
            "{command}"
        );
    }
    bench.run(&["exit", "0"]).exited();
}

fn cancel(bench: &mut Bench) {
    let mut execution = bench.execution(&["sleep"]);
    execution.limits.wall_time = Duration::from_secs(60);
    let token = execution.cancel.clone();
    let begun = Instant::now();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        token.cancel();
    });
    assert_eq!(
        bench.execute(&execution).termination(),
        Termination::Cancelled
    );
    canceller.join().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(40));
    assert_eq!(
        bench.execute(&execution).termination(),
        Termination::Cancelled
    );
    bench.run(&["exit", "0"]).exited();
}

fn input(bench: &mut Bench) {
    assert_eq!(bench.run(&["cat"]).exited().stdout, "");
    let bytes = Input::Bytes(b"hello\xff".as_slice().into());
    assert_eq!(
        bench
            .run_with(&["cat"], |execution| execution.stdin = bytes)
            .exited()
            .stdout,
        "hello\u{fffd}"
    );
    let long: Vec<u8> = (0..500_000_u32)
        .map(|index| b'a' + (index % 26) as u8)
        .collect();
    let outside = tempfile::NamedTempFile::new().unwrap();
    let inside = bench
        .depot
        .join(format!("input-{}", rustix::process::getuid().as_raw()));
    std::fs::write(outside.path(), &long).unwrap();
    // For an unprivileged user, the depot belongs to another user.
    let mut paths = vec![outside.path().to_owned()];
    if std::fs::write(&inside, &long).is_ok() {
        paths.push(inside);
    }
    for path in paths {
        let ran = bench
            .run_with(&["cat"], |execution| execution.stdin = Input::File(path))
            .exited();
        assert_eq!(ran.stdout.as_bytes(), long);
    }
    let mut execution = bench.execution(&["cat"]);
    execution.stdin = Input::File("/nowhere/at/all".into());
    assert!(matches!(
        bench.slot.run(&execution, &mut Capture::default()),
        Err(SandboxError::Host { .. })
    ));
}

/// A stream can be reopened regardless of its kind and of the program's user, and does not reveal
/// its file.
fn streams_by_path(bench: &mut Bench) {
    let inside = bench.depot.join(format!(
        "named-input-{}",
        rustix::process::getuid().as_raw()
    ));
    let outside = tempfile::NamedTempFile::new().unwrap();
    let path = if std::fs::write(&inside, "precious").is_ok() {
        inside
    } else {
        outside.path().to_owned()
    };
    std::fs::write(&path, "precious").unwrap();
    // Closed to the programs' user, as with the mask 077.
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let ran = bench.run_with(&["streams"], |execution| {
        execution.stdin = Input::File(path.clone());
        execution.proc_mounted = true;
    });
    if ran.termination() == (Termination::Exited { code: 7 }) {
        println!(
            "SKIPPED: this host provides no /proc at level `{}`",
            bench.level
        );
        return;
    }
    let once = "read precious\nsaid\ncomplain ok\n";
    let expected = format!("0 /memfd\n1 pipe\n2 pipe\n{once}{once}change EPERM\n");
    let stdout = ran.exited().stdout;
    let (output, overhears) = stdout.rsplit_once("overhear ").unwrap();
    assert_eq!(output, expected);
    // Root may open everything, and at that level programs run as the user who started the harness.
    if bench.level != IsolationLevel::None {
        assert_eq!(overhears, "EACCES\n");
    }
    std::fs::remove_file(&path).unwrap();
}

fn thread(bench: &mut Bench) {
    let spec = SlotSpec {
        depots: vec![bench.depot.clone()],
        ..SlotSpec::default()
    };
    let mut slot =
        std::thread::scope(|scope| scope.spawn(|| bench.sandbox.slot(&spec)).join().unwrap())
            .unwrap();
    std::thread::sleep(Duration::from_millis(50));
    std::mem::swap(&mut bench.slot, &mut slot);
    bench.run(&["exit", "0"]).exited();
}

fn runtimes(bench: &mut Bench) {
    let commands: [&[&str]; 5] = [
        &["/usr/bin/java", "-Xmx64m", "-version"],
        &["/usr/bin/node", "-e", "console.log(1)"],
        &["/usr/bin/python3", "-c", "print(1)"],
        &["/usr/bin/perl", "-e", "print 1"],
        &["/bin/sh", "-c", "echo 1 | cat"],
    ];
    for command in commands {
        if !std::path::Path::new(command[0]).exists() {
            println!("SKIPPED: missing `{}`", command[0]);
            continue;
        }
        for proc_mounted in [true, false] {
            let ran = bench.run_with(&[], |execution| {
                execution.program = command[0].into();
                execution.args = command.iter().map(OsString::from).collect();
                execution.proc_mounted = proc_mounted;
                execution.limits.memory_bytes = 1 << 30;
                execution.limits.processes = 64;
                execution.limits.cpu_time = Duration::from_secs(10);
                execution.limits.wall_time = Duration::from_secs(60);
            });
            // The Java launcher finds its library by way of /proc.
            if proc_mounted || !command[0].ends_with("java") {
                ran.exited();
            }
        }
    }
}

fn repetition(bench: &mut Bench) {
    let execution = bench.execution(&["print", "3"]);
    let mut capture = Capture::default();
    for run in 0..200 {
        let finished = bench.slot.run(&execution, &mut capture).unwrap();
        assert!(
            finished.outcome.is_clean_exit(),
            "run {run}: {:?}",
            finished.outcome
        );
        assert_eq!(capture.stdout, b"xxx", "run {run}");
    }
}

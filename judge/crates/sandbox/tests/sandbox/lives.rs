//! The lives of runs: how they begin and end.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use judge_model::{IsolationLevel, Limit, Termination};
use judge_sandbox::{Capture, Input, Sandbox as _, SandboxError, SlotSpec};

use crate::bench::{Bench, Case, eventually, groups_by, marker, processes_with};

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
    (
        "helpers_stay_out_of_the_programs_control_group",
        helper_groups,
    ),
    ("a_killed_helper_is_replaced", helper_killed),
    ("a_killed_harness_leaves_nothing", harness_killed),
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

fn parent_of(pid: i32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// The numbers of this process's own helpers.
fn helpers(level: IsolationLevel) -> Vec<i32> {
    let us = rustix::process::getpid().as_raw_nonzero().get();
    let outer: Vec<i32> = processes_with("judge-zygote")
        .into_iter()
        .filter(|pid| parent_of(*pid) == Some(us))
        .collect();
    // Without a pid namespace there is only one process of each.
    if level < IsolationLevel::Namespaces {
        return outer;
    }
    processes_with("judge-zygote")
        .into_iter()
        .filter(|pid| parent_of(*pid).is_some_and(|parent| outer.contains(&parent)))
        .collect()
}

/// The control groups of a process, as proc_pid_cgroup(5) lists them.
fn groups_of(pid: i32) -> Option<String> {
    std::fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()
}

fn helper_groups(bench: &mut Bench) {
    let (marker, name) = (marker("sleeper"), marker("sleeper"));
    let mut execution = bench.execution(&["sleep", &name]);
    execution.limits.wall_time = Duration::from_millis(500);
    let (level, ours) = (
        bench.level,
        groups_of(std::process::id().cast_signed()).unwrap(),
    );
    let watcher = std::thread::spawn(move || {
        let mut found = None;
        eventually(|| {
            let programs: Vec<i32> = processes_with(&marker)
                .into_iter()
                .filter(|pid| parent_of(*pid).is_some())
                .collect();
            found = Some((programs, processes_with("judge-zygote")));
            found
                .as_ref()
                .is_some_and(|(programs, _)| !programs.is_empty())
        });
        let (programs, zygotes) = found.unwrap();
        let groups = |pids: &[i32]| {
            pids.iter()
                .map(|pid| (*pid, groups_of(*pid)))
                .collect::<Vec<_>>()
        };
        let programs = groups(&programs);
        // Both processes of each helper, and the init of the run, which is called like them.
        let ours: Vec<i32> = zygotes
            .into_iter()
            .filter(|pid| is_below_us(*pid))
            .collect();
        (programs, groups(&ours))
    });
    bench.execute(&execution);
    let (programs, zygotes) = watcher.join().unwrap();
    assert!(
        !programs.is_empty() && zygotes.len() >= 2,
        "{programs:?} {zygotes:?}"
    );
    // The kernel kills any member of a group that is out of memory, and the helper is not a
    // program.
    for (pid, groups) in zygotes {
        assert_eq!(groups.as_deref(), Some(&*ours), "{pid}");
    }
    for (pid, groups) in programs {
        assert_eq!(
            groups.is_some_and(|groups| groups != ours),
            level == IsolationLevel::Full,
            "{pid}"
        );
    }
}

/// True if a process descends from this one.
fn is_below_us(pid: i32) -> bool {
    let us = std::process::id().cast_signed();
    std::iter::successors(parent_of(pid), |pid| parent_of(*pid))
        .take(8)
        .any(|pid| pid == us)
}

fn helper_killed(bench: &mut Bench) {
    let mut execution = bench.execution(&["sleep"]);
    execution.limits.wall_time = Duration::from_secs(2);
    let kill = |inner: &[i32]| {
        std::thread::sleep(Duration::from_millis(150));
        let pid = rustix::process::Pid::from_raw(inner[0]).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    };
    let (level, before) = (bench.level, judge_sandbox::replaced_helpers());
    let first = helpers(level);
    assert_eq!(first.len(), 1, "{first:?}");
    // After one kill, another helper repeats the run, and that is counted.
    let victim = first.clone();
    let killer = std::thread::spawn(move || kill(&victim));
    let ran = bench.execute(&execution);
    assert_eq!(
        ran.termination(),
        Termination::Killed {
            limit: Limit::WallTime
        }
    );
    killer.join().unwrap();
    assert_eq!(judge_sandbox::replaced_helpers(), before + 1);
    // Two kills count as a fault of the host.
    execution.limits.wall_time = Duration::from_secs(60);
    let killer = std::thread::spawn(move || {
        let first = helpers(level);
        kill(&first);
        let is_new = |new: &Vec<i32>| new.len() == 1 && *new != first;
        assert!(
            eventually(|| is_new(&helpers(level))),
            "no helper replaces it"
        );
        kill(&helpers(level));
    });
    let result = bench.slot.run(&execution, &mut Capture::default());
    assert!(
        matches!(result, Err(SandboxError::HelperEnded { .. })),
        "{result:?}"
    );
    killer.join().unwrap();
    assert_eq!(judge_sandbox::replaced_helpers(), before + 1);
    bench.run(&["exit", "0"]).exited();
}

/// Runs a program forever in a sandbox, to be killed. `args`: level, directory, marker of the
/// program.
pub(crate) fn be_victim(args: &[String]) -> ! {
    let level: IsolationLevel = args[0].parse().unwrap();
    let mut bench = Bench::open(level, std::path::Path::new(&args[1])).unwrap();
    // At `landlock` the kernel refuses no fork of a bomb: the helper ends a run with too many
    // processes. In a container, where all share the processors equally, that often came before
    // this process was killed.
    let program = if level == IsolationLevel::Landlock {
        "churn"
    } else {
        "bomb"
    };
    let mut execution = bench.execution(&[program, &args[2]]);
    execution.limits.cpu_time = Duration::from_secs(60);
    execution.limits.wall_time = Duration::from_secs(60);
    // Refused forks take kernel memory for a moment. With the usual limit, that occasionally kills
    // the program.
    execution.limits.memory_bytes = 1 << 30;
    println!("running");
    let ran = bench.execute(&execution);
    eprintln!(
        "the victim's program ended unexpectedly: {:?}",
        ran.finished.outcome
    );
    std::process::abort()
}

/// Starts a harness whose program has the marker in its arguments, as the harness itself has.
fn victim(bench: &Bench, marker: &str) -> Child {
    let mut command = Command::new("/proc/self/exe");
    command
        .args(["victim", bench.level.name()])
        .arg(bench.depot.parent().unwrap())
        .arg(marker);
    command.stdout(Stdio::null()).spawn().unwrap()
}

fn harness_killed(bench: &mut Bench) {
    let marker = marker("left-by-a-victim");
    let mut victim = victim(bench, &marker);
    let is_running = || processes_with(&marker).len() > 4;
    assert!(
        eventually(|| is_running() || victim.try_wait().unwrap().is_some()),
        "no program of the victim runs"
    );
    assert_eq!(
        victim.try_wait().unwrap(),
        None,
        "the victim ended before it was killed"
    );
    assert!(!bench.is_full() || !groups_by(victim.id()).is_empty());
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert!(
        eventually(|| processes_with(&marker).is_empty()),
        "{:?}",
        processes_with(&marker)
    );
    // Only empty control groups can be left. Another judge may remove them, too.
    if bench.is_full() {
        let swept = || {
            (judge_sandbox::sweep(), groups_by(victim.id()))
                .1
                .is_empty()
        };
        assert!(eventually(swept), "{:?}", groups_by(victim.id()));
    }
    // If slots have directories, the directory of a harness whose helpers died with it remains
    // until the next harness starts.
    if bench.level < IsolationLevel::Namespaces {
        left_directories_are_swept(bench);
    }
    // And this process's own was not removed.
    bench.run(&["exit", "0"]).exited();
}

fn left_directories_are_swept(bench: &Bench) {
    let before = directories_of_slots();
    let marker = marker("directory-of-a-victim");
    let mut victim = victim(bench, &marker);
    assert!(
        eventually(|| processes_with(&marker).len() > 4),
        "the victim's program runs"
    );
    let its = directories_of_slots()
        .into_iter()
        .filter(|name| !before.contains(name))
        .collect::<Vec<_>>();
    let number = format!("-{}-", victim.id());
    assert!(
        its.iter()
            .any(|path| path.to_string_lossy().contains(&number)),
        "{its:?}"
    );
    // Helpers first, so that no process is left to remove anything.
    let us = victim.id().cast_signed();
    let pids = processes_with("judge-zygote")
        .into_iter()
        .filter(|pid| parent_of(*pid) == Some(us));
    let kill = |pid| {
        rustix::process::kill_process(
            rustix::process::Pid::from_raw(pid).unwrap(),
            rustix::process::Signal::KILL,
        )
    };
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(us).unwrap(),
        rustix::process::Signal::STOP,
    )
    .unwrap();
    pids.for_each(|pid| kill(pid).unwrap());
    // A stopped harness is alive: its directories are left alone.
    let own_directories = || {
        directories_of_slots()
            .into_iter()
            .filter(|path| path.to_string_lossy().contains(&number))
            .count()
    };
    drop(judge_sandbox::LinuxSandbox::open(Some(bench.level)).unwrap());
    assert!(
        own_directories() > 0,
        "the directory of a living judge was removed"
    );
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert!(
        own_directories() > 0,
        "nothing was left, so nothing is tried here"
    );
    assert!(
        eventually(|| processes_with(&marker).is_empty()),
        "{:?}",
        processes_with(&marker)
    );
    drop(judge_sandbox::LinuxSandbox::open(Some(bench.level)).unwrap());
    assert_eq!(own_directories(), 0, "{:?}", directories_of_slots());
}

/// The directories of the slots of all harnesses.
fn directories_of_slots() -> Vec<std::path::PathBuf> {
    let own = std::env::temp_dir();
    // The first of these where it can be made is used.
    let places = std::collections::BTreeSet::from([own, "/tmp".into(), "/var/tmp".into()]);
    let entries = places
        .iter()
        .filter_map(|place| std::fs::read_dir(place).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path()));
    entries
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("judge-"))
        })
        .collect()
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

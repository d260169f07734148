//! Helper processes and harnesses that are killed from outside.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use judge_model::{IsolationLevel, Limit, Termination};
use judge_sandbox::{Capture, SandboxError};

use crate::bench::{Bench, Case, eventually, groups_by, marker, processes_with};

pub(crate) const CASES: &[(&str, Case)] = &[
    (
        "helpers_stay_out_of_the_programs_control_group",
        helper_groups,
    ),
    ("a_killed_helper_is_replaced", helper_killed),
    ("a_killed_harness_leaves_nothing", harness_killed),
];

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

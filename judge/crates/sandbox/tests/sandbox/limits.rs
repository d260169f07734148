//! Limits and measurements.

use std::time::Duration;

use judge_model::{Limit, Outcome, Termination};
use judge_sandbox::{Sandbox as _, SlotSpec, Work};

use crate::bench::{Bench, Case};

pub(crate) const CASES: &[(&str, Case)] = &[
    ("cpu_time_of_one_thread", cpu),
    ("cpu_time_of_threads_and_children", cpu_of_all),
    ("cpu_time_is_measured", cpu_measured),
    ("cpu_time_of_orphans_counts", cpu_of_orphans),
    ("process_names_cannot_hide_cpu_time", hidden_name),
    ("wall_time_of_a_sleeper", wall),
    ("memory_of_one_process", memory),
    ("memory_of_child_processes", memory_of_children),
    ("memory_is_measured_for_each_run", memory_measured),
    ("memory_shared_by_forks_counts_once", memory_shared),
    ("kernel_memory_counts", kernel_memory),
    (
        "kernel_memory_of_one_run_does_not_burden_the_next",
        kernel_memory_freed,
    ),
    ("reserved_memory_does_not_count", reserved),
    ("stack_grows_up_to_the_memory_limit", stack),
    ("stdout_is_limited", stdout),
    ("stderr_is_limited", stderr),
    ("output_at_the_limit_is_accepted", output_at_limit),
    ("fork_bombs_are_killed", bomb),
    ("processes_and_threads_are_counted", processes),
    ("files_are_limited_in_size", file_size),
    ("files_are_limited_in_number", file_number),
    ("limits_cannot_be_raised", raised),
    ("programs_have_the_usual_time_slice", turn),
    ("programs_are_pinned_to_their_core", core),
];

const MILLISECOND: Duration = Duration::from_millis(1);

#[track_caller]
fn killed(outcome: &Outcome, limit: Limit) {
    assert_eq!(
        outcome.termination,
        Termination::Killed { limit },
        "{outcome:?}"
    );
}

/// Checks the CPU time at the kill: never less than the limit, and barely more. The watcher may be
/// late if it had to wait for a processor, so the best of three runs counts; the stress tests check
/// the distribution.
#[track_caller]
fn hits_cpu_limit(bench: &mut Bench, command: &[&str]) {
    let mut late = Vec::new();
    for _ in 0..3 {
        let outcome = bench.run_with(command, patient).finished.outcome;
        killed(&outcome, Limit::CpuTime);
        let used = outcome.usage.cpu_time;
        assert!(
            used >= 295 * MILLISECOND && used < 900 * MILLISECOND,
            "{used:?}"
        );
        if used < 330 * MILLISECOND {
            return;
        }
        late.push(used);
    }
    panic!("late three times: {late:?}");
}

fn patient(execution: &mut judge_sandbox::Execution) {
    execution.limits.wall_time = Duration::from_secs(20);
}

/// On some hosts, memory that is touched for the first time takes a hundred times as long as other
/// memory.
fn touching(execution: &mut judge_sandbox::Execution) {
    patient(execution);
    execution.limits.cpu_time = Duration::from_secs(5);
}

fn cpu(bench: &mut Bench) {
    hits_cpu_limit(bench, &["spin"]);
    hits_cpu_limit(bench, &["deaf"]);
}

fn cpu_of_all(bench: &mut Bench) {
    hits_cpu_limit(bench, &["threads", "5"]);
    hits_cpu_limit(bench, &["forks", "4"]);
    // Dead children count too. Without a control group, their time is accurate to 10 ms, in the
    // parent's sum.
    let outcome = bench.run_with(&["relay"], patient).finished.outcome;
    killed(&outcome, Limit::CpuTime);
    assert!(outcome.usage.cpu_time < 900 * MILLISECOND, "{outcome:?}");
}

fn cpu_measured(bench: &mut Bench) {
    for command in ["burn", "burners"] {
        let mut used = Vec::new();
        // The program's clock starts a little before it becomes the program, which is not counted.
        // Work of the host may be charged to the program meanwhile, so the best of three runs
        // counts.
        while used.len() < 3 && used.last().is_none_or(|last| *last >= 112 * MILLISECOND) {
            used.push(
                bench
                    .run_with(&[command, "100"], patient)
                    .exited()
                    .finished
                    .outcome
                    .usage
                    .cpu_time,
            );
        }
        let good = used.iter().all(|used| *used >= 99 * MILLISECOND)
            && used.last() < Some(&(112 * MILLISECOND));
        assert!(good, "{command}: {used:?}");
    }
    let used = bench
        .run(&["exit", "0"])
        .exited()
        .finished
        .outcome
        .usage
        .cpu_time;
    assert!(used < 8 * MILLISECOND, "{used:?}");
}

fn cpu_of_orphans(bench: &mut Bench) {
    let used = bench
        .run_with(&["orphan", "100"], patient)
        .exited()
        .finished
        .outcome
        .usage
        .cpu_time;
    assert!(used >= 100 * MILLISECOND, "{used:?}");
    let used = bench
        .run_with(&["nested", "6"], patient)
        .exited()
        .finished
        .outcome
        .usage
        .cpu_time;
    assert!(used >= 100 * MILLISECOND, "{used:?}");
    let used = bench
        .run_with(&["unwaited", "100"], patient)
        .exited()
        .finished
        .outcome
        .usage
        .cpu_time;
    // A known gap of the other levels.
    assert!(used >= 100 * MILLISECOND || !bench.is_full(), "{used:?}");
}

fn hidden_name(bench: &mut Bench) {
    hits_cpu_limit(bench, &["name"]);
}

fn wall(bench: &mut Bench) {
    let outcome = bench
        .run_with(&["sleep"], |execution| {
            execution.limits.wall_time = 150 * MILLISECOND;
        })
        .finished
        .outcome;
    killed(&outcome, Limit::WallTime);
    let took = outcome.usage.wall_time;
    // It takes far more only if the host is too busy to wake any process; without a limit it sleeps
    // forever.
    assert!(
        took >= 149 * MILLISECOND && took < 20_000 * MILLISECOND,
        "{took:?}"
    );
    assert!(outcome.usage.cpu_time < 100 * MILLISECOND);
}

fn memory(bench: &mut Bench) {
    let outcome = bench.run_with(&["hoard", "80"], touching).finished.outcome;
    killed(&outcome, Limit::Memory);
    if bench.is_full() {
        assert!(outcome.usage.memory_kills >= 1);
        assert!(
            outcome.usage.memory_bytes > 62 << 20 && outcome.usage.memory_bytes <= 66 << 20,
            "{outcome:?}"
        );
    } else {
        assert!(outcome.usage.memory_bytes > 64 << 20, "{outcome:?}");
    }
    // Too short for a sample, but the peak shows it.
    let outcome = bench.run_with(&["eat", "80"], touching).finished.outcome;
    assert!(
        outcome.usage.memory_kills > 0 || outcome.usage.memory_bytes > 64 << 20,
        "{outcome:?}"
    );
    bench.run_with(&["eat", "50"], touching).exited();
}

fn memory_of_children(bench: &mut Bench) {
    let outcome = bench.run_with(&["family", "20"], touching).finished.outcome;
    if bench.is_full() {
        assert!(outcome.usage.memory_kills > 0, "{outcome:?}");
    } else {
        killed(&outcome, Limit::Memory);
    }
}

fn memory_measured(bench: &mut Bench) {
    let peak = |bench: &mut Bench, megabytes: &str| {
        bench
            .run_with(&["eat", megabytes], touching)
            .exited()
            .finished
            .outcome
            .usage
            .memory_bytes as f64
            / f64::from(1 << 20)
    };
    let large = peak(bench, "40");
    assert!((40.0..44.0).contains(&large), "{large}");
    // Memory of an earlier run, or of the zygote, does not count.
    let small = peak(bench, "2");
    assert!(small < 6.0, "{small}");
}

fn memory_shared(bench: &mut Bench) {
    // Six processes share the memory long enough to be measured several times, far below the limit
    // all the time.
    let roomy = |execution: &mut judge_sandbox::Execution| {
        touching(execution);
        execution.limits.memory_bytes = 1 << 30;
    };
    let outcome = bench
        .run_with(&["share", "40"], roomy)
        .exited()
        .finished
        .outcome;
    let megabytes = outcome.usage.memory_bytes >> 20;
    assert!((40..80).contains(&megabytes), "{outcome:?}");
}

fn kernel_memory(bench: &mut Bench) {
    if !bench.is_full() {
        return;
    }
    // 400 pipes of 1 MiB; without privilege only some become that large.
    let limit = |execution: &mut judge_sandbox::Execution| execution.limits.memory_bytes = 8 << 20;
    let outcome = bench.run_with(&["pipes"], limit).finished.outcome;
    assert!(outcome.usage.memory_kills > 0, "{outcome:?}");
    bench.run(&["exit", "0"]).exited();
}

fn kernel_memory_freed(bench: &mut Bench) {
    // Tables of pages, which the kernel frees some time after the end of their process: one that
    // exceeds the limit by them, and one that does not.
    for tables in ["100", "40", "100", "40"] {
        let outcome = bench
            .run_with(&["tables", tables], touching)
            .finished
            .outcome;
        if bench.is_full() {
            assert_eq!(
                outcome.usage.memory_kills > 0,
                tables == "100",
                "{outcome:?}"
            );
        }
        let next = bench
            .run_with(&["eat", "55"], touching)
            .exited()
            .finished
            .outcome;
        // Of the memory that is still to be freed, less than 2 MiB may be there at the beginning
        // and gone at the peak.
        assert!(next.usage.memory_bytes > 53 << 20, "{next:?}");
    }
}

fn reserved(bench: &mut Bench) {
    bench.run(&["reserve"]).exited();
}

fn stack(bench: &mut Bench) {
    bench.run_with(&["stack", "50"], touching).exited();
    let outcome = bench.run_with(&["deep"], touching).finished.outcome;
    let limited = outcome.usage.memory_kills > 0
        || matches!(
            outcome.termination,
            Termination::Signaled { signal: 11 }
                | Termination::Killed {
                    limit: Limit::Memory
                }
        );
    assert!(limited, "{outcome:?}");
}

fn stdout(bench: &mut Bench) {
    let ran = bench.run(&["flood", "1"]);
    killed(&ran.finished.outcome, Limit::Output);
    assert_eq!(ran.stdout.len(), 1 << 20);
    assert!(ran.finished.outcome.usage.stdout_bytes > 1 << 20);
}

fn stderr(bench: &mut Bench) {
    let ran = bench.run(&["flood", "2"]);
    killed(&ran.finished.outcome, Limit::Output);
    assert_eq!((ran.stdout.len(), ran.stderr.len()), (0, 1 << 16));
}

fn output_at_limit(bench: &mut Bench) {
    let cap = |execution: &mut judge_sandbox::Execution| execution.limits.stdout_bytes = 100_000;
    let ran = bench.run_with(&["print", "100000"], cap).exited();
    assert_eq!(
        (ran.stdout.len(), ran.finished.outcome.usage.stdout_bytes),
        (100_000, 100_000)
    );
    let ran = bench.run_with(&["print", "100001"], cap);
    killed(&ran.finished.outcome, Limit::Output);
    assert_eq!(ran.stdout.len(), 100_000);
    let ran = bench.run(&["both"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("out", "err"));
    assert_eq!(ran.termination(), Termination::Exited { code: 3 });
}

fn bomb(bench: &mut Bench) {
    let outcome = bench.run_with(&["bomb"], patient).finished.outcome;
    if bench.level == judge_model::IsolationLevel::Landlock {
        // If the kernel does not limit the number of processes, a run with too many is killed.
        let ended = [
            Termination::Killed {
                limit: Limit::CpuTime,
            },
            Termination::Signaled { signal: 9 },
        ];
        assert!(ended.contains(&outcome.termination), "{outcome:?}");
    } else if outcome.usage.memory_kills == 0 {
        killed(&outcome, Limit::CpuTime);
    }
    // Refused forks also take kernel memory for a moment, so that either limit can be the first;
    // nothing else can.
    bench.run(&["exit", "0"]).exited();
}

fn processes(bench: &mut Bench) {
    assert_eq!(bench.run(&["count"]).exited().stdout, "16\n");
    assert_eq!(bench.run(&["zombies"]).exited().stdout, "16\n");
    let one = |execution: &mut judge_sandbox::Execution| execution.limits.processes = 1;
    assert_eq!(bench.run_with(&["count"], one).exited().stdout, "1\n");
}

fn file_size(bench: &mut Bench) {
    assert_eq!(
        bench.run(&["bigfile", "0"]).termination(),
        Termination::Signaled { signal: 25 }
    );
    // In memory, so the memory limit counts too; here it is larger.
    let text = bench.run(&["bigfile", "1"]).exited().stdout;
    assert!(
        ["16777216 EFBIG\n", "16777216 ENOSPC\n"].contains(&text.as_str()),
        "{text}"
    );
    let none = |execution: &mut judge_sandbox::Execution| execution.work = Work::ReadOnly;
    assert_eq!(
        bench
            .run_with(&["write", "x", "/tmp/x", "/dev/shm/x"], none)
            .exited()
            .stdout,
        "x EROFS\n/tmp/x EROFS\n/dev/shm/x EROFS\n"
    );
}

fn file_number(bench: &mut Bench) {
    let text = bench.run(&["manyfiles"]).exited().stdout;
    assert_eq!(text, "100 ENOSPC\n");
}

fn raised(bench: &mut Bench) {
    let text = bench.run(&["limits"]).exited().stdout;
    assert_eq!(text, "core 1 files 1024 stack 67108864\nraise EPERM\n");
}

/// Helpers have shorter turns on the processors than programs, which have those of the harness.
fn turn(bench: &mut Bench) {
    let ours = std::process::Command::new(bench.depot.join("program/probe"))
        .arg("turn")
        .output()
        .unwrap();
    assert_eq!(bench.run(&["turn"]).exited().stdout.as_bytes(), ours.stdout);
}

fn core(bench: &mut Bench) {
    let spec = SlotSpec {
        depots: vec![bench.depot.clone()],
        core: Some(0),
        ..SlotSpec::default()
    };
    let mut slot = bench.sandbox.slot(&spec).unwrap();
    std::mem::swap(&mut bench.slot, &mut slot);
    let stays = bench.run(&["cores"]).exited().stdout;
    std::mem::swap(&mut bench.slot, &mut slot);
    assert_eq!(stays, "0 ");
}
